/* Programs for operations without an instruction: products and shifts of 64 bits, division. */
#include "core/compile/lower.h"

#include <string.h>

struct source carry_of(struct ir *f, struct source sum)
{
	struct ir_insn *i = sum.kind == SOURCE_VALUE ? sum.value->def : NULL;

	if (!i || i->dst != sum.value)
		return number(0);
	if (!i->flags) {
		i->flags = ir_value(f, CLASS_PRED);
		i->flags->def = i;
		i->flags->test = TEST_C;
	}
	return of(i->flags);
}

static bool is_zero(struct source s)
{
	ir_resolve(&s);
	return s.kind == SOURCE_NUMBER && !s.bits;
}

struct source add_raw(struct ir *f, enum ir_op op, struct source a, struct source b)
{
	struct ir_insn *i;

	ir_resolve(&a);
	ir_resolve(&b);
	if (a.kind == SOURCE_NUMBER && op == IR_ADD) {
		struct source swap = a;
		a = b;
		b = swap;
	}
	i = ir_insn(f, op);
	i->type = PTX_U32;
	i->nsrc = 2;
	i->src[0] = a;
	i->src[1] = b;
	i->dst = ir_value(f, CLASS_WORD);
	i->dst->def = i;
	return of(i->dst);
}

struct wide add64(struct ir *f, struct wide a, struct wide b)
{
	if (is_zero(b.lo))
		return (struct wide){ a.lo, OP(f, ADD, a.hi, b.hi) };
	if (is_zero(a.lo))
		return (struct wide){ b.lo, OP(f, ADD, a.hi, b.hi) };
	struct source lo = add_raw(f, IR_ADD, a.lo, b.lo);
	return (struct wide){ lo, OP(f, ADDC, a.hi, b.hi, carry_of(f, lo)) };
}

struct wide sub64(struct ir *f, struct wide a, struct wide b)
{
	if (is_zero(b.lo))
		return (struct wide){ a.lo, OP(f, SUB, a.hi, b.hi) };
	struct source lo = add_raw(f, IR_SUB, a.lo, b.lo); /* the carry says "no borrow" */
	return (struct wide){ lo, OP(f, ADDC, a.hi, OP(f, NOTB, b.hi), carry_of(f, lo)) };
}

static struct source product16(struct ir *f, struct source a, unsigned ha, struct source b, unsigned hb)
{
	return TYPED(f, MUL16, PTX_U16, half_of(a, ha), half_of(b, hb));
}

/* a * b of halves, plus c, as a value with a carry. */
static struct source product_add(struct ir *f, struct source a, unsigned ha, struct source b, unsigned hb,
				 struct source c)
{
	return TYPED(f, MAD16, PTX_U16, half_of(a, ha), half_of(b, hb), c);
}

struct wide mul_wide(struct ir *f, struct source a, struct source b, bool is_signed)
{
	ir_resolve(&a);
	ir_resolve(&b);
	if (a.kind == SOURCE_NUMBER && b.kind == SOURCE_NUMBER) {
		uint64_t p =
			is_signed ? (uint64_t)((int64_t)(int32_t)a.bits * (int32_t)b.bits) : (uint64_t)a.bits * b.bits;
		return (struct wide){ number((uint32_t)p), number((uint32_t)(p >> 32)) };
	}
	if (a.kind == SOURCE_NUMBER) {
		struct source swap = a;
		a = b;
		b = swap;
	}
	if (b.kind == SOURCE_NUMBER && b.bits && !(b.bits & (b.bits - 1)) && !(is_signed && b.bits >> 31)) {
		uint32_t n = (uint32_t)__builtin_ctz(b.bits);
		struct source hi = is_signed ? OP(f, SAR, a, number(32 - n)) : OP(f, SHR, a, number(32 - n));
		return (struct wide){ OP(f, SHL, a, number(n)), n           ? hi
								: is_signed ? OP(f, SAR, a, number(31))
									    : number(0) };
	}
	struct source low = product16(f, a, 1, b, 1);
	struct source cross = product_add(f, a, 1, b, 2, product16(f, a, 2, b, 1));
	struct source carried = carry_of(f, cross);
	struct source lo = add_raw(f, IR_ADD, OP(f, SHL, cross, number(16)), low);
	struct source hi = OP(f, SHR, cross, number(16));
	hi = ir_select(f, carried, OP(f, ADD, hi, number(0x10000)), hi);
	hi = product_add(f, a, 2, b, 2, hi);
	hi = OP(f, ADDC, hi, number(0), carry_of(f, lo));
	if (is_signed) {
		hi = OP(f, SUB, hi, OP(f, AND, OP(f, SAR, a, number(31)), b));
		hi = b.kind == SOURCE_NUMBER ? (b.bits >> 31 ? OP(f, SUB, hi, a) : hi)
					     : OP(f, SUB, hi, OP(f, AND, OP(f, SAR, b, number(31)), a));
	}
	/* The low word alone is cheaper by itself; simplify takes the sum where the upper word is wanted, too. */
	struct source alone = OP(f, IMUL, a, b);
	if (alone.kind == SOURCE_VALUE && alone.value->def->op == IR_IMUL)
		alone.value->def->twin = lo.value;
	return (struct wide){ alone, hi };
}

