/* The multiprocessors of a launch: blocks are placed, warps take turns, and what a turn ends in is dealt with. A run
 * without timing is the same code with longer turns. */
#include <assert.h>
#include <string.h>

#include "api/ahead.h"
#include "api/check.h"
#include "api/clock.h"
#include "api/hang.h"
#include "api/internal.h"
#include "api/observe.h"
#include "api/parallel.h"
#include "api/perfect.h"
#include "api/recorder.h"
#include "api/requests.h"
#include "api/watch.h"
#include "core/base/rng.h"
#include "mem/marks.h"

enum { TURNS_BETWEEN_LOOKS = 4096, FREE_BUDGET = 4096 };   /* turns; instructions of a turn without timing */

static size_t round_up(size_t n, size_t unit)
{
	return (n + unit - 1) / unit * unit;
}

bool machine_warp_room(struct wb_launch *l, void **state, struct row **reg)
{
	size_t size = round_up(l->code.target.isa->warp_bytes(&l->code, &l->rules), 128);
	char *own = arena_alloc(&l->state, size + (l->code.nreg + 1) * sizeof(struct row), sizeof(struct row));

	*state = own;
	*reg = own ? (struct row *)(own + size) : NULL;
	return own;
}

/* Storage for a block: warps, registers, private state, shared and local memory. */
static bool make_room(struct wb_launch *l, struct mp *mp, struct resident *r)
{
	struct arena *a = &l->state;
	struct block *b = &r->block;
	size_t local = (size_t)l->code.local_bytes * l->warps * l->code.target.isa->lanes;

	b->warp = ARENA_ARRAY(a, struct warp, l->warps);
	b->shared = arena_alloc(a, l->shared_bytes + 8, 16);
	b->local = local ? arena_alloc(a, local, 16) : NULL;
	r->since = ARENA_ARRAY(a, uint64_t, l->warps);
	if (l->rules.lock == LOCK_FLAG) {
		b->lock.flag = ARENA_ARRAY(a, uint64_t, FLAG_WORDS(l->rules.lock_entries));
		b->lock.owner = ARENA_ARRAY(a, uint32_t, FLAG_ENTRIES(l->rules.lock_entries));
	}
	if (!b->warp || !b->shared || (local && !b->local) || !r->since ||
	    (l->rules.lock == LOCK_FLAG && (!b->lock.flag || !b->lock.owner)))
		return false;
	for (unsigned i = 0; i < l->warps; i++) {
		struct warp *w = &b->warp[i];
		if (!machine_warp_room(l, &w->state, &w->reg))
			return false;
		w->nreg = l->code.nreg;
		mp->slot[r->first_slot + i] = w;
	}
	return perfect_room(l, b) && check_room(l, b);
}

static void apply_pokes(struct wb_launch *l, struct block *b)
{
	for (size_t i = 0; i < l->npokes; i++) {
		const struct poke *p = &l->poke[i];
		uint32_t *at;
		if (p->block != b->index || p->warp >= b->nwarps)
			continue;
		at = l->code.target.isa->reg(&b->warp[p->warp], p->file, p->reg, p->lane);
		if (at)
			*at = p->value;
	}
}

static void start_warp(struct wb_launch *l, struct block *b, unsigned i)
{
	const struct isa_ops *isa = l->code.target.isa;
	struct warp *w = &b->warp[i];
	uint32_t first = i * isa->lanes, lanes = b->threads - first;

	w->id = (uint16_t)i;
	w->block = b;
	w->digest = 0;
	if (isa->clear_warp && !l->rules.preset)
		isa->clear_warp(w, &l->code);
	else
		memset(w->reg, 0, w->nreg * sizeof *w->reg);
	warp_start(w, (int)(lanes < isa->lanes ? lanes : isa->lanes), l->code.entry);
	isa->start_warp(b, w, &l->code, &l->rules);
}

