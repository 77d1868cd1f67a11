/* Making operations: blocks, values, variables in single assignment form, and the folding of numbers on the way. */
#include "core/compile/ir.h"

#include <string.h>

const struct ir_op_info ir_op_info[IR_OPS] = {
#define IR(name, exec, slots, flags, ...) { #name, slots, flags },
#include "core/compile/ir.def"
};

struct ir_block *ir_block(struct ir *f)
{
	struct ir_block *b = ptx_new(f->m, sizeof *b);

	b->id = (uint32_t)f->nblocks;
	b->line = f->line;
	b->file = f->file;
	b->source_line = f->source_line;
	*(struct ir_block **)ptx_push(f->m, &f->blocks, &f->nblocks, sizeof b) = b;
	return b;
}

struct value *ir_value(struct ir *f, enum value_class class)
{
	struct value *v = ptx_new(f->m, sizeof *v);

	*v = (struct value){ .class = class, .reg = NO_REG, .id = (uint32_t)f->nvalues };
	*(struct value **)ptx_push(f->m, &f->values, &f->nvalues, sizeof v) = v;
	return v;
}

struct ir_insn *ir_insn_new(struct ir *f, enum ir_op op)
{
	struct ir_insn *i = ptx_new(f->m, sizeof *i);

	f->ninsns++;
	i->op = op;
	i->line = f->line;
	i->file = f->file;
	i->source_line = f->source_line;
	return i;
}

void ir_append(struct ir *f, struct ir_block *b, struct ir_insn *i)
{
	(void)f;
	i->block = b;
	i->previous = b->tail;
	if (b->tail)
		b->tail->next = i;
	else
		b->head = i;
	b->tail = i;
}

void ir_before(struct ir_insn *at, struct ir_insn *i)
{
	i->block = at->block;
	i->next = at;
	i->previous = at->previous;
	if (at->previous)
		at->previous->next = i;
	else
		at->block->head = i;
	at->previous = i;
}

void ir_remove(struct ir_insn *i)
{
	if (i->previous)
		i->previous->next = i->next;
	else
		i->block->head = i->next;
	if (i->next)
		i->next->previous = i->previous;
	else
		i->block->tail = i->previous;
	i->dead = true;
}

struct ir_insn *ir_insn(struct ir *f, enum ir_op op)
{
	struct ir_insn *i = ir_insn_new(f, op);

	if (f->before)
		ir_before(f->before, i);
	else
		ir_append(f, f->current, i);
	return i;
}

void ir_edge(struct ir *f, struct ir_block *from, struct ir_block *to)
{
	*(struct ir_block **)ptx_push(f->m, &to->from, &to->nfrom, sizeof from) = from;
}

size_t ir_from(const struct ir_block *to, const struct ir_block *from)
{
	size_t i = 0;

	while (i < to->nfrom && to->from[i] != from)
		i++;
	return i;
}

void ir_resolve(struct source *s)
{
	while (s->kind == SOURCE_VALUE && s->value->same) {
		struct value *v = s->value;
		if (v->same->same) { /* chains get half as long */
			v->same_not ^= v->same->same_not;
			v->same = v->same->same;
		}
		s->not ^= v->same_not;
		s->value = v->same;
	}
}

void ir_begin_block(struct ir *f, struct ir_block *b)
{
	f->last_block->next = b;
	f->last_block = b;
	f->current = b;
}

void ir_end_block(struct ir *f, struct source test, struct ir_block *taken, struct ir_block *other)
{
	ir_resolve(&test);
	if (other && (test.kind == SOURCE_NUMBER || taken == other)) {
		taken = test.kind == SOURCE_NUMBER && (test.bits != 0) == test.not ? other : taken;
		other = NULL;
	}
	f->current->end = other ? END_BRANCH : END_JUMP;
	f->current->test = test;
	f->current->to[0] = taken;
	f->current->to[1] = other;
	f->current->lowered = true;
	f->current->line = f->line;
	f->current->file = f->file;
	f->current->source_line = f->source_line;
	ir_edge(f, f->current, taken);
	if (other)
		ir_edge(f, f->current, other);
}

/* ---- variables ---- */

/* An open hash table from (block, variable) to a source. */
struct defs {
	size_t n, size;
	struct def {
		uint64_t key;
		struct source value;
	} * def;
};

