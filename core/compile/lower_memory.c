/* Memory, atomics, barriers, votes and other effects. */
#include "core/compile/lower.h"

#include <stdio.h>
#include <string.h>

struct address {
	enum ptx_space space;    /* NONE: not known, while find_spaces asks */
	struct source base;
	uint32_t offset;
	const struct ptx_var *var;
	uint32_t statement;      /* number of a statement that asks for its spaces; 0: the statement names the space */
	unsigned spaces;         /* set of SPACE_BIT, of a statement that asked */
};

/* A statement that names no space, or constants by a register. */
static void ask_spaces(struct lowering *l, struct address *a)
{
	a->statement = (uint32_t)l->f->lowering.nstatements;
	if (l->f->lowering.spaces && l->f->lowering.spaces[a->statement])
		a->spaces = l->f->lowering.spaces[a->statement];
	else if (l->f->lowering.spaces) /* never reached */
		a->spaces = SPACE_BIT(SPACE_GLOBAL);
	if (l->f->lowering.spaces && a->space)
		a->spaces &= SPACE_BIT(SPACE_CONST) | SPACE_BIT(SPACE_GLOBAL);
	if (l->f->lowering.spaces && !a->spaces)
		a->spaces = SPACE_BIT(a->space);
}

static struct address get_address(struct lowering *l, const struct words *w, unsigned k)
{
	const struct ptx_operand *o = &w->n->operand[k];
	struct address a = { w->space, number(0), (uint32_t)o->bits, NULL, 0, 0 };

	if (o->kind != OPERAND_ADDRESS || o->nitems != 1)
		lower_fail(l, w->n, "operand %u of `%s`: expected an address in brackets", k + 1, w->op);
	const struct ptx_operand *base = &o->item[0];
	if (base->kind == OPERAND_VAR) {
		a.var = base->var;
		if (!a.space)
			a.space = base->var->space;
		if (a.space == SPACE_PARAM && base->var->space == SPACE_LOCAL) /* of a function, address taken */
			a.space = SPACE_LOCAL;
		if (base->var->space != a.space && !(a.space == SPACE_PARAM))
			lower_fail(l, w->n, "`%.60s` is in another space", base->var->name);
		a.offset += (uint32_t)base->bits;
		if (base->var->space == SPACE_GLOBAL)
			a.base = global_address(l, base->var);
		else if (is_in_frame(l, base->var))
			a.base = frame_address(l, base->var);
		else
			a.offset += base->var->offset;
	} else if (base->kind == OPERAND_REG) {
		a.base = get_of(l, w->n, base, PTX_U32);
		if (a.space == SPACE_PARAM) /* whose address mov takes: of a kernel, or of a function */
			a.space = l->caller ? SPACE_LOCAL : SPACE_SHARED;
		bool loads = *w->op == 'l' && a.space == SPACE_GLOBAL && l->m->points_to_constants;
		if (!a.space || (a.space == SPACE_CONST && l->m->version >= 20) || loads)
			ask_spaces(l, &a);
	} else if (base->kind != OPERAND_INT) {
		lower_fail(l, w->n, "the address of `%s`: expected a register, a variable or a number", w->op);
	} else if (!a.space) {
		a.space = SPACE_GLOBAL;
	}
	ir_resolve(&a.base);
	if (a.base.kind == SOURCE_NUMBER) {
		a.offset += a.base.bits;
		a.base.bits = 0;
	}
	return a;
}

/* The address of an access: g[] has no offset, other memory has. */
static void place_address(struct lowering *l, struct ir_insn *i, const struct address *a, uint32_t more)
{
	struct ir *f = l->f;

	i->space = (uint8_t)a->space;
	i->statement = f->lowering.spaces ? 0 : a->statement;
	i->offset = a->offset + more;
	i->src[0] = a->base;
	if (a->space == SPACE_GLOBAL || a->space == SPACE_NONE) {
		i->src[0] = OP(f, ADD, a->base, number(i->offset));
		i->offset = 0;
	}
}

/* Where the address is in the window of a space: a predicate. The window of a raw address of constants is 0. */
static struct source in_window(struct lowering *l, struct source address, uint32_t window)
{
	return ir_set(l->f, IR_SET, COND_E, PTX_U16, half_of(address, 2), number(window >> WINDOW_BITS));
}

typedef void access_fn(struct lowering *l, const struct words *w, const struct address *a);

/* Where the address is in none of the windows of a set of spaces, which is not empty. */
static struct source beyond(struct lowering *l, struct source address, unsigned set)
{
	unsigned lowest = (unsigned)__builtin_ctz(set), n = (unsigned)__builtin_popcount(set);
	struct source p = in_window(l, address, lowest << WINDOW_BITS), q;

	p.not = !p.not;
	if (n > 1 && set >> lowest == (1u << n) - 1) { /* windows side by side */
		q = OP(l->f, ADD, address, number(-(lowest << WINDOW_BITS)));
		return ir_set(l->f, IR_SET, COND_GE, PTX_U32, q, number(n << WINDOW_BITS));
	}
	for (set &= set - 1; set; set &= set - 1) {
		q = in_window(l, address, (uint32_t)__builtin_ctz(set) << WINDOW_BITS);
		q.not = !q.not;
		p = pred_logic(l, IR_AND, p, q);
	}
	return p;
}

/* The guard of lanes with an address in one of several spaces. False: no lane has one. */
static bool guard_space(struct lowering *l, struct source guard, struct source here)
{
	l->guard = guard.kind ? pred_logic(l, IR_AND, guard, here) : here;
	ir_resolve(&l->guard);
	if (l->guard.kind != SOURCE_NUMBER)
		return true;
	bool always = (l->guard.bits != 0) != l->guard.not;
	l->guard = (struct source){ 0 };
	return always;
}

