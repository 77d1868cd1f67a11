/* The changing state of a running launch: multiprocessors, resident blocks and warps, caches and the shared path to
 * memory. The plan (machine/plan.h) does not change. Global memory is a thing of its own, which launches may have one
 * after the other. A snapshot of a machine is a copy of the state arena, of `run` and of global memory
 * (inspect/time_travel.h). */
#ifndef WB_MACHINE_STATE_H
#define WB_MACHINE_STATE_H

#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/isa/exec.h"
#include "core/trace.h"
#include "machine/block_scheduler.h"
#include "machine/livelock.h"
#include "machine/observer.h"
#include "machine/plan.h"
#include "mem/cache.h"
#include "mem/global.h"
#include "mem/path.h"

/* Storage of a multiprocessor for one block, used for one block after the other. */
struct resident {
	struct block block;
	bool live;                      /* a block is here */
	unsigned first_slot;            /* warp slot of the block's warp 0 */
	uint64_t *since;                /* by warp: cycle of its start */
	struct warp_trace *trace;       /* by warp: its trace, in trace-driven execution; else NULL */
	unsigned worker;                /* trace-driven: number of the block's read and write sets (mem/conflicts.h) */
	/* registers, s[] and l[] of the block are overwritten: another block had the storage */
	bool moved_out;
};

/* Without timing: turns of a multiprocessor's warp slots. */
struct turns {
	uint64_t block;                 /* slots of the block with the present turns, one bit each */
	unsigned previous;              /* slot that had the previous turn */
	unsigned remaining;             /* turns in a row that the block may still have */
	unsigned rounds;                /* turns in a row of a block, for each of its warps */
};

struct mp {                     /* x comes first: callbacks find the multiprocessor by its executor */
	struct exec x __attribute__((aligned(128)));    /* neighbours may belong to different host threads */
	struct sched sched;             /* without timing only a clock, which counts instructions */
	uint64_t ready;                 /* slots that can go on */
	struct turns turns;             /* without timing */
	struct sched_work work;         /* cost of the present instruction's accesses */
	uint32_t const_line;            /* line of c[] that the instruction needs, while traces are made; 0: no line */
	struct request *request;        /* to global memory in this epoch, in cycle order */
	unsigned nrequests, nanswers;   /* requests not sent yet; requests sent and not delivered */
	struct cache code_l1, const_l1, texture_l1;
	struct bill bill;
	unsigned nresident, nlive;      /* elements of resident[]; elements with a block */
	struct resident *resident;
	struct warp *slot[64];
	struct mem_counts *mem;         /* with full statistics, else NULL */
	struct work_queue queue;        /* blocks to come */
	struct pre_executed *pre_executed;      /* blocks executed before they are placed, or NULL */
	unsigned thread;                /* number of the host thread that runs the multiprocessor */
	bool to_execute;                /* trace-driven: blocks placed before the run began are to be executed */
	uint64_t started;               /* blocks */
	struct machine *machine;
};

/* Variables of a run that are neither in the state arena nor in global memory. */
struct run_state {
	_Atomic uint64_t finished_blocks;
	_Atomic uint32_t started_blocks;
	_Atomic bool queue_empty;       /* a multiprocessor has used up its stripe of blocks, now or before */
	uint64_t epoch_end;             /* with timing: cycle up to which each multiprocessor runs by itself */
	unsigned epoch_mp;              /* index of the multiprocessor that runs in the current epoch */
	bool all_started;               /* all blocks of the grid had been placed when the epoch began */
	unsigned turn;                  /* without timing: index of the multiprocessor that has the turn */
	uint64_t visit;                 /* about how many instructions in a row the multiprocessor `turn` has */
	unsigned slice_mp;              /* without timing, stepped: multiprocessor whose warp is within a turn */
	uint64_t slice_remaining;       /* instructions that the turn may still take; 0: no turn has begun */
	uint64_t slice_longer;          /* instructions by which the turn goes on as its warp holds a lock */
	size_t nprimitives, primitives_lost;
	uint64_t turns;
	unsigned visited;               /* index of the multiprocessor that had the previous turn */
	uint64_t unchecked;             /* without timing: instructions since the last search for a livelock, about */
	struct livelock livelock;
	/* Host threads have run a part that was saved: `livelock` has not seen the states of that part. */
	bool unwatched;
};

