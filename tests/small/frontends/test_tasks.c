/* Five questions of a person about a run, answered by at most four keys each (docs/how-to/walk-through-a-run.md) and
 * read off the picture of a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/pane.h"
#include "tests/kit/opened.h"

enum { SURVEY = 1 << 18 };

struct run {
	struct wb_program *program;
	struct player player;
};

struct desk {
	struct wb_config *config;
	struct run run, other;
	struct model model; /* of the other run */
	struct app app;
	struct canvas page;
	char text[16384]; /* what it shows */
};

static void sit_down(struct desk *k, const char *kernel, const char *against)
{
	struct view v;
	struct wb_diag d = {.text = ""};
	*k = (struct desk){.config = wb_config_new()};
	play_kernel(&k->run.player, &k->run.program, k->config, kernel, SURVEY);
	view_init(&v, kernel);
	v.against = against;
	assert_int_equal(player_goto(&k->run.player, player_interesting(&k->run.player), &d), WB_OK);
	assert_int_equal(app_open(&k->app, &k->run.player, &v, &d), WB_OK);
	if (against) {
		play_kernel(&k->other.player, &k->other.program, k->config, against, SURVEY);
		assert_true(model_open(&k->model, &k->other.player));
		k->app.other = &k->model;
		k->app.stale = true;
	}
	assert_true(canvas_cells(&k->page, 160, 60, &themes[0]));
}

static void get_up(struct desk *k)
{
	canvas_free(&k->page);
	app_close(&k->app);
	if (k->other.program)
		model_close(&k->model);
	if (k->other.program)
		player_close(&k->other.player);
	player_close(&k->run.player);
	wb_program_free(k->run.program);
	wb_program_free(k->other.program);
	wb_config_free(k->config);
}

/* Press keys; what is seen then, ASCII alone, line by line. */
static const char *press(struct desk *k, const char *keys)
{
	char list[64], *rest = list, *key;
	size_t n = 0;
	int pressed = 0;
	snprintf(list, sizeof list, "%s", keys);
	while ((key = strsep(&rest, " ")))
		if (*key) {
			app_key(&k->app, key);
			pressed++;
		}
	assert_in_range(pressed, 0, 4);
	app_draw(&k->app, &k->page);
	for (int i = 0; i < k->page.w * k->page.h && n + 2 < sizeof k->text; i++) {
		uint32_t code = k->page.cell[i].code;
		k->text[n++] = (char)(code >= ' ' && code < 127 ? code : ' ');
		if (i % k->page.w == k->page.w - 1)
			k->text[n++] = '\n';
	}
	k->text[n] = '\0';
	return k->text;
}

/* The first line behind a text that has another in it. */
static const char *below(const char *text, const char *mark)
{
	const char *p = strstr(text, mark);
	return p ? p : "";
}

static void which_branch_costs_most(void **state)
{
	struct desk k;
	(void)state;
	sit_down(&k, "histogram", NULL);
	const struct wb_branch *worst = k.run.player.whole.report->branches;
	char row[64], lost[32];
	press(&k, "6");
	const char *list = below(k.text, "by branch"), *first;
	snprintf(row, sizeof row, "0x%04x ", worst->pc);
	for (unsigned i = 1; i < k.run.player.whole.report->nbranches; i++)
		assert_true(worst[i].lost <= worst->lost);
	first = strstr(list, "0x");
	assert_non_null(first);
	/* the listing stands in the same lines: the row's own address is behind it */
	first = strstr(list, row);
	assert_non_null(first);
	snprintf(lost, sizeof lost, "%u,%03u", (unsigned)(worst->lost / 1000), (unsigned)(worst->lost % 1000));
	assert_non_null(strstr(first, lost));
	get_up(&k);
}

static void why_a_warp_waits(void **state)
{
	struct desk k;
	char want[64];
	(void)state;
	sit_down(&k, "mandelbrot", NULL);
	app_command(&k.app, "goto 2200");
	app_command(&k.app, "warp 0");
	press(&k, "w w w 7");
	assert_int_equal(k.app.model.selected->warp, 3);
	const char *at = strstr(k.text, "w3 waits for ");
	assert_non_null(at);
	snprintf(want, sizeof want, "%s", k.app.model.selected->stall);
	assert_memory_equal(at + 13, want, strlen(want));
	assert_non_null(strstr(at, " since 2,"));
	get_up(&k);
}

