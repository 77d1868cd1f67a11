/* Lanes and masks. A register row holds one 32-bit word for each of 32 lanes; a mask has one bit a lane, in 64 bits so
 * that wider warps fit. Operations on a row are loops over lanes of a scalar meaning; the build compiles those loops
 * once for each SIMD level, and the compiler makes vectors of them. */
#ifndef WB_CORE_LANES_H
#define WB_CORE_LANES_H

#include <stdint.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

typedef uint64_t lane_mask;

enum { LANES = 32, LANES_MAX = 64 };

/* One register of a warp: lane l is element l. Rows are 128-byte aligned, two cache lines. */
struct row {
	uint32_t lane[LANES];
} __attribute__((aligned(128)));

#define FOR_LANES(l) for (int l = 0; l < LANES; l++)
/* Visit the set lanes of a mask, lowest first. */
#define FOR_SET_LANES(l, m) \
	for (lane_mask left_##l = (m); left_##l; left_##l &= left_##l - 1) \
		for (int l = __builtin_ctzll(left_##l), once_##l = 1; once_##l; once_##l = 0)

static inline int lanes_count(lane_mask m)
{
	return __builtin_popcountll(m);
}

static inline lane_mask lanes_first(int n)
{
	return n >= 64 ? ~0ull : (1ull << n) - 1;
}

#ifdef __AVX512F__
/* Half a row, stored as a whole: what is stored under a mask, which the compiler would make of it, keeps the host from
 * loading the row again until it is in the cache. */
static inline void lanes_blend(uint32_t *d, __mmask16 on, __m512i v)
{
	v = _mm512_mask_mov_epi32(_mm512_load_si512(d), on, v);
	__asm__("" : "+v"(v));
	_mm512_store_si512(d, v);
}
#endif

/* d = m ? s : d, lane by lane. */
static inline void row_blend(struct row *d, const struct row *s, lane_mask m)
{
	uint32_t bits = (uint32_t)m;
	if (bits == 0xffffffffu) {
		*d = *s;
		return;
	}
#ifdef __AVX512F__
	for (int l = 0; l < LANES; l += 16)
		lanes_blend(d->lane + l, (__mmask16)(bits >> l), _mm512_load_si512(s->lane + l));
	return;
#endif
	FOR_LANES(l) {
		uint32_t on = -((bits >> l) & 1);
		d->lane[l] = (s->lane[l] & on) | (d->lane[l] & ~on);
	}
}

#endif
