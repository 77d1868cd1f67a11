/* Source: the program's text with the cost of each line, and beside the text the instructions of the selected line. A
 * line and an instruction are selected together: in assembly a line is an instruction, in C a line may be many. */
#include <stdio.h>
#include <string.h>

#include "frontends/view/pane.h"
#include "frontends/view/source.h"
#include "frontends/view/variables.h"

enum { HEAT_CHARS = 5, LINE_CHARS = 6, LANES_CHARS = 6, WIDE = 116, BESIDE = 44, NARROW = 72 };

struct place {
	struct rect source, beside; /* beside: of width 0 where it does not fit */
	int first_row, rows;
	int count; /* pixels of a column of counts: the widest count and its gap */
};

/* Characters of the widest count and its gap, or some more. */
static int count_chars(const struct model_listing *l)
{
	uint64_t most = 0;
	int chars = 9;

	for (int i = 0; i < l->nlines; i++)
		most |= l->line[i].lost | l->line[i].issues;
	for (; most >> 20; most >>= 10)
		chars += 4;
	return chars;
}

/* The selected line stands in the middle. */
static struct place place_of(const struct canvas *c, const struct rect *body, const struct model *m,
			     const struct view *v)
{
	struct place p = {.source = *body, .rows = body->h / c->rh - 1, .count = count_chars(&m->listing) * c->cw};
	if (body->w >= WIDE * c->cw) {
		p.source.w -= BESIDE * c->cw;
		p.beside = (struct rect){body->x + p.source.w + c->cw, body->y, BESIDE * c->cw - c->cw, body->h};
	}
	int most = m->listing.nlines - p.rows;
	p.first_row = model_line(m, v) - 1 - p.rows / 2 + v->scroll[PANE_source];
	p.first_row = p.first_row > most ? most : p.first_row;
	p.first_row = p.first_row < 0 ? 0 : p.first_row;
	return p;
}

static void line_row(struct canvas *c, const struct place *p, const struct model *m, int y, int line, bool selected)
{
	const struct rect *r = &p->source;
	const struct source_row *l = &m->listing.line[line - 1];
	char text[400], number[32];
	int x = r->x + HEAT_CHARS * c->cw, right = r->x + r->w;
	double heat = m->listing.most_line_heat ? (double)l->heat / (double)m->listing.most_line_heat : 0;
	bool here = m->selected && m->selected->waits != WB_WAIT_DONE && model_code(m, m->selected->pc) &&
		    model_code(m, m->selected->pc)->line == line;
	if (selected)
		canvas_fill(c, (struct rect){x - c->hair, y, right - x + c->hair, c->rh}, canvas_role(c, ROLE_SELECT));
	if (heat > 0)
		canvas_bar(c, (struct rect){r->x, y + 3 * c->hair, 3 * c->cw, c->rh - 6 * c->hair}, heat,
			   ramp_colour(heat));
	canvas_right(c, x + (LINE_CHARS - 2) * c->cw, y, canvas_role(c, selected ? ROLE_ACCENT : ROLE_DIM), 0, "%d",
		     line);
	x += (LINE_CHARS - 1) * c->cw;
	canvas_text(c, x, y, -1, canvas_role(c, ROLE_ACCENT), TEXT_BOLD, here ? "▶" : "");
	source_expand(text, sizeof text, l->text, l->n);
	bool narrow = r->w < NARROW * c->cw; /* then without issues, and indented by half */
	int numbers = l->first_insn < 0 ? 0 : LANES_CHARS * c->cw + (narrow ? 1 : 2) * p->count;
	canvas_text(c, x + c->cw, y, right - x - c->cw - numbers,
		    canvas_role(c, l->issues ? ROLE_TEXT : ROLE_DIM), here ? TEXT_BOLD : 0,
		    text + (narrow ? strspn(text, " ") / 2 : 0));
	if (!l->issues)
		return;
	if (l->lost)
		canvas_right(c, right, y, canvas_role(c, ROLE_BAD), 0, "%s", pane_number(number, l->lost));
	right -= p->count;
	canvas_right(c, right, y, canvas_role(c, ROLE_TEXT), 0, "%.1f", (double)l->threads / (double)l->issues);
	right -= LANES_CHARS * c->cw;
	if (!narrow)
		canvas_right(c, right, y, canvas_role(c, ROLE_TEXT), 0, "%s", pane_number(number, l->issues));
}

static void heading(struct canvas *c, const struct place *p)
{
	const struct rect *r = &p->source;
	uint32_t dim = canvas_role(c, ROLE_DIM);
	int right = r->x + r->w;
	canvas_text(c, r->x, r->y, -1, dim, 0, "heat");
	canvas_right(c, r->x + (HEAT_CHARS + LINE_CHARS - 2) * c->cw, r->y, dim, 0, "line");
	canvas_right(c, right, r->y, dim, 0, "lost");
	canvas_right(c, right - p->count, r->y, dim, 0, "lanes");
	if (r->w >= NARROW * c->cw)
		canvas_right(c, right - p->count - LANES_CHARS * c->cw, r->y, dim, 0, "issues");
}

/* The PTX of an instruction of a source in C, if the instruction before came of another line; NULL: none. */
static const char *other_line(const struct model *m, const struct code_row *row, int *before, int *n)
{
	int line;
	const char *text = wb_launch_beside(m->player->launch, row->pc, &line, n);

	if (!text || line == *before)
		return NULL;
	*before = line;
	return text;
}

