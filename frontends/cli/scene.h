/* A program with a view of it: what shot, view and tui have in common. */
#ifndef WB_FRONTENDS_CLI_SCENE_H
#define WB_FRONTENDS_CLI_SCENE_H

#include "frontends/cli/advice.h"
#include "frontends/cli/session.h"
#include "frontends/cli/vertices.h"
#include "frontends/view/host.h"
#include "frontends/view/view.h"

#define SCENE_OPTIONS \
	{"arg", 'a', OPT_LIST, "ARG", NULL, "Launch", "next argument, as for run", false}, \
	VERTICES_OPTION, \
	REWIND_OPTION, \
	{"at", 0, OPT_VALUE, "CYCLE", NULL, "Scene", "where to stand; default the first divergence, else the middle", \
	 false}, \
	{"against", 0, OPT_VALUE, "FILE", NULL, "Scene", "another run below this one: same arguments, same scale", \
	 false}, \
	{"pane", 0, OPT_VALUE, "NAME", NULL, "Scene", \
	 "one pane alone: board timeline stack annotate explain bill why occupancy shared source watch", false}, \
	{"theme", 0, OPT_VALUE, "dark|light|high-contrast|print", "dark", "Scene", "colours", false}, \
	{"watch", 0, OPT_LIST, "EXPR[/F]", NULL, "Scene", "a row of the watch pane: n, '$r3/f', 's[0x40]' (x d u f)", \
	 false}, \
	{"state", 0, OPT_VALUE, "STR", NULL, "Scene", "a state string: where to stand and what to show", false}

#define SCALE_OPTION(group) \
	{"scale", 0, OPT_VALUE, "N", "auto", group, \
	 "pixels of a point, 1 to 8; auto: 1, and 2 from 3200x1800 on", false}
/* Its number, 0 for auto; false and a message if it is none. */
bool scene_scale(const struct cli *c, int *scale);

struct scene {
	struct session session;
	const char **args;
	struct player player;
	struct model model;
	struct view view;
	struct scene *against; /* the other run; NULL: none */
	const struct host *host; /* shows how far the walk is; NULL: a line on a terminal does */
	bool abandoned;        /* the user has left meanwhile */
	char advice[ADVICE_MOST][300]; /* a sentence each, for Explain */
};

/* Load, walk the program once, go where the options say, read the machine. Errors have been printed. scene_close
 * frees what it made either way. */
enum wb_status scene_open(struct scene *s, const struct cli *c, const char *path);
/* The same with a program's text in place of the file's; NULL: the file's. */
enum wb_status scene_open_text(struct scene *s, const struct cli *c, const char *path, const char *text);
/* The same on a host, which shows how far the walk is and hears keys. WB_INTERRUPTED: the user has left, nothing has
 * been printed. */
enum wb_status scene_open_on(struct scene *s, const struct cli *c, const char *path, const struct host *h);
void scene_close(struct scene *s);

#endif
