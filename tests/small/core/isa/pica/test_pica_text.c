/* The PICA table: texts of words, words of texts, for all words of the corpus and for random ones. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/base/rng.h"
#include "core/isa/check.h"
#include "core/isa/encode.h"
#include "core/isa/parse.h"
#include "core/isa/pica/nihstro.h"
#include "core/isa/pica/pica.h"
#include "core/isa/print.h"
#include "core/load/shbin.h"
#include "tests/kit/shared_json.h"

static const struct isa_ops ops = { .name = "pica", .lanes = 32, .table = &pica_table, .decode = pica_decode };
static const struct isa_target target = { .isa = &ops, .mode = PICA_VS };

static void text_of(uint32_t code, uint32_t desc, char *text)
{
	struct insn in;

	isa_decode_word(&target, (uint64_t)desc << 32 | code, &in);
	isa_print(&target, &in, text, ISA_LINE);
}

static void is_both_ways(uint32_t code, uint32_t desc, const char *expected)
{
	char text[ISA_LINE];
	struct isa_code made;
	struct diag d = { 0 };

	text_of(code, desc, text);
	assert_string_equal(text, expected);
	if (!isa_parse(&target, text, false, NULL, &made, &d))
		fail_msg("%s: column %d: %s", text, d.column, d.text);
	assert_int_equal(made.word, (uint64_t)desc << 32 | code);
}

static void texts(void **state)
{
	is_both_ways(0x02025080, 0x0006c36f, "add r0.xyzw, c5.xyzw, v1.xyzw @0");
	is_both_ways(0x0202d085, 0x0006e37c, "add r0.xy, -c13.xyzw, -v1.xyzw @5");
	is_both_ways(0x4e12a000, 0x0006c36f, "mov r0.xyzw, c10[a1].xyzw @0 rest 0x36");
	is_both_ways(0x4c07f001, 0x00000aa1, "mov o0.w, c95.yyyy @1");
	is_both_ways(0x48025000, 0x0000020c, "mova.xy, c5.xyxx @0");
	is_both_ways(0xf0029440, 0x0d86c36f, "mad r0.xyzw, v1.xyzw, c5.xyzw, v2.xyzw @0");
	is_both_ways(0xd00224a0, 0x0d86c36f, "madi r0.xyzw, v1.xyzw, v2.xyzw, c5.xyzw @0");
	is_both_ways(0x6a005280, 0x0006c36f, "sgei r0.xyzw, v1.xyzw, c5.xyzw @0");
	is_both_ways(0xba625080, 0x00040200, "cmp c5.xyxx, v1.xyxx, <, <= @0");
	is_both_ways(0x9000680f, 0, "call @0x68 0xf");
	is_both_ways(0xa1400802, 0, "ifc !cc.x&&cc.y @0x8 0x2");
	is_both_ways(0x8f800000, 0, "breakc cc.x @");
	is_both_ways(0x8e800000, 0, "breakc cc.x@0 @");
	is_both_ways(0xb4800c01, 0, "jmpu b2 @0xc 0x1");
	is_both_ways(0xa4400800, 0, "loop i1 @0x8");
	is_both_ways(0xaec00000, 0, "setemit 2 prim inv @");
	is_both_ways(0x84000000, 0, "nop");
	is_both_ways(0x40000001, 0, "unknown10 0x1 @");
}

static void the_table_is_sound(void **state)
{
	struct diag d = { 0 };

	if (!isa_check(&ops, &d))
		fail_msg("%s", d.text);
}

static void bits_without_meaning_are_reported(void **state)
{
	char text[ISA_LINE];

	text_of(0x84000003, 0, text);
	assert_string_equal(text, "nop [unknown: 00000003 00000000]");
}

/* Every random word has a text, and that text gives the word back, bits without meaning apart. So does its decoding. */
static void random_words(void **state)
{
	uint64_t seed = 200;

	for (int i = 0; i < 20000; i++) {
		uint64_t word = rng_next(&seed);
		char text[ISA_LINE];
		struct insn in;
		struct isa_code made;
		struct diag d = { 0 };
		assert_true(isa_decode_word(&target, word, &in));
		isa_print(&target, &in, text, sizeof text);
		char *unknown = strstr(text, " [unknown");
		if (unknown)
			*unknown = '\0';
		if (!isa_parse(&target, text, false, NULL, &made, &d))
			fail_msg("%016llx %s: column %d: %s", (unsigned long long)word, text, d.column, d.text);
		assert_int_equal(made.word, word & ~in.loose);
		uint64_t again;
		assert_true(isa_encode(&target, in.row, &in, &again));
		assert_int_equal(again, word & ~in.loose);
	}
}

static void assembles_again(const struct shader *s, const char *name)
{
	struct isa_target t = target;

	t.side = s->desc;
	t.nside = s->ndesc;
	for (uint32_t i = 0; i < s->ncode; i++) {
		char text[ISA_LINE];
		struct insn in;
		struct isa_code made;
		struct diag d = { 0 };
		assert_true(pica_decode(&t, (const uint8_t *)s->code, s->ncode * 4, i * 4, &in));
		isa_print(&t, &in, text, sizeof text);
		if (!isa_parse(&t, text, false, NULL, &made, &d))
			fail_msg("%s: %s: column %d: %s", name, text, d.column, d.text);
		assert_int_equal((uint32_t)made.word, s->code[i]);
		if (pica_described(&in))
			assert_int_equal(made.word >> 32, s->desc[in.mod[MOD_DESC]]);
	}
}

/* A listing is a text of the assembler's language. */
static void listing_assembles(const struct shader *s, const char *name)
{
	static char text[1 << 18];
	const struct nihstro_options o = { .file = name };
	struct isa_target t = target;
	struct arena a = { 0 };
	struct diag d = { 0 };
	struct shader again;
	size_t n = 0;

	t.side = s->desc;
	t.nside = s->ndesc;
	for (uint32_t i = 0; i < s->ncode; i++) {
		struct insn in;
		char line[ISA_LINE];
		pica_decode(&t, (const uint8_t *)s->code, s->ncode * 4, i * 4, &in);
		isa_print(&t, &in, line, sizeof line);
		n += (size_t)snprintf(text + n, sizeof text - n, "%08x: %08x           %s\n", i * 4, s->code[i], line);
	}
	if (!nihstro_assemble(&again, &a, text, n, &o, &d))
		fail_msg("%s:%d:%d: %s", name, d.line, d.column, d.text);
	assert_int_equal(again.ncode, s->ncode);
	assert_memory_equal(again.code, s->code, s->ncode * sizeof *s->code);
	assert_true(again.ndesc <= s->ndesc);
	assert_memory_equal(again.desc, s->desc, again.ndesc * sizeof *s->desc);
	arena_free(&a);
}

static void corpus(void **state)
{
	char pattern[1024];
	glob_t found;

	skip_without("pica");
	shared_path(pattern, sizeof pattern, "corpus/pica/*/*/out.shbin");
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct arena a = { 0 };
		struct shader s;
		size_t n;
		char *bytes = shared_bytes(strstr(found.gl_pathv[i], "corpus/pica"), &n);
		assert_true(shbin_load(&s, &a, (const uint8_t *)bytes, n, NULL));
		assembles_again(&s, found.gl_pathv[i]);
		listing_assembles(&s, found.gl_pathv[i]);
		free(bytes);
		arena_free(&a);
	}
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_sound),
		cmocka_unit_test(texts),
		cmocka_unit_test(bits_without_meaning_are_reported),
		cmocka_unit_test(random_words),
		cmocka_unit_test(corpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
