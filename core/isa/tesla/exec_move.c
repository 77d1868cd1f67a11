/* Executors that move values between registers, flags, address registers and special registers, and vote. */
#include "core/isa/tesla/arith.h"
#include "core/isa/tesla/exec.h"

EXEC(mov)
{
	struct row tmp;

	write_row(x, in, src_row(x, in, 0, &tmp));
	return STEP_OK;
}

EXEC(mov_c_r)
{
	write_row(x, in, &tesla_state(x->warp)->c[in->src[0].reg & 3]);
	return STEP_OK;
}

static const struct row *address_row(const struct exec *x, unsigned reg, struct row *tmp)
{
	const struct tesla_warp *t = tesla_state(x->warp);

	if (reg < ADDRESS_ROWS)
		return &t->a[reg];
	FOR_LANES(l)
		tmp->lane[l] = reg == 7 ? t->a7 : 0;
	return tmp;
}

/* $a0, $a5 and $a6 ignore writes; $a7 is one value a warp, and the highest executing lane's stays. */
static void write_address(struct exec *x, unsigned reg, const struct row *v)
{
	struct tesla_warp *t = tesla_state(x->warp);

	if (reg >= 1 && reg < ADDRESS_ROWS)
		row_blend(&t->a[reg], v, x->step.executed);
	else if (reg == 7 && x->step.executed)
		t->a7 = v->lane[63 - __builtin_clzll(x->step.executed)];
}

/* The post-increment flag does nothing on moves from $a but the fault (S4: "crashy flag"). */
static bool bad_increment(const struct insn *in)
{
	unsigned reg = in->src[0].addr_reg;

	return in->src[0].post && (reg == 0 || reg >= ADDRESS_ROWS);
}

EXEC(mov_a_r)
{
	struct row tmp;

	if (bad_increment(in))
		return exec_fault(x, FAULT_ILLEGAL_POSTINCR, x->step.executed, 0);
	write_row(x, in, address_row(x, in->src[0].reg, &tmp));
	return STEP_OK;
}

EXEC(add_a)
{
	struct row tmp, sum;
	const struct row *a = address_row(x, in->src[0].reg, &tmp);

	if (bad_increment(in))
		return exec_fault(x, FAULT_ILLEGAL_POSTINCR, x->step.executed, 0);
	FOR_LANES(l)
		sum.lane[l] = (a->lane[l] + (uint32_t)in->src[1].value) & 0xffff;
	write_address(x, in->dst.reg, &sum);
	return STEP_OK;
}

EXEC(shl_a)
{
	struct row tmp, v;
	const struct row *a = src_row(x, in, 0, &tmp);

	FOR_LANES(l)
		v.lane[l] = a->lane[l] << (in->src[1].value & 15) & 0xffff;
	write_address(x, in->dst.reg, &v);
	return STEP_OK;
}

EXEC(mov_r_c)
{
	struct row tmp, v;
	const struct row *a = src_row(x, in, 0, &tmp);

	FOR_LANES(l)
		v.lane[l] = a->lane[l] & 15;
	row_blend(&tesla_state(x->warp)->c[in->dst.reg & 3], &v, x->step.executed);
	return STEP_OK;
}

/* $physid: lane [7:0], warp slot [15:8], MP in TPC [19:16], TPC [23:20]; $clock: one a 2 shader cycles (S4;
 * tesla-semantics). */
static uint32_t special(const struct exec *x, unsigned reg)
{
	uint32_t mp = x->special.mp % x->special.mps_per_tpc, tpc = x->special.mp / x->special.mps_per_tpc;
	bool wide = x->program->target.features & FEAT_LANES;

	switch (reg) {
	case SR_PHYSID: return (x->warp->slot & 0xffu) << 8 | (mp & 15) << 16 | (tpc & 15) << 20;
	case SR_CLOCK: return (uint32_t)(x->special.cycle / 2);
	case SR_VSTRIDE: return VSTRIDE;
	case SR_SAMPLEID: return x->program->stream ? x->program->stream->sample : 0;
	case SR_PM0 ... SR_PM3: return x->special.pm[reg - SR_PM0] ? (uint32_t)*x->special.pm[reg - SR_PM0] : 0;
	case SR_CTAID_X ... SR_CTAID_Z: return wide ? x->block->id[reg - SR_CTAID_X] : 0;
	case SR_NCTAID_X ... SR_NCTAID_Z: return wide ? x->block->nctaid[reg - SR_NCTAID_X] : 0;
	default: return 0;
	}
}

EXEC(mov_sr_r)
{
	uint32_t v = special(x, in->src[0].reg);
	bool of_time = in->src[0].reg == SR_CLOCK || (in->src[0].reg >= SR_PM0 && in->src[0].reg <= SR_PM3);
	struct row out;

	if (of_time && x->warp_sets)
		return exec_refuse(x, "an instruction reads the clock or a counter");
	FOR_LANES(l)
		out.lane[l] = in->src[0].reg == SR_PHYSID ? v | (uint32_t)l : v;
	write_row(x, in, &out);
	return STEP_OK;
}
