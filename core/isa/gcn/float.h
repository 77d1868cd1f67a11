/* Floats of vector instructions, for one lane: the host's arithmetic, with denormals and NaNs as the MODE register has
 * them. */
#ifndef WB_CORE_ISA_GCN_FLOAT_H
#define WB_CORE_ISA_GCN_FLOAT_H

#include <string.h>

#include "core/isa/gcn/exec.h"

static inline float f32_of(uint32_t v)
{
	float f;

	memcpy(&f, &v, sizeof f);
	return f;
}

static inline uint32_t f32_bits(float f)
{
	uint32_t v;

	memcpy(&v, &f, sizeof v);
	return v;
}

/* Denormals that are flushed: of operands if bit 0 of the field is clear, of results if bit 1 is. */
static inline uint32_t f32_flush(uint32_t v, uint32_t mode, unsigned bit)
{
	bool keep = mode >> (MODE_DENORM_32 + bit) & 1;

	return keep || v & 0x7f800000 ? v : v & 0x80000000;
}

static inline float f32_in(uint32_t v, uint32_t mode)
{
	return f32_of(f32_flush(v, mode, 0));
}

static inline uint32_t f32_out(float f, uint32_t mode)
{
	return f32_flush(f32_bits(f), mode, 1);
}

static inline uint32_t f32_add(uint32_t a, uint32_t b, uint32_t mode)
{
	return f32_out(f32_in(a, mode) + f32_in(b, mode), mode);
}

static inline uint32_t f32_class(uint32_t a, uint32_t b, uint32_t mode)
{
	float fa = f32_in(a, mode), fb = f32_in(b, mode);

	return (uint32_t)(fa < fb) * CLASS_LESS | (uint32_t)(fa == fb) * CLASS_EQUAL |
	       (uint32_t)(fa > fb) * CLASS_GREATER | (uint32_t)(fa != fa || fb != fb) * CLASS_UNORDERED;
}

#endif
