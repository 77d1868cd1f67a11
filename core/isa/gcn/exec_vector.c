/* Vector instructions that move words, and the first of each kind (exec.h). */
#include "core/isa/gcn/exec.h"
#include "core/isa/gcn/float.h"

VALU_HANDLED(v_mov_b32, 1, a)
VALU_CARRY(v_cndmask_b32, 2, ci ? b : a)
VALU_HANDLED(v_add_f32, 2, f32_add(a, b, mode))
VALU_COMPARE(v_cmp_f32, uint32_t, f32_class(a, b, mode))
VALU_COMPARE(v_cmp_u32, uint32_t, VALU_CLASS(a, b))
VALU_COMPARE(v_cmp_i32, int32_t, VALU_CLASS(a, b))
VALU_COMPARE(v_cmp_u64, uint64_t, VALU_CLASS(a, b))

EXEC(v_nop)
{
	return STEP_OK;
}

/* Of the lowest active lane; of lane 0 if there is none. */
EXEC(v_readfirstlane_b32)
{
	struct row tmp;
	const struct row *a = gcn_source(x, in, 0, 0, &tmp);

	gcn_write_scalar(x, in->dst.reg, a->lane[x->step.active ? __builtin_ctzll(x->step.active) : 0]);
	return STEP_OK;
}

GCN_PART(vector) = {
	ENTRY_HANDLED(v_mov_b32), ENTRY(v_cndmask_b32), ENTRY_HANDLED(v_add_f32),
	ENTRY(v_cmp_f32), ENTRY(v_cmp_u32), ENTRY(v_cmp_i32), ENTRY(v_cmp_u64),
	ENTRY(v_nop), ENTRY(v_readfirstlane_b32),
	{ 0 }
};
