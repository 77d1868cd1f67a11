/* clang is run as a program, in three steps: preprocess, look the result up in the cache, compile.
 *
 * An object is kept under a hash of all its inputs (the compiler, its options, the preprocessed text), so an unchanged
 * source is compiled once; the object's own hash stands behind the object, and an object with a wrong hash is made
 * again. The compiler reads the source from its standard input, behind a #line with the source's name. Its outputs go
 * to anonymous files, read after the compiler has ended. A source can make the compiler work for ever, so each child is
 * a process group with limits, a deadline and a folder for temporary files, removed with the compilation. */
#include "api/opencl.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "api/config.h"
#include "api/launch.h"

enum { OUTPUT_MAX = 64 << 20, ARGUMENTS_MAX = 1024 };
enum { NOT_STARTED = -1, OUT_OF_TIME = -2 };    /* in place of an exit status */

/* Limits of a compilation without --max-seconds and --max-memory. clang alone, with its libraries, maps several hundred
 * MiB: a smaller --max-memory leaves the compiler MEMORY_LEAST. */
enum { SECONDS = 60, FILE_MAX = 256 << 20, PAUSE_NS = 2000000 };
#define MEMORY (UINT64_C(4) << 30)
#define MEMORY_LEAST (UINT64_C(1) << 30)

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
	bool late;              /* the deadline has passed */
	int64_t seconds;        /* of the host's time for all children together; NUMBER_NONE: unlimited */
	int64_t deadline;       /* of CLOCK_MONOTONIC, in ns */
	rlim_t memory;          /* bytes of address space of each child */
	char **environment;     /* of the children: TMPDIR is the folder */
	char folder[PATH_MAX];  /* temporary files, the object among them */
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

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool out_of_time(const struct compiler *c)
{
	return c->seconds != NUMBER_NONE && now_ns() >= c->deadline;
}

/* A limit of this process that is lower already stays. */
static void lower_limit(__rlimit_resource_t resource, rlim_t most)
{
	struct rlimit l;

	if (getrlimit(resource, &l) || most >= l.rlim_max)
		return;
	l.rlim_cur = l.rlim_cur < most ? l.rlim_cur : most;
	l.rlim_max = most;
	setrlimit(resource, &l);
}

/* Child after fork: async-signal-safe calls only (glibc's execvpe allocates nothing). Dies with its parent. */
static _Noreturn void become(const struct compiler *c, char *const *argv, const int fd[3], pid_t parent)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	for (int i = 0; i < 3; i++)     /* fd[] ascends: no file is overwritten before its turn */
		if (fd[i] == i ? fcntl(i, F_SETFD, 0) : dup2(fd[i], i) < 0)
			_exit(127);
	lower_limit(RLIMIT_AS, c->memory);
	lower_limit(RLIMIT_FSIZE, FILE_MAX);
	lower_limit(RLIMIT_CORE, 0);
	if (c->seconds != NUMBER_NONE)
		lower_limit(RLIMIT_CPU, (rlim_t)c->seconds + 1);
	execvpe(argv[0], argv, c->environment);
	_exit(127);
}

/* Run argv with the files of `fd` as standard input, output and errors. Returns the exit status, 128 after a signal,
 * NOT_STARTED or OUT_OF_TIME. The whole process group is killed before the child is reaped, while the number of the
 * group cannot be another's. */
static int run(struct compiler *c, char *const *argv, const int fd[3])
{
	pid_t parent = getpid(), child = fork();
	siginfo_t ended = { 0 };
	int status = 0;

	if (child == 0)
		become(c, argv, fd, parent);
	if (child < 0)
		return NOT_STARTED;
	setpgid(child, child);          /* here as well: before any kill of the group */
	while (!ended.si_pid && !(c->late = out_of_time(c))) {
		if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) && errno != EINTR)
			return NOT_STARTED;
		if (!ended.si_pid)
			nanosleep(&(struct timespec){ 0, PAUSE_NS }, NULL);
	}
	kill(-child, SIGKILL);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return NOT_STARTED;
	if (c->late)
		return OUT_OF_TIME;
	return !WIFEXITED(status) ? 128 : WEXITSTATUS(status) == 127 ? NOT_STARTED : WEXITSTATUS(status);
}

