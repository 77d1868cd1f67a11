/* Chips: what bounds a launch on one multiprocessor (MP) and how many MPs there are. The rows are in chip.def. */
#ifndef WB_SCHED_CHIP_H
#define WB_SCHED_CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/banks.h"
#include "mem/coalesce.h"

struct diag;

/* Shared by every chip of the table (CUDA C Programming Guide 4.x, appendix F, compute capability 1.x). */
enum {
	CHIP_MAX_BLOCKS = 8,             /* resident on an MP */
	CHIP_MAX_THREADS = 512,          /* of a block */
	CHIP_MAX_BLOCK_X = 512, CHIP_MAX_BLOCK_Y = 512, CHIP_MAX_BLOCK_Z = 64,
	CHIP_MAX_GRID = 65535,           /* in x and in y; a grid has no z */
	CHIP_SMEM_BYTES = 16384, CHIP_SMEM_UNIT = 512,
	CHIP_WARP_UNIT = 2,              /* registers are counted for warps in pairs */
	CHIP_WARP_LANES = 32,
	CHIP_GROUP_LANES = 16, CHIP_BANKS = 16,         /* half a warp accesses memory together */
	CHIP_TRANSACTION_MIN = 32, CHIP_TRANSACTION_MAX = 128,
};

struct chip {
	const char *name, *alias, *board;
	uint32_t capability;             /* compute capability, ×10 */
	uint32_t max_blocks, max_warps, max_regs;    /* of an MP */
	uint32_t reg_unit;
	struct coalescer coalesce;
	struct banks banks;              /* of s[] */
	uint32_t barrier_bits;
	uint32_t tpcs, mps_per_tpc;
	uint32_t shader_khz;
};

/* The table in order; NULL past the end. */
const struct chip *chip_at(size_t index);
/* By name or alias ("g200", "sm_13"). NULL with DIAG_USAGE that lists the names. */
const struct chip *chip_find(const char *name, struct diag *d);

static inline uint32_t chip_mps(const struct chip *c)
{
	return c->tpcs * c->mps_per_tpc;
}

#endif
