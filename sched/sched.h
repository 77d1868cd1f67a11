/* The warp scheduler of one multiprocessor: which ready warp issues, in which cycle, and why the others do not. The
 * scheduler knows slots, latency classes and transactions, never an instruction.
 *
 * A slot's warp sleeps until its operands and its next instruction are there, is then ready until its unit is free and
 * the policy picks the slot, or is blocked at a barrier or lock until sched_wake. Each cycle of each slot is charged to
 * one reason of stall.def; charges are made all at once when the slot issues or is blocked, not cycle by cycle. */
#ifndef WB_SCHED_SCHED_H
#define WB_SCHED_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/latency.h"
#include "core/trace_segment.h"
#include "sched/stall.h"
#include "sched/timing.h"

/* POLICY_OWN_WORDS: 8-byte words that a caller's policy keeps. */
enum { SLOTS = 64, SCHED_NONE = -1, POLICY_OWN_WORDS = 8 };
#define SCHED_NEVER UINT64_MAX

enum policy { POLICY_RR, POLICY_OLDEST, POLICY_GTO, POLICY_TWO_LEVEL, POLICY_YOUNGEST, POLICY_RANDOM,
	POLICY_OWN };

/* Units 0 and 1 are tested before others. Rows of sched.want behind the rows by unit: slots whose instruction may issue
 * to a second unit or to a rare unit, and a row that nobody reads. */
enum { UNITS_FREQUENT = 2, WANTS_RARE = UNITS_MAX, WANTS_NOTHING, WANTS };

enum { IDLES = 64 };    /* idle times noted for a unit */

enum { CHECKPOINTS = 4, SIMDS_MAX = 4 };

/* The loops of sched/replay.c, all for round robin, and the constants of each: with one SIMD, one issue every
 * STANDARD_GAP cycles; with four, one SIMD's turn a cycle. Then the most scoreboard entries that an instruction
 * writes. */
enum replay_loop { REPLAY_NONE, REPLAY_ONE_SIMD, REPLAY_FOUR_SIMDS };
enum { STANDARD_GAP = 2, RESULTS_OF_ONE = 2, RESULTS_OF_FOUR = 4 };

/* Cycles by reason. */
struct stall_row {
	uint64_t cycles[STALLS];
};

/* Costs of an instruction's accesses, from the memory system. */
struct sched_work {
	uint32_t extra_cycles;          /* of the unit, for bank conflicts, c[] addresses, lanes of an atomic */
	uint64_t data_at;               /* cycle in which c[] data arrives; 0: no wait */
	uint32_t bytes, last_bytes;     /* bytes of all transactions on the path to global memory; bytes of the last */
};

/* Most scoreboard entries that one instruction waits for: registers read and written, and wait counters. */
enum { NEEDS_MAX = PORTS_READ + PORTS_WRITE };

