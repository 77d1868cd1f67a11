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
		bool ends = op[i].full == t->level->slow || op[i].waits;
		uint32_t rest = i + 1 < n && !ends ? op[i + 1].run : 0;
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

/* Make the entries of up to RUN_MAX instructions from *word on, the first of them number `issue` of its chain, up to an
 * instruction that has entries, with a link behind, in t->piece. Returns the number of entries; 0: no memory. */
static uint32_t fill_piece(struct translator *t, uint32_t *word, uint32_t *issue)
{
	struct threaded_op *made = t->piece;
	uint32_t n = 0, end = *issue + RUN_MAX, next = *word;

	for (; *issue < end && next < words_of(t) && !t->on[next]; ++*issue) {
		const struct insn *in = insn_at(t, next);
		int k = translate_instruction(t, in, *issue, false, &made[n]);
		if (k < 0)
			return 0;
		t->on[next] = &made[n];
		n += (uint32_t)k;
		next += in->length / 4u;
	}
	link_to(&made[n], next < words_of(t) ? t->level->jump : t->level->stop, next * 4, *issue);
	measure_runs(t, made, n + 1);
	*word = next;
	return n + 1;
}

/* A chain of instructions to run on, from `word` to the first with entries or to the end of the code, in pieces that
 * links join. */
static bool translate_chain(struct translator *t, uint32_t word)
{
	struct threaded_op *op, *link = NULL;
	uint32_t issue = 0, begin, entries;

	do {
		begin = word;
		entries = fill_piece(t, &word, &issue);
		op = entries ? ARENA_ARRAY(t->arena, struct threaded_op, entries) : NULL;
		if (!op)
			return false;
		memcpy(op, t->piece, entries * sizeof *op);
		for (uint32_t i = begin; i < word; i += insn_at(t, i)->length / 4u)
			t->on[i] = op + (t->on[i] - t->piece);
		if (link)
			link->target = op;
		link = &op[entries - 1];
	} while (word < words_of(t) && !t->on[word]);
	link->target = word < words_of(t) ? t->on[word] : NULL;
	return true;
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
		if (insn_at(t, i)->length && !done[i] && !chain(t, i))
			return false;
	return true;
}

/* Set the targets of an instruction's entries, known once all chains are complete. A jump out of the code takes the
 * slow path. */
static void aim(struct translator *t, const struct threaded_op *from)
{
	struct threaded_op *op = (struct threaded_op *)(uintptr_t)from;
	uint32_t target;

	for (; op && op->issue == from->issue && !is_link(t, op); op++) {
		if (!op->jumps)
			continue;
		target = (uint32_t)op->in->src[0].value;
		if (target < t->p->code_bytes && target % 4 == 0)
			op->target = t->on[target / 4];
		else
			translate_slow(t, op);
	}
}

/* threaded_code.make_one. */
static const struct threaded_op *const *make_one(const struct threaded_code *code)
{
	struct translator *t = code->translator;
	struct threaded_code *out = (struct threaded_code *)(uintptr_t)code;

	pthread_mutex_lock(&t->lock);
	t->arena = t->p->late;
	if (!code->one && t->arena && !t->one) {
		t->one = ARENA_ARRAY(t->arena, const struct threaded_op *, words_of(t) + 1);
		if (t->one && translate_all(t, translate_one, t->one)) {
			for (uint32_t i = 0; i < words_of(t); i++)
				aim(t, t->one[i]);
			__atomic_store_n(&out->one, t->one, __ATOMIC_RELEASE);
		}
	}
	pthread_mutex_unlock(&t->lock);
	return code->one;
}

bool translate_program(struct translator *t, struct threaded_code *out)
{
	uint32_t words = words_of(t);
	bool ok;

	t->on = ARENA_ARRAY(t->arena, const struct threaded_op *, words + 1);
	t->piece = malloc((RUN_MAX * t->ops + 1) * sizeof *t->piece);
	ok = t->on && t->piece && translate_all(t, translate_chain, t->on);
	free(t->piece);
	if (!ok)
		return false;
	for (uint32_t i = 0; i < words; i++)
		aim(t, t->on[i]);
	pthread_mutex_init(&t->lock, NULL);
	out->on = t->on;
	out->translator = t;
	out->make_one = make_one;
	return true;
}
