/* Whole files in and out. Files are read through zlib, which passes on those that are not compressed, so .gz files need
 * no option. A front end without memory has nothing left to do: grow() ends the program. */
#include "frontends/cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

void *grow(void *p, size_t n)
{
	return realloc(p, n);
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
	enum { MOST = 1 << 28 }; /* the largest vectors have a tenth of it */
	int fd = strcmp(path, "-") ? wb_input_open(path, d) : dup(STDIN_FILENO);
	if (fd < 0 && strcmp(path, "-"))
		return false;
	gzFile f = fd < 0 ? NULL : gzdopen(fd, "rb");
	if (!f)
		return unread(d, WB_ENV, path, "open", strerror(errno));
	size_t capacity = 0;
	int got;
	*out = NULL;
	*n = 0;
	do {
		if (capacity < *n + CHUNK + 1)
			*out = grow(*out, capacity = 2 * capacity + CHUNK + 1);
		got = gzread(f, *out + *n, CHUNK);
		*n += got > 0 ? (size_t)got : 0;
	} while (got > 0 && *n <= MOST);
	(*out)[*n] = '\0';
	int error;
	const char *why = gzerror(f, &error);
	bool ok = got == 0 && error == Z_OK;
	if (error == Z_MEM_ERROR)
		no_memory();
	if (got > 0)
		unread(d, WB_LIMIT, path, "read", "it has more than 256 MiB, unpacked");
	else if (!ok)
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
	struct wb_diag d;
	if (path && strcmp(path, "-")) {
		if (wb_output_all(path, data, n, &d) == WB_OK)
			return true;
		complain_diag(&d);
		return false;
	}
	bool ok = fwrite(data, 1, n, stdout) == n;
	ok = fflush(stdout) == 0 && ok;
	if (!ok)
		complain(WB_ENV, "standard output: cannot write: %s", strerror(errno));
	return ok;
}

bool stream_check(const char *path, struct wb_diag *d)
{
	struct stat there;
	if (!strcmp(path, "-") || (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode)))
		return true;
	struct wb_output *o = wb_output_open(path, d);
	return o && wb_output_close(o, false, d) == WB_OK;
}

FILE *stream_open(const char *path, struct wb_output **o)
{
	struct wb_diag d;
	*o = NULL;
	if (!strcmp(path, "-"))
		return stdout;
	*o = wb_output_open(path, &d);
	if (!*o) {
		complain_diag(&d);
		return NULL;
	}
	FILE *f = fdopen(dup(wb_output_fd(*o)), "wb");
	if (f)
		return f;
	complain(WB_ENV, "%s: cannot write: %s", path, strerror(errno));
	wb_output_close(*o, false, NULL);
	return NULL;
}

bool stream_close(FILE *f, struct wb_output *o, bool whole)
{
	struct wb_diag d;
	bool written = !ferror(f);
	errno = 0;
	written = (o ? fclose(f) : fflush(f)) == 0 && written;
	if (!written)
		complain(WB_ENV, "cannot write all of the output: %s", errno ? strerror(errno) : "it is cut short");
	if (o && wb_output_close(o, whole && written, &d) != WB_OK)
		return complain_diag(&d), false;
	return written;
}
