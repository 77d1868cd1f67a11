/* Assembly of lines and files, with refusals and reasons. */
#include "tests/kit/cmocka_all.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/isa/asm.h"
#include "core/isa/parse.h"
#include "core/isa/print.h"
#include "core/isa/tesla/tesla.h"

static const struct isa_ops ops = { .name = "tesla", .table = &tesla_table, .decode = isa_decode_at };
static const struct isa_target g200 = { .isa = &ops, .features = FEAT_SM11 | FEAT_SM12 | FEAT_FP64, .mode = MODE_CP };

/* Lines of all word classes, and their words. */
static const struct { const char *text; uint64_t word; unsigned length; } lines[] = {
	{ "mov b32 $r1 $r2", 0x10008404, 4 },
	{ "long mov b32 $r1 $r2", 0x0403c78010000405, 8 },
	{ "mov b32 $r1 0x1234", 0x0000012310348005, 8 },
	{ "mov b32 $r1 1.5", 0x03fc000310008005, 8 },
	{ "mov b32 $r1 -1", 0x0fffffff103f8005, 8 },
	{ "exit (never) nop", 0xe0000001f0000001, 8 },
	{ "bar inc wait 0x0 0xfff", 0x00000000861ffe03, 8 },
	{ "add b32 $r1 $r2 c0[$a1++0xfffffffffffffffc]", 0x269f8404, 4 },
	{ "texauto all #:#:#:# $t0 $s0 $r0:$r1 -0x1 0x2 -0x8", 0x0f280780f0400001, 8 },
	{ "preret 0x10", 0x00000000d0002003, 8 },
};

static void assembles_lines(void **state)
{
	for (unsigned i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct isa_code code;
		struct diag d = { 0 };
		bool ok = isa_parse(&g200, lines[i].text, false, NULL, &code, &d);
		if (!ok)
			fail_msg("%s: %s", lines[i].text, d.text);
		assert_int_equal(code.length, lines[i].length);
		if (code.word != lines[i].word)
			fail_msg("%s: %016llx", lines[i].text, (unsigned long long)code.word);
	}
}

/* The parser's and the decoder's register counts agree. */
static void counts_registers(void **state)
{
	static const struct { const char *text; unsigned registers; } cases[] = {
		{ "add b32 $r1 $r2 $r3", 4 }, { "add b16 $r9l $r3h $r2l", 10 }, { "ld b128 $r12q g14[$r6]", 16 },
		{ "st b32 g14[$r30] $r4", 31 }, { "cas b64 $r2d g14[$r7] $r4d $r40d", 42 }, { "exit nop", 0 },
		{ "texauto all $r8:#:$r9:# $t0 $s0 $r8:$r9 0x0 0x0 0x0", 10 }, { "mov $r3 $physid", 4 },
		{ "add b32 $c3 $r124 b32 s[$a1+0x10] c0[0x4]", 125 },
	};
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct isa_code code;
		struct insn in;
		struct diag d = { 0 };
		if (!isa_parse(&g200, cases[i].text, false, NULL, &code, &d))
			fail_msg("%s: %s", cases[i].text, d.text);
		assert_true(isa_decode_word(&g200, code.word, &in));
		assert_int_equal(code.registers, cases[i].registers);
		assert_int_equal(code.registers, isa_registers(&in));
	}
}

