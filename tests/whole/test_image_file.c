/* Images of compiled programs as files (core/load/image_file.c): the program of the image is the program, and whatever
 * happens to the bytes, an image or a diagnostic comes of them. */
#include "tests/kit/launches.h"

#include "core/base/rng.h"

enum { MUTANTS = 20000 };

static const char ptx[] =
	".version 1.4\n.target sm_13\n"
	".const .align 4 .b8 table[16] = { 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0 };\n"
	".entry twice ( .param .u32 out, .param .u32 n )\n{\n"
	"\t.reg .u32 %r<9>;\n\t.reg .pred %p<2>;\n"
	"\tcvt.u32.u16 %r1, %tid.x;\n\tld.param.u32 %r2, [n];\n\tsetp.ge.u32 %p1, %r1, %r2;\n"
	"\t@%p1 bra done;\n"
	"\tand.b32 %r5, %r1, 3;\n\tshl.b32 %r5, %r5, 2;\n\tmov.u32 %r6, table;\n\tadd.u32 %r6, %r6, %r5;\n"
	"\tld.const.u32 %r7, [%r6];\n"
	"\tshl.b32 %r3, %r1, 2;\n\tld.param.u32 %r4, [out];\n\tadd.u32 %r4, %r4, %r3;\n"
	"\tst.global.u32 [%r4], %r7;\ndone:\n\texit;\n}\n";

static struct wb_program *load_bytes(const void *bytes, size_t n, const char *name, struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;

	wb_program_load(bytes, n, name, c, &p, d);
	wb_config_free(c);
	return p;
}

static struct wb_program *compiled(void)
{
	struct wb_diag d = { 0 };
	struct wb_program *p = load_bytes(ptx, sizeof ptx - 1, "twice.ptx", &d);

	if (!p)
		fail_msg("line %d: %s", d.line, d.text);
	return p;
}

static char *run(const struct wb_program *p)
{
	static const struct setting settings[] = { { "block", "32" }, { "grid", "2" }, { NULL, NULL } };
	struct wb_launch *l = launch(p, settings);
	struct wb_diag d = { 0 };

	assert_int_equal(wb_launch_arg(l, "zero=128", &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "u32=20", &d), WB_OK);
	char *text = outcome(l, wb_launch_run(l, &d), &d);
	wb_launch_free(l);
	return text;
}

static void same_program(void **state)
{
	struct wb_program *p = compiled(), *q;
	struct wb_text image, again, x, y;
	struct wb_diag d = { 0 };

	assert_int_equal(wb_program_image(p, &image, &d), WB_OK);
	q = load_bytes(image.data, image.size, "twice.cl", &d);         /* not compiled: the bytes say what they are */
	if (!q)
		fail_msg("%s", d.text);
	assert_string_equal(wb_program_format(q), "ptx");
	assert_int_equal(wb_program_image(q, &again, &d), WB_OK);
	assert_int_equal(again.size, image.size);
	assert_memory_equal(again.data, image.data, image.size);
	assert_int_equal(wb_disassemble(p, NULL, 0, &x, &d), WB_OK);
	assert_int_equal(wb_disassemble(q, NULL, 0, &y, &d), WB_OK);
	assert_int_equal(x.size, y.size);
	assert_memory_equal(x.data, y.data, x.size);
	char *a = run(p), *b = run(q);
	assert_non_null(strstr(a, "\n"));
	assert_string_equal(a, b);
	free(a);
	free(b);
	wb_text_free(&x);
	wb_text_free(&y);
	wb_text_free(&image);
	wb_text_free(&again);
	wb_program_free(p);
	wb_program_free(q);
}

static void damaged(void **state)
{
	struct wb_program *p = compiled();
	struct wb_text image;
	struct wb_diag d = { 0 };
	uint64_t random = 10;
	unsigned loaded = 0, refused = 0;

	assert_int_equal(wb_program_image(p, &image, &d), WB_OK);
	for (size_t n = 9; n < image.size; n++) {
		assert_null(load_bytes(image.data, n, "image", &d));
		assert_int_equal(d.status, WB_INPUT);
		assert_non_null(strstr(d.text, "the image is damaged: "));
	}
	for (unsigned i = 0; i < MUTANTS; i++) {
		static const uint8_t edges[] = { 0, 1, 0x7f, 0x80, 0xff, 4, 8, 0x40 };
		char *bytes = malloc(image.size);
		memcpy(bytes, image.data, image.size);
		for (uint64_t changes = 1 + (rng_next(&random) & 3); changes; changes--) {
			uint64_t r = rng_next(&random);
			bytes[8 + (r >> 8) % (image.size - 8)] = (char)(r & 16 ? edges[r & 7] : r >> 40);
		}
		struct wb_program *q = load_bytes(bytes, image.size, "image", &d);
		struct wb_text x;
		if (q && wb_disassemble(q, NULL, 0, &x, &d) == WB_OK)
			wb_text_free(&x);
		loaded += q != NULL;
		refused += !q;
		wb_program_free(q);
		free(bytes);
	}
	assert_true(loaded > MUTANTS / 50 && refused > MUTANTS / 50);
	wb_text_free(&image);
	wb_program_free(p);
}

static void text_is_refused(void **state)
{
	struct wb_program *p = load(HEAD "exit nop\n");
	struct wb_text image;
	struct wb_diag d = { 0 };

	assert_int_equal(wb_program_image(p, &image, &d), WB_INPUT);
	assert_non_null(strstr(d.text, "expected a compiled program"));
	assert_null(image.data);
	wb_program_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_program), cmocka_unit_test(damaged), cmocka_unit_test(text_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
