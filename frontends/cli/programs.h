/* Programs by the names that users give: a file, "-" for standard input or, where there is no file of that name, an
 * example of the gallery. */
#ifndef WB_FRONTENDS_CLI_PROGRAMS_H
#define WB_FRONTENDS_CLI_PROGRAMS_H

#include "frontends/cli/cli.h"

/* The example that a name ("ifelse", "ifelse.s") stands for; NULL: there is a file of that name, or no such example. */
const struct example *example_of(const char *name);
/* wb_program_open for such a name. */
enum wb_status program_open(const char *name, const struct wb_config *config, struct wb_program **out,
			    struct wb_diag *d);
/* read_all for such a name, and what messages and endings go by then. */
bool read_source(const char *name, char **out, size_t *n);
const char *source_name(const char *name);

#endif
