/* Vector instructions on integers and bits (exec.h, arith_int.h). */
#include "core/isa/gcn/arith_int.h"
#include "core/isa/gcn/valu.h"

#define CLAMP (in->mod[MOD_CLAMP])

#define HANDLED_INT
#include "core/isa/gcn/handled.def"

/* ---- sums ---- */

VALU_HALF(v_add_u16, 2, to_u16((int64_t)unsigned_16(a) + unsigned_16(b), CLAMP))
VALU_HALF(v_sub_u16, 2, to_u16((int64_t)unsigned_16(a) - unsigned_16(b), CLAMP))
VALU_HALF(v_subrev_u16, 2, to_u16((int64_t)unsigned_16(b) - unsigned_16(a), CLAMP))
VALU_HALF_KEEP(v_add_i16, 2, to_i16((int64_t)signed_16(a) + signed_16(b), CLAMP))
VALU_HALF_KEEP(v_sub_i16, 2, to_i16((int64_t)signed_16(a) - signed_16(b), CLAMP))

/* ---- products ---- */

VALU(v_mad_u32_u16, 3, to_u32((uint64_t)unsigned_16(a) * unsigned_16(b) + c, CLAMP))
VALU(v_mad_i32_i16, 3, to_i32((int64_t)signed_16(a) * signed_16(b) + (int32_t)c, CLAMP))
VALU_WIDE_CARRY(v_mad_i64_i32, 3, mad_i64((int32_t)a, (int32_t)b, (int64_t)c, &co))

VALU_HALF(v_mul_lo_u16, 2, unsigned_16(unsigned_16(a) * unsigned_16(b)))
#define MAD_U16 to_u16((int64_t)unsigned_16(a) * unsigned_16(b) + unsigned_16(c), CLAMP)
#define MAD_I16 to_i16((int64_t)signed_16(a) * signed_16(b) + signed_16(c), CLAMP)
VALU_HALF(v_mad_legacy_u16, 3, MAD_U16)
VALU_HALF(v_mad_legacy_i16, 3, MAD_I16)
VALU_HALF_KEEP(v_mad_u16, 3, MAD_U16)
VALU_HALF_KEEP(v_mad_i16, 3, MAD_I16)

/* ---- order ---- */

VALU_HALF(v_min_i16, 2, unsigned_16((uint32_t)min_i32(signed_16(a), signed_16(b))))
VALU_HALF(v_max_i16, 2, unsigned_16((uint32_t)max_i32(signed_16(a), signed_16(b))))
VALU_HALF(v_min_u16, 2, min_u32(unsigned_16(a), unsigned_16(b)))
VALU_HALF(v_max_u16, 2, max_u32(unsigned_16(a), unsigned_16(b)))
VALU_HALF_KEEP(v_min3_i16, 3, unsigned_16((uint32_t)min_i32(min_i32(signed_16(a), signed_16(b)), signed_16(c))))
VALU_HALF_KEEP(v_max3_i16, 3, unsigned_16((uint32_t)max_i32(max_i32(signed_16(a), signed_16(b)), signed_16(c))))
VALU_HALF_KEEP(v_med3_i16, 3, unsigned_16((uint32_t)med_i32(signed_16(a), signed_16(b), signed_16(c))))
VALU_HALF_KEEP(v_min3_u16, 3, min_u32(min_u32(unsigned_16(a), unsigned_16(b)), unsigned_16(c)))
VALU_HALF_KEEP(v_max3_u16, 3, max_u32(max_u32(unsigned_16(a), unsigned_16(b)), unsigned_16(c)))
VALU_HALF_KEEP(v_med3_u16, 3, med_u32(unsigned_16(a), unsigned_16(b), unsigned_16(c)))

VALU_COMPARE(v_cmp_u16, uint16_t, VALU_CLASS(a, b))
VALU_COMPARE(v_cmp_i16, int16_t, VALU_CLASS(a, b))
VALU_COMPARE(v_cmp_u64, uint64_t, VALU_CLASS(a, b))
VALU_COMPARE(v_cmp_i64, int64_t, VALU_CLASS(a, b))

/* ---- bits ---- */

VALU(v_perm_b32, 3, permute_bytes(a, b, c))
VALU(v_bfrev_b32, 1, reverse_bits(a))
VALU(v_ffbh_u32, 1, first_bit_high(a))
VALU(v_ffbh_i32, 1, first_bit_high(a ^ (uint32_t)((int32_t)a >> 31)))
VALU(v_ffbl_b32, 1, first_bit_low(a))
VALU(v_mbcnt_lo_u32_b32, 2, count_below(a, l, 0) + b)
VALU(v_mbcnt_hi_u32_b32, 2, count_below(a, l, 32) + b)

/* ---- distances (CLRX, GcnInstrsVop3) ---- */

VALU(v_lerp_u8, 3, byte_means(a, b, c))
VALU(v_sad_u8, 3, to_u32((uint64_t)distances(a, b, 8, false) + c, CLAMP))
VALU(v_sad_hi_u8, 3, to_u32(((uint64_t)distances(a, b, 8, false) << 16) + c, CLAMP))
VALU(v_sad_u16, 3, to_u32((uint64_t)distances(a, b, 16, false) + c, CLAMP))
VALU(v_sad_u32, 3, to_u32((uint64_t)distance_u32(a, b) + c, CLAMP))
VALU(v_msad_u8, 3, to_u32((uint64_t)distances(a, b, 8, true) + c, CLAMP))
VALU_WIDE(v_qsad_pk_u16_u8, 3, quad_distances(a, (uint32_t)b, c, false))
VALU_WIDE(v_mqsad_pk_u16_u8, 3, quad_distances(a, (uint32_t)b, c, true))

/* ---- shifts ---- */

VALU_HALF(v_lshlrev_b16, 2, unsigned_16(b << (a & 15)))
VALU_HALF(v_lshrrev_b16, 2, unsigned_16(b) >> (a & 15))
VALU_HALF(v_ashrrev_i16, 2, unsigned_16((uint32_t)(signed_16(b) >> (a & 15))))
VALU_WIDE(v_lshrrev_b64, 2, b >> (a & 63))
VALU_WIDE(v_ashrrev_i64, 2, (uint64_t)((int64_t)b >> (a & 63)))
VALU_WIDE(v_lshl_b64, 2, a << (b & 63))
VALU_WIDE(v_lshr_b64, 2, a >> (b & 63))
VALU_WIDE(v_ashr_i64, 2, (uint64_t)((int64_t)a >> (b & 63)))