/* Run argv with n bytes as standard input; *out and *errors get its outputs, which the caller frees. */
static int run_on(struct compiler *c, char *const *argv, const void *input, size_t n, struct text *out,
		  struct text *errors)
{
	int fd[3], status = NOT_STARTED;

	*out = *errors = (struct text){ NULL, 0 };
	for (int i = 0; i < 3; i++)
		fd[i] = memfd_create("warpbeam", MFD_CLOEXEC);
	if (fd[0] >= 0 && fd[1] >= 0 && fd[2] >= 0 && fill(fd[0], input, n))
		status = run(c, argv, fd);
	if (status >= 0 && (!slurp(fd[1], out) || !slurp(fd[2], errors)))
		status = NOT_STARTED;
	for (int i = 0; i < 3; i++)
		if (fd[i] >= 0)
			close(fd[i]);
	return status;
}

/* ---- limits and temporary files ---- */

static bool cannot_run(struct compiler *c, int status)
{
	if (status == OUT_OF_TIME)
		return diag_set(c->diag, DIAG_LIMIT,
				"the compiler ran out of its %lld seconds; --max-seconds raises the limit",
				(long long)c->seconds);
	return diag_set(c->diag, DIAG_ENV, "%s cannot be run", c->program);
}

static void set_limits(struct compiler *c)
{
	uint64_t asked = config_given(c->config, OPT_MAX_MEMORY) ? memory_limit(c->config) : MEMORY;

	c->seconds = config_given(c->config, OPT_MAX_SECONDS) ? config_number(c->config, OPT_MAX_SECONDS) : SECONDS;
	if (c->seconds > INT32_MAX)
		c->seconds = NUMBER_NONE;
	if (c->seconds != NUMBER_NONE)
		c->deadline = now_ns() + c->seconds * 1000000000;
	c->memory = asked == UINT64_MAX ? RLIM_INFINITY : (rlim_t)(asked < MEMORY_LEAST ? MEMORY_LEAST : asked);
}

/* Make the folder for temporary files below `above`, and the environment that names the folder. */
static bool make_folder(struct compiler *c, const char *above)
{
	size_t n = 0, kept = 0;
	char *name = arena_alloc(c->arena, PATH_MAX + 8, 1);

	while (environ[n])
		n++;
	c->environment = ARENA_ARRAY(c->arena, char *, n + 2);
	if (!name || !c->environment)
		return diag_set(c->diag, DIAG_ENV, "out of memory");
	if (snprintf(c->folder, PATH_MAX, "%s/XXXXXX", above) >= PATH_MAX || !mkdtemp(c->folder)) {
		c->folder[0] = '\0';
		return diag_set(c->diag, DIAG_ENV, "cannot write to %s: %s", above, strerror(errno));
	}
	sprintf(name, "TMPDIR=%s", c->folder);
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "TMPDIR=", 7))
			c->environment[kept++] = environ[i];
	c->environment[kept++] = name;
	c->environment[kept] = NULL;
	return true;
}

static int remove_entry(const char *path, const struct stat *s, int kind, struct FTW *where)
{
	(void)s, (void)kind, (void)where;
	remove(path);
	return 0;
}

