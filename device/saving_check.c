/* The rules of a saved run for machine, blocks, warps, schedulers and caches. Instruction sets and observers have rules
 * of their own (core/state_check.h). From a state within the rules the engine can go on without an access outside of
 * its memory. Counts, and values of registers and memory, may be anything. */
#include "device/saving_check.h"

#include <string.h>

#include "core/state_check.h"
#include "inspect/time_travel.h"
#include "machine/epochs.h"
#include "sched/issue.h"

struct rules_of {
	struct state_check *c;
	const struct wb_launch *l;
	const struct machine *m;
	const struct plan *plan;
	lane_mask lanes;                /* of a warp */
};

/* The part of the state with the last place asked for: the next is mostly in the same part. */
struct last_part {
	const struct machine *m;
	const uint8_t *from;
	size_t bytes, offset;
};

static size_t offset(const struct state_check *c, const void *place)
{
	struct last_part *p = c->of;

	if ((uintptr_t)place - (uintptr_t)p->from >= p->bytes)
		p->offset = state_part(p->m, place, &p->from, &p->bytes);
	return p->offset + (size_t)((uintptr_t)place - (uintptr_t)p->from);
}

/* ---- caches ---- */

static void check_cache(struct state_check *c, const struct cache *cache)
{
	if (!cache->tag)
		return;
	STATE_MOST(c, cache->used, cache->nlines, "the lines of a cache");
	STATE_ANY(c, cache->clock);
	STATE_MOST(c, cache->recent, cache->nlines - 1, "a line of a cache");
	state_any(c, cache->tag, cache->nlines * sizeof *cache->tag);
	state_any(c, cache->touched_at, cache->nlines * sizeof *cache->touched_at);
	state_any(c, cache->filled, cache->nlines * sizeof *cache->filled);
}

static void check_shared_caches(const struct rules_of *r)
{
	const struct machine *m = r->m;
	uint32_t tpcs = (r->plan->nmps + r->plan->chip.mps_per_tpc - 1) / r->plan->chip.mps_per_tpc;

	check_cache(r->c, m->l3);
	for (uint32_t i = 0; i < tpcs; i++)
		check_cache(r->c, &m->l2[i]);
	if (m->texture_l2)
		check_cache(r->c, m->texture_l2);
	STATE_ANY(r->c, *m->shared_path);
}

/* ---- warps and blocks ---- */

static void check_masks(const struct rules_of *r, const struct warp *w, const struct warp *read, uint32_t threads)
{
	lane_mask states = 0, launched = r->lanes & lanes_first((int)(threads < LANES_MAX ? threads : LANES_MAX));

	STATE_MASK(r->c, w->active, r->lanes, "lanes beyond a warp");
	STATE_MASK(r->c, w->launched, launched, "lanes beyond a warp");
	STATE_MASK(r->c, w->in_state, read->launched, "lanes beyond a warp");
	STATE_MASK(r->c, w->helper, r->lanes, "lanes beyond a warp");
	for (int s = 0; s < 4; s++) {
		state_must(r->c, !(states & read->in_state[s]), "a lane in two states");
		states |= read->in_state[s];
	}
	state_must(r->c, states == read->launched, "a lane in no state");
}

/* Groups of lanes out of the mask: each such lane in one, and none but the first without lanes. */
static void check_out(const struct rules_of *r, const struct warp *w, const struct warp *read)
{
	struct state_check *c = r->c;
	lane_mask grouped = 0;

	state_must(c, read->nout >= 1 && read->nout <= LANES_MAX + 1, "groups of lanes");
	for (uint32_t i = 0; i < read->nout && i <= LANES_MAX; i++) {
		state_must(c, !(read->out[i] & grouped) && (read->out[i] || !i), "groups of lanes");
		grouped |= read->out[i];
	}
	state_must(c, grouped == read->grouped && !(r->lanes & ~read->active & ~grouped) &&
		   !(read->lent & ~grouped), "groups of lanes");
	STATE_ANY(c, w->nout);
	STATE_ANY(c, w->out);
	STATE_ANY(c, w->grouped);
	STATE_ANY(c, w->lent);
	state_code(c, w->out_pc, LANES_MAX + 1);
	STATE_ANY(c, w->out_since);
}

