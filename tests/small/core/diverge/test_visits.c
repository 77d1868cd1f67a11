/* Packing the visits of a block's threads into as few issues as can be. */
#include "tests/kit/cmocka_all.h"

#include "core/visits.h"

enum { MOST = 128 };

/* Threads 0 … n−1 visit as often as a(t) says. */
static uint64_t packed(unsigned n, uint32_t (*visits)(unsigned t))
{
	uint32_t counts[MOST];

	for (unsigned t = 0; t < n; t++)
		counts[t] = visits(t);
	return visits_packed(counts, n, 32);
}

static uint32_t three(unsigned t) { return 3; }
static uint32_t odd(unsigned t) { return t & 1; }
static uint32_t own_number(unsigned t) { return t; }
static uint32_t lonely(unsigned t) { return t == 77 ? 1000 : 0; }

static void visits_share_issues(void **state)
{
	(void)state;
	assert_int_equal(packed(0, three), 0);
	assert_int_equal(packed(32, three), 3);
	assert_int_equal(packed(33, three), 6);
	assert_int_equal(packed(64, odd), 1);           /* half of two warps is one */
	assert_int_equal(packed(128, odd), 2);
	assert_int_equal(packed(128, own_number), 127 + 95 + 63 + 31);
	assert_int_equal(packed(128, lonely), 1000);    /* one lane at a time cannot be packed */
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(visits_share_issues) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
