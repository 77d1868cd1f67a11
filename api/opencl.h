/* OpenCL C as a kind of program: clang compiles it to an AMD code object, which is then loaded like any other. */
#ifndef WB_API_OPENCL_H
#define WB_API_OPENCL_H

#include "api/files.h"
#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/image.h"

/* Are these bytes a text in OpenCL C: by the name of the file, or as --format says? */
bool opencl_is(const struct wb_config *c, const char *name);
/* What the compiler said that did not stop it. */
struct opencl_warnings {
	size_t n;
	struct image_warning *warning;
};
/* Compile n bytes of source that diagnostics call `name`. The object is in the arena and noted among f; under
 * wb_config_files it is one of those files. The diagnostic has the compiler's first error, with its line and column. */
bool opencl_compile(const struct wb_config *c, struct files *f, struct arena *a, const char *name, const void *source,
		    size_t n, uint8_t **object, size_t *size, struct opencl_warnings *w, struct diag *d);

/* Put what the comments of im->source say about a launch into its kernels. */
bool opencl_launch(struct image *im, struct diag *d);

#endif
