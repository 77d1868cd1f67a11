/* Integer, logic and predicate instructions. */
#include "core/compile/lower.h"

#include <string.h>

static bool wide_type(enum ptx_type t) { return ptx_bytes(t) == 8; }
static bool narrow_type(enum ptx_type t) { return ptx_bytes(t) < 4; }

static enum ptx_type word_type(enum ptx_type t) { return ptx_signed(t) ? PTX_S32 : PTX_U32; }

static enum ptx_type half_type(enum ptx_type t) { return ptx_signed(t) ? PTX_S16 : PTX_U16; }

enum { CARRY = 1 };              /* the carry is a variable */

/* The carry of the instruction before. Where paths meet there is none: ISA keeps the carry in straight code alone. */
static struct source carry_in(struct lowering *l, const struct words *w)
{
	struct source c = ir_read(l->f, l->f->current, CARRY);

	ir_resolve(&c);
	if (c.kind != SOURCE_VALUE || c.value->test != TEST_C)
		lower_fail(l, w->n, "`%s` takes a carry; expected an instruction with .cc before, and no label between",
			   spelled(l, w->n));
	return c;
}

/* A word of a sum or difference, with a carry into it unless `c` is none. */
static struct source carried(struct ir *f, enum ir_op op, struct source a, struct source b, struct source c)
{
	if (!c.kind)
		return add_raw(f, op, a, b);
	return OP(f, ADDC, a, op == IR_SUB ? OP(f, NOTB, b) : b, c);
}

/* The result a + b or a - b of add.cc, addc, madc …, of 32 or 64 bits; the carry goes on by .cc. */
static void put_carried(struct lowering *l, const struct words *w, enum ir_op op, bool takes, struct wide a,
			struct wide b)
{
	struct ir *f = l->f;
	struct source c = takes ? carry_in(l, w) : (struct source){ 0 };
	struct wide d = { carried(f, op, a.lo, b.lo, c), number(0) };
	struct source last = d.lo;

	if (wide_type(w->type[0]))
		last = d.hi = carried(f, op, a.hi, b.hi, carry_of(f, d.lo));
	if (w->mods & MOD_CC && l->guard.kind)
		lower_fail(l, w->n, "`%s` under a guard: a carry belongs to all lanes", spelled(l, w->n));
	if (w->mods & MOD_CC)
		ir_write(f, f->current, CARRY, carry_of(f, last));
	if (wide_type(w->type[0]))
		put_wide(l, w, 0, d);
	else
		put(l, w, 0, w->type[0], d.lo);
}

/* add, min, max of both halves of words; the only other word is .relu. */
static void lower_pairs(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	enum ptx_type t = w->type[0];
	enum ir_op op = w->op[0] == 'a' ? IR_ADD : w->op[1] == 'i' ? IR_MIN : IR_MAX;
	struct source result[2], s[2];

	for (unsigned high = 0; high < 2; high++) {
		for (unsigned k = 0; k < 2; k++) {
			struct source word = get(l, w, k + 1, PTX_B32);
			word = high ? OP(f, SHR, word, number(16)) : word;
			s[k] = extended(l, t, word);
		}
		result[high] = ir_typed(f, op, word_type(t), 2, s);
		if (w->nother)
			result[high] = TYPED(f, MAX, PTX_S32, result[high], number(0));
	}
	put(l, w, 0, PTX_B32, OP(f, OR, extended(l, PTX_U16, result[0]), OP(f, SHL, result[1], number(16))));
}

static void lower_add(struct lowering *l, const struct words *w)
{
	bool subtract = w->op[0] == 's';
	enum ptx_type t = w->type[0];

	if (w->pair) {
		lower_pairs(l, w);
		return;
	}
	if (w->mods & MOD_CC || !strcmp(w->op, "addc") || !strcmp(w->op, "subc")) {
		put_carried(l, w, subtract ? IR_SUB : IR_ADD, w->op[3] == 'c', get_wide(l, w, 1, t),
			    get_wide(l, w, 2, t));
	} else if (wide_type(t)) {
		struct wide a = get_wide(l, w, 1, t), b = get_wide(l, w, 2, t);
		put_wide(l, w, 0, subtract ? sub64(l->f, a, b) : add64(l->f, a, b));
	} else if (w->mods & MOD_SAT) {
		put(l, w, 0, t,
		    ir_typed(l->f, subtract ? IR_SUBS : IR_ADDS, t, 2,
			     (struct source[]){ get(l, w, 1, t), get(l, w, 2, t) }));
	} else {
		put(l, w, 0, t,
		    ir_typed(l->f, subtract ? IR_SUB : IR_ADD, t, 2,
			     (struct source[]){ get(l, w, 1, t), get(l, w, 2, t) }));
	}
}

static struct source low_product(struct lowering *l, enum ptx_type t, struct source a, struct source b)
{
	if (narrow_type(t))
		return TYPED(l->f, MUL16, half_type(t), half_of(a, 1), half_of(b, 1));
	return OP(l->f, IMUL, a, b);
}

