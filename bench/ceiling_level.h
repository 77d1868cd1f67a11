/* Between ceiling.c and the loops, which are compiled once for each SIMD level. */
#ifndef WB_BENCH_CEILING_LEVEL_H
#define WB_BENCH_CEILING_LEVEL_H

#include <stdint.h>

#include "bench/ceiling.h"

enum { LANES = 32, REGISTERS = 64, WARPS = 8, PROGRAM = 256 };

enum ceiling_op { OP_MAD, OP_ADD, OP_XOR, OP_SHR, OP_END, OPS };

/* 16 bytes: where to jump, and which registers. */
struct ceiling_insn {
	const void *handler;
	uint16_t d, a, b, c;
};

/* Everything the loops touch. */
struct ceiling_machine {
	_Alignas(128) uint32_t r[WARPS][REGISTERS][LANES];
	_Alignas(128) uint32_t mask[LANES];          /* ~0 in active lanes */
	uint32_t active;                             /* a bit a lane */
	struct ceiling_insn program[PROGRAM + 1];    /* the last one is OP_END */
	uint64_t cycle;                              /* of the round robin */
};

/* Run the program `trips` times on each warp. With `handlers` it only fills in what the program's instructions jump to,
 * by enum ceiling_op. */
typedef void ceiling_run(struct ceiling_machine *m, enum ceiling_way way, long trips, const void **handlers);
ceiling_run ceiling_run_base, ceiling_run_avx2, ceiling_run_avx512;

#endif
