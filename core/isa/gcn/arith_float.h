/* Floats of vector instructions, for one lane; included by arith.h once for each format. Words of binary16 may have
 * anything above their 16 bits. Sources: "AMD GCN3 Instruction Set Architecture" and "Vega Instruction Set
 * Architecture", chapter 12; CLRX documentation, GcnInstrsVop*.md.
 *
 * MODE says whether denormals of operands and of results are flushed to zeros of their sign. */

#define F_SIGN ((WORD)1 << (MANTISSA + EXPONENT))
#define F_INF ((((WORD)1 << EXPONENT) - 1) << MANTISSA)
#define F_QUIET ((WORD)1 << (MANTISSA - 1))
#define F_NAN (F_SIGN | F_INF | F_QUIET)
#define F_BIAS ((1 << (EXPONENT - 1)) - 1)
#define F_ONE ((WORD)F_BIAS << MANTISSA)

static inline bool F(is_nan)(WORD v)
{
	return (SIGNED)(v & (F_SIGN - 1)) > (SIGNED)F_INF;
}

static inline bool F(is_signalling)(WORD v)
{
	return F(is_nan)(v) && !(v & F_QUIET);
}

static inline bool F(is_infinite)(WORD v)
{
	return (v & (F_SIGN - 1)) == F_INF;
}

static inline bool F(is_zero)(WORD v)
{
	return (v & (F_SIGN - 1)) == 0;
}

static inline bool F(is_denormal)(WORD v)
{
	return !(v & F_INF) && !F(is_zero)(v);
}

static inline int F(exponent)(WORD v)
{
	return (int)((v & F_INF) >> MANTISSA);
}

/* bit: 0 operands, 1 results. */
static inline WORD F(flush)(WORD v, uint32_t mode, unsigned bit)
{
	WORD flushed = mode >> (DENORM + bit) & 1 ? 0 : F_SIGN - 1;

	return v & F_INF ? v : v & ~flushed;
}

static inline WORD F(in)(WORD v, uint32_t mode)
{
	return F(flush)(v & (F_SIGN | (F_SIGN - 1)), mode, 0);
}

/* What comes of r, computed from a, b and c: NaNs are theirs, denormals may be flushed. */
static inline WORD F(out)(WORD r, WORD a, WORD b, WORD c, uint32_t mode)
{
#ifdef FLOAT_ORDINARY   /* a NaN is any; others are as without */
	return F(flush)(r, mode, 1);
#endif
	WORD nan = F(is_nan)(a) ? a | F_QUIET : F(is_nan)(b) ? b | F_QUIET : F(is_nan)(c) ? c | F_QUIET : F_NAN;

	return F(is_nan)(r) ? nan : F(flush)(r, mode, 1);
}

/* ---- sums and products ---- */

static inline WORD F(add)(WORD a, WORD b, uint32_t mode)
{
	a = F(in)(a, mode), b = F(in)(b, mode);
	return F(out)(TO_WORD(F(value)(a) + F(value)(b), mode), a, b, b, mode);
}

static inline WORD F(sub)(WORD a, WORD b, uint32_t mode)
{
	a = F(in)(a, mode), b = F(in)(b, mode);
	return F(out)(TO_WORD(F(value)(a) - F(value)(b), mode), a, b, b, mode);
}

static inline WORD F(mul)(WORD a, WORD b, uint32_t mode)
{
	a = F(in)(a, mode), b = F(in)(b, mode);
	return F(out)(TO_WORD(F(value)(a) * F(value)(b), mode), a, b, b, mode);
}

/* The product is rounded, then the sum. */
static inline WORD F(mad)(WORD a, WORD b, WORD c, uint32_t mode)
{
	return F(add)(F(mul)(a, b, mode), c, mode);
}

/* 0 times anything is 0. */
static inline WORD F(mul_legacy)(WORD a, WORD b, uint32_t mode)
{
	unsigned zero = (unsigned)F(is_zero)(F(in)(a, mode)) | (unsigned)F(is_zero)(F(in)(b, mode));

	return zero ? 0 : F(mul)(a, b, mode);
}

