/* machine_run is a column of attempts: trace-driven, precisely on several threads, precisely on one. A failed attempt
 * puts memory back before the next begins. */
#include "machine/machine.h"

#include <string.h>

#include "core/base/host_threads.h"
#include "core/isa/table.h"
#include "machine/blocks.h"
#include "machine/clock.h"
#include "machine/epochs.h"
#include "machine/host_threads.h"
#include "machine/precise.h"
#include "machine/trace_driven.h"

/* With slices shorter than SHORT_SLICE instructions, all warps of a multiprocessor take turns, not the warps of a
 * block. */
enum { SHORT_SLICE = 64 };

static bool prepare_mp(struct machine *m, struct mp *mp, unsigned index)
{
	/* The state arena from here on is the multiprocessor's alone, and begins a line of the host's cache. */
	struct resident *resident = arena_alloc(&m->state, m->plan->fit.blocks * sizeof *resident, 128);

	if (!resident || !mp_prepare_exec(m, mp, index, NULL))
		return false;
	mp->turns = (struct turns){ .previous = 63, .rounds = m->plan->slice < SHORT_SLICE ? 0 : 16 };
	mp->resident = resident;
	mp->nresident = m->plan->fit.blocks;
	for (unsigned i = 0; i < mp->nresident; i++) {
		mp->resident[i].first_slot = i * m->plan->dim.warps;
		if (!block_storage(m, mp, &mp->resident[i]))
			return false;
	}
	return queue_prepare(m, mp) && (!m->plan->timed || (clock_prepare_mp(m, mp) && epochs_prepare_mp(m, mp)));
}

bool machine_prepare(struct machine *m, struct diag *d)
{
	m->way = &precise_way;
	/* Each multiprocessor is cleared when its executor is made. */
	m->mp = arena_space(&m->state, m->plan->nmps * sizeof *m->mp, _Alignof(struct mp));
	for (struct observer *o = m->observers; o && m->mp; o = o->next)
		if (o->prepare && !o->prepare(o, m))
			return diag_set(d, DIAG_ENV, "out of memory");
	m->given_lanes = NULL;
	if (m->plan->code.stream)
		m->given_lanes = ARENA_ARRAY(&m->state, lane_mask, m->plan->dim.blocks * m->plan->dim.warps);
	if (!m->mp || (m->plan->code.stream && !m->given_lanes))
		return diag_set(d, DIAG_ENV, "out of memory for %u multiprocessors", m->plan->nmps);
	if (m->plan->timed && (!clock_prepare(m) || !epochs_prepare(m)))
		return diag_set(d, DIAG_ENV, "out of memory");
	for (unsigned i = 0; i < m->plan->nmps; i++) {
		m->state.part = i + 1;  /* part of the state that only mp i changes (inspect/time_travel.c) */
		if (!prepare_mp(m, &m->mp[i], i))
			return diag_set(d, DIAG_ENV, "out of memory for %u blocks of %u warps on %u multiprocessors",
					m->plan->fit.blocks, m->plan->dim.warps, m->plan->nmps);
	}
	m->state.part = 0;
	/* Breadth first over the multiprocessors, in x-then-y order. */
	for (unsigned k = 0; k < m->plan->fit.blocks; k++)
		for (unsigned i = 0; i < m->plan->nmps; i++)
			block_place_next(m, &m->mp[i], &m->mp[i].resident[k]);
	return true;
}

/* ---- the end ---- */

/* Once more from the start, global memory apart: prepared and begun. */
static void again(struct machine *m, struct diag *d)
{
	arena_free(&m->state);
	m->run = (struct run_state){ 0 };
	m->paused = false;
	m->work_done.instructions = m->work_done.blocks = m->work_done.in_blocks = 0;
	if (m->plan->code.stream)
		stream_clear(m->plan->code.stream);
	if (!machine_prepare(m, d))
		return;         /* the host has no memory, as *d says */
	NOTIFY(m, restart);
	machine_begin(m);
	if (saver_of(m))
		saver_of(m)->begin(m, d);
}

void machine_begin(struct machine *m)
{
	const struct isa_ops *isa = m->plan->code.target.isa;

	if (isa->ready && !m->plan->shared_code)
		isa->ready(&m->plan->code, &m->plan->memory);
	livelock_begin(&m->run.livelock, m->plan->max.livelock);
	m->result = "ok";
}

