#include "tests/random/ptx.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "tests/random/warp.h"

/* ---- instructions ---- */

struct op { unsigned id; const char *text, *kinds; unsigned sm; };

static const struct op ops[] = {
#define OP(text, kinds, sm, ...) { __LINE__, text, kinds, sm },
#include "tests/random/ptx.def"
};
enum { OPS = sizeof ops / sizeof *ops };

#define ONES (~UINT64_C(0))
#define S32(x) ((int32_t)(x))
#define S16(x) ((int16_t)(x))
#define S24(x) ((int64_t)(int32_t)((uint32_t)(x) << 8) >> 8)

/* f32 of the machine: denormals are zeros, no number has the bits 0x7fffffff. */
static float f(uint64_t x)
{
	uint32_t word = (uint32_t)x;
	float y;

	memcpy(&y, &word, sizeof y);
	return fpclassify(y) == FP_SUBNORMAL ? copysignf(0, y) : y;
}

static uint64_t w(float x)
{
	uint32_t word;

	x = fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
	memcpy(&word, &x, sizeof word);
	return isnan(x) ? 0x7fffffff : word;
}

static double e(uint64_t x)
{
	double y;

	memcpy(&y, &x, sizeof y);
	return y;
}

static uint64_t bits(double x)
{
	uint64_t y;

	memcpy(&y, &x, sizeof y);
	return isnan(x) ? UINT64_C(0x7ff8000000000000) : y;
}

/* A product below 2^-126 is flushed even where rounding would bring it up. */
static uint64_t product(float a, float b)
{
	double exact = (double)a * b;

	return w(fabs(exact) < 0x1p-126 ? copysignf(0, (float)copysign(1, exact)) : (float)exact);
}

static uint64_t saturated(float x) { return w(x > 1 ? 1 : x > 0 ? x : 0); }

static uint64_t least(float a, float b)
{
	if (isnan(a) || isnan(b))
		return w(isnan(a) ? b : a);
	return w(a < b || (a == b && signbit(a)) ? a : b);
}

static int64_t within(double x, double low, double high) { return (int64_t)(x < low ? low : x > high ? high : x); }

static uint64_t clamp_s32(int64_t x)
{
	return (uint64_t)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x);
}

static uint64_t field(uint64_t x, uint64_t at, uint64_t n, unsigned width, bool is_signed)
{
	uint64_t end = at + n - 1 < width - 1 ? at + n - 1 : width - 1, r = 0;

	for (unsigned i = 0; i < width; i++) {
		uint64_t bit = i < n && at + i < width ? x >> (at + i) & 1 : is_signed && n ? x >> end & 1 : 0;
		r |= bit << i;
	}
	return r;
}

static uint64_t insert(uint64_t x, uint64_t into, uint64_t at, uint64_t n, unsigned width)
{
	for (uint64_t i = 0; i < n && at + i < width; i++)
		into = (into & ~(UINT64_C(1) << (at + i))) | (i < 64 ? x >> i & 1 : 0) << (at + i);
	return into;
}

static uint64_t reversed(uint64_t x)
{
	uint64_t r = 0;

	for (unsigned i = 0; i < 64; i++)
		r |= (x >> i & 1) << (63 - i);
	return r;
}

static uint64_t permuted(uint64_t a, uint64_t b, uint64_t select)
{
	uint64_t r = 0, bytes = b << 32 | a;

	for (unsigned i = 0; i < 4; i++) {
		uint64_t byte = bytes >> 8 * (select >> 4 * i & 7) & 255;
		r |= (select >> (4 * i + 3) & 1 ? (byte >> 7) * 255 : byte) << 8 * i;
	}
	return r;
}

static uint64_t meaning(unsigned id, uint64_t A, uint64_t B, uint64_t C, uint64_t D)
{
	switch (id) {
#define OP(text, kinds, sm, ...) case __LINE__: return (uint64_t)(__VA_ARGS__);
#include "tests/random/ptx.def"
	default: return 0;
	}
}

/* ---- programs ---- */

enum kind { KIND_H, KIND_R, KIND_D, KIND_F, KIND_E, KIND_P, KINDS };
static const char letters[KINDS + 1] = "HRDFEP", names[KINDS + 1] = "hrdfep";
/* Registers of each kind; a program of long blocks has more alive than the machine has. */
static const unsigned few[KINDS] = { 3, 8, 4, 5, 3, 5 }, many[KINDS] = { 6, 26, 12, 14, 6, 14 };
enum { REGISTERS = 32, COUNTERS = 16, STATEMENTS = 2048, LABELS = 256, LOCAL_WORDS = 8, TABLE_WORDS = 16,
	SHARED_WORDS = 2 * PTX_THREADS,
	LONG = 0x6c6f6e67, WARPS = 0x77617270 };

enum statement_kind {
	DO_OP,
	DO_LABEL,
	DO_BRANCH,
	DO_SET_COUNTER,
	DO_COUNT,
	DO_COUNT_OUT,
	DO_BARRIER,
	DO_VOTE,
	DO_WARP,
	DO_EXIT,
	DO_LOAD_IN,
	DO_LOAD_VECTOR,
	DO_LOAD_SHARED,
	DO_STORE_SHARED,
	DO_LOAD_LOCAL,
	DO_STORE_LOCAL,
	DO_LOAD_TABLE,
	DO_ATOMIC
};

