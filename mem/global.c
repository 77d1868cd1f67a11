/* Global memory as a table of pages (global.h). */
#include "mem/global.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "core/base/diag.h"
#include "core/base/pages.h"

uint64_t global_end(const struct global *g)
{
	return 1ull << (g->first_buffer ? GLOBAL_BITS_MAX : 32);
}

/* A page in the table. The header has none of the table's words, as native code includes it (core/isa/native.sh) where
 * uthash may be missing. */
struct page_node {
	struct global_page page;        /* first: a pointer to either is a pointer to both */
	UT_hash_handle hh;
};

/* Pages side by side that were mapped at once. The knowledge of pages is apart from their bytes, so that a space of
 * mostly untouched pages takes little memory. */
struct global_stretch {
	struct global_stretch *next;
	uint8_t *bytes;
	size_t npages;
	struct page_node node[];
};

static void stretch_free(struct global_stretch *s)
{
	if (s)
		pages_free(s->bytes, s->npages * PAGE_BYTES);
	free(s);
}

void global_free(struct global *g)
{
	HASH_CLEAR(hh, g->table);
	g->pages = g->last_page = NULL;
	g->npages = 0;
	while (g->stretches) {
		struct global_stretch *s = g->stretches;
		g->stretches = s->next;
		stretch_free(s);
	}
	free(g->range);
	g->range = NULL;
	g->nranges = g->capacity = 0;
}

/* Numbers side by side are apart in the table, whose place is the low bits: cheaper than a hash of bytes. */
static unsigned hash_of(uint32_t number)
{
	return number * 0x9e3779b1u;
}

struct global_page *global_page_find(const struct global *g, uint32_t number)
{
	struct page_node *n;

	HASH_FIND_BYHASHVALUE(hh, g->table, &number, sizeof number, hash_of(number), n);
	return (struct global_page *)n;
}

struct global_page *global_page_miss(const struct global *g, struct page_cache *c, uint32_t number)
{
	struct global_page *p = global_page_find(g, number);
	if (p) {
		c->slot[page_slot(number)].tag = number + 1;
		c->slot[page_slot(number)].page = p;
	}
	return p;
}

/* Races between blocks on several host threads are the guest program's affair: no result of a run depends on them
 * (mem/conflicts.h). gcc's thread sanitizer is told, and then reports only Warpbeam's own races. */
#ifdef __SANITIZE_THREAD__
void AnnotateBenignRaceSized(const char *file, int line, const volatile void *at, size_t n, const char *why);
#define PROGRAMS_OWN(at, n) AnnotateBenignRaceSized(__FILE__, __LINE__, at, n, "memory of the program that runs")
#else
#define PROGRAMS_OWN(at, n) ((void)(at))
#endif

static struct global_stretch *stretch_new(size_t npages)
{
	struct global_stretch *s = calloc(1, sizeof *s + npages * sizeof s->node[0]);

	if (s)
		*s = (struct global_stretch){ .bytes = pages_alloc(npages * PAGE_BYTES), .npages = npages };
	if (s && s->bytes) {
		PROGRAMS_OWN(s->bytes, npages * PAGE_BYTES);
		return s;
	}
	stretch_free(s);
	return NULL;
}

/* False: no memory. */
static bool add_page(struct global *g, struct page_node *n)
{
	struct global_page *p = &n->page;

	HASH_ADD_BYHASHVALUE(hh, g->table, page.number, sizeof p->number, hash_of(p->number), n);
	if (!n->hh.tbl)
		return false;
	*(g->last_page ? &g->last_page->next : &g->pages) = p;
	g->last_page = p;
	g->npages++;
	return true;
}

/* New pages from number `first` on. */
static bool add_pages(struct global *g, uint32_t first, size_t npages)
{
	struct global_stretch *s = stretch_new(npages);

	if (!s)
		return false;
	s->next = g->stretches;
	g->stretches = s;
	for (size_t i = 0; i < npages; i++) {
		struct global_page *p = &s->node[i].page;
		p->number = first + (uint32_t)i;
		p->bytes = s->bytes + i * PAGE_BYTES;
		p->index = PAGE_UNNUMBERED;
		if (!add_page(g, &s->node[i]))
			return false;
	}
	return true;
}

/* Map all pages first … last. */
static bool need_pages(struct global *g, uint32_t first, uint32_t last)
{
	for (uint32_t number = first, n; number <= last; number += n + 1) {
		for (n = 0; number + n <= last && !global_page_find(g, number + n); n++)
			;
		if (n && !add_pages(g, number, n))
			return false;
	}
	return true;
}

bool global_map(struct global *g, uint64_t addr, uint64_t bytes, struct diag *d)
{
	if (!bytes)
		return true;
	if (addr >= global_end(g) || bytes > global_end(g) - addr)
		return diag_set(d, DIAG_USAGE, "0x%" PRIx64 " bytes at 0x%08" PRIx64 " leave the %d-bit global space",
				bytes, addr, g->first_buffer ? GLOBAL_BITS_MAX : 32);
	uint64_t first = addr >> GRANULE_BITS, last = (addr + bytes - 1) >> GRANULE_BITS;
	struct global_page *p = NULL;
	if (first / PAGE_GRANULES == last / PAGE_GRANULES)      /* as buffers of launches lie */
		p = global_page_find(g, (uint32_t)(first / PAGE_GRANULES));
	if (!p && !need_pages(g, (uint32_t)(first / PAGE_GRANULES), (uint32_t)(last / PAGE_GRANULES)))
		return diag_set(d, DIAG_ENV, "no memory for 0x%" PRIx64 " bytes of global space", bytes);
	for (uint64_t i = first; i <= last; i++) {
		if (!p || p->number != i / PAGE_GRANULES)
			p = global_page_find(g, (uint32_t)(i / PAGE_GRANULES));
		p->mapped[i % PAGE_GRANULES / 64] |= 1ull << (i % 64);
		p->whole[i % PAGE_GRANULES / 64] |= 1ull << (i % 64);
	}
	return true;
}

