/* Transcendental functions of vector instructions, for one lane (arith.h). The hardware's are good to about 1 ulp ("AMD
 * GCN3 Instruction Set Architecture", chapter 12); these are the host's in double, rounded to nearest, so right to the
 * last bit but where double is within its own error of a tie. */
#ifndef WB_CORE_ISA_GCN_ARITH_SFU_H
#define WB_CORE_ISA_GCN_ARITH_SFU_H

#include "core/isa/gcn/arith.h"

/* Angles are revolutions, up to 256 of them: beyond, sin is 0 and cos is 1. Quarters are exact. */
static inline double sin_of_turns(double v)
{
	double r = v == 0 ? v : v - rint(v), near = fabs(r) > 0.25 ? copysign(0.5, r) - r : r;

	return fabs(v) > 256 && !isinf(v) ? 0 : sin(near * 6.283185307179586476925);
}

static inline double cos_of_turns(double v)
{
	double r = fabs(v - rint(v));

	return fabs(v) > 256 && !isinf(v) ? 1 : sin((0.25 - r) * 6.283185307179586476925);
}

static inline uint32_t f32_by(double (*fn)(double), uint32_t a, uint32_t mode)
{
	a = f32_in(a, mode);
	return f32_out(f32_bits((float)fn((double)f32_value(a))), a, a, a, mode);
}

static inline uint32_t f16_by(double (*fn)(double), uint32_t a, uint32_t mode)
{
	a = f16_in(a, mode);
	return f16_out(f16_round(fn(f16_value(a)), ROUND_NEAREST), a, a, a, mode);
}

#endif
