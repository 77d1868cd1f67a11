/* Walking: n steps forwards and n back show the same picture, breakpoints and commands do as documented. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/app.h"
#include "frontends/view/pane.h"
#include "tests/random/generate.h"
#include "tests/kit/cmocka_all.h"
#include "tests/kit/sample.h"

static const char *const kernels[] = {"nested",   "loop-varying", "lock-ok", "barrier-in-divergence",
				      "call-ret", "collatz"};

enum { KERNELS = sizeof kernels / sizeof *kernels, WALK = 60, TRIES = 12 };

struct walk {
	struct wb_config *config;
	struct wb_program *program;
	struct player player;
	struct app app;
	struct canvas canvas;
};

static void show(struct walk *w, const char *name)
{
	struct view v;
	struct wb_diag d = {.text = ""};
	view_init(&v, name);
	if (player_open(&w->player, w->program, NULL, w->config, &d) != WB_OK ||
	    app_open(&w->app, &w->player, &v, &d) != WB_OK)
		fail_msg("%s: %s", name, d.text);
	assert_true(canvas_pixels(&w->canvas, 800, 500, 1, &themes[0]));
}

static void begin(struct walk *w, const char *kernel)
{
	char path[512];
	struct wb_diag d = {.text = ""};
	const char *root = getenv("WB_EXAMPLES");
	snprintf(path, sizeof path, "%s/%s%s", root ? root : "examples", kernel, strchr(kernel, '.') ? "" : ".s");
	*w = (struct walk){.config = wb_config_new()};
	if (wb_program_open(path, w->config, &w->program, &d) != WB_OK)
		fail_msg("%s: %s", kernel, d.text);
	show(w, kernel);
}

static void begin_random(struct walk *w, uint64_t seed)
{
	static char text[1 << 16];
	static const char *const options[][2] = {{"format", "asm"}, {"block", "96"}, {"grid", "3"}, {"mps", "2"},
						 {"global", "0:zero=4096"}};
	struct wb_diag d = {.text = ""};
	size_t n = generate_program(seed, text, sizeof text);
	*w = (struct walk){.config = wb_config_new()};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		wb_config_set(w->config, options[i][0], options[i][1], NULL);
	wb_config_set(w->config, "diverge", seed % 2 ? "random" : "taken", NULL);
	if (wb_program_load(text, n, "random", w->config, &w->program, &d) != WB_OK)
		fail_msg("seed %d: %s", (int)seed, d.text);
	show(w, "random");
}

static void end(struct walk *w)
{
	canvas_free(&w->canvas);
	app_close(&w->app);
	player_close(&w->player);
	wb_program_free(w->program);
	wb_config_free(w->config);
}

static uint64_t seen(struct walk *w)
{
	app_draw(&w->app, &w->canvas);
	return canvas_hash(&w->canvas);
}

static void back_shows_the_same(void **state)
{
	struct wb_diag d;
	(void)state;
	srand(1);
	for (int k = 0; k < KERNELS; k++) {
		struct walk w;
		uint64_t picture[WALK], machine[WALK], issue[WALK];
		int n = 0;
		begin(&w, kernels[k]);
		assert_int_equal(player_survey(&w.player, 1 << 16, &d), WB_OK);
		for (; n < WALK && !w.player.where.over; n++) {
			issue[n] = w.player.where.issue;
			picture[n] = seen(&w);
			machine[n] = wb_launch_state_hash(w.player.launch);
			app_key(&w.app, "n");
		}
		for (int i = 0; i < TRIES; i++) {
			int to = rand() % n;
			assert_int_equal(player_goto(&w.player, issue[to], &d), WB_OK);
			assert_int_equal(wb_launch_state_hash(w.player.launch), machine[to]);
			assert_int_equal(seen(&w), picture[to]);
		}
		assert_int_equal(player_goto(&w.player, issue[n - 1], &d), WB_OK);
		for (int at = n - 1; at > 0; at--) {
			app_key(&w.app, "p");
			assert_int_equal(w.player.where.issue, issue[at - 1]);
			assert_int_equal(seen(&w), picture[at - 1]);
		}
		end(&w);
	}
}

/* With several multiprocessors a view stays with the shown one: its cycles ascend, descend backwards, and another
 * multiprocessor is shown at the same cycle. */
