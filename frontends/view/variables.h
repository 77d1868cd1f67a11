/* Variables of C in the views: rows of Watch, and the name under the mouse in Source. */
#ifndef WB_FRONTENDS_VIEW_VARIABLES_H
#define WB_FRONTENDS_VIEW_VARIABLES_H

#include "frontends/view/view.h"

/* Read a watched variable of the selected warp. False: the row's name is no variable of the program. */
bool variable_watched(const struct model *m, struct watched *w, uint64_t *value);
/* Call `add` with each path of a variable in the n characters of a source's line that has a value for the selected
 * warp. */
void variables_in_line(const struct model *m, const char *text, int n,
		       void (*add)(struct model *m, const char *name, size_t n, char format), struct model *to);
/* The variable at a column of a source's line, from 0, in words: "v = 0 1 2 … (uint, v3)". False: none is there. */
bool variable_at(const struct model *m, const char *text, int n, int column, char *out, size_t size);

#endif
