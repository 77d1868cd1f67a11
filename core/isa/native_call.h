/* The border between Warpbeam and native code, compiled while Warpbeam runs: the compiled text begins with the file
 * (core/isa/native.sh), for the same declarations on both sides. */
#ifndef WB_CORE_ISA_NATIVE_CALL_H
#define WB_CORE_ISA_NATIVE_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"
#include "core/base/rng.h"

enum { NATIVE_CONSTANTS = 32, NATIVE_GUARDS = 32 };

/* A call of a native loop: whole turns, up to the first that is not usual, at most `most`. In a usual turn every active
 * lane goes the loop's way, and floats are ordinary. Unusual turns are not made. */
struct native_call {
	char *reg;                      /* the warp's registers */
	uint64_t active;                /* lanes */
	uint64_t most;                  /* turns at most */
	uint32_t constant[NATIVE_CONSTANTS];    /* words of rows that all warps share */
	/* The digest (span_digest) before the first turn, and after all turns but the last; the summand of a turn
	 * (run_digest). */
	uint64_t digest, summand;
	uint64_t turns;                 /* turns made */
	uint64_t off[NATIVE_GUARDS];    /* by guarded instruction: lanes that the guard turned off, summed over turns */
	/* A turn more, in which lanes leave by the ways out and others go on: allowed; made. */
	bool may_split, split;
	uint64_t leavers[NATIVE_GUARDS];        /* in the turn, by way out: the lanes */
	uint64_t left_off[NATIVE_GUARDS];       /* in the turn, as `off` */
};

typedef void native_fn(struct native_call *call);

/* A loop over lanes for vectors, however long the body. */
#ifdef __clang__
#define NATIVE_LANES(l) \
	_Pragma("clang loop vectorize(assume_safety) interleave_count(1) unroll(disable)") \
	for (int l = 0; l < LANES; l++)
#else
#define NATIVE_LANES(l) _Pragma("GCC ivdep") for (int l = 0; l < LANES; l++)
#endif

/* A lane's result, if `active` is all ones; 0: the lane keeps its word. */
static inline __attribute__((always_inline, unused)) void native_put(struct row *to, int lane, uint32_t v,
								     uint32_t active)
{
	to->lane[lane] = (v & active) | (to->lane[lane] & ~active);
}

/* Of counts down from 0 in each lane. */
static inline __attribute__((always_inline, unused)) uint32_t native_sum(const struct row *counts)
{
	uint32_t sum = 0;

	NATIVE_LANES(l)
		sum -= counts->lane[l];
	return sum;
}

/* The lanes whose words are ones. */
static inline __attribute__((always_inline, unused)) uint32_t native_bits(const struct row *words)
{
	uint32_t bits = 0;

	NATIVE_LANES(l)
		bits |= words->lane[l] & 1u << l;
	return bits;
}

#define NATIVE_ROW(reg, offset) ((struct row *)((reg) + (offset)))
/* A word, or two, for all lanes. */
typedef uint64_t native_pair __attribute__((aligned(4), may_alias));
#define NATIVE_WORD(reg, offset) (*(uint32_t *)((reg) + (offset)))
#define NATIVE_PAIR(reg, offset) (*(native_pair *)((reg) + (offset)))

#endif
