/* Vectors of the host: a row of a warp is ROW_VECTORS of them. Arithmetic on vectors is C's own (GNU C vectors); the
 * few operations for which C has no operator have a name here, so that code for rows is the same source for AVX-512,
 * AVX2, SSE2, NEON, WebAssembly and a host without vectors. No other file asks for the host's instruction set.
 *
 * Code with vectors is compiled once for each SIMD level (core/isa/simd.h). */
#ifndef WB_CORE_BASE_VECTOR_H
#define WB_CORE_BASE_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"

/* Reading all of x86's intrinsics takes 0.7 s of processor in each file, reading those of SSE2 0.02. */
#if defined __AVX2__
#include <immintrin.h>
#elif defined __SSE2__
#include <emmintrin.h>
#elif defined __ARM_NEON
#include <arm_neon.h>
#elif defined __wasm_simd128__
#include <wasm_simd128.h>
#endif

/* VECTOR_PERMUTES: words of a vector can be moved by an index or a mask. HOST_FUSES: a multiply-add that rounds once is
 * an instruction. */
#if defined __AVX512F__
#define VECTOR_LANES 16
#define VECTOR_PERMUTES 1
#elif defined __AVX2__
#define VECTOR_LANES 8
#define VECTOR_PERMUTES 0
#else
#define VECTOR_LANES 4
#define VECTOR_PERMUTES 0
#endif
/* Words of a vector are put in any order by one instruction; of two vectors by VECTOR_PERMUTES. */
#if defined __AVX2__ && !defined __AVX512F__
#define VECTOR_MOVES 1
#else
#define VECTOR_MOVES 0
#endif
#if (defined __FMA__ && !defined __AVX512F__) || defined __aarch64__
#define HOST_CUTS_BY_FUSION 1   /* row_cut_products */
#else
#define HOST_CUTS_BY_FUSION 0
#endif
#if defined __FMA__ || defined __FP_FAST_FMAF
enum { HOST_FUSES = true };
#else
enum { HOST_FUSES = false };
#endif
enum { ROW_VECTORS = LANES / VECTOR_LANES };

#define VEC_FN static inline __attribute__((always_inline))
/* A loop over vectors of lanes without its jumps; a module of WebAssembly is to be small. */
#ifdef __wasm__
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
#define FOR_VECTORS(v) _Pragma("GCC unroll 16") for (int v = 0; v < ROW_VECTORS; v++)

/* statement(v) for each vector of a row, without a loop. */
#define EACH_VECTOR(statement) \
	IF_VECTOR(0, statement) IF_VECTOR(1, statement) IF_VECTOR(2, statement) IF_VECTOR(3, statement) \
	IF_VECTOR(4, statement) IF_VECTOR(5, statement) IF_VECTOR(6, statement) IF_VECTOR(7, statement) \
	IF_VECTOR(8, statement) IF_VECTOR(9, statement) IF_VECTOR(10, statement) IF_VECTOR(11, statement) \
	IF_VECTOR(12, statement) IF_VECTOR(13, statement) IF_VECTOR(14, statement) IF_VECTOR(15, statement)
#define IF_VECTOR(v, statement) if ((v) < ROW_VECTORS) { statement(v) }

typedef uint32_t vec __attribute__((vector_size(4 * VECTOR_LANES), may_alias));
typedef uint32_t vec_unaligned __attribute__((vector_size(4 * VECTOR_LANES), aligned(4), may_alias));
typedef int32_t vec_int __attribute__((vector_size(4 * VECTOR_LANES), may_alias));
typedef uint32_t vec_word __attribute__((may_alias));
typedef float vec_float __attribute__((vector_size(4 * VECTOR_LANES), may_alias));

/* Lanes that pass a test; &, | and ~ work on masks of every host. */
#if defined __AVX512F__
typedef __mmask16 vec_mask;
#else
typedef vec_int vec_mask;       /* -1 or 0 in each lane */
#endif

/* ---- rows ---- */

VEC_FN vec row_vec(const struct row *r, int v)
{
	return ((const vec *)r->lane)[v];
}

VEC_FN void row_set_vec(struct row *r, int v, vec value)
{
	((vec *)r->lane)[v] = value;
}

VEC_FN vec vec_all(uint32_t word)
{
	return (vec){ 0 } + word;
}

/* Words in memory, aligned like words. */
VEC_FN vec vec_load(const void *words)
{
	return *(const vec_unaligned *)words;
}

VEC_FN void vec_store(void *words, vec v)
{
	*(vec_unaligned *)words = v;
}

/* 0, step, 2 step … */
VEC_FN vec vec_count(uint32_t step)
{
	vec v;

	for (int l = 0; l < VECTOR_LANES; l++)
		v[l] = (uint32_t)l;
	return v * step;
}

