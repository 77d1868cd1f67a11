/* CUDA C++ as a language of programs: clang reads the source behind headers of our own (include/warpbeam/cuda), and the
 * functions that the headers call are OpenCL C over libclc (device.cl). The way of a source is that of OpenCL C. */
#ifndef WB_TOOLCHAIN_CUDA_CUDA_H
#define WB_TOOLCHAIN_CUDA_CUDA_H

#include "core/base/sha256.h"
#include "toolchain/build.h"

/* Compile b->bytes, and make b->image of the PTX; views show the source's text. */
bool cuda_make(struct build *b);
/* device.cl, in the arena. NULL: the host has no memory. */
char *cuda_device_text(struct arena *a);
void cuda_device_hash(struct sha256 *s);
/* The folder of the headers, in the arena: beside the code of this library, or above it. NULL: none, with a
 * diagnostic. */
char *cuda_headers(struct arena *a, struct diag *d);

#endif
