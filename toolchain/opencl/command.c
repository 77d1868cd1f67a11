/* The command line of each step: preprocess, compile, and for targets with a third one, from LLVM's text to theirs. */
#include "toolchain/opencl/compiler.h"

#include <limits.h>
#include <stdio.h>

#define TYPED_POINTERS "-Xclang", "-no-opaque-pointers"
/* Images are written in three dimensions, as our functions (images.cl) have it on every chip. OpenCL C 3.0 has the same
 * as a feature, and wants both or none. */
#define IMAGE_OPTIONS "-Xclang", "-cl-ext=+cl_khr_3d_image_writes,+__opencl_c_3d_image_writes,+__opencl_c_images"

/* The argument prefix + n bytes of text. */
static void add(struct compiler *c, const char *prefix, const char *text, size_t n)
{
	char *s = arena_alloc(c->arena, strlen(prefix) + n + 1, 1);

	if (!s || c->narguments + 2 > ARGUMENTS_MAX) {
		c->full = true;
		return;
	}
	memcpy(s, prefix, strlen(prefix));
	memcpy(s + strlen(prefix), text, n);
	c->argument[c->narguments++] = s;
	c->argument[c->narguments] = NULL;
}

/* Each line of a list behind the prefix. */
static void add_list(struct compiler *c, const char *prefix, const char *list)
{
	for (const char *p = list; *p; p += strcspn(p, "\n"), p += *p == '\n')
		add(c, prefix, p, strcspn(p, "\n"));
}

static void add_word(struct compiler *c, const char *prefix, const char *text)
{
	add(c, prefix, text, strlen(text));
}

static void add_words(struct compiler *c, const char *const *words)
{
	for (; *words; words++)
		add_word(c, "", *words);
}

/* Build options that clang has as well (OpenCL 1.2, 5.6.4). No other word comes from a caller. */
static const char *const flags[] = {
	"-cl-single-precision-constant", "-cl-denorms-are-zero", "-cl-fp32-correctly-rounded-divide-sqrt",
	"-cl-mad-enable", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations", "-cl-finite-math-only",
	"-cl-fast-relaxed-math", "-cl-kernel-arg-info", "-w", "-Werror", NULL
};

/* Beginnings of words of C++, for CUDA and HIP: version, a macro less, a header first. */
static const char *const beginnings[] = { "-std=c++", "-U", "-include", NULL };

static bool begins_as(const char *word, size_t n)
{
	unsigned i = 0;

	while (beginnings[i] && (strlen(beginnings[i]) >= n || strncmp(beginnings[i], word, strlen(beginnings[i]))))
		i++;
	return beginnings[i];
}

bool flags_check(struct compiler *c)
{
	for (const char *p = c->options->cl_flags; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		size_t n = strcspn(p, "\n");
		unsigned i = 0;
		while (flags[i] && (strlen(flags[i]) != n || strncmp(flags[i], p, n)))
			i++;
		if (!flags[i] && !(c->target->language != OPENCL_C && begins_as(p, n)))
			return diag_set(c->diag, DIAG_USAGE, "--cl-flag: found %.*s, expected a build option such as "
					"%s", n < 80 ? (int)n : 80, p, flags[0]);
	}
	return true;
}

/* Version of code objects. libclc reads hidden arguments as up to version 4; a flagged library goes with the compiler's
 * own version alone, and with functions of ours that read none. */
static const char *object_version(const struct compiler *c)
{
	return c->flagged || !c->target->object ? NULL : "-mcode-object-version=4";
}

/* The version of the language as a number, without a definition by clang (OpenCL C 1.2, 6.10). A source's own -D comes
 * first. */
