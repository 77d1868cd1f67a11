/* A heap of lines, the earliest first: a line leaves once no later event can have an earlier one. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/trace/trace.h"

enum { LINE_OVERHEAD = 32 };    /* bytes of the host's allocator, about */

static bool before(const struct timed *s, const struct timed *t)
{
	return s->cycle != t->cycle ? s->cycle < t->cycle : s->order < t->order;
}

static void swap(struct timed *s, struct timed *t)
{
	struct timed u = *s;

	*s = *t;
	*t = u;
}

static bool make_place(struct timeline *t)
{
	size_t cap = 2 * t->cap + 1024;
	struct timed *grown = t->n < t->cap ? t->line : realloc(t->line, cap * sizeof *grown);

	if (!grown)
		return false;
	t->cap = t->n < t->cap ? t->cap : cap;
	t->line = grown;
	return true;
}

void timeline_add(struct timeline *t, uint64_t cycle, const char *fmt, ...)
{
	va_list ap;
	char *text = NULL;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	if (!text || !make_place(t)) {
		free(text);
		t->failed = true;
		return;
	}
	t->line[t->n] = (struct timed){cycle, t->added++, text};
	t->bytes += sizeof *t->line + strlen(text) + LINE_OVERHEAD;
	for (size_t i = t->n++; i && before(&t->line[i], &t->line[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&t->line[i], &t->line[(i - 1) / 2]);
}

bool timeline_take(struct timeline *t, uint64_t until, struct timed *out)
{
	if (!t->n || t->line[0].cycle >= until)
		return false;
	*out = t->line[0];
	t->bytes -= sizeof *t->line + strlen(out->text) + LINE_OVERHEAD;
	t->line[0] = t->line[--t->n];
	for (size_t i = 0, least; 2 * i + 1 < t->n; i = least) {
		least = 2 * i + 1;
		if (least + 1 < t->n && before(&t->line[least + 1], &t->line[least]))
			least++;
		if (!before(&t->line[least], &t->line[i]))
			break;
		swap(&t->line[i], &t->line[least]);
	}
	return true;
}

void timeline_free(struct timeline *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->line[i].text);
	free(t->line);
}
