/* Floating point instructions and conversions. */
#include "core/compile/lower.h"

#include <string.h>

/* The machine's clamp lets NaNs through, ISA's does not: the greater one of NaN and 0 is 0. */
static struct source without_nan(struct ir *f, struct source clamped)
{
	return TYPED(f, FMAX, PTX_F32, clamped, number(0));
}

struct source saturated(struct lowering *l, struct source s)
{
	s = ir_cvt(l->f, PTX_F32, PTX_F32, ROUND_NONE, s);
	s.value->def->sat = true;
	return without_nan(l->f, s);
}

static struct source float_op(struct lowering *l, const struct words *w, enum ir_op op, unsigned n,
			      const struct source *s)
{
	struct source r = ir_typed(l->f, op, PTX_F32, n, s);
	struct ir_insn *i = r.value->def;

	if (op == IR_FADD || op == IR_FMUL)
		i->round = w->round ? w->round : ROUND_RN;
	if (!(w->mods & MOD_SAT))
		return r;
	if (op == IR_FMUL && l->f->target.sm < 12) /* the bit means nothing there */
		return saturated(l, r);
	i->sat = true;
	return without_nan(l->f, r);
}

static struct source double_op(struct lowering *l, const struct words *w, enum ir_op op, unsigned n,
			       const struct source *s)
{
	struct source r = ir_typed(l->f, op, PTX_F64, n, s);

	r.value->def->round = w->round ? w->round : ROUND_RN;
	return r;
}

static struct source minus(struct source s)
{
	if (s.kind == SOURCE_NUMBER)
		s.bits ^= 1u << 31;
	else
		s.neg = !s.neg;
	return s;
}

static struct source plain_mul(struct lowering *l, enum rounding r, struct source a, struct source b)
{
	struct source p = TYPED(l->f, FMUL, PTX_F32, a, b);

	p.value->def->round = r;
	return p;
}

/* Denormals become zeros. */
static struct source flushed(struct lowering *l, struct source s)
{
	return plain_mul(l, ROUND_RN, s, number(0x3f800000));
}

/* An operation of f32 rounded in a direction that the machine has for f64 alone: twice in one direction is once. */
static void directed(struct lowering *l, const struct words *w, enum ir_op op)
{
	struct source s[3];
	unsigned n = op == IR_DFMA ? 3 : 2;

	lower_needs(l, w->n, 13, NULL);
	for (unsigned k = 0; k < n; k++)
		s[k] = ir_cvt(l->f, PTX_F64, PTX_F32, ROUND_NONE, flushed(l, get(l, w, k + 1, PTX_F32)));
	if (w->op[0] == 's')
		s[1].neg = true;
	struct source r = flushed(l, ir_cvt(l->f, PTX_F32, PTX_F64, w->round, double_op(l, w, op, n, s)));
	put(l, w, 0, PTX_F32, w->mods & MOD_SAT ? saturated(l, r) : r);
}

static bool up_or_down(const struct words *w) { return w->round == ROUND_RM || w->round == ROUND_RP; }

static void lower_fadd(struct lowering *l, const struct words *w)
{
	bool subtract = w->op[0] == 's';

	if (w->type[0] == PTX_F64) {
		struct source a = get_double(l, w, 1), b = get_double(l, w, 2);
		b.neg = subtract;
		put_double(l, w, 0, double_op(l, w, IR_DADD, 2, (struct source[]){ a, b }));
		return;
	}
	if (up_or_down(w)) {
		directed(l, w, IR_DADD);
		return;
	}
	struct source a = get(l, w, 1, PTX_F32), b = get(l, w, 2, PTX_F32);
	put(l, w, 0, PTX_F32, float_op(l, w, IR_FADD, 2, (struct source[]){ a, subtract ? minus(b) : b }));
}

static void lower_fmul(struct lowering *l, const struct words *w)
{
	if (w->type[0] == PTX_F64) {
		put_double(l, w, 0,
			   double_op(l, w, IR_DMUL, 2, (struct source[]){ get_double(l, w, 1), get_double(l, w, 2) }));
		return;
	}
	if (up_or_down(w)) {
		directed(l, w, IR_DMUL);
		return;
	}
	put(l, w, 0, PTX_F32,
	    float_op(l, w, IR_FMUL, 2, (struct source[]){ get(l, w, 1, PTX_F32), get(l, w, 2, PTX_F32) }));
}

