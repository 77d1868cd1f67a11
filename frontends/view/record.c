/* Events in chunks of equal size that never move, allocated when first needed, up to a bound. Of each multiprocessor
 * there is an index of its events: their cycles and their positions ascend, so both are found by binary search. */
#include "frontends/view/record.h"

#include <stdlib.h>

void record_free(struct record *r)
{
	for (int i = 0; i < EVENT_CHUNKS; i++)
		free(r->chunk[i]);
	for (int i = 0; i < RECORD_MPS; i++)
		free(r->mp[i].event);
	*r = (struct record){.n = 0};
}

static bool make_room(struct record_mp *m)
{
	uint32_t room = m->room ? 2 * m->room : EVENT_CHUNK;
	if (m->n < m->room)
		return true;
	uint32_t *more = realloc(m->event, room * sizeof *more);
	if (!more)
		return false;
	m->event = more;
	m->room = room;
	return true;
}

bool record_add(struct record *r, const struct event *e)
{
	uint64_t c = r->n / EVENT_CHUNK;
	if (c < EVENT_CHUNKS && !r->chunk[c])
		r->chunk[c] = calloc(EVENT_CHUNK, sizeof *e);
	struct record_mp *m = &r->mp[e->mp];
	if (c >= EVENT_CHUNKS || !r->chunk[c] || !make_room(m)) {
		r->full = true;
		return false;
	}
	m->event[m->n++] = (uint32_t)r->n;
	r->chunk[c][r->n++ % EVENT_CHUNK] = *e;
	return true;
}

size_t record_bytes(const struct record *r)
{
	size_t bytes = sizeof *r;
	for (int i = 0; i < EVENT_CHUNKS; i++)
		bytes += r->chunk[i] ? EVENT_CHUNK * sizeof *r->chunk[i] : 0;
	for (int i = 0; i < RECORD_MPS; i++)
		bytes += r->mp[i].room * sizeof *r->mp[i].event;
	return bytes;
}

const struct event *record_at(const struct record *r, uint64_t index)
{
	return &r->chunk[index / EVENT_CHUNK][index % EVENT_CHUNK];
}

const struct event *record_mp_at(const struct record *r, unsigned mp, uint64_t k)
{
	return record_at(r, r->mp[mp].event[k]);
}

uint64_t record_mp_find(const struct record *r, unsigned mp, uint64_t cycle)
{
	uint64_t low = 0, high = r->mp[mp].n;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (record_mp_at(r, mp, middle)->cycle < cycle)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t record_mp_before(const struct record *r, unsigned mp, uint64_t position)
{
	uint64_t low = 0, high = r->mp[mp].n;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (r->mp[mp].event[middle] < position)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t record_find(const struct record *r, int mp, uint64_t cycle)
{
	uint64_t first = r->n;
	for (unsigned i = mp < 0 ? 0 : (unsigned)mp; i < RECORD_MPS && (mp < 0 || i == (unsigned)mp); i++) {
		uint64_t k = record_mp_find(r, i, cycle);
		if (k < r->mp[i].n && r->mp[i].event[k] < first)
			first = r->mp[i].event[k];
	}
	return first;
}