/* An access, once for each space that the address may be in, each time for the lanes with an address there. The last
 * space has all other lanes, so that a wrong address faults. */
static void in_each_space(struct lowering *l, const struct words *w, struct address a, access_fn *each)
{
	bool raw = a.space == SPACE_CONST; /* an address in c0[] as it is, or a global one: windows 0 and others */
	struct source guard = l->guard;
	unsigned done = 0;

	if (a.spaces & (a.spaces - 1)) {
		a.base = OP(l->f, ADD, a.base, number(a.offset));
		a.offset = 0;
	}
	for (enum ptx_space s = SPACE_CONST; a.spaces && s >= SPACE_GLOBAL; s--) {
		uint32_t window = raw ? 0 : window_of(s);
		bool some = true;
		if (!(a.spaces & SPACE_BIT(s)))
			continue;
		a.space = s;
		if (a.spaces & (SPACE_BIT(s) - 1)) {
			some = guard_space(l, guard, in_window(l, a.base, window));
			l->fills = !done && !guard.kind;
		} else if (done) {
			some = guard_space(l, guard, beyond(l, a.base, done));
		}
		done |= 1u << (window >> WINDOW_BITS);
		a.offset -= window;
		if (some)
			each(l, w, &a);
		a.offset += window;
		l->fills = false;
		l->guard = guard;
	}
	if (!done)
		each(l, w, &a);
}

static struct value *result_of(struct lowering *l, struct ir_insn *i, enum value_class class)
{
	i->dst = ir_value(l->f, class);
	i->dst->def = i;
	return i->dst;
}

/* An access of up to 16 bytes, behind the operations of the address. */
static struct ir_insn *access(struct lowering *l, const struct words *w, enum ir_op op, const struct address *a,
			      uint32_t more, enum ptx_type t)
{
	struct ir_insn *i = ir_insn_new(l->f, op);

	place_address(l, i, a, more);
	i->type = t;
	i->guard = l->guard;
	i->nsrc = 1;
	i->is_volatile = w->mods & MOD_VOLATILE;
	return i;
}

/* A part of a word of a call's .param, as an address has: read, or written beside the rest of the word. */
static struct source param_part(struct lowering *l, struct ptx_var *v, uint32_t at, enum ptx_type t)
{
	struct source word = OP(l->f, SHR, param_read(l, v, at / 4), number(at % 4 * 8));

	return ptx_bytes(t) < 4 ? extended(l, t, word) : word;
}

static void put_param_part(struct lowering *l, struct ptx_var *v, uint32_t at, enum ptx_type t, struct source s)
{
	struct ir *f = l->f;
	uint32_t mask = ptx_bytes(t) == 1 ? 0xff : 0xffff, shift = at % 4 * 8;

	if (ptx_bytes(t) < 4) {
		struct source rest = OP(f, AND, param_read(l, v, at / 4), number(~(mask << shift)));
		s = OP(f, OR, OP(f, SHL, OP(f, AND, s, number(mask)), number(shift)), rest);
	}
	param_write(l, v, at / 4, s);
}

/* ld.param and st.param of calls: variables for words. */
static void call_param(struct lowering *l, const struct words *w, const struct address *a, bool store)
{
	enum ptx_type t = w->type[0];
	unsigned n = w->vector ? w->vector : 1, bytes = ptx_bytes(t);
	const struct ptx_operand *o = &w->n->operand[store];
	struct ptx_var *v = (struct ptx_var *)(uintptr_t)a->var;

	if (w->vector)
		o = o->item;
	for (unsigned e = 0; e < n; e++) {
		uint32_t at = a->offset + e * bytes;
		/* LLVM 19 declares a char2 with two bytes, and passes a word of two halves: words are whole here. */
		uint32_t size = bytes == 4 ? (v->size + 3) / 4 * 4 : v->size;
		if (at % (bytes < 4 ? bytes : 4) || at > size || bytes > size - at)
			lower_fail(l, w->n, "found bytes %u to %u of `%.60s`, expected a place within %u bytes, at a "
				   "multiple of the size", at, at + bytes - 1, v->name, v->size);
		if (store) {
			struct wide d = get_wide_of(l, w->n, &o[e], t);
			put_param_part(l, v, at, t, d.lo);
			if (bytes == 8)
				param_write(l, v, at / 4 + 1, d.hi);
		} else if (bytes == 8) {
			put_wide_of(l, w->n, &o[e],
				    (struct wide){ param_read(l, v, at / 4), param_read(l, v, at / 4 + 1) });
		} else {
			put_of(l, w->n, &o[e], t, param_part(l, v, at, t));
		}
	}
}

