/* The differences between reconvergence policies, each shown by a small kernel and its counters. */
#include <stdio.h>
#include <string.h>

#include "tests/kit/cmocka_all.h"

#include "warpbeam.h"

enum { POLICIES = 5 };
static const char *const policies[POLICIES] = { "stack", "minpc", "none", "ipdom", "barriers" };

struct result {
	enum wb_status status;
	uint32_t word[64];              /* the buffer argument */
	struct wb_bill bill;
	double instructions, barrier_diverged, deepest, cycles;
	uint64_t tail_issues;           /* of the label "tail" */
};

static double counter(const struct wb_report *r, const char *name)
{
	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, name))
			return r->counters[i].value;
	fail_msg("no counter %s", name);
	return 0;
}

/* Run `text` under a policy and "option=value" settings, separated by blanks. */
static struct result run(const char *text, const char *policy, const char *settings)
{
	struct result out = { 0 };
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_launch *l;
	struct wb_diag d = { 0 };
	char name[32], value[32];
	int n;

	assert_int_equal(wb_config_set(c, "format", "asm", &d), WB_OK);
	assert_int_equal(wb_config_set(c, "reconverge", policy, &d), WB_OK);
	for (; sscanf(settings, " %31[^=]=%31s%n", name, value, &n) == 2; settings += n)
		assert_int_equal(wb_config_set(c, name, value, &d), WB_OK);
	if (wb_program_load(text, strlen(text), "test", c, &p, &d) != WB_OK)
		fail_msg("line %d: %s", d.line, d.text);
	if (wb_launch_new(p, NULL, c, &l, &d) != WB_OK)
		fail_msg("%s", d.text);
	out.status = wb_launch_run(l, &d);
	if (wb_launch_arg_bytes(l, 0) == sizeof out.word)
		assert_int_equal(wb_launch_read_arg(l, 0, 0, out.word, sizeof out.word, &d), WB_OK);
	const struct wb_report *r = wb_launch_report(l);
	out.bill = r->bill;
	out.instructions = counter(r, "instructions");
	out.barrier_diverged = counter(r, "barrier_diverged");
	out.deepest = counter(r, "stack_depth");
	out.cycles = counter(r, "cycles");
	for (unsigned i = 0; i < r->npcs; i++)
		if (r->pcs[i].label && !strcmp(r->pcs[i].label, "tail"))
			out.tail_issues = r->pcs[i].issues;
	wb_launch_free(l);
	wb_program_free(p);
	wb_config_free(c);
	return out;
}

/* The second half of a long instruction is an instruction for a jump that goes there: a long one at an odd word. */
static void a_jump_may_go_into_an_instruction(void **state)
{
	static const char into[] = ".kernel k\n.grid 1\n.block 32\nbra 0xc\nlong mov b32 $r1 0x2\nexit nop\n";
	static const char *const settings[] = { "", "threaded-code=off", "timing=off", "timing=off slice=1" };

	for (unsigned i = 0; i < POLICIES; i++)
		for (unsigned k = 0; k < sizeof settings / sizeof *settings; k++) {
			struct result r = run(into, policies[i], settings[k]);
			assert_int_equal(r.status, WB_FAULT);
			assert_int_equal(r.instructions, 1);
		}
}

/* The offset of an indirect branch counts words of c[], the address register bytes. */
static void a_branch_takes_its_target_from_a_word(void **state)
{
	static const char indirect[] =
		".kernel k\n.grid 1\n.block 32\n.param ptr out\n.arg zero=256\n"
		".const 1 0: 0x8 0x8 0x18 0x8\n"
		"bra c1[$a1+0x2]\n"
		"long mov b32 $r1 0x1\n"                       /* 0x8 */
		"bra #store\n"
		"long mov b32 $r1 0x2\n"                       /* 0x18 */
		"store: and b32 $r0 $r0 0x1f\n"
		"shl b32 $r0 $r0 0x2\n"
		"add b32 $r0 b32 s[0x10] $r0\n"
		"st b32 g14[$r0] $r1\n"
		"exit nop\n";

	for (unsigned i = 0; i < POLICIES; i++) {
		static const char *const chips[] = { "g80", "sm_13", "gt215" };
		for (unsigned k = 0; k < 3; k++) {
			char settings[32];
			snprintf(settings, sizeof settings, "chip=%s", chips[k]);
			struct result r = run(indirect, policies[i], settings);
			assert_int_equal(r.status, WB_OK);
			assert_int_equal(r.word[31], 2);
		}
	}
}

