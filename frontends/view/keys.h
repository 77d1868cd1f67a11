/* The one table of keys. */
#ifndef WB_FRONTENDS_VIEW_KEYS_H
#define WB_FRONTENDS_VIEW_KEYS_H

#include "frontends/view/view.h"

struct key {
	const char *key, *command, *help, *hint;
};

/* NULL past the end. */
const struct key *key_at(unsigned index);
/* NULL: the key does nothing. */
const struct key *key_find(const char *key);

/* The short list in the bottom line; returns the x behind it. */
int keys_hint(struct canvas *c, const struct view *v, int x, int y, int right);
/* The key at a point of that line, drawn from x on; NULL: between keys. */
const struct key *keys_hint_at(const struct canvas *c, const struct view *v, int x, int right, int at);
/* All of them, over the panes. */
void keys_overlay(struct canvas *c, const struct view *v);

#endif
