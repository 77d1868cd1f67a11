/* Lines that are made in any order and written by cycle; lines of one cycle stay in the order of their making. */
#include <stdarg.h>
#include <stdlib.h>

#include "frontends/trace/trace.h"

void timeline_add(struct timeline *t, uint64_t cycle, const char *fmt, ...)
{
	va_list ap;
	char *text = NULL;
	if (t->n == t->cap) {
		size_t cap = 2 * t->cap + 1024;
		struct timed *grown = realloc(t->line, cap * sizeof *grown);
		if (!grown)
			return;
		t->line = grown;
		t->cap = cap;
	}
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	t->line[t->n] = (struct timed){cycle, t->n, text};
	t->n++;
}

static int by_time(const void *a, const void *b)
{
	const struct timed *s = a, *t = b;
	if (s->cycle != t->cycle)
		return s->cycle < t->cycle ? -1 : 1;
	return (s->order > t->order) - (s->order < t->order);
}

void timeline_sort(struct timeline *t)
{
	if (t->n)
		qsort(t->line, t->n, sizeof *t->line, by_time);
}

void timeline_free(struct timeline *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->line[i].text);
	free(t->line);
}