/* A product of words or halves by .lo, .hi or .wide; `*d` where the result is 64 bits. */
static bool product(struct lowering *l, const struct words *w, struct source *s, struct wide *d)
{
	enum ptx_type t = w->type[0];

	if (wide_type(t)) {
		struct wide x = get_wide(l, w, 1, t), y = get_wide(l, w, 2, t);
		*d = w->mods & MOD_HI ? mul64_high(l->f, x, y, ptx_signed(t)) : mul64(l->f, x, y);
		return true;
	}
	struct source a = get(l, w, 1, t), b = get(l, w, 2, t);
	if (narrow_type(t)) {
		*s = TYPED(l->f, MUL16, half_type(t), half_of(a, 1), half_of(b, 1));
		if (w->mods & MOD_HI)
			*s = OP(l->f, SHR, *s, number(16));
		return false;
	}
	if (w->mods & MOD_WIDE) {
		*d = mul_wide(l->f, a, b, ptx_signed(t));
		return true;
	}
	*s = w->mods & MOD_HI ? mul_high(l->f, a, b, ptx_signed(t)) : low_product(l, t, a, b);
	return false;
}

static enum ptx_type product_type(const struct words *w)
{
	enum ptx_type t = w->type[0];

	return !(w->mods & MOD_WIDE) ? t : narrow_type(t) ? word_type(t) : ptx_signed(t) ? PTX_S64 : PTX_U64;
}

static void lower_mul(struct lowering *l, const struct words *w)
{
	struct source s;
	struct wide d;

	if (product(l, w, &s, &d))
		put_wide(l, w, 0, d);
	else
		put(l, w, 0, product_type(w), s);
}

static void lower_mad(struct lowering *l, const struct words *w)
{
	struct source s;
	struct wide d;
	enum ptx_type t = product_type(w);
	bool takes = !strcmp(w->op, "madc"), is_wide = product(l, w, &s, &d);

	if (takes || w->mods & MOD_CC)
		put_carried(l, w, IR_ADD, takes, is_wide ? d : (struct wide){ s, number(0) }, get_wide(l, w, 3, t));
	else if (is_wide)
		put_wide(l, w, 0, add64(l->f, d, get_wide(l, w, 3, t)));
	else if (w->mods & MOD_SAT)
		put(l, w, 0, t, ir_typed(l->f, IR_ADDS, t, 2, (struct source[]){ s, get(l, w, 3, t) }));
	else
		put(l, w, 0, t, OP(l->f, ADD, s, get(l, w, 3, t)));
}

static void lower_mul24(struct lowering *l, const struct words *w)
{
	enum ptx_type t = w->type[0];
	bool add = w->op[1] == 'a', high = w->mods & MOD_HI;
	struct source a = get(l, w, 1, t), b = get(l, w, 2, t);

	if (add && high) {
		enum ir_op op = w->mods & MOD_SAT ? IR_MAD24HS : IR_MAD24H;
		put(l, w, 0, t, ir_typed(l->f, op, t, 3, (struct source[]){ a, b, get(l, w, 3, t) }));
		return;
	}
	struct source s = ir_typed(l->f, high ? IR_MUL24H : IR_MUL24, t, 2, (struct source[]){ a, b });
	put(l, w, 0, t, add ? OP(l->f, ADD, s, get(l, w, 3, t)) : s);
}

static void lower_sad(struct lowering *l, const struct words *w)
{
	enum ptx_type t = w->type[0];

	if (wide_type(t))
		lower_never(l, w->n, NULL, "distances are those of 32 bits");
	put(l, w, 0, word_type(t),
	    ir_typed(l->f, IR_SAD, word_type(t), 3,
		     (struct source[]){ extended(l, t, get(l, w, 1, t)), extended(l, t, get(l, w, 2, t)),
					get(l, w, 3, word_type(t)) }));
}

static void lower_div(struct lowering *l, const struct words *w)
{
	enum ptx_type t = w->type[0];
	bool rest = w->op[0] == 'r';

	if (wide_type(t)) {
		struct wide a = get_wide(l, w, 1, t), b = get_wide(l, w, 2, t);
		put_wide(l, w, 0, divide64(l->f, a, b, ptx_signed(t), rest));
		return;
	}
	put(l, w, 0, t,
	    divide(l->f, extended(l, t, get(l, w, 1, t)), extended(l, t, get(l, w, 2, t)), ptx_signed(t), rest));
}

static void lower_minmax(struct lowering *l, const struct words *w)
{
	enum ptx_type t = w->type[0];
	bool min = w->op[1] == 'i';
	struct source s;

	if (w->pair) {
		lower_pairs(l, w);
		return;
	}
	if (wide_type(t)) {
		struct wide a = get_wide(l, w, 1, t), b = get_wide(l, w, 2, t);
		struct source p = less64(l->f, min ? COND_L : COND_G, t, a, b);
		put_wide(l, w, 0, (struct wide){ ir_select(l->f, p, a.lo, b.lo), ir_select(l->f, p, a.hi, b.hi) });
		return;
	}
	s = ir_typed(l->f, min ? IR_MIN : IR_MAX, word_type(t), 2,
		     (struct source[]){ extended(l, t, get(l, w, 1, t)), extended(l, t, get(l, w, 2, t)) });
	put(l, w, 0, t, w->nother ? TYPED(l->f, MAX, t, s, number(0)) : s); /* .relu */
}

