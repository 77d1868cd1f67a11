/* Executors of the special functions and of the preparation of arguments, without flags. */
#include "core/isa/tesla/arith_sfu.h"
#include "core/isa/tesla/stamp.h"

#define UNARY(name, function) \
	EXEC(name) \
	{ \
		bool neg = in->mod[MOD_NEG1], abs = in->mod[MOD_ABS1]; \
		STAMP(1, function(f32_modify(a, neg, abs))); \
		return STEP_OK; \
	}

UNARY(rcp, sfu_rcp)
UNARY(rsqrt, sfu_rsqrt)
UNARY(lg2, sfu_lg2)
UNARY(presin, sfu_presin)
UNARY(preex2, sfu_preex2)

EXEC(sin)
{
	STAMP(1, sfu_sin(a));
	return STEP_OK;
}

EXEC(cos)
{
	STAMP(1, sfu_cos(a));
	return STEP_OK;
}

EXEC(ex2)
{
	bool sat = in->mod[MOD_SAT];

	STAMP(1, sfu_ex2(a, sat));
	return STEP_OK;
}
