/* From a source in OpenCL C, CUDA C++ or HIP C++ to an object: clang, a program of the host, compiles. */
#ifndef WB_TOOLCHAIN_OPENCL_COMPILE_H
#define WB_TOOLCHAIN_OPENCL_COMPILE_H

#include "toolchain/build.h"

enum source_language { OPENCL_C, CUDA_CPP, HIP_CPP };

/* Of a source: an AMD code object, or PTX. */
struct opencl_object {
	uint8_t *bytes;                  /* in the build's arena */
	size_t size;
	struct image_warning *warning;   /* of the compiler */
	size_t nwarnings;
};

/* Compile b->bytes, of that language. The object is noted as a file of the program; where all files are the
 * caller's, it is one of them. The diagnostic has the compiler's first error, with line and column. */
bool opencl_compile(struct build *b, enum source_language l, struct opencl_object *out);

#endif
