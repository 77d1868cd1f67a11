/* Video instructions of PTX 2.0 and 3.0: of bytes and halves of words, clamped, with a second operation behind; and the
 * same for two halves or four bytes at once. Numbers of 33 bits stand in 64 bits, parts of words in words. */
#include "core/compile/lower.h"

#include <string.h>

static bool has(const struct words *w, const char *word)
{
	for (unsigned i = 0; i < w->nother; i++)
		if (!strcmp(w->other[i], word))
			return true;
	return false;
}

/* The comparison among the words; COND_NEVER: none. */
static enum cond comparison(const struct words *w)
{
	static const struct { const char *word; enum cond cond; } rows[] = {
		{ "eq", COND_E }, { "ne", COND_LG }, { "lt", COND_L }, { "le", COND_LE }, { "gt", COND_G },
		{ "ge", COND_GE },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (has(w, rows[i].word))
			return rows[i].cond;
	return COND_NEVER;
}

/* `bits` bits of a word from bit `from` on, as a word. */
static struct source part(struct ir *f, struct source s, unsigned from, unsigned bits, bool is_signed)
{
	if (bits == 32)
		return s;
	if (is_signed)
		return OP(f, SAR, OP(f, SHL, s, number(32 - bits - from)), number(32 - bits));
	return OP(f, AND, OP(f, SHR, s, number(from)), number((1u << bits) - 1));
}

/* ---- single numbers ---- */

/* Operand `k`, perhaps a byte or half of a register, as 64 bits. */
static struct wide extended_operand(struct lowering *l, const struct words *w, unsigned k, enum ptx_type t)
{
	const struct ptx_operand *o = &w->n->operand[k];
	struct ptx_operand whole = { .kind = OPERAND_REG, .reg = o->reg };
	struct source s = o->kind == OPERAND_PART ? get_of(l, w->n, &whole, PTX_B32) : get(l, w, k, PTX_B32);

	if (o->kind == OPERAND_PART)
		s = part(l->f, s, o->component * (unsigned)o->bits, (unsigned)o->bits, ptx_signed(t));
	return (struct wide){ s, ptx_signed(t) ? OP(l->f, SAR, s, number(31)) : number(0) };
}

static struct wide chosen(struct ir *f, struct source p, struct wide a, struct wide b)
{
	return (struct wide){ ir_select(f, p, a.lo, b.lo), ir_select(f, p, a.hi, b.hi) };
}

static struct wide constant(int64_t x)
{
	return (struct wide){ number((uint32_t)x), number((uint32_t)((uint64_t)x >> 32)) };
}

/* Clamped to the numbers of type t with so many bits. */
static struct wide clamped(struct ir *f, struct wide d, enum ptx_type t, unsigned bits)
{
	int64_t most = ptx_signed(t) ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
	int64_t least = ptx_signed(t) ? -most - 1 : 0;

	d = chosen(f, less64(f, COND_G, PTX_S64, d, constant(most)), constant(most), d);
	return chosen(f, less64(f, COND_L, PTX_S64, d, constant(least)), constant(least), d);
}

static struct wide size_of(struct ir *f, struct wide d)
{
	struct source sign = OP(f, SAR, d.hi, number(31));

	return sub64(f, (struct wide){ OP(f, XOR, d.lo, sign), OP(f, XOR, d.hi, sign) }, (struct wide){ sign, sign });
}

/* a * b + c, or a * b + c + 1, and shifted. */
static struct wide scaled_sum(struct lowering *l, const struct words *w, struct wide a, struct wide b)
{
	struct ir *f = l->f;
	bool is_signed = ptx_signed(w->type[1]) || ptx_signed(w->type[2]);
	struct wide c = extended_operand(l, w, 3, is_signed ? PTX_S32 : PTX_U32), d = add64(f, mul64(f, a, b), c);
	unsigned down = has(w, "shr7") ? 7 : has(w, "shr15") ? 15 : 0;

	if (has(w, "po"))
		d = add64(f, d, constant(1));
	return shift64(f, is_signed ? IR_SAR : IR_SHR, d, number(down));
}

static struct wide first_operation(struct lowering *l, const struct words *w, struct wide a, struct wide b)
{
	struct ir *f = l->f;
	struct source n = w->mods & MOD_WRAP ? OP(f, AND, b.lo, number(31)) : TYPED(f, MIN, PTX_U32, b.lo, number(32));

	if (!strcmp(w->op, "vadd"))
		return add64(f, a, b);
	if (!strcmp(w->op, "vsub"))
		return sub64(f, a, b);
	if (!strcmp(w->op, "vabsdiff"))
		return size_of(f, sub64(f, a, b));
	if (!strcmp(w->op, "vshl"))
		return shift64(f, IR_SHL, a, n);
	if (!strcmp(w->op, "vshr"))
		return shift64(f, IR_SAR, a, n);
	if (!strcmp(w->op, "vmad"))
		return scaled_sum(l, w, a, b);
	return chosen(f, less64(f, w->op[2] == 'i' ? COND_L : COND_G, PTX_S64, a, b), a, b);
}

/* vset: 1 or 0; eq and ne by the difference. */
static struct wide compared(struct lowering *l, const struct words *w, struct wide a, struct wide b)
{
	struct ir *f = l->f;
	enum cond c = comparison(w);
	struct source differ = OP(f, OR, OP(f, XOR, a.lo, b.lo), OP(f, XOR, a.hi, b.hi));
	struct source p = c == COND_E || c == COND_LG ? ir_set(f, IR_SET, c, PTX_U32, differ, number(0))
						       : less64(f, c, PTX_S64, a, b);

