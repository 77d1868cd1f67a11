/* The text of PTX: each statement is read by its grammar, or refused with its place; none is skipped. Programs that
 * compile are also run where a statement that is lost would change the result. */
#include "tests/unit/launches.h"

static struct wb_program *load_text(const char *text, size_t size, struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;

	if (wb_program_load(text, size, "test.ptx", c, &p, d) != WB_OK)
		p = NULL;
	wb_config_free(c);
	return p;
}

#define FILE_OF(head, body) ".version 3.0\n.target sm_13\n" head ".entry k (.param .u32 a)\n{\n.reg .u32 %r<9>;\n" \
	".reg .f32 %f<9>;\n.reg .pred %p<9>;\nld.param.u32 %r1, [a];\n" body "\nst.global.u32 [%r1], %r2;\nexit;\n}\n"

/* ---- what is read ---- */

static uint32_t word_of(const char *text)
{
	static const struct setting setup[] = { { "grid", "1" }, { "block", "1" }, { "timing", "off" }, { 0 } };
	struct wb_diag d = { 0 };
	struct wb_program *p = load_text(text, strlen(text), &d);
	uint32_t word = 0;

	if (!p)
		fail_msg("%s\nline %d: %s", text, d.line, d.text);
	struct wb_launch *l = launch(p, setup);
	assert_int_equal(wb_launch_arg(l, "zero=256", &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s\n%s", text, d.text);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, &word, sizeof word, &d), WB_OK);
	wb_launch_free(l);
	wb_program_free(p);
	return word;
}

/* Each text has statements right behind the form in question; all of them store 42. */
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

/* clGetProgramInfo counts the NUL behind the text. */
static void a_nul_at_the_end_belongs_to_no_statement(void **state)
{
	static const char text[] = FILE_OF("", "mov.u32 %r2, 42;");
	struct wb_diag d = { 0 };
	struct wb_program *p = load_text(text, sizeof text, &d);

	assert_non_null(p);
	wb_program_free(p);
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
	{ FILE_OF("", "mov.u32 %r2, %nsmid;"), "%nsmid is not in sm_1x: the machine has no such register" },
	{ FILE_OF("", "mov.u32 %r2, %total_smem_size;"), "%total_smem_size is not in sm_1x" },
	{ FILE_OF("", "mov.u32 %r2, %cluster_ctarank;"), "%cluster_ctarank is not in sm_1x" },
	{ FILE_OF("", "mov.u32 %r2, %reserved_smem_offset_2;"), "found `%reserved_smem_offset_2`, which nothing" },
	{ FILE_OF("", "mov.u32 %r2, %total_smem_size;"), "%total_smem_size is not in sm_1x" },
	{ FILE_OF("", "mov.u32 %r2, %pm4;"), "%pm4 is not in sm_1x" },
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

/* The host's stack has an end: `open` N times is a diagnostic. */
static void deep_operands_are_refused(void **state)
{
	static const struct {
		const char *before, *open;
	} forms[] = { { "mov.u32 %r2, ", "!" }, { "mov.u32 %r2, ", "-" }, { "ld.global.u32 %r2, ", "[" },
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
		cmocka_unit_test(every_other_text_is_refused_with_its_place),
		cmocka_unit_test(deep_operands_are_refused),
		cmocka_unit_test(registers_that_nothing_writes_are_warned_of),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
