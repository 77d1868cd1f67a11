/* Error messages of the command line: on stderr, with file, line and column where they are known. */
#include "frontends/cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>

enum wb_status complain(enum wb_status status, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fputs("warpbeam: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	return status;
}

char *diag_line(const struct wb_diag *d)
{
	char *line = NULL;
	size_t n;
	FILE *f = open_memstream(&line, &n);
	if (!f)
		exit(complain(WB_ENV, "out of memory"));
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
		exit(complain(WB_ENV, "out of memory"));
	return line;
}

enum wb_status complain_diag(const struct wb_diag *d)
{
	char *line = diag_line(d);
	complain(d->status, "%s", line);
	free(line);
	return d->status;
}
