/* Bill: where the lane slots went. */
#include "frontends/view/pane.h"

struct part {
	const char *name, *text;
	uint64_t n;
	uint32_t colour;
	enum lane_state look;
	char letter[2];
};

enum { PARTS = 9 };

static void parts_of(const struct canvas *c, const struct wb_report *r, struct part parts[PARTS])
{
	const struct wb_bill *k = &r->bill;
	const struct part all[PARTS] = {
		{.name = "useful", .n = k->useful, .look = LANE_EXECUTED},
		{.name = "predicated off", .n = k->predicated, .look = LANE_PREDICATED},
		{.name = "branched off", .n = k->branched_off, .look = LANE_OFF},
		{.name = "broke", .n = k->brk, .look = LANE_BROKE},
		{.name = "returned", .n = k->ret, .look = LANE_RETURNED},
		{.name = "exited", .n = k->exited, .look = LANE_EXITED},
		{.name = "absent", .n = k->absent, .look = LANE_ABSENT},
		{.name = "rejoining", .n = k->rejoin, .look = LANE_STATES},
		{.name = "for its quad", .n = k->helper, .look = LANE_HELPER},
	};
	for (int i = 0; i < PARTS; i++) {
		parts[i] = all[i];
		parts[i].text = all[i].look < LANE_STATES ? lane_looks[all[i].look].text
							  : "lanes that arrive at a join, whose instruction runs once";
		parts[i].letter[0] = all[i].look == LANE_STATES ? '=' : lane_looks[all[i].look].letter;
		parts[i].colour = all[i].look == LANE_STATES   ? canvas_role(c, ROLE_TEXT)
				  : all[i].look == LANE_ABSENT ? canvas_role(c, ROLE_HATCH)
							       : lane_looks[all[i].look].colour;
	}
}

/* The whole as one bar, each part as wide as its share. */
static void stacked(struct canvas *c, struct rect r, const struct part parts[PARTS], uint64_t total)
{
	uint64_t before = 0;
	canvas_fill(c, r, canvas_role(c, ROLE_TROUGH));
	for (int i = 0; i < PARTS && total; i++) {
		int x0 = (int)(before * (uint64_t)r.w / total),
		    x1 = (int)((before + parts[i].n) * (uint64_t)r.w / total);
		if (parts[i].n && x1 == x0)
			x1++;
		canvas_fill(c, (struct rect){r.x + x0, r.y, x1 - x0, r.h}, parts[i].colour);
		pane_letter(c, (struct rect){r.x + x0, r.y, x1 - x0, r.h}, parts[i].colour, parts[i].letter);
		before += parts[i].n;
	}
}

/* How much more, or less, than in the other run. */
static void difference(struct canvas *c, int x, int y, int space, uint64_t n, uint64_t other, bool useful)
{
	char number[32], more[32];
	bool less = n < other;
	uint64_t apart = less ? other - n : n - other;
	enum role ink = !apart || useful ? ROLE_DIM : less ? ROLE_GOOD : ROLE_BAD;
	if (apart)
		canvas_printf(c, x, y, space, canvas_role(c, ink), 0, "%s %s than %s", pane_number(more, apart),
			      less ? "fewer" : "more", pane_number(number, other));
	else
		canvas_text(c, x, y, space, canvas_role(c, ink), 0, "as many");
}

