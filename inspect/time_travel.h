/* Time travel. The machine is deterministic, so an earlier position is reached by restoring an earlier state and
 * running on. Snapshots are taken every REPLAY_TURNS turns; changes between two snapshots are saved as lines of 128
 * bytes in a ring of bounded size: stores to global memory save a line before its first change, all other state is
 * compared with a copy at the next snapshot, except multiprocessors that have not acted. The oldest snapshots go when
 * the ring is full; their lines of global memory move to the origin, so that the beginning stays in reach. */
#ifndef WB_INSPECT_TIME_TRAVEL_H
#define WB_INSPECT_TIME_TRAVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct machine;
struct wb_launch;

enum { REPLAY_TURNS = 1024 };

/* Make l->past with a ring of about `bytes` bytes; l stands at its beginning. */
bool past_begin(struct wb_launch *l, size_t bytes, struct diag *d);
void past_free(struct wb_launch *l);
/* Before each turn: make space in the ring for the turn's stores, and take a snapshot when due. */
void past_before_turn(struct wb_launch *l);
/* The turn of the last snapshot at or before `turn`, or with fewer than `issue` issues and a cycle below `cycle`; else
 * the earliest snapshot's. */
uint64_t past_snapshot_before(const struct wb_launch *l, uint64_t turn, uint64_t issue, uint64_t cycle);
/* Go back to the snapshot of `turn` and drop later snapshots. */
void past_restore(struct wb_launch *l, uint64_t turn);
/* The earliest turn in reach. */
uint64_t past_earliest(const struct wb_launch *l);

/* The state as bytes: their number; a copy of all, and back; the offset in a copy of a place in the state. Parts follow
 * each other at multiples of UNDO_LINE bytes, which a copy leaves alone between the parts. */
size_t state_bytes(const struct machine *m);
void state_copy(const struct machine *m, uint8_t *to);
void state_put(struct machine *m, const uint8_t *from);
size_t state_offset(const struct machine *m, const void *place);
/* The offset of the part with a place in the state, and the part. */
size_t state_part(const struct machine *m, const void *place, const uint8_t **from, size_t *n);

/* Save the machine (global memory apart) and restore the state after a temporary change. NULL: the host has no memory.
 * state_restore frees the copy. */
void *state_save(const struct machine *m);
void state_restore(struct machine *m, void *saved);

#endif
