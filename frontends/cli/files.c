/* Whole files in and out. Files are read through zlib, which passes on those that are not compressed, so .gz files need
 * no option. A front end without memory has nothing left to do: grow() ends the program. */
#include "frontends/cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

void *grow(void *p, size_t n)
{
	p = realloc(p, n);
	if (!p)
		exit(complain(WB_ENV, "out of memory"));
	return p;
}

static bool unread(struct wb_diag *d, enum wb_status status, const char *path, const char *what, const char *why)
{
	*d = (struct wb_diag){.status = status, .offset = -1};
	snprintf(d->file, sizeof d->file, "%s", path);
	snprintf(d->text, sizeof d->text, "cannot %s: %s", what, why);
	return false;
}

bool try_read_all(const char *path, char **out, size_t *n, struct wb_diag *d)
{
	enum { CHUNK = 1 << 16 };
	gzFile f = strcmp(path, "-") ? gzopen(path, "rb") : gzdopen(dup(STDIN_FILENO), "rb");
	if (!f)
		return unread(d, WB_ENV, path, "open", strerror(errno));
	size_t room = 0;
	int got;
	*out = NULL;
	*n = 0;
	do {
		if (room < *n + CHUNK + 1)
			*out = grow(*out, room = 2 * room + CHUNK + 1);
		got = gzread(f, *out + *n, CHUNK);
		*n += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	(*out)[*n] = '\0';
	int error;
	const char *why = gzerror(f, &error);
	bool ok = got == 0 && error == Z_OK;
	if (!ok)
		unread(d, error == Z_ERRNO ? WB_ENV : WB_INPUT, path, "read", error == Z_ERRNO ? strerror(errno) : why);
	gzclose(f);
	if (!ok)
		free(*out), *out = NULL;
	return ok;
}

bool read_all(const char *path, char **out, size_t *n)
{
	struct wb_diag d;
	if (try_read_all(path, out, n, &d))
		return true;
	complain_diag(&d);
	return false;
}

bool write_all(const char *path, const void *data, size_t n)
{
	bool standard = !path || !strcmp(path, "-");
	FILE *f = standard ? stdout : fopen(path, "wb");
	if (!f) {
		complain(WB_ENV, "%s: cannot write: %s", path, strerror(errno));
		return false;
	}
	bool ok = fwrite(data, 1, n, f) == n;
	ok = (standard ? fflush(f) : fclose(f)) == 0 && ok;
	if (!ok)
		complain(WB_ENV, "%s: cannot write: %s", standard ? "standard output" : path, strerror(errno));
	return ok;
}