/* Trace-driven execution (machine/trace_driven.h). */
struct traces {
	bool every_load;                /* the read sets have all loads, even where no block has stored before */
	struct trace_store store;
	struct exec_context *contexts, *idle;   /* all execution contexts; contexts that no thread uses */
	struct fast_forward **fast_forward;     /* by host thread: buffers of fast-forward */
	_Atomic unsigned helped;        /* index behind the multiprocessor for which a block was pre-executed last */
};

/* Instructions executed up to now, to within a check or a slice, and blocks whose execution is complete before their
 * timing; host threads add, and other threads read (wb_launch_work). */
struct work_done {
	_Atomic uint64_t instructions;
	_Atomic uint64_t blocks, in_blocks;     /* trace-driven: complete blocks, and their instructions */
};

struct machine;

/* What a run that may be saved asks (device/saving.h). */
struct run_saver {
	/* The machine is ready for the first instruction, for the first time or after an attempt that was given up:
	 * note the state, or put the saved state in its place. False, with a diagnostic: the launch cannot run. */
	bool (*begin)(struct machine *m, struct diag *d);
	/* Between two turns of one host thread, or while all host threads wait: does the run stop here? */
	bool (*stops)(struct machine *m);
	/* Global memory is as before the first instruction, and `begin` puts no saved state in place any more. */
	void (*forget)(struct machine *m);
};

struct machine {
	const struct plan *plan;
	struct arena *arena;            /* of the launch: storage allocated once and no part of a snapshot */
	struct arena state;
	struct run_state run;
	struct global *global;          /* the memory that the launch works on; outlives the machine */
	struct mp *mp;                  /* plan->nmps multiprocessors */
	struct mem_path *shared_path;   /* of the chip to global memory */
	struct cache *l3, *l2;          /* of the chip, of each TPC */
	struct cache *texture_l2;       /* of the chip; NULL: the launch has no textures */
	struct requests *requests;      /* between epochs: all requests, put in order (machine/epochs.c) */
	uint64_t *next_cycle;           /* by multiprocessor: earliest cycle of its next issue */
	struct observer *observers;
	lane_mask *given_lanes;         /* of the plan's stream (struct exec); NULL: the plan has none */
	bool observed, replay_observed; /* an observer has `executed`; an observer has `issues` or `issued` */
	uint64_t run_ahead;             /* the least run_ahead of all observers of trace replay */
	bool single_step;               /* precise_step issues one instruction, timing or not */
	const struct run_saver *saver;  /* the run may stop to be saved, or goes on from a saved state; else NULL */
	bool paused;                    /* saver->stops has said yes; the run is not over */
	bool touched;                   /* s[] or l[] was written to after the machine was prepared */
	const struct way *way;          /* how blocks are executed now (machine/way.h) */
	struct traces traces;
	struct work_done work_done;
	struct thread_pool *pool;       /* while host threads run the machine (machine/thread_pool.h), else NULL */
	unsigned threads;               /* host threads of the run; 0: a stepped launch, or not begun */
	const char *single_thread_reason, *precise_reason;      /* as struct wb_report has them */
	_Atomic bool interrupt;         /* set by other threads and by signal handlers */
	_Atomic bool out_of_time;       /* the interrupt comes from the time limit; set before `interrupt` */
	bool counts_reach;              /* bills have what the kernel reaches of its code, and saved runs all code */
	_Atomic bool no_choice;         /* the interrupt comes from a caller's policy; set before `interrupt` */
	const char *result;             /* ok fault limit deadlock livelock interrupted; NULL: the run has not begun */
	struct diag why;                /* diagnostic of a result that is not "ok" */
	struct mp *fault_mp;            /* multiprocessor on which the fault happened */
};

/* NULL: the run cannot stop to be saved; pages have no saved runs. */
static inline const struct run_saver *saver_of(const struct machine *m)
{
#ifdef __wasm__
	(void)m;
	return NULL;
#else
	return m->saver;
#endif
}

_Static_assert(offsetof(struct mp, x) == 0, "an executor's callbacks find their multiprocessor");

/* Multiprocessor of a scheduler. */
static inline struct mp *mp_of_sched(const struct sched *s)
{
	return (struct mp *)((char *)s - offsetof(struct mp, sched));
}

#endif
