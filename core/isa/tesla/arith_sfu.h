/* The special-function unit (facts 4.8): table lookup and quadratic interpolation in fixed point. */
#ifndef WB_CORE_ISA_TESLA_ARITH_SFU_H
#define WB_CORE_ISA_TESLA_ARITH_SFU_H

#include "core/isa/tesla/arith_f32.h"

/* Where each function's slices start in the ROM, in the order of sfu_rom.def. */
enum sfu_base { SFU_RCP = 0, SFU_RSQRT = 128, SFU_SIN = 256, SFU_EX2 = 320, SFU_LG2 = 384, SFU_ROWS = 448 };

struct sfu_rom {
	int32_t a[SFU_ROWS], b[SFU_ROWS], c[SFU_ROWS];
};

extern const struct sfu_rom sfu_rom;

#define F32_HIDDEN 0x800000u

/* The unit's squarer for a 17-bit r, about r * r / 2^19: each partial product is cut off before they are added. */
LANE_FN uint32_t sfu_square(uint32_t r)
{
	uint32_t sum = 0;
#pragma GCC unroll 17
	for (int i = 0; i < 17; i++)
		sum += r >> (18 - i) & -(r >> i & 1);
	return sum >> 1;
}

/* (A << a_up) + B * r + (C * square << c_up) + bias of one slice. */
LANE_FN int64_t sfu_interpolate(uint32_t slice, uint32_t r, uint32_t square, int a_up, int c_up, int32_t bias)
{
	int64_t linear = (int64_t)sfu_rom.b[slice] * (int32_t)r;
	int32_t curve = sfu_rom.c[slice] * (int32_t)square * (1 << c_up) + bias;
	return ((int64_t)sfu_rom.a[slice] << a_up) + linear + curve;
}

/* A float from a biased exponent and a significand in [2^23, 2^24]; what is not a normal number is zero or infinity. */
LANE_FN uint32_t sfu_compose(int32_t exp, uint32_t significand)
{
	int32_t v = (int32_t)((uint32_t)exp << 23) + (int32_t)(significand - F32_HIDDEN);
	bool large = exp >= 254 && v >= (int32_t)F32_INF;
	return exp > 254 || large ? F32_INF : exp < 0 || v < (int32_t)F32_HIDDEN ? 0 : (uint32_t)v;
}

/* v * 2^-scale cut to 24 bits, for 0 <= v < 2^52. */
LANE_FN uint32_t sfu_normalize(uint64_t v, int scale)
{
	double d = f64_value(0x4330000000000000ull | v) - 0x1p52;
	double unit = f64_value((uint64_t)(1023 - scale) << 52);
	return f32_bits((float)(f64_value(f64_bits(d) & ~0x1fffffffull) * unit));
}

LANE_FN uint32_t sfu_rcp(uint32_t a)
{
	uint32_t x = f32_flush(a), sign = x & F32_SIGN;
	uint32_t r = x & 0xffff;
	int64_t v = sfu_interpolate(SFU_RCP + (x >> 16 & 0x7f), r, sfu_square(r << 1), 13, 0, 0x47e7);
	uint32_t number = sfu_compose(253 - (int32_t)(x >> 23 & 0xff), (uint32_t)(v >> 15));
	uint32_t size = x & ~F32_SIGN;
	uint32_t magnitude = size == 0 ? F32_INF : size == F32_INF ? 0 : number;
	return f32_is_nan(x) ? F32_NAN : sign | magnitude;
}

LANE_FN uint32_t sfu_rsqrt(uint32_t a)
{
	uint32_t x = f32_flush(a);
	int32_t exp = (int32_t)(x >> 23 & 0xff) - 127;
	uint32_t odd_fraction = ((uint32_t)exp & 1) << 23 | (x & 0x7fffff);
	uint32_t r = x & 0x1ffff;
	int64_t v = sfu_interpolate(SFU_RSQRT + (odd_fraction >> 17), r, sfu_square(r), 14, 2, 0x7fff);
	uint32_t significand = odd_fraction ? (uint32_t)(v >> 16) : 2 * F32_HIDDEN;   /* powers of 4 are exact */
	uint32_t number = sfu_compose(126 - (exp >> 1), significand);
	uint32_t positive = x == F32_INF ? 0 : number;
	uint32_t out = (int32_t)x < 0 || f32_is_nan(x) ? F32_NAN : positive;
	return x << 1 ? out : F32_INF | x;
}

/* The logarithm's integer part comes from the exponent; a negative sum loses one in the last place to the ones
 * complement. */
