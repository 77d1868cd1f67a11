/* clang is run as a program, in three steps: preprocess, look the result up in the cache, compile.
 *
 * An object is kept under a hash of all its inputs (the compiler, its options, the preprocessed text), so an unchanged
 * source is compiled once; the object's own hash stands behind the object, and an object with a wrong hash is made
 * again. The compiler reads the source from its standard input, behind a #line with the source's name. Its outputs go
 * to anonymous files, read after the compiler has ended. */
#include "api/opencl.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/config.h"
#include "api/launch.h"

enum { OUTPUT_MAX = 64 << 20, ARGUMENTS_MAX = 1024 };

/* Folders of the built-in functions in Debian's libclc-14 and other builds of libclc. */
static const char *const libraries[] = {
	"/usr/lib/clc/amdgcn--amdhsa.bc", "/usr/share/clc/amdgcn--amdhsa.bc", "/usr/local/lib/clc/amdgcn--amdhsa.bc",
	"/usr/libexec/clc/amdgcn--amdhsa.bc", NULL
};
static const char *const compilers[] = {
	"clang", "clang-14", "clang-15", "clang-16", "clang-17", "clang-18", "clang-19", "clang-20", NULL
};

static const char default_chip[] = "gfx900";

struct text {
	char *bytes;            /* ends in a 0; from malloc */
	size_t size;
};

struct compiler {
	const struct wb_config *config;
	struct arena *arena;
	const char *name;       /* of the source */
	const char *program, *library;
	const char *chip;
	char *argument[ARGUMENTS_MAX];
	unsigned narguments;
	bool full;              /* too many arguments, or no memory */
	struct diag *diag;
};

bool opencl_is(const struct wb_config *c, const char *name)
{
	size_t n = strlen(name);
	const char *format = config_text(c, OPT_FORMAT);

	return !strcmp(format, "opencl") || (!strcmp(format, "auto") && n > 3 && !strcmp(name + n - 3, ".cl"));
}

/* ---- running a program ---- */

static bool slurp(int fd, struct text *t)
{
	struct stat s;
	ssize_t got;

	*t = (struct text){ NULL, 0 };
	if (fstat(fd, &s) || s.st_size > OUTPUT_MAX || !(t->bytes = malloc((size_t)s.st_size + 1)))
		return false;
	while (t->size < (size_t)s.st_size &&
	       (got = pread(fd, t->bytes + t->size, (size_t)s.st_size - t->size, (off_t)t->size)) > 0)
		t->size += (size_t)got;
	t->bytes[t->size] = '\0';
	return t->size == (size_t)s.st_size;
}

static bool fill(int fd, const void *bytes, size_t n)
{
	const char *p = bytes;
	ssize_t put = 0;

	for (; n && (put = write(fd, p, n)) > 0; n -= (size_t)put)
		p += put;
	return !n && lseek(fd, 0, SEEK_SET) == 0;
}

