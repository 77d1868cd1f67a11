/* Vector instructions of GCN through the public interface, on all SIMD levels, with results worked out by hand:
 * rounding and denormals by MODE, NaNs, modifiers, halves, SDWA, DPP, carries, masks. Words are llvm-mc's. */
#include "tests/kit/cmocka_all.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "warpbeam.h"

enum { REGISTERS = 8, LANES = 64, WORDS = 16, CODE_VCC = 106, CODE_EXEC = 126, KEPT = -1, ZERO = -2 };
/* MODE: to nearest, denormals kept, IEEE and DX10_CLAMP set. */
enum { USUAL = 0x3f0 };

/* One instruction, and the state around it. */
struct machine {
	const char *chip, *simd;
	uint32_t mode, word[2];
	uint64_t exec, vcc;
	uint32_t s[2];                  /* s4, s5 */
	uint32_t v[REGISTERS][LANES];
};

static uint64_t joined(uint32_t low, uint32_t high)
{
	return (uint64_t)high << 32 | low;
}

static size_t write_code(const struct machine *m, uint32_t code[WORDS])
{
	bool old = !strcmp(m->chip, "tahiti") || !strcmp(m->chip, "bonaire");
	size_t n = 0;

	code[n++] = old ? 0xba804801 : 0xba004801;              /* s_setreg_imm32_b32 of MODE's bits 9 … 0 */
	code[n++] = m->mode;
	for (unsigned i = 0; i < 2; i++) {
		code[n++] = (old ? 0xbe8003ff : 0xbe8000ff) | (CODE_EXEC + i) << 16;    /* s_mov_b32 */
		code[n++] = (uint32_t)(m->exec >> 32 * i);
	}
	code[n++] = m->word[0];
	if (m->word[1])
		code[n++] = m->word[1];
	code[n++] = 0xbf810000;                                 /* s_endpgm */
	return n * sizeof *code;
}

static uint32_t scalar(struct wb_launch *l, const char *name)
{
	uint32_t v[WB_LANES];
	struct wb_diag d;

	assert_int_equal(wb_launch_read_register(l, 0, 0, name, v, &d), WB_OK);
	return *v;
}

static void set(struct wb_launch *l, const char *file, unsigned reg, unsigned lane, uint32_t v)
{
	struct wb_diag d;

	assert_int_equal(wb_launch_set_reg(l, 0, 0, file, reg, lane, v, &d), WB_OK);
}

static void execute(struct machine *m)
{
	const char *settings[][2] = {
		{ "chip", m->chip }, { "simd", m->simd }, { "format", "raw" }, { "timing", "off" }, { "regs", "8" },
			{ "block", "64" },
	};
	struct wb_config *config = wb_config_new();
	struct wb_program *p = NULL;
	struct wb_launch *l = NULL;
	uint32_t code[WORDS];
	struct wb_diag d;
	char name[8];

	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		assert_int_equal(wb_config_set(config, settings[i][0], settings[i][1], &d), WB_OK);
	assert_int_equal(wb_program_load(code, write_code(m, code), "test", config, &p, &d), WB_OK);
	assert_int_equal(wb_launch_new(p, NULL, config, &l, &d), WB_OK);
	for (unsigned i = 0; i < 2; i++) {
		set(l, "s", CODE_VCC + i, 0, (uint32_t)(m->vcc >> 32 * i));
		set(l, "s", 4 + i, 0, m->s[i]);
	}
	for (unsigned i = 0; i < REGISTERS; i++)
		for (unsigned lane = 0; lane < LANES; lane++)
			set(l, "v", i, lane, m->v[i][lane]);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%08x: %s", m->word[0], d.text);
	m->vcc = joined(scalar(l, "vcc_lo"), scalar(l, "vcc_hi"));
	m->exec = joined(scalar(l, "exec_lo"), scalar(l, "exec_hi"));
	m->s[0] = scalar(l, "s4");
	for (unsigned i = 0; i < REGISTERS; i++) {
		snprintf(name, sizeof name, "v%u", i);
		assert_int_equal(wb_launch_read_register(l, 0, 0, name, m->v[i], &d), WB_OK);
	}
	wb_launch_free(l);
	wb_program_free(p);
	wb_config_free(config);
}

static void fill(struct machine *m, unsigned reg, uint32_t v)
{
	for (unsigned lane = 0; lane < LANES; lane++)
		m->v[reg][lane] = v;
}

static void fill_wide(struct machine *m, unsigned reg, uint64_t v)
{
	fill(m, reg, (uint32_t)v);
	fill(m, reg + 1, (uint32_t)(v >> 32));
}

#define EACH_LEVEL(simd) \
	for (unsigned level_ = 0; wb_simd_level(level_); level_++) \
		for (const char *simd = wb_simd_level(level_); simd; simd = NULL)

/* ---- words: v0 from v1, v2, v3 and what was in v0, the same in all lanes ---- */

