/* What one instruction did: the one thing that crosses from execution to time, events, counters and views. */
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

/* What the instruction did to the active mask, bit set. Writes of a mask register: enum wb_flow of the public header. */
enum step_flow {
	FLOW_BRANCH = 1,      /* bra, call, ret, brk with lanes active */
	FLOW_TAKEN = 2,       /* some lane followed it */
	FLOW_DIVERGED = 4,    /* some did and some did not */
	FLOW_PUSH = 8, FLOW_POP = 16,
	FLOW_REJOIN = 32,     /* an arrival at a join that only popped: the instruction itself did not execute */
	FLOW_MERGED = 64,     /* a join let the merged mask through */
};

enum access_kind { ACCESS_NONE, ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };

/* What the executor already knows of a row of addresses. */
enum access_pattern {
	PATTERN_ANY,
	PATTERN_ALIKE,        /* all lanes have the same */
	PATTERN_RUN,          /* all lanes access, words side by side in each group: see its first lane */
	PATTERN_COUNTED,      /* s[]: addresses are not there, only the extra passes that they take */
};

/* The memory access of an instruction. An instruction makes at most two: an s[] or l[] or g[] one and a c[] one. */
struct access {
	uint8_t   kind;       /* enum access_kind */
	uint8_t   space;      /* enum mem_space (mem/mem.h) */
	uint8_t   bank;
	uint8_t   lock;       /* 1: an s[] load that tries to lock, or a store that unlocks */
	uint8_t   width;      /* bytes a lane */
	uint8_t   pattern;    /* enum access_pattern */
	uint8_t   extra;      /* PATTERN_COUNTED: passes beyond one of each group */
	lane_mask lanes;
	uint64_t  addr[LANES_MAX];   /* byte address of each lane in `lanes` */
};

struct step {
	const struct insn *insn;
	uint32_t  pc, next_pc;
	lane_mask active;     /* active when it was issued (after a merging join) */
	lane_mask executed;   /* those that executed it: the guard and the quad lane mask applied */
	uint8_t   flow;       /* enum step_flow bits */
	uint8_t   accesses;   /* how many of access[] are valid */
	uint32_t  run;        /* instructions of its run up to it; 0: it is executed by itself */
	struct access access[2];
};

#endif
