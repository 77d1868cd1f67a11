/* Arithmetic of f16 and bf16, and of pairs of them in a word: in f32, and rounded to the half once more.
 *
 * Sums, differences and products come out rounded once: f32 has 24 bits, at least 2 * 11 + 2, which makes a second
 * rounding harmless (Figueroa, When is double rounding innocuous?, 1995), and no result of two f16 comes near the ends
 * of f32. A product of two f16 or bf16 is exact in f32; the sum of fma is rounded to odd in f32, for which 13 bits
 * would do (Boldo and Melquiond, Emulation of a FMA and correctly rounded sums, 2008). Denormals of f16 are numbers of
 * f32; those of bf16 are denormals of f32, and zeros. */
#include "core/compile/lower.h"

#include <string.h>

enum { SIGN = 0x8000 };

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

static bool is(const struct words *w, const char *op) { return !strcmp(w->op, op); }

static bool has_other(const struct words *w, const char *word)
{
	for (unsigned i = 0; i < w->nother; i++)
		if (!strcmp(w->other[i], word))
			return true;
	return false;
}

/* .ftz: a denormal of f16 is a zero. */
static struct source flushed_half(struct ir *f, struct source half)
{
	struct source none = ir_set(f, IR_SET, COND_E, PTX_U32, OP(f, AND, half, number(0x7c00)), number(0));

	return ir_select(f, none, OP(f, AND, half, number(SIGN)), half);
}

static bool flushes(const struct words *w) { return w->mods & MOD_FTZ && w->type[w->ntypes - 1] == PTX_F16; }

static struct source rounded(struct lowering *l, const struct words *w, struct source s)
{
	if (w->mods & MOD_SAT)
		s = saturated(l, s);
	if (has_other(w, "relu"))
		s = rectified(l, s);
	s = float_as_half(l->f, w->type[0], ROUND_RN, s);
	return flushes(w) ? flushed_half(l->f, s) : s;
}

/* a * b + c of bf16, whose product may be beyond f32 where the sum is not: from 2^120 on the larger factor and c are
 * taken by 2^-128, and the sum by 2^128, so that no product of numbers is an infinity. What c has below f32 then is as
 * small as the least number. */
static struct source large_fma(struct ir *f, struct source a, struct source b, struct source c)
{
	struct source p = product(f, a, b), size = OP(f, AND, p, number(~0u >> 1));
	struct source large = ir_set(f, IR_SET, COND_GE, PTX_U32, size, number((127 + 120) << 23));
	struct source down = ir_select(f, large, number((127 - 64) << 23), number(127 << 23));
	struct source up = ir_select(f, large, number((127 + 64) << 23), number(127 << 23));
	struct source little = product(f, product(f, c, down), down), sign = OP(f, AND, c, number(1u << 31));
	struct source lost = ir_set(f, IR_FSET, COND_E, PTX_F32, little, c); /* 0, and what is not made smaller */
	struct source none = ir_set(f, IR_FSET, COND_E, PTX_F32, little, number(0));
	struct source least = ir_select(f, none, OP(f, OR, sign, number(1 << 23)), little);

	struct source size_a = OP(f, AND, a, number(~0u >> 1)), size_b = OP(f, AND, b, number(~0u >> 1));
	struct source first = ir_set(f, IR_SET, COND_GE, PTX_U32, size_a, size_b);
	struct source larger = ir_select(f, first, a, b), smaller = ir_select(f, first, b, a);
	p = product(f, product(f, product(f, larger, down), down), smaller);
	return product(f, product(f, odd_sum(f, p, ir_select(f, lost, little, least)), up), up);
}

/* ex2.approx of f16: cut, as on an H100; of bf16: rounded to nearest. */
static struct source power_of_two(struct lowering *l, const struct words *w, struct source s)
{
	struct ir *f = l->f;
	struct source r = TYPED(f, EX2, PTX_F32, TYPED(f, PREEX2, PTX_F32, s));

	if (w->type[0] == PTX_BF16)
		return rounded(l, w, r);
	struct source beyond = ir_set(f, IR_FSET, COND_GE, PTX_F32, r, number(0x47800000)); /* 2^16 */
	return float_as_half(f, PTX_F16, ROUND_RZ, ir_select(f, beyond, number(0x7f800000), r));
}

/* .xorsign.abs: sizes are compared, and the sign is the product's, of halves without a number, too. */
static struct source less_in_size(struct lowering *l, const struct words *w, const struct source s[2])
{
	struct ir *f = l->f;
	struct words sizes = *w;
	struct source x[2];

	sizes.nother = 0;
	if (has_other(w, "NaN"))
		sizes.other[sizes.nother++] = "NaN";
	for (unsigned k = 0; k < 2; k++)
		x[k] = half_as_float(f, w->type[0], OP(f, AND, s[k], number(SIGN - 1)));
	struct source r = rounded(l, w, least_or_greatest(l, &sizes, x[0], x[1]));
	return OP(f, OR, r, OP(f, AND, OP(f, XOR, s[0], s[1]), number(SIGN)));
}

