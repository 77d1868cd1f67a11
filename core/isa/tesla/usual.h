/* Single precision for the operands that programs use, a row at a time, with the vector instructions that say at once
 * whether any lane is out of the ordinary. Each writes `to` and returns 0, or returns those of `lanes` that it cannot
 * do and has written nothing; what is right for them is arith_f32.h. */
#ifndef WB_CORE_ISA_TESLA_USUAL_H
#define WB_CORE_ISA_TESLA_USUAL_H

#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/simd.h"

#ifdef __AVX512F__

enum { HALF_ROW = LANES / 2, CLASS_NAN = 0x81, CLASS_DENORMAL = 0x20, TOWARDS_ZERO = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC };

struct half_rows {
	__m512 v[2];
};

LANE_FN __m512 usual_load(const struct row *r, int half, uint32_t flip)
{
	__m512i v = _mm512_load_si512(r->lane + half * HALF_ROW);
	return _mm512_castsi512_ps(flip ? _mm512_xor_si512(v, _mm512_set1_epi32((int)flip)) : v);
}

LANE_FN void usual_store(struct row *to, struct half_rows r)
{
	_mm512_store_ps(to->lane, r.v[0]);
	_mm512_store_ps(to->lane + HALF_ROW, r.v[1]);
}

LANE_FN __mmask16 usual_no_exponent(__m512 v)
{
	return _mm512_testn_epi32_mask(_mm512_castps_si512(v), _mm512_set1_epi32(F32_INF));
}

/* Magnitudes outside [low, high). */
LANE_FN __mmask16 usual_beyond(__m512 v, uint32_t low, uint32_t high)
{
	__m512i magnitude = _mm512_and_si512(_mm512_castps_si512(v), _mm512_set1_epi32(0x7fffffff));
	__m512i above = _mm512_sub_epi32(magnitude, _mm512_set1_epi32((int)low));
	return _mm512_cmpge_epu32_mask(above, _mm512_set1_epi32((int)(high - low)));
}

LANE_FN __m512 usual_flush(__m512 v)
{
	__m512i bits = _mm512_castps_si512(v);
	return _mm512_castsi512_ps(_mm512_mask_and_epi32(bits, usual_no_exponent(v), bits,
							 _mm512_set1_epi32((int)F32_SIGN)));
}

/* Denormals in, and what comes out denormal or as a NaN, are for the careful way. */
LANE_FN uint32_t usual_fadd(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
			    uint32_t flip_b, uint32_t flip_c, uint32_t lanes, struct row *to)
{
	struct half_rows out;
	uint32_t unsure = 0;

	for (int h = 0; h < 2; h++) {
		__m512 x = usual_load(a, h, flip_a), y = usual_load(b, h, flip_b), sum = _mm512_add_ps(x, y);
		__mmask16 odd = _mm512_fpclass_ps_mask(x, CLASS_DENORMAL) | _mm512_fpclass_ps_mask(y, CLASS_DENORMAL) |
				_mm512_fpclass_ps_mask(sum, CLASS_DENORMAL | CLASS_NAN);
		out.v[h] = sum;
		unsure |= (uint32_t)odd << h * HALF_ROW;
	}
	unsure &= lanes;
	if (__builtin_expect(!unsure, 1))
		usual_store(to, out);
	return unsure;
}

/* Likewise; the smallest normal number may have been rounded up to. */
LANE_FN uint32_t usual_fmul(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
			    uint32_t flip_b, uint32_t flip_c, uint32_t lanes, struct row *to)
{
	const __m512i one = _mm512_set1_epi32(1), small = _mm512_set1_epi32(0x00ffffff);
	struct half_rows out;
	uint32_t unsure = 0;

	for (int h = 0; h < 2; h++) {
		__m512 x = usual_load(a, h, flip_a), y = usual_load(b, h, 0), product = _mm512_mul_ps(x, y);
		__m512i magnitude = _mm512_and_si512(_mm512_castps_si512(product), _mm512_set1_epi32(0x7fffffff));
		__mmask16 odd = _mm512_fpclass_ps_mask(x, CLASS_DENORMAL) | _mm512_fpclass_ps_mask(y, CLASS_DENORMAL) |
				_mm512_fpclass_ps_mask(product, CLASS_NAN) |
				_mm512_cmplt_epu32_mask(_mm512_sub_epi32(magnitude, one), small);
		out.v[h] = product;
		unsure |= (uint32_t)odd << h * HALF_ROW;
	}
	unsure &= lanes;
	if (__builtin_expect(!unsure, 1))
		usual_store(to, out);
	return unsure;
}

