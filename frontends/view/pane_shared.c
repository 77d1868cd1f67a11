/* Shared: the memory of the selected warp's block as 16 banks, its locks, its barriers. */
#include <stdio.h>
#include <string.h>

#include "frontends/view/pane.h"

enum { BANKS = 16, LINE = BANKS * 4, ADDR_CHARS = 7 };

static uint32_t word(const uint8_t *bytes, uint32_t addr)
{
	uint32_t value;
	memcpy(&value, bytes + addr, 4);
	return value;
}

static void warps_text(char *text, size_t size, uint64_t warps)
{
	size_t n = 0;
	*text = '\0';
	for (int i = 0; i < 64; i++)
		if (warps >> i & 1 && n < size)
			n += (size_t)snprintf(text + n, size - n, "%sw%d", n ? " " : "", i);
}

static int barriers(struct canvas *c, const struct rect *body, int y, const struct model *m)
{
	const struct wb_warp *w = m->selected;
	struct wb_barrier bar;
	char who[96];
	for (unsigned i = 0; i < WB_BARRIERS && y + c->rh <= body->y + body->h; i++) {
		if (!wb_launch_barrier(m->player->launch, w->mp, w->slot, i, &bar) || !bar.expected)
			continue;
		uint64_t missing = 0;
		for (unsigned s = 0; s < m->nslots; s++)
			if (m->present[s] && m->warp[s].block == w->block && m->warp[s].waits != WB_WAIT_DONE)
				missing |= 1ull << m->warp[s].warp;
		warps_text(who, sizeof who, missing & ~bar.waiting);
		canvas_tile(c, (struct rect){body->x, y + c->hair, 2 * c->cw - c->hair, c->rh - 2 * c->hair},
			    LANE_OFF, false);
		canvas_fill(c, (struct rect){body->x, y + c->hair, 2 * c->cw - c->hair, c->rh - 2 * c->hair},
			    COLOUR_BARRIER);
		canvas_text(c, body->x + c->cw / 2, y, -1, ink_on(COLOUR_BARRIER), TEXT_BOLD, "B");
		canvas_printf(c, body->x + 3 * c->cw, y, body->w - 3 * c->cw, canvas_role(c, ROLE_TEXT), 0,
			      "barrier %u: %u of %u arrived, missing %s", i, bar.arrived, bar.expected,
			      *who ? who : "nobody");
		y += c->rh;
	}
	return y;
}

static int locks(struct canvas *c, const struct rect *body, int y, const struct model *m)
{
	const struct wb_warp *w = m->selected;
	struct wb_lock lock;
	char who[96];
	for (unsigned i = 0;
	     y + c->rh <= body->y + body->h && wb_launch_lock(m->player->launch, w->mp, w->slot, i, &lock);
	     i++, y += c->rh) {
		warps_text(who, sizeof who, lock.waiters);
		canvas_fill(c, (struct rect){body->x, y + c->hair, 2 * c->cw - c->hair, c->rh - 2 * c->hair},
			    COLOUR_LOCK);
		canvas_text(c, body->x + c->cw / 2, y, -1, ink_on(COLOUR_LOCK), TEXT_BOLD, "L");
		canvas_printf(c, body->x + 3 * c->cw, y, body->w - 3 * c->cw, canvas_role(c, ROLE_TEXT), 0,
			      "lock s[%#x]: owner w%u, waiting %s", lock.addr, lock.owner, *who ? who : "nobody");
	}
	return y;
}

/* Hex digits of a word that fit a column. */
static int digits(const struct canvas *c, const struct rect *body)
{
	int room = (body->w - ADDR_CHARS * c->cw) / BANKS / c->cw - 1;
	return room >= 8 ? 8 : room >= 4 ? 4 : room >= 2 ? 2 : 0;
}

static void line(struct canvas *c, const struct model *m, int y, int x, int column, int shown, uint32_t addr)
{
	uint32_t mask = shown >= 8 ? UINT32_MAX : (1u << 4 * shown) - 1;
	for (uint32_t bank = 0; bank < BANKS && addr + bank * 4 + 4 <= m->shared_bytes; bank++, x += column) {
		uint32_t now = word(m->shared, addr + bank * 4), then = word(m->shared_before, addr + bank * 4);
		bool changed = now != then;
		struct rect cell = {x, y + c->hair, column - c->hair * 2, c->rh - 2 * c->hair};
		if (changed)
			canvas_fill(c, cell, canvas_role(c, ROLE_ACCENT));
		else if (!shown)
			canvas_fill(c, cell, canvas_role(c, now ? ROLE_DIM : ROLE_TROUGH));
		uint32_t ink = changed ? ink_on(canvas_role(c, ROLE_ACCENT))
				       : canvas_role(c, now ? ROLE_TEXT : ROLE_DIM);
		if (shown && (now || changed))
			canvas_printf(c, x, y, -1, ink, 0, "%0*x", shown, now & mask);
		else if (shown)
			canvas_text(c, x + (shown - 1) * c->cw, y, -1, ink, 0, "·");
	}
}

/* What the selected warp's last access asked of the banks: distinct words of each bank, half-warp by half-warp. */
struct access {
	bool known;
	char operand[24];
	uint32_t words[2][BANKS], most[2];
};

/* The address in "s[$a1+0x20]" or "s[0x10]" at `text`; false: it is none of these. */
static bool parse_operand(const char *text, char base[8], uint32_t *offset)
{
	unsigned n = 0;
	*offset = 0;
	base[0] = '\0';
	if (sscanf(text, "s[0x%x]", offset) == 1)
		return true;
	if (sscanf(text, "s[%7[$a-z0-9]+0x%x]", base, &n) < 1 || base[0] != '$')
		return false;
	*offset = n;
	return true;
}