/* An instruction for the scheduler: made once for each word of code. */
struct sched_op {
	/* Read by every issue: one line of the host's cache. */
	uint32_t cost, latency, hold;   /* cycles: unit taken; issue to results; warp held */
	uint32_t other_cost;            /* cycles that the instruction takes its other unit */
	uint32_t word, line;            /* of code; of the instruction cache */
	uint32_t charged;               /* bytes from sched_storage.by_pc to the row that its stalls are charged to */
	struct {
		uint32_t line;          /* line of c[] of its operand; 0: no such operand, or line known at execution */
		uint32_t mask;          /* all ones with a line, else 0 */
	} constant;
	uint32_t rest, results;         /* see `replay` */
	uint8_t unit, other_unit;       /* unit to issue to; unit while the first is busy, or the first again */
	/* rows of sched.want: other unit or WANTS_NOTHING; WANTS_RARE or WANTS_NOTHING */
	uint8_t second, rare;
	uint8_t words;                  /* words of code to the next instruction in order */
	uint8_t new_line;
	/* 1: control flow, barrier, global memory; all others follow from these issues */
	uint8_t in_digest;
	/* For trace replay. simple: accesses no g[] or l[], steers no masks, and has no more results than the loop has
	 * scatter stores (unused makes[] name an entry without readers). For simple instructions `rest` is the cycles
	 * from issue to the successor's earliest issue in order if all other operands are there, `results` the cycles
	 * from issue to the last result, 0 without results. */
	struct {
		uint8_t simple;
		uint8_t changes_unit;   /* the successor needs another unit */
		/* simple; or control flow or an access to global memory, with no more results */
		uint8_t replayed;
		/* simple, one possible unit, holds its warp for one issue slot, successor in the same line of code */
		uint8_t fast;
		uint8_t covers;         /* results with fewer cycles of latency do not delay the successor */
	} replay;
	uint8_t nneeds, nmakes;
	uint8_t counts;                 /* as ports.counts */
	uint8_t counters;               /* 1: counted by a wait counter, or waits for a counter */
	uint16_t makes[PORTS_WRITE];    /* scoreboard entries written */
	uint8_t kind;                   /* enum result_kind of the results */
	uint8_t wait;                   /* enum stall while the instruction itself holds the warp */
	uint8_t chained;                /* 1: the successor in order reads a result */
	uint8_t by_all;                 /* as ports.by_all */
	uint32_t jump;                  /* cycles that the warp is held where it does not go on in order */
	uint32_t late_latency;          /* cycles from issue to the late result; 0: no late result */
	uint16_t late;                  /* scoreboard entry of the late result, or an entry without readers */
	uint8_t late_before;            /* as ports.late_before */
	uint32_t order_index;           /* index in sched.program.order */
	/* Scoreboard entries to wait for, each once: registers read, then registers written. */
	uint16_t needs[NEEDS_MAX];
} __attribute__((aligned(64)));

/* Values of slot.wheel_index above the places in the wheel: sleeping beyond the wheel, blocked. */
enum { WHEEL = 64, BEYOND_WHEEL = WHEEL, PLACE_BLOCKED };

/* Bits of sched.lines_here: for the line of the warp's present instruction, always set; for lines without a bit. */
enum { LINE_SAME = 63, LINE_OTHER = 62 };

struct slot {
	/* Read and written by every issue: one line of the host's cache. */
	/* cycle up to which all cycles are charged: after an issue, its slot included */
	uint64_t since;
	uint64_t ready_at;              /* cycle in which the next instruction and its operands are there */
	uint64_t results_at;            /* cycle in which the last result of the warp arrives */
	const struct sched_op *next;
	/* In trace replay: the place in the warp's trace. `remaining` counts instructions until the end of the segment,
	 * `times` passes over the segment, the present pass included. */
	uint32_t remaining;
	const struct trace_segment *segment;
	uint64_t *board;                /* the slot's entries of the scoreboard */
	/* 1: before ready_at the warp waits for more than operands, see operands_at and wait */
	uint8_t  mixed;
	uint8_t  wheel_index;           /* index in the wheel, BEYOND_WHEEL or PLACE_BLOCKED */
	uint8_t  wait;                  /* enum stall while blocked, or sleeping for operands */
	uint8_t  free_wait;             /* enum stall until free_at */
	uint8_t  barrier_group;         /* in trace replay: index of the block's group */
	struct stall_row stalls __attribute__((aligned(64)));   /* of the present warp */
	uint32_t times;                 /* see `remaining` */
	/* Cycles that count only if later than `since`. */
	uint64_t free_at;               /* the warp itself may issue: after its last issue, a barrier, a lock */
	uint64_t fetched_at;            /* the next instruction is fetched */
	uint64_t operands_at;           /* the operands are there; valid only with `mixed` */
	uint64_t digest;                /* sum over the warp's issues: instruction, cycle and mask */
	uint64_t age;                   /* admission number */
	uint16_t counted[COUNTERS_MAX]; /* by wait counter: accesses issued, modulo 2^16 */
	uint64_t idle[UNITS_MAX];       /* idle cycles of each unit after ready_at, up to sched.noted_at */
} __attribute__((aligned(64)));

/* The slots of a block in trace replay: warps of a block wait for each other at barriers. */
struct barrier_group {
	uint64_t slots, waiting;        /* slots with a live warp; slots that have arrived */
};

/* The scoreboard entries of a wait counter: entry first + n is the cycle in which at most n of the counted accesses are
 * incomplete, for n below `most`. So a wait for a counter is a wait for an entry, as for a register, and a counted
 * access moves the entries up by one. */
