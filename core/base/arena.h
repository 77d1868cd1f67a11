/* A bump allocator: launch data lives in one arena and goes with it, so nothing allocates in a step and nothing
 * leaks. */
#ifndef WB_CORE_BASE_ARENA_H
#define WB_CORE_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_chunk;
struct arena_region;
struct arena {
	struct arena_chunk *chunk;
	struct arena_region *region;
	struct arena_chunk *spare;      /* chunks of before arena_rewind, in the order of their first use */
	size_t size;            /* of all chunks but the spare ones */
	unsigned part;          /* part of the state that the next allocations belong to */
	bool failed;            /* the host had no memory for something, since the arena was empty */
};

/* Zeroed memory of n bytes, aligned to align (a power of two up to 4096). NULL when the host has none. */
void *arena_alloc(struct arena *a, size_t n, size_t align);
/* arena_alloc without clearing: bytes of any value, which the caller writes before reading. */
void *arena_space(struct arena *a, size_t n, size_t align);
/* arena_alloc for memory that a guest addresses, align up to 16. With AddressSanitizer the bytes end at a page that the
 * host may not touch (but for a rest below 16 bytes, which is poisoned), and another such page is before them: vector
 * loads and gathers, which the sanitizer does not check, are stopped as well. */
void *arena_alloc_guarded(struct arena *a, size_t n, size_t align);
/* Extend the last n bytes handed out, at p, by `more` bytes of any value. False: p was not the last allocation, or no
 * more bytes follow. */
bool arena_extend(struct arena *a, const void *p, size_t n, size_t more);
/* Copy of a string, or of bytes (aligned for any object); NULL when the host has no memory. */
char *arena_strdup(struct arena *a, const char *s);
void *arena_memdup(struct arena *a, const void *p, size_t n);
/* The memory handed out so far, piece by piece: start with *at = NULL; NULL past the last. Without allocations in
 * between, the pieces save and restore an arena's contents. */
void *arena_piece(const struct arena *a, struct arena_chunk **at, size_t *n);
/* The part that a whole piece belongs to: a->part at its allocation. */
unsigned arena_part(const struct arena_chunk *at);
/* Give everything back; the arena is empty and usable afterwards. */
void arena_free(struct arena *a);
/* Empty the arena as arena_free does, and keep the chunks for the next allocations: the same allocations get the same
 * addresses without a call of the C library. */
void arena_rewind(struct arena *a);

#define ARENA_NEW(a, type) ((type *)arena_alloc(a, sizeof(type), _Alignof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc(a, sizeof(type) * (size_t)(n), _Alignof(type)))

#endif
