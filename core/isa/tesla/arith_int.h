/* Integer and bit operations (facts 1 and 4.7; seed S0 chapters 3 and 4). Operands of 16-bit forms come zero-extended
 * to a word; `width` is 16 or 32 and constant wherever a loop is built. */
#ifndef WB_CORE_ISA_TESLA_ARITH_INT_H
#define WB_CORE_ISA_TESLA_ARITH_INT_H

#include "core/isa/tesla/arith.h"

enum addop { ADDOP_ADD, ADDOP_SUB, ADDOP_SUBR, ADDOP_ADDC };   /* as MOD_ADDOP has them */
enum logic_op { LOGIC_AND, LOGIC_OR, LOGIC_XOR, LOGIC_MOV2 };

LANE_FN uint32_t int_mask(int width)
{
	return 0xffffffffu >> (32 - width);
}

LANE_FN uint32_t int_sign(uint32_t v, int width)
{
	return v >> (width - 1) & 1;
}

/* Z and S of a result. A comparison is -1 in a vector, subtracted at once. */
LANE_FN uint32_t int_flags(uint32_t v, int width)
{
	return (v >> (width - 2) & FLAG_S) - (v == 0 ? ~0u : 0);
}

/* The adder under add, sub, subr, addc, mad and sad (facts 4.7). C is its carry out, O its signed overflow; saturation
 * goes to the limit on the side of the first input and leaves C and O. */
LANE_FN uint32_t int_sum(uint32_t a, uint32_t b, uint32_t carry, bool sat, int width, uint32_t *cc)
{
	uint32_t sum = (a + b + carry) & int_mask(width);
	bool c = sum < a || (carry && sum == a);        /* the sum has wrapped, by b and a carry up to all of 2^width */
	uint32_t o = int_sign(~(a ^ b) & (a ^ sum), width);
	uint32_t limit = (int_mask(width) >> 1) + int_sign(a, width);
	uint32_t v = sat && o ? limit : sum;
	*cc = int_flags(v, width) | (c ? FLAG_C : 0) | o << 3;
	return v;
}

/* add a + b, sub a - b, subr b - a, addc a + b + carry_in; a subtraction adds the complement and 1, so C means "no
 * borrow". carry_in is a $c nibble. */
LANE_FN uint32_t int_addop(unsigned op, uint32_t a, uint32_t b, uint32_t carry_in, bool sat, int width, uint32_t *cc)
{
	uint32_t not_a = op == ADDOP_SUBR ? int_mask(width) : 0;
	uint32_t not_b = op == ADDOP_SUB ? int_mask(width) : 0;
	uint32_t carry = op == ADDOP_ADDC ? carry_in >> 2 & 1 : op != ADDOP_ADD;
	return int_sum(a ^ not_a, b ^ not_b, carry, sat, width, cc);
}

/* The low `width` bits of v as a number. */
LANE_FN int32_t int_extend(uint32_t v, bool is_signed, int width)
{
	uint32_t mask = int_mask(width), sign = is_signed ? mask ^ mask >> 1 : 0;
	return (int32_t)(((v & mask) ^ sign) - sign);
}

/* 16 by 16 bits to 32; each side has its own signedness (facts 4.7). */
LANE_FN uint32_t int_product16(uint32_t a, uint32_t b, bool signed_a, bool signed_b)
{
	return (uint32_t)int_extend(a, signed_a, 16) * (uint32_t)int_extend(b, signed_b, 16);
}

/* 24 by 24 bits to 48; the result is bits 31:0, or 47:16 with `high` (facts 4.7). */
LANE_FN uint32_t int_product24(uint32_t a, uint32_t b, bool is_signed, bool high)
{
	int32_t x = int_extend(a, is_signed, 24), y = int_extend(b, is_signed, 24);
	return high ? (uint32_t)((int64_t)x * y >> 16) : (uint32_t)x * (uint32_t)y;
}

LANE_FN uint32_t int_mul16(uint32_t a, uint32_t b, bool signed_a, bool signed_b, uint32_t *cc)
{
	uint32_t v = int_product16(a, b, signed_a, signed_b);
	*cc = int_flags(v, 32);
	return v;
}

LANE_FN uint32_t int_mul24(uint32_t a, uint32_t b, bool is_signed, bool high, uint32_t *cc)
{
	uint32_t v = int_product24(a, b, is_signed, high);
	*cc = int_flags(v, 32);
	return v;
}

