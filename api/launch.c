/* The life of a launch as columns of calls: made with its plan, prepared, run to its end, reported, freed.
 * wb_launch_run is the path to read first; a stepped launch goes through inspect/walk.c instead. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/kept.h"
#include "device/saving.h"
#include "core/base/host_floats.h"
#include "core/base/host_threads.h"
#include "core/base/sanitized.h"
#include "inspect/check.h"
#include "inspect/recorder.h"
#include "inspect/stops.h"
#include "inspect/time_travel.h"
#include "machine/clock.h"

/* A launch with a plan like k's. NULL: the host has no memory. */
static struct wb_launch *new_launch(struct wb_device *v, const struct wb_prepared *k)
{
	struct wb_launch *l = v->spare ? v->spare : malloc(sizeof *l + sizeof *l->inputs);

	if (!l)
		return NULL;
	v->spare = NULL;
	launch_blank(l, v, k);
	l->plan = k->plan;
	l->plan.shared_code = true;
	l->plan.memory.global = &v->memory;
	l->plan.param.bytes = l->plan.params;
	return l;
}

/* The launch of a prepared kernel and a device of its own: both are the launch's from here on. */
static struct wb_launch *new_alone(struct wb_device *v, struct wb_prepared *k)
{
	struct wb_launch *l = new_launch(v, k);

	if (!l)
		return NULL;
	l->inputs->own_prepared = k;
	l->inputs->own_device = v;
	l->own_plan = true;
	l->plan.shared_code = false;
	l->machine.counts_reach = false;        /* may be saved, stepped and changed */
	v->memory.first_buffer = l->plan.code.target.isa->global_first;
	if (v->memory.first_buffer && image_short_pointers(l->plan.kernel))
		v->memory.first_buffer = GLOBAL_FIRST_BUFFER;
	return l;
}

static bool begin(struct wb_launch *l, const struct wb_launch_size *size, struct diag *d)
{
	return check_begin(l, config_text(l->inputs->config, OPT_CHECK), d) && plan_size(l, size, d);
}

enum wb_status wb_launch_new(const struct wb_program *p, const char *kernel, const struct wb_config *c,
			     struct wb_launch **out, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct wb_prepared *k = prepared_new(p, c);
	struct wb_device *v = device_new();
	struct wb_launch *l = NULL;
	struct diag d = { 0 };

	*out = NULL;
	if (!k || !v || (prepared_make(k, kernel, &d) && !(l = new_alone(v, k))))
		diag_set(&d, DIAG_ENV, "out of memory");
	if (l && begin(l, NULL, &d)) {
		*out = l;
		return WB_OK;
	}
	wb_launch_free(l);
	if (!l) {
		wb_prepared_free(k);
		wb_device_free(v);
	}
	return public_diag(wd, &d);
}

/* The launch knows its size for kept_take. */
static bool begin_sized(struct wb_launch *l, const struct wb_launch_size *size, struct diag *d)
{
	l->inputs->sized.by_caller = size != NULL;
	l->inputs->sized.kernel = l->inputs->prepared->number;
	if (size)
		l->inputs->sized.size = *size;
	return begin(l, size, d);
}

enum wb_status wb_launch_on(struct wb_device *v, const struct wb_prepared *k, const struct wb_launch_size *size,
			    const void *params, size_t n, struct wb_launch **out, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct wb_launch *l = NULL;
	struct diag d;

	diag_none(&d);
	*out = NULL;
	if (strcmp(v->chip->name, k->plan.chip.name))
		diag_set(&d, DIAG_USAGE, "kernel %.60s is prepared for chip %s, and the device is chip %s",
			 k->plan.kernel->name, k->plan.chip.name, v->chip->name);
	else if (!(l = kept_take(v, k, size)) && !(l = new_launch(v, k)))
		diag_set(&d, DIAG_ENV, "out of memory");
	else if ((l->again || begin_sized(l, size, &d)) && params_take(l, params, n, &d))
		*out = l;
	if (d.kind == DIAG_OK)
		return WB_OK;
	wb_launch_free(l);
	return public_diag(wd, &d);
}

/* The next launch of the device has the memory. AddressSanitizer is to see uses of a freed launch. */
static void free_or_keep(struct wb_launch *l, struct wb_device *v)
{
#ifndef ADDRESS_SANITIZER
	if (v && !v->spare) {
		v->spare = l;
		return;
	}
#endif
	free(l);
}

void wb_launch_free(struct wb_launch *l)
{
	if (!l || kept_add(l))
		return;
	past_free(l);
	recorder_free(l);
	stops_free(l);
	machine_free(&l->machine);
	if (!l->own_plan)
		global_release_all(l->machine.global, l->inputs->owner);
	arena_free(&l->report_arena);
	arena_free(&l->late);
	arena_free(&l->arena);
	free(l->inputs->arg);
	free(l->inputs->bound);
	free(l->plan.pokes.item);
	vertices_free(l);
	arena_free(&l->inputs->prints.arena);
	wb_prepared_free(l->inputs->own_prepared);
	wb_device_free(l->inputs->own_device);
	free_or_keep(l, l->inputs->own_device ? NULL : l->inputs->device);
}

bool wb_launch_file(const struct wb_launch *l, unsigned index, struct wb_file *out)
{
	unsigned before = files_count(&l->inputs->prepared->files);

	return index < before ? files_get(&l->inputs->prepared->files, index, out) :
				files_get(&l->inputs->files, index - before, out);
}

enum wb_status wb_launch_arg(struct wb_launch *l, const char *arg, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct diag d = { 0 };

	l->machine.global->owner = l->inputs->owner;
	if (l->inputs->params_given)
		diag_set(&d, DIAG_USAGE, "-a %s: the launch has its parameters as bytes", arg);
	else
		launch_argument(l, arg, &d);
	l->machine.global->owner = OWNER_CALLER;
	return d.kind == DIAG_OK ? WB_OK : public_diag(wd, &d);
}

enum wb_status wb_launch_prepare(struct wb_launch *l, struct wb_diag *wd)
{
	USUAL_FLOATS;
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

	t->set = false;
	if (seconds == NUMBER_NONE || seconds > INT32_MAX)
		return true;
	*t = (struct deadline){ .machine = &l->machine, .lock = PTHREAD_MUTEX_INITIALIZER,
				.changed = PTHREAD_COND_INITIALIZER };
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
	USUAL_FLOATS;
	struct deadline deadline;
	bool ran;
	struct diag d;

	diag_none(&d);
	if (l->machine.result) {
		diag_set(&d, DIAG_USAGE, "this launch has run already");
		return public_diag(wd, &d);
	}
	if (!launch_prepare(l, &d) || !deadline_begin(&deadline, l, &d))
		return public_diag(wd, &d);
	machine_begin(&l->machine);
	ran = machine_run(&l->machine, &d);
	deadline_end(&deadline);
	if (ran && l->machine.paused)
		l->saving->paused(l, &d);
	if (!ran || d.kind != DIAG_OK)  /* or it stands still, to be saved */
		return public_diag(wd, &d);
	launch_settle(l);
	recorder_flush(l);
	l->totals_due = l->rows_due = true;
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

uint64_t wb_launch_nanoseconds(const struct wb_launch *l)
{
	enum { NS_A_MS = 1000000 };
	uint64_t khz = l->plan.chip.shader_khz;
	unsigned __int128 ns;

	if (!l->plan.timed || !l->machine.result || !khz)
		return 0;
	ns = (unsigned __int128)clock_end(&l->machine) * NS_A_MS / khz;
	return ns ? (uint64_t)ns : 1;
}
