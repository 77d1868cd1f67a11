/* Tesla control flow: changes of the active mask. Every function is a row of the table in spec tesla-semantics
 * ("Control flow") and follows its wording; evidence is named there. The rows exist once for the stack,
 * once for post-dominators and once for groups of lanes (rules.reconverge); a program is bound to one set before a run.
 *
 * All return enum outcome; on STEP_OK the warp goes on at x->step.next_pc. `p` is the mask of active lanes that pass
 * the guard. */
#ifndef WB_CORE_ISA_TESLA_FLOW_H
#define WB_CORE_ISA_TESLA_FLOW_H

#include "core/diverge/reconverge.h"
#include "core/isa/tesla/state.h"

struct flow_ops {
	int (*bra)(struct exec *x, lane_mask p, uint32_t target);
	/* Lane l goes to target[l]; the group of the lowest active lane runs first. */
	int (*bra_each)(struct exec *x, const struct row *target);
	int (*joinat)(struct exec *x, uint32_t target);
	int (*prebrk)(struct exec *x, uint32_t target);
	int (*brk)(struct exec *x, lane_mask p);
	int (*preret)(struct exec *x, uint32_t target, bool limited);
	uint32_t (*limited_calls)(const struct exec *x);       /* on the stack */
	int (*ret)(struct exec *x, lane_mask p);
	int (*quadon)(struct exec *x);
	int (*quadpop)(struct exec *x);
	int (*bar)(struct exec *x, const struct insn *in);
	/* Do all unfinished lanes of the executing lanes' masks run? NULL: no lane ever waits for others. */
	bool (*together)(const struct exec *x, const struct row *masks);
	/* The executing lanes wait for the lanes of their masks. Lanes of `asking` execute a warp primitive next, with
	 * `words`. */
	void (*await)(struct exec *x, const struct row *masks, const struct row *words, lane_mask asking);
	/* Lanes that execute a warp primitive now, those who have awaited each other and are elsewhere among them;
	 * *words: what all of them gave, or untouched where all are here. NULL with together. */
	lane_mask (*asked)(struct exec *x, const struct row **words);
	/* Before an instruction where lanes may reconverge (insn.acts has MARK_JOIN); *executes: the instruction then
	 * runs. */
	int (*join)(struct exec *x, bool *executes);
	/* Lanes are finished: all active lanes by the exit marker, after its instruction. */
	int (*exit)(struct exec *x, lane_mask lanes);
	/* Is there a place for lanes that break? */
	bool (*can_break)(const struct exec *x);
	/* After every instruction that executed with outcome r: choose the lanes that go on. NULL: the active lanes
	 * do. In a call of flow_lanes_leash, after instructions where lanes part, meet or wait. */
	int (*settle)(struct exec *x, int r);
};

/* The machine itself: a stack of {type, pc, mask} entries that join markers pop. */
extern const struct flow_ops flow_stack;
/* The same stack, popped at branches' immediate post-dominators; joinat and join do nothing. */
extern const struct flow_ops flow_ipdom;
/* A pc for each lane and a stack of break and return targets, for any policy over groups of lanes. */
extern const struct flow_ops flow_lanes;

/* A path has arrived at a join: the pending path on top of the stack runs from x->step.next_pc on, the lanes of the
 * first wait, charged to the bra of the split. */
void flow_switch_path(struct exec *x);

/* Under --join per-path: the join after the marker's instruction, which runs for each path. */
int flow_join_after(struct exec *x);

/* The outcome of a branch that the active lanes p follow. False: no lane follows. */
static inline bool flow_branches(struct exec *x, lane_mask p)
{
	x->step.flow |= FLOW_BRANCH | (p ? FLOW_TAKEN : 0);
	return p;
}

/* A stack has reached `depth` entries. */
static inline void flow_count_depth(struct exec *x, uint32_t depth)
{
	if (depth > x->counts.deepest_stack)
		x->counts.deepest_stack = depth;
}

/* Push an entry; the caller has checked the depth. */
static inline void flow_push(struct exec *x, struct stack_entry e)
{
	struct tesla_warp *t = tesla_state(x->warp);

	t->stack[t->depth++] = e;
	flow_count_depth(x, t->depth);
}

/* All lanes of quads with an active lane execute until quadpop. */
void flow_lend_quads(struct exec *x);
/* Which side of a split runs first: true for the taken one. */
bool flow_taken_first(struct exec *x, lane_mask taken, lane_mask fall);
/* The warp arrives at the barrier of a `bar`. `diverged`: some of its lanes are elsewhere. */
int flow_barrier(struct exec *x, const struct insn *in, bool diverged);
/* The arrival of a warp that leaves a trace, by instruction `run` of its run: the executor of the block releases the
 * barrier when all warps, the last included, have arrived. Returns the outcome. */
int flow_trace_barrier(struct exec *x, uint32_t run, unsigned barrier);
/* Highest count of a barrier's counter. */
uint32_t flow_counter_limit(const struct program *p);
/* A `bar` that all unfinished warps of a block arrive at and wait for. */
bool flow_bar_of_all(const struct insn *in);

/* Does each lane have a pc and a stack? Then a block of memory behind a warp's state holds both. */
static inline bool tesla_lanes_apart(const struct rules *rules)
{
	return !reconverge_is_own(rules) && rules->reconverge->way == RECONVERGE_GROUPS;
}
static inline bool tesla_by_postdominators(const struct rules *rules)
{
	return !reconverge_is_own(rules) && rules->reconverge->way == RECONVERGE_POSTDOMINATORS;
}
/* isa_ops.stack under policies with meetings. */
unsigned flow_lanes_stack(const struct warp *w, unsigned level, struct isa_stack_entry *out);
size_t flow_lanes_bytes(const struct rules *rules);
void flow_lanes_start(struct tesla_warp *t, const struct rules *rules, void *memory);
/* Rules for state read from outside (core/state_check.h). Returns whether quadon has lent lanes. */
bool flow_lanes_check(struct state_check *c, const struct lane_paths *p, const struct rules *rules,
		      const struct warp *read);
/* Begin and end a call in which the policy is asked only where lanes part, meet or wait; x->run has the budget. After a
 * stop with x->run.held, one instruction has to be followed by flow_ops.settle. */
void flow_lanes_leash(struct exec *x);
void flow_lanes_unleash(struct exec *x);
/* A new entry of the running lanes' stacks. False: full, and nothing is done. */
bool flow_lanes_push(struct exec *x, unsigned tag, uint32_t pc);
/* A marker with all lanes of the last entry present, which leaves their stacks. False: otherwise. */
bool flow_lanes_meet(struct exec *x);

/* Bits of insn.acts (reconverge_spins). SPINS: the branch goes back in a loop that waits for a change of memory.
 * RETRIES: the loop waits for another word behind a lock of the machine; each turn unlocks, which is no progress. */
enum { ACTS_SPINS = 4, ACTS_RETRIES = 8 };

#endif
