/* Lines of a source: each where it lies in the text, and as it is shown. */
#ifndef WB_FRONTENDS_VIEW_SOURCE_H
#define WB_FRONTENDS_VIEW_SOURCE_H

#include <stddef.h>

/* Line 1 is the first; *n: its bytes without the line's end, 0 behind the last. A NULL text has no lines. */
const char *source_line(const char *text, int line, int *n);
/* The n bytes at `from` with blanks up to the next multiple of 8 columns for a tab, cut to what `to` holds. */
void source_expand(char *to, size_t size, const char *from, int n);
/* The byte of the n bytes at `from` that source_expand puts at a column, from 0; n: behind the last. */
int source_offset(const char *from, int n, int column);

#endif
