/* Executors of warp primitives: votes, and of chips with FEAT_LANES ballots, shuffles, matches, reductions. */
#include "core/isa/table.h"
#include "core/isa/tesla/arith.h"
#include "core/isa/tesla/arith_lanes.h"
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/fetch.h"
#include "core/isa/tesla/flow.h"

/* Lanes that execute the primitive, with the words of all: behind a warpsync the words that lanes of other groups left
 * there. */
static lane_mask asked(struct exec *x, const struct row **words)
{
	const struct flow_ops *flow = x->program->flow;

	return flow->asked ? flow->asked(x, words) : x->step.executed;
}

/* The words that executing lanes give to the primitive `in`, the next instruction: an operand, or the guard's answer.
 * Returns the giving lanes; none if `in` is no primitive, or has an operand with an increment, which is not read
 * ahead. */
static lane_mask given(struct exec *x, const struct insn *in, struct row *words)
{
	const struct row *a = words;
	lane_mask holding = in->guard == GUARD_ALWAYS ? x->step.executed : x->step.executed &
		nibbles_in(&tesla_state(x->warp)->c[in->pred_reg & 3], in->guard_set);

	switch (in->row->exec) {
	case TESLA_EXEC_ballot:
	case TESLA_EXEC_vote:
		FOR_LANES(l)
			words->lane[l] = holding >> l & 1;
		return x->step.executed;
	case TESLA_EXEC_shfl:
	case TESLA_EXEC_match:
	case TESLA_EXEC_redux:
		if (in->fetch && (in->src[0].post || SIMD_NAME(tesla_fetch)(x, in) != STEP_OK))
			return 0;
		a = src_row(x, in, 0, words);
		if (a != words)
			*words = *a;
		return holding;
	default: return 0;
	}
}

EXEC(warpsync)
{
	const struct flow_ops *flow = x->program->flow;
	struct row tm, words, masks = *src_row(x, in, 1, &tm);    /* a copy: fetched operands of `in` are gone below */

	if (!flow->together || flow->together(x, &masks))
		return STEP_OK;
	flow->await(x, &masks, &words, given(x, program_at(x->program, x->step.next_pc), &words));
	return STEP_OK;
}

/* The lanes that hold the guard, of the lanes `there`. */
static lane_mask held(struct exec *x, lane_mask *there)
{
	const struct row *answers = NULL;
	lane_mask all = 0;

	*there = asked(x, &answers);
	if (!answers)
		return x->guard;
	FOR_SET_LANES(l, *there)
		all |= (lane_mask)answers->lane[l] << l;
	return all;
}

/* The guard is the question. All active lanes get the answer, in $c: 2 true, 1 false (only the Z bit is evidenced). */
EXEC(vote)
{
	lane_mask there, all = held(x, &there);
	bool yes = in->mod[MOD_OP] == 1 ? all != 0 : all == there;
	struct row v;

	FOR_LANES(l)
		v.lane[l] = yes ? FLAG_S : FLAG_Z;
	row_blend(&tesla_state(x->warp)->c[in->dst.reg & 3], &v, x->warp->active);
	return STEP_OK;
}

EXEC(ballot)
{
	lane_mask there, all = held(x, &there);
	struct row v;

	FOR_LANES(l)
		v.lane[l] = (uint32_t)all;
	write_reg(x->warp, in->dst.reg, &v, x->warp->active);
	return STEP_OK;
}

EXEC(shfl)
{
	struct row ta, tb, tc, out, flags, lanes;
	const struct row *a = src_row(x, in, 0, &ta), *by = src_row(x, in, 1, &tb), *segments = src_row(x, in, 2, &tc);

	lane_mask there = asked(x, &a);
	FOR_LANES(l) {
		bool inside;
		unsigned from = lane_from((enum shuffle)in->mod[MOD_OP], (unsigned)l, by->lane[l], segments->lane[l],
					  &inside);
		lanes.lane[l] = from;
		out.lane[l] = there >> from & 1 ? a->lane[from] : 0;
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
	const struct row *own = src_row(x, in, 0, &ta), *a = own;

	lane_mask there = asked(x, &a);
	FOR_LANES(l) {
		uint32_t same = 0;
		FOR_SET_LANES(k, there)
			same |= (uint32_t)(a->lane[k] == own->lane[l]) << k;
		out.lane[l] = same;
	}
	write_row(x, in, &out);
	return STEP_OK;
}

EXEC(redux)
{
	struct row ta, tm, out;
	const struct row *a = src_row(x, in, 0, &ta), *mask = src_row(x, in, 1, &tm);

	lane_mask there = asked(x, &a);
	FOR_LANES(l) {
		lane_mask lanes = there & mask->lane[l];
		uint32_t sum = lanes ? a->lane[__builtin_ctzll(lanes)] : 0;
		FOR_SET_LANES(k, lanes & (lanes - 1))
			sum = reduce((enum reduction)in->mod[MOD_OP], sum, a->lane[k]);
		out.lane[l] = sum;
	}
	write_row(x, in, &out);
	return STEP_OK;
}