static void lower_fmad(struct lowering *l, const struct words *w)
{
	if (w->type[0] == PTX_F64) {
		struct source s[] = { get_double(l, w, 1), get_double(l, w, 2), get_double(l, w, 3) };
		put_double(l, w, 0, double_op(l, w, IR_DFMA, 3, s));
		return;
	}
	bool once = (w->op[0] == 'f' || (w->round && l->m->version >= 20)) && !l->f->target.fma_mad;
	if (once && w->round > ROUND_RN) {
		directed(l, w, IR_DFMA);
		return;
	}
	struct source s[] = { get(l, w, 1, PTX_F32), get(l, w, 2, PTX_F32), get(l, w, 3, PTX_F32) };
	struct source r = once ? fma32(l, s[0], s[1], s[2]) : float_op(l, w, IR_FMAD, 3, s);
	put(l, w, 0, PTX_F32, once && w->mods & MOD_SAT ? saturated(l, r) : r);
}

static bool has_other(const struct words *w, const char *word)
{
	for (unsigned i = 0; i < w->nother; i++)
		if (!strcmp(w->other[i], word))
			return true;
	return false;
}

struct source least_or_greatest(struct lowering *l, const struct words *w, struct source a, struct source b)
{
	enum ir_op op = w->op[1] == 'i' ? IR_FMIN : IR_FMAX;
	struct ir *f = l->f;
	bool sizes = has_other(w, "abs");
	struct source x = a, y = b;

	if (sizes) {
		x = OP(f, AND, a, number(~0u >> 1));
		y = OP(f, AND, b, number(~0u >> 1));
	}
	struct source r = ir_typed(f, op, PTX_F32, 2, (struct source[]){ x, y });
	if (sizes) /* the sign of the product */
		r = OP(f, OR, r, OP(f, AND, OP(f, XOR, a, b), number(1u << 31)));
	if (has_other(w, "NaN"))
		r = ir_select(f, ir_set(f, IR_FSET, COND_U, PTX_F32, a, b), number(0x7fffffff), r);
	return r;
}

static void lower_fminmax(struct lowering *l, const struct words *w)
{
	bool min = w->op[1] == 'i';

	if (w->type[0] == PTX_F64)
		put_double(l, w, 0,
			   double_op(l, w, min ? IR_DMIN : IR_DMAX, 2,
				     (struct source[]){ get_double(l, w, 1), get_double(l, w, 2) }));
	else
		put(l, w, 0, PTX_F32, least_or_greatest(l, w, get(l, w, 1, PTX_F32), get(l, w, 2, PTX_F32)));
}

static void lower_fneg(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	bool negate = w->op[0] == 'n';

	if (w->type[0] == PTX_F64) {
		struct wide a = get_wide(l, w, 1, PTX_F64);
		a.hi = negate ? OP(f, XOR, a.hi, number(1u << 31)) : OP(f, AND, a.hi, number(~0u >> 1));
		put_wide(l, w, 0, a);
		return;
	}
	struct source a = get(l, w, 1, PTX_F32);
	ir_resolve(&a);
	if (a.kind == SOURCE_NUMBER) {
		put(l, w, 0, PTX_F32, number(negate ? a.bits ^ 1u << 31 : a.bits & ~0u >> 1));
		return;
	}
	struct source r = ir_cvt(f, PTX_F32, PTX_F32, ROUND_NONE, a);
	r.value->def->negate = negate;
	r.value->def->absolute = !negate;
	put(l, w, 0, PTX_F32, r);
}

/* ---- functions of f32 ---- */

/* A result that .sat clamps to [0, 1]. */
static void put_saturated(struct lowering *l, const struct words *w, struct source s)
{
	put(l, w, 0, PTX_F32, w->mods & MOD_SAT ? saturated(l, s) : s);
}

/* Quotients and roots of f32 are rounded in other directions by f64. */
static void directions_by_double(struct lowering *l, const struct words *w)
{
	if (w->round > ROUND_RN)
		lower_needs(l, w->n, 13, NULL);
}

/* The upper word of an f64 whose denormals are zeros. */
static struct source flushed_high(struct ir *f, struct source high)
{
	struct source exponent = OP(f, AND, high, number(0x7ff00000));
	struct source zero = ir_set(f, IR_SET, COND_E, PTX_U32, exponent, number(0));

	return ir_select(f, zero, OP(f, AND, high, number(1u << 31)), high);
}

