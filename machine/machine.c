/* The machine of a launch: set up, its blocks placed and ended, its accounts closed. How instructions get executed
 * meanwhile is in precise.c and trace_driven.c; which host threads do it, in host_threads.c. */
#include "machine/machine.h"

#include <string.h>

#include "core/base/pages.h"
#include "core/base/rng.h"
#include "core/isa/loop.h"
#include "machine/clock.h"
#include "machine/host_threads.h"
#include "machine/memory_cost.h"
#include "machine/requests.h"
#include "machine/trace_driven.h"
#include "mem/conflicts.h"

static size_t round_up(size_t n, size_t unit)
{
	return (n + unit - 1) / unit * unit;
}

bool machine_warp_room(struct machine *m, void **state, struct row **reg)
{
	const struct isa_ops *isa = m->plan->code.target.isa;
	size_t size = round_up(isa->warp_bytes(&m->plan->code, &m->plan->rules), ROW_ALIGN);
	char *own = arena_alloc(&m->state, size + (m->plan->code.nreg + 1) * row_bytes(isa->lanes), ROW_ALIGN);

	*state = own;
	*reg = own ? (struct row *)(own + size) : NULL;
	return own;
}

/* Storage for a block: warps, registers, private state, shared and local memory. */
static bool make_room(struct machine *m, struct mp *mp, struct resident *r)
{
	struct arena *a = &m->state;
	struct block *b = &r->block;
	size_t local = (size_t)m->plan->code.local_bytes * m->plan->dim.warps * m->plan->code.target.isa->lanes;

	b->warp = ARENA_ARRAY(a, struct warp, m->plan->dim.warps);
	b->shared = arena_alloc(a, m->plan->shared_bytes + 8, 16);
	b->local = local ? pages_sparse(arena_alloc(a, local, 16), local) : NULL;
	r->since = ARENA_ARRAY(a, uint64_t, m->plan->dim.warps);
	if (m->plan->rules.lock == LOCK_FLAG) {
		b->lock.flag = ARENA_ARRAY(a, uint64_t, FLAG_WORDS(m->plan->rules.lock_entries));
		b->lock.owner = ARENA_ARRAY(a, uint32_t, FLAG_ENTRIES(m->plan->rules.lock_entries));
	}
	if (!b->warp || !b->shared || (local && !b->local) || !r->since ||
	    (m->plan->rules.lock == LOCK_FLAG && (!b->lock.flag || !b->lock.owner)))
		return false;
	for (unsigned i = 0; i < m->plan->dim.warps; i++) {
		struct warp *w = &b->warp[i];
		if (!machine_warp_room(m, &w->state, &w->reg))
			return false;
		w->nreg = m->plan->code.nreg;
		mp->slot[r->first_slot + i] = w;
	}
	for (struct observer *o = m->observers; o; o = o->next)
		if (o->prepare_block && !o->prepare_block(o, m, b))
			return false;
	return true;
}

static void apply_pokes(struct machine *m, struct block *b)
{
	for (size_t i = 0; i < m->plan->pokes.n; i++) {
		const struct poke *p = &m->plan->pokes.at[i];
		uint32_t *at;
		if (p->block != b->index || p->warp >= b->nwarps)
			continue;
		at = m->plan->code.target.isa->reg.word(&b->warp[p->warp], p->file, p->reg, p->lane);
		if (at)
			*at = p->value;
	}
}

static void start_warp(struct machine *m, struct block *b, unsigned i)
{
	const struct isa_ops *isa = m->plan->code.target.isa;
	struct warp *w = &b->warp[i];
	uint32_t first = i * isa->lanes, lanes = b->threads - first;

	w->id = (uint16_t)i;
	w->block = b;
	w->digest = 0;
	w->span = (struct span){ 0 };
	if (isa->clear_warp && !m->plan->rules.preset)
		isa->clear_warp(w, &m->plan->code);
	else
		memset(w->reg, 0, w->nreg * row_bytes(isa->lanes));
	warp_start(w, (int)(lanes < isa->lanes ? lanes : isa->lanes), m->plan->code.entry);
	isa->start_warp(b, w, &m->plan->code, &m->plan->rules);
}

