/* All that compilers say while a program is made, line by line: the diagnostic of a failure is one line of 400 bytes,
 * and warnings come by index. */
#ifndef WB_TOOLCHAIN_BUILD_LOG_H
#define WB_TOOLCHAIN_BUILD_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

/* Lines in the order of writing, without their ends, in a clean form (arena_text). Zeroed at first. */
struct build_log {
	struct arena arena;
	const char **lines;
	size_t nlines;
	bool cut;                /* lines are missing: the host had no memory for them */
};

/* Append n bytes as lines; empty lines stay away. log NULL: nobody reads. */
void log_text(struct build_log *log, const char *text, size_t n);
/* Append "FILE:LINE:COLUMN: KIND: TEXT", without LINE and COLUMN where they are 0. */
void log_place(struct build_log *log, const char *file, unsigned line, unsigned column, const char *kind,
	       const char *text);
/* Whether a line has the text; false without a log. */
bool log_has(const struct build_log *log, const char *text);
void log_free(struct build_log *log);

#endif
