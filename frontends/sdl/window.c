/* The window with SDL 2. The canvas is the locked pixels of a streaming texture, drawn anew each time, so that no
 * picture is copied before the renderer shows it. Keys typed by a test are SDL events of a type of their own, each of
 * which pushes the next, and go through the same loop as a user's. */
#include "frontends/sdl/window.h"

/* SDL.h would read all intrinsics of x86, for 0.9 s of processor. */
#define SDL_DISABLE_IMMINTRIN_H 1
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct window {
	SDL_Window *window;
	SDL_Renderer *renderer;
	SDL_Texture *texture;
	struct canvas canvas; /* the texture's pixels while locked */
	bool locked;
	int scale;         /* requested scale; 0: by the size */
	int width, height; /* of texture and canvas, in pixels */
	bool margin;       /* the window has a margin, where the scale does not divide its size */
	Uint32 typed;      /* event that presses the next of `keys` */
	char *keys, *next;
	bool moved; /* the mouse has moved: the place at the start is no question */
};

static void window_close(struct window *w);

static void *failed(struct window *w, struct wb_diag *d, const char *what)
{
	*d = (struct wb_diag){.status = WB_ENV, .offset = -1};
	snprintf(d->text, sizeof d->text, "%s: %.300s", what, SDL_GetError());
	window_close(w);
	return NULL;
}

/* Is a display there? Without a display SDL starts all the same, on an invisible driver, which does not count unless
 * asked for. */
static bool has_display(struct wb_diag *d)
{
	static const char *const displays[] = {"SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"};
	bool named = false;
	for (size_t i = 0; i < sizeof displays / sizeof *displays; i++) {
		const char *value = SDL_getenv(displays[i]);
		named = named || (value && *value);
	}
	bool works = named && SDL_Init(SDL_INIT_VIDEO) == 0;
	const char *driver = works ? SDL_GetCurrentVideoDriver() : NULL;
	if (driver && (SDL_getenv("SDL_VIDEODRIVER") || strcmp(driver, "offscreen")))
		return true;
	if (works)
		SDL_Quit();
	*d = (struct wb_diag){
		.status = WB_ENV, .offset = -1, .text = "no display found; use `warpbeam tui` or `warpbeam shot`"};
	return false;
}

/* Cut a size to the display's usable bounds, frame and title of the window included. */
static void fit(int *w, int *h)
{
	enum { FRAME = 8, TITLE = 32 };
	SDL_Rect usable;
	if (SDL_GetDisplayUsableBounds(0, &usable) || usable.w <= FRAME || usable.h <= TITLE)
		return;
	*w = *w > usable.w - FRAME ? usable.w - FRAME : *w;
	*h = *h > usable.h - TITLE ? usable.h - TITLE : *h;
}