/* Threads of the launch from the first of a warp on. */
static uint32_t threads_from(const struct rules_of *r, const struct block *b, unsigned i)
{
	uint64_t first = (uint64_t)i * r->plan->code.target.isa->lanes;
	uint64_t of_launch = b->index * (uint64_t)b->threads + first;
	const struct stream *s = r->plan->code.stream;
	uint64_t left = b->threads - first, all = !s ? left : s->threads > of_launch ? s->threads - of_launch : 0;

	return (uint32_t)(left < all ? left : all);
}

static void check_warp(const struct rules_of *r, const struct resident *home, unsigned k, const struct block *b,
		       unsigned i)
{
	const struct isa_ops *isa = r->plan->code.target.isa;
	const struct warp *w = &home->block.warp[i];
	struct state_check *c = r->c;
	struct warp read;

	STATE_GET(c, w, &read);
	check_masks(r, w, &read, threads_from(r, b, i));
	STATE_ANY(c, w->pc);
	STATE_MOST(c, w->status, WARP_FAULTED, "the status of a warp");
	STATE_MOST(c, w->waits_for, BARRIERS - 1, "a barrier");
	STATE_ANY(c, w->id);
	STATE_ANY(c, w->slot);
	STATE_ANY(c, w->block);
	state_must(c, read.id == i && read.slot == home->first_slot + i && (uintptr_t)read.block == k + 1,
		   "the place of a warp");
	STATE_ANY(c, w->issues);
	check_out(r, w, &read);
	STATE_ANY(c, w->digest);
	STATE_ANY(c, w->span);
	state_goes_to(c, read.pc);
	state_any(c, w->reg, (w->nreg + 1) * row_bytes(isa->lanes));    /* the last is for what no register takes */
	isa->check_state(c, &r->plan->code, &r->plan->rules, b, w, &read);
}

static void check_locks(const struct rules_of *r, const struct locks *k, uint64_t warps)
{
	uint32_t n = FLAG_ENTRIES(r->plan->rules.lock_entries), entry;
	struct state_check *c = r->c;
	uint64_t flags;

	STATE_MASK(c, k->holders, warps, "warps beyond a block");
	STATE_MASK(c, k->waiters, warps, "warps beyond a block");
	STATE_ANY(c, k->held);
	state_most(c, k->lane, 1, BLOCK_WARPS_MAX, LANES_MAX - 1, "the lane with a lock");
	STATE_ANY(c, k->flags_set);
	STATE_MOST(c, k->nchanged, LANES_MAX, "words with a lock");
	STATE_ANY(c, k->changed);
	if (!k->flag)
		return;
	state_any(c, k->flag, FLAG_WORDS(r->plan->rules.lock_entries) * sizeof *k->flag);
	STATE_GET(c, &k->flag[(n - 1) / 64], &flags);
	state_must(c, n % 64 == 0 || !(flags >> n % 64), "locks beyond the table");
	state_any(c, k->owner, n * sizeof *k->owner);
	for (uint32_t i = 0; i < n; i++) {
		STATE_GET(c, &k->owner[i], &entry);
		state_must(c, entry >> 24 < LANES_MAX, "the lane with a lock");
	}
}

static void check_barriers(const struct rules_of *r, const struct block *b, uint64_t warps)
{
	for (int i = 0; i < BARRIERS; i++) {
		STATE_ANY(r->c, b->barrier[i].count);
		STATE_ANY(r->c, b->barrier[i].needed);
		STATE_MASK(r->c, b->barrier[i].arrived, warps, "warps beyond a block");
		STATE_MASK(r->c, b->barrier[i].waiting, warps, "warps beyond a block");
	}
	STATE_MOST(r->c, b->barriers_used, (1u << BARRIERS) - 1, "a barrier");
}

static void check_place(struct state_check *c, const struct block *b, const struct block *read, const uint32_t *grid)
{
	STATE_ANY(c, b->index);
	STATE_ANY(c, b->id);
	state_must(c, read->id[0] == read->index % grid[0] && read->id[1] == read->index / grid[0] % grid[1] &&
		   read->id[2] == read->index / grid[0] / grid[1], "the place of a block");
}

