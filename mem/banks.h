/* Bank conflicts: passes of a group of lanes to a memory of interleaved banks, and to a broadcast memory (CUDA C
 * Programming Guide 4.x, appendix F, compute capability 1.x; the page timing).
 *
 * Word w lies in bank w modulo the number of banks. The lanes of a warp access in groups: the chips of compute
 * capability 1.x have 16 banks and groups of 16 lanes (half-warps). A pass serves every lane that wants the broadcast
 * word, and one lane of each other bank. The guide leaves the choice of the broadcast word open; here most lanes want
 * the word, among equals the lowest lane, so that a pattern that can go in one pass does. On other chips a pass takes
 * one word of each bank to all lanes that want the word ("AMD APP SDK OpenCL Optimization Guide", LDS: lanes 0 to 31
 * are checked for conflicts, and 32 to 63; addresses alike are broadcast). Addresses are offsets into one block's
 * shared memory, hence 32 bits. */
#ifndef WB_MEM_BANKS_H
#define WB_MEM_BANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"

enum { BANKS_MAX = 64 };

struct banks {
	uint32_t lanes;         /* of a group, 2 to LANES_MAX */
	uint32_t count;         /* a power of two up to BANKS_MAX */
	bool broadcasts_all;    /* a pass broadcasts every word, not a single word */
};

/* Are the passes of all lanes of 32 counted together as mem/halves.h counts those of halves? */
static inline bool banks_count_halves(const struct banks *b)
{
	return b->lanes == 32 && b->count == 32 && b->broadcasts_all;
}

/* Passes of one group whose lanes k of `lanes` access at most 4 aligned bytes at addr[k]. 0 for no lanes. */
unsigned shared_passes(const struct banks *b, const uint32_t *addr, lane_mask lanes);
/* Words of a warp of n lanes: passes beyond the first of each group. addr[k] is a multiple of 4 for each lane k of
 * `lanes`. */
unsigned shared_extra(const struct banks *b, const uint32_t *addr, unsigned n, lane_mask lanes);

/* Shapes of a warp's words: the distances from the first lane's word, and the passes counted for some lanes
 * (mem/word_shapes.h). Programs access a few shapes again and again. All zero at the beginning, which is the shape of
 * one word for all lanes. */
enum { WORD_SHAPES = 16, SHAPE_MASKS = 8 };

struct word_shape {
	uint32_t apart[LANES_MAX];      /* bytes from the first lane's word, multiples of 4 */
	int32_t lowest;                 /* distance among all lanes' */
	uint32_t span;                  /* bytes from the lowest word to the highest */
	uint64_t words;                 /* of all lanes, in a span of up to 64: bit = word; 0: not known yet */
	uint8_t side;                   /* logarithm of lanes with words side by side in each block of as many; to 4 */
	bool spread;                    /* a block of 16 lanes has several words */
	uint8_t windows;                /* uses up to now, or whether windows are known (mem/word_shapes.h) */
	/* By eight lanes: a window of 16 words, bytes from the first lane's word. By lane: the word of the window, with
	 * the sign bit from word 8 on. By word of the window: which of the eight lanes, with the sign bit; 0: none. */
	int32_t window[LANES_MAX / 8];
	uint32_t in_window[LANES_MAX];
	uint32_t owner[LANES_MAX / 8][16];
	uint8_t extra[SHAPE_MASKS];     /* passes beyond the first of each group, for the lanes of mask[] */
	lane_mask mask[SHAPE_MASKS];
	lane_mask free;                 /* lanes without such passes, some of them or all */
	/* The last words in sets (mem/warp_sets.h): lanes, and the first lane's address; warp_sets.tag, 0: none. */
	struct {
		uint64_t tag;
		lane_mask lanes;
		uint32_t origin;
		bool stored;
	} added;
};

/* A store under way. */
struct word_store {
	uint32_t lanes;
	uint32_t shape;                 /* bytes from the shapes' begin on */
	uint32_t origin;                /* address of the first lane's word */
};

struct word_shapes {
	struct word_shape shape[WORD_SHAPES];
	uint32_t kept;                  /* grows when a shape takes a place */
	struct word_store store;
};

/* Words of a group within a span of 32, one lane each: passes beyond the first, for banks with at most two words. */
static inline bool banks_know_span(const struct banks *b)
{
	return b->count >= 16;
}

static inline unsigned banks_extra_of_span(const struct banks *b, uint64_t taken)
{
	return (taken & taken >> (b->count - 1) >> 1) != 0;
}

/* Broadcast memory, such as constants: one pass for each distinct address of a group. */
unsigned const_passes(const uint32_t *addr, lane_mask lanes);

#endif
