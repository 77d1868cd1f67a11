/* Every form of core/compile/grammar.def, with operands of every kind (registers, parameters, constants, shared memory,
 * special registers, results without a use, guards), on every chip: a program, or a refusal at the statement's line.
 * The assembler refuses nothing that the compiler writes: such a refusal is the status WB_INTERNAL.
 *
 * And a constant means what a register with the same bits means: each form of registers runs with constants, and with
 * the same bits loaded from memory.
 *
 *     test_ptx_forms [SEED]       another sample of operands */
#include <math.h>

#include "core/base/rng.h"
#include "tests/kit/launches.h"

static const char *const chips[] = { "g80", "g84", "mcp77", "g200" };

static const struct form {
	const char *op, *words, *operands;
} forms[] = {
#define FORM(op, words, operands) { op, words, operands },
#include "core/compile/grammar.def"
};

enum { FORMS = sizeof forms / sizeof *forms, TRIES = 6, STATEMENT_LINE = 20 };

static uint64_t seed;

static uint32_t below(uint32_t n) { return rng_below(&seed, n); }

#define ANY_OF(...) ((const char *const[]){ __VA_ARGS__ }[below(sizeof((const char *[]){ __VA_ARGS__ }) / \
								    sizeof(char *))])

/* ---- words ---- */

/* A way through the slots of a form: of each slot a word, or none of an optional slot. */
static void choose_words(const struct form *f, char *out)
{
	out += sprintf(out, "%s", f->op);
	for (const char *p = f->words; *p;) {
		size_t n = strcspn(p, " ");
		bool may_stay = *p == '?';
		const char *slot = p + may_stay, *end = p + n;
		unsigned count = 1;
		for (const char *q = slot; q < end; q++)
			count += *q == '|';
		unsigned pick = below(count + (may_stay ? (count + 1) / 2 : 0));
		for (const char *q = slot; pick < count && q < end; pick--) {
			size_t length = 0;
			while (q + length < end && q[length] != '|')
				length++;
			if (!pick) {
				out += sprintf(out, ".%.*s", (int)length, q);
				break;
			}
			q += length + 1;
		}
		p += n + (p[n] == ' ');
	}
}

static const char *type_of(const char *statement, unsigned n, char out[8])
{
	static const char list[] = " b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f16 f32 f64 pred ";

	*out = '\0';
	for (const char *p = strchr(statement, '.'); p; p = strchr(p + 1, '.')) {
		char word[12] = " ";
		size_t length = strcspn(p + 1, ". ");
		if (length > 7)
			continue;
		memcpy(word + 1, p + 1, length);
		strcpy(word + 1 + length, " ");
		if (!strstr(list, word) || n--)
			continue;
		memcpy(out, p + 1, length);
		out[length] = '\0';
		return out;
	}
	return NULL;
}

/* ---- operands ---- */

static char letter_of(const char *type)
{
	bool wide = strstr(type, "64"), word = strstr(type, "32");

	return *type == 'p' ? 'p' : wide ? (*type == 'f' ? 'e' : 'd') : word ? (*type == 'f' ? 'f' : 'r') : 'h';
}

/* Constants of the statement that is made, as bits; `loads`: registers of the second program take their place. */
static struct {
	bool loads;
	unsigned n;
	uint64_t bits[8];
} constants;

static uint64_t bits_of(const char *type, double d)
{
	float f = (float)d;
	uint64_t bits = 0;

	if (strstr(type, "64"))
		memcpy(&bits, &d, sizeof d);
	else
		memcpy(&bits, &f, sizeof f);
	return bits;
}

/* A constant of the type, as text or as the register with its bits. */
static void put_constant(const char *type, char *out)
{
	static const int64_t whole[] = { 0, 1, -1, 2, 3, 5, 8, 25, 31, 32, 63, 64, 100, 255, 65535, 65536, 100000,
					 INT32_MIN, INT32_MAX, 0xffffffff, INT64_MAX, 1ll << 40 };
	static const double fractions[] = { 0, 1, 1.5, -2, 0.1, 3e38, 1e-30, HUGE_VAL, -65504 };
	unsigned k = constants.n++ % 8;

	if (*type == 'f') {
		double d = fractions[below(sizeof fractions / sizeof *fractions)];
		constants.bits[k] = bits_of(type, d);
		sprintf(out, strstr(type, "64") ? "0d%016" PRIx64 : "0f%08" PRIx64, constants.bits[k]);
	} else {
		bool wide = strstr(type, "64"), narrow = strstr(type, "16");
		int64_t v = whole[below(sizeof whole / sizeof *whole - (wide ? 0 : 2))];
		v = narrow ? (*type == 's' ? (int16_t)v : (uint16_t)v) : v;
		constants.bits[k] = (uint64_t)v;
		sprintf(out, "%" PRId64, v);
	}
	if (constants.loads)
		sprintf(out, "%%%c%u", letter_of(type), 10 + k);
}

