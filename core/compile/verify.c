/* A proof for each kernel that the allocation of registers has kept the program's meaning. Before the allocation the
 * verifier notes the meanings of operands; behind the allocation the verifier walks through the finished code and
 * follows the word in each register, condition register and place in l[]. An operand that reads another word, or a word
 * missing on some path, is a fault of the compiler, and no code is made.
 *
 * The begin of a block may rely on the values alive there, each in its place, and on nothing else; the end of each
 * block before has to keep these promises. So one walk suffices, loops included, and the lists of live values need no
 * trust: an entry too few leaves an operand without its word, an entry too many is a promise that nobody keeps. */
#include "core/compile/allocate.h"

#include <stdio.h>

/* Registers, condition registers, words of l[] behind the program's own. */
enum { REGISTERS = 128, FIRST_PRED = REGISTERS, FIRST_SLOT = FIRST_PRED + PREDS };

/* The contents of a place, in 64 bits: a kind above, the thing's number below. Kinds have an odd number of set bits:
 * the exclusive or of two things is no thing, and exchanges by exclusive or are followed operation by operation. */
#define THING(kind, number) ((uint64_t)(kind) << 56 | (number))
enum { OF_VALUE = 1, OF_NUMBER = 2, OF_SHARED = 4, OF_CONST = 7, OF_FLAGS = 8, OF_NOBODY = 16 };
#define ANYTHING UINT64_C(0)             /* meaning of an undefined word */
#define NOTHING THING(OF_NOBODY, UINT32_MAX)     /* meaning of an operand in a form unknown to the allocation */

/* An operation before the allocation; `source` has the sources, then the guard and the old result. */
struct noted { struct ir_insn *insn; struct source *source; };
struct noted_block { size_t begin, end; struct value *test; };

struct meanings {
	struct noted *noted;             /* operations of the blocks, one block behind the other */
	struct noted_block *blocks;
	size_t nnoted, nvalues;          /* nvalues: from this id on values are copies made by the allocation */
	uint64_t *things;                /* words of numbers, parameters and pairs, by `meaning` of a value */
	size_t nthings;
	uint32_t *edges;                 /* places among the predecessors: of to[0] and to[1] of each block */
	struct live_list *slots;         /* by block: homes with a value alive at the begin; NULL: no home */
	uint32_t *phi_of;                /* by home: number of the phi among `noted` */
};

/* ---- meanings of operands ---- */

static uint64_t meaning(const struct meanings *m, const struct value *v, unsigned word)
{
	if (!v->def)
		return ANYTHING;
	if (v->id >= m->nvalues) /* flags of a predicate as a word */
		return v->def->op == IR_TOREG ? THING(OF_FLAGS, 4 * (uint64_t)v->def->src[0].value->id) : NOTHING;
	return v->meaning ? m->things[v->meaning + word] : THING(OF_VALUE, 4 * (uint64_t)v->id + word);
}

static uint64_t meaning_of(const struct meanings *m, const struct source *s)
{
	if (s->neg || s->abs || s->not || s->half || s->load)
		return NOTHING;
	switch (s->kind) {
	case SOURCE_NONE: return ANYTHING;
	case SOURCE_VALUE: return meaning(m, s->value, s->sub);
	case SOURCE_NUMBER: return THING(OF_NUMBER, s->bits);
	case SOURCE_SHARED: return THING(OF_SHARED, (uint64_t)s->type << 32 | s->bits);
	case SOURCE_CONST: return THING(OF_CONST, s->bits);
	default: return NOTHING;
	}
}

/* A number or a parameter is the same wherever an operation makes the word again, and a pair is two words. */
static void note_things(struct ir *f, struct meanings *m, struct ir_insn *i)
{
	bool made = i->op == IR_PACK || (i->op == IR_MOV && i->src[0].kind != SOURCE_VALUE);

	if (!made || i->guard.kind)
		return;
	i->dst->meaning = (uint32_t)m->nthings;
	IR_EACH_SOURCE(i, s)
		*(uint64_t *)ptx_push(f->m, &m->things, &m->nthings, sizeof *m->things) = meaning_of(m, s);
	for (unsigned k = i->nsrc; k < class_words(i->dst->class); k++)
		*(uint64_t *)ptx_push(f->m, &m->things, &m->nthings, sizeof *m->things) = ANYTHING;
}

