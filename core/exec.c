#include "core/exec.h"

int exec_fault(struct exec *x, enum fault_kind kind, lane_mask lanes, uint32_t addr)
{
	x->fault = (struct fault){ .kind = kind, .pc = x->step.pc, .lanes = lanes, .addr = addr };
	x->warp->status = WARP_FAULTED;
	return STEP_FAULT;
}

void exec_notice(struct exec *x, enum notice n)
{
	if (!x->counts.notice[n]++)
		x->counts.notice_pc[n] = x->step.pc;
}
