/* Times of events: the bridge between the machine and its scheduler. With timing, multiprocessors advance together in
 * cycle order and one instruction at a time; without, each warp in turn runs as far as possible (the null policy), and
 * a cycle is a count of instructions. */
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
/* Instructions issued so far, over all multiprocessors. */
uint64_t clock_issues(const struct machine *m);

/* A warp begins, at the program's entry. */
void clock_admit(struct machine *m, struct mp *mp, const struct warp *w);
void clock_block(struct machine *m, struct mp *mp, const struct warp *w, enum stall reason);
void clock_wake(struct machine *m, struct mp *mp, const struct warp *w);
void clock_retire(struct machine *m, struct mp *mp, const struct warp *w);
/* With timing, close the accounts: every slot is charged up to the end. */
void clock_settle(struct machine *m);
/* The latest cycle of n multiprocessors, or of all. */
uint64_t clock_last(const struct machine *m, const struct mp *mp, unsigned n);
uint64_t clock_end(const struct machine *m);

/* The multiprocessor's present cycle. */
static inline uint64_t clock_now(const struct machine *m, const struct mp *mp)
{
	return m->plan->timed ? mp->sched.now : mp->cycle;
}

/* The scheduler's form of the instruction at a pc, for a warp in `slot`. */
static inline const struct sched_op *clock_op(const struct machine *m, const struct sched *s, unsigned slot,
					      uint32_t pc)
{
	return &ops_of(s, slot)[(pc < m->plan->code.code_bytes ? pc : m->plan->code.code_bytes) / 4];
}

/* A warp comes to another line of code at cycle `now`: returns the cycle of the line's arrival. */
uint64_t clock_fetch_line(struct machine *m, struct mp *mp, uint32_t line, uint64_t now);

/* A slot's warp goes on at `next` in the next issue slot: returns the cycle in which `next` is fetched. */
static inline uint64_t clock_fetched(struct machine *m, struct mp *mp, const struct slot *w,
				     const struct sched_op *next)
{
	uint64_t at = mp->sched.now + mp->sched.rules.gap;

	if (w->next->line == next->line)
		return at;
	return clock_fetch_line(m, mp, next->line, at);
}

/* Note the requests of the present instruction on the path to global memory, and the results that wait for answers. */
void clock_request(struct mp *mp, unsigned slot);

/* The present instruction needs an operand in line `line` of c[] (plan_const_line). */
void clock_const(struct machine *m, struct mp *mp, uint32_t line);

/* The present instruction needs lines of textures: of TEXTURE_LINE bytes each, one for each set bit of a->lanes. */
void clock_texture(struct machine *m, struct mp *mp, const struct access *a);

/* With timing, the slot of mp that issues next, if before cycle `end`. */
static inline bool clock_pick(struct mp *mp, uint64_t end, unsigned *slot)
{
	int i = sched_pick(&mp->sched, end);

	*slot = (unsigned)i;
	return i != SCHED_NONE;
}

/* With timing: issue the picked slot's instruction, for mp->work beside the costs of the table. */
static inline void clock_issue(struct mp *mp, unsigned slot, const struct sched_op *next, uint64_t fetched_at)
{
	sched_issue(&mp->sched, slot, &mp->work, next, fetched_at);
	mp->work = (struct sched_work){ 0 };
}

/* With timing: the picked slot's warp has issued an instruction and goes on at w->pc, in the same line of code or after
 * a fetch. */
static inline void clock_issued(struct machine *m, struct mp *mp, const struct warp *w, unsigned slot, int r)
{
	struct sched *s = &mp->sched;
	const struct sched_op *next = NULL;
	uint64_t at = 0;

	if (mp->work.bytes)
		clock_request(mp, slot);
	if (r != STEP_DONE) {           /* a warp may go on without active lanes */
		next = clock_op(m, s, slot, w->pc);
		at = clock_fetched(m, mp, slot_of(s, slot), next);
	}
	clock_issue(mp, slot, next, at);
}

#endif
