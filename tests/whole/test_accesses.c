/* Costs of accesses by instruction (option "accesses"), against costs by hand from the rules: banks and coalescing of
 * the CUDA C Programming Guide 4.x, appendix F (half-warps of 16 lanes, 16 banks; compute capability 1.0 and 1.3), and
 * of GCN (LDS of 32 banks for 32 lanes; lines of 64 bytes for 16 lanes). */
#include "tests/kit/launches.h"

/* Lane n has 4 n in $r1, 8 n in $r2, 4 n + 4 in $r3, 4 (n & 3) in $a2; g[] is 256 bytes aligned. */
static const char tesla[] =
	".kernel k\n.block 32\n.smem 0x900\n.lmem 16\n.param ptr p\n.arg zero=8192\n.const 0 0: 1 2 3 4\n"
	"shl b32 $r1 $r0 0x2\n"
	"shl b32 $r2 $r0 0x3\n"
	"add b32 $r3 $r1 0x4\n"
	"mov b32 $r4 b32 s[0x10]\n"             /* 0x18 */
	"add b32 $r1 $r1 $r4\n"
	"add b32 $r2 $r2 $r4\n"
	"add b32 $r3 $r3 $r4\n"
	"shl $a1 $r0 0x2\n"
	"unit:\nst b32 s[$a1+0x40] $r0\n"
	"shl $a1 $r0 0x3\n"
	"two:\nst b32 s[$a1+0x40] $r0\n"
	"shl $a1 $r0 0x6\n"
	"sixteen:\nst b32 s[$a1+0x40] $r0\n"
	"mul $r5 u24 $r0 0x44\n"
	"shl $a1 $r5 0x0\n"
	"seventeen:\nst b32 s[$a1+0x20] $r0\n"
	"same:\nmov b32 $r5 b32 s[0x10]\n"
	"aligned:\nld b32 $r5 g14[$r1]\n"
	"apart:\nld b32 $r5 g14[$r2]\n"
	"shifted:\nld b32 $r5 g14[$r3]\n"
	"one:\nld b32 $r5 g14[$r4]\n"
	"local:\nst b32 l[0x4] $r0\n"
	"exit nop\n";

/* By label: what one warp's access costs on g80, then on g200. Passes for s[], else transactions and bytes. */
static const struct cost {
	const char *label, *space;
	bool stores;
	uint64_t passes[2], transactions[2], bytes[2], useful;
} tesla_costs[] = {
	/* Word w lies in bank w mod 16. Stride 1: one pass for each half-warp. */
	{ "unit", "s", true, { 2, 2 }, { 0 }, { 0 }, 128 },
	/* Stride 2: lanes n and n + 8 in one bank: two passes each. */
	{ "two", "s", true, { 4, 4 }, { 0 }, { 0 }, 128 },
	/* Stride 16: all lanes in one bank. */
	{ "sixteen", "s", true, { 32, 32 }, { 0 }, { 0 }, 128 },
	/* Stride 17: lane n in bank 17 n mod 16 = n. */
	{ "seventeen", "s", true, { 2, 2 }, { 0 }, { 0 }, 128 },
	/* The same word for all lanes is broadcast: 4 different bytes a half-warp. */
	{ "same", "s", false, { 2, 2 }, { 0 }, { 0 }, 8 },
	/* Words side by side from a multiple of 64: a transaction of 64 bytes each. */
	{ "aligned", "g", false, { 0 }, { 2, 2 }, { 128, 128 }, 128 },
	/* Every second word. g80: each lane alone, 16 transactions of 32 bytes a half-warp. g200: 128 bytes each. */
	{ "apart", "g", false, { 0 }, { 32, 2 }, { 1024, 256 }, 128 },
	/* Words from 4 on. g80: each lane alone. g200: bytes 4 to 67 need both halves of the segment of 128; bytes 68
	 * to 127 the upper half of 64, bytes 128 to 131 of the next segment 32. */
	{ "shifted", "g", false, { 0 }, { 32, 3 }, { 1024, 224 }, 128 },
	/* One word for all. g80: each lane alone. g200: a transaction of 32 bytes each. */
	{ "one", "g", false, { 0 }, { 32, 2 }, { 1024, 64 }, 8 },
	/* l[4] of each lane lies beside the next lane's. */
	{ "local", "l", true, { 0 }, { 2, 2 }, { 128, 128 }, 128 },
};

