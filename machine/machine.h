/* The machine that runs a launch: multiprocessors, the blocks and warps on them, the caches and the path that they
 * share. All of it changes while the launch runs; the plan does not. A snapshot of a machine is a copy of what its
 * state arena holds, of `run` and of global memory (inspect/time_travel.h). */
#ifndef WB_MACHINE_MACHINE_H
#define WB_MACHINE_MACHINE_H

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/trace.h"
#include "core/isa/exec.h"
#include "machine/block_scheduler.h"
#include "machine/livelock.h"
#include "machine/observer.h"
#include "machine/plan.h"
#include "mem/cache.h"
#include "mem/global.h"
#include "mem/path.h"

/* Room for one block on a multiprocessor, used again and again. */
struct resident {
	struct block block;
	bool live;
	unsigned first_slot;
	uint64_t *since;        /* cycle in which each warp started */
	struct warp_trace *trace;  /* trace of each warp, where blocks are executed when they are placed; else NULL */
	unsigned worker;        /* then: of mem/conflicts.h */
	bool gone;              /* the block was executed in memory that another one has now */
};

/* What an instruction requests of the path to global memory. */
struct request {
	uint64_t cycle;                 /* of the issue; when it has been sent, in which its data is there */
	struct sched_access access;
	uint32_t bytes, last_bytes;
};

/* Without timing: whose turn it is among the slots of a multiprocessor. */
struct turns {
	uint64_t block;                 /* slots of the block that has its turns */
	unsigned last;                  /* that had the last turn */
	unsigned left;                  /* turns that the block may have in a row yet; */
	unsigned rounds;                /* at the beginning, so many for each of its warps */
};

struct mp {                     /* x comes first: its callbacks find their multiprocessor by it */
	struct exec x __attribute__((aligned(128)));    /* neighbours may belong to different host threads */
	struct sched sched;             /* with timing; without, three lines of it are enough: */
	uint64_t ready, cycle;          /* slots that can go on; cycles as a count of instructions */
	struct turns turns;             /* without timing */
	struct sched_work work;         /* what the present instruction's accesses cost */
	uint32_t const_line;            /* of c[], that it needs, while its warp leaves a trace; 0: none */
	struct request *request;        /* to global memory in this epoch, in cycle order */
	unsigned nrequests, nanswers;   /* of them: not sent yet; sent, and not delivered */
	struct cache code_l1, const_l1, texture_l1;
	struct bill bill;
	unsigned nresident, nlive;      /* rooms, and those with a block */
	struct resident *resident;
	struct warp *slot[64];
	struct mem_counts *mem;         /* with full statistics, else NULL */
	struct work_queue queue;        /* blocks to come */
	struct pre_executed *pre_executed;      /* those executed before they are placed; or NULL */
	uint64_t started;               /* blocks */
};

/* What changes while a launch runs, beside what is in the state arena and in global memory. */
struct run_state {
	uint64_t finished_blocks;
	uint32_t started_blocks;
	bool queue_empty;               /* some multiprocessor has run out of blocks of its own, now or before */
	uint64_t epoch_end;             /* with timing: cycle up to which each multiprocessor runs by itself */
	unsigned epoch_mp;              /* the one that is at it */
	bool all_started;               /* no block was left when it began */
	unsigned turn;                  /* without timing: the multiprocessor whose turn it is */
	uint64_t visit;                 /* instructions that it has had in a row, about */
	unsigned slice_mp;              /* without timing, stepped: whose warp is in the middle of its turn, */
	uint64_t slice_left;            /* and how many instructions it may still take; 0: none is */
	size_t nprimitives, primitives_lost;
	uint64_t turns;
	unsigned visited;               /* that had the last turn */
	uint64_t unchecked;             /* without timing: instructions since the last search for a livelock, about */
	struct livelock livelock;
};

/* Trace-driven execution (machine/trace_driven.h). */
struct traces {
	bool on;                        /* blocks are executed when they are placed */
	bool every_load;                /* the read sets have all loads, even where no block has stored before */
	struct trace_store store;         /* the traces */
	struct exec_context *contexts, *idle;    /* execution contexts: all, and those not in use */
	unsigned helped;                /* the multiprocessor after the last for which a block was pre-executed */
	uint64_t executed;              /* instructions */
};

