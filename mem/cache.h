/* The timing of a cache: the set of its lines, fully associative, least recently used first out. */
#ifndef WB_MEM_CACHE_H
#define WB_MEM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

struct cache {
	uint32_t nlines, used;
	uint64_t clock;
	uint64_t *tag;          /* line numbers; the caller keeps spaces apart by upper bits */
	uint64_t *touched_at;   /* by line: number of the last touch */
	uint64_t *filled;       /* by line: cycle of the arrival of the bytes */
	uint32_t recent;        /* index of the line touched last */
	/* For several host threads: number of lines, from the first on, present since the epoch began. A multiprocessor
	 * with its line among the settled need not wait for others, as long as no line is evicted: the order of touches
	 * does not matter then. 0: no settled lines. */
	uint32_t settled;
};

/* Storage for `bytes` in lines of `line` bytes, empty, in the arena. False: the host has no memory. */
bool cache_init(struct cache *c, struct arena *a, uint32_t bytes, uint32_t line);
/* Lines 0 to `lines` - 1 are in the cache since before the first cycle: the last of them where not all have a place. */
void cache_warm(struct cache *c, uint64_t lines);
/* Touch a line at cycle `now`. True: the line was present, or on the way; *at is the cycle of its bytes. False: the
 * line has a place now, and the caller sets the cycle with cache_fill. */
bool cache_touch(struct cache *c, uint64_t line, uint64_t now, uint64_t *at);
/* Is the line among the settled lines? *at as in cache_touch; changes nothing. */
bool cache_settled(const struct cache *c, uint64_t line, uint64_t now, uint64_t *at);
void cache_fill(struct cache *c, uint64_t at);

#endif
