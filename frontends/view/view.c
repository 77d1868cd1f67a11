/* Names of panes and colourings, and the view one begins with. */
#include "frontends/view/view.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *title, *shows;
	char key;
} panes[PANES] = {
#define PANE(id, key, title, shows) {#id, title, shows, key},
#include "frontends/view/pane.def"
#undef PANE
};

const char *pane_name(enum pane p)
{
	return panes[p].name;
}

const char *pane_title(enum pane p)
{
	return panes[p].title;
}

const char *pane_shows(enum pane p)
{
	return panes[p].shows;
}

char pane_key(enum pane p)
{
	return panes[p].key;
}

enum pane pane_find(const char *name)
{
	int i = 0;
	while (i < PANES && strcmp(panes[i].name, name))
		i++;
	return (enum pane)i;
}

static const char *const colourings[COLOUR_BYS] = {"lanes", "state", "pc", "depth", "block"};

const char *colour_by_name(enum colour_by by)
{
	return colourings[by];
}

void view_init(struct view *v, const char *title)
{
	*v = (struct view){.title = title,
			   .focus = PANE_board,
			   .front = {[0 ... FRONTS - 1] = PANES},
			   .mp = -1,
			   .slot = -1,
			   .pc = -1,
			   .left_cycle = -1,
			   .speed = 10,
			   .mouse_x = -1,
			   .mouse_y = -1,
			   .mark = -1};
}

void view_begin(struct view *v)
{
	struct view begun;

	view_init(&begun, v->title);
	v->focus = begun.focus;
	v->alone = begun.alone;
	memcpy(v->front, begun.front, sizeof v->front);
	v->mp = begun.mp;
	v->slot = begun.slot;
	v->pc = begun.pc;
	v->thread = 0;
	v->colour = begun.colour;
	v->heat = begun.heat;
	v->zoom = begun.zoom;
	v->left_cycle = begun.left_cycle;
	v->open = begun.open;
	memcpy(v->watch, begun.watch, sizeof v->watch);
}

void view_focus(struct view *v, enum pane p)
{
	v->focus = p;
	if (p == PANE_stack || p == PANE_shared || p == PANE_watch)
		v->front[0] = p;
	if (p == PANE_bill || p == PANE_why || p == PANE_occupancy)
		v->front[1] = p;
	if (p == PANE_annotate || p == PANE_source || p == PANE_board)
		v->front[2] = p;
	if (p == PANE_board || p == PANE_map)
		v->front[FRONTS - 1] = p == PANE_map ? p : PANES; /* the board is in front by itself */
}
