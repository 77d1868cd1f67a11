/* Operands of vector instructions that take more than a register: scalars, constants, LDS direct; SDWA, DPP, op_sel,
 * neg, abs, sext; and results with omod, clamp and SDWA's selection. Sources: "AMD GCN3 Instruction Set Architecture"
 * and "Vega Instruction Set Architecture", chapters 6 (Vector ALU Operations), 13 (SDWA, DPP); CLRX documentation,
 * GcnOperands and GcnVectorOps. */
#include "core/isa/gcn/arith.h"
#include "core/isa/gcn/exec.h"

/* ---- DPP ---- */

/* Where a lane reads by a DPP control word; -1: from nowhere. Rows are 16 lanes. */
static int dpp_source(unsigned control, int l)
{
	int row = l & ~15, at = l & 15, n = (int)(control & 15);

	if (control < 0x100)
		return (l & ~3) | (int)(control >> 2 * (l & 3) & 3);
	switch (control & ~15u) {
	case 0x100: return at + n < 16 ? l + n : -1;
	case 0x110: return at - n >= 0 ? l - n : -1;
	case 0x120: return row | ((at - n) & 15);
	}
	switch (control) {
	case 0x130: return l + 1 < LANES ? l + 1 : -1;
	case 0x134: return (l + 1) % LANES;
	case 0x138: return l - 1;
	case 0x13c: return (l + LANES - 1) % LANES;
	case 0x140: return row | (15 - at);
	case 0x141: return (l & ~7) | (7 - (l & 7));
	case 0x142: return row - 1;
	case 0x143: return l >= 32 ? 31 : -1;
	}
	return -1;
}

static unsigned dpp_control(const struct insn *in)
{
	return in->mod[MOD_DPP_LOW] | (unsigned)in->mod[MOD_DPP_HIGH] << 8;
}

lane_mask SIMD_NAME(gcn_dpp_lanes)(const struct exec *x, const struct insn *in)
{
	lane_mask active = x->step.active, lanes = 0;

	FOR_SET_LANES(l, active) {
		int from = dpp_source(dpp_control(in), l);
		bool on = in->mod[MOD_MASKS] >> (4 + l / 16) & 1 && in->mod[MOD_MASKS] >> (l % 16 / 4) & 1;
		bool there = from >= 0 && active >> from & 1;
		if (on && (there || in->mod[MOD_BOUND]))
			lanes |= 1ull << l;
	}
	return lanes;
}

static void dpp_gather(const struct exec *x, const struct insn *in, const struct row *from, struct row *to)
{
	FOR_LANES(l) {
		int k = dpp_source(dpp_control(in), l);
		to->lane[l] = k >= 0 && x->step.active >> k & 1 ? from->lane[k] : 0;
	}
}

/* ---- what is done to a source ---- */

static void select_part(struct row *r, unsigned sel, bool sext)
{
	unsigned bits = sel < SEL_WORD0 ? 8 : sel < SEL_DWORD ? 16 : 32;
	unsigned shift = sel < SEL_WORD0 ? 8 * sel : sel == SEL_WORD1 ? 16 : 0;

	if (bits == 32)
		return;
	FOR_LANES(l) {
		uint32_t v = r->lane[l] << (32 - bits - shift);
		r->lane[l] = sext ? (uint32_t)((int32_t)v >> (32 - bits)) : v >> (32 - bits);
	}
}

static uint32_t sign_of(enum gcn_type type)
{
	return type == T_F16 ? 0x8000 : 0x80000000;
}

/* Is the sign bit of source i in word `part`? Of 64 bits, in the upper word. */
static bool has_sign(const struct insn *in, int i, unsigned part)
{
	return part == (in->src[i].width == 8 ? 1 : 0);
}

static void signs(const struct insn *in, int i, unsigned part, struct row *r)
{
	uint32_t sign = sign_of((enum gcn_type)gcn_row_of(in)->s[i]);
	bool absolute = in->mod[MOD_ABS] >> i & 1, negative = in->mod[MOD_NEG] >> i & 1;
	uint32_t keep = absolute ? ~sign : ~0u, flip = negative ? sign : 0;

	/* packed arithmetic has halves with signs of their own */
	if (gcn_row_of(in)->encoding == ENC_VOP3P || !(absolute || negative) || !has_sign(in, i, part))
		return;
	FOR_LANES(l)
		r->lane[l] = (r->lane[l] & keep) ^ flip;
}

