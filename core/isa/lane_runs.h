/* Lane runs: words of global memory that the lanes of a warp access side by side, in the usual case, of which nobody
 * notes more than a tally does. Threaded code and native paths (core/isa/native.h) look for a run first; all other
 * accesses are lane_memory.h's.
 *
 * A file that includes the header defines the widths of its machine as constants. Addresses of 32 bits go through a
 * view. */
#ifndef WB_CORE_ISA_LANE_RUNS_H
#define WB_CORE_ISA_LANE_RUNS_H

#include "core/isa/exec.h"
#include "mem/lane_words.h"

#ifndef LANE_MEMORY_LANES
#define LANE_MEMORY_LANES LANES         /* of a warp: 16, 32 or 64 */
#endif
#ifndef LANE_MEMORY_GROUP
/* lanes that access memory together: 16, 32 or 64, at most the number of banks */
#define LANE_MEMORY_GROUP 16
#endif
#ifndef LANE_MEMORY_ADDRESS
#define LANE_MEMORY_ADDRESS uint32_t
#endif

enum {
	LANE_COUNT = LANE_MEMORY_LANES, LANE_GROUP = LANE_MEMORY_GROUP, LANE_GROUPS = LANE_COUNT / LANE_GROUP,
	LANE_GROUP_BYTES = LANE_GROUP * 4,
	/* Vectors are fast for a group of their width; wider groups count conflicts. */
	LANE_GROUP_IS_VECTOR = LANE_MEMORY_GROUP == VECTOR_WORDS,
};

typedef LANE_MEMORY_ADDRESS lane_address;

/* The real address of a lane's element in global memory, where addresses are linear; false: outside the view. Views are
 * of 32 bits. */
static inline bool lane_linear_real(const struct exec *x, unsigned bank, lane_address addr, unsigned width,
				    uint64_t *real)
{
	uint32_t seen = 0;
	bool there = true;

	if (sizeof addr > sizeof seen) {
		*real = addr;
	} else {
		there = view_linear_address(&x->memory->g[bank], (uint32_t)addr, width, &seen);
		*real = seen;
	}
	return there;
}

/* Is `real + offset` linear in addresses? */
static inline bool lane_linear(const struct exec *x, unsigned bank)
{
	return sizeof(lane_address) > sizeof(uint32_t) || !x->memory->g[bank].surface;
}

static inline bool lane_address_run(const lane_address addr[], int n)
{
	lane_address others = 0;

	if (sizeof *addr == sizeof(uint32_t))
		return words_spaced((const uint32_t *)addr, n, 4);
	for (int l = 0; l < n; l++)
		others |= addr[l] ^ (addr[0] + 4 * (lane_address)l);
	return !others;
}

/* Do n words lie side by side from addr[0] on, where addresses are linear? *real: the first word's real address. */
static inline bool lane_side_by_side(const struct exec *x, unsigned bank, const lane_address addr[], int n,
				     uint64_t *real)
{
	uint64_t last;

	if (addr[0] & 3 || addr[0] > addr[n - 1] || !lane_address_run(addr, n) ||
	    !lane_linear_real(x, bank, addr[n - 1], 4, &last))
		return false;
	last -= 4 * (uint64_t)(n - 1);
	*real = sizeof *addr == sizeof(uint32_t) ? (uint32_t)last : last;
	return !(*real & 3);
}

/* The words of all lanes, side by side in a page that the cache has, whose cost a tally counts
 * (lane_count_global) or nobody wants, and that no sets want either. NULL: anything else. */
static inline uint8_t *lane_global_words(const struct exec *x, unsigned bank, const lane_address addr[])
{
	uint32_t bytes = x->tally ? x->tally->run_bytes : 0;
	const struct global_page *page;
	uint64_t real;

	if (x->pages.sets || x->warp_sets || x->trace || !lane_linear(x, bank) ||
	    (x->hooks.access && (!bytes || addr[0] & (bytes - 1))) ||
	    !lane_side_by_side(x, bank, addr, LANE_COUNT, &real))
		return NULL;
	page = global_run_cached(&x->pages, real, LANE_COUNT * 4);
	return page ? page->bytes + real % PAGE_BYTES : NULL;
}

/* The words of lane_global_words (or lane_global_quick_groups) have been loaded or stored. */
static inline void lane_count_global(struct exec *x, bool store)
{
	struct tally *t = x->tally;

	if (x->hooks.access)
		*(store ? &t->stores : &t->loads) += LANE_COUNT * 4u >> __builtin_ctz(t->run_bytes);
}

#endif
