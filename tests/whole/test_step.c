/* Stepping a launch and reading the stopped launch. */
#include <string.h>

#include "tests/kit/cmocka_all.h"

#include "warpbeam.h"

static const char ifelse[] =
	".kernel ifelse\n.chip g200\n.block 64\n.smem 64\n"
	"mov b32 $r2 0x1\n"
	"and b32 $c0 # $r0 $r2\n"
	"joinat #end\n"
	"(lg $c0) bra #odd\n"
	"add b32 $r4 $r0 0x64\n"
	"bra #end\n"
	"odd:\n"
	"add b32 $r4 $r0 $r0\n"
	"end:\n"
	"join mov b32 $r5 $r4\n"
	"bar inc wait 0x1 all\n"
	"exit nop\n";

struct machine { struct wb_program *p; struct wb_launch *l; };

static int open_machine(void **state)
{
	static struct machine m;
	struct wb_config *c = wb_config_new();
	struct wb_diag d = { 0 };

	wb_config_set(c, "format", "asm", NULL);
	wb_config_set(c, "timing", "off", NULL);
	/* then warps take turns and an issue takes 4 cycles */
	wb_config_set(c, "slice", "1", NULL);     /* warps take turns by instruction */
	if (wb_program_load(ifelse, sizeof ifelse - 1, "ifelse", c, &m.p, &d) != WB_OK ||
	    wb_launch_new(m.p, NULL, c, &m.l, &d) != WB_OK || wb_launch_start(m.l, &d) != WB_OK)
		print_message("line %d: %s\n", d.line, d.text);
	wb_config_free(c);
	*state = &m;
	return m.l ? 0 : -1;
}

static int close_machine(void **state)
{
	struct machine *m = *state;

	wb_launch_free(m->l);
	wb_program_free(m->p);
	return 0;
}

static struct wb_where forward(struct machine *m, struct wb_goal g)
{
	struct wb_where at;

	assert_int_equal(wb_launch_forward(m->l, &g, &at, NULL), WB_OK);
	return at;
}

static uint32_t label(struct machine *m, const char *name)
{
	uint32_t pc = 0;

	assert_true(wb_launch_label(m->l, name, &pc));
	return pc;
}

static void stands_before_the_first_instruction(void **state)
{
	struct machine *m = *state;
	struct wb_where at;
	struct wb_warp w;
	struct wb_machine size;

	wb_launch_where(m->l, &at);
	assert_int_equal(at.issue, 0);
	assert_false(at.began);
	wb_launch_machine(m->l, &size);
	assert_int_equal(size.slots, 2);
	assert_int_equal(size.lanes, 32);
	assert_true(wb_launch_warp(m->l, 0, 1, &w));
	assert_int_equal(w.warp, 1);
	assert_int_equal(w.pc, 0);
	assert_int_equal(w.active, 0xffffffff);
	assert_false(w.acted);
	assert_false(wb_launch_warp(m->l, 0, 2, &w));
	assert_false(wb_launch_warp(m->l, 1, 0, &w));
	assert_false(wb_launch_find_warp(m->l, 1, 0, &w));
}

static void a_goal_counts_issues_of_one_warp(void **state)
{
	struct machine *m = *state;
	struct wb_where at = forward(m, (struct wb_goal){ .issues = 3 });

	assert_int_equal(at.issue, 3);
	assert_int_equal(at.stops, WB_STOP_COUNT);
	assert_int_equal(at.last.warp, 0);
	at = forward(m, (struct wb_goal){ .issues = 2, .one_warp = true, .warp = 1 });
	assert_int_equal(at.issue, 6);
	assert_int_equal(at.last.warp, 1);
	at = forward(m, (struct wb_goal){ .cycles = 8 });
	assert_int_equal(at.issue, 8);
}

