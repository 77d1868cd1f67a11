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

/* Lanes with a word, 0 to 15, in `set` (bit = value). */
static inline uint32_t nibbles_in(const struct row *r, uint32_t set)
{
	return row_nibbles_in(r, set);
}

#endif
