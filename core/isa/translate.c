/* Chains of threaded code: the instructions of a program in order, up to the first that is already translated, with
 * links where the budget has to be compared; and each instruction by itself. */
#include "core/isa/translate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/isa/loop.h"

static uint32_t words_of(const struct translator *t)
{
	return t->p->code_bytes / 4;
}

static const struct insn *insn_at(const struct translator *t, uint32_t word)
{
	return &t->p->insn[word];
}

/* Instructions from `word` on up to the first translated. */
static uint32_t chain_length(const struct translator *t, uint32_t word)
{
	uint32_t n = 0;

	for (; word < words_of(t) && !t->on[word]; word += insn_at(t, word)->length / 4u)
		n++;
	return n;
}

static struct threaded_op *link_to(struct threaded_op *op, handler_fn *fn, uint32_t pc, uint32_t issue)
{
	*op = (struct threaded_op){ .full = fn, .partial = fn, .pc = pc, .behind = pc, .issue = issue, .run = 1 };
	return op;
}

static bool is_link(const struct translator *t, const struct threaded_op *op)
{
	return op->full == t->level->jump || op->full == t->level->stop;
}

/* The longest run from each entry of a chain of n, computed backwards from the links. */
static void measure_runs(const struct translator *t, struct threaded_op *op, uint32_t n)
{
	for (uint32_t i = n; i-- > 0;) {
		bool compares = is_link(t, &op[i]);
		bool same = i + 1 < n && op[i + 1].issue == op[i].issue && !compares;
		uint32_t rest = i + 1 < n && op[i].full != t->level->slow ? op[i + 1].run : 0;
		op[i].run = compares ? 0 : same ? op[i + 1].run : rest + 1;
	}
}

/* Make the entries of an instruction, the issue-th of its chain. Returns the number of entries, or -1. */
static int translate_instruction(struct translator *t, const struct insn *in, uint32_t issue, bool alone,
				 struct threaded_op *to)
{
	for (uint32_t i = 0; i < t->ops; i++)
		to[i] = (struct threaded_op){ .in = in, .pc = in->pc, .behind = in->pc + in->length, .issue = issue };
	return t->instruction(t, in, alone, to);
}

/* Make the entries of a chain of n instructions. Returns the number of entries, or 0: no memory. */
static uint32_t fill_chain(struct translator *t, uint32_t word, uint32_t n, struct threaded_op *op)
{
	uint32_t at = 0;

	for (uint32_t issue = 0; issue < n; issue++) {
		const struct insn *in = insn_at(t, word);
		int k;
		if (issue && issue % RUN_MAX == 0)
			link_to(&op[at++], t->level->jump, in->pc, issue);
		k = translate_instruction(t, in, issue, false, &op[at]);
		if (k < 0)
			return 0;
		t->on[word] = &op[at];
		at += (uint32_t)k;
		word += in->length / 4u;
	}
	if (word < words_of(t))
		link_to(&op[at], t->level->jump, word * 4, n)->target = t->on[word];
	else
		link_to(&op[at], t->level->stop, word * 4, n);
	return at + 1;
}

/* A chain of instructions to run on. Entries are made in memory for the most that instructions may need; the arena gets
 * as many as there are. */
static bool translate_chain(struct translator *t, uint32_t word)
{
	uint32_t n = chain_length(t, word), entries;
	struct threaded_op *op = NULL, *made = malloc((n * (size_t)t->ops + n / RUN_MAX + 1) * sizeof *made);

	entries = made ? fill_chain(t, word, n, made) : 0;
	if (entries)
		op = ARENA_ARRAY(t->arena, struct threaded_op, entries);
	for (uint32_t i = 0; op && i < n; i++, word += insn_at(t, word)->length / 4u)
		t->on[word] = op + (t->on[word] - made);
	if (op) {
		memcpy(op, made, entries * sizeof *op);
		for (uint32_t i = 0; i + 1 < entries; i++)
			if (op[i].full == t->level->jump)
				op[i].target = &op[i + 1];
		measure_runs(t, op, entries);
	}
	free(made);
	return op;
}

/* The instruction at a word by itself. */
static bool translate_one(struct translator *t, uint32_t word)
{
	const struct insn *in = insn_at(t, word);
	struct threaded_op made[OPS_MAX], *op;
	int n;

	assert(t->ops <= OPS_MAX);
	n = translate_instruction(t, in, 0, true, made);
	op = n < 0 ? NULL : ARENA_ARRAY(t->arena, struct threaded_op, n + 1);
	if (!op)
		return false;
	memcpy(op, made, (size_t)n * sizeof *op);
	link_to(&op[n], t->level->stop, in->pc + in->length, 1);
	for (int i = 0; i < n; i++)
		op[i].run = 1;
	t->one[word] = op;
	return true;
}

static bool translate_all(struct translator *t, bool (*chain)(struct translator *, uint32_t),
			  const struct threaded_op **done)
{
	for (uint32_t i = 0; i < words_of(t); i++)
		if (!done[i] && !chain(t, i))
			return false;
	return true;
}

/* Set the target entries of branches, known once all chains are complete. A jump out of the code takes the slow
 * path. */
static void aim(struct translator *t, const struct threaded_op *from)
{
	struct threaded_op *op = (struct threaded_op *)(uintptr_t)from;
	uint32_t target;

	for (; !is_link(t, op); op++) {
		if (!op->jumps)
			continue;
		target = (uint32_t)op->in->src[0].value;
		if (target < t->p->code_bytes && target % 4 == 0)
			op->target = t->on[target / 4];
		else
			translate_slow(t, op);
	}
}

bool translate_program(struct translator *t, struct threaded_code *out)
{
	uint32_t words = words_of(t);

	t->on = ARENA_ARRAY(t->arena, const struct threaded_op *, words + 1);
	t->one = ARENA_ARRAY(t->arena, const struct threaded_op *, words + 1);
	if (!t->on || !t->one || !translate_all(t, translate_chain, t->on) || !translate_all(t, translate_one, t->one))
		return false;
	for (uint32_t i = 0; i < words; i++) {
		aim(t, t->on[i]);
		aim(t, t->one[i]);
	}
	out->on = t->on;
	out->one = t->one;
	return true;
}
