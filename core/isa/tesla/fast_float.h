/* Single precision for usual operands, a row at a time, with vector instructions that test all lanes at once for odd
 * cases. Each function writes `to` and returns 0, or returns the odd ones among `lanes` and writes nothing; the right
 * results for odd lanes come from arith_f32.h.
 *
 * The host is in the mode without denormals (simd.h) and so does what the machine does (facts 4.1): a denormal operand
 * is a zero, and a result that is denormal after rounding becomes one. Sums are the host's at every level: a sum below
 * the normal range is exact, so that rounding before or after makes no difference. Products as well, where the host
 * judges a result after rounding (HOST_ROUNDS_FIRST). NaN results are left to the slow path. */
#ifndef WB_CORE_ISA_TESLA_FAST_FLOAT_H
#define WB_CORE_ISA_TESLA_FAST_FLOAT_H

#include "core/base/vector.h"
#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/simd.h"

LANE_FN vec_float fast_load(const struct row *r, int v, uint32_t flip)
{
	return (vec_float)(row_vec(r, v) ^ flip);
}

LANE_FN uint32_t fast_store(const vec_float r[ROW_VECTORS], struct row *to)
{
	FOR_VECTORS(v)
		row_set_vec(to, v, (vec)r[v]);
	return 0;
}

/* Write the row if no lane is odd, or none of `lanes`; else return the odd lanes. */
LANE_FN uint32_t fast_unless(const vec_float r[ROW_VECTORS], const vec_mask odd[ROW_VECTORS], uint32_t lanes,
			     struct row *to)
{
	vec_mask any = odd[0];
	uint32_t bits;

	for (int v = 1; v < ROW_VECTORS; v++)
		any |= odd[v];
	bits = __builtin_expect(vec_any(any), 0) ? row_bits(odd) & lanes : 0;
	return __builtin_expect(bits != 0, 0) ? bits : fast_store(r, to);
}

/* As fast_unless, where NaNs alone are odd. */
LANE_FN uint32_t fast_unless_nan(const vec_float r[ROW_VECTORS], uint32_t lanes, struct row *to)
{
	vec_mask odd[ROW_VECTORS], any = vec_float_nan(r[0], r[1]);

	for (int v = 2; v < ROW_VECTORS; v += 2)
		any |= vec_float_nan(r[v], r[v + 1]);
	if (__builtin_expect(!vec_any(any), 1))
		return fast_store(r, to);
	FOR_VECTORS(v)
		odd[v] = vec_float_nan(r[v], r[v]);
	return fast_unless(r, odd, lanes, to);
}

LANE_FN uint32_t fast_fadd(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
			    uint32_t flip_b, uint32_t flip_c, uint32_t lanes, struct row *to)
{
	vec_float r[ROW_VECTORS];

	if (!HOST_FLUSHES)
		return ~0u;
	FOR_VECTORS(v)
		r[v] = fast_load(a, v, flip_a) + fast_load(b, v, flip_b);
	return fast_unless_nan(r, lanes, to);
}

LANE_FN uint32_t fast_fmul(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
			    uint32_t flip_b, uint32_t flip_c, uint32_t lanes, struct row *to)
{
	vec_float r[ROW_VECTORS], zero = { 0 };
	vec_mask odd[ROW_VECTORS], any = { 0 };

	if (!HOST_FLUSHES)
		return ~0u;
	FOR_VECTORS(v)
		r[v] = fast_load(a, v, flip_a) * fast_load(b, v, 0);
	if (HOST_ROUNDS_FIRST)
		return fast_unless_nan(r, lanes, to);
	FOR_VECTORS(v)
		any |= vec_float_equal_or_nan(r[v], zero);
	if (__builtin_expect(!vec_any(any), 1))
		return fast_store(r, to);
	FOR_VECTORS(v)  /* a zero that is not of a factor may be 2^-126 after rounding */
		odd[v] = (vec_float_equal(r[v], zero) & ~vec_float_equal(fast_load(a, v, 0), zero) &
			  ~vec_float_equal(fast_load(b, v, 0), zero)) | vec_float_nan(r[v], r[v]);
	return fast_unless(r, odd, lanes, to);
}

/* Products within range (row_cut_products) are normal and below the larger exponents of a wider format. A sum of normal
 * numbers is a multiple of 2^-149: a denormal sum is exact, and made a zero by host and machine alike. Where the sum is
 * the product, the addend may have been 0 or the product infinite, both rare, as is a sum that is no number. */
LANE_FN uint32_t fast_fmad(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
			    uint32_t flip_b, uint32_t flip_c, uint32_t lanes, struct row *to)
{
	vec_float r[ROW_VECTORS], cut[ROW_VECTORS];
	vec_mask odd[ROW_VECTORS], any;

	if (!HOST_FLUSHES)
		return ~0u;
	any = row_cut_products(a, b, flip_a, cut);
	FOR_VECTORS(v) {
		r[v] = cut[v] + fast_load(c, v, flip_c);
		any |= vec_float_equal_or_nan(r[v], cut[v]);
	}
	if (__builtin_expect(!vec_any(any), 1))
		return fast_store(r, to);
	if (__builtin_constant_p(lanes) && lanes == ~0u)        /* of an odd row, where `lanes` is not needed */
		return ~0u;
	FOR_VECTORS(v)
		odd[v] = vec_float_equal_or_nan(r[v], cut[v]) | vec_unusual_product(cut[v]);
	return fast_unless(r, odd, lanes, to);
}

/* A factor or an addend of 0: the product is 0, or is rounded instead of cut. */
LANE_FN uint32_t rare_fmad(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
			     uint32_t flip_b, uint32_t flip_c, uint32_t lanes, struct row *to)
{
	vec_float r[ROW_VECTORS], cut[ROW_VECTORS], zero = { 0 };
	vec_mask odd[ROW_VECTORS];

	if (!HOST_FLUSHES)
		return ~0u;
	row_cut_products(a, b, flip_a, cut);
	FOR_VECTORS(v) {
		vec_float x = fast_load(a, v, flip_a), y = fast_load(b, v, 0), z = fast_load(c, v, flip_c);
		vec_mask product_is_zero = vec_float_equal(x, zero) | vec_float_equal(y, zero);

		vec_mask rounded = vec_float_equal(z, zero) | product_is_zero;

		r[v] = (vec_float)vec_blend(rounded, (vec)(x * y), (vec)cut[v]) + z;
		odd[v] = (vec_unusual_product(cut[v]) & ~product_is_zero) | vec_float_nan(r[v], r[v]);
	}
	return fast_unless(r, odd, lanes, to);
}

#endif
