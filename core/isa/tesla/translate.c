/* Tesla's part of translation (core/isa/translate.h): the handlers of an instruction, and the places of its operands.
 *
 * Most arithmetic of whole words has its own handlers (handlers.def), behind an entry that fetches an operand from
 * memory if needed; loads, stores and control flow have handlers for the usual cases. Other instructions without an
 * effect on masks call their executor. Faults, notices and dependence on the warp's state take the slow path. A join
 * marker is an entry before its instruction's, an exit marker an entry behind. Where traces have details, an entry for
 * the detail is before the work. */
#include <string.h>

#include "core/base/arena.h"
#include "core/diverge/groups.h"
#include "core/diverge/reconverge.h"
#include "core/isa/table.h"
#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/arith_int.h"
#include "core/isa/tesla/bind.h"
#include "core/isa/tesla/flow.h"
#include "core/isa/tesla/ops.h"
#include "core/isa/tesla/handlers.h"
#include "core/isa/tesla/run.h"
#include "core/isa/tesla/stage.h"
#include "core/isa/translate.h"

enum {
	OPS_AN_INSTRUCTION = 6,         /* a marker, a detail of the trace, three for operands, the work */
	CONSTANT_LISTS = 256,
};

struct translation {
	struct translator engine;       /* first: a pointer to either is a pointer to both */
	const struct program *p;
	const struct rules *rules;
	const struct tesla_handlers *level;
	uintptr_t state;                /* offset of the warp's private state from its registers */
	unsigned inputs;                /* rows of a[], in front of the rows of o[] */
	bool quads;                     /* the program has quadon, a case for control flow */
	bool lanes;                     /* lanes have pcs and stacks of their own */
	struct constant *constants[CONSTANT_LISTS];     /* by constant_list */
	struct launch_constant *launch_constants;
	/* the translation to run on: constants of the launch have no cost of their own */
	bool unobserved;
};

struct constant {                       /* a row with the same word in all lanes */
	struct row row;
	struct constant *next;
};

/* ---- rows ---- */

static uintptr_t flags_row(const struct translation *tr, unsigned c)
{
	return tr->state + offsetof(struct tesla_warp, c) + (c & 3) * sizeof(struct row);
}

static uintptr_t address_row(const struct translation *tr, unsigned a)
{
	return tr->state + offsetof(struct tesla_warp, a) + a * sizeof(struct row);
}

/* A row of the warp's struct stage, a[] first. */
static uintptr_t stage_row(const struct translation *tr, unsigned row)
{
	return tr->state + stage_offset(tr->rules) + offsetof(struct stage, words) + row * sizeof(struct row);
}

static uint32_t constant_list(uint32_t v)
{
	return (v * 0x9e3779b1u >> 16) % CONSTANT_LISTS;
}

static const struct row *constant_row(struct translation *tr, uint32_t v)
{
	struct constant **list = &tr->constants[constant_list(v)], *c = *list;

	while (c && c->row.lane[0] != v)
		c = c->next;
	if (c)
		return &c->row;
	c = arena_alloc(tr->engine.arena, sizeof *c, sizeof(struct row));
	if (!c)
		return NULL;
	FOR_LANES(l)
		c->row.lane[l] = v;
	c->next = *list;
	*list = c;
	return &c->row;
}

/* A c[] operand common to all lanes, without a counted cost, is a constant of the launch. */
static bool is_constant(const struct translation *tr, const struct insn *in, int i)
{
	const struct opnd *o = &in->src[i];

	return tr->unobserved && o->shape == OPND_MEM && o->file == SPACE_C && !o->addr_reg && !o->post;
}

static const struct row *launch_constant(struct translation *tr, const struct opnd *o)
{
	struct launch_constant *c = arena_alloc(tr->engine.arena, sizeof *c, sizeof(struct row));

	if (!c)
		return NULL;
	c->operand = o;
	c->next = tr->launch_constants;
	tr->launch_constants = c;
	return &c->row;
}

