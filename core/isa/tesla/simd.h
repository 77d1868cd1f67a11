/* Vector instructions of Tesla's executors and handlers beyond the compiler's vectors of loops: the host's treatment of
 * denormals, runs of addresses, lanes by flags. Compiled for each SIMD level. */
#ifndef WB_CORE_ISA_TESLA_SIMD_H
#define WB_CORE_ISA_TESLA_SIMD_H

#include <stdbool.h>

#include "core/isa/simd.h"
#include "core/base/lanes.h"
#include "core/base/vector.h"

/* The functions of fast_float.h need a host that takes denormal operands for zeros and makes zeros of denormal results
 * after rounding, as the machine's single precision does (facts 4.1). All other code needs a host that does not. Both
 * switches return the former mode, for denormals_restore. Values computed between must come from memory and go to
 * memory. */
static inline void host_mode(unsigned mode)
{
	__asm__ volatile("" ::: "memory");
	if (HOST_FLUSHES && mode != host_mode_get())
		host_mode_set(mode);
	__asm__ volatile("" ::: "memory");
}

static inline unsigned denormals_off(void)
{
	unsigned mode = host_mode_get();

	host_mode(mode | HOST_WITHOUT_DENORMALS);
	return mode;
}

static inline unsigned denormals_on(void)
{
	unsigned mode = host_mode_get();

	host_mode(mode & ~(unsigned)HOST_WITHOUT_DENORMALS);
	return mode;
}

static inline void denormals_restore(unsigned mode)
{
	host_mode(mode);
}

enum { HALF_WARP_LANES = 16 };

#ifdef __AVX512F__
/* `lanes` with a word, 0 to 15, in `set` (bit = value). */
static inline __mmask16 nibbles_of(__mmask16 lanes, const uint32_t *v, uint32_t set)
{
	__m512i bit = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_load_si512(v));

	return _mm512_mask_test_epi32_mask(lanes, bit, _mm512_set1_epi32((int)set));
}
#endif

/* Lanes with a word in `set`. */
static inline uint32_t nibbles_in(const struct row *r, uint32_t set)
{
#ifdef __AVX512F__
	return _cvtmask32_u32(_mm512_kunpackw(nibbles_of(0xffff, r->lane + HALF_WARP_LANES, set),
					      nibbles_of(0xffff, r->lane, set)));
#else
	uint32_t in = 0;

	FOR_LANES(l)
		in |= (set >> (r->lane[l] & 15) & 1) << l;
	return in;
#endif
}

#endif
