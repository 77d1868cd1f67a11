/* Lanes and masks. A register row holds one 32-bit word for each lane of a warp; a mask has one bit a lane, in 64 bits
 * for the widest warps. Operations on a row are loops over lanes of a scalar meaning; the build compiles the loops once
 * for each SIMD level, and the compiler makes vectors of them.
 *
 * The number of lanes of a warp is the machine's (isa_ops.lanes). The executors of an instruction set know the number
 * at compile time: LANES, from ROW_LANES, sizes their rows. All other code takes the number as a parameter, and a row
 * as row_bytes() bytes; tests/layers.sh keeps LANES out of other code. */
#ifndef WB_CORE_BASE_LANES_H
#define WB_CORE_BASE_LANES_H

#include <stddef.h>
#include <stdint.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

typedef uint64_t lane_mask;

#ifndef ROW_LANES
#define ROW_LANES 32
#endif

enum { LANES = ROW_LANES, LANES_MAX = 64, ROW_ALIGN = 128 };

/* One register of a warp: lane l is element l. Rows begin at multiples of two lines of the host's cache. */
struct row {
	uint32_t lane[LANES];
} __attribute__((aligned(ROW_ALIGN)));

/* Bytes from row to row for warps of `lanes` lanes: sizeof(struct row) of the width. */
static inline size_t row_bytes(unsigned lanes)
{
	return (lanes * sizeof(uint32_t) + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
}

/* A mask with as many bits as a row has lanes. */
#if ROW_LANES > 32
typedef uint64_t row_mask;
#else
typedef uint32_t row_mask;
#endif
#define ROW_ALL ((row_mask)~(row_mask)0)

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
/* Half a row, stored as a whole: the masked store that the compiler would make keeps the host from loading the row
 * again before the row is in the cache. */
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
	row_mask bits = (row_mask)m;
	if (bits == ROW_ALL) {
		*d = *s;
		return;
	}
#ifdef __AVX512F__
	for (int l = 0; l < LANES; l += 16)
		lanes_blend(d->lane + l, (__mmask16)(bits >> l), _mm512_load_si512(s->lane + l));
	return;
#endif
	FOR_LANES(l) {
		uint32_t on = -(uint32_t)((bits >> l) & 1);
		d->lane[l] = (s->lane[l] & on) | (d->lane[l] & ~on);
	}
}

#endif
