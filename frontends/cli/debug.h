/* The debugger's parts: the prompt and its commands that move (debug.c), those that print (debug_show.c). */
#ifndef WB_FRONTENDS_CLI_DEBUG_H
#define WB_FRONTENDS_CLI_DEBUG_H

#include "frontends/cli/cli.h"

struct debug {
	struct wb_launch *launch;
	struct wb_where at;
	uint32_t block, warp;           /* the selected warp */
	int listed;                     /* last source line shown */
	bool quit;
};

/* Every command gets what follows its name, without blanks around it. False: the error has been printed. */
#define COMMAND(function, names, arguments, help) bool debug_##function(struct debug *g, const char *rest);
#include "frontends/cli/debug.def"
#undef COMMAND

/* The names of the index-th command, NULL past the end; of the command that a word is short for, NULL if it is none. */
const char *debug_command(unsigned index);
const char *debug_names(const char *word);
/* What may stand where `word` begins in a line (prompt.h); context is a struct debug. */
void debug_complete(void *context, const char *line, const char *word, void (*add)(void *to, const char *text),
		    void *to);

/* The selected warp; false and a message if it is not resident. */
bool debug_current(const struct debug *g, struct wb_warp *w);
/* "b0.w3" or "w3" into *block and *warp. */
bool debug_warp_name(const struct debug *g, const char *text, uint32_t *block, uint32_t *warp);
/* Where everything stands, in one line, with why it stopped there. */
void debug_where(const struct debug *g);

#endif
