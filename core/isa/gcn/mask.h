/* EXEC in the usual case, of handlers and of native code. */
#ifndef WB_CORE_ISA_GCN_MASK_H
#define WB_CORE_ISA_GCN_MASK_H

#include "core/isa/gcn/state.h"

/* As gcn_write_exec of the instruction at pc, but for x->step.flow, where lanes leave, or come back that left last.
 * False: nothing has happened. */
static inline bool gcn_exchange_exec(struct exec *x, uint32_t pc, uint64_t v)
{
	struct warp *w = x->warp;
	struct gcn_warp *g = gcn_warp(w);
	lane_mask off = w->active & ~v, on = v & ~w->active;
	uint32_t cause = on && !(v & w->active) ? w->out_pc[w->nout - 1] : pc;

	if (!lanes_exchange(w, x->bill, off, on, cause))
		return false;
	g->s[CODE_EXEC] = (uint32_t)v;
	g->s[CODE_EXEC + 1] = (uint32_t)(v >> 32);
	return true;
}

#endif
