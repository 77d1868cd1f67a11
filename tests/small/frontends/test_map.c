/* The map of cost: every thread has one place and the count of its instructions; clicks and keys select a thread and
 * its warp, and the state string keeps the selection. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/app.h"
#include "frontends/view/map.h"
#include "tests/kit/cmocka_all.h"

struct desk {
	struct wb_config *config;
	struct wb_program *program;
	struct player player;
	struct app app;
	struct canvas canvas;
};

static void begin(struct desk *k, const char *file, int w, int h, int scale)
{
	char path[512];
	struct wb_diag d = {.text = ""};
	struct view v;
	const char *root = getenv("WB_EXAMPLES");
	snprintf(path, sizeof path, "%s/%s.s", root ? root : "examples", file);
	*k = (struct desk){.config = wb_config_new()};
	view_init(&v, file);
	view_focus(&v, PANE_map);
	v.alone = true;
	if (wb_program_open(path, k->config, &k->program, &d) != WB_OK ||
	    player_open(&k->player, k->program, NULL, k->config, &d) != WB_OK ||
	    player_survey(&k->player, 1 << 20, &d) != WB_OK || app_open(&k->app, &k->player, &v, &d) != WB_OK)
		fail_msg("%s: %s", file, d.text);
	assert_true(scale ? canvas_pixels(&k->canvas, w, h, scale, &themes[0])
			  : canvas_cells(&k->canvas, w, h, &themes[0]));
	app_draw(&k->app, &k->canvas);
}

static void end(struct desk *k)
{
	canvas_free(&k->canvas);
	app_close(&k->app);
	player_close(&k->player);
	wb_program_free(k->program);
	wb_config_free(k->config);
}

static struct map *map_of(struct desk *k)
{
	const char *why;
	struct map *map = map_read(&k->app.model, &why);
	if (!map)
		fail_msg("no map: %s", why);
	return map;
}

static void places_and_threads_belong_together(void **state)
{
	static const struct {
		uint32_t grid[3], block[3];
		bool cut;
	} launches[] = {{{4, 1, 1}, {64, 1, 1}, true}, {{4, 3, 1}, {16, 16, 1}, false}, {{3, 2, 2}, {5, 3, 4}, false},
			{{1, 1, 1}, {1, 1, 1}, true}, {{7, 1, 1}, {33, 1, 1}, true}, {{1, 2, 3}, {40, 1, 2}, false}};
	(void)state;
	for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
		const uint32_t *g = launches[i].grid, *b = launches[i].block;
		uint32_t threads = b[0] * b[1] * b[2], warps = (threads + 31) / 32, x, y, seen = 0;
		struct wb_launch_info l = {.grid = {g[0], g[1]}, .block = {b[0], b[1], b[2]},
					   .blocks = g[0] * g[1] * g[2], .warp_lanes = 32};
		struct plane p;
		assert_true(plane_make(&p, &l, warps));
		assert_int_equal(p.cut, launches[i].cut);
		if (p.cut)
			plane_cut(&p, 32);
		for (uint64_t lane = 0; lane < (uint64_t)l.blocks * warps * 32; lane++) {
			bool has = plane_place(&p, lane, &x, &y);
			assert_int_equal(has, lane % (warps * 32) < threads);
			assert_true(!has || plane_lane(&p, x, y) == (int64_t)lane);
		}
		for (y = 0; y < p.h; y++)
			for (x = 0; x < p.w; x++)
				seen += plane_lane(&p, x, y) >= 0;
		assert_int_equal(seen, l.blocks * threads);
		assert_int_equal(plane_lane(&p, p.w, 0), -1);
	}
	/* Thread (1, 0, 1) of block (1, 0, 1) of the third launch: slices in z below each other. */
	struct wb_launch_info l = {.grid = {3, 2}, .block = {5, 3, 4}, .blocks = 12, .warp_lanes = 32};
	struct plane p;
	uint32_t x, y;
	assert_true(plane_make(&p, &l, 2));
	assert_true(plane_place(&p, 7 * 64 + 16, &x, &y));
	assert_true(x == 6 && y == 5 * 6);
	l.blocks = 1 << 20;
	assert_false(plane_make(&p, &l, 2));
}

static void counts_are_those_of_the_report(void **state)
{
	static const char *const files[] = {"collatz", "mandelbrot", "partial-warp", "nested", "textured-triangle"};
	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct desk k;
		begin(&k, files[i], 800, 500, 1);
		struct map *map = map_of(&k);
		uint64_t sum = 0;
		uint32_t most = 0;
		for (uint64_t lane = 0; lane < map->lanes; lane++) {
			sum += map->count[lane];
			most = map->count[lane] > most ? map->count[lane] : most;
		}
		const struct wb_report *r = k.player.whole.report;
		for (unsigned pc = 0; pc < r->npcs; pc++)
			sum -= r->pcs[pc].threads;
		assert_int_equal(sum, 0);
		assert_int_equal(map->most, most);
		assert_int_equal(map->count[map->dearest], most);
		assert_int_equal(map->count[map->lanes], 0);
		end(&k);
	}
}