static inline WORD F(mad_legacy)(WORD a, WORD b, WORD c, uint32_t mode)
{
	return F(add)(F(mul_legacy)(a, b, mode), c, mode);
}

static inline WORD F(fma)(WORD a, WORD b, WORD c, uint32_t mode)
{
	a = F(in)(a, mode), b = F(in)(b, mode), c = F(in)(c, mode);
	return F(out)(TO_WORD(FUSED(F(value)(a), F(value)(b), F(value)(c), mode), mode), a, b, c, mode);
}

/* ---- order ---- */

/* How a is to b, as a bit of enum valu_class. */
static inline uint32_t F(compare)(WORD a, WORD b, uint32_t mode)
{
	VALUE x = F(value)(F(in)(a, mode)), y = F(value)(F(in)(b, mode));

	return (uint32_t)(x < y) * 1 | (uint32_t)(x == y) * 2 | (uint32_t)(x > y) * 4 |
	       (uint32_t)((x != x) | (y != y)) * 8;
}

/* A NaN is the other one's; with MODE.IEEE a signalling NaN comes out, quiet. -0 is less than +0. */
static inline WORD F(pick)(WORD a, WORD b, WORD number, uint32_t mode)
{
	WORD r = F(is_nan)(a) ? b : F(is_nan)(b) ? a : number;
	bool ieee = mode & MODE_IEEE;

	r = ieee && F(is_signalling)(b) ? b | F_QUIET : r;
	return ieee && F(is_signalling)(a) ? a | F_QUIET : r;
}

static inline WORD F(min)(WORD a, WORD b, uint32_t mode)
{
	a = F(in)(a, mode), b = F(in)(b, mode);
	VALUE x = F(value)(a), y = F(value)(b);
	return F(pick)(a, b, x < y ? a : y < x ? b : a | b, mode);
}

static inline WORD F(max)(WORD a, WORD b, uint32_t mode)
{
	a = F(in)(a, mode), b = F(in)(b, mode);
	VALUE x = F(value)(a), y = F(value)(b);
	return F(pick)(a, b, x > y ? a : y > x ? b : a & b, mode);
}

static inline WORD F(min3)(WORD a, WORD b, WORD c, uint32_t mode)
{
	return F(min)(F(min)(a, b, mode), c, mode);
}

static inline WORD F(max3)(WORD a, WORD b, WORD c, uint32_t mode)
{
	return F(max)(F(max)(a, b, mode), c, mode);
}

static inline WORD F(med3)(WORD a, WORD b, WORD c, uint32_t mode)
{
	a = F(in)(a, mode), b = F(in)(b, mode), c = F(in)(c, mode);
	WORD most = F(max3)(a, b, c, mode);
	if (F(is_nan)(a) || F(is_nan)(b) || F(is_nan)(c))
		return F(min3)(a, b, c, mode);
	return F(value)(most) == F(value)(a) ? F(max)(b, c, mode) :
	       F(value)(most) == F(value)(b) ? F(max)(a, c, mode) : F(max)(a, b, mode);
}

/* The bits of v_cmp_class: signalling NaN, quiet NaN, -inf, -normal, -denormal, -0, +0, +denormal, +normal, +inf. */
static inline uint32_t F(kind)(WORD v)
{
	bool negative = v & F_SIGN;

	if (F(is_nan)(v))
		return v & F_QUIET ? 1 << 1 : 1 << 0;
	if (F(is_infinite)(v))
		return negative ? 1 << 2 : 1 << 9;
	if (F(is_zero)(v))
		return negative ? 1 << 5 : 1 << 6;
	if (F(is_denormal)(v))
		return negative ? 1 << 4 : 1 << 7;
	return negative ? 1 << 3 : 1 << 8;
}

/* ---- to integers, and parts ---- */

static inline WORD F(floor)(WORD a, uint32_t mode)
{
	a = F(in)(a, mode);
	return F(out)(TO_WORD(MATH(floor)(F(value)(a)), mode), a, a, a, mode);
}

