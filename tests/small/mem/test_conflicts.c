/* Read and write sets of several workers in global memory: allowed sharing, conflicts, and putting memory back. */
#include "tests/kit/cmocka_all.h"

#include "mem/conflicts.h"
#include "tests/kit/sample.h"

enum { BASE = 0x20000, PIECE = SET_ROWS * 64 * 4 };

struct touch { unsigned worker; enum rw_set kind; uint32_t addr, bytes, op; };

/* Add a touch, by segments if requested and possible. */
static bool record(struct worker_sets *m, struct global_page *p, const struct touch *t, bool by_segments)
{
	if (t->kind == REDUCE_SET)
		return worker_sets_reduce(m, p, t->op, t->addr, t->bytes);
	if (!by_segments || (t->addr | t->bytes) % SET_SEGMENT)
		return worker_sets_add(m, p, t->kind, t->addr, t->bytes);
	return worker_sets_add_segments(m, p, t->kind, t->addr, t->bytes / SET_SEGMENT);
}

/* Do the touches conflict, in any order of the workers? */
static bool meet_by(const struct touch *t, unsigned n, bool by_segments)
{
	struct global g = { 0 };
	struct conflicts s;
	bool found = false;

	assert_true(global_map(&g, BASE - PAGE_BYTES, 3 * PAGE_BYTES, NULL));
	assert_true(conflicts_begin(&s, &g, 3));
	for (; n--; t++)
		assert_true(record(&s.of[t->worker], global_page_find(&g, t->addr >> PAGE_BITS), t, by_segments));
	for (uint32_t i = 0; i < s.npages; i++)
		found |= conflicts_in_page(&s, i);
	conflicts_end(&s);
	global_free(&g);
	return found;
}

static bool meet(const struct touch *t, unsigned n)
{
	bool met = meet_by(t, n, false);

	assert_int_equal(meet_by(t, n, true), met);
	return met;
}

#define MEET(...) meet((const struct touch[]){ __VA_ARGS__ }, sizeof (const struct touch[]){ __VA_ARGS__ } / \
			      sizeof(struct touch))

static void loads_and_stores(void **state)
{
	(void)state;
	assert_false(MEET({ 0, READ_SET, BASE, 128, 0 }, { 1, READ_SET, BASE, 128, 0 }));
	assert_false(MEET({ 0, WRITE_SET, BASE, 128, 0 }, { 0, READ_SET, BASE, 128, 0 }));
	assert_false(MEET({ 0, WRITE_SET, BASE, 128, 0 }, { 1, WRITE_SET, BASE + 128, 128, 0 }));
	assert_true(MEET({ 0, WRITE_SET, BASE, 128, 0 }, { 1, WRITE_SET, BASE + 124, 4, 0 }));
	assert_true(MEET({ 0, READ_SET, BASE, 128, 0 }, { 2, WRITE_SET, BASE + 124, 4, 0 }));
	assert_true(MEET({ 2, READ_SET, BASE, 128, 0 }, { 0, WRITE_SET, BASE + 124, 4, 0 }));
	/* Words count, not bytes; the last word of a page is not the first of the next. */
	assert_true(MEET({ 0, WRITE_SET, BASE + 1, 1, 0 }, { 1, WRITE_SET, BASE + 2, 1, 0 }));
	assert_false(MEET({ 0, WRITE_SET, BASE + PAGE_BYTES - 4, 4, 0 }, { 1, WRITE_SET, BASE + PAGE_BYTES, 4, 0 }));
	/* Across rows of a set, through the whole of a row, and from a piece of a page to the next. */
	assert_true(MEET({ 0, WRITE_SET, BASE + 200, 128, 0 }, { 1, READ_SET, BASE + 324, 4, 0 }));
	assert_false(MEET({ 0, WRITE_SET, BASE + 200, 128, 0 }, { 1, READ_SET, BASE + 328, 4, 0 }));
	assert_true(MEET({ 0, WRITE_SET, BASE + 254, 2, 0 }, { 1, READ_SET, BASE + 252, 4, 0 }));
	assert_true(MEET({ 0, WRITE_SET, BASE + PIECE - 64, 128, 0 }, { 1, READ_SET, BASE + PIECE - 4, 4, 0 }));
	assert_true(MEET({ 0, WRITE_SET, BASE + PIECE - 64, 128, 0 }, { 2, WRITE_SET, BASE + PIECE + 60, 4, 0 }));
	assert_false(MEET({ 0, WRITE_SET, BASE + PIECE - 64, 128, 0 }, { 1, READ_SET, BASE + PIECE + 64, 4, 0 }));
	assert_false(MEET({ 0, WRITE_SET, BASE + 4, 4, 0 }, { 1, WRITE_SET, BASE + PIECE + 4, 4, 0 }));
	/* Whole segments, at both ends of a page and in the middle. */
	for (uint32_t at = BASE; at < BASE + PAGE_BYTES; at += SET_SEGMENT) {
		if (at != BASE && at != BASE + PAGE_BYTES - SET_SEGMENT && left_to_faster_builds(at / SET_SEGMENT))
			continue;
		assert_true(MEET({ 0, WRITE_SET, at, 64, 0 }, { 1, WRITE_SET, at, 64, 0 }));
		assert_true(MEET({ 0, READ_SET, at, 64, 0 }, { 1, WRITE_SET, at, 64, 0 }));
		assert_true(MEET({ 0, WRITE_SET, at, 64, 0 }, { 2, READ_SET, at, 64, 0 }));
		assert_false(MEET({ 0, READ_SET, at, 64, 0 }, { 1, READ_SET, at, 64, 0 },
				  { 2, WRITE_SET, at + 64, 64, 0 }));
		assert_false(MEET({ 1, READ_SET, at, 64, 0 }, { 1, WRITE_SET, at, 64, 0 }));
		assert_true(MEET({ 0, READ_SET, at, 64, 0 }, { 1, WRITE_SET, at + 60, 4, 0 }));
		assert_true(MEET({ 2, WRITE_SET, at, 4, 0 }, { 1, READ_SET, at, 64, 0 }));
		assert_true(MEET({ 2, REDUCE_SET, at + 8, 4, 0 }, { 1, READ_SET, at, 64, 0 }));
		assert_false(MEET({ 0, READ_SET, at, 64, 0 }, { 1, WRITE_SET, at + 64, 4, 0 }));
		assert_false(MEET({ 0, WRITE_SET, at, 64, 0 }, { 1, WRITE_SET, at - 4, 4, 0 }));
	}
}