/* Without a guard all active lanes hold the predicate, whatever the vote before was about. */
static void an_unguarded_vote_is_unanimous(void **state)
{
	static const char votes[] =
		".kernel k\n.chip g200\n.grid 1\n.block 32\n.arg zero=256\n.const 1 0x0: 1\n"
		"and b32 $c0 # $r0 c1[0x0]\n(e $c0) vote any $c1\nvote all $c2\nmov $r2 $c2\n"
		"shl b32 $r0 $r0 0x2\nadd b32 $r0 b32 s[0x10] $r0\nexit st b32 g14[$r0] $r2\n";

	(void)state;
	for (int i = 0; i < POLICIES; i++) {
		struct result r = run(votes, policies[i], "");
		assert_int_equal(r.status, WB_OK);
		for (int lane = 0; lane < 32; lane++)
			assert_int_equal(r.word[lane], 2);
	}
}

/* Every losing lane spins: the winner, at a higher pc, is behind the losers. Only turns for waiting lanes let the
 * winner go on. */
static void fairness_ends_a_spin_lock(void **state)
{
	static const char spin[] =
		".kernel k\n.chip g200\n.grid 1\n.block 32\n.arg zero=256\n.smem 0x40\n"
		"spin:\nld lock $c0 $r1 b32 s[0x20]\n(geu $c0) bra #spin\n"
		"add b32 $r1 $r1 $r0\nst unlock b32 s[0x20] $r1\nexit (never) nop\n";

	(void)state;
	assert_int_equal(run(spin, "stack", "livelock=50000").status, WB_HANG);
	assert_int_equal(run(spin, "none", "livelock=50000").status, WB_HANG);
	assert_int_equal(run(spin, "ipdom", "livelock=50000").status, WB_HANG);
	assert_int_equal(run(spin, "barriers", "").status, WB_OK);
	assert_int_equal(run(spin, "minpc", "minpc-fair=none livelock=50000").status, WB_HANG);
	assert_int_equal(run(spin, "minpc", "").status, WB_OK);
	assert_int_equal(run(spin, "minpc", "minpc-fair=1").status, WB_OK);
	/* a state that looks the same but for the patience of the waiting group is no proof of a livelock */
	assert_int_equal(run(spin, "minpc", "minpc-fair=100000 timing=off").status, WB_OK);
}

/* A lock of the program, made of a lock of the machine, as compilers make compare-and-swap. Losers try again below the
 * winner, who has to take the machine's lock once more to leave. Whatever the length of a turn, the winner's turn must
 * not find the machine's lock in the hands of a loser, interrupted there, again and again. */
static void turns_do_not_interrupt_holders(void **state)
{
	static const char nested[] =
		".kernel k\n.chip g200\n.grid 1\n.block 32\n.arg zero=256\n.smem 0x40\nmov b32 $r3 0x1\n"
		"mov b32 $r9 0x0\njoinat #met\nagain:\njoinat #tried\nspin:\nld lock $c0 $r1 b32 s[0x24]\n"
		"set $c1 # lg u32 $r1 $r9\nmov b32 $r2 0x1\n(lg $c1) mov b32 $r2 $r1\n"
		"(l $c0) st unlock b32 s[0x24] $r2\n(geu $c0) bra #spin\ntried:\n"
		"join set $c0 # lg u32 $r1 $r9\n(lg $c0) bra #again\nmov b32 $r4 b32 s[0x28]\n"
		"add b32 $r4 $r4 $r3\nst b32 s[0x28] $r4\njoinat #freed\nfree:\nld lock $c0 $r1 b32 s[0x24]\n"
		"(l $c0) st unlock b32 s[0x24] $r9\n(geu $c0) bra #free\nfreed:\njoin (never) nop\nmet:\n"
		"join (never) nop\nexit (never) nop\n";
	static const char *const rules[] = { "warp", "flag" };
	char settings[96];

	(void)state;
	for (unsigned rule = 0; rule < 2; rule++)
		for (unsigned fair = 1; fair <= 60; fair++) {
			snprintf(settings, sizeof settings, "minpc-fair=%u timing=off max-insns=20000 lock=%s", fair,
				 rules[rule]);
			assert_int_equal(run(nested, "minpc", settings).status, WB_OK);
		}
}

