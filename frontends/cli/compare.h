/* The parts of compare outside of its table. */
#ifndef WB_FRONTENDS_CLI_COMPARE_H
#define WB_FRONTENDS_CLI_COMPARE_H

#include <jansson.h>

#include "frontends/cli/cli.h"

/* The branches of a run that cost lanes, by pc, kept after the run's end. */
struct lossy {
	char *file;
	struct lossy_branch {
		char *text; /* "0x38 (lg $c0) bra 0x60 (line 29)" */
		char *word; /* "bra" */
		uint64_t lost, splits;
	} *branch;
	size_t n;
};

void lossy_collect(struct lossy *l, const char *file, const struct wb_report *r);
void lossy_free(struct lossy *l);
/* Two runs side by side, branches of a kind in order beside each other, with the additional loss of b. */
void lossy_print(const struct cli *c, const struct lossy *a, const struct lossy *b);

/* Groups of the first warp that splits, in the order in which they run, from the split on until all lanes of the split
 * run together again. */
enum { ORDER_GROUPS = 8 };
struct order {
	uint32_t pc;            /* of the split */
	unsigned n;             /* 0: no warp split */
	bool goes_on;           /* there are more groups than places */
	struct order_group {
		uint32_t pc;    /* of the first instruction */
		uint64_t lanes; /* mask */
	} group[ORDER_GROUPS];
};

/* Step a fresh launch to its first split, of 100,000 issues at most, and beyond. */
void order_collect(struct order *o, struct wb_launch *l);
/* A line for people; nothing without a split. */
void order_print(const struct order *o, const char *title);
/* [{"pc": …, "lanes": mask}, …]. The caller owns the array. */
json_t *order_json(const struct order *o);

#endif
