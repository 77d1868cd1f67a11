/* A launch: a plan, the machine that runs it, and its observers. Callers of warpbeam.h hold a pointer to it.
 *
 * Observers (machine/observer.h) are members of their own and NULL where there is none; the machine has a list of those
 * that are there. What api/ keeps of the caller's files, options and arguments is behind `inputs`. */
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
	struct arena arena;             /* of the plan, and of all that stays as it is while the launch runs */
	struct inputs *inputs;
	/* Make the machine ready for its first instruction; done once. */
	bool (*prepare)(struct wb_launch *l, struct diag *d);
	bool prepared;
	const char *inputs_missing;     /* input registers that the program reads and that were not given, or NULL */

	struct watch *watch;            /* while it is stepped */
	struct recorder *recorder;
	struct check *check;
	struct packing *packing;
	struct producers *producers;
	struct warp_rows *rows;
	struct stops *stops;            /* breakpoints and watches */
	struct time_travel *past;       /* how to go back */
	struct lint *lint;              /* --hw-strict */
	/* Called with every issue of a stepped launch, or NULL. */
	void (*each)(void *context, const struct wb_issue *i);
	void *each_context;
	size_t record_bytes;            /* that time travel may take; 0: the default */
	uint64_t ran;                   /* turns of the last movement */
	bool over;                      /* a stepped launch has no turn left */
	bool fell;                      /* and its last turn issued nothing: that is a position of its own */

	struct arena report_arena;      /* of the report, and with it renewed */
	struct bill bill;               /* all multiprocessors' */
	struct wb_report report;
};

/* An observer whose state is kept elsewhere, in the machine's state arena, so that a snapshot has it. */
struct launch_observer {
	struct observer observer;
	struct wb_launch *launch;
};

/* The source line of the instruction at a pc; 0: not known (inspect/query.c). */
int kernel_line(const struct image_kernel *k, uint32_t pc);
/* Observers come in the order in which they were added, but for the first. */
void launch_observe(struct wb_launch *l, struct observer *o, bool first);
/* Close the accounts of the machine; findings of checkers become the result, unless it is a worse one. */
void launch_settle(struct wb_launch *l);
/* Notify l->each of the issue that has just happened (inspect/query.c). */
void notify_issue(const struct wb_launch *l);
/* Make l->report of a settled launch, in place of an earlier one (inspect/report.c). */
bool report_build(struct wb_launch *l);
struct wb_occupancy public_occupancy(const struct occupancy *o);

/* Hex digits of a mask of the launch's warps. */
static inline int mask_digits(const struct wb_launch *l)
{
	return (int)(l->plan.code.target.isa->lanes + 3) / 4;
}

#endif
