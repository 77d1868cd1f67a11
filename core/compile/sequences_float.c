/* Programs for functions of floats that are rounded once: f32 in f64 where the chip has f64, else in integers; f64 by
 * improved estimates. Each ends with an exact remainder that says which neighbour is right. */
#include "core/compile/lower.h"

enum { SIGN = 0x7fffffff };              /* all bits but the sign */
enum { ONE = 0x3f800000, INFINITE = 0x7f800000, DOUBLE_ONE = 0x3ff00000, DOUBLE_INFINITE = 0x7ff00000 };

/* ---- pieces ---- */

static struct source product32(struct lowering *l, struct source a, struct source b)
{
	struct source p = TYPED(l->f, FMUL, PTX_F32, a, b);

	p.value->def->round = ROUND_RN;
	return p;
}

static struct source sum32(struct lowering *l, struct source a, struct source b)
{
	struct source p = TYPED(l->f, FADD, PTX_F32, a, b);

	p.value->def->round = ROUND_RN;
	return p;
}

static struct source doubles(struct lowering *l, enum ir_op op, enum rounding r, unsigned n, const struct source *s)
{
	struct source d = ir_typed(l->f, op, PTX_F64, n, s);

	d.value->def->round = r;
	return d;
}

static struct source mul_d(struct lowering *l, struct source a, struct source b)
{
	return doubles(l, IR_DMUL, ROUND_RN, 2, (struct source[]){ a, b });
}

static struct source add_d(struct lowering *l, struct source a, struct source b)
{
	return doubles(l, IR_DADD, ROUND_RN, 2, (struct source[]){ a, b });
}

static struct source fma_d(struct lowering *l, struct source a, struct source b, struct source c)
{
	return doubles(l, IR_DFMA, ROUND_RN, 3, (struct source[]){ a, b, c });
}

static struct source minus(struct source s)
{
	s.neg = !s.neg;
	return s;
}

/* The f64 with an upper word; the lower one is 0. */
static struct source double_of(struct lowering *l, struct source high)
{
	return pack(l, (struct wide){ number(0), high });
}

static struct source field(struct ir *f, struct source word, unsigned shift, uint32_t mask)
{
	return OP(f, AND, OP(f, SHR, word, number(shift)), number(mask));
}

/* All ones where the test holds, else 0. */
static struct source below(struct ir *f, enum cond c, enum ptx_type t, struct source a, uint32_t b)
{
	return ir_setw(f, IR_SET, c, t, a, number(b));
}

/* An exponent field that is neither 0 nor `top`. */
static struct source ordinary(struct ir *f, struct source exponent, uint32_t top)
{
	return below(f, COND_L, PTX_U32, OP(f, SUB, exponent, number(1)), top - 1);
}

/* ---- f32 by f64 ---- */

/* f32 as f64: denormals are zeros to the instructions of f32, not to this conversion. */
static struct source as_double(struct lowering *l, struct source s)
{
	return ir_cvt(l->f, PTX_F64, PTX_F32, ROUND_NONE, product32(l, s, number(ONE)));
}

static struct source as_float(struct lowering *l, struct source d, enum rounding r)
{
	return product32(l, ir_cvt(l->f, PTX_F32, PTX_F64, r, d), number(ONE));
}

/* a * b + c: the product is exact in f64; the sum is rounded to odd, and the second rounding is right: the upper and
 * the lower neighbour of an inexact sum differ in the last bit. */
static struct source fma_by_double(struct lowering *l, struct source a, struct source b, struct source c)
{
	struct ir *f = l->f;
	struct source p = mul_d(l, as_double(l, a), as_double(l, b));
	struct source terms[] = { p, as_double(l, c) };
	struct source cut = doubles(l, IR_DADD, ROUND_RZ, 2, terms);
	struct source up = doubles(l, IR_DADD, ROUND_RP, 2, terms), down = doubles(l, IR_DADD, ROUND_RM, 2, terms);
	struct source odd = OP(f, AND, OP(f, XOR, word_of(up.value, 0), word_of(down.value, 0)), number(1));

	return as_float(l, pack(l, (struct wide){ OP(f, OR, word_of(cut.value, 0), odd), word_of(cut.value, 1) }),
			ROUND_RN);
}

/* A quotient of f64 has more than twice the bits of f32, and is no f32 unless the true quotient is the same: rounding
 * twice is right, in any direction. */
