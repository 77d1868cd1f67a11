/* The parts of compare outside of its table. */
#ifndef WB_FRONTENDS_CLI_COMPARE_H
#define WB_FRONTENDS_CLI_COMPARE_H

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

#endif
