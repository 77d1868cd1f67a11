#include "api/ahead.h"

#include "api/clock.h"
#include "api/observe.h"
#include "api/parallel.h"
#include "api/perfect.h"
#include "mem/claims.h"
#include "mem/marks.h"
#include "sched/periods.h"

/* Warp instructions of a block, and of a call. */
enum { BLOCK_MOST = 1 << 22, AT_A_TIME = 1 << 16 };

const char *ahead_may_not(const struct wb_launch *l)
{
	if (!l->timing)
		return "there is no clock to be ahead of (--timing off)";
	return l->code.traces ? NULL : "the program, or --reconverge, asks for one instruction at a time";
}

/* ---- where blocks are executed ---- */

struct warp_room {
	void *state;
	struct row *reg;
};

/* What has to be there while a block is executed, and no longer. Whoever executes blocks one after the other, of
 * whichever multiprocessors, has the same one again, which is in its processor's caches. */
struct stage {
	struct mp mp;                   /* who executes there: it has no clock, and counts for all (ahead_end) */
	uint16_t *intervals;            /* by the word of code at which they begin: what is known of them */
	struct claims claims;
	struct warp_room *warp;         /* memory of a block, as api/machine.c makes it; while one has it, that one's */
	uint8_t *shared, *local;
	struct stage *next, *next_idle;
};

static bool stage_executor(struct wb_launch *l, struct stage *s)
{
	s->intervals = ARENA_ARRAY(&l->state, uint16_t, l->code.code_bytes / 4 + 1);
	s->mp.x.claims = &s->claims;
	return s->intervals && claims_init(&s->claims, l->shared_bytes);
}

static bool stage_room(struct wb_launch *l, struct stage *s)
{
	size_t local = (size_t)l->code.local_bytes * l->warps * l->code.target.isa->lanes;

	s->warp = ARENA_ARRAY(&l->state, struct warp_room, l->warps);
	s->shared = arena_alloc(&l->state, l->shared_bytes + 8, 16);
	s->local = local ? arena_alloc(&l->state, local, 16) : NULL;
	if (!s->warp || !s->shared || (local && !s->local))
		return false;
	for (unsigned i = 0; i < l->warps; i++)
		if (!machine_warp_room(l, &s->warp[i].state, &s->warp[i].reg))
			return false;
	return true;
}

/* NULL: the host has no memory. */
static struct stage *stage_new(struct wb_launch *l)
{
	struct stage *s = ARENA_NEW(&l->state, struct stage);

	if (!s || !stage_room(l, s) || !machine_prepare_exec(l, &s->mp, 0) || !observe_tally(l, &s->mp) ||
	    !stage_executor(l, s))
		return NULL;
	s->next = l->stages;
	l->stages = s;
	return s;
}

/* Likewise. */
static struct stage *stage_take(struct wb_launch *l)
{
	struct stage *s;

	parallel_lock(l);
	s = l->idle;
	if (s)
		l->idle = s->next_idle;
	else
		s = stage_new(l);
	parallel_unlock(l);
	return s;
}

