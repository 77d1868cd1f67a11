/* Built-in functions of our own (builtins.cl), as much of them as a source names. */
#ifndef WB_TOOLCHAIN_OPENCL_BUILTINS_H
#define WB_TOOLCHAIN_OPENCL_BUILTINS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/sha256.h"

struct build_options;

struct opencl_builtins {
	const char *library;    /* OpenCL C to be linked in front of libclc; "": the source needs none of it */
	const char *prologue;   /* text to stand before the source, with its own line count; often "" */
};

/* Built-ins for a preprocessed source of `size` bytes; new_hidden: hidden arguments are as code objects from version 5
 * on have them; ptx: the compiler makes PTX; o: the checks that code obeys. False: the host has no memory. */
bool opencl_builtins(struct arena *a, const char *source, size_t size, bool new_hidden, bool ptx,
		     const struct build_options *o, struct opencl_builtins *out);

/* Add all of builtins.cl to a hash. */
void opencl_builtins_hash(struct sha256 *s);

#endif
