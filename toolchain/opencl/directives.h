/* Launch directives in the comments of a source in C. */
#ifndef WB_TOOLCHAIN_OPENCL_DIRECTIVES_H
#define WB_TOOLCHAIN_OPENCL_DIRECTIVES_H

#include "core/base/diag.h"
#include "core/image.h"
#include "toolchain/build.h"
#include "toolchain/build_options.h"

/* Let *own, b's options with the chip that the source asks for where the caller names none, be b's options. */
bool directives_chip(struct build *b, struct build_options *own);
/* Copy launch directives in the comments of im's source, `text`, into its kernels. */
bool directives_take(struct image *im, const char *text, struct diag *d);

#endif
