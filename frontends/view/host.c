/* The loop of a view on any host: all input so far, then one picture, at most FRAMES a second, and no picture without a
 * change; while nothing runs the loop sleeps in `input`. */
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
		while (in.kind != INPUT_NONE && !a->quit) { /* every waiting input before the next picture */
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
