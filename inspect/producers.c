/* The cause of each wait for a result: when an instruction issues, the scheduler knows the entry of the scoreboard that
 * came last (sched_cause); this observer keeps, for each slot, the instruction that writes each entry, and adds the
 * cycles to a row (waiting instruction, producer, reason). The rows of a multiprocessor are a hash table in the
 * machine's state: a snapshot includes the rows, and each multiprocessor has its own table on any host thread. Waits
 * without a result (control flow, barriers) are caused by the warp's previous instruction, waits for a unit by the
 * instructions that held the unit meanwhile.
 *
 * Entries of wait counters stand for accesses under way, latest first: entry n belongs to the n-th latest access, and
 * an instruction waits up to one entry. */
#include "inspect/producers.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/state_check.h"
#include "inspect/launch.h"
#include "sched/issue.h"

/* Packed, because every snapshot copies all rows. key: the word of the waiting instruction and of the producer, both
 * from 1, and the reason; 0: the row is free. */
struct cause {
	uint64_t key, cycles;
};

enum { PRODUCER_AT = 8, PLACE_AT = 36 };

static uint64_t key_of(uint32_t at, uint32_t producer, enum stall reason)
{
	return (uint64_t)at << PLACE_AT | (uint64_t)producer << PRODUCER_AT | reason;
}

/* The state of a slot's warp. */
struct seen {
	uint64_t age;                   /* age of the warp, from 1; 0: no warp yet */
	uint64_t barrier;               /* waits at barriers already charged */
	uint32_t previous;              /* word of the previous instruction, from 1; 0: none yet */
};

/* The latest instructions that took a unit: word, from 1, and cycle of the issue. */
enum { TAKINGS = 16 };
struct takings {
	uint64_t n;                     /* takings ever; taking i is element i modulo TAKINGS */
	struct taking { uint64_t cycle; uint32_t word; } latest[TAKINGS];
};

struct producers_mp {
	struct cause *row;
	uint32_t nrows, used;           /* a power of two; rows in use */
	uint64_t *unattributed;         /* cycles by word and reason without a producer, for when the rows are full */
	struct seen seen[SLOTS];
	uint32_t *writer;               /* by slot and entry: word of the producer, from 1 */
	struct takings taken[UNITS_MAX];        /* by unit */
	/* In precise execution, the present instruction and the unit for it. */
	const struct sched_op *op;      /* NULL between two instructions */
	unsigned unit;
	uint64_t cycle;                 /* of the issue */
};

struct producers {
	struct observer observer;
	const struct wb_launch *launch;
	struct producers_mp *mp;        /* in the machine's state */
};

static bool prepare(struct observer *o, struct machine *m)
{
	struct producers *p = (struct producers *)o;
	uint32_t words = m->plan->code.code_bytes / 4 + 1, rows = 64;
	unsigned slots = m->plan->fit.blocks * m->plan->dim.warps;

	while (rows < 4 * words)
		rows *= 2;
	p->mp = ARENA_ARRAY(&m->state, struct producers_mp, m->plan->nmps);
	for (unsigned i = 0; p->mp && i < m->plan->nmps; i++) {
		struct producers_mp *k = &p->mp[i];
		k->nrows = rows;
		k->row = ARENA_ARRAY(&m->state, struct cause, rows);
		k->unattributed = ARENA_ARRAY(&m->state, uint64_t, (size_t)words * STALLS);
		k->writer = ARENA_ARRAY(&m->state, uint32_t, (size_t)slots * m->plan->issue.entries);
		if (!k->row || !k->unattributed || !k->writer)
			return false;
	}
	return p->mp;
}

static void restart(struct observer *o, struct machine *m)
{
	struct producers *p = (struct producers *)o;
	uint32_t words = m->plan->code.code_bytes / 4 + 1;

	for (unsigned i = 0; i < m->plan->nmps; i++) {
		struct producers_mp *k = &p->mp[i];
		memset(k->row, 0, k->nrows * sizeof *k->row);
		memset(k->unattributed, 0, (size_t)words * STALLS * sizeof *k->unattributed);
		memset(k->seen, 0, sizeof k->seen);
		memset(k->taken, 0, sizeof k->taken);
		k->used = 0;
	}
}