/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: the lower words of source and result are 0, and denormals are zeros. */
static void gross_function_f64(struct lowering *l, const struct words *w)
{
	struct wide a = { number(0), flushed_high(l->f, get_wide(l, w, 1, PTX_F64).hi) };
	struct wide one = { number(0), number(0x3ff00000) };
	struct wide d = w->op[1] == 'c' ? divide_f64(l, one, a, ROUND_RN) : reciprocal_root_f64(l, a);

	put_wide(l, w, 0, (struct wide){ number(0), flushed_high(l->f, d.hi) });
}

static void function_f64(struct lowering *l, const struct words *w)
{
	struct wide a = get_wide(l, w, 1, PTX_F64), one = { number(0), number(0x3ff00000) };

	if (w->mods & MOD_FTZ)
		gross_function_f64(l, w);
	else if (!strcmp(w->op, "rcp"))
		put_wide(l, w, 0, divide_f64(l, one, a, w->round));
	else if (!strcmp(w->op, "sqrt"))
		put_wide(l, w, 0, root_f64(l, a, w->round));
	else if (!strcmp(w->op, "rsqrt"))
		put_wide(l, w, 0, reciprocal_root_f64(l, a));
	else
		lower_never(l, w->n, NULL, "its functions are those of f32");
}

static void lower_function(struct lowering *l, const struct words *w)
{
	static const struct {
		const char *op;
		enum ir_op before, op2;
	} rows[] = {
		{ "rcp", IR_NOP, IR_RCP },    { "rsqrt", IR_NOP, IR_RSQRT }, { "lg2", IR_NOP, IR_LG2 },
		{ "sin", IR_PRESIN, IR_SIN }, { "cos", IR_PRESIN, IR_COS },  { "ex2", IR_PREEX2, IR_EX2 },
	};
	struct source s;

	if (w->type[0] == PTX_F64) {
		function_f64(l, w);
		return;
	}
	s = get(l, w, 1, PTX_F32);
	directions_by_double(l, w);
	if (w->round && !strcmp(w->op, "sqrt")) {
		put_saturated(l, w, root32(l, s, w->round));
		return;
	}
	if (w->round && !strcmp(w->op, "rcp")) {
		put_saturated(l, w, divide32(l, number(0x3f800000), s, w->round));
		return;
	}
	if (!strcmp(w->op, "sqrt")) { /* of 0 and infinity, too: rsqrt and rcp are inverse there */
		s = ir_typed(l->f, IR_RSQRT, PTX_F32, 1, &s);
		put_saturated(l, w, ir_typed(l->f, IR_RCP, PTX_F32, 1, &s));
		return;
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(rows[i].op, w->op))
			continue;
		if (rows[i].before != IR_NOP)
			s = ir_typed(l->f, rows[i].before, PTX_F32, 1, &s);
		put_saturated(l, w, ir_typed(l->f, rows[i].op2, PTX_F32, 1, &s));
	}
}

/* 1 - 2 / (e^2x + 1); below 0.4, where that loses bits, the first terms of the series. */
struct source tangent(struct lowering *l, struct source s)
{
	struct ir *f = l->f;
	struct source x = OP(f, AND, s, number(~0u >> 1)), square = plain_mul(l, ROUND_RN, x, x);
	struct source e = plain_mul(l, ROUND_RN, x, number(0x4038aa3b)); /* 2 / ln 2 */

	e = TYPED(f, EX2, PTX_F32, TYPED(f, PREEX2, PTX_F32, e));
	struct source q = TYPED(f, RCP, PTX_F32, TYPED(f, FADD, PTX_F32, e, number(0x3f800000)));
	struct source large = TYPED(f, FADD, PTX_F32, number(0x3f800000), minus(TYPED(f, FADD, PTX_F32, q, q)));
	struct source p = TYPED(f, FMAD, PTX_F32, square, number(0xbd5d0dd1), number(0x3e088889)); /* -17/315, 2/15 */
	p = TYPED(f, FMAD, PTX_F32, square, p, number(0xbeaaaaab)); /* -1/3 */
	struct source small = TYPED(f, FMAD, PTX_F32, x, plain_mul(l, ROUND_RN, square, p), x);
	struct source is_small = ir_set(f, IR_FSET, COND_L, PTX_F32, x, number(0x3ecccccd));
	return OP(f, OR, ir_select(f, is_small, small, large), OP(f, AND, s, number(1u << 31)));
}

static void lower_tanh(struct lowering *l, const struct words *w)
{
	put(l, w, 0, PTX_F32, tangent(l, get(l, w, 1, PTX_F32)));
}

