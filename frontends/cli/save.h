/* Runs that are saved, and go on later: --save, --save-at, and a saved run in place of a program. */
#ifndef WB_FRONTENDS_CLI_SAVE_H
#define WB_FRONTENDS_CLI_SAVE_H

#include "frontends/cli/session.h"

#define SAVE_OPTIONS \
	{"save", 0, OPT_OUTPUT, "FILE", NULL, "Saving", \
	 "save the run at --save-at, or when a signal stops it; `warpbeam run FILE` goes on to the same results", \
	 false}, \
	{"save-at", 0, OPT_VALUE, "N|SECONDSs", NULL, "Saving", \
	 "stop the run once N instructions have issued, or after a time: 5000000 or 30s", false}

/* The value of --save-at: instructions, UINT64_MAX without; seconds, 0 without. */
struct save_at {
	uint64_t instructions;
	double seconds;
};

/* Set the options of a run that is saved or goes on, before a launch is made. False: the error has been printed, and
 * s->status is the exit code. */
bool save_options(struct session *s, const struct cli *c);
/* Before the run of a prepared launch: read --save-at into *at. False as above. */
bool save_begin(struct session *s, const struct cli *c, struct save_at *at);
/* After the run: write a run that stands still to the file of --save, with s->status as the exit code. False: the run
 * does not stand still. */
bool save_end(struct session *s, const struct cli *c);

#endif