struct operand { enum kind kind; bool is_number; uint8_t reg; uint64_t bits; };

struct statement {
	enum statement_kind kind;
	const struct op *op;
	struct operand x[5];
	unsigned nx;
	bool guarded, guard_not, dropped;
	uint8_t guard;
	unsigned label;          /* of a label, a branch, a count: number */
	unsigned counter;        /* of a loop: number */
	uint64_t number;         /* times of a loop, kind of a vote or an atomic, width of a load in bytes */
	struct warp_statement warp;
};

struct ptx_program {
	const unsigned *counts;  /* of registers, by kind */
	bool is_long;            /* long blocks, many registers, loads of vectors, exits in the middle of loops */
	unsigned sm, nstatements, nlabels, ncounters;
	struct statement s[STATEMENTS];
	unsigned label_statement[LABELS]; /* of labels: index of the statement */
	uint64_t out_mask;               /* registers that the end stores */
	/* While the program is made. */
	uint64_t rng;
	unsigned open[16], nopen;        /* labels that are yet to come, of regions around */
	bool cells_read;         /* cells of blocks are read already */
	uint64_t warp_rng;       /* of warp primitives; 0: the program has none */
};

static unsigned below(struct ptx_program *p, unsigned n) { return rng_below(&p->rng, n); }

static struct statement *append(struct ptx_program *p, enum statement_kind kind)
{
	struct statement *s = &p->s[p->nstatements < STATEMENTS - 1 ? p->nstatements++ : STATEMENTS - 1];

	*s = (struct statement){ .kind = kind };
	return s;
}

static void put_label(struct ptx_program *p, unsigned label)
{
	append(p, DO_LABEL)->label = label;
	p->label_statement[label] = p->nstatements - 1;
}

static uint64_t interesting(struct ptx_program *p)
{
	static const uint64_t some[] = { 0,  1,  2,   3,     7,     8,          15,         16,         31,
					 32, 63, 255, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe };
	uint64_t x = rng_next(&p->rng);

	return below(p, 2) ? some[below(p, sizeof some / sizeof *some)] : x >> below(p, 64);
}

static struct operand a_register(struct ptx_program *p, enum kind kind)
{
	return (struct operand){ kind, false, (uint8_t)below(p, p->counts[kind]), 0 };
}

static void maybe_guard(struct ptx_program *p, struct statement *s, unsigned percent)
{
	s->guarded = below(p, 100) < percent;
	s->guard_not = below(p, 2);
	s->guard = (uint8_t)below(p, p->counts[KIND_P]);
}

static void an_op(struct ptx_program *p)
{
	const struct op *op;
	struct statement *s;

	do
		op = &ops[below(p, OPS)];
	while (op->sm > p->sm);
	s = append(p, DO_OP);
	s->op = op;
	for (const char *k = op->kinds; *k; k++) {
		enum kind kind = (enum kind)(strchr(letters, *k & ~32) - letters);
		struct operand *x = &s->x[s->nx++];
		*x = a_register(p, kind);
		if (*k & 32 && below(p, 2))
			*x = (struct operand){ kind, true, 0,
					       kind == KIND_D ? interesting(p) : (uint32_t)interesting(p) };
	}
	maybe_guard(p, s, 12);
}

/* An access: a word register gives the place, another register the data. */
static void an_access(struct ptx_program *p, bool shared_loads, bool shared_stores)
{
	static const enum kind data[] = { KIND_R, KIND_D, KIND_H, KIND_F };
	unsigned which = below(p, 7);
	enum statement_kind kind = which < 2 ? DO_LOAD_IN : which == 2 ? DO_LOAD_TABLE : which == 3 ? DO_LOAD_LOCAL
				   : which == 4 ? DO_STORE_LOCAL : DO_ATOMIC;
	struct statement *s;

	if (which == 6 && shared_loads)
		kind = DO_LOAD_SHARED;
	if (which == 6 && shared_stores)
		kind = DO_STORE_SHARED;
	if (kind == DO_ATOMIC && p->sm < 11)
		kind = DO_LOAD_IN;
	s = append(p, kind);
	s->nx = 2;
	s->x[0] = a_register(p, kind == DO_ATOMIC ? KIND_R : data[below(p, 4)]);
	s->x[1] = a_register(p, KIND_R);
	s->number = kind == DO_ATOMIC ? below(p, p->sm < 12 || p->cells_read ? 4 : 8) : below(p, 4);
	maybe_guard(p, s, 20);
}

/* Two or four registers side by side in memory; x[1] is the place, and the others are results from x[0] on. */
static void a_vector(struct ptx_program *p)
{
	static const enum kind kinds[] = { KIND_R, KIND_R, KIND_F, KIND_F, KIND_D };
	unsigned which = below(p, 5), n = which % 2 ? 4 : 2;
	struct statement *s = append(p, DO_LOAD_VECTOR);
	struct operand start = a_register(p, kinds[which]);

	s->number = n;
	s->nx = n + 1;
	s->x[1] = a_register(p, KIND_R);
	for (unsigned i = 0; i < n; i++)
		s->x[i ? i + 1 : 0] = (struct operand){ start.kind, false,
							(uint8_t)((start.reg + 3 * i) % p->counts[start.kind]), 0 };
	maybe_guard(p, s, 20);
}

