/* The issues of a run, in order: for the timeline, and for going back. Event i leads from position i to position i + 1
 * of the stepped launch. The library records them (wb_launch_record_issues) in a run of its own, at full speed; here
 * they are kept for looking up. */
#ifndef WB_FRONTENDS_VIEW_RECORD_H
#define WB_FRONTENDS_VIEW_RECORD_H

#include "warpbeam.h"

/* Reasons of waiting: wb_stall_name without the first (issued) and the last (slots without a warp). Wait i is stall i +
 * 1: not selected 0, operand 1, pipe 2, memory 3, barrier 4, lock 5, fetch 6, texture 7. In the order in which reasons
 * hold a warp, as far as known: a barrier or an operand first, then an instruction may have to be fetched, and only a
 * ready warp waits for a unit or its turn. */
#define WAIT_ORDER 4, 3, 7, 1, 6, 5, 2, 0
enum { WAITS = sizeof((const uint8_t[]){WAIT_ORDER}) };
extern const uint8_t wait_order[WAITS];

struct event {
	uint64_t cycle;
	uint64_t active, executed, absent; /* lanes; absent: broke, returned, exited or never launched */
	uint32_t pc, block;
	uint16_t warp, mp;
	uint8_t slot, flow;
	uint8_t depth; /* of the warp's stack, 255 also for more */
	uint8_t lanes; /* number of lanes that executed */
	/* Cycles of waiting just before this issue, by reason; LONG_WAIT first: too long for 16 bits, see
	 * record_waits. */
	uint16_t waited[WAITS];
};
enum { LONG_WAIT = UINT16_MAX };

enum { EVENT_CHUNK = 1 << 14, RECORD_MAX = 1 << 24 }; /* events, at most 1 GiB, and 64 MiB for their order */

/* Bits of a tally's members. */
enum { TALLY_FLOW = 8, TALLY_LAST = 24 };
_Static_assert(RECORD_MAX <= 1 << TALLY_LAST, "tally.latest is an index of an event");

/* Sums of a warp slot over a span of cycles: a column of the timeline. */
struct tally {
	uint32_t issues, lanes;
	uint32_t flow : TALLY_FLOW; /* union of the issues' flow bits, and MARKED in timelines */
	uint32_t latest : TALLY_LAST; /* index of the last issue in the span, or of the issue that ends the wait */
	uint32_t wait[WAITS];
};
void tally_add(struct tally *to, const struct tally *more);

/* Multiprocessors run through an epoch one after another: cycles ascend on each multiprocessor, but not overall. A
 * multiprocessor with very many events also has sums, by spans of 2^shift cycles and by slot: a picture of the whole
 * run reads the sums. */
struct record_mp {
	uint32_t *event; /* indices of the multiprocessor's events */
	uint32_t n, capacity;
	uint32_t latest[64]; /* by slot: index of the last event + 1; 0: none */
	struct tally *span;  /* nspans rows of `slots`, or NULL */
	unsigned nspans, shift;
};

enum { SUMMED_FROM = 1 << 19 };

struct long_wait {
	uint32_t event, waited[WAITS];
};

struct record {
	struct event *chunk[RECORD_MAX / EVENT_CHUNK];
	uint64_t n, most; /* events; RECORD_MAX or less */
	bool full; /* the run went on behind the last event: all events before are here, and none after */
	unsigned mps, slots; /* multiprocessors; warp slots of each, at most 64 */
	struct record_mp *mp; /* of each multiprocessor */
	struct long_wait *longer; /* by event, ascending */
	size_t nlonger, longer_capacity;
};

/* An empty record of `mps` multiprocessors with `slots` warp slots each. False: the host has no memory. */
bool record_begin(struct record *r, unsigned mps, unsigned slots);
void record_free(struct record *r);
/* Forget all events. */
void record_clear(struct record *r);
/* Append an event with its waits, in place of e->waited. False: the record is full from now on. */
bool record_add(struct record *r, const struct event *e, const uint32_t waited[WAITS]);
/* Cycles that the event's warp waited before the event, by reason; returns the sum. */
uint64_t record_waits(const struct record *r, uint64_t index, uint32_t out[WAITS]);
size_t record_bytes(const struct record *r);
const struct event *record_at(const struct record *r, uint64_t index);
/* The k-th event of a multiprocessor. */
const struct event *record_mp_at(const struct record *r, unsigned mp, uint64_t k);
/* The index of a multiprocessor's first event whose cycle is not less; past the end: the number of events. */
uint64_t record_mp_find(const struct record *r, unsigned mp, uint64_t cycle);
/* The number of a multiprocessor's events before a position. */
uint64_t record_mp_before(const struct record *r, unsigned mp, uint64_t position);
/* The first event, on this multiprocessor or (-1) on any, whose cycle is not less; past the end: n. */
uint64_t record_find(const struct record *r, int mp, uint64_t cycle);

#endif
