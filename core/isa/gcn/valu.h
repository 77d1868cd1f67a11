/* Further stamps of vector instructions: floats, rounded by the host by the MODE register, and 16-bit results. */
#ifndef WB_CORE_ISA_GCN_VALU_H
#define WB_CORE_ISA_GCN_VALU_H

#include "core/isa/gcn/arith.h"
#include "core/isa/gcn/exec.h"

#if GCN_HOST_DIRECTIONS
#include <fenv.h>
#endif

/* ---- rounding ---- */

/* Set the host's rounding by the 2 bits of MODE from `shift` on; end_rounding with the returned value restores rounding
 * to nearest. Between the two, operands are loaded from memory and results stored to memory, and calls keep both
 * apart. */
static inline unsigned begin_rounding(uint32_t mode, unsigned shift)
{
	unsigned direction = mode >> shift & 3;
#if GCN_HOST_DIRECTIONS
	static const int directions[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };

	if (__builtin_expect(direction != ROUND_NEAREST, 0))
		fesetround(directions[direction]);
#endif
	return direction;
}

static inline void end_rounding(unsigned direction)
{
#if GCN_HOST_DIRECTIONS
	if (__builtin_expect(direction != ROUND_NEAREST, 0))
		fesetround(FE_TONEAREST);
#endif
	(void)direction;
}

/* Words rounded by the host. */
#define VALU_F32(name, sources, expression) \
	VALU_LANES(name, expression) \
	EXEC(name) \
	{ \
		struct valu v; \
		unsigned rounding; \
		valu_fetch(x, in, sources, false, &v); \
		rounding = begin_rounding(v.mode, MODE_ROUND_32); \
		name##_lanes(&v.out, v.low[0]->lane, false, v.low[1], v.low[2], in, v.mode); \
		end_rounding(rounding); \
		return gcn_put(x, in, &v.out); \
	}

#define VALU_F32_HANDLER(name, suffix, a_one, all, sources) \
	static int name##suffix(HANDLER_PARAMETERS) \
	{ \
		const uint32_t *a = (const uint32_t *)op_src(op, 0, reg);       /* a word with a_one, else a row */ \
		const struct row *b = sources > 1 ? op_src(op, 1, reg) : &valu_zero; \
		const struct row *c = sources > 2 ? op_src(op, 2, reg) : &valu_zero; \
		struct row *to = op_row(reg, op->dst), v; \
		uint32_t mode = gcn_warp_at(reg)->mode; \
		unsigned rounding = begin_rounding(mode, MODE_ROUND_32); \
		name##_lanes(all ? to : &v, a, a_one, b, c, op->in, mode); \
		end_rounding(rounding); \
		if (all) \
			HANDLER_NEXT_FULL(op, x, reg, active); \
		row_blend(to, &v, active); \
		HANDLER_NEXT(op, x, reg, active); \
	}

#define VALU_F32_HANDLED(name, sources, expression) \
	VALU_F32(name, sources, expression) \
	FOUR_HANDLERS(name, VALU_F32_HANDLER, false, 0, sources)

/* min, max and the like leave denormals alone before 1.4 (LLVM, AMDGPU, hasMinMaxDenormModes). */
static inline uint32_t order_mode(const struct exec *x, uint32_t mode)
{
	return valu_generation(x) < GCN_14 ? mode | 0xfu << MODE_DENORM_32 : mode;
}

#define VALU_ORDER(name, sources, expression) \
	VALU_LANES(name, expression) \
	EXEC(name) \
	{ \
		struct valu v; \
		valu_fetch(x, in, sources, false, &v); \
		name##_lanes(&v.out, v.low[0]->lane, false, v.low[1], v.low[2], in, order_mode(x, v.mode)); \
		return gcn_put(x, in, &v.out); \
	}

/* Doubles: at least one operand has 64 bits; the host rounds by the bits from `shift` on. */
#define VALU_ROUNDED(name, sources, shift, expression) \
	EXEC(name) \
	{ \
		struct valu v; \
		unsigned rounding; \
		valu_fetch(x, in, sources, true, &v); \
		uint32_t mode = v.mode; \
		rounding = begin_rounding(mode, shift); \
		FOR_LANES(l) { \
			uint64_t a = WIDE_LANE(0), b = WIDE_LANE(1), c = WIDE_LANE(2), result; \
			(void)a, (void)b, (void)c; \
			result = (expression); \
			v.out.lane[l] = (uint32_t)result; \
			v.out_high.lane[l] = (uint32_t)(result >> 32); \
		} \
		end_rounding(rounding); \
		return gcn_put_wide(x, in, &v.out, &v.out_high); \
	}
#define VALU_F64(name, sources, expression) VALU_ROUNDED(name, sources, MODE_ROUND_64, expression)

/* ---- 16 bits ---- */

/* A 16-bit result goes to the half of the register named by op_sel and leaves the other; without op_sel, the upper half
 * becomes 0, or stays (`keeps`). */
static inline int valu_put_half(struct exec *x, const struct insn *in, struct row *v, bool keeps)
{
	bool high = in->mod[MOD_FORM] == FORM_VOP3 && in->mod[MOD_OPSEL] >> 3 & 1;

	if (in->mod[MOD_FORM] == FORM_SDWA || !(high || keeps))
		return gcn_put(x, in, v);
	return SIMD_NAME(gcn_put_half)(x, in, v, high);
}

#define VALU_HALF_(name, sources, keeps, expression) \
	VALU_LANES(name, expression) \
	EXEC(name) \
	{ \
		struct valu v; \
		valu_fetch(x, in, sources, false, &v); \
		name##_lanes(&v.out, v.low[0]->lane, false, v.low[1], v.low[2], in, v.mode); \
		return valu_put_half(x, in, &v.out, keeps); \
	}
/* The expression has 16 bits and nothing above. _KEEP: instructions that from 1.4 on keep the upper half (LLVM, AMDGPU,
 * zeroesHigh16BitsOfDest). */
#define VALU_HALF(name, sources, expression) VALU_HALF_(name, sources, false, expression)
#define VALU_HALF_KEEP(name, sources, expression) \
	VALU_HALF_(name, sources, valu_generation(x) >= GCN_14, expression)
#define VALU_HALF_ORDER(name, sources, keeps, expression) \
	VALU_LANES(name, expression) \
	EXEC(name) \
	{ \
		struct valu v; \
		valu_fetch(x, in, sources, false, &v); \
		name##_lanes(&v.out, v.low[0]->lane, false, v.low[1], v.low[2], in, order_mode(x, v.mode)); \
		return valu_put_half(x, in, &v.out, keeps); \
	}

#endif