static void a_divergence_shows_on_masks_and_stack(void **state)
{
	struct machine *m = *state;
	struct wb_where at = forward(m, (struct wb_goal){ .stops = WB_STOP_DIVERGED });
	struct wb_stack e;
	struct wb_warp w;
	uint32_t flags[WB_LANES];

	assert_int_equal(at.stops, WB_STOP_DIVERGED);
	assert_true(wb_launch_warp(m->l, 0, at.last.slot, &w));
	assert_int_equal(w.pc, label(m, "odd"));
	assert_int_equal(w.active, 0xaaaaaaaa);
	assert_int_equal(w.branched_off, 0x55555555);
	assert_int_equal(w.depth, 2);
	assert_true(wb_launch_stack(m->l, 0, at.last.slot, 0, &e));
	assert_string_equal(e.name, "branch");
	assert_int_equal(e.mask, 0x55555555);
	assert_true(wb_launch_stack(m->l, 0, at.last.slot, 1, &e));
	assert_string_equal(e.name, "joinat");
	assert_int_equal(e.pc, label(m, "end"));
	assert_false(wb_launch_stack(m->l, 0, at.last.slot, 2, &e));
	assert_int_equal(wb_launch_read_register(m->l, w.block, w.warp, "$c0", flags, NULL), WB_OK);
	assert_int_not_equal(flags[0], flags[1]);
	assert_int_equal(wb_launch_read_register(m->l, w.block, w.warp, "$q0", flags, NULL), WB_USAGE);
	assert_int_equal(wb_launch_read_register(m->l, w.block, w.warp, "$r", flags, NULL), WB_USAGE);
}

static void barriers_rejoins_and_the_end_stop(void **state)
{
	struct machine *m = *state;
	struct wb_where at = forward(m, (struct wb_goal){ .stops = WB_STOP_REJOINED });
	struct wb_barrier bar;
	struct wb_warp w;

	assert_int_equal(at.last.flow & WB_FLOW_REJOIN, WB_FLOW_REJOIN);
	at = forward(m, (struct wb_goal){ .when = NULL, .issues = 1, .one_warp = true });
	do {
		at = forward(m, (struct wb_goal){ .issues = 1 });
		assert_true(wb_launch_barrier(m->l, 0, 0, 1, &bar));
	} while (!bar.arrived);
	assert_int_equal(bar.expected, 2);
	assert_int_equal(bar.waiting, 1);
	assert_true(wb_launch_warp(m->l, 0, 0, &w));
	assert_int_equal(w.waits, WB_WAIT_BARRIER);
	assert_int_equal(w.waits_for, 1);
	at = forward(m, (struct wb_goal){ .stops = WB_STOP_BARRIER });
	assert_int_equal(at.stops, WB_STOP_BARRIER);
	at = forward(m, (struct wb_goal){ 0 });
	assert_int_equal(at.stops, WB_STOP_END);
	assert_true(at.over);
	assert_string_equal(at.result, "ok");
	assert_false(wb_launch_warp(m->l, 0, 0, &w));
}

static void code_has_text_labels_and_lines(void **state)
{
	struct machine *m = *state;
	struct wb_code c;
	uint32_t pc = label(m, "odd");

	assert_true(wb_launch_code(m->l, pc, &c));
	assert_string_equal(c.text, "add b32 $r4 $r0 $r0");
	assert_string_equal(c.label, "odd");
	assert_int_equal(c.line, 12);
	assert_false(wb_launch_code(m->l, wb_launch_code_bytes(m->l), &c));
	assert_false(wb_launch_label(m->l, "nowhere", &pc));
	assert_non_null(wb_launch_source(m->l));
}

/* The cost of each store by the machine's rules: words side by side, all in bank 8, one word for all, every second
 * word; then words of g[] side by side. */
