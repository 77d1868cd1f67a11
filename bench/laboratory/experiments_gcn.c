/* The experiments of GCN: CLRX's measurements (CLRX documentation, GcnTimings), the hazards of AMD's manuals, and
 * consequences of both. A row of a table is an instruction with the cycles of its source; D is CLRX's DPFACTOR. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/laboratory/lab.h"

enum { LANES_A_WAVE = 64, FEW = 6 /* copies that no wait counter stops */ };

/* Chips by generation: 0 is tahiti (GCN 1.0), 1 bonaire (1.1), 2 tonga (1.2), 4 gfx900 (1.4). */
static char generation(const struct lab *lab)
{
	static const struct { const char *chip; char generation; } of[] = {
		{"tahiti", '0'}, {"bonaire", '1'}, {"tonga", '2'}, {"gfx900", '4'},
	};
	for (unsigned i = 0; i < sizeof of / sizeof *of; i++)
		if (!strcmp(of[i].chip, lab->chip))
			return of[i].generation;
	return '?';
}

static bool has(const struct lab *lab, const char *generations)
{
	return strchr(generations, generation(lab)) != NULL;
}

static unsigned dp_factor(const struct lab *lab)
{
	return has(lab, "0") ? 2 : 8;
}

/* Cycles of one copy of the body, run by `waves` wavefronts. */
static double cycles_of(struct lab *lab, const char *program, const char *setup, const char *body, unsigned waves,
			long n)
{
	double cycles[2];
	for (int i = 0; i < 2; i++) {
		struct trial t = {
			.program = program,
			.threads = LANES_A_WAVE * waves,
			.blank = {{"chip", 0, lab->chip}, {"before", 0, setup}, {"copy", 0, body}, {"n", n << i, NULL}},
			.option = {{"warm", "on"}, {"mps", "1"}},
		};
		cycles[i] = lab_run(lab, &t).cycles;
	}
	return (cycles[1] - cycles[0]) / (double)n;
}

static double copies_of(struct lab *lab, const char *body, unsigned waves)
{
	return cycles_of(lab, "gcn", "", body, waves, 32);
}

/* ---- instructions ---- */

/* An instruction, the generations that have it, and its cycles: number + d times D. */
struct cost {
	const char *text, *generations;
	unsigned cycles, d;
};
#define ALL "0124"

static void costs(struct lab *lab, const struct cost *c)
{
	for (unsigned i = 1; c->text; c++, i++)
		if (has(lab, c->generations)) {
			double expected = c->cycles + c->d * dp_factor(lab);
			lab_point(lab, i, copies_of(lab, c->text, 1), expected, 0);
		}
}

static void simple(struct lab *lab)
{
	static const struct cost rows[] = {
		{"v_mov_b32 v1, v2", ALL, 4, 0}, {"v_mul_f32 v1, v1, v1", ALL, 4, 0},
		{"v_add_f32 v1, v1, v2", ALL, 4, 0}, {"v_and_b32 v1, v1, v2", ALL, 4, 0},
		{"v_mac_f32 v1, v1, v2", ALL, 4, 0}, {"v_mad_f32 v1, v1, v2, v1", "24", 4, 0},
		{"v_mad_u32_u24 v1, v1, v2, v1", "24", 4, 0}, {"v_cvt_f32_u32 v1, v1", ALL, 4, 0},
		{"v_cmp_lt_f32 vcc, v1, v2", ALL, 4, 0}, {"s_mov_b32 s20, s21", ALL, 4, 0},
		{"s_add_u32 s20, s20, s21", ALL, 4, 0}, {"s_and_b64 s[20:21], s[20:21], s[22:23]", ALL, 4, 0},
		{"s_cmp_lt_u32 s20, s21", ALL, 4, 0}, {"s_movk_i32 s20, 0x7", ALL, 4, 0},
		{"v_bfe_u32 v1, v1, v2, v3", "24", 4, 0}, {"v_alignbit_b32 v1, v1, v2, v3", "24", 4, 0},
		{NULL, NULL, 0, 0},
	};
	costs(lab, rows);
}

