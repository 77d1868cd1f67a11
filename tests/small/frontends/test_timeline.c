/* The timeline: waits fill the gaps between issues, sums are those of the events, bars are as high as their number of
 * lanes, and all marks are distinguishable. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/timeline.h"
#include "tests/kit/opened.h"

static const char *const kernels[] = {"matmul", "mandelbrot", "histogram", "bitonic", "lock-ok", "latency-hiding"};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* ---- the record ---- */

/* Between two issues of a warp are only waits, and together the waits are those of the report. */
static void waits_fill_what_is_between_issues(void **state)
{
	(void)state;
	for (int i = 0; i < KERNELS; i++) {
		struct opened w;
		open_kernel(&w, kernels[i], 1 << 18, false);
		const struct record *r = &w.player.record;
		const struct model *m = &w.app.model;
		uint64_t all[WAITS] = {0}, *last = calloc((size_t)m->machine.mps * 64, sizeof *last), holes = 0;
		uint32_t waited[WAITS], *block = calloc((size_t)m->machine.mps * 64, sizeof *block);
		for (uint64_t k = 0; k < r->n; k++) {
			const struct event *e = record_at(r, k);
			uint64_t begins = e->cycle - record_waits(r, k, waited), at = e->mp * 64u + e->slot;
			holes += last[at] && block[at] == e->block + 1 && begins != last[at];
			last[at] = e->cycle + m->machine.issue_cycles;
			block[at] = e->block + 1;
			for (int s = 0; s < WAITS; s++)
				all[s] += waited[s];
		}
		assert_int_equal(holes, 0);
		assert_true(w.player.whole.known);
		for (int s = 0; s < WAITS; s++) /* each warp ends with an issue */
			assert_int_equal(all[s], w.player.whole.report->time.stalls[s + 1]);
		free(last);
		free(block);
		close_kernel(&w);
	}
}

static void add(struct record *r, uint64_t cycle, unsigned mp, unsigned slot, uint32_t wait)
{
	uint32_t waited[WAITS] = {0};
	waited[cycle / 7 % WAITS] = wait / 2;
	waited[cycle / 3 % WAITS] += wait - wait / 2;
	struct event e = {.cycle = cycle, .mp = (uint16_t)mp, .slot = (uint8_t)slot, .lanes = (uint8_t)(slot % 32 + 1)};
	assert_true(record_add(r, &e, waited));
}

static void waits_of_any_length_are_kept(void **state)
{
	struct record r;
	uint32_t waited[WAITS];
	(void)state;
	assert_true(record_begin(&r, 1, 2));
	add(&r, 1 << 20, 0, 0, 65535);
	add(&r, 1 << 21, 0, 1, 200000);
	add(&r, 1 << 22, 0, 0, 12);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(record_waits(&r, i, waited), i == 0 ? 65535 : i == 1 ? 200000 : 12);
	record_free(&r);
}

/* A million issues and their sums take less than 80 MiB, on one multiprocessor or on two; sums lose nothing. */
static void sums_are_those_of_the_events(void **state)
{
	enum { EVENTS = 1 << 20 };
	(void)state;
	for (unsigned mps = 1; mps <= 2; mps++)
		for (unsigned slots = 32; slots <= 64; slots += 32) {
			struct record r;
			uint64_t lanes = 0, waits = 0;
			assert_true(record_begin(&r, mps, slots));
			for (unsigned i = 0; i < EVENTS; i++) {
				unsigned slot = i / mps % slots;
				add(&r, 4ull * (i / mps) + 1000, i % mps, slot, i / mps < slots ? 0 : 4 * slots - 4);
				lanes += slot % 32 + 1;
				waits += i / mps < slots ? 0 : 4 * slots - 4;
			}
			assert_true(record_bytes(&r) < 80u << 20);
			for (unsigned mp = 0; mp < mps; mp++) {
				assert_non_null(r.mp[mp].span);
				for (size_t i = 0; i < (size_t)r.mp[mp].nspans * slots; i++) {
					const struct tally *t = &r.mp[mp].span[i];
					lanes -= t->lanes;
					for (int s = 0; s < WAITS; s++)
						waits -= t->wait[s];
				}
			}
			assert_int_equal(lanes, 0);
			assert_int_equal(waits, 0);
			record_free(&r);
		}
}

