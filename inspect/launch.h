/* A launch: a plan, the machine that runs the plan, and its observers. Callers of warpbeam.h hold a pointer to this.
 *
 * Each observer (machine/observer.h) has a member, NULL while unused; the machine has a list of the observers in use.
 * `inputs` has the caller's files, options and arguments for api/. */
#ifndef WB_INSPECT_LAUNCH_H
#define WB_INSPECT_LAUNCH_H

#include "core/bill.h"
#include "core/program/lint.h"
#include "inspect/public_diag.h"
#include "machine/machine.h"
#include "warpbeam.h"

struct inputs;

struct wb_launch {
	struct plan plan;
	struct machine machine;
	struct arena arena;             /* storage of the plan and other constants of the launch */
	struct arena late;              /* program.late of a program bound for this launch alone */
	struct inputs *inputs;
	/* Make the machine ready for its first instruction; done once. */
	bool (*prepare)(struct wb_launch *l, struct diag *d);
	bool prepared;
	bool again;                     /* the plan is a kept launch's: only what arguments decide is to be prepared */
	bool repeatable;                /* up to its arguments, preparing has put nothing into `arena` */
	bool own_plan;                  /* no other launch has parts of the plan */
	bool rebind;                    /* the rules have changed: `prepare` binds the program anew, for this launch */
	const char *type_warning;       /* argument of another kind of number than its parameter; NULL: none */
	const char *native_missing;     /* why --native now has no effect; NULL: no such reason */
	const char *inputs_missing;     /* input registers that the program reads and no vertex sets; NULL: none */

	struct watch *watch;            /* actions of the last turns, while the launch is stepped */
	struct recorder *recorder;
	struct check *check;
	struct packing *packing;
	struct producers *producers;
	struct accesses *accesses;
	struct warp_rows *rows;
	struct stops *stops;            /* breakpoints and watches */
	struct time_travel *past;       /* how to go back */
	struct saving *saving;          /* the run may stop to be saved, or goes on from a saved state */
	struct lint *lint;              /* --hw-strict */
	/* Called with every issue of a stepped launch, or NULL. */
	void (*each)(void *context, const struct wb_issue *i);
	void *each_context;
	size_t record_bytes;            /* bytes for time travel; 0: the default */
	uint64_t ran;                   /* turns of the last movement */
	bool over;                      /* a stepped launch has no turn left */
	bool ended_without_issue;       /* the last turn issued nothing and ended the launch: a position more */

	struct arena report_arena;      /* storage of the report, renewed with each report */
	struct bill bill;               /* sum over all multiprocessors */
	struct wb_report report;
	bool totals_due, rows_due;      /* the launch has run, and nobody has asked for its totals, its report's rows */
};

/* An observer whose state is in the machine's state arena, so that a snapshot includes the state. */
struct launch_observer {
	struct observer observer;
	struct wb_launch *launch;
};

/* The source line of the instruction at a pc; 0: not known (inspect/query.c). */
int kernel_line(const struct image_kernel *k, uint32_t pc);
/* Add an observer behind the others, or before all others if `first`. */
void launch_observe(struct wb_launch *l, struct observer *o, bool first);
/* Close the accounts of the machine; findings of checkers become the result, unless the result is worse. */
void launch_settle(struct wb_launch *l);
/* Call l->each for the latest issue (inspect/query.c). */
void notify_issue(const struct wb_launch *l);
struct wb_occupancy public_occupancy(const struct occupancy *o);

/* Hex digits of a mask of the launch's warps. */
static inline int mask_digits(const struct wb_launch *l)
{
	return (int)(l->plan.code.target.isa->lanes + 3) / 4;
}

#endif
