/* CUDA C++ and HIP C++ as languages of programs: clang reads the source behind headers of our own (include/warpbeam),
 * and the functions that the headers call are OpenCL C over libclc (functions.cl, and cuda.cl or hip.cl). The way of
 * a source is that of OpenCL C (toolchain/opencl). */
#ifndef WB_TOOLCHAIN_CPP_CPP_H
#define WB_TOOLCHAIN_CPP_CPP_H

#include "core/base/sha256.h"
#include "toolchain/build.h"
#include "toolchain/opencl/compile.h"

/* The functions of a language, in the arena. NULL: the host has no memory. */
char *cpp_device_text(struct arena *a, enum source_language l);
void cpp_device_hash(struct sha256 *s, enum source_language l);
/* The folder of the headers' folders, cuda and hip, in the arena: beside the code of this library, or above it. NULL:
 * none, with a diagnostic. */
char *cpp_headers(struct arena *a, struct diag *d);

#endif
