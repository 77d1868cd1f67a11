/* Reading a stopped machine: warps, stacks, registers, barriers, locks, code. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/accesses.h"
#include "inspect/launch.h"
#include "inspect/producers.h"
#include "inspect/watch.h"
#include "core/isa/loop.h"
#include "core/isa/print.h"
#include "core/shader.h"
#include "machine/clock.h"
#include "mem/mem.h"
#include "sched/issue.h"

void wb_launch_machine(const struct wb_launch *l, struct wb_machine *out)
{
	*out = (struct wb_machine){
		.mps = l->plan.nmps,
		.slots = l->plan.fit.blocks * l->plan.dim.warps,
		.lanes = l->plan.code.target.isa->lanes,
		.warps_per_block = l->plan.dim.warps,
		.registers = l->plan.code.nreg,
		.shared_bytes = l->plan.shared_bytes,
		.issue_cycles =
			l->plan.timed ? l->plan.numbers.value[T_issue_slot] * plan_simds(&l->plan) : CYCLES_AN_ISSUE,
		.shared_banks = l->plan.chip.banks.count,
	};
}

uint32_t wb_launch_simds(const struct wb_launch *l)
{
	return plan_simds(&l->plan);
}

enum wb_stage wb_launch_program_stage(const struct wb_launch *l)
{
	const struct shader_entry *shader = l->plan.kernel->entry_point;
	struct isa_threads threads = { .stage = STAGE_COMPUTE };

	if (shader)
		return shader->geometry ? WB_STAGE_PRIMITIVE : WB_STAGE_VERTEX;
	if (l->plan.code.target.isa->threads)
		l->plan.code.target.isa->threads(&l->plan.code, &threads);
	return (enum wb_stage)threads.stage;
}

const char *wb_stage_name(enum wb_stage s, bool several)
{
	static const char *const names[][2] = {
		[WB_STAGE_COMPUTE] = { "thread", "threads" }, [WB_STAGE_VERTEX] = { "vertex", "vertices" },
		[WB_STAGE_PRIMITIVE] = { "primitive", "primitives" }, [WB_STAGE_FRAGMENT] = { "fragment", "fragments" },
	};

	return (unsigned)s < sizeof names / sizeof *names ? names[s][several] : NULL;
}

const char *wb_launch_mask_register(const struct wb_launch *l)
{
	return l->plan.code.target.isa->reg.mask;
}

enum wb_depends wb_launch_depends(const struct wb_launch *l, uint32_t pc, uint32_t on, unsigned *behind)
{
	const struct sched_op *op = NULL, *producer = NULL;
	enum wb_depends kind;

	*behind = 0;
	if (l->plan.timed && l->plan.issue.ops && pc % 4 == 0 && on % 4 == 0 && pc < wb_launch_code_bytes(l) &&
	    on < wb_launch_code_bytes(l)) {
		op = &l->plan.issue.ops[pc / 4];
		producer = &l->plan.issue.ops[on / 4];
	}
	if (!op)
		return WB_DEPENDS_NO;
	kind = producer->kind != RESULT_OPERAND ? WB_DEPENDS_MEMORY : WB_DEPENDS_OPERAND;
	for (unsigned i = 0; i < op->nneeds; i++) {
		for (unsigned k = 0; k < producer->nmakes; k++)
			if (op->needs[i] == producer->makes[k])
				return kind;
		for (unsigned c = 0; c < COUNTERS_MAX; c++) {
			const struct counter_place *at = &l->plan.issue.counter[c];
			if (!(producer->counts >> c & 1) || op->needs[i] < at->entry ||
			    op->needs[i] >= at->entry + at->most)
				continue;
			*behind = op->needs[i] - at->entry;
			return kind;
		}
	}
	return WB_DEPENDS_NO;
}

/* The warp of a slot with a live block; NULL: no block. */
static const struct warp *warp_at(const struct wb_launch *l, uint32_t mp, uint32_t slot)
{
	if (!l->machine.mp || mp >= l->plan.nmps || slot >= l->machine.mp[mp].nresident * l->plan.dim.warps ||
	    !l->machine.mp[mp].resident[slot / l->plan.dim.warps].live)
		return NULL;
	return l->machine.mp[mp].slot[slot];
}

void notify_issue(const struct wb_launch *l)
{
	const struct wb_action *did = &l->watch->latest;
	const struct warp *w = warp_at(l, did->mp, did->slot);
	const struct isa_ops *isa = l->plan.code.target.isa;
	struct wb_issue i = { .issue = l->watch->issues, .action = did, .gone = ~0ull,
			      .stalls = l->plan.timed ? l->watch->stalls : NULL };

	if (w && w->block->index == did->block) {
		i.gone = lanes_gone(w);
		i.depth = isa->stack ? isa->stack(w, 0, NULL) : 0;
	}
	l->each(l->each_context, &i);
}

