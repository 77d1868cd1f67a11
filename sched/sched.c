#include "sched/sched.h"

int sched_pick(struct sched *s)
{
	uint64_t after = s->last < 63 ? s->ready & ~0ull << (s->last + 1) : 0;
	uint64_t from = after ? after : s->ready;

	if (!from)
		return SCHED_NONE;
	s->last = (unsigned)__builtin_ctzll(from);
	return (int)s->last;
}

void sched_issued(struct sched *s, uint64_t issues)
{
	s->cycle += ISSUE_CYCLES * issues;
}
