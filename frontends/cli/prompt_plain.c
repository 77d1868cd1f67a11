/* The prompt of builds without libedit: a line of standard input, without history and completion. Ctrl-C cancels the
 * line, as it does with libedit. */
#include "frontends/cli/prompt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct prompt {
	const char *text;
	char *line;
	size_t size;
};

struct prompt *prompt_open(const char *text, complete_fn *complete, void *context)
{
	struct prompt *p = calloc(1, sizeof *p);
	(void)complete;
	(void)context;
	if (p)
		p->text = text;
	return p;
}

const char *prompt_line(struct prompt *p)
{
	fputs(p->text, stdout);
	fflush(stdout);
	errno = 0;
	if (getline(&p->line, &p->size, stdin) >= 0)
		return p->line;
	putchar('\n');
	if (errno != EINTR)
		return NULL;
	clearerr(stdin);
	return "";
}

void prompt_close(struct prompt *p)
{
	free(p->line);
	free(p);
}
