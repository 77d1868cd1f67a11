/* Native paths of GCN (core/isa/native.h) do what threaded code does: random programs of every operation with native
 * code on numbers of all kinds, under changing masks, in loops left lane by lane, with branches, accesses, barriers,
 * faults and changes of MODE, in launches with native code and without. Whole outcomes are compared: memory, vectors,
 * scalars and masks at the end, counters, the bill, pc by pc, faults and digests. */
#include "tests/kit/hot.h"
#include "tests/kit/launches.h"
#include "tests/kit/text.h"

#include <unistd.h>

enum { THREADS = 192, BLOCKS = 2, WORDS = 8, SIZE = THREADS * BLOCKS * WORDS * 4, SCALARS = 16 };

/* D is a vector register, A any source, B and C vector registers, X a source but no literal, Y a source neither literal
 * nor scalar, P a pair of vector registers, S a scalar register, T a scalar source, M a pair of scalar registers, N a
 * pair or all lanes. */
static const char *const vectors[] = {
	"v_mov_b32 D, A", "v_not_b32 D, A", "v_and_b32 D, A, B", "v_or_b32 D, A, B", "v_xor_b32 D, A, B",
	"v_mul_lo_u32 D, X, B", "v_mul_hi_u32 D, B, X", "v_mul_i32_i24 D, A, B", "v_mul_u32_u24 D, A, B",
	"v_min_i32 D, A, B", "v_max_i32 D, A, B", "v_min_u32 D, A, B", "v_max_u32 D, A, B", "v_lshlrev_b32 D, A, B",
	"v_lshrrev_b32 D, A, B", "v_ashrrev_i32 D, A, B", "v_bfe_u32 D, B, X, C", "v_alignbit_b32 D, B, C, X",
	"v_cndmask_b32 D, Y, B, vcc", "v_cndmask_b32 D, B, C, M", "v_cndmask_b32 D, B, C, exec",
	"v_cmp_eq_u32 vcc, A, B", "v_cmp_lt_u32 M, X, B", "v_cmp_ge_i32 vcc, A, B", "v_cmp_lg_i32 M, B, X",
	"v_cmp_gt_i32 vcc, A, B", "v_cmp_le_u32 vcc, A, B", "v_cvt_i32_f32 D, A", "v_cvt_u32_f32 D, A",
	"v_bfi_b32 D, B, C, X", "v_mad_i32_i24 D, B, X, C", "v_mad_u32_u24 D, X, B, C", "v_med3_i32 D, B, C, X",
	"v_min3_u32 D, X, B, C", "v_max3_i32 D, B, C, X", "v_bfe_i32 D, B, X, C", "v_bfm_b32 D, X, B",
	"v_alignbyte_b32 D, B, C, X", "v_bcnt_u32_b32 D, X, B", "v_mul_hi_i32 D, B, X", "v_cvt_f32_i32 D, A",
	"v_cvt_f32_u32 D, A", "v_cvt_f32_ubyte1 D, A", "v_mul_hi_u32_u24 D, A, B", "v_readfirstlane_b32 S, B",
	"v_readlane_b32 S, B, 5", "v_nop",
};
static const char *const vectors_of_14[] = {
	"v_add_u32 D, A, B", "v_sub_u32 D, A, B", "v_subrev_u32 D, A, B", "v_add_co_u32 D, vcc, A, B",
	"v_sub_co_u32 D, vcc, A, B", "v_subrev_co_u32 D, vcc, A, B", "v_addc_co_u32 D, vcc, B, C, vcc",
	"v_subb_co_u32 D, M, B, C, vcc", "v_subbrev_co_u32 D, vcc, B, C, M", "v_add3_u32 D, B, X, C",
	"v_lshl_add_u32 D, B, X, C", "v_and_or_b32 D, B, C, X", "v_or3_b32 D, X, B, C", "v_lshl_or_b32 D, B, X, C",
	"v_mad_u64_u32 P, M, B, X, P", "v_mad_u64_u32 P, vcc, B, C, 1", "v_lshlrev_b64 P, X, P",
	"v_add_i32 D, B, X", "v_add_lshl_u32 D, B, X, C", "v_xad_u32 D, X, B, C", "v_sub_i32 D, B, X clamp",
	"v_add_u32 D, X, B clamp", "v_and_b32_sdwa D, B, C dst_sel:BYTE_1",
};
static const char *const floats[] = {
	"v_add_f32 D, A, B", "v_sub_f32 D, A, B", "v_subrev_f32 D, A, B", "v_mul_f32 D, A, B", "v_mac_f32 D, A, B",
	"v_mad_f32 D, B, X, C", "v_fma_f32 D, B, C, X", "v_madmk_f32 D, B, 0x40490fdb, C",
	"v_madak_f32 D, B, C, 0x3f000001", "v_cmp_lt_f32 vcc, A, B", "v_cmp_nlt_f32 M, X, B", "v_cmp_u_f32 vcc, A, B",
	"v_cmp_eq_f32 M, B, X", "v_add_f32 D, -B, C", "v_mul_f32 D, |B|, C", "v_add_f32 D, B, C mul:2",
	"v_fma_f32 D, B, -C, X", "v_rcp_f32 D, A", "v_min_f32 D, A, B", "v_max_f32 D, A, B", "v_min3_f32 D, B, X, C",
	"v_max3_f32 D, X, B, C", "v_floor_f32 D, A", "v_ceil_f32 D, A", "v_trunc_f32 D, A", "v_rndne_f32 D, A",
	"v_fract_f32 D, A", "v_sqrt_f32 D, A", "v_max_f32 D, -B, |C|", "v_cmp_lt_f32 M, -B, |C|", "v_mac_f32 D, -B, C",
	"v_floor_f32 D, -B", "v_min_f32 D, B, C clamp",
};
static const char *const scalars[] = {
	"s_add_u32 S, T, S", "s_sub_u32 S, T, S", "s_addc_u32 S, T, S", "s_subb_u32 S, S, T", "s_add_i32 S, T, S",
	"s_min_u32 S, T, S", "s_max_i32 S, S, T", "s_mul_i32 S, T, S", "s_and_b32 S, T, S", "s_or_b32 S, S, T",
	"s_xor_b32 S, S, T", "s_andn2_b32 S, S, T", "s_lshl_b32 S, S, T", "s_ashr_i32 S, S, T", "s_bfe_u32 S, S, T",
	"s_mov_b32 S, T", "s_movk_i32 S, 0x7fe1", "s_cselect_b32 S, S, T", "s_cmov_b32 S, T", "s_not_b32 S, S",
	"s_bcnt1_i32_b32 S, S", "s_ff1_i32_b32 S, S", "s_bitset1_b32 S, T", "s_abs_i32 S, S", "s_brev_b32 S, S",
	"s_and_b64 M, N, M", "s_or_b64 M, M, N", "s_xor_b64 M, N, M", "s_andn2_b64 M, M, N", "s_nand_b64 M, N, M",
	"s_not_b64 M, N", "s_mov_b64 M, N", "s_cselect_b64 M, N, M", "s_lshl_b64 M, M, 3", "s_bfm_b64 M, S, 7",
	"s_mov_b64 M, exec", "s_and_b64 M, exec, M", "s_cmp_eq_u32 S, T", "s_cmp_gt_i32 S, T", "s_cmp_lt_u32 S, T",
	"s_cmpk_lg_u32 S, 0x17", "s_bitcmp1_b32 S, T", "s_bcnt1_i32_b64 S, M", "s_wqm_b64 M, M", "s_nop 0",
	"s_waitcnt lgkmcnt(0)",
};
/* Changes of EXEC, and what may come behind. */
static const char *const masks[] = {
	"s_and_saveexec_b64 M, N", "s_or_saveexec_b64 M, N", "s_xor_saveexec_b64 M, N", "s_andn2_saveexec_b64 M, N",
	"s_and_b64 exec, exec, N", "s_or_b64 exec, exec, N", "s_andn2_b64 exec, exec, M", "s_xor_b64 exec, exec, N",
	"s_mov_b64 exec, N", "s_mov_b64 exec, exec", "s_or_b64 exec, exec, exec", "s_mov_b64 exec, -1",
	"v_cmpx_lt_u32 vcc, A, B", "s_mov_b32 exec_lo, S",
};
static const char *const branches[] = {
	"s_cbranch_scc0", "s_cbranch_scc1", "s_cbranch_vccz", "s_cbranch_vccnz", "s_cbranch_execz", "s_cbranch_execnz",
	"s_branch",
};

