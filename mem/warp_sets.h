/* Read and write sets of the warps of a block between two of its barriers.
 *
 * A pre-executed block runs its warps one after the other, each as far as its next barrier, where the clock would
 * interleave warps. The results are the same if no warp touches a word that another warp stores to; reductions of one
 * operation commute (as in mem/conflicts.h). The check comes with every access: the access happens, a conflict is
 * remembered (`refused`), and the launch runs again by the clock.
 *
 * Sets are bitmaps, a row for 64 words: words that any warp has touched, words that several have touched, stored words,
 * and the present warp's words. A row is stamped with the interval between barriers and the last warp, so that a new
 * interval clears nothing, and a warp's next access finds all bits to check in one cache line. When another warp comes
 * to a row, the words of the warp before move to a list (left_entry), in case that warp comes back. Rows of shared
 * memory lie by address; rows of global memory in a hash table, for addresses of up to SET_ADDRESS_BITS. */
#ifndef WB_MEM_WARP_SETS_H
#define WB_MEM_WARP_SETS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/base/lanes.h"
#include "mem/conflicts.h"

enum {
	SET_ROW_BITS = 8, SET_ROW_WORDS = (1 << SET_ROW_BITS) / 4,
	SET_WARP_BITS = 8, SET_OP_BITS = 8,
	SET_LEFT_BITS = 20,             /* of a place in the list */
	SET_ADDRESS_BITS = 64 - SET_LEFT_BITS - SET_OP_BITS + SET_ROW_BITS,
};

enum set_space { SET_SHARED, SET_GLOBAL, SET_SPACES };

struct warp_sets_row {
	uint64_t tag;                   /* warp_sets.tag at the last access */
	uint64_t touched;               /* bit = word */
	uint64_t several;               /* touched by several warps */
	uint64_t stored;
	uint64_t reduced;               /* by operation `op`, and touched in no other way */
	uint64_t warp_words;            /* touched by the tag's warp */
	uint64_t earlier_warps;         /* warps before, with their words from left_entry[left_index] on */
	uint64_t left_index : SET_LEFT_BITS, op : SET_OP_BITS, number : SET_ADDRESS_BITS - SET_ROW_BITS;
} __attribute__((aligned(64)));

/* The words of a warp in a row that another warp came to later. */
struct warp_sets_left {
	uint64_t words;
	uint32_t warp, next;
};

/* The last access to shared memory with words found lane by lane: mostly the next access is to the same words. Kept for
 * shared memory of up to SET_SHARED_ROWS rows. */
enum { SET_SHARED_ROWS = 64 };
#ifdef __wasm__
enum { SETS_KNOW_RETRIES = 0 }; /* bytes count in a page */
#else
enum { SETS_KNOW_RETRIES = 1 };
#endif
struct warp_sets_lanes {
	uint64_t tag;                   /* warp_sets.tag of the access; a later warp or interval has another tag */
	uint32_t addr[LANES_MAX];
	lane_mask lanes;
	unsigned width;
	enum rw_set set;                /* to which the words were added under `tag` */
	uint64_t rows;                  /* bit = row: rows with words of the access */
	uint64_t words[SET_SHARED_ROWS];        /* words by row */
};

/* The sets of a multiprocessor, which pre-executes one block at a time. */
struct warp_sets {
	uint64_t tag;                   /* number of the interval << SET_WARP_BITS | warp whose accesses come now */
	struct warp_sets_row *shared;   /* by address, */
	uint32_t shared_rows;           /* rows of `shared` */
	struct warp_sets_row *global;   /* a hash table by address; rows of other intervals are absent */
	unsigned shift;                 /* the table has 1 << (64 - shift) rows */
	uint32_t used;                  /* rows in use */
	struct warp_sets_lanes lately;
	struct warp_sets_left *left_entry;
	uint32_t nleft, left_capacity;
	/* Loads do not matter where nothing is stored. By space: a store has happened in the interval; no store is
	 * predicted for the interval (warp_sets_expect_loads). */
	bool stored[SET_SPACES], loads_only[SET_SPACES];
	bool broken;                    /* a prediction was wrong */
	const char *refused;            /* why the launch has to run again, or NULL; stays */
};

/* For blocks with `shared_bytes` bytes of s[]. False: the host has no memory, and nothing is to be freed. */
bool warp_sets_init(struct warp_sets *c, uint32_t shared_bytes);
/* An all-zero struct warp_sets is empty. */
void warp_sets_free(struct warp_sets *c);
/* A block begins, or all its warps have passed a barrier: the sets are empty. */
void warp_sets_begin(struct warp_sets *c);

/* Predict that nothing is stored to a space in the interval: its loads are not added. After a wrong prediction the
 * launch has to run again, without predictions. */
void warp_sets_expect_loads(struct warp_sets *c, enum set_space space);

/* From now on accesses are of warp `warp` of the block, below 1 << SET_WARP_BITS and BLOCK_WARPS_MAX. */
static inline void warp_sets_select(struct warp_sets *c, unsigned warp)
{
	c->tag = c->tag >> SET_WARP_BITS << SET_WARP_BITS | warp;
}

/* Hand a row of another warp or interval over to the present warp. */
void warp_sets_take(struct warp_sets *c, struct warp_sets_row *row);
/* The present warp's row of global memory. */
struct warp_sets_row *warp_sets_find(struct warp_sets *c, uint64_t number);
/* The launch has to run again: for a reason, of which the first is kept; because sets conflict; because a prediction
 * was wrong. */
