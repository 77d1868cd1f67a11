/* Reads a trace file: two lines of header, the files of the run, then chunk by chunk, each decoded by the library
 * (wb_events_open). Sizes in the file are not trusted: memory grows with the bytes read. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>
#include <zlib.h>

#include "frontends/trace/file.h"

enum { CHUNK_MAX = 1 << 24, HEADER_MAX = 1 << 28 };

enum wb_status trace_refuse(struct wb_diag *d, enum wb_status status, const char *path, const char *fmt, ...)
{
	va_list ap;
	*d = (struct wb_diag){.status = status, .offset = -1};
	snprintf(d->file, sizeof d->file, "%s", path);
	va_start(ap, fmt);
	vsnprintf(d->text, sizeof d->text, fmt, ap);
	va_end(ap);
	return status;
}

/* False: the file ends or is damaged before n bytes. */
static bool get(gzFile f, void *out, size_t n)
{
	char *p = out;
	for (size_t part; n; p += part, n -= part) {
		part = n < PART_MAX ? n : PART_MAX;
		if (gzread(f, p, (unsigned)part) != (int)part)
			return false;
	}
	return true;
}

static char *read_line(gzFile f)
{
	size_t n = 0, cap = 0;
	char *line = NULL;
	do {
		if (n + 2 > cap) {
			char *grown = cap < HEADER_MAX ? realloc(line, cap = 2 * cap + 4096) : NULL;
			if (!grown)
				break;
			line = grown;
		}
		if (!gzgets(f, line + n, (int)(cap - n)))
			break;
		n += strlen(line + n);
		if (n && line[n - 1] == '\n')
			return line;
	} while (n + 1 == cap);
	free(line);
	return NULL;
}

/* ---- the header ---- */

static char *clean_copy(const char *text)
{
	size_t n = strlen(text), length = wb_clean(text, n, "", NULL, 0);
	char *copy = malloc(length + 1);
	if (copy)
		wb_clean(text, n, "", copy, length + 1);
	return copy;
}

static char *copy(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? clean_copy(text) : NULL;
}

static uint32_t number(const json_t *o, const char *key)
{
	return (uint32_t)json_integer_value(json_object_get(o, key));
}

static bool read_code(struct trace *t, const json_t *code)
{
	const json_t *row;
	size_t i;
	t->code = calloc(json_array_size(code) + 1, sizeof *t->code);
	if (!t->code)
		return false;
	json_array_foreach(code, i, row)
		t->code[t->ncode++] = (struct trace_code){number(row, "pc"), copy(row, "text"), copy(row, "label")};
	return true;
}

static bool read_options(struct trace *t, json_t *options)
{
	const char *name;
	json_t *value;
	t->options = calloc(json_object_size(options) + 1, sizeof *t->options);
	if (!t->options)
		return false;
	json_object_foreach(options, name, value) {
		if (!json_is_string(value))
			return false;
		t->options[t->noptions++] = (struct trace_option){
			clean_copy(name), clean_copy(json_string_value(value))};
	}
	return true;
}

static bool read_args(struct trace *t, const json_t *args)
{
	const json_t *arg;
	size_t i;
	t->args = calloc(json_array_size(args) + 1, sizeof *t->args);
	if (!t->args)
		return false;
	json_array_foreach(args, i, arg) {
		if (!json_is_string(arg))
			return false;
		t->args[i] = clean_copy(json_string_value(arg));
	}
	return true;
}

/* Memory grows with the bytes read, so that a damaged size does no harm. */
static void *read_bytes(gzFile f, size_t n)
{
	size_t have = 0;
	char *bytes = malloc(1);
	while (bytes && have < n) {
		size_t more = n - have < have + PART_MAX ? n - have : have + PART_MAX;
		char *grown = realloc(bytes, have + more);
		if (!grown || !get(f, grown + have, more)) {
			free(grown ? grown : bytes);
			return NULL;
		}
		bytes = grown;
		have += more;
	}
	return bytes;
}

static bool read_files(struct trace *t, const json_t *files)
{
	const json_t *row;
	size_t i;
	t->files = calloc(json_array_size(files) + 1, sizeof *t->files);
	if (!t->files || !json_array_size(files))
		return false;
	json_array_foreach(files, i, row) {
		struct wb_file *f = &t->files[i];
		f->name = copy(row, "name");
		f->size = (size_t)json_integer_value(json_object_get(row, "bytes"));
		f->bytes = f->name ? read_bytes(t->file, f->size) : NULL;
		t->nfiles = i + 1;
		if (!f->bytes)
			return false;
	}
	return true;
}

static bool read_header(struct trace *t, const json_t *o)
{
	t->kernel = copy(o, "kernel");
	t->mps = number(o, "mps");
	t->slots = number(o, "slots");
	t->lanes = number(o, "lanes");
	t->issue_cycles = number(o, "issue_cycles");
	t->writer = copy(o, "writer");
	t->in = copy(o, "in");
	if (!t->kernel || !t->mps || t->mps > 1024 || !t->slots || t->slots > 64 || !t->lanes || t->lanes > 64 ||
	    !read_code(t, json_object_get(o, "code")))
		return false;
	return t->version == 1 || (read_options(t, json_object_get(o, "options")) &&
				   read_args(t, json_object_get(o, "args")) &&
				   read_files(t, json_object_get(o, "files")));
}

