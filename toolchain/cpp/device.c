/* The texts of the functions that clang's headers call, and where our own headers are. */
#include "toolchain/cpp/cpp.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* functions.cl, cuda.cl and hip.cl, line by line; NULL at the end (made by toolchain/opencl/builtins.sh). */
extern const char *const cpp_functions_lines[];
extern const char *const cpp_cuda_lines[];
extern const char *const cpp_hip_lines[];

/* How a language's functions are named, and those that it has alone. */
static const struct {
	const char *names[2];
	const char *const *language_lines;
} languages[] = {
	[CUDA_CPP] = { { "#define FLOAT(name) __nv_##name##f\n#define DOUBLE(name) __nv_##name\n", NULL },
		       cpp_cuda_lines },
	[HIP_CPP] = { { "#define FLOAT(name) __ocml_##name##_f32\n#define DOUBLE(name) __ocml_##name##_f64\n", NULL },
		      cpp_hip_lines },
};

/* The three texts of a language, in their order. */
enum { PARTS = 3 };
static const char *const *part(enum source_language l, int i)
{
	const char *const *const parts[PARTS] = { languages[l].names, cpp_functions_lines,
						  languages[l].language_lines };

	return parts[i];
}

char *cpp_device_text(struct arena *a, enum source_language l)
{
	size_t n = 0;
	char *text, *p;

	for (int i = 0; i < PARTS; i++)
		for (const char *const *line = part(l, i); *line; line++)
			n += strlen(*line);
	text = p = arena_alloc(a, n + 1, 1);
	for (int i = 0; text && i < PARTS; i++)
		for (const char *const *line = part(l, i); *line; line++)
			p = stpcpy(p, *line);
	return text;
}

void cpp_device_hash(struct sha256 *s, enum source_language l)
{
	for (int i = 0; i < PARTS; i++)
		for (const char *const *line = part(l, i); *line; line++)
			sha256_add(s, *line, strlen(*line));
}

static bool ends_prefix(const char *folder)
{
	static const char *const names[] = { "/bin", "/lib", "/lib64" };
	const char *slash = strrchr(folder, '/');

	for (size_t i = 0; slash && i < sizeof names / sizeof *names; i++)
		if (!strcmp(slash, names[i]))
			return true;
	return false;
}

/* A library of an installation is in PREFIX/lib or below, the program in PREFIX/bin, and both of a build below the
 * build's folder: the headers are in one of the folders above, and never above a PREFIX. */
char *cpp_headers(struct arena *a, struct diag *d)
{
	enum { ABOVE = 5 };
	static const char folder[] = "/include/warpbeam", probe[] = "/cuda";
	Dl_info here;
	char path[PATH_MAX + 64], *real = NULL;
	bool outside = false;           /* the next folder above is a prefix's parent */

	if (dladdr(cpp_functions_lines, &here) && here.dli_fname)
		real = realpath(strchr(here.dli_fname, '/') ? here.dli_fname : "/proc/self/exe", NULL);
	for (int i = 0; real && i < ABOVE && !outside; i++) {
		char *slash = strrchr(real, '/');
		if (!slash)
			break;
		outside = ends_prefix(real);
		*slash = '\0';
		snprintf(path, sizeof path, "%s%s%s", real, folder, probe);
		if (!access(path, R_OK | X_OK)) {
			path[strlen(path) - strlen(probe)] = '\0';
			free(real);
			return arena_strdup(a, path);
		}
	}
	free(real);
	diag_set(d, DIAG_ENV, "the headers of the language are not here: the folder %s of Warpbeam's installation is "
		 "missing", folder + 1);
	return NULL;
}