static void put_source(const char *type, char *out)
{
	bool is_float = *type == 'f';
	char letter = letter_of(type);
	unsigned kind = below(10);

	if (is_float && letter != 'h' && kind < 3)
		strcpy(out, ANY_OF("0f00000000", "0f3f800000", "1.5", "-2.0", "0f7f800000", "0d7ff0000000000000"));
	else if (!is_float && kind < 4)
		strcpy(out, ANY_OF("0", "1", "-1", "2", "5", "8", "25", "31", "32", "100", "255", "65535", "65536",
				   "100000", "0x80000000", "0x7fffffff"));
	else if (letter == 'r' && kind == 4)
		strcpy(out, ANY_OF("%tid.x", "%ntid.x", "%ctaid.y", "%laneid", "%clock", "pool", "var", "table",
				   "mine"));
	else /* 1, 2: loaded; 3: a parameter; 4: of s[]; 5: results */
		sprintf(out, "%%%c%u", letter, 1 + below(5));
}

static const char *twice(const char *type)
{
	return !strcmp(type, "u16") ? "u32" : !strcmp(type, "s16") ? "s32" : *type == 'u' ? "u64" : "s64";
}

static void put_address(const char *statement, char *out)
{
	const char *offset = ANY_OF("", "", "+4", "+16", "+3", "+0x1000", "-4", "+65532", "+100");

	if (strstr(statement, ".param"))
		sprintf(out, "[%s%s]", ANY_OF("a", "a", "b"), offset);
	else
		sprintf(out, "[%s%s]", ANY_OF("%r1", "%r2", "%r3", "%r4", "pool", "var", "table", "mine", "16"),
			offset);
}

static void put_vector(const char *statement, const char *type, bool result, char *out)
{
	unsigned n = strstr(statement, ".v2") ? 2 : strstr(statement, ".v4") ? 4 : 0;

	if (!n && result) {
		sprintf(out, "%%%c5", letter_of(type));
		return;
	}
	if (!n) {
		put_source(type, out);
		return;
	}
	char *p = out + sprintf(out, "{");
	for (unsigned i = 0; i < n; i++) {
		if (result)
			p += sprintf(p, "%%%c%u", letter_of(type), 5 + i);
		else
			put_source(type, p), p += strlen(p);
		p += sprintf(p, i + 1 < n ? ", " : "}");
	}
}

static void put_operand(char letter, const char *statement, const char *t0, const char *t1, char *out)
{
	switch (letter) {
	case 'd':
	case 'r': sprintf(out, "%%%c5", letter_of(t0)); break;
	case 'R': put_vector(statement, t0, true, out); break;
	case 'X': put_vector(statement, t0, false, out); break;
	case 'D': sprintf(out, "%%%c5", letter_of(twice(t0))); break;
	case 'u': strcpy(out, "%r5"); break;
	case 'w': sprintf(out, "%%r%u", 1 + below(5)); break;
	case 'p': strcpy(out, "%p5"); break;
	case 'P': strcpy(out, ANY_OF("%p5", "%p5|%p4", "_|%p5")); break;
	case 's': put_source(t0, out); break;
	case 't':
	case 'x': put_source(t1, out); break;
	case 'S': put_source(twice(t0), out); break;
	case 'n': put_source("u32", out); break;
	case 'q': strcpy(out, ANY_OF("%p1", "!%p1", "%p2", "!%p5", "1", "0")); break;
	case 'k': strcpy(out, ANY_OF("0", "1", "32", "64")); break;
	case 'a': put_address(statement, out); break;
	default: put_source(t0, out); break;
	}
}

/* mov of a register, or of the words or halves of one. */
static void put_move(const char *type, char *out)
{
	char operand[64], more[64];

	out += strlen(out);
	if (strcmp(type, "b64") && strcmp(type, "b32")) {
		put_source(type, operand);
		sprintf(out, " %%%c5, %s;", letter_of(type), operand);
		return;
	}
	bool words = !strcmp(type, "b64"), whole = below(2);
	put_source(words ? "b32" : "b16", operand);
	put_source(words ? "b32" : "b16", more);
	if (whole)
		sprintf(out, " %%%c5, {%s, %s};", words ? 'd' : 'r', operand, more);
	else
		sprintf(out, " {%%%c5, %s}, %%%c%u;", words ? 'r' : 'h', below(2) ? "_" : words ? "%r6" : "%h6",
			words ? 'd' : 'r', 1 + below(5));
}

