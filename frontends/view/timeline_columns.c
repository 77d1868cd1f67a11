/* The timeline's columns: issues and waits of each warp, and sums over the warps. A column may stand for less than a
 * cycle or for a million. Where a column is wider than the spans that the record has summed up, spans are read instead
 * of events. */
#include <stdlib.h>
#include <string.h>

#include "frontends/view/timeline.h"

int timeline_unit(const struct time_axis *a, uint64_t cycle)
{
	return (int)((double)(cycle - a->left_cycle) / a->per_unit);
}

uint64_t timeline_first(const struct model *m)
{
	const struct model *o = m->against;
	return o && o->mp.first_cycle < m->mp.first_cycle ? o->mp.first_cycle : m->mp.first_cycle;
}

uint64_t timeline_end(const struct model *m)
{
	const struct model *o = m->against;
	uint64_t end = m->mp.last_cycle + m->machine.issue_cycles;
	uint64_t other = o ? o->mp.last_cycle + o->machine.issue_cycles : 0;
	return other > end ? other : end;
}

/* ---- waits ---- */

/* The reason for which a slot's warp waits at the end of the record; 0: the warp does not wait. */
static unsigned open_wait(const struct model *m, unsigned slot, struct wait_piece *out)
{
	const struct record *r = &m->player->record;
	uint32_t last = r->mp[m->mp.number].latest[slot];
	const char *name = m->mp.present[slot] ? m->mp.warp[slot].stall : NULL;
	if (m->where.issue != r->n || !last || !name || record_at(r, last - 1)->block != m->mp.warp[slot].block)
		return 0;
	out->from = record_at(r, last - 1)->cycle + m->machine.issue_cycles;
	out->to = m->mp.last_cycle;
	out->reason = 1;
	while (out->reason <= WAITS && strcmp(wb_stall_name(out->reason), name))
		out->reason++;
	return out->reason <= WAITS && out->from < out->to ? out->reason : 0;
}

unsigned timeline_waits(const struct model *m, uint64_t index, unsigned slot, struct wait_piece out[WAITS])
{
	const struct record *r = &m->player->record;
	uint32_t waited[WAITS];
	unsigned n = 0;
	if (index >= r->n)
		return open_wait(m, slot, out) != 0;
	uint64_t at = record_at(r, index)->cycle - record_waits(r, index, waited);
	for (int k = 0; k < WAITS; k++) {
		uint32_t cycles = waited[wait_order[k]];
		if (cycles)
			out[n++] = (struct wait_piece){at, at + cycles, wait_order[k] + 1u};
		at += cycles;
	}
	return n;
}

/* ---- gathering ---- */

struct gathering {
	const struct time_axis *a;
	const struct model *m;
	struct tally *cell;
	uint64_t end; /* the first cycle right of the plot */
};

/* Spread the cycles of a wait, or of an issue, over the touched columns: 1 where a column is less than a cycle. */
static void spread_wait(const struct gathering *g, struct tally *row, const struct wait_piece *w, uint32_t index)
{
	const struct time_axis *a = g->a;
	uint64_t from = w->from > a->left_cycle ? w->from : a->left_cycle, to = w->to < g->end ? w->to : g->end;
	if (from >= to)
		return;
	int first = timeline_unit(a, from), last = timeline_unit(a, to - 1);
	if (a->per_unit < 1)
		last = timeline_unit(a, to) - 1;
	last = last < a->plot.w ? last : a->plot.w - 1;
	for (int x = first; x <= last; x++) {
		double begin = (double)a->left_cycle + x * a->per_unit, end = begin + a->per_unit;
		begin = begin > (double)from ? begin : (double)from;
		end = end < (double)to ? end : (double)to;
		uint32_t cycles = end - begin > 1 ? (uint32_t)(end - begin + 0.5) : 1;
		row[x].wait[w->reason - 1] += cycles;
		row[x].latest = row[x].issues ? row[x].latest : index;
	}
}

