/* The operations of atomics on LDS, buffers and flat memory, for one lane: the old value, the data, and for some a
 * second datum ("AMD GCN3 Instruction Set Architecture", chapter 12: DS, MUBUF, FLAT). */
#ifndef WB_CORE_ISA_GCN_ATOMIC_H
#define WB_CORE_ISA_GCN_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/bits.h"

enum atomic_op {
	ATOMIC_SWAP, ATOMIC_CMPSWAP, ATOMIC_ADD, ATOMIC_SUB, ATOMIC_RSUB, ATOMIC_SMIN, ATOMIC_UMIN, ATOMIC_SMAX,
	ATOMIC_UMAX,
	ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR, ATOMIC_INC, ATOMIC_DEC, ATOMIC_MSKOR, ATOMIC_WRAP,
	ATOMIC_FCMPSWAP, ATOMIC_FMIN, ATOMIC_FMAX, ATOMIC_FADD,
};

/* Does the operation commute? */
static inline bool atomic_commutes(enum atomic_op op)
{
	return op == ATOMIC_ADD || op == ATOMIC_SUB || (op >= ATOMIC_SMIN && op <= ATOMIC_XOR);
}

/* `a` the first datum, `b` the second: of a compare-and-swap the value to compare, of MSKOR the set bits, of WRAP the
 * summand. */
#define ATOMIC_MEANING(name, word, signed_word, value, bits) \
	static inline word name(enum atomic_op op, word old, word a, word b) \
	{ \
		switch (op) { \
		case ATOMIC_SWAP: return a; \
		case ATOMIC_CMPSWAP: return old == b ? a : old; \
		case ATOMIC_ADD: return old + a; \
		case ATOMIC_SUB: return old - a; \
		case ATOMIC_RSUB: return a - old; \
		case ATOMIC_SMIN: return (signed_word)a < (signed_word)old ? a : old; \
		case ATOMIC_UMIN: return a < old ? a : old; \
		case ATOMIC_SMAX: return (signed_word)a > (signed_word)old ? a : old; \
		case ATOMIC_UMAX: return a > old ? a : old; \
		case ATOMIC_AND: return old & a; \
		case ATOMIC_OR: return old | a; \
		case ATOMIC_XOR: return old ^ a; \
		case ATOMIC_INC: return old >= a ? 0 : old + 1; \
		case ATOMIC_DEC: return !old || old > a ? a : old - 1; \
		case ATOMIC_MSKOR: return (old & ~a) | b; \
		case ATOMIC_WRAP: return old >= a ? old - a : old + b; \
		case ATOMIC_FCMPSWAP: return value(old) == value(b) ? a : old; \
		case ATOMIC_FMIN: return value(a) < value(old) ? a : old; \
		case ATOMIC_FMAX: return value(a) > value(old) ? a : old; \
		case ATOMIC_FADD: return bits(value(old) + value(a)); \
		} \
		return old; \
	}
ATOMIC_MEANING(atomic_word, uint32_t, int32_t, f32_value, f32_bits)
ATOMIC_MEANING(atomic_pair, uint64_t, int64_t, f64_value, f64_bits)

#endif
