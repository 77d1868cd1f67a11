/* Threaded code: what a program becomes so that it runs fast, on any ISA. Translation (core/isa/translate.h) turns each
 * instruction into one or more entries, side by side in the order of the code; an entry has the addresses of the
 * functions that do its work, the handlers, and where its operands are. A handler ends by jumping to the next entry's,
 * so that nothing is decoded and nothing looped over while a warp runs.
 *
 * - An entry has two handlers: one for when all lanes are active, one for any mask.
 * - A run of entries bills nothing. What was issued is counted where the run ends, at an instruction that may go
 *   elsewhere (threaded_end_run): bill, digest, trace segment and budget in one go.
 * - The budget is compared only where a run begins; if less is left than the run may take, the warp goes on in a second
 *   translation that stops after each instruction (threaded_resume).
 * - A handler does what programs mostly do. Whatever else there is takes the slow path, the ISA's function for any
 *   instruction (threaded_code.execute), as one step that does everything (threaded_step).
 *
 * This file is what handlers are written with. An ISA brings them, and a function that chooses them. How many lanes
 * they have is known when they are compiled (core/base/lanes.h). */
#ifndef WB_CORE_ISA_THREADED_H
#define WB_CORE_ISA_THREADED_H

#include "core/trace.h"
#include "core/isa/simd.h"
#include "core/isa/loop.h"

struct threaded_op;

/* `reg`: the warp's registers; `active`: its lanes. Returns enum outcome where the warp cannot go on or its budget is
 * used up, with w->pc set and everything before it billed. */
typedef int handler_fn(const struct threaded_op *op, struct exec *x, char *reg, row_mask active);

/* A row: at (reg & mask) + at. A row of the warp has all ones as its mask, one that all warps share has 0. */
struct row_place {
	uintptr_t mask, at;
};

struct threaded_op {
	handler_fn *full, *some;        /* when all lanes are active, and otherwise */
	struct row_place src[3];
	uintptr_t dst;                  /* a row of the warp, from reg on */
	const struct insn *in;
	const struct threaded_op *target;       /* of a jump */
	union {                         /* as the handlers want it */
		struct {
			uintptr_t flags;        /* the row for the result's flags, from reg on */
			intptr_t guard;         /* the row of flags that is tested, from reg on; 0: unguarded */
			uint32_t guard_set;     /* values that let a lane through, bit = value */
			uint32_t flip[3];       /* what modifiers turn in each source's words */
		};
		uint16_t part[4][4];            /* of vectors: from src[0…2] and dst to the rows of their components */
	};
	uint32_t arg;                   /* a modifier of the instruction */
	bool sinks;                     /* the result is discarded, only its flags are wanted */
	bool flips;                     /* negate the operand */
	bool computes;                  /* the first entry of an instruction that only computes */
	bool jumps;                     /* to in->src[0], whose entry is to be `target` */
	uint32_t pc, behind;            /* of the instruction, and of the one after it */
	uint32_t issue;                 /* instructions before this one in its chain */
	uint32_t run;                   /* most instructions from here to the next comparison of the budget */
};

/* A translated program; the ISA's own struct begins with it. */
struct threaded_code {
	/* By word of code: to run on, and to stop after each instruction; NULL: the program is not translated. */
	const struct threaded_op *const *on, *const *one;
	/* The slow path: execute any instruction, whose step has begun. Returns enum outcome. */
	int (*execute)(struct exec *x, const struct insn *in);
	/* A warp has ended. NULL: there is nothing to do. */
	void (*ended)(struct exec *x);
};

/* What the engine has at each SIMD level. */
struct threaded_level {
	handler_fn *jump, *stop;        /* on at op.target; back to the caller */
	handler_fn *slow;               /* whatever the instruction does */
	handler_fn *nop;
	/* program.run, and the same one instruction at a time, each with a complete x->step */
	int (*run)(struct exec *x, uint64_t budget), (*run_precise)(struct exec *x, uint64_t budget);
};

extern const struct threaded_level threaded_base, threaded_avx2, threaded_avx512;

#define THREADED_OF_LEVEL(level) \
	handler_fn threaded_slow_##level; \
	/* One instruction, on the slow path. */ \
	int threaded_step_##level(struct exec *x); \
	/* Go on from op until a handler returns an outcome. */ \
	int threaded_enter_##level(const struct threaded_op *op, struct exec *x); \
	/* Execute at most `budget` instructions of x->warp. */ \
	int threaded_run_##level(struct exec *x, uint64_t budget);

THREADED_OF_LEVEL(base)
THREADED_OF_LEVEL(avx2)
THREADED_OF_LEVEL(avx512)

/* ---- from handler to handler ---- */

