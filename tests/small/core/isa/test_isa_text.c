/* Text of instructions, programs and tables without any evidence beside the project. */
#include "tests/kit/cmocka_all.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/base/diag.h"
#include "core/isa/index.h"
#include "core/isa/list.h"
#include "core/isa/parse.h"
#include "core/isa/print.h"
#include "core/isa/reference.h"
#include "core/isa/tesla/tesla.h"
#include "tests/kit/tesla_lines.h"

enum { LINES = sizeof(tesla_lines) / sizeof(*tesla_lines) };

static const struct isa_ops ops = { .name = "tesla", .table = &tesla_table, .decode = isa_decode_at };
static const struct isa_target g200 = { .isa = &ops, .features = FEAT_SM11 | FEAT_SM12 | FEAT_FP64, .mode = MODE_CP };

static struct isa_target target_of(const struct tesla_line *l)
{
	struct isa_target t = { .isa = &ops };
	assert_true(isa_name_find(tesla_table.modes, l->mode, strlen(l->mode), &t.mode));
	assert_true(isa_name_find(tesla_table.chips, l->chip, strlen(l->chip), &t.features));
	return t;
}

static void prints(void **state)
{
	for (unsigned i = 0; i < LINES; i++) {
		struct isa_target t = target_of(&tesla_lines[i]);
		struct insn in;
		char text[ISA_LINE];
		isa_decode_word(&t, tesla_lines[i].word, &in);
		isa_print(&t, &in, text, sizeof(text));
		assert_string_equal(text, tesla_lines[i].text);
		assert_int_equal(in.length, tesla_lines[i].word >> 32 || (in.word & 1) ? 8 : 4);
	}
}

static void parses(void **state)
{
	for (unsigned i = 0; i < LINES; i++) {
		struct isa_target t = target_of(&tesla_lines[i]);
		struct isa_code code;
		struct diag d = { 0 };
		if (!isa_parse(&t, tesla_lines[i].text, false, NULL, &code, &d))
			fail_msg("%s: column %d: %s", tesla_lines[i].text, d.column, d.text);
		if (code.word != tesla_lines[i].word)
			fail_msg("%s: %016llx", tesla_lines[i].text, (unsigned long long)code.word);
	}
}

static const char *word_at(const char *text, unsigned n)
{
	for (; n && *text; n--) {
		text += strcspn(text, " ");
		text += *text == ' ';
	}
	return text;
}

/* A line with a word of another line in place of its own, or in front, or with a word left out. */
static void mix(const char *a, const char *b, unsigned seed, char *out, size_t size)
{
	const char *old = word_at(a, seed % 7), *new = word_at(b, seed % 7), *rest = old;
	if (seed & 0x100)
		rest += strcspn(rest, " ");
	snprintf(out, size, "%.*s%.*s %s", (int)(old - a), a, seed & 0x200 ? (int)strcspn(new, " ") : 0, new, rest);
}

/* Lines ruled out by the index could not have been read: an index that rules out nothing gives the same. */
static void index_rules_out_no_text(void **state)
{
	static struct isa_index ignorant;
	struct isa_table table = tesla_table;
	const struct isa_ops other = { .name = "tesla", .table = &table, .decode = isa_decode_at };
	unsigned taken = 0, seed = 1;

	table.index = &ignorant;
	isa_index_of(&table);
	memset(ignorant.words, 0, sizeof(ignorant.words));
	for (unsigned i = 0; i < tesla_table.nrow; i++)
		ignorant.keyless.bits[i / 64] |= 1ull << i % 64;
	for (unsigned i = 0; i < 40000; i++) {
		const struct tesla_line *a = &tesla_lines[(seed >> 8) % LINES], *b = &tesla_lines[(seed >> 20) % LINES];
		struct isa_target t = target_of(a), u = t;
		struct isa_code x = { 0 }, y = { 0 };
		char text[2 * ISA_LINE];
		u.isa = &other;
		mix(a->text, b->text, seed >> 4, text, sizeof(text));
		bool wide = i % 4 == 0, ok = isa_parse(&t, text, wide, NULL, &x, NULL);
		if (ok != isa_parse(&u, text, wide, NULL, &y, NULL) || (ok && (x.word != y.word || x.row != y.row)))
			fail_msg("'%s': %d, %016llx, without an index %016llx", text, ok, (unsigned long long)x.word,
				 (unsigned long long)y.word);
		taken += ok;
		seed = seed * 1664525u + 1013904223u;
	}
	assert_true(taken > 2000);
}