static struct def *def_slot(struct defs *d, uint64_t key)
{
	size_t i = (size_t)(key * 0x9e3779b97f4a7c15u >> 40) & (d->size - 1);

	while (d->def[i].key && d->def[i].key != key)
		i = (i + 1) & (d->size - 1);
	return &d->def[i];
}

static uint64_t def_key(const struct ir_block *b, uint32_t var) { return ((uint64_t)b->id << 32 | var) + 1; }

void ir_write(struct ir *f, struct ir_block *b, uint32_t var, struct source s)
{
	struct defs *d = f->ssa.defs;

	if (!d || 2 * d->n >= d->size) {
		struct defs *more = ptx_new(f->m, sizeof *more);
		*more = (struct defs){ d ? d->n : 0, d ? 2 * d->size : 256, NULL };
		more->def = ptx_new(f->m, more->size * sizeof *more->def);
		for (size_t i = 0; d && i < d->size; i++)
			if (d->def[i].key)
				*def_slot(more, d->def[i].key) = d->def[i];
		f->ssa.defs = d = more;
	}
	struct def *slot = def_slot(d, def_key(b, var));
	d->n += !slot->key;
	*slot = (struct def){ def_key(b, var), s };
}

/* Variables: the low two bits are the class. */
static enum value_class var_class(uint32_t var) { return var & 1 ? CLASS_PRED : CLASS_WORD; }

static struct ir_insn *phi_new(struct ir *f, struct ir_block *b, uint32_t var)
{
	struct ir_insn *phi = ir_insn_new(f, IR_PHI);

	phi->dst = ir_value(f, var_class(var));
	phi->dst->def = phi;
	phi->var = var;
	if (b->head)
		ir_before(b->head, phi);
	else
		ir_append(f, b, phi);
	return phi;
}

static void phi_fill(struct ir *f, struct ir_insn *phi)
{
	struct ir_block *b = phi->block;

	phi->nsrc = (unsigned)b->nfrom;
	phi->args = ptx_new(f->m, b->nfrom * sizeof *phi->args);
	for (size_t i = 0; i < b->nfrom; i++)
		phi->args[i] = ir_read(f, b->from[i], phi->var);
}

/* A block where paths meet, on the way of ir_read. */
struct reading {
	struct ir_block *begin, *join;   /* block of the question, above it the block with several predecessors */
	size_t known;                    /* predecessors of the join whose value is known */
	struct source one;               /* value of these predecessors, as far as they agree */
	bool differ;
};

/* The definition of a variable that block b's end sees, past blocks with one predecessor; the block in *found. False:
 * the search ends in a block with unknown or several predecessors. */
static bool find_def(struct ir *f, struct ir_block *b, uint32_t var, struct source *s, struct ir_block **found)
{
	for (;; b = b->from[0]) {
		struct def *slot = f->ssa.defs ? def_slot(f->ssa.defs, def_key(b, var)) : NULL;
		*found = b;
		if (slot && slot->key) {
			*s = slot->value;
			ir_resolve(s);
			return true;
		}
		if (!b->sealed || b->nfrom > 1)
			return false;
		if (!b->nfrom) { /* never written: the value is undefined */
			*s = number(0);
			return true;
		}
	}
}

/* The blocks from `begin` up to `found` know the value from now on. */
static void remember(struct ir *f, struct ir_block *begin, const struct ir_block *found, uint32_t var, struct source s)
{
	for (; begin != found && begin->nfrom == 1; begin = begin->from[0])
		ir_write(f, begin, var, s);
}

static struct source define_by_phi(struct ir *f, struct ir_block *b, uint32_t var)
{
	struct source s = of(phi_new(f, b, var)->dst);

	ir_write(f, b, var, s);
	return s;
}

static void push_reading(struct ir *f, struct reading r)
{
	if (f->ssa.nreading == f->ssa.space) {
		size_t space = 2 * f->ssa.space + 64;
		struct reading *more = ptx_new(f->m, space * sizeof *more);
		if (f->ssa.nreading)
			memcpy(more, f->ssa.reading, f->ssa.nreading * sizeof *more);
		f->ssa.reading = more;
		f->ssa.space = space;
	}
	f->ssa.reading[f->ssa.nreading++] = r;
}

