/* Timeline: warps × cycles. The height of an issue's bar is the number of lanes; below the bars a ribbon, and behind
 * the bars a tint, say what the warp waits for. Above the rows are all warps together: lanes that execute in a cycle,
 * and warps by state. A column of the picture may stand for many cycles; an issue in any cycle shows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/timeline.h"

enum { NAME_CHARS = 10 };

/* ---- where things are ---- */

static double cycles_per_unit(const struct model *m, const struct view *v, int width)
{
	if (v->zoom > 0)
		return 1.0 / (1 << (v->zoom - 1));
	if (v->zoom < 0)
		return 1 << -v->zoom;
	uint64_t all = timeline_end(m) - timeline_first(m);
	double per = width > 0 ? (double)(all ? all : 1) / width : 1;
	return per < 1.0 / 32 ? 1.0 / 32 : per;
}

/* Heights: of the lanes of an opened warp first, then of the warps. */
static void rows_of(const struct canvas *c, const struct model *m, const struct view *v, struct time_axis *out)
{
	int rows = (int)m->mp.nslots, lanes = (int)m->machine.lanes, least = c->pixel ? 4 : 1,
	    tallest = c->pixel ? 3 * c->rh : 1;
	int slot = m->selected ? (int)m->selected->slot : 0, warps = rows * (c->rh - 2 * c->hair),
	    third = out->plot.h / 3;
	int lane_h = (out->plot.h - (v->open == OPEN_YES && warps > third ? third : warps)) / lanes,
	    most_h = !c->pixel ? 1 : v->alone ? tallest : 12;
	if (m->selected && (v->open == OPEN_YES || (v->open == OPEN_AUTO && lane_h >= (c->pixel ? 3 : 1)))) {
		out->open_slot = slot;
		out->lane_h = lane_h < 1 ? 1 : lane_h > most_h ? most_h : lane_h;
	}
	int space = out->plot.h - out->lane_h * lanes, h = rows ? space / rows : c->rh;
	out->row_h = h > tallest ? tallest : h < least ? least : h;
	out->rows = space / out->row_h > rows ? rows : space / out->row_h < 1 ? 1 : space / out->row_h;
	int first = slot - out->rows / 2;
	first = first > rows - out->rows ? rows - out->rows : first;
	out->first_slot = first < 0 ? 0 : first;
}

/* Take a strip off the top of the plot, if the rows below keep the least height. */
static struct rect strip_above(const struct canvas *c, struct rect *plot, int h, int least)
{
	struct rect strip = {plot->x, plot->y, plot->w, 0};
	if (c->pixel && plot->h - h - 3 >= least) {
		strip.h = h;
		plot->y += h + 3;
		plot->h -= h + 3;
	}
	return strip;
}

void timeline_axis(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v,
		   struct time_axis *out)
{
	enum { MAP_H = 10, LANES_H = 16, WARPS_H = 22, LEAST_ROW = 4, LEAST = 60, WORD_CHARS = 3 };
	int name = NAME_CHARS * c->cw, axis = c->rh, least = (int)m->mp.nslots * LEAST_ROW;
	*out = (struct time_axis){.plot = {body->x + name, body->y, body->w - name, body->h - axis}, .open_slot = -1};
	out->per_unit = cycles_per_unit(m, v, out->plot.w);
	bool words = m->machine.issue_cycles >= WORD_CHARS * c->cw * out->per_unit; /* rows are tall enough for words */
	int most = words ? out->plot.h - MAP_H - 3 : 2 * out->plot.h / 3;
	least = words ? (int)m->mp.nslots * (c->rh + 2) : least;
	least = least < LEAST ? LEAST : least > most ? most : least;
	bool spacious = out->plot.h > 20 * c->rh;
	if (v->zoom)
		out->map = strip_above(c, &out->plot, spacious ? 2 * MAP_H : MAP_H, least);
	out->warps = strip_above(c, &out->plot, spacious ? 3 * WARPS_H : WARPS_H, least);
	out->lanes = strip_above(c, &out->plot, spacious ? 3 * LANES_H : LANES_H, least);
	double span = out->per_unit * out->plot.w;
	double here = (double)m->mp.cycle,
	       left = v->left_cycle >= 0 ? (double)v->left_cycle : here - span / 2;
	double end = (double)timeline_end(m) - span;
	left = v->left_cycle < 0 && left > end ? end : left;
	out->left_cycle = v->zoom == 0 ? timeline_first(m) : left < 0 ? 0 : (uint64_t)left;
	rows_of(c, m, v, out);
}

