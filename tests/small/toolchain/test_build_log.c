/* The log of a build: every line of every compiler, and the diagnostic at the end of a failure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "toolchain/toolchain.h"

static bool read_nothing(void *context, const char *path, uint8_t **bytes, size_t *size, struct diag *d)
{
	(void)context, (void)bytes, (void)size;
	return diag_set(d, DIAG_ENV, "no file %s", path);
}

static bool note_nothing(void *context, const char *name, const void *bytes, size_t size)
{
	(void)context, (void)name, (void)bytes, (void)size;
	return true;
}

/* Make an image of a text; the log is the caller's to free. */
static bool make(const char *name, const char *text, struct build_log *log, struct diag *d)
{
	struct build_options o = {
		.cc = "", .libclc = "", .cl_std = "CL1.2", .optimize = "2", .defines = "", .includes = "",
		.cl_flags = "", .chip = "g200",
		.max_memory = MEMORY_HALF, .max_seconds = SECONDS_DEFAULT, .edition = "test",
		.read = read_nothing, .note = note_nothing,
	};
	struct arena a = { 0 };
	struct build b = {
		.options = &o, .name = name, .bytes = text, .size = strlen(text), .arena = &a, .log = log, .diag = d,
	};
	bool made = image_make(&b);

	assert_int_equal(made, b.image != NULL);
	image_free(b.image);
	arena_free(&a);
	return made;
}

static void splits_lines(void **state)
{
	struct build_log log = { 0 };

	(void)state;
	log_text(&log, "one\n\ntwo\x1b\nlast", 14);
	log_text(NULL, "nobody reads", 12);
	log_place(&log, "f.cl", 3, 0, "warning", "w");
	log_place(&log, "f.cl", 3, 4, "error", "e");
	log_place(&log, "f.cl", 0, 0, "error", "e");
	assert_int_equal(log.nlines, 6);
	assert_string_equal(log.lines[0], "one");
	assert_string_equal(log.lines[1], "two\\x1b");
	assert_string_equal(log.lines[2], "last");
	assert_string_equal(log.lines[3], "f.cl:3: warning: w");
	assert_string_equal(log.lines[4], "f.cl:3:4: error: e");
	assert_string_equal(log.lines[5], "f.cl: error: e");
	assert_true(log_has(&log, "3:4"));
	assert_false(log_has(&log, "3:5"));
	assert_false(log_has(NULL, ""));
	assert_false(log.cut);
	log_free(&log);
}

static void ends_in_the_diagnostic(void **state)
{
	static const char *const texts[][2] = {
		{ "f.s", "mov b32 $r0 $r1\nmvo b32 $r0 $r1\n" },
		{ "f.ptx", ".version 1.4\n.target sm_13\n.entry k () { nonsense; }\n" },
		{ "f", "\1\2\3" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct build_log log = { 0 };
		struct diag d = { 0 };
		assert_false(make(texts[i][0], texts[i][1], &log, &d));
		assert_true(log.nlines > 0);
		assert_non_null(strstr(log.lines[log.nlines - 1], d.text));
		assert_int_equal(strncmp(log.lines[log.nlines - 1], texts[i][0], strlen(texts[i][0])), 0);
		log_free(&log);
	}
}

/* A compiler's log is longer than a diagnostic, and its notes are no warnings. */
static void has_all_of_the_compiler(void **state)
{
	char text[4096] = "void f(global int *);\n#warning kept\nkernel void k(global int *p) {\n";
	struct build_log log = { 0 };
	struct diag d = { 0 };
	size_t bytes = 0;

	(void)state;
	for (int i = 0; i < 15; i++)
		strcat(text, "\tp[0] = undeclared_name;\n\tf(1.0f);\n");
	strcat(text, "}\n");
	assert_false(make("f.cl", text, &log, &d));
	for (size_t i = 0; i < log.nlines; i++)
		bytes += strlen(log.lines[i]);
	if (d.kind != DIAG_ENV) {       /* a compiler is here */
		assert_true(bytes > 1000);
		assert_true(log_has(&log, "warning: kept"));
		assert_true(log_has(&log, "f.cl:18:9: error: use of undeclared identifier 'undeclared_name'"));
		assert_true(log_has(&log, "note: passing argument to parameter here"));
	}
	log_free(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splits_lines),
		cmocka_unit_test(ends_in_the_diagnostic),
		cmocka_unit_test(has_all_of_the_compiler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