/* False: paths meet on the way, and f->ssa.reading has one more. A block met once more, in a circle, needs its phi. */
static bool read_simple(struct ir *f, struct ir_block *b, uint32_t var, struct source *s)
{
	struct ir_block *found;
	bool defined = find_def(f, b, var, s, &found);

	if (!defined && found->sealed) {
		push_reading(f, (struct reading){ .begin = b, .join = found });
		ir_write(f, found, var, (struct source){ .kind = SOURCE_READING });
		return false;
	}
	if (!defined || s->kind == SOURCE_READING)
		*s = define_by_phi(f, found, var);
	remember(f, b, found, var, *s);
	return true;
}

static void agree(struct reading *r, struct source s)
{
	ir_resolve(&r->one);
	r->differ |= s.kind != SOURCE_VALUE || s.sub || s.half || s.neg || s.abs || s.not ||
		     (r->known && r->one.value != s.value);
	r->one = s;
	r->known++;
}

/* The value where paths meet: the same from everywhere, or a phi. */
static struct source read_joined(struct ir *f, struct reading r, uint32_t var)
{
	struct source s = def_slot(f->ssa.defs, def_key(r.join, var))->value;

	if (s.kind != SOURCE_READING || r.differ || r.one.value->class != var_class(var)) {
		if (s.kind == SOURCE_READING)
			s = define_by_phi(f, r.join, var);
		phi_fill(f, s.value->def);
	} else {
		s = r.one;
		ir_write(f, r.join, var, s);
	}
	remember(f, r.begin, r.join, var, s);
	return s;
}

/* By a list of the meeting points on the way, since chains of blocks are longer than the host's stack. */
struct source ir_read(struct ir *f, struct ir_block *b, uint32_t var)
{
	size_t base = f->ssa.nreading;
	struct source s;

	if (read_simple(f, b, var, &s))
		return s;
	while (f->ssa.nreading > base) {
		struct reading *r = &f->ssa.reading[f->ssa.nreading - 1];
		if (r->known < r->join->nfrom) {
			if (read_simple(f, r->join->from[r->known], var, &s))
				agree(r, s);
			continue;
		}
		s = read_joined(f, *r, var);
		if (--f->ssa.nreading > base)
			agree(&f->ssa.reading[f->ssa.nreading - 1], s);
	}
	return s;
}

void ir_fill(struct ir *f, struct ir_insn *phi) { phi_fill(f, phi); }

bool ir_defines(const struct ir *f, const struct ir_block *b, uint32_t var)
{
	return f->ssa.defs && def_slot(f->ssa.defs, def_key(b, var))->key;
}

void ir_seal(struct ir *f, struct ir_block *b)
{
	b->sealed = true;
	for (struct ir_insn *i = b->head, *next; i && i->op == IR_PHI; i = next) {
		next = i->next;
		if (!i->args)
			phi_fill(f, i);
	}
}

/* ---- folding ---- */

static bool is_number(const struct source *s, uint32_t bits) { return s->kind == SOURCE_NUMBER && s->bits == bits; }

static uint32_t known_zeros(const struct source *s)
{
	if (s->kind == SOURCE_NUMBER)
		return ~s->bits;
	if (s->kind == SOURCE_SHARED)
		return s->type == PTX_U16 ? 0xffff0000 : s->type == PTX_U8 ? 0xffffff00 : 0;
	return s->kind == SOURCE_VALUE && s->value->class == CLASS_WORD && !s->half ? s->value->zeros : 0;
}

static bool fold_numbers(enum ir_op op, enum ptx_type t, const struct source *s, uint32_t *out)
{
	uint32_t a = s[0].bits, b = s[1].bits;

	switch (op) {
	case IR_ADD: *out = a + b; return true;
	case IR_SUB: *out = a - b; return true;
	case IR_SUBR: *out = b - a; return true;
	case IR_AND: *out = a & b; return true;
	case IR_OR: *out = a | b; return true;
	case IR_XOR: *out = a ^ b; return true;
	case IR_NOTB: *out = ~a; return true;
	case IR_IMUL: *out = a * b; return true;
	case IR_SHL: *out = b > 31 ? 0 : a << b; return true;
	case IR_SHR: *out = b > 31 ? 0 : a >> b; return true;
	case IR_SAR: *out = (uint32_t)((int32_t)a >> (b > 31 ? 31 : b)); return true;
	case IR_MIN: *out = t == PTX_S32 ? ((int32_t)a < (int32_t)b ? a : b) : a < b ? a : b; return true;
	case IR_MAX: *out = t == PTX_S32 ? ((int32_t)a > (int32_t)b ? a : b) : a > b ? a : b; return true;
	case IR_MUL16:
		*out = t == PTX_S16 ? (uint32_t)((int16_t)a * (int16_t)b) : (a & 0xffff) * (b & 0xffff);
		return true;
	case IR_MUL24:
		*out = t == PTX_S32 ? (uint32_t)((int32_t)(a << 8) >> 8) * (uint32_t)((int32_t)(b << 8) >> 8)
				    : (a & 0xffffff) * (b & 0xffffff);
		return true;
	default: return false;
	}
}

