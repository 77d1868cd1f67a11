/* --sample N: what happened in each N cycles, a row of CSV each, from the events of a run. */
#ifndef WB_FRONTENDS_CLI_SAMPLE_H
#define WB_FRONTENDS_CLI_SAMPLE_H

#include <stdio.h>

#include "warpbeam.h"

struct sample {
	FILE *out;              /* where the rows go in the end */
	FILE *f;                /* of `text` */
	char *text;
	size_t size;
	uint64_t every;         /* cycles */
	uint64_t start;         /* of the present row */
	uint64_t issues, threads, branches, diverged, rejoins;
	uint64_t waited[WB_STALLS];
	uint64_t warps, blocks; /* resident now */
};

/* Rows are written to f by sample_end. */
void sample_begin(struct sample *s, FILE *f, uint64_t every);
/* Events in the order of their cycles. */
void sample_chunk(struct sample *s, const struct wb_chunk *c);
/* The last row, which may be shorter. */
void sample_end(struct sample *s);

#endif
