/* Functions that call themselves, and alloca: a stack in l[].
 *
 * Calls are inlined. A call of a function whose body is on the way jumps to the body's begin; a variable has the call's
 * number, and the body's end goes on behind the call of the number. Variables read behind the call lie on the stack
 * meanwhile. SSA construction finds them: the block behind the call stays unsealed until the body is complete, and each
 * variable read through the block is an unfinished phi. A function's variables in l[] are in a frame on the stack. */
#include "core/compile/lower.h"

#include <stdlib.h>
#include <string.h>

/* ---- who calls itself ---- */

struct calls {
	struct ptx_module *m;
	struct ptx_func **work;
	size_t n;
};

static void meet_callees(struct calls *c, const struct ptx_operand *o, unsigned depth)
{
	if (o->kind == OPERAND_FUNC && !o->func->seen) {
		o->func->seen = true;
		c->work[c->n++] = o->func;
	}
	for (unsigned i = 0; depth && i < o->nitems; i++)
		meet_callees(c, &o->item[i], depth - 1);
}

static void meet_taken(struct calls *c)
{
	for (struct ptx_func *p = c->m->funcs; p; p = p->next)
		if (p->taken && !p->seen) {
			p->seen = true;
			c->work[c->n++] = p;
		}
}

/* Whether calls lead from the function back to the function. */
static bool comes_back(struct calls *c, struct ptx_func *func)
{
	for (struct ptx_func *p = c->m->funcs; p; p = p->next)
		p->seen = false;
	c->n = 0;
	c->work[c->n++] = func;
	for (size_t done = 0; done < c->n; done++) {
		const struct ptx_func *p = c->work[done];
		ptx_tick(c->m);
		for (size_t i = 0; i < p->ninsns; i++) {
			if (strcmp(p->insns[i].word[0], "call"))
				continue;
			for (unsigned k = 0; k < p->insns[i].noperands; k++)
				meet_callees(c, &p->insns[i].operand[k], 1);
			if (ptx_calls_any(&p->insns[i]))
				meet_taken(c);
		}
	}
	return func->seen;
}

/* A call of a function that may come back. */
static bool calls_candidate(const struct ptx_module *m, const struct ptx_func *p)
{
	bool found = false;

	for (size_t i = 0; i < p->ninsns && !found; i++) {
		const struct ptx_insn *n = &p->insns[i];
		if (strcmp(n->word[0], "call"))
			continue;
		for (unsigned k = 0; k < n->noperands; k++)
			found |= n->operand[k].kind == OPERAND_FUNC && n->operand[k].func->recursive;
		for (const struct ptx_func *q = m->funcs; q && ptx_calls_any(n); q = q->next)
			found |= q->taken && q->recursive;
	}
	return found;
}

/* Functions without calls go first, then those that call such alone, as deep as calls can be inlined at all. Few are
 * left to search from. */
void find_recursion(struct ptx_module *m)
{
	struct calls c = { .m = m };
	size_t n = 1;
	bool changed = true;

	for (struct ptx_func *p = m->funcs; p; p = p->next, n++)
		p->recursive = !p->entry && p->has_body;
	for (unsigned depth = 0; changed && depth <= CALL_DEPTH_MAX; depth++) {
		changed = false;
		for (struct ptx_func *p = m->funcs; p; p = p->next)
			if (p->recursive && !calls_candidate(m, p)) {
				p->recursive = false;
				changed = true;
			}
	}
	c.work = ptx_new(m, 2 * n * sizeof *c.work);
	for (struct ptx_func *p = m->funcs; p; p = p->next)
		if (p->recursive)
			p->recursive = comes_back(&c, p);
}

/* ---- the stack ---- */

