/* Undo log: lines of 128 bytes from before their overwriting, in a ring, oldest first. A store to global memory appends
 * a line at the first touch after a checkpoint; the owner of the log may append lines of other memory as well. Without
 * a log (global.undo NULL) a store costs one comparison more. */
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
	uint64_t oldest, next;          /* logged lines: oldest … next − 1, line i in ring[i % capacity] */
	struct global_page *touched;    /* pages with lines logged since the checkpoint */
};

/* Storage for `lines` lines. False: the host has no memory. */
bool undo_log_init(struct undo_log *u, uint64_t lines);
void undo_log_free(struct undo_log *u);

static inline struct undo_line *undo_log_at(const struct undo_log *u, uint64_t i)
{
	return &u->ring[i % u->capacity];
}

static inline uint64_t undo_log_free_lines(const struct undo_log *u)
{
	return u->capacity - (u->next - u->oldest);
}

/* Begin with u, which is empty, as the log of g; end the log of g, if any: no page remembers a logged line. */
void undo_log_begin(struct global *g, struct undo_log *u);
void undo_log_end(struct global *g);
/* Append UNDO_LINE bytes. The owner keeps a line free. */
void undo_log_append(struct undo_log *u, uint64_t where, const uint8_t *bytes);
/* From now on every line is logged again at its first store. */
void undo_log_checkpoint(struct undo_log *u);
/* Call before a store to a mapped element of g; g has a log. */
void undo_log_store(const struct global *g, struct page_cache *c, uint64_t addr);
/* Put a line of global memory back. */
void undo_log_restore(const struct global *g, const struct undo_line *line);

#endif
