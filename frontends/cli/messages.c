/* Error messages of the command line: on stderr, with file, line and column where they are known. */
#include "frontends/cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts of files, without control characters ---- */

static void put_clean(FILE *f, const char *text, size_t n, const char *kept)
{
	size_t size = wb_clean(text, n, kept, NULL, 0);
	char *clean = grow(NULL, size + 1);
	wb_clean(text, n, kept, clean, size + 1);
	fwrite(clean, 1, size, f);
	free(clean);
}

/* The latest 64 texts made by `shown`: a text stays valid until the message around has been printed. */
static struct {
	char *text[64];
	unsigned next;
} copies;

const char *shown(const char *text)
{
	size_t n = text ? strlen(text) : 0, size = text ? wb_clean(text, n, "", NULL, 0) : 0;
	if (size == n) /* an escape is longer than its byte */
		return text;
	char *copy = grow(NULL, size + 1);
	wb_clean(text, n, "", copy, size + 1);
	free(copies.text[copies.next]);
	copies.text[copies.next] = copy;
	copies.next = (copies.next + 1) % (sizeof copies.text / sizeof *copies.text);
	return copy;
}

bool show_lines(FILE *f, const char *text, size_t n)
{
	put_clean(f, text, n, "\n\t");
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
	put_clean(stderr, text, strlen(text), "");
	fputc('\n', stderr);
	return status;
}

/* Without memory for the last bytes of a stream there is no text, although fclose succeeds. */
void text_close(FILE *f, char *const *text)
{
	bool failed = ferror(f);
	if (fclose(f) || failed || !*text)
		no_memory();
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
	text_close(f, &line);
	return line;
}

enum wb_status complain_diag(const struct wb_diag *d)
{
	char *line = diag_line(d);
	complain(d->status, "%s", line);
	free(line);
	return d->status;
}

void complain_warnings(const struct cli *c, const struct wb_program *p)
{
	struct wb_diag d;

	for (unsigned i = 0; p && !c->quiet && wb_program_warning(p, i, &d); i++) {
		char *line = diag_line(&d);
		complain(WB_OK, "warning: %s", line);
		free(line);
	}
}
