/* The block scheduler by example (machine/block_scheduler.h): which multiprocessor gets which block, on a machine of
 * which only the queues are made. */
#include "tests/kit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "machine/state.h"

enum { MPS = 3, PLACES = 2 };

/* Three multiprocessors with storage for two blocks each, none of them occupied. */
struct small {
	struct plan plan;
	struct machine m;
	struct mp mp[MPS];
};

static struct small *machine(uint32_t blocks, bool timed)
{
	struct small *s = aligned_alloc(128, (sizeof *s + 127) / 128 * 128);

	assert_non_null(s);
	memset(s, 0, sizeof *s);
	s->plan.nmps = MPS;
	s->plan.timed = timed;
	s->plan.dim.blocks = blocks;
	s->m.plan = &s->plan;
	s->m.mp = s->mp;
	for (unsigned i = 0; i < MPS; i++) {
		s->mp[i].x.special.mp = i;
		s->mp[i].nresident = PLACES;
		assert_true(queue_prepare(&s->m, &s->mp[i]));
	}
	return s;
}

static void dispose(struct small *s)
{
	arena_free(&s->m.state);
	free(s);
}

/* The next block of multiprocessor i; -1: its queue is empty. */
static int take(struct small *s, unsigned i)
{
	uint32_t block;

	return queue_take(&s->m, &s->mp[i], &block) ? (int)block : -1;
}

static void blocks_go_round_the_multiprocessors(void **state)
{
	struct small *s = machine(7, true);

	(void)state;
	assert_int_equal(take(s, 0), 0);
	assert_int_equal(take(s, 1), 1);
	assert_int_equal(take(s, 0), 3);
	assert_int_equal(take(s, 0), 6);
	assert_int_equal(take(s, 0), -1);       /* its stripe was 0, 3, 6, whatever the others do */
	assert_int_equal(take(s, 2), 2);
	assert_int_equal(s->m.run.started_blocks, 5);
	dispose(s);
}

static void without_timing_neighbours_stay_together(void **state)
{
	struct small *s = machine(1200, false);

	(void)state;
	for (int k = 0; k < 16; k++)
		assert_int_equal(take(s, 1), 16 + k);
	assert_int_equal(take(s, 1), 16 * (MPS + 1));
	dispose(s);
}

static void a_queue_can_be_read_ahead(void **state)
{
	struct small *s = machine(7, true);
	uint32_t block;

	(void)state;
	assert_true(queue_peek(&s->m, &s->mp[1], 1, &block));
	assert_int_equal(block, 4);
	assert_false(queue_peek(&s->m, &s->mp[1], 2, &block));
	assert_int_equal(take(s, 1), 1);        /* reading took nothing */
	assert_ptr_equal(queue_owner(&s->m, 5), &s->mp[2]);
	dispose(s);
}

/* Between epochs an empty queue gets half of the longest one, as many as it has storage for. */
static void an_empty_queue_gets_blocks_of_the_longest(void **state)
{
	struct small *s = machine(30, true);

	(void)state;
	assert_false(queues_balance(&s->m));    /* none is empty */
	for (unsigned k = 0; k < 10; k++)
		assert_int_equal(take(s, 2), (int)(2 + MPS * k));
	assert_int_equal(take(s, 2), -1);
	take(s, 1);
	assert_true(queues_balance(&s->m));     /* multiprocessor 0 has 10 blocks left, 1 has 9 */
	assert_int_equal(take(s, 2), 0);
	assert_int_equal(take(s, 2), 3);
	assert_int_equal(take(s, 2), -1);
	assert_int_equal(take(s, 0), 6);
	dispose(s);
}

static void the_last_block_goes_to_empty_storage_alone(void **state)
{
	struct small *s = machine(3, true);

	(void)state;
	take(s, 1);
	take(s, 2);
	s->mp[1].nlive = s->mp[2].nlive = PLACES;
	assert_false(queues_balance(&s->m));
	s->mp[2].nlive--;
	assert_true(queues_balance(&s->m));
	assert_int_equal(take(s, 2), 0);
	assert_int_equal(take(s, 0), -1);
	dispose(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_go_round_the_multiprocessors),
		cmocka_unit_test(without_timing_neighbours_stay_together), cmocka_unit_test(a_queue_can_be_read_ahead),
		cmocka_unit_test(an_empty_queue_gets_blocks_of_the_longest),
		cmocka_unit_test(the_last_block_goes_to_empty_storage_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
