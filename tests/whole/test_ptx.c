/* The PTX compiler, from the outside: programs of tests/data/vectors/ptx give the results of a plain model, on every
 * chip and under every option without influence on results; integer instructions are exact for many words; instructions
 * beyond the machine are refused by name. */
#include <fenv.h>
#include <jansson.h>
#include <math.h>

#include "tests/kit/ptx_body.h"
#include "tests/kit/shared.h"

enum { PATH_BYTES = 4096 };

static char folder[PATH_BYTES / 2], data[PATH_BYTES / 2];

static int find_folders(void **state)
{
	shared_path(folder, sizeof folder, "vectors/ptx");
	shared_path(data, sizeof data, "ptx");
	return 0;
}

/* ---- the set ---- */


static struct wb_program *open_file(const char *path, const struct setting *s)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_diag d = { 0 };

	for (; s->option; s++)
		if (wb_config_set(c, s->option, s->value, &d) != WB_OK)
			fail_msg("%s", d.text);
	if (wb_program_open(path, c, &p, &d) != WB_OK)
		fail_msg("%s:%d: %s", path, d.line, d.text);
	wb_config_free(c);
	return p;
}

static void add_argument(struct wb_launch *l, json_t *a)
{
	char text[PATH_BYTES];
	const char *kind = json_object_iter_key(json_object_iter(a));
	json_t *value = json_object_get(a, kind);
	struct wb_diag d = { 0 };

	if (!strcmp(kind, "to") || !strcmp(kind, "bytes"))
		kind = json_object_get(a, "out") ? "out" : "inout";
	value = json_object_get(a, kind);
	if (!strcmp(kind, "in") || !strcmp(kind, "inout"))
		snprintf(text, sizeof text, "in=%s/%s", data, json_string_value(value));
	else if (!strcmp(kind, "out"))
		snprintf(text, sizeof text, "zero=%" JSON_INTEGER_FORMAT,
			 json_integer_value(json_object_get(a, "bytes")));
	else
		snprintf(text, sizeof text, "%s=%.9g", kind, json_number_value(value));
	if (wb_launch_arg(l, text, &d) != WB_OK)
		fail_msg("%s: %s", text, d.text);
}

static void check_output(struct wb_launch *l, unsigned arg, const char *name, const char *what)
{
	char path[PATH_BYTES];
	size_t n = wb_launch_arg_bytes(l, arg);
	uint8_t *found = malloc(n), *expected = malloc(n);
	int stem = (int)(strlen(name) - strlen(".out"));

	snprintf(path, sizeof path, "%s/%.*s.exp", data, stem, name);
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	size_t size = fread(expected, 1, n, f);
	fclose(f);
	assert_int_equal(wb_launch_read_arg(l, arg, 0, found, n, NULL), WB_OK);
	for (size_t i = 0; i < size; i++)
		if (found[i] != expected[i])
			fail_msg("%s: %s differs at byte %zu", what, name, i);
	free(found);
	free(expected);
}

static void run_entry(json_t *k, const char *chip, const char *regs, const struct setting *more)
{
	const char *file = json_string_value(json_object_get(k, "file"));
	char path[PATH_BYTES], grid[16], block[16], what[256];
	struct setting s[8] = { { "chip", chip }, { "max-regs", regs } };
	struct wb_diag d = { 0 };
	size_t i;
	json_t *a;

	snprintf(path, sizeof path, "%s/%s", folder, file);
	snprintf(what, sizeof what, "%s on %s, %s registers, %s %s", file, chip, regs, more->option ? more->option : "",
		 more->option ? more->value : "");
	struct wb_program *p = open_file(path, s);
	snprintf(grid, sizeof grid, "%d", (int)json_integer_value(json_array_get(json_object_get(k, "grid"), 0)));
	snprintf(block, sizeof block, "%d", (int)json_integer_value(json_array_get(json_object_get(k, "block"), 0)));
	s[1] = (struct setting){ "grid", grid };
	s[2] = (struct setting){ "block", block };
	s[3] = *more;
	struct wb_launch *l = launch(p, s);
	json_array_foreach(json_object_get(k, "args"), i, a)
		add_argument(l, a);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s: %s", what, d.text);
	json_array_foreach(json_object_get(k, "args"), i, a) {
		json_t *to = json_object_get(a, "to") ? json_object_get(a, "to") : json_object_get(a, "out");
		if (to)
			check_output(l, (unsigned)i, json_string_value(to), what);
	}
	wb_launch_free(l);
	wb_program_free(p);
}

/* Votes and barriers want whole warps, where lanes part and meet as the machine does. */
static bool may_differ(json_t *k, const char *option)
{
	size_t i;
	json_t *f;

	json_array_foreach(json_object_get(k, "features"), i, f) {
		const char *name = json_string_value(f);
		if (!strcmp(name, "vote") && (!strcmp(option, "diverge") || !strcmp(option, "join")))
			return true;
		if ((!strcmp(name, "vote") || !strcmp(name, "bar")) && !strcmp(option, "reconverge"))
			return true;
	}
	return false;
}

static void the_set_is_right_on_every_chip(void **state)
{
	static const char *const all[] = { "g80", "g84", "mcp77", "gt215", "g200" };
	static const struct setting options[] = {
		{ NULL, NULL },           { "timing", "off" },       { "diverge", "fall" },
		{ "diverge", "larger" },  { "diverge", "random" },   { "reconverge", "minpc" },
		{ "reconverge", "none" }, { "reconverge", "ipdom" }, { "reconverge", "barriers" },
		{ "join", "per-path" },   { "lock", "flag" },       { "policy", "gto" },       { "policy", "youngest" },
		{ "policy", "random" },   { "policy", "two-level" }, { "mps", "3" },
		{ "threads", "2" },       { "threaded-code", "off" }, { "fast-forward", "off" },
		{ "simd", "base" },       { "stats-level", "none" }, { "accesses", "on" },
		{ "warm", "on" },         { "slice", "7" },          { "store-winner", "lowest" },
	};
	static const char *const regs[] = { "124", "32", "16" };
	char path[PATH_BYTES];
	json_error_t e;
	unsigned n = 0;
	size_t i;
	json_t *k;

	snprintf(path, sizeof path, "%s/manifest.json", folder);
	json_t *set = json_load_file(path, 0, &e);
	assert_non_null(set);
	json_array_foreach(json_object_get(set, "kernels"), i, k) {
		bool can = false;
		for (unsigned c = 0; c < sizeof all / sizeof *all; c++) {
			can |= !strcmp(all[c], json_string_value(json_object_get(k, "tesla")));
			for (unsigned o = 0; can && o < sizeof options / sizeof *options; o++) {
				if (options[o].option && may_differ(k, options[o].option))
					continue;
				run_entry(k, all[c], regs[(o + c) % 3], &options[o]);
				n++;
			}
		}
	}
	json_decref(set);
	print_message("%u runs\n", n);
	assert_true(n > 800);
}

/* ---- instructions, one by one ---- */

struct row {
	/* %r1 %r2 %r3: words, %d1: b and a, %d2: a and c, %h1 %h2: low halves; %r8 or %d8: the result */
	const char *body;
	uint64_t (*model)(uint32_t a, uint32_t b, uint32_t c);
};

#define MODEL(name, expression) \
	static uint64_t name(uint32_t a, uint32_t b, uint32_t c) \
	{ \
		uint64_t d = (uint64_t)b << 32 | a, e = (uint64_t)a << 32 | c; \
		(void)d; (void)e; (void)c; \
		return (uint64_t)(expression); \
	}
#define S(x) ((int32_t)(x))
#define H(x) ((int16_t)(x))
MODEL(m_add, a + b)
MODEL(m_sub, a - b)
MODEL(m_mul, a * b)
MODEL(m_mad, (uint32_t)(a * b + c))
MODEL(m_hi, (uint64_t)a * b >> 32)
MODEL(m_his, (uint32_t)((int64_t)S(a) * S(b) >> 32))
MODEL(m_wide, (uint64_t)a * b)
MODEL(m_wides, (int64_t)S(a) * S(b))
MODEL(m_madwide, (uint64_t)a * b + e)
MODEL(m_wide12, (uint64_t)a * 12)
MODEL(m_wide16, (a & 0xffff) * (b & 0xffff))
MODEL(m_wides16, (uint32_t)(H(a) * H(b)))
MODEL(m_mulhi16, (a & 0xffff) * (b & 0xffff) >> 16)
MODEL(m_lo16, (uint16_t)(a * b))
MODEL(m_mul7, a * 7)
MODEL(m_mul10, a * 10)
MODEL(m_mulc, a * 0x12345679u)
MODEL(m_byte, (a & 0xff) * (b & 0xffff))
MODEL(m_24, (a & 0xffffff) * (b & 0xffffff))
MODEL(m_24s, (uint32_t)((int64_t)(S(a << 8) >> 8) * (S(b << 8) >> 8)))
MODEL(m_24hi, (uint32_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff) >> 16))
MODEL(m_mad24, (uint32_t)((a & 0xffffff) * (b & 0xffffff) + c))
MODEL(m_sad, (uint32_t)((a > b ? a - b : b - a) + c))
MODEL(m_sads, (uint32_t)((S(a) > S(b) ? a - b : b - a) + c))
MODEL(m_div, b ? a / b : ~0u)
MODEL(m_rem, b ? a % b : a)
MODEL(m_div10, a / 10)
MODEL(m_div7, a / 7 ^ a % 641 << 3 ^ a / 0x80000001u << 1 ^ a / 0xffffffffu << 2)
MODEL(m_divs7, (uint32_t)(S(a) / -7) ^ (uint32_t)(S(a) / 3) << 1 ^ (uint32_t)(S(a) % 1000) << 2)
MODEL(m_divs8, (uint32_t)(S(a) / 8) ^ (uint32_t)(S(a) % 16) << 1 ^ (uint32_t)(S(a) / -4) << 2 ^ (a == 0x80000000u) << 3)
MODEL(m_divs16, (uint32_t)(H(a) / 10) ^ (a & 0xffff) / 100 << 1)
MODEL(m_rem16, a & 15)
MODEL(m_divs, (uint32_t)(b == 0 ? ~0u : b == ~0u ? -a : (uint32_t)(S(a) / S(b))))
MODEL(m_rems, (uint32_t)(b == 0 ? a : b == ~0u ? 0 : (uint32_t)(S(a) % S(b))))
MODEL(m_divb, (b & 0xff) ? (a >> 20) / (b & 0xff) : ~0u)
MODEL(m_min, S(a) < S(b) ? a : b)
MODEL(m_maxu, a > b ? a : b)
MODEL(m_abs, S(a) < 0 ? -a : a)
MODEL(m_neg, -a)
MODEL(m_not, ~a)
MODEL(m_cnot, a == 0)
MODEL(m_and, a & b)
MODEL(m_xor, a ^ b ^ c)
MODEL(m_shl, (c & 63) > 31 ? 0 : a << (c & 31))
MODEL(m_shr, (c & 63) > 31 ? 0 : a >> (c & 31))
MODEL(m_sar, (uint32_t)(S(a) >> ((c & 63) > 31 ? 31 : (c & 31))))
MODEL(m_shl16, (uint16_t)((c & 63) > 15 ? 0 : a << (c & 15)))
MODEL(m_shr16, (c & 63) > 15 ? 0 : (uint16_t)a >> (c & 15))
MODEL(m_sar16, (uint32_t)(H(a) >> ((c & 63) > 15 ? 15 : (c & 15))))
MODEL(m_add64, d + e)
MODEL(m_sub64, d - e)
MODEL(m_mul64, d * e)
MODEL(m_neg64, -d)
MODEL(m_abs64, (int64_t)d < 0 ? -d : d)
MODEL(m_shl64, (c & 127) > 63 ? 0 : d << (c & 63))
MODEL(m_shr64, (c & 127) > 63 ? 0 : d >> (c & 63))
MODEL(m_sar64, (int64_t)d >> ((c & 127) > 63 ? 63 : (c & 63)))
MODEL(m_shl64_40, d << 40)
MODEL(m_sar64_7, (int64_t)d >> 7)
MODEL(m_bfe64, d >> 20 & 0x3fffffff)
MODEL(m_bfes64, (int64_t)(d << 14) >> 34)
MODEL(m_bfe64r, ({ uint64_t p = a, n = b, x = p > 63 ? 0 : e >> p;
	n > 63 ? x : x & ((1ull << n) - 1); }))
