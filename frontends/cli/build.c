/* The verb build, and run PROG.cu -- ARGUMENTS: a whole program in CUDA C++ or HIP C++. The library compiles the
 * kernels as it does for `warpbeam run k.cu`; the PTX becomes a fat binary, the code object of HIP an offload bundle,
 * and clang compiles the host's functions around this file and links the runtime of frontends/cuda or frontends/hip.
 * nvcc (--cuda-compiler) makes the whole program by itself when the library has taken the kernels. */
#include "frontends/cli/build.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frontends/cli/beside.h"
#include "frontends/cli/programs.h"
#include "frontends/cli/run_program.h"
#include "frontends/cli/verbs.h"

const struct opt build_options[] = {
	{"output", 'o', OPT_VALUE, "FILE", NULL, "Output", "the program; default: the source's name without its "
	 "ending",
	 false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

enum { ARGUMENTS_MAX = 256 };

struct arguments {
	const char *word[ARGUMENTS_MAX];
	unsigned n;
};

static void add(struct arguments *a, const char *word)
{
	if (a->n + 1 < ARGUMENTS_MAX)
		a->word[a->n++] = word;
	a->word[a->n] = NULL;
}

/* ---- languages ---- */

static bool write_fat(const char *path, const struct wb_file *ptx, const char *chip);
static bool write_bundle(const char *path, const struct wb_file *object, const char *chip);

struct language {
	const char *ending;              /* of sources */
	const char *name;
	const char *object;              /* ending of the file that the library makes of the kernels */
	const char *chip;                /* without --chip */
	bool (*write)(const char *path, const struct wb_file *object, const char *chip);
	const char *headers;             /* folder below include/warpbeam */
	const char *folder, *library;    /* of the runtime */
	const char *words[20];           /* for the host's compiler */
};

/* PTX is the same for every chip: the chip with the widest limits says which kernels are possible. */
static const struct language languages[] = {
	{ ".cu", "CUDA C++", ".cu.ptx", "v100", write_fat, "cuda", "frontends/cuda/12", "libcudart.so.12",
	  { "-x", "cuda", "--cuda-host-only", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-Xclang",
	    "-target-sdk-version=11.0", "-include", "cuda_runtime.h", NULL } },
	{ ".hip", "HIP C++", ".hip.hsaco", "gfx900", write_bundle, "hip", "frontends/hip", "libamdhip64.so.5",
	  { "-x", "hip", "--cuda-host-only", "-nogpuinc", "-nogpulib", "-D__HIP_PLATFORM_AMD__=1", "-include",
	    "hip/hip_runtime.h", NULL } },
};

static const struct language *language_of(const char *path)
{
	size_t n = strlen(path);

	for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
		size_t ending = strlen(languages[i].ending);
		if (n > ending && !strcmp(path + n - ending, languages[i].ending))
			return &languages[i];
	}
	return NULL;
}

bool is_whole_source(const char *path)
{
	return language_of(path);
}

/* ---- the file of kernels ---- */

static void put(FILE *f, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		fputc((int)(v >> 8 * i & 0xff), f);
}

/* A header, and one entry with the PTX and a NUL (core/load/fat_binary.c has the layout). */
static bool write_fat(const char *path, const struct wb_file *ptx, const char *chip)
{
	enum { HEADER = 16, ENTRY = 64, PTX = 1, SM = 70, FLAGS = 0x11 };
	uint64_t padded = (ptx->size + 1 + 7) & ~UINT64_C(7);
	FILE *f = fopen(path, "wb");

	(void)chip;
	if (!f)
		return false;
	put(f, 0xBA55ED50, 4);
	put(f, 1, 2);
	put(f, HEADER, 2);
	put(f, ENTRY + padded, 8);
	put(f, PTX, 2);
	put(f, 0x101, 2);
	put(f, ENTRY, 4);
	put(f, padded, 8);
	put(f, 0, 12);
	put(f, SM, 4);
	put(f, 0, 8);
	put(f, FLAGS, 8);
	put(f, 0, 16);
	fwrite(ptx->bytes, 1, ptx->size, f);
	put(f, 0, 1);
	for (uint64_t i = ptx->size + 1; i < padded; i++)
		fputc(0, f);
	bool whole = !ferror(f);
	return !fclose(f) && whole;
}

/* An entry without bytes for the host, and the code object at a page (core/load/offload_bundle.c has the layout). The
 * target of older chips has a number of its own. */
static bool write_bundle(const char *path, const struct wb_file *object, const char *chip)
{
	static const char host[] = "host-x86_64-unknown-linux-gnu";
	enum { PAGE = 4096 };
	const char *target = !strcmp(chip, "bonaire") ? "gfx704" : !strcmp(chip, "tonga") ? "gfx802" : chip;
	char name[64];
	FILE *f = fopen(path, "wb");

	if (!f)
		return false;
	snprintf(name, sizeof name, "hipv4-amdgcn-amd-amdhsa--%s", target);
	fputs("__CLANG_OFFLOAD_BUNDLE__", f);
	put(f, 2, 8);
	put(f, PAGE, 8);
	put(f, 0, 8);
	put(f, sizeof host - 1, 8);
	fputs(host, f);
	put(f, PAGE, 8);
	put(f, object->size, 8);
	put(f, strlen(name), 8);
	fputs(name, f);
	while (ftell(f) < PAGE)
		fputc(0, f);
	fwrite(object->bytes, 1, object->size, f);
	bool whole = !ferror(f);
	return !fclose(f) && whole;
}

/* What the library has made of the source: the file of the program with the source's name and another ending. */
static bool find_object(const struct wb_program *p, const char *ending, struct wb_file *object)
{
	size_t length = strlen(ending);

	for (unsigned i = 0; wb_program_file(p, i, object); i++) {
		size_t n = strlen(object->name);
		if (n > length && !strcmp(object->name + n - length, ending))
			return true;
	}
	return false;
}

static enum wb_status compile_kernels(const struct cli *c, const struct language *l, const char *source,
				      const char *path)
{
	struct wb_config *config = wb_config_copy(c->config);
	struct wb_program *p = NULL;
	struct wb_file object;
	struct wb_diag d;
	enum wb_status status = WB_OK;

	if (!config)
		no_memory();
	if (!wb_config_given(config, "chip"))
		status = wb_config_set(config, "chip", l->chip, &d);
	if (status == WB_OK)
		status = named_program_open(source, config, &p, &d);
	if (status != WB_OK)
		complain_diag(&d);
	else if (!find_object(p, l->object, &object) || !l->write(path, &object, wb_config_get(config, "chip")))
		status = complain(WB_ENV, "%s: cannot write: %s", path, strerror(errno));
	wb_program_free(p);
	wb_config_free(config);
	return status;
}

/* ---- the host's part ---- */

static bool is_program(const char *name)
{
	const char *path = getenv("PATH");
	char full[PATH_MAX];

	if (strchr(name, '/'))
		return !access(name, X_OK);
	for (const char *p = path ? path : ""; *p; p += strcspn(p, ":"), p += *p == ':') {
		snprintf(full, sizeof full, "%.*s/%s", (int)strcspn(p, ":"), p, name);
		if (!access(full, X_OK))
			return true;
	}
	return false;
}

/* The compiler of --cc, or the first of those that the library takes. NULL: none, said so. */
static const char *find_compiler(const struct cli *c, const struct language *l)
{
	static const char *const names[] = { "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14",
					     "clang", NULL };
	const char *said = wb_config_get(c->config, "cc");

	if (said && *said)
		return said;
	for (const char *const *name = names; *name; name++)
		if (is_program(*name))
			return *name;
	complain(WB_ENV, "%s is compiled by clang 14 or later, and there is none: apt install clang-14", l->name);
	return NULL;
}

/* The folder of the headers: beside bin of an installation, or in a folder above the program of a build. */
static bool find_headers(const struct language *l, char path[PATH_MAX])
{
	char self[PATH_MAX - 64];
	bool above = beside_self(self, sizeof self) && beside_build(self);

	for (char *slash = strrchr(self, '/'); slash; slash = above ? strrchr(self, '/') : NULL) {
		*slash = '\0';
		snprintf(path, PATH_MAX, "%s/include/warpbeam/%s", self, l->headers);
		if (!access(path, R_OK | X_OK))
			return true;
	}
	complain(WB_ENV, "the headers of %s (include/warpbeam/%s) are not here", l->name, l->headers);
	return false;
}

static enum wb_status run_compiler(const struct arguments *a)
{
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		execvp(a->word[0], (char *const *)(uintptr_t)a->word);
		_exit(127);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
		return complain(WB_ENV, "%s: cannot run", a->word[0]);
	return WIFEXITED(status) && !WEXITSTATUS(status) ? WB_OK : WB_INPUT;
}

/* Each line of a list option behind a prefix; texts live as long as the process. */
static void add_list(struct arguments *a, const char *prefix, const char *list)
{
	for (const char *p = list ? list : ""; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		char *word;
		if (asprintf(&word, "%s%.*s", prefix, (int)strcspn(p, "\n"), p) < 0)
			no_memory();
		add(a, word);
	}
}

/* ---- nvcc ---- */

static bool is_nvcc(const struct cli *c, const struct language *l)
{
	return l->write == write_fat && !strcmp(wb_config_get(c->config, "cuda-compiler"), "nvcc");
}

/* The program of --cc, or the first of the places where the library looks; `path` is for its name. */
static const char *find_nvcc(const struct cli *c, char path[PATH_MAX])
{
	static const char *const variables[] = { "CUDA_HOME", "CUDA_PATH", NULL };
	const char *said = wb_config_get(c->config, "cc");

	if (said && *said)
		return said;
	if (is_program("nvcc"))
		return "nvcc";
	for (const char *const *v = variables; *v; v++) {
		snprintf(path, PATH_MAX, "%s/bin/nvcc", getenv(*v) ? getenv(*v) : "");
		if (getenv(*v) && is_program(path))
			return path;
	}
	return is_program("/opt/cuda/bin/nvcc") ? "/opt/cuda/bin/nvcc" : "/usr/local/cuda/bin/nvcc";
}

/* Let the program find our runtime of nvcc's own version first. */
static void add_runtimes(struct arguments *a)
{
	static const char *const versions[][2] = {
		{ "frontends/cuda/13", "libcudart.so.13" }, { "frontends/cuda/12", "libcudart.so.12" },
		{ "frontends/cuda/11.0", "libcudart.so.11.0" },
	};
	char library[PATH_MAX], *word;

	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
		if (!interface_find(library, versions[i][0], versions[i][1]))
			continue;
		if (asprintf(&word, "-rpath=%.*s", (int)(strrchr(library, '/') - library), library) < 0)
			no_memory();
		add(a, "-Xlinker");
		add(a, word);
	}
}

