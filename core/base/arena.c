#include "core/base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

struct arena_chunk {
	struct arena_chunk *next;
	size_t size, used;      /* of the whole chunk, this header included */
	unsigned part;
};

static struct arena_chunk *new_chunk(size_t need)
{
	size_t size = need > CHUNK ? need : CHUNK;
	struct arena_chunk *c = calloc(1, size);
	if (!c)
		return NULL;
	c->size = size;
	c->used = sizeof *c;
	return c;
}

static void *take(struct arena_chunk *c, size_t n, size_t align)
{
	uintptr_t base = (uintptr_t)c;
	uintptr_t p = (base + c->used + align - 1) & ~(uintptr_t)(align - 1);
	if (p + n > base + c->size)
		return NULL;
	c->used = p + n - base;
	return (void *)p;
}

void *arena_alloc(struct arena *a, size_t n, size_t align)
{
	if (n > SIZE_MAX - align - sizeof(struct arena_chunk))
		return NULL;
	void *p = a->chunk && a->chunk->part == a->part ? take(a->chunk, n, align) : NULL;
	if (p)
		return p;
	struct arena_chunk *c = new_chunk(sizeof *c + n + align);
	if (!c)
		return NULL;
	c->next = a->chunk;
	c->part = a->part;
	a->chunk = c;
	return take(c, n, align);
}

static void *copy(struct arena *a, const void *p, size_t n, size_t align)
{
	void *q = arena_alloc(a, n ? n : 1, align);
	if (q && n)
		memcpy(q, p, n);
	return q;
}

void *arena_memdup(struct arena *a, const void *p, size_t n)
{
	return copy(a, p, n, _Alignof(max_align_t));
}

char *arena_strdup(struct arena *a, const char *s)
{
	return copy(a, s, strlen(s) + 1, 1);
}

void *arena_stretch(const struct arena *a, struct arena_chunk **at, size_t *n)
{
	struct arena_chunk *c = *at = *at ? (*at)->next : a->chunk;

	*n = c ? c->used - sizeof *c : 0;
	return c ? c + 1 : NULL;
}

unsigned arena_part(const struct arena_chunk *at)
{
	return at->part;
}

void arena_free(struct arena *a)
{
	while (a->chunk) {
		struct arena_chunk *next = a->chunk->next;
		free(a->chunk);
		a->chunk = next;
	}
}