MODEL(m_bfes64r, ({
	      uint64_t p = a, n = b, end = p + n > 64 ? 63 : p + n - 1;
	      uint64_t sign = !n || !(e >> end & 1) ? 0 : ~0ull, x = p > 63 ? (uint64_t)((int64_t)e >> 63) : e >> p;
	      n > 63 ? (p ? x | (sign & ~(~0ull >> (p > 63 ? 63 : p))) : x)
		     : (x & ((1ull << n) - 1)) | (sign & ~((1ull << n) - 1));
	}))
MODEL(m_bfi64, ({ uint64_t p = c, n = c >> 8, m = n > 63 ? ~0ull : (1ull << n) - 1;
	m = p > 63 ? 0 : m << p; (e & ~m) | ((p > 63 ? 0 : d << p) & m); }))
MODEL(m_hi64, (unsigned __int128)d * e >> 64)
MODEL(m_his64, (__int128)(int64_t)d * (int64_t)e >> 64)
MODEL(m_div64, e ? d / e : ~0ull)
MODEL(m_rem64, e ? d % e : d)
MODEL(m_divs64, !e ? ~0ull : e == ~0ull ? -d : (uint64_t)((int64_t)d / (int64_t)e))
MODEL(m_rems64, !e ? d : e == ~0ull ? 0 : (uint64_t)((int64_t)d % (int64_t)e))
MODEL(m_popc64, __builtin_popcountll(d))
MODEL(m_clz64, d ? __builtin_clzll(d) : 64)
MODEL(m_brev64, ({ uint64_t r = 0; for (int i = 0; i < 64; i++) r |= (d >> i & 1) << (63 - i); r; }))
MODEL(m_min64, (int64_t)d < (int64_t)e ? d : e)
MODEL(m_maxu64, d > e ? d : e)
MODEL(m_lt64, d < e)
MODEL(m_ges64, (int64_t)d >= (int64_t)e)
MODEL(m_eq64, d == ((uint64_t)b << 32 | c))
MODEL(m_addcc, d + e)
MODEL(m_addcc64, d + (uint64_t)-5 + (d + e < d))
MODEL(m_subcc64, d - e - (d < e))
MODEL(m_madcc, a * b + c < c)
MODEL(m_madchi, (uint64_t)a * b + c)
MODEL(m_madc64, ({ unsigned __int128 lo = (unsigned __int128)(d * e) + d;
	unsigned __int128 hi = ((unsigned __int128)d * e >> 64) + e + (uint64_t)(lo >> 64);
	(uint64_t)hi + (uint64_t)(hi >> 64); }))
MODEL(m_madhicc, ({ uint64_t hi = (uint64_t)(uint32_t)((int64_t)S(a) * S(b) >> 32) + c;
	(uint32_t)(a * 3 + (uint32_t)hi + (uint32_t)(hi >> 32)); }))
MODEL(m_bfe, (c & 31) + 7 > 32 ? a >> (c & 31) : (a >> (c & 31)) & 0x7f)
MODEL(m_bfe5, (a >> 5) & 0x3ff)
MODEL(m_bfes5, (uint32_t)(S(a << 17) >> 22))
MODEL(m_bfi, (b & ~0x1ff0u) | (a << 4 & 0x1ff0))
MODEL(m_popc, __builtin_popcount(a))
MODEL(m_clz, a ? __builtin_clz(a) : 32)
MODEL(m_brev, ({ uint32_t r = 0; for (int i = 0; i < 32; i++) r |= (a >> i & 1) << (31 - i); r; }))
MODEL(m_shfl, (uint32_t)(d << (c & 31) >> 32))
MODEL(m_shfr, (uint32_t)(d >> (c & 31)))
MODEL(m_prmt, (a >> 8 & 0xff) | (b & 0xff) << 8 | (a & 0xff) << 16 | (b >> 24) << 24)
static uint32_t byte_of(uint32_t a, uint32_t b, unsigned i)
{
	return (uint32_t)(((uint64_t)b << 32 | a) >> 8 * (i & 7)) & 0xff;
}
MODEL(m_prmtr, ({ uint32_t r = 0; for (unsigned i = 0; i < 4; i++) { uint32_t x = byte_of(a, b, c >> 4 * i);
	r |= (c >> (4 * i + 3) & 1 ? (x >> 7) * 255 : x) << 8 * i; } r; }))
MODEL(m_f4e, ({ uint32_t r = 0; for (unsigned i = 0; i < 4; i++) r |= byte_of(a, b, (c & 3) + i) << 8 * i; r; }))
MODEL(m_b4e, ({ uint32_t r = 0; for (unsigned i = 0; i < 4; i++) r |= byte_of(a, b, (c & 3) + 8 - i) << 8 * i; r; }))
MODEL(m_rc8, byte_of(a, b, c & 3) * 0x01010101u)
MODEL(m_ecl, ({
	      uint32_t r = 0;
	      for (unsigned i = 0; i < 4; i++)
		      r |= byte_of(a, b, i > (c & 3) ? i : c & 3) << 8 * i;
	      r;
	}))
MODEL(m_ecr, ({
	      uint32_t r = 0;
	      for (unsigned i = 0; i < 4; i++)
		      r |= byte_of(a, b, i < (c & 3) ? i : c & 3) << 8 * i;
	      r;
	}))
MODEL(m_rc16, (c & 1 ? a >> 16 : a & 0xffff) * 0x10001u)
MODEL(m_bfind, a ? 31 - (uint32_t)__builtin_clz(a) : ~0u)
MODEL(m_bfinds, ({ uint32_t x = S(a) < 0 ? ~a : a; x ? 31 - (uint32_t)__builtin_clz(x) : ~0u; }))
MODEL(m_bfinda, a ? __builtin_clz(a) : ~0u)
MODEL(m_bfind64, ({ uint64_t x = (int64_t)d < 0 ? ~d : d; x ? 63 - (uint32_t)__builtin_clzll(x) : ~0u; }))
MODEL(m_selp, S(a) < S(b) ? c : a)
MODEL(m_slct, S(c) >= 0 ? a : b)
MODEL(m_set, a <= b ? ~0u : 0)
MODEL(m_logic, (a < b && S(b) > S(c)) || a == c)
MODEL(m_setand, (S(a) < S(b)) & (a > c))
MODEL(m_s8, (uint32_t)(int8_t)a)
MODEL(m_u8, (uint8_t)(a + b))
MODEL(m_s16, (uint32_t)H(a + b))
MODEL(m_sat8, S(a) < -128 ? (uint32_t)-128 : S(a) > 127 ? 127 : a)
MODEL(m_satu16, a > 65535 ? 65535 : a)
MODEL(m_cvt64, (int64_t)S(a))
MODEL(m_sat, ({ int64_t s = (int64_t)S(a) + S(b);
	(uint32_t)(s > INT32_MAX ? INT32_MAX : s < INT32_MIN ? INT32_MIN : s); }))
MODEL(m_sat64s8, (uint32_t)((int64_t)d > 127 ? 127 : (int64_t)d < -128 ? -128 : (int64_t)d))
MODEL(m_sat64u32, (int64_t)d < 0 ? 0 : d > 0xffffffff ? 0xffffffff : d)
MODEL(m_satu64s32, d > 0x7fffffff ? 0x7fffffff : d)
MODEL(m_satu64s64, d > INT64_MAX ? INT64_MAX : d)
MODEL(m_sats64u64, (int64_t)d < 0 ? 0 : d)
MODEL(m_sats32u64, S(a) < 0 ? 0 : a)
MODEL(m_if, S(a) < 0 ? a + b : a - c)
MODEL(m_loop, ({ uint32_t n = c & 15, x = a; while (n--) x = x * 3 + b; x; }))
MODEL(m_left, ({ uint32_t x = b;
	for (uint32_t i = 1, t; i <= (a & 7); i++) {
		t = (x + i) & 3;
		if (t == 1 && i > 4)
			break;
		x = t % 2 == 0 ? (x * a + 3) * (x * a + 3) - i : (x * c + 7) * (x * c + 7) + i;
	}
	x; }))
MODEL(m_invariant, a + 2)
MODEL(m_turned, (a < b) ^ (((c & 7) + 1) & 1))
MODEL(m_min16, (uint16_t)(H(a) < H(b) ? a : b))
MODEL(m_lt16, H(a) < H(b))
MODEL(m_pack, (a & 0xffff) << 16 | (b & 0xffff))