/* x op y equal to a source, or to a number, for every value of the other source. */
static bool fold_identity(enum ir_op op, const struct source *s, struct source *out)
{
	bool same = s[0].kind == SOURCE_VALUE && s[1].kind == SOURCE_VALUE && s[0].value == s[1].value &&
		    s[0].sub == s[1].sub && !s[0].half && !s[1].half;

	*out = s[0];
	switch (op) {
	case IR_ADD:
	case IR_SUB:
	case IR_XOR:
	case IR_SHL:
	case IR_SHR:
	case IR_SAR:
		if (same && (op == IR_SUB || op == IR_XOR)) {
			*out = number(0);
			return true;
		}
		if ((op == IR_SHL || op == IR_SHR) && s[1].kind == SOURCE_NUMBER && s[1].bits > 31) {
			*out = number(0);
			return true;
		}
		return is_number(&s[1], 0) || ((op == IR_SHL || op == IR_SHR || op == IR_SAR) && is_number(&s[0], 0));
	case IR_OR: return is_number(&s[1], 0) || same;
	case IR_AND:
		if (s[1].kind == SOURCE_NUMBER && !(~s[1].bits & ~known_zeros(&s[0])))
			return true;
		if (s[1].kind == SOURCE_NUMBER && !(s[1].bits & ~known_zeros(&s[0]))) {
			*out = number(0);
			return true;
		}
		return same;
	case IR_MUL16:
	case IR_MUL24:
		if (is_number(&s[1], 0))
			*out = number(0);
		return is_number(&s[1], 0);
	case IR_IMUL:
		if (is_number(&s[1], 0))
			*out = number(0);
		return is_number(&s[1], 0) || is_number(&s[1], 1);
	default: return false;
	}
}

/* The bits that are zero in the lower of two unsigned words: those of both, and the longer row of leading zeros. */
static uint32_t zeros_of_least(uint32_t a, uint32_t b)
{
	int of_a = __builtin_clz(~a | 1), of_b = __builtin_clz(~b | 1);

	return ((a & b) | ~(~0u >> (of_a > of_b ? of_a : of_b))) & ~1u;
}

static uint32_t result_zeros(enum ir_op op, enum ptx_type t, const struct source *s)
{
	uint32_t a = known_zeros(&s[0]), b = known_zeros(&s[1]);

	switch (op) {
	case IR_AND: return a | b;
	case IR_OR:
	case IR_XOR: return a & b;
	case IR_SHL: return s[1].kind == SOURCE_NUMBER ? a << s[1].bits | ((1u << s[1].bits) - 1) : 0;
	case IR_SHR: return s[1].kind == SOURCE_NUMBER && s[1].bits ? a >> s[1].bits | ~(~0u >> s[1].bits) : 0;
	case IR_MIN: return t == PTX_U32 ? zeros_of_least(a, b) : 0;
	case IR_ADD: {
		unsigned top = (unsigned)__builtin_clz(~(a & b) | 1); /* the sum has one bit more */
		return top > 1 ? ~(~0u >> (top - 1)) : 0;
	}
	default: return 0;
	}
}

static bool is_mask(const struct source *s) { return s->kind == SOURCE_VALUE && !s->half && !s->sub && s->value->mask; }

/* The mask m of m & 1: a comparison as nvcc has it, 0 or 1. */
static bool of_mask(const struct source *s, struct source *m)
{
	const struct ir_insn *i = s->kind == SOURCE_VALUE && !s->half && !s->sub ? s->value->def : NULL;

	if (!i || i->op != IR_AND || i->guard.kind || !is_mask(&i->src[0]) || !is_number(&i->src[1], 1))
		return false;
	*m = i->src[0];
	return true;
}

