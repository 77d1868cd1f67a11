/* Lines typed by a user: with history, editing and completion where the library for it is (libedit), else as the
 * terminal gives them. */
#ifndef WB_FRONTENDS_CLI_PROMPT_H
#define WB_FRONTENDS_CLI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

/* A completer calls `add` with each word that may stand where `word` begins in `line`; words that do not begin like
 * it are left out by the prompt. */
typedef void complete_fn(void *context, const char *line, const char *word, void (*add)(void *to, const char *text),
			 void *to);

struct prompt;
/* text: borrowed. NULL: the host has no memory. */
struct prompt *prompt_open(const char *text, complete_fn *complete, void *context);
/* The next line, valid until the next call; "" for one that was cancelled with Ctrl-C; NULL at the end. */
const char *prompt_line(struct prompt *p);
void prompt_close(struct prompt *p);

#endif
