/* Functions of scalar arithmetic, and what rows of scalar.def are made of. */
#ifndef WB_CORE_ISA_GCN_ARITH_SCALAR_H
#define WB_CORE_ISA_GCN_ARITH_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

/* scc says whether the result is not 0. */
#define FLAG(type, expression) ({ type flagged = (expression); scc = flagged != 0; flagged; })
#define SOP_FLAG(name, expression) SOP(name, FLAG(uint32_t, expression))
#define SOP64_FLAG(name, expression) SOP64(name, FLAG(uint64_t, expression))
/* Both widths of an operation by bits. */
#define LOGIC(name, expression) SOP_FLAG(name##_b32, expression) SOP64_FLAG(name##_b64, expression)
#define COMPARES(condition, operator) \
	COMPARE(s_cmp_##condition##_i32, int32_t, a operator b) \
	COMPARE(s_cmp_##condition##_u32, uint32_t, a operator b) \
	COMPARE(s_cmpk_##condition##_i32, int32_t, b operator a) \
	COMPARE(s_cmpk_##condition##_u32, uint32_t, b operator a)

/* ---- sums ---- */

static inline uint32_t scalar_add(uint32_t a, uint32_t b, uint32_t carry, uint32_t *scc)
{
	uint64_t sum = (uint64_t)a + b + carry;

	*scc = (uint32_t)(sum >> 32);
	return (uint32_t)sum;
}

static inline uint32_t scalar_subtract(uint32_t a, uint32_t b, uint32_t borrow, uint32_t *scc)
{
	*scc = (uint64_t)b + borrow > a;
	return a - b - borrow;
}

static inline uint32_t scalar_add_signed(uint32_t a, uint32_t b, uint32_t *scc)
{
	int32_t sum;

	*scc = __builtin_add_overflow((int32_t)a, (int32_t)b, &sum);
	return (uint32_t)sum;
}

static inline uint32_t scalar_subtract_signed(uint32_t a, uint32_t b, uint32_t *scc)
{
	int32_t v;

	*scc = __builtin_sub_overflow((int32_t)a, (int32_t)b, &v);
	return (uint32_t)v;
}

static inline uint32_t scalar_shift_add(uint32_t a, unsigned n, uint32_t b, uint32_t *scc)
{
	uint64_t sum = ((uint64_t)a << n) + b;

	*scc = sum >> 32 != 0;
	return (uint32_t)sum;
}

static inline uint32_t scalar_choose(bool first, uint32_t a, uint32_t b, uint32_t *scc)
{
	*scc = first;
	return first ? a : b;
}

/* ---- bits ---- */

/* Bits [offset, offset + width) of v, of `bits` in all. */
static inline uint64_t scalar_field(uint64_t v, uint64_t where, unsigned bits, bool sign)
{
	unsigned offset = (unsigned)where & (bits - 1), width = (unsigned)(where >> 16) & 0x7f, shift;

	v >>= offset;
	if (width > bits - offset)
		width = bits - offset;
	if (!width)
		return 0;
	shift = 64 - width;
	return sign ? (uint64_t)((int64_t)(v << shift) >> shift) : v << shift >> shift;
}

static inline uint64_t scalar_reverse(uint64_t v)
{
	v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
	v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
	v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
	return __builtin_bswap64(v);
}

/* All four bits of each quad with a bit; a bit for each quad. */
static inline uint64_t scalar_whole_quads(uint64_t v)
{
	uint64_t any = (v | v >> 1 | v >> 2 | v >> 3) & 0x1111111111111111;

	return any * 15;
}

static inline uint64_t scalar_quad_mask(uint64_t v)
{
	uint64_t out = 0;

	for (unsigned q = 0; q < 16; q++)
		out |= (uint64_t)((v >> 4 * q & 15) != 0) << q;
	return out;
}

static inline uint64_t scalar_replicate(uint64_t v)
{
	uint64_t out = 0;

	for (unsigned i = 0; i < 32; i++)
		out |= (v >> i & 1) * 3 << 2 * i;
	return out;
}

static inline uint32_t scalar_first_one(uint64_t v)
{
	return v ? (uint32_t)__builtin_ctzll(v) : UINT32_MAX;
}

/* Zeros above the highest set bit. */
static inline uint32_t scalar_leading(uint64_t v, unsigned bits)
{
	return v ? (uint32_t)__builtin_clzll(v) - (64 - bits) : UINT32_MAX;
}

#endif
