/* clang is run as a program, in three steps: preprocess, look the result up in the cache, compile.
 *
 * An object is kept under a hash of all its inputs (the compiler, its options, the preprocessed text), so an unchanged
 * source is compiled once (object_cache.h). A record of the files that the preprocessor read (inputs.h) stands
 * beside the object: while the files stay, the same source needs no program at all. The compiler reads the source from
 * its standard input, behind a #line with the source's name. A source can make the compiler work for ever and names
 * files: the compiler has limits (child.h) and a guard (opencl_guard.h). */
#include "api/opencl.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/config.h"
#include "device/launch.h"
#include "api/opencl_guard.h"
#include "host/child.h"
#include "host/object_cache.h"
#include "toolchain/opencl/builtins.h"
#include "toolchain/opencl/formats.h"
#include "toolchain/opencl/inputs.h"
#include "toolchain/opencl/text.h"

enum { ARGUMENTS_MAX = 1024 };

/* Limits of a compilation without --max-seconds and --max-memory. clang alone, with its libraries, maps several hundred
 * MiB: a smaller --max-memory leaves the compiler MEMORY_LEAST. */
enum { SECONDS = 60 };
#define MEMORY (UINT64_C(4) << 30)
#define MEMORY_LEAST (UINT64_C(1) << 30)

/* A kind of machine that OpenCL C is compiled for. */
struct target {
	const char *chip;                /* a chip of the machine */
	const char *triple, *ending;     /* of the compiler; of the object's file */
	bool object;                     /* code objects, which have versions; else text */
	const char *libraries[5];        /* places of the built-in functions, in Debian's libclc and other builds */
	const char *words[12];           /* options of both steps */
	const char *second_words[8];     /* options of the second step alone */
	const char *third_words[8];      /* of a step from LLVM's text to the target's; none: no such step */
};

/* Text of the second row is compiled further here. Division and roots have OpenCL C's precision there, rotates need
 * sm_35, and DWARF sections of calls would end clang 14 and 19 with a signal. The second step makes LLVM's text there,
 * with contractions and types of parameters, and a third step the PTX. The linker of the first row has a
 * single thread: its address space does not grow with the host's processors. LLVM's own folds of libclc's functions are
 * off there: powr(x, 2.0f) would be x * x for negative x, fma(x, 0.0f, 1.0f) 1 for an infinite x. */
static const struct target targets[] = {
	{ "gfx900", "amdgcn-unknown-amdhsa", ".hsaco", true,
	  { "/usr/lib/clc/amdgcn--amdhsa.bc", "/usr/share/clc/amdgcn--amdhsa.bc",
	    "/usr/local/lib/clc/amdgcn--amdhsa.bc", "/usr/libexec/clc/amdgcn--amdhsa.bc", NULL }, { "-nogpulib", NULL },
	  { "-g", "-Wl,--threads=1", "-Wl,--no-undefined", "-mllvm", "-amdgpu-simplify-libcall=0", NULL }, { NULL } },
	{ "g200", "nvptx-nvidia-nvidiacl", ".ptx", false,
	  { "/usr/lib/clc/nvptx--nvidiacl.bc", "/usr/share/clc/nvptx--nvidiacl.bc",
	    "/usr/local/lib/clc/nvptx--nvidiacl.bc", "/usr/libexec/clc/nvptx--nvidiacl.bc", NULL },
	  { "-nogpulib", "-Xclang", "-target-feature", "-Xclang", "+ptx32", "-Xclang", "-target-cpu", "-Xclang",
	    "sm_35", NULL },
	  { "-gline-directives-only", "-S", "-emit-llvm", "-cl-kernel-arg-info", NULL },
	  { "-x", "ir", "-S", "-Wno-override-module", "-mllvm", "-nvptx-prec-divf32=1", NULL } },
};
enum { TARGETS = sizeof targets / sizeof *targets };

/* The newest first: bitcode of a library is read by compilers as new as the library. Untested compilers are last. */
static const char *const compilers[] = {
	"clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14", "clang", "clang-21", "clang-20", NULL
};
/* Part of the flag's name in a module. */
#define FLAG "code_object_version"
#define PACKAGES "apt install clang-19 lld-19 libclc-19, or all three of another version from 14 on"

struct compiler {
	const struct wb_config *config;
	struct arena *arena;
	const char *name;       /* of the source */
	const struct target *target;
	const char *program, *library;
	bool flagged;           /* the library asks for a version of code objects */
	uint8_t inputs_key[SHA256_BYTES];       /* of the record of inputs in the cache */
	const char *likely;     /* path of the compiler in inputs_key */
	const char *inputs;     /* the record; NULL: none is to be kept */
	const char *chip;
	struct opencl_builtins builtins;
	char *argument[ARGUMENTS_MAX];
	unsigned narguments;
	bool full;              /* too many arguments, or no memory */
	int64_t seconds;        /* of the host's time for all children together; NUMBER_NONE: unlimited */
	struct child_outputs version;   /* what the program says of itself */
	struct child child;
	struct diag *diag;
};

bool opencl_is(const struct wb_config *c, const char *name)
{
	size_t n = strlen(name);
	const char *format = config_text(c, OPT_FORMAT);

	return !strcmp(format, "opencl") || (!strcmp(format, "auto") && n > 3 && !strcmp(name + n - 3, ".cl"));
}