void machine_start_block(struct wb_launch *l, struct block *b, uint32_t index)
{
	b->index = index;
	b->id[0] = index % l->grid[0];
	b->id[1] = index / l->grid[0];
	memcpy(b->ntid, l->block, sizeof b->ntid);
	memcpy(b->nctaid, l->grid, sizeof b->nctaid);
	b->threads = l->threads;
	b->nwarps = l->warps;
	b->unfinished = lanes_first((int)l->warps);
	b->woken = 0;
	b->shared_bytes = l->shared_bytes;
	b->local_bytes = l->code.local_bytes;
	memset(b->barrier, 0, sizeof b->barrier);
	b->lock.holders = b->lock.waiters = 0;
	b->lock.flags_set = 0;
	b->lock.nchanged = 0;
	if (b->lock.flag)
		memset(b->lock.flag, 0, FLAG_WORDS(l->rules.lock_entries) * sizeof *b->lock.flag);
	memset(b->shared, 0, l->shared_bytes);
	if (b->local)
		memset(b->local, 0, (size_t)b->local_bytes * l->warps * l->code.target.isa->lanes);
	l->code.target.isa->start_block(b, &l->param);
	check_block(l, b);
	for (unsigned i = 0; i < l->warps; i++)
		start_warp(l, b, i);
	apply_pokes(l, b);
}

/* The block that has moved into a room has its turns from now on. */
static void admit(struct wb_launch *l, struct mp *mp, struct resident *r)
{
	r->live = true;
	mp->nlive++;
	for (unsigned i = 0; i < l->warps; i++) {
		struct warp *w = &r->block.warp[i];
		w->slot = (uint16_t)(r->first_slot + i);
		r->since[i] = clock_now(l, mp);
		clock_admit(l, mp, w);
	}
	if (l->recorder)
		recorder_block(l, mp, &r->block, EVENT_BLOCK_START);
}

/* Put the next block of mp into a free room, if there is one. False: the launch has been given up. */
static bool place_block(struct wb_launch *l, struct mp *mp, struct resident *r)
{
	uint32_t index;

	if (!deal_take(l, mp, &index))
		return true;
	if (!l->ahead)
		machine_start_block(l, &r->block, index);
	else if (!ahead_place(l, mp, r, index))
		return false;
	admit(l, mp, r);
	if (l->ahead)
		ahead_follow(mp, r);
	return true;
}

bool machine_prepare_exec(struct wb_launch *l, struct mp *mp, unsigned index)
{
	mp->x = (struct exec){
		.program = &l->code, .rules = &l->rules, .memory = &l->memory, .bill = &mp->bill,
		.mp = index, .mps_per_tpc = l->chip.mps_per_tpc,
		.random = mix64(l->rules.seed + index), .timed = l->timing,
	};
	return bill_init(&mp->bill, &l->state, l->code.target.isa->lanes, l->code.code_bytes) && observe_setup(l, mp);
}

static bool prepare_mp(struct wb_launch *l, struct mp *mp, unsigned index)
{
	mp->last = 63;
	mp->nresident = l->fit.blocks;
	/* What follows is this multiprocessor's alone, and begins a line of the host's cache. */
	mp->resident = arena_alloc(&l->state, mp->nresident * sizeof *mp->resident, 128);
	if (!mp->resident || !machine_prepare_exec(l, mp, index))
		return false;
	for (unsigned i = 0; i < mp->nresident; i++) {
		mp->resident[i].first_slot = i * l->warps;
		if (!make_room(l, mp, &mp->resident[i]))
			return false;
	}
	return deal_prepare(l, mp) && clock_prepare_mp(l, mp);
}

bool machine_prepare(struct wb_launch *l, struct diag *d)
{
	l->mp = ARENA_ARRAY(&l->state, struct mp, l->nmps);
	if (!l->mp)
		return diag_set(d, DIAG_ENV, "out of memory for %u multiprocessors", l->nmps);
	if (!clock_prepare(l, d))
		return false;
	for (unsigned i = 0; i < l->nmps; i++) {
		l->state.part = i + 1;  /* what changes only while it is at it (api/replay.c) */
		if (!prepare_mp(l, &l->mp[i], i))
			return diag_set(d, DIAG_ENV, "out of memory for %u blocks of %u warps on %u multiprocessors",
					l->fit.blocks, l->warps, l->nmps);
	}
	l->state.part = 0;
	/* Breadth first over the multiprocessors, in x-then-y order. */
	for (unsigned room = 0; room < l->fit.blocks; room++)
		for (unsigned i = 0; i < l->nmps; i++)
			place_block(l, &l->mp[i], &l->mp[i].resident[room]);
	return true;
}

bool machine_deal(struct wb_launch *l)
{
	if (!deal_balance(l))
		return false;
	for (unsigned i = 0; i < l->nmps; i++)
		for (unsigned k = 0; k < l->mp[i].nresident; k++) {
			struct mp *mp = &l->mp[i];
			if (mp->resident[k].live || !deal_left(l, mp))
				continue;
			requests_deliver(mp);
			sched_skip(&mp->sched, l->run.epoch_end);
			place_block(l, mp, &mp->resident[k]);
		}
	return true;
}

