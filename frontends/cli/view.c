/* view and tui: walk through a program in a window or in a terminal. Both run the same loop (frontends/view/host.h) on
 * hosts of their own; `tui --print` draws once, without a host. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "frontends/cli/beside.h"
#include "frontends/cli/gallery.h"
#include "frontends/cli/scene.h"
#include "frontends/cli/verbs.h"
#include "frontends/sdl/window.h"
#include "frontends/tui/terminal.h"

#define RELOAD_OPTION \
	{"reload", 0, OPT_SWITCH, NULL, "on", "Scene", "load FILE again when it changes, at the same cycle", false}

const struct opt view_options[] = {
	{"size", 0, OPT_VALUE, "WxH", "1280x800", "Window", "of the window", false},
	SCALE_OPTION("Window"),
	{"keys", 0, OPT_VALUE, "KEYS", NULL, "Window", "keys to press at the start, separated by blanks: 'd j p'",
	 false},
	RELOAD_OPTION,
	SCENE_OPTIONS,
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};
const struct opt tui_options[] = {
	{"print", 0, OPT_SWITCH, NULL, NULL, "Terminal", "print the panes once, as text, instead", false},
	{"size", 0, OPT_VALUE, "WxH", "80x24", "Terminal", "columns and rows of --print", false},
	{"keys", 0, OPT_VALUE, "KEYS", NULL, "Terminal", "--print: keys to press before", false},
	RELOAD_OPTION,
	SCENE_OPTIONS,
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

enum { GALLERY_MAX = 256 };

static bool size_of(const struct cli *c, int least_w, int least_h, int *w, int *h)
{
	const char *text = cli_value(c, "size");
	char end;
	if (sscanf(text, "%dx%d%c", w, h, &end) == 2 && *w >= least_w && *h >= least_h && *w <= 16384 && *h <= 16384)
		return true;
	complain(WB_USAGE, "option '--size' expects WIDTHxHEIGHT, at least %dx%d; found '%s'", least_w, least_h, text);
	return false;
}

/* An example at its first divergence, as a picture beside the list. */
static bool draw_thumbnail(void *context, int choice, struct canvas *picture)
{
	struct scene *s = calloc(1, sizeof *s);
	bool drawn = s && scene_open(s, context, gallery[choice].name) == WB_OK;
	if (drawn) {
		s->view.still = true;
		frame_draw(picture, &s->model, &s->view);
	}
	if (s)
		scene_close(s);
	free(s);
	return drawn;
}

/* The user's pick from the gallery, beginning at *at, then the pick. NULL: none. */
static const char *choose(struct cli *c, const struct host *h, int *at)
{
	const struct thumbnails thumbnails = {c, draw_thumbnail};
	struct choice choices[GALLERY_MAX];
	char text[GALLERY_MAX][160];
	const struct theme *t = theme_find(cli_value(c, "theme"));
	int n = 0;
	for (const struct example *e = gallery; e->name && n < GALLERY_MAX; e++, n++) {
		const char *line = e->text + strspn(e->text, "/ ");
		snprintf(text[n], sizeof text[n], "%.*s", (int)strcspn(line, "\n"), line);
		choices[n] = (struct choice){e->name, text[n], e->text};
	}
	int chosen = host_choose(h, "the gallery: what divergence, memory and occupancy do to a warp", choices, n, *at,
				 t ? (int)(t - themes) : 0, &thumbnails);
	*at = chosen < 0 ? *at : chosen;
	return chosen < 0 ? NULL : gallery[chosen].name;
}

/* ---- a changing file ---- */

struct watched_file {
	const char *path;
	struct stat seen;
	bool pending; /* the file has changed, and may still be being written */
};

/* True at the second look after the last change: the writer has finished then. */
static bool file_changed(void *context)
{
	struct watched_file *f = context;
	struct stat now;
	if (stat(f->path, &now))
		return false; /* between an editor's two renames */
	const struct timespec *was = &f->seen.st_mtim, *is = &now.st_mtim;
	bool same = is->tv_sec == was->tv_sec && is->tv_nsec == was->tv_nsec && now.st_size == f->seen.st_size &&
		    now.st_ino == f->seen.st_ino;
	bool settled = same && f->pending;
	f->pending = !same;
	f->seen = now;
	return settled;
}

static void message_diag(struct app *a, const char *path, const struct wb_diag *d)
{
	const char *name = strrchr(path, '/');
	if (d->line)
		app_message(a, "not reloaded: %s:%d:%d: %s", name ? name + 1 : path, d->line, d->column, d->text);
	else
		app_message(a, "not reloaded: %s", d->text);
}