static struct source divide_by_double(struct lowering *l, struct source a, struct source b, enum rounding direction)
{
	struct ir *f = l->f;
	struct source x = as_double(l, a), y = as_double(l, b);
	struct source size = b;
	if (b.kind == SOURCE_NUMBER)
		size.bits &= SIGN;
	else
		size.abs = true;
	/* Beyond 2^126 the reciprocal would be flushed: of a quarter of the divisor, a quarter of the reciprocal. */
	struct source big = ir_set(f, IR_FSET, COND_G, PTX_F32, size, number(0x7e800000));
	struct source quarter = ir_select(f, big, number(0x3e800000), number(ONE));
	struct source scaled = product32(l, b, quarter), rb = ir_typed(f, IR_RCP, PTX_F32, 1, &scaled);
	struct source simple = product32(l, a, rb);
	struct source r = mul_d(l, ir_cvt(f, PTX_F64, PTX_F32, ROUND_NONE, rb),
				ir_cvt(f, PTX_F64, PTX_F32, ROUND_NONE, quarter));
	struct source one = double_of(l, number(DOUBLE_ONE));
	for (unsigned i = 0; i < 2; i++) /* 23, 46, over 53 bits */
		r = fma_d(l, r, fma_d(l, minus(y), r, one), r);
	struct source q = mul_d(l, x, r);
	q = fma_d(l, fma_d(l, minus(y), q, x), r, q);
	/* Where a number, the divisor or the reciprocal is 0, infinite or no number, the simple quotient is right. */
	struct source in = number(1);
	struct source parts[] = { rb, a };
	for (unsigned i = 0; i < 2; i++) {
		uint32_t number_of = parts[i].kind == SOURCE_NUMBER ? parts[i].bits & SIGN : ONE;
		if (number_of - 0x800000 >= INFINITE - 0x800000) /* a constant 0, infinity, or no number */
			return simple;
		if (parts[i].kind == SOURCE_NUMBER)
			continue;
		size = parts[i];
		size.abs = true;
		size.neg = false;
		struct source p = ir_set(f, IR_FSET, COND_LG, PTX_F32, parts[i], number(0));
		p = pred_logic(l, IR_AND, p, ir_set(f, IR_FSET, COND_L, PTX_F32, size, number(INFINITE)));
		in = in.kind == SOURCE_NUMBER ? p : pred_logic(l, IR_AND, in, p);
	}
	return ir_select(f, in, as_float(l, q, direction), simple);
}

/* The root by f32, improved twice in f64; 0, infinity and negative numbers as the machine's functions have them. */
static struct source root_by_double(struct lowering *l, struct source a, enum rounding direction)
{
	struct ir *f = l->f;
	struct source x = as_double(l, a), rs = ir_typed(f, IR_RSQRT, PTX_F32, 1, &a);
	struct source simple = ir_typed(f, IR_RCP, PTX_F32, 1, &rs), r = ir_cvt(f, PTX_F64, PTX_F32, ROUND_NONE, rs);
	struct source half = double_of(l, number(0x3fe00000));
	struct source g = mul_d(l, x, r), h = mul_d(l, r, half);

	for (unsigned i = 0; i < 2; i++) {
		struct source e = fma_d(l, minus(h), g, half);
		g = fma_d(l, g, e, g);
		h = fma_d(l, h, e, h);
	}
	g = fma_d(l, fma_d(l, minus(g), g, x), h, g);
	struct source in = pred_logic(l, IR_AND, ir_set(f, IR_FSET, COND_G, PTX_F32, simple, number(0)),
				      ir_set(f, IR_FSET, COND_L, PTX_F32, simple, number(INFINITE)));
	return ir_select(f, in, as_float(l, g, direction), simple);
}

/* ---- f32 by integers, for chips without f64 ---- */

/* t * 2^scale as f32, rounded once: bit 31 of t is set, bit 0 is set where anything was cut off. The conversion rounds
 * to nearest. Just below the smallest normal number the bits of a denormal are one fewer: all 24 bits set become the
 * smallest number there, as IEEE rounds; everything below is flushed. */
enum { LEAST_SCALE = -158 };             /* of numbers from 2^-127 to 2^-126 */

static struct source compose(struct lowering *l, struct source t, struct source scale)
{
	struct ir *f = l->f;

	t = OP(f, OR, t, OP(f, AND, below(f, COND_E, PTX_U32, scale, (uint32_t)LEAST_SCALE), number(0xff)));
	struct source rounded = ir_cvt(f, PTX_F32, PTX_U32, ROUND_RN, t);
	struct source exponent = OP(f, ADD, OP(f, SHR, rounded, number(23)), scale);
	struct source bits = OP(f, ADD, rounded, OP(f, SHL, scale, number(23)));

	bits = ir_select(f, ir_set(f, IR_SET, COND_GE, PTX_S32, exponent, number(255)), number(INFINITE), bits);
	return ir_select(f, ir_set(f, IR_SET, COND_LE, PTX_S32, exponent, number(0)), number(0), bits);
}

