#include "machine/trace_driven.h"

#include "machine/clock.h"
#include "machine/memory_cost.h"
#include "machine/host_threads.h"
#include "mem/claims.h"
#include "mem/marks.h"
#include "sched/fast_forward.h"

/* Warp instructions of a block, and of a call. */
enum { BLOCK_MOST = 1 << 22, AT_A_TIME = 1 << 16 };

const char *traces_refused(const struct machine *m)
{
	if (!m->plan->timed)
		return "there is no clock to be ahead of (--timing off)";
	return m->plan->code.traces ? NULL : "the program, or --reconverge, asks for one instruction at a time";
}

/* ---- where blocks are executed ---- */

struct warp_room {
	void *state;
	struct row *reg;
};

/* What has to be there while a block is executed, and no longer. Whoever executes blocks one after the other, of
 * whichever multiprocessors, has the same one again, which is in its processor's caches. */
struct stage {
	struct mp mp;                   /* who executes there: it has no clock, and counts for all (traces_end) */
	uint16_t *intervals;            /* by the word of code at which they begin: what is known of them */
	struct claims claims;
	struct warp_room *warp;         /* memory of a block, as api/machine.c makes it; while one has it, that one's */
	uint8_t *shared, *local;
	struct stage *next, *next_idle;
};

static bool stage_executor(struct machine *m, struct stage *s)
{
	s->intervals = ARENA_ARRAY(&m->state, uint16_t, m->plan->code.code_bytes / 4 + 1);
	s->mp.x.claims = &s->claims;
	return s->intervals && claims_init(&s->claims, m->plan->shared_bytes);
}

static bool stage_room(struct machine *m, struct stage *s)
{
	size_t local = (size_t)m->plan->code.local_bytes * m->plan->dim.warps * m->plan->code.target.isa->lanes;

	s->warp = ARENA_ARRAY(&m->state, struct warp_room, m->plan->dim.warps);
	s->shared = arena_alloc(&m->state, m->plan->shared_bytes + 8, 16);
	s->local = local ? arena_alloc(&m->state, local, 16) : NULL;
	if (!s->warp || !s->shared || (local && !s->local))
		return false;
	for (unsigned i = 0; i < m->plan->dim.warps; i++)
		if (!machine_warp_room(m, &s->warp[i].state, &s->warp[i].reg))
			return false;
	return true;
}

/* NULL: the host has no memory. */
static struct stage *stage_new(struct machine *m)
{
	struct stage *s = ARENA_NEW(&m->state, struct stage);

	if (!s || !stage_room(m, s) || !machine_prepare_exec(m, &s->mp, 0) || !cost_tally(m, &s->mp) ||
	    !stage_executor(m, s))
		return NULL;
	s->next = m->traces.stages;
	m->traces.stages = s;
	return s;
}

/* Likewise. */
static struct stage *stage_take(struct machine *m)
{
	struct stage *s;

	threads_lock(m);
	s = m->traces.idle;
	if (s)
		m->traces.idle = s->next_idle;
	else
		s = stage_new(m);
	threads_unlock(m);
	return s;
}

/* The block gets the stage's memory, or its own back, if it has some. */
static void swap_rooms(const struct machine *m, struct block *b, struct stage *s)
{
	struct stage was = *s;

	for (unsigned i = 0; i < m->plan->dim.warps; i++) {
		struct warp_room room = s->warp[i];
		s->warp[i] = (struct warp_room){ b->warp[i].state, b->warp[i].reg };
		b->warp[i].state = room.state;
		b->warp[i].reg = room.reg;
	}
	s->shared = b->shared;
	s->local = b->local;
	b->shared = was.shared;
	b->local = was.local;
}

static void stage_leave(struct machine *m, struct stage *s)
{
	threads_lock(m);
	s->next_idle = m->traces.idle;
	m->traces.idle = s;
	threads_unlock(m);
}

/* ---- blocks that are executed before they are placed ---- */

enum { SPARES = 2 };            /* of a multiprocessor */

enum spare_state {
	SPARE_FREE,
	SPARE_TAKEN,            /* somebody executes it */
	SPARE_READY,
	SPARE_LOST,             /* it went to another multiprocessor */
};

