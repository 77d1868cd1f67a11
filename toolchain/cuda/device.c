/* The text of device.cl, and where the headers of CUDA C++ are. */
#include "toolchain/cuda/cuda.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* device.cl, line by line; NULL at the end (made by toolchain/opencl/builtins.sh). */
extern const char *const cuda_device_lines[];

char *cuda_device_text(struct arena *a)
{
	size_t n = 0;
	char *text, *p;

	for (const char *const *line = cuda_device_lines; *line; line++)
		n += strlen(*line);
	text = p = arena_alloc(a, n + 1, 1);
	for (const char *const *line = cuda_device_lines; text && *line; line++)
		p = stpcpy(p, *line);
	return text;
}

void cuda_device_hash(struct sha256 *s)
{
	for (const char *const *line = cuda_device_lines; *line; line++)
		sha256_add(s, *line, strlen(*line));
}

/* A library of an installation is in PREFIX/lib or below, the program in PREFIX/bin, and both of a build below the
 * build's folder: include/warpbeam/cuda is in one of the folders above. */
char *cuda_headers(struct arena *a, struct diag *d)
{
	static const char below[] = "/include/warpbeam/cuda";
	enum { ABOVE = 5 };
	Dl_info here;
	char path[PATH_MAX + sizeof below], *real = NULL;

	if (dladdr(cuda_device_lines, &here) && here.dli_fname)
		real = realpath(strchr(here.dli_fname, '/') ? here.dli_fname : "/proc/self/exe", NULL);
	for (int i = 0; real && i < ABOVE; i++) {
		char *slash = strrchr(real, '/');
		if (!slash)
			break;
		*slash = '\0';
		snprintf(path, sizeof path, "%s%s", real, below);
		if (!access(path, R_OK | X_OK)) {
			free(real);
			return arena_strdup(a, path);
		}
	}
	free(real);
	diag_set(d, DIAG_ENV, "the headers of CUDA C++ are not here: the folder include/warpbeam/cuda of Warpbeam's "
		 "installation is missing");
	return NULL;
}
