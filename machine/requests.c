/* A counting sort. Each multiprocessor's requests are in cycle order already, and an epoch has at most EPOCH_MAX issue
 * slots: counting requests by slot and then going through the multiprocessors in turn gives (cycle, MP) order, whatever
 * host threads did. The path to global memory then serves request after request at the chip's bandwidth. */
#include "machine/requests.h"

#include <assert.h>
#include <string.h>

/* A multiprocessor's request. */
struct request_at {
	uint16_t mp, index;
};

struct requests {
	uint32_t upto[EPOCH_MAX + 1];   /* by issue slot of the epoch: requests up to the slot's end */
	struct request_at in_order[];
};

static uint32_t value(const struct machine *m, enum timing_id id)
{
	return m->plan->numbers.value[id];
}

static size_t most_of_one(const struct machine *m)
{
	return EPOCH_MAX * (size_t)value(m, T_mp_schedulers);
}

bool requests_prepare(struct machine *m)
{
	size_t most = m->plan->nmps * most_of_one(m);

	m->requests = arena_alloc(m->arena, sizeof *m->requests + most * sizeof *m->requests->in_order,
				  _Alignof(struct requests));
	return m->requests;
}

bool requests_prepare_mp(struct machine *m, struct mp *mp)
{
	mp->request = ARENA_ARRAY(&m->state, struct request, most_of_one(m));
	return mp->request;
}

/* Cycle of the first request's issue; SCHED_NEVER: no requests. */
static uint64_t first_cycle(const struct machine *m)
{
	uint64_t first = SCHED_NEVER;

	for (unsigned i = 0; i < m->plan->nmps; i++)
		if (m->mp[i].nrequests && m->mp[i].request->cycle < first)
			first = m->mp[i].request->cycle;
	return first;
}

/* Sort: count the requests, in cycle order for each multiprocessor, by issue slot; the counts are positions. Returns
 * the number of requests. */
static unsigned put_in_order(struct machine *m, uint64_t first)
{
	struct requests *all = m->requests;
	uint32_t gap = value(m, T_issue_slot), before = 0;

	memset(all->upto, 0, sizeof all->upto);
	for (unsigned i = 0; i < m->plan->nmps; i++)
		for (unsigned k = 0; k < m->mp[i].nrequests; k++) {
			uint64_t slot = (m->mp[i].request[k].cycle - first) / gap;
			assert(slot < EPOCH_MAX);
			all->upto[slot + 1]++;
		}
	for (unsigned slot = 0; slot <= EPOCH_MAX; slot++)
		before = all->upto[slot] += before;
	for (unsigned i = 0; i < m->plan->nmps; i++)
		for (unsigned k = 0; k < m->mp[i].nrequests; k++) {
			uint64_t slot = (m->mp[i].request[k].cycle - first) / gap;
			all->in_order[all->upto[slot]++] = (struct request_at){ (uint16_t)i, (uint16_t)k };
		}
	return before;
}

void requests_send(struct machine *m)
{
	uint32_t bandwidth = value(m, T_g_bytes), latency = value(m, T_g_latency);
	uint64_t first = first_cycle(m);
	unsigned n = first == SCHED_NEVER ? 0 : put_in_order(m, first);

	for (unsigned i = 0; i < n; i++) {
		const struct request_at *at = &m->requests->in_order[i];
		struct request *r = &m->mp[at->mp].request[at->index];
		uint64_t begun = path_send(m->shared_path, r->cycle, r->bytes - r->last_bytes, bandwidth);
		r->cycle = path_send(m->shared_path, begun, r->last_bytes, bandwidth) + latency;
		if (r->cycle < m->next_cycle[at->mp])
			m->next_cycle[at->mp] = r->cycle;
	}
	for (unsigned i = 0; n && i < m->plan->nmps; i++)
		if (m->mp[i].nrequests) {
			m->mp[i].nanswers = m->mp[i].nrequests;
			m->mp[i].nrequests = 0;
		}
}

void requests_deliver(struct mp *mp)
{
	for (unsigned k = 0; k < mp->nanswers; k++) {
		const struct request *r = &mp->request[k];
		sched_data(&mp->sched, &r->access, r->cycle);
	}
	mp->nanswers = 0;
}
