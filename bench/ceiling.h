/* What this machine could do at best: the inner loop of a warp interpreter with nothing else around it. The mix is a
 * float multiply-add, an integer add, an exclusive or and a shift, in turns; 8 warps of 32 lanes have 64 registers
 * each, in memory. A real interpreter is measured against the way of running it that does no more than it must. */
#ifndef WB_BENCH_CEILING_H
#define WB_BENCH_CEILING_H

#include <stdbool.h>

#include "bench/harness.h"

enum ceiling_way {
	CEILING_STRAIGHT,     /* the operations as straight code: no dispatch */
	CEILING_THREADED,     /* each instruction jumps to the next one's handler; all lanes active */
	CEILING_BLENDED,      /* the same, and every result goes through the mask of active lanes */
	CEILING_ROUND_ROBIN,  /* another warp on every instruction, a cycle counter, times at which warps are ready */
	CEILING_WAYS
};
extern const char *const ceiling_names[CEILING_WAYS];

/* SIMD levels of this build that the host runs, best last: index < ceiling_levels(). */
unsigned ceiling_levels(void);
const char *ceiling_level(unsigned index);

enum { CEILING_LANES = 32 };   /* of a warp */

/* The loop, warmed up, `scale` times some tens of milliseconds long; aborts where the host has no memory. */
struct ceiling_loop *ceiling_open(unsigned level, enum ceiling_way way, unsigned scale);
/* Run it once: warp instructions a second. */
double ceiling_rate(const struct ceiling_loop *loop, enum bench_clock clock);
void ceiling_close(struct ceiling_loop *loop);

struct ceiling {
	double instructions;   /* of warps, in one run */
	double per_second;     /* lane operations, by the median time */
	struct bench_summary seconds;
};
/* Run it `repeat` times, at most 99. */
struct ceiling ceiling_measure(unsigned level, enum ceiling_way way, unsigned scale, unsigned repeat,
			       enum bench_clock clock);
/* A loop on each of some processors, all at once: how many times as much they do as one of them does alone, which is
 * the mean over all. 1 if there is none. */
double ceiling_together(unsigned level, enum ceiling_way way, const struct bench_processors *all);
/* Whether the loop does what it says, compared with the same instructions one lane at a time; straight code is not. */
bool ceiling_right(unsigned level, enum ceiling_way way);

#endif