/* A block that is to be placed next, or soon, in whichever room is free then: if its program does not ask which that
 * is, threads that wait for others execute it. Of a stripe, blocks are executed in the order in which they are
 * placed. */
struct spare {
	enum spare_state state;
	uint32_t index;         /* the block's, which anybody may look at */
	struct resident seat;   /* has no memory to be executed in */
};

static bool has_spares(const struct machine *m, bool several)
{
	return several && !m->plan->code.reads_place;
}

static bool spare_room(struct machine *m, struct spare *s, unsigned worker)
{
	struct block *b = &s->seat.block;

	b->warp = ARENA_ARRAY(&m->state, struct warp, m->plan->dim.warps);
	s->seat.trace = ARENA_ARRAY(&m->state, struct warp_trace, m->plan->dim.warps);
	s->seat.worker = worker;
	for (unsigned i = 0; b->warp && i < m->plan->dim.warps; i++)
		b->warp[i].nreg = m->plan->code.nreg;
	for (struct observer *o = m->observers; o && b->warp; o = o->next)
		if (o->prepare_block && !o->prepare_block(o, m, b))
			return false;
	return b->warp && s->seat.trace;
}

static bool spares_prepare(struct machine *m, struct mp *mp)
{
	unsigned worker = m->plan->nmps * m->plan->fit.blocks + mp->x.mp * SPARES;

	mp->spare = ARENA_ARRAY(&m->state, struct spare, SPARES);
	for (unsigned i = 0; mp->spare && i < SPARES; i++)
		if (!spare_room(m, &mp->spare[i], worker + i))
			return false;
	return mp->spare;
}

static uint32_t index_of(const struct spare *s)
{
	return __atomic_load_n(&s->index, __ATOMIC_RELAXED);
}

static enum spare_state state_of(const struct spare *s)
{
	return __atomic_load_n(&s->state, __ATOMIC_ACQUIRE);
}

static void set_state(struct spare *s, enum spare_state state)
{
	__atomic_store_n(&s->state, state, __ATOMIC_RELEASE);
}

/* A free spare of mp, and the block that it is for: the next of its stripe that has not been placed, nor is in another
 * spare. The last of the grid is executed where it is placed. */
static struct spare *free_spare(const struct machine *m, struct mp *mp, uint32_t *block)
{
	struct spare *s = NULL;
	uint32_t first, ahead = 0;

	if (!queue_peek(m, mp, 0, &first))
		return NULL;
	for (unsigned i = 0; i < SPARES; i++) {
		enum spare_state state = state_of(&mp->spare[i]);
		if (state == SPARE_FREE)
			s = &mp->spare[i];
		else if (state != SPARE_LOST && index_of(&mp->spare[i]) >= first)
			ahead++;
	}
	return s && queue_peek(m, mp, ahead, block) && *block + 1 < m->plan->dim.blocks ? s : NULL;
}

/* The first multiprocessor with one, beginning with another one each time, or NULL. */
static struct mp *idle_mp(struct machine *m)
{
	unsigned from = __atomic_load_n(&m->traces.helped, __ATOMIC_RELAXED);
	uint32_t block;

	for (unsigned i = 0; i < m->plan->nmps; i++) {
		struct mp *mp = &m->mp[(from + i) % m->plan->nmps];
		if (mp->spare && free_spare(m, mp, &block))
			return mp;
	}
	return NULL;
}

bool traces_may_help(struct machine *m)
{
	return idle_mp(m);
}

static struct spare *take_spare(struct machine *m)
{
	struct spare *s = NULL;
	uint32_t block;

	threads_lock(m);
	struct mp *mp = idle_mp(m);
	if (mp)
		s = free_spare(m, mp, &block);
	if (s) {
		__atomic_store_n(&s->index, block, __ATOMIC_RELAXED);
		set_state(s, SPARE_TAKEN);
		__atomic_store_n(&m->traces.helped, mp->x.mp + 1, __ATOMIC_RELAXED);
	}
	threads_unlock(m);
	return s;
}

/* That which a block is in, or NULL. */
static struct spare *spare_with(struct machine *m, uint32_t block)
{
	struct mp *owner = queue_owner(m, block);
	struct spare *found = NULL;

