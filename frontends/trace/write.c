/* Recording a launch into a trace file. A launch may begin again, which voids all events so far: the file is then begun
 * again as well. A pipe or a terminal, which cannot begin again, gets the bytes from a temporary file at the end of the
 * run. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>
#include <zlib.h>

#include "frontends/trace/file.h"
#include "frontends/trace/json_text.h"

struct trace_writer {
	gzFile file;
	struct wb_output *out;
	FILE *spool;            /* NULL: `file` is the output itself */
	const char *path;       /* the caller's, as are the members below */
	const struct wb_launch *launch;
	struct trace_source from;
	bool bad;
};

static void put(struct trace_writer *w, const void *bytes, size_t n)
{
	const char *p = bytes;
	for (size_t part; n; p += part, n -= part) {
		part = n < PART_MAX ? n : PART_MAX;
		if (gzwrite(w->file, p, (unsigned)part) != (int)part)
			w->bad = true;
	}
}

static void put_json(struct trace_writer *w, json_t *o)
{
	char *text = o ? json_dumps(o, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
	w->bad |= !text;
	put(w, text, text ? strlen(text) : 0);
	put(w, "\n", 1);
	free(text);
	json_decref(o);
}

/* How much zlib compresses: against its default, a recorded run of collatz takes 0.41 of the time and its file is
 * 1.13 times as large (time build/frontends/cli/warpbeam run examples/collatz.s --grid 512 --arg zero=131072 --mps 8
 * --trace FILE: 0.44 s, 4.2 MB; at level 6 1.07 s, 3.7 MB). */
#define LEVEL "wb3"

static void begin(struct trace_writer *w);

/* False: the host refuses, and errno says why. */
static bool open_file(struct trace_writer *w)
{
	int fd = w->spool ? fileno(w->spool) : wb_output_fd(w->out);
	int copy = lseek(fd, 0, SEEK_SET) || ftruncate(fd, 0) ? -1 : dup(fd);
	w->file = copy < 0 ? NULL : gzdopen(copy, LEVEL);
	if (!w->file && copy >= 0)
		close(copy);
	return w->file;
}

static void begin_again(struct trace_writer *w)
{
	gzclose(w->file);
	w->bad = !open_file(w);
	if (w->file)
		begin(w);
}

void trace_chunk(struct trace_writer *w, const struct wb_chunk *c)
{
	if (!c->bytes) {
		begin_again(w);
		return;
	}
	struct chunk_head h = {c->size, c->events, c->first_cycle, c->last_cycle};
	put(w, &h, sizeof h);
	put(w, c->bytes, c->size);
}

/* ---- the header ---- */

static json_t *code_of(const struct wb_launch *l)
{
	json_t *list = json_array();
	struct wb_code code;
	for (uint32_t pc = 0; wb_launch_code(l, pc, &code); pc += code.length) {
		json_t *row = json_pack("{s:i, s:o}", "pc", (int)pc, "text", json_text(code.text));
		if (code.label)
			json_object_set_new(row, "label", json_text(code.label));
		json_array_append_new(list, row);
	}
	return list;
}

static json_t *texts(const char *const *list)
{
	json_t *a = json_array();
	for (; list && *list; list++)
		json_array_append_new(a, json_text(*list));
	return a;
}

static bool is_of_host(const char *name)
{
	static const char *const names[] = {"simd", "in-order", "kernel", "max-memory", "max-seconds"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Options set by the user, without the host's own. */
static json_t *options_of(struct wb_config *c)
{
	json_t *o = json_object();
	const struct wb_option_info *info;
	for (unsigned i = 0; (info = wb_option(i)); i++)
		if (wb_config_given(c, info->name) && !is_of_host(info->name))
			json_object_set_new(o, info->name, json_text(wb_config_get(c, info->name)));
	return o;
}

/* The index-th input file of the run; the program is the first. */
static bool file_of(const struct wb_launch *l, const struct trace_source *from, unsigned index, struct wb_file *out)
{
	for (unsigned i = 0; wb_program_file(from->program, i, out); i++)
		if (!index--)
			return true;
	for (unsigned i = 0; wb_launch_file(l, i, out); i++)
		if (!index--)
			return true;
	if (index < from->nfiles) {
		*out = from->files[index];
		return true;
	}
	*out = from->in;
	return index == from->nfiles && from->in.name;
}

static json_t *files_of(const struct wb_launch *l, const struct trace_source *from)
{
	json_t *a = json_array();
	struct wb_file f;
	for (unsigned i = 0; file_of(l, from, i, &f); i++)
		json_array_append_new(a, json_pack("{s:o, s:I}", "name", json_text(f.name), "bytes",
						   (json_int_t)f.size));
	return a;
}

static json_t *saved_of(const struct wb_launch *l, const struct wb_text *saved)
{
	uint64_t instructions, expected, blocks, all;
	wb_launch_work(l, &instructions, &expected);
	wb_launch_progress(l, &blocks, &all);
	return json_pack("{s:I, s:I, s:I, s:I}", "bytes", (json_int_t)saved->size, "instructions",
			 (json_int_t)instructions, "blocks", (json_int_t)blocks, "all_blocks", (json_int_t)all);
}

static json_t *header(const struct wb_launch *l, const struct trace_source *from)
{
	struct wb_machine m;
	json_t *reasons = json_array();
	wb_launch_machine(l, &m);
	for (unsigned i = 0; wb_reason(i); i++)
		json_array_append_new(reasons, json_string(wb_reason(i)));
	json_t *o = json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o}", "schema",
			      from->saved ? "warpbeam.saved/1" : "warpbeam.trace/2", "writer", wb_version(), "kernel",
			      from->kernel, "mps", (int)m.mps, "slots", (int)m.slots, "lanes", (int)m.lanes,
			      "issue_cycles", (int)m.issue_cycles, "reasons", reasons, "code", code_of(l),
			      "options", options_of(from->config), "args", texts(from->args));
	json_object_set_new(o, "files", files_of(l, from));
	if (from->in.name)
		json_object_set_new(o, "in", json_text(from->in.name));
	if (from->saved)
		json_object_set_new(o, "saved", saved_of(l, from->saved));
	return o;
}

static void begin(struct trace_writer *w)
{
	struct wb_file f;
	const char *first = w->from.saved ? SAVED_NAME " 1\n" : TRACE_NAME " 2\n";
	put(w, first, strlen(first));
	put_json(w, header(w->launch, &w->from));
	for (unsigned i = 0; file_of(w->launch, &w->from, i, &f); i++)
		put(w, f.bytes, f.size);
	if (w->from.saved)
		put(w, w->from.saved->data, w->from.saved->size);
}

enum wb_status trace_create(const char *path, const struct wb_launch *l, const struct trace_source *from,
			    struct trace_writer **out, struct wb_diag *d)
{
	struct trace_writer *w = calloc(1, sizeof *w);
	if (!w)
		return trace_refuse(d, WB_ENV, path, "out of memory");
	w->path = path;
	w->launch = l;
	w->from = *from;
	w->out = wb_output_open(path, d);
	if (!w->out) {
		free(w);
		return d->status;
	}
	struct stat s;
	bool seeks = fstat(wb_output_fd(w->out), &s) == 0 && S_ISREG(s.st_mode);
	if ((!seeks && !(w->spool = tmpfile())) || !open_file(w)) {
		enum wb_status status = trace_refuse(d, WB_ENV, path, "cannot write: %s", strerror(errno));
		trace_drop(w);
		return status;
	}
	begin(w);
	*out = w;
	return WB_OK;
}

static bool copy_spool(struct trace_writer *w)
{
	char part[1 << 16];
	FILE *to = fdopen(dup(wb_output_fd(w->out)), "wb");
	size_t n = 1;
	bool ok = to && !fseek(w->spool, 0, SEEK_SET);
	while (ok && n) {
		n = fread(part, 1, sizeof part, w->spool);
		ok = fwrite(part, 1, n, to) == n;
	}
	ok = !ferror(w->spool) && ok;
	return to && !fclose(to) && ok;
}

/* The end of w: the written file replaces the old file, or is dropped. */
static bool end(struct trace_writer *w, bool whole)
{
	if (w->spool)
		fclose(w->spool);
	whole = wb_output_close(w->out, whole, NULL) == WB_OK && whole;
	free(w);
	return whole;
}

void trace_drop(struct trace_writer *w)
{
	if (w->file)
		gzclose(w->file);
	end(w, false);
}

/* All has been put. False: a write failed. */
static bool finish(struct trace_writer *w)
{
	bool ok = w->file && gzclose(w->file) == Z_OK && !w->bad;
	if (w->spool)
		ok = copy_spool(w) && ok;
	return end(w, ok);
}

bool trace_finish(struct trace_writer *w, const struct wb_report *report)
{
	put(w, &(struct chunk_head){0, 0, 0, 0}, sizeof(struct chunk_head));
	put_json(w, json_pack("{s:s, s:s}", "result", report->result, "digest", report->digest));
	return finish(w);
}

enum wb_status trace_save(const char *path, const struct wb_launch *l, const struct trace_source *from,
			  const struct wb_text *saved, struct wb_diag *d)
{
	struct trace_source with = *from;
	struct trace_writer *w;
	with.saved = saved;
	enum wb_status status = trace_create(path, l, &with, &w, d);
	if (status != WB_OK)
		return status;
	return finish(w) ? WB_OK : trace_refuse(d, WB_ENV, path, "cannot write all of the saved run");
}
