/* Vectors: lines or cases with an expectation each, run through wb_launch and so through the executors of `run`. A
 * runner for each family of formats (vectors_*.c) recognises files by content. */
#ifndef WB_BENCH_LABORATORY_VECTORS_H
#define WB_BENCH_LABORATORY_VECTORS_H

#include <stdarg.h>

#include "frontends/cli/cli.h"
#include "frontends/cli/progress.h"

/* The tally over all files. */
struct tally {
	const struct cli *cli;
	const char *path; /* of the present file */
	unsigned long passed, failed, skipped;
	unsigned long doubtful, differ; /* entries without a gate, and the entries among them that differ */
	unsigned long shown;            /* mismatches printed so far */
	struct progress progress;
};

enum gate { GATED, DOUBTFUL };

struct vectors_format {
	const char *name;
	bool (*recognise)(const char *text, size_t n);
	/* Run a file's text, which the runner may change. Bad text: a message and WB_INPUT; mismatches go to the
	 * tally. */
	enum wb_status (*run)(struct tally *t, char *text, size_t n);
};

extern const struct vectors_format vectors_shader, vectors_words, vectors_control, vectors_gcn,
	vectors_gcn_state, vectors_gfx;

void tally_pass(struct tally *t, enum gate gate);
/* A mismatch: the first twenty are printed, after "FILE:LINE: " (line 0: "FILE: "). */
void tally_mismatch(struct tally *t, enum gate gate, unsigned long line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Print a counted mismatch, or leave the mismatch out: the runner's command line or page does. */
void tally_show(struct tally *t, enum gate gate, unsigned long line, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));
/* The line of progress: `done` of `all` units, a plural such as "programs". */
void vectors_progress(struct tally *t, const char *unit, size_t done, size_t all);

#endif
