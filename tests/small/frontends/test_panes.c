/* All panes at once, of kernels, shaders and waves: no text over text and no faint text, in any theme, size and scale;
 * a picture that is too small says so; texts of panes about the mouse's target. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/layout.h"
#include "tests/kit/opened.h"

static const char *const kernels[] = {"matmul", "lock-ok", "nested", "histogram", "early-exit",
				      "two-sided.vsh", "quads.gsh", "textured-triangle", "waves"};
static const int sizes[][2] = {{800, 500}, {1280, 800}, {1920, 1080}, {390, 1560}, {320, 1400}, {2560, 1440}};
static const int cells[][2] = {{80, 24}, {132, 43}, {40, 12}};
enum { PAGES = sizeof cells / sizeof *cells };
enum { KERNELS = sizeof kernels / sizeof *kernels, SIZES = sizeof sizes / sizeof *sizes, SCALES = 2 };

/* 64 lanes with a mask register: 40 lanes, then 8. */
static const char waves[] = ".kernel k\n.chip gfx900\n.block 256\n"
			    "v_cmp_gt_u32 vcc, 40, v0\n"
			    "s_and_saveexec_b64 s[20:21], vcc\n"
			    "v_mov_b32 v2, 7\n"
			    "v_cmp_gt_u32 vcc, 8, v0\n"
			    "s_and_saveexec_b64 s[22:23], vcc\n"
			    "v_add_u32 v2, v0, v2\n"
			    "s_mov_b64 exec, s[20:21]\n"
			    "v_add_u32 v3, v0, v2\n"
			    "s_endpgm\n";

static void begin_waves(struct opened *s, uint64_t at)
{
	struct wb_diag d = {.text = ""};
	struct view v;
	view_init(&v, "waves");
	*s = (struct opened){.config = wb_config_new()};
	wb_config_set(s->config, "format", "asm", NULL);
	if (wb_program_load(waves, strlen(waves), "waves", s->config, &s->program, &d) != WB_OK ||
	    player_open(&s->player, s->program, NULL, s->config, &d) != WB_OK ||
	    player_survey(&s->player, 1 << 16, &d) != WB_OK || player_goto(&s->player, at, &d) != WB_OK ||
	    app_open(&s->app, &s->player, &v, &d) != WB_OK)
		fail_msg("%s", d.text);
}

static void open_any(struct opened *s, const char *kernel)
{
	if (strcmp(kernel, "waves"))
		open_kernel(s, kernel, 1 << 16, true);
	else
		begin_waves(s, 22);
}

/* A canvas: pixels at a scale, or cells at scale 0. */
static void open_canvas(struct canvas *c, int w, int h, int scale)
{
	assert_true(scale ? canvas_pixels(c, w, h, scale, &themes[0]) : canvas_cells(c, w, h, &themes[0]));
}

static void begin(struct opened *s, struct canvas *c, const char *kernel, int w, int h, int scale)
{
	open_any(s, kernel);
	open_canvas(c, w, h, scale);
}

static void end(struct opened *s, struct canvas *c)
{
	canvas_free(c);
	close_kernel(s);
}

static int failures; /* printed failures */

static void texts_can_be_read(struct opened *s, struct canvas *c, const char *what)
{
	struct overlaps o = {.owner = calloc((size_t)c->w * c->h, sizeof *o.owner)};
	assert_non_null(o.owner);
	c->overlaps = &o;
	frame_draw(c, &s->app.model, &s->app.view);
	if (o.found && failures++ < 20)
		print_message("%s %s%s, %dx%d units at scale %d: '%s' stands on another text\n", what,
			      pane_name(s->app.view.focus), s->app.view.alone ? " alone" : "", c->w, c->h, c->scale,
			      o.text);
	if (o.least < TEXT_CONTRAST && failures++ < 20)
		print_message("%s %s%s, %s, %dx%d units at scale %d: '%s' is faint: #%06x on #%06x, %.2f\n", what,
			      pane_name(s->app.view.focus), s->app.view.alone ? " alone" : "", c->theme->name, c->w,
			      c->h, c->scale, o.faint, o.ink & 0xffffff, o.ground & 0xffffff, o.least);
	c->overlaps = NULL;
	free(o.owner);
}

/* The window with each pane brought to the front, and each pane alone. */
static void each_pane(struct opened *s, struct canvas *c, const char *kernel)
{
	for (int p = 0; p < PANES; p++)
		for (int alone = 0; alone < 2; alone++) {
			view_focus(&s->app.view, (enum pane)p);
			s->app.view.alone = alone;
			texts_can_be_read(s, c, kernel);
		}
}