struct drawn {
	struct text text;
	unsigned labels;
	bool of_14, sets_mode, faults;
};

/* s20 to s27 are words, s[28:29] to s[34:35] masks, v8 to v15 words. */
static void put_source(struct drawn *t, unsigned kinds)
{
	switch (below(&t->text, kinds)) {
	case 3: put(&t->text, "s%u", 20 + below(&t->text, 8)); break;
	case 0: put(&t->text, "%d", (int)below(&t->text, 80) - 16); break;
	case 4: put(&t->text, "%#x", (unsigned)rng_next(&t->text.random) | 0x100); break;
	default: put(&t->text, "v%u", 8 + below(&t->text, 8));
	}
}

static void put_pair(struct drawn *t, char file, unsigned first, unsigned pairs)
{
	unsigned reg = first + 2 * below(&t->text, pairs);

	put(&t->text, "%c[%u:%u]", file, reg, reg + 1);
}

static void put_operand(struct drawn *t, char c)
{
	switch (c) {
	case 'A': put_source(t, 5); break;
	case 'X': put_source(t, 4); break;
	case 'Y': put_source(t, 3); break;
	case 'P': put_pair(t, 'v', 8, 4); break;
	case 'M': put_pair(t, 's', 28, 4); break;
	case 'S': put(&t->text, "s%u", 20 + below(&t->text, 8)); break;
	case 'T':
		if (below(&t->text, 2))
			put(&t->text, "s%u", 20 + below(&t->text, 8));
		else
			put(&t->text, "%d", (int)below(&t->text, 80) - 16);
		break;
	case 'N':
		if (below(&t->text, 2))
			put_pair(t, 's', 28, 4);
		else
			put(&t->text, below(&t->text, 5) ? "vcc" : below(&t->text, 2) ? "-1" : "0");
		break;
	default: put(&t->text, "v%u", 8 + below(&t->text, 8));
	}
}