/* A statement of the form, or false: the form's operands are the lowering's alone (call, tex, bra). */
static bool statement_of(const struct form *f, char *out)
{
	char t0[8] = "", t1[8] = "", operand[64];

	if (strchr(f->operands, '*'))
		return false;
	choose_words(f, out);
	type_of(out, 0, t0);
	if (!type_of(out, 1, t1))
		strcpy(t1, t0);
	if (!strcmp(f->op, "mov") && strcmp(t0, "pred")) {
		put_move(t0, out);
		return true;
	}
	if (!strcmp(f->op, "isspacep") && !*t0)
		strcpy(t0, "u32");
	for (const char *p = f->operands; *p; p++) {
		bool optional = p[1] == '?';
		if (optional && below(2))
			break;
		put_operand(*p, out, t0, t1, operand);
		sprintf(out + strlen(out), "%s%s", p == f->operands ? " " : ", ", operand);
		p += optional;
	}
	strcat(out, ";");
	return true;
}

/* ---- programs ---- */

static const char head[] =
	".version 3.0\n.target sm_13\n.shared .align 16 .b8 pool[64];\n.const .align 16 .b8 table[64] = {1, 2};\n"
	".global .align 16 .b8 var[64];\n.entry k (.param .u32 a, .param .u32 b, .param .u64 c, .param .f32 g,"
	" .param .u16 i, .param .f64 j)\n{\n.local .align 16 .b8 mine[64];\n"
	".reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<9>; .reg .f32 %f<9>; .reg .f64 %e<9>;\n"
	"ld.param.u32 %r1, [a]; ld.global.u32 %r2, [%r1]; ld.param.u32 %r3, [b]; ld.shared.u32 %r4, [pool+4];\n"
	"ld.global.u16 %h1, [%r1]; ld.global.u16 %h2, [%r1+2]; ld.param.u16 %h3, [i]; ld.shared.u16 %h4, [pool+6];\n"
	"ld.global.u64 %d1, [%r1]; ld.global.u64 %d2, [%r1+8]; ld.param.u64 %d3, [c]; ld.shared.u64 %d4, [pool+8];\n"
	"ld.global.f32 %f1, [%r1]; ld.global.f32 %f2, [%r1+4]; ld.param.f32 %f3, [g]; ld.shared.f32 %f4, [pool+4];\n"
	"setp.lt.u32 %p1, %r2, %r3; setp.eq.f32 %p2, %f1, %f2; mov.u32 %r5, 7; mov.b64 %d5, 9;\n";

static const char doubles[] =
	"ld.global.f64 %e1, [%r1]; ld.global.f64 %e2, [%r1+8]; ld.param.f64 %e3, [j]; ld.shared.f64 %e4, [pool+8];\n"
	"mov.f64 %e5, 1.0;\n";

static const char uses[] =
	"\nst.global.u32 [%r1], %r5; st.global.u64 [%r1], %d5; st.global.u16 [%r1], %h5; st.global.f32 [%r1], %f5;\n"
	"selp.u32 %r5, 1, 2, %p5; st.global.u32 [%r1+4], %r5; st.global.u32 [%r1+8], %r6;\n";

/* A program of one or a few statements; the results are used, or not. */
static void make_program(char *out, char *statements)
{
	unsigned n = below(3) ? 1 : 2 + below(2);
	bool of_doubles = strstr(statements, "f64"), used = below(4);

	for (unsigned i = 1; i < n; i++) {
		char more[256], around[32] = "", label[16] = "";
		const char *guard = below(4) ? "" : ANY_OF("@%p1 ", "@!%p2 ");
		if (!statement_of(&forms[below(FORMS)], more))
			continue;
		of_doubles |= strstr(more, "f64") != NULL;
		if (!below(3)) {
			sprintf(around, "@%%p%u bra L%u; ", ANY_OF("1", "2", "5")[0] - '0', i);
			sprintf(label, " L%u:", i);
		}
		sprintf(statements + strlen(statements), " %s%s%s%s", around, guard, more, label);
	}
	sprintf(out, "%s%s%s%s%s\nexit;\n}\n", head, of_doubles ? doubles : "", statements, used ? uses : "",
		used && of_doubles ? "st.global.f64 [%r1], %e5;" : "");
}

