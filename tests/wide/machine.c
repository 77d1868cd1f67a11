/* The test machine from the core's side: executors, threaded code, the start of blocks and warps. Lane-wise arithmetic
 * has handlers, all else takes the engine's slow path, so the file is compiled with the engine's source at 64 lanes. */
#include <stdio.h>
#include <string.h>

#include "core/base/vector.h"
#include "core/isa/loop.h"
#include "core/isa/translate.h"
#include "mem/conflicts.h"
#include "mem/mem.h"
#include "mem/undo_log.h"
#include "mem/warp_sets.h"
#include "tests/wide/wide.h"

_Static_assert(LANES == 64, "compiled with -DROW_LANES=64");

enum { STACK_ENTRIES = 256, PORT_M = WIDE_REGISTERS };

enum entry_kind { ENTRY_JOIN, ENTRY_BRANCH };

/* JOIN: the lanes active at an ssy, which go on behind the join at pc. BRANCH: the lanes that did not take the bra at
 * `cause`, at pc. Without padding, as snapshots compare and hash bytes: an assignment copies padding as well, of any
 * content. */
struct entry {
	uint64_t kind;
	uint32_t pc, cause;
	lane_mask lanes;
};

_Static_assert(sizeof(struct entry) == 2 * sizeof(uint64_t) + sizeof(lane_mask), "no padding");

struct wide_warp {
	lane_mask mask[WIDE_MASKS];
	uint32_t depth;
	struct entry stack[STACK_ENTRIES];
};

static struct wide_warp *state_of(const struct warp *w)
{
	return w->state;
}

#define EXEC(name) static int exec_##name(struct exec *x, const struct insn *in)

/* ---- arithmetic ---- */

static struct row *source(struct exec *x, const struct insn *in, int i)
{
	return &x->warp->reg[in->src[i].reg];
}

static int put(struct exec *x, const struct insn *in, const struct row *v)
{
	row_blend(&x->warp->reg[in->dst.reg], v, x->step.executed);
	return STEP_OK;
}

/* An executor, and a handler of threaded code. */
#define LANE_WISE(name, expression) \
	static inline void lanes_##name(struct row *v, const struct row *row_a, const struct row *row_b) \
	{ \
		FOR_LANES(l) { \
			uint32_t a = row_a->lane[l], b = row_b->lane[l]; \
			v->lane[l] = (expression); \
		} \
	} \
	EXEC(name) \
	{ \
		struct row v; \
		lanes_##name(&v, source(x, in, 0), source(x, in, 1)); \
		return put(x, in, &v); \
	} \
	static int handle_##name(HANDLER_PARAMETERS) \
	{ \
		struct row v; \
		lanes_##name(&v, op_src(op, 0, reg), op_src(op, 1, reg)); \
		row_blend(op_row(reg, op->dst), &v, active); \
		HANDLER_NEXT(op, x, reg, active); \
	}
LANE_WISE(add, a + b)
LANE_WISE(mul, a * b)
LANE_WISE(xor, a ^ b)

EXEC(addi)
{
	const struct row *a = source(x, in, 0);
	struct row v;

	FOR_LANES(l)
		v.lane[l] = a->lane[l] + (uint32_t)in->src[1].value;
	return put(x, in, &v);
}

EXEC(mov)
{
	struct row v;

	FOR_LANES(l)
		v.lane[l] = (uint32_t)in->src[0].value;
	return put(x, in, &v);
}

static uint64_t pair(const struct row *low, int lane)
{
	return (uint64_t)low[1].lane[lane] << 32 | low->lane[lane];
}

EXEC(addw)
{
	struct row *a = source(x, in, 0), *d = &x->warp->reg[in->dst.reg], low, high;
	const struct row *b = source(x, in, 1);

	FOR_LANES(l) {
		uint64_t v = pair(a, l) + b->lane[l];
		low.lane[l] = (uint32_t)v;
		high.lane[l] = (uint32_t)(v >> 32);
	}
	row_blend(d, &low, x->step.executed);
	row_blend(d + 1, &high, x->step.executed);
	return STEP_OK;
}

