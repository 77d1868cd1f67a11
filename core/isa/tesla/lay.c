/* Laying a program out in records: which function does an instruction, and where its rows are. */
#include <string.h>

#include "core/base/arena.h"
#include "core/isa/table.h"
#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/arith_int.h"
#include "core/isa/tesla/bind.h"
#include "core/isa/tesla/ops.h"
#include "core/isa/tesla/quick.h"

enum {
	RECORDS_AN_INSTRUCTION = 3,     /* a marker, operands, the work */
	RUN_MAX = 64,                   /* instructions after which a run asks for the budget */
};

struct laying {
	const struct program *p;
	const struct quick_level *level;
	const struct rules *rules;
	struct arena *arena;
	uintptr_t state;                /* the warp's private state, from its registers on */
	bool quads;                     /* the program has quadon, which control flow must look out for */
	struct constant *constants;
	struct quick_constant *launch_constants;
	bool unobserved;                /* nobody asks what c[] operands cost, as where time passes */
	const struct record **on, **one;
};

struct constant {                       /* a row with the same word in all lanes */
	struct row row;
	struct constant *next;
};

/* ---- rows ---- */

static uintptr_t flags_row(const struct laying *lay, unsigned c)
{
	return lay->state + offsetof(struct tesla_warp, c) + (c & 3) * sizeof(struct row);
}

static uintptr_t address_row(const struct laying *lay, unsigned a)
{
	return lay->state + offsetof(struct tesla_warp, a) + a * sizeof(struct row);
}

static const struct row *constant_row(struct laying *lay, uint32_t v)
{
	struct constant *c = lay->constants;

	while (c && c->row.lane[0] != v)
		c = c->next;
	if (c)
		return &c->row;
	c = arena_alloc(lay->arena, sizeof *c, sizeof(struct row));
	if (!c)
		return NULL;
	FOR_LANES(l)
		c->row.lane[l] = v;
	c->next = lay->constants;
	lay->constants = c;
	return &c->row;
}

/* A c[] operand that all lanes share and that nobody observes is a constant of the launch. */
static bool is_constant(const struct laying *lay, const struct insn *in, int i)
{
	const struct opnd *o = &in->src[i];

	return lay->unobserved && o->shape == OPND_MEM && o->file == SPACE_C && !o->addr_reg && !o->post;
}

static const struct row *launch_constant(struct laying *lay, const struct opnd *o)
{
	struct quick_constant *c = arena_alloc(lay->arena, sizeof *c, sizeof(struct row));

	if (!c)
		return NULL;
	c->operand = o;
	c->next = lay->launch_constants;
	lay->launch_constants = c;
	return &c->row;
}

/* Where source i is. False: the host has no memory. */
static bool place_source(struct laying *lay, const struct insn *in, int i, struct place *out)
{
	const struct opnd *o = &in->src[i];
	const struct row *constant;

	if (is_constant(lay, in, i)) {
		constant = launch_constant(lay, o);
		*out = (struct place){ 0, (uintptr_t)constant };
		return constant != NULL;
	}

	if (o->shape == OPND_REG) {
		*out = (struct place){ UINTPTR_MAX, o->file == FILE_A ? address_row(lay, o->reg) :
									o->reg * sizeof(struct row) };
		return true;
	}
	if (o->shape == OPND_MEM) {
		*out = (struct place){ UINTPTR_MAX, lay->state + offsetof(struct tesla_warp, fetched[i]) };
		return true;
	}
	constant = constant_row(lay, (uint32_t)o->value);
	*out = (struct place){ 0, (uintptr_t)constant };
	return constant != NULL;
}

/* ---- which function ---- */

static bool takes_sources(const struct insn *in, int n)
{
	for (int i = 0; i < n; i++) {
		const struct opnd *o = &in->src[i];
		bool fetched = o->shape == OPND_MEM && (in->fetch >> i & 1);
		bool word = o->shape == OPND_REG && (o->file == FILE_R || o->file == FILE_A);
		if (!fetched && !word && o->shape != OPND_IMM)
			return false;
	}
	return true;
}

