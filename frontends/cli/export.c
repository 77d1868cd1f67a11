/* export: a trace in the format of another tool; a program is run, and the run exported. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "frontends/cli/session.h"
#include "frontends/cli/verbs.h"
#include "frontends/cli/vertices.h"

const struct opt export_options[] = {
	{"format", 0, OPT_VALUE, "perfetto|kanata|vcd|folded|jsonl|csv", NULL, "Export",
	 "what to write; default: by the ending of OUT, .json is perfetto", false},
	{"output", 'o', OPT_OUTPUT, "OUT", "-", "Export", "the file to write; - is standard output", false},
	{"arg", 'a', OPT_LIST, "ARG", NULL, "Launch", "of a program: next argument, as for run", false},
	VERTICES_OPTION,
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

/* The format by --format, else by the ending of the output's name. */
static const struct export_format *find_format(const char *name, const char *output)
{
	const char *dot = strrchr(output, '.');
	if (!name && dot && strcmp(dot, ".json"))
		for (size_t i = 0; export_formats[i]; i++)
			if (!strcmp(export_formats[i]->name, dot + 1))
				return export_formats[i];
	if (!name && dot && !strcmp(dot, ".json"))
		name = "perfetto";
	for (size_t i = 0; name && export_formats[i]; i++)
		if (!strcmp(export_formats[i]->name, name))
			return export_formats[i];
	if (name)
		complain(WB_USAGE, "option '--format' expects perfetto, kanata, vcd, folded, jsonl or csv; found '%s'",
			 name);
	else
		complain(WB_USAGE, "export needs --format perfetto, kanata, vcd, folded, jsonl or csv, or an output "
			 "named so: -o OUT.vcd; .json is perfetto");
	return NULL;
}

/* An export under way. A run may begin again and void the document (wb_launch_record): standard output or a device,
 * where no byte can be taken back, gets the document from a temporary file at the end. */
struct output {
	struct export to;
	struct wb_output *file;         /* NULL: standard output */
	FILE *spool;                    /* NULL: `to.f` is the output itself */
	FILE *direct;
	enum wb_status status;          /* WB_LIMIT: --max-memory does not suffice */
	bool begun;
	uint64_t cycle;                 /* of the latest event */
};

enum { MOST_BYTES_UNSAID = 1 << 30 };

static uint64_t most_bytes(const struct cli *c)
{
	uint64_t bytes;
	return wb_config_given(c->config, "max-memory") && wb_size(wb_config_get(c->config, "max-memory"), &bytes) ?
		       bytes : MOST_BYTES_UNSAID;
}

static bool begin(struct output *o)
{
	o->begun = o->to.format->begin(&o->to);
	if (!o->begun)
		o->status = complain(WB_ENV, "out of memory");
	return o->begun;
}

static bool output_open(struct output *o, const struct cli *c, const struct export_format *format,
			const struct trace *t, bool ordered, bool may_restart)
{
	struct stat s;
	*o = (struct output){.to = {.format = format, .t = t, .most_bytes = most_bytes(c), .ordered = ordered}};
	o->direct = stream_open(cli_value(c, "output"), &o->file);
	if (!o->direct) {
		o->status = WB_ENV;
		return false;
	}
	bool again = o->file && !fstat(fileno(o->direct), &s) && S_ISREG(s.st_mode);
	if (may_restart && !again && !(o->spool = tmpfile())) {
		o->status = complain(WB_ENV, "cannot write a temporary file: %s", strerror(errno));
		stream_close(o->direct, o->file, false);
		return false;
	}
	o->to.f = o->spool ? o->spool : o->direct;
	return begin(o);
}

/* False: no more events are wanted. */
static bool output_event(struct output *o, const struct wb_event *e)
{
	if (!o->begun)
		return false;
	o->cycle = e->cycle;
	if (o->to.format->event(&o->to, e))
		return true;
	o->to.format->end(&o->to);
	o->begun = false;
	o->status = complain(WB_LIMIT, "--max-memory holds no more of what waits for its cycle: the output ends at "
			     "cycle %llu", (unsigned long long)e->cycle);
	return false;
}

static bool copy_spool(const struct output *o)
{
	char part[1 << 16];
	size_t n = 1;
	bool ok = fseek(o->spool, 0, SEEK_SET) == 0;
	while (ok && n) {
		n = fread(part, 1, sizeof part, o->spool);
		ok = fwrite(part, 1, n, o->direct) == n;
	}
	return ok && !ferror(o->spool);
}

/* End the document; whole: keep the file. */
static enum wb_status output_close(struct output *o, const struct cli *c, const char *name, bool whole)
{
	if (o->begun)
		o->to.format->end(&o->to);
	if (o->spool && ferror(o->spool))
		whole = false, o->status = complain(WB_ENV, "cannot write all of the temporary file");
	else if (o->spool && whole)
		copy_spool(o);
	if (o->spool)
		fclose(o->spool);
	bool written = stream_close(o->direct, o->file, whole);
	if (o->to.note && whole && !c->quiet)
		fprintf(stderr, "warpbeam: %s: %s\n", shown(name), o->to.note);
	return o->status != WB_OK ? o->status : written ? WB_OK : WB_ENV;
}

/* ---- of a trace: limits as of a run ---- */

struct limits {
	double seconds;
	unsigned long long issues;
	struct timespec began;
};

static struct limits limits_of(const struct cli *c)
{
	struct limits l = {.seconds = HUGE_VAL, .issues = UINT64_MAX};
	const char *seconds = wb_config_get(c->config, "max-seconds"), *issues = wb_config_get(c->config, "max-insns");
	if (strcmp(seconds, "none"))
		l.seconds = strtod(seconds, NULL);
	if (strcmp(issues, "none"))
		l.issues = strtoull(issues, NULL, 0);
	clock_gettime(CLOCK_MONOTONIC, &l.began);
	return l;
}