static const struct {
	const char *chip;
	uint32_t mode;
	const char *text;
	uint32_t word[2], source[3], before, after;
} words[] = {
	{ "gfx900", 0x3f0, "v_add_f32 v0, v1, v2",
	  { 0x02000501 }, { 0x1, 0x1, 0x0 }, 0x0, 0x2 }, /* denormals are added */
	{ "tahiti", 0x3c0, "v_add_f32 v0, v1, v2",
	  { 0x06000501 }, { 0x1, 0x80000001, 0x0 }, 0x7, 0x0 }, /* denormal sources are zeros of their sign */
	{ "tahiti", 0x3c0, "v_mul_f32 v0, v1, v2",
	  { 0x10000501 }, { 0x800000, 0xbf000000, 0x0 }, 0x7, 0x80000000 }, /* and so are results */
	{ "tahiti", 0x3e0, "v_mul_f32 v0, v1, v2",
	  { 0x10000501 }, { 0x800000, 0x3f000000, 0x0 }, 0x7, 0x400000 }, /* denormal results are kept by bit 5 */
	{ "tahiti", 0x3d0, "v_mul_f32 v0, v1, v2",
	  { 0x10000501 }, { 0x400000, 0x40000000, 0x0 }, 0x7, 0x800000 }, /* denormal operands are kept by bit 4 */
	{ "gfx900", 0x3f1, "v_add_f32 v0, v1, v2",
	  { 0x02000501 }, { 0x3f800000, 0x33000000, 0x0 }, 0x0, 0x3f800001 }, /* 1 + 2^-25 up */
	{ "gfx900", 0x3f2, "v_add_f32 v0, v1, v2",
	  { 0x02000501 }, { 0x3f800000, 0x33000000, 0x0 }, 0x0, 0x3f800000 }, /* down */
	{ "gfx900", 0x3f2, "v_sub_f32 v0, v1, v2",
	  { 0x04000501 }, { 0x3f800000, 0x3f800000, 0x0 }, 0x0, 0x80000000 }, /* x - x down is -0 */
	{ "gfx900", 0x3f3, "v_add_f32 v0, v1, v2",
	  { 0x02000501 }, { 0x7f7fffff, 0x7f7fffff, 0x0 }, 0x0, 0x7f7fffff }, /* overflow towards zero */
	{ "gfx900", 0x3f1, "v_fma_f32 v0, v1, v2, v3",
	/* an exact remainder, 2^-46 */
	  { 0xd1cb0000, 0x040e0501 }, { 0x3f800001, 0x3f800001, 0xbf800002 }, 0x0, 0x28800000 },
	{ "gfx900", 0x3f0, "v_mad_f32 v0, v1, v2, v3",
	  { 0xd1c10000, 0x040e0501 }, { 0x3f800001, 0x3f800001, 0xbf800002 }, 0x0, 0x0 }, /* mad rounds the product */
	{ "gfx900", 0x3f1, "v_fma_f32 v0, v1, v2, v3",
	  { 0xd1cb0000, 0x040e0501 }, { 0x3f800000, 0x3f800000, 0x1 }, 0x0, 0x3f800001 }, /* a little more than 1, up */
	{ "gfx900", 0x3f0, "v_fma_f32 v0, v1, v2, v3",
	/* 1 + (1 + 2^-23) 2^-24: above the tie */
	  { 0xd1cb0000, 0x040e0501 }, { 0x3f800001, 0x33800000, 0x3f800000 }, 0x0, 0x3f800001 },
	{ "gfx900", 0x3f0, "v_fma_f32 v0, v1, v2, v3",
	  { 0xd1cb0000, 0x040e0501 }, { 0x3f7fffff, 0x33800000, 0x3f800000 }, 0x0, 0x3f800000 }, /* below the tie */
	{ "gfx900", 0x3f0, "v_fma_f32 v0, v1, v2, v3",
	  { 0xd1cb0000, 0x040e0501 }, { 0x7f800000, 0x0, 0x7fc00123 }, 0x0, 0x7fc00123 }, /* inf * 0 +
		NaN: the source NaN */
	{ "gfx900", 0x3f0, "v_fma_f32 v0, v1, v2, v3",
	  { 0xd1cb0000, 0x040e0501 }, { 0x7f800000, 0x0, 0x3f800000 }, 0x0, 0xffc00000 }, /* inf * 0: NaN */
	{ "gfx900", 0x3f0, "v_add_f32 v0, v1, v2",
	  { 0x02000501 }, { 0x7f800001, 0x7fc00002, 0x0 }, 0x0, 0x7fc00001 }, /* of two NaNs the first, quiet */
	{ "gfx900", 0x3f0, "v_max_f32 v0, v1, v2",
	  { 0x16000501 }, { 0x7f800001, 0x3f800000, 0x0 }, 0x0, 0x7fc00001 }, /* IEEE: a signalling NaN comes out */
	{ "gfx900", 0x1f0, "v_max_f32 v0, v1, v2",
	  { 0x16000501 }, { 0x7f800001, 0x3f800000, 0x0 }, 0x0, 0x3f800000 }, /* else the number */
	{ "gfx900", 0x3f0, "v_min_f32 v0, v1, v2",
	  { 0x14000501 }, { 0x7fc00001, 0x3f800000, 0x0 }, 0x0, 0x3f800000 }, /* a quiet NaN: the number */
	{ "gfx900", 0x3f0, "v_min_f32 v0, v1, v2",
	  { 0x14000501 }, { 0x0, 0x80000000, 0x0 }, 0x0, 0x80000000 }, /* -0 is less */
	{ "gfx900", 0x3f0, "v_max_f32 v0, v1, v2",
	  { 0x16000501 }, { 0x80000000, 0x0, 0x0 }, 0x7, 0x0 }, /* +0 is more */
	{ "tonga", 0x3c0, "v_max_f32 v0, v1, v2",
	  { 0x16000501 }, { 0x1, 0x0, 0x0 }, 0x7, 0x1 }, /* before 1.4 max leaves denormals */
	{ "gfx900", 0x3c0, "v_max_f32 v0, v1, v2",
	  { 0x16000501 }, { 0x1, 0x0, 0x0 }, 0x7, 0x0 }, /* 1.4 flushes them */
	{ "gfx900", 0x3f0, "v_med3_f32 v0, v1, v2, v3",
	  { 0xd1d60000, 0x040e0501 }, { 0x40400000, 0x3f800000, 0x40000000 }, 0x0, 0x40000000 },
	{ "gfx900", 0x3f0, "v_add_f32_e64 v0, |v1|, -v2",
	  { 0xd1010100, 0x40020501 }, { 0xbf800000, 0xc0000000, 0x0 }, 0x0, 0x40400000 }, /* abs, neg */
	{ "gfx900", 0x3f0, "v_add_f32_e64 v0, v1, v2 clamp",
	  { 0xd1018000, 0x00020501 }, { 0x40400000, 0xbf800000, 0x0 }, 0x0, 0x3f800000 }, /* clamp */
	{ "gfx900", 0x3f0, "v_add_f32_e64 v0, v1, v2 clamp",
	  { 0xd1018000, 0x00020501 }, { 0x7fc00000, 0xbf800000, 0x0 }, 0x7, 0x0 }, /* DX10_CLAMP: a NaN is 0 */
	{ "gfx900", 0x2f0, "v_add_f32_e64 v0, v1, v2 clamp",
	  { 0xd1018000, 0x00020501 }, { 0x7fc00000, 0xbf800000, 0x0 }, 0x7, 0x7fc00000 }, /* without: a NaN */
	{ "gfx900", 0x3f0, "v_add_f32_e64 v0, v1, v2 mul:2",
	/* omod is ignored with IEEE */
	  { 0xd1010000, 0x08020501 }, { 0x3f800000, 0x40000000, 0x0 }, 0x0, 0x40400000 },
	{ "gfx900", 0x1c0, "v_add_f32_e64 v0, v1, v2 mul:2",
	  { 0xd1010000, 0x08020501 }, { 0x3f800000, 0x40000000, 0x0 }, 0x0, 0x40c00000 }, /* omod */
	{ "gfx900", 0x1c0, "v_add_f32_e64 v0, v1, v2 div:2",
	  { 0xd1010000, 0x18020501 }, { 0x800000, 0x0, 0x0 }, 0x7, 0x0 }, /* its results are no denormals */
	{ "gfx900", 0x3f0, "v_mul_legacy_f32 v0, v1, v2",
	  { 0x08000501 }, { 0x7f800000, 0x80000000, 0x0 }, 0x7, 0x0 }, /* 0 times anything is 0 */
	{ "gfx900", 0x3f0, "v_fract_f32 v0, v1",
	  { 0x7e003701 }, { 0xb0000000, 0x0, 0x0 }, 0x0, 0x3f7fffff }, /* below 1 */
	{ "gfx900", 0x3f0, "v_rcp_f32 v0, v1",
	  { 0x7e004501 }, { 0x40400000, 0x0, 0x0 }, 0x0, 0x3eaaaaab },
	{ "gfx900", 0x3f0, "v_rsq_f32 v0, v1",
	  { 0x7e004901 }, { 0x40800000, 0x0, 0x0 }, 0x0, 0x3f000000 },
	{ "gfx900", 0x3f0, "v_sqrt_f32 v0, v1",
	  { 0x7e004f01 }, { 0xbf800000, 0x0, 0x0 }, 0x0, 0xffc00000 },
	{ "gfx900", 0x3f0, "v_exp_f32 v0, v1",
	  { 0x7e004101 }, { 0xc0400000, 0x0, 0x0 }, 0x0, 0x3e000000 },
	{ "gfx900", 0x3f0, "v_log_f32 v0, v1",
	  { 0x7e004301 }, { 0x41000000, 0x0, 0x0 }, 0x0, 0x40400000 },
	{ "gfx900", 0x3f0, "v_log_f32 v0, v1",
	  { 0x7e004301 }, { 0x80000000, 0x0, 0x0 }, 0x0, 0xff800000 },
	{ "gfx900", 0x3f0, "v_sin_f32 v0, v1",
	  { 0x7e005301 }, { 0x3e800000, 0x0, 0x0 }, 0x0, 0x3f800000 }, /* a quarter turn */
	{ "gfx900", 0x3f0, "v_sin_f32 v0, v1",
	  { 0x7e005301 }, { 0xbf000000, 0x7, 0x0 }, 0x7, 0x0 },
	{ "gfx900", 0x3f0, "v_cos_f32 v0, v1",
	  { 0x7e005501 }, { 0x3e800000, 0x0, 0x0 }, 0x7, 0x0 },
	{ "gfx900", 0x3f0, "v_cos_f32 v0, v1",
	  { 0x7e005501 }, { 0x43808000, 0x0, 0x0 }, 0x0, 0x3f800000 }, /* beyond 256 turns */
	{ "tahiti", 0x3f0, "v_rcp_legacy_f32 v0, v1",
	  { 0x7e005301 }, { 0x80000000, 0x0, 0x0 }, 0x7, 0x80000000 },
	{ "tahiti", 0x3f0, "v_rcp_clamp_f32 v0, v1",
	  { 0x7e005101 }, { 0x80000000, 0x0, 0x0 }, 0x7, 0xff7fffff },
	{ "gfx900", 0x3f0, "v_ldexp_f32 v0, v1, v2",
	  { 0xd2880000, 0x00020501 }, { 0x3fc00000, 0xffffff81, 0x0 }, 0x0, 0x600000 },
	{ "gfx900", 0x3f0, "v_frexp_exp_i32_f32 v0, v1",
	  { 0x7e006701 }, { 0x1, 0x0, 0x0 }, 0x0, 0xffffff6c },
	{ "gfx900", 0x3f0, "v_frexp_mant_f32 v0, v1",
	  { 0x7e006901 }, { 0x1, 0x0, 0x0 }, 0x0, 0x3f000000 },
	{ "gfx900", 0x3f0, "v_cvt_u32_f32 v0, v1",
	  { 0x7e000f01 }, { 0xbf800000, 0x0, 0x0 }, 0x7, 0x0 },
	{ "gfx900", 0x3f0, "v_cvt_u32_f32 v0, v1",
	  { 0x7e000f01 }, { 0x4f7fffff, 0x0, 0x0 }, 0x7, 0xffffff00 },
	{ "gfx900", 0x3f0, "v_cvt_i32_f32 v0, v1",
	  { 0x7e001101 }, { 0xff800000, 0x0, 0x0 }, 0x7, 0x80000000 },
	{ "gfx900", 0x3f0, "v_cvt_i32_f32 v0, v1",
	  { 0x7e001101 }, { 0x7fc00000, 0x0, 0x0 }, 0x7, 0x0 },
	{ "gfx900", 0x3f0, "v_cvt_rpi_i32_f32 v0, v1",
	  { 0x7e001901 }, { 0xc0200000, 0x0, 0x0 }, 0x7, 0xfffffffe },
	{ "gfx900", 0x3f0, "v_cvt_flr_i32_f32 v0, v1",
	  { 0x7e001b01 }, { 0xc0200000, 0x0, 0x0 }, 0x7, 0xfffffffd },
	{ "gfx900", 0x3f1, "v_cvt_f32_u32 v0, v1",
	  { 0x7e000d01 }, { 0x1000001, 0x0, 0x0 }, 0x7, 0x4b800001 }, /* 2^24 + 1 up */
	{ "gfx900", 0x3f0, "v_cvt_f32_u32 v0, v1",
	  { 0x7e000d01 }, { 0xffffffff, 0x0, 0x0 }, 0x7, 0x4f800000 },
	{ "gfx900", 0x3f0, "v_cvt_off_f32_i4 v0, v1",
	  { 0x7e001d01 }, { 0x9, 0x0, 0x0 }, 0x7, 0xbee00000 },
	{ "gfx900", 0x3f0, "v_cvt_pk_u8_f32 v0, v1, v2, v3",
	  { 0xd1dd0000, 0x040e0501 }, { 0x43488000, 0x1, 0x11223344 }, 0x7, 0x1122c844 }, /* a tie to even */
	{ "gfx900", 0x3f0, "v_cvt_pkrtz_f16_f32 v0, v1, v2",
	  { 0xd2960000, 0x00020501 }, { 0x3f801fff, 0xc788b800, 0x0 }, 0x0, 0xfbff3c00 },
	{ "gfx900", 0x3f0, "v_cvt_pknorm_i16_f32 v0, v1, v2",
	  { 0xd2940000, 0x00020501 }, { 0xbf800000, 0x40000000, 0x0 }, 0x0, 0x7fff8001 },
	{ "gfx900", 0x3f0, "v_div_fixup_f32 v0, v1, v2, v3",
	  { 0xd1de0000, 0x040e0501 }, { 0x3f800000, 0x0, 0xbf800000 }, 0x0, 0xff800000 }, /* -1 / 0 */
	{ "gfx900", 0x3f0, "v_div_fixup_f32 v0, v1, v2, v3",
	  { 0xd1de0000, 0x040e0501 }, { 0x3f800000, 0x0, 0x0 }, 0x0, 0xffc00000 }, /* 0 / 0 */
	{ "gfx900", 0x3f0, "v_div_fixup_f32 v0, v1, v2, v3",
	  { 0xd1de0000, 0x040e0501 }, { 0x3f800000, 0x7f800000, 0xbf800000 }, 0x0, 0x80000000 }, /* -1 / inf */
	{ "gfx900", 0x3f0, "v_div_scale_f32 v0, vcc, v1, v2, v3",
	/* a denormal denominator is scaled */
	  { 0xd1e06a00, 0x040e0501 }, { 0x1, 0x1, 0x3f800000 }, 0x0, 0x15000000 },
	{ "gfx900", 0x3f0, "v_add_f16 v0, v1, v2",
	/* 1 + 1, upper halves are not looked at, and cleared */
	  { 0x3e000501 }, { 0xabcd3c00, 0x12343c00, 0x0 }, 0xffffffff, 0x4000 },
	{ "tonga", 0x3f0, "v_mad_f16 v0, v1, v2, v3",
	/* 2 + 3: 1.2 clears the upper half */
	  { 0xd1ea0000, 0x040e0501 }, { 0x3c00, 0x4000, 0x4200 }, 0xffffffff, 0x4500 },
	{ "gfx900", 0x3f0, "v_mad_f16 v0, v1, v2, v3",
	  { 0xd2030000, 0x040e0501 }, { 0x3c00, 0x4000, 0x4200 }, 0xabcdffff, 0xabcd4500 }, /* 1.4 leaves it */
	{ "gfx900", 0x3f0, "v_mad_legacy_f16 v0, v1, v2, v3",
	  { 0xd1ea0000, 0x040e0501 }, { 0x3c00, 0x4000, 0x4200 }, 0xabcdffff, 0x4500 },
	{ "gfx900", 0x3f0, "v_mad_f16 v0, v1, v2, v3 op_sel:[1,0,0,1]",
	  { 0xd2034800, 0x040e0501 }, { 0x3c000000, 0x4000, 0x4200 }, 0xffffabcd, 0x4500abcd }, /* op_sel */
	{ "gfx900", 0x3f0, "v_mul_f16 v0, v1, v2",
	  { 0x44000501 }, { 0x1, 0x3800, 0x0 }, 0x7, 0x0 }, /* half the least denormal is a tie: 0 */
	{ "gfx900", 0x3f4, "v_mul_f16 v0, v1, v2",
	  { 0x44000501 }, { 0x1, 0x3800, 0x0 }, 0x7, 0x1 }, /* up */
	{ "gfx900", 0x330, "v_mul_f16 v0, v1, v2",
	  { 0x44000501 }, { 0x1, 0x4000, 0x0 }, 0x7, 0x0 }, /* flushed by the field of 64 and 16 bits */
	{ "gfx900", 0x3f0, "v_fma_f16 v0, v1, v2, v3",
	  { 0xd2060000, 0x040e0501 }, { 0x3c01, 0x3c01, 0xbc02 }, 0x0, 0x10 }, /* 2^-20 */
	{ "gfx900", 0x3f0, "v_rcp_f16 v0, v1",
	  { 0x7e007b01 }, { 0x4200, 0x0, 0x0 }, 0x0, 0x3555 },
	{ "gfx900", 0x3f0, "v_cvt_f16_f32 v0, v1",
	  { 0x7e001501 }, { 0x477ff000, 0x0, 0x0 }, 0x0, 0x7c00 }, /* rounds to infinity */
	{ "gfx900", 0x3fc, "v_cvt_f16_f32 v0, v1",
	  { 0x7e001501 }, { 0x477ff000, 0x0, 0x0 }, 0x0, 0x7bff },
	{ "gfx900", 0x3f0, "v_cvt_f16_f32 v0, v1",
	  { 0x7e001501 }, { 0x33800000, 0x0, 0x0 }, 0x0, 0x1 }, /* 2^-24 */
	{ "gfx900", 0x3f0, "v_cvt_f32_f16 v0, v1",
	  { 0x7e001701 }, { 0x8001, 0x0, 0x0 }, 0x0, 0xb3800000 },
	{ "gfx900", 0x3f0, "v_cvt_u16_f16 v0, v1",
	  { 0x7e007701 }, { 0xbc00, 0x0, 0x0 }, 0x7, 0x0 },
	{ "gfx900", 0x3f0, "v_ldexp_f16 v0, v1, v2",
	  { 0x66000501 }, { 0x3c00, 0xfffe, 0x0 }, 0x7, 0x3400 }, /* 2^-2 */
	{ "gfx900", 0x3f0, "v_frexp_exp_i16_f16 v0, v1",
	  { 0x7e008701 }, { 0x1, 0x0, 0x0 }, 0x7, 0xffe9 }, /* -23 */
	{ "gfx900", 0x3f0, "v_pk_add_f16 v0, v1, v2",
	  { 0xd38f4000, 0x18020501 }, { 0x3c004000, 0x40004000, 0x0 }, 0x0, 0x42004400 },
	{ "gfx900", 0x3f0, "v_pk_add_f16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[0,1]",
	  { 0xd38f4800, 0x50020501 }, { 0x3c004000, 0x40004000, 0x0 }, 0x0, 0x4400bc00 }, /* halves crossed */
	{ "gfx900", 0x3f0, "v_pk_fma_f16 v0, v1, v2, v3 clamp",
	  { 0xd38ec000, 0x1c0e0501 }, { 0x3c003c00, 0x40003800, 0xc4003400 }, 0x0, 0x3a00 },
	{ "gfx900", 0x3f0, "v_pk_add_i16 v0, v1, v2 clamp",
	  { 0xd382c000, 0x18020501 }, { 0x7fff8000, 0x1ffff, 0x0 }, 0x0, 0x7fff8000 },
	{ "gfx900", 0x3f0, "v_pk_sub_u16 v0, v1, v2",
	  { 0xd38b4000, 0x18020501 }, { 0x10000, 0x20001, 0x0 }, 0x0, 0xffffffff },
	{ "gfx900", 0x3f0, "v_pk_mul_lo_u16 v0, v1, v2",
	  { 0xd3814000, 0x18020501 }, { 0x1000003, 0x1010004, 0x0 }, 0x0, 0x100000c },
	{ "gfx900", 0x3f0, "v_pk_ashrrev_i16 v0, v1, v2",
	  { 0xd3864000, 0x18020501 }, { 0x40001, 0x80008000, 0x0 }, 0x0, 0xf800c000 },
	{ "gfx900", 0x3f0, "v_mad_mix_f32 v0, v1, v2, v3 op_sel:[0,1,0] op_sel_hi:[0,1,0]",
	  { 0xd3a01000, 0x140e0501 }, { 0x3fc00000, 0x40000000, 0x3f800000 }, 0x0, 0x40800000 },
	{ "gfx900", 0x3f0, "v_mad_mixlo_f16 v0, v1, v2, v3",
	  { 0xd3a10000, 0x040e0501 }, { 0x3fc00000, 0x40000000, 0x3f800000 }, 0xabcdffff, 0xabcd4400 },
	{ "gfx900", 0x3f0, "v_mad_mixhi_f16 v0, v1, v2, v3",
	  { 0xd3a20000, 0x040e0501 }, { 0x3fc00000, 0x40000000, 0x3f800000 }, 0xabcd1234, 0x44001234 },
	{ "gfx900", 0x3f0, "v_add_u32_e64 v0, v1, v2 clamp",
	  { 0xd1348000, 0x00020501 }, { 0xffffffff, 0x2, 0x0 }, 0x0, 0xffffffff },
	{ "gfx900", 0x3f0, "v_sub_u32_e64 v0, v1, v2 clamp",
	  { 0xd1358000, 0x00020501 }, { 0x1, 0x2, 0x0 }, 0x7, 0x0 },
	{ "gfx900", 0x3f0, "v_add_i32 v0, v1, v2 clamp",
	  { 0xd29c8000, 0x00020501 }, { 0x80000000, 0xffffffff, 0x0 }, 0x0, 0x80000000 },
	{ "gfx900", 0x3f0, "v_sub_i32 v0, v1, v2 clamp",
	  { 0xd29d8000, 0x00020501 }, { 0x7fffffff, 0xffffffff, 0x0 }, 0x0, 0x7fffffff },
	{ "gfx900", 0x3f0, "v_add_u16_e64 v0, v1, v2 clamp",
	  { 0xd1268000, 0x00020501 }, { 0xffff, 0x2, 0x0 }, 0x0, 0xffff },
	{ "gfx900", 0x3f0, "v_add_i16 v0, v1, v2 clamp",
	  { 0xd29e8000, 0x00020501 }, { 0x8000, 0xffff, 0x0 }, 0xabcd0000, 0xabcd8000 },
	{ "gfx900", 0x3f0, "v_mad_u32_u24 v0, v1, v2, v3 clamp",
	  { 0xd1c38000, 0x040e0501 }, { 0xffffffff, 0xffffffff, 0x1 }, 0x0, 0xffffffff },
	{ "gfx900", 0x3f0, "v_mad_i32_i24 v0, v1, v2, v3",
	  { 0xd1c20000, 0x040e0501 }, { 0xffffff, 0x5, 0x1 }, 0x0, 0xfffffffc },
	{ "gfx900", 0x3f0, "v_mul_hi_i32_i24 v0, v1, v2",
	  { 0x0e000501 }, { 0x800000, 0x7fffff, 0x0 }, 0x0, 0xffffc000 },
	{ "gfx900", 0x3f0, "v_mul_hi_i32 v0, v1, v2",
	  { 0xd2870000, 0x00020501 }, { 0xffffffff, 0x1, 0x0 }, 0x0, 0xffffffff },
	{ "gfx900", 0x3f0, "v_bfe_i32 v0, v1, v2, v3",
	  { 0xd1c90000, 0x040e0501 }, { 0xf00, 0x8, 0x4 }, 0x0, 0xffffffff },
	{ "gfx900", 0x3f0, "v_bfe_i32 v0, v1, v2, v3",
	  { 0xd1c90000, 0x040e0501 }, { 0x80000000, 0x1c, 0x8 }, 0x0, 0xfffffff8 }, /* a field beyond bit 31 */
	{ "gfx900", 0x3f0, "v_bfe_u32 v0, v1, v2, v3",
	  { 0xd1c80000, 0x040e0501 }, { 0xffffffff, 0x4, 0x0 }, 0x7, 0x0 },
	{ "gfx900", 0x3f0, "v_bfi_b32 v0, v1, v2, v3",
	  { 0xd1ca0000, 0x040e0501 }, { 0xffff, 0x11111111, 0x22222222 }, 0x0, 0x22221111 },
	{ "gfx900", 0x3f0, "v_bfm_b32 v0, v1, v2",
	  { 0xd2930000, 0x00020501 }, { 0x4, 0x8, 0x0 }, 0x0, 0xf00 },
	{ "gfx900", 0x3f0, "v_alignbit_b32 v0, v1, v2, v3",
	  { 0xd1ce0000, 0x040e0501 }, { 0x12345678, 0x9abcdef0, 0x24 }, 0x0, 0x89abcdef },
	{ "gfx900", 0x3f0, "v_alignbyte_b32 v0, v1, v2, v3",
	  { 0xd1cf0000, 0x040e0501 }, { 0x12345678, 0x9abcdef0, 0x5 }, 0x0, 0x789abcde },
	{ "gfx900", 0x3f0, "v_perm_b32 v0, v1, v2, v3",
	  { 0xd1ed0000, 0x040e0501 }, { 0x80345678, 0x9abcdef0, 0xb0c0d07 }, 0x0, 0xff00ff80 },
	{ "gfx900", 0x3f0, "v_perm_b32 v0, v1, v2, v3",
	  { 0xd1ed0000, 0x040e0501 }, { 0x80345678, 0x9abcdef0, 0x4030809 }, 0x0, 0x789affff },
	{ "gfx900", 0x3f0, "v_lerp_u8 v0, v1, v2, v3",
	  { 0xd1cd0000, 0x040e0501 }, { 0xff030205, 0xff040304, 0x01000101 }, 0x0, 0xff030305 },
	{ "gfx900", 0x3f0, "v_sad_u8 v0, v1, v2, v3",
	  { 0xd1d90000, 0x040e0501 }, { 0xff100005, 0x00200006, 0x1000 }, 0x0, 0x1110 },
	{ "gfx900", 0x3f0, "v_sad_u8 v0, v1, v2, v3 clamp",
	  { 0xd1d98000, 0x040e0501 }, { 0xff100005, 0x00200006, 0xfffffff0 }, 0x0, 0xffffffff },
	{ "gfx900", 0x3f0, "v_sad_hi_u8 v0, v1, v2, v3",
	  { 0xd1da0000, 0x040e0501 }, { 0xff100005, 0x00200006, 0x1000 }, 0x0, 0x1101000 },
	{ "gfx900", 0x3f0, "v_sad_u16 v0, v1, v2, v3",
	  { 0xd1db0000, 0x040e0501 }, { 0xffff0001, 0x00000003, 0x1 }, 0x0, 0x10002 },
	{ "gfx900", 0x3f0, "v_sad_u32 v0, v1, v2, v3",
	  { 0xd1dc0000, 0x040e0501 }, { 0x3, 0xffffffff, 0x7 }, 0x0, 0x3 },
	{ "gfx900", 0x3f0, "v_msad_u8 v0, v1, v2, v3",
	  { 0xd1e40000, 0x040e0501 }, { 0xff100005, 0x00200006, 0x1000 }, 0x0, 0x1011 },
	{ "gfx900", 0x3f0, "v_bfrev_b32 v0, v1",
	  { 0x7e005901 }, { 0x13, 0x0, 0x0 }, 0x0, 0xc8000000 },
	{ "gfx900", 0x3f0, "v_ffbh_u32 v0, v1",
	  { 0x7e005b01 }, { 0x0, 0x0, 0x0 }, 0x0, 0xffffffff },
	{ "gfx900", 0x3f0, "v_ffbh_i32 v0, v1",
	  { 0x7e005f01 }, { 0xffff0000, 0x0, 0x0 }, 0x0, 0x10 },
	{ "gfx900", 0x3f0, "v_ffbl_b32 v0, v1",
	  { 0x7e005d01 }, { 0x50, 0x0, 0x0 }, 0x0, 0x4 },
	{ "gfx900", 0x3f0, "v_bcnt_u32_b32 v0, v1, v2",
	  { 0xd28b0000, 0x00020501 }, { 0xf0f01, 0x3, 0x0 }, 0x0, 0xc },
	{ "gfx900", 0x3f0, "v_med3_i32 v0, v1, v2, v3",
	  { 0xd1d70000, 0x040e0501 }, { 0xffffffff, 0x5, 0x1 }, 0x0, 0x1 },
	{ "gfx900", 0x3f0, "v_lshl_add_u32 v0, v1, v2, v3",
	  { 0xd1fd0000, 0x040e0501 }, { 0x3, 0x21, 0x5 }, 0x0, 0xb },
	{ "gfx900", 0x3f0, "v_xad_u32 v0, v1, v2, v3",
	  { 0xd1f30000, 0x040e0501 }, { 0x6, 0x3, 0xa }, 0x0, 0xf },
	{ "gfx900", 0x3f0, "v_ashrrev_i16 v0, v1, v2",
	  { 0x58000501 }, { 0x11, 0x8000, 0x0 }, 0x0, 0xc000 },
	{ "gfx900", 0x3f0, "v_mad_u32_u16 v0, v1, v2, v3",
	  { 0xd1f10000, 0x040e0501 }, { 0xabcd0003, 0x12340004, 0x5 }, 0x0, 0x11 },
	{ "gfx900", 0x3f0,
		"v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 src1_sel:WORD_1",
	  { 0x680004f9, 0x05031101 }, { 0x5000000, 0x60000, 0x0 }, 0x11223344, 0x11220b44 },
	{ "gfx900", 0x3f0,
		"v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:BYTE_3 src1_sel:WORD_1",
	  { 0x680004f9, 0x05030901 }, { 0x85000000, 0x60000, 0x0 }, 0x11223344, 0xffff8b00 },
	{ "gfx900", 0x3f0,
		"v_add_u32_sdwa v0, sext(v1), v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD",
	  { 0x680004f9, 0x06080601 }, { 0xff, 0x1, 0x0 }, 0x7, 0x0 },
	{ "gfx900", 0x3f0, "v_mov_b32_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0",
	  { 0x7e0002f9, 0x00040501 }, { 0x1234, 0x0, 0x0 }, 0xffffffff, 0x12340000 },
	{ "tonga", 0x3f0,
		"v_add_f16_sdwa v0, -v1, |v2| dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 "
		"src1_sel:WORD_0",
	  { 0x3e0004f9, 0x24151501 }, { 0x3c000000, 0xc000, 0x0 }, 0x1234abcd, 0x3c00abcd }, /* -1 + 2 */
	{ "gfx900", 0x3f0, "v_add_f16 v0, 1.0, v1",
	  { 0x3e0002f2 }, { 0x3c00, 0x0, 0x0 }, 0x0, 0x4000 }, /* an inline constant of binary16 */
	{ "gfx900", 0x3f0, "v_madak_f32 v0, v1, v2, 0x40400000",
	  { 0x30000501, 0x40400000 }, { 0x40000000, 0x40a00000, 0x0 }, 0x0, 0x41500000 },
	{ "gfx900", 0x3f0, "v_madmk_f32 v0, v1, 0x40400000, v2",
	  { 0x2e000501, 0x40400000 }, { 0x40000000, 0x40a00000, 0x0 }, 0x0, 0x41300000 },
	{ "gfx900", 0x3f0, "v_mac_f32 v0, v1, v2",
	  { 0x2c000501 }, { 0x40000000, 0x40a00000, 0x0 }, 0x3f800000, 0x41300000 },
};

