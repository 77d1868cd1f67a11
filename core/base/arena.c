/* Memory that is freed as a whole: chunks, with growth in place of the last chunk while the region suffices. */
#include "core/base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/base/pages.h"
#include "core/base/sanitized.h"

#ifdef ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#endif

/* Chunks of at most PAGES_AREA bytes, up to SHARED bytes together, are parts of kept pages (pages.h), and are cleared
 * piece by piece. ALIGN: of a chunk in a region. */
enum { CHUNK = PAGES_UNIT, SHARED = PAGES_KEPT / 2 * LARGE_PAGE, ALIGN = 128 };

struct arena_chunk {
	struct arena_chunk *next;
	size_t size, used;      /* of the whole chunk with its header */
	unsigned part;
	bool in_region;
	bool zero;              /* all bytes behind `used` are 0 */
	void *guarded;          /* the chunk's one piece, between guard pages; NULL: pieces are behind the header */
	size_t guarded_bytes;
};

/* Further chunks, and untouched memory, lie side by side in large pages of the arena's own. */
struct arena_region {
	struct arena_region *next;
	size_t size, used;      /* of the whole region */
};

static void *in_region(struct arena *a, size_t n)
{
	struct arena_region *r = a->region;

	n = (n + ALIGN - 1) & ~((size_t)ALIGN - 1);
	if (!r || r->size - r->used < n) {
		size_t size = (ALIGN + n + LARGE_PAGE - 1) & ~((size_t)LARGE_PAGE - 1);
		r = pages_alloc(size);
		if (!r)
			return NULL;
		*r = (struct arena_region){ .next = a->region, .size = size, .used = ALIGN };
		a->region = r;
	}
	r->used += n;
	return (char *)r + r->used - n;
}

static void free_spare(struct arena *a)
{
	while (a->spare) {
		struct arena_chunk *next = a->spare->next;
		pages_free(a->spare, a->spare->size);
		a->spare = next;
	}
}

/* The next spare chunk, if it has the size; other sizes mean other allocations than before, and no spare chunk is of
 * use. */
static struct arena_chunk *take_spare(struct arena *a, size_t size, bool *zero)
{
	struct arena_chunk *c = a->spare;

	if (c && c->size != size)
		free_spare(a);
	if (!a->spare)
		return pages_take(size, zero);
	a->spare = c->next;
	*zero = false;
	return c;
}

/* A chunk for `need` bytes with the header; `untouched`: bytes take no memory before their first use. */
static struct arena_chunk *new_chunk(struct arena *a, size_t need, bool untouched)
{
	size_t size = (need + CHUNK - 1) & ~((size_t)CHUNK - 1);
	bool region = untouched || size > PAGES_AREA || a->size + size > SHARED, zero = true;
	struct arena_chunk *c = region ? in_region(a, size) : take_spare(a, size, &zero);

