/* The checkers observe a launch that executes precisely and keep shadow state beside its memory: by resident block,
 * reset when a block starts; for global memory in a hash table of pages. Registers (a mask of the lanes that have
 * written each register) and barriers (warps that have ended, wait, or arrive with part of their lanes) are here,
 * accesses in check_memory.c, marks of the source in check_marks.c, findings in findings.c. The machine's state arena
 * has all state, for snapshots. */
#include "inspect/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/isa/table.h"
#include "inspect/launch.h"

bool check_prepare(struct wb_launch *l)
{
	struct check *c = l->check;
	uint32_t words = l->plan.code.code_bytes / 4;

	if (!c)
		return true;
	/* code objects are a compiler's work also without debug information */
	c->compiled = wb_launch_compiled(l) || !strcmp(l->plan.image->format, "code-object");
	c->marked = !strcmp(l->plan.image->format, "opencl");
	c->warps = l->plan.dim.warps;
	c->lanes = l->plan.code.target.isa->lanes;
	c->nreg = l->plan.code.nreg;
	c->shared_requested = l->plan.requested.shared;
	c->local_requested = l->plan.requested.local;
	c->ports = ARENA_ARRAY(&l->machine.state, struct ports, words + 1);
	c->diverged_seen = ARENA_ARRAY(&l->machine.state, uint64_t, l->plan.nmps);
	c->rounded_seen = ARENA_ARRAY(&l->machine.state, uint64_t, l->plan.nmps);
	if (!c->ports || !c->diverged_seen || !c->rounded_seen)
		return false;
	for (uint32_t i = 0; i < words && l->plan.code.target.isa->ports; i++)
		l->plan.code.target.isa->ports(&l->plan.code, &l->plan.code.insn[i], &c->ports[i]);
	return !c->on[CHECK_RACE] || check_pages(l);
}

static size_t local_bytes(const struct wb_launch *l)
{
	return (size_t)l->plan.code.local_bytes * l->plan.dim.warps * l->plan.code.target.isa->lanes;
}

static bool prepare_block(struct observer *o, struct machine *m, struct block *b)
{
	struct wb_launch *l = ((struct launch_observer *)o)->launch;
	const struct check *c = l->check;
	struct block_check *k;

	(void)m;
	b->check = k = ARENA_NEW(&l->machine.state, struct block_check);
	if (!k)
		return false;
	k->clock = ARENA_ARRAY(&l->machine.state, uint32_t, c->warps * c->warps);
	k->lock_clock = ARENA_ARRAY(&l->machine.state, uint32_t, l->plan.shared_bytes / 4 * c->warps);
	k->shared = ARENA_ARRAY(&l->machine.state, struct shadow, l->plan.shared_bytes / 4);
	k->shared_written = ARENA_ARRAY(&l->machine.state, uint8_t, l->plan.shared_bytes);
	k->local_written = ARENA_ARRAY(&l->machine.state, uint8_t, local_bytes(l) + 1);
	k->written = ARENA_ARRAY(&l->machine.state, lane_mask, (size_t)c->warps * c->nreg + 1);
	k->meetings = ARENA_NEW(&l->machine.state, struct block_meetings);
	k->met = ARENA_ARRAY(&l->machine.state, struct warp_meetings, c->warps);
	return k->clock && k->lock_clock && k->shared && k->shared_written && k->local_written && k->written &&
	       k->meetings && k->met;
}

/* Registers and bytes written by the launch: header and parameters, if in s[] and not in global memory; $r0 of every
 * thread. */
static void block_starts(struct observer *o, struct machine *m, struct block *b)
{
	struct wb_launch *l = ((struct launch_observer *)o)->launch;
	const struct check *c = l->check;
	struct block_check *k = b->check;
	uint32_t started = l->plan.code.target.isa->reg.started ? l->plan.code.target.isa->reg.started : 1;

	(void)m;
	memset(k->clock, 0, c->warps * c->warps * sizeof *k->clock);
	memset(k->lock_clock, 0, l->plan.shared_bytes / 4 * c->warps * sizeof *k->lock_clock);
	memset(k->shared, 0, l->plan.shared_bytes / 4 * sizeof *k->shared);
	memset(k->shared_written, 0, l->plan.shared_bytes);
	if (!l->plan.code.target.isa->launch)
		memset(k->shared_written, 1, l->plan.param.base + l->plan.param.size);
	memset(k->local_written, 0, local_bytes(l));
	memset(k->written, 0, (size_t)c->warps * c->nreg * sizeof *k->written);
	memset(k->meetings, 0, sizeof *k->meetings);
	memset(k->met, 0, c->warps * sizeof *k->met);
	for (uint32_t w = 0; w < c->warps; w++)
		for (uint32_t i = 0; i < started && i < c->nreg; i++)
			k->written[w * c->nreg + i] = ~(lane_mask)0;
	k->releases = b->releases;
}

/* ---- registers ---- */

static void check_registers(struct wb_launch *l, struct exec *x, const struct ports *p)
{
	const struct warp *w = x->warp;
	const struct isa_ops *isa = l->plan.code.target.isa;
	char name[24];
	lane_mask *written = x->block->check->written + (size_t)w->id * l->check->nreg, lanes = x->step.executed;

	for (unsigned i = 0; i < p->nread; i++) {
		unsigned reg = p->read[i];
		lane_mask bad = reg < l->check->nreg ? lanes & ~written[reg] : 0;
		if (!bad)
			continue;
		snprintf(name, sizeof name, "$r%u", reg);
		if (isa->reg.port_name)
			isa->reg.port_name(reg, name, sizeof name);
		check_found(l, CHECK_UNINIT, x->step.pc, reg, "pc 0x%x reads %s, which was never written: "
			    "block %u warp %u lanes 0x%0*" PRIx64, x->step.pc, name, x->block->index, w->id,
			    mask_digits(l), bad);
	}
	for (unsigned i = 0; i < p->nwrite; i++)
		if (p->write[i] < l->check->nreg)
			written[p->write[i]] |= lanes;
}

