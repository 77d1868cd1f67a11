/* What became of each line of a source, from the listing of a compiled program. */
#ifndef WB_FRONTENDS_CLI_COMPILE_EXPLAIN_H
#define WB_FRONTENDS_CLI_COMPILE_EXPLAIN_H

#include <stdbool.h>

/* Print on standard output. The listing: assembly with lines of the source as comments, ended by a zero. False: no
 * memory. */
bool explain_listing(const char *listing);

#endif