static void statements(struct ptx_program *p, unsigned n, unsigned depth, bool loads, bool stores);

static unsigned new_label(struct ptx_program *p) { return p->nlabels < LABELS - 1 ? p->nlabels++ : LABELS - 1; }

static void an_if(struct ptx_program *p, unsigned n, unsigned depth, bool loads, bool stores)
{
	unsigned other = new_label(p), end = new_label(p);
	struct statement *s = append(p, DO_BRANCH);

	maybe_guard(p, s, 100);
	s->label = other;
	p->open[p->nopen++] = end;
	statements(p, n, depth + 1, loads, stores);
	append(p, DO_BRANCH)->label = end;
	put_label(p, other);
	if (below(p, 2))
		statements(p, n, depth + 1, loads, stores);
	p->nopen--;
	put_label(p, end);
}

static void a_loop(struct ptx_program *p, unsigned n, unsigned depth, bool loads, bool stores)
{
	unsigned head = new_label(p), next = new_label(p), end = new_label(p);
	unsigned counter = p->ncounters < COUNTERS - 1 ? p->ncounters++ : COUNTERS - 1;
	struct statement *s = append(p, DO_SET_COUNTER);

	s->counter = counter;
	s->number = below(p, 3) ? 0 : 1 + below(p, 4); /* 0: by lane */
	s->x[0] = a_register(p, KIND_R);
	put_label(p, head);
	bool at_top = below(p, 2); /* the way out is at the loop's beginning */
	if (at_top) {
		s = append(p, DO_COUNT_OUT);
		s->counter = counter;
		s->label = end;
	}
	p->open[p->nopen++] = end;
	p->open[p->nopen++] = at_top ? head : next;
	statements(p, n, depth + 1, loads, stores);
	for (unsigned exits = p->is_long ? below(p, 3) : 0; exits; exits--) {
		s = append(p, DO_BRANCH);
		maybe_guard(p, s, 100);
		s->label = p->open[below(p, p->nopen)];
		statements(p, n, depth + 1, loads, stores);
	}
	p->nopen -= 2;
	put_label(p, next);
	s = append(p, at_top ? DO_BRANCH : DO_COUNT);
	s->counter = counter;
	s->label = head;
	put_label(p, end);
}

static void statements(struct ptx_program *p, unsigned n, unsigned depth, bool loads, bool stores)
{
	unsigned pending = 0, has_pending = 0;

	for (unsigned i = 0; i < n && p->nstatements < STATEMENTS - 200 && p->nlabels < LABELS - 20; i++) {
		unsigned what = below(p, 100);
		if (what < 10 && depth < 4) {
			an_if(p, 1 + below(p, 5), depth, loads, stores);
		} else if (what < 14 && depth < 3 && p->ncounters < COUNTERS - 1) {
			a_loop(p, 1 + below(p, 5), depth, loads, stores);
		} else if (what < 19 && p->nopen) { /* out of a region, or on to the next turn of a loop */
			struct statement *s = append(p, DO_BRANCH);
			maybe_guard(p, s, 100);
			s->label = p->open[below(p, p->nopen)];
		} else if (what < 23 && !has_pending) { /* to a place further on, past anything */
			struct statement *s = append(p, DO_BRANCH);
			maybe_guard(p, s, 100);
			pending = s->label = new_label(p);
			has_pending = 1;
		} else if (what < 27 && has_pending) {
			put_label(p, pending);
			has_pending = 0;
		} else if (what < 33 && p->is_long) {
			a_vector(p);
		} else if (what < 40) {
			an_access(p, loads, stores);
		} else {
			for (unsigned more = p->is_long ? below(p, 16) : 0; more; more--)
				an_op(p);
			an_op(p);
		}
	}
	if (has_pending)
		put_label(p, pending);
}

/* Stores to shared memory, a barrier, loads from it, a barrier; perhaps several times. */
static void a_phase(struct ptx_program *p, unsigned n)
{
	unsigned counter = COUNTERS, head = 0;

	if (!below(p, 4) && p->ncounters < COUNTERS - 1) {
		struct statement *s = append(p, DO_SET_COUNTER);
		counter = s->counter = p->ncounters++;
		s->number = 2;
		head = new_label(p);
		put_label(p, head);
	}
	statements(p, n, 0, false, true);
	append(p, DO_BARRIER);
	if (p->sm >= 12 && below(p, 2)) {
		struct statement *s = append(p, DO_VOTE);
		s->nx = 2;
		s->x[0] = a_register(p, KIND_P);
		s->x[1] = a_register(p, KIND_P);
		s->number = below(p, 3);
	}
	for (unsigned more = p->warp_rng ? rng_below(&p->warp_rng, 4) : 0; more; more--)
		append(p, DO_WARP)->warp = warp_make(&p->warp_rng, p->counts[KIND_R], p->counts[KIND_P]);
	statements(p, n, 0, true, false);
	append(p, DO_BARRIER);
	if (counter < COUNTERS) {
		struct statement *s = append(p, DO_COUNT);
		s->counter = counter;
		s->label = head;
	}
}

