/* The kernel bounds the files of the compiler and of the compiler's children (Landlock), so that --files holds for
 * #include, .incbin, #embed and everything else a compiler can open. Files of the system are readable: no secrets are
 * there, and the loader alone knows the libraries of a compiler. */
#include "toolchain/opencl/guard.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/child.h"
#include "host/landlock.h"

/* Programs and libraries of the system, and of package managers with folders of their own. */
static const char *const system_folders[] = {
	"/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/share/clc", "/usr/local/lib", "/bin",
	"/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/nix/store", "/gnu/store", "/usr/local/cuda", "/opt/cuda", NULL
};
/* Beside a compiler in a folder of its own: PREFIX/bin/clang, or nvcc with the rest of its toolkit. PREFIX may be a
 * home, so PREFIX itself is not here. */
static const char *const beside[] = {
	"ld.lld", "lld", "../lib", "../lib64", "../libexec", "nvcc.profile", "cudafe++", "crt", "../nvvm", "../targets",
	NULL
};

/* Allow a use of the first n bytes of a path. */
static bool allow(int ruleset, const char *path, size_t n, enum landlock_use use)
{
	char *copy = strndup(path, n);
	bool ok = copy && landlock_allow(ruleset, copy, use);

	free(copy);
	return ok;
}

/* Each path of a list with separators. */
static bool allow_list(int ruleset, const char *list, const char *separator)
{
	bool ok = true;

	for (const char *p = list ? list : ""; ok && *p; p += strcspn(p, separator), p += *p != '\0')
		if (strcspn(p, separator))
			ok = allow(ruleset, p, strcspn(p, separator), LANDLOCK_READ);
	return ok;
}

/* A program and the parts of its installation. */
static bool allow_program(int ruleset, const char *program)
{
	char *real = realpath(program, NULL), *linker = child_find("ld.lld"), *slash = real ? strrchr(real, '/') : NULL;
	char path[PATH_MAX + 16];
	bool ok = real && landlock_allow(ruleset, real, LANDLOCK_RUN) &&
		  (!linker || landlock_allow(ruleset, linker, LANDLOCK_RUN));

	for (const char *const *p = beside; ok && *p; p++) {
		snprintf(path, sizeof path, "%.*s/%s", (int)(slash - real), real, *p);
		ok = landlock_allow(ruleset, path, LANDLOCK_RUN);
	}
	free(real);
	free(linker);
	return ok;
}

/* The folder of the source: of a file, or the present one of a text without a name. A pipe has no folder. */
static bool allow_source(int ruleset, const char *source)
{
	const char *slash = strrchr(source, '/');
	struct stat s;

	if (!slash)
		return landlock_allow(ruleset, ".", LANDLOCK_READ);
	if (stat(source, &s) || !S_ISREG(s.st_mode))
		return true;
	return allow(ruleset, source, (size_t)(slash - source) + 1, LANDLOCK_READ);
}

/* CUDA C++ includes headers of C and C++, and ours include some. */
static bool allow_headers(int ruleset, const char *headers)
{
	return landlock_allow(ruleset, headers, LANDLOCK_READ) &&
	       landlock_allow(ruleset, "/usr/include", LANDLOCK_READ);
}

static bool allow_all(const struct build_options *o, int ruleset, const char *source, const char *program,
		      const char *library, const char *headers)
{
	bool ok = allow_program(ruleset, program) && landlock_allow(ruleset, "/dev/null", LANDLOCK_WRITE) &&
		  allow_list(ruleset, getenv("LD_LIBRARY_PATH"), ":") &&
		  allow_list(ruleset, o->includes, "\n");

	for (const char *const *p = system_folders; ok && *p; p++)
		ok = landlock_allow(ruleset, *p, LANDLOCK_RUN);
	return ok && (!library || landlock_allow(ruleset, library, LANDLOCK_READ)) &&
	       (!headers || allow_headers(ruleset, headers)) &&
	       (o->files == FILES_NONE || allow_source(ruleset, source));
}

bool opencl_guard(const struct build_options *o, const char *source, const char *program, const char *library,
		  const char *headers, int *ruleset, struct diag *d)
{
	enum files_rule rule = o->files;

	*ruleset = rule == FILES_ANY ? -1 : landlock_ruleset();
	if (rule == FILES_NONE && *ruleset < 0)
		return diag_set(d, DIAG_ENV,
				"--files none needs a kernel with Landlock to hold for a compiler, and this kernel has "
				"none: give --files any if you trust the source, or compile it elsewhere (--keep) and "
				"run the code object");
	if (*ruleset < 0 || allow_all(o, *ruleset, source, program, library, headers))
		return true;
	close(*ruleset);
	return diag_set(d, DIAG_ENV, "the kernel refuses a bound on the compiler's files; --files any goes without");
}

/* The file of a message: clang's has the name in quotes, "NAME: Permission denied" is gcc's, which nvcc runs. NULL: no
 * name. *stop: the name's end. */
static const char *named_file(const char *message, const char *end, const char **stop)
{
	const char *quote = memchr(message, '\'', (size_t)(end - message));

	*stop = quote ? memchr(quote + 1, '\'', (size_t)(end - quote - 1)) : NULL;
	if (*stop)
		return quote + 1;
	*stop = memmem(message, (size_t)(end - message), ": Permission denied", 19);
	return *stop ? message : NULL;
}

bool opencl_guard_refused(const struct build_options *o, const char *source, const char *message, const char *end)
{
	const char *slash = strrchr(source, '/'), *stop, *name = named_file(message, end, &stop);
	char path[PATH_MAX];
	bool exists;

	if (o->files == FILES_ANY || !name || stop - name >= PATH_MAX - 1)
		return false;
	snprintf(path, sizeof path, "%.*s", (int)(stop - name), name);
	exists = !access(path, F_OK);
	if (exists || !slash || *path == '/')
		return exists;
	return snprintf(path, sizeof path, "%.*s/%.*s", (int)(slash - source), source, (int)(stop - name), name) <
	       (int)sizeof path && !access(path, F_OK);
}