static void test_words(void **state)
{
	int wrong = 0;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		EACH_LEVEL(simd) {
			struct machine m = { .chip = words[i].chip, .simd = simd, .mode = words[i].mode, .exec =
				~0ull };
			memcpy(m.word, words[i].word, sizeof m.word);
			fill(&m, 0, words[i].before);
			for (unsigned k = 0; k < 3; k++)
				fill(&m, 1 + k, words[i].source[k]);
			execute(&m);
			for (unsigned lane = 0; lane < LANES; lane++)
				if (m.v[0][lane] != words[i].after) {
					wrong++;
					print_error("%s %s, MODE %x, %s: lane %u: expected %08x, got %08x\n",
						words[i].chip, words[i].text,
						    words[i].mode, simd, lane, words[i].after, m.v[0][lane]);
					break;
				}
		}
	assert_int_equal(wrong, 0);
}

/* ---- 64 bits: v[0:1] from v[2:3], v[4:5], v[6:7] ---- */

static const struct {
	uint32_t mode;
	const char *text;
	uint32_t word[2];
	uint64_t source[3], after;
} pairs[] = {
	{ 0x3f0, "v_add_f64 v[0:1], v[2:3], v[4:5]", { 0xd2800000, 0x00020902 },
	  { 0x3ff0000000000000, 0x3ca0000000000000, 0x0 }, 0x3ff0000000000000 },
	{ 0x3f4, "v_add_f64 v[0:1], v[2:3], v[4:5]", { 0xd2800000, 0x00020902 },
	  { 0x3ff0000000000000, 0x3ca0000000000000, 0x0 }, 0x3ff0000000000001 },
	{ 0x3f0, "v_mul_f64 v[0:1], v[2:3], v[4:5]", { 0xd2810000, 0x00020902 },
	  { 0x1, 0x3fe0000000000000, 0x0 }, 0x0 },
	{ 0x3f4, "v_mul_f64 v[0:1], v[2:3], v[4:5]", { 0xd2810000, 0x00020902 },
	  { 0x1, 0x3fe0000000000000, 0x0 }, 0x1 },
	{ 0x330, "v_add_f64 v[0:1], v[2:3], v[4:5]", { 0xd2800000, 0x00020902 },
	  { 0x5, 0x0, 0x0 }, 0x0 },
	{ 0x3f0, "v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]", { 0xd1cc0000, 0x041a0902 },
	  { 0x3ff0000000000001, 0x3ff0000000000001, 0xbff0000000000002 }, 0x3970000000000000 },
	{ 0x3f0, "v_fma_f64 v[0:1], -v[2:3], |v[4:5]|, v[6:7]", { 0xd1cc0200, 0x241a0902 },
	  { 0x4008000000000000, 0xc000000000000000, 0x3ff0000000000000 }, 0xc014000000000000 },
	{ 0x3f0, "v_max_f64 v[0:1], v[2:3], v[4:5]", { 0xd2830000, 0x00020902 },
	  { 0x7ff8000000000001, 0xc008000000000000, 0x0 }, 0xc008000000000000 },
	{ 0x3f0, "v_min_f64 v[0:1], v[2:3], v[4:5]", { 0xd2820000, 0x00020902 },
	  { 0x7ff0000000000001, 0xc008000000000000, 0x0 }, 0x7ff8000000000001 },
	{ 0x3f0, "v_floor_f64 v[0:1], v[2:3]", { 0x7e003502 },
	  { 0xc004000000000000, 0x0, 0x0 }, 0xc008000000000000 },
	{ 0x3f0, "v_rndne_f64 v[0:1], v[2:3]", { 0x7e003302 },
	  { 0x4004000000000000, 0x0, 0x0 }, 0x4000000000000000 },
	{ 0x3f0, "v_fract_f64 v[0:1], v[2:3]", { 0x7e006502 },
	  { 0xb9b4484bfeebc2a0, 0x0, 0x0 }, 0x3fefffffffffffff },
	{ 0x3f0, "v_ldexp_f64 v[0:1], v[2:3], v4", { 0xd2840000, 0x00020902 },
	  { 0x3ff8000000000000, 0xfffffbce, 0x0 }, 0x2 },
	{ 0x3f0, "v_rcp_f64 v[0:1], v[2:3]", { 0x7e004b02 },
	  { 0x4010000000000000, 0x0, 0x0 }, 0x3fd0000000000000 },
	{ 0x3f0, "v_sqrt_f64 v[0:1], v[2:3]", { 0x7e005102 },
	  { 0x4002000000000000, 0x0, 0x0 }, 0x3ff8000000000000 },
	{ 0x3f0, "v_frexp_mant_f64 v[0:1], v[2:3]", { 0x7e006302 },
	  { 0xc018000000000000, 0x0, 0x0 }, 0xbfe8000000000000 },
	{ 0x3f0, "v_cvt_f64_f32 v[0:1], v2", { 0x7e002102 },
	  { 0x3fc00000, 0x0, 0x0 }, 0x3ff8000000000000 },
	{ 0x3f0, "v_cvt_f64_u32 v[0:1], v2", { 0x7e002d02 },
	  { 0xffffffff, 0x0, 0x0 }, 0x41efffffffe00000 },
	{ 0x3f0, "v_cvt_f64_i32 v[0:1], v2", { 0x7e000902 },
	  { 0xffffffff, 0x0, 0x0 }, 0xbff0000000000000 },
	{ 0x3f0, "v_div_fixup_f64 v[0:1], v[2:3], v[4:5], v[6:7]", { 0xd1df0000, 0x041a0902 },
	  { 0x401c000000000000, 0xc000000000000000, 0x402c000000000000 }, 0xc01c000000000000 },
	{ 0x3f0, "v_mad_u64_u32 v[0:1], vcc, v2, v4, v[6:7]", { 0xd1e86a00, 0x041a0902 },
	  { 0xffffffff, 0xffffffff, 0x5 }, 0xfffffffe00000006 },
	{ 0x3f0, "v_mad_i64_i32 v[0:1], vcc, v2, v4, v[6:7]", { 0xd1e96a00, 0x041a0902 },
	  { 0xffffffff, 0x5, 0x3 }, 0xfffffffffffffffe },
	{ 0x3f0, "v_lshlrev_b64 v[0:1], v2, v[4:5]", { 0xd28f0000, 0x00020902 },
	  { 0x44, 0x1234567890abcdef, 0x0 }, 0x234567890abcdef0 },
	{ 0x3f0, "v_lshrrev_b64 v[0:1], v2, v[4:5]", { 0xd2900000, 0x00020902 },
	  { 0x24, 0x8234567890abcdef, 0x0 }, 0x8234567 },
	{ 0x3f0, "v_ashrrev_i64 v[0:1], v2, v[4:5]", { 0xd2910000, 0x00020902 },
	  { 0x24, 0x8234567890abcdef, 0x0 }, 0xfffffffff8234567 },
	{ 0x3f0, "v_mul_f64 v[0:1], v[2:3], 0.5", { 0xd2810000, 0x0001e102 },
	  { 0x4008000000000000, 0x0, 0x0 }, 0x3ff8000000000000 },
};

