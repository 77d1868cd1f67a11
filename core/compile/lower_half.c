/* Arithmetic of f16, and of pairs of f16 in a word: in f32, and rounded to f16 once more.
 *
 * Sums, differences and products come out rounded once: f32 has 24 bits, at least 2 * 11 + 2, which makes a second
 * rounding harmless (Figueroa, When is double rounding innocuous?, 1995), and no result of two f16 comes near the ends
 * of f32. A product of two f16 is exact in f32; the sum of fma is rounded to odd in f32, for which 13 bits would do
 * (Boldo and Melquiond, Emulation of a FMA and correctly rounded sums, 2008). Denormals of f16 are numbers of f32. */
#include "core/compile/lower.h"

#include <string.h>

enum { SIGN = 0x8000 };

static struct source widened(struct ir *f, struct source half)
{
	return ir_cvt(f, PTX_F32, PTX_F16, ROUND_NONE, half);
}

static struct source minus(struct source s)
{
	s.neg = !s.neg;
	return s;
}

static struct source sum(struct ir *f, enum rounding r, struct source a, struct source b)
{
	struct source s = TYPED(f, FADD, PTX_F32, a, b);

	s.value->def->round = r;
	return s;
}

static struct source product(struct ir *f, struct source a, struct source b)
{
	struct source s = TYPED(f, FMUL, PTX_F32, a, b);

	s.value->def->round = ROUND_RN;
	return s;
}

/* a + b of f32 whose last bit is 1 where the sum is not exact: the error of the sum rounded to nearest is exact
 * (Knuth's sum of two), and not 0 there. Of infinities the error is no number. */
static struct source odd_sum(struct ir *f, struct source a, struct source b)
{
	struct source near = sum(f, ROUND_RN, a, b), cut = sum(f, ROUND_RZ, a, b);
	struct source of_b = sum(f, ROUND_RN, near, minus(a)), of_a = sum(f, ROUND_RN, near, minus(of_b));
	struct source error = sum(f, ROUND_RN, sum(f, ROUND_RN, a, minus(of_a)), sum(f, ROUND_RN, b, minus(of_b)));
	struct source lost = ir_setw(f, IR_FSET, COND_LG, PTX_F32, error, number(0));

	return OP(f, OR, cut, OP(f, AND, lost, number(1)));
}

static struct source rounded(struct lowering *l, const struct words *w, struct source s)
{
	return ir_cvt(l->f, PTX_F16, PTX_F32, ROUND_RN, w->mods & MOD_SAT ? saturated(l, s) : s);
}

/* The operation on one half of each source. */
static struct source half_op(struct lowering *l, const struct words *w, const struct source s[3])
{
	struct ir *f = l->f;

	switch (w->op[0] << 8 | w->op[1]) {
	case 'n' << 8 | 'e': return OP(f, XOR, s[0], number(SIGN));
	case 'a' << 8 | 'b': return OP(f, AND, s[0], number(SIGN - 1));
	default: break;
	}
	struct source a = widened(f, s[0]), b = widened(f, s[1]);
	switch (w->op[0] << 8 | w->op[1]) {
	case 'a' << 8 | 'd': return rounded(l, w, sum(f, ROUND_RN, a, b));
	case 's' << 8 | 'u': return rounded(l, w, sum(f, ROUND_RN, a, minus(b)));
	case 'm' << 8 | 'u': return rounded(l, w, product(f, a, b));
	case 'm' << 8 | 'i':
	case 'm' << 8 | 'a': return rounded(l, w, least_or_greatest(l, w, a, b));
	default: return rounded(l, w, odd_sum(f, product(f, a, b), widened(f, s[2])));
	}
}

/* The operation on both halves of n words. */
static struct source pair_op(struct lowering *l, const struct words *w, const struct source *whole, unsigned n)
{
	struct source low[3], high[3];
	struct ir *f = l->f;

	for (unsigned k = 0; k < n; k++) {
		low[k] = OP(f, AND, whole[k], number(0xffff));
		high[k] = OP(f, SHR, whole[k], number(16));
	}
	struct source a = extended(l, PTX_U16, half_op(l, w, low)), b = OP(f, SHL, half_op(l, w, high), number(16));
	return OP(f, OR, a, b);
}

struct source half_sum(struct lowering *l, const struct words *w, struct source a, struct source b)
{
	struct words add = { .n = w->n, .op = "add", .type = { w->type[0] } };
	struct source s[3] = { a, b };

	return w->pair ? pair_op(l, &add, s, 2) : half_op(l, &add, s);
}

void lower_half(struct lowering *l, const struct words *w)
{
	struct source s[3];
	unsigned n = w->n->noperands - 1;

	for (unsigned k = 0; k < n; k++)
		s[k] = get(l, w, k + 1, w->pair ? PTX_B32 : PTX_F16);
	if (w->pair)
		put(l, w, 0, PTX_B32, pair_op(l, w, s, n));
	else
		put(l, w, 0, PTX_F16, half_op(l, w, s));
}
