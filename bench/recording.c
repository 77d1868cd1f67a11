/* Cost of observing a run: the same launches run plainly with fast-forward off (an observer sees every issue), plainly
 * by default, recorded (by default, too), recorded for the window with a row kept for every issue, prepared to go back
 * in time, and recorded besides, side by side. Ratios are to the plain run with fast-forward off. */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness.h"
#include "warpbeam.h"

enum way { PLAIN, SKIP, RECORD, WINDOW, TRAVEL, BOTH, WAYS };
enum { REPEAT_MAX = 99, ROWS = 1 << 20 };

static const char *const ways[WAYS] = { "run", "fast-forward", "recorded", "window", "time travel", "both" };

/* Examples, made long enough: 32 warps on each multiprocessor. */
static const struct work {
	const char *name, *file, *grid;
	const char *args[4];
} works[] = {
	{ "matmul", "examples/matmul.s", "16,16", { "zero=262144", "u32=256", NULL } },
	{ "collatz", "examples/collatz.s", "512", { "zero=131072", NULL } },
	{ "mandelbrot", "examples/mandelbrot.s", NULL, { NULL } },
};
enum { WORKS = sizeof works / sizeof *works };

/* Settings of all runs: multiprocessors, with or without timing. */
struct how {
	const char *mps, *timing;
	enum way end;                   /* the last way plus 1 */
};

struct measured {
	struct bench_summary seconds;
	double issues, record_bytes;
};

static void fail(const struct wb_diag *d)
{
	fprintf(stderr, "recording: %s\n", d->text);
	exit(d->status);
}

static struct wb_launch *prepare(const struct work *w, const struct wb_program *p, const struct how *how, enum way way)
{
	struct wb_config *c = wb_config_new();
	struct wb_launch *l = NULL;
	struct wb_diag d;
	enum wb_status s = wb_config_set(c, "mps", how->mps, &d);

	if (s == WB_OK && w->grid)
		s = wb_config_set(c, "grid", w->grid, &d);
	if (s == WB_OK)
		s = wb_config_set(c, "timing", how->timing, &d);
	if (s == WB_OK)
		s = wb_config_set(c, "fast-forward", way == SKIP || way == RECORD ? "on" : "off", &d);
	if (s == WB_OK)
		s = wb_launch_new(p, NULL, c, &l, &d);
	for (const char *const *arg = w->args; s == WB_OK && *arg; arg++)
		s = wb_launch_arg(l, *arg, &d);
	if (s == WB_OK)
		s = wb_launch_prepare(l, &d);
	if (s != WB_OK)
		fail(&d);
	wb_config_free(c);
	return l;
}

static double issues(struct wb_launch *l)
{
	const struct wb_report *r = wb_launch_report(l);

	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, "instructions"))
			return r->counters[i].value;
	return 0;
}

/* The window's row for an issue. */
struct row {
	uint64_t cycle, active, executed, ended_lanes;
	uint32_t pc, block;
	uint16_t warp;
	uint16_t mp;
	uint8_t slot, flow, depth, lanes;
	uint32_t waits[WB_STALLS];
};
struct rows {
	struct row *row;                /* the last ROWS issues */
	uint64_t n;
};

static void keep_row(struct row *row, const struct wb_event *e, const struct wb_issue_detail *d)
{
	*row = (struct row){
		.cycle = e->cycle, .active = e->active, .executed = e->executed, .ended_lanes = d->gone,
		.pc = (uint32_t)e->pc, .block = (uint32_t)e->block, .warp = (uint16_t)e->warp, .mp = (uint16_t)e->mp,
		.slot = (uint8_t)e->slot, .flow = (uint8_t)e->flow, .depth = (uint8_t)e->depth,
		.lanes = (uint8_t)__builtin_popcountll(e->executed),
	};
	memcpy(row->waits, d->waits, sizeof row->waits);
}

static void keep(void *context, const struct wb_chunk *c)
{
	struct rows *r = context;
	struct wb_events *events;
	struct wb_event e;

	if (!c->bytes) {
		r->n = 0;
		return;
	}
	events = wb_events_open(c->bytes, c->size);
	while (events && wb_events_next(events, &e, NULL))
		keep_row(&r->row[r->n++ % ROWS], &e, wb_events_detail(events, &e));
	wb_events_close(events);
}

/* Seconds of a launch; *bytes: size of the record, if any. */
static double once(const struct work *w, const struct wb_program *p, const struct how *how, enum way way,
		   struct measured *m)
{
	struct wb_launch *l = prepare(w, p, how, way);
	struct wb_chunk chunk;
	struct wb_where at;
	struct wb_diag d;
	struct rows rows = { .row = NULL };
	double start = bench_now(BENCH_CPU);
	enum wb_status s = WB_OK;

