/* Keys and mouse become lines of commands (keys.def, command.c), so that everything can be typed, too. The model is
 * read again only after a change of position, record or view. A run at some speed owes steps by the elapsed time, and
 * pays at most TICK_STEPS_MAX steps between two pictures. */
#include "frontends/view/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "frontends/view/keys.h"
#include "frontends/view/pane.h"

enum { FAST_STEPS = 4000, TICK_STEPS_MAX = 600, TICK_ISSUES_MAX = 1 << 16 };

enum wb_status app_open(struct app *a, struct player *p, const struct view *v, struct wb_diag *d)
{
	*a = (struct app){.player = p, .view = *v, .dirty = true};
	if (!model_open(&a->model, p)) {
		*d = (struct wb_diag){.status = WB_ENV, .offset = -1, .text = "out of memory"};
		return WB_ENV;
	}
	return model_read(&a->model, &a->view, d);
}

enum wb_status app_show(struct app *a, struct player *p, struct wb_diag *d)
{
	model_close(&a->model);
	a->player = p;
	a->nmarks = 0;
	a->mp_issue = 0;
	a->dirty = a->stale = true;
	if (!model_open(&a->model, p)) {
		*d = (struct wb_diag){.status = WB_ENV, .offset = -1, .text = "out of memory"};
		return WB_ENV;
	}
	if (a->view.pc >= 0 && !model_code(&a->model, (uint32_t)a->view.pc))
		a->view.pc = -1;
	if (a->view.mp >= (int)a->model.machine.mps)
		a->view.mp = -1;
	return model_read(&a->model, &a->view, d);
}

void app_close(struct app *a)
{
	model_close(&a->model);
}

void app_refresh(struct app *a)
{
	struct wb_diag d;
	const struct wb_where *now = &a->player->where, *read = &a->model.where;
	if (!a->stale && now->issue == read->issue && now->over == read->over && a->events == a->player->record.n)
		return;
	a->stale = false;
	a->events = a->player->record.n;
	enum wb_status status = model_read(&a->model, &a->view, &d);
	if (status == WB_OK && a->other)
		status = model_compare(&a->model, a->other, &a->view, &d);
	if (status != WB_OK)
		app_message(a, "%s", d.text);
}

void app_message(struct app *a, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(a->view.message, sizeof a->view.message, fmt, ap);
	va_end(ap);
}

void app_message_break(struct app *a)
{
	const struct wb_where *at = &a->player->where;
	if (a->view.mp >= 0 && at->last.mp != (unsigned)a->view.mp)
		app_message(a, "breakpoint %d, on multiprocessor %u; a follows there", at->id, at->last.mp);
	else
		app_message(a, "breakpoint %d", at->id);
}

/* ---- the command line ---- */

static void prompt_open(struct app *a, const char *text)
{
	snprintf(a->prompt, sizeof a->prompt, "%s", text);
	a->recalled = 0;
}

static void prompt_enter(struct app *a)
{
	char line[LINE];
	snprintf(line, sizeof line, "%s", a->prompt + 1);
	a->prompt[0] = '\0';
	if (!line[0])
		return;
	if (a->nhistory == HISTORY) {
		memmove(a->history[0], a->history[1], (HISTORY - 1) * LINE);
		a->nhistory--;
	}
	snprintf(a->history[a->nhistory++], LINE, "%s", line);
	app_command(a, line);
}

static void prompt_recall(struct app *a, int step)
{
	int at = (int)a->recalled + step;
	if (at < 0 || at > (int)a->nhistory)
		return;
	a->recalled = (unsigned)at;
	snprintf(a->prompt, sizeof a->prompt, ":%s", at ? a->history[a->nhistory - (unsigned)at] : "");
}

/* Replace the word that begins at `at` by the common beginning of all candidates. */
struct completion {
	const char *word;
	char common[64];
	unsigned n;
};

static void candidate(struct completion *k, const char *text, size_t n)
{
	if (n < strlen(k->word) || strncmp(text, k->word, strlen(k->word)))
		return;
	if (!k->n++) {
		snprintf(k->common, sizeof k->common, "%.*s", (int)n, text);
		return;
	}
	size_t same = 0;
	while (same < n && k->common[same] && k->common[same] == text[same])
		same++;
	k->common[same] = '\0';
}