static void accesses_have_a_price(void **state)
{
	static const char text[] =
		".kernel banks\n.chip g200\n.block 32\n.smem 2304\n"
		"shl b32 $r1 $r0 0x2\nshl $a1 $r0 0x2\nst b32 s[$a1+0x20] $r0\n"
		"shl $a1 $r0 0x6\nst b32 s[$a1+0x20] $r0\n"
		"mov b32 $r3 b32 s[0x40]\n"
		"shl $a1 $r0 0x3\nst b32 s[$a1+0x20] $r0\n"
		"st b32 g14[$r1] $r0\nexit nop\n";
	static const struct { uint64_t issue; uint32_t passes, transactions; } prices[] = {
		{ 3, 1, 0 }, { 5, 16, 0 }, { 6, 1, 0 }, { 8, 2, 0 }, { 9, 0, 1 } };
	struct wb_config *c = wb_config_new();
	struct machine m;
	struct wb_access a;
	struct wb_where at;
	struct wb_diag d = { 0 };

	(void)state;
	wb_config_set(c, "format", "asm", NULL);
	wb_config_set(c, "global", "14:zero=4096", NULL);
	if (wb_program_load(text, sizeof text - 1, "banks", c, &m.p, &d) != WB_OK ||
	    wb_launch_new(m.p, NULL, c, &m.l, &d) != WB_OK || wb_launch_start(m.l, &d) != WB_OK)
		fail_msg("line %d: %s", d.line, d.text);
	assert_false(wb_launch_access(m.l, 0, &a));
	for (size_t i = 0; i < sizeof prices / sizeof *prices; i++) {
		assert_int_equal(wb_launch_goto(m.l, prices[i].issue, &at, NULL), WB_OK);
		assert_true(wb_launch_access(m.l, 0, &a));
		assert_string_equal(a.space, prices[i].transactions ? "g14" : "s");
		assert_int_equal(a.width, 4);
		assert_int_equal(a.lanes, 0xffffffff);
		for (int half = 0; half < 2; half++) {
			assert_int_equal(a.passes[half], prices[i].passes);
			assert_int_equal(a.transactions[half], prices[i].transactions);
		}
		assert_false(wb_launch_access(m.l, 1, &a));
	}
	assert_int_equal(wb_launch_goto(m.l, 5, &at, NULL), WB_OK);
	assert_true(wb_launch_access(m.l, 0, &a) && a.stores && !a.loads);
	assert_int_equal(a.addr[31], 31 * 64 + 0x20);
	assert_int_equal(wb_launch_goto(m.l, 4, &at, NULL), WB_OK);
	assert_false(wb_launch_access(m.l, 0, &a));
	wb_launch_free(m.l);
	wb_program_free(m.p);
	wb_config_free(c);
}

static struct machine open_with(const char *text, const char *const *options)
{
	struct machine m = { 0 };
	struct wb_config *c = wb_config_new();
	struct wb_diag d = { .text = "" };

	wb_config_set(c, "format", "asm", NULL);
	for (; *options; options += 2)
		assert_int_equal(wb_config_set(c, options[0], options[1], NULL), WB_OK);
	if (wb_program_load(text, strlen(text), "text", c, &m.p, &d) != WB_OK ||
	    wb_launch_new(m.p, NULL, c, &m.l, &d) != WB_OK || wb_launch_start(m.l, &d) != WB_OK)
		fail_msg("line %d: %s", d.line, d.text);
	wb_config_free(c);
	return m;
}

