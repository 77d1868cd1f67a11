/* A machine built to be different: 64 lanes, 64-bit addresses, 256 registers, and a dozen instructions. All code that
 * runs the machine knows the width from isa_ops and the chip's row, or fails a test. */
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

/* Units, classes of instructions and wait counters (core/latency.h): X(name, text), X(name, text, unit, struct
 * issue_class: value of sched/timing.def for lanes a cycle, for the latency, more), X(name, text, most). The maximum 3
 * makes the counter visible: a fourth load waits for the first. Each SIMD has a VALU; the other units are common to all
 * SIMDs. */
#define WIDE_UNITS(X) X(LDS, "lds") X(VALU, "valu") X(VMEM, "vmem") X(SALU, "salu")

#define WIDE_CLASSES(X) \
	X(FLOW,   "flow",   SALU, "dp.lanes",  "flow.latency", .kind = CLASS_FLOW) \
	X(BAR,    "bar",    SALU, "dp.lanes",  "bar.latency", .kind = CLASS_BARRIER) \
	X(ALU,    "alu",    VALU, "sp.lanes",  "alu.latency") \
	X(MUL,    "mul",    VALU, "sp.lanes",  "alu.latency") \
	X(SHARED, "shared", LDS,  "lsu.lanes", "s.latency") \
	X(GLOBAL, "global", VMEM, "lsu.lanes", "g.latency", .kind = CLASS_MEMORY) \
	X(WAIT,   "wait",   SALU, "dp.lanes",  "flow.latency")

#define WIDE_COUNTERS(X) X(LOADS, "loads", 3) X(WORDS, "words", 15)

#define WIDE_ENUMERATOR(name, ...) WIDE_UNIT_##name,
enum wide_unit {
	WIDE_UNITS(WIDE_ENUMERATOR)
	WIDE_UNIT_COUNT
};
#undef WIDE_ENUMERATOR
#define WIDE_ENUMERATOR(name, ...) WIDE_LAT_##name,
enum wide_class {
	WIDE_CLASSES(WIDE_ENUMERATOR)
	WIDE_CLASS_COUNT
};
#undef WIDE_ENUMERATOR
#define WIDE_ENUMERATOR(name, ...) WIDE_COUNTS_##name,
enum wide_counter {
	WIDE_COUNTERS(WIDE_ENUMERATOR)
	WIDE_COUNTER_COUNT
};
#undef WIDE_ENUMERATOR

/* X(name, class, meaning) */
#define WIDE_EXEC_LIST(X) \
	X(add,  WIDE_LAT_ALU,    "src0 + src1") \
	X(addi, WIDE_LAT_ALU,    "src0 + the number") \
	X(addw, WIDE_LAT_ALU,    "the 64-bit number in a pair of registers + src1") \
	X(mul,  WIDE_LAT_MUL,    "src0 * src1, the lower 32 bits") \
	X(xor,  WIDE_LAT_ALU,    "src0 ^ src1") \
	X(mov,  WIDE_LAT_ALU,    "the number") \
	X(lt,   WIDE_LAT_ALU,    "a mask of the lanes in which src0 < src1, unsigned") \
	X(eq,   WIDE_LAT_ALU,    "a mask of the lanes in which src0 == src1") \
	X(ld,   WIDE_LAT_GLOBAL, "the word of global memory at the address in a pair of registers") \
	X(st,   WIDE_LAT_GLOBAL, "store it") \
	X(lds,  WIDE_LAT_SHARED, "the word of shared memory at the address in a register") \
	X(sts,  WIDE_LAT_SHARED, "store it") \
	X(ldc,  WIDE_LAT_GLOBAL, "the word of global memory, of which the counter of loads tells when it is there") \
	X(ldsc, WIDE_LAT_SHARED, "the word of shared memory, likewise the counter of words") \
	X(wait, WIDE_LAT_WAIT,   "until that many loads and words at most have not arrived") \
	X(ssy,  WIDE_LAT_FLOW,   "lanes that part from here on meet at the join at the target") \
	X(bra,  WIDE_LAT_FLOW,   "lanes of the mask go to the target, and first") \
	X(join, WIDE_LAT_FLOW,   "the other lanes run up to here; behind it all that were active at the ssy") \
	X(bar,  WIDE_LAT_BAR,    "wait for all warps of the block") \
	X(exit, WIDE_LAT_FLOW,   "the active lanes are done")

enum wide_exec {
#define WIDE_EXEC_ENUM(name, latency, text) WIDE_EXEC_##name,
	WIDE_EXEC_LIST(WIDE_EXEC_ENUM)
#undef WIDE_EXEC_ENUM
	WIDE_EXEC_COUNT
};

extern const struct isa_table wide_table;

#endif
