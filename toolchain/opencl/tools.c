/* Programs and libraries of the host: the targets of a compiler, and the newest compiler with a linker. */
#include "toolchain/opencl/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "core/machines/registry.h"
#include "toolchain/opencl/guard.h"

/* Text of the second row is compiled further here. Division and roots have OpenCL C's precision there, rotates need
 * sm_35, and DWARF sections of calls would end clang 14 and 19 with a signal. The second step makes LLVM's text there,
 * with contractions and types of parameters, and a third step the PTX. Objects of the first row are linked. LLVM's own
 * folds of libclc's functions are off there: powr(x, 2.0f) would be x * x for negative x, fma(x, 0.0f, 1.0f) 1 for an
 * infinite x.
 * HIP C++ is compiled by a single step of the driver, -S, whose result is made an object, which is then linked here.
 * CUDA C++ says nothing of a chip: sm_70 of CUDA 11 has all words of a warp, and the launches and shuffles of today;
 * sm_75 is the oldest that nvcc 13 has, and nvcc 10 has it. */
static const struct target targets[] = {
	{ OPENCL_C, "gfx900", "amdgcn-unknown-amdhsa", ".hsaco", true,
	  { "/usr/lib/clc/amdgcn--amdhsa.bc", "/usr/lib/clc/amdgcn-amd-amdhsa.bc",
	    "/usr/share/clc/amdgcn--amdhsa.bc", "/usr/share/clc/amdgcn-amd-amdhsa.bc",
	    "/usr/local/lib/clc/amdgcn--amdhsa.bc", "/usr/libexec/clc/amdgcn--amdhsa.bc", NULL }, { "-nogpulib", NULL },
	  { "-g", "-c", "-mllvm", "-amdgpu-simplify-libcall=0", "-mllvm",
	    "-amdgpu-enable-merge-m0=0", NULL }, { NULL }, false },
	{ OPENCL_C, "g200", "nvptx-nvidia-nvidiacl", ".ptx", false,
	  { "/usr/lib/clc/nvptx--nvidiacl.bc", "/usr/share/clc/nvptx--nvidiacl.bc",
	    "/usr/local/lib/clc/nvptx--nvidiacl.bc", "/usr/libexec/clc/nvptx--nvidiacl.bc", NULL },
	  { "-nogpulib", "-Xclang", "-target-feature", "-Xclang", "+ptx32", "-Xclang", "-target-cpu", "-Xclang",
	    "sm_35", NULL },
	  { "-gline-directives-only", "-S", "-emit-llvm", "-cl-kernel-arg-info", NULL },
	  { "-x", "ir", "-S", "-Wno-override-module", "-mllvm", "-nvptx-prec-divf32=1", NULL }, false },
	{ CUDA_CPP, "g200", "nvptx64-nvidia-cuda", ".ptx", false,
	  { "/usr/lib/clc/nvptx64--nvidiacl.bc", "/usr/share/clc/nvptx64--nvidiacl.bc",
	    "/usr/local/lib/clc/nvptx64--nvidiacl.bc", "/usr/libexec/clc/nvptx64--nvidiacl.bc", NULL },
	  { "--cuda-device-only", "--cuda-gpu-arch=sm_70", "-Xclang", "-target-feature", "-Xclang", "+ptx65", NULL },
	  { "-gline-directives-only", "-S", "-Wno-linker-warnings", NULL }, { NULL }, false },
	{ CUDA_CPP, "g200", "nvptx64-nvidia-cuda", ".ptx", false, { NULL },
	  { "-x", "cu", "-std=c++17", "-arch=sm_75", NULL }, { "-ptx", "-lineinfo", NULL }, { NULL }, true },
	{ HIP_CPP, "gfx900", "amdgcn-amd-amdhsa", ".hsaco", true,
	  { "/usr/lib/clc/amdgcn--amdhsa.bc", "/usr/lib/clc/amdgcn-amd-amdhsa.bc",
	    "/usr/share/clc/amdgcn--amdhsa.bc", "/usr/share/clc/amdgcn-amd-amdhsa.bc",
	    "/usr/local/lib/clc/amdgcn--amdhsa.bc", "/usr/libexec/clc/amdgcn--amdhsa.bc", NULL },
	  { "--cuda-device-only", "--no-gpu-bundle-output", NULL },
	  { "-g", "-S", "-Xclang", "-emit-obj", "-Wno-linker-warnings", NULL }, { NULL }, false },
};
enum { TARGETS = sizeof targets / sizeof *targets };

