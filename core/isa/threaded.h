/* Threaded code: a program's form for fast execution, on any ISA. Translation (core/isa/translate.h) turns each
 * instruction into one or more entries, side by side in the order of the code; an entry has the addresses of the
 * functions that do its work, the handlers, and the places of its operands. A handler ends by jumping to the next
 * entry's handler, so that nothing is decoded and nothing looped over while a warp runs.
 *
 * - An entry has two handlers: for all lanes active, and for any mask.
 * - A run of entries bills nothing. Issues are counted where the run ends, at an instruction that may go elsewhere
 * (threaded_end_run): bill, digest, trace segment and budget at once.
 * - The budget is compared only where a run begins; if the run may take more than remains, the warp goes on in a second
 * translation that stops after each instruction (threaded_resume).
 * - Handlers cover frequent instructions. All others take the slow path, the ISA's function for any instruction
 * (threaded_code.execute), as one step that does everything (threaded_step).
 *
 * Handlers are written with this file. An ISA brings handlers, and a function that chooses them. The number of lanes is
 * a constant of their compilation (core/base/lanes.h). */
#ifndef WB_CORE_ISA_THREADED_H
#define WB_CORE_ISA_THREADED_H

#include "core/trace.h"
#include "core/isa/simd.h"
#include "core/isa/loop.h"

struct threaded_op;

/* `reg`: the warp's registers; `active`: its lanes. Returns enum outcome where the warp cannot go on or the budget is
 * used up, with w->pc set and all issues before billed. */
typedef int handler_fn(const struct threaded_op *op, struct exec *x, char *reg, row_mask active);

/* A row: at (reg & mask) + offset. The mask is all ones for a row of the warp, and 0 for a row that all warps share. */
struct row_place {
	uintptr_t mask, offset;
};

struct threaded_op {
	handler_fn *full, *partial;        /* when all lanes are active, and otherwise */
	struct row_place src[3];
	uintptr_t dst;                  /* a row of the warp, from reg on */
	const struct insn *in;
	const struct threaded_op *target;       /* of a jump */
	union {                         /* operands and modifiers in the handlers' form */
		struct {
			uintptr_t flags;        /* the row for the result's flags, from reg on */
			intptr_t guard;         /* row of flags to test, from reg on; 0: unguarded */
			uint32_t guard_set;     /* values that let a lane through, bit = value */
			uint32_t flip[3];       /* bits that modifiers turn in each source's words */
		};
		uint16_t part[4][4];            /* of vectors: from src[0…2] and dst to the rows of the components */
	};
	uint32_t arg;                   /* a modifier of the instruction */
	bool sinks;                     /* the result is discarded, only the flags count */
	bool flips;                     /* negate the operand */
	bool computes;                  /* the first entry of an instruction without memory access or control flow */
	bool waits;                     /* the warp waits or ends: a run is measured up to here */
	bool jumps;                     /* jumps to in->src[0], the address of `target` */
	uint32_t pc, behind;            /* pc of the instruction; pc of the next */
	uint32_t issue;                 /* instructions before in the chain */
	uint32_t run;                   /* most instructions from here to the next comparison of the budget */
};

/* A translated program; the ISA's struct begins with it. */
struct threaded_code {
	/* By word of code: entries of runs, and entries that stop after each instruction, made at first use
	 * (threaded_single). NULL: not translated; NULL for a word that is not decoded. */
	const struct threaded_op *const *on, *const *one;
	/* Make `one`, once; NULL: the host has no memory, or nobody may ask. */
	const struct threaded_op *const *(*make_one)(const struct threaded_code *code);
	struct translator *translator;  /* for make_one */
	/* The slow path: execute any instruction whose step has begun. Returns enum outcome. */
	int (*execute)(struct exec *x, const struct insn *in);
	/* After an instruction that has executed with outcome r: choose the lanes that go on, at x->step.next_pc.
	 * Returns the outcome for the warp. NULL: the active lanes go on. */
	int (*settle)(struct exec *x, int r);
	/* A warp has ended. NULL: nothing to do. */
	void (*ended)(struct exec *x);
	struct native_heat *heat;       /* core/isa/native.h; NULL: nobody counts */
};

/* The engine's handlers at a SIMD level. */
struct threaded_level {
	handler_fn *jump, *stop;        /* on at op.target; back to the caller */
	handler_fn *slow;               /* any instruction, by the slow path */
	handler_fn *nop;
	/* program.run, and an instruction at a time, each with a complete x->step */
	int (*run)(struct exec *x, uint64_t budget), (*run_precise)(struct exec *x, uint64_t budget);
};

extern const struct threaded_level threaded_base, threaded_avx2, threaded_avx512;