struct ptx_program *random_ptx_make(uint64_t seed, unsigned sm)
{
	struct ptx_program *p = calloc(1, sizeof *p);

	p->rng = seed;
	p->sm = sm;
	p->is_long = mix64(seed ^ LONG) % 2;
	p->warp_rng = mix64(seed ^ WARPS) % 3 ? 0 : mix64(seed ^ WARPS);
	p->counts = p->is_long ? many : few;
	unsigned phases = 1 + below(p, 2), n = 4 + below(p, 14);
	if (p->is_long) {
		phases = 1;
		n = 2 + n / 4;
	}
	for (unsigned i = 0; i < phases; i++)
		a_phase(p, n);
	statements(p, n, 0, false, false);
	struct statement *s = append(p, DO_EXIT);
	maybe_guard(p, s, 100);
	p->cells_read = true;
	statements(p, n, 1, false, false);
	p->out_mask = ONES;
	for (unsigned thinner = below(p, 3) ? 2 : 0; thinner; thinner--)
		p->out_mask &= rng_next(&p->rng);
	return p;
}

void random_ptx_free(struct ptx_program *p) { free(p); }

unsigned random_ptx_statements(const struct ptx_program *p) { return p->nstatements; }

bool random_ptx_drop(struct ptx_program *p, unsigned i, bool drop)
{
	enum statement_kind kind = p->s[i].kind;

	if (kind == DO_LABEL || kind == DO_SET_COUNTER || kind == DO_COUNT_OUT || kind == DO_BARRIER ||
	    kind == DO_EXIT || p->s[i].dropped == drop)
		return false;
	p->s[i].dropped = drop;
	return true;
}

/* ---- text ---- */

static void put_operand(const struct operand *x, FILE *to)
{
	if (x->is_number)
		fprintf(to, "0x%llx", (unsigned long long)x->bits);
	else
		fprintf(to, "%%%c%u", names[x->kind], x->reg);
}

static void put_op(const struct statement *s, FILE *to)
{
	for (const char *t = s->op->text; *t; t++)
		if (*t == '%')
			put_operand(&s->x[*++t - '0'], to);
		else
			putc(*t, to);
}

/* %a0: the place of an access. */
static void put_place(const struct statement *s, unsigned steps, unsigned bytes, const char *base, FILE *to)
{
	fprintf(to, "and.b32 %%a0, %%r%u, %u;\n\tmul.lo.u32 %%a0, %%a0, %u;\n", s->x[1].reg, steps - 1, bytes);
	if (base)
		fprintf(to, "\tadd.u32 %%a0, %%a0, %s;\n", base);
}

static const char *const atomics[] = { "add.u32", "max.u32", "or.b32", "xor.b32" };

static void put_access(const struct statement *s, FILE *to)
{
	static const char *const types[KINDS][4] = {
		[KIND_H] = { "u16", "s8", "u8", "s16" }, [KIND_R] = { "u32", "s8", "u8", "s16" },
		[KIND_D] = { "u64", "u64", "u64", "u64" }, [KIND_F] = { "f32", "f32", "f32", "f32" },
	};
	static const struct {
		const char *op, *base;   /* NULL: the thread's own cell of s[] */
		unsigned words;
		bool stores;
	} rows[] = {
		[DO_LOAD_IN] = { "ld.global", "%in", PTX_IN_WORDS / 2, false },
		[DO_LOAD_TABLE] = { "ld.const", "table", TABLE_WORDS / 2, false },
		[DO_LOAD_SHARED] = { "ld.shared", "pool", 32, false },
		[DO_STORE_SHARED] = { "st.shared", NULL, 0, true },
		[DO_LOAD_LOCAL] = { "ld.local", "mine", LOCAL_WORDS / 2, false },
		[DO_STORE_LOCAL] = { "st.local", "mine", LOCAL_WORDS / 2, true },
	};
	char guard[16] = "", data[16];

	if (s->guarded)
		snprintf(guard, sizeof guard, "@%s%%p%u ", s->guard_not ? "!" : "", s->guard);
	if (s->kind == DO_ATOMIC) {
		put_place(s, 2, 4, s->number < 4 ? "%cells" : "cell", to);
		fprintf(to, "\t%sred.%s.%s [%%a0+%u], %%r%u;\n", guard, s->number < 4 ? "global" : "shared",
			atomics[s->number & 3], (unsigned)(s->number & 3) * 8, s->x[0].reg);
		return;
	}
	const char *base = rows[s->kind].base, *address = base ? "[%a0]" : "[%own]";
	bool stores = rows[s->kind].stores;
	if (base)
		put_place(s, rows[s->kind].words, 8, base, to);
	snprintf(data, sizeof data, "%%%c%u", names[s->x[0].kind], s->x[0].reg);
	fprintf(to, "%s%s%s.%s %s, %s;\n", base ? "\t" : "", guard, rows[s->kind].op, types[s->x[0].kind][s->number],
		stores ? address : data, stores ? data : address);
}