/* Where source i is. False: the host has no memory. */
static bool place_source(struct translation *tr, const struct insn *in, int i, struct row_place *out)
{
	const struct opnd *o = &in->src[i];
	const struct row *constant;

	if (is_constant(tr, in, i)) {
		constant = launch_constant(tr, o);
		*out = (struct row_place){ 0, (uintptr_t)constant };
		return constant != NULL;
	}

	if (o->shape == OPND_REG && (o->width >= 4 || o->file == FILE_A)) {
		*out = (struct row_place){ UINTPTR_MAX, o->file == FILE_A ? address_row(tr, o->reg) :
									o->reg * sizeof(struct row) };
		return true;
	}
	if (o->shape == OPND_MEM && o->file == SPACE_A) {
		*out = (struct row_place){ UINTPTR_MAX, stage_row(tr, (uint32_t)o->value / 4) };
		return true;
	}
	if (o->shape != OPND_IMM) {     /* in memory, or a half */
		*out = (struct row_place){ UINTPTR_MAX, tr->state + offsetof(struct tesla_warp, fetched[i]) };
		return true;
	}
	constant = constant_row(tr, (uint32_t)o->value);
	*out = (struct row_place){ 0, (uintptr_t)constant };
	return constant != NULL;
}

/* ---- choice of the function ---- */

static bool takes_sources(const struct insn *in, int n)
{
	for (int i = 0; i < n; i++) {
		const struct opnd *o = &in->src[i];
		bool fetched = o->shape == OPND_MEM && (in->fetch >> i & 1 || o->file == SPACE_A);
		bool word = o->shape == OPND_REG && (o->file == FILE_R || o->file == FILE_A);
		if (!fetched && !word && o->shape != OPND_IMM)
			return false;
	}
	return true;
}

/* The row of handlers.def for an instruction, or HANDLERS. */
static unsigned handler_of(const struct insn *in, int *sources)
{
#define HANDLER(name, executor, n, when, value) \
	if (in->row->exec == TESLA_EXEC_##executor && (when) && takes_sources(in, n)) { \
		*sources = n; \
		return HANDLER_##name; \
	}
#include "core/isa/tesla/handlers.def"
	return HANDLERS;
}

static void flips_of(const struct insn *in, uint32_t flip[3])
{
	uint32_t neg1 = in->mod[MOD_NEG1] ? F32_SIGN : 0, neg2 = in->mod[MOD_NEG2] ? F32_SIGN : 0,
		 neg3 = in->mod[MOD_NEG3] ? F32_SIGN : 0;

	switch (in->row->exec) {
	case TESLA_EXEC_logic:
		flip[0] = in->mod[MOD_NOT1] ? ~0u : 0;
		flip[1] = in->mod[MOD_NOT2] ? ~0u : 0;
		break;
	case TESLA_EXEC_fmul:
		flip[0] = neg1 ^ neg2;
		break;
	case TESLA_EXEC_shl:
	case TESLA_EXEC_shr:
		flip[1] = in->src[1].shape == OPND_IMM ? (uint32_t)in->src[1].value : 0;
		break;
	default:
		flip[0] = neg1;
		flip[1] = neg2;
		flip[2] = neg3;
	}
}

/* Where the destination's row is. */
static uintptr_t place_result(const struct translation *tr, const struct insn *in)
{
	if (in->dst.shape == OPND_MEM)
		return stage_row(tr, tr->inputs + (unsigned)in->dst.value / 4);
	if (in->dst.shape != OPND_REG)
		return tr->state + offsetof(struct tesla_warp, sink);
	return in->dst.file == FILE_A ? address_row(tr, in->dst.reg) : in->dst.reg * sizeof(struct row);
}

/* Does the instruction compute an address register of each lane from whole words? */
static bool takes_addresses(const struct translation *tr, const struct insn *in)
{
	const struct opnd *o = &in->src[0];

	if (in->dst.shape != OPND_REG || in->dst.file != FILE_A || in->dst.reg < 1 || in->dst.reg >= ADDRESS_ROWS)
		return false;
	if (in->row->exec == TESLA_EXEC_add_a)
		return o->reg < ADDRESS_ROWS && !o->post;
	return in->row->exec == TESLA_EXEC_shl_a && o->shape == OPND_REG && o->file == FILE_R && o->width == 4 &&
	       o->reg < tr->p->nreg;
}