static void quarter_rate(struct lab *lab)
{
	static const struct cost rows[] = {
		{"v_rcp_f32 v1, v1", ALL, 16, 0}, {"v_rsq_f32 v1, v1", ALL, 16, 0}, {"v_sqrt_f32 v1, v1", ALL, 16, 0},
		{"v_exp_f32 v1, v1", ALL, 16, 0}, {"v_log_f32 v1, v1", ALL, 16, 0}, {"v_sin_f32 v1, v1", ALL, 16, 0},
		{"v_cos_f32 v1, v1", ALL, 16, 0}, {"v_mul_lo_u32 v1, v1, v2", ALL, 16, 0},
		{"v_mul_hi_u32 v1, v1, v2", ALL, 16, 0}, {"v_mul_hi_i32 v1, v1, v2", ALL, 16, 0},
		{"v_div_scale_f32 v1, vcc, v1, v1, v2", ALL, 16, 0}, {"v_div_fixup_f32 v1, v1, v1, v2", ALL, 16, 0},
		{"v_mad_u64_u32 v[4:5], vcc, v1, v2, v[4:5]", "124", 16, 0}, {"v_rcp_f16 v1, v1", "24", 16, 0},
		{NULL, NULL, 0, 0},
	};
	costs(lab, rows);
}

static void doubles(struct lab *lab)
{
	static const struct cost rows[] = {
		{"v_add_f64 v[4:5], v[4:5], v[6:7]", ALL, 0, 4}, {"v_mul_f64 v[4:5], v[4:5], v[6:7]", ALL, 0, 8},
		{"v_fma_f64 v[4:5], v[4:5], v[6:7], v[4:5]", ALL, 0, 8},
		{"v_min_f64 v[4:5], v[4:5], v[6:7]", ALL, 0, 4},
		{"v_ldexp_f64 v[4:5], v[4:5], v1", ALL, 0, 4}, {"v_rcp_f64 v[4:5], v[4:5]", ALL, 0, 8},
		{"v_sqrt_f64 v[4:5], v[4:5]", ALL, 0, 8}, {"v_fract_f64 v[4:5], v[4:5]", ALL, 0, 4},
		{"v_cvt_f64_f32 v[4:5], v1", ALL, 0, 4}, {"v_cvt_f32_f64 v1, v[4:5]", ALL, 0, 4},
		{"v_cmp_lt_f64 vcc, v[4:5], v[6:7]", ALL, 0, 4}, {"v_cmp_lt_u64 vcc, v[4:5], v[6:7]", ALL, 0, 4},
		{"v_lshl_b64 v[4:5], v[4:5], v1", "01", 0, 4}, {"v_lshlrev_b64 v[4:5], v1, v[4:5]", "24", 0, 4},
		{"v_div_fixup_f64 v[4:5], v[4:5], v[6:7], v[4:5]", ALL, 0, 4},
		{NULL, NULL, 0, 0},
	};
	costs(lab, rows);
}

/* CLRX: 4 cycles where f64 has at least an eighth of the rate of f32, else 16. GFX9's is LLVM's FeatureFastFMAF32. */
static void fma_by_chip(struct lab *lab)
{
	static const struct cost rows[] = {
		{"v_fma_f32 v1, v1, v2, v1\nv_nop\nv_nop\nv_nop\nv_nop\nv_nop\nv_nop", "04", 28, 0},
		{"v_fma_f32 v1, v1, v2, v1\nv_nop\nv_nop\nv_nop\nv_nop\nv_nop\nv_nop", "12", 40, 0},
		{NULL, NULL, 0, 0},
	};
	costs(lab, rows);
}

static void slow_scalars(struct lab *lab)
{
	static const struct cost rows[] = {
		{"s_or_saveexec_b64 s[22:23], s[20:21]", ALL, 8, 0},
		{"s_and_saveexec_b64 s[22:23], s[20:21]", ALL, 8, 0},
		{"s_setreg_b32 hwreg(mode, 0, 1), s16", ALL, 8, 0},
		{NULL, NULL, 0, 0},
	};
	costs(lab, rows);
}

