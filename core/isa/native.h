/* Native loops: a loop of threaded code, made again as one function of the host's code. The room native/ writes the
 * function's text, from the meanings of the loop's entries, and has it compiled.
 *
 * Where the branch at the end of a loop goes back, an entry of the native loop stands in place of the loop's first
 * entry. The entry's handler makes usual turns (core/isa/native_call.h), counts all of them at once, as threaded code
 * would have one by one, and hands the next turn over to threaded code: every rare case has a single home, and any
 * instant at which somebody may look at a warp is an instant of threaded code. */
#ifndef WB_CORE_ISA_NATIVE_H
#define WB_CORE_ISA_NATIVE_H

#include "core/isa/native_call.h"
#include "core/isa/threaded.h"

/* What an entry does to a turn. */
enum native_kind {
	NATIVE_UNKNOWN,                 /* the loop stays threaded code */
	NATIVE_WORDS,                   /* an operation on words of the warp's rows */
	NATIVE_NOTHING,
	NATIVE_PASSES,                  /* a guarded way out of the loop or stretch, usually taken by no lane */
	NATIVE_TURNS,                   /* the branch back, usually taken by all lanes */
	/* Of stretches: a word of shared memory for each lane, loaded or stored; one element for all lanes, loaded. */
	NATIVE_LOAD, NATIVE_STORE, NATIVE_LOAD_ALIKE,
	/* Of stretches: a row of words side by side in global memory. */
	NATIVE_LOAD_GLOBAL, NATIVE_STORE_GLOBAL,
};

struct native_meaning {
	enum native_kind kind;
	/* NATIVE_WORDS: part of the function's name in the machine's text, number of sources, whether the flags are
	 * written. */
	const char *name;
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

/* A word for each lane, from an address each. */
static inline bool native_loads(const struct native_meaning *m)
{
	return m->kind == NATIVE_LOAD || m->kind == NATIVE_LOAD_GLOBAL;
}

static inline bool native_stores(const struct native_meaning *m)
{
	return m->kind == NATIVE_STORE || m->kind == NATIVE_STORE_GLOBAL;
}

/* A machine's part. */
struct native_machine {
	/* The functions of the machine's operations, lines ended by NULL. `lane_NAME(a, b, c, flip_a, flip_b, flip_c,
	 * cond, &flags, &odd)` returns an operation's result in a lane, and sets `odd` to ones where the result is not
	 * what the operation says. */
	const char *const *text;
	struct native_meaning (*meaning)(const struct threaded_code *code, const struct threaded_op *op);
	/* May accesses of the warp be made by native code, with nothing to note of them? */
	bool (*accesses)(const struct exec *x);
	/* native_pass.global; and what is counted of such a load or store that has been made. */
	native_global_fn *(*global)(const struct exec *x);
	void (*count_global)(struct exec *x, bool store);
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

/* Heat of a program: instructions executed, about, by all threads of its launches. */
enum { NATIVE_HEAT = 1 << 22 };

struct native_heat {
	uint64_t instructions;
	/* Called, perhaps by several threads at a time, when heat has grown by NATIVE_HEAT. */
	void (*hot)(struct native_heat *heat);
};

/* Instructions have been executed, since the last call. Of a program without heat nothing is counted. */
static inline void native_heat_add(const struct program *p, uint64_t instructions)
{
	struct native_heat *h = p->threaded ? __atomic_load_n(&p->threaded->heat, __ATOMIC_ACQUIRE) : NULL;
	uint64_t before;

	if (!h)
		return;
	before = __atomic_fetch_add(&h->instructions, instructions, __ATOMIC_RELAXED);
	if (before / NATIVE_HEAT != (before + instructions) / NATIVE_HEAT)
		h->hot(h);
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
	native_split_fn *split;         /* NULL: threaded code makes the turns in which lanes leave */
	const struct native_machine *machine;
	int32_t credit;                 /* of turns made, against calls without a turn: below 0, threaded code runs */
};

/* Entries of a run side by side, made again as one function. A stretch counts nothing but lanes turned off by guards,
 * ways out not taken, stores and accesses to global memory, for a run is counted where the run ends, and hands over to
 * threaded code at its end or at the first entry that is not usual. The stretch's function stands for the handlers of
 * its first entry, whose `target` is `op`. */
struct native_stretch {
	struct threaded_op op;          /* the first entry as translated; first: a pointer to either is one to both */
	const struct threaded_op *head;
	native_stretch_fn *fn;
	const struct native_machine *machine;
	bool accesses;                  /* to any memory */
	struct native_constants constants;
	/* By number of the entry: guarded operations, ways out, accesses to global memory. */
	uint32_t entries, nguards, npasses, nglobals;
	struct { uint32_t pc, entry; } guard[NATIVE_GUARDS];
	uint32_t pass[NATIVE_GUARDS];
	struct { uint32_t entry; bool store; } global[NATIVE_GUARDS];
	int32_t credit;                 /* as of loops */
};

/* Put a stretch, complete but for `op`, in its place. Other threads may execute its entries meanwhile, as before. */
void native_stretch_install(struct native_stretch *n);

/* Make the loop's entry: what threaded code needs to know of `head`, and the handler. */
void native_loop_entry(struct native_loop *n);

#endif