static const char *const compilers[] = {
#define CLANG(name) name,
#include "toolchain/opencl/clang.def"
#undef CLANG
	NULL
};
/* Places of nvcc, each below the folder that a variable names, where there is a variable. */
static const struct { const char *variable, *path; } nvccs[] = {
	{ NULL, "nvcc" }, { "CUDA_HOME", "/bin/nvcc" }, { "CUDA_PATH", "/bin/nvcc" },
	{ NULL, "/usr/local/cuda/bin/nvcc" }, { NULL, "/opt/cuda/bin/nvcc" },
};
enum { NVCCS = sizeof nvccs / sizeof *nvccs };
/* Part of the flag's name in a module. */
#define FLAG "code_object_version"
#define PACKAGES "apt install clang-19 lld-19 libclc-19, or all three of another version from 14 on"

/* A language as people call it, and its chips, for a chip of none. */
static const struct { const char *name, *chips; } languages[] = {
	[OPENCL_C] = { "OpenCL C", "tahiti, bonaire, tonga or gfx900, and for g80, g84, mcp77, gt215 or g200" },
	[CUDA_CPP] = { "CUDA C++", "g80, g84, mcp77, gt215, g200 or v100" },
	[HIP_CPP] = { "HIP C++", "bonaire, tonga or gfx900 (tahiti has no generic addresses)" },
};

bool find_target(struct compiler *c, enum source_language l)
{
	const char *chip = c->options->chip;
	bool nvcc = c->options->nvcc && l == CUDA_CPP;

	for (unsigned i = 0; i < TARGETS; i++) {
		c->target = &targets[i];
		c->chip = chip ? chip : c->target->chip;
		if (c->target->language == l && c->target->nvcc == nvcc &&
		    isa_of_chip(c->chip) == isa_of_chip(c->target->chip) &&
		    (l != HIP_CPP || strcmp(c->chip, "tahiti") != 0))
			return true;
	}
	return diag_set(c->diag, DIAG_USAGE, "%s is compiled for %s; found --chip %s", languages[l].name,
			languages[l].chips, c->chip);
}

/* ---- the compiler and its library ---- */

enum taken { ABSENT, TAKEN, FAILED /* with a diagnostic */ };

void end_tools(struct compiler *c)
{
	if (c->child.ruleset >= 0)
		close(c->child.ruleset);
	c->child.ruleset = -1;
	child_free(&c->version);
}

/* The linker that a compiler's driver would find: beside the program, or by PATH; from malloc. NULL: none. */
static char *linker_of(const char *compiler)
{
	char *path = child_find(compiler), *real = path ? realpath(path, NULL) : NULL;
	char *slash = real ? strrchr(real, '/') : NULL, *beside = NULL, *linker = NULL;

	if (slash && asprintf(&beside, "%.*s/ld.lld", (int)(slash - real), real) >= 0)
		linker = child_find(beside);
	if (!linker)
		linker = child_find("ld.lld");
	free(path);
	free(real);
	free(beside);
	return linker;
}

static bool has_linker(const char *compiler)
{
	char *linker = linker_of(compiler);

	free(linker);
	return linker;
}

/* A copy in the arena of a path from malloc, freed. NULL: no path. */
static const char *take_path(struct compiler *c, char *path)
{
	const char *copy = path ? arena_strdup(c->arena, path) : NULL;

	free(path);
	return copy;
}

