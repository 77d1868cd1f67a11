/* Every word of PTX 9.0 at every instruction: the word is understood, or the instruction is refused by a message with
 * the word. No word is dropped: `add.f16` and `min.NaN.f32` are other operations than `add` and `min`. A row lists the
 * words of an instruction; ptxas 13 refuses a few of the pairs, since PTX 1.x could leave modifiers out. */
#include "tests/kit/launches.h"

static const char head[] = ".version 3.0\n.target sm_13\n.tex .u32 image;\n.shared .align 16 .b8 pool[64];\n"
			   ".entry k (.param .u32 a)\n{\n.reg .b8 %c<5>; .reg .b16 %h<9>; .reg .b32 %r<9>;\n"
			   ".reg .b64 %d<9>; .reg .pred %p<9>; .reg .f32 %f<9>; .reg .f64 %e<9>;\n"
			   "ld.param.u32 %r2, [a];\n";

/* Modifiers, spaces, operations and shapes; types stand apart. */
static const char words[] =
	"sat cc wide hi lo ftz rn rz rm rp rni rzi rmi rpi rna rs approx full NaN xorsign abs relu "
	"satfinite oob noftz finite infinite number notanumber normal subnormal eq ne lt le gt ge ls hs equ "
	"neu ltu leu gtu geu num nan and or xor clamp wrap l r f4e b4e rc8 ecl ecr rc16 shiftamt to global "
	"shared local const param shared::cta shared::cluster param::entry param::func reg tex volatile "
	"weak relaxed acquire release acq_rel sc mmio cta cluster gpu sys gl ca cg cs lu cv wb wt nc L1 L2 "
	"L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate "
	"L2::evict_normal L2::evict_last L2::evict_first L2::cache_hint L2::64B L2::128B L2::256B v2 v4 v8 "
	"uni sync aligned arrive red popc all any ballot warp exch cas add inc dec min max async bulk proxy "
	"alias 1d 2d 3d a1d a2d cube acube 2dms level grad base trap zero p b mask idx tensor up down bfly "
	"pack m16n8k16 row col trans multicast expect_tx noinc unified cp reduce satfinite "
	"scaled::n2::ue8m0 b0 b1 h0 h1 foo";

static const char types[] =
	"b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f32x2 f64 pred tf32 "
	"e4m3 e5m2 e4m3x2 e5m2x2 u16x2 s16x2 u8x4 s8x4 u4 s4 b1";

static const struct row {
	const char *op, *rest;           /* "add", ".s32 %r1, %r2, %r3;" */
	const char *words;               /* words that may stand between; '+': an instruction needs one */
} rows[] = {
#include "tests/kit/ptx_words.def"
};

static struct wb_program *load_statement(const char *statement, struct wb_diag *d)
{
	char text[2048];
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;

	snprintf(text, sizeof text, "%s%s\nexit;\n}\n", head, statement);
	if (wb_program_load(text, strlen(text), "test.ptx", c, &p, d) != WB_OK)
		p = NULL;
	wb_config_free(c);
	return p;
}

static bool listed(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; (p = strstr(p, word)); p++)
		if ((p == list || p[-1] == ' ') && (!p[n] || p[n] == ' '))
			return true;
	return false;
}

/* True: the statement is as expected. */
static bool try_word(const struct row *r, const char *word)
{
	char statement[256], dotted[40];
	struct wb_diag d = { 0 };

	snprintf(statement, sizeof statement, "%s.%s%s", r->op, word, r->rest);
	snprintf(dotted, sizeof dotted, ".%s", word);
	struct wb_program *p = load_statement(statement, &d);
	bool may = listed(r->words, word), by_name = strstr(d.text, dotted), compiled = p;
	wb_program_free(p);
	if (may == compiled && (compiled || (by_name && d.line > 0)))
		return true;
	print_error("%s: found \"%s\", expected %s\n", statement, compiled ? "no error" : d.text,
		    may ? "no error" : "the word in a message");
	return false;
}