/* The shared runtime is the way to us, and PTX all that we run: no time is spent on machine code. */
static enum wb_status compile_by_nvcc(const struct cli *c, const char *source, const char *output)
{
	static const char *const words[] = {
		"-std=c++17", "-cudart=shared", "-gencode=arch=compute_75,code=compute_75", "-lineinfo", "-O2",
		"-Xlinker", "--enable-new-dtags", NULL
	};
	char path[PATH_MAX];
	struct arguments a = { .n = 0 };

	add(&a, find_nvcc(c, path));
	for (const char *const *word = words; *word; word++)
		add(&a, *word);
	add_list(&a, "-I", wb_config_get(c->config, "include"));
	add_list(&a, "-D", wb_config_get(c->config, "define"));
	add_runtimes(&a);
	add(&a, source);
	add(&a, "-o");
	add(&a, output);
	return run_compiler(&a);
}

/* ---- clang ---- */

static enum wb_status compile_host(const struct cli *c, const struct language *l, const char *source, const char *fat,
				   const char *output)
{
	char headers[PATH_MAX], library[PATH_MAX], folder[PATH_MAX + 32], beside[PATH_MAX + 32];
	struct arguments a = { .n = 0 };
	const char *compiler = find_compiler(c, l);

	if (!compiler || !find_headers(l, headers))
		return WB_ENV;
	if (!interface_find(library, l->folder, l->library))
		return complain(WB_ENV, "%s of Warpbeam is not here", l->library);
	snprintf(folder, sizeof folder, "-Wl,-rpath,%.*s", (int)(strrchr(library, '/') - library), library);
	snprintf(beside, sizeof beside, "-L%.*s", (int)(strrchr(library, '/') - library), library);
	add(&a, compiler);
	add(&a, "--driver-mode=g++");
	for (const char *const *word = l->words; *word; word++)
		add(&a, *word);
	add(&a, "-std=c++17");
	add(&a, "-Xclang");
	add(&a, "-fcuda-include-gpubinary");
	add(&a, "-Xclang");
	add(&a, fat);
	add(&a, "-isystem");
	add(&a, headers);
	add_list(&a, "-I", wb_config_get(c->config, "include"));
	add_list(&a, "-D", wb_config_get(c->config, "define"));
	add(&a, "-O2");
	add(&a, source);
	add(&a, "-x");
	add(&a, "none");
	add(&a, "-o");
	add(&a, output);
	add(&a, library);
	add(&a, "-Wl,--enable-new-dtags");
	add(&a, folder);
	add(&a, beside);                /* clang 19 adds -lamdhip64 to HIP */
	add(&a, "-pthread");
	return run_compiler(&a);
}

