/* The only file that writes a result and a diagnostic, so that a pool of threads has to be asked in one function. */
#include "machine/stop.h"

#include "machine/thread_pool.h"
#include "mem/conflicts.h"

bool stop_launch(struct machine *m, const char *result, enum diag_kind kind, const char *text)
{
	if (m->pool)
		return threads_give_up(m, text);
	m->result = result;
	return diag_set(&m->why, kind, "%s", text);
}

bool stop_at_fault(struct machine *m, struct mp *mp)
{
	const struct worker_sets *set = mp->x.pages.sets;

	if (set)
		return threads_give_up(m, set->refused ? set->refused : fault_text(mp->x.fault.kind));
	m->fault_mp = mp;
	return stop_launch(m, "fault", DIAG_FAULT, fault_text(mp->x.fault.kind));
}

bool stop_at_cycle_limit(struct machine *m)
{
	return stop_launch(m, "limit", DIAG_LIMIT, "the cycle limit (--max-cycles) was reached");
}

bool stop_interrupted(struct machine *m)
{
	if (m->out_of_time)
		return stop_launch(m, "limit", DIAG_LIMIT, "the time limit (--max-seconds) was reached");
	return stop_launch(m, "interrupted", DIAG_INTERRUPTED, "interrupted");
}