static void spread_waits(const struct gathering *g, uint32_t index, unsigned slot)
{
	struct wait_piece piece[WAITS];
	struct tally *row = g->cell + (size_t)slot * g->a->plot.w;
	unsigned n = timeline_waits(g->m, index, slot, piece);
	for (unsigned i = 0; i < n; i++)
		spread_wait(g, row, &piece[i], index);
}

static inline void add_issue(struct tally *k, const struct event *e, uint32_t index)
{
	k->issues++;
	k->lanes += e->lanes;
	k->flow |= e->flow;
	k->latest = index;
}

/* Are an issue and the wait before within a column? Nearly all are, where columns stand for many cycles. */
static inline bool within_column(const struct gathering *g, const struct event *e, uint32_t index, double columns)
{
	uint32_t sum = 0;
	for (int i = 0; i < WAITS; i++)
		sum += e->waited[i];
	if (e->waited[0] == LONG_WAIT || e->cycle < g->a->left_cycle + sum || e->cycle >= g->end)
		return false;
	int x = (int)((double)(e->cycle - g->a->left_cycle) * columns);
	if (x >= g->a->plot.w || (int)((double)(e->cycle - sum - g->a->left_cycle) * columns) != x)
		return false;
	struct tally *k = g->cell + (size_t)e->slot * g->a->plot.w + x;
	add_issue(k, e, index);
	for (int i = 0; i < WAITS; i++)
		k->wait[i] += e->waited[i];
	return true;
}

static void one_event(const struct gathering *g, const struct event *e, uint32_t index, bool fine)
{
	const struct time_axis *a = g->a;
	spread_waits(g, index, e->slot);
	uint64_t end = e->cycle + (fine ? g->m->machine.issue_cycles : 1);
	if (end <= a->left_cycle || e->cycle >= g->end)
		return;
	int x0 = e->cycle < a->left_cycle ? 0 : timeline_unit(a, e->cycle), x1 = fine ? timeline_unit(a, end) : x0 + 1;
	x1 = x1 <= x0 ? x0 + 1 : x1;
	for (int x = x0; x < x1 && x < a->plot.w; x++)
		add_issue(g->cell + (size_t)e->slot * a->plot.w + x, e, index);
}

/* Waits that begin in the plot and end right of the plot: of each slot, the next event. */
static void waits_beyond(const struct gathering *g, uint64_t k)
{
	const struct record *r = &g->m->player->record;
	const struct record_mp *mp = &r->mp[g->m->mp.number];
	uint64_t wanted = 0;
	for (unsigned s = 0; s < g->m->mp.nslots; s++)
		if (mp->latest[s] && k < mp->n && mp->latest[s] > mp->event[k])
			wanted |= 1ull << s;
	for (; wanted && k < mp->n; k++) {
		const struct event *e = record_at(r, mp->event[k]);
		if (!(wanted >> e->slot & 1))
			continue;
		spread_waits(g, mp->event[k], e->slot);
		wanted &= ~(1ull << e->slot);
	}
}

static void gather_events(const struct gathering *g, bool fine)
{
	enum { LONGEST = 64 }; /* cycles that an issue left of the plot may reach into the plot */
	const struct record *r = &g->m->player->record;
	const struct record_mp *mp = &r->mp[g->m->mp.number];
	double columns = 1 / g->a->per_unit;
	uint64_t left = g->a->left_cycle, k = record_mp_find(r, g->m->mp.number, left > LONGEST ? left - LONGEST : 0);
	for (; k < mp->n; k++) {
		const struct event *e = record_at(r, mp->event[k]);
		if (e->cycle >= g->end)
			break;
		if (e->slot < g->m->mp.nslots && (fine || !within_column(g, e, mp->event[k], columns)))
			one_event(g, e, mp->event[k], fine);
	}
	waits_beyond(g, k);
}

