/* Times of events: the bridge between the machine and its scheduler. With timing, multiprocessors advance together in
 * cycle order and one instruction at a time; without, each warp in turn runs as far as possible (the null policy), and
 * a cycle is a count of instructions. Either way mp->sched.now is the multiprocessor's present cycle. */
#ifndef WB_MACHINE_CLOCK_H
#define WB_MACHINE_CLOCK_H

#include "machine/state.h"
#include "machine/memory_cost.h"
#include "core/isa/loop.h"
#include "sched/issue.h"

/* With timing, set up the shared caches; scheduler, caches and scoreboard ports of one multiprocessor. False: the host
 * has no memory. */
bool clock_prepare(struct machine *m);
bool clock_prepare_mp(struct machine *m, struct mp *mp);

/* TPCs of the launch; each TPC has a second cache level. */
uint32_t clock_tpcs(const struct machine *m);
/* For several host threads, when an epoch has begun: lines in shared caches are found without waiting. */
void clock_settle_caches(struct machine *m);
/* The caches of one host thread again. */
void clock_unsettle_caches(struct machine *m);
/* Instructions issued so far, over all multiprocessors. */
uint64_t clock_issues(const struct machine *m);

/* A warp comes to a slot, at the program's entry. */
void clock_admit(struct machine *m, struct mp *mp, unsigned slot);
/* With timing, close the accounts: every slot is charged up to the end. */
void clock_settle(struct machine *m);
/* The latest cycle of n multiprocessors, or of all. */
uint64_t clock_last(const struct mp *mp, unsigned n);
uint64_t clock_end(const struct machine *m);

/* The scheduler's form of the instruction at a pc, for a warp in `slot`. */
static inline const struct sched_op *clock_op(const struct machine *m, const struct sched *s, unsigned slot,
					      uint32_t pc)
{
	return &ops_of(s, slot)[(pc < m->plan->code.code_bytes ? pc : m->plan->code.code_bytes) / 4];
}

/* A warp comes to another line of code at cycle `now`: returns the cycle of the line's arrival. */
uint64_t clock_fetch_line(struct machine *m, struct mp *mp, uint32_t line, uint64_t now);

/* The present instruction needs an operand in line `line` of c[] (plan_const_line). */
void clock_const(struct machine *m, struct mp *mp, uint32_t line);

/* The present instruction needs lines of textures: of TEXTURE_LINE bytes each, one for each set bit of a->lanes. */
void clock_texture(struct machine *m, struct mp *mp, const struct access *a);

/* Note the request of the present instruction on the path to global memory, and the results that wait for an answer. */
void clock_request(struct mp *mp, const struct slot *w, unsigned slot);

/* The picked slot's instruction issues, with costs mp->work beside the costs of the table, and the warp goes on at
 * `next` in the next issue slot, or later if the line of code has to be fetched; NULL: the warp has ended. */
static inline void clock_issue(struct machine *m, struct mp *mp, unsigned slot, const struct sched_op *next)
{
	const struct slot *w = slot_of(&mp->sched, slot);
	uint64_t at = mp->sched.now + mp->sched.rules.gap;

	if (mp->work.bytes)
		clock_request(mp, w, slot);
	if (next && w->next->line != next->line)
		at = clock_fetch_line(m, mp, next->line, at);
	sched_issue(&mp->sched, slot, &mp->work, next, at);
}

#endif
