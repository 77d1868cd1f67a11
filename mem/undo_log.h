/* What is about to be overwritten, kept so that it can be put back: a ring of lines of 128 bytes, oldest first. Stores
 * to global memory keep a line the first time they touch it after a mark (undo_log_checkpoint); the owner of the ring may keep
 * lines of other memory in it as well. Off (global.undo NULL) it costs a store one comparison. */
#ifndef WB_MEM_UNDO_LOG_H
#define WB_MEM_UNDO_LOG_H

#include "mem/global.h"

struct undo_line {
	/* number of the line: address / UNDO_LINE in global memory, or the owner's own */
	uint64_t where;
	uint8_t bytes[UNDO_LINE];
};

struct undo_log {
	struct undo_line *ring;
	uint64_t capacity;              /* lines */
	uint64_t first, next;           /* lines there are: first … next − 1, line i in ring[i % capacity] */
	struct global_page *touched;    /* pages with lines kept since the mark */
};

/* Room for `lines` lines. False: the host has no memory. */
bool undo_log_init(struct undo_log *k, uint64_t lines);
void undo_log_free(struct undo_log *k);

static inline struct undo_line *undo_log_at(const struct undo_log *k, uint64_t i)
{
	return &k->ring[i % k->capacity];
}

static inline uint64_t undo_log_room(const struct undo_log *k)
{
	return k->capacity - (k->next - k->first);
}

/* Keep UNDO_LINE bytes. The owner sees to it that there is room. */
void undo_log_append(struct undo_log *k, uint64_t where, const uint8_t *bytes);
/* From here on every line is kept again when it is first stored to. */
void undo_log_checkpoint(struct undo_log *k);
/* A mapped element of g is about to be stored to; g has a keeper. */
void undo_log_store(const struct global *g, struct page_cache *c, uint64_t addr);
/* Put a kept line of global memory back. */
void undo_log_restore(const struct global *g, const struct undo_line *line);

#endif
