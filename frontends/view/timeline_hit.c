/* Tips of the timeline: every mark in words. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "frontends/view/timeline.h"

static void say(struct hit *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say(struct hit *out, const char *fmt, ...)
{
	size_t n = strlen(out->text);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(out->text + n, sizeof out->text - n, fmt, ap);
	va_end(ap);
}

static bool within(const struct rect *r, int x, int y)
{
	return x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h;
}

/* The issue or the wait of a slot in the cycles of a unit. */
struct found {
	uint64_t issue; /* index of the event; UINT64_MAX: none */
	bool waits;
	struct wait_piece wait;
	uint64_t ends; /* index of the event that ends the wait, or record.n */
};

static void find_wait(const struct model *m, uint64_t index, unsigned slot, uint64_t from, uint64_t to, struct found *f)
{
	struct wait_piece piece[WAITS];
	unsigned n = timeline_waits(m, index, slot, piece);
	for (unsigned i = 0; i < n; i++)
		if (piece[i].from < to && piece[i].to > from) {
			f->waits = true;
			f->wait = piece[i];
			f->ends = index;
			return;
		}
}

static struct found find(const struct model *m, unsigned slot, uint64_t from, uint64_t to)
{
	const struct record *r = &m->player->record;
	const struct record_mp *mp = &r->mp[m->mp.number];
	uint64_t issue = m->machine.issue_cycles;
	uint64_t k = record_mp_find(r, m->mp.number, from >= issue ? from - issue + 1 : 0);
	struct found f = {.issue = UINT64_MAX};
	for (; k < mp->n; k++) {
		const struct event *e = record_at(r, mp->event[k]);
		if (e->slot != slot)
			continue;
		if (e->cycle < to) {
			f.issue = mp->event[k];
			continue;
		}
		if (f.issue == UINT64_MAX)
			find_wait(m, mp->event[k], slot, from, to, &f);
		return f;
	}
	if (f.issue == UINT64_MAX)
		find_wait(m, r->n, slot, from, to, &f);
	return f;
}

/* Registers in a word of an instruction: first to last of a file, "v12" and "s[4:7]", or a single register by its whole
 * text, "$r3", "r2.y" and "vcc". */
struct named {
	const char *text;
	size_t n; /* characters of the file, or of the whole text */
	bool numbered;
	unsigned low, high;
};

/* Parse the word of n letters and digits at p with a bracketed range; false: not a register's name. */
static bool is_register(const char *p, size_t n, bool dollars, struct named *r)
{
	char end;
	*r = (struct named){.text = p, .n = n};
	if (dollars)
		return *p == '$';
	if (n == 3 && !strncmp(p, "vcc", 3))
		return true;
	r->numbered = sscanf(p + n, "[%u:%u%c", &r->low, &r->high, &end) == 3 && end == ']';
	if (r->numbered || n < 2 || strcspn(p + 1, "0123456789"))
		return r->numbered;
	r->numbered = strspn(p + 1, "0123456789") == n - 1 && sscanf(p + 1, "%u", &r->low) == 1;
	if (r->numbered)
		r->n = 1;
	r->high = r->low;
	return true;
}

/* The next register in a text from *p on; *p moves behind the word. False: no more. */
static bool next_register(const char **p, bool dollars, struct named *r)
{
	static const char in_words[] = "abcdefghijklmnopqrstuvwxyz0123456789_.$";
	while (**p) {
		const char *word = *p + strcspn(*p, in_words);
		size_t n = strspn(word, in_words);
		*p = word + n;
		if (n && is_register(word, n, dollars, r))
			return true;
	}
	return false;
}

/* The intersection of two register ranges; "": empty. */
static void common_name(char name[24], const struct named *a, const struct named *b)
{
	unsigned first = a->low > b->low ? a->low : b->low, last = a->high < b->high ? a->high : b->high;
	name[0] = '\0';
	if (a->n >= 16 || a->n != b->n || strncmp(a->text, b->text, a->n) || a->numbered != b->numbered || first > last)
		return;
	int n = snprintf(name, 24, "%.*s", (int)a->n, a->text);
	if (a->numbered && first == last)
		snprintf(name + n, 24 - (size_t)n, "%u", first);
	else if (a->numbered)
		snprintf(name + n, 24 - (size_t)n, "[%u:%u]", first, last);
}

/* The first register that occurs behind the first words of both texts; "": none. */
static void common_register(char name[24], const char *text, const char *on)
{
	bool dollars = strchr(text, '$');
	struct named made, needed;
	name[0] = '\0';
	for (const char *p = on + strcspn(on, " "); !*name && next_register(&p, dollars, &made);)
		for (const char *q = text + strcspn(text, " "); !*name && next_register(&q, dollars, &needed);)
			common_name(name, &made, &needed);
}