static struct resident *resident_of(struct mp *mp, const struct warp *w, unsigned warps)
{
	return &mp->resident[w->slot / warps];
}

static void note_warp(struct wb_launch *l, struct mp *mp, struct warp *w, uint64_t until)
{
	struct resident *r = resident_of(mp, w, l->warps);

	observe_warp(l, mp, w, until > r->since[w->id] ? until - r->since[w->id] : 0);
}

static bool warp_done(struct wb_launch *l, struct mp *mp, struct warp *w)
{
	struct block *b = w->block;

	check_warp_done(l, &mp->x, w);
	lanes_settle(w, &mp->bill);
	block_warp_done(b, w);
	note_warp(l, mp, w, clock_now(l, mp));
	clock_retire(l, mp, w);
	if (l->timing)
		w->digest = slot_of(&mp->sched, w->slot)->digest + mp->sched.issued_at;
	mp->x.digest += mix64(w->digest + ((uint64_t)b->index << 16 | w->id));
	if (l->recorder)
		recorder_warp_end(l, mp, w);
	if (b->unfinished)
		return true;
	if (l->recorder)
		recorder_block(l, mp, b, EVENT_BLOCK_END);
	struct resident *r = resident_of(mp, w, l->warps);
	r->live = false;
	mp->nlive--;
	perfect_block(l, mp, b);
	__atomic_fetch_add(&l->run.finished_blocks, 1, __ATOMIC_RELAXED);
	return place_block(l, mp, r);
}

static void wake(struct wb_launch *l, struct mp *mp, struct block *b)
{
	if (l->watch)
		watch_woken(l->watch, b);
	if (l->recorder)
		recorder_woken(l, mp, b);
	FOR_SET_LANES(i, b->woken)
		if (b->warp[i].status == WARP_READY)
			clock_wake(l, mp, &b->warp[i]);
	b->woken = 0;
}

static bool all_wait(const struct block *b)
{
	FOR_SET_LANES(i, b->unfinished)
		if (b->warp[i].status == WARP_READY)
			return false;
	return b->unfinished != 0;
}

static bool stop(struct wb_launch *l, const char *result, enum diag_kind kind, const char *text)
{
	if (l->crew)
		return parallel_give_up(l, text);
	l->result = result;
	return diag_set(&l->why, kind, "%s", text);
}

static bool fault(struct wb_launch *l, struct mp *mp)
{
	const struct marks *m = mp->x.pages.marks;

	if (m)
		return parallel_give_up(l, m->refused ? m->refused : fault_text(mp->x.fault.kind));
	l->fault_mp = mp;
	return stop(l, "fault", DIAG_FAULT, fault_text(mp->x.fault.kind));
}

/* What a turn of warp w led to, with outcome r, beyond its own next instruction. False: the launch is over. */
static bool follow(struct wb_launch *l, struct mp *mp, struct warp *w, struct block *b, int r)
{
	if (r == STEP_DONE && !warp_done(l, mp, w))
		return false;
	if (r == STEP_BARRIER || r == STEP_LOCKED)
		clock_block(l, mp, w, r == STEP_BARRIER ? STALL_BARRIER : STALL_LOCK);
	if (b->woken)
		wake(l, mp, b);
	if (r == STEP_FAULT)
		return fault(l, mp);
	if (r != STEP_OK && r != STEP_BREAK && all_wait(b))
		return stop(l, "deadlock", DIAG_HANG, "deadlock: every unfinished warp of a block waits");
	return r != STEP_DONE || __atomic_load_n(&l->run.finished_blocks, __ATOMIC_RELAXED) < l->blocks;
}

/* One turn of the warp in a slot of mp: with timing one instruction. False: the launch is over. Whether somebody
 * watches is known where it is called, and what that takes is gone from the loop of those turns that nobody sees. */
