/* barriers: convergence barriers, as of chips from Volta on. An entry of the lanes' stacks is a barrier, named by
 * the program's marker (or break target, or call): arriving lanes wait until no lane of the barrier is elsewhere.
 * Finished lanes leave all barriers, broken lanes the inner ones. Of a split the side with fewer lanes runs first,
 * until it waits, ends or gives way; then the latest group set aside.
 *
 * Forward progress: a group in a loop that spins gives way, and any group after 2^22 instructions (on an H100 one
 * side of a split ran 65,536 turns of a loop before the other began: 2^22 is more, for loops of up to 63). Where
 * no other group can run, a barrier does not wait for lanes that have given way or are parked: behind the loop the
 * winner of a lock would wait for the losers, and the losers for the lock. */
#include "core/diverge/groups.h"

const struct group_policy group_barriers = {
	.meets = true, .markers = true, .smaller_first = true, .yields = true,
	.patience = 1 << 22, .choose = groups_latest,
};