static void add_language_version(struct compiler *c)
{
	static const char name[] = "__OPENCL_VERSION__", *const versions[][2] = {
		{ "1.0", "100" }, { "1.1", "110" }, { "1.2", "120" }, { "2.0", "200" }, { "3.0", "300" },
	};
	const char *standard = c->options->cl_std;

	if (strstr(c->options->defines, name))
		return;
	for (unsigned i = 0; i < sizeof versions / sizeof *versions; i++)
		if (strstr(standard, versions[i][0])) {
			add_word(c, "-D__OPENCL_VERSION__=", versions[i][1]);
			return;
		}
}

/* Chips with atomics of 64 bits in g[], where PTX is compiled; clang knows no target between sm_11 and sm_20. */
static bool has_long_atomics(const struct compiler *c)
{
	return !c->target->object && c->target->language == OPENCL_C &&
	       (!strcmp(c->chip, "mcp77") || !strcmp(c->chip, "g200") || !strcmp(c->chip, "gt215"));
}

/* Options of both steps for a language. */
static void language_options(struct compiler *c)
{
	static const char *const opencl[] = {
		"-x", "cl", "-Xclang", "-finclude-default-header", IMAGE_OPTIONS, "-D__IMAGE_SUPPORT__=1",
		"-target", NULL
	};
	static const char *const cuda[] = {
		"-x", "cuda", "-Wno-register", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-std=c++17",
		"-Xclang", "-target-sdk-version=11.0", "-Xclang", "-fcuda-allow-variadic-functions",
		"-include", "cuda_runtime.h", "-isystem", NULL
	};
	static const char *const hip[] = {
		"-x", "hip", "-Wno-register", "-nogpuinc", "-nogpulib", "-std=c++17", "-D__HIP_PLATFORM_AMD__=1",
		"-include", "hip/hip_runtime.h", "-isystem", NULL
	};
	static const char *const *const words[] = { [OPENCL_C] = opencl, [CUDA_CPP] = cuda, [HIP_CPP] = hip };
	enum source_language l = c->target->language;

	char folder[PATH_MAX];

	add_words(c, words[l]);
	snprintf(folder, sizeof folder, "%s/%s", c->headers ? c->headers : "", l == CUDA_CPP ? "cuda" : "hip");
	add_word(c, "", l == OPENCL_C ? c->target->triple : folder);
	if (l == OPENCL_C)
		add_word(c, "-cl-std=", c->options->cl_std);
}

/* The source's folder, and the caller's: the source itself comes by a pipe. */
static void add_folders(struct compiler *c, const char *option)
{
	const char *slash = strrchr(c->name, '/');

	add(c, option, slash ? c->name : ".", slash ? (size_t)(slash - c->name) + !(slash - c->name) : 1);
	add_list(c, option, c->options->includes);
}

/* Of nvcc, whose device code is optimised fully unless its last part, cicc, is told otherwise. */
static void nvcc_options(struct compiler *c)
{
	static const char *const slow[] = { "-Xcicc", "-O0", NULL }, *const medium[] = { "-Xcicc", "-O1", NULL };
	const char *o = c->options->optimize;

	if (!strcmp(o, "0") || !strcmp(o, "1"))
		add_words(c, *o == '0' ? slow : medium);
	if (!c->options->contract)
		add_word(c, "", "-fmad=false");
	add_folders(c, "-I");
	add_list(c, "-D", c->options->defines);
	add_list(c, "", c->options->cl_flags);
}