/* The row of quick.def for an instruction, or QUICKS. */
static unsigned quick_of(const struct insn *in, int *sources)
{
#define QUICK(name, executor, n, when, value) \
	if (in->row->exec == TESLA_EXEC_##executor && (when) && takes_sources(in, n)) { \
		*sources = n; \
		return QUICK_##name; \
	}
#include "core/isa/tesla/quick.def"
	return QUICKS;
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
	default:
		flip[0] = neg1;
		flip[1] = neg2;
		flip[2] = neg3;
	}
}

/* Where the destination's row is. */
static uintptr_t place_result(const struct laying *lay, const struct insn *in)
{
	if (in->dst.shape != OPND_REG)
		return lay->state + offsetof(struct tesla_warp, sink);
	return in->dst.file == FILE_A ? address_row(lay, in->dst.reg) : in->dst.reg * sizeof(struct row);
}

/* Does it compute one of the address registers that a lane has for itself, from whole words? */
static bool takes_addresses(const struct laying *lay, const struct insn *in)
{
	const struct opnd *o = &in->src[0];

	if (in->dst.shape != OPND_REG || in->dst.file != FILE_A || in->dst.reg < 1 || in->dst.reg >= ADDRESS_ROWS)
		return false;
	if (in->row->exec == TESLA_EXEC_add_a)
		return o->reg < ADDRESS_ROWS && !o->post;
	return in->row->exec == TESLA_EXEC_shl_a && o->shape == OPND_REG && o->file == FILE_R && o->width == 4 &&
	       o->reg < lay->p->nreg;
}

/* The record that fetches what arithmetic finds in memory. Returns how many it took. */
static int lay_fetch(const struct laying *lay, const struct insn *in, struct record *to)
{
	int from = -1, n = 0;

	for (int i = 0; i < 3; i++)
		if ((in->fetch >> i & 1) && !is_constant(lay, in, i)) {
			from = i;
			n++;
		}
	if (!n)
		return 0;
	to->full = to->some = lay->level->fetch;
	if (n == 1 && in->src[from].file == SPACE_S && !in->src[from].post && in->src[from].addr_reg < ADDRESS_ROWS) {
		const struct opnd *o = &in->src[from];
		to->cond = (uint32_t)from;
		if (!o->addr_reg)
			to->full = to->some = lay->level->fetch_alike;
		else if (o->width == 4)
			to->full = to->some = lay->level->fetch_words;
	}
	return 1;
}

/* On the layout to run on nobody observes a constant of the launch, unless all of its operands in memory are fetched
 * in the usual way. */
static void note_constant(const struct laying *lay, const struct insn *in, bool fetched)
{
	for (int i = 0; i < 3 && !fetched; i++)
		if ((in->fetch >> i & 1) && is_constant(lay, in, i))
			lay->p->insn[in->pc >> 2].constant = (uint8_t)(i + 1);
}

/* Arithmetic of words. Returns how many records it took: 0, it is not; -1, no memory. */
static int lay_words(struct laying *lay, const struct insn *in, struct record *to)
{
	const struct quick_words *fn;
	struct record work = *to;
	unsigned id;
	int n, at = 0;

	if (!(bind_takes_words(lay->p, in) || takes_addresses(lay, in)) || (id = quick_of(in, &n)) == QUICKS)
		return 0;
	for (int i = 0; i < n; i++)
		if (!place_source(lay, in, i, &work.src[i]))
			return -1;
	fn = &lay->level->words[id];
	work.dst = place_result(lay, in);
	work.cond = in->mod[MOD_COND];
	work.sinks = in->dst.shape != OPND_REG;
	flips_of(in, work.flip);
	work.full = work.guard ? fn->some : fn->full;
	work.some = fn->some;
	if (in->flags_dst != FLAGS_NONE) {
		work.flags = flags_row(lay, in->flags_dst);
		work.full = work.guard ? fn->some_flags : fn->full_flags;
		work.some = fn->some_flags;
	}
	at += lay_fetch(lay, in, &to[at]);
	if (lay->unobserved)
		note_constant(lay, in, at && to[0].full == lay->level->fetch);
	to[at++] = work;
	to[0].words = true;
	return at;
}

static bool own_address(const struct opnd *o)
{
	return o->addr_reg < ADDRESS_ROWS && !o->post;
}

