/* The prompt with libedit: history, Emacs keys, ~/.editrc, completion on Tab. Completion asks for candidates through a
 * callback, twice if need be: once for the common beginning, and once more to list the candidates if the line has the
 * beginning already. */
#include "frontends/cli/prompt.h"

#include <errno.h>
#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REMEMBERED = 500, WORD = 64, WIDTH = 80 };

struct prompt {
	const char *text;
	complete_fn *complete;
	void *context;
	EditLine *editor;
	History *history;
};

/* ---- completion ---- */

struct candidates {
	const char *word;
	size_t n, count, shown;     /* letters of the word; candidates; used columns of the list */
	char common[WORD];          /* common beginning of the candidates */
	bool list;
};

static void show(struct candidates *k, const char *text)
{
	size_t width = strlen(text) / 16 * 16 + 16;
	if (!k->shown || k->shown + width > WIDTH) {
		putchar('\n');
		k->shown = 0;
	}
	printf("%-*s", (int)width, text);
	k->shown += width;
}

static void add(void *to, const char *text)
{
	struct candidates *k = to;
	size_t same = 0;
	if (strncmp(text, k->word, k->n))
		return;
	if (k->list)
		show(k, text);
	else if (!k->count)
		snprintf(k->common, sizeof k->common, "%s", text);
	while (k->common[same] && k->common[same] == text[same])
		same++;
	k->common[same] = '\0';
	k->count++;
}

/* Insert the common beginning of all candidates; if nothing is new, list the candidates. */
static unsigned char complete(EditLine *editor, int key)
{
	struct prompt *p;
	const LineInfo *line = el_line(editor);
	char text[1024];
	size_t n = (size_t)(line->cursor - line->buffer);
	(void)key;
	if (el_get(editor, EL_CLIENTDATA, &p) || n >= sizeof text)
		return CC_ERROR;
	memcpy(text, line->buffer, n);
	text[n] = '\0';
	const char *blank = strrchr(text, ' ');
	struct candidates k = {.word = blank ? blank + 1 : text};
	k.n = strlen(k.word);
	p->complete(p->context, text, k.word, add, &k);
	if (!k.count)
		return CC_REFRESH_BEEP;
	if (k.count == 1)
		strcat(k.common, strlen(k.common) + 1 < sizeof k.common ? " " : "");
	if (strlen(k.common) > k.n)
		return el_insertstr(editor, k.common + k.n) ? CC_ERROR : CC_REFRESH;
	k.list = true;
	p->complete(p->context, text, k.word, add, &k);
	putchar('\n');
	fflush(stdout);
	return CC_REDISPLAY;
}

/* ---- lines ---- */

static char *prompt_text(EditLine *editor)
{
	struct prompt *p = NULL;
	el_get(editor, EL_CLIENTDATA, &p);
	return (char *)(p ? p->text : "");
}

struct prompt *prompt_open(const char *text, complete_fn *complete_words, void *context)
{
	struct prompt *p = calloc(1, sizeof *p);
	HistEvent event;
	if (!p)
		return NULL;
	*p = (struct prompt){.text = text,
			     .complete = complete_words,
			     .context = context,
			     .editor = el_init("warpbeam", stdin, stdout, stderr),
			     .history = history_init()};
	if (!p->editor || !p->history) {
		prompt_close(p);
		return NULL;
	}
	history(p->history, &event, H_SETSIZE, REMEMBERED);
	history(p->history, &event, H_SETUNIQUE, 1);
	el_set(p->editor, EL_CLIENTDATA, p);
	el_set(p->editor, EL_PROMPT, prompt_text);
	el_set(p->editor, EL_EDITOR, "emacs");
	el_set(p->editor, EL_HIST, history, p->history);
	el_set(p->editor, EL_ADDFN, "complete", "complete the word", complete);
	el_set(p->editor, EL_BIND, "^I", "complete", NULL);
	el_set(p->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
	el_source(p->editor, NULL);   /* ~/.editrc counts, as for every program with the library */
	return p;
}

const char *prompt_line(struct prompt *p)
{
	HistEvent event;
	int n;
	errno = 0;
	const char *line = el_gets(p->editor, &n);
	if (line && n > 0) {
		if (line[strspn(line, " \t\r\n")])
			history(p->history, &event, H_ENTER, line);
		return line;
	}
	putchar('\n');
	return errno == EINTR ? "" : NULL;
}

void prompt_close(struct prompt *p)
{
	if (p->editor)
		el_end(p->editor);
	if (p->history)
		history_end(p->history);
	free(p);
}