static void note_edges(struct ir *f, struct meanings *m)
{
	for (size_t n = 0; n < f->nblocks; n++)
		for (size_t k = 0; k < f->blocks[n]->nfrom; k++) {
			const struct ir_block *from = f->blocks[n]->from[k];
			m->edges[2 * from->id + (from->to[0] != f->blocks[n])] = (uint32_t)k;
		}
}

struct meanings *note_meanings(struct ir *f)
{
	struct meanings *m = ptx_new(f->m, sizeof *m);
	size_t insns = 0, sources = 0, n = 0;

	for (size_t b = 0; b < f->nblocks; b++)
		for (const struct ir_insn *i = f->blocks[b]->head; i; i = i->next) {
			insns++;
			sources += i->nsrc + 2;
		}
	struct source *source = ptx_new(f->m, (sources + 1) * sizeof *source);
	m->noted = ptx_new(f->m, (insns + 1) * sizeof *m->noted);
	m->blocks = ptx_new(f->m, f->nblocks * sizeof *m->blocks);
	m->edges = ptx_new(f->m, 2 * f->nblocks * sizeof *m->edges);
	m->nvalues = f->nvalues;
	*(uint64_t *)ptx_push(f->m, &m->things, &m->nthings, sizeof *m->things) = NOTHING;
	note_edges(f, m);
	for (size_t b = 0; b < f->nblocks; b++) {
		struct ir_block *block = f->blocks[b];
		m->blocks[block->id] = (struct noted_block){ n, n, block->test.value };
		for (struct ir_insn *i = block->head; i; i = i->next) {
			m->noted[n++] = (struct noted){ i, source };
			IR_EACH_SOURCE(i, s)
				*source++ = *s;
			*source++ = i->guard;
			*source++ = i->old;
			if (i->op != IR_PHI)
				note_things(f, m, i);
		}
		m->blocks[block->id].end = n;
	}
	m->nnoted = n;
	return m;
}

/* ---- places in l[] ---- */

/* The value of home `h` is alive at the begin of block b, and from there up to the definition. */
static void slot_alive(struct ir *f, struct meanings *m, uint32_t h, struct ir_block *b, struct ir_block **stack)
{
	const struct ir_insn *def = f->spills.homes[h].value->def;
	size_t top = 0;

	if (def->block != b || def->op == IR_PHI)
		stack[top++] = b;
	while (top) {
		struct ir_block *x = stack[--top];
		struct live_list *l = &m->slots[x->id];
		if (!live_put(f, l, h) || x == def->block)
			continue;
		for (size_t k = 0; k < x->nfrom; k++)
			if (x->from[k] != def->block || def->op == IR_PHI)
				stack[top++] = x->from[k];
	}
}

static void note_phis(struct ir *f, struct meanings *m)
{
	uint32_t *home_of = ptx_new(f->m, (m->nvalues + 1) * sizeof *home_of);    /* 1 + home of a value; 0: none */

	m->phi_of = ptx_new(f->m, f->spills.n * sizeof *m->phi_of);
	for (size_t h = 0; h < f->spills.n; h++)
		if (f->spills.homes[h].value->id < m->nvalues)
			home_of[f->spills.homes[h].value->id] = (uint32_t)h + 1;
	for (size_t n = 0; n < m->nnoted; n++)
		if (m->noted[n].insn->op == IR_PHI && home_of[m->noted[n].insn->dst->id])
			m->phi_of[home_of[m->noted[n].insn->dst->id] - 1] = (uint32_t)n;
}

