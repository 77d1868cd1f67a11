/* SM board: a row a resident warp, a tile a lane. */
#include <stdio.h>
#include <string.h>

#include "frontends/view/map.h"
#include "frontends/view/pane.h"

enum { NAME_CHARS = 11, PC_CHARS = 7, STATUS_CHARS = 15, TEXT_MIN = 20, TEXT_SHOWN = 12 };
enum { GROUP = 8, LINE_GROUPS = 4, QUAD = 4 };

struct columns {
	int name, tiles, tile_w, group_gap, pc, text, status, right;
	unsigned group;  /* lanes between gaps: of a quad, or eight */
	unsigned across; /* lanes of a line */
	int lines;       /* of a warp */
};

/* A warp wider than LINE_GROUPS groups, in a pane too narrow for a letter a lane, takes several lines. */
static unsigned lanes_across(const struct canvas *c, const struct rect *body, unsigned lanes)
{
	int gaps = (int)(lanes / GROUP) * 2 * c->hair, needed = NAME_CHARS * c->cw + (int)lanes * c->cw + gaps;
	return lanes > LINE_GROUPS * GROUP && needed > body->w ? LINE_GROUPS * GROUP : lanes;
}

static bool of_fragments(const struct model *m)
{
	return m->terms.stage == WB_STAGE_FRAGMENT;
}

/* The pixel of a lane; false: none. */
static bool fragment(const struct model *m, const struct wb_warp *w, unsigned lane, struct wb_fragment *out)
{
	return wb_launch_fragment(m->player->launch,
				  (w->block * m->machine.warps_per_block + w->warp) * m->machine.lanes + lane, out);
}

enum lane_state board_state(const struct model *m, const struct wb_warp *w, unsigned lane)
{
	enum lane_state s = model_lane(w, lane);
	struct wb_fragment f;
	if (s != LANE_EXECUTED || !(wb_launch_helpers(m->player->launch, w->mp, w->slot) >> lane & 1) ||
	    !fragment(m, w, lane, &f))
		return s;
	return f.covered ? LANE_KILLED : LANE_HELPER;
}

void board_fragment(const struct model *m, const struct wb_warp *w, unsigned lane, char *text, size_t size)
{
	struct wb_fragment f;
	size_t n = strlen(text);
	if (fragment(m, w, lane, &f))
		snprintf(text + n, size - n, "; pixel %u, %u of the quad %u, %u to %u, %u", f.x, f.y, f.x & ~1u,
			 f.y & ~1u, f.x | 1, f.y | 1);
	else if (m->terms.stage != WB_STAGE_COMPUTE && w->launched >> lane & 1)
		snprintf(text + n, size - n, "; %s %u", wb_stage_name(m->terms.stage, false),
			 (w->block * m->machine.warps_per_block + w->warp) * m->machine.lanes + lane);
}

static struct columns columns(const struct canvas *c, const struct rect *whole, const struct model *m)
{
	unsigned all = m->machine.lanes;
	int beside = board_picture_width(c, whole, m);
	struct rect narrowed = {whole->x, whole->y, whole->w - beside, whole->h}, *body = &narrowed;
	struct columns k = {.name = body->x, .tiles = body->x + NAME_CHARS * c->cw, .group_gap = 2 * c->hair};
	unsigned lanes = k.across = lanes_across(c, body, all);
	k.group = of_fragments(m) ? QUAD : GROUP;
	int gaps = (int)(lanes / k.group) * k.group_gap;
	k.lines = (int)((all + lanes - 1) / lanes);
	int space = body->w - (NAME_CHARS + PC_CHARS + TEXT_MIN + STATUS_CHARS + 2) * c->cw - gaps;
	int widest = c->pixel ? 2 * c->cw : c->cw;
	k.tile_w = space / (int)lanes;
	k.tile_w = k.tile_w > widest ? widest : k.tile_w;
	if (k.tile_w < c->cw) /* letters first: the columns to the right give way */
		k.tile_w = c->cw + c->hair > space / (int)lanes ? c->cw : k.tile_w;
	k.pc = k.tiles + k.tile_w * (int)lanes + gaps + c->cw;
	k.text = k.pc + PC_CHARS * c->cw;
	k.right = body->x + body->w;
	k.status = k.right - STATUS_CHARS * c->cw;
	return k;
}

static int tile_x(const struct columns *k, unsigned lane)
{
	unsigned at = lane % k->across;
	return k->tiles + (int)at * k->tile_w + (int)(at / k->group) * k->group_gap;
}

