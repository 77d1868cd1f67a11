/* The record of one executed instruction: the only data from execution to time, events, counters and views. */
#ifndef WB_CORE_STEP_H
#define WB_CORE_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"

struct insn;

enum outcome {
	STEP_OK,          /* executed; the warp may go on */
	STEP_BARRIER,     /* executed; the warp now waits at a barrier */
	STEP_LOCKED,      /* not executed, nothing changed: a lock is held by another warp; call again */
	STEP_DONE,        /* executed; the warp has no lane left */
	STEP_BREAK,       /* executed: brkpt, for a debugger */
	STEP_FAULT,       /* not executed: exec->fault says why */
};

/* Effects of the instruction on the active mask, bit set. Writes of a mask register: enum wb_flow of the public
 * header. */
enum step_flow {
	FLOW_BRANCH = 1,      /* bra, call, ret, brk with lanes active */
	FLOW_TAKEN = 2,       /* a lane followed the branch */
	FLOW_DIVERGED = 4,    /* lanes both followed and did not */
	FLOW_PUSH = 8, FLOW_POP = 16,
	FLOW_REJOIN = 32,     /* arrival at a join that only popped: the instruction itself did not execute */
	FLOW_MERGED = 64,     /* a join let the merged mask through */
};

enum access_kind { ACCESS_NONE, ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };

/* What the executor already knows of a row of addresses. */
enum access_pattern {
	PATTERN_ANY,
	PATTERN_ALIKE,        /* all lanes have the same address */
	PATTERN_RUN,          /* all lanes access, words side by side in each group: the first lane's address counts */
	/* s[]: extra passes counted; addresses are there for elements of several words alone */
	PATTERN_COUNTED,
	/* elements that lie across their alignment, or have three words: costs are those of the aligned elements
	 * around */
	PATTERN_ACROSS,
	/* a load of the whole warp, in place of lane 0's: for observers alone, without a cost */
	PATTERN_SCALAR,
};

/* A memory access of an instruction. An instruction makes at most two: one to s[], l[] or g[], and one to c[]; but a
 * sample of an image makes one for each texel of a lane. */
enum { STEP_ACCESSES = 16 };
struct access {
	uint8_t   kind;       /* enum access_kind */
	uint8_t   space;      /* enum mem_space (mem/mem.h) */
	uint8_t   bank;
	uint8_t   lock;       /* 1: s[] load that tries to lock, or store that unlocks */
	uint8_t   width;      /* bytes a lane */
	uint8_t   pattern;    /* enum access_pattern */
	uint8_t   extra;      /* PATTERN_COUNTED: passes beyond the first of each group */
	bool      compares;   /* an atomic that stores where memory has the expected value: compare and swap */
	lane_mask lanes;
	uint64_t  addr[LANES_MAX];   /* byte address of each lane in `lanes` */
};

/* Bytes a lane, and a lane's address, as costs count an access to g[]. */
static inline uint32_t access_cost_width(const struct access *a)
{
	return a->pattern != PATTERN_ACROSS ? a->width : a->width > 8 ? 16 : 8;
}

static inline uint64_t access_cost_address(const struct access *a, unsigned lane)
{
	return a->pattern != PATTERN_ACROSS ? a->addr[lane] : a->addr[lane] & ~(access_cost_width(a) - 1ull);
}

/* The same for banks of s[]: the last word of an element across words. */
static inline uint32_t access_bank_address(const struct access *a, unsigned lane)
{
	return (uint32_t)(a->pattern != PATTERN_ACROSS ? a->addr[lane] : (a->addr[lane] + a->width - 1u) & ~3ull);
}

/* Do the addresses have to be searched for passes and transactions? */
static inline bool access_is_any(const struct access *a)
{
	return a->pattern == PATTERN_ANY || a->pattern == PATTERN_ACROSS;
}

struct step {
	const struct insn *insn;
	uint32_t  pc, next_pc;
	lane_mask active;     /* active lanes at the issue (after a merging join) */
	lane_mask executed;   /* active lanes, less those that the guard or the quad lane mask turned off */
	uint8_t   flow;       /* enum step_flow bits */
	uint8_t   accesses;   /* how many of access[] are valid */
	uint32_t  run;        /* instructions of the run up to and with this; 0: executed by itself */
	struct access access[STEP_ACCESSES];
};

#endif
