/* Numbers of a chip for the public API: occupancy and timing values. */
#include <string.h>

#include "device/launch.h"
#include "core/isa/table.h"

enum wb_status wb_occupancy(const char *chip, const struct wb_block_needs *block, const char *rules,
			    struct wb_occupancy *out, struct wb_diag *wd)
{
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
