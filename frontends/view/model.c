/* The machine at one position, read through warpbeam.h into plain structures from which panes draw. Changes are found
 * by going one issue back, reading the same values there and returning. Costs are those of the whole run once it has
 * been walked to its end, else those up to here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/view.h"

/* The target of a jump by its text: a label after '#', or an address. -1: there is none. */
static int64_t target_of(const struct wb_launch *l, const char *text, uint32_t code_bytes)
{
	char label[64];
	uint32_t pc;
	const char *mark = strrchr(text, '#');
	if (mark && sscanf(mark + 1, "%63[A-Za-z0-9_.$]", label) == 1 && wb_launch_label(l, label, &pc))
		return pc;
	const char *last = strrchr(text, ' ');
	static const char *const jumps[] = {"bra", "call", "joinat", "breakaddr", "prebrk", "preret", NULL};
	for (int i = 0; last && jumps[i]; i++)
		if (strstr(text, jumps[i]) && sscanf(last, " 0x%x", &pc) == 1 && pc < code_bytes)
			return pc;
	return -1;
}

static bool read_code(struct model *m)
{
	const struct wb_launch *l = m->player->launch;
	uint32_t bytes = wb_launch_code_bytes(l), pc = 0;
	struct wb_code code;
	m->code = calloc(bytes / 4 + 1, sizeof *m->code);
	while (m->code && pc < bytes && wb_launch_code(l, pc, &code)) {
		struct code_row *row = &m->code[m->ncode];
		*row = (struct code_row){.pc = pc,
					 .length = code.length ? code.length : 4,
					 .text = strdup(code.text),
					 .label = code.label ? strdup(code.label) : NULL,
					 .line = code.line,
					 .target = target_of(l, code.text, bytes)};
		if (!row->text)
			return false;
		m->ncode++;
		pc += row->length;
	}
	return m->code != NULL;
}

