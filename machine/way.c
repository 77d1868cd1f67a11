/* Common to both ways: observers see the time between two turns of a multiprocessor, and the cycle limit ends a launch
 * on the multiprocessor with an instruction to issue behind the limit. */
#include "machine/way.h"

#include "machine/clock.h"
#include "machine/stop.h"

bool way_run(struct machine *m, struct mp *mp, uint64_t end, uint64_t *turns)
{
	unsigned slot;

	NOTIFY(m, between);
	if (!m->way->run(m, mp, end, turns))
		return false;
	if (*turns && m->plan->max.cycles < end && clock_pick(mp, end, &slot))
		return stop_at_cycle_limit(m);
	return true;
}
