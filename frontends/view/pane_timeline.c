/* Timeline: warps × cycles. A column of the picture may stand for many cycles; an issue in any of them shows. */
#include <stdio.h>
#include <stdlib.h>

#include "frontends/view/pane.h"

enum { NAME_CHARS = 10 };

/* What is known of one warp in one column. Kept small: zoomed out, a million events are added up in it. */
struct column {
	uint32_t issues, lanes;
	uint32_t flow; /* of all; and MARKED: one of them is of the selected instruction */
	uint32_t last; /* event, in the record */
};

enum { MARKED = 1 << 8 };

static uint64_t last_cycle(const struct model *m)
{
	return m->last_cycle + m->machine.issue_cycles;
}

static double cycles_per_unit(const struct model *m, const struct view *v, int width)
{
	if (v->zoom > 0)
		return 1.0 / (1 << (v->zoom - 1));
	if (v->zoom < 0)
		return 1 << -v->zoom;
	uint64_t all = last_cycle(m) - m->first_cycle;
	double per = width > 0 ? (double)(all ? all : 1) / width : 1;
	return per < 1.0 / 32 ? 1.0 / 32 : per;
}

/* Heights: of the lanes of an opened warp first, then of the warps. */
static void rows_of(const struct canvas *c, const struct model *m, const struct view *v, struct time_axis *out)
{
	int rows = (int)m->nslots, lanes = (int)m->machine.lanes, least = c->pixel ? 4 : 1,
	    tallest = c->pixel ? 2 * c->rh : 1;
	int slot = m->selected ? (int)m->selected->slot : 0, warps = rows * (c->rh - 2 * c->hair),
	    third = out->plot.h / 3;
	int lane_h = (out->plot.h - (v->open == OPEN_YES && warps > third ? third : warps)) / lanes,
	    most_h = !c->pixel ? 1 : v->alone ? tallest : 12;
	if (m->selected && (v->open == OPEN_YES || (v->open == OPEN_AUTO && lane_h >= (c->pixel ? 3 : 1)))) {
		out->open_slot = slot;
		out->lane_h = lane_h < 1 ? 1 : lane_h > most_h ? most_h : lane_h;
	}
	int room = out->plot.h - out->lane_h * lanes, h = rows ? room / rows : c->rh;
	out->row_h = h > tallest ? tallest : h < least ? least : h;
	out->rows = room / out->row_h > rows ? rows : room / out->row_h < 1 ? 1 : room / out->row_h;
	int first = slot - out->rows / 2;
	first = first > rows - out->rows ? rows - out->rows : first;
	out->first = first < 0 ? 0 : first;
}

void timeline_axis(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v,
		   struct time_axis *out)
{
	int name = NAME_CHARS * c->cw, axis = c->rh;
	*out = (struct time_axis){.plot = {body->x + name, body->y, body->w - name, body->h - axis}, .open_slot = -1};
	out->per_unit = cycles_per_unit(m, v, out->plot.w);
	double span = out->per_unit * out->plot.w;
	double here = (double)m->cycle,
	       left = v->left >= 0 ? (double)v->left : here - span / 2;
	double most = (double)last_cycle(m) - span;
	left = v->left < 0 && left > most ? most : left;
	out->left = v->zoom == 0 ? m->first_cycle : left < 0 ? 0 : (uint64_t)left;
	rows_of(c, m, v, out);
}

static int unit_of(const struct time_axis *a, uint64_t cycle)
{
	return (int)((double)(cycle - a->left) / a->per_unit);
}

/* ---- gathering ---- */

/* pc: that is selected, or none that there is. */
static void add_event(struct column *k, const struct event *e, uint64_t index, uint32_t pc)
{
	k->issues++;
	k->lanes += e->lanes;
	k->flow |= e->flow | (e->pc == pc ? MARKED : 0);
	k->last = (uint32_t)index;
}

/* An issue keeps its unit for some cycles: it is drawn until the next issue of the multiprocessor, at most so long.
 */
