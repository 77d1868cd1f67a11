/* Diagnostics: the text of a failure, with its place in a file. */
#include "core/base/diag.h"

#include <stdio.h>
#include <string.h>

static void fill(struct diag *d, enum diag_kind kind, int line, int column, int64_t offset, const char *fmt, va_list ap)
{
	d->kind = kind;
	d->file[0] = '\0';
	d->line = line;
	d->column = column;
	d->offset = offset;
	vsnprintf(d->text, sizeof d->text, fmt, ap);
}

#define FILL(kind, line, column, offset) do { \
		if (d) { \
			va_list ap; \
			va_start(ap, fmt); \
			fill(d, kind, line, column, offset, fmt, ap); \
			va_end(ap); \
		} \
	} while (0)

bool diag_set(struct diag *d, enum diag_kind kind, const char *fmt, ...)
{
	FILL(kind, 0, 0, -1);
	return false;
}

bool diag_text(struct diag *d, int line, int column, const char *fmt, ...)
{
	FILL(DIAG_INPUT, line, column, -1);
	return false;
}

bool diag_at(struct diag *d, int64_t offset, const char *fmt, ...)
{
	FILL(DIAG_INPUT, 0, 0, offset);
	return false;
}

bool diag_placev(struct diag *d, struct text_place place, const char *fmt, va_list ap)
{
	if (d)
		fill(d, DIAG_INPUT, place.line, place.column, -1, fmt, ap);
	return diag_in_file(d, place.file);
}

bool diag_place(struct diag *d, struct text_place place, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_placev(d, place, fmt, ap);
	va_end(ap);
	return false;
}

bool diag_in_file(struct diag *d, const char *file)
{
	if (d && !d->file[0] && file)
		snprintf(d->file, sizeof d->file, "%s", file);
	return false;
}

void diag_clear(struct diag *d)
{
	if (d)
		memset(d, 0, sizeof *d), d->offset = -1;
}