static bool whole_word(const struct program *p, const struct opnd *o)
{
	return o->file == FILE_R && o->width == 4 && o->reg < p->nreg;
}

/* ---- half registers ---- */

static bool is_half(const struct program *p, const struct opnd *o)
{
	return o->shape == OPND_REG && o->file == FILE_R && o->width == 2 && o->reg >> 1 < p->nreg;
}

/* Is source i a half of an existing register, which an entry of its own makes a word? Products and moves take halves,
 * where no guard would be counted by each entry. */
static bool takes_half(const struct program *p, const struct insn *in, int i)
{
	unsigned exec = in->row->exec;
	bool takes = exec == TESLA_EXEC_imul16 || exec == TESLA_EXEC_imad16 || exec == TESLA_EXEC_mov;

	return takes && i < 2 && in->guard == GUARD_ALWAYS && is_half(p, &in->src[i]);
}

/* The entry that makes source i a word, if it is a half. Returns the number of entries. */
static int translate_half(const struct translation *tr, const struct insn *in, int i, struct threaded_op *to)
{
	const struct opnd *o = &in->src[i];
	const struct word_handlers *fn = &tr->level->words[o->reg & 1 ? HANDLER_high : HANDLER_low];

	if (!takes_half(tr->p, in, i))
		return 0;
	to->full = fn->full_own;
	to->partial = fn->partial;
	to->src[0] = (struct row_place){ UINTPTR_MAX, (o->reg >> 1) * sizeof(struct row) };
	to->dst = tr->state + offsetof(struct tesla_warp, fetched[i]);
	return 1;
}

/* Are all registers of the instruction existing whole words? */
static bool takes_words(const struct program *p, const struct insn *in)
{
	bool sinks = in->dst.shape == OPND_SINK && in->dst.width != 2;

	if (!sinks && !(in->dst.shape == OPND_REG && whole_word(p, &in->dst)))
		return false;
	for (int i = 0; i < 3; i++)
		if (in->src[i].shape == OPND_REG && !whole_word(p, &in->src[i]) && !takes_half(p, in, i))
			return false;
	return true;
}

/* Is the destination a word of o[], and all else whole words? */
static bool takes_outputs(const struct translation *tr, const struct insn *in)
{
	struct insn other = *in;

	if (in->dst.shape != OPND_MEM || in->dst.file != SPACE_O || in->dst.width != 4 || in->dst.addr_reg)
		return false;
	other.dst.shape = OPND_SINK;
	return takes_words(tr->p, &other);
}

/* A word of s[] for each lane: flip[] are the address register's row, from the warp's registers on, and the offset. */
static void translate_words_at(const struct translation *tr, const struct opnd *o, struct threaded_op *to)
{
	to->flip[0] = (uint32_t)address_row(tr, o->addr_reg);
	to->flip[1] = (uint32_t)o->value;
}

/* One element of s[] for all lanes, unless misaligned: flip[] are the element's address, its end, and a word's bits
 * above. */
static void translate_alike(const struct translation *tr, const struct opnd *o, struct threaded_op *to)
{
	uint32_t at = (uint32_t)o->value & 0xffff;

	if (at & (o->width - 1u))
		return;
	to->full = to->partial = tr->level->fetch_uniform;
	to->dst = tr->state + offsetof(struct tesla_warp, fetched[to->arg]);
	to->flip[0] = at;
	to->flip[1] = at + o->width;
	to->flip[2] = 32 - 8u * o->width;
	to->flips = o->is_signed;
}

