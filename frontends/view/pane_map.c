/* Map: a cell for each thread, in the colour of the instructions that the thread executed; where threads are more than
 * cells, each cell has the dearest of its threads. Below or beside: the issues of the selected thread's warp. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "frontends/view/layout.h"
#include "frontends/view/map.h"

enum { WIDEST = 28, HISTORY_CHARS = 44, MAP_CHARS = 44, LEGEND_ROWS = 2, LEAST_ROWS = 10 };

/* The cells of a pane, and the place of the history. */
struct grid {
	struct plane plane;
	struct rect cells, history; /* history's height 0: no space */
	int columns, rows, w, h;    /* number of cells, units of a cell */
};

/* Cells of a plane in two dimensions: as many as there are threads, or as many as fit in the plane's proportions. A
 * character's cell is twice as high as wide. */
static void fit(struct grid *g, const struct canvas *c)
{
	int W = g->cells.w, H = g->cells.h, w = (int)g->plane.w, h = (int)g->plane.h, tall = c->pixel ? 1 : 2;
	double by = fmin((double)W / w, (double)H * tall / h);
	bool each = w <= W && h <= H;

	g->columns = each ? w : (int)fmin(fmax(1, w * by), fmin(w, W));
	g->rows = each ? h : (int)fmin(fmax(1, h * by / tall), fmin(h, H));
	g->w = !c->pixel ? 1 + (each && 2 * w <= W) : by < 1 ? 1 : by > WIDEST ? WIDEST : (int)by;
	g->h = c->pixel ? g->w : 1;
}

/* Cells of a launch in one dimension: rows of whole warps, as long as makes the cells largest; or, where threads are
 * more than cells, with several neighbours a cell. */
static void fit_cut(struct grid *g, const struct canvas *c)
{
	uint32_t lanes = g->plane.l->warp_lanes, least = g->plane.all < lanes ? (uint32_t)g->plane.all : lanes;
	int most = c->pixel ? WIDEST : 2, best = 0;
	uint32_t row = least;

	for (uint32_t w = least; w <= (uint32_t)g->cells.w && w < 2 * g->plane.all; w *= 2) {
		uint32_t rows = (uint32_t)((g->plane.all + w - 1) / w);
		int across = g->cells.w / (int)w, down = rows ? g->cells.h / (int)rows : 0;
		int size = c->pixel ? (across < down ? across : down) : down ? across : 0;
		size = size > most ? most : size;
		if (size > best) {
			best = size;
			row = w;
		}
	}
	g->w = best ? best : 1;
	g->h = c->pixel ? g->w : 1;
	for (; !best && row * 2 <= (uint32_t)g->cells.w; row *= 2)
		;
	row = row > (uint32_t)g->cells.w ? (uint32_t)g->cells.w : row;
	g->columns = (int)row;
	for (uint32_t each = 1;; each *= 2) {
		plane_cut(&g->plane, row * each);
		if (g->plane.h <= (uint32_t)g->cells.h)
			break;
	}
	g->rows = (int)g->plane.h;
}

/* Cells above or beside a history of a height or width in units; 0: no history. */
static struct grid divided(const struct canvas *c, const struct rect *body, const struct map *map, int below,
			   int beside)
{
	struct grid g = {.plane = map->plane, .cells = *body};

	g.cells.w -= beside ? beside + 2 * c->cw : 0;
	g.cells.h -= LEGEND_ROWS * c->rh + below;
	g.cells.y += c->rh;
	if (g.cells.h < 1 || g.cells.w < 1)
		return (struct grid){.columns = 0};
	if (g.plane.cut)
		fit_cut(&g, c);
	else
		fit(&g, c);
	g.cells.w = g.columns * g.w;
	g.cells.h = g.rows * g.h;
	int under = g.cells.y + g.cells.h + c->rh;
	int least = MAP_CHARS * c->cw, side = body->x + (g.cells.w > least ? g.cells.w : least) + 2 * c->cw;
	if (beside)
		g.history = (struct rect){side, body->y, body->x + body->w - side, body->h};
	else if (below)
		g.history = (struct rect){body->x, under, body->w, body->y + body->h - under};
	return g;
}

/* The history stands where the cells stay larger; a picture without a selected thread has none. */
static struct grid grid_of(const struct canvas *c, const struct rect *body, const struct map *map, const struct view *v)
{
	bool none = v->still && !v->thread;
	int rows = body->h / c->rh, below = rows >= LEAST_ROWS && !none ? rows / 3 * c->rh : 0;
	struct grid g = divided(c, body, map, below, 0), other = {.columns = 0};