void machine_start_block(struct machine *m, struct block *b, uint32_t index)
{
	b->index = index;
	b->id[0] = index % m->plan->dim.grid[0];
	b->id[1] = index / m->plan->dim.grid[0];
	memcpy(b->ntid, m->plan->dim.block, sizeof b->ntid);
	memcpy(b->nctaid, m->plan->dim.grid, sizeof b->nctaid);
	b->threads = m->plan->dim.threads;
	b->nwarps = m->plan->dim.warps;
	b->unfinished = lanes_first((int)m->plan->dim.warps);
	b->woken = 0;
	b->shared_bytes = m->plan->shared_bytes;
	b->local_bytes = m->plan->code.local_bytes;
	memset(b->barrier, 0, sizeof b->barrier);
	b->lock.holders = b->lock.waiters = 0;
	b->lock.flags_set = 0;
	b->lock.nchanged = 0;
	if (b->lock.flag)
		memset(b->lock.flag, 0, FLAG_WORDS(m->plan->rules.lock_entries) * sizeof *b->lock.flag);
	memset(b->shared, 0, m->plan->shared_bytes);
	if (b->local)
		pages_clear(b->local, (size_t)b->local_bytes * m->plan->dim.warps * m->plan->code.target.isa->lanes);
	m->plan->code.target.isa->start_block(b, &m->plan->param);
	NOTIFY(m, block_starts, b);
	for (unsigned i = 0; i < m->plan->dim.warps; i++)
		start_warp(m, b, i);
	apply_pokes(m, b);
}

/* The block that has moved into a room has its turns from now on. */
static void admit(struct machine *m, struct mp *mp, struct resident *r)
{
	r->live = true;
	mp->nlive++;
	for (unsigned i = 0; i < m->plan->dim.warps; i++) {
		struct warp *w = &r->block.warp[i];
		w->slot = (uint16_t)(r->first_slot + i);
		r->since[i] = clock_now(m, mp);
		clock_admit(m, mp, w);
	}
	NOTIFY(m, block_placed, mp, &r->block);
}

bool machine_place_block(struct machine *m, struct mp *mp, struct resident *r)
{
	uint32_t index;

	if (!queue_take(m, mp, &index))
		return true;
	if (!m->traces.on)
		machine_start_block(m, &r->block, index);
	else if (!traces_place(m, mp, r, index))
		return false;
	admit(m, mp, r);
	if (m->traces.on)
		traces_replay(mp, r);
	return true;
}

bool machine_prepare_exec(struct machine *m, struct mp *mp, unsigned index)
{
	mp->x = (struct exec){
		.program = &m->plan->code, .rules = &m->plan->rules, .memory = &m->plan->memory, .bill = &mp->bill,
		.special = { .mp = index, .mps_per_tpc = m->plan->chip.mps_per_tpc },
		.random = mix64(m->plan->rules.seed + index), .timed = m->plan->timed, .run.spare = RUN_MAX,
	};
	mp->x.given = m->given;
	return bill_init(&mp->bill, &m->state, m->plan->code.target.isa->lanes, m->plan->code.code_bytes) &&
	       cost_prepare(m, mp);
}

/* What $pm0 ... $pm3 count (--pm). */
static const uint64_t *counter_of(const struct mp *mp, enum pm_counter signal)
{
	const struct mem_counts *mem = mp->mem;

	switch (signal) {
	case PM_CYCLES: return &mp->x.special.cycle;
	case PM_INSTRUCTIONS: return &mp->x.instructions;
	case PM_BRANCH: return &mp->bill.branches;
	case PM_DIVERGENT_BRANCH: return &mp->bill.divergent;
	case PM_SM_CTA_LAUNCHED: return &mp->started;
	case PM_PROF_TRIGGER ... PM_PROF_TRIGGER_LAST: return &mp->x.counts.event[signal - PM_PROF_TRIGGER];
	case PM_WARP_SERIALIZE: return &mem->serialize;
	case PM_GLD_32B ... PM_GLD_128B: return &mem->gld[signal - PM_GLD_32B];
	case PM_GST_32B ... PM_GST_128B: return &mem->gst[signal - PM_GST_32B];
	case PM_GLD_COHERENT: return &mem->gld_coherent;
	case PM_GLD_INCOHERENT: return &mem->gld_incoherent;
	case PM_GST_COHERENT: return &mem->gst_coherent;
	case PM_GST_INCOHERENT: return &mem->gst_incoherent;
	default: return NULL;
	}
}

static void connect_counters(struct machine *m, struct mp *mp)
{
	for (unsigned i = 0; i < PM_COUNTERS; i++)
		mp->x.special.pm[i] = counter_of(mp, (enum pm_counter)m->plan->pm[i]);
}