struct source mul_high(struct ir *f, struct source a, struct source b, bool is_signed)
{
	return mul_wide(f, a, b, is_signed).hi;
}

struct wide mul64(struct ir *f, struct wide a, struct wide b)
{
	struct wide p;

	ir_resolve(&b.lo);
	ir_resolve(&b.hi);
	if (b.lo.kind == SOURCE_NUMBER && is_zero(b.hi) && b.lo.bits && !(b.lo.bits & (b.lo.bits - 1)))
		return shift64(f, IR_SHL, a, number((uint32_t)__builtin_ctz(b.lo.bits)));
	p = mul_wide(f, a.lo, b.lo, false);
	p.hi = OP(f, ADD, p.hi, OP(f, IMUL, a.lo, b.hi));
	p.hi = OP(f, ADD, p.hi, OP(f, IMUL, a.hi, b.lo));
	return p;
}

struct wide mul64_high(struct ir *f, struct wide a, struct wide b, bool is_signed)
{
	struct wide low = mul_wide(f, a.lo, b.lo, false), x = mul_wide(f, a.lo, b.hi, false);
	struct wide y = mul_wide(f, a.hi, b.lo, false), high = mul_wide(f, a.hi, b.hi, false);
	struct source none = number(0);

	x = add64(f, x, (struct wide){ low.hi, none });
	y = add64(f, y, (struct wide){ x.lo, none });
	high = add64(f, high, (struct wide){ x.hi, none });
	high = add64(f, high, (struct wide){ y.hi, none });
	if (is_signed) {
		struct source sa = OP(f, SAR, a.hi, number(31)), sb = OP(f, SAR, b.hi, number(31));
		high = sub64(f, high, (struct wide){ OP(f, AND, sa, b.lo), OP(f, AND, sa, b.hi) });
		high = sub64(f, high, (struct wide){ OP(f, AND, sb, a.lo), OP(f, AND, sb, a.hi) });
	}
	return high;
}

struct wide shift64(struct ir *f, enum ir_op op, struct wide a, struct source n)
{
	bool left = op == IR_SHL;
	struct source from = left ? a.lo : a.hi, to = left ? a.hi : a.lo;
	enum ir_op back = left ? IR_SHR : IR_SHL, same = left ? IR_SHL : IR_SHR;
	struct source sign = op == IR_SAR ? OP(f, SAR, a.hi, number(31)) : number(0);

	ir_resolve(&n);
	if (n.kind == SOURCE_NUMBER) {
		if (!n.bits)
			return a;
		if (n.bits >= 64) {
			from = to = sign;
		} else if (n.bits >= 32) {
			to = ir_op(f, op, 2, (struct source[]){ from, number(n.bits - 32) });
			from = sign;
		} else {
			struct source in = ir_op(f, back, 2, (struct source[]){ from, number(32 - n.bits) });
			to = OP(f, OR, ir_op(f, same, 2, (struct source[]){ to, n }), in);
			from = ir_op(f, op, 2, (struct source[]){ from, n });
		}
		return left ? (struct wide){ from, to } : (struct wide){ to, from };
	}
	/* Counts of 32 and above give 0 (or the sign): but for SAR, near or far is always 0. */
	struct source across = ir_op(f, back, 2, (struct source[]){ from, OP(f, SUB, number(32), n) });
	struct source beyond = OP(f, SUB, n, number(32));
	struct source far = ir_op(f, op, 2, (struct source[]){ from, beyond });
	struct source near = OP(f, OR, ir_op(f, same, 2, (struct source[]){ to, n }), across);
	if (op == IR_SAR)
		to = ir_select(f, ir_set(f, IR_SET, COND_GE, PTX_U32, n, number(32)), far, near);
	else
		to = OP(f, OR, near, far);
	from = ir_op(f, op, 2, (struct source[]){ from, n });
	return left ? (struct wide){ from, to } : (struct wide){ to, from };
}

