/* --reconverge barriers: turns recorded on an H100 (tests/data/order.txt), and forward progress within a warp. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kit/cmocka_all.h"

#include "warpbeam.h"

enum { LANES = 32 };

/* A program under a policy, loaded once. */
struct bed {
	struct wb_config *config;
	struct wb_program *program;
};

static struct bed open_bed(const char *text, const char *policy)
{
	struct bed b = { .config = wb_config_new() };
	struct wb_diag d = { 0 };

	assert_int_equal(wb_config_set(b.config, "format", "asm", &d), WB_OK);
	assert_int_equal(wb_config_set(b.config, "reconverge", policy, &d), WB_OK);
	if (wb_program_load(text, strlen(text), "test", b.config, &b.program, &d) != WB_OK)
		fail_msg("line %d: %s", d.line, d.text);
	return b;
}

static void close_bed(struct bed *b)
{
	wb_program_free(b->program);
	wb_config_free(b->config);
}

/* Run with two words and a buffer of 256 bytes as arguments, and bring the first 128 bytes. */
static enum wb_status run(const struct bed *b, const uint32_t in[2], uint32_t out[LANES])
{
	struct wb_launch *l;
	struct wb_diag d = { 0 };
	char word[32];

	assert_int_equal(wb_launch_new(b->program, NULL, b->config, &l, &d), WB_OK);
	for (int i = 0; i < 2; i++) {
		snprintf(word, sizeof word, "u32=%u", in[i]);
		assert_int_equal(wb_launch_arg(l, word, &d), WB_OK);
	}
	assert_int_equal(wb_launch_arg(l, "zero=256", &d), WB_OK);
	enum wb_status status = wb_launch_run(l, &d);
	assert_int_equal(wb_launch_read_arg(l, 2, 0, out, LANES * sizeof *out, &d), WB_OK);
	wb_launch_free(l);
	return status;
}

/* ---- the order of an H100 ---- */

/* $c0 and $c1: lg where the lane's bit of the first, of the second argument is set; $a1: four times a number of both
 * bits. s[0x40] counts turns. */
#define BEGIN \
	".kernel k\n.chip g200\n.grid 1\n.block 32\n.param u32 a\n.param u32 b\n.param ptr out\n.smem 0x80\n" \
	".const 1 0x0: 1 2 0x68 0x88 0xa8 0xc8\n" \
	"mov b32 $r1 b32 s[0x10]\nshr u32 $r1 $r1 $r0\nand b32 $c0 $r1 $r1 c1[0x0]\n" \
	"mov b32 $r2 b32 s[0x14]\nshr u32 $r2 $r2 $r0\nand b32 $c1 $r2 $r2 c1[0x0]\n" \
	"add b32 $r4 $r2 $r2\nadd b32 $r4 $r4 $r1\nshl $a1 $r4 0x2\n" \
	"mov b32 $r7 0x0\nst b32 s[0x40] $r7\n"
/* A leaf: the group takes its turn. */
#define TURN "mov b32 $r5 b32 s[0x40]\nadd b32 $r6 $r5 c1[0x0]\nst b32 s[0x40] $r6\n"
#define END "shl b32 $r3 $r0 0x2\nadd b32 $r3 b32 s[0x18] $r3\nexit st b32 g14[$r3] $r5\n"

/* if (p) … else …: the compiler's code falls through to the second side. */
static const char if_else[] =
	BEGIN "joinat #end\n(lg $c0) bra #then\n" TURN "bra #end\nthen:\n" TURN "end: join (never) nop\n" END;

/* An if in each side of an if. */
static const char leaves[] =
	BEGIN "joinat #end\n(e $c0) bra #other\n"
	"joinat #one\n(lg $c1) bra #a\n" TURN "bra #one\na:\n" TURN "one: join (never) nop\nbra #end\n"
	"other:\njoinat #two\n(lg $c1) bra #b\n" TURN "bra #two\nb:\n" TURN "two: join (never) nop\n"
	"end: join (never) nop\n" END;

/* A call through a pointer: the addresses of four targets are in c1[]. */
static const char calls[] =
	BEGIN "call #through\nbra #end\n"
	"through:\nbra c1[$a1+0x2]\n" TURN "ret\n" TURN "ret\n" TURN "ret\n" TURN "ret\n" "end:\n" END;

