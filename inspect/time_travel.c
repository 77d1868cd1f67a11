/* The machine's state is copied and compared as bytes: pieces of its arena, always in the same order, rounded up to
 * undo lines. `newest` is the state at the latest snapshot. A new snapshot appends each changed line to the undo log
 * and copies the line; going back restores lines from the end of the log to the first line of the snapshot. The run
 * state, which is small, is in each snapshot as a whole. */
#include "inspect/time_travel.h"
#include "inspect/launch.h"

#include <stdlib.h>
#include <string.h>

#include "machine/clock.h"
#include "inspect/watch.h"
#include "mem/undo_log.h"

enum {
	SNAPSHOTS_MAX = 1 << 14,
	TURN_LINES = 256,               /* most lines of global memory stored to in one turn */
	FREQUENT_BYTES = 32 << 20,      /* machines with more state have fewer snapshots */
};
static const uint64_t STATE_LINE = 1ull << 63;   /* undo_line.where: a line of the state, not of global memory */

struct snapshot {
	uint64_t turn, issue, cycle;
	uint64_t first_line;            /* lines from here to the next snapshot's restore this snapshot */
	struct run_state run;
};

/* The beginning: never given up unless stores have touched more memory than the ring could hold. */
struct origin {
	bool     lost;
	struct snapshot snapshot;
	uint8_t *state;
	struct undo_line *line;              /* lines of global memory at the beginning */
	size_t   nlines, cap;
};

struct time_travel {
	struct undo_log undo;
	size_t bytes;                   /* bytes of the state, rounded up to lines */
	size_t mp_at;                   /* offset of l->machine.mp in the state */
	uint64_t interval;              /* turns between snapshots */
	uint8_t *newest;                /* the state at the latest snapshot */
	struct snapshot *snapshot;      /* first_snapshot … next_snapshot − 1 in a ring */
	uint64_t first_snapshot, next_snapshot;
	struct origin origin;
};

static struct snapshot *snapshot_at(const struct time_travel *r, uint64_t i)
{
	return &r->snapshot[i % SNAPSHOTS_MAX];
}

static struct snapshot *last_snapshot(const struct time_travel *r)
{
	return snapshot_at(r, r->next_snapshot - 1);
}

/* ---- the state as bytes ---- */

static size_t whole_lines(size_t n)
{
	return (n + UNDO_LINE - 1) / UNDO_LINE * UNDO_LINE;
}

size_t state_bytes(const struct machine *m)
{
	struct arena_chunk *at = NULL;
	size_t n, sum = 0;

	while (arena_piece(&m->state, &at, &n))
		sum += whole_lines(n);
	return sum;
}

size_t state_part(const struct machine *m, const void *place, const uint8_t **from, size_t *n)
{
	struct arena_chunk *at = NULL;
	size_t sum = 0;

	while ((*from = arena_piece(&m->state, &at, n)) &&
	       ((uintptr_t)place < (uintptr_t)*from || (uintptr_t)place >= (uintptr_t)*from + *n))
		sum += whole_lines(*n);
	return sum;
}

size_t state_offset(const struct machine *m, const void *place)
{
	const uint8_t *from;
	size_t n, sum = state_part(m, place, &from, &n);

	return sum + (size_t)((uintptr_t)place - (uintptr_t)from);
}

void state_copy(const struct machine *m, uint8_t *to)
{
	struct arena_chunk *at = NULL;
	const void *from;
	size_t n;

	while ((from = arena_piece(&m->state, &at, &n))) {
		memcpy(to, from, n);
		to += whole_lines(n);
	}
}

void state_put(struct machine *m, const uint8_t *from)
{
	struct arena_chunk *at = NULL;
	void *to;
	size_t n;

	while ((to = arena_piece(&m->state, &at, &n))) {
		memcpy(to, from, n);
		from += whole_lines(n);
	}
}

struct saved {
	struct run_state run;
	uint8_t state[];
};

void *state_save(const struct machine *m)
{
	struct saved *s = malloc(sizeof *s + state_bytes(m));

	if (s) {
		s->run = m->run;
		state_copy(m, s->state);
	}
	return s;
}

void state_restore(struct machine *m, void *saved)
{
	struct saved *s = saved;

	m->run = s->run;
	state_put(m, s->state);
	free(s);
}

/* ---- snapshots ---- */

static struct snapshot snapshot_here(const struct wb_launch *l)
{
	return (struct snapshot){
		.turn = l->watch->turns, .issue = clock_issues(&l->machine), .cycle = clock_end(&l->machine),
		.first_line = l->past->undo.next, .run = l->machine.run,
	};
}

