/* Records of launches: rows of the table, and lines of JSON in a file. A line is written when the launch ends, in one
 * write at the end of the file: several processes may share a file, and a crash loses nothing. The journal of
 * `warpbeam run` also has the lines {"open":INTERFACE,"counts":SUFFIX} and {"begin":LAUNCH,…}; launches that are
 * counted (counts.h) have no lines. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "frontends/program/state.h"

/* Takes the reference. */
static void write_line(struct program *p, json_t *o)
{
	char *line = o ? json_dumps(o, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
	size_t n = line ? strlen(line) : 0;

	if (line)
		line[n++] = '\n';       /* in the place of the 0 */
	if (!line || write(p->journal, line, n) != (ssize_t)n)
		program_say(p, "the file of launches lacks launches: %s", line ? strerror(errno) : "out of memory");
	free(line);
	json_decref(o);
}

static void open_run(struct program *p, const char *path)
{
	char suffix[COUNTS_SUFFIX];

	if (p->value[PROGRAM_BRIEF])
		p->counts = counts_open(path, suffix);
	write_line(p, json_pack("{s:s, s:s*}", "open", p->interface, "counts", p->counts ? suffix : NULL));
}

void program_journal(struct program *p)
{
	const char *run = p->value[PROGRAM_JOURNAL], *own = p->value[PROGRAM_LAUNCHES];

	if (!run && !own)
		return;
	p->marked = run;
	p->journal = open(run ? run : own, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | (run ? 0 : O_TRUNC), 0666);
	if (p->journal < 0)
		program_say(p, "%s: cannot write launches: %s", run ? run : own, strerror(errno));
	else if (run)
		open_run(p, run);
}

bool program_records(const struct program *p)
{
	return p->journal >= 0 || p->listed;
}

static json_t *integer(uint64_t n)
{
	return json_integer((json_int_t)n);
}

/* A text that may have any bytes. */
static json_t *text_of(const char *text)
{
	char clean[1024];

	wb_clean(text, strlen(text), "", clean, sizeof clean);
	return json_string(clean);
}

/* A size as launches take it: a 0 in y and z is a 1. */
static void full_size(uint32_t to[3], const uint32_t from[3])
{
	for (int i = 0; i < 3; i++)
		to[i] = from[i] || !i ? from[i] : 1;
}

static json_t *three(const uint32_t n[3])
{
	return json_pack("[I, I, I]", (json_int_t)n[0], (json_int_t)n[1], (json_int_t)n[2]);
}

static json_t *size_of(const uint32_t from[3])
{
	uint32_t n[3];

	full_size(n, from);
	return three(n);
}

/* The end of the launch: the report's word, else "refused", or "ok" of a launch that nobody studies. */
static const char *result_of(const struct program_record *r)
{
	return r->report && r->report->result ? r->report->result : r->result->status == WB_OK ? "ok" : "refused";
}

static double counter(const struct wb_report *r, const char *name)
{
	for (unsigned i = 0; r && i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, name))
			return r->counters[i].value;
	return 0;
}

static json_t *counters_of(const struct wb_report *r, bool brief)
{
	json_t *o = json_object();

	if (brief) {
		json_object_set_new(o, "instructions", integer((uint64_t)counter(r, "instructions")));
		return o;
	}
	for (unsigned i = 0; i < r->ncounters; i++) {
		const struct wb_counter *k = &r->counters[i];
		json_object_set_new(o, k->name, k->integer ? integer((uint64_t)k->value) : json_real(k->value));
	}
	return o;
}

static json_t *bill_of(const struct wb_bill *b, bool brief)
{
	json_t *o = json_object();
	const struct { const char *name; uint64_t n; } part[] = {
		{ "lane_slots", b->lane_slots }, { "useful", b->useful }, { "predicated", b->predicated },
		{ "branched_off", b->branched_off }, { "brk", b->brk }, { "ret", b->ret }, { "exited", b->exited },
		{ "absent", b->absent }, { "rejoin", b->rejoin }, { "helper", b->helper },
	};

	for (size_t i = 0; i < (brief ? 2 : sizeof part / sizeof *part); i++)
		json_object_set_new(o, part[i].name, integer(part[i].n));
	return o;
}

