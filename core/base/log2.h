/* The binary logarithm by basic operations alone, so that every host has the same bits. */
#ifndef WB_CORE_BASE_LOG2_H
#define WB_CORE_BASE_LOG2_H

#include <stddef.h>

#include "core/base/bits.h"

/* log2 of a positive number, infinity included: the exponent, and a series for the logarithm of the mantissa. */
static inline double log2_series(double x)
{
	static const double term[] = { 1.0 / 25, 1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
				       1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1 };
	const double two_over_ln2 = 2.8853900817779268;
	uint64_t bits;
	int exponent = 0;
	double s, s2, sum = 0;

	if (x < 0x1p-1000)
		x *= 0x1p200, exponent -= 200;
	bits = f64_bits(x);
	if (bits >> 52 == 0x7ff)
		return 0x1p20;
	exponent += (int)(bits >> 52) - 1023;
	x = f64_value((bits & 0xfffffffffffff) | 1023ull << 52);
	if (x > 1.5)
		x /= 2, exponent++;
	s = (x - 1) / (x + 1);
	s2 = s * s;
	for (size_t k = 0; k < sizeof term / sizeof *term; k++)
		sum = sum * s2 + term[k];
	return exponent + two_over_ln2 * s * sum;
}

#endif