static struct window *window_open(int w, int h, int scale, struct wb_diag *d)
{
	struct window *win;
	if (!has_display(d))
		return NULL;
	win = calloc(1, sizeof *win);
	if (!win)
		return failed(win, d, "out of memory");
	win->scale = scale;
	win->typed = SDL_RegisterEvents(1);
	fit(&w, &h);
	win->window = SDL_CreateWindow("warpbeam", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, w, h,
				       SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
	if (!win->window)
		return failed(win, d, "cannot open a window");
	win->renderer = SDL_CreateRenderer(win->window, -1, 0);
	if (!win->renderer)
		return failed(win, d, "cannot draw in the window");
	SDL_StartTextInput();
	return win;
}

static void forget_texture(struct window *w)
{
	if (w->locked)
		SDL_UnlockTexture(w->texture);
	if (w->texture)
		SDL_DestroyTexture(w->texture);
	w->texture = NULL;
	w->locked = false;
}

static void window_close(struct window *w)
{
	if (!w)
		return;
	forget_texture(w);
	if (w->renderer)
		SDL_DestroyRenderer(w->renderer);
	if (w->window)
		SDL_DestroyWindow(w->window);
	SDL_Quit();
	free(w->keys);
	free(w);
}

/* ---- drawing ---- */

/* A texture without alpha, like a window's own surface: a software renderer then copies, and blends nothing. */
static bool make_texture(struct window *w, int width, int height, int scale)
{
	forget_texture(w);
	w->margin = width % scale || height % scale;
	w->width = width - width % scale;
	w->height = height - height % scale;
	w->texture = SDL_CreateTexture(w->renderer, SDL_PIXELFORMAT_RGB888, SDL_TEXTUREACCESS_STREAMING, w->width,
				       w->height);
	return w->texture != NULL;
}

/* Every picture is drawn anew into the texture's pixels, whatever their contents. */
static struct canvas *canvas_of(void *self)
{
	struct window *w = self;
	int width, height, pitch;
	void *pixel;
	if (SDL_GetRendererOutputSize(w->renderer, &width, &height) || width < 64 || height < 64) {
		width = w->width;
		height = w->height;
	}
	if (!width)
		return NULL;
	int scale = w->scale ? w->scale : canvas_scale(width, height);
	if (!w->texture || width - width % scale != w->width || height - height % scale != w->height)
		if (!make_texture(w, width, height, scale))
			return NULL;
	if (w->locked)
		return &w->canvas;
	w->locked = SDL_LockTexture(w->texture, NULL, &pixel, &pitch) == 0;
	return w->locked && canvas_onto(&w->canvas, pixel, pitch / 4, w->width, w->height, scale, &themes[0])
		       ? &w->canvas
		       : NULL;
}

static void present(void *self)
{
	struct window *w = self;
	SDL_UnlockTexture(w->texture);
	w->locked = false;
	if (w->margin)
		SDL_RenderClear(w->renderer);
	SDL_RenderCopy(w->renderer, w->texture, NULL, &(SDL_Rect){0, 0, w->width, w->height});
	SDL_RenderPresent(w->renderer);
}

/* ---- hearing ---- */

static const struct {
	SDL_Keycode code;
	const char *name;
} named[] = {
	{SDLK_RETURN, "Enter"},      {SDLK_KP_ENTER, "Enter"}, {SDLK_ESCAPE, "Esc"}, {SDLK_BACKSPACE, "Backspace"},
	{SDLK_TAB, "Tab"},           {SDLK_UP, "Up"},          {SDLK_DOWN, "Down"},  {SDLK_LEFT, "Left"},
	{SDLK_RIGHT, "Right"},       {SDLK_HOME, "Home"},      {SDLK_END, "End"},    {SDLK_PAGEUP, "PageUp"},
	{SDLK_PAGEDOWN, "PageDown"}, {SDLK_F1, "F1"},          {SDLK_F10, "F10"},
};

/* Keys that make no character; characters come as text. */
static void key_down(const SDL_KeyboardEvent *e, struct input *out)
{
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (named[i].code == e->keysym.sym) {
			bool shift = e->keysym.mod & KMOD_SHIFT &&
				     (!strcmp(named[i].name, "Tab") || *named[i].name == 'F');
			out->kind = INPUT_KEY;
			snprintf(out->key, sizeof out->key, "%s%s", shift ? "S-" : "", named[i].name);
		}
}

static void typed(const char *text, struct input *out)
{
	out->kind = INPUT_KEY;
	snprintf(out->key, sizeof out->key, "%.12s", strcmp(text, " ") ? text : "Space");
}

static void mouse(const struct window *w, enum input_kind kind, int x, int y, struct input *out)
{
	int points;
	SDL_GetWindowSize(w->window, &points, NULL);
	out->kind = kind;
	out->x = points && w->canvas.scale ? (int)((int64_t)x * w->width / points / w->canvas.scale) : 0;
	out->y = points && w->canvas.scale ? (int)((int64_t)y * w->width / points / w->canvas.scale) : 0;
}

static void next_typed(struct window *w, struct input *out)
{
	char *key = strsep(&w->next, " ");
	if (key && *key)
		typed(key, out);
	if (w->next)
		SDL_PushEvent(&(SDL_Event){.type = w->typed});
}

static void translate(struct window *w, const SDL_Event *e, struct input *out)
{
	if (e->type == w->typed)
		next_typed(w, out);
	else if (e->type == SDL_QUIT)
		out->kind = INPUT_CLOSE;
	else if (e->type == SDL_KEYDOWN)
		key_down(&e->key, out);
	else if (e->type == SDL_TEXTINPUT)
		typed(e->text.text, out);
	else if (e->type == SDL_MOUSEMOTION && !w->moved)
		w->moved = true;
	else if (e->type == SDL_MOUSEMOTION)
		mouse(w, INPUT_POINT, e->motion.x, e->motion.y, out);
	else if (e->type == SDL_MOUSEBUTTONDOWN && e->button.button == SDL_BUTTON_LEFT)
		mouse(w, INPUT_PRESS, e->button.x, e->button.y, out);
	else if (e->type == SDL_MOUSEBUTTONUP && e->button.button == SDL_BUTTON_LEFT)
		mouse(w, INPUT_RELEASE, e->button.x, e->button.y, out);
	else if (e->type == SDL_MOUSEWHEEL && e->wheel.y)
		typed(SDL_GetModState() & KMOD_CTRL ? (e->wheel.y > 0 ? "+" : "-")
		      : e->wheel.y > 0              ? "Up"
						    : "Down",
		      out);
	else if (e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_LEAVE)
		*out = (struct input){.kind = INPUT_POINT, .x = -1, .y = -1};
	else if (e->type == SDL_WINDOWEVENT)
		out->kind = INPUT_RESIZE;
}

static void input(void *self, double seconds, struct input *out)
{
	SDL_Event e;
	*out = (struct input){.kind = INPUT_NONE};
	do {
		int got = seconds < 0 ? SDL_WaitEvent(&e) : SDL_WaitEventTimeout(&e, (int)(seconds * 1000));
		if (!got)
			return;
		translate(self, &e, out);
	} while (out->kind == INPUT_NONE && seconds < 0);
}

static double seconds(void *self)
{
	(void)self;
	return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

static bool copy(void *self, const char *text)
{
	(void)self;
	return SDL_SetClipboardText(text) == 0;
}

static void title(void *self, const char *text)
{
	struct window *w = self;
	char name[200];
	snprintf(name, sizeof name, "%s - warpbeam", text);
	SDL_SetWindowTitle(w->window, name);
}

static struct host window_host(struct window *w)
{
	return (struct host){w, canvas_of, present, input, seconds, copy, title};
}

static bool window_type(struct window *w, const char *keys)
{
	w->keys = w->next = strdup(keys);
	return w->keys && SDL_PushEvent(&(SDL_Event){.type = w->typed}) == 1;
}

__attribute__((visibility("default"))) const struct window_calls window_calls = {
	.open = window_open,
	.close = window_close,
	.host = window_host,
	.type = window_type,
};
