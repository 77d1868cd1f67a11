/* The warp scheduler of one multiprocessor: which ready warp issues, in which cycle, and why the others do not. It
 * knows slots, latency classes and transactions, never an instruction.
 *
 * A slot's warp sleeps until its operands and its next instruction are there, is then ready until its unit is free and
 * the policy picks it, or is blocked at a barrier or lock until sched_wake. Each cycle of each slot is charged
 * to one reason of stall.def; charges are made all at once when the slot issues or is blocked, not cycle by cycle. */
#ifndef WB_SCHED_SCHED_H
#define WB_SCHED_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/latency.h"
#include "core/trace_segment.h"
#include "sched/timing.h"

enum { SLOTS = 64, SCHED_NONE = -1 };
#define SCHED_NEVER UINT64_MAX

enum stall {
#define STALL(id, name, letter, text) STALL_##id,
#include "sched/stall.def"
	STALLS
};

enum policy { POLICY_RR, POLICY_OLDEST, POLICY_GTO, POLICY_TWO_LEVEL, POLICY_YOUNGEST, POLICY_RANDOM };

/* Units 0 and 1 are tested before others. Rows of sched.want beside those by unit: slots whose instruction may issue
 * to another one. */
enum { UNITS_FREQUENT = 2, WANTS_RARE = UNITS_MAX, WANTS_NOTHING, WANTS };

/* Idle times of a unit that are kept. Before them are NO_IDLES of no length, as the host compares four at a time. */
enum { IDLES = 64, NO_IDLES = 4 };

enum { CHECKPOINTS = 4, SIMDS_MAX = 4 };

/* The loops of sched/replay.c, all for round robin, and what they know: with one SIMD, one issue every STANDARD_GAP
 * cycles; with four, one of them a cycle. Scoreboard entries that an instruction makes, at most. */
enum replay_loop { REPLAY_NONE, REPLAY_ONE_SIMD, REPLAY_FOUR_SIMDS };
enum { STANDARD_GAP = 2, RESULTS_OF_ONE = 2, RESULTS_OF_FOUR = 4 };

/* Where two reasons side by side are charged at once (sched/issue.h). */
struct stall_row {
	uint64_t cycles[STALLS];
} __attribute__((aligned(16)));

/* What the memory system made of an instruction's accesses. */
struct sched_work {
	uint32_t extra_cycles;          /* of the unit, for bank conflicts, c[] addresses, lanes of an atomic */
	uint64_t data_at;               /* cycle in which c[] data is there; 0: nothing to wait for */
	uint32_t bytes, last_bytes;     /* of all transactions on the path to global memory, and of the last of them */
};

/* Entries of the scoreboard that one instruction waits for: what it reads and writes, and its wait counters. */
enum { NEEDS_MAX = PORTS_READ + PORTS_WRITE };

/* An instruction as the scheduler sees it: made once, for each word of code. */
struct sched_op {
	/* What every issue reads: one line of the host's cache. */
	uint32_t cost, latency, hold;   /* cycles that it takes its unit, until its results, that it holds the warp */
	uint32_t other_cost;            /* for which it takes the other unit */
	uint32_t word, line;            /* of code; of the instruction cache */
	uint32_t charged;               /* bytes to its row of sched_room.by_pc, where waiting for it is charged */
	struct {
		uint32_t line;          /* of c[], that its operand is in; 0: none, or known when executed */
		uint32_t mask;          /* all ones if there is one */
	} constant;
	uint32_t rest, results;         /* see `replay` */
	uint8_t unit, other_unit;       /* that it takes; and if that is busy, or the same again */
	uint8_t second, rare;           /* rows of sched.want: of its other unit; WANTS_RARE; or WANTS_NOTHING */
	uint8_t words;                  /* how many words further the one behind it is */
	uint8_t new_line;               /* bit of sched.lines_here for the line of its next, if that is another one */
	uint8_t in_digest;              /* control flow, barriers, global memory: the others follow from these */
	/* For trace replay. simple: it holds its warp for one issue slot, accesses no g[] or l[], steers no masks, and
	 * has no more results than the loop (unused makes[] below that name an entry that no instruction waits for).
	 * Then `rest` is the cycles until its successor can issue if only this result is missing, `results` those until
	 * its results are there, 0 if it has none. */
	struct {
		uint8_t simple;
		uint8_t changes_unit;   /* its successor needs another unit */
		uint8_t replayed;       /* simple, or control flow with no more results */
		uint8_t fast;           /* simple, for one unit, and its successor is in the same line of code */
		uint8_t covers;         /* results that are there in fewer cycles do not delay its next */
	} replay;
	uint8_t nneeds, nmakes;
	uint8_t counts;                 /* as ports.counts */
	uint8_t counters;               /* 1: it counts, or waits for wait counters */
	uint16_t makes[PORTS_WRITE];    /* scoreboard entries that it writes */
	uint8_t memory;                 /* 1: its results come from global memory */
	uint8_t wait;                   /* enum stall while it holds the warp itself */
	uint8_t chained;                /* the one behind it needs its result */
	uint8_t by_all;                 /* as ports.by_all */
	uint32_t place;                 /* in sched.program.order */
	/* Scoreboard entries that it waits for, each once: what it reads, then what it writes. */
	uint16_t needs[NEEDS_MAX];
} __attribute__((aligned(64)));

