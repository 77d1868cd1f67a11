/* A progress line on the terminal: rate and time left. */
#ifndef WB_FRONTENDS_CLI_PROGRESS_H
#define WB_FRONTENDS_CLI_PROGRESS_H

#include "frontends/cli/cli.h"

struct progress {
	const char *what;
	bool wanted, visible;
	double started, shown; /* seconds */
};

/* Begin work on `what`. Nothing is ever shown unless stderr is a terminal, nor in the first second, nor with -q. */
void progress_start(struct progress *p, const struct cli *c, const char *what);
void progress_show(struct progress *p, unsigned long long done, unsigned long long all);
/* Take the line away. */
void progress_end(struct progress *p);

#endif
