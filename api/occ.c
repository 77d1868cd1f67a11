/* Numbers of a chip for the public API: occupancy, timing values, and facts by key, as host programs ask for them. */
#include <string.h>

#include "device/launch.h"
#include "core/base/host_floats.h"
#include "core/diverge/reconverge.h"
#include "core/isa/table.h"

enum wb_status wb_occupancy(const char *chip, const struct wb_block_needs *block, const char *rules,
			    struct wb_occupancy *out, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct diag d = { 0 };
	struct occupancy o;
	const struct chip *c = chip_find(chip, &d);
	struct block_needs b = { block->threads, block->registers, block->warp_registers, block->shared_bytes };
	bool occ7 = rules && !strcmp(rules, "occ7");

	if (c && rules && !occ7 && strcmp(rules, "xls"))
		diag_set(&d, DIAG_USAGE, "--rules: found \"%s\", expected xls or occ7", rules);
	if (d.kind != DIAG_OK || !occupancy(c, &b, occ7 ? OCC_OCC7 : OCC_XLS, &o, &d))
		return public_diag(wd, &d);
	*out = public_occupancy(&o);
	return WB_OK;
}

/* Registers of a thread, from the instruction set of the chip. */
static uint32_t registers_of(const struct chip *c)
{
	const struct isa_ops *isa;
	uint32_t features;

	for (unsigned i = 0; (isa = isa_at(i)); i++)
		if (isa_name_find(isa->table->chips, c->name, strlen(c->name), &features))
			return isa->reg.most;
	return 0;
}

enum wb_status wb_chip(const char *name, struct wb_chip *out, struct wb_diag *wd)
{
	struct diag d = { 0 };
	const struct chip *c = chip_find(name, &d);

	if (!c)
		return public_diag(wd, &d);
	*out = (struct wb_chip){
		.warp_lanes = c->warp_lanes,
		.max_threads = c->max_threads,
		.max_registers = c->simds ? c->regs.size : registers_of(c),
		.warp_registers = c->warp_regs.size,
		.shared_bytes = c->max_smem,
		.shared_unit = c->smem_unit,
	};
	return WB_OK;
}

enum wb_status wb_timing(const char *chip, unsigned index, struct wb_timing_info *out)
{
	const struct chip *c = chip_find(chip, NULL);
	struct timing t;
	struct timing_info i;

	if (!c || index >= TIMINGS)
		return WB_USAGE;
	timing_init(&t, c->name);
	i = timing_info((enum timing_id)index, c->name);
	*out = (struct wb_timing_info){ i.key, i.unit, i.label, i.source, t.value[index] };
	return WB_OK;
}

/* ---- facts ---- */

enum { CONSTANT_BYTES = 1 << 16 };      /* of a bank of c[] */

/* Bytes of addresses for buffers; boards had less. */
static uint64_t memory_bytes(const struct chip *c)
{
	const struct isa_ops *isa = isa_of_chip(c->name);

	return isa && isa->global_first ? (1ull << GLOBAL_BITS_MAX) - isa->global_first
					: (1ull << 32) - GLOBAL_FIRST_BUFFER;
}

bool wb_chip_fact(const char *chip, unsigned index, struct wb_chip_fact *out)
{
	const struct chip *c = chip_find(chip, NULL);
	const struct isa_ops *isa = c ? isa_of_chip(c->name) : NULL;

	if (!isa)
		return false;
	const struct wb_chip_fact facts[] = {
		{ "name", "", c->name, 0 },
		{ "alias", "", c->alias, 0 },
		{ "vendor", "", c->vendor, 0 },
		{ "board", "", c->board, 0 },
		{ "machine", "", isa->name, 0 },
		{ "capability", "tenths", "", c->capability },
		{ "told_capability", "tenths", "", c->told_capability ? c->told_capability : c->capability },
		{ "reconvergence", "", reconverge_named(c->reconverge)->word, 0 },
		{ "clock", "kHz", "", c->shader_khz },
		{ "multiprocessors", "multiprocessors", "", chip_mps(c) },
		{ "warp_lanes", "lanes", "", c->warp_lanes },
		{ "warps", "warps of a multiprocessor", "", c->max_warps },
		{ "blocks", "blocks of a multiprocessor", "", c->max_blocks },
		{ "registers", "registers of a multiprocessor", "", c->max_regs },
		{ "thread_registers", "registers", "", c->simds ? c->regs.size : isa->reg.most },
		{ "max_threads", "threads of a block", "", c->max_threads },
		{ "max_block_x", "threads", "", c->max_block[0] },
		{ "max_block_y", "threads", "", c->max_block[1] },
		{ "max_block_z", "threads", "", c->max_block[2] },
		{ "max_grid_x", "blocks", "", c->max_grid[0] },
		{ "max_grid_y", "blocks", "", c->max_grid[1] },
		{ "max_grid_z", "blocks", "", c->max_grid[2] },
		{ "shared_bytes", "bytes of a block", "", c->max_smem },
		{ "constant_bytes", "bytes", "", CONSTANT_BYTES },
		{ "memory", "bytes", "", memory_bytes(c) },
		{ "pointer", "bytes", "", isa->global_first ? 8 : 4 },
	};

	if (index < sizeof facts / sizeof *facts)
		*out = facts[index];
	return index < sizeof facts / sizeof *facts;
}

enum wb_status wb_chip_find_fact(const char *chip, const char *key, struct wb_chip_fact *out, struct wb_diag *wd)
{
	struct diag d = { 0 };

	if (!chip_find(chip, &d))
		return public_diag(wd, &d);
	for (unsigned i = 0; wb_chip_fact(chip, i, out); i++)
		if (!strcmp(out->key, key))
			return WB_OK;
	diag_set(&d, DIAG_USAGE, "no fact \"%.60s\" about chip %s; wb_chip_fact lists all", key, chip);
	return public_diag(wd, &d);
}
