/* Random structured programs: 32 lanes run together give the same as each lane alone, under every rule that may not
 * matter.
 * A program is its seed; a failure names the seed. WB_RANDOM_PROGRAMS sets the number of programs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kit/cmocka_all.h"
#include "tests/kit/sample.h"

#include "tests/random/generate.h"
#include "warpbeam.h"

enum { LANES = 32, PROGRAMS = 600 };

struct rules { const char *option, *value; };

static struct wb_launch *launch(const struct wb_program *p, const struct wb_config *c, const char *text)
{
	struct wb_launch *l;
	struct wb_diag d;
	static const uint8_t zero[4 * LANES];

	if (wb_launch_new(p, NULL, c, &l, &d) != WB_OK)
		fail_msg("launch: %s\n%s", d.text, text);
	assert_int_equal(wb_launch_write(l, "g", 0, zero, sizeof zero, &d), WB_OK);
	return l;
}

/* The parts of the bill sum to the whole, and the charges of branches to the lanes' losses. */
static void bill_balances(const struct wb_report *r, const char *text)
{
	const struct wb_bill *b = &r->bill;
	uint64_t off = b->branched_off + b->brk + b->ret + b->exited, lost = 0;

	for (unsigned i = 0; i < r->nbranches; i++)
		lost += r->branches[i].lost;
	if (b->lane_slots != b->useful + b->predicated + off + b->absent + b->rejoin || lost != off)
		fail_msg("the bill of %" PRIu64 " lane slots does not balance: %" PRIu64 " lost, %" PRIu64
			 " charged\n%s", b->lane_slots, off, lost, text);
}

static void run(struct wb_launch *l, uint32_t out[LANES], const char *text)
{
	struct wb_diag d;

	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("run: %s\n%s", d.text, text);
	bill_balances(wb_launch_report(l), text);
	assert_int_equal(wb_launch_read(l, "g", 0, out, 4 * LANES, &d), WB_OK);
	wb_launch_free(l);
}

static void together(const struct wb_program *p, const struct rules *r, uint32_t out[LANES], const char *text)
{
	struct wb_config *c = wb_config_new();
	struct wb_launch *l;

	assert_int_equal(wb_config_set(c, "block", "32", NULL), WB_OK);
	assert_int_equal(wb_config_set(c, "livelock", "none", NULL), WB_OK);   /* some programs loop long, all end */
	for (; r->option; r++)
		assert_int_equal(wb_config_set(c, r->option, r->value, NULL), WB_OK);
	l = launch(p, c, text);
	run(l, out, text);
	wb_config_free(c);
}

/* Lane t as the only lane of a warp, with the number of thread t. */
static void alone(const struct wb_program *p, uint32_t out[LANES], const char *text)
{
	struct wb_config *c = wb_config_new();
	uint32_t one[LANES];

	assert_int_equal(wb_config_set(c, "block", "1", NULL), WB_OK);
	assert_int_equal(wb_config_set(c, "timing", "off", NULL), WB_OK);
	for (unsigned t = 0; t < LANES; t++) {
		struct wb_launch *l = launch(p, c, text);
		assert_int_equal(wb_launch_set_reg(l, 0, 0, "r", 0, 0, t, NULL), WB_OK);
		run(l, one, text);
		out[t] = one[t];
	}
	wb_config_free(c);
}

static void try_program(uint64_t seed)
{
	static const struct rules settings[][4] = {
		{ { 0 } },
		{ { "timing", "off" }, { 0 } },
		{ { "diverge", "fall" }, { 0 } },
		{ { "diverge", "larger" }, { "timing", "off" }, { 0 } },
		{ { "diverge", "random" }, { "join", "per-path" }, { 0 } },
		{ { "join", "per-path" }, { "simd", "base" }, { "timing", "off" }, { 0 } },
		{ { "reconverge", "minpc" }, { 0 } },
		{ { "reconverge", "minpc" }, { "minpc-fair", "5" }, { "diverge", "random" }, { 0 } },
		{ { "reconverge", "none" }, { "timing", "off" }, { 0 } },
		{ { "reconverge", "none" }, { "diverge", "random" }, { "timing", "off" }, { 0 } },
		{ { "reconverge", "ipdom" }, { 0 } },
		{ { "reconverge", "ipdom" }, { "diverge", "random" }, { "timing", "off" }, { 0 } },
		{ { "reconverge", "barriers" }, { 0 } },
		{ { "reconverge", "barriers" }, { "timing", "off" }, { "slice", "1" }, { 0 } },
	};
	static char text[1 << 16];
	uint32_t expected[LANES], got[LANES];
	struct wb_program *p;
	struct wb_diag d;
	struct wb_config *c = wb_config_new();
	size_t n = generate_program(seed, text, sizeof text);

	assert_int_equal(wb_config_set(c, "format", "asm", NULL), WB_OK);
	if (wb_program_load(text, n, "random", c, &p, &d) != WB_OK)
		fail_msg("seed %" PRIu64 ", line %d: %s\n%s", seed, d.line, d.text, text);
	alone(p, expected, text);
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		together(p, settings[i], got, text);
		for (int t = 0; t < LANES; t++)
			if (got[t] != expected[t])
				fail_msg("seed %" PRIu64 ", setting %zu, lane %d: found %08x, expected %08x\n%s", seed,
					 i, t, got[t], expected[t], text);
	}
	wb_program_free(p);
	wb_config_free(c);
}

static void lanes_together_equal_lanes_alone(void **state)
{
	const char *wish = getenv("WB_RANDOM_PROGRAMS");
	uint64_t n = wish ? strtoull(wish, NULL, 0) : sample_of(PROGRAMS);

	(void)state;
	for (uint64_t seed = 1; seed <= n; seed++)
		try_program(seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(lanes_together_equal_lanes_alone) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
