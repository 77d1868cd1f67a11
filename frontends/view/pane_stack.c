/* Stack: entries of the selected warp, top first, with their masks. */
#include <stdio.h>
#include <string.h>

#include "frontends/view/pane.h"

enum { KIND_CHARS = 10, PC_CHARS = 8, COUNT_CHARS = 4 };

/* Does a pushed mask contain all active lanes or none? Anything else is a broken stack. */
static bool sound(const struct model *m, uint64_t mask)
{
	uint64_t active = m->selected->active;
	return !(active & mask) || !(active & ~mask);
}

struct row {
	const char *kind;
	uint32_t pc;
	uint64_t mask;
	uint32_t colour;
	const char *mark;
};

static void draw_row(struct canvas *c, const struct model *m, const struct rect *body, int y, const struct row *r)
{
	unsigned lanes = m->machine.lanes;
	int x = body->x, right = body->x + body->w, ticks = x + (KIND_CHARS + PC_CHARS) * c->cw;
	const char *label = model_label(m, r->pc);
	canvas_text(c, x, y, KIND_CHARS * c->cw, text_on(c->theme, r->colour), TEXT_BOLD, r->kind);
	canvas_printf(c, x + KIND_CHARS * c->cw, y, -1, canvas_role(c, ROLE_TEXT), 0, "0x%04x", r->pc);
	int width = right - ticks - COUNT_CHARS * c->cw;
	int used = pane_ticks(c, (struct rect){ticks, y, width, c->rh}, r->mask, lanes, r->colour);
	x = ticks + used + c->cw;
	x = canvas_printf(c, x, y, -1, canvas_role(c, ROLE_TEXT), 0, "%2d", __builtin_popcountll(r->mask)) + c->cw;
	if (r->mark) {
		bool fits = x + canvas_text_width(c, r->mark) <= right;
		const char *text = fits ? r->mark : *r->mark == '+' ? "+" : "−";
		x = canvas_text(c, x, y, -1, canvas_role(c, ROLE_ACCENT), TEXT_BOLD, text) + c->cw;
	}
	if (*label && x + 4 * c->cw < right)
		canvas_text(c, x, y, right - x, canvas_role(c, ROLE_DIM), 0, label);
}

static uint32_t kind_colour(const struct canvas *c, const char *kind)
{
	/* Lanes of an entry wait for the event of the entry: another path, the end of a loop, a return. */
	static const struct {
		const char *begins;
		enum lane_state state;
	} kinds[] = {{"branch", LANE_OFF},
		     {"break", LANE_BROKE},
		     {"prebrk", LANE_BROKE},
		     {"call", LANE_RETURNED},
		     {"pre", LANE_RETURNED},
		     {"ready", LANE_OFF},
		     {"waits", LANE_BROKE},
		     {"parked", LANE_BROKE},
		     {"yielded", LANE_RETURNED}};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const char *a = kinds[i].begins, *b = kind;
		while (*a && *a == *b)
			a++, b++;
		if (!*a)
			return lane_looks[kinds[i].state].colour;
	}
	return canvas_role(c, ROLE_GOOD);
}

/* The purpose of an entry of the stack. */
static const char *meaning(const char *kind)
{
	static const struct {
		const char *begins, *text;
	} kinds[] = {{"active", " · the lanes that execute"},
		     {"branch", " · the lanes that took the other way, and run when these are done"},
		     {"joinat", " · where the lanes that part here meet again"},
		     {"prebrk", " · where lanes that break out of the loop go on"},
		     {"break", " · lanes that broke, and wait for the others"},
		     {"preret", " · where lanes that return go on"},
		     {"call", " · where the caller goes on when all have returned"},
		     {"ret", " · lanes that have returned and wait for the others"},
		     {"path", " · the lanes that took the other way, and run when these are done"},
		     {"if", " · where both sides of the if meet again"},
		     {"loop", " · where the loop begins again"},
		     {"fork", " · the other side of a fork, which runs when these are done"},
		     {"quadon", " · the lanes of whole quads, helpers among them"},
		     {"ready", " · lanes on another path, which run in their turn"},
		     {"waits", " · lanes at a barrier, until no lane of the barrier is elsewhere"},
		     {"parked", " · lanes at a bar, until the rest of the warp has come"},
		     {"yielded", " · lanes that have given way in a loop that spins"},
		     {"masked", " · lanes that an instruction took out of EXEC, until one puts them back"}};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strncmp(kind, kinds[i].begins, strlen(kinds[i].begins)))
			return kinds[i].text;
	return "";
}

static const char *active_mark(const struct model *m)
{
	const struct wb_warp *w = m->selected;
	bool last = w->acted && m->where.began && m->where.last.slot == w->slot && m->where.last.mp == w->mp;
	return last && w->action.flow & WB_FLOW_POP ? "−popped" : NULL;
}

static const char *top_mark(const struct model *m)
{
	const struct wb_warp *w = m->selected;
	bool last = w->acted && m->where.began && m->where.last.slot == w->slot && m->where.last.mp == w->mp;
	return last && w->action.flow & WB_FLOW_PUSH ? "+pushed" : NULL;
}