static void test_pairs(void **state)
{
	int wrong = 0;

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		EACH_LEVEL(simd) {
			struct machine m = { .chip = "gfx900", .simd = simd, .mode = pairs[i].mode, .exec = ~0ull };
			memcpy(m.word, pairs[i].word, sizeof m.word);
			for (unsigned k = 0; k < 3; k++)
				fill_wide(&m, 2 + 2 * k, pairs[i].source[k]);
			execute(&m);
			for (unsigned lane = 0; lane < LANES; lane++)
				if (joined(m.v[0][lane], m.v[1][lane]) != pairs[i].after) {
					wrong++;
					print_error("%s, MODE %x, %s: lane %u: expected %016llx, got %08x%08x\n",
						pairs[i].text,
						    pairs[i].mode, simd, lane, (unsigned long long)pairs[i].after,
							m.v[1][lane], m.v[0][lane]);
					break;
				}
		}
	assert_int_equal(wrong, 0);
}

/* ---- DPP: the lane that v_mov_b32 v0, v1 reads; KEPT: v0 stays, ZERO: it is 0 ---- */

#define FROM(n, from) static int from_##n(int l) { return from; }
FROM(0, (l & ~3) | (3 - (l & 3)))
FROM(1, l % 16 < 13 ? l + 3 : KEPT)
FROM(2, l % 16 < 13 ? l + 3 : ZERO)
FROM(3, l % 16 ? l - 1 : KEPT)
FROM(4, l / 16 * 16 + (l + 11) % 16)
FROM(5, l < 63 ? l + 1 : KEPT)
FROM(6, (l + 1) % 64)
FROM(7, l ? l - 1 : KEPT)
FROM(8, (l + 63) % 64)
FROM(9, l / 16 * 16 + 15 - l % 16)
FROM(10, l / 8 * 8 + 7 - l % 8)
FROM(11, l > 15 ? l / 16 * 16 - 1 : KEPT)
FROM(12, l > 31 ? 31 : KEPT)
FROM(13, l / 16 % 2 && l % 16 < 8 ? l : KEPT)