/* The version in the first line, of a trace or of a saved run; 0: neither. */
static int read_version(gzFile f, bool *saved)
{
	char line[32];
	int version, end = 0;
	if (!gzgets(f, line, sizeof line))
		return 0;
	*saved = !strncmp(line, SAVED_NAME, sizeof SAVED_NAME - 1);
	if (sscanf(line, *saved ? SAVED_NAME " %d%n" : TRACE_NAME " %d%n", &version, &end) != 1 ||
	    line[end] != '\n' || version < 1)
		return 0;
	return version;
}

/* Whether zlib could not read on for want of memory. */
static bool lacks_memory(gzFile f)
{
	int error;
	gzerror(f, &error);
	return error == Z_MEM_ERROR;
}

static bool is_packed(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char head[2];
	bool is = fd >= 0 && read(fd, head, 2) == 2 && !memcmp(head, "\37\213", 2);
	if (fd >= 0)
		close(fd);
	return is;
}

/* Whether the file begins with a name of n bytes; of a packed file also where the host lacks the memory to know, as
 * opening the file then says. */
static bool begins(const char *path, const char *name, size_t n)
{
	char head[sizeof TRACE_NAME];
	struct stat about;
	/* Bytes of a pipe can be read once only. */
	gzFile f = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? gzopen(path, "rb") : NULL;
	bool is = f && get(f, head, n) && !memcmp(head, name, n);
	bool unknown = f ? lacks_memory(f) : errno == ENOMEM;
	if (f)
		gzclose(f);
	return is || (unknown && is_packed(path));
}

bool saved_sniff(const char *path)
{
	return begins(path, SAVED_NAME, sizeof SAVED_NAME - 1);
}

bool trace_sniff(const char *path)
{
	return begins(path, TRACE_NAME, sizeof TRACE_NAME - 1) || saved_sniff(path);
}

/* The state of a saved run, which ends the file; zlib compares the checksum of all. */
static bool read_saved(struct trace *t, const json_t *o)
{
	char beyond;
	int error;
	t->saved.size = (size_t)json_integer_value(json_object_get(o, "bytes"));
	t->saved.instructions = (uint64_t)json_integer_value(json_object_get(o, "instructions"));
	t->saved.blocks = (uint64_t)json_integer_value(json_object_get(o, "blocks"));
	t->saved.all_blocks = (uint64_t)json_integer_value(json_object_get(o, "all_blocks"));
	t->saved.bytes = t->saved.size ? read_bytes(t->file, t->saved.size) : NULL;
	bool over = t->saved.bytes && gzread(t->file, &beyond, 1) == 0;
	gzerror(t->file, &error);
	return over && error == Z_OK;
}

/* The first line: the version of a trace or of a saved run, which this release reads. */
static enum wb_status take_version(const char *path, struct trace *t, bool *is_saved, struct wb_diag *d)
{
	bool saved = false;
	t->version = read_version(t->file, &saved);
	if (!t->version && lacks_memory(t->file))
		return trace_refuse(d, WB_ENV, path, "out of memory");
	if (!t->version)
		return trace_refuse(d, WB_INPUT, path,
				    "is no trace, as `warpbeam run FILE --trace OUT` writes one: expected the line \""
				    TRACE_NAME " %d\"", TRACE_VERSION);
	if (saved && t->version != SAVED_VERSION)
		return trace_refuse(d, WB_INPUT, path,
				    "is a saved run in form %d; expected form %d, which this version reads: go on with "
				    "the Warpbeam that saved it, or run the program again", t->version, SAVED_VERSION);
	if (saved)
		t->version = TRACE_VERSION;
	if (t->version > TRACE_VERSION)
		return trace_refuse(d, WB_INPUT, path,
				    "is a trace of version %d; expected 1 to %d, which this release reads", t->version,
				    TRACE_VERSION);
	*is_saved = saved;
	return WB_OK;
}

enum wb_status trace_open_any(const char *path, struct trace *t, struct wb_diag *d)
{
	bool saved = false;
	*t = (struct trace){0};
	int fd = wb_input_open(path, d);
	if (fd < 0)
		return d->status;
	t->file = gzdopen(fd, "rb");
	if (!t->file) {
		close(fd);
		return trace_refuse(d, WB_ENV, path, "out of memory");
	}
	enum wb_status status = take_version(path, t, &saved, d);
	if (status != WB_OK)
		return status;
	char *line = read_line(t->file);
	json_t *o = line ? json_loads(line, 0, NULL) : NULL;
	bool ok = o && read_header(t, o) && (!saved || read_saved(t, json_object_get(o, "saved")));
	json_decref(o);
	free(line);
	if (ok)
		return WB_OK;
	if (lacks_memory(t->file))
		return trace_refuse(d, WB_ENV, path, "out of memory");
	return trace_refuse(d, WB_INPUT, path, saved ? "the saved run ends early or is damaged"
			    : "the trace ends early or is damaged: its header is not whole");
}