/* Places of a slot whose warp is not ready, beside those in the wheel. */
enum { WHEEL = 64, BEYOND_WHEEL = WHEEL, PLACE_BLOCKED };

/* Bits of sched.lines_here: for the line a warp is in, which is always there; for lines that have none of their own. */
enum { LINE_SAME = 63, LINE_OTHER = 62 };

struct slot {
	/* What every issue reads and writes: one line of the host's cache. */
	uint64_t since;                 /* charged up to here: after an issue, its slot */
	uint64_t ready_at;              /* the next instruction and its operands are there */
	uint64_t results_at;            /* the latest of all results of the warp is there */
	const struct sched_op *next;
	/* In trace replay: instructions left of the present segment; how often it issues, this time included, is in
	 * `times`. */
	uint32_t left;
	const struct trace_segment *at;
	uint64_t *board;                /* its entries of the scoreboard */
	uint8_t  mixed;                 /* up to ready_at it waits for more than operands: see operands_at and wait */
	uint8_t  place;                 /* in the wheel, or one of the above */
	uint8_t  wait;                  /* enum stall while blocked, or sleeping for operands */
	uint8_t  free_wait;             /* enum stall until free_at */
	uint8_t  barrier_group;         /* in trace replay: of its block */
	struct stall_row stalls __attribute__((aligned(64)));   /* of the present warp */
	uint32_t times;                 /* see `left` */
	/* These two count where they are later than `since`. */
	uint64_t free_at;               /* the warp itself may go on: after its last issue, a barrier, a lock */
	uint64_t fetched_at;            /* the next instruction is fetched */
	uint64_t operands_at;           /* its operands are there; where `mixed` says so */
	uint64_t digest;                /* of what the warp has issued, when, and under which masks */
	uint64_t age;                   /* admission number */
	uint16_t counted[COUNTERS_MAX]; /* by wait counter: accesses that its warp has issued, modulo 2^16 */
	uint64_t idle[UNITS_MAX];       /* cycles that units were idle after ready_at, up to sched.noted_at */
} __attribute__((aligned(64)));

/* In trace replay, the slots of a block, whose warps wait for each other at barriers. */
struct barrier_group {
	uint64_t slots, waiting;        /* those whose warp has not ended; those that have arrived */
};

/* Where the scoreboard has a wait counter: entry first + n is when at most n of the accesses that it counts are not
 * complete, for n below `most`. So an instruction that waits for a counter waits for an entry as for any other, and a
 * counted access moves the entries up by one. */
struct counter_place {
	uint16_t first, most;
};

/* The memory that a scheduler works on, all zero before. */
struct sched_room {
	struct slot *slot;              /* those that a warp may come to */
	/* The scoreboard, `entries` for each of them: twice the cycle in which a result is there, and 1 more if a load
	 * makes it. */
	uint64_t *at;
	unsigned entries;
	unsigned nunits;
	unsigned simds;                 /* a power of two up to SIMDS_MAX; slot i is on SIMD i modulo that */
	const struct counter_place *counter;    /* of the machine */
	unsigned nslots;                /* of the machine: those that count as empty when no warp is there */
	struct stall_row *by_pc;        /* one a 4-byte word of code */
	struct barrier_group *barrier_group;    /* one a block */
};

/* Fixed for a launch. */
struct sched_rules {
	const struct timing *timing;
	enum policy policy;
	uint32_t group;                 /* two-level: warps of a group */
	uint32_t gap, schedulers;       /* cycles from one issue slot to the next; issues in one */
	enum replay_loop loop;          /* REPLAY_NONE: replayed by the general scheduler */
};

/* SIMDs have the issue slots in turn. With one of them all of this is trivial. */
struct sched_simds {
	uint32_t mask;                  /* their number less one */
	uint32_t round;                 /* cycles from one turn of a SIMD to the next */
	uint64_t slots;                 /* of the first SIMD, from which those of the others follow */
	uint8_t last[SIMDS_MAX];        /* pick of each */
};

/* Sleepers by the issue slot in which they wake, modulo WHEEL; which of those have some; those that wake
 * later, and the issue slot from which on one of them has a place in the wheel. */
