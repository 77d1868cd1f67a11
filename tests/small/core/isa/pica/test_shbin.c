/* SHBIN files: what is written is read again, what is damaged is refused, and the corpus reads. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/load/shbin.h"
#include "tests/kit/shared.h"

static struct shader sample(void)
{
	static uint32_t code[] = { 0x4e000000, 0x88000000, 0x84000000, 0x88000000 }, desc[] = { 0x0006c36f };
	static struct shader_constant constant[] = {
		{ SHADER_FLOAT, 95, { 0x3f0000, 0, 0xbf0000, 0x3e0000 } }, { SHADER_INT, 3, { 4, 0, 1, 0 } },
		{ SHADER_BOOL, 15, { 1 } },
	};
	static struct shader_label label[] = { { "main", 0, 0, 0 }, { "endmain", 1, 4, 0 } };
	static struct shader_output output[] = { { OUTPUT_POSITION, 0, 15 }, { OUTPUT_TEXCOORD0, 2, 3 } };
	static struct shader_uniform uniform[] = { { "projection", UNIFORM_C, UNIFORM_C + 3 } };
	static struct shader_entry entry[] = {
		{ .main = 0, .endmain = 2, .out_mask = 5, .nconstants = 3, .constant = constant, .nlabels = 2,
		 .label = label, .noutputs = 2, .output = output, .nuniforms = 1, .uniform = uniform },
		{ .geometry = true, .main = 2, .endmain = 4, .gs_mode = GS_FIXED, .gs_fixed_start = 24,
		 .gs_fixed_count = 4 },
	};

	return (struct shader){ .ncode = 4, .ndesc = 1, .nentries = 2, .code = code, .desc = desc, .entry = entry };
}

static void written_is_read_again(void **state)
{
	struct shader s = sample(), t;
	struct arena a = { 0 };
	struct diag d;
	uint8_t *bytes, *again;
	size_t n, m;

	assert_true(shbin_write(&s, &a, &bytes, &n, &d));
	assert_true(shbin_sniff(bytes, n));
	assert_true(shbin_load(&t, &a, bytes, n, &d));
	assert_int_equal(t.nentries, 2);
	assert_memory_equal(t.code, s.code, sizeof *s.code * s.ncode);
	assert_int_equal(t.entry[0].constant[2].value[0], 1);
	assert_int_equal(t.entry[0].constant[1].value[2], 1);
	assert_int_equal(t.entry[0].out_mask, 5);
	assert_string_equal(t.entry[0].label[1].name, "endmain");
	assert_string_equal(t.entry[0].uniform[0].name, "projection");
	assert_int_equal(t.entry[1].gs_fixed_count, 4);
	assert_true(shbin_write(&t, &a, &again, &m, &d));
	assert_int_equal(m, n);
	assert_memory_equal(again, bytes, n);
	arena_free(&a);
}

/* Overwrite one 32-bit word of a good file and expect a refusal at `offset` that mentions `text`. */
static void refuse(size_t at, uint32_t word, int64_t offset, const char *text)
{
	struct shader s = sample(), t;
	struct arena a = { 0 };
	struct diag d = { 0 };
	uint8_t *bytes;
	size_t n;

	assert_true(shbin_write(&s, &a, &bytes, &n, &d));
	memcpy(bytes + at, &word, 4);
	assert_false(shbin_load(&t, &a, bytes, n, &d));
	assert_int_equal(d.kind, DIAG_INPUT);
	assert_int_equal(d.offset, offset);
	if (!strstr(d.text, text))
		fail_msg("'%s' does not mention '%s'", d.text, text);
	arena_free(&a);
}

static void lies_are_refused(void **state)
{
	enum { DVLP_AT = 0x10, DVLE_AT = 0x2c, TABLES = 0x2c + 2 * 0x40 + 4 * 4 + 8 };

	refuse(0, 0x42424242, 0, "DVLB");
	refuse(4, 0x10000000, 8, "entry points");
	refuse(8, 0xffffff00, 0xffffff00, "DVLE");
	refuse(DVLP_AT, 0, DVLP_AT, "DVLP");
	refuse(DVLP_AT + 0xc, 0x7fffffff, DVLP_AT + 0x1c + 0x80, "the program");
	refuse(DVLP_AT + 0xc, 0, DVLP_AT + 0xc, "0 words");
	refuse(DVLP_AT + 0x14, 0x7fffffff, DVLP_AT + 0x1c + 0x90, "descriptor");
	refuse(DVLE_AT + 4, 0x00020000, DVLE_AT + 6, "shader type 2");
	refuse(DVLE_AT + 8, 5, DVLE_AT + 8, "entry point at word 5");
	refuse(DVLE_AT + 0x1c, 0x01000000, TABLES + 16, "constant table");
	refuse(TABLES, 16u << 16, TABLES + 2, "o16");
	refuse(TABLES + 16, 0x00600002, TABLES + 18, "c96");
	refuse(TABLES + 16, 0x00000003, TABLES + 16, "type 3");
	refuse(TABLES + 16 + 60 + 4, 0x00100013, TABLES + 16 + 60 + 4, "rising");
	refuse(TABLES + 16 + 60, 0xffff, TABLES + 16 + 60, "name");
}

static void damage_never_crashes(void **state)
{
	struct shader s = sample(), t;
	struct arena a = { 0 };
	struct diag d;
	uint8_t *bytes;
	size_t n;
	uint64_t seed = 3;

	assert_true(shbin_write(&s, &a, &bytes, &n, &d));
	for (size_t cut = 0; cut < n; cut++) {
		uint8_t *exact = malloc(cut + 1);
		memcpy(exact, bytes, cut);
		assert_false(shbin_load(&t, &a, exact, cut, &d));
		free(exact);
	}
	for (int i = 0; i < 20000; i++) {
		uint8_t *copy = malloc(n);
		memcpy(copy, bytes, n);
		for (int k = 0; k < 3; k++)
			copy[rng_below(&seed, (uint32_t)n)] = (uint8_t)rng_next(&seed);
		struct arena b = { 0 };
		shbin_load(&t, &b, copy, n, &d);
		arena_free(&b);
		free(copy);
	}
	arena_free(&a);
}

static void read_file(const char *path, uint8_t *buffer, size_t size, size_t *n)
{
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	*n = fread(buffer, 1, size, f);
	fclose(f);
}

static void corpus_reads(void **state)
{
	static uint8_t buffer[65536];
	char pattern[512];
	glob_t found;
	size_t n, m;

	skip_without("pica");
	shared_path(pattern, sizeof pattern, "corpus/pica/*/*/out.shbin");
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct arena a = { 0 };
		struct diag d = { 0 };
		struct shader s;
		uint8_t *bytes;

		read_file(found.gl_pathv[i], buffer, sizeof buffer, &n);
		if (!shbin_load(&s, &a, buffer, n, &d))
			fail_msg("%s: %s", found.gl_pathv[i], d.text);
		assert_true(s.nentries > 0 && s.ncode > 0);
		assert_true(shbin_write(&s, &a, &bytes, &m, &d));
		if (strstr(found.gl_pathv[i], "/nihstro/")) {   /* that assembler's layout is ours */
			assert_int_equal(m, n);
			assert_memory_equal(bytes, buffer, n);
		}
		arena_free(&a);
	}
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(written_is_read_again),
		cmocka_unit_test(lies_are_refused),
		cmocka_unit_test(damage_never_crashes),
		cmocka_unit_test(corpus_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
