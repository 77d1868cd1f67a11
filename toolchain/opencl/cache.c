/* What was made before. An object is kept under a hash of all its inputs (the compiler, the options, the whole text):
 * an unchanged source is compiled once (host/object_cache.h). A record of the files that the preprocessor read
 * (inputs.h) stands beside the object: while the files stay, the same source needs no program at all. Answers of a
 * compiler about itself are kept as well, as the start of a clang costs as much as the work on a small kernel, and the
 * bitcode of our built-in functions. */
#include "toolchain/opencl/compiler.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
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

/* ---- keys ---- */

static void add_text(struct sha256 *s, const char *text)
{
	sha256_add(s, text, strlen(text) + 1);
}

/* A file by its last change: the compiler and its libraries are replaced, not written to. */
static void add_file(struct sha256 *s, const char *path)
{
	struct stat f = { 0 };
	char state[96];

	stat(path, &f);
	sprintf(state, "%lld %lld.%09ld", (long long)f.st_size, (long long)f.st_mtim.tv_sec, f.st_mtim.tv_nsec);
	add_text(s, path);
	add_text(s, state);
}

static void add_arguments(struct sha256 *s, const struct compiler *c)
{
	for (unsigned i = 0; i < c->narguments; i++)
		add_text(s, c->argument[i]);
}

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
				add_text(s, *e);
}

/* The key in the cache, of all inputs of the object: compiler and version, built-in functions, options, text. */
static void make_object_key(struct compiler *c)
{
	struct sha256 s;

	sha256_begin(&s);
	add_file(&s, c->child.path);
	add_file(&s, c->library ? c->library : "");
	add_environment(&s, option_variables);
	sha256_add(&s, c->version.out.bytes, c->version.out.size + 1);
	add_arguments(&s, c);
	add_text(&s, "");
	add_text(&s, c->builtins.library);
	add_text(&s, c->builtins.prologue);
	add_text(&s, OPENCL_TEXT_EDITION);
	sha256_add(&s, c->whole.bytes, c->whole.size);
	sha256_end(&s, c->object_key);
}

/* The key of the record of inputs, a hash of everything known before c->likely runs. False: an object of the source is
 * not kept. */
static bool make_inputs_key(struct compiler *c)
{
	char folder[PATH_MAX];
	struct sha256 s;

	if (!getcwd(folder, sizeof folder) ||
	    opencl_inputs_change(c->options->defines, strlen(c->options->defines)))
		return false;
	command_options(c);
	sha256_begin(&s);
	add_text(&s, "inputs");
	add_text(&s, c->options->edition);
	add_text(&s, OPENCL_TEXT_EDITION);
	if (c->target->language == OPENCL_C)
		opencl_builtins_hash(&s);
	else
		cpp_device_hash(&s, c->target->language);
	add_file(&s, c->likely);
	add_file(&s, c->library ? c->library : "");
	add_arguments(&s, c);
	hash_version_options(c, &s);
	for (const char *const *word = c->target->third_words; *word; word++)
		add_text(&s, *word);
	sha256_add(&s, &(int64_t){ c->options->files }, sizeof(int64_t));
	add_environment(&s, option_variables);
	add_environment(&s, place_variables);
	add_text(&s, folder);
	sha256_add(&s, c->source, c->size);
	sha256_end(&s, c->inputs_key);
	return true;
}

static void make_answer_key(const struct compiler *c, uint8_t key[SHA256_BYTES])
{
	struct sha256 s;

	sha256_begin(&s);
	add_text(&s, "answer");
	add_text(&s, c->question);
	add_file(&s, c->child.path);
	sha256_add(&s, &(int64_t){ c->options->files }, sizeof(int64_t));
	sha256_end(&s, key);
}

/* The key of our built-in functions' bitcode: compiler and version, the command, the functions' text. */
static void make_builtins_key(const struct compiler *c, uint8_t key[SHA256_BYTES])
{
	struct sha256 s;

	sha256_begin(&s);
	add_text(&s, "built-in functions");
	add_file(&s, c->child.path);
	sha256_add(&s, c->version.out.bytes, c->version.out.size + 1);
	add_arguments(&s, c);
	add_text(&s, c->builtins.library);
	sha256_end(&s, key);
}

/* ---- the files of a source ---- */

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

bool recall_answer(const struct compiler *c, struct child_text *answer)
{
	uint8_t key[SHA256_BYTES];
	bool ok;

	make_answer_key(c, key);
	ok = object_cache_read(c->cache, CACHED_VERSION, key, answer);
	answer->size -= ok;     /* the answer's 0 */
	return ok;
}

void keep_answer(const struct compiler *c, const struct child_text *answer)
{
	uint8_t key[SHA256_BYTES];

	make_answer_key(c, key);
	object_cache_write(c->cache, CACHED_VERSION, key, answer->bytes, answer->size + 1);
}

bool recall_builtins(const struct compiler *c, struct child_text *bitcode)
{
	uint8_t key[SHA256_BYTES];

	make_builtins_key(c, key);
	return object_cache_read(c->cache, CACHED_BUILTINS, key, bitcode);
}

void keep_builtins(const struct compiler *c, const struct child_text *bitcode)
{
	uint8_t key[SHA256_BYTES];

	make_builtins_key(c, key);
	object_cache_write(c->cache, CACHED_BUILTINS, key, bitcode->bytes, bitcode->size);
}

bool take_object(struct compiler *c, const char *bytes, size_t n)
{
	c->object_size = n;
	c->object = arena_memdup(c->arena, bytes, n);
	return c->object;
}

/* Take the entry of a key. */
static bool take_entry(struct compiler *c, const uint8_t key[SHA256_BYTES])
{
	struct child_text kept;

	if (!object_cache_read(c->cache, CACHED_OBJECT, key, &kept))
		return false;
	c->cached = take_object(c, kept.bytes, kept.size);
	free(kept.bytes);
	return c->cached;
}

bool recall_source(struct compiler *c)
{
	struct child_text record = { NULL, 0 };
	size_t length;
	bool ok = make_inputs_key(c) && object_cache_read(c->cache, CACHED_INPUTS, c->inputs_key, &record) &&
		  opencl_inputs_same(record.bytes, record.size, &length) && record.size == length + SHA256_BYTES &&
		  take_entry(c, (const uint8_t *)record.bytes + length);

	free(record.bytes);
	return ok;
}

bool recall_object(struct compiler *c)
{
	record_inputs(c);
	command_options(c);
	make_object_key(c);
	c->kept = is_whole(c);
	return c->kept && take_entry(c, c->object_key);
}

/* An object with warnings is not kept, as the warnings are wanted again. */
void keep_object(struct compiler *c)
{
	if (!c->kept || c->nwarnings)
		return;
	if (!c->cached)
		object_cache_write(c->cache, CACHED_OBJECT, c->object_key, c->object, c->object_size);
	if (c->inputs)
		keep_inputs(c);
}
