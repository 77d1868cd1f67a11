/* Rules for the checkers' state that was read from outside. */
#include <string.h>

#include "core/state_check.h"
#include "inspect/check.h"
#include "inspect/launch.h"

/* A finding's text is printed: a line without control characters. */
static void check_finding(struct state_check *c, const struct finding *f)
{
	struct finding read;
	bool ends = false, plain = true;

	STATE_GET(c, f, &read);
	STATE_ANY(c, *f);
	for (size_t i = 0; i < sizeof read.text && !ends; i++) {
		ends = !read.text[i];
		plain &= ends || ((unsigned char)read.text[i] >= ' ' && read.text[i] != 0x7f);
	}
	state_must(c, ends && plain && read.kind < CHECKS && read.pc < c->code_bytes, "a finding");
}

static void check_touches(struct state_check *c, const struct shadow *s, size_t n, const struct check *k)
{
	const struct touch *touch = &s->store;
	struct touch read;

	state_any(c, s, n * sizeof *s);
	for (size_t i = 0; i < n * (sizeof *s / sizeof *touch) && !c->wrong; i++) {
		STATE_GET(c, &touch[i], &read);
		state_must(c, read.warp < k->warps && read.lane < k->lanes && read.pc < c->code_bytes,
			   "an access before");
	}
}

static void check_meetings(struct state_check *c, const struct block_check *k, const struct check *all)
{
	struct block_meetings read;

	STATE_GET(c, k->meetings, &read);
	STATE_ANY(c, *k->meetings);
	for (unsigned i = 0; i < MEETINGS_MAX; i++)
		state_must(c, read.meeting[i].pc < c->code_bytes, "a copy by a group");
	for (uint32_t i = 0; i < all->warps; i++) {
		const struct warp_meetings *met = &k->met[i];
		STATE_ANY(c, met->n);
		STATE_ANY(c, met->present.arguments);
		state_code(c, &met->present.pc, 1);
		state_code(c, &met->copy, 1);
		STATE_MOST(c, met->bits, MARK_BITS, "a copy by a group");
		STATE_MOST(c, met->unwaited, 1, "a copy by a group");
	}
}

static void check_block(struct state_check *c, const struct wb_launch *l, const struct block_check *k)
{
	const struct check *all = l->check;
	size_t words = l->plan.shared_bytes / 4, threads = (size_t)all->warps * all->lanes;

	state_any(c, k->clock, (size_t)all->warps * all->warps * sizeof *k->clock);
	state_any(c, k->lock_clock, words * all->warps * sizeof *k->lock_clock);
	STATE_ANY(c, k->releases);
	check_touches(c, k->shared, words, all);
	state_any(c, k->shared_written, l->plan.shared_bytes);
	state_any(c, k->local_written, threads * l->plan.code.local_bytes + 1);
	state_any(c, k->written, ((size_t)all->warps * all->nreg + 1) * sizeof *k->written);
	check_meetings(c, k, all);
}

void check_check_state(const struct observer *o, const struct machine *m, struct state_check *c)
{
	const struct wb_launch *l = ((const struct launch_observer *)o)->launch;
	const struct check *k = l->check;

	STATE_ANY(c, k->total);
	STATE_MOST(c, k->nfindings, FINDINGS_MAX, "the number of findings");
	STATE_MOST(c, k->nguesses, GUESSES_MAX, "the number of findings");
	STATE_ANY(c, k->guess);
	for (unsigned i = 0; i < FINDINGS_MAX; i++)
		check_finding(c, &k->finding[i]);
	state_any(c, k->diverged_seen, m->plan->nmps * sizeof *k->diverged_seen);
	state_any(c, k->rounded_seen, m->plan->nmps * sizeof *k->rounded_seen);
	for (uint32_t i = 0; i < k->places; i++)
		if (k->page[i].word)
			check_touches(c, k->page[i].word, PAGE_BYTES / 4, k);
	for (unsigned i = 0; i < m->plan->nmps; i++)
		for (unsigned n = 0; n < m->mp[i].nresident && !c->wrong; n++)
			check_block(c, l, m->mp[i].resident[n].block.check);
}