static void every_word_is_understood_or_refused_by_name(void **state)
{
	unsigned wrong = 0, n = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct wb_diag d = { 0 };
		char statement[256], list[sizeof words], *rest;
		snprintf(statement, sizeof statement, "%s%s", rows[i].op, rows[i].rest);
		struct wb_program *p = load_statement(statement, &d);
		bool good = p || *rows[i].words == '+';
		if (!good)
			print_error("%s: %s\n", statement, d.text);
		wrong += !good;
		wb_program_free(p);
		strcpy(list, words);
		for (char *word = strtok_r(list, " ", &rest); word; word = strtok_r(NULL, " ", &rest), n++)
			wrong += !try_word(&rows[i], word);
	}
	print_message("%u words at an instruction\n", n);
	assert_int_equal(wrong, 0);
}

/* ---- types ---- */

static const struct typed {
	const char *op, *operands, *types;
} typed[] = {
#define INTS "u16 u32 u64 s16 s32 s64"
	{ "add", "R, R, R", INTS " f32 f64 f16 f16x2 bf16 bf16x2 u16x2 s16x2" },
	{ "sub", "R, R, R", INTS " f32 f64 f16 f16x2 bf16 bf16x2" },
	{ "mul", "R, R, R", "f32 f64 f16 f16x2 bf16 bf16x2" },
	{ "mul.lo", "R, R, R", INTS },
	{ "mul.hi", "R, R, R", INTS },
	{ "mad", "R, R, R, R", "f32 f64" },
	{ "mad.lo", "R, R, R, R", INTS },
	{ "fma.rn", "R, R, R, R", "f32 f64 f16 f16x2 bf16 bf16x2" },
	{ "mul24.lo", "R, R, R", "u32 s32" },
	{ "mad24.lo", "R, R, R, R", "u32 s32" },
	{ "sad", "R, R, R, R", "u16 u32 s16 s32" },
	{ "div", "R, R, R", INTS " f32 f64" },
	{ "rem", "R, R, R", INTS " f32" },
	{ "abs", "R, R", "s16 s32 s64 f32 f64 f16 f16x2 bf16 bf16x2" },
	{ "neg", "R, R", "s16 s32 s64 f32 f64 f16 f16x2 bf16 bf16x2" },
	{ "min", "R, R, R", INTS " f32 f64 f16 f16x2 bf16 bf16x2 u16x2 s16x2" },
	{ "max", "R, R, R", INTS " f32 f64 f16 f16x2 bf16 bf16x2 u16x2 s16x2" },
	{ "popc", "%r1, R", "b32 b64" },
	{ "clz", "%r1, R", "b32 b64" },
	{ "brev", "R, R", "b32 b64" },
	{ "bfind", "%r1, R", "u32 u64 s32 s64" },
	{ "bfe", "R, R, %r3, %r4", "u32 u64 s32 s64" },
	{ "bfi", "R, R, R, %r3, %r4", "b32 b64" },
	{ "testp.finite", "%p1, R", "f32 f64" },
	{ "copysign", "R, R, R", "f32 f64" },
	{ "rcp", "R, R", "f32 f64" },
	{ "sqrt", "R, R", "f32 f64" },
	{ "rsqrt", "R, R", "f32 f64" },
	{ "sin", "R, R", "f32" },
	{ "cos", "R, R", "f32" },
	{ "lg2", "R, R", "f32" },
	{ "ex2", "R, R", "f32" },
	{ "setp.eq", "%p1, R, R", INTS " b16 b32 b64 f32 f64 f16 f16x2 bf16 bf16x2" },
	{ "setp.lt", "%p1, R, R", INTS " f32 f64 f16 f16x2 bf16 bf16x2" },
	{ "setp.lo", "%p1, R, R", "u16 u32 u64" },
	{ "setp.geu", "%p1, R, R", "f32 f64 f16 f16x2 bf16 bf16x2" },
	{ "set.eq.u32", "%r1, R, R", INTS " b16 b32 b64 f32 f64 f16 f16x2 bf16 bf16x2" },
	{ "set.hs.f32", "%f1, R, R", "u16 u32 u64" },
	{ "selp", "R, R, R, %p1", INTS " b16 b32 b64 f32 f64" },
	{ "slct", "R, R, R, %r3", "" },
	{ "and", "R, R, R", "b16 b32 b64 pred" },
	{ "or", "R, R, R", "b16 b32 b64 pred" },
	{ "xor", "R, R, R", "b16 b32 b64 pred" },
	{ "not", "R, R", "b16 b32 b64 pred" },
	{ "cnot", "R, R", "b16 b32 b64" },
	{ "shl", "R, R, %r3", "b16 b32 b64" },
	{ "shr", "R, R, %r3", "b16 b32 b64 " INTS },
	{ "shf.l.wrap", "R, R, R, %r3", "b32" },
	{ "prmt", "R, R, R, %r3", "b32" },
	{ "mov", "R, R", "b16 b32 b64 f32 f64 pred " INTS },
	{ "ld.global", "R, [%r2]", "b8 u8 s8 b16 b32 b64 f32 f64 " INTS },
	{ "st.global", "[%r2], R", "b8 u8 s8 b16 b32 b64 f32 f64 " INTS },
	{ "atom.global.add", "R, [%r2], R", "u32 s32 b32 u64 f32 f64" },
	{ "atom.global.and", "R, [%r2], R", "b32 b64" },
	{ "atom.global.exch", "R, [%r2], R", "b32 b64" },
	{ "atom.global.cas", "R, [%r2], R, R", "b16 b32 b64" },
	{ "atom.global.add.noftz", "R, [%r2], R", "f16 f16x2 bf16 bf16x2" },
	{ "atom.global.min", "R, [%r2], R", "u32 s32 u64 s64" },
	{ "atom.shared.max", "R, [%r2], R", "u32 s32 u64 s64" },
	{ "red.global.inc", "[%r2], R", "u32" },
	{ "red.shared.or", "[%r2], R", "b32 b64" },
	{ "cvta.global", "R, R", "u32 u64" },
	{ "cvt.u32", "%r1, R", "u8 s8 f16 f32 f64 " INTS },
	{ "cvt.s8", "%r1, R", "u8 s8 f16 f32 f64 " INTS },
	{ "cvt.f32", "%f1, R", "u8 s8 f16 bf16 f32 f64 " INTS },
	{ "cvt.f16", "%h1, R", "u8 s8 f16 f32 f64 " INTS },
	{ "cvt.f64", "%e1, R", "u8 s8 f16 f32 f64 " INTS },
	{ "vote.all", "%p1, %p2", "pred" },
};