/* A block's memory: s[], with 8 bytes behind, and l[]. */
static void check_block_memory(const struct rules_of *r, const struct block *b)
{
	const struct program *p = &r->plan->code;

	state_any(r->c, b->shared, r->plan->shared_bytes);
	if (b->local)
		state_any(r->c, b->local, (size_t)p->local_bytes * r->plan->dim.warps * p->target.isa->lanes);
}

/* The storage of block k of a multiprocessor. Without a block in it since the preparation nothing may change. */
static void check_resident(const struct rules_of *r, const struct resident *home, unsigned k)
{
	const struct block *b = &home->block;
	unsigned n = r->plan->dim.warps;
	uint64_t warps = lanes_first((int)n);
	struct state_check *c = r->c;
	struct block read;

	if (!b->threads)
		return;
	STATE_GET(c, b, &read);
	state_must(c, read.index < r->plan->dim.blocks, "a block beyond the grid");
	STATE_MOST(c, home->live, 1, "a mark of a block");
	state_any(c, home->since, n * sizeof *home->since);
	check_place(c, b, &read, r->plan->dim.grid);
	STATE_MASK(c, b->unfinished, warps, "warps beyond a block");
	STATE_ANY(c, b->releases);
	STATE_MASK(c, b->released, warps, "warps beyond a block");
	check_barriers(r, b, warps);
	check_locks(r, &b->lock, warps);
	check_block_memory(r, b);
	for (unsigned i = 0; i < n && !c->wrong; i++)
		check_warp(r, home, k, &read, i);
}

/* ---- executors ---- */

static void check_exec(const struct rules_of *r, const struct exec *x)
{
	struct state_check *c = r->c;

	STATE_ANY(c, x->warp);          /* numbers of objects, compared when they become addresses */
	STATE_ANY(c, x->block);
	STATE_ANY(c, x->pages.beyond);
	STATE_ANY(c, x->shapes);
	STATE_ANY(c, x->counts.event);
	STATE_ANY(c, x->counts.notice);
	state_code(c, x->counts.notice_pc, NOTICES);
	STATE_ANY(c, x->counts.beyond);
	STATE_ANY(c, x->counts.deepest_stack);
	STATE_ANY(c, x->counts.lock_waits);
	STATE_ANY(c, x->counts.lock_rounds);
	STATE_ANY(c, x->instructions);
	STATE_ANY(c, x->progress);
	STATE_ANY(c, x->changes);
	STATE_ANY(c, x->random);
	STATE_ANY(c, x->digest);
	STATE_ANY(c, x->guard);
	STATE_ANY(c, x->special.cycle);
	STATE_ANY(c, x->run.spare);
	if (x->tally)
		STATE_ANY(c, *x->tally);
}

/* Lanes that do not meet again are counted where they could. */
static void check_unreconverged(const struct rules_of *r, const struct bill *b)
{
	const uint32_t *points = r->plan->code.reconvergence;
	uint64_t n;

	state_any(r->c, b->unreconverged + b->first_word, (b->end_word - b->first_word) * sizeof *b->unreconverged);
	for (uint32_t i = b->first_word; i < b->end_word; i++) {
		STATE_GET(r->c, &b->unreconverged[i], &n);
		state_must(r->c, !n || (points && points[i] < r->c->code_bytes), "lanes that do not meet again");
	}
}

static void check_counters(const struct rules_of *r, const struct mp *mp)
{
	struct state_check *c = r->c;
	const struct bill *b = &mp->bill;

	STATE_ANY(c, mp->bill.in_state);
	STATE_ANY(c, mp->bill.absent);
	STATE_ANY(c, mp->bill.branches);
	STATE_ANY(c, mp->bill.divergent);
	state_any(c, b->pc + b->first_word, (b->end_word - b->first_word + 1) * sizeof *b->pc);
	check_unreconverged(r, b);
	if (mp->mem) {
		const struct mem_counts *k = mp->mem;
		STATE_ANY(c, k->known.extra_passes);
		STATE_ANY(c, k->known.loads);
		STATE_ANY(c, k->known.stores);
		STATE_ANY(c, k->gld);
		STATE_ANY(c, k->gst);
		state_any(c, &k->gld_coherent, 4 * sizeof k->gld_coherent);
		STATE_ANY(c, k->serialize);
		STATE_ANY(c, k->bytes);
	}
	STATE_ANY(c, mp->work);
	STATE_ANY(c, mp->const_line);
	STATE_ANY(c, mp->started);
}