/* mad: a product and then the adder, 32 bits wide (facts 4.7): sub is product - c, subr c - product. */
LANE_FN uint32_t int_mad16(unsigned op, uint32_t a, uint32_t b, uint32_t c, uint32_t carry_in, bool is_signed, bool sat,
			   uint32_t *cc)
{
	return int_addop(op, int_product16(a, b, is_signed, is_signed), c, carry_in, sat, 32, cc);
}

LANE_FN uint32_t int_mad24(unsigned op, uint32_t a, uint32_t b, uint32_t c, uint32_t carry_in, bool is_signed,
			   bool high, bool sat, uint32_t *cc)
{
	return int_addop(op, int_product24(a, b, is_signed, high), c, carry_in, sat, 32, cc);
}

/* A number whose signed order is the order of v, signed or not. */
LANE_FN int32_t int_order(uint32_t v, bool is_signed, int width)
{
	uint32_t flip = is_signed || width < 32 ? 0 : 0x80000000u;
	return int_extend(v ^ flip, is_signed || width == 32, width);
}

/* |a - b| + c: the difference has the operands' width, everything after it 32 bits (facts 1.3). */
LANE_FN uint32_t int_sad(uint32_t a, uint32_t b, uint32_t c, bool is_signed, int width, uint32_t *cc)
{
	bool less = int_order(a, is_signed, width) < int_order(b, is_signed, width);
	uint32_t difference = (less ? b - a : a - b) & int_mask(width);
	return int_sum(difference, c, 0, false, 32, cc);
}

/* All ones where the relation of a to b is in `cond` (1 less, 2 equal, 4 greater), else 0. */
LANE_FN uint32_t int_set(uint32_t a, uint32_t b, unsigned cond, bool is_signed, int width, uint32_t *cc)
{
	int32_t x = int_order(a, is_signed, width), y = int_order(b, is_signed, width);
	uint32_t relation = x < y ? 1 : x == y ? 2 : 4;
	uint32_t v = cond & relation ? int_mask(width) : 0;
	*cc = int_flags(v, width);
	return v;
}

LANE_FN uint32_t int_minmax(uint32_t a, uint32_t b, bool max, bool is_signed, int width, uint32_t *cc)
{
	bool less = int_order(a, is_signed, width) < int_order(b, is_signed, width);
	uint32_t v = less != max ? a : b;
	*cc = int_flags(v, width);
	return v;
}

/* The flags of shifts (facts 1.8): C is the last bit shifted out of a count within the width, O says that a shift by
 * one changed the sign. */
LANE_FN uint32_t int_shift_flags(uint32_t a, uint32_t v, uint32_t out, uint32_t count, int width)
{
	uint32_t c = out << 2 & (count - 1 < (uint32_t)width - 1 ? FLAG_C : 0);
	uint32_t o = int_sign(a ^ v, width) << 3 & (count == 1 ? FLAG_O : 0);
	return int_flags(v, width) | c | o;
}

/* Counts are unsigned and do not wrap: from the width on nothing (or only the sign) is left. */
LANE_FN uint32_t int_shl(uint32_t a, uint32_t count, int width, uint32_t *cc)
{
	uint32_t v = count < (uint32_t)width ? a << (count & 31) & int_mask(width) : 0;
	*cc = int_shift_flags(a, v, a >> ((uint32_t)(width - count) & 31), count, width);
	return v;
}

LANE_FN uint32_t int_shr(uint32_t a, uint32_t count, bool is_signed, int width, uint32_t *cc)
{
	uint32_t within = count < (uint32_t)width ? count : (uint32_t)width - 1;
	uint32_t arithmetic = (uint32_t)(int_extend(a, true, width) >> within) & int_mask(width);
	uint32_t logical = count < (uint32_t)width ? a >> within : 0;
	uint32_t v = is_signed ? arithmetic : logical;
	*cc = int_shift_flags(a, v, a >> ((count - 1) & 31), count, width);
	return v;
}

LANE_FN uint32_t int_logic(unsigned op, uint32_t a, uint32_t b, bool not_a, bool not_b, int width, uint32_t *cc)
{
	uint32_t x = not_a ? ~a : a, y = not_b ? ~b : b;
	uint32_t v = op == LOGIC_AND ? x & y : op == LOGIC_OR ? x | y : op == LOGIC_XOR ? x ^ y : y;
	v &= int_mask(width);
	*cc = int_flags(v, width);
	return v;
}

#endif
