/* Cases in which Multi2Sim, the oracle of the vectors of one GCN instruction, is wrong by the documentation's words.
 * Each kind of instruction has the oracle's result and the machine's (AMD, "Southern Islands Series Instruction Set
 * Architecture" and "Vega", with quoted pseudocode), so that no other difference passes. */
#include "bench/laboratory/vectors_gcn_state.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCES = 3, FORM_LENGTH = 4 /* of "_e32" */ };

/* An instruction's sources in a lane. */
struct sources {
	uint32_t word[SOURCES];
	uint64_t pair[SOURCES];         /* 64-bit scalar operands */
	uint64_t next[SOURCES];         /* the same where the upper word is the next constant */
	uint32_t before, scc;           /* of the destination; scc before the instruction */
};

/* The results of the oracle and of the documentation. */
struct values {
	uint32_t oracle, machine;
};

static float float_of(uint32_t v)
{
	float f;

	memcpy(&f, &v, sizeof f);
	return f;
}

static uint32_t bits_of(float f)
{
	uint32_t v;

	memcpy(&v, &f, sizeof v);
	return v;
}

static bool is_nan(uint32_t v)
{
	return (v & 0x7fffffff) > 0x7f800000;
}

/* ---- the sources, from the text ---- */

/* "v3", "s7", "s[4:5]", "vcc", "exec", "12", "0x1f", "-2.0" */
static void read_source(const struct gcn_state *st, const char *p, unsigned lane, struct sources *to, int i)
{
	char *end;
	unsigned long n = strtoul(p + 1 + (p[1] == '['), &end, 10);
	unsigned code = !strncmp(p, "vcc", 3) ? CODE_VCC : !strncmp(p, "exec", 4) ? CODE_EXEC :
			*p == 's' ? (unsigned)n % (CODES - 1) : CODES;
	long long v;

	if (code < CODES) {
		to->word[i] = st->s[code];
		to->next[i] = to->pair[i] = gcn_state_pair(st, code);
	} else if (*p == 'v') {
		to->word[i] = st->v[n % VECTORS][lane];
	} else if (strcspn(p, ".") < strcspn(p, ", ")) {
		to->word[i] = bits_of(strtof(p, NULL));
	} else {
		v = strtoll(p, NULL, 0);
		to->word[i] = (uint32_t)v;
		to->pair[i] = (uint64_t)v;
		to->next[i] = (uint64_t)(uint32_t)(v < 0 ? v - 1 : v + 1) << 32 | (uint32_t)v;
	}
}

/* Operands but the first, which is the destination, and a carry's vcc behind it. */
static void read_sources(const struct gcn_state *st, const char *text, unsigned lane, struct sources *to)
{
	const char *p = strchr(text, ' ');
	struct sources destination;

	memset(to, 0, sizeof *to);
	to->scc = st->scc;
	if (!p)
		return;
	read_source(st, p + 1, lane, &destination, 0);
	to->before = destination.word[0];
	p = strstr(p, ", ");
	if (p && text[0] == 'v' && !strncmp(p, ", vcc, ", 7))
		p = strstr(p + 2, ", ");
	for (int i = 0; p && i < SOURCES; i++, p = strstr(p + 2, ", "))
		read_source(st, p + 2, lane, to, i);
}

/* ---- the instructions ---- */

/* "D.f = min(S0.f, S1.f)"; a NaN gives way to the other, and -0 is less than +0 (Vega, V_MIN_F32, IEEE off). The oracle
 * computes a < b ? a : b by the host's instruction, or the mirrored form: a NaN may win, and either zero. */
static bool order(const struct sources *s, uint32_t wanted, bool most, struct values *v)
{
	uint32_t a = s->word[0], b = s->word[1];
	float x = float_of(a), y = float_of(b);
	bool first = most ? x > y : x < y, second = most ? y > x : y < x;

	v->machine = is_nan(a) ? b : is_nan(b) ? a : first ? a : second ? b : most ? a & b : a | b;
	v->oracle = wanted == a || (is_nan(a) && wanted == (a | 0x400000)) ? wanted : b;
	return is_nan(a) || is_nan(b) || !((a | b) << 1);
}

static bool smallest(const struct sources *s, uint32_t wanted, struct values *v)
{
	return order(s, wanted, false, v);
}

static bool largest(const struct sources *s, uint32_t wanted, struct values *v)
{
	return order(s, wanted, true, v);
}

/* Several NaNs: the documentation leaves the choice open. Here the first NaN wins, made quiet; the product of the first
 * two is the first operand of the sum. The oracle takes the first operand chosen by the host's compiler. */
