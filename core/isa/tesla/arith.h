/* Parts common to the arithmetic headers: condition flags, rounding directions, and values as bit patterns.
 *
 * Every operation is written once, for one lane, as an inline function over bit patterns. Executors loop over the lanes
 * of a warp and the compiler makes vectors of the loops, so functions on the fast path have no branches: both sides are
 * computed and one is chosen. All assume the host's default floating-point environment (round to nearest, denormals on)
 * and leave the environment alone. Modifiers are the same for all lanes and are hoisted out of the loop.
 *
 * Lane conditions that travel are kept in words (a sign in bit 31) rather than in bool, which the compiler's vectors of
 * version 12 do not take.
 *
 * A function that sets flags writes the nibble of the $c register through `cc`; unread flags cost nothing. "Facts" in
 * the comments are the sections of spec tesla-facts. */
#ifndef WB_CORE_ISA_TESLA_ARITH_H
#define WB_CORE_ISA_TESLA_ARITH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/base/bits.h"

#define LANE_FN static inline __attribute__((always_inline))

/* The bits of a $c register. */
enum { FLAG_Z = 1, FLAG_S = 2, FLAG_C = 4, FLAG_O = 8 };

/* Rounding directions by MOD_ROUND. */
enum round_mode { ROUND_RN, ROUND_RM, ROUND_RP, ROUND_RZ };

/* The direction for the magnitude of a negative value: towards minus infinity is away from zero there. */
LANE_FN unsigned round_of_magnitude(unsigned mode, uint32_t negative)
{
	unsigned turn = mode == ROUND_RM || mode == ROUND_RP ? ROUND_RM ^ ROUND_RP : 0;
	return mode ^ (negative ? turn : 0);
}

/* mask ? a : b, bit by bit; for choices between a constant and a long computation, which the compiler would otherwise
 * move behind a branch and so out of reach of vectors. */
LANE_FN uint32_t choose(uint32_t mask, uint32_t a, uint32_t b)
{
	return (a & mask) | (b & ~mask);
}

/* Bit n of v as a mask. */
LANE_FN uint32_t bit_mask(uint32_t v, int n)
{
	return (uint32_t)((int32_t)(v << (31 - n)) >> 31);
}

#endif