static inline __attribute__((always_inline)) bool turn(struct wb_launch *l, struct mp *mp, unsigned slot,
						       uint64_t budget, bool timing, bool watched, bool recorded)
{
	struct exec *x = &mp->x;
	struct warp *w = mp->slot[slot];
	struct block *b = w->block;
	uint64_t issued = x->instructions, cycle = timing ? mp->sched.now : mp->cycle;
	int r;

	if (timing)
		sched_digest(slot_of(&mp->sched, slot), slot_of(&mp->sched, slot)->next, cycle, w->active);
	x->warp = w;
	x->block = b;
	x->cycle = cycle;
	if (watched)
		watch_before(l->watch, x);
	if (recorded)
		recorder_before(l, mp);
	r = (watched || recorded ? l->code.run_told : l->code.run)(x, budget);
	if (watched)
		watch_turn(l->watch, x, r);
	if (!timing && r != STEP_FAULT)
		mp->cycle += CYCLES_AN_ISSUE * (x->instructions - issued);
	if (timing && __builtin_expect(r != STEP_FAULT && r != STEP_LOCKED, 1))
		clock_issued(l, mp, w, slot);
	if (recorded)
		recorder_turn(l, mp, r);
	return __builtin_expect(r == STEP_OK && !b->woken, 1) || follow(l, mp, w, b, r);
}

static bool watched_turn(struct wb_launch *l, struct mp *mp, unsigned slot, uint64_t budget)
{
	bool recorded = l->recorder;

	return l->timing ? turn(l, mp, slot, budget, true, true, recorded) :
			   turn(l, mp, slot, budget, false, true, recorded);
}

static uint64_t limit(const struct wb_config *c, enum option o)
{
	int64_t v = config_number(c, o);
	return v == NUMBER_NONE ? UINT64_MAX : (uint64_t)v;
}

uint64_t machine_issues(const struct wb_launch *l)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < l->nmps; i++)
		n += l->mp[i].x.instructions;
	return n;
}

static bool cycles_over(struct wb_launch *l)
{
	return stop(l, "limit", DIAG_LIMIT, "the cycle limit (--max-cycles) was reached");
}

/* How many instructions a turn may issue before the cycle limit; 0: it has been reached, and says so. */
static uint64_t within_cycles(struct wb_launch *l, const struct mp *mp, uint64_t budget)
{
	uint64_t now = clock_now(l, mp), left;

	if (l->max.cycles == UINT64_MAX)
		return budget;
	left = now < l->max.cycles ? (l->max.cycles - now + 3) / 4 : 0;
	if (!left)
		cycles_over(l);
	return left < budget ? left : budget;
}

/* Likewise before the instruction limit. */
static uint64_t within_instructions(struct wb_launch *l, uint64_t budget)
{
	uint64_t n, left;

	if (l->max.instructions == UINT64_MAX)
		return budget;
	n = machine_issues(l);
	left = n < l->max.instructions ? l->max.instructions - n : 0;
	if (!left)
		stop(l, "limit", DIAG_LIMIT, "the instruction limit (--max-insns) was reached");
	return left < budget ? left : budget;
}

bool machine_interrupted(struct wb_launch *l)
{
	return stop(l, "interrupted", DIAG_INTERRUPTED, "interrupted");
}

/* Now and then somebody looks up from the work. False: the launch is over. */
static bool look_up(struct wb_launch *l)
{
	if (l->interrupt)
		return machine_interrupted(l);
	if (hang_look(&l->run.hang, l, l->mp, l->nmps, true))
		return stop(l, "livelock", DIAG_HANG, l->run.hang.proven ?
			    "livelock, proven: the machine's whole state repeats" :
			    "livelock, suspected: no store, exit, barrier release or unlock for --livelock cycles");
	return true;
}

/* The clock comes to the end of a stretch of a slot's course: what the last instruction costs, and where the warp goes
 * on; NULL: nowhere. */
static const struct sched_op *pay_stretch(struct wb_launch *l, struct mp *mp, struct slot *w)
{
	const struct stretch *at = w->at;

	mp->work.extra_cycles = at->extra;
	mp->work.bytes = at->bytes;
	mp->work.last_bytes = at->last_bytes;
	if (at->line)
		clock_const(l, mp, at->line);
	end_stretch(w);
	return w->left ? clock_op(l, w->at->pc) : NULL;
}