static bool nan_of(const uint32_t of[3], uint32_t wanted, struct values *v)
{
	unsigned n = 0;

	v->oracle = ~wanted;
	for (int i = 2; i >= 0; i--)
		if (is_nan(of[i])) {
			v->machine = of[i] | 0x400000;
			v->oracle = wanted == v->machine ? wanted : v->oracle;
			n++;
		}
	return n > 1;
}

static bool mad(const struct sources *s, uint32_t wanted, struct values *v)
{
	return nan_of(s->word, wanted, v);
}

static bool mac(const struct sources *s, uint32_t wanted, struct values *v)
{
	return nan_of((const uint32_t[]){ s->word[0], s->word[1], s->before }, wanted, v);
}

/* fmaf by a sum of doubles that is rounded to odd: fmaf of hosts without directions of rounding (wasi-libc) rounds
 * ties twice. */
static float fused_sum(float a, float b, float c)
{
	double product = (double)a * b, sum = product + c, back = sum - product;
	double error = (product - (sum - back)) + (c - back);
	uint64_t bits;

	memcpy(&bits, &sum, sizeof bits);
	if (isfinite(sum) && error != 0 && !(bits & 1))
		bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
	memcpy(&sum, &bits, sizeof sum);
	return (float)sum;
}

/* "Fused": rounded once. */
static bool fused(const struct sources *s, uint32_t wanted, struct values *v)
{
	float a = float_of(s->word[0]), b = float_of(s->word[1]), c = float_of(s->word[2]);
	volatile float product = a * b;

	v->machine = bits_of(fused_sum(a, b, c));
	v->oracle = bits_of(product + c);
	return true;
}

/* "Negative values are 0" (V_CVT_U32_F32); the oracle wraps. */
static bool to_unsigned(const struct sources *s, uint32_t wanted, struct values *v)
{
	float a = float_of(s->word[0]);

	v->machine = 0;
	v->oracle = (uint32_t)(int64_t)a;
	return a < 0 && a > -9e18f;
}

/* By way of a 32-bit integer: numbers without an integer are the smallest, and 0 has no sign. Not written as the two
 * conversions, of which gcc makes a truncation that keeps the sign on hosts with such an instruction (aarch64). */
static bool truncated(const struct sources *s, uint32_t wanted, struct values *v)
{
	float a = float_of(s->word[0]);
	bool integer = fabsf(a) < 2147483648.f;

	v->machine = is_nan(s->word[0]) ? s->word[0] | 0x400000 : bits_of(truncf(a));
	v->oracle = integer ? bits_of(truncf(a) + 0.f) : 0xcf000000;
	return true;
}

/* SCC stays (gcn.def, s_mulk_i32); in the oracle SCC becomes the overflow, and an overflow below 0 is none. */
static bool multiplied(const struct sources *s, uint32_t wanted, struct values *v)
{
	int64_t product = (int64_t)(int32_t)s->before * (int16_t)s->word[0];

	v->machine = s->scc;
	v->oracle = product > INT32_MAX;
	return true;
}

#define ON_PAIRS(name, expression) \
	static uint64_t name(uint64_t a, uint64_t b) \
	{ \
		return expression; \
	}
ON_PAIRS(pair_and, a & b)
ON_PAIRS(pair_nand, ~(a & b))
ON_PAIRS(pair_or, a | b)
ON_PAIRS(pair_xor, a ^ b)
ON_PAIRS(pair_andn2, a & ~b)

/* An operation on s->pair; the upper word is in doubt. */
static bool on_pairs(const struct sources *s, uint64_t (*operation)(uint64_t, uint64_t), struct values *v)
{
	v->machine = (uint32_t)(operation(s->pair[0], s->pair[1]) >> 32);
	v->oracle = (uint32_t)(operation(s->next[0], s->next[1]) >> 32);
	return true;
}

/* The carry of unsigned numbers ("VCC[lane] = S0.u + S1.u >= 0x100000000"; of differences, whether the result is below
 * 0); the oracle's: whether the signed result has bits above 31. In one lane. */
static void carry(const struct sources *s, bool sum, bool reversed, struct values *v)
{
	uint32_t a = s->word[reversed], b = s->word[!reversed];
	int64_t exact = sum ? (int64_t)(int32_t)a + (int32_t)b : (int64_t)(int32_t)a - (int32_t)b;

	v->machine = sum ? (uint64_t)a + b > UINT32_MAX : b > a;
	v->oracle = (uint64_t)exact >> 32 != 0;
}