/* Load the changed file, at the same cycle in the same view; errors are shown. */
static void reload(const struct cli *c, struct scene **s, struct app *a, const char *path)
{
	struct scene *next = calloc(1, sizeof *next);
	struct wb_program *checked = NULL;
	struct wb_diag d;
	struct wb_break b;
	int id;
	a->reload = false;
	a->dirty = true;
	enum wb_status status = next ? wb_program_open(path, c->config, &checked, &d) : WB_ENV;
	wb_program_free(checked);
	if (next && status != WB_OK)
		message_diag(a, path, &d);
	if (status == WB_OK && scene_open(next, c, path) == WB_OK) {
		for (unsigned i = 0; wb_launch_breaks((*s)->player.launch, i, &b); i++)
			wb_launch_break(next->player.launch, (unsigned)b.kind, b.text, 0, 0, &id, NULL);
		status = a->model.mp.began ? player_goto_cycle(&next->player, a->view.mp, a->model.mp.cycle, &d)
					: player_goto(&next->player, 0, &d);
		a->other = next->against ? &next->against->model : NULL;
		a->view.against = next->view.against;
		a->view.compiled = next->view.compiled;
		memcpy(a->view.advice, next->view.advice, sizeof a->view.advice);
		status = status == WB_OK ? app_show(a, &next->player, &d) : status;
		a->view.message[0] = '\0';
		if (status != WB_OK)
			app_message(a, "reloaded, but: %s", d.text);
		struct scene *old = *s;
		*s = next;
		next = old;
	} else if (status == WB_OK) {
		app_message(a, "not reloaded: it could not be launched");
	}
	if (next)
		scene_close(next);
	free(next);
}

/* ---- showing ---- */

static void print_page(struct app *a, int w, int t, const char *keys)
{
	struct canvas page;
	if (!canvas_cells(&page, w, t, &themes[0]))
		return;
	char *list = keys ? strdup(keys) : NULL, *rest = list, *key;
	while ((key = strsep(&rest, " "))) {
		app_key(a, key);
		app_draw(a, &page);
	}
	app_draw(a, &page);
	free(list);
	page_print(&page, stdout);
	canvas_free(&page);
}

/* Show a scene on h; NULL: print once. *closed: the user has closed the host. */
static enum wb_status show(const struct cli *c, struct scene **s, const char *path, const struct host *h, int w, int t,
			   const char *keys, bool *closed)
{
	struct app a;
	struct wb_diag d;
	struct watched_file file = {.path = path};
	enum wb_status status = app_open(&a, &(*s)->player, &(*s)->view, &d);
	if (status == WB_OK && (*s)->against)
		a.other = &(*s)->against->model;
	a.stale = true;
	if (status != WB_OK)
		complain_diag(&d);
	else if (!h)
		print_page(&a, w, t, keys);
	if (status == WB_OK && h && cli_on(c, "reload") && stat(path, &file.seen) == 0) {
		a.changed = file_changed;
		a.file = &file;
	}
	while (status == WB_OK && h && !a.quit) {
		status = host_show(h, &a) ? WB_OK : WB_ENV;
		if (a.reload)
			reload(c, s, &a, path);
	}
	*closed = a.closed;
	app_close(&a);
	return status;
}

static enum wb_status view_program(const struct cli *c, const char *path, const struct host *h, int w, int t,
				   const char *keys, bool *closed)
{
	struct scene *s = calloc(1, sizeof *s);
	/* Keys given in advance are for the view. */
	const struct host *waits = cli_given(c, "keys") ? NULL : h;
	enum wb_status status = s ? scene_open_on(s, c, path, waits) : complain(WB_ENV, "out of memory");
	*closed = s && s->abandoned;
	if (status == WB_OK)
		status = show(c, &s, path, h, w, t, keys, closed);
	else if (*closed)
		status = WB_OK;
	if (s)
		scene_close(s);
	free(s);
	return status;
}

/* View the operand; without an operand, pick after pick from the gallery. */
static enum wb_status view_operand(struct cli *c, const struct host *h)
{
	enum wb_status status = WB_OK;
	const char *path;
	bool closed = false;
	int at = 0;
	if (c->noperands) {
		path = cli_operand(c, "FILE");
		return path ? view_program(c, path, h, 0, 0, NULL, &closed) : WB_USAGE;
	}
	while (status == WB_OK && !closed && (path = choose(c, h, &at)))
		status = view_program(c, path, h, 0, 0, NULL, &closed);
	return status;
}

enum wb_status verb_view(struct cli *c)
{
	int w, h, scale;
	struct wb_diag d;
	const char *keys = cli_value(c, "keys");
	if (!size_of(c, 320, 200, &w, &h) || !scene_scale(c, &scale))
		return WB_USAGE;
	const struct window_calls *window = module_load("frontends/sdl", WINDOW_MODULE, "window_calls", &d);
	if (!window)
		return complain(WB_ENV, "%s: no window here (%s; a build needs SDL2 for the window): use tui or shot",
				c->verb->name, d.text);
	struct window *win = window->open(w, h, scale, &d);
	if (!win)
		return complain_diag(&d);
	struct host host = window->host(win);
	enum wb_status status = keys && !window->type(win, keys) ? WB_ENV : WB_OK;
	if (status == WB_OK)
		status = view_operand(c, &host);
	window->close(win);
	return status;
}

static enum wb_status print_once(const struct cli *c)
{
	int columns, rows;
	bool closed;
	const char *path = cli_operand(c, "FILE");
	if (!path || !size_of(c, 40, 12, &columns, &rows))
		return WB_USAGE;
	return view_program(c, path, NULL, columns, rows, cli_value(c, "keys"), &closed);
}

enum wb_status verb_tui(struct cli *c)
{
	if (cli_on(c, "print"))
		return print_once(c);
#ifdef WB_TERMINAL
	struct wb_diag d;
	struct terminal *t = terminal_open(c->color, &d);
	if (!t)
		return complain_diag(&d);
	struct host host = terminal_host(t);
	enum wb_status status = view_operand(c, &host);
	terminal_close(t);
	return status;
#else
	return complain(WB_ENV, "this build has no terminal view (ncurses was not there); use tui --print or shot");
#endif
}
