/* Global memory: a sparse byte space of 32 bits, or of up to GLOBAL_BITS_MAX with buffers at high addresses. Host
 * memory comes in pages of 64 KiB; access is granted by granules of 256 bytes, so that a buffer's end is found to
 * within its padding.
 *
 * Mapping and allocating belong to the time before a launch. During a launch the set of pages does not change, so any
 * number of workers may look up elements at once, each with a page cache of its own. */
#ifndef WB_MEM_GLOBAL_H
#define WB_MEM_GLOBAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct worker_sets;

enum {
	PAGE_BITS = 16, PAGE_BYTES = 1 << PAGE_BITS,
	GRANULE_BITS = 8, GRANULE_BYTES = 1 << GRANULE_BITS,
	PAGE_GRANULES = PAGE_BYTES / GRANULE_BYTES,
	GLOBAL_FIRST_BUFFER = 0x00100000,   /* nothing is mapped below, so null pointers fault */
	PAGE_CACHE_SLOTS = 32,
	UNDO_LINE = 128, PAGE_LINES = PAGE_BYTES / UNDO_LINE,
	PAGE_PIECES = 16,                   /* parts of a page that mem/conflicts.h saves by themselves */
	GLOBAL_BITS_MAX = 44,               /* of an address: the limit of mem/warp_sets.h */
};

#define PAGE_UNNUMBERED UINT32_MAX

struct global_page {
	uint8_t *bytes;                        /* PAGE_BYTES bytes, aligned to lines of the host's cache */
	uint64_t mapped[PAGE_GRANULES / 64];   /* one bit a granule */
	uint64_t whole[PAGE_GRANULES / 64];    /* mapped granules without a byte beyond the end of a buffer */
	uint8_t valid[PAGE_GRANULES];          /* bytes of a buffer in a mapped granule that is not whole */
	uint32_t number;                       /* address >> PAGE_BITS */
	/* For mem/undo_log.h: lines logged since the checkpoint; lines logged since the record's beginning; the list of
	 * touched pages. */
	uint64_t logged[PAGE_LINES / 64], origin[PAGE_LINES / 64];
	bool touched;
	struct global_page *next_touched;
	/* For mem/conflicts.h: the page's number among the pages of a run, or PAGE_UNNUMBERED; the page's copy, NULL:
	 * there is none; by piece, enum piece_saved of the copy. */
	uint32_t index;
	uint8_t *copy;
	uint8_t saved[PAGE_PIECES];
	struct global_page *next;              /* the page mapped next; NULL: none */
};

/* A buffer: `bytes` from addr on were asked for; all addresses up to `end` are the buffer's. */
struct global_range {
	uint64_t addr, bytes, end;
	uint32_t owner;
};

struct global {
	struct page_node *table;     /* hash by number (mem/global.c) */
	struct global_page *pages, *last_page;  /* npages pages, in the order in which they were mapped */
	size_t npages;
	struct global_stretch *stretches;      /* memory of the pages */
	uint64_t first_buffer;       /* address of the first buffer; 0: GLOBAL_FIRST_BUFFER of a 32-bit space */
	struct global_range *range;  /* nranges buffers by address, of `capacity` (mem/buffers.c) */
	size_t nranges, capacity;
	bool gaps;                   /* buffers have been freed */
	uint32_t owner;              /* of the next buffers, a number of the caller's */
	struct undo_log *undo;       /* log of overwritten lines; NULL: no log */
};

/* A worker's memory of recent look-ups, by page_slot. All zero is empty. To be cleared (memset) when the global memory
 * is freed. With `sets` several workers run at once, and each adds its accesses to its sets (mem/conflicts.h) before
 * the accesses. */
struct page_cache {
	struct {
		uint32_t tag;        /* page number + 1, so that an empty slot matches nothing */
		struct global_page *page;
	} slot[PAGE_CACHE_SLOTS];
	struct worker_sets *sets;
	/* An access beyond a buffer's end that found mapped bytes, until somebody takes it: address, width; 0: none. */
	uint64_t beyond;
	uint32_t beyond_width;
};

/* An all-zero struct global is an empty space. Frees the pages and leaves an empty space. */
void global_free(struct global *g);

/* Make the granules of [addr, addr + bytes) readable and writable; new granules are zero. False with DIAG_USAGE when
 * the range leaves the space, DIAG_ENV when the host has no memory. */
bool global_map(struct global *g, uint64_t addr, uint64_t bytes, struct diag *d);

/* Take the granules of [addr, addr + bytes) away and zero them: an access faults. */
void global_unmap(struct global *g, uint64_t addr, uint64_t bytes);
/* The address behind the last of the space. */
uint64_t global_end(const struct global *g);

/* The next buffer of `bytes` bytes, of g->owner: aligned to 256, mapped and zero, in the order of the calls from
 * first_buffer on, or in the first gap that freed buffers have left. A buffer of 0 bytes gets an address with nothing
 * behind. Errors as global_map. */
bool global_alloc(struct global *g, uint64_t bytes, uint64_t *addr, struct diag *d);

/* The same with an end to the byte: accesses behind the last byte find zeros of their own up to the next multiple of
 * 256, with high addresses (g->first_buffer) and 256 bytes more, and are noted in the page cache
 * (page_cache.beyond_width); exact false: not noted. */
