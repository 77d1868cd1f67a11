/* The switches of a machine's behaviour: where evidence conflicts, or a student wants to know, the behaviour is a rule
 * with a default (spec tesla-semantics). The order of each enum is the order of the option's choices in
 * device/option.def. */
#ifndef WB_CORE_RULES_H
#define WB_CORE_RULES_H

#include <stdbool.h>
#include <stdint.h>

enum diverge_rule { DIVERGE_TAKEN, DIVERGE_FALL, DIVERGE_LARGER, DIVERGE_RANDOM };
enum join_rule { JOIN_MERGED, JOIN_PER_PATH };
enum lock_rule { LOCK_WARP, LOCK_FLAG };
enum winner_rule { WINNER_HIGHEST, WINNER_LOWEST, WINNER_RANDOM };
enum bar_rule { BAR_WARPS, BAR_THREADS };
enum discard_rule { DISCARD_DEMOTE, DISCARD_STOP };

#define FAIR_NEVER UINT64_MAX
enum { CALLS_UNLIMITED = 0x7fffffff, LOCK_ENTRIES_EXACT = 0 };
/* Words of 64 lock bits for a table of n entries; exact: an entry for each word of the 64 KiB that 16 bits address. */
#define FLAG_ENTRIES(n) ((n) == LOCK_ENTRIES_EXACT ? 1u << 14 : (n))
#define FLAG_WORDS(n) (FLAG_ENTRIES(n) / 64 + 1)

/* Numbers of pmevent. */
enum { PM_EVENTS = 16 };

/* Bits of the MP's mode register (facts 4.10). */
enum mp_mode { MP_ALWAYS_DERIV = 1, MP_ZERO_WINS = 2, MP_SAT_NAN_ZERO = 0x80000 };

struct reconverge;

struct rules {
	enum diverge_rule diverge;
	/* the policy (core/diverge/reconverge.def); NULL: the machine's own way */
	const struct reconverge *reconverge;
	enum join_rule join;        /* for the machine's own way alone */
	enum lock_rule lock;
	enum winner_rule store_winner;
	enum bar_rule bar_unit;
	enum discard_rule discard;
	uint32_t lock_entries;      /* LOCK_FLAG: table size, a power of two, or LOCK_ENTRIES_EXACT */
	uint32_t call_limit;        /* limited calls on a stack at once */
	uint32_t stack_depth;
	uint64_t minpc_fair;        /* minpc: issues that a lane may have to wait, or FAIR_NEVER */
	bool inspected;             /* exec.hooks.executed is called for every instruction */
	bool slow_path;             /* no threaded code: each instruction by its executor */
	bool detailed;              /* traces have a struct trace_detail for each guarded or steering instruction */
	uint32_t mp_mode;           /* enum mp_mode bits */
	bool strict;                /* loose bits fault */
	bool preset;                /* registers may be set between a warp's start and its first instruction */
	uint64_t seed;
};

#endif