static void complete_argument(struct completion *k, const char *line)
{
	const char *arguments, *name;
	size_t length = strcspn(line, " ");
	for (unsigned i = 0; (name = command_name(i, &arguments, NULL)); i++) {
		if (strlen(name) != length || strncmp(name, line, length))
			continue;
		for (const char *p = arguments; *p; p += strcspn(p, "|") + (p[strcspn(p, "|")] == '|'))
			if (*p >= 'a' && *p <= 'z')
				candidate(k, p, strcspn(p, "| "));
	}
}

static void prompt_complete(struct app *a)
{
	char *line = a->prompt + 1, *blank = strrchr(line, ' ');
	struct completion k = {.word = blank ? blank + 1 : line};
	const char *name;
	if (blank)
		complete_argument(&k, line);
	else
		for (unsigned i = 0; (name = command_name(i, NULL, NULL)); i++)
			candidate(&k, name, strlen(name));
	if (blank) /* labels are places too */
		for (unsigned i = 0; i < a->model.listing.ncode; i++)
			if (a->model.listing.code[i].label)
				candidate(&k, a->model.listing.code[i].label, strlen(a->model.listing.code[i].label));
	size_t at = (size_t)(k.word - a->prompt);
	if (k.n)
		snprintf(a->prompt + at, sizeof a->prompt - at, "%s%s", k.common, k.n == 1 ? " " : "");
}

static void prompt_key(struct app *a, const char *key)
{
	size_t n = strlen(a->prompt);
	const char *typed = !strcmp(key, "Space") ? " " : key;
	if (!strcmp(key, "Enter")) {
		prompt_enter(a);
	} else if (!strcmp(key, "Esc")) {
		a->prompt[0] = '\0';
	} else if (!strcmp(key, "Up") || !strcmp(key, "Down")) {
		prompt_recall(a, *key == 'U' ? 1 : -1);
	} else if (!strcmp(key, "Tab")) {
		prompt_complete(a);
	} else if (!strcmp(key, "Backspace")) {
		do
			a->prompt[--n] = '\0';
		while (n && (a->prompt[n - 1] & 0xc0) == 0x80); /* all of a character */
		if (!n)
			a->prompt[0] = '\0';
	} else if (*typed && (typed[1] == '\0' || typed[0] & 0x80) && n + strlen(typed) < sizeof a->prompt) {
		memcpy(a->prompt + n, typed, strlen(typed) + 1);
	}
}

void app_key(struct app *a, const char *key)
{
	a->dirty = true;
	a->view.mouse_x = -1; /* the tip goes until the mouse moves again */
	if (a->prompt[0]) {
		prompt_key(a, key);
		return;
	}
	const struct key *k = key_find(key);
	if (!k)
		return;
	if (k->command[0] == ':')
		prompt_open(a, k->command);
	else    /* as in a pager, the key leaves the help first */
		app_command(a, a->view.help && !strcmp(k->command, "quit") ? "close" : k->command);
}

/* ---- time ---- */

void app_own(const struct app *a, struct wb_goal *g)
{
	g->mp = a->model.mp.number;
	g->one_mp = a->model.machine.mps > 1 && a->model.mp.npresent;
}

/* At full speed all multiprocessors run, and then on to the next issue of the shown multiprocessor. */
static enum wb_status run_on(struct app *a, uint64_t steps, struct wb_diag *d)
{
	struct wb_goal g = {.issues = steps, .stops = WB_STOP_BREAK};
	if (a->view.speed) {
		app_own(a, &g);
		return player_forward(a->player, &g, TICK_ISSUES_MAX, d);
	}
	enum wb_status status = player_forward(a->player, &g, steps, d);
	g.issues = 1;
	app_own(a, &g);
	if (status != WB_OK || a->player->where.over || a->player->where.stops & WB_STOP_BREAK || !g.one_mp ||
	    a->player->where.last.mp == g.mp)
		return status;
	return player_forward(a->player, &g, steps, d);
}

