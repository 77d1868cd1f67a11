/* MessagePack by libmpack: words with the number of bytes or nodes that follow. */
#include "core/load/metadata.h"

#include <mpack.h>

#include "core/base/arena.h"

struct reader {
	struct arena *arena;
	mpack_tokbuf_t words;
	const char *p;
	size_t bytes;           /* from p on */
};

static bool node(struct reader *r, int depth, struct metadata *out);

/* The bytes of a text, or of another kind, which is skipped. */
static bool take(struct reader *r, size_t n, const char **text)
{
	mpack_token_t chunk;

	*text = r->p;
	if (n > r->bytes)
		return false;
	return !n || (mpack_read(&r->words, &r->p, &r->bytes, &chunk) == MPACK_OK && chunk.length == n);
}

/* As many nodes as a list or a map announces; each takes a byte at least. */
static bool nodes(struct reader *r, int depth, size_t n, struct metadata **out)
{
	if (depth == METADATA_DEPTH || n > r->bytes)
		return false;
	*out = arena_alloc(r->arena, (n ? n : 1) * sizeof **out, _Alignof(struct metadata));
	for (size_t i = 0; *out && i < n; i++)
		if (!node(r, depth + 1, *out + i))
			return false;
	return *out;
}

static bool node(struct reader *r, int depth, struct metadata *out)
{
	mpack_token_t word;
	const char *skipped;

	*out = (struct metadata){ 0 };
	if (!r->bytes || mpack_read(&r->words, &r->p, &r->bytes, &word) != MPACK_OK)
		return false;
	switch (word.type) {
	case MPACK_TOKEN_UINT:
		*out = (struct metadata){ .kind = METADATA_NUMBER, .number = mpack_unpack_uint(word) };
		return true;
	case MPACK_TOKEN_BOOLEAN:
		out->number = mpack_unpack_boolean(word);
		return true;
	case MPACK_TOKEN_STR:
		*out = (struct metadata){ .kind = METADATA_TEXT, .n = word.length };
		return take(r, word.length, &out->text);
	case MPACK_TOKEN_BIN:
	case MPACK_TOKEN_EXT:
		return take(r, word.length, &skipped);
	case MPACK_TOKEN_ARRAY:
		*out = (struct metadata){ .kind = METADATA_LIST, .n = word.length };
		return nodes(r, depth, out->n, &out->node);
	case MPACK_TOKEN_MAP:
		*out = (struct metadata){ .kind = METADATA_MAP, .n = word.length };
		return nodes(r, depth, 2 * out->n, &out->node);
	default:
		return true;
	}
}

bool metadata_of_msgpack(struct arena *a, const char *bytes, size_t n, struct metadata *out)
{
	struct reader r = { .arena = a, .p = bytes, .bytes = n };

	mpack_tokbuf_init(&r.words);
	return node(&r, 0, out);
}
