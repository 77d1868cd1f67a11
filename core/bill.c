/* Adding up the bill: differences by pc turned into counts, multiprocessors into one sum. */
#include "core/bill.h"

#include <assert.h>

#include "core/base/arena.h"
#include "core/program.h"
#include "core/warp.h"

/* Where element 0 would be of rows that begin at element `first`. */
static void *before_first(void *rows, uint32_t first, size_t size)
{
	return rows ? (void *)((uintptr_t)rows - first * size) : NULL;
}

bool bill_init(struct bill *b, struct arena *a, unsigned lanes, uint32_t begin, uint32_t end)
{
	uint32_t words = end / 4 - begin / 4;

	*b = (struct bill){ .lanes = lanes, .first_word = begin / 4, .end_word = end / 4 };
	b->pc = before_first(ARENA_ARRAY(a, struct bill_pc, words + 3), b->first_word, sizeof *b->pc);
	b->unreconverged = before_first(ARENA_ARRAY(a, uint64_t, words + 1), b->first_word, sizeof *b->unreconverged);
	return b->pc && b->unreconverged;
}

static bool has_counts(const struct bill_pc *p)
{
	return p->issues | p->active | p->helper | (int64_t)(p->predicated | p->rejoins);
}

/* Of a library of kernels a launch executes a few words, so what comes after looks at no others. */
void bill_settle(struct bill *b, const struct program *p)
{
	uint32_t last = b->end_word;

	assert(!b->settled);
	b->begin = last;
	for (uint32_t i = b->first_word; i <= last; i++) {
		struct bill_pc *here = &b->pc[i];
		if (!has_counts(here))
			continue;
		b->begin = i < b->begin ? i : b->begin;
		b->end = i + 1;
		if (i == last || !(here->issues | here->active | here->helper))
			continue;
		struct bill_pc *next = &b->pc[i + program_at(p, i * 4)->length / 4];
		bill_count(&next->issues, here->issues);
		bill_count(&next->active, here->active);
		bill_count(&next->helper, here->helper);
	}
	b->settled = true;
}

void bill_add(struct bill *total, const struct bill *b)
{
	assert(total->settled == b->settled && total->first_word == b->first_word && total->end_word == b->end_word);
	for (uint32_t i = b->first_word; i <= b->end_word; i++) {
		struct bill_pc *t = &total->pc[i];
		const struct bill_pc *p = &b->pc[i];
		bill_count(&t->issues, p->issues);
		bill_count(&t->active, p->active);
		bill_count(&t->helper, p->helper);
		t->predicated += p->predicated;
		t->helper_off += p->helper_off;
		t->lost += p->lost;
		t->rejoins += p->rejoins;
		t->taken += p->taken;
		t->not_taken += p->not_taken;
		t->diverged += p->diverged;
		total->unreconverged[i] += b->unreconverged[i];
	}
	for (int s = 0; s < 4; s++)
		total->in_state[s] += b->in_state[s];
	total->absent += b->absent;
	total->branches += b->branches;
	total->divergent += b->divergent;
}

struct bill_sum bill_sum(const struct bill *b)
{
	struct bill_sum s = {
		.branched_off = b->in_state[LANE_RUNS], .brk = b->in_state[LANE_BROKE],
		.ret = b->in_state[LANE_RETURNED], .exited = b->in_state[LANE_EXITED], .absent = b->absent,
	};

	for (uint32_t i = b->begin; i < b->end; i++) {
		const struct bill_pc *p = &b->pc[i];
		s.issues += (uint64_t)p->issues + p->rejoins;
		s.threads += (uint64_t)p->active - p->predicated;
		s.predicated += p->predicated;
		s.helper += (uint64_t)p->helper - p->helper_off;
		s.rejoin += p->rejoins * b->lanes;
	}
	s.useful = s.threads - s.helper;
	s.lane_slots = s.issues * b->lanes;
	return s;
}
