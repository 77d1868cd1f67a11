/* Atomic operations on g[] (facts 4.9) as functions of the old word and the operands. */
#ifndef WB_CORE_ISA_TESLA_ARITH_ATOMIC_H
#define WB_CORE_ISA_TESLA_ARITH_ATOMIC_H

#include "core/isa/tesla/arith.h"
#include "core/isa/tesla/atomic_op.h"

/* MOD_TYPE of an atomic: 0 u8, 1 s8, 2 u16, 3 s16, 4 64 bits, 6 u32, 7 s32. Below 32 bits they are undocumented. */
LANE_FN uint32_t atomic_replicate(unsigned type, uint32_t v)
{
	return type < 2 ? (v & 0xff) * 0x01010101u : type < 4 ? (v & 0xffff) * 0x00010001u : v;
}

/* The old word as it is returned: of a narrow type its low part, extended. */
LANE_FN uint32_t atomic_returned(unsigned type, uint32_t old)
{
	switch (type) {
	case 0: return (uint8_t)old;
	case 1: return (uint32_t)(int8_t)old;
	case 2: return (uint16_t)old;
	case 3: return (uint32_t)(int16_t)old;
	default: return old;
	}
}

/* inc and dec of type s32 with a negative bound on G84: the count runs over bound … 0, and a step out of it goes
 * to the other end. */
LANE_FN uint32_t atomic_count_negative(uint32_t next, uint32_t bound, uint32_t other_end)
{
	return (int32_t)next > 0 || (int32_t)next < (int32_t)bound ? other_end : next;
}

/* What a 32-bit atomic leaves in memory. `sm12` is the chip's feature (GT200 and after): there narrow types change
 * nothing, while G84 works on the whole word with the operand repeated. ATOMIC_TRAP and unknown operations change
 * nothing; whether they fault is the caller's business. s3 is the new value of cas. */
static inline uint32_t atomic_word(unsigned op, unsigned type, bool sm12, uint32_t old, uint32_t s2, uint32_t s3)
{
	bool is_signed = type == 7;
	uint32_t v = atomic_replicate(type, s2);
	bool negative_bound = !sm12 && is_signed && (int32_t)v < 0;
	uint32_t order = is_signed ? 0x80000000u : 0;

	if (sm12 && type < 4)
		return old;
	switch (op) {
	case ATOMIC_ADD:
		return old + v;
	case ATOMIC_EXCH:
		return v;
	case ATOMIC_CAS:
		return old == v ? s3 : old;
	case ATOMIC_INC:
		if (negative_bound)
			return atomic_count_negative(old + 1, v, v);
		return old + 1 > v ? 0 : old + 1;
	case ATOMIC_DEC:
		if (negative_bound)
			return atomic_count_negative(old - 1, v, 0);
		return old - 1 > v ? v : old - 1;
	case ATOMIC_MAX:
		return (old ^ order) > (v ^ order) ? old : v;
	case ATOMIC_MIN:
		return (old ^ order) < (v ^ order) ? old : v;
	case ATOMIC_AND:
		return old & v;
	case ATOMIC_OR:
		return old | v;
	case ATOMIC_XOR:
		return old ^ v;
	default:
		return old;
	}
}

/* The same for 64 bits, where there is only add, exch and cas. The old value is returned whole. */
static inline uint64_t atomic_pair(unsigned op, uint64_t old, uint64_t s2, uint64_t s3)
{
	switch (op) {
	case ATOMIC_ADD:
		return old + s2;
	case ATOMIC_EXCH:
		return s2;
	case ATOMIC_CAS:
		return old == s2 ? s3 : old;
	default:
		return old;
	}
}

#endif