static void texts_stand_apart(void **state)
{
	(void)state;
	for (int k = 0; k < KERNELS; k++) {
		struct opened s;
		struct canvas c;
		open_any(&s, kernels[k]);
		for (int i = 0; i < SIZES * SCALES; i++) {
			if (sizes[i / SCALES][0] < 400 && i % SCALES)
				continue;       /* a phone's canvas of half as many units is too small */
			if (sizes[i / SCALES][0] > 2000 && strcmp(kernels[k], "nested"))
				continue;       /* the largest pictures take the most time: of one kernel */
			s.app.view.theme = i % THEMES;
			s.app.view.zoom = i % 3 ? 0 : 4;
			assert_true(canvas_pixels(&c, sizes[i / SCALES][0], sizes[i / SCALES][1], i % SCALES + 1,
						  &themes[i % THEMES]));
			each_pane(&s, &c, kernels[k]);
			canvas_free(&c);
		}
		s.app.view.zoom = 0;
		for (int i = 0; i < PAGES; i++) {
			s.app.view.theme = k % THEMES;
			assert_true(canvas_cells(&c, cells[i][0], cells[i][1], &themes[0]));
			each_pane(&s, &c, kernels[k]);
			canvas_free(&c);
		}
		close_kernel(&s);
	}
	assert_int_equal(failures, 0);
}

/* The test above can fail, for either reason. */
static void faults_are_found(void **state)
{
	struct canvas c;
	struct overlaps o = {.owner = calloc(100 * 40, sizeof *o.owner)};
	(void)state;
	assert_true(canvas_pixels(&c, 100, 40, 1, &themes[0]));
	c.overlaps = &o;
	canvas_text(&c, 2, 2, -1, 0xffffffff, 0, "one");
	canvas_text(&c, 2, 20, -1, 0xffffffff, 0, "two");
	assert_int_equal(o.found, 0);
	canvas_text(&c, 4, 4, -1, 0xffffffff, 0, "three");
	assert_true(o.found > 0);
	assert_string_equal(o.text, "three");
	o.found = 0;
	o.least = 0;
	canvas_fill(&c, (struct rect){0, 0, 100, 40}, 0xff000000);
	canvas_text(&c, 2, 20, -1, 0xffffffff, 0, "four");
	assert_int_equal(o.found, 0);
	assert_true(o.least >= TEXT_CONTRAST);
	canvas_text(&c, 2, 2, -1, 0xff505050, TEXT_OVER, "five");
	assert_true(o.least >= TEXT_CONTRAST);
	canvas_text(&c, 50, 2, -1, 0xff505050, 0, "six");
	assert_true(o.least < TEXT_CONTRAST);
	assert_string_equal(o.faint, "six");
	canvas_free(&c);
	free(o.owner);
}

/* Different texts without a blank between, in cells. */
static int touching(const struct canvas *c)
{
	int n = 0;

	for (int i = 0; i + 1 < c->w * c->h; i++) {
		const uint16_t *at = &c->overlaps->owner[i];
		n += (i + 1) % c->w && at[0] && at[1] && at[0] != at[1] && c->cell[i].code < 128 &&
		     c->cell[i + 1].code < 128;
	}
	return n;
}

/* Counts of a long run: columns of texts are as wide as the counts in them. */
static void counts_of_millions_stand_apart(void **state)
{
	struct overlaps o = {.owner = calloc(132 * 43, sizeof *o.owner)};
	struct opened s;
	struct canvas c;
	(void)state;
	begin(&s, &c, "nested", 132, 43, 0);
	for (int i = 0; i < s.app.model.listing.nlines; i++) {
		struct source_row *l = &s.app.model.listing.line[i];
		l->lost *= 10000019;
		l->issues *= 10000019;
		l->threads *= 10000019;
	}
	for (unsigned i = 0; i < s.app.model.listing.ncode; i++) {
		struct wb_pc *cost = &s.app.model.listing.code[i].cost;
		cost->issues *= 10000019;
		cost->threads *= 10000019;
	}
	c.overlaps = &o;
	s.app.view.alone = true;
	for (int i = 0; i < 2; i++) {
		memset(o.owner, 0, 132 * 43 * sizeof *o.owner);
		view_focus(&s.app.view, i ? PANE_source : PANE_annotate);
		frame_draw(&c, &s.app.model, &s.app.view);
		assert_int_equal(o.found, 0);
		assert_int_equal(touching(&c), 0);
	}
	free(o.owner);
	end(&s, &c);
}

