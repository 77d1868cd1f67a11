/* Choosing an example: a list that typing narrows, and beside it a picture and the text of the choice at the cursor, on
 * the canvas of a view's host. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "frontends/view/host.h"
#include "frontends/view/pane.h"

enum { MOST = 256, WORD = 24, THUMB_W = 480, THUMB_H = 300, SHRINK = 2 };
#define MOMENT 0.25 /* seconds without a key before a picture is made */

struct chooser {
	const char *title;
	const struct choice *choices;
	int n, cursor;          /* cursor: index of the shown choices */
	int shown[MOST], nshown;
	char word[WORD];        /* typed */
	const struct thumbnails *thumbnails;
	int pictured;           /* choice in `picture`; -1: none */
	struct canvas picture;  /* of SHRINK times the thumbnail's size */
	bool drawn;             /* `picture` holds the thumbnail; false: drawing failed */
};

/* ---- the search ---- */

static bool has(const char *text, const char *word)
{
	for (; *text; text++)
		if (!strncasecmp(text, word, strlen(word)))
			return true;
	return !*word;
}

/* Show the choices that have the word, names before texts, with the cursor on `choice` or on the first. */
static void narrow(struct chooser *k, int choice)
{
	k->nshown = k->cursor = 0;
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < k->n && k->nshown < MOST; i++) {
			bool named = has(k->choices[i].name, k->word);
			if (named ? pass : !pass || !has(k->choices[i].text, k->word))
				continue;
			k->cursor = i == choice ? k->nshown : k->cursor;
			k->shown[k->nshown++] = i;
		}
}

static int current(const struct chooser *k)
{
	return k->nshown ? k->shown[k->cursor] : -1;
}

/* Type a letter, or take one back. False: the key is no letter. */
static bool typed(struct chooser *k, const char *key)
{
	size_t n = strlen(k->word);
	if (!strcmp(key, "Backspace") && n)
		k->word[n - 1] = '\0';
	else if (strlen(key) == 1 && isgraph((unsigned char)*key) && n + 1 < sizeof k->word)
		k->word[n] = *key;
	else
		return false;
	if (strlen(key) == 1)
		k->word[n + 1] = '\0';
	narrow(k, *k->word ? -1 : current(k));
	return true;
}

/* ---- pictures ---- */

/* Make the picture of the choice at the cursor. */
static void make_picture(struct chooser *k, int theme)
{
	int choice = current(k);
	k->pictured = choice;
	k->drawn = false;
	if (choice < 0 || !k->thumbnails ||
	    (!k->picture.pixel && !canvas_pixels(&k->picture, SHRINK * THUMB_W, SHRINK * THUMB_H, 1, &themes[theme])))
		return;
	k->picture.theme = &themes[theme];
	k->drawn = k->thumbnails->draw(k->thumbnails->context, choice, &k->picture);
}

/* The mean of SHRINK by SHRINK pixels. */
static uint32_t mean(const struct canvas *from, int x, int y)
{
	unsigned sum[3] = {0};
	for (int i = 0; i < SHRINK * SHRINK; i++) {
		uint32_t pixel = from->pixel[(y * SHRINK + i / SHRINK) * from->stride + x * SHRINK + i % SHRINK];
		for (int k = 0; k < 3; k++)
			sum[k] += pixel >> 8 * k & 255;
	}
	for (int k = 0; k < 3; k++)
		sum[k] /= SHRINK * SHRINK;
	return 0xff000000 | sum[2] << 16 | sum[1] << 8 | sum[0];
}

static void draw_picture(struct canvas *c, const struct chooser *k, struct rect r)
{
	canvas_fill(c, r, canvas_role(c, ROLE_BACK));
	if (k->pictured == current(k) && k->drawn)
		for (int y = 0; y < r.h && y < THUMB_H; y++) {
			uint32_t line[THUMB_W];
			for (int x = 0; x < THUMB_W; x++)
				line[x] = mean(&k->picture, x, y);
			canvas_columns(c, (struct rect){r.x, r.y + y, r.w < THUMB_W ? r.w : THUMB_W, 1}, line);
		}
	canvas_ring(c, r, canvas_role(c, ROLE_EDGE));
}