static void put_vector(const struct statement *s, FILE *to)
{
	static const char *const types[KINDS] = { [KIND_R] = "u32", [KIND_F] = "f32", [KIND_D] = "u64" };

	put_place(s, PTX_IN_WORDS / 4, 16, "%in", to);
	putc('\t', to);
	if (s->guarded)
		fprintf(to, "@%s%%p%u ", s->guard_not ? "!" : "", s->guard);
	fprintf(to, "ld.global.v%u.%s {", (unsigned)s->number, types[s->x[0].kind]);
	for (unsigned i = 0; i < s->nx; i++)
		if (i != 1)
			fprintf(to, "%s%%%c%u", i ? ", " : "", names[s->x[i].kind], s->x[i].reg);
	fprintf(to, "}, [%%a0];\n");
}

/* label: a number for labels of the statement alone */
static void put_statement(const struct statement *s, unsigned label, FILE *to)
{
	static const char *const votes[] = { "all", "any", "uni" };

	if (s->dropped)
		return;
	putc('\t', to);
	if (s->guarded && (s->kind == DO_OP || s->kind == DO_BRANCH || s->kind == DO_EXIT))
		fprintf(to, "@%s%%p%u ", s->guard_not ? "!" : "", s->guard);
	switch (s->kind) {
	case DO_OP: put_op(s, to); break;
	case DO_LABEL: fprintf(to, "L%u:\n", s->label); return;
	case DO_BRANCH: fprintf(to, "bra L%u", s->label); break;
	case DO_SET_COUNTER:
		if (s->number)
			fprintf(to, "mov.u32 %%n%u, %u", s->counter, (unsigned)s->number);
		else
			fprintf(to, "and.b32 %%n%u, %%r%u, 3;\n\tadd.u32 %%n%u, %%n%u, 1", s->counter, s->x[0].reg,
				s->counter, s->counter);
		break;
	case DO_COUNT:
		fprintf(to, "sub.u32 %%n%u, %%n%u, 1;\n\tsetp.ne.u32 %%again, %%n%u, 0;\n\t@%%again bra L%u",
			s->counter, s->counter, s->counter, s->label);
		break;
	case DO_COUNT_OUT:
		fprintf(to, "sub.u32 %%n%u, %%n%u, 1;\n\tsetp.eq.u32 %%again, %%n%u, 0;\n\t@%%again bra L%u",
			s->counter, s->counter, s->counter, s->label);
		break;
	case DO_BARRIER: fprintf(to, "bar.sync 0"); break;
	case DO_VOTE:
		fprintf(to, "vote.%s.pred %%p%u, %%p%u", votes[s->number], s->x[0].reg, s->x[1].reg);
		break;
	case DO_WARP: warp_print(&s->warp, label, to); return;
	case DO_EXIT: fprintf(to, "exit"); break;
	case DO_LOAD_VECTOR: put_vector(s, to); return;
	default: put_access(s, to); return;
	}
	fprintf(to, ";\n");
}

/* Word `n` of the table in constant memory. */
static uint32_t table_word(unsigned n) { return (uint32_t)mix64(n + 77) >> (n & 15); }

static void put_start(const struct ptx_program *p, FILE *to)
{
	fprintf(to, ".version 2.3\n.target sm_20\n.const .align 8 .b32 table[%d] = { ", TABLE_WORDS);
	for (unsigned i = 0; i < TABLE_WORDS; i++)
		fprintf(to, "%s0x%x", i ? ", " : "", table_word(i));
	fprintf(to,
		" };\n.shared .align 8 .b8 pool[%d];\n.shared .align 8 .b32 cell[%d];\n"
		".entry k (.param .u32 in, .param .u32 out, .param .u32 cells)\n{\n\t.local .align 8 .b8 mine[%d];\n"
		"\t.reg .u16 %%h<%u>;\n\t.reg .u32 %%r<%u>, %%a<4>, %%n<%d>, %%w<3>;\n"
		"\t.reg .u32 %%in, %%out, %%cells, %%own, %%id;\n"
		"\t.reg .u64 %%d<%u>;\n\t.reg .f32 %%f<%u>;\n\t.reg .pred %%p<%u>, %%again, %%v;\n",
		4 * SHARED_WORDS, PTX_CELLS, 4 * LOCAL_WORDS, p->counts[KIND_H] + 1, p->counts[KIND_R] + 1, COUNTERS,
		p->counts[KIND_D] + 1, p->counts[KIND_F] + 1, p->counts[KIND_P] + 1);
	if (p->sm >= 13)
		fprintf(to, "\t.reg .f64 %%e<%u>;\n", p->counts[KIND_E] + 1);
	fprintf(to,
		"\tmov.u32 %%id, %%tid.x;\n\tmov.u32 %%a0, %%ctaid.x;\n\tmov.u32 %%a1, %%ntid.x;\n"
		"\tshl.b32 %%own, %%id, 3;\n\tadd.u32 %%own, %%own, pool;\n"
		"\tmov.u64 %%d0, 0;\n\tst.shared.u64 [%%own], %%d0;\n\tmov.u32 %%a2, cell;\n"
		"\tsetp.lt.u32 %%again, %%id, %d;\n\tshl.b32 %%a3, %%id, 2;\n\tadd.u32 %%a2, %%a2, %%a3;\n"
		"\tmov.u32 %%r0, 0;\n\t@%%again st.shared.u32 [%%a2], %%r0;\n\tbar.sync 0;\n"
		"\tmad.lo.u32 %%id, %%a0, %%a1, %%id;\n"
		"\tld.param.u32 %%in, [in];\n\tld.param.u32 %%out, [out];\n\tld.param.u32 %%cells, [cells];\n"
		"\tmul.lo.u32 %%a1, %%id, %d;\n\tadd.u32 %%out, %%out, %%a1;\n",
		PTX_CELLS, 4 * PTX_OUT_WORDS);
	for (unsigned i = 0; i < LOCAL_WORDS; i++)
		fprintf(to, "\tst.local.u32 [mine+%u], %%id;\n", 4 * i);
}