/* At the least size no shown pane is without a word or a mark. */
static void few_rows_have_fewer_panes(void **state)
{
	struct opened s;
	struct canvas c;
	(void)state;
	begin(&s, &c, "lock-ok", 800, 500, 2);
	for (int p = 0; p < PANES; p++) {
		struct layout l;
		bool shown = false;
		view_focus(&s.app.view, (enum pane)p);
		s.app.view.alone = false;
		frame_draw(&c, &s.app.model, &s.app.view);
		layout_make(&l, &c, &s.app.view);
		assert_int_equal(l.n, 3);
		for (int i = 0; i < l.n; i++) {
			struct box b = layout_box(&c, &l.spot[i].rect);
			int marks = 0;
			shown = shown || l.spot[i].shown == (enum pane)p;
			for (int y = b.body.y * 2; y < (b.body.y + b.body.h) * 2; y++)
				for (int x = b.body.x * 2; x < (b.body.x + b.body.w) * 2; x++)
					marks += c.pixel[y * c.stride + x] != themes[0].role[ROLE_PANEL];
			assert_in_range(marks, 200, 1 << 20);
		}
		assert_true(shown);
	}
	end(&s, &c);
}

static void too_small_says_so(void **state)
{
	struct opened s;
	struct canvas c;
	(void)state;
	begin(&s, &c, "nested", 39, 11, 0);
	frame_draw(&c, &s.app.model, &s.app.view);
	char row[40] = "";
	for (int x = 0; x < 39; x++)
		row[x] = (char)c.cell[39 + x].code;
	assert_non_null(strstr(row, "too small: 39x11; at least 40x12"));
	end(&s, &c);
}

/* ASCII of a page, line by line. */
static const char *page_text(const struct canvas *c, char *text, size_t size)
{
	size_t n = 0;
	for (int i = 0; i < c->w * c->h && n + 2 < size; i++) {
		uint32_t code = c->cell[i].code;
		text[n++] = code >= 0x2581 && code <= 0x2588 ? (char)('1' + code - 0x2581)
			    : code == 0xb7                   ? '.'
			    : code >= ' ' && code < 127      ? (char)code
							     : ' ';
		if (i % c->w == c->w - 1)
			text[n++] = '\n';
	}
	text[n] = '\0';
	return text;
}

/* 64 lanes at 80 columns: masks are whole, the watch has all lanes, EXEC's past stands in place of a stack, and each
 * warp has a SIMD. */
static void waves_have_their_own_terms(void **state)
{
	struct opened s;
	struct canvas c;
	static char text[1 << 15];
	(void)state;
	begin(&s, &c, "waves", 80, 24, 0);
	app_command(&s.app, "warp 0");
	s.app.view.alone = false;
	view_focus(&s.app.view, PANE_stack);
	app_draw(&s.app, &c);
	page_text(&c, text, sizeof text);
	assert_int_equal(s.app.model.terms.simds, 4);
	assert_non_null(strstr(text, "S blk warp"));
	assert_non_null(strstr(text, "8.......  8")); /* EXEC now: lanes 0 to 7 */
	assert_non_null(strstr(text, "EXEC before"));
	assert_non_null(strstr(text, "88888... 40")); /* and before */
	canvas_free(&c);
	open_canvas(&c, 160, 40, 0);
	s.app.view.alone = true;
	view_focus(&s.app.view, PANE_watch);
	static const char *const named[] = {"v2", "v0", "exec", "s[20:21]"};
	assert_int_equal(s.app.model.watch.n, 4); /* v_add_u32 v2, v0, v2; s_mov_b64 exec, s[20:21] */
	for (unsigned i = 0; i < 4; i++)
		assert_string_equal(s.app.model.watch.entry[i].row.name, named[i]);
	assert_int_equal(s.app.model.watch.entry[3].now[0], UINT64_MAX);
	app_command(&s.app, "watch v2 x");
	app_command(&s.app, "watch vcc x");
	app_command(&s.app, "watch s20 x");
	app_command(&s.app, "watch exec_lo x");
	app_command(&s.app, "watch s[20:21] x");
	app_command(&s.app, "watch v[2:3] x");
	app_draw(&s.app, &c);
	page_text(&c, text, sizeof text);
	assert_non_null(strstr(text, "vcc hex 0x00000000000000ff"));
	assert_non_null(strstr(text, "s20 hex"));
	assert_non_null(strstr(text, "s[20:21] hex    ffffffffffffffff"));
	assert_non_null(strstr(text, "v[2:3] hex"));
	assert_non_null(strstr(text, "\n  0  0000000000000007  0000000000000008  "));
	assert_non_null(strstr(text, "exec_lo hex          ff")); /* a mask register of the wave */
	assert_non_null(strstr(text, "\n 32 ")); /* the second half of v2 */
	app_command(&s.app, "break :5");
	assert_string_equal(s.app.view.message, "breakpoint 1: :5 (line 5, 0x0004)");
	app_command(&s.app, "break :5");
	assert_string_equal(s.app.view.message, "breakpoint 1 is gone");
	end(&s, &c);
}

