/* Time travel over random structured programs: forward n and back n is the same machine, byte for byte, by any way and
 * with however little memory for the record. WB_RANDOM_PROGRAMS sets the number of programs. */
#include <inttypes.h>
#include <stdlib.h>

#include "tests/unit/cmocka_all.h"
#include "tests/unit/sample.h"

#include "core/base/rng.h"
#include "tests/random/generate.h"
#include "warpbeam.h"

enum { PROGRAMS = 60, VISITS = 20, SMALL = 1 };

static char text[1 << 16];

static struct wb_launch *launch(uint64_t seed, struct wb_program **p, const char *timing, size_t bytes)
{
	static const uint8_t zero[512];
	struct wb_config *c = wb_config_new();
	struct wb_launch *l = NULL;
	struct wb_diag d;
	size_t n = generate_program(seed, text, sizeof text);

	assert_int_equal(wb_config_set(c, "format", "asm", NULL), WB_OK);
	assert_int_equal(wb_config_set(c, "timing", timing, NULL), WB_OK);
	assert_int_equal(wb_config_set(c, "diverge", seed % 2 ? "random" : "taken", NULL), WB_OK);
	assert_int_equal(wb_config_set(c, "block", "96", NULL), WB_OK);
	assert_int_equal(wb_config_set(c, "grid", "3", NULL), WB_OK);
	assert_int_equal(wb_config_set(c, "mps", "2", NULL), WB_OK);
	if (wb_program_load(text, n, "random", c, p, &d) != WB_OK || wb_launch_new(*p, NULL, c, &l, &d) != WB_OK)
		fail_msg("seed %" PRIu64 ": %s\n%s", seed, d.text, text);
	assert_int_equal(wb_launch_write(l, "g", 0, zero, sizeof zero, &d), WB_OK);
	assert_int_equal(wb_launch_record_bytes(l, bytes, &d), WB_OK);
	assert_int_equal(wb_launch_start(l, &d), WB_OK);
	wb_config_free(c);
	return l;
}

static uint64_t issues_in_all(uint64_t seed, const char *timing)
{
	struct wb_program *p;
	struct wb_launch *l = launch(seed, &p, timing, 0);
	struct wb_where at;

	assert_int_equal(wb_launch_forward(l, &(struct wb_goal){ 0 }, &at, NULL), WB_OK);
	assert_int_equal(at.stops, WB_STOP_END);
	wb_launch_free(l);
	wb_program_free(p);
	return at.issue;
}

struct stop { uint64_t issue, hash; };

static int by_issue(const void *a, const void *b)
{
	const struct stop *s = a, *t = b;

	return (s->issue > t->issue) - (s->issue < t->issue);
}

/* Positions of a first pass, in order, and the machine's state there: the first, pairs side by side, the last but
 * one. */
static void first_pass(struct wb_launch *l, uint64_t n, uint64_t seed, struct stop stop[VISITS])
{
	struct wb_where at = { 0 };
	uint64_t random = seed;

	for (int i = 0; i < VISITS; i += 2) {
		stop[i].issue = i ? rng_below(&random, (uint32_t)n) : 0;
		stop[i + 1].issue = i ? stop[i].issue ? stop[i].issue - 1 : 0 : n - 1;
	}
	qsort(stop, VISITS, sizeof *stop, by_issue);
	for (int i = 0; i < VISITS; i++) {
		if (stop[i].issue > at.issue)
			wb_launch_forward(l, &(struct wb_goal){ .issues = stop[i].issue - at.issue }, &at, NULL);
		assert_int_equal(at.issue, stop[i].issue);
		stop[i].hash = wb_launch_state_hash(l);
	}
}

static void visit(struct wb_launch *l, uint64_t from, const struct stop *to, uint64_t seed)
{
	struct wb_where at;

	if (to->issue > from)
		wb_launch_forward(l, &(struct wb_goal){ .issues = to->issue - from }, &at, NULL);
	else if (to->issue < from)
		wb_launch_back(l, &(struct wb_goal){ .issues = from - to->issue }, &at, NULL);
	else
		wb_launch_goto(l, to->issue, &at, NULL);
	if (at.issue != to->issue || wb_launch_state_hash(l) != to->hash)
		fail_msg("seed %" PRIu64 ": from %" PRIu64 " to %" PRIu64 ": at %" PRIu64 ", state %s\n%s", seed, from,
			 to->issue, at.issue, wb_launch_state_hash(l) == to->hash ? "the same" : "different", text);
}

static void try_program(uint64_t seed, const char *timing, size_t bytes)
{
	uint64_t n = issues_in_all(seed, timing), random = seed, from;
	struct stop stop[VISITS];
	struct wb_program *p;
	struct wb_launch *l = launch(seed, &p, timing, bytes);
	struct wb_where at;

	first_pass(l, n, seed, stop);
	wb_launch_forward(l, &(struct wb_goal){ 0 }, &at, NULL);
	assert_int_equal(at.issue, n);
	for (from = n; from; from = stop[0].issue) {
		for (int i = 0; i < VISITS; i++) {
			const struct stop *to = &stop[i % 3 ? (int)rng_below(&random, VISITS) : VISITS - 1 - i];
			visit(l, from, to, seed);
			from = to->issue;
		}
		visit(l, from, &stop[0], seed);
	}
	wb_launch_free(l);
	wb_program_free(p);
}

