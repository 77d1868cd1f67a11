/* An epoch ends at a multiple of epoch_cycles, the next after the first cycle in which a multiprocessor can go on.
 *
 * Requests are put in (cycle, MP) order by a counting sort, whatever order the multiprocessors ran in: each
 * multiprocessor's requests are in cycle order already, and an epoch has at most EPOCH_MAX issue slots to count by. The
 * path then serves request after request at the chip's bandwidth. */
#include "machine/epochs.h"

#include <assert.h>
#include <string.h>

#include "machine/blocks.h"
#include "machine/stop.h"
#include "machine/way.h"
#include "sched/issue.h"

/* A multiprocessor's request, in an issue slot of the epoch. */
struct request_at {
	uint16_t mp, index, slot;
};

struct requests {
	_Atomic bool any;               /* a multiprocessor has left the epoch with requests */
	uint32_t upto[EPOCH_MAX + 1];   /* by issue slot of the epoch: requests up to the slot's end */
	struct request_at *by_mp, *in_order;    /* all requests by multiprocessor, and in (cycle, MP) order */
};

static uint32_t value(const struct machine *m, enum timing_id id)
{
	return m->plan->numbers.value[id];
}

size_t epoch_requests(const struct machine *m)
{
	return EPOCH_MAX * (size_t)value(m, T_mp_schedulers);
}

bool epochs_prepare(struct machine *m)
{
	size_t most = m->plan->nmps * epoch_requests(m);

	m->shared_path = ARENA_NEW(&m->state, struct mem_path);
	m->next_cycle = ARENA_ARRAY(m->arena, uint64_t, m->plan->nmps);
	m->requests = ARENA_NEW(m->arena, struct requests);
	if (!m->requests)
		return false;
	m->requests->by_mp = arena_space(m->arena, 2 * most * sizeof *m->requests->by_mp, _Alignof(struct request_at));
	m->requests->in_order = m->requests->by_mp + most;
	return m->shared_path && m->next_cycle && m->requests->by_mp;
}

bool epochs_prepare_mp(struct machine *m, struct mp *mp)
{
	mp->request = arena_space(&m->state, epoch_requests(m) * sizeof *mp->request, _Alignof(struct request));
	return mp->request;
}

uint64_t epoch_cycles(const struct machine *m)
{
	uint64_t latency = value(m, T_g_latency), slot = value(m, T_issue_slot);

	return latency > EPOCH_MAX ? EPOCH_MAX : latency > slot ? latency : slot;
}

/* ---- requests ---- */

/* The cycles of the first request's issue and of the last. False: no requests. */
static bool requests_span(const struct machine *m, uint64_t *first, uint64_t *last)
{
	*first = SCHED_NEVER;
	*last = 0;
	for (unsigned i = 0; i < m->plan->nmps; i++) {
		const struct mp *mp = &m->mp[i];
		if (!mp->nrequests)
			continue;
		*first = least(*first, mp->request[0].cycle);
		*last = most(*last, mp->request[mp->nrequests - 1].cycle);
	}
	return *first != SCHED_NEVER;
}

/* Sort: count the requests by issue slot, from the slot of the first; the counts are positions. Returns the number of
 * requests. */
static unsigned put_in_order(struct machine *m, uint64_t first, uint64_t last)
{
	struct requests *all = m->requests;
	uint32_t gap = value(m, T_issue_slot), slots = (uint32_t)issue_slot_in(last - first, gap) + 1;
	uint32_t before = 0, n = 0;

	assert(slots <= EPOCH_MAX);
	memset(all->upto, 0, (slots + 1) * sizeof *all->upto);
	for (unsigned i = 0; i < m->plan->nmps; i++)    /* requests are in issue slots */
		for (uint32_t k = 0; k < m->mp[i].nrequests; k++) {
			uint32_t slot = (uint32_t)issue_slot_in(m->mp[i].request[k].cycle - first, gap);
			all->by_mp[n++] = (struct request_at){ (uint16_t)i, (uint16_t)k, (uint16_t)slot };
			all->upto[slot + 1]++;
		}
	for (uint32_t slot = 0; slot < slots; slot++)
		before = all->upto[slot] += before;
	for (uint32_t i = 0; i < n; i++)
		all->in_order[all->upto[all->by_mp[i].slot]++] = all->by_mp[i];
	return n;
}

/* The path takes a request; returns the cycle at which its last transaction begins. */
static inline uint64_t send(struct mem_path *path, const struct request *r, uint32_t bandwidth)
{
	uint64_t begun = r->cycle;

	if (r->bytes != r->last_bytes) {
		path_send(path, begun, r->bytes - r->last_bytes, bandwidth);
		begun = 0;      /* as soon as the path is free */
	}
	return path_send(path, begun, r->last_bytes, bandwidth);
}

/* Send all requests: request.cycle becomes the cycle of the data's arrival, and next_cycle of the multiprocessor is no
 * later. */
