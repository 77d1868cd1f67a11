/* Drawing functions for all panes. */
#include "frontends/view/pane.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "frontends/view/font.h"

/* Where the last " · …" of a text begins, or NULL. */
static char *last_part(char *text)
{
	char *found = NULL;
	for (char *p = text; (p = strstr(p, " · ")); p++)
		found = p;
	return found;
}

void pane_note(struct canvas *c, const struct box *b, const char *fmt, ...)
{
	char text[200];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	int w, space = b->title.w - 2 * c->cw;
	char *part;
	while ((w = canvas_text_width(c, text)) > space && (part = last_part(text)))
		*part = '\0';
	if (w <= space)
		canvas_text(c, b->title.x + b->title.w - w, b->title.y, space, canvas_role(c, ROLE_DIM), 0, text);
}

/* Bytes of text that fit n characters, broken at a blank if possible. */
static size_t fitting(const char *text, int n)
{
	const char *p = text, *blank = NULL;
	for (int i = 0; i < n && *p; i++) {
		if (*p == ' ' && i)
			blank = p;
		utf8_next(&p);
	}
	return (size_t)((!*p || *p == ' ' || !blank ? p : blank) - text);
}

int pane_wrapped(const char *text, int chars)
{
	int rows = 0;
	for (; *text; rows++) {
		size_t n = fitting(text, chars);
		text += n ? n : 1;
		text += *text == ' ';
	}
	return rows;
}

int pane_wrap(struct canvas *c, struct rect r, int y, uint32_t colour, unsigned flags, const char *text)
{
	while (*text && y + c->rh <= r.y + r.h) {
		bool last = y + 2 * c->rh > r.y + r.h;
		size_t n = last ? strlen(text) : fitting(text, r.w / c->cw);
		char row[512];
		snprintf(row, sizeof row, "%.*s", (int)n, text);
		canvas_text(c, r.x, y, r.w, colour, flags, row);
		text += n ? n : 1;
		text += *text == ' ';
		y += c->rh;
	}
	return y;
}

void pane_empty(struct canvas *c, const struct box *b, const char *text)
{
	int y = b->body.y + (b->body.h > 4 * c->rh ? c->rh : 0);
	pane_wrap(c, b->body, y, canvas_role(c, ROLE_DIM), 0, text);
}

int pane_rows(int space, int n)
{
	return n <= space ? n : space > 0 ? space - 1 : 0;
}

void pane_more(struct canvas *c, const struct rect *body, int y, int hidden, const char *what)
{
	if (hidden > 0 && y + c->rh <= body->y + body->h)
		canvas_printf(c, body->x, y, body->w, canvas_role(c, ROLE_DIM), 0, "… %d more %s, ↓ scrolls",
			      hidden, what);
}

const char *pane_mp(char text[24], const struct model *m)
{
	snprintf(text, 24, m->machine.mps > 1 ? "MP %u of %u" : "MP %u", m->mp.number, m->machine.mps);
	return text;
}

const char *pane_warp(char text[32], const struct model *m, uint32_t block, uint32_t warp)
{
	snprintf(text, 32, m->terms.blocks ? "b%u w%u" : "w%u", block, warp);
	return text;
}

const char *pane_warp_full(char text[32], const struct model *m, uint32_t block, uint32_t warp)
{
	snprintf(text, 32, m->terms.blocks ? "block %u warp %u" : "warp %u", block, warp);
	return text;
}

/* A working warp as a bar, a wait as the warp frames. Hues that green and red weak eyes confuse differ in brightness. A
 * reason without a colour takes a step of the quantities' colours. */
uint32_t stall_colour(const struct theme *t, unsigned reason)
{
	bool light = luminance(t->role[ROLE_PANEL]) > 0.5;
	uint32_t a = mark_on(t, t->role[ROLE_HATCH]), b = mark_on(t, t->role[ROLE_DIM]);
	uint32_t own = wb_stall_colour(reason, light);
	if (!reason)
		return t->role[ROLE_GOOD];
	if (reason == 1) /* a dark grey: the least important reason */
		return luminance(a) < luminance(b) ? a : b;
	if (reason >= wb_stalls() - 1)
		return t->role[ROLE_HATCH];
	return mark_on(t, own ? 0xff000000u | own : ramp_colour((double)reason / wb_stalls()));
}

