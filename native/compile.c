/* The compiler is a child process with limits and a bound on files (host/): the system's folders are readable, the text
 * comes from standard input, and the result is copied from a folder that is removed. The object's name in the cache is
 * the SHA-256 of compiler, command and text (a digest stands for the machine's part), so an object of another text is
 * never taken. Objects are loaded from memory: the bytes loaded are the bytes checked. */
#include "native/compile.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/landlock.h"
#include "host/object_cache.h"
#include "native/flags.h"

enum { SECONDS = 60, WORDS_MOST = 48 };
#define MEMORY (UINT64_C(4) << 30)

/* The code of clang 14 is faster than that of gcc 12 (collatz at AVX2: 2.1 and 1.5 times threaded code). */
static const char *const compilers[] = {
	"clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14", "gcc", "cc", NULL
};
/* As meson.build has them: bit patterns are neither contracted nor reassociated. */
static const char *const words[] = {
	"-x", "c", "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-ftree-vectorize", "-w", "-fPIC", "-shared", "-nostdlib",
	"-ffp-contract=off", "-fno-trapping-math", "-fno-math-errno", "-fno-strict-aliasing", NULL
};
/* Of the SIMD levels with native code: loops over lanes gain nothing at the others. */
static const char *const level_words[SIMD_LEVELS][16] = {
	[SIMD_AVX2] = { NATIVE_FLAGS_AVX2 }, [SIMD_AVX512] = { NATIVE_FLAGS_AVX512 },
};

static const char no_compiler[] = "neither clang nor gcc is here";

struct compilation {
	char *path;                     /* of the compiler; from malloc */
	char *argv[WORDS_MOST];
	char number[48];                /* the word that says the program's */
	char output[4200];              /* the object, in the child's folder */
	struct child child;
	uint8_t key[SHA256_BYTES];
};

/* Programs and libraries of the system, and headers. */
static const char *const folders[] = {
	"/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/local/lib", "/bin", "/lib", "/lib32",
	"/lib64", "/etc/ld.so.cache", "/nix/store", "/gnu/store", "/usr/include", NULL
};

/* -1 where the kernel has no Landlock: the text is Warpbeam's own, and names no file. */
static int bound_files(const char *compiler)
{
	int ruleset = landlock_ruleset();
	bool ok = ruleset >= 0 && landlock_allow(ruleset, compiler, LANDLOCK_RUN) &&
		  landlock_allow(ruleset, "/dev/null", LANDLOCK_WRITE);

	for (const char *const *p = folders; ok && *p; p++)
		ok = landlock_allow(ruleset, *p, LANDLOCK_RUN);
	if (ruleset >= 0 && !ok) {
		close(ruleset);
		ruleset = -1;
	}
	return ruleset;
}

static bool find_compiler(struct compilation *c)
{
	for (const char *const *p = compilers; !c->path && *p; p++)
		c->path = child_find(*p);
	return c->path;
}

static void make_command(struct compilation *c, enum simd_level level, uint32_t number)
{
	const char *temporary = getenv("TMPDIR");
	unsigned n = 0;

	child_name_folder(&c->child, temporary && *temporary == '/' ? temporary : "/tmp");
	snprintf(c->output, sizeof c->output, "%s/native.so", c->child.folder);
	c->argv[n++] = c->path;
	for (const char *const *p = words; *p; p++)
		c->argv[n++] = (char *)(uintptr_t)*p;
	for (const char *const *p = level_words[level]; *p; p++)
		c->argv[n++] = (char *)(uintptr_t)*p;
	snprintf(c->number, sizeof c->number, "-DNATIVE_NUMBER_OF_PROGRAM=%#" PRIx32 "u", number);
	c->argv[n++] = c->number;
	c->argv[n++] = (char *)"-";
	c->argv[n++] = (char *)"-o";
	c->argv[n++] = c->output;
	c->child.path = c->path;
	c->child.argv = c->argv;
	c->child.result = "native.so";
	c->child.memory = MEMORY;
}

