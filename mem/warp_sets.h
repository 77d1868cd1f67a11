/* Which warps of a block touch which words between two of its barriers, while they are executed one after the other,
 * each as far as its next barrier, instead of as the clock would have them. What comes of it is the same only if no
 * warp touches a word that another stores to, except that both only add to it, and so on (as in mem/conflicts.h). Whether
 * that is so is looked at with every touch; if not, the touch happens and is remembered, and somebody runs the launch
 * again as the clock has it.
 *
 * There is a row for 64 words. It says when and by which warp it was last touched, so that an interval begins without
 * clearing anything and a warp's next touch finds all that it must ask in one place. */
#ifndef WB_MEM_WARP_SETS_H
#define WB_MEM_WARP_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/lanes.h"
#include "mem/conflicts.h"

enum { SET_ROW_BITS = 8, SET_WARP_BITS = 8, SET_ROW_WORDS = (1 << SET_ROW_BITS) / 4 };

enum set_space { SET_SHARED, SET_GLOBAL, SET_SPACES };

struct warp_sets_row {
	uint64_t tag;                   /* claims.tag at the last touch */
	uint64_t touched;               /* bit = word */
	uint64_t several;               /* touched by several warps */
	uint64_t stored;
	uint64_t reduced;               /* by operation `op`, and touched in no other way */
	uint64_t own;                   /* touched by the tag's warp */
	uint64_t left;                  /* warps before it: what they touched is in claims.left, from `last` on */
	uint32_t number : 32 - SET_ROW_BITS, op : SET_ROW_BITS;
	uint32_t last;
} __attribute__((aligned(64)));

/* What a warp touched of a row that another came to after it. */
struct warp_sets_left {
	uint64_t own;
	uint32_t warp, next;
};

/* The last touch of s[] whose words were found lane by lane: mostly the next one is of the same words. */
enum { SET_SHARED_ROWS = 64 };
struct warp_sets_lanes {
	uint64_t tag;                   /* claims.tag then; the next that differs has others */
	uint32_t addr[LANES_MAX];
	lane_mask lanes;
	unsigned width;
	uint64_t rows;                  /* bit = row: which have some, */
	uint64_t words[SET_SHARED_ROWS];      /* and those */
};

/* Of a multiprocessor, which executes one block at a time in this way. */
struct warp_sets {
	uint64_t tag;                   /* number of the interval << SET_WARP_BITS | warp whose touches come now */
	struct warp_sets_row *shared;      /* by address */
	struct warp_sets_row *global;      /* a hash table by address; what is of another interval is not there */
	unsigned shift;                 /* it has 1 << (32 - shift) rows */
	uint32_t used;                  /* of them */
	struct warp_sets_lanes lately;
	struct warp_sets_left *left;
	uint32_t nleft, left_room;
	/* Loads do not matter where nobody stores: of s[] and of g[], whether somebody has stored since the interval
	 * began, and whether nobody will, it is said (warp_sets_expect_loads). */
	bool stored[SET_SPACES], quiet[SET_SPACES];
	bool broken;                    /* it was said, and was not so */
	const char *refused;            /* why the launch has to run again, or NULL; stays */
};

/* For blocks with so many bytes of s[]. False: the host has no memory, and nothing is to be freed. */
bool warp_sets_init(struct warp_sets *c, uint32_t shared_bytes);
/* An all-zero struct warp_sets is empty. */
void warp_sets_free(struct warp_sets *c);
/* A block begins, or all its warps have passed a barrier: what was touched so far no longer matters. */
void warp_sets_begin(struct warp_sets *c);

/* Nobody will store to a space in this interval: its loads need not be told. If somebody does, the launch has to run
 * again, without this. */
void warp_sets_expect_loads(struct warp_sets *c, enum set_space space);

/* Touches come from this warp of the block now, below 1 << SET_WARP_BITS and BLOCK_WARPS_MAX. */
static inline void warp_sets_select(struct warp_sets *c, unsigned warp)
{
	c->tag = c->tag >> SET_WARP_BITS << SET_WARP_BITS | warp;
}