static void cycles_ascend(void **state)
{
	enum { STEPS = 150 };
	static const char *const keys[][2] = {{"n", "p"}, {"]", "["}, {"d", "D"}};
	struct walk w;
	struct wb_diag d;
	(void)state;
	begin(&w, "collatz");
	assert_int_equal(player_survey(&w.player, 1 << 16, &d), WB_OK);
	for (int mp = 0; mp < 4; mp += 3)
		for (int k = 0; k < 3; k++)
			for (int back = 0; back < 2; back++) {
				char line[16];
				snprintf(line, sizeof line, "mp %d", mp);
				app_command(&w.app, line);
				app_command(&w.app, back ? "goto 2400" : "goto 400");
				uint64_t cycle = w.player.where.last.cycle, issue;
				for (int i = 0; i < (k == 2 ? STEPS / 20 : STEPS); i++) {
					issue = w.player.where.issue;
					app_key(&w.app, keys[k][back]);
					app_refresh(&w.app);
					if (strstr(w.app.view.message, "nothing earlier"))
						break;
					assert_int_equal(w.player.where.last.mp, mp);
					assert_true(back ? w.app.model.mp.cycle <= cycle
							 : w.app.model.mp.cycle >= cycle);
					assert_true(back ? w.player.where.issue < issue : w.player.where.issue > issue);
					cycle = w.app.model.mp.cycle;
				}
			}
	app_command(&w.app, "goto 2000");
	uint64_t cycle = w.app.player->where.last.cycle;
	for (int mp = 0; mp < 9; mp++) {
		app_key(&w.app, "m");
		app_refresh(&w.app);
		assert_int_equal(w.app.model.mp.number, mp % 4);
		assert_in_range(w.app.model.mp.cycle, cycle - 200, cycle);
	}
	end(&w);
}

/* Pictures cover the pixels' former contents, in each arrangement of the panes: a window's pixels are not its own. */
static void a_picture_covers_what_was_there(void **state)
{
	static const int sizes[][3] = {{801, 503, 1}, {1280, 800, 1}, {2563, 1441, 2}};
	(void)state;
	for (int s = 0; s < 3; s++)
		for (int alone = 0; alone < 1 + PANES; alone++) {
			struct walk w;
			uint64_t hash[2];
			int across = sizes[s][0], down = sizes[s][1], scale = sizes[s][2];
			size_t pixels = (size_t)across * down;
			uint32_t *pixel = malloc(pixels * sizeof *pixel);
			begin(&w, "nested");
			if (alone) {
				view_focus(&w.app.view, (enum pane)(alone - 1));
				w.app.view.alone = true;
			}
			struct canvas c;
			for (int pass = 0; pass < 2; pass++) {
				memset(pixel, pass ? 0xa5 : 0, pixels * sizeof *pixel);
				assert_true(canvas_onto(&c, pixel, across, across - across % scale, down, scale,
							&themes[0]));
				app_draw(&w.app, &c);
				hash[pass] = canvas_hash(&c);
			}
			if (hash[0] != hash[1])
				fail_msg("%dx%d, pane %d alone: pixels are left over", across, down, alone - 1);
			free(pixel);
			end(&w);
		}
}

