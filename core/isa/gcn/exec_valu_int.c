/* Vector instructions on integers and bits (exec.h, arith_int.h). */
#include "core/isa/gcn/arith_int.h"
#include "core/isa/gcn/valu.h"

#define CLAMP (in->mod[MOD_CLAMP])

/* ---- sums ---- */

#define NO_CARRY (&(uint32_t){ 0 })

VALU_HANDLED(v_add_u32, 2, add_u32(a, b, 0, CLAMP, NO_CARRY))
VALU_HANDLED(v_sub_u32, 2, sub_u32(a, b, 0, CLAMP, NO_CARRY))
VALU_HANDLED(v_subrev_u32, 2, sub_u32(b, a, 0, CLAMP, NO_CARRY))
VALU(v_add_i32, 2, add_i32(a, b, CLAMP))
VALU(v_sub_i32, 2, sub_i32(a, b, CLAMP))
VALU_CARRY(v_add_co_u32, 2, add_u32(a, b, 0, CLAMP, &co))
VALU_CARRY(v_sub_co_u32, 2, sub_u32(a, b, 0, CLAMP, &co))
VALU_CARRY(v_subrev_co_u32, 2, sub_u32(b, a, 0, CLAMP, &co))
VALU_CARRY(v_addc_co_u32, 2, add_u32(a, b, ci, CLAMP, &co))
VALU_CARRY(v_subb_co_u32, 2, sub_u32(a, b, ci, CLAMP, &co))
VALU_CARRY(v_subbrev_co_u32, 2, sub_u32(b, a, ci, CLAMP, &co))
VALU_HANDLED(v_add3_u32, 3, a + b + c)
VALU_HANDLED(v_lshl_add_u32, 3, (a << (b & 31)) + c)
VALU(v_add_lshl_u32, 3, (a + b) << (c & 31))
VALU(v_xad_u32, 3, (a ^ b) + c)

VALU_HALF(v_add_u16, 2, to_u16((int64_t)unsigned_16(a) + unsigned_16(b), CLAMP))
VALU_HALF(v_sub_u16, 2, to_u16((int64_t)unsigned_16(a) - unsigned_16(b), CLAMP))
VALU_HALF(v_subrev_u16, 2, to_u16((int64_t)unsigned_16(b) - unsigned_16(a), CLAMP))
VALU_HALF_KEEP(v_add_i16, 2, to_i16((int64_t)signed_16(a) + signed_16(b), CLAMP))
VALU_HALF_KEEP(v_sub_i16, 2, to_i16((int64_t)signed_16(a) - signed_16(b), CLAMP))

/* ---- products ---- */

VALU_HANDLED(v_mul_lo_u32, 2, a * b)
VALU_HANDLED(v_mul_lo_i32, 2, a * b)
VALU_HANDLED(v_mul_hi_u32, 2, (uint32_t)((uint64_t)a * b >> 32))
VALU(v_mul_hi_i32, 2, (uint32_t)((int64_t)(int32_t)a * (int32_t)b >> 32))
VALU_HANDLED(v_mul_i32_i24, 2, (uint32_t)signed_24(a) * (uint32_t)signed_24(b))
VALU_HANDLED(v_mul_u32_u24, 2, unsigned_24(a) * unsigned_24(b))
VALU(v_mul_hi_i32_i24, 2, (uint32_t)((int64_t)signed_24(a) * signed_24(b) >> 32))
VALU(v_mul_hi_u32_u24, 2, (uint32_t)((uint64_t)unsigned_24(a) * unsigned_24(b) >> 32))
VALU(v_mad_i32_i24, 3, to_i32((int64_t)signed_24(a) * signed_24(b) + (int32_t)c, CLAMP))
VALU(v_mad_u32_u24, 3, to_u32((uint64_t)unsigned_24(a) * unsigned_24(b) + c, CLAMP))
VALU(v_mad_u32_u16, 3, to_u32((uint64_t)unsigned_16(a) * unsigned_16(b) + c, CLAMP))
VALU(v_mad_i32_i16, 3, to_i32((int64_t)signed_16(a) * signed_16(b) + (int32_t)c, CLAMP))
VALU_WIDE_CARRY(v_mad_u64_u32, 3, mad_u64((uint32_t)a, (uint32_t)b, c, &co))
VALU_WIDE_CARRY(v_mad_i64_i32, 3, mad_i64((int32_t)a, (int32_t)b, (int64_t)c, &co))

VALU_HALF(v_mul_lo_u16, 2, unsigned_16(unsigned_16(a) * unsigned_16(b)))
#define MAD_U16 to_u16((int64_t)unsigned_16(a) * unsigned_16(b) + unsigned_16(c), CLAMP)
#define MAD_I16 to_i16((int64_t)signed_16(a) * signed_16(b) + signed_16(c), CLAMP)
VALU_HALF(v_mad_legacy_u16, 3, MAD_U16)
VALU_HALF(v_mad_legacy_i16, 3, MAD_I16)
VALU_HALF_KEEP(v_mad_u16, 3, MAD_U16)
VALU_HALF_KEEP(v_mad_i16, 3, MAD_I16)