static bool is_half(enum gcn_type type)
{
	return gcn_type_bytes[type] && (type == T_F16 || type == T_U16 || type == T_I16);
}

/* While s_set_gpr_idx_on is on, M0[7:0] is added to the numbers of registers: of sources 0 to 2 by M0[12], [13], [14],
 * of the destination by M0[15]. Registers beyond the last are the last. */
struct row *SIMD_NAME(gcn_indexed)(const struct exec *x, const struct insn *in, unsigned reg, uint32_t operand)
{
	const struct gcn_warp *g = gcn_warp(x->warp);

	if (in->acts && g->mode & MODE_GPR_IDX && g->s[CODE_M0] >> 12 & operand)
		reg += g->s[CODE_M0] & 0xff;
	return gcn_row(x, reg < x->warp->nreg ? reg : x->warp->nreg - 1);
}

/* Word `part` of a source as it stands. */
static const struct row *fetch(struct exec *x, const struct insn *in, int i, unsigned part, struct row *tmp)
{
	const struct opnd *o = &in->src[i];
	uint32_t v = (uint32_t)o->value;

	if (o->shape == OPND_REG && o->file == FILE_V)
		return SIMD_NAME(gcn_indexed)(x, in, o->reg + part, 1u << i);
	if (o->shape == OPND_REG && o->file == FILE_S)
		v = gcn_warp(x->warp)->s[o->reg + part];
	else if (o->shape == OPND_REG)
		v = o->width > 4 ? (uint32_t)(gcn_special_wide(x, o->reg) >> 32 * part) : gcn_special(x, o->reg);
	else if (o->width > 4)
		v = (uint32_t)(gcn_immediate_wide(o, (enum gcn_type)gcn_row_of(in)->s[i]) >> 32 * part);
	FOR_LANES(l)
		tmp->lane[l] = v;
	return tmp;
}

const struct row *SIMD_NAME(gcn_make)(struct exec *x, const struct insn *in, int i, unsigned part, struct row *tmp)
{
	const struct row *r = fetch(x, in, i, part, tmp);
	unsigned form = in->mod[MOD_FORM];
	bool half = form == FORM_VOP3 && in->mod[MOD_OPSEL] >> i & 1 && is_half((enum gcn_type)gcn_row_of(in)->s[i]) &&
		    gcn_row_of(in)->encoding != ENC_VOP3P;

	if (form == FORM_DPP && i == 0)
		dpp_gather(x, in, r, tmp);
	else if (r != tmp)
		*tmp = *r;
	if (form == FORM_SDWA && i < 2)
		select_part(tmp, in->mod[i ? MOD_SRC1_SEL : MOD_SRC0_SEL], in->mod[MOD_SEXT] >> i & 1);
	if (half)
		select_part(tmp, SEL_WORD1, false);
	signs(in, i, part, tmp);
	return tmp;
}

/* ---- results ---- */

static float clamp_float(float v, bool nan_is_zero)
{
	if (isnan(v))
		return nan_is_zero ? 0.0f : v;
	return v <= 0.0f ? 0.0f : v > 1.0f ? 1.0f : v;
}

static double clamp_double(double v, bool nan_is_zero)
{
	if (isnan(v))
		return nan_is_zero ? 0.0 : v;
	return v <= 0.0 ? 0.0 : v > 1.0 ? 1.0 : v;
}

static const float omod_factor[] = { 1, 2, 4, 0.5f };

/* The output modifier in effect: it is ignored where MODE.IEEE is set or results may be denormal ("Vega Instruction Set
 * Architecture", 6.2). Where it is not, what comes out is no denormal, and no -0. */
static unsigned output_modifier(const struct insn *in, uint32_t mode, unsigned denorm)
{
	return mode & MODE_IEEE || mode >> (denorm + 1) & 1 ? 0 : in->mod[MOD_OMOD] & 3;
}

static double scaled(double v, unsigned omod, double least)
{
	double r = v * (double)omod_factor[omod];

	return fabs(r) < least ? 0.0 : r;
}

static void finish_float(const struct insn *in, uint32_t mode, struct row *r)
{
	unsigned omod = output_modifier(in, mode, MODE_DENORM_32);

	FOR_LANES(l) {
		float v = f32_value(r->lane[l]);
		if (omod)
			v = (float)scaled((double)v, omod, 0x1p-126);
		if (in->mod[MOD_CLAMP])
			v = clamp_float(v, mode & MODE_DX10_CLAMP);
		r->lane[l] = f32_bits(v);
	}
}

