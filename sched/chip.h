/* Chips: the bounds of a launch on one multiprocessor (MP) and the number of MPs. The rows are in chip.def. */
#ifndef WB_SCHED_CHIP_H
#define WB_SCHED_CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/banks.h"
#include "mem/coalesce.h"

struct diag;

/* A register file: size in registers, 0 where the chip has no such file; warps get multiples of `unit`. */
struct register_file {
	uint32_t size, unit;
};

struct chip {
	const char *name, *alias, *vendor, *board;
	uint32_t capability;             /* compute capability, ×10 */
	uint32_t told_capability;        /* the one that programs are told; 0: `capability` */
	uint32_t max_blocks, max_warps, max_regs;    /* of an MP */
	uint32_t reg_unit;
	struct coalescer coalesce;
	struct banks banks;              /* of s[] */
	uint32_t max_threads, max_block[3];          /* of a block: in all, and in x, y and z */
	uint32_t max_grid[3];            /* blocks in x, y and z; z 1: grids have two dimensions */
	uint32_t warp_lanes, warp_unit;  /* lanes of a warp; warps whose registers are counted at once */
	uint32_t smem_bytes, smem_unit;  /* bytes of s[] of an MP, in units of smem_unit for a block */
	uint32_t max_smem;               /* s[] of a block */
	/* SIMDs of an MP whose chip gives registers to warps: a warp's registers are in the files of one SIMD. 0:
	 * registers are given to blocks, from max_regs in units of reg_unit. */
	uint32_t simds;
	struct register_file regs, warp_regs;        /* registers of every lane; scalar registers of a warp */
	uint32_t barrier_bits;
	uint32_t tpcs, mps_per_tpc;
	uint32_t shader_khz;
	const char *reconverge;          /* a word of reconverge.def; NULL: the machine's own way */
};

/* The table in order; NULL past the end. */
const struct chip *chip_at(size_t index);
/* By name or alias ("g200", "sm_13"). NULL with DIAG_USAGE and the list of names. */
const struct chip *chip_find(const char *name, struct diag *d);

/* Lanes of a warp that access a memory together: s[], or any other memory. */
static inline uint32_t chip_group_lanes(const struct chip *c, bool shared)
{
	return shared ? c->banks.lanes : c->coalesce.lanes;
}

static inline uint32_t chip_mps(const struct chip *c)
{
	return c->tpcs * c->mps_per_tpc;
}

#endif