/* ---- charging ---- */

static void charge_cause(struct producers_mp *k, uint32_t at, uint32_t producer, enum stall reason, uint64_t cycles)
{
	uint64_t key = key_of(at, producer, reason);
	uint32_t i = (uint32_t)mix64(key) & (k->nrows - 1);

	if (!cycles)
		return;
	while (k->row[i].key && k->row[i].key != key)
		i = (i + 1) & (k->nrows - 1);
	if (!k->row[i].key && k->used >= k->nrows - k->nrows / 8) {
		k->unattributed[(size_t)(at - 1) * STALLS + reason] += cycles;
		return;
	}
	k->used += !k->row[i].key;
	k->row[i] = (struct cause){ key, k->row[i].cycles + cycles };
}

/* The unit that a slot's next instruction takes when it issues now. */
static unsigned unit_now(const struct sched *s, const struct sched_op *op)
{
	return s->free_at[op->unit] > s->now ? op->other_unit : op->unit;
}

static struct taking *taking_of(struct takings *t, uint64_t index)
{
	return &t->latest[index % TAKINGS];
}

/* Charge the cycles in which a slot's warp, ready, waited for a unit: to each instruction from its taking the unit up
 * to the next taking; cycles before the known takings, to the oldest. */
static void charge_unit(struct producers_mp *k, const struct sched *s, const struct slot *w)
{
	uint32_t at = w->next->word + 1, by = at;
	struct takings *taken = &k->taken[unit_now(s, w->next)];
	uint64_t until = s->now, cycles;

	if (s->now <= w->ready_at)
		return;
	cycles = s->now - w->ready_at - idle_since(s, w, w->next, s->now);
	for (uint64_t i = taken->n; cycles && i > 0 && taken->n - i < TAKINGS; i--) {
		const struct taking *t = taking_of(taken, i - 1);
		uint64_t from = t->cycle > w->ready_at ? t->cycle : w->ready_at;
		uint64_t part = until > from ? until - from : 0;
		part = part < cycles ? part : cycles;
		by = t->word;
		charge_cause(k, at, by, STALL_PIPE, part);
		cycles -= part;
		until = from < until ? from : until;
	}
	charge_cause(k, at, by, STALL_PIPE, cycles);
}

/* Before a slot's next instruction issues or tries to: charge its waits since the last time. */
static void charge_waits(struct producers *p, struct producers_mp *k, const struct sched *s, unsigned slot)
{
	const struct slot *w = slot_of(s, slot);
	struct seen *seen = &k->seen[slot];
	struct sched_cause c = sched_cause(s, slot);
	const uint32_t *writer = k->writer + (size_t)slot * p->launch->plan.issue.entries;
	uint32_t at = w->next->word + 1, by;

	if (seen->age != w->age + 1)
		*seen = (struct seen){ .age = w->age + 1 };
	by = c.entry != SCHED_NONE ? writer[c.entry] : seen->previous ? seen->previous : at;
	charge_cause(k, at, seen->previous ? seen->previous : at, STALL_BARRIER,
		     w->stalls.cycles[STALL_BARRIER] - seen->barrier);
	charge_cause(k, at, by, c.reason, c.cycles);
	charge_unit(k, s, w);
	seen->barrier = w->stalls.cycles[STALL_BARRIER] + (c.reason == STALL_BARRIER ? c.cycles : 0);
}

/* After an issue: the instruction holds its unit and is the writer of its results' entries. */
static void note_writes(struct producers *p, struct producers_mp *k, unsigned slot, const struct sched_op *op,
			unsigned unit, uint64_t cycle)
{
	uint32_t *writer = k->writer + (size_t)slot * p->launch->plan.issue.entries;

	for (unsigned n = 0; n < op->nmakes; n++)
		writer[op->makes[n]] = op->word + 1;
	for (unsigned c = op->counts; c; c &= c - 1) {
		const struct counter_place *place = &p->launch->plan.issue.counter[__builtin_ctz(c)];
		uint32_t *first = writer + place->entry;
		memmove(first + 1, first, (place->most - 1u) * sizeof *first);
		*first = op->word + 1;
	}
	*taking_of(&k->taken[unit], k->taken[unit].n++) = (struct taking){ .cycle = cycle, .word = op->word + 1 };
	k->seen[slot].previous = op->word + 1;
}

