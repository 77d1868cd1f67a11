/* The loop of a view on any host: all input so far, then one picture, at most FRAMES a second, and no picture without a
 * change; while nothing runs the loop sleeps in `input`. The list for choosing an example is drawn here on the same
 * canvas. */
#include "frontends/view/host.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES = 60 }; /* a second, at most */
#define LOOK 0.4       /* seconds between two looks at whether the file has changed */

static void dispatch(struct app *a, const struct host *h, const struct input *in)
{
	const struct canvas *c = h->canvas(h->self);
	switch (in->kind) {
	case INPUT_KEY: app_key(a, in->key); break;
	case INPUT_POINT: app_point(a, c, in->x, in->y); break;
	case INPUT_PRESS: app_press(a, c, in->x, in->y); break;
	case INPUT_RELEASE: app_release(a, c, in->x, in->y); break;
	case INPUT_RESIZE: a->dirty = true; break;
	case INPUT_CLOSE: a->quit = a->closed = true; break;
	case INPUT_NONE: break;
	}
}

bool host_show(const struct host *h, struct app *a)
{
	struct input in;
	double last = h->seconds(h->self), look = last;
	a->host = h->self;
	a->copy = h->copy;
	if (h->title)
		h->title(h->self, a->view.title);
	while (!a->quit && !a->reload) {
		double now = h->seconds(h->self);
		app_tick(a, now - last);
		last = now;
		if (a->dirty) {
			struct canvas *c = h->canvas(h->self);
			if (!c)
				return false;
			app_draw(a, c);
			h->present(h->self);
		}
		double left = 1.0 / FRAMES - (h->seconds(h->self) - now), idle = a->changed ? LOOK : -1;
		h->input(h->self, a->view.running ? (left > 0 ? left : 0) : idle, &in);
		while (in.kind != INPUT_NONE && !a->quit) { /* all input so far, then one picture */
			dispatch(a, h, &in);
			h->input(h->self, 0, &in);
		}
		if (a->changed && now >= look) {
			a->reload = a->changed(a->file);
			look = now + LOOK;
		}
	}
	return true;
}

/* ---- choosing ---- */

struct chooser {
	const char *title;
	const struct choice *choices;
	int n, at;
};

/* The rectangle of the list, and the choice in its first row. */
static struct rect list_of(const struct canvas *c, const struct chooser *k, int *first)
{
	int bar = c->rh + (c->pixel ? 10 : 1), space = (c->h - 2 * bar) / c->rh;
	int rows = k->n < space ? k->n : space;
	*first = k->at - rows / 2;
	*first = *first > k->n - rows ? k->n - rows : *first;
	*first = *first < 0 ? 0 : *first;
	return (struct rect){0, bar, c->w, rows * c->rh};
}

static void draw_list(struct canvas *c, const struct chooser *k)
{
	int side = c->pixel ? 10 : 1, names = 26 * c->cw, first;
	struct rect r = list_of(c, k, &first);
	for (int i = first; i < k->n && (i - first) * c->rh < r.h; i++) {
		int y = r.y + (i - first) * c->rh;
		bool here = i == k->at;
		if (here)
			canvas_fill(c, (struct rect){0, y, c->w, c->rh}, canvas_role(c, ROLE_SELECT));
		canvas_text(c, side, y, c->cw, canvas_role(c, ROLE_ACCENT), TEXT_BOLD, here ? "▶" : " ");
		canvas_text(c, side + 2 * c->cw, y, names - 3 * c->cw, canvas_role(c, ROLE_TEXT), here ? TEXT_BOLD : 0,
			    k->choices[i].name);
		canvas_text(c, side + names, y, c->w - names - 2 * side, canvas_role(c, here ? ROLE_TEXT : ROLE_DIM), 0,
			    k->choices[i].text);
	}
}

