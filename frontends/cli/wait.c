/* The wait for a program that is read ahead: a sentence with numbers in the window, which hears keys meanwhile. */
#include "frontends/cli/wait.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "frontends/cli/progress.h"

#define PATIENCE 0.5   /* seconds without a picture: most programs are ready by then */
#define GLANCE 0.1     /* seconds between two pictures */

struct worker {
	const struct waiting *w;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool over;
};

static void *work(void *context)
{
	struct worker *k = context;
	k->w->work(k->w->context);
	pthread_mutex_lock(&k->lock);
	k->over = true;
	pthread_cond_signal(&k->changed);
	pthread_mutex_unlock(&k->lock);
	return NULL;
}

static bool over_within(struct worker *k, double seconds)
{
	struct timespec end;
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += (long)(1e9 * seconds);
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	pthread_mutex_lock(&k->lock);
	while (!k->over && pthread_cond_timedwait(&k->changed, &k->lock, &end) == 0)
		;
	bool over = k->over;
	pthread_mutex_unlock(&k->lock);
	return over;
}

static void draw(const struct host *h, const struct waiting *w, double seconds)
{
	struct canvas *c = h->canvas(h->self);
	uint64_t done, expected;
	char text[200];
	if (!c)
		return;
	wb_launch_work(w->launch, &done, &expected);
	const struct progress_work one = {.unit = "instructions", .done = done,
		.all = expected && expected < w->most ? expected : w->most, .estimated = true};
	progress_text(text, sizeof text, &one, 1, seconds);
	c->theme = w->theme ? w->theme : c->theme;
	int x = 2 * c->cw, y = (c->h - 3 * c->rh) / 2, across = c->w - 2 * x;
	canvas_fill(c, (struct rect){0, 0, c->w, c->h}, canvas_role(c, ROLE_PANEL));
	canvas_printf(c, x, y, across, canvas_role(c, ROLE_TEXT), TEXT_BOLD, "%s is read ahead", w->what);
	canvas_text(c, x, y + c->rh, across, canvas_role(c, ROLE_TEXT), 0, text);
	canvas_text(c, x, y + 2 * c->rh, across, canvas_role(c, ROLE_DIM), 0, "Enter: that will do; q: leave");
	h->present(h->self);
}

/* Hear the waiting inputs. False: the user leaves. */
static bool hear(const struct host *h, const struct waiting *w)
{
	struct input in;
	for (h->input(h->self, 0, &in); in.kind != INPUT_NONE; h->input(h->self, 0, &in)) {
		bool key = in.kind == INPUT_KEY, leaves = key && (!strcmp(in.key, "q") || !strcmp(in.key, "Esc"));
		if (in.kind == INPUT_CLOSE || leaves || (key && !strcmp(in.key, "Enter")))
			wb_launch_interrupt(w->launch);
		if (in.kind == INPUT_CLOSE || leaves)
			return false;
	}
	return true;
}

bool wait_shown(const struct host *h, const struct waiting *w)
{
	struct worker k = {.w = w};
	pthread_t thread;
	bool stays = true;
	double began = h->seconds(h->self);
	pthread_mutex_init(&k.lock, NULL);
	pthread_cond_init(&k.changed, NULL);
	if (pthread_create(&thread, NULL, work, &k) != 0) {
		w->work(w->context);
		return true;
	}
	if (h->title)
		h->title(h->self, w->what);
	for (double moment = PATIENCE; !over_within(&k, moment); moment = GLANCE) {
		draw(h, w, h->seconds(h->self) - began);
		stays = stays && hear(h, w);
	}
	pthread_join(thread, NULL);
	return stays;
}
