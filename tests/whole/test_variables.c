/* Variables of C, by the debug information of tests/gcn/variables-*.hsaco: variables.cl beside, compiled by clang 14
 * and 19 with and without optimisation (clang -g -mcpu=gfx900 -mcode-object-version=4). The values expected are those
 * of the source, computed here by lane; the variables that an optimised program keeps are in the output of
 * `llvm-dwarfdump`. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/kit/cmocka_all.h"

#include "warpbeam.h"

static const char *folder;

enum { O0_14 = 1, O2_14 = 2, O0_19 = 4, O2_19 = 8 };
enum { O0 = O0_14 | O0_19, O2 = O2_14 | O2_19, V19 = O0_19 | O2_19, ALL = O0 | O2 };
static const char *const files[] = { "variables-14-O0", "variables-14-O2", "variables-19-O0", "variables-19-O2" };

/* The kernel's buffer of bodies: four, of 32 bytes. */
struct body {
	float x, y, z, w;
	int32_t n;
	int16_t lo;
	uint8_t hi, padding[9];
};
enum { BODIES = 4, LANES = 64 };

struct machine { struct wb_program *p; struct wb_launch *l; };

static const char *const args[] = { "zero=256", "zero=128", "shared=256", "s32=5", "s64=-7", "f32=1.5" };

static void open_machine(struct machine *m, const char *file)
{
	struct wb_config *c = wb_config_new();
	struct body bodies[BODIES];
	char path[512];
	struct wb_diag d;

	snprintf(path, sizeof path, "%s/%s.hsaco", folder, file);
	wb_config_set(c, "grid", "1", NULL);
	wb_config_set(c, "block", "64", NULL);
	if (wb_program_open(path, c, &m->p, &d) != WB_OK || wb_launch_new(m->p, NULL, c, &m->l, &d) != WB_OK)
		fail_msg("%s: %s", path, d.text);
	for (size_t i = 0; i < sizeof args / sizeof *args; i++)
		assert_int_equal(wb_launch_arg(m->l, args[i], &d), WB_OK);
	assert_int_equal(wb_launch_prepare(m->l, &d), WB_OK);
	for (int i = 0; i < BODIES; i++)
		bodies[i] = (struct body){ (float)(1 + i), (float)(2 + i), (float)(3 + i), (float)(4 + i), 100 + i,
					   (int16_t)(-5 - i), (uint8_t)(7 + i), { 0 } };
	assert_int_equal(wb_launch_write_arg(m->l, 1, 0, bodies, sizeof bodies, &d), WB_OK);
	assert_int_equal(wb_launch_start(m->l, &d), WB_OK);
	wb_config_free(c);
}

static void close_machine(struct machine *m)
{
	wb_launch_free(m->l);
	wb_program_free(m->p);
}

/* Go forward to a breakpoint, which is removed again; false: the launch ended. */
static bool go(struct machine *m, const char *text)
{
	struct wb_where where;
	struct wb_diag d;
	int id;

	if (wb_launch_break(m->l, WB_STOP_BREAK, text, 0, 0, &id, &d) != WB_OK)
		fail_msg("break %s: %s", text, d.text);
	assert_int_equal(wb_launch_forward(m->l, &(struct wb_goal){ .stops = WB_STOP_BREAK }, &where, &d), WB_OK);
	wb_launch_unbreak(m->l, id);
	return !where.over;
}

/* The value of a lane as a number, by the variable's kind. */
static double number(const struct wb_variable *v, unsigned lane)
{
	uint32_t word = (uint32_t)v->value[lane];
	float f;
	double d;

	memcpy(&f, &word, sizeof f);
	memcpy(&d, &v->value[lane], sizeof d);
	if (v->kind == WB_VALUE_FLOAT)
		return v->bits == 64 ? d : (double)f;
	return v->kind == WB_VALUE_SIGNED ? (double)(int64_t)v->value[lane] : (double)v->value[lane];
}