/* Products from 2^-100 on that a format with more exponents would not have larger. */
LANE_FN __mmask16 usual_product_beyond(__m512 p)
{
	return usual_beyond(p, F32_TINY, 0x7f000000);
}

/* A factor or an addend of 0, and their denormals: the product is 0, or is rounded instead of cut. */
static inline uint32_t usual_fmad_zeros(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
					uint32_t flip_c, uint32_t lanes, struct row *to)
{
	struct half_rows out;
	uint32_t unsure = 0;

	for (int h = 0; h < 2; h++) {
		__m512 x = usual_flush(usual_load(a, h, flip_a)), y = usual_flush(usual_load(b, h, 0)),
		       z = usual_flush(usual_load(c, h, flip_c)), cut = _mm512_mul_round_ps(x, y, TOWARDS_ZERO);
		__m512 product = _mm512_mask_mul_ps(cut, usual_no_exponent(z), x, y), sum = _mm512_add_ps(product, z);
		__mmask16 zero = usual_no_exponent(x) | usual_no_exponent(y);
		__mmask16 odd = (usual_product_beyond(cut) & (__mmask16)~zero) |
				_mm512_fpclass_ps_mask(sum, CLASS_NAN);
		out.v[h] = sum;
		unsure |= (uint32_t)odd << h * HALF_ROW;
	}
	unsure &= lanes;
	if (!unsure)
		usual_store(to, out);
	return unsure;
}

/* The product is cut by the machine's own rounding. A sum that cancels is a multiple of 2^-124, so none is denormal. */
LANE_FN uint32_t usual_fmad(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
			    uint32_t flip_b, uint32_t flip_c, uint32_t lanes, struct row *to)
{
	struct half_rows out;
	uint32_t unsure = 0;

	for (int h = 0; h < 2; h++) {
		__m512 x = usual_load(a, h, flip_a), y = usual_load(b, h, 0), z = usual_load(c, h, flip_c);
		__m512 cut = _mm512_mul_round_ps(x, y, TOWARDS_ZERO), sum = _mm512_add_ps(cut, z);
		__mmask16 odd = usual_product_beyond(cut) | usual_no_exponent(x) | usual_no_exponent(y) |
				usual_no_exponent(z) | _mm512_fpclass_ps_mask(sum, CLASS_NAN);
		out.v[h] = sum;
		unsure |= (uint32_t)odd << h * HALF_ROW;
	}
	if (__builtin_expect(unsure & lanes, 0))
		return usual_fmad_zeros(a, b, c, flip_a, flip_c, lanes, to);
	usual_store(to, out);
	return 0;
}

#else

/* No lane is known to be usual without asking as much as the careful way does. */
#define usual_fadd(a, b, c, flip_a, flip_b, flip_c, lanes, to) (~0u)
#define usual_fmul(a, b, c, flip_a, flip_b, flip_c, lanes, to) (~0u)

#ifdef __FMA__
LANE_FN uint32_t usual_fmad(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
			    uint32_t flip_b, uint32_t flip_c, uint32_t lanes, struct row *to)
{
	struct row out;
	struct row unsure;
	uint32_t any = 0;

	FOR_LANES(l) {
		uint32_t odd = 0;
		out.lane[l] = f32_mad_usual(a->lane[l] ^ flip_a, b->lane[l], c->lane[l] ^ flip_c, false, &odd);
		unsure.lane[l] = odd;
		any |= odd;
	}
	if (__builtin_expect(any && any_lane(&unsure, lanes), 0))
		return lanes;
	*to = out;
	return 0;
}
#else
#define usual_fmad(a, b, c, flip_a, flip_b, flip_c, lanes, to) (~0u)
#endif

#endif
#endif
