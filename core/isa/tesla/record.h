/* Records: what a program becomes for the run loop. Each instruction is one or more of them, side by side in the order
 * of the code; each holds the address of the function that does it and where its rows are, and each function ends by
 * jumping to the next record's. A run of records bills nothing: what was issued is counted where the run ends, at an
 * instruction that may go elsewhere (record_close).
 *
 * A record's function does the usual case of an instruction whose guard, operands and destination are what programs
 * mostly have. Whatever else there is goes through the instruction's executor (record_exec) or, where masks are
 * steered, through one step of the loop that does everything (record_careful). */
#ifndef WB_CORE_ISA_TESLA_RECORD_H
#define WB_CORE_ISA_TESLA_RECORD_H

#include "core/trace.h"
#include "core/isa/tesla/simd.h"
#include "core/isa/tesla/state.h"
#include "core/loop.h"

struct record;

/* `reg`: the warp's registers; `active`: its lanes. Returns enum outcome where the warp cannot go on or its budget is
 * used up, with w->pc set and everything before it billed. */
typedef int record_fn(const struct record *op, struct exec *x, char *reg, uint32_t active);

/* A row: at (reg & mask) + at. A row of the warp has all ones as its mask, one that all warps share has 0. */
struct place {
	uintptr_t mask, at;
};

struct record {
	record_fn *full, *some;         /* when all lanes are active, and otherwise */
	struct place src[3];
	uintptr_t dst, flags;           /* rows of the warp, from reg on */
	const struct insn *in;
	const struct record *target;    /* of a jump */
	intptr_t guard;                 /* the row of flags that is asked, from reg on; 0: unguarded */
	uint32_t guard_set;             /* values that let a lane through, bit = value */
	uint32_t flip[3];               /* what modifiers turn in each source's words */
	uint32_t cond;                  /* of a set */
	bool sinks;                     /* nobody wants the result, only its flags */
	bool words;                     /* the first of an instruction that is arithmetic */
	uint32_t pc, behind;            /* of the instruction, and of the one after it */
	uint32_t issue;                 /* instructions before this one in its chain */
	uint32_t run;                   /* instructions from here on until the budget is asked at the latest */
};

/* A c[] operand that all lanes share, as a row: filled when the launch's memory is there (tesla_ready). */
struct quick_constant {
	struct row row;
	const struct opnd *operand;
	struct quick_constant *next;
};

/* A program laid out, by word of code: to run on, and to stop after each instruction. */
struct quick {
	const struct record *const *on, *const *one;
	struct quick_constant *constants;
};

/* How one record hands over to the next: by a jump where the compiler makes one of a call in the last place, else
 * through the loop in record_enter. */
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define RECORD_JUMPS 0
#elif defined(__has_feature)
#define RECORD_JUMPS (!__has_feature(address_sanitizer))
#else
#define RECORD_JUMPS 1
#endif

enum { RECORD_GO_ON = -1 };

#if RECORD_JUMPS && defined(__clang__)
#define RECORD_CALL(fn, op, x, reg, active) __attribute__((musttail)) return (fn)(op, x, reg, active)
#else
#define RECORD_CALL(fn, op, x, reg, active) return (fn)(op, x, reg, active)
#endif

#if RECORD_JUMPS
#define RECORD_JUMP(fn, op, x, reg, active) RECORD_CALL(fn, op, x, reg, active)
#else
#define RECORD_JUMP(fn, op, x, reg, active) do { \
		(x)->next = (op); \
		(x)->next_active = (active); \
		return RECORD_GO_ON; \
	} while (0)
#endif

/* RECORD_CALL gives a record to another function that does it. To `op`, whatever the mask; to the record after op, and
 * that where all lanes are known to be active: */
#define RECORD_GO(op, x, reg, active) do { \
		const struct record *to_ = (op); \
		record_fn *fn_ = (active) == 0xffffffffu ? to_->full : to_->some; \
		(void)fn_; \
		RECORD_JUMP(fn_, to_, x, reg, active); \
	} while (0)
#define RECORD_NEXT(op, x, reg, active) RECORD_GO((op) + 1, x, reg, active)
#define RECORD_NEXT_FULL(op, x, reg, active) RECORD_JUMP((op)[1].full, (op) + 1, x, reg, active)

#define RECORD_PARAMETERS const struct record *op, struct exec *x, char *reg, uint32_t active

