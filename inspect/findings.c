/* Findings of the checkers: a finding is counted under its kind, pc and another number, and the first FINDINGS_MAX
 * findings have a text. They become the result of a run without a worse result. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "inspect/check.h"
#include "inspect/launch.h"

static const char *const names[CHECKS] = { "race", "uninit", "barrier", "bounds" };

int check_kind_of(const char *word, size_t n)
{
	for (int k = 0; k < CHECKS; k++)
		if (strlen(names[k]) == n && !memcmp(names[k], word, n))
			return k;
	return -1;
}

bool check_counted(struct wb_launch *l, enum check_kind kind, uint32_t pc, uint32_t other)
{
	struct check *c = l->check;

	for (unsigned i = 0; i < c->nfindings; i++) {
		struct finding *f = &c->finding[i];
		if (f->kind != kind || f->pc != pc || f->other != other)
			continue;
		f->count++;
		c->total[kind]++;
		return true;
	}
	return false;
}

struct finding *check_found(struct wb_launch *l, enum check_kind kind, uint32_t pc, uint32_t other, const char *fmt,
			    ...)
{
	struct check *c = l->check;
	va_list ap;

	if (check_counted(l, kind, pc, other))
		return NULL;
	c->total[kind]++;
	if (c->nfindings == FINDINGS_MAX)
		return NULL;
	struct finding *f = &c->finding[c->nfindings++];
	*f = (struct finding){ .kind = kind, .pc = pc, .other = other, .guess = NO_GUESS, .count = 1 };
	int n = snprintf(f->text, sizeof f->text, "%s: ", names[kind]);
	va_start(ap, fmt);
	vsnprintf(f->text + n, sizeof f->text - (size_t)n, fmt, ap);
	va_end(ap);
	return f;
}

bool check_guesses(const struct check *c, uint32_t pc)
{
	for (unsigned i = 0; i < c->nguesses; i++)
		if (c->guess[i] == pc)
			return true;
	return false;
}

void check_guess(struct check *c, uint32_t pc)
{
	unsigned kept = 0;

	if (c->nguesses == GUESSES_MAX || check_guesses(c, pc))
		return;
	c->guess[c->nguesses++] = pc;
	for (unsigned i = 0; i < c->nfindings; i++)
		if (c->finding[i].guess == pc)
			c->total[c->finding[i].kind] -= c->finding[i].count;
		else
			c->finding[kept++] = c->finding[i];
	memset(c->finding + kept, 0, (c->nfindings - kept) * sizeof *c->finding);
	c->nfindings = kept;
}

void check_verdict(struct wb_launch *l)
{
	uint64_t n = 0;

	for (int k = 0; l->check && k < CHECKS; k++)
		n += l->check->total[k];
	if (n && l->machine.why.kind == DIAG_OK)
		diag_set(&l->machine.why, DIAG_FAILED, "the checkers have %" PRIu64 " finding%s at %u place%s", n,
			 n == 1 ? "" : "s", l->check->nfindings, l->check->nfindings == 1 ? "" : "s");
	n = 0;
	for (unsigned i = 0; i < l->plan.nmps; i++)
		n += l->machine.mp[i].x.counts.notice[NOTICE_BEYOND_BUFFER];
	if (n && l->machine.why.kind == DIAG_OK)
		diag_set(&l->machine.why, DIAG_FAILED, "%" PRIu64 " instruction%s bytes beyond the end of a buffer "
			 "(--check none accepts that)", n, n == 1 ? " accesses" : "s access");
}