/* ---- drawing ---- */

struct parts {
	struct rect list, picture, text;
	int first_shown; /* of the shown choices, in the top row of the list */
};

static struct parts parts_of(const struct canvas *c, const struct chooser *k)
{
	int bar = c->rh + (c->pixel ? 10 : 1), space = (c->h - 2 * bar) / c->rh, side = c->pixel ? 10 : 1;
	int rows = k->nshown < space ? k->nshown : space, beside = THUMB_W + 2 * side;
	struct parts p = {.list = {0, bar, c->w, rows * c->rh}};
	p.first_shown = k->cursor - rows / 2;
	p.first_shown = p.first_shown > k->nshown - rows ? k->nshown - rows : p.first_shown;
	p.first_shown = p.first_shown < 0 ? 0 : p.first_shown;
	if (!c->pixel || c->w < beside + 80 * c->cw || c->h < THUMB_H + 12 * c->rh)
		return p;
	p.list.w = c->w - beside;
	p.picture = (struct rect){p.list.w + side, bar, THUMB_W, THUMB_H};
	p.text = p.picture;
	p.text.y += THUMB_H + c->rh / 2;
	p.text.h = c->h - bar - p.text.y;
	return p;
}

static void draw_list(struct canvas *c, const struct chooser *k, const struct parts *p)
{
	int side = c->pixel ? 10 : 1, names = 26 * c->cw;
	for (int i = p->first_shown; i < k->nshown && (i - p->first_shown) * c->rh < p->list.h; i++) {
		const struct choice *one = &k->choices[k->shown[i]];
		int y = p->list.y + (i - p->first_shown) * c->rh;
		bool here = i == k->cursor;
		if (here)
			canvas_fill(c, (struct rect){0, y, p->list.w, c->rh}, canvas_role(c, ROLE_SELECT));
		canvas_text(c, side, y, c->cw, canvas_role(c, ROLE_ACCENT), TEXT_BOLD, here ? "▶" : " ");
		canvas_text(c, side + 2 * c->cw, y, names - 3 * c->cw, canvas_role(c, ROLE_TEXT), here ? TEXT_BOLD : 0,
			    one->name);
		canvas_text(c, side + names, y, p->list.w - names - side,
			    canvas_role(c, here ? ROLE_TEXT : ROLE_DIM), 0, one->text);
	}
	if (!k->nshown)
		canvas_text(c, side + 2 * c->cw, p->list.y, -1, canvas_role(c, ROLE_DIM), 0,
			    "no example has that in its name or its first line; Backspace takes a letter back");
}

/* The comment at the head of a text, its lines joined. */
static void draw_detail(struct canvas *c, const struct choice *k, struct rect r)
{
	char prose[1200];
	size_t n = 0;
	int y = r.y;
	for (const char *p = k->detail; p && !strncmp(p, "//", 2);) {
		const char *text = p + 2 + strspn(p + 2, " ");
		size_t length = strcspn(text, "\n");
		p = text + length + (text[length] == '\n');
		if (!length && n) { /* a paragraph ends */
			y = pane_wrap(c, r, y, canvas_role(c, ROLE_TEXT), 0, prose) + c->rh / 2;
			n = 0;
		} else if (n + length + 2 < sizeof prose) {
			n += (size_t)snprintf(prose + n, sizeof prose - n, "%s%.*s", n ? " " : "", (int)length, text);
		}
	}
	if (n)
		pane_wrap(c, r, y, canvas_role(c, ROLE_TEXT), 0, prose);
}

