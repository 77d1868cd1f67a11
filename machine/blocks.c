/* The life of a block: storage, start, warp slots, consequences of its warps' turns, and the end, which frees the slots
 * for the next block of the queue. Placing asks the way to execute (machine/way.h), as trace-driven
 * blocks are executed first. */
#include "machine/blocks.h"

#include <stddef.h>
#include <string.h>

#include "core/base/clear.h"
#include "core/base/pages.h"
#include "core/base/rng.h"
#include "core/isa/loop.h"
#include "machine/clock.h"
#include "machine/stop.h"
#include "machine/way.h"

static size_t round_up(size_t n, size_t unit)
{
	return (n + unit - 1) / unit * unit;
}

bool warp_storage(struct machine *m, void **state, struct row **reg)
{
	const struct isa_ops *isa = m->plan->code.target.isa;
	size_t size = round_up(isa->warp_bytes(&m->plan->code, &m->plan->rules), ROW_ALIGN);
	char *own = arena_alloc(&m->state, size + (m->plan->code.nreg + 1) * row_bytes(isa->lanes), ROW_ALIGN);

	*state = own;
	*reg = own ? (struct row *)(own + size) : NULL;
	return own;
}

/* Bytes of a block's local memory. */
static size_t local_bytes(const struct machine *m)
{
	return (size_t)m->plan->code.local_bytes * m->plan->dim.warps * m->plan->code.target.isa->lanes;
}

bool block_memory(struct machine *m, uint8_t **shared, uint8_t **local)
{
	size_t bytes = local_bytes(m);

	*shared = arena_alloc_guarded(&m->state, m->plan->shared_bytes + 8, 16);
	*local = bytes ? pages_sparse(arena_alloc_guarded(&m->state, bytes, 16), bytes) : NULL;
	return *shared && (*local || !bytes);
}

bool block_warps(struct machine *m, struct block *b)
{
	b->warp = ARENA_ARRAY(&m->state, struct warp, m->plan->dim.warps);
	for (unsigned i = 0; b->warp && i < m->plan->dim.warps; i++)
		b->warp[i].nreg = m->plan->code.nreg;
	for (struct observer *o = m->observers; o && b->warp; o = o->next)
		if (o->prepare_block && !o->prepare_block(o, m, b))
			return false;
	return b->warp;
}

bool block_storage(struct machine *m, struct mp *mp, struct resident *r)
{
	struct block *b = &r->block;

	r->since = ARENA_ARRAY(&m->state, uint64_t, m->plan->dim.warps);
	if (m->plan->rules.lock == LOCK_FLAG) {
		b->lock.flag = ARENA_ARRAY(&m->state, uint64_t, FLAG_WORDS(m->plan->rules.lock_entries));
		b->lock.owner = ARENA_ARRAY(&m->state, uint32_t, FLAG_ENTRIES(m->plan->rules.lock_entries));
	}
	if (!block_memory(m, &b->shared, &b->local) || !block_warps(m, b))
		return false;
	for (unsigned i = 0; i < m->plan->dim.warps; i++) {
		if (!warp_storage(m, &b->warp[i].state, &b->warp[i].reg))
			return false;
		mp->slot[r->first_slot + i] = &b->warp[i];
	}
	return !m->state.failed;
}