/* A row of the bill. other: the same part of the compared run; NULL: no comparison. */
static void part_row(struct canvas *c, const struct rect *body, int y, const struct part *p, uint64_t total,
		     const struct part *other)
{
	char number[32], of[32];
	int x = body->x, right = body->x + body->w, bar = x + 38 * c->cw;
	int shares = bar - c->cw < right ? bar - c->cw : right;
	double share = total ? (double)p->n / (double)total : 0;
	uint32_t ink = canvas_role(c, p->n ? ROLE_TEXT : ROLE_DIM);
	if (p->look < LANE_STATES)
		canvas_tile(c, (struct rect){x, y + c->hair, 2 * c->cw - c->hair, c->rh - 2 * c->hair}, p->look,
			    true);
	else
		canvas_fill(c, (struct rect){x, y + c->hair, 2 * c->cw - c->hair, c->rh - 2 * c->hair}, p->colour);
	canvas_text(c, x + 3 * c->cw, y, -1, ink, 0, p->name);
	canvas_tip(c, (struct rect){x, y, body->w, c->rh}, "%s: %s · %s of %s lane slots", p->name, p->text,
		   pane_number(number, p->n), pane_number(of, total));
	if (p->look == LANE_STATES)
		canvas_text(c, x + c->cw / 2 * c->hair, y, -1, ink_on(p->colour), TEXT_BOLD, p->letter);
	canvas_right(c, shares - 8 * c->cw, y, ink, 0, "%s", pane_number(number, p->n));
	canvas_right(c, shares, y, ink, 0, p->n ? "%.1f %%" : "–", 100 * share);
	if (other)
		difference(c, bar, y, right - bar, p->n, other->n, p->look == LANE_EXECUTED);
	else if (right - bar > 4 * c->cw)
		canvas_bar(c, (struct rect){bar, y + 4 * c->hair, right - bar, c->rh - 8 * c->hair}, share,
			   p->colour);
}

static void sum_row(struct canvas *c, const struct rect *body, int y, uint64_t sum, uint64_t slots)
{
	enum { SHARES = 37, VERDICT = 10 };
	bool balanced = sum == slots;
	int shares = body->w < SHARES * c->cw ? body->w : SHARES * c->cw, x = body->x + shares - 7 * c->cw,
	    space = body->x + body->w - x;
	const char *verdict = balanced ? "✓ balanced" : "✗ does not balance", *mark = balanced ? "✓" : "✗";
	uint32_t ink = canvas_role(c, balanced ? ROLE_GOOD : ROLE_BAD);
	char number[32];
	canvas_text(c, body->x + 3 * c->cw, y, -1, ink, 0, "sum");
	canvas_tip(c, (struct rect){body->x, y, body->w, c->rh},
		   "every lane of every issue is one slot: the parts have to sum up to all of them");
	canvas_right(c, x - c->cw, y, ink, 0, "%s", pane_number(number, sum));
	canvas_text(c, x, y, space, ink, 0, space > VERDICT * c->cw ? verdict : mark);
}

/* The instruction of a branch, and of a program from a compiler the line of the source: the line alone where there is
 * no space for both. */
static void branch_text(struct canvas *c, struct rect r, const struct model *m, const struct code_row *code)
{
	enum { BOTH = 44, INSTRUCTION = 22 };
	char text[200];
	int x = r.x, right = r.x + r.w;
	if (!code)
		return;
	model_source_text(m, code->line, text, sizeof text);
	if (!*text || r.w >= BOTH * c->cw) {
		int space = *text ? INSTRUCTION * c->cw : r.w;
		canvas_text(c, x, r.y, space, canvas_role(c, ROLE_TEXT), 0, code->text);
		x += space + c->cw;
	}
	if (*text)
		canvas_text(c, x, r.y, right - x, canvas_role(c, ROLE_ACCENT), 0, text);
}

static void branches(struct canvas *c, const struct box *b, const struct model *m, int y,
		     const struct wb_branch *rows, int n, int skip)
{
	const struct rect *body = &b->body;
	int bottom = body->y + body->h, right = body->x + body->w;
	char number[32], splits[32];
	if (y + 2 * c->rh > bottom)
		return;
	uint32_t dim = canvas_role(c, ROLE_DIM);
	canvas_text(c, body->x, y, -1, dim, 0, "by branch");
	canvas_right(c, right, y, dim, 0, "splits      lost");
	y += c->rh;
	canvas_tip(c, (struct rect){body->x, y - c->rh, body->w, c->rh},
		   "splits: issues at which some lanes went one way and some the other; lost: lane slots lost by it");
	if (!n || !(rows[0].lost || rows[0].splits))
		canvas_text(c, body->x, y, body->w, dim, 0, "no branch split a warp");
	skip = skip < n ? skip : n ? n - 1 : 0;
	int end = skip + pane_rows((bottom - y) / c->rh, n - skip);
	pane_more(c, body, y + (end - skip) * c->rh, n - end, "branches");
	for (int i = skip; i < end; i++, y += c->rh) {
		const struct code_row *code = model_code(m, rows[i].pc);
		bool split = rows[i].splits; /* false: every lane left, and the warp went on without lanes */
		canvas_tip(c, (struct rect){body->x, y, body->w, c->rh},
			   split ? "0x%x%s%s: split %s warps, which lost %s lane slots until they rejoined"
				 : "0x%x%s%s: %s lanes left a warp, which lost %s lane slots until they rejoined",
			   rows[i].pc, *model_label(m, rows[i].pc) ? " " : "", model_label(m, rows[i].pc),
			   split ? pane_number(splits, rows[i].splits) : "all", pane_number(number, rows[i].lost));
		canvas_printf(c, body->x, y, -1, dim, 0, "0x%04x", rows[i].pc);
		branch_text(c, (struct rect){body->x + 7 * c->cw, y, body->w - 25 * c->cw, c->rh}, m, code);
		canvas_right(c, right, y, canvas_role(c, ROLE_BAD), 0, "%s %9s", split ? splits : "all",
			     pane_number(number, rows[i].lost));
	}
}

