/* The recorder: events of a run, by cycle, in a ring of chunks that counts dropped events. Each chunk can be read
 * alone. Positions visited again after going back are not recorded again: the machine is deterministic.
 *
 * For the views a record is of issues alone, each with a struct event_detail, in the order of positions: issue i leads
 * from position i to position i + 1 of a stepped launch. */
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

/* A slot's warp at its latest issue: two lines of the host's cache. */
struct slot_issue {
	struct event_brief event;       /* the issue */
	uint64_t since;                 /* cycle up to which the warp had been charged */
	uint32_t waited[STALL_NO_WARP]; /* charged cycles by reason, modulo 2^32 */
	const struct trace_detail *detail;      /* next entry of the warp's trace; NULL: no trace yet */
	struct event_queue *queue;
	bool codes;                     /* the next issue may be coded as a difference to `event` */
	lane_mask gone_lanes;           /* of a record of issues: lanes_gone after the issue */
} __attribute__((aligned(64)));

/* Cycles between two issues of a warp, and the reason of most. */
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
	/* Difference to the slot's previous issue, which is the same in each period except for masks and flow: flow of
	 * both issues */
	uint8_t flow, flow_before;
	struct event_parts parts;       /* fields 0: not yet known */
};

struct recorder {
	struct observer observer;
	struct wb_launch *launch;
	struct chunk *chunk;            /* first_chunk … next_chunk − 1, chunk i in chunk[i % nchunks] */
	uint64_t nchunks, first_chunk, next_chunk;
	struct chunk *newest;           /* NULL: no chunk yet */
	uint64_t total[EVENT_KINDS];    /* exact, dropped events included */
	uint64_t events, dropped;
	uint64_t turns;                 /* turns already recorded */
	bool fresh;                     /* the present turn is recorded for the first time */
	uint64_t cycle;                 /* cycle of the present turn, or of the last issue of a replay */
	/* Locks of the warp's block before the present turn. */
	struct {
		uint64_t holders, waiters;
		uint32_t flags_set;
	} before;
	struct event_encoder *encoder;
	uint32_t places;                /* sources of events: multiprocessors times slots */
	bool codes;                     /* each source keeps its own past (EVENT_PLACES) */
	bool timed, sorts;              /* events have cycles; events come out of order */
	bool positions;                 /* a record of issues, in the order of positions */
	bool issued;                    /* the last turn issued an instruction */
	/* With sorting, one queue for each multiprocessor, and one for events between epochs. */
	struct event_queue {
		struct event_brief *event;      /* first … n − 1 in order of notification; capacity `capacity` */
		uint32_t begin, n, capacity;
		uint32_t merged;        /* during a merge: events already merged */
		uint64_t written_to;            /* cycle of the last event before `begin` */
	} *queue;
	unsigned nqueues;
	const struct event_brief **order;       /* the merged order of all queues */
	uint32_t order_capacity;
	uint64_t epoch_end;
	struct slot_issue *slot_issue;        /* by multiprocessor and slot */
	/* Issues of a candidate period of fast-forward. */
	struct {
		struct repeated *issue; /* n issues, at most PERIOD_ISSUES */
		uint32_t n;
		bool logs;              /* the next issue belongs to the period */
	} period;
	void (*sink)(void *context, const struct wb_chunk *c);
	void *sink_context;
};

bool recorder_begin(struct wb_launch *l, size_t bytes, bool positions, void (*sink)(void *, const struct wb_chunk *),
		    void *context, struct diag *d);
void recorder_free(struct wb_launch *l);
/* Pass the unfinished chunk to the sink, at the end of a run. */
void recorder_flush(struct wb_launch *l);

/* Of a record of issues, once the launch has run: the last position. */
uint64_t recorder_last_position(const struct wb_launch *l);

/* Write waiting events into the chunks; the number of waiting events. */
void recorder_order(struct recorder *r);
uint64_t recorder_waiting(const struct recorder *r);
/* Whether this launch can be recorded without stepping. */
bool recorder_unstepped(const struct wb_launch *l);

/* Names of stall reasons by number, ended by NULL. */
extern const char *const recorder_reasons[];

#endif
