/* A progress line on the terminal: finished work with its unit, the rate, and the time left. */
#ifndef WB_FRONTENDS_CLI_PROGRESS_H
#define WB_FRONTENDS_CLI_PROGRESS_H

#include "frontends/cli/cli.h"

/* Work in one unit. `done` moves on; `all` is 0 where the amount is not known. */
struct progress_work {
	const char *unit;               /* a plural, as in "12 of 64 blocks" */
	unsigned long long done, all;
	bool estimated;                 /* `all` is an estimate */
	unsigned long long before;      /* of `done`: work of an earlier process, which took none of the seconds */
};

struct progress {
	const char *what;
	bool wanted, visible;
	double started, shown; /* seconds */
};

/* The line after so many seconds, for works in the order of how often they move, rarest first. The time left follows
 * from the first work that has begun and is not over; no such work: the line has no time left. */
void progress_text(char *out, size_t size, const struct progress_work *work, unsigned works, double seconds);

/* From now on SIGUSR1 asks for a line about the work, instead of an end. */
void progress_signal(void);
/* Begin work on `what`. Unless asked, nothing is shown but on a terminal, after the first second and without -q. */
void progress_start(struct progress *p, const struct cli *c, const char *what);
/* The works are as for progress_text. */
void progress_show(struct progress *p, const struct progress_work *work, unsigned works);
/* Take the line away. */
void progress_end(struct progress *p);

#endif