/* A word in all lanes. The compiler takes a known word through a general register, a word in memory straight. */
VEC_FN vec_float vec_float_all(float x)
{
	return x - (vec_float){ 0 };
}

/* ---- masks ---- */

VEC_FN bool vec_any(vec_mask m)
{
#if defined __AVX512F__
	return m;
#elif defined __AVX2__
	return _mm256_movemask_ps((__m256)m);
#elif defined __SSE2__
	return _mm_movemask_ps((__m128)m);
#elif defined __ARM_NEON && defined __aarch64__
	return vmaxvq_u32((uint32x4_t)m);
#elif defined __wasm_simd128__
	return wasm_v128_any_true((v128_t)m);
#else
	int32_t any = 0;

	for (int l = 0; l < VECTOR_LANES; l++)
		any |= m[l];
	return any;
#endif
}

/* Is a bit of the words set? */
VEC_FN bool vec_any_bit(vec v)
{
#if defined __AVX512F__
	return _mm512_test_epi32_mask((__m512i)v, (__m512i)v);
#elif defined __AVX2__
	return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#elif defined __SSE2__
	return _mm_movemask_epi8(_mm_cmpeq_epi32((__m128i)v, _mm_setzero_si128())) != 0xffff;
#elif defined __ARM_NEON && defined __aarch64__
	return vmaxvq_u32((uint32x4_t)v);
#elif defined __wasm_simd128__
	return wasm_v128_any_true((v128_t)v);
#else
	uint32_t any = 0;

	for (int l = 0; l < VECTOR_LANES; l++)
		any |= v[l];
	return any;
#endif
}

/* A bit for each lane. */
VEC_FN uint32_t vec_bits(vec_mask m)
{
#if defined __AVX512F__
	return m;
#elif defined __AVX2__
	return (uint32_t)_mm256_movemask_ps((__m256)m);
#elif defined __SSE2__
	return (uint32_t)_mm_movemask_ps((__m128)m);
#elif defined __ARM_NEON && defined __aarch64__
	return vaddvq_u32((uint32x4_t)m & (uint32x4_t){ 1, 2, 4, 8 });
#elif defined __wasm_simd128__
	return wasm_i32x4_bitmask((v128_t)m);
#else
	uint32_t bits = 0;

	for (int l = 0; l < VECTOR_LANES; l++)
		bits |= (uint32_t)(m[l] & 1) << l;
	return bits;
#endif
}

/* The bits of a row's masks. */
VEC_FN row_mask row_bits(const vec_mask m[ROW_VECTORS])
{
	row_mask bits = 0;

#if defined __AVX512F__
	if (ROW_VECTORS == 2)
		return _cvtmask32_u32(_mm512_kunpackw(m[1], m[0]));
#endif
	FOR_VECTORS(v)
		bits |= (row_mask)vec_bits(m[v]) << v * VECTOR_LANES;
	return bits;
}

VEC_FN vec_mask vec_differ(vec a, vec b)
{
#if defined __AVX512F__
	return _mm512_cmpneq_epi32_mask((__m512i)a, (__m512i)b);
#else
	return a != b;
#endif
}

/* Has a a bit of b? */
VEC_FN vec_mask vec_meet(vec a, vec b)
{
#if defined __AVX512F__
	return _mm512_test_epi32_mask((__m512i)a, (__m512i)b);
#else
	return (a & b) != 0;
#endif
}

/* a > b, without sign. */
VEC_FN vec_mask vec_above(vec a, vec b)
{
#if defined __AVX512F__
	return _mm512_cmpgt_epu32_mask((__m512i)a, (__m512i)b);
#else
	return a > b;
#endif
}

#if VECTOR_MOVES
/* In each lane the word of v that the low bits of index name. */
VEC_FN vec vec_move(vec v, vec index)
{
	return (vec)_mm256_permutevar8x32_epi32((__m256i)v, (__m256i)index);
}

/* `yes` where the sign bit is set. */
VEC_FN vec vec_by_sign(vec sign, vec yes, vec no)
{
	return (vec)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)sign);
}
#endif

/* Lanes of `yes` where m, else of `no`. */
VEC_FN vec vec_blend(vec_mask m, vec yes, vec no)
{
#if defined __AVX512F__
	return (vec)_mm512_mask_blend_epi32(m, (__m512i)no, (__m512i)yes);
#elif defined __AVX2__
	return (vec)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)m);
#else
	return (yes & (vec)m) | (no & ~(vec)m);
#endif
}

/* The words of the lanes of m, 0 in others. */
VEC_FN vec vec_some(vec_mask m, vec v)
{
#if defined __AVX512F__
	return (vec)_mm512_maskz_mov_epi32(m, (__m512i)v);
#else
	return v & (vec)m;
#endif
}

