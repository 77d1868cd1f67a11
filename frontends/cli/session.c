#include "frontends/cli/session.h"

#include <signal.h>
#include <string.h>

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
	*s = (struct session){.path = path};
	enum wb_status status = wb_program_open(path, config, &s->program, &s->diag);
	return status == WB_OK || failed(s, status);
}

bool session_load_text(struct session *s, const char *name, const char *text, size_t n, const struct wb_config *config)
{
	*s = (struct session){.path = name};
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

bool session_prepare(struct session *s, const char *kernel, const struct wb_config *config, const char *const *args)
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
	return status == WB_OK || failed(s, status);
}

void session_run(struct session *s)
{
	struct sigaction stop = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND}, before;
	running = s->launch;
	sigaction(SIGINT, &stop, &before);
	s->status = wb_launch_run(s->launch, &s->diag);
	sigaction(SIGINT, &before, NULL);
	running = NULL;
	s->report = wb_launch_report(s->launch);
}

void session_close(struct session *s)
{
	wb_launch_free(s->launch);
	wb_program_free(s->program);
}