void app_tick(struct app *a, double seconds)
{
	struct view *v = &a->view;
	if (!v->running)
		return;
	uint64_t steps = FAST_STEPS;
	if (v->speed) {
		a->owed += seconds * v->speed;
		steps = (uint64_t)a->owed;
		steps = steps > TICK_STEPS_MAX ? TICK_STEPS_MAX : steps;
		a->owed -= (double)steps;
	}
	if (!steps)
		return;
	struct wb_diag d;
	a->dirty = true;
	enum wb_status status = run_on(a, steps, &d);
	if (status != WB_OK)
		app_message(a, "%s", d.text);
	bool hit = a->player->where.stops & WB_STOP_BREAK;
	if (hit)
		app_message_break(a);
	if (status != WB_OK || a->player->where.over || hit)
		v->running = false;
}

/* ---- the mouse ---- */

void app_point(struct app *a, const struct canvas *c, int x, int y)
{
	(void)c;
	a->dirty = a->dirty || x != a->view.mouse_x || y != a->view.mouse_y;
	a->view.mouse_x = x;
	a->view.mouse_y = y;
}

void app_press(struct app *a, const struct canvas *c, int x, int y)
{
	struct hit h;
	app_refresh(a);
	frame_hit(c, &a->model, &a->view, x, y, &h);
	a->dirty = a->stale = true;
	a->view.help = false;
	if (h.key) {
		app_key(a, h.key);
		return;
	}
	if (h.pane != PANES)
		view_focus(&a->view, h.pane);
	if (h.slot >= 0)
		a->view.slot = h.slot;
	if (h.pc >= 0)
		a->view.pc = h.pc;
	if (h.pane == PANE_map)
		app_map_press(a, h.thread);
	if (h.map >= 0)
		a->view.left_cycle = h.map > h.width * h.per_unit / 2 ? h.map - (int64_t)(h.width * h.per_unit / 2) : 0;
	a->view.mark = h.cycle;
}

/* Show at least the cycles from … to, in the middle, at the widest possible zoom. */
static void zoom_to(struct app *a, int64_t from, int64_t to, int width)
{
	struct view *v = &a->view;
	int64_t cycles = to - from + 1, shown;
	for (v->zoom = ZOOM_MAX; v->zoom > ZOOM_MIN; v->zoom -= v->zoom == 1 ? 2 : 1) {
		shown = v->zoom > 0 ? (int64_t)width >> (v->zoom - 1) : (int64_t)width << -v->zoom;
		if (shown >= cycles)
			break;
	}
	shown = v->zoom > 0 ? (int64_t)width >> (v->zoom - 1) : (int64_t)width << -v->zoom;
	v->left_cycle = from > (shown - cycles) / 2 ? from - (shown - cycles) / 2 : 0;
}

void app_release(struct app *a, const struct canvas *c, int x, int y)
{
	struct hit h;
	char line[64];
	app_refresh(a);
	frame_hit(c, &a->model, &a->view, x, y, &h);
	if (a->view.mark >= 0 && h.cycle == a->view.mark) { /* a click, not a drag: go to the cycle */
		snprintf(line, sizeof line, "goto %lld", (long long)h.cycle);
		app_command(a, line);
	} else if (a->view.mark >= 0 && h.cycle >= 0) {
		int64_t from = a->view.mark < h.cycle ? a->view.mark : h.cycle,
			to = a->view.mark < h.cycle ? h.cycle : a->view.mark;
		app_message(a, "%lld cycles, from %lld to %lld; = shows all", (long long)(to - from), (long long)from,
			    (long long)to);
		zoom_to(a, from, to, h.width);
		a->stale = true;
	}
	a->view.mark = -1;
	a->dirty = true;
}

void app_wheel(struct app *a, const struct canvas *c, int x, int y, int rows)
{
	enum pane focus = a->view.focus;
	struct hit h;
	char line[32];

	app_refresh(a);
	frame_hit(c, &a->model, &a->view, x, y, &h);
	if (h.pane != PANES)
		a->view.focus = h.pane;
	snprintf(line, sizeof line, "%s %d", rows < 0 ? "up" : "down", rows < 0 ? -rows : rows);
	app_command(a, line);
	a->view.focus = focus;
	a->dirty = a->stale = true;
}

/* ---- drawing ---- */

void app_draw(struct app *a, struct canvas *c)
{
	a->view.prompt = a->prompt[0] ? a->prompt : NULL;
	a->view.bookmark = a->mark;
	a->view.nbookmarks = a->nmarks;
	app_refresh(a);
	frame_draw(c, &a->model, &a->view);
	a->drawn = *c;
	a->dirty = false;
}
