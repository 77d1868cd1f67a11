/* What a warp's course is made of (core/trace.h), for who executes it and for who follows it. */
#ifndef WB_CORE_TRACE_SEGMENT_H
#define WB_CORE_TRACE_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/lanes.h"

/* Instructions side by side, issued under one mask; where costs are told, the last of them has them. */
struct trace_segment {
	lane_mask active;               /* before the first */
	uint32_t pc;                    /* of the first */
	uint16_t issues;                /* 0: the warp ends here */
	uint16_t times;                 /* that it is issued, again from pc on */
	uint32_t extra;                 /* cycles more of its unit */
	uint32_t line;                  /* of c[], where it looks for an operand; 0: none, or its op tells */
	uint16_t bytes, last_bytes;     /* of all transactions on the path to global memory, of the last of them */
	uint8_t  barrier;               /* that it arrives at, and 1; 0: none */
	bool     jumps;                 /* the warp does not go on behind the last */
	uint16_t none;                  /* 0: models are compared as words */
};

/* What an instruction costs that no table tells, as a stretch has it. */
struct segment_costs {
	uint32_t extra, line;
	uint16_t bytes, last_bytes;
};

#endif