/* The same lock, with a meeting behind the loop, where the winner would wait for the losers. They give way in each
 * turn, though each turn unlocks the machine's lock. */
static void losers_give_way(void **state)
{
	static const char naive[] =
		".kernel k\n.chip v100\n.grid 1\n.block 64\n.arg zero=256\n.smem 0x40\nmov b32 $r3 0x1\n"
		"mov b32 $r9 0x0\njoinat #won\nagain:\njoinat #tried\nspin:\nld lock $c0 $r1 b32 s[0x24]\n"
		"set $c1 # lg u32 $r1 $r9\nmov b32 $r2 0x1\n(lg $c1) mov b32 $r2 $r1\n"
		"(l $c0) st unlock b32 s[0x24] $r2\n(geu $c0) bra #spin\ntried:\n"
		"join set $c0 # lg u32 $r1 $r9\n(lg $c0) bra #again\nwon:\njoin mov b32 $r4 b32 s[0x28]\n"
		"add b32 $r4 $r4 $r3\nst b32 s[0x28] $r4\njoinat #freed\nfree:\nld lock $c0 $r1 b32 s[0x24]\n"
		"(l $c0) st unlock b32 s[0x24] $r9\n(geu $c0) bra #free\nfreed:\njoin (never) nop\n"
		"bar inc wait 0x0 all\nmov b32 $r4 b32 s[0x28]\nmov b32 $r5 b32 s[0x10]\nexit st b32 g14[$r5] $r4\n";
	static const char *const rules[] = { "warp", "flag" };
	char settings[96];

	(void)state;
	for (unsigned rule = 0; rule < 2; rule++)
		for (unsigned timed = 0; timed < 2; timed++) {
			snprintf(settings, sizeof settings, "timing=%s max-insns=200000 lock=%s", timed ? "on" : "off",
				 rules[rule]);
			struct result r = run(naive, "barriers", settings);
			assert_int_equal(r.status, WB_OK);
			assert_int_equal(r.word[0], 64);
		}
}

/* Warp 0 looks at a word under a lock until warp 1 has written the word. Without timing warps take turns of a length
 * that the look divides: no turn may end within the lock, or warp 1 finds the lock taken in each turn. */
static void slices_do_not_interrupt_holders(void **state)
{
	static const char looks[] =
		".kernel k\n.chip g200\n.grid 1\n.block 64\n.arg zero=256\n.smem 0x40\nmov b32 $r3 0x1\n"
		"mov b32 $r5 0x1f\nand b32 $c1 # $r0 $r5\n(lg $c1) bra #end\nmov b32 $r5 0x20\n"
		"and b32 $c1 # $r0 $r5\n(lg $c1) bra #write\n%slook:\nld lock $c0 $r1 b32 s[0x24]\n"
		"(geu $c0) bra #look\nst unlock b32 s[0x24] $r1\nset $c0 # lg u32 $r1 $r3\n(lg $c0) bra #look\n"
		"bra #end\nwrite:\nld lock $c0 $r1 b32 s[0x24]\n(geu $c0) bra #write\n"
		"st unlock b32 s[0x24] $r3\nend:\nexit (never) nop\n";
	static const char *const before[] = { "", "nop\n", "nop\nnop\n", "nop\nnop\nnop\n", "nop\nnop\nnop\nnop\n" };
	static const char *const policies_of_locks[] = { "stack", "minpc", "barriers" };
	char text[sizeof looks + 32], settings[96];

	(void)state;
	for (unsigned k = 0; k < sizeof before / sizeof *before; k++)
		for (unsigned slice = 5; slice <= 320; slice *= 2) {
			snprintf(text, sizeof text, looks, before[k]);
			snprintf(settings, sizeof settings, "timing=off max-insns=20000 slice=%u", slice);
			for (unsigned i = 0; i < 3; i++)
				assert_int_equal(run(text, policies_of_locks[i], settings).status, WB_OK);
		}
}

