#include "frontends/view/host.h"

#include <string.h>

enum { FRAMES = 60 }; /* a second, at most */

static void hear(struct app *a, const struct host *h, const struct input *in)
{
	const struct canvas *c = h->canvas(h->self);
	switch (in->kind) {
	case INPUT_KEY: app_key(a, in->key); break;
	case INPUT_POINT: app_point(a, c, in->x, in->y); break;
	case INPUT_PRESS: app_press(a, c, in->x, in->y); break;
	case INPUT_RELEASE: app_release(a, c, in->x, in->y); break;
	case INPUT_RESIZE: a->dirty = true; break;
	case INPUT_CLOSE: a->quit = true; break;
	case INPUT_NONE: break;
	}
}

bool host_show(const struct host *h, struct app *a)
{
	struct input in;
	double last = h->seconds(h->self);
	a->host = h->self;
	a->copy = h->copy;
	while (!a->quit) {
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
		double left = 1.0 / FRAMES - (h->seconds(h->self) - now);
		h->input(h->self, a->view.running ? (left > 0 ? left : 0) : -1, &in);
		while (in.kind != INPUT_NONE && !a->quit) { /* all that has come, then one picture */
			hear(a, h, &in);
			h->input(h->self, 0, &in);
		}
	}
	return true;
}

/* ---- choosing ---- */

static void draw_choices(struct canvas *c, const char *title, const struct choice *choices, int n, int at)
{
	int side = 2 * c->cw, names = 26 * c->cw, rows = c->h / c->rh - 4, first = at - rows / 2;
	first = first > n - rows ? n - rows : first;
	first = first < 0 ? 0 : first;
	canvas_fill(c, (struct rect){0, 0, c->w, c->h}, canvas_role(c, ROLE_PANEL));
	int x = canvas_text(c, side, c->pad, -1, canvas_role(c, ROLE_ACCENT), TEXT_BOLD, "warpbeam") + side;
	canvas_text(c, x, c->pad, c->w - x, canvas_role(c, ROLE_TEXT), 0, title);
	for (int i = first; i < n && i < first + rows; i++) {
		int y = c->pad + (i - first + 2) * c->rh;
		if (i == at)
			canvas_fill(c, (struct rect){0, y, c->w, c->rh}, canvas_role(c, ROLE_SELECT));
		canvas_text(c, side, y, c->cw, canvas_role(c, ROLE_ACCENT), TEXT_BOLD, i == at ? "▶" : " ");
		canvas_text(c, side + 2 * c->cw, y, names - 2 * c->cw, canvas_role(c, ROLE_TEXT),
			    i == at ? TEXT_BOLD : 0, choices[i].name);
		canvas_text(c, side + names, y, c->w - names - 2 * side, canvas_role(c, ROLE_DIM), 0,
			    choices[i].text);
	}
	canvas_text(c, side, c->h - c->rh - c->pad, c->w - side, canvas_role(c, ROLE_DIM), 0,
		    "↑ ↓ choose   Enter opens   q quits");
}

static int moved(const char *key, int at, int n)
{
	int step = !strcmp(key, "Down") || !strcmp(key, "n") ? 1
		   : !strcmp(key, "Up") || !strcmp(key, "p") ? -1
		   : !strcmp(key, "PageDown")                ? 10
		   : !strcmp(key, "PageUp")                  ? -10
							     : 0;
	at += step;
	return at < 0 ? 0 : at >= n ? n - 1 : at;
}

int host_choose(const struct host *h, const char *title, const struct choice *choices, int n, int theme)
{
	struct input in;
	int at = 0;
	for (;;) {
		struct canvas *c = h->canvas(h->self);
		if (!c || !n)
			return -1;
		c->theme = &themes[theme];
		c->clip = (struct rect){0, 0, c->w, c->h};
		draw_choices(c, title, choices, n, at);
		h->present(h->self);
		h->input(h->self, -1, &in);
		int row = (in.y - c->pad) / c->rh - 2;
		if (in.kind == INPUT_CLOSE ||
		    (in.kind == INPUT_KEY && (!strcmp(in.key, "q") || !strcmp(in.key, "Esc"))))
			return -1;
		if (in.kind == INPUT_KEY && (!strcmp(in.key, "Enter") || !strcmp(in.key, "Space")))
			return at;
		if (in.kind == INPUT_PRESS && row >= 0 && row < n)
			return row;
		at = in.kind == INPUT_KEY ? moved(in.key, at, n) : at;
	}
}
