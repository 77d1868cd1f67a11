/* OpenCL C as a language of programs. */
#ifndef WB_TOOLCHAIN_OPENCL_MAKE_H
#define WB_TOOLCHAIN_OPENCL_MAKE_H

#include "toolchain/build.h"

/* Compile b->bytes, and make b->image of the object; views show the source's text. */
bool opencl_make(struct build *b);

#endif
