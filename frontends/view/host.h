/* A host shows a canvas and delivers input: the window, or the terminal. */
#ifndef WB_FRONTENDS_VIEW_HOST_H
#define WB_FRONTENDS_VIEW_HOST_H

#include "frontends/view/app.h"

enum input_kind { INPUT_NONE, INPUT_KEY, INPUT_POINT, INPUT_PRESS, INPUT_RELEASE, INPUT_RESIZE, INPUT_CLOSE };

struct input {
	enum input_kind kind;
	char key[16]; /* name of the key in keys.def */
	int x, y;     /* units of the canvas */
};

struct host {
	void *self;
	/* The canvas to draw on, of the present size; NULL: the host has no memory. */
	struct canvas *(*canvas)(void *self);
	void (*present)(void *self);
	/* The next input; waits at most `seconds`, for ever if negative. */
	void (*input)(void *self, double seconds, struct input *out);
	double (*seconds)(void *self); /* since some moment */
	bool (*copy)(void *self, const char *text);
	void (*title)(void *self, const char *text); /* title of the window; NULL: the host has no titles */
};

/* Show a program until the user has enough. False: no memory for a canvas. */
bool host_show(const struct host *h, struct app *a);

struct choice {
	const char *name, *text; /* text: a line of description */
	const char *detail;      /* lines for the choice at the cursor, where they fit */
};
/* Draws a small picture of a choice into a canvas of pixels. False: none. A picture may take a while, so the choice at
 * the cursor alone gets one, a moment after the last key. */
struct thumbnails {
	void *context;
	bool (*draw)(void *context, int choice, struct canvas *c);
};
/* Let the user choose among n, beginning at `at`: typed letters leave the choices with that word in name or text. The
 * index, or -1 for none. theme: of themes; t: NULL for no pictures. */
int host_choose(const struct host *h, const char *title, const struct choice *choices, int n, int at, int theme,
		const struct thumbnails *t);

#endif
