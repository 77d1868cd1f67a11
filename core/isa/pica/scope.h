/* Paths through a program: where lanes go, and which path runs. */
#ifndef WB_CORE_ISA_PICA_SCOPE_H
#define WB_CORE_ISA_PICA_SCOPE_H

#include "core/diverge/groups.h"
#include "core/diverge/reconverge.h"
#include "core/isa/pica/state.h"

void push_call(struct path *p, uint32_t end, uint32_t back);
void push_if(struct path *p, uint32_t end, uint32_t to);
/* Enter a LOOP for the lanes of the path: x + 1 iterations, aL from y on in steps of z. */
void push_loop(struct pica_warp *s, struct path *p, uint32_t first, uint32_t end, const uint8_t xyz[3]);

/* After an instruction with a successor at `next`: set the path's next pc. `jump` is the instruction's target,
 * overruled by scopes that end at `next`; `broke`: the innermost loop is broken. */
void path_advance(struct pica_warp *s, struct path *p, uint32_t next, uint32_t jump, bool broke);

/* The scopes on top of the running path's stacks have changed. */
static inline void watch_scopes(struct pica_warp *w)
{
	const struct scopes *s = &w->now.scopes;

	w->watch[0] = s->ncall ? s->call[s->ncall - 1].end : NOWHERE;
	w->watch[1] = s->nif ? s->cond[s->nif - 1].end : NOWHERE;
	w->watch[2] = s->nloop ? s->loop[s->nloop - 1].end : NOWHERE;
}

/* Choose the running path, and put the path's pc into x->step.next_pc: paths at the same place with equal stacks become
 * a single path; the deepest runs first, among equally deep the hindmost, so that paths reconverge at the end of a
 * scope. STEP_DONE when no lane remains. */
int choose_path(struct exec *x);

/* Offset of the groups in a warp's state, in bytes (core/isa/pica/state.c). */
size_t pica_groups_offset(const struct program *p);

/* Under a policy over groups of lanes, the groups of a warp, behind the rest of the warp's state; NULL: the scopes
 * alone decide, which is the machine's own way. */
static inline struct groups *pica_groups(const struct exec *x)
{
	if (__builtin_expect(!reconverge_policy(x->rules), 1))
		return NULL;
	return (struct groups *)((char *)x->warp->state + pica_groups_offset(x->program));
}

/* The running path has become two, `taken` and `rest`, at one instruction: the policy chooses, as in choose_path. */
int split_groups(struct exec *x, struct path taken, struct path rest);

/* May go on after an instruction that moved no lanes by itself? */
static inline bool scope_ends(const struct pica_warp *s, uint32_t next)
{
	return next == s->watch[0] || next == s->watch[1] || next == s->watch[2] || s->nwaiting || s->single;
}

int leave_scopes(struct exec *x);

#endif
