/* picasso's language: the words of each construct as picasso 2.7.1 writes them, tables, and refusals with reasons. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/isa/pica/picasso.h"

static struct shader assemble(struct arena *a, const struct picasso_source *source, unsigned n)
{
	struct diag d = { 0 };
	struct shader s;

	if (!picasso_assemble(&s, a, source, n, NULL, &d))
		fail_msg("%s:%d:%d: %s\n%s", d.file, d.line, d.column, d.text, source[0].text);
	return s;
}

static struct picasso_source text_of(const char *text)
{
	return (struct picasso_source){ "t.v.pica", text, strlen(text) };
}

static struct shader assemble_text(struct arena *a, const char *text)
{
	struct picasso_source source = text_of(text);

	return assemble(a, &source, 1);
}

/* The body of a procedure `main`, its words and operand descriptors. */
static const struct {
	const char *body;
	unsigned ncode;
	uint32_t code[12];
	unsigned ndesc;
	uint32_t desc[6];
} constructs[] = {
	{ "mov r0, v0",
	  1, { 0x4e000000 }, 1, { 0x0000036f } },
	{ "MOV r0.xw, v0.xy ; c",
	  1, { 0x4e000000 }, 1, { 0x000002a9 } },
	{ "mov o2.w, -c95",
	  1, { 0x4c47f000 }, 1, { 0x00000371 } },
	{ "add r0, c5, -r1.wzyx",
	  1, { 0x02025880 }, 1, { 0x0039236f } },
	{ "add r1.x, r2, r3\n\tadd r1.y, r2, r3",
	  2, { 0x02212980, 0x02212981 }, 2, { 0x0006c368, 0x0006c364 } },
	{ "mul r0.xy, r1, r2\nmul r0.xy, r1.xyww, r2",
	  2, { 0x22011900, 0x22011900 }, 1, { 0x0006c36c } },
	{ "dp3 r0, r1, r2\ndp3 r0, r1.xyzx, r2.xyzz",
	  2, { 0x06011900, 0x06011900 }, 1, { 0x0006c36f } },
	{ "dph r0, r1, c5",
	  1, { 0x62045280 }, 1, { 0x0006c36f } },
	{ "dph r0, c5, r1",
	  1, { 0x0e025880 }, 1, { 0x0006c36f } },
	{ "sge r0, r1, c5\nslt r0, c5, r1",
	  2, { 0x6a045280, 0x2a025880 }, 1, { 0x0006c36f } },
	{ "dst r3, r0, c1",
	  1, { 0x66641080 }, 1, { 0x0006c36f } },
	{ "litp r5, c1.stpq",
	  1, { 0x1ea21000 }, 1, { 0x0000036f } },
	{ "ex2 r4, r0.x\nrcp r4, r0.xzzz\nlg2 r4, -r0",
	  3, { 0x16810000, 0x3a810000, 0x1a810001 }, 2, { 0x0000000f, 0x0000037f } },
	{ "mova a0.x, r0.x\nmova a0.y, r0.xy\nmova a01, r0",
	  3, { 0x48010000, 0x48010001, 0x48010002 }, 3, { 0x00000008, 0x000002a4, 0x0000036c } },
	{ "mov r0, c0[a0.x]\nmov r0, c4[a0.y+1]\nmov r0, c4[aL + 2].x\nmov r0, c4[lcnt]\nmov r0, c4[a1]",
	  5, { 0x4e0a0000, 0x4e125000, 0x4e1a6001, 0x4e1a4000, 0x4e124000 }, 2, { 0x0000036f, 0x0000000f } },
	{ "mad r0, r1, r2, r3\nmad r0, r1, c2, r3\nmad r0, r1, r2, c3\nmadi r0, r1, r2, -c3[a0.x]",
	  4, { 0xf0224a60, 0xf0228a60, 0xd0232460, 0xd0632461 }, 2, { 0x0d86c36f, 0x0dc6c36f } },
	{ "cmp r0, lt, ge, r1\ncmp c0.xx, eq, ne, r1.xy",
	  2, { 0xbaa10880, 0xb8220881 }, 2, { 0x0006c360, 0x00054000 } },
	{ "nop\nend",
	  2, { 0x84000000, 0x88000000 }, 0, { 0 } },
	{ "emit\nbreak",
	  2, { 0xa8000000, 0x80000000 }, 0, { 0 } },
	{ "ifc cmp.x\nnop\nnop\n.end",
	  4, { 0xa3800c00, 0x84000000, 0x84000000, 0x84000000 }, 0, { 0 } },
	{ "ifc !cmp.x || cmp.y\n.else\n.end",
	  3, { 0xa1000800, 0x84000000, 0x84000000 }, 0, { 0 } },
	{ "ifc cmp.x & !cmp.y\nnop\n.else\nnop\nnop\n.end\nnop",
	  5, { 0xa2400802, 0x84000000, 0x84000000, 0x84000000, 0x84000000 }, 0, { 0 } },
	{ "ifu b3\nfor i2\nnop\nbreakc cmp.y\n.end\n.end",
	  7, { 0x9cc01800, 0xa4801000, 0x84000000, 0x8fc00000, 0x84000000, 0x84000000, 0x84000000 }, 0, { 0 } },
	{ "for i0\n.end\nnop",
	  3, { 0xa4000400, 0x84000000, 0x84000000 }, 0, { 0 } },
	{ "l:\njmpc !cmp.x, l",
	  2, { 0xb1800000, 0x84000000 }, 0, { 0 } },
	{ "l: jmpu !b2, l\njmpu b2, l\nnop",
	  3, { 0xb4800001, 0xb4800000, 0x84000000 }, 0, { 0 } },
	{ "a: b:\n\tnop\njmpc cmp.y, b\nnop",
	  3, { 0x84000000, 0xb3c00000, 0x84000000 }, 0, { 0 } },
	{ "setemit 0\nsetemit 1, prim\nsetemit 2, prim inv\nsetemit 0, invert",
	  4, { 0xac000000, 0xad800000, 0xaec00000, 0xac400000 }, 0, { 0 } },
	{ "call f\n.end\n.proc f\nmov r1, r0\ncallu b1, g\n.end\n.proc g",
	  6, { 0x90000803, 0x84000000, 0x4e210000, 0x98401401, 0x84000000, 0x84000000 }, 1, { 0x0000036f } },
	{ "callc cmp.x && cmp.y, main\nnop",
	  2, { 0x97400002, 0x84000000 }, 0, { 0 } },
};

