/* Executors of double precision. */
#include "core/isa/tesla/arith_f64.h"
#include "core/isa/tesla/stamp.h"

struct double_mods {
	bool neg[3], abs[2];
	unsigned round, cond;
};

static inline struct double_mods double_mods(const struct insn *in)
{
	return (struct double_mods){
		.neg = {in->mod[MOD_NEG1], in->mod[MOD_NEG2], in->mod[MOD_NEG3]},
		.abs = {in->mod[MOD_ABS1], in->mod[MOD_ABS2]},
		.round = in->mod[MOD_ROUND],
		.cond = in->mod[MOD_COND],
	};
}

EXEC(dadd)
{
	struct double_mods m = double_mods(in);

	STAMP_WIDE(2, f64_add(f64_modify(a, m.neg[0], false), f64_modify(b, m.neg[1], false), m.round, &cc));
	return STEP_OK;
}

EXEC(dmul)
{
	struct double_mods m = double_mods(in);

	STAMP_WIDE(2, f64_mul(f64_modify(a, m.neg[0], false), b, m.round, &cc));
	return STEP_OK;
}

EXEC(dfma)
{
	struct double_mods m = double_mods(in);

	STAMP_WIDE(3, f64_fma(f64_modify(a, m.neg[0], false), b, f64_modify(c, m.neg[2], false), m.round, &cc));
	return STEP_OK;
}

EXEC(dmin)
{
	struct double_mods m = double_mods(in);

	STAMP_WIDE(2, f64_minmax(f64_modify(a, m.neg[0], m.abs[0]), f64_modify(b, m.neg[1], m.abs[1]), false, &cc));
	return STEP_OK;
}

EXEC(dmax)
{
	struct double_mods m = double_mods(in);

	STAMP_WIDE(2, f64_minmax(f64_modify(a, m.neg[0], m.abs[0]), f64_modify(b, m.neg[1], m.abs[1]), true, &cc));
	return STEP_OK;
}

EXEC(dset)
{
	struct double_mods m = double_mods(in);

	STAMP_WIDE(2, f64_set(f64_modify(a, m.neg[0], m.abs[0]), f64_modify(b, m.neg[1], m.abs[1]), m.cond, &cc));
	return STEP_OK;
}
