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

enum { EVENT_CHUNK = 1 << 14, EVENT_CHUNKS = 64 }; /* 1,048,576 events, 50 MiB */

struct record {
	struct event *chunk[EVENT_CHUNKS];
	uint64_t n;
	bool full; /* there was more */
};

void record_free(struct record *r);
/* False: there is no room for more. */
bool record_add(struct record *r, const struct event *e);
const struct event *record_at(const struct record *r, uint64_t index);
/* The first event whose cycle is not less. */
uint64_t record_find(const struct record *r, uint64_t cycle);

#endif