/* Lane n goes round n + 1 times; there is no join. Where paths reconverge automatically the tail is issued once. */
static const char ragged[] =
	".kernel k\n.chip g200\n.grid 1\n.block 32\n.arg zero=256\n"
	"mov b32 $r1 $r0\nmov b32 $r3 0x1\nmov b32 $r9 0x0\n"
	"head:\nset $c0 # lg u32 $r1 $r9\nsubr b32 $r1 $r3 $r1\nadd b32 $r2 $r2 $r3\n(lg $c0) bra #head\n"
	"tail:\nmov b32 $r5 b32 s[0x10]\nshl b32 $r4 $r0 0x2\nadd b32 $r5 $r5 $r4\nexit st b32 g14[$r5] $r2\n";

static void only_some_meet_without_a_join(void **state)
{
	static const unsigned tails[POLICIES] = { 32, 1, 32, 1, 32 };

	(void)state;
	for (int i = 0; i < POLICIES; i++) {
		struct result r = run(ragged, policies[i], "");
		assert_int_equal(r.status, WB_OK);
		for (uint32_t t = 0; t < 32; t++)
			assert_int_equal(r.word[t], t + 1);
		assert_int_equal(r.tail_issues, tails[i]);
	}
	/* 32 rounds of four, 3 before, 4 behind; a side that begins at the reconvergence point takes no slot. */
	assert_int_equal(run(ragged, "ipdom", "").instructions, 32 * 4 + 7);
	assert_int_equal(run(ragged, "minpc", "").instructions, 32 * 4 + 7);
	assert_int_equal(run(ragged, "ipdom", "").deepest, 1);
}

/* An if inside the loop, with a break in one side: the if's post-dominator is behind the loop, so that the lanes part
 * there for good; by pc they meet behind the if. */
static void a_break_moves_the_post_dominator(void **state)
{
	static const char broken[] =
		".kernel k\n.chip g200\n.grid 1\n.block 32\n.arg zero=256\n"
		"mov b32 $r3 0x1\nmov b32 $r9 0x0\nmov b32 $r6 0x5\nand b32 $r7 $r0 0x1\nand b32 $r8 $r0 0x3\n"
		"breakaddr #out\n"
		"head:\nset $c0 # lg u32 $r7 $r9\nadd b32 $r2 $r2 $r3\n(lg $c0) bra #odd\n"
		"set $c1 # e u32 $r2 $r8\n(lg $c1) break\n"
		"odd:\nset $c1 # ge u32 $r2 $r6\n(lg $c1) break\n"
		"tail:\nbra #head\n"
		"out:\nmov b32 $r5 b32 s[0x10]\nshl b32 $r4 $r0 0x2\nadd b32 $r5 $r5 $r4\nexit st b32 g14[$r5] $r2\n";
	struct result minpc = run(broken, "minpc", ""), ipdom = run(broken, "ipdom", "");

	(void)state;
	for (uint32_t t = 0; t < 32; t++) {
		assert_int_equal(ipdom.word[t], t % 4 == 2 ? 2 : 5);
		assert_int_equal(minpc.word[t], ipdom.word[t]);
	}
	assert_int_equal(minpc.tail_issues, 4);
	assert_int_equal(ipdom.tail_issues, 8);
}

/* Half of the warp comes to the barrier late. On the stack the early half runs ahead; lanes with pcs of their own
 * park. */
static const char late[] =
	".kernel k\n.chip g200\n.grid 1\n.block 32\n.arg zero=256\n.smem 0xc0\n"
	"mov b32 $r9 0x0\nand b32 $r7 $r0 0x10\nset $c0 # lg u32 $r7 $r9\nshl b32 $r1 $r0 0x2\nxor b32 $r6 $r1 0x40\n"
	"shl $a1 $r1 0x0\nshl $a2 $r6 0x0\n"
	"(lg $c0) bra #meet\nadd b32 $r2 $r0 0x64\nst b32 s[$a1+0x20] $r2\n"
	"meet:\nbar inc wait 0x0 all\n"
	"mov b32 $r3 b32 s[$a2+0x20]\n"
	"tail:\nmov b32 $r5 b32 s[0x10]\nadd b32 $r5 $r5 $r1\nexit st b32 g14[$r5] $r3\n";