static const struct row rows[] = {
	{ "add.u32 %r8, %r1, %r2;", m_add },
	{ "sub.s32 %r8, %r1, %r2;", m_sub },
	{ "mul.lo.u32 %r8, %r1, %r2;", m_mul },
	{ "mad.lo.s32 %r8, %r1, %r2, %r3;", m_mad },
	{ "mul.hi.u32 %r8, %r1, %r2;", m_hi },
	{ "mul.hi.s32 %r8, %r1, %r2;", m_his },
	{ "mul.wide.u32 %d8, %r1, %r2;", m_wide },
	{ "mul.wide.s32 %d8, %r1, %r2;", m_wides },
	{ "mad.wide.u32 %d8, %r1, %r2, %d2;", m_madwide },
	{ "mul.wide.u32 %d8, %r1, 12;", m_wide12 },
	{ "mul.wide.u16 %r8, %h1, %h2;", m_wide16 },
	{ "mul.wide.s16 %r8, %h1, %h2;", m_wides16 },
	{ "mul.hi.u16 %h3, %h1, %h2; cvt.u32.u16 %r8, %h3;", m_mulhi16 },
	{ "mul.lo.u16 %h3, %h1, %h2; cvt.u32.u16 %r8, %h3;", m_lo16 },
	{ "mul.lo.u32 %r8, %r1, 7;", m_mul7 },
	{ "mul.lo.u32 %r8, %r1, 10;", m_mul10 },
	{ "mul.lo.u32 %r8, %r1, 0x12345679;", m_mulc },
	{ "and.b32 %r4, %r1, 255; and.b32 %r5, %r2, 65535; mul.lo.u32 %r8, %r4, %r5;", m_byte },
	{ "mul24.lo.u32 %r8, %r1, %r2;", m_24 },
	{ "mul24.lo.s32 %r8, %r1, %r2;", m_24s },
	{ "mul24.hi.u32 %r8, %r1, %r2;", m_24hi },
	{ "mad24.lo.u32 %r8, %r1, %r2, %r3;", m_mad24 },
	{ "sad.u32 %r8, %r1, %r2, %r3;", m_sad },
	{ "sad.s32 %r8, %r1, %r2, %r3;", m_sads },
	{ "div.u32 %r8, %r1, %r2;", m_div },
	{ "rem.u32 %r8, %r1, %r2;", m_rem },
	{ "div.u32 %r8, %r1, 10;", m_div10 },
	{ "div.u32 %r4, %r1, 7; rem.u32 %r5, %r1, 641; shl.b32 %r5, %r5, 3; xor.b32 %r8, %r4, %r5;"
	  "div.u32 %r4, %r1, 0x80000001; shl.b32 %r4, %r4, 1; xor.b32 %r8, %r8, %r4;"
	  "div.u32 %r4, %r1, 0xffffffff; shl.b32 %r4, %r4, 2; xor.b32 %r8, %r8, %r4;",
	  m_div7 },
	{ "div.s32 %r4, %r1, -7; div.s32 %r5, %r1, 3; shl.b32 %r5, %r5, 1; xor.b32 %r8, %r4, %r5;"
	  "rem.s32 %r4, %r1, 1000; shl.b32 %r4, %r4, 2; xor.b32 %r8, %r8, %r4;",
	  m_divs7 },
	{ "div.s32 %r4, %r1, 8; rem.s32 %r5, %r1, 16; shl.b32 %r5, %r5, 1; xor.b32 %r8, %r4, %r5;"
	  "div.s32 %r4, %r1, -4; shl.b32 %r4, %r4, 2; xor.b32 %r8, %r8, %r4;"
	  "div.s32 %r4, %r1, 0x80000000; shl.b32 %r4, %r4, 3; xor.b32 %r8, %r8, %r4;",
	  m_divs8 },
	{ "cvt.s32.s16 %r4, %h1; div.s16 %h3, %h1, 10; cvt.s32.s16 %r4, %h3; div.u16 %h3, %h1, 100; cvt.u32.u16 %r5, "
	  "%h3;"
	  "shl.b32 %r5, %r5, 1; xor.b32 %r8, %r4, %r5;",
	  m_divs16 },
	{ "rem.u32 %r8, %r1, 16;", m_rem16 },
	{ "div.s32 %r8, %r1, %r2;", m_divs },
	{ "rem.s32 %r8, %r1, %r2;", m_rems },
	{ "shr.u32 %r4, %r1, 20; and.b32 %r5, %r2, 255; div.u32 %r8, %r4, %r5;", m_divb },
	{ "min.s32 %r8, %r1, %r2;", m_min },
	{ "max.u32 %r8, %r1, %r2;", m_maxu },
	{ "abs.s32 %r8, %r1;", m_abs },
	{ "neg.s32 %r8, %r1;", m_neg },
	{ "not.b32 %r8, %r1;", m_not },
	{ "cnot.b32 %r8, %r1;", m_cnot },
	{ "and.b32 %r8, %r1, %r2;", m_and },
	{ "xor.b32 %r8, %r1, %r2; xor.b32 %r8, %r8, %r3;", m_xor },
	{ "and.b32 %r4, %r3, 63; shl.b32 %r8, %r1, %r4;", m_shl },
	{ "and.b32 %r4, %r3, 63; shr.u32 %r8, %r1, %r4;", m_shr },
	{ "and.b32 %r4, %r3, 63; shr.s32 %r8, %r1, %r4;", m_sar },
	{ "and.b32 %r4, %r3, 63; shl.b16 %h3, %h1, %r4; cvt.u32.u16 %r8, %h3;", m_shl16 },
	{ "and.b32 %r4, %r3, 63; shr.u16 %h3, %h1, %r4; cvt.u32.u16 %r8, %h3;", m_shr16 },
	{ "and.b32 %r4, %r3, 63; shr.s16 %h3, %h1, %r4; cvt.s32.s16 %r8, %h3;", m_sar16 },
	{ "add.u64 %d8, %d1, %d2;", m_add64 },
	{ "sub.u64 %d8, %d1, %d2;", m_sub64 },
	{ "mul.lo.u64 %d8, %d1, %d2;", m_mul64 },
	{ "neg.s64 %d8, %d1;", m_neg64 },
	{ "abs.s64 %d8, %d1;", m_abs64 },
	{ "and.b32 %r4, %r3, 127; shl.b64 %d8, %d1, %r4;", m_shl64 },
	{ "and.b32 %r4, %r3, 127; shr.u64 %d8, %d1, %r4;", m_shr64 },
	{ "and.b32 %r4, %r3, 127; shr.s64 %d8, %d1, %r4;", m_sar64 },
	{ "shl.b64 %d8, %d1, 40;", m_shl64_40 },
	{ "shr.s64 %d8, %d1, 7;", m_sar64_7 },
	{ "bfe.u64 %d8, %d1, 20, 30;", m_bfe64 },
	{ "bfe.s64 %d8, %d1, 20, 30;", m_bfes64 },
	{ "bfe.u64 %d8, %d2, %r1, %r2;", m_bfe64r },
	{ "bfe.s64 %d8, %d2, %r1, %r2;", m_bfes64r },
	{ "shr.u32 %r4, %r3, 8; bfi.b64 %d8, %d1, %d2, %r3, %r4;", m_bfi64 },
	{ "mul.hi.u64 %d8, %d1, %d2;", m_hi64 },
	{ "mul.hi.s64 %d8, %d1, %d2;", m_his64 },
	{ "div.u64 %d8, %d1, %d2;", m_div64 },
	{ "rem.u64 %d8, %d1, %d2;", m_rem64 },
	{ "div.s64 %d8, %d1, %d2;", m_divs64 },
	{ "rem.s64 %d8, %d1, %d2;", m_rems64 },
	{ "popc.b64 %r8, %d1;", m_popc64 },
	{ "clz.b64 %r8, %d1;", m_clz64 },
	{ "brev.b64 %d8, %d1;", m_brev64 },
	{ "min.s64 %d8, %d1, %d2;", m_min64 },
	{ "max.u64 %d8, %d1, %d2;", m_maxu64 },
	{ "setp.lt.u64 %p1, %d1, %d2; selp.u32 %r8, 1, 0, %p1;", m_lt64 },
	{ "setp.ge.s64 %p1, %d1, %d2; selp.u32 %r8, 1, 0, %p1;", m_ges64 },
	{ "mov.b64 %d3, {%r3,%r2}; setp.eq.u64 %p1, %d1, %d3; selp.u32 %r8, 1, 0, %p1;", m_eq64 },
	{ "add.cc.u32 %r4, %r1, %r3; addc.u32 %r5, %r2, %r1; mov.b64 %d8, {%r4,%r5};", m_addcc },
	{ "sub.cc.u32 %r4, %r1, %r3; subc.u32 %r5, %r2, %r1; mov.b64 %d8, {%r4,%r5};", m_sub64 },
	{ "add.cc.u64 %d3, %d1, %d2; addc.u64 %d8, %d1, -5;", m_addcc64 },
	{ "sub.cc.u64 %d3, %d1, %d2; subc.cc.u64 %d8, %d1, %d2;", m_subcc64 },
	{ "mad.lo.cc.u32 %r4, %r1, %r2, %r3; addc.u32 %r8, 0, 0;", m_madcc },
	{ "mad.lo.cc.u32 %r4, %r1, %r2, %r3; madc.hi.u32 %r5, %r1, %r2, 0; mov.b64 %d8, {%r4,%r5};", m_madchi },
	{ "mad.lo.cc.u64 %d3, %d1, %d2, %d1; madc.hi.cc.u64 %d8, %d1, %d2, %d2; addc.u64 %d8, %d8, 0;", m_madc64 },
	{ "mad.hi.cc.s32 %r4, %r1, %r2, %r3; madc.lo.s32 %r8, %r1, 3, %r4;", m_madhicc },
	{ "and.b32 %r4, %r3, 31; bfe.u32 %r8, %r1, %r4, 7;", m_bfe },
	{ "bfe.u32 %r8, %r1, 5, 10;", m_bfe5 },
	{ "bfe.s32 %r8, %r1, 5, 10;", m_bfes5 },
	{ "bfi.b32 %r8, %r1, %r2, 4, 9;", m_bfi },
	{ "popc.b32 %r8, %r1;", m_popc },
	{ "clz.b32 %r8, %r1;", m_clz },
	{ "brev.b32 %r8, %r1;", m_brev },
	{ "bfind.u32 %r8, %r1;", m_bfind },
	{ "bfind.s32 %r8, %r1;", m_bfinds },
	{ "bfind.shiftamt.u32 %r8, %r1;", m_bfinda },
	{ "bfind.s64 %r8, %d1;", m_bfind64 },
	{ "shf.l.wrap.b32 %r8, %r1, %r2, %r3;", m_shfl },
	{ "shf.r.wrap.b32 %r8, %r1, %r2, %r3;", m_shfr },
	{ "prmt.b32 %r8, %r1, %r2, 0x7041;", m_prmt },
	{ "prmt.b32 %r8, %r1, %r2, %r3;", m_prmtr },
	{ "prmt.b32.f4e %r8, %r1, %r2, %r3;", m_f4e },
	{ "prmt.b32.b4e %r8, %r1, %r2, %r3;", m_b4e },
	{ "prmt.b32.rc8 %r8, %r1, %r2, %r3;", m_rc8 },
	{ "prmt.b32.ecl %r8, %r1, %r2, %r3;", m_ecl },
	{ "prmt.b32.ecr %r8, %r1, %r2, %r3;", m_ecr },
	{ "prmt.b32.rc16 %r8, %r1, %r2, %r3;", m_rc16 },
	{ "setp.lt.s32 %p1, %r1, %r2; selp.u32 %r8, %r3, %r1, %p1;", m_selp },
	{ "slct.u32.s32 %r8, %r1, %r2, %r3;", m_slct },
	{ "set.le.u32.u32 %r8, %r1, %r2;", m_set },
	{ "setp.lt.u32 %p1, %r1, %r2; setp.gt.s32 %p2, %r2, %r3; and.pred %p1, %p1, %p2; setp.eq.u32 %p2, %r1, %r3;"
	  "or.pred %p3, %p1, %p2; selp.u32 %r8, 1, 0, %p3;",
	  m_logic },
	{ "setp.gt.u32 %p1, %r1, %r3; setp.lt.and.s32 %p2, %r1, %r2, %p1; selp.u32 %r8, 1, 0, %p2;", m_setand },
	{ "cvt.s32.s8 %r8, %r1;", m_s8 },
	{ "add.u32 %r4, %r1, %r2; cvt.u8.u32 %r8, %r4;", m_u8 },
	{ "add.u32 %r4, %r1, %r2; cvt.s16.s32 %r8, %r4;", m_s16 },
	{ "cvt.sat.s8.s32 %r8, %r1;", m_sat8 },
	{ "cvt.sat.u16.u32 %r8, %r1;", m_satu16 },
	{ "cvt.s64.s32 %d8, %r1;", m_cvt64 },
	{ "add.sat.s32 %r8, %r1, %r2;", m_sat },
	{ "cvt.sat.s8.s64 %r8, %d1;", m_sat64s8 },
	{ "cvt.sat.u32.s64 %r8, %d1;", m_sat64u32 },
	{ "cvt.sat.s32.u64 %r8, %d1;", m_satu64s32 },
	{ "cvt.sat.s64.u64 %d8, %d1;", m_satu64s64 },
	{ "cvt.sat.u64.s64 %d8, %d1;", m_sats64u64 },
	{ "cvt.sat.u64.s32 %d8, %r1;", m_sats32u64 },
	{ "setp.ge.s32 %p1, %r1, 0; @%p1 bra L1; add.u32 %r8, %r1, %r2; bra L2; L1: sub.u32 %r8, %r1, %r3; L2:", m_if },
	{ "and.b32 %r4, %r3, 15; mov.u32 %r8, %r1; L1: setp.eq.u32 %p1, %r4, 0; @%p1 bra L2; mul.lo.u32 %r8, %r8, 3;"
	  "add.u32 %r8, %r8, %r2; sub.u32 %r4, %r4, 1; bra L1; L2:",
	  m_loop },
	{ "and.b32 %r4, %r3, 7; setp.lt.u32 %p1, %r1, %r2; L1: not.pred %p1, %p1; sub.u32 %r4, %r4, 1;"
	  "setp.ge.s32 %p2, %r4, 0; @%p2 bra L1; selp.u32 %r8, 1, 0, %p1;",
	  m_turned },
	{ "and.b32 %r4, %r1, 7; mov.u32 %r5, 0; mov.u32 %r8, %r2; L1: add.u32 %r5, %r5, 1; setp.gt.u32 %p1, %r5, %r4;"
	  "@%p1 bra L5; add.u32 %r6, %r8, %r5; and.b32 %r6, %r6, 3; setp.eq.u32 %p2, %r6, 0; @%p2 bra L3;"
	  "setp.eq.u32 %p2, %r6, 1; setp.gt.and.u32 %p2, %r5, 4, %p2; @%p2 bra L5; setp.eq.u32 %p3, %r6, 2; @%p3 bra "
	  "L3;"
	  "mul.lo.u32 %r8, %r8, %r3; add.u32 %r8, %r8, 7; mul.lo.u32 %r8, %r8, %r8; add.u32 %r8, %r8, %r5; bra L1;"
	  "L3: mul.lo.u32 %r8, %r8, %r1; add.u32 %r8, %r8, 3; mul.lo.u32 %r8, %r8, %r8; sub.u32 %r8, %r8, %r5; bra L1; "
	  "L5:",
	  m_left },
	{ "mov.u32 %r5, 0x30007; mov.u32 %r6, 0x8000; mov.u32 %r4, 0; mov.u32 %r8, %r1; L1: mul.hi.u32 %r7, %r5, %r6;"
	  "add.u32 %r8, %r8, %r7; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 2; @%p1 bra L1;", m_invariant },
	{ "min.s16 %h3, %h1, %h2; cvt.u32.u16 %r8, %h3;", m_min16 },
	{ "setp.lt.s16 %p1, %h1, %h2; selp.u32 %r8, 1, 0, %p1;", m_lt16 },
	{ "mov.b32 %r8, {%h2,%h1};", m_pack },
};

