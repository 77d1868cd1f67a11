/* Executors of single precision and of the exchange within quads. */
#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/stamp.h"

/* What a negate modifier turns in every lane's word. */
static inline uint32_t sign_flip(const struct insn *in, unsigned neg)
{
	return in->mod[neg] ? F32_SIGN : 0;
}

static inline uint32_t sign_keep(const struct insn *in, unsigned abs)
{
	return in->mod[abs] ? ~F32_SIGN : ~0u;
}

/* ---- the mode register (facts 4.10) ---- */

static uint32_t mode_lane(const struct exec *x, const struct insn *in, enum tesla_exec op, const uint32_t v[3],
			  uint32_t *cc)
{
	uint32_t mode = x->rules->mp_mode, out;
	bool rz = in->mod[MOD_ROUND] == ROUND_RZ, sat = in->mod[MOD_SAT], nan_in = false;
	bool wins = mode & MP_ZERO_WINS && op != TESLA_EXEC_fadd && (!(v[0] & F32_INF) || !(v[1] & F32_INF));

	for (int i = 0; i < (op == TESLA_EXEC_fmad ? 3 : 2); i++)
		nan_in |= f32_is_nan(v[i]);
	if (op == TESLA_EXEC_fadd)
		out = rz ? f32_add_rz(v[0], v[1], sat, cc) : f32_add(v[0], v[1], sat, cc);
	else if (wins)
		out = f32_add(0, op == TESLA_EXEC_fmad ? v[2] : 0, sat, cc);
	else if (op == TESLA_EXEC_fmul)
		out = rz ? f32_mul_rz(v[0], v[1], sat, cc) : f32_mul(v[0], v[1], sat, cc);
	else
		out = f32_mad(v[0], v[1], v[2], sat, cc);
	/* GT200 tests the inputs alone. */
	if (mode & MP_SAT_NAN_ZERO && sat && f32_is_nan(out) &&
	    (nan_in || !(x->program->target.features & FEAT_FP64))) {
		out = 0;
		*cc = FLAG_Z;
	}
	return out;
}

/* What mode bits change, a lane at a time. flip: what modifiers turn in the sources. */
static int by_mode(struct exec *x, const struct insn *in, enum tesla_exec op, const uint32_t flip[3])
{
	int n = op == TESLA_EXEC_fmad ? 3 : 2;
	struct row tmp[3], out, flags;
	const struct row *src[3];

	for (int i = 0; i < n; i++)
		src[i] = src_row(x, in, i, &tmp[i]);
	FOR_LANES(l) {
		uint32_t v[3] = { src[0]->lane[l] ^ flip[0], src[1]->lane[l] ^ flip[1],
				  n == 3 ? src[2]->lane[l] ^ flip[2] : 0 };
		out.lane[l] = mode_lane(x, in, op, v, &flags.lane[l]);
	}
	write_flags(x, in, &flags);
	write_row(x, in, &out);
	return STEP_OK;
}

/* ---- arithmetic ---- */

/* Only rn and rz exist for single precision. */
EXEC(fadd)
{
	uint32_t flip_a = sign_flip(in, MOD_NEG1), flip_b = sign_flip(in, MOD_NEG2);
	bool sat = in->mod[MOD_SAT];

	if (x->rules->mp_mode)
		return by_mode(x, in, TESLA_EXEC_fadd, (uint32_t[3]){ flip_a, flip_b, 0 });
	if (in->mod[MOD_ROUND] == ROUND_RZ)
		STAMP(2, f32_add_rz(a ^ flip_a, b ^ flip_b, sat, &cc));
	else if (sat)
		STAMP(2, f32_add(a ^ flip_a, b ^ flip_b, true, &cc));
	else
		STAMP(2, f32_add(a ^ flip_a, b ^ flip_b, false, &cc));
	return STEP_OK;
}

