/* Events in chunks of equal size that never move, allocated when first needed. Each multiprocessor has
 * an index of its events with ascending cycles and positions, so both are found by binary search. An event is one line
 * of the host's cache: waits of more than 16 bits, rare for a warp, are in a list. */
#include "frontends/view/record.h"

#include <stdlib.h>
#include <string.h>

const uint8_t wait_order[] = {WAIT_ORDER};

bool record_begin(struct record *r, unsigned mps, unsigned slots)
{
	*r = (struct record){.mps = mps, .slots = slots, .most = RECORD_MAX, .mp = calloc(mps, sizeof *r->mp)};
	return r->mp;
}

void record_clear(struct record *r)
{
	for (size_t i = 0; i < RECORD_MAX / EVENT_CHUNK; i++)
		free(r->chunk[i]);
	memset(r->chunk, 0, sizeof r->chunk);
	for (unsigned i = 0; i < r->mps; i++) {
		free(r->mp[i].event);
		free(r->mp[i].span);
	}
	memset(r->mp, 0, r->mps * sizeof *r->mp);
	free(r->longer);
	r->longer = NULL;
	r->n = r->nlonger = r->longer_capacity = 0;
	r->full = false;
}

void record_free(struct record *r)
{
	if (r->mp)
		record_clear(r);
	free(r->mp);
	*r = (struct record){.n = 0};
}

static bool make_space(struct record_mp *m)
{
	uint32_t capacity = m->capacity ? 2 * m->capacity : EVENT_CHUNK;
	if (m->n < m->capacity)
		return true;
	uint32_t *more = realloc(m->event, capacity * sizeof *more);
	if (!more)
		return false;
	m->event = more;
	m->capacity = capacity;
	return true;
}

/* ---- waits ---- */

static bool grow_longer(struct record *r)
{
	size_t capacity = r->longer_capacity ? 2 * r->longer_capacity : 64;
	struct long_wait *more = realloc(r->longer, capacity * sizeof *more);

	if (!more)
		return false;
	r->longer = more;
	r->longer_capacity = capacity;
	return true;
}

/* False: the host has no memory. */
static bool note_waits(struct record *r, struct event *e, const uint32_t waited[WAITS])
{
	uint32_t longest = 0;
	for (int i = 0; i < WAITS; i++) {
		e->waited[i] = (uint16_t)waited[i];
		longest = waited[i] > longest ? waited[i] : longest;
	}
	if (longest < LONG_WAIT)
		return true;
	if (r->nlonger == r->longer_capacity && !grow_longer(r))
		return false;
	struct long_wait *w = &r->longer[r->nlonger++];
	w->event = (uint32_t)r->n;
	memcpy(w->waited, waited, sizeof w->waited);
	e->waited[0] = LONG_WAIT;
	return true;
}

static int by_event(const void *key, const void *row)
{
	uint32_t a = *(const uint32_t *)key, b = ((const struct long_wait *)row)->event;
	return (a > b) - (a < b);
}

uint64_t record_waits(const struct record *r, uint64_t index, uint32_t out[WAITS])
{
	const struct event *e = record_at(r, index);
	uint32_t key = (uint32_t)index;
	const struct long_wait *w = NULL;
	uint64_t sum = 0;
	if (e->waited[0] == LONG_WAIT)
		w = bsearch(&key, r->longer, r->nlonger, sizeof *w, by_event);
	for (int i = 0; i < WAITS; i++) {
		out[i] = w ? w->waited[i] : e->waited[i];
		sum += out[i];
	}
	return sum;
}

/* ---- sums ---- */

void tally_add(struct tally *to, const struct tally *more)
{
	to->latest = more->latest > to->latest ? more->latest : to->latest;
	to->issues += more->issues;
	to->lanes += more->lanes;
	to->flow |= more->flow;
	for (int i = 0; i < WAITS; i++)
		to->wait[i] += more->wait[i];
}

/* Spans of twice the length. */
static void fold(const struct record *r, struct record_mp *m)
{
	for (size_t i = 0; i < (size_t)m->nspans * r->slots; i++) {
		size_t span = i / r->slots, slot = i % r->slots;
		struct tally t = m->span[i];
		m->span[i] = (struct tally){.issues = 0};
		tally_add(&m->span[span / 2 * r->slots + slot], &t);
	}
	m->shift++;
}

static void sum_up(const struct record *r, struct record_mp *m, uint32_t index)
{
	const struct event *e = record_at(r, index);
	uint32_t waited[WAITS];
	uint64_t at = e->cycle - record_waits(r, index, waited);
	while (e->cycle >> m->shift >= m->nspans)
		fold(r, m);
	struct tally *row = m->span + e->slot, one = {1, e->lanes, e->flow, index, {0}};
	for (int k = 0; k < WAITS; k++) {
		int i = wait_order[k];
		uint64_t end = at + waited[i];
		while (at < end) { /* a piece in each span */
			uint64_t next = ((at >> m->shift) + 1) << m->shift, to = next < end ? next : end;
			struct tally *t = row + (at >> m->shift) * r->slots;
			t->wait[i] += (uint32_t)(to - at);
			t->latest = index;
			at = to;
		}
	}
	tally_add(row + (e->cycle >> m->shift) * r->slots, &one);
}

/* Without sums a picture of all events only takes longer: where the host has no memory, sums are left out. */
static void sum_from_now_on(const struct record *r, struct record_mp *m)
{
	m->nspans = r->slots <= 32 ? 4096 : 2048;
	m->span = calloc((size_t)m->nspans * r->slots, sizeof *m->span);
	for (uint32_t i = 0; m->span && i < m->n; i++)
		sum_up(r, m, m->event[i]);
}

bool record_add(struct record *r, const struct event *e, const uint32_t waited[WAITS])
{
	uint64_t c = r->n / EVENT_CHUNK;
	bool space = r->n < r->most && !r->full;
	if (space && !r->chunk[c])
		r->chunk[c] = malloc(EVENT_CHUNK * sizeof *e);
	struct record_mp *m = &r->mp[e->mp];
	struct event kept = *e;
	if (!space || !r->chunk[c] || !make_space(m) || !note_waits(r, &kept, waited)) {
		r->full = true;
		return false;
	}
	uint32_t index = (uint32_t)r->n++;
	m->event[m->n++] = index;
	m->latest[e->slot % 64] = index + 1;
	r->chunk[c][index % EVENT_CHUNK] = kept;
	if (m->span)
		sum_up(r, m, index);
	else if (m->n == SUMMED_FROM && r->slots)
		sum_from_now_on(r, m);
	return true;
}

size_t record_bytes(const struct record *r)
{
	size_t bytes = sizeof *r;
	for (size_t i = 0; i < RECORD_MAX / EVENT_CHUNK; i++)
		bytes += r->chunk[i] ? EVENT_CHUNK * sizeof *r->chunk[i] : 0;
	bytes += r->mps * sizeof *r->mp;
	for (unsigned i = 0; i < r->mps; i++) {
		const struct record_mp *m = &r->mp[i];
		bytes += m->capacity * sizeof *m->event;
		bytes += m->span ? (size_t)m->nspans * r->slots * sizeof *m->span : 0;
	}
	return bytes + r->longer_capacity * sizeof *r->longer;
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
	for (unsigned i = mp < 0 ? 0 : (unsigned)mp; i < r->mps && (mp < 0 || i == (unsigned)mp); i++) {
		uint64_t k = record_mp_find(r, i, cycle);
		if (k < r->mp[i].n && r->mp[i].event[k] < first)
			first = r->mp[i].event[k];
	}
	return first;
}