static void every_form_is_a_program_or_refused(void **state)
{
	unsigned programs = 0, refused = 0, wrong = 0;

	for (size_t i = 0; i < FORMS; i++) {
		unsigned tries = 0;
		for (const char *p = forms[i].words; *p; p++)
			tries += *p == '|' || *p == '?';
		tries = (unsigned)sample_of(TRIES * (tries + 4));
		for (unsigned k = 0; k < tries; k++) {
			char statements[1024], text[4096];
			const char *chip = chips[below(4)], *guard = below(3) ? "" : ANY_OF("@%p1 ", "@!%p2 ");
			struct wb_config *c = wb_config_new();
			struct wb_program *p = NULL;
			struct wb_diag d = { 0 };
			strcpy(statements, guard);
			if (!statement_of(&forms[i], statements + strlen(guard)))
				k = tries;
			make_program(text, statements);
			assert_int_equal(wb_config_set(c, "chip", chip, &d), WB_OK);
			if (!below(3))
				assert_int_equal(wb_config_set(c, "max-regs", below(2) ? "8" : "16", &d), WB_OK);
			enum wb_status status = wb_program_load(text, strlen(text), "test.ptx", c, &p, &d);
			programs += status == WB_OK;
			refused += status == WB_INPUT;
			if (status != WB_OK && (status != WB_INPUT || d.line <= 0)) {
				print_error("%s: %s\n\t%s\n", chip, statements, d.text);
				wrong++;
			}
			wb_program_free(p);
			wb_config_free(c);
		}
	}
	print_message("%u programs, %u refused\n", programs, refused);
	assert_int_equal(wrong, 0);
}

/* ---- constants and registers ---- */

static const char lanes_head[] =
	".version 3.0\n.target sm_13\n.entry k (.param .u32 a, .param .u32 b, .param .u32 o)\n{\n"
	".reg .b16 %h<20>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .pred %p<9>; .reg .f32 %f<20>; .reg .f64 %e<20>;\n"
	".reg .b32 %i, %c, %o;\nmov.u32 %i, %tid.x; shl.b32 %i, %i, 5; ld.param.u32 %o, [o]; add.u32 %o, %o, %i;\n"
	"ld.param.u32 %c, [b]; ld.param.u32 %r9, [a]; add.u32 %i, %i, %r9;\n"
	"ld.global.u32 %r1, [%i]; ld.global.u32 %r2, [%i+4]; ld.global.u32 %r3, [%i+8];\n"
	"cvt.u16.u32 %h1, %r1; cvt.u16.u32 %h2, %r2; cvt.u16.u32 %h3, %r3;\n"
	"mov.b64 %d1, {%r1, %r2}; mov.b64 %d2, {%r2, %r3}; mov.b64 %d3, {%r3, %r1};\n"
	"mov.b32 %f1, %r1; mov.b32 %f2, %r2; mov.b32 %f3, %r3; mov.b64 %e1, %d1; mov.b64 %e2, %d2; mov.b64 %e3, %d3;\n"
	"setp.lt.s32 %p1, %r1, %r2; setp.gt.u32 %p2, %r3, %r1; mov.pred %p5, %p2;\n"
	"mov.u32 %r5, 7; mov.u16 %h5, 7; mov.b64 %d5, 7; mov.f32 %f5, 7.0; mov.f64 %e5, 7.0;\n";

static const char lanes_end[] =
	"\nselp.u32 %r6, 1, 0, %p5; st.global.u32 [%o], %r5; st.global.u32 [%o+4], %r6; st.global.u64 [%o+8], %d5;\n"
	"st.global.u16 [%o+16], %h5; st.global.f32 [%o+20], %f5; st.global.f64 [%o+24], %e5;\nexit;\n}\n";

enum { LANES = 64, LANE_BYTES = 32 };

/* Operands of a form as constants or registers 1 to 3, the same for the same seed; false: the form has others. */
static bool computing_statement(const struct form *f, char *out)
{
	char t0[8] = "", t1[8] = "", operand[64];

	if (f->operands[strcspn(f->operands, "aRXmk*?")] || !*f->operands || !strcmp(f->op, "nanosleep"))
		return false;
	choose_words(f, out);
	type_of(out, 0, t0);
	if (!type_of(out, 1, t1))
		strcpy(t1, t0);
	for (const char *p = f->operands; *p; p++) {
		const char *type = strchr("tx", *p) ? t1 : *p == 'n' ? "u32" : *p == 'S' ? twice(t0) : t0;
		if (strchr("stxnS", *p) && strcmp(type, "f16") && below(2))
			put_constant(type, operand);
		else if (strchr("stxnS", *p))
			sprintf(operand, "%%%c%u", letter_of(type), 1 + below(3));
		else if (*p == 'w')
			sprintf(operand, "%%r%u", p == f->operands ? 5 : 1 + below(3));
		else
			put_operand(*p, out, t0, t1, operand);
		sprintf(out + strlen(out), "%s%s", p == f->operands ? " " : ", ", operand);
	}
	strcat(out, ";");
	return true;
}