void wb_launch_listen(struct wb_launch *l, void (*each)(void *context, const struct wb_issue *i), void *context)
{
	l->each = each;
	l->each_context = context;
}

static void waits_for(const struct warp *w, struct wb_warp *out)
{
	static const enum wb_wait waits[] = {
		[WARP_READY] = WB_WAIT_NONE, [WARP_AT_BARRIER] = WB_WAIT_BARRIER, [WARP_AT_LOCK] = WB_WAIT_LOCK,
		[WARP_DONE] = WB_WAIT_DONE, [WARP_FAULTED] = WB_WAIT_FAULT,
	};
	out->waits = waits[w->status];
	out->waits_for = w->status == WARP_AT_BARRIER ? w->waits_for : 0;
}

bool wb_launch_warp(const struct wb_launch *l, uint32_t mp, uint32_t slot, struct wb_warp *out)
{
	const struct warp *w = warp_at(l, mp, slot);
	const struct isa_ops *isa = l->plan.code.target.isa;

	if (!w)
		return false;
	*out = (struct wb_warp){
		.mp = mp,
		.slot = slot,
		.block = w->block->index,
		.warp = w->id,
		.pc = w->pc,
		.launched = w->launched,
		.active = w->active,
		.branched_off = w->in_state[LANE_RUNS] & ~w->active,
		.broke = w->in_state[LANE_BROKE],
		.returned = w->in_state[LANE_RETURNED],
		.exited = w->in_state[LANE_EXITED],
		.depth = isa->stack ? isa->stack(w, 0, NULL) : 0,
		.issues = w->issues,
		.issued_last = slot ==
			(l->plan.timed ? l->machine.mp[mp].sched.picked : l->machine.mp[mp].turns.previous),
	};
	waits_for(w, out);
	if (l->plan.timed && w->status != WARP_DONE && w->status != WARP_FAULTED)
		out->stall = stall_info(sched_why(&l->machine.mp[mp].sched, slot)).name;
	if (l->watch) {
		out->action = l->watch->slot[mp * WATCH_SLOTS + slot];
		/* Not an action of an earlier block's warp in this slot. */
		out->acted = out->action.active && out->action.block == out->block;
	}
	return true;
}

uint64_t wb_launch_helpers(const struct wb_launch *l, uint32_t mp, uint32_t slot)
{
	const struct warp *w = warp_at(l, mp, slot);

	return w ? w->helper : 0;
}

bool wb_launch_find_warp(const struct wb_launch *l, uint32_t block, uint32_t warp, struct wb_warp *out)
{
	for (unsigned i = 0; l->machine.mp && i < l->plan.nmps; i++)
		for (unsigned k = 0; k < l->machine.mp[i].nresident; k++) {
			const struct resident *r = &l->machine.mp[i].resident[k];
			if (r->live && r->block.index == block && warp < r->block.nwarps)
				return wb_launch_warp(l, i, r->first_slot + warp, out);
		}
	return false;
}

/* The name of a scoreboard entry awaited by the instruction at `word`. */
static void awaited_name(const struct wb_launch *l, uint32_t word, unsigned entry, char *name, size_t size)
{
	const struct isa_ops *isa = l->plan.code.target.isa;
	struct ports ports = { 0 };

	*name = '\0';
	for (unsigned k = 0; k < l->plan.issue.model->ncounters; k++)
		if (entry >= l->plan.issue.counter[k].entry &&
		    entry < l->plan.issue.counter[k].entry + l->plan.issue.counter[k].most)
			snprintf(name, size, "%s", l->plan.issue.model->counter[k].name);
	if (*name || word >= l->plan.code.code_bytes / 4)
		return;
	isa->ports(&l->plan.code, &l->plan.code.insn[word], &ports);
	for (unsigned k = 0; k < ports.nread; k++)
		if (l->plan.issue.entry[ports.read[k]] == entry + 1)
			isa->reg.port_name(ports.read[k], name, size);
	for (unsigned k = 0; k < ports.nwrite && !*name; k++)
		if (l->plan.issue.entry[ports.write[k]] == entry + 1)
			isa->reg.port_name(ports.write[k], name, size);
}

