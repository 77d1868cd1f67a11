/* The machine's setup before a program starts (spec tesla-semantics, "Launch (compute)"). */
#include <string.h>

#include "core/base/clear.h"
#include "core/isa/tesla/bind.h"
#include "core/isa/tesla/flow.h"
#include "core/isa/tesla/stage.h"
#include "core/isa/tesla/threaded.h"
#include "mem/bounds.h"

size_t stage_offset(const struct rules *rules)
{
	size_t stacks = tesla_lanes_apart(rules) ? flow_lanes_bytes(rules) :
						   rules->stack_depth * sizeof(struct stack_entry);

	return (sizeof(struct tesla_warp) + stacks + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
}

size_t tesla_warp_bytes(const struct program *p, const struct rules *rules)
{
	const struct tesla_code *code = (const struct tesla_code *)p->threaded;

	return stage_offset(rules) +
	       (p->target.mode == MODE_CP ? 0 : stage_bytes((unsigned)code->inputs + code->outputs));
}

static void put16(struct block *b, uint32_t addr, uint32_t v)
{
	uint16_t half = (uint16_t)v;

	if (bytes_inside(addr, 2, b->shared_bytes))
		memcpy(b->shared + addr, &half, 2);
}

void tesla_start_block(struct block *b, const struct launch_params *params)
{
	put16(b, 0x0, 0);
	put16(b, 0x2, b->ntid[0]);
	put16(b, 0x4, b->ntid[1]);
	put16(b, 0x6, b->ntid[2]);
	put16(b, 0x8, b->nctaid[0]);
	put16(b, 0xa, b->nctaid[1]);
	put16(b, 0xc, b->id[0]);
	put16(b, 0xe, b->id[1]);
	if (params->base >= 0x14) {     /* Mesa's programs: nctaid.z and ctaid.z before the parameters */
		put16(b, 0x10, 1);
		put16(b, 0x12, 0);
	}
	memcpy(b->shared + params->base, params->bytes, params->size);
}

/* Most blocks have one row of threads, and hosts divide slowly. */
static uint32_t quotient(uint32_t n, uint32_t by)
{
	return n < by ? 0 : n / by;
}

/* $r0 of a warp with the block's thread `first` in its lowest lane: x, y and z packed. */
static void number_threads(const struct block *b, uint32_t first, struct row *r0)
{
	uint32_t row = quotient(first, b->ntid[0]), z = quotient(row, b->ntid[1]);
	uint32_t x = first - row * b->ntid[0], y = row - z * b->ntid[1];

	if (x + LANES <= b->ntid[0]) {          /* a loop that the compiler makes vectors of */
		FOR_LANES(l)
			r0->lane[l] = (x + (uint32_t)l) | y << 16 | z << 26;
		return;
	}
	for (uint32_t l = 0; l < LANES && first + l < b->threads; l++) {
		r0->lane[l] = x | y << 16 | z << 26;
		if (++x < b->ntid[0])
			continue;
		x = 0;
		if (++y == b->ntid[1]) {
			y = 0;
			z++;
		}
	}
}

static unsigned address_change(uint8_t areg)
{
	return areg < ADDRESS_ROWS ? 1u << (CHANGED_A + areg) : 0;
}

static unsigned increment_changes(const struct opnd *o)
{
	return o->post ? address_change(o->addr_reg) : 0;
}

uint16_t tesla_changes(const struct program *p)
{
	unsigned rows = 0;

	for (uint32_t i = 0; i < p->code_bytes / 4; i++) {
		const struct insn *in = &p->insn[i];
		if (!in->row || in->refused)
			continue;
		if (in->flags_dst != FLAGS_NONE)
			rows |= 1u << (CHANGED_C + (in->flags_dst & 3));
		if (in->dst.shape == OPND_REG && in->dst.file == FILE_C)
			rows |= 1u << (CHANGED_C + (in->dst.reg & 3));
		if (in->dst.shape == OPND_REG && in->dst.file == FILE_A)
			rows |= address_change((uint8_t)in->dst.reg);
		rows |= increment_changes(&in->dst);
		for (int k = 0; k < ISA_MAX_SRC; k++)
			rows |= increment_changes(&in->src[k]);
		rows |= in->row->exec == TESLA_EXEC_shfl ? 1u << CHANGED_FROM : 0;
	}
	return (uint16_t)rows;
}

/* Rows that earlier warps in the same storage may have changed. */
static void clear_changes(struct tesla_warp *t, unsigned rows)
{
	static const struct row zeros;

	FOR_SET_LANES(i, rows)
		memcpy((char *)t + (size_t)i * sizeof zeros, &zeros, sizeof zeros);
}

void tesla_start_warp(struct block *b, struct warp *w, const struct program *p, const struct rules *rules)
{
	struct tesla_warp *t = tesla_state(w);
	uint32_t first = w->id * (uint32_t)LANES;

	/* `zero` stays 0, and the members behind are written before they are read. */
	if (rules->preset)
		clear_bytes(t, offsetof(struct tesla_warp, zero));
	else
		clear_changes(t, ((const struct tesla_code *)p->threaded)->changes);
	t->a7 = t->depth = t->limited_calls = 0;
	t->joined = false;
	t->stage = NULL;
	t->paths = NULL;
	if (tesla_lanes_apart(rules))
		flow_lanes_start(t, rules, t + 1);
	else
		t->stack = (struct stack_entry *)(t + 1);
	if (p->target.mode != MODE_CP)
		stage_start(b, w, p, (struct stage *)((char *)w->state + stage_offset(rules)));
	else if (w->nreg)
		number_threads(b, first, &w->reg[0]);
}

uint32_t *tesla_reg(struct warp *w, const char *file, unsigned reg, unsigned lane)
{
	struct tesla_warp *t = tesla_state(w);

	if (lane >= LANES)
		return NULL;
	if (!strcmp(file, "r") && reg < w->nreg)
		return &w->reg[reg].lane[lane];
	if (!strcmp(file, "c") && reg < 4)
		return &t->c[reg].lane[lane];
	if (!strcmp(file, "a") && reg >= 1 && reg < ADDRESS_ROWS)
		return &t->a[reg].lane[lane];
	if (!strcmp(file, "from") && !reg)
		return &t->from.lane[lane];
	return NULL;
}

static const char *const entry_name[] = {
	[ENTRY_BRANCH] = "branch", [ENTRY_CALL] = "call", [ENTRY_CALL_LIMITED] = "call lim",
	[ENTRY_PREBREAK] = "prebrk",
	[ENTRY_QUADON] = "quadon", [ENTRY_JOINAT] = "joinat",
};

unsigned tesla_stack(const struct warp *w, unsigned level, struct isa_stack_entry *out)
{
	const struct tesla_warp *t = tesla_state(w);

	if (t->paths)
		return flow_lanes_stack(w, level, out);
	if (out && level < t->depth) {
		const struct stack_entry *e = &t->stack[t->depth - 1 - level];
		*out = (struct isa_stack_entry){ .name = entry_name[e->type], .pc = e->pc, .mask = e->mask };
	}
	return t->depth;
}
