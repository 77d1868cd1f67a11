/* Files come from the host or, if the configuration brings files, from those alone: a run from a trace reads nothing
 * else. Each file that was read is appended to a list of notes in the caller's arena, first to last. */
#include "api/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/config.h"

struct file_note {
	struct wb_file file;
	struct file_note *next;
};

bool files_note(struct files *f, struct arena *a, const char *name, const void *bytes, size_t n)
{
	struct file_note *note = ARENA_NEW(a, struct file_note);
	char *copy = arena_strdup(a, name);

	if (!note || !copy)
		return false;
	note->file = (struct wb_file){ copy, bytes, n };
	if (f->last)
		f->last->next = note;
	else
		f->first = note;
	f->last = note;
	return true;
}

bool files_get(const struct files *f, unsigned index, struct wb_file *out)
{
	const struct file_note *note = f->first;

	while (note && index--)
		note = note->next;
	if (note)
		*out = note->file;
	return note != NULL;
}

/* All that is left in f, which may be a pipe and then has no size. NULL with a reason; the caller frees it. */
static uint8_t *read_stream(FILE *f, const char *path, size_t *size, struct diag *d)
{
	enum { ROOM = 1 << 16 };
	size_t room = ROOM;
	uint8_t *bytes = malloc(room), *more = bytes;

	for (*size = 0; more && !feof(f) && !ferror(f);) {
		*size += fread(bytes + *size, 1, room - *size, f);
		if (*size == room && (more = realloc(bytes, room *= 2)))
			bytes = more;
	}
	if (more && !ferror(f))
		return bytes;
	if (more)
		diag_set(d, DIAG_ENV, errno == EISDIR ? "%s is a folder, expected a file" : "cannot read %s: %s", path,
			 strerror(errno));
	else
		diag_set(d, DIAG_ENV, "out of memory for %s", path);
	free(bytes);
	return NULL;
}

static bool from_host(struct arena *a, const char *path, uint8_t **bytes, size_t *size, struct diag *d)
{
	FILE *f = fopen(path, "rb");
	uint8_t *read;

	if (!f)
		return diag_set(d, DIAG_ENV, "cannot open %s: %s", path, strerror(errno));
	read = read_stream(f, path, size, d);
	fclose(f);
	*bytes = read ? arena_alloc(a, *size + 1, 16) : NULL;
	if (*bytes)
		memcpy(*bytes, read, *size);
	else if (read)
		diag_set(d, DIAG_ENV, "out of memory for %s", path);
	free(read);
	return *bytes != NULL;
}

static bool from_caller(const struct wb_config *c, struct arena *a, const char *path, uint8_t **bytes, size_t *size,
			struct diag *d)
{
	for (size_t i = 0; i < c->nfiles; i++) {
		if (strcmp(c->files[i].name, path))
			continue;
		*size = c->files[i].size;
		*bytes = arena_alloc(a, *size + 1, 16);
		if (!*bytes)
			return diag_set(d, DIAG_ENV, "out of memory for %s", path);
		memcpy(*bytes, c->files[i].bytes, *size);
		(*bytes)[*size] = 0;
		return true;
	}
	return diag_set(d, DIAG_ENV, "%s is not among the %zu files that came with the program", path, c->nfiles);
}

bool read_file(const struct wb_config *c, struct files *f, struct arena *a, const char *path, uint8_t **bytes,
	       size_t *size, struct diag *d)
{
	bool given = c && c->files;

	if (given ? !from_caller(c, a, path, bytes, size, d) : !from_host(a, path, bytes, size, d))
		return false;
	return files_note(f, a, path, *bytes, *size) || diag_set(d, DIAG_ENV, "out of memory");
}
