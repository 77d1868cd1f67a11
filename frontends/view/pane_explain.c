/* Explain: the last step in one sentence, for readers of one page about warps. The sentence is made from the action,
 * the stack before and after, and memory costs. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "frontends/view/pane.h"

struct words {
	char *text;
	size_t size, n;
};

static void append(struct words *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void append(struct words *s, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(s->text + s->n, s->size - s->n, fmt, ap);
	va_end(ap);
	s->n = n > 0 && s->n + (size_t)n < s->size ? s->n + (size_t)n : s->size - 1;
}

static int count(uint64_t mask)
{
	return __builtin_popcountll(mask);
}

/* "0x50 (odd)" */
static void append_place(struct words *s, const struct model *m, uint32_t pc)
{
	const char *label = model_label(m, pc);
	append(s, *label ? "0x%x (%s)" : "0x%x", pc, label);
}

enum { MNEMONIC = 48 };

/* The bare word of an instruction: "bra" of "(lg $c0) bra #odd". */
static void mnemonic(const struct model *m, uint32_t pc, char word[MNEMONIC])
{
	const struct code_row *row = model_code(m, pc);
	const char *text = row ? row->text : "?";
	snprintf(word, MNEMONIC, "?");
	for (;;) {
		if (*text == '(' && strchr(text, ')'))
			text = strchr(text, ')') + 1;
		text += strspn(text, " ");
		int n = (int)strcspn(text, " ");
		const char *next = text + n + strspn(text + n, " ");
		bool prefix = n == 4 && (!strncmp(text, "join", 4) || !strncmp(text, "exit", 4));
		bool hollow = n == 3 && !strncmp(text, "nop", 3) && *word != '?'; /* only the prefix has a meaning */
		if (n && !hollow)
			snprintf(word, MNEMONIC, "%.*s", n, text);
		if (!prefix || !*next)
			return;
		text = next;
	}
}

/* "1 of 32 lanes leaves", "2 of 32 lanes leave". */
static const char *ending(int lanes)
{
	return lanes == 1 ? "s" : "";
}

/* The first stack entry from the top with any of `lanes` and no active lane; with a name, the first entry of the name.
 * Without a match the top entry. Returns the level; -1: the stack is empty. */
static int entry_for(const struct model *m, const struct wb_warp *w, uint64_t lanes, const char *name,
		     struct wb_stack *out)
{
	const struct wb_launch *l = m->player->launch;
	for (unsigned level = 0; wb_launch_stack(l, w->mp, w->slot, level, out); level++)
		if (name ? !strncmp(out->name, name, strlen(name)) : out->mask & lanes && !(out->mask & w->active))
			return (int)level;
	return wb_launch_stack(l, w->mp, w->slot, 0, out) ? 0 : -1;
}

static void below(struct words *s, const struct model *m, const struct wb_warp *w, unsigned level)
{
	struct wb_stack e;
	if (wb_launch_stack(m->player->launch, w->mp, w->slot, level + 1, &e)) {
		append(s, "; %s ", e.name);
		append_place(s, m, e.pc);
		append(s, " waits below");
	}
}

static void diverged(struct words *s, const struct model *m, const struct wb_warp *w, const struct wb_action *did)
{
	struct wb_stack other;
	const struct code_row *row = model_code(m, did->pc);
	bool jumped = !row || w->pc != row->pc + row->length;
	int here = count(w->active), all = count(did->active);
	append(s, "%d of %d lanes %s%s %s ", here, all, jumped ? "jump" : "fall", ending(here),
	    jumped ? "to" : "through to");
	append_place(s, m, w->pc);
	int level = entry_for(m, w, did->active & ~w->active, NULL, &other);
	if (level < 0)
		return;
	append(s, "; the other %d %s pushed (%s, pc ", all - here, all - here == 1 ? "is" : "are", other.name);
	append_place(s, m, other.pc);
	append(s, ")");
	below(s, m, w, (unsigned)level);
}

/* What the step made of a mask in a register: "EXEC keeps 31 of 64 lanes; the other 33 wait, masked, and the warp goes
 * on at 0x98". False: no lanes parted and none came back. */