static struct source with_hidden_bit(struct ir *f, struct source a)
{
	return OP(f, OR, OP(f, AND, a, number(0x7fffff)), number(0x800000));
}

/* 1 where the word is not 0. */
static struct source some(struct ir *f, struct source word)
{
	return OP(f, AND, below(f, COND_LG, PTX_U32, word, 0), number(1));
}

static struct wide flip(struct ir *f, struct wide x, struct source mask) /* negated where mask is all ones */
{
	return sub64(f, (struct wide){ OP(f, XOR, x.lo, mask), OP(f, XOR, x.hi, mask) }, (struct wide){ mask, mask });
}

static struct wide choose(struct ir *f, struct source p, struct wide a, struct wide b)
{
	return (struct wide){ ir_select(f, p, a.lo, b.lo), ir_select(f, p, a.hi, b.hi) };
}

/* x shifted right; bit 0 is set where a bit is lost. */
static struct wide shift_jam(struct ir *f, struct wide x, struct source n)
{
	struct wide down = shift64(f, IR_SHR, x, n), back = shift64(f, IR_SHL, down, n);
	struct source lost = OP(f, OR, OP(f, XOR, back.lo, x.lo), OP(f, XOR, back.hi, x.hi));

	down.lo = OP(f, OR, down.lo, some(f, lost));
	return down;
}

/* a * b + c. Product and c stand in 62 of 64 bits; the one with the smaller exponent is shifted right, what is lost is
 * kept as one bit, 13 bits below the last that counts: a difference that cancels more than two bits has lost
 * none. The sum has at least one bit above them, is brought up to bit 63, and cut to 32 bits with a bit for the rest.
 */
static struct source fma_by_words(struct lowering *l, struct source a, struct source b, struct source c)
{
	struct ir *f = l->f;
	struct source ea = field(f, a, 23, 255), eb = field(f, b, 23, 255), ec = field(f, c, 23, 255);
	struct source factors = OP(f, AND, ordinary(f, ea, 255), ordinary(f, eb, 255));
	struct source in = OP(f, AND, factors, below(f, COND_L, PTX_U32, ec, 255));
	struct source ma = with_hidden_bit(f, a), mb = with_hidden_bit(f, b);
	struct source mc = OP(f, AND, with_hidden_bit(f, c), below(f, COND_LG, PTX_U32, ec, 0));
	struct wide p = { TYPED(f, MUL24, PTX_U32, ma, mb),
			  OP(f, SHR, TYPED(f, MUL24H, PTX_U32, ma, mb), number(16)) };
	p = shift64(f, IR_SHL, p, number(14));
	struct wide q = { number(0), OP(f, SHL, mc, number(6)) };
	struct source d = OP(f, SUB, OP(f, SUB, OP(f, ADD, ea, eb), ec), number(126));
	struct source first = ir_set(f, IR_SET, COND_GE, PTX_S32, d, number(0));
	struct source down = OP(f, SAR, d, number(31)),
		      differ = OP(f, SAR, OP(f, XOR, OP(f, XOR, a, b), c), number(31));
	struct wide x = choose(f, first, p, q), y = choose(f, first, q, p);
	struct source sign = ir_select(f, first, OP(f, XOR, a, b), c);
	struct source unit =
		OP(f, SUB, ir_select(f, first, OP(f, ADD, ea, eb), OP(f, ADD, ec, number(126))), number(314));
	struct wide sum = add64(f, x, flip(f, shift_jam(f, y, OP(f, SUB, OP(f, XOR, d, down), down)), differ));
	struct source negative = OP(f, SAR, sum.hi, number(31));
	sum = flip(f, sum, negative);
	sign = OP(f, AND, OP(f, XOR, sign, negative), number(~(uint32_t)SIGN));
	struct source zeros = leading_zeros64(f, sum);
	sum = shift64(f, IR_SHL, sum, zeros);
	struct source scale = OP(f, SUB, OP(f, ADD, unit, number(32)), zeros);
	struct source r = OP(f, OR, compose(l, OP(f, OR, sum.hi, some(f, sum.lo)), scale), sign);
	r = ir_select(f, ir_pred_of(f, sum.hi), r, number(0));
	/* With a 0, an infinity or no number among them, the machine's own product and sum are right. */
	struct source simple = product32(l, a, b);
	simple = sum32(l, ir_select(f, ir_pred_of(f, factors), number(0), simple), c);
	return ir_select(f, ir_pred_of(f, in), r, simple);
}

/* Quotient of integers. The first estimate has 24 bits and is at most 5 units off (reciprocal 1 unit in the last place,
 * products rounded), made smaller by 8, so that its remainder is above 0 and fits in a word; the second estimate,
 * of 2 more bits and rounded to nearest, is right or 1 above. */
