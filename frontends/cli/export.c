/* export: a trace file as other tools read it. */
#include <errno.h>
#include <string.h>

#include "frontends/cli/verbs.h"
#include "frontends/trace/trace.h"

const struct opt export_options[] = {
	{"format", 0, OPT_VALUE, "perfetto|kanata|vcd|folded|jsonl|csv", NULL, "Export", "what to write", false},
	{"output", 'o', OPT_VALUE, "OUT", "-", "Export", "the file to write; - is standard output", false},
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
	complain(WB_USAGE, "option '--format' wants perfetto, kanata, vcd, folded, jsonl or csv; found '%s'",
		 name ? name : "");
	return NULL;
}

static enum wb_status write_export(const struct cli *c, const struct format *format, struct trace *t, const char *path)
{
	const char *out = cli_value(c, "output");
	bool standard = !strcmp(out, "-");
	FILE *f = standard ? stdout : fopen(out, "w");
	struct wb_diag d;
	if (!f)
		return complain(WB_ENV, "%s: cannot write: %s", out, strerror(errno));
	bool read = format->write(t, f, &d), written = !ferror(f);
	written = (standard ? fflush(f) : fclose(f)) == 0 && written;
	if (!read) {
		snprintf(d.file, sizeof d.file, "%s", path);
		return complain_diag(&d);
	}
	return written ? WB_OK : complain(WB_ENV, "%s: cannot write: %s", out, strerror(errno));
}

enum wb_status verb_export(struct cli *c)
{
	const char *path = cli_operand(c, "TRACE");
	const struct format *format = path ? find_format(cli_value(c, "format")) : NULL;
	struct trace t;
	struct wb_diag d;
	if (!format)
		return WB_USAGE;
	enum wb_status status = trace_open(path, &t, &d);
	status = status == WB_OK ? write_export(c, format, &t, path) : complain_diag(&d);
	trace_close(&t);
	return status;
}