/* ---- order ---- */

VALU_HANDLED(v_min_i32, 2, (uint32_t)min_i32((int32_t)a, (int32_t)b))
VALU_HANDLED(v_max_i32, 2, (uint32_t)max_i32((int32_t)a, (int32_t)b))
VALU_HANDLED(v_min_u32, 2, min_u32(a, b))
VALU_HANDLED(v_max_u32, 2, max_u32(a, b))
VALU(v_min3_i32, 3, (uint32_t)min_i32(min_i32((int32_t)a, (int32_t)b), (int32_t)c))
VALU(v_max3_i32, 3, (uint32_t)max_i32(max_i32((int32_t)a, (int32_t)b), (int32_t)c))
VALU(v_med3_i32, 3, (uint32_t)med_i32((int32_t)a, (int32_t)b, (int32_t)c))
VALU(v_min3_u32, 3, min_u32(min_u32(a, b), c))
VALU(v_max3_u32, 3, max_u32(max_u32(a, b), c))
VALU(v_med3_u32, 3, med_u32(a, b, c))
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
VALU_COMPARE(v_cmp_u32, uint32_t, VALU_CLASS(a, b))
VALU_COMPARE(v_cmp_i32, int32_t, VALU_CLASS(a, b))
VALU_COMPARE(v_cmp_u64, uint64_t, VALU_CLASS(a, b))
VALU_COMPARE(v_cmp_i64, int64_t, VALU_CLASS(a, b))

/* ---- bits ---- */

VALU_HANDLED(v_and_b32, 2, a & b)
VALU_HANDLED(v_or_b32, 2, a | b)
VALU_HANDLED(v_xor_b32, 2, a ^ b)
VALU_HANDLED(v_not_b32, 1, ~a)
VALU_HANDLED(v_and_or_b32, 3, (a & b) | c)
VALU_HANDLED(v_or3_b32, 3, a | b | c)
VALU_HANDLED(v_bfe_u32, 3, bit_field_u32(a, b, c))
VALU(v_bfe_i32, 3, bit_field_i32(a, b, c))
VALU(v_bfi_b32, 3, (a & b) | (~a & c))
VALU(v_bfm_b32, 2, low_bits(a & 31) << (b & 31))
VALU_HANDLED(v_alignbit_b32, 3, align_bits(a, b, c))
VALU(v_alignbyte_b32, 3, align_bits(a, b, 8 * (c & 3)))
VALU(v_perm_b32, 3, permute_bytes(a, b, c))
VALU(v_bfrev_b32, 1, reverse_bits(a))
VALU(v_ffbh_u32, 1, first_bit_high(a))
VALU(v_ffbh_i32, 1, first_bit_high(a ^ (uint32_t)((int32_t)a >> 31)))
VALU(v_ffbl_b32, 1, first_bit_low(a))
VALU(v_bcnt_u32_b32, 2, count_bits(a) + b)
VALU(v_mbcnt_lo_u32_b32, 2, count_below(a, l, 0) + b)
VALU(v_mbcnt_hi_u32_b32, 2, count_below(a, l, 32) + b)

/* ---- shifts ---- */

VALU_HANDLED(v_lshlrev_b32, 2, b << (a & 31))
VALU_HANDLED(v_lshrrev_b32, 2, b >> (a & 31))
VALU_HANDLED(v_ashrrev_i32, 2, (uint32_t)((int32_t)b >> (a & 31)))
VALU_HANDLED(v_lshl_b32, 2, a << (b & 31))
VALU_HANDLED(v_lshr_b32, 2, a >> (b & 31))
VALU_HANDLED(v_ashr_i32, 2, (uint32_t)((int32_t)a >> (b & 31)))
VALU_HANDLED(v_lshl_or_b32, 3, (a << (b & 31)) | c)
VALU_HALF(v_lshlrev_b16, 2, unsigned_16(b << (a & 15)))
VALU_HALF(v_lshrrev_b16, 2, unsigned_16(b) >> (a & 15))
VALU_HALF(v_ashrrev_i16, 2, unsigned_16((uint32_t)(signed_16(b) >> (a & 15))))
VALU_WIDE(v_lshlrev_b64, 2, b << (a & 63))
VALU_WIDE(v_lshrrev_b64, 2, b >> (a & 63))
VALU_WIDE(v_ashrrev_i64, 2, (uint64_t)((int64_t)b >> (a & 63)))
VALU_WIDE(v_lshl_b64, 2, a << (b & 63))
VALU_WIDE(v_lshr_b64, 2, a >> (b & 63))
VALU_WIDE(v_ashr_i64, 2, (uint64_t)((int64_t)a >> (b & 63)))