void *global_edge(struct page_cache *c, struct global_page *p, uint64_t addr, uint32_t width)
{
	uint32_t granule = addr >> GRANULE_BITS & (PAGE_GRANULES - 1);

	if (!page_granule_mapped(p, addr))
		return NULL;
	if (addr % GRANULE_BYTES + width > p->valid[granule] && !c->beyond_width) {
		c->beyond = addr;
		c->beyond_width = width;
	}
	return p->bytes + (addr & (PAGE_BYTES - 1));
}

uint64_t global_edge_end(const struct global *g, struct page_cache *c, uint64_t addr)
{
	const struct global_page *p = global_page_at(g, c, addr);

	return addr / GRANULE_BYTES * GRANULE_BYTES + p->valid[addr >> GRANULE_BITS & (PAGE_GRANULES - 1)];
}

/* Granules side by side are cleared at once: untouched pages of the host stay untouched. */
void global_unmap(struct global *g, uint64_t addr, uint64_t bytes)
{
	uint64_t end = addr + bytes;
	struct global_page *p = NULL;
	uint8_t *from = NULL;
	size_t n = 0;

	for (uint64_t at = addr & ~(uint64_t)(GRANULE_BYTES - 1); at < end; at += GRANULE_BYTES) {
		uint32_t granule = at >> GRANULE_BITS & (PAGE_GRANULES - 1);
		if (!p || p->number != at >> PAGE_BITS)
			p = global_page_find(g, (uint32_t)(at >> PAGE_BITS));
		if (!p || !page_granule_mapped(p, at))
			continue;
		p->mapped[granule / 64] &= ~(1ull << (granule % 64));
		p->whole[granule / 64] &= ~(1ull << (granule % 64));
		p->valid[granule] = 0;
		uint8_t *there = p->bytes + (at & (PAGE_BYTES - 1));
		if (n && from + n != there) {
			pages_clear(from, n);
			n = 0;
		}
		from = n ? from : there;
		n += GRANULE_BYTES;
	}
	if (n)
		pages_clear(from, n);
}

bool global_mapped(const struct global *g, uint64_t addr, uint64_t bytes)
{
	if (!bytes)
		return true;
	if (addr >= global_end(g) || bytes > global_end(g) - addr)
		return false;
	uint64_t end = addr + bytes;
	const struct global_page *p = NULL;
	for (uint64_t at = addr; at < end; at = (at | (GRANULE_BYTES - 1)) + 1) {
		if (!p || p->number != at >> PAGE_BITS)
			p = global_page_find(g, (uint32_t)(at >> PAGE_BITS));
		if (!p || !page_granule_mapped(p, at))
			return false;
	}
	return true;
}

/* How many of the `want` bytes from addr on are in the page of addr. */
static size_t in_page(uint64_t addr, size_t want)
{
	size_t left = PAGE_BYTES - (addr & (PAGE_BYTES - 1));
	return want < left ? want : left;
}

static uint8_t *byte_at(const struct global *g, uint64_t addr)
{
	return global_page_find(g, (uint32_t)(addr >> PAGE_BITS))->bytes + (addr & (PAGE_BYTES - 1));
}

bool global_read(const struct global *g, uint64_t addr, void *out, size_t bytes)
{
	if (!global_mapped(g, addr, bytes))
		return false;
	for (size_t done = 0, n; done < bytes; done += n) {
		n = in_page(addr + done, bytes - done);
		memcpy((uint8_t *)out + done, byte_at(g, addr + done), n);
	}
	return true;
}

bool global_write(struct global *g, uint64_t addr, const void *in, size_t bytes)
{
	uint64_t last = addr + bytes - 1;

	/* Within a granule, as the words of launches are. */
	if (bytes && addr < global_end(g) && addr >> GRANULE_BITS == last >> GRANULE_BITS) {
		struct global_page *p = global_page_find(g, (uint32_t)(addr >> PAGE_BITS));
		if (!p || !page_granule_mapped(p, addr))
			return false;
		memcpy(p->bytes + (addr & (PAGE_BYTES - 1)), in, bytes);
		return true;
	}
	if (!global_mapped(g, addr, bytes))
		return false;
	for (size_t done = 0, n; done < bytes; done += n) {
		n = in_page(addr + done, bytes - done);
		memcpy(byte_at(g, addr + done), (const uint8_t *)in + done, n);
	}
	return true;
}

bool global_fill(struct global *g, uint64_t addr, uint8_t value, size_t bytes)
{
	if (!global_mapped(g, addr, bytes))
		return false;
	for (size_t done = 0, n; done < bytes; done += n) {
		n = in_page(addr + done, bytes - done);
		memset(byte_at(g, addr + done), value, n);
	}
	return true;
}
