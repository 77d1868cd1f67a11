/* Words that the loops of fast_float.h broadcast, read from memory, where vectors load them directly: the compiler
 * would move known constants through a general register each time. */
#ifndef WB_CORE_ISA_TESLA_FAST_FLOAT_WORDS_H
#define WB_CORE_ISA_TESLA_FAST_FLOAT_WORDS_H

#include <stdint.h>

extern const struct fast_float_words {
	uint32_t magnitude;
	uint32_t cut_low, cut_high, cut_span;       /* a range of magnitudes, and the range's length */
} fast_float_words;

#endif
