#include "frontends/view/source.h"

#include <string.h>

const char *source_line(const char *text, int line, int *n)
{
	const char *p = text;

	for (int i = 1; p && i < line; i++)
		if ((p = strchr(p, '\n')))
			p++;
	*n = p ? (int)strcspn(p, "\r\n") : 0;
	return p ? p : "";
}

enum { TAB = 8 };

int source_offset(const char *from, int n, int column)
{
	int used = 0;

	for (int i = 0; i < n; i++) {
		used = from[i] == '\t' ? (used + TAB) / TAB * TAB : used + 1;
		if (column < used)
			return i;
	}
	return n;
}

void source_expand(char *to, size_t size, const char *from, int n)
{
	size_t used = 0;

	for (int i = 0; i < n && used + 1 < size; i++) {
		size_t stop = from[i] == '\t' ? (used + TAB) / TAB * TAB : used + 1;
		for (; used < stop && used + 1 < size; used++)
			to[used] = from[i] == '\t' ? ' ' : from[i];
	}
	to[used] = '\0';
}
