/* What has been issued so far, in order: the timeline, and where to go back to. Event i is what led from position i
 * to position i + 1 of the launch, so the record stays true whichever way one moves. */
#ifndef WB_FRONTENDS_VIEW_RECORD_H
#define WB_FRONTENDS_VIEW_RECORD_H

#include "warpbeam.h"

/* Reasons for which a warp waits: those of wb_stall_name without the first, which is no wait, and the last, of slots
 * without a warp. Wait i is stall i + 1. */
enum { WAITS = WB_STALLS - 2 };

struct event {
	uint64_t cycle;
	uint64_t active, executed, gone; /* lanes; gone: broke, returned, exited or never launched */
	uint32_t pc, block;
	uint16_t warp;
	uint8_t mp, slot, flow, depth;
	uint8_t lanes; /* how many executed */
	/* Cycles that the warp waited just before this issue, by reason; LONG_WAIT in the first of them: it takes more
	 * than 16 bits, see record_waits. */
	uint16_t waited[WAITS];
};
enum { LONG_WAIT = UINT16_MAX };

enum { EVENT_CHUNK = 1 << 14, EVENT_CHUNKS = 64 }; /* 1,048,576 events, 64 MiB, and 4 MiB of their order */

/* What is known of one warp slot in a span of cycles: a column of the timeline. */
struct tally {
	uint32_t issues, lanes;
	uint32_t flow; /* of all */
	uint32_t last; /* event, in the record: the last issue, or the one that ends the wait */
	uint32_t wait[WAITS];
};
void tally_add(struct tally *to, const struct tally *more);

/* Multiprocessors run through an epoch one after another: cycles ascend in each of them, but not in all. One with very
 * many events has them summed up as well, by spans of 2^shift cycles and by slot: a picture of all of them reads the
 * sums. */
struct record_mp {
	uint32_t *event; /* indices of one multiprocessor's events */
	uint32_t n, room;
	uint32_t last[64];   /* of each slot, its last event and 1; 0: it has none */
	struct tally *span;  /* nspans rows of `slots`, or NULL */
	unsigned nspans, shift;
};

enum { RECORD_MPS = 256, SUMMED_FROM = 1 << 19 };

struct long_wait {
	uint32_t event, waited[WAITS];
};

struct record {
	struct event *chunk[EVENT_CHUNKS];
	uint64_t n;
	bool full; /* there was more */
	unsigned slots; /* warp slots of a multiprocessor, at most 64 */
	struct record_mp mp[RECORD_MPS];
	struct long_wait *longer; /* by event, ascending */
	size_t nlonger, longer_room;
};

void record_free(struct record *r);
/* waited: the cycles of e->waited, whatever is there. False: there is no room for more. */
bool record_add(struct record *r, const struct event *e, const uint32_t waited[WAITS]);
/* Cycles that the warp of an event waited before it, by reason; returns their sum. */
uint64_t record_waits(const struct record *r, uint64_t index, uint32_t out[WAITS]);
/* In which order a wait's reasons come, as far as it has them: a barrier or an operand holds a warp first, then it may
 * have to be fetched, and only what is ready waits for a unit or its turn. */
extern const uint8_t wait_order[WAITS];
size_t record_bytes(const struct record *r);
const struct event *record_at(const struct record *r, uint64_t index);
/* The k-th event of a multiprocessor. */
const struct event *record_mp_at(const struct record *r, unsigned mp, uint64_t k);
/* Which of a multiprocessor's events is the first whose cycle is not less; their number if none is. */
uint64_t record_mp_find(const struct record *r, unsigned mp, uint64_t cycle);
/* How many of a multiprocessor's events stand before a position. */
uint64_t record_mp_before(const struct record *r, unsigned mp, uint64_t position);
/* The first event, on this multiprocessor or (-1) on any, whose cycle is not less; n if none is. */
uint64_t record_find(const struct record *r, int mp, uint64_t cycle);

#endif