/* Ask the compiler c->question; the answer is kept. Returns the exit status or CHILD_…. */
static int ask(struct compiler *c, struct child_outputs *o)
{
	int status = run_compiler(c, question_command, child_input(""), o);

	if (status == 0)
		keep_answer(c, &o->out);
	return status;
}

/* Whether the compiler is of the target's kind, by what it says of itself. False with a diagnostic: it is not. */
static bool is_kind(struct compiler *c)
{
	bool nvcc = strstr(c->version.out.bytes, "Cuda compiler driver");

	if (nvcc == c->target->nvcc)
		return true;
	return diag_set(c->diag, DIAG_USAGE, nvcc ? "--cc %s: this is nvcc, which compiles CUDA C++ alone: give "
			"--cuda-compiler nvcc as well" : "--cc %s: expected nvcc, found a program that says of itself "
			"\"%.*s\"; without --cuda-compiler nvcc it may be a clang", c->program,
			(int)strcspn(c->version.out.bytes, "\n"), c->version.out.bytes);
}

/* The number behind "clang version " in what the compiler says of itself; 0: unknown. */
static int major_version(const char *said)
{
	said = strstr(said, "clang version ");
	return said ? atoi(said + strlen("clang version ")) : 0;
}

static enum taken read_version(struct compiler *c)
{
	int status;

	c->question = "--version";
	status = recall_answer(c, &c->version.out) ? 0 : ask(c, &c->version);
	if (status == 0) {
		c->major = major_version(c->version.out.bytes);
		return is_kind(c) ? TAKEN : FAILED;
	}
	if (status != CHILD_NOT_STARTED && ended_early(c, status, c->version.errors.bytes))
		return FAILED;
	end_tools(c);
	return ABSENT;
}

/* Find the compiler of a name and its linker, bound their files, and learn the version. */
static enum taken take_program(struct compiler *c, const char *name)
{
	c->program = name;
	c->child.path = take_path(c, child_find(name));
	c->linker = take_path(c, linker_of(name));
	if (!c->child.path)
		return ABSENT;
	if (!opencl_guard(c->options, c->name, c->child.path, c->library,
			  c->target->nvcc ? "/usr/include" : c->headers, &c->child.ruleset, c->diag))
		return FAILED;
	return read_version(c);
}

/* The i-th of the compilers to look for, "" for none. NULL: the list is over, or the host has no memory. */
static const char *candidate(struct compiler *c, unsigned i)
{
	const char *folder;
	char *path = NULL;

	if (!c->target->nvcc)
		return compilers[i];
	if (i >= NVCCS)
		return NULL;
	folder = nvccs[i].variable ? getenv(nvccs[i].variable) : "";
	if (!folder || !*folder)
		return nvccs[i].variable ? "" : nvccs[i].path;
	return asprintf(&path, "%s%s", folder, nvccs[i].path) < 0 ? NULL : take_path(c, path);
}

/* The next of the compilers with a linker, then of those without: an object of the cache needs none. NULL: no more. */
static const char *next_candidate(struct compiler *c, unsigned *i, bool *without)
{
	const char *name = candidate(c, (*i)++);

	while (name ? has_linker(name) == *without : !*without) {
		if (!name) {
			*without = true;
			*i = 0;
		}
		name = candidate(c, (*i)++);
	}
	return name;
}

static enum taken take_any(struct compiler *c)
{
	enum taken taken = ABSENT;
	bool without = false;
	unsigned i = 0;

	for (const char *name; taken == ABSENT && (name = next_candidate(c, &i, &without));)
		taken = take_program(c, name);
	return taken;
}

/* Take the linker that the compiler names in an answer. False: no such program. */
static bool take_linker(struct compiler *c, char *answer)
{
	answer[strcspn(answer, "\n")] = '\0';
	c->linker = *answer == '/' && !access(answer, X_OK) ? arena_strdup(c->arena, answer) : NULL;
	return c->linker;
}

