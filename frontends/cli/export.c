/* export: a trace as other tools read it; of a program, that of its run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/cli/session.h"
#include "frontends/cli/verbs.h"
#include "frontends/cli/vertices.h"

const struct opt export_options[] = {
	{"format", 0, OPT_VALUE, "perfetto|kanata|vcd|folded|jsonl|csv", NULL, "Export", "what to write", false},
	{"output", 'o', OPT_VALUE, "OUT", "-", "Export", "the file to write; - is standard output", false},
	{"arg", 'a', OPT_LIST, "ARG", NULL, "Launch", "of a program: next argument, as for run", false},
	VERTICES_OPTION,
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

static const struct format {
	const char *name;
	bool (*write)(struct trace *t, FILE *f, struct wb_diag *d);
} formats[] = {
	{"perfetto", export_perfetto}, {"kanata", export_kanata}, {"vcd", export_vcd}, {"folded", export_folded},
	{"jsonl", export_jsonl}, {"csv", export_csv},
};

static const struct format *find_format(const char *name)
{
	for (size_t i = 0; name && i < sizeof formats / sizeof *formats; i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	complain(WB_USAGE, "option '--format' expects perfetto, kanata, vcd, folded, jsonl or csv; found '%s'",
		 name ? name : "");
	return NULL;
}

/* Run a program and record it at `path`. A run that faults or hangs is recorded until then; *ran is its status. */
static enum wb_status record(const struct cli *c, const char *program, const char *path, enum wb_status *ran)
{
	struct session s = {.vertices = cli_value(c, "in")};
	struct listeners to = {NULL, NULL};
	const char **args = cli_list(c, "arg");
	if (session_load(&s, program, c->config) && session_prepare(&s, cli_value(c, "kernel"), c->config, args) &&
	    session_record(&s, path, &to)) {
		session_run(&s, c);
		if (s.status != WB_OK)
			complain_diag(&s.diag);
		*ran = s.status;
		if (s.status == WB_ENV)
			trace_drop(to.trace);
		else
			s.status = trace_finish(to.trace, s.report) ?
					   WB_OK : complain(WB_ENV, "%s: cannot write all of the trace", path);
	}
	enum wb_status status = s.status;
	session_close(&s);
	free(args);
	return status;
}

static enum wb_status write_export(const struct cli *c, const struct format *format, struct trace *t, const char *name)
{
	struct wb_output *o;
	FILE *f = stream_open(cli_value(c, "output"), &o);
	struct wb_diag d;
	if (!f)
		return WB_ENV;
	bool read = format->write(t, f, &d), written = stream_close(f, o, read);
	if (t->note && !c->quiet)
		fprintf(stderr, "warpbeam: %s: %s\n", shown(name), t->note);
	if (!read) {
		snprintf(d.file, sizeof d.file, "%s", name);
		return complain_diag(&d);
	}
	return written ? WB_OK : WB_ENV;
}

/* name: what messages call it. */
static enum wb_status export_trace(const struct cli *c, const struct format *format, const char *path, const char *name)
{
	struct trace t;
	struct wb_diag d;
	enum wb_status status = trace_open(path, &t, &d);
	status = status == WB_OK ? write_export(c, format, &t, name) : complain_diag(&d);
	trace_close(&t);
	return status;
}

static enum wb_status export_program(const struct cli *c, const struct format *format, const char *program)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	enum wb_status ran = WB_OK;
	snprintf(path, sizeof path, "%s/warpbeam-XXXXXX", folder && *folder ? folder : "/tmp");
	int fd = mkstemp(path);
	if (fd < 0)
		return complain(WB_ENV, "%s: cannot write: %s", path, strerror(errno));
	close(fd);
	enum wb_status status = record(c, program, path, &ran);
	if (status == WB_OK)
		status = export_trace(c, format, path, program);
	unlink(path);
	return status == WB_OK ? ran : status;
}

/* An option of the run, which a trace has behind it; NULL: none. */
static const char *run_option(const struct cli *c)
{
	for (size_t i = 0; i < c->nvalues; i++)
		for (const struct opt *o = c->known; o->name; o++)
			if (!strcmp(o->name, c->values[i].name) && strcmp(o->group, "Export") &&
			    strcmp(o->group, "General"))
				return o->name;
	return NULL;
}

enum wb_status verb_export(struct cli *c)
{
	const char *path = cli_operand(c, "FILE or TRACE");
	const struct format *format = path ? find_format(cli_value(c, "format")) : NULL;
	if (!format)
		return WB_USAGE;
	if (!trace_sniff(path))
		return export_program(c, format, path);
	const char *option = run_option(c);
	return option ? complain(WB_USAGE, "--%s is for programs; %s is a trace, which is written as it was recorded",
				 option, path) :
			export_trace(c, format, path, path);
}