/* Registers begin with words of the input, by thread. */
static void put_first_values(const struct ptx_program *p, FILE *to)
{
	for (unsigned i = 0; i < p->counts[KIND_R]; i++)
		fprintf(to,
			"\tadd.u32 %%a0, %%id, %u;\n\tand.b32 %%a0, %%a0, %d;\n\tshl.b32 %%a0, %%a0, 2;\n"
			"\tadd.u32 %%a0, %%a0, %%in;\n\tld.global.u32 %%r%u, [%%a0];\n",
			29 * i, PTX_IN_WORDS - 1, i);
	for (unsigned i = 0; i < p->counts[KIND_H]; i++)
		fprintf(to, "\tcvt.u16.u32 %%h%u, %%r%u;\n", i, i);
	for (unsigned i = 0; i < p->counts[KIND_D]; i++)
		fprintf(to, "\tmov.b64 %%d%u, {%%r%u, %%r%u};\n", i, i, i + 2);
	for (unsigned i = 0; i < p->counts[KIND_F]; i++)
		fprintf(to, "\tcvt.rn.f32.s32 %%f%u, %%r%u;\n", i, i + 1);
	for (unsigned i = 0; p->sm >= 13 && i < p->counts[KIND_E]; i++)
		fprintf(to, "\tcvt.rn.f64.s32 %%e%u, %%r%u;\n", i, i + 4);
	for (unsigned i = 0; i < p->counts[KIND_P]; i++)
		fprintf(to, "\tsetp.lt.s32 %%p%u, %%r%u, 0;\n", i, i);
}

static void put_end(const struct ptx_program *p, FILE *to)
{
	unsigned at = 0, n = 0;

	for (enum kind k = 0; k < KINDS; k++)
		for (unsigned i = 0; i < p->counts[k]; i++, n++) {
			unsigned words = k == KIND_D || k == KIND_E ? 2 : 1;
			at += at & (words - 1);
			if (p->out_mask >> n % 64 & 1 && (k != KIND_E || p->sm >= 13)) {
				if (k == KIND_P)
					fprintf(to, "\tselp.u32 %%a0, 1, 0, %%p%u;\n", i);
				if (k == KIND_H)
					fprintf(to, "\tcvt.u32.u16 %%a0, %%h%u;\n", i);
				if (k == KIND_E) /* every NaN alike */
					fprintf(to, "\tsetp.nan.f64 %%again, %%e%u, %%e%u;\n"
						    "\t@%%again mov.f64 %%e%u, 0d7ff8000000000000;\n", i, i, i);
				fprintf(to, "\tst.global.%s [%%out+%u], %%%c%u;\n",
					k == KIND_D   ? "u64"
					: k == KIND_E ? "f64"
					: k == KIND_F ? "f32"
						      : "u32",
					4 * at, k == KIND_P || k == KIND_H ? 'a' : names[k],
					k == KIND_P || k == KIND_H ? 0 : i);
			}
			at += words;
		}
	fprintf(to, "\texit;\n}\n");
}

void random_ptx_print(const struct ptx_program *p, FILE *to)
{
	bool cells_read = false;

	put_start(p, to);
	put_first_values(p, to);
	for (unsigned i = 0; i < p->nstatements; i++) {
		if (p->s[i].kind == DO_EXIT && p->sm >= 12 && !cells_read) { /* the shared cells, once all are done */
			fprintf(to, "\tbar.sync 0;\n\tmov.u32 %%a0, %%tid.x;\n\tsetp.lt.u32 %%again, %%a0, %d;\n"
				    "\tshl.b32 %%a0, %%a0, 2;\n\tadd.u32 %%a1, %%a0, cell;\n"
				    "\t@%%again ld.shared.u32 %%a2, [%%a1];\n\tmov.u32 %%a1, %%ctaid.x;\n"
				    "\tmul.lo.u32 %%a1, %%a1, %d;\n\tadd.u32 %%a0, %%a0, %%a1;\n"
				    "\tadd.u32 %%a0, %%a0, %%cells;\n\t@%%again st.global.u32 [%%a0+%d], %%a2;\n",
				PTX_CELLS, 4 * PTX_CELLS, 4 * PTX_CELLS);
			cells_read = true;
		}
		put_statement(&p->s[i], i, to);
	}
	put_end(p, to);
}

/* ---- meaning ---- */

struct thread {
	uint64_t reg[KINDS][REGISTERS];
	uint32_t counter[COUNTERS];
	uint8_t local[4 * LOCAL_WORDS];
	unsigned index, pc;      /* index: in the block */
	bool ended;
};

struct block {
	const struct ptx_program *p;
	const uint8_t *in;
	uint32_t *cells;
	uint8_t shared[4 * SHARED_WORDS];
	uint32_t cell[PTX_CELLS];
	struct thread t[PTX_THREADS];
};

