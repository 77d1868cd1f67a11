/* Files beside the program, and modules. */
#include "frontends/cli/beside.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Installed: seen from bin, and from libexec/warpbeam, where the laboratory is. */
static const char *const installed[] = {"../libexec/warpbeam", "."};

bool beside_find(char *path, size_t size, const char *folder, const char *name)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	char *end = NULL;

	if (n > 0) {
		self[n] = 0;
		end = strrchr(self, '/');
	}
	if (!end)
		return false;
	snprintf(path, size, "%.*s/../../%s/%s", (int)(end - self), self, folder, name);
	for (size_t i = 0; access(path, F_OK); i++) {
		if (i == sizeof installed / sizeof *installed)
			return false;
		snprintf(path, size, "%.*s/%s/%s", (int)(end - self), self, installed[i], name);
	}
	return true;
}

const void *module_load(const char *folder, const char *name, const char *symbol, struct wb_diag *d)
{
	char path[PATH_MAX + 64];

	*d = (struct wb_diag){.status = WB_ENV, .offset = -1};
	if (!beside_find(path, sizeof path, folder, name)) {
		snprintf(d->text, sizeof d->text, "%s is not installed", name);
		return NULL;
	}
	void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const void *object = module ? dlsym(module, symbol) : NULL;
	if (!object)
		snprintf(d->text, sizeof d->text, "%.300s", dlerror());
	return object;
}