static inline WORD F(ceil)(WORD a, uint32_t mode)
{
	a = F(in)(a, mode);
	return F(out)(TO_WORD(MATH(ceil)(F(value)(a)), mode), a, a, a, mode);
}

static inline WORD F(trunc)(WORD a, uint32_t mode)
{
	a = F(in)(a, mode);
	return F(out)(TO_WORD(MATH(trunc)(F(value)(a)), mode), a, a, a, mode);
}

/* The host rounds to nearest even here. */
static inline WORD F(rndne)(WORD a, uint32_t mode)
{
	a = F(in)(a, mode);
	return F(out)(TO_WORD(MATH(rint)(F(value)(a)), mode), a, a, a, mode);
}

/* Less than 1 where the difference rounds to it. */
static inline WORD F(fract)(WORD a, uint32_t mode)
{
	a = F(in)(a, mode);
	WORD r = TO_WORD(F(value)(a) - MATH(floor)(F(value)(a)), mode);
	return F(out)(r == F_ONE ? F_ONE - 1 : r, a, a, a, mode);
}

/* a = mantissa * 2^exponent, the mantissa's magnitude from 1/2 to below 1. */
static inline uint32_t F(frexp_exponent)(WORD a, uint32_t mode)
{
	int e = 0;

	a = F(in)(a, mode);
	if ((a & F_INF) != F_INF)
		frexp((double)F(value)(a), &e);
	return (uint32_t)e;
}

static inline WORD F(frexp_mantissa)(WORD a, uint32_t mode)
{
	int e;

	a = F(in)(a, mode);
	if ((a & F_INF) == F_INF)
		return F(is_nan)(a) ? a | F_QUIET : a;
	return TO_WORD((VALUE)frexp((double)F(value)(a), &e), mode);
}

static inline WORD F(ldexp)(WORD a, int32_t n, uint32_t mode)
{
	int bounded = n < -4096 ? -4096 : n > 4096 ? 4096 : n;

	a = F(in)(a, mode);
	return F(out)(TO_WORD((VALUE)ldexp((double)F(value)(a), bounded), mode), a, a, a, mode);
}

/* ---- roots and reciprocals: correctly rounded, but for rsq's second rounding in double ---- */

static inline WORD F(rcp)(WORD a, uint32_t mode)
{
	a = F(in)(a, mode);
	return F(out)(TO_WORD((VALUE)1 / F(value)(a), mode), a, a, a, mode);
}

static inline WORD F(sqrt)(WORD a, uint32_t mode)
{
	a = F(in)(a, mode);
	return F(out)(TO_WORD(MATH(sqrt)(F(value)(a)), mode), a, a, a, mode);
}

static inline WORD F(rsq)(WORD a, uint32_t mode)
{
	a = F(in)(a, mode);
	return F(out)(TO_WORD((VALUE)(1.0 / sqrt((double)F(value)(a))), mode), a, a, a, mode);
}

/* Infinities of the clamping kinds are the largest number; of the legacy kinds, zeros. */
static inline WORD F(bounded)(WORD r)
{
	return F(is_infinite)(r) ? r - 1 : r;
}

static inline WORD F(legacy)(WORD r)
{
	return F(is_infinite)(r) ? r & F_SIGN : r;
}

/* ---- division, in steps ---- */

/* q is about n / d. */
static inline WORD F(div_fixup)(WORD q, WORD d, WORD n, uint32_t mode)
{
	d = F(in)(d, mode), n = F(in)(n, mode), q &= F_SIGN | (F_SIGN - 1);
	WORD sign = (d ^ n) & F_SIGN;
	if (F(is_nan)(n))
		return n | F_QUIET;
	if (F(is_nan)(d))
		return d | F_QUIET;
	if ((F(is_zero)(d) && F(is_zero)(n)) || (F(is_infinite)(d) && F(is_infinite)(n)))
		return F_NAN;
	if (F(is_zero)(d) || F(is_infinite)(n))
		return sign | F_INF;
	if (F(is_infinite)(d) || F(is_zero)(n))
		return sign;
	if (F(exponent)(n) - F(exponent)(d) < -(F_BIAS + MANTISSA))
		return sign;
	/* steps that overflowed leave a NaN */
	return sign | (F(is_nan)(q) ? F_INF : F(flush)(q, mode, 1) & (F_SIGN - 1));
}