static int put_mask(struct exec *x, const struct insn *in, lane_mask v)
{
	lane_mask *m = &state_of(x->warp)->mask[in->dst.reg];

	if (in->dst.reg != MASK_ALL)
		*m = (*m & ~x->step.executed) | (v & x->step.executed);
	return STEP_OK;
}

#define COMPARE(name, op) EXEC(name) \
	{ \
		const struct row *a = source(x, in, 0), *b = source(x, in, 1); \
		lane_mask v = 0; \
		FOR_LANES(l) \
			v |= (lane_mask)(a->lane[l] op b->lane[l]) << l; \
		return put_mask(x, in, v); \
	}
COMPARE(lt, <)
COMPARE(eq, ==)

/* ---- memory ---- */

static void record(struct exec *x, enum access_kind kind, enum mem_space space, const uint64_t addr[])
{
	struct access *a = &x->step.access[x->step.accesses];

	if (!x->hooks.access)
		return;
	x->step.accesses++;
	a->kind = kind;
	a->space = space;
	a->bank = a->lock = 0;
	a->width = 4;
	a->lanes = x->step.executed;
	a->pattern = PATTERN_ANY;
	FOR_LANES(l)
		a->addr[l] = (__typeof__(a->addr[l]))addr[l];
}

/* Note a touch of a word of page p by a block executed before its start, or beside others. The page's number among all
 * pages stands for the upper part of the address. */
static bool touch(struct exec *x, struct global_page *p, enum rw_set kind, uint64_t addr)
{
	uint32_t at = (uint32_t)(addr % PAGE_BYTES);

	if (!x->pages.sets)
		return true;
	if (!worker_sets_add(x->pages.sets, p, kind, at, 4))
		return false;
	if (x->warp_sets)
		warp_sets_global(x->warp_sets, p->index << PAGE_BITS | at, 1, kind);
	return true;
}

/* Where each executing lane's word of g[] is. */
static int global_places(struct exec *x, const struct insn *in, enum rw_set kind, uint8_t *at[])
{
	const struct global *g = x->memory->global;
	uint64_t addr[LANES];

	FOR_LANES(l)
		addr[l] = pair(source(x, in, 0), l);
	FOR_SET_LANES(l, x->step.executed) {
		at[l] = addr[l] >> GLOBAL_BITS_MAX ? NULL : global_at(g, &x->pages, addr[l], 4);
		if (!at[l])
			return exec_fault(x, addr[l] % 4 ? FAULT_GLOBAL_MISALIGNED : FAULT_GLOBAL_UNMAPPED, 1ull << l,
					  addr[l]);
	}
	FOR_SET_LANES(l, x->step.executed) {
		if (!touch(x, global_page_at(g, &x->pages, addr[l]), kind, addr[l]))
			return exec_fault(x, FAULT_GLOBAL_UNMAPPED, 1ull << l, addr[l]);
		if (kind == WRITE_SET && g->undo)
			undo_log_store(g, &x->pages, addr[l]);
	}
	record(x, kind == WRITE_SET ? ACCESS_STORE : ACCESS_LOAD, MEM_GLOBAL, addr);
	return STEP_OK;
}

static int shared_places(struct exec *x, const struct insn *in, enum rw_set kind, uint8_t *at[])
{
	const struct row *a = source(x, in, 0);
	uint64_t addr[LANES];

	FOR_LANES(l)
		addr[l] = a->lane[l];
	FOR_SET_LANES(l, x->step.executed) {
		if (addr[l] % 4 || addr[l] + 4 > x->block->shared_bytes)
			return exec_fault(x, addr[l] % 4 ? FAULT_SHARED_MISALIGNED : FAULT_SHARED_OUT_OF_RANGE,
					  1ull << l, a->lane[l]);
		at[l] = x->block->shared + addr[l];
	}
	FOR_SET_LANES(l, x->warp_sets ? x->step.executed : 0)
		warp_sets_shared(x->warp_sets, a->lane[l], 1, kind);
	record(x, kind == WRITE_SET ? ACCESS_STORE : ACCESS_LOAD, MEM_SHARED, addr);
	return STEP_OK;
}