static const struct {
	const char *text;
	uint32_t word;
	int (*from)(int lane);
} dpp[] = {
	{ "quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf", 0xff001b01, from_0 },
	{ "row_shl:3 row_mask:0xf bank_mask:0xf", 0xff010301, from_1 },
	{ "row_shl:3 row_mask:0xf bank_mask:0xf bound_ctrl:0", 0xff090301, from_2 },
	{ "row_shr:1 row_mask:0xf bank_mask:0xf", 0xff011101, from_3 },
	{ "row_ror:5 row_mask:0xf bank_mask:0xf", 0xff012501, from_4 },
	{ "wave_shl:1 row_mask:0xf bank_mask:0xf", 0xff013001, from_5 },
	{ "wave_rol:1 row_mask:0xf bank_mask:0xf", 0xff013401, from_6 },
	{ "wave_shr:1 row_mask:0xf bank_mask:0xf", 0xff013801, from_7 },
	{ "wave_ror:1 row_mask:0xf bank_mask:0xf", 0xff013c01, from_8 },
	{ "row_mirror row_mask:0xf bank_mask:0xf", 0xff014001, from_9 },
	{ "row_half_mirror row_mask:0xf bank_mask:0xf", 0xff014101, from_10 },
	{ "row_bcast:15 row_mask:0xf bank_mask:0xf", 0xff014201, from_11 },
	{ "row_bcast:31 row_mask:0xf bank_mask:0xf", 0xff014301, from_12 },
	{ "quad_perm:[0,1,2,3] row_mask:0xa bank_mask:0x3", 0xa300e401, from_13 },
};

