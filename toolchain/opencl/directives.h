/* Launch directives in the comments of a source in C. */
#ifndef WB_TOOLCHAIN_OPENCL_DIRECTIVES_H
#define WB_TOOLCHAIN_OPENCL_DIRECTIVES_H

#include "core/base/diag.h"
#include "core/image.h"

/* Copy launch directives in the comments of im's source, `text`, into its kernels. */
bool directives_take(struct image *im, const char *text, struct diag *d);

#endif
