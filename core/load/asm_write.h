/* Writing the directives of an assembly file (core/isa/asm.h): the contents of an image besides code. */
#ifndef WB_CORE_LOAD_ASM_WRITE_H
#define WB_CORE_LOAD_ASM_WRITE_H

#include <stdio.h>

struct image;
struct image_kernel;

/* Write the directives of one kernel, .kernel first. Variables in global memory have no directive and go into
 * comments. */
void asm_write_kernel(const struct image *im, const struct image_kernel *k, FILE *out);
/* Write the directives of the memory that an image with code_in_global has beside its code. */
void asm_write_memory(const struct image *im, FILE *out);

#endif