static bool carries(const struct gcn_state *st, const char *text, unsigned first_lane, struct values *v)
{
	uint64_t exec = gcn_state_pair(st, CODE_EXEC);

	*v = (struct values){ 0, 0 };
	for (unsigned k = 0; k < 32; k++) {
		struct sources s;
		struct values one;
		if (!(exec >> (first_lane + k) & 1))
			continue;
		read_sources(st, text, first_lane + k, &s);
		carry(&s, !strncmp(text, "v_add", 5), !strncmp(text, "v_subrev", 8), &one);
		v->machine |= one.machine << k;
		v->oracle |= one.oracle << k;
	}
	return true;
}

static const struct doubt {
	const char *mnemonic, *reason;
	/* A lane's word of a vector register, or scc. */
	bool (*word)(const struct sources *s, uint32_t wanted, struct values *v);
	uint64_t (*pairs)(uint64_t a, uint64_t b);      /* the upper word of a scalar pair */
	bool carries;           /* vcc */
} doubts[] = {
	{ "v_min_f32", "a NaN is the result, where the number is; of zeros either", smallest, NULL, false },
	{ "v_max_f32", "a NaN is the result, where the number is; of zeros either", largest, NULL, false },
	{ "v_mad_f32", "of two NaNs, it is the host compiler's choice", mad, NULL, false },
	{ "v_mac_f32", "of two NaNs, it is the host compiler's choice", mac, NULL, false },
	{ "v_fma_f32", "the product is rounded before the sum is", fused, NULL, false },
	{ "v_cvt_u32_f32", "negative numbers wrap, where they are 0", to_unsigned, NULL, false },
	{ "v_trunc_f32", "by way of a 32-bit integer", truncated, NULL, false },
	{ "v_add_i32", "the carry is set where the signed sum has bits above 31", NULL, NULL, true },
	{ "v_sub_i32", "the carry is set where the signed difference has bits above 31", NULL, NULL, true },
	{ "v_subrev_i32", "the carry is set where the signed difference has bits above 31", NULL, NULL, true },
	{ "s_mulk_i32", "scc becomes the overflow above 0, where it stays", multiplied, NULL, false },
	{ "s_and_b64", "an inline constant's upper word is the next constant", NULL, pair_and, false },
	{ "s_nand_b64", "an inline constant's upper word is the next constant", NULL, pair_nand, false },
	{ "s_or_b64", "an inline constant's upper word is the next constant", NULL, pair_or, false },
	{ "s_xor_b64", "an inline constant's upper word is the next constant", NULL, pair_xor, false },
	{ "s_andn2_b64", "an inline constant's upper word is the next constant", NULL, pair_andn2, false },
};

static bool is_mnemonic(const char *text, const char *mnemonic)
{
	size_t n = strlen(mnemonic);

	if (strncmp(text, mnemonic, n))
		return false;
	return text[n] == ' ' || (!strncmp(text + n, "_e32 ", FORM_LENGTH + 1) ||
				  !strncmp(text + n, "_e64 ", FORM_LENGTH + 1));
}

/* Is `name` the instruction's destination? */
static bool computes(const struct doubt *d, const struct gcn_state *st, const char *text, const char *name,
		     unsigned lane, uint32_t wanted, struct values *v)
{
	const char *operand = strchr(text, ' ') + 1;
	size_t n = strlen(name);
	struct sources s;

	read_sources(st, text, lane, &s);
	if (d->carries)
		return !strncmp(name, "vcc", 3) && carries(st, text, strcmp(name, "vcc_hi") ? 0 : 32, v);
	if (d->pairs) {
		unsigned first = (unsigned)strtoul(operand + 2, NULL, 10),
			 upper = (unsigned)strtoul(name + 1, NULL, 10);
		bool named = n > 3 && !strcmp(name + n - 3, "_hi") && !strncmp(operand, name, n - 3);
		return (named || (*name == 's' && *operand == 's' && upper == first + 1)) && on_pairs(&s, d->pairs, v);
	}
	if (d->word == multiplied)
		return !strcmp(name, "scc") && d->word(&s, wanted, v);
	return !strncmp(operand, name, n) && operand[n] == ',' && d->word(&s, wanted, v);
}

const char *gcn_doubt(const struct gcn_state *before, const char *text, const char *name, unsigned lane,
		      uint32_t wanted, uint32_t found)
{
	for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++) {
		struct values v;
		if (is_mnemonic(text, doubts[i].mnemonic) &&
		    computes(&doubts[i], before, text, name, lane, wanted, &v) &&
		    v.oracle == wanted && v.machine == found)
			return doubts[i].reason;
	}
	return NULL;
}