static void check_queue(const struct rules_of *r, const struct mp *mp)
{
	STATE_ANY(r->c, mp->queue.taken);
	STATE_MOST(r->c, mp->queue.nassigned, mp->nresident, "the number of blocks to come");
	state_most(r->c, mp->queue.assigned, sizeof *mp->queue.assigned, mp->nresident, r->plan->dim.blocks - 1,
		   "a block beyond the grid");
}

/* ---- schedulers ---- */

/* Slots of unfinished warps; nlive: blocks. */
static uint64_t slots_of(const struct rules_of *r, const struct mp *mp, unsigned *nlive)
{
	uint64_t slots = 0;

	*nlive = 0;
	for (unsigned k = 0; k < mp->nresident; k++) {
		const struct resident *home = &mp->resident[k];
		uint64_t unfinished;
		uint8_t live;
		STATE_GET(r->c, &home->live, &live);
		STATE_GET(r->c, &home->block.unfinished, &unfinished);
		*nlive += live;
		slots |= live ? unfinished << home->first_slot : 0;
	}
	return slots;
}

static void check_slot(const struct rules_of *r, const struct mp *mp, unsigned i, bool occupied)
{
	const struct sched *s = &mp->sched;
	const struct slot *w = &s->storage.slot[i];
	struct state_check *c = r->c;
	uint64_t op;

	STATE_GET(c, &w->next, &op);
	STATE_ANY(c, w->next);
	state_must(c, op ? (op - 1) / s->program.nops == (i & s->simd.mask) : !occupied,
		   "a warp without an instruction");
	STATE_ANY(c, w->since);
	STATE_ANY(c, w->ready_at);
	STATE_ANY(c, w->results_at);
	STATE_MOST(c, w->mixed, 1, "a mark of a slot");
	STATE_MOST(c, w->wheel_index, PLACE_BLOCKED, "a slot's place to sleep");
	STATE_MOST(c, w->wait, STALLS - 1, "the reason of a wait");
	STATE_MOST(c, w->free_wait, STALLS - 1, "the reason of a wait");
	STATE_ANY(c, w->stalls);
	STATE_ANY(c, w->free_at);
	STATE_ANY(c, w->fetched_at);
	STATE_ANY(c, w->operands_at);
	STATE_ANY(c, w->digest);
	STATE_ANY(c, w->age);
	STATE_ANY(c, w->counted);
	STATE_ANY(c, w->idle);
}

/* Entries of results: any cycle, of a kind that there is. */
static void check_boards(struct state_check *c, const struct sched *s, unsigned slots)
{
	size_t n = (size_t)slots * s->storage.entries;

	for (size_t i = 0; i < n; i++) {
		uint64_t entry;
		STATE_GET(c, &s->storage.board[i], &entry);
		state_must(c, result_kind(entry) < RESULT_KINDS, "the kind of a result");
	}
	state_any(c, s->storage.board, n * sizeof *s->storage.board);
}

/* Cycles of a launch stay far below the numbers that additions of latencies would take beyond 64 bits. */
enum { CYCLE_BITS = 60 };

static void check_time(const struct rules_of *r, const struct sched *s)
{
	struct state_check *c = r->c;
	uint64_t now, slot;
	uint32_t left;

	STATE_GET(c, &s->issues_left, &left);
	STATE_GET(c, &s->now, &now);
	STATE_GET(c, &s->issue_slot, &slot);
	state_must(c, slot <= UINT64_C(1) << CYCLE_BITS && (!r->plan->timed || now == slot * s->rules.gap),
		   "the cycle of a multiprocessor");
	STATE_ANY(c, s->now);
	STATE_ANY(c, s->issue_slot);
	STATE_ANY(c, s->issued_at);
	if (!r->plan->timed)
		return;
	STATE_MOST(c, s->issues_left, s->rules.schedulers, "the issues of a cycle");
	state_must(c, left, "the issues of a cycle");
	state_any(c, s->free_at, sizeof s->free_at);
	STATE_MOST(c, s->picked, SLOTS - 1, "the slot that issued last");
	state_most(c, s->simd.picked, 1, SIMDS_MAX, SLOTS - 1, "the slot that issued last");
	STATE_ANY(c, s->active_group);
	STATE_ANY(c, s->random);
}

