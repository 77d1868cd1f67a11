/* Shared: the memory of the selected warp's block by banks, its locks, its barriers. */
#include <stdio.h>
#include <string.h>

#include "frontends/view/pane.h"

enum { BANKS_MAX = 64, ADDR_CHARS = 7 };

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
	char warps[96];
	for (unsigned i = 0; i < WB_BARRIERS && y + c->rh <= body->y + body->h; i++) {
		if (!wb_launch_barrier(m->player->launch, w->mp, w->slot, i, &bar) || !bar.expected)
			continue;
		uint64_t missing = 0;
		for (unsigned s = 0; s < m->mp.nslots; s++)
			if (m->mp.present[s] && m->mp.warp[s].block == w->block && m->mp.warp[s].waits != WB_WAIT_DONE)
				missing |= 1ull << m->mp.warp[s].warp;
		warps_text(warps, sizeof warps, missing & ~bar.waiting);
		canvas_tile(c, (struct rect){body->x, y + c->hair, 2 * c->cw - c->hair, c->rh - 2 * c->hair},
			    LANE_OFF, false);
		canvas_fill(c, (struct rect){body->x, y + c->hair, 2 * c->cw - c->hair, c->rh - 2 * c->hair},
			    COLOUR_BARRIER);
		canvas_text(c, body->x + c->cw / 2, y, -1, ink_on(COLOUR_BARRIER), TEXT_BOLD, "B");
		canvas_printf(c, body->x + 3 * c->cw, y, body->w - 3 * c->cw, canvas_role(c, ROLE_TEXT), 0,
			      "barrier %u: %u of %u arrived, missing %s", i, bar.arrived, bar.expected,
			      *warps ? warps : "none");
		y += c->rh;
	}
	return y;
}

static int locks(struct canvas *c, const struct rect *body, int y, const struct model *m)
{
	const struct wb_warp *w = m->selected;
	struct wb_lock lock;
	char warps[96];
	for (unsigned i = 0;
	     y + c->rh <= body->y + body->h && wb_launch_lock(m->player->launch, w->mp, w->slot, i, &lock);
	     i++, y += c->rh) {
		warps_text(warps, sizeof warps, lock.waiters);
		canvas_fill(c, (struct rect){body->x, y + c->hair, 2 * c->cw - c->hair, c->rh - 2 * c->hair},
			    COLOUR_LOCK);
		canvas_text(c, body->x + c->cw / 2, y, -1, ink_on(COLOUR_LOCK), TEXT_BOLD, "L");
		canvas_printf(c, body->x + 3 * c->cw, y, body->w - 3 * c->cw, canvas_role(c, ROLE_TEXT), 0,
			      "lock s[%#x]: owner w%u, waiting %s", lock.addr, lock.owner, *warps ? warps : "none");
	}
	return y;
}

/* Hex digits of a word that fit a column. */
static int digits(const struct canvas *c, const struct rect *body, int banks)
{
	int space = (body->w - ADDR_CHARS * c->cw) / banks / c->cw - 1;
	return space >= 8 ? 8 : space >= 4 ? 4 : space >= 2 ? 2 : 0;
}

static void line(struct canvas *c, const struct model *m, int y, int x, int column, int shown, uint32_t addr)
{
	uint32_t most = shown >= 8 ? UINT32_MAX : (1u << 4 * shown) - 1;
	for (uint32_t bank = 0; bank < m->machine.shared_banks && addr + bank * 4 + 4 <= m->shared.bytes;
	     bank++, x += column) {
		uint32_t now = word(m->shared.now, addr + bank * 4), then = word(m->shared.before, addr + bank * 4);
		bool changed = now != then;
		struct rect cell = {x, y + c->hair, column - c->hair * 2, c->rh - 2 * c->hair};
		if (changed)
			canvas_fill(c, cell, canvas_role(c, ROLE_ACCENT));
		else if (!shown)
			canvas_fill(c, cell, canvas_role(c, now ? ROLE_DIM : ROLE_TROUGH));
		uint32_t ink = changed         ? ink_on(canvas_role(c, ROLE_ACCENT))
			       : !shown && now ? ink_on(canvas_role(c, ROLE_DIM))
					       : canvas_role(c, now ? ROLE_TEXT : ROLE_DIM);
		if (shown && now > most) { /* the first digits, and a sign for more */
			int length = 8 - __builtin_clz(now) / 4;
			canvas_printf(c, x, y, -1, ink, 0, "%x", now >> 4 * (length - shown));
			canvas_text(c, x + shown * c->cw, y, -1, canvas_role(c, ROLE_DIM), TEXT_OVER, "…");
		} else if (shown && (now || changed)) {
			canvas_printf(c, x, y, -1, ink, 0, "%*x", shown, now);
		} else if (shown) {
			canvas_text(c, x + (shown - 1) * c->cw, y, -1, ink, 0, "·");
		} else if (c->cell) { /* for terminals without colours */
			canvas_text(c, x, y, -1, ink, 0, changed ? "*" : now ? "#" : "·");
		}
	}
}

/* Accesses of the last instruction to the banks: distinct words of each bank, group by group; and the cost. */
struct asked {
	bool known;
	struct wb_access access;
	char operand[32];
	unsigned banks;
	uint32_t words[BANKS_MAX]; /* by bank, in the group with the most accesses */
};