/* Run argv with the files of `fd` as standard input, output and errors. Returns the exit status; -1: not started. */
static int run(char *const *argv, const int fd[3])
{
	posix_spawn_file_actions_t actions;
	pid_t child;
	int status = 0, failed = posix_spawn_file_actions_init(&actions);

	if (failed)
		return -1;
	for (int i = 0; i < 3 && !failed; i++)
		failed = posix_spawn_file_actions_adddup2(&actions, fd[i], i);
	failed = failed || posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (failed)
		return -1;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* Run argv with n bytes as standard input; *out and *errors get its outputs, which the caller frees. */
static int run_on(char *const *argv, const void *input, size_t n, struct text *out, struct text *errors)
{
	int fd[3], status = -1;

	*out = *errors = (struct text){ NULL, 0 };
	for (int i = 0; i < 3; i++)
		fd[i] = memfd_create("warpbeam", MFD_CLOEXEC);
	if (fd[0] >= 0 && fd[1] >= 0 && fd[2] >= 0 && fill(fd[0], input, n))
		status = run(argv, fd);
	if (status >= 0 && (!slurp(fd[1], out) || !slurp(fd[2], errors)))
		status = -1;
	for (int i = 0; i < 3; i++)
		if (fd[i] >= 0)
			close(fd[i]);
	return status;
}

/* ---- the compiler and its options ---- */

static bool runs(const char *program)
{
	char *argv[] = { (char *)(uintptr_t)program, (char *)(uintptr_t)"--version", NULL };
	struct text out, errors;
	bool ok = run_on(argv, "", 0, &out, &errors) == 0;

	free(out.bytes);
	free(errors.bytes);
	return ok;
}

static bool find_tools(struct compiler *c)
{
	const char *said = config_text(c->config, OPT_CC);

	for (const char *const *p = compilers; !*said && !c->program && *p; p++)
		if (runs(*p))
			c->program = *p;
	if (*said)
		c->program = runs(said) ? said : NULL;
	for (const char *const *p = libraries; !c->library && *p; p++)
		if (!access(*p, R_OK))
			c->library = *p;
	if (!c->program && *said)
		return diag_set(c->diag, DIAG_ENV, "--cc: \"%s\" cannot be run", said);
	if (!c->program)
		return diag_set(c->diag, DIAG_ENV,
				"OpenCL C is compiled by clang 14 or later, and there is none: name it with --cc, "
				"or install it: apt install clang-14 lld-14 libclc-14");
	return c->library || diag_set(c->diag, DIAG_ENV,
				      "the built-in functions of OpenCL C are not here (%s); install "
				      "them: apt install clang-14 lld-14 libclc-14",
				      libraries[0]);
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

/* Options of both steps. Headers are looked for beside the source first. */
static void common_options(struct compiler *c)
{
	static const char *const words[] = {
		"-x", "cl", "-target", "amdgcn-unknown-amdhsa", "-nogpulib", "-Xclang", "-finclude-default-header",
		"-fno-color-diagnostics", "-fno-caret-diagnostics", NULL
	};
	const char *slash = strrchr(c->name, '/'), *standard = config_text(c->config, OPT_CL_STD);

	c->narguments = 0;
	add(c, "", c->program, strlen(c->program));
	add_words(c, words);
	add(c, "-mcpu=", c->chip, strlen(c->chip));
	add(c, "-cl-std=", standard, strlen(standard));
	add(c, "-O", config_text(c->config, OPT_OPTIMIZE), strlen(config_text(c->config, OPT_OPTIMIZE)));
	add(c, "-I", slash ? c->name : ".", slash ? (size_t)(slash - c->name) + !(slash - c->name) : 1);
	add_list(c, "-I", OPT_INCLUDE);
	add_list(c, "-D", OPT_DEFINE);
}

/* Options of the second step: built-in functions, and a line table of the source, not of "-". */
static void compile_options(struct compiler *c)
{
	static const char *const words[] = { "-gline-tables-only", "-Xclang", "-mlink-builtin-bitcode", "-Xclang",
					     NULL };
	static const char *const name[] = { "-Xclang", "-main-file-name", "-Xclang", NULL };

	common_options(c);
	add_words(c, words);
	add(c, "", c->library, strlen(c->library));
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
	for (r = c - 1; r > line && isdigit((unsigned char)r[-1]); r--)
		;
	*column = atoi(c);
	*row = atoi(r);
	return r > line && *c != ':' && *r != ':';
}

/* Report an error without a line: an undefined function, or a missing linker or option. */
static bool link_error(struct compiler *c, const char *errors)
{
	static const char undefined[] = "undefined hidden symbol: ";
	const char *text = strstr(errors, undefined), *end = strstr(errors, "error: ");

	if (text) {
		text += sizeof undefined - 1;
		if (strstr(text, "ocl_image") || strstr(text, "_image_"))
			return diag_set(c->diag, DIAG_INPUT,
					"images are not supported (%.*s): pass a buffer and compute "
					"addresses",
					(int)strcspn(text, "(\n"), text);
		return diag_set(c->diag, DIAG_INPUT,
				"the function %.*s is declared, but neither the source nor %s has it",
				(int)strcspn(text, "\n"), text, c->library);
	}
	text = end ? end + 7 : errors;
	return diag_set(c->diag, strstr(errors, "ld.lld") ? DIAG_ENV : DIAG_INPUT, "%s: %.*s%s", c->program,
			(int)strcspn(text, "\n"), text, strstr(errors, "ld.lld") ? " (apt install lld-14)" : "");
}

static bool compiler_error(struct compiler *c, const char *errors)
{
	const char *text, *end;
	int row, column;

	for (const char *p = errors; *p; p = end + (*end == '\n')) {
		end = p + strcspn(p, "\n");
		if (message(p, end, "fatal error: ", &row, &column, &text) ||
		    message(p, end, "error: ", &row, &column, &text))
			return diag_text(c->diag, row, column, "%.*s", (int)(end - text), text);
	}
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

/* FNV-1a of 64 bits from two starting values: names that do not collide by chance. */
static void hash(uint64_t h[2], const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < n; i++) {
		h[0] = (h[0] ^ p[i]) * 0x100000001b3;
		h[1] = (h[1] ^ p[i] ^ h[0] >> 32) * 0x100000001b3;
	}
}

/* The cache folder: $XDG_CACHE_HOME/warpbeam or ~/.cache/warpbeam, made if missing; "": none. */
static void cache_folder(char path[PATH_MAX])
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool own = cache && *cache == '/';
	int n;

	path[0] = '\0';
	if (!own && !(home && *home == '/'))
		return;
	n = snprintf(path, PATH_MAX, "%s%s", own ? cache : home, own ? "" : "/.cache");
	if (n < PATH_MAX - 128) {
		mkdir(path, 0700);
		strcpy(path + n, "/warpbeam");
		mkdir(path, 0700);
	}
	if (n >= PATH_MAX - 128 || access(path, W_OK | X_OK))
		path[0] = '\0';
}

/* The name in the cache, from all inputs of the object: compiler and version, options with the library, text. */
static void cache_name(const struct compiler *c, const struct text *preprocessed, char name[40])
{
	uint64_t h[2] = { 0xcbf29ce484222325, 0x84222325cbf29ce4 };
	char *argv[] = { (char *)(uintptr_t)c->program, (char *)(uintptr_t)"--version", NULL };
	struct text out, errors;

	run_on(argv, "", 0, &out, &errors);
	hash(h, out.bytes ? out.bytes : "", out.size);
	for (unsigned i = 0; i < c->narguments; i++)
		hash(h, c->argument[i], strlen(c->argument[i]) + 1);
	hash(h, preprocessed->bytes, preprocessed->size);
	snprintf(name, 40, "%016" PRIx64 "%016" PRIx64, h[0], h[1]);
	free(out.bytes);
	free(errors.bytes);
}

static bool read_object(struct compiler *c, const char *path, uint8_t **object, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct text t = { NULL, 0 };
	bool ok = fd >= 0 && slurp(fd, &t) && t.size && (*object = arena_memdup(c->arena, t.bytes, t.size));

	*size = t.size;
	free(t.bytes);
	if (fd >= 0)
		close(fd);
	return ok;
}

static void own_hash(const uint8_t *object, size_t size, uint64_t h[2])
{
	h[0] = size;
	h[1] = ~(uint64_t)size;
	hash(h, object, size);
}

static bool read_cached(struct compiler *c, const char *path, uint8_t **object, size_t *size)
{
	uint64_t h[2];

	if (!read_object(c, path, object, size) || *size <= sizeof h)
		return false;
	*size -= sizeof h;
	own_hash(*object, *size, h);
	return !memcmp(h, *object + *size, sizeof h);
}

/* Append the hash to the object at `path` and rename the file into the cache; a failure removes the file. */
static void cache_object(const char *path, const char *cached, const uint8_t *object, size_t size)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	uint64_t h[2];
	bool ok;

	own_hash(object, size, h);
	ok = fd >= 0 && write(fd, h, sizeof h) == sizeof h;
	ok = fd >= 0 && close(fd) == 0 && ok;
	if (!ok || rename(path, cached))
		unlink(path);
}