/* Lane n has 4 n in v1, 8 n in v2, 128 n in v3; the buffer's address is in v[4:5] and up. */
static const char gcn[] =
	".kernel k\n.chip gfx900\n.block 64\n.smem 8192\n.arg zero=8192\n"
	"s_load_dwordx2 s[4:5], s[0:1], 0x0\n"
	"v_lshlrev_b32 v1, 2, v0\n"
	"v_lshlrev_b32 v2, 3, v0\n"
	"v_lshlrev_b32 v3, 7, v0\n"
	"v_mov_b32 v6, 0\n"
	"s_mov_b32 m0, -1\n"
	"s_waitcnt lgkmcnt(0)\n"
	"unit:\nds_write_b32 v1, v0\n"
	"two:\nds_write_b32 v2, v0\n"
	"thirtytwo:\nds_write_b32 v3, v0\n"
	"same:\nds_read_b32 v7, v6\n"
	"aligned:\nglobal_load_dword v7, v1, s[4:5]\n"
	"apart:\nglobal_load_dword v8, v2, s[4:5]\n"
	"one:\nglobal_load_dword v9, v6, s[4:5]\n"
	"s_waitcnt vmcnt(0) & lgkmcnt(0)\n"
	"s_endpgm\n";

static const struct cost gcn_costs[] = {
	{ "unit", "s", true, { 2 }, { 0 }, { 0 }, 256 },
	{ "two", "s", true, { 4 }, { 0 }, { 0 }, 256 },
	{ "thirtytwo", "s", true, { 64 }, { 0 }, { 0 }, 256 },
	{ "same", "s", false, { 2 }, { 0 }, { 0 }, 8 },
	/* 16 lanes' words are a line of 64 bytes; every second word, two lines. */
	{ "aligned", "g", false, { 0 }, { 4 }, { 256 }, 256 },
	{ "apart", "g", false, { 0 }, { 8 }, { 512 }, 256 },
	{ "one", "g", false, { 0 }, { 4 }, { 256 }, 16 },
};

static const struct wb_access_cost *cost_at(const struct wb_report *r, uint32_t pc)
{
	for (unsigned i = 0; i < r->naccesses; i++)
		if (r->accesses[i].pc == pc)
			return &r->accesses[i];
	return NULL;
}

static void check(struct wb_launch *l, const struct cost *c, unsigned chip, uint64_t times, unsigned lanes)
{
	const struct wb_access_cost *a;
	uint32_t pc;

	assert_true(wb_launch_label(l, c->label, &pc));
	a = cost_at(wb_launch_report(l), pc);
	if (!a)
		fail_msg("%s: no access", c->label);
	if (strcmp(a->space, c->space) != 0 || a->stores != c->stores || a->loads == c->stores ||
	    a->issues != times || a->threads != times * lanes || a->passes != times * c->passes[chip] ||
	    a->transactions != times * c->transactions[chip] || a->bytes != times * c->bytes[chip] ||
	    a->useful_bytes != times * c->useful)
		fail_msg("%s: %s[] %" PRIu64 " issues, %" PRIu64 " threads, %" PRIu64 " passes, "
			 "%" PRIu64 " transactions, %" PRIu64 " bytes, %" PRIu64 " useful", c->label, a->space,
			 a->issues, a->threads, a->passes, a->transactions, a->bytes, a->useful_bytes);
}

/* A program for the chip of the settings. */
static struct wb_program *load_for(const char *text, const struct setting *s)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_diag d;

	wb_config_set(c, "format", "asm", NULL);
	for (; s->option; s++)
		if (!strcmp(s->option, "chip"))
			wb_config_set(c, "chip", s->value, NULL);
	if (wb_program_load(text, strlen(text), "test", c, &p, &d) != WB_OK)
		fail_msg("line %d: %s", d.line, d.text);
	wb_config_free(c);
	return p;
}

static void run_with(const char *text, const struct setting *s, const struct cost *costs, unsigned n, unsigned chip,
		     uint64_t times, unsigned lanes)
{
	struct wb_program *p = load_for(text, s);
	struct wb_launch *l = launch(p, s);
	struct wb_diag d;

	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s", d.text);
	for (unsigned i = 0; i < n; i++)
		check(l, &costs[i], chip, times, lanes);
	wb_launch_free(l);
	wb_program_free(p);
}

enum { TESLA_COSTS = sizeof tesla_costs / sizeof *tesla_costs, GCN_COSTS = sizeof gcn_costs / sizeof *gcn_costs };