/* Loads and stores of words. Returns as lay_words. */
static int lay_memory(struct laying *lay, const struct insn *in, struct record *to)
{
	const struct quick_level *level = lay->level;
	const struct opnd *from = &in->src[0], *dst = &in->dst;
	bool words = bind_takes_words(lay->p, in), highest = lay->rules->store_winner == WINNER_HIGHEST;

	switch (in->row->exec) {
	case TESLA_EXEC_ld_s:
		if (!words || in->mod[MOD_OP] == 1 || from->width != 4 || !own_address(from))
			return 0;
		to->full = to->some = level->load_shared;
		to->dst = place_result(lay, in);
		return 1;
	case TESLA_EXEC_ld_g:
		if (from->width != 4 || dst->shape != OPND_REG || dst->width != 4 || dst->reg >= lay->p->nreg ||
		    from->reg >= lay->p->nreg)
			return 0;
		to->full = level->load_run;
		to->some = level->exec;
		to->dst = place_result(lay, in);
		to->src[0] = (struct place){ UINTPTR_MAX, from->reg * sizeof(struct row) };
		return 1;
	case TESLA_EXEC_st_s:
		if (from->shape != OPND_REG || from->width != 4 || from->reg >= lay->p->nreg || dst->width != 4 ||
		    in->mod[MOD_OP] == 1 || !own_address(dst) || !highest)
			return 0;
		to->full = to->some = level->store_shared;
		return place_source(lay, in, 0, &to->src[0]) ? 1 : -1;
	case TESLA_EXEC_st_g:
		if (from->shape != OPND_REG || from->width != 4 || from->reg >= lay->p->nreg || dst->width != 4 ||
		    dst->reg >= lay->p->nreg || lay->rules->store_winner == WINNER_RANDOM)
			return 0;
		to->full = level->store_run;
		to->some = level->exec;
		to->src[1] = (struct place){ UINTPTR_MAX, dst->reg * sizeof(struct row) };
		return place_source(lay, in, 0, &to->src[0]) ? 1 : -1;
	default:
		return 0;
	}
}

static record_fn *flow_function(const struct laying *lay, const struct insn *in)
{
	const struct quick_level *level = lay->level;

	switch (in->row->exec) {
	case TESLA_EXEC_bra: return level->branch;
	case TESLA_EXEC_brk: return level->leave;
	case TESLA_EXEC_ret: return level->leave;
	case TESLA_EXEC_bar: return level->bar;
	case TESLA_EXEC_prebrk: return level->push;
	case TESLA_EXEC_joinat: return lay->rules->reconverge == RECONVERGE_STACK ? level->push : NULL;
	case TESLA_EXEC_nop: return level->nop;
	default: return NULL;
	}
}

static bool reads_shared(const struct insn *in)
{
	for (int i = 0; i < 3; i++)
		if ((in->fetch >> i & 1) && in->src[i].file == SPACE_S)
			return true;
	return false;
}

/* Whatever the instruction's executor does. An operand in s[] that is an element for all lanes, or a word for each, is
 * fetched by a record of its own, as for words. Returns as lay_words. */
static int lay_executor(const struct laying *lay, const struct insn *in, struct record *to)
{
	const struct quick_level *level = lay->level;
	bool one = !(in->fetch & (in->fetch - 1)),
	     reads = one && (bind_computes(in) || in->row->exec == TESLA_EXEC_ld_s);
	struct record work = *to;

	if (reads && lay_fetch(lay, in, to) && to->full != level->fetch) {
		work.full = work.some = in->floats ? level->rest_floats : level->rest;
		to[1] = work;
		return 2;
	}
	*to = work;
	to->full = to->some = in->floats ? level->exec_floats : level->exec;
	return 1;
}

/* What the work of an instruction is when its marker has been dealt with. Returns the number of records; 0: only
 * record_careful will do; -1: no memory. */
static int lay_work(struct laying *lay, const struct insn *in, bool marked, struct record *to)
{
	bool exits = in->acts & MARK_EXIT;
	record_fn *flow;
	int n;

	if (!in->row || in->refused || in->loose || in->undoc || in->lane_mask != 0xf ||
	    in->row->exec == TESLA_EXEC_mov_sr_r)
		return 0;
	if (marked && reads_shared(in))
		return 0;       /* it may have to wait, and the marker must not act twice */
	flow = flow_function(lay, in);
	if (flow && !marked && !exits && !lay->quads) {
		to->full = to->some = flow;
		to->cond = in->row->exec == TESLA_EXEC_joinat ? ENTRY_JOINAT : ENTRY_PREBREAK;
		return 1;
	}
	if (flow == lay->level->nop) {
		to->full = to->some = flow;
		return 1;
	}
	if (in->guard == GUARD_OPERAND || (!marked && (exits ? bind_moves_masks(in) : !in->straight)))
		return 0;
	n = lay_words(lay, in, to);
	if (!n && !marked)
		n = lay_memory(lay, in, to);
	if (n || marked)
		return n;
	return lay_executor(lay, in, to);
}

