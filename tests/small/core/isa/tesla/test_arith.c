/* The arithmetic of a lane. Numbers come from the vectors (chips' answers by way of envytools' models) or follow from
 * the page named at the case. */
#include "tests/kit/cmocka_all.h"

#include "core/isa/tesla/arith_atomic.h"
#include "core/isa/tesla/arith_cvt.h"
#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/arith_f64.h"
#include "core/isa/tesla/arith_int.h"
#include "core/isa/tesla/arith_sfu.h"

/* The value of an expression that sets `cc`, and the flags. */
#define IS(expression, value, flags) do { \
		uint32_t cc = 99; \
		assert_int_equal((uint64_t)(expression), (uint64_t)(value)); \
		assert_int_equal(cc, flags); \
	} while (0)

static void add_carries_and_saturates(void **state)
{
	IS(int_addop(ADDOP_SUB, 0x9f79, 0x7fe9, 0, false, 16, &cc), 0x1f90, FLAG_C | FLAG_O);
	IS(int_addop(ADDOP_SUBR, 0xffffe840, 0x17bf, 0, true, 32, &cc), 0x2f7f, 0);
	IS(int_addop(ADDOP_ADDC, 0x384530, 0xffc7bacf, 0xe, false, 32, &cc), 0, FLAG_Z | FLAG_C);
	IS(int_addop(ADDOP_ADDC, 0x20, 0xffffffe0, 0xb, false, 32, &cc), 0, FLAG_Z | FLAG_C);
	IS(int_addop(ADDOP_ADD, 0x7fffffff, 1, 0, true, 32, &cc), 0x7fffffff, FLAG_O);
	IS(int_addop(ADDOP_ADD, 0x8000, 0xffff, 0, true, 16, &cc), 0x8000, FLAG_S | FLAG_C | FLAG_O);
	IS(int_addop(ADDOP_SUB, 5, 5, 0, false, 32, &cc), 0, FLAG_Z | FLAG_C);
}

static void products(void **state)
{
	IS(int_mul16(0x83ff, 0xf616, true, false, &cc), 0x83ff * 0xf616u - 0xf6160000u, FLAG_S);
	IS(int_mul24(0x72ffbeea, 0x75, false, true, &cc), 0x74e2, 0);
	IS(int_mul24(0x63212846, 0x63212846, true, true, &cc), 0x044b6861, 0);
	IS(int_mul24(0xffefffff, 0xffff7fff, false, true, &cc), 0xef87fe10, FLAG_S);
	IS(int_mul24(0xff000002, 0x01ffffff, true, false, &cc), 0xfffffffe, FLAG_S);
	IS(int_mad16(ADDOP_SUBR, 0x0090, 0xe000, 0x3ade1713, 0, true, true, &cc), 0x3af01713, 0);
	IS(int_mad16(ADDOP_SUB, 3, 0, 3, 0, true, true, &cc), 0xfffffffd, FLAG_S);
	IS(int_mad24(ADDOP_SUB, 0xa71, 0xffffe001, 0xa71, 0, true, true, true, &cc), 0xfffff440, FLAG_S | FLAG_C);
}

/* facts 1.3: the difference is 16 bits, everything after is 32. */
static void sad_is_wide(void **state)
{
	IS(int_sad(0x6cd73fb1 & 0xffff, 0x54, 0xffffff00, true, 16, &cc), 0x3e5d, FLAG_C);
	IS(int_sad(0xaa7a, 0x34bb, 0xdd595586, true, 16, &cc), 0xdd59dfc7, FLAG_S);
	IS(int_sad(0x80000000, 0x7fffffff, 0, true, 32, &cc), 0xffffffff, FLAG_S);
	IS(int_sad(1, 3, 0, false, 32, &cc), 2, 0);
}

static void compares(void **state)
{
	IS(int_set(0xffffffff, 1, 1, true, 32, &cc), 0xffffffff, FLAG_S);
	IS(int_set(0xffffffff, 1, 1, false, 32, &cc), 0, FLAG_Z);
	IS(int_set(0x8000, 0x7fff, 4, false, 16, &cc), 0xffff, FLAG_S);
	IS(int_set(7, 7, 2, false, 32, &cc), 0xffffffff, FLAG_S);
	IS(int_minmax(0x80000000, 1, true, true, 32, &cc), 1, 0);
	IS(int_minmax(0x8000, 1, false, true, 16, &cc), 0x8000, FLAG_S);
	IS(int_logic(LOGIC_AND, 0xf0f0, 0x00ff, false, true, 16, &cc), 0xf000, FLAG_S);
	IS(int_logic(LOGIC_MOV2, 1, 2, false, true, 32, &cc), 0xfffffffd, FLAG_S);
}