	if (way == WINDOW && (rows.row = malloc(ROWS * sizeof *rows.row)))
		s = wb_launch_record_issues(l, keep, &rows, &d);
	if (way == RECORD || way == BOTH)
		s = wb_launch_record(l, 0, NULL, NULL, &d);
	if (s == WB_OK && way < TRAVEL)
		s = wb_launch_run(l, &d);
	else if (s == WB_OK)
		s = wb_launch_forward(l, &(struct wb_goal){ .stops = WB_STOP_BREAK }, &at, &d);
	if (s != WB_OK)
		fail(&d);
	double took = bench_now(BENCH_CPU) - start;
	m->record_bytes = (double)(rows.n * sizeof *rows.row);
	for (uint64_t i = 0; wb_launch_chunk(l, i, &chunk); i++)
		m->record_bytes += (double)chunk.size;
	m->issues = issues(l);
	wb_launch_free(l);
	free(rows.row);
	return took;
}

/* The ways take turns, so that other load on the machine falls on all. */
static void measure(const struct work *w, const struct wb_program *p, const struct how *how, unsigned repeat,
		    struct measured m[WAYS])
{
	double seconds[WAYS][REPEAT_MAX];

	for (unsigned i = 0; i < repeat; i++)
		for (enum way way = PLAIN; way < how->end; way++)
			seconds[way][i] = once(w, p, how, way, &m[way]);
	for (enum way way = PLAIN; way < how->end; way++)
		m[way].seconds = bench_summarize(seconds[way], repeat);
}

static void print(const struct work *w, enum way end, const struct measured m[WAYS])
{
	for (enum way way = PLAIN; way < end; way++)
		printf("%-11s %-12s %9.0f  %8.2f  %5.2f  %6.2f\n", w->name, ways[way], m[way].issues,
		       m[way].issues / m[way].seconds.min / 1e6, m[way].seconds.min / m[PLAIN].seconds.min,
		       m[way].record_bytes / m[way].issues);
}

static json_t *to_json(const struct work *w, enum way end, const struct measured m[WAYS])
{
	json_t *all = json_array();

	for (enum way way = PLAIN; way < end; way++)
		json_array_append_new(all, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f}", "program", w->name, "way",
						     ways[way],
						     "issues", m[way].issues, "seconds_min", m[way].seconds.min,
						     "ratio", m[way].seconds.min / m[PLAIN].seconds.min,
						     "record_bytes", m[way].record_bytes));
	return all;
}

static int help(int status)
{
	fputs("Usage: recording [--json] [--repeat N] [--mps N] [--timing on|off] [--brief]\n"
	      "What recording a run and being able to go back in it cost, beside the run alone with fast-forward "
	      "off.\n\n"
	      "  --repeat N       measured runs of each, 1 to 99 (7); the fastest counts\n"
	      "  --mps N          as of run (1)\n"
	      "  --timing on|off  as of run (on)\n"
	      "  --brief          only the run and its recording\n"
	      "  --json           results as one JSON document\n",
	      status ? stderr : stdout);
	return status;
}

/* All ways of recording a program, into `all`, or NULL: printed. */
static void measure_work(const struct work *w, const struct how *how, unsigned repeat, json_t *all)
{
	char path[512];
	struct wb_program *p;
	struct wb_diag d;
	struct measured m[WAYS];

	snprintf(path, sizeof path, "%s/%s", WB_SOURCE_ROOT, w->file);
	if (wb_program_open(path, NULL, &p, &d) != WB_OK)
		fail(&d);
	measure(w, p, how, repeat, m);
	if (all)
		json_array_extend(all, to_json(w, how->end, m));
	else
		print(w, how->end, m);
	wb_program_free(p);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' }, { "repeat", required_argument, NULL, 'r' },
		{ "mps", required_argument, NULL, 'm' }, { "brief", no_argument, NULL, 'b' },
		{ "timing", required_argument, NULL, 't' }, { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 },
	};
	struct how how = { "1", "on", WAYS };
	bool json = false;
	int letter, repeat = 7;

	while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (letter == 'h')
			return help(WB_OK);
		repeat = letter == 'r' ? atoi(optarg) : repeat;
		how.timing = letter == 't' ? optarg : how.timing;
		how.mps = letter == 'm' ? optarg : how.mps;
		how.end = letter == 'b' ? WINDOW : how.end;
		json |= letter == 'j';
		if (letter == '?' || repeat < 1 || repeat > REPEAT_MAX)
			return help(WB_USAGE);
	}
	if (!bench_means_something("recording"))
		return WB_ENV;
	bench_pin();
	json_t *all = json_array();
	if (!json)
		printf("%-11s %-12s %9s  %8s  %5s  %6s\n", "program", "way", "issues", "M/second", "ratio", "bytes");
	for (const struct work *w = works; w < works + WORKS; w++)
		measure_work(w, &how, (unsigned)repeat, json ? all : NULL);
	if (json)
		json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	json_decref(all);
	return WB_OK;
}