struct tally {
	unsigned same, all;
};

/* Does a row of the file, "if 0000ffff 1111…", come out of the kernel? Bits of a digit of `calls` are two masks. */
static bool is_same(const struct bed *b, const char *kernel, const char *input, const char *turns)
{
	uint32_t in[2] = { 0, 0 }, turn[LANES];
	bool same = true;

	if (!strcmp(kernel, "calls"))
		for (unsigned l = 0; l < LANES; l++)
			for (int i = 0; i < 2; i++)
				in[i] |= (uint32_t)((input[l] - '0') >> i & 1) << l;
	else
		assert_true(sscanf(input, "%x %x", &in[0], &in[1]) >= 1);
	assert_int_equal(run(b, in, turn), WB_OK);
	for (unsigned l = 0; l < LANES; l++)
		same &= turn[l] == (uint32_t)(turns[l] - '0');
	return same;
}

static struct tally compare(const char *kernel, const char *text)
{
	struct bed b = open_bed(text, "barriers");
	FILE *f = fopen(WB_ORDER, "r");
	struct tally t = { 0, 0 };
	char line[256];

	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		size_t n = strlen(kernel);
		char *turns = strrchr(line, ' ');
		if (strncmp(line, kernel, n) || line[n] != ' ')
			continue;
		*turns++ = '\0';
		t.same += is_same(&b, kernel, line + n + 1, turns);
		t.all++;
	}
	fclose(f);
	close_bed(&b);
	return t;
}

static void two_sides_run_in_the_order_of_the_chip(void **state)
{
	static const char *const kernels[] = { "if", "ifnot", "leaves" };

	for (unsigned i = 0; i < 3; i++) {
		struct tally t = compare(kernels[i], i < 2 ? if_else : leaves);
		assert_int_equal(t.all, 128);
		assert_int_equal(t.same, t.all);
	}
}

/* The chip's code decides the last two turns of three or four targets otherwise, now and then. */
static void calls_run_mostly_in_the_order_of_the_chip(void **state)
{
	struct tally t = compare("calls", calls);

	assert_int_equal(t.all, 128);
	assert_true(t.same >= 123);
}

/* ---- forward progress ---- */

/* while (atomicCAS(l, 0, 1)); out[lane] = count++; atomicExch(l, 0); by all lanes. Lock and count are behind out. */
static const char lock[] =
	".kernel k\n.chip g200\n.grid 1\n.block 32\n.param u32 a\n.param u32 b\n.param ptr out\n"
	"mov b32 $r1 b32 s[0x18]\nshl b32 $r6 $r0 0x2\nadd b32 $r6 $r6 $r1\nadd b32 $r1 $r1 0x80\nadd b32 $r8 $r1 0x4\n"
	"mov b32 $r2 0x0\nmov b32 $r3 0x1\n"
	"joinat #have\n"
	"spin: cas b32 $r4 g14[$r1] $r2 $r3\nand b32 $c0 # $r4 $r4\n(lg $c0) bra #spin\n"
	"have: join (never) nop\n"
	"ld b32 $r5 g14[$r8]\nst b32 g14[$r6] $r5\nadd b32 $r5 $r5 $r3\nst b32 g14[$r8] $r5\n"
	"exch b32 $r4 g14[$r1] $r2\nexit (never) nop\n";

/* Lane 31 sets a flag for which the others wait. */
static const char flag[] =
	".kernel k\n.chip g200\n.grid 1\n.block 32\n.param u32 a\n.param u32 b\n.param ptr out\n"
	"mov b32 $r1 b32 s[0x18]\nadd b32 $r8 $r1 0x4\nmov b32 $r3 0x1f\nsub b32 $c1 # $r0 $r3\n"
	"joinat #all\n(lg $c1) bra #wait\nst b32 g14[$r1] $r3\nbra #all\n"
	"wait: ld b32 $r4 g14[$r1]\nand b32 $c0 # $r4 $r4\n(e $c0) bra #wait\n"
	"all: join (never) nop\n"
	"exit st b32 g14[$r8] $r3\n";

static enum wb_status under(const char *text, const char *policy, uint32_t out[LANES])
{
	static const uint32_t none[2] = { 0, 0 };
	struct bed b = open_bed(text, policy);