/* facts 1.8: counts do not wrap; C is the last bit out; O is set where the sign changes by one place. */
static void shifts(void **state)
{
	IS(int_shl(0xd8c02e3c, 0xd8780026, 32, &cc), 0, FLAG_Z);
	IS(int_shl(0x47b6, 9, 32, &cc), 0x8f6c00, 0);
	IS(int_shl(0x40000000, 1, 32, &cc), 0x80000000, FLAG_S | FLAG_O);
	IS(int_shl(0xc000, 2, 16, &cc), 0, FLAG_Z | FLAG_C);
	IS(int_shl(0x8001, 16, 16, &cc), 0, FLAG_Z);
	IS(int_shr(0xedfab5e2, 0xb9090011, true, 32, &cc), 0xffffffff, FLAG_S);
	IS(int_shr(0x80000001, 1, false, 32, &cc), 0x40000000, FLAG_C | FLAG_O);
	IS(int_shr(0x8000, 3, true, 16, &cc), 0xf000, FLAG_S);
	IS(int_shr(0x8000, 3, false, 16, &cc), 0x1000, 0);
	IS(int_shr(0x12345678, 0, true, 32, &cc), 0x12345678, 0);
}

static void float_sums(void **state)
{
	IS(f32_add(0x3fd2706c, 0x3dd05095 ^ F32_SIGN, false, &cc), 0x3fc56b63, 0);
	IS(f32_add(0x7f800aaa, 0xff800aaa, false, &cc), F32_NAN, 3);
	IS(f32_add(0x8000001f, 0x801d4762, false, &cc), F32_SIGN, FLAG_Z);
	IS(f32_add(0x7f800000, 0xff800000, true, &cc), F32_NAN, 3);
	IS(f32_add(0xbf800000, 0, true, &cc), 0, FLAG_Z);
	IS(f32_add(0x40000000, 0, true, &cc), F32_ONE, 0);
	IS(f32_add_rz(0x4b3cbd5d, 0x33000000 ^ F32_SIGN, false, &cc), 0x4b3cbd5c, 0);
	IS(f32_add_rz(0xc01ea634, 0x45cfc0f0 ^ F32_SIGN, false, &cc), 0xc5cfd4c4, FLAG_S);
	IS(f32_add_rz(F32_MAX, F32_MAX, false, &cc), F32_MAX, 0);
}

/* facts 4.1: results that are denormal after rounding to 24 bits are flushed. */
static void float_products(void **state)
{
	IS(f32_mul(0xf2a777c4, 0xcb0bab00, false, &cc), 0x7e36bbc9, 0);
	IS(f32_mul(0x00ffffff, 0x3f000000, false, &cc), 0, FLAG_Z);
	IS(f32_mul(0x80ffffff, 0x3f000001, false, &cc), 0x80800000, FLAG_S);
	IS(f32_mul_rz(0x80ffffff, 0x3f000001, false, &cc), 0x80800000, FLAG_S);
	IS(f32_mul_rz(0x7f000000, 0x7f000000, false, &cc), F32_MAX, 0);
	IS(f32_mul(0x7f000000, 0xff000000, false, &cc), 0xff800000, FLAG_S);
	IS(f32_mul(0, 0x7f800000, false, &cc), F32_NAN, 3);
}

/* facts 4.2: the product is cut, not rounded, and has an exponent of its own. */
static void float_mad(void **state)
{
	IS(f32_mad(0xd6f4a62a, 0xd6f4a62a, 0xd6f4a62a, false, &cc), 0x6e69cd2b, 0);
	IS(f32_mad(0x3d800000, 0xbea38f38, 0x37e00000 ^ F32_SIGN, false, &cc), 0xbca3c738, FLAG_S);
	IS(f32_mad(0xc3160000, 0xc468c958, 0xcf000000, false, &cc), 0xcefffbbd, FLAG_S);
	IS(f32_mad(0x3f800001, 0x3f800001, 0x25000000, false, &cc), 0x3f800002, 0);
	IS(f32_mad(0x3fffffff, 0x3fffffff, 0, false, &cc), 0x407ffffe, 0);
	IS(f32_mad(0x7f7fffff, 0x40000000, 0xff7fffff, false, &cc), F32_MAX, 0);
	IS(f32_mad(0x7f7fffff, 0x7f7fffff, 0xff800000, false, &cc), 0xff800000, FLAG_S);
	IS(f32_mad(0x80000000, 0x3f800000, 0x80000000, false, &cc), F32_SIGN, FLAG_Z);
	IS(f32_mad(0, 0x7f800000, 0x3f800000, false, &cc), F32_NAN, 3);
}

