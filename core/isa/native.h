/* Native code: threaded code, made again as functions of the host's code. The room native/ writes the functions' text,
 * from the meanings of entries, and has the text compiled.
 *
 * A native loop is a loop without an access to memory. Where the branch at the end of the loop goes back, an entry of
 * the native loop stands in place of the loop's first entry. The entry's handler makes usual turns
 * (core/isa/native_call.h), counts all of them at once, as threaded code would have one by one, and hands the next turn
 * over to threaded code.
 *
 * A native path is a piece of threaded code up to a link. The path's function is a handler that goes from entry to
 * entry as a warp does, and ends runs as handlers do, but makes operations side by side in one loop over lanes. The
 * function stands for the handlers of entries where warps often arrive, and hands over to threaded code at any entry
 * that the function has no code for. An operation or access that is not usual is made by the entry's own handler.
 *
 * So every rare case has a single home, and any instant at which somebody may look at a warp is an instant of threaded
 * code. */
#ifndef WB_CORE_ISA_NATIVE_H
#define WB_CORE_ISA_NATIVE_H

#include "core/base/vector.h"
#include "core/isa/native_call.h"
#include "core/isa/threaded.h"

/* What an entry does. */
enum native_kind {
	NATIVE_UNKNOWN,                 /* threaded code alone knows */
	NATIVE_WORDS,                   /* an operation on words of the warp's rows */
	NATIVE_NOTHING,
	NATIVE_PASSES,                  /* a guarded way out, usually taken by no lane */
	NATIVE_TURNS,                   /* a branch back, usually taken by all lanes */
	NATIVE_JUMPS,                   /* a branch by all lanes */
	/* Of paths: a word of shared memory for each lane, loaded or stored; one element for all lanes, loaded. */
	NATIVE_LOAD, NATIVE_STORE, NATIVE_LOAD_ALIKE,
	/* Of paths: by the entry's handler; with a name, by a function where all lanes are active and all is usual. */
	NATIVE_STEP,
	NATIVE_CALL,                    /* of paths: by a function of the machine's text, which may decline */
	/* Of paths of machines with scalar registers: an operation on a lane's words, or on what is the same for all
	 * lanes; an operation on the latter alone; a change of the mask, under which the path goes on; a branch of the
	 * whole warp. */
	NATIVE_LANE, NATIVE_SCALAR, NATIVE_MASK, NATIVE_GOES,
};

/* Where an operand or a result is, from the warp's registers on. */
enum native_where {
	NATIVE_NOWHERE,
	NATIVE_IN_ROW,                  /* a word of each lane */
	NATIVE_PASSING,                 /* likewise, of no use behind the instruction */
	NATIVE_IN_WORD, NATIVE_IN_PAIR, /* for all lanes */
	NATIVE_IN_BITS,                 /* a pair of words with a bit of each lane */
	NATIVE_NUMBER,                  /* `number` */
};

struct native_place {
	enum native_where where;
	intptr_t offset;
	uint64_t number;
};

enum { NATIVE_INPUTS = 5, NATIVE_RESULTS = 3 };

struct native_meaning {
	enum native_kind kind;
	/* CALL: the function NAME(op, x, active) of the machine's text, which returns false with nothing done. WORDS:
	 * part of the function's name, number of sources, whether the flags are written.
	 * LANE: `lane_NAME(in[0], …, in[4], number, &r1, &r2, &odd)` returns the result for out[0]; r1 and r2 are for
	 * out[1] and out[2]. SCALAR: `scalar_NAME(reg, active, in[0], in[1], offset of out[0])`.
	 * STEP: `NAME(x, number, addresses' row, row)`, which returns false with nothing done.
	 * MASK: `NAME(op, x, reg, &active)` makes the change; false: the call goes on where the budget allows.
	 * GOES: `NAME(reg)`, whether the warp goes to the target; NULL: it does, and no branch is counted. */
	const char *name;
	struct native_place in[NATIVE_INPUTS], out[NATIVE_RESULTS];
	uint32_t number;
	unsigned sources;
	bool flags;
	uint16_t possible;              /* flags that the result can have: bit = value */
	bool floats;                    /* a lane may be odd */
	bool leaves;                    /* PASSES: lanes leave for good, and the others go on (native_machine.leave) */
	/* Of accesses, rows from the warp's registers on: the result's or the value's, and the addresses', to which
	 * `offset` is added. LOAD_ALIKE: the address alone. */
	intptr_t row, addresses;
	uint32_t offset, width;         /* width of an element in bytes */
	bool is_signed;
};