static void lower_neg(struct lowering *l, const struct words *w)
{
	enum ptx_type t = w->type[0];

	if (wide_type(t))
		put_wide(l, w, 0, sub64(l->f, (struct wide){ number(0), number(0) }, get_wide(l, w, 1, t)));
	else
		put(l, w, 0, t, OP(l->f, SUB, number(0), get(l, w, 1, t)));
}

static void lower_abs(struct lowering *l, const struct words *w)
{
	enum ptx_type t = w->type[0];

	if (wide_type(t)) {
		struct wide a = get_wide(l, w, 1, t);
		struct source s = OP(l->f, SAR, a.hi, number(31));
		struct wide x = { OP(l->f, XOR, a.lo, s), OP(l->f, XOR, a.hi, s) };
		put_wide(l, w, 0, sub64(l->f, x, (struct wide){ s, s }));
		return;
	}
	struct source a = extended(l, t, get(l, w, 1, t)), s = OP(l->f, SAR, a, number(31));
	put(l, w, 0, t, OP(l->f, SUB, OP(l->f, XOR, a, s), s));
}

static enum ir_op logic_op(const char *op) { return *op == 'a' ? IR_AND : *op == 'o' ? IR_OR : IR_XOR; }

static void lower_logic(struct lowering *l, const struct words *w)
{
	enum ir_op op = logic_op(w->op);
	enum ptx_type t = w->type[0];

	if (t == PTX_PRED) {
		put_pred(l, &w->n->operand[0], pred_logic(l, op, get_pred(l, w, 1), get_pred(l, w, 2)));
	} else if (wide_type(t)) {
		struct wide a = get_wide(l, w, 1, t), b = get_wide(l, w, 2, t);
		put_wide(l, w, 0,
			 (struct wide){ ir_op(l->f, op, 2, (struct source[]){ a.lo, b.lo }),
					ir_op(l->f, op, 2, (struct source[]){ a.hi, b.hi }) });
	} else {
		put(l, w, 0, t, ir_op(l->f, op, 2, (struct source[]){ get(l, w, 1, t), get(l, w, 2, t) }));
	}
}

static void lower_not(struct lowering *l, const struct words *w)
{
	enum ptx_type t = w->type[0];

	if (t == PTX_PRED) {
		struct source p = get_pred(l, w, 1);
		if (p.kind == SOURCE_NUMBER)
			p.bits = !p.bits;
		else
			p.not = !p.not;
		put_pred(l, &w->n->operand[0], p);
	} else if (wide_type(t)) {
		struct wide a = get_wide(l, w, 1, t);
		put_wide(l, w, 0, (struct wide){ OP(l->f, NOTB, a.lo), OP(l->f, NOTB, a.hi) });
	} else {
		put(l, w, 0, t, OP(l->f, NOTB, get(l, w, 1, t)));
	}
}

static void lower_cnot(struct lowering *l, const struct words *w)
{
	enum ptx_type t = w->type[0];
	struct source a = wide_type(t) ? (struct source){ 0 } : extended(l, t, get(l, w, 1, t));

	if (wide_type(t)) {
		struct wide d = get_wide(l, w, 1, t);
		a = OP(l->f, OR, d.lo, d.hi);
	}
	a = OP(l->f, AND, ir_setw(l->f, IR_SET, COND_E, PTX_U32, a, number(0)), number(1));
	if (wide_type(t))
		put_wide(l, w, 0, (struct wide){ a, number(0) });
	else
		put(l, w, 0, t, a);
}

static void lower_shift(struct lowering *l, const struct words *w)
{
	enum ptx_type t = w->type[0];
	enum ir_op op = w->op[2] == 'l' ? IR_SHL : ptx_signed(t) ? IR_SAR : IR_SHR;
	struct source n = get(l, w, 2, PTX_U32);

	if (w->n->operand[2].kind == OPERAND_REG && ptx_bytes(w->n->operand[2].reg->type) == 2)
		n = extended(l, PTX_U16, n);
	if (wide_type(t))
		put_wide(l, w, 0, shift64(l->f, op, get_wide(l, w, 1, t), n));
	else
		put(l, w, 0, t,
		    ir_op(l->f, op, 2,
			  (struct source[]){ op == IR_SHL ? get(l, w, 1, t) : extended(l, t, get(l, w, 1, t)), n }));
}

/* A position or length of 64 bits: beyond 64 is 64. Those of 32 bits are bytes, as on an H100. */
static struct source within_64(struct ir *f, struct source n) { return TYPED(f, MIN, PTX_U32, n, number(64)); }