static void float_choices(void **state)
{
	IS(f32_minmax(0x7fffffe1, 0x3f800001, true, &cc), 0x3f800001, 0);
	IS(f32_minmax(0x7fffffe1, 0xffc00000, true, &cc), F32_NAN, 3);
	IS(f32_minmax(0, 0x80000000, false, &cc), F32_SIGN, FLAG_Z);
	IS(f32_minmax(0x80000000, 0x807fffff, true, &cc), F32_SIGN, FLAG_Z);
	IS(f32_set(0x00000001, 0x80000001, 2, &cc), 0xffffffff, FLAG_S);
	IS(f32_set(0x7fc00000, 0x3f800000, 7, &cc), 0, FLAG_Z);
	IS(f32_set(0x7fc00000, 0x3f800000, 8, &cc), 0xffffffff, FLAG_S);
	IS(f32_slct(0x807fffff, 0x3c6eaa93, 0xb87fc000, &cc), 0x3c6eaa93, 0);
	IS(f32_slct(0xff812345, 1, 0x80000001, &cc), 0xff812345, FLAG_S);
	IS(f32_quadop(QUAD_MOV2, 0x3f800000, 0x80000001, &cc), 0, FLAG_Z);
	IS(f32_quadop(QUAD_SUBR, 0x3f800000, 0x40000000, &cc), 0x3f800000, 0);
	IS(f32_quadop(QUAD_SUB, 0x3f800000, 0x40000000, &cc), 0xbf800000, FLAG_S);
}

static void doubles(void **state)
{
	IS(f64_fma(0x41dfffffffc00000, 0x421fffffffc00000, 0x47f0000000000000, ROUND_RM, &cc), 0x47f0000000000000, 0);
	IS(f64_fma(0x784d58880dc6f9da, 0xf83d58880dc6f9da, 0x1234, ROUND_RP, &cc), 0xffefffffffffffff, FLAG_S);
	IS(f64_fma(0xc07ab00000000000, F64_SIGN, 0x7ffffffffffffffe, ROUND_RP, &cc), 0x7ffffffffffffffe, 3);
	IS(f64_fma(0x6999d442885b78dc, 0x8000ba5bf6f53eea, 0x0332d7e1b3069dc4, ROUND_RN, &cc),
	   0xa972cd7fb56f5a0c, FLAG_S);
	IS(f64_fma(0x3f94a75000000000, 0xc0e4a75000000000, 0xabd63d9e1c24a47a, ROUND_RZ, &cc),
	   0xc08aa91d97900000, FLAG_S);
	IS(f64_fma(F64_INF, 0, 0, ROUND_RN, &cc), F64_INVALID, 3);
	IS(f64_add(0, F64_SIGN, ROUND_RM, &cc), F64_SIGN, FLAG_Z);
	IS(f64_add(0x4340000000000000, 1, ROUND_RP, &cc), 0x4340000000000001, 0);
	IS(f64_add(0xe8b40e24a66fd6d7, 0xeb8fffffffffffff, ROUND_RM, &cc), 0xeb90000000000050, FLAG_S);
	IS(f64_mul(0x787d3c9c219094a4, 0x787d3c9c219094a4, ROUND_RZ, &cc), 0x7fefffffffffffff, 0);
	IS(f64_mul(0xb2cfffffffff1234, 0x8b5b914dfbd45084, ROUND_RN, &cc), 0x6e4538, 0);
	IS(f64_minmax(0x7ff0000000000001, 0x7ff0e1c35e058280, false, &cc), 0x7ff8e1c35e058280, 3);
	IS(f64_minmax(0, F64_SIGN, false, &cc), F64_SIGN, FLAG_Z);
	IS(f64_set(0x3ff0000000000000, 0x4000000000000000, 1, &cc), 0xffffffff, FLAG_S);
}

static uint32_t to_f16(uint32_t v, bool is_signed, bool neg, bool abs, unsigned mode)
{
	return cvt_int_to_f16(cvt_int(v, is_signed, 4, neg, abs), mode, false);
}

