/* A launch from the request of a host call to its record, as a column of calls in program_launch. */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/program/keep.h"

/* A kernel has up to two prepared forms: with the program's options, and bare where `only` wants statistics of another
 * launch; the device of the bare form holds its variables alone. */
struct program_kernel {
	const struct wb_program *from;
	struct wb_config *config;       /* as `from` was loaded */
	struct wb_prepared *full;
	struct wb_prepared *bare;       /* NULL: not needed */
	struct wb_device *bare_device;
	struct launched *launched;      /* count of the kernel's launches, among the program's; NULL: none yet */
};

void program_kernel_free(struct program_kernel *k)
{
	if (!k)
		return;
	wb_prepared_free(k->full);
	wb_prepared_free(k->bare);
	wb_device_free(k->bare_device);
	wb_config_free(k->config);
	free(k);
}

const struct wb_prepared *program_prepared(const struct program_kernel *k)
{
	return k->full;
}

const struct wb_program *program_source(const struct program_kernel *k)
{
	return k->from;
}

struct wb_config *program_options_of(const struct program_kernel *k)
{
	return k->config;
}

static enum wb_status no_memory(struct wb_diag *d)
{
	if (d) {
		*d = (struct wb_diag){ .status = WB_ENV, .offset = -1 };
		strcpy(d->text, "out of memory");
	}
	return WB_ENV;
}

static enum wb_status prepare_bare(struct program *p, struct program_kernel *k, struct wb_diag *d)
{
	const struct wb_prepared_info *info = wb_prepared_info(k->full);
	enum wb_status status = program_bare(p, info->chip, &k->bare_device, d);

	return status == WB_OK ? wb_prepare(k->bare_device, k->from, info->name, &k->bare, d) : status;
}

enum wb_status program_prepare(struct program *p, struct wb_device *device, const struct wb_program *from,
			       const struct wb_config *c, const char *name, struct program_kernel **out,
			       struct wb_diag *d)
{
	struct program_kernel *k = calloc(1, sizeof *k);
	enum wb_status status = WB_OK;

	*out = NULL;
	if (!k || !(k->config = wb_config_copy(c)))
		status = no_memory(d);
	if (status == WB_OK) {
		k->from = from;
		status = wb_prepare(device, from, name, &k->full, d);
	}
	if (status == WB_OK && p->value[PROGRAM_ONLY])
		status = prepare_bare(p, k, d);
	if (status == WB_OK)
		*out = k;
	else
		program_kernel_free(k);
	return status;
}

/* ---- one launch ---- */

/* The count of launches of all kernels of a name. NULL: no memory. Under the lock. */
static struct launched *find_launched(struct program *p, const char *kernel)
{
	struct launched *l;

	for (l = p->launched; l && strcmp(l->name, kernel); l = l->next)
		;
	if (!l && (l = malloc(sizeof *l + strlen(kernel) + 1))) {
		l->next = p->launched;
		l->times = 0;
		strcpy(l->name, kernel);
		p->launched = l;
	}
	return l;
}

/* Count a launch of a kernel: the number of the launch in the process, and of launches of the kernel. */
static uint64_t count(struct program *p, struct program_kernel *k, uint64_t *times)
{
	uint64_t index;

	pthread_mutex_lock(&p->lock);
	if (!k->launched)
		k->launched = find_launched(p, wb_prepared_info(k->full)->name);
	*times = k->launched ? ++k->launched->times : 0;
	index = ++p->launches;
	pthread_mutex_unlock(&p->lock);
	return index;
}

void program_name_launch(char text[PROGRAM_NAME_BYTES], const struct program_launch *r, uint64_t index)
{
	struct wb_file f = { .name = "?" };

	wb_program_file(r->kernel->from, 0, &f);
	snprintf(text, PROGRAM_NAME_BYTES, "launch %" PRIu64 ", kernel %.80s of %.80s, by call %" PRIu64 " of %.60s",
		 index, wb_prepared_info(r->kernel->full)->name, f.name, r->number, r->call);
}

/* Whether a text is that of an assertion in a kernel, which the headers and the compiler of kernels write. */
static bool is_assertion(const char *text)
{
	static const char end[] = " failed.\n";
	size_t n = strlen(text);

	return n >= sizeof end && !strcmp(text + n - (sizeof end - 1), end) && strstr(text, "ssertion `");
}

/* Print what the kernel prints. Returns whether an assertion is among the texts. */
static bool write_prints(struct program *p, const struct keep_request *q)
{
	char name[PROGRAM_NAME_BYTES];
	const struct wb_print *print;
	uint64_t lost;
	size_t n = wb_launch_prints(q->launch, &print, &lost);
	bool asserted = false;

	for (size_t i = 0; i < n; i++) {
		fputs(print[i].text, stdout);
		asserted |= is_assertion(print[i].text);
	}
	if (!lost)
		return asserted;
	program_name_launch(name, q->request, q->index);
	program_say(p, "%s: %" PRIu64 " bytes more than WARPBEAM_PRINTF_BYTES are not printed", name, lost);
	return asserted;
}

