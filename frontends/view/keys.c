/* keys.def as a table, and its two pictures: the bottom line, which shows as many hints as fit but always ? and q
 * (a page has no q), and
 * the overlay with all keys in one to three columns. */
#include "frontends/view/keys.h"

#include <string.h>

static const struct key keys[] = {
#define KEY(key, command, help, hint) {key, command, help, hint},
#include "frontends/view/keys.def"
#undef KEY
};

enum { KEYS = sizeof keys / sizeof *keys };

const struct key *key_at(unsigned index)
{
	return index < KEYS ? &keys[index] : NULL;
}

const struct key *key_find(const char *key)
{
	for (unsigned i = 0; i < KEYS; i++)
		if (!strcmp(keys[i].key, key))
			return &keys[i];
	return NULL;
}

static int hint_width(const struct canvas *c, const struct key *k)
{
	return canvas_text_width(c, k->key) + canvas_text_width(c, k->hint) + 3 * c->cw;
}

/* The next key from index *i on with a hint in the bottom line, whose text goes from *x to *end; NULL: no more fit. */
static const struct key *next_hint(const struct canvas *c, const struct view *v, unsigned *i, int *x, int *end,
				   int right)
{
	const struct key *help = key_find("?"), *quit = key_find("q"); /* both are in keys.def */
	int kept = hint_width(c, help) + (v->endless ? 0 : hint_width(c, quit));
	for (*x = *end; *i < KEYS; ++*i) {
		const struct key *k = &keys[*i];
		bool keep = k == help || k == quit;
		if (!k->hint || (k == quit && v->endless) ||
		    *x + hint_width(c, k) > right + 2 * c->cw - (keep ? 0 : kept))
			continue;
		*end = *x + hint_width(c, k);
		++*i;
		return k;
	}
	return NULL;
}

int keys_hint(struct canvas *c, const struct view *v, int x, int y, int right)
{
	const struct key *k;
	int end = x;
	for (unsigned i = 0; (k = next_hint(c, v, &i, &x, &end, right));) {
		x = canvas_text(c, x, y, -1, canvas_role(c, ROLE_TEXT), TEXT_BOLD, k->key) + c->cw;
		canvas_text(c, x, y, -1, canvas_role(c, ROLE_DIM), 0, k->hint);
	}
	return end - 2 * c->cw;
}

const struct key *keys_hint_at(const struct canvas *c, const struct view *v, int x, int right, int at)
{
	const struct key *k;
	int end = x;
	for (unsigned i = 0; (k = next_hint(c, v, &i, &x, &end, right));)
		if (at >= x && at < end - c->cw)
			return k;
	return NULL;
}

void keys_overlay(struct canvas *c, const struct view *v)
{
	enum { KEY_CHARS = 10, MARGIN = 3 };
	int columns = c->w >= 150 * c->cw ? 3 : c->w >= 90 * c->cw ? 2 : 1, rows = (KEYS + columns - 1) / columns;
	int margin = c->pixel ? MARGIN * c->cw : 1, most = (c->h - 2 * margin) / c->rh - 3;
	int shown = rows > most ? most : rows, skip = rows > most ? v->scroll[PANE_explain] : 0;
	struct rect r = {c->pixel ? margin : 0, margin, c->w - (c->pixel ? 2 * margin : 0), (shown + 3) * c->rh};
	int step = (r.w - 2 * c->cw) / columns;
	canvas_fill(c, r, canvas_role(c, ROLE_TITLE));
	canvas_ring(c, r, canvas_role(c, ROLE_ACCENT));
	canvas_text(c, r.x + 2 * c->cw, r.y + c->hair * 5, -1, canvas_role(c, ROLE_ACCENT), TEXT_BOLD, "Keys");
	canvas_text(c, r.x + 8 * c->cw, r.y + c->hair * 5, r.w - 10 * c->cw, canvas_role(c, ROLE_DIM), 0,
		    rows > most ? "↑ ↓ scroll, Esc closes" : "Esc closes; every command can be typed after ':'");
	skip = skip > rows - shown ? rows - shown : skip < 0 ? 0 : skip;
	for (int i = 0; i < KEYS; i++) {
		int column = i / rows, row = i % rows - skip, x = r.x + 2 * c->cw + column * step,
		    y = r.y + (row + 2) * c->rh;
		if (row < 0 || row >= shown)
			continue;
		canvas_text(c, x, y, (KEY_CHARS - 1) * c->cw, canvas_role(c, ROLE_TEXT), TEXT_BOLD, keys[i].key);
		canvas_text(c, x + KEY_CHARS * c->cw, y, step - (KEY_CHARS + 1) * c->cw, canvas_role(c, ROLE_TEXT), 0,
			    keys[i].help);
	}
}