/* The mask of a vector's lanes by bits. */
VEC_FN vec_mask vec_mask_of(uint32_t bits)
{
#if defined __AVX512F__
	return (__mmask16)bits;
#else
	vec bit;

	for (int l = 0; l < VECTOR_LANES; l++)
		bit[l] = 1u << l;
	return (vec_all(bits) & bit) == bit;
#endif
}

/* Write a row's vector v in the lanes of m, all of the vector at once: the host could not load the row again before a
 * masked store is in the cache. */
VEC_FN void row_blend_vec(struct row *r, int v, vec_mask m, vec value)
{
	value = vec_blend(m, value, row_vec(r, v));
#if defined __AVX512F__
	__asm__("" : "+v"(value));
#endif
	row_set_vec(r, v, value);
}

/* d = m ? s : d, lane by lane. */
static inline void row_blend(struct row *d, const struct row *s, lane_mask m)
{
	if ((row_mask)m == ROW_ALL) {
		*d = *s;
		return;
	}
	FOR_VECTORS(v)
		row_blend_vec(d, v, vec_mask_of((uint32_t)(m >> v * VECTOR_LANES)), row_vec(s, v));
}

/* A bit a lane as a row of 0 and 1, and back: lanes with a word other than 0. */
static inline void row_of_mask(struct row *to, uint64_t mask)
{
	FOR_VECTORS(v)
		row_set_vec(to, v, vec_some(vec_mask_of((uint32_t)(mask >> v * VECTOR_LANES)), vec_all(1)));
}

static inline uint64_t mask_of_row(const struct row *r)
{
	vec_mask set[ROW_VECTORS];

	FOR_VECTORS(v)
		set[v] = vec_meet(row_vec(r, v), row_vec(r, v));
	return row_bits(set);
}

/* 2^v, for v from 0 to 31. */
VEC_FN vec vec_power(vec v)
{
#if defined __AVX2__ || defined __ARM_NEON
	return vec_all(1) << v;
#elif defined __SSE2__
	/* without shifts by vectors: the exponent of a float; 2^31, which is no int, becomes the word 0x80000000 */
	return (vec)_mm_cvttps_epi32((__m128)((v + 127) << 23));
#else
	return __builtin_convertvector((vec_float)((v + 127) << 23), vec);
#endif
}

/* 2^v in the lanes of `bits`, 0 in others and where v, below 2^31, exceeds 31. */
VEC_FN vec vec_power_some(vec v, uint32_t bits)
{
#if defined __AVX512F__
	return (vec)_mm512_maskz_sllv_epi32((__mmask16)bits, _mm512_set1_epi32(1), (__m512i)v);
#elif defined __AVX2__
	return (vec)_mm256_sllv_epi32((__m256i)(vec_all(bits) >> vec_count(1) & 1), (__m256i)v);
#else
	return vec_power(v & 31) & (vec)((vec_int)v < 32) & (vec)vec_mask_of(bits);
#endif
}

/* The bits of all lanes together. */
VEC_FN uint32_t vec_unite(vec v)
{
#if defined __AVX512F__
	return (uint32_t)_mm512_reduce_or_epi32((__m512i)v);
#elif defined __SSE2__
#if defined __AVX2__
	__m128i m = _mm_or_si128(_mm256_castsi256_si128((__m256i)v), _mm256_extracti128_si256((__m256i)v, 1));
#else
	__m128i m = (__m128i)v;
#endif
	m = _mm_or_si128(m, _mm_shuffle_epi32(m, 0x4e));
	return (uint32_t)_mm_cvtsi128_si32(_mm_or_si128(m, _mm_shuffle_epi32(m, 0xb1)));
#else
	uint32_t bits = 0;

	for (int l = 0; l < VECTOR_LANES; l++)
		bits |= v[l];
	return bits;
#endif
}

/* The bits of all lanes of `low` together, and above them of `high`. */
VEC_FN uint64_t vec_unite_two(vec low, vec high)
{
#if defined __SSE2__ && !defined __AVX512F__
#if defined __AVX2__
	__m256i both = _mm256_or_si256(_mm256_unpacklo_epi32((__m256i)low, (__m256i)high),
				       _mm256_unpackhi_epi32((__m256i)low, (__m256i)high));
	__m128i m = _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
#else
	__m128i m = _mm_or_si128(_mm_unpacklo_epi32((__m128i)low, (__m128i)high),
				 _mm_unpackhi_epi32((__m128i)low, (__m128i)high));
#endif
	return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(m, _mm_shuffle_epi32(m, 0x4e)));
#else
	return vec_unite(low) | (uint64_t)vec_unite(high) << 32;
#endif
}