#define THREADED_OF_LEVEL(level) \
	handler_fn threaded_slow_##level; \
	/* Execute an instruction on the slow path. */ \
	int threaded_step_##level(struct exec *x); \
	/* Go on from op until a handler returns an outcome. */ \
	int threaded_enter_##level(const struct threaded_op *op, struct exec *x); \
	/* Execute at most `budget` instructions of x->warp. */ \
	int threaded_run_##level(struct exec *x, uint64_t budget);

THREADED_OF_LEVEL(base)
THREADED_OF_LEVEL(avx2)
THREADED_OF_LEVEL(avx512)

/* ---- from handler to handler ---- */

/* An entry hands over to the next by a jump where the compiler turns a call in the last place into a jump, else through
 * the loop in threaded_enter. */
#if defined(__wasm__) && !defined(__wasm_tail_call__)
#define HANDLERS_JUMP 0         /* a module for hosts without tail calls */
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
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

/* HANDLER_CALL passes an entry to another handler. HANDLER_GO: to `op`, whatever the mask; then to the entry after op,
 * and to the entry after op with all lanes known to be active: */
#define HANDLER_GO(op, x, reg, active) do { \
		const struct threaded_op *to_ = (op); \
		handler_fn *fn_ = (active) == ROW_ALL ? to_->full : to_->partial; \
		(void)fn_; \
		HANDLER_JUMP(fn_, to_, x, reg, active); \
	} while (0)
#define HANDLER_NEXT(op, x, reg, active) HANDLER_GO((op) + 1, x, reg, active)
#define HANDLER_NEXT_FULL(op, x, reg, active) HANDLER_JUMP((op)[1].full, (op) + 1, x, reg, active)

#define HANDLER_PARAMETERS const struct threaded_op *op, struct exec *x, char *reg, row_mask active

static inline const struct row *op_src(const struct threaded_op *op, int i, const char *reg)
{
	return (const struct row *)(((uintptr_t)reg & op->src[i].mask) + op->src[i].offset);
}

/* As op_src. own: the row is known to be the warp's, two instructions less. */
static inline const struct row *op_src_of(const struct threaded_op *op, int i, const char *reg, bool own)
{
	return own ? (const struct row *)((uintptr_t)reg + op->src[i].offset) : op_src(op, i, reg);
}

static inline struct row *op_row(char *reg, uintptr_t at)
{
	return (struct row *)((uintptr_t)reg + at);
}

/* ---- the end of a run ---- */

/* Count visits, out of the way of the usual end of a run. */
static __attribute__((noinline, unused)) void threaded_visits(struct exec *x, uint32_t from, uint32_t to,
							      lane_mask active)
{
	visits_run(x->warp->visits, x->bill->lanes, from, to, active);
}

/* Are lanes of a run counted beside the bill? */
static inline bool threaded_counted(const struct exec *x)
{
	return x->warp->visits || x->warp->helper;
}

/* Is more to be known of a run than threaded_count_run counts? */
static inline bool threaded_noted(const struct exec *x)
{
	return x->trace || threaded_counted(x);
}

/* The digest of instructions [from, to). Instructions that go on where the last run ended, under the same mask, belong
 * to the run. */
static inline void threaded_digest_run(struct warp *w, uint32_t from, uint32_t to, lane_mask active)
{
	if (from != w->span.to || active != w->span.active) {
		w->digest = span_digest(w);
		w->span.from = from;
		w->span.active = active;
	}
	w->span.to = to;
}

/* Count instructions [from, to), issued under `active`. A clock makes its own digest. */
static inline void threaded_count_run(struct exec *x, uint32_t from, uint32_t to, lane_mask active)
{
	bill_run(x->bill, from, to, lanes_count(active));
	if (!x->timed)
		threaded_digest_run(x->warp, from, to, active);
}

/* Count and bill instructions [from, to); `helper`: helper lanes among `active`. */
static inline void threaded_bill(struct exec *x, uint32_t from, uint32_t to, lane_mask active, lane_mask helper)
{
	threaded_count_run(x, from, to, active);
	if (__builtin_expect(helper != 0, 0))
		bill_helpers(x->bill, from, to, lanes_count(active & helper));
	if (__builtin_expect(x->warp->visits != NULL, 0))
		threaded_visits(x, from, to, active);
}

/* Before a call of x->hooks.access for op: note the number of op's instruction in the run. */
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
	x->run.remaining -= n;
}

/* threaded_count_run and threaded_advance of the run that ends behind op. Members are read once, as compilers read a
 * member again behind each store. Returns the number of instructions. */
