/* A trace carries its program, options, arguments and inputs: options missing on the command line are taken from the
 * trace, and from there on a trace is a program like any other. SIGINT finds the launch through one static pointer,
 * since signal handlers have no argument. As wb_launch_run returns only at the end, a second thread prints the
 * progress. */
#include "frontends/cli/session.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "frontends/cli/interrupts.h"
#include "frontends/cli/programs.h"
#include "frontends/cli/progress.h"
#include "frontends/cli/sample.h"
#include "frontends/cli/save.h"
#include "frontends/cli/vertices.h"

/* The launch that an interrupt stops: the handler has no argument. */
static struct wb_launch *volatile running;

/* Whether a signal stops the launch to be saved (--save). */
static volatile sig_atomic_t saves;

static void stop_running(void)
{
	if (saves)
		wb_launch_pause(running);
	else
		wb_launch_interrupt(running);
}

static bool failed(struct session *s, enum wb_status status)
{
	s->status = status;
	if (!s->diag.file[0])
		snprintf(s->diag.file, sizeof s->diag.file, "%s", s->path);
	complain_diag(&s->diag);
	return false;
}

/* ---- traces ---- */

/* Options with several values are kept one value a line. */
static enum wb_status set_option(struct wb_config *config, const struct trace_option *o, struct wb_diag *d)
{
	enum wb_status status = WB_OK;
	char *copy = strdup(o->value), *rest = copy, *line;
	while (status == WB_OK && (line = strsep(&rest, "\n")))
		status = wb_config_set(config, o->name, line, d);
	free(copy);
	return status;
}

/* The name of an option in force that results may depend on; NULL: none is set. saved: --files says only whether a run
 * that goes on may write. */
static const char *anything_set(const struct wb_config *config, bool saved)
{
	const struct wb_option_info *info;
	for (unsigned i = 0; (info = wb_option(i)); i++)
		if (strcmp(info->name, "simd") && strcmp(info->name, "threads") &&
		    strcmp(info->name, "in-order") && strcmp(info->name, "max-memory") &&
		    strcmp(info->name, "max-seconds") && !(saved && !strcmp(info->name, "files")) &&
		    wb_config_given(config, info->name))
			return info->name;
	return NULL;
}

static enum wb_status read_trace(struct session *s)
{
	struct trace *t = &s->trace;
	struct wb_event e;
	enum wb_status status = trace_open_any(s->path, t, &s->diag);
	if (status == WB_OK && t->saved.bytes && !s->goes_on) {
		snprintf(s->diag.text, sizeof s->diag.text,
			 "is a saved run: `warpbeam run`, `bill` and `annotate` go on with it");
		return s->diag.status = WB_USAGE;
	}
	if (status == WB_OK && t->saved.bytes)
		return WB_OK;
	while (status == WB_OK && trace_next(t, &e, &s->diag))
		;
	if (status == WB_OK && s->diag.status == WB_OK && t->files)
		return WB_OK;
	if (status == WB_OK && s->diag.status == WB_OK)
		snprintf(s->diag.text, sizeof s->diag.text,
			 "a trace of version %d does not carry its program and cannot be run again; export and diff "
			 "read it", t->version);
	else
		return s->diag.status;
	return s->diag.status = WB_INPUT;
}

static enum wb_status load_trace(struct session *s, struct wb_config *config)
{
	const struct trace *t = &s->trace;
	enum wb_status status = read_trace(s);
	const char *set = anything_set(config, t->saved.bytes != NULL);
	s->writes = wb_config_given(config, "files") && !strcmp(wb_config_get(config, "files"), "any");
	if (status == WB_OK && t->saved.bytes && set) {
		snprintf(s->diag.text, sizeof s->diag.text,
			 "is a saved run, which goes on with the options that it began with: --%s is too late", set);
		return s->diag.status = WB_USAGE;
	}
	s->as_recorded = !t->saved.bytes && !set;
	for (size_t i = 0; i < t->noptions && status == WB_OK; i++)
		if (!wb_config_given(config, t->options[i].name))
			status = set_option(config, &t->options[i], &s->diag);
	if (status != WB_OK)
		return status;
	s->config = config;
	wb_config_files(config, t->files, t->nfiles);
	return wb_program_open(t->files[0].name, config, &s->program, &s->diag);
}