/* Every multiprocessor has its issues, whatever its number; the text of a point under the mouse names them. */
static void each_multiprocessor_has_a_timeline(void **state)
{
	enum { MPS = 300, SHOWN = 260 };
	static const char program[] = ".kernel three\nmov b32 $r0 0x1\nmov b32 $r1 0x2\nexit nop\n";
	static const char *const options[][2] = {{"mps", "300"}, {"grid", "300"}, {"block", "32"}};
	struct opened w = {.config = wb_config_new()};
	struct wb_diag d;
	struct view v;
	struct canvas c;
	bool found = false;
	(void)state;
	view_init(&v, "three");
	v.mp = SHOWN;
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		assert_int_equal(wb_config_set(w.config, options[i][0], options[i][1], NULL), WB_OK);
	if (wb_program_load(program, sizeof program - 1, "three.s", NULL, &w.program, &d) != WB_OK ||
	    player_open(&w.player, w.program, NULL, w.config, &d) != WB_OK ||
	    player_survey(&w.player, 1 << 16, &d) != WB_OK || app_open(&w.app, &w.player, &v, &d) != WB_OK)
		fail_msg("%s", d.text);
	for (unsigned mp = 0; mp < MPS; mp++)
		assert_int_equal(w.player.record.mp[mp].n, 3);
	assert_true(canvas_pixels(&c, 1280, 800, 1, &themes[0]));
	app_command(&w.app, "pane timeline");
	app_command(&w.app, "alone");
	app_draw(&w.app, &c);
	for (int y = 0; y < 800 && !found; y += 2)
		for (int x = 0; x < 1280 && !found; x += 4) {
			struct hit h;
			frame_hit(&c, &w.app.model, &w.app.view, x, y, &h);
			found = strstr(h.text, "mov") != NULL;
		}
	assert_true(found);
	canvas_free(&c);
	close_kernel(&w);
}

/* A loop of 16 warps; "bra" alone at the end: without an end. */
static void survey_loop(struct opened *w, const char *loop, uint64_t most)
{
	static const char *const options[][2] = {{"block", "512"}, {"chip", "g200"}, {"livelock", "none"}};
	struct wb_diag d;
	char text[256];
	*w = (struct opened){.config = wb_config_new()};
	snprintf(text, sizeof text, ".kernel loop\n.const 1 0x0: 1\nmov b32 $r1 0x9c40\nagain:\n%s", loop);
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		assert_int_equal(wb_config_set(w->config, options[i][0], options[i][1], NULL), WB_OK);
	if (wb_program_load(text, strlen(text), "loop.s", NULL, &w->program, &d) != WB_OK ||
	    player_open(&w->player, w->program, NULL, w->config, &d) != WB_OK ||
	    player_survey(&w->player, most, &d) != WB_OK)
		fail_msg("%s", d.text);
}

static void end_loop(struct opened *w)
{
	player_close(&w->player);
	wb_program_free(w->program);
	wb_config_free(w->config);
}

