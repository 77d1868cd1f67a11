/* Verbs that run a program: run, bill, annotate. A verb prints its part of the report. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/elements.h"
#include "frontends/cli/expect.h"
#include "frontends/cli/report.h"
#include "frontends/cli/build.h"
#include "frontends/cli/metrics.h"
#include "frontends/cli/run_program.h"
#include "frontends/cli/sample.h"
#include "frontends/cli/save.h"
#include "frontends/cli/stage.h"
#include "frontends/cli/verbs.h"
#include "frontends/cli/vertices.h"
#include "frontends/trace/trace.h"

/* Options of run and of all verbs that print another part of the report. */
#define RUN_OPTIONS \
	{"arg", 'a', OPT_LIST, "ARG", NULL, "Launch", \
	 "next argument: u32=N s32=N u16=N u8=N u64=N f32=X f64=X, float4=1,2,3,4, struct=float:1,int4:1,2,3,4, " \
	 "bytes=FILE, a buffer in=FILE zero=BYTES out=FILE:BYTES inout=IN:OUT, shared=BYTES or pad=BYTES; BYTES may " \
	 "be 4K or 1MB", \
	 false}, \
	VERTICES_OPTION, \
	{"out", 0, OPT_OUTPUT, "FILE", NULL, "Report", \
	 "write what vertices, primitives or fragments gave: JSON, .csv, words (.raw), a picture (.png)", false}, \
	{"stats", 0, OPT_OUTPUT, "FILE", NULL, "Report", "write the statistics document (JSON) to a file", false}, \
	{"trace", 0, OPT_OUTPUT, "FILE", NULL, "Report", \
	 "record the run: for export and diff, and to be run again by view, bill …", false}, \
	{"sample", 0, OPT_VALUE, "N", NULL, "Report", "instead of the report, a CSV row every N cycles", false}, \
	{"printf", 0, OPT_OUTPUT, "FILE", NULL, "Report", \
	 "write what the program prints with printf to a file; default: before the report, with --json " \
	 "and --sample to stderr", false}, \
	{"show", 0, OPT_LIST, "ARG:TYPE[:COUNT]", NULL, "Report", \
	 "print a buffer argument as values after the run: 0:f32:16", false}, \
	{"dump", 0, OPT_LIST, "SPACE:ADDR:LEN", NULL, "Report", \
	 "print memory after the run: s:0x10:64 (g, s, l, c0 …)", false}, \
	{"check-expect", 0, OPT_SWITCH, NULL, NULL, "Report", \
	 "instead of a report, compare with the file's '// expect:' lines; exit 1 if one does not hold", false}, \
	{"expect", 0, OPT_VALUE, "FILE", NULL, "Report", \
	 "the same with expectations from a file, one a line, for one program or several", false},

/* Group of the options that whole programs alone have; trace stands among the options of a file of kernels as well. */
static const char of_programs[] = "Programs";

