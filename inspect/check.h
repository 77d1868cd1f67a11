/* The checkers (--check): errors that a run survives by chance, and would not survive with another order of warps or on
 * another machine. */
#ifndef WB_INSPECT_CHECK_H
#define WB_INSPECT_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/lanes.h"

struct block;
struct diag;
struct exec;
struct machine;
struct mp;
struct observer;
struct state_check;
struct warp;
struct wb_launch;

/* In the order of --check's words. */
enum check_kind { CHECK_RACE, CHECK_UNINIT, CHECK_BARRIER, CHECK_BOUNDS, CHECKS };

/* Findings of one kind at one pc are one row; `text` is the first finding's. In snapshots, as struct touch. */
enum { FINDINGS_MAX = 20, FINDING_TEXT = 240, GUESSES_MAX = 64 };
#define NO_GUESS UINT32_MAX
struct finding {
	uint64_t count;
	uint32_t kind;                  /* enum check_kind */
	uint32_t pc, other;             /* pc of the instruction; pc of the earlier instruction, or a register */
	uint32_t guess;                 /* of a race of a load with an atomic: the load's pc; otherwise NO_GUESS */
	char text[FINDING_TEXT];
};
_Static_assert(sizeof(struct finding) == 24 + FINDING_TEXT, "no padding");

/* Performance events by which code compiled for the checks tells where its source is (toolchain/opencl/builtins.cl). */
enum source_mark {
	MARK_ZERO = 8, MARK_ONE,        /* a bit of the arguments of a copy or a wait */
	MARK_COPY,                      /* a copy by all work-items of a group begins */
	MARK_WAIT,                      /* a wait for events begins */
	MARK_NO_EVENT,                  /* the wait is for an event that no copy has made */
	MARK_INDEX                      /* an index is beyond its array */
};
enum { MARK_BITS = 16 };                /* bits of arguments behind a copy or a wait */

/* Findings of bounds at one pc. */
enum { BOUNDS_END, BOUNDS_INDEX, BOUNDS_ALIGNMENT, BOUNDS_ROUNDED, BOUNDS_FORBIDDEN };

/* One access to a word. In snapshots, which compare bytes: all bytes are members'. */
struct touch {
	uint32_t block, pc, clock;      /* clock: the warp's own, at the access */
	uint8_t  warp, lane;
	uint16_t bytes;                 /* mask of the word's bytes; 0: no access yet */
};
_Static_assert(sizeof(struct touch) == 16, "no padding");

/* For each word the last store and atomic, and the last loads of two warps: a store that races with any load since the
 * last store also races with a load of one of two warps. */
struct shadow {
	struct touch store, atomic, load[2];
};

/* Copies and waits of a block, which all work-items reach in one order and with the same arguments. In snapshots. */
enum { MEETINGS_MAX = 256 };
struct meeting { uint32_t pc, arguments; };
struct warp_meetings {
	uint32_t n;                     /* copies and waits with all their arguments */
	struct meeting present;
	uint32_t bits;                  /* bits of arguments to come; 0: no copy and no wait is under way */
	uint32_t copy, unwaited;        /* pc of the last copy; 1: no wait since */
};
struct block_meetings {
	uint32_t n;                     /* of the warp that has most */
	uint32_t apart;                 /* 1: a difference is found, and whatever follows may be another by it */
	struct meeting meeting[MEETINGS_MAX];   /* the last MEETINGS_MAX of n, by number */
};

/* Shadow state of a resident block. */
struct block_check {
	uint32_t *clock;                /* [warp][warp]: each warp's view of the other warps' clocks */
	uint32_t *lock_clock; /* [word of s[]][warp]: clocks for the next warp that takes a lock at the word */
	uint32_t releases;              /* releases of barriers already in the clocks */
	struct shadow *shared;          /* by word */
	uint8_t *shared_written;        /* by byte */
	uint8_t *local_written;         /* by byte, thread after thread */
	lane_mask *written;             /* [warp][register] */
	struct block_meetings *meetings;
	struct warp_meetings *met;      /* by warp */
};

