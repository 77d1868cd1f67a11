/* PTX as a language of programs: compiled here to a native program. */
#ifndef WB_TOOLCHAIN_PTX_H
#define WB_TOOLCHAIN_PTX_H

#include "toolchain/build.h"

/* Compile n bytes of PTX to b->image. The source is the PTX; beside are lines of the file called `source`, NULL: of the
 * file in .loc directives. The diagnostic has a line of the PTX. */
bool ptx_image(struct build *b, const char *ptx, size_t n, const char *source);
/* The text with functions malloc and free behind, where the text declares one of them: in the arena, and *n has the new
 * size. NULL: no memory. */
const char *ptx_with_heap(struct arena *a, const char *ptx, size_t *n);
/* The line of `source` for a line of the PTX: of what a header's function has, the line before; 0: unknown. */
int ptx_source_line(const char *ptx, size_t n, const char *source, int ptx_line);

#endif