/* The entry that fetches arithmetic's operands from memory. Returns the number of entries. */
static int translate_fetch(const struct translation *tr, const struct insn *in, struct threaded_op *to)
{
	int from = -1, n = 0;

	for (int i = 0; i < 3; i++)
		if ((in->fetch >> i & 1) && !is_constant(tr, in, i)) {
			from = i;
			n++;
		}
	if (!n)
		return 0;
	to->full = to->partial = tr->level->fetch;
	if (n == 1 && in->src[from].file == SPACE_S && !in->src[from].post && in->src[from].addr_reg < ADDRESS_ROWS) {
		const struct opnd *o = &in->src[from];
		to->arg = (uint32_t)from;
		if (!o->addr_reg) {
			translate_alike(tr, o, to);
		} else if (o->width == 4) {
			to->full = to->partial = tr->level->fetch_words;
			translate_words_at(tr, o, to);
		}
	}
	return 1;
}

/* In the translation for running on, the cost of a launch constant is not counted, unless the general fetching entry
 * fetches it. */
static void note_constant(const struct translation *tr, const struct insn *in, bool fetched)
{
	for (int i = 0; i < 3 && !fetched; i++)
		if ((in->fetch >> i & 1) && is_constant(tr, in, i))
			tr->p->insn[in->pc >> 2].constant = (uint8_t)(i + 1);
}

/* The entries that make words of operands in memory and of halves. Returns the number of entries. */
static int translate_operands(const struct translation *tr, const struct insn *in, struct threaded_op *to)
{
	int n = translate_fetch(tr, in, to);

	if (tr->unobserved)
		note_constant(tr, in, n && to[0].full == tr->level->fetch);
	for (int i = 0; i < 2; i++)
		n += translate_half(tr, in, i, &to[n]);
	return n;
}

static bool own_sources(const struct threaded_op *op, int n)
{
	bool own = true;

	for (int i = 0; i < n; i++)
		own = own && op->src[i].mask;
	return own;
}

/* Arithmetic of words. Returns the number of entries: 0 for other instructions; -1: no memory. */
static int translate_words(struct translation *tr, const struct insn *in, struct threaded_op *to)
{
	const struct word_handlers *fn;
	struct threaded_op work = *to;
	unsigned id;
	int n, at;

	if (!(takes_words(tr->p, in) || takes_addresses(tr, in) || takes_outputs(tr, in)) ||
	    (id = handler_of(in, &n)) == HANDLERS)
		return 0;
	for (int i = 0; i < n; i++)
		if (!place_source(tr, in, i, &work.src[i]))
			return -1;
	fn = &tr->level->words[id];
	work.dst = place_result(tr, in);
	work.arg = in->mod[MOD_COND];
	work.sinks = in->dst.shape != OPND_REG && in->dst.shape != OPND_MEM;
	flips_of(in, work.flip);
	work.full = work.guard ? fn->partial : own_sources(&work, n) ? fn->full_own : fn->full;
	work.partial = fn->partial;
	if (in->flags_dst != FLAGS_NONE) {
		work.flags = flags_row(tr, in->flags_dst);
		work.full = work.guard ? fn->partial_flags : fn->full_flags;
		work.partial = fn->partial_flags;
	}
	at = translate_operands(tr, in, to);
	to[at++] = work;
	to[0].computes = true;
	return at;
}

static bool is_input(const struct opnd *o)
{
	return o->shape == OPND_MEM && o->file == SPACE_A;
}

/* A move to a half register: a register with another half. Returns as translate_words. */
static int translate_put(struct translation *tr, const struct insn *in, struct threaded_op *to)
{
	const struct word_handlers *fn = &tr->level->words[in->dst.reg & 1 ? HANDLER_put_high : HANDLER_put_low];
	struct threaded_op work = *to;
	int at;

	if (in->row->exec != TESLA_EXEC_mov || in->guard != GUARD_ALWAYS || in->flags_dst != FLAGS_NONE ||
	    !is_half(tr->p, &in->dst) || !takes_sources(in, 1) || is_input(&in->src[0]) ||
	    (in->src[0].shape == OPND_REG && !takes_half(tr->p, in, 0)))
		return 0;
	if (!place_source(tr, in, 0, &work.src[1]))
		return -1;
	work.dst = (in->dst.reg >> 1) * sizeof(struct row);
	work.src[0] = (struct row_place){ UINTPTR_MAX, work.dst };
	work.full = own_sources(&work, 2) ? fn->full_own : fn->full;
	work.partial = fn->partial;
	at = translate_operands(tr, in, to);
	to[at++] = work;
	to[0].computes = true;
	return at;
}