static void load_param(struct lowering *l, const struct words *w, const struct address *a)
{
	enum ptx_type t = w->type[0];
	unsigned n = w->vector ? w->vector : 1;
	const struct ptx_operand *to = w->vector ? w->n->operand[0].item : &w->n->operand[0];
	struct source word[2];

	uint32_t bytes_of = ptx_bytes(t) < 4 ? ptx_bytes(t) : 4, begin = a->offset - PARAM_BASE;
	if (begin % bytes_of)
		lower_fail(l, w->n, "found byte %u of the parameters, expected a multiple of %u", begin, bytes_of);
	if (a->offset < PARAM_BASE || begin + n * ptx_bytes(t) > l->f->layout.param_bytes)
		lower_fail(l, w->n, "found byte %d of the parameters, which have %u", (int)begin,
			   l->f->layout.param_bytes);
	for (unsigned e = 0; e < n; e++) {
		for (unsigned k = 0; k < (ptx_bytes(t) == 8 ? 2 : 1); k++) {
			struct ir_insn *i = ir_insn(l->f, IR_LDPARAM);
			unsigned bytes = ptx_bytes(t);
			i->offset = a->offset + e * bytes + 4 * k;
			i->type = bytes == 1 ? PTX_U8 : bytes == 2 ? (ptx_signed(t) ? PTX_S16 : PTX_U16) : PTX_U32;
			result_of(l, i, CLASS_WORD)->zeros = bytes == 1                     ? 0xffffff00
							     : bytes == 2 && !ptx_signed(t) ? 0xffff0000
											    : 0;
			word[k] = of(i->dst);
		}
		if (ptx_bytes(t) == 8)
			put_wide_of(l, w->n, &to[e], (struct wide){ word[0], word[1] });
		else
			put_of(l, w->n, &to[e], t, t == PTX_S8 ? extended(l, t, word[0]) : word[0]);
	}
}

static enum ptx_type load_type(enum ptx_type t, enum ptx_space space)
{
	unsigned bytes = ptx_bytes(t);

	if (bytes == 1)
		return ptx_signed(t) && space != SPACE_SHARED && space != SPACE_CONST ? PTX_S8 : PTX_U8;
	return bytes == 2 ? (ptx_signed(t) ? PTX_S16 : PTX_U16) : bytes == 4 ? PTX_B32 : PTX_B64;
}

/* One element, already a word or two words, to its register. */
static void put_element(struct lowering *l, const struct words *w, const struct ptx_operand *to, enum ptx_type t,
			struct source lo, struct source hi)
{
	if (ptx_bytes(t) == 8)
		put_wide_of(l, w->n, to, (struct wide){ lo, hi });
	else
		put_of(l, w->n, to, t, lo);
}

static void load(struct lowering *l, const struct words *w, const struct address *a)
{
	enum ptx_type t = w->type[0];
	unsigned n = w->vector ? w->vector : 1, bytes = ptx_bytes(t), total = n * bytes;
	const struct ptx_operand *to = w->vector ? w->n->operand[0].item : &w->n->operand[0];
	bool whole = a->space == SPACE_GLOBAL || a->space == SPACE_LOCAL || !a->space; /* accesses of up to 16 bytes */

	if (whole && bytes >= 4 && (total == 8 || total == 16)) {
		struct ir_insn *i = access(l, w, IR_LD, a, 0, total == 16 ? PTX_NONE : PTX_B64);
		struct value *v = result_of(l, i, total == 16 ? CLASS_QUAD : CLASS_PAIR);
		ir_append(l->f, l->f->current, i);
		for (unsigned e = 0; e < n; e++)
			put_element(l, w, &to[e], t, word_of(v, e * bytes / 4), word_of(v, bytes == 8 ? 2 * e + 1 : 0));
		return;
	}
	for (unsigned e = 0; e < n; e++) {
		struct source word[2] = { number(0), number(0) };
		for (unsigned k = 0; k < (bytes == 8 ? 2 : 1); k++) {
			struct ir_insn *i = access(l, w, IR_LD, a, e * bytes + 4 * k,
						   load_type(bytes == 8 ? PTX_B32 : t, a->space));
			struct value *v = result_of(l, i, CLASS_WORD);
			v->zeros = i->type == PTX_U8 ? 0xffffff00 : i->type == PTX_U16 ? 0xffff0000 : 0;
			ir_append(l->f, l->f->current, i);
			word[k] = of(v);
		}
		if (t == PTX_S8)
			word[0] = extended(l, PTX_S8, word[0]);
		put_element(l, w, &to[e], t, word[0], word[1]);
	}
}

static void lower_ld(struct lowering *l, const struct words *w)
{
	struct address a = get_address(l, w, 1);
	enum ptx_type t = w->type[0];
	unsigned n = w->vector ? w->vector : 1;

	if (t == PTX_PRED || t == PTX_NONE)
		lower_fail(l, w->n, "ld: expected a type");
	if (w->vector && (w->n->operand[0].kind != OPERAND_VECTOR || w->n->operand[0].nitems != n))
		lower_fail(l, w->n, "ld: expected a vector of %u registers", n);
	if (a.space == SPACE_PARAM && a.var && !a.var->kernel_param)
		call_param(l, w, &a, false);
	else if (a.space == SPACE_PARAM)
		load_param(l, w, &a);
	else
		in_each_space(l, w, a, load);
}

static struct source packed(struct lowering *l, const struct source *s, unsigned n)
{
	struct ir_insn *i = ir_insn(l->f, IR_PACK);

	if (n == 2) {
		ir_remove(i);
		return pack(l, (struct wide){ s[0], s[1] });
	}
	i->nsrc = n;
	i->args = ptx_new(l->m, n * sizeof *i->args);
	memcpy(i->args, s, n * sizeof *s);
	return of(result_of(l, i, CLASS_QUAD));
}

static void store(struct lowering *l, const struct words *w, const struct address *a)
{
	enum ptx_type t = w->type[0];
	unsigned n = w->vector ? w->vector : 1, bytes = ptx_bytes(t), total = n * bytes, words = 0;
	const struct ptx_operand *from = w->vector ? w->n->operand[1].item : &w->n->operand[1];
	bool whole = a->space == SPACE_GLOBAL || a->space == SPACE_LOCAL || !a->space;
	struct source data[8];

	for (unsigned e = 0; e < n; e++) {
		struct wide d = get_wide_of(l, w->n, &from[e], t);
		data[words++] = d.lo;
		if (bytes == 8)
			data[words++] = d.hi;
	}
	bool once = whole && bytes >= 4 && (total == 8 || total == 16);
	struct source all = once ? packed(l, data, words) : (struct source){ 0 };
	for (unsigned k = 0; k < (once ? 1 : words); k++) {
		struct ir_insn *i = access(l, w, IR_ST, a, k * (bytes == 8 ? 4 : bytes),
					   once        ? (total == 16 ? PTX_NONE : PTX_B64)
					   : bytes < 4 ? load_type(t, SPACE_SHARED)
						       : PTX_B32);
		i->nsrc = 2;
		i->src[1] = once ? all : data[k];
		ir_append(l->f, l->f->current, i);
	}
}

