/* Single precision for usual operands, a row at a time, with vector instructions that test all lanes at once for odd
 * cases. Each function writes `to` and returns 0, or returns the odd ones among `lanes` and writes nothing; the right
 * results for odd lanes come from arith_f32.h. */
#ifndef WB_CORE_ISA_TESLA_FAST_FLOAT_H
#define WB_CORE_ISA_TESLA_FAST_FLOAT_H

#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/simd.h"
#include "core/isa/tesla/fast_float_words.h"

#ifdef __AVX512F__

enum { HALF_ROW = LANES / 2, TOWARDS_ZERO = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC };
/* Classes by the numbers of vfpclassps; without denormals, those are zeros. */
enum { CLASS_NAN = 0x81, CLASS_ZERO = 0x06 };
/* Of vrangeps: the smaller and the larger of two magnitudes. */
enum { RANGE_LEAST = 0xa, RANGE_MOST = 0xb };

#define FAST_WORD(name) _mm512_set1_epi32((int)fast_float_words.name)

struct half_rows {
	__m512 v[2];
};

LANE_FN __m512 fast_load(const struct row *r, int half, uint32_t flip)
{
	__m512i v = _mm512_load_si512(r->lane + half * HALF_ROW);
	return _mm512_castsi512_ps(flip ? _mm512_xor_si512(v, _mm512_set1_epi32((int)flip)) : v);
}

LANE_FN uint32_t fast_store(const struct half_rows *r, uint32_t unsure, struct row *to)
{
	if (__builtin_expect(unsure, 0))
		return unsure;
	_mm512_store_ps(to->lane, r->v[0]);
	_mm512_store_ps(to->lane + HALF_ROW, r->v[1]);
	return 0;
}

/* Write the row if none of `lanes` is odd; else return the odd lanes. */
LANE_FN uint32_t fast_unless(const struct half_rows *r, const __mmask16 odd[2], uint32_t lanes, struct row *to)
{
	return fast_store(r, lanes & _cvtmask32_u32(_mm512_kunpackw(odd[1], odd[0])), to);
}

#define fast_is(v, classes) _mm512_fpclass_ps_mask(v, classes)

/* The distance of a magnitude above `low`; magnitudes below come out far above everything. */
LANE_FN __m512i fast_above(__m512 v, __m512i low)
{
	return _mm512_sub_epi32(_mm512_and_si512(_mm512_castps_si512(v), FAST_WORD(magnitude)), low);
}

/* NaN results are left to the slow path. */
LANE_FN uint32_t fast_fadd(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
			    uint32_t flip_b, uint32_t flip_c, uint32_t lanes, struct row *to)
{
	struct half_rows r;
	__mmask16 odd[2];

	for (int h = 0; h < 2; h++) {
		r.v[h] = _mm512_add_ps(fast_load(a, h, flip_a), fast_load(b, h, flip_b));
		odd[h] = fast_is(r.v[h], CLASS_NAN);
	}
	return fast_unless(&r, odd, lanes, to);
}

LANE_FN uint32_t fast_fmul(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
			    uint32_t flip_b, uint32_t flip_c, uint32_t lanes, struct row *to)
{
	struct half_rows r;
	__mmask16 odd[2];

	for (int h = 0; h < 2; h++) {
		r.v[h] = _mm512_mul_ps(fast_load(a, h, flip_a), fast_load(b, h, 0));
		odd[h] = fast_is(r.v[h], CLASS_NAN);
	}
	return fast_unless(&r, odd, lanes, to);
}

/* Are all products of two half rows in the range of fast_fmad, and does no sum equal its product? */
LANE_FN bool fast_all_sure(const struct half_rows *sum, const struct half_rows *cut)
{
	__m512 least = _mm512_range_ps(cut->v[0], cut->v[1], RANGE_LEAST);
	__m512 most = _mm512_range_ps(cut->v[0], cut->v[1], RANGE_MOST);
	__mmask16 sure = _mm512_cmp_ps_mask(sum->v[0], cut->v[0], _CMP_NEQ_OQ);

	sure = _mm512_mask_cmp_ps_mask(sure, sum->v[1], cut->v[1], _CMP_NEQ_OQ);
	sure = _mm512_mask_cmp_ps_mask(sure, least, _mm512_castsi512_ps(FAST_WORD(cut_low)), _CMP_GE_OQ);
	sure = _mm512_mask_cmp_ps_mask(sure, most, _mm512_castsi512_ps(FAST_WORD(cut_high)), _CMP_LT_OQ);
	return _kortestc_mask16_u8(sure, sure);
}

