/* The executor's view of one instruction for one warp. Each running multiprocessor has one struct exec; everything that
 * outlives the instruction is behind its pointers. */
#ifndef WB_CORE_ISA_EXEC_H
#define WB_CORE_ISA_EXEC_H

#include "core/bill.h"
#include "core/block.h"
#include "core/diverge.h"
#include "core/fault.h"
#include "core/program.h"
#include "core/rules.h"
#include "core/step.h"
#include "core/warp.h"
#include "mem/banks.h"
#include "mem/counts.h"
#include "mem/memory.h"

/* Events that are reported but are no faults: a count and the first place of each. */
enum notice {
	NOTICE_LOOSE_BITS,              /* set bits without meaning were executed */
	NOTICE_UNDOC,                   /* an instruction that the public disassembler does not know */
	NOTICE_BARRIER_DIVERGED,        /* a barrier executed while lanes of the warp were elsewhere */
	NOTICE_UNLOCK_UNHELD,           /* an unlock without the lock */
	NOTICE_LOCK_HELD_AT_END,        /* a warp ended holding a lock */
	NOTICE_CONST_MISALIGNED,        /* a c[] address was rounded down to a multiple of the size */
	NOTICE_OUTSIDE_STAGE,           /* a[], o[] or p[] outside the launch's inputs and outputs */
	NOTICE_TEXTURE_FILTER,          /* a linear filter of a texture of integers: nearest */
	NOTICE_TEXTURE_ANISOTROPY,      /* asked for, and ignored */
	NOTICE_PLANE_ABSENT,            /* v[] at a word without a plane */
	NOTICE_PLANE_W,                 /* 1/W in v[], which no attribute needs */
	NOTICE_BEYOND_BUFFER,           /* an access of g[] behind the last byte of a buffer */
	NOTICES
};

/* Counts of instructions that no step needs. */
struct exec_counts {
	uint64_t event[PM_EVENTS];      /* pmevent, by its number */
	uint64_t notice[NOTICES];
	uint32_t notice_pc[NOTICES];    /* by notice: pc of the first */
	/* The first access beyond a buffer: address, bytes, block, warp, lane. */
	struct { uint64_t addr; uint32_t width, block, warp, lane; } beyond;
	uint32_t deepest_stack;
	uint64_t lock_waits, lock_rounds;
};

/* Values of the registers $clock, $physid, $pm0…$pm3. */
struct exec_special {
	uint64_t cycle;
	uint32_t mp, mps_per_tpc;
	const uint64_t *pm[4];          /* NULL: reads 0 */
};

/* The present call of threaded code (core/isa/threaded.h). */
struct exec_run {
	uint64_t remaining;             /* instructions of the budget */
	uint64_t spare;                 /* a turn also ends before a run that is longer than `remaining` plus `spare` */
	bool over;                      /* of an observed call: the turn has ended, and not for want of budget */
	const void *begun, *next;       /* entries: where the run began, where to go on */
	lane_mask next_active;
	bool single;                    /* stop after each instruction */
	/* Where a policy chooses which lanes go on: the policy is asked where lanes part, meet or wait, not behind each
	 * instruction. `remaining` is then at most the number of instructions behind which the answer is known, and
	 * `held` the rest of the budget. */
	bool leashed;
	bool impatient;                 /* the answer depends on the number of instructions */
	uint64_t held;
	uint64_t settled;               /* issues of the warp when the policy was last asked */
};

/* Calls to the machine that runs the executor. NULL: no call. */
struct exec_hooks {
	/* A step has accesses, with addresses in step.access. NULL: step.access has no addresses. */
	void (*access)(struct exec *x);
	/* rules.inspected: an instruction has executed, with its effect on the mask. */
	void (*executed)(struct exec *x);
	void *context;
};

struct warp_sets;

struct exec {
	struct warp *warp;
	struct block *block;
	const struct program *program;
	const struct rules *rules;
	const struct memory *memory;
	struct page_cache pages;        /* the multiprocessor's look-aside of g[] pages */
	const struct banks *banks;
	struct word_shapes shapes;       /* of shared memory's words */
	struct bill *bill;
	struct exec_counts counts;
	struct fault fault;
	uint64_t instructions;          /* issued, join arrivals included */
	uint64_t progress;              /* counts stores, exits, barrier releases, unlocks: a livelock has none */
	uint64_t changes;               /* stores and atomics that changed memory */
	uint64_t random;
	uint64_t digest;                /* sum of the digests of ended warps */
	/* a warp's digest is of instructions and cycles, taken by its clock; else of runs of instructions */
	bool timed;
	/* active lanes with a true predicate, for instructions with the predicate as an operand */
	lane_mask guard;
	struct step step;
	struct exec_hooks hooks;
	/* With hooks.access, where no clock needs the time of an access: executors that know a cost at once add the
	 * cost here and to the warp's trace, if the warp leaves one, instead of calling the hook. */
	struct tally *tally;
	/* While a block leaves traces: the read and write sets of its warps (mem/warp_sets.h; pages.sets is set, too),
	 * and the trace of the warp. step.run is valid where hooks.access is called. */
	struct warp_sets *warp_sets;
	struct warp_trace *trace;
	struct exec_special special;
	struct exec_run run;
	lane_mask *result_lanes;        /* by warp of the launch: lanes with results in the stream; NULL: no stream */
};

/* Refuse an instruction that cannot be executed while several workers run at once, or before its cycle: nothing may be
 * touched, and the launch runs again, on one thread or by the clock. Returns STEP_FAULT. */
int exec_refuse(struct exec *x, const char *why);
/* Stop the warp's launch: record the fault and return STEP_FAULT. */
int exec_fault(struct exec *x, enum fault_kind kind, lane_mask lanes, uint64_t addr);
void exec_notice(struct exec *x, enum notice n);
/* Report the access of `lane` noted in x->pages.beyond, and clear x->pages.beyond. */
void exec_beyond(struct exec *x, unsigned lane);

#endif