	if (!owner->spare)
		return NULL;
	threads_lock(m);
	for (unsigned i = 0; i < SPARES; i++) {
		struct spare *s = &owner->spare[i];
		if ((state_of(s) == SPARE_TAKEN || state_of(s) == SPARE_READY) && index_of(s) == block)
			found = s;
	}
	threads_unlock(m);
	return found;
}

/* The spare's block gets a room, whose memory stays there. */
static void move_in(const struct machine *m, struct mp *mp, struct resident *r, struct resident *from)
{
	struct block was = r->block;
	struct warp_trace *course = r->trace;

	r->block = from->block;
	r->block.shared = was.shared;
	r->block.local = was.local;
	r->block.check = was.check;
	r->block.lock = was.lock;
	r->trace = from->trace;
	r->gone = true;
	from->block.warp = was.warp;
	from->trace = course;
	for (unsigned i = 0; i < m->plan->dim.warps; i++) {
		struct warp *w = &r->block.warp[i];
		w->block = &r->block;
		w->state = was.warp[i].state;
		w->reg = was.warp[i].reg;
		was.warp[i].state = NULL;
		was.warp[i].reg = NULL;
		mp->slot[r->first_slot + i] = w;
	}
}

/* The room's worker is free for another block, as the one before is over. But not for one of another multiprocessor,
 * which may begin before that. */
static void leave_spare(struct mp *mp, struct resident *r, struct spare *s)
{
	unsigned worker = r->worker;

	r->worker = s->seat.worker;
	s->seat.worker = worker;
	set_state(s, mp->spare <= s && s < mp->spare + SPARES ? SPARE_FREE : SPARE_LOST);
}

/* ---- all of it ---- */

struct fast_forward *traces_fast_forward(const struct machine *m, struct arena *a)
{
	size_t slots = (size_t)m->plan->fit.blocks * m->plan->dim.warps;
	struct fast_forward *p = ARENA_NEW(a, struct fast_forward);

	if (!p)
		return NULL;
	p->words = m->plan->code.code_bytes / 4 + 1;
	p->nbarrier_groups = m->plan->fit.blocks;
	p->slot = ARENA_ARRAY(a, struct slot, slots);
	p->at = ARENA_ARRAY(a, uint64_t, slots * m->plan->entries + 1);
	p->by_pc = ARENA_ARRAY(a, struct stall_row, p->words);
	p->barrier_group = ARENA_ARRAY(a, struct barrier_group, p->nbarrier_groups);
	return p->slot && p->at && p->by_pc && p->barrier_group ? p : NULL;
}

bool traces_begin(struct machine *m, bool several)
{
	uint32_t words = m->plan->code.code_bytes / 4;

	if (!trace_store_begin(&m->traces.store, m->plan->dim.warps, m->replay_observed))
		return false;
	for (unsigned i = 0; i < m->plan->nmps; i++) {
		if (has_spares(m, several) && !spares_prepare(m, &m->mp[i]))
			return false;
		for (unsigned k = 0; k < m->mp[i].nresident; k++) {
			struct resident *r = &m->mp[i].resident[k];
			r->trace = ARENA_ARRAY(&m->state, struct warp_trace, m->plan->dim.warps);
			r->worker = i * m->plan->fit.blocks + k;
			if (!r->trace)
				return false;
		}
	}
	for (unsigned i = 0; i < m->plan->nmps; i++) {
		m->mp[i].sched.order = m->plan->order;
		if (m->mp[i].sched.standard && words < FAST_FORWARD_WORDS && !m->replay_observed && m->plan->host.fast_forward)
			m->mp[i].sched.checkpoint_at = 0;
	}
	m->traces.executed = 0;
	m->traces.on = true;
	return true;
}

/* What was counted on stages is as good as the first multiprocessor's: reports are of all. */
static void count_stage(struct machine *m, const struct stage *s)
{
	struct mp *to = &m->mp[0];

	bill_add(&to->bill, &s->mp.bill);
	if (to->mem)
		cost_add(to->mem, &s->mp);
	to->x.instructions += s->mp.x.instructions;
	if (s->mp.x.counts.deepest_stack > to->x.counts.deepest_stack)
		to->x.counts.deepest_stack = s->mp.x.counts.deepest_stack;
}

