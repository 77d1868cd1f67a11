/* Launches kept as trace files (frontends/trace), which stand in place of a program: debug, view, page, run and report
 * open such a file. The file has the program, the options and the state that the launch began with. One launch may be
 * wanted before it runs (`stop-at`), every launch with all events (`trace`), or the dearest of all, which is known
 * after the run: the state is then held meanwhile. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "frontends/program/keep.h"

#define STATE_NAME "launch.state"

static const char *const state_arguments[] = { "state=" STATE_NAME, NULL };

static void set_source(struct kept *k, const struct program_launch *r)
{
	k->file = (struct wb_file){ STATE_NAME, k->state.data, k->state.size };
	k->from = (struct trace_source){
		.kernel = wb_prepared_info(program_prepared(r->kernel))->name, .program = program_source(r->kernel),
		.config = program_options_of(r->kernel), .args = state_arguments, .files = &k->file, .nfiles = 1,
	};
}

/* "FOLDER/PREFIXkernelSUFFIX.trace", of a kernel name whatever. */
static void name_file(char path[KEPT_PATH], const char *start, const char *kernel, const char *end)
{
	int n = snprintf(path, KEPT_PATH, "%s", start), from = n < KEPT_PATH ? n : KEPT_PATH - 1;

	snprintf(path + from, (size_t)(KEPT_PATH - from), "%.100s%s.trace", kernel, end);
	for (char *p = path + from; *p; p++)
		if (*p == '/' || (unsigned char)*p <= ' ')
			*p = '_';
}

static void failed(struct program *p, const char *path, const struct wb_diag *d)
{
	program_say(p, "%s: cannot keep the launch: %s", path, d->text);
}

/* A trace without events: the launch is run again by whoever opens the file. */
static bool write_plain(struct program *p, struct kept *k, struct wb_launch *l, const char *path,
			const struct wb_report *report)
{
	struct trace_writer *w;
	struct wb_diag d;

	if (trace_create(path, l, &k->from, &w, &d) == WB_OK && trace_finish(w, report))
		return true;
	program_say(p, "%s: cannot write the launch", path);
	return false;
}

static void stop_at(struct program *p, struct kept *k, const struct keep_request *q)
{
	const struct wb_report never_run = { .result = "interrupted" };
	const char *place = p->value[PROGRAM_STOP_AT];
	char path[KEPT_PATH], end[32], name[PROGRAM_NAME_BYTES], kernel[PROGRAM_NAME_BYTES];
	size_t bytes;
	uint64_t n;

	program_place(place, &bytes, &n);
	snprintf(kernel, sizeof kernel, "%.*s", (int)bytes, place);     /* of C++, the name alone or the symbol */
	snprintf(end, sizeof end, "-%" PRIu64, q->times);
	name_file(path, "", kernel, end);
	if (!write_plain(p, k, q->launch, path, &never_run))
		return;
	program_name_launch(name, q->request, q->index);
	program_say(p, "%s: kept in %s, for warpbeam debug, view, page or run", name, path);
}

/* The trace's file has the launch's code, so the launch is prepared first, and a prepared launch is recorded no more:
 * the sink comes before, the file behind. */
static void record_chunk(void *kept, const struct wb_chunk *c)
{
	struct kept *k = kept;

	if (k->trace)
		trace_chunk(k->trace, c);
}

static void begin_trace(struct program *p, struct kept *k, const struct keep_request *q)
{
	char start[KEPT_PATH];
	struct wb_diag d;

	if (mkdir(p->value[PROGRAM_TRACE], 0777) && errno != EEXIST) {
		program_say(p, "%s: cannot make the folder of traces: %s", p->value[PROGRAM_TRACE], strerror(errno));
		return;
	}
	snprintf(start, sizeof start, "%.300s/%05" PRIu64 "-", p->value[PROGRAM_TRACE], q->index);
	name_file(k->path, start, k->from.kernel, "");
	if (wb_launch_record(q->launch, 0, record_chunk, k, &d) != WB_OK ||
	    trace_create(k->path, q->launch, &k->from, &k->trace, &d) != WB_OK)
		failed(p, k->path, &d);
}

void program_keep(struct program *p, struct kept *k, const struct keep_request *q)
{
	bool stops = p->value[PROGRAM_STOP_AT] &&
		     program_names(p->value[PROGRAM_STOP_AT],
				   wb_prepared_info(program_prepared(q->request->kernel))->name, q->times);
	bool traces = p->value[PROGRAM_TRACE] && q->studied, dearest = p->value[PROGRAM_DEAREST] && q->studied;
	struct wb_diag d;
	char name[PROGRAM_NAME_BYTES];

	if (!stops && !traces && !dearest)
		return;
	if (wb_launch_state(q->launch, &k->state, &d) != WB_OK) {
		program_name_launch(name, q->request, q->index);
		failed(p, name, &d);
		return;
	}
	set_source(k, q->request);
	if (traces)
		begin_trace(p, k, q);
	if (stops && wb_launch_prepare(q->launch, &d) == WB_OK) /* else the run says why */
		stop_at(p, k, q);
}

/* Write the launch if it is the dearest up to now. */
static void keep_dearest(struct program *p, struct kept *k, struct wb_launch *l, const struct wb_report *report,
			 uint64_t nanoseconds)
{
	pthread_mutex_lock(&p->dearest_lock);
	if (nanoseconds > p->dearest && write_plain(p, k, l, p->value[PROGRAM_DEAREST], report))
		p->dearest = nanoseconds;
	pthread_mutex_unlock(&p->dearest_lock);
}

void program_kept(struct program *p, struct kept *k, struct wb_launch *l, const struct program_result *result)
{
	const struct wb_report *report = k->state.data ? wb_launch_report(l) : NULL;

	if (k->trace && !(report && report->result))
		trace_drop(k->trace);
	else if (k->trace && !trace_finish(k->trace, report))
		program_say(p, "%s: cannot write all of the trace", k->path);
	if (report && report->result && p->value[PROGRAM_DEAREST])
		keep_dearest(p, k, l, report, result->nanoseconds);
	wb_text_free(&k->state);
}