static void ruler(struct canvas *c, const struct model *m, const struct columns *k, int y)
{
	uint32_t dim = canvas_role(c, ROLE_DIM);
	unsigned lanes = k->across;
	canvas_text(c, k->name, y, -1, dim, 0,
		    m->terms.simds > 1 ? "S blk warp" : m->terms.blocks ? "block warp" : "      warp");
	if (m->terms.simds > 1)
		canvas_tip(c, (struct rect){k->name, y, NAME_CHARS * c->cw, c->rh},
			   "S: the SIMD of the warp's slot, one of %u that issue in turn; ▶ the one that issued last",
			   m->terms.simds);
	for (unsigned lane = 0; lane < lanes; lane += k->group)
		canvas_printf(c, tile_x(k, lane), y, -1, dim, 0, "%u", lane);
	int end = tile_x(k, lanes - 1) + k->tile_w;
	if (k->group == GROUP && (c->pixel || lanes > LINE_GROUPS * GROUP))
		canvas_right(c, end, y, dim, 0, "%u", lanes - 1);
	if (k->text + TEXT_SHOWN * c->cw <= k->status) {
		canvas_text(c, k->pc, y, -1, dim, 0, "pc");
		canvas_text(c, k->text, y, -1, dim, 0, "next instruction");
	}
	if (k->right - 5 * c->cw >= k->pc)
		canvas_right(c, k->right, y, dim, 0, "state");
}

static bool acted_last(const struct model *m, const struct wb_warp *w)
{
	const struct wb_action *last = &m->where.last;
	return m->where.began && last->mp == w->mp && last->slot == w->slot && last->block == w->block;
}

/* "not_selected" is the scheduler's word: the board says that the warp is ready, but another was chosen. */
static const char *waiting(const struct wb_warp *w)
{
	static const char *const words[][2] = {{"not_selected", "o ready"},
					       {"operand", "~ operand"},
					       {"pipe", "~ pipe busy"},
					       {"memory", "~ memory"},
					       {"texture", "~ texture"},
					       {"fetch", "~ fetch"}};
	for (size_t i = 0; w->stall && i < sizeof words / sizeof *words; i++)
		if (!strcmp(words[i][0], w->stall))
			return words[i][1];
	return "ready";
}

/* Returns the x at which the text begins. */
static int status(struct canvas *c, const struct model *m, const struct columns *k, int y, const struct wb_warp *w)
{
	const char *text = waiting(w);
	char number[32];
	uint32_t colour = canvas_role(c, ROLE_DIM);
	if (w->waits == WB_WAIT_DONE) {
		text = "done";
	} else if (w->waits == WB_WAIT_FAULT) {
		text = "fault";
		colour = canvas_role(c, ROLE_BAD);
	} else if (w->waits == WB_WAIT_BARRIER) {
		snprintf(number, sizeof number, "B barrier %u", w->waits_for);
		text = number;
		colour = canvas_role(c, ROLE_BAD);
	} else if (w->waits == WB_WAIT_LOCK) {
		text = "L lock";
		colour = canvas_role(c, ROLE_ACCENT);
	} else if (acted_last(m, w)) {
		text = m->where.last.issued ? "◀ issued" : "~ tried";
		colour = canvas_role(c, ROLE_GOOD);
	}
	int left = k->right - canvas_text_width(c, text);
	char first[8];
	if (left < k->pc) { /* lanes come first: the sign alone, if it fits */
		snprintf(first, sizeof first, "%.*s", *text & 0x80 ? 3 : 1, text);
		text = first;
		left = k->right - c->cw;
	}
	if (left >= k->pc - c->cw)
		canvas_text(c, left, y, -1, colour, acted_last(m, w) ? TEXT_BOLD : 0, text);
	return left;
}

static void warp_row(struct canvas *c, const struct model *m, const struct columns *k, struct rect row,
		     const struct wb_warp *w)
{
	int line_h = row.h / k->lines, y = row.y + (line_h - c->rh) / 2;
	const struct code_row *code = model_code(m, w->pc);
	bool selected = w == m->selected, over = w->waits == WB_WAIT_DONE;
	uint32_t ink = canvas_role(c, over ? ROLE_DIM : ROLE_TEXT);
	if (selected)
		canvas_fill(c, (struct rect){row.x - c->pad, row.y, row.w + 2 * c->pad, row.h},
			    canvas_role(c, ROLE_SELECT));
	if (w->issued_last)
		canvas_text(c, k->name, y, -1, canvas_role(c, ROLE_ACCENT), TEXT_BOLD, "▶");
	else if (m->terms.simds > 1)
		canvas_printf(c, k->name, y, -1, canvas_role(c, ROLE_DIM), 0, "%u", w->slot % m->terms.simds);
	if (m->terms.blocks)
		canvas_printf(c, k->name + c->cw, y, -1, ink, selected ? TEXT_BOLD : 0, "%4u %3u", w->block, w->warp);
	else
		canvas_printf(c, k->name + c->cw, y, -1, ink, selected ? TEXT_BOLD : 0, "%8u", w->block);
	for (unsigned lane = 0; lane < m->machine.lanes; lane++)
		canvas_tile(c,
			    (struct rect){tile_x(k, lane), row.y + (int)(lane / k->across) * line_h + c->hair,
					  k->tile_w - c->hair, line_h - 2 * c->hair},
			    board_state(m, w, lane), true);
	if (k->lines > 1 && k->status < k->pc) /* lanes come first */
		return;
	int left = status(c, m, k, y, w);
	if (!over && k->pc + PC_CHARS * c->cw <= left)
		canvas_printf(c, k->pc, y, -1, canvas_role(c, ROLE_DIM), 0, "0x%04x", w->pc);
	if (!over && code && k->text + TEXT_SHOWN * c->cw <= k->status)
		canvas_text(c, k->text, y, k->status - k->text, ink, 0, code->text);
}

