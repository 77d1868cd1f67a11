/* Actions common to executors: fault, refuse to run ahead of the clock, count notices and branches. */
#include "core/trace.h"
#include "core/isa/loop.h"
#include "mem/conflicts.h"

int exec_fault(struct exec *x, enum fault_kind kind, lane_mask lanes, uint64_t addr)
{
	x->fault = (struct fault){ .kind = kind, .pc = x->step.pc, .lanes = lanes, .addr = addr };
	x->warp->status = WARP_FAULTED;
	return STEP_FAULT;
}

int exec_refuse(struct exec *x, const char *why)
{
	x->pages.sets->refused = why;
	return exec_fault(x, FAULT_GLOBAL_UNMAPPED, x->step.executed, 0);
}

void exec_notice(struct exec *x, enum notice n)
{
	if (x->trace)
		x->trace->refused = "something worth a notice comes first, or not, by the order of warps";
	if (!x->counts.notice[n]++)
		x->counts.notice_pc[n] = x->step.pc;
}

void exec_beyond(struct exec *x, unsigned lane)
{
	if (!x->counts.notice[NOTICE_BEYOND_BUFFER]) {
		x->counts.beyond.addr = x->pages.beyond;
		x->counts.beyond.width = x->pages.beyond_width;
		x->counts.beyond.block = x->block->index;
		x->counts.beyond.warp = x->warp->id;
		x->counts.beyond.lane = lane;
	}
	x->pages.beyond_width = 0;
	exec_notice(x, NOTICE_BEYOND_BUFFER);
}

void exec_count_branch(struct exec *x)
{
	struct bill_pc *pc = &x->bill->pc[x->step.pc >> 2];

	if (!(x->step.flow & FLOW_BRANCH))
		return;
	x->bill->branches++;
	if (x->step.flow & FLOW_DIVERGED) {
		x->bill->divergent++;
		pc->diverged++;
	} else if (x->step.flow & FLOW_TAKEN) {
		pc->taken++;
	} else {
		pc->not_taken++;
	}
}

void exec_notice_word(struct exec *x, const struct insn *in)
{
	if (in->loose)
		exec_notice(x, NOTICE_LOOSE_BITS);
	if (in->undoc)
		exec_notice(x, NOTICE_UNDOC);
}