struct sleepers {
	uint64_t wheel[WHEEL], used, beyond, beyond_due;
	uint64_t next;                  /* at or before the first ready_at of a sleeper */
};

struct sched_program {
	const struct sched_op *ops;     /* by word of code; for each SIMD */
	uint32_t nops;                  /* for one of them */
	/* The instructions in the order of the code, by sched_op.place (sched_order). */
	const struct sched_op *const *order;
};

struct checkpoints {
	struct fast_forward *state;     /* of the host thread that runs this; NULL: no fast-forward */
	struct fast_forward *log;       /* the same, while it logs what goes into digests; else NULL */
	uint64_t at;                    /* the earliest cycle of the next; SCHED_NEVER: there is none */
	bool due;                       /* it is to be made before the next issue */
	/* Hashes of the state at the last ones; how many there were since a state was found again; how often
	 * none was, lately. */
	uint64_t signature[CHECKPOINTS];
	unsigned n, misses;
};

struct sched {
	struct sched_rules rules;
	struct sched_simds simd;
	uint64_t random;
	uint64_t now, issue_slot;       /* the next issue slot that may be used: its cycle, its number */
	uint64_t issued_at;             /* of the last pick */
	unsigned issues_left;           /* of this slot */
	unsigned last, active_group;
	uint64_t occupied;              /* slots with a warp */
	uint64_t lines_here;            /* lines of code that a first level has and will not lose, and LINE_SAME */
	uint32_t const_here;            /* the line of c[] that was touched last, if it is there; or 0 */
	/* Slots whose warp waits only for a unit and its turn. Some may become ready a little later (ready_at): they
	 * are put to sleep when their turn comes too early. */
	uint64_t ready;
	uint64_t want[WANTS];           /* slots by what their next instruction wants */
	uint64_t free_at[UNITS_MAX];
	/* When each unit was idle, since cycle noted_at, is in idle[]; before that, in slot.idle of ready slots. */
	unsigned nidle[UNITS_MAX];
	uint64_t noted_at[UNITS_MAX], idle_end[UNITS_MAX];      /* the latest end of those times */
	struct sleepers sleep;
	struct sched_program program;
	struct checkpoints checkpoint;
	uint64_t ages;
	struct sched_room room;
	struct stall_row total;         /* of warps that have left, and of empty slots */
	uint64_t empty_since[SLOTS];
	uint64_t counter_waits[COUNTERS_MAX];   /* warp cycles in which instructions waited for each wait counter */
	struct idle { uint64_t from, to; } idle[UNITS_MAX][NO_IDLES + IDLES];
};

/* What a class of instructions is with the numbers of a launch. */
struct sched_class {
	uint32_t cost, other_cost, shared_cost, latency;
	uint8_t unit, other, kind;
};

/* What the instructions of a program have in common: the machine's classes and counters, and which scoreboard entry
 * each register has, in the order in which instructions name them. Entries of wait counters come first. */
struct sched_ports {
	struct sched_class class[CLASSES_MAX];
	struct counter_place counter[COUNTERS_MAX];
	uint16_t *entry;                /* by number of the register: its entry and 1; 0: not named yet */
	uint16_t n;                     /* entries */
	uint32_t round;                 /* cycles from one turn of a SIMD to the next */
	uint32_t results;               /* that an instruction which is simple (sched_op.replay) has at most */
};

/* How many units a machine has with so many SIMDs. */
unsigned sched_units(const struct issue_model *model, unsigned simds);
/* An instruction as another SIMD than the first one has it: on that one's units. */
void sched_op_on_simd(struct sched_op *op, const struct issue_model *model, unsigned simd);

/* For warps of so many lanes; entry[] is zero. */
void sched_ports_init(struct sched_ports *ports, const struct issue_model *model, unsigned lanes, unsigned simds,
		      const struct timing *t, uint16_t *entry);

/* An instruction for the scheduler from what its ISA gives, but for where it is. */
void sched_op_make(struct sched_op *op, const struct ports *p, const struct timing *t, struct sched_ports *ports);

/* What is known of an instruction from the one behind it. A scoreboard has two entries more than `ports` names: one
 * that no instruction waits for, and one that none makes. */
void sched_op_link(struct sched_op *op, const struct timing *t, const struct sched_ports *ports);

void sched_init(struct sched *s, const struct timing *t, enum policy p, uint32_t group, uint64_t seed,
		const struct sched_room *room);

/* Put the n instructions of ops[], which are linked, into the order of the code: order has room for 2 n + 2. */
void sched_order(struct sched_op *ops, uint32_t n, const struct sched_op **order);

struct trace_place;