struct check {
	bool compiled;                  /* a compiler has chosen registers and widths of accesses */
	bool marked;                    /* performance events are marks of the source */
	bool on[CHECKS];
	uint32_t warps, lanes, nreg;    /* of a block, of a warp, of a thread */
	uint32_t shared_requested, local_requested;
	struct ports *ports;            /* by word of code */
	/* Of global memory, by word: a hash table of pages by number, a power of two of places. */
	struct shadow_page { uint32_t number; struct shadow *word; } *page;
	uint32_t places;
	uint64_t *diverged_seen;        /* barriers under divergence, of each multiprocessor */
	uint64_t *rounded_seen;         /* loads of addresses rounded down, likewise */
	uint64_t total[CHECKS];
	unsigned nfindings, nguesses;
	struct finding finding[FINDINGS_MAX];
	uint32_t guess[GUESSES_MAX];    /* pcs of loads that guess the value for a compare and swap */
};

/* Set on[] of the kinds in a text (--check), "race,uninit"; "none" and "" set nothing. */
bool check_kinds(const char *kinds, bool on[CHECKS], struct diag *d);
/* Begin the checks named in a text; the launch's program is bound for observers of instructions (rules.inspected). */
bool check_begin(struct wb_launch *l, const char *kinds, struct diag *d);
/* Memory for the whole launch, whose plan is complete. False: the host has no memory. */
bool check_prepare(struct wb_launch *l);
/* At the end of the run (inspect/findings.c): findings become the result, unless the run has a worse result. */
void check_verdict(struct wb_launch *l);

/* ---- between the checkers ---- */

/* One lane's part of an access. */
struct piece {
	const struct access *access;
	unsigned lane;
	uint64_t addr;          /* in s[], or in global memory independent of the view */
};
/* By enum access_kind; letters by memory. */
extern const char *const check_kind_names[];
extern const char check_space_names[];
enum { PLACE_NAME = 80 };
/* " (tile[5])", the variable of the source; "": none is known. */
const char *check_place(const struct wb_launch *l, struct exec *x, const struct piece *p, char text[PLACE_NAME]);

/* The kind named by n bytes of --check's text; -1: none. */
int check_kind_of(const char *word, size_t n);
/* Add a finding at the present instruction; fmt is the text without the kind. `other` separates findings at one pc.
 * NULL: the finding is known, or the list is full. */
struct finding *check_found(struct wb_launch *l, enum check_kind kind, uint32_t pc, uint32_t other, const char *fmt,
			    ...)
	__attribute__((format(printf, 5, 6)));
/* Count a finding that is known already. False: the finding is new, for check_found. */
bool check_counted(struct wb_launch *l, enum check_kind kind, uint32_t pc, uint32_t other);
/* Is the load at pc a guess? */
bool check_guesses(const struct check *c, uint32_t pc);
/* The load at pc guesses the value for a compare and swap, which finds out: no race with atomics, and none so far. */
void check_guess(struct check *c, uint32_t pc);
/* Shadow of all global memory (inspect/check_memory.c). False: the host has no memory. */
bool check_pages(struct wb_launch *l);
/* Check the mark of the present step, a performance event by number. */
void check_mark(struct wb_launch *l, struct exec *x, unsigned event);
/* The last warp of a block has ended; a warp has. */
void check_meetings_end(struct wb_launch *l, const struct block *b);
void check_copies_end(struct wb_launch *l, const struct block *b, const struct warp *w);
/* Rules for the checkers' state that was read from outside (inspect/check_state.c). */
void check_check_state(const struct observer *o, const struct machine *m, struct state_check *c);
/* The same of one lane's part of an access. */
void check_compiled(struct wb_launch *l, struct exec *x, const struct piece *p);
/* Check the accesses of the present step. */
void check_memory(struct wb_launch *l, struct exec *x);

#endif
