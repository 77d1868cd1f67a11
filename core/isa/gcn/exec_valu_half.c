/* Vector instructions on binary16 and on pairs of halves: VOP3P and the mixed multiply-adds (exec.h, valu.h). */
#include "core/isa/gcn/arith_convert.h"
#include "core/isa/gcn/arith_int.h"
#include "core/isa/gcn/arith_sfu.h"
#include "core/isa/gcn/valu.h"

#define CLAMP (in->mod[MOD_CLAMP])

VALU_HALF(v_add_f16, 2, f16_add(a, b, mode))
VALU_HALF(v_sub_f16, 2, f16_sub(a, b, mode))
VALU_HALF(v_subrev_f16, 2, f16_sub(b, a, mode))
VALU_HALF(v_mul_f16, 2, f16_mul(a, b, mode))
VALU_HALF_KEEP(v_mac_f16, 3, f16_mad(a, b, c, mode))
VALU_HALF_KEEP(v_madmk_f16, 3, f16_mad(a, b, c, mode))
VALU_HALF_KEEP(v_madak_f16, 3, f16_mad(a, b, c, mode))
VALU_HALF(v_mad_legacy_f16, 3, f16_mad(a, b, c, mode))
VALU_HALF_KEEP(v_mad_f16, 3, f16_mad(a, b, c, mode))
VALU_HALF(v_fma_legacy_f16, 3, f16_fma(a, b, c, mode))
VALU_HALF_KEEP(v_fma_f16, 3, f16_fma(a, b, c, mode))
VALU_HALF(v_div_fixup_legacy_f16, 3, f16_div_fixup(a, b, c, mode))
VALU_HALF_KEEP(v_div_fixup_f16, 3, f16_div_fixup(a, b, c, mode))
VALU_HALF_ORDER(v_min_f16, 2, false, f16_min(a, b, mode))
VALU_HALF_ORDER(v_max_f16, 2, false, f16_max(a, b, mode))
VALU_HALF_ORDER(v_min3_f16, 3, true, f16_min3(a, b, c, mode))
VALU_HALF_ORDER(v_max3_f16, 3, true, f16_max3(a, b, c, mode))
VALU_HALF_ORDER(v_med3_f16, 3, true, f16_med3(a, b, c, mode))
VALU_HALF(v_floor_f16, 1, f16_floor(a, mode))
VALU_HALF(v_ceil_f16, 1, f16_ceil(a, mode))
VALU_HALF(v_trunc_f16, 1, f16_trunc(a, mode))
VALU_HALF(v_rndne_f16, 1, f16_rndne(a, mode))
VALU_HALF(v_fract_f16, 1, f16_fract(a, mode))
VALU_HALF(v_frexp_exp_i16_f16, 1, unsigned_16(f16_frexp_exponent(a, mode)))
VALU_HALF(v_frexp_mant_f16, 1, f16_frexp_mantissa(a, mode))
VALU_HALF(v_ldexp_f16, 2, f16_ldexp(a, signed_16(b), mode))
VALU_HALF(v_rcp_f16, 1, f16_rcp(a, mode))
VALU_HALF(v_sqrt_f16, 1, f16_sqrt(a, mode))
VALU_HALF(v_rsq_f16, 1, f16_rsq(a, mode))
VALU_HALF(v_exp_f16, 1, f16_by(exp2, a, mode))
VALU_HALF(v_log_f16, 1, f16_by(log2, a, mode))
VALU_HALF(v_sin_f16, 1, f16_by(sin_of_turns, a, mode))
VALU_HALF(v_cos_f16, 1, f16_by(cos_of_turns, a, mode))

VALU_COMPARE(v_cmp_f16, uint16_t, f16_compare(a, b, mode))

EXEC(v_cmp_class_f16)
{
	struct valu v;

	valu_fetch(x, in, 2, false, &v);
	FOR_LANES(l)
		v.out.lane[l] = f16_kind(v.low[0]->lane[l]) & v.low[1]->lane[l];
	return SIMD_NAME(gcn_put_compare)(x, in, mask_of_row(&v.out));
}

/* ---- packed: the same operation on both halves, whose sources op_sel and op_sel_hi pick ---- */

/* The half of v that is source i of the result's half `high`; neg_lo and neg_hi (MOD_ABS) turn the sign of a
 * float's. */
static inline uint32_t packed_source(const struct insn *in, int i, bool high, uint32_t v)
{
	uint32_t picks = in->mod[high ? MOD_OPSEL_HI : MOD_OPSEL], turns = in->mod[high ? MOD_ABS : MOD_NEG];

	return unsigned_16(picks >> i & 1 ? v >> 16 : v) ^ (turns >> i & 1) << 15;
}

static inline uint32_t clamp_packed(const struct insn *in, uint32_t v, uint32_t mode)
{
	uint32_t number = v & 0x8000 ? 0 : v > 0x3c00 ? 0x3c00 : v;

	if (!CLAMP)
		return v;
	return f16_is_nan(v) ? (mode & MODE_DX10_CLAMP ? 0 : v) : number;
}

