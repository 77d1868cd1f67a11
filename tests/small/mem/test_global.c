/* Global memory: mapping, look-ups of elements, whole ranges, buffers, and the two views. */
#include "tests/kit/cmocka_all.h"

#include <string.h>

#include "core/base/diag.h"
#include "mem/global.h"
#include "mem/undo_log.h"
#include "mem/view.h"

static void granules_decide_what_is_mapped(void **state)
{
	(void)state;
	struct global g = { 0 };
	struct page_cache c = { 0 };
	struct diag d;
	assert_true(global_map(&g, 0x10010, 0x100, &d));   /* touches two granules */
	assert_null(global_at(&g, &c, 0xfffc, 4));
	assert_non_null(global_at(&g, &c, 0x10000, 4));
	assert_non_null(global_at(&g, &c, 0x101ff, 1));
	assert_null(global_at(&g, &c, 0x10200, 1));
	assert_null(global_at(&g, &c, 0x10002, 4));
	assert_non_null(global_at(&g, &c, 0x10002, 2));
	assert_null(global_at(&g, &c, 0x10004, 8));
	assert_ptr_equal(global_at(&g, &c, 0x10010, 16), (char *)global_at(&g, &c, 0x10000, 4) + 16);
	assert_true(global_mapped(&g, 0x10000, 0x200));
	assert_false(global_mapped(&g, 0x10000, 0x201));
	assert_false(global_mapped(&g, 0xffff, 2));
	global_free(&g);
	assert_null(g.pages);
}

static void cache_slots_are_shared_and_told_apart(void **state)
{
	(void)state;
	struct global g = { 0 };
	struct page_cache c = { 0 };
	uint32_t near = 0, far = (PAGE_CACHE_SLOTS + 1) * PAGE_BYTES;
	assert_int_equal(page_slot(near >> PAGE_BITS), page_slot(far >> PAGE_BITS));
	assert_true(global_map(&g, near, 4, NULL) && global_map(&g, far, 4, NULL));
	for (int i = 0; i < 3; i++) {
		*(uint32_t *)global_at(&g, &c, near, 4) = 1 + (uint32_t)i;
		*(uint32_t *)global_at(&g, &c, far, 4) = 100 + (uint32_t)i;
		assert_int_equal(*(uint32_t *)global_at(&g, &c, near, 4), 1 + i);
	}
	assert_null(global_at(&g, &c, 2 * far, 4));
	assert_true(global_map(&g, 2 * far, 4, NULL));   /* a miss is not remembered */
	assert_non_null(global_at(&g, &c, 2 * far, 4));
	global_free(&g);
}

static void runs_stay_in_a_page(void **state)
{
	(void)state;
	struct global g = { 0 };
	struct page_cache c = { 0 };
	assert_true(global_map(&g, 0xff00, 0x200, NULL));
	assert_non_null(global_run_page(&g, &c, 0xff00, 256));
	assert_non_null(global_run_page(&g, &c, 0x10080, 128));
	assert_null(global_run_page(&g, &c, 0xff80, 256));
	assert_null(global_run_page(&g, &c, 0x10081, 128));
	assert_null(global_run_page(&g, &c, 0xfec0, 128));
	assert_null(global_run_page(&g, &c, 0xffffffff, 2));
	global_free(&g);
}

static void ranges_cross_pages_or_do_nothing(void **state)
{
	(void)state;
	struct global g = { 0 };
	enum { N = 3 * PAGE_BYTES };
	static uint8_t in[N], out[N];
	for (int i = 0; i < N; i++)
		in[i] = (uint8_t)(i * 7 + i / 256);
	assert_true(global_map(&g, 0x1fff0, N, NULL));
	assert_true(global_write(&g, 0x1fff0, in, N));
	assert_true(global_read(&g, 0x1fff0, out, N));
	assert_memory_equal(in, out, N);
	assert_true(global_fill(&g, 0x2fff0, 0xee, 0x20));
	assert_true(global_read(&g, 0x2ffef, out, 0x22));
	assert_int_equal(out[0], in[0xffff]);
	assert_int_equal(out[1], 0xee);
	assert_int_equal(out[0x20], 0xee);
	assert_int_equal(out[0x21], in[0x10020]);
	assert_false(global_fill(&g, 0x1fff0, 0, N + 0x200));
	assert_true(global_read(&g, 0x1fff0, out, 1));
	assert_int_equal(out[0], in[0]);
	assert_true(global_read(&g, 0, out, 0));
	global_free(&g);
}