/* ---- barriers ---- */

static uint64_t all_warps(const struct block *b)
{
	return lanes_first((int)b->nwarps);
}

static void check_bar(struct wb_launch *l, struct exec *x)
{
	const struct block *b = x->block;
	uint64_t ended = all_warps(b) & ~b->unfinished;

	if (ended)
		check_found(l, CHECK_BARRIER, x->step.pc, 0, "without all warps at pc 0x%x: "
			    "block %u warp %u is there, warps 0x%" PRIx64 " have ended", x->step.pc, b->index,
			    x->warp->id, ended);
}

/* Executors count warps that arrive at a barrier without all lanes; where each lane has a pc, after the last lane has
 * parked. */
static void check_diverged(struct wb_launch *l, struct exec *x)
{
	uint64_t now = x->counts.notice[NOTICE_BARRIER_DIVERGED], *seen = &l->check->diverged_seen[x->special.mp];

	if (now != *seen)
		check_found(l, CHECK_BARRIER, x->step.pc, 2, "under divergence at pc 0x%x: "
			    "block %u warp %u arrives with lanes 0x%0*" PRIx64 ", others are elsewhere", x->step.pc,
			    x->block->index, x->warp->id, mask_digits(l), x->step.active);
	*seen = now;
}

static void warp_ended(struct observer *o, struct machine *m, struct mp *mp, struct warp *w)
{
	struct wb_launch *l = ((struct launch_observer *)o)->launch;
	const struct exec *x = &mp->x;
	const struct block *b = w->block;

	(void)m;
	if (!l->check->on[CHECK_BARRIER])
		return;
	check_copies_end(l, b, w);
	for (unsigned n = 0; n < BARRIERS; n++)
		if (b->barrier[n].waiting && !b->barrier[n].needed)
			check_found(l, CHECK_BARRIER, x->step.pc, 1, "block %u warp %u ends at pc 0x%x while warps 0x%"
				    PRIx64 " wait for it at barrier %u", b->index, w->id, x->step.pc,
				    b->barrier[n].waiting, n);
}

static void block_ended(struct observer *o, struct machine *m, struct mp *mp, struct block *b)
{
	struct wb_launch *l = ((struct launch_observer *)o)->launch;

	(void)m;
	(void)mp;
	if (l->check->on[CHECK_BARRIER])
		check_meetings_end(l, b);
}

/* ---- addresses that are rounded down ---- */

static void check_rounded(struct wb_launch *l, struct exec *x)
{
	uint64_t now = x->counts.notice[NOTICE_CONST_MISALIGNED], *seen = &l->check->rounded_seen[x->special.mp];

	if (now != *seen)
		check_found(l, CHECK_BOUNDS, x->step.pc, BOUNDS_ROUNDED, "load by pc 0x%x of an address that is not "
			    "divisible by its size, rounded down: block %u warp %u", x->step.pc, x->block->index,
			    x->warp->id);
	*seen = now;
}

static bool arrives(const struct wb_launch *l, const struct ports *p)
{
	return l->plan.code.target.isa->table->issue->class[p->lat].kind & CLASS_BARRIER;
}

static void inspected(struct observer *o, struct machine *m, struct exec *x)
{
	struct wb_launch *l = ((struct launch_observer *)o)->launch;
	const struct check *c = l->check;
	const struct ports *p = &c->ports[x->step.pc / 4];

	(void)m;
	if (x->step.flow & FLOW_REJOIN)
		return;
	/* a compiler copies registers whose values nobody needs */
	if (c->on[CHECK_UNINIT] && !c->compiled)
		check_registers(l, x, p);
	if (c->on[CHECK_BARRIER] && arrives(l, p))
		check_bar(l, x);
	if (c->on[CHECK_BARRIER])
		check_diverged(l, x);
	if (c->on[CHECK_BOUNDS])
		check_rounded(l, x);
	if (p->event && c->marked && x->step.executed)
		check_mark(l, x, p->event - 1u);
	if (x->step.accesses)
		check_memory(l, x);
}

bool check_kinds(const char *kinds, bool on[CHECKS], struct diag *d)
{
	const char *p = strcmp(kinds, "none") ? kinds : "";

	while (*p) {
		size_t n = strcspn(p, ",");
		int k = check_kind_of(p, n);
		if (k < 0)
			return diag_set(d, DIAG_USAGE, "--check: found \"%.*s\", expected "
					"race, uninit, barrier or bounds, with commas between, or none", (int)n, p);
		on[k] = true;
		p += n + (p[n] == ',');
	}
	return true;
}

bool check_begin(struct wb_launch *l, const char *kinds, struct diag *d)
{
	struct launch_observer *o;

	if (!*kinds || !strcmp(kinds, "none"))
		return true;
	o = ARENA_NEW(&l->arena, struct launch_observer);
	l->check = ARENA_NEW(&l->machine.state, struct check);
	if (!l->check || !o)
		return diag_set(d, DIAG_ENV, "out of memory");
	if (!check_kinds(kinds, l->check->on, d))
		return false;
	*o = (struct launch_observer){
		.observer = {
			.precise_reason = "--check follows the order of accesses", .prepare_block = prepare_block,
			.block_starts = block_starts, .inspected = inspected, .warp_ended = warp_ended,
			.block_ended = block_ended,
		},
		.launch = l,
	};
	CHECK_STATE(&o->observer, check_check_state);
	launch_observe(l, &o->observer, false);
	return true;
}
