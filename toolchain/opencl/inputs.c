/* A record is a line for each file: the SHA-256 of its bytes, or ABSENT, a space and the name; an empty line ends it.
 * Names come from the line markers of the preprocessed text (# LINE "NAME" FLAGS). */
#include "toolchain/opencl/inputs.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/child.h"
#include "core/base/sha256.h"

enum { DIGITS = 2 * SHA256_BYTES, FILES_MAX = 256 };
#define ABSENT "-"

struct names {
	struct arena *arena;
	const char *name[FILES_MAX];
	size_t n;
	bool failed;
};

static void add_name(struct names *to, const char *name, size_t n)
{
	char *copy;

	for (size_t i = 0; i < to->n; i++)
		if (!strncmp(to->name[i], name, n) && !to->name[i][n])
			return;
	copy = to->n < FILES_MAX ? arena_alloc(to->arena, n + 1, 1) : NULL;
	to->failed |= !copy;
	if (!copy)
		return;
	memcpy(copy, name, n);
	copy[n] = '\0';
	to->name[to->n++] = copy;
}

/* The names of the text's line markers, but for the compiler's own (<built-in>) and the source's. */
static void find_names(struct names *to, const char *source, const char *text, size_t size)
{
	const char *end = text + size, *close;

	for (const char *line = text; line && line < end; line = memchr(line, '\n', (size_t)(end - line))) {
		line += *line == '\n';
		if (end - line < 3 || line[0] != '#' || line[1] != ' ' || line[2] < '0' || line[2] > '9')
			continue;
		const char *stop = memchr(line, '\n', (size_t)(end - line)), *open;
		stop = stop ? stop : end;
		open = memchr(line, '"', (size_t)(stop - line));
		close = open ? memchr(open + 1, '"', (size_t)(stop - open - 1)) : NULL;
		if (!close)
			continue;
		open++;
		if (memchr(open, '\\', (size_t)(close - open)))
			to->failed = true;      /* an escaped name */
		else if (close > open && *open != '<' &&
			 (strncmp(open, source, (size_t)(close - open)) || source[close - open]))
			add_name(to, open, (size_t)(close - open));
	}
}

/* ---- files ---- */

bool opencl_inputs_change(const char *text, size_t size)
{
	static const char *const words[] = { "__DATE__", "__TIME", "__has_include", "__has_embed", NULL };

	for (const char *const *word = words; *word; word++)
		if (memmem(text, size, *word, strlen(*word)))
			return true;
	return false;
}

/* ---- sources without other files ---- */

/* Whether a line goes on behind a backslash within a word, which no search for words finds. */
static bool splits_word(const char *text, size_t size)
{
	const char *end = text + size;

	for (const char *p = text; (p = memchr(p, '\\', (size_t)(end - p))); p++) {
		const char *next = p + 1;
		while (next < end && isspace((unsigned char)*next) && *next != '\n')
			next++;
		if (next < end && *next == '\n' && p > text && !isspace((unsigned char)p[-1]) &&
		    next + 1 < end && !isspace((unsigned char)next[1]))
			return true;
	}
	return false;
}

struct child_text opencl_alone(struct arena *a, const struct child_text *source, const char *defines)
{
	static const char *const words[] = { "include", "import", "embed", "asm", "##", "%:", "?" "?", NULL };
	size_t n = strlen(defines);
	char *text = arena_alloc(a, source->size + n + 2, 1);

	if (!text)
		return (struct child_text){ NULL, 0 };
	memcpy(text, source->bytes, source->size);
	text[source->size] = '\n';
	memcpy(text + source->size + 1, defines, n + 1);
	n += source->size + 1;
	for (const char *const *word = words; *word; word++)
		if (memmem(text, n, *word, strlen(*word)))
			return (struct child_text){ NULL, 0 };
	if (splits_word(text, n) || opencl_inputs_change(text, n))
		return (struct child_text){ NULL, 0 };
	return (struct child_text){ text, n };
}

/* ---- states of files ---- */