/* The text of a choice, line by line: description and source. */
static void draw_detail(struct canvas *c, const struct choice *k, struct rect r)
{
	enum { TAB = 8 };
	int side = c->pixel ? 10 : 1, y = r.y + c->rh + 7;
	canvas_fill(c, r, canvas_role(c, ROLE_PANEL));
	canvas_fill(c, (struct rect){r.x, r.y, r.w, c->rh + 3 * c->hair}, canvas_role(c, ROLE_TITLE));
	canvas_text(c, side, r.y + c->hair, -1, canvas_role(c, ROLE_TEXT), TEXT_BOLD, k->name);
	for (const char *p = k->detail; *p && y + c->rh <= r.y + r.h; y += c->rh) {
		size_t n = strcspn(p, "\n"), tabs = strspn(p, "\t");
		char line[160];
		snprintf(line, sizeof line, "%.*s", (int)(n - tabs), p + tabs);
		bool prose = !strncmp(line, "//", 2);
		const char *text = prose ? line + 2 + (line[2] == ' ') : line;
		canvas_text(c, side + (int)tabs * TAB * c->cw, y, c->w - 2 * side,
			    canvas_role(c, prose ? ROLE_TEXT : ROLE_DIM), 0, text);
		p += n + (p[n] == '\n');
	}
}

static void draw_choices(struct canvas *c, const struct chooser *k)
{
	enum { DETAIL_ROWS = 8 };
	int side = c->pixel ? 10 : 1, first, bar = c->rh + (c->pixel ? 7 : 1);
	struct rect list = list_of(c, k, &first);
	canvas_fill(c, c->clip, canvas_role(c, ROLE_PANEL));
	canvas_fill(c, (struct rect){0, 0, c->w, bar - 2 * c->hair}, canvas_role(c, ROLE_BACK));
	int x = canvas_text(c, side, 3 * c->hair, -1, canvas_role(c, ROLE_ACCENT), TEXT_BOLD, "warpbeam") + 2 * c->cw;
	canvas_text(c, x, 3 * c->hair, c->w - x, canvas_role(c, ROLE_TEXT), 0, k->title);
	draw_list(c, k);
	int below = list.y + list.h + 4 * c->hair, foot = c->h - c->rh - 5 * c->hair;
	if (k->choices[k->at].detail && foot - below >= DETAIL_ROWS * c->rh && c->pixel)
		draw_detail(c, &k->choices[k->at], (struct rect){0, below, c->w, foot - below});
	canvas_fill(c, (struct rect){0, foot, c->w, c->h - foot}, canvas_role(c, ROLE_BACK));
	canvas_text(c, side, foot + 2 * c->hair, c->w - side, canvas_role(c, ROLE_DIM), 0,
		    "↑ ↓ choose   Enter opens   q quits; in a program q comes back here");
}

static int moved(const char *key, int at, int n)
{
	int step = !strcmp(key, "Down") || !strcmp(key, "n") ? 1
		   : !strcmp(key, "Up") || !strcmp(key, "p") ? -1
		   : !strcmp(key, "PageDown")                ? 10
		   : !strcmp(key, "PageUp")                  ? -10
		   : !strcmp(key, "End")                     ? n
		   : !strcmp(key, "Home")                    ? -n
							     : 0;
	at += step;
	return at < 0 ? 0 : at >= n ? n - 1 : at;
}

/* True: the user has chosen *chosen. */
static bool chosen_by(const struct canvas *c, struct chooser *k, const struct input *in, int *chosen)
{
	int first;
	struct rect list = list_of(c, k, &first);
	if (in->kind == INPUT_CLOSE || (in->kind == INPUT_KEY && (!strcmp(in->key, "q") || !strcmp(in->key, "Esc")))) {
		*chosen = -1;
		return true;
	}
	if (in->kind == INPUT_PRESS && in->y >= list.y && in->y < list.y + list.h) {
		*chosen = first + (in->y - list.y) / c->rh;
		return true;
	}
	*chosen = k->at;
	if (in->kind == INPUT_KEY && (!strcmp(in->key, "Enter") || !strcmp(in->key, "Space")))
		return true;
	k->at = in->kind == INPUT_KEY ? moved(in->key, k->at, k->n) : k->at;
	return false;
}

int host_choose(const struct host *h, const char *title, const struct choice *choices, int n, int at, int theme)
{
	struct chooser k = {title, choices, n, at};
	struct input in = {.kind = INPUT_RESIZE};
	int chosen = -1;
	if (h->title)
		h->title(h->self, "gallery");
	for (;;) {
		struct canvas *c = h->canvas(h->self);
		if (!c || !n)
			return -1;
		c->theme = &themes[theme];
		c->clip = (struct rect){0, 0, c->w, c->h};
		if (in.kind != INPUT_POINT && in.kind != INPUT_RELEASE) {
			draw_choices(c, &k);
			h->present(h->self);
		}
		h->input(h->self, -1, &in);
		if (chosen_by(c, &k, &in, &chosen))
			return chosen;
	}
}
