/* The constants of fast_float.h, in memory for all SIMD levels. */
#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/fast_float_words.h"

const struct fast_float_words fast_float_words = {
	.magnitude = ~F32_SIGN,
	.cut_low = F32_TINY,
	.cut_span = 0x7f000000 - F32_TINY,
};
