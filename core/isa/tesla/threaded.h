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

/* Rows with zeros at a warp's start, side by side from the beginning of struct tesla_warp: $c, $a, and the lanes of
 * shuffled words. */
enum { CHANGED_C = 0, CHANGED_A = 4, CHANGED_FROM = CHANGED_A + ADDRESS_ROWS, CHANGED_ROWS };

_Static_assert(offsetof(struct tesla_warp, a) == CHANGED_A * sizeof(struct row) &&
	       offsetof(struct tesla_warp, from) == CHANGED_FROM * sizeof(struct row) &&
	       offsetof(struct tesla_warp, zero) == CHANGED_ROWS * sizeof(struct row), "side by side");

struct tesla_handlers;

/* struct program.threaded of a Tesla program. */
struct tesla_code {
	struct threaded_code engine;    /* first: a pointer to either is a pointer to both */
	struct launch_constant *constants;
	uint16_t inputs, outputs;       /* rows of struct stage; 0: no such rows */
	uint16_t changes;               /* rows for running warps to change, a bit of CHANGED_ROWS each */
	intptr_t state;                 /* where a warp's struct tesla_warp is, in bytes from its registers */
	const struct tesla_handlers *level;
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
	vec_mask lanes[ROW_VECTORS];
};

/* Lanes that do not pass are billed. */
VEC_FN struct passing op_passing(const struct threaded_op *op, struct exec *x, const char *reg, uint32_t active)
{
	struct passing p;

	FOR_VECTORS(v)
		p.lanes[v] = vec_mask_of(active >> v * VECTOR_LANES);
	if (op->guard) {
		FOR_VECTORS(v)
			p.lanes[v] &= vec_nibbles_in(row_vec((const struct row *)(reg + op->guard), v), op->guard_set);
		op_bill_predicated(op, x, active, row_bits(p.lanes));
	}
	return p;
}

VEC_FN void passing_blend(const struct passing *p, struct row *to, const struct row *from)
{
	FOR_VECTORS(v)
		row_blend_vec(to, v, p->lanes[v], row_vec(from, v));
}

/* Write in the lanes that execute. */
VEC_FN void op_blend(const struct threaded_op *op, struct exec *x, char *reg, uint32_t active, struct row *to,
				const struct row *from)
{
	struct passing p = op_passing(op, x, reg, active);

	passing_blend(&p, to, from);
}

#endif
