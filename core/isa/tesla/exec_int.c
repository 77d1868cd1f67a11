/* Executors of integer arithmetic. Each picks the loop with constant uniform modifiers where worthwhile: the width,
 * saturation, a carry of each lane. */
#include "core/isa/tesla/arith_int.h"
#include "core/isa/tesla/stamp.h"

/* The width of an operation with equally wide destination and sources. */
static inline bool is_half(const struct insn *in)
{
	return in->dst.width == 2;
}

/* A lane's word as an operand of `width` bits: s[] operands and immediates of a half come as words. */
#define OPERAND(v, width) ((v) & int_mask(width))

LANE_FN void iadd(struct exec *x, const struct insn *in, bool sat, int width)
{
	unsigned op = in->mod[MOD_ADDOP];

	STAMP(2, int_addop(op, OPERAND(a, width), OPERAND(b, width), 0, sat, width, &cc));
}

LANE_FN void iaddc(struct exec *x, const struct insn *in, int width)
{
	const struct row *carry = carry_row(x, in);
	bool sat = in->mod[MOD_SAT];

	STAMP(2, int_addop(ADDOP_ADDC, OPERAND(a, width), OPERAND(b, width), carry->lane[l], sat, width, &cc));
}

EXEC(iadd)
{
	bool carries = in->mod[MOD_ADDOP] == ADDOP_ADDC, sat = in->mod[MOD_SAT];

	if (carries && is_half(in))
		iaddc(x, in, 16);
	else if (carries)
		iaddc(x, in, 32);
	else if (is_half(in))
		iadd(x, in, sat, 16);
	else if (sat)
		iadd(x, in, true, 32);
	else
		iadd(x, in, false, 32);
	return STEP_OK;
}

EXEC(imul16)
{
	bool signed_a = in->mod[MOD_SIGN1], signed_b = in->mod[MOD_SIGN2];

	STAMP(2, int_mul16(a, b, signed_a, signed_b, &cc));
	return STEP_OK;
}

EXEC(imul24)
{
	bool is_signed = in->mod[MOD_SIGN1];

	if (in->mod[MOD_HIGH])
		STAMP(2, int_mul24(a, b, is_signed, true, &cc));
	else
		STAMP(2, int_mul24(a, b, is_signed, false, &cc));
	return STEP_OK;
}

EXEC(imad16)
{
	unsigned op = in->mod[MOD_ADDOP];
	bool is_signed = in->mod[MOD_SIGN1], sat = in->mod[MOD_SAT];
	const struct row *carry = carry_row(x, in);

	if (op == ADDOP_ADDC)
		STAMP(3, int_mad16(ADDOP_ADDC, a, b, c, carry->lane[l], is_signed, sat, &cc));
	else if (sat)
		STAMP(3, int_mad16(op, a, b, c, 0, is_signed, true, &cc));
	else
		STAMP(3, int_mad16(op, a, b, c, 0, is_signed, false, &cc));
	return STEP_OK;
}

LANE_FN void imad24(struct exec *x, const struct insn *in, bool high)
{
	unsigned op = in->mod[MOD_ADDOP];
	bool is_signed = in->mod[MOD_SIGN1], sat = in->mod[MOD_SAT];
	const struct row *carry = carry_row(x, in);

	if (op == ADDOP_ADDC)
		STAMP(3, int_mad24(ADDOP_ADDC, a, b, c, carry->lane[l], is_signed, high, sat, &cc));
	else if (sat)
		STAMP(3, int_mad24(op, a, b, c, 0, is_signed, high, true, &cc));
	else
		STAMP(3, int_mad24(op, a, b, c, 0, is_signed, high, false, &cc));
}

EXEC(imad24)
{
	if (in->mod[MOD_HIGH])
		imad24(x, in, true);
	else
		imad24(x, in, false);
	return STEP_OK;
}

/* The destination is always a word: source 1, a register or c[] of the operation's size, has the width. */
EXEC(sad)
{
	bool is_signed = in->mod[MOD_SIGN1];

	if (in->src[1].width == 2)
		STAMP(3, int_sad(OPERAND(a, 16), OPERAND(b, 16), c, is_signed, 16, &cc));
	else
		STAMP(3, int_sad(a, b, c, is_signed, 32, &cc));
	return STEP_OK;
}

EXEC(iset)
{
	unsigned cond = in->mod[MOD_COND];
	bool is_signed = in->mod[MOD_SIGN1];

	if (is_half(in))
		STAMP(2, int_set(OPERAND(a, 16), OPERAND(b, 16), cond, is_signed, 16, &cc));
	else
		STAMP(2, int_set(a, b, cond, is_signed, 32, &cc));
	return STEP_OK;
}

LANE_FN int iminmax(struct exec *x, const struct insn *in, bool max)
{
	bool is_signed = in->mod[MOD_SIGN1];

	if (is_half(in))
		STAMP(2, int_minmax(OPERAND(a, 16), OPERAND(b, 16), max, is_signed, 16, &cc));
	else
		STAMP(2, int_minmax(a, b, max, is_signed, 32, &cc));
	return STEP_OK;
}

EXEC(imax)
{
	return iminmax(x, in, true);
}

EXEC(imin)
{
	return iminmax(x, in, false);
}

EXEC(shl)
{
	if (is_half(in))
		STAMP(2, int_shl(OPERAND(a, 16), OPERAND(b, 16), 16, &cc));
	else
		STAMP(2, int_shl(a, b, 32, &cc));
	return STEP_OK;
}

EXEC(shr)
{
	bool is_signed = in->mod[MOD_SIGN1];

	if (is_half(in))
		STAMP(2, int_shr(OPERAND(a, 16), OPERAND(b, 16), is_signed, 16, &cc));
	else
		STAMP(2, int_shr(a, b, is_signed, 32, &cc));
	return STEP_OK;
}

LANE_FN void logic(struct exec *x, const struct insn *in, unsigned op)
{
	bool not_a = in->mod[MOD_NOT1], not_b = in->mod[MOD_NOT2];

	if (is_half(in))
		STAMP(2, int_logic(op, a, b, not_a, not_b, 16, &cc));
	else
		STAMP(2, int_logic(op, a, b, not_a, not_b, 32, &cc));
}

EXEC(logic)
{
	switch (in->mod[MOD_OP]) {
	case LOGIC_AND:
		logic(x, in, LOGIC_AND);
		break;
	case LOGIC_OR:
		logic(x, in, LOGIC_OR);
		break;
	case LOGIC_XOR:
		logic(x, in, LOGIC_XOR);
		break;
	default:
		logic(x, in, LOGIC_MOV2);
	}
	return STEP_OK;
}