bool stack_hit(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v, int y,
	       char *text, size_t size)
{
	const struct wb_warp *w = m->selected;
	struct wb_stack e = {"active", w ? w->pc : 0, w ? w->active : 0};
	int row = (y - body->y - 4 * c->hair) / c->rh;
	if (!w || y < body->y ||
	    (row > 0 && !wb_launch_stack(m->player->launch, w->mp, w->slot,
					 (unsigned)(row - 1 + v->scroll[PANE_stack]), &e)))
		return false;
	snprintf(text, size, "%s: mask 0x%0*llx, %d lanes, pc 0x%x%s", e.name, (int)m->machine.lanes / 4,
		 (unsigned long long)e.mask, __builtin_popcountll(e.mask), e.pc, meaning(e.name));
	return true;
}

static bool all_sound(const struct model *m)
{
	struct wb_stack e;
	for (unsigned i = 0; wb_launch_stack(m->player->launch, m->selected->mp, m->selected->slot, i, &e); i++)
		if (!sound(m, e.mask))
			return false;
	return true;
}

/* Entries from a level on in `rows` rows; the last row has the number of entries without a row. */
static int entries(struct canvas *c, const struct model *m, const struct rect *body, int y, int rows, int first)
{
	const struct wb_warp *w = m->selected;
	struct wb_stack e;
	for (int i = 0; i < rows; i++, y += c->rh) {
		unsigned level = (unsigned)(first + i), left = w->depth > level ? w->depth - level : 0;
		if (!wb_launch_stack(m->player->launch, w->mp, w->slot, level, &e))
			break;
		struct row r = {e.name, e.pc, e.mask, kind_colour(c, e.name), level ? NULL : top_mark(m)};
		if (i == rows - 1 && left > 1)
			canvas_printf(c, body->x, y, body->w, canvas_role(c, ROLE_DIM), 0, "… and %u below", left);
		else
			draw_row(c, m, body, y, &r);
	}
	return y;
}

/* For lanes steered by a mask register instead of a stack: earlier values of the mask, and the instructions that
 * changed it. */
static void mask_history(struct canvas *c, const struct model *m, const struct rect *body, int y, int bottom)
{
	enum { FAR = 1 << 14 }; /* events of all warps to look through */
	const struct record *r = &m->player->record;
	const struct wb_warp *w = m->selected;
	uint64_t k = record_mp_before(r, m->mp.number, m->where.issue), least = k > FAR ? k - FAR : 0;
	uint64_t later = w->active;
	int first = y;
	char heading[64];
	snprintf(heading, sizeof heading, "%s before, and what changed it", m->terms.mask_register);
	for (; k > least && y + c->rh <= bottom; k--) {
		const struct event *e = record_mp_at(r, m->mp.number, k - 1);
		if (e->slot != w->slot || e->block != w->block)
			continue;
		if (e->active != later) {
			if (y == first)
				canvas_text(c, body->x, y, body->w, canvas_role(c, ROLE_DIM), 0, heading);
			y += c->rh;
			struct row row = {"", e->pc, e->active, canvas_role(c, ROLE_DIM), NULL};
			const struct code_row *code = model_code(m, e->pc);
			char cycle[32];
			if (y + c->rh > bottom)
				return;
			draw_row(c, m, body, y, &row);
			canvas_tip(c, (struct rect){body->x, y, body->w, c->rh}, "cycle %s: %.80s changed %s",
				   pane_number(cycle, e->cycle), code ? code->text : "?", m->terms.mask_register);
		}
		later = e->active;
	}
}

void pane_stack(struct canvas *c, const struct box *b, const struct model *m, const struct view *v)
{
	const struct rect *body = &b->body;
	const struct wb_warp *w = m->selected;
	int y = body->y, bottom = body->y + body->h;
	char name[32];
	if (!w) {
		pane_empty(c, b, "No warp is resident, so there is no stack.");
		return;
	}
	pane_note(c, b, "%s · depth %u", pane_warp(name, m, w->block, w->warp), w->depth);
	struct row active = {"active", w->pc, w->active, lane_looks[LANE_EXECUTED].colour, active_mark(m)};
	draw_row(c, m, body, y, &active);
	y += c->rh + 4 * c->hair;
	canvas_line_h(c, body->x, y - 3 * c->hair, body->w, canvas_role(c, ROLE_EDGE));
	bool ok = all_sound(m);
	int space = (bottom - y) / c->rh, depth = (int)w->depth - v->scroll[PANE_stack];
	y = entries(c, m, body, y, depth < space && ok ? depth : space - !ok, v->scroll[PANE_stack]);
	if (!w->depth && !m->terms.mask_register && y + 2 * c->rh <= bottom)
		pane_wrap(c, *body, y, canvas_role(c, ROLE_DIM), 0,
			  "Empty: no lane of this warp waits for another path.");
	if (m->terms.mask_register)
		mask_history(c, m, body, y + 2 * c->hair, bottom - c->rh);
	if (bottom - c->rh >= y)
		canvas_text(c, body->x, bottom - c->rh, body->w, canvas_role(c, ok ? ROLE_DIM : ROLE_BAD),
			    ok ? 0 : TEXT_BOLD,
			    ok ? "top first · ✓ masks nest or are disjoint"
			       : "✗ a mask overlaps the active lanes in part");
}
