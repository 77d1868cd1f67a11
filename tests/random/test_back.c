/* Time travel over random structured programs: forward n and back n is the same machine, byte for byte, by any way and
 * with however little memory for the record. WB_RANDOM_PROGRAMS sets the number of programs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kit/cmocka_all.h"
#include "tests/kit/sample.h"

#include "core/base/rng.h"
#include "tests/random/generate.h"
#include "warpbeam.h"

enum { PROGRAMS = 60, VISITS = 20, SMALL = 1, STACK = 1 << 16 };

static char text[1 << 16];

/* Fill the stack below with a value: what an executor or a checker leaves there is no part of the state. */
static __attribute__((noinline)) void scribble(int value)
{
	volatile char below[STACK];

	for (size_t i = 0; i < sizeof below; i++)
		below[i] = (char)value;
}

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
	if (seed % 4 == 1) {
		assert_int_equal(wb_config_set(c, "check", "race,uninit,barrier,bounds", NULL), WB_OK);
		assert_int_equal(wb_config_set(c, "accesses", "on", NULL), WB_OK);
		assert_int_equal(wb_config_set(c, "perfect", "on", NULL), WB_OK);
		assert_int_equal(wb_config_set(c, "producers", "on", NULL), WB_OK);
	}
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

	scribble((int)(from + to->issue));
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

/* ---- observers ---- */

/* Programs of random words with all checkers, by options of the command line and words of code; a position on the
 * way. */
static const struct checked {
	const char *options, *words;
	uint64_t issue;
} checked[] = {
	{
		"--chip g200 --format raw --regs 16 --smem 1024 --lmem 4 --grid 2,2 --block 7,1 --global "
		"14:zero=65536 --diverge fall --join per-path --reconverge stack --stack-depth 3 --lock flag "
		"--store-winner lowest --bar-unit threads --policy random --seed 6 --livelock 20000 --stats-level "
		"full --check race,uninit,barrier,bounds",
		"30020005 c4100780 1100e808 2000820c ec924355 c2c24edb c52d28b8 10000008 1000221d 4480c780 00d32fa9 "
		"2b6197f4 80016003 00001300 d00e021d 80200780 50004003 2c4ec883 e511d430 10000008 1e830da9 139cf7f0 "
		"0875d0b9 36024ed8 b29598f5 2e915adf e2278428 10000008 65230405 830297f0 e1a50cb5 dfa739a7 10038003 "
		"00000780 5b66e268 10000008 9868023d be1160a0 4003a803 00001700 73870221 9983e7a4 d03c0001 0000003f "
		"a000c003 00003380 a0021003 00001d00 d03c0a15 0000003f d0080a01 a0c00780 69cac7e5 05de5687 b078ce69 "
		"1162c7c0 30080615 1220b350 10013003 00000f80 683b4409 dda0a9c8 c8057415 704057c4 70031003 00000f00 "
		"29400510 10000008 0c0a8635 5b7db7b0 3edd183d ffcc3790 9000c003 00003780 00006003 00000e80 62767e4c "
		"10000008 607fa40d 0ce28250 34416c78 10000008 3b692145 8ffd40b3 3d4d7a48 10000008 bcbf5289 752b92a7 "
		"24f2898c 10000008 87201a03 00000000 d00e041d c0c00794 00615e15 6c81c4d0 00d30fe9 4bc167e0 5fa71878 "
		"10000008 7d286231 4ccc03a0 20fd0e15 020237f0 d03c0205 0000003f d00e021d a0c00780 30017003 00000c80 "
		"d03c0e1d 0000003f d00e0e1d a0c00780 a0016003 00000280 2ee08619 0237909b 30000003 00000780",
		87,
	},
	{
		"--chip g200 --format raw --regs 16 --smem 1024 --lmem 452 --grid 4,2 --block 103,1 --global "
		"14:zero=65536 --global 13:zero=65536 --global 0:zero=65536 --diverge larger --join merged "
		"--reconverge stack --minpc-fair 5 --lock warp --lock-entries exact --store-winner random "
		"--bar-unit threads --policy gto --seed 0 --livelock 20000 --stats-level none --check "
		"race,uninit,barrier,bounds",
		"30020004 c4100780 1100e808 2000820c d00101fd 040007d8 405b7fe0 10000008 90c3dc11 1d42a674 b0902200 "
		"10000008 6b810839 c6424134 53b12504 10000008 86000003 00004000 620d48f0 10000008 60028a01 e93d2154 "
		"2cebdc31 9f9d6517 30a60795 1d9c7780 30f90605 d4e1f3b0 d805fc11 e54329b0 00002c01 e4a1c780 30013003 "
		"902124b5 61205afd 85c4912b 80032003 00003780 e004ec11 8c634780 7f020609 4241f540 18de56c9 3342387b "
		"90746435 102397c4 d805fc11 e54329b0 9201681d c117b914 f39f0215 e269c780 e83519b8 10000008 90019003 "
		"00002780 50015003 00001400 1003f003 2a879fb4 b0975009 3a81e7e0 bd02baf1 0f3fd513 9a85f219 4c8d27c4 "
		"f0000001 e0000101 4558340d d56f189b 241f0219 1fc0b7a0 70001003 00001a00 1f76eae0 10000008 10025003 "
		"00000780 a001d003 00000500 203e0e1d 088417a4 d03c0e1d 0000003f d00e0e19 80c00780 f8d7b811 fa6d77ac "
		"7060083d dce2e610 ad846c0d 881a16c0 1002b003 00001780 d03c0a15 0000003f e0bbd211 256662f0 15070025 "
		"1ce147d0 10026003 00002b00 6005042d fa73a7b4 154957cc 10000008 3003e003 00000400 551d1100 60494f0c "
		"87c01003 00000000 2713b444 10000008 a0009003 00000280 07003e25 b8e287b4 d03c0c19 0000003f d0080c15 "
		"a0c00780 6698ffd0 10000008 12a95851 55f8a05f a0830a01 848687b4 09069401 bc428e34 0a860a05 6cc18f3c "
		"68d82844 71262d20 72113988 10000008 30000003 00000780",
		610,
	},
	{
		"--chip g200 --format raw --regs 103 --smem 1024 --lmem 272 --grid 8,2 --block 96,1 --global "
		"14:zero=65536 --global 13:zero=65536 --diverge larger --join merged --reconverge stack --lock warp "
		"--store-winner highest --bar-unit warps --policy rr --seed 5 --livelock 20000 --stats-level "
		"counters --check race,uninit,barrier,bounds --timing off",
		"30020005 c4100780 1100e808 2000820c 00020005 c0000780 70820825 cfe107a0 edc6ea2d fc3c1a6b b2cc38c5 "
		"4bc068d3 2b040d45 106066f0 44670624 10000008 30000003 00000780",
		341,
	},
};