static void gather_spans(const struct gathering *g, struct total *total)
{
	const struct record_mp *mp = &g->m->player->record.mp[g->m->mp.number];
	unsigned slots = g->m->player->record.slots;
	uint64_t length = 1ull << mp->shift;
	for (unsigned i = 0; i < mp->nspans; i++) {
		uint64_t middle = ((uint64_t)i << mp->shift) + length / 2;
		if (middle < g->a->left_cycle || middle >= g->end)
			continue;
		int x = timeline_unit(g->a, middle);
		if (x >= g->a->plot.w)
			break;
		total[x].cycles += (float)length;
		for (unsigned s = 0; s < slots; s++)
			tally_add(g->cell + (size_t)s * g->a->plot.w + x, &mp->span[(size_t)i * slots + s]);
	}
}

/* Where the selected instruction is issued. Sums do not say: all events are looked at. */
static void mark_issues(const struct gathering *g, uint32_t pc)
{
	const struct record *r = &g->m->player->record;
	const struct record_mp *mp = &r->mp[g->m->mp.number];
	for (uint64_t k = record_mp_find(r, g->m->mp.number, g->a->left_cycle); k < mp->n; k++) {
		const struct event *e = record_at(r, mp->event[k]);
		if (e->cycle >= g->end)
			return;
		int x = e->pc == pc && e->slot < g->m->mp.nslots ? timeline_unit(g->a, e->cycle) : g->a->plot.w;
		if (x < g->a->plot.w)
			g->cell[(size_t)e->slot * g->a->plot.w + x].flow |= MARKED;
	}
}

/* ---- sums over the warps ---- */

static void add_up(const struct gathering *g, struct total *t, int x, bool fine)
{
	float cycles = t->cycles, issue = (float)g->m->machine.issue_cycles;
	for (unsigned s = 0; s < g->m->mp.nslots; s++) {
		const struct tally *k = &g->cell[(size_t)s * g->a->plot.w + x];
		uint32_t waits = 0;
		for (int i = 0; i < WAITS; i++) {
			t->wait[i] += (float)k->wait[i] / cycles;
			waits += k->wait[i];
		}
		if (!k->issues)
			continue;
		float issuing = fine ? 1 - (float)waits / cycles : (float)k->issues * issue / cycles;
		issuing = issuing < 0 ? 0 : issuing > 1 ? 1 : issuing;
		t->issuing += issuing;
		t->lanes += issuing * (float)k->lanes / (float)k->issues;
	}
}

/* Everything that columns depend on. The cursor is no part of the key: the cursor moves over gathered columns. */
struct timeline_key {
	uint64_t left_cycle, events, issue;
	double per_unit;
	uint32_t mp, pc, nslots;
	int width;
};

struct gathered {
	struct timeline_key of;
	struct tally *cell;
	struct total *total;
	uint32_t *colour;
	float *map;
	uint64_t map_events;
	int map_width;
	uint32_t map_mp;
};

struct gathered *gathered_new(void)
{
	return calloc(1, sizeof(struct gathered));
}

static void forget(struct gathered *t)
{
	free(t->cell);
	free(t->total);
	free(t->colour);
	t->cell = NULL;
	t->total = NULL;
	t->colour = NULL;
}

void gathered_free(struct gathered *t)
{
	if (!t)
		return;
	forget(t);
	free(t->map);
	free(t);
}

static bool same_key(const struct timeline_key *a, const struct timeline_key *b)
{
	return a->left_cycle == b->left_cycle && a->events == b->events && a->issue == b->issue &&
	       a->per_unit == b->per_unit && a->mp == b->mp && a->pc == b->pc && a->nslots == b->nslots &&
	       a->width == b->width;
}