/* Lines of the source, if any instruction is known to come from one. */
static bool read_source(struct model *m)
{
	const char *text = wb_launch_source(m->player->launch);
	bool known = false;
	for (unsigned i = 0; i < m->ncode; i++)
		known = known || m->code[i].line > 0;
	if (!text || !known)
		return true;
	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n')
		m->nlines++;
	m->line = calloc((size_t)m->nlines + 1, sizeof *m->line);
	for (int i = 0; m->line && i < m->nlines; i++) {
		m->line[i] = (struct source_row){.text = text, .n = (int)strcspn(text, "\r\n"), .first = -1};
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	for (unsigned i = m->ncode; m->line && i-- > 0;) {
		int line = m->code[i].line;
		if (line < 1 || line > m->nlines)
			continue;
		m->line[line - 1].first = (int)i;
		m->line[line - 1].instructions++;
	}
	return m->line != NULL;
}

bool model_open(struct model *m, struct player *p)
{
	*m = (struct model){.player = p};
	wb_launch_machine(p->launch, &m->machine);
	m->simds = wb_launch_simds(p->launch);
	m->mask_register = wb_launch_mask_register(p->launch);
	m->stage = wb_launch_program_stage(p->launch);
	m->blocks = m->stage == WB_STAGE_COMPUTE || m->machine.warps_per_block > 1;
	size_t bytes = m->machine.shared_bytes + 1u;
	m->shared = malloc(bytes);
	m->shared_before = malloc(bytes);
	m->gathered = gathered_new();
	return m->shared && m->shared_before && m->gathered && read_code(m) && read_source(m);
}

void model_close(struct model *m)
{
	for (unsigned i = 0; i < m->ncode; i++) {
		free(m->code[i].text);
		free((char *)m->code[i].label);
	}
	free(m->code);
	free(m->line);
	free(m->shared);
	free(m->shared_before);
	gathered_free(m->gathered);
}

const struct code_row *model_code(const struct model *m, uint32_t pc)
{
	unsigned low = 0, high = m->ncode;
	while (low < high) {
		unsigned middle = (low + high) / 2;
		if (m->code[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low < m->ncode && m->code[low].pc == pc ? &m->code[low] : NULL;
}

int model_line(const struct model *m, const struct view *v)
{
	const struct code_row *row = v->pc >= 0     ? model_code(m, (uint32_t)v->pc)
				     : m->selected ? model_code(m, m->selected->pc)
						   : NULL;
	return row && row->line <= m->nlines ? row->line : 0;
}

const char *model_label(const struct model *m, uint32_t pc)
{
	const struct code_row *row = model_code(m, pc);
	return row && row->label ? row->label : "";
}

enum lane_state model_lane(const struct wb_warp *w, unsigned lane)
{
	uint64_t bit = 1ull << lane;
	if (!(w->launched & bit))
		return LANE_ABSENT;
	if (w->exited & bit)
		return LANE_EXITED;
	if (w->broke & bit)
		return LANE_BROKE;
	if (w->returned & bit)
		return LANE_RETURNED;
	if (!(w->active & bit))
		return LANE_OFF;
	bool predicate = w->acted && !(w->action.flow & WB_FLOW_BRANCH) && w->action.active & bit &&
			 !(w->action.executed & bit);
	return predicate ? LANE_PREDICATED : LANE_EXECUTED;
}

/* ---- reading ---- */

static void read_warps(struct model *m, const struct view *v)
{
	const struct wb_action *last = &m->at.last;
	m->mp = v->mp >= 0 ? (uint32_t)v->mp : m->at.began ? last->mp : 0;
	m->nslots = m->machine.slots < SLOTS ? m->machine.slots : SLOTS;
	m->npresent = 0;
	m->selected = NULL;
	for (unsigned i = 0; i < m->nslots; i++) {
		m->present[i] = wb_launch_warp(m->player->launch, m->mp, i, &m->warp[i]);
		m->npresent += m->present[i];
	}
	int slot = v->slot >= 0 ? v->slot : m->at.began && last->mp == m->mp ? (int)last->slot : 0;
	for (unsigned i = 0; i < m->nslots && !m->selected; i++) {
		unsigned at = ((unsigned)slot + i) % m->nslots;
		if (m->present[at])
			m->selected = &m->warp[at];
	}
}

/* The cycles between which the multiprocessor issues, as far as recorded. */
static void read_range(struct model *m)
{
	const struct record *r = &m->player->record;
	uint64_t n = r->mp[m->mp].n, before = record_mp_before(r, m->mp, m->at.issue);
	m->first_cycle = n ? record_mp_at(r, m->mp, 0)->cycle : 0;
	m->last_cycle = n ? record_mp_at(r, m->mp, n - 1)->cycle : 0;
	m->began = before || (m->at.began && m->at.last.mp == m->mp);
	m->cycle = m->at.began && m->at.last.mp == m->mp ? m->at.last.cycle
		   : before                              ? record_mp_at(r, m->mp, before - 1)->cycle
							 : 0;
}

static void read_costs(struct model *m, enum heat heat)
{
	const struct totals *whole = &m->player->whole;
	m->report = wb_launch_report(m->player->launch);
	m->costs = whole->known ? &whole->report : m->report;
	const struct wb_pc *rows = m->costs->pcs;
	unsigned n = m->costs->npcs, at = 0;
	m->heat = heat_settled(heat, m->costs);
	m->most_heat = heat_most(m->heat, m->costs);
	for (unsigned i = 0; i < m->ncode; i++) {
		struct code_row *row = &m->code[i];
		while (at < n && rows[at].pc < row->pc)
			at++;
		row->cost = at < n && rows[at].pc == row->pc ? rows[at] : (struct wb_pc){.pc = row->pc};
	}
	m->most_line_heat = 0;
	for (int i = 0; i < m->nlines; i++) {
		struct source_row *l = &m->line[i];
		l->issues = l->threads = l->lost = l->waited = l->heat = 0;
	}
	for (unsigned i = 0; m->line && i < m->ncode; i++) {
		const struct wb_pc *k = &m->code[i].cost;
		if (m->code[i].line < 1 || m->code[i].line > m->nlines)
			continue;
		struct source_row *l = &m->line[m->code[i].line - 1];
		l->issues += k->issues;
		l->threads += k->threads;
		l->lost += k->lost;
		for (int s = 1; s < WB_STALLS - 1; s++)
			l->waited += k->stalls[s];
		l->heat += heat_value(m->heat, k);
		m->most_line_heat = l->heat > m->most_line_heat ? l->heat : m->most_line_heat;
	}
}

/* ---- watches ---- */

static void add_watch(struct model *m, const char *name, size_t n, char format)
{
	if (m->nwatched == WATCHES || n >= WATCH_TEXT)
		return;
	for (unsigned i = 0; i < m->nwatched; i++)
		if (strlen(m->watched[i].row.name) == n && !strncmp(m->watched[i].row.name, name, n))
			return;
	struct watched *w = &m->watched[m->nwatched++];
	*w = (struct watched){.row.format = format};
	memcpy(w->row.name, name, n);
}

static bool is_register(const struct model *m, const char *name)
{
	struct wb_register r;
	return wb_launch_register(m->player->launch, m->selected->block, m->selected->warp, name, &r, NULL) == WB_OK;
}

/* "s[8:11]": the first two registers of a range as one value. Returns the range's characters; 0: there is none. */
static size_t watch_range(struct model *m, const char *p)
{
	unsigned first, last;
	int n = 0;
	char name[WATCH_TEXT];
	if (sscanf(p + 1, "[%5u:%5u]%n", &first, &last, &n) != 2 || !n)
		return 0;
	snprintf(name, sizeof name, "%c[%u:%u]", *p, first, last > first ? first + 1 : last);
	if (is_register(m, name))
		add_watch(m, name, strlen(name), 'x');
	return (size_t)n + 1;
}

/* The registers that the text of an instruction names: words that the warp has as a register, without an index, which
 * makes them a memory's name; of a vector the first part that is named, of flags, cc.x, the one. */
static void watch_named(struct model *m, const char *text)
{
	static const char alpha[] = "abcdefghijklmnopqrstuvwxyz", digits[] = "0123456789";
	char format = strstr(text, "f32") ? 'f' : 'x';
	for (const char *p = text; *p;) {
		size_t letters = (*p == '$') + strspn(p + (*p == '$'), alpha);
		size_t n = letters + strspn(p + letters, digits), range = letters == 1 ? watch_range(m, p) : 0;
		if (range) {
			p += range;
			continue;
		}
		while (*p != '$' && letters && p[n] == '_') /* "exec_lo", "v_add_f32" */
			n += 1 + strcspn(p + n + 1, "_ ,.[");
		bool part = letters && p[n] == '.' && p[n + 1] && strchr("xyzw", p[n + 1]);
		bool vector = part && n > letters;
		char name[WATCH_TEXT];
		snprintf(name, sizeof name, "%.*s", (int)(part ? n + 2 : n), p);
		if (letters && p[n] != '[' && n + 2 < sizeof name && is_register(m, name))
			add_watch(m, name, strlen(name),
				  vector || p[letters - 1] == 'r' ? vector ? 'f' : format : 'x');
		p += n ? n : 1;
	}
}

static void choose_watches(struct model *m, const struct view *v)
{
	m->nwatched = 0;
	for (int i = 0; i < WATCHES; i++)
		if (v->watch[i].name[0])
			add_watch(m, v->watch[i].name, strlen(v->watch[i].name), v->watch[i].format);
	const struct code_row *row = m->selected && m->selected->acted ? model_code(m, m->selected->action.pc) : NULL;
	if (!m->nwatched && row)
		watch_named(m, row->text);
	row = m->selected ? model_code(m, m->selected->pc) : NULL;
	if (!v->watch[0].name[0] && row)
		watch_named(m, row->text);
}

/* A register has a value in each lane, if it is not one of the warp; any other expression has one. */
static void read_watch(const struct model *m, struct watched *w, uint64_t *value)
{
	const struct wb_warp *warp = m->selected;
	const struct wb_launch *l = m->player->launch;
	const char *name = w->row.name;
	struct wb_register r;
	w->valid = wb_launch_register(l, warp->block, warp->warp, name, &r, NULL) == WB_OK;
	if (w->valid) {
		w->bits = r.bits > 32 ? 64 : 32;
		w->mask = r.scope == WB_SCOPE_MASK;
		w->one = r.scope != WB_SCOPE_LANES;
		memcpy(value, r.value, sizeof r.value);
		value[0] = w->one ? r.one : value[0];
		return;
	}
	w->mask = false;
	w->one = w->valid = wb_launch_value(l, name, warp->block, warp->warp, value, NULL) == WB_OK;
	w->bits = w->one && value[0] >> 32 ? 64 : 32;
}

static void read_block(struct model *m, uint8_t *shared, bool before)
{
	uint32_t bytes;
	const uint8_t *from = wb_launch_shared(m->player->launch, m->selected->mp, m->selected->slot, &bytes);
	m->shared_bytes = from && bytes <= m->machine.shared_bytes ? bytes : 0;
	if (m->shared_bytes)
		memcpy(shared, from, m->shared_bytes);
	for (unsigned i = 0; i < m->nwatched; i++)
		read_watch(m, &m->watched[i], before ? m->watched[i].before : m->watched[i].now);
}

/* What the selected warp's block and the acting warp were like one issue earlier: changes are marked by it. */
static enum wb_status read_before(struct model *m, struct wb_diag *d)
{
	struct player *p = m->player;
	uint64_t here = m->at.issue;
	struct wb_where at = p->at;
	struct wb_warp then;
	m->acted_known = false;
	if (!here || !m->at.began)
		return WB_OK;
	enum wb_status status = player_goto(p, here - 1, d);
	if (status != WB_OK)
		return status;
	m->acted_known = wb_launch_warp(p->launch, at.last.mp, at.last.slot, &m->acted);
	if (m->selected && wb_launch_warp(p->launch, m->selected->mp, m->selected->slot, &then) &&
	    then.block == m->selected->block)
		read_block(m, m->shared_before, true);
	status = player_goto(p, here, d);
	if (status == WB_OK)
		p->at = at;
	return status;
}

enum wb_status model_read(struct model *m, const struct view *v, struct wb_diag *d)
{
	m->at = m->player->at;
	read_warps(m, v);
	choose_watches(m, v);
	memset(m->shared_before, 0, m->machine.shared_bytes);
	enum wb_status status = read_before(m, d);
	if (status == WB_OK && m->selected) {
		read_block(m, m->shared, false);
		if (!m->at.issue)
			memcpy(m->shared_before, m->shared, m->shared_bytes);
	}
	read_costs(m, v->heat);
	read_range(m);
	return status;
}

enum wb_status model_compare(struct model *m, struct model *other, const struct view *v, struct wb_diag *d)
{
	struct view same = *v;
	enum wb_status status;
	if (same.mp >= (int)other->machine.mps)
		same.mp = -1;
	if (same.mp < 0 && m->mp < other->machine.mps)
		same.mp = (int)m->mp;
	status = m->began ? player_goto_cycle(other->player, same.mp, m->cycle, d) : player_goto(other->player, 0, d);
	if (status == WB_OK)
		status = model_read(other, &same, d);
	m->against = other;
	other->against = m;
	other->second = true;
	return status;
}

/* Issues are compared as they come on each multiprocessor; what comes first in time is where the runs part. */
uint64_t model_parting(const struct model *m)
{
	const struct record *a = &m->player->record, *b = &m->against->player->record;
	uint64_t found = UINT64_MAX, cycle = UINT64_MAX;
	for (unsigned mp = 0; mp < m->machine.mps; mp++) {
		uint32_t n = a->mp[mp].n, least = n < b->mp[mp].n ? n : b->mp[mp].n, k = 0;
		for (; k < least; k++) {
			const struct event *x = record_mp_at(a, mp, k), *y = record_mp_at(b, mp, k);
			if (x->cycle != y->cycle || x->slot != y->slot || x->pc != y->pc || x->executed != y->executed)
				break;
		}
		if (k == n || record_mp_at(a, mp, k)->cycle >= cycle)
			continue;
		cycle = record_mp_at(a, mp, k)->cycle;
		found = a->mp[mp].event[k];
	}
	return found;
}
