/* What clang makes of a source, PTX or a code object, is loaded like any other; then the source takes its place in
 * views, and the source's comments set the launch. */
#include <string.h>

#include "toolchain/files.h"
#include "toolchain/language.h"
#include "toolchain/opencl/directives.h"
#include "toolchain/opencl/make.h"
#include "toolchain/ptx.h"

static bool no_kernel(struct build *b)
{
	return diag_set(b->diag, DIAG_INPUT, "the source has no kernel: found no __global__ function that is a "
			"function of its own or an instance of a template");
}

/* Of a source whose functions and variables may be in others only the text is wanted: a kernel stands for the image,
 * which nobody launches. */
static bool load_relocatable(struct build *b)
{
	static const char nothing[] = ".version 6.5\n.target sm_70\n.entry relocatable () { ret; }\n";

	return ptx_image(b, nothing, sizeof nothing - 1, b->name);
}

/* A source with functions of the host alone has PTX without kernels, and so has NVRTC's source for a link. */
static bool load_ptx(struct build *b, const struct opencl_object *o)
{
	bool rtc = strstr(b->options->defines, "__WARPBEAM_RTC__") && !memmem(o->bytes, o->size, ".entry", 6);

	if (rtc || strstr(b->options->defines, "__WARPBEAM_RELOCATABLE__"))
		return load_relocatable(b);
	return memmem(o->bytes, o->size, ".entry", 6) ? opencl_load_ptx(b, o) : no_kernel(b);
}

/* The names of a code object's kernels end in ".kd". */
static bool load_object(struct build *b, const struct opencl_object *o)
{
	return memmem(o->bytes, o->size, ".kd", 4) ? file_load(b, o->bytes, o->size, "code-object", NULL)
						   : no_kernel(b);
}

static bool make(struct build *b, enum source_language l, const char *format,
		 bool (*load)(struct build *b, const struct opencl_object *o))
{
	const struct build_options *given = b->options;
	struct build_options own;
	struct opencl_object o;
	bool made = directives_chip(b, &own) &&
		    opencl_compile(b, l, &o) &&
		    load(b, &o) &&
		    opencl_put_source(b, &o, format) &&
		    directives_take(b->image, b->bytes, b->diag);

	b->options = given;
	return made || diag_in_file(b->diag, b->name);
}

bool cuda_make(struct build *b) { return make(b, CUDA_CPP, "cuda", load_ptx); }
bool hip_make(struct build *b) { return make(b, HIP_CPP, "hip", load_object); }
