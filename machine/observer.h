/* Observers: the one way from a running machine to what records, checks or steps it. The machine has a list of them and
 * calls the hooks that they set, in the order of the list; it knows none of them by name. A machine without observers
 * runs loops that are compiled without these calls. */
#ifndef WB_MACHINE_OBSERVER_H
#define WB_MACHINE_OBSERVER_H

#include "core/isa/exec.h"
#include "core/latency.h"

struct machine;
struct mp;
struct sched_op;
struct trace_place;

/* An observer's own struct begins with this one. Hooks that are NULL are not called. */
struct observer {
	struct observer *next;
	/* Why a launch that it observes is executed precisely, or by one host thread; NULL: it need not be. */
	const char *precise_reason, *single_thread_reason;
	/* With `issues` or `issued`: by how many cycles one of several multiprocessors may run beyond its epoch. */
	uint64_t run_ahead;

	/* The machine is being prepared, and a block's memory (which may be used by many blocks): what the observer
	 * keeps of either comes from machine.state, and is part of every snapshot. False: the host has no memory. */
	bool (*prepare)(struct observer *o, struct machine *m);
	bool (*prepare_block)(struct observer *o, struct machine *m, struct block *b);
	/* The launch begins again: what has been observed is void. */
	void (*restart)(struct observer *o, struct machine *m);
	/* Between two turns of a multiprocessor. */
	void (*between)(struct observer *o, struct machine *m);

	/* Precise execution: mp->x.warp is about to execute an instruction; it has (mp->x.step, enum outcome). */
	void (*before)(struct observer *o, struct machine *m, struct mp *mp);
	void (*executed)(struct observer *o, struct machine *m, struct mp *mp, int outcome);
	/* The same inside the run loop, with its accesses and before its warp goes on (rules.inspected). */
	void (*inspected)(struct observer *o, struct machine *m, struct exec *x);
	/* Warps of a block were released (block.woken), by what mp->x.warp did. */
	void (*woken)(struct observer *o, struct machine *m, struct mp *mp, struct block *b);

	/* Trace replay: the next instruction of a slot is about to issue. As `issued`. */
	void (*issues)(struct observer *o, const struct mp *mp, unsigned slot);
	/* Trace replay: an instruction of a slot has issued in a cycle, under mask `active`; its warp waits at a
	 * barrier; a warp's arrival or end has released warps of its block, one bit each. It is called from inside the
	 * replay loop, with what fits into registers. */
	void (*issued)(struct observer *o, const struct mp *mp, unsigned slot, const struct sched_op *op,
		       uint64_t cycle, lane_mask active);
	/* Fast-forward of a multiprocessor. An observer without these, or beside another of trace replay, forbids it.
	 * The next `issued` is the first of what may be a period. Its issues have come again for so many periods, each
	 * so many cycles later than in the period before, under the masks that the traces have from `at` of their slot
	 * on (trace_place_issue, sched/fast_forward.h); the scheduler is behind them. */
	void (*period)(struct observer *o, const struct mp *mp);
	void (*again)(struct observer *o, const struct mp *mp, struct trace_place *at, uint64_t periods,
		      uint64_t cycles);
	void (*waits)(struct observer *o, struct machine *m, struct mp *mp, const struct warp *w, unsigned barrier);
	void (*released)(struct observer *o, struct machine *m, struct mp *mp, const struct warp *w, uint64_t warps);

	/* A block is about to have its first instruction executed; it has been placed; it has ended. A warp has ended,
	 * or, as the launch is settled, stands where it will stay; it was resident for so many cycles. */
	void (*block_starts)(struct observer *o, struct machine *m, struct block *b);
	void (*block_placed)(struct observer *o, struct machine *m, struct mp *mp, struct block *b);
	void (*block_ended)(struct observer *o, struct machine *m, struct mp *mp, struct block *b);
	void (*warp_ended)(struct observer *o, struct machine *m, struct mp *mp, struct warp *w);
	void (*warp_settled)(struct observer *o, struct machine *m, const struct mp *mp, const struct warp *w,
			     uint64_t cycles);
};

/* Call a hook of all observers of machine m. */
#define NOTIFY(m, hook, ...) do { \
		for (struct observer *o_ = (m)->observers; o_; o_ = o_->next) \
			if (o_->hook) \
				o_->hook(o_, m, ##__VA_ARGS__); \
	} while (0)

#endif