static const struct { const char *text; int column; const char *reason; } refused[] = {
	{ "foo $r1", 1, "unknown instruction 'foo'" },
	{ "(e $c0) foo", 9, "unknown instruction 'foo'" },
	{ "(zz $c0) ret", 2, "found 'zz', expected 'never', l|e|le" },
	{ "add b32 $r1 $r2 $r200", 17, "found '$r200', expected $r0 to $r127, c0[]" },
	{ "add b32 $r1 $r2 $r3 $r4", 21, "found '$r4', expected the end of the line" },
	{ "mov b32 $r1", 12, "the line ends, expected $r0 to $r127" },
	{ "mov b32 $r1 b32 s[0x5]", 19, "found '0x5', expected an offset up to 0x7c in steps of 4" },
	{ "(e $c1) addc b32 $r1 $r2 $r3 $c0", 30, "agrees with the operands before" },
	{ "bra 0x3", 5, "expected a multiple of 4 or #label" },
	{ "bra #nowhere", 5, "expected" },
	{ "emit", 1, "unknown instruction" },
	/* the way out */
	{ "exti nop", 1, "did you mean 'exit'?" },
	{ "ad b32 $r1 $r2 $r3", 1, "did you mean 'add'?" },
	{ "exit", 5, "expected an instruction; 'exit' alone is written 'exit nop'" },
	{ "add b32 $r1 $r2 r3", 17, "did you mean '$r3'?" },
	{ "add b32 $r1 $r2 %r3", 17, "found '%r3'" },
	{ "add b32 $r1 $r2 s[0x0]", 17, "c0[] to c15[]" },
	{ "mov b32 $r1 c1[0x0]", 13, "expected $r0 to $r127, u8|u16|s16|b32 s[], a number" },
	{ "st b32 g14[$a1] $r2", 12, "found '$a1', expected $r0 to $r127" },
	{ "emit", 1, "for program type cp; for gp it is one" },
};

/* An instruction of other chips is reported with the list of chips. */
static const struct { const char *text; int column; const char *reason; } refused_by_g80[] = {
	{ "red add u32 g14[$r1] $r2", 1, "'red' for chip g80; for g84, g200, mcp77, gt215, v100 it is one" },
	{ "match any $r1 $r2", 1, "'match' for chip g80; for v100 it is one" },
	{ "ld lock $c0 $r1 b32 s[0x0]", 4,
		"'lock', which chip g80 does not have here, unlike g200, mcp77, gt215, v100" },
	{ "fma rn f64 $r0d wrong", 1, "'fma' for chip g80; for g200, v100 it is one" },
};

/* Instructions with "lock" have an operand and an ignored bit in it; neither may hide the modifier. */
static void keeps_modifiers_around_others(void **state)
{
	static const char *const text[] = { "ld $r0 b32 s[0x20]", "ld lock $c1 $r0 b32 s[0x20]" };

	for (unsigned locked = 0; locked < 2; locked++) {
		struct isa_code code;
		struct insn in;
		assert_true(isa_parse(&g200, text[locked], false, NULL, &code, NULL));
		assert_true(isa_decode_word(&g200, code.word, &in));
		assert_int_equal(in.mod[MOD_OP], locked);
		assert_int_equal(in.flags_dst, locked ? 1 : FLAGS_NONE);
	}
}

static void refuses_lines(void **state)
{
	for (unsigned i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		struct isa_code code;
		struct diag d = { 0 };
		assert_false(isa_parse(&g200, refused[i].text, false, NULL, &code, &d));
		if (d.column != refused[i].column || !strstr(d.text, refused[i].reason))
			fail_msg("%s: column %d: %s", refused[i].text, d.column, d.text);
	}
	for (unsigned i = 0; i < sizeof(refused_by_g80) / sizeof(*refused_by_g80); i++) {
		struct isa_target g80 = { .isa = &ops, .mode = MODE_CP };
		struct isa_code code;
		struct diag d = { 0 };
		assert_false(isa_parse(&g80, refused_by_g80[i].text, false, NULL, &code, &d));
		if (d.column != refused_by_g80[i].column || !strstr(d.text, refused_by_g80[i].reason))
			fail_msg("%s: column %d: %s", refused_by_g80[i].text, d.column, d.text);
	}
}

static bool assemble(const char *text, struct asm_program *p, struct diag *d)
{
	return asm_assemble(&ops, text, strlen(text), NULL, NULL, 0, p, d);
}

