/* Each warp counts the executions of each instruction by each lane (core/visits.h), as differences along runs. When a
 * block ends, the counts of its threads are packed, pc by pc, into full warps, and the multiprocessor adds up the
 * issues of the packed warps. */
#include "inspect/packing.h"

#include <string.h>

#include "core/visits.h"
#include "core/state_check.h"
#include "inspect/launch.h"

struct packing {
	struct observer observer;
	uint64_t *issues;               /* by multiprocessor, in the machine's state */
};

static unsigned lanes_of(const struct machine *m)
{
	return m->plan->code.target.isa->lanes;
}

static size_t words_of(const struct machine *m)
{
	return visits_words(lanes_of(m), m->plan->code.code_bytes);
}

static bool prepare(struct observer *o, struct machine *m)
{
	struct packing *p = (struct packing *)o;

	p->issues = ARENA_ARRAY(&m->state, uint64_t, m->plan->nmps);
	return p->issues;
}

static bool prepare_block(struct observer *o, struct machine *m, struct block *b)
{
	for (unsigned i = 0; i < m->plan->dim.warps; i++) {
		b->warp[i].visits = ARENA_ARRAY(&m->state, uint32_t, words_of(m));
		if (!b->warp[i].visits)
			return false;
	}
	return true;
}

/* Add the issues of a finished block and clear its counts. */
static void block_ended(struct observer *o, struct machine *m, struct mp *mp, struct block *b)
{
	struct packing *p = (struct packing *)o;
	uint32_t counts[BLOCK_WARPS_MAX * LANES_MAX];
	unsigned lanes = lanes_of(m);

	for (unsigned w = 0; w < b->nwarps; w++)
		visits_settle(b->warp[w].visits, lanes, &m->plan->code);
	for (uint32_t i = 0; i < m->plan->code.code_bytes / 4; i++) {
		for (unsigned w = 0; w < b->nwarps; w++)
			memcpy(counts + w * lanes, b->warp[w].visits + (size_t)lanes * i, lanes * sizeof *counts);
		p->issues[mp->x.special.mp] += visits_packed(counts, b->nwarps * lanes, lanes);
	}
	for (unsigned w = 0; w < b->nwarps; w++)
		memset(b->warp[w].visits, 0, words_of(m) * sizeof *b->warp[w].visits);
}

#ifndef __wasm__
static void check_state(const struct observer *o, const struct machine *m, struct state_check *c)
{
	const struct packing *p = (const struct packing *)o;

	state_any(c, p->issues, m->plan->nmps * sizeof *p->issues);
	for (unsigned i = 0; i < m->plan->nmps; i++)
		for (unsigned k = 0; k < m->mp[i].nresident * m->plan->dim.warps; k++)
			state_any(c, m->mp[i].slot[k]->visits, words_of(m) * sizeof(uint32_t));
}
#endif

bool packing_prepare(struct wb_launch *l)
{
	struct packing *p = ARENA_NEW(&l->arena, struct packing);

	if (!p)
		return false;
	p->observer = (struct observer){
		.prepare = prepare, .prepare_block = prepare_block, .block_ended = block_ended,
	};
	CHECK_STATE(&p->observer, check_state);
	l->packing = p;
	launch_observe(l, &p->observer, false);
	return true;
}

uint64_t packing_issues(const struct wb_launch *l)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < l->plan.nmps; i++)
		n += l->packing->issues[i];
	return n;
}
