/* A block (CTA): warps that share s[] memory, barriers and locks. */
#ifndef WB_CORE_BLOCK_H
#define WB_CORE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/warp.h"

enum { BARRIERS = 16, BLOCK_WARPS_MAX = 64 };

struct block_check;

struct barrier {
	uint32_t count;         /* warps that have arrived */
	uint32_t needed;        /* of the last arrival: 0 means all unfinished warps */
	uint64_t arrived;       /* arrived warps, one bit each */
	uint64_t waiting;       /* waiting warps, one bit each */
};

/* Locks of s[] words. Under LOCK_WARP a warp holds at most one word; under LOCK_FLAG `flag` is a table of lock bits. */
struct locks {
	uint64_t holders;                       /* warps that hold a word */
	uint64_t waiters;                       /* warps waiting for a word */
	uint32_t held[BLOCK_WARPS_MAX];         /* by warp: word that the warp holds */
	uint8_t lane[BLOCK_WARPS_MAX];          /* by warp: the lane with the word */
	uint32_t flags_set;
	unsigned nchanged;                      /* words whose flag the last lock instruction set or cleared */
	uint32_t changed[64];
	uint64_t *flag;                         /* LOCK_FLAG: lock bits, by entry */
	uint32_t *owner;                        /* by set entry: lane << 24 | address of the word << 8 | warp */
};

struct block {
	uint32_t index;         /* x-then-y order within the grid */
	uint32_t id[3];         /* ctaid.x, .y, .z */
	uint32_t ntid[3], nctaid[3];
	uint32_t threads;
	unsigned nwarps;
	struct warp *warp;
	uint64_t unfinished;    /* warps that have not ended, one bit each */
	uint64_t woken;         /* warps that became ready again; cleared by the block's scheduler */
	uint8_t *shared;
	uint32_t shared_bytes;
	uint8_t *local;         /* l[]: the bytes of thread t start at t · local_bytes */
	uint32_t local_bytes;
	uint32_t releases;      /* of barriers, ever */
	uint64_t released;      /* warps released from the last barrier */
	struct block_check *check;   /* the checkers' knowledge of the block, or NULL */
	struct barrier barrier[BARRIERS];
	uint32_t barriers_used; /* barriers that warps of the block have arrived at, one bit each */
	struct locks lock;
};

/* Parameters of a launch for each block: the bytes, and the offset of the first in s[]. */
struct launch_params {
	const uint8_t *bytes;
	uint32_t size, base;
};

/* All unfinished warps wait for each other at barrier n, whose counter's maximum is `limit`: a warp arrives and waits.
 * False: the warp may be the last, and nothing is done (barrier_arrive). */
static inline bool barrier_wait_all(struct block *b, struct warp *w, unsigned n, uint32_t limit)
{
	struct barrier *bar = &b->barrier[n];
	uint32_t count = (bar->count + 1) & limit;
	uint64_t self = 1ull << w->id;

	if (!count || count >= (uint32_t)lanes_count(b->unfinished))
		return false;
	b->barriers_used |= 1u << n;
	bar->needed = 0;
	bar->count = count;
	bar->arrived |= self;
	bar->waiting |= self;
	w->status = WARP_AT_BARRIER;
	w->waits_for = (uint8_t)n;
	return true;
}
/* A warp arrives at barrier n and perhaps waits. The barrier is released by `needed` warps, or by all unfinished warps
 * if 0; `limit` is the counter's maximum. Returns true if the warp waits. Released warps become ready at once. */
bool barrier_arrive(struct block *b, struct warp *w, unsigned n, bool inc, bool wait, uint32_t needed, uint32_t limit);
/* A warp has ended: barriers that wait for all unfinished warps may be released. Returns the released warps. */
uint64_t block_warp_done(struct block *b, struct warp *w);
/* Warps that waited for a lock try again. */
void locks_wake(struct block *b);

#endif