/* Bytes in units, and a directive with a typing error. */
static void reads_sizes(void **state)
{
	struct asm_program p;
	struct diag d = { 0 };
	if (!assemble(".smem 4KB\n.lmem 64K\nexit nop\n", &p, &d))
		fail_msg("line %d column %d: %s", d.line, d.column, d.text);
	assert_int_equal(p.kernels[0].smem, 4096);
	assert_int_equal(p.kernels[0].lmem, 65536);
	asm_free(&p);
	assert_false(assemble(".smem 4Kx\n", &p, &d));
	assert_false(assemble(".smem 17M\n", &p, &d));
	assert_non_null(strstr(d.text, "expected a number from 0 to 16777216"));
	assert_false(assemble(".regs 4K\n", &p, &d));
	assert_false(assemble(".kernl x\n", &p, &d));
	assert_non_null(strstr(d.text, "did you mean '.kernel'?"));
}

static void assembles_a_file(void **state)
{
	static const char text[] =
		"// expect: out = 7\n"
		".chip g84 .kernel\n";
	struct asm_program p;
	struct diag d = { 0 };
	assert_false(assemble(text, &p, &d));
	assert_int_equal(d.line, 2);
	static const char good[] =
		"// expect: out = 7\n"
		".chip g84\n"
		"/* two\n lines */ .kernel one\n"
		".regs 5\n.smem 0x40\n.lmem 8\n"
		".param u8 a\n.param u32 b\n.param ptr c\n"
		".const 1 0x10: 1 0x2, -1\n"
		".grid 2\n.block 16,4\n.mps 3\n.arg u32=5\n.arg zero=64\n"
		"start: mov b32 $r1 $r2\n"
		"\tadd b32 $r1 $r1 $r3 // expect: more\n"
		"\tjoinat #end\n"
		"loop: mov b32 $r1 $r2\n"
		"(e $c0) bra #loop\n"
		"end: exit nop\n"
		".kernel two\n"
		"start: long mov b32 $r1 $r9\n";
	if (!assemble(good, &p, &d))
		fail_msg("line %d column %d: %s", d.line, d.column, d.text);
	assert_string_equal(p.chip, "g84");
	assert_string_equal(p.mode, "cp");
	assert_int_equal(p.nkernels, 2);
	const struct asm_kernel *k = &p.kernels[0];
	assert_string_equal(k->name, "one");
	assert_int_equal(k->regs, 5);
	assert_int_equal(k->smem, 0x40);
	assert_int_equal(k->lmem, 8);
	assert_int_equal(k->nparams, 3);
	assert_int_equal(k->params[1].offset, 4);
	assert_int_equal(k->param_bytes, 12);
	assert_int_equal(k->nconsts, 1);
	assert_int_equal(k->consts[0].size, 12);
	assert_int_equal(k->consts[0].bytes[8], 0xff);
	assert_int_equal(k->grid[0], 2);
	assert_int_equal(k->grid[1], 1);
	assert_int_equal(k->block[1], 4);
	assert_int_equal(k->mps, 3);
	assert_int_equal(k->nargs, 2);
	assert_string_equal(k->args[1], "zero=64");
	assert_int_equal(k->nexpect, 2);
	assert_string_equal(k->expect[0], "out = 7");
	assert_string_equal(k->expect[1], "more");
	/* mov, add short; joinat; mov alone before a long instruction is widened; bra; nop */
	assert_int_equal(k->code_bytes, 4 + 4 + 8 + 8 + 8 + 8);
	assert_int_equal(k->nlabels, 3);
	assert_string_equal(k->labels[0].name, "end");
	assert_int_equal(k->labels[0].pc, 32);
	assert_int_equal(k->labels[1].pc, 16);
	static const uint8_t joinat_32[] = { 0x03, 0x40, 0x00, 0xa0 };
	assert_memory_equal(k->code + 8, joinat_32, 4);
	assert_int_equal(k->lines[2].line, 19);
	assert_int_equal(p.kernels[1].code_bytes, 8);
	assert_int_equal(p.kernels[1].regs, 10);
	asm_free(&p);
}

