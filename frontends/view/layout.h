/* The rectangles of the screen, and the panes in each. */
#ifndef WB_FRONTENDS_VIEW_LAYOUT_H
#define WB_FRONTENDS_VIEW_LAYOUT_H

#include "frontends/view/pane.h"

enum { TABS = 3, PLACES = 12 };

struct spot {
	struct rect rect; /* with title */
	int ntabs;      /* panes of the rectangle, shown in turns */
	enum pane tab[TABS], shown;
};

struct layout {
	struct rect header, footer;
	int n;
	struct spot spot[PLACES];
};

void layout_make(struct layout *l, const struct canvas *c, const struct view *v);
/* The title strip and the inside of a spot. */
struct box layout_box(const struct canvas *c, const struct rect *at);

#endif