	assert_int_equal(wb_config_set(b.config, "livelock", "100000", NULL), WB_OK);
	enum wb_status status = run(&b, none, out);
	close_bed(&b);
	return status;
}

static void a_lock_within_a_warp_goes_from_lane_to_lane(void **state)
{
	uint32_t out[LANES];

	assert_int_equal(under(lock, "stack", out), WB_HANG);
	assert_int_equal(under(lock, "ipdom", out), WB_HANG);
	assert_int_equal(under(lock, "barriers", out), WB_OK);
	for (unsigned l = 0; l < LANES; l++)
		assert_int_equal(out[l], l);
}

static void a_flag_within_a_warp_ends(void **state)
{
	uint32_t out[LANES];

	assert_int_equal(under(flag, "stack", out), WB_HANG);
	assert_int_equal(under(flag, "barriers", out), WB_OK);
	assert_int_equal(out[0], 31);
	assert_int_equal(out[1], 31);
}

/* Lane 31 waits for a flag of the others, in a loop that does not show as one that spins: the address of the flag is
 * made anew in each turn. The smaller side runs first, and would run for good. */
static const char disguised[] =
	".kernel k\n.chip g200\n.grid 1\n.block 32\n.param u32 a\n.param u32 b\n.param ptr out\n"
	"mov b32 $r1 b32 s[0x18]\nmov b32 $r3 0x1f\nsub b32 $c1 # $r0 $r3\n"
	"joinat #all\n(e $c1) bra #wait\nst b32 g14[$r1] $r3\nbra #all\n"
	"wait: mov b32 $r6 b32 s[0x18]\nld b32 $r4 g14[$r6]\nand b32 $c0 # $r4 $r4\n(e $c0) bra #wait\n"
	"all: join (never) nop\nexit st b32 g14[$r1] $r3\n";

static void a_group_gives_way_at_last(void **state)
{
	static const uint32_t none[2] = { 0, 0 };
	uint32_t out[LANES];
	struct bed b = open_bed(disguised, "barriers");

	assert_int_equal(wb_config_set(b.config, "timing", "off", NULL), WB_OK);
	assert_int_equal(wb_config_set(b.config, "max-insns", "4000000", NULL), WB_OK);
	assert_int_not_equal(run(&b, none, out), WB_OK);
	assert_int_equal(wb_config_set(b.config, "max-insns", "4400000", NULL), WB_OK);
	assert_int_equal(run(&b, none, out), WB_OK);
	assert_int_equal(out[0], 31);
	close_bed(&b);
}

/* A block out of line branches back over a loop that spins, and closes no loop: its lanes do not give way. */
static const char out_of_line[] =
	BEGIN "mov b32 $r8 b32 s[0x18]\nagain: ld b32 $r9 g14[$r8]\nand b32 $c2 # $r9 $r9\n(lg $c2) bra #again\n"
	"joinat #end\n(lg $c0) bra #out\nend: join (never) nop\n" TURN END "out: nop\nbra #end\n";

/* Lanes of one side take a lock in turn and store what is there: the unlock is progress, and the other side waits. */
static const char unchanged[] =
	BEGIN "joinat #end\n(lg $c0) bra #end\njoinat #have\n"
	"spin: ld lock $c3 $r9 b32 s[0x60]\n(l $c3) st unlock b32 s[0x60] $r9\n(geu $c3) bra #spin\n"
	"have: join (never) nop\nend: join (never) nop\n" TURN END;

/* A loop around a loop that watches memory: three turns, of which none waits. */
static const char around[] =
	BEGIN "mov b32 $r8 b32 s[0x18]\nmov b32 $r10 0x3\njoinat #end\n(lg $c0) bra #end\n"
	"turn:\nagain: ld b32 $r9 g14[$r8]\nand b32 $c2 # $r9 $r9\n(lg $c2) bra #again\n"
	"sub b32 $c2 $r10 $r10 c1[0x0]\n(lg $c2) bra #turn\nend: join (never) nop\n" TURN END;

static void lanes_meet_although_others_spin(void **state)
{
	static const char *const texts[] = { out_of_line, unchanged, around };
	static const uint32_t in[2] = { 0xffff, 0 };
	uint32_t out[LANES];

	for (unsigned i = 0; i < 3; i++) {
		struct bed b = open_bed(texts[i], "barriers");
		assert_int_equal(run(&b, in, out), WB_OK);
		for (unsigned l = 0; l < LANES; l++)
			assert_int_equal(out[l], 0);
		close_bed(&b);
	}
}