static void integer_instructions_are_exact(void **state)
{
	static uint32_t in[3][WORDS];
	uint64_t seed = 1, out[WORDS];

	for (unsigned i = 0; i < WORDS; i++)
		for (unsigned k = 0; k < 3; k++)
			in[k][i] = i >= WORDS / 2 ? next_word(&seed)
						  : corner(k == 0   ? i
							   : k == 1 ? i / 11 + i
								    : i * 7 / 5);
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		for (unsigned c = 0; c < 4; c += 3) {
			bool wide = strstr(rows[r].body, "%d8");
			run_body(rows[r].body, wide, chips[c], in, out);
			for (unsigned i = 0; i < WORDS; i++) {
				uint64_t want = rows[r].model(in[0][i], in[1][i], in[2][i]);
				if (!wide)
					want = (uint32_t)want;
				if (out[i] != want)
					fail_msg("%s on %s: of 0x%x, 0x%x, 0x%x found 0x%" PRIx64
						 ", expected 0x%" PRIx64,
						 rows[r].body, chips[c], in[0][i], in[1][i], in[2][i], out[i], want);
			}
		}
	}
}

/* ---- floats rounded once ---- */

static float of_bits(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return fpclassify(f) == FP_SUBNORMAL ? copysignf(0, f) : f;
}

static uint64_t bits_of(float f)
{
	uint32_t bits;

	f = fpclassify(f) == FP_SUBNORMAL ? copysignf(0, f) : f;
	memcpy(&bits, &f, sizeof f);
	return bits;
}

static double double_of(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

static uint64_t bits_of_double(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof d);
	return bits;
}

static uint64_t clamped(double x, double least, double most, uint64_t below, uint64_t above)
{
	return isnan(x) ? 1ull << 63 : x < least ? below : x >= most ? above : least < 0 ? (uint64_t)(int64_t)x
									 : (uint64_t)x;
}

static float by_mode(int64_t x, int mode)
{
	fesetround(mode);
	volatile float f = (float)x;
	fesetround(FE_TONEAREST);
	return f;
}

#define F(x) of_bits(x)
MODEL(f_fma, bits_of(fmaf(F(a), F(b), F(c))))
MODEL(f_div, bits_of(F(a) / F(b)))
MODEL(f_rcp, bits_of(1 / F(a)))
MODEL(f_sqrt, bits_of(sqrtf(F(a))))
MODEL(f_ddiv, bits_of_double(double_of(d) / double_of(e)))
MODEL(f_drcp, bits_of_double(1 / double_of(d)))
MODEL(f_dsqrt, bits_of_double(sqrt(double_of(d))))
MODEL(f_dfma, bits_of_double(fma(double_of(d), double_of(e), double_of(d))))
MODEL(f_s64, clamped(trunc(F(a)), -0x1p63, 0x1p63, 1ull << 63, INT64_MAX))
MODEL(f_u64, clamped(rint(F(a)), 0, 0x1p64, 0, ~0ull))
MODEL(f_floor64, clamped(floor(F(a)), -0x1p63, 0x1p63, 1ull << 63, INT64_MAX))
MODEL(f_of_u64, bits_of((float)d))
MODEL(f_of_s64, bits_of((float)(int64_t)d))
MODEL(f_of_s64_down, bits_of(by_mode((int64_t)d, FE_DOWNWARD)))
MODEL(f_of_s64_up, bits_of(by_mode((int64_t)d, FE_UPWARD)))
MODEL(f_copysign, bits_of_double(copysign(double_of(e), double_of(d))))
MODEL(f_sat, ({ double x = double_of(d); bits_of_double(x > 1 ? 1 : x > 0 ? x : 0); }))
MODEL(f_sat32, ({ double x = double_of(d); bits_of((float)(x > 1 ? 1 : x > 0 ? x : 0)); }))
MODEL(f_subnormal, fpclassify(double_of(d)) == FP_SUBNORMAL)
MODEL(f_normal, isnormal(double_of(d)) || double_of(d) == 0)
MODEL(f_finite, isfinite(double_of(d)) != 0)
MODEL(f_infinite, isinf(double_of(d)) != 0)
MODEL(f_nan, isnan(double_of(d)) != 0)

enum { OF_WORD, OF_FLOAT, OF_DOUBLE };   /* results: NaNs are alike */

struct float_row { const char *body, *chips; int result; uint64_t (*model)(uint32_t, uint32_t, uint32_t); };