/* The n bytes at `from`, each gap as one blank, without those in front. */
static void one_blank(char *to, size_t size, const char *from, int n)
{
	size_t used = 0;

	for (int i = 0; i < n && used + 1 < size; i++) {
		bool blank = from[i] == ' ' || from[i] == '\t';
		if (!blank || (used && to[used - 1] != ' '))
			to[used++] = blank ? ' ' : from[i];
	}
	to[used] = '\0';
}

/* Rows that the instructions of a line take, with lines of the PTX among them. */
static int rows_of(const struct model *m, int line)
{
	int rows = 0, before = 0, bytes;

	for (unsigned i = 0; i < m->listing.ncode; i++)
		if (m->listing.code[i].line == line)
			rows += 1 + (other_line(m, &m->listing.code[i], &before, &bytes) != NULL);
	return rows;
}

/* The instructions of a line, each with its issues, below their lines of the PTX. */
static void instructions(struct canvas *c, const struct rect *r, const struct model *m, const struct view *v, int line)
{
	int y = r->y, rows = r->h / c->rh - 1, n = line ? (int)m->listing.line[line - 1].instructions : 0;
	int left = pane_rows(rows, line ? rows_of(m, line) : 0), k = 0, before = 0, bytes;
	char number[32], text[200];
	canvas_line_v(c, r->x - c->cw / 2 - 1, r->y, r->h, canvas_role(c, ROLE_EDGE));
	canvas_printf(c, r->x, y, r->w, canvas_role(c, ROLE_DIM), 0,
		      n == 1 ? "line %d: 1 instruction" : "line %d: %d instructions", line, n);
	canvas_right(c, r->x + r->w, y, canvas_role(c, ROLE_DIM), 0, "issues");
	for (unsigned i = 0; i < m->listing.ncode && left > 0; i++) {
		const struct code_row *row = &m->listing.code[i];
		if (row->line != line)
			continue;
		const char *other = other_line(m, row, &before, &bytes);
		if (other && left < 2)
			break;
		if (other) {
			one_blank(text, sizeof text, other, bytes);
			canvas_printf(c, r->x, y += c->rh, r->w, canvas_role(c, ROLE_DIM), 0, "ptx %d  %s", before,
				      text);
		}
		left -= 1 + (other != NULL);
		y += c->rh;
		k++;
		if (v->pc == (int64_t)row->pc)
			canvas_fill(c, (struct rect){r->x, y, r->w, c->rh}, canvas_role(c, ROLE_SELECT));
		canvas_printf(c, r->x, y, -1, canvas_role(c, ROLE_DIM), 0, "0x%04x", row->pc);
		canvas_text(c, r->x + 7 * c->cw, y, r->w - 16 * c->cw, canvas_role(c, ROLE_TEXT), 0, row->text);
		canvas_right(c, r->x + r->w, y, canvas_role(c, ROLE_TEXT), 0, "%s",
			     pane_number(number, row->cost.issues));
	}
	pane_more(c, r, y + c->rh, n - k, "instructions");
}

/* The byte of a line's text at x, as line_row draws the text; -1: left of the text. */
static int offset_at(const struct canvas *c, const struct rect *r, const struct source_row *l, int x)
{
	char text[400];
	int column = (x - r->x) / c->cw - HEAT_CHARS - LINE_CHARS;
	source_expand(text, sizeof text, l->text, l->n);
	if (r->w < NARROW * c->cw)
		column += (int)strspn(text, " ") / 2;
	return x < r->x + (HEAT_CHARS + LINE_CHARS) * c->cw ? -1 : source_offset(l->text, l->n, column);
}

void source_hit(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v, int x,
		int y, struct hit *out)
{
	struct place p = place_of(c, body, m, v);
	int row = (y - body->y) / c->rh - 1, line = p.first_row + row + 1;
	char issues[32], lost[32], waited[32];
	if (row < 0 || row >= p.rows || line > m->listing.nlines || x >= p.source.x + p.source.w)
		return;
	const struct source_row *l = &m->listing.line[line - 1];
	int at = offset_at(c, &p.source, l, x);
	if (at >= 0 && m->selected && m->selected->waits != WB_WAIT_DONE &&
	    variable_at(m, l->text, l->n, at, out->text, sizeof out->text)) {
		out->pc = l->first_insn < 0 ? -1 : (int64_t)m->listing.code[l->first_insn].pc;
		return;
	}
	if (l->first_insn < 0) {
		snprintf(out->text, sizeof out->text, "line %d: no instruction comes from it", line);
		return;
	}
	out->pc = m->listing.code[l->first_insn].pc;
	snprintf(out->text, sizeof out->text,
		 "line %d: %u instruction%s from 0x%x on, %s issues, %s lane slots lost, %s cycles waited", line,
		 l->instructions, l->instructions == 1 ? "" : "s", (unsigned)out->pc, pane_number(issues, l->issues),
		 pane_number(lost, l->lost), pane_number(waited, l->waited));
}

void pane_source(struct canvas *c, const struct box *b, const struct model *m, const struct view *v)
{
	struct place p = place_of(c, &b->body, m, v);
	int line = model_line(m, v);
	if (!m->listing.nlines) {
		pane_empty(c, b, "No source is known: these are words, or a binary without line tables.");
		return;
	}
	pane_note(c, b, "%s · heat: %s", m->player->whole.known ? "whole run" : "so far",
		  heat_of_what(m->listing.heat));
	heading(c, &p);
	for (int i = 0; i < p.rows && p.first_row + i < m->listing.nlines; i++)
		line_row(c, &p, m, p.source.y + (i + 1) * c->rh, p.first_row + i + 1,
			 p.first_row + i + 1 == line);
	if (p.beside.w)
		instructions(c, &p.beside, m, v, line);
}