static struct source divide_by_words(struct lowering *l, struct source a, struct source b)
{
	struct ir *f = l->f;
	struct source ea = OP(f, SUB, field(f, a, 23, 255), number(1)),
		      eb = OP(f, SUB, field(f, b, 23, 255), number(1));
	struct source ma = with_hidden_bit(f, a), mb = with_hidden_bit(f, b);
	struct source less =
		ir_set(f, IR_SET, COND_L, PTX_U32, ma, mb); /* the quotient is below 1: twice the dividend */
	ma = ir_select(f, less, OP(f, SHL, ma, number(1)), ma);
	struct source fa = ir_cvt(f, PTX_F32, PTX_U32, ROUND_RN, ma), fb = ir_cvt(f, PTX_F32, PTX_U32, ROUND_RN, mb);
	struct source rb = ir_typed(f, IR_RCP, PTX_F32, 1, &fb),
		      q = product32(l, product32(l, fa, rb), number(0x4b000000));
	q = OP(f, SUB, ir_cvt(f, PTX_U32, PTX_F32, ROUND_RZI, q), number(8));
	struct source r = OP(f, SUB, OP(f, SHL, ma, number(23)), TYPED(f, MUL24, PTX_U32, q, mb));
	r = OP(f, SHL, r, number(2));
	struct source more = product32(l, ir_cvt(f, PTX_F32, PTX_U32, ROUND_RN, r), rb);
	more = ir_cvt(f, PTX_U32, PTX_F32, ROUND_RNI, more);
	r = OP(f, SUB, r, TYPED(f, MUL24, PTX_U32, more, mb));
	q = OP(f, ADD, OP(f, ADD, OP(f, SHL, q, number(2)), more), OP(f, SAR, r, number(31)));
	struct source scale = OP(f, ADD, OP(f, ADD, OP(f, SUB, ea, eb), number(-31u)), ir_mask_of(f, less));
	struct source exact = compose(l, OP(f, OR, OP(f, SHL, q, number(6)), some(f, r)), scale);
	struct source in = ir_set(f, IR_SET, COND_L, PTX_U32, TYPED(f, MAX, PTX_U32, ea, eb), number(254));
	/* Else a 0, an infinity or no number is among them. The reciprocal root of the divisor is 0, infinite or no
	 * number where the reciprocal is, and is never flushed. */
	struct source size = b;
	size.abs = true;
	if (b.kind == SOURCE_NUMBER)
		size = number(b.bits & SIGN);
	struct source rs = ir_typed(f, IR_RSQRT, PTX_F32, 1, &size);
	struct source signed_a = OP(f, XOR, a, OP(f, AND, b, number(~(uint32_t)SIGN)));
	exact = OP(f, OR, exact, OP(f, AND, signed_a, number(~(uint32_t)SIGN)));
	return ir_select(f, in, exact, product32(l, signed_a, rs));
}

/* Root of an integer, of 25 bits. The first estimate is at most 10 units off (reciprocal root 2 units in the last
 * place), so its remainder fits in a word; the second, rounded to nearest, is right or 1 above. */
static struct source root_by_words(struct lowering *l, struct source a)
{
	struct ir *f = l->f;
	struct source e = field(f, a, 23, 255), m = with_hidden_bit(f, a);
	struct source even = OP(f, AND, OP(f, XOR, e, number(1)), number(1)); /* of the field: an odd power of two */
	struct source x = OP(f, OR, OP(f, AND, a, number(0x7fffff)),
			     OP(f, ADD, number(175u << 23), OP(f, SHL, even, number(23))));
	struct source rs = ir_typed(f, IR_RSQRT, PTX_F32, 1, &x);
	struct source s = ir_cvt(f, PTX_U32, PTX_F32, ROUND_RZI, product32(l, x, rs));
	struct source r = OP(f, SUB, OP(f, SHL, m, OP(f, ADD, even, number(25))), OP(f, IMUL, s, s));
	struct source more =
		product32(l, ir_cvt(f, PTX_F32, PTX_S32, ROUND_RN, r), product32(l, rs, number(0x3f000000)));
	more = ir_cvt(f, PTX_S32, PTX_F32, ROUND_RNI, more);
	r = OP(f, SUB, r, OP(f, IMUL, more, OP(f, ADD, OP(f, SHL, s, number(1)), more)));
	s = OP(f, ADD, OP(f, ADD, s, more), OP(f, SAR, r, number(31)));
	struct source t = OP(f, OR, OP(f, SHL, s, number(7)), some(f, r));
	struct source exponent = OP(f, ADD, OP(f, SHR, OP(f, ADD, e, number(1)), number(1)), number(63 - 158));
	struct source exact = OP(f, ADD, ir_cvt(f, PTX_F32, PTX_U32, ROUND_RN, t), OP(f, SHL, exponent, number(23)));
	struct source simple = ir_typed(f, IR_RSQRT, PTX_F32, 1, &a);
	simple = ir_typed(f, IR_RCP, PTX_F32, 1, &simple);
	/* Of 0, infinity, numbers below 0 and no numbers, the machine's functions are right. */
	struct source in = below(f, COND_L, PTX_U32, OP(f, SUB, a, number(0x800000)), 0x7f000000);
	return ir_select(f, ir_pred_of(f, in), exact, simple);
}

