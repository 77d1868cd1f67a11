/* An epoch ends at a multiple of clock_epoch_cycles, the next after the first cycle in which a multiprocessor can go
 * on. */
#include "machine/epochs.h"

#include "machine/blocks.h"
#include "machine/clock.h"
#include "machine/requests.h"

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
	m->run.all_started = m->run.started_blocks == m->plan->dim.blocks;
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
