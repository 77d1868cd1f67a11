/* The only file that writes a result and a diagnostic, so that a pool of threads has to be asked in one function. */
#include "machine/stop.h"

#include "machine/thread_pool.h"

bool give_up(struct machine *m, const char *why)
{
	const char *none = NULL;

	atomic_compare_exchange_strong(&m->pool->why, &none, why);
	m->pool->over = true;
	return false;
}

static bool stop(struct machine *m, const char *result, enum diag_kind kind, const char *text)
{
	if (m->pool)
		return give_up(m, text);
	m->result = result;
	return diag_set(&m->why, kind, "%s", text);
}

bool stop_launch(struct machine *m, enum stop_reason reason)
{
	if (reason == STOP_INTERRUPT && m->out_of_time)
		reason = STOP_SECONDS;
	if (reason == STOP_INTERRUPT && m->no_choice)
		reason = STOP_NO_CHOICE;
	switch (reason) {
#define STOP_REASON(name, result, kind, text) case STOP_##name: return stop(m, result, DIAG_##kind, text);
	STOP_REASONS(STOP_REASON)
	}
	return false;
}

bool stop_at_fault(struct machine *m, struct mp *mp)
{
	const struct worker_sets *set = mp->x.pages.sets;

	if (!set)
		m->fault_mp = mp;
	return stop(m, "fault", DIAG_FAULT, set && set->refused ? set->refused : fault_text(mp->x.fault.kind));
}