static bool masked(struct words *s, const struct model *m, const struct wb_warp *w, const struct wb_action *did)
{
	const char *mask = m->terms.mask_register;
	int before = count(did->active & w->launched), gone = count(did->active & w->launched & ~w->active);
	int came = count(w->active & w->launched & ~did->active);
	if (!mask || !(did->flow & (WB_FLOW_PUSH | WB_FLOW_MERGED)))
		return false;
	if (!w->active) {
		append(s, "%s is 0: the last %d lane%s leave%s, masked", mask, gone, gone == 1 ? "" : "s",
		       ending(gone));
		return true;
	}
	if (did->flow & WB_FLOW_DIVERGED)
		append(s, "lanes part: %s keeps %d of %d, and %d wait%s, masked", mask, before - gone, before, gone,
		       ending(gone));
	else if (did->flow & WB_FLOW_POP)
		append(s, "%s changes sides: %d lane%s wait%s, masked", mask, gone, gone == 1 ? "" : "s", ending(gone));
	else
		append(s, "%s has %d lane%s", mask, before, before == 1 ? "" : "s");
	if (came)
		append(s, " and gets back %d that waited", came);
	append(s, "; %d go%s on at ", count(w->active), count(w->active) == 1 ? "es" : "");
	append_place(s, m, w->pc);
	return true;
}

/* Lanes removed by the step, by destination: "15 lanes break and wait for the others at 0xb8 (store)". */
static bool left(struct words *s, const struct model *m, const struct wb_warp *w, const struct wb_action *did)
{
	const struct wb_warp *was = &m->acted.warp;
	struct wb_stack top;
	uint64_t broke = w->broke & ~was->broke, returned = w->returned & ~was->returned;
	uint64_t ended = w->exited & ~was->exited, gone = broke ? broke : returned ? returned : ended;
	if (!m->acted.known || was->block != w->block || !gone || !w->active)
		return false;
	if (gone == ended)
		append(s, "%d of %d lanes end%s", count(gone), count(did->active), ending(count(gone)));
	else
		append(s, "%d of %d lanes %s%s and wait%s", count(gone), count(did->active), broke ? "break" : "return",
		       ending(count(gone)), ending(count(gone)));
	if (gone != ended && entry_for(m, w, 0, broke ? "prebrk" : "call", &top) >= 0) {
		append(s, " for the others at ");
		append_place(s, m, top.pc);
	}
	append(s, "; %d go%s on at ", count(w->active), count(w->active) == 1 ? "es" : "");
	append_place(s, m, w->pc);
	return true;
}

static void rejoined(struct words *s, const struct model *m, const struct wb_warp *w, const struct wb_action *did)
{
	if (count(did->active) == 1)
		append(s, "this lane waits here; ");
	else
		append(s, "these %d lanes wait here; ", count(did->active));
	if (count(w->active) == 1)
		append(s, "a lane that had been put aside goes on at ");
	else
		append(s, "%d lanes that had been put aside go on at ", count(w->active));
	append_place(s, m, w->pc);
}

static void jumped(struct words *s, const struct model *m, const struct wb_warp *w, const struct wb_action *did)
{
	bool taken = did->flow & WB_FLOW_TAKEN;
	append(s, "all %d active lanes %s ", count(did->active), taken ? "jump to" : "fall through to");
	append_place(s, m, w->pc);
	append(s, ", so the warp stays together");
}

static void pushed(struct words *s, const struct model *m, const struct wb_warp *w)
{
	struct wb_stack top;
	if (!wb_launch_stack(m->player->launch, w->mp, w->slot, 0, &top))
		return;
	append(s, "%d lanes are remembered (%s), to go on together at ", count(top.mask), top.name);
	append_place(s, m, top.pc);
}

static void plain(struct words *s, const struct model *m, const struct wb_warp *w, const struct wb_action *did)
{
	int active = count(did->active), ran = count(did->executed), launched = w ? count(w->launched) : active;
	if (active == launched && ran == active)
		append(s, "all %d lanes execute", ran);
	else if (active == launched)
		append(s, "%d of %d lanes execute%s", ran, launched, ending(ran));
	else
		append(s, "%d of %d lanes execute%s while %d %s", ran, launched, ending(ran), launched - active,
		    w && w->exited          ? "wait or have ended"
		    : launched - active > 1 ? "wait"
					    : "waits");
	if (ran < active)
		append(s, "; a predicate turns off %d", active - ran);
	if (did->flow & WB_FLOW_POP && w && w->waits != WB_WAIT_DONE) {
		append(s, "; then %d lanes go on at ", count(w->active));
		append_place(s, m, w->pc);
	}
}

