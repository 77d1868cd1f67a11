/* The whole picture: header, panes in their places, footer, help; and the object at a point, by the same layout. */
#include <stdio.h>
#include <string.h>

#include "frontends/view/font.h"
#include "frontends/view/keys.h"
#include "frontends/view/layout.h"
#include "frontends/view/map.h"
#include "frontends/view/timeline.h"

typedef void draw_fn(struct canvas *c, const struct box *b, const struct model *m, const struct view *v);

static draw_fn *const draw[PANES] = {
#define PANE(id, key, title, shows) pane_##id,
#include "frontends/view/pane.def"
#undef PANE
};

/* ---- a pane ---- */

static int tab_title(struct canvas *c, int x, int y, enum pane p, const struct view *v, bool shown)
{
	enum role ink = !shown ? ROLE_DIM : v->focus == p ? ROLE_ACCENT : ROLE_TEXT;
	x = canvas_printf(c, x, y, -1, canvas_role(c, ROLE_DIM), 0, "%c ", pane_key(p));
	return canvas_text(c, x, y, -1, canvas_role(c, ink), shown ? TEXT_BOLD : 0, pane_title(p));
}

static void draw_spot(struct canvas *c, const struct spot *s, const struct model *m, const struct view *v)
{
	struct box b = layout_box(c, &s->rect);
	bool focus = s->shown == v->focus;
	int title = b.title.h, x = b.title.x;
	struct rect before = canvas_clip(c, s->rect);
	canvas_fill(c, s->rect, canvas_role(c, ROLE_PANEL));
	canvas_fill(c, (struct rect){s->rect.x, s->rect.y, s->rect.w, title}, canvas_role(c, ROLE_TITLE));
	canvas_ring(c, s->rect, canvas_role(c, ROLE_EDGE));
	canvas_line_h(c, s->rect.x, s->rect.y + title, s->rect.w, canvas_role(c, ROLE_EDGE));
	if (focus && c->pixel)
		canvas_fill(c, (struct rect){s->rect.x, s->rect.y, 3, title}, canvas_role(c, ROLE_ACCENT));
	for (int i = 0; i < s->ntabs; i++)
		x = tab_title(c, x, b.title.y, s->tab[i], v, s->tab[i] == s->shown) + 2 * c->cw;
	b.title.w -= x - b.title.x;
	b.title.x = x;
	canvas_clip(c, (struct rect){s->rect.x + c->hair, s->rect.y, s->rect.w - 2 * c->hair, s->rect.h - c->hair});
	draw[s->shown](c, &b, m, v);
	c->clip = before;
}

/* ---- header and footer ---- */

/* "16 × 16": sizes without trailing ones. */
static const char *size_text(char text[48], const uint32_t size[3])
{
	int at = snprintf(text, 48, "%u", size[0]);
	int n = size[2] > 1 ? 3 : size[1] > 1 ? 2 : 1;
	for (int i = 1; i < n; i++)
		at += snprintf(text + at, 48 - (size_t)at, " × %u", size[i]);
	return text;
}

/* The run's position; terse: without the totals. */
static void position_text(char text[200], const struct model *m, const struct view *v, bool terse)
{
	char a[32], b[32];
	const struct totals *whole = &m->player->whole;
	bool of = whole->known && !terse;
	size_t size = 200;
	int n = snprintf(text, size, "cycle %s", pane_number(a, m->mp.cycle));
	if (of)
		n += snprintf(text + n, size - (size_t)n, " of %s", pane_number(b, whole->cycles));
	n += snprintf(text + n, size - (size_t)n, "   issue %s", pane_number(a, m->where.issue));
	if (of)
		n += snprintf(text + n, size - (size_t)n, " of %s", pane_number(b, whole->issues));
	if (m->where.over)
		snprintf(text + n, size - (size_t)n, "   ended: %s", m->where.result);
	else if (!v->still)
		snprintf(text + n, size - (size_t)n, v->running ? "   ▶ running" : "   ■ paused");
}