static void scalar_loads(struct lab *lab)
{
	static const struct { const char *text; unsigned low, high; } rows[] = {
		{"s_load_dword s{i*16+24}, s[12:13], 0x0", 4, 4},
		{"s_load_dwordx2 s[{i*16+24}:{i*16+25}], s[12:13], 0x0", 4, 4},
		{"s_load_dwordx4 s[{i*16+24}:{i*16+27}], s[12:13], 0x0", 4, 4},
		{"s_load_dwordx8 s[{i*16+24}:{i*16+31}], s[12:13], 0x0", 8, 8},
		{"s_load_dwordx16 s[{i*16+24}:{i*16+39}], s[12:13], 0x0", 16, 24},
	};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		lab_range(lab, 1u << i, cycles_of(lab, "gcn", "", rows[i].text, 1, 2), rows[i].low, rows[i].high);
}

/* ---- code ---- */

static double blocks_of(struct lab *lab, const char *body)
{
	return cycles_of(lab, "gcn-blocks", "", body, 1, 32);
}

static void repeat(char *text, size_t size, const char *line, unsigned times)
{
	size_t n = strlen(text);
	while (times-- && n + 1 < size)
		n += (size_t)snprintf(text + n, size - n, "%s\n", line);
}

/* A jump of no more than the branch itself. */
static void branches(struct lab *lab)
{
	lab_point(lab, 0, blocks_of(lab, "\ts_cbranch_scc1 last\n@repeat 7\nv_nop\n@end"), 32, 0);
	lab_point(lab, 1, blocks_of(lab, "\ts_branch to{i}\n@repeat 7\nv_nop\n@end\nto{i}:\n@repeat 8\nv_nop\n@end"),
		  20 + 32, 0);
}

/* An instruction of two words from word `w` of its block on, among instructions of one word. */
static void two_words(struct lab *lab)
{
	for (unsigned w = 0; w < 7; w++) {
		char body[200] = "";
		repeat(body, sizeof body, "v_nop", w);
		repeat(body, sizeof body, "v_bfe_u32 v1, v2, v3, v4", 1);
		repeat(body, sizeof body, "v_nop", 6 - w);
		lab_point(lab, w, blocks_of(lab, body), 28 + (w > 2 && has(lab, "01") ? 4 : 0), 0);
	}
}

/* Code of instructions of two words alone, at words 0, 2, 4 and 6 of a block: two of four are late, and none of
 * instructions of 16 cycles. */
static void all_two_words(struct lab *lab)
{
	lab_point(lab, 4, blocks_of(lab, "v_bfe_u32 v1, v2, v3, v4") * 4, has(lab, "01") ? 24 : 16, 0.5);
	lab_point(lab, 16, blocks_of(lab, "v_mul_lo_u32 v1, v2, v3") * 4, 64, 0.5);
}

static void jump_targets(struct lab *lab)
{
	for (unsigned w = 0; w < 8; w++) {
		char body[400] = "s_branch to{i}\n";
		repeat(body, sizeof body, "v_nop", 7 + w);
		repeat(body, sizeof body, "to{i}:", 1);
		repeat(body, sizeof body, "v_nop", 8 - w);
		lab_point(lab, w, blocks_of(lab, body),
			  20 + 4 * (8 - w) + (w > 4 && has(lab, "01") ? 4.0 * (w - 4) : 0), 0);
	}
}

static void untaken_branches(struct lab *lab)
{
	for (unsigned w = 0; w < 8; w++) {
		char body[200] = "";
		repeat(body, sizeof body, "v_nop", w);
		repeat(body, sizeof body, "s_cbranch_scc1 last", 1);
		repeat(body, sizeof body, "v_nop", 7 - w);
		lab_point(lab, w, blocks_of(lab, body), 32 + (w > 3 && has(lab, "01") ? 4.0 * (w - 3) : 0), 0);
	}
}

/* ---- between vector and scalar unit ---- */

static const char *carry(const struct lab *lab)
{
	return has(lab, "01") ? "v_add_i32 v4, vcc, v4, v5" :
	       has(lab, "2")  ? "v_add_u32 v4, vcc, v4, v5" : "v_add_co_u32 v4, vcc, v4, v5";
}