/* With slices of fewer instructions, all warps of a multiprocessor take turns, not those of a block. */
enum { SHORT_SLICE = 64 };

static bool prepare_mp(struct machine *m, struct mp *mp, unsigned index)
{
	mp->turns = (struct turns){ .last = 63, .rounds = m->plan->slice < SHORT_SLICE ? 0 : 16 };
	mp->nresident = m->plan->fit.blocks;
	/* What follows is this multiprocessor's alone, and begins a line of the host's cache. */
	mp->resident = arena_alloc(&m->state, mp->nresident * sizeof *mp->resident, 128);
	if (!mp->resident || !machine_prepare_exec(m, mp, index))
		return false;
	for (unsigned i = 0; i < mp->nresident; i++) {
		mp->resident[i].first_slot = i * m->plan->dim.warps;
		if (!make_room(m, mp, &mp->resident[i]))
			return false;
	}
	connect_counters(m, mp);
	return queue_prepare(m, mp) && clock_prepare_mp(m, mp);
}

bool machine_prepare(struct machine *m, struct diag *d)
{
	m->mp = ARENA_ARRAY(&m->state, struct mp, m->plan->nmps);
	for (struct observer *o = m->observers; o && m->mp; o = o->next)
		if (o->prepare && !o->prepare(o, m))
			return diag_set(d, DIAG_ENV, "out of memory");
	m->given = NULL;
	if (m->plan->code.stream)
		m->given = ARENA_ARRAY(&m->state, lane_mask, m->plan->dim.blocks * m->plan->dim.warps);
	if (!m->mp || (m->plan->code.stream && !m->given))
		return diag_set(d, DIAG_ENV, "out of memory for %u multiprocessors", m->plan->nmps);
	if (!clock_prepare(m, d))
		return false;
	for (unsigned i = 0; i < m->plan->nmps; i++) {
		m->state.part = i + 1;  /* what changes only while it is at it (inspect/time_travel.c) */
		if (!prepare_mp(m, &m->mp[i], i))
			return diag_set(d, DIAG_ENV, "out of memory for %u blocks of %u warps on %u multiprocessors",
					m->plan->fit.blocks, m->plan->dim.warps, m->plan->nmps);
	}
	m->state.part = 0;
	/* Breadth first over the multiprocessors, in x-then-y order. */
	for (unsigned room = 0; room < m->plan->fit.blocks; room++)
		for (unsigned i = 0; i < m->plan->nmps; i++)
			machine_place_block(m, &m->mp[i], &m->mp[i].resident[room]);
	return true;
}

bool machine_balance(struct machine *m)
{
	if (!queues_balance(m))
		return false;
	for (unsigned i = 0; i < m->plan->nmps; i++)
		for (unsigned k = 0; k < m->mp[i].nresident; k++) {
			struct mp *mp = &m->mp[i];
			if (mp->resident[k].live || !queue_has_blocks(m, mp))
				continue;
			requests_deliver(mp);
			sched_skip(&mp->sched, m->run.epoch_end);
			machine_place_block(m, mp, &mp->resident[k]);
		}
	return true;
}

/* ---- what an instruction leads to ---- */

static struct resident *resident_of(struct mp *mp, const struct warp *w, unsigned warps)
{
	return &mp->resident[w->slot / warps];
}

static void note_warp(struct machine *m, struct mp *mp, struct warp *w, uint64_t until)
{
	struct resident *r = resident_of(mp, w, m->plan->dim.warps);

	NOTIFY(m, warp_settled, mp, w, until > r->since[w->id] ? until - r->since[w->id] : 0);
}

static bool warp_done(struct machine *m, struct mp *mp, struct warp *w)
{
	struct block *b = w->block;

	NOTIFY(m, warp_ended, mp, w);
	lanes_settle(w, &mp->bill);
	block_warp_done(b, w);
	note_warp(m, mp, w, clock_now(m, mp));
	clock_retire(m, mp, w);
	if (m->plan->timed)
		w->digest = slot_of(&mp->sched, w->slot)->digest + mp->sched.issued_at;
	mp->x.digest += mix64(span_digest(w) + ((uint64_t)b->index << 16 | w->id));
	if (b->unfinished)
		return true;
	NOTIFY(m, block_ended, mp, b);
	struct resident *r = resident_of(mp, w, m->plan->dim.warps);
	r->live = false;
	mp->nlive--;
	__atomic_fetch_add(&m->run.finished_blocks, 1, __ATOMIC_RELAXED);
	return machine_place_block(m, mp, r);
}