#define FLOATS "mov.b32 %f1, %r1; mov.b32 %f2, %r2; mov.b32 %f3, %r3; "
#define DOUBLES "mov.b64 %e1, %d1; mov.b64 %e2, %d2; "
static const struct float_row float_rows[] = {
	{ FLOATS "fma.rn.f32 %f4, %f1, %f2, %f3; mov.b32 %r8, %f4;", "all", OF_FLOAT, f_fma },
	{ FLOATS "div.rn.f32 %f4, %f1, %f2; mov.b32 %r8, %f4;", "all", OF_FLOAT, f_div },
	{ FLOATS "rcp.rn.f32 %f4, %f1; mov.b32 %r8, %f4;", "all", OF_FLOAT, f_rcp },
	{ FLOATS "sqrt.rn.f32 %f4, %f1; mov.b32 %r8, %f4;", "all", OF_FLOAT, f_sqrt },
	{ FLOATS "cvt.rzi.s64.f32 %d8, %f1;", "all", OF_WORD, f_s64 },
	{ FLOATS "cvt.rni.u64.f32 %d8, %f1;", "all", OF_WORD, f_u64 },
	{ FLOATS "mul.rn.f32 %f1, %f1, 0f3f800000; cvt.rmi.s64.f32 %d8, %f1;", "all", OF_WORD, f_floor64 },
	{ "cvt.rn.f32.u64 %f4, %d1; mov.b32 %r8, %f4;", "all", OF_FLOAT, f_of_u64 },
	{ "cvt.rn.f32.s64 %f4, %d1; mov.b32 %r8, %f4;", "all", OF_FLOAT, f_of_s64 },
	{ "cvt.rm.f32.s64 %f4, %d1; mov.b32 %r8, %f4;", "all", OF_FLOAT, f_of_s64_down },
	{ "cvt.rp.f32.s64 %f4, %d1; mov.b32 %r8, %f4;", "all", OF_FLOAT, f_of_s64_up },
	{ DOUBLES "div.rn.f64 %e4, %e1, %e2; mov.b64 %d8, %e4;", "g200", OF_DOUBLE, f_ddiv },
	{ DOUBLES "rcp.rn.f64 %e4, %e1; mov.b64 %d8, %e4;", "g200", OF_DOUBLE, f_drcp },
	{ DOUBLES "sqrt.rn.f64 %e4, %e1; mov.b64 %d8, %e4;", "g200", OF_DOUBLE, f_dsqrt },
	{ DOUBLES "fma.rn.f64 %e4, %e1, %e2, %e1; mov.b64 %d8, %e4;", "g200", OF_DOUBLE, f_dfma },
	{ DOUBLES "copysign.f64 %e4, %e1, %e2; mov.b64 %d8, %e4;", "g200", OF_DOUBLE, f_copysign },
	{ DOUBLES "cvt.sat.f64.f64 %e4, %e1; mov.b64 %d8, %e4;", "g200", OF_DOUBLE, f_sat },
	{ DOUBLES "cvt.rn.sat.f32.f64 %f4, %e1; mov.b32 %r8, %f4;", "g200", OF_FLOAT, f_sat32 },
	{ DOUBLES "testp.subnormal.f64 %p1, %e1; selp.u32 %r8, 1, 0, %p1;", "g200", OF_WORD, f_subnormal },
	{ DOUBLES "testp.normal.f64 %p1, %e1; selp.u32 %r8, 1, 0, %p1;", "g200", OF_WORD, f_normal },
	{ DOUBLES "testp.finite.f64 %p1, %e1; selp.u32 %r8, 1, 0, %p1;", "g200", OF_WORD, f_finite },
	{ DOUBLES "testp.infinite.f64 %p1, %e1; selp.u32 %r8, 1, 0, %p1;", "g200", OF_WORD, f_infinite },
	{ DOUBLES "testp.notanumber.f64 %p1, %e1; selp.u32 %r8, 1, 0, %p1;", "g200", OF_WORD, f_nan },
};

/* Numbers near each other, anywhere, special ones, and those whose results are at the ends of the exponents. */
static uint32_t float_word(uint64_t *seed, unsigned round)
{
	static const uint32_t special[] = { 0,          1u << 31,   0x7f800000, 0xff800000, 0x7fc00000, 0x3f800000,
					    0xbf800000, 0x7f7fffff, 0x00800000, 0x40000000, 0x33800000, 0x4b800001,
					    0x00000001, 0x007fffff, 0x3fffffff, 0x3f800001, 0x7ff00000, 0x7fefffff,
					    0x00100000, 0x80080000, 0x3ff00000, 0x5f000000, 0xdf000000, 0x5f7fffff };
	next_word(seed);
	uint32_t bits = (uint32_t)(*seed >> 32);

	if (!(*seed >> 8 & 7))
		return special[(*seed >> 12) % (sizeof special / sizeof *special)];
	switch (round % 5) {
	case 0: return (bits & 0x807fffff) | (0x70 + (bits >> 23) % 4) << 23;
	case 1: return (bits & 0x807fffff) | (0x70 + (bits >> 23) % 30) << 23;
	case 2: return (bits & 0x807fffff) | (*seed >> 20 & 1 ? 0x60 : 0x20) << 23;
	case 3: return *seed >> 13 & 1 ? bits & 0xfff00003 : bits | 0x000ffffc;
	default: return bits;
	}
}

static bool same_float(uint64_t found, uint64_t want, int result)
{
	if (result == OF_FLOAT && (want & 0x7fffffff) > 0x7f800000)
		return (found & 0x7fffffff) > 0x7f800000;
	if (result == OF_DOUBLE && isnan(double_of(want)))
		return isnan(double_of(found));
	return found == want;
}

static void float_functions_are_rounded_once(void **state)
{
	static uint32_t in[3][WORDS];
	uint64_t seed = 7, out[WORDS];
	const char *more = getenv("WB_PTX_ROUNDS");
	unsigned rounds = more ? (unsigned)strtoul(more, NULL, 10) : 5;

	for (unsigned round = 0; round < rounds; round++) {
		for (unsigned i = 0; i < WORDS; i++)
			for (unsigned k = 0; k < 3; k++)
				in[k][i] = float_word(&seed, round);
		for (size_t n = 0; n < sizeof float_rows / sizeof *float_rows; n++) {
			const struct float_row *r = &float_rows[n];
			for (unsigned c = strcmp(r->chips, "all") ? 3 : 0; c < 4; c += 3) {
				bool wide = strstr(r->body, "%d8");
				run_body(r->body, wide, chips[c], in, out);
				for (unsigned i = 0; i < WORDS; i++) {
					uint64_t want = r->model(in[0][i], in[1][i], in[2][i]);
					if (!same_float(out[i], want, r->result))
						fail_msg("%s on %s: of 0x%x, 0x%x, 0x%x found 0x%" PRIx64
							 ", expected 0x%" PRIx64,
							 r->body, chips[c], in[0][i], in[1][i], in[2][i], out[i], want);
				}
			}
		}
	}
}

/* ---- generic addresses ---- */

/* A word `a` of in[0], through shared, local, constant and global memory by addresses without a space. */
#define GENERIC(body)                                                                                                  \
	".version 2.3\n.target sm_20\n.const .align 8 .b32 table[4] = { 11, 22, 33, 44 };\n"                           \
	".shared .align 16 .b8 pool[2048];\n"                                                                          \
	".func (.reg .u32 y) twice (.reg .u64 p) { ld.u32 y, [p]; add.u32 y, y, y; }\n"                                \
	".entry k (.param .u64 a, .param .u64 o)\n{\n.local .align 16 .b8 mine[32];\n.reg .u32 %r<20>;\n.reg .u64 "    \
	"%d<20>;\n"                                                                                                    \
	".reg .pred %p<9>;\n.reg .u16 %h<9>;\n"                                                                        \
	"mov.u32 %r1, %tid.x;\nmul.wide.u32 %d1, %r1, 4;\nld.param.u64 %d2, [a];\nadd.u64 %d2, %d2, %d1;\n"            \
	"ld.param.u64 %d3, [o];\nadd.u64 %d3, %d3, %d1;\nld.u32 %r2, [%d2];\nmul.wide.u32 %d4, %r1, 16;\n"             \
	"mov.u64 %d5, pool;\ncvta.shared.u64 %d5, %d5;\nadd.u64 %d6, %d5, %d4;\n"                                      \
	"mov.u64 %d7, mine;\ncvta.local.u64 %d7, %d7;\nmov.u64 %d8, table;\ncvta.const.u64 %d8, %d8;\n" body           \
	"\nst.u32 [%d3], %r9;\nexit;\n}\n"

static uint32_t g_sum(uint32_t word, uint32_t lane) { return word + lane; }
static uint32_t g_bytes(uint32_t word, uint32_t lane) { return (word & ~0xffu) | lane; }
static uint32_t g_sign(uint32_t word, uint32_t lane) { return (uint32_t)(int8_t)word; }
static uint32_t g_table(uint32_t word, uint32_t lane) { return 11 * (lane % 4 + 1); }
static uint32_t g_count(uint32_t word, uint32_t lane) { return 64; }
static uint32_t g_loop(uint32_t word, uint32_t lane) { return 3 * word; }
static uint32_t g_call(uint32_t word, uint32_t lane) { return 4 * word; }
static uint32_t g_space(uint32_t word, uint32_t lane) { return 3; }

