/* Needs of trace-driven execution, from the first block to the last: traces for each resident block, entries for
 * pre-executed blocks, buffers for fast-forward, which is on only if no observer wants each issue. An executed block
 * becomes scheduler slots at the first segments of its traces; from then on the clock replays the traces
 * (machine/trace_replay.h). */
#include "machine/trace_driven.h"

#include "machine/execute.h"
#include "machine/blocks.h"
#include "machine/pre_execute.h"
#include "machine/stop.h"
#include "machine/thread_pool.h"
#include "machine/trace_replay.h"
#include "sched/fast_forward.h"
#include "sched/issue.h"

static const char *why_not(const struct machine *m)
{
	if (!m->plan->timed)
		return "without timing there is nothing to replay";
	if (m->plan->code.traces)
		return NULL;
	return m->plan->code.traces_not ? m->plan->code.traces_not
					: "the program, or --reconverge, needs one instruction at a time";
}

static struct fast_forward *fast_forward_new(const struct machine *m, struct arena *a)
{
	size_t slots = (size_t)m->plan->fit.blocks * m->plan->dim.warps;
	struct fast_forward *p = arena_space(a, sizeof *p, _Alignof(struct fast_forward));

	if (!p)
		return NULL;
	p->nlogged = p->nissued = 0;
	p->words = m->plan->code.code_bytes / 4 + 1;
	p->nbarrier_groups = m->plan->fit.blocks;
	p->slot = arena_space(a, slots * sizeof *p->slot, _Alignof(struct slot));
	p->board = arena_space(a, (slots * m->plan->issue.entries + 1) * sizeof *p->board, _Alignof(uint64_t));
	p->by_pc = arena_space(a, p->words * sizeof *p->by_pc, _Alignof(struct stall_row));
	p->barrier_group = arena_space(a, p->nbarrier_groups * sizeof *p->barrier_group,
				       _Alignof(struct barrier_group));
	return p->slot && p->board && p->by_pc && p->barrier_group ? p : NULL;
}

/* Buffers of fast-forward for each host thread. False: the host has no memory. */
static bool prepare_fast_forward(struct machine *m, unsigned threads)
{
	m->traces.fast_forward = ARENA_ARRAY(&m->pool->arena, struct fast_forward *, threads);
	for (unsigned i = 0; m->traces.fast_forward && i < threads; i++) {
		m->traces.fast_forward[i] = fast_forward_new(m, &m->pool->arena);
		if (!m->traces.fast_forward[i])
			return false;
	}
	return m->traces.fast_forward;
}

/* Read and write sets: of each resident block storage, and of each entry for a pre-executed block. */
static unsigned workers(const struct machine *m, bool several)
{
	return m->plan->nmps * (m->plan->fit.blocks + (pre_executes(m, several) ? PRE_EXECUTED : 0));
}

static bool begin(struct machine *m, unsigned threads)
{
	bool several = threads > 1;
	bool fast_forwards = m->plan->host.fast_forward && replay_may_skip(m) &&
			     m->plan->code.code_bytes / 4 < FAST_FORWARD_WORDS;

	if (!conflicts_begin(&m->pool->conflicts, m->global, workers(m, several)) ||
	    !trace_store_begin(&m->traces.store, m->plan->dim.warps, m->replay_observed))
		return false;
	for (unsigned i = 0; i < m->plan->nmps; i++) {
		if (pre_executes(m, several) && !pre_executed_prepare(m, &m->mp[i]))
			return false;
		for (unsigned k = 0; k < m->mp[i].nresident; k++) {
			struct resident *r = &m->mp[i].resident[k];
			r->trace = ARENA_ARRAY(&m->state, struct warp_trace, m->plan->dim.warps);
			r->worker = i * m->plan->fit.blocks + k;
			if (!r->trace)
				return false;
		}
	}
	for (unsigned i = 0; i < m->plan->nmps; i++) {
		m->mp[i].to_execute = true;
		m->mp[i].sched.program.order = m->plan->issue.order;
		if (m->mp[i].sched.rules.loop != REPLAY_NONE && fast_forwards)
			m->mp[i].sched.checkpoint.due_cycle = 0;
	}
	return prepare_fast_forward(m, threads);
}

static void end(struct machine *m)
{
	for (unsigned i = 0; i < m->plan->nmps; i++)
		m->mp[i].sched.checkpoint.state = NULL;
	contexts_end(m);
	trace_store_end(&m->traces.store);
}

/* Put the warps of a block at the first segments of their traces. */
static void stand_at_start(struct mp *mp, struct resident *r)
{
	struct block *b = &r->block;
	uint8_t barrier_group = (uint8_t)(r - mp->resident);

	b->unfinished = lanes_first((int)b->nwarps);
	mp->sched.storage.barrier_group[barrier_group] =
		(struct barrier_group){ .slots = b->unfinished << r->first_slot };
	for (unsigned i = 0; i < b->nwarps; i++) {
		struct warp *w = &b->warp[i];
		struct slot *s = slot_of(&mp->sched, w->slot);
		const struct trace_segment *first = r->trace[i].segment;
		w->status = WARP_READY;
		s->barrier_group = barrier_group;
		s->segment = first;
		s->times = first->times;
		s->remaining = first->issues;
	}
}

static bool place(struct machine *m, struct mp *mp, struct resident *r, uint32_t index)
{
	bool placed;

	if (!pre_executed_place(m, mp, r, index, &placed) ||
	    (!placed && !execute_new(m, r, index, mp->x.special.mp)))
		return false;
	block_admit(m, mp, r);
	stand_at_start(mp, r);
	return true;
}

/* Execute the blocks that have been placed before the run began. */
static bool execute_first(struct machine *m, struct mp *mp)
{
	struct exec_context *s = context_take(m);
	bool done = true;

	if (!s)
		return give_up(m, "the host has no memory for more");
	for (unsigned i = 0; i < mp->nresident && done; i++) {
		if (!mp->resident[i].live)
			continue;
		done = execute_block(m, s, &mp->resident[i], mp->x.special.mp);
		if (done)
			stand_at_start(mp, &mp->resident[i]);
	}
	context_return(m, s);
	mp->to_execute = false;
	return done;
}

static bool run(struct machine *m, struct mp *mp, uint64_t end, uint64_t *turns)
{
	if (mp->to_execute && !execute_first(m, mp))
		return false;
	mp->sched.checkpoint.state = m->traces.fast_forward[mp->thread];
	return replay_mp(m, mp, end, turns);
}

const struct way traced_way = {
	.why_not = why_not, .place_block = place, .run = run, .begin = begin, .end = end,
	.can_help = pre_execute_possible, .help = pre_execute, .ends = true,
};
