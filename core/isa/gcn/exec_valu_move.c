/* Vector instructions that move words, between lanes and registers, and those that convert them (exec.h, valu.h). */
#include "core/isa/gcn/arith_convert.h"
#include "core/isa/gcn/arith_int.h"
#include "core/isa/gcn/valu.h"

#define HANDLED_MOVE
#include "core/isa/gcn/handled.def"

/* ---- moves ---- */

EXEC(v_nop)
{
	return STEP_OK;
}

/* Of the lowest active lane; of lane 0 if there is none. */
EXEC(v_readfirstlane_b32)
{
	struct row tmp;
	const struct row *a = gcn_source(x, in, 0, 0, &tmp);

	gcn_write_scalar(x, in->dst.reg, a->lane[x->step.active ? __builtin_ctzll(x->step.active) : 0]);
	return STEP_OK;
}

/* EXEC says nothing about these two. */
EXEC(v_readlane_b32)
{
	struct row tmp;
	const struct row *a = gcn_source(x, in, 0, 0, &tmp);

	gcn_write_scalar(x, in->dst.reg, a->lane[gcn_scalar(x, in, 1) % LANES]);
	return STEP_OK;
}

EXEC(v_writelane_b32)
{
	struct row *to = SIMD_NAME(gcn_indexed)(x, in, in->dst.reg, 8);

	to->lane[gcn_scalar(x, in, 1) % LANES] = gcn_scalar(x, in, 0);
	return STEP_OK;
}

EXEC(v_swap_b32)
{
	struct row *a = SIMD_NAME(gcn_indexed)(x, in, in->dst.reg, 8);
	struct row *b = SIMD_NAME(gcn_indexed)(x, in, in->src[0].reg, 1), was = *a;

	row_blend(a, b, x->step.executed);
	row_blend(b, &was, x->step.executed);
	return STEP_OK;
}

/* M0 is added to a register's number. What is beyond the last register is not written, and read as v0; no
 * sum comes round to the first ("AMD GCN3
 * Instruction Set Architecture", 6.6.2). */
static int move_relative(struct exec *x, const struct insn *in, bool of_source, bool of_destination)
{
	uint32_t m0 = gcn_warp(x->warp)->s[CODE_M0];
	uint64_t from = in->src[0].reg + (of_source ? (uint64_t)m0 : 0);
	uint64_t to = in->dst.reg + (of_destination ? (uint64_t)m0 : 0);
	struct row tmp;
	const struct row *a = !of_source ? gcn_source(x, in, 0, 0, &tmp) :
				gcn_row(x, from < x->warp->nreg ? (unsigned)from : 0);

	if (to < x->warp->nreg)
		row_blend(gcn_row(x, (unsigned)to), a, x->step.executed);
	return STEP_OK;
}

EXEC(v_movreld_b32)
{
	return move_relative(x, in, false, true);
}

EXEC(v_movrels_b32)
{
	return move_relative(x, in, true, false);
}

EXEC(v_movrelsd_b32)
{
	return move_relative(x, in, true, true);
}

/* ---- conversions ---- */

/* To the nearest, halves up; down. */
VALU(v_cvt_rpi_i32_f32, 1, double_to_i32(floor((double)f32_value(f32_in(a, mode)) + 0.5)))
VALU(v_cvt_flr_i32_f32, 1, double_to_i32(floor((double)f32_value(f32_in(a, mode)))))
VALU(v_cvt_off_f32_i4, 1, f32_bits((float)((int32_t)(a << 28) >> 28) / 16))

VALU_HALF(v_cvt_f16_f32, 1, f16_from_f32(a, round_16(mode), mode))
VALU(v_cvt_f32_f16, 1, f32_from_f16(a, mode))
VALU_HALF(v_cvt_f16_u16, 1, f16_round((double)unsigned_16(a), round_16(mode)))
VALU_HALF(v_cvt_f16_i16, 1, f16_round((double)signed_16(a), round_16(mode)))
VALU_HALF(v_cvt_u16_f16, 1, double_to_i32(saturated(f16_value(f16_in(a, mode)), 0, UINT16_MAX)))
VALU_HALF(v_cvt_i16_f16, 1, unsigned_16(double_to_i32(saturated(f16_value(f16_in(a, mode)), INT16_MIN, INT16_MAX))))

VALU_ROUNDED(v_cvt_f32_f64, 1, MODE_ROUND_32, f32_from_f64(a, mode))
VALU_WIDE(v_cvt_f64_f32, 1, f64_from_f32((uint32_t)a, mode))
VALU_WIDE(v_cvt_i32_f64, 1, double_to_i32(f64_value(f64_in(a, mode))))
VALU_WIDE(v_cvt_u32_f64, 1, double_to_u32(f64_value(f64_in(a, mode))))
VALU_WIDE(v_cvt_f64_i32, 1, f64_bits((double)(int32_t)a))
VALU_WIDE(v_cvt_f64_u32, 1, f64_bits((double)(uint32_t)a))

VALU(v_cvt_pknorm_i16_f32, 2, normal_i16(f32_value(f32_in(a, mode))) | normal_i16(f32_value(f32_in(b, mode))) << 16)
VALU(v_cvt_pknorm_u16_f32, 2, normal_u16(f32_value(f32_in(a, mode))) | normal_u16(f32_value(f32_in(b, mode))) << 16)
VALU(v_cvt_pknorm_i16_f16, 2, normal_i16(f16_value(f16_in(a, mode))) | normal_i16(f16_value(f16_in(b, mode))) << 16)
VALU(v_cvt_pknorm_u16_f16, 2, normal_u16(f16_value(f16_in(a, mode))) | normal_u16(f16_value(f16_in(b, mode))) << 16)
VALU(v_cvt_pkrtz_f16_f32, 2, f16_from_f32(a, ROUND_ZERO, mode) | f16_from_f32(b, ROUND_ZERO, mode) << 16)
VALU(v_cvt_pk_u16_u32, 2, min_u32(a, UINT16_MAX) | min_u32(b, UINT16_MAX) << 16)
VALU(v_cvt_pk_i16_i32, 2, to_i16((int32_t)a, 1) | to_i16((int32_t)b, 1) << 16)
VALU(v_pack_b32_f16, 2, unsigned_16(a) | b << 16)
VALU_F32(v_cvt_pk_u8_f32, 3, (c & ~(0xffu << 8 * (b & 3))) |
	 double_to_i32(saturated(rint((double)f32_value(f32_in(a, mode))), 0, 255)) << 8 * (b & 3))
