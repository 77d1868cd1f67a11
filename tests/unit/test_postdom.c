/* Immediate post-dominators of small graphs, drawn beside them. */
#include "tests/unit/cmocka_all.h"

#include "core/postdom.h"

enum { NO = -1, MOST = 8 };

static void check(uint32_t n, const int succ[][2], const int expected[])
{
	uint32_t s[MOST][2], found[MOST];

	for (uint32_t i = 0; i < n; i++)
		for (int k = 0; k < 2; k++)
			s[i][k] = succ[i][k] == NO ? POSTDOM_NONE : (uint32_t)succ[i][k];
	assert_true(postdominators(n, (const uint32_t (*)[2])s, found));
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal((int32_t)found[i], expected[i]);
}

/* 0 → 1, 2; both → 3 → end (4) */
static void diamond(void **state)
{
	(void)state;
	check(4, (const int[][2]){ { 1, 2 }, { 3, NO }, { 3, NO }, { 4, NO } }, (const int[]){ 3, 3, 3, 4 });
}

/* 0 → 1 → 2 → 1 or 3 → end; 2 also breaks to the end (4) through nothing else */
static void loop(void **state)
{
	(void)state;
	check(4, (const int[][2]){ { 1, NO }, { 2, 3 }, { 1, NO }, { 4, NO } }, (const int[]){ 1, 3, 1, 4 });
	check(4, (const int[][2]){ { 1, NO }, { 2, 3 }, { 1, 4 }, { 4, NO } }, (const int[]){ 1, 4, 4, 4 });
}

/* Paths that end apart have the end alone in common; a node that is not reached is like any other; a loop without a way
 * out has no post-dominator. */
static void ends(void **state)
{
	(void)state;
	check(3, (const int[][2]){ { 1, 2 }, { 3, NO }, { 3, NO } }, (const int[]){ 3, 3, 3 });
	check(4, (const int[][2]){ { 1, 2 }, { 1, NO }, { 4, NO }, { 2, NO } }, (const int[]){ 2, NO, 4, 2 });
}

/* Two ways into one loop, 1 and 2, which jump to each other; out of it from 2. */
static void irreducible(void **state)
{
	(void)state;
	check(4, (const int[][2]){ { 1, 2 }, { 2, NO }, { 1, 3 }, { 4, NO } }, (const int[]){ 2, 2, 3, 4 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(diamond), cmocka_unit_test(loop), cmocka_unit_test(ends),
		cmocka_unit_test(irreducible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