/* The issue that makes an awaited result: the warp's last earlier issue whose results the instruction needs. */
static const struct event *producer(const struct model *m, uint64_t index, unsigned slot, uint32_t pc, bool memory)
{
	enum { FAR = 1 << 16 }; /* limit of the search, in events of all warps */
	const struct record *r = &m->player->record;
	const struct record_mp *mp = &r->mp[m->mp.number];
	uint64_t k = record_mp_before(r, m->mp.number, index), least = k > FAR ? k - FAR : 0;
	unsigned seen = 0, behind;
	for (; k > least; k--) {
		const struct event *e = record_at(r, mp->event[k - 1]);
		if (e->slot != slot)
			continue;
		enum wb_depends d = wb_launch_depends(m->player->launch, pc, e->pc, &behind);
		if (d == (memory ? WB_DEPENDS_MEMORY : WB_DEPENDS_OPERAND) && seen++ == behind)
			return e;
	}
	return NULL;
}

/* Has an instruction held the unit that the instruction at pc has waited for? */
static bool has_held(const struct wb_report *r, uint32_t pc, uint32_t holder, unsigned reason)
{
	for (unsigned i = 0; i < r->ncauses; i++)
		if (r->causes[i].pc == pc && r->causes[i].producer == holder && r->causes[i].reason == reason)
			return true;
	return false;
}

/* The issue that holds the unit of an instruction for most of a wait: of any warp, up to the next such issue. */
static const struct event *holder(const struct model *m, const struct found *f, uint32_t pc)
{
	enum { FAR = 1 << 12 }; /* limit of the search, in events of all warps */
	const struct record *r = &m->player->record;
	const struct event *best = NULL;
	uint64_t k = record_mp_before(r, m->mp.number, f->ends), least = k > FAR ? k - FAR : 0;
	uint64_t until = f->wait.to, most = 0;
	for (; k > least && until > f->wait.from; k--) {
		const struct event *e = record_at(r, r->mp[m->mp.number].event[k - 1]);
		uint64_t from = e->cycle > f->wait.from ? e->cycle : f->wait.from;
		if (!has_held(m->costs, pc, e->pc, f->wait.reason) || e->cycle >= until)
			continue;
		if (until - from > most) {
			most = until - from;
			best = e;
		}
		until = from;
	}
	return best;
}

static void say_line(struct hit *out, const struct model *m, const struct code_row *row)
{
	char source[80];
	if (*model_source_text(m, row->line, source, sizeof source))
		say(out, " (line %s)", source);
	else if (row->line)
		say(out, " (line %d)", row->line);
}

static void say_holder(struct hit *out, const struct model *m, const struct found *f, unsigned slot, uint32_t pc)
{
	const struct event *e = holder(m, f, pc);
	const struct code_row *row = e ? model_code(m, e->pc) : NULL;
	if (!row)
		return;
	say(out, ": its unit is held by %.*s at 0x%x", (int)strcspn(row->text, " "), row->text, e->pc);
	if (e->slot != slot)
		say(out, " of w%u", m->terms.blocks ? e->warp : e->block);
	say_line(out, m, row);
}

static void say_cause(struct hit *out, const struct model *m, const struct found *f, unsigned slot)
{
	const struct record *r = &m->player->record;
	uint32_t pc = f->ends < r->n ? record_at(r, f->ends)->pc : m->mp.warp[slot].pc;
	const char *reason = wb_stall_name(f->wait.reason);
	bool memory = !strcmp(reason, "memory") || !strcmp(reason, "texture");
	const struct code_row *code = model_code(m, pc), *from;
	char name[24];
	if (code && !strcmp(reason, "pipe"))
		say_holder(out, m, f, slot, pc);
	if (!code || (!memory && strcmp(reason, "operand")))
		return;
	const struct event *e = producer(m, f->ends, slot, pc, memory);
	if (!e || !(from = model_code(m, e->pc)))
		return;
	common_register(name, code->text, from->text);
	say(out, ": %s%sfrom %.*s at 0x%x", name, *name ? " " : "", (int)strcspn(from->text, " "), from->text, e->pc);
	say_line(out, m, from);
}

static void say_issue(struct hit *out, const struct model *m, const struct event *e)
{
	const struct code_row *code = model_code(m, e->pc);
	char cycle[32];
	say(out, "w%u at %s: %.60s · %u of %u lanes", m->terms.blocks ? e->warp : e->block,
	    pane_number(cycle, e->cycle), code ? code->text : "?",
	    e->lanes, m->machine.lanes);
	if (e->flow & WB_FLOW_DIVERGED)
		say(out, " · splits");
	else if (e->flow & (WB_FLOW_MERGED | WB_FLOW_REJOIN))
		say(out, " · rejoins");
	if (code && code->line)
		say(out, " (line %d)", code->line);
}

static void say_wait(struct hit *out, const struct model *m, const struct found *f, unsigned slot)
{
	const struct record *r = &m->player->record;
	const struct event *next = f->ends < r->n ? record_at(r, f->ends) : NULL;
	unsigned warp = next ? next->warp : m->mp.warp[slot].warp, block = next ? next->block : m->mp.warp[slot].block;
	char words[32], from[32], cycles[32];
	say(out, "w%u waits for %s since %s", m->terms.blocks ? warp : block,
	    f->wait.reason == 1 ? "its turn" : stall_words(words, f->wait.reason), pane_number(from, f->wait.from));
	say_cause(out, m, f, slot);
	say(out, " · %s cycles", pane_number(cycles, f->wait.to - f->wait.from));
}

