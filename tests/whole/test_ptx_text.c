/* The text of PTX: each statement is read by the grammar, or refused with the place; no statement is skipped.
 * Programs that compile are also run where a lost statement would change the result. */
#include "tests/kit/launches.h"

/* The program for a chip, or, without a chip, for the .target of the file. NULL: an error. */
static struct wb_program *load_for(const char *text, size_t size, const char *chip, struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;

	if (chip)
		assert_int_equal(wb_config_set(c, "chip", chip, d), WB_OK);
	if (wb_program_load(text, size, "test.ptx", c, &p, d) != WB_OK)
		p = NULL;
	wb_config_free(c);
	return p;
}

static struct wb_program *load_text(const char *text, size_t size, struct wb_diag *d)
{
	return load_for(text, size, NULL, d);
}

#define FILE_OF(head, body) ".version 3.0\n.target sm_13\n" head ".entry k (.param .u32 a)\n{\n.reg .u32 %r<9>;\n" \
	".reg .f32 %f<9>;\n.reg .pred %p<9>;\nld.param.u32 %r1, [a];\n" body "\nst.global.u32 [%r1], %r2;\nexit;\n}\n"

/* ---- what is read ---- */

/* The first words of the memory behind the only argument. A chip in the setup stands first. */
static void read_words(const char *text, const struct setting *setup, uint32_t *words, size_t n)
{
	struct wb_diag d = { 0 };
	struct wb_program *p = load_for(text, strlen(text), strcmp(setup->option, "chip") ? NULL : setup->value, &d);

	if (!p)
		fail_msg("%s\nline %d: %s", text, d.line, d.text);
	struct wb_launch *l = launch(p, setup);
	assert_int_equal(wb_launch_arg(l, "zero=256", &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s\n%s", text, d.text);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, words, n * sizeof *words, &d), WB_OK);
	wb_launch_free(l);
	wb_program_free(p);
}

static uint32_t word_of(const char *text)
{
	static const struct setting setup[] = { { "grid", "1" }, { "block", "1" }, { "timing", "off" }, { 0 } };
	uint32_t word = 0;

	read_words(text, setup, &word, 1);
	return word;
}

/* Statements that join the four bytes behind `at` of variable s to %r3. */
#define JOIN(space, at) "mov.u32 %r4, s; ld." space ".u8 %r3, [%r4+" at "+3]; shl.b32 %r3, %r3, 8; " \
	"ld." space ".u8 %r5, [%r4+" at "+2]; or.b32 %r3, %r3, %r5; shl.b32 %r3, %r3, 8; " \
	"ld." space ".u8 %r5, [%r4+" at "+1]; or.b32 %r3, %r3, %r5; shl.b32 %r3, %r3, 8; " \
	"ld." space ".u8 %r5, [%r4+" at "]; or.b32 %r3, %r3, %r5; "
#define BYTES_OF(x) "0xFF(" x "), 0xFF00(" x "), 0xFF0000(" x "), 0xFF000000(" x ")"

/* Each text has statements right behind the form in question, and stores 42. */
static const char *const read_texts[] = {
	FILE_OF("", ".loc 1 3 5, function_name $L__info0, inlined_at 1 10 9\nmov.u32 %r2, 42;"),
	FILE_OF("", ".loc 1 3 5, function_name $L__info0+4, inlined_at 1 10 9 mov.u32 %r2, 42;"),
	FILE_OF("", ".loc 1 3 5\nmov.u32 %r2, 42;"),
	FILE_OF("", ".loc 1 3\nmov.u32 %r2, 42;"),
	FILE_OF(".file 1 \"dir\" \"a.cu\"\n.file 2 \"b.cu\", 1234, 99\n", "mov.u32 %r2, 42;"),
	FILE_OF("", ".pragma \"nounroll\"; mov.u32 %r2, 42;"),
	FILE_OF("", ".pragma \"a\", \"b\"; mov.u32 %r2, 42;"),
	FILE_OF("@@DWARF .section .debug_info, \"\",@progbits\n@@DWARF .byte 0x2b, 0x00\n", "mov.u32 %r2, 42;"),
	FILE_OF(".section .debug_abbrev\n{\n.b8 1,17, -1\n.b8 0\n}\n.section .debug_loc { }\n", "mov.u32 %r2, 42;"),
	FILE_OF(".section .debug_info {\nL:\n.b32 .debug_abbrev\n.b64 $L__a\n.b32 $L__b-$L__a, $L__a+4\n$L__b:\n}\n",
		"mov.u32 %r2, 42;"),
	FILE_OF(".section .debug_info, \"\", @progbits { .b8 1 }\n", "mov.u32 %r2, 42;"),
	FILE_OF(".metadata_section { .metadata 0 { \"a\", \"b\" } .metadata 1 { \"c\" } }\n", "mov.u32 %r2, 42;"),
	FILE_OF("", "mov.u32 %r2, %envreg3; add.u32 %r2, %r2, 42;"),
	FILE_OF("", "x: .branchtargets y, y; y: mov.u32 %r2, 42;"),
	FILE_OF("", "f: .callprototype (.param .align 4 .b8 _[8]) _ (.reg .u32 _, .param .b64 _) .noreturn; "
		"mov.u32 %r2, 42;"),
	FILE_OF("", "{ .reg .u32 %r2; mov.u32 %r2, 1; } /* a\n * b */ mov.u32 %r2, 42; // c"),
	FILE_OF("", "mov.u32 %r2, 0b101010U;"),
	FILE_OF("", "mov.u32 %r2, ------------------------------------------------------------42;"),
	FILE_OF("", "mov.f32 %f1, 4.2e+1; cvt.rzi.u32.f32 %r2, %f1;"),
	FILE_OF(".func (.reg .u32 %x) f (.reg .u32 %y)\n"
		".func (.reg .u32 %x) f (.reg .u32 %y) { add.u32 %x, %y, 2; ret; }\n",
		"mov.u32 %r2, 40; call (%r2), f, (%r2);"),
	FILE_OF(".visible .func f ()\n.visible .func f () .noreturn { ret; }\n", "call f; mov.u32 %r2, 42;"),
	/* prototypes of nvopencc 3, before each statement that may stand between functions */
	FILE_OF(".func f ()\n.func f () { ret; }\n", "call f; mov.u32 %r2, 42;"),
	FILE_OF(".func f ()\n.const .u32 c = 42;\n.func f () { ret; }\n", "call f; ld.const.u32 %r2, [c];"),
	FILE_OF(".func f ()\n.global .u32 c = 42;\n.func f () { ret; }\n", "call f; ld.global.u32 %r2, [c];"),
	FILE_OF(".func (.param .u32 r) f (.param .u32 x) .noreturn\n.extern .shared .u32 c[];\n", "mov.u32 %r2, 42;"),
	FILE_OF(".func f ()\n.shared .u32 c;\n", "mov.u32 %r2, 42;"),
	FILE_OF(".func f ()\n.local .u32 c;\n", "mov.u32 %r2, 42;"),
	FILE_OF(".func f ()\n.tex .u32 c;\n", "mov.u32 %r2, 42;"),
	FILE_OF(".func f ()\n.reg .u32 %q;\n", "mov.u32 %q, 42; mov.u32 %r2, %q;"),
	FILE_OF(".func f ()\n.weak .global .u32 c;\n", "mov.u32 %r2, 42;"),
	FILE_OF(".func f ()\n.common .global .u32 c;\n", "mov.u32 %r2, 42;"),
	FILE_OF(".func f ()\n@@DWARF .byte 0x2b\n", "mov.u32 %r2, 42;"),
	FILE_OF(".func f ()\n.file 1 \"a.cu\"\n.metadata_section { }\n", "mov.u32 %r2, 42;"),
	FILE_OF("", "mov.u32 %r2, 42;") ".func f ()\n",
	FILE_OF("", ".reg .u32 %s<5>, %s; mov.u32 %s4, 40; mov.u32 %s, 2; add.u32 %r2, %s4, %s;"),
	".version 9.1\n.target sm_13\n.entry k (.hidden .param .u32 a)\n{\n.reg .u32 %r<3>;\n"
	"ld.param.u32 %r1, [a]; mov.u32 %r2, 42; st.global.u32 [%r1], %r2; exit;\n}\n",
	FILE_OF(".const .u32 c[4 * (1 + 1)] = { 1, 2, 3, 4, 5, 6, 7, 6*7 };\n", "ld.const.u32 %r2, [c + 4*8 - 4];"),
	FILE_OF(".func (.reg .u32 %x) f (.reg .u32 %y) { add.u32 %x, %y, (1+1)*1; ret; }\n",
		"call (%r2), f, (4 * 10);"),
	FILE_OF(".global .u32 v[2] = { 1, 42 };\n.global .align 1 .u8 s[9] = { 7, " BYTES_OF("generic(v) + 4")
		", 0xFF00000000(generic(v) + 4) };\n", JOIN("global", "1") "ld.global.u32 %r2, [%r3];"),
	FILE_OF(".global .u32 v = 1, w = 42;\n.const .u8 s[9] = { 7, " BYTES_OF("v") ", " BYTES_OF("w") " };\n",
		JOIN("const", "5") "ld.global.u32 %r2, [%r3];"),
	FILE_OF(".func f ()\n.func g ()\n.global .align 1 .u8 s[9] = { 7, " BYTES_OF("f") ", " BYTES_OF("g") " };\n"
		".func f () { ret; }\n.func g () { ret; }\n", JOIN("global", "5") "add.u32 %r2, %r3, 26;"),
	FILE_OF(".global .align 8 .u32 v[2] = { 1, 2 }, w = 42, z;\n.shared .v4 .f32 s, t;\n",
		"ld.global.u32 %r2, [w];"),
	/* an array is read in wider pieces than its elements: behind a parameter the first is at 16 all the same */
	FILE_OF(".shared .b8 flag;\n.shared .align 1 .b8 some[64];\n.shared .align 4 .b32 more[5];\n",
		"mov.u32 %r2, flag; st.shared.u8 [%r2], %r2; mov.u32 %r2, some; "
		"st.shared.v4.u32 [%r2], {%r2, %r2, %r2, %r2}; "
		"mov.u32 %r3, more; or.b32 %r2, %r2, %r3; and.b32 %r2, %r2, 15; add.u32 %r2, %r2, 42;"),
	/* bytes that a launch sizes are where any access is aligned, behind a flag too */
	FILE_OF(".shared .b8 flag;\n.extern .shared .align 1 .b8 rest[];\n",
		"mov.u32 %r2, flag; st.shared.u8 [%r2], %r2; mov.u32 %r2, rest; and.b32 %r2, %r2, 15; "
		"add.u32 %r2, %r2, 42;"),
	/* more zeros than a file may have bytes */
	FILE_OF(".global .align 8 .b8 c[17000000];\n", "mov.u32 %r2, 42;"),
	".version 1.4\n.target sm_10\n.reg .u32 r;\n.const .u32 c = 42;\n"
	".entry k (.param .u32 a)\n{ ld.const.u32 r, [c];"
	".reg .u32 s; ld.param.u32 s, [a]; st.global.u32 [s], r; exit; }\n",
};

static void every_form_is_read_and_nothing_behind_is_lost(void **state)
{
	for (size_t i = 0; i < sizeof read_texts / sizeof *read_texts; i++) {
		uint32_t word = word_of(read_texts[i]);
		if (word != 42)
			fail_msg("%s\nfound %u, expected 42", read_texts[i], word);
	}
}

/* clGetProgramInfo counts the NUL behind a text; tools write blanks behind the NUL. */
static void a_nul_at_the_end_belongs_to_no_statement(void **state)
{
	static const char text[] = FILE_OF("", "mov.u32 %r2, 42;"), *const ends[] = { "\0", "\0\0", "\0\0\n", "\n\0" };
	static const size_t sizes[] = { 1, 2, 3, 2 };
	char whole[sizeof text + 4];

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct wb_diag d = { 0 };
		memcpy(whole, text, sizeof text);
		memcpy(whole + sizeof text - 1, ends[i], sizes[i]);
		struct wb_program *p = load_text(whole, sizeof text - 1 + sizes[i], &d);
		if (!p)
			fail_msg("end %zu: line %d: %s", i, d.line, d.text);
		wb_program_free(p);
	}
	struct wb_diag d = { 0 };
	static const char inside[] = FILE_OF("", "mov.u32 %r2, 42;") "\0.global .u32 x;\n";
	assert_null(load_text(inside, sizeof inside, &d));
	assert_non_null(strstr(d.text, "expected a declaration, .entry or .func"));
}

/* ---- constant expressions ---- */

/* Values by ptxas 13.0, of ".global .u64 x = …"; of the last one, in which ptxas dies of a division, by wrapping. */
static const struct {
	const char *text;
	uint64_t value;
} constants[] = {
	{ "1+2*3", 7 }, { "(1+2)*3", 9 }, { "-7/2", 0xfffffffffffffffd }, { "-7%-3", 0xfffffffffffffff9 },
	{ "-1>>1", 0xffffffffffffffff }, { "-1U>>1", 0x7fffffffffffffff }, { "1<<4", 16 },
	{ "-8>>1", 0xfffffffffffffffc }, { "~0", 0xffffffffffffffff }, { "!5", 0 }, { "!0", 1 }, { "1<2", 1 },
	{ "-1<1", 1 }, { "-1<1U", 0 }, { "2>=2", 1 }, { "1==1", 1 }, { "1!=1", 0 }, { "6&3", 2 }, { "6|9", 15 },
	{ "6^3", 5 }, { "1&&0", 0 }, { "1||0", 1 }, { "1?5:6", 5 }, { "0?5:6", 6 }, { "0x8000000000000000>>63", 1 },
	{ "0xffffffffffffffff/2", 0x7fffffffffffffff }, { "0xffffffffffffffff<1", 0 },
	{ "(.s64)0xffffffffffffffff<1", 1 }, { "(.u64)-1<1", 0 }, { "-9223372036854775807-1", 0x8000000000000000 },
	{ "10/3*3", 9 }, { "2+3<<1", 10 }, { "1|2==2", 1 }, { "1<<2+1", 8 }, { "7-2-1", 4 },
	{ "-5/2U", 0x7ffffffffffffffd }, { "- -5", 5 }, { "+5", 5 }, { "!!7", 1 }, { "~-1", 0 },
	{ "WARP_SZ*2", 64 }, { "-WARP_SZ>>1", 0xfffffffffffffff0 }, { "-7/0x8000000000000000", 1 },
	{ "(~0)>>1", 0x7fffffffffffffff }, { "(1-2)>>1", 0xffffffffffffffff },
	{ "(1?-8:2U)>>1", 0xfffffffffffffffc }, { "(-8*1U)>>1", 0x7ffffffffffffffc },
	{ "(5>3)-2>>1", 0xffffffffffffffff }, { "(!1-1)>>1", 0xffffffffffffffff },
	{ "((.u64)8-16)>>1", 0x7ffffffffffffffc }, { "(1&&1)-2>>1", 0xffffffffffffffff },
	{ "-(8U)>>1", 0x7ffffffffffffffc }, { "-8>>1U", 0xfffffffffffffffc }, { "1?2:0?3:4", 2 },
	{ "0?1:0?3:4", 4 }, { "07+010", 15 }, { "0b11*2", 6 }, { "5%-3", 5 }, { "3>2>1", 0 },
	{ "1<<63>>63", 0xffffffffffffffff }, { "8>>65", 4 }, { "1<<64", 1 }, { "1<<-1", 0x8000000000000000 },
	{ "-7 % 3", 0 }, { "7 % 3", 1 }, { "(-8 % 16)>>1", 4 }, { "((-8 % 7)-9)>>1", 0x7ffffffffffffffc },
	{ "(-8&-1)>>1", 0xfffffffffffffffc }, { "(-8|0U)>>1", 0x7ffffffffffffffc },
	{ "(-8&-1U)>>1", 0x7ffffffffffffffc }, { "(-8^0U)>>1", 0x7ffffffffffffffc },
	{ "-8/2U", 0x7ffffffffffffffc }, { "(0 ? 2U : -8)>>1", 0xfffffffffffffffc },
	{ "(1==1U)-2>>1", 0xffffffffffffffff }, { "(1<2U)-2>>1", 0xffffffffffffffff },
	{ "!1U-1>>1", 0xffffffffffffffff }, { "-(1+2)", 0xfffffffffffffffd },
	{ "(.s64) -8U >> 1", 0xfffffffffffffffc }, { "(0x7fffffffffffffff+1)>>1", 0xc000000000000000 },
	{ "9223372036854775808>>1", 0x4000000000000000 }, { "-9223372036854775808>>1", 0x4000000000000000 },
	{ "4 / 3 * 3", 3 }, { "1 << 2 << 3", 32 }, { "(~5)>>1", 0x7ffffffffffffffd }, { "1|2^3&4", 3 },
	{ "0||1&&0", 0 },
	{ "(-9223372036854775807-1)/-1", 0x8000000000000000 },
};

/* As an operand and as an initial value, so many at a time as a launch of these tests has words. */
static void constants_are_those_of_ptxas(void **state)
{
	enum { N = sizeof constants / sizeof *constants, CHUNK = 16 };
	static const struct setting setup[] = { { "grid", "1" }, { "block", "1" }, { "timing", "off" }, { 0 } };

	for (size_t begin = 0; begin < N; begin += CHUNK) {
		size_t n = N - begin < CHUNK ? N - begin : CHUNK;
		char text[8192], *end = text + sprintf(text, ".version 3.0\n.target sm_13\n.global .u64 x[] = {");
		uint64_t found[2 * CHUNK];
		for (size_t i = 0; i < n; i++)
			end += sprintf(end, "%s %s", i ? "," : "", constants[begin + i].text);
		end += sprintf(end, " };\n.entry k (.param .u32 a)\n{\n.reg .u64 %%d; .reg .u32 %%r<3>;\n"
			       "ld.param.u32 %%r1, [a]; mov.u32 %%r2, x;\n");
		for (size_t i = 0; i < n; i++)
			end += sprintf(end, "mov.u64 %%d, %s; st.global.u64 [%%r1 + %zu * 16], %%d;\n"
				       "ld.global.u64 %%d, [%%r2+%zu]; st.global.u64 [%%r1 + 16*%zu + 4*2], %%d;\n",
				       constants[begin + i].text, i, 8 * i, i);
		strcpy(end, "exit;\n}\n");
		read_words(text, setup, (uint32_t *)found, 4 * n);
		for (size_t i = 0; i < 2 * n; i++)
			if (found[i] != constants[begin + i / 2].value)
				fail_msg("%s as %s: found 0x%" PRIx64 ", expected 0x%" PRIx64,
					 constants[begin + i / 2].text, i % 2 ? "an initial value" : "an operand",
					 found[i], constants[begin + i / 2].value);
	}
}

/* ---- registers that a driver of OpenCL writes ---- */

/* get_group_id's and get_global_id's begin, get_num_groups, get_work_dim: of each of three dimensions. */
static void environment_registers_are_those_of_the_launch(void **state)
{
	enum { WORDS = 10 };
	static const struct {
		const char *grid, *block;
		uint32_t word[WORDS];
	} launches[] = {
		{ "1", "1", { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 } },
		{ "5", "64", { 0, 0, 0, 0, 0, 0, 5, 1, 1, 1 } },
		{ "3,2", "4,1", { 0, 0, 0, 0, 0, 0, 3, 2, 1, 2 } },
		{ "1", "4,2", { 0, 0, 0, 0, 0, 0, 1, 1, 1, 2 } },
		{ "1", "4,1,2", { 0, 0, 0, 0, 0, 0, 1, 1, 1, 3 } },
	};
	static const char *const chips[] = { "g80", "g200", "v100" };
	char text[2048], *end = text;

	end += sprintf(end, ".version 3.0\n.target sm_10\n.entry k (.param .u32 a)\n{\n.reg .b32 %%r<3>;\n"
		       "ld.param.u32 %%r1, [a];\n");
	for (unsigned i = 0; i < WORDS; i++)
		end += sprintf(end, "mov.b32 %%r2, %%envreg%u;\nst.global.u32 [%%r1+%u], %%r2;\n", i, 4 * i);
	strcpy(end, "exit;\n}\n");
	for (size_t i = 0; i < sizeof launches / sizeof *launches * 3; i++) {
		const struct setting setup[] = { { "chip", chips[i % 3] }, { "grid", launches[i / 3].grid },
						 { "block", launches[i / 3].block }, { "timing", "off" }, { 0 } };
		uint32_t found[WORDS];
		read_words(text, setup, found, WORDS);
		for (unsigned k = 0; k < WORDS; k++)
			if (found[k] != launches[i / 3].word[k])
				fail_msg("%s, grid %s, block %s: %%envreg%u is %u, expected %u", chips[i % 3],
					 launches[i / 3].grid, launches[i / 3].block, k, found[k],
					 launches[i / 3].word[k]);
	}
}

/* ---- what is refused ---- */

static const struct {
	const char *text, *message;
} refusals[] = {
	{ FILE_OF("", ".loc 1 3 5, inlined_at 1 10 9\n"), "found 'inlined_at', expected 'function_name'" },
	{ FILE_OF("", ".loc 1 3 5, function_name L\nmov.u32 %r2, 42;"), "found 'mov.u32', expected ','" },
	{ FILE_OF("", ".loc 1 3 5, function_name L, inlined_at 1 10\n"), "expected a number" },
	{ FILE_OF("", ".loc 1 3 5 6\n"), "found '6'" },
	{ FILE_OF(".file 1 \"a\", 2\n", ""), "found '.entry', expected ','" },
	{ FILE_OF("", ".pragma mov.u32 %r2, 42;"), "found 'mov.u32', expected a string" },
	{ FILE_OF("", ".pragma \"a\" mov.u32 %r2, 42;"), "found 'mov.u32', expected ';'" },
	{ FILE_OF(".section .debug { add.u32 %r1, %r2; }\n", ""), "found '%r1', expected ':'" },
	{ FILE_OF(".section .debug { .b8 1 .reg }\n", ""), "found '.reg', expected a label" },
	{ FILE_OF(".section .debug junk { .b8 1 }\n", ""), "found 'junk', expected '{'" },
	{ FILE_OF(".section .debug { .b8 1, }\n", ""), "expected a number or a label" },
	{ FILE_OF(".metadata_section { add }\n", ""), "found 'add', expected '.metadata'" },
	{ FILE_OF("@DWARF .byte 1\n", ""), "found 'DWARF', expected '@'" },
	{ FILE_OF("@@junk\n", ""), "found 'junk', expected 'DWARF'" },
	{ FILE_OF("", "x: .branchtargets y y: mov.u32 %r2, 42;"), "found 'y', expected ';'" },
	{ FILE_OF("", "f: .callprototype _ (.param .b32 _) mov.u32 %r2, 42;"), "found 'mov.u32', expected ';'" },
	{ FILE_OF("/* ", ""), "found a comment without an end" },
	{ FILE_OF(".file 1 \"a\n", ""), "found a string without an end on the line" },
	{ FILE_OF("", "mov.u32 %r2, 0x;"), "found a number without digits" },
	{ FILE_OF("", "mov.u32 %r2, 12x;"), "found a number with another sign behind" },
	{ FILE_OF("", "mov.u32 %r2, 0f3f8000001;"), "found a number with another sign behind" },
	{ FILE_OF("", "mov.u32 %r2, 09;"), "found a number with another sign behind" },
	{ FILE_OF("", "mov.u32 %r2, 18446744073709551616;"), "found a number of more than 64 bits" },
	{ FILE_OF("", "mov.f32 %f2, 1.0000000000000000000000000000000000000000000000000000000000000000;"),
	  "found a fraction that is no number of at most 62 characters" },
	{ FILE_OF("", "mov.f32 %f2, 1.2.3;"), "found a fraction that is no number" },
	{ ".version 1e999\n.target sm_10\n.entry k () { exit; }\n", "found '1e999', expected a version like 1.4" },
	{ ".version 1.45\n.target sm_10\n.entry k () { exit; }\n", "expected a version like 1.4" },
	{ ".version 999.1\n.target sm_10\n.entry k () { exit; }\n", "expected a version like 1.4" },
	{ ".version 0.5\n.target sm_10\n.entry k () { exit; }\n", "expected a version like 1.4" },
	{ ".version 1.4\n.target sm_10\n.reg .u32 r;\n.const .u32 x = r;\n.entry k () { exit; }\n",
	  "found 'r', expected a number, a variable or a function" },
	{ ".version 1.4\n.target sm_10\n.entry %k () { exit; }\n", "found '%k', expected the name of a kernel" },
	{ ".version 1.4\n.target sm_10\n.entry k.l () { exit; }\n", "found 'k.l', expected the name of a kernel" },
	{ ".version 1.4\n.target sm_10\n.entry k (.param .u32 %a) { exit; }\n", "expected the name of a parameter" },
	{ ".version 1.4\n.target sm_10\n.entry k () .reqntid 4294967295 { exit; }\n",
	  "found '4294967295', expected a number of threads from 1 to 65535" },
	{ ".version 1.4\n.target sm_10\n.entry k () .reqntid 0, 1, 1 { exit; }\n", "expected a number of threads" },
	{ ".version 1.4\n.target sm_10\n.entry k () .maxclusterrank 4 { exit; }\n",
	  ".maxclusterrank is not in sm_1x: blocks have no clusters" },
	{ ".version 1.4\n.target sm_10\n.entry k () .entry l () { exit; }\n", "found '.entry', expected '{'" },
	{ FILE_OF("", "mov.u32 %r2, 1 / (2 - 2);"), "expected a divisor other than 0" },
	{ FILE_OF("", "mov.u32 %r2, (1 + 2;"), "found ';', expected ')'" },
	{ FILE_OF("", "mov.u32 %r2, 1 ? 2;"), "found ';', expected ':'" },
	{ FILE_OF("", "mov.u32 %r2, 7 %3;"), "found '%3', expected ',' or ';'" },
	{ FILE_OF("", "mov.u32 %r2, 7 +;"), "found ';', expected a number" },
	{ FILE_OF("", "mov.u32 %r2, 2 * %r1;"), "found '%r1', expected a number" },
	{ FILE_OF("", "mov.u32 %r2, (.f32) 2;"), "found '.f32', expected a number" },
	{ FILE_OF(".global .u32 v;\n.global .u8 s[2] = { 0xff00(v) };\n", ""), "expected the bytes of an address" },
	{ FILE_OF(".global .u32 v, w;\n.global .u8 s[2] = { 0xff(v), 0xff00(w) };\n", ""), "expected the bytes of" },
	{ FILE_OF(".global .u32 v;\n.global .u8 s[3] = { 0xff(v), 0, 0xff00(v) };\n", ""), "expected the bytes of" },
	{ FILE_OF(".global .u32 v;\n.global .u8 s[2] = { 0xff(v), 0xff00(v) };\n", ""), "`s` has the address of `v`" },
	{ FILE_OF(".global .u32 v;\n.global .u8 s[2] = { 0xf0(v) };\n", ""), "expected a mask of one byte" },
	{ FILE_OF(".global .u32 v;\n.global .u32 s[2] = { 0xff(v) };\n", ""), "expected a mask of one byte" },
	{ FILE_OF(".global .u32 v, .u32 w;\n", ""), "found '.u32', expected a name" },
	{ FILE_OF("", ".reg .u32 %s<5>, %s<3>;"), "found a second `%s<`" },
	/* an instruction that no chip has is told before sizes, where another chip would not help */
	{ ".version 7.1\n.target sm_80\n.shared .b8 t[90000];\n.entry k ()\n{\n.reg .u32 %r<3>;\n"
	  ".reg .u64 %d;\nmov.u32 %r1, t;\ncp.async.cg.shared.global [%r1], [%d], 16;\nexit;\n}\n",
	  "cp.async.cg.shared.global is not in sm_1x" },
	{ ".version 1.4\n.target sm_10\n.entry k ()\n.global .u32 x;\n", "found '.global', expected '{'" },
	{ ".version 1.4\n.target sm_10\n.entry k ()\n", "found the end of the file, expected '{'" },
	{ ".version 1.4\n.target sm_10\n.func f ()\n.junk\n", "found '.junk', expected '{'" },
	{ ".version 1.4\n.target sm_10\n.global .b8 x[1073741824];\n.global .b8 y[8];\n.entry k () { exit; }\n",
	  "variables in .global take 1073741832 bytes; 1073741824 fit: a buffer" },
	{ ".version 1.4\n.target sm_10\n.global .b8 x[17000000] = { 1 };\n.entry k () { exit; }\n",
	  "expected no initial value of so large a variable" },
	{ ".version 1.4\n.target sm_10\n.shared .b8 x[17000000];\n.entry k () { exit; }\n", "expected a smaller" },
	{ FILE_OF("", "mov.u32 %r2, %nsmid;"), "%nsmid is not in sm_1x: the machine has no such register" },
	{ FILE_OF("", "mov.u32 %r2, %total_smem_size;"), "%total_smem_size is not in sm_1x" },
	{ FILE_OF("", "mov.u32 %r2, %cluster_ctarank;"), "%cluster_ctarank is not in sm_1x" },
	{ FILE_OF("", "mov.u32 %r2, %reserved_smem_offset_2;"), "found `%reserved_smem_offset_2`, which nothing" },
	{ FILE_OF("", "mov.u32 %r2, %total_smem_size;"), "%total_smem_size is not in sm_1x" },
	{ FILE_OF("", "mov.u32 %r2, %pm4;"), "%pm4 is not in sm_1x" },
	{ FILE_OF("", "mov.u32 %r2, %envreg10;"), "%envreg10 is not in sm_1x: only %envreg0 to %envreg9 have a" },
	{ FILE_OF("", "mov.u32 %r2, %envreg32;"), "found `%envreg32`, which nothing declares" },
	{ FILE_OF("", "mov.u32 %r2, %tid.v;"), "found `%tid.v`, which nothing declares" },
};

static void every_other_text_is_refused_with_its_place(void **state)
{
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		struct wb_diag d = { 0 };
		struct wb_program *p = load_text(refusals[i].text, strlen(refusals[i].text), &d);
		if (p || !strstr(d.text, refusals[i].message) || d.line <= 0)
			fail_msg("%s\nfound line %d \"%s\", expected \"%s\"", refusals[i].text, d.line,
				 p ? "no error" : d.text, refusals[i].message);
	}
}