/* ---- hooks ---- */

static struct producers_mp *of_mp(const struct producers *p, const struct mp *mp)
{
	return &p->mp[mp->x.special.mp];
}

static void before(struct observer *o, struct machine *m, struct mp *mp)
{
	struct producers *p = (struct producers *)o;
	struct producers_mp *k = of_mp(p, mp);

	(void)m;
	k->op = slot_of(&mp->sched, mp->x.warp->slot)->next;
	k->unit = unit_now(&mp->sched, k->op);
	k->cycle = mp->sched.now;
	charge_waits(p, k, &mp->sched, mp->x.warp->slot);
}

static void executed(struct observer *o, struct machine *m, struct mp *mp, int outcome)
{
	struct producers *p = (struct producers *)o;
	struct producers_mp *k = of_mp(p, mp);

	(void)m;
	if (outcome != STEP_LOCKED && outcome != STEP_FAULT)
		note_writes(p, k, mp->x.warp->slot, k->op, k->unit, k->cycle);
	k->op = NULL;
}

static void issues(struct observer *o, const struct mp *mp, unsigned slot)
{
	struct producers *p = (struct producers *)o;

	const struct sched_op *op = slot_of(&mp->sched, slot)->next;

	charge_waits(p, of_mp(p, mp), &mp->sched, slot);
	note_writes(p, of_mp(p, mp), slot, op, unit_now(&mp->sched, op), mp->sched.now);
}

#ifndef __wasm__
/* Rows beyond nrows / 8 free ones would be searched for ever. */
static void check_rows(struct state_check *c, const struct producers_mp *k, uint32_t words)
{
	uint32_t used, n = 0;
	struct cause row;

	STATE_GET(c, &k->used, &used);
	STATE_ANY(c, k->used);
	state_any(c, k->row, k->nrows * sizeof *k->row);
	for (uint32_t i = 0; i < k->nrows; i++) {
		STATE_GET(c, &k->row[i], &row);
		n += row.key != 0;
		state_must(c, !row.key || (row.key >> PLACE_AT && row.key >> PLACE_AT <= words &&
					   (row.key >> PRODUCER_AT & 0xfffffff) - 1 < words &&
					   (row.key & 0xff) < STALLS), "the cause of a wait");
	}
	state_must(c, n == used && n <= k->nrows - k->nrows / 8, "the number of causes of waits");
}

static void check_state(const struct observer *o, const struct machine *m, struct state_check *c)
{
	const struct producers *p = (const struct producers *)o;
	uint32_t words = m->plan->code.code_bytes / 4 + 1;
	size_t slots = (size_t)m->plan->fit.blocks * m->plan->dim.warps;

	for (unsigned i = 0; i < m->plan->nmps; i++) {
		const struct producers_mp *k = &p->mp[i];
		check_rows(c, k, words);
		state_any(c, k->unattributed, (size_t)words * STALLS * sizeof *k->unattributed);
		for (unsigned s = 0; s < SLOTS; s++) {
			STATE_ANY(c, k->seen[s]);
			STATE_MOST(c, k->seen[s].previous, words, "the cause of a wait");
		}
		state_most(c, k->writer, sizeof *k->writer, slots * m->plan->issue.entries, words,
			   "the cause of a wait");
		for (unsigned u = 0; u < UNITS_MAX; u++) {
			STATE_ANY(c, k->taken[u].n);
			for (unsigned t = 0; t < TAKINGS; t++) {
				STATE_ANY(c, k->taken[u].latest[t]);
				STATE_MOST(c, k->taken[u].latest[t].word, words, "the cause of a wait");
			}
		}
		STATE_MOST(c, k->unit, UNITS_MAX - 1, "a unit");
		STATE_ANY(c, k->cycle);
	}
}
#endif