static void header(struct canvas *c, const struct rect *r, const struct model *m, const struct view *v)
{
	char grid[48], block[48], text[200];
	const struct wb_launch_info *k = &m->costs->launch;
	const uint32_t blocks[3] = { k->grid[0], k->grid[1], m->costs->grid_z };
	int side = c->pixel ? 10 : 1, y = r->y + (c->pixel ? 3 : 0), right = r->x + r->w - side, gap = 2 * c->cw;
	int title = canvas_text_width(c, v->title), named = r->x + side + canvas_text_width(c, "warpbeam") + gap;
	canvas_fill(c, *r, canvas_role(c, ROLE_BACK));
	position_text(text, m, v, false);
	if (named + title + gap > right - canvas_text_width(c, text))
		position_text(text, m, v, true);
	bool bad = m->where.over && strcmp(m->where.result, "ok");
	int width = canvas_text_width(c, text);
	canvas_text(c, right - width, y, -1, canvas_role(c, bad ? ROLE_BAD : ROLE_TEXT), 0, text);
	int x = r->x + side, space = right - width - gap;
	if (named + title <= space) /* the program's name says more than ours */
		x = canvas_text(c, x, y, -1, canvas_role(c, ROLE_ACCENT), TEXT_BOLD, "warpbeam") + gap;
	if (space > x)
		x = canvas_text(c, x, y, space - x, canvas_role(c, ROLE_TEXT), TEXT_BOLD, v->title) + gap;
	if (space - x <= 20 * c->cw || !k->chip)
		return;
	int n = snprintf(text, sizeof text, "%s · %u MP%s · ", k->chip, k->mps, k->mps == 1 ? "" : "s");
	if (m->terms.blocks)
		snprintf(text + n, sizeof text - (size_t)n, "grid %s · block %s", size_text(grid, blocks),
			 size_text(block, k->block));
	else
		snprintf(text + n, sizeof text - (size_t)n, "%u warp%s of %s", k->grid[0] * k->grid[1],
			 k->grid[0] * k->grid[1] == 1 ? "" : "s", wb_stage_name(m->terms.stage, true));
	canvas_text(c, x, y, space - x, canvas_role(c, ROLE_DIM), 0, text);
}

static void footer(struct canvas *c, const struct rect *r, const struct model *m, const struct view *v)
{
	char state[256];
	int side = c->pixel ? 10 : 1, y = r->y + (c->pixel ? 2 : 0), x = r->x + side, right = r->x + r->w - side;
	canvas_fill(c, *r, canvas_role(c, ROLE_BACK));
	if (v->prompt) {
		x = canvas_printf(c, x, y, right - x, canvas_role(c, ROLE_TEXT), TEXT_BOLD, "%s", v->prompt);
		canvas_fill(c, (struct rect){x, y + 2 * c->hair, c->cw, c->rh - 3 * c->hair},
			    canvas_role(c, ROLE_ACCENT));
		return;
	}
	if (v->message[0])
		x = canvas_text(c, x, y, right - x, canvas_role(c, ROLE_ACCENT), 0, v->message) + 3 * c->cw;
	else if (!v->still)
		x = keys_hint(c, v, x, y, right) + 3 * c->cw;
	if (v->still && v->alone)
		return;
	state_format(state, sizeof state, m, v);
	if (x + canvas_text_width(c, state) <= right)
		canvas_right(c, right, y, canvas_role(c, ROLE_DIM), 0, "%s", state);
}

static void hit(const struct canvas *c, const struct model *m, const struct view *v, int x, int y, struct hit *out);