/* The instruction of the warp in a slot issues, which has been executed ahead. False: the launch is over. */
static bool turn_ahead(struct wb_launch *l, struct mp *mp, unsigned slot)
{
	struct sched *s = &mp->sched;
	struct slot *at = slot_of(s, slot);
	struct warp *w = mp->slot[slot];
	const struct sched_op *op = at->next, *next = op + op->words;
	lane_mask active = at->at->active;
	unsigned barrier = 0;
	uint64_t cycle = s->now, released = 0;
	bool goes_on = true;

	sched_digest(at, op, s->now, active);
	if (!constant_here(s, op))
		clock_const(l, mp, op->const_line);
	if (!--at->left) {
		barrier = at->at->barrier;
		next = pay_stretch(l, mp, at);
	}
	if (mp->work.bytes)
		clock_request(mp, slot);
	clock_issue(mp, slot, next, next ? clock_fetched(l, mp, at, next) : 0);
	if (l->recorder)
		recorder_replayed(l, mp, slot, op, cycle, active);
	if (barrier)
		released = sched_arrive(s, slot);
	if (l->recorder && barrier && !released)
		recorder_waits(l, mp, w, barrier - 1);
	if (!next) {
		released = sched_leave(s, slot);
		goes_on = follow(l, mp, w, w->block, STEP_DONE);
	}
	released &= ~(1ull << slot);
	if (l->recorder && released)
		recorder_released(l, mp, w, released >> (w->slot - w->id));
	return goes_on;
}

/* Can the instruction of the warp in a slot, which has been executed ahead, issue whatever other multiprocessors do
 * meanwhile? */
static bool is_private(const struct wb_launch *l, const struct mp *mp, unsigned slot)
{
	const struct sched *s = &mp->sched;
	const struct slot *w = slot_of(s, slot);
	const struct stretch *at = w->at, *then = behind_stretch(w);
	const struct sched_op *op = w->next, *next = op + op->words;
	uint64_t unfinished = mp->slot[slot]->block->unfinished;

	if (!constant_here(s, op))
		return false;
	if (w->left == 1) {
		if (at->bytes || at->line)
			return false;
		if (!then->issues)
			return l->run.all_started || (unfinished & (unfinished - 1));
		next = clock_op(l, then->pc);
	}
	return code_here(s, op, next);
}

/* Up to which cycle mp may run in the epoch that ends with cycle `end`. Beyond it, as long as its instructions are
 * private: no answer to what it has asked for can come before that cycle, and no block from others. */
static uint64_t may_run_to(const struct wb_launch *l, const struct mp *mp, uint64_t end)
{
	uint64_t last;

	if (!mp->sched.usual || l->recorder || (!l->run.all_started && mp->nlive < mp->nresident))
		return end < l->max.cycles ? end : l->max.cycles;
	last = mp->nrequests ? mp->request[0].cycle + l->numbers.value[T_g_latency] : SCHED_NEVER - USUAL_GAP;
	return last < l->max.cycles ? last : l->max.cycles;
}

static inline bool pick_ahead(struct mp *mp, uint64_t end, const struct sched_observer *o, unsigned *slot)
{
	int i;

	if (!mp->sched.usual)
		return clock_pick(mp, end, slot);
	i = sched_follow(&mp->sched, end, o);
	*slot = (unsigned)i;
	return i != SCHED_NONE;
}

static bool run_ahead(struct wb_launch *l, struct mp *mp, uint64_t end, uint64_t *turns)
{
	const struct recorder_observer recorder = { { recorder_issued }, l, mp };
	const struct sched_observer *o = l->recorder ? &recorder.observer : NULL;
	bool goes_on = true;
	unsigned slot;

	for (; goes_on && *turns && pick_ahead(mp, may_run_to(l, mp, end), o, &slot); --*turns) {
		if (mp->sched.now >= end && !is_private(l, mp, slot))
			break;
		sched_take(&mp->sched, slot);
		goes_on = turn_ahead(l, mp, slot);
	}
	if (goes_on && l->max.cycles < end && clock_pick(mp, end, &slot))
		return cycles_over(l);
	return goes_on;
}

/* As machine_run_mp. */
static inline __attribute__((always_inline)) bool run_mp(struct wb_launch *l, struct mp *mp, uint64_t end,
							 uint64_t *turns, bool recorded)
{
	bool goes_on = true;
	unsigned slot;

	for (; goes_on && *turns && clock_pick(mp, end, &slot); --*turns)
		goes_on = turn(l, mp, slot, 1, true, false, recorded);
	return goes_on;
}

bool machine_run_mp(struct wb_launch *l, struct mp *mp, uint64_t end, uint64_t *turns)
{
	uint64_t last = end < l->max.cycles ? end : l->max.cycles;
	bool goes_on;
	unsigned slot;

	if (l->recorder)
		recorder_look(l);
	if (l->ahead)
		return run_ahead(l, mp, end, turns);
	goes_on = l->recorder ? run_mp(l, mp, last, turns, true) : run_mp(l, mp, last, turns, false);
	if (goes_on && *turns && last < end && clock_pick(mp, end, &slot))
		return cycles_over(l);
	return goes_on;
}

