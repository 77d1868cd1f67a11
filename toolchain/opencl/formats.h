/* Formats of printf in a source of OpenCL C, before the compiler sees them: LLVM for AMD stores no arguments of %F and
 * %A (AMDGPUPrintfRuntimeBinding knows "cdieEfgGaosuxXp"). */
#ifndef WB_TOOLCHAIN_OPENCL_FORMATS_H
#define WB_TOOLCHAIN_OPENCL_FORMATS_H

#include "core/base/arena.h"

/* Make %F and %A of each literal behind "printf(" %f and %a with a precision that begins with PRINT_CAPITALS
 * (core/print_text.h), the mark of capitals. Sets *source and *n to a copy in the arena, or leaves them without such a
 * format; each line stays a line. False: the host has no memory. */
bool opencl_formats(struct arena *a, const char **source, size_t *n);

#endif
