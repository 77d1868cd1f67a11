/* A saved run is a trace's header and files, which make the launch again, with the state in place of events. */
#include "frontends/cli/save.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(struct session *s, enum wb_status status)
{
	s->status = status;
	return false;
}

/* The first option of `run` itself that comes too late for a saved run, or NULL; session_load knows the others. */
static const char *late_option(const struct cli *c)
{
	static const char *const own[] = {"arg", "in", "trace", "sample"};
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (cli_given(c, own[i]))
			return own[i];
	return NULL;
}

static bool fits_saved(struct session *s, const struct cli *c)
{
	const char *option = late_option(c);
	if (option)
		return refuse(s, complain(WB_USAGE, "--%s: %s is a saved run, which goes on with the options and "
					  "inputs that it began with", option, s->path));
	if (!strcmp(s->trace.writer ? s->trace.writer : "", wb_version()))
		return true;
	return refuse(s, complain(WB_INPUT, "%s was saved by version %s of Warpbeam; this is version %s: go on with "
				  "the other, or run the program again", shown(s->path),
				  s->trace.writer ? shown(s->trace.writer) : "?", wb_version()));
}

static bool fits_saving(struct session *s, const struct cli *c)
{
	if (!cli_given(c, "save"))
		return refuse(s, complain(WB_USAGE, "--save-at needs --save FILE, the file for the saved run"));
	for (int i = 0; i < 2; i++)
		if (cli_given(c, i ? "sample" : "trace"))
			return refuse(s, complain(WB_USAGE, "--save and --%s: a recorded run cannot be saved",
						  i ? "sample" : "trace"));
	return true;
}

bool save_options(struct session *s, const struct cli *c)
{
	bool saves = cli_given(c, "save") || cli_given(c, "save-at");
	return (!s->trace.saved.bytes || fits_saved(s, c)) && (!saves || fits_saving(s, c));
}

/* "5000000" or "30s". */
static bool read_at(const char *text, struct save_at *at)
{
	char *end;
	errno = 0;
	unsigned long long n = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
	if (!n || errno)
		return false;
	if (!strcmp(end, "s"))
		at->seconds = (double)n;
	else if (!*end)
		at->instructions = n;
	return !*end || (!strcmp(end, "s") && n <= INT32_MAX);
}

/* Whether an argument names a file for results. */
static bool has_outputs(const struct session *s)
{
	for (const char *const *a = s->args; a && *a; a++)
		if (!strncmp(*a, "out=", 4) || !strncmp(*a, "inout=", 6))
			return true;
	return false;
}

bool save_begin(struct session *s, const struct cli *c, struct save_at *at)
{
	const struct saved_run *saved = &s->trace.saved;
	const char *text = cli_value(c, "save-at");
	enum wb_status status = WB_OK;
	*at = (struct save_at){.instructions = UINT64_MAX};
	if (text && !read_at(text, at))
		return refuse(s, complain(WB_USAGE, "option '--save-at' expects a number of instructions above 0, or "
					  "of seconds with an s behind, as 5000000 or 30s; found '%s'", text));
	if (saved->bytes)
		status = wb_launch_resume(s->launch, saved->bytes, saved->size, s->writes, &s->diag);
	if (status == WB_OK && cli_given(c, "save"))
		status = wb_launch_save_at(s->launch, at->instructions, &s->diag);
	if (status == WB_OK && saved->bytes && has_outputs(s) && !s->writes && !c->quiet)
		complain(WB_OK, "warning: %s: the files that its arguments name for results are written with "
			 "--files any alone", shown(s->path));
	if (status == WB_OK)
		return true;
	if (!s->diag.file[0])
		snprintf(s->diag.file, sizeof s->diag.file, "%s", s->path);
	return refuse(s, complain_diag(&s->diag));
}

/* The source of the launch, as of a trace. */
static struct trace_source source_of(const struct session *s)
{
	return (struct trace_source){
		.kernel = s->kernel ? s->kernel->name : "",
		.program = s->program,
		.config = s->config,
		.args = s->args,
		.in = s->in,
	};
}

/* A run that has ended before --save-at, or at another limit, has no state to be saved. */
static bool none_saved(const struct session *s, const struct cli *c)
{
	uint64_t instructions, expected;
	wb_launch_work(s->launch, &instructions, &expected);
	if (cli_given(c, "save-at") && !c->quiet)
		complain(WB_OK, "nothing is saved in %s: the run ended after %" PRIu64 " instructions, before "
			 "--save-at %s", shown(cli_value(c, "save")), instructions, cli_value(c, "save-at"));
	return false;
}

bool save_end(struct session *s, const struct cli *c)
{
	const char *path = cli_value(c, "save");
	struct trace_source from = source_of(s);
	struct wb_diag d = {.status = WB_OK};
	struct wb_text saved;
	uint64_t instructions, expected, done, all;
	if (!path)
		return false;
	if ((s->status != WB_LIMIT && s->status != WB_INTERRUPTED) ||
	    wb_launch_save(s->launch, &saved, &d) == WB_USAGE)
		return none_saved(s, c);
	if (saved.data && trace_save(path, s->launch, &from, &saved, &d) == WB_OK) {
		wb_launch_work(s->launch, &instructions, &expected);
		wb_launch_progress(s->launch, &done, &all);
		complain(WB_OK, "saved in %s after %" PRIu64 " instructions, %" PRIu64 " of %" PRIu64 " block%s; go on "
			 "with: warpbeam run %s%s", shown(path), instructions, done, all, all == 1 ? "" : "s",
			 shown(path), has_outputs(s) ? " --files any" : "");
	} else {
		s->diag = d;
		s->status = complain_diag(&s->diag);
	}
	wb_text_free(&saved);
	return true;
}