/* The multiprocessor that has the next turn, and its slot: mostly the one that had the last. */
static struct mp *next_turn(struct wb_launch *l, unsigned *slot)
{
	struct mp *mp = &l->mp[l->run.epoch_mp];

	if (l->run.epoch_mp < l->nmps && clock_pick(mp, l->run.epoch_end, slot))
		return mp;
	mp = clock_epoch_mp(l);
	assert(mp);
	clock_pick(mp, l->run.epoch_end, slot);
	return mp;
}

/* With timing: turns of one multiprocessor up to the end of an epoch, to the next look, or as many as instructions are
 * left; a single one where somebody watches. */
static bool timed_step(struct wb_launch *l)
{
	uint64_t n = TURNS_BETWEEN_LOOKS - l->run.turns % TURNS_BETWEEN_LOOKS, left;
	struct mp *mp;
	unsigned slot;
	bool goes_on;

	if (n == 1 && !look_up(l)) {
		l->run.turns++;
		return false;
	}
	n = n == 1 ? TURNS_BETWEEN_LOOKS : n - 1;
	n = left = within_instructions(l, l->watch ? 1 : n);
	if (l->watch && n) {
		l->run.turns++;
		mp = next_turn(l, &slot);
		return within_cycles(l, mp, 1) && watched_turn(l, mp, slot, 1);
	}
	mp = clock_epoch_mp(l);
	assert(mp);     /* a machine in which nobody can go on has been found to hang before */
	if (!n) {
		clock_pick(mp, l->run.epoch_end, &slot);
		within_cycles(l, mp, 1);
		return within_instructions(l, 1);
	}
	goes_on = machine_run_mp(l, mp, l->run.epoch_end, &left);
	l->run.turns += n - left;
	return goes_on;
}

bool machine_free_turn(struct wb_launch *l, struct mp *mp)
{
	unsigned slot;

	return clock_pick_free(mp, &slot) && turn(l, mp, slot, FREE_BUDGET, false, false, false);
}

bool machine_step(struct wb_launch *l)
{
	unsigned slot;
	uint64_t budget;
	struct mp *mp;

	if (l->timing)
		return timed_step(l);
	if (++l->run.turns % (l->watch ? FREE_BUDGET * (uint64_t)l->nmps : l->nmps) == 0 && !look_up(l))
		return false;
	mp = clock_next_free(l, &slot);
	assert(mp);
	budget = within_cycles(l, mp, l->watch ? 1 : FREE_BUDGET);
	budget = within_instructions(l, budget);
	if (!budget)
		return false;
	return l->watch ? watched_turn(l, mp, slot, budget) : turn(l, mp, slot, budget, false, false, false);
}

/* What a launch that stops early leaves open: lanes that are off are charged for what they lost, slots for their
 * waits. */
void machine_settle(struct wb_launch *l)
{
	clock_settle(l);
	for (unsigned i = 0; i < l->nmps; i++) {
		struct mp *mp = &l->mp[i];
		for (unsigned k = 0; k < mp->nresident; k++) {
			struct block *b = &mp->resident[k].block;
			FOR_SET_LANES(j, mp->resident[k].live ? b->unfinished : 0) {
				lanes_settle(&b->warp[j], &mp->bill);
				note_warp(l, mp, &b->warp[j], l->timing ? clock_end(l) : mp->cycle);
				const struct slot *s = slot_of(&mp->sched, b->warp[j].slot);
				uint64_t d = l->timing ? s->digest : b->warp[j].digest;
				mp->x.digest += mix64(d + ((uint64_t)b->index << 16 | b->warp[j].id));
			}
		}
	}
	check_verdict(l);
	lint_verdict(l);
}

bool machine_again(struct wb_launch *l, struct diag *d)
{
	arena_free(&l->state);
	l->run = (struct run_state){ 0 };
	observe_again(l);
	if (!machine_prepare(l, d) || !launch_counters(l, d))
		return false;
	machine_begin(l);
	return true;
}

void machine_begin(struct wb_launch *l)
{
	const struct isa_ops *isa = l->code.target.isa;

	if (isa->ready)
		isa->ready(&l->code, &l->memory);
	l->max = (struct limits){ limit(l->config, OPT_MAX_CYCLES), limit(l->config, OPT_MAX_INSNS) };
	hang_begin(&l->run.hang, limit(l->config, OPT_LIVELOCK));
	l->result = "ok";
}
