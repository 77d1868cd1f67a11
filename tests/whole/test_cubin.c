/* Cubins of the PTX compiler: a program loads again with the same code, sizes, parameters, constants, variables,
 * labels, lines and launch defaults; bytes of any kind are refused or loaded. */
#include "tests/kit/launches.h"
#include "tests/kit/shared.h"

enum { PATH_BYTES = 4096, MUTANTS = 1500 };

static struct wb_program *open_program(const void *bytes, size_t n, const char *name, const char *chip)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_diag d = { 0 };

	if (chip)
		assert_int_equal(wb_config_set(c, "chip", chip, &d), WB_OK);
	if (wb_program_load(bytes, n, name, c, &p, &d) != WB_OK)
		fail_msg("%s for %s: line %d: %s", name, chip ? chip : "its chip", d.line, d.text);
	wb_config_free(c);
	return p;
}

static struct wb_text cubin_of(const struct wb_program *p)
{
	struct wb_text t;
	struct wb_diag d = { 0 };

	if (wb_program_cubin(p, NULL, &t, &d) != WB_OK)
		fail_msg("%s", d.text);
	return t;
}

static void same_listing(const struct wb_program *p, const struct wb_program *q, unsigned flags)
{
	struct wb_text a, b;

	assert_int_equal(wb_disassemble(p, NULL, flags, &a, NULL), WB_OK);
	assert_int_equal(wb_disassemble(q, NULL, flags, &b, NULL), WB_OK);
	assert_string_equal(a.data, b.data);
	wb_text_free(&a);
	wb_text_free(&b);
}

static char *read_text(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	FILE *out = open_memstream(&text, n);

	assert_non_null(f);
	for (int c; (c = fgetc(f)) != EOF;)
		fputc(c, out);
	fclose(f);
	fclose(out);
	return text;
}

/* Listings with directives and with source lines are the same. */
static void check_round(const char *text, size_t n, const char *name, const char *chip)
{
	struct wb_program *p = open_program(text, n, name, chip);
	struct wb_text first = cubin_of(p);
	struct wb_program *q = open_program(first.data, first.size, name, NULL);

	assert_string_equal(wb_program_format(q), "cubin-elf");
	same_listing(p, q, 0);
	for (unsigned i = 0; i < wb_program_kernels(p); i++) {
		const struct wb_kernel *k = wb_program_kernel(p, i), *l = wb_program_kernel(q, i);
		assert_string_equal(k->name, l->name);
		assert_string_equal(k->chip, l->chip);
		assert_int_equal(k->registers, l->registers);
		assert_int_equal(k->shared_bytes, l->shared_bytes);
		assert_int_equal(k->local_bytes, l->local_bytes);
		assert_int_equal(k->nparams, l->nparams);
	}
	same_listing(p, q, WB_LIST_SOURCE);
	wb_program_free(q);
	wb_program_free(p);
	wb_text_free(&first);
}

static void programs_load_again_as_they_were(void **state)
{
	static const struct { const char *name, *chips[5]; } files[] = {
		{ "block_sum", { "g80", "g84", "mcp77", "gt215", "g200" } }, { "bytes_v10", { "g80", "g200" } },
		{ "cl_blur3", { "g200" } }, { "cl_runs", { "g80", "g200" } }, { "collatz_set", { "g80", "g200" } },
		{ "divmod32", { "g80", "g200" } }, { "hist_atom", { "g84", "g200" } }, { "poly_f64", { "g200" } },
		{ "saxpy_guard", { "g80", "g200" } }, { "vote_shared12", { "mcp77", "gt215" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char relative[64], path[PATH_BYTES];
		size_t n;
		snprintf(relative, sizeof relative, "vectors/ptx/%s.ptx", files[i].name);
		shared_path(path, sizeof path, relative);
		char *text = read_text(path, &n);
		for (unsigned k = 0; k < 5 && files[i].chips[k]; k++)
			check_round(text, n, files[i].name, files[i].chips[k]);
		free(text);
	}
}

/* A kernel with one of each: a variable with contents and one without, constants, a shared array that ends the file's,
 * l[], a loop and launch defaults. */
static const char everything[] =
	".version 1.4\n.target sm_13\n"
	"// .grid 1\n// .block 40\n// .arg zero=512\n// expect: arg 0 u32[0..3] = 111 112 113 114\n"
	".global .align 4 .u32 zeros[5];\n"
	".global .align 4 .u32 table[3] = {7, 100, 9};\n"
	".const .align 4 .u32 added[2] = {1, 10};\n"
	".entry k (.param .u32 out)\n{\n"
	"\t.reg .u32 %r<12>; .reg .pred %p<3>; .local .align 4 .b8 mine[16];\n"
	"\t.file 1 \"no_such_folder/k.cu\"\n"
	"\t.loc 1 5 0\n\tcvt.u32.u16 %r1, %tid.x;\n\tmov.u32 %r2, table;\n\tld.global.u32 %r3, [%r2+4];\n"
	"\tst.local.u32 [mine+4], %r3;\n\tld.const.u32 %r4, [added+4];\n\tld.const.u32 %r5, [added];\n"
	"\t.loc 1 6 0\n\tadd.u32 %r6, %r4, %r5;\n\tld.local.u32 %r7, [mine+4];\n\tadd.u32 %r6, %r6, %r7;\n"
	"\tadd.u32 %r6, %r6, %r1;\n\tmov.u32 %r8, 0;\n"
	"again:\n\t.loc 1 7 0\n\tadd.u32 %r8, %r8, 1;\n\tsetp.lt.u32 %p1, %r8, %r1;\n\t@%p1 bra again;\n"
	"\tmov.u32 %r9, zeros;\n\tld.global.u32 %r10, [%r9];\n\tadd.u32 %r6, %r6, %r10;\n"
	"\tld.param.u32 %r11, [out];\n\tmul.lo.u32 %r2, %r1, 4;\n\tadd.u32 %r11, %r11, %r2;\n"
	"\tst.global.u32 [%r11], %r6;\n\texit;\n}\n";

static char *run_all(const struct wb_program *p, uint32_t out[128])
{
	static const struct setting plain[] = { { NULL, NULL } };
	struct wb_launch *l = launch(p, plain);
	struct wb_diag d = { 0 };
	enum wb_status s = wb_launch_run(l, &d);
	char *text;

	if (s != WB_OK)
		fail_msg("%s", d.text);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, out, 512, NULL), WB_OK);
	text = outcome(l, s, &d);
	wb_launch_free(l);
	return text;
}

