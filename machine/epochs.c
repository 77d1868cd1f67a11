/* An epoch ends at a multiple of clock_epoch_cycles, the next after the first cycle in which a multiprocessor can go
 * on. */
#include "machine/epochs.h"

#include "machine/blocks.h"
#include "machine/clock.h"
#include "machine/requests.h"

/* Does the whole program fit into a second level, so that lines stay there? */
static bool all_lines_fit(const struct machine *m)
{
	uint32_t line = m->plan->numbers.value[T_cache_line], n = m->plan->code.code_bytes / line + 2;

	for (unsigned i = 0; i < CONST_BANKS; i++)
		n += m->plan->memory.c[i].size ? m->plan->memory.c[i].size / line + 1 : 0;
	return n < m->l2->nlines;
}

void epoch_settle_caches(struct machine *m)
{
	unsigned tpcs = clock_tpcs(m);

	for (unsigned i = 0; i < tpcs && all_lines_fit(m); i++)
		m->l2[i].settled = m->l2[i].used;
}

void epoch_leave(struct machine *m, struct mp *mp)
{
	sched_time(&mp->sched, m->run.epoch_end);       /* the same state whichever thread runs mp */
	m->next_cycle[mp->x.special.mp] = sched_time(&mp->sched, 0);
}

static void leave_and_deliver(struct machine *m, struct mp *mp)
{
	epoch_leave(m, mp);
	if (!mp->nanswers)
		return;
	requests_deliver(mp);
	m->next_cycle[mp->x.special.mp] = sched_time(&mp->sched, 0);
}

bool epoch_start(struct machine *m)
{
	uint64_t start = SCHED_NEVER;

	if (blocks_balance(m))
		for (unsigned i = 0; i < m->plan->nmps; i++)
			leave_and_deliver(m, &m->mp[i]);
	for (unsigned i = 0; i < m->plan->nmps; i++)
		start = m->next_cycle[i] < start ? m->next_cycle[i] : start;
	m->run.epoch_end = start == SCHED_NEVER ? start : (start / clock_epoch_cycles(m) + 1) * clock_epoch_cycles(m);
	m->run.epoch_mp = 0;
	m->run.all_started = blocks_started(m) == m->plan->dim.blocks;
	return start != SCHED_NEVER;
}

/* Send requests and deliver answers now, so that next_cycle of each multiprocessor is known. False: no multiprocessor
 * can go on. */
static bool epoch_begin(struct machine *m)
{
	requests_send(m);
	for (unsigned i = 0; i < m->plan->nmps; i++)
		leave_and_deliver(m, &m->mp[i]);
	return epoch_start(m);
}

struct mp *epoch_next_mp(struct machine *m)
{
	do {
		for (; m->run.epoch_mp < m->plan->nmps; m->run.epoch_mp++) {
			struct mp *mp = &m->mp[m->run.epoch_mp];
			if (sched_time(&mp->sched, m->run.epoch_end) < m->run.epoch_end)
				return mp;
		}
	} while (epoch_begin(m));
	return NULL;
}