void note_slots(struct ir *f, struct meanings *m)
{
	if (!f->spills.n)
		return;
	uint32_t *home_of = ptx_new(f->m, f->spills.bytes);       /* by word of l[] */
	struct live_list *readers = ptx_new(f->m, f->spills.n * sizeof *readers);  /* blocks with reloads, by home */
	struct ir_block **stack = ptx_new(f->m, 2 * (f->nblocks + 1) * sizeof *stack);
	m->slots = ptx_new(f->m, f->nblocks * sizeof *m->slots);
	note_phis(f, m);
	for (size_t h = 0; h < f->spills.n; h++)
		home_of[(f->spills.homes[h].slot - f->local_bytes) / 4] = (uint32_t)h;
	for (size_t b = 0; b < f->nblocks; b++)
		for (const struct ir_insn *i = f->blocks[b]->head; i; i = i->next)
			if (i->op == IR_LD && i->space == SPACE_LOCAL && i->dst->id >= m->nvalues &&
			    i->offset - f->local_bytes < f->spills.bytes)
				live_put(f, &readers[home_of[(i->offset - f->local_bytes) / 4]], (uint32_t)b);
	for (size_t h = 0; h < f->spills.n; h++) {
		const struct value *value = f->spills.homes[h].value;
		const struct ir_insn *def = value->def;
		const struct source *args = def->op == IR_PHI ? m->noted[m->phi_of[h]].source : NULL;
		for (size_t k = 0; k < readers[h].n; k++)
			slot_alive(f, m, (uint32_t)h, f->blocks[readers[h].id[k]], stack);
		for (size_t k = 0; args && readers[h].n && k < def->nsrc; k++)
			if (args[k].kind == SOURCE_VALUE && args[k].value == value) /* stays in place */
				slot_alive(f, m, (uint32_t)h, def->block->from[k], stack);
	}
}

/* ---- the walk ---- */

struct walk {
	struct ir *f;
	const struct meanings *m;
	const struct ir_block *block;
	uint64_t *thing;         /* by place */
	uint32_t *since;         /* by place: 1 + number of the block for which `thing` holds */
	uint32_t now;
	size_t nplaces;
	uint32_t line;           /* of the operation */
	const char *name;
};

static _Noreturn void broken(const struct walk *w, const char *what)
{
	ptx_fault(w->f->m, (int)w->line, "%.60s: `%s` %s", w->f->func->name, w->name, what);
}

static _Noreturn void fault(const struct walk *w, size_t place)
{
	char text[80];

	if (place < FIRST_PRED)
		snprintf(text, sizeof text, "expects another value in $r%zu", place);
	else if (place < FIRST_SLOT)
		snprintf(text, sizeof text, "expects other flags in $c%zu", place - FIRST_PRED);
	else
		snprintf(text, sizeof text, "expects another value in l[0x%zx]",
			 w->f->local_bytes + 4 * (place - FIRST_SLOT));
	broken(w, text);
}

static uint64_t get(const struct walk *w, size_t place)
{
	if (place >= w->nplaces)
		fault(w, place);
	return w->since[place] == w->now ? w->thing[place] : THING(OF_NOBODY, place);
}

static void put(struct walk *w, size_t place, uint64_t thing)
{
	if (place >= w->nplaces)
		fault(w, place);
	w->thing[place] = thing;
	w->since[place] = w->now;
}

static void want(const struct walk *w, size_t place, uint64_t thing)
{
	if (thing != ANYTHING && (thing == NOTHING || get(w, place) != thing))
		fault(w, place);
}

static size_t place_of(const struct value *v)
{
	return v->class == CLASS_PRED ? FIRST_PRED + (size_t)v->reg : v->reg;
}

static size_t slot_place(const struct walk *w, uint32_t offset)
{
	return FIRST_SLOT + (size_t)(offset - w->f->local_bytes) / 4;
}

/* The value's words are at the place. */
static void want_value(const struct walk *w, size_t place, const struct value *v)
{
	for (unsigned k = 0; k < class_words(v->class); k++)
		want(w, place + k, meaning(w->m, v, k));
}

/* An undefined word differs from all others: no two undefined words cancel out in an exclusive or. */
static void put_thing(struct walk *w, size_t place, uint64_t thing)
{
	put(w, place, thing == ANYTHING ? THING(OF_NOBODY, place) : thing);
}

static void put_value(struct walk *w, size_t place, const struct value *v)
{
	for (unsigned k = 0; k < class_words(v->class); k++)
		put_thing(w, place + k, meaning(w->m, v, k));
}