/* A carry, k vector instructions, and a scalar instruction: at least 16 cycles from first to last. */
static void carry_to_scalar(struct lab *lab)
{
	for (unsigned k = 0; k < 6; k++) {
		char body[300] = "";
		repeat(body, sizeof body, carry(lab), 1);
		repeat(body, sizeof body, "v_mov_b32 v6, v7", k);
		repeat(body, sizeof body, "s_mov_b32 s20, s21", 1);
		lab_point(lab, k, copies_of(lab, body, 1), fmax(16, 4 + 4 * k) + 4, 0);
	}
	lab_point(lab, 10, copies_of(lab, "v_readfirstlane_b32 s20, v1\ns_mov_b32 s21, s22", 1), 20, 0);
}

/* "Masked if there are more waves": w wavefronts on each SIMD share the delay of 16 cycles. */
static void carry_masked(struct lab *lab)
{
	for (unsigned w = 1; w <= 4; w++) {
		char body[100] = "";
		repeat(body, sizeof body, carry(lab), 1);
		repeat(body, sizeof body, "s_mov_b32 s20, s21", 1);
		lab_point(lab, w, copies_of(lab, body, 4 * w) / w, fmax(20.0 / w, 4), 1);
	}
}

/* A branch right behind the writer of the branch's flag is 4 cycles late. */
static void fresh_flags(struct lab *lab)
{
	static const struct { const char *body; double cycles; } rows[] = {
		{"v_cmp_gt_u32 vcc, 0, v1\ns_cbranch_vccnz last\n@repeat 6\nv_nop\n@end", 36},
		{"s_cmp_lg_u32 s2, s2\ns_cbranch_scc1 last\n@repeat 6\nv_nop\n@end", 36},
		{"s_addk_i32 s2, 1\ns_cbranch_scc1 last\n@repeat 6\nv_nop\n@end", 36},
		{"s_mov_b64 exec, exec\ns_cbranch_execz last\n@repeat 6\nv_nop\n@end", 36},
		{"s_cmp_lg_u32 s2, s2\nv_nop\ns_cbranch_scc1 last\n@repeat 5\nv_nop\n@end", 32},
	};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		lab_point(lab, i + 1, blocks_of(lab, rows[i].body), rows[i].cycles, 0);
}

/* ---- the compute unit ---- */

/* Vector and scalar instructions of different wavefronts issue side by side: the longer kind counts, not the sum. */
static void side_by_side(struct lab *lab)
{
	for (unsigned scalars = 0; scalars <= 4; scalars++) {
		char body[200] = "v_mov_b32 v1, v2\nv_mov_b32 v1, v2\n";
		repeat(body, sizeof body, "s_mov_b32 s20, s21", scalars);
		lab_point(lab, scalars, copies_of(lab, body, 16) / 4, fmax(8, 4 * scalars), 1);
	}
}

/* Wavefronts of one SIMD take turns; the first four have a SIMD each. */
static void simds(struct lab *lab)
{
	static const unsigned waves[] = {1, 2, 4, 8, 12, 16};
	for (unsigned i = 0; i < sizeof waves / sizeof *waves; i++)
		lab_point(lab, waves[i], copies_of(lab, "v_mov_b32 v1, v2", waves[i]), 4 * ceil(waves[i] / 4.0),
			  0.25);
}

/* Wavefronts on a SIMD by vector registers (CLRX, "Occupancy table"). */
static void occupancy(struct lab *lab)
{
	static const unsigned rows[][2] = {{24, 10}, {28, 9}, {32, 8}, {36, 7},  {40, 6},
					   {48, 5},  {64, 4}, {84, 3}, {128, 2}, {256, 1}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct wb_block_needs needs = {.threads = 64, .registers = rows[i][0], .warp_registers = 16};
		struct wb_occupancy o = {0};
		if (wb_occupancy(lab->chip, &needs, NULL, &o, NULL) != WB_OK)
			lab->failed = true;
		lab_point(lab, rows[i][0], o.limit_regs, 4 * rows[i][1], 0);
	}
}

/* ---- LDS and memory ---- */