/* Values in the source's terms, of work-item `l`. */
static double lane(unsigned l) { return l; }
static double minus_lane(unsigned l) { return -(double)l; }
static double half_up(unsigned l) { return 0.5 + (l & 3); }
static double body_n(unsigned l) { return 100 + (l & 3); }
static double body_x(unsigned l) { return 1 + (l & 3); }
static double body_lo(unsigned l) { return -5.0 - (l & 3); }
static double body_hi(unsigned l) { return 7 + (l & 3); }
static double earlier(unsigned l) { return l ? 5.0 * (l - 1) : 0; }         /* t in the first round */
static double element(unsigned l) { return 1.5 * 2 + l; }
static double indexed(unsigned l) { return 1.5 * 1 + l; }
static double scaled(unsigned l)                                            /* r before line 9 */
{
	double r = half_up(l) * half_up(l);

	for (int j = 0; j < 5; j++)
		r = r * 2 + j;
	return r;
}
static double minus_7(unsigned l) { (void)l; return -7; }
static double minus_3(unsigned l) { (void)l; return -3; }
static double one(unsigned l) { (void)l; return 1; }
static double one_and_half(unsigned l) { (void)l; return 1.5; }
static double two_and_half(unsigned l) { (void)l; return 2.5; }
static double five(unsigned l) { (void)l; return 5; }
static double ten(unsigned l) { (void)l; return 10; }
static double body_2_w(unsigned l) { (void)l; return 6; }
static double body_0_lo(unsigned l) { (void)l; return -5; }

/* At a line's first instruction, for the first time. kept: programs in which the variable has a value there. */
static const struct row {
	const char *line, *path, *type;
	unsigned kept;
	double (*value)(unsigned lane);
	enum wb_scope scope_optimised;  /* in the optimised programs */
} rows[] = {
	{ ":37", "l", "int", ALL, lane, WB_SCOPE_LANES },
	{ ":37", "low", "int", ALL, minus_lane, WB_SCOPE_LANES },
	{ ":37", "t", "int", ALL, earlier, WB_SCOPE_LANES },
	{ ":37", "far", "uint", ALL, one, WB_SCOPE_WARP },
	{ ":37", "'far'", "uint", ALL, one, WB_SCOPE_WARP },
	{ ":37", "n", "int", ALL, five, WB_SCOPE_WARP },
	{ ":37", "big", "long", ALL, minus_7, WB_SCOPE_WARP },
	{ ":37", "scale", "float", ALL, one_and_half, WB_SCOPE_WARP },
	{ ":37", "sum", "long", O0, minus_7, WB_SCOPE_LANES },
	{ ":37", "mine.n", "int", O0 | O2_14, body_n, WB_SCOPE_LANES },
	{ ":37", "mine.at.x", "float", O0, body_x, WB_SCOPE_LANES },
	{ ":37", "mine.in.lo", "short", O0, body_lo, WB_SCOPE_LANES },
	{ ":37", "mine.in.hi", "uchar", O0, body_hi, WB_SCOPE_LANES },
	{ ":37", "arr[2]", "float", O0, element, WB_SCOPE_LANES },
	{ ":37", "arr[far]", "float", O0, indexed, WB_SCOPE_LANES },
	{ ":37", "table[2]", "float", ALL, two_and_half, WB_SCOPE_WARP },
	{ ":37", "tile[2]", "int", V19, ten, WB_SCOPE_WARP },
	{ ":37", "wide[1]", "long", V19, minus_7, WB_SCOPE_WARP },
	{ ":37", "odd_one", "short", O0_19, minus_3, WB_SCOPE_WARP },
	{ ":37", "dyn[5]", "int", ALL, five, WB_SCOPE_WARP },
	{ ":37", "dyn[far]", "int", ALL, one, WB_SCOPE_WARP },
	{ ":37", "bodies->in.lo", "short", ALL, body_0_lo, WB_SCOPE_WARP },
	{ ":37", "bodies[2].at.w", "float", ALL, body_2_w, WB_SCOPE_WARP },
	{ ":9", "a", "float", O0, half_up, WB_SCOPE_LANES },
	{ ":9", "k", "int", ALL, five, WB_SCOPE_LANES },
	{ ":9", "r", "float", ALL, scaled, WB_SCOPE_LANES },
	{ ":9", "*q", "float", ALL, half_up, WB_SCOPE_LANES },
};