static void lower_bfe_wide(struct lowering *l, const struct words *w, struct source at, struct source n)
{
	struct ir *f = l->f;
	enum ptx_type t = w->type[0];
	struct wide d = get_wide(l, w, 1, t);

	if (at.kind != SOURCE_NUMBER || n.kind != SOURCE_NUMBER) {
		put_wide(l, w, 0, field64(f, d, within_64(f, at), within_64(f, n), ptx_signed(t)));
		return;
	}
	uint32_t p64 = at.bits > 64 ? 64 : at.bits, n64 = n.bits > 64 - p64 ? 64 - p64 : n.bits;
	if (!n64 && !(ptx_signed(t) && p64 == 64 && n.bits)) {
		d = (struct wide){ number(0), number(0) };
	} else { /* up to the top, then down */
		d = n64 ? shift64(f, IR_SHL, d, number(64 - p64 - n64)) : d;
		d = shift64(f, ptx_signed(t) ? IR_SAR : IR_SHR, d, number(n64 ? 64 - n64 : 63));
	}
	put_wide(l, w, 0, d);
}

/* A field at a place, or of a length, that is not known. */
static struct source field_of(struct ir *f, struct source a, struct source at, struct source n, bool is_signed)
{
	at = OP(f, AND, at, number(0xff));
	n = OP(f, AND, n, number(0xff));
	if (!is_signed) {
		struct source mask = OP(f, NOTB, OP(f, SHL, number(~0u), n));
		return OP(f, AND, OP(f, SHR, a, at), mask);
	}
	/* up to the top, then down; a field beyond the word has the word's sign */
	struct source end = TYPED(f, MIN, PTX_U32, OP(f, ADD, at, n), number(32));
	struct source up = OP(f, SHL, a, OP(f, SUB, number(32), end));
	struct source taken = OP(f, SUB, end, TYPED(f, MIN, PTX_U32, at, number(32)));
	struct source down = OP(f, SAR, up, OP(f, SUB, number(32), taken));
	struct source beyond = ir_set(f, IR_SET, COND_GE, PTX_U32, at, number(32));
	down = ir_select(f, beyond, OP(f, SAR, a, number(31)), down);
	return ir_select(f, ir_set(f, IR_SET, COND_E, PTX_U32, n, number(0)), number(0), down);
}

static struct source known_field(struct ir *f, struct source a, uint32_t p, uint32_t length, bool is_signed)
{
	if (!length)
		return number(0);
	if (p >= 32)
		return is_signed ? OP(f, SAR, a, number(31)) : number(0);
	length = p + length > 32 ? 32 - p : length;
	if (is_signed)
		return OP(f, SAR, OP(f, SHL, a, number(32 - p - length)), number(32 - length));
	return OP(f, AND, OP(f, SHR, a, number(p)), number(length == 32 ? ~0u : (1u << length) - 1));
}

/* Bit fields, of 2.x: positions and lengths are most often numbers. */
static void lower_bfe(struct lowering *l, const struct words *w)
{
	enum ptx_type t = w->type[0];
	struct source a = get(l, w, 1, t), at = get(l, w, 2, PTX_U32), n = get(l, w, 3, PTX_U32);

	ir_resolve(&at);
	ir_resolve(&n);
	if (wide_type(t))
		lower_bfe_wide(l, w, at, n);
	else if (at.kind != SOURCE_NUMBER || n.kind != SOURCE_NUMBER)
		put(l, w, 0, t, field_of(l->f, a, at, n, ptx_signed(t)));
	else
		put(l, w, 0, t, known_field(l->f, a, at.bits & 0xff, n.bits & 0xff, ptx_signed(t)));
}

static void lower_bfi(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	struct source a = get(l, w, 1, PTX_B32), b = get(l, w, 2, PTX_B32);
	struct source at = get(l, w, 3, PTX_U32), n = get(l, w, 4, PTX_U32);

	if (wide_type(w->type[0])) {
		put_wide(l, w, 0, insert64(f, get_wide(l, w, 1, PTX_B64), get_wide(l, w, 2, PTX_B64), within_64(f, at),
					   within_64(f, n)));
		return;
	}
	at = OP(f, AND, at, number(0xff));
	n = OP(f, AND, n, number(0xff));
	struct source mask = OP(f, SHL, OP(f, NOTB, OP(f, SHL, number(~0u), n)), at);
	struct source in = OP(f, AND, OP(f, SHL, a, at), mask), rest = OP(f, AND, b, OP(f, NOTB, mask));
	put(l, w, 0, PTX_B32, OP(f, OR, in, rest));
}

static struct source popc(struct ir *f, struct source x)
{
	x = OP(f, SUB, x, OP(f, AND, OP(f, SHR, x, number(1)), number(0x55555555)));
	struct source y = OP(f, AND, OP(f, SHR, x, number(2)), number(0x33333333));
	x = OP(f, ADD, OP(f, AND, x, number(0x33333333)), y);
	x = OP(f, AND, OP(f, ADD, x, OP(f, SHR, x, number(4))), number(0x0f0f0f0f));
	x = OP(f, ADD, x, OP(f, SHR, x, number(8)));
	x = OP(f, ADD, x, OP(f, SHR, x, number(16)));
	return OP(f, AND, x, number(0x3f));
}