static uint32_t reciprocal(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof x);
	x = 1 / x;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static void lower_fdiv(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	struct source a, b;

	directions_by_double(l, w);
	if (w->type[0] == PTX_F64) {
		put_wide(l, w, 0, divide_f64(l, get_wide(l, w, 1, PTX_F64), get_wide(l, w, 2, PTX_F64), w->round));
		return;
	}
	a = get(l, w, 1, PTX_F32);
	b = get(l, w, 2, PTX_F32);
	ir_resolve(&b);
	if (w->round) {
		put_saturated(l, w, divide32(l, a, b, w->round));
		return;
	}
	if (w->mods & MOD_FULL) { /* beyond 2^126 the reciprocal would be flushed: a quarter of both */
		struct source big = b;
		if (big.kind == SOURCE_VALUE)
			big.abs = true;
		else
			big.bits &= ~0u >> 1;
		struct source p = ir_set(f, IR_FSET, COND_G, PTX_F32, big, number(0x7e800000));
		struct source quarter = ir_select(f, p, number(0x3e800000), number(0x3f800000));
		a = plain_mul(l, ROUND_RN, a, quarter);
		b = plain_mul(l, ROUND_RN, b, quarter);
	}
	if (b.kind == SOURCE_NUMBER && !(w->mods & MOD_FULL) && (b.bits << 1) - (4u << 24) < 248u << 24)
		b = number(reciprocal(b.bits)); /* neither the divisor nor the reciprocal is near an end */
	else
		b = ir_typed(f, IR_RCP, PTX_F32, 1, &b);
	put_saturated(l, w, plain_mul(l, ROUND_RN, a, b));
}

static void lower_frem(struct lowering *l, const struct words *w) /* of PTX 1.0: x - y * trunc(x / y) */
{
	struct ir *f = l->f;
	struct source a = get(l, w, 1, PTX_F32), b = get(l, w, 2, PTX_F32);
	struct source q =
		ir_cvt(f, PTX_F32, PTX_F32, ROUND_RZI, plain_mul(l, ROUND_RN, a, ir_typed(f, IR_RCP, PTX_F32, 1, &b)));

	put(l, w, 0, PTX_F32, TYPED(f, FMAD, PTX_F32, minus(q), b, a));
}

static void lower_frc(struct lowering *l, const struct words *w)
{
	struct source a = get(l, w, 1, PTX_F32);
	struct source r = TYPED(l->f, FADD, PTX_F32, a, minus(ir_cvt(l->f, PTX_F32, PTX_F32, ROUND_RMI, a)));

	r.value->def->round = ROUND_RN;
	put(l, w, 0, PTX_F32, r);
}

static void lower_copysign(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	struct wide from = get_wide(l, w, 1, w->type[0]), to = get_wide(l, w, 2, w->type[0]);
	bool is_double = w->type[0] == PTX_F64;
	struct source sign = OP(f, AND, is_double ? from.hi : from.lo, number(1u << 31));

	if (is_double) {
		to.hi = OP(f, OR, OP(f, AND, to.hi, number(~0u >> 1)), sign);
		put_wide(l, w, 0, to);
		return;
	}
	put(l, w, 0, PTX_F32, OP(f, OR, OP(f, AND, to.lo, number(~0u >> 1)), sign));
}

/* Kinds of numbers by their bits without the sign. Of f64 the upper word decides, with bit 0 set for a lower word that
 * is not 0. */
static void lower_testp(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	const char *what = w->nother ? w->other[0] : "";
	bool is_double = w->type[0] == PTX_F64;
	struct wide d = get_wide(l, w, 1, w->type[0]);
	struct source m = OP(f, AND, is_double ? d.hi : d.lo, number(~0u >> 1)), p;
	uint32_t infinite = is_double ? 0x7ff00000 : 0x7f800000, least = is_double ? 0x100000 : 0x800000;

	if (is_double)
		m = OP(f, OR, m, OP(f, AND, ir_setw(f, IR_SET, COND_LG, PTX_U32, d.lo, number(0)), number(1)));
	struct source or_least = ir_select(f, ir_set(f, IR_SET, COND_E, PTX_U32, m, number(0)), number(least), m);
	if (!strcmp(what, "finite"))
		p = ir_set(f, IR_SET, COND_L, PTX_U32, m, number(infinite));
	else if (!strcmp(what, "infinite"))
		p = ir_set(f, IR_SET, COND_E, PTX_U32, m, number(infinite));
	else if (!strcmp(what, "notanumber"))
		p = ir_set(f, IR_SET, COND_G, PTX_U32, m, number(infinite));
	else if (!strcmp(what, "number"))
		p = ir_set(f, IR_SET, COND_LE, PTX_U32, m, number(infinite));
	else if (!strcmp(what, "normal")) /* 0 as well, as on an H100 */
		p = ir_set(f, IR_SET, COND_L, PTX_U32, OP(f, SUB, or_least, number(least)), number(infinite - least));
	else if (!strcmp(what, "subnormal"))
		p = ir_set(f, IR_SET, COND_L, PTX_U32, OP(f, SUB, m, number(1)), number(least - 1));
	else
		lower_fail(l, w->n,
			   "testp: found `%.20s`, expected finite, infinite, number, notanumber, normal, subnormal",
			   what);
	put_pred(l, &w->n->operand[0], p);
}