static void check_sleep(struct state_check *c, const struct sleepers *s, uint64_t slots)
{
	STATE_MASK(c, s->wheel, slots, "a slot that sleeps without a warp");
	STATE_ANY(c, s->used);
	STATE_MASK(c, s->beyond, slots, "a slot that sleeps without a warp");
	STATE_ANY(c, s->beyond_at);
	STATE_ANY(c, s->next);
}

static void check_idle(struct state_check *c, const struct sched *s)
{
	state_most(c, s->nidle, sizeof *s->nidle, UNITS_MAX, IDLES, "the number of idle times");
	STATE_ANY(c, s->noted_at);
	STATE_ANY(c, s->idle_end);
	STATE_ANY(c, s->idle);
	STATE_ANY(c, s->ages);
	STATE_ANY(c, s->total);
	STATE_ANY(c, s->empty_since);
	STATE_ANY(c, s->counter_waits);
	STATE_ANY(c, s->lines_here);
	STATE_ANY(c, s->const_here);
}

static void check_requests(const struct rules_of *r, const struct mp *mp)
{
	size_t most = epoch_requests(r->m);
	struct state_check *c = r->c;
	struct request one;
	uint32_t n, n_answers, left;
	uint64_t before = 0, at = 0, now;

	STATE_GET(c, &mp->nrequests, &n);
	STATE_GET(c, &mp->nanswers, &n_answers);
	STATE_MOST(c, mp->nrequests, most, "the number of requests");
	STATE_MOST(c, mp->nanswers, most, "the number of requests");
	state_any(c, mp->request, most * sizeof *mp->request);
	for (size_t i = 0; i < most && (i < n || i < n_answers); i++) {
		STATE_GET(c, &mp->request[i], &one);
		state_must(c, one.access.slot < mp->nresident * r->plan->dim.warps && one.access.op,
			   "a request of no warp");
		if (i >= n)
			continue;
		at = one.cycle == before ? at + 1 : 1;
		state_must(c, one.cycle >= before && at <= mp->sched.rules.schedulers &&
			   one.cycle % mp->sched.rules.gap == 0, "the cycle of a request");
		before = one.cycle;
	}
	STATE_GET(c, &mp->sched.now, &now);
	STATE_GET(c, &mp->sched.issues_left, &left);
	state_must(c, before < now || !at || (before == now && at + left <= mp->sched.rules.schedulers),
		   "the cycle of a request");
}

static void check_sched(const struct rules_of *r, const struct mp *mp, uint64_t slots)
{
	const struct sched *s = &mp->sched;
	unsigned n = mp->nresident * r->plan->dim.warps;
	struct state_check *c = r->c;
	uint64_t occupied;

	check_time(r, s);
	if (!r->plan->timed)
		return;
	STATE_GET(c, &s->occupied, &occupied);
	STATE_ANY(c, s->occupied);
	state_must(c, occupied == slots, "a slot without a warp");
	STATE_MASK(c, s->ready, slots, "a slot without a warp");
	state_mask(c, s->want, WANTS_NOTHING, slots, "a slot without a warp");
	STATE_ANY(c, s->want[WANTS_NOTHING]);
	check_sleep(c, &s->sleep, slots);
	check_idle(c, s);
	for (unsigned i = 0; i < n; i++)
		check_slot(r, mp, i, slots >> i & 1);
	check_boards(c, s, n);
	state_any(c, s->storage.by_pc, (r->plan->code.code_bytes / 4 + 1) * sizeof *s->storage.by_pc);
	check_requests(r, mp);
	check_cache(c, &mp->code_l1);
	check_cache(c, &mp->const_l1);
	check_cache(c, &mp->texture_l1);
}