/* How one entry hands over to the next: by a jump where the compiler makes one of a call in the last place, else
 * through the loop in threaded_enter. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#define HANDLERS_JUMP 0
#elif defined(__has_feature)
#define HANDLERS_JUMP (!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer))
#else
#define HANDLERS_JUMP 1
#endif

enum { HANDLER_RETURNED = -1 };

#if HANDLERS_JUMP && defined(__clang__)
#define HANDLER_CALL(fn, op, x, reg, active) __attribute__((musttail)) return (fn)(op, x, reg, active)
#else
#define HANDLER_CALL(fn, op, x, reg, active) return (fn)(op, x, reg, active)
#endif

#if HANDLERS_JUMP
#define HANDLER_JUMP(fn, op, x, reg, active) HANDLER_CALL(fn, op, x, reg, active)
#else
#define HANDLER_JUMP(fn, op, x, reg, active) do { \
		(x)->run.next = (op); \
		(x)->run.next_active = (active); \
		return HANDLER_RETURNED; \
	} while (0)
#endif

/* HANDLER_CALL gives an entry to another handler. To `op`, whatever the mask; to the entry after op, and that where all
 * lanes are known to be active: */
#define HANDLER_GO(op, x, reg, active) do { \
		const struct threaded_op *to_ = (op); \
		handler_fn *fn_ = (active) == ROW_ALL ? to_->full : to_->some; \
		(void)fn_; \
		HANDLER_JUMP(fn_, to_, x, reg, active); \
	} while (0)
#define HANDLER_NEXT(op, x, reg, active) HANDLER_GO((op) + 1, x, reg, active)
#define HANDLER_NEXT_FULL(op, x, reg, active) HANDLER_JUMP((op)[1].full, (op) + 1, x, reg, active)

#define HANDLER_PARAMETERS const struct threaded_op *op, struct exec *x, char *reg, row_mask active

static inline const struct row *op_src(const struct threaded_op *op, int i, const char *reg)
{
	return (const struct row *)(((uintptr_t)reg & op->src[i].mask) + op->src[i].at);
}

static inline struct row *op_row(char *reg, uintptr_t at)
{
	return (struct row *)((uintptr_t)reg + at);
}

/* ---- the end of a run ---- */

/* Out of the way of what is done for each run. */
static __attribute__((noinline, unused)) void threaded_visits(struct exec *x, uint32_t from, uint32_t to,
							      lane_mask active)
{
	visits_run(x->warp->visits, x->bill->lanes, from, to, active);
}

/* Is more to be known of a run than threaded_count_run counts? */
static inline bool threaded_noted(const struct exec *x)
{
	return x->trace || x->warp->visits || x->warp->helper;
}

/* Instructions [from, to) were issued under `active`. A clock has a digest of its own. */
static inline void threaded_count_run(struct exec *x, uint32_t from, uint32_t to, lane_mask active)
{
	struct warp *w = x->warp;

	bill_run(x->bill, from, to, lanes_count(active));
	if (x->timed)
		return;
	/* Instructions that go on where the last ones ended, under the same mask, are one run with them. */
	if (from != w->span.to || active != w->span.active) {
		w->digest = span_digest(w);
		w->span.from = from;
		w->span.active = active;
	}
	w->span.to = to;
}

/* The same of which `helper` were helper lanes. */
static inline void threaded_bill(struct exec *x, uint32_t from, uint32_t to, lane_mask active, lane_mask helper)
{
	threaded_count_run(x, from, to, active);
	if (__builtin_expect(helper != 0, 0))
		bill_helpers(x->bill, from, to, lanes_count(active & helper));
	if (__builtin_expect(x->warp->visits != NULL, 0))
		threaded_visits(x, from, to, active);
}

/* Before x->hooks.access is called for op: which instruction of the run it is. */
static inline void threaded_locate(const struct threaded_op *op, struct exec *x)
{
	const struct threaded_op *begun = x->run.begun;

	x->step.run = op->issue - begun->issue + 1;
	x->step.next_pc = op->behind;
}

/* n instructions have issued. */
static inline void threaded_advance(struct exec *x, uint32_t n)
{
	if (!x->timed)
		x->special.cycle += (uint64_t)n * CYCLES_AN_ISSUE;
	x->warp->issues += n;
	x->instructions += n;
	x->run.left -= n;
}

/* The run ends before `pc`, the `issue`-th instruction of its chain: bill what was issued since it began. */
static inline void threaded_end_run(struct exec *x, uint32_t pc, uint32_t issue, row_mask active)
{
	const struct threaded_op *begun = x->run.begun;
	uint32_t n = issue - begun->issue;

	if (!n)
		return;
	threaded_bill(x, begun->pc, pc, active, x->warp->helper);
	if (x->trace)
		trace_run(x->trace, x->warp, n, pc);
	threaded_advance(x, n);
}

/* It ends behind op, which is billed with it. */
static inline void threaded_end_behind(const struct threaded_op *op, struct exec *x, row_mask active)
{
	threaded_end_run(x, op->behind, op->issue + 1, active);
}