enum { CODE_WORDS = 512 };

static struct wb_launch *launch_words(const struct checked *k, struct wb_program **p)
{
	struct wb_config *c = wb_config_new();
	struct wb_launch *l = NULL;
	struct wb_diag d;
	uint32_t words[CODE_WORDS];
	char *options = strdup(k->options), *save = NULL, *name = NULL;
	unsigned n = 0;

	for (char *o = strtok_r(options, " ", &save); o; o = strtok_r(NULL, " ", &save))
		if (!strncmp(o, "--", 2))
			name = o + 2;
		else if (wb_config_set(c, name, o, &d) != WB_OK)
			fail_msg("%s %s: %s", name, o, d.text);
	for (char *next, *w = (char *)k->words; n < CODE_WORDS; w = next, n++) {
		words[n] = (uint32_t)strtoul(w, &next, 16);
		if (next == w)
			break;
	}
	if (wb_program_load(words, 4 * n, "words", c, p, &d) != WB_OK ||
	    wb_launch_new(*p, NULL, c, &l, &d) != WB_OK || wb_launch_start(l, &d) != WB_OK)
		fail_msg("%s", d.text);
	free(options);
	wb_config_free(c);
	return l;
}

/* Go to an issue by single steps, and to its hash. */
static uint64_t step_to(struct wb_launch *l, uint64_t issue, int value)
{
	struct wb_where at;

	wb_launch_where(l, &at);
	while (at.issue < issue && !at.over) {
		scribble(value);
		wb_launch_forward(l, &(struct wb_goal){ .issues = 1 }, &at, NULL);
	}
	assert_int_equal(at.issue, issue);
	return wb_launch_state_hash(l);
}

static void the_stack_is_no_state(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof checked / sizeof *checked; i++) {
		struct wb_program *p;
		struct wb_launch *l = launch_words(&checked[i], &p);
		struct wb_where at;
		uint64_t forwards = step_to(l, checked[i].issue, 0x55);
		wb_launch_forward(l, &(struct wb_goal){ 0 }, &at, NULL);
		assert_true(at.issue > checked[i].issue);
		scribble(0x33);
		wb_launch_goto(l, checked[i].issue, &at, NULL);
		assert_int_equal(wb_launch_state_hash(l), forwards);
		wb_launch_goto(l, 0, &at, NULL);
		assert_int_equal(step_to(l, checked[i].issue, 0xaa), forwards);
		wb_launch_free(l);
		wb_program_free(p);
	}
}

/* ---- random programs ---- */

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
		cmocka_unit_test(the_stack_is_no_state),
		cmocka_unit_test(a_step_back_is_short),
		cmocka_unit_test(so_is_one_on_a_whole_chip),
		cmocka_unit_test(a_record_too_small_for_the_run_still_reaches_its_beginning),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