/* CLRX's table of DS: cycles of a wavefront, and of the CU (4 divided by the throughput there). 0: see the document. */
static const struct ds { const char *text, *generations; unsigned cycles, unit; } ds[] = {
	{"ds_read_b32 v{i%12*4+12}, v8", ALL, 4, 2},
	{"ds_read_u8 v{i%12*4+12}, v8", ALL, 4, 2},
	{"ds_read_i16 v{i%12*4+12}, v8", ALL, 4, 2},
	{"ds_swizzle_b32 v{i%12*4+12}, v8 offset:0x8000", ALL, 4, 2},
	{"ds_read_b64 v[{i%12*4+12}:{i%12*4+13}], v9", ALL, 8, 4},
	{"ds_read2_b32 v[{i%12*4+12}:{i%12*4+13}], v8 offset0:0 offset1:64", ALL, 8, 4},
	{"ds_read2_b64 v[{i%12*4+12}:{i%12*4+15}], v9 offset0:0 offset1:64", ALL, 16, 8},
	{"ds_read_b128 v[{i%12*4+12}:{i%12*4+15}], v10", "124", 16, 8},
	{"ds_write_b8 v8, v1", ALL, 8, 4},
	{"ds_write_b32 v8, v1", ALL, 8, 4},
	{"ds_write_b64 v9, v[4:5]", ALL, 12, 0},
	{"ds_write2_b32 v8, v1, v2 offset0:0 offset1:64", ALL, 12, 6},
	{"ds_write2_b64 v9, v[4:5], v[6:7] offset0:0 offset1:64", ALL, 20, 10},
	{"ds_write_b128 v10, v[4:7]", "124", 20, 10},
	{"ds_add_u32 v8, v1", ALL, 8, 4},
	{"ds_add_rtn_u32 v{i%12*4+12}, v8, v1", ALL, 8, 4},
	{"ds_add_u64 v9, v[4:5]", ALL, 12, 6},
	{"ds_max_i32 v8, v1", ALL, 8, 4},
	{"ds_wrxchg_rtn_b32 v{i%12*4+12}, v8, v1", ALL, 8, 4},
	{"ds_cmpst_b32 v8, v1, v2", ALL, 12, 6},
	{"ds_cmpst_b64 v9, v[4:5], v[6:7]", ALL, 20, 10},
	{"ds_mskor_b32 v8, v1, v2", ALL, 12, 6},
};
enum { DS = sizeof ds / sizeof *ds };

/* Instructions of 4 cycles and two words are late at half of their places before GCN 1.2 (experiment n9). */
static double late_by_place(const struct lab *lab, unsigned cycles)
{
	return cycles + (cycles == 4 && has(lab, "01") ? 4 : 0);
}

static void ds_alone(struct lab *lab)
{
	for (unsigned i = 0; i < DS; i++)
		if (has(lab, ds[i].generations))
			lab_range(lab, i + 1, cycles_of(lab, "gcn", "", ds[i].text, 1, FEW), ds[i].cycles,
				  late_by_place(lab, ds[i].cycles));
}

/* Four wavefronts on each SIMD: together as fast as LDS can take their words. */
static void ds_together(struct lab *lab)
{
	for (unsigned i = 0; i < DS; i++)
		if (has(lab, ds[i].generations) && ds[i].unit)
			lab_point(lab, i + 1, cycles_of(lab, "gcn", "", ds[i].text, 16, FEW) / 16, ds[i].unit, 0.35);
}

/* 32 banks, half a wavefront at once: words `stride` apart meet in gcd(stride, 32) to a bank. */
static void bank_strides(struct lab *lab)
{
	static const unsigned strides[] = {1, 2, 3, 4, 5, 8, 16, 32, 33};
	static const unsigned degrees[] = {1, 2, 1, 4, 1, 8, 16, 32, 1};
	for (unsigned i = 0; i < sizeof strides / sizeof *strides; i++) {
		char setup[100];
		snprintf(setup, sizeof setup, "v_and_b32 v8, 0xfc, v8\nv_mul_u32_u24 v8, 0x%x, v8",
			 strides[i]);
		double took = cycles_of(lab, "gcn", setup, "ds_read_b32 v{i%12*4+12}, v8", 16, FEW) / 16;
		lab_point(lab, strides[i], took, 2 * degrees[i], 0.35);
	}
}