/* Options of both steps. Headers are looked for beside the source first. */
static void common_options(struct compiler *c)
{
	static const char *const long_atomics[] = { "-Xclang", "-cl-ext=+cl_khr_int64_base_atomics", NULL };
	static const char *const words[] = { "-fno-color-diagnostics", "-fno-caret-diagnostics", NULL };

	c->narguments = 0;
	add_word(c, "", c->program);
	if (c->target->nvcc) {
		add_words(c, c->target->words);
		nvcc_options(c);
		return;
	}
	language_options(c);
	add_words(c, words);
	add_words(c, c->target->words);
	if (c->target->object)
		add_word(c, c->target->language == HIP_CPP ? "--offload-arch=" : "-mcpu=", c->chip);
	add_word(c, "-O", c->options->optimize);
	add_folders(c, "-I");
	if (c->major >= 19) /* #embed is of clang 19 */
		add_folders(c, "--embed-dir=");
	add_list(c, "-D", c->options->defines);
	add_list(c, "", c->options->cl_flags);
	if (strstr(c->options->cl_flags, "-Werror"))
		add_word(c, "", "-Wno-linker-warnings");        /* about libclc's bitcode, not the source */
	if (c->target->language == OPENCL_C)
		add_language_version(c);
	if (has_long_atomics(c))
		add_words(c, long_atomics);
	if (object_version(c))
		add_word(c, "", object_version(c));
}

/* ---- options of some versions of clang ---- */

static bool checks_barriers(const struct compiler *c)
{
	return c->options->checks_barriers;
}

static bool checks_bounds(const struct compiler *c)
{
	return c->options->checks_bounds && c->target->language == OPENCL_C;
}

static bool checks_bounds_of_objects(const struct compiler *c)
{
	return checks_bounds(c) && c->target->object;
}

static bool makes_objects(const struct compiler *c)
{
	return c->target->object;
}

static bool makes_opencl_objects(const struct compiler *c)
{
	return c->target->object && c->target->language == OPENCL_C;
}

static bool makes_ptx(const struct compiler *c)
{
	return !c->target->object;
}

static bool mentions(const struct compiler *c, const char *word)
{
	return memmem(c->source, c->size, word, strlen(word)) || strstr(c->options->defines, word);
}

/* Elements of a type in the source, or included text, which is not looked through: LLVM's text is then made first, and
 * changed (toolchain/opencl/elements.c). */
static bool handles(const struct compiler *c, const char *type, const char *other)
{
	return c->target->object && (c->target->language != OPENCL_C || c->preprocessed.out.bytes ||
				     (c->size && (mentions(c, type) || mentions(c, other))));
}

static bool handles_bytes(const struct compiler *c)
{
	return handles(c, "char", "bool");
}

static bool handles_longs(const struct compiler *c)
{
	return unoptimised(c) && handles(c, "long", "double");
}

/* Words for clang from version `oldest` to `newest` where a target or an option needs the words. */
static const struct version_option {
	int oldest, newest;
	bool (*needed)(const struct compiler *c);
	const char *words[7];
	bool text;              /* the second step makes LLVM's text: not for the step behind */
} version_options[] = {
	/* One barrier is made of a barrier on both sides of an if, which the check of barriers is to see. */
	{ 14, 16, checks_barriers,
	  { "-mllvm", "-simplifycfg-sink-common=false", "-mllvm", "-simplifycfg-hoist-common=false" }, false },
	/* An index beyond an array calls a function without arguments (builtins.cl) and goes on. The last array of a
	 * struct has a length, too, in clang 14 and 15 without a word. */
	{ 14, 99, checks_bounds,
	  { "-Xclang", "-fsanitize=array-bounds", "-Xclang", "-fsanitize-recover=array-bounds",
	    "-Xclang", "-fsanitize-minimal-runtime" }, false },
	/* Packed structs and vectors (vload) are loaded in aligned parts: any misaligned access is a mistake. */
	{ 14, 99, checks_bounds_of_objects,
	  { "-Xclang", "-target-feature", "-Xclang", "-unaligned-access-mode" }, false },
	{ 16, 99, checks_bounds, { "-fstrict-flex-arrays=3" }, false },
	/* Without types of pointers calls of printf are dropped: in the source, and in our built-in functions alike. */
	{ 15, 15, makes_opencl_objects, { TYPED_POINTERS }, false },
	/* Without optimisation a vector register is loaded before the block sets EXEC, and stored behind: a lane that
	 * was off stores what was in the register (LLVM's issue 61083, mended in 18 by pull request 69924). The other
	 * allocator of registers is right, and the usual one from -O 1 on. */
	{ 16, 17, makes_objects, { "-mllvm", "-optimize-regalloc" }, false },
	/* Sixteen bytes that are loaded as a vector become one load of 16 bytes, wherever they are (mended in LLVM 20
	 * by pull request 107919). Of bytes one by one, only this pass makes such a vector. */
	{ 18, 19, makes_ptx, { "-fno-slp-vectorize" }, false },
	/* An element of a vector is stored elsewhere: a byte; 64 bits, without optimisation (17, 18 were not tried). */
	{ 14, 15, handles_bytes, { "-Xclang", "-emit-llvm" }, true },
	{ 14, 18, handles_longs, { "-Xclang", "-emit-llvm" }, true },
};
enum { VERSION_OPTIONS = sizeof version_options / sizeof *version_options };