/* ---- conversions ---- */

/* 64 bits clamped to the numbers of type `to`. */
static struct wide clamped(struct ir *f, struct wide d, enum ptx_type to, enum ptx_type from)
{
	uint64_t top = ptx_bytes(to) == 8 ? ~0ull : (1ull << 8 * ptx_bytes(to)) - 1, least = 0;

	if (ptx_signed(to)) {
		top >>= 1;
		least = ~top;
	} else if (ptx_bytes(to) == 8 && ptx_signed(from)) {
		top >>= 1; /* all there are */
	}
	for (unsigned i = 0; i < 2; i++) {
		uint64_t bound = i ? least : top;
		struct wide b = { number((uint32_t)bound), number((uint32_t)(bound >> 32)) };
		if (i && !ptx_signed(from))
			break;
		struct source p = less64(f, i ? COND_L : COND_G, from, d, b);
		d = (struct wide){ ir_select(f, p, b.lo, d.lo), ir_select(f, p, b.hi, d.hi) };
	}
	return d;
}

/* Between integers: a narrower result wraps, unless .sat clamps. */
static void integer_cvt(struct lowering *l, const struct words *w, enum ptx_type to, enum ptx_type from)
{
	struct ir *f = l->f;
	unsigned bytes = ptx_bytes(to);
	struct wide d;

	if (ptx_bytes(from) == 8) {
		d = get_wide(l, w, 1, from);
	} else {
		d.lo = extended(l, from, get(l, w, 1, from));
		d.hi = ptx_signed(from) ? OP(f, SAR, d.lo, number(31)) : number(0);
	}
	if (w->mods & MOD_SAT && ptx_bytes(from) == 8)
		d = clamped(f, d, to, from);
	else if (w->mods & MOD_SAT && bytes == 8 && ptx_signed(from) && !ptx_signed(to)) /* below 0: 0 */
		d = clamped(f, d, to, PTX_S64);
	else if (w->mods & MOD_SAT && bytes == 4 && ptx_signed(to) != ptx_signed(from)) {
		d.lo = ptx_signed(to) ? TYPED(f, MIN, PTX_U32, d.lo, number(0x7fffffff))
				      : TYPED(f, MAX, PTX_S32, d.lo, number(0));
	} else if (w->mods & MOD_SAT && bytes < 4) {
		uint32_t top = bytes == 1 ? 0xff : 0xffff;
		enum ptx_type t = ptx_signed(from) ? PTX_S32 : PTX_U32;
		d.lo = ir_typed(f, IR_MIN, t, 2, (struct source[]){ d.lo, number(ptx_signed(to) ? top >> 1 : top) });
		if (ptx_signed(from))
			d.lo = ir_typed(f, IR_MAX, t, 2,
					(struct source[]){ d.lo, number(ptx_signed(to) ? ~(top >> 1) : 0) });
	}
	if (bytes == 8)
		put_wide(l, w, 0, d);
	else
		put(l, w, 0, to, d.lo);
}

/* An f64 clamped to [0, 1]; no number is 0. */
static struct source unit_interval(struct lowering *l, struct source d)
{
	struct source zero = pack(l, (struct wide){ number(0), number(0) });
	struct source one = pack(l, (struct wide){ number(0), number(0x3ff00000) });

	d = ir_typed(l->f, IR_DMAX, PTX_F64, 2, (struct source[]){ d, zero });
	return ir_typed(l->f, IR_DMIN, PTX_F64, 2, (struct source[]){ d, one });
}

