/* Common to both ways: observers see the time between two turns of a multiprocessor, and the cycle limit ends a launch
 * on the multiprocessor with an instruction to issue behind the limit. */
#include "machine/way.h"

#include "machine/clock.h"
#include "machine/stop.h"

const char *way_stepped_reason(const struct machine *m)
{
	if (m->touched)
		return "its s[] or l[] was written to before the start";
	for (const struct observer *o = m->observers; o; o = o->next)
		if (o->precise_reason)
			return o->precise_reason;
	return NULL;
}

bool way_run(struct machine *m, struct mp *mp, uint64_t end, uint64_t *turns)
{
	unsigned slot;

	NOTIFY(m, between);
	if (!m->way->run(m, mp, end, turns))
		return false;
	if (*turns && m->plan->max.cycles < end && clock_pick(mp, end, &slot))
		return stop_launch(m, STOP_CYCLES);
	return true;
}