/* The cost of memory accesses: "s[] needs 16 and 16 passes". */
static void accesses(struct words *s, const struct model *m)
{
	struct wb_access a;
	for (unsigned i = 0; wb_launch_access(m->player->launch, i, &a); i++) {
		uint32_t passes = 0, served = 0, transactions = 0, bytes = 0;
		char group[32];
		for (unsigned g = 0; g < a.groups; g++) {
			passes += a.passes[g];
			served += a.passes[g] != 0;
			transactions += a.transactions[g];
			bytes += a.bytes[g];
		}
		if (passes > served)
			append(s, "; %s[] serves %s in %u passes instead of %u", a.space,
			    access_groups(&a, served > 1, group, sizeof group), passes, served);
		if (transactions)
			append(s, "; %s[] moves %u bytes in %u transaction%s", a.space, bytes, transactions,
			    transactions == 1 ? "" : "s");
	}
}

static void consequences(struct words *s, const struct model *m, const struct wb_warp *w, const struct wb_action *did)
{
	const struct code_row *row = model_code(m, did->pc);
	if (!w) {
		append(s, m->terms.blocks ? "; the warp has ended, and its block with it" : "; the warp has ended");
		return;
	}
	if (did->flow & WB_FLOW_MERGED && !m->terms.mask_register)
		append(s, "; the paths have met: %d lanes are together again", count(w->active));
	if (w->waits == WB_WAIT_BARRIER)
		append(s, "; the warp waits at barrier %u for the others", w->waits_for);
	else if (w->waits == WB_WAIT_LOCK)
		append(s, "; the warp waits for a lock");
	else if (w->waits == WB_WAIT_DONE)
		append(s, "; the warp has ended");
	else if (w->waits == WB_WAIT_FAULT)
		append(s, "; the warp faults");
	else if (row && strstr(row->text, "bar ") && strstr(row->text, " wait") && did->executed)
		append(s, "; it is the last to arrive, so all go on");
}

void explain_text(char *text, size_t size, const struct model *m)
{
	struct words s = {text, size, 0};
	const struct wb_action *did = &m->where.last;
	struct wb_warp warp, *w = NULL;
	char word[MNEMONIC];
	*text = '\0';
	if (!m->where.began) {
		append(&s, "Nothing has been issued yet: n steps forward, d runs to the first divergence.");
		return;
	}
	if (wb_launch_warp(m->player->launch, did->mp, did->slot, &warp) && warp.block == did->block &&
	    warp.warp == did->warp)
		w = &warp;
	mnemonic(m, did->pc, word);
	append(&s, "%s at ", did->flow & WB_FLOW_REJOIN ? "join" : word); /* a rejoin skips the rest */
	append_place(&s, m, did->pc);
	append(&s, ": ");
	if (!did->issued)
		append(&s, "cannot be issued yet");
	else if (w && (masked(&s, m, w, did) || left(&s, m, w, did)))
		;
	else if (w && did->flow & WB_FLOW_DIVERGED)
		diverged(&s, m, w, did);
	else if (w && did->flow & WB_FLOW_REJOIN)
		rejoined(&s, m, w, did);
	else if (w && did->flow & WB_FLOW_BRANCH && w->waits != WB_WAIT_DONE)
		jumped(&s, m, w, did);
	else if (w && did->flow & WB_FLOW_PUSH)
		pushed(&s, m, w);
	else
		plain(&s, m, w, did);
	accesses(&s, m);
	consequences(&s, m, w, did);
	append(&s, ".");
	if (m->where.over && strcmp(m->where.result, "ok"))
		append(&s, " The launch ends here: %s.", m->where.result);
}

/* Earlier issues of the shown multiprocessor, latest first, in the remaining rows. */
static void log_rows(struct canvas *c, const struct box *b, const struct model *m, int y)
{
	const struct rect *body = &b->body;
	const struct record *r = &m->player->record;
	uint64_t i = record_mp_before(r, m->mp.number, m->where.issue);
	uint32_t dim = canvas_role(c, ROLE_DIM);
	y += c->rh;
	if (y + 3 * c->rh > body->y + body->h || !i)
		return;
	canvas_printf(c, body->x, y, body->w, dim, 0, "   cycle  MP %s warp  pc      lanes  what was issued",
		      m->terms.blocks ? "block" : "     ");
	for (y += c->rh; i && y + c->rh <= body->y + body->h; y += c->rh) {
		const struct event *e = record_mp_at(r, m->mp.number, --i);
		const struct code_row *row = model_code(m, e->pc);
		uint32_t ink = canvas_role(c, e->flow & WB_FLOW_DIVERGED                    ? ROLE_BAD
					      : e->flow & (WB_FLOW_MERGED | WB_FLOW_REJOIN) ? ROLE_GOOD
											    : ROLE_TEXT);
		char number[32];
		canvas_right(c, body->x + 8 * c->cw, y, dim, 0, "%s", pane_number(number, e->cycle));
		if (m->terms.blocks)
			canvas_printf(c, body->x + 10 * c->cw, y, -1, dim, 0, "%2u %5u %4u  0x%04x", e->mp, e->block,
				      e->warp, e->pc);
		else
			canvas_printf(c, body->x + 10 * c->cw, y, -1, dim, 0, "%2u %10u  0x%04x", e->mp, e->block,
				      e->pc);
		canvas_printf(c, body->x + 35 * c->cw, y, -1, ink, 0, "%2d", count(e->executed));
		canvas_printf(c, body->x + 40 * c->cw, y, body->w - 40 * c->cw, ink, 0, "%s%s", row ? row->text : "",
			      e->flow & WB_FLOW_DIVERGED ? "   splits"
			      : e->flow & WB_FLOW_REJOIN ? "   arrives at the join"
			      : m->terms.mask_register && e->flow & WB_FLOW_POP ? "   changes sides"
			      : e->flow & WB_FLOW_MERGED ? "   paths meet"
							 : "");
	}
}

