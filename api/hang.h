/* Livelock: proven when the machine's whole state, clocks and counters apart, repeats; suspected when nothing that
 * counts as progress happens for a number of cycles (spec tesla-semantics, "Locks in s[]"). */
#ifndef WB_API_HANG_H
#define WB_API_HANG_H

#include <stdbool.h>
#include <stdint.h>

struct mp;
struct wb_launch;

struct hang {
	uint64_t patience;       /* cycles without progress; UINT64_MAX: wait for ever */
	uint64_t progress;       /* when last looked at */
	uint64_t since;          /* cycle of the last progress */
	uint64_t changes;        /* of memory, when last looked at */
	uint64_t looks;          /* since the last of them */
	uint64_t reference;      /* hash of the state at the last power-of-two look */
	bool     proven;
};

void hang_begin(struct hang *h, uint64_t patience);
/* Look at n multiprocessors now and then; true when they hang. Memory need not be compared: the search for a repetition
 * begins anew whenever a store has changed it. `compare`: search for one at this look. */
bool hang_look(struct hang *h, struct wb_launch *l, const struct mp *mp, unsigned n, bool compare);

#endif