#define VALU_PACKED(name, sources, expression) \
	static inline uint32_t name##_half(uint32_t a, uint32_t b, uint32_t c, const struct insn *in, uint32_t mode) \
	{ \
		(void)b, (void)c, (void)in, (void)mode; \
		return (expression); \
	} \
	EXEC(name) \
	{ \
		struct valu v; \
		valu_fetch(x, in, sources, false, &v); \
		FOR_LANES(l) { \
			uint32_t r[2]; \
			for (int h = 0; h < 2; h++) \
				r[h] = name##_half(packed_source(in, 0, h, v.low[0]->lane[l]), \
						   packed_source(in, 1, h, v.low[1]->lane[l]), \
						   packed_source(in, 2, h, v.low[2]->lane[l]), in, v.mode); \
			v.out.lane[l] = r[1] << 16 | r[0]; \
		} \
		row_blend(gcn_row(x, in->dst.reg), &v.out, x->step.executed); \
		return STEP_OK; \
	}
#define VALU_PACKED_FLOAT(name, sources, expression) VALU_PACKED(name, sources, clamp_packed(in, expression, mode))

VALU_PACKED(v_pk_mad_i16, 3, to_i16((int64_t)signed_16(a) * signed_16(b) + signed_16(c), CLAMP))
VALU_PACKED(v_pk_mul_lo_u16, 2, unsigned_16(a * b))
VALU_PACKED(v_pk_add_i16, 2, to_i16((int64_t)signed_16(a) + signed_16(b), CLAMP))
VALU_PACKED(v_pk_sub_i16, 2, to_i16((int64_t)signed_16(a) - signed_16(b), CLAMP))
VALU_PACKED(v_pk_lshlrev_b16, 2, unsigned_16(b << (a & 15)))
VALU_PACKED(v_pk_lshrrev_b16, 2, b >> (a & 15))
VALU_PACKED(v_pk_ashrrev_i16, 2, unsigned_16((uint32_t)(signed_16(b) >> (a & 15))))
VALU_PACKED(v_pk_max_i16, 2, unsigned_16((uint32_t)max_i32(signed_16(a), signed_16(b))))
VALU_PACKED(v_pk_min_i16, 2, unsigned_16((uint32_t)min_i32(signed_16(a), signed_16(b))))
VALU_PACKED(v_pk_mad_u16, 3, to_u16((int64_t)a * b + c, CLAMP))
VALU_PACKED(v_pk_add_u16, 2, to_u16((int64_t)a + b, CLAMP))
VALU_PACKED(v_pk_sub_u16, 2, to_u16((int64_t)a - b, CLAMP))
VALU_PACKED(v_pk_max_u16, 2, max_u32(a, b))
VALU_PACKED(v_pk_min_u16, 2, min_u32(a, b))
VALU_PACKED_FLOAT(v_pk_fma_f16, 3, f16_fma(a, b, c, mode))
VALU_PACKED_FLOAT(v_pk_add_f16, 2, f16_add(a, b, mode))
VALU_PACKED_FLOAT(v_pk_mul_f16, 2, f16_mul(a, b, mode))
VALU_PACKED_FLOAT(v_pk_min_f16, 2, f16_min(a, b, mode))
VALU_PACKED_FLOAT(v_pk_max_f16, 2, f16_max(a, b, mode))

/* ---- mixed: op_sel_hi says which sources are halves, op_sel which half; neg_hi (MOD_ABS) is abs ---- */

static inline uint32_t mixed_source(const struct insn *in, int i, uint32_t v, uint32_t mode)
{
	uint32_t half = in->mod[MOD_OPSEL] >> i & 1 ? v >> 16 : v;
	uint32_t word = in->mod[MOD_OPSEL_HI] >> i & 1 ? f32_from_f16(half, mode) : v;

	return (in->mod[MOD_ABS] >> i & 1 ? word & 0x7fffffff : word) ^ (uint32_t)(in->mod[MOD_NEG] >> i & 1) << 31;
}

static void mixed(struct exec *x, const struct insn *in, struct valu *v)
{
	unsigned rounding;

	valu_fetch(x, in, 3, false, v);
	rounding = begin_rounding(v->mode, MODE_ROUND_32);
	FOR_LANES(l)
		v->out.lane[l] = f32_mad(mixed_source(in, 0, v->low[0]->lane[l], v->mode),
					 mixed_source(in, 1, v->low[1]->lane[l], v->mode),
					 mixed_source(in, 2, v->low[2]->lane[l], v->mode), v->mode);
	end_rounding(rounding);
}

EXEC(v_mad_mix_f32)
{
	struct valu v;

	mixed(x, in, &v);
	return gcn_put(x, in, &v.out);
}

static int mixed_half(struct exec *x, const struct insn *in, bool high)
{
	struct valu v;

	mixed(x, in, &v);
	FOR_LANES(l)
		v.out.lane[l] = f16_from_f32(v.out.lane[l], round_16(v.mode), v.mode);
	return SIMD_NAME(gcn_put_half)(x, in, &v.out, high);
}

EXEC(v_mad_mixlo_f16)
{
	return mixed_half(x, in, false);
}

EXEC(v_mad_mixhi_f16)
{
	return mixed_half(x, in, true);
}
