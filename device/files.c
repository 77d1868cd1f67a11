/* Files come from the host or, if the configuration brings files, from the configuration alone: a run from a trace
 * reads nothing else. A note of each file read is appended to a list in the caller's arena, in the order of reading. */
#include "device/files.h"

#include <stdlib.h>
#include <string.h>

#include "device/config.h"
#include "core/base/text.h"
#include "host/output.h"
#include "inspect/public_diag.h"

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

unsigned files_count(const struct files *f)
{
	unsigned n = 0;

	for (const struct file_note *note = f->first_note; note; note = note->next)
		n++;
	return n;
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

uint64_t memory_asked(const struct wb_config *c)
{
	int64_t asked = config_number(c, OPT_MAX_MEMORY);

	return !config_given(c, OPT_MAX_MEMORY) ? MEMORY_HALF : asked == NUMBER_NONE ? MEMORY_UNLIMITED :
							       (uint64_t)asked;
}

uint64_t memory_limit(const struct wb_config *c)
{
	return memory_bound(memory_asked(c));
}

bool memory_allows(const struct wb_config *c, uint64_t bytes, uint64_t *most)
{
	return memory_within(memory_asked(c), bytes, most);
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
	return host_is_below(program, path, d);
}

/* ---- reading ---- */

static bool out_of_memory(struct diag *d, const char *path)
{
	diag_set(d, DIAG_ENV, "out of memory");
	return diag_in_file(d, path);
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

	if (given ? !from_caller(c, a, path, bytes, size, d) : !host_read(a, path, memory_limit(c) / 2, bytes, size, d))
		return false;
	return files_note(f, a, path, *bytes, *size) || diag_set(d, DIAG_ENV, "out of memory");
}

/* ---- the caller's own files ---- */

struct wb_output {
	struct output file;
};

int wb_input_open(const char *path, struct wb_diag *wd)
{
	struct diag d = { 0 };
	int fd = input_open(path, &d);

	if (fd < 0)
		public_diag(wd, &d);
	return fd;
}

struct wb_output *wb_output_open(const char *path, struct wb_diag *wd)
{
	struct diag d = { 0 };
	struct wb_output *o = malloc(sizeof *o);

	if (o ? output_open(&o->file, path, &d) : out_of_memory(&d, path))
		return o;
	public_diag(wd, &d);
	free(o);
	return NULL;
}

int wb_output_fd(const struct wb_output *o)
{
	return o->file.fd;
}

enum wb_status wb_output_close(struct wb_output *o, bool whole, struct wb_diag *wd)
{
	struct diag d = { 0 };
	bool ok = !o || output_close(&o->file, whole, &d);

	free(o);
	return ok ? WB_OK : public_diag(wd, &d);
}

enum wb_status wb_output_all(const char *path, const void *bytes, size_t n, struct wb_diag *wd)
{
	struct diag d = { 0 };

	return output_all(path, bytes, n, &d) ? WB_OK : public_diag(wd, &d);
}
