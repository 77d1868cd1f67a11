/* Files come from the host or, if the configuration brings files, from the configuration alone: a run from a trace
 * reads nothing else. A note of each file read is appended to a list in the caller's arena, in the order of reading. */
#include "api/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/config.h"
#include "core/base/text.h"

struct file_note {
	struct wb_file file;
	struct file_note *next;
};

bool files_note(struct files *f, struct arena *a, const char *name, const void *bytes, size_t n)
{
	struct file_note *note = ARENA_NEW(a, struct file_note);
	char *copy = arena_text(a, name, strlen(name));

	if (!note || !copy)
		return false;
	note->file = (struct wb_file){ copy, bytes, n };
	if (f->last_note)
		f->last_note->next = note;
	else
		f->first_note = note;
	f->last_note = note;
	return true;
}

bool files_get(const struct files *f, unsigned index, struct wb_file *out)
{
	const struct file_note *note = f->first_note;

	while (note && index--)
		note = note->next;
	if (note)
		*out = note->file;
	return note != NULL;
}

/* ---- files that may be read ---- */

uint64_t memory_limit(const struct wb_config *c)
{
	enum { PART = 2 };      /* half of the free memory */
	int64_t asked = config_number(c, OPT_MAX_MEMORY);
	uint64_t free_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
	unsigned long long kib;
	FILE *f;

	if (config_given(c, OPT_MAX_MEMORY))
		return asked == NUMBER_NONE ? UINT64_MAX : (uint64_t)asked;
	f = fopen("/proc/meminfo", "re");
	if (!f)
		return free_bytes / PART;
	if (fscanf(f, "MemTotal: %*u kB MemFree: %*u kB MemAvailable: %llu", &kib) == 1)
		free_bytes = (uint64_t)kib << 10;
	fclose(f);
	return free_bytes / PART;
}

/* Whether a path, links followed, leads into the program's folder or below. */
static bool is_below(const char *program, const char *path)
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
	return below;
}

bool files_may(const struct wb_config *c, const char *program, const char *path, bool write, struct diag *d)
{
	int64_t rule = config_number(c, OPT_FILES);

	if (c->files || rule == FILES_ANY)
		return true;
	if (rule == FILES_NONE)
		return diag_set(d, DIAG_INPUT, "the program names the file %s by itself, which --files none forbids",
				path);
	if (write)
		return diag_set(d, DIAG_INPUT,
				"the program would write the file %s by itself; name it with -a, or allow it "
				"with --files any",
				path);
	if (is_below(program, path))
		return true;
	if (access(path, F_OK)) {
		diag_set(d, DIAG_ENV, "cannot open: %s", strerror(errno));
		return diag_in_file(d, path);
	}
	return diag_set(d, DIAG_INPUT,
			"the program names %s, which is no file below its own folder; --files any allows it", path);
}

/* ---- reading ---- */

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

static bool from_host(const struct wb_config *c, struct arena *a, const char *path, uint8_t **bytes, size_t *size,
		      struct diag *d)
{
	int fd = input_open(path, d);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "rb");
	struct stat s;
	uint64_t most;
	uint8_t *read;

	if (fd < 0)
		return false;
	if (!f) {
		close(fd);
		return out_of_memory(d, path);
	}
	most = memory_limit(c) / 2;     /* the bytes are copied once */
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

/* Whether two names are the same as they are shown: a program has bytes, a trace their text. */
static bool same_name(struct arena *a, const char *given, const char *path)
{
	const char *x = arena_text(a, given, strlen(given)), *y = arena_text(a, path, strlen(path));

	return x && y && !strcmp(x, y);
}

static bool from_caller(const struct wb_config *c, struct arena *a, const char *path, uint8_t **bytes, size_t *size,
			struct diag *d)
{
	for (size_t i = 0; i < c->nfiles; i++) {
		if (strcmp(c->files[i].name, path) && !same_name(a, c->files[i].name, path))
			continue;
		*size = c->files[i].size;
		*bytes = arena_alloc(a, *size + 1, 16);
		if (!*bytes)
			return out_of_memory(d, path);
		memcpy(*bytes, c->files[i].bytes, *size);
		(*bytes)[*size] = 0;
		return true;
	}
	return diag_set(d, DIAG_ENV, "%s is not among the %zu files that came with the program", path, c->nfiles);
}

bool read_file(const struct wb_config *c, struct files *f, struct arena *a, const char *path, uint8_t **bytes,
	       size_t *size, struct diag *d)
{
	bool given = c->files;

	if (given ? !from_caller(c, a, path, bytes, size, d) : !from_host(c, a, path, bytes, size, d))
		return false;
	return files_note(f, a, path, *bytes, *size) || diag_set(d, DIAG_ENV, "out of memory");
}