static void hover(struct canvas *c, const struct model *m, const struct view *v)
{
	enum { MOST_CHARS = 100 };
	struct hit h;
	if (v->mouse_x < 0 || v->help)
		return;
	hit(c, m, v, v->mouse_x, v->mouse_y, &h);
	if (!h.text[0])
		return;
	int space = c->w / c->cw - 4, most = space < MOST_CHARS ? space : MOST_CHARS;
	int rows = pane_wrapped(h.text, most), high = rows * c->rh + 4 * c->hair;
	int w = (rows > 1 ? most * c->cw : canvas_text_width(c, h.text)) + 2 * c->cw;
	int x = v->mouse_x + 2 * c->cw, y = v->mouse_y + c->rh;
	x = x + w > c->w ? c->w - w : x;
	y = y + high > c->h ? v->mouse_y - high : y;
	struct rect r = {x, y < 0 ? 0 : y, w, high};
	canvas_fill(c, r, canvas_role(c, ROLE_TITLE));
	canvas_ring(c, r, canvas_role(c, ROLE_ACCENT));
	r = (struct rect){r.x + c->cw, r.y + 2 * c->hair, w - 2 * c->cw, rows * c->rh};
	pane_wrap(c, r, r.y, canvas_role(c, ROLE_TEXT), 0, h.text);
}

/* ---- everything ---- */

/* A pane alone with little content is drawn at twice the size in a large window: readable from the last row of a
 * hall. */
static bool enlarged(const struct canvas *c, const struct model *m, const struct view *v)
{
	enum { COLUMNS = 88, ROWS = 24, WORDS = 154 }; /* columns for 16 words in full */
	int columns = c->w / 2 / c->cw, rows = c->h / 2 / c->rh;
	if (!c->pixel || !v->alone || columns < COLUMNS || rows < ROWS)
		return false;
	switch (v->focus) {
	case PANE_stack:
	case PANE_explain:
	case PANE_bill:
	case PANE_why:
	case PANE_occupancy: return true;
	case PANE_board: return (int)m->mp.npresent <= (rows - 5) / 2;
	case PANE_source: return m->listing.nlines <= rows - 4;
	case PANE_annotate: return (int)m->listing.ncode <= rows - 4;
	case PANE_shared:
		return columns >= WORDS && m->shared.bytes / (4 * m->machine.shared_banks) + 10 <= (unsigned)rows;
	case PANE_watch: return (int)m->watch.n <= (rows - 4) / 5;
	default: return false;
	}
}

/* Fill the gaps between panes: a frame around each, so that pixels of a large picture are not filled twice. */
static void gaps(struct canvas *c, const struct layout *l)
{
	enum { WIDE = 8 };
	uint32_t back = canvas_role(c, ROLE_BACK);
	for (int i = 0; i < l->n; i++) {
		const struct rect *r = &l->spot[i].rect;
		canvas_fill(c, (struct rect){r->x - WIDE, r->y - WIDE, r->w + 2 * WIDE, WIDE}, back);
		canvas_fill(c, (struct rect){r->x - WIDE, r->y + r->h, r->w + 2 * WIDE, WIDE}, back);
		canvas_fill(c, (struct rect){r->x - WIDE, r->y, WIDE, r->h}, back);
		canvas_fill(c, (struct rect){r->x + r->w, r->y, WIDE, r->h}, back);
	}
}

/* Smaller pictures are unreadable; a pane alone may be lower. */
static bool too_small(struct canvas *c, const struct view *v)
{
	enum { COLUMNS = 54, ROWS = 15, ALONE_ROWS = 9, CELL_COLUMNS = 40, CELL_ROWS = 12 };
	enum { PHONE_COLUMNS = 44, PHONE_ROWS = 60 };
	bool phone = c->h >= PHONE_ROWS * c->rh;
	int columns = !c->pixel ? CELL_COLUMNS : phone ? PHONE_COLUMNS : COLUMNS, s = c->scale;
	int rows = !c->pixel ? CELL_ROWS : v->alone ? ALONE_ROWS : ROWS;
	char text[96];
	if (c->w >= columns * c->cw && c->h >= rows * c->rh)
		return false;
	canvas_fill(c, c->clip, canvas_role(c, ROLE_PANEL));
	snprintf(text, sizeof text, "too small: %dx%d; at least %dx%d", c->w * s, c->h * s, columns * c->cw * s,
		 rows * c->rh * s);
	pane_wrap(c, (struct rect){c->cw, c->rh, c->w - 2 * c->cw, c->h - c->rh}, c->rh, canvas_role(c, ROLE_TEXT), 0,
		  text);
	return true;
}

