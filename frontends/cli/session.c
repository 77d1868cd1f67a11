#include "frontends/cli/session.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "frontends/cli/progress.h"
#include "frontends/cli/vertices.h"

/* The launch that SIGINT stops: a signal handler can only know it from here. */
static struct wb_launch *volatile running;

static void on_interrupt(int signal_number)
{
	(void)signal_number;
	if (running)
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

bool session_load(struct session *s, const char *path, const struct wb_config *config)
{
	s->path = path;
	enum wb_status status = wb_program_open(path, config, &s->program, &s->diag);
	return status == WB_OK || failed(s, status);
}

bool session_load_text(struct session *s, const char *name, const char *text, size_t n, const struct wb_config *config)
{
	s->path = name;
	enum wb_status status = wb_program_load(text, n, name, config, &s->program, &s->diag);
	return status == WB_OK || failed(s, status);
}

static const struct wb_kernel *find_kernel(const struct wb_program *p, const char *name)
{
	unsigned n = wb_program_kernels(p);
	for (unsigned i = 0; i < n; i++)
		if (!name || !strcmp(wb_program_kernel(p, i)->name, name))
			return wb_program_kernel(p, i);
	return NULL;
}

bool session_launch(struct session *s, const char *kernel, const struct wb_config *config, const char *const *args)
{
	static const char *const none[] = {NULL};
	if (kernel && !*kernel)
		kernel = NULL;
	enum wb_status status = wb_launch_new(s->program, kernel, config, &s->launch, &s->diag);
	if (status != WB_OK)
		return failed(s, status);
	s->kernel = find_kernel(s->program, kernel);
	bool given = args && *args; /* otherwise the launch takes those of the file */
	s->args = given ? args : s->kernel && s->kernel->args ? s->kernel->args : none;
	for (; given && *args && status == WB_OK; args++)
		status = wb_launch_arg(s->launch, *args, &s->diag);
	if (status == WB_OK && s->vertices && (s->status = vertices_read(s->launch, s->vertices)) != WB_OK)
		return false;
	return status == WB_OK || failed(s, status);
}

bool session_prepare(struct session *s, const char *kernel, const struct wb_config *config, const char *const *args)
{
	if (!session_launch(s, kernel, config, args))
		return false;
	enum wb_status status = wb_launch_prepare(s->launch, &s->diag);
	return status == WB_OK || failed(s, status);
}

/* The watcher beside a run: it wakes up now and then, and when the run is over. */
struct watch {
	struct progress progress;
	const struct wb_launch *launch;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool over;
};

static void *watch_progress(void *context)
{
	struct watch *w = context;
	uint64_t done, all;
	pthread_mutex_lock(&w->lock);
	while (!w->over) {
		struct timespec next;
		clock_gettime(CLOCK_REALTIME, &next);
		next.tv_sec++;
		pthread_cond_timedwait(&w->changed, &w->lock, &next);
		wb_launch_progress(w->launch, &done, &all);
		if (!w->over)
			progress_show(&w->progress, done, all);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static void run_watched(struct session *s, const struct cli *c)
{
	struct watch w = {.launch = s->launch, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
	pthread_t thread;
	progress_start(&w.progress, c, s->path);
	bool watched = w.progress.wanted && pthread_create(&thread, NULL, watch_progress, &w) == 0;
	s->status = wb_launch_run(s->launch, &s->diag);
	if (!watched)
		return;
	pthread_mutex_lock(&w.lock);
	w.over = true;
	pthread_cond_signal(&w.changed);
	pthread_mutex_unlock(&w.lock);
	pthread_join(thread, NULL);
	progress_end(&w.progress);
}

void session_run(struct session *s, const struct cli *c)
{
	struct sigaction stop = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND}, before;
	running = s->launch;
	sigaction(SIGINT, &stop, &before);
	run_watched(s, c);
	sigaction(SIGINT, &before, NULL);
	running = NULL;
	s->report = wb_launch_report(s->launch);
}

void session_close(struct session *s)
{
	wb_launch_free(s->launch);
	wb_program_free(s->program);
}
