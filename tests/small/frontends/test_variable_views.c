/* Variables of C in the views: rows of Watch, and the name under the mouse. The program is
 * tests/gcn/variables-19-O2.hsaco (test_variables.c), whose lines of text a test gives, as a code object has none. */
#include "frontends/view/variables.h"
#include "tests/kit/opened.h"

static const char *folder;

static void open_variables(struct opened *o)
{
	static const char *const args[] = {"zero=256", "zero=128", "shared=256", "s32=5", "s64=-7", "f32=1.5"};
	struct wb_diag d = {.text = ""};
	struct wb_launch *l, *recorded;
	struct view v;
	char path[512];
	view_init(&v, "variables");
	*o = (struct opened){.config = wb_config_new()};
	snprintf(path, sizeof path, "%s/variables-19-O2.hsaco", folder);
	wb_config_set(o->config, "block", "64", NULL);
	if (wb_program_open(path, o->config, &o->program, &d) != WB_OK ||
	    wb_launch_new(o->program, NULL, o->config, &l, &d) != WB_OK ||
	    wb_launch_new(o->program, NULL, o->config, &recorded, &d) != WB_OK)
		fail_msg("%s: %s", path, d.text);
	for (size_t i = 0; i < sizeof args / sizeof *args; i++)
		assert_true(wb_launch_arg(l, args[i], &d) == WB_OK && wb_launch_arg(recorded, args[i], &d) == WB_OK);
	if (player_begin(&o->player, l, recorded, &d) != WB_OK || player_survey(&o->player, 1 << 16, &d) != WB_OK)
		fail_msg("%s: %s", path, d.text);
	/* Behind the load of `t`: 0x1bc is the first instruction of line 37. */
	assert_int_equal(player_goto(&o->player, 0, &d), WB_OK);
	assert_int_equal(player_forward(&o->player, &(struct wb_goal){.when = "pc == 0x1bc"}, 1 << 16, &d), WB_OK);
	snprintf(v.watch[0].name, WATCH_TEXT, "t");
	v.watch[0].format = FORMAT_BY_TYPE;
	snprintf(v.watch[1].name, WATCH_TEXT, "low");
	v.watch[1].format = 'x';
	snprintf(v.watch[2].name, WATCH_TEXT, "r");
	snprintf(v.watch[3].name, WATCH_TEXT, "scale");
	v.watch[3].format = FORMAT_BY_TYPE;
	snprintf(v.watch[4].name, WATCH_TEXT, "v0");
	v.watch[4].format = FORMAT_BY_TYPE;
	assert_int_equal(app_open(&o->app, &o->player, &v, &d), WB_OK);
}

static void rows_of_watch(void **state)
{
	struct opened o;
	const struct watched *w;
	float scale;

	(void)state;
	open_variables(&o);
	w = o.app.model.watch.entry;
	assert_int_equal(o.app.model.watch.n, 5);
	assert_true(w[0].valid && !w[0].one && w[0].format == 'd' && w[0].lanes == UINT64_MAX);
	assert_int_equal(w[0].now[9], 40);
	assert_string_equal(w[0].note, "int, v3");
	assert_true(w[1].valid && w[1].format == 'x');
	assert_int_equal((int64_t)w[1].now[3], -3);
	assert_false(w[2].valid);
	assert_non_null(strstr(w[2].note, "\"r\" is not in scope here"));
	memcpy(&scale, w[3].now, sizeof scale);
	assert_true(w[3].valid && w[3].one && w[3].format == 'f' && scale > 1.4f && scale < 1.6f);
	assert_true(w[4].valid && w[4].format == 'x' && !*w[4].note);
	close_kernel(&o);
}

static void name_under_the_mouse(void **state)
{
	static const char line[] = "\tt = tile[l - far] + mine.n * part; /* t */";
	static const struct { int column; const char *text; } list[] = {
		{1, "t = 0 0 5 10 15 20 25 30 … (int, v3)"}, {3, ""}, {5, "tile: int[64] of 64 parts"},
		{10, "l = 0 1 2 3 4 5 6 7 … (int, v0)"}, {14, "far = 1 (uint, known to the compiler)"}, {18, ""},
		{23, "mine.n: optimised out"}, {26, "mine.n: optimised out"},
		{30, "part: optimised out here; kept at line"}, {39, ""},
	};
	char text[200];
	struct opened o;

	(void)state;
	open_variables(&o);
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		*text = '\0';
		assert_int_equal(variable_at(&o.app.model, line, (int)strlen(line), list[i].column, text, sizeof text),
				 *list[i].text != '\0');
		if (strncmp(text, list[i].text, strlen(list[i].text)) != 0)
			fail_msg("column %d: \"%s\", expected \"%s\"", list[i].column, text, list[i].text);
	}
	close_kernel(&o);
}

static void add(struct model *m, const char *name, size_t n, char format)
{
	(void)n;
	assert_int_equal(format, FORMAT_BY_TYPE);
	snprintf(m->watch.entry[m->watch.n++].row.name, WATCH_TEXT, "%s", name);
}

/* The rows that Watch has by itself: what the line names and has a value. */
static void variables_of_a_line(void **state)
{
	static const char line[] = "for (; far < 8; far *= 2) t += part.x->l + sum; // n";
	static const char *const names[] = {"far", "far", "t"};
	struct opened o;
	struct model to = {.watch.n = 0};

	(void)state;
	open_variables(&o);
	variables_in_line(&o.app.model, line, (int)strlen(line), add, &to);
	assert_int_equal(to.watch.n, sizeof names / sizeof *names);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_string_equal(to.watch.entry[i].row.name, names[i]);
	close_kernel(&o);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_watch), cmocka_unit_test(name_under_the_mouse),
		cmocka_unit_test(variables_of_a_line),
	};

	folder = argc > 1 ? argv[1] : "tests/gcn";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
