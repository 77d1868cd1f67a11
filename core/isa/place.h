/* Instructions to code, for front ends of other languages: each in the shortest form, widened where the next would fall
 * beside its alignment, and branches with the addresses of their targets. */
#ifndef WB_CORE_ISA_PLACE_H
#define WB_CORE_ISA_PLACE_H

#include "core/isa/code.h"

/* An instruction as isa_encode_shortest takes it, but a target operand is the number of an item; the number of items:
 * the end of the code. `code` and `in.pc` are results. */
struct isa_item {
	struct insn in;
	struct isa_code code;
	bool wide;                  /* a wide form alone will do */
};

/* Bytes of a kernel at most: more than any address field reaches. */
enum { ISA_CODE_MAX = 1 << 24 };

enum isa_placing {
	ISA_PLACED,
	ISA_NO_WORD,                /* no row has bits for the instruction */
	ISA_MISPLACED,              /* beside its alignment, and none before has a longer form */
	ISA_TOO_LONG                /* the code is longer than ISA_CODE_MAX */
};

/* Place n items. *end: bytes of the code, or after a failure the number of the item at fault. */
enum isa_placing isa_place(const struct isa_target *t, struct isa_item *items, size_t n, uint32_t *end);

/* Write the words of placed items to `end` bytes. */
void isa_put_words(const struct isa_item *items, size_t n, uint8_t *bytes);

#endif