static int event_end(const struct model *m, uint64_t k, const struct time_axis *a)
{
	const struct record *r = &m->player->record;
	const struct event *e = record_mp_at(r, m->mp, k);
	uint64_t end = e->cycle + m->machine.issue_cycles;
	while (++k < r->mp[m->mp].n) {
		const struct event *next = record_mp_at(r, m->mp, k);
		end = next->cycle > e->cycle && next->cycle < end ? next->cycle : end;
		if (next->cycle > e->cycle)
			break;
	}
	return end <= a->left ? 0 : unit_of(a, end);
}

/* Zoomed out, an issue is less than a unit wide and all of them are visited: that loop is short. */
static void gather_coarse(struct column *grid, const struct time_axis *a, const struct model *m, uint32_t pc,
			  uint64_t from, uint64_t end)
{
	const struct record *r = &m->player->record;
	const uint32_t *index = r->mp[m->mp].event;
	double units = 1 / a->per_unit;
	for (uint64_t k = from; k < r->mp[m->mp].n; k++) {
		const struct event *e = record_at(r, index[k]);
		if (e->cycle > end)
			return;
		if (e->slot >= m->nslots || e->cycle < a->left)
			continue;
		int x = (int)((double)(e->cycle - a->left) * units);
		if (x < a->plot.w)
			add_event(grid + (size_t)e->slot * a->plot.w + x, e, index[k], pc);
	}
}

static void gather_fine(struct column *grid, const struct time_axis *a, const struct model *m, uint32_t pc,
			uint64_t from, uint64_t end)
{
	const struct record *r = &m->player->record;
	for (uint64_t k = from; k < r->mp[m->mp].n; k++) {
		const struct event *e = record_mp_at(r, m->mp, k);
		if (e->cycle > end)
			break;
		if (e->slot >= m->nslots)
			continue;
		int x0 = e->cycle < a->left ? 0 : unit_of(a, e->cycle), x1 = event_end(m, k, a);
		x1 = x1 > a->plot.w ? a->plot.w : x1;
		if (x1 <= x0 && e->cycle >= a->left && x0 < a->plot.w)
			x1 = x0 + 1;
		for (int x = x0; x < x1; x++)
			add_event(grid + (size_t)e->slot * a->plot.w + x, e, r->mp[m->mp].event[k], pc);
	}
}

static void gather(struct column *grid, const struct time_axis *a, const struct model *m, uint32_t pc)
{
	enum { LONGEST = 64 }; /* cycles that an issue to the left of the picture may reach into it */
	uint64_t end = a->left + (uint64_t)(a->per_unit * a->plot.w) + 1;
	uint64_t from = record_mp_find(&m->player->record, m->mp, a->left > LONGEST ? a->left - LONGEST : 0);
	if (a->per_unit >= m->machine.issue_cycles)
		gather_coarse(grid, a, m, pc, from, end);
	else
		gather_fine(grid, a, m, pc, from, end);
}

/* Everything that columns depend on. The cursor is not part of it: it moves over what was gathered. */
struct timeline_key {
	uint64_t left, events;
	double per_unit;
	uint32_t mp, pc, nslots;
	int width;
};

struct gathered {
	struct timeline_key of;
	struct column *grid; /* nslots rows of `width` */
	uint32_t *colour;    /* `width`: of a strip that is being drawn */
};

struct gathered *gathered_new(void)
{
	return calloc(1, sizeof(struct gathered));
}

void gathered_free(struct gathered *t)
{
	if (!t)
		return;
	free(t->grid);
	free(t->colour);
	free(t);
}

static bool same_key(const struct timeline_key *a, const struct timeline_key *b)
{
	return a->left == b->left && a->events == b->events && a->per_unit == b->per_unit && a->mp == b->mp &&
	       a->pc == b->pc && a->nslots == b->nslots && a->width == b->width;
}

/* NULL: the host has no memory. */
static const struct column *columns(const struct time_axis *a, const struct model *m, const struct view *v)
{
	struct gathered *t = m->gathered;
	struct timeline_key now = {
		.left = a->left,
		.events = m->player->record.mp[m->mp].n,
		.per_unit = a->per_unit,
		.mp = m->mp,
		.pc = v->pc >= 0 ? (uint32_t)v->pc : UINT32_MAX,
		.nslots = m->nslots,
		.width = a->plot.w,
	};
	if (t->grid && t->colour && same_key(&t->of, &now))
		return t->grid;
	free(t->grid);
	free(t->colour);
	t->of = now;
	t->grid = calloc((size_t)m->nslots * a->plot.w + 1, sizeof *t->grid);
	t->colour = calloc((size_t)a->plot.w, sizeof *t->colour);
	if (!t->grid || !t->colour)
		return NULL;
	gather(t->grid, a, m, now.pc);
	return t->grid;
}