/* The block gets the stage's memory, or its own back, if it has some. */
static void swap_rooms(const struct wb_launch *l, struct block *b, struct stage *s)
{
	struct stage was = *s;

	for (unsigned i = 0; i < l->warps; i++) {
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

static void stage_leave(struct wb_launch *l, struct stage *s)
{
	parallel_lock(l);
	s->next_idle = l->idle;
	l->idle = s;
	parallel_unlock(l);
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

static bool has_spares(const struct wb_launch *l, bool several)
{
	return several && !l->code.reads_place;
}

static bool spare_room(struct wb_launch *l, struct spare *s, unsigned worker)
{
	struct block *b = &s->seat.block;

	b->warp = ARENA_ARRAY(&l->state, struct warp, l->warps);
	s->seat.course = ARENA_ARRAY(&l->state, struct course, l->warps);
	s->seat.worker = worker;
	for (unsigned i = 0; b->warp && i < l->warps; i++)
		b->warp[i].nreg = l->code.nreg;
	return b->warp && s->seat.course && perfect_room(l, b);
}

static bool spares_prepare(struct wb_launch *l, struct mp *mp)
{
	unsigned worker = l->nmps * l->fit.blocks + mp->x.mp * SPARES;

	mp->spare = ARENA_ARRAY(&l->state, struct spare, SPARES);
	for (unsigned i = 0; mp->spare && i < SPARES; i++)
		if (!spare_room(l, &mp->spare[i], worker + i))
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
static struct spare *free_spare(const struct wb_launch *l, struct mp *mp, uint32_t *block)
{
	struct spare *s = NULL;
	uint32_t first, ahead = 0;

	if (!deal_look(l, mp, 0, &first))
		return NULL;
	for (unsigned i = 0; i < SPARES; i++) {
		enum spare_state state = state_of(&mp->spare[i]);
		if (state == SPARE_FREE)
			s = &mp->spare[i];
		else if (state != SPARE_LOST && index_of(&mp->spare[i]) >= first)
			ahead++;
	}
	return s && deal_look(l, mp, ahead, block) && *block + 1 < l->blocks ? s : NULL;
}

/* The first multiprocessor with one, beginning with another one each time, or NULL. */
static struct mp *idle_mp(struct wb_launch *l)
{
	unsigned from = __atomic_load_n(&l->helped, __ATOMIC_RELAXED);
	uint32_t block;

	for (unsigned i = 0; i < l->nmps; i++) {
		struct mp *mp = &l->mp[(from + i) % l->nmps];
		if (mp->spare && free_spare(l, mp, &block))
			return mp;
	}
	return NULL;
}

bool ahead_may_help(struct wb_launch *l)
{
	return idle_mp(l);
}

static struct spare *take_spare(struct wb_launch *l)
{
	struct spare *s = NULL;
	uint32_t block;

	parallel_lock(l);
	struct mp *mp = idle_mp(l);
	if (mp)
		s = free_spare(l, mp, &block);
	if (s) {
		__atomic_store_n(&s->index, block, __ATOMIC_RELAXED);
		set_state(s, SPARE_TAKEN);
		__atomic_store_n(&l->helped, mp->x.mp + 1, __ATOMIC_RELAXED);
	}
	parallel_unlock(l);
	return s;
}

/* That which a block is in, or NULL. */
static struct spare *spare_with(struct wb_launch *l, uint32_t block)
{
	struct mp *owner = deal_owner(l, block);
	struct spare *found = NULL;

	if (!owner->spare)
		return NULL;
	parallel_lock(l);
	for (unsigned i = 0; i < SPARES; i++) {
		struct spare *s = &owner->spare[i];
		if ((state_of(s) == SPARE_TAKEN || state_of(s) == SPARE_READY) && index_of(s) == block)
			found = s;
	}
	parallel_unlock(l);
	return found;
}

/* The spare's block gets a room, whose memory stays there. */
static void move_in(const struct wb_launch *l, struct mp *mp, struct resident *r, struct resident *from)
{
	struct block was = r->block;
	struct course *course = r->course;

	r->block = from->block;
	r->block.shared = was.shared;
	r->block.local = was.local;
	r->block.check = was.check;
	r->block.lock = was.lock;
	r->course = from->course;
	r->gone = true;
	from->block.warp = was.warp;
	from->course = course;
	for (unsigned i = 0; i < l->warps; i++) {
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

struct periods *ahead_periods(const struct wb_launch *l, struct arena *a)
{
	size_t slots = (size_t)l->fit.blocks * l->warps;
	struct periods *p = ARENA_NEW(a, struct periods);

	if (!p)
		return NULL;
	p->words = l->code.code_bytes / 4 + 1;
	p->ncrowds = l->fit.blocks;
	p->slot = ARENA_ARRAY(a, struct slot, slots);
	p->at = ARENA_ARRAY(a, uint64_t, slots * l->entries + 1);
	p->by_pc = ARENA_ARRAY(a, struct stall_row, p->words);
	p->crowd = ARENA_ARRAY(a, struct crowd, p->ncrowds);
	return p->slot && p->at && p->by_pc && p->crowd ? p : NULL;
}

bool ahead_begin(struct wb_launch *l, bool several)
{
	uint32_t words = l->code.code_bytes / 4;
	const struct sched_op **order = ARENA_ARRAY(&l->state, const struct sched_op *, 2 * words + 2);

	if (!order || !courses_begin(&l->courses, l->warps, l->recorder))
		return false;
	for (unsigned i = 0; i < l->nmps; i++) {
		if (has_spares(l, several) && !spares_prepare(l, &l->mp[i]))
			return false;
		for (unsigned k = 0; k < l->mp[i].nresident; k++) {
			struct resident *r = &l->mp[i].resident[k];
			r->course = ARENA_ARRAY(&l->state, struct course, l->warps);
			r->worker = i * l->fit.blocks + k;
			if (!r->course)
				return false;
		}
	}
	sched_order(l->ops, words, order);
	for (unsigned i = 0; i < l->nmps; i++) {
		l->mp[i].sched.order = order;
		if (l->mp[i].sched.usual && words < PERIOD_WORDS && !l->recorder)
			l->mp[i].sched.mark_at = 0;
	}
	l->executed = 0;
	l->ahead = true;
	return true;
}

/* What was counted on stages is as good as the first multiprocessor's: reports are of all. */
static void count_stage(struct wb_launch *l, const struct stage *s)
{
	struct mp *to = &l->mp[0];

	bill_add(&to->bill, &s->mp.bill);
	if (to->mem)
		observe_add(to->mem, &s->mp);
	to->x.instructions += s->mp.x.instructions;
	if (s->mp.x.counts.deepest_stack > to->x.counts.deepest_stack)
		to->x.counts.deepest_stack = s->mp.x.counts.deepest_stack;
}

void ahead_end(struct wb_launch *l)
{
	l->ahead = false;
	for (; l->stages; l->stages = l->stages->next) {
		count_stage(l, l->stages);
		claims_free(&l->stages->claims);
	}
	l->idle = NULL;
	for (unsigned i = 0; i < l->nmps; i++)
		for (unsigned k = 0; k < l->mp[i].nresident * l->warps; k++)
			course_free(&l->mp[i].resident[k / l->warps].course[k % l->warps]);
	courses_end(&l->courses);
}

bool ahead_broken(const struct wb_launch *l)
{
	for (const struct stage *s = l->stages; s; s = s->next)
		if (s->claims.broken)
			return true;
	return false;
}

unsigned ahead_workers(const struct wb_launch *l, bool several)
{
	return l->nmps * (l->fit.blocks + (has_spares(l, several) ? SPARES : 0));
}

/* ---- execution ---- */

/* A warp up to a barrier or its end. NULL, or why it cannot be executed ahead. */
static const char *execute(struct wb_launch *l, struct exec *x, uint64_t *left)
{
	uint64_t before = x->instructions;
	struct warp *w = x->warp;
	int r;

	do
		r = l->code.run(x, AT_A_TIME);
	while (r == STEP_OK && !x->course->refused && x->instructions - before < *left);
	*left -= x->instructions - before < *left ? x->instructions - before : *left;
	if (x->course->refused)
		return x->course->refused;
	if (x->pages.marks->refused)
		return x->pages.marks->refused;
	if (x->claims->refused)
		return x->claims->refused;
	if (r == STEP_OK)
		return "a block takes too long to be executed ahead of its clock";
	if (r != STEP_BARRIER && r != STEP_DONE)
		return "it does what the order of its warps decides";
	if (r == STEP_DONE) {
		course_end(x->course);
		w->status = WARP_DONE;
		w->block->unfinished &= ~(1ull << w->id);
	}
	return NULL;
}

/* What is known of the intervals between barriers that begin at an instruction: nothing; or of those of blocks that
 * are over, what was stored to. What a block is about to learn is kept apart until then. */
enum { WAS = 1, STORED = 2, LEARNT = 8 };       /* STORED << enum claim_space; all that << LEARNT: not yet */

static void begin_interval(const struct wb_launch *l, struct stage *s, uint32_t pc)
{
	uint16_t known = s->intervals[pc / 4];

	claims_begin(&s->claims);
	for (unsigned space = 0; space < CLAIM_SPACES; space++)
		if (known & WAS && !(known & STORED << space) && !l->every_load)
			claims_quiet(&s->claims, (enum claim_space)space);
}

static void end_interval(struct stage *s, uint32_t pc)
{
	unsigned seen = WAS;

	for (unsigned space = 0; space < CLAIM_SPACES; space++)
		seen |= s->claims.stored[space] ? STORED << space : 0;
	s->intervals[pc / 4] |= (uint16_t)(seen << LEARNT | (s->intervals[pc / 4] & WAS ? seen : 0));
}

static void learn(const struct wb_launch *l, struct stage *s)
{
	for (uint32_t i = 0; i <= l->code.code_bytes / 4; i++)
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
static const char *execute_all(struct wb_launch *l, struct stage *s, struct resident *r)
{
	struct exec *x = &s->mp.x;
	struct block *b = x->block = &r->block;
	uint64_t left = BLOCK_MOST;
	const char *why = NULL;

	while (b->unfinished && !why) {
		uint32_t pc = b->warp[__builtin_ctzll(b->unfinished)].pc;
		begin_interval(l, s, pc);
		FOR_SET_LANES(i, b->unfinished) {
			x->warp = &b->warp[i];
			x->course = &r->course[i];
			claims_warp(x->claims, (unsigned)i);
			why = execute(l, x, &left);
			if (why)
				return why;
		}
		end_interval(s, pc);
		why = pass_barrier(b);
	}
	return why;
}

/* Execute a block that is about to begin. */
static bool perform(struct wb_launch *l, struct stage *s, struct resident *r, unsigned mp)
{
	uint64_t executed;
	const char *why;

	for (unsigned i = 0; i < l->warps; i++)
		course_begin(&r->course[i], &l->courses, i);
	s->mp.x.mp = mp;
	s->mp.x.pages.marks = parallel_marks(l, r->worker);
	executed = s->mp.x.instructions;
	why = execute_all(l, s, r);
	executed = s->mp.x.instructions - executed;
	if (__atomic_add_fetch(&l->executed, executed, __ATOMIC_RELAXED) > l->max.instructions)
		why = "the instruction limit (--max-insns) was reached";
	if (why)
		return parallel_give_up(l, why);
	learn(l, s);
	for (unsigned i = 0; i < l->warps; i++)
		course_share(&r->course[i], i);
	return true;
}

/* Block `index`, from its beginning. */
static bool perform_new(struct wb_launch *l, struct resident *r, uint32_t index, unsigned mp)
{
	struct stage *s = stage_take(l);
	bool done;

	if (!s)
		return parallel_give_up(l, "the host has no memory for more");
	r->gone = index + 1 < l->blocks;
	if (r->gone)
		swap_rooms(l, &r->block, s);
	machine_start_block(l, &r->block, index);
	done = perform(l, s, r, mp);
	if (r->gone)
		swap_rooms(l, &r->block, s);
	stage_leave(l, s);
	return done;
}

bool ahead_place(struct wb_launch *l, struct mp *mp, struct resident *r, uint32_t index)
{
	struct spare *s = spare_with(l, index);
	unsigned spins = 0;

	if (!s)
		return perform_new(l, r, index, mp->x.mp);
	while (state_of(s) == SPARE_TAKEN)
		if (!parallel_pause(l, &spins))
			return false;
	move_in(l, mp, r, &s->seat);
	leave_spare(mp, r, s);
	return true;
}

bool ahead_help(struct wb_launch *l)
{
	struct spare *s = take_spare(l);

	if (!s || !perform_new(l, &s->seat, s->index, 0))
		return false;
	set_state(s, SPARE_READY);
	return true;
}

void ahead_follow(struct mp *mp, struct resident *r)
{
	struct block *b = &r->block;
	uint8_t crowd = (uint8_t)(r - mp->resident);

	b->unfinished = lanes_first((int)b->nwarps);
	mp->sched.room.crowd[crowd] = (struct crowd){ .slots = b->unfinished << r->first_slot };
	for (unsigned i = 0; i < b->nwarps; i++) {
		struct warp *w = &b->warp[i];
		struct slot *s = slot_of(&mp->sched, w->slot);
		const struct stretch *first = r->course[i].at;
		w->status = WARP_READY;
		s->crowd = crowd;
		s->at = first;
		s->times = first->times;
		s->left = first->issues;
	}
}

bool ahead_blocks(struct wb_launch *l, struct mp *mp)
{
	struct stage *s = stage_take(l);
	bool done = true;

	if (!s)
		return parallel_give_up(l, "the host has no memory for more");
	for (unsigned i = 0; i < mp->nresident && done; i++) {
		if (!mp->resident[i].live)
			continue;
		done = perform(l, s, &mp->resident[i], mp->x.mp);
		if (done)
			ahead_follow(mp, &mp->resident[i]);
	}
	stage_leave(l, s);
	return done;
}
