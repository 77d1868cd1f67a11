/* The terminal with ncurses. A canvas of cells is written as a whole each time; ncurses sends what has changed. Colours
 * become the nearest of 256 or 8, in pairs that are made when first used; characters become ASCII where the locale is
 * not UTF-8. */
#include "frontends/tui/terminal.h"

#include <langinfo.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "frontends/view/font.h"

enum { PAIRS = 256 };

struct terminal {
	SCREEN *screen;
	struct canvas canvas;
	bool colour, utf8;
	int npairs;
	struct {
		short fore, back;
	} pair[PAIRS]; /* pair[i] is ncurses' pair i + 1 */
};

struct terminal *terminal_open(bool colour, struct wb_diag *d)
{
	struct terminal *t = calloc(1, sizeof *t);
	const char *type = getenv("TERM");
	*d = (struct wb_diag){.status = WB_ENV, .offset = -1};
	if (!t || !isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)) {
		snprintf(d->text, sizeof d->text, "no terminal found; use `warpbeam shot` or `warpbeam tui --print`");
		free(t);
		return NULL;
	}
	t->screen = newterm(type, stdout, stdin);
	if (!t->screen) {
		snprintf(d->text, sizeof d->text, "the terminal type '%.40s' is not known here", type ? type : "");
		free(t);
		return NULL;
	}
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	curs_set(0);
	set_escdelay(25);
	t->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	t->colour = colour && has_colors() && start_color() == OK && COLORS >= 8;
	return t;
}

void terminal_close(struct terminal *t)
{
	if (!t)
		return;
	endwin();
	delscreen(t->screen);
	canvas_free(&t->canvas);
	free(t);
}

static struct canvas *canvas_of(void *self)
{
	struct terminal *t = self;
	if (t->canvas.cell && t->canvas.w == COLS && t->canvas.h == LINES)
		return &t->canvas;
	canvas_free(&t->canvas);
	return canvas_cells(&t->canvas, COLS, LINES, &themes[0]) ? &t->canvas : NULL;
}

/* ---- colours ---- */

/* The nearest of the 256 colours' cube, or of the 8. */
static short nearest_colour(uint32_t argb)
{
	int channel[3] = {argb >> 16 & 0xff, argb >> 8 & 0xff, argb & 0xff}, cube = 0, base = 0;
	for (int i = 0; i < 3; i++) {
		int step = channel[i] < 48 ? 0 : channel[i] < 115 ? 1 : (channel[i] - 35) / 40;
		cube = 6 * cube + step;
		base |= (channel[i] > 110) << i;
	}
	return (short)(COLORS >= 256 ? 16 + cube : base);
}

static int pair_of(struct terminal *t, uint32_t fore, uint32_t back)
{
	short f = nearest_colour(fore), b = nearest_colour(back);
	for (int i = 0; i < t->npairs; i++)
		if (t->pair[i].fore == f && t->pair[i].back == b)
			return i + 1;
	if (t->npairs == PAIRS || t->npairs + 1 >= COLOR_PAIRS || init_pair((short)(t->npairs + 1), f, b) != OK)
		return 0;
	t->pair[t->npairs].fore = f;
	t->pair[t->npairs].back = b;
	return ++t->npairs;
}

/* Without colours, what is selected or has changed is reversed. */
static attr_t attributes(struct terminal *t, const struct cell *c)
{
	const uint32_t *role = t->canvas.theme->role;
	attr_t a = c->bold ? A_BOLD : 0;
	if (t->colour)
		return a | (attr_t)COLOR_PAIR(pair_of(t, c->fore, c->back));
	return a | (c->back == role[ROLE_ACCENT] || c->back == role[ROLE_TITLE] ? A_REVERSE : 0);
}

/* ---- characters ---- */

static const struct {
	uint32_t code;
	char ascii;
} plain[] = {
	{0x25b6, '>'}, {0x25c0, '<'}, {0x25b2, '^'}, {0x2713, 'v'}, {0x2717, '!'}, {0x2026, '~'}, {0x00b7, '.'},
	{0x2013, '-'}, {0x2212, '-'}, {0x00d7, 'x'}, {0x2192, '>'}, {0x2191, '^'}, {0x2193, 'v'}, {0x25a0, '='},
	{0x25cf, '*'}, {0x25c6, '+'},
};

static void encode(const struct terminal *t, uint32_t code, char out[UTF8_MAX])
{
	if (code >= 0x80 && !t->utf8) {
		uint32_t ascii = code >= 0x2581 && code < 0x2588 ? '1' + code - 0x2581
				 : code >= 0x2588 && code <= 0x258f ? '#' : '?';
		for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
			ascii = plain[i].code == code ? (uint8_t)plain[i].ascii : ascii;
		code = ascii;
	}
	utf8_put(code ? code : ' ', out);
}

static void present(void *self)
{
	struct terminal *t = self;
	char text[UTF8_MAX];
	for (int y = 0; y < t->canvas.h; y++)
		for (int x = 0; x < t->canvas.w; x++) {
			const struct cell *c = &t->canvas.cell[(size_t)y * t->canvas.w + x];
			encode(t, c->code, text);
			attrset(attributes(t, c));
			mvaddstr(y, x, text);
		}
	refresh();
}

/* ---- keys ---- */

static const struct {
	int code;
	const char *name;
} named[] = {
	{'\n', "Enter"},
	{'\r', "Enter"},
	{KEY_ENTER, "Enter"},
	{27, "Esc"},
	{'\t', "Tab"},
	{KEY_BTAB, "S-Tab"},
	{KEY_BACKSPACE, "Backspace"},
	{127, "Backspace"},
	{8, "Backspace"},
	{' ', "Space"},
	{KEY_UP, "Up"},
	{KEY_DOWN, "Down"},
	{KEY_LEFT, "Left"},
	{KEY_RIGHT, "Right"},
	{KEY_HOME, "Home"},
	{KEY_END, "End"},
	{KEY_PPAGE, "PageUp"},
	{KEY_NPAGE, "PageDown"},
	{KEY_F(1), "F1"},
	{KEY_F(10), "F10"},
	{KEY_F(22), "S-F10"},
};

static void input(void *self, double seconds, struct input *out)
{
	(void)self;
	*out = (struct input){.kind = INPUT_NONE};
	timeout(seconds < 0 ? -1 : (int)(seconds * 1000));
	int code = getch();
	if (code == KEY_RESIZE) {
		out->kind = INPUT_RESIZE;
		return;
	}
	if (code == ERR) {
		out->kind = seconds < 0 ? INPUT_CLOSE : INPUT_NONE; /* the terminal is gone */
		return;
	}
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (named[i].code == code) {
			out->kind = INPUT_KEY;
			snprintf(out->key, sizeof out->key, "%s", named[i].name);
			return;
		}
	if (code > ' ' && code < 127) {
		out->kind = INPUT_KEY;
		snprintf(out->key, sizeof out->key, "%c", code);
	}
}

static double seconds(void *self)
{
	struct timespec now;
	(void)self;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct host terminal_host(struct terminal *t)
{
	return (struct host){t, canvas_of, present, input, seconds, NULL, NULL};
}