/* Whether the fault of a launch is a trap of the program's own: states of warps name the fault (core/fault.def). */
static bool is_trap(const struct wb_report *r)
{
	for (unsigned i = 0; r && i < r->nwaits; i++)
		if (strstr(r->waits[i], ": TRAP ("))
			return true;
	return false;
}

/* A mishap of many launches of a kernel is told once, as of the first; numbers at the end may differ, as in
 * "(3 times)". */
static bool is_new(struct program *p, const struct program_kernel *k, const char *text)
{
	char key[512];
	int n = snprintf(key, sizeof key, "%s: %s", wb_prepared_info(k->full)->name, text);

	if (n > 0 && (size_t)n < sizeof key && key[n - 1] == ')' && strrchr(key, '('))
		*strrchr(key, '(') = '\0';
	return program_news(p, key);
}

/* "launch 3, …, in main (app.c:42)": the place is looked for only where a line is printed. */
static void name_with_site(char text[PROGRAM_NAME_BYTES], const struct keep_request *q)
{
	size_t n;

	program_name_launch(text, q->request, q->index);
	n = strlen(text);
	program_site(text + n, PROGRAM_NAME_BYTES - n);
}

/* Findings are warnings of the report, with the place in the kernel; they leave the results as they are. */
static void tell(struct program *p, const struct keep_request *q, const struct wb_report *report,
		 struct program_result *out)
{
	const struct program_kernel *k = q->request->kernel;
	unsigned findings = report ? report->nwarnings : 0;
	char whole[PROGRAM_NAME_BYTES];

	for (unsigned i = 0; i < findings; i++) {
		if (!is_new(p, k, report->warnings[i]))
			continue;
		name_with_site(whole, q);
		program_say(p, "%s: %s", whole, report->warnings[i]);
	}
	if (out->status != WB_OK && !(out->status == WB_FAILED && findings) && is_new(p, k, out->diag.text)) {
		name_with_site(whole, q);
		program_say_diag(p, whole, &out->diag);
	}
	if (out->status == WB_FAILED)
		out->status = WB_OK;
}

/* Run to the end, and learn what is asked for. */
static void run(struct program *p, const struct keep_request *q, struct program_record *record,
		struct program_result *out)
{
	struct kept kept;

	memset(&kept, 0, offsetof(struct kept, path));
	kept.path[0] = '\0';
	program_begins(p, q->request, q->index);
	program_keep(p, &kept, q);
	out->status = wb_launch_run(q->launch, &out->diag);
	bool asserted = write_prints(p, q);
	if (out->status == WB_OK || out->status == WB_FAILED)
		out->nanoseconds = wb_launch_nanoseconds(q->launch);
	if (!out->nanoseconds)
		out->nanoseconds = 1;
	program_kept(p, &kept, q->launch, out);
	if (out->status != WB_OK)
		record->report = wb_launch_report(q->launch);
	else if (q->studied && program_records(p))
		record->report = wb_launch_totals(q->launch);
	out->trapped = out->status == WB_FAULT && is_trap(record->report);
	out->asserted = out->trapped && asserted;
	tell(p, q, record->report, out);
}

/* The texts of a diagnostic are read behind a failure alone, and not cleared whole. */
static void begin_result(struct program_result *out)
{
	out->status = out->diag.status = WB_OK;
	out->diag.file[0] = out->diag.text[0] = '\0';
	out->diag.line = out->diag.column = 0;
	out->diag.offset = -1;
	out->nanoseconds = 1;
	out->trapped = out->asserted = false;
}

enum wb_status program_launch(struct program *p, const struct program_launch *r, struct program_result *out)
{
	struct program_record record = { .request = r, .result = out };
	struct keep_request q = { .request = r };

	begin_result(out);
	record.index = q.index = count(p, r->kernel, &q.times);
	q.studied = !p->value[PROGRAM_ONLY] ||
		    program_names(p->value[PROGRAM_ONLY], wb_prepared_info(r->kernel->full)->name, q.times);
	out->status = wb_launch_on(r->device, q.studied ? r->kernel->full : r->kernel->bare, &r->size, r->params,
				   r->param_bytes, &q.launch, &out->diag);
	if (q.launch)
		run(p, &q, &record, out);
	else
		tell(p, &q, NULL, out);
	program_record(p, &record);
	wb_launch_free(q.launch);
	return out->status;
}