typedef int places_fn(struct exec *x, const struct insn *in, enum rw_set kind, uint8_t *at[]);

static int load(struct exec *x, const struct insn *in, places_fn *places)
{
	uint8_t *at[LANES];
	struct row v = { { 0 } };
	int r = places(x, in, READ_SET, at);

	if (r != STEP_OK)
		return r;
	FOR_SET_LANES(l, x->step.executed)
		memcpy(&v.lane[l], at[l], 4);
	return put(x, in, &v);
}

/* At equal addresses the highest lane's word stays. */
static int store(struct exec *x, const struct insn *in, places_fn *places)
{
	const struct row *v = source(x, in, 1);
	uint8_t *at[LANES];
	int r = places(x, in, WRITE_SET, at);

	if (r != STEP_OK)
		return r;
	FOR_SET_LANES(l, x->step.executed) {
		x->changes += memcmp(at[l], &v->lane[l], 4) != 0;
		memcpy(at[l], &v->lane[l], 4);
	}
	x->progress++;
	return STEP_OK;
}

EXEC(ld)
{
	return load(x, in, global_places);
}

EXEC(st)
{
	return store(x, in, global_places);
}

/* A wait makes the results available. */
EXEC(ldc)
{
	return load(x, in, global_places);
}

EXEC(ldsc)
{
	return load(x, in, shared_places);
}

EXEC(wait)
{
	return STEP_OK;
}

EXEC(lds)
{
	return load(x, in, shared_places);
}

EXEC(sts)
{
	return store(x, in, shared_places);
}

/* ---- control flow ---- */

static int push(struct exec *x, struct entry e)
{
	struct wide_warp *s = state_of(x->warp);

	if (s->depth == STACK_ENTRIES)
		return exec_fault(x, FAULT_STACK_OVERFLOW, x->warp->active, 0);
	s->stack[s->depth++] = e;
	if (s->depth > x->counts.deepest_stack)
		x->counts.deepest_stack = s->depth;
	x->step.flow |= FLOW_PUSH;
	return STEP_OK;
}

/* Pop to the topmost entry with unfinished lanes; the active lanes wait, or are done. STEP_DONE: no entry. *merged: the
 * entry was a join's. */
static int pop(struct exec *x, bool *merged)
{
	struct warp *w = x->warp;
	struct wide_warp *s = state_of(w);

	while (s->depth) {
		struct entry e = s->stack[--s->depth];
		lane_mask live = lanes_live(w, e.lanes);
		x->step.flow |= FLOW_POP;
		if (!live)
			continue;
		if (e.kind == ENTRY_BRANCH && w->active)
			lanes_leave(w, w->active, LANE_RUNS, e.cause);
		lanes_return(w, x->bill, live);
		x->step.next_pc = e.kind == ENTRY_JOIN ? e.pc + 4 : e.pc;
		*merged = e.kind == ENTRY_JOIN;
		return STEP_OK;
	}
	return w->active ? exec_fault(x, FAULT_STACK_UNDERFLOW, w->active, 0) : STEP_DONE;
}

EXEC(ssy)
{
	return push(x, (struct entry){ ENTRY_JOIN, (uint32_t)in->src[0].value, in->pc, x->warp->active });
}

EXEC(bra)
{
	struct warp *w = x->warp;
	unsigned mask = in->src[1].reg;
	lane_mask taken = mask == MASK_ALL ? w->active : state_of(w)->mask[mask] & w->active, rest = w->active & ~taken;
	int r = STEP_OK;

	x->step.flow = FLOW_BRANCH | (taken ? FLOW_TAKEN : 0) | (taken && rest ? FLOW_DIVERGED : 0);
	if (taken && rest) {
		r = push(x, (struct entry){ ENTRY_BRANCH, in->pc + 4, in->pc, rest });
		if (r != STEP_OK)
			return r;
		lanes_leave(w, rest, LANE_RUNS, in->pc);
	}
	if (taken)
		x->step.next_pc = (uint32_t)in->src[0].value;
	return r;
}