static bool run_lanes(const char *statement, const char *chip, const uint32_t *in, uint8_t *out, struct wb_diag *d)
{
	static const struct setting setup[] = { { "grid", "1" }, { "block", "64" }, { "timing", "off" }, { 0 } };
	char text[8192], *end = text + sprintf(text, "%s", lanes_head);
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;

	for (unsigned k = 0; constants.loads && k < constants.n && k < 8; k++)
		end += sprintf(end, "ld.global.u32 %%r%u, [%%c+%u]; ld.global.u16 %%h%u, [%%c+%u]; "
			       "ld.global.u64 %%d%u, [%%c+%u]; ld.global.f32 %%f%u, [%%c+%u]; "
			       "ld.global.f64 %%e%u, [%%c+%u];\n", 10 + k, 8 * k, 10 + k, 8 * k, 10 + k, 8 * k,
			       10 + k, 8 * k, 10 + k, 8 * k);
	sprintf(end, "%s%s", statement, lanes_end);
	assert_int_equal(wb_config_set(c, "chip", chip, d), WB_OK);
	bool good = wb_program_load(text, strlen(text), "test.ptx", c, &p, d) == WB_OK;
	wb_config_free(c);
	if (!good)
		return false;
	struct wb_launch *l = launch(p, setup);
	assert_int_equal(wb_launch_arg(l, "zero=2048", d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "zero=64", d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "zero=2048", d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 0, 0, in, LANES * LANE_BYTES, d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 1, 0, constants.bits, sizeof constants.bits, d), WB_OK);
	good = wb_launch_run(l, d) == WB_OK;
	assert_int_equal(wb_launch_read_arg(l, 2, 0, out, LANES * LANE_BYTES, d), WB_OK);
	wb_launch_free(l);
	wb_program_free(p);
	return good;
}

static void a_constant_is_a_register_with_its_bits(void **state)
{
	static const uint32_t edges[] = { 0, 1, 2, 5, 31, 32, 255, 256, 32767, 32768, 65535, 65536, 0xffffff, 0x1000000,
					  0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x3f800000, 0xbf800000,
					  0x7f800000, 0xff800000, 0x7fffffff, 0x40490fdb, 0x4b000001, 0x3fc00000 };
	static uint32_t in[LANES][LANE_BYTES / 4];
	static uint8_t out[2][LANES * LANE_BYTES];
	unsigned compared = 0, wrong = 0;

	for (unsigned i = 0; i < LANES; i++)
		for (unsigned k = 0; k < 3; k++)
			in[i][k] = below(3) ? edges[below(sizeof edges / sizeof *edges)] : (uint32_t)rng_next(&seed);
	for (size_t i = 0; i < FORMS; i++) {
		unsigned tries = 0;
		for (const char *p = forms[i].words; *p; p++)
			tries += *p == '|' || *p == '?';
		tries = (unsigned)sample_of(4 * (tries + 4));
		for (unsigned k = 0; k < tries; k++) {
			char statement[2][256];
			const char *chip = below(2) ? "g200" : "g80";
			struct wb_diag d = { 0 };
			uint64_t begin = seed;
			bool good = true;
			for (unsigned m = 0; m < 2 && good; m++) {
				seed = begin;
				constants.loads = m;
				constants.n = 0;
				good = computing_statement(&forms[i], statement[m]) && (m || constants.n) &&
				       run_lanes(statement[m], chip, in[0], out[m], &d);
			}
			compared += good;
			if (!good || !memcmp(out[0], out[1], sizeof *out))
				continue;
			unsigned at = 0;
			while (out[0][at] == out[1][at])
				at++;
			print_error("%s: %s and %s differ in lane %u (0x%x 0x%x 0x%x), byte %u\n", chip, statement[0],
				    statement[1], at / LANE_BYTES, in[at / LANE_BYTES][0], in[at / LANE_BYTES][1],
				    in[at / LANE_BYTES][2], at % LANE_BYTES);
			wrong++;
		}
	}
	print_message("%u pairs\n", compared);
	assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_is_a_program_or_refused),
		cmocka_unit_test(a_constant_is_a_register_with_its_bits),
	};

	seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
