/* Watch: values across the lanes, with the lanes marked that the last issue changed. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "frontends/view/pane.h"

enum { LANE_CHARS = 4, VALUE_CHARS = 8 /* of 32 bits */ };

static int value_chars(const struct watched *w)
{
	return w->bits > 32 ? 2 * VALUE_CHARS : VALUE_CHARS;
}

/* A value in at most `chars` characters, if possible: a float gives up digits. */
static void value_text(char text[24], uint64_t wide, unsigned bits, char format, int chars)
{
	uint32_t value = (uint32_t)wide;
	float f;
	double d;
	memcpy(&f, &value, sizeof f);
	memcpy(&d, &wide, sizeof d);
	d = bits > 32 ? d : (double)f;
	switch (bits > 32 && format != 'f' ? toupper((unsigned char)format) : format) {
	case 'D': snprintf(text, 24, "%lld", (long long)wide); break;
	case 'U': snprintf(text, 24, "%llu", (unsigned long long)wide); break;
	case 'X': snprintf(text, 24, "%016llx", (unsigned long long)wide); break;
	case 'd': snprintf(text, 24, "%d", (int32_t)value); break;
	case 'u': snprintf(text, 24, "%u", value); break;
	case 'f':
		for (int digits = bits > 32 ? 15 : 6; digits > 0 && snprintf(text, 24, "%.*g", digits, d) > chars;)
			digits--;
		break;
	default: snprintf(text, 24, value > 0xffff ? "%08x" : "%x", value); break;
	}
}

static const char *format_name(char format)
{
	return format == 'd' ? "int" : format == 'u' ? "unsigned" : format == 'f' ? "float" : "hex";
}

static void value_cell(struct canvas *c, struct rect r, const struct model *m, const struct watched *w, unsigned lane)
{
	char text[24];
	bool absent = !w->one && !(w->lanes >> lane & 1);
	bool changed = !absent && w->now[lane] != w->before[lane];
	bool runs = w->one || m->selected->active >> lane & 1;
	uint32_t back = canvas_role(c, ROLE_ACCENT);
	value_text(text, w->now[lane], w->bits, w->format, r.w / c->cw - 1);
	if (absent)
		snprintf(text, sizeof text, "-");
	if (changed)
		canvas_fill(c, (struct rect){r.x, r.y + c->hair, r.w - c->cw / 2, r.h - 2 * c->hair}, back);
	uint32_t ink = changed ? ink_on(back) : canvas_role(c, runs ? ROLE_TEXT : ROLE_DIM);
	int width = canvas_text_width(c, text), most = r.w - c->cw;
	canvas_text(c, r.x + (width < most ? most - width : 0), r.y, most, ink, 0, text);
}

/* Lanes in a row, as many as fit: of 32 bits 16, 8 or 4, of 64 bits 2. */
static unsigned lanes_across(const struct watched *w, unsigned lanes, int space)
{
	char text[24];
	int longest = 1;
	unsigned across = lanes < 32 ? lanes : 32;
	for (unsigned lane = 0; lane < lanes; lane++) {
		value_text(text, w->now[lane], w->bits, w->format, value_chars(w));
		longest = (int)strlen(text) > longest ? (int)strlen(text) : longest;
	}
	while (across > 128 / w->bits && (int)across * (longest + 1) > space)
		across /= 2;
	return across;
}

static int grid(struct canvas *c, const struct rect *body, int y, const struct model *m, const struct watched *w)
{
	int space = body->w / c->cw - LANE_CHARS;
	unsigned lanes = m->machine.lanes, across = lanes_across(w, lanes, space);
	int column = space / (int)across * c->cw, widest = (value_chars(w) + 2) * c->cw;
	column = column > widest ? widest : column;
	int rows = (int)((lanes + across - 1) / across), shown = pane_rows((body->y + body->h - y) / c->rh, rows);
	pane_more(c, body, y + shown * c->rh, rows - shown, "rows of lanes");
	if (shown < rows)
		lanes = (unsigned)shown * across;
	for (unsigned lane = 0; lane < lanes; lane++) {
		int x = body->x + LANE_CHARS * c->cw + (int)(lane % across) * column;
		if (lane % across == 0)
			canvas_right(c, body->x + 3 * c->cw, y, canvas_role(c, ROLE_DIM), 0, "%u", lane);
		value_cell(c, (struct rect){x, y, column, c->rh}, m, w, lane);
		if (lane % across == across - 1)
			y += c->rh;
	}
	return shown < rows ? y + c->rh : y;
}

/* A bit a lane: a row of ticks, and the mask as digits where they fit. */
static void mask_row(struct canvas *c, const struct rect *body, int x, int y, const struct model *m,
		     const struct watched *w)
{
	uint64_t now = w->now[0], before = w->before[0];
	int right = body->x + body->w, digits = (int)m->machine.lanes / 4 + 3;
	bool wide = right - x > (digits + 12) * c->cw;
	uint32_t ink = canvas_role(c, now != before ? ROLE_ACCENT : ROLE_TEXT);
	if (wide)
		canvas_printf(c, x, y, -1, ink, now != before ? TEXT_BOLD : 0, "0x%0*llx", digits - 3,
			      (unsigned long long)now);
	x += wide ? digits * c->cw : 0;
	pane_ticks(c, (struct rect){x, y, right - x, c->rh}, now, m->machine.lanes,
		   now != before ? canvas_role(c, ROLE_ACCENT) : lane_looks[LANE_EXECUTED].colour);
}

void pane_watch(struct canvas *c, const struct box *b, const struct model *m, const struct view *v)
{
	const struct rect *body = &b->body;
	int y = body->y, skip = v->scroll[PANE_watch];
	char name[32];
	if (!m->selected) {
		pane_empty(c, b, "No warp is resident, so there are no registers.");
		return;
	}
	if (!m->watch.n) {
		pane_empty(c, b, "Nothing is watched: \":watch $r3 f\" or \":watch s[0x40]\" adds a row.");
		return;
	}
	pane_note(c, b, "%s%s", pane_warp_full(name, m, m->selected->block, m->selected->warp),
		  v->watch[0].name[0] ? "" :
		  m->listing.compiled ? " · what its line and instructions name" : " · what its instructions name");
	for (unsigned i = 0; i < m->watch.n && y + c->rh <= body->y + body->h; i++) {
		const struct watched *w = &m->watch.entry[i];
		if (skip-- > 0)
			continue;
		int x = canvas_printf(c, body->x, y, -1, canvas_role(c, ROLE_GOOD), TEXT_BOLD, "%s ", w->row.name);
		bool is_named = w->note[0] && w->valid; /* by its type */
		x = canvas_text(c, x, y, body->x + body->w - x, canvas_role(c, ROLE_DIM), 0,
				is_named ? w->note : w->note[0] ? "" : format_name(w->format));
		if (!w->valid)
			canvas_text(c, x, y, body->x + body->w - x, canvas_role(c, ROLE_BAD), 0,
				    w->note[0] ? w->note : ": the warp has none");
		if (w->mask) {
			mask_row(c, body, x + c->cw, y, m, w);
			y += c->rh + 3 * c->hair;
			continue;
		}
		y += w->one ? 0 : c->rh;
		if (w->valid && w->one)
			value_cell(c, (struct rect){x + c->cw, y, (value_chars(w) + 4) * c->cw, c->rh}, m, w, 0);
		else if (w->valid)
			y = grid(c, body, y, m, w);
		y += w->one ? c->rh : 3 * c->hair;
	}
}