struct source fma32(struct lowering *l, struct source a, struct source b, struct source c)
{
	return l->f->target.sm < 13 ? fma_by_words(l, a, b, c) : fma_by_double(l, a, b, c);
}

struct source divide32(struct lowering *l, struct source a, struct source b, enum rounding r)
{
	return l->f->target.sm < 13 ? divide_by_words(l, a, b) : divide_by_double(l, a, b, r);
}

struct source root32(struct lowering *l, struct source a, enum rounding r)
{
	return l->f->target.sm < 13 ? root_by_words(l, a) : root_by_double(l, a, r);
}

/* 64 bits as f32: a word with a bit for the rest is rounded by the conversion of words. */
struct source float_of64(struct lowering *l, struct wide x, bool is_signed, enum rounding r)
{
	struct ir *f = l->f;
	struct source sign = is_signed ? OP(f, SAR, x.hi, number(31)) : number(0);

	x = flip(f, x, sign);
	struct source zeros = leading_zeros64(f, x);
	x = shift64(f, IR_SHL, x, zeros);
	struct source t = OP(f, OR, x.hi, some(f, x.lo)), rounded = ir_cvt(f, PTX_F32, PTX_U32, r, t);
	if (is_signed && (r == ROUND_RM || r == ROUND_RP))
		rounded = ir_select(f, ir_pred_of(f, sign),
				    ir_cvt(f, PTX_F32, PTX_U32, r == ROUND_RM ? ROUND_RP : ROUND_RM, t), rounded);
	rounded = OP(f, ADD, rounded, OP(f, SHL, OP(f, SUB, number(32), zeros), number(23)));
	rounded = OP(f, AND, rounded, below(f, COND_LG, PTX_U32, t, 0));
	return OP(f, OR, rounded, OP(f, AND, sign, number(~(uint32_t)SIGN)));
}

/* f32, rounded to an integer by r, as 64 bits: clamped; no number is 2^63, as on chips that have the instruction. */
struct wide words_of_float(struct lowering *l, struct source a, bool is_signed, enum rounding r)
{
	struct ir *f = l->f;
	struct source x = ir_cvt(f, PTX_F32, PTX_F32, r, a), e = field(f, x, 23, 255), m = with_hidden_bit(f, x);
	struct source negative = OP(f, SAR, x, number(31)), top = number(is_signed ? SIGN : ~0u);
	struct wide v = shift64(f, IR_SHL, (struct wide){ m, number(0) }, OP(f, SUB, e, number(150)));

	v.lo = OP(f, OR, v.lo, OP(f, SHR, m, OP(f, SUB, number(150), e)));
	struct source over = ir_set(f, IR_SET, COND_GE, PTX_U32, e, number(is_signed ? 190 : 191));
	v = choose(f, over, (struct wide){ number(~0u), top }, v);
	if (is_signed) /* the negative of 2^63 - 1 is one too many */
		v = choose(f, ir_pred_of(f, OP(f, AND, negative, below(f, COND_GE, PTX_U32, e, 190))),
			   (struct wide){ number(0), number(~(uint32_t)SIGN) }, flip(f, v, negative));
	else
		v = choose(f, ir_pred_of(f, negative), (struct wide){ number(0), number(0) }, v);
	struct source nan = ir_set(f, IR_FSET, COND_U, PTX_F32, a, a);
	return choose(f, nan, (struct wide){ number(0), number(~(uint32_t)SIGN) }, v);
}

/* ---- f64 ---- */

/* A number in [1, 2) with the fraction of another one, or in [1, 4), and the biased exponent that was taken away. */
struct parts { struct source exponent; struct wide bits; };

/* `even`: in [1, 4), by an even power of two. A denormal is brought up first. */
static struct parts take_apart(struct lowering *l, struct wide d, bool even)
{
	struct ir *f = l->f;
	struct source tiny = below(f, COND_E, PTX_U32, field(f, d.hi, 20, 0x7ff), 0);
	struct source scaled = mul_d(l, pack(l, d), double_of(l, number(0x43500000))); /* 2^54 */
	struct source is_tiny = ir_pred_of(f, tiny);
	struct wide x = choose(f, is_tiny, (struct wide){ word_of(scaled.value, 0), word_of(scaled.value, 1) }, d);
	struct source e = OP(f, SUB, field(f, x.hi, 20, 0x7ff), OP(f, AND, tiny, number(54)));

