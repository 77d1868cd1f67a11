/* The numbers of the timing model for one chip, and the sources of the numbers. The rows are in timing.def. */
#ifndef WB_SCHED_TIMING_H
#define WB_SCHED_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

enum timing_id {
#define TIMING(id, key, value, unit, label, source) T_##id,
#include "sched/timing.def"
	TIMINGS
};

struct timing {
	uint32_t value[TIMINGS];
	bool     set[TIMINGS];       /* changed by the user */
};

struct timing_info {
	const char *key, *unit, *label, *source;
};

/* The table's numbers for a chip by name. */
void timing_init(struct timing *t, const char *chip);
/* Change one number: "g.latency" to 600. False with DIAG_USAGE for an unknown key (with the nearest keys) and for a
 * number out of range. */
bool timing_set(struct timing *t, const char *key, uint64_t value, struct diag *d);
/* The row of a key; TIMINGS for an unknown key. */
enum timing_id timing_id(const char *key);
/* How the number of a chip is known; id in 0 … TIMINGS − 1. */
struct timing_info timing_info(enum timing_id id, const char *chip);

#endif