/* An arrival at a join before the last only lets other lanes run; the last arrival executes the join, under all
 * lanes. */
EXEC(join)
{
	bool merged = false;
	int r = pop(x, &merged);

	x->step.flow |= merged ? FLOW_MERGED : FLOW_REJOIN;
	if (merged)
		x->step.active = x->step.executed = x->warp->active;
	return r;
}

EXEC(exit)
{
	bool merged;

	lanes_leave(x->warp, x->warp->active, LANE_EXITED, in->pc);
	x->progress++;
	return pop(x, &merged);
}

EXEC(bar)
{
	struct warp *w = x->warp;

	if (w->active != lanes_live(w, w->launched))
		exec_notice(x, NOTICE_BARRIER_DIVERGED);
	if (x->trace) {
		trace_barrier(x->trace, x->step.run, 0);
		w->status = WARP_AT_BARRIER;
		w->waits_for = 0;
		return STEP_BARRIER;
	}
	if (!barrier_arrive(x->block, w, 0, true, true, 0, UINT32_MAX))
		x->progress++;
	return w->status == WARP_AT_BARRIER ? STEP_BARRIER : STEP_OK;
}

static int exec_illegal(struct exec *x, const struct insn *in)
{
	return exec_fault(x, FAULT_ILLEGAL_OPCODE, x->warp->active, 0);
}

/* ---- threaded code ---- */

THREADED_OF_LEVEL(wide)
extern const struct threaded_level threaded_wide;

/* threaded_code.execute. Lanes that a join brings back have not lost the slot of the join's issue. */
static int wide_execute(struct exec *x, const struct insn *in)
{
	bool join = in->row && in->row->exec == WIDE_EXEC_join;
	int r;

	x->warp->issues += !join;
	r = in->exec(x, in);
	if (r == STEP_FAULT) {
		x->warp->issues -= !join;
		return r;
	}
	x->warp->issues += join && x->step.flow & FLOW_MERGED;
	exec_count_branch(x);
	return r;
}

/* An instruction at a time, each followed by the hook. */
static int wide_run_observed(struct exec *x, uint64_t budget)
{
	int r = STEP_OK;

	for (x->run.remaining = budget; r == STEP_OK && !threaded_over(x);) {
		r = threaded_step_wide(x);
		if (r != STEP_FAULT && x->hooks.executed)
			x->hooks.executed(x);
	}
	x->run.over = r != STEP_OK || threaded_too_long(x);
	return r;
}

static exec_fn *const executors[WIDE_EXEC_COUNT] = {
#define ENTRY(name, latency, text) [WIDE_EXEC_##name] = exec_##name,
	WIDE_EXEC_LIST(ENTRY)
#undef ENTRY
};

static bool is_flow(unsigned exec)
{
	return exec >= WIDE_EXEC_ssy;
}

/* Is a register of file v, or the pair from it on, outside of the file? */
static bool beyond(const struct program *p, const struct opnd *o)
{
	if (o->shape == OPND_MEM)
		return o->reg + (o->file == SPACE_G ? 2u : 1u) > p->nreg;
	return o->shape == OPND_REG && o->file == FILE_V && o->reg + o->width / 4u > p->nreg;
}

static handler_fn *const handlers[WIDE_EXEC_COUNT] = {
	[WIDE_EXEC_add] = handle_add, [WIDE_EXEC_mul] = handle_mul, [WIDE_EXEC_xor] = handle_xor,
};

/* translator.instruction */
static int entries(struct translator *t, const struct insn *in, bool alone, struct threaded_op *to)
{
	handler_fn *fn = in->exec != exec_illegal ? handlers[in->row->exec] : NULL;

	translate_slow(t, to);
	if (!fn)
		return 1;
	to->full = to->partial = fn;
	for (int i = 0; i < 2; i++)
		to->src[i] = (struct row_place){ UINTPTR_MAX, in->src[i].reg * sizeof(struct row) };
	to->dst = in->dst.reg * sizeof(struct row);
	return 1;
}