static void generic_addresses_find_their_memory(void **state)
{
	static const struct setting setup[] = { { "grid", "1" }, { "block", "64" }, { "timing", "off" }, { 0 } };
	static const struct {
		const char *text;
		uint32_t (*model)(uint32_t word, uint32_t lane);
	} bodies[] = {
		{ GENERIC("st.v4.u32 [%d6], {%r1,%r2,%r1,%r2}; ld.v2.u32 {%r3,%r4}, [%d6+4]; add.u32 %r9, %r3, %r4;"),
		  g_sum },
		{ GENERIC("st.u32 [%d7+8], %r2; st.u8 [%d7+8], %r1; ld.u32 %r9, [%d7+8];"), g_bytes },
		{ GENERIC("cvt.u16.u32 %h1, %r2; st.u16 [%d6+2], %h1; ld.s8 %r9, [%d6+2];"), g_sign },
		{ GENERIC("and.b32 %r3, %r1, 3; mul.wide.u32 %d9, %r3, 4; add.u64 %d9, %d8, %d9; ld.u32 %r9, [%d9];"),
		  g_table },
		{ GENERIC("mov.u32 %r3, 0; st.u32 [%d5+1024], %r3; bar.sync 0; atom.add.u32 %r9, [%d5+1024], 1; "
			  "bar.sync 0; "
			  "ld.u32 %r9, [%d5+1024];"),
		  g_count },
		{ GENERIC("st.u32 [%d6], %r2; mov.u32 %r4, 0; mov.u32 %r9, 0; L: ld.u32 %r5, [%d6]; add.u32 %r9, %r9, "
			  "%r5; "
			  "add.u64 %d6, %d6, 0; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 3; @%p1 bra L;"),
		  g_loop },
		{ GENERIC("st.u32 [%d6], %r2; call (%r3), twice, (%d6); call (%r4), twice, (%d2); add.u32 %r9, %r3, "
			  "%r4;"),
		  g_call },
		{ GENERIC("isspacep.shared %p1, %d6; isspacep.global %p2, %d2; isspacep.local %p3, %d6; selp.u32 %r3, "
			  "1, 0, %p1; "
			  "selp.u32 %r4, 2, 0, %p2; selp.u32 %r5, 4, 0, %p3; or.b32 %r9, %r3, %r4; or.b32 %r9, %r9, "
			  "%r5;"),
		  g_space },
	};
	uint32_t in[64], out[64];

	for (unsigned i = 0; i < 64; i++)
		in[i] = i * 0x9e3779b1u + 0x85ebca6bu;
	for (size_t n = 0; n < sizeof bodies / sizeof *bodies; n++) {
		const char *what = strstr(bodies[n].text, "table;\ncvta");
		struct wb_diag d = { 0 };
		struct wb_program *p = load_ptx(bodies[n].text, "g200", &d);
		if (!p)
			fail_msg("%s: line %d: %s", what, d.line, d.text);
		struct wb_launch *l = launch(p, setup);
		assert_int_equal(wb_launch_arg(l, "zero=256", &d), WB_OK);
		assert_int_equal(wb_launch_write_arg(l, 0, 0, in, sizeof in, &d), WB_OK);
		assert_int_equal(wb_launch_arg(l, "zero=256", &d), WB_OK);
		if (wb_launch_run(l, &d) != WB_OK)
			fail_msg("%s: %s", what, d.text);
		assert_int_equal(wb_launch_read_arg(l, 1, 0, out, sizeof out, &d), WB_OK);
		for (unsigned i = 0; i < 64; i++) {
			uint32_t want = bodies[n].model(in[i], i);
			if (out[i] != want)
				fail_msg("%s: lane %u: found 0x%x, expected 0x%x", what, i, out[i], want);
		}
		wb_launch_free(l);
		wb_program_free(p);
	}
}

/* ---- every instruction and type of the reference ---- */

/* A statement with T for each type, and R for the letter of registers of the type; sm: the first that has it. */
struct form { const char *text, *types; unsigned sm; };

