#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <zlib.h>

#include "frontends/trace/trace.h"

static const char magic[] = "warpbeam-trace 1\n";
enum { CHUNK_MAX = 1 << 24 };

static enum wb_status refuse(struct wb_diag *d, enum wb_status status, const char *path, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static enum wb_status refuse(struct wb_diag *d, enum wb_status status, const char *path, const char *fmt, ...)
{
	va_list ap;
	*d = (struct wb_diag){.status = status, .offset = -1};
	snprintf(d->file, sizeof d->file, "%s", path);
	va_start(ap, fmt);
	vsnprintf(d->text, sizeof d->text, fmt, ap);
	va_end(ap);
	return status;
}

/* ---- writing ---- */

struct trace_writer {
	gzFile file;
	bool bad;
};

/* What precedes the bytes of a chunk; all little-endian. size 0 ends the file. */
struct chunk_head { uint64_t size, events, first_cycle, last_cycle; };

static void put(struct trace_writer *w, const void *bytes, size_t n)
{
	if (n && gzwrite(w->file, bytes, (unsigned)n) != (int)n)
		w->bad = true;
}

static void put_chunk(void *context, const struct wb_chunk *c)
{
	struct chunk_head h = {c->size, c->events, c->first_cycle, c->last_cycle};
	put(context, &h, sizeof h);
	put(context, c->bytes, c->size);
}

static json_t *code_of(const struct wb_launch *l)
{
	json_t *list = json_array();
	struct wb_code code;
	for (uint32_t pc = 0; wb_launch_code(l, pc, &code); pc += code.length) {
		json_t *row = json_pack("{s:i, s:s}", "pc", (int)pc, "text", code.text);
		if (code.label)
			json_object_set_new(row, "label", json_string(code.label));
		json_array_append_new(list, row);
	}
	return list;
}

static char *header(const struct wb_launch *l, const char *kernel)
{
	struct wb_machine m;
	json_t *reasons = json_array(), *o;
	wb_launch_machine(l, &m);
	for (unsigned i = 0; wb_reason(i); i++)
		json_array_append_new(reasons, json_string(wb_reason(i)));
	o = json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:o, s:o}", "schema", "warpbeam.trace/1", "kernel", kernel, "mps",
		      (int)m.mps, "slots", (int)m.slots, "lanes", (int)m.lanes, "issue_cycles", (int)m.issue_cycles,
		      "reasons", reasons, "code", code_of(l));
	char *text = json_dumps(o, JSON_COMPACT | JSON_PRESERVE_ORDER);
	json_decref(o);
	return text;
}

enum wb_status trace_create(const char *path, struct wb_launch *l, const char *kernel, struct trace_writer **out,
			    struct wb_diag *d)
{
	struct trace_writer *w = calloc(1, sizeof *w);
	if (!w)
		return refuse(d, WB_ENV, path, "out of memory");
	w->file = gzopen(path, "wb6");
	enum wb_status status = w->file ? wb_launch_record(l, 0, put_chunk, w, d)
					: refuse(d, WB_ENV, path, "cannot write: %s", strerror(errno));
	char *text = status == WB_OK ? header(l, kernel) : NULL;
	if (status != WB_OK) {
		if (w->file)
			gzclose(w->file);
		free(w);
		return status;
	}
	put(w, magic, sizeof magic - 1);
	put(w, text, text ? strlen(text) : 0);
	put(w, "\n", 1);
	free(text);
	*out = w;
	return WB_OK;
}

bool trace_finish(struct trace_writer *w)
{
	put(w, &(struct chunk_head){0, 0, 0, 0}, sizeof(struct chunk_head));
	bool ok = gzclose(w->file) == Z_OK && !w->bad;
	free(w);
	return ok;
}

/* ---- reading ---- */

static char *read_line(gzFile f)
{
	size_t n = 0, cap = 0;
	char *line = NULL;
	do {
		if (n + 2 > cap)
			line = realloc(line, cap = 2 * cap + 4096);
		if (!line || !gzgets(f, line + n, (int)(cap - n))) {
			free(line);
			return NULL;
		}
		n += strlen(line + n);
	} while (line[n - 1] != '\n');
	return line;
}

static char *copy(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? strdup(text) : NULL;
}

static uint32_t number(const json_t *o, const char *key)
{
	return (uint32_t)json_integer_value(json_object_get(o, key));
}