static void buffers(struct lab *lab)
{
	static const struct cost rows[] = {
		{"buffer_load_dword v{i%12*4+12}, v8, s[12:15], 0 offen", ALL, 8, 0},
		{"buffer_load_ubyte v{i%12*4+12}, v8, s[12:15], 0 offen", ALL, 8, 0},
		{"buffer_load_dwordx4 v[{i%12*4+12}:{i%12*4+15}], v10, s[12:15], 0 offen", ALL, 16, 0},
		{"buffer_store_dword v1, v8, s[12:15], 0 offen", ALL, 16, 0},
		{"buffer_store_dwordx4 v[4:7], v10, s[12:15], 0 offen", ALL, 16, 0},
		{NULL, NULL, 0, 0},
	};
	const struct cost *c = rows;
	for (unsigned i = 1; c->text; c++, i++)
		lab_point(lab, i, cycles_of(lab, "gcn", "", c->text, 1, FEW), c->cycles, 0);
}

/* ---- control flow under EXEC ---- */

/* Both sides of an if for a split wavefront, one side and a jump over the other for a uniform one: 5 instructions
 * of mask and between, of 8, 4, 4, 4 and 4 cycles, and sides of 10 and 20 instructions. */
static void if_else(struct lab *lab)
{
	static const char *const split[] = {"s_mov_b64 s[22:23], 0xff", "s_mov_b64 s[22:23], -1"};
	for (unsigned uniform = 0; uniform < 2; uniform++) {
		static const char body[] =
			"s_and_saveexec_b64 s[24:25], s[22:23]\nv_nop\ns_cbranch_execz else{i}\n"
			"@repeat 10\nv_nop\n@end\nelse{i}:\n"
			"s_andn2_b64 exec, s[24:25], exec\nv_nop\ns_cbranch_execz end{i}\n"
			"@repeat 20\nv_nop\n@end\nend{i}:\ns_mov_b64 exec, s[24:25]\n";
		double took = cycles_of(lab, "gcn", split[uniform], body, 1, 16);
		double mask = 8 + 4 + 4 + 4 + 4, sides = 40 + (uniform ? 0 : 80), branches = 4 + (uniform ? 20 : 4);
		double whole = mask + sides + branches;
		lab_range(lab, uniform, took, whole, whole + (has(lab, "01") ? 32 : 0));
	}
}

/* ---- hazards ---- */

/* Wait states that a program has to put between two instructions: the least number with which `lint` has no finding. */
static const struct hazard { const char *writer, *user, *generations; unsigned states; } hazards[] = {
	{"v_readfirstlane_b32 s14, v1", "buffer_load_dword v12, v8, s[12:15], 0 offen\n", ALL, 5},
	{"v_readfirstlane_b32 s12, v1", "s_load_dword s24, s[12:13], 0x0\ns_waitcnt lgkmcnt(0)\n", "0", 4},
	{"v_readfirstlane_b32 s20, v1", "v_readlane_b32 s21, v1, s20\n", ALL, 4},
	{"v_cmp_lt_f32 vcc, v1, v2", "v_div_fmas_f32 v1, v1, v2, v3\n", ALL, 4},
	{"v_cmp_lt_f32 vcc, v1, v2", "v_mov_b32 v1, vccz\n", ALL, 5},
	{"v_cmpx_lt_f32 vcc, v1, v2", "v_mov_b32 v1, execz\n", ALL, 5},
	{"v_cmpx_lt_f32 vcc, v1, v2", "v_mov_b32 v1, v2 quad_perm:[0,0,0,0]\n", "24", 5},
	{"v_mov_b32 v2, v3", "v_mov_b32 v1, v2 quad_perm:[0,0,0,0]\n", "24", 2},
	{"s_mov_b32 m0, s20", "s_sendmsg sendmsg(interrupt)\n", "24", 1},
};

static bool lint_finds(struct lab *lab, const struct hazard *h, unsigned states)
{
	char text[400], nop[30] = "";
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	struct wb_text found = {0};
	struct wb_diag d = {.text = ""};
	if (states)
		snprintf(nop, sizeof nop, "s_nop 0x%x\n", states - 1);
	snprintf(text, sizeof text, ".kernel k\n.chip %s\n.regs 16\n%s\n%s%ss_endpgm\n", lab->chip, h->writer, nop,
		 h->user);
	bool finds = true;
	if (!c || wb_program_load(text, strlen(text), h->writer, c, &p, &d) != WB_OK ||
	    wb_program_lint(p, 0, c, &found, &d) != WB_OK) {
		lab->failed = true;
		snprintf(lab->why, sizeof lab->why, "%.40s: %.340s", h->writer, d.text);
		finds = false;
	} else {
		finds = found.size > 0;
	}
	wb_text_free(&found);
	wb_program_free(p);
	wb_config_free(c);
	return finds;
}