GCN_PART(valu_int) = {
	ENTRY_HANDLED(v_add_u32), ENTRY_HANDLED(v_sub_u32), ENTRY_HANDLED(v_subrev_u32), ENTRY(v_add_i32),
		ENTRY(v_sub_i32),
	ENTRY(v_add_co_u32), ENTRY(v_sub_co_u32), ENTRY(v_subrev_co_u32), ENTRY(v_addc_co_u32), ENTRY(v_subb_co_u32),
	ENTRY(v_subbrev_co_u32), ENTRY_HANDLED(v_add3_u32), ENTRY_HANDLED(v_lshl_add_u32), ENTRY(v_add_lshl_u32),
	ENTRY(v_xad_u32), ENTRY(v_add_u16), ENTRY(v_sub_u16), ENTRY(v_subrev_u16), ENTRY(v_add_i16), ENTRY(v_sub_i16),
	ENTRY_HANDLED(v_mul_lo_u32), ENTRY_HANDLED(v_mul_lo_i32), ENTRY_HANDLED(v_mul_hi_u32), ENTRY(v_mul_hi_i32),
	ENTRY_HANDLED(v_mul_i32_i24), ENTRY_HANDLED(v_mul_u32_u24), ENTRY(v_mul_hi_i32_i24), ENTRY(v_mul_hi_u32_u24),
	ENTRY(v_mad_i32_i24), ENTRY(v_mad_u32_u24), ENTRY(v_mad_u32_u16), ENTRY(v_mad_i32_i16), ENTRY(v_mad_u64_u32),
	ENTRY(v_mad_i64_i32), ENTRY(v_mul_lo_u16), ENTRY(v_mad_legacy_u16), ENTRY(v_mad_legacy_i16), ENTRY(v_mad_u16),
	ENTRY(v_mad_i16), ENTRY_HANDLED(v_min_i32), ENTRY_HANDLED(v_max_i32), ENTRY_HANDLED(v_min_u32),
	ENTRY_HANDLED(v_max_u32), ENTRY(v_min3_i32), ENTRY(v_max3_i32), ENTRY(v_med3_i32), ENTRY(v_min3_u32),
	ENTRY(v_max3_u32), ENTRY(v_med3_u32), ENTRY(v_min_i16), ENTRY(v_max_i16), ENTRY(v_min_u16), ENTRY(v_max_u16),
	ENTRY(v_min3_i16), ENTRY(v_max3_i16), ENTRY(v_med3_i16), ENTRY(v_min3_u16), ENTRY(v_max3_u16),
		ENTRY(v_med3_u16),
	ENTRY(v_cmp_u16), ENTRY(v_cmp_i16), ENTRY(v_cmp_u32), ENTRY(v_cmp_i32), ENTRY(v_cmp_u64), ENTRY(v_cmp_i64),
	ENTRY_HANDLED(v_and_b32), ENTRY_HANDLED(v_or_b32), ENTRY_HANDLED(v_xor_b32), ENTRY_HANDLED(v_not_b32),
	ENTRY_HANDLED(v_and_or_b32), ENTRY_HANDLED(v_or3_b32), ENTRY_HANDLED(v_bfe_u32), ENTRY(v_bfe_i32),
		ENTRY(v_bfi_b32),
	ENTRY(v_bfm_b32), ENTRY_HANDLED(v_alignbit_b32), ENTRY(v_alignbyte_b32), ENTRY(v_perm_b32), ENTRY(v_bfrev_b32),
	ENTRY(v_ffbh_u32), ENTRY(v_ffbh_i32), ENTRY(v_ffbl_b32), ENTRY(v_bcnt_u32_b32), ENTRY(v_mbcnt_lo_u32_b32),
	ENTRY(v_mbcnt_hi_u32_b32), ENTRY_HANDLED(v_lshlrev_b32), ENTRY_HANDLED(v_lshrrev_b32),
	ENTRY_HANDLED(v_ashrrev_i32), ENTRY_HANDLED(v_lshl_b32), ENTRY_HANDLED(v_lshr_b32), ENTRY_HANDLED(v_ashr_i32),
	ENTRY_HANDLED(v_lshl_or_b32), ENTRY(v_lshlrev_b16), ENTRY(v_lshrrev_b16), ENTRY(v_ashrrev_i16),
		ENTRY(v_lshlrev_b64),
	ENTRY(v_lshrrev_b64), ENTRY(v_ashrrev_i64), ENTRY(v_lshl_b64), ENTRY(v_lshr_b64), ENTRY(v_ashr_i64),
	{ 0 }
};
