/* Running the laboratory. */
#include "frontends/cli/laboratory.h"
#include "frontends/cli/beside.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

const struct laboratory_verb laboratory_verbs[] = {
#define VERB(name, purpose, usage, examples, config, options) {#name, purpose},
#include "frontends/cli/laboratory.def"
#undef VERB
	{NULL, NULL},
};

bool laboratory_has(const char *name)
{
	for (const struct laboratory_verb *v = laboratory_verbs; v->name; v++)
		if (!strcmp(v->name, name))
			return true;
	return false;
}

enum wb_status laboratory_run(char **argv)
{
	char path[PATH_MAX + 64];

	if (beside_find(path, sizeof path, "bench/laboratory", "warpbeam-laboratory")) {
		execv(path, argv);
		return complain(WB_ENV, "%s: %s", path, strerror(errno));
	}
	return complain(WB_ENV,
			"%s is a verb of the laboratory, which is not installed here; the package libwarpbeam-dev and "
			"a build with -Dlaboratory=true have it", argv[1]);
}
