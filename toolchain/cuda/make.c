/* The PTX that clang makes of a source is compiled like any other; then the source takes the place of the PTX in views,
 * and its comments set the launch. */
#include <string.h>

#include "toolchain/cuda/cuda.h"
#include "toolchain/opencl/compile.h"
#include "toolchain/opencl/directives.h"
#include "toolchain/opencl/make.h"

/* A source whose functions are all the host's has PTX without kernels. */
static bool has_kernels(struct build *b, const struct opencl_object *o)
{
	return memmem(o->bytes, o->size, ".entry", 6) ||
	       diag_set(b->diag, DIAG_INPUT, "the source has no kernel: found no __global__ function that is a "
			"function of its own or an instance of a template");
}

bool cuda_make(struct build *b)
{
	struct opencl_object o;

	return (opencl_compile(b, true, &o) &&
		has_kernels(b, &o) &&
		opencl_load_ptx(b, &o) &&
		opencl_put_source(b, &o, "cuda") &&
		directives_take(b->image, b->bytes, b->diag)) || diag_in_file(b->diag, b->name);
}
