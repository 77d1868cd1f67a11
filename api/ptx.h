/* PTX as a kind of program: compiled here to a native program. */
#ifndef WB_API_PTX_H
#define WB_API_PTX_H

#include "api/launch.h"
#include "core/load/load.h"

/* Whether the program is PTX, by its first statement or by --format. */
bool ptx_is(const struct wb_config *c, const void *bytes, size_t n);
/* Compile n bytes of PTX to p->image. The lines are those of the PTX (source NULL), or of the source file called
 * `source`, as .loc directives say. The diagnostic's line is that of the PTX. */
bool ptx_image(struct wb_program *p, const struct wb_config *c, const char *name, const void *bytes, size_t n,
	       const char *source, struct load_options *o, struct diag *d);
/* The source's line of a line of the PTX; 0: unknown. */
int ptx_source_line(const void *bytes, size_t n, int ptx_line);
/* Compile n bytes of PTX called `name` and load the result into p->image, whose lines are those of the PTX. `o` has the
 * assembler. The diagnostic has line and column. */
bool ptx_load(struct wb_program *p, const struct wb_config *c, const char *name, const void *bytes, size_t n,
	      struct load_options *o, struct diag *d);

#endif