/* An integer of 64 or 32 bits where f16 ends: 2^17 and more are as far beyond as everything above. */
static struct source near_half(struct lowering *l, const struct words *w, enum ptx_type from)
{
	struct ir *f = l->f;
	struct source s;

	if (ptx_bytes(from) == 8)
		s = clamped(f, get_wide(l, w, 1, from), ptx_signed(from) ? PTX_S32 : PTX_U32, from).lo;
	else
		s = extended(l, from, get(l, w, 1, from));
	if (ptx_bytes(from) < 4)
		return s;
	if (!ptx_signed(from))
		return TYPED(f, MIN, PTX_U32, s, number(0x1ffff));
	return TYPED(f, MAX, PTX_S32, TYPED(f, MIN, PTX_S32, s, number(0x1ffff)), number((uint32_t)-0x1ffff));
}

/* The f32 that rounds to f16 as `s` does in directions away from 0: the machine takes what is below 2^-33 for 0. */
static struct source not_tiny(struct ir *f, struct source s)
{
	struct source size = OP(f, AND, s, number(~0u >> 1)), sign = OP(f, AND, s, number(1u << 31));
	struct source tiny = ir_set(f, IR_SET, COND_L, PTX_U32, OP(f, SUB, size, number(0x800000)),
				    number((127 - 30 - 1) << 23)); /* a denormal is 0 */

	return ir_select(f, tiny, OP(f, OR, sign, number((127 - 30) << 23)), s);
}

/* An f64 as f32, cut, whose last bit is 1 where bits are lost; nothing but 0 becomes 0. */
static struct source odd_float(struct lowering *l, struct source d)
{
	struct ir *f = l->f;
	struct source cut = ir_cvt(f, PTX_F32, PTX_F64, ROUND_RZ, d);
	struct source back = ir_cvt(f, PTX_F64, PTX_F32, ROUND_NONE, cut);
	struct source lost = OP(f, AND, ir_setw(f, IR_DSET, COND_LG, PTX_F64, back, d), number(1));
	struct source odd = OP(f, OR, cut, lost), size = OP(f, AND, odd, number(~0u >> 1));
	/* a denormal, which later operations take for 0: above 0 the least number that is none */
	struct source tiny = ir_set(f, IR_SET, COND_L, PTX_U32, OP(f, SUB, size, number(1)), number((1u << 23) - 1));

	return ir_select(f, tiny, OP(f, OR, OP(f, AND, cut, number(1u << 31)), number(1u << 23)), odd);
}

/* cvt.f16.T: integers and f64 become an f32 or an integer first that rounds as they do. */
static void cvt_to_half(struct lowering *l, const struct words *w, enum ptx_type from)
{
	struct ir *f = l->f;
	enum rounding r = w->round ? w->round : from == PTX_F16 ? ROUND_NONE : ROUND_RN;
	struct source s;

	if (from == PTX_F64) {
		lower_needs(l, w->n, 13, NULL);
		s = odd_float(l, get_double(l, w, 1));
	} else if (ptx_float(from)) {
		s = get(l, w, 1, from);
	} else {
		s = near_half(l, w, from);
	}
	from = from == PTX_F64 ? PTX_F32 : ptx_float(from) ? from : ptx_signed(from) ? PTX_S32 : PTX_U32;
	if (w->mods & MOD_SAT) {
		s = saturated(l, from == PTX_F32 ? s : ir_cvt(f, PTX_F32, from, ptx_float(from) ? r : ROUND_RN, s));
		r = from == PTX_F16 ? ROUND_RN : r;
		from = PTX_F32;
	}
	if (from == PTX_F32 && (r == ROUND_RM || r == ROUND_RP))
		s = not_tiny(f, s);
	put(l, w, 0, PTX_F16, ir_cvt(f, PTX_F16, from, r, s));
}

/* cvt.T.f16 where the machine has T of f32 alone: an f16 is an f32 without loss. */
static struct source get_float(struct lowering *l, const struct words *w, enum ptx_type *from)
{
	struct source s = get(l, w, 1, *from);

	if (*from == PTX_F16)
		s = ir_cvt(l->f, PTX_F32, PTX_F16, ROUND_NONE, s);
	*from = PTX_F32;
	return s;
}

