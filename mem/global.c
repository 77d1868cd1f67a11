#define HASH_NONFATAL_OOM 1   /* uthash exits otherwise */
#include "mem/global.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"

static const uint64_t SPACE_END = 1ull << 32;

void global_free(struct global *g)
{
	struct global_page *p, *next;
	HASH_ITER(hh, g->pages, p, next) {
		HASH_DEL(g->pages, p);
		free(p);
	}
	g->next = 0;
}

struct global_page *global_page_find(const struct global *g, uint32_t number)
{
	struct global_page *p;
	HASH_FIND(hh, g->pages, &number, sizeof number, p);
	return p;
}

struct global_page *global_page_miss(const struct global *g, struct page_cache *c, uint32_t number)
{
	struct global_page *p = global_page_find(g, number);
	if (p) {
		c->slot[number % PAGE_CACHE_SLOTS].tag = number | PAGE_TAG;
		c->slot[number % PAGE_CACHE_SLOTS].page = p;
	}
	return p;
}

static struct global_page *page_get(struct global *g, uint32_t number)
{
	struct global_page *p = global_page_find(g, number);
	if (p)
		return p;
	p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->number = number;
	HASH_ADD(hh, g->pages, number, sizeof p->number, p);
	if (!p->hh.tbl) {
		free(p);
		return NULL;
	}
	return p;
}

bool global_map(struct global *g, uint32_t addr, uint64_t bytes, struct diag *d)
{
	if (!bytes)
		return true;
	if (bytes > SPACE_END - addr)
		return diag_set(d, DIAG_USAGE, "0x%" PRIx64 " bytes at 0x%08" PRIx32 " leave the 32-bit global space",
				bytes, addr);
	uint64_t first = addr >> GRANULE_BITS, last = (addr + bytes - 1) >> GRANULE_BITS;
	struct global_page *p = NULL;
	for (uint64_t i = first; i <= last; i++) {
		if (!p || p->number != i / PAGE_GRANULES)
			p = page_get(g, (uint32_t)(i / PAGE_GRANULES));
		if (!p)
			return diag_set(d, DIAG_ENV, "no memory for 0x%" PRIx64 " bytes of global space", bytes);
		p->mapped[i % PAGE_GRANULES / 64] |= 1ull << (i % 64);
	}
	return true;
}

bool global_alloc(struct global *g, uint64_t bytes, uint32_t *addr, struct diag *d)
{
	uint64_t at = g->next ? g->next : GLOBAL_FIRST_BUFFER;
	if (bytes > SPACE_END - GRANULE_BYTES - at)
		return diag_set(d, DIAG_USAGE,
				"a buffer of 0x%" PRIx64 " bytes: the global space has 0x%" PRIx64 " left", bytes,
				SPACE_END - GRANULE_BYTES - at);
	if (!global_map(g, (uint32_t)at, bytes, d))
		return false;
	*addr = (uint32_t)at;
	g->next = (at + bytes + GRANULE_BYTES - 1) & ~(uint64_t)(GRANULE_BYTES - 1);
	return true;
}

bool global_mapped(const struct global *g, uint32_t addr, uint64_t bytes)
{
	if (!bytes)
		return true;
	if (bytes > SPACE_END - addr)
		return false;
	uint64_t end = addr + bytes;
	const struct global_page *p = NULL;
	for (uint64_t at = addr; at < end; at = (at | (GRANULE_BYTES - 1)) + 1) {
		if (!p || p->number != at >> PAGE_BITS)
			p = global_page_find(g, (uint32_t)(at >> PAGE_BITS));
		if (!p || !page_granule_mapped(p, (uint32_t)at))
			return false;
	}
	return true;
}

/* How many of the `want` bytes from addr on lie in its page. */
static size_t in_page(uint32_t addr, size_t want)
{
	size_t left = PAGE_BYTES - (addr & (PAGE_BYTES - 1));
	return want < left ? want : left;
}

static uint8_t *byte_at(const struct global *g, uint32_t addr)
{
	return global_page_find(g, addr >> PAGE_BITS)->bytes + (addr & (PAGE_BYTES - 1));
}

bool global_read(const struct global *g, uint32_t addr, void *out, size_t bytes)
{
	if (!global_mapped(g, addr, bytes))
		return false;
	for (size_t done = 0, n; done < bytes; done += n) {
		n = in_page(addr + (uint32_t)done, bytes - done);
		memcpy((uint8_t *)out + done, byte_at(g, addr + (uint32_t)done), n);
	}
	return true;
}

bool global_write(struct global *g, uint32_t addr, const void *in, size_t bytes)
{
	if (!global_mapped(g, addr, bytes))
		return false;
	for (size_t done = 0, n; done < bytes; done += n) {
		n = in_page(addr + (uint32_t)done, bytes - done);
		memcpy(byte_at(g, addr + (uint32_t)done), (const uint8_t *)in + done, n);
	}
	return true;
}

bool global_fill(struct global *g, uint32_t addr, uint8_t value, size_t bytes)
{
	if (!global_mapped(g, addr, bytes))
		return false;
	for (size_t done = 0, n; done < bytes; done += n) {
		n = in_page(addr + (uint32_t)done, bytes - done);
		memset(byte_at(g, addr + (uint32_t)done), value, n);
	}
	return true;
}