struct source less64(struct ir *f, enum cond c, enum ptx_type t, struct wide a, struct wide b)
{
	enum ptx_type high = ptx_signed(t) ? PTX_S32 : PTX_U32;
	struct source differs = ir_set(f, IR_SET, COND_LG, PTX_U32, a.hi, b.hi);
	struct source lo = ir_setw(f, IR_SET, c, PTX_U32, a.lo, b.lo);
	struct source hi = ir_setw(f, IR_SET, c, high, a.hi, b.hi);

	return ir_pred_of(f, ir_select(f, differs, hi, lo));
}

/* Leading zeros by the exponent of the number as a float, cut. */
/* `bits` bits of a word from bit `at` on, as a word. */
static struct source part_of(struct ir *f, struct source x, unsigned at, unsigned bits, bool is_signed)
{
	if (is_signed)
		return OP(f, SAR, OP(f, SHL, x, number(32 - bits - at)), number(32 - bits));
	return OP(f, AND, OP(f, SHR, x, number(at)), number((1u << bits) - 1));
}

struct source dot_product(struct ir *f, struct part_words a, struct part_words b, struct source sum)
{
	enum ptx_type t = a.is_signed || b.is_signed ? PTX_S32 : PTX_U32; /* parts are within 24 bits of either kind */

	for (unsigned i = 0; i * a.bits < 32; i++)
		sum = OP(f, ADD, sum,
			 TYPED(f, MUL24, t, part_of(f, a.word, i * a.bits, a.bits, a.is_signed),
			       part_of(f, b.word, b.from + i * b.bits, b.bits, b.is_signed)));
	return sum;
}

struct source leading_zeros(struct ir *f, struct source x)
{
	struct source e = OP(f, SHR, ir_cvt(f, PTX_F32, PTX_U32, ROUND_RZ, x), number(23));

	return TYPED(f, MIN, PTX_U32, OP(f, SUB, number(158), e), number(32));
}

struct source leading_zeros64(struct ir *f, struct wide x)
{
	struct source empty = ir_set(f, IR_SET, COND_E, PTX_U32, x.hi, number(0));

	return ir_select(f, empty, OP(f, ADD, leading_zeros(f, x.lo), number(32)), leading_zeros(f, x.hi));
}

static struct wide both(struct ir *f, enum ir_op op, struct wide a, struct wide b)
{
	return (struct wide){ ir_op(f, op, 2, (struct source[]){ a.lo, b.lo }),
			      ir_op(f, op, 2, (struct source[]){ a.hi, b.hi }) };
}

static struct wide ones_above(struct ir *f, struct source n) /* bits from n up */
{
	return shift64(f, IR_SHL, (struct wide){ number(~0u), number(~0u) }, n);
}

/* n bits of x from bit `at` up. A signed field repeats its top bit, or bit 63 where the field reaches beyond; a field
 * of no bits is 0. */
struct wide field64(struct ir *f, struct wide x, struct source at, struct source n, bool is_signed)
{
	struct wide low = shift64(f, is_signed ? IR_SAR : IR_SHR, x, at), above = ones_above(f, n);
	struct wide inside = { OP(f, AND, low.lo, OP(f, NOTB, above.lo)), OP(f, AND, low.hi, OP(f, NOTB, above.hi)) };

	if (!is_signed)
		return inside;
	struct source end = TYPED(f, MIN, PTX_U32, OP(f, ADD, at, n), number(64));
	struct wide top = shift64(f, IR_SHR, x, OP(f, SUB, end, number(1)));
	struct source none = ir_setw(f, IR_SET, COND_E, PTX_U32, n, number(0));
	struct source sign = OP(f, AND, OP(f, SUB, number(0), OP(f, AND, top.lo, number(1))), OP(f, NOTB, none));
	return both(f, IR_OR, inside, both(f, IR_AND, above, (struct wide){ sign, sign }));
}

