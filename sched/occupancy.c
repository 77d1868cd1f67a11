#include "sched/occupancy.h"

#include "core/base/diag.h"
#include "sched/chip.h"

static uint64_t round_up(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* How many needs fit; a resource that is not needed has room for as many blocks as there may be. */
static uint32_t room(const struct chip *c, uint64_t have, uint64_t need)
{
	return need ? (uint32_t)(have / need) : c->max_blocks;
}

static uint32_t smallest(const struct occupancy *o)
{
	uint32_t n = o->limit_blocks;
	n = o->limit_warps < n ? o->limit_warps : n;
	n = o->limit_regs < n ? o->limit_regs : n;
	return o->limit_smem < n ? o->limit_smem : n;
}

bool occupancy(const struct chip *c, uint32_t threads, uint32_t regs, uint32_t smem, enum occupancy_rules rules,
	       struct occupancy *out, struct diag *d)
{
	if (!threads)
		return diag_set(d, DIAG_USAGE, "a block of 0 threads; expected 1 to %u", c->max_threads);
	uint64_t warps = ((uint64_t)threads + c->warp_lanes - 1) / c->warp_lanes;
	uint64_t pairs = round_up(warps, c->warp_unit);
	/* No product overflows: threads and regs have 32 bits. */
	uint64_t regs_need = round_up(pairs * c->warp_lanes * regs, c->reg_unit);
	uint64_t smem_need = round_up(smem, c->smem_unit);
	*out = (struct occupancy){
		.warps_per_block = (uint32_t)warps,
		.regs_per_block = regs_need > UINT32_MAX ? UINT32_MAX : (uint32_t)regs_need,
		.smem_per_block = smem_need > UINT32_MAX ? UINT32_MAX : (uint32_t)smem_need,
		.limit_blocks = c->max_blocks,
		.limit_warps = room(c, c->max_warps, rules == OCC_OCC7 ? pairs : warps),
		.limit_regs = room(c, c->max_regs, regs_need),
		.limit_smem = room(c, c->smem_bytes, smem_need),
	};
	bool fits = threads <= c->max_threads;
	out->blocks = fits ? smallest(out) : 0;
	out->warps = out->blocks * out->warps_per_block;
	out->threads = out->blocks * threads;
	out->percent = 100.0 * out->warps / c->max_warps;
	out->limiters = (out->limit_blocks == out->blocks ? OCC_BLOCKS : 0) |
		(out->limit_warps == out->blocks ? OCC_WARPS : 0) |
		(regs && out->limit_regs == out->blocks ? OCC_REGS : 0) |
		(smem && out->limit_smem == out->blocks ? OCC_SMEM : 0) |
		(fits ? 0 : OCC_THREADS);
	return true;
}

const char *occupancy_limiter_name(unsigned bit)
{
	static const char *const names[OCC_LIMITERS] = { "blocks", "warps", "regs", "smem", "threads" };
	return bit < OCC_LIMITERS ? names[bit] : "";
}