	if (body->w >= (HISTORY_CHARS + MAP_CHARS) * c->cw && !none)
		other = divided(c, body, map, 0, HISTORY_CHARS * c->cw);
	return other.w > g.w || (other.w == g.w && other.columns * other.rows >= g.columns * g.rows) ? other : g;
}

static int64_t lane_at(const struct map *map, const struct plane *p, uint32_t x, uint32_t y)
{
	return map->pixel ? (int64_t)map->pixel[(size_t)y * p->w + x] - 1 : plane_lane(p, x, y);
}

/* The dearest thread of a cell; -1: the cell has no thread. */
static int64_t dearest(const struct map *map, const struct grid *g, int column, int row)
{
	uint64_t w = g->plane.w, h = g->plane.h, columns = (uint64_t)g->columns, rows = (uint64_t)g->rows;
	uint32_t x0 = (uint32_t)((uint64_t)column * w / columns), x1 = (uint32_t)(((uint64_t)column + 1) * w / columns);
	uint32_t y0 = (uint32_t)((uint64_t)row * h / rows), y1 = (uint32_t)(((uint64_t)row + 1) * h / rows);
	int64_t best = -1;

	for (uint32_t y = y0; y < y1; y++)
		for (uint32_t x = x0; x < x1; x++) {
			int64_t lane = lane_at(map, &g->plane, x, y);
			best = lane >= 0 && (best < 0 || map->count[lane] > map->count[best]) ? lane : best;
		}
	return best;
}

/* The cell of a thread. False: the thread has no place. */
static bool cell_of(const struct map *map, const struct grid *g, uint64_t thread, int *column, int *row)
{
	uint32_t x = 0, y = 0;
	bool found = !map->pixel && plane_place(&g->plane, thread, &x, &y);

	for (size_t i = 0; map->pixel && !found && i < (size_t)g->plane.w * g->plane.h; i++)
		if ((found = map->pixel[i] == thread + 1)) {
			x = (uint32_t)(i % g->plane.w);
			y = (uint32_t)(i / g->plane.w);
		}
	for (*column = (int)((uint64_t)x * (uint64_t)g->columns / g->plane.w);
	     ((uint64_t)*column + 1) * g->plane.w / (uint64_t)g->columns <= x;)
		++*column;
	for (*row = (int)((uint64_t)y * (uint64_t)g->rows / g->plane.h);
	     ((uint64_t)*row + 1) * g->plane.h / (uint64_t)g->rows <= y;)
		++*row;
	return found;
}

static double share_of(const struct map *map, uint32_t n)
{
	return map->most > map->least ? (double)(n - map->least) / (map->most - map->least) : 0.5;
}

/* A number of instructions in a cell large enough, or on characters a digit from 0, the least, to 9, the most. */
static void cell(struct canvas *c, struct rect r, const struct map *map, uint32_t n)
{
	uint32_t colour = ramp_colour(share_of(map, n));
	char text[16];

	if (c->pixel) {
		int gap = r.w >= 6 ? c->hair : 0;
		canvas_fill(c, (struct rect){r.x, r.y, r.w - gap, r.h - gap}, colour);
		int w = snprintf(text, sizeof text, "%u", n) * c->cw;
		if (map->most > map->least && w <= r.w - 2 * c->hair && c->rh <= r.h)
			canvas_text(c, r.x + (r.w - w) / 2, r.y + (r.h - c->rh) / 2, -1, ink_on(colour), 0, text);
		return;
	}
	canvas_fill(c, r, colour);
	snprintf(text, sizeof text, "%d", (int)(9 * share_of(map, n)));
	canvas_text(c, r.x, r.y, -1, ink_on(colour), 0, text);
}

static void cells(struct canvas *c, const struct map *map, const struct grid *g)
{
	for (int row = 0; row < g->rows; row++)
		for (int column = 0; column < g->columns; column++) {
			int64_t lane = dearest(map, g, column, row);
			struct rect r = {g->cells.x + column * g->w, g->cells.y + row * g->h, g->w, g->h};
			if (lane >= 0)
				cell(c, r, map, map->count[lane]);
		}
}

static void mark(struct canvas *c, const struct map *map, const struct grid *g, uint64_t thread)
{
	int column, row;

	if (!cell_of(map, g, thread, &column, &row))
		return;
	struct rect r = {g->cells.x + column * g->w, g->cells.y + row * g->h, g->w, g->h};
	if (!c->pixel) {
		canvas_fill(c, r, canvas_role(c, ROLE_ACCENT));
		canvas_text(c, r.x, r.y, -1, ink_on(canvas_role(c, ROLE_ACCENT)), TEXT_BOLD, "◆");
		return;
	}
	for (int i = 0; i < 3; i++) /* dark within light, or light within dark: seen on every colour */
		canvas_ring(c, (struct rect){r.x - 3 + i, r.y - 3 + i, r.w + 6 - 2 * i, r.h + 6 - 2 * i},
			    canvas_role(c, i == 1 ? ROLE_PANEL : ROLE_TEXT));
}