static void a_cubin_runs_as_the_program_does(void **state)
{
	struct wb_program *p = open_program(everything, strlen(everything), "k.ptx", NULL);
	struct wb_text t = cubin_of(p), again;
	struct wb_program *q = open_program(t.data, t.size, "k.cubin", NULL);
	const struct wb_kernel *k = wb_program_kernel(q, 0);
	uint32_t a[128], b[128];
	char *first = run_all(p, a), *second = run_all(q, b);

	(void)state;
	assert_string_equal(first, second);
	assert_memory_equal(a, b, sizeof a);
	for (uint32_t i = 0; i < 40; i++)
		assert_int_equal(a[i], 111 + i);
	assert_string_equal(k->params[0].name, "out");
	assert_string_equal(k->params[0].type, "u32");
	assert_string_equal(k->grid, "1");
	assert_string_equal(k->block, "40");
	assert_string_equal(k->expectations[0], "arg 0 u32[0..3] = 111 112 113 114");
	same_listing(p, q, 0);
	again = cubin_of(p);
	assert_int_equal(again.size, t.size);
	assert_memory_equal(again.data, t.data, t.size);
	free(first);
	free(second);
	wb_text_free(&again);
	wb_text_free(&t);
	wb_program_free(q);
	wb_program_free(p);
}

/* "5" of a comment "// no_such_folder/k.cu:5", and the PTX beside. */
static void a_listing_has_both_lines(void **state)
{
	struct wb_program *p = open_program(everything, strlen(everything), "k.ptx", NULL);
	struct wb_text t;

	(void)state;
	assert_int_equal(wb_disassemble(p, NULL, 0, &t, NULL), WB_OK);
	assert_non_null(strstr(t.data, "// no_such_folder/k.cu:5\n// ptx 15: \tcvt.u32.u16 %r1, %tid.x;\n"));
	assert_non_null(strstr(t.data, "// no_such_folder/k.cu:7\n"));
	wb_text_free(&t);
	struct wb_diag d = { 0 };
	assert_int_equal(wb_disassemble(p, NULL, WB_LIST_SOURCE, &t, &d), WB_USAGE);
	assert_non_null(strstr(d.text, "kernel k uses variables in global memory"));
	wb_program_free(p);
}

static void other_programs_are_no_cubins(void **state)
{
	struct wb_program *p = load(HEAD "exit nop\n");
	struct wb_text t;
	struct wb_diag d = { 0 };

	(void)state;
	assert_int_equal(wb_program_cubin(p, NULL, &t, &d), WB_USAGE);
	assert_non_null(strstr(d.text, "a program of format asm; expected PTX"));
	wb_program_free(p);
}

/* Wrong bytes, cut files: a program or a diagnostic. */
static void any_bytes_are_loaded_or_refused(void **state)
{
	struct wb_program *p = open_program(everything, strlen(everything), "k.ptx", NULL);
	struct wb_text t = cubin_of(p);
	unsigned random = 12345, loaded = 0;

	(void)state;
	for (unsigned i = 0; i < MUTANTS; i++) {
		char *bytes = malloc(t.size);
		struct wb_program *q;
		struct wb_diag d = { 0 };
		struct wb_text listing;
		size_t n = t.size;
		memcpy(bytes, t.data, n);
		for (unsigned k = 0; k <= i % 4; k++) {
			random = random * 1103515245 + 12345;
			size_t at = (random >> 8) % n;
			random = random * 1103515245 + 12345;
			if (i % 16 == 15)
				n = at + 1;
			else
				bytes[at] = i % 3 ? (char)(random >> 16) : (char)(bytes[at] ^ 1 << (random >> 16) % 8);
		}
		enum wb_status s = wb_program_load(bytes, n, "k.cubin", NULL, &q, &d);
		if (s == WB_OK) {
			loaded++;
			if (wb_disassemble(q, NULL, 0, &listing, &d) == WB_OK)
				wb_text_free(&listing);
		} else {
			assert_true(s == WB_INPUT || s == WB_USAGE);
			assert_true(*d.text);
		}
		wb_program_free(q);
		free(bytes);
	}
	assert_true(loaded > MUTANTS / 4 && loaded < MUTANTS);
	wb_text_free(&t);
	wb_program_free(p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_load_again_as_they_were),
		cmocka_unit_test(a_cubin_runs_as_the_program_does),
		cmocka_unit_test(a_listing_has_both_lines),
		cmocka_unit_test(other_programs_are_no_cubins),
		cmocka_unit_test(any_bytes_are_loaded_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