static void words(void **state)
{
	for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++) {
		struct arena a = { 0 };
		char text[400];
		snprintf(text, sizeof text, ".proc main\n%s\n.end\n", constructs[i].body);
		struct shader s = assemble_text(&a, text);
		if (s.ncode != constructs[i].ncode || memcmp(s.code, constructs[i].code, 4 * s.ncode) ||
		    s.ndesc != constructs[i].ndesc || memcmp(s.desc, constructs[i].desc, 4 * s.ndesc))
			fail_msg("other words: %s", constructs[i].body);
		arena_free(&a);
	}
}

/* A mad names one of 32 descriptors: it takes the place of one that no mad uses, and that one's users follow. */
static void mads_take_low_descriptors(void **state)
{
	struct arena a = { 0 };
	char text[4000] = ".proc main\n";

	for (int i = 0; i < 40; i++)
		sprintf(text + strlen(text), "\tmov r0, r1.%c%c%c%c\n", "xyzw"[i % 4], "xyzw"[i / 4 % 4],
			"xyzw"[i / 16], "xyzw"[i % 3]);
	strcat(text, "\tmad r0, -r1, r2, r3\n\tmov r0, r1.xxxx\n.end\n");
	struct shader s = assemble_text(&a, text);
	assert_int_equal(s.ndesc, 41);
	assert_int_equal(s.code[40] & 31, 0);
	assert_int_equal(s.desc[0] & 31, 0x1f);
	assert_int_equal(s.code[0] & 127, 40);
	assert_int_equal(s.code[41] & 127, 40);
	arena_free(&a);
}

