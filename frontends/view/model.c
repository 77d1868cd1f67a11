/* The machine at a position, read through warpbeam.h into plain structures for the panes. Changes are found by going
 * one issue back, reading the same values there and returning. Costs are the whole run's after a walk to its end, else
 * the costs up to the position. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/map.h"
#include "frontends/view/view.h"
#include "frontends/view/source.h"
#include "frontends/view/variables.h"

/* The target of a jump by its text: a label after '#', or an address. -1: no target. */
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
	m->listing.code = calloc(bytes / 4 + 1, sizeof *m->listing.code);
	while (m->listing.code && pc < bytes && wb_launch_code(l, pc, &code)) {
		struct code_row *row = &m->listing.code[m->listing.ncode];
		*row = (struct code_row){.pc = pc,
					 .length = code.length ? code.length : 4,
					 .text = strdup(code.text),
					 .label = code.label ? strdup(code.label) : NULL,
					 .line = code.line,
					 .target = target_of(l, code.text, bytes)};
		if (!row->text)
			return false;
		m->listing.ncode++;
		pc += row->length;
	}
	return m->listing.code != NULL;
}

/* Lines of the source, if any instruction has a known line. */
static bool read_source(struct model *m)
{
	const char *text = wb_launch_source(m->player->launch);
	bool known = false;
	for (unsigned i = 0; i < m->listing.ncode; i++)
		known = known || m->listing.code[i].line > 0;
	if (!text || !known)
		return true;
	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n')
		m->listing.nlines++;
	m->listing.line = calloc((size_t)m->listing.nlines + 1, sizeof *m->listing.line);
	for (int i = 0; m->listing.line && i < m->listing.nlines; i++) {
		m->listing.line[i] = (struct source_row){
			.text = text, .n = (int)strcspn(text, "\r\n"), .first_insn = -1};
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	for (unsigned i = m->listing.ncode; m->listing.line && i-- > 0;) {
		int line = m->listing.code[i].line;
		if (line < 1 || line > m->listing.nlines)
			continue;
		m->listing.line[line - 1].first_insn = (int)i;
		m->listing.line[line - 1].instructions++;
	}
	return m->listing.line != NULL;
}

bool model_open(struct model *m, struct player *p)
{
	*m = (struct model){.player = p};
	wb_launch_machine(p->launch, &m->machine);
	m->listing.compiled = wb_launch_compiled(p->launch);
	m->terms.simds = wb_launch_simds(p->launch);
	m->terms.mask_register = wb_launch_mask_register(p->launch);
	m->terms.stage = wb_launch_program_stage(p->launch);
	m->terms.blocks = m->terms.stage == WB_STAGE_COMPUTE || m->machine.warps_per_block > 1;
	size_t bytes = m->machine.shared_bytes + 1u;
	m->shared.now = malloc(bytes);
	m->shared.before = malloc(bytes);
	m->gathered = gathered_new();
	return m->shared.now && m->shared.before && m->gathered && map_new(&m->map) && read_code(m) && read_source(m);
}

void model_close(struct model *m)
{
	for (unsigned i = 0; i < m->listing.ncode; i++) {
		free(m->listing.code[i].text);
		free((char *)m->listing.code[i].label);
	}
	free(m->listing.code);
	free(m->listing.line);
	free(m->shared.now);
	free(m->shared.before);
	gathered_free(m->gathered);
	map_free(m->map);
}

const struct code_row *model_code(const struct model *m, uint32_t pc)
{
	unsigned low = 0, high = m->listing.ncode;
	while (low < high) {
		unsigned middle = (low + high) / 2;
		if (m->listing.code[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low < m->listing.ncode && m->listing.code[low].pc == pc ? &m->listing.code[low] : NULL;
}

int model_line(const struct model *m, const struct view *v)
{
	const struct code_row *row = v->pc >= 0     ? model_code(m, (uint32_t)v->pc)
				     : m->selected ? model_code(m, m->selected->pc)
						   : NULL;
	return row && row->line <= m->listing.nlines ? row->line : 0;
}

const char *model_source_text(const struct model *m, int line, char *text, size_t size)
{
	int n = snprintf(text, size, "%d: ", line);
	*text = line > 0 && line <= m->listing.nlines && m->listing.compiled ? *text : '\0';
	if (!*text || n < 0 || (size_t)n >= size)
		return text;
	const struct source_row *row = &m->listing.line[line - 1];
	int blanks = 0;
	while (blanks < row->n && (row->text[blanks] == ' ' || row->text[blanks] == '\t'))
		blanks++;
	source_expand(text + n, size - (size_t)n, row->text + blanks, row->n - blanks);
	return text;
}

const char *model_label(const struct model *m, uint32_t pc)
{
	const struct code_row *row = model_code(m, pc);
	return row && row->label ? row->label : "";
}

bool model_has_state(const struct model *m, enum lane_state s)
{
	return !m->terms.mask_register || (s != LANE_BROKE && s != LANE_RETURNED && s != LANE_STATES);
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
	const struct wb_action *last = &m->where.last;
	m->mp.number = v->mp >= 0 ? (uint32_t)v->mp : m->where.began ? last->mp : 0;
	m->mp.nslots = m->machine.slots < SLOTS ? m->machine.slots : SLOTS;
	m->mp.npresent = 0;
	m->selected = NULL;
	for (unsigned i = 0; i < m->mp.nslots; i++) {
		m->mp.present[i] = wb_launch_warp(m->player->launch, m->mp.number, i, &m->mp.warp[i]);
		m->mp.npresent += m->mp.present[i];
	}
	int slot = v->slot >= 0 ? v->slot : m->where.began && last->mp == m->mp.number ? (int)last->slot : 0;
	for (unsigned i = 0; i < m->mp.nslots && !m->selected; i++) {
		unsigned at = ((unsigned)slot + i) % m->mp.nslots;
		if (m->mp.present[at])
			m->selected = &m->mp.warp[at];
	}
}

/* The first and last recorded cycle of the multiprocessor. */
static void read_range(struct model *m)
{
	const struct record *r = &m->player->record;
	uint64_t n = r->mp[m->mp.number].n, before = record_mp_before(r, m->mp.number, m->where.issue);
	m->mp.first_cycle = n ? record_mp_at(r, m->mp.number, 0)->cycle : 0;
	m->mp.last_cycle = n ? record_mp_at(r, m->mp.number, n - 1)->cycle : 0;
	m->mp.began = before || (m->where.began && m->where.last.mp == m->mp.number);
	m->mp.cycle = m->where.began && m->where.last.mp == m->mp.number ? m->where.last.cycle
		   : before                              ? record_mp_at(r, m->mp.number, before - 1)->cycle
							 : 0;
}

static void read_costs(struct model *m, enum heat heat)
{
	const struct totals *whole = &m->player->whole;
	m->report = wb_launch_report(m->player->launch);
	m->costs = whole->known ? whole->report : m->report;
	const struct wb_pc *rows = m->costs->pcs;
	unsigned n = m->costs->npcs, at = 0;
	m->listing.heat = heat_settled(heat, m->costs);
	m->listing.most_heat = heat_most(m->listing.heat, m->costs);
	for (unsigned i = 0; i < m->listing.ncode; i++) {
		struct code_row *row = &m->listing.code[i];
		while (at < n && rows[at].pc < row->pc)
			at++;
		row->cost = at < n && rows[at].pc == row->pc ? rows[at] : (struct wb_pc){.pc = row->pc};
	}
	m->listing.most_line_heat = 0;
	for (int i = 0; i < m->listing.nlines; i++) {
		struct source_row *l = &m->listing.line[i];
		l->issues = l->threads = l->lost = l->waited = l->heat = 0;
	}
	for (unsigned i = 0; m->listing.line && i < m->listing.ncode; i++) {
		const struct wb_pc *k = &m->listing.code[i].cost;
		if (m->listing.code[i].line < 1 || m->listing.code[i].line > m->listing.nlines)
			continue;
		struct source_row *l = &m->listing.line[m->listing.code[i].line - 1];
		l->issues += k->issues;
		l->threads += k->threads;
		l->lost += k->lost;
		for (unsigned s = 1; s < wb_stalls() - 1; s++)
			l->waited += k->stalls[s];
		l->heat += heat_value(m->listing.heat, k);
		m->listing.most_line_heat = l->heat > m->listing.most_line_heat ? l->heat : m->listing.most_line_heat;
	}
}

/* ---- watches ---- */

static void add_watch(struct model *m, const char *name, size_t n, char format)
{
	if (m->watch.n == WATCHES || n >= WATCH_TEXT)
		return;
	for (unsigned i = 0; i < m->watch.n; i++)
		if (strlen(m->watch.entry[i].row.name) == n && !strncmp(m->watch.entry[i].row.name, name, n))
			return;
	struct watched *w = &m->watch.entry[m->watch.n++];
	*w = (struct watched){.row.format = format};
	memcpy(w->row.name, name, n);
}

static bool is_register(const struct model *m, const char *name)
{
	struct wb_register r;
	return wb_launch_register(m->player->launch, m->selected->block, m->selected->warp, name, &r, NULL) == WB_OK;
}

/* "s[8:11]": the first two registers of a range as one value. Returns the range's length; 0: no range. */
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

/* Watch the registers in an instruction's text: names of the warp's registers without an index (an index marks a
 * memory); of a vector the first named component, of flags cc.x the single flag. */
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
	int line = m->selected ? model_line(m, v) : 0;
	m->watch.n = 0;
	for (int i = 0; i < WATCHES; i++)
		if (v->watch[i].name[0])
			add_watch(m, v->watch[i].name, strlen(v->watch[i].name), v->watch[i].format);
	if (!m->watch.n && line && m->selected->waits != WB_WAIT_DONE && m->listing.compiled)
		variables_in_line(m, m->listing.line[line - 1].text, m->listing.line[line - 1].n, add_watch, m);
	const struct code_row *row = m->selected && m->selected->acted ? model_code(m, m->selected->action.pc) : NULL;
	if (!v->watch[0].name[0] && row)
		watch_named(m, row->text);
	row = m->selected ? model_code(m, m->selected->pc) : NULL;
	if (!v->watch[0].name[0] && row)
		watch_named(m, row->text);
}

/* A vector register has a value in each lane; a scalar register or any other expression has a single value. */
static void read_watch(const struct model *m, struct watched *w, uint64_t *value)
{
	const struct wb_warp *warp = m->selected;
	const struct wb_launch *l = m->player->launch;
	const char *name = w->row.name;
	struct wb_register r;
	w->format = w->row.format == FORMAT_BY_TYPE ? 'x' : w->row.format;
	w->lanes = ~UINT64_C(0);
	w->note[0] = '\0';
	if (variable_watched(m, w, value))
		return;
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
	m->shared.bytes = from && bytes <= m->machine.shared_bytes ? bytes : 0;
	if (m->shared.bytes)
		memcpy(shared, from, m->shared.bytes);
	for (unsigned i = 0; i < m->watch.n; i++)
		read_watch(m, &m->watch.entry[i], before ? m->watch.entry[i].before : m->watch.entry[i].now);
}

/* Read the selected warp's block and the acting warp at the previous issue, to mark changes. */
static enum wb_status read_before(struct model *m, struct wb_diag *d)
{
	struct player *p = m->player;
	uint64_t here = m->where.issue;
	struct wb_where at = p->where;
	struct wb_warp then;
	m->acted.known = false;
	if (!here || !m->where.began)
		return WB_OK;
	enum wb_status status = player_goto(p, here - 1, d);
	if (status != WB_OK)
		return status;
	m->acted.known = wb_launch_warp(p->launch, at.last.mp, at.last.slot, &m->acted.warp);
	if (m->selected && wb_launch_warp(p->launch, m->selected->mp, m->selected->slot, &then) &&
	    then.block == m->selected->block)
		read_block(m, m->shared.before, true);
	status = player_goto(p, here, d);
	if (status == WB_OK)
		p->where = at;
	return status;
}

enum wb_status model_read(struct model *m, const struct view *v, struct wb_diag *d)
{
	m->where = m->player->where;
	read_warps(m, v);
	choose_watches(m, v);
	memset(m->shared.before, 0, m->machine.shared_bytes);
	enum wb_status status = read_before(m, d);
	if (status == WB_OK && m->selected) {
		read_block(m, m->shared.now, false);
		if (!m->where.issue)
			memcpy(m->shared.before, m->shared.now, m->shared.bytes);
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
	if (same.mp < 0 && m->mp.number < other->machine.mps)
		same.mp = (int)m->mp.number;
	status = m->mp.began ? player_goto_cycle(other->player, same.mp, m->mp.cycle, d)
			     : player_goto(other->player, 0, d);
	if (status == WB_OK)
		status = model_read(other, &same, d);
	m->against = other;
	other->against = m;
	other->second = true;
	return status;
}

/* Issues are compared in order on each multiprocessor; the earliest difference in time is where the runs part. */
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