/* Do the markers of an instruction leave its work to records? A join must merge, and an exit find no quads. */
static bool takes_markers(const struct laying *lay, const struct insn *in)
{
	if (!(in->acts & MARK_JOIN))
		return !(in->acts & MARK_EXIT) || !lay->quads;
	return in->acts == MARK_JOIN && lay->rules->reconverge == RECONVERGE_STACK && lay->rules->join == JOIN_MERGED &&
	       !lay->quads;
}

/* The records of one instruction, the issue-th of its chain. Returns their number, or -1. */
static int lay_instruction(struct laying *lay, const struct insn *in, uint32_t issue, struct record *to)
{
	bool marked = in->acts & MARK_JOIN, careful = lay->rules->detailed && !insn_by_all(in);
	struct record plain = { .in = in, .pc = in->pc, .behind = in->pc + in->length, .issue = issue };
	int at = 0, n = 0;

	if (in->row && in->guard != GUARD_ALWAYS) {
		plain.guard = (intptr_t)flags_row(lay, in->pred_reg);
		plain.guard_set = in->guard_set;
	}
	for (int i = 0; i < RECORDS_AN_INSTRUCTION; i++)
		to[i] = plain;
	if (marked && !careful) {
		to[at].full = to[at].some = lay->level->join;
		at++;
	}
	if (!careful && takes_markers(lay, in))
		n = lay_work(lay, in, marked, to + at);
	if (n > 0 && in->acts & MARK_EXIT) {
		to[at].words = false;
		to[at + n] = plain;
		to[at + n].full = to[at + n].some = lay->level->exit;
		n++;
	}
	if (n)
		return n < 0 ? -1 : at + n;
	to[0] = plain;
	to[0].full = to[0].some = in->floats ? lay->level->careful_floats :
									      lay->level->careful;
	return 1;
}

/* ---- chains ---- */

static uint32_t words_of(const struct laying *lay)
{
	return lay->p->code_bytes / 4;
}

static const struct insn *insn_at(const struct laying *lay, uint32_t word)
{
	return &lay->p->insn[word];
}

/* Instructions from `word` on that nobody has laid out yet. */
static uint32_t chain_length(const struct laying *lay, uint32_t word)
{
	uint32_t n = 0;

	for (; word < words_of(lay) && !lay->on[word]; word += insn_at(lay, word)->length / 4u)
		n++;
	return n;
}

static struct record *link_to(struct record *r, record_fn *fn, uint32_t pc, uint32_t issue)
{
	*r = (struct record){ .full = fn, .some = fn, .pc = pc, .behind = pc, .issue = issue, .run = 1 };
	return r;
}

static bool is_careful(const struct laying *lay, const struct record *r)
{
	return r->full == lay->level->careful || r->full == lay->level->careful_floats;
}

/* How long a run may get from each record of a chain of n: backwards from what asks for the budget. */
static void measure_runs(const struct laying *lay, struct record *r, uint32_t n)
{
	for (uint32_t i = n; i-- > 0;) {
		bool asks = r[i].full == lay->level->go || r[i].full == lay->level->stop;
		bool same = i + 1 < n && r[i + 1].issue == r[i].issue && !asks;
		uint32_t rest = i + 1 < n && !is_careful(lay, &r[i]) ? r[i + 1].run : 0;
		r[i].run = asks ? 0 : same ? r[i + 1].run : rest + 1;
	}
}

