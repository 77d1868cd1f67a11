/* What tells one compiler from another: the last change of its file, and what the program says of itself, as its
 * version. Answers are kept, as the start of a clang costs as much as the work on a small kernel. */
#include "toolchain/opencl/compiler.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/object_cache.h"

void hash_of_file(struct sha256 *s, const char *path)
{
	struct stat f = { 0 };
	char state[96];

	stat(path, &f);
	sprintf(state, "%lld %lld.%09ld", (long long)f.st_size, (long long)f.st_mtim.tv_sec, f.st_mtim.tv_nsec);
	sha256_add(s, path, strlen(path) + 1);
	sha256_add(s, state, strlen(state) + 1);
}

static void answer_key(const struct compiler *c, const char *question, uint8_t key[SHA256_BYTES])
{
	struct sha256 s;

	sha256_begin(&s);
	sha256_add(&s, "answer", sizeof "answer");
	sha256_add(&s, question, strlen(question) + 1);
	hash_of_file(&s, c->child.path);
	sha256_add(&s, &(int64_t){ c->options->files }, sizeof(int64_t));
	sha256_end(&s, key);
}

bool recall_answer(const struct compiler *c, const char *question, struct child_text *answer)
{
	int cache = object_cache_open();
	uint8_t key[SHA256_BYTES];
	bool ok;

	answer_key(c, question, key);
	ok = cache >= 0 && object_cache_read(cache, CACHED_VERSION, key, answer);
	if (ok)
		answer->size--;         /* the answer's 0 */
	if (cache >= 0)
		close(cache);
	return ok;
}

void keep_answer(const struct compiler *c, const char *question, const struct child_text *answer)
{
	int cache = object_cache_open();
	uint8_t key[SHA256_BYTES];

	answer_key(c, question, key);
	if (cache >= 0) {
		object_cache_write(cache, CACHED_VERSION, key, answer->bytes, answer->size + 1);
		close(cache);
	}
}