void traces_end(struct machine *m)
{
	m->traces.on = false;
	for (; m->traces.stages; m->traces.stages = m->traces.stages->next) {
		count_stage(m, m->traces.stages);
		claims_free(&m->traces.stages->claims);
	}
	m->traces.idle = NULL;
	for (unsigned i = 0; i < m->plan->nmps; i++)
		for (unsigned k = 0; k < m->mp[i].nresident * m->plan->dim.warps; k++)
			trace_free(&m->mp[i].resident[k / m->plan->dim.warps].trace[k % m->plan->dim.warps]);
	trace_store_end(&m->traces.store);
}

bool traces_incomplete(const struct machine *m)
{
	for (const struct stage *s = m->traces.stages; s; s = s->next)
		if (s->claims.broken)
			return true;
	return false;
}

unsigned traces_workers(const struct machine *m, bool several)
{
	return m->plan->nmps * (m->plan->fit.blocks + (has_spares(m, several) ? SPARES : 0));
}

/* ---- execution ---- */

/* A warp up to a barrier or its end. NULL, or why it cannot be executed ahead. */
static const char *execute(struct machine *m, struct exec *x, uint64_t *left)
{
	uint64_t before = x->instructions;
	struct warp *w = x->warp;
	int r;

	do
		r = m->plan->code.run(x, AT_A_TIME);
	while (r == STEP_OK && !x->trace->refused && x->instructions - before < *left);
	*left -= x->instructions - before < *left ? x->instructions - before : *left;
	if (x->trace->refused)
		return x->trace->refused;
	if (x->pages.marks->refused)
		return x->pages.marks->refused;
	if (x->claims->refused)
		return x->claims->refused;
	if (r == STEP_OK)
		return "a block takes too long to be executed ahead of its clock";
	if (r != STEP_BARRIER && r != STEP_DONE)
		return "it does what the order of its warps decides";
	if (r == STEP_DONE) {
		trace_end(x->trace);
		w->status = WARP_DONE;
		w->block->unfinished &= ~(1ull << w->id);
	}
	return NULL;
}

/* What is known of the intervals between barriers that begin at an instruction: nothing; or of those of blocks that
 * are over, what was stored to. What a block is about to learn is kept apart until then. */
enum { WAS = 1, STORED = 2, LEARNT = 8 };       /* STORED << enum claim_space; all that << LEARNT: not yet */

static void begin_interval(const struct machine *m, struct stage *s, uint32_t pc)
{
	uint16_t known = s->intervals[pc / 4];

	claims_begin(&s->claims);
	for (unsigned space = 0; space < CLAIM_SPACES; space++)
		if (known & WAS && !(known & STORED << space) && !m->traces.every_load)
			claims_quiet(&s->claims, (enum claim_space)space);
}

static void end_interval(struct stage *s, uint32_t pc)
{
	unsigned seen = WAS;

	for (unsigned space = 0; space < CLAIM_SPACES; space++)
		seen |= s->claims.stored[space] ? STORED << space : 0;
	s->intervals[pc / 4] |= (uint16_t)(seen << LEARNT | (s->intervals[pc / 4] & WAS ? seen : 0));
}

static void learn(const struct machine *m, struct stage *s)
{
	for (uint32_t i = 0; i <= m->plan->code.code_bytes / 4; i++)
		s->intervals[i] |= s->intervals[i] >> LEARNT;
}

/* All unfinished warps of a block have arrived at a barrier: they go on if it is one. */
static const char *pass_barrier(struct block *b)
{
	unsigned barrier = b->unfinished ? b->warp[__builtin_ctzll(b->unfinished)].waits_for : 0;

	FOR_SET_LANES(i, b->unfinished) {
		if (b->warp[i].waits_for != barrier)
			return "every unfinished warp of a block waits";
		b->warp[i].status = WARP_READY;
	}
	return NULL;
}

