/* Would a table of scheduler transitions pay? For each kernel of the bench: the number of scheduler states at the ends
 * of trace segments, where data decides how the replay goes on; the number of different states; and the share of
 * instructions issued behind a repeated state.
 *
 * A state decides the issues behind it, and is relative to the present cycle: each slot's next instruction and the
 * cycle of the operands, results on the way, free units, the cached line of c[]. Slots are counted from the slot of the
 * last issue on, so that states equal but for a rotation of the slots are equal.
 *
 *   replay_states [DIV [KERNEL]...] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels.h"
#include "core/base/rng.h"
#include "inspect/launch.h"
#include "machine/state.h"
#include "sched/issue.h"

enum { TABLE = 1 << 24 };

struct watcher {
	struct observer observer;
	uint64_t *seen;                 /* hashes of states; 0: free */
	bool *ends;                     /* by multiprocessor: the last issue was the end of a segment */
	bool known;                     /* the last state is a repeated state */
	uint64_t issues, states, distinct, behind_known;
};

static bool came_before(struct watcher *w, uint64_t state)
{
	uint32_t i = state % TABLE;

	state |= 1;
	while (w->seen[i] && w->seen[i] != state)
		i = (i + 1) % TABLE;
	if (w->seen[i])
		return true;
	w->seen[i] = state;
	w->distinct++;
	return false;
}

static uint64_t slot_state(const struct sched *s, unsigned i)
{
	const struct slot *w = slot_of(s, i);
	uint64_t h = mix64(w->next->word * 4096ull + (is_blocked(s, i) ? 4095 : between(s->now, w->ready_at)));

	for (unsigned e = 0; e < s->storage.entries; e++)
		if (result_cycle(w->board[e]) > s->now)
			h = mix64(h + (e << 16) + w->board[e] - result_entry(s->now, 0));
	return h;
}

static uint64_t state_of(const struct sched *s)
{
	uint64_t h = mix64(s->const_here ^ s->lines_here);

	for (unsigned u = 0; u < s->storage.nunits; u++)
		h = mix64(h + between(s->now, s->free_at[u]));
	for (unsigned k = 1; k <= SLOTS; k++) {
		unsigned i = (s->picked + k) % SLOTS;
		if (s->occupied >> i & 1)
			h = mix64(h ^ slot_state(s, i));
	}
	return h;
}

static void issues(struct observer *o, const struct mp *mp, unsigned slot)
{
	struct watcher *w = (struct watcher *)o;
	bool *ends = &w->ends[mp->x.special.mp];

	if (*ends) {
		w->states++;
		w->known = came_before(w, state_of(&mp->sched));
	}
	*ends = slot_of(&mp->sched, slot)->remaining == 1;
	w->issues++;
	w->behind_known += w->known;
}

static bool set_arguments(struct wb_launch *l, const struct problem *p)
{
	for (unsigned i = 0; i < p->nbuffers; i++) {
		char text[40];
		snprintf(text, sizeof text, "zero=%zu", p->buffer[i].words * 4);
		if (wb_launch_arg(l, text, NULL) != WB_OK ||
		    wb_launch_write_arg(l, i, 0, p->buffer[i].data, p->buffer[i].words * 4, NULL) != WB_OK)
			return false;
	}
	for (unsigned i = 0; i < p->nscalars; i++)
		if (wb_launch_arg(l, p->scalar[i], NULL) != WB_OK)
			return false;
	return true;
}

static struct wb_launch *launch(const struct kernel *k, const struct problem *p)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *program = NULL;
	struct wb_launch *l = NULL;
	char path[4096], grid[32], block[32];

	snprintf(path, sizeof path, "%s/%s", WB_SOURCE_ROOT, k->file);
	snprintf(grid, sizeof grid, "%u,%u", p->grid[0], p->grid[1]);
	snprintf(block, sizeof block, "%u,%u", p->block[0], p->block[1]);
	if (wb_config_set(c, "grid", grid, NULL) != WB_OK || wb_config_set(c, "block", block, NULL) != WB_OK ||
	    wb_config_set(c, "threads", "1", NULL) != WB_OK || wb_config_set(c, "livelock", "none", NULL) != WB_OK ||
	    wb_program_open(path, NULL, &program, NULL) != WB_OK ||
	    wb_launch_new(program, NULL, c, &l, NULL) != WB_OK || !set_arguments(l, p))
		return NULL;
	return l;
}

static void measure(const struct kernel *k, unsigned div)
{
	struct watcher w = { .observer = { .issues = issues } };
	struct problem p = { 0 };
	struct wb_launch *l = k->setup(&p, div) ? launch(k, &p) : NULL;

	w.seen = calloc(TABLE, sizeof *w.seen);
	w.ends = l ? calloc(chip_mps(&l->plan.chip), sizeof *w.ends) : NULL;
	if (!l || !w.seen || !w.ends)
		exit(1);
	launch_observe(l, &w.observer, false);
	if (wb_launch_run(l, NULL) != WB_OK)
		exit(1);
	printf("%-12s %10llu %10llu %10llu %6.1f %6.1f %%\n", k->name, (unsigned long long)w.issues,
	       (unsigned long long)w.states, (unsigned long long)w.distinct, (double)w.issues / (double)w.states,
	       100 * (double)w.behind_known / (double)w.issues);
	wb_launch_free(l);
	problem_free(&p);
	free(w.seen);
	free(w.ends);
}

int main(int argc, char **argv)
{
	unsigned div = argc > 1 ? (unsigned)atoi(argv[1]) : 16;

	printf("%-12s %10s %10s %10s %6s %8s\n", "kernel", "issues", "states", "distinct", "chain", "known");
	for (const struct kernel *k = kernels; k->name; k++) {
		bool wanted = argc < 3;
		for (int i = 2; i < argc; i++)
			wanted |= !strcmp(argv[i], k->name);
		if (wanted)
			measure(k, div);
	}
	return 0;
}