/* What the colours are, above the cells. */
static void legend(struct canvas *c, const struct rect *body, const struct model *m, const struct map *map)
{
	char number[32], what[48];
	uint32_t dim = canvas_role(c, ROLE_DIM);
	int x = body->x, right = body->x + body->w, step = c->pixel ? 4 : 1, steps = c->pixel ? RAMP : 10;

	snprintf(what, sizeof what, " instructions a %s", wb_stage_name(m->terms.stage, false));
	if (map->least == map->most) {
		canvas_printf(c, x, body->y, body->w, dim, 0, "all alike: %s%s", pane_number(number, map->most), what);
		return;
	}
	x = canvas_text(c, x, body->y, -1, dim, 0, pane_number(number, map->least)) + c->cw;
	for (int i = 0; i < steps; i++, x += step) {
		uint32_t colour = ramp_colour((double)i / (steps - 1));
		canvas_fill(c, (struct rect){x, body->y + 3 * c->hair, step, c->rh - 6 * c->hair}, colour);
		if (!c->pixel)
			canvas_printf(c, x, body->y, -1, ink_on(colour), 0, "%d", i);
	}
	x = canvas_text(c, x + c->cw, body->y, -1, dim, 0, pane_number(number, map->most));
	canvas_text(c, x, body->y, right - x, dim, 0, what);
}

/* The selected thread in words, below the cells. */
static void selected(struct canvas *c, const struct rect *r, int y, const struct model *m, const struct view *v,
		     const struct map *map)
{
	char thread[64], number[32];

	if (v->thread)
		canvas_printf(c, r->x, y, r->w, canvas_role(c, ROLE_TEXT), 0, "%s: %s instructions",
			      map_thread(thread, m, v->thread - 1), pane_number(number, map->count[v->thread - 1]));
	else if (!v->still)
		canvas_printf(c, r->x, y, r->w, canvas_role(c, ROLE_DIM), 0,
			      "a click, or arrows and Enter: what a %s did", wb_stage_name(m->terms.stage, false));
}

/* ---- history ---- */

static enum lane_state state_in(const struct event *e, uint64_t lane, bool ended)
{
	return e->executed & lane ? LANE_EXECUTED
	       : e->active & lane ? LANE_PREDICATED
	       : ended            ? LANE_EXITED
				  : LANE_OFF;
}

static void history_row(struct canvas *c, struct rect r, const struct model *m, uint32_t index, enum lane_state s,
			bool now)
{
	const struct event *e = record_at(&m->player->record, index);
	const struct code_row *code = model_code(m, e->pc);
	uint32_t ink = canvas_role(c, s == LANE_EXECUTED ? ROLE_TEXT : ROLE_DIM);
	char number[32], text[200];

	if (now)
		canvas_fill(c, r, canvas_role(c, ROLE_SELECT));
	canvas_tip(c, r, "issue %u of the run: %s", index + 1, lane_looks[s].text);
	canvas_right(c, r.x + 9 * c->cw, r.y, canvas_role(c, ROLE_DIM), 0, "%s", pane_number(number, e->cycle));
	canvas_tile(c, (struct rect){r.x + 10 * c->cw, r.y + c->hair, 2 * c->cw - c->hair, r.h - 2 * c->hair}, s, true);
	canvas_printf(c, r.x + 13 * c->cw, r.y, -1, canvas_role(c, ROLE_DIM), 0, "0x%04x", e->pc);
	if (!code)
		return;
	model_source_text(m, code->line, text, sizeof text);
	canvas_text(c, r.x + 20 * c->cw, r.y, r.w - 20 * c->cw, ink, 0, *text ? text : code->text);
}

/* The number of a warp's issues up to the last one that a lane executed. */
static int life(const struct model *m, const struct map *map, uint64_t lane)
{
	int n = (int)map->issues;

	while (n && !(record_at(&m->player->record, map->issue[n - 1])->executed & lane))
		n--;
	return n;
}

/* Issues of the selected thread's warp around the present position. */
static void history(struct canvas *c, const struct rect *r, const struct model *m, const struct view *v,
		    struct map *map)
{
	uint64_t lane = v->thread ? 1ull << (v->thread - 1) % m->machine.lanes : 0;
	int rows = r->h / c->rh - 1, now = 0, n;

