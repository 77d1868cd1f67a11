/* A bundled kernel in the views, as a window has it: player, model and view. */
#ifndef WB_TESTS_UNIT_OPENED_H
#define WB_TESTS_UNIT_OPENED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/app.h"
#include "tests/kit/cmocka_all.h"

struct opened {
	struct wb_config *config;
	struct wb_program *program;
	struct player player;
	struct app app;
};

/* A player at the start of a kernel, of which so many issues are surveyed. kernel: an example's name, or its file's if
 * that is no .s. */
static inline void play_kernel(struct player *player, struct wb_program **program, const struct wb_config *config,
			       const char *kernel, unsigned survey)
{
	char path[512];
	struct wb_diag d = {.text = ""};
	const char *root = getenv("WB_EXAMPLES");
	snprintf(path, sizeof path, "%s/%s%s", root ? root : "examples", kernel, strchr(kernel, '.') ? "" : ".s");
	if (wb_program_open(path, config, program, &d) != WB_OK ||
	    player_open(player, *program, NULL, config, &d) != WB_OK || player_survey(player, survey, &d) != WB_OK)
		fail_msg("%s: %s", kernel, d.text);
}

/* The same in a view. interesting: not at the end of what was surveyed, but at the first divergence. */
static inline void open_kernel(struct opened *o, const char *kernel, unsigned survey, bool interesting)
{
	struct wb_diag d = {.text = ""};
	struct view v;
	view_init(&v, kernel);
	*o = (struct opened){.config = wb_config_new()};
	play_kernel(&o->player, &o->program, o->config, kernel, survey);
	if ((interesting && player_goto(&o->player, player_interesting(&o->player), &d) != WB_OK) ||
	    app_open(&o->app, &o->player, &v, &d) != WB_OK)
		fail_msg("%s: %s", kernel, d.text);
}

static inline void close_kernel(struct opened *o)
{
	app_close(&o->app);
	player_close(&o->player);
	wb_program_free(o->program);
	wb_config_free(o->config);
}

#endif
