/* Parts common to Tesla's handlers (core/isa/threaded.h): the guard, which turns off lanes by their flags, and writing
 * a result under the guard. Lanes turned off by a guard are billed as predicated. */
#ifndef WB_CORE_ISA_TESLA_THREADED_H
#define WB_CORE_ISA_TESLA_THREADED_H

#include "core/isa/tesla/simd.h"
#include "core/isa/tesla/state.h"
#include "core/isa/threaded.h"

/* A c[] operand common to all lanes, as a row: filled when the launch's memory is ready (tesla_ready). */
struct launch_constant {
	struct row row;
	const struct opnd *operand;
	struct launch_constant *next;
};

/* struct program.threaded of a Tesla program. */
struct tesla_code {
	struct threaded_code engine;    /* first: a pointer to either is a pointer to both */
	struct launch_constant *constants;
	uint16_t inputs, outputs;       /* rows of struct stage; 0: no such rows */
};

/* Lanes of `active` that pass the guard. */
static inline uint32_t op_lanes(const struct threaded_op *op, const char *reg, uint32_t active)
{
	return op->guard ? active & nibbles_in((const struct row *)(reg + op->guard), op->guard_set) : active;
}

/* Bill the lanes that do not pass the guard. */
static inline void op_bill_predicated(const struct threaded_op *op, struct exec *x, uint32_t active, uint32_t lanes)
{
	if (lanes != active)
		bill_predicated(x->bill, op->pc, active & ~lanes, x->warp->helper);
}

/* The lanes that execute, in the form of a blend's operand: as compared, without a way through a general register,
 * where a chain of guarded instructions would wait. */
struct passing {
#ifdef __AVX512F__
	__mmask16 low, high;
#else
	uint32_t lanes;
#endif
};

/* The others are billed. */
static inline struct passing op_passing(const struct threaded_op *op, struct exec *x, const char *reg, uint32_t active)
{
#ifdef __AVX512F__
	struct passing p = { (__mmask16)active, (__mmask16)(active >> HALF_WARP_LANES) };

	if (op->guard) {
		const struct row *flags = (const struct row *)(reg + op->guard);
		p.low = nibbles_of(p.low, flags->lane, op->guard_set);
		p.high = nibbles_of(p.high, flags->lane + HALF_WARP_LANES, op->guard_set);
		op_bill_predicated(op, x, active, _cvtmask32_u32(_mm512_kunpackw(p.high, p.low)));
	}
	return p;
#else
	struct passing p = { op_lanes(op, reg, active) };

	op_bill_predicated(op, x, active, p.lanes);
	return p;
#endif
}

static inline void passing_blend(struct passing p, struct row *to, const struct row *from)
{
#ifdef __AVX512F__
	lanes_blend(to->lane, p.low, _mm512_load_si512(from->lane));
	lanes_blend(to->lane + HALF_WARP_LANES, p.high, _mm512_load_si512(from->lane + HALF_WARP_LANES));
#else
	row_blend(to, from, p.lanes);
#endif
}

/* Write in the lanes that execute. */
static inline void op_blend(const struct threaded_op *op, struct exec *x, char *reg, uint32_t active, struct row *to,
				const struct row *from)
{
	passing_blend(op_passing(op, x, reg, active), to, from);
}

#endif
