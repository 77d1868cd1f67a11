/* Error messages of the command line: on stderr, with file, line and column where they are known, and the nearest name
 * that exists, by edit distance. */
#include "frontends/cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

enum { LONGEST = 40 }; /* of the names compared, in letters */

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Edits (insert, delete, replace, swap two neighbours) that turn a into b. */
static unsigned edit_distance(const char *a, const char *b)
{
	unsigned d[LONGEST + 1][LONGEST + 1];
	unsigned n = (unsigned)strlen(a), m = (unsigned)strlen(b);
	for (unsigned i = 0; i <= n; i++) {
		for (unsigned j = 0; j <= m; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			d[i][j] = least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]), least(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[n][m];
}

const char *nearest(const char *text, const char *const *names)
{
	const char *best = NULL;
	unsigned fewest = (unsigned)strlen(text) / 2 + 1; /* half of it wrong is no misspelling any more */
	for (; strlen(text) <= LONGEST && *names; names++) {
		unsigned edits = strlen(*names) <= LONGEST ? edit_distance(text, *names) : fewest;
		if (edits < fewest) {
			fewest = edits;
			best = *names;
		}
	}
	return best;
}
