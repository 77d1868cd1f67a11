/* Lines are copied one by one into the log's arena, so a log outlives the program, and a failure before it is one. */
#include "toolchain/build_log.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/image.h"

void log_text(struct build_log *log, const char *text, size_t n)
{
	const char *end = text ? text + n : text;

	for (const char *p = text, *stop; log && p < end; p = stop + 1) {
		const char **line;
		stop = memchr(p, '\n', (size_t)(end - p));
		stop = stop ? stop : end;
		if (stop == p)
			continue;
		line = image_push(&log->arena, &log->lines, &log->nlines);
		if (line)
			*line = arena_text(&log->arena, p, (size_t)(stop - p));
		if (!line || !*line) {
			log->nlines -= line != NULL;
			log->cut = true;
			return;
		}
	}
}

void log_place(struct build_log *log, const char *file, unsigned line, unsigned column, const char *kind,
	       const char *text)
{
	enum { NUMBERS = 32 };
	char numbers[NUMBERS] = "", *whole;

	if (!log)
		return;
	if (line && column)
		snprintf(numbers, sizeof numbers, ":%u:%u", line, column);
	else if (line)
		snprintf(numbers, sizeof numbers, ":%u", line);
	whole = arena_alloc(&log->arena, strlen(file) + strlen(kind) + strlen(text) + sizeof numbers + 8, 1);
	log->cut |= !whole;
	if (whole)
		log_text(log, whole, (size_t)sprintf(whole, "%s%s: %s: %s", file, numbers, kind, text));
}

bool log_has(const struct build_log *log, const char *text)
{
	for (size_t i = 0; log && i < log->nlines; i++)
		if (strstr(log->lines[i], text))
			return true;
	return false;
}

void log_free(struct build_log *log)
{
	arena_free(&log->arena);
	*log = (struct build_log){ 0 };
}
