/* The slow path of PICA's threaded code (core/isa/threaded.h): any instruction, and the test for a scope that ends at
 * the next. And the host's rounding while a warp runs. */
#include "core/isa/pica/exec.h"
#include "core/isa/pica/scope.h"

int pica_execute(struct exec *x, const struct insn *in)
{
	const struct pica_warp *s = pica_state(x->warp);
	int r;

	if (!in->plain && in->loose && x->rules->strict)
		return exec_fault(x, FAULT_LOOSE_BITS, x->warp->active, 0);
	x->warp->issues++;      /* lanes that leave or return now have issued the instruction */
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

static const struct threaded_level *level_of(const struct program *p)
{
	const struct pica_build *build = p->build;

	return build->flow->engine;
}

int pica_run(struct exec *x, uint64_t budget)
{
	unsigned before = f24_enter(pica_rounding(x->program));
	int r;

	x->run.single = pica_state(x->warp)->single;
	r = level_of(x->program)->run(x, budget);
	f24_leave(before);
	return r;
}

int pica_run_precise(struct exec *x, uint64_t budget)
{
	unsigned before = f24_enter(pica_rounding(x->program));
	int r = level_of(x->program)->run_precise(x, budget);

	f24_leave(before);
	return r;
}
