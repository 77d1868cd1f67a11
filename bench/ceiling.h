/* The machine's ceiling: the inner loop of a warp interpreter with nothing else around. The mix is a float
 * multiply-add, an integer add, an exclusive or and a shift, in turns; 8 warps of 32 lanes have 64 registers each, in
 * memory. A real interpreter is measured against the loop with no more work than its own. */
#ifndef WB_BENCH_CEILING_H
#define WB_BENCH_CEILING_H

#include <stdbool.h>

#include "bench/harness.h"

enum ceiling_way {
	CEILING_STRAIGHT,     /* the operations as straight code: no dispatch */
	CEILING_THREADED,     /* each instruction jumps to the next handler; all lanes active */
	CEILING_BLENDED,      /* the same, and every result goes through the mask of active lanes */
	CEILING_ROUND_ROBIN,  /* another warp on every instruction, a cycle counter, cycles at which warps are ready */
	CEILING_WAYS
};
extern const char *const ceiling_names[CEILING_WAYS];

/* SIMD levels of the build that the host runs, best last: index < ceiling_levels(). */
unsigned ceiling_levels(void);
const char *ceiling_level(unsigned index);

enum { CEILING_LANES = 32 };   /* of a warp */

/* The loop, warmed up, of `scale` times some tens of milliseconds; aborts where the host has no memory. */
struct ceiling_loop *ceiling_open(unsigned level, enum ceiling_way way, unsigned scale);
/* A run of the loop: warp instructions a second. */
double ceiling_rate(const struct ceiling_loop *loop, enum bench_clock clock);
void ceiling_close(struct ceiling_loop *loop);

struct ceiling {
	double instructions;   /* of warps, in a run */
	double per_second;     /* lane operations, by the median time */
	struct bench_summary seconds;
};
/* Run the loop `repeat` times, at most 99. */
struct ceiling ceiling_measure(unsigned level, enum ceiling_way way, unsigned scale, unsigned repeat,
			       enum bench_clock clock);
/* The loop on several processors at once: the sum of the rates over the mean rate of a processor alone. 1 without
 * processors. */
double ceiling_together(unsigned level, enum ceiling_way way, const struct bench_processors *all);
/* Are the loop's registers right, compared with the same instructions a lane at a time? Straight code is not
 * compared. */
bool ceiling_right(unsigned level, enum ceiling_way way);

#endif