static bool applies(const struct version_option *o, const struct compiler *c)
{
	return o->oldest <= c->major && c->major <= o->newest && o->needed(c);
}

static void add_version_options(struct compiler *c, bool second)
{
	for (const struct version_option *o = version_options; o < version_options + VERSION_OPTIONS; o++)
		if ((second || !o->text) && applies(o, c))
			add_words(c, o->words);
}

void hash_version_options(const struct compiler *c, struct sha256 *s)
{
	for (const struct version_option *o = version_options; o < version_options + VERSION_OPTIONS; o++) {
		int32_t said[] = { o->oldest, o->newest, o->needed(c) };
		sha256_add(s, said, sizeof said);
		for (const char *const *word = o->words; *word; word++)
			sha256_add(s, *word, strlen(*word) + 1);
	}
}

bool makes_text_first(const struct compiler *c)
{
	for (const struct version_option *o = version_options; o < version_options + VERSION_OPTIONS; o++)
		if (o->text && applies(o, c))
			return true;
	return false;
}

/* Options of a step that reads the source: its name, and contractions. */
static void source_options(struct compiler *c)
{
	static const char *const name[] = { "-Xclang", "-main-file-name", "-Xclang", NULL };
	static const char *const contract[] = { "-ffp-contract=on", NULL, "-ffp-contract=off", NULL };

	if (!c->target->object && !(c->target->language == CUDA_CPP && c->options->contract))
		add_words(c, c->options->contract ? contract : contract + 2);
	add_words(c, name);
	add_word(c, "", c->name);
}

/* Options of the second step: a line table of the source, not of "-". */
void command_options(struct compiler *c)
{
	common_options(c);
	add_words(c, c->target->second_words);
	if (c->target->nvcc)
		return;
	add_version_options(c, true);
	source_options(c);
}

static void add_library(struct compiler *c, const char *path)
{
	static const char *const words[] = { "-Xclang", "-mlink-builtin-bitcode", "-Xclang", NULL };

	add_words(c, words);
	add_word(c, "", path);
}

/* The units before the source's, all of their functions. */
static void add_units(struct compiler *c)
{
	static const char *const words[] = { "-Xclang", "-mlink-bitcode-file", "-Xclang", NULL };
	const char *units = c->child.input[CHILD_UNITS].name;
	char path[sizeof c->child.folder + 16];

	if (!units)
		return;
	snprintf(path, sizeof path, "%s/%s", c->child.folder, units);
	add_words(c, words);
	add_word(c, "", path);
}

/* Built-in functions by symbol, behind the units that call them: ours first. */
static void add_libraries(struct compiler *c)
{
	const char *ours = c->child.input[CHILD_BUILTINS].name;
	char path[sizeof c->child.folder + 16];

	snprintf(path, sizeof path, "%s/%s", c->child.folder, ours ? ours : "");
	add_units(c);
	if (ours)
		add_library(c, path);
	if (c->library)
		add_library(c, c->library);
}