static bool translate(struct program *p, const struct rules *rules, struct arena *a)
{
	struct threaded_code *code = ARENA_NEW(a, struct threaded_code);
	struct translator *t = ARENA_NEW(a, struct translator);

	if (!code || !t)
		return false;
	*t = (struct translator){
		.p = p, .rules = rules, .arena = a, .level = &threaded_wide, .instruction = entries, .ops = 1,
	};
	code->execute = wide_execute;
	p->threaded = code;
	return translate_program(t, code);
}

static bool wide_bind(struct program *p, unsigned simd, const struct rules *rules, struct arena *a)
{
	p->run = threaded_wide.run;
	p->run_observed = wide_run_observed;
	p->traces = true;
	for (uint32_t i = 0; i < p->code_bytes / 4; i++) {
		struct insn *in = &p->insn[i];
		bool bad = !in->row || beyond(p, &in->dst) || beyond(p, &in->src[0]) || beyond(p, &in->src[1]);
		in->exec = bad ? exec_illegal : executors[in->row->exec];
		in->guard = GUARD_ALWAYS;
		in->straight = !bad && !is_flow(in->row->exec);
	}
	return translate(p, rules, a);
}

/* ---- starts ---- */

static size_t wide_warp_bytes(const struct program *p, const struct rules *rules)
{
	return sizeof(struct wide_warp);
}

/* Shared memory begins with the block's number; parameters are where --param-base says. */
static void wide_start_block(struct block *b, const struct launch_params *params)
{
	if (b->shared_bytes >= sizeof b->index)
		memcpy(b->shared, &b->index, sizeof b->index);
	if (params->base + params->size <= b->shared_bytes)
		memcpy(b->shared + params->base, params->bytes, params->size);
}

/* v0 is the thread's number in the block. */
static void wide_start_warp(struct block *b, struct warp *w, const struct program *p, const struct rules *rules)
{
	struct wide_warp *s = state_of(w);

	memset(s, 0, sizeof *s);
	s->mask[MASK_ALL] = ~0ull;
	FOR_LANES(l)
		if (w->nreg)
			w->reg[0].lane[l] = w->id * (uint32_t)LANES + (uint32_t)l;
}

/* ---- looking ---- */

static void wide_ports(const struct program *p, const struct insn *in, struct ports *out)
{
	unsigned exec;

	*out = (struct ports){ .lat = WIDE_LAT_FLOW };
	if (!in->row)
		return;
	exec = in->row->exec;
	out->lat = wide_table.exec[exec].lat;
	out->counts = exec == WIDE_EXEC_ldc    ? 1 << WIDE_COUNTS_LOADS
		      : exec == WIDE_EXEC_ldsc ? 1 << WIDE_COUNTS_WORDS
					       : 0;
	for (int i = 0; i < WIDE_COUNTER_COUNT && exec == WIDE_EXEC_wait; i++) {
		out->waits |= (uint8_t)(1 << i);
		out->upto[i] = (uint8_t)in->src[i].value;
	}
	out->by_all = insn_by_all(in);
	for (int i = 0; i < 2; i++) {
		const struct opnd *o = &in->src[i];
		unsigned n = o->shape == OPND_MEM ? (o->file == SPACE_G ? 2 : 1) : o->width / 4u;
		if (o->shape == OPND_REG && o->file == FILE_M)
			out->read[out->nread++] = (uint16_t)(PORT_M + o->reg);
		else if (o->shape == OPND_REG || o->shape == OPND_MEM)
			for (unsigned k = 0; k < n; k++)
				out->read[out->nread++] = (uint16_t)(o->reg + k);
		out->reads_shared |= o->shape == OPND_MEM && o->file == SPACE_S && in->row->exec == WIDE_EXEC_lds;
	}
	if (in->dst.shape == OPND_REG && in->dst.file == FILE_M)
		out->write[out->nwrite++] = (uint16_t)(PORT_M + in->dst.reg);
	else if (in->dst.shape == OPND_REG && !out->counts)
		for (unsigned k = 0; k < in->dst.width / 4u; k++)
			out->write[out->nwrite++] = (uint16_t)(in->dst.reg + k);
}

