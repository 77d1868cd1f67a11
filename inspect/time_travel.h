/* Time travel. The machine is deterministic, so an earlier position is reached by putting an earlier state back and
 * running on from there. Snapshots are taken every REPLAY_TURNS turns; what changed between two of them is saved as
 * lines of 128 bytes in a ring of bounded size: stores to global memory save a line before its first change, everything
 * else is compared with a copy when the next snapshot is taken, but for multiprocessors that have done nothing since
 * the last one. The oldest snapshots go when the ring is full; what they saved of global memory moves to the origin, so
 * that the beginning stays in reach. */
#ifndef WB_INSPECT_REPLAY_H
#define WB_INSPECT_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct machine;
struct wb_launch;

enum { REPLAY_TURNS = 1024 };

/* Make l->past with a ring of about so many bytes; l stands at its beginning. */
bool past_begin(struct wb_launch *l, size_t bytes, struct diag *d);
void past_free(struct wb_launch *l);
/* Before each turn: there is room for what it may store, and a snapshot is taken if it is time for one. */
void past_before_turn(struct wb_launch *l);
/* The turn of the last snapshot that is at or before `turn`, or the last one with fewer than `issue` issues
 * and a cycle below `cycle`; the earliest there is when none is. */
uint64_t past_snapshot_before(const struct wb_launch *l, uint64_t turn, uint64_t issue, uint64_t cycle);
/* Go back to the snapshot of this turn. Later ones are forgotten. */
void past_restore(struct wb_launch *l, uint64_t turn);
/* The earliest turn that can be gone back to. */
uint64_t past_earliest(const struct wb_launch *l);

/* Save the machine (global memory apart) and put it back, around something that changes it. NULL: the host has no
 * memory. state_restore frees. */
void *state_save(const struct machine *m);
void state_restore(struct machine *m, void *saved);

#endif
