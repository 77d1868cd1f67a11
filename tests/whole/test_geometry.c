/* Geometry shaders through the public interface: the inputs of the three modes, private to every thread. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "tests/kit/shared_json.h"
#include "warpbeam.h"

enum { TEXT = 1 << 14 };
enum { GS_POINT, GS_VARIABLE, GS_FIXED };

static struct wb_config *config(const char *lanes)
{
	struct wb_config *c = wb_config_new();

	assert_int_equal(wb_config_set(c, "timing", "off", NULL), WB_OK);
	assert_int_equal(wb_config_set(c, "lanes", lanes, NULL), WB_OK);
	return c;
}

/* ---- programs of our own ---- */

/* The geometry of a file's entry point, without a form in the language. */
struct geometry {
	unsigned mode, start, whole, vertices;
};

static struct wb_program *assemble(const char *text, struct geometry g)
{
	static const char *const settings[][2] = { { "isa", "pica" }, { "stage", "gs" } };
	struct wb_config *c = wb_config_new();
	struct wb_text file;
	struct wb_program *p;
	struct wb_diag d = { .text = "" };
	uint32_t dvle;

	for (size_t i = 0; i < 2; i++)
		assert_int_equal(wb_config_set(c, settings[i][0], settings[i][1], NULL), WB_OK);
	if (wb_assemble(c, text, strlen(text), "own.gsh", "shbin", &file, &d) != WB_OK)
		fail_msg("%d: %s", d.line, d.text);
	memcpy(&dvle, file.data + 8, sizeof dvle);
	char *h = file.data + dvle;
	h[0x14] = (char)g.mode;
	h[0x15] = (char)g.start;
	h[0x16] = (char)g.whole;
	h[0x17] = (char)g.vertices;
	if (wb_program_load(file.data, file.size, "own.shbin", NULL, &p, &d) != WB_OK)
		fail_msg("%s", d.text);
	wb_text_free(&file);
	wb_config_free(c);
	return p;
}

static struct wb_launch *launch(const struct wb_program *p, const char *lanes)
{
	struct wb_config *c = config(lanes);
	struct wb_launch *l;
	struct wb_diag d;

	if (wb_launch_new(p, "geometry", c, &l, &d) != WB_OK)
		fail_msg("%s", d.text);
	wb_config_free(c);
	return l;
}

static void run(struct wb_launch *l)
{
	struct wb_diag d;

	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s", d.text);
}

static float o0(struct wb_launch *l, size_t primitive, unsigned vertex, unsigned k)
{
	const struct wb_primitive *p = wb_launch_primitive(l, primitive);
	float f;

	assert_non_null(p);
	memcpy(&f, &p->vertices[vertex * wb_launch_out_words(l) + k], sizeof f);
	return f;
}

static const char *const lanes[] = { "32", "2", "1" };

static const char corners[] =
	".alias pos o0 as position\n"
	".alias k c9 as (9.0, 9.0, 9.0, 9.0)\n"
	"setemitraw 0\nmov pos, c0\nemit\n"
	"setemitraw 1\nmov pos, c4\nemit\n"
	"mova c0.xy\nnop\n"
	"setemitraw 2, prim\nmov pos, c3[a0]\nemit\nend\n";

/* c0 is the number of vertices, then attributes; every thread has its own, also through an index that differs. */
static void variable(void **state)
{
	struct wb_program *p = assemble(corners, (struct geometry){ .mode = GS_VARIABLE, .whole = 1 });

	for (size_t i = 0; i < 3; i++) {
		struct wb_launch *l = launch(p, lanes[i]);
		assert_int_equal(wb_launch_vertex(l, "1, 1,2,3,4, 5,6,7,8", NULL), WB_OK);
		assert_int_equal(wb_launch_vertex(l, "2, 10,0,0,0, 20,0,0,0, 30,0,0,0, 40,0,0,0, 50,0,0,0", NULL),
				 WB_OK);
		assert_int_equal(wb_launch_vertex(l, "c0=6 c4=7,8", NULL), WB_OK);
		run(l);
		assert_float_equal(o0(l, 0, 0, 3), 1, 0);
		assert_float_equal(o0(l, 0, 1, 0), 0, 0);
		assert_float_equal(o0(l, 0, 2, 0), 0, 0);
		assert_float_equal(o0(l, 1, 0, 1), 2, 0);
		assert_float_equal(o0(l, 1, 1, 0), 40, 0);
		assert_float_equal(o0(l, 1, 2, 0), 50, 0);
		assert_float_equal(o0(l, 2, 1, 1), 8, 0);
		assert_float_equal(o0(l, 2, 1, 3), 1, 0);
		assert_float_equal(o0(l, 2, 2, 2), 9, 0);       /* c9 is the file's */
		assert_null(wb_launch_primitive(l, 3));
		wb_launch_free(l);
	}
	wb_program_free(p);
}