static void draw_choices(struct canvas *c, const struct chooser *k)
{
	int side = c->pixel ? 10 : 1, bar = c->rh + (c->pixel ? 7 : 1), foot = c->h - c->rh - 5 * c->hair;
	struct parts p = parts_of(c, k);
	canvas_fill(c, c->clip, canvas_role(c, ROLE_PANEL));
	canvas_fill(c, (struct rect){0, 0, c->w, bar - 2 * c->hair}, canvas_role(c, ROLE_BACK));
	int x = canvas_text(c, side, 3 * c->hair, -1, canvas_role(c, ROLE_ACCENT), TEXT_BOLD, "warpbeam") + 2 * c->cw;
	if (*k->word)
		canvas_printf(c, x, 3 * c->hair, c->w - x, canvas_role(c, ROLE_TEXT), TEXT_BOLD, "search: %s", k->word);
	else
		canvas_text(c, x, 3 * c->hair, c->w - x, canvas_role(c, ROLE_TEXT), 0, k->title);
	draw_list(c, k, &p);
	if (p.picture.w && k->nshown) {
		draw_picture(c, k, p.picture);
		draw_detail(c, &k->choices[current(k)], p.text);
	}
	canvas_fill(c, (struct rect){0, foot, c->w, c->h - foot}, canvas_role(c, ROLE_BACK));
	canvas_text(c, side, foot + 2 * c->hair, c->w - side, canvas_role(c, ROLE_DIM), 0,
		    *k->word ? "↑ ↓ choose   Enter opens   Backspace, Esc: back to all"
			     : "type to search   ↑ ↓ choose   Enter opens   Esc quits; in a program q comes back here");
}

/* ---- input ---- */

static int moved(const char *key, int at, int n)
{
	int step = !strcmp(key, "Down")       ? 1
		   : !strcmp(key, "Up")       ? -1
		   : !strcmp(key, "PageDown") ? 10
		   : !strcmp(key, "PageUp")   ? -10
		   : !strcmp(key, "End")      ? n
		   : !strcmp(key, "Home")     ? -n
					      : 0;
	at += step;
	return at >= n ? (n ? n - 1 : 0) : at < 0 ? 0 : at;
}

/* True: the user has chosen *chosen, or (-1) nothing. */
static bool chosen_by(const struct canvas *c, struct chooser *k, const struct input *in, int *chosen)
{
	struct parts p = parts_of(c, k);
	bool key = in->kind == INPUT_KEY, escape = key && !strcmp(in->key, "Esc");
	*chosen = -1;
	if (in->kind == INPUT_CLOSE || (escape && !*k->word))
		return true;
	if (escape) {
		k->word[0] = '\0';
		narrow(k, current(k));
	} else if (in->kind == INPUT_PRESS && in->x < p.list.w && in->y >= p.list.y && in->y < p.list.y + p.list.h) {
		*chosen = k->shown[p.first_shown + (in->y - p.list.y) / c->rh];
		return true;
	} else if (key && (!strcmp(in->key, "Enter") || !strcmp(in->key, "Space"))) {
		*chosen = current(k);
		return *chosen >= 0;
	} else if (key && !typed(k, in->key)) {
		k->cursor = moved(in->key, k->cursor, k->nshown);
	}
	return false;
}

int host_choose(const struct host *h, const char *title, const struct choice *choices, int n, int at, int theme,
		const struct thumbnails *t)
{
	struct chooser k = {.title = title, .choices = choices, .n = n, .thumbnails = t, .pictured = -1};
	struct input in = {.kind = INPUT_RESIZE};
	int chosen = -1;
	narrow(&k, at);
	if (h->title)
		h->title(h->self, "gallery");
	for (;;) {
		struct canvas *c = h->canvas(h->self);
		if (!c || !n)
			break;
		c->theme = &themes[theme];
		c->clip = (struct rect){0, 0, c->w, c->h};
		if (in.kind != INPUT_POINT && in.kind != INPUT_RELEASE) {
			draw_choices(c, &k);
			h->present(h->self);
		}
		bool wanted = t && parts_of(c, &k).picture.w && k.pictured != current(&k);
		h->input(h->self, wanted ? MOMENT : -1, &in);
		if (in.kind == INPUT_NONE && wanted)
			make_picture(&k, theme);
		else if (chosen_by(c, &k, &in, &chosen))
			break;
	}
	canvas_free(&k.picture);
	return chosen;
}
