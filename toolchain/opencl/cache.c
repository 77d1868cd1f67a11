/* Objects made before. An object is kept under a hash of all its inputs (the compiler, the options, the whole text), so
 * an unchanged source is compiled once (host/object_cache.h). A record of the files that the preprocessor read
 * (inputs.h) stands beside the object: while the files stay, the same source needs no program at all. */
#include "toolchain/opencl/compiler.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "host/object_cache.h"
#include "toolchain/cpp/cpp.h"
#include "toolchain/opencl/inputs.h"
#include "toolchain/opencl/text.h"

/* Whether the whole text is all that the compiler reads. Assembly can read files (.incbin), and an object with their
 * bytes is neither kept nor handed out under another --files. Of CUDA C++ clang writes assembly as it stands into the
 * PTX, and assembles none. */
static bool is_whole(const struct compiler *c)
{
	return c->target->language == CUDA_CPP || !memmem(c->whole.bytes, c->whole.size, "asm", 3);
}

/* ---- keys of objects ---- */

/* Variables of the environment with options for clang and nvcc, which may change the object of the same text. */
static const char *const option_variables[] = { "CCC_", "CLANG_", "NVCC_", NULL };
/* Variables that choose the files a compiler reads. */
static const char *const place_variables[] = { "PATH=", "CPATH=", "C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH=",
					       "COMPILER_PATH=", "LIBRARY_PATH=", "SOURCE_DATE_EPOCH=", "HOME=",
					       "XDG_CONFIG_", NULL };

static void add_environment(struct sha256 *s, const char *const *names)
{
	for (char **e = environ; *e; e++)
		for (const char *const *name = names; *name; name++)
			if (!strncmp(*e, *name, strlen(*name)))
				sha256_add(s, *e, strlen(*e) + 1);
}

/* The key in the cache, of all inputs of the object: compiler and version, built-in functions, options, text. */
static void make_object_key(struct compiler *c)
{
	struct sha256 s;

	sha256_begin(&s);
	hash_of_file(&s, c->child.path);
	hash_of_file(&s, c->library ? c->library : "");
	add_environment(&s, option_variables);
	sha256_add(&s, c->version.out.bytes, c->version.out.size + 1);
	for (unsigned i = 0; i < c->narguments; i++)
		sha256_add(&s, c->argument[i], strlen(c->argument[i]) + 1);
	sha256_add(&s, "", 1);
	sha256_add(&s, c->builtins.library, strlen(c->builtins.library) + 1);
	sha256_add(&s, c->builtins.prologue, strlen(c->builtins.prologue) + 1);
	sha256_add(&s, OPENCL_TEXT_EDITION, sizeof OPENCL_TEXT_EDITION);
	sha256_add(&s, c->whole.bytes, c->whole.size);
	sha256_end(&s, c->object_key);
}

/* The key of the record of inputs, a hash of everything known before a compiler runs. False: there is no compiler, or
 * an object of the source is not kept. */
static bool make_inputs_key(struct compiler *c)
{
	char folder[PATH_MAX];
	struct sha256 s;

	c->likely = likely_compiler(c);
	if (!c->likely || !getcwd(folder, sizeof folder) ||
	    opencl_inputs_change(c->options->defines, strlen(c->options->defines)))
		return false;
	command_options(c);
	sha256_begin(&s);
	sha256_add(&s, "inputs", sizeof "inputs");
	sha256_add(&s, c->options->edition, strlen(c->options->edition) + 1);
	sha256_add(&s, OPENCL_TEXT_EDITION, sizeof OPENCL_TEXT_EDITION);
	if (c->target->language == OPENCL_C)
		opencl_builtins_hash(&s);
	else
		cpp_device_hash(&s, c->target->language);
	hash_of_file(&s, c->likely);
	hash_of_file(&s, c->library ? c->library : "");
	for (unsigned i = 0; i < c->narguments; i++)
		sha256_add(&s, c->argument[i], strlen(c->argument[i]) + 1);
	hash_version_options(c, &s);
	for (const char *const *word = c->target->third_words; *word; word++)
		sha256_add(&s, *word, strlen(*word) + 1);
	sha256_add(&s, &(int64_t){ c->options->files }, sizeof(int64_t));
	add_environment(&s, option_variables);
	add_environment(&s, place_variables);
	sha256_add(&s, folder, strlen(folder) + 1);
	sha256_add(&s, c->source, c->size);
	sha256_end(&s, c->inputs_key);
	return true;
}

/* Record the files that the preprocessor has read, for the compiler of inputs_key. */
static void record_inputs(struct compiler *c)
{
	const char *folders[ARGUMENTS_MAX];
	struct opencl_source own = { .name = c->name, .text = c->source, .size = c->size, .folders = folders };

	if (!c->likely || strcmp(c->likely, c->child.path))
		return;
	for (unsigned i = 0; i < c->narguments; i++)
		if (!strncmp(c->argument[i], "-I", 2))
			folders[own.nfolders++] = c->argument[i] + 2;
	c->inputs = opencl_inputs(c->arena, &own, c->whole.bytes, c->whole.size);
}

static void keep_inputs(const struct compiler *c)
{
	size_t n = strlen(c->inputs);
	char *entry = arena_alloc(c->arena, n + SHA256_BYTES, 1);

	if (!entry)
		return;
	memcpy(entry, c->inputs, n);
	memcpy(entry + n, c->object_key, SHA256_BYTES);
	object_cache_write(c->cache, CACHED_INPUTS, c->inputs_key, entry, n + SHA256_BYTES);
}

/* ---- taking and keeping ---- */

bool take_object(struct compiler *c, const char *bytes, size_t n)
{
	c->object_size = n;
	c->object = arena_memdup(c->arena, bytes, n);
	return c->object || build_no_memory(c->build);
}

/* Take the entry of a key. */
static bool take_entry(struct compiler *c, int cache, const uint8_t key[SHA256_BYTES])
{
	struct child_text kept;

	if (!object_cache_read(cache, CACHED_OBJECT, key, &kept))
		return false;
	c->cached = take_object(c, kept.bytes, kept.size);
	free(kept.bytes);
	return c->cached;
}

bool recall_source(struct compiler *c)
{
	int cache = make_inputs_key(c) ? object_cache_open() : -1;
	struct child_text record = { NULL, 0 };
	size_t length;
	bool ok = cache >= 0 && object_cache_read(cache, CACHED_INPUTS, c->inputs_key, &record) &&
		  opencl_inputs_same(record.bytes, record.size, &length) && record.size == length + SHA256_BYTES &&
		  take_entry(c, cache, (const uint8_t *)record.bytes + length);

	free(record.bytes);
	if (cache >= 0)
		close(cache);
	return ok;
}

bool recall_object(struct compiler *c)
{
	record_inputs(c);
	command_options(c);
	make_object_key(c);
	c->cache = is_whole(c) ? object_cache_open() : -1;
	return c->cache >= 0 && take_entry(c, c->cache, c->object_key);
}

/* An object with warnings is not kept, as the warnings are wanted again. */
void keep_in_cache(struct compiler *c)
{
	if (c->cache < 0 || c->nwarnings)
		return;
	if (!c->cached)
		object_cache_write(c->cache, CACHED_OBJECT, c->object_key, c->object, c->object_size);
	if (c->inputs)
		keep_inputs(c);
}

void end_cache(struct compiler *c)
{
	if (c->cache >= 0)
		close(c->cache);
	c->cache = -1;
}
