/* A file is written without a name, or under a name beside its own, and gets its name when whole: a process that ends
 * in the middle leaves the old file. Devices and pipes are written as they are. */
#include "host/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_TRIED = 100 };

/* Whether the path is a device, a pipe, or a link to an open descriptor, as /dev/stdout is. */
static bool is_direct(const char *path, const struct stat *there)
{
	return !S_ISREG(there->st_mode) || !strncmp(path, "/dev/std", 8) || !strncmp(path, "/dev/fd/", 8) ||
	       !strncmp(path, "/proc/", 6);
}

/* The folder of o->path; the caller frees it. */
static char *folder_of(const struct output *o)
{
	const char *slash = strrchr(o->path, '/');

	return slash ? strndup(o->path, (size_t)(slash - o->path) + 1) : strdup(".");
}

/* The n-th name beside o->path; in o->beside. */
static bool name_beside(struct output *o, unsigned n)
{
	free(o->beside);
	if (asprintf(&o->beside, "%s.%ld-%u.part", o->path, (long)getpid(), n) < 0)
		o->beside = NULL;
	return o->beside;
}

/* Open a nameless file, which vanishes if the process ends; on file systems without nameless files, a file beside the
 * path. */
static int open_beside(struct output *o)
{
	char *folder = folder_of(o);
	int fd = folder ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666) : -1;

	free(folder);
	if (fd >= 0 || !folder || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	for (unsigned n = 0; fd < 0 && n < NAMES_TRIED && name_beside(o, n); n++) {
		fd = open(o->beside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

static bool begin(struct output *o, struct diag *d)
{
	struct stat there;
	bool exists = stat(o->path, &there) == 0;

	if (exists && S_ISDIR(there.st_mode))
		return diag_set(d, DIAG_ENV, "cannot write: Is a directory");
	o->direct = exists && is_direct(o->path, &there);
	if (exists && access(o->path, W_OK))
		return diag_set(d, DIAG_ENV, "cannot write: %s", strerror(errno));
	o->fd = o->direct ? open(o->path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY) : open_beside(o);
	if (o->fd < 0)
		return diag_set(d, DIAG_ENV, "cannot write: %s", strerror(errno));
	if (exists && !o->direct)
		(void)!fchmod(o->fd, there.st_mode & 0777);
	return true;
}

static void free_output(struct output *o)
{
	if (o->fd >= 0)
		close(o->fd);
	free(o->beside);
	free(o->path);
	*o = (struct output){ .fd = -1 };
}

bool output_open(struct output *o, const char *path, struct diag *d)
{
	*o = (struct output){ .fd = -1, .path = strdup(path) };
	if (o->path ? begin(o, d) : diag_set(d, DIAG_ENV, "out of memory"))
		return true;
	free_output(o);
	return diag_in_file(d, path);
}

bool output_check(const char *path, struct diag *d)
{
	struct output o;
	struct stat there;

	if (stat(path, &there) == 0 && !S_ISDIR(there.st_mode) && is_direct(path, &there))
		return access(path, W_OK) == 0 ||
		       (diag_set(d, DIAG_ENV, "cannot write: %s", strerror(errno)), diag_in_file(d, path));
	return output_open(&o, path, d) && output_close(&o, false, d);
}

/* Give a nameless file a name beside the path. */
static bool link_beside(struct output *o)
{
	char self[40];

	if (o->beside)
		return true;
	snprintf(self, sizeof self, "/proc/self/fd/%d", o->fd);
	for (unsigned n = 0; n < NAMES_TRIED && name_beside(o, n); n++) {
		if (!linkat(AT_FDCWD, self, AT_FDCWD, o->beside, AT_SYMLINK_FOLLOW))
			return true;
		if (errno != EEXIST)
			break;
	}
	free(o->beside);
	o->beside = NULL;
	return false;
}

bool output_close(struct output *o, bool whole, struct diag *d)
{
	bool ok = o->direct || !whole || (link_beside(o) && !rename(o->beside, o->path));

	if (!ok)
		diag_set(d, DIAG_ENV, "cannot write: %s", strerror(errno));
	if (o->beside && (!whole || !ok))
		unlink(o->beside);
	if (close(o->fd) && ok && o->direct)
		ok = diag_set(d, DIAG_ENV, "cannot write: %s", strerror(errno));
	o->fd = -1;
	if (!ok)
		diag_in_file(d, o->path);
	free_output(o);
	return ok;
}

bool output_all(const char *path, const void *bytes, size_t n, struct diag *d)
{
	struct output o;
	const char *p = bytes;
	ssize_t wrote = 0;

	if (!output_open(&o, path, d))
		return false;
	for (; n && wrote >= 0; p += wrote, n -= (size_t)wrote) {
		wrote = write(o.fd, p, n);
		if (wrote < 0 && errno == EINTR)
			wrote = 0;
	}
	if (wrote >= 0)
		return output_close(&o, true, d);
	diag_set(d, DIAG_ENV, "cannot write: %s", strerror(errno));
	output_close(&o, false, NULL);
	return diag_in_file(d, path);
}