/* Logic of comparisons stays logic of masks: -set is set & 1, and the & 1 moves outwards, where tests drop it. */
static bool fold_masks(struct ir *f, enum ir_op op, const struct source *s, struct source *out)
{
	struct source a, b;

	if ((op == IR_SUBR && is_number(&s[1], 0) && is_mask(&s[0])) ||
	    (op == IR_SUB && is_number(&s[0], 0) && is_mask(&s[1]))) {
		*out = OP(f, AND, op == IR_SUBR ? s[0] : s[1], number(1));
		return true;
	}
	if ((op == IR_AND || op == IR_OR || op == IR_XOR) && of_mask(&s[0], &a) && of_mask(&s[1], &b)) {
		*out = OP(f, AND, ir_op(f, op, 2, (struct source[]){ a, b }), number(1));
		return true;
	}
	return false;
}

static void swap(struct source *s)
{
	struct source first = s[0];

	s[0] = s[1];
	s[1] = first;
}

/* Numbers as second sources; subtraction of a number is an addition. Returns the operation. */
static enum ir_op in_order(enum ir_op op, struct source *s)
{
	if ((ir_op_info[op].flags & COMM) && s[0].kind == SOURCE_NUMBER)
		swap(s);
	if (op != IR_SUB)
		return op;
	if (s[1].kind == SOURCE_NUMBER) {
		s[1].bits = -s[1].bits;
		return IR_ADD;
	}
	if (s[0].kind != SOURCE_NUMBER)
		return op;
	swap(s);
	return IR_SUBR;
}

/* (x + a) + b, (x & a) & b, (x << a) << b: x and the number for both. */
static bool with_inner(enum ir_op op, unsigned n, struct source *s)
{
	const struct ir_insn *inner = s[0].kind == SOURCE_VALUE && !s[0].half ? s[0].value->def : NULL;

	if (n != 2 || s[1].kind != SOURCE_NUMBER || !inner || inner->op != op || inner->guard.kind ||
	    inner->src[1].kind != SOURCE_NUMBER)
		return false;
	uint32_t a = inner->src[1].bits, b = s[1].bits;
	switch (op) {
	case IR_AND: s[1].bits = a & b; break;
	case IR_OR:  s[1].bits = a | b; break;
	case IR_XOR: s[1].bits = a ^ b; break;
	case IR_ADD: s[1].bits = a + b; break;
	case IR_SHL: case IR_SHR:
		if (a + b >= 32)
			return false;
		s[1].bits = a + b;
		break;
	default: return false;
	}
	s[0] = inner->src[0];
	return true;
}

/* A product of 24 bits by a power of 2 is a shift, where no bit is lost. */
static bool is_shift(enum ir_op op, enum ptx_type t, const struct source *s)
{
	return op == IR_MUL24 && s[1].kind == SOURCE_NUMBER && s[1].bits && !(s[1].bits & (s[1].bits - 1)) &&
	       s[1].bits < 1u << 23 &&
	       known_zeros(&s[0]) >> (t == PTX_S32 ? 23 : 24) == (t == PTX_S32 ? 0x1ffu : 0xffu);
}

struct source ir_typed(struct ir *f, enum ir_op op, enum ptx_type t, unsigned n, const struct source *given)
{
	struct source s[3] = { { 0 } }, out;
	uint32_t bits;

	memcpy(s, given, n * sizeof *s);
	for (unsigned i = 0; i < n; i++)
		ir_resolve(&s[i]);
	op = in_order(op, s);
	if (s[0].kind == SOURCE_NUMBER && (n == 1 || s[1].kind == SOURCE_NUMBER) && fold_numbers(op, t, s, &bits))
		return number(bits);
	if (n == 2 && (fold_identity(op, s, &out) || fold_masks(f, op, s, &out)))
		return out;
	if (is_shift(op, t, s))
		return ir_typed(f, IR_SHL, PTX_U32, 2,
				(struct source[]){ s[0], number((uint32_t)__builtin_ctz(s[1].bits)) });
	if (with_inner(op, n, s))
		return ir_typed(f, op, t, 2, s);
	struct ir_insn *i = ir_insn(f, op);
	i->type = t;
	i->nsrc = n;
	memcpy(i->src, s, sizeof s);
	i->dst = ir_value(f, ir_op_info[op].flags & PAIR ? CLASS_PAIR : CLASS_WORD);
	i->dst->def = i;
	i->dst->zeros = result_zeros(op, t, s);
	i->dst->mask = (op == IR_AND || op == IR_OR || op == IR_XOR) && is_mask(&s[0]) && is_mask(&s[1]);
	return of(i->dst);
}

