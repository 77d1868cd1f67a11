/* How many blocks of a kernel an MP holds at once, and which resource is the limit. */
#ifndef WB_SCHED_OCCUPANCY_H
#define WB_SCHED_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

struct chip;
struct diag;

/* The rules of NVIDIA's spreadsheet, and of the header of later toolkits: for the warp limit the header counts warps in
 * pairs. */
enum occupancy_rules { OCC_XLS, OCC_OCC7 };

/* Bits of occupancy.limiters. */
enum occupancy_limiter {
	OCC_BLOCKS = 1, OCC_WARPS = 2, OCC_REGS = 4, OCC_SMEM = 8,
	OCC_THREADS = 16,                /* the block has more threads than any block may */
	OCC_WARP_REGS = 32,
	OCC_LIMITERS = 6
};

/* Needs of a block: threads; registers of a thread; scalar registers of a warp; bytes of s[] of the block. */
struct block_needs {
	uint32_t threads, regs, warp_regs, smem;
};

struct occupancy {
	uint32_t warps_per_block;
	uint32_t regs_per_block, smem_per_block;   /* as allocated, units rounded up */
	/* Blocks for which each resource suffices. */
	uint32_t limit_blocks, limit_warps, limit_regs, limit_smem, limit_warp_regs;
	uint32_t blocks, warps;          /* resident on one MP; 0: the block does not fit */
	uint32_t threads;
	double   percent;                /* warps of the MP's */
	uint32_t limiters;               /* enum occupancy_limiter bits: the resources that are used up */
};

/* False with DIAG_USAGE for a block without threads. A block that does not fit is an answer, not an error. */
bool occupancy(const struct chip *c, const struct block_needs *b, enum occupancy_rules rules, struct occupancy *out,
	       struct diag *d);

/* "blocks", "warps", "regs", "smem", "threads", "warp-regs" for limiter bit number 0 … OCC_LIMITERS − 1. */
const char *occupancy_limiter_name(unsigned bit);

#endif
