/* The assembler as a loader of programs. */
#ifndef WB_API_ASSEMBLY_H
#define WB_API_ASSEMBLY_H

#include "core/load/load.h"
#include "warpbeam.h"

/* A program being loaded, and the options to load it under. */
struct loading {
	const struct wb_config *config;
	struct wb_program *program;
};

/* load_options.assemble: text to the kernels of an image. o->assemble_context is a struct loading. */
bool assemble_image(const char *text, size_t size, const struct load_options *o, struct image *im, struct diag *d);

#endif
