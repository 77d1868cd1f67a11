/* Markers and pushes where nothing can fault, of handlers and of native paths. */
#ifndef WB_CORE_ISA_TESLA_NATIVE_FLOW_H
#define WB_CORE_ISA_TESLA_NATIVE_FLOW_H

#include "core/isa/threaded.h"
#include "core/isa/tesla/flow.h"

/* joinat, prebrk. False: the stack is full, and nothing has happened. */
static inline bool tesla_push(const struct threaded_op *op, struct exec *x, row_mask active)
{
	if (__builtin_expect(tesla_state(x->warp)->depth == x->rules->stack_depth, 0))
		return false;
	flow_push(x, (struct stack_entry){
		.type = (uint8_t)op->arg, .pc = (uint32_t)op->in->src[0].value, .mask = active,
	});
	return true;
}

/* A join marker with all lanes of its entry present. False: nothing has happened. */
static inline bool tesla_join(const struct threaded_op *op, struct exec *x, row_mask active)
{
	struct tesla_warp *t = tesla_state(x->warp);
	const struct stack_entry *e = t->depth ? &t->stack[t->depth - 1] : NULL;

	(void)op;
	if (!e || e->type != ENTRY_JOINAT || lanes_live(x->warp, e->mask) != active)
		return false;
	t->depth--;
	return true;
}

#endif