/* Every cell of the pane: a click selects its thread, and the machine stands where the thread's warp is resident. */
static void a_click_selects_lane_and_warp(void **state)
{
	struct desk k;
	unsigned clicks = 0;
	(void)state;
	begin(&k, "collatz", 800, 500, 1);
	for (int y = 0; y < k.canvas.h; y += 23)
		for (int x = 0; x < k.canvas.w; x += 37) {
			struct hit h;
			app_draw(&k.app, &k.canvas);
			frame_hit(&k.canvas, &k.app.model, &k.app.view, x, y, &h);
			if (!h.thread)
				continue;
			app_press(&k.app, &k.canvas, x, y);
			app_release(&k.app, &k.canvas, x, y);
			app_refresh(&k.app);
			assert_int_equal(k.app.view.thread, h.thread);
			assert_non_null(k.app.model.selected);
			assert_int_equal(k.app.model.selected->block, (h.thread - 1) / 64);
			assert_int_equal(k.app.model.selected->warp, (h.thread - 1) / 32 % 2);
			assert_int_equal(map_lane(&k.app.model, &k.app.view, k.app.model.selected),
					 (h.thread - 1) % 32);
			assert_non_null(strstr(h.text, " instructions"));
			clicks++;
		}
	assert_in_range(clicks, 50, 10000);
	end(&k);
}

static void keys_walk_over_the_cells(void **state)
{
	struct desk k;
	(void)state;
	begin(&k, "mandelbrot", 1280, 800, 1);
	app_key(&k.app, "Enter"); /* without a selection the dearest */
	assert_int_equal(k.app.view.thread, map_of(&k)->dearest + 1);
	app_command(&k.app, "lane 5 18"); /* thread (2, 1) of block (1, 1): lane 18 of warp 0 */
	assert_int_equal(k.app.view.thread, 5 * 256 + 18 + 1);
	app_refresh(&k.app);
	assert_int_equal(k.app.model.selected->block, 5);
	static const struct {
		const char *key;
		uint64_t thread;
	} moves[] = {{"Right", 5 * 256 + 19}, {"Down", 5 * 256 + 35}, {"Left", 5 * 256 + 34}, {"Up", 5 * 256 + 18},
		     {"Up", 5 * 256 + 2}, {"Up", 1 * 256 + 242}};
	for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
		app_draw(&k.app, &k.canvas);
		app_key(&k.app, moves[i].key);
		assert_int_equal(k.app.view.thread, moves[i].thread + 1);
	}
	app_command(&k.app, "lane 12 0");
	assert_non_null(strstr(k.app.view.message, "a block, 0 to 11, and a thread of it, 0 to 255; found '12 0'"));
	assert_int_equal(k.app.view.thread, 1 * 256 + 242 + 1);
	app_key(&k.app, "1");
	assert_int_equal(k.app.view.focus, PANE_board);
	app_key(&k.app, "G");
	assert_int_equal(k.app.view.focus, PANE_map);
	end(&k);
}

static void a_state_keeps_the_thread(void **state)
{
	struct desk k;
	struct view v;
	struct state_place place;
	struct wb_diag d;
	char text[512];
	(void)state;
	begin(&k, "collatz", 800, 500, 1);
	app_draw(&k.app, &k.canvas);
	uint64_t none = canvas_hash(&k.canvas);
	app_command(&k.app, "lane 3 5");
	k.app.view.message[0] = '\0';
	app_draw(&k.app, &k.canvas);
	uint64_t one = canvas_hash(&k.canvas);
	assert_true(one != none);
	state_format(text, sizeof text, &k.app.model, &k.app.view);
	assert_non_null(strstr(text, ";thread=197;"));
	view_init(&v, "collatz");
	assert_true(state_parse(text, &v, &place, &d));
	assert_int_equal(v.thread, 198);
	k.app.view = v;
	k.app.stale = true;
	app_draw(&k.app, &k.canvas);
	assert_int_equal(canvas_hash(&k.canvas), one);
	/* A thread that the launch has not is none. */
	k.app.view.thread = UINT64_MAX;
	app_draw(&k.app, &k.canvas);
	app_key(&k.app, "Enter");
	end(&k);
}

/* On characters a digit is a cell's cost; more threads than cells share cells. */
static void characters_have_digits(void **state)
{
	struct desk k;
	char text[64 * 30 + 1];
	int n = 0, most = 0;
	(void)state;
	begin(&k, "mandelbrot", 64, 30, 0);
	for (int i = 0; i < 64 * 30; i++)
		text[n++] = k.canvas.cell[i].code < 127 && k.canvas.cell[i].code ? (char)k.canvas.cell[i].code : '.';
	text[n] = '\0';
	for (const char *p = text; (p = strstr(p, "99999999")); p++)
		most++;
	assert_in_range(most, 10, 400);
	end(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_and_threads_belong_together), cmocka_unit_test(counts_are_those_of_the_report),
		cmocka_unit_test(a_click_selects_lane_and_warp), cmocka_unit_test(keys_walk_over_the_cells),
		cmocka_unit_test(a_state_keeps_the_thread), cmocka_unit_test(characters_have_digits)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