/* Half the width of a scaled quotient's exponents: 2^64, 2^128. */
#define F_SCALE (EXPONENT == 8 ? 64 : 128)

/* a, which is d or n, scaled so that no step towards n / d meets a denormal; *scaled: div_fmas is to scale the
 * quotient. */
static inline WORD F(div_scale)(WORD a, WORD d, WORD n, uint32_t *scaled)
{
	int ed = F(exponent)(d), en = F(exponent)(n), by = 0;
	bool of_d = a == d, of_n = a == n;
	bool below = (n & ((F_QUIET << 1) - 1)) < (d & ((F_QUIET << 1) - 1));
	bool tiny_quotient = en - ed < 1 - F_BIAS + below, huge_d = ed >= 2 * F_BIAS - 1;

	*scaled = 0;
	if (F(is_zero)(d) || F(is_zero)(n))
		return F_NAN;
	if (ed == 2 * F_BIAS + 1 || en == 2 * F_BIAS + 1)
		return a;
	if (en - ed >= (F_BIAS + 1) * 3 / 4) {
		*scaled = 1;
		by = of_d ? F_SCALE : 0;
	} else if (F(is_denormal)(d)) {
		by = F_SCALE;
	} else if (huge_d && tiny_quotient) {
		*scaled = 1;
		by = of_d ? -F_SCALE : 0;
	} else if (huge_d) {
		by = -F_SCALE;
	} else if (tiny_quotient) {
		*scaled = 1;
		by = of_n ? F_SCALE : 0;
	} else if (en <= MANTISSA) {
		by = F_SCALE;
	}
	return TO_WORD((VALUE)ldexp((double)F(value)(a), by), 0);
}

/* v * 2^by, to the nearest as if v were not rounded: `lost` is what v is short of. Matters where v lies in the middle
 * of two denormals. Quotients of the language are rounded once (OpenCL C 1.2, 7.4), by a sequence that ends here. */
static inline VALUE F(scaled_once)(VALUE v, VALUE lost, int by)
{
	VALUE q = (VALUE)ldexp((double)v, by), apart = v - (VALUE)ldexp((double)q, -by);
	double step = ldexp(1, 1 - F_BIAS - MANTISSA);

	if (fabs((double)apart) != ldexp(step, -by - 1))
		return q;
	return apart > 0 && lost > 0 ? q + (VALUE)step : apart < 0 && lost < 0 ? q - (VALUE)step : q;
}

static inline WORD F(div_fmas)(WORD a, WORD b, WORD c, bool scaled, uint32_t mode)
{
	uint32_t kept = mode | 3u << DENORM;
	WORD r = F(fma)(a, b, c, kept);
	int by = F(exponent)(c) > F_BIAS ? F_SCALE : -F_SCALE;
	bool nearest = !(mode >> (MANTISSA == 23 ? MODE_ROUND_32 : MODE_ROUND_64) & 3);

	if (scaled && nearest && !F(is_nan)(r) && !F(is_infinite)(r)) {
		VALUE v = F(value)(r), lost = FUSED(F(value)(a), F(value)(b), F(value)(c) - v, mode);
		r = TO_WORD(F(scaled_once)(v, lost, by), mode);
	} else if (scaled) {
		r = F(ldexp)(r, by, kept);
	}
	return F(out)(r, r, r, r, mode);
}

#undef F_SIGN
#undef F_INF
#undef F_QUIET
#undef F_NAN
#undef F_BIAS
#undef F_ONE
#undef F_SCALE
#undef FLOAT_FORMAT
#undef WORD
#undef SIGNED
#undef VALUE
#undef MANTISSA
#undef EXPONENT
#undef DENORM
#undef TO_WORD
#undef FUSED
#undef MATH
