/* Files that a process may open, bounded by the kernel (Landlock, Linux 5.13 and later). A ruleset is a descriptor; the
 * process that enforces a ruleset, and its children, are refused everything that no rule allows, for ever. */
#ifndef WB_HOST_LANDLOCK_H
#define WB_HOST_LANDLOCK_H

#include <stdbool.h>

/* Of a file, or of all files below a folder. */
enum landlock_use { LANDLOCK_READ, LANDLOCK_RUN /* and read */, LANDLOCK_WRITE /* read, make and remove */ };

/* A ruleset that allows nothing; the caller closes the descriptor. -1: the kernel has no Landlock. */
int landlock_ruleset(void);
/* Allow a use of `path`, links followed; a path that does not exist allows nothing. False: the kernel refused the rule.
 * Async-signal-safe, as is landlock_enforce. */
bool landlock_allow(int ruleset, const char *path, enum landlock_use use);
bool landlock_enforce(int ruleset);

#endif