LANE_FN uint32_t sfu_lg2(uint32_t a)
{
	uint32_t x = f32_flush(a);
	uint32_t r = x & 0x1ffff;
	int64_t part = sfu_interpolate(SFU_LG2 + (x >> 17 & 0x3f), r, sfu_square(r), 12, 1, 0x3345) >> 2;
	int64_t sum = part + (int64_t)((int32_t)(x >> 23 & 0xff) - 127) * (1ll << 36);
	uint64_t negative = (uint64_t)sum >> 63;
	uint32_t number = sfu_normalize((uint64_t)sum ^ (0 - negative), 36) | (uint32_t)negative << 31;
	uint32_t positive = x == F32_ONE ? 0 : x == F32_INF ? F32_INF : number;
	uint32_t plain = x << 1 ? positive : F32_INF | F32_SIGN;
	uint32_t none = f32_is_nan(x) ? ~0u : x << 1 ? bit_mask(x, 31) : 0;
	return choose(none, F32_NAN, plain);
}

/* a is presin's result: bit 31 sign, 24:23 quadrant, 22:0 fraction of it, bit 30 no number. */
LANE_FN uint32_t sfu_sin_quadrant(uint32_t a, uint32_t quadrant, uint32_t sign)
{
	uint32_t fraction = (quadrant & 1 ? ~a : a) & 0x7fffff;
	uint32_t r = fraction & 0x1ffff;
	int64_t v = sfu_interpolate(SFU_SIN + (fraction >> 17), r, sfu_square(r), 11, 0, 0);
	uint32_t number = sfu_normalize((uint64_t)v, 37) | ((sign ^ quadrant >> 1) & 1) << 31;
	return a >> 30 & 1 ? F32_NAN : number;
}

LANE_FN uint32_t sfu_sin(uint32_t a)
{
	return sfu_sin_quadrant(a, a >> 23 & 3, a >> 31);
}

LANE_FN uint32_t sfu_cos(uint32_t a)
{
	return sfu_sin_quadrant(a, (a >> 23 & 3) + 1, 0);
}

/* a is preex2's result: bit 31 sign, 29:23 integer, 22:0 fraction; bit 30 with bit 23 too large, else no number. */
LANE_FN uint32_t sfu_ex2(uint32_t a, bool sat)
{
	uint32_t negative = bit_mask(a, 31);
	uint32_t low = a & 0x7fffff, borrow = low ? negative : 0;
	uint32_t fraction = (low ^ borrow) & 0x7fffff;
	int32_t whole = a >> 23 & 0x7f;
	int32_t exp = (int32_t)(((uint32_t)whole ^ negative) - negative + borrow);
	uint32_t r = fraction & 0x1ffff;
	int64_t v = sfu_interpolate(SFU_EX2 + (fraction >> 17), r, sfu_square(r), 13, 0, 0x77e2);
	uint32_t number = sfu_compose(exp + 127, (uint32_t)(v >> 15));
	uint32_t special = choose(bit_mask(a, 23), F32_INF & ~negative, F32_NAN);
	uint32_t out = choose(bit_mask(a, 30), special, number);
	return sat ? f32_sat(out) : out;
}

/* What presin and preex2 say of infinities (and of all that is too large for preex2) and of NaNs. */
LANE_FN uint32_t sfu_pre_special(uint32_t x)
{
	return (x & F32_SIGN) | (f32_is_nan(x) ? 0x40000000u : 0x40800000u);
}

/* v moved by a signed number of places; at 32 and more nothing is left. */
LANE_FN uint32_t sfu_move(uint32_t v, int32_t up)
{
	uint32_t left = up < 32 ? v << (up & 31) : 0;
	uint32_t right = up > -32 ? v >> (-up & 31) : 0;
	return up >= 0 ? left : right;
}

/* Times 2/pi (24 bits), modulo 4 quadrants, 23 bits of fraction. */
LANE_FN uint32_t sfu_presin(uint32_t a)
{
	uint32_t x = f32_flush(a);
	int32_t exp = x >> 23 & 0xff;
	uint32_t significand = exp ? (x & 0x7fffff) | F32_HIDDEN : 0;
	uint32_t product = (uint32_t)((uint64_t)significand * 0xa2f983 >> 16);
	uint32_t number = (x & F32_SIGN) | (sfu_move(product, exp - 127 - 8) & 0x1ffffff);
	return exp == 255 ? sfu_pre_special(x) : number;
}

/* Sign and magnitude with 23 bits of fraction. */
LANE_FN uint32_t sfu_preex2(uint32_t a)
{
	uint32_t x = f32_flush(a);
	int32_t exp = x >> 23 & 0xff;
	uint32_t significand = exp ? (x & 0x7fffff) | F32_HIDDEN : 0;
	uint32_t number = (x & F32_SIGN) | sfu_move(significand, exp - 127);
	return exp >= 127 + 7 ? sfu_pre_special(x) : number;
}

#endif