void warp_sets_refuse(struct warp_sets *c, const char *why);
void warp_sets_conflict(struct warp_sets *c);
void warp_sets_mispredict(struct warp_sets *c);

/* Need an access to a space not be added? */
static inline bool warp_sets_skip(struct warp_sets *c, enum set_space space, enum rw_set set)
{
	if (set == READ_SET)
		return c->loads_only[space];
	c->stored[space] = true;
	if (__builtin_expect(c->loads_only[space], 0))
		warp_sets_mispredict(c);
	return false;
}

/* Add words to a row of the present warp; no reduction. */
static inline void warp_sets_add(struct warp_sets *c, struct warp_sets_row *row, uint64_t words, enum rw_set set)
{
	uint64_t before = row->touched & ~row->warp_words, others = before | row->several;
	uint64_t changed = row->stored | row->reduced;

	if (__builtin_expect((words & others & (set == READ_SET ? changed : ~0ull)) != 0, 0))
		warp_sets_conflict(c);
	row->several |= words & before;
	row->touched |= words;
	row->warp_words |= words;
	row->stored |= words & (set == READ_SET ? row->reduced : ~0ull);
	row->reduced &= ~words;
}

static inline struct warp_sets_row *warp_sets_shared_row(struct warp_sets *c, uint64_t number)
{
	struct warp_sets_row *row = &c->shared[number];

	if (__builtin_expect(row->tag != c->tag, 0))
		warp_sets_take(c, row);
	return row;
}

static inline uint64_t warp_sets_slot(const struct warp_sets *c, uint64_t number)
{
	return number * 0x9e3779b97f4a7c15u >> c->shift;
}

static inline struct warp_sets_row *warp_sets_global_row(struct warp_sets *c, uint64_t number)
{
	struct warp_sets_row *row = &c->global[warp_sets_slot(c, number)];

	return __builtin_expect(row->tag == c->tag && row->number == number, 1) ? row : warp_sets_find(c, number);
}

typedef struct warp_sets_row *warp_sets_row_fn(struct warp_sets *c, uint64_t number);

static inline void warp_sets_words(struct warp_sets *c, warp_sets_row_fn *row, uint64_t addr, uint64_t words,
				   enum rw_set set)
{
	uint64_t number = addr >> SET_ROW_BITS, first = addr / 4 % SET_ROW_WORDS;
	uint64_t over = first ? words >> (SET_ROW_WORDS - first) : 0;

	warp_sets_add(c, row(c, number), words << first, set);
	if (over)
		warp_sets_add(c, row(c, number + 1), over, set);
}

/* Add words of shared memory, all inside: word n of the 64 from addr on for each bit n of `words`. 32 lanes side by
 * side are ~0u, one lane or all lanes at one word are 1. */
static inline void warp_sets_shared(struct warp_sets *c, uint32_t addr, uint64_t words, enum rw_set set)
{
	if (!warp_sets_skip(c, SET_SHARED, set))
		warp_sets_words(c, warp_sets_shared_row, addr, words, set);
}

/* The same for global memory, at a real address. */
static inline void warp_sets_global(struct warp_sets *c, uint64_t addr, uint64_t words, enum rw_set set)
{
	if (!warp_sets_skip(c, SET_GLOBAL, set))
		warp_sets_words(c, warp_sets_global_row, addr, words, set);
}

/* The words of an aligned element of 1 to 16 bytes, as bits from 0 on. */
static inline uint32_t warp_sets_element(unsigned width)
{
	return (1u << (width + 3) / 4) - 1;
}

void warp_sets_find_words(struct warp_sets *c, const uint32_t addr[], unsigned n, lane_mask lanes, unsigned width,
			  enum rw_set set);
void warp_sets_add_again(struct warp_sets *c, enum rw_set set);

/* Add the aligned elements of 1 to 16 bytes that `lanes`, of n, access in shared memory. n is a constant after
 * inlining. */
static inline void warp_sets_shared_lanes(struct warp_sets *c, const uint32_t addr[], unsigned n, lane_mask lanes,
					  unsigned width, enum rw_set set)
{
	const struct warp_sets_lanes *a = &c->lately;

	if (warp_sets_skip(c, SET_SHARED, set))
		return;
	if ((SETS_KNOW_RETRIES ? lanes & ~a->lanes : lanes ^ a->lanes) || a->width != width ||
	    memcmp(a->addr, addr, n * sizeof *addr))
		warp_sets_find_words(c, addr, n, lanes, width, set);
	else if (a->tag == c->tag && (set == READ_SET || (SETS_KNOW_RETRIES && a->set == WRITE_SET)))
		;       /* the sets have the words; a retry of some lanes ends here */
	else if (a->lanes != lanes)
		warp_sets_find_words(c, addr, n, lanes, width, set);
	else
		warp_sets_add_again(c, set);
}

/* The same for global memory, at real addresses. */
void warp_sets_global_lanes(struct warp_sets *c, const uint64_t addr[], lane_mask lanes, unsigned width,
			    enum rw_set set);
/* An element of global memory is reduced by operation `op`, a number below 256. An operation other than the row's
 * counts as a store. */
void warp_sets_reduce(struct warp_sets *c, uint64_t addr, unsigned width, uint8_t op);

#endif
