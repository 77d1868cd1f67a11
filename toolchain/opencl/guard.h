/* --files for the compiler of OpenCL C: what the compiler, and with it the source, may read. */
#ifndef WB_TOOLCHAIN_OPENCL_GUARD_H
#define WB_TOOLCHAIN_OPENCL_GUARD_H

#include <stdbool.h>

#include "core/base/diag.h"
#include "toolchain/build_options.h"

/* Make *ruleset (host/landlock.h) for the compiler `program` on the file `source`: the compiler's installation, the
 * system's libraries, folders of -I, and with `input` the source's folder. The file `library` and the folder `headers`,
 * which C's headers of the system go with, may be NULL. *ruleset is -1 with `any`, and with `input` where the kernel
 * has no Landlock. `none` is an error there. */
bool opencl_guard(const struct build_options *o, const char *source, const char *program, const char *library,
		  const char *headers, int *ruleset, struct diag *d);
/* Whether the source names a file that --files refuses: the file exists, and `message`, the compiler's, has its
 * name. */
bool opencl_guard_refused(const struct build_options *o, const char *source, const char *message, const char *end);

#endif
