/* Files beside the program, and modules. */
#include "frontends/cli/beside.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Folders of a build with programs that look for files: the program at another place, installed or copied, takes
 * nothing from folders of these names, which may be anybody's. */
static const char *const of_a_build[] = {"/frontends/cli", "/bench/laboratory"};
/* Installed: the folder of modules and of the laboratory, which looks for modules beside itself. A program elsewhere
 * takes none from beside itself. */
#define INSTALLED "/libexec/warpbeam"

bool beside_self(char *folder, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", folder, size - 1);
	char *end = NULL;

	if (n > 0) {
		folder[n] = 0;
		end = strrchr(folder, '/');
	}
	if (end)
		*end = 0;
	return end;
}

static bool ends_with(const char *self, const char *folder)
{
	size_t n = strlen(self), tail = strlen(folder);

	return n > tail && !strcmp(self + n - tail, folder);
}

bool beside_build(const char *self)
{
	for (size_t i = 0; i < sizeof of_a_build / sizeof *of_a_build; i++)
		if (ends_with(self, of_a_build[i]))
			return true;
	return false;
}

bool beside_find(char *path, size_t size, const char *folder, const char *name)
{
	char self[PATH_MAX];

	if (!beside_self(self, sizeof self))
		return false;
	if (beside_build(self)) {
		snprintf(path, size, "%s/../../%s/%s", self, folder, name);
		if (access(path, F_OK) == 0)
			return true;
	}
	snprintf(path, size, "%s/%s/%s", self, ends_with(self, INSTALLED) ? "." : ".." INSTALLED, name);
	return access(path, F_OK) == 0;
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
