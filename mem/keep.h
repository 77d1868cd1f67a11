/* What is about to be overwritten, kept so that it can be put back: a ring of lines of 128 bytes, oldest first. Stores
 * to global memory keep a line the first time they touch it after a mark (keep_mark); the owner of the ring may keep
 * lines of other memory in it as well. Off (global.keeper NULL) it costs a store one comparison. */
#ifndef WB_MEM_KEEP_H
#define WB_MEM_KEEP_H

#include "mem/global.h"

struct kept {
	/* number of the line: address / KEEP_LINE in global memory, or the owner's own */
	uint64_t where;
	uint8_t bytes[KEEP_LINE];
};

struct keeper {
	struct kept *ring;
	uint64_t capacity;              /* lines */
	uint64_t first, next;           /* lines there are: first … next − 1, line i in ring[i % capacity] */
	struct global_page *touched;    /* pages with lines kept since the mark */
};

/* Room for `lines` lines. False: the host has no memory. */
bool keep_init(struct keeper *k, uint64_t lines);
void keep_free(struct keeper *k);

static inline struct kept *keep_at(const struct keeper *k, uint64_t i)
{
	return &k->ring[i % k->capacity];
}

static inline uint64_t keep_room(const struct keeper *k)
{
	return k->capacity - (k->next - k->first);
}

/* Keep KEEP_LINE bytes. The owner sees to it that there is room. */
void keep_line(struct keeper *k, uint64_t where, const uint8_t *bytes);
/* From here on every line is kept again when it is first stored to. */
void keep_mark(struct keeper *k);
/* A mapped element of g is about to be stored to; g has a keeper. */
void keep_store(const struct global *g, struct page_cache *c, uint64_t addr);
/* Put a kept line of global memory back. */
void keep_restore(const struct global *g, const struct kept *line);

#endif