static bool read_header(struct trace *t, const json_t *o)
{
	const json_t *code = json_object_get(o, "code"), *row;
	size_t i;
	t->kernel = copy(o, "kernel");
	t->mps = number(o, "mps");
	t->slots = number(o, "slots");
	t->lanes = number(o, "lanes");
	t->issue_cycles = number(o, "issue_cycles");
	t->code = calloc(json_array_size(code) + 1, sizeof *t->code);
	json_array_foreach(code, i, row)
		t->code[t->ncode++] = (struct trace_code){number(row, "pc"), copy(row, "text"), copy(row, "label")};
	return t->kernel && t->code && t->mps && t->mps <= 1024 && t->slots && t->slots <= 64 && t->lanes &&
	       t->lanes <= 64;
}

enum wb_status trace_open(const char *path, struct trace *t, struct wb_diag *d)
{
	char head[sizeof magic] = "";
	*t = (struct trace){0};
	t->file = gzopen(path, "rb");
	if (!t->file)
		return refuse(d, WB_ENV, path, "cannot open: %s", strerror(errno));
	if (gzread(t->file, head, sizeof magic - 1) != (int)sizeof magic - 1 || memcmp(head, magic, 15))
		return refuse(d, WB_INPUT, path, "is no trace: expected \"warpbeam-trace\"");
	if (memcmp(head, magic, sizeof magic - 1))
		return refuse(d, WB_INPUT, path, "is a trace of another version; expected version %d", TRACE_VERSION);
	char *line = read_line(t->file);
	json_t *o = line ? json_loads(line, 0, NULL) : NULL;
	bool ok = o && read_header(t, o);
	json_decref(o);
	free(line);
	return ok ? WB_OK : refuse(d, WB_INPUT, path, "the trace's header is damaged");
}

void trace_close(struct trace *t)
{
	for (size_t i = 0; i < t->ncode; i++) {
		free(t->code[i].text);
		free(t->code[i].label);
	}
	free(t->code);
	free(t->kernel);
	free(t->chunk);
	wb_events_close(t->events);
	if (t->file)
		gzclose(t->file);
	*t = (struct trace){0};
}

/* The next chunk; false: the end mark, or damage. */
static bool next_chunk(struct trace *t, struct wb_diag *d)
{
	struct chunk_head h;
	wb_events_close(t->events);
	free(t->chunk);
	t->events = NULL;
	t->chunk = NULL;
	if (gzread(t->file, &h, sizeof h) != (int)sizeof h || h.size > CHUNK_MAX)
		return refuse(d, WB_INPUT, "", "the trace ends early or is damaged: its end mark is missing") == WB_OK;
	if (!h.size)
		return false;
	t->chunk = malloc(h.size);
	if (!t->chunk || gzread(t->file, t->chunk, (unsigned)h.size) != (int)h.size)
		return refuse(d, WB_INPUT, "", "the trace ends within a chunk") == WB_OK;
	t->events = wb_events_open(t->chunk, h.size);
	return t->events != NULL;
}

bool trace_next(struct trace *t, struct wb_event *e, struct wb_diag *d)
{
	bool bad = false;
	*d = (struct wb_diag){.status = WB_OK, .offset = -1};
	while (!t->events || !wb_events_next(t->events, e, &bad)) {
		if (bad)
			return refuse(d, WB_INPUT, "", "a chunk of the trace is damaged") == WB_OK;
		if (!next_chunk(t, d))
			return false;
	}
	if (e->mp < t->mps && e->slot < t->slots)
		return true;
	return refuse(d, WB_INPUT, "", "an event of the trace names a slot that its machine does not have") == WB_OK;
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

/* ---- lines by time ---- */

void timeline_add(struct timeline *t, uint64_t cycle, const char *fmt, ...)
{
	va_list ap;
	char *text = NULL;
	if (t->n == t->cap) {
		size_t cap = 2 * t->cap + 1024;
		struct timed *grown = realloc(t->line, cap * sizeof *grown);
		if (!grown)
			return;
		t->line = grown;
		t->cap = cap;
	}
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	t->line[t->n] = (struct timed){cycle, t->n, text};
	t->n++;
}

static int by_time(const void *a, const void *b)
{
	const struct timed *s = a, *t = b;
	if (s->cycle != t->cycle)
		return s->cycle < t->cycle ? -1 : 1;
	return (s->order > t->order) - (s->order < t->order);
}

void timeline_sort(struct timeline *t)
{
	if (t->n)
		qsort(t->line, t->n, sizeof *t->line, by_time);
}

void timeline_free(struct timeline *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->line[i].text);
	free(t->line);
}