/* Lanes with a word, 0 to 15, in `set` (bit = value). */
VEC_FN vec_mask vec_nibbles_in(vec v, uint32_t set)
{
#if defined __AVX512F__
	return _mm512_test_epi32_mask((__m512i)vec_power(v), _mm512_set1_epi32((int)set));
#else
	return (vec_int)(vec_power(v) & set) > 0;
#endif
}

/* The words of memory at byte offsets below 2^31 from `base`, in the lanes of `bits`; 0 or any word in others, without
 * an access beyond the first word. */
VEC_FN vec vec_gather(const void *base, vec offset, uint32_t bits)
{
#if defined __AVX512F__
	return (vec)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), (__mmask16)bits, (__m512i)offset, base, 1);
#else
	vec word;

	offset &= (vec)vec_mask_of(bits);
	for (int l = 0; l < VECTOR_LANES; l++)
		word[l] = *(const vec_word *)((const char *)base + offset[l]);
	return word;
#endif
}

/* The words of memory at distances of bytes from `at`, which may be negative. */
VEC_FN vec vec_collect(const uint8_t *at, const uint32_t apart[VECTOR_LANES])
{
#if defined __AVX512F__
	return (vec)_mm512_i32gather_epi32((__m512i)vec_load(apart), at, 1);
#else
	/* on most hosts as fast as AVX2's instruction, and on some several times as fast */
	vec words = { 0 };

	UNROLL for (int l = 0; l < VECTOR_LANES; l++)
		words[l] = *(const vec_word *)(at + (int32_t)apart[l]);
	return words;
#endif
}

/* ---- four words, of every host ---- */

typedef uint32_t vec_four __attribute__((vector_size(16), may_alias));
typedef uint32_t vec_four_unaligned __attribute__((vector_size(16), aligned(4), may_alias));

VEC_FN vec_four vec_four_load(const void *words)
{
	return *(const vec_four_unaligned *)words;
}

VEC_FN void vec_four_store(void *words, vec_four v)
{
	*(vec_four_unaligned *)words = v;
}

VEC_FN bool vec_four_any_bit(vec_four v)
{
	typedef uint64_t two __attribute__((vector_size(16)));
	two t = (two)v;

	return (t[0] | t[1]) != 0;
}

#if VECTOR_PERMUTES
/* Store words at byte offsets from `base`, which may be negative, in the lanes of `bits`; in the order of lanes. */
VEC_FN void vec_scatter(void *base, vec offset, uint32_t bits, vec words)
{
	_mm512_mask_i32scatter_epi32(base, (__mmask16)bits, (__m512i)offset, (__m512i)words, 1);
}

/* Words of memory in the lanes of `bits`, 0 in others; no access for the latter. */
VEC_FN vec vec_load_some(const void *words, uint32_t bits)
{
	return (vec)_mm512_maskz_loadu_epi32((__mmask16)bits, words);
}

VEC_FN void vec_store_some(void *words, uint32_t bits, vec v)
{
	_mm512_mask_storeu_epi32(words, (__mmask16)bits, (__m512i)v);
}

/* Words `index` of two vectors side by side. */
VEC_FN vec vec_permute_two(vec low, vec high, vec index)
{
	return (vec)_mm512_permutex2var_epi32((__m512i)low, (__m512i)index, (__m512i)high);
}

VEC_FN vec vec_permute(vec v, vec index)
{
	return (vec)_mm512_permutexvar_epi32((__m512i)index, (__m512i)v);
}

/* The first words of v, in order, to the lanes of `bits`, and back. */
VEC_FN vec vec_expand(vec v, uint32_t bits)
{
	return (vec)_mm512_maskz_expand_epi32((__mmask16)bits, (__m512i)v);
}

VEC_FN vec vec_compress(vec v, uint32_t bits)
{
	return (vec)_mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)v);
}

/* The words from lane 1 on, then `last`. */
VEC_FN vec vec_shift_down(vec v, vec last)
{
	return (vec)_mm512_alignr_epi32((__m512i)last, (__m512i)v, 1);
}
#endif

/* ---- bytes: one for each lane of one or two half-warps ---- */

#if defined __AVX2__
enum { VEC_HALVES = 2 };
#else
enum { VEC_HALVES = 1 };
#endif
enum { HALF_LANES = 16, VEC_BYTES = HALF_LANES * VEC_HALVES };
typedef uint8_t vec_bytes __attribute__((vector_size(HALF_LANES * VEC_HALVES), may_alias));

typedef uint8_t vec_bytes_unaligned
	__attribute__((vector_size(HALF_LANES * VEC_HALVES), aligned(1), may_alias));

VEC_FN void vec_bytes_store(uint8_t *bytes, vec_bytes v)
{
	*(vec_bytes_unaligned *)bytes = v;
}

VEC_FN vec_bytes vec_bytes_all(uint8_t byte)
{
	return (vec_bytes){ 0 } + byte;
}

