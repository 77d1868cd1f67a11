/* Observers: the one way from a running machine to recorders, checkers and steppers. The machine calls the hooks of a
 * list of observers, in the order of the list, and knows no observer by name. A machine without observers runs loops
 * that are compiled without the calls. */
#ifndef WB_MACHINE_OBSERVER_H
#define WB_MACHINE_OBSERVER_H

#include "core/isa/exec.h"
#include "core/latency.h"

struct machine;
struct mp;
struct sched_op;
struct state_check;
struct trace_place;

/* An observer's struct begins with a struct observer. NULL hooks are not called. */
struct observer {
	struct observer *next;
	/* Reasons to execute an observed launch precisely, or on one host thread; NULL: no need. */
	const char *precise_reason, *single_thread_reason;
	/* With `issues` or `issued`: cycles that one of several multiprocessors may run beyond its epoch. */
	uint64_t run_ahead;

	/* The machine is being prepared; a block's storage (used by many blocks) is. Storage that the observer keeps
	 * for either comes from machine.state, and is part of every snapshot. False: the host has no memory. */
	bool (*prepare)(struct observer *o, struct machine *m);
	bool (*prepare_block)(struct observer *o, struct machine *m, struct block *b);
	/* The launch begins again: observations so far are void. */
	void (*restart)(struct observer *o, struct machine *m);
#ifndef __wasm__
	/* Rules for the observer's state in machine.state that was read from outside (core/state_check.h). */
	void (*check_state)(const struct observer *o, const struct machine *m, struct state_check *c);
#endif
	/* Between two turns of a multiprocessor. */
	void (*between)(struct observer *o, struct machine *m);

	/* Precise execution: mp->x.warp is about to execute an instruction; the instruction has executed (mp->x.step,
	 * enum outcome). */
	void (*before)(struct observer *o, struct machine *m, struct mp *mp);
	void (*executed)(struct observer *o, struct machine *m, struct mp *mp, int outcome);
	/* As `executed`, inside the run loop, with the step's accesses and before the warp goes on
	 * (rules.inspected). */
	void (*inspected)(struct observer *o, struct machine *m, struct exec *x);
	/* Warps of a block were released (block.woken), by what mp->x.warp did. */
	void (*woken)(struct observer *o, struct machine *m, struct mp *mp, struct block *b);

	/* Trace replay: the next instruction of a slot is about to issue. Called as `issued` is. */
	void (*issues)(struct observer *o, const struct mp *mp, unsigned slot);
	/* Trace replay: an instruction of a slot has issued in a cycle, under mask `active`. Then `waits`: the slot's
	 * warp waits at a barrier. `released`: a warp's arrival or end has released warps of the block, one bit each.
	 * `issued` is called from inside the replay loop, with arguments that fit into registers. */
	void (*issued)(struct observer *o, const struct mp *mp, unsigned slot, const struct sched_op *op,
		       uint64_t cycle, lane_mask active);
	/* Fast-forward of a multiprocessor; forbidden by an observer without the two hooks, or beside another observer
	 * of trace replay. period: a period may begin with the next `issued`. again: the issues of the period have come
	 * again `periods` times, each time `cycles` cycles later than before, under the masks in the traces from at[]
	 * of each slot on (trace_place_issue, sched/fast_forward.h); the scheduler is behind the last period. */
	void (*period)(struct observer *o, const struct mp *mp);
	void (*again)(struct observer *o, const struct mp *mp, struct trace_place *at, uint64_t periods,
		      uint64_t cycles);
	void (*waits)(struct observer *o, struct machine *m, struct mp *mp, const struct warp *w, unsigned barrier);
	void (*released)(struct observer *o, struct machine *m, struct mp *mp, const struct warp *w, uint64_t warps);

	/* The first instruction of a block is about to execute; a block has been placed; a block has ended. A warp has
	 * ended, or, when the launch is settled, never will; `cycles` cycles since the warp's start. */
	void (*block_starts)(struct observer *o, struct machine *m, struct block *b);
	void (*block_placed)(struct observer *o, struct machine *m, struct mp *mp, struct block *b);
	void (*block_ended)(struct observer *o, struct machine *m, struct mp *mp, struct block *b);
	void (*warp_ended)(struct observer *o, struct machine *m, struct mp *mp, struct warp *w);
	void (*warp_settled)(struct observer *o, struct machine *m, const struct mp *mp, const struct warp *w,
			     uint64_t cycles);
};

/* Pages go on from no state of outside. */
#ifdef __wasm__
#define CHECK_STATE(o, f) ((void)(o))
#else
#define CHECK_STATE(o, f) ((o)->check_state = (f))
#endif

/* Call a hook of all observers of machine m. */
#define NOTIFY(m, hook, ...) do { \
		for (struct observer *o_ = (m)->observers; o_; o_ = o_->next) \
			if (o_->hook) \
				o_->hook(o_, m, ##__VA_ARGS__); \
	} while (0)

#endif
