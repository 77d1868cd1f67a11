/* Arenas and the large pages below: memory handed out is zero, aligned and apart, and is found again. */
#include "tests/kit/cmocka_all.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/pages.h"
#include "core/base/sanitized.h"

static void pages_are_zero_and_aligned(void **state)
{
	static const size_t sizes[] = { 0, 1, 4096, 1 << 17, LARGE_PAGE - 1, LARGE_PAGE, LARGE_PAGE + 1,
					3 * LARGE_PAGE };

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (int again = 0; again < 2; again++) {
			size_t n = sizes[i];
			uint8_t *p = pages_alloc(n);
			assert_non_null(p);
			assert_int_equal((uintptr_t)p % (n < LARGE_PAGE ? 64 : LARGE_PAGE), 0);
			for (size_t k = 0; k < n; k += 4095)
				assert_int_equal(p[k], 0);
			memset(p, 0xff, n);
			pages_free(p, n);
		}
	pages_free(NULL, LARGE_PAGE);
	assert_null(pages_alloc(SIZE_MAX - 1));
}

/* ---- areas of kept pages ---- */

static bool all_zero(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i])
			return false;
	return true;
}

/* The memory of a freed area comes again, cleared by pages_alloc and as it was by pages_take. */
static void freed_areas_come_again(void **state)
{
	enum { N = 5 * PAGES_UNIT - 100 };
	uint8_t *p = pages_alloc(N), *again;
	bool zero;

	(void)state;
	memset(p, 0xff, N);
	pages_free(p, N);
	again = pages_alloc(N);
	assert_true(all_zero(again, N));
#ifndef ADDRESS_SANITIZER
	assert_ptr_equal(again, p);
#endif
	memset(again, 0xff, N);
	pages_free(again, N);
	again = pages_take(N, &zero);
	assert_true(!zero || all_zero(again, N));
	pages_free(again, N);
}

/* More areas than the kept pages have space for are apart, and a zero area is zero. */
static void take_all(unsigned n, size_t bytes)
{
	uint8_t *p[3 * PAGES_KEPT];
	bool zero;

	for (unsigned i = 0; i < n; i++) {
		p[i] = pages_take(bytes, &zero);
		assert_non_null(p[i]);
		assert_true(!zero || all_zero(p[i], bytes));
		memset(p[i], (int)i + 1, bytes);
	}
	for (unsigned i = 0; i < n; i++) {
		assert_true(p[i][0] == i + 1 && !memcmp(p[i], p[i] + 1, bytes - 1));
		pages_free(p[i], bytes);
	}
}

static void areas_beyond_the_kept_pages(void **state)
{
	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		take_all(3 * PAGES_KEPT, LARGE_PAGE / 2);
		take_all(PAGES_KEPT / 2, 2 * LARGE_PAGE + 1);
		take_all(PAGES_KEPT + 1, LARGE_PAGE);
	}
}

enum { AREAS = 20, TURNS = 4000 };

struct area {
	uint8_t *p;
	size_t n;
};

/* Whether the first byte, the middle and the last have the value. */
static bool holds(const struct area *a, uint8_t value)
{
	return a->p[0] == value && a->p[a->n / 2] == value && a->p[a->n - 1] == value;
}

/* Take and free areas of all sizes, whose bytes are the thread's own. Returns NULL, or the thread's number after an
 * error. */
static void *take_and_free(void *number)
{
	uint8_t value = (uint8_t)(uintptr_t)number;
	struct area area[AREAS] = { { .p = NULL } };
	uint32_t random = value;
	bool zero, good = true;

	for (unsigned i = 0; i < TURNS; i++) {
		struct area *a = &area[i % AREAS];
		good = good && (!a->p || holds(a, value));
		pages_free(a->p, a->n);
		random = random * 1664525 + 1013904223;
		a->n = 1 + (random >> 8) % (i % 11 == 0 ? PAGES_AREA : i % 7 ? 4 * PAGES_UNIT : LARGE_PAGE);
		a->p = pages_take(a->n, &zero);
		good = good && a->p && (!zero || !(a->p[0] | a->p[a->n / 2] | a->p[a->n - 1]));
		if (!good)
			break;
		a->p[0] = a->p[a->n / 2] = a->p[a->n - 1] = value;
	}
	for (unsigned i = 0; i < AREAS; i++)
		pages_free(area[i].p, area[i].n);
	return good ? NULL : number;
}

static void threads_take_areas_apart(void **state)
{
	enum { THREADS = 4 };
	pthread_t thread[THREADS];
	void *bad;

	(void)state;
	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, take_and_free, (void *)(i + 1)), 0);
	for (unsigned i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(thread[i], &bad), 0);
		assert_null(bad);
	}
}

/* ---- arenas ---- */

/* Pieces of all sizes, over several large pages: no piece lies in another. */
static void pieces_are_zero_aligned_and_apart(void **state)
{
	enum { N = 600 };
	static uint8_t *piece[N];
	static size_t size[N];
	struct arena a = { 0 };

	(void)state;
	for (unsigned i = 0; i < N; i++) {
		size_t align = (size_t)1 << i % 13;
		size[i] = i % 97 == 0 ? LARGE_PAGE + i : i % 7 ? 1 + i * 31 : 70000;
		a.part = i % 5 ? i / 100 : 0;
		piece[i] = arena_alloc(&a, size[i], align);
		assert_non_null(piece[i]);
		assert_int_equal((uintptr_t)piece[i] % align, 0);
		for (size_t k = 0; k < size[i]; k++)
			if (piece[i][k])
				fail_msg("byte %zu of piece %u is not zero", k, i);
		memset(piece[i], (int)(1 + i % 255), size[i]);
	}
	for (unsigned i = 0; i < N; i++)
		for (size_t k = 0; k < size[i]; k++)
			if (piece[i][k] != 1 + i % 255)
				fail_msg("byte %zu of piece %u is another's", k, i);
	arena_free(&a);
	assert_null(a.chunk);
	assert_non_null(arena_alloc(&a, 10, 1));
	arena_free(&a);
}