/* 0, 1, 2 … */
VEC_FN vec_bytes vec_bytes_count(void)
{
	vec_bytes v;

	for (int i = 0; i < VEC_BYTES; i++)
		v[i] = (uint8_t)i;
	return v;
}

/* The words, all below 256, as bytes. */
VEC_FN vec_bytes vec_bytes_of(const vec v[VEC_BYTES / VECTOR_LANES])
{
#if defined __AVX512F__
	return (vec_bytes)_mm256_inserti128_si256(_mm256_castsi128_si256(_mm512_cvtepi32_epi8((__m512i)v[0])),
						  _mm512_cvtepi32_epi8((__m512i)v[1]), 1);
#elif defined __AVX2__
	__m256i low = _mm256_packus_epi32((__m256i)v[0], (__m256i)v[1]),
		high = _mm256_packus_epi32((__m256i)v[2], (__m256i)v[3]);

	return (vec_bytes)_mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high),
						      _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
#elif defined __SSE2__
	__m128i low = _mm_packs_epi32((__m128i)v[0], (__m128i)v[1]),
		high = _mm_packs_epi32((__m128i)v[2], (__m128i)v[3]);

	return (vec_bytes)_mm_packus_epi16(low, high);
#else
	vec_bytes bytes;

	for (int i = 0; i < VEC_BYTES; i++)
		bytes[i] = (uint8_t)v[i / VECTOR_LANES][i % VECTOR_LANES];
	return bytes;
#endif
}

/* The lanes of a row with a word, 0 to 15, in `set` (bit = value). At AVX2 words become bytes, each of which
 * chooses from a table with a byte for each value. */
#if defined __AVX2__ && !defined __AVX512F__ && ROW_LANES == 32
VEC_FN row_mask row_nibbles_in(const struct row *r, uint32_t set)
{
	const vec words[] = { row_vec(r, 0), row_vec(r, 1), row_vec(r, 2), row_vec(r, 3) };
	__m256i half = _mm256_shuffle_epi8(_mm256_set1_epi16((short)set),
					   _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
							    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
	__m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
	__m256i table = _mm256_cmpeq_epi8(_mm256_and_si256(half, bit), bit);

	return (row_mask)_mm256_movemask_epi8(_mm256_shuffle_epi8(table, (__m256i)vec_bytes_of(words)));
}
#else
VEC_FN row_mask row_nibbles_in(const struct row *r, uint32_t set)
{
	vec_mask in[ROW_VECTORS];

	FOR_VECTORS(v)
		in[v] = vec_nibbles_in(row_vec(r, v), set);
	return row_bits(in);
}
#endif

/* Bytes of each half moved up by n places, a constant from 1 to 15; zeros come in, or the bytes that went out. */
#if defined __AVX2__
#define VEC_BYTES_UP(v, n) ((vec_bytes)_mm256_bslli_epi128((__m256i)(v), n))
#define VEC_BYTES_ROUND(v, n) ((vec_bytes)_mm256_alignr_epi8((__m256i)(v), (__m256i)(v), 16 - (n)))
#elif defined __SSE2__
#define VEC_BYTES_UP(v, n) ((vec_bytes)_mm_slli_si128((__m128i)(v), n))
/* By 4 and 8 places words move; 5, 6 and 7 places are 4 after 1, 2 and 3, which mostly exist. */
#define VEC_BYTES_ROUND(v, n) \
	((n) == 8 ? VEC_BYTES_WORDS(v, 0x4e) : (n) == 4 ? VEC_BYTES_WORDS(v, 0x93) : \
	 (n) > 4 && (n) < 8 ? VEC_BYTES_WORDS(VEC_BYTES_TWO(v, (n) & 3), 0x93) : VEC_BYTES_TWO(v, n))
#define VEC_BYTES_WORDS(v, order) ((vec_bytes)_mm_shuffle_epi32((__m128i)(v), order))
#define VEC_BYTES_TWO(v, n) ((vec_bytes)(VEC_BYTES_UP(v, n) | (vec_bytes)_mm_srli_si128((__m128i)(v), 16 - (n))))
#elif defined __ARM_NEON
#define VEC_BYTES_UP(v, n) ((vec_bytes)vextq_u8(vdupq_n_u8(0), (uint8x16_t)(v), 16 - (n)))
#define VEC_BYTES_ROUND(v, n) ((vec_bytes)vextq_u8((uint8x16_t)(v), (uint8x16_t)(v), 16 - (n)))
#else
#define VEC_BYTES_UP(v, n) vec_bytes_up(v, n, 0)
#define VEC_BYTES_ROUND(v, n) vec_bytes_up(v, n, 255)
VEC_FN vec_bytes vec_bytes_up(vec_bytes v, int n, uint8_t kept)
{
	vec_bytes up;

	for (int i = 0; i < HALF_LANES; i++)
		up[i] = v[(i - n) & (HALF_LANES - 1)] & (i < n ? kept : 255);
	return up;
}
#endif

/* A bit for each byte of a comparison. */
VEC_FN uint32_t vec_bytes_bits(vec_bytes m)
{
#if defined __AVX2__
	return (uint32_t)_mm256_movemask_epi8((__m256i)m);
#elif defined __SSE2__
	return (uint32_t)_mm_movemask_epi8((__m128i)m);
#elif defined __ARM_NEON && defined __aarch64__
	uint8x16_t bits = (uint8x16_t)m & (uint8x16_t){ 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };

	return vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
#else
	uint32_t bits = 0;

	for (int i = 0; i < VEC_BYTES; i++)
		bits |= (uint32_t)(m[i] & 1) << i;
	return bits;
#endif
}

/* The largest byte of each half, added up. */
VEC_FN unsigned vec_bytes_most(vec_bytes v)
{
#if defined __AVX2__
	__m256i m = (__m256i)v;

	m = _mm256_max_epu8(m, _mm256_bsrli_epi128(m, 8));
	m = _mm256_max_epu8(m, _mm256_bsrli_epi128(m, 4));
	m = _mm256_max_epu8(m, _mm256_bsrli_epi128(m, 2));
	m = _mm256_max_epu8(m, _mm256_bsrli_epi128(m, 1));
	return ((vec_bytes)m)[0] + ((vec_bytes)m)[16];
#elif defined __SSE2__
	__m128i m = (__m128i)v;

	m = _mm_max_epu8(m, _mm_srli_si128(m, 8));
	m = _mm_max_epu8(m, _mm_srli_si128(m, 4));
	m = _mm_max_epu8(m, _mm_srli_si128(m, 2));
	m = _mm_max_epu8(m, _mm_srli_si128(m, 1));
	return ((vec_bytes)m)[0];
#elif defined __ARM_NEON && defined __aarch64__
	return vmaxvq_u8((uint8x16_t)v);
#else
	uint8_t most = 0;

	for (int i = 0; i < VEC_BYTES; i++)
		most = v[i] > most ? v[i] : most;
	return most;
#endif
}

/* ---- floats ---- */

/* Is a equal to b, or one of the two a NaN? */
VEC_FN vec_mask vec_float_equal_or_nan(vec_float a, vec_float b)
{
#if defined __AVX512F__
	return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_UQ);
#elif defined __AVX2__
	return (vec_mask)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_EQ_UQ);