/* ---- compiling ---- */

/* Compile in `folder` under a temporary name. */
static bool make_object(struct compiler *c, const struct text *source, const char *folder, const char *cached,
			uint8_t **object, size_t *size, struct opencl_warnings *w)
{
	char path[PATH_MAX + 16];
	struct text out, errors;
	int fd, status;
	bool ok;

	snprintf(path, sizeof path, "%s/XXXXXX", folder);
	fd = mkstemp(path);
	if (fd < 0)
		return diag_set(c->diag, DIAG_ENV, "cannot write to %s: %s", folder, strerror(errno));
	close(fd);
	add(c, "", "-o", 2);
	add(c, "", path, strlen(path));
	add(c, "", "-", 1);
	status = c->full ? -1 : run_on(c->argument, source->bytes, source->size, &out, &errors);
	ok = status == 0 ? take_warnings(c, errors.bytes, w) &&
				   (read_object(c, path, object, size) ||
				    diag_set(c->diag, DIAG_ENV, "%s has left no object in %s", c->program, path))
	     : status < 0 ? diag_set(c->diag, DIAG_ENV, "%s cannot be run", c->program)
			  : compiler_error(c, errors.bytes);
	if (ok && cached && !w->n)      /* warnings are wanted again */
		cache_object(path, cached, *object, *size);
	else
		unlink(path);
	if (!c->full) {
		free(out.bytes);
		free(errors.bytes);
	}
	return ok;
}

