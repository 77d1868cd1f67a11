/* Events as bytes: whatever the coder knows beforehand, the bytes are the same, and give the same events. */
#include "tests/kit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/event_code.h"

enum { EVENTS = 60000, MPS = 2, SLOTS = 3, PLACES = MPS * SLOTS, BYTES = EVENTS * EVENT_BYTES_MAX,
	PART = 64 * EVENT_BYTES_MAX };

/* Mostly small steps; now and then a number of any size. */
static uint64_t number(uint64_t *seed, uint64_t last, uint64_t most)
{
	uint64_t v = rng_next(seed);

	switch (v % 16) {
	case 0: return rng_next(seed) & most;
	case 1: return rng_next(seed) & most & 0x3fff;
	case 2: case 3: return rng_next(seed) & most & 0x7f;
	case 4: return (last + 1) & most;
	default: return last;
	}
}

/* Code the issue e, if its predicted fields are those of the last issue of the place. */
static void code(const struct event_brief *last, struct event_brief *e)
{
	struct event_parts parts = event_parts(last, e->pc, e->flow, e->waited, e->reason);

	if (parts.fields && e->block == last->block && e->warp == last->warp && e->active == last->active &&
	    e->depth == last->depth)
		event_code(e, parts, e->executed, e->executed != last->executed);
}

/* With coded issues, or none. */
static struct event_brief *random_events(uint64_t seed, bool coded)
{
	static const uint64_t some[] = { 0, 0xffffffff, 0xffff, 0x80000001, 0xffffffffffffffff };
	struct event_brief *all = calloc(EVENTS, sizeof *all), issue[PLACES] = { { .cycle = 0 } };
	bool issued[PLACES] = { false };
	uint64_t cycle = 0;

	assert_non_null(all);
	for (int i = 0; i < EVENTS; i++) {
		unsigned place = (unsigned)(rng_next(&seed) % PLACES);
		struct event_brief *last = &issue[place], *e = &all[i];
		*e = *last;
		e->cycle = cycle = rng_next(&seed) % 8 ? cycle + 4 : number(&seed, cycle, UINT64_MAX);
		e->kind = rng_next(&seed) % 8 ? EVENT_ISSUE : (uint8_t)(rng_next(&seed) % EVENT_KINDS);
		e->mp = (uint16_t)(place / SLOTS * 3);
		e->slot = (uint8_t)(place % SLOTS * 30);
		e->block = rng_next(&seed) % 64 ? e->block : (uint32_t)number(&seed, e->block, UINT32_MAX);
		e->depth = rng_next(&seed) % 64 ? e->depth : (uint16_t)number(&seed, e->depth, UINT16_MAX);
		e->active = rng_next(&seed) % 32 ? e->active : some[rng_next(&seed) % 5];
		e->executed = rng_next(&seed) % 4 ? e->executed : some[rng_next(&seed) % 5];
		e->pc = rng_next(&seed) % 2 ? e->pc + 8 : (uint32_t)number(&seed, e->pc, UINT32_MAX);
		e->waited = (uint32_t)number(&seed, e->waited, UINT32_MAX);
		e->reason = (uint8_t)(rng_next(&seed) % 4 ? e->reason : rng_next(&seed) % 8);
		e->flow = (uint8_t)(rng_next(&seed) % 8 ? 0 : rng_next(&seed) % 128);
		if (e->kind == EVENT_ISSUE) {
			struct event_brief was = *last;
			*last = *e;
			if (coded && issued[place])
				code(&was, e);
			issued[place] = true;
		} else {
			last->block = e->block;
			issued[place] &= !(event_has(e->kind) >> FIELD_pc & 1);
		}
	}
	return all;
}

static void same(const struct event_brief *e, const struct event *read, int i)
{
	uint32_t has = event_has(e->kind);

	if (read->kind != e->kind)
		fail_msg("event %d is a %s, read as a %s", i, event_name(e->kind), event_name(read->kind));
#define EVENT_FIELD(name, form, predicted) \
	if ((has >> FIELD_##name & 1) && read->name != e->name) \
		fail_msg("event %d, %s: %s is 0x%llx, read as 0x%llx", i, event_name(e->kind), #name, \
			 (unsigned long long)e->name, (unsigned long long)read->name);
#include "core/event.def"
}

/* Encode in stretches, each readable by itself. */
static size_t encode_all(const struct event_brief *e, size_t n, size_t capacity, uint8_t *out)
{
	struct event_encoder *c = calloc(1, sizeof *c);
	const struct event_brief **order = malloc(n * sizeof *order);
	size_t total = 0, i = 0;

	assert_true(c && order);
	for (size_t k = 0; k < n; k++)
		order[k] = &e[k];
	while (i < n) {
		size_t size = capacity, done;
		event_restart(c, EVENT_PLACES);
		done = event_encode(c, order + i, n - i, out + total, &size);
		assert_true(done > 0 && size <= capacity);
		i += done;
		total += size;
	}
	free(c);
	free(order);
	return total;
}

static void written_coded_and_read(void **state)
{
	struct event_decoder *c = calloc(1, sizeof *c);
	uint8_t *known = malloc(BYTES), *unknown = malloc(BYTES);

	(void)state;
	assert_true(c && known && unknown);
	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct event_brief *e = random_events(seed, false), *coded = random_events(seed, true);
		size_t n = encode_all(coded, EVENTS, BYTES, known), at = 0;
		memset(c, 0, sizeof *c);
		for (int i = 0; i < EVENTS; i++) {
			struct event read;
			size_t took = event_decode(c, known + at, n - at, &read);
			assert_true(took > 0);
			at += took;
			same(&e[i], &read, i);
		}
		assert_int_equal(at, n);
		assert_int_equal(encode_all(e, EVENTS, BYTES, unknown), n);
		assert_memory_equal(known, unknown, n);
		n = encode_all(coded, EVENTS, PART, known);
		assert_int_equal(encode_all(e, EVENTS, PART, unknown), n);
		assert_memory_equal(known, unknown, n);
		free(e);
		free(coded);
	}
	free(c);
	free(known);
	free(unknown);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(written_coded_and_read) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
