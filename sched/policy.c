/* Scheduling policies: each chooses among the slots that could issue now. */
#include "core/base/rng.h"
#include "sched/sched.h"

static unsigned lowest(uint64_t m)
{
	return (unsigned)__builtin_ctzll(m);
}

/* The first at or after slot `from`, going round. */
static unsigned round_from(uint64_t m, unsigned from)
{
	uint64_t after = from < 64 ? m & ~0ull << from : 0;

	return lowest(after ? after : m);
}

static unsigned rr(struct sched *s, uint64_t m)
{
	return round_from(m, s->picked + 1);
}

/* The slot admitted first (sign 1) or last (sign −1). */
static unsigned by_age(const struct sched *s, uint64_t m, int sign)
{
	unsigned best = lowest(m);

	for (m &= m - 1; m; m &= m - 1) {
		unsigned i = lowest(m);
		uint64_t age = s->storage.slot[i].age, best_age = s->storage.slot[best].age;
		if (sign > 0 ? age < best_age : age > best_age)
			best = i;
	}
	return best;
}

static unsigned oldest(struct sched *s, uint64_t m)
{
	return by_age(s, m, 1);
}

static unsigned youngest(struct sched *s, uint64_t m)
{
	return by_age(s, m, -1);
}

/* Greedy, then oldest: the warp that issued last goes on as long as it can. */
static unsigned gto(struct sched *s, uint64_t m)
{
	return m >> s->picked & 1 ? s->picked : oldest(s, m);
}

static uint64_t group_mask(const struct sched *s, unsigned g)
{
	unsigned first = g * s->rules.group;
	uint64_t ones = s->rules.group >= 64 ? ~0ull : (1ull << s->rules.group) - 1;

	return first < 64 ? ones << first : 0;
}

/* Round robin within a group of slots; another group's turn comes when no slot of the active group can issue. */
static unsigned two_level(struct sched *s, uint64_t m)
{
	unsigned groups = (SLOTS + s->rules.group - 1) / s->rules.group;

	for (unsigned i = 0; i < groups; i++) {
		unsigned g = (s->active_group + i) % groups;
		if (m & group_mask(s, g)) {
			s->active_group = g;
			return round_from(m & group_mask(s, g), s->picked + 1);
		}
	}
	return rr(s, m);
}

static unsigned any(struct sched *s, uint64_t m)
{
	for (uint32_t skip = rng_below(&s->random, (uint32_t)__builtin_popcountll(m)); skip; skip--)
		m &= m - 1;
	return lowest(m);
}

/* A caller's policy chooses among the warps that can issue in this very cycle; without one, the scheduler finds out
 * that the lowest is early. */
static unsigned own(struct sched *s, uint64_t m)
{
	uint64_t now = 0;

	for (uint64_t rest = m; rest; rest &= rest - 1)
		if (s->storage.slot[lowest(rest)].ready_at <= s->now)
			now |= rest & -rest;
	return now ? s->rules.callers_pick(s, now) : lowest(m);
}

unsigned policy_pick(struct sched *s, uint64_t eligible)
{
	static unsigned (*const pick[])(struct sched *, uint64_t) = {
		[POLICY_RR] = rr, [POLICY_OLDEST] = oldest, [POLICY_GTO] = gto, [POLICY_TWO_LEVEL] = two_level,
		[POLICY_YOUNGEST] = youngest, [POLICY_RANDOM] = any, [POLICY_OWN] = own,
	};

	return pick[s->rules.policy](s, eligible);
}