static void check_row(const struct row *r, const struct wb_launch *l, const char *file, bool kept, bool optimised)
{
	struct wb_variable v;
	struct wb_diag d;

	if (wb_launch_variable(l, 0, 0, r->path, &v, &d) != WB_OK)
		fail_msg("%s, %s at %s: %s", file, r->path, r->line, d.text);
	if (strcmp(v.type, r->type) != 0 || v.parts)
		fail_msg("%s, %s: type %s, %u parts", file, r->path, v.type, v.parts);
	if (!kept && v.lanes)
		fail_msg("%s, %s at %s: a value that the program does not keep (%s)", file, r->path, r->line, v.place);
	if (kept && (v.lanes != UINT64_MAX || (optimised && v.scope != r->scope_optimised)))
		fail_msg("%s, %s at %s: lanes 0x%" PRIx64 ", scope %d, %s", file, r->path, r->line, v.lanes,
			 (int)v.scope, v.place);
	for (unsigned i = 0; kept && i < LANES; i++)
		if (number(&v, i) != r->value(i))
			fail_msg("%s, %s at %s, lane %u: %g, expected %g (%s)", file, r->path, r->line, i,
				 number(&v, i), r->value(i), v.place);
}

static void values_are_the_sources(void **state)
{
	(void)state;
	for (unsigned f = 0; f < 4; f++) {
		struct machine m = { NULL, NULL };
		const char *line = "";
		open_machine(&m, files[f]);
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
			const struct row *r = &rows[i];
			if (strcmp(line, r->line) != 0)
				assert_true(go(&m, r->line));
			line = r->line;
			check_row(r, m.l, files[f], r->kept >> f & 1, 1u << f & O2);
		}
		close_machine(&m);
	}
}

static void text_of_error(struct machine *m, const char *path, const char *wanted)
{
	struct wb_variable v;
	struct wb_diag d;

	assert_int_equal(wb_launch_variable(m->l, 0, 0, path, &v, &d), WB_USAGE);
	if (!strstr(d.text, wanted))
		fail_msg("%s: \"%s\", expected \"%s\"", path, d.text, wanted);
}

static void errors_say_the_way_out(void **state)
{
	struct machine m;
	struct wb_diag d;
	int id;

	(void)state;
	open_machine(&m, "variables-19-O0");
	assert_true(go(&m, ":37"));
	text_of_error(&m, "r", "\"r\" is not in scope here (line 37, ");
	text_of_error(&m, "r", "line 6 of scaled declares it; \"break :6\"");
	text_of_error(&m, "nothing", "no variable is called \"nothing\"; in scope here");
	text_of_error(&m, "nothing", ": t, wide, tile, odd_one, out, bodies, dyn, n, big, scale, l, low, mine, ");
	text_of_error(&m, "l.x", "\"l\" is of type int, found \".x\": expected a struct or a vector");
	text_of_error(&m, "l[2]", "(a lane is NAME@LANE)");
	text_of_error(&m, "*l", "expected a pointer");
	text_of_error(&m, "bodies.n", "expected -> behind a pointer");
	text_of_error(&m, "mine.m", "found \"m\", expected a member of body: at, n, in");
	text_of_error(&m, "arr[6]", "\"arr\" has 6 elements, found element 6");
	text_of_error(&m, "l + 1", "found \" + 1\" behind \"l\"");
	assert_int_equal(wb_launch_break(m.l, WB_STOP_BREAK, ":37 if r > 1", 0, 0, &id, &d), WB_USAGE);
	assert_non_null(strstr(d.text, "\"r\" is not in scope here (line 37"));
	close_machine(&m);
	open_machine(&m, "variables-19-O2");
	assert_int_equal(wb_launch_break(m.l, WB_STOP_BREAK, ":37 if sum > 1", 0, 0, &id, &d), WB_USAGE);
	assert_non_null(strstr(d.text, "optimised out; -O 0 keeps every variable"));
	close_machine(&m);
}

