#include "frontends/view/record.h"

#include <stdlib.h>

void record_free(struct record *r)
{
	for (int i = 0; i < EVENT_CHUNKS; i++)
		free(r->chunk[i]);
	*r = (struct record){.n = 0};
}

bool record_add(struct record *r, const struct event *e)
{
	uint64_t c = r->n / EVENT_CHUNK;
	if (c < EVENT_CHUNKS && !r->chunk[c])
		r->chunk[c] = calloc(EVENT_CHUNK, sizeof *e);
	if (c >= EVENT_CHUNKS || !r->chunk[c]) {
		r->full = true;
		return false;
	}
	r->chunk[c][r->n++ % EVENT_CHUNK] = *e;
	return true;
}

const struct event *record_at(const struct record *r, uint64_t index)
{
	return &r->chunk[index / EVENT_CHUNK][index % EVENT_CHUNK];
}

/* Multiprocessors advance one after the other within a cycle, so cycles ascend except for that; a search by halves
 * finds the place to within one turn of all of them. */
uint64_t record_find(const struct record *r, uint64_t cycle)
{
	uint64_t low = 0, high = r->n;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (record_at(r, middle)->cycle < cycle)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
