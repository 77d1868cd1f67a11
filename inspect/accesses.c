/* An observer adds up the costs of each instruction's accesses, a row for each memory that an instruction accesses.
 * Each multiprocessor has rows of its own: several host threads run several. Costs follow from addresses alone, so the
 * sums are those of any way to execute. */
#include "inspect/accesses.h"

#include <stdlib.h>
#include <string.h>

#include "core/state_check.h"
#include "inspect/launch.h"
#include "mem/banks.h"
#include "mem/coalesce.h"
#include "mem/local.h"
#include "mem/mem.h"

/* ---- the cost of an access ---- */

uint32_t access_group_lanes(const struct plan *p, const struct access *a)
{
	return chip_group_lanes(&p->chip, a->space == MEM_SHARED);
}

/* Elements of equal addresses are the same bytes, others are apart. */
static uint32_t distinct(const uint64_t *addr, lane_mask lanes)
{
	uint32_t n = 0;

	FOR_SET_LANES(i, lanes) {
		lane_mask before = lanes & ((1ull << i) - 1);
		bool seen = false;
		FOR_SET_LANES(k, before)
			seen |= addr[k] == addr[i];
		n += !seen;
	}
	return n;
}

static void add_transactions(const struct plan *p, const uint64_t *addr, lane_mask lanes, uint32_t width,
			     struct group_cost *out)
{
	struct transactions t;

	coalesce(&p->chip.coalesce, addr, lanes, width, &t);
	out->transactions += t.count;
	out->bytes += t.bytes;
}

/* l[] lies interleaved in global memory, a word of each lane side by side; wider elements take several rows. */
static void add_local(const struct plan *p, const struct access *a, unsigned first, lane_mask lanes,
		      struct group_cost *out)
{
	uint32_t parts = a->width > 4 ? a->width / 4u : 1;
	uint64_t addr[LANES_MAX];

	for (uint32_t part = 0; part < parts; part++) {
		for (unsigned k = 0; k < p->chip.coalesce.lanes; k++)
			addr[k] = local_offset(p->code.target.isa->lanes, first + k, a->addr[first + k] + 4 * part);
		add_transactions(p, addr, lanes, parts > 1 ? 4 : a->width, out);
	}
}

struct group_cost access_group_cost(const struct plan *p, const struct access *a, unsigned g)
{
	uint32_t n = access_group_lanes(p, a), offset[LANES_MAX];
	lane_mask lanes = a->lanes >> g * n & lanes_first((int)n);
	struct group_cost out = { 0 };
	uint64_t addr[LANES_MAX];

	if (!lanes)
		return out;
	for (uint32_t k = 0; k < n; k++) {
		offset[k] = access_bank_address(a, g * n + k);
		addr[k] = access_cost_address(a, g * n + k);
	}
	out.useful = a->width * (a->space == MEM_LOCAL ? (uint32_t)lanes_count(lanes) :
				 distinct(a->addr + g * n, lanes));
	if (a->space == MEM_SHARED)
		out.passes = shared_passes(&p->chip.banks, offset, lanes);
	else if (a->space == MEM_CONST)
		out.passes = const_passes(offset, lanes);
	else if (a->space == MEM_GLOBAL)
		add_transactions(p, addr, lanes, access_cost_width(a), &out);
	else if (a->space == MEM_LOCAL)
		add_local(p, a, g * n, lanes, &out);
	return out;
}

/* ---- the sums ---- */

/* In snapshots, which compare bytes: all bytes are members'. */
struct access_row {
	uint32_t word, next;    /* word of code; the row after for the same word, from 1; 0: none */
	uint32_t space;         /* enum mem_space */
	uint16_t loads, stores; /* 1: there are */
	uint64_t issues, threads, groups, passes, transactions, bytes, useful;
};
_Static_assert(sizeof(struct access_row) == 16 + 7 * sizeof(uint64_t), "no padding");

struct rows {
	uint32_t *by_word;      /* by word of code: the latest row for the word, from 1; 0: none yet */
	struct access_row *row;
	uint32_t n, most;
};

struct accesses {
	struct launch_observer observer;
	struct rows *mp;        /* by multiprocessor, in the machine's state */
};

static uint32_t words_of(const struct machine *m)
{
	return m->plan->code.code_bytes / 4 + 1;
}

/* An instruction accesses at most two memories, or three (a flat access) and is then two words long. */
static bool prepare(struct observer *o, struct machine *m)
{
	struct accesses *a = (struct accesses *)o;

	a->mp = ARENA_ARRAY(&m->state, struct rows, m->plan->nmps);
	for (unsigned i = 0; a->mp && i < m->plan->nmps; i++) {
		struct rows *r = &a->mp[i];
		r->most = 2 * words_of(m);
		r->by_word = ARENA_ARRAY(&m->state, uint32_t, words_of(m));
		r->row = ARENA_ARRAY(&m->state, struct access_row, r->most);
		if (!r->by_word || !r->row)
			return false;
	}
	return a->mp;
}

static void restart(struct observer *o, struct machine *m)
{
	struct accesses *a = (struct accesses *)o;

	for (unsigned i = 0; i < m->plan->nmps; i++) {
		memset(a->mp[i].by_word, 0, words_of(m) * sizeof *a->mp[i].by_word);
		memset(a->mp[i].row, 0, a->mp[i].most * sizeof *a->mp[i].row);
		a->mp[i].n = 0;
	}
}