static void wide_port_name(unsigned port, char *text, size_t size)
{
	snprintf(text, size, port < PORT_M ? "v%u" : "m%u", port < PORT_M ? port : port - PORT_M);
}

static uint32_t *wide_reg(struct warp *w, const char *file, unsigned reg, unsigned lane)
{
	return !strcmp(file, "v") && reg < w->nreg && lane < LANES ? &w->reg[reg].lane[lane] : NULL;
}

/* "v12", and "m3" as a bit a lane. */
static bool wide_peek(const struct warp *w, const char *name, unsigned lane, uint32_t *value)
{
	unsigned reg = 0;
	const char *p = name + 1;

	if (*name != 'v' && *name != 'm')
		return false;
	for (; *p >= '0' && *p <= '9' && p - name < 4; p++)
		reg = reg * 10 + (unsigned)(*p - '0');
	if (*p || p == name + 1 || reg >= (*name == 'v' ? WIDE_REGISTERS : WIDE_MASKS))
		return false;
	if (!w)
		return true;
	if (*name == 'm')
		*value = state_of(w)->mask[reg] >> lane & 1;
	else
		*value = reg < w->nreg ? w->reg[reg].lane[lane] : 0;
	return *name == 'm' || reg < w->nreg;
}

static unsigned wide_stack(const struct warp *w, unsigned level, struct isa_stack_entry *out)
{
	const struct wide_warp *s = state_of(w);

	if (out && level < s->depth) {
		const struct entry *e = &s->stack[s->depth - 1 - level];
		*out = (struct isa_stack_entry){ e->kind == ENTRY_JOIN ? "join" : "branch", e->pc, e->lanes };
	}
	return s->depth;
}

static bool wide_edges(const struct program *p, struct isa_edge (*edge)[2])
{
	uint32_t n = p->code_bytes / 4;

	for (uint32_t i = 0; i < n; i++) {
		const struct insn *in = &p->insn[i];
		unsigned exec = in->row ? in->row->exec : WIDE_EXEC_exit;
		if (exec == WIDE_EXEC_exit)
			edge[i][0] = (struct isa_edge){ p->code_bytes, EDGE_NEXT };
		else
			edge[i][0] = (struct isa_edge){ 4 * i + 4, EDGE_NEXT };
		if (exec == WIDE_EXEC_bra)
			edge[i][1] = (struct isa_edge){ (uint32_t)in->src[0].value, EDGE_BRANCH };
		else if (exec == WIDE_EXEC_ssy)
			edge[i][1] = (struct isa_edge){ (uint32_t)in->src[0].value, EDGE_RECONVERGE };
	}
	return true;
}

static const struct isa_name endings[] = { { ".wide", WIDE_CP }, { NULL, 0 } };

static const char *const options[] = { "check", "slice", "smem", NULL };

extern const struct isa_ops wide_isa;
const struct isa_ops wide_isa = {
	.name = "wide",
	.table = &wide_table,
	.lanes = LANES,
	.reg = {
		.most = WIDE_REGISTERS, .awaited = WIDE_REGISTERS + WIDE_MASKS,
		.word = wide_reg, .peek = wide_peek, .port_name = wide_port_name,
	},
	.global_first = 0x7f200100000,
	.options = options,
	.decode = isa_decode_at,
	.text = { .endings = endings },
	.bind = wide_bind,
	.edges = wide_edges,
	.warp_bytes = wide_warp_bytes,
	.start_block = wide_start_block,
	.start_warp = wide_start_warp,
	.ports = wide_ports,
	.stack = wide_stack,
};