static void push_snapshot(struct wb_launch *l)
{
	struct time_travel *r = l->past;

	r->next_snapshot++;
	*last_snapshot(r) = snapshot_here(l);
	undo_log_checkpoint(&r->undo);
}

bool past_begin(struct wb_launch *l, size_t bytes, struct diag *d)
{
	struct time_travel *r = calloc(1, sizeof *r);
	uint64_t lines = bytes / sizeof(struct undo_line);

	l->past = r;
	if (!r)
		return diag_set(d, DIAG_ENV, "out of memory");
	r->bytes = state_bytes(&l->machine);
	r->mp_at = state_offset(&l->machine, l->machine.mp);
	r->interval = REPLAY_TURNS * (1 + r->bytes / FREQUENT_BYTES);
	if (lines < 3 * r->bytes / UNDO_LINE + 4 * TURN_LINES)
		lines = 3 * r->bytes / UNDO_LINE + 4 * TURN_LINES;
	r->newest = calloc(1, r->bytes);
	r->origin.state = calloc(1, r->bytes);
	r->snapshot = calloc(SNAPSHOTS_MAX, sizeof *r->snapshot);
	if (!r->newest || !r->origin.state || !r->snapshot || !undo_log_init(&r->undo, lines)) {
		past_free(l);
		return diag_set(d, DIAG_ENV, "out of memory for a record of %zu bytes", bytes);
	}
	state_copy(&l->machine, r->newest);
	memcpy(r->origin.state, r->newest, r->bytes);
	push_snapshot(l);
	r->origin.snapshot = *last_snapshot(r);
	undo_log_begin(l->machine.global, &r->undo);
	return true;
}

void past_free(struct wb_launch *l)
{
	struct time_travel *r = l->past;

	if (!r)
		return;
	undo_log_end(l->machine.global);
	undo_log_free(&r->undo);
	free(r->origin.line);
	free(r->origin.state);
	free(r->newest);
	free(r->snapshot);
	free(r);
	l->past = NULL;
}

/* ---- making space ---- */

static uint64_t *origin_bit(const struct wb_launch *l, const struct undo_line *k, uint64_t *bit)
{
	uint64_t line = k->where % PAGE_LINES;

	*bit = 1ull << (line % 64);
	return &global_page_find(l->machine.global, (uint32_t)(k->where / PAGE_LINES))->origin[line / 64];
}

static void lose_origin(struct origin *o)
{
	o->lost = true;
	free(o->line);
	o->line = NULL;
	o->nlines = o->cap = 0;
}

/* A line leaves the ring: the first line of an address is the content at the beginning. */
static void to_origin(struct wb_launch *l, const struct undo_line *k)
{
	struct origin *o = &l->past->origin;
	uint64_t bit, *word;

	if (o->lost || k->where & STATE_LINE)
		return;
	word = origin_bit(l, k, &bit);
	if (*word & bit)
		return;
	if (o->nlines == o->cap) {
		size_t more = o->cap ? 2 * o->cap : 1024;
		bool fits = more <= l->past->undo.capacity;
		struct undo_line *grown = fits ? realloc(o->line, more * sizeof *grown) : NULL;
		if (!grown) {
			lose_origin(o);
			return;
		}
		o->line = grown;
		o->cap = more;
	}
	*word |= bit;
	o->line[o->nlines++] = *k;
}

static void forget_oldest(struct wb_launch *l)
{
	struct time_travel *r = l->past;
	uint64_t until = snapshot_at(r, r->first_snapshot + 1)->first_line;

	while (r->undo.oldest < until)
		to_origin(l, undo_log_at(&r->undo, r->undo.oldest++));
	r->first_snapshot++;
}

static void make_space(struct wb_launch *l, uint64_t lines)
{
	struct time_travel *r = l->past;

	while (undo_log_free_lines(&r->undo) < lines && r->next_snapshot - r->first_snapshot > 1)
		forget_oldest(l);
}

/* Whether a multiprocessor has acted since the last snapshot: its clock and counts differ. Without an action, warps,
 * registers and memory need no comparison. */
static bool has_acted(const struct wb_launch *l, unsigned mp)
{
	const struct time_travel *r = l->past;

	// NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): copied whole, with the padding between members
	return memcmp(&l->machine.mp[mp], r->newest + r->mp_at + mp * sizeof *l->machine.mp, sizeof *l->machine.mp);
}

