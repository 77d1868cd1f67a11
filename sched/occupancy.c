/* Occupancy: each resource of a multiprocessor suffices for a number of blocks, and the smallest number is the
 * occupancy. Chips differ in how a block gets registers: the whole block from one file of the multiprocessor, or each
 * warp from the files of its SIMD. */
#include "sched/occupancy.h"

#include "core/base/diag.h"
#include "sched/chip.h"

static uint64_t round_up(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* Blocks of `warps` warps that an MP can hold, registers and s[] apart. Where warps have SIMDs the limit is the number
 * of barriers, and a block of one warp needs no barrier. */
static uint32_t most_blocks(const struct chip *c, uint64_t warps)
{
	return c->simds && warps == 1 ? c->max_warps : c->max_blocks;
}

/* Needs that fit into `have`; where nothing is needed, as many blocks as an MP can hold. */
static uint32_t fitting(uint32_t most, uint64_t have, uint64_t need)
{
	return need ? (uint32_t)(have / need) : most;
}

/* Blocks of `warps` warps whose registers fit into the files of all SIMDs, n registers a warp. */
static uint32_t fitting_on_simds(const struct chip *c, const struct register_file *f, uint64_t n, uint64_t warps)
{
	return n && f->size ? (uint32_t)(c->simds * (f->size / round_up(n, f->unit)) / warps) : most_blocks(c, warps);
}

static uint32_t smallest(const struct occupancy *o)
{
	uint32_t n = o->limit_blocks;
	n = o->limit_warps < n ? o->limit_warps : n;
	n = o->limit_regs < n ? o->limit_regs : n;
	n = o->limit_warp_regs < n ? o->limit_warp_regs : n;
	return o->limit_smem < n ? o->limit_smem : n;
}

static uint32_t at_most_32_bits(uint64_t n)
{
	return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

bool occupancy(const struct chip *c, const struct block_needs *b, enum occupancy_rules rules, struct occupancy *out,
	       struct diag *d)
{
	if (!b->threads)
		return diag_set(d, DIAG_USAGE, "a block of 0 threads; expected 1 to %u", c->max_threads);
	/* No product overflows: threads and registers have 32 bits. */
	uint64_t warps = ((uint64_t)b->threads + c->warp_lanes - 1) / c->warp_lanes;
	uint64_t pairs = round_up(warps, c->warp_unit);
	uint64_t regs_need = c->simds ? warps * c->warp_lanes * round_up(b->regs, c->regs.unit)
				      : round_up(pairs * c->warp_lanes * b->regs, c->reg_unit);
	uint64_t smem_need = round_up(b->smem, c->smem_unit);
	uint32_t most = most_blocks(c, warps);
	*out = (struct occupancy){
		.warps_per_block = (uint32_t)warps,
		.regs_per_block = at_most_32_bits(regs_need),
		.smem_per_block = at_most_32_bits(smem_need),
		.limit_blocks = most,
		.limit_warps = fitting(most, c->max_warps, rules == OCC_OCC7 ? pairs : warps),
		.limit_regs = c->simds ? fitting_on_simds(c, &c->regs, b->regs, warps)
				       : fitting(most, c->max_regs, regs_need),
		.limit_warp_regs = fitting_on_simds(c, &c->warp_regs, b->warp_regs, warps),
		.limit_smem = b->smem > c->max_smem ? 0 : fitting(most, c->smem_bytes, smem_need),
	};
	bool fits = b->threads <= c->max_threads;
	out->blocks = fits ? smallest(out) : 0;
	out->warps = out->blocks * out->warps_per_block;
	out->threads = out->blocks * b->threads;
	out->percent = 100.0 * out->warps / c->max_warps;
	out->limiters = (out->limit_blocks == out->blocks ? OCC_BLOCKS : 0) |
		(out->limit_warps == out->blocks ? OCC_WARPS : 0) |
		(b->regs && out->limit_regs == out->blocks ? OCC_REGS : 0) |
		(b->warp_regs && c->warp_regs.size && out->limit_warp_regs == out->blocks ? OCC_WARP_REGS : 0) |
		(b->smem && out->limit_smem == out->blocks ? OCC_SMEM : 0) |
		(fits ? 0 : OCC_THREADS);
	return true;
}

const char *occupancy_limiter_name(unsigned bit)
{
	static const char *const names[OCC_LIMITERS] = { "blocks", "warps", "regs", "smem", "threads", "warp-regs" };
	return bit < OCC_LIMITERS ? names[bit] : "";
}
