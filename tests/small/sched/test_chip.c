/* The chip table and the occupancy formula by hand-worked rows; test_occupancy has the checked rows of ../shared. */
#include "tests/kit/cmocka_all.h"

#include <string.h>

#include "core/base/diag.h"
#include "sched/chip.h"
#include "core/block.h"
#include "sched/occupancy.h"
#include "sched/sched.h"

static void chips_are_found_by_both_names(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{ "sm_10", "g80" }, { "sm_11", "g84" }, { "sm_12", "mcp77" }, { "sm_13", "g200" }, { "gt215", "gt215" },
		{ "v100", "v100" },
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		const struct chip *c = chip_find(pairs[i][0], NULL);
		assert_non_null(c);
		assert_string_equal(c->name, pairs[i][1]);
		assert_ptr_equal(c, chip_find(pairs[i][1], NULL));
	}
	struct diag d;
	assert_null(chip_find("g90", &d));
	assert_int_equal(d.kind, DIAG_USAGE);
	assert_non_null(strstr(d.text, "`g90`"));
	assert_non_null(strstr(d.text, "g200 (sm_13), gt215"));
	assert_null(chip_find("", NULL));
	assert_null(chip_at(11));
}

static void chips_have_their_sizes(void **state)
{
	(void)state;
	static const struct { const char *name; uint32_t mps, warps, regs; enum coalesce_rule rule; } rows[] = {
		{ "g80", 16, 24, 8192, COALESCE_OLDER }, { "g84", 4, 24, 8192, COALESCE_OLDER },
		{ "mcp77", 1, 32, 16384, COALESCE_SEGMENT }, { "g200", 30, 32, 16384, COALESCE_SEGMENT },
		{ "gt215", 12, 32, 16384, COALESCE_SEGMENT }, { "tahiti", 32, 40, 65536, COALESCE_SEGMENT },
		{ "gfx900", 64, 40, 65536, COALESCE_SEGMENT }, { "v100", 80, 64, 65536, COALESCE_SEGMENT },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct chip *c = chip_find(rows[i].name, NULL);
		assert_int_equal(chip_mps(c), rows[i].mps);
		assert_int_equal(c->max_warps, rows[i].warps);
		assert_int_equal(c->max_regs, rows[i].regs);
		assert_int_equal(c->coalesce.rule, rows[i].rule);
	}
	/* words of several banks are broadcast in a pass since Fermi */
	assert_false(chip_find("g200", NULL)->banks.broadcasts_all);
	assert_true(chip_find("v100", NULL)->banks.broadcasts_all);
	const struct chip *c;
	for (size_t i = 0; (c = chip_at(i)); i++) {
		assert_in_range(c->max_warps, 1, SLOTS);
		assert_in_range((c->max_threads + c->warp_lanes - 1) / c->warp_lanes, 1, BLOCK_WARPS_MAX);
	}
}

static void occupancy_by_hand(void **state)
{
	(void)state;
	static const struct {
		const char *chip;
		uint32_t threads, regs, smem;
		enum occupancy_rules rules;
		uint32_t blocks, warps, limiters;
	} rows[] = {
		{ "g80", 256, 10, 0, OCC_XLS, 3, 24, OCC_WARPS | OCC_REGS },
		{ "gt215", 128, 16, 2048, OCC_XLS, 8, 32, OCC_BLOCKS | OCC_WARPS | OCC_REGS | OCC_SMEM },
		/* three warps: eight blocks of 3 fill 24; counted in pairs, six blocks of 4 */
		{ "g80", 96, 4, 0, OCC_XLS, 8, 24, OCC_BLOCKS | OCC_WARPS },
		{ "g80", 96, 4, 0, OCC_OCC7, 6, 18, OCC_WARPS },
		{ "g200", 1, 0, 0, OCC_XLS, 8, 8, OCC_BLOCKS },
		/* what does not fit says why */
		{ "g80", 512, 17, 0, OCC_XLS, 0, 0, OCC_REGS },
		{ "g200", 32, 4, 16385, OCC_XLS, 0, 0, OCC_SMEM },
		{ "g200", 513, 4, 0, OCC_XLS, 0, 0, OCC_THREADS },
		{ "v100", 1024, 32, 0, OCC_XLS, 2, 64, OCC_WARPS | OCC_REGS },
		{ "v100", 1024, 16, 49152, OCC_XLS, 2, 64, OCC_WARPS | OCC_SMEM },
		{ "v100", 1025, 16, 0, OCC_XLS, 0, 0, OCC_THREADS },
		{ "g200", 0xffffffff, 0xffffffff, 0xffffffff, OCC_XLS, 0, 0,
		  OCC_WARPS | OCC_REGS | OCC_SMEM | OCC_THREADS },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct occupancy o;
		assert_true(occupancy(chip_find(rows[i].chip, NULL),
				      &(struct block_needs){ rows[i].threads, rows[i].regs, 0, rows[i].smem },
				      rows[i].rules, &o, NULL));
		assert_int_equal(o.blocks, rows[i].blocks);
		assert_int_equal(o.warps, rows[i].warps);
		assert_int_equal(o.limiters, rows[i].limiters);
	}
	struct occupancy o;
	struct diag d;
	assert_false(occupancy(chip_find("g80", NULL), &(struct block_needs){ .regs = 1 }, OCC_XLS, &o, &d));
	assert_non_null(strstr(d.text, "0 threads"));
}