/* Somebody else touched a row last, or it is of another interval: it becomes the present warp's. */
void warp_sets_take(struct warp_sets *c, struct warp_sets_row *row);
/* The present warp's row of g[], wherever it is. */
struct warp_sets_row *warp_sets_find(struct warp_sets *c, uint32_t number);
/* The launch has to run again, for a reason that is told if it is the first; and that it met another warp. */
void warp_sets_refuse(struct warp_sets *c, const char *why);
void warp_sets_conflict(struct warp_sets *c);
void warp_sets_mispredict(struct warp_sets *c);

/* A touch of a space, is it of no interest? */
static inline bool warp_sets_skip(struct warp_sets *c, enum set_space space, enum rw_set kind)
{
	if (kind == READ_SET)
		return c->quiet[space];
	c->stored[space] = true;
	if (__builtin_expect(c->quiet[space], 0))
		warp_sets_mispredict(c);
	return false;
}

/* Touch words of a row that is the present warp's; kind is no reduction. */
static inline void warp_sets_add(struct warp_sets *c, struct warp_sets_row *row, uint64_t words, enum rw_set kind)
{
	uint64_t before = row->touched & ~row->own, others = before | row->several;
	uint64_t changed = row->stored | row->reduced;

	if (__builtin_expect((words & others & (kind == READ_SET ? changed : ~0ull)) != 0, 0))
		warp_sets_conflict(c);
	row->several |= words & before;
	row->touched |= words;
	row->own |= words;
	row->stored |= words & (kind == READ_SET ? row->reduced : ~0ull);
	row->reduced &= ~words;
}

static inline struct warp_sets_row *warp_sets_shared_row(struct warp_sets *c, uint32_t number)
{
	struct warp_sets_row *row = &c->shared[number];

	if (__builtin_expect(row->tag != c->tag, 0))
		warp_sets_take(c, row);
	return row;
}

static inline uint32_t warp_sets_slot(const struct warp_sets *c, uint32_t number)
{
	return number * 0x9e3779b1u >> c->shift;
}

static inline struct warp_sets_row *warp_sets_global_row(struct warp_sets *c, uint32_t number)
{
	struct warp_sets_row *row = &c->global[warp_sets_slot(c, number)];

	return __builtin_expect(row->tag == c->tag && row->number == number, 1) ? row : warp_sets_find(c, number);
}

typedef struct warp_sets_row *warp_sets_row_fn(struct warp_sets *c, uint32_t number);

static inline void warp_sets_words(struct warp_sets *c, warp_sets_row_fn *row, uint32_t addr, uint64_t words, enum rw_set kind)
{
	uint32_t number = addr >> SET_ROW_BITS, first = addr / 4 % SET_ROW_WORDS;
	uint64_t over = first ? words >> (SET_ROW_WORDS - first) : 0;

	warp_sets_add(c, row(c, number), words << first, kind);
	if (over)
		warp_sets_add(c, row(c, number + 1), over, kind);
}

/* Touch words of s[], all of them there: those of the 64 from the one at addr on that are set in `words`. Lanes side
 * by side are ~0u, one lane or all lanes at one word are 1. */
static inline void warp_sets_shared(struct warp_sets *c, uint32_t addr, uint64_t words, enum rw_set kind)
{
	if (!warp_sets_skip(c, SET_SHARED, kind))
		warp_sets_words(c, warp_sets_shared_row, addr, words, kind);
}

/* The same for g[], at a real address. */
static inline void warp_sets_global(struct warp_sets *c, uint32_t addr, uint64_t words, enum rw_set kind)
{
	if (!warp_sets_skip(c, SET_GLOBAL, kind))
		warp_sets_words(c, warp_sets_global_row, addr, words, kind);
}

/* The words, each from 0 on, that an aligned element of 1 to 16 bytes has. */
static inline uint32_t warp_sets_element(unsigned width)
{
	return (1u << (width + 3) / 4) - 1;
}

/* Each of `lanes` touches an aligned element of 1 to 16 bytes. */
void warp_sets_shared_lanes(struct warp_sets *c, const uint32_t addr[], lane_mask lanes, unsigned width, enum rw_set kind);
void warp_sets_global_lanes(struct warp_sets *c, const uint32_t addr[], lane_mask lanes, unsigned width, enum rw_set kind);
/* An element of g[] is reduced by operation `op`, a number below 256. One that differs from the row's before counts as
 * a store. */
void warp_sets_reduce(struct warp_sets *c, uint32_t addr, unsigned width, uint8_t op);

#endif