/* From any direction a position is one state and one picture: n issues on, n back, jumps both ways. */
static void random_programs_look_the_same_both_ways(void **state)
{
	enum { PROGRAMS = 30, MOVES = 30, NEAR = 2048 };
	static const char *const jumps[] = {"d", "D", "j", "J", "N", "P"};
	(void)state;
	srand(7);
	for (uint64_t seed = 1; seed <= sample_of(PROGRAMS); seed++) {
		struct walk w;
		struct wb_diag d;
		static uint64_t picture[NEAR], machine[NEAR];
		memset(machine, 0, sizeof machine);
		begin_random(&w, seed);
		assert_int_equal(player_survey(&w.player, 1 << 16, &d), WB_OK);
		for (int i = 0; i < MOVES; i++) {
			int n = i % 3 == 2 ? 1 : rand() % 40 + 1;
			const char *key = i % 3 == 2 ? jumps[rand() % 6] : i % 3 ? "p" : "n";
			while (n-- > 0 && w.player.where.issue < NEAR - 1)
				app_key(&w.app, key);
			app_key(&w.app, "Esc"); /* the message about a move is no part of the position */
			uint64_t here = w.player.where.issue, hash = wb_launch_state_hash(w.player.launch);
			uint64_t looks = seen(&w);
			if (here >= NEAR)
				break;
			if (machine[here] && (machine[here] != hash || picture[here] != looks))
				fail_msg("seed %d, issue %d after %s: %s differs", (int)seed, (int)here, key,
					 machine[here] == hash ? "the picture" : "the machine");
			machine[here] = hash;
			picture[here] = looks;
		}
		end(&w);
	}
}

static void divergence_both_ways(void **state)
{
	struct walk w;
	(void)state;
	begin(&w, "nested");
	app_key(&w.app, "d");
	uint64_t first = w.player.where.issue;
	assert_true(w.player.where.last.flow & WB_FLOW_DIVERGED);
	app_key(&w.app, "d");
	assert_true(w.player.where.issue > first);
	app_key(&w.app, "D");
	assert_int_equal(w.player.where.issue, first);
	app_key(&w.app, "j");
	assert_true(w.player.where.last.flow & (WB_FLOW_REJOIN | WB_FLOW_MERGED));
	end(&w);
}

/* With the whole run recorded, divergences are found in the record: the same as by running. */
static void the_record_knows_divergences(void **state)
{
	static const char *const names[] = {"nested", "collatz", "loop-varying"};
	(void)state;
	for (int k = 0; k < 3; k++) {
		struct walk known, run;
		struct wb_diag d;
		begin(&known, names[k]);
		begin(&run, names[k]);
		assert_int_equal(player_survey(&known.player, 1 << 16, &d), WB_OK);
		assert_true(known.player.whole.known && !run.player.whole.known);
		for (int i = 0; i < 24; i++) {
			const char *key = i % 4 == 3 ? "D" : "d";
			app_key(&known.app, key);
			app_key(&run.app, key);
			app_refresh(&run.app);
			assert_int_equal(known.player.where.issue, run.player.where.issue);
			assert_int_equal(known.player.where.over, run.player.where.over);
			assert_string_equal(known.app.view.message, run.app.view.message);
		}
		end(&run);
		end(&known);
	}
}

/* A key that searches forwards finds its target again backwards, and its sister key undoes the search. */
static void searches_go_both_ways(void **state)
{
	static const struct {
		const char *kernel, *there, *back, *first;
	} searches[] = {{"nested", "d", "D", ""},          {"nested", "j", "J", ""},
			{"barrier", "s", "S", ""},         {"lock-ok", "l", "L", ""},
			{"loop-varying", "e", "E", "break loop"}, {"loop-varying", "u", "U", "search loop"},
			{"nested", "N", "P", ""}};
	(void)state;
	for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
		struct walk w;
		uint64_t found[64] = {0};
		int n = 0;
		begin(&w, searches[i].kernel);
		if (*searches[i].first)
			app_command(&w.app, searches[i].first);
		do { /* the last search stays */
			found[n] = w.player.where.issue;
			seen(&w);
			app_key(&w.app, searches[i].there);
		} while (w.player.where.issue != found[n] && ++n < 64);
		if (!n)
			fail_msg("%s finds nothing in %s", searches[i].there, searches[i].kernel);
		while (--n > 0) {
			app_key(&w.app, searches[i].back);
			seen(&w);
			if (w.player.where.issue != found[n])
				fail_msg("%s in %s: back at %d, expected %d", searches[i].back, searches[i].kernel,
					 (int)w.player.where.issue, (int)found[n]);
		}
		end(&w);
	}
}

