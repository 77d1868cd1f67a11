/* The life of a launch as columns of calls: made with its plan, prepared, run to its end, reported, freed.
 * wb_launch_run is the path to read first; a stepped launch goes through inspect/walk.c instead. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "device/launch.h"
#include "core/base/host_threads.h"
#include "inspect/recorder.h"
#include "inspect/stops.h"
#include "inspect/time_travel.h"

/* NULL: the host has no memory. */
static struct wb_launch *new_launch(const struct wb_program *p, const struct wb_config *c)
{
	struct wb_launch *l = calloc(1, sizeof *l);
	struct inputs *in = calloc(1, sizeof *in);

	if (!l || !in || !(in->config = c ? wb_config_copy(c) : wb_config_new())) {
		free(in);
		free(l);
		return NULL;
	}
	in->program = p;
	l->inputs = in;
	l->prepare = launch_prepare;
	l->machine.plan = &l->plan;
	l->machine.arena = &l->arena;
	l->plan.memory.global = l->machine.global = &l->memory;
	for (int i = 0; i < GLOBAL_VIEWS; i++)
		l->plan.memory.g[i] = VIEW_ALL;
	l->plan.param.bytes = l->plan.params;
	l->plan.code.late = &l->late;
	return l;
}

enum wb_status wb_launch_new(const struct wb_program *p, const char *kernel, const struct wb_config *c,
			     struct wb_launch **out, struct wb_diag *wd)
{
	struct wb_launch *l = new_launch(p, c);
	struct diag d = { 0 };

	*out = NULL;
	if (!l) {
		diag_set(&d, DIAG_ENV, "out of memory");
		return public_diag(wd, &d);
	}
	if (!plan_make(l, kernel, &d)) {
		wb_launch_free(l);
		return public_diag(wd, &d);
	}
	l->memory.first_buffer = l->plan.code.target.isa->global_first;
	*out = l;
	return WB_OK;
}

void wb_launch_free(struct wb_launch *l)
{
	if (!l)
		return;
	past_free(l);
	recorder_free(l);
	stops_free(l);
	machine_free(&l->machine);
	global_free(&l->memory);
	arena_free(&l->report_arena);
	arena_free(&l->late);
	arena_free(&l->arena);
	free(l->inputs->arg);
	free(l->inputs->bound);
	free(l->plan.pokes.item);
	vertices_free(l);
	arena_free(&l->inputs->prints.arena);
	wb_config_free(l->inputs->config);
	free(l->inputs);
	free(l);
}

bool wb_launch_file(const struct wb_launch *l, unsigned index, struct wb_file *out)
{
	return files_get(&l->inputs->files, index, out);
}

enum wb_status wb_launch_arg(struct wb_launch *l, const char *arg, struct wb_diag *wd)
{
	struct diag d = { 0 };

	return launch_argument(l, arg, &d) ? WB_OK : public_diag(wd, &d);
}

enum wb_status wb_launch_prepare(struct wb_launch *l, struct wb_diag *wd)
{
	struct diag d = { 0 };

	return launch_prepare(l, &d) ? WB_OK : public_diag(wd, &d);
}

/* ---- --max-seconds: a thread that interrupts the launch after this many seconds ---- */

struct deadline {
	struct machine *machine;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct timespec until;
	bool set, over;
};

static void *watch_clock(void *context)
{
	struct deadline *t = context;
	int r = 0;

	pthread_mutex_lock(&t->lock);
	while (!t->over && r != ETIMEDOUT)
		r = pthread_cond_clockwait(&t->changed, &t->lock, CLOCK_MONOTONIC, &t->until);
	if (!t->over) {
		t->machine->out_of_time = true;
		t->machine->interrupt = true;
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

static bool deadline_begin(struct deadline *t, struct wb_launch *l, struct diag *d)
{
	int64_t seconds = config_number(l->inputs->config, OPT_MAX_SECONDS);

	*t = (struct deadline){ .machine = &l->machine, .lock = PTHREAD_MUTEX_INITIALIZER,
				.changed = PTHREAD_COND_INITIALIZER };
	if (seconds == NUMBER_NONE || seconds > INT32_MAX)
		return true;
	clock_gettime(CLOCK_MONOTONIC, &t->until);
	t->until.tv_sec += seconds;
	t->set = pthread_create(&t->thread, NULL, watch_clock, t) == 0;
	return t->set || diag_set(d, DIAG_ENV, "cannot start a thread for --max-seconds");
}

static void deadline_end(struct deadline *t)
{
	if (!t->set)
		return;
	pthread_mutex_lock(&t->lock);
	t->over = true;
	pthread_cond_signal(&t->changed);
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->thread, NULL);
}

enum wb_status wb_launch_run(struct wb_launch *l, struct wb_diag *wd)
{
	struct deadline deadline;
	bool ran;
	struct diag d = { 0 };

	if (l->machine.result) {
		diag_set(&d, DIAG_USAGE, "this launch has run already");
		return public_diag(wd, &d);
	}
	if (!launch_prepare(l, &d) || !deadline_begin(&deadline, l, &d))
		return public_diag(wd, &d);
	machine_begin(&l->machine);
	ran = machine_run(&l->machine, &d);
	deadline_end(&deadline);
	if (!ran)
		return public_diag(wd, &d);
	launch_settle(l);
	recorder_flush(l);
	l->report_due = true;
	/* the report finds the source line of a fault */
	if (l->machine.why.kind != DIAG_OK && !wb_launch_report(l)) {
		diag_set(&d, DIAG_ENV, "out of memory for the report");
		return public_diag(wd, &d);
	}
	return l->machine.why.kind == DIAG_OK ? WB_OK : public_diag(wd, &l->machine.why);
}

void wb_launch_interrupt(struct wb_launch *l)
{
	l->machine.interrupt = true;
}

void wb_launch_progress(const struct wb_launch *l, uint64_t *done, uint64_t *all)
{
	*done = l->machine.run.finished_blocks;
	*all = l->plan.dim.blocks;
}

void wb_launch_work(const struct wb_launch *l, uint64_t *executed, uint64_t *expected)
{
	uint64_t blocks = l->machine.work_done.blocks;
	uint64_t in_blocks = l->machine.work_done.in_blocks;
	double all = blocks ? (double)in_blocks * (double)l->plan.dim.blocks / (double)blocks : 0;

	*executed = l->machine.work_done.instructions;
	*expected = all < 0x1p63 ? (uint64_t)all : UINT64_MAX;
}
