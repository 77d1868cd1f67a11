/* The laboratory of `warpbeam bench timing`: experiments are assembly (bench/timing) run with different sizes, and what
 * comes out is compared with what is expected. */
#ifndef WB_BENCH_LABORATORY_LAB_H
#define WB_BENCH_LABORATORY_LAB_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/laboratory/template.h"
#include "warpbeam.h"

enum { POINTS = 40, WARPS = 16, BLANKS = 8 };

enum experiment_kind { EMERGENT, INPUT }; /* a result of the model, or a number that went in and comes out again */

struct lab {
	const char *chip;      /* of the present experiment */
	const char *setting;   /* "KEY=VALUE" of the timing table, or NULL */
	double x[POINTS], measured[POINTS], expected[POINTS], low[POINTS], high[POINTS];
	bool within[POINTS];   /* any number between low and high is as good as expected */
	unsigned n;
	bool failed;           /* a program did not run: our own defect, described in `why` */
	char why[400];
};

struct experiment {
	const char *id, *name, *chip;       /* chip NULL: the chip that is asked for */
	enum experiment_kind kind;
	const char *unit, *tolerance, *label, *source;
	void (*measure)(struct lab *lab);
};
extern const struct experiment experiments[], experiments_gcn[]; /* ended by a NULL id */

/* A run of a program of bench/timing. */
struct trial {
	const char *program;
	struct blank blank[BLANKS]; /* ended by a NULL name */
	unsigned threads, blocks;   /* blocks 0 means 1 */
	long copies;                /* of a timed body: twice as many must fit the code cache; 0 means 32 */
	const char *option[2][2];   /* further options of the run */
};
struct result {
	enum wb_status status;
	double cycles;                      /* of the whole launch */
	double clock[WARPS][2];             /* of each warp's first thread: before and after, in cycles */
	double instructions, threads, warp_serialize, stack_depth, lock_attempts, loads[3], load_bytes, lane_slots;
	double least_issues, most_issues;   /* of any warp */
	uint32_t words[64];                 /* the first of the first buffer */
};
struct result lab_run(struct lab *lab, const struct trial *t);
/* Cycles that one copy of a timed program's body takes: n and 2n copies, second minus first. The latency that warp 0
 * sees, and the time until the last warp is through divided by the warps. */
double lab_latency(struct lab *lab, struct trial t);
double lab_throughput(struct lab *lab, struct trial t, unsigned warps);

/* Report one point: measured must be within [low, high] of expected. */
void lab_point(struct lab *lab, double x, double measured, double expected, double tolerance);
void lab_range(struct lab *lab, double x, double measured, double low, double high);

#endif
