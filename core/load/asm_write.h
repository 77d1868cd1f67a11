/* Writing the directives of an assembly file (core/isa/asm.h): the contents of an image besides code. */
#ifndef WB_CORE_LOAD_ASM_WRITE_H
#define WB_CORE_LOAD_ASM_WRITE_H

#include <stdio.h>

struct image;
struct image_kernel;

/* Write the directives of one kernel, .kernel first. Contents without a directive go into comments: an entry other than
 * 0, variables in global memory, parameters that do not follow one another by size. */
void asm_write_kernel(const struct image *im, const struct image_kernel *k, FILE *out);

#endif