/* The warp stays before op with outcome r: all before it is billed. */
static inline int threaded_stay(const struct threaded_op *op, struct exec *x, row_mask active, int r)
{
	threaded_end_run(x, op->pc, op->issue, active);
	x->warp->pc = op->pc;
	return r;
}

/* Begin the step of an executor that a handler is about to call. */
static inline void threaded_begin_step(const struct threaded_op *op, struct exec *x, row_mask active, row_mask executed)
{
	struct step *s = &x->step;

	s->insn = op->in;
	s->pc = op->pc;
	s->active = active;
	s->executed = executed;
	s->flow = 0;
	s->accesses = 0;
	threaded_locate(op, x);
}

static inline void threaded_count_branch(const struct threaded_op *op, struct exec *x, bool taken)
{
	struct bill_pc *here = &x->bill->pc[op->pc >> 2];

	x->bill->branches++;
	if (taken)
		here->taken++;
	else
		here->not_taken++;
}

/* ---- the beginning of a run ---- */

/* The entry of the warp's pc in a translation; NULL: there is none. */
static inline const struct threaded_op *threaded_entry(const struct exec *x, const struct threaded_op *const *code)
{
	return code && x->warp->pc < x->program->code_bytes ? code[x->warp->pc >> 2] : NULL;
}

/* Does the run that would begin at the warp's pc not fit into its turn? The answer is the same within a run that did,
 * so that it may be asked after each instruction or only where runs begin: a turn has the same end in both cases. */
static inline bool threaded_too_long(const struct exec *x)
{
	const struct threaded_op *op = threaded_entry(x, x->program->threaded->on);

	return op && op->run > x->run.left + x->run.spare;
}

/* Is the call over, with the warp's turn or its budget? */
static inline bool threaded_over(const struct exec *x)
{
	return !x->run.left || threaded_too_long(x);
}

/* The entry of op's instruction in the translation that the budget allows. With a budget of one instruction, the caller
 * wants all that it costs; with x->run.single, the warp may go elsewhere after any. */
static inline const struct threaded_op *threaded_allowed(const struct exec *x, const struct threaded_op *op)
{
	bool runs = x->run.left > 1 && op->run <= x->run.left && !x->run.single;

	return runs ? op : x->program->threaded->one[x->warp->pc >> 2];
}

/* Where the warp goes on; NULL: nowhere, or its turn is over. */
static inline const struct threaded_op *threaded_resume(const struct exec *x)
{
	const struct threaded_op *op = x->run.left ? threaded_entry(x, x->program->threaded->on) : NULL;

	return op && op->run <= x->run.left + x->run.spare ? threaded_allowed(x, op) : NULL;
}

/* A new run begins at op. */
#define HANDLER_BEGIN(op, x, reg) do { \
		const struct threaded_op *begin_ = (op); \
		(x)->run.begun = begin_; \
		HANDLER_GO(begin_, x, reg, (row_mask)(x)->warp->active); \
	} while (0)

/* After outcome r: where the warp stands, if it can go on and the budget allows. */
#define HANDLER_RESUME(r, x, reg) do { \
		int outcome_ = (r); \
		const struct threaded_op *at_ = outcome_ == STEP_OK ? threaded_resume(x) : NULL; \
		if (!at_) \
			return outcome_; \
		HANDLER_BEGIN(at_, x, reg); \
	} while (0)

/* To the target of op, where a new run begins. */
#define HANDLER_TARGET(op, x, reg, active) do { \
		const struct threaded_op *goal_ = (op)->target; \
		(x)->warp->pc = goal_->pc; \
		if (__builtin_expect(goal_->run > (x)->run.left, 0)) \
			return STEP_OK; \
		(x)->run.begun = goal_; \
		HANDLER_GO(goal_, x, reg, active); \
	} while (0)

/* HANDLER_BRANCH of a run that more is to be known of. */
static __attribute__((noinline, unused)) int threaded_noted_branch(HANDLER_PARAMETERS)
{
	threaded_end_behind(op, x, active);
	HANDLER_TARGET(op, x, reg, active);
}

/* The run ends behind op, a branch that all active lanes take, and a new one begins at its target. What most launches
 * do calls no function: a handler that calls one has registers to save whenever it is entered. */
#define HANDLER_BRANCH(op, x, reg, active) do { \
		const struct threaded_op *begun_ = (x)->run.begun; \
		if (threaded_noted(x)) \
			HANDLER_CALL(threaded_noted_branch, op, x, reg, active); \
		threaded_count_run(x, begun_->pc, (op)->behind, active); \
		threaded_advance(x, (op)->issue + 1 - begun_->issue); \
		HANDLER_TARGET(op, x, reg, active); \
	} while (0)

#endif
