/* Conversions of vector instructions, for one lane (arith.h): to integers they cut, saturate and make 0 of a NaN, if
 * not said otherwise. */
#ifndef WB_CORE_ISA_GCN_ARITH_CONVERT_H
#define WB_CORE_ISA_GCN_ARITH_CONVERT_H

#include "core/isa/gcn/arith.h"

/* A whole number, or a NaN, into [least, most]; both are exact in double. */
static inline double saturated(double v, double least, double most)
{
	double low = v > least ? v : least, r = low < most ? low : most;

	return v != v ? 0 : r;
}

static inline uint32_t double_to_i32(double v)
{
	return (uint32_t)(int32_t)saturated(v, INT32_MIN, INT32_MAX);
}

/* By way of signed numbers, for which hosts have instructions. */
static inline uint32_t double_to_u32(double v)
{
	return (uint32_t)(int32_t)(trunc(saturated(v, 0, UINT32_MAX)) - 2147483648.0) ^ 0x80000000;
}

static inline uint32_t f32_to_i32(uint32_t a, uint32_t mode)
{
	return double_to_i32((double)f32_value(f32_in(a, mode)));
}

static inline uint32_t f32_to_u32(uint32_t a, uint32_t mode)
{
	return double_to_u32((double)f32_value(f32_in(a, mode)));
}

static inline uint32_t f32_from_f64(uint64_t a, uint32_t mode)
{
	uint32_t r;

	a = f64_in(a, mode);
	r = f32_bits((float)f64_value(a));
	return f32_is_nan(r) ? (uint32_t)(a >> 32 & 0x80000000) | 0x7fc00000 | (uint32_t)(a >> 29 & 0x3fffff) :
			       f32_flush(r, mode, 1);
}

static inline uint64_t f64_from_f32(uint32_t a, uint32_t mode)
{
	a = f32_in(a, mode);
	return f32_is_nan(a) ? (uint64_t)(a & 0x80000000) << 32 | 0x7ff8000000000000 | (uint64_t)(a & 0x3fffff) << 29 :
			       f64_flush(f64_bits((double)f32_value(a)), mode, 1);
}

static inline uint32_t f16_from_f32(uint32_t a, unsigned direction, uint32_t mode)
{
	a = f32_in(a, mode);
	return f32_is_nan(a) ? (a >> 16 & 0x8000) | 0x7e00 | (a >> 13 & 0x1ff) :
			       f16_flush(f16_round((double)f32_value(a), direction), mode, 1);
}

static inline uint32_t f32_from_f16(uint32_t a, uint32_t mode)
{
	a = f16_in(a, mode);
	return f16_is_nan(a) ? (a << 16 & 0x80000000) | 0x7fc00000 | (a & 0x1ff) << 13 :
			       f32_flush(f32_bits((float)f16_value(a)), mode, 1);
}

/* -1 … 1 and 0 … 1 to all of 16 bits; the host rounds to nearest. */
static inline uint32_t normal_i16(double v)
{
	return (uint32_t)(int32_t)saturated(rint(v * 32767), -32767, 32767) & 0xffff;
}

static inline uint32_t normal_u16(double v)
{
	return (uint32_t)(int32_t)saturated(rint(v * 65535), 0, 65535);
}

#endif
