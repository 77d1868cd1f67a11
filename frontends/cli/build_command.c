/* `warpbeam build -- make`: a command finds Warpbeam where commands look for a GPU's toolkit. A folder of the user's
 * cache has a toolkit's folders: bin with nvcc and hipcc, scripts of the two verbs; include, the headers; lib,
 * libraries by the names of linkers. The folder stays, since configured builds remember paths. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontends/cli/beside.h"
#include "frontends/cli/build.h"
#include "frontends/cli/programs.h"
#include "frontends/cli/run_program.h"

/* Names for linkers, and the libraries by the names of loaders. */
static const struct { const char *link, *folder, *library; } libraries[] = {
	{ "libcudart.so", "frontends/cuda/12", "libcudart.so.12" },
	{ "libcudart_static.so", "frontends/cuda/12", "libcudart.so.12" },      /* CMake's choice */
	{ "libcudadevrt.so", "frontends/cuda/12", "libcudart.so.12" },
	{ "libcuda.so", "frontends/cuda/driver", "libcuda.so.1" },
	{ "libnvrtc.so", "frontends/rtc/12", "libnvrtc.so.12" },
	{ "libamdhip64.so", "frontends/hip", "libamdhip64.so.5" },
	{ "libOpenCL.so", "frontends/opencl", "libOpenCL.so.1" },
};

struct folder {
	char path[PATH_MAX - 256];
	const char *wrong;               /* what could not be written; NULL: all is there */
};

static void make_folder(struct folder *f, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s%s", f->path, name);
	if (!f->wrong && mkdir(path, 0700) && errno != EEXIST)
		f->wrong = name;
}

/* A file takes the place of an old one at once: another command may be reading. */
static void put_link(struct folder *f, const char *target, const char *name)
{
	char path[PATH_MAX], fresh[PATH_MAX + 32];

	snprintf(path, sizeof path, "%s%s", f->path, name);
	snprintf(fresh, sizeof fresh, "%s.%ld", path, (long)getpid());
	if (!f->wrong && (symlink(target, fresh) || rename(fresh, path)))
		f->wrong = name;
}

/* Put a text into a file. */
static void __attribute__((format(printf, 4, 0))) put_text(struct folder *f, const char *name, mode_t mode,
							    const char *fmt, const char *one, const char *two)
{
	char path[PATH_MAX], fresh[PATH_MAX + 32];

	snprintf(path, sizeof path, "%s%s", f->path, name);
	snprintf(fresh, sizeof fresh, "%s.%ld", path, (long)getpid());
	FILE *out = f->wrong ? NULL : fopen(fresh, "w");
	if (out) {
		fprintf(out, fmt, one, two);
		if (!fclose(out) && !chmod(fresh, mode) && !rename(fresh, path))
			return;
	}
	f->wrong = f->wrong ? f->wrong : name;
}

/* Of the folders above the cache none is made. False: no variable names a place. */
static bool name_folder(struct folder *f)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache == '/') {
		snprintf(f->path, sizeof f->path, "%s", cache);
	} else if (home && *home == '/') {
		snprintf(f->path, sizeof f->path, "%s/.cache", home);
		make_folder(f, "");
	} else {
		return false;
	}
	strncat(f->path, "/warpbeam", sizeof f->path - strlen(f->path) - 1);
	make_folder(f, "");
	strncat(f->path, "/toolkit", sizeof f->path - strlen(f->path) - 1);
	make_folder(f, "");
	return true;
}

/* Put a folder before those that a variable of paths has. */
static void put_first(const char *variable, const char *folder, const char *below)
{
	const char *old = getenv(variable);
	char *all;

	if (asprintf(&all, "%s%s%s%s", folder, below, old && *old ? ":" : "", old ? old : "") < 0)
		no_memory();
	setenv(variable, all, 1);
	free(all);
}

/* A library is a text for the linker, which then finds the library beside the libraries that it needs. lib64 is the
 * folder of CUDA's runtime itself, for a program whose path of libraries has a toolkit's lib64. */
static void put_libraries(struct folder *f)
{
	char path[PATH_MAX], name[64];

	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		snprintf(name, sizeof name, "/lib/%s", libraries[i].link);
		if (!interface_find(path, libraries[i].folder, libraries[i].library))
			continue;
		put_text(f, name, 0600, "INPUT(\"%s\")%s", path, "\n");
		*strrchr(path, '/') = '\0';
		put_first("LD_RUN_PATH", path, "");
		put_first("LD_LIBRARY_PATH", path, "");         /* tests of CMake have an rpath of CMake's */
		if (!i)
			put_link(f, path, "/lib64");
	}
}

/* The path's text for a shell: between single quotes, a single quote itself outside, behind a backslash. */
static void quote(const char *path, char *out, size_t size)
{
	const char *const end = out + size - 5;

	for (; *path && out < end; path++)
		if (*path == '\'')
			out = stpcpy(out, "'\\''");
		else
			*out++ = *path;
	*out = '\0';
}