static void check_turns(const struct rules_of *r, const struct mp *mp, uint64_t slots)
{
	struct turns read;

	STATE_GET(r->c, &mp->turns, &read);
	STATE_ANY(r->c, mp->turns.block);
	STATE_ANY(r->c, mp->turns.remaining);
	STATE_MOST(r->c, mp->turns.previous, SLOTS - 1, "the slot that issued last");
	state_must(r->c, read.previous == mp->turns.previous || (mp->slot[read.previous % SLOTS] &&
		   mp->slot[read.previous % SLOTS]->block), "the slot that issued last");
	STATE_MASK(r->c, mp->ready, slots, "a slot without a warp");
}

static void check_mp(const struct rules_of *r, const struct mp *mp)
{
	uint32_t nlive;
	uint64_t slots;
	unsigned live;

	check_exec(r, &mp->x);
	check_counters(r, mp);
	check_queue(r, mp);
	for (unsigned k = 0; k < mp->nresident && !r->c->wrong; k++)
		check_resident(r, &mp->resident[k], k);
	slots = slots_of(r, mp, &live);
	STATE_GET(r->c, &mp->nlive, &nlive);
	STATE_ANY(r->c, mp->nlive);
	state_must(r->c, nlive == live, "the number of blocks");
	check_turns(r, mp, slots);
	check_sched(r, mp, slots);
}

/* ---- all ---- */

static void check_run(const struct rules_of *r, const struct run_state *run)
{
	unsigned n = r->plan->nmps;
	const struct livelock *now = &run->livelock, *prepared = &r->m->run.livelock;
	uint8_t marks[3];

	memcpy(marks, &run->queue_empty, 1);
	memcpy(marks + 1, &run->all_started, 1);
	memcpy(marks + 2, &run->unwatched, 1);
	state_must(r->c, marks[0] <= 1 && marks[1] <= 1 && marks[2] <= 1, "a mark of a run");
	state_must(r->c, run->epoch_mp <= n && run->turn < n && run->visited < n && run->slice_mp < n &&
		   !run->slice_remaining && !run->slice_longer, "the multiprocessor that goes on");
	state_must(r->c, run->epoch_end == SCHED_NEVER || run->epoch_end <= UINT64_C(1) << CYCLE_BITS,
		   "the cycle of a run");
	state_must(r->c, now->idle_limit == prepared->idle_limit && now->interval == prepared->interval,
		   "a limit of a run");
}

const char *saving_wrong(const struct wb_launch *l, const uint8_t *image, uint8_t *good, const struct run_state *run)
{
	const struct machine *m = &l->machine;
	struct last_part last = { .m = m };
	struct state_check c = { .offset = offset, .of = &last, .read = image, .good = good,
				 .insn = m->plan->code.insn,
				 .code_bytes = m->plan->code.code_bytes };
	struct rules_of r = { .c = &c, .l = l, .m = m, .plan = m->plan,
			      .lanes = lanes_first((int)m->plan->code.target.isa->lanes) };

	check_run(&r, run);
	for (unsigned i = 0; i < m->plan->nmps && !c.wrong; i++)
		check_mp(&r, &m->mp[i]);
	if (m->plan->timed)
		check_shared_caches(&r);
	if (m->given_lanes)
		state_any(&c, m->given_lanes, m->plan->dim.blocks * m->plan->dim.warps * sizeof *m->given_lanes);
	for (const struct observer *o = m->observers; o && !c.wrong; o = o->next)
		if (o->check_state)
			o->check_state(o, m, &c);
	if (!c.wrong && memcmp(good, image, state_bytes(m)))
		c.wrong = "a word that no run changes";
	return c.wrong;
}

/* No multiprocessor is behind the epoch: all requests of an epoch then are within its cycles. */
const char *saving_wrong_clock(const struct machine *m)
{
	uint64_t all = epoch_cycles(m), end = m->run.epoch_end;

	for (unsigned i = 0; m->plan->timed && i < m->plan->nmps; i++) {
		const struct mp *mp = &m->mp[i];
		uint64_t next = sched_time(&m->mp[i].sched, 0), begin = end > all ? end - all : 0;
		if (next < begin || (mp->nrequests && (mp->request[0].cycle < begin ||
						       mp->request[mp->nrequests - 1].cycle >= end)))
			return "the cycle of a multiprocessor";
	}
	return NULL;
}
