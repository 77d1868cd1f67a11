/* Floating point instructions and conversions. */
#include "core/compile/lower.h"

#include <string.h>

static struct source float_op(struct lowering *l, const struct words *w, enum ir_op op, unsigned n,
			      const struct source *s)
{
	struct source r = ir_typed(l->f, op, PTX_F32, n, s);
	struct ir_insn *i = r.value->def;

	i->sat = w->mods & MOD_SAT;
	if (i->sat && (op == IR_FMUL && l->f->sm < 12)) { /* the bit means nothing there */
		i->sat = false;
		r = ir_cvt(l->f, PTX_F32, PTX_F32, ROUND_NONE, r);
		r.value->def->sat = true;
	}
	if (op == IR_FADD || op == IR_FMUL)
		i->round = w->round ? w->round : ROUND_RN;
	return r;
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

static void only_rn_rz(struct lowering *l, const struct words *w)
{
	if (w->round == ROUND_RM || w->round == ROUND_RP)
		lower_never(l, w->n, NULL, "sums and products of f32 are rounded to nearest or to zero");
}

static void lower_fadd(struct lowering *l, const struct words *w)
{
	bool subtract = w->op[0] == 's';

	if (w->type[0] == PTX_F64) {
		struct source a = get_double(l, w, 1), b = get_double(l, w, 2);
		b.neg = subtract;
		put_double(l, w, 0, double_op(l, w, IR_DADD, 2, (struct source[]){ a, b }));
		return;
	}
	only_rn_rz(l, w);
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
	only_rn_rz(l, w);
	put(l, w, 0, PTX_F32,
	    float_op(l, w, IR_FMUL, 2, (struct source[]){ get(l, w, 1, PTX_F32), get(l, w, 2, PTX_F32) }));
}

static struct source plain_mul(struct lowering *l, enum rounding r, struct source a, struct source b)
{
	struct source p = TYPED(l->f, FMUL, PTX_F32, a, b);

	p.value->def->round = r;
	return p;
}

static struct source typed_double(struct lowering *l, enum ir_op op, enum rounding r, unsigned n,
				  const struct source *s)
{
	struct source d = ir_typed(l->f, op, PTX_F64, n, s);

	d.value->def->round = r;
	return d;
}

/* f32 as f64: denormals are zeros to the instructions of f32, not to this conversion. */
static struct source as_double(struct lowering *l, struct source s)
{
	return ir_cvt(l->f, PTX_F64, PTX_F32, ROUND_NONE, plain_mul(l, ROUND_RN, s, number(0x3f800000)));
}

static struct source as_float(struct lowering *l, struct source d)
{
	return plain_mul(l, ROUND_RN, ir_cvt(l->f, PTX_F32, PTX_F64, ROUND_RN, d), number(0x3f800000));
}

/* Correctly rounded a * b + c: the product is exact in f64; the sum is rounded to odd, and the second rounding
 * is right: the upper and the lower neighbour of an inexact sum differ in the last bit. */
static struct source fused(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;

	if (f->sm < 13)
		lower_fail(l, w->n, "%s.f32, rounded once, needs sm_13 here yet; --fma mad takes the machine's mad",
			   w->op);
	if (w->round > ROUND_RN)
		lower_never(l, w->n, NULL, "only .rn is supported");
	struct source a = as_double(l, get(l, w, 1, PTX_F32)), b = as_double(l, get(l, w, 2, PTX_F32));
	struct source c = as_double(l, get(l, w, 3, PTX_F32)),
		      p = typed_double(l, IR_DMUL, ROUND_RN, 2, (struct source[]){ a, b });
	struct source cut = typed_double(l, IR_DADD, ROUND_RZ, 2, (struct source[]){ p, c });
	struct source up = typed_double(l, IR_DADD, ROUND_RP, 2, (struct source[]){ p, c });
	struct source down = typed_double(l, IR_DADD, ROUND_RM, 2, (struct source[]){ p, c });
	struct source odd = OP(f, AND, OP(f, XOR, word_of(up.value, 0), word_of(down.value, 0)), number(1));
	struct wide d = { OP(f, OR, word_of(cut.value, 0), odd), word_of(cut.value, 1) };
	struct source r = as_float(l, pack(l, d));
	if (w->mods & MOD_SAT) {
		r = ir_cvt(f, PTX_F32, PTX_F32, ROUND_NONE, r);
		r.value->def->sat = true;
	}
	return r;
}

static void lower_fmad(struct lowering *l, const struct words *w)
{
	if (w->type[0] == PTX_F64) {
		put_double(
			l, w, 0,
			double_op(l, w, IR_DFMA, 3,
				  (struct source[]){ get_double(l, w, 1), get_double(l, w, 2), get_double(l, w, 3) }));
		return;
	}
	bool once = (w->op[0] == 'f' || (w->round && l->m->version >= 20)) && !l->f->fma_mad;
	put(l, w, 0, PTX_F32,
	    once ? fused(l, w)
		 : float_op(l, w, IR_FMAD, 3,
			    (struct source[]){ get(l, w, 1, PTX_F32), get(l, w, 2, PTX_F32), get(l, w, 3, PTX_F32) }));
}

static void lower_fminmax(struct lowering *l, const struct words *w)
{
	bool min = w->op[1] == 'i';

	if (w->type[0] == PTX_F64)
		put_double(l, w, 0,
			   double_op(l, w, min ? IR_DMIN : IR_DMAX, 2,
				     (struct source[]){ get_double(l, w, 1), get_double(l, w, 2) }));
	else
		put(l, w, 0, PTX_F32,
		    ir_typed(l->f, min ? IR_FMIN : IR_FMAX, PTX_F32, 2,
			     (struct source[]){ get(l, w, 1, PTX_F32), get(l, w, 2, PTX_F32) }));
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

static void approx_only(struct lowering *l, const struct words *w)
{
	if (w->round)
		lower_fail(l, w->n, "%s, correctly rounded, is not supported yet; .approx is", w->op);
}

/* Correctly rounded on g200: f64 has more than twice the bits, and rounding the quotient twice is right. */
static struct source divide_exactly(struct lowering *l, const struct words *w, struct source a, struct source b)
{
	struct ir *f = l->f;

	if (f->sm < 13)
		lower_fail(l, w->n, "div.rn.f32 needs sm_13 here yet; div.full.f32 and div.approx.f32 are at hand");
	struct source x = as_double(l, a), y = as_double(l, b);
	struct source size = b;
	if (b.kind == SOURCE_NUMBER)
		size.bits &= ~0u >> 1;
	else
		size.abs = true;
	/* Beyond 2^126 the reciprocal would be flushed: of a quarter of the divisor, a quarter of the reciprocal. */
	struct source big = ir_set(f, IR_FSET, COND_G, PTX_F32, size, number(0x7e800000));
	struct source quarter = ir_select(f, big, number(0x3e800000), number(0x3f800000));
	struct source scaled = plain_mul(l, ROUND_RN, b, quarter), rb = ir_typed(f, IR_RCP, PTX_F32, 1, &scaled);
	struct source simple = plain_mul(l, ROUND_RN, a, rb);
	struct source r = typed_double(l, IR_DMUL, ROUND_RN, 2,
				       (struct source[]){ ir_cvt(f, PTX_F64, PTX_F32, ROUND_NONE, rb),
							  ir_cvt(f, PTX_F64, PTX_F32, ROUND_NONE, quarter) });
	struct source one = pack(l, (struct wide){ number(0), number(0x3ff00000) });
	for (unsigned i = 0; i < 2; i++) { /* 23, 46, over 53 bits */
		struct source n = y;
		n.neg = true;
		struct source e = typed_double(l, IR_DFMA, ROUND_RN, 3, (struct source[]){ n, r, one });
		r = typed_double(l, IR_DFMA, ROUND_RN, 3, (struct source[]){ r, e, r });
	}
	struct source q = typed_double(l, IR_DMUL, ROUND_RN, 2, (struct source[]){ x, r }), n = y;
	n.neg = true;
	struct source e = typed_double(l, IR_DFMA, ROUND_RN, 3, (struct source[]){ n, q, x });
	q = typed_double(l, IR_DFMA, ROUND_RN, 3, (struct source[]){ e, r, q });
	/* Where a number, the divisor or the reciprocal is 0, infinite or no number, the simple quotient is right. */
	struct source in = number(1);
	struct source parts[] = { rb, a };
	for (unsigned i = 0; i < 2; i++) {
		if (parts[i].kind == SOURCE_NUMBER)
			continue; /* the 1 of a reciprocal */
		size = parts[i];
		size.abs = true;
		size.neg = false;
		struct source p = ir_set(f, IR_FSET, COND_LG, PTX_F32, parts[i], number(0));
		p = pred_logic(l, IR_AND, p, ir_set(f, IR_FSET, COND_L, PTX_F32, size, number(0x7f800000)));
		in = in.kind == SOURCE_NUMBER ? p : pred_logic(l, IR_AND, in, p);
	}
	return ir_select(f, in, as_float(l, q), simple);
}

/* The root by f32, improved twice in f64; 0, infinity and negative numbers as the machine's functions have them. */
static struct source root_exactly(struct lowering *l, const struct words *w, struct source a)
{
	struct ir *f = l->f;

	if (f->sm < 13)
		lower_fail(l, w->n, "sqrt.rn.f32 needs sm_13 here yet; sqrt.approx.f32 is at hand");
	struct source x = as_double(l, a), rs = ir_typed(f, IR_RSQRT, PTX_F32, 1, &a);
	struct source simple = ir_typed(f, IR_RCP, PTX_F32, 1, &rs), r = ir_cvt(f, PTX_F64, PTX_F32, ROUND_NONE, rs);
	struct source half = pack(l, (struct wide){ number(0), number(0x3fe00000) });
	struct source g = typed_double(l, IR_DMUL, ROUND_RN, 2, (struct source[]){ x, r });
	struct source h = typed_double(l, IR_DMUL, ROUND_RN, 2, (struct source[]){ r, half });
	for (unsigned i = 0; i < 2; i++) {
		struct source n = h;
		n.neg = true;
		struct source e = typed_double(l, IR_DFMA, ROUND_RN, 3, (struct source[]){ n, g, half });
		g = typed_double(l, IR_DFMA, ROUND_RN, 3, (struct source[]){ g, e, g });
		h = typed_double(l, IR_DFMA, ROUND_RN, 3, (struct source[]){ h, e, h });
	}
	struct source n = g;
	n.neg = true;
	struct source e = typed_double(l, IR_DFMA, ROUND_RN, 3, (struct source[]){ n, g, x });
	g = typed_double(l, IR_DFMA, ROUND_RN, 3, (struct source[]){ e, h, g });
	struct source in = pred_logic(l, IR_AND, ir_set(f, IR_FSET, COND_G, PTX_F32, simple, number(0)),
				      ir_set(f, IR_FSET, COND_L, PTX_F32, simple, number(0x7f800000)));
	return ir_select(f, in, as_float(l, g), simple);
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
	struct source s = get(l, w, 1, PTX_F32);

	if (w->type[0] == PTX_F64)
		lower_fail(l, w->n, "%s of f64 is not supported yet", w->op);
	if (w->round && !strcmp(w->op, "sqrt")) {
		put(l, w, 0, PTX_F32, root_exactly(l, w, s));
		return;
	}
	if (w->round && !strcmp(w->op, "rcp")) {
		put(l, w, 0, PTX_F32, divide_exactly(l, w, number(0x3f800000), s));
		return;
	}
	approx_only(l, w);
	if (!strcmp(w->op, "sqrt")) { /* of 0 and infinity, too: rsqrt and rcp are inverse there */
		s = ir_typed(l->f, IR_RSQRT, PTX_F32, 1, &s);
		put(l, w, 0, PTX_F32, ir_typed(l->f, IR_RCP, PTX_F32, 1, &s));
		return;
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(rows[i].op, w->op))
			continue;
		if (rows[i].before != IR_NOP)
			s = ir_typed(l->f, rows[i].before, PTX_F32, 1, &s);
		s = ir_typed(l->f, rows[i].op2, PTX_F32, 1, &s);
		if (w->mods & MOD_SAT) {
			s = ir_cvt(l->f, PTX_F32, PTX_F32, ROUND_NONE, s);
			s.value->def->sat = true;
		}
		put(l, w, 0, PTX_F32, s);
	}
}

static void lower_fdiv(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	struct source a = get(l, w, 1, PTX_F32), b = get(l, w, 2, PTX_F32);

	if (w->type[0] == PTX_F64)
		lower_fail(l, w->n, "div of f64 is not supported yet");
	ir_resolve(&b);
	if (w->round) {
		put(l, w, 0, PTX_F32, divide_exactly(l, w, a, b));
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
	put(l, w, 0, PTX_F32, plain_mul(l, ROUND_RN, a, ir_typed(f, IR_RCP, PTX_F32, 1, &b)));
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
	struct source sign = OP(f, AND, get(l, w, 1, PTX_F32), number(1u << 31));

	if (w->type[0] == PTX_F64)
		lower_fail(l, w->n, "copysign of f64 is not supported yet");
	put(l, w, 0, PTX_F32, OP(f, OR, OP(f, AND, get(l, w, 2, PTX_F32), number(~0u >> 1)), sign));
}

static void lower_testp(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	const char *what = w->nother ? w->other[0] : "";
	struct source a = get(l, w, 1, PTX_F32), m = OP(f, AND, a, number(~0u >> 1)), p;

	if (w->type[0] == PTX_F64)
		lower_fail(l, w->n, "testp of f64 is not supported yet");
	if (!strcmp(what, "finite"))
		p = ir_set(f, IR_SET, COND_L, PTX_U32, m, number(0x7f800000));
	else if (!strcmp(what, "infinite"))
		p = ir_set(f, IR_SET, COND_E, PTX_U32, m, number(0x7f800000));
	else if (!strcmp(what, "notanumber"))
		p = ir_set(f, IR_SET, COND_G, PTX_U32, m, number(0x7f800000));
	else if (!strcmp(what, "number"))
		p = ir_set(f, IR_SET, COND_LE, PTX_U32, m, number(0x7f800000));
	else if (!strcmp(what, "normal"))
		p = ir_set(f, IR_SET, COND_L, PTX_U32, OP(f, SUB, m, number(0x800000)), number(0x7f000000));
	else if (!strcmp(what, "subnormal"))
		p = ir_set(f, IR_SET, COND_L, PTX_U32, OP(f, SUB, m, number(1)), number(0x7fffff));
	else
		lower_fail(l, w->n,
			   "testp: found `%.20s`, expected finite, infinite, number, notanumber, normal, subnormal",
			   what);
	put_pred(l, &w->n->operand[0], p);
}

/* ---- conversions ---- */

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
	if (w->mods & MOD_SAT && ptx_bytes(from) == 8 && bytes <= 4)
		lower_fail(l, w->n, "cvt.sat of 64 bits is not supported yet");
	if (w->mods & MOD_SAT && bytes == 4 && ptx_signed(to) != ptx_signed(from)) {
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

static void double_cvt(struct lowering *l, const struct words *w, enum ptx_type to, enum ptx_type from)
{
	struct ir *f = l->f;
	struct source s;

	if (ptx_bytes(from) == 8)
		s = pack(l, get_wide(l, w, 1, from));
	else
		s = extended(l, ptx_float(from) ? PTX_NONE : from, get(l, w, 1, from));
	if (ptx_bytes(from) < 4 && !ptx_float(from))
		from = ptx_signed(from) ? PTX_S32 : PTX_U32;
	enum ptx_type narrow = to;
	if (!ptx_float(to) && ptx_bytes(to) < 4)
		to = ptx_signed(to) ? PTX_S32 : PTX_U32;
	struct source r = ir_cvt(f, to, from, w->round, s);
	if (ptx_bytes(to) == 8)
		put_double(l, w, 0, r);
	else
		put(l, w, 0, narrow, r);
}

static void lower_cvt(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	enum ptx_type to = w->type[0], from = w->type[1];

	if (w->ntypes < 2)
		lower_fail(l, w->n, "cvt: expected two types");
	if (!ptx_float(to) && !ptx_float(from)) {
		integer_cvt(l, w, to, from);
		return;
	}
	if (to == PTX_F64 || from == PTX_F64 || ptx_bytes(to) == 8 || ptx_bytes(from) == 8) {
		lower_needs(l, w->n, 13, NULL);
		double_cvt(l, w, to, from);
		return;
	}
	struct source s = get(l, w, 1, from);
	ir_resolve(&s);
	bool rounds_half = to == PTX_F16 && from == PTX_F32;
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
	i->round = w->round                          ? w->round
		   : rounds_half || !ptx_float(from) ? ROUND_RN
		   : !ptx_float(to)                  ? ROUND_RZI
						     : ROUND_NONE;
	i->sat = w->mods & MOD_SAT && ptx_float(to);
	i->nsrc = 1;
	i->src[0] = s;
	i->dst = ir_value(f, CLASS_WORD);
	i->dst->def = i;
	struct source r = of(i->dst);
	if (made != to) {
		uint32_t top = ptx_bytes(to) == 1 ? 0xff : 0xffff;
		r = ir_typed(f, IR_MIN, made, 2, (struct source[]){ r, number(ptx_signed(to) ? top >> 1 : top) });
		if (ptx_signed(to))
			r = ir_typed(f, IR_MAX, made, 2, (struct source[]){ r, number(~(top >> 1)) });
	}
	put(l, w, 0, to, r);
}

const struct lower_row lower_float[] = { { "add", lower_fadd, 3, 3 },
					 { "sub", lower_fadd, 3, 3 },
					 { "mul", lower_fmul, 3, 3 },
					 { "mad", lower_fmad, 4, 4 },
					 { "fma", lower_fmad, 4, 4 },
					 { "min", lower_fminmax, 3, 3 },
					 { "max", lower_fminmax, 3, 3 },
					 { "neg", lower_fneg, 2, 2 },
					 { "abs", lower_fneg, 2, 2 },
					 { "rcp", lower_function, 2, 2 },
					 { "rsqrt", lower_function, 2, 2 },
					 { "sqrt", lower_function, 2, 2 },
					 { "sin", lower_function, 2, 2 },
					 { "cos", lower_function, 2, 2 },
					 { "ex2", lower_function, 2, 2 },
					 { "lg2", lower_function, 2, 2 },
					 { "div", lower_fdiv, 3, 3 },
					 { "rem", lower_frem, 3, 3 },
					 { "frc", lower_frc, 2, 2 },
					 { "copysign", lower_copysign, 3, 3 },
					 { "testp", lower_testp, 2, 2 },
					 { "cvt", lower_cvt, 2, 2 },
					 { 0 } };