static void conditions_go_both_ways(void **state)
{
	struct walk w;
	(void)state;
	begin(&w, "nested");
	app_command(&w.app, "step if w0.depth>2");
	uint64_t deep = w.player.where.issue;
	app_command(&w.app, "end");
	app_command(&w.app, "back if w0.depth>2");
	assert_true(w.player.where.issue >= deep && !w.player.where.over);
	app_command(&w.app, "back if w0.depth==77");
	assert_non_null(strstr(w.app.view.message, "nothing earlier"));
	assert_true(w.player.where.issue >= deep);
	app_command(&w.app, "step break");
	assert_non_null(strstr(w.app.view.message, "no breakpoints"));
	app_command(&w.app, "back if ");
	assert_non_null(strstr(w.app.view.message, "CONDITION"));
	app_command(&w.app, "end");
	app_command(&w.app, "goto odd"); /* behind the position: found backwards */
	seen(&w);
	assert_string_equal(model_label(&w.app.model, w.app.model.selected->pc), "odd");
	end(&w);
}

static void commands_say_what_is_wrong(void **state)
{
	struct walk w;
	(void)state;
	begin(&w, "nested");
	app_command(&w.app, "stp");
	assert_non_null(strstr(w.app.view.message, "stp"));
	app_command(&w.app, "step sideways");
	assert_non_null(strstr(w.app.view.message, "sideways"));
	app_command(&w.app, "goto nowhere");
	assert_non_null(strstr(w.app.view.message, "nowhere"));
	app_command(&w.app, "theme green");
	assert_non_null(strstr(w.app.view.message, "green"));
	end(&w);
}

static void places_and_conditions(void **state)
{
	struct walk w;
	(void)state;
	begin(&w, "nested");
	app_command(&w.app, "goto odd");
	seen(&w);
	assert_string_equal(model_label(&w.app.model, w.app.model.selected->pc), "odd");
	app_command(&w.app, "start");
	assert_int_equal(w.player.where.issue, 0);
	app_command(&w.app, "step if w0.depth>2");
	seen(&w);
	assert_string_equal(w.app.view.message, "");
	assert_int_equal(w.app.model.selected->depth, 3);
	app_command(&w.app, "start");
	app_command(&w.app, "break even_join");
	app_command(&w.app, "end");
	assert_non_null(strstr(w.app.view.message, "breakpoint"));
	app_command(&w.app, "break even_join");
	app_command(&w.app, "end");
	assert_true(w.player.where.over);
	end(&w);
}

static void type(struct walk *w, const char *text)
{
	for (; *text; text++)
		app_key(&w->app, (char[]){*text, '\0'});
}

static void command_line_completes_and_remembers(void **state)
{
	struct walk w;
	(void)state;
	begin(&w, "nested");
	type(&w, ":th");
	app_key(&w.app, "Tab");
	assert_string_equal(w.app.prompt, ":theme ");
	type(&w, "pr");
	app_key(&w.app, "Tab");
	assert_string_equal(w.app.prompt, ":theme print ");
	app_key(&w.app, "Backspace");
	app_key(&w.app, "Enter");
	assert_string_equal(themes[w.app.view.theme].name, "print");
	type(&w, ":");
	app_key(&w.app, "Up");
	assert_string_equal(w.app.prompt, ":theme print");
	app_key(&w.app, "Down");
	assert_string_equal(w.app.prompt, ":");
	app_key(&w.app, "Esc");
	assert_string_equal(w.app.prompt, "");
	end(&w);
}