static void ask(struct access *a, int half, uint32_t seen[16], int *nseen, uint32_t address)
{
	for (int i = 0; i < *nseen; i++)
		if (seen[i] == address / 4)
			return;
	seen[(*nseen)++] = address / 4;
	uint32_t n = ++a->words[half][address / 4 % BANKS];
	a->most[half] = n > a->most[half] ? n : a->most[half];
}

static void read_access(struct access *a, const struct model *m)
{
	const struct wb_warp *w = m->selected;
	const struct code_row *row = w->acted && w->did.issued ? model_code(m, w->did.pc) : NULL;
	const char *text = row ? strstr(row->text, "s[") : NULL;
	uint32_t base[LANES] = {0}, offset;
	char name[8];
	*a = (struct access){.known = false};
	if (!text || !parse_operand(text, name, &offset) || w->did.flow & WB_FLOW_REJOIN ||
	    (name[0] && !wb_launch_register(m->player->launch, w->mp, w->slot, name, base)))
		return;
	a->known = true;
	snprintf(a->operand, sizeof a->operand, "%.*s", (int)strcspn(text, " "), text);
	for (int half = 0; half < 2; half++) {
		uint32_t seen[16];
		int nseen = 0;
		for (int lane = half * 16; lane < half * 16 + 16; lane++)
			if (w->did.executed >> lane & 1)
				ask(a, half, seen, &nseen, base[lane] + offset);
	}
}

static void asked_row(struct canvas *c, const struct access *a, int x, int y, int column, int left)
{
	canvas_text(c, left, y, -1, canvas_role(c, ROLE_DIM), 0, "asked");
	for (int bank = 0; bank < BANKS; bank++) {
		uint32_t n = a->words[0][bank] > a->words[1][bank] ? a->words[0][bank] : a->words[1][bank];
		uint32_t ink = canvas_role(c, n > 1 ? ROLE_BAD : n ? ROLE_GOOD : ROLE_DIM);
		if (n)
			canvas_printf(c, x + bank * column, y, -1, ink, n > 1 ? TEXT_BOLD : 0, "%u", n);
		else
			canvas_text(c, x + bank * column, y, -1, ink, 0, "·");
	}
}

static void memory(struct canvas *c, const struct box *b, const struct model *m, const struct view *v,
		   const struct access *a, int y)
{
	const struct rect *body = &b->body;
	int shown = digits(c, body), column = shown ? (shown + 1) * c->cw : (body->w - ADDR_CHARS * c->cw) / BANKS;
	int x = body->x + ADDR_CHARS * c->cw, bottom = body->y + body->h;
	uint32_t dim = canvas_role(c, ROLE_DIM);
	if (y + 2 * c->rh > bottom)
		return;
	canvas_text(c, body->x, y, -1, dim, 0, "bank");
	for (uint32_t bank = 0; bank < BANKS && column >= 2 * c->cw; bank++)
		canvas_printf(c, x + (int)bank * column, y, -1, dim, 0, "%u", bank);
	y += c->rh;
	if (a->known && column >= 2 * c->cw && y + 2 * c->rh <= bottom) {
		asked_row(c, a, x, y, column, body->x);
		y += c->rh;
	}
	uint32_t at = (uint32_t)(v->scroll[PANE_shared] > 0 ? v->scroll[PANE_shared] : 0) * LINE;
	for (; at < m->shared_bytes && y + c->rh <= bottom; at += LINE, y += c->rh) {
		canvas_printf(c, body->x, y, -1, dim, 0, "0x%04x", at);
		line(c, m, y, x, column, shown, at);
	}
}

static double counter(const struct model *m, const char *name)
{
	for (unsigned i = 0; i < m->report->ncounters; i++)
		if (!strcmp(m->report->counters[i].name, name))
			return m->report->counters[i].value;
	return 0;
}

void pane_shared(struct canvas *c, const struct box *b, const struct model *m, const struct view *v)
{
	const struct rect *body = &b->body;
	struct access a;
	int y = body->y;
	if (!m->selected) {
		pane_empty(c, b, "No block is resident, so there is no shared memory.");
		return;
	}
	int shown = digits(c, body);
	if (shown && shown < 8)
		pane_note(c, b, "b%u · %u bytes, the low %d digits", m->selected->block, m->shared_bytes, shown);
	else
		pane_note(c, b, "b%u · %u bytes in 16 banks", m->selected->block, m->shared_bytes);
	read_access(&a, m);
	y = barriers(c, body, y, m);
	y = locks(c, body, y, m);
	if (y + c->rh <= body->y + body->h) {
		uint32_t most = a.most[0] > a.most[1] ? a.most[0] : a.most[1];
		if (a.known)
			canvas_printf(c, body->x, y, body->w, canvas_role(c, most > 1 ? ROLE_BAD : ROLE_TEXT), 0,
				      "%s asks up to %u word%s of one bank (half-warps: %u, %u)", a.operand, most,
				      most == 1 ? "" : "s", a.most[0], a.most[1]);
		else
			canvas_printf(c, body->x, y, body->w, canvas_role(c, ROLE_DIM), 0,
				      "the warp's last step was not here · extra passes so far: %.0f",
				      counter(m, "warp_serialize"));
		y += c->rh;
	}
	memory(c, b, m, v, &a, y);
}
