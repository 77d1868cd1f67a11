/* The table of a program's launches: a row for each kernel and size, in the order of their first launches. */
#ifndef WB_FRONTENDS_PROGRAM_TABLE_H
#define WB_FRONTENDS_PROGRAM_TABLE_H

#include <stdio.h>

#include "warpbeam.h"

/* Numbers of a launch, or the sums of several. */
struct table_numbers {
	uint64_t nanoseconds;   /* of the chip's clock */
	uint64_t instructions;  /* warp instructions */
	uint64_t lane_slots, useful;    /* as in wb_bill */
	uint64_t findings;      /* of the checkers */
};
struct table_launch {
	const char *kernel;
	uint32_t grid[3], block[3];
	bool good;              /* false: refused, or ended early */
	struct table_numbers numbers;
};

struct table_row {
	char *kernel;
	uint32_t grid[3], block[3];
	uint64_t launches, bad;
	struct table_numbers sum;
};
/* Empty when all 0. */
struct table {
	struct table_row *row;
	size_t n, space;
};

/* Add a launch. False: no memory. */
bool table_add(struct table *t, const struct table_launch *l);
/* Add launches that are summed up in a row. False: no memory. */
bool table_join(struct table *t, const struct table_row *row);
/* Add a launch's numbers to sums. */
void table_sum(struct table_numbers *to, const struct table_numbers *from);
/* Print the table, with all launches in the last line; nothing for an empty table. */
void table_print(const struct table *t, FILE *f);
void table_free(struct table *t);

#endif