static void apply_pokes(struct machine *m, struct block *b)
{
	for (size_t i = 0; i < m->plan->pokes.n; i++) {
		const struct poke *p = &m->plan->pokes.item[i];
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

void block_start(struct machine *m, struct block *b, uint32_t index)
{
	const uint32_t *grid = m->plan->dim.grid;

	b->index = index;
	b->id[0] = index % grid[0];
	b->id[1] = index / grid[0] % grid[1];
	b->id[2] = index / grid[0] / grid[1];
	memcpy(b->ntid, m->plan->dim.block, sizeof b->ntid);
	memcpy(b->nctaid, grid, sizeof b->nctaid);
	b->threads = m->plan->dim.threads;
	b->nwarps = m->plan->dim.warps;
	b->unfinished = lanes_first((int)m->plan->dim.warps);
	b->woken = 0;
	b->shared_bytes = m->plan->shared_bytes;
	b->local_bytes = m->plan->code.local_bytes;
	FOR_SET_LANES(i, b->barriers_used)
		b->barrier[i] = (struct barrier){ 0 };
	b->barriers_used = 0;
	b->lock.holders = b->lock.waiters = 0;
	b->lock.flags_set = 0;
	b->lock.nchanged = 0;
	if (b->lock.flag)
		memset(b->lock.flag, 0, FLAG_WORDS(m->plan->rules.lock_entries) * sizeof *b->lock.flag);
	memset(b->shared, 0, m->plan->shared_bytes);
	if (b->local)
		pages_clear(b->local, local_bytes(m));
	m->plan->code.target.isa->start_block(b, &m->plan->param);
	NOTIFY(m, block_starts, b);
	for (unsigned i = 0; i < m->plan->dim.warps; i++)
		start_warp(m, b, i);
	apply_pokes(m, b);
}

void block_admit(struct machine *m, struct mp *mp, struct resident *r)
{
	r->live = true;
	mp->nlive++;
	for (unsigned i = 0; i < m->plan->dim.warps; i++) {
		struct warp *w = &r->block.warp[i];
		w->slot = (uint16_t)(r->first_slot + i);
		r->since[i] = mp->sched.now;
		mp->ready |= 1ull << w->slot;
		if (m->plan->timed)
			clock_admit(m, mp, w->slot);
	}
	NOTIFY(m, block_placed, mp, &r->block);
}

bool block_place_next(struct machine *m, struct mp *mp, struct resident *r)
{
	uint32_t index;

	return !queue_take(m, mp, &index) || m->way->place_block(m, mp, r, index);
}

/* Zeros in all that is read before it is written: not in the addresses of accesses and in idle times. */
static void clear_mp(struct mp *mp)
{
	clear_bytes(mp, offsetof(struct mp, x.step.access));
	clear_bytes(&mp->x.hooks, offsetof(struct mp, sched.idle) - offsetof(struct mp, x.hooks));
	clear_bytes(&mp->ready, sizeof *mp - offsetof(struct mp, ready));
}

/* A saved run goes on from addresses of code that a file says; a bill of all code has a place for each. */
static bool own_bill(struct machine *m, struct mp *mp)
{
	const struct program *p = &m->plan->code;
	bool reach = m->counts_reach && !saver_of(m);

	return bill_init(&mp->bill, &m->state, p->target.isa->lanes, reach ? p->reach_begin : 0,
			 reach ? p->reach_end : p->code_bytes);
}

bool mp_prepare_exec(struct machine *m, struct mp *mp, unsigned index, struct bill *bill)
{
	const struct program *p = &m->plan->code;
	struct exec *x = &mp->x;

	clear_mp(mp);
	x->program = p;
	x->rules = &m->plan->rules;
	x->memory = &m->plan->memory;
	x->bill = bill ? bill : &mp->bill;
	x->special.mp = index;
	x->special.mps_per_tpc = m->plan->chip.mps_per_tpc;
	x->random = mix64(m->plan->rules.seed + index);
	x->timed = m->plan->timed;
	x->run.spare = RUN_MAX;
	x->result_lanes = m->given_lanes;
	mp->machine = m;
	return (bill || own_bill(m, mp)) && cost_prepare(m, mp);
}

/* ---- consequences of an instruction ---- */

static struct resident *resident_of(struct block *b)
{
	return (struct resident *)((char *)b - offsetof(struct resident, block));
}

static void note_warp(struct machine *m, struct mp *mp, struct warp *w, uint64_t until)
{
	const struct resident *r = resident_of(w->block);

	NOTIFY(m, warp_settled, mp, w, until > r->since[w->id] ? until - r->since[w->id] : 0);
}

/* True: the next block of the grid begins in the ended block's place. */
static bool block_done(struct machine *m, struct mp *mp, struct resident *r)
{
	NOTIFY(m, block_ended, mp, &r->block);
	r->live = false;
	mp->nlive--;
	m->run.finished_blocks++;
	return block_place_next(m, mp, r);
}

static bool warp_done(struct machine *m, struct mp *mp, struct warp *w)
{
	struct block *b = w->block;

	NOTIFY(m, warp_ended, mp, w);
	lanes_settle(w, &mp->bill);
	block_warp_done(b, w);
	note_warp(m, mp, w, mp->sched.now);
	mp->ready &= ~(1ull << w->slot);
	if (m->plan->timed) {
		sched_retire(&mp->sched, w->slot);
		w->digest = slot_of(&mp->sched, w->slot)->digest + mp->sched.issued_at;
	}
	mp->x.digest += mix64(span_digest(w) + ((uint64_t)b->index << 16 | w->id));
	return b->unfinished || block_done(m, mp, resident_of(b));
}

/* Warps whose status has become WARP_READY while w had its turn. */
static void wake(struct machine *m, struct mp *mp, struct block *b)
{
	NOTIFY(m, woken, mp, b);
	mp->ready |= (b->woken & b->unfinished) << b->warp[0].slot;
	if (m->plan->timed)
		FOR_SET_LANES(i, b->woken & b->unfinished)
			sched_wake(&mp->sched, b->warp[i].slot);
	b->woken = 0;
}

/* A warp waits at a barrier or for a lock. */
static void block_slot(struct machine *m, struct mp *mp, const struct warp *w, enum stall reason)
{
	mp->ready &= ~(1ull << w->slot);
	if (m->plan->timed)
		sched_block(&mp->sched, w->slot, reason);
}

static bool all_wait(const struct mp *mp, const struct block *b)
{
	return b->unfinished && !(mp->ready & lanes_first((int)b->nwarps) << b->warp[0].slot);
}

bool block_after_turn(struct machine *m, struct mp *mp, struct warp *w, struct block *b, int r)
{
	if (r == STEP_DONE && !warp_done(m, mp, w))
		return false;
	if (r == STEP_BARRIER || r == STEP_LOCKED)
		block_slot(m, mp, w, r == STEP_BARRIER ? STALL_BARRIER : STALL_LOCK);
	if (b->woken)
		wake(m, mp, b);
	if (r == STEP_FAULT)
		return stop_at_fault(m, mp);
	if (r != STEP_OK && r != STEP_BREAK && all_wait(mp, b))
		return stop_launch(m, STOP_DEADLOCK);
	return r != STEP_DONE || m->run.finished_blocks < m->plan->dim.blocks;
}

/* A launch that stops early has open accounts: inactive lanes are charged for lost lane slots, warp slots for waits. */
void blocks_settle(struct machine *m)
{
	for (unsigned i = 0; i < m->plan->nmps; i++) {
		struct mp *mp = &m->mp[i];
		for (unsigned k = 0; k < mp->nresident; k++) {
			struct block *b = &mp->resident[k].block;
			FOR_SET_LANES(j, mp->resident[k].live ? b->unfinished : 0) {
				lanes_settle(&b->warp[j], &mp->bill);
				note_warp(m, mp, &b->warp[j], m->plan->timed ? clock_end(m) : mp->sched.now);
				uint64_t d = m->plan->timed ? slot_of(&mp->sched, b->warp[j].slot)->digest :
							      span_digest(&b->warp[j]);
				mp->x.digest += mix64(d + ((uint64_t)b->index << 16 | b->warp[j].id));
			}
		}
	}
}