/* A place where the mouse's target fits, from the left or from the right; false: none. */
static bool find_hit(struct walk *w, bool (*fits)(const struct hit *h, int what), int what, bool right, int *x, int *y)
{
	struct hit h;
	for (int i = 0; i < w->canvas.w; i += 2)
		for (*y = 0; *y < w->canvas.h; *y += 3) {
			*x = right ? w->canvas.w - 1 - i : i;
			frame_hit(&w->canvas, &w->app.model, &w->app.view, *x, *y, &h);
			if (fits(&h, what))
				return true;
		}
	return false;
}

static bool hits_pane(const struct hit *h, int pane)
{
	return h->pane == (enum pane)pane;
}

static bool hits_cycle(const struct hit *h, int unused)
{
	(void)unused;
	return h->cycle >= 0;
}

static bool hits_lane(const struct hit *h, int unused)
{
	(void)unused;
	return strstr(h->text, " lane ") != NULL;
}

static void the_mouse_reaches_every_pane(void **state)
{
	struct walk w;
	int x = 0, y = 0;
	(void)state;
	begin(&w, "nested");
	app_key(&w.app, "d");
	seen(&w);
	for (int pane = 0; pane < PANES; pane++) {
		if (!find_hit(&w, hits_pane, pane, false, &x, &y))
			fail_msg("no place belongs to the pane %s", pane_name((enum pane)pane));
		app_press(&w.app, &w.canvas, x, y);
		app_release(&w.app, &w.canvas, x, y);
		assert_int_equal(w.app.view.focus, pane);
		seen(&w);
	}
	assert_true(find_hit(&w, hits_lane, 0, false, &x, &y));
	end(&w);
}

static void a_drag_measures_and_a_click_goes_there(void **state)
{
	struct walk w;
	struct wb_diag d;
	int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
	long long cycles, from, to;
	(void)state;
	begin(&w, "nested");
	assert_int_equal(player_survey(&w.player, 1 << 16, &d), WB_OK);
	seen(&w);
	assert_true(find_hit(&w, hits_cycle, 0, false, &x0, &y0) && find_hit(&w, hits_cycle, 0, true, &x1, &y1));
	app_press(&w.app, &w.canvas, x0, y0);
	app_point(&w.app, &w.canvas, (x0 + x1) / 2, y0);
	uint64_t drawn = seen(&w);
	app_point(&w.app, &w.canvas, x1, y1);
	assert_true(seen(&w) != drawn); /* the span is drawn while growing */
	app_release(&w.app, &w.canvas, x1, y1);
	assert_int_equal(sscanf(w.app.view.message, "%lld cycles, from %lld to %lld", &cycles, &from, &to), 3);
	assert_true(cycles == to - from && cycles > 100);
	app_press(&w.app, &w.canvas, (x0 + x1) / 2, y1);
	app_release(&w.app, &w.canvas, (x0 + x1) / 2, y1);
	assert_in_range(w.player.where.last.cycle, from + cycles / 2 - 4, to);
	end(&w);
}

static unsigned pixels_of(struct walk *w, enum role role)
{
	unsigned n = 0;
	seen(w);
	for (int i = 0; i < w->canvas.w * w->canvas.h; i++)
		n += w->canvas.pixel[i] == canvas_role(&w->canvas, role);
	return n;
}

