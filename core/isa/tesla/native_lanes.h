/* The text in front of Tesla's native code: a function for each row of handlers.def, of the meanings in arith_*.h.
 * Floats are the fast ones, in the host's mode without denormals. */
#define F32_HOST_HAS_NO_DENORMALS true
#include "core/isa/native.h"
#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/arith_int.h"
#include "core/isa/tesla/fast_lane.h"
#include "core/isa/tesla/native_flow.h"
#include "core/isa/tesla/native_memory.h"

#define LANE_OPERATION(name, value) \
	LANE_FN uint32_t lane_##name(uint32_t a, uint32_t b, uint32_t c, uint32_t flip_a, uint32_t flip_b, \
				     uint32_t flip_c, uint32_t cond, uint32_t *flags, uint32_t *odd, \
				     uint32_t *least) \
	{ \
		uint32_t cc = 0, result = (value); \
		*flags = cc; \
		return result; \
	}
#define HANDLER(name, executor, sources, when, value) LANE_OPERATION(name, value)
/* Of a product one factor alone has a sign to turn. */
#define FAST(name, flip_a, flip_b, flip_c) FAST_##name(flip_a, flip_b, flip_c)
#define FAST_fadd(flip_a, flip_b, flip_c) fast_lane_fadd(a ^ (flip_a), b ^ (flip_b), c, odd)
#define FAST_fmul(flip_a, flip_b, flip_c) fast_lane_fmul(a ^ (flip_a), b, c, odd)
#define FAST_fmad(flip_a, flip_b, flip_c) fast_lane_fmad(a ^ (flip_a), b, c ^ (flip_c), odd, least)
#define FAST_FLOAT(name, executor, sources, when, first, second, value) LANE_OPERATION(name, first)
#include "core/isa/tesla/handlers.def"