static uint64_t cut(enum kind k, uint64_t x)
{
	return k == KIND_H ? x & 0xffff : k == KIND_P ? x & 1 : k == KIND_R || k == KIND_F ? x & 0xffffffff : x;
}

static uint64_t value(const struct thread *t, const struct operand *x)
{
	return x->is_number ? x->bits : t->reg[x->kind][x->reg];
}

static void put(struct thread *t, const struct operand *x, uint64_t v) { t->reg[x->kind][x->reg] = cut(x->kind, v); }

/* Bytes of an access and their extension, as put_access has types. */
static unsigned width(const struct statement *s, bool *is_signed)
{
	enum kind k = s->x[0].kind;
	unsigned n = (unsigned)s->number;

	*is_signed = (k == KIND_H || k == KIND_R) && (n == 1 || n == 3);
	if (k == KIND_D || k == KIND_F)
		return k == KIND_D ? 8 : 4;
	return n == 0 ? (k == KIND_H ? 2 : 4) : n == 3 ? 2 : 1;
}

static uint64_t load(const struct statement *s, const uint8_t *at)
{
	bool is_signed;
	unsigned n = width(s, &is_signed);
	uint64_t v = 0;

	memcpy(&v, at, n);
	return is_signed && n < 8 && v >> (8 * n - 1) ? v | ~UINT64_C(0) << 8 * n : v;
}

static void store(const struct statement *s, uint8_t *at, uint64_t v)
{
	bool is_signed;

	memcpy(at, &v, width(s, &is_signed));
}

static void access(struct block *b, struct thread *t, const struct statement *s)
{
	uint32_t place = (uint32_t)t->reg[KIND_R][s->x[1].reg], table[TABLE_WORDS];
	uint64_t v = value(t, &s->x[0]);

	for (unsigned i = 0; i < TABLE_WORDS; i++)
		table[i] = table_word(i);
	switch (s->kind) {
	case DO_LOAD_IN: put(t, &s->x[0], load(s, b->in + place % (PTX_IN_WORDS / 2) * 8)); break;
	case DO_LOAD_TABLE:
		put(t, &s->x[0], load(s, (const uint8_t *)table + place % (TABLE_WORDS / 2) * 8));
		break;
	case DO_LOAD_SHARED: put(t, &s->x[0], load(s, b->shared + place % 32 * 8)); break;
	case DO_STORE_SHARED: store(s, b->shared + 8 * t->index, v); break;
	case DO_LOAD_LOCAL: put(t, &s->x[0], load(s, t->local + place % (LOCAL_WORDS / 2) * 8)); break;
	case DO_STORE_LOCAL: store(s, t->local + place % (LOCAL_WORDS / 2) * 8, v); break;
	default: {
		uint32_t *c = (s->number < 4 ? b->cells : b->cell) + (s->number & 3) * 2 + place % 2;
		*c = (s->number & 3) == 0   ? *c + (uint32_t)v
		     : (s->number & 3) == 1 ? ((uint32_t)v > *c ? (uint32_t)v : *c)
		     : (s->number & 3) == 2 ? *c | (uint32_t)v
					    : *c ^ (uint32_t)v;
	}
	}
}

static void vector(struct block *b, struct thread *t, const struct statement *s)
{
	const uint8_t *from = b->in + t->reg[KIND_R][s->x[1].reg] % (PTX_IN_WORDS / 4) * 16;
	unsigned bytes = s->x[0].kind == KIND_D ? 8 : 4;

	for (unsigned i = 0; i < s->number; i++) {
		uint64_t v = 0;
		memcpy(&v, from + bytes * i, bytes);
		put(t, &s->x[i ? i + 1 : 0], v);
	}
}

static void one(struct block *b, struct thread *t, const struct statement *s)
{
	const struct ptx_program *p = b->p;
	bool holds = !s->guarded || (t->reg[KIND_P][s->guard] != 0) != s->guard_not;
	uint64_t x[4] = { 0 };

	if (s->dropped)
		return;
	switch (s->kind) {
	case DO_OP:
		for (unsigned i = 1; i < s->nx; i++)
			x[i - 1] = value(t, &s->x[i]);
		if (holds)
			put(t, &s->x[0], meaning(s->op->id, x[0], x[1], x[2], x[3]));
		break;
	case DO_BRANCH:
		if (holds)
			t->pc = p->label_statement[s->label];
		break;
	case DO_SET_COUNTER:
		t->counter[s->counter] = s->number ? (uint32_t)s->number : 1 + (t->reg[KIND_R][s->x[0].reg] & 3);
		break;
	case DO_COUNT:
		if (--t->counter[s->counter])
			t->pc = p->label_statement[s->label];
		break;
	case DO_COUNT_OUT:
		if (!--t->counter[s->counter])
			t->pc = p->label_statement[s->label];
		break;
	case DO_EXIT: t->ended = holds; break;
	case DO_LABEL:
	case DO_BARRIER:
	case DO_VOTE:
	case DO_WARP: break;
	case DO_LOAD_VECTOR:
		if (holds)
			vector(b, t, s);
		break;
	default:
		if (holds)
			access(b, t, s);
	}
}