static void lower_st(struct lowering *l, const struct words *w)
{
	struct address a = get_address(l, w, 0);
	enum ptx_type t = w->type[0];
	unsigned n = w->vector ? w->vector : 1;

	if (t == PTX_PRED || t == PTX_NONE)
		lower_fail(l, w->n, "st: expected a type");
	if (w->vector && (w->n->operand[1].kind != OPERAND_VECTOR || w->n->operand[1].nitems != n))
		lower_fail(l, w->n, "st: expected a vector of %u registers", n);
	if (a.space == SPACE_PARAM && a.var && !a.var->kernel_param) {
		call_param(l, w, &a, true);
		return;
	}
	bool constants = a.space == SPACE_CONST || a.spaces == SPACE_BIT(SPACE_CONST);
	if (w->space == SPACE_PARAM || constants)
		lower_fail(l, w->n, "st: %s cannot be written",
			   constants ? "constants" : "a parameter of a kernel");
	a.spaces &= ~SPACE_BIT(SPACE_CONST);
	in_each_space(l, w, a, store);
}

void global_load(struct lowering *l, const struct words *w, struct source address)
{
	load(l, w, &(struct address){ SPACE_GLOBAL, address, 0, NULL, 0, 0 });
}

void global_store(struct lowering *l, const struct words *w, struct source address)
{
	store(l, w, &(struct address){ SPACE_GLOBAL, address, 0, NULL, 0, 0 });
}

struct source global_word(struct lowering *l, struct source address, uint32_t offset)
{
	struct ir_insn *i = ir_insn_new(l->f, IR_LD);

	place_address(l, i, &(struct address){ SPACE_GLOBAL, address, offset, NULL, 0, 0 }, 0);
	i->type = PTX_B32;
	i->nsrc = 1;
	i->guard = l->guard;
	ir_append(l->f, l->f->current, i);
	return of(result_of(l, i, CLASS_WORD));
}

/* ---- atomics ---- */