/* The stack's new top. Beyond the end the thread traps. */
static void set_top(struct lowering *l, struct source top)
{
	struct ir *f = l->f;
	struct ir_block *bad = ir_block(f), *good = ir_block(f);

	ir_write(f, f->current, f->lowering.stack_var, top);
	ir_end_block(f, ir_set(f, IR_SET, COND_G, PTX_U32, top, number(f->local_bytes)), bad, good);
	ir_seal(f, bad);
	ir_begin_block(f, bad);
	ir_insn(f, IR_TRAP);
	ir_jump(f, good);
	ir_seal(f, good);
	ir_begin_block(f, good);
}

/* The stack's top and a number that is not known yet. */
static struct ir_insn *move_top(struct lowering *l, enum ir_op op)
{
	struct ir *f = l->f;
	struct source top = ir_read(f, f->current, f->lowering.stack_var);
	struct ir_insn *i = ir_insn(f, op);

	i->nsrc = 2;
	i->src[0] = top;
	i->src[1] = number(0);
	i->dst = ir_value(f, CLASS_WORD);
	i->dst->def = i;
	return i;
}

/* A frame begins at the stack's top. */
void begin_frame(struct lowering *l)
{
	struct ir *f = l->f;
	uint32_t bytes = 0;

	for (struct ptx_var *v = l->func->vars; v && l->func->recursive; v = v->next)
		if (v->space == SPACE_LOCAL && v->used) {
			bytes = (bytes + v->align - 1) & -v->align;
			v->frame = bytes;
			bytes += v->size;
		}
	struct source top = ir_read(f, f->current, f->lowering.stack_var);
	ir_write(f, f->current, l->frame_var, top);
	if (bytes)
		set_top(l, OP(f, ADD, top, number((bytes + 15) & ~15u)));
}

void end_frame(struct lowering *l)
{
	ir_write(l->f, l->f->current, l->f->lowering.stack_var, ir_read(l->f, l->f->current, l->frame_var));
}

/* alloca.TYPE result, bytes {, alignment}; stacksave, stackrestore. */
static void lower_alloca(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	struct source top = ir_read(f, f->current, f->lowering.stack_var);

	if (!strcmp(w->op, "stackrestore")) {
		struct source s = get(l, w, 0, PTX_U32);
		ir_write(f, f->current, f->lowering.stack_var, l->guard.kind ? ir_select(f, l->guard, s, top) : s);
		return;
	}
	if (!strcmp(w->op, "alloca")) {
		struct source bytes = get(l, w, 1, PTX_U32);
		const struct ptx_operand *align = w->n->noperands > 2 ? &w->n->operand[2] : NULL;
		if (align && (align->bits > 16 || !align->bits || align->bits & (align->bits - 1)))
			lower_fail(l, w->n, "alloca: expected an alignment of 1, 2, 4, 8 or 16 bytes");
		bytes = OP(f, AND, OP(f, ADD, bytes, number(15)), number(~15u));
		set_top(l, OP(f, ADD, top, l->guard.kind ? ir_select(f, l->guard, bytes, number(0)) : bytes));
	}
	put_wide(l, w, 0, (struct wide){ in_space(l, SPACE_LOCAL, top), number(0) });
}

const struct lower_row lower_stack[] = {
	{ "alloca", lower_alloca }, { "stacksave", lower_alloca }, { "stackrestore", lower_alloca }, { 0 }
};

/* ---- calls ---- */

struct call_site {
	struct ir_block *before;         /* block with the values to keep */
	struct ir_block *stores;         /* block that stores the words, behind the check of the stack */
	struct ir_insn *push, *pop;      /* moves of the stack's top by the words' bytes */
	struct ir_block *results, *after;        /* where the body's end goes on: results first, then the code behind */
	uint32_t bytes;                  /* bytes of the words */
	struct call_site *next;
};

struct ir_block *begin_recursive_call(struct lowering *l, struct lowering *active)
{
	struct ir *f = l->f;
	struct call_site *site = ptx_new(l->m, sizeof *site);
	struct ir_block *store = ir_block(f);