bool global_buffer(struct global *g, uint64_t bytes, bool exact, uint64_t *addr, struct diag *d);

/* A buffer of `bytes` bytes at an address, with all addresses up to `end`, behind the buffers made before: as
 * global_alloc and global_buffer have made it elsewhere. exact: as of global_buffer. DIAG_INPUT: no buffer lies so. */
bool global_buffer_at(struct global *g, uint64_t addr, uint64_t end, uint64_t bytes, bool exact, struct diag *d);

/* Free the buffer that begins at an address, false if none does; all buffers of an owner. */
bool global_release(struct global *g, uint64_t addr);
void global_release_all(struct global *g, uint32_t owner);
/* The buffer with an address, valid until the next buffer is made or freed; NULL: none. */
const struct global_range *global_range_of(const struct global *g, uint64_t addr);

/* Whole ranges, for the host's side. False, having done nothing, when a byte of the range is not mapped. */
bool global_read(const struct global *g, uint64_t addr, void *out, size_t bytes);
bool global_write(struct global *g, uint64_t addr, const void *in, size_t bytes);
bool global_fill(struct global *g, uint64_t addr, uint8_t value, size_t bytes);

/* Is every byte of [addr, addr + bytes) mapped? */
bool global_mapped(const struct global *g, uint64_t addr, uint64_t bytes);

/* The slot of a page: neighbours are apart, and so are pages a power of two apart, as buffers often are. */
static inline uint32_t page_slot(uint32_t number)
{
	return (number ^ number / PAGE_CACHE_SLOTS) % PAGE_CACHE_SLOTS;
}

/* The page of an address or NULL, and the same through the hash, filling the cache's slot. */
struct global_page *global_page_find(const struct global *g, uint32_t number);
struct global_page *global_page_miss(const struct global *g, struct page_cache *c, uint32_t number);

static inline struct global_page *global_page_at(const struct global *g, struct page_cache *c, uint64_t addr)
{
	uint32_t number = (uint32_t)(addr >> PAGE_BITS);
	uint32_t slot = page_slot(number);
	if (__builtin_expect(c->slot[slot].tag == number + 1, 1))
		return c->slot[slot].page;
	return global_page_miss(g, c, number);
}

static inline bool page_granule_mapped(const struct global_page *p, uint64_t addr)
{
	uint32_t granule = addr >> GRANULE_BITS & (PAGE_GRANULES - 1);
	return p->mapped[granule / 64] >> (granule % 64) & 1;
}

static inline bool page_granule_whole(const struct global_page *p, uint64_t addr)
{
	uint32_t granule = addr >> GRANULE_BITS & (PAGE_GRANULES - 1);
	return p->whole[granule / 64] >> (granule % 64) & 1;
}

/* The same of both ends of a run of at most a granule's bytes within the page, mostly in one granule. */
static inline bool page_run_whole(const struct global_page *p, uint64_t addr, uint64_t last)
{
	return page_granule_whole(p, last) && (addr >> GRANULE_BITS == last >> GRANULE_BITS ||
					       page_granule_whole(p, addr));
}

/* The element of global_at in a granule that is not whole: NULL where it is not mapped; noted where it is beyond the
 * end of a buffer. */
void *global_edge(struct page_cache *c, struct global_page *p, uint64_t addr, uint32_t width);

/* The end of the buffer's bytes in the granule of addr, as global_edge knows it. */
uint64_t global_edge_end(const struct global *g, struct page_cache *c, uint64_t addr);

/* The host's view of one naturally aligned element of width bytes (a power of two up to 256). NULL: misaligned (addr &
 * (width - 1)) or not mapped; the caller finds out which. */
static inline void *global_at(const struct global *g, struct page_cache *c, uint64_t addr, uint32_t width)
{
	if (__builtin_expect(addr & (width - 1), 0))
		return NULL;
	struct global_page *p = global_page_at(g, c, addr);
	if (__builtin_expect(!p || !page_granule_whole(p, addr), 0))
		return p ? global_edge(c, p, addr, width) : NULL;
	return p->bytes + (addr & (PAGE_BYTES - 1));
}

/* The page of a run of at most 256 bytes, any alignment, such as a warp's contiguous lanes: NULL when the run leaves
 * its page, a byte is not mapped, or the run is near the end of a buffer; the caller then goes lane by lane. */
static inline struct global_page *global_run_page(const struct global *g, struct page_cache *c, uint64_t addr,
						  uint32_t bytes)
{
	uint64_t last = addr + bytes - 1;
	struct global_page *p = global_page_at(g, c, addr);
	if (!p || (addr ^ last) >> PAGE_BITS || !page_run_whole(p, addr, last))
		return NULL;
	return p;
}

/* As global_run_page, of a page that the cache has: NULL else, too. */
static inline struct global_page *global_run_cached(const struct page_cache *c, uint64_t addr, uint32_t bytes)
{
	uint32_t number = (uint32_t)(addr >> PAGE_BITS), slot = page_slot(number);
	uint64_t last = addr + bytes - 1;
	struct global_page *p = c->slot[slot].page;

	if (c->slot[slot].tag != number + 1 || !p || last >> PAGE_BITS != number || !page_run_whole(p, addr, last))
		return NULL;
	return p;
}

#endif
