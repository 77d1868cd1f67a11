/* The table of chips, from chip.def, and its look-up by name. */
#include "sched/chip.h"

#include <stdio.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/machines/built.h"

enum { OLDER = COALESCE_OLDER, SEGMENT = COALESCE_SEGMENT };

#define LIMITS(warps, regs) .max_warps = (warps), .max_regs = (regs)
#define BLOCKS(most, threads, x, y, z, grid, grid_y, grid_z) \
	.max_blocks = (most), .max_threads = (threads), .max_block = { (x), (y), (z) }, \
	.max_grid = { (grid), (grid_y), (grid_z) }
#define WARPS(lanes, unit) .warp_lanes = (lanes), .warp_unit = (unit)
#define SHARED(bytes, unit, block) .smem_bytes = (bytes), .smem_unit = (unit), .max_smem = (block)
#define SIMDS(number, n, unit, warp_n, warp_unit) \
	.simds = (number), .regs = { (n), (unit) }, .warp_regs = { (warp_n), (warp_unit) }
#define RULES(unit, how, bits) .reg_unit = (unit), .barrier_bits = (bits), .coalesce.rule = (enum coalesce_rule)(how)
#define TRANSACTIONS(group, from, to) .coalesce.lanes = (group), .coalesce.smallest = (from), .coalesce.largest = (to)
#define BANKS(group, number) .banks = { .lanes = (group), .count = (number) }
#define WORD_BANKS(group, number) .banks = { .lanes = (group), .count = (number), .broadcasts_all = true }
#define BUILD(count, each) .tpcs = (count), .mps_per_tpc = (each)
#define RECONVERGES(word) .reconverge = (word)
#define TOLD(cc) .told_capability = (cc)
#define CLOCK(khz, maker, card) .shader_khz = (khz), .vendor = (maker), .board = (card)
#define CHIP(id, other, cc, limits, rules, build, clock, ...) \
	{ .name = (id), .alias = (other), .capability = (cc), limits, rules, build, clock, __VA_ARGS__ },

static const struct chip chips[] = {
#include "sched/chip.def"
};

enum { CHIPS = sizeof chips / sizeof *chips };

const struct chip *chip_at(size_t index)
{
	return index < CHIPS ? &chips[index] : NULL;
}

const struct chip *chip_find(const char *name, struct diag *d)
{
	char names[128];
	size_t used = 0;
	for (size_t i = 0; i < CHIPS; i++) {
		const struct chip *c = &chips[i];
		if (!strcmp(name, c->name) || (c->alias[0] && !strcmp(name, c->alias)))
			return c;
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s%s%s%s", used ? ", " : "", c->name,
					 c->alias[0] ? " (" : "", c->alias, c->alias[0] ? ")" : "");
	}
	diag_set(d, DIAG_USAGE, "chip `%.40s` is not known; there is %s", name, names);
	return NULL;
}