static void put_pattern(struct drawn *t, const char *p)
{
	const char *begin = p;

	for (; *p; p++) {
		bool alone = p > begin && strchr(" -|", p[-1]) && (!p[1] || strchr(", |", p[1]));
		if (alone && strchr("ABCDXYPSTMN", *p))
			put_operand(t, *p);
		else
			put(&t->text, "%c", *p);
	}
	put(&t->text, "\n");
}

#define ONE_OF(t, list) list[below(&t->text, sizeof list / sizeof *list)]

/* Words of the thread's own in memory, words of LDS, and one word for all lanes; or any address. */
static void put_access(struct drawn *t)
{
	static const char *const list[] = {
		"buffer_load_dword v%u, v1, s[12:15], 0 offen offset:%u\n",
		"buffer_store_dword v%u, v1, s[12:15], 0 offen offset:%u\n",
		"ds_read_b32 v%u, v2 offset:%u\n", "ds_write_b32 v2, v%u offset:%u\n",
		"s_buffer_load_dword s%u, s[12:15], 0x%x\n",
	};
	unsigned kind = below(&t->text, 5), offset = 4 * below(&t->text, WORDS);

	if (t->faults && below(&t->text, 2))
		put(&t->text, "global_load_dword v%u, v[8:9], off\n", 8 + below(&t->text, 8));
	put(&t->text, list[kind], kind == 4 ? 20 + below(&t->text, 8) : 8 + below(&t->text, 8),
	    kind == 4 ? below(&t->text, 16) : offset);
	put(&t->text, "s_waitcnt vmcnt(0) & lgkmcnt(0)\n");
}