/* A chain of instructions to run on. */
static bool lay_chain(struct laying *lay, uint32_t word)
{
	uint32_t n = chain_length(lay, word), at = 0;
	struct record *r = ARENA_ARRAY(lay->arena, struct record, n * RECORDS_AN_INSTRUCTION + n / RUN_MAX + 1);

	if (!r)
		return false;
	for (uint32_t issue = 0; issue < n; issue++) {
		const struct insn *in = insn_at(lay, word);
		int k;
		if (issue && issue % RUN_MAX == 0) {
			link_to(&r[at], lay->level->go, in->pc, issue)->target = &r[at + 1];
			at++;
		}
		k = lay_instruction(lay, in, issue, &r[at]);
		if (k < 0)
			return false;
		lay->on[word] = &r[at];
		at += (uint32_t)k;
		word += in->length / 4u;
	}
	if (word < words_of(lay))
		link_to(&r[at], lay->level->go, word * 4, n)->target = lay->on[word];
	else
		link_to(&r[at], lay->level->stop, word * 4, n);
	measure_runs(lay, r, at + 1);
	return true;
}

/* The instruction at a word by itself. */
static bool lay_one(struct laying *lay, uint32_t word)
{
	const struct insn *in = insn_at(lay, word);
	struct record r[RECORDS_AN_INSTRUCTION + 1] = { 0 };
	struct record *kept;
	int n = lay_instruction(lay, in, 0, r);

	if (n < 0)
		return false;
	link_to(&r[n], lay->level->stop, in->pc + in->length, 1);
	for (int i = 0; i < n; i++)
		r[i].run = 1;
	kept = ARENA_ARRAY(lay->arena, struct record, (size_t)n + 1);
	if (!kept)
		return false;
	memcpy(kept, r, ((size_t)n + 1) * sizeof *r);
	lay->one[word] = kept;
	return true;
}

static bool lay_all(struct laying *lay, bool (*chain)(struct laying *, uint32_t), const struct record **done)
{
	for (uint32_t i = 0; i < words_of(lay); i++)
		if (!done[i] && !chain(lay, i))
			return false;
	return true;
}

static bool is_branch(const struct quick_level *level, const struct record *r)
{
	return r->full == level->branch;
}

/* Branches know the record that they go to once all chains stand. A jump out of the code is for record_careful. */
static void aim(struct laying *lay, const struct record *from)
{
	struct record *r = (struct record *)(uintptr_t)from;
	uint32_t target;

	for (; r->full != lay->level->go && r->full != lay->level->stop; r++) {
		if (!is_branch(lay->level, r))
			continue;
		target = (uint32_t)r->in->src[0].value;
		if (target < lay->p->code_bytes && target % 4 == 0)
			r->target = lay->on[target / 4];
		else
			r->full = r->some = lay->level->careful;
	}
}

bool quick_lay(struct program *p, const struct quick_level *level, const struct rules *rules, struct arena *a)
{
	struct laying lay = { .p = p, .level = level, .rules = rules, .arena = a };
	struct quick *quick = ARENA_NEW(a, struct quick);
	uint32_t words = p->code_bytes / 4;

	lay.state = 0 - (tesla_warp_bytes(p, rules) + sizeof(struct row) - 1) / sizeof(struct row) * sizeof(struct row);
	lay.on = ARENA_ARRAY(a, const struct record *, words + 1);
	lay.one = ARENA_ARRAY(a, const struct record *, words + 1);
	if (!quick || !lay.on || !lay.one)
		return false;
	for (uint32_t i = 0; i < words; i++)
		lay.quads |= p->insn[i].row && p->insn[i].row->exec == TESLA_EXEC_quadon;
	lay.unobserved = true;
	if (!lay_all(&lay, lay_chain, lay.on))
		return false;
	lay.unobserved = false;
	if (!lay_all(&lay, lay_one, lay.one))
		return false;
	for (uint32_t i = 0; i < words; i++) {
		aim(&lay, lay.on[i]);
		aim(&lay, lay.one[i]);
	}
	*quick = (struct quick){ lay.on, lay.one, lay.launch_constants };
	p->quick = quick;
	return true;
}

void tesla_ready(const struct program *p, const struct memory *m)
{
	for (struct quick_constant *c = p->quick ? p->quick->constants : NULL; c; c = c->next) {
		const struct opnd *o = c->operand;
		const struct const_bank *bank = &m->c[o->bank];
		uint32_t at = (uint32_t)o->value & 0xffff & ~(o->width - 1u), v = 0;
		if (at + o->width <= bank->size)
			memcpy(&v, bank->bytes + at, o->width);
		if (o->is_signed && o->width < 4)
			v = (uint32_t)int_extend(v, true, 8 * o->width);
		FOR_LANES(l)
			c->row.lane[l] = v;
	}
}