/* ---- drawing ---- */

static uint32_t column_colour(const struct column *k, const struct model *m, enum colour_by by)
{
	static const enum lane_state wheel[] = {LANE_EXECUTED, LANE_PREDICATED, LANE_OFF, LANE_BROKE, LANE_RETURNED};
	const struct event *e = record_at(&m->player->record, k->last);
	uint32_t bytes = m->ncode ? m->code[m->ncode - 1].pc + 1 : 1;
	uint64_t all = m->machine.lanes < 64 ? (1ull << m->machine.lanes) - 1 : UINT64_MAX;
	switch (by) {
	case BY_STATE:
		if (e->active != e->executed)
			return lane_looks[LANE_PREDICATED].colour;
		return lane_looks[~(e->active | e->gone) & all ? LANE_OFF : LANE_EXECUTED].colour;
	case BY_PC: return ramp_colour((double)e->pc / bytes);
	case BY_DEPTH: return ramp_colour(e->depth / 8.0);
	case BY_BLOCK: return lane_looks[wheel[e->block % 5]].colour;
	default: return ramp_colour((double)k->lanes / k->issues / m->machine.lanes);
	}
}

/* It has not happened yet. */
static bool future(const struct column *k, const struct model *m)
{
	return k->last >= m->at.issue;
}

static uint32_t faded(const struct canvas *c, uint32_t colour, bool future)
{
	return future ? mix(colour, canvas_role(c, ROLE_PANEL), 0.55) : colour;
}

static char column_letter(const struct column *k, const struct model *m)
{
	unsigned lanes = k->lanes / k->issues;
	if (k->flow & WB_FLOW_DIVERGED)
		return '<';
	return lanes >= m->machine.lanes ? '#' : (char)(lanes ? '0' + lanes * 10 / m->machine.lanes : '-');
}

/* Between its issues the warp is there and waits. */
static void waiting_line(struct canvas *c, const struct time_axis *a, int y, const struct column *row)
{
	int first = 0, last = a->plot.w - 1;
	while (first < a->plot.w && !row[first].issues)
		first++;
	while (last > first && !row[last].issues)
		last--;
	if (first < last)
		canvas_line_h(c, a->plot.x + first, y, last - first, canvas_role(c, ROLE_HATCH));
}

/* The marks of a strip, where it splits and rejoins and where the selected instruction is issued. */
static void strip_marks(struct canvas *c, const struct time_axis *a, struct rect r, const struct column *row,
			const struct model *m)
{
	uint32_t *colour = m->gathered->colour;
	for (int x = 0; x < a->plot.w; x++) {
		const struct column *k = &row[x];
		uint32_t mark = k->flow & WB_FLOW_DIVERGED ? lane_looks[LANE_OFF].colour : canvas_role(c, ROLE_TEXT);
		bool shown = k->flow & (WB_FLOW_DIVERGED | WB_FLOW_MERGED | WB_FLOW_REJOIN);
		colour[x] = shown ? faded(c, mark, future(k, m)) : 0;
	}
	if (r.h >= 6)
		canvas_columns(c, (struct rect){r.x, r.y + r.h - r.h / 4, r.w, r.h / 4}, colour);
	for (int x = 0; x < a->plot.w; x++)
		colour[x] = row[x].flow & MARKED ? canvas_role(c, ROLE_GOOD) : 0;
	canvas_columns(c, (struct rect){r.x, r.y - c->hair, r.w, r.h >= 12 ? r.h / 3 : r.h >= 6 ? 3 : 1}, colour);
}