static void put_mode(struct drawn *t)
{
	if (below(&t->text, 2))
		put(&t->text, "s_setreg_imm32_b32 hwreg(mode, 4, 2), %u\n", below(&t->text, 4));
	else
		put(&t->text, "s_setreg_imm32_b32 hwreg(mode, 0, 2), %u\n", below(&t->text, 4));
}

static void put_line(struct drawn *t, unsigned with_floats)
{
	unsigned kind = below(&t->text, 24);

	if (kind < 8)
		put_pattern(t, t->of_14 && below(&t->text, 2) ? ONE_OF(t, vectors_of_14) : ONE_OF(t, vectors));
	else if (kind < 14)
		put_pattern(t, below(&t->text, 3) < with_floats ? ONE_OF(t, floats) : ONE_OF(t, vectors));
	else if (kind < 19)
		put_pattern(t, ONE_OF(t, scalars));
	else if (kind < 21)
		put_pattern(t, ONE_OF(t, masks));
	else if (kind < 22 || (kind < 23 && t->faults))
		put_access(t);
	else if (kind < 23 && t->sets_mode)
		put_mode(t);
	else if (!below(&t->text, 3))
		put(&t->text, "s_mov_b64 exec, s[10:11]\n");
}

static void put_lines(struct drawn *t, unsigned n, unsigned with_floats)
{
	for (; n; n--)
		put_line(t, with_floats);
}

/* Lines that the warp may skip. */
static void put_branch(struct drawn *t, unsigned with_floats)
{
	unsigned l = t->labels++;

	put_line(t, with_floats);
	put(&t->text, "%s L%u\n", ONE_OF(t, branches), l);
	put_lines(t, 1 + below(&t->text, 6), with_floats);
	put(&t->text, "L%u:\n", l);
}

/* A loop of a number of turns, or a loop left lane by lane. */
static void put_loop(struct drawn *t, unsigned with_floats)
{
	unsigned l = t->labels++, lines = 2 + below(&t->text, 12);
	bool lanes = below(&t->text, 2);

	if (lanes)
		put(&t->text, "v_and_b32 v3, %u, v%u\ns_mov_b64 s[8:9], 0\ns_mov_b64 s[16:17], exec\nB%u:\n",
		    7 + below(&t->text, 30), 8 + below(&t->text, 8), l);
	else
		put(&t->text, "s_mov_b32 s19, %u\nB%u:\n", 1 + below(&t->text, 20), l);
	for (unsigned i = 0; i < lines; i++)
		if (!below(&t->text, 8))
			put_branch(t, with_floats);
		else
			put_line(t, with_floats);
	if (lanes)
		put(&t->text, "s_mov_b64 exec, s[16:17]\nv_cmp_eq_u32 vcc, 0, v3\nv_lshrrev_b32 v3, 1, v3\n"
		    "s_or_b64 s[8:9], vcc, s[8:9]\n"
		    "s_andn2_b64 exec, exec, s[8:9]\ns_mov_b64 s[16:17], exec\ns_cbranch_execnz B%u\n"
		    "s_mov_b64 exec, s[10:11]\n", l);
	else
		put(&t->text, "s_sub_u32 s19, s19, 1\ns_cmp_lg_u32 s19, 0\ns_cbranch_scc1 B%u\n", l);
}