/* The SHA-256 of a regular file, or ABSENT. False: the file cannot be read. *changing: opencl_inputs_change. */
static bool state_of(const char *name, char state[DIGITS + 1], bool *changing)
{
	int fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	uint8_t hash[SHA256_BYTES];
	struct child_text t = { NULL, 0 };
	struct sha256 s;
	struct stat f;
	bool ok;

	strcpy(state, ABSENT);
	*changing = false;
	if (fd < 0)
		return access(name, F_OK) != 0;
	ok = !fstat(fd, &f) && S_ISREG(f.st_mode) && child_slurp(fd, &t);
	close(fd);
	if (ok) {
		*changing = opencl_inputs_change(t.bytes, t.size);
		sha256_begin(&s);
		sha256_add(&s, t.bytes, t.size);
		sha256_end(&s, hash);
		for (int i = 0; i < SHA256_BYTES; i++)
			sprintf(state + 2 * i, "%02x", hash[i]);
	}
	free(t.bytes);
	return ok;
}

/* ---- where else a header would be found ---- */

static void add_folder_of(struct names *to, const char *name)
{
	const char *slash = strrchr(name, '/');

	add_name(to, slash ? name : ".", slash ? (size_t)(slash - name) + !(slash - name) : 1);
}

/* The part of a name behind a folder; NULL: the name is not of the folder. */
static const char *behind(const char *name, const char *folder)
{
	size_t n = strlen(folder);

	if (!strcmp(folder, ".") && !strchr(name, '/'))
		return name;
	return !strncmp(name, folder, n) && name[n] == '/' ? name + n + 1 : NULL;
}

/* Names without a file, in the folders of the search: a new file of such a name could come before a file of `read`. */
static void find_absent(struct names *to, const struct names *read, const struct names *folders)
{
	char name[4096];

	for (size_t i = 0; i < read->n; i++)
		for (size_t k = 0; k < folders->n; k++) {
			const char *rest = behind(read->name[i], folders->name[k]);
			for (size_t f = 0; rest && f < folders->n; f++) {
				int n = snprintf(name, sizeof name, "%s/%s", folders->name[f], rest);
				if (n >= (int)sizeof name)
					to->failed = true;
				else if (access(name, F_OK))
					add_name(to, name, (size_t)n);
			}
		}
}

/* ---- records ---- */

char *opencl_inputs(struct arena *a, const struct opencl_source *source, const char *preprocessed, size_t size)
{
	struct names read = { .arena = a }, folders = { .arena = a }, absent = { .arena = a };
	size_t bytes = 2;
	char *record, *p;

	find_names(&read, source->name, preprocessed, size);
	add_folder_of(&folders, source->name);
	for (size_t i = 0; i < source->nfolders; i++)
		add_name(&folders, source->folders[i], strlen(source->folders[i]));
	for (size_t i = 0; i < read.n; i++)
		add_folder_of(&folders, read.name[i]);
	find_absent(&absent, &read, &folders);
	for (size_t i = 0; i < read.n; i++)
		bytes += DIGITS + strlen(read.name[i]) + 2;
	for (size_t i = 0; i < absent.n; i++)
		bytes += sizeof ABSENT + strlen(absent.name[i]) + 2;
	if (read.failed || folders.failed || absent.failed || opencl_inputs_change(source->text, source->size) ||
	    !(p = record = arena_alloc(a, bytes, 1)))
		return NULL;
	for (size_t i = 0; i < read.n; i++) {
		char state[DIGITS + 1];
		bool changing;
		if (!state_of(read.name[i], state, &changing) || changing)
			return NULL;
		p += sprintf(p, "%s %s\n", state, read.name[i]);
	}
	for (size_t i = 0; i < absent.n; i++)
		p += sprintf(p, ABSENT " %s\n", absent.name[i]);
	strcpy(p, "\n");
	return record;
}

bool opencl_inputs_same(const char *text, size_t size, size_t *length)
{
	const char *end = text + size;

	for (const char *line = text, *stop; line < end; line = stop + 1) {
		char name[4096], state[DIGITS + 1];
		const char *space;
		bool changing;
		stop = memchr(line, '\n', (size_t)(end - line));
		if (!stop)
			return false;
		if (stop == line) {
			*length = (size_t)(stop - text) + 1;
			return true;
		}
		space = memchr(line, ' ', (size_t)(stop - line));
		if (!space || stop - space > (ptrdiff_t)sizeof name)
			return false;
		sprintf(name, "%.*s", (int)(stop - space - 1), space + 1);
		if (!state_of(name, state, &changing) || strlen(state) != (size_t)(space - line) ||
		    memcmp(state, line, strlen(state)))
			return false;
	}
	return false;
}