bool producers_prepare(struct wb_launch *l)
{
	struct producers *p = ARENA_NEW(&l->arena, struct producers);

	if (!p)
		return false;
	*p = (struct producers){
		.observer = { .prepare = prepare, .restart = restart, .before = before, .executed = executed,
			      .issues = issues },
		.launch = l,
	};
	CHECK_STATE(&p->observer, check_state);
	l->producers = p;
	launch_observe(l, &p->observer, false);
	return true;
}

/* ---- queries ---- */

bool producer_of(const struct wb_launch *l, unsigned mp, unsigned slot, int entry, uint32_t *pc)
{
	const struct producers_mp *k = l->producers ? &l->producers->mp[mp] : NULL;
	uint32_t word = 0;

	if (k && k->seen[slot].age == slot_of(&l->machine.mp[mp].sched, slot)->age + 1)
		word = entry == SCHED_NONE ? k->seen[slot].previous
					   : k->writer[(size_t)slot * l->plan.issue.entries + (unsigned)entry];
	*pc = word ? 4 * (word - 1) : 0;
	return word;
}

bool unit_holder(const struct wb_launch *l, unsigned mp, unsigned unit, uint32_t *pc)
{
	struct takings *t = l->producers ? &l->producers->mp[mp].taken[unit] : NULL;
	uint32_t word = t && t->n ? taking_of(t, t->n - 1)->word : 0;

	*pc = word ? 4 * (word - 1) : 0;
	return word;
}

static int by_place(const void *a, const void *b)
{
	const struct wb_cause *x = a, *y = b;

	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	if (x->producer != y->producer)
		return x->producer < y->producer ? -1 : 1;
	return x->reason < y->reason ? -1 : x->reason > y->reason;
}

static int by_cycles(const void *a, const void *b)
{
	const struct wb_cause *x = a, *y = b;

	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	return by_place(a, b);
}

/* Append the rows of one multiprocessor to n rows. */
static uint32_t gather(const struct producers_mp *k, uint32_t words, struct wb_cause *rows, uint32_t n)
{
	for (uint32_t i = 0; i < k->nrows; i++)
		if (k->row[i].key)
			rows[n++] = (struct wb_cause){
				.pc = 4 * ((uint32_t)(k->row[i].key >> PLACE_AT) - 1),
				.producer = 4 * ((uint32_t)(k->row[i].key >> PRODUCER_AT & 0xfffffff) - 1),
				.reason = k->row[i].key & 0xff, .cycles = k->row[i].cycles,
			};
	for (uint32_t i = 0; i < words * STALLS; i++)
		if (k->unattributed[i])
			rows[n++] = (struct wb_cause){ 4 * (i / STALLS), 4 * (i / STALLS), i % STALLS,
						       k->unattributed[i] };
	return n;
}

void producers_report(struct wb_launch *l)
{
	const struct producers *p = l->producers;
	uint32_t words = l->plan.code.code_bytes / 4 + 1, n = 0, merged = 0;
	size_t most = 0;
	struct wb_cause *rows;

	if (!p)
		return;
	for (unsigned i = 0; i < l->plan.nmps; i++)
		most += p->mp[i].used + (size_t)words * STALLS;
	rows = ARENA_ARRAY(&l->report_arena, struct wb_cause, most);
	if (!rows)
		return;
	for (unsigned i = 0; i < l->plan.nmps; i++)
		n = gather(&p->mp[i], words, rows, n);
	qsort(rows, n, sizeof *rows, by_place);
	for (uint32_t i = 0; i < n; i++)
		if (merged && !by_place(&rows[merged - 1], &rows[i]))
			rows[merged - 1].cycles += rows[i].cycles;
		else
			rows[merged++] = rows[i];
	qsort(rows, merged, sizeof *rows, by_cycles);
	l->report.causes = rows;
	l->report.ncauses = merged;
}