/* The executed instruction with its source line and its lanes. */
static int executed_row(struct canvas *c, const struct rect *body, const struct model *m, int y)
{
	const struct wb_action *did = &m->where.last;
	const struct code_row *row = model_code(m, did->pc);
	uint32_t dim = canvas_role(c, ROLE_DIM);
	if (!row)
		return y;
	int x = canvas_printf(c, body->x, y, -1, dim, 0, "0x%04x  ", did->pc), right = body->x + body->w;
	x = canvas_text(c, x, y, right - x, canvas_role(c, ROLE_ACCENT), 0, row->text) + 2 * c->cw;
	char source[80];
	if (*model_source_text(m, row->line, source, sizeof source))
		x = canvas_printf(c, x, y, right - x, dim, 0, "line %s", source) + 2 * c->cw;
	else if (row->line && right - x > 12 * c->cw)
		x = canvas_printf(c, x, y, -1, dim, 0, "line %d", row->line) + 2 * c->cw;
	if (right - x > (int)(m->machine.lanes + 12) * c->cw) {
		x = canvas_text(c, x, y, -1, dim, 0, "executed by ");
		pane_ticks(c, (struct rect){x, y, right - x, c->rh}, did->executed, m->machine.lanes,
			   lane_looks[LANE_EXECUTED].colour);
	}
	return y + c->rh;
}

/* What the warp of the last step has printed last. */
static int printed_row(struct canvas *c, const struct box *b, const struct model *m, int y)
{
	const struct wb_print *print, *last = NULL;
	uint64_t lost;
	size_t n = wb_launch_prints(m->player->launch, &print, &lost);
	char text[512], name[32];
	for (size_t i = 0; i < n; i++)
		if (print[i].block == m->where.last.block && print[i].warp == m->where.last.warp)
			last = &print[i];
	if (!n || y + c->rh > b->body.y + b->body.h)
		return y;
	if (last)
		snprintf(text, sizeof text, "printf (%zu): %s lane %u: %.*s", n,
			 pane_warp_full(name, m, last->block, last->warp), last->lane, (int)strcspn(last->text, "\n"),
			 last->text);
	else
		snprintf(text, sizeof text, "printf (%zu)", n);
	canvas_printf(c, b->body.x, y, b->body.w, canvas_role(c, ROLE_ACCENT), 0, "%s", text);
	return y + c->rh;
}

void pane_explain(struct canvas *c, const struct box *b, const struct model *m, const struct view *v)
{
	char text[512], name[32], cycle[32];
	explain_text(text, sizeof text, m);
	int y = pane_wrap(c, b->body, b->body.y, canvas_role(c, ROLE_TEXT), 0, text);
	if (m->where.began && y + c->rh <= b->body.y + b->body.h)
		y = executed_row(c, &b->body, m, y);
	if (m->where.began)
		y = printed_row(c, b, m, y);
	const struct wb_report *r = m->report;
	if (m->where.began)
		pane_note(c, b, "cycle %s · %s", pane_number(cycle, m->where.last.cycle),
			  pane_warp_full(name, m, m->where.last.block, m->where.last.warp));
	for (unsigned i = 0; m->where.over && i < r->nwaits && y + c->rh <= b->body.y + b->body.h; i++)
		y = pane_wrap(c, b->body, y, canvas_role(c, ROLE_BAD), 0, r->waits[i]);
	for (unsigned i = 0; m->where.over && i < 3 && v->advice[i]; i++)
		y = pane_wrap(c, b->body, y, canvas_role(c, ROLE_TEXT), 0, v->advice[i]);
	log_rows(c, b, m, y);
}