struct source ir_op(struct ir *f, enum ir_op op, unsigned n, const struct source *s)
{
	return ir_typed(f, op, PTX_U32, n, s);
}

struct source ir_select(struct ir *f, struct source test, struct source a, struct source b)
{
	ir_resolve(&test);
	ir_resolve(&a);
	ir_resolve(&b);
	if (test.kind == SOURCE_NUMBER)
		return (test.bits != 0) != test.not ? a : b;
	if (a.kind == b.kind && a.value == b.value && a.sub == b.sub && a.bits == b.bits && a.type == b.type)
		return a;
	struct ir_insn *i = ir_insn(f, IR_MOV);
	i->type = PTX_U32;
	i->nsrc = 1;
	i->src[0] = a;
	i->guard = test;
	i->old = b;
	i->dst = ir_value(f, CLASS_WORD);
	i->dst->def = i;
	i->dst->zeros = known_zeros(&a) & known_zeros(&b);
	return of(i->dst);
}

bool ir_holds(unsigned cond, unsigned type, uint32_t a, uint32_t b)
{
	bool less = type == PTX_S32 ? (int32_t)a < (int32_t)b : a < b;

	return (cond & COND_L && less) || (cond & COND_E && a == b) || (cond & COND_G && !less && a != b);
}

static struct ir_insn *set_insn(struct ir *f, enum ir_op op, enum cond c, enum ptx_type t, struct source a,
				struct source b)
{
	static const uint8_t swapped[8] = { 0, COND_G, COND_E, COND_GE, COND_L, COND_LG, COND_LE, COND_LGE };

	if (a.kind == SOURCE_NUMBER && op != IR_DSET) {
		struct source swap = a;
		a = b;
		b = swap;
		c = (enum cond)(swapped[c & 7] | (c & COND_U));
	}
	struct ir_insn *i = ir_insn(f, op);
	i->type = t;
	i->cond = c;
	i->nsrc = 2;
	i->src[0] = a;
	i->src[1] = b;
	return i;
}

struct source ir_set(struct ir *f, enum ir_op op, enum cond c, enum ptx_type t, struct source a, struct source b)
{
	ir_resolve(&a);
	ir_resolve(&b);
	if (op == IR_SET && a.kind == SOURCE_NUMBER && b.kind == SOURCE_NUMBER)
		return number(ir_holds(c, t, a.bits, b.bits));
	if (op == IR_SET && is_number(&b, 0) && (c == COND_E || c == COND_LG) && !a.half) {
		struct source m;
		struct source p = ir_pred_of(f, of_mask(&a, &m) ? m : a);
		if (c == COND_E)
			p.not = !p.not;
		if (p.kind == SOURCE_NUMBER)
			return number(p.bits != (c == COND_E));
		return p;
	}
	struct ir_insn *i = set_insn(f, op, c, t, a, b);
	i->flags = ir_value(f, CLASS_PRED);
	i->flags->def = i;
	return of(i->flags);
}

struct source ir_setw(struct ir *f, enum ir_op op, enum cond c, enum ptx_type t, struct source a, struct source b)
{
	ir_resolve(&a);
	ir_resolve(&b);
	if (op == IR_SET && a.kind == SOURCE_NUMBER && b.kind == SOURCE_NUMBER)
		return number(ir_holds(c, t, a.bits, b.bits) ? ~0u : 0);
	struct ir_insn *i = set_insn(f, op, c, t, a, b);
	i->dst = ir_value(f, CLASS_WORD);
	i->dst->def = i;
	i->dst->mask = true;
	return of(i->dst);
}

