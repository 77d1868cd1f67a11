/* Executors of conversions. The widths are those of the numbers (MOD_SRC_BYTES, MOD_DST_BYTES); a number narrower than
 * its register is in the register's low bits. Forms with a 64-bit number on either side have rules of their own. */
#include "core/isa/tesla/arith_cvt.h"
#include "core/isa/tesla/stamp.h"

struct cvt_mods {
	int from, to;               /* bytes */
	bool signed_from, signed_to;
	bool neg, abs, sat, rint;
	unsigned round;
};

static inline struct cvt_mods cvt_mods(const struct insn *in)
{
	return (struct cvt_mods){
		.from = in->mod[MOD_SRC_BYTES], .to = in->mod[MOD_DST_BYTES],
		.signed_from = in->mod[MOD_SIGN1], .signed_to = in->mod[MOD_SIGN2],
		.neg = in->mod[MOD_NEG1], .abs = in->mod[MOD_ABS1], .sat = in->mod[MOD_SAT],
		.rint = in->mod[MOD_RINT], .round = in->mod[MOD_ROUND],
	};
}

LANE_FN uint32_t i2i(uint32_t a, struct cvt_mods m, int reg_bytes, uint32_t *cc)
{
	struct cvt_int v = cvt_int(a, m.signed_from, m.from, m.neg, m.abs);
	return cvt_to_int(v.sign, v.size, m.signed_to, m.to, reg_bytes, cc);
}

EXEC(cvt_i2i)
{
	struct cvt_mods m = cvt_mods(in);
	int reg_bytes = in->dst.width == 2 ? 2 : 4;

	STAMP(1, i2i(a, m, reg_bytes, &cc));
	return STEP_OK;
}

LANE_FN uint32_t i2f32(uint32_t a, struct cvt_mods m, uint32_t *cc)
{
	struct cvt_int v = cvt_int(a, m.signed_from, m.from, m.neg, m.abs);
	uint32_t wide = cvt_int_to_f32(v.sign, v.size, m.round);
	uint32_t out = m.sat ? f32_sat(wide) : wide;
	*cc = f32_flags(out);
	return out;
}

LANE_FN uint32_t i2f16(uint32_t a, struct cvt_mods m, uint32_t *cc)
{
	uint32_t out = cvt_int_to_f16(cvt_int(a, m.signed_from, m.from, m.neg, m.abs), m.round, m.sat);
	*cc = f16_flags(out);
	return out;
}

static inline uint64_t i2f64(uint64_t a, struct cvt_mods m, uint32_t *cc)
{
	uint64_t wide = m.from == 4 && m.signed_from ? (uint64_t)(int32_t)a : a;
	return cvt_long_to_float(wide, m.signed_from, m.neg, m.abs, m.round, m.to == 8 ? &FORMAT_F64 : &FORMAT_F32, cc);
}

/* WebAssembly modules are to be small: one loop over lanes for all sizes of floats. */
#ifdef __wasm__
enum { ONE_LOOP = 1 };
#else
enum { ONE_LOOP = 0 };
#endif

EXEC(cvt_i2f)
{
	struct cvt_mods m = cvt_mods(in);

	if (m.from == 8 || m.to == 8)
		STAMP_WIDE(1, i2f64(a, m, &cc));
	else if (m.to == 2)
		STAMP(1, i2f16(a, m, &cc));
	else
		STAMP(1, i2f32(a, m, &cc));
	return STEP_OK;
}

LANE_FN uint32_t f2i32(uint32_t a, struct cvt_mods m, int from, uint32_t *cc)
{
	return cvt_f32_to_int(cvt_float(a, from, m.neg, m.abs), m.round, m.signed_to, m.to, m.to, cc);
}

static inline uint64_t f2i64(uint64_t a, struct cvt_mods m, uint32_t *cc)
{
	uint64_t wide = m.from == 8 ? a : cvt_f32_to_f64((uint32_t)a);
	return cvt_f64_to_int(f64_modify(wide, m.neg, m.abs), m.round, m.signed_to, m.to, cc);
}

EXEC(cvt_f2i)
{
	struct cvt_mods m = cvt_mods(in);

	if (m.from == 8 || m.to == 8)
		STAMP_WIDE(1, f2i64(a, m, &cc));
	else if (ONE_LOOP)
		STAMP(1, f2i32(a, m, m.from, &cc));
	else if (m.from == 2)
		STAMP(1, f2i32(a, m, 2, &cc));
	else
		STAMP(1, f2i32(a, m, 4, &cc));
	return STEP_OK;
}

LANE_FN uint32_t f2f32(uint32_t a, struct cvt_mods m, bool rint, int from, int to, uint32_t *cc)
{
	return cvt_f32_to_float(cvt_float(a, from, m.neg, m.abs), m.round, rint, m.sat, to, cc);
}

static inline uint64_t f2f64(uint64_t a, struct cvt_mods m, uint32_t *cc)
{
	uint64_t wide = f64_modify(m.from == 8 ? a : cvt_f32_to_f64((uint32_t)a), m.neg, m.abs);

	if (m.to == 4) {
		uint32_t narrow = cvt_f64_to_f32(wide, m.round);
		*cc = f32_flags(narrow);
		return narrow;
	}
	uint64_t out = m.rint ? cvt_f64_rint(wide, m.round) : f64_is_nan(wide) ? wide | F64_QUIET : wide;
	*cc = f64_flags(out);
	return out;
}

EXEC(cvt_f2f)
{
	struct cvt_mods m = cvt_mods(in);

	if (m.from == 8 || m.to == 8)
		STAMP_WIDE(1, f2f64(a, m, &cc));
	else if (ONE_LOOP)
		STAMP(1, f2f32(a, m, m.rint, m.from, m.to, &cc));
	else if (m.from == 2 && m.to == 2)
		STAMP(1, f2f32(a, m, m.rint, 2, 2, &cc));
	else if (m.from == 2)
		STAMP(1, f2f32(a, m, m.rint, 2, 4, &cc));
	else if (m.to == 2)
		STAMP(1, f2f32(a, m, m.rint, 4, 2, &cc));
	else if (m.rint)
		STAMP(1, f2f32(a, m, true, 4, 4, &cc));
	else
		STAMP(1, f2f32(a, m, false, 4, 4, &cc));
	return STEP_OK;
}
