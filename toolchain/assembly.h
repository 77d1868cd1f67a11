/* The assembler as a loader of programs. */
#ifndef WB_TOOLCHAIN_ASSEMBLY_H
#define WB_TOOLCHAIN_ASSEMBLY_H

#include "core/isa/asm.h"
#include "core/load/load.h"

/* load_options.assemble: text to the kernels of an image. load->assemble_context is a struct build. */
bool assemble_image(const char *text, size_t size, const struct load_options *load, struct image *im, struct diag *d);

/* The machine with a language of its own beside the engine's, which the text is in; NULL: none. */
const struct isa_ops *isa_with_language(const char *text, size_t size);

/* Kernels with copies of everything become those of an image; false: the host has no memory. */
bool kernels_image(const struct asm_kernel *kernels, size_t n, const char *chip, const char *mode, struct image *im);

#endif
