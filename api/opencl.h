/* OpenCL C as a kind of program: clang compiles the source to an AMD code object, loaded like any other. */
#ifndef WB_API_OPENCL_H
#define WB_API_OPENCL_H

#include "device/files.h"
#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/image.h"

/* Whether the program is OpenCL C, by the name of the file or by --format. */
bool opencl_is(const struct wb_config *c, const char *name);
/* Warnings of the compiler. */
struct opencl_warnings {
	size_t n;
	struct image_warning *warning;
};
/* Compile n bytes of source with the name `name` in diagnostics. The object is in the arena and noted in f; under
 * wb_config_files the object is one of the caller's files. The diagnostic has the compiler's first error, with line and
 * column. */
bool opencl_compile(const struct wb_config *c, struct files *f, struct arena *a, const char *name, const void *source,
		    size_t n, uint8_t **object, size_t *size, struct opencl_warnings *w, struct diag *d);

#endif