/* The sentence names the machine's last action. */
static void sentences_say_what_happened(void **state)
{
	static const struct {
		const char *kernel, *command, *says;
	} steps[] = {
		{"nested", "step divergence", "16 of 32 lanes jump to 0x58 (odd); the other 16 are pushed (branch, "},
		{"nested", "step rejoin", "wait here"},
		{"barrier", "step barrier", "it is the last to arrive, so all go on"},
		{"bank-conflict", "until pc == 0x48", "s[] serves the half-warps in 32 passes instead of 2"},
		{"coalesce", "until pc == 0x40", "g14[] moves 256 bytes in 2 transactions"},
		{"nested", "end", "the warp has ended, and its block with it"},
		{"lock-ok", "end", "exit at 0x60"},
		{"lights.vsh", "step divergence", "lanes fall through to 0x1c; the other 4 are pushed (path, pc 0x20)"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		struct walk w;
		char text[512];
		begin(&w, steps[i].kernel);
		app_command(&w.app, steps[i].command);
		seen(&w);
		explain_text(text, sizeof text, &w.app.model);
		if (!strstr(text, steps[i].says))
			fail_msg("%s, %s: \"%s\"", steps[i].kernel, steps[i].command, text);
		end(&w);
	}
}

/* A search without a hit stays where it began and says so. */
static void a_search_without_a_hit_stays(void **state)
{
	static const char *const searches[] = {"step divergence", "step lock", "until pc == 0x4"};
	struct walk w;
	(void)state;
	begin(&w, "nested");
	for (unsigned i = 0; i < 3; i++)
		app_command(&w.app, "step divergence");
	uint64_t here = w.app.player->where.issue;
	for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
		app_command(&w.app, searches[i]);
		assert_string_equal(w.app.view.message, "none from here on");
		assert_int_equal(w.app.player->where.issue, here);
		assert_false(w.app.player->where.over);
	}
	end(&w);
}

/* Lanes that break out of a branch in a loop wait at the loop's end, whatever is on the stack above. */
static void a_break_names_its_target(void **state)
{
	static const char text[] = ".kernel f\n.block 32\n"
				   "mov b32 $r2 0x1\n"
				   "breakaddr #out\n"
				   "again:\n"
				   "joinat #meet\n"
				   "and b32 $c0 # $r0 $r2\n"
				   "(lg $c0) bra #odd\n"
				   "bra #meet\n"
				   "odd:\n"
				   "set $c1 # e u32 $r2 $r0\n"
				   "(lg $c1) break\n"
				   "meet:\n"
				   "join (never) nop\n"
				   "out:\n"
				   "exit nop\n";
	struct walk w = {.config = wb_config_new()};
	struct wb_diag d = {.text = ""};
	char said[512];
	(void)state;
	wb_config_set(w.config, "format", "asm", NULL);
	if (wb_program_load(text, sizeof text - 1, "f", w.config, &w.program, &d) != WB_OK)
		fail_msg("%s", d.text);
	show(&w, "f");
	app_key(&w.app, "d");
	app_key(&w.app, "d");
	seen(&w);
	explain_text(said, sizeof said, &w.app.model);
	if (!strstr(said, "1 of 16 lanes breaks and waits for the others at ") ||
	    !strstr(said, " (out); 15 go"))
		fail_msg("\"%s\"", said);
	end(&w);
}

/* Registers of an instruction are watched, but not a memory, c1[0x0], as if $c1. */
static void watches_are_registers(void **state)
{
	struct walk w;
	(void)state;
	begin(&w, "collatz");
	app_command(&w.app, "until pc == 0x18");
	seen(&w);
	for (unsigned i = 0; i < w.app.model.watch.n; i++)
		assert_int_equal(w.app.model.watch.entry[i].row.name[0], '$');
	assert_true(w.app.model.watch.n > 1);
	end(&w);
}

