/* The evidence of tests: $WB_SHARED names its folder, which the build makes: vectors and programs of our own
 * (tests/data), and links to the programs of others beside the project, which lead nowhere where there is no ../shared.
 * Tests of those programs are skipped then, and no others. */
#ifndef WB_TESTS_SHARED_H
#define WB_TESTS_SHARED_H

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

/* Whether others' programs in a folder below corpus/ are there; says that they are skipped where not. */
static inline bool others_present(const char *folder)
{
	char path[1024], file[64];

	snprintf(file, sizeof file, "corpus/%s", folder);
	if (!access(shared_path(path, sizeof path, file), R_OK))
		return true;
	printf("skipped: no ../shared/%s\n", file);
	return false;
}

/* One cmocka case of a program that is skipped where others' programs are absent. */
#define skip_without(folder) \
	do {                                          \
		if (!others_present(folder))          \
			skip();                       \
	} while (0)

#endif