static const struct { const char *text; int line, column; const char *reason; } bad_files[] = {
	{ "mov b32 $r1 $r2\n  mov b32 $r1 $x\n", 2, 15, "found '$x'" },
	{ "bra #a\n", 1, 5, "label 'a' is not defined" },
	{ "a: nop\n\n a: nop\n", 3, 2, "label 'a' is already defined in line 1" },
	{ ".foo\n", 1, 1, "unknown directive '.foo', expected .kernel .chip" },
	{ ".chip g90\n", 1, 7, "found 'g90', expected g80 g84" },
	{ "nop\n.mode vp\n", 2, 7, "before the first instruction" },
	{ ".regs many\n", 1, 7, "found 'many', expected a number" },
	{ ".regs 4 5\n", 1, 9, "expected the end of the line" },
	{ ".param i32 x\n", 1, 8, "unknown type" },
	{ ".param u32\n", 1, 11, "expected a name" },
	{ ".const 16 0: 1\n", 1, 8, "from 0 to 15" },
	{ ".const 1 0 1\n", 1, 12, "expected ':'" },
	{ ".block 0\n", 1, 8, "from 1 to" },
	{ "/* open\n", 2, 1, "inside of a comment" },
	{ ".arg\n", 1, 5, "expected the words" },
};

static void refuses_files(void **state)
{
	for (unsigned i = 0; i < sizeof(bad_files) / sizeof(*bad_files); i++) {
		struct asm_program p;
		struct diag d = { 0 };
		assert_false(assemble(bad_files[i].text, &p, &d));
		bool here = d.line == bad_files[i].line && d.column == bad_files[i].column;
		if (!here || !strstr(d.text, bad_files[i].reason))
			fail_msg("%s: line %d column %d: %s", bad_files[i].text, d.line, d.column, d.text);
	}
}

/* A short instruction that cannot be widened is no failure while another can. */
static void aligns(void **state)
{
	struct asm_program p;
	struct diag d = { 0 };
	assert_true(assemble("mov b32 $r1 $r2\nmov b32 $r1 $r2\n"
	                     "texfetch all $r0:$r1:$r2:$r3 $t0 $s0 $r0\nnop\n", &p, &d));
	assert_int_equal(p.kernels[0].code_bytes, 8 + 4 + 4 + 8);
	asm_free(&p);
	assert_false(assemble("texfetch all $r0:$r1:$r2:$r3 $t0 $s0 $r0\nnop\n", &p, &d));
	assert_int_equal(d.line, 2);
	assert_non_null(strstr(d.text, "falls on address 0x4"));
}

/* Literal words take their place among instructions; a numeric target is checked. */
static void takes_words_and_warns_of_targets(void **state)
{
	static const char text[] =
		".word 0x10008404\n"                           /* mov b32 $r1 $r2, short */
		/* the instruction before is not widened: bra falls on 4 */
		"\tbra 0x8\n"
		"exit nop\n";
	struct asm_program p;
	struct diag d = { 0 };
	assert_false(assemble(text, &p, &d));
	assert_int_equal(d.line, 2);
	assert_non_null(strstr(d.text, "falls on address 0x4"));
	static const char good[] =
		".word 0x10000405 0x0403c780\n"
		"bra 0x8\n"
		"  bra 0x4\n"
		"bra #end\n"
		"end: exit nop\n";
	if (!assemble(good, &p, &d))
		fail_msg("line %d column %d: %s", d.line, d.column, d.text);
	assert_int_equal(p.kernels[0].code_bytes, 40);
	assert_int_equal(p.kernels[0].regs, 3);
	assert_memory_equal(p.kernels[0].code, "\x05\x04\x00\x10\x80\xc7\x03\x04", 8);
	assert_int_equal(p.nwarnings, 1);
	assert_int_equal(p.warnings[0].line, 3);
	assert_int_equal(p.warnings[0].column, 3);
	assert_non_null(strstr(p.warnings[0].text, "target 0x4"));
	asm_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(assembles_lines),
		cmocka_unit_test(counts_registers),
		cmocka_unit_test(refuses_lines),
		cmocka_unit_test(keeps_modifiers_around_others),
		cmocka_unit_test(reads_sizes),
		cmocka_unit_test(assembles_a_file),
		cmocka_unit_test(takes_words_and_warns_of_targets),
		cmocka_unit_test(refuses_files),
		cmocka_unit_test(aligns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