	if (!c)
		return NULL;
	*c = (struct arena_chunk){
		.next = a->chunk, .size = size, .used = sizeof *c, .part = a->part,
		.in_region = region, .zero = zero,
	};
	a->chunk = c;
	a->size += size;
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

void *arena_space(struct arena *a, size_t n, size_t align)
{
	if (n > SIZE_MAX / 2) {
		a->failed = true;
		return NULL;
	}
	void *p = a->chunk && a->chunk->part == a->part ? take(a->chunk, n, align) : NULL;
	if (p)
		return p;
	struct arena_chunk *c = new_chunk(a, sizeof *c + n + align, false);
	a->failed |= !c;
	return c ? take(c, n, align) : NULL;
}

void *arena_alloc(struct arena *a, size_t n, size_t align)
{
	void *p = arena_space(a, n, align);

	return p && !a->chunk->zero ? memset(p, 0, n) : p;
}

#ifdef ADDRESS_SANITIZER
enum { GUARD = 4096, GUARD_ALIGN = 16 };

/* A chunk of its own: the page of the header, a guard page, pages at whose end the piece is, a guard page. */
void *arena_alloc_guarded(struct arena *a, size_t n, size_t align)
{
	size_t whole = (n + GUARD_ALIGN - 1) / GUARD_ALIGN * GUARD_ALIGN, bytes = (whole + GUARD - 1) / GUARD * GUARD;
	uint8_t *page;
	struct arena_chunk *c;

	(void)align;
	page = n > SIZE_MAX / 2 ? MAP_FAILED : mmap(NULL, bytes + 3 * GUARD, PROT_READ | PROT_WRITE,
						    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (page == MAP_FAILED) {
		a->failed = true;
		return NULL;
	}
	c = (struct arena_chunk *)page;
	*c = (struct arena_chunk){
		.next = a->chunk ? a->chunk->next : NULL, .size = bytes + 3 * GUARD, .used = bytes + 3 * GUARD,
		.part = a->part, .guarded = page + 2 * GUARD + bytes - whole, .guarded_bytes = n,
	};
	mprotect(page + GUARD, GUARD, PROT_NONE);
	mprotect(page + 2 * GUARD + bytes, GUARD, PROT_NONE);
	ASAN_POISON_MEMORY_REGION(page + 2 * GUARD, bytes - whole);
	ASAN_POISON_MEMORY_REGION((uint8_t *)c->guarded + n, whole - n);
	*(a->chunk ? &a->chunk->next : &a->chunk) = c;
	a->size += c->size;
	return c->guarded;
}

static void free_guarded(struct arena_chunk *c)
{
	ASAN_UNPOISON_MEMORY_REGION(c, c->size);
	munmap(c, c->size);
}
#else
enum { UNTOUCHED = LARGE_PAGE / 4 };    /* bytes from which memory of a guest is cleared by its pages, not here */

void *arena_alloc_guarded(struct arena *a, size_t n, size_t align)
{
	struct arena_chunk *c;

	if (n < UNTOUCHED || n > SIZE_MAX / 2)
		return arena_alloc(a, n, align);
	c = new_chunk(a, sizeof *c + n + align, true);
	a->failed |= !c;
	return c ? take(c, n, align) : NULL;
}

static void free_guarded(struct arena_chunk *c)
{
	(void)c;
}
#endif

bool arena_extend(struct arena *a, const void *p, size_t n, size_t more)
{
	struct arena_chunk *c = a->chunk;

	if (!c || c->part != a->part || (uintptr_t)p + n != (uintptr_t)c + c->used || more > c->size - c->used)
		return false;
	c->used += more;
	return true;
}

static void *copy(struct arena *a, const void *p, size_t n, size_t align)
{
	void *q = arena_space(a, n ? n : 1, align);
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

void *arena_piece(const struct arena *a, struct arena_chunk **at, size_t *n)
{
	struct arena_chunk *c = *at = *at ? (*at)->next : a->chunk;

	*n = !c ? 0 : c->guarded ? c->guarded_bytes : c->used - sizeof *c;
	return !c ? NULL : c->guarded ? c->guarded : c + 1;
}

unsigned arena_part(const struct arena_chunk *at)
{
	return at->part;
}

void arena_free(struct arena *a)
{
	free_spare(a);
	while (a->chunk) {
		struct arena_chunk *next = a->chunk->next;
		if (a->chunk->guarded)
			free_guarded(a->chunk);
		else if (!a->chunk->in_region)
			pages_free(a->chunk, a->chunk->size);
		a->chunk = next;
	}
	while (a->region) {
		struct arena_region *next = a->region->next;
		pages_free(a->region, a->region->size);
		a->region = next;
	}
	a->size = 0;
	a->failed = false;
}

/* Regions and guarded pieces are given back: few, and large enough for their own cost not to count. */
void arena_rewind(struct arena *a)
{
	struct arena_chunk *spare = NULL;

	for (struct arena_chunk *c = a->chunk; c; c = c->next)
		if (c->guarded || c->in_region) {
			arena_free(a);
			return;
		}
	free_spare(a);
	while (a->chunk) {
		struct arena_chunk *next = a->chunk->next;
		a->chunk->next = spare;
		spare = a->chunk;
		a->chunk = next;
	}
	*a = (struct arena){ .spare = spare };
}