static bool says(struct opened *s, const struct canvas *c, enum pane p, const char *text);

/* Warps of shaders do not belong to blocks, and lanes have a name for their work. */
static void shaders_have_their_own_terms(void **state)
{
	static const struct {
		const char *file, *warps, *lane, *needs;
	} shaders[] = {{"two-sided.vsh", "1 warp of vertices", "; vertex ", ""},
		       {"quads.gsh", "1 warp of primitives", "; primitive ", ""},
		       {"textured-triangle", "60 warps of fragments", "; pixel ", "a fragment"}};
	static char text[1 << 15];
	(void)state;
	for (size_t i = 0; i < sizeof shaders / sizeof *shaders; i++) {
		struct opened s;
		struct canvas page, c;
		begin(&s, &c, shaders[i].file, 1280, 800, 1);
		open_canvas(&page, 160, 40, 0);
		for (int p = 0; p < PANES; p++) {
			view_focus(&s.app.view, (enum pane)p);
			s.app.view.alone = true;
			app_draw(&s.app, &page);
			page_text(&page, text, sizeof text);
			assert_non_null(strstr(text, shaders[i].warps));
			for (const char *at = text; (at = strstr(at, "block")); at++)
				assert_memory_equal(at, "block slots", 11); /* the name of the chip's limit */
			assert_null(strstr(text, "a thread"));
			assert_true(p != PANE_occupancy || strstr(text, shaders[i].needs));
		}
		assert_true(says(&s, &c, PANE_board, shaders[i].lane));
		canvas_free(&page);
		end(&s, &c);
	}
}

static bool says(struct opened *s, const struct canvas *c, enum pane p, const char *text)
{
	struct hit h;
	view_focus(&s->app.view, p);
	s->app.view.alone = true;
	frame_draw((struct canvas *)(uintptr_t)c, &s->app.model, &s->app.view);
	for (int y = 0; y < c->h; y += 4)
		for (int x = 0; x < c->w; x += 16) {
			frame_hit(c, &s->app.model, &s->app.view, x, y, &h);
			if (strstr(h.text, text))
				return true;
		}
	return false;
}

/* Texts are on the picture as a whole, wherever the mouse is and however narrow the picture. */
static void what_is_said_is_seen(void **state)
{
	static char text[1 << 15];
	struct opened s;
	struct canvas c;
	int longest = 0;
	(void)state;
	begin(&s, &c, "histogram", 80, 24, 0);
	for (int p = 0; p < PANES; p++) {
		view_focus(&s.app.view, (enum pane)p);
		s.app.view.alone = p % 2;
		for (int at = 0; at < 80 * 24; at += 37) {
			struct hit h;
			char word[256], *rest = word, *next;
			s.app.view.mouse_x = at % 80;
			s.app.view.mouse_y = at / 80;
			frame_draw(&c, &s.app.model, &s.app.view);
			frame_hit(&c, &s.app.model, &s.app.view, at % 80, at / 80, &h);
			page_text(&c, text, sizeof text);
			longest = (int)strlen(h.text) > longest ? (int)strlen(h.text) : longest;
			snprintf(word, sizeof word, "%s", h.text);
			while ((next = strsep(&rest, " ")))
				for (const char *q = next; !(*q & 0x80); q++)
					if (!*q) {
						assert_non_null(strstr(text, next));
						break;
					}
		}
	}
	assert_true(longest > 100);
	end(&s, &c);
}