/* Attributes begin at the file's register; registers before keep the user's values. */
static void fixed(void **state)
{
	struct wb_program *p = assemble(corners, (struct geometry){ .mode = GS_FIXED, .start = 3, .vertices = 2 });

	for (size_t i = 0; i < 3; i++) {
		struct wb_config *c = config(lanes[i]);
		struct wb_launch *l;
		assert_int_equal(wb_config_set(c, "uniform", "c0=0,0,5,0", NULL), WB_OK);
		assert_int_equal(wb_launch_new(p, NULL, c, &l, NULL), WB_OK);
		assert_int_equal(wb_launch_vertex(l, "1,0,0,0,2,0,0,0", NULL), WB_OK);
		assert_int_equal(wb_launch_vertex(l, "3,0,0,0,4,0,0,0", NULL), WB_OK);
		run(l);
		for (unsigned t = 0; t < 2; t++) {
			assert_float_equal(o0(l, t, 0, 2), 5, 0);
			assert_float_equal(o0(l, t, 1, 0), 2 * t + 2, 0);
			assert_float_equal(o0(l, t, 2, 0), 2 * t + 1, 0);
		}
		wb_launch_free(l);
		wb_config_free(c);
	}
	wb_program_free(p);
}

/* b15 is the user's for the first primitive and true for the others; output banks and the vertex buffer are empty at
 * the beginning of a primitive, whatever the primitive before left. */
static void invocations(void **state)
{
	static const char text[] =
		".alias pos o0 as position\n"
		".alias one c9 as (1.0, 2.0, 3.0, 4.0)\n"
		"setemitraw 0, prim\nemit\n"
		"if b15\nmov pos, one\nnop\nendif\n"
		"emit\nemit\nend\n";
	struct wb_program *p = assemble(text, (struct geometry){ .mode = GS_POINT });

	for (size_t i = 0; i < 3; i++) {
		struct wb_launch *l = launch(p, lanes[i]);
		for (unsigned t = 0; t < 3; t++)
			assert_int_equal(wb_launch_vertex(l, "0,0,0,0", NULL), WB_OK);
		run(l);
		for (unsigned t = 0; t < 3; t++) {
			assert_float_equal(o0(l, 3 * t, 0, 1), 0, 0);
			assert_float_equal(o0(l, 3 * t + 1, 0, 1), t ? 2 : 0, 0);
			assert_float_equal(o0(l, 3 * t + 2, 0, 1), 0, 0);
			assert_float_equal(o0(l, 3 * t, 1, 1), 0, 0);
			assert_int_equal(wb_launch_primitive(l, 3 * t)->thread, t);
		}
		wb_launch_free(l);
	}
	wb_program_free(p);
}

/* ---- refused texts ---- */