static void reductions(void **state)
{
	(void)state;
	assert_false(MEET({ 0, REDUCE_SET, BASE, 4, 1 }, { 1, REDUCE_SET, BASE, 4, 1 }));
	assert_true(MEET({ 0, REDUCE_SET, BASE, 4, 1 }, { 1, REDUCE_SET, BASE, 4, 2 }));
	assert_true(MEET({ 0, REDUCE_SET, BASE, 4, 1 }, { 1, READ_SET, BASE, 4, 0 }));
	assert_true(MEET({ 0, WRITE_SET, BASE, 4, 1 }, { 1, REDUCE_SET, BASE, 4, 0 }));
	assert_false(MEET({ 0, REDUCE_SET, BASE, 4, 1 }, { 1, REDUCE_SET, BASE + 4, 4, 2 }));
	/* Several operations of a worker in a page, or of several workers on common words. */
	assert_true(MEET({ 0, REDUCE_SET, BASE, 4, 1 }, { 0, REDUCE_SET, BASE, 4, 2 },
			 { 1, REDUCE_SET, BASE, 4, 1 }));
	assert_true(MEET({ 0, REDUCE_SET, BASE, 4, 1 }, { 1, REDUCE_SET, BASE + 4, 4, 2 },
			 { 2, REDUCE_SET, BASE, 4, 2 }));
}

static void memory_is_put_back(void **state)
{
	struct global g = { 0 };
	struct conflicts s;
	uint32_t word = 7;

	(void)state;
	assert_true(global_map(&g, BASE, 4096, NULL));
	assert_true(global_write(&g, BASE + 64, &word, 4));
	assert_true(conflicts_begin(&s, &g, 2));
	struct global_page *p = global_page_find(&g, BASE >> PAGE_BITS);
	for (word = 8; word < 10; word++) {
		assert_true(worker_sets_add(&s.of[word % 2], p, WRITE_SET, BASE + 64, 4));
		assert_true(global_write(&g, BASE + 64, &word, 4));
	}
	conflicts_undo(&s);
	conflicts_end(&s);
	assert_true(global_read(&g, BASE + 64, &word, 4));
	assert_int_equal(word, 7);
	global_free(&g);
}

/* A launch pays for the pages that it touches, not for all of the device's, and a page is as before afterwards. */
static void touched_pages_count(void **state)
{
	enum { MAPPED = 64, TOUCHED = 20 };     /* more than a worker's first sets have pages */
	struct global g = { 0 };
	struct conflicts s;
	uint32_t one = 1, word;

	(void)state;
	assert_true(global_map(&g, BASE, MAPPED * PAGE_BYTES, NULL));
	for (int run = 0; run < 2; run++) {
		assert_true(conflicts_begin(&s, &g, 2));
		assert_int_equal(s.npages, 0);
		for (uint32_t i = 0; i < TOUCHED; i++) {
			uint32_t addr = BASE + (MAPPED - 1 - 2 * i) * PAGE_BYTES + i % SET_PIECES * PIECE;
			struct global_page *p = global_page_find(&g, addr >> PAGE_BITS);
			assert_true(record(&s.of[i % 2], p, &(struct touch){ 0, WRITE_SET, addr, 64, 0 }, run));
			assert_true(global_write(&g, addr, &one, 4));
			assert_int_equal(p->index, i);
			for (uint32_t k = 0; k < SET_PIECES; k++)
				assert_int_equal(p->saved[k], k == i % SET_PIECES ? PIECE_SAVED : PIECE_UNSAVED);
		}
		assert_int_equal(s.npages, TOUCHED);
		for (uint32_t i = 0; i < s.workers; i++)
			assert_in_range(s.of[i].npages, 1, 2 * TOUCHED);
		for (uint32_t i = 0; i < TOUCHED; i++)
			assert_false(conflicts_in_page(&s, i));
		conflicts_undo(&s);
		conflicts_end(&s);
		for (uint64_t at = BASE; at < BASE + MAPPED * PAGE_BYTES; at += PIECE)
			assert_true(global_read(&g, at, &word, 4) && word == 0);
	}
	global_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_and_stores),
		cmocka_unit_test(reductions),
		cmocka_unit_test(memory_is_put_back), cmocka_unit_test(touched_pages_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