static void lower_popc(struct lowering *l, const struct words *w)
{
	struct wide d = get_wide(l, w, 1, w->type[0]);
	struct source n = popc(l->f, d.lo);

	put(l, w, 0, PTX_U32, wide_type(w->type[0]) ? OP(l->f, ADD, n, popc(l->f, d.hi)) : n);
}

static struct source brev(struct ir *f, struct source x)
{
	static const uint32_t masks[] = { 0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff };

	for (unsigned i = 0; i < 4; i++) {
		struct source up = OP(f, SHL, OP(f, AND, x, number(masks[i])), number(1u << i));
		x = OP(f, OR, OP(f, AND, OP(f, SHR, x, number(1u << i)), number(masks[i])), up);
	}
	return OP(f, OR, OP(f, SHL, x, number(16)), OP(f, SHR, x, number(16)));
}

static void lower_brev(struct lowering *l, const struct words *w)
{
	struct wide d = get_wide(l, w, 1, w->type[0]);

	if (wide_type(w->type[0]))
		put_wide(l, w, 0, (struct wide){ brev(l->f, d.hi), brev(l->f, d.lo) });
	else
		put(l, w, 0, PTX_B32, brev(l->f, d.lo));
}

static void lower_clz(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	struct wide d = get_wide(l, w, 1, w->type[0]);

	if (!wide_type(w->type[0])) {
		put(l, w, 0, PTX_U32, leading_zeros(f, d.lo));
		return;
	}
	put(l, w, 0, PTX_U32, leading_zeros64(f, d));
}

/* The place of the highest bit that is not the sign; none: all ones. shiftamt: how far up it can go. */
static void lower_bfind(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	enum ptx_type t = w->type[0];
	struct wide d = get_wide(l, w, 1, t);
	uint32_t top = wide_type(t) ? 63 : 31;
	struct source sign = ptx_signed(t) ? OP(f, SAR, wide_type(t) ? d.hi : d.lo, number(31)) : number(0);

	d = (struct wide){ OP(f, XOR, d.lo, sign), OP(f, XOR, d.hi, sign) };
	struct source zeros = wide_type(t) ? leading_zeros64(f, d) : leading_zeros(f, d.lo);
	if (w->nother && !strcmp(w->other[0], "shiftamt"))
		zeros = OP(f, OR, zeros, ir_setw(f, IR_SET, COND_G, PTX_U32, zeros, number(top)));
	else
		zeros = OP(f, SUB, number(top), zeros);
	put(l, w, 0, PTX_U32, zeros);
}

static void lower_shf(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	struct source lo = get(l, w, 1, PTX_B32), hi = get(l, w, 2, PTX_B32), n = get(l, w, 3, PTX_U32);

	n = w->mods & MOD_WRAP ? OP(f, AND, n, number(31)) : TYPED(f, MIN, PTX_U32, n, number(32));
	struct source back = OP(f, SUB, number(32), n);
	put(l, w, 0, PTX_B32,
	    w->mods & MOD_LEFT ? OP(f, OR, OP(f, SHL, hi, n), OP(f, SHR, lo, back))
			       : OP(f, OR, OP(f, SHR, lo, n), OP(f, SHL, hi, back)));
}

/* Byte `pick` & 7 of b and a, below the other bits; bit 3 of `pick`: the sign of the byte, eight times. */
static struct source picked_byte(struct ir *f, struct source a, struct source b, struct source pick)
{
	struct source down = OP(f, SHL, OP(f, AND, pick, number(3)), number(3));
	struct source of_b = ir_set(f, IR_SET, COND_LG, PTX_U32, OP(f, AND, pick, number(4)), number(0));
	struct source byte = OP(f, SHR, ir_select(f, of_b, b, a), down);
	struct source as_sign = ir_set(f, IR_SET, COND_LG, PTX_U32, OP(f, AND, pick, number(8)), number(0));

	byte = ir_select(f, as_sign, OP(f, SAR, OP(f, SHL, byte, number(24)), number(31)), byte);
	return OP(f, AND, byte, number(0xff));
}

/* Which byte the modes of prmt take for byte i of the result, by the low two bits of the selector. */
static unsigned prmt_byte(struct lowering *l, const struct words *w, unsigned i, unsigned s)
{
	const char *mode = w->other[0];

	if (!strcmp(mode, "f4e"))
		return s + i;
	if (!strcmp(mode, "b4e"))
		return (s - i) & 7;
	if (!strcmp(mode, "rc8"))
		return s;
	if (!strcmp(mode, "ecl"))
		return i > s ? i : s;
	if (!strcmp(mode, "ecr"))
		return i < s ? i : s;
	if (!strcmp(mode, "rc16"))
		return (s & 1) * 2 + (i & 1);
	lower_fail(l, w->n, "prmt: found `%.20s`, expected f4e, b4e, rc8, ecl, ecr or rc16", mode);
}