static void wait_states(struct lab *lab)
{
	for (unsigned i = 0; i < sizeof hazards / sizeof *hazards; i++) {
		unsigned states = 0;
		if (!has(lab, hazards[i].generations))
			continue;
		while (states < 8 && lint_finds(lab, &hazards[i], states))
			states++;
		lab_point(lab, i + 1, states, hazards[i].states, 0);
	}
}

#define CLRX "CLRX GcnTimings"
#define WHITEPAPER "AMD, GCN architecture whitepaper"
#define MANUALS "AMD, GCN3 and Vega manuals, wait states; LLVM GCNHazardRecognizer"

const struct experiment experiments_gcn[] = {
	{"n1", "simple instructions", NULL, INPUT, "cycles", "0", "B", CLRX, simple},
	{"n2", "transcendental, 32-bit multiply", NULL, INPUT, "cycles", "0", "B", CLRX, quarter_rate},
	{"n3", "f64 by the chip's rate", NULL, INPUT, "cycles", "0", "B", CLRX, doubles},
	{"n4", "f32 fma and six nops", NULL, INPUT, "cycles", "0", "B", CLRX "; gfx900: LLVM", fma_by_chip},
	{"n5", "saveexec, setreg", NULL, INPUT, "cycles", "0", "B", CLRX, slow_scalars},
	{"n6", "scalar loads of 1 to 16 words", NULL, INPUT, "cycles", "16 to 24", "B", CLRX, scalar_loads},
	{"n7", "branch not taken, taken", NULL, INPUT, "cycles", "0", "B", CLRX, branches},
	{"n8", "two-word instruction by its place", NULL, INPUT, "cycles", "0", "B", CLRX, two_words},
	{"n9", "two-word instructions alone", NULL, EMERGENT, "cycles of four", "0.5", "D", CLRX, all_two_words},
	{"n10", "jump by its target's place", NULL, INPUT, "cycles", "0", "B", CLRX, jump_targets},
	{"n11", "branch not taken, by its place", NULL, INPUT, "cycles", "0", "B", CLRX, untaken_branches},
	{"n12", "carry to scalar unit", NULL, EMERGENT, "cycles", "0", "B", CLRX, carry_to_scalar},
	{"n13", "the same, 1 to 4 waves on a SIMD", NULL, EMERGENT, "cycles a wave", "1", "B", CLRX, carry_masked},
	{"n14", "branch behind its flag", NULL, EMERGENT, "cycles", "0", "B", CLRX, fresh_flags},
	{"n15", "vector beside scalar, 16 waves", NULL, EMERGENT, "cycles", "1", "B", WHITEPAPER, side_by_side},
	{"n16", "1 to 16 waves", NULL, EMERGENT, "cycles", "0.25", "B", WHITEPAPER, simds},
	{"n17", "waves by vector registers", NULL, EMERGENT, "waves of a CU", "0", "B", CLRX, occupancy},
	{"n18", "LDS, one wave", NULL, EMERGENT, "cycles", "0", "B", CLRX, ds_alone},
	{"n19", "LDS, 16 waves", NULL, EMERGENT, "cycles", "0.35", "B", CLRX, ds_together},
	{"n20", "LDS, words apart", NULL, EMERGENT, "cycles", "0.35", "A", "AMD, GCN3 manual: 32 banks", bank_strides},
	{"n21", "buffer loads and stores", NULL, INPUT, "cycles", "0", "B", CLRX, buffers},
	{"n22", "if and else under EXEC", NULL, EMERGENT, "cycles", "32 before GCN 1.2", "D", CLRX, if_else},
	{"n23", "wait states of hazards", NULL, EMERGENT, "wait states", "0", "A", MANUALS, wait_states},
	{NULL, NULL, NULL, EMERGENT, NULL, NULL, NULL, NULL, NULL},
};
