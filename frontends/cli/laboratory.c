/* Finding and running the laboratory: beside the program in a build, and in libexec after an installation; folders are
 * relative to the program's own, so that an installation can be moved. */
#include "frontends/cli/laboratory.h"

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

/* Folders of the laboratory, relative to the program's folder. */
static const char *const places[] = {"../../bench/laboratory", "../libexec/warpbeam"};

bool laboratory_has(const char *name)
{
	for (const struct laboratory_verb *v = laboratory_verbs; v->name; v++)
		if (!strcmp(v->name, name))
			return true;
	return false;
}

enum wb_status laboratory_run(char **argv)
{
	char self[PATH_MAX], path[PATH_MAX + 64];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	char *end = NULL;

	if (n > 0) {
		self[n] = 0;
		end = strrchr(self, '/');
	}
	for (size_t i = 0; end && i < sizeof places / sizeof *places; i++) {
		snprintf(path, sizeof path, "%.*s/%s/warpbeam-laboratory", (int)(end - self), self, places[i]);
		execv(path, argv);
		if (errno != ENOENT && errno != ENOTDIR)
			return complain(WB_ENV, "%s: %s", path, strerror(errno));
	}
	return complain(WB_ENV,
			"%s is a verb of the laboratory, which is not installed here; the package libwarpbeam-dev and "
			"a build with -Dlaboratory=true have it", argv[1]);
}