/* A side that watches memory in each turn and counts its turns does not wait for others, and runs to its end first: on
 * an H100 sides with an atomic or loads in 65,536 turns do. */
static const char counted[] =
	BEGIN "mov b32 $r8 b32 s[0x18]\nmov b32 $r10 0x3\njoinat #end\n(lg $c0) bra #other\n"
	"turn: cas b32 $r9 g14[$r8] $r7 $r7\nadd b32 $r5 $r5 $r9\nmov b32 $r9 $r10\n"
	"sub b32 $c2 $r10 $r9 c1[0x0]\n(lg $c2) bra #turn\n"
	TURN "bra #end\nother:\n" TURN "end: join (never) nop\n" END;

static void a_side_that_counts_its_turns_runs_to_its_end(void **state)
{
	static const uint32_t in[2] = { 0xffff, 0 };
	uint32_t out[LANES];
	struct bed b = open_bed(counted, "barriers");

	assert_int_equal(run(&b, in, out), WB_OK);
	for (unsigned l = 0; l < LANES; l++)
		assert_int_equal(out[l], l < 16);
	close_bed(&b);
}

/* ---- barriers of the block ---- */

#define HALF ".kernel k\n.chip g200\n.grid 1\n.block 32\n.param u32 a\n.param u32 b\n.param ptr out\n.smem 0x80\n" \
	"mov b32 $r1 b32 s[0x18]\nshl b32 $r2 $r0 0x2\nadd b32 $r1 $r1 $r2\nmov b32 $r3 0x7\nmov b32 $r4 0x10\n" \
	"and b32 $c0 # $r0 $r4\njoinat #end\n(lg $c0) bra #high\n"
#define STORED "end: join (never) nop\nexit st b32 g14[$r1] $r3\n"

/* As on an H100, in a block of one warp: barriers in both sides of an if, in one side, and in unequal numbers end. */
static void a_warp_in_two_groups_passes_barriers(void **state)
{
	static const char *const texts[] = {
		HALF "bar inc wait 0x0 all\nbra #end\nhigh: bar inc wait 0x0 all\n" STORED,
		HALF "bra #end\nhigh: bar inc wait 0x0 all\n" STORED,
		HALF "bar inc wait 0x0 all\nbar inc wait 0x0 all\nbra #end\nhigh: bar inc wait 0x0 all\n" STORED,
		HALF "exit (never) nop\nhigh: bar inc wait 0x0 all\n" STORED,
	};
	uint32_t out[LANES];

	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_int_equal(under(texts[i], "barriers", out), WB_OK);
		for (unsigned l = 0; l < LANES; l++)
			assert_int_equal(out[l], i == 3 && l < 16 ? 0 : 7);
	}
}

/* Bars count threads: both halves of a warp arrive before either goes on. */
static void halves_of_a_warp_wait_for_each_other(void **state)
{
	static const char text[] =
		HALF "st b32 s[0x40] $r3\nbar inc wait 0x0 all\nmov b32 $r3 b32 s[0x44]\nbra #end\n"
		"high: st b32 s[0x44] $r4\nbar inc wait 0x0 all\nmov b32 $r3 b32 s[0x40]\n" STORED;
	uint32_t out[LANES];

	assert_int_equal(under(text, "barriers", out), WB_OK);
	for (unsigned l = 0; l < LANES; l++)
		assert_int_equal(out[l], l < 16 ? 16 : 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_sides_run_in_the_order_of_the_chip),
		cmocka_unit_test(calls_run_mostly_in_the_order_of_the_chip),
		cmocka_unit_test(a_lock_within_a_warp_goes_from_lane_to_lane),
		cmocka_unit_test(a_flag_within_a_warp_ends),
		cmocka_unit_test(a_group_gives_way_at_last),
		cmocka_unit_test(lanes_meet_although_others_spin),
		cmocka_unit_test(a_side_that_counts_its_turns_runs_to_its_end),
		cmocka_unit_test(a_warp_in_two_groups_passes_barriers),
		cmocka_unit_test(halves_of_a_warp_wait_for_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