static void finish_double(const struct insn *in, uint32_t mode, struct row *low, struct row *high)
{
	unsigned omod = output_modifier(in, mode, MODE_DENORM_64);

	FOR_LANES(l) {
		uint64_t bits = (uint64_t)high->lane[l] << 32 | low->lane[l];
		double v = f64_value(bits);
		if (omod)
			v = scaled(v, omod, 0x1p-1022);
		if (in->mod[MOD_CLAMP])
			v = clamp_double(v, mode & MODE_DX10_CLAMP);
		bits = f64_bits(v);
		low->lane[l] = (uint32_t)bits;
		high->lane[l] = (uint32_t)(bits >> 32);
	}
}

static void finish_half(const struct insn *in, uint32_t mode, struct row *r)
{
	unsigned omod = output_modifier(in, mode, MODE_DENORM_64);

	FOR_LANES(l) {
		double v = f16_value(r->lane[l]);
		if (omod)
			v = scaled(v, omod, 0x1p-14);
		if (in->mod[MOD_CLAMP])
			v = clamp_double(v, mode & MODE_DX10_CLAMP);
		r->lane[l] = f16_round(v, ROUND_NEAREST);
	}
}

/* omod and clamp. */
static void finish(struct exec *x, const struct insn *in, struct row *v, struct row *high)
{
	uint32_t mode = gcn_warp(x->warp)->mode;

	if (!in->mod[MOD_OMOD] && !in->mod[MOD_CLAMP])
		return;
	switch (gcn_row_of(in)->d) {
	case T_F32:
		finish_float(in, mode, v);
		break;
	case T_F64:
		finish_double(in, mode, v, high);
		break;
	case T_F16:
		finish_half(in, mode, v);
		break;
	}
}

/* SDWA: the result is a part of the register; the others are zeros, the part's sign, or stay. */
static void place_part(const struct insn *in, const struct row *old, struct row *v)
{
	unsigned sel = in->mod[MOD_DST_SEL], unused = in->mod[MOD_DST_UNUSED];
	unsigned bits = sel < SEL_WORD0 ? 8 : sel < SEL_DWORD ? 16 : 32;
	unsigned shift = sel < SEL_WORD0 ? 8 * sel : sel == SEL_WORD1 ? 16 : 0;
	uint32_t mask = bits == 32 ? ~0u : ((1u << bits) - 1) << shift;

	if (bits == 32)
		return;
	FOR_LANES(l) {
		uint32_t part = v->lane[l] << shift & mask;
		uint32_t sign = (uint32_t)((int32_t)(v->lane[l] << (32 - bits)) >> 31) << shift & ~mask;
		v->lane[l] = part | (unused == UNUSED_PRESERVE ? old->lane[l] & ~mask :
				     unused == UNUSED_SEXT ? sign : 0);
	}
}

int SIMD_NAME(gcn_put_modified)(struct exec *x, const struct insn *in, struct row *v, struct row *high)
{
	struct row *to = SIMD_NAME(gcn_indexed)(x, in, in->dst.reg, 8);

	finish(x, in, v, high);
	if (in->mod[MOD_FORM] == FORM_SDWA)
		place_part(in, to, v);
	row_blend(to, v, x->step.executed);
	if (high && in->dst.width > 4)
		row_blend(SIMD_NAME(gcn_indexed)(x, in, in->dst.reg + 1, 8), high, x->step.executed);
	return STEP_OK;
}

int SIMD_NAME(gcn_put_half)(struct exec *x, const struct insn *in, struct row *v, bool high)
{
	struct row *to = SIMD_NAME(gcn_indexed)(x, in, in->dst.reg, 8);

	finish(x, in, v, NULL);
	FOR_LANES(l)
		v->lane[l] = high ? v->lane[l] << 16 | (to->lane[l] & 0xffff) :
			     (to->lane[l] & 0xffff0000) | (v->lane[l] & 0xffff);
	row_blend(to, v, x->step.executed);
	return STEP_OK;
}

int SIMD_NAME(gcn_put_compare)(struct exec *x, const struct insn *in, uint64_t mask)
{
	mask &= x->step.executed;
	gcn_write_pair(x, in->dst.shape == OPND_REG ? in->dst.reg : CODE_VCC, mask);
	if (gcn_row_of(in)->flags & WRITES_EXEC)
		gcn_write_exec(x, mask);
	return STEP_OK;
}
