/* The evidence beside the project: $WB_SHARED names its folder, the build sets it. Where it is absent a test is
 * skipped. */
#ifndef WB_TESTS_SHARED_H
#define WB_TESTS_SHARED_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SKIPPED = 77 };   /* meson's exit status for a skipped test */

/* A file below the folder in buffer `path`, or NULL when there is no folder. */
static inline const char *shared_path(char *path, size_t size, const char *file)
{
	const char *root = getenv("WB_SHARED");
	if (!root || access(root, R_OK))
		return NULL;
	snprintf(path, size, "%s/%s", root, file);
	return path;
}

static inline int shared_absent(void)
{
	puts("skipped: no ../shared");
	return SKIPPED;
}

#endif
