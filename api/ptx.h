/* PTX as a kind of program: compiled here to a native program. */
#ifndef WB_API_PTX_H
#define WB_API_PTX_H

#include "device/launch.h"
#include "core/load/load.h"

/* Whether the program is PTX, by its first statement or by --format. */
bool ptx_is(const struct wb_config *c, const void *bytes, size_t n);
/* Compile n bytes of PTX to p->image. The source is the PTX; beside are lines of the file called `source`, NULL: of the
 * file in .loc directives. --max-memory and --max-seconds bound the compilation. A diagnostic has a line of the PTX. */
bool ptx_image(struct wb_program *p, const struct wb_config *c, const char *name, const void *bytes, size_t n,
	       const char *source, struct load_options *o, struct diag *d);
/* The text of the file whose lines are beside the PTX becomes the image's source, and the PTX goes beside. False: the
 * host has no memory; `text` may be NULL then. */
bool source_beside(struct image *im, const char *text);
/* Read the file in C that p->image names as the source, if the file exists and --files lets the program name it. */
bool ptx_find_source(struct wb_program *p, const struct wb_config *c, struct diag *d);
/* The source's line of a line of the PTX; 0: unknown. */
int ptx_source_line(const void *bytes, size_t n, int ptx_line);
/* Compile n bytes of PTX called `name` and load the result into p->image; the source is the file in .loc directives,
 * else the PTX. `o` has the assembler. The diagnostic has line and column. */
bool ptx_load(struct wb_program *p, const struct wb_config *c, const char *name, const void *bytes, size_t n,
	      struct load_options *o, struct diag *d);

#endif