	if (even) {
		struct source odd = OP(f, AND, OP(f, XOR, e, number(1)), number(1));
		x.hi = OP(f, OR, OP(f, AND, x.hi, number(0xfffff)),
			  OP(f, ADD, number(DOUBLE_ONE), OP(f, SHL, odd, number(20))));
		e = OP(f, SUB, e, odd);
	} else {
		x.hi = OP(f, OR, OP(f, AND, x.hi, number(0xfffff)), number(DOUBLE_ONE));
	}
	return (struct parts){ e, x };
}

static struct source is_ordinary64(struct ir *f, struct wide d)
{
	struct source e = field(f, d.hi, 20, 0x7ff);
	struct source zero = OP(f, OR, OP(f, AND, d.hi, number(SIGN)), d.lo);

	return OP(f, AND, below(f, COND_L, PTX_U32, e, 0x7ff), below(f, COND_LG, PTX_U32, zero, 0));
}

/* 2^n for n from -1022 to 1023. */
static struct source power_of_two(struct lowering *l, struct source n)
{
	return double_of(l, OP(l->f, SHL, OP(l->f, ADD, n, number(1023)), number(20)));
}

/* Where numbers with a sign are rounded away from 0: all ones; else 0. */
static struct source away(struct ir *f, enum rounding r, struct source sign)
{
	struct source negative = OP(f, SAR, sign, number(31));

	return r == ROUND_RM ? negative : r == ROUND_RP ? OP(f, NOTB, negative) : number(0);
}

/* From the number next to a quotient or root to the one in direction r: all ones in *up for one unit up, in *down for
 * one unit down. rest: more than 0 where the number is below the quotient. */
static void steps_in_direction(struct lowering *l, enum rounding r, struct source sign, struct source rest,
			       struct source *up, struct source *down)
{
	struct ir *f = l->f;
	struct source zero = double_of(l, number(0)), out = away(f, r, sign);

	*up = OP(f, AND, ir_setw(f, IR_DSET, COND_G, PTX_F64, rest, zero), out);
	*down = OP(f, AND, ir_setw(f, IR_DSET, COND_L, PTX_F64, rest, zero), OP(f, NOTB, out));
}

/* h and a unit, whose upper word is `unit`: one up, one down or none. */
static struct source stepped(struct lowering *l, struct source h, struct source unit, struct source up,
			     struct source down)
{
	struct ir *f = l->f;
	struct source step = OP(f, OR, OP(f, AND, OP(f, OR, up, down), unit),
				OP(f, AND, down, number(~(uint32_t)SIGN)));

	return add_d(l, h, double_of(l, step));
}

/* The quotient of numbers in [1, 2), the smaller one doubled if it is above: q in [1, 2]. The estimate, of three
 * steps by f32's reciprocal, is less than a unit off; u is the unit of the result's last place, larger for a denormal
 * result. h is the multiple of u next to the estimate, r its exact remainder: h is a neighbour of the quotient,
 * and r against half a unit says whether another one is nearer. A quotient in the middle is h's own rounding to even:
 * it has few bits, so that the estimate was exact. Then h times the power of two is exact, or the last product rounds
 * in the direction: of numbers beyond the largest and below the least one. */
static struct source quotient64(struct lowering *l, struct wide a, struct wide b, struct source sign,
				enum rounding way)
{
	struct ir *f = l->f;
	struct parts x = take_apart(l, a, false), y = take_apart(l, b, false);
	struct source less = ir_mask_of(f, less64(f, COND_L, PTX_U64, x.bits, y.bits));
	struct source n = OP(f, ADD, OP(f, SUB, x.exponent, y.exponent), less); /* the quotient is q 2^n */
	struct source da =
		pack(l, (struct wide){ x.bits.lo, OP(f, ADD, x.bits.hi, OP(f, AND, less, number(1 << 20))) });
	struct source db = pack(l, y.bits), one = double_of(l, number(DOUBLE_ONE));
	struct source estimate = ir_cvt(f, PTX_F32, PTX_F64, ROUND_RN, db);
	struct source r = ir_cvt(f, PTX_F64, PTX_F32, ROUND_NONE, ir_typed(f, IR_RCP, PTX_F32, 1, &estimate));

