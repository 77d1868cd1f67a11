/* The recorder: events of a run, by cycle, in a ring of chunks that counts what it drops. Each chunk can be read by
 * itself. Positions that are visited again after going back are not recorded again: the machine is deterministic. */
#ifndef WB_INSPECT_RECORDER_H
#define WB_INSPECT_RECORDER_H

#include "inspect/launch.h"
#include "core/event_code.h"
#include "core/isa/exec.h"
#include "warpbeam.h"

enum { CHUNK_BYTES = 1 << 16 };

struct chunk {
	uint64_t first_event, events;
	uint64_t first_cycle, last_cycle;
	uint32_t bytes;
	uint8_t data[CHUNK_BYTES];
};

/* Of a slot's warp at its last issue: two lines of the host's cache. */
struct slot_issue {
	struct event_brief event;       /* that issue */
	uint64_t since;                 /* up to which cycle it had been charged, */
	uint32_t waited[STALL_NO_WARP]; /* and in all for each reason, modulo 2^32 */
	const struct trace_detail *detail;      /* of its trace, that is next; NULL: it has had none */
	struct event_queue *queue;
	bool codes;                     /* the next issue may be coded as it follows `event` */
} __attribute__((aligned(64)));

/* Cycles between two issues of a warp, and what most of them were spent on. */
struct wait {
	uint32_t cycles;
	uint8_t reason;
};

/* An issue that fast-forward may repeat. */
struct repeated {
	uint64_t cycle;
	uint32_t pc;
	struct wait wait;
	uint8_t slot;
	bool by_all;
	/* As it follows the last issue of its slot, which is the same in each period but for its masks and
	 * flow: these, if its own flow and that one's are */
	uint8_t flow, flow_before;
	struct event_parts parts;       /* fields 0: not yet known */
};

struct recorder {
	struct observer observer;
	struct wb_launch *launch;
	struct chunk *chunk;            /* first_chunk … next_chunk − 1, chunk i in chunk[i % nchunks] */
	uint64_t nchunks, first_chunk, next_chunk;
	struct chunk *last;             /* NULL: there is none yet */
	uint64_t total[EVENT_KINDS];    /* exact, dropped ones included */
	uint64_t events, dropped;
	uint64_t turns;                 /* recorded up to this turn */
	bool fresh;                     /* the present turn is recorded for the first time */
	uint64_t cycle;                 /* of the present turn, or the last issue of a replay */
	/* Locks of its block before the present turn. */
	struct {
		uint64_t holders, waiters;
		uint32_t flags_set;
	} before;
	struct event_encoder *encoder;
	uint32_t places;                /* that events come from: multiprocessors times their slots */
	bool codes;                     /* each place has its own past (EVENT_PLACES) */
	bool timed, sorts;              /* events have cycles; and do not come in their order */
	/* Where it sorts, one for each multiprocessor, and one for what happens between epochs. */
	struct event_queue {
		struct event_brief *event;      /* first … n − 1, as they were notified; room for `room` */
		uint32_t first, n, room;
		uint32_t merged;        /* while several are merged: up to here */
		uint64_t written_to;            /* the cycle of the last that was before `first` */
	} *queue;
	unsigned nqueues;
	const struct event_brief **order;       /* in which they are written; room for all queues together */
	uint32_t order_room;
	uint64_t epoch_end;
	struct slot_issue *slot_issue;        /* by multiprocessor and slot */
	/* Issues of what may be a period of fast-forward. */
	struct {
		struct repeated *issue; /* n of them, room for PERIOD_ISSUES */
		uint32_t n;
		bool logs;              /* the next issue is one of them */
	} period;
	void (*sink)(void *context, const struct wb_chunk *c);
	void *sink_context;
};

bool recorder_begin(struct wb_launch *l, size_t bytes, void (*sink)(void *, const struct wb_chunk *), void *context,
		  struct diag *d);
void recorder_free(struct wb_launch *l);
/* Pass the unfinished chunk to the sink, at the end of a run. */
void recorder_flush(struct wb_launch *l);

/* Put what waits into the chunks; how many events do. */
void recorder_order(struct recorder *r);
uint64_t recorder_waiting(const struct recorder *r);
/* Can this launch be recorded while it is not stepped? */
bool recorder_unstepped(const struct wb_launch *l);

/* Names of waiting reasons by number, ended by NULL. */
extern const char *const recorder_reasons[];

#endif
