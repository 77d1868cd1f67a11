/* Branches around a few instructions become instructions under a guard. All lanes compute the body; lanes under the
 * guard alone read and write memory; phis become selections. Then a block and a sole successor are joined. */
#include "core/compile/ir.h"

#include <stdint.h>
#include <string.h>

enum { BODY_MAX = 4 }; /* instructions; a branch with joinat and join is three, and parts the warp */

/* An operation for all lanes, or for lanes under a guard, without a branch. */
static bool guardable(const struct ir_insn *i)
{
	if (i->guard.kind)
		return i->op == IR_MOV; /* a selection */
	if (i->op == IR_LD || i->op == IR_ST || i->op == IR_RED)
		return !i->dst || i->dst->class == CLASS_WORD;
	return ir_op_info[i->op].flags & FREE && i->op != IR_PHI;
}

static bool small_body(const struct ir_block *b, const struct ir_block *head, const struct ir_block *meet)
{
	unsigned n = 0;

	if (b->nfrom != 1 || b->from[0] != head || b->end != END_JUMP || b->to[0] != meet)
		return false;
	for (const struct ir_insn *i = b->head; i; i = i->next)
		if (!guardable(i) || ++n > BODY_MAX)
			return false;
	return true;
}

static void replace_from(struct ir_block *b, struct ir_block *old, struct ir_block *new)
{
	for (size_t k = 0; k < b->nfrom; k++)
		if (b->from[k] == old)
			b->from[k] = new;
}

/* The body's instructions at the end of `head`. Nothing comes to the body any more, and the body goes nowhere. */
static void take_over(struct ir *f, struct ir_block *head, struct ir_block *body, struct source guard)
{
	for (struct ir_insn *i = body->head, *next; i; i = next) {
		next = i->next;
		i->next = i->previous = NULL;
		if (guard.kind && ir_op_info[i->op].flags & MEMORY)
			i->guard = guard;
		ir_append(f, head, i);
	}
	body->head = body->tail = NULL;
	body->nfrom = 0;
	body->end = END_EXIT;
}

/* head branches to a body in front of `meet`, and to `meet` or a second body in front. */
static bool convert(struct ir *f, struct ir_block *head)
{
	struct ir_block *taken = head->to[0], *other = head->to[1], *meet, *first, *second = NULL;
	ir_resolve(&head->test); /* uses of values that a conversion before has replaced */
	struct source test = head->test;

	if (taken == other)
		return false;
	if (small_body(taken, head, other)) {
		meet = other;
		first = taken;
	} else if (small_body(other, head, taken)) {
		meet = taken;
		first = other;
		test.not = !test.not;
	} else if (taken->end == END_JUMP && small_body(taken, head, taken->to[0]) &&
		   small_body(other, head, taken->to[0])) {
		meet = taken->to[0];
		first = taken;
		second = other;
	} else {
		return false;
	}
	for (struct ir_insn *phi = meet->head; phi && phi->op == IR_PHI; phi = phi->next)
		for (unsigned k = 0; k < phi->nsrc; k++)
			ir_resolve(&phi->args[k]);
	struct ir_block *third = second ? second : head;
	size_t a = ir_from(meet, first), b = ir_from(meet, third);
	if (a == meet->nfrom || b == meet->nfrom || meet == head)
		return false;
	struct source opposite = test;
	opposite.not = !opposite.not;
	take_over(f, head, first, test);
	if (second)
		take_over(f, head, second, opposite);
	f->current = head;
	f->line = head->line;
	f->file = head->file;
	f->source_line = head->source_line;
	for (struct ir_insn *phi = meet->head; phi && phi->op == IR_PHI; phi = phi->next)
		phi->args[b] = ir_select(f, test, phi->args[a], phi->args[b]);
	meet->from[b] = head;
	graph_drop_edge(meet, a);
	head->end = END_JUMP;
	head->to[0] = meet;
	return true;
}

/* A block of at most `most` instructions becomes part of the only predecessor, if the predecessor goes nowhere else. */
static bool join_next(struct ir *f, struct ir_block *b, size_t most)
{
	struct ir_block *next = b->to[0];
	size_t length = 0;

	if (b->end != END_JUMP || next->nfrom != 1 || next == b || next == f->entry)
		return false;
	for (struct ir_insn *i = next->head, *after; i; i = after) {
		after = i->next;
		if (i->op == IR_PHI || ++length > most)
			return false; /* simplify_phis comes first */
	}
	enum end_kind end = next->end;
	take_over(f, b, next, (struct source){ 0 });
	b->end = end;
	b->test = next->test;
	b->line = next->line;
	b->file = next->file;
	b->source_line = next->source_line;
	for (unsigned e = 0; e < ir_edges(b); e++) {
		b->to[e] = next->to[e];
		replace_from(next->to[e], next, b);
	}
	return true;
}

void predicate(struct ir *f)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t n = f->nblocks; n--;) {
			struct ir_block *b = f->blocks[n];
			while (b->end == END_BRANCH && convert(f, b)) {
				changed = true;
				simplify_phis_of(f, b->to[0]);
			}
			while (join_next(f, b, BODY_MAX))
				changed = true;
		}
		/* Long blocks from the first to the last, so that an instruction moves once. */
		for (size_t n = 0; n < f->nblocks; n++)
			while (join_next(f, f->blocks[n], SIZE_MAX))
				changed = true;
		if (changed) {
			graph_order(f);
			simplify_phis(f);
		}
	}
	graph_dominators(f);
	common_operations(f); /* phis that have become copies */
	drop_dead(f);
}
