/* Segments: the parts of a warp's trace (core/trace.h), from the executor that writes a trace to the scheduler that
 * replays it. */
#ifndef WB_CORE_TRACE_SEGMENT_H
#define WB_CORE_TRACE_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"

/* Consecutive instructions issued under one mask. Costs outside of tables belong to the last instruction. */
struct trace_segment {
	lane_mask active;               /* active lanes before the first instruction */
	uint32_t pc;                    /* pc of the first instruction */
	uint16_t issues;                /* instructions; 0: the warp ends here */
	uint16_t times;                 /* number of issues of the segment, each from pc on */
	uint32_t extra;                 /* additional cycles of the unit */
	uint32_t line;                  /* line of c[] with an operand; 0: none, or in the instruction's table */
	uint16_t bytes, last_bytes;     /* bytes of all transactions with global memory; of the last transaction */
	uint8_t  barrier;               /* 1 + number of the barrier to arrive at; 0: none */
	bool     jumps;                 /* the warp continues elsewhere than behind the last instruction */
	uint16_t none;                  /* 0: segments are compared as words */
};

/* Costs of an instruction, in the units of a segment. */
struct segment_costs {
	uint32_t extra, line;
	uint16_t bytes, last_bytes;
};

#endif
