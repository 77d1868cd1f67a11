/* Floats and their words: registers, texels and results are bit patterns, host floats do the arithmetic. Written as
 * copies, which compilers remove, also in loops over lanes. */
#ifndef WB_CORE_BASE_BITS_H
#define WB_CORE_BASE_BITS_H

#include <stdint.h>
#include <string.h>

static inline __attribute__((always_inline)) float f32_value(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

static inline __attribute__((always_inline)) uint32_t f32_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof bits);
	return bits;
}

static inline __attribute__((always_inline)) double f64_value(uint64_t bits)
{
	double f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

static inline __attribute__((always_inline)) uint64_t f64_bits(double f)
{
	uint64_t bits;

	memcpy(&bits, &f, sizeof bits);
	return bits;
}

#endif