static bool own_address(const struct opnd *o)
{
	return o->addr_reg < ADDRESS_ROWS && !o->post;
}

/* Loads and stores of words. Returns as translate_words. */
static int translate_memory(struct translation *tr, const struct insn *in, struct threaded_op *to)
{
	const struct tesla_handlers *level = tr->level;
	const struct opnd *from = &in->src[0], *dst = &in->dst;
	bool words = takes_words(tr->p, in), highest = tr->rules->store_winner == WINNER_HIGHEST;

	switch (in->row->exec) {
	case TESLA_EXEC_ld_s:
		if (!words || in->mod[MOD_OP] == 1 || from->width != 4 || !own_address(from))
			return 0;
		to->full = to->partial = level->load_shared;
		translate_words_at(tr, from, to);
		to->dst = place_result(tr, in);
		return 1;
	case TESLA_EXEC_ld_g:
		if (from->width != 4 || dst->shape != OPND_REG || dst->width != 4 || dst->reg >= tr->p->nreg ||
		    from->reg >= tr->p->nreg)
			return 0;
		to->full = level->load_run;
		to->partial = level->exec;
		to->dst = place_result(tr, in);
		to->src[0] = (struct row_place){ UINTPTR_MAX, from->reg * sizeof(struct row) };
		return 1;
	case TESLA_EXEC_st_s:
		if (from->shape != OPND_REG || from->width != 4 || from->reg >= tr->p->nreg || dst->width != 4 ||
		    in->mod[MOD_OP] == 1 || !own_address(dst) || !highest)
			return 0;
		to->full = to->partial = level->store_shared;
		translate_words_at(tr, dst, to);
		return place_source(tr, in, 0, &to->src[0]) ? 1 : -1;
	case TESLA_EXEC_st_g:
		if (from->shape != OPND_REG || from->width != 4 || from->reg >= tr->p->nreg || dst->width != 4 ||
		    dst->reg >= tr->p->nreg || tr->rules->store_winner == WINNER_RANDOM)
			return 0;
		to->full = level->store_run;
		to->partial = level->exec;
		to->src[1] = (struct row_place){ UINTPTR_MAX, dst->reg * sizeof(struct row) };
		return place_source(tr, in, 0, &to->src[0]) ? 1 : -1;
	default:
		return 0;
	}
}

/* Do lanes meet at the program's own markers? */
static bool takes_marks(const struct translation *tr)
{
	return reconverge_is_own(tr->rules) || (tr->lanes && reconverge_policy(tr->rules)->markers);
}

/* Do lanes of a compute program end on a stack, with no outputs? */
static bool ends_alike(const struct translation *tr)
{
	return !tr->lanes && tr->p->target.mode == MODE_CP;
}

static handler_fn *flow_function(const struct translation *tr, const struct insn *in)
{
	const struct tesla_handlers *level = tr->level;

	switch (in->row->exec) {
	case TESLA_EXEC_bra: return in->acts & ACTS_SPINS ? level->spin : level->branch;
	case TESLA_EXEC_brk: return level->leave;
	case TESLA_EXEC_ret: return ends_alike(tr) && !tr->rules->detailed ? level->ret_all : level->leave;
	case TESLA_EXEC_bar: return !tr->lanes && flow_bar_of_all(in) ? level->bar_all : level->bar;
	case TESLA_EXEC_prebrk: return tr->lanes ? level->push_lanes : level->push;
	case TESLA_EXEC_joinat:
		return tr->lanes ? takes_marks(tr) ? level->push_lanes : tr->engine.level->nop :
				   takes_marks(tr) ? level->push : NULL;
	case TESLA_EXEC_nop: return tr->engine.level->nop;
	default: return NULL;
	}
}

/* The entry that a push makes. */
static uint32_t pushed(const struct translation *tr, const struct insn *in)
{
	bool join = in->row->exec == TESLA_EXEC_joinat;

	return tr->lanes ? join ? MEETING_JOIN : MEETING_BREAK : join ? ENTRY_JOINAT : ENTRY_PREBREAK;
}