static void forward_chunk(void *context, const struct wb_chunk *c)
{
	const struct listeners *to = context;
	if (to->trace)
		trace_chunk(to->trace, c);
	if (to->sample)
		sample_chunk(to->sample, c);
}

bool session_record(struct session *s, const char *path, struct listeners *out)
{
	struct trace_source from = {
		.kernel = s->kernel ? s->kernel->name : "",
		.program = s->program,
		.config = s->config,
		.args = s->args,
		.in = s->in,
	};
	enum wb_status status = WB_OK;
	if (path)
		status = trace_create(path, s->launch, &from, &out->trace, &s->diag);
	if (status == WB_OK && (out->trace || out->sample))
		status = wb_launch_record(s->launch, 0, forward_chunk, out, &s->diag);
	if (status != WB_OK && out->trace) {
		trace_drop(out->trace);
		out->trace = NULL;
	}
	return status == WB_OK || failed(s, status);
}

void session_compare(const struct session *s, const struct wb_report *whole)
{
	const struct trace *t = &s->trace;
	if (!s->as_recorded || !strcmp(t->result, "interrupted") || !strcmp(t->digest, whole->digest))
		return;
	fprintf(stderr, "warpbeam: %s: recorded by version %s; this version, %s, runs the same program differently\n",
		shown(s->path), t->writer ? shown(t->writer) : "?", wb_version());
}

/* ---- loading ---- */

bool session_load(struct session *s, const char *path, struct wb_config *config)
{
	if (s->text)
		return session_load_text(s, path, s->text, strlen(s->text), config);
	s->path = path;
	s->config = config;
	if (trace_sniff(path)) {
		enum wb_status loaded = load_trace(s, config);
		return loaded == WB_OK || failed(s, loaded);
	}
	enum wb_status status = named_program_open(path, config, &s->program, &s->diag);
	return status == WB_OK || failed(s, status);
}

bool session_load_text(struct session *s, const char *name, const char *text, size_t n, struct wb_config *config)
{
	s->path = name;
	s->config = config;
	enum wb_status status = wb_program_load(text, n, name, config, &s->program, &s->diag);
	return status == WB_OK || failed(s, status);
}

/* The library's kernel for `name`; names from files are compared as shown. */
static const struct wb_kernel *find_kernel(const struct wb_program *p, const char *name)
{
	unsigned n = wb_program_kernels(p);

	name = name ? shown(name) : NULL;
	for (unsigned i = 0; i < n; i++)
		if (!name || !strcmp(wb_program_kernel(p, i)->name, name))
			return wb_program_kernel(p, i);
	return NULL;
}

/* Take the vertices of a file, else of the trace. */
static bool set_vertices(struct session *s, struct wb_launch *launch)
{
	const struct trace *t = &s->trace;
	char *text;
	if (s->vertices && !s->in.name) {
		if (!try_read_all(s->vertices, &text, &s->in.size, &s->diag))
			return failed(s, s->diag.status);
		s->in.name = s->vertices;
		s->in.bytes = text;
	}
	for (size_t i = 0; !s->in.name && t->in && i < t->nfiles; i++)
		if (!strcmp(t->in, t->files[i].name)) {
			s->in = t->files[i];
			s->in.bytes = memcpy(grow(NULL, s->in.size + 1), s->in.bytes, s->in.size);
		}
	enum wb_status status = s->in.name ? vertices_read(launch, &s->in, &s->diag) : WB_OK;
	return status == WB_OK || failed(s, status);
}