static void multiprocessors_are_shown_one_by_one(void **state)
{
	struct walk w;
	(void)state;
	begin(&w, "matmul");
	app_command(&w.app, "step if $r8 != 0");
	for (int mp = 0; mp < 4; mp++) {
		char line[16];
		snprintf(line, sizeof line, "mp %d", mp);
		app_command(&w.app, line);
		seen(&w);
		assert_int_equal(w.app.model.mp.number, mp);
		assert_int_equal(w.app.model.mp.npresent, 8);
		for (unsigned i = 0; i < w.app.model.mp.nslots; i++)
			assert_true(!w.app.model.mp.present[i] || w.app.model.mp.warp[i].mp == (unsigned)mp);
		assert_int_equal(w.app.model.selected->mp, mp);
	}
	app_key(&w.app, "m");
	assert_int_equal(w.app.view.mp, 0);
	app_key(&w.app, "M");
	assert_int_equal(w.app.view.mp, 3);
	app_command(&w.app, "mp 4");
	assert_non_null(strstr(w.app.view.message, "0 to 3"));
	app_command(&w.app, "mp two");
	assert_non_null(strstr(w.app.view.message, "'two'"));
	assert_int_equal(w.app.view.mp, 3);
	end(&w);
}

/* Each multiprocessor has its own order in the record, by ascending cycles, and `goto` reaches its cycles. */
static void each_multiprocessor_has_its_time(void **state)
{
	enum { CYCLE = 2000 };
	struct walk w;
	struct wb_diag d;
	(void)state;
	begin(&w, "collatz");
	assert_int_equal(player_survey(&w.player, 1 << 16, &d), WB_OK);
	const struct record *r = &w.player.record;
	uint64_t all = 0;
	for (unsigned mp = 0; mp < 4; mp++) {
		char line[16];
		for (uint64_t k = 0; k < r->mp[mp].n; k++) {
			assert_int_equal(record_mp_at(r, mp, k)->mp, mp);
			assert_true(!k || record_mp_at(r, mp, k)->cycle >= record_mp_at(r, mp, k - 1)->cycle);
		}
		all += r->mp[mp].n;
		snprintf(line, sizeof line, "mp %u", mp);
		app_command(&w.app, line);
		app_command(&w.app, "goto 2000");
		uint64_t k = record_mp_before(r, mp, w.player.where.issue);
		assert_int_equal(w.player.where.last.mp, mp);
		assert_true(w.player.where.last.cycle >= CYCLE && record_mp_at(r, mp, k - 2)->cycle < CYCLE);
		app_command(&w.app, "state wb1:zoom=1");
		seen(&w);
		assert_int_equal(w.app.model.mp.cycle, w.player.where.last.cycle);
	}
	assert_int_equal(all, r->n);
	end(&w);
}

/* A selected row of the listing lights its issues in the timeline. */
static void a_selection_is_shared(void **state)
{
	struct walk w;
	struct wb_diag d;
	(void)state;
	begin(&w, "nested");
	assert_int_equal(player_survey(&w.player, 1 << 16, &d), WB_OK);
	app_command(&w.app, "pane timeline");
	app_command(&w.app, "alone");
	app_command(&w.app, "close");
	unsigned plain = pixels_of(&w, ROLE_ACCENT);
	app_command(&w.app, "search even_join");
	app_command(&w.app, "pane timeline");
	app_command(&w.app, "close");
	assert_true(pixels_of(&w, ROLE_ACCENT) > plain);
	app_command(&w.app, "follow");
	assert_int_equal(pixels_of(&w, ROLE_ACCENT), plain);
	end(&w);
}

/* Each of the states, obeyed in turn, is the state then. */
static void leads_back(struct walk *w, const char *const *states, size_t n)
{
	char again[512], command[600];
	for (size_t i = 0; i < n; i++) {
		snprintf(command, sizeof command, "state %s", states[i]);
		app_command(&w->app, command);
		assert_string_equal(w->app.view.message, "");
		seen(w);
		state_format(again, sizeof again, &w->app.model, &w->app.view);
		assert_string_equal(again, states[i]);
	}
}

