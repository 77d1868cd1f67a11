/* Why: what warps did with their cycles, together and one by one. */
#include <stdio.h>

#include "frontends/view/pane.h"

/* The last reason: a slot without a warp waits for nothing. */
static unsigned no_warp(void)
{
	return wb_stalls() - 1;
}

static uint64_t total_of(const uint64_t stalls[WB_STALLS])
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < no_warp(); i++)
		sum += stalls[i];
	return sum;
}

static void strip(struct canvas *c, struct rect r, const uint64_t stalls[WB_STALLS], uint64_t whole)
{
	uint64_t before = 0;
	canvas_fill(c, r, canvas_role(c, ROLE_TROUGH));
	for (unsigned i = 0; i < no_warp() && whole; i++) {
		int x0 = (int)(before * (uint64_t)r.w / whole),
		    x1 = (int)((before + stalls[i]) * (uint64_t)r.w / whole);
		uint32_t colour = stall_colour(c->theme, i);
		canvas_fill(c, (struct rect){r.x + x0, r.y, x1 - x0, r.h}, colour);
		pane_letter(c, (struct rect){r.x + x0, r.y, x1 - x0, r.h}, colour, wb_stall_letter(i));
		before += stalls[i];
	}
}

static void reason_row(struct canvas *c, const struct rect *body, int y, unsigned i, uint64_t n, uint64_t whole)
{
	char number[32], name[32];
	int x = body->x, right = body->x + body->w, bar = x + 36 * c->cw;
	int shares = bar - c->cw < right ? bar - c->cw : right;
	double share = whole ? (double)n / (double)whole : 0;
	uint32_t ink = canvas_role(c, n ? ROLE_TEXT : ROLE_DIM);
	uint32_t colour = stall_colour(c->theme, i);
	canvas_tip(c, (struct rect){x, y, body->w, c->rh}, "%s: %s", stall_words(name, i), wb_stall_text(i));
	canvas_fill(c, (struct rect){x, y + c->hair, 2 * c->cw - c->hair, c->rh - 2 * c->hair}, colour);
	canvas_text(c, x + c->cw / 2, y, -1, ink_on(colour), TEXT_BOLD, wb_stall_letter(i));
	canvas_text(c, x + 3 * c->cw, y, -1, ink, 0, stall_words(name, i));
	canvas_right(c, shares - 8 * c->cw, y, ink, 0, "%s", pane_number(number, n));
	if (i == no_warp())
		return;
	canvas_right(c, shares, y, ink, 0, n ? "%.1f %%" : "–", 100 * share);
	if (right - bar > 4 * c->cw)
		canvas_bar(c, (struct rect){bar, y + 4 * c->hair, right - bar, c->rh - 8 * c->hair}, share,
			   colour);
}

static void warp_rows(struct canvas *c, const struct box *b, const struct model *m, int y, int skip)
{
	const struct rect *body = &b->body;
	int bottom = body->y + body->h, x = body->x + 17 * c->cw, w = body->w - 17 * c->cw;
	char number[32], name[32];
	uint64_t longest = 1;
	if (y + 2 * c->rh > bottom || !m->costs->nwarps)
		return;
	canvas_printf(c, body->x, y, body->w, canvas_role(c, ROLE_DIM), 0, "%s warp cycles",
		      m->terms.blocks ? "block" : "     ");
	y += c->rh;
	for (unsigned i = 0; i < m->costs->nwarps; i++)
		longest = m->costs->warps[i].cycles > longest ? m->costs->warps[i].cycles : longest;
	int n = (int)m->costs->nwarps;
	skip = skip < n ? skip : n - 1;
	int end = skip + pane_rows((bottom - y) / c->rh, n - skip);
	pane_more(c, body, y + (end - skip) * c->rh, n - end, "warps");
	for (int i = skip; i < end; i++, y += c->rh) {
		const struct wb_warp_report *r = &m->costs->warps[i];
		if (m->terms.blocks)
			canvas_printf(c, body->x, y, -1, canvas_role(c, ROLE_TEXT), 0, "%4u %3u", r->block, r->warp);
		else
			canvas_printf(c, body->x, y, -1, canvas_role(c, ROLE_TEXT), 0, "%8u", r->block);
		canvas_right(c, body->x + 16 * c->cw, y, canvas_role(c, ROLE_TEXT), 0, "%s",
			     pane_number(number, r->cycles));
		int width = (int)((uint64_t)w * r->cycles / longest);
		canvas_tip(c, (struct rect){body->x, y, body->w, c->rh},
			   "%s: %s cycles, of which it issued in %llu", pane_warp_full(name, m, r->block, r->warp),
			   pane_number(number, r->cycles), (unsigned long long)r->stalls[0]);
		strip(c, (struct rect){x, y + 2 * c->hair, width, c->rh - 4 * c->hair}, r->stalls, r->cycles);
	}
}

void pane_why(struct canvas *c, const struct box *b, const struct model *m, const struct view *v)
{
	const struct rect *body = &b->body;
	uint64_t whole = total_of(m->costs->time.stalls);
	int y = body->y, bottom = body->y + body->h;
	char number[32];
	if (!whole) {
		pane_empty(c, b, "No cycles are known: nothing has been issued, or the run is without timing.");
		return;
	}
	pane_note(c, b, "%s · %s warp cycles", m->player->whole.known ? "whole run" : "so far",
		  pane_number(number, whole));
	char now[200];
	if (m->selected && m->player->record.n && timeline_why(m, m->selected->slot, now, sizeof now)) {
		y = pane_wrap(c, (struct rect){body->x, y, body->w, 2 * c->rh}, y, canvas_role(c, ROLE_ACCENT), 0, now);
		y += 2 * c->hair;
	}
	strip(c, (struct rect){body->x, y + 2 * c->hair, body->w, c->rh - 2 * c->hair}, m->costs->time.stalls, whole);
	y += c->rh + 3 * c->hair;
	bool tight = bottom - y < 12 * c->rh;
	for (unsigned i = 0; i < wb_stalls() && y + c->rh <= bottom; i++) {
		if (tight && !m->costs->time.stalls[i])
			continue;
		reason_row(c, body, y, i, m->costs->time.stalls[i], whole);
		y += c->rh;
	}
	warp_rows(c, b, m, y + c->rh / 2 * c->hair, v->scroll[PANE_why] < 0 ? 0 : v->scroll[PANE_why]);
}