struct source ir_cvt(struct ir *f, enum ptx_type to, enum ptx_type from, enum rounding r, struct source s)
{
	ir_resolve(&s);
	if (!ptx_float(to) && !ptx_float(from) && ptx_bytes(to) == 4 && ptx_bytes(from) < 4) {
		uint32_t mask = ptx_bytes(from) == 1 ? 0xff : 0xffff, sign = (mask >> 1) + 1;
		if (s.kind == SOURCE_NUMBER)
			return number(ptx_signed(from) ? ((s.bits & mask) ^ sign) - sign : s.bits & mask);
		const struct ir_insn *d = s.kind == SOURCE_VALUE && !s.half && !s.sub ? s.value->def : NULL;
		bool done = d && ((d->op == IR_CVT && d->from == from && ptx_bytes((enum ptx_type)d->type) == 4) ||
				  ((d->op == IR_LD || d->op == IR_LDPARAM) && d->type == from));
		uint32_t zeros = known_zeros(&s);
		if (done || !(~zeros & ~(ptx_signed(from) ? mask >> 1 : mask)))
			return s;
	}
	struct ir_insn *i = ir_insn(f, IR_CVT);
	i->type = to;
	i->from = from;
	i->round = r;
	i->nsrc = 1;
	i->src[0] = s;
	i->dst = ir_value(f, ptx_bytes(to) == 8 ? CLASS_PAIR : CLASS_WORD);
	i->dst->def = i;
	if (!ptx_float(to) && !ptx_signed(from) && ptx_bytes(from) < 4)
		i->dst->zeros = ptx_bytes(from) == 1 ? 0xffffff00 : 0xffff0000;
	return of(i->dst);
}

struct source ir_mask_of(struct ir *f, struct source p)
{
	ir_resolve(&p);
	if (p.kind == SOURCE_NUMBER)
		return number((p.bits != 0) != p.not ? ~0u : 0);
	struct ir_insn *i = p.value->def;
	if (!p.not &&(i->op == IR_SET || i->op == IR_FSET || i->op == IR_DSET) && !i->guard.kind && !ir_halves(i)) {
		if (!i->dst) {
			i->dst = ir_value(f, CLASS_WORD);
			i->dst->def = i;
			i->dst->mask = true;
		}
		return of(i->dst);
	}
	bool set = (i->op == IR_SET || i->op == IR_FSET || i->op == IR_DSET) && !i->guard.kind && !ir_halves(i);
	if (set) { /* the opposite comparison */
		enum cond c = (enum cond)(i->cond ^ (i->op == IR_SET ? COND_LGE : COND_ALWAYS));
		return ir_setw(f, i->op, c, (enum ptx_type)i->type, i->src[0], i->src[1]);
	}
	bool of_result = ir_op_info[i->op].flags & CC && !(ir_op_info[i->op].flags & NEG);
	if (of_result && i->dst && p.value->test == TEST_LG && i->dst->class == CLASS_WORD && !i->guard.kind &&
	    i->op != IR_SET)
		return ir_setw(f, IR_SET, p.not ? COND_E : COND_LG, PTX_U32, of(i->dst), number(0));
	return ir_select(f, p, number(~0u), number(0));
}

struct source ir_pred_of(struct ir *f, struct source word)
{
	ir_resolve(&word);
	if (word.kind == SOURCE_NUMBER)
		return number(word.bits != 0);
	struct ir_insn *i = word.kind == SOURCE_VALUE && !word.half && !word.sub ? word.value->def : NULL;
	/* A comparison at the place of the test sets the flags, and no $c is held in between. */
	if (i && (i->op == IR_SET || i->op == IR_FSET) && !i->guard.kind && i->dst == word.value &&
	    i->block != f->current) {
		struct ir_insn *again =
			set_insn(f, i->op, (enum cond)i->cond, (enum ptx_type)i->type, i->src[0], i->src[1]);
		again->flags = ir_value(f, CLASS_PRED);
		again->flags->def = again;
		return of(again->flags);
	}
	if (i && i->block == f->current && (ir_op_info[i->op].flags & CC) && !i->guard.kind && i->dst == word.value &&
	    i->op != IR_CVT && i->op != IR_FADD && i->op != IR_IMUL) {
		if (!i->flags) {
			i->flags = ir_value(f, CLASS_PRED);
			i->flags->def = i;
		}
		if (i->flags->test == TEST_LG)
			return of(i->flags);
	}
	i = set_insn(f, IR_SET, COND_LG, PTX_U32, word, number(0));
	i->flags = ir_value(f, CLASS_PRED);
	i->flags->def = i;
	return of(i->flags);
}
