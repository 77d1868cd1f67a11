/* Single precision for usual operands in one lane, for native loops: fast_float.h has the same for a row at a time, and
 * the reasons. Each function returns the right result or adds 1 to *odd. The host is in the mode without denormals,
 * and fuses multiply-adds. */
#ifndef WB_CORE_ISA_TESLA_FAST_LANE_H
#define WB_CORE_ISA_TESLA_FAST_LANE_H

#include "core/isa/tesla/arith.h"

LANE_FN uint32_t fast_lane_fadd(uint32_t a, uint32_t b, uint32_t c, uint32_t *odd)
{
	float r = f32_value(a) + f32_value(b);

	*odd += __builtin_isunordered(r, r);
	return f32_bits(r);
}

LANE_FN uint32_t fast_lane_fmul(uint32_t a, uint32_t b, uint32_t c, uint32_t *odd)
{
	float r = f32_value(a) * f32_value(b);

	*odd += __builtin_isunordered(r, r);
	return f32_bits(r);
}

/* The product is cut as row_cut_products cuts with a fused multiplication (core/base/vector.h), if its magnitude is
 * 2^-100 or more. */
LANE_FN uint32_t fast_lane_fmad(uint32_t a, uint32_t b, uint32_t c, uint32_t *odd, uint32_t *least)
{
	enum { EXPONENT = 1 << 23 };
	float x = f32_value(a), y = f32_value(b), product = x * y;
	uint32_t half = (f32_bits(product) + ((1u << 31) - 25 * EXPONENT - 1)) | (EXPONENT - 1);
	float cut = __builtin_fmaf(x, y, f32_value(half)), r = cut + f32_value(c);

	*least = f32_bits(product) << 1;
	*odd += !__builtin_islessgreater(r, cut);
	return f32_bits(r);
}

#endif