#else
	return ~((a < b) | (a > b));
#endif
}

VEC_FN vec_mask vec_float_equal(vec_float a, vec_float b)
{
#if defined __AVX512F__
	return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ);
#else
	return a == b;
#endif
}

VEC_FN vec_mask vec_float_less(vec_float a, vec_float b)
{
#if defined __AVX512F__
	return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
#else
	return a < b;
#endif
}

VEC_FN vec_mask vec_float_not_less(vec_float a, vec_float b)
{
#if defined __AVX512F__
	return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_NLT_UQ);
#elif defined __AVX2__
	return (vec_mask)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_NLT_UQ);
#elif defined __SSE2__
	return (vec_mask)_mm_cmpnlt_ps((__m128)a, (__m128)b);
#else
	return ~(a < b);
#endif
}

/* Is one of the two a NaN? */
VEC_FN vec_mask vec_float_nan(vec_float a, vec_float b)
{
#if defined __AVX512F__
	return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_UNORD_Q);
#elif defined __AVX2__
	return (vec_mask)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_UNORD_Q);
#elif defined __SSE2__
	return (vec_mask)_mm_cmpunord_ps((__m128)a, (__m128)b);
#else
	return ~((a == a) & (b == b));
#endif
}

VEC_FN vec_float vec_magnitude(vec_float a)
{
	return (vec_float)((vec)a & ~(vec)vec_float_all(-0.0f));
}

/* The smaller and the larger of two; either, if one is a NaN. */
VEC_FN vec_float vec_float_min(vec_float a, vec_float b)
{
#if defined __AVX512F__
	return (vec_float)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined __AVX2__
	return (vec_float)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined __SSE2__
	return (vec_float)_mm_min_ps((__m128)a, (__m128)b);
#elif defined __ARM_NEON
	return (vec_float)vminq_f32((float32x4_t)a, (float32x4_t)b);
#elif defined __wasm_simd128__
	return (vec_float)wasm_f32x4_pmin((v128_t)a, (v128_t)b);
#else
	return (vec_float)vec_blend(a < b, (vec)a, (vec)b);
#endif
}

