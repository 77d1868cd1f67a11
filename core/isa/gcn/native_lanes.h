/* The text in front of GCN's native code: functions of the meanings in handled.def and scalar.def, for MODE as at the
 * beginning of a wavefront. A NaN as the result of floats is odd: the NaN is chosen by the handler, and no other result
 * differs (arith_float.h, FLOAT_ORDINARY). */
#define ROW_LANES 64
#include "core/isa/native.h"
#include "core/isa/gcn/arith.h"
#include "core/isa/gcn/arith_convert.h"
#include "core/isa/gcn/arith_int.h"
#include "core/isa/gcn/arith_scalar.h"
#include "core/isa/gcn/compare.h"
#include "core/isa/gcn/mask.h"
#include "core/isa/gcn/native.h"
#include "core/isa/gcn/ops.h"

#define FLOAT_ORDINARY
#define FLOAT_FORMAT ordinary
#define WORD uint32_t
#define SIGNED int32_t
#define VALUE float
#define MANTISSA 23
#define EXPONENT 8
#define DENORM MODE_DENORM_32
#define TO_WORD(v, mode) f32_bits(v)
#define FUSED(a, b, c, mode) f32_fused(a, b, c, mode)
#define MATH(name) name##f
#define ordinary_value f32_value
#include "core/isa/gcn/arith_float.h"

/* ---- operations on lanes ---- */

#define LANE_OPERATION(name, ...) \
	NATIVE_FN uint32_t lane_##name(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t ci, \
				       uint32_t condition, uint32_t *second, uint32_t *carry, uint32_t *odd) \
	{ \
		enum { mode = NATIVE_NUMBER_OF_PROGRAM & GCN_NATIVE_MODE }; \
		__VA_ARGS__ \
	}
#define CLAMP 0
#define F32(name) ordinary_##name
#define VALU_HANDLED(name, sources, expression) LANE_OPERATION(name, return (expression);)
#define VALU VALU_HANDLED
#define VALU_F32 VALU_HANDLED
#define VALU_ORDER(name, sources, expression) \
	NATIVE_FN uint32_t order_##name(uint32_t a, uint32_t b, uint32_t c, uint32_t mode) { return (expression); } \
	LANE_OPERATION(name, return order_##name(a, b, c, mode | (NATIVE_NUMBER_OF_PROGRAM & GCN_ORDER_KEEPS ? \
								  0xfu << MODE_DENORM_32 : 0));)
#define VALU_F32_HANDLED(name, sources, expression) \
	LANE_OPERATION(name, uint32_t v = (expression); *odd = f32_is_nan(v); return v;)
#define VALU_CARRY_HANDLED(name, expression) \
	LANE_OPERATION(name, uint32_t co = 0, v = (expression); *carry = co; return v;)
#define VALU_PAIR(name, sources, expression) \
	LANE_OPERATION(name, uint32_t low = c, high = d, co = 0, r_high, v = (expression); *second = r_high; \
		       *carry = co; return v;)
#define VALU_COMPARE_HANDLED(name, type, expression) \
	NATIVE_FN uint32_t classes_##name(type a, type b, uint32_t mode) { return (expression); } \
	LANE_OPERATION(name, return classes_##name((type)a, (type)b, mode) & condition;)
#define HANDLED_INT
#define HANDLED_FLOAT
#define HANDLED_MOVE
#include "core/isa/gcn/handled.def"

/* A source's sign: kept by b, turned by c. */
LANE_OPERATION(sign, return (a & b) ^ c;)

/* ---- scalar arithmetic ---- */

#define SOP(name, expression) \
	NATIVE_FN void scalar_##name(char *reg, uint64_t active, uint32_t a, uint32_t b, intptr_t to) \
	{ \
		uint32_t scc = gcn_warp_at(reg)->scc, old = NATIVE_WORD(reg, to); \
		NATIVE_WORD(reg, to) = (expression); \
		gcn_warp_at(reg)->scc = scc; \
	}
#define SOP64(name, expression) \
	NATIVE_FN void scalar_##name(char *reg, uint64_t active, uint64_t a, uint64_t b, intptr_t to) \
	{ \
		uint32_t scc = gcn_warp_at(reg)->scc; \
		uint64_t old = NATIVE_PAIR(reg, to); \
		NATIVE_PAIR(reg, to) = (expression); \
		gcn_warp_at(reg)->scc = scc; \
	}
#define SAVE_EXEC(name, expression) \
	NATIVE_FN void scalar_##name(char *reg, uint64_t active, uint64_t a, uint64_t b, intptr_t to) \
	{ \
		uint64_t e = active, v = (expression); \
		NATIVE_PAIR(reg, to) = e; \
		NATIVE_PAIR(reg, (intptr_t)GCN_NEXT_EXEC) = v; \
		gcn_warp_at(reg)->scc = v != 0; \
	}
#define COMPARE(name, type, expression) \
	NATIVE_FN uint32_t flag_##name(type a, type b) { return (expression); } \
	NATIVE_FN void scalar_##name(char *reg, uint64_t active, uint32_t a, uint32_t b, intptr_t to) \
	{ \
		gcn_warp_at(reg)->scc = flag_##name((type)a, (type)b); \
	}
#define COMPARE64(name, expression) \
	NATIVE_FN void scalar_##name(char *reg, uint64_t active, uint64_t a, uint64_t b, intptr_t to) \
	{ \
		gcn_warp_at(reg)->scc = (expression); \
	}
#include "core/isa/gcn/scalar.def"

/* ---- control flow ---- */

/* Another MODE, or a run of which more is noted than counts, is for threaded code. */
NATIVE_FN bool gcn_declines(const struct exec *x, char *reg)
{
	return threaded_noted(x) || ((gcn_warp_at(reg)->mode ^ NATIVE_NUMBER_OF_PROGRAM) & GCN_NATIVE_MODE);
}

#define GCN_GOES(name, condition) \
	NATIVE_FN bool gcn_##name(char *reg) \
	{ \
		const struct gcn_warp *g = gcn_warp_at(reg); \
		return condition; \
	}
GCN_CONDITIONS(GCN_GOES)

/* take_exec */
NATIVE_FN bool gcn_take(const struct threaded_op *op, struct exec *x, char *reg, row_mask *active)
{
	uint64_t v = NATIVE_PAIR(reg, (intptr_t)GCN_NEXT_EXEC), was = *active;
	const struct threaded_op *begun = x->run.begun, *next = op + 1;
	bool parts = was & ~v & x->warp->launched && was & v & x->warp->launched;

	if (v == was)
		return true;
	threaded_count_run(x, begun->pc, op->behind, was);
	threaded_advance(x, op->issue + 1 - begun->issue);
	if (!gcn_exchange_exec(x, op->pc, v)) {
		((const struct gcn_threaded *)x->program->threaded)->write_exec(op, x, v);
	} else if (parts) {
		x->bill->branches++;
		x->bill->divergent++;
		x->bill->pc[op->pc >> 2].diverged++;
	}
	x->warp->pc = op->behind;
	x->run.begun = next;
	*active = v;
	return next->in && !x->run.single && x->run.remaining > next->run;
}