enum wb_status trace_open(const char *path, struct trace *t, struct wb_diag *d)
{
	enum wb_status status = trace_open_any(path, t, d);
	if (status != WB_OK || !t->saved.bytes)
		return status;
	return trace_refuse(d, WB_INPUT, path, "is a saved run, which has no events; expected a trace, as `warpbeam "
			    "run FILE --trace OUT` writes one");
}

bool trace_of_launch(struct trace *t, const struct wb_launch *l, const char *kernel)
{
	struct wb_machine m;
	struct wb_code code;
	size_t n = 0;

	wb_launch_machine(l, &m);
	for (uint32_t pc = 0; wb_launch_code(l, pc, &code); pc += code.length)
		n++;
	*t = (struct trace){.version = TRACE_VERSION, .kernel = strdup(kernel), .mps = m.mps, .slots = m.slots,
			    .lanes = m.lanes, .issue_cycles = m.issue_cycles, .code = calloc(n + 1, sizeof *t->code)};
	for (uint32_t pc = 0; t->code && t->ncode < n && wb_launch_code(l, pc, &code); pc += code.length)
		t->code[t->ncode++] = (struct trace_code){
			pc, strdup(code.text), code.label ? strdup(code.label) : NULL};
	return t->kernel && t->code;
}

void trace_close(struct trace *t)
{
	for (size_t i = 0; i < t->ncode; i++) {
		free(t->code[i].text);
		free(t->code[i].label);
	}
	for (size_t i = 0; i < t->nfiles; i++) {
		free((char *)t->files[i].name);
		free((void *)t->files[i].bytes);
	}
	for (size_t i = 0; i < t->noptions; i++) {
		free(t->options[i].name);
		free(t->options[i].value);
	}
	for (char **arg = t->args; arg && *arg; arg++)
		free(*arg);
	char *const owned[] = {(char *)t->code,   (char *)t->files, (char *)t->options, (char *)t->args, t->kernel,
			       t->writer, t->in, t->result, t->digest, t->chunk,
			       t->saved.bytes};
	for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
		free(owned[i]);
	wb_events_close(t->events);
	if (t->file)
		gzclose(t->file);
	*t = (struct trace){0};
}

/* ---- events ---- */

static bool damaged(const struct trace *t, struct wb_diag *d, const char *how)
{
	if (lacks_memory(t->file))
		trace_refuse(d, WB_ENV, "", "out of memory");
	else
		trace_refuse(d, WB_INPUT, "", "%s", how);
	return false;
}

/* The end behind the last event; the checksum of all shows otherwise invisible damage. */
static bool read_end(struct trace *t)
{
	char *line = t->version > 1 ? read_line(t->file) : NULL, beyond;
	json_t *o = line ? json_loads(line, 0, NULL) : NULL;
	int error;
	free(t->result);
	free(t->digest);
	t->result = copy(o, "result");
	t->digest = copy(o, "digest");
	json_decref(o);
	free(line);
	bool over = gzread(t->file, &beyond, 1) == 0;
	gzerror(t->file, &error);
	return over && error == Z_OK && (t->version == 1 || (t->result && t->digest));
}

/* The next chunk; false: the end, or damage. */
static bool next_chunk(struct trace *t, struct wb_diag *d)
{
	struct chunk_head h;
	wb_events_close(t->events);
	free(t->chunk);
	t->events = NULL;
	t->chunk = NULL;
	bool ok = get(t->file, &h, sizeof h) && h.size <= CHUNK_MAX;
	if (ok && !h.size)
		ok = read_end(t);
	if (!ok)
		return damaged(t, d, "the trace ends early or is damaged: its end is missing");
	if (!h.size)
		return false;
	t->chunk = malloc(h.size);
	if (!t->chunk || !get(t->file, t->chunk, h.size))
		return damaged(t, d, "the trace ends early or is damaged: a chunk is not whole");
	t->events = wb_events_open(t->chunk, h.size);
	if (!t->events)
		trace_refuse(d, WB_ENV, "", "out of memory");
	return t->events;
}

bool trace_next(struct trace *t, struct wb_event *e, struct wb_diag *d)
{
	bool bad = false;
	*d = (struct wb_diag){.status = WB_OK, .offset = -1};
	while (!t->events || !wb_events_next(t->events, e, &bad)) {
		if (bad)
			return damaged(t, d, "a chunk of the trace is damaged");
		if (!next_chunk(t, d))
			return false;
	}
	if (e->mp < t->mps && e->slot < t->slots)
		return true;
	return damaged(t, d, "an event of the trace names a slot that its machine does not have");
}

const struct trace_code *trace_at(const struct trace *t, uint32_t pc)
{
	size_t low = 0, high = t->ncode;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (t->code[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->ncode && t->code[low].pc == pc ? &t->code[low] : NULL;
}

const char *trace_label(const struct trace *t, uint32_t pc, uint32_t *at)
{
	const char *label = NULL;
	for (size_t i = 0; i < t->ncode && t->code[i].pc <= pc; i++)
		if (t->code[i].label) {
			label = t->code[i].label;
			*at = t->code[i].pc;
		}
	return label;
}
