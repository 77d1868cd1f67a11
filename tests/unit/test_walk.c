/* Walking: forwards n and back n shows the same picture, breakpoints and commands do what they say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/app.h"
#include "tests/unit/cmocka_all.h"

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

static void begin(struct walk *w, const char *kernel)
{
	char path[512];
	struct view v;
	struct wb_diag d = {.text = ""};
	const char *root = getenv("WB_EXAMPLES");
	snprintf(path, sizeof path, "%s/%s.s", root ? root : "examples", kernel);
	*w = (struct walk){.config = wb_config_new()};
	view_init(&v, kernel);
	if (wb_program_open(path, w->config, &w->program, &d) != WB_OK ||
	    player_open(&w->player, w->program, NULL, w->config, &d) != WB_OK ||
	    app_open(&w->app, &w->player, &v, &d) != WB_OK)
		fail_msg("%s: %s", kernel, d.text);
	assert_true(canvas_pixels(&w->canvas, 800, 500, 1, &themes[0]));
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
		uint64_t picture[WALK], machine[WALK];
		int n = 0;
		begin(&w, kernels[k]);
		assert_int_equal(player_survey(&w.player, 1 << 16, &d), WB_OK);
		for (; n < WALK && !w.player.at.over; n++) {
			picture[n] = seen(&w);
			machine[n] = wb_launch_state_hash(w.player.launch);
			app_key(&w.app, "n");
		}
		for (int i = 0; i < TRIES; i++) {
			int to = rand() % n;
			assert_int_equal(player_goto(&w.player, (uint64_t)to, &d), WB_OK);
			assert_int_equal(wb_launch_state_hash(w.player.launch), machine[to]);
			assert_int_equal(seen(&w), picture[to]);
		}
		for (int at = (int)w.player.at.issue; at > 0; at--) {
			app_key(&w.app, "p");
			assert_int_equal(w.player.at.issue, at - 1);
			assert_int_equal(seen(&w), picture[at - 1]);
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
	uint64_t first = w.player.at.issue;
	assert_true(w.player.at.last.flow & WB_FLOW_DIVERGED);
	app_key(&w.app, "d");
	assert_true(w.player.at.issue > first);
	app_key(&w.app, "D");
	assert_int_equal(w.player.at.issue, first);
	app_key(&w.app, "j");
	assert_true(w.player.at.last.flow & (WB_FLOW_REJOIN | WB_FLOW_MERGED));
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
	assert_int_equal(w.player.at.issue, 0);
	app_command(&w.app, "until w0.depth>2");
	seen(&w);
	assert_string_equal(w.app.view.message, "");
	assert_int_equal(w.app.model.selected->depth, 3);
	app_command(&w.app, "start");
	app_command(&w.app, "break even_join");
	app_command(&w.app, "end");
	assert_non_null(strstr(w.app.view.message, "breakpoint"));
	app_command(&w.app, "break even_join");
	app_command(&w.app, "end");
	assert_true(w.player.at.over);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(back_shows_the_same),
		cmocka_unit_test(divergence_both_ways),
		cmocka_unit_test(commands_say_what_is_wrong),
		cmocka_unit_test(places_and_conditions),
		cmocka_unit_test(command_line_completes_and_remembers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
