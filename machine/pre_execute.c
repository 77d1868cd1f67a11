/* An entry goes from FREE to TAKEN under the pool's lock, to READY when the block has been executed, and back when the
 * block is placed; the entry's state is released and acquired, so that a thread that sees READY sees the traces.
 * Placing a block exchanges warps and traces with the resident storage; memory stays, as a block's last registers, s[]
 * and l[] are not read again. An entry whose block went to another multiprocessor (MOVED) is not used again. */
#include "machine/pre_execute.h"

#include "machine/blocks.h"
#include "machine/execute.h"
#include "machine/thread_pool.h"

enum state {
	FREE,
	TAKEN,                  /* a thread executes the block */
	READY,
	MOVED,                  /* the block went to another multiprocessor */
};

struct pre_executed {
	_Atomic enum state state;
	_Atomic uint32_t index; /* index of the block */
	struct resident resident;   /* without memory to be executed in */
};

bool pre_executes(const struct machine *m, bool several)
{
	return several && !m->plan->code.reads_place;
}

bool pre_executed_prepare(struct machine *m, struct mp *mp)
{
	unsigned worker = m->plan->nmps * m->plan->fit.blocks + mp->x.special.mp * PRE_EXECUTED;

	mp->pre_executed = ARENA_ARRAY(&m->state, struct pre_executed, PRE_EXECUTED);
	for (unsigned i = 0; mp->pre_executed && i < PRE_EXECUTED; i++) {
		struct resident *r = &mp->pre_executed[i].resident;
		r->trace = ARENA_ARRAY(&m->state, struct warp_trace, m->plan->dim.warps);
		r->worker = worker + i;
		if (!r->trace || !block_warps(m, &r->block))
			return false;
	}
	return mp->pre_executed;
}

/* A free entry of mp, and the entry's block: the next of the stripe that has not been placed and is in no other entry.
 * The last block of the grid is executed where it is placed. */
static struct pre_executed *next_free(const struct machine *m, struct mp *mp, uint32_t *block)
{
	struct pre_executed *e = NULL;
	uint32_t first, ahead = 0;

	if (!queue_peek(m, mp, 0, &first))
		return NULL;
	for (unsigned i = 0; i < PRE_EXECUTED; i++) {
		enum state state = mp->pre_executed[i].state;
		if (state == FREE)
			e = &mp->pre_executed[i];
		else if (state != MOVED && mp->pre_executed[i].index >= first)
			ahead++;
	}
	return e && queue_peek(m, mp, ahead, block) && *block + 1 < m->plan->dim.blocks ? e : NULL;
}

/* The first multiprocessor with a free entry, from another starting point each time, or NULL. */
static struct mp *mp_to_help(struct machine *m)
{
	unsigned from = m->traces.helped;
	uint32_t block;

	for (unsigned i = 0; i < m->plan->nmps; i++) {
		struct mp *mp = &m->mp[(from + i) % m->plan->nmps];
		if (mp->pre_executed && next_free(m, mp, &block))
			return mp;
	}
	return NULL;
}

bool pre_execute_possible(struct machine *m)
{
	return mp_to_help(m);
}

static struct pre_executed *take_next(struct machine *m)
{
	struct pre_executed *e = NULL;
	uint32_t block;

	threads_lock(m);
	struct mp *mp = mp_to_help(m);
	if (mp)
		e = next_free(m, mp, &block);
	if (e) {
		e->index = block;
		e->state = TAKEN;
		m->traces.helped = mp->x.special.mp + 1;
	}
	threads_unlock(m);
	return e;
}

/* The entry with block `block`, or NULL. */
static struct pre_executed *pre_executed_of(struct machine *m, uint32_t block)
{
	struct mp *owner = queue_owner(m, block);
	struct pre_executed *found = NULL;

	if (!owner->pre_executed)
		return NULL;
	threads_lock(m);
	for (unsigned i = 0; i < PRE_EXECUTED; i++) {
		struct pre_executed *e = &owner->pre_executed[i];
		if ((e->state == TAKEN || e->state == READY) && e->index == block)
			found = e;
	}
	threads_unlock(m);
	return found;
}

/* Move the block of an entry into resident storage r; memory stays where it was. */
static void move_in(const struct machine *m, struct mp *mp, struct resident *r, struct resident *from)
{
	struct block was = r->block;
	struct warp_trace *trace = r->trace;

	r->block = from->block;
	r->block.shared = was.shared;
	r->block.local = was.local;
	r->block.check = was.check;
	r->block.lock = was.lock;
	r->trace = from->trace;
	r->moved_out = true;
	from->block.warp = was.warp;
	from->trace = trace;
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

/* Free an entry. Its read and write sets (mem/conflicts.h) may serve the next block, as the block before is over; but
 * not a block of another multiprocessor, which may begin earlier. */
static void release_entry(struct mp *mp, struct resident *r, struct pre_executed *e)
{
	unsigned worker = r->worker;

	r->worker = e->resident.worker;
	e->resident.worker = worker;
	e->state = mp->pre_executed <= e && e < mp->pre_executed + PRE_EXECUTED ? FREE : MOVED;
}

bool pre_executed_place(struct machine *m, struct mp *mp, struct resident *r, uint32_t index, bool *placed)
{
	struct pre_executed *e = pre_executed_of(m, index);
	unsigned spins = 0;

	*placed = e != NULL;
	if (!e)
		return true;
	while (e->state == TAKEN) {
		if (m->pool->over)
			return false;
		threads_spin(&spins);
	}
	move_in(m, mp, r, &e->resident);
	release_entry(mp, r, e);
	return true;
}

bool pre_execute(struct machine *m)
{
	struct pre_executed *e = take_next(m);

	if (!e || !execute_new(m, &e->resident, e->index, 0))
		return false;
	e->state = READY;
	return true;
}
