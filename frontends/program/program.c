/* The life of a program: opened by the first entry point that is called, closed to children that fork later, its table
 * printed when the process ends. */
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/program/state.h"

/* A process is one program: entry points of foreign interfaces have no handle from which to reach it. */
static struct program the_program = { .journal = -1, .lock = PTHREAD_MUTEX_INITIALIZER,
					    .dearest_lock = PTHREAD_MUTEX_INITIALIZER };
static const char *_Atomic interface_first;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static enum { CLOSED, OPEN, FORKED } _Atomic state;

/* A forked child has the parent's memory, but neither its threads nor, maybe, free locks: nothing is touched there. */
static void forked(void)
{
	if (state == OPEN)
		state = FORKED;
}

static void ends(void)
{
	if (state == OPEN && the_program.listed)
		table_print(&the_program.table, stderr);
}

static void start(void)
{
	struct program *p = &the_program;

	p->interface = interface_first;
	if (!program_options(p))
		return;
	p->listed = p->value[PROGRAM_TABLE] != NULL;
	program_journal(p);
	pthread_atfork(NULL, NULL, forked);
	atexit(ends);
	state = OPEN;
}

struct program *program_open(const char *interface)
{
	if (state == FORKED) {
		static atomic_flag told = ATOMIC_FLAG_INIT;
		if (!atomic_flag_test_and_set(&told))
			dprintf(STDERR_FILENO, "warpbeam: a child process that was forked after its parent used %s has "
				"no devices: fork first, or exec in the child\n", interface);
		return NULL;
	}
	if (state != OPEN) {
		interface_first = interface;
		pthread_once(&once, start);
	}
	return state == OPEN ? &the_program : NULL;
}

/* ---- messages ---- */

/* Whether the text is the first of its kind; only texts told already are kept. Under the lock. */
static bool is_news(struct program *p, const char *text)
{
	struct said *s = p->said;

	while (s && strcmp(s->text, text))
		s = s->next;
	if (s)
		return false;
	if ((s = malloc(sizeof *s + strlen(text) + 1))) {
		strcpy(s->text, text);
		s->next = p->said;
		p->said = s;
	}
	return true;
}

bool program_news(struct program *p, const char *text)
{
	bool news;

	pthread_mutex_lock(&p->lock);
	news = is_news(p, text);
	pthread_mutex_unlock(&p->lock);
	return news;
}

void program_say(struct program *p, const char *fmt, ...)
{
	char text[1024], clean[4 * sizeof text];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	wb_clean(text, strlen(text), "", clean, sizeof clean);
	if (program_news(p, clean))
		fprintf(stderr, "warpbeam: %s\n", clean);
}

void program_say_diag(struct program *p, const char *what, const struct wb_diag *d)
{
	char place[240] = "";

	if (d->file[0] && d->line)
		snprintf(place, sizeof place, "%s:%d: ", d->file, d->line);
	else if (d->file[0])
		snprintf(place, sizeof place, "%s: ", d->file);
	program_say(p, "%s: %s%s", what, place, d->text);
}