/* A state string leads back to its view from any other, however long the string is. */
static void a_state_string_is_whole(void **state)
{
	struct walk w;
	char plain[512], full[512];
	(void)state;
	begin(&w, "nested");
	seen(&w);
	state_format(plain, sizeof plain, &w.app.model, &w.app.view);
	static const char *const commands[] = {"pane stack", "pane bill", "alone", "zoom in", "colour pc",
					       "heat issues", "step", "warp next", "watch s[0x10] x", "watch s[0x14] f",
					       "watch s[0x18] x", "watch s[0x1c] d", "watch s[0x20] x",
					       "watch s[0x24] x", "watch s[0x28] x", "watch $r1 x"};
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		app_command(&w.app, commands[i]);
	seen(&w);
	state_format(full, sizeof full, &w.app.model, &w.app.view);
	assert_true(strlen(full) > 210);
	leads_back(&w, (const char *const[]){plain, full, full, plain}, 4);
	end(&w);
	/* A turn without an issue, at which warp 1 waits for a lock. */
	begin(&w, "lock-ok");
	app_command(&w.app, "state wb1:i=512;pc=0x8");
	app_command(&w.app, "back cursor");
	seen(&w);
	assert_false(w.player.where.last.issued);
	state_format(full, sizeof full, &w.app.model, &w.app.view);
	leads_back(&w, (const char *const[]){"wb1:k=lock_ok;c=4860;i=499;pane=board;theme=dark", full}, 2);
	end(&w);
}

static void bookmarks_and_speed(void **state)
{
	struct walk w;
	struct wb_diag d;
	(void)state;
	begin(&w, "nested");
	assert_int_equal(player_survey(&w.player, 1 << 16, &d), WB_OK);
	uint64_t plain = seen(&w);
	app_key(&w.app, "k");
	app_key(&w.app, "Esc");
	assert_true(seen(&w) != plain); /* the bookmark stands on the axis */
	app_command(&w.app, "step");
	app_command(&w.app, "step");
	app_key(&w.app, "k");
	app_key(&w.app, "'");
	assert_int_equal(w.player.where.issue, 0);
	app_key(&w.app, "'");
	assert_int_equal(w.player.where.issue, 2);
	for (int i = 0; i < 8; i++)
		app_key(&w.app, "<");
	assert_int_equal(w.app.view.speed, 1);
	app_key(&w.app, "Space");
	app_tick(&w.app, 0.5);
	assert_int_equal(w.player.where.issue, 2);
	app_tick(&w.app, 0.5);
	assert_int_equal(w.player.where.issue, 3);
	for (int i = 0; i < 8; i++)
		app_key(&w.app, ">");
	assert_int_equal(w.app.view.speed, 0);
	app_tick(&w.app, 0.01);
	assert_true(w.player.where.over && !w.app.view.running);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(back_shows_the_same),
		cmocka_unit_test(random_programs_look_the_same_both_ways),
		cmocka_unit_test(cycles_ascend),
		cmocka_unit_test(a_picture_covers_what_was_there),
		cmocka_unit_test(divergence_both_ways),
		cmocka_unit_test(the_record_knows_divergences),
		cmocka_unit_test(searches_go_both_ways),
		cmocka_unit_test(conditions_go_both_ways),
		cmocka_unit_test(commands_say_what_is_wrong),
		cmocka_unit_test(places_and_conditions),
		cmocka_unit_test(command_line_completes_and_remembers),
		cmocka_unit_test(the_mouse_reaches_every_pane),
		cmocka_unit_test(a_drag_measures_and_a_click_goes_there),
		cmocka_unit_test(a_selection_is_shared),
		cmocka_unit_test(sentences_say_what_happened), cmocka_unit_test(a_search_without_a_hit_stays),
		cmocka_unit_test(a_break_names_its_target),
		cmocka_unit_test(watches_are_registers),
		cmocka_unit_test(each_multiprocessor_has_its_time),
		cmocka_unit_test(multiprocessors_are_shown_one_by_one),
		cmocka_unit_test(a_state_string_is_whole),
		cmocka_unit_test(bookmarks_and_speed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