/* ---- running the compiler ---- */

static bool out_of_memory(const char *errors)
{
	/* Of LLVM, the C++ library, the kernel and the loader. */
	static const char *const said[] = { "LLVM ERROR: out of memory", "std::bad_alloc", "Cannot allocate memory",
					    "failed to map segment", NULL };

	for (const char *const *p = said; *p; p++)
		if (strstr(errors, *p))
			return true;
	return false;
}

/* Set the diagnostic of a compiler that was ended by something else than an error of the source. False: none was. */
static bool ended_early(struct compiler *c, int status, const char *errors)
{
	struct diag *d = c->diag;

	if (status == CHILD_OUT_OF_TIME)
		diag_set(d, DIAG_LIMIT, "the compiler ran out of its %lld seconds; --max-seconds raises the limit",
			 (long long)c->seconds);
	else if (status == CHILD_TOO_LONG || status == CHILD_SIGNALLED + SIGXFSZ)
		diag_set(d, DIAG_LIMIT, "the compiler makes more than %d MiB of this source", CHILD_BYTES_MAX >> 20);
	else if (status == CHILD_UNGUARDED)
		diag_set(d, DIAG_ENV, "the kernel refuses a bound on the compiler's files; --files any goes without");
	else if (status == CHILD_NOT_STARTED)
		diag_set(d, DIAG_ENV, "%s cannot be run", c->program);
	else if (out_of_memory(errors))
		diag_set(d, DIAG_LIMIT, "the compiler ran out of its %llu MiB of memory; --max-memory raises the limit",
			 (unsigned long long)(c->child.memory >> 20));
	else if (status > CHILD_SIGNALLED && sigdescr_np(status - CHILD_SIGNALLED))
		/* no signal: clang exits with 254 by itself where a part of clang was ended, and says so */
		diag_set(d, DIAG_INPUT, "the compiler was ended by signal %d (%s)", status - CHILD_SIGNALLED,
			 sigdescr_np(status - CHILD_SIGNALLED));
	else
		return false;
	return true;
}

/* Name the folder of the next run. */
static void name_folder(struct compiler *c)
{
	const char *temporary = getenv("TMPDIR");

	child_name_folder(&c->child, temporary && *temporary == '/' ? temporary : "/tmp");
}

/* Run the compiler with the arguments. */
static int run(struct compiler *c, const void *input, size_t n, struct child_outputs *o)
{
	c->child.argv = c->argument;
	return c->full ? CHILD_NOT_STARTED : child_run(&c->child, input, n, o);
}

static void set_limits(struct compiler *c)
{
	uint64_t asked = config_given(c->config, OPT_MAX_MEMORY) ? memory_limit(c->config) : MEMORY;

	c->seconds = config_given(c->config, OPT_MAX_SECONDS) ? config_number(c->config, OPT_MAX_SECONDS) : SECONDS;
	if (c->seconds > INT32_MAX)
		c->seconds = NUMBER_NONE;
	c->child.deadline = c->seconds == NUMBER_NONE ? INT64_MAX : child_clock() + c->seconds * 1000000000;
	c->child.memory = asked < MEMORY_LEAST ? MEMORY_LEAST : asked;
}

/* ---- the compiler and its options ---- */

enum taken { ABSENT, TAKEN, FAILED /* with a diagnostic */ };

static void put_back(struct compiler *c)
{
	if (c->child.ruleset >= 0)
		close(c->child.ruleset);
	c->child.ruleset = -1;
	child_free(&c->version);
}

/* Find the compiler of a name, bound its files, and read the output of --version. */
static enum taken take_program(struct compiler *c, const char *name)
{
	char *argv[] = { (char *)(uintptr_t)name, (char *)(uintptr_t)"--version", NULL };
	char *path = child_find(name);
	int status;

	c->program = name;
	c->child.path = path ? arena_strdup(c->arena, path) : NULL;
	free(path);
	if (!c->child.path)
		return ABSENT;
	if (!opencl_guard(c->config, c->name, c->child.path, c->library, &c->child.ruleset, c->diag))
		return FAILED;
	c->child.argv = argv;
	name_folder(c);
	status = child_run(&c->child, "", 0, &c->version);
	if (status == 0)
		return TAKEN;
	if (status != CHILD_NOT_STARTED && ended_early(c, status, c->version.errors.bytes))
		return FAILED;
	put_back(c);
	return ABSENT;
}

/* Whether the compiler finds a linker: beside the program, or by PATH. */
static bool has_linker(const char *compiler)
{
	char *path = child_find(compiler), *real = path ? realpath(path, NULL) : NULL;
	char *slash = real ? strrchr(real, '/') : NULL, *beside = NULL, *linker = NULL;
	bool found;

	if (slash && asprintf(&beside, "%.*s/ld.lld", (int)(slash - real), real) >= 0)
		linker = child_find(beside);
	if (!linker)
		linker = child_find("ld.lld");
	found = linker != NULL;
	free(path);
	free(real);
	free(beside);
	free(linker);
	return found;
}

/* Take a compiler with a linker, else one without: an object of the cache needs none. */
static enum taken take_any(struct compiler *c)
{
	enum taken taken = ABSENT;

