/* Forks and joins of GCN, whose stack is in SGPRs and which no compiler emits: the smaller side runs first, lanes
 * reconverge, and lost slots are charged to the fork. And a wavefront without lanes, which goes on. */
#include "tests/kit/launches.h"

static const char *const chips[] = { "tahiti", "bonaire", "tonga", "gfx900" };

/* s[12:15] is a buffer over the first argument, v1 each thread's offset in the buffer. */
#define BEGIN(chip) \
	".kernel k\n.chip " chip "\n" \
	"s_load_dwordx2 s[12:13], s[0:1], 0x0\n" \
	"s_mov_b32 s14, -1\n" \
	"s_mov_b32 s15, 0x24fac\n" \
	"s_mov_b64 s[20:21], exec\n" \
	"v_lshlrev_b32 v1, 2, v0\n" \
	"s_waitcnt lgkmcnt(0)\n"
#define END \
	"s_mov_b64 exec, s[20:21]\n" \
	"buffer_store_dword v2, v1, s[12:15], 0 offen\n" \
	"s_endpgm\n"

/* s19 counts sides. At the first fork 24 lanes go on and 40 branch; of the 40, 8 branch and 32 go on. */
#define FORKS \
	"s_mov_b32 s18, 0\n" \
	"s_mov_b32 s19, 0\n" \
	"v_cmp_gt_u32 s[16:17], 40, v0\n" \
	"v_cmp_gt_u32 s[24:25], 8, v0\n" \
	"s_cbranch_i_fork s[16:17], outer\n" \
	"s_add_u32 s19, s19, 1\n" \
	"v_mov_b32 v2, s19\n" \
	"s_branch meet\n" \
	"outer:\n" \
	"s_cbranch_i_fork s[24:25], inner\n" \
	"s_add_u32 s19, s19, 1\n" \
	"v_mov_b32 v2, s19\n" \
	"s_branch inner_meet\n" \
	"inner:\n" \
	"s_add_u32 s19, s19, 1\n" \
	"v_mov_b32 v2, s19\n" \
	"v_or_b32 v2, 16, v2\n" \
	"inner_meet:\n" \
	"s_cbranch_join s18\n" \
	"meet:\n" \
	"s_cbranch_join s18\n"

/* 3 + 4 + 5 counted without a lane; vector instructions then do nothing. */
#define NO_LANES \
	"v_mov_b32 v2, 7\n" \
	"s_mov_b32 s18, 0\n" \
	"s_mov_b64 exec, 0\n" \
	"s_cbranch_execnz over\n" \
	"s_mov_b32 s19, 3\n" \
	"again:\n" \
	"s_add_u32 s18, s18, s19\n" \
	"v_mov_b32 v2, 9\n" \
	"s_add_u32 s19, s19, 1\n" \
	"s_cmp_lt_u32 s19, 6\n" \
	"s_cbranch_scc1 again\n" \
	"s_mov_b64 exec, 0xf\n" \
	"v_mov_b32 v2, s18\n" \
	"over:\n"

/* The program must outlive the launch. */
static struct wb_launch *run_text(const char *text, const char *in_order, uint32_t out[64],
				  struct wb_program **program)
{
	const struct setting s[] = { { "block", "64" }, { "in-order", in_order }, { NULL, NULL } };
	struct wb_program *p = load(text);
	struct wb_launch *l = launch(p, s);
	struct wb_diag d = { 0 };

	if (wb_launch_arg(l, "zero=256", &d) != WB_OK || wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s", d.text);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, out, 256, NULL), WB_OK);
	*program = p;
	return l;
}

static uint64_t lost_at(struct wb_launch *l, const char *name)
{
	const struct wb_report *r = wb_launch_report(l);
	uint64_t lost = 0;

	for (unsigned i = 0; i < r->npcs; i++)
		lost += strncmp(r->pcs[i].text, name, strlen(name)) ? 0 : r->pcs[i].lost;
	return lost;
}

static uint64_t splits_at(struct wb_launch *l, const char *name)
{
	const struct wb_report *r = wb_launch_report(l);
	uint64_t splits = 0;

	for (unsigned i = 0; i < r->npcs; i++)
		splits += strncmp(r->pcs[i].text, name, strlen(name)) ? 0 : r->pcs[i].diverged;
	return splits;
}

static void on_chips(const char *const texts[4], uint32_t (*expected)(unsigned lane), const char *culprit,
		     uint64_t lost)
{
	uint32_t out[64];

	for (unsigned i = 0; i < 4; i++)
		for (unsigned way = 0; way < 2; way++) {
			struct wb_program *p;
			struct wb_launch *l = run_text(texts[i], way ? "on" : "off", out, &p);
			for (unsigned k = 0; k < 64; k++)
				if (out[k] != expected(k))
					fail_msg("%s: lane %u has %x, expected %x", chips[i], k, out[k], expected(k));
			if (lost_at(l, culprit) != lost)
				fail_msg("%s: %s lost %" PRIu64 " slots, expected %" PRIu64, chips[i], culprit,
					 lost_at(l, culprit), lost);
			wb_launch_free(l);
			wb_program_free(p);
		}
}

static uint32_t of_forks(unsigned lane)
{
	return lane < 8 ? 0x12 : lane < 40 ? 3 : 1;
}

static uint32_t of_no_lanes(unsigned lane)
{
	return lane < 4 ? 12 : 7;
}

#define ON_ALL(body) { \
	BEGIN("tahiti") body END, BEGIN("bonaire") body END, BEGIN("tonga") body END, BEGIN("gfx900") body END }