static const char *register_of(const char *type)
{
	size_t n = strlen(type);
	bool is_float = *type == 'f', pair = n > 2 && !strcmp(type + n - 2, "x2"), pred = !strcmp(type, "pred");

	return pred ? "%p2" : strstr(type, "64") || !strcmp(type, "f32x2") ? (is_float && !pair ? "%e2" : "%d2")
	       : strstr(type, "32") || pair ? (is_float && !pair ? "%f2" : "%r2") : "%h2";
}

static void every_type_is_understood_or_refused_by_name(void **state)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
		char list[sizeof types], *rest;
		strcpy(list, types);
		for (char *t = strtok_r(list, " ", &rest); t; t = strtok_r(NULL, " ", &rest)) {
			char statement[256], *end = statement;
			struct wb_diag d = { 0 };
			end += sprintf(end, "%s.%s ", typed[i].op, t);
			for (const char *p = typed[i].operands; *p; p++)
				end += *p == 'R' ? sprintf(end, "%s", register_of(t)) : sprintf(end, "%c", *p);
			strcpy(end, ";");
			struct wb_program *p = load_statement(statement, &d);
			bool good = listed(typed[i].types, t) ? p != NULL : !p && strstr(d.text, t);
			if (!good)
				print_error("%s found \"%s\"\n", statement, p ? "no error" : d.text);
			wrong += !good;
			wb_program_free(p);
		}
	}
	assert_int_equal(wrong, 0);
}

