/* The parts of compare that are not its table. */
#ifndef WB_FRONTENDS_CLI_COMPARE_H
#define WB_FRONTENDS_CLI_COMPARE_H

#include "frontends/cli/cli.h"

/* The branches of one run that cost lanes, by pc, as they are kept when the run has gone. */
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
/* Both side by side, branches of one kind in their order beside each other, with what b loses more than a. */
void lossy_print(const struct cli *c, const struct lossy *a, const struct lossy *b);

#endif