static void tables(void **state)
{
	struct arena a = { 0 };
	struct shader s = assemble_text(&a,
		".fvec unif, array[4], _private\n.bool yes, flags[2]\n.constf k(1.0, -2.5, 0.001, 1e30)\n"
		".consti count(3, 0, 1, -1)\n.constfa list[3]\n.constfa (1, 2, 3, 4)\n.end\n"
		".in place\n.in special v7\n.out opos position\n.out otex texcoord0.xy\n"
		".out - texcoord0w otex.p\n.out - dummy o8\n.setb flags[1] on\n.alias back k.wzyx\n"
		".fvec a$name\n.proc main\nmov opos, -back.xy\nend\n.end\n");
	const struct shader_entry *e = s.entry;
	static const struct shader_constant constant[] = {
		{ SHADER_FLOAT, 95, { 0x3f0000, 0xc04000, 0x350624, 0x7f0000 } },
		{ SHADER_INT, 3, { 3, 0, 1, 0xff } },
		{ SHADER_FLOAT, 92, { 0x3f0000, 0x400000, 0x408000, 0x410000 } },
		{ SHADER_FLOAT, 93, { 0 } }, { SHADER_FLOAT, 94, { 0 } }, { SHADER_BOOL, 2, { 1 } },
	};
	static const struct shader_output output[] = {
		{ OUTPUT_POSITION, 0, 15 }, { OUTPUT_TEXCOORD0, 1, 3 }, { OUTPUT_TEXCOORD0W, 1, 4 },
		{ OUTPUT_GENERIC, 8, 15 },
	};
	static const struct shader_uniform uniform[] = {
		{ "place", UNIFORM_V, UNIFORM_V }, { "special", 7, 7 }, { "unif", UNIFORM_C, UNIFORM_C },
		{ "array", UNIFORM_C + 1, UNIFORM_C + 4 }, { "a.name", UNIFORM_C + 6, UNIFORM_C + 6 },
		{ "yes", UNIFORM_B, UNIFORM_B }, { "flags", UNIFORM_B + 1, UNIFORM_B + 2 },
	};

	assert_int_equal(e->nconstants, 6);
	assert_memory_equal(e->constant, constant, sizeof constant);
	assert_int_equal(e->noutputs, 4);
	assert_memory_equal(e->output, output, sizeof output);
	assert_int_equal(e->nuniforms, 7);
	for (size_t i = 0; i < 7; i++) {
		assert_string_equal(e->uniform[i].name, uniform[i].name);
		assert_int_equal(e->uniform[i].first_register, uniform[i].first_register);
		assert_int_equal(e->uniform[i].last_register, uniform[i].last_register);
	}
	assert_int_equal(e->in_mask, 0x81);
	assert_int_equal(e->out_mask, 0x103);
	assert_int_equal(s.desc[0], 0x1f | 0xea << 5);  /* -wzzz */
	arena_free(&a);
}