const struct opt run_options[] = {
	{"metrics", 0, OPT_VALUE, METRICS_WORDS, NULL, "Report",
	 "counters by the names of NVIDIA's profilers, instead of the report", false},
	RUN_OPTIONS
	SAVE_OPTIONS,
#define RUN_OPTION(name)
#define VARIABLE(id, name, argument, help)
#define COMMAND(name, argument, help) {name, 0, OPT_VALUE, argument, NULL, of_programs, help, false},
#define OWN_OPTION(id, name, argument, help) \
	{name, 0, sizeof(argument) > 1 ? OPT_VALUE : OPT_SWITCH, sizeof(argument) > 1 ? (argument) : NULL, NULL, \
	 of_programs, help, false},
#include "frontends/program/program.def"
#undef RUN_OPTION
#undef VARIABLE
#undef COMMAND
#undef OWN_OPTION
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

const struct opt annotate_options[] = {
	{"heat", 0, OPT_VALUE, "lost|issues|stalls", "auto", "Report",
	 "what the bars show; auto: lane slots lost, where there are none stalls, without timing issues", false},
	RUN_OPTIONS
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

static enum wb_status bad_option(const char *option, const char *expected, const char *found)
{
	return complain(WB_USAGE, "option '--%s' expects %s; found '%s'", option, expected, found);
}

/* --show ARG:TYPE[:COUNT]. */
struct shown_arg {
	const struct element_type *type;
	unsigned index;
	size_t n;
};

/* Read a --show of a prepared launch; refuses what the launch does not have. */
static enum wb_status read_show(const struct session *s, const char *spec, struct shown_arg *out)
{
	char type[8];
	long long count = -1;
	int fields = sscanf(spec, "%u:%7[a-z0-9]:%lli", &out->index, type, &count);
	out->type = fields >= 2 ? element_type(type) : NULL;
	if (!out->type)
		return bad_option("show", "ARG:TYPE[:COUNT] with TYPE u8 … u64, s8 … s64, b8 … b64, f32 or f64", spec);
	size_t bytes = wb_launch_arg_bytes(s->launch, out->index), have = bytes / out->type->size;
	if (!bytes)
		return complain(WB_USAGE, "--show %s: argument %u is no buffer of this launch; arguments count from 0",
				spec, out->index);
	out->n = count >= 0 && fields == 3 ? (size_t)count : have;
	if (out->n > have)
		return complain(WB_USAGE, "--show %s: the argument has %zu elements of %s", spec, have,
				out->type->name);
	return WB_OK;
}

static enum wb_status show(FILE *f, const struct session *s, const char *spec)
{
	struct wb_diag d;
	struct shown_arg a;
	enum wb_status status = read_show(s, spec, &a);
	if (status != WB_OK)
		return status;
	const struct element_type *t = a.type;
	unsigned char *bytes = grow(NULL, a.n * t->size + 1);
	status = wb_launch_read_arg(s->launch, a.index, 0, bytes, a.n * t->size, &d);
	if (status != WB_OK)
		complain_diag(&d);
	for (size_t i = 0; i < a.n && status == WB_OK; i++) {
		char text[64];
		if (i % 8 == 0)
			fprintf(f, "%sarg %u [%zu]", i ? "\n" : "", a.index, i);
		fprintf(f, " %s", element_format(t, element_load(t, bytes + i * t->size), text, sizeof text));
	}
	fputc('\n', f);
	free(bytes);
	return status;
}

static void hex_line(FILE *f, const char *space, uint64_t addr, const unsigned char *bytes, size_t n)
{
	fprintf(f, "%s[%08" PRIx64 "]", space, addr);
	for (size_t i = 0; i < 16; i++) {
		fputs(i % 4 ? "" : " ", f);
		if (i < n)
			fprintf(f, "%02x", bytes[i]);
		else
			fputs("  ", f);
	}
	fputs("  ", f);
	for (size_t i = 0; i < n; i++)
		fputc(bytes[i] >= ' ' && bytes[i] < 0x7f ? bytes[i] : '.', f);
	fputc('\n', f);
}

/* --dump SPACE:ADDR:LEN. */
struct dumped {
	char space[8];
	long long addr;
	uint64_t length;
};

static enum wb_status read_dump(const char *spec, struct dumped *out)
{
	enum { MOST = 1 << 28 };
	int at = 0;
	if (sscanf(spec, "%7[a-z0-9]:%lli:%n", out->space, &out->addr, &at) != 2 || !at || out->addr < 0 ||
	    !wb_size(spec + at, &out->length) || out->length < 1 || out->length > MOST)
		return bad_option("dump", "SPACE:ADDRESS:LENGTH", spec);
	return WB_OK;
}

static enum wb_status dump(FILE *f, const struct session *s, const char *spec)
{
	struct wb_diag d;
	struct dumped m;
	enum wb_status status = read_dump(spec, &m);
	if (status != WB_OK)
		return status;
	unsigned char *bytes = grow(NULL, (size_t)m.length);
	status = wb_launch_read(s->launch, m.space, (uint64_t)m.addr, bytes, (size_t)m.length, &d);
	if (status != WB_OK)
		complain_diag(&d);
	for (uint64_t i = 0; i < m.length && status == WB_OK; i += 16)
		hex_line(f, m.space, (uint64_t)m.addr + i, bytes + i, m.length - i < 16 ? m.length - i : 16);
	free(bytes);
	return status;
}

/* Check wishes for after the run before the run: nothing is refused late. */
static enum wb_status check_wishes(const struct cli *c, const struct session *s)
{
	struct shown_arg a;
	struct dumped m;
	const char *spec;
	enum wb_status status = WB_OK;
	for (size_t at = 0; status == WB_OK && (spec = cli_next(c, "show", &at));)
		status = read_show(s, spec, &a);
	for (size_t at = 0; status == WB_OK && (spec = cli_next(c, "dump", &at));)
		status = read_dump(spec, &m);
	if (status == WB_OK && cli_given(c, "out"))
		status = stage_ending(cli_value(c, "out"));
	if (status == WB_OK && cli_given(c, "out"))
		status = stage_fits(s->launch, cli_value(c, "out"));
	return status;
}

/* Write what the program has printed. */
static enum wb_status write_prints(const struct cli *c, struct session *s)
{
	const char *path = cli_value(c, "printf");
	const struct wb_print *print;
	uint64_t lost;
	struct wb_diag d;
	size_t n = wb_launch_prints(s->launch, &print, &lost), size;
	char *all;
	FILE *f = path ? open_memstream(&all, &size) : c->json || cli_given(c, "sample") ? stderr : stdout;
	enum wb_status status = WB_OK;
	if (!f)
		return complain(WB_ENV, "out of memory");
	for (size_t i = 0; i < n; i++)
		fputs(print[i].text, f);
	if (path) {
		text_close(f, &all);
		status = wb_output_all(path, all, size, &d);
		free(all);
	}
	if (lost)
		complain(WB_OK, "printf: %" PRIu64 " bytes more than --printf-bytes are not printed", lost);
	return status == WB_OK ? WB_OK : complain_diag(&d);
}

/* The report as a document, with the counters by a profiler's names. */
static json_t *document(const struct cli *c, const struct session *s)
{
	json_t *o = report_json(c, s);

	if (cli_given(c, "metrics"))
		json_object_set_new(o, "metrics", metrics_json(s->report, cli_value(c, "metrics")));
	return o;
}

/* Outputs requested for after the run, whatever the result: files, shown values, dumps, the statistics document. Beside
 * a JSON document on standard output, values and dumps go to stderr. */
static enum wb_status aftermath(const struct cli *c, struct session *s)
{
	FILE *f = c->json ? stderr : stdout;
	struct wb_diag d;
	const char *spec;
	enum wb_status status = wb_launch_write_files(s->launch, &d);
	if (status != WB_OK)
		return complain_diag(&d);
	for (size_t at = 0; status == WB_OK && (spec = cli_next(c, "show", &at));)
		status = show(f, s, spec);
	for (size_t at = 0; status == WB_OK && (spec = cli_next(c, "dump", &at));)
		status = dump(f, s, spec);
	if (status == WB_OK && cli_given(c, "out"))
		status = stage_write(s->launch, cli_value(c, "out"));
	if (status == WB_OK && cli_given(c, "stats"))
		status = json_out(document(c, s), cli_value(c, "stats"));
	return status;
}

typedef void print_fn(const struct cli *c, const struct session *s);

/* Run a prepared launch and report. A bad status of the run is the exit code before all others. */
static enum wb_status run_prepared(const struct cli *c, struct session *s, print_fn *print)
{
	struct listeners to = {NULL, NULL};
	struct sample sample;
	const char *path = cli_value(c, "trace");
	unsigned long every = 0;
	if (cli_given(c, "sample") && !cli_number(c, "sample", UINT32_MAX, &every))
		return WB_USAGE;
	if (cli_given(c, "sample") && !every)
		return bad_option("sample", "a number of cycles above 0", cli_value(c, "sample"));
	enum wb_status wishes = check_wishes(c, s);
	if (wishes != WB_OK)
		return wishes;
	if (every)
		sample_begin(to.sample = &sample, c->json ? stderr : stdout, every);
	if (!session_record(s, path, &to))
		return s->status;
	if (!session_run(s, c)) {
		if (to.trace)
			trace_drop(to.trace);
		return s->status;
	}
	if (to.trace && s->status == WB_ENV) /* the host failed: the trace may be incomplete */
		trace_drop(to.trace);
	else if (to.trace && !trace_finish(to.trace, s->report))
		return complain(WB_ENV, "%s: cannot write all of the trace", path);
	if (every)
		sample_end(&sample);
	session_compare(s, s->report);
	enum wb_status printed = write_prints(c, s);
	enum wb_status written = c->json ? json_out(document(c, s), NULL) : WB_OK;
	if (!c->json && !every)
		print(c, s);
	fflush(stdout);
	if (s->status != WB_OK)
		complain_diag(&s->diag);
	report_troubles(c, s->report);
	if (c->verbose && s->kernel && s->kernel->compiler)
		fprintf(stderr, "warpbeam: note: compiled by %s\n", shown(s->kernel->compiler));
	enum wb_status after = aftermath(c, s);
	return s->status != WB_OK ? s->status : printed != WB_OK ? printed : written != WB_OK ? written : after;
}

/* Run the launch again with the checkers, without its outputs. NULL: no end of the run is in reach of the checkers. */
static const struct wb_report *run_checked(const struct session *s, const struct cli *c, struct wb_launch **l)
{
	static const struct { const char *name, *value; } set[] = {
		{"check", "race,uninit,barrier"}, {"max-memory", "16M"}, {"producers", "off"},
	};
	struct wb_config *config = wb_config_copy(c->config);
	struct wb_diag d;
	bool ok = config != NULL;
	for (size_t i = 0; ok && i < sizeof set / sizeof *set; i++)
		ok = wb_config_set(config, set[i].name, set[i].value, &d) == WB_OK;
	ok = ok && wb_launch_new(s->program, s->kernel ? s->kernel->name : NULL, config, l, &d) == WB_OK;
	for (const char *const *a = s->args; ok && a && *a && (cli_given(c, "arg") || s->trace.kernel); a++)
		ok = wb_launch_arg(*l, *a, &d) == WB_OK;
	if (ok)
		wb_launch_run(*l, &d);
	wb_config_free(config);
	return ok ? wb_launch_report(*l) : NULL;
}

/* A program may end warps before a barrier, and still be right: a barrier is a finding where lanes of a warp are
 * apart. */
static bool is_error(const char *warning)
{
	static const char *const kinds[] = {"race: ", "uninit: ", "barrier: under divergence"};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strncmp(warning, kinds[i], strlen(kinds[i])))
			return true;
	return false;
}

/* A small run that ended well is run once more with the checkers: a race, a value that was never written or a barrier
 * that lanes reach apart is one line behind the report. */
static void check_again(const struct cli *c, const struct session *s)
{
	enum { SMALL = 1000000 };
	struct wb_launch *l = NULL;
	const char *first = NULL;
	unsigned n = 0;
	const struct wb_counter *k = s->report->counters;
	double instructions = SMALL;
	for (unsigned i = 0; i < s->report->ncounters; i++)
		if (!strcmp(k[i].name, "instructions"))
			instructions = k[i].value;
	if (c->quiet || s->status != WB_OK || instructions >= SMALL || wb_config_given(c->config, "check") ||
	    s->in.name)
		return;
	const struct wb_report *r = run_checked(s, c, &l);
	for (unsigned i = 0; r && i < r->nwarnings; i++)
		if (is_error(r->warnings[i])) {
			first = first ? first : r->warnings[i];
			n++;
		}
	int kind = first ? (int)strcspn(first, ":") : 0;
	if (n > 1)
		complain(WB_OK, "found by --check %.*s%s (and %u more)", kind, first, first + kind, n - 1);
	else if (first)
		complain(WB_OK, "found by --check %.*s%s", kind, first, first + kind);
	wb_launch_free(l);
}

static enum wb_status run_and(const struct cli *c, print_fn *print)
{
	if (cli_on(c, "check-expect") || cli_given(c, "expect"))
		return mark(c);
	const char *path = cli_operand(c, "FILE");
	struct session s = {.vertices = cli_value(c, "in"), .goes_on = true};
	if (!path)
		return WB_USAGE;
	enum wb_status status;
	const char **args = cli_list(c, "arg");
	bool loaded = session_load(&s, path, c->config) && save_options(&s, c) &&
		      (print != report_annotate || s.trace.saved.bytes || session_wants_causes(&s, c->config));
	if (loaded)
		complain_warnings(c, s.program);
	if (!loaded)
		status = s.status;
	else if (!session_prepare(&s, cli_value(c, "kernel"), c->config, args))
		status = s.status;
	else if ((status = run_prepared(c, &s, print)) == WB_OK && print == report_text && !c->json)
		check_again(c, &s);
	free(args);
	session_close(&s);
	return status;
}

/* Whether --save or --save-at stands beside what is no single run of a kernel. */
static bool saves_too_much(const struct cli *c)
{
	bool saves = cli_given(c, "save") || cli_given(c, "save-at");
	return saves && (c->nprogram || c->dashes || cli_on(c, "check-expect") || cli_given(c, "expect"));
}

/* Whether a source has "int main (", with blanks of any kind. */
static bool defines_main(const char *text, size_t n)
{
	static const char blanks[] = " \t\r\n";

	for (const char *p = text, *end = text + n; (p = memmem(p, (size_t)(end - p), "main", 4)); p += 4) {
		const char *before = p, *behind = p + 4;
		while (before > text && strchr(blanks, before[-1]))
			before--;
		while (behind < end && *behind && strchr(blanks, *behind))
			behind++;
		bool typed = before < p && before - text >= 3 && !memcmp(before - 3, "int", 3);
		if (typed && behind < end && *behind == '(')
			return true;
	}
	return false;
}

/* A whole program given like a file of kernels, and nothing said about a kernel: a word about the other way. */
static void tell_of_main(const struct cli *c)
{
	static const char *const of_kernels[] = { "grid", "block", NULL };
	struct wb_diag d;
	char *text;
	size_t n;
	bool said = c->quiet || cli_given(c, "kernel") || cli_given(c, "arg");

	for (const char *const *o = of_kernels; *o; o++)
		said = said || wb_config_given(c->config, *o);
	if (said || c->noperands != 1 || !is_whole_source(*c->operands) || !try_read_all(*c->operands, &text, &n, &d))
		return;
	if (defines_main(text, n))
		complain(WB_OK, "%s has a main function: 'warpbeam run %s --' runs the whole program; here a kernel "
			 "runs alone", shown(*c->operands), shown(*c->operands));
	free(text);
}

enum wb_status verb_run(struct cli *c)
{
	if (saves_too_much(c))
		return complain(WB_USAGE,
				"--save is for the run of one kernel, not for whole programs or expectations");
	if (c->nprogram && c->nprogram == c->noperands)
		return run_program(c);
	if (c->dashes && c->noperands == c->nprogram + 1 && is_whole_source(c->operands[0]))
		return build_and_run(c, c->operands[0]);
	for (const struct opt *o = c->known; o->name; o++)
		if (!strcmp(o->group, of_programs) && cli_given(c, o->name))
			return complain(WB_USAGE, "--%s is for whole programs: warpbeam run --%s %s -- PROGRAM",
					o->name, o->name, o->argument);
	if (cli_given(c, "metrics") && !metrics_known(cli_value(c, "metrics")))
		return bad_option("metrics", "ncu or nvprof", cli_value(c, "metrics"));
	tell_of_main(c);
	return run_and(c, cli_given(c, "metrics") ? report_metrics : report_text);
}

enum wb_status verb_bill(struct cli *c)
{
	return run_and(c, report_bill);
}

enum wb_status verb_annotate(struct cli *c)
{
	if (heat_find(cli_value(c, "heat")) == HEATS)
		return bad_option("heat", "lost, issues or stalls", cli_value(c, "heat"));
	return run_and(c, report_annotate);
}
