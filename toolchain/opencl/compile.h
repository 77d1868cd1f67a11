/* From a source in OpenCL C or CUDA C++ to an object: clang, a program of the host, compiles. */
#ifndef WB_TOOLCHAIN_OPENCL_COMPILE_H
#define WB_TOOLCHAIN_OPENCL_COMPILE_H

#include "toolchain/build.h"

/* Of a source: an AMD code object, or PTX. */
struct opencl_object {
	uint8_t *bytes;                  /* in the build's arena */
	size_t size;
	struct image_warning *warning;   /* of the compiler */
	size_t nwarnings;
};

/* Compile b->bytes, of CUDA C++ or OpenCL C. The object is noted as a file of the program; where all files are the
 * caller's, it is one of them. The diagnostic has the compiler's first error, with line and column. */
bool opencl_compile(struct build *b, bool cuda, struct opencl_object *out);

#endif
