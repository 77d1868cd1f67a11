/* What the run loops of all machines do alike: begin a step, and bill what was issued. */
#ifndef WB_CORE_LOOP_H
#define WB_CORE_LOOP_H

#include "core/base/rng.h"
#include "core/exec.h"
#include "core/visits.h"

enum { CYCLES_AN_ISSUE = 4 };

/* Fetch the instruction at the warp's pc and begin its step. NULL past the end of the program. */
static inline const struct insn *exec_begin(struct exec *x)
{
	struct warp *w = x->warp;
	struct step *step = &x->step;
	const struct insn *in = w->pc < x->program->code_bytes ? program_at(x->program, w->pc) : NULL;

	step->insn = in;
	step->pc = w->pc;
	step->next_pc = w->pc + (in ? in->length : 0);
	step->active = step->executed = w->active;
	step->flow = 0;
	step->accesses = 0;
	step->run = 0;
	return in;
}

/* Consecutive instructions under one mask: what bill_run counts at once. */
struct span {
	uint32_t from, to;
	lane_mask active;
};

/* The digest of a warp whose instructions [from, to) were issued under `active`. */
static inline uint64_t run_digest(uint64_t digest, uint32_t from, uint32_t to, lane_mask active)
{
	return mix64(digest + ((uint64_t)to << 32 | from) * 31 + active);
}

static inline void span_end(struct exec *x, struct span *s)
{
	if (s->from == s->to)
		return;
	bill_run(x->bill, s->from, s->to, lanes_count(s->active));
	if (x->warp->visits)
		visits_run(x->warp->visits, x->bill->lanes, s->from, s->to, s->active);
	if (!x->timed)
		x->warp->digest = run_digest(x->warp->digest, s->from, s->to, s->active);
}

static inline void span_add(struct exec *x, struct span *s, const struct insn *in)
{
	const struct step *step = &x->step;

	if (__builtin_expect(step->pc != s->to || step->active != s->active, 0)) {
		span_end(x, s);
		s->from = step->pc;
		s->active = step->active;
	}
	s->to = step->pc + in->length;
}

/* Bill what the step did to the mask. */
void exec_count_branch(struct exec *x);
/* Tell of bits without meaning and of undocumented instructions. */
void exec_notice_word(struct exec *x, const struct insn *in);

#endif
