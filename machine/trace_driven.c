/* What trace-driven execution needs, from the first block to the last: traces for each room, entries for pre-executed
 * blocks, buffers for fast-forward, which is on only if no observer wants each issue. A block that was executed becomes
 * scheduler slots that stand at the first segments of their traces; from then on the clock replays them
 * (machine/trace_replay.h). */
#include "machine/trace_driven.h"

#include "machine/execute.h"
#include "machine/host_threads.h"
#include "machine/pre_execute.h"
#include "machine/trace_replay.h"
#include "sched/fast_forward.h"
#include "sched/issue.h"

const char *traces_refused(const struct machine *m)
{
	if (!m->plan->timed)
		return "without timing there is nothing to replay";
	if (m->plan->code.traces)
		return NULL;
	return m->plan->code.traces_not ? m->plan->code.traces_not
					: "the program, or --reconverge, needs one instruction at a time";
}

struct fast_forward *traces_fast_forward(const struct machine *m, struct arena *a)
{
	size_t slots = (size_t)m->plan->fit.blocks * m->plan->dim.warps;
	struct fast_forward *p = ARENA_NEW(a, struct fast_forward);

	if (!p)
		return NULL;
	p->words = m->plan->code.code_bytes / 4 + 1;
	p->nbarrier_groups = m->plan->fit.blocks;
	p->slot = ARENA_ARRAY(a, struct slot, slots);
	p->at = ARENA_ARRAY(a, uint64_t, slots * m->plan->issue.entries + 1);
	p->by_pc = ARENA_ARRAY(a, struct stall_row, p->words);
	p->barrier_group = ARENA_ARRAY(a, struct barrier_group, p->nbarrier_groups);
	return p->slot && p->at && p->by_pc && p->barrier_group ? p : NULL;
}

bool traces_begin(struct machine *m, bool several)
{
	bool fast_forwards = m->plan->host.fast_forward && replay_may_skip(m) &&
			     m->plan->code.code_bytes / 4 < FAST_FORWARD_WORDS;

	if (!trace_store_begin(&m->traces.store, m->plan->dim.warps, m->replay_observed))
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
		m->mp[i].sched.program.order = m->plan->issue.order;
		if (m->mp[i].sched.rules.loop != REPLAY_NONE && fast_forwards)
			m->mp[i].sched.checkpoint.at = 0;
	}
	m->traces.executed = 0;
	m->traces.on = true;
	return true;
}

void traces_end(struct machine *m)
{
	m->traces.on = false;
	contexts_end(m);
	trace_store_end(&m->traces.store);
}

unsigned traces_workers(const struct machine *m, bool several)
{
	return m->plan->nmps * (m->plan->fit.blocks + (pre_executes(m, several) ? PRE_EXECUTED : 0));
}

bool traces_place(struct machine *m, struct mp *mp, struct resident *r, uint32_t index)
{
	bool placed;

	return pre_executed_place(m, mp, r, index, &placed) && (placed || execute_new(m, r, index, mp->x.special.mp));
}

void traces_replay(struct mp *mp, struct resident *r)
{
	struct block *b = &r->block;
	uint8_t barrier_group = (uint8_t)(r - mp->resident);

	b->unfinished = lanes_first((int)b->nwarps);
	mp->sched.room.barrier_group[barrier_group] = (struct barrier_group){ .slots = b->unfinished << r->first_slot };
	for (unsigned i = 0; i < b->nwarps; i++) {
		struct warp *w = &b->warp[i];
		struct slot *s = slot_of(&mp->sched, w->slot);
		const struct trace_segment *first = r->trace[i].at;
		w->status = WARP_READY;
		s->barrier_group = barrier_group;
		s->at = first;
		s->times = first->times;
		s->left = first->issues;
	}
}

bool traces_of_mp(struct machine *m, struct mp *mp)
{
	struct exec_context *s = context_take(m);
	bool done = true;

	if (!s)
		return threads_give_up(m, "the host has no memory for more");
	for (unsigned i = 0; i < mp->nresident && done; i++) {
		if (!mp->resident[i].live)
			continue;
		done = execute_block(m, s, &mp->resident[i], mp->x.special.mp);
		if (done)
			traces_replay(mp, &mp->resident[i]);
	}
	context_return(m, s);
	return done;
}