	site->before = f->current;
	ir_jump(f, store);
	ir_seal(f, store);
	ir_begin_block(f, store);
	site->push = move_top(l, IR_ADD);
	set_top(l, of(site->push->dst));
	site->stores = f->current;
	site->next = active->sites;
	active->sites = site;
	ir_write(f, f->current, active->return_var, number(++active->nsites));
	site->results = ir_block(f);
	site->after = ir_block(f);
	return site->results;
}

void end_recursive_call(struct lowering *l, struct lowering *active)
{
	struct ir *f = l->f;
	struct call_site *site = active->sites;

	while (site->results != f->current)
		site = site->next;
	site->pop = move_top(l, IR_SUB);
	ir_write(f, f->current, f->lowering.stack_var, of(site->pop->dst));
	ir_jump(f, site->after);
	ir_begin_block(f, site->after);
}

static struct ir_insn *stack_word(struct ir *f, enum ir_op op, struct source top, uint32_t offset)
{
	struct ir_insn *i = ir_insn(f, op);

	i->space = SPACE_LOCAL;
	i->type = PTX_B32;
	i->offset = offset;
	i->src[0] = top;
	i->nsrc = op == IR_LD ? 1 : 2;
	return i;
}

/* Operations come behind the phis of the block. */
static void work_at(struct ir *f, struct ir_block *b)
{
	f->current = b;
	f->before = b->head;
	while (f->before && f->before->op == IR_PHI)
		f->before = f->before->next;
}

/* A variable behind the call: stored before, loaded behind. */
static void keep(struct ir *f, struct call_site *site, struct ir_insn *phi)
{
	bool is_predicate = phi->var & 1;
	struct source was = ir_read(f, site->before, phi->var);

	work_at(f, site->stores);
	if (is_predicate)
		was = ir_mask_of(f, was);
	stack_word(f, IR_ST, site->push->src[0], site->bytes)->src[1] = was;
	work_at(f, phi->block);
	struct ir_insn *load = stack_word(f, IR_LD, of(site->pop->dst), site->bytes);
	load->dst = ir_value(f, CLASS_WORD);
	load->dst->def = load;
	struct source s = is_predicate ? ir_pred_of(f, of(load->dst)) : of(load->dst);
	f->before = NULL;
	phi->dst->same = s.value;
	phi->dst->same_not = s.not;
	ir_remove(phi);
	site->bytes += 4;
}

/* Unfinished phis behind the calls: variables of the function and of functions inside are kept; results and others have
 * the values of the body's end. True: some phi was unfinished. */
static bool finish_phis(struct lowering *in)
{
	struct ir *f = in->f;
	bool some = false;

	for (struct call_site *site = in->sites; site; site = site->next)
		for (struct ir_insn *i = site->after->head, *next; i && i->op == IR_PHI; i = next) {
			next = i->next;
			if (i->args)
				continue;
			some = true;
			if (i->var >= 4 * in->base && !ir_defines(f, site->results, i->var))
				keep(f, site, i);
			else
				ir_fill(f, i);
		}
	return some;
}

/* From the body's end to the call of the number; 0: the first call, which goes on here. */
void return_to_calls(struct lowering *in)
{
	struct ir *f = in->f;
	struct source number_of = ir_read(f, f->current, in->return_var);
	uint32_t n = in->nsites;

	for (struct call_site *site = in->sites; site; site = site->next, n--) {
		struct ir_block *next = ir_block(f);
		ir_end_block(f, ir_set(f, IR_SET, COND_E, PTX_U32, number_of, number(n)), site->results, next);
		ir_seal(f, next);
		ir_seal(f, site->results);
		ir_begin_block(f, next);
	}
	struct ir_block *end = f->current;
	ir_seal(f, in->begin);
	while (finish_phis(in))
		continue;
	for (struct call_site *site = in->sites; site; site = site->next) {
		site->after->sealed = true;
		site->bytes = (site->bytes + 16) & ~15u; /* a call without end fills the stack, too */
		site->push->src[1] = site->pop->src[1] = number(site->bytes);
	}
	f->current = end;
}
