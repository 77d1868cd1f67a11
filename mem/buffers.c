/* Buffers of global memory: ranges of addresses with an owner, in the order of addresses. A new buffer takes the first
 * gap that is large enough, so that addresses follow from the order of the calls alone; without gaps, buffers follow
 * each other. A freed buffer's bytes are zeroed and fault until another buffer has the place. */
#include "mem/global.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"

static uint64_t round_up(uint64_t bytes)
{
	return (bytes + GRANULE_BYTES - 1) & ~(uint64_t)(GRANULE_BYTES - 1);
}

static uint64_t first_address(const struct global *g)
{
	return g->first_buffer ? g->first_buffer : GLOBAL_FIRST_BUFFER;
}

/* The end of the last buffer. */
static uint64_t last_end(const struct global *g)
{
	return g->nranges ? g->range[g->nranges - 1].end : first_address(g);
}

/* The number of buffers below an address, by bisection. */
static size_t ranges_below(const struct global *g, uint64_t addr)
{
	size_t low = 0, high = g->nranges;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (g->range[middle].addr < addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct global_range *global_range_of(const struct global *g, uint64_t addr)
{
	size_t n = ranges_below(g, addr + 1);

	return n && addr < g->range[n - 1].end ? &g->range[n - 1] : NULL;
}

/* The address of `span` free bytes; behind the last buffer there may be too few. */
static uint64_t find_gap(const struct global *g, uint64_t span)
{
	uint64_t at = first_address(g);

	if (!g->gaps || !span)
		return last_end(g);
	for (size_t i = 0; i < g->nranges; i++) {
		if (g->range[i].addr - at >= span)
			return at;
		at = g->range[i].end;
	}
	return at;
}

static bool add_range(struct global *g, struct global_range r)
{
	size_t n = r.addr >= last_end(g) ? g->nranges : ranges_below(g, r.addr);

	if (g->nranges == g->capacity) {
		size_t more = g->capacity ? 2 * g->capacity : 16;
		struct global_range *grown = realloc(g->range, more * sizeof *grown);
		if (!grown)
			return false;
		g->range = grown;
		g->capacity = more;
	}
	memmove(&g->range[n + 1], &g->range[n], (g->nranges - n) * sizeof r);
	g->range[n] = r;
	g->nranges++;
	return true;
}

/* A buffer of `bytes` bytes and `behind` bytes of its own behind its last granule. */
static bool place(struct global *g, uint64_t bytes, uint64_t behind, uint64_t *addr, struct diag *d)
{
	uint64_t most = global_end(g) - GRANULE_BYTES, span = round_up(bytes) + behind, at;

	at = bytes < most ? find_gap(g, span) : last_end(g);
	if (bytes > most - at || span > most - at)
		return diag_set(d, DIAG_USAGE,
				"a buffer of 0x%" PRIx64 " bytes: the global space has 0x%" PRIx64 " left", bytes,
				most - at);
	if (!global_map(g, at, behind ? span : bytes, d))
		return false;
	*addr = at;
	return !span || add_range(g, (struct global_range){ at, bytes, at + span, g->owner }) ||
	       diag_set(d, DIAG_ENV, "out of memory");
}

bool global_alloc(struct global *g, uint64_t bytes, uint64_t *addr, struct diag *d)
{
	return place(g, bytes, 0, addr, d);
}

/* Only `bytes` of the granule at addr belong to a buffer. */
static void end_granule(struct global *g, uint64_t addr, uint32_t bytes)
{
	struct global_page *p = global_page_find(g, (uint32_t)(addr >> PAGE_BITS));
	uint32_t granule = addr >> GRANULE_BITS & (PAGE_GRANULES - 1);

	p->whole[granule / 64] &= ~(1ull << (granule % 64));
	p->valid[granule] = (uint8_t)bytes;
}

/* With `behind`, the granules behind the last are the buffer's too. */
static void end_exactly(struct global *g, uint64_t addr, uint64_t bytes, uint64_t behind)
{
	uint64_t end = addr + bytes;

	if (end % GRANULE_BYTES)
		end_granule(g, end, end % GRANULE_BYTES);
	if (behind)
		end_granule(g, round_up(end), 0);
}

bool global_buffer(struct global *g, uint64_t bytes, bool exact, uint64_t *addr, struct diag *d)
{
	uint64_t behind = g->first_buffer && bytes ? GRANULE_BYTES : 0;

	if (!place(g, bytes, behind, addr, d))
		return false;
	if (exact)
		end_exactly(g, *addr, bytes, behind);
	return true;
}

bool global_buffer_at(struct global *g, uint64_t addr, uint64_t end, uint64_t bytes, bool exact, struct diag *d)
{
	uint64_t most = global_end(g) - GRANULE_BYTES, span = round_up(bytes), behind = end - addr - span;

	if (!bytes || bytes > most || addr % GRANULE_BYTES || addr < last_end(g) || addr > most || end < addr ||
	    end > most || end - addr < span || (behind && behind != GRANULE_BYTES))
		return diag_set(d, DIAG_INPUT, "a buffer of 0x%" PRIx64 " bytes from 0x%" PRIx64 " to 0x%" PRIx64
				": expected one behind the others, in multiples of %d", bytes, addr, end,
				GRANULE_BYTES);
	if (!global_map(g, addr, behind ? end - addr : bytes, d))
		return false;
	if (exact)
		end_exactly(g, addr, bytes, behind);
	return add_range(g, (struct global_range){ addr, bytes, end, g->owner }) ||
	       diag_set(d, DIAG_ENV, "out of memory");
}

static void remove_range(struct global *g, size_t i)
{
	global_unmap(g, g->range[i].addr, g->range[i].end - g->range[i].addr);
	g->nranges--;
	memmove(&g->range[i], &g->range[i + 1], (g->nranges - i) * sizeof g->range[i]);
	g->gaps = true;
}

bool global_release(struct global *g, uint64_t addr)
{
	size_t i = ranges_below(g, addr);

	if (i == g->nranges || g->range[i].addr != addr)
		return false;
	remove_range(g, i);
	return true;
}

void global_release_all(struct global *g, uint32_t owner)
{
	for (size_t i = g->nranges; i-- > 0;)
		if (g->range[i].owner == owner)
			remove_range(g, i);
}