static void modes(void **state)
{
	static const struct {
		const char *line;
		uint8_t mode, start, whole, count;
		uint16_t uniform;
	} cases[] = {
		{ ".gsh point c10", GS_POINT, 0, 0, 0, 10 }, { ".gsh variable c48 3", GS_VARIABLE, 0, 3, 0, 48 },
		{ ".gsh fixed c20 c2 4", GS_FIXED, 2, 0, 4, 20 }, { ".gsh", GS_POINT, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = { 0 };
		char text[200];
		snprintf(text, sizeof text, "%s\n.fvec u\n.proc main\nend\n.end\n", cases[i].line);
		struct shader_entry e = assemble_text(&a, text).entry[0];
		assert_true(e.geometry);
		assert_int_equal(e.gs_mode, cases[i].mode);
		assert_int_equal(e.gs_fixed_start, cases[i].start);
		assert_int_equal(e.gs_full_vertices, cases[i].whole);
		assert_int_equal(e.gs_fixed_count, cases[i].count);
		assert_int_equal(e.uniform[0].first_register, UNIFORM_C + cases[i].uniform);
		arena_free(&a);
	}
}

/* Files share procedures, and vertex shaders uniforms; a geometry shader with a mode has its own. */
static void files_share(void **state)
{
	const struct picasso_source source[] = {
		text_of(".fvec a, b\n.constf k(1, 1, 1, 1)\n.proc main\ncall f\nend\n.end\n"),
		text_of(".nodvle\n.fvec b\n.constf k(2, 2, 2, 2)\n.proc f\nmov r0, b\nmov r1, k\n.end\n"),
		text_of(".gsh point c10\n.entry g\n.fvec b\n.proc g\nmov r0, b\ncall f\nend\n.end\n"),
	};
	struct arena a = { 0 };
	struct shader s = assemble(&a, source, 3);

	assert_int_equal(s.nentries, 2);
	assert_int_equal(s.ncode, 7);
	assert_int_equal(s.code[0], 0x90000802);        /* call 2, of two words */
	assert_int_equal(s.code[2], 0x4e021000);        /* mov r0, c1 */
	assert_int_equal(s.code[3], 0x4e27f000);        /* mov r1, c95 */
	assert_int_equal(s.code[4], 0x4e02a000);        /* mov r0, c10 */
	assert_int_equal(s.entry[1].main, 4);
	assert_int_equal(s.entry[1].endmain, 7);
	assert_int_equal(s.entry[0].nlabels, 3);
	assert_string_equal(s.entry[0].label[1].name, "f");
	arena_free(&a);
}

/* `text` is refused at line:column with a message that contains `why`. */
static void refused(const char *text, int line, int column, const char *why)
{
	struct picasso_source source = text_of(text);
	struct arena a = { 0 };
	struct diag d = { 0 };
	struct shader s;

	assert_false(picasso_assemble(&s, &a, &source, 1, NULL, &d));
	assert_int_equal(d.kind, DIAG_INPUT);
	if (d.line != line || d.column != column || !strstr(d.text, why) || strcmp(d.file, "t.v.pica"))
		fail_msg("expected %d:%d %s, got %s:%d:%d %s", line, column, why, d.file, d.line, d.column, d.text);
	arena_free(&a);
}

static void in_main(const char *body, int column, const char *why)
{
	char text[400];

	snprintf(text, sizeof text, ".proc main\n%s\nend\n.end\n", body);
	refused(text, 2, column, why);
}

static void restrictions(void **state)
{
	in_main("foo r0", 1, "unknown instruction `foo`");
	in_main("mov r0 v0", 8, "expected `,` after the destination");
	in_main("mov c0, r0", 5, "cannot be written");
	in_main("mov v0, r0", 5, "cannot be written");
	in_main("mov -r0, r1", 5, "no sign");
	in_main("mov r0, o0", 9, "is an output and no source");
	in_main("mov r0, what", 9, "no register and no name of one");
	in_main("mov r0, r1.xq5", 12, "no component");
	in_main("mov r0, r1[a0.x]", 12, "index float uniforms");
	in_main("mov r0, c90[10]", 13, "c100, the last register is c95");
	in_main("add r0, r1, c2", 13, "exchange the sources");
	in_main("add r0, c1, c2", 13, "one float uniform, found two");
	in_main("add r0, v1, v2", 13, "found v1 and v2");
	in_main("mad r0, c1, r2, r3", 9, "exchange the factors");
	in_main("mad r0, r1, c2, c3", 17, "found two");
	in_main("mad r0, v1, r2, v3", 17, "found v1 and v3");
	in_main("cmp r0, <, eq, r1", 9, "expected eq, ne");
	in_main("cmp r0, lt, eq, c1", 17, "lt with gt");
	in_main("mova r0, r1", 6, "expected a0.x, a0.y or a0.xy");
	in_main("ifc b0", 5, "expected cmp.x or cmp.y");
	in_main("ifc cmp.x && cmp.x", 14, "twice");
	in_main("ifu !b0", 5, "cannot invert");
	in_main("ifu c0", 5, "boolean uniform");
	in_main("for b0", 5, "integer uniform");
	in_main("jmpc cmp.x, nowhere", 13, "no label `nowhere`");
	in_main("call nowhere", 6, "no procedure `nowhere`");
	in_main("setemit 3", 9, "0 to 2");
	in_main("setemit 1, all", 12, "prim or inv");
	in_main(".else", 1, "found .else in procedure");
	refused(".proc main\nifu b0\nnop\n.end\n", 1, 1, "never closed");
	in_main(".what", 2, "unknown directive `.what`");
	refused("nop\n", 1, 1, "stands in no procedure");
	refused(".end\n", 1, 1, "one too many");
	refused(".proc a\n.end\n", 1, 1, "no procedure `main`");
	refused(".proc a\nnop\n.end\n.proc a\n", 4, 7, "procedure `a` already");
	refused(".entry b\n.proc main\nnop\n.end\n", 1, 8, "no procedure `b`");
	refused(".nodvle\n.proc main\nnop\n.end\n", 1, 1, "all have .nodvle");
	refused(".fvec a[96]\n.fvec b\n", 2, 7, "of the 96 there are 0 left");
	refused(".fvec a[0]\n", 1, 9, "1 or more");
	refused(".fvec a, a\n", 1, 10, "already names a register");
	refused(".fvec r1\n", 1, 7, "is a temporary");
	refused(".ivec a[4]\n.consti b(1, 2, 3, 4)\n", 2, 9, "there are 0 left");
	refused(".consti b(1, 2, 3, 256)\n", 1, 20, "whole numbers from -128 to 255");
	refused(".constf b(1, 2, 3)\n", 1, 18, "expected `,` after the component");
	refused(".constf b(1, 2, x, 4)\n", 1, 17, "expected a number");
	refused(".constfa a[1]\n.constfa (1,2,3,4)\n.constfa (1,2,3,4)\n", 3, 10, "more than the 1 elements");
	refused(".constfa a[]\n.end\n", 2, 1, "has no elements");
	refused(".constfa a[]\nnop\n", 2, 1, "array of line 1");
	refused(".setf b0(1, 2, 3, 4)\n", 1, 7, "expected one of the float uniforms");
	refused(".setb b0 maybe\n", 1, 10, "true or false");
	refused(".in a r0\n", 1, 7, "expected an input");
	refused(".out a place\n", 1, 8, "expected position");
	refused(".out a color o7\n", 1, 14, "only be a dummy");
	refused(".out a color o1\n.out - view o1.x\n", 2, 13, "have a meaning already");
	refused(".gsh flat c0\n", 1, 6, "point, variable or fixed");
	refused(".gsh fixed c4 c4 3\n", 1, 15, "among the uniforms from c4");
	refused(".fvec a\n.gsh point c0\n", 2, 1, "in front of all");
	refused("# twelve\n", 1, 3, "comments begin with `;`");
	refused("# 7 \"t.v.pica\"\nnop\n", 7, 1, "no procedure");
	refused("a:\na:\n", 2, 1, "label `a` already");
}

static void names_and_words_tell(void **state)
{
	assert_true(picasso_sniff("; x\n\t.proc main\n", 16));
	assert_false(picasso_sniff(".alias a v0\nmain:\n.process x\n", 30));
	assert_false(picasso_sniff("", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words), cmocka_unit_test(mads_take_low_descriptors), cmocka_unit_test(tables),
		cmocka_unit_test(modes), cmocka_unit_test(files_share), cmocka_unit_test(restrictions),
		cmocka_unit_test(names_and_words_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