static void paths_park_at_a_barrier(void **state)
{
	(void)state;
	for (int i = 0; i < POLICIES; i++) {
		struct result r = run(late, policies[i], "");
		bool parks = i != 0 && i != 3;
		assert_int_equal(r.status, WB_OK);
		assert_int_equal(r.word[16], parks || i == 3 ? 100 : 0);
		assert_int_equal(r.barrier_diverged, i == 0 ? 1 : 0);
		assert_int_equal(r.tail_issues, i == 1 || i == 3 ? 1 : 2);
	}
}

/* Lanes in a function with different return addresses do not run together, and each returns to its caller. */
static void stacks_must_be_equal(void **state)
{
	static const char calls[] =
		".kernel k\n.chip g200\n.grid 1\n.block 32\n.arg zero=256\n"
		"mov b32 $r3 0x1\nmov b32 $r9 0x0\nand b32 $r7 $r0 0x1\nset $c0 # lg u32 $r7 $r9\n(lg $c0) bra #odd\n"
		"call #tail\nadd b32 $r2 $r2 0x10\nbra #end\n"
		"odd:\ncall #tail\nadd b32 $r2 $r2 0x20\n"
		"end:\nmov b32 $r5 b32 s[0x10]\nshl b32 $r4 $r0 0x2\nadd b32 $r5 $r5 $r4\nexit st b32 g14[$r5] $r2\n"
		"tail:\nadd b32 $r2 $r2 $r3\nret\n";

	(void)state;
	for (int i = 0; i < POLICIES; i++) {
		struct result r = run(calls, policies[i], "");
		assert_int_equal(r.status, WB_OK);
		for (uint32_t t = 0; t < 32; t++)
			assert_int_equal(r.word[t], t % 2 ? 0x21 : 0x11);
		assert_int_equal(r.tail_issues, 2);
	}
}

/* No two policies differ in name only: of any two, a kernel here takes longer under one. */
static void each_pair_differs_in_cycles(void **state)
{
	static const char joined[] =
		".kernel k\n.chip g200\n.arg zero=256\nmov b32 $r1 0x1\nand b32 $c0 # $r0 $r1\n"
		"joinat #tail\n(lg $c0) bra #odd\nadd b32 $r2 $r0 $r1\nbra #tail\nodd:\nadd b32 $r2 $r0 $r0\n"
		"tail:\njoin mov b32 $r5 b32 s[0x10]\nshl b32 $r4 $r0 0x2\nadd b32 $r5 $r5 $r4\n"
		"exit st b32 g14[$r5] $r2\n";
	const char *const kernels[] = { ragged, late, joined };

	(void)state;
	for (int a = 0; a < POLICIES; a++)
		for (int b = 0; b < a; b++) {
			bool differ = false;
			for (int k = 0; k < 3; k++)
				differ |= run(kernels[k], policies[a], "").cycles !=
					  run(kernels[k], policies[b], "").cycles;
			if (!differ)
				fail_msg("%s and %s take the same time", policies[a], policies[b]);
		}
}

/* The option takes the ways to run; the option of a counted way's name counts it. */
static void every_way_is_a_word_of_an_option(void **state)
{
	const char *name;
	bool counted;
	unsigned i;

	(void)state;
	assert_string_equal(wb_reconverge_name(0, NULL), "stack");
	for (i = 0; (name = wb_reconverge_name(i, &counted)); i++) {
		struct wb_config *c = wb_config_new();
		struct wb_diag d;
		assert_int_equal(wb_config_set(c, "reconverge", name, &d), counted ? WB_USAGE : WB_OK);
		if (counted)
			assert_int_equal(wb_config_set(c, name, "on", &d), WB_OK);
		assert_true(strlen(wb_reconverge_text(i)) > 0);
		wb_config_free(c);
	}
	assert_int_equal(i, POLICIES + 1);
	assert_null(wb_reconverge_text(i));
}