static void lower_prmt(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	struct source a = get(l, w, 1, PTX_B32), b = get(l, w, 2, PTX_B32), s = get(l, w, 3, PTX_U32), out = number(0);

	for (unsigned i = 0; i < 4; i++) {
		struct source pick = OP(f, AND, OP(f, SHR, s, number(4 * i)), number(15));
		if (w->nother) { /* four selectors, by the low two bits of s */
			uint32_t all = 0;
			for (unsigned k = 0; k < 4; k++)
				all |= prmt_byte(l, w, i, k) << 4 * k;
			struct source at = OP(f, SHL, OP(f, AND, s, number(3)), number(2));
			pick = OP(f, AND, OP(f, SHR, number(all), at), number(7));
		}
		out = OP(f, OR, out, OP(f, SHL, picked_byte(f, a, b, pick), number(8 * i)));
	}
	put(l, w, 0, PTX_B32, out);
}

/* lop3 d, a, b, c, table; lop3.and d|p: p is whether d is not 0, and q. */
static void lower_lop3(struct lowering *l, const struct words *w)
{
	struct source s[3] = { get(l, w, 1, PTX_B32), get(l, w, 2, PTX_B32), get(l, w, 3, PTX_B32) };
	uint64_t table = w->n->operand[4].bits;

	if (table > 255)
		lower_fail(l, w->n, "lop3: found the table 0x%llx, expected a number up to 0xff",
			   (unsigned long long)table);
	struct source d = logic_of_three(l->f, (unsigned)table, s);
	if (w->nother) {
		struct source some = ir_set(l->f, IR_SET, COND_LG, PTX_U32, d, number(0));
		some = pred_logic(l, *w->other[0] == 'a' ? IR_AND : IR_OR, some, get_pred(l, w, 5));
		if (w->n->dual)
			put_pred(l, w->n->dual, some);
	}
	put(l, w, 0, PTX_B32, d);
}

/* A position or a width: up to 32 by .clamp, the low five bits by .wrap. */
static struct source clamped_or_wrapped(struct lowering *l, const struct words *w, struct source n)
{
	return w->mods & MOD_WRAP ? OP(l->f, AND, n, number(31)) : TYPED(l->f, MIN, PTX_U32, n, number(32));
}

/* Ones from bit a on, so many as b says. */
static void lower_bmsk(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	struct source a = clamped_or_wrapped(l, w, get(l, w, 1, PTX_U32));
	struct source b = clamped_or_wrapped(l, w, get(l, w, 2, PTX_U32)), ones = number(~0u);

	put(l, w, 0, PTX_B32, OP(f, AND, OP(f, SHL, ones, a), OP(f, NOTB, OP(f, SHL, ones, OP(f, ADD, a, b)))));
}

/* The low b bits of a, extended. */
static void lower_szext(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	struct source a = get(l, w, 1, PTX_U32), up = clamped_or_wrapped(l, w, get(l, w, 2, PTX_U32));

	up = OP(f, SUB, number(32), up);
	a = OP(f, SHL, a, up);
	put(l, w, 0, PTX_B32, ptx_signed(w->type[0]) ? OP(f, SAR, a, up) : OP(f, SHR, a, up));
}

/* The place of the n-th one of a mask, counted from bit `at` up, or down where n is below 0; n = 0: bit `at` alone. The
 * mask is turned over for the way down; ones below the place are taken away one by one. */
static void lower_fns(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	struct source mask = get(l, w, 1, PTX_B32), at = get(l, w, 2, PTX_U32), n = get(l, w, 3, PTX_S32);
	struct source down = ir_set(f, IR_SET, COND_L, PTX_S32, n, number(0));
	struct source alone = ir_set(f, IR_SET, COND_E, PTX_S32, n, number(0));
	struct source flip = OP(f, AND, ir_mask_of(f, down), number(31));
	uint32_t ones = 4 * (uint32_t)f->nvars++, count = 4 * (uint32_t)f->nvars++;
	struct ir_block *again = ir_block(f), *done = ir_block(f);
	struct source from = OP(f, SHL, number(~0u), OP(f, XOR, at, flip));

	from = OP(f, AND, from, ir_select(f, down, brev(f, mask), mask));
	from = ir_select(f, alone, OP(f, AND, mask, OP(f, SHL, number(1), at)), from);
	ir_write(f, f->current, ones, from);
	ir_write(f, f->current, count, ir_select(f, down, OP(f, SUB, number(0), n), n));
	ir_jump(f, again);
	ir_begin_block(f, again);
	struct source rest = ir_read(f, again, ones), left = OP(f, SUB, ir_read(f, again, count), number(1));
	struct source more = ir_set(f, IR_SET, COND_G, PTX_S32, left, number(0));
	ir_write(f, again, count, left);
	ir_write(f, again, ones, ir_select(f, more, OP(f, AND, rest, OP(f, SUB, rest, number(1))), rest));
	ir_end_block(f, pred_logic(l, IR_AND, more, ir_set(f, IR_SET, COND_LG, PTX_U32, rest, number(0))), again, done);
	ir_seal(f, again);
	done->sealed = true;
	ir_begin_block(f, done);
	rest = ir_read(f, done, ones);
	struct source lowest = OP(f, AND, rest, OP(f, SUB, number(0), rest));
	struct source place = OP(f, XOR, OP(f, SUB, number(31), leading_zeros(f, lowest)), flip);
	put(l, w, 0, PTX_B32, ir_select(f, ir_set(f, IR_SET, COND_E, PTX_U32, rest, number(0)), number(~0u), place));
}

