/* What has been issued so far, in order: the timeline, and where to go back to. Event i is what led from position i
 * to position i + 1 of the launch, so the record stays true whichever way one moves. */
#ifndef WB_FRONTENDS_VIEW_RECORD_H
#define WB_FRONTENDS_VIEW_RECORD_H

#include "warpbeam.h"

struct event {
	uint64_t cycle;
	uint64_t active, executed, gone; /* lanes; gone: broke, returned, exited or never launched */
	uint32_t pc, block;
	uint16_t warp;
	uint8_t mp, slot, flow, depth;
	uint8_t lanes; /* how many executed */
};

enum { EVENT_CHUNK = 1 << 14, EVENT_CHUNKS = 64 }; /* 1,048,576 events, 48 MiB, and 4 MiB of their order */

/* Multiprocessors run through an epoch one after another: cycles ascend in each of them, but not in all. */
struct record_mp {
	uint32_t *event; /* indices of one multiprocessor's events */
	uint32_t n, room;
};

enum { RECORD_MPS = 256 };

struct record {
	struct event *chunk[EVENT_CHUNKS];
	uint64_t n;
	bool full; /* there was more */
	struct record_mp mp[RECORD_MPS];
};

void record_free(struct record *r);
/* False: there is no room for more. */
bool record_add(struct record *r, const struct event *e);
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