/* A promise of a block's begin, but for values of the block itself, which would be left over from a turn before. */
static void promise(struct walk *w, size_t place, const struct value *v)
{
	for (unsigned k = 0; k < class_words(v->class); k++) {
		uint64_t thing = meaning(w->m, v, k);
		bool value = thing >> 56 == OF_VALUE || thing >> 56 == OF_FLAGS;
		const struct value *x = value ? w->f->values[(uint32_t)((thing & (THING(1, 0) - 1)) / 4)] : NULL;
		if (!x || !x->def || x->def->block != w->block)
			put_thing(w, place + k, thing);
	}
}

static void begin_block(struct walk *w, const struct ir_block *b)
{
	const struct noted_block *n = &w->m->blocks[b->id];

	w->block = b;
	w->now++;
	w->line = b->line;
	w->name = "block";
	if (b == w->f->entry) /* nothing is known */
		return;
	for (size_t k = 0; k < b->live_in.n; k++)
		promise(w, place_of(w->f->values[b->live_in.id[k]]), w->f->values[b->live_in.id[k]]);
	for (size_t k = n->begin; k < n->end && w->m->noted[k].insn->op == IR_PHI; k++) {
		const struct value *v = w->m->noted[k].insn->dst;
		if (v->reg != NO_REG)
			put_value(w, place_of(v), v);
	}
	for (size_t k = 0; w->m->slots && k < w->m->slots[b->id].n; k++) {
		const struct slot_home *h = &w->f->spills.homes[w->m->slots[b->id].id[k]];
		if (h->value->def->block == b)
			put_value(w, slot_place(w, h->slot), h->value);
		else
			promise(w, slot_place(w, h->slot), h->value);
	}
}

/* An empty block behind a single block brings everything along: allocate.c may have moved the copies of the edge to
 * the block before. */
static bool passes(const struct meanings *m, const struct ir_block *b)
{
	const struct noted_block *n = &m->blocks[b->id];

	return !b->head && b->end == END_JUMP && b->nfrom == 1 &&
	       (n->begin == n->end || m->noted[n->begin].insn->op != IR_PHI);
}

/* The spilled value of a home: that of the block `to`'s own phi is its source k. */
static void check_slot(const struct walk *w, const struct ir_block *to, uint32_t home, uint32_t k)
{
	const struct slot_home *h = &w->f->spills.homes[home];

	if (h->value->def->block == to)
		want(w, slot_place(w, h->slot), meaning_of(w->m, &w->m->noted[w->m->phi_of[home]].source[k]));
	else
		want_value(w, slot_place(w, h->slot), h->value);
}

/* The end of a block keeps the promises of the block `to`, whose predecessor has number k. */
static void check_edge(const struct walk *w, const struct ir_block *to, uint32_t k)
{
	for (; passes(w->m, to); to = to->to[0])
		k = w->m->edges[2 * to->id];

	const struct noted_block *n = &w->m->blocks[to->id];
	const struct noted *phi = &w->m->noted[n->begin], *end = &w->m->noted[n->end];

	for (size_t i = 0; i < to->live_in.n; i++)
		want_value(w, place_of(w->f->values[to->live_in.id[i]]), w->f->values[to->live_in.id[i]]);
	for (; phi < end && phi->insn->op == IR_PHI; phi++)
		if (phi->insn->dst->reg != NO_REG)
			want(w, place_of(phi->insn->dst), meaning_of(w->m, &phi->source[k]));
	for (size_t i = 0; w->m->slots && i < w->m->slots[to->id].n; i++)
		check_slot(w, to, w->m->slots[to->id].id[i], k);
}

/* An operand of the program, `was` before the allocation. */
static void check_source(const struct walk *w, const struct source *was, const struct source *s)
{
	if (was->kind != SOURCE_VALUE)
		return;
	if (s->kind != SOURCE_VALUE) {
		if (meaning(w->m, was->value, was->sub) != meaning_of(w->m, s))
			broken(w, "has another operand");
		return;
	}
	if (s->value->class != was->value->class || s->value->test != was->value->test || s->sub != was->sub)
		fault(w, place_of(s->value));
	want_value(w, place_of(s->value), was->value);
}