/* What CMake calls by itself for separate compilation, where it takes nvcc for clang: nvlink, fatbinary, and a source
 * to compile. Kernels are linked when the program first launches one, so their outputs are empty. */
static void put_device_linker(struct folder *f)
{
	static const char empty[] = "#!/bin/sh\n# Kernels are linked when the program runs: the outputs are empty.\n"
		"for word; do\n"
		"\tcase $word in --register-link-binaries=* | --embedded-fatbin=* | -o=*) : >\"${word#*=}\" ;; esac\n"
		"\tcase ${last:-} in -o) : >\"$word\" ;; esac\n"
		"\tlast=$word\n"
		"done\n%s%s";

	make_folder(f, "/bin/crt");
	put_text(f, "/bin/nvlink", 0700, empty, "", "");
	put_text(f, "/bin/fatbinary", 0700, empty, "", "");
	put_text(f, "/bin/crt/link.stub", 0600, "/* Kernels are linked when the program runs. */\n%s%s", "", "");
}

static void fill_folder(struct folder *f, const char *program)
{
	struct words headers = { 0 };
	char self[PATH_MAX];

	quote(program, self, sizeof self);
	make_folder(f, "/bin");
	make_folder(f, "/lib");
	put_device_linker(f);
	make_folder(f, "/nvvm");        /* by this folder CMake knows a toolkit */
	make_folder(f, "/nvvm/libdevice");
	put_text(f, "/bin/nvcc", 0700, "#!/bin/sh\nexec '%s' %s \"$@\"\n", self, "nvcc");
	put_text(f, "/bin/hipcc", 0700, "#!/bin/sh\nexec '%s' %s \"$@\"\n", self, "hipcc");
	if (build_headers(language_by(".cu")->headers, "", &headers))
		put_link(f, headers.word[1], "/include");
	words_free(&headers);
	put_libraries(f);
}

static void set_variables(const struct folder *f)
{
	static const char *const roots[] = { "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_TOOLKIT_ROOT_DIR",
					     "CUDAToolkit_ROOT", "HIP_PATH", "ROCM_PATH" };
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
		setenv(roots[i], f->path, 1);
	put_first("PATH", f->path, "/bin");
	put_first("CPATH", f->path, "/include");
	put_first("LIBRARY_PATH", f->path, "/lib");
	snprintf(path, sizeof path, "%s/bin/nvcc", f->path);
	setenv("CUDACXX", path, 1);
	setenv("NVCC", path, 1);
	snprintf(path, sizeof path, "%s/bin/hipcc", f->path);
	setenv("HIPCC", path, 1);
}

/* Whether the paths can stand in variables of paths and in the linker's texts. */
static enum wb_status check_paths(const struct folder *f, const char *program)
{
	if (strpbrk(program, ":\""))
		return complain(WB_ENV, "%s: a command finds no program in a folder with ':' or '\"' in its name; move "
				"it", shown(program));
	if (strpbrk(f->path, ":\""))
		return complain(WB_ENV, "%s: a command finds no compiler in a folder with ':' or '\"' in its name; "
				"XDG_CACHE_HOME names another", shown(f->path));
	return WB_OK;
}

/* Options of a source's compilation would reach no nvcc of the command. */
static enum wb_status check_options(const struct cli *c)
{
	for (size_t i = 0; i < c->nvalues; i++)
		if (strcmp(c->values[i].name, "quiet") && strcmp(c->values[i].name, "verbose") &&
		    strcmp(c->values[i].name, "color"))
			return complain(WB_USAGE, "--%s is for a source; a command behind -- has options of its own, "
					"and its programs take variables such as WARPBEAM_CHIP", c->values[i].name);
	return WB_OK;
}

/* The command takes the place of this process, with signals and exit code. */
enum wb_status build_command(struct cli *c)
{
	struct folder f = { .wrong = NULL };
	char program[PATH_MAX];
	struct words w = { 0 };
	ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
	enum wb_status status = check_options(c);

	program[n < 0 ? 0 : n] = '\0';
	if (status == WB_OK && !name_folder(&f))
		return complain(WB_ENV, "no folder for the compilers' names: neither XDG_CACHE_HOME nor HOME is an "
				"absolute path");
	if (status == WB_OK)
		status = check_paths(&f, program);
	if (status != WB_OK)
		return status;
	fill_folder(&f, program);
	if (f.wrong)
		return complain(WB_ENV, "%s%s: cannot write: %s", shown(f.path), f.wrong, strerror(errno));
	set_variables(&f);
	for (size_t i = 0; i < c->nprogram; i++)
		words_add(&w, "%s", c->program[i]);
	fflush(NULL);
	execvp(w.word[0], w.word);
	status = complain(WB_ENV, "%s: cannot run: %s", shown(w.word[0]), strerror(errno));
	words_free(&w);
	return status;
}
