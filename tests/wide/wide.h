/* A machine that exists to be different: 64 lanes, 64-bit addresses, 256 registers, and a dozen instructions. Whatever it
 * runs through knows its width from its isa_ops and its chip's row, or has a test that fails. */
#ifndef WB_TESTS_WIDE_WIDE_H
#define WB_TESTS_WIDE_WIDE_H

#include "core/isa/table.h"

enum wide_file { FILE_V, FILE_M };
enum wide_space { SPACE_G, SPACE_S };
enum { WIDE_CP = 1 };

enum {
	WIDE_REGISTERS = 256, WIDE_MASKS = 8,
	MASK_ALL = 7,           /* reads as all ones */
};

/* X(name, latency class, meaning) */
#define WIDE_EXEC_LIST(X) \
	X(add,  LAT_ALU,    "src0 + src1") \
	X(addi, LAT_ALU,    "src0 + the number") \
	X(addw, LAT_ALU,    "the 64-bit number in a pair of registers + src1") \
	X(mul,  LAT_MAD,    "src0 * src1, the lower 32 bits") \
	X(xor,  LAT_ALU,    "src0 ^ src1") \
	X(mov,  LAT_ALU,    "the number") \
	X(lt,   LAT_ALU,    "a mask of the lanes in which src0 < src1, unsigned") \
	X(eq,   LAT_ALU,    "a mask of the lanes in which src0 == src1") \
	X(ld,   LAT_GLOBAL, "the word of global memory at the address in a pair of registers") \
	X(st,   LAT_GLOBAL, "store it") \
	X(lds,  LAT_SHARED, "the word of shared memory at the address in a register") \
	X(sts,  LAT_SHARED, "store it") \
	X(ssy,  LAT_FLOW,   "lanes that part from here on meet at the join at the target") \
	X(bra,  LAT_FLOW,   "lanes of the mask go to the target, and first") \
	X(join, LAT_FLOW,   "the other lanes run up to here; behind it all that were active at the ssy") \
	X(bar,  LAT_BAR,    "wait for all warps of the block") \
	X(exit, LAT_FLOW,   "the active lanes are done")

enum wide_exec {
#define WIDE_EXEC_ENUM(name, latency, text) WIDE_EXEC_##name,
	WIDE_EXEC_LIST(WIDE_EXEC_ENUM)
#undef WIDE_EXEC_ENUM
	WIDE_EXEC_COUNT
};

extern const struct isa_table wide_table;
extern const struct isa_index wide_index;

#endif
