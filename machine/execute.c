/* A block's warps run one after another, each up to the next barrier; such a run of all warps is an interval. The read
 * and write sets of an interval (mem/warp_sets.h) show whether another order could have mattered. Stores of earlier
 * blocks in the interval that begins at a pc are known: in a space without stores, loads are left out of the sets,
 * which is cheaper. A store that comes there all the same breaks the assumption, and the launch runs once more with
 * every load in the sets. */
#include "machine/execute.h"

#include <string.h>

#include "machine/blocks.h"
#include "machine/memory_cost.h"
#include "machine/stop.h"
#include "machine/thread_pool.h"
#include "mem/warp_sets.h"
#include "mem/conflicts.h"

/* Most warp instructions of a block, and of one call of the interpreter. */
enum { BLOCK_INSTRUCTIONS_MAX = 1 << 22, SLICE = 1 << 16 };

/* ---- contexts ---- */

struct warp_memory {
	void *state;
	struct row *reg;
};

struct exec_context {
	struct mp mp;                   /* an executor without a clock; its counters are added up at the end */
	uint16_t *intervals;            /* by word of code: knowledge about the interval that begins there (KNOWN) */
	/* Words of `intervals` from the first to the last that the present block, or a block before, has added to. */
	uint32_t learns_from, learns_to;
	struct warp_sets sets;           /* read and write sets of the warps */
	struct warp_memory *warp;       /* memory of a block, used instead of the executed block's own */
	uint8_t *shared, *local;
	uint64_t counted;               /* value of mp.x.instructions up to which work_done counts */
	struct exec_context *next, *next_idle;
};

/* Count the instructions since the last call. Host threads add to the same word: once a block is enough, or once a
 * slice of a long block. */
static void count_work(struct machine *m, struct exec_context *c)
{
	m->work_done.instructions += c->mp.x.instructions - c->counted;
	c->counted = c->mp.x.instructions;
}

static bool context_executor(struct machine *m, struct exec_context *c)
{
	c->intervals = ARENA_ARRAY(&m->state, uint16_t, m->plan->code.code_bytes / 4 + 1);
	c->mp.x.warp_sets = &c->sets;
	return c->intervals && warp_sets_init(&c->sets, m->plan->shared_bytes);
}

static bool context_storage(struct machine *m, struct exec_context *c)
{
	c->warp = ARENA_ARRAY(&m->state, struct warp_memory, m->plan->dim.warps);
	if (!c->warp || !block_memory(m, &c->shared, &c->local))
		return false;
	for (unsigned i = 0; i < m->plan->dim.warps; i++)
		if (!warp_storage(m, &c->warp[i].state, &c->warp[i].reg))
			return false;
	return true;
}

/* NULL: the host has no memory. */
static struct exec_context *context_new(struct machine *m)
{
	struct exec_context *c = arena_space(&m->state, sizeof *c, _Alignof(struct exec_context));
	struct bill *bill;

	if (!c)
		return NULL;
	memset((char *)c + sizeof c->mp, 0, sizeof *c - sizeof c->mp);  /* mp_prepare_exec clears the rest */
	c->learns_from = UINT32_MAX;
	/* One thread needs no bill of its own. */
	bill = m->pool->threads == 1 ? &m->mp[0].bill : NULL;
	if (!context_storage(m, c) || !mp_prepare_exec(m, &c->mp, 0, bill) || !cost_tally(m, &c->mp) ||
	    !context_executor(m, c))
		return NULL;
	c->next = m->traces.contexts;
	m->traces.contexts = c;
	return c;
}

struct exec_context *context_take(struct machine *m)
{
	struct exec_context *c;

	threads_lock(m);
	c = m->traces.idle;
	if (c)
		m->traces.idle = c->next_idle;
	else
		c = context_new(m);
	threads_unlock(m);
	return c;
}

/* Exchange the memory of a block and of the context. */
static void swap_memory(const struct machine *m, struct block *b, struct exec_context *c)
{
	uint8_t *shared = c->shared, *local = c->local;

	for (unsigned i = 0; i < m->plan->dim.warps; i++) {
		struct warp_memory own = c->warp[i];
		c->warp[i] = (struct warp_memory){ b->warp[i].state, b->warp[i].reg };
		b->warp[i].state = own.state;
		b->warp[i].reg = own.reg;
	}
	c->shared = b->shared;
	c->local = b->local;
	b->shared = shared;
	b->local = local;
}

void context_return(struct machine *m, struct exec_context *c)
{
	threads_lock(m);
	c->next_idle = m->traces.idle;
	m->traces.idle = c;
	threads_unlock(m);
}

/* Reports are of all multiprocessors: add the counters of a context to the first. */
static void add_context(struct machine *m, const struct exec_context *c)
{
	struct mp *to = &m->mp[0];

	if (c->mp.x.bill != &to->bill)
		bill_add(&to->bill, &c->mp.bill);
	if (to->mem)
		counts_add(to->mem, c->mp.mem);
	to->x.instructions += c->mp.x.instructions;
	for (unsigned i = 0; i < PM_EVENTS; i++)
		to->x.counts.event[i] += c->mp.x.counts.event[i];
	if (c->mp.x.counts.deepest_stack > to->x.counts.deepest_stack)
		to->x.counts.deepest_stack = c->mp.x.counts.deepest_stack;
}

void contexts_end(struct machine *m)
{
	for (; m->traces.contexts; m->traces.contexts = m->traces.contexts->next) {
		add_context(m, m->traces.contexts);
		m->traces.every_load |= m->traces.contexts->sets.broken;
		warp_sets_free(&m->traces.contexts->sets);
	}
	m->traces.idle = NULL;
}

/* ---- execution ---- */