static void draw_all(struct canvas *c, const struct model *m, const struct view *v)
{
	struct layout l;
	layout_make(&l, c, v);
	if (c->pixel)
		gaps(c, &l);
	else
		canvas_fill(c, c->clip, canvas_role(c, ROLE_BACK));
	for (int i = 0; i < l.n; i++)
		draw_spot(c, &l.spot[i], m, v);
	header(c, &l.header, m, v);
	footer(c, &l.footer, m, v);
	if (v->help)
		keys_overlay(c, v);
	hover(c, m, v);
}

void frame_draw(struct canvas *c, const struct model *m, const struct view *v)
{
	c->theme = &themes[v->theme];
	c->clip = (struct rect){0, 0, c->w, c->h};
	if (too_small(c, v))
		return;
	if (!enlarged(c, m, v)) {
		draw_all(c, m, v);
		return;
	}
	canvas_fill(c, c->clip, canvas_role(c, ROLE_BACK)); /* an odd line is left over at the edge */
	struct canvas d = canvas_doubled(c);
	struct view halved = *v;
	halved.mouse_x = v->mouse_x < 0 ? -1 : v->mouse_x / 2;
	halved.mouse_y = v->mouse_y / 2;
	draw_all(&d, m, &halved);
}

/* ---- the mouse ---- */

static void hit_board(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v,
		      int x, int y, struct hit *out)
{
	int down = y - body->y - c->rh, row_h = board_row(c, body, m), row = down / row_h;
	unsigned lane = board_lane(c, body, m, x, down > 0 ? down % row_h : 0);
	int skip = board_first(c, body, m, v) + row;
	for (unsigned i = 0; y >= body->y + c->rh && i < m->mp.nslots; i++)
		if (m->mp.present[i] && skip-- == 0) {
			const struct wb_warp *w = &m->mp.warp[i];
			char name[32];
			pane_warp_full(name, m, w->block, w->warp);
			out->slot = (int)i;
			if (lane < m->machine.lanes) {
				const struct lane_look *look = &lane_looks[board_state(m, w, lane)];
				bool named = strstr(look->text, look->name);
				snprintf(out->text, sizeof out->text, "%s lane %u: %s%s%s", name, lane,
					 named ? "" : look->name, named ? "" : ", ", look->text);
				board_fragment(m, w, lane, out->text, sizeof out->text);
				return;
			}
			char issues[32];
			snprintf(out->text, sizeof out->text, "%s: %d of %d lanes active, %s issues, stack %u", name,
				 __builtin_popcountll(w->active), __builtin_popcountll(w->launched),
				 pane_number(issues, w->issues), w->depth);
			if (m->terms.simds > 1) {
				size_t n = strlen(out->text);
				snprintf(out->text + n, sizeof out->text - n, ", SIMD %u of %u",
					 w->slot % m->terms.simds, m->terms.simds);
			}
		}
}