/* Save the lines of a part of the state that changed since the last snapshot. */
static void save_part(struct time_travel *r, uint64_t line, const uint8_t *from, size_t n)
{
	for (size_t i = 0; i < n; i += UNDO_LINE, line++) {
		size_t bytes = n - i < UNDO_LINE ? n - i : UNDO_LINE;
		uint8_t *old = r->newest + line * UNDO_LINE;
		if (!memcmp(old, from + i, bytes))
			continue;
		undo_log_append(&r->undo, STATE_LINE | line, old);
		memcpy(old, from + i, bytes);
	}
}

/* Multiprocessors first: part 0, which all share, tells the multiprocessors that acted. */
static void save_changes(struct wb_launch *l)
{
	for (int shared = 0; shared < 2; shared++) {
		struct arena_chunk *at = NULL;
		const uint8_t *from;
		uint64_t line = 0;
		size_t n;
		for (; (from = arena_piece(&l->machine.state, &at, &n)); line += whole_lines(n) / UNDO_LINE) {
			unsigned part = arena_part(at);
			if (shared ? !part : part && has_acted(l, part - 1))
				save_part(l->past, line, from, n);
		}
	}
}

static void take_snapshot(struct wb_launch *l)
{
	struct time_travel *r = l->past;

	if (r->next_snapshot - r->first_snapshot == SNAPSHOTS_MAX)
		forget_oldest(l);
	make_space(l, r->bytes / UNDO_LINE + TURN_LINES);
	save_changes(l);
	push_snapshot(l);
}

void past_before_turn(struct wb_launch *l)
{
	struct time_travel *r = l->past;
	uint64_t state = r->bytes / UNDO_LINE, used = r->undo.next - last_snapshot(r)->first_line;

	if (l->watch->turns - last_snapshot(r)->turn >= r->interval ||
	    used + state + 2 * TURN_LINES > r->undo.capacity)
		take_snapshot(l);
	else if (undo_log_free_lines(&r->undo) < TURN_LINES)
		make_space(l, TURN_LINES);
}

/* ---- going back ---- */

static bool before(const struct snapshot *m, uint64_t turn, uint64_t issue, uint64_t cycle)
{
	return m->turn <= turn && m->issue < issue && m->cycle < cycle;
}

uint64_t past_snapshot_before(const struct wb_launch *l, uint64_t turn, uint64_t issue, uint64_t cycle)
{
	const struct time_travel *r = l->past;

	for (uint64_t i = r->next_snapshot; i-- > r->first_snapshot;)
		if (before(snapshot_at(r, i), turn, issue, cycle))
			return snapshot_at(r, i)->turn;
	return past_earliest(l);
}

uint64_t past_earliest(const struct wb_launch *l)
{
	const struct time_travel *r = l->past;

	return r->origin.lost ? snapshot_at(r, r->first_snapshot)->turn : r->origin.snapshot.turn;
}

/* Put back the lines saved since snapshot i. */
static void undo_to(struct wb_launch *l, uint64_t i)
{
	struct time_travel *r = l->past;
	uint64_t first = snapshot_at(r, i)->first_line;

	while (r->undo.next > first) {
		const struct undo_line *k = undo_log_at(&r->undo, --r->undo.next);
		if (k->where & STATE_LINE)
			memcpy(r->newest + (k->where & ~STATE_LINE) * UNDO_LINE, k->bytes, UNDO_LINE);
		else
			undo_log_restore(l->machine.global, k);
	}
	r->next_snapshot = i + 1;
}

static void undo_to_origin(struct wb_launch *l)
{
	struct time_travel *r = l->past;
	struct origin *o = &r->origin;

	for (size_t i = 0; i < o->nlines; i++) {
		uint64_t bit, *word = origin_bit(l, &o->line[i], &bit);
		*word &= ~bit;
		undo_log_restore(l->machine.global, &o->line[i]);
	}
	o->nlines = 0;
	memcpy(r->newest, o->state, r->bytes);
	r->first_snapshot = 0;
	r->next_snapshot = 1;
	r->snapshot[0] = o->snapshot;
	r->snapshot[0].first_line = r->undo.oldest = r->undo.next;
}

void past_restore(struct wb_launch *l, uint64_t turn)
{
	struct time_travel *r = l->past;
	uint64_t i = r->next_snapshot - 1;

	while (i > r->first_snapshot && snapshot_at(r, i)->turn > turn)
		i--;
	undo_to(l, i);
	if (snapshot_at(r, i)->turn > turn && !r->origin.lost)
		undo_to_origin(l);
	undo_log_checkpoint(&r->undo);
	state_put(&l->machine, r->newest);
	l->machine.run = last_snapshot(r)->run;
	l->over = l->ended_without_issue = false;
	l->machine.result = "ok";
	l->machine.fault_mp = NULL;
	diag_clear(&l->machine.why);
}