/* The index-th scoreboard entry that an instruction waits for beyond cycle `now`, latest first; -1: past the end. */
static int awaited_entry(const struct slot *w, uint64_t now, unsigned index)
{
	uint64_t below = UINT64_MAX;
	int entry = -1;

	for (unsigned n = 0; n <= index; n++) {
		uint64_t last = 0;
		entry = -1;
		for (unsigned k = 0; k < w->next->nneeds; k++) {
			/* entries of equal cycles are ordered by number */
			uint64_t at = w->board[w->next->needs[k]], key = at << 12 | w->next->needs[k];
			if (result_cycle(at) > now && key > last && key < below) {
				last = key;
				entry = w->next->needs[k];
			}
		}
		below = last;
		if (entry < 0)
			return -1;
	}
	return entry;
}

/* A ready warp waits for the unit of its next instruction. */
static bool awaited_unit(const struct wb_launch *l, uint32_t mp, uint32_t slot, struct wb_awaited *out)
{
	const struct sched *s = &l->machine.mp[mp].sched;
	const struct sched_op *op = slot_of(s, slot)->next;
	uint64_t free = s->free_at[op->unit], other = s->free_at[op->other_unit];

	*out = (struct wb_awaited){ .name = "its unit", .reason = STALL_PIPE, .ready_at = free < other ? free : other };
	out->known = unit_holder(l, mp, free <= other ? op->unit : op->other_unit, &out->producer);
	return true;
}

bool wb_launch_awaited(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned index, struct wb_awaited *out)
{
	const struct warp *warp = warp_at(l, mp, slot);
	const struct sched *s = warp && l->plan.timed ? &l->machine.mp[mp].sched : NULL;
	const struct slot *w;
	uint64_t at;
	int entry;

	if (!s || !(s->occupied >> slot & 1) || warp->status != WARP_READY)
		return false;
	w = slot_of(s, slot);
	if (sched_why(s, slot) == STALL_PIPE)
		return !index && awaited_unit(l, mp, slot, out);
	entry = awaited_entry(w, s->now, index);
	at = entry >= 0 ? w->board[entry] : (w->free_at > s->now ? result_entry(w->free_at, 0) : 0);
	if (!at || (entry < 0 && index))
		return false;
	*out = (struct wb_awaited){
		.reason = result_kind(at) ? result_stall(result_kind(at)) : entry >= 0 ? STALL_OPERAND : w->free_wait,
		.ready_at = result_cycle(at),
	};
	if (entry >= 0)
		awaited_name(l, w->next->word, (unsigned)entry, out->name, sizeof out->name);
	out->known = producer_of(l, mp, slot, entry >= 0 ? entry : SCHED_NONE, &out->producer);
	return true;
}

bool wb_launch_stack(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned level, struct wb_stack *out)
{
	const struct warp *w = warp_at(l, mp, slot);
	const struct isa_ops *isa = l->plan.code.target.isa;
	struct isa_stack_entry e;

	if (!w || !isa->stack || level >= isa->stack(w, level, &e))
		return false;
	*out = (struct wb_stack){ e.name, e.pc, e.mask };
	return true;
}

static uint32_t expected_at(const struct block *b, const struct barrier *bar)
{
	if (!bar->count)
		return 0;
	return bar->needed ? bar->needed : (uint32_t)__builtin_popcountll(b->unfinished);
}

bool wb_launch_barrier(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned n, struct wb_barrier *out)
{
	const struct warp *w = warp_at(l, mp, slot);

	if (!w || n >= BARRIERS)
		return false;
	const struct barrier *bar = &w->block->barrier[n];
	*out = (struct wb_barrier){ bar->count, expected_at(w->block, bar), bar->waiting };
	return true;
}

bool wb_launch_lock(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned index, struct wb_lock *out)
{
	const struct warp *w = warp_at(l, mp, slot);

	if (!w)
		return false;
	const struct locks *k = &w->block->lock;
	for (uint32_t f = 0; k->flag && k->flags_set && f < FLAG_ENTRIES(l->plan.rules.lock_entries); f++)
		if (k->flag[f >> 6] >> (f & 63) & 1 && !index--) {
			*out = (struct wb_lock){ k->owner[f] >> 8 & 0xffff, k->owner[f] & 0xff, 0 };
			return true;
		}
	FOR_SET_LANES(i, k->holders)
		if (!index--) {
			*out = (struct wb_lock){ k->held[i], (uint32_t)i, k->waiters };
			return true;
		}
	return false;
}

const uint8_t *wb_launch_shared(const struct wb_launch *l, uint32_t mp, uint32_t slot, uint32_t *bytes)
{
	const struct warp *w = warp_at(l, mp, slot);

	*bytes = w ? w->block->shared_bytes : 0;
	return w ? w->block->shared : NULL;
}

/* ---- code ---- */