struct counter_place {
	uint16_t entry, most;
};

/* The memory of a scheduler, all zero at first. */
struct sched_storage {
	struct slot *slot;              /* nslots slots */
	/* The scoreboard (sched/scoreboard.h): `entries` entries a slot. */
	uint64_t *board;
	unsigned entries;
	unsigned nunits;
	unsigned simds;                 /* SIMDs, a power of two up to SIMDS_MAX; slot i is on SIMD i modulo `simds` */
	const struct counter_place *counter;    /* of the machine */
	unsigned nslots;                /* warp slots of the machine: without a warp, a slot counts as empty */
	struct stall_row *by_pc;        /* charges by 4-byte word of code */
	struct barrier_group *barrier_group;    /* by index of the resident block */
};

struct sched;

/* Fixed for a launch. */
struct sched_rules {
	const struct timing *timing;
	enum policy policy;
	uint32_t group;                 /* two-level: warps of a group */
	/* POLICY_OWN: a caller's function; `eligible` is not empty, and each of its warps can issue now. */
	unsigned (*callers_pick)(struct sched *s, uint64_t eligible);
	uint32_t gap, schedulers;       /* cycles from issue slot to issue slot; issues in a slot */
	enum replay_loop loop;          /* REPLAY_NONE: replayed by the general scheduler */
};

/* SIMDs have the issue slots in turn; with one SIMD every slot is its turn. */
struct sched_simds {
	uint32_t mask;                  /* number of SIMDs less one */
	uint32_t round;                 /* cycles from one turn of a SIMD to the next */
	uint64_t slots;                 /* slots of the first SIMD; shifted by n, of SIMD n */
	uint8_t picked[SIMDS_MAX];      /* pick of each */
};

/* Sleepers by the issue slot of waking, modulo WHEEL; used: places with sleepers; beyond: slots that fell asleep for
 * longer than the wheel reaches. They come into the wheel when the first of them wakes, in cycle beyond_at or later. */
struct sleepers {
	uint64_t wheel[WHEEL], used, beyond, beyond_at;
	uint64_t next;                  /* at or before the first ready_at of a sleeper */
};

struct sched_program {
	const struct sched_op *ops;     /* by word of code; for each SIMD */
	uint32_t nops;                  /* instructions of one SIMD */
	/* The instructions in the order of the code, by sched_op.order_index (sched_order). */
	const struct sched_op *const *order;
};

struct checkpoints {
	struct fast_forward *state;     /* of the host thread that runs the multiprocessor; NULL: no fast-forward */
	struct fast_forward *log;       /* `state` while issues in digests are logged; else NULL */
	uint64_t due_cycle;             /* earliest cycle of the next checkpoint; SCHED_NEVER: no further checkpoint */
	bool due;                       /* make a checkpoint before the next issue */
	/* Hashes of the state at the last checkpoints; checkpoints since a state was last found again; recent runs of
	 * checkpoints without a find. */
	uint64_t signature[CHECKPOINTS];
	unsigned n, misses;
};

struct sched_requests;

struct sched {
	struct sched_rules rules;
	struct sched_simds simd;
	uint64_t random;
	uint64_t own_words[POLICY_OWN_WORDS];    /* state of a caller's policy */
	uint64_t now, issue_slot;       /* the next usable issue slot: its cycle, its number */
	uint64_t issued_at;             /* of the last pick */
	unsigned issues_left;           /* issues that remain in the present slot */
	unsigned picked, active_group;
	uint64_t occupied;              /* slots with a warp */
	uint64_t lines_here;            /* lines of code that stay in a first-level cache, and LINE_SAME */
	uint32_t const_here;            /* line of c[] that was touched last, if cached; else 0 */
	/* Slots whose warp waits only for a unit and its turn. A warp here may become ready a little later (ready_at):
	 * its slot is put to sleep when its turn comes too early. */
	uint64_t ready;
	uint64_t want[WANTS];           /* slots by unit of the next instruction */
	uint64_t free_at[UNITS_MAX];
	/* Idle times of each unit: since cycle noted_at in idle[], before noted_at summed in slot.idle of ready
	 * slots. */
	unsigned nidle[UNITS_MAX];
	uint64_t noted_at[UNITS_MAX], idle_end[UNITS_MAX];      /* end of the last idle time */
	struct sleepers sleep;
	struct sched_program program;
	struct checkpoints checkpoint;
	struct sched_requests *requests;        /* of sched_replay, set by its caller */
	uint64_t ages;
	struct sched_storage storage;
	struct stall_row total;         /* charges of warps that have ended, and of empty slots */
	uint64_t empty_since[SLOTS];
	uint64_t counter_waits[COUNTERS_MAX];   /* by wait counter: warp cycles of waiting for the counter */
	/* Ends of idle times, and the cycles of all idle times up to each end. An empty time stands before the
	 * first. */
	struct idle { uint64_t to, sum; } idle[UNITS_MAX][1 + IDLES];
};

