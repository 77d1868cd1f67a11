/* The assembler as a loader of programs. */
#ifndef WB_TOOLCHAIN_ASSEMBLY_H
#define WB_TOOLCHAIN_ASSEMBLY_H

#include "core/load/load.h"

/* load_options.assemble: text to the kernels of an image. load->assemble_context is a struct build. */
bool assemble_image(const char *text, size_t size, const struct load_options *load, struct image *im, struct diag *d);

#endif