/* Lane l of `active` reads `from`, if that is active, too. */
static uint32_t dpp_result(uint64_t active, int l, int from)
{
	if (!(active >> l & 1) || from == KEPT || (from >= 0 && !(active >> from & 1)))
		return 0xffff;
	return from == ZERO ? 0 : (uint32_t)from + 100;
}

static void test_dpp(void **state)
{
	static const uint64_t masks[] = { ~0ull, 0xfedcba9876543210 };

	for (size_t i = 0; i < sizeof dpp / sizeof *dpp; i++)
		for (unsigned k = 0; k < 2; k++)
			EACH_LEVEL(simd) {
				struct machine m = { .chip = "gfx900", .simd = simd, .mode = USUAL, .exec = masks[k] };
				bool bounded = dpp[i].from(15) == ZERO;
				m.word[0] = 0x7e0002fa;
				m.word[1] = dpp[i].word;
				fill(&m, 0, 0xffff);
				for (unsigned lane = 0; lane < LANES; lane++)
					m.v[1][lane] = lane + 100;
				execute(&m);
				for (int lane = 0; lane < LANES; lane++) {
					int from = dpp[i].from(lane);
					bool off = from >= 0 && !(masks[k] >> from & 1);
					if (bounded && off)
						from = ZERO;    /* bound_ctrl */
					if (m.v[0][lane] != dpp_result(masks[k], lane, from))
						fail_msg("%s: lane %d: expected %u, got %u", dpp[i].text, lane,
							 dpp_result(masks[k], lane, from), m.v[0][lane]);
				}
			}
}

