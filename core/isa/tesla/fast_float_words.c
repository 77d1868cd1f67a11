/* The constants of fast_float.h, in memory for all SIMD levels. */
#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/fast_float_words.h"

enum { CUT_HIGH = 0x7f000000 };

const struct fast_float_words fast_float_words = {
	.magnitude = ~F32_SIGN,
	.cut_low = F32_TINY,
	.cut_high = CUT_HIGH,
	.cut_span = CUT_HIGH - F32_TINY,
};