static json_t *warnings_of(const struct wb_report *r)
{
	json_t *a = json_array();

	for (unsigned i = 0; i < r->nwarnings; i++)
		json_array_append_new(a, text_of(r->warnings[i]));
	return a;
}

static json_t *line_of(const struct program_record *r, bool brief)
{
	const struct program_launch *q = r->request;
	const struct wb_prepared_info *k = wb_prepared_info(program_prepared(q->kernel));
	json_t *o = json_object();

	json_object_set_new(o, "launch", integer(r->index));
	json_object_set_new(o, "kernel", text_of(k->name));
	json_object_set_new(o, "chip", text_of(k->chip));
	json_object_set_new(o, "grid", size_of(q->size.grid));
	json_object_set_new(o, "block", size_of(q->size.block));
	if (!brief) {
		json_object_set_new(o, "offset", three(q->size.offset));
		json_object_set_new(o, "shared_bytes", integer(q->size.shared_bytes));
	}
	json_object_set_new(o, "call", text_of(q->call));
	json_object_set_new(o, "number", integer(q->number));
	json_object_set_new(o, "result", text_of(result_of(r)));
	json_object_set_new(o, "nanoseconds", integer(r->result->nanoseconds));
	if (r->result->diag.text[0])
		json_object_set_new(o, "diagnostic", text_of(r->result->diag.text));
	if (!r->report || !r->report->result)
		return o;
	if (!brief)
		json_object_set_new(o, "digest", text_of(r->report->digest));
	json_object_set_new(o, "counters", counters_of(r->report, brief));
	json_object_set_new(o, "bill", bill_of(&r->report->bill, brief));
	json_object_set_new(o, "warnings", warnings_of(r->report));
	return o;
}

/* The launch as the table has it; r NULL: before its end. */
static struct table_launch numbers_of(const struct program_launch *q, const struct program_record *r)
{
	struct table_launch l = { .kernel = wb_prepared_info(program_prepared(q->kernel))->name,
				  .good = r && r->result->status == WB_OK };

	full_size(l.grid, q->size.grid);
	full_size(l.block, q->size.block);
	l.numbers.nanoseconds = r ? r->result->nanoseconds : 0;
	if (r && r->report) {
		l.numbers.instructions = (uint64_t)counter(r->report, "instructions");
		l.numbers.lane_slots = r->report->bill.lane_slots;
		l.numbers.useful = r->report->bill.useful;
		l.numbers.findings = r->report->nwarnings;
	}
	return l;
}

static void count_end(struct program *p, const struct program_record *r, const struct table_launch *l)
{
	if (p->counts->running.index != r->index)       /* refused, or other threads launch as well */
		counts_begin(p->counts, r->index, l->kernel, r->request->number, r->request->call);
	counts_end(p->counts, l, wb_prepared_info(program_prepared(r->request->kernel))->chip);
}

void program_record(struct program *p, const struct program_record *r)
{
	bool counted;

	if (!p->listed && !p->counts && p->journal < 0)
		return;
	const struct table_launch l = numbers_of(r->request, r);
	pthread_mutex_lock(&p->lock);
	if (p->listed)
		table_add(&p->table, &l);
	if ((counted = p->counts && counts_has(p->counts, &l)))
		count_end(p, r, &l);
	pthread_mutex_unlock(&p->lock);
	if (p->journal >= 0 && !counted)
		write_line(p, line_of(r, p->marked && p->value[PROGRAM_BRIEF]));
}

void program_begins(struct program *p, const struct program_launch *q, uint64_t index)
{
	bool counted;

	if (!p->marked)
		return;
	const struct table_launch l = numbers_of(q, NULL);
	pthread_mutex_lock(&p->lock);
	if ((counted = p->counts && counts_has(p->counts, &l)))
		counts_begin(p->counts, index, l.kernel, q->number, q->call);
	pthread_mutex_unlock(&p->lock);
	if (!counted)
		write_line(p, json_pack("{s:I, s:o, s:o, s:I}", "begin", (json_int_t)index, "kernel",
					text_of(l.kernel), "call", text_of(q->call), "number", (json_int_t)q->number));
}