/* The comparison of setp and set, with `.and p` and the like behind. */
static struct source compare(struct lowering *l, const struct words *w, unsigned a, enum ptx_type t)
{
	struct ir *f = l->f;

	if (!w->has_cond)
		lower_fail(l, w->n, "%s: expected a comparison (eq, ne, lt, …)", w->op);
	if (t == PTX_F32)
		return ir_set(f, IR_FSET, (enum cond)w->cond, t, get(l, w, a, t), get(l, w, a + 1, t));
	if (ptx_half(t))
		return ir_set(f, IR_FSET, (enum cond)w->cond, PTX_F32, half_as_float(f, t, get(l, w, a, t)),
			      half_as_float(f, t, get(l, w, a + 1, t)));
	if (t == PTX_F64)
		return ir_set(f, IR_DSET, (enum cond)w->cond, t, get_double(l, w, a), get_double(l, w, a + 1));
	if (wide_type(t)) {
		struct wide x = get_wide(l, w, a, t), y = get_wide(l, w, a + 1, t);
		if (w->cond == COND_E || w->cond == COND_LG) {
			struct source d = OP(f, OR, OP(f, XOR, x.lo, y.lo), OP(f, XOR, x.hi, y.hi));
			return ir_set(f, IR_SET, (enum cond)w->cond, PTX_U32, d, number(0));
		}
		return less64(f, (enum cond)w->cond, t, x, y);
	}
	if (t == PTX_PRED || t == PTX_NONE)
		lower_fail(l, w->n, "%s: expected a type of numbers", w->op);
	struct source x = get(l, w, a, t), y = get(l, w, a + 1, t);
	ir_resolve(&x);
	ir_resolve(&y);
	if (ptx_bytes(t) == 2 && x.kind == SOURCE_VALUE) /* halves are compared as they are */
		return ir_set(f, IR_SET, (enum cond)w->cond, half_type(t), half_of(x, 1), half_of(y, 1));
	return ir_set(f, IR_SET, (enum cond)w->cond, word_type(t), extended(l, t, x), extended(l, t, y));
}

struct source opposite(struct source p)
{
	if (p.kind == SOURCE_NUMBER)
		p.bits = !p.bits;
	else
		p.not = !p.not;
	return p;
}

static void lower_setp(struct lowering *l, const struct words *w)
{
	struct source p = compare(l, w, 1, w->type[0]), q = opposite(p);
	enum ir_op op = w->logic == 'a' ? IR_AND : w->logic == 'o' ? IR_OR : IR_XOR;

	if (w->logic) {
		if (w->n->noperands < 4)
			lower_fail(l, w->n, "setp with .and, .or or .xor: expected a predicate as operand 4");
		struct source c = get_pred(l, w, 3);
		if (w->n->dual)
			put_pred(l, w->n->dual, pred_logic(l, op, q, c));
		p = pred_logic(l, op, p, c);
	} else if (w->n->dual) {
		put_pred(l, w->n->dual, q);
	}
	put_pred(l, &w->n->operand[0], p);
}

static void lower_set(struct lowering *l, const struct words *w)
{
	struct source p = compare(l, w, 1, w->type[w->ntypes > 1]);
	struct source mask;

	if (w->logic && w->n->noperands == 4)
		p = pred_logic(l, w->logic == 'a' ? IR_AND : w->logic == 'o' ? IR_OR : IR_XOR, p, get_pred(l, w, 3));
	mask = ir_mask_of(l->f, p);
	if (ptx_float(w->type[0])) /* 1.0 */
		mask = OP(l->f, AND, mask, number(w->type[0] == PTX_F32 ? 0x3f800000 : 0x3c00));
	put(l, w, 0, w->type[0], mask);
}

/* The first source where p, else the second. */
static void put_selected(struct lowering *l, const struct words *w, struct source p)
{
	enum ptx_type t = w->type[0];

	if (wide_type(t)) {
		struct wide a = get_wide(l, w, 1, t), b = get_wide(l, w, 2, t);
		put_wide(l, w, 0, (struct wide){ ir_select(l->f, p, a.lo, b.lo), ir_select(l->f, p, a.hi, b.hi) });
	} else {
		put(l, w, 0, t, ir_select(l->f, p, get(l, w, 1, t), get(l, w, 2, t)));
	}
}

static void lower_selp(struct lowering *l, const struct words *w)
{
	put_selected(l, w, get_pred(l, w, 3));
}

static void lower_slct(struct lowering *l, const struct words *w)
{
	enum ptx_type t = w->type[0];
	struct source c = get(l, w, 3, w->type[1]);

	if (!wide_type(t) && w->type[1] == PTX_F32) {
		put(l, w, 0, t, OP(l->f, SLCT, get(l, w, 1, t), get(l, w, 2, t), c));
		return;
	}
	struct source p = w->type[1] == PTX_F32 ? ir_set(l->f, IR_FSET, COND_GE, PTX_F32, c, number(0))
						: ir_set(l->f, IR_SET, COND_GE, PTX_S32, c, number(0));
	put_selected(l, w, p);
}

