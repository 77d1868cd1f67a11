#include "mem/keep.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/pages.h"

bool keep_init(struct keeper *k, uint64_t lines)
{
	*k = (struct keeper){ .capacity = lines, .ring = pages_alloc(lines * sizeof *k->ring) };
	return k->ring != NULL;
}

void keep_free(struct keeper *k)
{
	pages_free(k->ring, k->capacity * sizeof *k->ring);
	*k = (struct keeper){ 0 };
}

void keep_line(struct keeper *k, uint64_t where, const uint8_t *bytes)
{
	struct kept *line = keep_at(k, k->next);

	assert(keep_room(k));
	line->where = where;
	memcpy(line->bytes, bytes, KEEP_LINE);
	k->next++;
}

void keep_mark(struct keeper *k)
{
	while (k->touched) {
		struct global_page *p = k->touched;
		k->touched = p->next_touched;
		p->next_touched = NULL;
		p->touched = false;
		memset(p->kept, 0, sizeof p->kept);
	}
}

void keep_store(const struct global *g, struct page_cache *c, uint64_t addr)
{
	struct global_page *p = global_page_at(g, c, addr);
	uint32_t line = (uint32_t)(addr % PAGE_BYTES) / KEEP_LINE;

	if (p->kept[line / 64] >> (line % 64) & 1)
		return;
	p->kept[line / 64] |= 1ull << (line % 64);
	if (!p->touched) {
		p->touched = true;
		p->next_touched = g->keeper->touched;
		g->keeper->touched = p;
	}
	keep_line(g->keeper, addr / KEEP_LINE, p->bytes + line * KEEP_LINE);
}

void keep_restore(const struct global *g, const struct kept *line)
{
	uint64_t addr = line->where * KEEP_LINE;
	struct global_page *p = global_page_find(g, (uint32_t)(addr >> PAGE_BITS));

	memcpy(p->bytes + addr % PAGE_BYTES, line->bytes, KEEP_LINE);
}
