/* Between the two steps that make PTX of OpenCL C: LLVM's text, in which a contraction has a name of its own and the
 * kernels' parameters have the types of the source. */
#ifndef WB_TOOLCHAIN_OPENCL_TEXT_H
#define WB_TOOLCHAIN_OPENCL_TEXT_H

#include "core/base/arena.h"
#include "core/image.h"

/* Part of the key of a cached object: to be raised with each change of texts by the functions below or by
 * opencl_formats. */
#define OPENCL_TEXT_EDITION "text 6"

/* The text for the third step: products and sums that may be one operation are the machine's mad, and unaligned loads
 * of 16 bytes are two. NULL: the host has no memory. */
char *opencl_for_ptx(struct arena *a, const char *text, size_t n, size_t *size);
/* The text for an object of clang up to 16, in which an element of a vector is stored where the element belongs
 * (toolchain/opencl/elements.c); plain: compiled without optimisation. *arrays: private arrays of bytes would be made
 * vectors. NULL: the host has no memory. */
char *opencl_for_objects(struct arena *a, const char *text, size_t n, bool plain, size_t *size, bool *arrays);
/* Comments about the kernels' parameters, for the end of the PTX; "" without any. NULL: the host has no memory. */
char *opencl_params(struct arena *a, const char *text, size_t n);
/* Give the kernels of an image the parameters from comments at the end of the PTX. False: the host has no memory. */
bool opencl_take_params(struct image *im, const char *ptx, size_t n);

#endif