/* A lane without a value leaves the others theirs: an index beyond the array, a pointer to nowhere. */
static void lanes_are_apart(void **state)
{
	struct machine m;
	struct wb_variable v;

	(void)state;
	open_machine(&m, "variables-14-O0");
	assert_true(go(&m, ":37"));
	assert_int_equal(wb_launch_variable(m.l, 0, 0, "table[l]", &v, NULL), WB_OK);
	assert_int_equal(v.lanes, 0xf);
	assert_int_equal(wb_launch_variable(m.l, 0, 0, "t@5", &v, NULL), WB_OK);
	assert_int_equal(v.lanes, 1 << 5);
	assert_int_equal(v.value[5], 20);
	assert_int_equal(wb_launch_variable(m.l, 0, 0, "mine", &v, NULL), WB_OK);
	assert_int_equal(v.parts, 3);
	/* `t = tile[l - far]`: lane 0 is off. */
	assert_true(go(&m, ":35 if far == 2"));
	assert_int_equal(wb_launch_variable(m.l, 0, 0, "l", &v, NULL), WB_OK);
	assert_int_equal(v.lanes, ~UINT64_C(3));
	close_machine(&m);
}

static void parts_have_paths(void **state)
{
	static const struct { const char *path; unsigned index; const char *part; } list[] = {
		{ "mine", 0, "mine.at" }, { "mine.at", 3, "mine.at.w" }, { "mine.in", 1, "mine.in.hi" },
		{ "arr", 5, "arr[5]" }, { "*bodies", 1, "bodies->n" }, { "mine@7", 1, "mine.n@7" }, { "mine", 3, "" },
		{ "arr", 6, "" }, { "l", 0, "" },
	};
	struct machine m;
	char text[64];

	(void)state;
	open_machine(&m, "variables-14-O0");
	assert_true(go(&m, ":37"));
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		size_t n = wb_launch_variable_part(m.l, 0, 0, list[i].path, list[i].index, text, sizeof text);
		assert_int_equal(n, strlen(list[i].part));
		if (n)
			assert_string_equal(text, list[i].part);
	}
	close_machine(&m);
}

static uint64_t value(struct machine *m, const char *text)
{
	uint64_t v = 0;
	struct wb_diag d;

	if (wb_launch_value(m->l, text, 0, 0, &v, &d) != WB_OK)
		fail_msg("%s: %s", text, d.text);
	return v;
}

/* Operations have the types of C; a condition holds if it holds in any lane. */
static void expressions_have_types(void **state)
{
	static const struct { const char *text; uint64_t value; } list[] = {
		{ "low@3 < 0", 1 }, { "low@3 > 0", 0 }, { "low@3 >> 1 == -2", 1 }, { "big < low@63", 0 },
		{ "big == -7", 1 }, { "big + 8", 1 }, { "scale == 1.5", 1 }, { "scale * 2 == 3", 1 },
		{ "scale > 1", 1 }, { "-scale < 0", 1 },
		{ "scale", 0x3fc00000 }, { "scale & 0xff0000", 0xc00000 }, { "tile[2] * n", 50 },
		{ "mine.n@2 - 100", 2 }, { "'l'@9", 9 }, { "v0 == v0[0]", 1 }, { "lanes", 64 },
	};
	struct machine m;
	struct wb_where where;

	(void)state;
	open_machine(&m, "variables-19-O0");
	assert_true(go(&m, ":37"));
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (value(&m, list[i].text) != list[i].value)
			fail_msg("%s is 0x%" PRIx64, list[i].text, value(&m, list[i].text));
	assert_int_equal(wb_launch_goto(m.l, 0, &where, NULL), WB_OK);
	assert_true(go(&m, ":37 if l == 40 && t == 195"));
	assert_false(go(&m, ":37 if l == 40 && t == 196"));
	assert_int_equal(wb_launch_goto(m.l, 0, &where, NULL), WB_OK);
	assert_true(go(&m, ":37 if far > 3"));
	assert_int_equal(value(&m, "far"), 4);
	close_machine(&m);
}