/* A class of instructions: cycles and units, with the numbers of a launch. */
struct sched_class {
	uint32_t cost, other_cost, shared_cost, latency, hold, late;
	uint8_t unit, other, kind;
};

/* Properties that all instructions of a program share: the machine's classes and counters, and the scoreboard entry of
 * each register, in the order in which instructions name registers. Entries of wait counters come first. */
struct sched_ports {
	struct sched_class class[CLASSES_MAX];
	struct counter_place counter[COUNTERS_MAX];
	uint16_t *entry;                /* by number of a register: its entry plus 1; 0: not named yet */
	uint16_t n;                     /* entries */
	uint32_t round;                 /* cycles from one turn of a SIMD to the next */
	uint32_t results;               /* most results of a simple instruction (sched_op.replay) */
};

/* Units of a machine with `simds` SIMDs. */
unsigned sched_units(const struct issue_model *model, unsigned simds);
/* Give an instruction of the first SIMD the units of SIMD `simd`. */
void sched_op_on_simd(struct sched_op *op, const struct issue_model *model, unsigned simd);

/* For warps of `lanes` lanes; entry[] is zero. */
void sched_ports_init(struct sched_ports *ports, const struct issue_model *model, unsigned lanes, unsigned simds,
		      const struct timing *t, uint16_t *entry);

/* Make a scheduler's instruction from the ports that its ISA gives; its word, line and constant are the caller's. */
void sched_op_make(struct sched_op *op, const struct ports *p, const struct timing *t, struct sched_ports *ports);

/* Complete an instruction from its successor. A scoreboard has two entries more than `ports` names: an entry without
 * readers, and an entry without writers. */
void sched_op_link(struct sched_op *op, const struct timing *t, const struct sched_ports *ports);

void sched_init(struct sched *s, const struct timing *t, enum policy p, uint32_t group, uint64_t seed,
		const struct sched_storage *storage);

/* Put the n linked instructions of ops[] into the order of the code: 2 n + 2 elements of order. */
void sched_order(struct sched_op *ops, uint32_t n, const struct sched_op **order);

struct trace_place;

/* Hooks of a replay. A struct of the machine begins with a sched_observer, and finds the multiprocessor of `s`. */
struct sched_observer {
	/* A slot's next instruction is about to issue. NULL: not called. */
	void (*issues)(const struct sched_observer *o, const struct sched *s, unsigned slot);
	/* An instruction has issued; active: the mask of its warp before the issue. */
	void (*issued)(const struct sched_observer *o, const struct sched *s, unsigned slot, const struct sched_op *op,
		       uint64_t cycle, lane_mask active);
	/* Fast-forward. period: a period may begin. again: the issues of the period have come again `periods` times,
	 * each time `cycles` cycles later than before, under the masks in the traces from at[] of each slot on. again
	 * NULL: no fast-forward. */
	void (*period)(const struct sched_observer *o, const struct sched *s);
	void (*again)(const struct sched_observer *o, const struct sched *s, struct trace_place *at, uint64_t periods,
		      uint64_t cycles);
};

/* An access to global memory: the issue behind an answer of sched_data. */
struct sched_access {
	const struct sched_op *op;
	uint64_t age;                   /* of the warp */
	uint16_t counted[COUNTERS_MAX]; /* slot.counted at the issue */
	uint8_t slot;
};

/* An instruction's request on the path to global memory. */
struct request {
	uint64_t cycle;                 /* of the issue; once the request is sent, of the data's arrival */
	struct sched_access access;
	uint32_t bytes, last_bytes;     /* of all transactions; of the final transaction */
};

