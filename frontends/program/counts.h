/* Launches of a process, counted by kernel and size in a mapped file beside the journal of `warpbeam run`: a launch
 * costs no call of the system, and a killed process has left its numbers. */
#ifndef WB_FRONTENDS_PROGRAM_COUNTS_H
#define WB_FRONTENDS_PROGRAM_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "frontends/program/table.h"

enum { COUNTS_ROWS = 256, COUNTS_KERNEL = 512, COUNTS_CALL = 64, COUNTS_CHIP = 32 };

struct counts_launch {
	uint64_t index;                 /* number of the launch in the process, from 1; 0: there is none */
	uint64_t number;                /* number of the host call */
	char kernel[COUNTS_KERNEL], call[COUNTS_CALL];
};
struct counts_row {
	uint32_t grid[3], block[3];
	uint64_t launches, bad;         /* bad: refused, or ended early */
	struct table_numbers sum;
	char kernel[COUNTS_KERNEL];
};
struct counts {
	char magic[16];
	char chip[COUNTS_CHIP];         /* of the latest launch */
	struct counts_launch running, latest;
	uint64_t nrows;
	struct counts_row row[COUNTS_ROWS];
};

enum { COUNTS_SUFFIX = 8 };
/* A new file at the path "JOURNAL-SUFFIX", mapped until the process ends. NULL: none can be made. */
struct counts *counts_open(const char *journal, char suffix[COUNTS_SUFFIX]);
/* Whether launches of this kernel and size have a row, or get a row now. */
bool counts_has(struct counts *c, const struct table_launch *l);
/* A launch begins to run; a launch has ended, and is counted. */
void counts_begin(struct counts *c, uint64_t index, const char *kernel, uint64_t number, const char *call);
void counts_end(struct counts *c, const struct table_launch *l, const char *chip);
/* Read the file "JOURNAL-SUFFIX" and remove the file. False: no such file, or a damaged file. */
bool counts_read(const char *journal, const char *suffix, struct counts *out);

#endif
