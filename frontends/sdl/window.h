/* The window. */
#ifndef WB_FRONTENDS_SDL_WINDOW_H
#define WB_FRONTENDS_SDL_WINDOW_H

#include "frontends/view/host.h"

struct window;

/* Open a window of w by h points with `scale` pixels a unit (0: canvas_scale). NULL: d says why; WB_ENV where there is
 * no display. */
struct window *window_open(int w, int h, int scale, struct wb_diag *d);
void window_close(struct window *w);
struct host window_host(struct window *w);
/* Keys to press as if typed, names of keys.def separated by blanks: for tests and demonstrations. False: no memory.
 */
bool window_type(struct window *w, const char *keys);

#endif