/* ---- colours ---- */

void timeline_looks(const struct theme *t, struct looks looks[2])
{
	static const enum lane_state wheel[WHEEL] = {LANE_EXECUTED, LANE_PREDICATED, LANE_OFF, LANE_BROKE,
						     LANE_RETURNED};
	enum { COLOURS = sizeof *looks / sizeof looks->split };
	struct looks *l = &looks[0];
	for (int i = 0; i < RAMP; i++)
		l->ramp[i] = mark_on(t, ramp_colour((double)i / (RAMP - 1)));
	for (int i = 0; i < WHEEL; i++)
		l->wheel[i] = mark_on(t, lane_looks[wheel[i]].colour);
	for (unsigned i = 0; i < WAITS; i++)
		l->wait[i] = stall_colour(t, i + 1);
	l->off = l->wheel[2];
	l->predicated = l->wheel[1];
	l->issued = stall_colour(t, 0);
	l->split = t->role[ROLE_BAD];
	l->rejoin = t->role[ROLE_TEXT];
	l->marked = t->role[ROLE_ACCENT];
	for (int i = 0; i < WAITS; i++)
		l->tint[i] = looks[1].tint[i] = mix(l->wait[i], t->role[ROLE_PANEL], 0.2);
	const uint32_t *past = (const uint32_t *)&looks[0];
	uint32_t *future = (uint32_t *)&looks[1];
	if (t == theme_find("print")) { /* on paper all of a run is past */
		looks[1] = looks[0];
		return;
	}
	for (size_t i = 0; i < COLOURS; i++)
		future[i] = mark_on(t, mix(past[i], t->role[ROLE_PANEL], 0.6));
	for (int i = 0; i < WAITS; i++)
		looks[1].tint[i] = mix(l->wait[i], t->role[ROLE_PANEL], 0.12);
}

/* Is a column later than the cursor? */
static bool future(const struct tally *k, const struct model *m)
{
	return k->latest >= m->where.issue;
}

/* looks: of the past and of the future. */
static uint32_t bar_colour(const struct looks *looks, const struct tally *k, const struct model *m, enum colour_by by)
{
	const struct looks *l = &looks[future(k, m)];
	const struct event *e = by == BY_LANES ? NULL : record_at(&m->player->record, k->latest);
	uint32_t bytes = m->listing.ncode ? m->listing.code[m->listing.ncode - 1].pc + 1 : 1;
	uint64_t all = m->machine.lanes < 64 ? (1ull << m->machine.lanes) - 1 : UINT64_MAX;
	switch (by) {
	case BY_STATE:
		if (e->active != e->executed)
			return l->predicated;
		return ~(e->active | e->absent) & all ? l->off : l->issued;
	case BY_PC: return l->ramp[(uint64_t)e->pc * (RAMP - 1) / bytes];
	case BY_DEPTH: return l->ramp[(e->depth < 8 ? e->depth : 8) * (RAMP - 1) / 8];
	case BY_BLOCK: return l->wheel[e->block % 5];
	default: return l->issued;
	}
}

/* The plot's column of the cursor; -1: outside of the plot. */
static int cursor_unit(const struct time_axis *a, const struct model *m)
{
	int x = m->mp.began && m->mp.cycle >= a->left_cycle ? timeline_unit(a, m->mp.cycle) : -1;
	return x < a->plot.w ? x : -1;
}

