/* The laboratory, a second program for people who build Warpbeam: `warpbeam VERB` runs its verbs, as git runs
 * git-VERB. */
#ifndef WB_FRONTENDS_CLI_LABORATORY_H
#define WB_FRONTENDS_CLI_LABORATORY_H

#include "frontends/cli/cli.h"

struct laboratory_verb {
	const char *name, *purpose;
};
/* Rows of laboratory.def, ended by a NULL name. */
extern const struct laboratory_verb laboratory_verbs[];

bool laboratory_has(const char *name);
/* Replace this process by the laboratory with the same arguments (argv[1] is the verb). Returns only where there is no
 * laboratory: WB_ENV, and a message that says how to get it. */
enum wb_status laboratory_run(char **argv);

#endif