static void double_cvt(struct lowering *l, const struct words *w, enum ptx_type to, enum ptx_type from)
{
	struct ir *f = l->f;
	struct source s;

	if (ptx_bytes(from) == 8)
		s = pack(l, get_wide(l, w, 1, from));
	else if (ptx_float(from))
		s = get_float(l, w, &from);
	else
		s = extended(l, from, get(l, w, 1, from));
	if (ptx_bytes(from) < 4 && !ptx_float(from))
		from = ptx_signed(from) ? PTX_S32 : PTX_U32;
	enum ptx_type narrow = to;
	if (!ptx_float(to) && ptx_bytes(to) < 4)
		to = ptx_signed(to) ? PTX_S32 : PTX_U32;
	/* Up to PTX 1.4 denormals of f32 stay where the other type has 64 bits, as ISA says; later they are zeros. */
	bool flushes = l->m->version > 14;
	if (flushes && from == PTX_F32)
		s = flushed(l, s);
	struct source r = ir_cvt(f, to, from, w->round, s);
	if (flushes && to == PTX_F32 && from == PTX_F64 && !(w->mods & MOD_SAT))
		r = flushed(l, r);
	if (w->mods & MOD_SAT && to == PTX_F64) /* the instruction has no such bit; max takes the number beside a NaN */
		r = unit_interval(l, r);
	else if (w->mods & MOD_SAT && to == PTX_F32)
		r = saturated(l, r);
	if (ptx_bytes(to) == 8)
		put_double(l, w, 0, r);
	else
		put(l, w, 0, narrow, r);
}

/* An f32, clamped as the words say, as a half. */
static struct source half_of_operand(struct lowering *l, const struct words *w, unsigned k)
{
	struct source s = get(l, w, k, PTX_F32);

	if (w->mods & MOD_SAT)
		s = saturated(l, s);
	return float_as_half(l->f, w->type[0], w->round, has_other(w, "relu") ? rectified(l, s) : s);
}

/* cvt.f16x2.f32 d, a, b: a becomes the upper half. */
static void put_pair(struct lowering *l, const struct words *w)
{
	struct source half[2];

	for (unsigned k = 0; k < 2; k++)
		half[k] = extended(l, PTX_U16, half_of_operand(l, w, k + 1));
	put(l, w, 0, PTX_B32, OP(l->f, OR, OP(l->f, SHL, half[0], number(16)), half[1]));
}

/* cvt.tf32.f32: 10 bits behind the point; .rna takes the larger size in the middle, and cuts a NaN's bits, as an H100
 * does (0x7f800001 becomes infinity). */
static void put_tf32(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	struct source s = get(l, w, 1, PTX_F32), bits = s;

	if (has_other(w, "relu"))
		bits = s = rectified(l, s);
	if (has_other(w, "rna"))
		bits = OP(f, ADD, s, number(0x1000));
	else if (w->round == ROUND_RN)
		bits = OP(f, ADD, s, OP(f, ADD, OP(f, AND, OP(f, SHR, s, number(13)), number(1)), number(0xfff)));
	struct source none = ir_set(f, IR_FSET, COND_U, PTX_F32, s, s), of_none = number(0x7fffffff);
	if (has_other(w, "rna"))
		of_none = OP(f, AND, s, number(~0x1fffu));
	put(l, w, 0, PTX_B32, ir_select(f, none, of_none, OP(f, AND, bits, number(~0x1fffu))));
}

/* From bf16, which is the upper half of an f32. */
static void cvt_of_bfloat(struct lowering *l, const struct words *w, enum ptx_type to)
{
	struct ir *f = l->f;
	struct source s = half_as_float(f, PTX_BF16, get(l, w, 1, PTX_BF16));

	if (to == PTX_F32) {
		put(l, w, 0, PTX_F32, s);
		return;
	}
	struct source r = ir_cvt(f, ptx_signed(to) ? PTX_S32 : PTX_U32, PTX_F32, w->round, s);
	if (ptx_bytes(to) < 4) { /* clamped to the narrow type */
		uint32_t top = ptx_bytes(to) == 1 ? 0xff : 0xffff;
		enum ptx_type t = ptx_signed(to) ? PTX_S32 : PTX_U32;
		r = ir_typed(f, IR_MIN, t, 2, (struct source[]){ r, number(ptx_signed(to) ? top >> 1 : top) });
		if (ptx_signed(to))
			r = ir_typed(f, IR_MAX, t, 2, (struct source[]){ r, number(~(top >> 1)) });
	}
	put(l, w, 0, to, r);
}

