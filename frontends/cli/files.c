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

bool read_all(const char *path, char **out, size_t *n)
{
	enum { CHUNK = 1 << 16 };
	gzFile f = strcmp(path, "-") ? gzopen(path, "rb") : gzdopen(dup(STDIN_FILENO), "rb");
	if (!f) {
		complain(WB_ENV, "%s: cannot open: %s", path, strerror(errno));
		return false;
	}
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
		complain(error == Z_ERRNO ? WB_ENV : WB_INPUT, "%s: cannot read: %s", path,
			 error == Z_ERRNO ? strerror(errno) : why);
	gzclose(f);
	if (!ok)
		free(*out), *out = NULL;
	return ok;
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
