/* Blocks with registers to native instructions: their order, branches and labels, and the marks of join and exit. */
#include "core/compile/emit.h"

#include <stdio.h>
#include <string.h>

#include "core/isa/tesla/ops.h"
#include "core/isa/tesla/tesla.h"

/* The address registers of a value's registers have other contents now. */
static void forget(struct emitter *e, const struct value *v)
{
	if (!v || v->class == CLASS_PRED)
		return;
	for (unsigned a = 1; a < 5; a++)
		if (e->now.address[a].valid && e->now.address[a].reg >= v->reg &&
		    e->now.address[a].reg < v->reg + class_words(v->class))
			e->now.address[a].valid = false;
}

static bool only_exits(const struct ir_block *b) { return b->end == END_EXIT && !b->head && !b->join && b->nfrom; }

/* Where a jump to the block goes in the end: blocks without an instruction are passed. */
static const struct ir_block *forward(const struct ir_block *b)
{
	for (unsigned steps = 0; steps < 64 && b->end == END_JUMP && !b->head && !b->join && !b->njoinat; steps++)
		b = b->to[0];
	return b;
}

/* An instruction of control to a block; b NULL: without a target. */
static void control(struct emitter *e, unsigned exec, const struct source *guard, const struct ir_block *b)
{
	struct insn in = native_insn(exec);

	if (guard)
		native_guard(&in, guard);
	if (b) {
		in.src[0] = (struct opnd){ .shape = OPND_TARGET, .value = (int32_t)b->id };
		in.nsrc = 1;
	}
	emit_insn(e, 0, &in);
}

/* The mark of the end, on the block's last instruction or on a nop. */
static void end_thread(struct emitter *e)
{
	if (e->exit_carrier && !e->join) {
		e->items[e->exit_carrier - 1].in.marks = MARK_EXIT;
		e->exit_carrier = 0;
	} else {
		emit_nop(e, 0, MARK_EXIT);
	}
}

static void jump(struct emitter *e, const struct ir_block *to, const struct ir_block *next)
{
	if (only_exits(to))
		end_thread(e);
	else if (to != next)
		control(e, TESLA_EXEC_bra, NULL, to);
}

static void conditional(struct emitter *e, const struct source *test, bool opposite, const struct ir_block *to)
{
	struct source p = *test;

	p.not ^= opposite;
	if (only_exits(to))
		control(e, TESLA_EXEC_ret, &p, NULL);
	else
		control(e, TESLA_EXEC_bra, &p, to);
}

/* Lanes on the way to `to` end without the others, before a barrier: they run first, so that none waits meanwhile. */
static bool leaves(const struct ir *f, const struct ir_block *b, const struct ir_block *to)
{
	return f->gather.n && !b->uniform && to->ending != b->ending;
}

static void end_of_block(struct emitter *e, struct ir_block *b, const struct ir_block *next)
{
	e->line = b->line;
	e->file = b->file;
	e->source_line = b->source_line;
	for (size_t k = 0; k < b->njoinat; k++)
		control(e, TESLA_EXEC_joinat, NULL, b->joinat[k]);
	if (b->end == END_EXIT) {
		end_thread(e);
	} else if (b->end == END_JUMP) {
		const struct ir_block *to = forward(b->to[0]);
		if (e->join && to != next)
			emit_nop(e, CARRIES, 0);
		jump(e, to, next);
	} else {
		/* The taken side runs first, and a loop of locks may depend on the order: a way back is not turned
		 * around. */
		const struct ir_block *taken = forward(b->to[0]), *other = forward(b->to[1]);
		bool back = graph_dominates(other, b), loops = graph_dominates(taken, b);
		if (leaves(e->f, b, b->to[0]) != leaves(e->f, b, b->to[1])) {
			bool second = leaves(e->f, b, b->to[1]);
			conditional(e, &b->test, second, second ? other : taken);
			jump(e, second ? taken : other, next);
		} else if (b->uniform && graph_dominates(other, b) && other != next && taken != next) {
			conditional(e, &b->test, true, other); /* all lanes agree: the way back is one instruction */
			jump(e, taken, next);
		} else if (only_exits(taken) || !(taken == next || only_exits(other)) || (back && taken != next) ||
			   loops) {
			conditional(e, &b->test, false, taken);
			jump(e, other, next);
		} else {
			conditional(e, &b->test, true, other);
			jump(e, taken, next);
		}
	}
}

static struct ir_block *next_in_text(const struct ir_block *b)
{
	struct ir_block *n = b->next;

	while (n && (only_exits(n) || forward(n) != n))
		n = n->next;
	return n;
}

/* Turns that a block is thought to make, for weighing: eight a loop around. */
static uint64_t turns(const struct ir_block *b) { return (uint64_t)1 << 3 * (b->depth < 8 ? b->depth : 8); }

/* Is the block's end a jump, alone or behind a branch, where `next` follows in the text? */
static bool jumps(const struct ir_block *b, const struct ir_block *next)
{
	if (b->end == END_EXIT)
		return false;
	for (unsigned k = 0; k < ir_edges(b); k++) {
		const struct ir_block *to = forward(b->to[k]);
		if (to == next || only_exits(to))
			return false;
	}
	return true;
}

