/* Immediate post-dominators of small graphs, drawn beside them. */
#include "tests/kit/cmocka_all.h"

#include "core/base/rng.h"
#include "core/postdom.h"

enum { NO = -1, MOST = 8, NODES = 24 };

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

/* Does a path lead from `from` to the end without node `without`? */
static bool reaches_end(uint32_t n, const uint32_t (*succ)[2], uint32_t from, uint32_t without)
{
	uint32_t stack[2 * NODES + 2], depth = 0;
	bool seen[NODES + 1] = { false };

	stack[depth++] = from;
	while (depth) {
		uint32_t i = stack[--depth];
		if (i == POSTDOM_NONE || i == without || seen[i])
			continue;
		if (i == n)
			return true;
		seen[i] = true;
		stack[depth++] = succ[i][0];
		stack[depth++] = succ[i][1];
	}
	return false;
}

/* By the definition: a node on all ways from i to the end; all other nodes on all ways from i are on all ways from the
 * node. */
static uint32_t by_definition(uint32_t n, const uint32_t (*succ)[2], uint32_t i)
{
	if (!reaches_end(n, succ, i, POSTDOM_NONE))
		return POSTDOM_NONE;
	for (uint32_t near = 0; near < n; near++) {
		bool nearest = near != i && !reaches_end(n, succ, i, near);
		for (uint32_t k = 0; nearest && k < n; k++)
			if (k != i && k != near && !reaches_end(n, succ, i, k))
				nearest = !reaches_end(n, succ, near, k);
		if (nearest)
			return near;
	}
	return n;
}

/* Random graphs, mostly chains, in random order of nodes. */
static void random_graphs(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3000; seed++) {
		uint64_t random = seed;
		uint32_t n = 1 + (uint32_t)rng_next(&random) % NODES, succ[NODES][2], found[NODES];
		for (uint32_t i = 0; i < n; i++) {
			uint32_t kind = (uint32_t)rng_next(&random) % 8;
			succ[i][0] = kind < 4 ? i + 1 : (uint32_t)rng_next(&random) % (n + 1);
			succ[i][1] = kind == 5 || kind == 6 ? (uint32_t)rng_next(&random) % (n + 1) : POSTDOM_NONE;
			if (kind == 7 && i % 3 == 0)
				succ[i][0] = POSTDOM_NONE;
		}
		assert_true(postdominators(n, (const uint32_t (*)[2])succ, found));
		for (uint32_t i = 0; i < n; i++)
			if (found[i] != by_definition(n, (const uint32_t (*)[2])succ, i))
				fail_msg("seed %u, node %u of %u: found %d, expected %d", (unsigned)seed, i, n,
					 (int)found[i], (int)by_definition(n, (const uint32_t (*)[2])succ, i));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(diamond), cmocka_unit_test(loop), cmocka_unit_test(ends),
		cmocka_unit_test(irreducible), cmocka_unit_test(random_graphs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