static void put_program(struct drawn *t, uint64_t seed)
{
	static const char *const chips[] = { "gfx900", "gfx900", "tonga", "tahiti" };
	unsigned chip = seed % 4, with_floats;

	*t = (struct drawn){ .text.random = seed };
	t->of_14 = chip < 2;
	with_floats = below(&t->text, 4);
	t->sets_mode = !below(&t->text, 4);
	t->faults = t->of_14 && !below(&t->text, 4);
	put(&t->text, ".kernel k\n.chip %s\n.smem 4096\n.grid %u\n.block %u\ns_load_dwordx2 s[12:13], s[0:1], 0x0\n"
	    "s_mov_b64 s[10:11], exec\ns_mov_b32 m0, -1\ns_movk_i32 s14, 0x7fff\ns_mov_b32 s15, 0x24fac\n"
	    "s_mul_i32 s2, s2, %u\ns_waitcnt lgkmcnt(0)\nv_lshlrev_b32 v2, 2, v0\nv_lshlrev_b32 v1, 5, v0\n"
	    "s_add_u32 s12, s12, s2\ns_addc_u32 s13, s13, 0\n", chips[chip], BLOCKS, THREADS, THREADS * WORDS * 4);
	for (unsigned i = 0; i < 8; i++)
		put(&t->text, "buffer_load_dword v%u, v1, s[12:15], 0 offen offset:%u\ns_mov_b32 s%u, %#x\n",
		    8 + i, 4 * i, 20 + i, (unsigned)rng_next(&t->text.random));
	put(&t->text, "v_mov_b32 v3, 0\n");
	for (unsigned i = 28; i < 36; i++)
		put(&t->text, "s_mov_b32 s%u, %#x\n", i, (unsigned)rng_next(&t->text.random));
	put(&t->text, "s_waitcnt vmcnt(0)\n");
	for (unsigned i = 0; i < 8; i++) {
		if (!below(&t->text, 4))
			put(&t->text, "s_barrier\n");
		if (below(&t->text, 2))
			put_loop(t, with_floats);
		else if (below(&t->text, 2))
			put_branch(t, with_floats);
		else
			put_lines(t, 1 + below(&t->text, 20), with_floats);
	}
	put(&t->text, "s_mov_b64 exec, s[10:11]\nv_cndmask_b32 v8, v8, v9, vcc\ns_cselect_b32 s19, 5, 11\n"
	    "v_xor_b32 v15, s19, v15\n");
	for (unsigned i = 0; i < SCALARS; i++)
		put(&t->text, "v_lshlrev_b32 v3, 1, v3\nv_xor_b32 v3, s%u, v3\n", 20 + i);
	put(&t->text, "v_xor_b32 v14, v3, v14\n");
	for (unsigned i = 0; i < 8; i++)
		put(&t->text, "buffer_store_dword v%u, v1, s[12:15], 0 offen offset:%u\n", 8 + i, 4 * i);
	put(&t->text, "s_endpgm\n");
}

/* Numbers of any bits, usual floats, and borders of floats. */
static void draw(uint32_t *numbers, uint64_t seed)
{
	static const uint32_t edges[] = {
		0, 0x80000000, 0x7f800000, 0xff800000, 0x7fffffff, 1, 0x807fffff, 0x00800000, 0x7f812345, 0xffc00001,
		0xff800001, 0x7fc54321, 0x3f800000, 0x00000123, 0xff7fffff, 0x7f7fffff,
	};

	for (unsigned i = 0; i < SIZE / 4; i++) {
		uint32_t r = (uint32_t)rng_next(&seed), kind = i / WORDS / 64 % 4;
		numbers[i] = kind == 0 ? r : kind == 3 && r % 4 == 0 ? edges[r >> 8 & 15] :
			     (r & 0x807fffff) | (118 + (r >> 24) % 20) << 23;
	}
}

static char *run(const struct wb_program *p, const uint32_t *numbers, const struct setting *s)
{
	struct wb_launch *l = launch(p, s);
	struct wb_diag d = { 0 };
	enum wb_status status;
	char zero[32], *text;

	snprintf(zero, sizeof zero, "zero=%d", SIZE);
	assert_int_equal(wb_launch_arg(l, zero, &d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 0, 0, numbers, SIZE, &d), WB_OK);
	status = wb_launch_run(l, &d);
	text = outcome(l, status, &d);
	wb_launch_free(l);
	return text;
}

static bool no_compiler;

