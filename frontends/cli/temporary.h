/* Temporary files of one run of the program, in a folder of its own below TMPDIR or /tmp. The folder goes when the
 * program ends, also by a signal. */
#ifndef WB_FRONTENDS_CLI_TEMPORARY_H
#define WB_FRONTENDS_CLI_TEMPORARY_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* The path of a further file, not made yet. False: the folder cannot be made, said so. */
bool temporary_path(char path[PATH_MAX]);
/* The process to which ending signals are passed on; 0: none. */
void temporary_child(pid_t child);

#endif