/* From a word, or a part of one, to a word: an instruction of the machine. */
static void cvt_of_word(struct lowering *l, const struct words *w, enum ptx_type to, enum ptx_type from)
{
	struct ir *f = l->f;
	struct source s = get(l, w, 1, from);
	ir_resolve(&s);
	if (to == from && to == PTX_F32 && !w->round && !(w->mods & (MOD_SAT | MOD_FTZ))) {
		put(l, w, 0, to, s);
		return;
	}
	if (ptx_float(to) && !ptx_float(from)) { /* bytes and halves are extended first */
		s = extended(l, from, s);
		from = ptx_signed(from) ? PTX_S32 : PTX_U32;
	}
	enum ptx_type made = to;
	if (!ptx_float(to) && ptx_bytes(to) < 4) /* clamped to the narrow type */
		made = ptx_signed(to) ? PTX_S32 : PTX_U32;
	struct ir_insn *i = ir_insn(f, IR_CVT);
	i->type = made;
	i->from = from;
	i->round = w->round ? w->round : !ptx_float(from) ? ROUND_RN : !ptx_float(to) ? ROUND_RZI : ROUND_NONE;
	i->sat = w->mods & MOD_SAT && ptx_float(to);
	i->nsrc = 1;
	i->src[0] = s;
	i->dst = ir_value(f, CLASS_WORD);
	i->dst->def = i;
	struct source r = i->sat && ptx_float(from) ? without_nan(f, of(i->dst)) : of(i->dst);
	if (made != to) {
		uint32_t top = ptx_bytes(to) == 1 ? 0xff : 0xffff;
		r = ir_typed(f, IR_MIN, made, 2, (struct source[]){ r, number(ptx_signed(to) ? top >> 1 : top) });
		if (ptx_signed(to))
			r = ir_typed(f, IR_MAX, made, 2, (struct source[]){ r, number(~(top >> 1)) });
	}
	put(l, w, 0, to, r);
}

static void lower_cvt(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	enum ptx_type to = w->type[0], from = w->type[1];

	if (w->pair) {
		put_pair(l, w);
		return;
	}
	if (has_other(w, "tf32")) {
		put_tf32(l, w);
		return;
	}
	if (to == PTX_BF16 || has_other(w, "relu")) {
		put(l, w, 0, to, half_of_operand(l, w, 1));
		return;
	}
	if (from == PTX_BF16) {
		cvt_of_bfloat(l, w, to);
		return;
	}
	if (!ptx_float(to) && !ptx_float(from)) {
		integer_cvt(l, w, to, from);
		return;
	}
	if (to == PTX_F16) {
		cvt_to_half(l, w, from);
		return;
	}
	if (f->target.sm < 13 && ptx_float(from) && ptx_bytes(from) < 8 && !ptx_float(to) && ptx_bytes(to) == 8) {
		enum rounding r = w->round >= ROUND_RNI ? w->round : ROUND_RZI;
		put_wide(l, w, 0, words_of_float(l, get_float(l, w, &from), ptx_signed(to), r));
		return;
	}
	if (f->target.sm < 13 && to == PTX_F32 && ptx_bytes(from) == 8) {
		struct source r =
			float_of64(l, get_wide(l, w, 1, from), ptx_signed(from), w->round ? w->round : ROUND_RN);
		put(l, w, 0, to, w->mods & MOD_SAT ? saturated(l, r) : r);
		return;
	}
	if (to == PTX_F64 || from == PTX_F64 || ptx_bytes(to) == 8 || ptx_bytes(from) == 8) {
		lower_needs(l, w->n, 13, NULL);
		double_cvt(l, w, to, from);
		return;
	}
	cvt_of_word(l, w, to, from);
}

const struct lower_row lower_float[] = { { "add", lower_fadd },
					 { "sub", lower_fadd },
					 { "mul", lower_fmul },
					 { "mad", lower_fmad },
					 { "fma", lower_fmad },
					 { "min", lower_fminmax },
					 { "max", lower_fminmax },
					 { "neg", lower_fneg },
					 { "abs", lower_fneg },
					 { "rcp", lower_function },
					 { "rsqrt", lower_function },
					 { "sqrt", lower_function },
					 { "sin", lower_function },
					 { "cos", lower_function },
					 { "ex2", lower_function },
					 { "lg2", lower_function },
					 { "tanh", lower_tanh },
					 { "div", lower_fdiv },
					 { "rem", lower_frem },
					 { "frc", lower_frc },
					 { "copysign", lower_copysign },
					 { "testp", lower_testp },
					 { "cvt", lower_cvt },
					 { 0 } };
