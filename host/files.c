/* Files of the host, opened without surprises: a read never hangs for want of a writer, and bytes beyond a limit are
 * refused before they are in memory. */
#include "host/files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { PIPE_SECONDS = 10, PIPE_SECONDS_MAX = 3600 };

/* ---- reading ---- */

/* Seconds to wait for a pipe's writer: 10, or the environment's number, as in tests. */
static int pipe_seconds(void)
{
	const char *text = getenv("WB_PIPE_SECONDS");
	int n = text ? atoi(text) : 0;

	return n > 0 && n <= PIPE_SECONDS_MAX ? n : PIPE_SECONDS;
}

/* A pipe without a writer is waited for, but not for ever. */
static bool has_writer(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, pipe_seconds() * 1000) > 0 && fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) >= 0;
}

int input_open(const char *path, struct diag *d)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	struct stat s;

	if (fd < 0 || fstat(fd, &s)) {
		diag_set(d, DIAG_ENV, "cannot open: %s", strerror(errno));
	} else if (S_ISDIR(s.st_mode)) {
		diag_set(d, DIAG_ENV, "is a folder, expected a file");
	} else if (S_ISFIFO(s.st_mode) && !has_writer(fd)) {
		diag_set(d, DIAG_ENV, "is a pipe into which nothing was written for %d second%s",
			 pipe_seconds(), pipe_seconds() == 1 ? "" : "s");
	} else {
		return fd;
	}
	if (fd >= 0)
		close(fd);
	diag_in_file(d, path);
	return -1;
}

static bool out_of_memory(struct diag *d, const char *path)
{
	diag_set(d, DIAG_ENV, "out of memory");
	return diag_in_file(d, path);
}

/* The remaining bytes of f, which may be a pipe without a size. NULL with a diagnostic; the caller frees the bytes. */
static uint8_t *read_stream(FILE *f, const char *path, uint64_t most, size_t *size, struct diag *d)
{
	enum { FIRST_BYTES = 1 << 16 };
	size_t capacity = FIRST_BYTES;
	uint8_t *bytes = malloc(capacity), *more = bytes;

	for (*size = 0; more && !feof(f) && !ferror(f) && *size <= most;) {
		*size += fread(bytes + *size, 1, capacity - *size, f);
		if (*size == capacity && (more = realloc(bytes, capacity *= 2)))
			bytes = more;
	}
	if (more && !ferror(f) && *size <= most)
		return bytes;
	if (!more)
		diag_set(d, DIAG_ENV, "out of memory");
	else if (ferror(f))
		diag_set(d, DIAG_ENV, "cannot read: %s", strerror(errno));
	else
		diag_set(d, DIAG_LIMIT, "has more bytes than the limit (--max-memory), %llu", (unsigned long long)most);
	diag_in_file(d, path);
	free(bytes);
	return NULL;
}

bool host_read(struct arena *a, const char *path, uint64_t most, uint8_t **bytes, size_t *size, struct diag *d)
{
	int fd = input_open(path, d);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "rb");
	struct stat s;
	uint8_t *read;

	if (fd < 0)
		return false;
	if (!f) {
		close(fd);
		return out_of_memory(d, path);
	}
	if (!fstat(fd, &s) && S_ISREG(s.st_mode) && (uint64_t)s.st_size > most) {
		fclose(f);
		diag_set(d, DIAG_LIMIT, "has %llu bytes, more than the limit (--max-memory) allows, %llu",
			 (unsigned long long)s.st_size, (unsigned long long)most);
		return diag_in_file(d, path);
	}
	read = read_stream(f, path, most, size, d);
	fclose(f);
	*bytes = read ? arena_alloc(a, *size + 1, 16) : NULL;
	if (*bytes)
		memcpy(*bytes, read, *size);
	else if (read)
		out_of_memory(d, path);
	free(read);
	return *bytes != NULL;
}

size_t host_head(const char *path, uint8_t *head, size_t n)
{
	struct stat s;
	int fd = stat(path, &s) || !S_ISREG(s.st_mode) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, head, n);

	if (fd >= 0)
		close(fd);
	return got > 0 ? (size_t)got : 0;
}

/* ---- the host ---- */

uint64_t host_free_bytes(void)
{
	uint64_t free_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
	unsigned long long kib;
	FILE *f = fopen("/proc/meminfo", "re");

	if (!f)
		return free_bytes;
	if (fscanf(f, "MemTotal: %*u kB MemFree: %*u kB MemAvailable: %llu", &kib) == 1)
		free_bytes = (uint64_t)kib << 10;
	fclose(f);
	return free_bytes;
}

uint64_t host_idle_bytes(void)
{
	struct sysinfo s;

	return sysinfo(&s) ? 0 : (uint64_t)s.freeram * s.mem_unit;
}

bool host_is_below(const char *program, const char *path, struct diag *d)
{
	const char *slash = strrchr(program, '/');
	char *folder = slash ? strndup(program, (size_t)(slash - program) + 1) : strdup(".");
	char *real_folder = folder ? realpath(folder, NULL) : NULL, *real = realpath(path, NULL);
	size_t n = real_folder ? strlen(real_folder) : 0;
	struct stat s;
	bool below = real && n && !strncmp(real, real_folder, n) && (n == 1 || real[n] == '/') &&
		     !stat(real, &s) && S_ISREG(s.st_mode);

	free(folder);
	free(real_folder);
	free(real);
	if (below)
		return true;
	if (access(path, F_OK)) {
		diag_set(d, DIAG_ENV, "cannot open: %s", strerror(errno));
		return diag_in_file(d, path);
	}
	return diag_set(d, DIAG_INPUT,
			"the program names %s, no file below the program's folder; --files any allows the file", path);
}
