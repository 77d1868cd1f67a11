/* Handlers that every instruction can take which leaves EXEC and the pc alone: the one that calls its executor, and those
 * that make a source for a handler of its own. And what there is of this SIMD level. */
#include "core/isa/gcn/exec.h"
#include "core/loop.h"

THREADED_OF_LEVEL(gcn_base)
THREADED_OF_LEVEL(gcn_avx2)
THREADED_OF_LEVEL(gcn_avx512)
extern const struct threaded_level threaded_gcn_base, threaded_gcn_avx2, threaded_gcn_avx512;

static int handler_exec(HANDLER_PARAMETERS)
{
	lane_mask off;
	int r;

	threaded_begin_step(op, x, active, active);
	r = op->in->exec(x, op->in);
	if (__builtin_expect(r != STEP_OK, 0))
		return threaded_stay(op, x, active, r);
	off = active & ~x->step.executed;
	if (__builtin_expect(off != 0, 0))
		x->bill->pc[op->pc >> 2].predicated += (unsigned)lanes_count(off);
	if (x->step.accesses)
		x->observe(x);
	HANDLER_NEXT(op, x, reg, active);
}

#define MAKE(i) \
	static int handler_make_##i(HANDLER_PARAMETERS) \
	{ \
		struct row *to = &gcn_warp_at(reg)->made[i]; \
		const struct row *from; \
		x->step.active = x->step.executed = active; \
		from = SIMD_NAME(gcn_make)(x, op->in, i, 0, to); \
		if (from != to) \
			*to = *from; \
		HANDLER_NEXT(op, x, reg, active); \
	}
MAKE(0)
MAKE(1)
MAKE(2)

#define PARTS(X) X(vector)

#define DECLARE(name) extern GCN_PART(name);
PARTS(DECLARE)

#define PART(name) SIMD_NAME(gcn_part_##name),
static const struct gcn_executor *const parts[] = { PARTS(PART) NULL };

#define ENGINE SIMD_PASTE(threaded_gcn, SIMD_LEVEL)
const struct gcn_level SIMD_NAME(gcn_level) = {
	.part = parts, .exec = handler_exec, .make = { handler_make_0, handler_make_1, handler_make_2 }, .engine = &ENGINE,
};