static void which_instruction_stalls_longest(void **state)
{
	struct desk k;
	char want[64], number[32];
	uint64_t most = 0, pc = 0;
	(void)state;
	sit_down(&k, "matmul", NULL);
	const struct wb_report *r = k.run.player.whole.report;
	for (unsigned i = 0; i < r->npcs; i++) {
		uint64_t cycles = 0;
		for (unsigned s = 1; s < wb_stalls() - 1; s++)
			cycles += r->pcs[i].stalls[s];
		pc = cycles > most ? r->pcs[i].pc : pc;
		most = cycles > most ? cycles : most;
	}
	press(&k, "T");
	snprintf(want, sizeof want, ": 0x%x waited %s cycles", (unsigned)pc, pane_number(number, most));
	assert_non_null(strstr(k.text, want));
	assert_non_null(strstr(k.text, "1 of "));
	assert_int_equal(k.app.view.pc, pc);
	/* The key goes on, and a selection made in another way is followed by the first again. */
	press(&k, "T");
	assert_non_null(strstr(k.text, "2 of "));
	assert_int_not_equal(k.app.view.pc, pc);
	k.app.view.pc = (int64_t)pc;
	press(&k, "T");
	assert_non_null(strstr(k.text, "1 of "));
	assert_int_equal(k.app.view.pc, pc);
	get_up(&k);
}

static void where_two_versions_part(void **state)
{
	struct desk k;
	char want[64], cycle[32];
	(void)state;
	sit_down(&k, "reduction-divergent", "reduction-contiguous");
	press(&k, "z");
	const struct record *a = &k.run.player.record, *b = &k.other.player.record;
	uint64_t i = 0;
	while (record_at(a, i)->cycle == record_at(b, i)->cycle && record_at(a, i)->pc == record_at(b, i)->pc &&
	       record_at(a, i)->slot == record_at(b, i)->slot && record_at(a, i)->executed == record_at(b, i)->executed)
		i++;
	snprintf(want, sizeof want, "the runs part at cycle %s: w%u issues 0x%x",
		 pane_number(cycle, record_at(a, i)->cycle), record_at(a, i)->warp, record_at(a, i)->pc);
	assert_non_null(strstr(k.text, want));
	assert_int_equal(k.run.player.where.issue, i + 1);
	assert_non_null(strstr(k.text, "below: reduction-contiguous"));
	assert_non_null(strstr(k.text, " more than "));
	get_up(&k);
}

static void how_full_the_multiprocessor_is(void **state)
{
	struct desk k;
	(void)state;
	sit_down(&k, "matmul", NULL);
	press(&k, "8");
	assert_non_null(strstr(k.text, " of 32 warps, "));
	assert_non_null(strstr(k.text, "measured: "));
	get_up(&k);
}

/* Press the mouse where the key's name stands, in the line at `y`. */
static void click(struct desk *k, const char *key, int y)
{
	struct hit h = {.key = NULL};
	int x = 0;

	for (; x < k->page.w && (!h.key || strcmp(h.key, key)); x++)
		frame_hit(&k->page, &k->app.model, &k->app.view, x, y, &h);
	if (!h.key || strcmp(h.key, key))
		fail_msg("no %s in line %d", key, y);
	assert_true(h.text[0]);
	app_press(&k->app, &k->page, x - 1, y);
}

static void a_mouse_alone_steps_and_runs(void **state)
{
	struct desk k;
	uint64_t at;

	(void)state;
	sit_down(&k, "ifelse", NULL);
	press(&k, "");
	at = k.app.player->where.issue;
	click(&k, "n", k.page.h - 1);
	assert_int_equal(k.app.player->where.issue, at + 1);
	click(&k, "p", k.page.h - 1);
	assert_int_equal(k.app.player->where.issue, at);
	click(&k, "Space", 0);
	assert_true(k.app.view.running);
	click(&k, "Space", 0);
	assert_false(k.app.view.running);
	click(&k, "?", k.page.h - 1);
	assert_true(k.app.view.help);
	get_up(&k);
}

/* In a pager q leaves a page: here the help, and only from the picture the program. */
static void the_way_out_of_help(void **state)
{
	struct desk k;
	(void)state;
	sit_down(&k, "ifelse", NULL);
	press(&k, "? q");
	assert_false(k.app.view.help);
	assert_false(k.app.quit);
	press(&k, "? Esc");
	assert_false(k.app.view.help);
	assert_false(k.app.quit);
	press(&k, "q");
	assert_true(k.app.quit);
	get_up(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(which_branch_costs_most),          cmocka_unit_test(why_a_warp_waits),
		cmocka_unit_test(which_instruction_stalls_longest), cmocka_unit_test(where_two_versions_part),
		cmocka_unit_test(how_full_the_multiprocessor_is),   cmocka_unit_test(a_mouse_alone_steps_and_runs),
		cmocka_unit_test(the_way_out_of_help),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
