/* The checkers (--check): errors that a run happens to survive, and that another order of its warps, or another
 * machine, would not. */
#ifndef WB_INSPECT_CHECK_H
#define WB_INSPECT_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"

struct block;
struct diag;
struct exec;
struct mp;
struct warp;
struct wb_launch;

/* In the order in which --check names them. */
enum check_kind { CHECK_RACE, CHECK_UNINIT, CHECK_BARRIER, CHECK_BOUNDS, CHECKS };

/* Findings of one kind at one place are one row; `text` is the first's. */
enum { FINDINGS_MAX = 20, FINDING_TEXT = 240 };
struct finding {
	uint8_t  kind;
	uint32_t pc, other;             /* of the instruction; of the other one, or a register */
	uint64_t count;
	char text[FINDING_TEXT];
};

struct touch {                          /* one access to a word */
	uint32_t block, pc, clock;      /* clock: the warp's own, when it touched */
	uint8_t  warp, lane;
	uint8_t  bytes;                 /* of the word, one bit each; 0: none yet */
};

/* Of each word the last store and atomic, and the last loads of two warps: a store that races with any load since the
 * last store races with one of two. */
struct shadow {
	struct touch store, atomic, load[2];
};

/* What is known of a block that is resident. */
struct block_check {
	uint32_t *clock;                /* [warp][warp]: what each warp knows of the others' clocks */
	uint32_t *lock_clock;           /* [word of s[]][warp]: the same, for the warp that takes a lock there next */
	uint32_t releases;              /* of barriers that the clocks know of */
	struct shadow *shared;          /* by word */
	uint8_t *shared_written;        /* by byte */
	uint8_t *local_written;         /* by byte, thread after thread */
	lane_mask *written;             /* [warp][register] */
};

struct check {
	bool on[CHECKS];
	uint32_t warps, lanes, nreg;    /* of a block, of a warp, of a thread */
	uint32_t shared_requested, local_requested;
	struct ports *ports;            /* by word of code */
	/* Of global memory, by word: a hash table of pages by number, a power of two of places. */
	struct shadow_page { uint32_t number; struct shadow *word; } *page;
	uint32_t places;
	uint64_t *diverged_seen;        /* barriers under divergence, of each multiprocessor */
	uint64_t total[CHECKS];
	unsigned nfindings;
	struct finding finding[FINDINGS_MAX];
};

/* Begin the checks that a text names (--check); none when it is empty. */
bool check_begin(struct wb_launch *l, const char *kinds, struct diag *d);
/* Memory for the whole launch, whose plan is complete. False: the host has no memory. */
bool check_prepare(struct wb_launch *l);
/* The run is over: findings become its verdict if nothing worse has happened. */
void check_verdict(struct wb_launch *l);

/* ---- between the checkers ---- */

/* A finding at the present instruction; fmt says all but the kind. `other` distinguishes it from others at this pc. */
void check_found(struct wb_launch *l, enum check_kind kind, uint32_t pc, uint32_t other, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* What is known of a page of global memory by number, or where it would have a place (word NULL). */
struct shadow_page *check_page(const struct check *c, uint64_t number);
/* The accesses of the present step (inspect/check_memory.c). */
void check_memory(struct wb_launch *l, struct exec *x);

#endif