/* The outer fork takes 40 lanes out for the 4 instructions of the other side, with its join, the inner fork 32 lanes
 * for 4. Lanes that then wait for another side are lost to the fork as well: 24 for the inner fork, 4 and 5
 * instructions of its sides, and the move that brings all back; 8 for 5 and the move. */
static void the_smaller_side_of_a_fork_runs_first(void **state)
{
	static const char *const texts[] = ON_ALL(FORKS);

	on_chips(texts, of_forks, "s_cbranch_i_fork", 40 * 4 + 32 * 4 + 24 * 11 + 8 * 6);
}

static void a_wavefront_without_lanes_goes_on(void **state)
{
	static const char *const texts[] = ON_ALL(NO_LANES);

	/* 18 instructions without a lane, the move included that brings four back; one more without the other 60 */
	on_chips(texts, of_no_lanes, "s_mov_b64", 64 * 18 + 60 * 2);
}

/* s_and_saveexec and a compare narrow EXEC; restoring EXEC, taking all lanes out, and going to the lanes of the other
 * side split nothing. */
static void narrowing_exec_is_a_split(void **state)
{
	static const char text[] = BEGIN("tonga")
		"v_mov_b32 v2, 0\n"
		"v_cmp_gt_u32 vcc, 40, v0\n"
		"s_and_saveexec_b64 s[24:25], vcc\n"
		"s_xor_b64 exec, exec, s[24:25]\n"
		"v_cmpx_gt_u32 vcc, 50, v0\n"
		"s_mov_b64 exec, 0\n"
		END;
	uint32_t out[64];

	for (unsigned way = 0; way < 2; way++) {
		struct wb_program *p;
		struct wb_launch *l = run_text(text, way ? "on" : "off", out, &p);
		assert_int_equal(splits_at(l, "s_and_saveexec"), 1);
		assert_int_equal(splits_at(l, "v_cmpx"), 1);
		assert_int_equal(splits_at(l, "s_xor") + splits_at(l, "s_mov"), 0);
		wb_launch_free(l);
		wb_program_free(p);
	}
}

/* EXEC keeps lanes that an operation on a part of the destination leaves alone, however EXEC came to be. */
static void exec_keeps_what_is_left_alone(void **state)
{
	static const char text[] = BEGIN("gfx900")
		"v_mov_b32 v2, 0\n"
		"s_mov_b64 exec, 3\n"
		"s_mov_b32 exec_lo, 0xf0\n"
		"s_cmp_eq_u32 s14, 0\n"
		"s_cmov_b64 exec, s[20:21]\n"
		"v_add_u32 v2, 1, v2\n"
		"s_mov_b32 exec_lo, 0xf00\n"
		"s_bitset1_b64 exec, 33\n"
		"s_bitset0_b64 exec, 9\n"
		"v_add_u32 v2, 2, v2\n"
		END;

	for (unsigned way = 0; way < 2; way++) {
		uint32_t out[64];
		struct wb_program *p;
		struct wb_launch *l = run_text(text, way ? "on" : "off", out, &p);
		for (uint64_t lane = 0; lane < 64; lane++)
			assert_int_equal(out[lane], (UINT64_C(0xf0) >> lane & 1) +
							    2 * (UINT64_C(0x200000d00) >> lane & 1));
		wb_launch_free(l);
		wb_program_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_smaller_side_of_a_fork_runs_first),
		cmocka_unit_test(a_wavefront_without_lanes_goes_on),
		cmocka_unit_test(narrowing_exec_is_a_split),
		cmocka_unit_test(exec_keeps_what_is_left_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