static bool gathers(const struct statement *s) { return s->kind == DO_VOTE || s->kind == DO_WARP; }

/* On to behind the next barrier, before the next vote or primitive, or to the end. */
static void run_on(struct block *b, struct thread *t)
{
	while (!t->ended && t->pc < b->p->nstatements) {
		const struct statement *s = &b->p->s[t->pc++];
		one(b, t, s);
		if (s->kind == DO_BARRIER || (t->pc < b->p->nstatements && gathers(&b->p->s[t->pc])))
			return;
	}
}

/* All threads stand at a vote: each warp votes. */
static void vote(struct block *b, const struct statement *s)
{
	for (unsigned first = 0; first < PTX_THREADS; first += 32) {
		bool all = true, any = false;
		for (unsigned i = first; i < first + 32 && i < PTX_THREADS; i++) {
			bool v = b->t[i].reg[KIND_P][s->x[1].reg];
			all &= v;
			any |= v;
		}
		for (unsigned i = first; i < first + 32 && i < PTX_THREADS; i++) {
			if (!s->dropped)
				b->t[i].reg[KIND_P][s->x[0].reg] = s->number == 0   ? all
								   : s->number == 1 ? any
										    : all || !any;
			b->t[i].pc++;
		}
	}
}

/* All threads stand at a primitive. */
static void warps(struct block *b, const struct statement *s)
{
	for (unsigned first = 0; first < PTX_THREADS; first += 32) {
		uint64_t *words[32] = { NULL }, *predicates[32] = { NULL };
		uint32_t there = 0;
		for (unsigned i = 0; i < 32 && first + i < PTX_THREADS; i++) {
			struct thread *t = &b->t[first + i];
			words[i] = t->reg[KIND_R];
			predicates[i] = t->reg[KIND_P];
			there |= 1u << i;
			t->pc++;
		}
		if (!s->dropped)
			warp_run(&s->warp, there, words, predicates);
	}
}

static void begin(const struct ptx_program *p, struct thread *t, const uint32_t *in, unsigned index, uint32_t tid)
{
	*t = (struct thread){ .index = index };
	for (unsigned i = 0; i < LOCAL_WORDS; i++)
		memcpy(t->local + 4 * i, &tid, 4);
	for (unsigned i = 0; i < p->counts[KIND_R]; i++)
		t->reg[KIND_R][i] = in[(tid + 29 * i) % PTX_IN_WORDS];
	for (unsigned i = 0; i < p->counts[KIND_H]; i++)
		t->reg[KIND_H][i] = t->reg[KIND_R][i] & 0xffff;
	for (unsigned i = 0; i < p->counts[KIND_D]; i++)
		t->reg[KIND_D][i] = t->reg[KIND_R][i + 2] << 32 | t->reg[KIND_R][i];
	for (unsigned i = 0; i < p->counts[KIND_F]; i++)
		t->reg[KIND_F][i] = w((float)S32(t->reg[KIND_R][i + 1]));
	for (unsigned i = 0; i < p->counts[KIND_E]; i++)
		t->reg[KIND_E][i] = bits(S32(t->reg[KIND_R][i + 4]));
	for (unsigned i = 0; i < p->counts[KIND_P]; i++)
		t->reg[KIND_P][i] = t->reg[KIND_R][i] >> 31;
}

static void put_results(const struct ptx_program *p, const struct thread *t, uint32_t *out)
{
	unsigned at = 0, n = 0;

	for (enum kind k = 0; k < KINDS; k++)
		for (unsigned i = 0; i < p->counts[k]; i++, n++) {
			unsigned words = k == KIND_D || k == KIND_E ? 2 : 1;
			at += at & (words - 1);
			if (p->out_mask >> n % 64 & 1 && (k != KIND_E || p->sm >= 13))
				memcpy(out + at, &t->reg[k][i], 4 * words);
			at += words;
		}
}

void random_ptx_run(const struct ptx_program *p, const uint32_t *in, uint32_t *out, uint32_t *cells)
{
	struct block *b = calloc(1, sizeof *b);

	for (unsigned block = 0; block < PTX_BLOCKS; block++) {
		*b = (struct block){ .p = p, .in = (const uint8_t *)in, .cells = cells };
		for (unsigned i = 0; i < PTX_THREADS; i++)
			begin(p, &b->t[i], in, i, block * PTX_THREADS + i);
		while (!b->t[0].ended && b->t[0].pc < p->nstatements) {
			if (p->s[b->t[0].pc].kind == DO_VOTE)
				vote(b, &p->s[b->t[0].pc]);
			else if (p->s[b->t[0].pc].kind == DO_WARP)
				warps(b, &p->s[b->t[0].pc]);
			else
				for (unsigned i = 0; i < PTX_THREADS; i++)
					run_on(b, &b->t[i]);
		}
		for (unsigned i = 1; i < PTX_THREADS; i++) /* the last stretch of the others */
			run_on(b, &b->t[i]);
		for (unsigned i = 0; i < PTX_THREADS; i++)
			if (!b->t[i].ended)
				put_results(p, &b->t[i], out + (block * PTX_THREADS + i) * PTX_OUT_WORDS);
		if (p->sm >= 12)
			memcpy(cells + PTX_CELLS * (1 + block), b->cell, sizeof b->cell);
	}
	free(b);
}