static uint64_t turns_of_jumps(const struct ir *f)
{
	uint64_t sum = 0;

	for (const struct ir_block *b = f->entry; b; b = next_in_text(b))
		sum += jumps(b, next_in_text(b)) ? turns(b) : 0;
	return sum;
}

static void put_in_order(struct ir *f, struct ir_block **order)
{
	for (size_t i = 0; i < f->nblocks; i++)
		order[i]->next = i + 1 < f->nblocks ? order[i + 1] : NULL;
	f->last_block = order[f->nblocks - 1];
}

/* The text has the source's order of blocks, unless loops take fewer jumps in the order of the graph. Where lanes go
 * ways of their own, the ways' order follows the text, and the text stays. */
static void order_text(struct ir *f)
{
	struct ir_block **source, **post, **graph;
	uint64_t before = turns_of_jumps(f);
	size_t n = 0;

	if (f->target.lanes)
		return;
	source = ptx_new(f->m, f->nblocks * sizeof *source);
	post = ptx_new(f->m, f->nblocks * sizeof *post);
	graph = ptx_new(f->m, f->nblocks * sizeof *graph);
	for (struct ir_block *b = f->entry; b && n < f->nblocks; b = b->next)
		source[n++] = b;
	if (n < f->nblocks || source[n - 1]->next || graph_post_order(f, true, post) < n)
		return;
	for (size_t i = 0; i < n; i++)
		graph[i] = post[n - 1 - i];
	put_in_order(f, graph);
	if (turns_of_jumps(f) >= before)
		put_in_order(f, source);
}

/* The lock's address register in a block of nothing but the lock's loop, set in the block before. */
static void address_of_lock(struct emitter *e, const struct ir_block *next)
{
	if (next->head && next->head->op == IR_LDLOCK && next->end == END_BRANCH && next->to[0] == next &&
	    next->nfrom == 2) {
		e->line = next->head->line;
		e->file = next->head->file;
		e->source_line = next->head->source_line;
		native_address(e, next->head);
	}
}

/* Address registers at the begin of a block are known where a single block comes before, besides the block itself: a
 * lock's loop sets none. */
static void known_addresses(struct emitter *e, const struct ir_block *b)
{
	const struct ir_block *before = NULL;
	bool lock = b->head && b->head->op == IR_LDLOCK, single = b->nfrom > 0;

	for (size_t k = 0; k < b->nfrom && single; k++) {
		if (lock && b->from[k] == b)
			continue;
		single = !before;
		before = b->from[k];
	}
	e->now = single && before ? e->at_end[before->id] : (struct address_registers){ 0 };
}

/* A label in front of the block's first instruction. */
static void label(struct emitter *e, const struct ir_block *b)
{
	char name[32];
	struct isa_label *l = ptx_push(e->m, &e->labels, &e->nlabels, sizeof *l);
	size_t n = (size_t)snprintf(name, sizeof name, "L%u_%u", e->kernel, b->id) + 1;
	char *copy = ptx_new(e->m, n);

	memcpy(copy, name, n);
	*l = (struct isa_label){ copy, (uint32_t)e->nitems };
	e->begin[b->id] = 1 + (uint32_t)e->nitems;
}

/* Targets by number of a block become targets by number of an item. */
static void find_targets(struct emitter *e)
{
	for (size_t i = 0; i < e->nitems; i++) {
		struct opnd *to = &e->items[i].in.src[0];
		if (to->shape != OPND_TARGET)
			continue;
		if (!e->begin[to->value])
			ptx_fault(e->m, (int)e->lines[e->first_line + i].ptx_line, "a branch leads to no block");
		to->value = (int32_t)e->begin[to->value] - 1;
	}
}

static void one(struct emitter *e, const struct ir_insn *i)
{
	e->line = i->line;
	e->file = i->file;
	e->source_line = i->source_line;
	native_operation(e, i);
	forget(e, i->dst);
}

void emit(struct ir *f, struct emitter *e)
{
	e->f = f;
	e->at_end = ptx_new(f->m, (f->nblocks + 1) * sizeof *e->at_end);
	e->begin = ptx_new(f->m, (f->nblocks + 1) * sizeof *e->begin);
	order_text(f);
	for (struct ir_block *b = f->entry; b; b = next_in_text(b)) {
		known_addresses(e, b);
		e->exit_carrier = 0;
		if (e->join) { /* of a block that has no instruction */
			emit_nop(e, CARRIES, 0);
			e->exit_carrier = 0;
		}
		e->line = b->line;
		if (b != f->entry)
			label(e, b);
		e->join = b->join;
		for (struct ir_insn *i = b->head; i; i = i->next)
			one(e, i);
		if (b->end == END_JUMP)
			address_of_lock(e, b->to[0]);
		e->at_end[b->id] = e->now;
		end_of_block(e, b, next_in_text(b));
	}
	find_targets(e);
}
