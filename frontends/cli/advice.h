/* Advice at the end of a report: what the run gives reason for, with a gain, from struct wb_report alone. */
#ifndef WB_FRONTENDS_CLI_ADVICE_H
#define WB_FRONTENDS_CLI_ADVICE_H

#include "warpbeam.h"

enum { ADVICE_MOST = 3, ADVICE_CAUSE = 120 };

struct advice {
	const char *rule, *of; /* row of advice.def, and of what `gain` is a share */
	double gain;           /* 0 to 1 */
	char cause[ADVICE_CAUSE];
	const char *remedy;
};

/* The dearest causes, most gain first; below 5 % none is worth a word. Returns their number. */
unsigned advice_of(const struct wb_report *r, struct advice most[ADVICE_MOST]);

#endif