enum wb_status build_program(const struct cli *c, const char *source, const char *output)
{
	const struct language *l = language_of(source);
	char fat[] = "/tmp/warpbeam-XXXXXX";
	int fd = mkstemp(fat);
	enum wb_status status;

	if (fd < 0)
		return complain(WB_ENV, "%s: cannot write: %s", fat, strerror(errno));
	close(fd);
	status = compile_kernels(c, l, source, fat);
	if (status == WB_OK)
		status = is_nvcc(c, l) ? compile_by_nvcc(c, source, output)
				       : compile_host(c, l, source, fat, output);
	unlink(fat);
	return status;
}

enum wb_status verb_build(struct cli *c)
{
	const char *source = cli_operand(c, "FILE.cu"), *output = cli_value(c, "output");
	char name[PATH_MAX];

	if (!source)
		return WB_USAGE;
	const struct language *l = language_of(source);
	if (!l)
		return complain(WB_USAGE, "%s: expected a whole program in CUDA C++, in a file NAME.cu, or in HIP "
				"C++, in NAME.hip", source);
	snprintf(name, sizeof name, "%.*s", (int)(strlen(source) - strlen(l->ending)), source);
	return build_program(c, source, output ? output : name);
}

enum wb_status build_and_run(struct cli *c, const char *source)
{
	char folder[] = "/tmp/warpbeam-XXXXXX", path[64];
	enum wb_status status;

	if (!mkdtemp(folder))
		return complain(WB_ENV, "%s: cannot write: %s", folder, strerror(errno));
	snprintf(path, sizeof path, "%s/program", folder);
	status = build_program(c, source, path);
	if (status == WB_OK) {
		char **words = calloc(c->nprogram + 2, sizeof *words);
		if (!words)
			no_memory();
		words[0] = path;
		memcpy(words + 1, c->program, c->nprogram * sizeof *words);
		c->program = words;
		c->nprogram++;
		c->program_source = source;
		status = run_program(c);
		free(words);
	}
	unlink(path);
	rmdir(folder);
	return status;
}