/* The first column of the future. */
static int future_from(const struct time_axis *a, const struct model *m)
{
	int x = cursor_unit(a, m);
	return x >= 0 ? x + 1 : m->mp.began && m->mp.cycle >= a->left_cycle ? a->plot.w : 0;
}

/* ---- a warp's row ---- */

static char bar_letter(const struct tally *k, const struct model *m)
{
	unsigned lanes = k->lanes / k->issues;
	if (k->flow & WB_FLOW_DIVERGED)
		return '<';
	return lanes >= m->machine.lanes ? '#' : (char)(lanes ? '0' + lanes * 10 / m->machine.lanes : '-');
}

/* The reason of most of a column's waiting; -1: no waiting. */
static int longest_wait(const struct tally *k)
{
	int found = -1;
	uint32_t most = 0;
	for (int i = 0; i < WAITS; i++) {
		found = k->wait[i] > most ? i : found;
		most = k->wait[i] > most ? k->wait[i] : most;
	}
	return found;
}

/* The parts of a row: bars stand on a base line; marks lie on it, the ribbon below it. */
struct parts {
	struct rect bars, marks, ribbon;
};

static struct parts parts_of(const struct canvas *c, const struct time_axis *a, int y)
{
	int gap = a->row_h >= 6 ? 1 : 0, h = a->row_h - gap;
	int ribbon = h >= 24 ? 6 : h >= 8 ? h / 4 : h >= 4 ? 1 : 0, marks = h >= 24 ? 3 : h >= 12 ? 2 : 0;
	struct parts p = {.bars = {a->plot.x, y + gap, a->plot.w, h - ribbon - marks}};
	(void)c;
	p.marks = (struct rect){a->plot.x, p.bars.y + p.bars.h, a->plot.w, marks};
	p.ribbon = (struct rect){a->plot.x, p.marks.y + marks, a->plot.w, ribbon};
	return p;
}

static int bar_height(const struct tally *k, const struct model *m, int h)
{
	int lanes = (int)m->machine.lanes, n = (int)(k->lanes / k->issues), tall = (n * h + lanes / 2) / lanes;
	return tall > 0 ? tall : 1; /* an issue shows even without active lanes */
}

static void draw_bars(struct canvas *c, struct rect r, const struct tally *row, const struct columns *k,
		      const struct model *m, const struct view *v, const struct looks *l)
{
	for (int x = 0, next; x < r.w; x = next) {
		next = x + 1;
		if (!row[x].issues)
			continue;
		uint32_t colour = k->colour[x] = bar_colour(l, &row[x], m, v->colour);
		int h = bar_height(&row[x], m, r.h);
		for (; next < r.w && row[next].issues && bar_height(&row[next], m, r.h) == h; next++)
			if (row[next].latest != row[x].latest && bar_colour(l, &row[next], m, v->colour) != colour)
				break;
		canvas_fill(c, (struct rect){r.x + x, r.y + r.h - h, next - x, h}, colour);
	}
}

/* The reason that the ribbon shows in a column: over several cycles, a reason of a quarter of the cycles or more. */
static int shown_wait(const struct tally *k, const struct total *t, bool fine)
{
	int wait = longest_wait(k);
	uint64_t all = 0;
	for (int i = 0; i < WAITS; i++)
		all += k->wait[i];
	return k->issues && (fine || (float)all * 4 < t->cycles) ? -1 : wait;
}

static void draw_waits(struct canvas *c, const struct parts *p, const struct tally *row, const struct columns *k,
		       const struct looks *l, int now, bool fine)
{
	struct rect tinted = {p->bars.x, p->bars.y, p->bars.w, p->bars.h + p->marks.h};
	for (int x = 0; x < p->bars.w; x++) {
		int wait = row[x].issues ? -1 : longest_wait(&row[x]);
		k->colour[x] = wait < 0 ? 0 : l[x >= now].tint[wait];
	}
	canvas_columns(c, tinted, k->colour);
	for (int x = 0; x < p->bars.w; x++) {
		int wait = shown_wait(&row[x], &k->total[x], fine);
		k->colour[x] = wait < 0 ? 0 : l[x >= now].wait[wait];
	}
	canvas_columns(c, p->ribbon, k->colour);
}

