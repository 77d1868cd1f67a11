/* The k-th block of a multiprocessor's stripe is a formula, so a work queue is one counter and a few blocks of other
 * stripes. Empty queues get blocks of the longest queue between two epochs, a choice that depends on the launch alone
 * and not on host threads. The counters are atomic because threads that pre-execute blocks read queues meanwhile
 * (machine/pre_execute.h). */
#include "machine/block_scheduler.h"

#include <string.h>

#include "machine/state.h"

/* Most blocks of a piece of a stripe without timing: neighbours touch the same memory. */
enum { THICK = 16, PIECES = 8 };

/* Stripes go round the multiprocessors block by block, as hardware assigns blocks that take equally long,
 * or without timing in pieces of several, as long as each has some PIECES of them. */
static uint32_t thickness(const struct machine *m)
{
	uint32_t n;

	if (m->plan->timed || m->plan->dim.blocks < 2 * PIECES * m->plan->nmps)
		return 1;
	n = m->plan->dim.blocks / (PIECES * m->plan->nmps);
	return n < THICK ? n : THICK;
}

/* The k-th block of a stripe, rising with k; at or past the end of the grid: no block. */
static uint64_t in_stripe(const struct machine *m, const struct mp *mp, uint32_t k)
{
	uint32_t thick = thickness(m);

	if (thick == 1)
		return (uint64_t)k * m->plan->nmps + mp->x.special.mp;
	return ((uint64_t)(k / thick) * m->plan->nmps + mp->x.special.mp) * thick + k % thick;
}

bool queue_prepare(struct machine *m, struct mp *mp)
{
	mp->queue.assigned = ARENA_ARRAY(&m->state, uint32_t, mp->nresident);
	return mp->queue.assigned != NULL;
}

bool queue_has_blocks(const struct machine *m, const struct mp *mp)
{
	return mp->queue.nassigned || in_stripe(m, mp, mp->queue.taken) < m->plan->dim.blocks;
}

static uint32_t take_own(const struct machine *m, struct mp *mp)
{
	return (uint32_t)in_stripe(m, mp, mp->queue.taken++);
}

bool queue_peek(const struct machine *m, const struct mp *mp, uint32_t k, uint32_t *block)
{
	uint64_t i = in_stripe(m, mp, mp->queue.taken + k);

	*block = (uint32_t)i;
	return i < m->plan->dim.blocks;
}

struct mp *queue_owner(struct machine *m, uint32_t block)
{
	return &m->mp[block / thickness(m) % m->plan->nmps];
}

bool queue_take(struct machine *m, struct mp *mp, uint32_t *block)
{
	struct work_queue *q = &mp->queue;

	if (!queue_has_blocks(m, mp))
		return false;
	if (q->nassigned) {
		*block = q->assigned[0];
		memmove(q->assigned, q->assigned + 1, --q->nassigned * sizeof *q->assigned);
	} else {
		*block = take_own(m, mp);
	}
	mp->started++;
	m->run.started_blocks++;
	if (!queue_has_blocks(m, mp))
		m->run.queue_empty = true;
	return true;
}

/* Remaining blocks of a stripe one block thick. */
static uint32_t left_of_stripe(const struct machine *m, const struct mp *mp)
{
	uint64_t next = in_stripe(m, mp, mp->queue.taken);

	return next < m->plan->dim.blocks ? (uint32_t)((m->plan->dim.blocks - 1 - next) / m->plan->nmps + 1) : 0;
}

static struct mp *longest(struct machine *m)
{
	struct mp *best = &m->mp[0];

	for (unsigned i = 1; i < m->plan->nmps; i++)
		if (left_of_stripe(m, &m->mp[i]) > left_of_stripe(m, best))
			best = &m->mp[i];
	return best;
}

/* Half of the blocks of the longest queue go to a multiprocessor without blocks; the last block only to one with free
 * storage for a block. */
static bool assign(struct machine *m, struct mp *from, struct mp *to)
{
	uint32_t left = left_of_stripe(m, from), n = left == 1 && to->nlive < to->nresident ? 1 : left / 2;

	while (n-- && to->queue.nassigned < to->nresident)
		to->queue.assigned[to->queue.nassigned++] = take_own(m, from);
	return to->queue.nassigned;
}

bool queues_balance(struct machine *m)
{
	struct mp *from = NULL;
	bool given = false;

	if (!m->run.queue_empty || m->run.started_blocks == m->plan->dim.blocks)
		return false;
	for (unsigned i = 0; i < m->plan->nmps; i++) {
		if (queue_has_blocks(m, &m->mp[i]))
			continue;
		if (!from)
			from = longest(m);
		if (assign(m, from, &m->mp[i])) {
			given = true;
			from = NULL;
		}
	}
	return given;
}