/* A launch of kernel `kernel` with the session's arguments and vertices. NULL: the error has been printed. */
static struct wb_launch *new_launch(struct session *s, const char *kernel, const struct wb_config *config)
{
	struct wb_launch *launch;
	enum wb_status status = wb_launch_new(s->program, kernel, config, &launch, &s->diag);
	for (const char *const *arg = s->args; s->args_given && *arg && status == WB_OK; arg++)
		status = wb_launch_arg(launch, *arg, &s->diag);
	if (status == WB_OK && set_vertices(s, launch))
		return launch;
	wb_launch_free(launch);
	if (status != WB_OK)
		failed(s, status);
	return NULL;
}

struct wb_launch *session_again(struct session *s)
{
	struct wb_config *config = wb_config_copy(s->config);
	struct wb_launch *launch = NULL;
	struct wb_file file;
	unsigned n = 0;
	while (!s->trace.files && wb_launch_file(s->launch, n, &file)) {
		s->read = grow(s->read, (n + 1) * sizeof *s->read);
		s->read[n++] = file;
	}
	if (config && n)
		wb_config_files(config, s->read, n);
	if (config && wb_config_given(config, "max-seconds")) /* of the user's own run */
		wb_config_set(config, "max-seconds", "0x7fffffffff", NULL);
	launch = config ? new_launch(s, s->kernel ? s->kernel->name : NULL, config) : NULL;
	wb_config_free(config);
	return launch;
}

bool session_launch(struct session *s, const char *kernel, const struct wb_config *config, const char *const *args)
{
	static const char *const none[] = {NULL};
	if (!kernel || !*kernel)
		kernel = s->trace.kernel;
	s->kernel = find_kernel(s->program, kernel);
	s->as_recorded = s->as_recorded && !(args && *args);
	if (!args || !*args)
		args = (const char *const *)s->trace.args;
	s->args_given = args && *args; /* otherwise the launch takes the file's */
	s->args = s->args_given ? args : s->kernel && s->kernel->args ? s->kernel->args : none;
	s->launch = new_launch(s, kernel, config);
	return s->launch;
}

bool session_rewind(struct session *s, const struct cli *c)
{
	enum { MOST = 1 << 20 };
	const char *text = cli_value(c, "rewind");
	unsigned long mib;
	uint64_t bytes;
	s->status = WB_USAGE;
	if (text[strspn(text, "0123456789")] && wb_size(text, &bytes) && bytes >> 20 <= MOST) /* 512K, 1GB */
		mib = (unsigned long)(bytes >> 20);
	else if (!cli_number(c, "rewind", MOST, &mib))
		return false;
	enum wb_status status = wb_launch_record_bytes(s->launch, (size_t)(mib ? mib : 1) << 20, &s->diag);
	return status == WB_OK || failed(s, status);
}

bool session_wants_causes(struct session *s, struct wb_config *config)
{
	static const char *const options[] = {"producers", "accesses"};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		if (wb_config_given(config, options[i]))
			continue;
		enum wb_status status = wb_config_set(config, options[i], "on", &s->diag);
		if (status != WB_OK)
			return failed(s, status);
	}
	return true;
}

bool session_prepare(struct session *s, const char *kernel, const struct wb_config *config, const char *const *args)
{
	if (!session_launch(s, kernel, config, args))
		return false;
	enum wb_status status = wb_launch_prepare(s->launch, &s->diag);
	return status == WB_OK || failed(s, status);
}