/* The parts of the bill, from y on; returns the y behind. Where rows are few, parts of 0 give way to the branches. */
static int part_rows(struct canvas *c, const struct rect *body, int y, const struct model *m, const struct part *parts,
		     const struct part *others)
{
	uint64_t all = m->costs->bill.lane_slots;
	int bottom = body->y + body->h;
	bool tight = bottom - y < 13 * c->rh;

	for (int i = 0; i < PARTS && y + c->rh <= bottom; i++) {
		bool quads = parts[i].look == LANE_HELPER;
		bool states = !model_has_state(m, parts[i].look); /* LANE_STATES: rejoining */
		if ((tight || quads || states) && !parts[i].n && !others[i].n)
			continue;
		part_row(c, body, y, &parts[i], all, m->against ? &others[i] : NULL);
		y += c->rh;
	}
	return y;
}

/* Cycles beside those of the run to compare with; returns the y behind. */
static int cycles_row(struct canvas *c, const struct rect *body, int y, const struct model *m)
{
	uint64_t cycles = m->player->whole.cycles;
	char number[32];

	canvas_text(c, body->x + 3 * c->cw, y, -1, canvas_role(c, ROLE_TEXT), 0, "cycles");
	canvas_right(c, body->x + 29 * c->cw, y, canvas_role(c, ROLE_TEXT), 0, "%s", pane_number(number, cycles));
	difference(c, body->x + 38 * c->cw, y, body->w - 38 * c->cw, cycles, m->against->player->whole.cycles, false);
	return y + c->rh + c->rh / 2 * c->hair;
}

void pane_bill(struct canvas *c, const struct box *b, const struct model *m, const struct view *v)
{
	const struct wb_bill *k = &m->costs->bill;
	const struct rect *body = &b->body;
	const struct wb_report *other = m->against ? m->against->costs : NULL;
	struct part parts[PARTS], others[PARTS];
	char number[32];
	uint64_t sum = 0;
	int y = body->y, bottom = body->y + body->h;
	parts_of(c, m->costs, parts);
	parts_of(c, other ? other : m->costs, others);
	for (int i = 0; i < PARTS; i++)
		sum += parts[i].n;
	pane_note(c, b, "%s · %s lane slots", m->player->whole.known ? "whole run" : "so far",
		  pane_number(number, k->lane_slots));
	if (!k->lane_slots) {
		pane_empty(c, b, "Nothing has been issued, so nothing has been spent.");
		return;
	}
	stacked(c, (struct rect){body->x, y + 2 * c->hair, body->w, c->rh - 2 * c->hair}, parts, k->lane_slots);
	y += c->rh + 3 * c->hair;
	y = part_rows(c, body, y, m, parts, others);
	if (y + c->rh <= bottom) {
		sum_row(c, body, y, sum, k->lane_slots);
		y += c->rh + c->rh / 2 * c->hair;
	}
	if (other && y + c->rh <= bottom)
		y = cycles_row(c, body, y, m);
	branches(c, b, m, y, m->costs->branches, (int)m->costs->nbranches, v->scroll[PANE_bill]);
}
