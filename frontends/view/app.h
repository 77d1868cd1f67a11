/* A view to walk through a launch: keys and commands, shared by window and terminal. */
#ifndef WB_FRONTENDS_VIEW_APP_H
#define WB_FRONTENDS_VIEW_APP_H

#include "frontends/view/view.h"

enum { MARKS = 16, HISTORY = 32, LINE = 200 };

struct app {
	struct player *player;
	struct model model;
	struct view view;
	uint64_t mark[MARKS];
	unsigned nmarks;
	char prompt[1 + LINE]; /* ':' and the typed text; "": closed */
	char history[HISTORY][LINE];
	unsigned nhistory, recalled; /* recalled: steps of Up in the history */
	double owed;                 /* steps due in a run at a speed */
	int64_t ranked_pc;           /* selection by the last `stalled` or `hottest`; another one begins them anew */
	bool dirty, quit;
	struct canvas drawn; /* the sizes of the last picture; w is 0 before the first */
	/* Position reached by going through the multiprocessors, and the cycle of the shown multiprocessor. */
	uint64_t mp_issue, mp_cycle;
	struct model *other; /* model of the run to compare with; NULL: none. Borrowed */
	uint64_t events; /* recorded events at the last reading of the model */
	bool stale;      /* the machine or the view has changed since the last reading of the model */
	bool closed; /* the window was closed: the gallery ends, too */
	/* Whether the file of the picture has changed; NULL: not watched. reload: changed. */
	bool (*changed)(void *file);
	void *file;
	bool reload;
	/* Services of the front end; may be NULL. copy: put a text on the clipboard. */
	void *host;
	bool (*copy)(void *host, const char *text);
};

/* Borrow a player at any position; the view is copied. app_close leaves the player. */
enum wb_status app_open(struct app *a, struct player *p, const struct view *v, struct wb_diag *d);
void app_close(struct app *a);
/* Go on with another player, in the same view. */
enum wb_status app_show(struct app *a, struct player *p, struct wb_diag *d);

/* A key by its name in keys.def; typed characters come as themselves. */
void app_key(struct app *a, const char *key);
/* Run a line typed behind ':'. The answer or error goes to view.message. */
void app_command(struct app *a, const char *line);
/* Let time pass: a run goes on. */
void app_tick(struct app *a, double seconds);
/* The mouse, in units of the canvas. */
void app_point(struct app *a, const struct canvas *c, int x, int y);
void app_press(struct app *a, const struct canvas *c, int x, int y);
void app_release(struct app *a, const struct canvas *c, int x, int y);
/* Rows up (negative) or down in the pane at a point, which need not have the focus. */
void app_wheel(struct app *a, const struct canvas *c, int x, int y, int rows);
/* Read the machine if anything has moved, and draw. */
void app_draw(struct app *a, struct canvas *c);

/* ---- between app.c and command.c ---- */

/* Count steps of the shown multiprocessor while it has warps: its cycles ascend. */
void app_own(const struct app *a, struct wb_goal *g);
/* Read the machine again if needed: commands that come faster than pictures see the effects of earlier commands. */
void app_refresh(struct app *a);
void app_message(struct app *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void app_message_break(struct app *a); /* message for the breakpoint of the latest stop */
/* Select a thread of the map, the dearest of the cell some columns and rows away; go to the warp of the selected
 * thread. */
void app_map_move(struct app *a, int columns, int rows);
/* thread: number + 1; 0: none was hit. */
void app_map_press(struct app *a, uint64_t thread);
void app_map_command(struct app *a, const char *argument);
/* The index-th command's name and arguments; NULL past the end. */
const char *command_name(unsigned index, const char **arguments, const char **help);

#endif
