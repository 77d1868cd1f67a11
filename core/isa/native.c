/* The handlers of native loops, whose turns are made and counted, and entries of paths (core/isa/native.h). */
#include "core/isa/native.h"

/* A call without a turn costs about as much as two turns of threaded code. Loops that are unusual most of the time are
 * left to threaded code for a while: credit below 0 grows by 1 an arrival. */
enum { CREDIT_MOST = 1024, CREDIT_OF_FAILURE = 4, CREDIT_OF_PAUSE = -64 };

/* Is native code worth a call? A pause is counted here. */
static bool has_credit(int32_t *of)
{
	int32_t credit = __atomic_load_n(of, __ATOMIC_RELAXED);

	if (__builtin_expect(credit < 0, 0))
		__atomic_store_n(of, credit + 1, __ATOMIC_RELAXED);
	return credit >= 0;
}

/* A call has gained, or lost. */
static void note_credit(int32_t *of, int32_t gain)
{
	int32_t credit = __atomic_load_n(of, __ATOMIC_RELAXED) + gain;

	credit = credit > CREDIT_MOST ? CREDIT_MOST : credit < 0 ? CREDIT_OF_PAUSE : credit;
	__atomic_store_n(of, credit, __ATOMIC_RELAXED);
}

static void count_turns(struct exec *x, const struct native_loop *n, const struct native_call *c, row_mask active)
{
	const struct threaded_op *head = n->head, *branch = n->branch;
	struct bill_pc *pc = x->bill->pc, *first = &pc[head->pc >> 2], *behind = &pc[branch->behind >> 2];
	int64_t turns = (int64_t)c->turns, lanes = turns * lanes_count(active);
	struct warp *w = x->warp;

	first->issues += turns;
	first->active += lanes;
	behind->issues -= turns;
	behind->active -= lanes;
	for (uint32_t i = 0; i < n->npasses; i++)
		pc[n->pass[i]->pc >> 2].not_taken += c->turns;
	pc[branch->pc >> 2].taken += c->turns;
	x->bill->branches += c->turns * (n->npasses + 1);
	for (uint32_t i = 0; i < n->nguards; i++)
		pc[n->guard_pc[i] >> 2].predicated += c->off[i];
	w->digest = c->digest;
	w->span = (struct span){ .from = head->pc, .to = branch->behind, .active = active };
	w->pc = head->pc;
	threaded_advance(x, (uint32_t)c->turns * (branch->issue + 1 - head->issue));
}

/* How many turns fit into the budget. */
static uint64_t turns_in_budget(const struct native_loop *n, const struct exec *x)
{
	uint64_t remaining = x->run.remaining, length = n->branch->issue + 1 - n->head->issue;

	if (n->op.run > remaining)
		return 0;
	remaining -= n->op.run;
	return 1 + (remaining <= UINT32_MAX ? (uint32_t)remaining / (uint32_t)length : remaining / length);
}

/* Make at most `fit` turns without a lane that leaves, and perhaps one more in which lanes leave. */
static void make_some(struct native_loop *n, struct exec *x, struct native_call *c, uint64_t fit)
{
	enum { TURNS_MOST = 1 << 20 };

	c->active = x->warp->active;
	c->most = fit < TURNS_MOST ? fit : TURNS_MOST;
	c->digest = span_digest(x->warp);
	c->may_split = n->splits && n->machine->may_leave(x);
	c->summand = ((uint64_t)n->branch->behind << 32 | n->head->pc) * 31 + c->active;
	c->split = false;
	n->fn(c);
	if (c->turns)
		count_turns(x, n, c, (row_mask)c->active);
}

/* A turn in which lanes left is made: count its runs, and take the lanes out, in the order of the ways out. */
static void count_split(struct native_loop *n, struct exec *x, const struct native_call *c)
{
	const struct threaded_op *branch = n->branch;

	x->run.begun = n->head;
	for (uint32_t i = 0; i < n->npasses; i++) {
		const struct threaded_op *pass = n->pass[i];
		if (!c->leavers[i]) {
			threaded_count_branch(pass, x, false);
			continue;
		}
		n->machine->leave(pass, x, (row_mask)x->warp->active, (row_mask)c->leavers[i]);
		x->run.begun = pass + 1;
	}
	for (uint32_t i = 0; i < n->nguards; i++)
		x->bill->pc[n->guard_pc[i] >> 2].predicated += c->left_off[i];
	threaded_count_branch(branch, x, true);
	threaded_end_behind(branch, x, (row_mask)x->warp->active);
	x->warp->pc = n->head->pc;
	x->run.begun = n->head;
}

