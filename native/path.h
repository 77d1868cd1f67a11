/* Native paths (core/isa/native.h): found in threaded code, written as C. */
#ifndef WB_NATIVE_PATH_H
#define WB_NATIVE_PATH_H

#include <stdio.h>

#include "core/base/arena.h"
#include "core/isa/native.h"

/* A piece of threaded code as found. */
struct path_found {
	const struct native_machine *machine;
	const struct threaded_code *code;
	/* By word of code: does a branch lead there; is a native loop's head there? */
	const bool *target, *head;
	struct native_path *path;
	bool *known, *label;            /* by entry: has the text code for it; does a block begin there? */
	struct native_entry **entry;    /* where the path's function is called */
	uint32_t entries;
};

/* Find the path of the piece that begins at `first`; the caller has set the members up to `path`. False: no memory. */
bool path_find(struct path_found *f, const struct threaded_op *first, struct arena *a);
/* Write the function of a path with entries, native_path_INDEX, for clang alone. The text has numbers of the program,
 * and nothing else of it. */
void path_write(FILE *f, const struct path_found *found, unsigned index);

#endif