/* Instructions and lines have the heat of the other listing, for the chosen quantity. */
static void listings_have_one_heat(void **state)
{
	static const struct {
		enum heat heat;
		const char *text;
	} of[] = {{HEAT_LOST, "heat: lane slots lost"}, {HEAT_ISSUES, "heat: issues"},
		  {HEAT_STALLS, "heat: cycles stalled"}, {HEAT_AUTO, "heat: cycles stalled"}};
	static char text[1 << 15];
	struct opened s;
	struct canvas c;
	(void)state;
	begin(&s, &c, "bitonic", 100, 60, 0);
	s.app.view.alone = true;
	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		for (int source = 0; source < 2; source++) {
			view_focus(&s.app.view, source ? PANE_source : PANE_annotate);
			s.app.view.heat = of[i].heat;
			s.app.stale = true;
			app_refresh(&s.app);
			app_draw(&s.app, &c);
			page_text(&c, text, sizeof text);
			if (!strstr(text, of[i].text))
				fail_msg("expected \"%s\": %.400s", of[i].text, text);
		}
	/* In assembly a line is an instruction. */
	for (int i = 0; i < s.app.model.listing.nlines; i++) {
		const struct source_row *l = &s.app.model.listing.line[i];
		assert_true(l->instructions != 1 ||
			    l->heat == heat_value(HEAT_STALLS, &s.app.model.listing.code[l->first_insn].cost));
	}
	assert_int_equal(s.app.model.listing.most_line_heat, s.app.model.listing.most_heat);
	end(&s, &c);
}

/* Every word of the panes has a meaning under the mouse. */
static void words_are_explained(void **state)
{
	struct opened s;
	struct canvas c;
	(void)state;
	begin(&s, &c, "lock-ok", 800, 600, 1);
	for (unsigned i = 0; i < wb_stalls(); i++)
		assert_true(says(&s, &c, PANE_why, wb_stall_text((unsigned)i)));
	for (enum lane_state l = LANE_EXECUTED; l <= LANE_ABSENT; l++)
		assert_true(says(&s, &c, PANE_bill, lane_looks[l].text));
	assert_true(says(&s, &c, PANE_bill, "arrive at a join"));
	assert_true(says(&s, &c, PANE_bill, "have to sum up"));
	assert_true(says(&s, &c, PANE_occupancy, "this is the limit"));
	assert_true(says(&s, &c, PANE_occupancy, "occupancy: "));
	assert_true(says(&s, &c, PANE_stack, "the lanes that took the other way"));
	assert_true(says(&s, &c, PANE_stack, "where the lanes that part here meet again"));
	assert_true(says(&s, &c, PANE_source, " cycles waited"));
	end(&s, &c);
}

/* Two warps load with 32 passes each; the mul of the second waits for the unit, most of the time for its own load. */
static void holder_of_a_unit(void **state)
{
	static const char text[] = ".kernel two\n.chip g200\n.block 64\n.smem 0x1100\nshl $a1 $r0 0x6\n"
				   "mov b32 $r2 b32 s[$a1+0x20]\nmul $r4 u24 $r0 0x44\nexit nop\n";
	struct opened s = {.config = wb_config_new()};
	struct wb_diag d = {.text = ""};
	struct view v;
	char why[200] = "";

	(void)state;
	view_init(&v, "two");
	wb_config_set(s.config, "format", "asm", NULL);
	wb_config_set(s.config, "producers", "on", NULL);
	if (wb_program_load(text, strlen(text), "two", s.config, &s.program, &d) != WB_OK ||
	    player_open(&s.player, s.program, NULL, s.config, &d) != WB_OK ||
	    player_survey(&s.player, 1 << 16, &d) != WB_OK || player_goto(&s.player, 5, &d) != WB_OK ||
	    app_open(&s.app, &s.player, &v, &d) != WB_OK)
		fail_msg("%s", d.text);
	assert_true(timeline_why(&s.app.model, 1, why, sizeof why));
	if (!strstr(why, "w1 waits for pipe since ") || !strstr(why, ": its unit is held by mov at 0x8 (line 6)"))
		fail_msg("\"%s\"", why);
	close_kernel(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_stand_apart),
		cmocka_unit_test(faults_are_found),
		cmocka_unit_test(counts_of_millions_stand_apart),
		cmocka_unit_test(few_rows_have_fewer_panes),
		cmocka_unit_test(too_small_says_so),
		cmocka_unit_test(words_are_explained),
		cmocka_unit_test(listings_have_one_heat),
		cmocka_unit_test(what_is_said_is_seen),
		cmocka_unit_test(waves_have_their_own_terms),
		cmocka_unit_test(shaders_have_their_own_terms),
		cmocka_unit_test(holder_of_a_unit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