/* The low n bits of a in place of n bits of b from bit `at` up. */
struct wide insert64(struct ir *f, struct wide a, struct wide b, struct source at, struct source n)
{
	struct wide above = ones_above(f, n);
	struct wide mask = shift64(f, IR_SHL, (struct wide){ OP(f, NOTB, above.lo), OP(f, NOTB, above.hi) }, at);
	struct wide in = both(f, IR_AND, shift64(f, IR_SHL, a, at), mask);

	return both(f, IR_OR, in, (struct wide){ OP(f, AND, b.lo, OP(f, NOTB, mask.lo)),
						  OP(f, AND, b.hi, OP(f, NOTB, mask.hi)) });
}

static struct source float_of(struct ir *f, struct source s) { return ir_cvt(f, PTX_F32, PTX_U32, ROUND_RZ, s); }

/* Quotient of unsigned words, and the remainder. The reciprocal of the divisor, rounded up, less 2 units, is at most
 * the true reciprocal, and both partial quotients are at most the true ones: the first leaves less than 2^32 / 2^22 of
 * the quotient, the second at most 1. Divisor 0: the quotient is all ones, the remainder the dividend. */
static void divide_unsigned(struct ir *f, struct source a, struct source b, struct source *quotient,
			    struct source *rest)
{
	struct source reciprocal = OP(f, RCP, ir_cvt(f, PTX_F32, PTX_U32, ROUND_RP, b));
	struct source below = OP(f, ADD, reciprocal, number(-2u));
	struct source q = { 0 }, r = a;

	for (unsigned step = 0; step < 2; step++) {
		struct source product = TYPED(f, FMUL, PTX_F32, float_of(f, r), below);
		product.value->def->round = ROUND_RZ;
		struct source estimate = ir_cvt(f, PTX_U32, PTX_F32, ROUND_RZI, product);
		r = OP(f, SUB, r, OP(f, IMUL, estimate, b));
		q = step ? OP(f, ADD, q, estimate) : estimate;
	}
	struct source once = ir_setw(f, IR_SET, COND_GE, PTX_U32, r, b);
	q = OP(f, SUB, q, once);
	r = OP(f, SUB, r, OP(f, AND, once, b));
	struct source zero = ir_setw(f, IR_SET, COND_E, PTX_U32, b, number(0));
	*quotient = OP(f, OR, q, zero);
	*rest = ir_select(f, ir_pred_of(f, zero), a, r);
}

/* ---- logic of three words ---- */

/* A function of three bits, by its table: bit 4 a + 2 b + c of the table is the function's value. Made of the functions
 * x and y by one operation. */
struct logic_step { uint8_t cost, op, x, y; };

enum { TABLE_A = 0xf0, TABLE_B = 0xcc, TABLE_C = 0xaa, TABLE_ONES = 0xff, TABLES = 256, UNKNOWN_COST = 255 };

static uint8_t combined(unsigned op, unsigned x, unsigned y)
{
	return (uint8_t)(op == IR_AND ? x & y : op == IR_OR ? x | y : x ^ y);
}

/* The fewest operations for each table: from functions of i and j operations those of i + j + 1. */
static const struct logic_step *logic_steps(struct ptx_module *m)
{
	static const uint8_t ops[] = { IR_AND, IR_OR, IR_XOR }, leaves[] = { TABLE_A, TABLE_B, TABLE_C, TABLE_ONES };
	struct logic_step *t;
	unsigned known = sizeof leaves;

	if (m->logic)
		return m->logic;
	m->logic = t = ptx_new(m, TABLES * sizeof *t);
	for (unsigned i = 0; i < TABLES; i++)
		t[i].cost = UNKNOWN_COST;
	for (unsigned i = 0; i < sizeof leaves; i++)
		t[leaves[i]].cost = 0;
	for (unsigned cost = 1; known < TABLES; cost++)
		for (unsigned x = 0; x < TABLES; x++)
			for (unsigned y = x; y < TABLES; y++)
				for (unsigned k = 0; t[x].cost + t[y].cost + 1u == cost && k < sizeof ops; k++) {
					struct logic_step *r = &t[combined(ops[k], x, y)];
					known += r->cost == UNKNOWN_COST;
					if (r->cost == UNKNOWN_COST)
						*r = (struct logic_step){ (uint8_t)cost, ops[k], (uint8_t)x,
									  (uint8_t)y };
				}
	return t;
}

