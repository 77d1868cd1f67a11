/* Lanes and masks. A register row holds one 32-bit word for each lane of a warp; a mask has one bit a lane, in 64 bits
 * for the widest warps. Operations on a row are loops over lanes of a scalar meaning; the build compiles the loops once
 * for each SIMD level, and the compiler makes vectors of them. Operations on the host's vectors are in vector.h.
 *
 * The number of lanes of a warp is the machine's (isa_ops.lanes). The executors of an instruction set know the number
 * at compile time: LANES, from ROW_LANES, sizes their rows. All other code takes the number as a parameter, and a row
 * as row_bytes() bytes; tests/house/layers.sh keeps LANES out of other code. */
#ifndef WB_CORE_BASE_LANES_H
#define WB_CORE_BASE_LANES_H

#include <stddef.h>
#include <stdint.h>

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

/* Without the processor's own instruction, gcc calls a function of its library for a count of bits. */
#if defined(__x86_64__) && !defined(__POPCNT__)
static inline int lanes_count(lane_mask m)
{
	m -= m >> 1 & 0x5555555555555555ull;
	m = (m & 0x3333333333333333ull) + (m >> 2 & 0x3333333333333333ull);
	m = (m + (m >> 4)) & 0x0f0f0f0f0f0f0f0full;
	return (int)(m * 0x0101010101010101ull >> 56);
}
#else
static inline int lanes_count(lane_mask m)
{
	return __builtin_popcountll(m);
}
#endif

static inline lane_mask lanes_first(int n)
{
	return n >= 64 ? ~0ull : (1ull << n) - 1;
}

#endif