static void remove_folder(const struct compiler *c)
{
	if (*c->folder)
		nftw(c->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* ---- the compiler and its options ---- */

static bool runs(struct compiler *c, const char *program)
{
	char *argv[] = { (char *)(uintptr_t)program, (char *)(uintptr_t)"--version", NULL };
	struct text out, errors;
	bool ok = run_on(c, argv, "", 0, &out, &errors) == 0;

	free(out.bytes);
	free(errors.bytes);
	return ok;
}

static bool find_tools(struct compiler *c)
{
	const char *said = config_text(c->config, OPT_CC);

	for (const char *const *p = compilers; !*said && !c->program && *p; p++)
		if (runs(c, *p))
			c->program = *p;
	if (*said)
		c->program = runs(c, said) ? said : NULL;
	for (const char *const *p = libraries; !c->library && *p; p++)
		if (!access(*p, R_OK))
			c->library = *p;
	if (c->late)
		return cannot_run(c, OUT_OF_TIME);
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

/* Options of the second step: built-in functions, and a line table of the source, not of "-". One linker thread:
 * the linker's address space does not grow with the host's processors. */
static void compile_options(struct compiler *c)
{
	static const char *const words[] = { "-gline-tables-only", "-Wl,--threads=1", "-Xclang",
					     "-mlink-builtin-bitcode", "-Xclang", NULL };
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
static void cache_name(struct compiler *c, const struct text *preprocessed, char name[40])
{
	uint64_t h[2] = { 0xcbf29ce484222325, 0x84222325cbf29ce4 };
	char *argv[] = { (char *)(uintptr_t)c->program, (char *)(uintptr_t)"--version", NULL };
	struct text out, errors;

	run_on(c, argv, "", 0, &out, &errors);
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

/* Compile in the folder for temporary files. */
static bool make_object(struct compiler *c, const struct text *source, const char *cached, uint8_t **object,
			size_t *size, struct opencl_warnings *w)
{
	char path[PATH_MAX + 16];
	struct text out = { NULL, 0 }, errors = { NULL, 0 };
	int status;
	bool ok;

	snprintf(path, sizeof path, "%s/object", c->folder);
	add(c, "", "-o", 2);
	add(c, "", path, strlen(path));
	add(c, "", "-", 1);
	status = c->full ? NOT_STARTED
			 : run_on(c, c->argument, source->bytes, source->size, &out, &errors);
	ok = status == 0 ? take_warnings(c, errors.bytes, w) &&
				   (read_object(c, path, object, size) ||
				    diag_set(c->diag, DIAG_ENV, "%s has left no object in %s", c->program, path))
	     : status < 0 ? cannot_run(c, status)
			  : compiler_error(c, errors.bytes);
	if (ok && cached && !w->n)      /* warnings are wanted again */
		cache_object(path, cached, *object, *size);
	free(out.bytes);
	free(errors.bytes);
	return ok;
}

/* cache: the folder of the cache; "": none. */
static bool compile(struct compiler *c, const char *cache, const struct text *source, const struct text *preprocessed,
		    uint8_t **object, size_t *size, struct opencl_warnings *w)
{
	char name[40], cached[PATH_MAX + 64];

	cache_name(c, preprocessed, name);
	snprintf(cached, sizeof cached, "%s/%s.hsaco", cache, name);
	if (*cache && read_cached(c, cached, object, size))
		return true;
	return make_object(c, source, *cache ? cached : NULL, object, size, w);
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
	int status = NOT_STARTED;

	common_options(c);
	add(c, "", "-E", 2);
	add(c, "", "-", 1);
	*out = errors;
	if (!c->full)
		status = run_on(c, c->argument, source->bytes, source->size, out, &errors);
	if (status < 0)
		cannot_run(c, status);
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

/* Compile with a folder for temporary files: in the cache, for renaming into the cache, else where TMPDIR says. */
static bool compile_source(struct compiler *c, const void *source, size_t n, uint8_t **object, size_t *size,
			   struct opencl_warnings *w)
{
	struct text named = { NULL, 0 }, preprocessed = { NULL, 0 };
	const char *temporary = getenv("TMPDIR");
	char cache[PATH_MAX];
	bool ok;

	set_limits(c);
	cache_folder(cache);
	ok = make_folder(c, *cache ? cache : temporary && *temporary == '/' ? temporary : "/tmp") && find_tools(c) &&
	     name_source(c, source, n, &named) && preprocess(c, &named, &preprocessed);
	if (ok) {
		compile_options(c);
		ok = compile(c, cache, &named, &preprocessed, object, size, w);
	}
	remove_folder(c);
	free(named.bytes);
	free(preprocessed.bytes);
	return ok;
}

bool opencl_compile(const struct wb_config *config, struct files *f, struct arena *a, const char *name,
		    const void *source, size_t n, uint8_t **object, size_t *size, struct opencl_warnings *w,
		    struct diag *d)
{
	struct compiler *c = ARENA_NEW(a, struct compiler);
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
	ok = compile_source(c, source, n, object, size, w);
	sprintf(note, "%s.hsaco", name);
	return ok && (files_note(f, a, note, *object, *size) || diag_set(d, DIAG_ENV, "out of memory")) &&
		(!config_number(config, OPT_KEEP) || keep_object(c, *object, *size));
}