/* The operation on one half of each source. */
static struct source half_op(struct lowering *l, const struct words *w, const struct source *halves)
{
	struct ir *f = l->f;
	enum ptx_type t = w->type[0];
	unsigned n = w->n->noperands - 1;
	struct source s[3];

	for (unsigned k = 0; k < n; k++) {
		s[k] = flushes(w) ? flushed_half(f, halves[k]) : halves[k];
		if (is(w, "neg"))
			return OP(f, XOR, s[k], number(SIGN));
		if (is(w, "abs"))
			return OP(f, AND, s[k], number(SIGN - 1));
	}
	if (has_other(w, "xorsign"))
		return less_in_size(l, w, s);
	for (unsigned k = 0; k < n; k++)
		s[k] = half_as_float(f, t, s[k]);
	if (is(w, "add"))
		return rounded(l, w, sum(f, ROUND_RN, s[0], s[1]));
	if (is(w, "sub"))
		return rounded(l, w, sum(f, ROUND_RN, s[0], minus(s[1])));
	if (is(w, "mul"))
		return rounded(l, w, product(f, s[0], s[1]));
	if (is(w, "min") || is(w, "max"))
		return rounded(l, w, least_or_greatest(l, w, s[0], s[1]));
	if (is(w, "ex2"))
		return power_of_two(l, w, s[0]);
	if (is(w, "tanh"))
		return rounded(l, w, tangent(l, s[0]));
	if (t == PTX_BF16)
		return rounded(l, w, large_fma(f, s[0], s[1], s[2]));
	return rounded(l, w, odd_sum(f, product(f, s[0], s[1]), s[2]));
}

/* Both halves of n words. */
static void split(struct ir *f, const struct source *whole, unsigned n, struct source *low, struct source *high)
{
	for (unsigned k = 0; k < n; k++) {
		low[k] = OP(f, AND, whole[k], number(0xffff));
		high[k] = OP(f, SHR, whole[k], number(16));
	}
}

static struct source pair_op(struct lowering *l, const struct words *w, const struct source *whole, unsigned n)
{
	struct source low[3], high[3];
	struct ir *f = l->f;

	split(f, whole, n, low, high);
	struct source a = extended(l, PTX_U16, half_op(l, w, low)), b = OP(f, SHL, half_op(l, w, high), number(16));
	return OP(f, OR, a, b);
}

struct source half_sum(struct lowering *l, const struct words *w, struct source a, struct source b)
{
	struct ptx_insn two = { .noperands = 3 };
	struct words add = { .n = &two, .op = "add", .type = { w->type[0] }, .ntypes = 1 };
	struct source s[3] = { a, b };

	return w->pair ? pair_op(l, &add, s, 2) : half_op(l, &add, s);
}

/* setp of pairs has a result for each half; set has 1.0, or all ones, in each half. */
static void compare_pair(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	enum ptx_type t = w->type[w->ntypes - 1];
	struct source whole[2] = { get(l, w, 1, PTX_B32), get(l, w, 2, PTX_B32) }, half[2][2], p[2];
	bool to_words = w->type[0] != t;
	uint32_t one = to_words ? 0xffff : t == PTX_F16 ? 0x3c00 : 0x3f80;

	split(f, whole, 2, half[0], half[1]);
	for (unsigned k = 0; k < 2; k++) {
		for (unsigned i = 0; i < 2; i++)
			half[k][i] = half_as_float(f, t, flushes(w) ? flushed_half(f, half[k][i]) : half[k][i]);
		p[k] = ir_set(f, IR_FSET, (enum cond)w->cond, PTX_F32, half[k][0], half[k][1]);
		if (w->logic)
			p[k] = pred_logic(l, w->logic == 'a' ? IR_AND : w->logic == 'o' ? IR_OR : IR_XOR, p[k],
					  get_pred(l, w, 3));
	}
	if (is(w, "setp")) {
		put_pred(l, &w->n->operand[0], p[0]);
		if (w->n->dual)
			put_pred(l, w->n->dual, p[1]);
		return;
	}
	struct source low = OP(f, AND, ir_mask_of(f, p[0]), number(one));
	put(l, w, 0, PTX_B32, OP(f, OR, low, OP(f, AND, ir_mask_of(f, p[1]), number(one << 16))));
}

void lower_half(struct lowering *l, const struct words *w)
{
	struct source s[3];
	unsigned n = w->n->noperands - 1;

	if (is(w, "set") || is(w, "setp")) {
		compare_pair(l, w);
		return;
	}
	for (unsigned k = 0; k < n; k++)
		s[k] = get(l, w, k + 1, w->pair ? PTX_B32 : w->type[0]);
	if (w->pair)
		put(l, w, 0, PTX_B32, pair_op(l, w, s, n));
	else
		put(l, w, 0, w->type[0], half_op(l, w, s));
}