/* Blocks of four warps, of which each SIMD gets one: as many warps a SIMD as blocks. */
static void simds_have_registers_of_their_own(void **state)
{
	(void)state;
	static const struct { uint32_t regs, warps;
	} vector[] = {
		{ 1, 10 }, { 24, 10 }, { 25, 9 },  { 28, 9 },  { 29, 8 },  { 32, 8 }, { 36, 7 },
		{ 37, 6 }, { 40, 6 },  { 48, 5 },  { 49, 4 },  { 64, 4 },  { 65, 3 }, { 84, 3 },
		{ 85, 2 }, { 128, 2 }, { 129, 1 }, { 256, 1 }, { 257, 0 },
	};
	static const struct { const char *chip; uint32_t regs, warps;
	} scalar[] = {
		{ "tahiti", 48, 10 },  { "tahiti", 49, 9 },  { "tahiti", 56, 9 }, { "tahiti", 57, 8 },
		{ "bonaire", 104, 4 }, { "tonga", 80, 10 },  { "tonga", 81, 8 },  { "tonga", 96, 8 },
		{ "gfx900", 102, 7 },  { "gfx900", 112, 7 },
	};
	static const struct { const char *chip; uint32_t bytes, blocks; } lds[] = {
		{ "tahiti", 8192, 8 }, { "tahiti", 6400, 10 }, { "tahiti", 32768, 2 }, { "tahiti", 32769, 0 },
		{ "bonaire", 6400, 9 }, { "gfx900", 65536, 1 }, { "gfx900", 65537, 0 },
	};
	struct occupancy o;

	for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
		struct block_needs b = { 256, vector[i].regs, 16, 0 };
		assert_true(occupancy(chip_find("tonga", NULL), &b, OCC_XLS, &o, NULL));
		assert_int_equal(o.blocks, vector[i].warps);
		assert_int_equal(!(o.limiters & OCC_REGS), vector[i].warps == 10 && vector[i].regs < 21);
	}
	for (size_t i = 0; i < sizeof scalar / sizeof *scalar; i++) {
		struct block_needs b = { 256, 4, scalar[i].regs, 0 };
		assert_true(occupancy(chip_find(scalar[i].chip, NULL), &b, OCC_XLS, &o, NULL));
		assert_int_equal(o.blocks, scalar[i].warps);
		assert_int_equal(!!(o.limiters & OCC_WARP_REGS), o.limit_warp_regs <= 10);
	}
	for (size_t i = 0; i < sizeof lds / sizeof *lds; i++) {
		struct block_needs b = { 256, 4, 16, lds[i].bytes };
		assert_true(occupancy(chip_find(lds[i].chip, NULL), &b, OCC_XLS, &o, NULL));
		assert_int_equal(o.blocks, lds[i].blocks);
	}
	/* Three warps a block: whichever SIMDs they are on, 9 on each are 12 blocks. */
	assert_true(occupancy(chip_find("tahiti", NULL), &(struct block_needs){ 192, 28, 0, 0 }, OCC_XLS, &o, NULL));
	assert_int_equal(o.blocks, 12);
	assert_int_equal(o.limiters, OCC_REGS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chips_are_found_by_both_names),
		cmocka_unit_test(chips_have_their_sizes),
		cmocka_unit_test(occupancy_by_hand),
		cmocka_unit_test(simds_have_registers_of_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