static void hit_annotate(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v,
			 int y, struct hit *out)
{
	int row = (y - body->y) / c->rh - 1, index = annotate_first(c, body, m, v) + row;
	if (row < 0 || index >= (int)m->listing.ncode)
		return;
	const struct wb_pc *k = &m->listing.code[index].cost;
	out->pc = m->listing.code[index].pc;
	char issues[32], threads[32], lost[32];
	int n = snprintf(out->text, sizeof out->text, "%#x: %s issues, %s %s instructions, %s slots lost", k->pc,
			 pane_number(issues, k->issues), pane_number(threads, k->threads),
			 wb_stage_name(m->terms.stage, false), pane_number(lost, k->lost));
	char accesses[120];
	heat_accesses(m->costs, k->pc, accesses, sizeof accesses);
	if (*accesses && (size_t)n < sizeof out->text)
		n += snprintf(out->text + n, sizeof out->text - (size_t)n, "; %s", accesses);
	if (heat_stalled(k) && (size_t)n + 12 < sizeof out->text) {
		n += snprintf(out->text + n, sizeof out->text - (size_t)n, "; stalled: ");
		heat_reasons(m->costs, k, out->text + n, sizeof out->text - (size_t)n);
	}
}

/* The tip of a pane at a point, from drawing the pane on no canvas. */
static void hit_tip(const struct canvas *c, const struct spot *s, const struct box *b, const struct model *m,
		    const struct view *v, int x, int y, struct hit *out)
{
	struct tip tip = {x, y, ""};
	struct canvas dry = *c;
	dry.dry = true;
	dry.tip = &tip;
	dry.overlaps = NULL;
	dry.theme = &themes[v->theme];
	dry.clip = s->rect;
	draw[s->shown](&dry, b, m, v);
	snprintf(out->text, sizeof out->text, "%s", tip.text);
}

/* The pane whose name stands x units into a title strip; behind the names, the front pane. */
static enum pane tab_at(const struct canvas *c, const struct spot *s, int x)
{
	for (int i = 0; i < s->ntabs; i++) {
		/* name and key, as in tab_title */
		int w = canvas_text_width(c, pane_title(s->tab[i])) + 4 * c->cw;
		if (x < w)
			return s->tab[i];
		x -= w;
	}
	return s->shown;
}

/* The key under a point of the bottom line, or of "paused" in the top line. */
static void hit_key(const struct canvas *c, const struct layout *l, const struct model *m, const struct view *v, int x,
		    int y, struct hit *out)
{
	int side = c->pixel ? 10 : 1, paused = l->header.x + l->header.w - side - canvas_text_width(c, "▶ running");
	const struct key *k = NULL;
	if (y >= l->footer.y && !v->prompt && !v->message[0])
		k = keys_hint_at(c, v, l->footer.x + side, l->footer.x + l->footer.w - side, x);
	else if (y < l->header.y + l->header.h && x >= paused && !m->where.over)
		k = key_find("Space");
	if (!k)
		return;
	out->key = k->key;
	snprintf(out->text, sizeof out->text, "%s", k->help);
}

static void hit(const struct canvas *c, const struct model *m, const struct view *v, int x, int y, struct hit *out)
{
	struct layout l;
	*out = (struct hit){.pane = PANES, .slot = -1, .pc = -1, .cycle = -1, .map = -1};
	layout_make(&l, c, v);
	if (!v->still)
		hit_key(c, &l, m, v, x, y, out);
	for (int i = 0; i < l.n; i++) {
		const struct rect *at = &l.spot[i].rect;
		if (x < at->x || y < at->y || x >= at->x + at->w || y >= at->y + at->h)
			continue;
		struct box b = layout_box(c, at);
		out->pane = l.spot[i].shown;
		if (y < at->y + b.title.h) { /* a tab */
			out->pane = tab_at(c, &l.spot[i], x - b.title.x);
			snprintf(out->text, sizeof out->text, "%s", pane_shows(out->pane));
		} else if (out->pane == PANE_board) {
			hit_board(c, &b.body, m, v, x, y, out);
		} else if (out->pane == PANE_stack) {
			stack_hit(c, &b.body, m, v, y, out->text, sizeof out->text);
		} else if (out->pane == PANE_annotate) {
			hit_annotate(c, &b.body, m, v, y, out);
		} else if (out->pane == PANE_source) {
			source_hit(c, &b.body, m, v, x, y, out);
		} else if (out->pane == PANE_timeline) {
			timeline_hit(c, &b.body, m, v, x, y, out);
		} else if (out->pane == PANE_map) {
			map_hit(c, &b.body, m, v, x, y, out);
		}
		if (!out->text[0] && out->pane != PANE_timeline)
			hit_tip(c, &l.spot[i], &b, m, v, x, y, out);
	}
}