#define INTS "u16 s16 u32 s32 u64 s64"
static const struct form forms[] = {
	{ "mov.T R1, R2;", "b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64", 10 },
	{ "mov.pred %p1, %p2;", "", 10 },
	{ "selp.T R1, R2, R3, %p1;", "b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64", 10 },
	{ "add.T R1, R2, R3; sub.T R1, R2, R3; add.T R1, R2, 5;", INTS, 10 },
	{ "add.sat.s32 %r1, %r2, %r3; sub.sat.s32 %r1, %r2, %r3;", "", 10 },
	{ "neg.T R1, R2; abs.T R1, R2;", "s16 s32 s64 f32 f64", 10 },
	{ "add.cc.T R1, R2, R3; addc.cc.T R1, R2, R3; addc.T R1, R2, R3;", "u32 s32", 10 },
	{ "sub.cc.T R1, R2, R3; subc.cc.T R1, R2, R3; subc.T R1, R2, R3;", "u32 s32", 10 },
	{ "mul.lo.T R1, R2, R3; mul.hi.T R1, R2, R3; mad.lo.T R1, R2, R3, R4; mad.hi.T R1, R2, R3, R4;", INTS, 10 },
	{ "mad.hi.sat.s32 %r1, %r2, %r3, %r4;", "", 10 },
	{ "mul.wide.T %r1, R2, R3; mad.wide.T %r1, R2, R3, %r4;", "u16 s16", 10 },
	{ "mul.wide.T %d1, R2, R3; mad.wide.T %d1, R2, R3, %d4;", "u32 s32", 10 },
	{ "mul24.lo.T R1, R2, R3; mul24.hi.T R1, R2, R3; mad24.lo.T R1, R2, R3, R4; mad24.hi.T R1, R2, R3, R4;",
	  "u32 s32", 10 },
	{ "mad24.hi.sat.s32 %r1, %r2, %r3, %r4;", "", 10 },
	{ "sad.T R1, R2, R3, R4;", "u16 s16 u32 s32", 10 },
	{ "div.T R1, R2, R3; rem.T R1, R2, R3; div.T R1, R2, 7; rem.T R1, R2, 7;", INTS, 10 },
	{ "min.T R1, R2, R3; max.T R1, R2, R3;", INTS " f32 f64", 10 },
	{ "and.T R1, R2, R3; or.T R1, R2, R3; xor.T R1, R2, R3; not.T R1, R2; cnot.T R1, R2;", "b16 b32 b64", 10 },
	{ "and.pred %p1, %p2, %p3; or.pred %p1, %p2, %p3; xor.pred %p1, %p2, %p3; not.pred %p1, %p2;", "", 10 },
	{ "shl.T R1, R2, %r3; shl.T R1, R2, 3;", "b16 b32 b64", 10 },
	{ "shr.T R1, R2, %r3; shr.T R1, R2, 3;", "b16 b32 b64 " INTS, 10 },
	{ "bfe.T R1, R2, %r3, %r4; bfe.T R1, R2, 3, 4;", "u32 s32 u64 s64", 10 },
	{ "bfi.T R1, R2, R3, %r3, %r4; bfi.T R1, R2, R3, 3, 4;", "b32 b64", 10 },
	{ "popc.T %r1, R2; clz.T %r1, R2; brev.T R1, R2;", "b32 b64", 10 },
	{ "bfind.T %r1, R2; bfind.shiftamt.T %r1, R2;", "u32 s32 u64 s64", 10 },
	{ "prmt.b32 %r1, %r2, %r3, %r4; prmt.b32.f4e %r1, %r2, %r3, %r4; prmt.b32.rc16 %r1, %r2, %r3, 2;", "", 10 },
	{ "shf.l.wrap.b32 %r1, %r2, %r3, %r4; shf.r.wrap.b32 %r1, %r2, %r3, %r4;", "", 10 },
	{ "shf.l.clamp.b32 %r1, %r2, %r3, %r4; shf.r.clamp.b32 %r1, %r2, %r3, 9;", "", 10 },
	{ "testp.finite.T %p1, R2; testp.infinite.T %p1, R2; testp.number.T %p1, R2; testp.notanumber.T %p1, R2;",
	  "f32 f64", 10 },
	{ "testp.normal.T %p1, R2; testp.subnormal.T %p1, R2; copysign.T R1, R2, R3;", "f32 f64", 10 },
	{ "setp.eq.T %p1, R2, R3; setp.ne.T %p1|%p2, R2, R3; set.eq.u32.T %r1, R2, R3; set.ne.and.s32.T %r1, R2, R3, "
	  "%p1;",
	  "b16 b32 b64 " INTS " f32 f64", 10 },
	{ "setp.lt.T %p1, R2, R3; setp.le.T %p1, R2, R3; setp.gt.or.T %p1, R2, R3, %p2; setp.ge.xor.T %p1, R2, R3, "
	  "!%p2;",
	  INTS " f32 f64", 10 },
	{ "setp.lo.T %p1, R2, R3; setp.ls.T %p1, R2, R3; setp.hi.T %p1, R2, R3; setp.hs.T %p1, R2, R3;", "u16 u32 u64",
	  10 },
	{ "setp.equ.T %p1, R2, R3; setp.neu.T %p1, R2, R3; setp.ltu.T %p1, R2, R3; setp.leu.T %p1, R2, R3;", "f32 f64",
	  10 },
	{ "setp.gtu.T %p1, R2, R3; setp.geu.T %p1, R2, R3; setp.num.T %p1, R2, R3; setp.nan.T %p1, R2, R3;", "f32 f64",
	  10 },
	{ "set.lt.f32.T %f1, R2, R3;", INTS " f32 f64", 10 },
	{ "slct.T.s32 R1, R2, R3, %r4; slct.T.f32 R1, R2, R3, %f4;", "b16 b32 b64 " INTS " f32 f64", 10 },
	{ "cvt.T.u8 R1, %h2; cvt.T.s8 R1, %h2; cvt.T.u16 R1, %h2; cvt.T.s16 R1, %h2;", "u8 s8 " INTS, 10 },
	{ "cvt.T.u32 R1, %r2; cvt.T.s32 R1, %r2; cvt.T.u64 R1, %d2; cvt.T.s64 R1, %d2;", "u8 s8 " INTS, 10 },
	{ "cvt.sat.T.s16 R1, %h2; cvt.sat.T.u32 R1, %r2; cvt.sat.T.s32 R1, %r2; cvt.sat.T.s64 R1, %d2;", "u8 s8 " INTS,
	  10 },
	{ "cvt.rni.T.f32 R1, %f2; cvt.rzi.T.f32 R1, %f2; cvt.rmi.T.f32 R1, %f2; cvt.rpi.T.f32 R1, %f2;", "u8 s8 " INTS,
	  10 },
	{ "cvt.rni.T.f64 R1, %e2; cvt.rzi.T.f64 R1, %e2; cvt.rmi.T.f64 R1, %e2; cvt.rpi.T.f64 R1, %e2;", "u8 s8 " INTS,
	  13 },
	{ "cvt.rn.f32.T %f1, R2; cvt.rz.f32.T %f1, R2; cvt.rm.f32.T %f1, R2; cvt.rp.f32.T %f1, R2;", "u8 s8 " INTS,
	  10 },
	{ "cvt.rn.f64.T %e1, R2; cvt.rz.f64.T %e1, R2; cvt.rm.f64.T %e1, R2; cvt.rp.f64.T %e1, R2;", "u8 s8 " INTS,
	  13 },
	{ "cvt.rni.f32.f32 %f1, %f2; cvt.rzi.f32.f32 %f1, %f2; cvt.rmi.f32.f32 %f1, %f2; cvt.rpi.f32.f32 %f1, %f2;", "",
	  10 },
	{ "cvt.sat.f32.f32 %f1, %f2; cvt.f32.f16 %f1, %h2; cvt.rn.f16.f32 %h1, %f2; cvt.rz.f16.f32 %h1, %f2;", "", 10 },
	{ "cvt.f64.f32 %e1, %f2; cvt.rn.f32.f64 %f1, %e2; cvt.rz.f32.f64 %f1, %e2; cvt.rm.f32.f64 %f1, %e2;", "", 13 },
	{ "cvt.rni.f64.f64 %e1, %e2; cvt.rmi.f64.f64 %e1, %e2; cvt.sat.f32.f64 %f1, %e2; cvt.sat.f64.f64 %e1, %e2;", "",
	  13 },
	{ "add.T R1, R2, R3; sub.T R1, R2, R3; mul.T R1, R2, R3; add.rn.T R1, R2, R3; mul.rz.T R1, R2, R3;", "f32 f64",
	  10 },
	{ "add.rz.T R1, R2, R3; mul.rn.T R1, R2, R3; fma.rn.T R1, R2, R3, R4; mad.T R1, R2, R3, R4;", "f32 f64", 10 },
	{ "add.rm.f64 %e1, %e2, %e3; mul.rp.f64 %e1, %e2, %e3; fma.rm.f64 %e1, %e2, %e3, %e4;", "", 13 },
	{ "add.sat.f32 %f1, %f2, %f3; mul.sat.f32 %f1, %f2, %f3; mad.sat.f32 %f1, %f2, %f3, %f4; sub.sat.f32 %f1, %f2, "
	  "%f3;",
	  "", 10 },
	{ "rcp.f32 %f1, %f2; rcp.approx.ftz.f32 %f1, %f2; rcp.rn.f32 %f1, %f2; rsqrt.f32 %f1, %f2;", "", 10 },
	{ "sqrt.f32 %f1, %f2; sqrt.approx.f32 %f1, %f2; sqrt.rn.f32 %f1, %f2; rsqrt.approx.f32 %f1, %f2;", "", 10 },
	{ "sin.f32 %f1, %f2; cos.approx.f32 %f1, %f2; ex2.approx.f32 %f1, %f2; lg2.f32 %f1, %f2;", "", 10 },
	{ "div.f32 %f1, %f2, %f3; div.approx.f32 %f1, %f2, %f3; div.full.f32 %f1, %f2, %f3; div.rn.f32 %f1, %f2, %f3;",
	  "", 10 },
	{ "rem.f32 %f1, %f2, %f3; frc.f32 %f1, %f2;", "", 10 },
	{ "div.rn.f64 %e1, %e2, %e3; rcp.rn.f64 %e1, %e2; sqrt.rn.f64 %e1, %e2; rsqrt.approx.f64 %e1, %e2;", "", 13 },
	{ "ld.global.T R1, [%r2]; ld.global.T R1, [%r2+16]; st.global.T [%r2], R1;",
	  "b8 u8 s8 b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64", 10 },
	{ "ld.shared.T R1, [%r2]; ld.shared.T R1, [pool+16]; st.shared.T [%r2+8], R1;",
	  "b8 u8 s8 b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64", 10 },
	{ "ld.local.T R1, [%r2]; ld.local.T R1, [mine+16]; st.local.T [%r2+8], R1;",
	  "b8 u8 s8 b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64", 10 },
	{ "ld.const.T R1, [%r2]; ld.const.T R1, [table+16];", "b8 u8 s8 b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64",
	  10 },
	{ "ld.T R1, [%r2]; st.T [%r2], R1; ldu.global.T R1, [%r2]; ld.volatile.global.T R1, [%r2];",
	  "b8 u8 s8 b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64", 10 },
	{ "ld.global.v2.T {R1,R2}, [%r2]; st.global.v4.T [%r2], {R1,R2,R3,R4}; ld.shared.v4.T {R1,R2,R3,R4}, [%r2];",
	  "u8 s8 u16 s16 u32 f32", 10 },
	{ "ld.global.v2.T {R1,R2}, [%r2]; st.global.v2.T [%r2], {R1,R2}; ld.shared.v2.T {R1,R2}, [%r2];", "u64 f64",
	  10 },
	{ "ld.local.v4.T {R1,R2,R3,R4}, [%r2]; ld.const.v4.T {R1,R2,R3,R4}, [%r2]; st.shared.v2.T [%r2], {R1,R2};",
	  "u8 s8 u16 s16 u32 f32", 10 },
	{ "cvta.shared.T R1, R2; cvta.to.global.T R1, R2; isspacep.shared %p1, R2;", "u32 u64", 10 },
	{ "prefetch.global.L1 [%r2]; prefetchu.L1 [%r2]; membar.gl; membar.cta; ld.global.ca.u32 %r1, [%r2];", "", 10 },
	{ "atom.global.add.T R1, [%r2], R3; atom.global.min.T R1, [%r2], R3; atom.global.max.T R1, [%r2], R3;",
	  "u32 s32", 11 },
	{ "red.global.add.T [%r2], R3; red.global.min.T [%r2], R3;", "u32 s32", 11 },
	{ "atom.global.inc.u32 %r1, [%r2], %r3; atom.global.dec.u32 %r1, [%r2], %r3; red.global.inc.u32 [%r2], %r3;",
	  "", 11 },
	{ "atom.global.and.b32 %r1, [%r2], %r3; atom.global.or.b32 %r1, [%r2], %r3; atom.global.xor.b32 %r1, [%r2], "
	  "%r3;",
	  "", 11 },
	{ "atom.global.exch.b32 %r1, [%r2], %r3; atom.global.cas.b32 %r1, [%r2], %r3, %r4;", "", 11 },
	{ "atom.global.add.f32 %f1, [%r2], %f3; red.global.add.f32 [%r2], %f3;", "", 11 },
	{ "atom.global.add.u64 %d1, [%r2], %d3;", "", 12 },
	{ "atom.global.exch.b64 %d1, [%r2], %d3;", "", 12 },
	{ "atom.global.cas.b64 %d1, [%r2], %d3, %d4;", "", 12 },
	{ "atom.shared.add.T R1, [%r2], R3; atom.shared.min.T R1, [%r2], R3; red.shared.max.T [%r2], R3;", "u32 s32",
	  12 },
	{ "atom.shared.inc.u32 %r1, [%r2], %r3; atom.shared.cas.b32 %r1, [%r2], %r3, %r4; red.shared.xor.b32 [%r2], 1;",
	  "", 12 },
	{ "mad24.lo.s32 %r1, %r2, 100, %r3; mul24.lo.s32 %r4, %r2, 4; add.u32 %r1, %r4, %r3; st.global.u32 [%r2], %r1;",
	  "", 10 },
	{ "atom.shared.exch.b32 %r1, [%r2], 0; red.shared.and.b32 [%r2], 0;", "", 12 },
	{ "vote.all.pred %p1, %p2; vote.any.pred %p1, !%p2; vote.uni.pred %p1, %p2;", "", 10 },
	{ "vote.ballot.b32 %r1, %p1; vote.sync.ballot.b32 %r1, !%p1, %r2; vote.sync.all.pred %p1, %p2, 15;",
	  "", 10 },
	{ "shfl.up.b32 %r1, %r2, 1, 0; shfl.sync.idx.b32 %r1|%p1, %r2, %r3, %r4, 255; activemask.b32 %r3;",
	  "", 10 },
	{ "match.any.sync.T %r1, R2, -1; match.all.sync.T %r1|%p1, R2, %r3;", "b32 b64", 10 },
	{ "redux.sync.add.T %r1, %r2, -1; redux.sync.min.T %r1, %r2, %r3; redux.sync.max.T %r1, %r2, 7;",
	  "u32 s32", 10 },
	{ "redux.sync.and.b32 %r1, %r2, -1; elect.sync _|%p1, -1; elect.sync %r1|%p1, %r2; bar.warp.sync %r2;",
	  "", 10 },
	{ "mov.u32 %r1, %lanemask_lt; mov.u64 %d1, %clock64; mov.u64 %d2, %globaltimer; mov.u32 %r1, %nwarpid;",
	  "", 10 },
	{ "bar.sync 0; bar.sync 1, 64; bar.arrive 2, 64;", "", 10 },
	{ "mov.u32 %r1, %clock; mov.u32 %r2, %laneid; mov.u32 %r3, %smid; mov.u32 %r4, %pm0; mov.u32 %r1, %warpid;", "",
	  10 },
	{ "mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.y; mov.u32 %r3, %ctaid.z; mov.u32 %r4, %nctaid.x; mov.u32 %r1, "
	  "WARP_SZ;",
	  "", 10 },
	{ "trap; pmevent 3; exit;", "", 10 },
	{ "brkpt; exit;", "", 11 },
	{ "mov.b64 %d1, {%r1,%r2}; mov.b64 {%r1,%r2}, %d1; mov.b32 %r1, {%h1,%h2}; mov.b32 {%h1,%h2}, %r1;", "", 10 },
	{ "mov.b64 %d1, {%h1,%h2,%h3,%h4}; mov.b64 {%h1,%h2,%h3,%h4}, %d1; mov.b64 %e1, {%r1,%r2};", "", 10 },
	{ "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [image, {%f5}]; tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [image, "
	  "{%r1,%r2}];",
	  "", 10 },
	{ "tex.2d.v4.s32.f32 {%r1,%r2,%r3,%r4}, [image, {%f1,%f2}]; "
	  "tex.3d.v4.u32.f32 {%r1,%r2,%r3,%r4}, [image, {%f1,%f2,%f3,%f4}];",
	  "", 10 },
};

static const char all_registers[] = ".version 2.3\n.target sm_20\n.tex .u32 image;\n.const .align 8 .b8 "
				    "table[64];\n.shared .align 16 .b8 pool[64];\n"
				    ".entry k (.param .u32 a)\n{\n.local .align 16 .b8 mine[64];\n.reg .u16 "
				    "%h<9>;\n.reg .u32 %r<9>;\n.reg .u64 %d<9>;\n"
				    ".reg .pred %p<9>;\n.reg .f32 %f<9>;\n.reg .f64 %e<9>;\nld.param.u32 %r2, [a];\n";

static void put_form(const struct form *form, const char *type, char *out)
{
	char letter = !type[0] ? 'r' : strstr(type, "64") ? (*type == 'f' ? 'e' : 'd') : *type == 'f' ? 'f'
		      : strstr(type, "32") ? 'r' : 'h';

	out += sprintf(out, "%s", all_registers);
	for (const char *p = form->text; *p; p++) {
		if (*p == 'T' && p[-1] == '.')
			out += sprintf(out, "%s", type);
		else if (*p == 'R' && p[1] >= '1' && p[1] <= '9')
			out += sprintf(out, "%%%c", letter);
		else
			*out++ = *p;
	}
	strcpy(out, "\nexit;\n}\n");
}