static void tesla_by_hand(void **state)
{
	static const char *const chips[] = { "g80", "g200" };

	(void)state;
	for (unsigned chip = 0; chip < 2; chip++) {
		struct setting timed[] = { { "accesses", "on" }, { "chip", chips[chip] }, { NULL, NULL } };
		struct setting untimed[] = { { "accesses", "on" }, { "chip", chips[chip] }, { "timing", "off" },
					     { "stats-level", "full" }, { NULL, NULL } };
		struct setting large[] = { { "accesses", "on" }, { "chip", chips[chip] }, { "grid", "40" },
					   { "threads", "2" }, { NULL, NULL } };
		run_with(tesla, timed, tesla_costs, TESLA_COSTS, chip, 1, 32);
		run_with(tesla, untimed, tesla_costs, TESLA_COSTS, chip, 1, 32);
		run_with(tesla, large, tesla_costs, TESLA_COSTS, chip, 40, 32);
	}
}

static void gcn_by_hand(void **state)
{
	static const struct setting timed[] = { { "accesses", "on" }, { "ptr", "8" }, { NULL, NULL } };
	static const struct setting untimed[] = { { "accesses", "on" }, { "ptr", "8" }, { "timing", "off" },
						  { "grid", "3" }, { NULL, NULL } };

	(void)state;
	run_with(gcn, timed, gcn_costs, GCN_COSTS, 0, 1, 64);
	run_with(gcn, untimed, gcn_costs, GCN_COSTS, 0, 3, 64);
}

/* Lanes that are off access nothing; a half-warp without lanes costs no pass. */
static void some_lanes(void **state)
{
	static const char text[] = ".kernel k\n.chip g200\n.block 32\n.smem 0x100\n"
				   "mov b32 $r1 0x5\n"
				   "set $c0 # l u32 $r0 $r1\n"
				   "shl $a1 $r0 0x2\n"
				   "five:\n(lg $c0) st b32 s[$a1+0x40] $r0\n"
				   "exit nop\n";
	static const struct cost five = { "five", "s", true, { 1 }, { 0 }, { 0 }, 20 };
	static const struct setting on[] = { { "accesses", "on" }, { NULL, NULL } };

	(void)state;
	run_with(text, on, &five, 1, 0, 1, 5);
}

/* The sums are those of the counters, and nothing is counted unless asked for. */
static void sums_are_the_counters(void **state)
{
	static const struct setting on[] = { { "accesses", "on" }, { "chip", "g200" }, { NULL, NULL } };
	static const struct setting off[] = { { "chip", "g200" }, { NULL, NULL } };
	struct wb_program *p = load(tesla);
	struct wb_launch *with = launch(p, on), *without = launch(p, off);
	const struct wb_report *r, *plain;
	uint64_t extra = 0, bytes = 0;

	(void)state;
	assert_int_equal(wb_launch_run(with, NULL), WB_OK);
	assert_int_equal(wb_launch_run(without, NULL), WB_OK);
	r = wb_launch_report(with);
	plain = wb_launch_report(without);
	for (unsigned i = 0; i < r->naccesses; i++) {
		extra += r->accesses[i].passes ? r->accesses[i].passes - r->accesses[i].groups : 0;
		bytes += *r->accesses[i].space == 'g' ? r->accesses[i].bytes : 0;
	}
	assert_int_equal(plain->naccesses, 0);
	assert_string_equal(r->digest, plain->digest);
	for (unsigned i = 0; i < r->ncounters; i++) {
		if (r->counters[i].value != plain->counters[i].value)
			fail_msg("%s: %g, without accesses %g", r->counters[i].name, r->counters[i].value,
				 plain->counters[i].value);
		if (!strcmp(r->counters[i].name, "warp_serialize"))
			assert_int_equal(r->counters[i].value, extra);
	}
	assert_int_equal(extra, 2 + 30);
	assert_int_equal(bytes, 128 + 256 + 224 + 64);
	wb_launch_free(with);
	wb_launch_free(without);
	wb_program_free(p);
}

/* Backwards the counts go back. */
static void counts_go_back(void **state)
{
	static const struct setting on[] = { { "accesses", "on" }, { "chip", "g200" }, { NULL, NULL } };
	struct wb_program *p = load(tesla);
	struct wb_launch *l = launch(p, on);
	struct wb_where where;

	(void)state;
	assert_int_equal(wb_launch_goto(l, 12, &where, NULL), WB_OK);
	assert_int_equal(wb_launch_report(l)->naccesses, 3);    /* $r4, unit, two */
	assert_int_equal(wb_launch_goto(l, 9, &where, NULL), WB_OK);
	assert_int_equal(wb_launch_report(l)->naccesses, 2);
	wb_launch_free(l);
	wb_program_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tesla_by_hand), cmocka_unit_test(gcn_by_hand), cmocka_unit_test(some_lanes),
		cmocka_unit_test(sums_are_the_counters), cmocka_unit_test(counts_go_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