static void warp_strip(struct canvas *c, const struct time_axis *a, int y, const struct column *row,
		       const struct model *m, const struct view *v)
{
	int h = a->row_h - (a->row_h > 4 ? 2 : 0) * c->hair, top = y + (a->row_h > 4 ? c->hair : 0);
	struct rect r = {a->plot.x, top, a->plot.w, h};
	uint32_t *colour = m->gathered->colour;
	waiting_line(c, a, y + a->row_h / 2, row);
	for (int x = 0; x < a->plot.w; x++)
		colour[x] = row[x].issues ? faded(c, column_colour(&row[x], m, v->colour), future(&row[x], m)) : 0;
	canvas_columns(c, r, colour);
	for (int x = 0; c->cell && x < a->plot.w; x++)
		if (row[x].issues)
			canvas_printf(c, r.x + x, top, -1, ink_on(colour[x]), 0, "%c", column_letter(&row[x], m));
	if (c->pixel)
		strip_marks(c, a, r, row, m);
}

static enum lane_state lane_then(const struct column *k, const struct model *m, unsigned lane)
{
	const struct event *e = record_at(&m->player->record, k->last);
	uint64_t bit = 1ull << lane;
	return e->executed & bit ? LANE_EXECUTED
	       : e->active & bit ? LANE_PREDICATED
	       : e->gone & bit   ? LANE_EXITED
				 : LANE_OFF;
}

static void lane_strips(struct canvas *c, const struct time_axis *a, int y, const struct column *row,
			const struct model *m)
{
	uint32_t *colour = m->gathered->colour, looks[LANE_STATES][2];
	for (int s = 0; s < LANE_STATES; s++)
		for (int f = 0; f < 2; f++)
			looks[s][f] = faded(c, mix(lane_looks[s].colour, canvas_role(c, ROLE_PANEL),
						   s == LANE_EXITED ? 0.3 : 1), f);
	for (unsigned lane = 0; lane < m->machine.lanes; lane++, y += a->lane_h) {
		struct rect r = {a->plot.x, y, a->plot.w, a->lane_h > 3 ? a->lane_h - c->hair : a->lane_h};
		for (int x = 0; x < a->plot.w; x++)
			colour[x] = row[x].issues ? looks[lane_then(&row[x], m, lane)][future(&row[x], m)] : 0;
		canvas_columns(c, r, colour);
		for (int x = 0; c->cell && x < a->plot.w; x++)
			if (row[x].issues) {
				const struct lane_look *look = &lane_looks[lane_then(&row[x], m, lane)];
				canvas_printf(c, r.x + x, y, -1, ink_on(look->colour), 0, "%c", look->letter);
			}
		if (lane % 8 == 0 && a->lane_h * 8 >= c->rh)
			canvas_right(c, a->plot.x - c->cw, y, canvas_role(c, ROLE_DIM), 0, "lane %u", lane);
	}
}

static uint64_t tick_step(double cycles)
{
	static const int mantissa[] = {1, 2, 5};
	uint64_t power = 1;
	for (;; power *= 10)
		for (int i = 0; i < 3; i++)
			if ((double)(power * (uint64_t)mantissa[i]) >= cycles)
				return power * (uint64_t)mantissa[i];
}

/* Where the cursor is on the plot; -1: not on it. */
static int cursor_unit(const struct time_axis *a, const struct model *m)
{
	int x = m->began && m->cycle >= a->left ? unit_of(a, m->cycle) : -1;
	return x < a->plot.w ? x : -1;
}

/* Would the cursor's arrow stand on a number that begins at x? */
static bool below_cursor(const struct canvas *c, const struct time_axis *a, const struct model *m, int x,
			 const char *number)
{
	int at = cursor_unit(a, m);
	return at >= 0 && a->plot.x + at + c->cw > x && a->plot.x + at - c->cw < x + canvas_text_width(c, number);
}

static void ruler(struct canvas *c, const struct time_axis *a, const struct model *m, const struct rect *body)
{
	int y = a->plot.y + a->plot.h, right = a->plot.x + a->plot.w;
	char number[32];
	uint64_t step = tick_step(a->per_unit * 12 * c->cw);
	uint32_t dim = canvas_role(c, ROLE_DIM);
	canvas_text(c, body->x, y, -1, dim, 0, "cycle");
	canvas_line_h(c, a->plot.x, y, a->plot.w, canvas_role(c, ROLE_EDGE));
	for (uint64_t t = (a->left + step - 1) / step * step;; t += step) {
		int x = a->plot.x + unit_of(a, t);
		if (x >= right)
			break;
		canvas_line_v(c, x, y, 3, dim);
		int from = x + (c->pixel ? 3 : 0);
		pane_number(number, t);
		if (x + 9 * c->cw < right && !below_cursor(c, a, m, from, number))
			canvas_text(c, from, y, right - x, dim, 0, number);
	}
}

