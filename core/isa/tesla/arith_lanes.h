/* Warp primitives of chips with FEAT_LANES: what lanes of a warp learn of each other. The meanings are PTX's, and the
 * answers an H100's: a lane that does not execute the instruction gives 0. */
#ifndef WB_CORE_ISA_TESLA_ARITH_LANES_H
#define WB_CORE_ISA_TESLA_ARITH_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"

enum shuffle { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };

enum reduction {
	REDUCE_ADD, REDUCE_MIN_U, REDUCE_MAX_U, REDUCE_MIN_S, REDUCE_MAX_S, REDUCE_AND, REDUCE_OR, REDUCE_XOR
};

/* The lane from which `lane` gets a word. Bits 4:0 of `by`: the distance, or the number of the lane. `segments` has the
 * last lane of a segment in bits 4:0, and in bits 12:8 those bits of a lane's number that make segments. *inside: the
 * lane is in the segment; else `lane` keeps its own word. */
static inline unsigned lane_from(enum shuffle kind, unsigned lane, uint32_t by, uint32_t segments, bool *inside)
{
	uint32_t bits = segments >> 8 & 31, first = lane & bits, last = first | (segments & ~bits & 31);
	uint32_t from;

	by &= 31;
	switch (kind) {
	case SHUFFLE_UP: from = lane - by; break;
	case SHUFFLE_DOWN: from = lane + by; break;
	case SHUFFLE_BFLY: from = lane ^ by; break;
	default: from = first | (by & ~bits); break;
	}
	*inside = kind == SHUFFLE_UP ? (int32_t)from >= (int32_t)last : from <= last;
	return *inside ? from & 31 : lane;
}

static inline uint32_t reduce(enum reduction op, uint32_t a, uint32_t b)
{
	switch (op) {
	case REDUCE_ADD: return a + b;
	case REDUCE_MIN_U: return a < b ? a : b;
	case REDUCE_MAX_U: return a > b ? a : b;
	case REDUCE_MIN_S: return (int32_t)a < (int32_t)b ? a : b;
	case REDUCE_MAX_S: return (int32_t)a > (int32_t)b ? a : b;
	case REDUCE_AND: return a & b;
	case REDUCE_OR: return a | b;
	default: return a ^ b;
	}
}

#endif
