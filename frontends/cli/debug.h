/* The debugger's parts: the prompt and commands that move (debug.c), commands that print (debug_show.c). */
#ifndef WB_FRONTENDS_CLI_DEBUG_H
#define WB_FRONTENDS_CLI_DEBUG_H

#include <sys/time.h>

#include "frontends/cli/cli.h"

struct debug {
	struct wb_launch *launch;
	struct wb_where where;
	uint32_t block, warp;           /* the selected warp */
	int listed;                     /* last source line shown */
	bool quit;
	bool limited;                   /* --max-seconds is given */
	struct itimerval time_left;     /* host's time for further movements, of --max-seconds */
	enum wb_status failed;          /* status of the latest failed command */
};

/* A command gets the text behind its name, without blanks around. False: the error has been printed. */
#define COMMAND(function, names, arguments, help) bool debug_##function(struct debug *g, const char *rest);
#include "frontends/cli/debug.def"
#undef COMMAND

/* The names of the index-th command, NULL past the end; the command that a word abbreviates, NULL for none. */
const char *debug_command(unsigned index);
const char *debug_names(const char *word);
/* Completions of `word` in a line (prompt.h); context is a struct debug. */
void debug_complete(void *context, const char *line, const char *word, void (*add)(void *to, const char *text),
		    void *to);

/* The selected warp; false and a message if not resident. */
bool debug_current(const struct debug *g, struct wb_warp *w);
/* "b0.w3" or "w3" into *block and *warp. */
bool debug_warp_name(const struct debug *g, const char *text, uint32_t *block, uint32_t *warp);
/* The present position, in one line, with the reason of the stop. */
void debug_where(const struct debug *g);

#endif