bool find_linker(struct compiler *c)
{
	struct child_outputs o = { 0 };

	if (c->linker)
		return true;
	c->question = "-print-prog-name=ld.lld";
	forget_inputs(c);
	c->child.result = NULL;
	if (!recall_answer(c, &o.out) || !take_linker(c, o.out.bytes)) {
		child_free(&o);
		if (!ask(c, &o))
			take_linker(c, o.out.bytes);
	}
	child_free(&o);
	return c->linker || diag_set(c->diag, DIAG_ENV, "%s: the linker ld.lld is not here (apt install lld-%d)",
				     c->program, c->major);
}

/* libclc 22 has no functions for 32 bits of PTX, and no older libclc is installed beside it. */
static bool lacks_library(struct compiler *c)
{
	static const char wide[] = "/usr/lib/clc/nvptx64--nvidiacl.bc";

	if (strstr(c->target->libraries[0], "nvptx--") && !access(wide, R_OK))
		return diag_set(c->diag, DIAG_ENV, "the libclc that is here has no built-in functions for %s, as "
				"from libclc 22 on; an older one has: apt-get download libclc-19; dpkg -x "
				"libclc-19*.deb FOLDER; and --libclc FOLDER%s", c->chip, c->target->libraries[0]);
	return diag_set(c->diag, DIAG_ENV, "the built-in functions of %s are not here (%s); install them: " PACKAGES,
			languages[c->target->language].name, c->target->libraries[0]);
}

bool find_library(struct compiler *c)
{
	const char *said = c->options->libclc;

	if (c->target->nvcc)
		return true;
	c->library = *said ? said : NULL;
	for (const char *const *p = c->target->libraries; !c->library && *p; p++)
		if (!access(*p, R_OK))
			c->library = *p;
	return c->library || lacks_library(c);
}

/* Find whether the library's modules have a flag for the version of code objects. */
static bool read_library(struct compiler *c)
{
	struct child_text bitcode;
	int fd;

	if (!c->library)
		return true;
	fd = open(c->library, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || !child_slurp(fd, &bitcode)) {
		diag_set(c->diag, DIAG_ENV, "cannot read the built-in functions: %s", strerror(errno));
		if (fd >= 0)
			close(fd);
		return diag_in_file(c->diag, c->library);
	}
	close(fd);
	c->flagged = memmem(bitcode.bytes, bitcode.size, FLAG, sizeof FLAG - 1);
	free(bitcode.bytes);
	return true;
}

bool find_likely(struct compiler *c)
{
	const char *name = c->options->cc;
	char *path = *name ? child_find(name) : NULL;
	bool without = false;
	unsigned i = 0;

	if (!*name)
		while (!path && (name = next_candidate(c, &i, &without)))
			path = child_find(name);
	c->program = name ? name : "";
	c->likely = take_path(c, path);
	return c->likely;
}

bool find_tools(struct compiler *c)
{
	const char *said = c->options->cc;
	enum taken taken;

	set_limits(c);
	if (!read_library(c))
		return false;
	taken = *said ? take_program(c, said) : take_any(c);
	if (taken != ABSENT)
		return taken == TAKEN;
	if (!*said && c->target->nvcc)
		return diag_set(c->diag, DIAG_ENV, "--cuda-compiler nvcc: nvcc is not here, neither by PATH nor in "
				"CUDA_HOME/bin, CUDA_PATH/bin or /usr/local/cuda/bin; --cc names one elsewhere, and "
				"without --cuda-compiler nvcc clang compiles CUDA C++, with no toolkit");
	if (!*said)
		return diag_set(c->diag, DIAG_ENV,
				"%s is compiled by clang 14 or later, and there is none: name it with --cc, or install "
				"it: " PACKAGES, languages[c->target->language].name);
	return diag_set(c->diag, DIAG_ENV, "--cc: \"%s\" cannot be run%s", said,
			c->options->files == FILES_ANY ? "" :
			" (a compiler outside of the system's folders may need --files any)");
}

