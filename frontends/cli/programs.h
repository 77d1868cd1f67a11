/* Programs by users' names: a file, "-" for standard input or, without a file of the name, an example of the
 * gallery. */
#ifndef WB_FRONTENDS_CLI_PROGRAMS_H
#define WB_FRONTENDS_CLI_PROGRAMS_H

#include "frontends/cli/cli.h"

/* The example named "ifelse" or "ifelse.s"; NULL: a file has the name, or no such example exists. */
const struct example *example_of(const char *name);
/* wb_program_open by name. */
enum wb_status named_program_open(const char *name, const struct wb_config *config, struct wb_program **out,
			    struct wb_diag *d);
/* read_all by name, and the name for messages and endings. */
bool read_source(const char *name, char **out, size_t *n);
const char *source_name(const char *name);

#endif