/* All warps of a block, in turns from barrier to barrier. */
static const char *execute_all(struct machine *m, struct stage *s, struct resident *r)
{
	struct exec *x = &s->mp.x;
	struct block *b = x->block = &r->block;
	uint64_t left = BLOCK_MOST;
	const char *why = NULL;

	while (b->unfinished && !why) {
		uint32_t pc = b->warp[__builtin_ctzll(b->unfinished)].pc;
		begin_interval(m, s, pc);
		FOR_SET_LANES(i, b->unfinished) {
			x->warp = &b->warp[i];
			x->trace = &r->trace[i];
			claims_warp(x->claims, (unsigned)i);
			why = execute(m, x, &left);
			if (why)
				return why;
		}
		end_interval(s, pc);
		why = pass_barrier(b);
	}
	return why;
}

/* Execute a block that is about to begin. */
static bool perform(struct machine *m, struct stage *s, struct resident *r, unsigned mp)
{
	uint64_t executed;
	const char *why;

	for (unsigned i = 0; i < m->plan->dim.warps; i++)
		trace_begin(&r->trace[i], &m->traces.store, i);
	s->mp.x.mp = mp;
	s->mp.x.pages.marks = threads_marks(m, r->worker);
	executed = s->mp.x.instructions;
	why = execute_all(m, s, r);
	executed = s->mp.x.instructions - executed;
	if (__atomic_add_fetch(&m->traces.executed, executed, __ATOMIC_RELAXED) > m->plan->max.instructions)
		why = "the instruction limit (--max-insns) was reached";
	if (why)
		return threads_give_up(m, why);
	learn(m, s);
	for (unsigned i = 0; i < m->plan->dim.warps; i++)
		trace_share(&r->trace[i], i);
	return true;
}

/* Block `index`, from its beginning. */
static bool perform_new(struct machine *m, struct resident *r, uint32_t index, unsigned mp)
{
	struct stage *s = stage_take(m);
	bool done;

	if (!s)
		return threads_give_up(m, "the host has no memory for more");
	r->gone = index + 1 < m->plan->dim.blocks;
	if (r->gone)
		swap_rooms(m, &r->block, s);
	machine_start_block(m, &r->block, index);
	done = perform(m, s, r, mp);
	if (r->gone)
		swap_rooms(m, &r->block, s);
	stage_leave(m, s);
	return done;
}

bool traces_place(struct machine *m, struct mp *mp, struct resident *r, uint32_t index)
{
	struct spare *s = spare_with(m, index);
	unsigned spins = 0;

	if (!s)
		return perform_new(m, r, index, mp->x.mp);
	while (state_of(s) == SPARE_TAKEN)
		if (!threads_pause(m, &spins))
			return false;
	move_in(m, mp, r, &s->seat);
	leave_spare(mp, r, s);
	return true;
}

bool traces_help(struct machine *m)
{
	struct spare *s = take_spare(m);

	if (!s || !perform_new(m, &s->seat, s->index, 0))
		return false;
	set_state(s, SPARE_READY);
	return true;
}

void traces_replay(struct mp *mp, struct resident *r)
{
	struct block *b = &r->block;
	uint8_t barrier_group = (uint8_t)(r - mp->resident);

	b->unfinished = lanes_first((int)b->nwarps);
	mp->sched.room.barrier_group[barrier_group] = (struct barrier_group){ .slots = b->unfinished << r->first_slot };
	for (unsigned i = 0; i < b->nwarps; i++) {
		struct warp *w = &b->warp[i];
		struct slot *s = slot_of(&mp->sched, w->slot);
		const struct trace_segment *first = r->trace[i].at;
		w->status = WARP_READY;
		s->barrier_group = barrier_group;
		s->at = first;
		s->times = first->times;
		s->left = first->issues;
	}
}

bool traces_of_mp(struct machine *m, struct mp *mp)
{
	struct stage *s = stage_take(m);
	bool done = true;

	if (!s)
		return threads_give_up(m, "the host has no memory for more");
	for (unsigned i = 0; i < mp->nresident && done; i++) {
		if (!mp->resident[i].live)
			continue;
		done = perform(m, s, &mp->resident[i], mp->x.mp);
		if (done)
			traces_replay(mp, &mp->resident[i]);
	}
	stage_leave(m, s);
	return done;
}