/* Places of operands and modifiers of a few awkward rows, as executors expect. */
static void decodes(void **state)
{
	struct insn in;
	struct isa_code code;
	assert_true(isa_parse(&g200, "(e $c2) addc b32 $c1 $r1 b32 s[$a1++0x4] $r3 $c2", false, NULL, &code, NULL));
	assert_true(isa_decode_word(&g200, code.word, &in));
	assert_int_equal(in.pred, 2);
	assert_int_equal(in.pred_reg, 2);
	assert_int_equal(in.flags_dst, 1);
	assert_int_equal(in.src[0].shape, OPND_MEM);
	assert_int_equal(in.src[0].file, SPACE_S);
	assert_int_equal(in.src[0].addr_reg, 1);
	assert_int_equal(in.src[0].post, 1);
	assert_int_equal(in.src[0].value, 4);
	assert_int_equal(in.src[1].reg, 3);
	assert_int_equal(in.src[3].file, FILE_C);
	assert_int_equal(in.src[3].reg, 2);
	assert_int_equal(in.mod[MOD_ADDOP], 3);
	assert_true(isa_parse(&g200, "sad $r5 s16 $r1l $r2h $r5", false, NULL, &code, NULL));
	assert_true(isa_decode_word(&g200, code.word, &in));
	assert_int_equal(in.length, 4);
	assert_int_equal(in.nsrc, 3);
	assert_int_equal(in.src[1].reg, 5);
	assert_int_equal(in.src[1].width, 2);
	assert_int_equal(in.src[2].reg, 5);
	assert_int_equal(in.src[2].width, 4);
	assert_int_equal(in.mod[MOD_SIGN1], 1);
	assert_int_equal(in.pred, PRED_ALWAYS);
	assert_int_equal(in.flags_dst, FLAGS_NONE);
	assert_true(isa_parse(&g200, "st b32 g14[$r3] $r4", false, NULL, &code, NULL));
	assert_true(isa_decode_word(&g200, code.word, &in));
	assert_int_equal(in.dst.bank, 14);
	assert_int_equal(in.dst.reg, 3);
	assert_int_equal(in.dst.width, 4);
	assert_int_equal(in.src[0].reg, 4);
	assert_true(isa_parse(&g200, "bra c1[$a1+0x2]", false, NULL, &code, NULL));
	assert_true(isa_decode_word(&g200, code.word, &in));
	assert_int_equal(in.src[0].value, 8);       /* the text counts words */
	assert_int_equal(in.undoc, 0);
	assert_true(isa_parse(&g200, "bar inc wait 0x3 all", false, NULL, &code, NULL));
	assert_true(isa_decode_word(&g200, code.word, &in));
	assert_int_equal(in.mod[MOD_OP], 3);
	assert_int_equal(in.src[0].value, -1);
	assert_true(isa_parse(&g200, "texauto all $r0:#:$r1:# $t1 $s2 $r0:$r1 -0x1 0x2 -0x8", false, NULL, &code,
	                      NULL));
	assert_true(isa_decode_word(&g200, code.word, &in));
	assert_int_equal(in.dst.mask, 5);
	assert_int_equal(in.src[0].count, 2);
	assert_int_equal((int8_t)in.mod[MOD_OFFZ], -8);
}

/* Bits without a meaning are silent or loose, never both, and undocumented encodings are text on demand only. */
static void accounts_for_bits(void **state)
{
	struct isa_target undoc = g200;
	struct insn in;
	char text[ISA_LINE];
	undoc.undoc = true;
	assert_true(isa_decode_word(&g200, 0x00000780d0003003 | 1ull << 62, &in));
	assert_int_equal(in.loose, 1ull << 62);
	assert_true(in.undoc);
	isa_print(&g200, &in, text, sizeof(text));
	assert_string_equal(text, "???");
	isa_print(&undoc, &in, text, sizeof(text));
	assert_string_equal(text, "preret 0x18 [unknown: 00000000 40000000]");
	assert_false(isa_decode_word(&g200, 0x00000a0030000003, &in));
	assert_null(in.row);
	assert_int_equal(in.length, 8);
	static const uint8_t cut[] = { 0x03, 0x00, 0x00, 0x30, 0x80, 0x07 };
	assert_false(isa_decode_at(&g200, cut, sizeof(cut), 0, &in));
	assert_int_equal(in.length, 4);
	assert_false(isa_decode_at(&g200, cut, sizeof(cut), 4, &in));
}

static void expect_listing(const char *expected, unsigned flags, size_t invalid)
{
	static const uint8_t code[] = {
		0x04, 0x84, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 0x03, 0x10, 0x00, 0x10, 0x80, 0x07, 0x00, 0x00,
		0x03, 0x00, 0x00, 0x10, 0x80, 0x07, 0x00, 0x00,
	};
	static const struct isa_label start = { "start", 0 };
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	assert_non_null(f);
	assert_int_equal(isa_list(&g200, code, sizeof(code), &start, 1, flags, NULL, f), invalid);
	fclose(f);
	assert_string_equal(text, expected);
	free(text);
}

static void lists(void **state)
{
	expect_listing("start:\n"
		       "00000000: 10008404           mov b32 $r1 $r2\n"
		       "00000004: 00000000           ???\n"
		       "L_8:\n"
		       "00000008: 10001003 00000780  bra 0x8\n"
		       "00000010: 10000003 00000780  bra 0x0\n", 0, 1);
	expect_listing("mov b32 $r1 $r2\n???\nbra 0x8\nbra 0x0\n", ISA_LIST_BARE, 1);
	expect_listing("start:\n\tmov b32 $r1 $r2\n\t.word 0x00000000   // ???\nL_8:\n\tbra #L_8\n\tbra #start\n",
	               ISA_LIST_SOURCE, 1);
}

static char *reference(enum isa_reference_format format)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	assert_non_null(f);
	isa_reference(&tesla_table, format, f);
	fclose(f);
	return text;
}

static void refers(void **state)
{
	char *json = reference(ISA_REFERENCE_JSON), *md = reference(ISA_REFERENCE_MD);
	char *text = reference(ISA_REFERENCE_TEXT);
	json_error_t error;
	json_t *root = json_loads(json, 0, &error);
	if (!root)
		fail_msg("line %d: %s", error.line, error.text);
	assert_int_equal(json_array_size(json_object_get(root, "instructions")), tesla_table.nrow);
	json_decref(root);
	for (unsigned i = 0; i < tesla_table.nrow; i++) {
		assert_non_null(strstr(md, tesla_table.row[i].text));
		assert_non_null(strstr(text, tesla_table.row[i].text));
	}
	free(json);
	free(md);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prints),
		cmocka_unit_test(parses),
		cmocka_unit_test(index_rules_out_no_text),
		cmocka_unit_test(decodes),
		cmocka_unit_test(accounts_for_bits),
		cmocka_unit_test(lists),
		cmocka_unit_test(refers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