/* Gaps between mapped pages are filled; mapped pages stay unchanged. */
static void pages_fill_gaps(void **state)
{
	(void)state;
	struct global g = { 0 };
	uint32_t word;
	for (uint32_t i = 0; i < 4; i++) {
		word = i + 1;
		assert_true(global_map(&g, (3 + 40 * i) * PAGE_BYTES, 4, NULL));
		assert_true(global_write(&g, (3 + 40 * i) * PAGE_BYTES, &word, 4));
	}
	assert_true(global_map(&g, PAGE_BYTES, 126 * PAGE_BYTES, NULL));
	assert_true(global_mapped(&g, PAGE_BYTES, 126 * PAGE_BYTES));
	assert_false(global_mapped(&g, 127 * PAGE_BYTES, 1));
	assert_false(global_mapped(&g, 0, 1));
	assert_int_equal(g.npages, 126);
	for (uint32_t i = 1; i < 127; i++) {
		const struct global_page *p = global_page_find(&g, i);
		assert_int_equal((uintptr_t)p->bytes % 64, 0);
		assert_true(global_read(&g, i * PAGE_BYTES, &word, 4));
		assert_int_equal(word, i % 40 == 3 ? i / 40 + 1 : 0);
	}
	global_free(&g);
	assert_true(global_map(&g, 0xffff0000, PAGE_BYTES, NULL));
	global_free(&g);
}

static void buffers_follow_each_other(void **state)
{
	(void)state;
	struct global g = { 0 };
	struct diag d;
	uint64_t a, b, none, c;
	assert_true(global_alloc(&g, 1, &a, &d));
	assert_true(global_alloc(&g, 257, &b, &d));
	assert_true(global_alloc(&g, 0, &none, &d));
	assert_int_equal(a, 0x00100000);
	assert_int_equal(b, 0x00100100);
	assert_int_equal(none, 0x00100300);
	assert_true(global_mapped(&g, a, 0x300));
	assert_false(global_mapped(&g, none, 1));
	assert_true(global_alloc(&g, 4, &c, &d));
	assert_int_equal(c, none);
	assert_false(global_alloc(&g, 0xffffffff, &c, &d));
	assert_int_equal(d.kind, DIAG_USAGE);
	assert_non_null(strstr(d.text, "0xffffffff bytes"));
	assert_false(global_map(&g, 0xffffff00, 0x101, &d));
	assert_true(global_map(&g, 0xffffff00, 0x100, &d));
	assert_true(global_mapped(&g, 0xffffff00, 0x100));
	global_free(&g);
}

/* A buffer ends with its last byte: accesses behind it find bytes, and are noted once. */
static void ends_are_exact(void **state)
{
	struct global g = { 0 };
	struct page_cache c = { 0 };
	uint64_t exact, loose;

	(void)state;
	assert_true(global_buffer(&g, 300, true, &exact, NULL));
	assert_true(global_buffer(&g, 300, false, &loose, NULL));
	assert_non_null(global_at(&g, &c, exact + 296, 4));
	assert_int_equal(c.beyond_width, 0);
	assert_null(global_run_page(&g, &c, exact + 280, 32));
	assert_non_null(global_at(&g, &c, exact + 296, 8));
	assert_int_equal(c.beyond, exact + 296);
	assert_int_equal(c.beyond_width, 8);
	assert_non_null(global_at(&g, &c, exact + 508, 4));
	assert_int_equal(c.beyond, exact + 296);        /* the first stays until it is taken */
	c.beyond_width = 0;
	assert_non_null(global_at(&g, &c, loose + 508, 4));
	assert_null(global_at(&g, &c, loose + 512, 4));
	assert_int_equal(c.beyond_width, 0);
	global_free(&g);
	g.first_buffer = 1ull << 40;
	memset(&c, 0, sizeof c);
	assert_true(global_buffer(&g, 256, true, &exact, NULL));
	assert_true(global_buffer(&g, 256, true, &loose, NULL));
	assert_int_equal(loose - exact, 512);
	assert_non_null(global_at(&g, &c, exact + 256, 4));
	assert_int_equal(c.beyond, exact + 256);
	global_free(&g);
}

