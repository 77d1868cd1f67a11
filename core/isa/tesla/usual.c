#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/usual_words.h"

const struct usual_words usual_words = {
	.magnitude = ~F32_SIGN,
	.cut_low = F32_TINY,
	.cut_span = 0x7f000000 - F32_TINY,
};
