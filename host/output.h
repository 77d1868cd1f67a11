/* Files of the host to be written: an output replaces the old file in one step, when complete. */
#ifndef WB_HOST_OUTPUT_H
#define WB_HOST_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/diag.h"

struct output {
	int fd;
	char *path;
	char *beside;           /* name of the unfinished file; NULL: nameless */
	bool direct;            /* a device or a pipe: written without buffering */
};

/* Begin the file `path`, to be written through o->fd. False: nothing is to be closed. */
bool output_open(struct output *o, const char *path, struct diag *d);
/* Whether output_open can succeed, as far as is known before: nothing of the path changes, and no pipe is opened. */
bool output_check(const char *path, struct diag *d);
/* End the file: `whole` puts it at its path, else nothing of it stays. */
bool output_close(struct output *o, bool whole, struct diag *d);
/* Write a file of n bytes. */
bool output_all(const char *path, const void *bytes, size_t n, struct diag *d);

#endif