bool frame_opened(const struct canvas *c, const struct model *m, const struct view *v)
{
	struct layout l;
	struct time_axis a = {.open_slot = -1};
	layout_make(&l, c, v);
	for (int i = 0; i < l.n; i++)
		if (l.spot[i].shown == PANE_timeline) {
			struct box b = layout_box(c, &l.spot[i].rect);
			struct rect halves[2] = {b.body, b.body};
			if (m->against)
				timeline_halves(c, &b.body, halves);
			timeline_axis(c, &halves[0], m, v, &a);
		}
	return a.open_slot >= 0;
}

/* Used rows below the pane's title, at a height large enough for all rows. */
static int rows_used(const struct canvas *c, const struct view *v)
{
	struct layout l;
	layout_make(&l, c, v);
	struct box b = layout_box(c, &l.spot[0].rect);
	uint32_t panel = canvas_role(c, ROLE_PANEL);
	for (int y = b.body.y + b.body.h - 1; y > b.body.y; y--)
		for (int x = b.body.x + c->cw; x < b.body.x + b.body.w - 3 * c->cw; x++)
			if (c->pixel[(size_t)y * c->stride + x] != panel)
				return (y - b.body.y) / c->rh + 1;
	return 1;
}

/* Columns and rows of each pane; most panes count their used rows. */
void frame_fit(const struct model *m, const struct view *v, int scale, int *w, int *h)
{
	enum { FRAME = 3, ROWS = 400, LEAST = 6 };
	static const int columns[PANES + 1] = {
		[PANE_board] = 110, [PANE_timeline] = 180, [PANE_stack] = 84, [PANE_annotate] = 128,
		[PANE_explain] = 110, [PANE_bill] = 90, [PANE_why] = 90, [PANE_occupancy] = 90, [PANE_shared] = 120,
		[PANE_watch] = 90, [PANE_source] = 128, [PANE_map] = 120};
	struct canvas c;
	int rows = v->focus == PANE_board      ? 2 * (int)m->mp.npresent + 4
		   : v->focus == PANE_timeline ? 2 * (int)m->mp.npresent + 18
		   : v->focus == PANE_stack    ? (m->selected ? (int)m->selected->depth : 0) + 5
		   : v->focus == PANE_explain  ? 10
		   : v->focus == PANE_map      ? 32
		   : v->focus == PANE_source   ? m->listing.nlines + 1
					       : (int)m->listing.ncode + 1;
	bool fills = v->focus == PANE_board || v->focus == PANE_timeline || v->focus == PANE_annotate ||
		     v->focus == PANE_source || v->focus == PANE_stack || v->focus == PANE_explain ||
		     v->focus == PANE_map;
	rows = rows > ROWS ? ROWS : rows;
	if (!fills && canvas_pixels(&c, columns[v->focus] * GLYPH_W, 100 * (GLYPH_H + 2), 1, &themes[v->theme])) {
		frame_draw(&c, m, v);
		rows = rows_used(&c, v);
		canvas_free(&c);
	}
	rows = rows < LEAST ? LEAST : rows;
	*w = columns[v->focus] * GLYPH_W * scale;
	*h = ((rows + FRAME - (v->still && v->alone)) * (GLYPH_H + 2) + 20) * scale;
}

void frame_hit(const struct canvas *c, const struct model *m, const struct view *v, int x, int y, struct hit *out)
{
	if (!enlarged(c, m, v)) {
		hit(c, m, v, x, y, out);
		return;
	}
	struct canvas d = canvas_doubled(c);
	hit(&d, m, v, x / 2, y / 2, out);
}