static void wake(struct machine *m, struct mp *mp, struct block *b)
{
	NOTIFY(m, woken, mp, b);
	FOR_SET_LANES(i, b->woken)
		if (b->warp[i].status == WARP_READY)
			clock_wake(m, mp, &b->warp[i]);
	b->woken = 0;
}

static bool all_wait(const struct block *b)
{
	FOR_SET_LANES(i, b->unfinished)
		if (b->warp[i].status == WARP_READY)
			return false;
	return b->unfinished != 0;
}

bool machine_stop(struct machine *m, const char *result, enum diag_kind kind, const char *text)
{
	if (m->pool)
		return threads_give_up(m, text);
	m->result = result;
	return diag_set(&m->why, kind, "%s", text);
}

static bool fault(struct machine *m, struct mp *mp)
{
	const struct worker_sets *set = mp->x.pages.sets;

	if (set)
		return threads_give_up(m, set->refused ? set->refused : fault_text(mp->x.fault.kind));
	m->fault_mp = mp;
	return machine_stop(m, "fault", DIAG_FAULT, fault_text(mp->x.fault.kind));
}

bool machine_after_turn(struct machine *m, struct mp *mp, struct warp *w, struct block *b, int r)
{
	if (r == STEP_DONE && !warp_done(m, mp, w))
		return false;
	if (r == STEP_BARRIER || r == STEP_LOCKED)
		clock_block(m, mp, w, r == STEP_BARRIER ? STALL_BARRIER : STALL_LOCK);
	if (b->woken)
		wake(m, mp, b);
	if (r == STEP_FAULT)
		return fault(m, mp);
	if (r != STEP_OK && r != STEP_BREAK && all_wait(b))
		return machine_stop(m, "deadlock", DIAG_HANG, "deadlock: every unfinished warp of a block waits");
	return r != STEP_DONE || __atomic_load_n(&m->run.finished_blocks, __ATOMIC_RELAXED) < m->plan->dim.blocks;
}

bool machine_interrupted(struct machine *m)
{
	if (m->out_of_time)
		return machine_stop(m, "limit", DIAG_LIMIT, "the time limit (--max-seconds) was reached");
	return machine_stop(m, "interrupted", DIAG_INTERRUPTED, "interrupted");
}

/* ---- the end ---- */

uint64_t machine_issues(const struct machine *m)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < m->plan->nmps; i++)
		n += m->mp[i].x.instructions;
	return n;
}

/* What a launch that stops early leaves open: lanes that are off are charged for what they lost, slots for their
 * waits. */
void machine_settle(struct machine *m)
{
	clock_settle(m);
	for (unsigned i = 0; i < m->plan->nmps; i++) {
		struct mp *mp = &m->mp[i];
		for (unsigned k = 0; k < mp->nresident; k++) {
			struct block *b = &mp->resident[k].block;
			FOR_SET_LANES(j, mp->resident[k].live ? b->unfinished : 0) {
				lanes_settle(&b->warp[j], &mp->bill);
				note_warp(m, mp, &b->warp[j], m->plan->timed ? clock_end(m) : mp->cycle);
				uint64_t d = m->plan->timed ? slot_of(&mp->sched, b->warp[j].slot)->digest :
							      span_digest(&b->warp[j]);
				mp->x.digest += mix64(d + ((uint64_t)b->index << 16 | b->warp[j].id));
			}
		}
	}
}

bool machine_again(struct machine *m, struct diag *d)
{
	arena_free(&m->state);
	m->run = (struct run_state){ 0 };
	if (m->plan->code.stream)
		stream_clear(m->plan->code.stream);
	if (!machine_prepare(m, d))
		return false;
	NOTIFY(m, restart);
	machine_begin(m);
	return true;
}

void machine_begin(struct machine *m)
{
	const struct isa_ops *isa = m->plan->code.target.isa;

	if (isa->ready)
		isa->ready(&m->plan->code, &m->plan->memory);
	livelock_begin(&m->run.livelock, m->plan->max.livelock);
	m->result = "ok";
}

void machine_free(struct machine *m)
{
	global_free(&m->global);
	arena_free(&m->state);
}
