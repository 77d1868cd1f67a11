/* A shader as a program image: one image for each entry point, since entry points differ in program type. */
#ifndef WB_CORE_ISA_PICA_SHADER_IMAGE_H
#define WB_CORE_ISA_PICA_SHADER_IMAGE_H

#include "core/image.h"
#include "core/shader.h"

struct diag;

/* Fill im and the images chained behind. s and the memory behind its pointers live as long as im (in its arena). */
bool shader_image(const struct shader *s, struct image *im, struct diag *d);

#endif
