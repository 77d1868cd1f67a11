/* Work that may take long, before a view has anything to show. */
#ifndef WB_FRONTENDS_CLI_WAIT_H
#define WB_FRONTENDS_CLI_WAIT_H

#include "frontends/cli/cli.h"
#include "frontends/view/host.h"

struct waiting {
	const char *what;               /* name of the program */
	const struct theme *theme;
	struct wb_launch *launch;       /* its progress is shown, and a key interrupts it */
	uint64_t most;                  /* warp instructions at which the work ends */
	void (*work)(void *context);
	void *context;
};

/* Do the work on a thread of its own, and show its progress on the host from the first half second on. Enter ends the
 * work early, as at its limit. False: the user has left, by q, Esc or by closing the window. */
bool wait_shown(const struct host *h, const struct waiting *w);

#endif