/* A record has all issues of a run, more than a million, or says that it has the first ones alone. */
static void a_record_is_whole_or_says_so(void **state)
{
	static const char counted[] = "sub b32 $c0 $r1 $r1 c1[0x0]\n(lg $c0) bra #again\nexit nop\n";
	enum { WARPS = 16, LOOPS = 0x9c40, MOST = 5000 };
	struct opened w;
	struct wb_diag d;
	(void)state;
	survey_loop(&w, counted, RECORD_MAX);
	assert_int_equal(w.player.record.n, WARPS * (2 + 2 * LOOPS));
	assert_int_equal(w.player.whole.issues, w.player.record.n);
	assert_true(w.player.whole.known && !w.player.record.full && w.player.record.mp[0].span);
	assert_in_range(player_interesting(&w.player), 1, 1 << 20);
	end_loop(&w);
	for (int endless = 0; endless < 2; endless++) {
		survey_loop(&w, endless ? "bra #again\n" : counted, MOST);
		assert_int_equal(w.player.record.n, MOST);
		assert_true(w.player.record.full && !w.player.whole.known);
		uint64_t latest = record_at(&w.player.record, MOST - 1)->cycle;
		assert_int_equal(player_goto(&w.player, MOST, &d), WB_OK);
		assert_int_equal(w.player.where.last.cycle, latest);
		assert_int_equal(player_goto(&w.player, 2 * MOST, &d), WB_OK); /* not recorded, but there */
		assert_int_equal(w.player.where.issue, 2 * MOST);
		end_loop(&w);
	}
}

/* ---- the picture ---- */

static uint32_t seen_as(uint32_t argb, int channel)
{
	/* Machado, Oliveira, Fernandes 2009: deuteranopia, here on encoded values, near enough for a floor */
	static const double by[3][3] = {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
					{-0.011820, 0.042940, 0.968881}};
	double x = 0;
	for (int i = 0; i < 3; i++)
		x += by[channel][i] * (argb >> (16 - 8 * i) & 0xff);
	return x < 0 ? 0 : x > 255 ? 255 : (uint32_t)x;
}

static double apart(uint32_t a, uint32_t b)
{
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double d = (double)seen_as(a, i) - (double)seen_as(b, i);
		sum += d * d;
	}
	return sqrt(sum) / 255;
}

static void stands_out(const struct theme *t, const char *what, uint32_t mark, uint32_t ground)
{
	if (contrast(mark, ground) < MARK_CONTRAST)
		fail_msg("%s: %s %06x on %06x: %.2f", t->name, what, mark & 0xffffff, ground & 0xffffff,
			 contrast(mark, ground));
}

/* Every pair that has to be told apart: bars and ribbons from their ground, selected or not, past or future; bars from
 * the tints of surrounding waits; reasons from each other, also without red and green. */
static void marks_stand_out(void **state)
{
	(void)state;
	for (int i = 0; i < THEMES; i++) {
		const struct theme *t = &themes[i];
		struct looks looks[2];
		timeline_looks(t, looks);
		for (int f = 0; f < 2; f++) {
			const struct looks *l = &looks[f];
			const uint32_t grounds[] = {t->role[ROLE_PANEL], t->role[ROLE_SELECT]};
			for (int g = 0; g < 2; g++) {
				for (int k = 0; k < RAMP; k++)
					stands_out(t, "ramp", l->ramp[k], grounds[g]);
				for (int k = 0; k < WHEEL; k++)
					stands_out(t, "wheel", l->wheel[k], grounds[g]);
				for (int k = 0; k < WAITS; k++)
					stands_out(t, "ribbon", l->wait[k], grounds[g]);
				stands_out(t, "issue", l->issued, grounds[g]);
				stands_out(t, "split", l->split, grounds[g]);
				stands_out(t, "rejoin", l->rejoin, grounds[g]);
				stands_out(t, "selected instruction", l->marked, grounds[g]);
			}
			for (int k = 0; k < WAITS; k++)
				if (!f)
					stands_out(t, "issue beside a wait", l->issued, l->tint[k]);
		}
		for (unsigned a = 0; a <= WAITS; a++)
			for (unsigned b = 0; b < a; b++) {
				double d = apart(stall_colour(t, a), stall_colour(t, b));
				if (d < 0.1)
					fail_msg("%s: %s and %s: %.3f", t->name, wb_stall_name(a), wb_stall_name(b), d);
			}
	}
}

/* Pixels of a colour, up and down from a place. */
static int height(const struct canvas *c, int x, int y, uint32_t colour)
{
	int n = 0;
	while (y < c->h && c->pixel[(size_t)y * c->stride + x] != colour)
		y++;
	while (y + n < c->h && c->pixel[(size_t)(y + n) * c->stride + x] == colour)
		n++;
	return n;
}