static void conversions_to_float(void **state)
{
	assert_int_equal(cvt_int_to_f32(F32_SIGN, 0, ROUND_RN), F32_SIGN);
	assert_int_equal(cvt_int_to_f32(0, 0xffffff81, ROUND_RN), 0x4f800000);
	assert_int_equal(cvt_int_to_f32(0, 0xffffff81, ROUND_RZ), 0x4f7fffff);
	assert_int_equal(cvt_int_to_f32(F32_SIGN, 0x01000001, ROUND_RM), 0xcb800001);
	/* facts 4.5: the defect, seen from 2^25 on. */
	assert_int_equal(to_f16(0x40000000, true, true, true, ROUND_RP), 0x8000);
	assert_int_equal(to_f16(0xc0000000, false, true, false, ROUND_RM), 0x8000);
	assert_int_equal(to_f16(0x12345, false, false, false, ROUND_RZ), F16_MAX);
	assert_int_equal(to_f16(0x4c00, false, false, false, ROUND_RN), 0x74c0);
	IS(cvt_f32_to_float(0xd2d20001, ROUND_RN, false, true, 4, &cc), 0, FLAG_Z);
	IS(cvt_f32_to_float(cvt_float(0xc26a4fff, 4, false, false), ROUND_RP, false, false, 2, &cc), 0xd352, FLAG_S);
	IS(cvt_f32_to_float(cvt_float(0xb70f1000, 4, true, false), ROUND_RM, false, false, 2, &cc), 0x8f, 0);
	IS(cvt_f32_to_float(cvt_float(0xc026, 2, false, false), ROUND_RN, true, false, 2, &cc), 0xc000, FLAG_S);
	IS(cvt_f32_to_float(cvt_float(1, 2, false, false), ROUND_RN, false, false, 4, &cc), 0x33800000, 0);
	IS(cvt_f32_to_float(cvt_float(0x7fc12345, 4, true, false), ROUND_RN, false, false, 2, &cc), F16_NAN, 3);
	IS(cvt_long_to_float(0x9186215b48f813ef, true, false, false, ROUND_RM, &FORMAT_F64, &cc),
	   0xc3db9e77a92dc1fc, FLAG_S);
	IS(cvt_long_to_float(0x1972244d2e32a598, false, true, false, ROUND_RN, &FORMAT_F32, &cc),
	   0xddcb9122, FLAG_S);
	assert_int_equal(cvt_f64_to_f32(0x7ff0000000000001, ROUND_RN), 0x7fc00000);
	assert_int_equal(cvt_f64_to_f32(0x36a0000000000000, ROUND_RN), 1);
	assert_true(cvt_f32_to_f64(0x00000001) == 0x36a0000000000000);
	assert_true(cvt_f64_rint(0xbfe0000000000000, ROUND_RN) == F64_SIGN);
}

static void conversions_to_integer(void **state)
{
	IS(cvt_f32_to_int(cvt_float(0xcce1e224, 4, false, true), ROUND_RN, true, 4, 4, &cc), 0x070f1120, 0);
	IS(cvt_f32_to_int(cvt_float(0x3f000000, 4, false, false), ROUND_RN, true, 4, 4, &cc), 0, FLAG_Z);
	IS(cvt_f32_to_int(cvt_float(0xbf000000, 4, false, false), ROUND_RM, true, 4, 4, &cc), 0xffffffff, FLAG_S);
	IS(cvt_f32_to_int(cvt_float(0x7fc00000, 4, false, false), ROUND_RZ, true, 4, 4, &cc), 0, FLAG_Z);
	IS(cvt_f32_to_int(cvt_float(0x7f800000, 4, false, false), ROUND_RZ, false, 4, 4, &cc), 0xffffffff, FLAG_S);
	IS(cvt_f32_to_int(cvt_float(0xff800000, 4, false, false), ROUND_RZ, true, 2, 2, &cc), 0x8000, FLAG_S);
	IS(cvt_to_int(F32_SIGN, 200, true, 1, 2, &cc), 0xff80, FLAG_S);
	IS(cvt_to_int(F32_SIGN, 1, false, 4, 4, &cc), 0, FLAG_Z);
	IS(cvt_f64_to_int(0x4076500000000000 | F64_SIGN, ROUND_RN, false, 4, &cc), 0, FLAG_Z | FLAG_O);
	IS(cvt_f64_to_int(0x7ff8000000000000, ROUND_RN, true, 8, &cc), F64_SIGN, FLAG_S | FLAG_O);
	IS(cvt_f64_to_int(0x43f0000000000000, ROUND_RN, false, 8, &cc), ~0ull, FLAG_S);
	IS(cvt_f64_to_int(0xbff7ffffffffffff, ROUND_RN, true, 4, &cc), 0xffffffff, FLAG_S);
}

