/* The divergence bill: every lane slot of every issued instruction is useful, predicated, lost to one branch, absent or
 * spent on rejoining, and the parts sum to the whole (spec tesla-semantics, "The bill").
 *
 * The hot path is spared twice. Lost slots are charged when a lane comes back, from the issue count of its leaving, not
 * slot by slot. And counts by pc are kept as differences: a run of consecutive instructions under one mask adds at its
 * first pc and subtracts after its last; bill_settle sums the differences up. */
#ifndef WB_CORE_BILL_H
#define WB_CORE_BILL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"

struct arena;

struct bill_pc {
	/* differences until bill_settle; then issues of the pc, and active lanes summed over the issues */
	int64_t  issues, active, helper;       /* helper: of the active ones */
	uint64_t predicated;           /* active lanes turned off by a guard or by the quad lane mask */
	uint64_t helper_off;           /* helper lanes among the lanes of `predicated` */
	uint64_t lost;                 /* slots of lanes that the branch took out of the mask */
	uint64_t rejoins;              /* arrivals at a join without effect but popping the stack */
	uint64_t taken, not_taken, diverged;
};

struct bill {
	unsigned  lanes;               /* lanes of the machine's warps */
	uint32_t  first_word, end_word; /* of the code that is counted: what a kernel of a library reaches */
	struct bill_pc *pc;            /* by 4-byte word of code from first_word to end_word; none is elsewhere */
	uint64_t *unreconverged;       /* by word: lanes that ended while lanes that diverged at the word waited */
	uint64_t  in_state[4];         /* slots lost by lanes branched off, broke, returned, exited (enum lane_state) */
	uint64_t  absent;              /* slots of lanes never launched */
	uint64_t  branches, divergent;
	bool      settled;
	uint32_t  begin, end;          /* once settled: words outside have no counts */
};

/* Sums for a report. */
struct bill_sum {
	uint64_t issues, threads;
	uint64_t lane_slots, useful, predicated, branched_off, brk, ret, exited, absent, rejoin;
	uint64_t helper;               /* slots of lanes that executed only for the other lanes of their quad */
};

/* Of code from the pc `begin` up to but not including `end`. False: the host has no memory. */
bool bill_init(struct bill *b, struct arena *a, unsigned lanes, uint32_t begin, uint32_t end);
/* The first two members of struct bill_pc, which the host adds at once. */
typedef int64_t bill_pair __attribute__((vector_size(16), aligned(8), may_alias));
/* A run: instructions from pc `from` up to but not including `to`, all issued once under `active` lanes. */
static inline void bill_run(struct bill *b, uint32_t from, uint32_t to, int active)
{
	bill_pair run = { 1, active };

	*(bill_pair *)&b->pc[from >> 2].issues += run;
	*(bill_pair *)&b->pc[to >> 2].issues -= run;
}
/* A saved run's file may have any counts: sums are modulo 2^64. */
static inline void bill_count(int64_t *to, int64_t n)
{
	*to = (int64_t)((uint64_t)*to + (uint64_t)n);
}
/* As bill_run, for helper lanes (struct warp.helper) among the active lanes. */
static inline void bill_helpers(struct bill *b, uint32_t from, uint32_t to, int helpers)
{
	bill_count(&b->pc[from >> 2].helper, helpers);
	bill_count(&b->pc[to >> 2].helper, -helpers);
}
/* Count active lanes that a guard or a quad lane mask turned off, and the helper lanes among them. */
static inline void bill_predicated(struct bill *b, uint32_t pc, lane_mask off, lane_mask helper)
{
	b->pc[pc >> 2].predicated += (unsigned)lanes_count(off);
	if (__builtin_expect(helper != 0, 0))
		b->pc[pc >> 2].helper_off += (unsigned)lanes_count(off & helper);
}
/* Issues of a settled bill's word. */
static inline int64_t bill_issues(const struct bill *b, uint32_t word)
{
	return word >= b->first_word && word < b->end_word ? b->pc[word].issues : 0;
}
struct program;
/* Turn differences into counts: a word's count is that of all runs over the word. Follows the lengths of the program's
 * instructions, so that code entered in the middle of a long word is counted right as well. */
void bill_settle(struct bill *b, const struct program *p);
/* Add b into total; both are settled, or both are not. */
void bill_add(struct bill *total, const struct bill *b);
/* The sums of a settled bill. */
struct bill_sum bill_sum(const struct bill *b);

#endif