/* Two multiprocessors take turns by hundreds of cycles; cycles of each ascend, and descend on the way back. */
static void one_multiprocessor_is_followed(void **state)
{
	enum { STEPS = 16 };
	struct machine m = open_with(ifelse, (const char *const[]){ "grid", "6", "mps", "2", NULL });
	struct wb_goal g = { .issues = 1, .one_mp = true, .mp = 1 };
	struct wb_diag d;
	struct wb_where at;
	uint64_t issue[STEPS], cycle[STEPS];

	(void)state;
	for (int i = 0; i < STEPS; i++) {
		at = forward(&m, g);
		issue[i] = at.issue;
		cycle[i] = wb_launch_cycle(m.l, 1);
		assert_int_equal(at.last.mp, 1);
		assert_true(!i || (issue[i] > issue[i - 1] && cycle[i] > cycle[i - 1]));
	}
	assert_true(issue[0] > 1);      /* the other multiprocessor was first */
	for (int i = STEPS - 1; i-- > 0;) {
		assert_int_equal(wb_launch_back(m.l, &g, &at, NULL), WB_OK);
		assert_int_equal(at.issue, issue[i]);
		assert_int_equal(wb_launch_cycle(m.l, 1), cycle[i]);
	}
	at = forward(&m, (struct wb_goal){ .cycles = cycle[9] - cycle[0], .one_mp = true, .mp = 1 });
	assert_int_equal(at.issue, issue[9]);
	g = (struct wb_goal){ .cycles = cycle[9] - cycle[4], .one_mp = true, .mp = 1 };
	assert_int_equal(wb_launch_back(m.l, &g, &at, NULL), WB_OK);
	assert_int_equal(at.issue, issue[4]);
	g.mp = 2;
	assert_int_equal(wb_launch_forward(m.l, &g, &at, &d), WB_USAGE);
	wb_launch_free(m.l);
	wb_program_free(m.p);
}

/* The state after a fault is a position of its own, behind the last issue's. */
static void a_fault_is_a_position(void **state)
{
	struct machine m = open_with(".kernel f\n.block 32\n"
				     "mov b32 $r1 0x0\nmov b32 $r2 0x7\nst b32 g14[$r1] $r2\nexit nop\n",
				     (const char *const[]){ NULL });
	struct wb_where at = forward(&m, (struct wb_goal){ .issues = 2 });
	uint64_t before = wb_launch_state_hash(m.l), after;

	(void)state;
	assert_false(at.over);
	at = forward(&m, (struct wb_goal){ .issues = 1 });
	after = wb_launch_state_hash(m.l);
	assert_true(at.over && at.issue == 3 && before != after);
	assert_string_equal(at.result, "fault");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(i ? wb_launch_goto(m.l, 2, &at, NULL) :
				 wb_launch_back(m.l, &(struct wb_goal){ .issues = 1 }, &at, NULL), WB_OK);
		assert_true(!at.over && at.issue == 2);
		assert_int_equal(wb_launch_state_hash(m.l), before);
		wb_launch_goto(m.l, 3, &at, NULL);
		assert_true(at.over && at.issue == 3);
		assert_int_equal(wb_launch_state_hash(m.l), after);
	}
	wb_launch_free(m.l);
	wb_program_free(m.p);
}

/* A long word in the middle of two, of an operation with a record of its own, faults and no warp goes on. */
static void misplaced_words_fault(void **state)
{
	static const char words[] = "10008004\n2005820d 00001237\nf0000001 e0000781\n";
	static const char *const timing[] = { "off", "on" };
	struct wb_diag d;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct wb_config *c = wb_config_new();
		struct wb_program *p = NULL;
		struct wb_launch *l = NULL;
		wb_config_set(c, "format", "hex", NULL);
		wb_config_set(c, "timing", timing[i], NULL);
		assert_int_equal(wb_program_load(words, sizeof words - 1, "words", c, &p, &d), WB_OK);
		assert_int_equal(wb_launch_new(p, NULL, c, &l, &d), WB_OK);
		assert_int_equal(wb_launch_run(l, &d), WB_FAULT);
		assert_true(wb_launch_report(l)->pcs[0].issues == 1 && wb_launch_report(l)->pcs[1].issues == 0);
		wb_launch_free(l);
		wb_program_free(p);
		wb_config_free(c);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_machine, close_machine)
	const struct CMUnitTest tests[] = {
		TEST(one_multiprocessor_is_followed), TEST(a_fault_is_a_position),
		TEST(stands_before_the_first_instruction), TEST(a_goal_counts_issues_of_one_warp),
		TEST(a_divergence_shows_on_masks_and_stack), TEST(barriers_rejoins_and_the_end_stop),
		TEST(code_has_text_labels_and_lines), cmocka_unit_test(accesses_have_a_price),
		cmocka_unit_test(misplaced_words_fault),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
