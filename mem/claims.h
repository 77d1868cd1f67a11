/* Which warps of a block touch which words between two of its barriers, while they are executed one after the other,
 * each as far as its next barrier, instead of as the clock would have them. What comes of it is the same only if no
 * warp touches a word that another stores to, except that both only add to it, and so on (as in mem/marks.h). Whether
 * that is so is looked at with every touch; if not, the touch happens and is remembered, and somebody runs the launch
 * again as the clock has it.
 *
 * There is a row for 64 words. It says when and by which warp it was last touched, so that an interval begins without
 * clearing anything and a warp's next touch finds all that it must ask in one place. */
#ifndef WB_MEM_CLAIMS_H
#define WB_MEM_CLAIMS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/lanes.h"
#include "mem/marks.h"

enum { CLAIM_ROW_BITS = 8, CLAIM_WARP_BITS = 8, CLAIM_WORDS = (1 << CLAIM_ROW_BITS) / 4 };

enum claim_space { CLAIM_SHARED, CLAIM_GLOBAL, CLAIM_SPACES };

struct claims_row {
	uint64_t tag;                   /* claims.tag at the last touch */
	uint64_t touched;               /* bit = word */
	uint64_t several;               /* touched by several warps */
	uint64_t stored;
	uint64_t reduced;               /* by operation `op`, and touched in no other way */
	uint64_t own;                   /* touched by the tag's warp */
	uint64_t left;                  /* warps before it: what they touched is in claims.left, from `last` on */
	uint32_t number : 32 - CLAIM_ROW_BITS, op : CLAIM_ROW_BITS;
	uint32_t last;
} __attribute__((aligned(64)));

/* What a warp touched of a row that another came to after it. */
struct claims_left {
	uint64_t own;
	uint32_t warp, next;
};

/* The last touch of s[] whose words were found lane by lane: mostly the next one is of the same words. */
enum { CLAIM_SHARED_ROWS = 64 };
struct claims_lanes {
	uint64_t tag;                   /* claims.tag then; the next that differs has others */
	uint32_t addr[LANES_MAX];
	lane_mask lanes;
	unsigned width;
	uint64_t rows;                  /* bit = row: which have some, */
	uint64_t words[CLAIM_SHARED_ROWS];      /* and those */
};

/* Of a multiprocessor, which executes one block at a time in this way. */
struct claims {
	uint64_t tag;                   /* number of the interval << CLAIM_WARP_BITS | warp whose touches come now */
	struct claims_row *shared;      /* by address */
	struct claims_row *global;      /* a hash table by address; what is of another interval is not there */
	unsigned shift;                 /* it has 1 << (32 - shift) rows */
	uint32_t used;                  /* of them */
	struct claims_lanes lately;
	struct claims_left *left;
	uint32_t nleft, left_room;
	/* Loads do not matter where nobody stores: of s[] and of g[], whether somebody has stored since the interval
	 * began, and whether nobody will, it is said (claims_quiet). */
	bool stored[CLAIM_SPACES], quiet[CLAIM_SPACES];
	bool broken;                    /* it was said, and was not so */
	const char *refused;            /* why the launch has to run again, or NULL; stays */
};

/* For blocks with so many bytes of s[]. False: the host has no memory, and nothing is to be freed. */
bool claims_init(struct claims *c, uint32_t shared_bytes);
/* An all-zero struct claims is empty. */
void claims_free(struct claims *c);
/* A block begins, or all its warps have passed a barrier: what was touched so far no longer matters. */
void claims_begin(struct claims *c);

/* Nobody will store to a space in this interval: its loads need not be told. If somebody does, the launch has to run
 * again, without this. */
void claims_quiet(struct claims *c, enum claim_space space);

/* Touches come from this warp of the block now, below 1 << CLAIM_WARP_BITS and BLOCK_WARPS_MAX. */
static inline void claims_warp(struct claims *c, unsigned warp)
{
	c->tag = c->tag >> CLAIM_WARP_BITS << CLAIM_WARP_BITS | warp;
}

