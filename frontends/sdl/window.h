/* The window. */
#ifndef WB_FRONTENDS_SDL_WINDOW_H
#define WB_FRONTENDS_SDL_WINDOW_H

#include "frontends/view/host.h"

struct window;

/* The functions of the window, the only symbol of the module: warpbeam loads SDL where a window is wanted. */
struct window_calls {
	/* Open a window of w by h points with `scale` pixels a unit (0: canvas_scale). NULL: d says why; WB_ENV where
	 * there is no display. */
	struct window *(*open)(int w, int h, int scale, struct wb_diag *d);
	void (*close)(struct window *w); /* NULL: nothing to do */
	struct host (*host)(struct window *w);
	/* Keys to press as if typed, names of keys.def separated by blanks: for tests and demonstrations. False: no
	 * memory. */
	bool (*type)(struct window *w, const char *keys);
};

#define WINDOW_MODULE "warpbeam-window.so"

extern const struct window_calls window_calls;

#endif