/* Compare the outcome with native code and without. */
static void compare(const struct wb_program *p, uint64_t seed, const char *level, const struct setting *way)
{
	static uint32_t numbers[SIZE / 4];
	struct setting s[] = { { "timing", "off" }, { "simd", level }, { "max-insns", "2000000" }, *way,
			       { "native", "off" }, { NULL, NULL } };
	char *without, *with;

	draw(numbers, seed);
	without = run(p, numbers, s);
	s[4].value = "now";
	with = run(p, numbers, s);
	if (strstr(with, "--native now has no effect"))
		no_compiler = true;
	else if (strcmp(with, without))
		fail_msg("seed %" PRIu64 " at %s with %s=%s differs", seed, level, way->option, way->value);
	free(with);
	free(without);
}

static bool has_level(const char *level)
{
	const char *name;

	for (unsigned i = 0; (name = wb_simd_level(i)); i++)
		if (!strcmp(name, level))
			return true;
	return false;
}

static const struct setting ways[] = {
	{ "slice", "256" }, { "slice", "3" }, { "slice", "70" }, { "check", "none" }, { "stats-level", "none" },
	{ "threads", "2" }, { "max-insns", "1000" }, { "accesses", "on" }, { "check", "race,uninit,bounds" },
};
enum { WAYS = sizeof ways / sizeof *ways };

static void compare_seed(uint64_t seed, unsigned some)
{
	static const char *const levels[] = { "avx2", "avx512" };
	static struct drawn t;
	struct wb_program *p;

	put_program(&t, seed);
	p = load(t.text.bytes);
	for (unsigned k = 0; k < 2; k++)
		for (unsigned i = 0; has_level(levels[k]) && i < WAYS; i++)
			if ((seed + i + k) % WAYS < some)
				compare(p, seed, levels[k], &ways[i]);
	wb_program_free(p);
}

static void programs_as_threaded_code(void **state)
{
	for (uint64_t seed = 1; seed <= sample_of(24); seed++)
		compare_seed(seed, 3);
}

/* With `auto`, native code comes into a launch that runs, or is there for the next. */
static void same_while_compiled(void **state)
{
	same_while_hot(load(".kernel k\n.chip gfx900\n.grid 64\n.block 256\n"
			    "s_load_dwordx2 s[6:7], s[0:1], 0x0\nv_mov_b32 v1, 3\n"
			    "s_mov_b32 s20, 0x4000\nB:\nv_mul_lo_u32 v1, v1, v0\n"
			    "v_add_u32 v1, s20, v1\nv_cmp_lt_i32 vcc, 0, v1\ns_and_saveexec_b64 s[8:9], vcc\n"
			    "v_xor_b32 v1, 0x55, v1\nv_lshlrev_b32 v2, 3, v1\nv_add_u32 v1, v1, v2\n"
			    "s_or_b64 exec, exec, s[8:9]\ns_sub_u32 s20, s20, 1\ns_cmp_lg_u32 s20, 0\n"
			    "s_cbranch_scc1 B\nv_lshlrev_b32 v2, 2, v0\ns_lshl_b32 s2, s2, 10\n"
			    "v_add_u32 v2, s2, v2\nglobal_store_dword v2, v1, s[6:7]\ns_endpgm\n"),
		       "zero=65536");
}

/* A folder for the cache, which ends with the test. */
static int own_cache(void **state)
{
	static char path[] = "/tmp/warpbeam-native-XXXXXX";

	*state = mkdtemp(path);
	return *state ? setenv("XDG_CACHE_HOME", path, 1) : -1;
}

static int remove_cache(void **state)
{
	char command[96];

	snprintf(command, sizeof command, "rm -r '%s'", (const char *)*state);
	return system(command);
}

/* By hand: test_native_gcn SEED compares one program in all ways, and SEED - prints the program. */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_as_threaded_code), cmocka_unit_test(same_while_compiled),
	};
	static struct drawn t;
	int failed;

	if (argc > 2) {
		put_program(&t, strtoull(argv[1], NULL, 0));
		return puts(t.text.bytes) < 0;
	}
	if (argc > 1) {
		compare_seed(strtoull(argv[1], NULL, 0), WAYS);
		return 0;
	}
	failed = cmocka_run_group_tests(tests, own_cache, remove_cache);
	return !failed && no_compiler ? 77 : failed;
}