	for (unsigned i = 0; i < 2; i++)
		r = fma_d(l, r, fma_d(l, minus(db), r, one), r);
	struct source q = mul_d(l, da, r);
	q = fma_d(l, fma_d(l, minus(db), q, da), r, q);
	/* u = 2^max(-52, -1074 - n), at most 2. */
	struct source power = TYPED(f, MAX, PTX_S32, number(-52u), OP(f, SUB, number(-1074u), n));
	power = TYPED(f, MIN, PTX_S32, power, number(1));
	struct source high = OP(f, SHL, OP(f, ADD, power, number(1023)), number(20));
	struct source c = double_of(l, OP(f, ADD, high, number((52 << 20) + 0x80000))); /* 1.5 2^52 u */
	struct source h = add_d(l, add_d(l, q, c), minus(c));
	struct source rest = fma_d(l, minus(db), h, da);
	struct source half = mul_d(l, db, double_of(l, OP(f, SUB, high, number(1 << 20))));
	struct source up = ir_setw(f, IR_DSET, COND_G, PTX_F64, rest, half);
	struct source down = ir_setw(f, IR_DSET, COND_L, PTX_F64, rest, minus(half));
	h = stepped(l, h, high, up, down);
	if (way > ROUND_RN) {
		steps_in_direction(l, way, sign, fma_d(l, minus(db), h, da), &up, &down);
		h = stepped(l, h, high, up, down);
	}
	struct wide signed_h = { word_of(h.value, 0), OP(f, OR, word_of(h.value, 1), sign) };
	n = TYPED(f, MIN, PTX_S32, TYPED(f, MAX, PTX_S32, n, number(-1200u)), number(1100));
	struct source first = OP(f, SAR, n, number(1));
	h = mul_d(l, pack(l, signed_h), power_of_two(l, first));
	return doubles(l, IR_DMUL, way ? way : ROUND_RN, 2,
		       (struct source[]){ h, power_of_two(l, OP(f, SUB, n, first)) });
}

/* With a 0, an infinity or no number: the product with a reciprocal that has the right kind. */
static struct source special_quotient(struct lowering *l, struct wide a, struct wide b)
{
	struct ir *f = l->f;
	struct source e = field(f, b.hi, 20, 0x7ff), sign = OP(f, AND, b.hi, number(~(uint32_t)SIGN));
	struct source size = OP(f, AND, b.hi, number(SIGN));
	struct source fraction = OP(f, OR, b.lo, OP(f, AND, b.hi, number(0xfffff)));
	struct source infinite =
		OP(f, AND, below(f, COND_E, PTX_U32, e, 0x7ff), below(f, COND_E, PTX_U32, fraction, 0));
	struct source nan = OP(f, AND, below(f, COND_E, PTX_U32, e, 0x7ff), below(f, COND_LG, PTX_U32, fraction, 0));
	struct source zero = below(f, COND_E, PTX_U32, OP(f, OR, size, b.lo), 0);
	struct source kind = ir_select(f, ir_pred_of(f, zero), number(DOUBLE_INFINITE), number(DOUBLE_ONE));

	kind = ir_select(f, ir_pred_of(f, infinite), number(0), kind);
	kind = ir_select(f, ir_pred_of(f, nan), number(0x7ff80000), kind);
	return mul_d(l, pack(l, a), double_of(l, OP(f, OR, kind, sign)));
}

static struct wide words(struct source d) { return (struct wide){ word_of(d.value, 0), word_of(d.value, 1) }; }

struct wide divide_f64(struct lowering *l, struct wide a, struct wide b, enum rounding r)
{
	struct ir *f = l->f;
	struct source sign = OP(f, AND, OP(f, XOR, a.hi, b.hi), number(~(uint32_t)SIGN));
	struct source in = OP(f, AND, is_ordinary64(f, a), is_ordinary64(f, b));
	struct source q = quotient64(l, a, b, sign, r), simple = special_quotient(l, a, b);

	return choose(f, ir_pred_of(f, in), words(q), words(simple));
}

/* 1 / root of x in [1, 4), less than a unit off; *root the root. */
static struct source reciprocal_root(struct lowering *l, struct source x, struct source *root)
{
	struct ir *f = l->f;
	struct source estimate = ir_cvt(f, PTX_F32, PTX_F64, ROUND_RN, x), half = double_of(l, number(0x3fe00000));
	struct source r = ir_cvt(f, PTX_F64, PTX_F32, ROUND_NONE, ir_typed(f, IR_RSQRT, PTX_F32, 1, &estimate));
	struct source g = mul_d(l, x, r), h = mul_d(l, r, half);

	for (unsigned i = 0; i < 2; i++) {
		struct source e = fma_d(l, minus(h), g, half);
		g = fma_d(l, g, e, g);
		h = fma_d(l, h, e, h);
	}
	*root = fma_d(l, fma_d(l, minus(g), g, x), h, g);
	return add_d(l, h, h);
}

