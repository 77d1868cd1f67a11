/* A ring of lines as they were before stores (undo_log.h). */
#include "mem/undo_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/pages.h"

bool undo_log_init(struct undo_log *u, uint64_t lines)
{
	*u = (struct undo_log){ .capacity = lines, .ring = pages_alloc(lines * sizeof *u->ring) };
	return u->ring != NULL;
}

void undo_log_free(struct undo_log *u)
{
	pages_free(u->ring, u->capacity * sizeof *u->ring);
	*u = (struct undo_log){ 0 };
}

void undo_log_begin(struct global *g, struct undo_log *u)
{
	g->undo = u;
}

void undo_log_end(struct global *g)
{
	if (!g->undo)
		return;
	undo_log_checkpoint(g->undo);
	for (struct global_page *p = g->pages; p; p = p->next)
		memset(p->origin, 0, sizeof p->origin);
	g->undo = NULL;
}

void undo_log_append(struct undo_log *u, uint64_t where, const uint8_t *bytes)
{
	struct undo_line *line = undo_log_at(u, u->next);

	assert(undo_log_free_lines(u));
	line->where = where;
	memcpy(line->bytes, bytes, UNDO_LINE);
	u->next++;
}

void undo_log_checkpoint(struct undo_log *u)
{
	while (u->touched) {
		struct global_page *p = u->touched;
		u->touched = p->next_touched;
		p->next_touched = NULL;
		p->touched = false;
		memset(p->logged, 0, sizeof p->logged);
	}
}

void undo_log_store(const struct global *g, struct page_cache *c, uint64_t addr)
{
	struct global_page *p = global_page_at(g, c, addr);
	uint32_t line = (uint32_t)(addr % PAGE_BYTES) / UNDO_LINE;

	if (p->logged[line / 64] >> (line % 64) & 1)
		return;
	p->logged[line / 64] |= 1ull << (line % 64);
	if (!p->touched) {
		p->touched = true;
		p->next_touched = g->undo->touched;
		g->undo->touched = p;
	}
	undo_log_append(g->undo, addr / UNDO_LINE, p->bytes + line * UNDO_LINE);
}

void undo_log_restore(const struct global *g, const struct undo_line *line)
{
	uint64_t addr = line->where * UNDO_LINE;
	struct global_page *p = global_page_find(g, (uint32_t)(addr >> PAGE_BITS));

	memcpy(p->bytes + addr % PAGE_BYTES, line->bytes, UNDO_LINE);
}
