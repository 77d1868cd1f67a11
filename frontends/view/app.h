/* A view that is walked through: keys and commands, the same in the window and in the terminal. */
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
	char prompt[1 + LINE]; /* ':' and what has been typed behind it; "" : closed */
	char history[HISTORY][LINE];
	unsigned nhistory, recalled; /* recalled: how far back Up has gone */
	double owed;                 /* steps that a run is behind */
	bool dirty, quit;
	struct canvas drawn; /* the sizes of the last picture; w is 0 before the first */
	/* The position to which going through the multiprocessors has led, and the cycle at which they are shown. */
	uint64_t mp_issue, mp_cycle;
	struct model *other; /* of the run that this one is compared with; NULL: none. Borrowed */
	uint64_t events; /* that were recorded when the model was read */
	bool stale;      /* the machine or the view has changed since the model was read */
	bool closed; /* it was the window that was closed: the gallery ends, too */
	/* What is shown is made of a file: has that changed? NULL: it is not watched. reload: it has. */
	bool (*changed)(void *file);
	void *file;
	bool reload;
	/* What only the front end can do; may be NULL. copy: put a text on the clipboard. */
	void *host;
	bool (*copy)(void *host, const char *text);
};

/* Borrow a player that stands somewhere; the view is copied. app_close leaves the player. */
enum wb_status app_open(struct app *a, struct player *p, const struct view *v, struct wb_diag *d);
void app_close(struct app *a);
/* Go on with another player, in the same view. */
enum wb_status app_show(struct app *a, struct player *p, struct wb_diag *d);

/* A key by its name in keys.def; typed characters come as themselves. */
void app_key(struct app *a, const char *key);
/* A line as typed behind ':'. Its answer or error is in view.message afterwards. */
void app_command(struct app *a, const char *line);
/* Time has passed: a run goes on. */
void app_tick(struct app *a, double seconds);
/* The mouse, in units of the canvas. */
void app_point(struct app *a, const struct canvas *c, int x, int y);
void app_press(struct app *a, const struct canvas *c, int x, int y);
void app_release(struct app *a, const struct canvas *c, int x, int y);
/* Read the machine if anything has moved, and draw. */
void app_draw(struct app *a, struct canvas *c);

/* ---- between app.c and command.c ---- */

/* Steps are those of the multiprocessor that is shown, as long as it has warps: its cycles ascend. */
void app_own(const struct app *a, struct wb_goal *g);
/* Read the machine again if need be: commands that come faster than pictures see what the one before has done. */
void app_refresh(struct app *a);
void app_message(struct app *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void app_message_break(struct app *a); /* the one that it has just stopped at */
/* The index-th command's name and arguments; NULL past the end. */
const char *command_name(unsigned index, const char **arguments, const char **help);

#endif