/* The watcher beside a run wakes up now and then, and at the end of the run. */
struct watch {
	struct progress progress;
	struct wb_launch *launch;
	double pause_at;                /* seconds (wb_launch_pause); 0: never */
	double began;                   /* on the host's clock */
	struct saved_run before;        /* of a run that goes on */
	bool paused;                    /* that time has come */
	uint64_t instructions_max;      /* --max-insns; 0: no limit */
	uint64_t issues_max;            /* the work ends there, wherever the launch is; 0: with the launch */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool over;
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *watch_progress(void *context)
{
	struct watch *w = context;
	uint64_t done, all, executed, expected;
	pthread_mutex_lock(&w->lock);
	while (!w->over) {
		struct timespec next;
		clock_gettime(CLOCK_REALTIME, &next);
		next.tv_sec++;
		pthread_cond_timedwait(&w->changed, &w->lock, &next);
		if (w->pause_at > 0 && now() - w->began >= w->pause_at) {
			w->paused = true;
			wb_launch_pause(w->launch);
		}
		wb_launch_progress(w->launch, &done, &all);
		wb_launch_work(w->launch, &executed, &expected);
		bool limited = !expected && w->instructions_max; /* no block has ended: the end may be the limit */
		bool early = w->issues_max && (!expected || expected > w->issues_max);
		const struct progress_work work[] = {
			{.unit = all == 1 ? "block" : "blocks", .done = done, .all = all,
			 .before = w->before.blocks},
			{.unit = "instructions", .done = executed,
			 .all = early ? w->issues_max : limited ? w->instructions_max : expected,
			 .estimated = !limited && !early, .before = w->before.instructions},
		};
		if (!w->over)
			progress_show(&w->progress, work + early, sizeof work / sizeof *work - early);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* False: the host has no thread for the watcher. */
static bool watch_begin(struct watch *w, pthread_t *thread, const struct session *s, const struct cli *c)
{
	const char *most = wb_config_get(s->config, "max-insns");

	w->began = now();
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
	w->instructions_max = most && strcmp(most, "none") ? strtoull(most, NULL, 0) : 0;
	progress_start(&w->progress, c, s->path);
	return pthread_create(thread, NULL, watch_progress, w) == 0;
}

static void watch_end(struct watch *w, pthread_t thread)
{
	pthread_mutex_lock(&w->lock);
	w->over = true;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->lock);
	pthread_join(thread, NULL);
	progress_end(&w->progress);
}

/* --verbose: the host's time of a run, and the speed; on stderr, as reports are the same on all hosts. */
static void tell_speed(const struct session *s, double seconds)
{
	uint64_t executed, expected;

	wb_launch_work(s->launch, &executed, &expected);
	complain(WB_OK, "%s: %.3g s of the host, %.3g M warp instructions a second", shown(s->path), seconds,
		 (double)(executed - s->trace.saved.instructions) / seconds / 1e6);
}

static void run_watched(struct session *s, const struct cli *c, double pause_at)
{
	struct watch w = {.launch = s->launch, .pause_at = pause_at, .before = s->trace.saved};
	pthread_t thread;
	bool watched = watch_begin(&w, &thread, s, c);

	s->status = wb_launch_run(s->launch, &s->diag);
	double seconds = now() - w.began;
	if (watched)
		watch_end(&w, thread);
	if (c->verbose && s->launch)
		tell_speed(s, seconds);
	if (w.paused && s->status == WB_INTERRUPTED)
		s->status = WB_LIMIT;
}

void session_beside(const struct session *s, const struct cli *c, struct wb_launch *l, uint64_t most,
		    void (*work)(void *), void *context)
{
	struct watch w = {.launch = l, .issues_max = most};
	pthread_t thread;
	bool watched = watch_begin(&w, &thread, s, c);

	work(context);
	if (watched)
		watch_end(&w, thread);
}

void interruptible_begin(struct wb_launch *l, unsigned n)
{
	running = l;
	interrupts_begin(stop_running, n);
}

bool session_run(struct session *s, const struct cli *c)
{
	struct save_at at;
	if (!save_begin(s, c, &at))
		return false;
	saves = cli_given(c, "save");
	interruptible_begin(s->launch, INTERRUPTS_ALL);
	run_watched(s, c, at.seconds);
	interrupts_end();
	saves = false;
	if (save_end(s, c))
		return false;
	if (s->status == WB_INPUT || s->status == WB_USAGE) {   /* a saved run that cannot go on has no report */
		complain_diag(&s->diag);
		return false;
	}
	s->report = wb_launch_report(s->launch);
	return true;
}

void session_close(struct session *s)
{
	wb_launch_free(s->launch);
	wb_program_free(s->program);
	if (s->config)
		wb_config_files(s->config, NULL, 0);
	free((void *)s->in.bytes);
	free(s->read);
	trace_close(&s->trace);
}
