/* The warp scheduler of one multiprocessor: which ready warp issues, in which cycle, and why the others do not. It
 * knows slots, latency classes and transactions, never an instruction.
 *
 * A slot's warp sleeps until its operands and its next instruction are there, is then ready until its unit is free and
 * the policy picks it, or is blocked at a barrier or lock until somebody wakes it. Each cycle of each slot is charged
 * to one reason of stall.def; charges are made when a state ends, not cycle by cycle. */
#ifndef WB_SCHED_SCHED_H
#define WB_SCHED_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/latency.h"
#include "sched/timing.h"

enum { SLOTS = 64, SCHED_NONE = -1 };
#define SCHED_NEVER UINT64_MAX

enum stall {
#define STALL(id, name, text) STALL_##id,
#include "sched/stall.def"
	STALLS
};

enum policy { POLICY_RR, POLICY_OLDEST, POLICY_GTO, POLICY_TWO_LEVEL, POLICY_YOUNGEST, POLICY_RANDOM };

enum unit { UNIT_SP, UNIT_SFU, UNIT_DP, UNIT_LSU, UNIT_TEX, UNITS };

struct stall_row {
	uint64_t cycles[STALLS];
};

/* What the memory system made of an instruction's accesses. */
struct sched_work {
	uint32_t extra_cycles;          /* of the unit, for bank conflicts, c[] addresses, lanes of an atomic */
	uint64_t data_at;               /* cycle in which c[] data is there; 0: nothing to wait for */
	uint32_t bytes, last_bytes;     /* of all transactions on the path to global memory, and of the last of them */
};

struct slot {
	uint64_t since;                 /* charged up to here */
	uint64_t free_at;               /* the warp itself may go on: after its last issue, a barrier, a lock */
	uint64_t fetched_at;            /* the next instruction is fetched */
	uint64_t operands_at;           /* operands of the next instruction are there */
	uint64_t ready_at;              /* and the instruction itself */
	uint64_t busy_seen[UNITS];      /* busy cycles of each unit when the warp became ready */
	uint64_t age;                   /* admission number */
	uint32_t pc;                    /* of the next instruction: where waiting is charged */
	uint8_t  free_wait;             /* enum stall until free_at */
	uint8_t  wait;                  /* enum stall while blocked or sleeping for operands */
	uint8_t  unit, second_unit;     /* that the next instruction takes; second_unit UNITS: none */
	struct ports next;
	struct stall_row stalls;        /* of the present warp */
	uint64_t at[PORTS];             /* scoreboard: cycle in which a result is there */
	uint8_t  from_memory[PORTS];    /* 1: a load makes it */
};

struct sched {
	const struct timing *timing;
	enum policy policy;
	uint32_t group;                 /* two-level: warps of a group */
	uint64_t random;
	uint64_t now;                   /* the next issue slot that may be used */
	uint64_t issued_at;             /* of the last pick */
	unsigned issues_left;           /* of this slot: schedulers a multiprocessor */
	uint64_t occupied, asleep, ready, blocked;   /* slots in each state */
	uint64_t of_unit[UNITS + 1];    /* ready slots by unit; the last row: those that may take a second one */
	uint64_t next_wake;             /* at or before the first ready_at of a sleeper */
	uint64_t busy_total[UNITS], free_at[UNITS];
	uint64_t ages;
	unsigned last, active_group;
	uint64_t empty_since[SLOTS];
	struct slot slot[SLOTS];
	struct stall_row total;         /* of warps that have left, and of empty slots */
	struct stall_row *by_pc;        /* one a 4-byte word of code */
	unsigned nslots;                /* of the machine: those that count as empty when no warp is there */
};

void sched_init(struct sched *s, const struct timing *t, enum policy p, uint32_t group, uint64_t seed, unsigned nslots,
		struct stall_row *by_pc);
/* A warp moves into a slot; its first instruction and when that can be fetched follow with sched_next. */
void sched_admit(struct sched *s, unsigned slot);
/* The slot's next instruction: its ports, its pc, and the cycle in which it is fetched. */
void sched_next(struct sched *s, unsigned slot, const struct ports *p, uint32_t pc, uint64_t fetched_at);
/* The cycle in which the next instruction can issue; SCHED_NEVER: nobody is ready or will be by itself. If it is before
 * `until` the scheduler moves on to it and sched_pick may follow; a later one is only told. */
uint64_t sched_time(struct sched *s, uint64_t until);
/* Move on to `cycle`, or the first issue slot after it, before which nobody can issue. */
void sched_skip(struct sched *s, uint64_t cycle);
/* Pick at sched_time(): the slot that issues. */
unsigned sched_pick(struct sched *s);
/* The picked slot's instruction (the one given with sched_next) has been executed. */
void sched_issue(struct sched *s, unsigned slot, const struct sched_work *w);
/* Data from global memory will be there at cycle `at`, which is no earlier than it was expected: the results that warp
 * number `age` of the slot waits for. */
void sched_data(struct sched *s, unsigned slot, uint64_t age, const uint8_t *ports, unsigned n, uint64_t at);
/* Instead of sched_issue: it could not execute (a lock); or after it: the warp waits (a barrier). */
void sched_block(struct sched *s, unsigned slot, enum stall reason);
/* A blocked slot may go on: after a barrier with its latency, after a lock at once. */
void sched_wake(struct sched *s, unsigned slot, enum stall reason);
void sched_retire(struct sched *s, unsigned slot);
/* Charge every slot up to cycle `end`, at the end of a launch. */
void sched_settle(struct sched *s, uint64_t end);
/* Why an occupied slot does not issue in the next issue slot. */
enum stall sched_why(const struct sched *s, unsigned slot);

const char *stall_name(enum stall r);
const char *stall_text(enum stall r);

/* Pick among `eligible` slots, not empty (sched/policy.c). */
unsigned policy_pick(struct sched *s, uint64_t eligible);

#endif
