/* Vector instructions on binary32 and binary64 (exec.h, valu.h, arith_float.h). */
#include "core/isa/gcn/arith_sfu.h"
#include "core/isa/gcn/valu.h"

/* ---- binary32 ---- */

#define F32(name) f32_##name
#define HANDLED_FLOAT
#include "core/isa/gcn/handled.def"

VALU_F32(v_mul_legacy_f32, 2, f32_mul_legacy(a, b, mode))
VALU_F32(v_mac_legacy_f32, 3, f32_mad_legacy(a, b, c, mode))
VALU_F32(v_mad_legacy_f32, 3, f32_mad_legacy(a, b, c, mode))

VALU_ORDER(v_med3_f32, 3, f32_med3(a, b, c, mode))
/* Compares alone: a NaN on either side takes b. */
VALU(v_min_legacy_f32, 2, f32_compare(a, b, mode) == CLASS_LESS ? a : b)
VALU(v_max_legacy_f32, 2, f32_compare(a, b, mode) & (CLASS_GREATER | CLASS_EQUAL) ? a : b)

VALU(v_frexp_exp_i32_f32, 1, f32_frexp_exponent(a, mode))
VALU(v_frexp_mant_f32, 1, f32_frexp_mantissa(a, mode))
VALU_F32(v_ldexp_f32, 2, f32_ldexp(a, (int32_t)b, mode))

VALU(v_rcp_clamp_f32, 1, f32_bounded(f32_rcp(a, mode)))
VALU(v_rcp_legacy_f32, 1, f32_legacy(f32_rcp(a, mode)))
VALU(v_rsq_f32, 1, f32_rsq(a, mode))
VALU(v_rsq_clamp_f32, 1, f32_bounded(f32_rsq(a, mode)))
VALU(v_rsq_legacy_f32, 1, f32_legacy(f32_rsq(a, mode)))
VALU(v_exp_f32, 1, f32_by(exp2, a, mode))
VALU(v_exp_legacy_f32, 1, f32_by(exp2, a, mode))
VALU(v_log_f32, 1, f32_by(log2, a, mode))
VALU(v_log_legacy_f32, 1, f32_by(log2, a, mode))
VALU(v_log_clamp_f32, 1, f32_bounded(f32_by(log2, a, mode)))
VALU(v_sin_f32, 1, f32_by(sin_of_turns, a, mode))
VALU(v_cos_f32, 1, f32_by(cos_of_turns, a, mode))

VALU_F32(v_div_fixup_f32, 3, f32_div_fixup(a, b, c, mode))
VALU_CARRY(v_div_scale_f32, 3, f32_div_scale(a, b, c, &co))

/* ---- binary64 ---- */

VALU_F64(v_add_f64, 2, f64_add(a, b, mode))
VALU_F64(v_mul_f64, 2, f64_mul(a, b, mode))
VALU_F64(v_fma_f64, 3, f64_fma(a, b, c, mode))
VALU_WIDE(v_min_f64, 2, f64_min(a, b, order_mode(x, mode)))
VALU_WIDE(v_max_f64, 2, f64_max(a, b, order_mode(x, mode)))
VALU_COMPARE(v_cmp_f64, uint64_t, f64_compare(a, b, mode))
VALU_WIDE(v_floor_f64, 1, f64_floor(a, mode))
VALU_WIDE(v_ceil_f64, 1, f64_ceil(a, mode))
VALU_WIDE(v_trunc_f64, 1, f64_trunc(a, mode))
VALU_WIDE(v_rndne_f64, 1, f64_rndne(a, mode))
VALU_F64(v_fract_f64, 1, f64_fract(a, mode))
VALU_WIDE(v_frexp_exp_i32_f64, 1, f64_frexp_exponent(a, mode))
VALU_WIDE(v_frexp_mant_f64, 1, f64_frexp_mantissa(a, mode))
VALU_F64(v_ldexp_f64, 2, f64_ldexp(a, (int32_t)b, mode))
VALU_WIDE(v_rcp_f64, 1, f64_rcp(a, mode))
VALU_WIDE(v_rcp_clamp_f64, 1, f64_bounded(f64_rcp(a, mode)))
VALU_WIDE(v_sqrt_f64, 1, f64_sqrt(a, mode))
VALU_WIDE(v_rsq_f64, 1, f64_rsq(a, mode))
VALU_WIDE(v_rsq_clamp_f64, 1, f64_bounded(f64_rsq(a, mode)))
VALU_F64(v_div_fixup_f64, 3, f64_div_fixup(a, b, c, mode))
VALU_WIDE_CARRY(v_div_scale_f64, 3, f64_div_scale(a, b, c, &co))

/* ---- the last step of a division: vcc says in which lanes the quotient is scaled ---- */

EXEC(v_div_fmas_f32)
{
	struct valu v;
	uint64_t vcc = gcn_vcc(gcn_warp(x->warp));
	unsigned rounding;

	valu_fetch(x, in, 3, false, &v);
	rounding = begin_rounding(v.mode, MODE_ROUND_32);
	FOR_LANES(l)
		v.out.lane[l] = f32_div_fmas(v.low[0]->lane[l], v.low[1]->lane[l], v.low[2]->lane[l], vcc >> l & 1,
			v.mode);
	end_rounding(rounding);
	return gcn_put(x, in, &v.out);
}

VALU_F64(v_div_fmas_f64, 3, f64_div_fmas(a, b, c, gcn_vcc(gcn_warp(x->warp)) >> l & 1, mode))

/* ---- classes ---- */

EXEC(v_cmp_class_f32)
{
	struct valu v;

	valu_fetch(x, in, 2, false, &v);
	FOR_LANES(l)
		v.out.lane[l] = f32_kind(v.low[0]->lane[l]) & v.low[1]->lane[l];
	return SIMD_NAME(gcn_put_compare)(x, in, mask_of_row(&v.out));
}

EXEC(v_cmp_class_f64)
{
	struct valu v;

	valu_fetch(x, in, 2, true, &v);
	FOR_LANES(l)
		v.out.lane[l] = f64_kind(WIDE_LANE(0)) & v.low[1]->lane[l];
	return SIMD_NAME(gcn_put_compare)(x, in, mask_of_row(&v.out));
}
