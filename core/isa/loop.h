/* Steps of all ways to execute: begin a step, and count its effects. */
#ifndef WB_CORE_ISA_LOOP_H
#define WB_CORE_ISA_LOOP_H

#include "core/base/rng.h"
#include "core/isa/exec.h"
#include "core/visits.h"

enum {
	CYCLES_AN_ISSUE = 4,
	RUN_MAX = 64,                   /* most instructions of a run between comparisons of the budget */
};

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

/* The digest of a warp after the issue of instructions [from, to) under `active`. */
static inline uint64_t run_digest(uint64_t digest, uint32_t from, uint32_t to, lane_mask active)
{
	return mix64(digest + ((uint64_t)to << 32 | from) * 31 + active);
}

/* The digest of all issues of a warp. */
static inline uint64_t span_digest(const struct warp *w)
{
	const struct span *s = &w->span;

	return s->from != s->to ? run_digest(w->digest, s->from, s->to, s->active) : w->digest;
}

/* Bill the step's effect on the mask. */
void exec_count_branch(struct exec *x);
/* Count notices of bits without meaning and of undocumented instructions. */
void exec_notice_word(struct exec *x, const struct insn *in);

#endif