static void gather(const struct gathering *g, struct total *total, uint32_t pc)
{
	const struct record_mp *mp = &g->m->player->record.mp[g->m->mp.number];
	struct wait_piece open;
	bool fine = g->a->per_unit < g->m->machine.issue_cycles;
	bool spans = mp->span && g->a->per_unit >= (double)(1ull << mp->shift) &&
		     g->m->mp.nslots == g->m->player->record.slots;
	for (int x = 0; x < g->a->plot.w && !spans; x++)
		total[x].cycles = g->a->per_unit < 1 ? 1 : (float)g->a->per_unit;
	if (spans)
		gather_spans(g, total);
	else
		gather_events(g, fine);
	for (unsigned s = 0; s < g->m->mp.nslots; s++)
		if (open_wait(g->m, s, &open))
			spread_wait(g, g->cell + (size_t)s * g->a->plot.w, &open, UINT32_MAX);
	if (pc != UINT32_MAX)
		mark_issues(g, pc);
	for (int x = 0; x < g->a->plot.w; x++)
		if (total[x].cycles > 0)
			add_up(g, &total[x], x, fine);
}

/* Lanes that execute in a cycle, over the whole run. */
static const float *whole_run(struct gathered *t, const struct model *m, int width)
{
	const struct record *r = &m->player->record;
	const struct record_mp *mp = &r->mp[m->mp.number];
	if (t->map && t->map_events == mp->n && t->map_width == width && t->map_mp == m->mp.number)
		return t->map;
	free(t->map);
	t->map = calloc((size_t)width + 1, sizeof *t->map);
	t->map_events = mp->n;
	t->map_width = width;
	t->map_mp = m->mp.number;
	double columns = width / (double)(timeline_end(m) - timeline_first(m) + 1);
	float share = (float)(m->machine.issue_cycles * columns);
	for (unsigned i = 0; t->map && mp->span && i < mp->nspans; i++) {
		uint64_t middle = ((uint64_t)i << mp->shift) + (1ull << mp->shift) / 2;
		int x = middle < timeline_first(m) ? 0 : (int)((double)(middle - timeline_first(m)) * columns);
		for (unsigned s = 0; s < r->slots && x < width; s++)
			t->map[x] += share * (float)mp->span[(size_t)i * r->slots + s].lanes;
	}
	for (uint32_t k = 0; t->map && !mp->span && k < mp->n; k++) {
		const struct event *e = record_at(r, mp->event[k]);
		t->map[(int)((double)(e->cycle - timeline_first(m)) * columns)] += share * e->lanes;
	}
	return t->map;
}

bool timeline_columns(const struct time_axis *a, const struct model *m, const struct view *v, struct columns *out)
{
	struct gathered *t = m->gathered;
	uint64_t all = m->player->record.n;
	struct timeline_key now = {
		.left_cycle = a->left_cycle,
		.events = m->player->record.mp[m->mp.number].n,
		.issue = m->where.issue == all ? all : 0, /* open waits */
		.per_unit = a->per_unit,
		.mp = m->mp.number,
		.pc = v->pc >= 0 ? (uint32_t)v->pc : UINT32_MAX,
		.nslots = m->mp.nslots,
		.width = a->plot.w,
	};
	if (!all)
		return false;
	if (!t->cell || !same_key(&t->of, &now)) {
		forget(t);
		t->of = now;
		t->cell = calloc((size_t)m->mp.nslots * a->plot.w + 1, sizeof *t->cell);
		t->total = calloc((size_t)a->plot.w, sizeof *t->total);
		t->colour = calloc((size_t)a->plot.w, sizeof *t->colour);
		if (!t->cell || !t->total || !t->colour) {
			forget(t);
			return false;
		}
		uint64_t end = a->left_cycle + (uint64_t)(a->per_unit * a->plot.w) + 1;
		gather(&(struct gathering){a, m, t->cell, end}, t->total, now.pc);
	}
	*out = (struct columns){t->cell, t->total, a->map.h ? whole_run(t, m, a->map.w) : NULL, t->colour};
	return true;
}