/* In the row of a warp alone on the picture: an issue of 1 of 32 lanes is 1/32 as high as an issue of all. */
static void one_lane_is_a_low_bar(void **state)
{
	(void)state;
	for (int t = 0; t < THEMES; t++) {
		struct opened w;
		struct canvas c;
		struct looks l[2];
		char command[96];
		int low = 1000, high = 0;
		timeline_looks(&themes[t], l);
		open_kernel(&w, "lock-ok", 1 << 18, false);
		assert_true(canvas_pixels(&c, 1280, 800, 1, &themes[t]));
		app_command(&w.app, "end");
		snprintf(command, sizeof command, "state wb1:pane=timeline;alone=1;zoom=3;left=504;theme=%s",
			 themes[t].name);
		app_command(&w.app, command);
		app_draw(&w.app, &c);
		if (frame_opened(&c, &w.app.model, &w.app.view))
			app_key(&w.app, "o"); /* the rows of warps alone */
		app_draw(&w.app, &c);
		for (int x = 100; x < 1270; x += 2)
			for (int y = 200, last = -1; y < 780; y += 4) {
				struct hit h;
				frame_hit(&c, &w.app.model, &w.app.view, x, y, &h);
				if (h.slot < 0 || h.slot == last)
					continue;
				last = h.slot;
				int n = height(&c, x, y, l[0].issued);
				low = strstr(h.text, " 1 of 32 lanes") && n < low ? n : low;
				high = strstr(h.text, " 32 of 32 lanes") && n > high ? n : high;
			}
		if (low != (high + 16) / 32 && low != 1)
			fail_msg("%s: one lane %d, all lanes %d", themes[t].name, low, high);
		assert_true(high >= 16);
		canvas_free(&c);
		close_kernel(&w);
	}
}

/* Hovering shows the reason, the beginning and the cause. */
static void hovering_names_the_cause(void **state)
{
	struct opened w;
	struct canvas c;
	bool found = false;
	(void)state;
	open_kernel(&w, "mandelbrot", 1 << 18, false);
	assert_true(canvas_pixels(&c, 1280, 800, 1, &themes[0]));
	app_command(&w.app, "pane timeline");
	app_draw(&w.app, &c);
	for (int y = 340; y < 540 && !found; y += 2)
		for (int x = 100; x < 1270 && !found; x++) {
			struct hit h;
			frame_hit(&c, &w.app.model, &w.app.view, x, y, &h);
			found = !strncmp(h.text, "w3 waits for operand since ", 27) && strstr(h.text, ": $r") &&
				strstr(h.text, " from ") && strstr(h.text, " at 0x") && strstr(h.text, " (line ");
		}
	assert_true(found);
	canvas_free(&c);
	close_kernel(&w);
}

/* Of register ranges, the registers common to both instructions. */
static void hovering_names_ranges(void **state)
{
	static const char program[] = ".kernel pairs\n.chip bonaire\n.block 64\n"
				      "v_cvt_f64_u32 v[2:3], v0\n"
				      "v_add_f64 v[4:5], v[2:3], v[2:3]\n"
				      "v_mov_b32 v6, v5\n"
				      "s_endpgm\n";
	static const char *const causes[] = {": v[2:3] from v_cvt_f64_u32 at 0x0 (line 4)",
					     ": v5 from v_add_f64 at 0x4 (line 5)", NULL};
	struct opened w = {.config = wb_config_new()};
	struct wb_diag d;
	struct view v;
	struct canvas c;
	(void)state;
	view_init(&v, "pairs");
	if (wb_program_load(program, sizeof program - 1, "pairs.s", NULL, &w.program, &d) != WB_OK ||
	    player_open(&w.player, w.program, NULL, w.config, &d) != WB_OK ||
	    player_survey(&w.player, 1 << 10, &d) != WB_OK || app_open(&w.app, &w.player, &v, &d) != WB_OK)
		fail_msg("%s", d.text);
	assert_true(canvas_pixels(&c, 1280, 800, 1, &themes[0]));
	app_command(&w.app, "pane timeline");
	app_draw(&w.app, &c);
	for (int i = 0; causes[i]; i++) {
		bool found = false;
		for (int y = 340; y < 540 && !found; y += 2)
			for (int x = 100; x < 1270 && !found; x++) {
				struct hit h;
				frame_hit(&c, &w.app.model, &w.app.view, x, y, &h);
				found = strstr(h.text, causes[i]);
			}
		if (!found)
			fail_msg("nothing says \"%s\"", causes[i]);
	}
	canvas_free(&c);
	close_kernel(&w);
}