struct machine {
	const struct plan *plan;
	struct arena *arena;            /* the launch's: what is allocated once and is no part of a snapshot */
	struct arena state;
	struct run_state run;
	struct global global;
	struct mp *mp;                  /* plan->nmps of them */
	struct mem_path *shared_path;   /* of the chip to global memory */
	struct cache *l3, *l2;          /* of the chip, of each TPC */
	struct cache *texture_l2;       /* of the chip; NULL: the launch has no textures */
	/* Between epochs: all requests; by multiprocessor, the cycle in which it can go on. */
	struct requests *requests;
	uint64_t *next_at;
	struct observer *observers;
	lane_mask *given;               /* of the plan's stream (struct exec); NULL: it has none */
	bool observed, replay_observed; /* one of them has `executed`; `issues` or `issued` */
	uint64_t run_ahead;             /* the least that an observer of trace replay has */
	bool single_step;               /* machine_step issues one instruction, timing or not */
	bool touched;                   /* s[] or l[] was written to after it was prepared */
	struct traces traces;
	struct thread_pool *pool;       /* while host threads run it (machine/host_threads.h) */
	unsigned threads;               /* host threads that ran it; 0: it was stepped, or not run yet */
	const char *single_thread_reason, *precise_reason;      /* as struct wb_report has them */
	_Atomic bool interrupt;         /* set by other threads and by signal handlers */
	_Atomic bool out_of_time;       /* that is why it was interrupted; set before */
	const char *result;             /* ok fault limit deadlock livelock interrupted; NULL: it has not begun */
	struct diag why;
	struct mp *fault_mp;
};

/* Set up multiprocessors and their first blocks. */
bool machine_prepare(struct machine *m, struct diag *d);
/* Memory of a warp: its registers begin where its private state ends, which an executor may count on. False: the host
 * has none. */
bool machine_warp_room(struct machine *m, void **state, struct row **reg);
/* The executor of a multiprocessor, and what it counts. False: the host has no memory. */
bool machine_prepare_exec(struct machine *m, struct mp *mp, unsigned index);
/* Block `index`, about to begin, in the memory that b has. */
void machine_start_block(struct machine *m, struct block *b, uint32_t index);
/* Put the next block of mp into a free room, if there is one. False: the launch has been given up. */
bool machine_place_block(struct machine *m, struct mp *mp, struct resident *r);
/* Between two epochs: multiprocessors that have run out of blocks get some of others, and start them. False: none
 * did. */
bool machine_balance(struct machine *m);
/* Take a prepared machine to its start; m->result is "ok" until something else is the case. */
void machine_begin(struct machine *m);
/* Run it to the end, by traces or precisely, with as many host threads as there are to be. False: it could not, and *d
 * says why. */
bool machine_run(struct machine *m, struct diag *d);
/* The next multiprocessor that has a warp to issue gets on: by one turn with single_step, else as far as it may without
 * regard to the others. False: the launch is over, m->result and m->why say why. */
bool machine_step(struct machine *m);
/* With timing: at most *turns turns of mp before cycle `end`, counted down. Until then it shares nothing with others
 * but global memory, the lower cache levels and, where a warp ends, the grid's blocks. False: the launch is over, as
 * above. */
bool machine_run_mp(struct machine *m, struct mp *mp, uint64_t end, uint64_t *turns);
/* Without timing: some turns of mp. False: none of its warps can go on, or the launch is over. */
bool machine_free_turns(struct machine *m, struct mp *mp);
/* What a turn of warp w led to, with outcome r, beyond its own next instruction. False: the launch is over. */
bool machine_after_turn(struct machine *m, struct mp *mp, struct warp *w, struct block *b, int r);
/* End the launch with this result. Returns false. */
bool machine_stop(struct machine *m, const char *result, enum diag_kind kind, const char *text);
bool machine_interrupted(struct machine *m);
/* Once more from the start, global memory apart: prepared and begun. False: the host has no memory. */
bool machine_again(struct machine *m, struct diag *d);
/* Issues so far, over all multiprocessors. */
uint64_t machine_issues(const struct machine *m);
/* Close the accounts of warps that have not finished; nothing steps after it. */
void machine_settle(struct machine *m);
/* Give its memory back. */
void machine_free(struct machine *m);

#endif