/* ---- what is warned of ---- */

static void registers_that_nothing_writes_are_warned_of(void **state)
{
	static const struct {
		const char *text, *warning;      /* NULL: none */
		unsigned line;
	} texts[] = {
		{ FILE_OF("", "add.u32 %r3, %r2, 1;"), "`%r2` is read, and no instruction writes it", 9 },
		{ FILE_OF("", "@%p1 mov.u32 %r2, 1;"), "`%p1` is read, and no instruction writes it", 9 },
		{ FILE_OF(".func (.reg .u32 %x) f (.reg .u32 %y) { add.u32 %x, %x, %y; ret; }\n",
			  "call (%r2), f, (%r3);"),
		  "`%r3` is read, and no instruction writes it", 10 },
		{ FILE_OF("", "mov.u32 %r2, 1;"), NULL, 0 },
		{ FILE_OF("", "xor.b32 %r2, %r2, %r2;"), NULL, 0 },
		{ FILE_OF("", "setp.eq.u32 %p1|%p2, %r1, 4; @%p2 bra L; @%p1 mov.u32 %r2, 1; L:"), NULL, 0 },
		{ FILE_OF("", "bra L; mov.u32 %r2, 1; L:"), NULL, 0 },
		{ FILE_OF("", "ld.global.v2.u32 {%r2, %r3}, [%r1]; add.u32 %r2, %r2, %r3;"), NULL, 0 },
		{ FILE_OF(".func (.reg .u32 %x) f (.reg .u32 %y) { add.u32 %x, %y, 2; ret; }\n",
			  "call (%r2), f, (%r1);"),
		  NULL, 0 },
		{ FILE_OF(".func f () { .reg .u32 %z<3>; add.u32 %z1, %z2, 2; ret; }\n", "mov.u32 %r2, 1;"), NULL, 0 },
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct wb_diag d = { 0 };
		struct wb_program *p = load_text(texts[i].text, strlen(texts[i].text), &d);
		assert_non_null(p);
		bool found = wb_program_warning(p, 0, &d);
		if (found != (texts[i].warning != NULL) ||
		    (found && (!strstr(d.text, texts[i].warning) || d.line != (int)texts[i].line)))
			fail_msg("%s\nfound line %d \"%s\", expected \"%s\"", texts[i].text, d.line,
				 found ? d.text : "no warning", texts[i].warning ? texts[i].warning : "no warning");
		wb_program_free(p);
	}
}