VEC_FN vec_float vec_float_max(vec_float a, vec_float b)
{
#if defined __AVX512F__
	return (vec_float)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined __AVX2__
	return (vec_float)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined __SSE2__
	return (vec_float)_mm_max_ps((__m128)a, (__m128)b);
#elif defined __ARM_NEON
	return (vec_float)vmaxq_f32((float32x4_t)a, (float32x4_t)b);
#elif defined __wasm_simd128__
	return (vec_float)wasm_f32x4_pmax((v128_t)a, (v128_t)b);
#else
	return (vec_float)vec_blend(a < b, (vec)b, (vec)a);
#endif
}

/* ---- the host's mode for floats ----
 *
 * HOST_FLUSHES: the host has a mode without denormals, in which zeros of the same sign take the place of denormal
 * operands and results. HOST_ROUNDS_FIRST: a result counts as a denormal only if rounded to 24 bits it still is; other
 * hosts judge a result before rounding. */
#if defined __SSE2__
enum { HOST_FLUSHES = true, HOST_ROUNDS_FIRST = true };
/* HOST_MODE_FLAGS: no operation traps, and what operations would note is noted already. */
enum { HOST_WITHOUT_DENORMALS = 1 << 15 | 1 << 6, HOST_TOWARDS_ZERO = 3 << 13, HOST_MODE_FLAGS = 0x1fbf };

VEC_FN unsigned host_mode_get(void)
{
	return _mm_getcsr();
}

VEC_FN void host_mode_set(unsigned mode)
{
	_mm_setcsr(mode);
}
#elif defined __aarch64__
enum { HOST_FLUSHES = true, HOST_ROUNDS_FIRST = false };
enum { HOST_WITHOUT_DENORMALS = 1 << 24 };

VEC_FN unsigned host_mode_get(void)
{
	uint64_t mode;

	__asm__ volatile("mrs %0, fpcr" : "=r"(mode));
	return (unsigned)mode;
}

VEC_FN void host_mode_set(unsigned mode)
{
	__asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)mode));
}
#else
enum { HOST_FLUSHES = false, HOST_ROUNDS_FIRST = false };
enum { HOST_WITHOUT_DENORMALS = 0 };

VEC_FN unsigned host_mode_get(void)
{
	return 0;
}

VEC_FN void host_mode_set(unsigned mode)
{
}
#endif

/* ---- products towards zero ----
 *
 * cut = (a ^ flip) * b, rounded towards zero; the host is in the mode without denormals and rounds to nearest. The
 * result has no lane where all products of the row are usual: a magnitude of at least PRODUCT_LOW and, without a fused
 * multiplication, below PRODUCT_HIGH, or an infinity where `cut` is infinite too. Of other products `cut` is any
 * number, but none from PRODUCT_LOW up to PRODUCT_HIGH. */
#if HOST_CUTS_BY_FUSION
#define PRODUCT_LOW 0x1p-100f
#define PRODUCT_HIGH 0x1p103f
#else
#define PRODUCT_LOW 0x1p-125f
#define PRODUCT_HIGH 0x1p127f
#endif

/* Lanes with a magnitude outside. */
VEC_FN vec_mask vec_unusual_product(vec_float a)
{
	vec_float magnitude = vec_magnitude(a);

	return vec_float_less(magnitude, vec_float_all(PRODUCT_LOW)) |
	       vec_float_not_less(magnitude, vec_float_all(PRODUCT_HIGH));
}