/* ---- attempts ---- */

/* As many threads as have something to do. */
static unsigned threads_wanted(const struct machine *m)
{
	unsigned n = m->plan->host.threads;

	if (m->plan->nmps == 1)
		return 1;
	if (!n)
		n = host_processors();
	n = n < m->plan->nmps ? n : m->plan->nmps;
	return n < HOST_THREADS_MAX ? n : HOST_THREADS_MAX;
}

/* Why instructions have to be executed one by one, in the machine's order: observers, or memory that was written to
 * before the start. NULL: either way does. */
static const char *stepped_reason(const struct machine *m)
{
	if (m->touched)
		return "its s[] or l[] was written to before the start";
	for (const struct observer *o = m->observers; o; o = o->next)
		if (o->precise_reason)
			return o->precise_reason;
	return NULL;
}

/* Why only one thread can run a launch, or NULL. */
static const char *must_be_single(const struct machine *m)
{
	const char *stepped = stepped_reason(m);

	if (stepped)
		return stepped;
	for (const struct observer *o = m->observers; o; o = o->next)
		if (o->single_thread_reason)
			return o->single_thread_reason;
	return NULL;
}

/* Why a launch has to be executed precisely, or NULL. */
static const char *must_be_precise(const struct machine *m)
{
	const char *stepped = stepped_reason(m);

	if (m->plan->host.precise)
		return "--in-order asks for it";
	if (saver_of(m))
		return "a saved run stands between two instructions";
	return stepped ? stepped : traced_way.why_not(m);
}

/* Run on up to `wanted` threads in one way. False: the launch is back at the start, for *reason. */
static bool attempt(struct machine *m, const struct way *way, unsigned wanted, const char **reason, struct diag *d)
{
	if (d->kind != DIAG_OK)
		return false;
	m->way = way;
	if (threads_run(m, wanted, reason))
		return true;
	again(m, d);
	return false;
}

/* Trace-driven; once more with all loads in the read sets, if stores came where no block had stored before. */
static bool run_traced(struct machine *m, unsigned wanted, struct diag *d)
{
	const char **reason = &m->precise_reason;

	*reason = must_be_precise(m);
	return !*reason && (attempt(m, &traced_way, wanted, reason, d) ||
			    (m->traces.every_load && attempt(m, &traced_way, wanted, reason, d)));
}

/* Precisely, several multiprocessors at a time. */
static bool run_parallel(struct machine *m, unsigned wanted, struct diag *d)
{
	if (wanted < 2)
		return false;
	if (m->plan->max.cycles != UINT64_MAX || m->plan->max.instructions != UINT64_MAX) {
		m->single_thread_reason = "--max-cycles and --max-insns stop at one instruction";
		return false;
	}
	return attempt(m, &precise_way, wanted, &m->single_thread_reason, d);
}

static bool run_single(struct machine *m)
{
	unsigned host = program_enter(&m->plan->code);

	while (precise_step(m) && !(saver_of(m) && saver_of(m)->stops(m)))
		;
	program_leave(&m->plan->code, host);
	return true;
}

/* A saved part that host threads have run, and then a livelock: one thread finds when, from the start on. */
static bool run_from_start(struct machine *m, struct diag *d)
{
	if (!saver_of(m) || !m->run.unwatched || m->why.kind != DIAG_HANG || strcmp(m->result, "livelock"))
		return true;
	saver_of(m)->forget(m);
	m->why.kind = DIAG_OK;
	again(m, d);
	return d->kind == DIAG_OK && run_single(m);
}

bool machine_run(struct machine *m, struct diag *d)
{
	unsigned wanted = threads_wanted(m);
	const char *single = must_be_single(m);

	if (wanted > 1 && single) {
		m->single_thread_reason = single;
		wanted = 1;
	}
	if (saver_of(m) && !saver_of(m)->begin(m, d))
		return false;
	return run_traced(m, wanted, d) ||
	       run_parallel(m, wanted, d) ||
	       (d->kind == DIAG_OK && run_single(m) && run_from_start(m, d));
}

/* ---- the end ---- */

void machine_settle(struct machine *m)
{
	if (m->plan->timed) {
		clock_settle(m);
		epochs_settle(m);
	}
	blocks_settle(m);
}

void machine_free(struct machine *m)
{
	arena_free(&m->state);
}