static bool out_of_time(const struct limits *l)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - l->began.tv_sec) + 1e-9 * (double)(now.tv_nsec - l->began.tv_nsec) >= l->seconds;
}

static bool convert(const struct cli *c, struct trace *t, struct output *o, struct wb_diag *d)
{
	enum { CHECK = 1 << 12 };
	struct limits l = limits_of(c);
	struct wb_event e;
	unsigned long long issues = 0, events = 0;
	const char *limit = NULL;
	while (!limit && o->status == WB_OK && trace_next(t, &e, d)) {
		issues += e.kind == WB_EVENT_ISSUE;
		if (issues > l.issues)
			limit = "max-insns";
		else if (++events % CHECK == 0 && out_of_time(&l))
			limit = "max-seconds";
		else
			output_event(o, &e);
	}
	if (limit)
		o->status = complain(WB_LIMIT, "the output ends at cycle %llu, by --%s", (unsigned long long)o->cycle,
				     limit);
	return d->status == WB_OK;
}

/* Events of a run without timing come by multiprocessor. */
static bool is_ordered(const struct trace *t)
{
	if (t->mps == 1)
		return true;
	for (size_t i = 0; i < t->noptions; i++)
		if (!strcmp(t->options[i].name, "timing"))
			return strcmp(t->options[i].value, "off");
	return t->version > 1;
}

static enum wb_status export_trace(const struct cli *c, const struct export_format *format, const char *path)
{
	struct trace t;
	struct wb_diag d;
	struct output o;
	enum wb_status status = trace_open(path, &t, &d);
	if (status != WB_OK) {
		complain_diag(&d);
	} else if (!output_open(&o, c, format, &t, is_ordered(&t), false)) {
		status = o.status;
	} else {
		bool read = convert(c, &t, &o, &d);
		status = output_close(&o, c, path, read);
		if (!read) {
			snprintf(d.file, sizeof d.file, "%s", path);
			status = complain_diag(&d);
		}
	}
	trace_close(&t);
	return status;
}

/* ---- of a run, with events as they come: the limits of the run hold for the whole ---- */

struct running { struct output *o; struct wb_launch *launch; };

static void restart(struct output *o)
{
	if (o->begun)
		o->to.format->end(&o->to);
	o->status = WB_OK;
	rewind(o->to.f);
	if (ftruncate(fileno(o->to.f), 0))
		o->status = complain(WB_ENV, "cannot begin the output again: %s", strerror(errno)), o->begun = false;
	else
		begin(o);
}

static void take_chunk(void *context, const struct wb_chunk *chunk)
{
	struct running *r = context;
	struct wb_event e;
	if (!chunk->bytes) {
		restart(r->o);
		return;
	}
	struct wb_events *events = r->o->begun ? wb_events_open(chunk->bytes, chunk->size) : NULL;
	while (events && wb_events_next(events, &e, NULL) && output_event(r->o, &e))
		;
	wb_events_close(events);
	if (!r->o->begun)
		wb_launch_interrupt(r->launch);
}

static enum wb_status run_into(const struct cli *c, struct session *s, struct output *o, const char *program)
{
	struct running r = {o, s->launch};
	enum wb_status status = wb_launch_record(s->launch, 0, take_chunk, &r, &s->diag);
	if (status == WB_OK) {
		session_run(s, c);
		status = s->status;
	}
	if (status != WB_OK && o->status == WB_OK)
		complain_diag(&s->diag);
	enum wb_status written = output_close(o, c, program, status != WB_ENV);
	return written != WB_OK ? written : status;
}

static enum wb_status export_program(const struct cli *c, const struct export_format *format, const char *program)
{
	struct session s = {.vertices = cli_value(c, "in")};
	struct trace t = {0};
	struct output o;
	const char **args = cli_list(c, "arg");
	enum wb_status status;
	bool ready = session_load(&s, program, c->config) &&
		     session_prepare(&s, cli_value(c, "kernel"), c->config, args);
	if (!ready)
		status = s.status;
	else if (!trace_of_launch(&t, s.launch, s.kernel ? s.kernel->name : ""))
		status = complain(WB_ENV, "out of memory");
	else if (!output_open(&o, c, format, &t, t.mps == 1 || !strcmp(wb_config_get(c->config, "timing"), "on"), true))
		status = o.status;
	else
		status = run_into(c, &s, &o, program);
	trace_close(&t);
	session_close(&s);
	free(args);
	return status;
}

static bool is_limit(const char *name)
{
	return !strcmp(name, "max-seconds") || !strcmp(name, "max-insns") || !strcmp(name, "max-memory");
}

/* An option of the run, which a trace has behind it; NULL: none. */
static const char *run_option(const struct cli *c)
{
	for (size_t i = 0; i < c->nvalues; i++)
		for (const struct opt *o = c->known; o->name; o++)
			if (!strcmp(o->name, c->values[i].name) && strcmp(o->group, "Export") &&
			    strcmp(o->group, "General") && !is_limit(o->name))
				return o->name;
	return NULL;
}

enum wb_status verb_export(struct cli *c)
{
	const char *path = cli_operand(c, "FILE or TRACE");
	const struct export_format *format = path ? find_format(cli_value(c, "format"), cli_value(c, "output")) : NULL;
	if (!format)
		return WB_USAGE;
	if (!trace_sniff(path))
		return export_program(c, format, path);
	const char *option = run_option(c);
	return option ? complain(WB_USAGE, "--%s is for programs; %s is a trace, which is written as it was recorded",
				 option, path) :
			export_trace(c, format, path);
}