static void send_all(struct machine *m)
{
	uint64_t first, last, latency = value(m, T_g_latency);
	unsigned n = requests_span(m, &first, &last) ? put_in_order(m, first, last) : 0;
	uint32_t bandwidth = value(m, T_g_bytes);

	for (unsigned i = 0; i < n; i++) {
		const struct request_at *at = &m->requests->in_order[i];
		struct request *r = &m->mp[at->mp].request[at->index];
		r->cycle = send(m->shared_path, r, bandwidth) + latency;
		if (r->cycle < m->next_cycle[at->mp])
			m->next_cycle[at->mp] = r->cycle;
	}
	for (unsigned i = 0; n && i < m->plan->nmps; i++)
		if (m->mp[i].nrequests) {
			m->mp[i].nanswers = m->mp[i].nrequests;
			m->mp[i].nrequests = 0;
		}
}

/* Trace replay goes beyond the end of an epoch where nothing but the multiprocessor's own warps matters. Requests of
 * past epochs have been carried like those of the other way to execute. */
void epochs_settle(struct machine *m)
{
	uint64_t end = 0;

	for (unsigned i = 0; i < m->plan->nmps; i++)
		end = m->mp[i].sched.issued_at > end ? m->mp[i].sched.issued_at : end;
	end -= end % epoch_cycles(m);
	for (unsigned i = 0; i < m->plan->nmps; i++)
		for (unsigned k = 0; k < m->mp[i].nrequests && m->mp[i].request[k].cycle < end; k++)
			send(m->shared_path, &m->mp[i].request[k], value(m, T_g_bytes));
}

/* ---- from epoch to epoch ---- */

void epoch_enter(struct mp *mp)
{
	for (unsigned k = mp->nanswers; k--;)     /* the last first: a warp mostly waits for its last */
		sched_data(&mp->sched, &mp->request[k].access, mp->request[k].cycle);
	mp->nanswers = 0;
}

bool epoch_run(struct machine *m, struct mp *mp, uint64_t *turns)
{
	NOTIFY(m, between);
	if (!m->way->run(m, mp, m->run.epoch_end, turns))
		return false;
	if (*turns && m->plan->max.cycles < m->run.epoch_end && sched_pick(&mp->sched, m->run.epoch_end) != SCHED_NONE)
		return stop_launch(m, STOP_CYCLES);
	return true;
}

void epoch_leave(struct machine *m, struct mp *mp)
{
	sched_time(&mp->sched, m->run.epoch_end);       /* the same state whichever thread runs mp */
	m->next_cycle[mp->x.special.mp] = sched_time(&mp->sched, 0);
	if (mp->nrequests)
		m->requests->any = true;
}

/* Put blocks that a multiprocessor got from others' queues into its free storage. */
static void place_assigned(struct machine *m, struct mp *mp)
{
	for (unsigned k = 0; k < mp->nresident; k++) {
		if (mp->resident[k].live || !queue_has_blocks(m, mp))
			continue;
		epoch_enter(mp);
		sched_skip(&mp->sched, m->run.epoch_end);
		block_place_next(m, mp, &mp->resident[k]);
	}
}

static void leave_and_enter_all(struct machine *m)
{
	for (unsigned i = 0; i < m->plan->nmps; i++) {
		struct mp *mp = &m->mp[i];
		epoch_leave(m, mp);
		if (!mp->nanswers)
			continue;
		epoch_enter(mp);
		m->next_cycle[i] = sched_time(&mp->sched, 0);
	}
}

bool epoch_begin(struct machine *m, bool all_left)
{
	uint64_t start = SCHED_NEVER;

	if (!all_left || m->requests->any)
		send_all(m);
	m->requests->any = false;
	if (!all_left)
		leave_and_enter_all(m);
	if (queues_balance(m)) {
		for (unsigned i = 0; i < m->plan->nmps; i++)
			place_assigned(m, &m->mp[i]);
		leave_and_enter_all(m);
	}
	for (unsigned i = 0; i < m->plan->nmps; i++)
		start = m->next_cycle[i] < start ? m->next_cycle[i] : start;
	m->run.epoch_end = start == SCHED_NEVER ? start : (start / epoch_cycles(m) + 1) * epoch_cycles(m);
	m->run.epoch_mp = 0;
	m->run.all_started = m->run.started_blocks == m->plan->dim.blocks;
	return start != SCHED_NEVER;
}

struct mp *epoch_next_mp(struct machine *m)
{
	do {
		for (; m->run.epoch_mp < m->plan->nmps; m->run.epoch_mp++) {
			struct mp *mp = &m->mp[m->run.epoch_mp];
			if (sched_time(&mp->sched, m->run.epoch_end) < m->run.epoch_end)
				return mp;
		}
	} while (epoch_begin(m, false));
	return NULL;
}
