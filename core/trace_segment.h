/* Segments: what the trace of a warp is made of (core/trace.h), for the executor that leaves it and the scheduler that
 * replays it. */
#ifndef WB_CORE_TRACE_SEGMENT_H
#define WB_CORE_TRACE_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"

/* Instructions one behind the other in the code, issued under one mask. Costs that are in no table are those of the
 * last of them. */
struct trace_segment {
	lane_mask active;               /* before the first */
	uint32_t pc;                    /* of the first */
	uint16_t issues;                /* instructions; 0: the warp ends here */
	uint16_t times;                 /* that the segment is issued, again from pc on */
	uint32_t extra;                 /* cycles more of its unit */
	uint32_t line;                  /* of c[], that it needs an operand of; 0: none, or its table has it */
	uint16_t bytes, last_bytes;     /* of all transactions on the path to global memory, of the last of them */
	uint8_t  barrier;               /* number of the one that it arrives at, and 1; 0: none */
	bool     jumps;                 /* the warp does not go on behind the last */
	uint16_t none;                  /* 0: segments are compared as words */
};

/* Costs of an instruction, as a segment has them. */
struct segment_costs {
	uint32_t extra, line;
	uint16_t bytes, last_bytes;
};

#endif
