/* A scheduling policy of the caller's: what the scheduler knows of each candidate, in the words of warpbeam.h, and the
 * answer as a warp slot. */
#include "device/config.h"
#include "machine/state.h"

_Static_assert((unsigned)WB_POLICY_WORDS == (unsigned)POLICY_OWN_WORDS, "a policy's words are the scheduler's");

static struct wb_candidate candidate(const struct mp *mp, unsigned slot)
{
	const struct warp *w = mp->slot[slot];
	const struct slot *s = &mp->sched.storage.slot[slot];

	return (struct wb_candidate){
		.slot = slot, .block = w->block->index, .warp = w->id, .pc = s->next->word * 4, .age = s->age,
		.ready_since = s->ready_at,
	};
}

static unsigned pick(struct sched *s, uint64_t eligible)
{
	struct mp *mp = mp_of_sched(s);
	struct machine *m = mp->machine;
	struct wb_candidate list[SLOTS];
	struct wb_choice choice = {
		.mp = mp->x.special.mp, .simd = (uint32_t)s->issue_slot & s->simd.mask, .cycle = s->now,
		.previous = s->picked, .candidate = list, .memory = s->own_words,
	};

	if (m->no_choice)       /* the run ends soon, and asks no more */
		return (unsigned)__builtin_ctzll(eligible);
	for (uint64_t rest = eligible; rest; rest &= rest - 1)
		list[choice.n++] = candidate(mp, (unsigned)__builtin_ctzll(rest));
	unsigned chosen = m->plan->own_policy.choose(m->plan->own_policy.context, &choice);
	if (chosen < choice.n)
		return list[chosen].slot;
	m->no_choice = true;
	m->interrupt = true;
	return list[0].slot;
}

void wb_config_policy(struct wb_config *c, unsigned (*choose)(void *context, const struct wb_choice *choice),
		      void *context)
{
	c->policy.choose = choose;
	c->policy.context = context;
	c->policy.pick = pick;
}