/* The compiler's file stands for the version; the name of the folder is left out. */
static void make_key(struct compilation *c, const struct native_text *text)
{
	struct stat f = { 0 };
	struct sha256 s;

	stat(c->path, &f);
	sha256_begin(&s);
	sha256_add(&s, "native", sizeof "native");
	for (char *const *p = c->argv; *p != c->output; p++)
		sha256_add(&s, *p, strlen(*p) + 1);
	sha256_add(&s, &(int64_t[]){ f.st_size, f.st_mtim.tv_sec, f.st_mtim.tv_nsec }, 3 * sizeof(int64_t));
	sha256_add(&s, text->machine[0], strlen(text->machine[0]) + 1);
	sha256_add(&s, text->functions, strlen(text->functions) + 1);
	sha256_end(&s, c->key);
}

/* From malloc; NULL: no memory. */
static char *whole_text(const struct native_text *text)
{
	size_t n = strlen(text->functions) + 1;
	char *whole, *end;

	for (const char *const *line = text->machine; *line; line++)
		n += strlen(*line);
	whole = end = malloc(n);
	for (const char *const *line = text->machine; whole && *line; line++)
		end = stpcpy(end, *line);
	if (whole)
		strcpy(end, text->functions);
	return whole;
}

static const char *compile(struct compilation *c, const struct native_text *text, struct child_text *object)
{
	struct child_outputs o;
	char *whole = whole_text(text);
	int status;

	if (!whole)
		return "the host has no memory for it";
	c->child.ruleset = bound_files(c->path);
	c->child.deadline = child_clock() + SECONDS * INT64_C(1000000000);
	status = child_run(&c->child, whole, strlen(whole), &o);
	free(whole);
	if (c->child.ruleset >= 0)
		close(c->child.ruleset);
	*object = o.result;
	o.result = (struct child_text){ NULL, 0 };
	child_free(&o);
	return status == 0 ? NULL : status == CHILD_NOT_STARTED ? no_compiler : "the host's compiler did not make it";
}

/* The object of a text, from malloc. Returns NULL, or why there is none. */
static const char *find_object(struct compilation *c, const struct native_text *text, bool compiles,
			       struct child_text *object)
{
	int cache = object_cache_open();
	const char *why = NULL;

	if (cache < 0 || !object_cache_read(cache, CACHED_NATIVE, c->key, object)) {
		why = compiles ? compile(c, text, object) : "the cache has none";
		if (!why && cache >= 0)
			object_cache_write(cache, CACHED_NATIVE, c->key, object->bytes, object->size);
	}
	if (cache >= 0)
		close(cache);
	return why;
}

/* The loader takes libraries of the same name for the same library: a number of an open file is a name that no other
 * library has. False: the host lets nobody load code from memory, or the object is for another host. */
static bool load_object(const struct child_text *object, struct native_library *library)
{
	char path[64];

	library->file = memfd_create("warpbeam-native", MFD_CLOEXEC);
	snprintf(path, sizeof path, "/proc/self/fd/%d", library->file);
	if (library->file >= 0 && write(library->file, object->bytes, object->size) == (ssize_t)object->size)
		library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library->handle && library->file >= 0)
		close(library->file);
	return library->handle;
}

void native_unload(struct native_library *library)
{
	if (!library->handle)
		return;
	dlclose(library->handle);
	close(library->file);
	library->handle = NULL;
}

bool native_gains(enum simd_level level)
{
	return level_words[level][0];
}

const char *native_hindrance(enum simd_level level)
{
	struct compilation c = { .path = NULL };
	bool found = find_compiler(&c);

	free(c.path);
	return !native_gains(level) ? "this SIMD level gains nothing by it" : found ? NULL : no_compiler;
}

const char *native_load(const struct native_text *text, enum simd_level level, bool compiles, const int *cancel,
			struct native_library *library)
{
	struct compilation c = { .path = NULL };
	struct child_text object = { NULL, 0 };
	const char *why;

	*library = (struct native_library){ NULL, -1 };
	if (!native_gains(level))
		return "this SIMD level gains nothing by it";
	if (!find_compiler(&c))
		return no_compiler;
	make_command(&c, level, text->number);
	c.child.cancel = cancel;
	make_key(&c, text);
	why = find_object(&c, text, compiles, &object);
	if (!why && !load_object(&object, library))
		why = "the host loads no code from memory";
	free(object.bytes);
	free(c.path);
	return why;
}