/* The number above, below, or the same. */
static struct wide next_to(struct ir *f, struct wide g, struct source up, struct source down)
{
	return add64(f, g, (struct wide){ OP(f, OR, OP(f, AND, up, number(1)), down), down });
}

/* The root g of x in [1, 4) is in [1, 2), of unit u. g is a neighbour of the root, and r = x - g g is exact. The root
 * is below g + u/2 where r < g u + u u/4; r and g u are multiples of u u, so that r <= g u says the same. */
struct wide root_f64(struct lowering *l, struct wide a, enum rounding way)
{
	struct ir *f = l->f;
	struct parts x = take_apart(l, a, true);
	struct source d = pack(l, x.bits), g;

	reciprocal_root(l, d, &g);
	struct source r = fma_d(l, minus(g), g, d), unit = mul_d(l, g, double_of(l, number((1023 - 52) << 20)));
	struct source up = ir_setw(f, IR_DSET, COND_G, PTX_F64, r, unit);
	struct source down = ir_setw(f, IR_DSET, COND_LE, PTX_F64, r, minus(unit));
	struct wide to = next_to(f, words(g), up, down);
	if (way > ROUND_RN) {
		g = pack(l, to);
		steps_in_direction(l, way, number(0), fma_d(l, minus(g), g, d), &up, &down);
		to = next_to(f, to, up, down);
	}
	struct source n = OP(f, SAR, OP(f, SUB, x.exponent, number(1023)), number(1));
	to.hi = OP(f, ADD, to.hi, OP(f, SHL, n, number(20)));
	/* 0 stays, infinity and no number, too; of numbers below 0 there is no root. */
	struct source plain = add_d(l, pack(l, a), pack(l, a));
	struct source zero = below(f, COND_E, PTX_U32, OP(f, OR, OP(f, AND, a.hi, number(SIGN)), a.lo), 0);
	struct source lost = OP(f, AND, OP(f, SAR, a.hi, number(31)), OP(f, NOTB, zero));
	struct wide rest = words(plain);
	rest.hi = OP(f, OR, rest.hi, OP(f, AND, lost, number(0x7ff80000)));
	struct source in = OP(f, AND, is_ordinary64(f, a), OP(f, NOTB, OP(f, SAR, a.hi, number(31))));
	return choose(f, ir_pred_of(f, in), to, rest);
}

/* 1 / root, at most 2 units off. */
struct wide reciprocal_root_f64(struct lowering *l, struct wide a)
{
	struct ir *f = l->f;
	struct parts x = take_apart(l, a, true);
	struct source g, d = pack(l, x.bits);
	struct wide r = words(reciprocal_root(l, d, &g));
	struct source n = OP(f, SAR, OP(f, SUB, number(1023), x.exponent), number(1));
	r.hi = OP(f, ADD, r.hi, OP(f, SHL, n, number(20)));
	/* Of 0 infinity, of infinity 0, of numbers below 0 none. */
	struct wide one = { number(0), number(DOUBLE_ONE) };
	struct wide rest = words(special_quotient(l, one, a));
	struct source zero = below(f, COND_E, PTX_U32, OP(f, OR, OP(f, AND, a.hi, number(SIGN)), a.lo), 0);
	struct source negative = OP(f, SAR, a.hi, number(31));
	rest.hi = OP(f, OR, rest.hi, OP(f, AND, OP(f, AND, negative, OP(f, NOTB, zero)), number(0x7ff80000)));
	struct source in = OP(f, AND, is_ordinary64(f, a), OP(f, NOTB, negative));
	return choose(f, ir_pred_of(f, in), r, rest);
}

/* ---- halves ---- */

struct source half_as_float(struct ir *f, enum ptx_type t, struct source half)
{
	if (t == PTX_F16)
		return ir_cvt(f, PTX_F32, PTX_F16, ROUND_NONE, half);
	return OP(f, SHL, half, number(16)); /* a bf16 is the upper half of an f32 */
}

struct source float_as_half(struct ir *f, enum ptx_type t, enum rounding r, struct source s)
{
	if (t == PTX_F16)
		return ir_cvt(f, PTX_F16, PTX_F32, r, s);
	struct source odd = OP(f, AND, OP(f, SHR, s, number(16)), number(1)), bits = s;
	if (r == ROUND_RN) /* a half, and more where the last bit kept is 1 */
		bits = OP(f, ADD, s, OP(f, ADD, odd, number(0x7fff)));
	struct source none = ir_set(f, IR_FSET, COND_U, PTX_F32, s, s);
	return ir_select(f, none, number(0x7fff), OP(f, SHR, bits, number(16)));
}

struct source rectified(struct lowering *l, struct source s)
{
	struct ir *f = l->f;

	return ir_select(f, ir_set(f, IR_FSET, COND_LE, PTX_F32, s, number(0)), number(0), s);
}