/* Marks of splits and rejoins, and of issues of the selected instruction. */
static void draw_marks(struct canvas *c, const struct parts *p, const struct tally *row, const struct columns *k,
		       const struct model *m, const struct looks *l)
{
	for (int x = 0; x < p->marks.w; x++) {
		bool shown = row[x].flow & (WB_FLOW_DIVERGED | WB_FLOW_MERGED | WB_FLOW_REJOIN);
		const struct looks *then = &l[future(&row[x], m)];
		k->colour[x] = !shown ? 0 : row[x].flow & WB_FLOW_DIVERGED ? then->split : then->rejoin;
	}
	canvas_columns(c, p->marks, k->colour);
	for (int x = 0; x < p->marks.w; x++)
		k->colour[x] = row[x].flow & MARKED ? l->marked : 0;
	canvas_columns(c, (struct rect){p->bars.x, p->bars.y, p->bars.w, p->bars.h >= 8 ? 3 : 1}, k->colour);
}

/* The end of the issue, or of the wait, of a column. */
static int run_end(const struct tally *row, int x, int w)
{
	int end = x + 1, wait = longest_wait(&row[x]);
	bool issue = row[x].issues;
	while (end < w && !row[end].issues == !issue &&
	       (issue ? row[end].latest == row[x].latest : longest_wait(&row[end]) == wait))
		end++;
	return end;
}

/* Words as far as they fit: the instruction on a bar, the reason on a wait. */
static void draw_words(struct canvas *c, const struct parts *p, const struct tally *row, const struct columns *k,
		       const struct model *m, const struct looks *l)
{
	enum { LEAST_CHARS = 3, MARGIN = 3 };
	struct rect r = p->bars;
	char name[32];
	for (int x = 0, end; r.h >= c->rh - 5 && x < r.w; x = end) {
		end = run_end(row, x, r.w);
		int space = end - x - 2 * MARGIN, wait = row[x].issues ? -1 : longest_wait(&row[x]);
		if (space < LEAST_CHARS * c->cw || (!row[x].issues && wait < 0))
			continue;
		if (row[x].issues) {
			const struct code_row *code = model_code(m, record_at(&m->player->record, row[x].latest)->pc);
			const char *text = code ? code->text : "";
			snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " "), text);
		} else {
			stall_words(name, (unsigned)wait + 1);
		}
		bool full = row[x].issues && bar_height(&row[x], m, r.h) >= r.h - 2;
		uint32_t ink = full ? ink_on(k->colour[x]) : canvas_role(c, ROLE_TEXT);
		if (row[x].issues || canvas_text_width(c, name) <= space)
			canvas_text(c, r.x + x + MARGIN, r.y + (r.h - c->rh) / 2, space, ink, TEXT_OVER, name);
	}
	(void)l;
}

static void row_of_cells(struct canvas *c, const struct time_axis *a, int y, const struct tally *row,
			 const struct columns *k, const struct model *m, const struct view *v, const struct looks *l)
{
	int now = future_from(a, m);
	uint32_t letters[2][WAITS];
	for (int i = 0; i < 2 * WAITS; i++)
		letters[i / WAITS][i % WAITS] = text_on(c->theme, l[i / WAITS].wait[i % WAITS]);
	for (int x = 0; x < a->plot.w; x++) {
		int wait = longest_wait(&row[x]);
		k->colour[x] = row[x].issues ? bar_colour(l, &row[x], m, v->colour) : 0;
		if (!row[x].issues && wait >= 0)
			canvas_text(c, a->plot.x + x, y, -1, letters[x >= now][wait], 0,
				    wb_stall_letter((unsigned)wait + 1));
	}
	canvas_columns(c, (struct rect){a->plot.x, y, a->plot.w, 1}, k->colour);
	for (int x = 0; x < a->plot.w; x++)
		if (row[x].issues)
			canvas_printf(c, a->plot.x + x, y, -1, ink_on(k->colour[x]), 0, "%c", bar_letter(&row[x], m));
}