static void row_name(struct canvas *c, const struct rect *body, const struct time_axis *a, int y,
		     const struct model *m, unsigned slot)
{
	const struct wb_warp *w = &m->warp[slot];
	bool selected = w == m->selected;
	int every = a->row_h < c->rh - 2 * c->hair ? (c->rh + a->row_h - 1) / a->row_h
						   : 1; /* rows that a name covers */
	int away = m->selected ? abs((int)slot - (int)m->selected->slot) : every;
	if (!selected && (slot % (unsigned)every || away < every))
		return;
	uint32_t ink = canvas_role(c, selected ? ROLE_ACCENT : ROLE_DIM);
	int top = y + (a->row_h - c->rh) / 2;
	if (m->present[slot])
		canvas_printf(c, body->x, top, -1, ink, selected ? TEXT_BOLD : 0, "b%u w%u", w->block, w->warp);
	else
		canvas_printf(c, body->x, top, -1, ink, 0, "slot %u", slot);
}

static void cursor_line(struct canvas *c, const struct time_axis *a, const struct model *m)
{
	int x = cursor_unit(a, m);
	if (x < 0)
		return;
	if (c->pixel)
		canvas_fill(c, (struct rect){a->plot.x + x - 1, a->plot.y, 1, a->plot.h + 4},
			    canvas_role(c, ROLE_ACCENT));
	int left = a->plot.x + x - (c->pixel ? 3 : 0), top = a->plot.y + a->plot.h;
	canvas_fill(c, (struct rect){left, top + 2 * c->hair, c->cw, c->rh - 2 * c->hair},
		    canvas_role(c, ROLE_PANEL));
	canvas_text(c, left, top, -1, canvas_role(c, ROLE_ACCENT), TEXT_BOLD, "▲");
}

/* Bookmarks on the axis, by the cycle of the issue that leads to them. */
static void bookmarks(struct canvas *c, const struct time_axis *a, const struct model *m, const struct view *v)
{
	const struct record *r = &m->player->record;
	for (unsigned i = 0; i < v->nbookmarks; i++) {
		uint64_t at = v->bookmark[i] ? v->bookmark[i] - 1 : 0;
		uint64_t cycle = record_at(r, at < r->n ? at : r->n - 1)->cycle;
		int x = cycle < a->left ? -1 : unit_of(a, cycle);
		if (x >= 0 && x < a->plot.w)
			canvas_text(c, a->plot.x + x - c->cw / 2, a->plot.y + a->plot.h, -1, canvas_role(c, ROLE_GOOD),
				    TEXT_BOLD, "◆");
	}
}

/* What is being measured: from where a drag began to the mouse. */
static void measured(struct canvas *c, const struct time_axis *a, const struct view *v)
{
	if (v->mark < (int64_t)a->left || v->mouse_x < a->plot.x || v->mouse_x >= a->plot.x + a->plot.w)
		return;
	int from = a->plot.x + unit_of(a, (uint64_t)v->mark), to = v->mouse_x;
	int left = from < to ? from : to, w = from < to ? to - from : from - to;
	uint32_t colour = canvas_role(c, ROLE_TEXT);
	if (from >= a->plot.x + a->plot.w)
		return;
	canvas_line_v(c, left, a->plot.y, a->plot.h, colour);
	canvas_line_v(c, left + w, a->plot.y, a->plot.h, colour);
	canvas_line_h(c, left, a->plot.y + a->plot.h - 3 * c->hair, w, colour);
}