	return (struct wide){ ir_select(f, p, number(1), number(0)), number(0) };
}

/* The result: with a second operation by c, or as a part of d, the rest being c. */
static void put_video(struct lowering *l, const struct words *w, struct source s)
{
	struct ir *f = l->f;
	const struct ptx_operand *o = &w->n->operand[0];
	struct ptx_operand whole = { .kind = OPERAND_REG, .reg = o->reg };
	struct source c = w->n->noperands > 3 ? get(l, w, 3, PTX_B32) : number(0);
	enum ptx_type t = strcmp(w->op, "vset") ? w->type[0] : PTX_U32;

	if (has(w, "add"))
		s = OP(f, ADD, s, c);
	else if (has(w, "min") || has(w, "max"))
		s = ir_typed(f, has(w, "min") ? IR_MIN : IR_MAX, t, 2, (struct source[]){ s, c });
	if (o->kind != OPERAND_PART) {
		put(l, w, 0, PTX_B32, s);
		return;
	}
	uint32_t mask = o->bits == 8 ? 0xff : 0xffff, shift = o->component * (uint32_t)o->bits;
	s = OP(f, SHL, OP(f, AND, s, number(mask)), number(shift));
	put_of(l, w->n, &whole, PTX_B32, OP(f, OR, s, OP(f, AND, c, number(~(mask << shift)))));
}

static void lower_single(struct lowering *l, const struct words *w)
{
	bool sets = !strcmp(w->op, "vset");
	struct wide a = extended_operand(l, w, 1, w->type[!sets]), b = extended_operand(l, w, 2, w->type[1 + !sets]);
	struct wide d = sets ? compared(l, w, a, b) : first_operation(l, w, a, b);
	const struct ptx_operand *o = &w->n->operand[0];

	bool merges = o->kind == OPERAND_PART, second = has(w, "add") || has(w, "min") || has(w, "max");
	if (strcmp(w->op, "vmad") && (w->n->noperands > 3) != (merges || second))
		lower_fail(l, w->n, "`%s` has %u operands; a third source goes with .add, .min or .max, or with a part "
			   "as the result", spelled(l, w->n), w->n->noperands);
	if (w->mods & MOD_SAT)
		d = clamped(l->f, d, w->type[0], merges ? (unsigned)o->bits : 32);
	put_video(l, w, d.lo);
}

/* ---- two halves, four bytes ---- */

static struct source lane_operation(struct lowering *l, const struct words *w, struct source a, struct source b)
{
	struct ir *f = l->f;
	struct source sum = OP(f, ADD, a, b), less = OP(f, SUB, a, b), sign = OP(f, SAR, less, number(31));

	switch (w->op[1] << 8 | w->op[2]) {
	case 'a' << 8 | 'd': return sum;
	case 's' << 8 | 'u': return less;
	case 'a' << 8 | 'b': return OP(f, SUB, OP(f, XOR, less, sign), sign);
	case 'm' << 8 | 'i': return TYPED(f, MIN, PTX_S32, a, b);
	case 'm' << 8 | 'a': return TYPED(f, MAX, PTX_S32, a, b);
	case 'a' << 8 | 'v': /* rounded up, of sums below 0 towards 0 */
		sum = OP(f, ADD, sum, OP(f, ADD, OP(f, SAR, sum, number(31)), number(1)));
		return OP(f, SAR, sum, number(1));
	default: return OP(f, AND, ir_setw(f, IR_SET, comparison(w), PTX_S32, a, b), number(1));
	}
}

static struct source limited(struct ir *f, struct source s, unsigned bits, bool is_signed)
{
	int32_t most = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1, least = is_signed ? -most - 1 : 0;

	return TYPED(f, MAX, PTX_S32, TYPED(f, MIN, PTX_S32, s, number((uint32_t)most)), number((uint32_t)least));
}

static void lower_lanes(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	bool sets = !strncmp(w->op, "vset", 4), adds = has(w, "add");
	unsigned bits = w->op[strlen(w->op) - 1] == '2' ? 16 : 8;
	struct source a = get(l, w, 1, PTX_B32), b = get(l, w, 2, PTX_B32);
	struct source d = adds ? get(l, w, 3, PTX_B32) : number(0);

	for (unsigned from = 0; from < 32; from += bits) {
		struct source s = lane_operation(l, w, part(f, a, from, bits, ptx_signed(w->type[!sets])),
						 part(f, b, from, bits, ptx_signed(w->type[1 + !sets])));
		if (w->mods & MOD_SAT)
			s = limited(f, s, bits, ptx_signed(w->type[0]));
		if (adds)
			d = OP(f, ADD, d, s);
		else
			d = OP(f, OR, d, OP(f, SHL, OP(f, AND, s, number((1u << bits) - 1)), number(from)));
	}
	put(l, w, 0, PTX_B32, d);
}

const struct lower_row lower_video[] = {
	{ "vadd", lower_single },     { "vsub", lower_single },   { "vabsdiff", lower_single },
	{ "vmin", lower_single },     { "vmax", lower_single },   { "vshl", lower_single },
	{ "vshr", lower_single },     { "vmad", lower_single },   { "vset", lower_single },
	{ "vadd2", lower_lanes },     { "vsub2", lower_lanes },   { "vavrg2", lower_lanes },
	{ "vabsdiff2", lower_lanes }, { "vmin2", lower_lanes },   { "vmax2", lower_lanes },
	{ "vset2", lower_lanes },     { "vadd4", lower_lanes },   { "vsub4", lower_lanes },
	{ "vavrg4", lower_lanes },    { "vabsdiff4", lower_lanes }, { "vmin4", lower_lanes },
	{ "vmax4", lower_lanes },     { "vset4", lower_lanes },   { 0 }
};