#if defined __AVX512F__
VEC_FN vec_mask row_cut_products(const struct row *a, const struct row *b, uint32_t flip, vec_float cut[ROW_VECTORS])
{
	enum { LEAST = 0xa, MOST = 0xb };       /* of vrangeps: the smaller and the larger magnitude of two */
	__m512 least, most;

	FOR_VECTORS(v)
		cut[v] = (vec_float)_mm512_mul_round_ps((__m512)(row_vec(a, v) ^ flip), (__m512)row_vec(b, v),
							_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
	least = most = (__m512)cut[0];
	for (int v = 1; v < ROW_VECTORS; v++) {
		least = _mm512_range_ps(least, (__m512)cut[v], LEAST);
		most = _mm512_range_ps(most, (__m512)cut[v], MOST);
	}
	if (ROW_VECTORS == 1)
		return vec_unusual_product(cut[0]);
	return vec_float_less((vec_float)least, vec_float_all(PRODUCT_LOW)) |
	       vec_float_not_less((vec_float)most, vec_float_all(PRODUCT_HIGH));
}
#elif HOST_CUTS_BY_FUSION
VEC_FN vec_float vec_float_fused(vec_float a, vec_float b, vec_float c)
{
#if defined __FMA__
	return (vec_float)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
	return (vec_float)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#endif
}

VEC_FN vec_int vec_int_min(vec_int a, vec_int b)
{
#if defined __FMA__
	return (vec_int)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
	return (vec_int)vminq_s32((int32x4_t)a, (int32x4_t)b);
#endif
}

/* The same value, of which the compiler knows no place in memory: an operand with two uses is loaded once. */
VEC_FN vec_float vec_loaded(vec x)
{
#if defined __FMA__
	__asm__("" : "+x"(x));
#endif
	return (vec_float)x;
}

/* A word of memory in all lanes. Of a known word the compiler would make an immediate, two instructions longer. */
VEC_FN vec vec_all_of(const uint32_t *word)
{
#if defined __FMA__
	vec v;

	__asm__("vpbroadcastd %1, %0" : "=x"(v) : "m"(*word));
	return v;
#else
	return vec_all(*word);
#endif
}

/* An exact product is m + f units in the last place, 0 <= f < 1 a multiple of 2^-24. Less `half`, which is 2^-25 short
 * of half a unit, and rounded to nearest, once, by the fused multiplication, the product becomes m: f - 1/2 + 2^-25 is
 * above -1/2 and below 1/2. A unit is that of the numbers below p, the product rounded to nearest: where p is a power
 * of 2, the unit below is half the unit above, so that an exact power stays, the product rounded up to the power
 * becomes the number before, and a product rounded down to the power, by at most a unit, goes to the power again.
 *
 * So `half` is 2^-25 of the number before p with all bits of the fraction set, and has the other sign, to be added: an
 * addition of integers and a bitwise or. An infinite p is the number after the largest: an exact product below 2^128 is
 * cut to the largest number, any other stays infinite. Below 2^-102 the exponent of `half` wraps round to 2^103 and
 * above, and from there to 2^-101 `half` is denormal, which is 0. */
VEC_FN vec_mask row_cut_products(const struct row *a, const struct row *b, uint32_t flip, vec_float cut[ROW_VECTORS])
{
	enum { EXPONENT = 1 << 23 };
	static const uint32_t to_half = (1u << 31) - 25 * EXPONENT - 1, fraction = EXPONENT - 1,
			      magnitude = (1u << 31) - 1;
	vec_int least = { 0 };

	FOR_VECTORS(v) {
		vec_float x = vec_loaded(row_vec(a, v) ^ flip), y = vec_loaded(row_vec(b, v)), p = x * y;
		vec half = ((vec)p + vec_all_of(&to_half)) | vec_all_of(&fraction);
		vec_int size = (vec_int)((vec)p & vec_all_of(&magnitude));

		cut[v] = vec_float_fused(x, y, (vec_float)half);
		least = v ? vec_int_min(least, size) : size;
	}
	return vec_float_less((vec_float)least, vec_float_all(PRODUCT_LOW));
}
#elif defined __SSE2__
/* The value, computed here and not elsewhere. */
VEC_FN vec_float vec_here(vec_float x)
{
	__asm__ volatile("" : "+x"(x));
	return x;
}

/* Without a fused multiplication the host's mode rounds towards zero for as long as a row is multiplied. A factor and
 * the product pass through an empty statement at each switch, so that no multiplication leaves its place. The vectors
 * are spelled out, since of an array in a loop the compiler would keep a copy in memory. */
VEC_FN vec_mask row_cut_products(const struct row *a, const struct row *b, uint32_t flip, vec_float cut[ROW_VECTORS])
{
	static const unsigned towards_zero = HOST_MODE_FLAGS | HOST_WITHOUT_DENORMALS | HOST_TOWARDS_ZERO,
			      nearest = HOST_MODE_FLAGS | HOST_WITHOUT_DENORMALS;
	vec_float least, most;

#define LOAD(v) cut[v] = (vec_float)(row_vec(a, v) ^ flip);
#define MULTIPLY(v) cut[v] = vec_here(vec_here(cut[v]) * (vec_float)row_vec(b, v));
#define HOLD(v) cut[v] = vec_here(cut[v]);
	EACH_VECTOR(LOAD)
	__asm__ volatile("ldmxcsr %0" : : "m"(towards_zero));
	EACH_VECTOR(MULTIPLY)
	__asm__ volatile("ldmxcsr %0" : : "m"(nearest));
	EACH_VECTOR(HOLD)
#undef LOAD
#undef MULTIPLY
#undef HOLD
	least = most = vec_magnitude(cut[0]);
	for (int v = 1; v < ROW_VECTORS; v++) {
		least = vec_float_min(least, vec_magnitude(cut[v]));
		most = vec_float_max(most, vec_magnitude(cut[v]));
	}
	return vec_float_less(least, vec_float_all(PRODUCT_LOW)) |
	       vec_float_not_less(most, vec_float_all(PRODUCT_HIGH));
}
#else
VEC_FN vec_mask row_cut_products(const struct row *a, const struct row *b, uint32_t flip, vec_float cut[ROW_VECTORS])
{
	__builtin_unreachable();        /* without HOST_FLUSHES */
}
#endif

#endif