static inline const struct row *record_src(const struct record *op, int i, const char *reg)
{
	return (const struct row *)(((uintptr_t)reg & op->src[i].mask) + op->src[i].at);
}

static inline struct row *record_row(char *reg, uintptr_t at)
{
	return (struct row *)((uintptr_t)reg + at);
}

/* Lanes of `active` whose flags the guard lets through. */
static inline uint32_t record_passing(const struct record *op, const char *reg, uint32_t active)
{
	return op->guard ? active & nibbles_in((const struct row *)(reg + op->guard), op->guard_set) : active;
}

/* The lanes that it does not let through are off, and billed. */
static inline void record_off(const struct record *op, struct exec *x, uint32_t active, uint32_t lanes)
{
	if (lanes != active)
		x->bill->pc[op->pc >> 2].predicated += (unsigned)__builtin_popcount(active & ~lanes);
}

/* Which lanes execute, as a blend wants to have it: as they are found, without a way through a general register, on
 * which a chain of guarded instructions would wait. */
struct passing {
#ifdef __AVX512F__
	__mmask16 low, high;
#else
	uint32_t lanes;
#endif
};

/* The others are billed. */
static inline struct passing record_pass(const struct record *op, struct exec *x, const char *reg, uint32_t active)
{
#ifdef __AVX512F__
	struct passing p = { (__mmask16)active, (__mmask16)(active >> HALF_WARP_LANES) };

	if (op->guard) {
		const struct row *flags = (const struct row *)(reg + op->guard);
		p.low = nibbles_of(p.low, flags->lane, op->guard_set);
		p.high = nibbles_of(p.high, flags->lane + HALF_WARP_LANES, op->guard_set);
		record_off(op, x, active, _cvtmask32_u32(_mm512_kunpackw(p.high, p.low)));
	}
	return p;
#else
	struct passing p = { record_passing(op, reg, active) };

	record_off(op, x, active, p.lanes);
	return p;
#endif
}

static inline void passing_blend(struct passing p, struct row *to, const struct row *from)
{
#ifdef __AVX512F__
	lanes_blend(to->lane, p.low, _mm512_load_si512(from->lane));
	lanes_blend(to->lane + HALF_WARP_LANES, p.high, _mm512_load_si512(from->lane + HALF_WARP_LANES));
#else
	row_blend(to, from, p.lanes);
#endif
}

/* Write the lanes that execute. */
static inline void record_blend(const struct record *op, struct exec *x, char *reg, uint32_t active, struct row *to,
				const struct row *from)
{
	passing_blend(record_pass(op, x, reg, active), to, from);
}

/* Out of the way of what is done for each run. */
static __attribute__((noinline, unused)) void record_visits(uint32_t *counts, uint32_t from, uint32_t to,
							    uint32_t active)
{
	visits_run(counts, LANES, from, to, active);
}

/* Bill n instructions, which have been issued since the run began, up to but not including `pc`. What a clock knows it
 * tells itself. */
static inline void record_bill(struct exec *x, uint32_t pc, uint32_t n, uint32_t active)
{
	const struct record *begun = x->begun;
	struct warp *w = x->warp;

	bill_run(x->bill, begun->pc, pc, __builtin_popcount(active));
	if (__builtin_expect(w->visits != NULL, 0))
		record_visits(w->visits, begun->pc, pc, active);
	if (!x->timed) {
		w->digest = run_digest(w->digest, begun->pc, pc, active);
		x->cycle += (uint64_t)n * CYCLES_AN_ISSUE;
	}
	if (x->trace)
		trace_run(x->trace, w, n, pc);
	w->issues += n;
	x->instructions += n;
}

/* x->observe is about to be told of op's accesses: which instruction of the run it is. */
static inline void record_place(const struct record *op, struct exec *x)
{
	const struct record *begun = x->begun;

	x->step.run = op->issue - begun->issue + 1;
	x->step.next_pc = op->behind;
}

/* The same up to `pc`, which is the `issue`-th of its chain, for a run that goes on. */
static inline void record_close(struct exec *x, uint32_t pc, uint32_t issue, uint32_t active)
{
	const struct record *begun = x->begun;
	uint32_t n = issue - begun->issue;

	if (!n)
		return;
	record_bill(x, pc, n, active);
	x->left -= n;
}

#endif