static void warp_row(struct canvas *c, const struct time_axis *a, int y, const struct tally *row,
		     const struct columns *k, const struct model *m, const struct view *v, const struct looks *l)
{
	struct parts p = parts_of(c, a, y);
	bool fine = a->per_unit < m->machine.issue_cycles;
	if (!c->pixel) {
		row_of_cells(c, a, y, row, k, m, v, l);
		return;
	}
	draw_waits(c, &p, row, k, l, future_from(a, m), fine);
	draw_bars(c, p.bars, row, k, m, v, l);
	draw_marks(c, &p, row, k, m, l);
	if (fine) {
		for (int x = 0; x < p.bars.w; x++) /* inks are by bars' colours */
			k->colour[x] = row[x].issues ? bar_colour(l, &row[x], m, v->colour) : 0;
		draw_words(c, &p, row, k, m, l);
	}
}

/* ---- all warps together ---- */

static void strip_name(struct canvas *c, const struct rect *body, const struct rect *r, const char *name)
{
	if (r->h >= c->rh - 6)
		canvas_text(c, body->x, r->y + (r->h - c->rh) / 2, -1, canvas_role(c, ROLE_DIM), 0, name);
}

static void lanes_strip(struct canvas *c, const struct time_axis *a, const struct rect *body, const struct columns *k,
			const struct model *m, const struct looks *l)
{
	const struct rect *r = &a->lanes;
	int now = future_from(a, m);
	float most = (float)(m->machine.lanes * m->terms.simds);
	canvas_fill(c, *r, canvas_role(c, ROLE_TROUGH));
	for (int x = 0, next; x < r->w; x = next) {
		int h = (int)ceilf(k->total[x].lanes / most * (float)r->h - 0.01f);
		for (next = x + 1; next < r->w && (next >= now) == (x >= now); next++)
			if ((int)ceilf(k->total[next].lanes / most * (float)r->h - 0.01f) != h)
				break;
		h = h > r->h ? r->h : h;
		canvas_fill(c, (struct rect){r->x + x, r->y + r->h - h, next - x, h}, l[x >= now].issued);
	}
	strip_name(c, body, r, "lanes");
}

/* The reason at a height of a column's stack, counted in warps; -1: none, WAITS: issuing. */
static int stacked(const struct total *t, float warps)
{
	if (warps < t->issuing)
		return WAITS;
	warps -= t->issuing;
	for (int i = 0; i < WAITS; i++) {
		if (warps < t->wait[i])
			return i;
		warps -= t->wait[i];
	}
	return -1;
}

static void warps_strip(struct canvas *c, const struct time_axis *a, const struct rect *body, const struct columns *k,
			const struct model *m, const struct looks *l)
{
	const struct rect *r = &a->warps;
	int now = future_from(a, m);
	canvas_fill(c, *r, canvas_role(c, ROLE_TROUGH));
	for (int y = 0; y < r->h; y++) {
		float warps = ((float)(r->h - y) - 0.5f) / (float)r->h * (float)m->mp.nslots;
		for (int x = 0; x < r->w; x++) {
			int at = stacked(&k->total[x], warps);
			k->colour[x] = at < 0 ? 0 : at < WAITS ? l[x >= now].wait[at] : l[x >= now].issued;
		}
		canvas_columns(c, (struct rect){r->x, r->y + y, r->w, 1}, k->colour);
	}
	strip_name(c, body, r, "warps");
}