/* Pages with addresses that differ only in the upper half are distinct, and a worker's cache holds both. */
static void addresses_may_be_wide(void **state)
{
	(void)state;
	struct global g = { .first_buffer = 0x12300000000 };
	struct page_cache cache = { 0 };
	struct diag d;
	uint64_t a, b;
	uint32_t word = 7, *at;
	assert_true(global_alloc(&g, 4, &a, &d));
	assert_int_equal(a, 0x12300000000);
	assert_true(global_map(&g, 0, 4, &d));
	assert_true(global_write(&g, a, &word, 4));
	at = global_at(&g, &cache, a, 4);
	assert_int_equal(*at, 7);
	assert_int_equal(*(uint32_t *)global_at(&g, &cache, 0, 4), 0);
	assert_null(global_at(&g, &cache, (a & UINT32_MAX) | 1ull << 40, 4));
	assert_ptr_equal(global_at(&g, &cache, a, 4), at);
	assert_true(global_alloc(&g, 4, &b, &d));
	assert_int_equal(b, a + 256);
	assert_true(global_map(&g, (1ull << GLOBAL_BITS_MAX) - 256, 256, &d));
	assert_false(global_map(&g, (1ull << GLOBAL_BITS_MAX) - 255, 256, &d));
	assert_non_null(strstr(d.text, "44-bit"));
	assert_false(global_mapped(&g, 1ull << GLOBAL_BITS_MAX, 1));
	global_free(&g);
	assert_false(global_map(&(struct global){ 0 }, 1ull << 32, 1, NULL));
}

static void linear_views_have_a_base_and_an_end(void **state)
{
	(void)state;
	struct view all = VIEW_ALL, part = { .base = 0x100000, .last_byte = 99 };
	uint32_t at;
	assert_true(view_address(&all, 0xfffffffc, 4, &at));
	assert_int_equal(at, 0xfffffffc);
	assert_true(view_address(&part, 96, 4, &at));
	assert_int_equal(at, 0x100060);
	assert_false(view_address(&part, 96, 8, &at));
	assert_false(view_address(&part, 100, 1, &at));
	assert_false(view_address(&part, 0xfffffffc, 4, &at));
}

/* envytools g80-surface gives a 13 x 17 surface of 16-byte elements in blocks of 2 x 2 tiles; with blocks one tile wide
 * the columns of that picture are blocks of their own. The numbers here follow from the rules by hand. */
static void surfaces_are_block_linear(void **state)
{
	(void)state;
	struct view v = {
		.surface = true, .block_height = 1, .last_x = 13 * 16 - 1, .last_y = 16, .pitch = 256, .base = 0x10000
	};
	static const struct { uint32_t x, y, at; } rows[] = {
		{ 0, 0, 0x000 },   { 16, 0, 0x010 }, { 0, 1, 0x040 },   { 63, 3, 0x0ff },
		{ 0, 4, 0x100 },   { 48, 7, 0x1f0 }, { 64, 0, 0x200 },  { 64, 5, 0x340 },
		{ 192, 0, 0x600 }, { 0, 8, 0x800 },  { 0, 16, 0x1000 }, { 192, 16, 0x1600 },
	};
	uint32_t at;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_true(view_address(&v, rows[i].y << 16 | rows[i].x, 1, &at));
		assert_int_equal(at, 0x10000 + rows[i].at);
	}
	assert_false(view_address(&v, 13 * 16, 1, &at));
	assert_false(view_address(&v, 12 * 16 + 8, 16, &at));
	assert_false(view_address(&v, 17u << 16, 1, &at));
	assert_int_equal(view_surface_bytes(256, 17, 1), 0x1800);
	assert_int_equal(view_surface_bytes(256, 16, 0), 0x1000);
}

/* Every byte of a surface has a distinct address inside the surface. */
static void surfaces_are_one_to_one(void **state)
{
	(void)state;
	enum { PITCH = 128, HEIGHT = 40, SIZE = 128 * 64 };
	for (unsigned bh = 0; bh <= 4; bh++) {
		static uint8_t seen[SIZE];
		memset(seen, 0, sizeof seen);
		struct view v = { .surface = true, .block_height = (uint8_t)bh, .pitch = PITCH };
		v.last_x = PITCH - 1;
		v.last_y = HEIGHT - 1;
		assert_true(view_surface_bytes(PITCH, HEIGHT, bh) <= SIZE);
		for (uint32_t i = 0; i < PITCH * HEIGHT; i++) {
			uint32_t at;
			assert_true(view_address(&v, (i / PITCH) << 16 | i % PITCH, 1, &at));
			assert_true(at < view_surface_bytes(PITCH, HEIGHT, bh));
			assert_int_equal(seen[at]++, 0);
		}
	}
}