/* The last piece, and no other, can grow as long as bytes follow. */
static void the_last_piece_grows(void **state)
{
	struct arena a = { 0 };
	uint8_t *first = arena_alloc(&a, 100, 8), *last, *next;
	size_t n = 1000;

	(void)state;
	assert_true(arena_extend(&a, first, 100, 4));
	last = arena_alloc(&a, n, 8);
	memset(first, 1, 104);
	assert_false(arena_extend(&a, first, 104, 8));
	for (; arena_extend(&a, last, n, 1000); n += 1000)
		memset(last + n, 2, 1000);
	assert_true(n > 10000);
	next = arena_alloc(&a, 2000, 8);
	assert_true(last[0] == 0 && last[999] == 0 && last[1000] == 2 && next[0] == 0 && next[1999] == 0);
	assert_true((uintptr_t)next >= (uintptr_t)last + n || (uintptr_t)next + 2000 <= (uintptr_t)first);
	a.part = 1;
	assert_false(arena_extend(&a, next, 2000, 8));
	arena_free(&a);
	assert_false(arena_extend(&a, last, n, 8));
}

/* Every piece is contiguous and of a single part. */
static void stretches_hold_all_pieces(void **state)
{
	enum { N = 300 };
	struct arena a = { 0 };

	(void)state;
	for (unsigned i = 0; i < N; i++) {
		struct arena_chunk *at = NULL;
		const uint8_t *from, *piece;
		unsigned found = 0;
		size_t n;

		a.part = i / 30;
		piece = arena_alloc(&a, 9000, 64);
		assert_non_null(piece);
		while ((from = arena_piece(&a, &at, &n)))
			if ((uintptr_t)piece >= (uintptr_t)from && (uintptr_t)piece + 9000 <= (uintptr_t)from + n) {
				assert_int_equal(arena_part(at), i / 30);
				found++;
			}
		assert_int_equal(found, 1);
	}
	arena_free(&a);
}

/* The same allocations get the same zeroed bytes, in every part; other allocations get others, zeroed as well. */
static void a_rewound_arena_has_the_same_places(void **state)
{
	enum { PARTS = 3, PIECES = 40, BYTES = 5000 };
	uint8_t *first[PARTS][PIECES];
	struct arena a = { 0 };

	(void)state;
	for (unsigned again = 0; again < 4; again++) {
		size_t bytes = BYTES + (again == 3) * 200000;
		for (unsigned part = 0; part < PARTS; part++)
			for (unsigned i = 0; i < PIECES; i++) {
				a.part = part;
				uint8_t *p = arena_alloc(&a, bytes, 64);
				assert_non_null(p);
				if (!again)
					first[part][i] = p;
				if (again && again < 3)
					assert_ptr_equal(p, first[part][i]);
				for (size_t k = 0; k < bytes; k += 100)
					assert_int_equal(p[k], 0);
				memset(p, 0xaa, bytes);
			}
		assert_true(a.size >= PARTS * PIECES * bytes);
		arena_rewind(&a);
		assert_int_equal(a.size, 0);
	}
	arena_free(&a);
	assert_null(a.spare);
}

/* ---- guarded pieces ---- */

/* How a child ended that touches a byte: no sanitizer sees the access, which reads as a gather does. */
static bool survives(const uint8_t *at)
{
	pid_t child = fork();
	int status = 0;

	assert_true(child >= 0);
	if (!child) {
		uint8_t byte;
		signal(SIGSEGV, SIG_DFL);
		close(STDERR_FILENO);
		__asm__ volatile("" : "=r"(byte) : "0"(*(const volatile uint8_t *)at));
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Pieces are zero, are found by arena_piece, and with a sanitizer nobody touches the bytes beside them. */
static void guarded_pieces_end_where_they_end(void **state)
{
	static const size_t sizes[] = { 1, 24, 4096, 16 * 1024 + 8 };

	(void)state;
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct arena a = { 0 };
		const char *before = arena_alloc(&a, 100, 8);
		uint8_t *p = arena_alloc_guarded(&a, sizes[i], 16);
		struct arena_chunk *at = NULL;
		const uint8_t *from;
		size_t n;
		bool found = false;
		assert_non_null(before);
		assert_non_null(p);
		assert_int_equal((uintptr_t)p % 16, 0);
		for (size_t k = 0; k < sizes[i]; k++)
			assert_int_equal(p[k], 0);
		while ((from = arena_piece(&a, &at, &n)))
			found |= from <= p && p + sizes[i] <= from + n;
		assert_true(found);
		assert_true(survives(p) && survives(p + sizes[i] - 1));
#ifdef ADDRESS_SANITIZER
		assert_false(survives(p - 1) || survives(p + sizes[i]) || survives(p + sizes[i] + 16));
		assert_false(survives(p + sizes[i] + 4000));
#endif
		arena_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_zero_and_aligned),
		cmocka_unit_test(freed_areas_come_again),
		cmocka_unit_test(areas_beyond_the_kept_pages),
		cmocka_unit_test(threads_take_areas_apart),
		cmocka_unit_test(pieces_are_zero_aligned_and_apart),
		cmocka_unit_test(pieces_are_zero_aligned_and_apart),    /* in memory that had pieces before */
		cmocka_unit_test(the_last_piece_grows),
		cmocka_unit_test(stretches_hold_all_pieces),
		cmocka_unit_test(a_rewound_arena_has_the_same_places),
		cmocka_unit_test(guarded_pieces_end_where_they_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