/* ---- masks, carries and what goes between lanes ---- */

enum { EVEN_FOUR = 0x5 };       /* lanes 0 and 2 */

static struct machine four_lanes(const char *simd, uint32_t word0, uint32_t word1)
{
	struct machine m = { .chip = "gfx900", .simd = simd, .mode = USUAL, .word = { word0, word1 }, .exec = ~0ull };

	return m;
}

static void test_masks(void **state)
{
	EACH_LEVEL(simd) {
		struct machine m = four_lanes(simd, 0x7c820501, 0);     /* v_cmp_lt_f32 vcc, v1, v2 */
		m.exec = 0x7;
		m.vcc = ~0ull;
		fill(&m, 1, 0x3f800000);
		fill(&m, 2, 0x40000000);
		m.v[2][1] = 0x7fc00000;
		execute(&m);
		assert_true(m.vcc == EVEN_FOUR);        /* bits of other lanes are 0 */

		m = four_lanes(simd, 0x7cb60501, 0);    /* v_cmpx_ngt_f32 vcc, v1, v2 */
		m.exec = 0xf;
		fill(&m, 1, 0x40000000);
		m.v[2][0] = 0x7fc00000;
		m.v[2][2] = 0x40000000;
		execute(&m);
		assert_true(m.vcc == EVEN_FOUR && m.exec == EVEN_FOUR);

		m = four_lanes(simd, 0x7c200501, 0);    /* v_cmp_class_f32 vcc, v1, v2 */
		static const uint32_t kinds[] = {
			0x7f800001, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001, 0x80000000, 0, 1, 0x3f800000,
				0x7f800000
		};
		for (unsigned lane = 0; lane < 20; lane++) {
			m.v[1][lane] = kinds[lane % 10];
			m.v[2][lane] = lane < 10 ? 1u << lane : ~(1u << lane % 10);
		}
		execute(&m);
		assert_true(m.vcc == 0x3ff);

		m = four_lanes(simd, 0x7dd20902, 0);    /* v_cmp_lt_u64 vcc, v[2:3], v[4:5] */
		fill_wide(&m, 2, 0x100000000);
		fill_wide(&m, 4, 0x1ffffffff);
		m.v[5][3] = 0;
		execute(&m);
		assert_true(m.vcc == ~8ull);

		m = four_lanes(simd, 0x7d4c0501, 0);    /* v_cmp_ge_i16 vcc, v1, v2 */
		fill(&m, 1, 0x7fff8000);
		fill(&m, 2, 0xffff);
		m.v[1][5] = 0x8000ffff;
		execute(&m);
		assert_true(m.vcc == 1u << 5);

		m = four_lanes(simd, 0x7c500501, 0);    /* v_cmp_u_f16 vcc, v1, v2 */
		m.v[1][6] = 0x7e00;
		m.v[1][7] = 0x7c000000;
		execute(&m);
		assert_true(m.vcc == 1u << 6);
	}
}

