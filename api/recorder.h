/* The recorder: events of a run, by cycle, in a ring of chunks that counts what it drops. Each chunk can be read by
 * itself. Positions that are visited again after going back are not recorded again: the machine is deterministic. */
#ifndef WB_API_RECORDER_H
#define WB_API_RECORDER_H

#include "api/internal.h"
#include "core/event.h"
#include "core/exec.h"
#include "warpbeam.h"

enum { CHUNK_BYTES = 1 << 16 };

struct chunk {
	uint64_t first_event, events;
	uint64_t first_cycle, last_cycle;
	uint32_t bytes;
	uint8_t data[CHUNK_BYTES];
};

/* Of a slot's warp at its last issue: two lines of the host's cache. */
struct lately {
	struct event_brief event;       /* its next issue, as far as it is known before */
	uint64_t since;                 /* up to which cycle it had been charged, */
	uint32_t waited[STALL_NO_WARP]; /* and in all for each reason, modulo 2^32 */
	/* Of its issues that wait to be executed for who got through their guard: the first and the last, and how many
	 * instructions are put off up to that. */
	uint32_t first, last, upto;
} __attribute__((aligned(64)));

struct recorder {
	struct chunk *chunk;            /* first_chunk … next_chunk − 1, chunk i in chunk[i % nchunks] */
	uint64_t nchunks, first_chunk, next_chunk;
	struct chunk *last;             /* NULL: there is none yet */
	uint64_t total[EVENT_KINDS];    /* exact, dropped ones included */
	uint64_t events, dropped;
	uint64_t turns;                 /* recorded up to this turn */
	bool fresh;                     /* the present turn is recorded for the first time */
	/* As they were before the present turn: */
	uint64_t cycle, holders, waiters;
	uint32_t flags_set;
	struct event_coder *coder;
	uint32_t places;                /* that events come from: multiprocessors times their slots */
	bool timed, sorts;              /* they have an order; and are not told in that */
	/* As they were told; in the order in which they are written; who executed the instructions of a slot that have
	 * been put off and have a guard. */
	struct event_brief *waiting, *sorted;
	uint32_t nwaiting, room;
	lane_mask *noted;
	uint64_t epoch_end;
	struct lately *lately;          /* by multiprocessor and slot */
	uint64_t *unknown;              /* slots of a multiprocessor some of whose events wait to be executed */
	uint32_t nunknown;              /* and how many those are */
	void (*sink)(void *context, const struct wb_chunk *c);
	void *sink_context;
};

bool recorder_begin(struct wb_launch *l, size_t bytes, void (*sink)(void *, const struct wb_chunk *), void *context,
		  struct diag *d);
void recorder_free(struct wb_launch *l);
/* Hand the chunk in the making to the sink, at the end of a run. */
void recorder_flush(struct wb_launch *l);

/* Put what waits into the chunks, if nothing of it is unknown. */
void recorder_order(struct recorder *r);
/* Likewise, if it is time to. Called between turns; what is unknown is executed. */
void recorder_look(struct wb_launch *l);

/* Can this launch be recorded while nobody watches it? */
bool recorder_alone(const struct wb_launch *l);

/* Called where things happen, l->recorder set. An instruction has issued that is executed later, in sched_run: */
struct recorder_told {
	struct sched_told told;
	struct wb_launch *launch;
	struct lately *lately;          /* of the multiprocessor's slots */
	const struct slot *slot;
	uint32_t gap;
};
static inline struct recorder_told recorder_listen(struct wb_launch *l, const struct mp *mp);
void recorder_issued(const struct sched_told *told, unsigned slot, const struct sched_op *op, uint64_t cycle);
/* or beside it; */
static inline void recorder_deferred(struct wb_launch *l, const struct mp *mp, unsigned slot, const struct sched_op *op,
				     uint64_t cycle);
/* how many instructions of a slot are to be executed for that no event of it is unknown; this is about to be done, and
 * has been; */
static inline uint32_t recorder_unknown(const struct wb_launch *l, const struct mp *mp, unsigned slot);
static inline void recorder_executes(const struct wb_launch *l, struct exec *x);
void recorder_executed(struct wb_launch *l, const struct mp *mp, unsigned slot);
/* a turn begins; it has ended, its instruction been charged; */
void recorder_before(struct wb_launch *l, struct mp *mp);
void recorder_turn(struct wb_launch *l, struct mp *mp, int outcome);
/* warps of a block were let go (block.woken); */
void recorder_woken(struct wb_launch *l, const struct mp *mp, const struct block *b);
/* a block has moved in or is done, a warp is done. */
void recorder_block(struct wb_launch *l, const struct mp *mp, const struct block *b, enum event_kind kind);
void recorder_warp_end(struct wb_launch *l, const struct mp *mp, const struct warp *w);

static inline struct recorder_told recorder_listen(struct wb_launch *l, const struct mp *mp)
{
	return (struct recorder_told){
		.told.issued = recorder_issued, .launch = l,
		.lately = l->recorder ? &l->recorder->lately[mp->x.mp * SLOTS] : NULL,
		.slot = mp->sched.room.slot, .gap = mp->sched.gap,
	};
}

static inline void recorder_deferred(struct wb_launch *l, const struct mp *mp, unsigned slot, const struct sched_op *op,
				     uint64_t cycle)
{
	const struct recorder_told told = recorder_listen(l, mp);

	recorder_issued(&told.told, slot, op, cycle);
}

static inline uint32_t recorder_unknown(const struct wb_launch *l, const struct mp *mp, unsigned slot)
{
	const struct recorder *r = l->recorder;

	return r->unknown[mp->x.mp] >> slot & 1 ? r->lately[mp->x.mp * SLOTS + slot].upto : 0;
}

static inline void recorder_executes(const struct wb_launch *l, struct exec *x)
{
	x->noted = l->recorder->noted;
}

/* Names of waiting reasons by number, ended by NULL. */
extern const char *const recorder_reasons[];

#endif
