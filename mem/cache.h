/* A cache as far as time goes: which lines are in it, fully associative, least recently used first out. */
#ifndef WB_MEM_CACHE_H
#define WB_MEM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

struct cache {
	uint32_t nlines, used;
	uint64_t clock;
	uint64_t *tag;          /* line numbers; the caller keeps spaces apart by upper bits */
	uint64_t *last;         /* when each was touched, in touches */
	uint64_t *filled;       /* cycle in which its bytes are there */
	uint32_t recent;        /* index of the line touched last */
	/* For several host threads: the first so many lines were there when the epoch began. Who finds its line among
	 * them need not wait for others to touch theirs, as long as nothing is put out: which line was touched last
	 * then does not matter. 0: nothing relies on that. */
	uint32_t settled;
};

/* Room for `bytes` in lines of `line` bytes, empty, in the arena. False: the host has no memory. */
bool cache_init(struct cache *c, struct arena *a, uint32_t bytes, uint32_t line);
/* Touch a line at cycle `now`: was it there, or on its way? Then *at is the cycle in which its bytes are. If not, it
 * has a place now, and the caller says with cache_fill when its bytes come. */
bool cache_touch(struct cache *c, uint64_t line, uint64_t now, uint64_t *at);
/* Is the line among the settled ones? *at as above; changes nothing. */
bool cache_settled(const struct cache *c, uint64_t line, uint64_t now, uint64_t *at);
void cache_fill(struct cache *c, uint64_t at);

#endif