EXEC(fmul)
{
	uint32_t flip = sign_flip(in, MOD_NEG1) ^ sign_flip(in, MOD_NEG2);
	bool sat = in->mod[MOD_SAT];

	if (x->rules->mp_mode)
		return by_mode(x, in, TESLA_EXEC_fmul, (uint32_t[3]){ flip, 0, 0 });
	if (in->mod[MOD_ROUND] == ROUND_RZ)
		STAMP(2, f32_mul_rz(a ^ flip, b, sat, &cc));
	else if (sat)
		STAMP(2, f32_mul(a ^ flip, b, true, &cc));
	else
		STAMP(2, f32_mul(a ^ flip, b, false, &cc));
	return STEP_OK;
}

EXEC(fmad)
{
	uint32_t flip_ab = sign_flip(in, MOD_NEG1), flip_c = sign_flip(in, MOD_NEG3);

	if (x->rules->mp_mode)
		return by_mode(x, in, TESLA_EXEC_fmad, (uint32_t[3]){ flip_ab, 0, flip_c });
	if (in->mod[MOD_SAT])
		STAMP(3, f32_mad(a ^ flip_ab, b, c ^ flip_c, true, &cc));
	else
		STAMP(3, f32_mad(a ^ flip_ab, b, c ^ flip_c, false, &cc));
	return STEP_OK;
}

EXEC(fset)
{
	uint32_t keep_a = sign_keep(in, MOD_ABS1), flip_a = sign_flip(in, MOD_NEG1);
	uint32_t keep_b = sign_keep(in, MOD_ABS2), flip_b = sign_flip(in, MOD_NEG2);
	unsigned cond = in->mod[MOD_COND];

	STAMP(2, f32_set((a & keep_a) ^ flip_a, (b & keep_b) ^ flip_b, cond, &cc));
	return STEP_OK;
}

LANE_FN int fminmax(struct exec *x, const struct insn *in, bool max)
{
	uint32_t keep_a = sign_keep(in, MOD_ABS1), flip_a = sign_flip(in, MOD_NEG1);
	uint32_t keep_b = sign_keep(in, MOD_ABS2), flip_b = sign_flip(in, MOD_NEG2);

	STAMP(2, f32_minmax((a & keep_a) ^ flip_a, (b & keep_b) ^ flip_b, max, &cc));
	return STEP_OK;
}

EXEC(fmax)
{
	return fminmax(x, in, true);
}

EXEC(fmin)
{
	return fminmax(x, in, false);
}

EXEC(slct)
{
	uint32_t flip_c = sign_flip(in, MOD_NEG3);

	STAMP(3, f32_slct(a, b, c ^ flip_c, &cc));
	return STEP_OK;
}

/* The lane that quadop's selector (spec tesla-encoding c.4) means for lane l: 0 to 3 a lane of the quad; 4 and 6 the
 * neighbour in x, 5 and 7 in y. */
static int quad_lane(unsigned selector, int l)
{
	if (selector < 4)
		return (l & ~3) + (int)selector;
	return l ^ (selector & 1 ? 2 : 1);
}

/* Outside fragment programs there are no neighbours: the result is 0 (facts 4.4), or by the mode register +inf. */
EXEC(quadop)
{
	unsigned selector = in->mod[MOD_OP];
	bool exists = selector < 4 || x->program->target.mode == MODE_FP;
	bool inf = x->rules->mp_mode & MP_ALWAYS_DERIV;
	struct row tmp_a, tmp_b, out, flags;
	const struct row *a = src_row(x, in, 0, &tmp_a), *b = src_row(x, in, 1, &tmp_b);
	const uint8_t op[4] = {in->mod[MOD_LANE0], in->mod[MOD_LANE1], in->mod[MOD_LANE2], in->mod[MOD_LANE3]};

	FOR_LANES(l) {
		uint32_t v = f32_quadop(op[l & 3], a->lane[quad_lane(selector, l)], b->lane[l], &flags.lane[l]);
		out.lane[l] = exists ? v : inf ? F32_INF : 0;
		flags.lane[l] = exists ? flags.lane[l] : inf ? 0 : FLAG_Z;
	}
	write_flags(x, in, &flags);
	write_row(x, in, &out);
	return STEP_OK;
}
