/* The run loop: execute, then see whether a scope ends where the next instruction stands. */
#include "core/isa/pica/exec.h"
#include "core/isa/pica/scope.h"
#include "core/loop.h"

/* One instruction. */
static inline int step(struct exec *x, const struct insn *in)
{
	const struct pica_warp *s = pica_state(x->warp);
	int r;

	if (!in->plain && in->loose && x->rules->strict)
		return exec_fault(x, FAULT_LOOSE_BITS, x->warp->active, 0);
	x->warp->issues++;      /* lanes that leave or return now have issued this one */
	r = in->exec(x, in);
	if (r == STEP_FAULT) {
		x->warp->issues--;
		return r;
	}
	if (!in->plain) {
		exec_notice_word(x, in);
		exec_count_branch(x);
	}
	if (!(in->marks & MOVES) && scope_ends(s, x->step.next_pc))
		r = leave_scopes(x);
	return r;
}

int pica_run(struct exec *x, uint64_t budget)
{
	unsigned before = f24_enter(pica_rounding(x->program));
	struct warp *w = x->warp;
	struct span span = { 0 };
	int r = STEP_OK;

	while (budget-- && r == STEP_OK) {
		const struct insn *in = exec_begin(x);
		if (!in) {
			r = exec_fault(x, FAULT_PC_OUT_OF_RANGE, w->active, w->pc);
			break;
		}
		r = step(x, in);
		if (r == STEP_FAULT)
			break;
		span_add(x, &span, in);
		x->instructions++;
		x->cycle++;
		w->pc = x->step.next_pc;
	}
	span_end(x, &span);
	f24_leave(before);
	return r;
}
