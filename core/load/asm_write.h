/* Writing the directives of an assembly file (core/isa/asm.h): what an image says about its programs besides their
 * code. */
#ifndef WB_CORE_LOAD_ASM_WRITE_H
#define WB_CORE_LOAD_ASM_WRITE_H

#include <stdio.h>

struct image;
struct image_kernel;

/* Write the directives of one kernel, .kernel first. What the language has no words for goes into comments: another
 * entry than 0, variables in global memory, parameters that do not follow one another by their sizes. */
void asm_write_kernel(const struct image *im, const struct image_kernel *k, FILE *out);

#endif