static struct source logic(struct ir *f, const struct logic_step *steps, unsigned table, const struct source s[3])
{
	const struct logic_step *t = &steps[table];

	switch (table) {
	case TABLE_A: return s[0];
	case TABLE_B: return s[1];
	case TABLE_C: return s[2];
	case TABLE_ONES: return number(~0u);
	default: break;
	}
	struct source x = logic(f, steps, t->x, s), y = logic(f, steps, t->y, s);
	return ir_op(f, (enum ir_op)t->op, 2, (struct source[]){ x, y });
}

struct source logic_of_three(struct ir *f, unsigned table, const struct source s[3])
{
	return logic(f, logic_steps(f->m), table, s);
}

static uint32_t variable(struct ir *f) { return 4 * (uint32_t)f->nvars++; }

/* Unsigned quotient and remainder of 64 bits, bit by bit: 64 steps that all lanes take alike. The quotient comes into
 * `a` from below as the dividend leaves at the top. */
static void divide64_unsigned(struct ir *f, struct wide a, struct wide b, struct wide *quotient, struct wide *rest)
{
	uint32_t alo = variable(f), ahi = variable(f), rlo = variable(f), rhi = variable(f), left = variable(f);
	struct ir_block *again = ir_block(f), *done = ir_block(f);

	ir_write(f, f->current, alo, a.lo);
	ir_write(f, f->current, ahi, a.hi);
	ir_write(f, f->current, rlo, number(0));
	ir_write(f, f->current, rhi, number(0));
	ir_write(f, f->current, left, number(64));
	ir_jump(f, again);
	ir_begin_block(f, again);
	struct wide x = { ir_read(f, again, alo), ir_read(f, again, ahi) },
		    r = { ir_read(f, again, rlo), ir_read(f, again, rhi) };
	struct source top = OP(f, SHR, x.hi, number(31));
	x = shift64(f, IR_SHL, x, number(1));
	r = shift64(f, IR_SHL, r, number(1));
	r.lo = OP(f, OR, r.lo, top);
	struct source fits = less64(f, COND_GE, PTX_U64, r, b);
	struct wide less = sub64(f, r, b);
	ir_write(f, again, rlo, ir_select(f, fits, less.lo, r.lo));
	ir_write(f, again, rhi, ir_select(f, fits, less.hi, r.hi));
	ir_write(f, again, alo, ir_select(f, fits, OP(f, OR, x.lo, number(1)), x.lo));
	ir_write(f, again, ahi, x.hi);
	struct source n = OP(f, SUB, ir_read(f, again, left), number(1));
	ir_write(f, again, left, n);
	ir_end_block(f, ir_set(f, IR_SET, COND_LG, PTX_U32, n, number(0)), again, done);
	ir_seal(f, again);
	done->sealed = true;
	ir_begin_block(f, done);
	*quotient = (struct wide){ ir_read(f, done, alo), ir_read(f, done, ahi) };
	*rest = (struct wide){ ir_read(f, done, rlo), ir_read(f, done, rhi) };
}

static struct wide negated_if(struct ir *f, struct wide x, struct source sign) /* sign: 0 or all ones */
{
	return sub64(f, (struct wide){ OP(f, XOR, x.lo, sign), OP(f, XOR, x.hi, sign) }, (struct wide){ sign, sign });
}

/* By 0: the quotient is all ones, the remainder the dividend, as with 32 bits. The bits come out so by themselves, but
 * for the sign. */
struct wide divide64(struct ir *f, struct wide a, struct wide b, bool is_signed, bool remainder)
{
	struct source sa = number(0), sb = number(0);
	struct wide q, r;