static bool compile(struct compiler *c, const struct text *source, const struct text *preprocessed, uint8_t **object,
		    size_t *size, struct opencl_warnings *w)
{
	char folder[PATH_MAX], name[40], cached[PATH_MAX + 64];
	const char *temporary = getenv("TMPDIR");

	cache_name(c, preprocessed, name);
	cache_folder(folder);
	snprintf(cached, sizeof cached, "%s/%s.hsaco", folder, name);
	if (*folder && read_cached(c, cached, object, size))
		return true;
	if (*folder)
		return make_object(c, source, folder, cached, object, size, w);
	return make_object(c, source, temporary && *temporary == '/' ? temporary : "/tmp", NULL, object, size, w);
}

/* Copy the source behind a #line with its name, for messages and line tables. */
static bool name_source(const struct compiler *c, const void *source, size_t n, struct text *out)
{
	char *p = out->bytes = malloc(2 * strlen(c->name) + 32 + n);

	if (!p)
		return diag_set(c->diag, DIAG_ENV, "out of memory");
	p += sprintf(p, "#line 1 \"");
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

static bool preprocess(struct compiler *c, const struct text *source, struct text *out)
{
	struct text errors = { NULL, 0 };
	int status = -1;

	common_options(c);
	add(c, "", "-E", 2);
	add(c, "", "-", 1);
	*out = errors;
	if (!c->full)
		status = run_on(c->argument, source->bytes, source->size, out, &errors);
	if (status < 0)
		diag_set(c->diag, DIAG_ENV, "%s cannot be run", c->program);
	else if (status > 0)
		compiler_error(c, errors.bytes);
	free(errors.bytes);
	return status == 0;
}

/* Take the caller's object NAME.hsaco beside the source, if present. */
static bool given_object(const struct compiler *c, struct files *f, uint8_t **object, size_t *size)
{
	char *name = arena_alloc(c->arena, strlen(c->name) + 8, 1);

	if (!name)
		return diag_set(c->diag, DIAG_ENV, "out of memory");
	sprintf(name, "%s.hsaco", c->name);
	return read_file(c->config, f, c->arena, name, object, size, c->diag);
}

/* Beside where the command was given, not beside the source. */
static bool keep_object(const struct compiler *c, const uint8_t *object, size_t size)
{
	const char *slash = strrchr(c->name, '/');
	char path[PATH_MAX];
	struct wb_diag wd;

	if (snprintf(path, sizeof path, "%s.%s.hsaco", slash ? slash + 1 : c->name, c->chip) >= PATH_MAX)
		return diag_set(c->diag, DIAG_ENV, "--keep: the name is too long");
	if (wb_output_all(path, object, size, &wd) == WB_OK)
		return true;
	diag_set(c->diag, DIAG_ENV, "--keep: %s", wd.text);
	return diag_in_file(c->diag, path);
}

/* Whether the chip has the instruction set of compiled objects. */
static bool compiled_for(const char *chip)
{
	return isa_of_chip(chip) == isa_of_chip(default_chip);
}

bool opencl_compile(const struct wb_config *config, struct files *f, struct arena *a, const char *name,
		    const void *source, size_t n, uint8_t **object, size_t *size, struct opencl_warnings *w,
		    struct diag *d)
{
	struct compiler *c = ARENA_NEW(a, struct compiler);
	struct text named = { NULL, 0 }, preprocessed = { NULL, 0 };
	char *note = arena_alloc(a, strlen(name) + 8, 1);
	bool ok;

	if (!c || !note)
		return diag_set(d, DIAG_ENV, "out of memory");
	*c = (struct compiler){ .config = config, .arena = a, .name = name, .diag = d };
	c->chip = config_given(config, OPT_CHIP) ? config_text(config, OPT_CHIP) : default_chip;
	if (!compiled_for(c->chip))
		return diag_set(d, DIAG_USAGE,
				"OpenCL C is compiled for tahiti, bonaire, tonga or gfx900; found --chip %s", c->chip);
	*w = (struct opencl_warnings){ 0, NULL };
	if (config->files)
		return given_object(c, f, object, size);
	ok = find_tools(c) && name_source(c, source, n, &named) && preprocess(c, &named, &preprocessed);
	if (ok) {
		compile_options(c);
		ok = compile(c, &named, &preprocessed, object, size, w);
	}
	free(named.bytes);
	free(preprocessed.bytes);
	sprintf(note, "%s.hsaco", name);
	return ok && (files_note(f, a, note, *object, *size) || diag_set(d, DIAG_ENV, "out of memory")) &&
		(!config_number(config, OPT_KEEP) || keep_object(c, *object, *size));
}
