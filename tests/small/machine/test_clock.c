/* The clock's caches by example (machine/clock.h): from which level a line of code or c[] comes, and when. Two TPCs, of
 * which the first has multiprocessors 0 and 1; the latencies are g200's. */
#include "tests/kit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "machine/clock.h"
#include "machine/epochs.h"

enum { MPS = 3, LINE = 5 };

struct small {
	struct plan plan;
	struct arena arena;
	struct machine m;
	struct mp mp[MPS];
};

static struct small *machine(void)
{
	struct small *s = aligned_alloc(128, (sizeof *s + 127) / 128 * 128);

	assert_non_null(s);
	memset(s, 0, sizeof *s);
	timing_init(&s->plan.numbers, "g200");
	s->plan.nmps = MPS;
	s->plan.timed = true;
	s->plan.chip.mps_per_tpc = 2;
	s->m.plan = &s->plan;
	s->m.arena = &s->arena;
	s->m.mp = s->mp;
	assert_true(clock_prepare(&s->m));
	for (unsigned i = 0; i < MPS; i++) {
		s->mp[i].x.special.mp = i;
		assert_true(cache_init(&s->mp[i].code_l1, &s->m.state, s->plan.numbers.value[T_i_l1_bytes], 256));
		assert_true(cache_init(&s->mp[i].const_l1, &s->m.state, s->plan.numbers.value[T_c_l1_bytes], 256));
	}
	return s;
}

static void dispose(struct small *s)
{
	arena_free(&s->m.state);
	arena_free(&s->arena);
	free(s);
}

static uint64_t fetch(struct small *s, unsigned mp, uint64_t now)
{
	return clock_fetch_line(&s->m, &s->mp[mp], LINE, now);
}

static uint64_t latency(const struct small *s, enum timing_id id)
{
	return s->plan.numbers.value[id];
}

static void a_line_comes_from_the_nearest_level_that_has_it(void **state)
{
	struct small *s = machine();
	uint64_t there = fetch(s, 0, 100);

	(void)state;
	assert_int_equal(there, 100 + latency(s, T_l4_latency));
	assert_int_equal(fetch(s, 0, there), there);                            /* its own first level */
	assert_int_equal(fetch(s, 1, there), there + latency(s, T_l2_latency)); /* the TPC's */
	assert_int_equal(fetch(s, 2, there), there + latency(s, T_l3_latency)); /* the chip's */
	dispose(s);
}

static void a_line_that_is_on_its_way_comes_once(void **state)
{
	struct small *s = machine();
	uint64_t there = fetch(s, 0, 100);

	(void)state;
	assert_int_equal(fetch(s, 0, 101), there);
	assert_int_equal(fetch(s, 1, 101), there);      /* no sooner than in the level below */
	dispose(s);
}

static void a_line_that_stays_is_noted_for_the_scheduler(void **state)
{
	struct small *s = machine();
	uint64_t there = fetch(s, 0, 100);

	(void)state;
	assert_false(s->mp[0].sched.lines_here >> LINE & 1);
	fetch(s, 0, there);
	assert_true(s->mp[0].sched.lines_here >> LINE & 1);
	dispose(s);
}

static void a_miss_of_constants_delays_the_result(void **state)
{
	struct small *s = machine();
	struct mp *mp = &s->mp[0];
	uint64_t there = 100 + latency(s, T_l4_latency);

	(void)state;
	mp->sched.now = 100;
	clock_const(&s->m, mp, LINE);
	assert_int_equal(mp->work.data_at, there + latency(s, T_alu_latency));
	mp->work.data_at = 0;
	mp->sched.now = there;
	clock_const(&s->m, mp, LINE);
	assert_int_equal(mp->work.data_at, 0);
	dispose(s);
}

/* No request is answered within an epoch, so that multiprocessors run each epoch by themselves. */
static void an_epoch_is_as_long_as_the_memory_is_slow(void **state)
{
	struct small *s = machine();

	(void)state;
	assert_int_equal(epoch_cycles(&s->m), latency(s, T_g_latency));
	assert_int_equal(clock_tpcs(&s->m), 2);
	dispose(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_comes_from_the_nearest_level_that_has_it),
		cmocka_unit_test(a_line_that_is_on_its_way_comes_once),
		cmocka_unit_test(a_line_that_stays_is_noted_for_the_scheduler),
		cmocka_unit_test(a_miss_of_constants_delays_the_result),
		cmocka_unit_test(an_epoch_is_as_long_as_the_memory_is_slow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