void question_command(struct compiler *c)
{
	c->narguments = 0;
	add_word(c, "", c->program);
	add_word(c, "", c->question);
}

/* Pointers have types where those of the source have. */
void builtins_command(struct compiler *c)
{
	static const char *const target[] = { "-x", "cl", "-target", NULL }, *const words[] = {
		"-nogpulib", "-cl-std=CL1.2", "-O1", IMAGE_OPTIONS, "-fno-strict-aliasing", "-Xclang",
		"-disable-llvm-passes", "-emit-llvm", "-c", "-o", "-", "-", NULL
	}, *const pointers[] = { TYPED_POINTERS, NULL };

	c->narguments = 0;
	add_word(c, "", c->program);
	add_words(c, target);
	add_word(c, "", c->target->triple);
	add_words(c, words);
	if (makes_opencl_objects(c) && c->major == 15)
		add_words(c, pointers);
	if (object_version(c))
		add_word(c, "", object_version(c));
}

void preprocess_command(struct compiler *c)
{
	common_options(c);
	add_word(c, "", "-E");
	add_word(c, "", "-");
}

static void add_result(struct compiler *c)
{
	char path[sizeof c->child.folder + 16];

	snprintf(path, sizeof path, "%s/%s", c->child.folder, c->child.result);
	add_word(c, "", "-o");          /* a word of its own, for nvcc */
	add_word(c, "", path);
	add_word(c, "", "-");
}

void unit_command(struct compiler *c)
{
	static const char *const words[] = {
		"-c", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-DWB_UNIT", NULL
	};
	static const char *const object[] = { "-g", NULL };
	static const char *const text[] = { "-gline-directives-only", "-cl-kernel-arg-info", NULL };

	common_options(c);
	add_words(c, words);
	add_words(c, c->target->object ? object : text);
	add_version_options(c, false);
	source_options(c);
	add_units(c);
	add_result(c);
}

void compile_command(struct compiler *c)
{
	command_options(c);
	add_libraries(c);
	add_result(c);
}

/* A single thread: the linker's address space does not grow with the host's processors. */
void link_command(struct compiler *c)
{
	static const char *const words[] = { "ld.lld", "--threads=1", "--no-undefined", "-shared", NULL };
	char path[sizeof c->child.folder + 16];

	c->narguments = 0;
	add_words(c, words);
	snprintf(path, sizeof path, "%s/" OBJECT_FILE, c->child.folder);
	add_word(c, "", path);
	snprintf(path, sizeof path, "-o%s/%s", c->child.folder, c->child.result);
	add_word(c, "", path);
}

void text_command(struct compiler *c)
{
	static const char *const target[] = { "-target", NULL };
	/* clang 14 to 16 without optimisation, for CUDA: a __constant parameter ends the compiler */
	bool plain = unoptimised(c);

	c->narguments = 0;
	add_word(c, "", c->program);
	add_words(c, c->target->third_words);
	add_words(c, target);
	add_word(c, "", plain ? "nvptx-nvidia-nvcl" : c->target->triple);
	add_words(c, c->target->words);
	add_version_options(c, false);
	add_word(c, "-O", c->options->optimize);
	add_result(c);
}

void object_command(struct compiler *c)
{
	static const char *const words[] = {
		"-x", "ir", "-Wno-override-module", "-nogpulib", "-Xclang", "-disable-llvm-passes", "-target", NULL
	};
	static const char *const unpromoted[] = { "-mllvm", "-disable-promote-alloca-to-vector", NULL };

	c->narguments = 0;
	add_word(c, "", c->program);
	add_words(c, words);
	add_word(c, "", c->target->triple);
	add_word(c, "-mcpu=", c->chip);
	add_word(c, "-O", c->options->optimize);
	add_words(c, c->target->second_words);
	add_version_options(c, false);
	if (c->arrays)
		add_words(c, unpromoted);
	if (object_version(c))
		add_word(c, "", object_version(c));
	add_result(c);
}