static void note(struct canvas *c, const struct box *b, const struct time_axis *a, const struct model *m,
		 const struct view *v)
{
	char from[32], to[32], of[32], mp[24] = "", marked[40] = "";
	uint64_t end = a->left + (uint64_t)(a->per_unit * a->plot.w), all = last_cycle(m);
	if (m->machine.mps > 1)
		pane_mp(mp, m);
	if (v->pc >= 0 && c->pixel)
		snprintf(marked, sizeof marked, " · marked: pc 0x%x", (unsigned)v->pc);
	pane_note(c, b,
		  c->cell && v->colour == BY_LANES ? "%s%scycles %s – %s of %s%s · # all lanes, 5 half, < splits"
						   : "%s%scycles %s – %s of %s%s · colour: %s%s",
		  mp, *mp ? " · " : "", pane_number(from, a->left), pane_number(to, end < all ? end : all),
		  pane_number(of, all), m->player->record.full ? "+" : "", colour_by_name(v->colour), marked);
}

/* At the end of the title strip: what the colours mean. */
static void key_of_colours(struct canvas *c, struct box *b, const struct model *m, const struct view *v)
{
	static const char *const highest[COLOUR_BYS] = {[BY_PC] = "end", [BY_DEPTH] = "8"};
	int right = b->title.x + b->title.w, y = b->title.y, w = RAMP * 2, x = right - w - 4 * c->cw;
	if (!c->pixel || b->title.w < 60 * c->cw || v->colour == BY_STATE || v->colour == BY_BLOCK)
		return;
	canvas_right(c, x - c->cw / 2, y, canvas_role(c, ROLE_DIM), 0, "0");
	for (int i = 0; i < RAMP; i++)
		canvas_fill(c, (struct rect){x + 2 * i, y + 4, 2, 8}, ramp_colour((double)i / (RAMP - 1)));
	x += w + c->cw / 2;
	if (highest[v->colour])
		canvas_text(c, x, y, -1, canvas_role(c, ROLE_DIM), 0, highest[v->colour]);
	else
		canvas_printf(c, x, y, -1, canvas_role(c, ROLE_DIM), 0, "%u", m->machine.lanes);
	b->title.w -= w + 7 * c->cw;
}

/* The marks below an issue. */
static void key_of_marks(struct canvas *c, struct box *b)
{
	int y = b->title.y, x = b->title.x + b->title.w - 20 * c->cw;
	uint32_t dim = canvas_role(c, ROLE_DIM);
	if (!c->pixel || b->title.w < 90 * c->cw)
		return;
	canvas_fill(c, (struct rect){x, y + c->rh / 2 + 1, c->cw, 4}, lane_looks[LANE_OFF].colour);
	x = canvas_text(c, x + c->cw + c->cw / 2, y, -1, dim, 0, "splits") + 2 * c->cw;
	canvas_fill(c, (struct rect){x, y + c->rh / 2 + 1, c->cw, 4}, canvas_role(c, ROLE_TEXT));
	canvas_text(c, x + c->cw + c->cw / 2, y, -1, dim, 0, "rejoins");
	b->title.w -= 22 * c->cw;
}

void pane_timeline(struct canvas *c, const struct box *b, const struct model *m, const struct view *v)
{
	struct time_axis a;
	int y;
	timeline_axis(c, &b->body, m, v, &a);
	if (a.plot.w < 8 || a.plot.h < c->rh)
		return;
	const struct column *grid = m->player->record.n ? columns(&a, m, v) : NULL;
	if (!grid) {
		pane_empty(c, b, "Nothing has been issued yet: n steps forward, Space runs.");
		return;
	}
	y = a.plot.y;
	for (int i = 0; i < a.rows; i++) {
		unsigned slot = (unsigned)(a.first + i);
		const struct column *row = grid + (size_t)slot * a.plot.w;
		if (m->selected && m->selected->slot == slot)
			canvas_fill(c, (struct rect){a.plot.x, y, a.plot.w, a.row_h}, canvas_role(c, ROLE_SELECT));
		row_name(c, &b->body, &a, y, m, slot);
		warp_strip(c, &a, y, row, m, v);
		y += a.row_h;
		if (a.open_slot == (int)slot) {
			lane_strips(c, &a, y, row, m);
			y += a.lane_h * (int)m->machine.lanes;
		}
	}
	ruler(c, &a, m, &b->body);
	bookmarks(c, &a, m, v);
	cursor_line(c, &a, m);
	measured(c, &a, v);
	struct box rest = *b;
	key_of_colours(c, &rest, m, v);
	key_of_marks(c, &rest);
	note(c, &rest, &a, m, v);
}