static void check_operation(struct walk *w, const struct noted *n)
{
	struct ir_insn *i = n->insn;
	const struct source *was = n->source;

	IR_EACH_SOURCE(i, s)
		check_source(w, was++, s);
	check_source(w, was++, &i->guard);
	check_source(w, was, &i->old);
	if (i->op == IR_NOP && i->dst) /* $r0 at the start has the thread's number */
		put_value(w, 0, i->dst);
	else if (i->dst && i->old.kind == SOURCE_VALUE && i->dst->reg != i->old.value->reg)
		fault(w, place_of(i->dst));
	else if (i->dst)
		put_value(w, place_of(i->dst), i->dst);
	if (i->flags)
		put_value(w, place_of(i->flags), i->flags);
}

/* Flags go to a word, or come back. */
static uint64_t converted(uint64_t thing, uint64_t from, uint64_t to)
{
	return thing >> 56 == from ? thing ^ THING(from ^ to, 0) : NOTHING;
}

/* A copy made by the allocation. */
static void follow_copy(struct walk *w, const struct ir_insn *i)
{
	const struct source *s = &i->src[i->op == IR_ST];
	size_t from = s->kind == SOURCE_VALUE ? place_of(s->value) + s->sub : 0, to = i->dst ? place_of(i->dst) : 0;
	unsigned words = i->type == PTX_NONE ? 4 : ptx_bytes((enum ptx_type)i->type) / 4;

	switch (i->op) {
	case IR_MOV:
		if (s->kind == SOURCE_VALUE)
			put(w, to, get(w, from));
		else
			put_thing(w, to, meaning_of(w->m, s));
		break;
	case IR_XOR: put(w, to, get(w, from) ^ get(w, place_of(i->src[1].value))); break;
	case IR_TOREG: put(w, to, converted(get(w, from), OF_VALUE, OF_FLAGS)); break;
	case IR_TOCOND: put(w, place_of(i->flags), converted(get(w, from), OF_FLAGS, OF_VALUE)); break;
	case IR_LD:
		for (unsigned k = 0; k < words; k++)
			put(w, to + k, get(w, slot_place(w, i->offset) + k));
		break;
	case IR_ST:
		if (s->kind != SOURCE_VALUE)
			put_thing(w, slot_place(w, i->offset), meaning_of(w->m, s));
		for (unsigned k = 0; s->kind == SOURCE_VALUE && k < words; k++)
			put(w, slot_place(w, i->offset) + k, get(w, from + k));
		break;
	default: broken(w, "is no copy");
	}
}

/* Operations that are gone had no effect but a result; a use of the result would find another word. */
static const struct noted *check_gone(struct walk *w, const struct noted *n, const struct noted *end)
{
	for (; n < end && n->insn->dead; n++)
		if (ir_op_info[n->insn->op].flags & EFFECT || n->insn->is_volatile) {
			w->line = n->insn->line;
			w->name = ir_op_info[n->insn->op].name;
			broken(w, "is missing");
		}
	return n;
}

static void check_block(struct walk *w, const struct ir_block *b)
{
	const struct noted *n = &w->m->noted[w->m->blocks[b->id].begin], *end = &w->m->noted[w->m->blocks[b->id].end];
	struct source test = { .kind = SOURCE_VALUE, .value = w->m->blocks[b->id].test, .sub = b->test.sub };

	begin_block(w, b);
	for (const struct ir_insn *i = b->head; i; i = i->next) {
		n = check_gone(w, n, end);
		w->line = i->line;
		w->name = ir_op_info[i->op].name;
		if (n < end && n->insn == i)
			check_operation(w, n++);
		else
			follow_copy(w, i);
	}
	n = check_gone(w, n, end);
	w->line = b->line;
	w->name = "bra";
	if (n != end)
		broken(w, "stands before an operation");
	if (b->end == END_BRANCH && b->test.kind == SOURCE_VALUE)
		check_source(w, &test, &b->test);
	for (unsigned e = 0; e < ir_edges(b) && !passes(w->m, b); e++)
		check_edge(w, b->to[e], w->m->edges[2 * b->id + e]);
}

void verify_places(struct ir *f, const struct meanings *m)
{
	struct walk w = { .f = f, .m = m, .nplaces = FIRST_SLOT + f->spills.bytes / 4 };

	w.thing = ptx_new(f->m, w.nplaces * sizeof *w.thing);
	w.since = ptx_new(f->m, w.nplaces * sizeof *w.since);
	for (size_t n = 0; n < f->nblocks; n++)
		check_block(&w, f->blocks[n]);
}