static void limits_are_checked(void **state)
{
	struct wb_config *c = wb_config_new();
	struct wb_diag d = { 0 };

	(void)state;
	assert_int_equal(run(".kernel k\n.chip g200\nbreakaddr #e\nbreakaddr #e\ne:\nexit (never) nop\n", "minpc",
			     "stack-depth=1").status, WB_FAULT);
	assert_int_equal(run(".kernel k\n.chip g200\nbreak\nexit (never) nop\n", "none", "").status, WB_FAULT);
	assert_int_equal(wb_config_set(c, "reconverge", "perfect", &d), WB_USAGE);
	wb_config_free(c);
}

static void assert_balanced(const struct wb_bill *b)
{
	assert_int_equal(b->useful + b->predicated + b->branched_off + b->brk + b->ret + b->exited + b->absent +
			 b->rejoin, b->lane_slots);
}

/* A target popped by an unwinding stack is checked like any other. */
static void a_target_from_the_stack_may_be_outside(void **state)
{
	static const char *const texts[] = {
		"joinat 0x600050\nexit (never) nop\n", "joinat 0x8\nexit (never) nop\n",
		"breakaddr 0x600050\nbreak\nexit nop\n", "preret 0x600050\nret\nexit nop\n",
		"joinat 0x600050\nsub b32 $c0 # $r0 c1[0x4]\n(lg $c0) bra 0x600050\nexit nop\n",
	};
	static const char *const settings[] = { " join=per-path", " join=merged", " join=per-path timing=off" };

	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
		for (unsigned k = 0; k < 3 * POLICIES; k++) {
			char text[256];
			snprintf(text, sizeof text, ".kernel k\n.chip g200\n.grid 1\n.block 32\n%s", texts[i]);
			struct result r = run(text, policies[k % POLICIES], settings[k / POLICIES]);
			assert_true(r.status == WB_OK || r.status == WB_FAULT);
			assert_balanced(&r.bill);
		}
}

/* An instruction with a faulting marker has been issued: its slots are in the bill, as are its lanes. */
static void a_fault_at_a_marker_balances(void **state)
{
	static const char *const texts[] = {
		".block 8\nquadon\nexit mov b32 $r1 $r0\n", ".block 32\nnop\njoin (never) nop\nexit nop\n",
		".block 8\nbreakaddr 0x20\nquadon\nexit mov b32 $r1 $r0\n",
	};
	static const char *const settings[] = { " join=per-path", " join=merged", " join=per-path timing=off" };
	unsigned faults = 0;

	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
		for (unsigned k = 0; k < 3 * POLICIES; k++) {
			char text[256];
			snprintf(text, sizeof text, ".kernel k\n.chip g200\n.grid 1\n%s", texts[i]);
			struct result r = run(text, policies[k % POLICIES], settings[k / POLICIES]);
			faults += r.status == WB_FAULT;
			assert_balanced(&r.bill);
		}
	assert_true(faults >= 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_jump_may_go_into_an_instruction),
		cmocka_unit_test(a_branch_takes_its_target_from_a_word),
		cmocka_unit_test(an_unguarded_vote_is_unanimous),
		cmocka_unit_test(fairness_ends_a_spin_lock),
		cmocka_unit_test(turns_do_not_interrupt_holders),
		cmocka_unit_test(losers_give_way),
		cmocka_unit_test(slices_do_not_interrupt_holders),
		cmocka_unit_test(only_some_meet_without_a_join),
		cmocka_unit_test(a_break_moves_the_post_dominator),
		cmocka_unit_test(paths_park_at_a_barrier),
		cmocka_unit_test(stacks_must_be_equal),
		cmocka_unit_test(each_pair_differs_in_cycles),
		cmocka_unit_test(every_way_is_a_word_of_an_option),
		cmocka_unit_test(limits_are_checked),
		cmocka_unit_test(a_target_from_the_stack_may_be_outside),
		cmocka_unit_test(a_fault_at_a_marker_balances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