static void count_words(struct asked *a, unsigned group)
{
	unsigned lanes = a->access.group_lanes, n = 0;
	uint64_t seen[WB_LANES];
	uint32_t words[BANKS_MAX] = {0};
	for (unsigned lane = group * lanes; lane < (group + 1) * lanes; lane++) {
		uint64_t word = a->access.addr[lane] / 4;
		unsigned i = 0;
		if (!(a->access.lanes >> lane & 1))
			continue;
		while (i < n && seen[i] != word)
			i++;
		if (i == n) {
			seen[n++] = word;
			words[word % a->banks]++;
		}
	}
	for (unsigned bank = 0; bank < a->banks; bank++)
		a->words[bank] = words[bank] > a->words[bank] ? words[bank] : a->words[bank];
}

static void read_access(struct asked *a, const struct model *m)
{
	const struct wb_action *last = &m->where.last;
	const struct code_row *row = model_code(m, last->pc);
	const char *text = row ? strstr(row->text, "s[") : NULL;
	*a = (struct asked){.banks = m->machine.shared_banks};
	if (!a->banks || a->banks > BANKS_MAX || !m->where.began || last->block != m->selected->block)
		return;
	for (unsigned i = 0; !a->known && wb_launch_access(m->player->launch, i, &a->access); i++)
		a->known = !strcmp(a->access.space, "s");
	if (!a->known)
		return;
	snprintf(a->operand, sizeof a->operand, "%.*s", text ? (int)strcspn(text, "]") + 1 : 3, text ? text : "s[]");
	for (unsigned g = 0; g < a->access.groups; g++)
		count_words(a, g);
}

/* "s[$a1+0x20]: 16 and 16 passes, 30 too many" */
static int cost_row(struct canvas *c, const struct rect *body, int y, const struct asked *a)
{
	char passes[64] = "", group[32];
	uint32_t extra = 0;
	size_t n = 0;
	for (unsigned g = 0; g < a->access.groups; g++) {
		uint32_t k = a->access.passes[g];
		n += (size_t)snprintf(passes + n, sizeof passes - n, "%s%u", g ? " and " : "", k);
		extra += k > 1 ? k - 1 : 0;
	}
	if (extra)
		canvas_printf(c, body->x, y, body->w, canvas_role(c, ROLE_BAD), 0, "%s: %s passes, %u too many",
			      a->operand, passes, extra);
	else
		canvas_printf(c, body->x, y, body->w, canvas_role(c, ROLE_GOOD), 0,
			      "%s: one pass %s, no conflict", a->operand,
			      access_groups(&a->access, false, group, sizeof group));
	return y + c->rh;
}

/* right: end of a column's numbers, above the ends of the values. */
static void asked_row(struct canvas *c, const struct asked *a, int right, int y, int column, int left)
{
	canvas_text(c, left, y, -1, canvas_role(c, ROLE_DIM), 0, "asked");
	for (int bank = 0; bank < (int)a->banks; bank++) {
		uint32_t n = a->words[bank];
		uint32_t ink = canvas_role(c, n > 1 ? ROLE_BAD : n ? ROLE_GOOD : ROLE_DIM);
		if (n)
			canvas_right(c, right + bank * column, y, ink, n > 1 ? TEXT_BOLD : 0, "%u", n);
		else
			canvas_right(c, right + bank * column, y, ink, 0, "·");
	}
}

static void memory(struct canvas *c, const struct box *b, const struct model *m, const struct view *v,
		   const struct asked *a, int y)
{
	const struct rect *body = &b->body;
	int banks = (int)m->machine.shared_banks, shown = digits(c, body, banks);
	int column = shown ? (shown + 1) * c->cw : (body->w - ADDR_CHARS * c->cw) / banks;
	int x = body->x + ADDR_CHARS * c->cw, bottom = body->y + body->h, right = x + (shown ? shown : 2) * c->cw;
	uint32_t dim = canvas_role(c, ROLE_DIM), bytes = 4 * m->machine.shared_banks;
	if (y + 2 * c->rh > bottom)
		return;
	canvas_text(c, body->x, y, -1, dim, 0, "bank");
	for (int bank = 0; bank < banks && column >= 2 * c->cw; bank++)
		canvas_right(c, right + bank * column, y, dim, 0, "%d", bank);
	y += c->rh;
	if (a->known && column >= 2 * c->cw && y + 2 * c->rh <= bottom) {
		asked_row(c, a, right, y, column, body->x);
		y += c->rh;
	}
	uint32_t at = (uint32_t)(v->scroll[PANE_shared] > 0 ? v->scroll[PANE_shared] : 0) * bytes;
	int rows = at < m->shared.bytes ? (int)((m->shared.bytes - at + bytes - 1) / bytes) : 0,
	    end = pane_rows((bottom - y) / c->rh, rows);
	pane_more(c, body, y + end * c->rh, rows - end, "rows");
	for (; end > 0; end--, at += bytes, y += c->rh) {
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
	struct asked a;
	int y = body->y;
	if (!m->selected) {
		pane_empty(c, b, "No warp is resident, so there is no shared memory.");
		return;
	}
	pane_note(c, b, m->terms.blocks ? "b%u · %u bytes in %u banks" : "w%u · %u bytes in %u banks",
		  m->selected->block, m->shared.bytes, m->machine.shared_banks);
	read_access(&a, m);
	y = barriers(c, body, y, m);
	y = locks(c, body, y, m);
	if (y + c->rh <= body->y + body->h && a.known) {
		y = cost_row(c, body, y, &a);
	} else if (y + c->rh <= body->y + body->h) {
		canvas_printf(c, body->x, y, body->w, canvas_role(c, ROLE_DIM), 0,
			      "the last step was not here · extra passes so far: %.0f", counter(m, "warp_serialize"));
		y += c->rh;
	}
	memory(c, b, m, v, &a, y);
}