/* A machine's part. */
struct native_machine {
	/* The functions of the machine's operations, lines ended by NULL. `lane_NAME(a, b, c, flip_a, flip_b, flip_c,
	 * cond, &flags, &odd, &least)` returns an operation's result in a lane, and adds 1 to `odd` where the result
	 * is not what the operation says. Of an operation that cuts a product, the result may be another as well where
	 * native_small(least). `native_usual(x)`: may loads and stores be made by the text's functions? */
	const char *const *text;
	/* `NAME(x, reg)` of the text: does a path leave all to threaded code? NULL: none does. */
	const char *declines;
	/* A number of the program that the text has as NATIVE_NUMBER_OF_PROGRAM. NULL: 0. */
	uint32_t (*number)(const struct threaded_code *code);
	/* Of entries of paths, and of the end of a step, for the machine's lanes (core/isa/native_enter.h). */
	handler_fn *enter, *stepped;
	struct native_meaning (*meaning)(const struct threaded_code *code, const struct threaded_op *op);
	/* Passes of an access to words of s[] beyond the first of each group, which the shape knows from then on. */
	unsigned (*count_passes)(const struct exec *x, struct word_shape *s, uint32_t lanes);
	/* May lanes of the warp leave (native_meaning.leaves) while others go on? */
	bool (*may_leave)(const struct exec *x);
	/* Lanes p of `active` leave at the entry, and others stay: end the run behind the entry, count, and take the
	 * lanes out of the mask. The warp goes on behind the entry. */
	void (*leave)(const struct threaded_op *op, struct exec *x, row_mask active, row_mask p);
};

/* Words that all warps share, and that are known when a launch's memory is. */
struct native_constants {
	uint32_t n;
	const uint32_t *word[NATIVE_CONSTANTS]; /* where the words are */
};

/* Heat of a program: instructions executed, about, by all threads of its launches; an instruction of 64 lanes, which
 * takes as long as two of 32, counts twice. A page has no native code, and counts nothing. */
enum { NATIVE_HEAT = 1 << 19 };

struct native_heat {
	uint64_t instructions;
	/* Called, perhaps by several threads at a time, when heat has grown by NATIVE_HEAT. */
	void (*hot)(struct native_heat *heat);
};

/* Instructions have been executed, since the last call. Of a program without heat nothing is counted. */
static inline void native_heat_add(const struct program *p, uint64_t instructions)
{
#ifndef __wasm__
	struct native_heat *h = p->threaded ? __atomic_load_n(&p->threaded->heat, __ATOMIC_ACQUIRE) : NULL;
	uint64_t before;

	if (!h)
		return;
	instructions *= p->target.isa->lanes / 32;
	before = __atomic_fetch_add(&h->instructions, instructions, __ATOMIC_RELAXED);
	if (before / NATIVE_HEAT != (before + instructions) / NATIVE_HEAT)
		h->hot(h);
#endif
}

struct native_loop {
	struct threaded_op op;          /* the entry; first: a pointer to either is a pointer to both */
	const struct threaded_op *head, *branch;
	native_fn *fn;                  /* NULL: not made yet */
	struct native_constants constants;
	uint32_t nguards, npasses;
	uint32_t guard_pc[NATIVE_GUARDS];
	const struct threaded_op *pass[NATIVE_GUARDS];
	bool splits;                    /* all ways out are such that lanes leave for good */
	const struct native_machine *machine;
	int32_t credit;                 /* of turns made, against calls without a turn: below 0, threaded code runs */
};

/* Shapes of words seldom change: where many were new, none is looked for in a while of arrivals. Below 0: arrivals
 * left. */
enum { NATIVE_LUCK = 32, LUCK_MOST = 100, LUCK_OF_FAILURE = 4, LUCK_OF_PAUSE = -100 };