/* The machine's word for an atomic of g[]. NULL: the machine has none. */
static const char *atomic_word(struct lowering *l, const struct words *w, const char *op)
{
	static const struct {
		const char *op;
		enum ptx_type t;
		const char *word;
		unsigned sm;
	} rows[] = {
		{ "add", PTX_U32, "add u32", 11 },   { "add", PTX_S32, "add u32", 11 },
		{ "add", PTX_B32, "add u32", 11 },   { "inc", PTX_U32, "inc u32", 11 },
		{ "dec", PTX_U32, "dec u32", 11 },   { "min", PTX_U32, "min u32", 11 },
		{ "min", PTX_S32, "min s32", 11 },   { "max", PTX_U32, "max u32", 11 },
		{ "max", PTX_S32, "max s32", 11 },   { "and", PTX_B32, "and b32", 11 },
		{ "or", PTX_B32, "or b32", 11 },     { "xor", PTX_B32, "xor b32", 11 },
		{ "exch", PTX_B32, "exch b32", 11 }, { "cas", PTX_B32, "cas b32", 11 },
		{ "add", PTX_U64, "add u64", 12 },   { "exch", PTX_B64, "exch b64", 12 },
		{ "cas", PTX_B64, "cas b64", 12 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(op, rows[i].op) && w->type[0] == rows[i].t) {
			lower_needs(l, w->n, rows[i].sm, NULL);
			return rows[i].word;
		}
	return NULL;
}

/* What an atomic makes of the word, the two words, or the half of a word that stand in memory. */
struct update {
	const struct words *w;
	const char *op;
	struct wide b, c;        /* operands behind the address */
	bool of_half;
	struct source shift;     /* of a half in its word */
};

/* A word of integers. */
static struct source new_word(struct ir *f, const char *op, enum ptx_type t, struct source old, struct source b,
			      struct source c)
{
	if (!strcmp(op, "add"))
		return OP(f, ADD, old, b);
	if (!strcmp(op, "min") || !strcmp(op, "max"))
		return ir_typed(f, op[1] == 'i' ? IR_MIN : IR_MAX, t, 2, (struct source[]){ old, b });
	if (!strcmp(op, "and") || !strcmp(op, "or") || !strcmp(op, "xor"))
		return ir_op(f, *op == 'a' ? IR_AND : *op == 'o' ? IR_OR : IR_XOR, 2, (struct source[]){ old, b });
	if (!strcmp(op, "exch"))
		return b;
	if (!strcmp(op, "cas"))
		return ir_select(f, ir_set(f, IR_SET, COND_E, PTX_U32, old, b), c, old);
	if (!strcmp(op, "inc"))
		return ir_select(f, ir_set(f, IR_SET, COND_GE, PTX_U32, old, b), number(0), OP(f, ADD, old, number(1)));
	/* dec: old - 1, or b where old - 1 is above b (0 - 1 is) */
	struct source less = OP(f, SUB, old, number(1));
	return ir_select(f, ir_set(f, IR_SET, COND_G, PTX_U32, less, b), b, less);
}

static struct source differs(struct ir *f, struct wide a, struct wide b)
{
	struct source bits = OP(f, OR, OP(f, XOR, a.lo, b.lo), OP(f, XOR, a.hi, b.hi));

	return ir_set(f, IR_SET, COND_LG, PTX_U32, bits, number(0));
}

static struct wide select64(struct ir *f, struct source test, struct wide a, struct wide b)
{
	return (struct wide){ ir_select(f, test, a.lo, b.lo), ir_select(f, test, a.hi, b.hi) };
}

static struct wide new_pair(struct lowering *l, const struct update *u, struct wide old)
{
	struct ir *f = l->f;
	enum ptx_type t = u->w->type[0];

	if (t == PTX_F64) {
		struct source sum = TYPED(f, DADD, PTX_F64, pack(l, old), pack(l, u->b));
		sum.value->def->round = ROUND_RN;
		return (struct wide){ word_of(sum.value, 0), word_of(sum.value, 1) };
	}
	if (!strcmp(u->op, "add"))
		return add64(f, old, u->b);
	if (!strcmp(u->op, "exch"))
		return u->b;
	if (!strcmp(u->op, "cas"))
		return select64(f, differs(f, old, u->b), old, u->c);
	if (!strcmp(u->op, "min") || !strcmp(u->op, "max"))
		return select64(f, less64(f, u->op[1] == 'i' ? COND_L : COND_G, t, old, u->b), old, u->b);
	return (struct wide){ new_word(f, u->op, PTX_B32, old.lo, u->b.lo, number(0)),
			      new_word(f, u->op, PTX_B32, old.hi, u->b.hi, number(0)) };
}

/* The word whose half at `shift` bits the atomic changes. */
static struct source new_half(struct lowering *l, const struct update *u, struct source old)
{
	struct ir *f = l->f;
	enum ptx_type t = u->w->type[0];
	struct source half = OP(f, AND, OP(f, SHR, old, u->shift), number(0xffff));
	struct source rest = OP(f, AND, old, OP(f, NOTB, OP(f, SHL, number(0xffff), u->shift)));

	half = ptx_float(t) ? half_sum(l, u->w, half, u->b.lo) : new_word(f, u->op, t, half, u->b.lo, u->c.lo);
	return OP(f, OR, rest, OP(f, SHL, OP(f, AND, half, number(0xffff)), u->shift));
}

/* The words behind the atomic. */
static struct wide updated(struct lowering *l, const struct update *u, struct wide old)
{
	struct ir *f = l->f;
	enum ptx_type t = u->w->type[0];
	struct wide new = { number(0), number(0) };

	if (ptx_bytes(t) == 8)
		return new_pair(l, u, old);
	if (u->of_half) {
		new.lo = new_half(l, u, old.lo);
	} else if (t == PTX_F32) {
		new.lo = TYPED(f, FADD, PTX_F32, old.lo, u->b.lo);
		new.lo.value->def->round = ROUND_RN;
	} else if (ptx_float(t)) {
		new.lo = half_sum(l, u->w, old.lo, u->b.lo);
	} else {
		new.lo = new_word(f, u->op, t, old.lo, u->b.lo, u->c.lo);
	}
	return new;
}

/* The result register has what stood in memory. */
static void put_old(struct lowering *l, const struct update *u, const struct ptx_operand *to, struct wide old)
{
	const struct words *w = u->w;

	if (!to)
		return;
	if (ptx_bytes(w->type[0]) == 8)
		put_wide_of(l, w->n, to, old);
	else if (u->of_half)
		put_of(l, w->n, to, PTX_B16, OP(l->f, SHR, old.lo, u->shift));
	else
		put_of(l, w->n, to, w->pair ? PTX_B32 : w->type[0], old.lo);
}

static struct wide data_of(struct lowering *l, const struct words *w, unsigned k, enum ptx_type t)
{
	return ptx_bytes(t) == 8 ? get_wide(l, w, k, t) : (struct wide){ get(l, w, k, t), number(0) };
}

/* The operands, and of a half the address of its word. */
static struct update update_of(struct lowering *l, const struct words *w, const char *op, struct address *a,
			       unsigned data)
{
	struct ir *f = l->f;
	enum ptx_type t = w->pair ? PTX_B32 : w->type[0];
	struct update u = { w, op, data_of(l, w, data, t), { number(0), number(0) }, ptx_bytes(t) == 2, number(0) };

	if (!strcmp(op, "cas"))
		u.c = data_of(l, w, data + 1, t);
	if (!u.of_half)
		return u;
	u.b.lo = OP(f, AND, u.b.lo, number(0xffff));
	struct source place = OP(f, ADD, a->base, number(a->offset));
	u.shift = OP(f, SHL, OP(f, AND, place, number(2)), number(3));
	a->base = OP(f, AND, place, number(~3u));
	a->offset = 0;
	return u;
}

/* A loop of tries for an atomic: from `again` until a try succeeds, then `done`. */
struct tries {
	struct ir_block *again, *done;
	struct ir_block *after;          /* where lanes without the guard go; NULL: no guard */
	struct source guard;             /* of the atomic: a branch around the loop */
};

static struct tries tries_blocks(struct lowering *l)
{
	struct ir *f = l->f;
	struct ir_block *again = ir_block(f), *done = ir_block(f);

	return (struct tries){ again, done, l->guard.kind ? ir_block(f) : NULL, l->guard };
}

static void tries_guard(struct lowering *l, const struct tries *t)
{
	struct ir *f = l->f;

	if (!t->after)
		return;
	struct ir_block *in = ir_block(f);
	ir_end_block(f, t->guard, in, t->after);
	in->sealed = true;
	ir_begin_block(f, in);
	l->guard = (struct source){ 0 };
}

static void tries_begin(struct lowering *l, const struct tries *t)
{
	ir_jump(l->f, t->again);
	ir_begin_block(l->f, t->again);
}

/* Lanes with `failed` try again; the old words, in register `to` (NULL: in no register), are the others' result. */
static void tries_end(struct lowering *l, const struct update *u, const struct tries *t, struct source failed,
		      const struct ptx_operand *to, struct wide old)
{
	struct ir *f = l->f;

	ir_end_block(f, failed, t->again, t->done);
	ir_seal(f, t->again);
	t->done->sealed = true;
	ir_begin_block(f, t->done);
	put_old(l, u, to, old);
	if (t->after) {
		ir_jump(f, t->after);
		ir_begin_block(f, t->after);
		ir_seal(f, t->after);
	}
	l->guard = t->guard;
}

static bool made_in(const struct source *s, const struct ir_block *b)
{
	const struct ir_insn *i = s->kind == SOURCE_VALUE ? s->value->def : NULL;

	return i && i->op != IR_MOV && i->block == b;
}

/* A word of s[] under the lock of lanes with `won`. */
static struct ir_insn *locked_access(struct lowering *l, const struct words *w, enum ir_op op, const struct address *a,
				     uint32_t more, struct source won)
{
	struct ir_insn *i = access(l, w, op, a, more, PTX_B32);

	i->guard = won;
	return i;
}

/* In s[]: the lane with the lock computes, writes and unlocks under a guard, and the others try again. A lane that
 * leaves the loop has no lock, so the order of the lanes does not matter. The lock of the lower of two words is that of
 * both. */
static void shared_atomic(struct lowering *l, const struct words *w, const char *op, const struct address *where,
			  const struct ptx_operand *to, unsigned data)
{
	struct ir *f = l->f;
	struct tries t = tries_blocks(l);
	struct address a = *where;
	struct update u = update_of(l, w, op, &a, data);
	bool two = ptx_bytes(w->type[0]) == 8;

	lower_needs(l, w->n, 12, NULL);
	tries_guard(l, &t);
	tries_begin(l, &t);
	struct ir_insn *i = access(l, w, IR_LDLOCK, &a, 0, PTX_B32);
	struct wide old = { of(result_of(l, i, CLASS_WORD)), number(0) };
	i->flags = ir_value(f, CLASS_PRED);
	i->flags->def = i;
	i->flags->test = TEST_L;
	ir_append(f, f->current, i);
	struct source won = of(i->flags), lost = won;
	lost.not = true;
	if (two) {
		i = access(l, w, IR_LD, &a, 4, PTX_B32);
		old.hi = of(result_of(l, i, CLASS_WORD));
		ir_append(f, f->current, i);
	}
	struct wide new = updated(l, &u, old);
	if (made_in(&new.lo, t.again))
		new.lo = ir_select(f, won, new.lo, old.lo);
	if (two) {
		i = locked_access(l, w, IR_ST, &a, 4, won);
		i->nsrc = 2;
		i->src[1] = new.hi;
		ir_append(f, f->current, i);
	}
	i = locked_access(l, w, IR_STUNLOCK, &a, 0, won);
	i->nsrc = 2;
	i->src[1] = new.lo;
	ir_append(f, f->current, i);
	tries_end(l, &u, &t, lost, to, old);
}

/* An atomic of g[] with the machine's own operation; of two words in a pair. */
static struct wide own_atomic(struct lowering *l, const struct words *w, const char *word, const struct address *a,
			      const struct source *data, unsigned n, bool two)
{
	struct ir_insn *i = access(l, w, IR_ATOM, a, 0, two ? PTX_B64 : PTX_B32);

	i->word = word;
	i->nsrc = 1 + n;
	memcpy(&i->src[1], data, n * sizeof *data);
	struct value *v = result_of(l, i, two ? CLASS_PAIR : CLASS_WORD);
	ir_append(l->f, l->f->current, i);
	return (struct wide){ word_of(v, 0), two ? word_of(v, 1) : number(0) };
}

/* In g[], where the machine lacks the operation: compare and swap until no other thread came between. */
static void compared_atomic(struct lowering *l, const struct words *w, const char *op, const struct address *where,
			    const struct ptx_operand *to, unsigned data)
{
	struct ir *f = l->f;
	bool two = ptx_bytes(w->type[0]) == 8;
	uint32_t var = 4 * (uint32_t)f->nvars++;
	struct address a = *where;

	lower_needs(l, w->n, two ? 12 : 11, NULL);
	struct tries t = tries_blocks(l);
	struct update u = update_of(l, w, op, &a, data);
	tries_guard(l, &t);
	struct ir_insn *i = access(l, w, IR_LD, &a, 0, two ? PTX_B64 : PTX_B32);
	struct value *v = result_of(l, i, two ? CLASS_PAIR : CLASS_WORD);
	ir_append(f, f->current, i);
	ir_write(f, f->current, var, word_of(v, 0));
	ir_write(f, f->current, var + 2, two ? word_of(v, 1) : number(0));
	tries_begin(l, &t);
	struct wide old = { ir_read(f, t.again, var), two ? ir_read(f, t.again, var + 2) : number(0) };
	struct wide new = updated(l, &u, old);
	struct source swap[2] = { two ? pack(l, old) : old.lo, two ? pack(l, new) : new.lo };
	struct wide found = own_atomic(l, w, two ? "cas b64" : "cas b32", &a, swap, 2, two);
	ir_write(f, t.again, var, found.lo);
	ir_write(f, t.again, var + 2, found.hi);
	tries_end(l, &u, &t, two ? differs(f, found, old) : ir_set(f, IR_SET, COND_LG, PTX_U32, found.lo, old.lo), to,
		  found);
}

static void global_atomic(struct lowering *l, const struct words *w, const char *op, const struct address *a,
			  const struct ptx_operand *to, unsigned data)
{
	const char *word = atomic_word(l, w, op);
	struct source operand[2];

	if (!word) {
		compared_atomic(l, w, op, a, to, data);
		return;
	}
	bool two = ptx_bytes(w->type[0]) == 8, cas = !strcmp(op, "cas"), ld = !cas && strcmp(op, "exch");
	for (unsigned k = 0; k < 1u + cas; k++)
		operand[k] = two ? get_double(l, w, data + k) : get(l, w, data + k, w->type[0]);
	char *text = ptx_new(l->m, 24);
	snprintf(text, 24, "%s%s", ld ? "ld " : "", word);
	struct update u = { .w = w };
	put_old(l, &u, to, own_atomic(l, w, text, a, operand, 1 + cas, two));
}

void global_reduce(struct lowering *l, const struct words *w, const char *op, struct source address)
{
	global_atomic(l, w, op, &(struct address){ SPACE_GLOBAL, address, 0, NULL, 0, 0 }, NULL, 1);
}

static void atomic(struct lowering *l, const struct words *w, const struct address *a)
{
	bool returns = *w->op == 'a';
	const struct ptx_operand *to = returns ? &w->n->operand[0] : NULL;

	(a->space == SPACE_SHARED ? shared_atomic : global_atomic)(l, w, w->nother ? w->other[0] : "", a, to,
								   returns + 1);
}

static void lower_atom(struct lowering *l, const struct words *w)
{
	bool returns = *w->op == 'a';
	const char *op = w->nother ? w->other[0] : "";
	struct address a = get_address(l, w, returns);
	unsigned operands = returns + 2 + !strcmp(op, "cas");

	if (w->n->noperands < operands)
		lower_fail(l, w->n, "%s: expected %u operands", w->op, operands);
	unsigned known = a.spaces & (SPACE_BIT(SPACE_GLOBAL) | SPACE_BIT(SPACE_SHARED));
	if ((a.spaces && !known) || (a.space && a.space != SPACE_GLOBAL && a.space != SPACE_SHARED))
		lower_fail(l, w->n, "%s: expected .global or .shared", w->op);
	a.spaces = known;
	in_each_space(l, w, a, atomic);
}

/* ---- barriers, votes, and the rest ---- */

static bool has_other(const struct words *w, const char *word)
{
	for (unsigned i = 0; i < w->nother; i++)
		if (!strcmp(w->other[i], word))
			return true;
	return false;
}

/* A barrier whose number and count are operands `k` and k + 1, where they are numbers. */
static void barrier(struct lowering *l, const struct words *w, unsigned k, unsigned most, bool waits)
{
	const struct ptx_operand *o = most ? &w->n->operand[k] : NULL;

	for (unsigned i = 0; i < most; i++)
		if (o[i].kind != OPERAND_INT || i > 1)
			lower_fail(l, w->n, "bar: expected the number of a barrier, and of threads");
	uint32_t number_of = most ? (uint32_t)o[0].bits : 0, threads = most > 1 ? (uint32_t)o[1].bits : 0;
	if (number_of > 15 || threads % 32 || threads > 512)
		lower_fail(l, w->n, "bar: expected a barrier from 0 to 15, and a multiple of 32 threads up to 512");
	struct ir_insn *i = ir_insn(l->f, IR_BAR);
	i->number = (uint8_t)number_of;
	i->offset = threads / 32;
	i->bar_waits = waits;
}

/* bar.red: all threads write 0 to a word of s[] kept for the purpose (compile.c: layout), threads with the predicate
 * write 1 or count, all read; a barrier stands between these steps, and before them for readers of the last time. */
static void reduce_bar(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	bool count = has_other(w, "popc"), all = has_other(w, "and");
	unsigned last = w->n->noperands - 1;
	struct address a = { SPACE_SHARED, number(0), f->layout.reduction, NULL, 0, 0 };
	struct ptx_operand one[2] = { { 0 }, { .kind = OPERAND_INT, .bits = 1 } };
	struct ptx_insn add = *w->n;
	struct words red = { .n = &add, .op = "red", .type = { PTX_U32 }, .ntypes = 1 };

	if (last < 2 || last > 3)
		lower_fail(l, w->n, "bar.red: expected a result, a barrier, perhaps a count, and a predicate");
	struct source p = get_pred(l, w, last);
	add.operand = one;
	p.not ^= all;
	barrier(l, w, 1, last - 1, true);
	for (unsigned step = 0; step < 2; step++) {
		if (step && !guard_space(l, (struct source){ 0 }, p))
			continue;
		if (step && count) {
			shared_atomic(l, &red, "add", &a, NULL, 1);
		} else {
			struct ir_insn *i = access(l, &red, IR_ST, &a, 0, PTX_B32);
			i->nsrc = 2;
			i->src[1] = number(step);
			ir_append(f, f->current, i);
		}
		l->guard = (struct source){ 0 };
		barrier(l, w, 1, last - 1, true);
	}
	struct ir_insn *i = access(l, &red, IR_LD, &a, 0, PTX_B32);
	struct source word = of(result_of(l, i, CLASS_WORD));
	ir_append(f, f->current, i);
	if (count)
		put(l, w, 0, PTX_U32, word);
	else
		put_pred(l, &w->n->operand[0], ir_set(f, IR_SET, all ? COND_E : COND_LG, PTX_U32, word, number(0)));
}

static void lower_bar(struct lowering *l, const struct words *w)
{
	if (has_other(w, "warp")) /* lanes of a warp are in step where they are together */
		meet_lanes(l, w);
	else if (has_other(w, "red"))
		reduce_bar(l, w);
	else
		barrier(l, w, 0, w->n->noperands, !has_other(w, "arrive"));
}

static void lower_nothing(struct lowering *l, const struct words *w)
{
	(void)l;
	(void)w;
}

/* Policies of caches mean nothing: any word will do. */
static void lower_policy(struct lowering *l, const struct words *w)
{
	put_wide(l, w, 0, (struct wide){ number(0), number(0) });
}

static void lower_trap(struct lowering *l, const struct words *w)
{
	if (*w->op == 'b')
		lower_needs(l, w->n, 11, NULL);
	ir_insn(l->f, *w->op == 't' ? IR_TRAP : IR_BRKPT);
}

static void lower_pmevent(struct lowering *l, const struct words *w)
{
	if (w->n->operand[0].kind != OPERAND_INT || w->n->operand[0].bits > 15)
		lower_fail(l, w->n, "pmevent: expected a number from 0 to 15");
	ir_insn(l->f, IR_PMEVENT)->number = (uint8_t)w->n->operand[0].bits;
}

/* A pointer to constants is the offset in c0[], or the global address of a buffer that the host bound, which is the
 * generic address as well. find_spaces tells, where a kernel asks at all. */
static struct source moved_constants(struct lowering *l, struct source s, uint32_t from, uint32_t to)
{
	struct address a = { SPACE_CONST, s, 0, NULL, 0, 0 };
	struct ir *f = l->f;

	if (!f->lowering.asks_spaces)
		return OP(f, ADD, s, number(to - from));
	ask_spaces(l, &a);
	if (!f->lowering.spaces) {
		struct ir_insn *i = ir_insn(f, IR_MOV);
		i->statement = a.statement;
		i->space = SPACE_CONST;
		i->type = PTX_U32;
		i->nsrc = 1;
		i->src[0] = s;
		return of(result_of(l, i, CLASS_WORD));
	}
	if (a.spaces == SPACE_BIT(SPACE_GLOBAL))
		return s;
	struct source moved = OP(f, ADD, s, number(to - from));
	return a.spaces & SPACE_BIT(SPACE_GLOBAL) ? ir_select(f, in_window(l, s, from), moved, s) : moved;
}

/* Between the address in a space and the generic one. */
static void lower_cvta(struct lowering *l, const struct words *w)
{
	struct wide d = get_wide(l, w, 1, w->type[0]);
	enum ptx_space space = w->space == SPACE_PARAM ? SPACE_SHARED : w->space; /* parameters are in s[] */
	uint32_t window = window_of(space), from = w->mods & MOD_TO ? window : 0, to = window - from;

	if (!space)
		lower_fail(l, w->n, "cvta: expected .global, .shared, .local, .const or .param");
	if (space == SPACE_CONST)
		d.lo = moved_constants(l, d.lo, from, to);
	else if (l->f->lowering.marks_spaces && !(w->mods & MOD_TO))
		d.lo = in_space(l, space, d.lo);
	else if (!l->f->lowering.marks_spaces)
		d.lo = OP(l->f, ADD, d.lo, number(to - from));
	put_wide(l, w, 0, d);
}

/* Known when the program is made, or by the window of the address. */
static void lower_isspacep(struct lowering *l, const struct words *w)
{
	struct address a = { SPACE_NONE, get(l, w, 1, PTX_U32), 0, NULL, 0, 0 };
	struct source is = number(0);

	ask_spaces(l, &a);
	unsigned asked = w->space >= SPACE_GLOBAL && w->space <= SPACE_CONST ? SPACE_BIT(w->space) : 0;
	if (!l->f->lowering.spaces) { /* the address is looked at alone */
		struct ir_insn *i = ir_insn(l->f, IR_MOV);
		i->statement = a.statement;
		i->type = PTX_U32;
		i->nsrc = 1;
		i->src[0] = a.base;
		result_of(l, i, CLASS_WORD);
	} else if (!(a.spaces & ~asked) || !(a.spaces & asked)) {
		is = number((a.spaces & asked) != 0);
	} else if (w->space != SPACE_GLOBAL) {
		is = in_window(l, a.base, window_of(w->space));
	} else { /* beyond all windows: the null pointer is global, too */
		struct source beyond = OP(l->f, ADD, a.base, number(-(uint32_t)WINDOW_BYTES));
		is = ir_set(l->f, IR_SET, COND_GE, PTX_U32, beyond, number(COMPILE_WINDOWS_END - WINDOW_BYTES));
	}
	put_pred(l, &w->n->operand[0], is);
}

const struct lower_row lower_memory[] = { { "ld", lower_ld },
					  { "ldu", lower_ld },
					  { "st", lower_st },
					  { "atom", lower_atom },
					  { "red", lower_atom },
					  { "bar", lower_bar },
					  { "barrier", lower_bar },
					  { "membar", lower_nothing },
					  { "fence", lower_nothing },
					  { "nanosleep", lower_nothing },
					  { "griddepcontrol", lower_nothing },
					  { "applypriority", lower_nothing },
					  { "discard", lower_nothing },
					  { "prefetch", lower_nothing },
					  { "prefetchu", lower_nothing },
					  { "createpolicy", lower_policy },
					  { "trap", lower_trap },
					  { "brkpt", lower_trap },
					  { "pmevent", lower_pmevent },
					  { "cvta", lower_cvta },
					  { "isspacep", lower_isspacep },
					  { 0 } };