static void names_in_scope(void **state)
{
	struct machine m;
	struct wb_warp w;

	(void)state;
	open_machine(&m, "variables-19-O2");
	assert_true(go(&m, ":37"));
	assert_true(wb_launch_find_warp(m.l, 0, 0, &w));
	assert_string_equal(wb_launch_variable_name(m.l, w.pc, 0), "t");
	assert_string_equal(wb_launch_variable_name(m.l, w.pc, 1), "wide");
	assert_null(wb_launch_variable_name(m.l, w.pc, 100));
	assert_int_equal(wb_launch_variable_path(m.l, "mine.at.x + 1"), 9);
	assert_int_equal(wb_launch_variable_path(m.l, "tile[l].n@3]"), 11);
	assert_int_equal(wb_launch_variable_path(m.l, "mines"), 0);
	assert_int_equal(wb_launch_variable_path(m.l, "**q"), 3);
	close_machine(&m);
}

/* Read all that is in scope where the warp is, with the first parts. */
static void read_all(struct machine *m)
{
	struct wb_variable v;
	struct wb_warp w;
	const char *name;
	char part[256];

	if (!wb_launch_find_warp(m->l, 0, 0, &w))
		return;
	for (unsigned i = 0; i < 40 && (name = wb_launch_variable_name(m->l, w.pc, i)); i++) {
		wb_launch_variable(m->l, 0, 0, name, &v, NULL);
		if (wb_launch_variable_part(m->l, 0, 0, name, 0, part, sizeof part) && strlen(part) < sizeof part)
			wb_launch_variable(m->l, 0, 0, part, &v, NULL);
	}
}

/* Debug information with any byte changed is read or left out; sanitizers watch. */
static void spoilt_files(void **state)
{
	static uint8_t bytes[32768], spoilt[sizeof bytes];
	struct wb_config *c = wb_config_new();
	char path[512];
	FILE *f;
	size_t n;
	unsigned loaded = 0;

	(void)state;
	snprintf(path, sizeof path, "%s/variables-19-O2.hsaco", folder);
	f = fopen(path, "rb");
	assert_non_null(f);
	n = fread(bytes, 1, sizeof bytes, f);
	fclose(f);
	wb_config_set(c, "block", "64", NULL);
	for (size_t i = 0xa00; i < n; i += 5) {
		struct machine m = { NULL, NULL };
		memcpy(spoilt, bytes, n);
		spoilt[i] ^= (uint8_t)(1u << i % 8 | 0x80);
		if (wb_program_load(spoilt, n, "x.hsaco", c, &m.p, NULL) == WB_OK &&
		    wb_launch_new(m.p, NULL, c, &m.l, NULL) == WB_OK) {
			for (size_t k = 0; k < sizeof args / sizeof *args; k++)
				wb_launch_arg(m.l, args[k], NULL);
			loaded += wb_launch_start(m.l, NULL) == WB_OK;
			read_all(&m);
		}
		close_machine(&m);
	}
	assert_true(loaded > 500);
	wb_config_free(c);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_the_sources), cmocka_unit_test(errors_say_the_way_out),
		cmocka_unit_test(lanes_are_apart), cmocka_unit_test(parts_have_paths),
		cmocka_unit_test(expressions_have_types), cmocka_unit_test(names_in_scope),
		cmocka_unit_test(spoilt_files),
	};

	folder = argc > 1 ? argv[1] : "tests/gcn";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