static void test_carries(void **state)
{
	EACH_LEVEL(simd) {
		struct machine m = four_lanes(simd, 0x32000501, 0);     /* v_add_co_u32 v0, vcc, v1, v2 */
		m.exec = 0x7;
		m.vcc = ~0ull;
		fill(&m, 1, 0xffffffff);
		m.v[2][0] = m.v[2][2] = m.v[2][3] = 1;
		execute(&m);
		assert_true(m.vcc == EVEN_FOUR && m.v[0][0] == 0 && m.v[0][1] == 0xffffffff);

		m = four_lanes(simd, 0x38000501, 0);    /* v_addc_co_u32 v0, vcc, v1, v2, vcc */
		m.vcc = EVEN_FOUR;
		fill(&m, 1, 0xffffffff);
		m.v[2][1] = 0xffffffff;
		execute(&m);
		assert_true(m.vcc == 0x7 && m.v[0][0] == 0 && m.v[0][1] == 0xfffffffe && m.v[0][2] == 0);

		m = four_lanes(simd, 0x3a000501, 0);    /* v_subb_co_u32 v0, vcc, v1, v2, vcc */
		m.vcc = EVEN_FOUR;
		m.v[2][2] = 0xffffffff;
		m.v[1][0] = 1;
		execute(&m);
		assert_true(m.vcc == 0x4 && m.v[0][0] == 0 && m.v[0][1] == 0 && m.v[0][2] == 0);

		m = four_lanes(simd, 0xd1e86a00, 0x041a0902);   /* v_mad_u64_u32 v[0:1], vcc, v2, v4, v[6:7] */
		fill(&m, 2, 0xffffffff);
		fill(&m, 4, 0xffffffff);
		fill_wide(&m, 6, 0x1fffffffe);
		m.v[7][9] = 2;
		execute(&m);
		assert_true(m.vcc == 1u << 9 && joined(m.v[0][9], m.v[1][9]) == 0xffffffff && joined(m.v[0][0],
			m.v[1][0]) == ~0ull);
	}
}

static void test_between_lanes(void **state)
{
	EACH_LEVEL(simd) {
		struct machine m = four_lanes(simd, 0x00000501, 0);     /* v_cndmask_b32 v0, v1, v2, vcc */
		m.vcc = EVEN_FOUR;
		m.exec = 0x3;
		fill(&m, 0, 9);
		fill(&m, 1, 1);
		fill(&m, 2, 2);
		execute(&m);
		assert_true(m.v[0][0] == 2 && m.v[0][1] == 1 && m.v[0][2] == 9);

		m = four_lanes(simd, 0x7e080501, 0);    /* v_readfirstlane_b32 s4, v1 */
		m.exec = 0xc;
		for (unsigned lane = 0; lane < LANES; lane++)
			m.v[1][lane] = lane;
		struct machine lanes = m;
		execute(&m);
		assert_int_equal(m.s[0], 2);
		m = lanes;
		m.exec = 0;
		execute(&m);
		assert_int_equal(m.s[0], 0);

		m = lanes;
		m.word[0] = 0xd2890004;                 /* v_readlane_b32 s4, v1, 37 */
		m.word[1] = 0x00014b01;
		execute(&m);
		assert_int_equal(m.s[0], 37);

		m = lanes;
		m.word[0] = 0xd28a0000;                 /* v_writelane_b32 v0, s5, 37 */
		m.word[1] = 0x00014a05;
		m.s[1] = 77;
		execute(&m);
		assert_true(m.v[0][37] == 77 && m.v[0][36] == 0 && m.v[0][2] == 0);

		m = four_lanes(simd, 0xd28d0000, 0x000202c1);   /* v_mbcnt_hi_u32_b32 v0, -1, v1 */
		fill(&m, 1, 32);
		execute(&m);
		assert_true(m.v[0][0] == 32 && m.v[0][32] == 32 && m.v[0][63] == 63);
		m = four_lanes(simd, 0xd28c0000, 0x000100c1);   /* v_mbcnt_lo_u32_b32 v0, -1, 0 */
		execute(&m);
		assert_true(m.v[0][0] == 0 && m.v[0][31] == 31 && m.v[0][63] == 32);

		m = lanes;
		m.word[0] = 0x7e00a301;                 /* v_swap_b32 v0, v1 */
		m.word[1] = 0;
		execute(&m);
		assert_true(m.v[0][2] == 2 && m.v[1][2] == 0 && m.v[0][4] == 0 && m.v[1][4] == 4);

		m = four_lanes(simd, 0xd1e20000, 0x040e0501);   /* v_div_fmas_f32 v0, v1, v2, v3 */
		m.vcc = EVEN_FOUR;
		fill(&m, 3, 0x3f800000);
		m.v[3][2] = 0x40000000;
		execute(&m);
		assert_true(m.v[0][0] == 0x1f800000 && m.v[0][1] == 0x3f800000 && m.v[0][2] == 0x60000000);
	}
}

/* What clang makes of a / b: the quotient is the correctly rounded one, near all ends of the range. */
static uint32_t machine_word(struct machine *m, uint32_t word0, uint32_t word1, uint32_t a, uint32_t b, uint32_t c)
{
	m->word[0] = word0;
	m->word[1] = word1;
	m->exec = ~0ull;
	fill(m, 1, a);
	fill(m, 2, b);
	fill(m, 3, c);
	execute(m);
	return m->v[0][0];
}

static uint32_t fused(struct machine *m, uint32_t a, uint32_t b, uint32_t c)
{
	return machine_word(m, 0xd1cb0000, 0x040e0501, a, b, c);        /* v_fma_f32 v0, v1, v2, v3 */
}

static uint32_t divided(struct machine *m, uint32_t n, uint32_t d)
{
	enum { SCALE0 = 0xd1e06a00, SCALE1 = 0x040e0501, ONE = 0x3f800000, MINUS = 1u << 31 };
	uint32_t sd = machine_word(m, SCALE0, SCALE1, d, d, n), sn = machine_word(m, SCALE0, SCALE1, n, d, n);
	uint64_t vcc = m->vcc;
	uint32_t r = machine_word(m, 0x7e004501, 0, sd, 0, 0);          /* v_rcp_f32 v0, v1 */
	uint32_t e = fused(m, sd ^ MINUS, r, ONE), better = fused(m, e, r, r);
	uint32_t q = fused(m, sn, better, 0), rest = fused(m, sd ^ MINUS, q, sn), q2 = fused(m, rest, better, q);
	uint32_t rest2 = fused(m, sd ^ MINUS, q2, sn);

	m->vcc = vcc;
	q = machine_word(m, 0xd1e20000, 0x040e0501, rest2, better, q2); /* v_div_fmas_f32 */
	return machine_word(m, 0xd1de0000, 0x040e0501, q, d, n);        /* v_div_fixup_f32 */
}

static void test_division(void **state)
{
	static const uint32_t values[] = {
		0x3f800000, 0x40400000, 0x00000001, 0x007fffff, 0x00800001, 0x7f7fffff, 0x7e800003, 0x7f000000,
			0x2f123457, 0x0b800005,
		0x5f800001, 0xc0e00000, 0, 0x7f800000, 0x80000000,
	};
	enum { COUNT = sizeof values / sizeof *values };
	struct machine m = { .chip = "gfx900", .simd = wb_simd_level(0), .mode = USUAL };

	for (unsigned i = 0; i < COUNT; i++)
		for (unsigned k = 0; k < COUNT; k++) {
			float n, d, q;
			uint32_t wanted, found = divided(&m, values[i], values[k]);
			memcpy(&n, &values[i], sizeof n);
			memcpy(&d, &values[k], sizeof d);
			q = n / d;
			memcpy(&wanted, &q, sizeof wanted);
			if (q == q ? found != wanted : (found & 0x7fffffff) <= 0x7f800000)
				print_error("%08x / %08x: expected %08x, got %08x\n", values[i], values[k], wanted,
					found);
			/* a quotient that is denormal may be rounded twice */
			assert_true(q != q || found - wanted + 1 <= (wanted & 0x7f800000 ? 1u : 2u) || found == wanted);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words), cmocka_unit_test(test_pairs), cmocka_unit_test(test_dpp),
			cmocka_unit_test(test_masks),
		cmocka_unit_test(test_carries), cmocka_unit_test(test_between_lanes), cmocka_unit_test(test_division),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
