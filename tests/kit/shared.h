/* The evidence of tests: $WB_SHARED names a folder made by the build: vectors and programs of our own (tests/data), and
 * links to the programs of others beside the project, dangling without ../shared. Tests of others' programs are then
 * skipped, and no other tests. */
#ifndef WB_TESTS_UNIT_SHARED_H
#define WB_TESTS_UNIT_SHARED_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SKIPPED = 77 };   /* meson's exit status for a skipped test */

/* A file below the folder in buffer `path`. Without a folder the test ends here: the build always makes the folder. */
static inline const char *shared_path(char *path, size_t size, const char *file)
{
	const char *root = getenv("WB_SHARED");
	if (!root || access(root, R_OK)) {
		printf("error: found no folder of evidence ($WB_SHARED is %s), expected what the build's target"
		       " `evidence` makes\n", root ? root : "not set");
		exit(1);
	}
	snprintf(path, size, "%s/%s", root, file);
	return path;
}

/* Are others' programs in a folder below corpus/ present? Prints that they are skipped if not. */
static inline bool others_present(const char *folder)
{
	char path[1024], file[64];

	snprintf(file, sizeof file, "corpus/%s", folder);
	if (!access(shared_path(path, sizeof path, file), R_OK))
		return true;
	printf("skipped: no ../shared/%s\n", file);
	return false;
}

/* A cmocka case of a program, skipped where others' programs are absent. */
#define skip_without(folder) \
	do {                                          \
		if (!others_present(folder))          \
			skip();                       \
	} while (0)

#endif