/* Hooks of a replay. A struct of the machine begins with this struct, and finds the multiprocessor of `s`. */
struct sched_observer {
	/* A slot's next instruction is about to issue. NULL: not called. */
	void (*issues)(const struct sched_observer *o, const struct sched *s, unsigned slot);
	/* An instruction has issued; active: the mask of its warp before. */
	void (*issued)(const struct sched_observer *o, const struct sched *s, unsigned slot, const struct sched_op *op,
		       uint64_t cycle, lane_mask active);
	/* Fast-forward: a period may begin; its issues have come again for so many periods, each so many cycles later
	 * than in the period before, under the masks that traces have from `at` of their slot on. `again` NULL: no
	 * fast-forward. */
	void (*period)(const struct sched_observer *o, const struct sched *s);
	void (*again)(const struct sched_observer *o, const struct sched *s, struct trace_place *at, uint64_t periods,
		      uint64_t cycles);
};

/* Replay the traces of the warps (sched/replay.c), before cycle `until`: returns the slot that issues next, an
 * instruction that needs more than the replay knows, after sched_take; SCHED_NONE: no warp can issue. o: NULL for
 * none. */
int sched_replay(struct sched *s, uint64_t until, const struct sched_observer *o);
/* The picked slot's instruction issues; the warp goes on at `next`, which is fetched at cycle fetched_at, or ends:
 * NULL. Which slot is picked: sched/issue.h. */
void sched_issue(struct sched *s, unsigned slot, const struct sched_work *work, const struct sched_op *next,
		 uint64_t fetched_at);

/* A warp moves into a slot. Its first instruction is fetched at cycle fetched_at. */
void sched_admit(struct sched *s, unsigned slot, const struct sched_op *next, uint64_t fetched_at);
/* The cycle in which the next instruction can issue; SCHED_NEVER: no warp is ready or will be by itself. If it is
 * before `until` the scheduler moves on to it; a later one is only returned. */
uint64_t sched_time(struct sched *s, uint64_t until);
/* Move on to `cycle`, or the first issue slot after it, before which no warp can issue. */
void sched_skip(struct sched *s, uint64_t cycle);
/* An access to global memory: what has issued it, for sched_data. */
struct sched_access {
	const struct sched_op *op;
	uint64_t age;                   /* of the warp */
	uint16_t counted[COUNTERS_MAX]; /* slot.counted when it was issued */
	uint8_t slot;
};

/* Its data will be there at cycle `at`, which is no earlier than it was expected. */
void sched_data(struct sched *s, const struct sched_access *a, uint64_t at);
/* Instead of sched_issue: it could not execute (a lock); or after it: the warp waits (a barrier). */
void sched_block(struct sched *s, unsigned slot, enum stall reason);
/* A blocked slot may go on: after a barrier with its latency, after a lock at once. */
void sched_wake(struct sched *s, unsigned slot, enum stall reason);
/* A slot's warp has issued its arrival at a barrier of its barrier_group, or is over. Returns the slots that this
 * releases from the barrier, the one that arrived last included; 0: none. */
uint64_t sched_arrive(struct sched *s, unsigned slot);
uint64_t sched_leave(struct sched *s, unsigned slot);
void sched_retire(struct sched *s, unsigned slot);
/* Charge every slot up to cycle `end`, at the end of a launch. */
void sched_settle(struct sched *s, uint64_t end);
/* What an occupied slot's next instruction waits for, its fetch, its unit and its turn apart: from slot.since for so
 * many cycles, until `entry` of its scoreboard is there, or, if it is SCHED_NONE, the warp's last instruction is over;
 * and what that is charged to. */
struct sched_cause {
	uint64_t cycles;
	enum stall reason;
	int entry;
};
struct sched_cause sched_cause(const struct sched *s, unsigned slot);
/* Why an occupied slot does not issue in the next issue slot. */
enum stall sched_why(const struct sched *s, unsigned slot);

const char *stall_name(enum stall r);
const char *stall_letter(enum stall r);
const char *stall_text(enum stall r);

/* Sleepers beyond the wheel that now have a place in it get one; when the first of them is ready. */
void sched_refill_wheel(struct sched *s);
uint64_t sched_first_beyond(const struct sched *s);
/* Cycles until `until` in which a unit that takes `op` was idle while the slot's warp was ready for it. */
uint64_t sched_idle_since(const struct sched *s, const struct slot *w, const struct sched_op *op, uint64_t until);
/* The slot's instruction issues, which has waited for wait counters, or counts. */
void sched_count(struct sched *s, struct slot *w, const struct sched_work *work);
/* Make room for another time at which a unit was idle. */
void sched_note_idle(struct sched *s, unsigned unit);
/* Pick among `eligible` slots, not empty (sched/policy.c). */
unsigned policy_pick(struct sched *s, uint64_t eligible);

#endif
