/* Executors of warp primitives (FEAT_LANES): ballots, shuffles, matches, reductions. */
#include "core/isa/tesla/arith_lanes.h"
#include "core/isa/tesla/exec.h"

/* As vote: the guard is the question, and all active lanes get the answer. */
EXEC(ballot)
{
	struct row v;

	FOR_LANES(l)
		v.lane[l] = (uint32_t)x->guard;
	write_reg(x->warp, in->dst.reg, &v, x->warp->active);
	return STEP_OK;
}

EXEC(shfl)
{
	struct row ta, tb, tc, out, flags, lanes;
	const struct row *a = src_row(x, in, 0, &ta), *by = src_row(x, in, 1, &tb), *segments = src_row(x, in, 2, &tc);

	FOR_LANES(l) {
		bool inside;
		unsigned from = lane_from((enum shuffle)in->mod[MOD_OP], (unsigned)l, by->lane[l], segments->lane[l],
					  &inside);
		lanes.lane[l] = from;
		out.lane[l] = x->step.executed >> from & 1 ? a->lane[from] : 0;
		flags.lane[l] = inside ? FLAG_S : FLAG_Z;
	}
	row_blend(&tesla_state(x->warp)->from, &lanes, x->step.executed);
	write_flags(x, in, &flags);
	write_row(x, in, &out);
	return STEP_OK;
}

EXEC(match)
{
	struct row ta, out;
	const struct row *a = src_row(x, in, 0, &ta);

	FOR_LANES(l) {
		uint32_t same = 0;
		FOR_SET_LANES(k, x->step.executed)
			same |= (uint32_t)(a->lane[k] == a->lane[l]) << k;
		out.lane[l] = same;
	}
	write_row(x, in, &out);
	return STEP_OK;
}

EXEC(redux)
{
	struct row ta, tm, out;
	const struct row *a = src_row(x, in, 0, &ta), *mask = src_row(x, in, 1, &tm);

	FOR_LANES(l) {
		lane_mask lanes = x->step.executed & mask->lane[l];
		uint32_t sum = lanes ? a->lane[__builtin_ctzll(lanes)] : 0;
		FOR_SET_LANES(k, lanes & (lanes - 1))
			sum = reduce((enum reduction)in->mod[MOD_OP], sum, a->lane[k]);
		out.lane[l] = sum;
	}
	write_row(x, in, &out);
	return STEP_OK;
}