/* A step back from anywhere in the record runs at most the distance between snapshots. */
static void a_step_back_is_short(void **state)
{
	struct wb_program *p;
	struct wb_launch *l = launch(1, &p, "on", 0);
	struct wb_where at;
	uint64_t end;

	(void)state;
	wb_launch_forward(l, &(struct wb_goal){ 0 }, &at, NULL);
	end = at.issue;
	assert_true(end > 4096);
	for (uint64_t i = 1; i < 2600; i++) {
		wb_launch_back(l, &(struct wb_goal){ .issues = 1 }, &at, NULL);
		assert_int_equal(at.issue, end - i);
		assert_in_range(at.turns, 0, 1024);
	}
	wb_launch_free(l);
	wb_program_free(p);
}

/* Warps that split, meet at a barrier, and store to shared and global memory, 32 warps on each of 30
 * multiprocessors. */
static const char everywhere[] = ".kernel everywhere\n.chip g200\n.grid 150\n.block 256\n.smem 0x420\n.arg zero=1024\n"
				 "shl $a1 $r0 0x2\n"
				 "shl b32 $r7 $r0 0x2\n"
				 "add b32 $r7 b32 s[0x10] $r7\n"
				 "mov b32 $r1 0x20\n"
				 "again:\n"
				 "joinat #meet\n"
				 "and b32 $c0 # $r0 $r1\n"
				 "(lg $c0) bra #meet\n"
				 "add b32 $r2 $r2 $r0\n"
				 "st b32 s[$a1+0x20] $r2\n"
				 "meet:\n"
				 "join mov b32 $r3 b32 s[$a1+0x20]\n"
				 "bar inc wait 0x0 all\n"
				 "st b32 g14[$r7] $r3\n"
				 "mov b32 $r4 0x1\n"
				 "sub b32 $r1 $r1 $r4\n"
				 "and b32 $c1 # $r1 $r1\n"
				 "(lg $c1) bra #again\n"
				 "exit nop\n";

/* On a machine of any size: here with 8 MB of state. */
static void so_is_one_on_a_whole_chip(void **state)
{
	enum { FIRST = 40000, STEPS = 40, FAR = 6000, NEAR = 1100, STRIDE = 97 };
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_launch *l;
	struct wb_where at;
	struct wb_diag d = { .text = "" };
	uint64_t hash[STEPS];

	(void)state;
	assert_int_equal(wb_config_set(c, "format", "asm", NULL), WB_OK);
	if (wb_program_load(everywhere, sizeof everywhere - 1, "everywhere", c, &p, &d) != WB_OK ||
	    wb_launch_new(p, NULL, c, &l, &d) != WB_OK || wb_launch_goto(l, FIRST, &at, &d) != WB_OK)
		fail_msg("%s", d.text);
	for (int i = 0; i < STEPS; i++) {
		assert_int_equal(at.issue, FIRST + i);
		hash[i] = wb_launch_state_hash(l);
		wb_launch_forward(l, &(struct wb_goal){ .issues = 1 }, &at, NULL);
	}
	wb_launch_forward(l, &(struct wb_goal){ .issues = FAR }, &at, NULL);
	assert_int_equal(at.issue, FIRST + STEPS + FAR);
	while (at.issue > FIRST) {
		uint64_t by = at.issue > FIRST + NEAR ? STRIDE : 1, to = at.issue - by;
		wb_launch_back(l, &(struct wb_goal){ .issues = by }, &at, NULL);
		assert_int_equal(at.issue, to);
		assert_in_range(at.turns, 0, 1024);
		if (to < FIRST + STEPS)
			assert_int_equal(wb_launch_state_hash(l), hash[to - FIRST]);
	}
	wb_launch_free(l);
	wb_program_free(p);
	wb_config_free(c);
}

static uint64_t programs(void)
{
	const char *wish = getenv("WB_RANDOM_PROGRAMS");

	return wish ? strtoull(wish, NULL, 0) : sample_of(PROGRAMS);
}

static void forward_and_back_is_the_same_machine(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= programs(); seed++)
		try_program(seed, seed % 3 ? "on" : "off", 0);
}

static void a_record_too_small_for_the_run_still_reaches_its_beginning(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= programs() / 4; seed++)
		try_program(seed, "on", SMALL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forward_and_back_is_the_same_machine),
		cmocka_unit_test(a_step_back_is_short),
		cmocka_unit_test(so_is_one_on_a_whole_chip),
		cmocka_unit_test(a_record_too_small_for_the_run_still_reaches_its_beginning),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