const char *stall_words(char text[32], unsigned reason)
{
	snprintf(text, 32, "%s", wb_stall_name(reason));
	for (char *p = text; *p; p++)
		*p = *p == '_' ? ' ' : *p;
	return text;
}

const char *access_groups(const struct wb_access *a, bool several, char *text, size_t size)
{
	const char *article = several ? "the" : "a", *s = several ? "s" : "";

	if (a->groups == 2)
		snprintf(text, size, "%s half-warp%s", article, s);
	else
		snprintf(text, size, "%s group%s of %u lanes", article, s, a->group_lanes);
	return text;
}

const char *pane_number(char text[32], uint64_t n)
{
	char digits[24];
	int length = snprintf(digits, sizeof digits, "%" PRIu64, n), out = 0;
	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			text[out++] = ',';
		text[out++] = digits[i];
	}
	text[out] = '\0';
	return text;
}

/* Fewer cells than lanes: a cell for eight lanes, as high as the number of set bits. */
static int tick_groups(struct canvas *c, struct rect r, uint64_t mask, unsigned lanes, uint32_t colour)
{
	static const char *const heights[] = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	colour = text_on(c->theme, colour);
	for (unsigned i = 0; i < lanes / 8; i++)
		canvas_text(c, r.x + (int)i, r.y, -1, colour, 0, heights[__builtin_popcount(mask >> 8 * i & 0xff)]);
	return (int)lanes / 8;
}

int pane_ticks(struct canvas *c, struct rect r, uint64_t mask, unsigned lanes, uint32_t colour)
{
	if (c->cell && r.w < (int)lanes)
		return tick_groups(c, r, mask, lanes, colour);
	int gap = 2 * c->hair, gaps = (int)(lanes / 8 - 1) * gap, step = (r.w - gaps) / (int)lanes;
	int widest = c->pixel ? c->cw : 1;
	colour = mark_over(colour, canvas_role(c, ROLE_TROUGH));
	step = step > widest ? widest : step < 1 ? 1 : step;
	for (unsigned lane = 0; lane < lanes; lane++) {
		int x = r.x + (int)lane * step + (int)(lane / 8) * gap;
		bool set = mask >> lane & 1;
		canvas_fill(c,
			    (struct rect){x, r.y + 3 * c->hair, step - (step > 2 ? c->hair : 0), c->rh - 5 * c->hair},
			    set ? colour : canvas_role(c, ROLE_TROUGH));
		if (c->cell)
			canvas_text(c, x, r.y, -1, set ? ink_on(colour) : canvas_role(c, ROLE_DIM), 0,
				    set ? "#" : ".");
	}
	return (int)lanes * step + gaps;
}

void pane_letter(struct canvas *c, struct rect r, uint32_t colour, const char *letter)
{
	for (int x = 0; c->cell && x < r.w; x++)
		canvas_text(c, r.x + x, r.y, -1, ink_on(colour), 0, letter);
	if (c->pixel && r.w >= 3 * c->cw && r.h >= c->rh - 4)
		canvas_text(c, r.x + (r.w - c->cw) / 2, r.y + (r.h - c->rh) / 2, -1, ink_on(colour), TEXT_OVER,
			    letter);
}

int pane_legend(struct canvas *c, int x, int y, int right, enum lane_state s)
{
	const struct lane_look *look = &lane_looks[s];
	int tile = c->pixel ? 2 * c->cw : c->cw, w = tile + canvas_text_width(c, look->name) + 3 * c->cw;
	if (x + w > right)
		return right;
	canvas_tile(c, (struct rect){x, y + c->hair, tile - c->hair, c->rh - 2 * c->hair}, s, true);
	canvas_text(c, x + tile + c->cw / 2 + !c->hair, y, -1, canvas_role(c, ROLE_DIM), 0, look->name);
	return x + w;
}
