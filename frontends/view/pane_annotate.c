/* Annotate: the program, and the cost of each instruction. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/pane.h"

enum { HEAT_CHARS = 5, PC_CHARS = 7, LABEL_CHARS = 12, ARROW_CHARS = 4, TEXT_MIN = 26, CELLS_MIN = 20 };
enum { REASONS_AT = 46, REASONS_MIN = 24 };

/* Columns of numbers from the right; narrow panes have only the first. */
struct column {
	const char *title;
	int chars;
};
static const struct column columns[] = {
	{"lost", 9}, {"stalled", 9}, {"lanes", 6}, {"issues", 8}, {"taken/not/split", 16}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static int index_of(const struct model *m, uint32_t pc)
{
	const struct code_row *row = model_code(m, pc);
	return row ? (int)(row - m->listing.code) : -1;
}

static int cursor(const struct model *m, const struct view *v)
{
	if (v->pc >= 0)
		return index_of(m, (uint32_t)v->pc);
	return m->selected ? index_of(m, m->selected->pc) : -1;
}

int annotate_first(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v)
{
	int rows = body->h / c->rh - 1, most = (int)m->listing.ncode - rows;
	int first = cursor(m, v) - rows / 2 + v->scroll[PANE_annotate];
	first = first > most ? most : first;
	return first < 0 ? 0 : first;
}

struct place {
	int heat, pc, label, text, arrow, numbers, shown, right;
};

static struct place places(const struct canvas *c, const struct rect *body)
{
	struct place p = {.heat = body->x, .right = body->x + body->w - 2 * c->cw};
	int least = c->pixel ? TEXT_MIN * c->cw : CELLS_MIN;
	p.pc = p.heat + HEAT_CHARS * c->cw;
	p.arrow = p.pc + PC_CHARS * c->cw;
	p.label = p.arrow + (c->pixel ? ARROW_CHARS * c->cw : 0); /* cells are too coarse for arrows */
	bool wide = body->w >= 78 * c->cw;
	p.text = p.label + (wide ? LABEL_CHARS * c->cw : 0);
	p.numbers = p.right;
	while (p.shown < COLUMNS && p.numbers - columns[p.shown].chars * c->cw - p.text >= least)
		p.numbers -= columns[p.shown++].chars * c->cw;
	return p;
}

/* "1,234", "2.2 M": in at most 7 characters. */
static void short_number(char *text, size_t size, uint64_t n)
{
	char number[32];
	if (n < 1000000)
		snprintf(text, size, "%s", pane_number(number, n));
	else
		snprintf(text, size, n < 1000000000 ? "%.1f M" : "%.0f M", (double)n / 1e6);
}

static void numbers(struct canvas *c, const struct place *p, int y, const struct wb_pc *k)
{
	char text[COLUMNS][64] = {"", "", "", "", ""};
	if (k->lost)
		short_number(text[0], sizeof *text, k->lost);
	if (heat_stalled(k))
		short_number(text[1], sizeof *text, heat_stalled(k));
	snprintf(text[2], sizeof *text, "%.1f", k->lanes_mean);
	short_number(text[3], sizeof *text, k->issues);
	if (k->taken || k->not_taken || k->diverged)
		snprintf(text[4], sizeof *text, "%llu/%llu/%llu", (unsigned long long)k->taken,
			 (unsigned long long)k->not_taken, (unsigned long long)k->diverged);
	int right = p->right;
	for (int i = 0; i < p->shown; i++) {
		bool loss = i == 0 || (i == 4 && k->diverged);
		canvas_right(c, right, y, canvas_role(c, loss ? ROLE_BAD : ROLE_TEXT), 0, "%s",
			     k->issues || k->lost || heat_stalled(k) ? text[i] : "");
		right -= columns[i].chars * c->cw;
	}
}

static void heading(struct canvas *c, const struct place *p, int y)
{
	uint32_t dim = canvas_role(c, ROLE_DIM);
	int right = p->right;
	canvas_text(c, p->heat, y, -1, dim, 0, "heat");
	canvas_text(c, p->pc, y, -1, dim, 0, "pc");
	canvas_text(c, p->text, y, -1, dim, 0, "instruction");
	for (int i = 0; i < p->shown; i++) {
		canvas_right(c, right, y, dim, 0, "%s", columns[i].title);
		right -= columns[i].chars * c->cw;
	}
}

/* A jump's line beside the listing: out of the jump's row, along a track, into the target's row. */
static void arrow(struct canvas *c, const struct place *p, int y0, int first, int rows, int from, int to, int track)
{
	uint32_t colour = canvas_role(c, ROLE_ACCENT);
	int right = p->label - c->cw / 2, x = right - (track % 3 + 1) * c->cw - c->cw / 2;
	int a = from < to ? from : to, b = from < to ? to : from;
	int top = y0 + (a - first) * c->rh + c->rh / 2, bottom = y0 + (b - first) * c->rh + c->rh / 2;
	int least = y0, most = y0 + rows * c->rh - 1;
	if (b < first || a >= first + rows)
		return;
	if (from >= first && from < first + rows)
		canvas_line_h(c, x, y0 + (from - first) * c->rh + c->rh / 2, right - x, colour);
	if (to >= first && to < first + rows) {
		int y = y0 + (to - first) * c->rh + c->rh / 2;
		canvas_line_h(c, x, y, right - x, colour);
		for (int i = 0; i < 3; i++) /* the head */
			canvas_line_v(c, right - 1 - i, y - i, 2 * i + 1, colour);
	}
	top = top < least ? least : top;
	bottom = bottom > most ? most : bottom;
	canvas_line_v(c, x, top, bottom - top + 1, colour);
}

static void arrows(struct canvas *c, const struct place *p, const struct model *m, int y0, int first, int rows)
{
	int track = 0;
	for (unsigned i = 0; c->hair && i < m->listing.ncode; i++) {
		const struct code_row *row = &m->listing.code[i];
		int to = row->target >= 0 ? index_of(m, (uint32_t)row->target) : -1;
		bool jumps = row->cost.taken || row->cost.not_taken || row->cost.diverged;
		if (to >= 0 && jumps)
			arrow(c, p, y0, first, rows, (int)i, to, track++);
	}
}

/* Does a breakpoint name the instruction, by address or label? */
static bool has_break(const struct model *m, const struct code_row *row)
{
	struct wb_break b;
	for (unsigned i = 0; wb_launch_breaks(m->player->launch, i, &b); i++) {
		size_t n = strcspn(b.text, " ");
		char *end;
		bool same = row->label && strlen(row->label) == n && !strncmp(b.text, row->label, n);
		if (b.kind == WB_STOP_BREAK &&
		    (same || (strtoul(b.text, &end, 0) == row->pc && end == b.text + n && n)))
			return true;
	}
	return false;
}

static double heat_of(const struct model *m, const struct code_row *row)
{
	uint64_t most = m->listing.most_heat;
	return most ? (double)heat_value(m->listing.heat, &row->cost) / (double)most : 0;
}

/* Stall reasons of an instruction, between its text and the numbers, where words fit. */
static void reasons(struct canvas *c, const struct place *p, const struct model *m, int y, const struct code_row *row)
{
	int x = p->text + REASONS_AT * c->cw, space = p->numbers - c->cw - x;
	char text[240];
	if (space < REASONS_MIN * c->cw || canvas_text_width(c, row->text) > (REASONS_AT - 3) * c->cw)
		return;
	heat_reasons(m->costs, &row->cost, text, sizeof text);
	canvas_text(c, x, y, space, canvas_role(c, ROLE_DIM), 0, text);
}

static void code_row(struct canvas *c, const struct place *p, const struct model *m, int y,
		     const struct code_row *row, bool at_cursor)
{
	bool next = m->selected && m->selected->pc == row->pc && m->selected->waits != WB_WAIT_DONE;
	bool last = m->where.began && m->where.last.pc == row->pc;
	if (at_cursor)
		canvas_fill(c, (struct rect){p->pc - c->hair, y, p->right - p->pc + c->pad, c->rh},
			    canvas_role(c, ROLE_SELECT));
	double heat = heat_of(m, row);
	if (heat > 0)
		canvas_bar(c, (struct rect){p->heat, y + 3 * c->hair, 3 * c->cw, c->rh - 6 * c->hair}, heat,
			   ramp_colour(heat));
	if (has_break(m, row))
		canvas_text(c, p->pc - c->cw, y, -1, canvas_role(c, ROLE_BAD), TEXT_BOLD, "●");
	canvas_printf(c, p->pc, y, -1, canvas_role(c, ROLE_DIM), 0, "0x%04x", row->pc);
	if (p->text > p->label && row->label)
		canvas_text(c, p->label, y, (LABEL_CHARS - 1) * c->cw, canvas_role(c, ROLE_GOOD), TEXT_BOLD,
			    row->label);
	uint32_t ink = canvas_role(c, row->cost.issues ? ROLE_TEXT : ROLE_DIM);
	int x = p->text, right = p->numbers - c->cw;
	if (next || last)
		x = canvas_text(c, x, y, -1, canvas_role(c, ROLE_ACCENT), TEXT_BOLD, next ? "▶ " : "· ");
	canvas_text(c, x, y, right - x, ink, next ? TEXT_BOLD : 0, row->text);
	reasons(c, p, m, y, row);
	numbers(c, p, y, &row->cost);
}

/* The whole program at the right edge: heat by row, and the shown part. */
static void minimap(struct canvas *c, const struct rect *body, const struct model *m, int first, int rows)
{
	int x = body->x + body->w - c->cw, h = body->h - c->rh, y = body->y + c->rh;
	if (!c->pixel || rows >= (int)m->listing.ncode || h < 8)
		return;
	canvas_fill(c, (struct rect){x, y, c->cw, h}, canvas_role(c, ROLE_TROUGH));
	for (int i = 0; i < h; i++) {
		const struct code_row *row = &m->listing.code[(size_t)i * m->listing.ncode / (size_t)h];
		double heat = heat_of(m, row);
		if (heat > 0)
			canvas_fill(c, (struct rect){x + 1, y + i, c->cw - 2, 1},
				    mark_over(ramp_colour(heat), canvas_role(c, ROLE_TROUGH)));
		if (heat >= 1)
			canvas_fill(c, (struct rect){x, y + i, c->cw, 1}, canvas_role(c, ROLE_BAD));
	}
	int top = y + first * h / (int)m->listing.ncode, shown = rows * h / (int)m->listing.ncode;
	canvas_ring(c,
		    (struct rect){x - 1, top, c->cw + 2,
				  shown < 4   ? 4
				  : shown > h ? h
					      : shown},
		    canvas_role(c, ROLE_TEXT));
}

void pane_annotate(struct canvas *c, const struct box *b, const struct model *m, const struct view *v)
{
	const struct rect *body = &b->body;
	struct place p = places(c, body);
	int first = annotate_first(c, body, m, v), rows = body->h / c->rh - 1, y = body->y;
	if (!m->listing.ncode) {
		pane_empty(c, b, "The program has no instructions.");
		return;
	}
	pane_note(c, b, "%s · heat: %s", m->player->whole.known ? "whole run" : "so far",
		  heat_of_what(m->listing.heat));
	heading(c, &p, y);
	rows = rows > (int)m->listing.ncode - first ? (int)m->listing.ncode - first : rows;
	for (int i = 0; i < rows; i++)
		code_row(c, &p, m, y + (i + 1) * c->rh, &m->listing.code[first + i], first + i == cursor(m, v));
	arrows(c, &p, m, y + c->rh, first, rows);
	minimap(c, body, m, first, body->h / c->rh - 1);
}