/* The product is cut by the host's own rounding; products within range go from 2^-100 up to the larger exponents of a
 * wider format. A sum that cancels is then a multiple of 2^-124, so none is denormal. Where the sum is the product, the
 * addend may have been 0, which is rare, as is a sum that is no number. */
LANE_FN uint32_t fast_fmad(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
			    uint32_t flip_b, uint32_t flip_c, uint32_t lanes, struct row *to)
{
	struct half_rows r, cut;
	__mmask16 odd[2];

	for (int h = 0; h < 2; h++) {
		cut.v[h] = _mm512_mul_round_ps(fast_load(a, h, flip_a), fast_load(b, h, 0), TOWARDS_ZERO);
		r.v[h] = _mm512_add_ps(cut.v[h], fast_load(c, h, flip_c));
	}
	if (__builtin_constant_p(lanes) && lanes == ~0u)        /* of an odd row, where `lanes` is not needed */
		return fast_store(&r, !fast_all_sure(&r, &cut), to);
	for (int h = 0; h < 2; h++) {
		__mmask16 sure = _mm512_cmp_ps_mask(r.v[h], cut.v[h], _CMP_NEQ_OQ);
		odd[h] = _knot_mask16(_mm512_mask_cmplt_epu32_mask(sure, fast_above(cut.v[h], FAST_WORD(cut_low)),
								   FAST_WORD(cut_span)));
	}
	return fast_unless(&r, odd, lanes, to);
}

/* A factor or an addend of 0: the product is 0, or is rounded instead of cut. */
LANE_FN uint32_t rare_fmad(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
			     uint32_t flip_b, uint32_t flip_c, uint32_t lanes, struct row *to)
{
	struct half_rows r;
	__mmask16 odd[2];

	for (int h = 0; h < 2; h++) {
		__m512 x = fast_load(a, h, flip_a), y = fast_load(b, h, 0), z = fast_load(c, h, flip_c);
		__m512 cut = _mm512_mul_round_ps(x, y, TOWARDS_ZERO);
		__m512 product = _mm512_mask_mul_ps(cut, fast_is(z, CLASS_ZERO), x, y);
		__mmask16 zero = _kor_mask16(fast_is(x, CLASS_ZERO), fast_is(y, CLASS_ZERO));
		r.v[h] = _mm512_add_ps(product, z);
		odd[h] = _mm512_cmpge_epu32_mask(fast_above(cut, FAST_WORD(cut_low)), FAST_WORD(cut_span));
		odd[h] = _kor_mask16(_kandn_mask16(zero, odd[h]), fast_is(r.v[h], CLASS_NAN));
	}
	return fast_unless(&r, odd, lanes, to);
}

#else

/* No lane is known to be in range without all tests of the slow path. */
#define rare_fmad(a, b, c, flip_a, flip_b, flip_c, lanes, to) (~0u)
#define fast_fadd(a, b, c, flip_a, flip_b, flip_c, lanes, to) (~0u)
#define fast_fmul(a, b, c, flip_a, flip_b, flip_c, lanes, to) (~0u)

#ifdef __FMA__
LANE_FN uint32_t fast_fmad(const struct row *a, const struct row *b, const struct row *c, uint32_t flip_a,
			    uint32_t flip_b, uint32_t flip_c, uint32_t lanes, struct row *to)
{
	struct row out;
	struct row unsure;
	uint32_t any = 0;

	FOR_LANES(l) {
		uint32_t odd = 0;
		out.lane[l] = f32_mad_fast(a->lane[l] ^ flip_a, b->lane[l], c->lane[l] ^ flip_c, false, &odd);
		unsure.lane[l] = odd;
		any |= odd;
	}
	if (__builtin_expect(any && any_lane(&unsure, lanes), 0))
		return lanes;
	*to = out;
	return 0;
}
#else
#define fast_fmad(a, b, c, flip_a, flip_b, flip_c, lanes, to) (~0u)
#endif

#endif
#endif