/* Whether a warp is open or not, o changes the picture. */
static void the_first_press_of_o_is_seen(void **state)
{
	static const char *const programs[] = {"nested", "matmul"};
	bool opened[2];
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct opened w;
		struct canvas c;
		open_kernel(&w, programs[i], 1 << 18, false);
		assert_true(canvas_pixels(&c, 1280, 800, 1, &themes[0]));
		app_draw(&w.app, &c);
		uint64_t before = canvas_hash(&c);
		opened[i] = frame_opened(&c, &w.app.model, &w.app.view);
		app_key(&w.app, "o");
		app_draw(&w.app, &c);
		assert_true(canvas_hash(&c) != before);
		assert_int_equal(frame_opened(&c, &w.app.model, &w.app.view), !opened[i]);
		app_key(&w.app, "o");
		app_draw(&w.app, &c);
		assert_int_equal(frame_opened(&c, &w.app.model, &w.app.view), opened[i]);
		canvas_free(&c);
		close_kernel(&w);
	}
	assert_true(opened[0] && !opened[1]); /* or one of the two cases has not been tried */
}

/* A drag shows the covered span, a click on the map goes to the place, and = shows all again. */
static void dragging_zooms(void **state)
{
	struct opened w;
	struct canvas c;
	struct hit h;
	(void)state;
	open_kernel(&w, "bitonic", 1 << 18, false);
	assert_true(canvas_pixels(&c, 1280, 800, 1, &themes[0]));
	app_draw(&w.app, &c);
	app_press(&w.app, &c, 400, 440);
	frame_hit(&c, &w.app.model, &w.app.view, 400, 440, &h);
	int64_t from = h.cycle;
	frame_hit(&c, &w.app.model, &w.app.view, 500, 440, &h);
	int64_t to = h.cycle;
	assert_true(to > from);
	app_release(&w.app, &c, 500, 440);
	app_draw(&w.app, &c);
	frame_hit(&c, &w.app.model, &w.app.view, 90, 440, &h);
	int64_t first = h.cycle, shown = (int64_t)(h.per_unit * h.width);
	assert_in_range(first, from - shown, from);
	assert_true(first + shown >= to && shown < 4 * (to - from));
	bool found = false;
	for (int y = 330; y < 400 && !found; y++) {
		frame_hit(&c, &w.app.model, &w.app.view, 1000, y, &h);
		found = h.map >= 0;
		if (found)
			app_press(&w.app, &c, 1000, y);
	}
	assert_true(found);
	assert_in_range(h.map, w.app.view.left_cycle, w.app.view.left_cycle + shown);
	app_key(&w.app, "=");
	assert_int_equal(w.app.view.zoom, 0);
	canvas_free(&c);
	close_kernel(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_fill_what_is_between_issues), cmocka_unit_test(waits_of_any_length_are_kept),
		cmocka_unit_test(each_multiprocessor_has_a_timeline), cmocka_unit_test(a_record_is_whole_or_says_so),
		cmocka_unit_test(sums_are_those_of_the_events),      cmocka_unit_test(marks_stand_out),
		cmocka_unit_test(one_lane_is_a_low_bar),             cmocka_unit_test(hovering_names_the_cause),
		cmocka_unit_test(hovering_names_ranges),
		cmocka_unit_test(the_first_press_of_o_is_seen),      cmocka_unit_test(dragging_zooms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