bool timeline_why(const struct model *m, unsigned slot, char *text, size_t size)
{
	struct hit out = {.text = ""};
	struct found f = find(m, slot, m->mp.cycle, m->mp.cycle + 1);
	if (f.issue != UINT64_MAX)
		say_issue(&out, m, record_at(&m->player->record, f.issue));
	else if (f.waits)
		say_wait(&out, m, &f, slot);
	snprintf(text, size, "%s", out.text);
	return out.text[0];
}

static void hit_row(struct hit *out, const struct time_axis *a, const struct model *m, int y, uint64_t from,
		    uint64_t to)
{
	int row = 0, top = a->plot.y;
	for (; row < a->rows; row++) {
		top += a->row_h;
		if (a->open_slot == a->first_slot + row)
			top += a->lane_h * (int)m->machine.lanes;
		if (y < top)
			break;
	}
	if (row >= a->rows)
		return;
	unsigned slot = (unsigned)(a->first_slot + row);
	int lane = a->open_slot == (int)slot && a->lane_h ? (int)m->machine.lanes - 1 - (top - 1 - y) / a->lane_h : -1;
	struct found f = find(m, slot, from, to);
	out->slot = (int)slot;
	if (f.issue != UINT64_MAX) {
		const struct event *e = record_at(&m->player->record, f.issue);
		out->pc = e->pc;
		if (lane >= 0 && lane < (int)m->machine.lanes)
			say(out, "lane %d %s · ", lane,
			    lane_looks[e->executed >> lane & 1 ? LANE_EXECUTED
				       : e->active >> lane & 1 ? LANE_PREDICATED
				       : e->absent >> lane & 1   ? LANE_EXITED
							       : LANE_OFF].name);
		say_issue(out, m, e);
	} else if (f.waits) {
		say_wait(out, m, &f, slot);
	} else {
		char cycle[32];
		say(out, "cycle %s: no warp in slot %u", pane_number(cycle, from), slot);
	}
}

static void hit_strip(struct hit *out, const struct columns *k, const struct model *m, int x, bool lanes)
{
	const struct total *t = &k->total[x];
	char cycle[32], words[32];
	say(out, "cycle %s: ", pane_number(cycle, (uint64_t)out->cycle));
	if (lanes) {
		say(out, "%.1f of %u lanes execute", (double)t->lanes, m->machine.lanes * m->terms.simds);
		return;
	}
	say(out, "warps: %.1f issuing", (double)t->issuing);
	for (unsigned i = 0; i < WAITS; i++)
		if (t->wait[i] >= 0.05f)
			say(out, ", %.1f %s", (double)t->wait[i], stall_words(words, i + 1));
}

static void hit_run(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v, int x,
		    int y, struct hit *out)
{
	struct time_axis a;
	struct columns k;
	char number[32];
	timeline_axis(c, body, m, v, &a);
	out->width = a.plot.w;
	out->per_unit = a.per_unit;
	if (within(&a.map, x, y)) {
		double cycles = (double)(timeline_end(m) - timeline_first(m) + 1) / a.map.w;
		out->map = (int64_t)((double)timeline_first(m) + (x - a.map.x) * cycles);
		say(out, "the whole run: click to show cycle %s", pane_number(number, (uint64_t)out->map));
		return;
	}
	if (x < a.plot.x || x >= a.plot.x + a.plot.w || y >= body->y + body->h)
		return;
	uint64_t from = a.left_cycle + (uint64_t)((x - a.plot.x) * a.per_unit),
		 to = a.left_cycle + (uint64_t)((x - a.plot.x + 1) * a.per_unit);
	to = to > from ? to : from + 1;
	out->cycle = (int64_t)from;
	if (v->mark >= 0)
		say(out, "%lld cycles from %s · let go to zoom · ", (long long)(out->cycle - v->mark),
		    pane_number(number, (uint64_t)v->mark));
	if (y >= a.plot.y + a.plot.h)
		say(out, "cycle %s", pane_number(number, from));
	else if ((within(&a.lanes, x, y) || within(&a.warps, x, y)) && timeline_columns(&a, m, v, &k))
		hit_strip(out, &k, m, x - a.plot.x, within(&a.lanes, x, y));
	else if (y >= a.plot.y)
		hit_row(out, &a, m, y, from, to);
}

void timeline_hit(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v, int x,
		  int y, struct hit *out)
{
	struct rect halves[2];
	if (!m->against) {
		hit_run(c, body, m, v, x, y, out);
		return;
	}
	timeline_halves(c, body, halves);
	if (y < halves[1].y - c->rh) {
		hit_run(c, &halves[0], m, v, x, y, out);
	} else if (y >= halves[1].y) { /* the selection is the other run's */
		hit_run(c, &halves[1], m->against, v, x, y, out);
		out->slot = -1;
		out->pc = -1;
	}
}