static bool reads_shared(const struct insn *in)
{
	for (int i = 0; i < 3; i++)
		if ((in->fetch >> i & 1) && in->src[i].file == SPACE_S)
			return true;
	return false;
}

/* An entry that calls the instruction's executor. An operand in s[] that is an element for all lanes, or a word for
 * each, is fetched by an entry of its own, as for words. Returns as translate_words. */
static int translate_executor(const struct translation *tr, const struct insn *in, struct threaded_op *to)
{
	const struct tesla_handlers *level = tr->level;
	bool one = !(in->fetch & (in->fetch - 1));
	bool reads = one && ((in->straight && bind_traits(in) & PURE) || in->row->exec == TESLA_EXEC_ld_s);
	struct threaded_op work = *to;

	if (reads && translate_fetch(tr, in, to) && to->full != level->fetch) {
		work.full = work.partial = in->floats ? level->exec_fetched_floats : level->exec_fetched;
		to[1] = work;
		return 2;
	}
	*to = work;
	to->full = to->partial = in->floats ? level->exec_floats : level->exec;
	return 1;
}

/* The entries of an instruction's work apart from its marker. Returns the number of entries; 0: only the slow path will
 * do; -1: no memory. */
static int translate_work(struct translation *tr, const struct insn *in, bool marked, struct threaded_op *to)
{
	bool exits = in->acts & MARK_EXIT;
	handler_fn *flow;
	int n;

	if (!in->row || in->refused || in->loose || in->undoc || in->lane_mask != 0xf ||
	    in->row->exec == TESLA_EXEC_mov_sr_r)
		return 0;
	if (marked && reads_shared(in))
		return 0;       /* may have to wait, and the marker must not act twice */
	flow = flow_function(tr, in);
	if (flow && !marked && !exits && !tr->quads) {
		to->full = to->partial = flow;
		to->jumps = flow == tr->level->branch;
		to->arg = flow == tr->level->bar_all ? in->mod[MOD_OP] : pushed(tr, in);
		to->flip[0] = flow_counter_limit(tr->p);
		return 1;
	}
	if (flow == tr->engine.level->nop) {
		to->full = to->partial = flow;
		return 1;
	}
	if (in->guard == GUARD_OPERAND || (!marked && (exits ? (bind_traits(in) & STEERS) : !in->straight)))
		return 0;
	n = translate_words(tr, in, to);
	if (!n)
		n = translate_put(tr, in, to);
	if (!n && !marked)
		n = translate_memory(tr, in, to);
	if (n || marked)
		return n;
	return translate_executor(tr, in, to);
}

/* Do the markers of an instruction leave the work to handlers? A join must merge, and an exit find no quads. */
static bool takes_markers(const struct translation *tr, const struct insn *in)
{
	if (!(in->acts & MARK_JOIN))
		return !(in->acts & MARK_EXIT) || !tr->quads;
	return in->acts == MARK_JOIN && takes_marks(tr) && tr->rules->join == JOIN_MERGED && !tr->quads;
}

/* Put an entry for the instruction's detail in front of the n entries of its work: `plain` with another handler.
 * merged: by a join. */
static void translate_detail(const struct translation *tr, const struct threaded_op *plain, bool merged,
			     struct threaded_op *to, int n)
{
	const struct tesla_handlers *level = tr->level;
	handler_fn *work = to->full;

	memmove(to + 1, to, (size_t)n * sizeof *to);
	*to = *plain;
	to->full = work == level->branch || work == level->leave ? level->detail_branch : level->detail;
	to->partial = to->full;
	to->arg = (work == level->push || work == level->push_lanes ? FLOW_PUSH : 0u) |
		  (merged ? FLOW_MERGED | (tr->lanes ? 0 : FLOW_POP) : 0u);
}

/* Instructions behind which a policy is always asked which lanes go on. */
static bool settles(const struct insn *in)
{
	return in->acts & ACTS_SPINS || (in->row && in->row->exec == TESLA_EXEC_bar);
}