	if (!lane || rows < 1 || !map_history(m, map, v->thread - 1))
		return;
	n = (int)map->issues;
	while (now < n && map->issue[now] < m->where.issue)
		now++;
	int first = now - 1 - rows / 2 + v->scroll[PANE_map], ended = life(m, map, lane);
	first = first > n - rows ? n - rows : first;
	first = first < 0 ? 0 : first;
	canvas_printf(c, r->x, r->y, r->w, canvas_role(c, ROLE_DIM), 0, "    cycle lane   pc    %s",
		      m->listing.compiled ? "line" : "instruction");
	for (int i = first; i < n && i < first + rows; i++)
		history_row(c, (struct rect){r->x, r->y + (i - first + 1) * c->rh, r->w, c->rh}, m, map->issue[i],
			    state_in(record_at(&m->player->record, map->issue[i]), lane, i >= ended), i == now - 1);
}

/* ---- the pane ---- */

static void note(struct canvas *c, const struct box *b, const struct model *m, const struct map *map,
		 const struct grid *g)
{
	uint64_t each = ((uint64_t)g->plane.w * g->plane.h + (uint64_t)g->columns * (uint64_t)g->rows - 1) /
			((uint64_t)g->columns * (uint64_t)g->rows);
	char number[32], cell[64] = "";

	if (each > 1)
		snprintf(cell, sizeof cell, " · a cell: the dearest of about %s", pane_number(number, each));
	pane_note(c, b, "%s · %s %s%s", m->player->record.full || !m->player->whole.known ? "so far" : "whole run",
		  pane_number(number, map->pixel ? (uint64_t)m->costs->launch.stage_threads : map->plane.all),
		  wb_stage_name(m->terms.stage, true), cell);
}

void pane_map(struct canvas *c, const struct box *b, const struct model *m, const struct view *v)
{
	const char *why;
	struct map *map = map_read(m, &why);
	struct grid g = map ? grid_of(c, &b->body, map, v) : (struct grid){.columns = 0};
	struct view known = *v;

	if (!g.columns) {
		pane_empty(c, b, map ? "The pane is too small for a map." : why);
		return;
	}
	known.thread = v->thread > map->lanes ? 0 : v->thread;
	note(c, b, m, map, &g);
	struct rect left = b->body;
	if (g.history.x > left.x)
		left.w = g.history.x - left.x - c->cw;
	legend(c, &left, m, map);
	cells(c, map, &g);
	if (known.thread)
		mark(c, map, &g, known.thread - 1);
	selected(c, &left, g.cells.y + g.cells.h, m, &known, map);
	if (g.history.h)
		history(c, &g.history, m, &known, map);
}

/* The map's cells on the canvas; false: the pane is not shown, or has no map. */
static bool shown(const struct canvas *c, const struct model *m, const struct view *v, struct map **map, struct grid *g)
{
	struct layout l;
	const char *why;

	layout_make(&l, c, v);
	*map = map_read(m, &why);
	for (int i = 0; *map && i < l.n; i++)
		if (l.spot[i].shown == PANE_map) {
			struct box b = layout_box(c, &l.spot[i].rect);
			*g = grid_of(c, &b.body, *map, v);
			return g->columns;
		}
	return false;
}

void map_hit(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v, int x,
	     int y, struct hit *out)
{
	const char *why;
	struct map *map = map_read(m, &why);
	struct grid g = map ? grid_of(c, body, map, v) : (struct grid){.columns = 0};
	char thread[64], number[32];

	if (!g.columns || x < g.cells.x || y < g.cells.y || x >= g.cells.x + g.cells.w || y >= g.cells.y + g.cells.h)
		return;
	int64_t lane = dearest(map, &g, (x - g.cells.x) / g.w, (y - g.cells.y) / g.h);
	if (lane < 0)
		return;
	out->thread = (uint64_t)lane + 1;
	snprintf(out->text, sizeof out->text, "%s: %s instructions", map_thread(thread, m, (uint64_t)lane),
		 pane_number(number, map->count[lane]));
}

uint64_t map_beside(const struct canvas *c, const struct model *m, const struct view *v, int columns, int rows)
{
	struct map *map;
	struct grid g;
	int column, row;

	if (!shown(c, m, v, &map, &g))
		return 0;
	if (!v->thread || v->thread > map->lanes || !cell_of(map, &g, v->thread - 1, &column, &row))
		return map->dearest + 1;
	for (;;) { /* over cells without a thread */
		column += columns;
		row += rows;
		if (column < 0 || row < 0 || column >= g.columns || row >= g.rows || !(columns || rows))
			return v->thread;
		int64_t lane = dearest(map, &g, column, row);
		if (lane >= 0)
			return (uint64_t)lane + 1;
	}
}