	if (is_signed) {
		sa = OP(f, SAR, a.hi, number(31));
		sb = OP(f, SAR, b.hi, number(31));
		a = negated_if(f, a, sa);
		b = negated_if(f, b, sb);
	}
	divide64_unsigned(f, a, b, &q, &r);
	if (remainder)
		return is_signed ? negated_if(f, r, sa) : r;
	if (!is_signed)
		return q;
	struct source zero = ir_setw(f, IR_SET, COND_E, PTX_U32, OP(f, OR, b.lo, b.hi), number(0));
	q = negated_if(f, q, OP(f, XOR, sa, sb));
	return (struct wide){ OP(f, OR, q.lo, zero), OP(f, OR, q.hi, zero) };
}

/* By a number n that is no power of two: the upper word of a product with m = 2^(32 + s) / n, rounded up, shifted by s.
 * With 2^s above n / 2, m has 33 bits; the upper word of a m is a + the upper word of a (m - 2^32), and half of the
 * difference is added to keep 32 bits. m n is at most n above 2^(32 + s), less than 2^(s + 1): the quotient of any a
 * below 2^32 is right (Granlund and Montgomery, 1994). Where 2^(32 + s) has a smaller m, of 32 bits, that is right too,
 * the sum is saved. */
static struct source quotient_by_number(struct ir *f, struct source a, uint32_t n)
{
	unsigned s = 32 - (unsigned)__builtin_clz(n);

	for (unsigned less = 0; less < s; less++) {
		uint64_t m = ((unsigned __int128)1 << (32 + less)) / n + 1, over = m * n - (UINT64_C(1) << (32 + less));
		if (!(m >> 32) && over <= UINT64_C(1) << less)
			return OP(f, SHR, mul_high(f, a, number((uint32_t)m), false), number(less));
	}
	uint64_t m = (uint64_t)(((unsigned __int128)1 << (32 + s)) / n + 1 - ((unsigned __int128)1 << 32));
	struct source high = mul_high(f, a, number((uint32_t)m), false);
	struct source half = OP(f, SHR, OP(f, SUB, a, high), number(1));
	return OP(f, SHR, OP(f, ADD, half, high), number(s - 1));
}

/* By a number other than 0. The quotient of a signed number is that of its size, with the sign put back; by a power of
 * two a shift, of numbers below 0 behind the sum with n - 1. */
static struct source divide_by_number(struct ir *f, struct source a, uint32_t n, bool is_signed, bool remainder)
{
	bool negative = is_signed && n >> 31;
	uint32_t size = negative ? -n : n;
	unsigned k = (unsigned)__builtin_ctz(size);
	struct source q, s = OP(f, SAR, a, number(31));

	if (size & (size - 1)) {
		struct source ua = is_signed ? OP(f, SUB, OP(f, XOR, a, s), s) : a;
		q = quotient_by_number(f, ua, size);
		q = is_signed ? OP(f, SUB, OP(f, XOR, q, s), s) : q;
	} else if (is_signed) {
		q = k ? OP(f, SAR, OP(f, ADD, a, OP(f, SHR, s, number(32 - k))), number(k)) : a;
	} else {
		return remainder ? OP(f, AND, a, number(n - 1)) : OP(f, SHR, a, number(k));
	}
	if (remainder)
		return OP(f, SUB, a, OP(f, IMUL, q, number(size)));
	return negative ? OP(f, SUB, number(0), q) : q;
}

struct source divide(struct ir *f, struct source a, struct source b, bool is_signed, bool remainder)
{
	struct source q, r;

	ir_resolve(&a);
	ir_resolve(&b);
	if (b.kind == SOURCE_NUMBER && b.bits)
		return divide_by_number(f, a, b.bits, is_signed, remainder);
	if (!is_signed) {
		divide_unsigned(f, a, b, &q, &r);
		return remainder ? r : q;
	}
	struct source sa = OP(f, SAR, a, number(31)), sb = OP(f, SAR, b, number(31)), s = OP(f, XOR, sa, sb);
	struct source ua = OP(f, SUB, OP(f, XOR, a, sa), sa), ub = OP(f, SUB, OP(f, XOR, b, sb), sb);
	divide_unsigned(f, ua, ub, &q, &r);
	if (remainder)
		return OP(f, SUB, OP(f, XOR, r, sa), sa);
	q = OP(f, SUB, OP(f, XOR, q, s), s);
	return OP(f, OR, q, ir_setw(f, IR_SET, COND_E, PTX_U32, b, number(0)));
}