static void refused(void **state)
{
	static const struct { struct geometry g; const char *text, *why; } cases[] = {
		{ { .mode = GS_POINT }, "1,2,x", "found \"x\", expected a number" },
		{ { .mode = GS_POINT }, "1,2 3", "found \"3\", expected a comma or the end" },
		{ { .mode = GS_POINT }, "v16=1", "found \"v16\", expected the name of an input, or v0 to v15" },
		{ { .mode = GS_POINT }, "v1=1,2,3,4,5", "found more than 4 numbers" },
		{ { .mode = GS_FIXED, .start = 90, .vertices = 2 }, "c89=1",
		  "found \"c89\", expected the name of an input, or c90 to c95" },
		{ { .mode = GS_FIXED, .start = 3, .vertices = 2 }, "1,2,3,4",
		  "found 4 numbers, expected four for each attribute of 2 vertices" },
		{ { .mode = GS_VARIABLE, .whole = 1 }, "1.5,2,3,4,5",
		  "found 1.5, expected first a number of vertices, 1 to 255" },
		{ { .mode = GS_VARIABLE, .whole = 1 }, "2,1,2,3",
		  "found 4 numbers, expected a number of vertices and four for each attribute" },
		{ { .mode = GS_VARIABLE, .whole = 2 }, "3,1,2,3,4,1,2,3,4", "found 2 attributes of four numbers for 3 "
		  "vertices, expected all those of 2 and one for each of the other 1" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wb_program *p = assemble(corners, cases[i].g);
		struct wb_launch *l = launch(p, "32");
		struct wb_diag d;
		assert_int_equal(wb_launch_vertex(l, cases[i].text, &d), WB_INPUT);
		assert_string_equal(d.text, cases[i].why);
		wb_launch_free(l);
		wb_program_free(p);
	}
}

/* ---- the runs of ../shared, every primitive of a file in a launch ---- */

static uint32_t hex(const json_t *j)
{
	return (uint32_t)strtoul(json_string_value(j), NULL, 16);
}

/* "c0=1,2,3,4 …" from {"0": [words], …} */
static void registers(const json_t *all, char letter, const char *set, char *text)
{
	const char *key;
	json_t *v;
	size_t n = 0;

	json_object_foreach((json_t *)all, key, v) {
		float f[4];
		for (unsigned k = 0; k < 4; k++) {
			uint32_t word = hex(json_array_get(v, k));
			memcpy(&f[k], &word, sizeof f[k]);
		}
		n += (size_t)snprintf(text + n, TEXT - n, "%s%c%s=%.9g,%.9g,%.9g,%.9g", n ? set : "", letter, key,
				      (double)f[0], (double)f[1], (double)f[2], (double)f[3]);
		assert_true(n < TEXT);
	}
}

static struct wb_program *file_of(const json_t *run)
{
	char name[256], path[1024];
	struct wb_program *p = NULL;
	struct wb_diag d;

	snprintf(name, sizeof name, "corpus/pica/%s", json_string_value(json_object_get(run, "shbin")));
	if (wb_program_open(shared_path(path, sizeof path, name), NULL, &p, &d) != WB_OK)
		fail_msg("%s: cannot be opened", name);
	return p;
}

static void set_uniforms(struct wb_config *c, const json_t *run, bool floats)
{
	static char text[TEXT];
	const char *key;
	json_t *v;

	registers(floats ? json_object_get(run, "floats") : NULL, 'c', "\n", text);
	if (floats)
		assert_int_equal(wb_config_set(c, "uniform", text, NULL), WB_OK);
	json_object_foreach(json_object_get(run, "ints"), key, v) {
		snprintf(text, sizeof text, "i%s=%d,%d,%d,%d", key, (int)json_integer_value(json_array_get(v, 0)),
			 (int)json_integer_value(json_array_get(v, 1)), (int)json_integer_value(json_array_get(v, 2)),
			 (int)json_integer_value(json_array_get(v, 3)));
		assert_int_equal(wb_config_set(c, "uniform", text, NULL), WB_OK);
	}
}

/* The next primitive of thread t as lines of the file. */
static size_t check_primitive(struct wb_launch *l, const struct wb_primitive *p, const json_t *run, size_t at)
{
	const json_t *lines = json_object_get(json_object_get(run, "out"), "azahar_f24trunc");
	uint32_t mask = hex(json_object_get(json_object_get(run, "header"), "out_mask"));

	if (p->winding)
		assert_string_equal(json_string_value(json_array_get(lines, at++)), "winding");
	for (unsigned v = 0; v < 3; v++) {
		char line[1024] = "vtx";
		int n = 3;
		for (unsigned k = 0; k < wb_launch_out_words(l); k++)
			if (mask >> (k / 4) & 1)
				n += snprintf(line + n, sizeof line - (size_t)n, " %08x",
					      p->vertices[v * wb_launch_out_words(l) + k]);
		assert_string_equal(json_string_value(json_array_get(lines, at++)), line);
	}
	return at;
}

/* `n` runs of a file, a thread each; each thread emits separately. */
static void check_runs(const json_t *all, size_t first, size_t n, const char *width)
{
	const json_t *run = json_array_get(all, first);
	bool point = json_integer_value(json_object_get(json_object_get(run, "header"), "gs_mode")) == GS_POINT;
	struct wb_config *c = config(width);
	struct wb_program *p = file_of(run);
	const struct wb_primitive *prim;
	struct wb_launch *l;
	static char text[TEXT];
	size_t at = 0, i = 0;
	uint32_t thread = 0;

	set_uniforms(c, run, point);
	assert_int_equal(wb_launch_new(p, "geometry", c, &l, NULL), WB_OK);
	for (size_t t = 0; t < n; t++) {
		struct wb_diag d;
		run = json_array_get(all, first + t);
		registers(json_object_get(run, point ? "inputs" : "floats"), point ? 'v' : 'c', " ", text);
		if (wb_launch_vertex(l, text, &d) != WB_OK)
			fail_msg("%s", d.text);
	}
	assert_int_equal(wb_launch_run(l, NULL), WB_OK);
	for (; (prim = wb_launch_primitive(l, i)); i++) {
		at = prim->thread == thread ? at : 0;
		thread = prim->thread;
		at = check_primitive(l, prim, json_array_get(all, first + thread), at);
	}
	assert_int_equal(thread, n - 1);
	wb_launch_free(l);
	wb_program_free(p);
	wb_config_free(c);
}

static void runs_of_files(void **state)
{
	json_t *all = shared_json("vectors/pica/gs_runs.json.gz");

	assert_non_null(all);
	skip_without("pica");
	for (size_t w = 0; w < 2; w++) {
		for (size_t i = 0; i < 3; i++)          /* mode 0: the uniforms differ */
			check_runs(all, i, 1, lanes[w]);
		check_runs(all, 3, 2, lanes[w]);        /* mode 1: everything comes with the primitive */
	}
	json_decref(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variable),
		cmocka_unit_test(fixed),
		cmocka_unit_test(invocations),
		cmocka_unit_test(refused),
		cmocka_unit_test(runs_of_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