/* Entries op[0] to op[entries - 1], the last of which is a link. */
struct native_path {
	const struct threaded_op *op;
	uint32_t entries;
	handler_fn *fn;                 /* at a struct native_entry of the path; NULL: not made yet */
	const struct native_machine *machine;
	const struct threaded_op *step; /* by entry: a copy, and an entry behind that ends the step */
	struct native_constants constants;
	int8_t *luck;                   /* by place where a shape is found, NATIVE_LUCK of them */
};

/* An entry whose handlers the path's function stands for: the entry's `target` is `op`, a branch's
 * `dst`. */
struct native_entry {
	struct threaded_op op;          /* as translated; first: a pointer to either is a pointer to both */
	const struct native_path *path;
	uint32_t number;                /* in the path */
	bool for_all;                   /* only where all lanes are active */
};

/* Branches alone have a target, and no result. */
static inline struct native_entry *native_entry_at(const struct threaded_op *op)
{
	return (struct native_entry *)(op->jumps ? op->dst : (uintptr_t)op->target);
}

/* Of the entry behind a step's. */
enum { NATIVE_STEPPED = -2 };

#define NATIVE_FN static inline __attribute__((always_inline, unused))

/* Make a step by its handler. Returns NATIVE_STEPPED, or the outcome with which the warp stays. */
NATIVE_FN int native_step(const struct threaded_op *step, struct exec *x, char *reg, row_mask active)
{
	int r = (active == ROW_ALL ? step->full : step->partial)(step, x, reg, active);

	return __builtin_expect(r == HANDLER_RETURNED, 0) ? NATIVE_STEPPED : r;
}

/* Of a path's text: threaded code goes on at entry k; likewise, where the entry's handlers may be the path's. */
#define NATIVE_LEAVE(k) HANDLER_GO(at + (k), x, reg, active)
#define NATIVE_AS_TRANSLATED(k) do { \
		const struct threaded_op *own_ = &native_entry_at(at + (k))->op; \
		HANDLER_JUMP(active == ROW_ALL ? own_->full : own_->partial, at + (k), x, reg, active); \
	} while (0)

/* Is a shape looked for? */
NATIVE_FN bool native_tries(int8_t *luck)
{
	int8_t now = __atomic_load_n(luck, __ATOMIC_RELAXED);

	if (now < 0)
		__atomic_store_n(luck, (int8_t)(now + 1), __ATOMIC_RELAXED);
	return now >= 0;
}

NATIVE_FN void native_tried(int8_t *luck, bool found)
{
	int now = __atomic_load_n(luck, __ATOMIC_RELAXED) + (found ? 1 : -LUCK_OF_FAILURE);

	now = now > LUCK_MOST ? LUCK_MOST : now < 0 ? LUCK_OF_PAUSE : now;
	__atomic_store_n(luck, (int8_t)now, __ATOMIC_RELAXED);
}

/* Ones if a product is too small to be cut: its magnitude is below 2^-100. `least`: the bits without the sign,
 * doubled, as the smallest of many is found by integers. */
NATIVE_FN uint32_t native_small(uint32_t least)
{
	return (uint32_t)((int32_t)((least >> 1) - ((127 - 100) << 23)) >> 31);
}

/* The mask as words of ones and zeros. */
NATIVE_FN void native_lanes(struct row *lanes, row_mask active)
{
	FOR_VECTORS(v)
		row_set_vec(lanes, v, vec_some(vec_mask_of((uint32_t)((uint64_t)active >> v * VECTOR_LANES)),
					       vec_all(UINT32_MAX)));
}

NATIVE_FN void native_all(struct row *to, uint32_t v)
{
	NATIVE_LANES(l)
		to->lane[l] = v;
}

/* All active lanes branch at op: end the run, and begin another at the target. False: the budget ends before. */
NATIVE_FN bool native_branch(const struct threaded_op *op, struct exec *x, row_mask active)
{
	const struct threaded_op *goal = op->target;
	struct warp *w = x->warp;

	threaded_count_behind(op, x, w, active);
	w->pc = goal->pc;
	if (__builtin_expect(goal->run > x->run.remaining, 0))
		return false;
	x->run.begun = goal;
	return true;
}

/* Put entries, complete but for `op`, in their places. Other threads may execute them meanwhile, as before. */
void native_entries_install(struct native_entry *const *entry, unsigned n);

/* Make the loop's entry: what threaded code needs to know of `head`, and the handler. */
void native_loop_entry(struct native_loop *n);

#endif