/* Run a warp up to a barrier or to the end. NULL, or the reason why the warp's trace would not be true. */
static const char *execute_warp(struct machine *m, struct exec_context *c, uint64_t *left)
{
	struct exec *x = &c->mp.x;
	uint64_t before = x->instructions;
	struct warp *w = x->warp;
	int r;

	do {
		r = m->plan->code.run(x, SLICE);
		if (r == STEP_OK)
			count_work(m, c);
	} while (r == STEP_OK && !x->trace->refused && x->instructions - before < *left);
	*left -= x->instructions - before < *left ? x->instructions - before : *left;
	if (x->trace->refused)
		return x->trace->refused;
	if (x->pages.sets->refused)
		return x->pages.sets->refused;
	if (x->warp_sets->refused)
		return x->warp_sets->refused;
	if (r == STEP_OK)
		return "a block takes too many instructions to be executed when it is placed";
	if (r != STEP_BARRIER && r != STEP_DONE)
		return "it does what the order of its warps decides";
	if (r == STEP_DONE) {
		trace_end(x->trace);
		w->status = WARP_DONE;
		w->block->unfinished &= ~(1ull << w->id);
	}
	return NULL;
}

/* Knowledge about the interval between two barriers that begins at an instruction: nothing, or the spaces that finished
 * blocks have stored to (STORED << enum set_space). Stores of the present block are LEARNT bits higher until the block
 * is over. In a space without stores, loads need not be in the read sets. */
enum { KNOWN = 1, STORED = 2, LEARNT = 8 };

static void begin_interval(const struct machine *m, struct exec_context *c, uint32_t pc)
{
	uint16_t known = c->intervals[pc / 4];

	warp_sets_begin(&c->sets);
	for (unsigned space = 0; space < SET_SPACES; space++)
		if (known & KNOWN && !(known & STORED << space) && !m->traces.every_load)
			warp_sets_expect_loads(&c->sets, (enum set_space)space);
}

static void end_interval(struct exec_context *c, uint32_t pc)
{
	uint16_t *known = &c->intervals[pc / 4], before = *known;
	unsigned seen = KNOWN;

	for (unsigned space = 0; space < SET_SPACES; space++)
		seen |= c->sets.stored[space] ? STORED << space : 0;
	*known |= (uint16_t)(seen << LEARNT | (before & KNOWN ? seen : 0));
	if (*known == before)
		return;
	c->learns_from = c->learns_from < pc / 4 ? c->learns_from : pc / 4;
	c->learns_to = c->learns_to > pc / 4 + 1 ? c->learns_to : pc / 4 + 1;
}

/* The block is over. Only the first blocks learn anything. */
static void learn(struct exec_context *c)
{
	for (uint32_t i = c->learns_from; i < c->learns_to; i++)
		c->intervals[i] |= c->intervals[i] >> LEARNT;
	c->learns_from = UINT32_MAX;
	c->learns_to = 0;
}

/* All unfinished warps of a block are stopped: if at the same barrier, they go on. */
static const char *pass_barrier(struct block *b)
{
	unsigned barrier = b->unfinished ? b->warp[__builtin_ctzll(b->unfinished)].waits_for : 0;

	FOR_SET_LANES(i, b->unfinished) {
		if (b->warp[i].waits_for != barrier)
			return "every unfinished warp of a block waits";
		b->warp[i].status = WARP_READY;
	}
	return NULL;
}

/* All warps of a block, in turns from barrier to barrier. */
static const char *execute_warps(struct machine *m, struct exec_context *c, struct resident *r)
{
	struct exec *x = &c->mp.x;
	struct block *b = x->block = &r->block;
	uint64_t left = BLOCK_INSTRUCTIONS_MAX;
	const char *why = NULL;

	while (b->unfinished && !why) {
		uint32_t pc = b->warp[__builtin_ctzll(b->unfinished)].pc;
		begin_interval(m, c, pc);
		FOR_SET_LANES(i, b->unfinished) {
			x->warp = &b->warp[i];
			x->trace = &r->trace[i];
			warp_sets_select(x->warp_sets, (unsigned)i);
			why = execute_warp(m, c, &left);
			if (why)
				return why;
		}
		end_interval(c, pc);
		why = pass_barrier(b);
	}
	return why;
}

bool execute_block(struct machine *m, struct exec_context *c, struct resident *r, unsigned mp)
{
	uint64_t before = c->mp.x.instructions;
	const char *why;

	for (unsigned i = 0; i < m->plan->dim.warps; i++)
		trace_begin(&r->trace[i], &m->traces.store, i);
	c->mp.x.special.mp = mp;
	c->mp.x.pages.sets = &m->pool->conflicts.of[r->worker];
	why = execute_warps(m, c, r);
	count_work(m, c);
	if (m->work_done.instructions > m->plan->max.instructions)
		why = "the instruction limit (--max-insns) was reached";
	if (why)
		return give_up(m, why);
	m->work_done.in_blocks += c->mp.x.instructions - before;
	m->work_done.blocks++;
	learn(c);
	for (unsigned i = 0; i < m->plan->dim.warps; i++)
		trace_share(&r->trace[i], i);
	return true;
}

bool execute_new(struct machine *m, struct resident *r, uint32_t index, unsigned mp)
{
	struct exec_context *c = context_take(m);
	bool done;

	if (!c)
		return give_up(m, "the host has no memory for more");
	r->moved_out = index + 1 < m->plan->dim.blocks;
	if (r->moved_out)
		swap_memory(m, &r->block, c);
	block_start(m, &r->block, index);
	done = execute_block(m, c, r, mp);
	if (r->moved_out)
		swap_memory(m, &r->block, c);
	context_return(m, c);
	return done;
}