/* Kernels of C++ templates have names of thousands of bytes. */
static void names_may_be_long(void **state)
{
	enum { MOST = 16384 };
	char *text = malloc(3 * MOST + 256), *name = malloc(MOST + 2);

	for (size_t n = MOST; n <= MOST + 1; n++) {
		struct wb_diag d = { 0 };
		memset(name, 'n', n);
		name[n] = '\0';
		sprintf(text, ".version 3.0\n.target sm_13\n.entry %s ()\n{ .reg .u32 %%%.*s<3>; mov.u32 %%%.*s1, 1;\n"
			"exit; }\n", name, (int)n - 2, name, (int)n - 2, name);
		struct wb_program *p = load_text(text, strlen(text), &d);
		if (n == MOST ? !p : p || !strstr(d.text, "expected a name of at most 16384 bytes"))
			fail_msg("%zu bytes: found \"%s\"", n, p ? "no error" : d.text);
		wb_program_free(p);
	}
	free(text);
	free(name);
}

/* The host's stack has an end: `open` N times is a diagnostic. */
static void deep_operands_are_refused(void **state)
{
	static const struct {
		const char *before, *open;
	} forms[] = { { "mov.u32 %r2, ", "!" }, { "mov.u32 %r2, ", "-" }, { "mov.u32 %r2, ", "(" },
		      { "mov.u32 %r2, ", "0?1:" }, { "ld.global.u32 %r2, ", "[" },
		      { "ld.global.v2.u32 ", "{" }, { "call ", "(" }, { "ld.global.u32 %r2, ", "![-" } };
	enum { N = 300000 };
	char *text = malloc(4 * N + 1024);

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct wb_diag d = { 0 };
		char *end = text + sprintf(text, ".version 3.0\n.target sm_13\n.entry k ()\n{\n.reg .u32 %%r<9>;\n%s",
					   forms[i].before);
		for (unsigned k = 0; k < N; k++)
			end = stpcpy(end, forms[i].open);
		strcpy(end, "1;\nexit;\n}\n");
		assert_null(load_text(text, strlen(text), &d));
		if (!strstr(d.text, "expected an operand inside at most 64 brackets and signs"))
			fail_msg("%s: %s", forms[i].open, d.text);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_is_read_and_nothing_behind_is_lost),
		cmocka_unit_test(a_nul_at_the_end_belongs_to_no_statement),
		cmocka_unit_test(constants_are_those_of_ptxas),
		cmocka_unit_test(environment_registers_are_those_of_the_launch),
		cmocka_unit_test(every_other_text_is_refused_with_its_place),
		cmocka_unit_test(names_may_be_long),
		cmocka_unit_test(deep_operands_are_refused),
		cmocka_unit_test(registers_that_nothing_writes_are_warned_of),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