/* Freed places are taken again, zero, the first that is large enough; what is freed faults. */
static void freed_buffers_leave_gaps(void **state)
{
	(void)state;
	struct global g = { 0 };
	uint64_t a, b, c, next;
	uint8_t byte = 7;

	for (g.owner = 1; g.owner < 4; g.owner++)
		assert_true(global_alloc(&g, 512, g.owner == 1 ? &a : g.owner == 2 ? &b : &c, NULL));
	assert_true(global_write(&g, b + 511, &byte, 1));
	assert_int_equal(global_range_of(&g, b + 511)->addr, b);
	assert_false(global_release(&g, b + 256));
	assert_true(global_release(&g, b));
	assert_false(global_release(&g, b));
	assert_null(global_range_of(&g, b));
	assert_false(global_read(&g, b + 511, &byte, 1));
	assert_true(global_alloc(&g, 513, &next, NULL));
	assert_int_equal(next, c + 512);
	assert_true(global_alloc(&g, 300, &next, NULL));
	assert_int_equal(next, b);
	assert_true(global_read(&g, b + 511, &byte, 1));
	assert_int_equal(byte, 0);
	global_release_all(&g, 4);
	assert_int_equal(g.nranges, 2);
	assert_int_equal(global_range_of(&g, c)->owner, 3);
	global_free(&g);
}

/* A large freed place is zero again in every byte, and its neighbours keep theirs. */
static void large_freed_places_are_zero(void **state)
{
	enum { BYTES = 3 * (1 << 20) + 700, STEP = 4093 };
	(void)state;
	struct global g = { 0 };
	uint64_t before, a, behind, again;
	uint8_t seven = 7, byte = 1;

	assert_true(global_alloc(&g, 300, &before, NULL));
	assert_true(global_alloc(&g, BYTES, &a, NULL));
	assert_true(global_alloc(&g, 300, &behind, NULL));
	for (uint64_t i = 0; i < BYTES; i += STEP)
		assert_true(global_write(&g, a + i, &seven, 1));
	assert_true(global_write(&g, a + BYTES - 1, &seven, 1));
	assert_true(global_write(&g, before + 299, &seven, 1));
	assert_true(global_write(&g, behind, &seven, 1));
	assert_true(global_release(&g, a));
	assert_true(global_alloc(&g, BYTES, &again, NULL));
	assert_int_equal(again, a);
	for (uint64_t i = 0; i < BYTES; i++) {
		assert_true(global_read(&g, a + i, &byte, 1));
		assert_int_equal(byte, 0);
	}
	assert_true(global_read(&g, before + 299, &byte, 1) && byte == 7);
	assert_true(global_read(&g, behind, &byte, 1) && byte == 7);
	global_free(&g);
}

/* Memory outlives a log: a second log notes the same line again. */
static void a_log_leaves_nothing_behind(void **state)
{
	(void)state;
	struct global g = { 0 };
	struct page_cache c = { 0 };
	struct undo_log u;

	assert_true(global_map(&g, 0x10000, 0x100, NULL));
	for (int i = 0; i < 2; i++) {
		assert_true(undo_log_init(&u, 4));
		undo_log_begin(&g, &u);
		undo_log_store(&g, &c, 0x10080);
		undo_log_store(&g, &c, 0x10084);
		assert_int_equal(u.next, 1);
		global_page_find(&g, 1)->origin[0] = 1;
		undo_log_end(&g);
		assert_int_equal(global_page_find(&g, 1)->origin[0], 0);
		undo_log_free(&u);
	}
	global_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(granules_decide_what_is_mapped),
		cmocka_unit_test(cache_slots_are_shared_and_told_apart),
		cmocka_unit_test(runs_stay_in_a_page),
		cmocka_unit_test(ranges_cross_pages_or_do_nothing),
		cmocka_unit_test(pages_fill_gaps),
		cmocka_unit_test(buffers_follow_each_other), cmocka_unit_test(ends_are_exact),
		cmocka_unit_test(addresses_may_be_wide),
		cmocka_unit_test(freed_buffers_leave_gaps),
		cmocka_unit_test(large_freed_places_are_zero),
		cmocka_unit_test(a_log_leaves_nothing_behind),
		cmocka_unit_test(linear_views_have_a_base_and_an_end),
		cmocka_unit_test(surfaces_are_block_linear),
		cmocka_unit_test(surfaces_are_one_to_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