/* A line under the selected thread's lane. */
static void mark_lane(struct canvas *c, const struct columns *k, int y, int h, unsigned lane)
{
	int line_h = h / k->lines, x = tile_x(k, lane), bottom = y + (int)(lane / k->across + 1) * line_h - 2 * c->hair;

	canvas_fill(c, (struct rect){x, bottom - 2 * c->hair, k->tile_w - c->hair, 3 * c->hair},
		    canvas_role(c, ROLE_ACCENT));
}

static void legend(struct canvas *c, const struct box *b, const struct model *m, int y)
{
	int x = b->body.x, right = b->body.x + b->body.w;
	if (of_fragments(m)) { /* dropped first where columns do not fit */
		x = pane_legend(c, x, y, right, LANE_HELPER);
		x = pane_legend(c, x, y, right, LANE_KILLED);
	}
	for (enum lane_state s = LANE_EXECUTED; s <= LANE_ABSENT; s++)
		if (model_has_state(m, s))
			x = pane_legend(c, x, y, right, s);
	if (right - x >= 22 * c->cw)
		canvas_text(c, x, y, right - x, canvas_role(c, ROLE_DIM), 0, "▶ scheduler's pointer");
}

/* Units between the ruler and the legend. */
static int space(const struct canvas *c, const struct rect *body)
{
	return body->h - (body->h / c->rh > 4 ? 2 : 1) * c->rh;
}

/* Few warps get tall rows, readable from the last row of a lecture hall. */
int board_row(const struct canvas *c, const struct rect *body, const struct model *m)
{
	int h = m->mp.npresent ? space(c, body) / (int)m->mp.npresent : c->rh,
	    lines = columns(c, body, m).lines;
	int least = lines * c->rh, tallest = c->pixel ? 4 * least : least;
	h -= h % lines;
	return h > tallest ? tallest : h < least ? least : h;
}

static int capacity(const struct canvas *c, const struct rect *body, const struct model *m)
{
	return space(c, body) / board_row(c, body, m);
}

int board_first(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v)
{
	int rows = capacity(c, body, m), before = 0;
	for (unsigned i = 0; i < m->mp.nslots; i++)
		before += m->mp.present[i] && m->selected && i < m->selected->slot;
	int first = before - rows / 2 + v->scroll[PANE_board], most = (int)m->mp.npresent - rows;
	first = first > most ? most : first;
	return first < 0 ? 0 : first;
}

unsigned board_lane(const struct canvas *c, const struct rect *body, const struct model *m, int x, int y)
{
	struct columns k = columns(c, body, m);
	unsigned line = (unsigned)(y * k.lines / board_row(c, body, m));
	for (unsigned lane = 0; lane < m->machine.lanes; lane++)
		if (lane / k.across == line && x >= tile_x(&k, lane) && x < tile_x(&k, lane) + k.tile_w)
			return lane;
	return LANES;
}

void pane_board(struct canvas *c, const struct box *b, const struct model *m, const struct view *v)
{
	const struct rect *body = &b->body;
	struct columns k = columns(c, body, m);
	char mp[24];
	int rows = capacity(c, body, m), h = board_row(c, body, m), skip = board_first(c, body, m, v),
	    y = body->y + c->rh, shown = 0;
	if (!m->mp.npresent) {
		pane_empty(c, b,
			   m->where.over ? "No warp is left on this multiprocessor: all of its work has ended."
				      : "No warp is resident on this multiprocessor.");
		return;
	}
	ruler(c, m, &k, body->y);
	for (unsigned i = 0; i < m->mp.nslots && shown < rows; i++) {
		if (!m->mp.present[i] || skip-- > 0)
			continue;
		warp_row(c, m, &k, (struct rect){body->x, y, k.right - body->x, h}, &m->mp.warp[i]);
		unsigned lane = map_lane(m, v, &m->mp.warp[i]);
		if (lane < LANES)
			mark_lane(c, &k, y, h, lane);
		y += h;
		shown++;
	}
	int beside = board_picture_width(c, body, m);
	if (beside)
		board_picture(c, (struct rect){k.right + 2 * c->cw, body->y, beside - 2 * c->cw, space(c, body)}, m);
	if (body->h / c->rh > 4)
		legend(c, b, m, body->y + body->h - c->rh);
	if (shown < (int)m->mp.npresent)
		pane_note(c, b, "%d of %u warps · ↑ ↓ for more · %s", shown, m->mp.npresent, pane_mp(mp, m));
	else
		pane_note(c, b, "%s · %u warp%s × %u lanes", pane_mp(mp, m), m->mp.npresent,
			  m->mp.npresent == 1 ? "" : "s", m->machine.lanes);
}