/* The requests of a replay. */
struct sched_requests {
	struct request *request;        /* of the multiprocessor, in cycle order: */
	unsigned *n;
	/* Requests of instructions that issue before this cycle are the loop's to note, later ones the caller's. */
	uint64_t until;
	/* Cycles from the first request's issue up to which the replay may go; SCHED_NEVER: up to `until` of
	 * sched_replay whatever requests there are. */
	uint64_t ahead;
};

/* Replay the traces of the warps (sched/replay.c) before cycle `until`. Returns the slot that issues next, after
 * sched_take, where the instruction needs more than the traces know; SCHED_NONE: no warp can issue. o: NULL for
 * none. */
int sched_replay(struct sched *s, uint64_t until, const struct sched_observer *o);
/* Issue the picked slot's instruction (sched_pick in sched/issue.h); the warp goes on at `next`, fetched at cycle
 * fetched_at, or ends: NULL. The costs *work are zero afterwards. */
void sched_issue(struct sched *s, unsigned slot, struct sched_work *work, const struct sched_op *next,
		 uint64_t fetched_at);

/* A warp moves into a slot; its first instruction is fetched at cycle fetched_at. */
void sched_admit(struct sched *s, unsigned slot, const struct sched_op *next, uint64_t fetched_at);
/* The cycle in which the next instruction can issue; SCHED_NEVER: no warp is ready or wakes by itself. The scheduler
 * moves on to a cycle before `until`; a later cycle is only returned. */
uint64_t sched_time(struct sched *s, uint64_t until);
/* Move on to the issue slot at or after `cycle`; no warp can issue before `cycle`. */
void sched_skip(struct sched *s, uint64_t cycle);
/* The access's data arrives at cycle `at`, no earlier than expected so far. */
void sched_data(struct sched *s, const struct sched_access *a, uint64_t at);
/* Block a slot: instead of sched_issue, when the instruction could not execute (a lock); or after sched_issue, when the
 * warp waits (a barrier). */
void sched_block(struct sched *s, unsigned slot, enum stall reason);
/* Wake a blocked slot: after a barrier with the barrier's latency, after a lock at once. */
void sched_wake(struct sched *s, unsigned slot);
/* A slot's warp has issued its arrival at a barrier of its barrier_group, or has ended. Returns the slots that are
 * released from the barrier, the last arrival included; 0: none. */
uint64_t sched_arrive(struct sched *s, unsigned slot);
uint64_t sched_leave(struct sched *s, unsigned slot);
void sched_retire(struct sched *s, unsigned slot);
/* Charge every slot up to cycle `end`, at the end of a launch. */
void sched_settle(struct sched *s, uint64_t end);
/* The wait of an occupied slot's next instruction, its fetch, its unit and its turn apart: `cycles` cycles from
 * slot.since, charged to `reason`, until `entry` of the slot's scoreboard is there; SCHED_NONE: until the warp's last
 * instruction is over. */
struct sched_cause {
	uint64_t cycles;
	enum stall reason;
	int entry;
};
struct sched_cause sched_cause(const struct sched *s, unsigned slot);
/* Why an occupied slot does not issue in the next issue slot. */
enum stall sched_why(const struct sched *s, unsigned slot);

/* Move sleepers from beyond the wheel into the wheel. */
void sched_refill_wheel(struct sched *s);
/* Cycles before `until` in which a unit for `op` was idle while the slot's warp was ready. */
uint64_t sched_idle_since(const struct sched *s, const struct slot *w, const struct sched_op *op, uint64_t until);
/* Slot i goes on from an instruction to the next, one of which has a rare or a second unit. */
void sched_want_rare(struct sched *s, unsigned i, const struct sched_op *from, const struct sched_op *to);
/* Issue of an instruction that has waited for wait counters, or counts. */
void sched_count(struct sched *s, struct slot *w, const struct sched_work *work);
/* Fold the noted idle times of a unit into its ready slots, so that another can be noted. */
void sched_note_idle(struct sched *s, unsigned unit);
/* Pick among `eligible` slots, not empty (sched/policy.c). */
unsigned policy_pick(struct sched *s, uint64_t eligible);

#endif