	for (int linked = 1; taken == ABSENT && linked >= 0; linked--)
		for (const char *const *p = compilers; taken == ABSENT && *p; p++)
			if (has_linker(*p) == linked)
				taken = take_program(c, *p);
	return taken;
}

static bool find_library(struct compiler *c)
{
	const char *said = config_text(c->config, OPT_LIBCLC);

	c->library = *said ? said : NULL;
	for (const char *const *p = c->target->libraries; !c->library && *p; p++)
		if (!access(*p, R_OK))
			c->library = *p;
	if (!c->library)
		return diag_set(c->diag, DIAG_ENV, "the built-in functions of OpenCL C are not here (%s); install "
						   "them: " PACKAGES, c->target->libraries[0]);
	return true;
}

/* Find whether the library's modules have a flag for the version of code objects. */
static bool read_library(struct compiler *c)
{
	struct child_text bitcode;
	int fd = open(c->library, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

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

/* The path of the compiler that find_tools would take, where the compiler runs; NULL: none. */
static const char *likely_compiler(struct compiler *c)
{
	const char *name = config_text(c->config, OPT_CC), *copy = NULL;
	char *path;

	for (int linked = 1; !*name && linked >= 0; linked--)
		for (const char *const *p = compilers; !*name && *p; p++) {
			path = has_linker(*p) == linked ? child_find(*p) : NULL;
			name = path ? *p : name;
			free(path);
		}
	path = *name ? child_find(name) : NULL;
	if (path)
		copy = arena_strdup(c->arena, path);
	free(path);
	c->program = name;
	return copy;
}

static bool find_tools(struct compiler *c)
{
	const char *said = config_text(c->config, OPT_CC);
	enum taken taken = *said ? take_program(c, said) : take_any(c);

	if (taken != ABSENT)
		return taken == TAKEN;
	if (!*said)
		return diag_set(c->diag, DIAG_ENV,
				"OpenCL C is compiled by clang 14 or later, and there is none: name it with --cc, or "
				"install it: " PACKAGES);
	return diag_set(c->diag, DIAG_ENV, "--cc: \"%s\" cannot be run%s", said,
			config_number(c->config, OPT_FILES) == FILES_ANY ? "" :
			" (a compiler outside of the system's folders may need --files any)");
}

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

static void add_list(struct compiler *c, const char *prefix, enum option o)
{
	for (const char *p = config_text(c->config, o); *p; p += strcspn(p, "\n"), p += *p == '\n')
		add(c, prefix, p, strcspn(p, "\n"));
}

static void add_words(struct compiler *c, const char *const *words)
{
	for (; *words; words++)
		add(c, "", *words, strlen(*words));
}

/* The number behind "clang version " in what the compiler says of itself; 0: unknown, or no compiler has
 * run yet. */
static int major_version(const struct compiler *c)
{
	const char *said = c->version.out.bytes ? strstr(c->version.out.bytes, "clang version ") : NULL;

	return said ? atoi(said + strlen("clang version ")) : 0;
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
	const char *standard = config_text(c->config, OPT_CL_STD);

	if (strstr(config_text(c->config, OPT_DEFINE), name))
		return;
	for (unsigned i = 0; i < sizeof versions / sizeof *versions; i++)
		if (strstr(standard, versions[i][0])) {
			add(c, "-D__OPENCL_VERSION__=", versions[i][1], strlen(versions[i][1]));
			return;
		}
}

/* Chips with atomics of 64 bits in g[], where PTX is compiled; clang knows no target between sm_11 and sm_20. */
static bool has_long_atomics(const struct compiler *c)
{
	return !c->target->object &&
	       (!strcmp(c->chip, "mcp77") || !strcmp(c->chip, "g200") || !strcmp(c->chip, "gt215"));
}

/* clang 14 to 16 make one barrier of a barrier on both sides of an if, which the check of barriers is to see. */
static void add_barrier_options(struct compiler *c)
{
	static const char *const words[] = {
		"-mllvm", "-simplifycfg-sink-common=false", "-mllvm", "-simplifycfg-hoist-common=false", NULL
	};

	if (major_version(c) < 17 && strstr(config_text(c->config, OPT_CHECK), "barrier"))
		add_words(c, words);
}

/* Options of both steps. Headers are looked for beside the source first. */
static void common_options(struct compiler *c)
{
	static const char *const long_atomics[] = { "-Xclang", "-cl-ext=+cl_khr_int64_base_atomics", NULL };
	static const char *const words[] = {
		"-x", "cl", "-Xclang", "-finclude-default-header", "-fno-color-diagnostics", "-fno-caret-diagnostics",
		"-target", NULL
	};
	const char *slash = strrchr(c->name, '/'), *standard = config_text(c->config, OPT_CL_STD);

	c->narguments = 0;
	add(c, "", c->program, strlen(c->program));
	add_words(c, words);
	add(c, "", c->target->triple, strlen(c->target->triple));
	add_words(c, c->target->words);
	if (c->target->object)
		add(c, "-mcpu=", c->chip, strlen(c->chip));
	add(c, "-cl-std=", standard, strlen(standard));
	add(c, "-O", config_text(c->config, OPT_OPTIMIZE), strlen(config_text(c->config, OPT_OPTIMIZE)));
	add(c, "-I", slash ? c->name : ".", slash ? (size_t)(slash - c->name) + !(slash - c->name) : 1);
	add_list(c, "-I", OPT_INCLUDE);
	add_list(c, "-D", OPT_DEFINE);
	add_language_version(c);
	if (has_long_atomics(c))
		add_words(c, long_atomics);
	if (object_version(c))
		add(c, "", object_version(c), strlen(object_version(c)));
}

/* clang 15 drops calls of printf, unless pointers have types: in the source and in our built-in functions alike. */
#define TYPED_POINTERS "-Xclang", "-no-opaque-pointers"

static bool types_pointers(const struct compiler *c) { return c->target->object && major_version(c) == 15; }

/* Options of the second step: a line table of the source, not of "-". */
static void compile_options(struct compiler *c)
{
	static const char *const typed_pointers[] = { TYPED_POINTERS, NULL };
	static const char *const name[] = { "-Xclang", "-main-file-name", "-Xclang", NULL };
	static const char *const contract[] = { "-ffp-contract=on", NULL, "-ffp-contract=off", NULL };

	common_options(c);
	add_words(c, c->target->second_words);
	add_barrier_options(c);
	if (types_pointers(c))
		add_words(c, typed_pointers);
	if (*c->target->third_words)
		add_words(c, config_number(c->config, OPT_CONTRACT) ? contract : contract + 2);
	add_words(c, name);
	add(c, "", c->name, strlen(c->name));
}

/* ---- the compiler's messages ---- */

/* Split "NAME:LINE:COLUMN: KIND: TEXT" in a line that ends at `end`; false: the line has another form or kind. */
static bool message(const char *line, const char *end, const char *kind, int *row, int *column, const char **text)
{
	const char *p = memmem(line, (size_t)(end - line), kind, strlen(kind));
	const char *c, *r;

	if (!p || p - line < 6 || p[-2] != ':')
		return false;
	*text = p + strlen(kind);
	for (c = p - 2; c > line && isdigit((unsigned char)c[-1]); c--)
		;
	if (*c == ':' || c == line || c[-1] != ':')
		return false;
	for (r = c - 1; r > line && isdigit((unsigned char)r[-1]); r--)
		;
	*column = atoi(c);
	*row = atoi(r);
	return *r != ':' && r > line && r[-1] == ':';
}

/* The name behind the linker's "undefined … symbol: "; NULL: no such error. */
static const char *undefined_name(const char *errors)
{
	static const char *const said[] = { "undefined hidden symbol: ", "undefined protected symbol: ",
					    "undefined symbol: ", NULL };

	for (const char *const *p = said; *p; p++) {
		const char *text = strstr(errors, *p);
		if (text)
			return text + strlen(*p);
	}
	return NULL;
}

/* The line of the first ">>> referenced by FILE:LINE" of the linker; 0: none, or a line of another file. */
static int referring_line(const struct compiler *c, const char *text)
{
	static const char by[] = ">>> referenced by ";
	const char *slash = strrchr(c->name, '/'), *name = slash ? slash + 1 : c->name, *p = strstr(text, by);

	if (!p || p - text > (ptrdiff_t)strcspn(text, "\n") + 1 || strncmp(p + sizeof by - 1, name, strlen(name)) != 0)
		return 0;
	p += sizeof by - 1 + strlen(name);
	return *p == ':' ? atoi(p + 1) : 0;
}

/* Report an error that clang gives no line: an undefined function, a library of another compiler, or a missing linker
 * or option. */
static bool link_error(struct compiler *c, const char *errors)
{
	const char *text = undefined_name(errors), *end = strstr(errors, "error: ");
	int line = text ? referring_line(c, text) : 0, n = text ? (int)strcspn(text, "\n") : 0;
	bool linker = strstr(errors, "ld.lld") || strstr(errors, "unable to execute command: Executable");
	char advice[48] = "";

	if (text && (strstr(text, "ocl_image") || strstr(text, "_image_")))
		return diag_text(c->diag, line, 0,
				 "images are not supported (%.*s): pass a buffer and compute addresses",
				 (int)strcspn(text, "(\n"), text);
	if (text)
		return diag_text(c->diag, line, 0,
				 "the function %.*s is called, but neither the source nor %s has it: define it",
				 n, text, c->library);
	if (end && memmem(end, strcspn(end, "\n"), c->library, strlen(c->library)))
		return diag_set(c->diag, DIAG_ENV,
				"%s cannot read the built-in functions of %s, which are of another version: --cc names "
				"a clang as new as they are, --libclc other ones",
				c->program, c->library);
	text = end ? end + 7 : errors;
	if (linker)
		snprintf(advice, sizeof advice, " (apt install lld-%d)", major_version(c));
	return diag_set(c->diag, linker ? DIAG_ENV : DIAG_INPUT, "%s: %.*s%s", c->program, (int)strcspn(text, "\n"),
			text, advice);
}

/* The compiler's first error with a line, which is the source's. False: none. */
static bool source_error(struct compiler *c, const char *errors)
{
	const char *text, *end;
	int row, column;

	for (const char *p = errors; *p; p = end + (*end == '\n')) {
		end = p + strcspn(p, "\n");
		if (!message(p, end, "fatal error: ", &row, &column, &text) &&
		    !message(p, end, "error: ", &row, &column, &text))
			continue;
		diag_text(c->diag, row, column, "%.*s%s", (int)(end - text), text,
			  opencl_guard_refused(c->config, c->name, text, end) ?
			  " (--files lets a source read files below its own folder; --files any allows this one)" : "");
		return true;
	}
	return false;
}

static bool compiler_error(struct compiler *c, int status, const char *errors)
{
	if ((status > 0 && source_error(c, errors)) || ended_early(c, status, errors))
		return false;
	return link_error(c, errors);
}

static bool take_warnings(struct compiler *c, const char *errors, struct opencl_warnings *w)
{
	const char *text, *end;
	int row, column;

	for (const char *p = errors; *p; p = end + (*end == '\n')) {
		struct image_warning *to;
		char *copy;
		end = p + strcspn(p, "\n");
		if (!message(p, end, "warning: ", &row, &column, &text))
			continue;
		to = image_push(c->arena, &w->warning, &w->n);
		copy = arena_alloc(c->arena, (size_t)(end - text) + 1, 1);
		if (!to || !copy)
			return diag_set(c->diag, DIAG_ENV, "out of memory");
		memcpy(copy, text, (size_t)(end - text));
		*to = (struct image_warning){ (uint32_t)row, (uint32_t)column, copy };
	}
	return true;
}

/* ---- objects made before ---- */

/* Whether preprocessed text is all that the compiler reads. Assembly can read files (.incbin), and an object with their
 * bytes is neither kept nor handed out under another --files. */
static bool is_whole(const struct child_text *preprocessed)
{
	return !memmem(preprocessed->bytes, preprocessed->size, "asm", 3);
}

/* A file by its last change: the compiler and its libraries are replaced, not written to. */
static void add_file(struct sha256 *s, const char *path)
{
	struct stat f = { 0 };
	char state[96];

	stat(path, &f);
	sprintf(state, "%lld %lld.%09ld", (long long)f.st_size, (long long)f.st_mtim.tv_sec, f.st_mtim.tv_nsec);
	sha256_add(s, path, strlen(path) + 1);
	sha256_add(s, state, strlen(state) + 1);
}

/* The key in the cache, of all inputs of the object: compiler and version, built-in functions, options, text. */
static void cache_key(struct compiler *c, const struct child_text *preprocessed, uint8_t key[SHA256_BYTES])
{
	struct sha256 s;

	sha256_begin(&s);
	add_file(&s, c->child.path);
	add_file(&s, c->library);
	sha256_add(&s, c->version.out.bytes, c->version.out.size + 1);
	for (unsigned i = 0; i < c->narguments; i++)
		sha256_add(&s, c->argument[i], strlen(c->argument[i]) + 1);
	sha256_add(&s, "", 1);
	sha256_add(&s, c->builtins.library, strlen(c->builtins.library) + 1);
	sha256_add(&s, c->builtins.prologue, strlen(c->builtins.prologue) + 1);
	sha256_add(&s, OPENCL_TEXT_EDITION, sizeof OPENCL_TEXT_EDITION);
	sha256_add(&s, preprocessed->bytes, preprocessed->size);
	sha256_end(&s, key);
}

/* ---- inputs of an object ---- */

/* The environment that clang reads. */
static void add_environment(struct sha256 *s)
{
	static const char *const names[] = { "PATH=", "CPATH=", "C_INCLUDE_PATH=", "CCC_", "CLANG_", "COMPILER_PATH=",
					     "LIBRARY_PATH=", "SOURCE_DATE_EPOCH=", "HOME=", "XDG_CONFIG_", NULL };

	for (char **e = environ; *e; e++)
		for (const char *const *name = names; *name; name++)
			if (!strncmp(*e, *name, strlen(*name)))
				sha256_add(s, *e, strlen(*e) + 1);
}

/* The key of the record of inputs, a hash of everything known before a compiler runs. False: there is no compiler, or
 * an object of the source is not kept. */
static bool inputs_key(struct compiler *c, const void *source, size_t n)
{
	char folder[PATH_MAX];
	struct sha256 s;

	c->likely = likely_compiler(c);
	if (!c->likely || !getcwd(folder, sizeof folder) ||
	    opencl_inputs_change(config_text(c->config, OPT_DEFINE), strlen(config_text(c->config, OPT_DEFINE))))
		return false;
	compile_options(c);
	sha256_begin(&s);
	sha256_add(&s, "inputs", sizeof "inputs");
	sha256_add(&s, wb_version(), strlen(wb_version()) + 1);
	sha256_add(&s, OPENCL_TEXT_EDITION, sizeof OPENCL_TEXT_EDITION);
	opencl_builtins_hash(&s);
	add_file(&s, c->likely);
	add_file(&s, c->library);
	for (unsigned i = 0; i < c->narguments; i++)
		sha256_add(&s, c->argument[i], strlen(c->argument[i]) + 1);
	for (const char *const *word = c->target->third_words; *word; word++)
		sha256_add(&s, *word, strlen(*word) + 1);
	sha256_add(&s, &(int64_t){ config_number(c->config, OPT_FILES) }, sizeof(int64_t));
	add_environment(&s);
	sha256_add(&s, folder, strlen(folder) + 1);
	sha256_add(&s, source, n);
	sha256_end(&s, c->inputs_key);
	return true;
}

/* Record the files that the preprocessor has read, for the compiler of inputs_key. */
static void record_inputs(struct compiler *c, const void *source, size_t n, const struct child_text *preprocessed)
{
	const char *folders[ARGUMENTS_MAX];
	struct opencl_source own = { .name = c->name, .text = source, .size = n, .folders = folders };

	if (!c->likely || strcmp(c->likely, c->child.path))
		return;
	for (unsigned i = 0; i < c->narguments; i++)
		if (!strncmp(c->argument[i], "-I", 2))
			folders[own.nfolders++] = c->argument[i] + 2;
	c->inputs = opencl_inputs(c->arena, &own, preprocessed->bytes, preprocessed->size);
}

static void keep_inputs(const struct compiler *c, int cache, const uint8_t key[SHA256_BYTES])
{
	size_t n = strlen(c->inputs);
	char *entry = arena_alloc(c->arena, n + SHA256_BYTES, 1);

	if (!entry)
		return;
	memcpy(entry, c->inputs, n);
	memcpy(entry + n, key, SHA256_BYTES);
	object_cache_write(cache, CACHED_INPUTS, c->inputs_key, entry, n + SHA256_BYTES);
}

/* ---- compiling ---- */

static bool take_object(struct compiler *c, const struct child_text *made, uint8_t **object, size_t *size)
{
	*size = made->size;
	*object = arena_memdup(c->arena, made->bytes, made->size);
	return *object || diag_set(c->diag, DIAG_ENV, "out of memory");
}

static void add_library(struct compiler *c, const char *path)
{
	static const char *const words[] = { "-Xclang", "-mlink-builtin-bitcode", "-Xclang", NULL };

	add_words(c, words);
	add(c, "", path, strlen(path));
}

/* The key in the cache of our built-in functions' bitcode: compiler and version, the command, the functions' text. */
static void builtins_key(struct compiler *c, char *const *argv, uint8_t key[SHA256_BYTES])
{
	struct sha256 s;

	sha256_begin(&s);
	sha256_add(&s, "built-in functions", sizeof "built-in functions");
	add_file(&s, c->child.path);
	sha256_add(&s, c->version.out.bytes, c->version.out.size + 1);
	for (; *argv; argv++)
		sha256_add(&s, *argv, strlen(*argv) + 1);
	sha256_add(&s, c->builtins.library, strlen(c->builtins.library) + 1);
	sha256_end(&s, key);
}

static bool compile_builtins(struct compiler *c, char *const *argv, struct child_outputs *o)
{
	int status;

	c->child.argv = argv;
	name_folder(c);
	status = child_run(&c->child, c->builtins.library, strlen(c->builtins.library), o);
	if (status != 0 && !ended_early(c, status, o->errors.bytes))
		diag_set(c->diag, DIAG_ENV, "%s does not compile the built-in functions: %.*s", c->program,
			 (int)strcspn(o->errors.bytes, "\n"), o->errors.bytes);
	return status == 0;
}

/* Our built-in functions, as many as the source needs, as bitcode, a file of the next child's folder: from the cache,
 * or compiled and kept. */
static bool make_builtins(struct compiler *c, struct child_outputs *o)
{
	const char *const words[] = {
		c->program, "-x", "cl", "-target", c->target->triple, "-nogpulib", "-cl-std=CL1.2", "-O1",
		"-fno-strict-aliasing", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-o", "-", "-",
		TYPED_POINTERS, object_version(c), NULL
	};
	enum { WORDS = sizeof words / sizeof *words, VERSION = WORDS - 2, POINTERS = VERSION - 2 };
	char *argv[WORDS];
	uint8_t key[SHA256_BYTES];
	bool ok = true;
	int cache;

	if (!*c->builtins.library)
		return true;
	memcpy(argv, words, sizeof words);
	if (!types_pointers(c))
		memcpy(argv + POINTERS, words + VERSION, 2 * sizeof *words);
	builtins_key(c, argv, key);
	cache = object_cache_open();
	if (cache < 0 || !object_cache_read(cache, CACHED_BUILTINS, key, &o->out)) {
		ok = compile_builtins(c, argv, o);
		if (ok && cache >= 0)
			object_cache_write(cache, CACHED_BUILTINS, key, o->out.bytes, o->out.size);
	}
	if (cache >= 0)
		close(cache);
	c->child.input = (struct child_file){ "builtins.bc", o->out.bytes, o->out.size };
	return ok;
}

/* Built-in functions by symbol: ours first. */
static void add_libraries(struct compiler *c)
{
	const char *ours = c->child.input.name;
	char path[sizeof c->child.folder + 16];

	snprintf(path, sizeof path, "%s/%s", c->child.folder, ours ? ours : "");
	if (ours)
		add_library(c, path);
	add_library(c, c->library);
}

/* The third step: PTX of LLVM's text, with comments about the parameters at its end. */
static bool make_text(struct compiler *c, const struct child_text *llvm, uint8_t **object, size_t *size)
{
	static const char *const target[] = { "-target", NULL };
	/* clang 14 to 16 without optimisation, for CUDA: a __constant parameter ends the compiler */
	bool plain = !strcmp(config_text(c->config, OPT_OPTIMIZE), "0");
	const char *triple = plain ? "nvptx-nvidia-nvcl" : c->target->triple;
	struct child_outputs o = { 0 };
	size_t n = 0;
	char *text = opencl_for_ptx(c->arena, llvm->bytes, llvm->size, &n), path[sizeof c->child.folder + 16];
	char *params = text ? opencl_params(c->arena, llvm->bytes, llvm->size) : NULL;

	if (!params)
		return diag_set(c->diag, DIAG_ENV, "out of memory");
	name_folder(c);
	snprintf(path, sizeof path, "%s/%s", c->child.folder, c->child.result);
	c->narguments = 0;
	add(c, "", c->program, strlen(c->program));
	add_words(c, c->target->third_words);
	add_words(c, target);
	add(c, "", triple, strlen(triple));
	add_words(c, c->target->words);
	add_barrier_options(c);
	add(c, "-O", config_text(c->config, OPT_OPTIMIZE), strlen(config_text(c->config, OPT_OPTIMIZE)));
	add(c, "-o", path, strlen(path));
	add(c, "", "-", 1);
	int status = run(c, text, n, &o);
	bool ok = status == 0 || compiler_error(c, status, o.errors.bytes);
	*size = o.result.size + strlen(params);
	*object = ok ? arena_alloc(c->arena, *size + 1, 1) : NULL;
	if (*object) {
		memcpy(*object, o.result.bytes, o.result.size);
		memcpy(*object + o.result.size, params, strlen(params));
	}
	child_free(&o);
	return *object || (ok && diag_set(c->diag, DIAG_ENV, "out of memory"));
}

static bool make_object(struct compiler *c, const struct child_text *source, uint8_t **object, size_t *size,
			struct opencl_warnings *w)
{
	struct child_outputs o = { 0 }, builtins = { 0 };
	char path[sizeof c->child.folder + 16];
	int status;
	bool ok;

	if (!make_builtins(c, &builtins)) {
		child_free(&builtins);
		return false;
	}
	c->child.result = "object";
	name_folder(c);
	add_libraries(c);
	snprintf(path, sizeof path, "%s/%s", c->child.folder, c->child.result);
	add(c, "-o", path, strlen(path));
	add(c, "", "-", 1);
	status = run(c, source->bytes, source->size, &o);
	ok = status == 0 ? take_warnings(c, o.errors.bytes, w) : compiler_error(c, status, o.errors.bytes);
	child_free(&builtins);
	c->child.input.name = NULL;
	if (ok)
		ok = *c->target->third_words ? make_text(c, &o.result, object, size) :
					       take_object(c, &o.result, object, size);
	child_free(&o);
	return ok;
}

/* Take the object out of the cache, or make the object and keep it there. */
static bool compile(struct compiler *c, const struct child_text *source, const struct child_text *preprocessed,
		    uint8_t **object, size_t *size, struct opencl_warnings *w)
{
	int cache = is_whole(preprocessed) ? object_cache_open() : -1;
	uint8_t key[SHA256_BYTES];
	struct child_text kept;
	bool ok;

	cache_key(c, preprocessed, key);
	if (cache >= 0 && object_cache_read(cache, CACHED_OBJECT, key, &kept)) {
		ok = take_object(c, &kept, object, size);
		free(kept.bytes);
	} else {
		ok = make_object(c, source, object, size, w);
		if (ok && cache >= 0 && !w->n)  /* warnings are wanted again */
			object_cache_write(cache, CACHED_OBJECT, key, *object, *size);
	}
	if (ok && cache >= 0 && !w->n && c->inputs)
		keep_inputs(c, cache, key);
	if (cache >= 0)
		close(cache);
	return ok;
}

/* Take the object of a source that was compiled before, from files that have not changed since. */
static bool compiled_before(struct compiler *c, const void *source, size_t n, uint8_t **object, size_t *size)
{
	int cache = inputs_key(c, source, n) ? object_cache_open() : -1;
	struct child_text record = { NULL, 0 }, kept;
	size_t length;
	bool ok = cache >= 0 && object_cache_read(cache, CACHED_INPUTS, c->inputs_key, &record) &&
		  opencl_inputs_same(record.bytes, record.size, &length) && record.size == length + SHA256_BYTES &&
		  object_cache_read(cache, CACHED_OBJECT, (const uint8_t *)record.bytes + length, &kept);

	if (ok) {
		ok = take_object(c, &kept, object, size);
		free(kept.bytes);
	}
	free(record.bytes);
	if (cache >= 0)
		close(cache);
	return ok;
}

/* Copy the source behind a prologue and a #line with its name, for messages and line tables. */
static bool name_source(const struct compiler *c, const char *prologue, const void *source, size_t n,
			struct child_text *out)
{
	char *p = malloc(strlen(prologue) + 2 * strlen(c->name) + 32 + n);

	free(out->bytes);
	out->bytes = p;
	if (!p)
		return diag_set(c->diag, DIAG_ENV, "out of memory");
	p += sprintf(p, "%s#line 1 \"", prologue);
	for (const char *s = c->name; *s; s++) {
		if (*s == '"' || *s == '\\')
			*p++ = '\\';
		*p++ = (unsigned char)*s < ' ' ? '?' : *s;
	}
	p += sprintf(p, "\"\n");
	memcpy(p, source, n);
	out->size = (size_t)(p - out->bytes) + n;
	return true;
}

static bool preprocess(struct compiler *c, const struct child_text *source, struct child_outputs *o)
{
	int status;

	common_options(c);
	add(c, "", "-E", 2);
	add(c, "", "-", 1);
	name_folder(c);
	status = run(c, source->bytes, source->size, o);
	return status == 0 || compiler_error(c, status, o->errors.bytes);
}

/* Find the built-in functions of ours that the source needs; some of them stand before the source as well. */
static bool take_builtins(struct compiler *c, const void *source, size_t n, const struct child_text *preprocessed,
			  struct child_text *named)
{
	c->builtins = (struct opencl_builtins){ "", "" };
	if (!opencl_builtins(c->arena, preprocessed->bytes, preprocessed->size, c->flagged, !c->target->object,
			     &c->builtins))
		return diag_set(c->diag, DIAG_ENV, "out of memory");
	return !*c->builtins.prologue || name_source(c, c->builtins.prologue, source, n, named);
}

/* Take the caller's object beside the source, if present. */
static bool given_object(const struct compiler *c, struct files *f, uint8_t **object, size_t *size)
{
	char *name = arena_alloc(c->arena, strlen(c->name) + 8, 1);

	if (!name)
		return diag_set(c->diag, DIAG_ENV, "out of memory");
	sprintf(name, "%s%s", c->name, c->target->ending);
	return read_file(c->config, f, c->arena, name, object, size, c->diag);
}

/* Beside where the command was given, not beside the source. */
static bool keep_object(const struct compiler *c, const uint8_t *object, size_t size)
{
	const char *slash = strrchr(c->name, '/');
	char path[PATH_MAX];
	struct wb_diag wd;

	if (snprintf(path, sizeof path, "%s.%s%s", slash ? slash + 1 : c->name, c->chip,
		     c->target->ending) >= PATH_MAX)
		return diag_set(c->diag, DIAG_ENV, "--keep: the name is too long");
	if (wb_output_all(path, object, size, &wd) == WB_OK)
		return true;
	diag_set(c->diag, DIAG_ENV, "--keep: %s", wd.text);
	return diag_in_file(c->diag, path);
}

/* The target with the instruction set of the chip; NULL: none. */
static const struct target *target_of_chip(const char *chip)
{
	for (unsigned i = 0; i < TARGETS; i++)
		if (isa_of_chip(chip) == isa_of_chip(targets[i].chip))
			return &targets[i];
	return NULL;
}

static bool compile_source(struct compiler *c, const char *source, size_t n, uint8_t **object, size_t *size,
			   struct opencl_warnings *w)
{
	struct child_text named = { NULL, 0 };
	struct child_outputs preprocessed = { 0 };
	bool ok;

	if (!find_library(c))
		return false;
	if (compiled_before(c, source, n, object, size))
		return true;
	if (c->target->object && !opencl_formats(c->arena, &source, &n))
		return diag_set(c->diag, DIAG_ENV, "out of memory");
	set_limits(c);
	ok = read_library(c) && find_tools(c) && name_source(c, "", source, n, &named) &&
	     preprocess(c, &named, &preprocessed) && take_builtins(c, source, n, &preprocessed.out, &named);
	if (ok) {
		record_inputs(c, source, n, &preprocessed.out);
		compile_options(c);
		ok = compile(c, &named, &preprocessed.out, object, size, w);
	}
	put_back(c);
	free(named.bytes);
	child_free(&preprocessed);
	return ok;
}

bool opencl_compile(const struct wb_config *config, struct files *f, struct arena *a, const char *name,
		    const void *source, size_t n, uint8_t **object, size_t *size, struct opencl_warnings *w,
		    struct diag *d)
{
	static const char bom[] = "\xef\xbb\xbf";       /* of UTF-8 */
	struct compiler *c = ARENA_NEW(a, struct compiler);
	char *note = arena_alloc(a, strlen(name) + 8, 1);
	bool ok;

	if (!c || !note)
		return diag_set(d, DIAG_ENV, "out of memory");
	*c = (struct compiler){ .config = config, .arena = a, .name = name, .diag = d, .child.ruleset = -1 };
	c->chip = config_given(config, OPT_CHIP) ? config_text(config, OPT_CHIP) : targets[0].chip;
	c->target = target_of_chip(c->chip);
	if (!c->target)
		return diag_set(d, DIAG_USAGE, "OpenCL C is compiled for tahiti, bonaire, tonga or gfx900, and for "
				"g80, g84, mcp77, gt215 or g200; found --chip %s", c->chip);
	*w = (struct opencl_warnings){ 0, NULL };
	if (n >= sizeof bom - 1 && !memcmp(source, bom, sizeof bom - 1)) {      /* behind our #line: no mark any more */
		source = (const char *)source + sizeof bom - 1;
		n -= sizeof bom - 1;
	}
	if (config->files)
		return given_object(c, f, object, size);
	ok = compile_source(c, source, n, object, size, w);
	sprintf(note, "%s%s", name, c->target->ending);
	return ok && (files_note(f, a, note, *object, *size) || diag_set(d, DIAG_ENV, "out of memory")) &&
		(!config_number(config, OPT_KEEP) || keep_object(c, *object, *size));
}
