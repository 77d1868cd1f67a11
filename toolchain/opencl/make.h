/* OpenCL C as a language of programs. */
#ifndef WB_TOOLCHAIN_OPENCL_MAKE_H
#define WB_TOOLCHAIN_OPENCL_MAKE_H

#include "toolchain/build.h"
#include "toolchain/opencl/compile.h"

/* Make b->image of a compiler's PTX; the diagnostic has the source's line. */
bool opencl_load_ptx(struct build *b, const struct opencl_object *o);
/* The source's text and the compiler's warnings, in b->image, instead of those of the object; format: the image's. */
bool opencl_put_source(struct build *b, const struct opencl_object *o, const char *format);

#endif