int kernel_line(const struct image_kernel *k, uint32_t pc)
{
	size_t from = 0, to = k->nlines;        /* the last line at or before pc is in from - 1 … to - 1 */

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (k->lines[middle].pc <= pc)
			from = middle + 1;
		else
			to = middle;
	}
	return from ? (int)k->lines[from - 1].line : 0;
}

/* Write the space's name, "g14"; false: a space that programs cannot name. */
static bool space_name(const struct access *a, char name[8])
{
	static const char letters[MEM_SPACES] = {
		[MEM_SHARED] = 's', [MEM_CONST] = 'c', [MEM_LOCAL] = 'l', [MEM_GLOBAL] = 'g' };
	bool numbered = a->space == MEM_CONST || a->space == MEM_GLOBAL;

	snprintf(name, 8, numbered ? "%c%u" : "%c", letters[a->space], a->bank % 100u);
	return letters[a->space] != '\0';
}

/* The cost of the lanes of group g. */
static void access_cost(const struct wb_launch *l, const struct access *a, unsigned g, struct wb_access *out)
{
	struct group_cost c = access_group_cost(&l->plan, a, g);

	out->passes[g] = c.passes;
	if (a->space != MEM_GLOBAL)
		return;
	out->transactions[g] = c.transactions;
	out->bytes[g] = c.bytes;
}

bool wb_launch_access(const struct wb_launch *l, unsigned index, struct wb_access *out)
{
	const struct watch *w = l->watch;
	const struct step *step = w && w->began && w->latest.issued ? &l->machine.mp[w->latest.mp].x.step : NULL;

	*out = (struct wb_access){ 0 };
	if (!step || index >= step->accesses || step->access[index].pattern == PATTERN_SCALAR ||
	    !space_name(&step->access[index], out->space))
		return false;
	const struct access *a = &step->access[index];
	out->loads = a->kind != ACCESS_STORE;
	out->stores = a->kind != ACCESS_LOAD;
	out->width = a->width;
	out->lanes = a->lanes;
	FOR_SET_LANES(i, a->lanes)
		out->addr[i] = a->addr[i];
	out->group_lanes = access_group_lanes(&l->plan, a);
	out->groups = l->plan.code.target.isa->lanes / out->group_lanes;
	for (unsigned g = 0; g < out->groups; g++)
		access_cost(l, a, g, out);
	return true;
}

bool wb_launch_code(const struct wb_launch *l, uint32_t pc, struct wb_code *out)
{
	const struct insn *in;

	if (pc >= l->plan.code.code_bytes || pc % 4)
		return false;
	in = program_at(&l->plan.code, pc);
	*out = (struct wb_code){ .pc = pc, .length = in->length, .line = kernel_line(l->plan.kernel, pc) };
	isa_print(&l->plan.code.target, in, out->text, sizeof out->text);
	for (size_t i = 0; i < l->plan.kernel->nlabels && !out->label; i++)
		if (l->plan.kernel->labels[i].pc == pc)
			out->label = l->plan.kernel->labels[i].name;
	return true;
}

bool wb_launch_label(const struct wb_launch *l, const char *name, uint32_t *pc)
{
	for (size_t i = 0; i < l->plan.kernel->nlabels; i++)
		if (!strcmp(l->plan.kernel->labels[i].name, name)) {
			*pc = l->plan.kernel->labels[i].pc;
			return true;
		}
	return false;
}

uint64_t wb_launch_cycle(const struct wb_launch *l, uint32_t mp)
{
	return l->watch && mp < l->plan.nmps ? clock_last(&l->machine.mp[mp], 1) : 0;
}

uint32_t wb_launch_code_bytes(const struct wb_launch *l)
{
	return l->plan.code.code_bytes;
}

bool wb_launch_compiled(const struct wb_launch *l)
{
	return l->plan.image->source && strcmp(l->plan.image->format, "asm") != 0;
}

const char *wb_launch_beside(const struct wb_launch *l, uint32_t pc, int *line, int *n)
{
	const struct image *im = l->plan.image;
	const struct image_kernel *k = l->plan.kernel;
	size_t low = 0, high = k->nbeside;

	while (low < high) { /* the first row behind pc */
		size_t middle = low + (high - low) / 2;
		if (k->beside_lines[middle].pc <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	uint32_t at = low ? k->beside_lines[low - 1].line : 0;
	if (!at || at > im->nbeside_lines)
		return NULL;
	*line = (int)at;
	*n = (int)strcspn(im->beside_line[at - 1], "\r\n");
	return im->beside_line[at - 1];
}

const char *wb_launch_source(const struct wb_launch *l)
{
	return l->plan.image->source;
}
