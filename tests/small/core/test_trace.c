/* Traces of warps; traces that are alike share segments. */
#include "tests/kit/cmocka_all.h"

#include "core/trace.h"

enum { SAME = 1 << 30 };

/* A warp that issues 3 instructions at each pc of a list, which ends with 0, n times; without `SAME`, the last
 * instruction costs 2 cycles more. */
static void go(struct warp_trace *c, struct trace_store *all, const uint32_t *pcs, unsigned n)
{
	struct warp w = { .active = 0xff };

	trace_begin(c, all, 0);
	for (unsigned i = 0; i < n; i++)
		for (const uint32_t *pc = pcs; *pc; pc++) {
			w.pc = *pc & ~SAME;
			if (!(*pc & SAME))
				trace_costs(c, &w, 3, w.pc + 24, &(struct segment_costs){ .extra = 2 });
			trace_run(c, &w, 3, w.pc + 24);
		}
	trace_end(c);
}

static void expect(const struct warp_trace *c, const uint32_t *pcs, unsigned n)
{
	const struct trace_segment *at = c->segment;

	assert_null(c->refused);
	for (unsigned i = 0; i < n; i++)
		for (const uint32_t *pc = pcs; *pc; pc++, at++) {
			assert_int_equal(at->pc, *pc & ~SAME);
			assert_int_equal(at->issues, 3);
			assert_int_equal(at->times, 1);
			assert_int_equal(at->extra, *pc & SAME ? 0 : 2);
			assert_int_equal(at->active, 0xff);
		}
	assert_int_equal(at->issues, 0);
	assert_ptr_equal(at, c->segment + c->n - 1);
}

/* A second warp does as the first, or departs, or goes on behind the first's end. */
static void models(void **state)
{
	static const uint32_t one[] = { 8, 64, 128 | SAME, 0 }, other[] = { 8, 64, 192, 0 }, less[] = { 8, 0 };
	static const struct { const uint32_t *pcs; unsigned n; bool shares; } rows[] = {
		{ one, 50, true }, { other, 50, false }, { one, 49, false }, { one, 51, false }, { less, 1, false },
		{ one, 900, false }, { one, 50, true },
	};
	struct trace_store all;
	struct warp_trace first = { 0 }, c = { 0 };

	(void)state;
	assert_true(trace_store_begin(&all, 1, false));
	go(&first, &all, one, 50);
	trace_share(&first, 0);
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		go(&c, &all, rows[i].pcs, rows[i].n);
		expect(&c, rows[i].pcs, rows[i].n);
		assert_int_equal(c.shares, rows[i].shares);
	}
	expect(&first, one, 50);
	trace_store_end(&all);
}

/* The newest trace is compared; shared segments stay unchanged. */
static void newer_models(void **state)
{
	static const uint32_t pcs[][3] = { { 8, 64, 0 }, { 8, 128, 0 }, { 8, 192, 0 },
					   { 16, 8, 0 }, { 24, 0 }, { 32, 0 } };
	struct trace_store all;
	struct warp_trace c[12] = { { .n = 0 } };

	(void)state;
	assert_true(trace_store_begin(&all, 1, false));
	for (unsigned i = 0; i < 12; i++) {
		go(&c[i], &all, pcs[i / 2], 40);
		trace_share(&c[i], 0);
	}
	for (unsigned i = 0; i < 12; i++)
		expect(&c[i], pcs[i / 2], 40);
	assert_ptr_equal(c[0].segment, c[1].segment);
	assert_ptr_equal(c[6].segment, c[7].segment);
	assert_ptr_not_equal(c[8].segment, c[9].segment); /* no more than a few */
	trace_store_end(&all);
}

/* A loop takes one segment, with the pc at which the warp goes on if other than the next. */
static void loops(void **state)
{
	struct warp w = { .active = 1, .pc = 8 };
	struct trace_store all;
	struct warp_trace c = { 0 };

	(void)state;
	assert_true(trace_store_begin(&all, 1, false));
	trace_begin(&c, &all, 0);
	for (unsigned i = 0; i < 1000; i++)
		trace_run(&c, &w, 5, 48);
	w.pc = 48;
	trace_run(&c, &w, 1, 56);
	w.pc = 56;
	trace_run(&c, &w, 1, 64);
	trace_end(&c);
	assert_int_equal(c.n, 4);
	assert_int_equal(c.segment[0].times, 1000);
	assert_true(c.segment[0].jumps);
	assert_false(c.segment[1].jumps);
	trace_store_end(&all);
}

/* The first instruction of a run has another mask than the run; costs stay with an instruction, even where the same
 * instruction issued before. */
static void first_apart(void **state)
{
	static const struct trace_segment want[] = {
		{ .active = 1, .pc = 8, .issues = 1, .times = 2 }, { .active = 3, .pc = 16, .issues = 2, .times = 1 },
		{ .active = 1, .pc = 8, .issues = 1, .times = 1 },      /* a step before the costs */
		{ .active = 1, .pc = 8, .issues = 1, .times = 1, .extra = 5 },
		{ .active = 3, .pc = 16, .issues = 1, .times = 1, .extra = 7 },
		{ .active = 1, .pc = 8, .issues = 1, .times = 2 }, { .issues = 0 },
	};
	struct warp w = { .active = 3, .pc = 8 };
	struct trace_store all;
	struct warp_trace c = { 0 };

	(void)state;
	assert_true(trace_store_begin(&all, 1, false));
	trace_begin(&c, &all, 0);
	trace_step(&c, &w, 8, 1);
	trace_first(&c, 1, 16);
	trace_run(&c, &w, 3, 32);
	trace_step(&c, &w, 16, 1);
	trace_first(&c, 1, 16);
	trace_costs(&c, &w, 1, 16, &(struct segment_costs){ .extra = 5 });
	trace_costs(&c, &w, 2, 24, &(struct segment_costs){ .extra = 7 });
	trace_run(&c, &w, 2, 24);
	trace_first(&c, 1, 16);
	trace_step(&c, &w, 16, 3);
	trace_first(&c, 1, 16);
	trace_run(&c, &w, 1, 16);
	trace_end(&c);
	assert_int_equal(c.n, sizeof want / sizeof *want);
	for (unsigned i = 0; i < c.n; i++) {
		const struct trace_segment *at = &c.segment[i];
		assert_int_equal(at->issues, want[i].issues);
		assert_true(!at->issues || (at->active == want[i].active && at->pc == want[i].pc &&
					    at->times == want[i].times && at->extra == want[i].extra));
	}
	trace_store_end(&all);
}

static void too_long(void **state)
{
	static const uint32_t pcs[] = { 8, 64, 0 };
	struct trace_store all;
	struct warp_trace c = { 0 };

	(void)state;
	assert_true(trace_store_begin(&all, 1, false));
	go(&c, &all, pcs, TRACE_SEGMENTS_MAX / 2 - 1);
	expect(&c, pcs, TRACE_SEGMENTS_MAX / 2 - 1);
	go(&c, &all, pcs, TRACE_SEGMENTS_MAX / 2 + 1);
	assert_non_null(c.refused);
	trace_store_end(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models), cmocka_unit_test(newer_models), cmocka_unit_test(loops),
		cmocka_unit_test(first_apart),
		cmocka_unit_test(too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