static void check_form(const struct form *form, const char *type)
{
	unsigned sm = strstr(type, "f64") && form->sm < 13 ? 13 : form->sm;
	char text[4096], needs[32];

	put_form(form, type, text);
	snprintf(needs, sizeof needs, "needs sm_%u (", sm);
	for (unsigned c = 0; c < 4; c++) {
		struct wb_diag d = { 0 };
		struct wb_program *p = load_ptx(text, chips[c], &d);
		bool can = 10 + c >= sm;
		if (can ? !p : p || !strstr(d.text, needs))
			fail_msg("%s of %s on %s: found \"%s\", expected %s", form->text, type, chips[c],
				 p ? "no error" : d.text, can ? "no error" : needs);
		wb_program_free(p);
	}
}

static void every_form_compiles_or_names_its_chip(void **state)
{
	unsigned n = 0;

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		char types[128], *type, *rest;
		strcpy(types, forms[i].types);
		if (!*types)
			check_form(&forms[i], "");
		n += !*types;
		for (type = strtok_r(types, " ", &rest); type; type = strtok_r(NULL, " ", &rest), n++)
			check_form(&forms[i], type);
	}
	print_message("%u statements of a type\n", n);
}

/* ---- refusals ---- */

#define ENTRY(regs, body) ".version 1.4\n.target sm_13\n.entry k (.param .u32 a)\n{\n" regs "\n" body "\n}\n"

#define REGISTERS ".reg .u32 %r<9>; .reg .u64 %d<4>; .reg .f32 %f<5>; .reg .pred %p<4>;"

static void what_the_machine_cannot_do_is_refused_by_name(void **state)
{
	static const struct {
		const char *chip, *text, *message;
	} refusals[] = {
		{ "g84", ENTRY(".reg .f64 %d<4>;", "add.f64 %d1, %d2, %d3;"), "add.f64 needs sm_13 (g84 is sm_11)" },
		{ "g80", ENTRY(".reg .u32 %r<4>;", "red.global.add.u32 [%r1], %r2;"),
		  "red.global.add.u32 needs sm_11 (g80 is sm_10)" },
		{ "g84", ENTRY(REGISTERS, "atom.shared.add.u32 %r1, [%r2], %r3;"),
		  "atom.shared.add.u32 needs sm_12 (g84 is sm_11)" },
		{ "g84", ENTRY(REGISTERS, "atom.global.add.u64 %d1, [%r2], %d3;"),
		  "atom.global.add.u64 needs sm_12 (g84 is sm_11)" },
		{ NULL, ENTRY(REGISTERS, "atom.shared.exch.b16 %r1, [%r2], %r3;"),
		  "atom.shared.exch.b16 is not in sm_1x: an atomic takes a number of 32 or 64 bits" },
		{ NULL, ENTRY(REGISTERS, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];"),
		  "ldmatrix.sync.aligned.m8n8.x1.shared.b16 is not in sm_1x: the machine has no products of matrices" },
		{ NULL, ENTRY(REGISTERS, "mov.u32 %r1, %nsmid;"),
		  "%nsmid is not in sm_1x: the machine has no such register" },
		{ NULL, ENTRY(REGISTERS, "b: x: .branchtargets b, b; brx.idx %r1, b;"),
		  "brx: expected a number and the name of a list of .branchtargets" },
		{ NULL, ENTRY(REGISTERS, "call (%r1), %r2, (%r3);"), "expected a function with such arguments and " },
		{ NULL, ENTRY(REGISTERS, "p: .callprototype (.param .b32 _) _ (); call (%r1), %r2, (), p;"),
		  "expected a function with such arguments and results whose address the file takes" },
		{ NULL,
		  ".version 2.0\n.target sm_20\n.global .surfref s;\n.entry k () { .reg .u32 %r<3>; suld.b.1d.b32.trap "
		  "%r1, "
		  "[s, {%r2}]; }\n",
		  NULL },
		{ NULL, ENTRY(".shared .b32 s; .reg .u32 %r<3>;", "suld.b.1d.b32.trap %r1, [s, {%r2}];"),
		  "suld: expected a handle and coordinates in brackets" },
		{ NULL,
		  ".version 2.0\n.target sm_20\n.tex .u32 t;\n.global .samplerref s;\n.entry k () { .reg .f32 %f<5>; "
		  "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, s, {%f1, %f2}]; }\n",
		  "is not in sm_1x: samplers go with their textures" },
		{ NULL, ENTRY(".reg .u32 %r<4>;", "frob.u32 %r1, %r2;"), "unknown instruction `frob`" },
		{ NULL, ENTRY(".reg .u32 %r<4>;", "add.u32 %r1, %r9;"), "found `%r9`, which nothing declares" },
		{ NULL, ENTRY(".reg .u32 %r<4>;", "add.u32 %r1, %r2;"), "has 2 operands, expected 3" },
		{ NULL, ENTRY(".reg .u32 %r<4>;", "add.u32 %r1 %r2;"), "found '%r2', expected ',' or ';'" },
		{ NULL, ENTRY(".shared .b8 s[16380];", "exit;"), NULL },
		{ NULL,
		  ".version 1.4\n.target sm_10\n.func f () { call f, (); ret; }\n.entry k () { call f, (); exit; }\n",
		  NULL },
		{ NULL,
		  ".version 1.4\n.target sm_10\n.func f (.param .u32 a) { .reg .u32 %r; mov.u32 %r, a; call f, (%r); "
		  "ret; }\n.entry k () { call f, (1); exit; }\n",
		  "f calls itself and takes the address of a parameter" },
		{ NULL, ".version 1.4\n.target sm_10\n.extern .func g ();\n.entry k () { call g, (); exit; }\n",
		  "g is extern and nothing here defines it" },
		{ NULL, ".version 1.4\n.target sm_10\n.entry k (.param .align 4 .b8 p[300]) { exit; }\n",
		  "parameters take 300 bytes; 256 fit: --chip v100 takes 4096" },
		{ NULL,
		  ".version 1.4\n.target sm_10\n.entry k (.param .b8 p[300], .param .b8 q[4000]) { exit; }\n",
		  "parameters take 4300 bytes; 256 fit: a buffer, whose address is a parameter, holds the others" },
		{ NULL,
		  ".version 1.4\n.target sm_10\n.shared .b8 s[20000];\n.entry k () { .reg .u32 %r<2>; mov.u32 %r1, s; "
		  "st.shared.u32 [%r1], %r1; exit; }\n",
		  "shared memory takes 20016 bytes; 16384 fit: --chip v100 takes 49152" },
		{ "v100",
		  ".version 1.4\n.target sm_10\n.shared .b8 s[50000];\n.entry k () { .reg .u32 %r<2>; mov.u32 %r1, s; "
		  "st.shared.u32 [%r1], %r1; exit; }\n",
		  "shared memory takes 50016 bytes; 49152 fit: smaller variables in .shared" },
		{ NULL,
		  ".version 1.4\n.target sm_10\n.entry k () { .local .b8 s[70000]; .reg .u32 %r<2>; mov.u32 %r1, s; "
		  "st.local.u32 [%r1], %r1; exit; }\n",
		  "local memory of a thread takes 70000 bytes; 65536 fit: smaller variables in .local" },
		{ NULL, ".version 1.4\n.target sm_10\n.const .b8 c[70000];\n.entry k () { exit; }\n",
		  "constants take 70000 bytes; 65536 fit: in .global, instead of .const, a variable has any size" },
		{ NULL, ".version 1.4\n.target sm_10\n", "the file has no .entry" },
		{ "tonga", ENTRY("", "exit;"), "does not run PTX" },
	};

	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		struct wb_diag d = { 0 };
		struct wb_program *p = load_ptx(refusals[i].text, refusals[i].chip, &d);
		if (!refusals[i].message) {
			assert_non_null(p);
			wb_program_free(p);
			continue;
		}
		if (p || !strstr(d.text, refusals[i].message))
			fail_msg("%s\nfound \"%s\", expected \"%s\"", refusals[i].text, p ? "no error" : d.text,
				 refusals[i].message);
		assert_true(d.line > 0 || refusals[i].chip);
	}
}

static uint32_t fact(const char *chip, const char *key)
{
	struct wb_chip_fact f;
	assert_int_equal(wb_chip_find_fact(chip, key, &f, NULL), WB_OK);
	return (uint32_t)f.number;
}

/* The compiler's limits are those of launches: bytes of s[], capability, and threads of a block, which exchange a
 * word each where a chip has no warp primitives. */
static void chips_have_their_limits(void **state)
{
	static const char *const names[] = { "g80", "g84", "mcp77", "gt215", "g200", "v100" };
	static const char text[] =
		".version 6.0\n.target sm_30\n.shared .b8 s[200000];\n.entry k () { .reg .u32 %r<3>; mov.u32 %r1, s; "
		"shfl.sync.idx.b32 %r2, %r1, 0, 31, -1; st.shared.u32 [%r1], %r2; exit; }\n";

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		bool exchanges = strcmp(names[i], "v100") != 0;
		uint32_t own = 16 + (exchanges ? 4 * fact(names[i], "max_threads") : 0);
		struct wb_diag d = { 0 };
		char expected[120], number[40];
		snprintf(expected, sizeof expected, "shared memory takes %u bytes; %u fit: ", own + 200000,
			 fact(names[i], "shared_bytes"));
		assert_null(load_ptx(text, names[i], &d));
		if (!strstr(d.text, expected))
			fail_msg("%s: found \"%s\", expected \"%s\"", names[i], d.text, expected);
		snprintf(number, sizeof number, "(%s is sm_%u)", names[i], fact(names[i], "capability"));
		struct wb_program *p = load_ptx(ENTRY(".reg .f64 %d<4>;", "add.f64 %d1, %d2, %d3;"), names[i], &d);
		assert_true(p ? fact(names[i], "capability") == 13 : strstr(d.text, number) != NULL);
		wb_program_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_set_is_right_on_every_chip),
		cmocka_unit_test(integer_instructions_are_exact),
		cmocka_unit_test(float_functions_are_rounded_once),
		cmocka_unit_test(generic_addresses_find_their_memory),
		cmocka_unit_test(every_form_compiles_or_names_its_chip),
		cmocka_unit_test(what_the_machine_cannot_do_is_refused_by_name),
		cmocka_unit_test(chips_have_their_limits),
	};
	return cmocka_run_group_tests(tests, find_folders, NULL);
}