/* The row for a word and a space, perhaps new; NULL: the rows are full. */
static struct access_row *row_of(struct rows *r, uint32_t word, uint8_t space)
{
	for (uint32_t i = r->by_word[word]; i; i = r->row[i - 1].next)
		if (r->row[i - 1].space == space)
			return &r->row[i - 1];
	if (r->n == r->most)
		return NULL;
	r->row[r->n] = (struct access_row){ .word = word, .next = r->by_word[word], .space = space };
	r->by_word[word] = ++r->n;
	return &r->row[r->n - 1];
}

static void count(const struct plan *p, struct access_row *r, const struct access *a)
{
	unsigned groups = p->code.target.isa->lanes / access_group_lanes(p, a);

	r->issues++;
	r->threads += (uint64_t)lanes_count(a->lanes);
	r->loads |= a->kind != ACCESS_STORE;
	r->stores |= a->kind != ACCESS_LOAD;
	for (unsigned g = 0; g < groups; g++) {
		struct group_cost c = access_group_cost(p, a, g);
		r->groups += c.useful != 0;
		r->passes += c.passes;
		r->transactions += c.transactions;
		r->bytes += c.bytes;
		r->useful += c.useful;
	}
}

static void inspected(struct observer *o, struct machine *m, struct exec *x)
{
	struct rows *rows = &((struct accesses *)o)->mp[x->special.mp];

	for (unsigned i = 0; i < x->step.accesses; i++) {
		const struct access *a = &x->step.access[i];
		bool counts = a->space <= MEM_GLOBAL && a->lanes && a->pattern != PATTERN_SCALAR;
		struct access_row *r =
			counts ? row_of(rows, x->step.pc / 4, a->space) : NULL;
		if (r)
			count(m->plan, r, a);
	}
}

#ifndef __wasm__
/* The rows of a word are a list, each before the next in the table. */
static void check_state(const struct observer *o, const struct machine *m, struct state_check *c)
{
	const struct accesses *a = (const struct accesses *)o;
	struct access_row row;
	uint32_t n;

	for (unsigned i = 0; i < m->plan->nmps; i++) {
		const struct rows *r = &a->mp[i];
		STATE_GET(c, &r->n, &n);
		STATE_MOST(c, r->n, r->most, "the number of accesses");
		state_most(c, r->by_word, sizeof *r->by_word, words_of(m), n, "a row of accesses");
		state_any(c, r->row, r->most * sizeof *r->row);
		for (uint32_t k = 0; k < r->most; k++) {
			STATE_GET(c, &r->row[k], &row);
			state_must(c, row.next <= k && row.word < words_of(m) && row.space <= MEM_GLOBAL &&
				   row.loads <= 1 && row.stores <= 1, "a row of accesses");
		}
	}
}
#endif

bool accesses_prepare(struct wb_launch *l)
{
	struct accesses *a = ARENA_NEW(&l->arena, struct accesses);

	if (!a)
		return false;
	*a = (struct accesses){
		.observer = { .observer = { .precise_reason = "--accesses looks at every address", .prepare = prepare,
					    .restart = restart, .inspected = inspected }, .launch = l },
	};
	CHECK_STATE(&a->observer.observer, check_state);
	l->accesses = a;
	launch_observe(l, &a->observer.observer, false);
	return true;
}

/* ---- the report ---- */

static const char *const space_names[] = { [MEM_SHARED] = "s", [MEM_CONST] = "c", [MEM_LOCAL] = "l",
					   [MEM_GLOBAL] = "g" };

static int by_place(const void *a, const void *b)
{
	const struct wb_access_cost *x = a, *y = b;

	return x->pc != y->pc ? (x->pc < y->pc ? -1 : 1) : strcmp(x->space, y->space);
}

static void add(struct wb_access_cost *to, const struct wb_access_cost *from)
{
	to->loads |= from->loads;
	to->stores |= from->stores;
	to->issues += from->issues;
	to->threads += from->threads;
	to->groups += from->groups;
	to->passes += from->passes;
	to->transactions += from->transactions;
	to->bytes += from->bytes;
	to->useful_bytes += from->useful_bytes;
}

void accesses_report(struct wb_launch *l)
{
	const struct accesses *a = l->accesses;
	struct wb_access_cost *rows;
	unsigned n = 0, merged = 0;

	for (unsigned i = 0; a && a->mp && i < l->plan.nmps; i++)
		n += a->mp[i].n;
	rows = n ? ARENA_ARRAY(&l->report_arena, struct wb_access_cost, n) : NULL;
	if (!rows)
		return;
	n = 0;
	for (unsigned i = 0; i < l->plan.nmps; i++)
		for (uint32_t k = 0; k < a->mp[i].n; k++) {
			const struct access_row *r = &a->mp[i].row[k];
			rows[n++] = (struct wb_access_cost){
				.pc = 4 * r->word, .space = space_names[r->space], .loads = r->loads,
				.stores = r->stores, .issues = r->issues, .threads = r->threads, .groups = r->groups,
				.passes = r->passes, .transactions = r->transactions, .bytes = r->bytes,
				.useful_bytes = r->useful,
			};
		}
	qsort(rows, n, sizeof *rows, by_place);
	for (unsigned i = 0; i < n; i++)
		if (merged && !by_place(&rows[merged - 1], &rows[i]))
			add(&rows[merged - 1], &rows[i]);
		else
			rows[merged++] = rows[i];
	l->report.accesses = rows;
	l->report.naccesses = merged;
}
