/* Error messages of the command line: on stderr, with file, line and column where they are known. */
#include "frontends/cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- what comes from files ---- */

/* Bytes of the character at text[0 … n) that a terminal only draws; 0: it does something else with it, or it is no
 * UTF-8. U+0080 to U+009F are control characters, too. */
static size_t drawn(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t more = *p >= 0xf0 && *p < 0xf5 ? 3 : *p >= 0xe0 ? 2 : 1;
	if (*p < 0x80)
		return *p >= ' ' && *p != 0x7f;
	if (*p < 0xc2 || *p > 0xf4 || more >= n || (*p == 0xc2 && p[1] < 0xa0))
		return 0;
	for (size_t i = 1; i <= more; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return more + 1;
}

static bool is_clean(const char *text, size_t n)
{
	size_t part;
	for (; n && (part = drawn(text, n)); text += part, n -= part)
		;
	return !n;
}

/* kept: control characters that stay as they are. */
static void put_escaped(FILE *f, const char *text, size_t n, const char *kept)
{
	while (n) {
		size_t clean = 0, part;
		while (clean < n &&
		       (part = text[clean] && strchr(kept, text[clean]) ? 1 : drawn(text + clean, n - clean)))
			clean += part;
		fwrite(text, 1, clean, f);
		if (clean < n)
			fprintf(f, "\\x%02x", (unsigned char)text[clean++]);
		text += clean;
		n -= clean;
	}
}

/* The last texts that shown has made: they are needed until they are printed. */
static struct {
	char *text[64];
	unsigned next;
} copies;

const char *shown(const char *text)
{
	if (!text || is_clean(text, strlen(text)))
		return text;
	char *copy = NULL;
	size_t n;
	FILE *f = open_memstream(&copy, &n);
	put_escaped(f, text, strlen(text), "");
	if (fclose(f) || !copy)
		no_memory();
	free(copies.text[copies.next]);
	copies.text[copies.next] = copy;
	copies.next = (copies.next + 1) % (sizeof copies.text / sizeof *copies.text);
	return copy;
}

bool show_lines(FILE *f, const char *text, size_t n)
{
	put_escaped(f, text, n, "\n\t");
	return !ferror(f);
}

enum wb_status complain(enum wb_status status, const char *fmt, ...)
{
	char text[4096];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	fputs("warpbeam: ", stderr);
	put_escaped(stderr, text, strlen(text), "");
	fputc('\n', stderr);
	return status;
}

char *diag_line(const struct wb_diag *d)
{
	char *line = NULL;
	size_t n;
	FILE *f = open_memstream(&line, &n);
	if (!f)
		no_memory();
	if (d->file[0])
		fprintf(f, "%s:", d->file);
	if (d->line)
		fprintf(f, "%d:", d->line);
	if (d->line && d->column)
		fprintf(f, "%d:", d->column);
	if (d->offset >= 0 && !d->line)
		fprintf(f, "%soffset 0x%llx:", d->file[0] ? " " : "", (unsigned long long)d->offset);
	fprintf(f, "%s%s", d->file[0] || d->line || d->offset >= 0 ? " " : "", d->text);
	if (fclose(f) || !line)
		no_memory();
	return line;
}

enum wb_status complain_diag(const struct wb_diag *d)
{
	char *line = diag_line(d);
	complain(d->status, "%s", line);
	free(line);
	return d->status;
}