/* The whole run, and the part in the plot. */
static void map_strip(struct canvas *c, const struct time_axis *a, const struct rect *body, const struct columns *k,
		      const struct model *m, const struct looks *l)
{
	const struct rect *r = &a->map;
	double columns = r->w / (double)(timeline_end(m) - timeline_first(m) + 1);
	float most = (float)(m->machine.lanes * m->terms.simds);
	uint32_t colour = mix(l->issued, canvas_role(c, ROLE_TROUGH), 0.7);
	canvas_fill(c, *r, canvas_role(c, ROLE_TROUGH));
	for (int x = 0; x < r->w; x++) {
		int h = (int)ceilf(k->map[x] / most * (float)r->h - 0.01f);
		h = h > r->h ? r->h : h;
		canvas_fill(c, (struct rect){r->x + x, r->y + r->h - h, 1, h}, colour);
	}
	double from = ((double)a->left_cycle - (double)timeline_first(m)) * columns;
	double w = a->per_unit * a->plot.w * columns;
	int left = from < 0 ? 0 : (int)from, right = (int)(from + w) + 1;
	left = left > r->w - 3 ? r->w - 3 : left;
	right = right > r->w ? r->w : right < left + 3 ? left + 3 : right;
	canvas_ring(c, (struct rect){r->x + left, r->y - 1, right - left, r->h + 2}, canvas_role(c, ROLE_TEXT));
	if (m->mp.began && m->mp.cycle >= timeline_first(m))
		canvas_line_v(c, r->x + (int)((double)(m->mp.cycle - timeline_first(m)) * columns), r->y, r->h,
			      canvas_role(c, ROLE_ACCENT));
	strip_name(c, body, r, "run");
}

/* ---- the lanes of an open warp ---- */

static enum lane_state lane_then(const struct tally *k, const struct model *m, unsigned lane)
{
	const struct event *e = record_at(&m->player->record, k->latest);
	uint64_t bit = 1ull << lane;
	return e->executed & bit ? LANE_EXECUTED
	       : e->active & bit ? LANE_PREDICATED
	       : e->absent & bit   ? LANE_EXITED
				 : LANE_OFF;
}

/* Colours of a lane's states, now and in the future. */
static void lane_colours(const struct canvas *c, uint32_t looks[LANE_STATES][2])
{
	uint32_t panel = canvas_role(c, ROLE_PANEL);
	for (int s = 0; s < LANE_STATES; s++) {
		uint32_t there = mark_on(c->theme, lane_looks[s].colour);
		looks[s][0] = s == LANE_EXITED ? mix(there, panel, 0.3) : there;
		looks[s][1] = s == LANE_EXITED ? mix(there, panel, 0.2) : mark_on(c->theme, mix(there, panel, 0.6));
	}
}