/* Somebody else touched a row last, or it is of another interval: it becomes the present warp's. */
void claims_turn(struct claims *c, struct claims_row *row);
/* The present warp's row of g[], wherever it is. */
struct claims_row *claims_find(struct claims *c, uint32_t number);
/* The launch has to run again, for a reason that is told if it is the first; and that it met another warp. */
void claims_refuse(struct claims *c, const char *why);
void claims_meet(struct claims *c);
void claims_break(struct claims *c);

/* A touch of a space, is it of no interest? */
static inline bool claims_skip(struct claims *c, enum claim_space space, enum mark kind)
{
	if (kind == MARK_LOAD)
		return c->quiet[space];
	c->stored[space] = true;
	if (__builtin_expect(c->quiet[space], 0))
		claims_break(c);
	return false;
}

/* Touch words of a row that is the present warp's; kind is no reduction. */
static inline void claims_touch(struct claims *c, struct claims_row *row, uint64_t words, enum mark kind)
{
	uint64_t before = row->touched & ~row->own, others = before | row->several;
	uint64_t changed = row->stored | row->reduced;

	if (__builtin_expect((words & others & (kind == MARK_LOAD ? changed : ~0ull)) != 0, 0))
		claims_meet(c);
	row->several |= words & before;
	row->touched |= words;
	row->own |= words;
	row->stored |= words & (kind == MARK_LOAD ? row->reduced : ~0ull);
	row->reduced &= ~words;
}

static inline struct claims_row *claims_shared_row(struct claims *c, uint32_t number)
{
	struct claims_row *row = &c->shared[number];

	if (__builtin_expect(row->tag != c->tag, 0))
		claims_turn(c, row);
	return row;
}

static inline uint32_t claims_slot(const struct claims *c, uint32_t number)
{
	return number * 0x9e3779b1u >> c->shift;
}

static inline struct claims_row *claims_global_row(struct claims *c, uint32_t number)
{
	struct claims_row *row = &c->global[claims_slot(c, number)];

	return __builtin_expect(row->tag == c->tag && row->number == number, 1) ? row : claims_find(c, number);
}

typedef struct claims_row *claims_row_fn(struct claims *c, uint32_t number);

static inline void claims_words(struct claims *c, claims_row_fn *row, uint32_t addr, uint64_t words, enum mark kind)
{
	uint32_t number = addr >> CLAIM_ROW_BITS, first = addr / 4 % CLAIM_WORDS;
	uint64_t over = first ? words >> (CLAIM_WORDS - first) : 0;

	claims_touch(c, row(c, number), words << first, kind);
	if (over)
		claims_touch(c, row(c, number + 1), over, kind);
}

/* Touch words of s[], all of them there: those of the 64 from the one at addr on that are set in `words`. Lanes side
 * by side are ~0u, one lane or all lanes at one word are 1. */
static inline void claims_shared(struct claims *c, uint32_t addr, uint64_t words, enum mark kind)
{
	if (!claims_skip(c, CLAIM_SHARED, kind))
		claims_words(c, claims_shared_row, addr, words, kind);
}

/* The same for g[], at a real address. */
static inline void claims_global(struct claims *c, uint32_t addr, uint64_t words, enum mark kind)
{
	if (!claims_skip(c, CLAIM_GLOBAL, kind))
		claims_words(c, claims_global_row, addr, words, kind);
}

/* The words, each from 0 on, that an aligned element of 1 to 16 bytes has. */
static inline uint32_t claims_element(unsigned width)
{
	return (1u << (width + 3) / 4) - 1;
}

/* Each of `lanes` touches an aligned element of 1 to 16 bytes. */
void claims_shared_lanes(struct claims *c, const uint32_t addr[], lane_mask lanes, unsigned width, enum mark kind);
void claims_global_lanes(struct claims *c, const uint32_t addr[], lane_mask lanes, unsigned width, enum mark kind);
/* An element of g[] is reduced by operation `op`, a number below 256. One that differs from the row's before counts as
 * a store. */
void claims_reduce(struct claims *c, uint32_t addr, unsigned width, uint8_t op);

#endif