static inline uint32_t threaded_count_behind(const struct threaded_op *op, struct exec *x, struct warp *w,
					     lane_mask active)
{
	const struct threaded_op *begun = x->run.begun;
	uint32_t from = begun->pc, to = op->behind, n = op->issue + 1 - begun->issue;
	bool timed = x->timed;

	bill_run(x->bill, from, to, lanes_count(active));
	w->issues += n;
	x->instructions += n;
	x->run.remaining -= n;
	if (timed)
		return n;
	x->special.cycle += (uint64_t)n * CYCLES_AN_ISSUE;
	threaded_digest_run(w, from, to, active);
	return n;
}

/* End the run before `pc`, the `issue`-th instruction of the chain: bill the issues since the run's beginning. */
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

/* End the run behind op, and bill op. */
static inline void threaded_end_behind(const struct threaded_op *op, struct exec *x, row_mask active)
{
	threaded_end_run(x, op->behind, op->issue + 1, active);
}

/* The warp stays before op with outcome r: all before op is billed. */
static inline int threaded_stay(const struct threaded_op *op, struct exec *x, row_mask active, int r)
{
	threaded_end_run(x, op->pc, op->issue, active);
	x->warp->pc = op->pc;
	return r;
}

/* Begin the step of an executor on behalf of a handler. */
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

/* The entry of the warp's pc in a translation; NULL: no entry. */
static inline const struct threaded_op *threaded_entry(const struct exec *x, const struct threaded_op *const *code)
{
	return code && x->warp->pc < x->program->code_bytes ? code[x->warp->pc >> 2] : NULL;
}

/* The entry of the warp's pc that stops after the instruction; NULL: none, and the warp takes the slow path. */
static inline const struct threaded_op *threaded_single(const struct exec *x)
{
	const struct threaded_code *code = x->program->threaded;
	const struct threaded_op *const *one = __atomic_load_n(&code->one, __ATOMIC_ACQUIRE);

	if (__builtin_expect(!one && code->make_one, 0))
		one = code->make_one(code);
	return threaded_entry(x, one);
}

/* Does the run from the warp's pc on exceed the turn? Within a run that fits, the answer stays the same, so that
 * callers may ask after each instruction or only where runs begin: a turn has the same end in both cases. */
static inline bool threaded_too_long(const struct exec *x)
{
	const struct threaded_op *op = threaded_entry(x, x->program->threaded->on);

	return op && op->run > x->run.remaining + x->run.spare;
}

/* Is the call over, by the warp's turn or by the budget? */
static inline bool threaded_over(const struct exec *x)
{
	return !x->run.remaining || threaded_too_long(x);
}

/* The entry of op's instruction in the translation that the budget allows, or NULL (threaded_single). With a budget of
 * one instruction, the caller wants all costs of the instruction; with x->run.single, the warp may go elsewhere after
 * any instruction. */
static inline const struct threaded_op *threaded_allowed(const struct exec *x, const struct threaded_op *op)
{
	bool runs = x->run.remaining > 1 && op->run <= x->run.remaining && !x->run.single;

	return runs ? op : threaded_single(x);
}

/* The entry at which the warp goes on; NULL: none, or the turn is over, or the slow path is next. */
static inline const struct threaded_op *threaded_resume(const struct exec *x)
{
	const struct threaded_op *op = x->run.remaining ? threaded_entry(x, x->program->threaded->on) : NULL;

	return op && op->run <= x->run.remaining + x->run.spare ? threaded_allowed(x, op) : NULL;
}

/* A new run begins at op. */
#define HANDLER_BEGIN(op, x, reg) do { \
		const struct threaded_op *begin_ = (op); \
		(x)->run.begun = begin_; \
		HANDLER_GO(begin_, x, reg, (row_mask)(x)->warp->active); \
	} while (0)

/* After outcome r: go to the warp's present entry, if the warp can go on and the budget allows. */
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
		if (__builtin_expect(goal_->run > (x)->run.remaining, 0)) \
			return STEP_OK; \
		(x)->run.begun = goal_; \
		HANDLER_GO(goal_, x, reg, active); \
	} while (0)

/* HANDLER_BRANCH of a run with more to note. */
static __attribute__((noinline, unused)) int threaded_noted_branch(HANDLER_PARAMETERS)
{
	threaded_end_behind(op, x, active);
	HANDLER_TARGET(op, x, reg, active);
}

/* End the run behind op, a branch that all active lanes take, and begin another at the target. The usual case calls no
 * function: a handler with a call has to save registers at every entry. */
#define HANDLER_BRANCH(op, x, reg, active) do { \
		if (threaded_noted(x)) \
			HANDLER_CALL(threaded_noted_branch, op, x, reg, active); \
		threaded_count_behind(op, x, (x)->warp, active); \
		HANDLER_TARGET(op, x, reg, active); \
	} while (0)

#endif