/* ---- operands ---- */

static void every_operand_is_understood_or_refused_by_its_place(void **state)
{
	static const struct {
		const char *statement, *message;
	} refusals[] = {
		{ "add.u32 %r1, %r2;", "`add.u32` has 2 operands, expected 3" },
		{ "add.u32 %r1, %r2, %r3, %r4;", "`add.u32` has 4 operands, expected 3" },
		{ "bar.arrive 0;", "`bar.arrive` has 1 operands, expected 2" },
		{ "ret %r1;", "`ret` has 1 operands, expected 0" },
		{ "exit.uni;", "`exit.uni`: found `.uni`, expected no more words" },
		{ "add.u32 %r1, _, %r2;", "operand 2 of `add.u32`: found '_', expected a register or a number of 32" },
		{ "add.u32 5, %r2, %r3;", "operand 1 of `add.u32`: found an integer, expected a register of 32 bits" },
		{ "add.u32 %r1, !%r2, %r3;", "found '!' before an operand of `add.u32` that is no predicate" },
		{ "setp.ne.b32 %p1, !%r2, 0;", "found '!' before an operand" },
		{ "ld.global.u32 %r1, ![%r2];", "found '!' before an operand" },
		{ "add.u32 %r1|%p1, %r2, %r3;", "found a second result of `add.u32`, expected one" },
		{ "set.eq.u32.u32 %r1|%p1, %r2, %r3;", "found a second result" },
		{ "setp.eq.u32 %p1|%r1, %r2, %r3;", "an operand of `setp.eq.u32`: found a register of 32 bits" },
		{ "setp.eq.u32 %r1, %r2, %r3;",
		  "operand 1 of `setp.eq.u32`: found a register of 32 bits, expected a pred" },
		{ "add.u32 %p1, %r2, %r3;", "operand 1 of `add.u32`: found a predicate, expected a register" },
		{ "and.pred %p1, %r2, %p3;",
		  "operand 2 of `and.pred`: found a register of 32 bits, expected a predicate" },
		{ "selp.u32 %r1, %r2, %r3, %r4;", "operand 4 of `selp.u32`: found a register of 32 bits, expected a" },
		{ "add.u32 %r1, %h2, %r3;",
		  "operand 2 of `add.u32`: found a register of 16 bits, expected a register" },
		{ "add.s32 %f1, %r2, %r3;",
		  "`add.s32`: found `%f1`, a register of floats, expected one of whole numbers" },
		{ "add.s32 %r1, %f2, %r3;", "`add.s32`: found `%f2`, a register of floats" },
		{ "mov.u64 %e1, %d2;", "`mov.u64`: found `%e1`, a register of floats" },
		{ "shr.u32 %r1, %r2, %f3;", "`shr.u32`: found `%f3`, a register of floats" },
		{ "ld.global.v2.u32 {%r1, %f3}, [%r2];", "found `%f3`, a register of floats" },
		{ "ld.global.u32 %r1, [%f2];", "`ld.global.u32`: found `%f2`, a register of floats" },
		{ ".reg .s32 %s; mul.f32 %f1, %f2, %s;", "`mul.f32`: found `%s`, a register of whole numbers" },
		{ ".reg .u32 %u; cvt.rn.f32.s32 %u, %r2;",
		  "found `%u`, a register of whole numbers, expected one of floats" },
		{ "mov.u32 %r1, %tid;",
		  "`mov.u32`: found `%tid`, which has components, expected `%tid.x`, `.y` or `.z`" },
		{ "add.u32 %r1, %nctaid, %r2;", "found `%nctaid`, which has components" },
		{ "mov.u32 %r1, %d2;",
		  "operand 2 of `mov.u32`: found a register of 64 bits, expected a register of 32" },
		{ "add.u32 %r1, %d2, %r3;",
		  "operand 2 of `add.u32`: found a register of 64 bits, expected a register" },
		{ "add.u64 %d1, %d2, %r3;",
		  "operand 3 of `add.u64`: found a register of 32 bits, expected a register" },
		{ "mul.wide.u32 %r1, %r2, %r3;",
		  "operand 1 of `mul.wide.u32`: found a register of 32 bits, expected a" },
		{ "ld.global.u32 %h1, [%r2];", "operand 1 of `ld.global.u32`: found a register of 16 bits" },
		{ "st.global.u32 [%r2], %h1;", "operand 2 of `st.global.u32`: found a register of 16 bits" },
		{ "cvt.u32.u16 %h1, %h2;", "operand 1 of `cvt.u32.u16`: found a register of 16 bits" },
		{ "cvt.u16.u32 %h1, %h2;", "operand 2 of `cvt.u16.u32`: found a register of 16 bits" },
		{ "add.f32 %f1, %f2, 5;", "operand 3 of `add.f32`: found an integer, expected a fraction" },
		{ "add.u32 %r1, %r2, 1.5;", "operand 3 of `add.u32`: found a fraction, expected an integer" },
		{ "st.global.f32 [%r2], 1;", "operand 2 of `st.global.f32`: found an integer, expected a fraction" },
		{ "ld.global.v2.u32 %r1, [%r2];",
		  "operand 1 of `ld.global.v2.u32`: found a register of 32 bits, expected a "
		  "vector of 2" },
		{ "ld.global.v4.u32 {%r1, %r3}, [%r2];", "found a vector, expected a vector of 4" },
		{ "ld.global.u32 {%r1, %r3}, [%r2];",
		  "operand 1 of `ld.global.u32`: found a vector, expected a register" },
		{ "ld.global.u32 %r1, %r2;",
		  "operand 2 of `ld.global.u32`: found a register of 32 bits, expected an add" },
		{ "add.u32 %r1, [%r2], %r3;",
		  "operand 2 of `add.u32`: found an address, expected a register or a number" },
		{ "add.u32 %r1, L, %r3; L:", "operand 2 of `add.u32`: found a label, expected a register or a number" },
		{ "add.u16 %h1, pool, %h2;",
		  "operand 2 of `add.u16`: found a variable, expected a register or a number" },
		{ "add.u32 %r1, %r2.b1, %r3;", "operand 2 of `add.u32`: found a part of a register, expected" },
		{ "vadd.s32.s32.s32 %r1, %h2.b1, %r3.h0;",
		  "operand 2 of `vadd.s32.s32.s32`: found a part of a register, expected a register or a number" },
		{ "vadd.s32.s32.s32 %r1, %r2, %r3, %r4;", "`vadd.s32.s32.s32` has 4 operands; a third source goes" },
		{ "vadd.s32.s32.s32 %r1.b1, %r2, %r3;", "`vadd.s32.s32.s32` has 3 operands; a third source goes" },
		{ "vset.s32.s32.foo %r1, %r2.b1, %r3.h0;", "`vset.s32.s32.foo`: found `.foo`, expected .eq .ne" },
		{ "add.f16 %h1, %h2, 0x3c00;", "operand 3 of `add.f16`: found an integer, expected a fraction" },
		{ "setp.eq.ftz.f16 %p1, %h2, %h3;", "setp.eq.ftz.f16 is not in sm_1x: denormals of f16 are numbers" },
		{ "ld.param.u32 %r1, [a+2];", "found byte 2 of the parameters, expected a multiple of 4" },
		{ "ld.param.u32 %r1, [a+4];", "found byte 4 of the parameters, which have 4" },
		{ "ld.param.u32 %r1, [a+-4];", "found byte -4 of the parameters, which have 4" },
		{ "mov.u32 %r1, %h2;", "operand 2 of `mov.u32`: found a register of 16 bits, expected a reg" },
		{ "mov.u32 %h1, %r2;", "operand 1 of `mov.u32`: found a register of 16 bits, expected a reg" },
		{ "pmevent %r1;", "operand 1 of `pmevent`: found a register of 32 bits, expected a constant" },
		{ "mul.u32 %r1, %r2, %r3;", "`mul.u32`: expected one word more: .lo .hi .wide" },
		{ "shf.l.b32 %r1, %r2, %r3, %r4;", "`shf.l.b32`: expected one word more: .clamp .wrap" },
		{ "vote.sync.any.pred %p1, %p2, %h2;",
		  "operand 3 of `vote.sync.any.pred`: found a register of 16 bits, expected" },
		{ "shfl.sync.idx.b32 %r1|%r2, %r3, 1, 31, -1;",
		  "an operand of `shfl.sync.idx.b32`: found a register of 32 bits, expected a predicate" },
		{ "shfl.sync.idx.b32 %d1, %r3, 1, 31, -1;",
		  "operand 1 of `shfl.sync.idx.b32`: found a register of 64 bits, expected a register of 32 bits" },
		{ "match.any.sync.b32 %r1|%p1, %r2, -1;",
		  "found a second result of `match.any.sync.b32`, expected one" },
	};
	static const char *const good[] = {
		"setp.eq.u32 %p1|%p2, %r2, %r3;", "setp.eq.u32 _|%p2, %r2, %r3;", "setp.eq.u32 %p1|_, %r2, %r3;",
		"mov.u32 %r8, -1; L: setp.eq.u32 %p1, %r2, 0; vote.sync.any.pred %p2, %p1, %r8; @%p2 bra L;",
		"vote.sync.any.pred %p1, %p2, %r2;", "shfl.sync.up.b32 _|%p1, %r2, 1, 0, -1;",
		"tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, {%r1}];",       /* a handle that lanes know alone */
		"and.pred %p1, !%p2, %p3;", "and.pred %p1, 1, !0;", "mov.pred %p1, !%p2;",
		"selp.u32 %r1, %r2, %r3, !%p1;",
		"mov.b32 %r1, 0f3f800000;", "mov.b64 %d1, 0d3ff0000000000000;", "add.f64 %e1, %e2, 0f3f800000;",
		"add.f32 %f1, %f2, 0d3ff0000000000000;", "add.f32 %r1, %f2, %r3;", "ld.global.u8 %d1, [%r2];",
		"st.global.u8 [%r2], %d3;", "cvt.u16.u32 %r1, %d2;", "atom.global.add.u32 _, [%r2], 5;",
		"ld.global.v2.u32 {_, %r1}, [%r2];", "mov.u32 %r1, pool;", "mov.u32 %r1, %tid.x;",
		"mul.lo.u32 %r1, 5, %r2;", "add.u32 %r1, !5, %r3;", "vadd.u32.s32.u32.sat %r1.h1, %r2.b3, %r3, %r1;",
	};

	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		struct wb_diag d = { 0 };
		struct wb_program *p = load_statement(refusals[i].statement, &d);
		if (p || !strstr(d.text, refusals[i].message) || d.line != 10)
			fail_msg("%s found \"%s\" at line %d, expected \"%s\" at 10", refusals[i].statement,
				 p ? "no error" : d.text, d.line, refusals[i].message);
	}
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct wb_diag d = { 0 };
		struct wb_program *p = load_statement(good[i], &d);
		if (!p)
			fail_msg("%s: %s", good[i], d.text);
		wb_program_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_word_is_understood_or_refused_by_name),
		cmocka_unit_test(every_type_is_understood_or_refused_by_name),
		cmocka_unit_test(every_operand_is_understood_or_refused_by_its_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
