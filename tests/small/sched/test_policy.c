/* Scheduling policies by example (sched/policy.c): among the slots that can issue now, which one does. Sets of slots
 * are written as bits, slot 0 lowest. */
#include "tests/kit/cmocka_all.h"

#include "tests/kit/toy_machine.h"

/* Warps in slots 0 to 7; warp i came i-th, but slot 2's warp is the youngest. */
static struct toy *eight(enum policy policy, unsigned group)
{
	struct toy *t = toy_new("i", policy, group);

	toy_admit(t, 8);
	sched_admit(&t->s, 2, &t->ops[0], 0);
	return t;
}

static unsigned pick(struct toy *t, uint64_t eligible)
{
	unsigned slot = policy_pick(&t->s, eligible);

	assert_true(eligible >> slot & 1);
	sched_take(&t->s, slot);
	return slot;
}

static void round_robin_goes_on_behind_the_last(void **state)
{
	struct toy *t = eight(POLICY_RR, 1);

	(void)state;
	assert_int_equal(pick(t, 0xff), 0);
	assert_int_equal(pick(t, 0xff), 1);
	assert_int_equal(pick(t, 0x81), 7);     /* slots 2 to 6 cannot issue */
	assert_int_equal(pick(t, 0x81), 0);
	free(t);
}

static void oldest_takes_the_warp_that_came_first(void **state)
{
	struct toy *t = eight(POLICY_OLDEST, 1);

	(void)state;
	assert_int_equal(pick(t, 0xff), 0);
	assert_int_equal(pick(t, 0xff), 0);
	assert_int_equal(pick(t, 0x0c), 3);     /* slot 2's warp came last */
	free(t);
}

static void youngest_takes_the_warp_that_came_last(void **state)
{
	struct toy *t = eight(POLICY_YOUNGEST, 1);

	(void)state;
	assert_int_equal(pick(t, 0xff), 2);
	assert_int_equal(pick(t, 0xfb), 7);
	free(t);
}

static void gto_stays_with_a_warp_and_then_takes_the_oldest(void **state)
{
	struct toy *t = eight(POLICY_GTO, 1);

	(void)state;
	assert_int_equal(pick(t, 0xf0), 4);
	assert_int_equal(pick(t, 0xff), 4);
	assert_int_equal(pick(t, 0xe4), 5);     /* slot 4 cannot issue, and slot 2's warp is young */
	free(t);
}

static void two_level_stays_in_a_group_while_it_can(void **state)
{
	struct toy *t = eight(POLICY_TWO_LEVEL, 4);

	(void)state;
	assert_int_equal(pick(t, 0xff), 0);
	assert_int_equal(pick(t, 0xff), 1);
	assert_int_equal(pick(t, 0xf1), 0);     /* round robin in slots 0 to 3 */
	assert_int_equal(pick(t, 0xf0), 4);     /* none of those can issue: the next group's turn */
	assert_int_equal(pick(t, 0xff), 5);
	free(t);
}

static void random_picks_depend_on_the_seed_alone(void **state)
{
	struct toy *a = eight(POLICY_RANDOM, 1), *b = eight(POLICY_RANDOM, 1);
	uint64_t seen = 0;

	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		unsigned slot = pick(a, 0xff);
		assert_int_equal(slot, pick(b, 0xff));
		seen |= 1ull << slot;
	}
	assert_int_equal(seen, 0xff);
	free(a);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_robin_goes_on_behind_the_last),
		cmocka_unit_test(oldest_takes_the_warp_that_came_first),
		cmocka_unit_test(youngest_takes_the_warp_that_came_last),
		cmocka_unit_test(gto_stays_with_a_warp_and_then_takes_the_oldest),
		cmocka_unit_test(two_level_stays_in_a_group_while_it_can),
		cmocka_unit_test(random_picks_depend_on_the_seed_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