/* Vectors of mov.b32 and mov.b64: pieces of a register. */
static void move_vector(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	const struct ptx_operand *to = &w->n->operand[0], *from = &w->n->operand[1];
	const struct ptx_operand *v = to->kind == OPERAND_VECTOR ? to : from;
	unsigned n = v->nitems, bytes = n ? ptx_bytes(w->type[0]) / n : 0;
	enum ptx_type piece = bytes == 4 ? PTX_B32 : bytes == 2 ? PTX_B16 : PTX_B8;
	struct source words[2] = { number(0), number(0) };

	if ((n != 2 && n != 4) || !bytes)
		lower_fail(l, w->n, "mov: expected a vector of 2 or 4 registers that fill the other one");
	if (to->kind == OPERAND_VECTOR) {
		struct wide d = get_wide_of(l, w->n, from, w->type[0]);
		words[0] = d.lo;
		words[1] = d.hi;
		for (unsigned i = 0; i < n; i++) {
			struct source s = words[i * bytes / 4];
			put_of(l, w->n, &to->item[i], piece, OP(f, SHR, s, number(8 * (i * bytes % 4))));
		}
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		struct source s = get_of(l, w->n, &from->item[i], piece);
		if (bytes < 4)
			s = OP(f, SHL, extended(l, piece == PTX_B16 ? PTX_U16 : PTX_U8, s),
			       number(8 * (i * bytes % 4)));
		words[i * bytes / 4] = OP(f, OR, words[i * bytes / 4], s);
	}
	if (wide_type(w->type[0]))
		put_wide(l, w, 0, (struct wide){ words[0], words[1] });
	else
		put(l, w, 0, w->type[0], words[0]);
}

static void lower_mov(struct lowering *l, const struct words *w)
{
	enum ptx_type t = w->type[0];

	if (w->n->operand[0].kind == OPERAND_VECTOR || w->n->operand[1].kind == OPERAND_VECTOR)
		move_vector(l, w);
	else if (t == PTX_PRED)
		put_pred(l, &w->n->operand[0], get_pred(l, w, 1));
	else if (wide_type(t))
		put_wide(l, w, 0, get_wide(l, w, 1, t));
	else
		put(l, w, 0, t, get(l, w, 1, t));
}

/* dp4a: four bytes of each word; dp2a: two halves, and the two bytes in the lower or upper half. */
static void lower_dot(struct lowering *l, const struct words *w)
{
	bool bytes = w->op[2] == '4', half = w->mods & (MOD_LO | MOD_HI);

	if (w->ntypes != 2 || ptx_bytes(w->type[0]) != 4 || ptx_bytes(w->type[1]) != 4 || half == bytes)
		lower_fail(l, w->n, "%s: expected %stwo types, of .u32 and .s32", w->op,
			   bytes ? "" : ".lo or .hi, and ");
	struct part_words a = { get(l, w, 1, PTX_B32), bytes ? 8 : 16, 0, ptx_signed(w->type[0]) },
			  b = { get(l, w, 2, PTX_B32), 8, w->mods & MOD_HI ? 16 : 0, ptx_signed(w->type[1]) };
	put(l, w, 0, PTX_B32, dot_product(l->f, a, b, get(l, w, 3, PTX_B32)));
}

const struct lower_row lower_int[] = { { "add", lower_add },
				       { "addc", lower_add },
				       { "sub", lower_add },
				       { "subc", lower_add },
				       { "mul", lower_mul },
				       { "mad", lower_mad },
				       { "madc", lower_mad },
				       { "mul24", lower_mul24 },
				       { "mad24", lower_mul24 },
				       { "sad", lower_sad },
				       { "dp4a", lower_dot },
				       { "dp2a", lower_dot },
				       { "div", lower_div },
				       { "rem", lower_div },
				       { "min", lower_minmax },
				       { "max", lower_minmax },
				       { "neg", lower_neg },
				       { "abs", lower_abs },
				       { "and", lower_logic },
				       { "or", lower_logic },
				       { "xor", lower_logic },
				       { "not", lower_not },
				       { "cnot", lower_cnot },
				       { "shl", lower_shift },
				       { "shr", lower_shift },
				       { "bfe", lower_bfe },
				       { "bfi", lower_bfi },
				       { "popc", lower_popc },
				       { "brev", lower_brev },
				       { "clz", lower_clz },
				       { "bfind", lower_bfind },
				       { "shf", lower_shf },
				       { "prmt", lower_prmt },
				       { "lop3", lower_lop3 },
				       { "bmsk", lower_bmsk },
				       { "szext", lower_szext },
				       { "fns", lower_fns },
				       { "setp", lower_setp },
				       { "set", lower_set },
				       { "selp", lower_selp },
				       { "slct", lower_slct },
				       { "mov", lower_mov },
				       { 0 } };