/* Make turns. Returns whether the budget ends before the next. */
static __attribute__((noinline)) bool make_turns(struct native_loop *n, struct exec *x, char *reg)
{
	uint64_t fit = turns_in_budget(n, x), left = fit;
	struct native_call c;           /* lists are only as long as needed */

	c.reg = reg;
	for (uint32_t i = 0; i < n->constants.n; i++)
		c.constant[i] = *n->constants.word[i];
	for (c.split = true; c.split && left;) {
		make_some(n, x, &c, left);
		if (c.split)
			count_split(n, x, &c);
		left -= c.turns + c.split;
	}
	fit -= left;
	note_credit(&n->credit, fit > CREDIT_MOST ? CREDIT_MOST : fit ? (int32_t)fit : -CREDIT_OF_FAILURE);
	return !left;
}

/* Does a run from the loop's entry on begin a span? Behind the branch, and wherever lanes meet; but where a turn of the
 * warp ended in front of the loop, the run goes on with the span. */
static bool begins_span(const struct native_loop *n, const struct warp *w)
{
	return w->span.to != n->head->pc || w->span.active != w->active;
}

/* The branch of a loop made while threaded code ran goes back to the loop's entry from now on. Other threads may still
 * go back to threaded code, with the same results. */
static void redirect(const struct native_loop *n)
{
	struct threaded_op *branch = (struct threaded_op *)(uintptr_t)n->branch;

	if (__builtin_expect(branch->target != &n->op, 0))
		__atomic_store_n(&branch->target, &n->op, __ATOMIC_RELAXED);
}

static __attribute__((noinline)) int turns(HANDLER_PARAMETERS)
{
	struct native_loop *n = (struct native_loop *)(uintptr_t)op;

	bool may = !x->timed && !threaded_noted(x) && begins_span(n, x->warp) && has_credit(&n->credit);

	redirect(n);
	if (may && make_turns(n, x, reg))
		return STEP_OK;
	HANDLER_GO(n->head, x, reg, (row_mask)x->warp->active);
}

/* A warp's turn has begun at the loop's head, or the branch goes back. The way to threaded code has no call, for a
 * handler with a call saves registers at every entry. */
static int arrive(HANDLER_PARAMETERS)
{
	struct native_loop *n = (struct native_loop *)(uintptr_t)op;

	if (__atomic_load_n(&n->fn, __ATOMIC_ACQUIRE))
		HANDLER_CALL(turns, op, x, reg, active);
	HANDLER_GO(n->head, x, reg, active);
}

void native_loop_entry(struct native_loop *n)
{
	n->op = *n->head;
	n->op.full = n->op.partial = arrive;
}

/* ---- paths ---- */

/* A path goes on at any entry of the path, so that all are complete before the first is in its place. */
void native_entries_install(struct native_entry *const *entry, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct threaded_op *op = (struct threaded_op *)(uintptr_t)&entry[i]->path->op[entry[i]->number];
		entry[i]->op = *op;
		if (op->jumps)
			__atomic_store_n(&op->dst, (uintptr_t)&entry[i]->op, __ATOMIC_RELEASE);
		else
			__atomic_store_n(&op->target, &entry[i]->op, __ATOMIC_RELEASE);
	}
	for (unsigned i = 0; i < n; i++) {
		struct threaded_op *op = (struct threaded_op *)(uintptr_t)&entry[i]->path->op[entry[i]->number];
		__atomic_store_n(&op->full, entry[i]->path->machine->enter, __ATOMIC_RELEASE);
		if (!entry[i]->for_all)
			__atomic_store_n(&op->partial, entry[i]->path->machine->enter, __ATOMIC_RELEASE);
	}
}