static void lane_strips(struct canvas *c, const struct time_axis *a, int y, const struct tally *row,
			const struct columns *k, const struct model *m)
{
	uint32_t *colour = k->colour, looks[LANE_STATES][2];
	lane_colours(c, looks);
	for (unsigned lane = 0; lane < m->machine.lanes; lane++, y += a->lane_h) {
		struct rect r = {a->plot.x, y, a->plot.w, a->lane_h > 3 ? a->lane_h - c->hair : a->lane_h};
		for (int x = 0; x < a->plot.w; x++)
			colour[x] = row[x].issues ? looks[lane_then(&row[x], m, lane)][future(&row[x], m)] : 0;
		canvas_columns(c, r, colour);
		for (int x = 0; c->cell && x < a->plot.w; x++)
			if (row[x].issues) {
				const struct lane_look *look = &lane_looks[lane_then(&row[x], m, lane)];
				canvas_printf(c, r.x + x, y, -1, ink_on(colour[x]), 0, "%c", look->letter);
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
	for (uint64_t t = (a->left_cycle + step - 1) / step * step;; t += step) {
		int x = a->plot.x + timeline_unit(a, t);
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
	const struct wb_warp *w = &m->mp.warp[slot];
	bool selected = w == m->selected;
	int every = a->row_h < c->rh - 2 * c->hair ? (c->rh + a->row_h - 1) / a->row_h
						   : 1; /* rows that a name covers */
	int away = m->selected ? abs((int)slot - (int)m->selected->slot) : every;
	if (!selected && (slot % (unsigned)every || away < every))
		return;
	uint32_t ink = canvas_role(c, selected ? ROLE_ACCENT : ROLE_DIM);
	char name[32];
	int top = y + (a->row_h - c->rh) / 2;
	if (m->mp.present[slot])
		canvas_text(c, body->x, top, -1, ink, selected ? TEXT_BOLD : 0,
			    pane_warp(name, m, w->block, w->warp));
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

/* Bookmarks on the axis, by the cycle of the issue before each. */
static void bookmarks(struct canvas *c, const struct time_axis *a, const struct model *m, const struct view *v)
{
	const struct record *r = &m->player->record;
	for (unsigned i = 0; i < v->nbookmarks; i++) {
		uint64_t at = v->bookmark[i] ? v->bookmark[i] - 1 : 0;
		uint64_t cycle = record_at(r, at < r->n ? at : r->n - 1)->cycle;
		int x = cycle < a->left_cycle ? -1 : timeline_unit(a, cycle);
		if (x >= 0 && x < a->plot.w)
			canvas_text(c, a->plot.x + x - c->cw / 2, a->plot.y + a->plot.h, -1, canvas_role(c, ROLE_GOOD),
				    TEXT_BOLD, "◆");
	}
}

/* The measured span: from the start of a drag to the mouse. */
static void measured(struct canvas *c, const struct time_axis *a, const struct view *v)
{
	if (v->mark < (int64_t)a->left_cycle || v->mouse_x < a->plot.x || v->mouse_x >= a->plot.x + a->plot.w)
		return;
	int from = a->plot.x + timeline_unit(a, (uint64_t)v->mark), to = v->mouse_x;
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
	uint64_t end = a->left_cycle + (uint64_t)(a->per_unit * a->plot.w), all = timeline_end(m);
	if (m->machine.mps > 1)
		pane_mp(mp, m);
	if (v->pc >= 0 && c->pixel)
		snprintf(marked, sizeof marked, " · marked: pc 0x%x", (unsigned)v->pc);
	pane_note(c, b,
		  c->cell && v->colour == BY_LANES ? "%s%scycles %s – %s of %s%s · # all lanes, 5 half, < splits"
						   : "%s%scycles %s – %s of %s%s · colour: %s%s",
		  mp, *mp ? " · " : "", pane_number(from, a->left_cycle), pane_number(to, end < all ? end : all),
		  pane_number(of, all), m->player->record.full ? "+" : "", colour_by_name(v->colour), marked);
}

/* One entry of the key at x; returns the x behind, or x if the entry does not fit before `right`. */
static int key_entry(struct canvas *c, int x, int right, int y, uint32_t colour, int h, const char *name)
{
	int w = canvas_text_width(c, name) + 3 * c->cw;
	if (x + w > right)
		return x;
	canvas_fill(c, (struct rect){x, y + c->rh - 3 - h, c->cw, h}, colour);
	canvas_text(c, x + c->cw + c->cw / 2, y, -1, canvas_role(c, ROLE_DIM), 0, name);
	return x + w;
}

/* Behind the title: the key of the colours that occur. The note has the rest of the strip. */
static void key_of_colours(struct canvas *c, struct box *b, const struct model *m, const struct view *v,
			   const struct looks *l)
{
	enum { NOTE_CHARS = 50, RAMP_W = 2 * RAMP };
	int y = b->title.y, right = b->title.x + b->title.w - NOTE_CHARS * c->cw, x = b->title.x + c->cw, h = c->rh - 7;
	char name[32];
	if (!c->pixel)
		return;
	if (v->colour == BY_LANES)
		x = key_entry(c, x, right, y, l->issued, h, "issue, height: lanes");
	else if ((v->colour == BY_PC || v->colour == BY_DEPTH) && x + RAMP_W + 14 * c->cw < right) {
		x = canvas_text(c, x, y, -1, canvas_role(c, ROLE_DIM), 0, "0") + c->cw / 2;
		for (int i = 0; i < RAMP; i++)
			canvas_fill(c, (struct rect){x + 2 * i, y + 4, 2, h}, l->ramp[i]);
		x = canvas_text(c, x + RAMP_W + c->cw / 2, y, -1, canvas_role(c, ROLE_DIM), 0,
				v->colour == BY_PC ? "last pc" : "depth 8") + 2 * c->cw;
	}
	for (unsigned i = 1; i <= WAITS; i++)
		if (m->costs->time.stalls[i])
			x = key_entry(c, x, right, y, stall_colour(c->theme, i), h / 2, stall_words(name, i));
	x = key_entry(c, x, right, y, l->split, 3, "splits");
	x = key_entry(c, x, right, y, l->rejoin, 3, "rejoins");
	b->title.w -= x - b->title.x;
	b->title.x = x;
}

void timeline_halves(const struct canvas *c, const struct rect *body, struct rect half[2])
{
	int h = (body->h - c->rh) / 2;
	half[0] = (struct rect){body->x, body->y, body->w, h};
	half[1] = (struct rect){body->x, body->y + h + c->rh, body->w, body->h - h - c->rh};
}

/* One run; the key and the note are in the title of `b`, whose body may be another. */
/* A row for each warp; below the open warp's, a strip for each lane. */
static void warp_rows(struct canvas *c, const struct time_axis *a, const struct rect *body, const struct columns *k,
		      const struct model *m, const struct view *v, const struct looks *l)
{
	for (int i = 0, y = a->plot.y; i < a->rows; i++) {
		unsigned slot = (unsigned)(a->first_slot + i);
		const struct tally *row = k->cell + (size_t)slot * a->plot.w;
		if (m->selected && m->selected->slot == slot)
			canvas_fill(c, (struct rect){a->plot.x, y, a->plot.w, a->row_h},
				    canvas_role(c, ROLE_SELECT));
		row_name(c, body, a, y, m, slot);
		warp_row(c, a, y, row, k, m, v, l);
		y += a->row_h;
		if (a->open_slot == (int)slot) {
			lane_strips(c, a, y, row, k, m);
			y += a->lane_h * (int)m->machine.lanes;
		}
	}
}

static void draw_run(struct canvas *c, const struct box *b, const struct model *m, const struct view *v, bool titled)
{
	struct time_axis a;
	struct columns k;
	struct looks l[2];
	timeline_axis(c, &b->body, m, v, &a);
	if (a.plot.w < 8 || a.plot.h < c->rh) {
		pane_empty(c, b, "There is no room for cycles: f gives a pane the whole picture.");
		return;
	}
	if (!timeline_columns(&a, m, v, &k)) {
		pane_empty(c, b, "Nothing has been issued yet: n steps forward, Space runs.");
		return;
	}
	timeline_looks(c->theme, l);
	if (a.map.h && k.map)
		map_strip(c, &a, &b->body, &k, m, l);
	if (a.lanes.h)
		lanes_strip(c, &a, &b->body, &k, m, l);
	if (a.warps.h)
		warps_strip(c, &a, &b->body, &k, m, l);
	warp_rows(c, &a, &b->body, &k, m, v, l);
	ruler(c, &a, m, &b->body);
	bookmarks(c, &a, m, v);
	cursor_line(c, &a, m);
	measured(c, &a, v);
	if (!titled)
		return;
	struct box rest = *b;
	key_of_colours(c, &rest, m, v, l);
	note(c, &rest, &a, m, v);
}

void pane_timeline(struct canvas *c, const struct box *b, const struct model *m, const struct view *v)
{
	struct box half = *b, other = *b;
	struct rect halves[2];
	if (!m->against) {
		draw_run(c, b, m, v, true);
		return;
	}
	timeline_halves(c, &b->body, halves);
	half.body = halves[0];
	other.body = halves[1];
	draw_run(c, &half, m, v, true);
	canvas_line_h(c, b->body.x, halves[1].y - c->rh, b->body.w, canvas_role(c, ROLE_EDGE));
	canvas_printf(c, b->body.x, halves[1].y - c->rh, b->body.w, canvas_role(c, ROLE_ACCENT), TEXT_BOLD,
		      "below: %s", v->against ? v->against : "the other run");
	draw_run(c, &other, m->against, v, false);
}