static handler_fn *exit_function(const struct translation *tr)
{
	return ends_alike(tr) ? tr->level->exit_all : tr->level->exit;
}

/* struct translator.instruction. */
static int translate_one(struct translator *t, const struct insn *in, bool alone, struct threaded_op *to)
{
	struct translation *tr = (struct translation *)t;
	bool marked = in->acts & MARK_JOIN, detailed = tr->rules->detailed && !insn_by_all(in);
	/* On the slow path details are added there: where the warp stops after the instruction, threads end, or a
	 * policy chooses the lanes that go on. */
	bool slow = detailed && (alone || in->acts & MARK_EXIT || (tr->lanes && settles(in)));
	struct threaded_op plain;
	int at = 0, n = 0;

	tr->unobserved = !alone;
	for (int i = 0; i < OPS_AN_INSTRUCTION && in->row && in->guard != GUARD_ALWAYS; i++) {
		to[i].guard = (intptr_t)flags_row(tr, in->pred_reg);
		to[i].guard_set = in->guard_set;
	}
	plain = to[0];
	if (marked && !slow) {
		to[at].full = to[at].partial = tr->lanes ? tr->level->join_lanes : tr->level->join;
		at++;
	}
	if (!slow && takes_markers(tr, in))
		n = translate_work(tr, in, marked, to + at);
	if (n > 0 && detailed && !slow) {
		translate_detail(tr, &plain, marked, to + at, n);
		n++;
	}
	if (n > 0 && in->acts & MARK_EXIT) {
		to[at].computes = false;
		to[at + n] = plain;
		to[at + n].full = to[at + n].partial = exit_function(tr);
		n++;
	}
	if (n)
		return n < 0 ? -1 : at + n;
	to[0] = plain;
	translate_slow(t, &to[0]);
	return 1;
}

static bool has_quads(const struct program *p)
{
	for (uint32_t i = 0; i < p->code_bytes / 4; i++)
		if (p->insn[i].row && p->insn[i].row->exec == TESLA_EXEC_quadon)
			return true;
	return false;
}

bool tesla_translate(const struct program *p, struct tesla_code *out, const struct tesla_handlers *level,
		     const struct rules *rules, struct arena *a)
{
	struct translation *tr = ARENA_NEW(a, struct translation);

	if (!tr)
		return false;
	*tr = (struct translation){
		.engine = { .p = p, .rules = rules, .arena = a, .level = level->engine, .instruction = translate_one,
			    .ops = OPS_AN_INSTRUCTION },
		.p = p, .level = level, .rules = rules, .lanes = tesla_lanes_apart(rules),
	};
	tr->state = translate_state(tesla_warp_bytes(p, rules));
	tr->inputs = out->inputs;
	tr->quads = has_quads(p);
	if (!translate_program(&tr->engine, &out->engine))
		return false;
	out->constants = tr->launch_constants;
	out->level = level;
	out->state = (intptr_t)tr->state;
	return true;
}

static uint32_t constant_word(const struct opnd *o, const struct memory *m)
{
	const struct const_bank *bank = &m->c[o->bank];
	uint32_t at = (uint32_t)o->value & 0xffff & ~(o->width - 1u), v = 0;

	if (bytes_inside(at, o->width, bank->size))
		memcpy(&v, bank->bytes + at, o->width);
	return o->is_signed && o->width < 4 ? (uint32_t)int_extend(v, true, 8 * o->width) : v;
}

void tesla_ready(const struct program *p, const struct memory *m)
{
	for (struct launch_constant *c = ((const struct tesla_code *)p->threaded)->constants; c; c = c->next) {
		uint32_t v = constant_word(c->operand, m);
		FOR_LANES(l)
			c->row.lane[l] = v;
	}
}

bool tesla_fits(const struct program *p, const struct memory *m)
{
	const struct launch_constant *c = ((const struct tesla_code *)p->threaded)->constants;

	while (c && c->row.lane[0] == constant_word(c->operand, m))
		c = c->next;
	return !c;
}