static void special_functions(void **state)
{
	assert_int_equal(sfu_rcp(0x3fdf8e80), 0x3f129369);
	assert_int_equal(sfu_rcp(0x80000001), 0xff800000);
	assert_int_equal(sfu_rcp(0x3f800000), 0x3f800000);
	assert_int_equal(sfu_rsqrt(0x40217f78), 0x3f2127ef);
	assert_int_equal(sfu_rsqrt(0x40800000), 0x3f000000);
	assert_int_equal(sfu_rsqrt(0x80000000), 0xff800000);
	assert_int_equal(sfu_rsqrt(0xbf800000), F32_NAN);
	assert_int_equal(sfu_lg2(0x3f4d65fa), 0xbea2ac15);
	assert_int_equal(sfu_lg2(0x3f800000), 0);
	assert_int_equal(sfu_lg2(0x1661fffe), 0xc2a45c11);
	assert_int_equal(sfu_cos(0x01acba88), 0x3f059185);
	assert_int_equal(sfu_sin(0x01c33a49), 0xbf2db587);
	assert_int_equal(sfu_sin(0x40000000), F32_NAN);
	assert_int_equal(sfu_ex2(0x815fcec8, false), 0x3e186087);
	assert_int_equal(sfu_ex2(0x40800000, false), F32_INF);
	assert_int_equal(sfu_ex2(0xc0800000, false), 0);
	assert_int_equal(sfu_presin(0x494b6ff3), 0x00fe1800);
	assert_int_equal(sfu_presin(0x6dac7ec6), 0);
	assert_int_equal(sfu_preex2(0x422b6f2d), 0x156de5a0);
	assert_int_equal(sfu_preex2(0xc3000000), 0xc0800000);
	assert_int_equal(sfu_preex2(0x7fc00000), 0x40000000);
}

/* facts 4.9 */
static void atomics(void **state)
{
	assert_int_equal(atomic_word(ATOMIC_INC, 6, true, 7, 7, 0), 0);
	assert_int_equal(atomic_word(ATOMIC_INC, 6, true, 6, 7, 0), 7);
	assert_int_equal(atomic_word(ATOMIC_DEC, 6, true, 0, 9, 0), 9);
	assert_int_equal(atomic_word(ATOMIC_MAX, 7, true, 0xffffffff, 1, 0), 1);
	assert_int_equal(atomic_word(ATOMIC_MAX, 6, true, 0xffffffff, 1, 0), 0xffffffff);
	assert_int_equal(atomic_word(ATOMIC_CAS, 6, true, 5, 5, 8), 8);
	assert_int_equal(atomic_word(ATOMIC_ADD, 3, true, 0xf9635518, 0x11, 0), 0xf9635518);
	assert_int_equal(atomic_word(ATOMIC_ADD, 3, false, 0xdbee639e, 0x7344, 0), 0x4f32d6e2);
	assert_int_equal(atomic_word(ATOMIC_INC, 7, false, 0xaaaaaaaa, 0xaaaaaaac, 0), 0xaaaaaaac);
	assert_int_equal(atomic_word(ATOMIC_INC, 7, false, 0x80007fff, 0x80007fff, 0), 0x80008000);
	assert_int_equal(atomic_returned(3, 0xffffdfce), 0xffffdfce);
	assert_int_equal(atomic_returned(0, 0x20da30ed), 0xed);
	assert_true(atomic_pair(ATOMIC_ADD, ~0ull, 2, 0) == 1);
	assert_true(atomic_pair(ATOMIC_MAX, 1, 2, 0) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(add_carries_and_saturates),
		cmocka_unit_test(products),
		cmocka_unit_test(sad_is_wide),
		cmocka_unit_test(compares),
		cmocka_unit_test(shifts),
		cmocka_unit_test(float_sums),
		cmocka_unit_test(float_products),
		cmocka_unit_test(float_mad),
		cmocka_unit_test(float_choices),
		cmocka_unit_test(doubles),
		cmocka_unit_test(conversions_to_float),
		cmocka_unit_test(conversions_to_integer),
		cmocka_unit_test(special_functions),
		cmocka_unit_test(atomics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
