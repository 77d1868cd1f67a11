/* Every row of data/occupancy.csv: allocations, limits, blocks, warps, percent and limiters; and the limits of a CU. */
#include "tests/kit/cmocka_all.h"

#include <math.h>
#include <string.h>

#include "sched/chip.h"
#include "sched/occupancy.h"
#include "tests/kit/shared.h"

enum { ROWS = 32 };
static char csv[512];

static const struct chip *chip_of(unsigned minor)
{
	static const char *const names[] = { "sm_10", "sm_11", "sm_12", "sm_13" };
	return chip_find(names[minor], NULL);
}

static void limiters_text(const struct occupancy *o, char *text)
{
	text[0] = '\0';
	if (!o->blocks) {
		strcpy(text, "launch-fails");
		return;
	}
	for (unsigned bit = 0; bit < OCC_LIMITERS; bit++) {
		if (o->limiters >> bit & 1)
			strcat(strcat(text, *text ? "+" : ""), occupancy_limiter_name(bit));
	}
}

static void check_row(const char *line)
{
	unsigned id, minor, threads, regs, smem, w, ra, sa, lw, lr, ls, blocks, warps, total;
	double percent;
	char expected[64], got[64];
	assert_int_equal(sscanf(line, "%u,1.%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%lf,%63[a-z+-]", &id, &minor,
				&threads, &regs, &smem, &w, &ra, &sa, &lw, &lr, &ls, &blocks, &warps, &total, &percent,
				expected),
			 16);
	struct occupancy o;
	assert_true(occupancy(chip_of(minor), &(struct block_needs){ threads, regs, 0, smem }, OCC_XLS, &o, NULL));
	assert_int_equal(o.warps_per_block, w);
	assert_int_equal(o.regs_per_block, ra);
	assert_int_equal(o.smem_per_block, sa);
	assert_int_equal(o.limit_warps, lw);
	assert_int_equal(o.limit_regs, lr);
	assert_int_equal(o.limit_smem, ls);
	assert_int_equal(o.blocks, blocks);
	assert_int_equal(o.warps, warps);
	assert_int_equal(o.threads, total);
	assert_true(fabs(o.percent - percent) < 1e-4);
	limiters_text(&o, got);
	assert_string_equal(got, expected);
}

static void every_row(void **state)
{
	(void)state;
	shared_path(csv, sizeof csv, "vectors/occupancy.csv");
	FILE *f = fopen(csv, "r");
	assert_non_null(f);
	char line[256];
	unsigned rows = 0;
	assert_non_null(fgets(line, sizeof line, f));
	for (; fgets(line, sizeof line, f); rows++)
		check_row(line);
	fclose(f);
	assert_int_equal(rows, ROWS);
}

/* A CU has 16 barriers, and a work-group of one wavefront needs none. */
static void one_wavefront_needs_no_barrier(void **state)
{
	static const struct {
		uint32_t threads, regs, smem, blocks;
		const char *limiters;
	} rows[] = {
		{ 64, 24, 0, 40, "blocks+warps+regs" }, { 40, 0, 0, 40, "blocks+warps" }, { 64, 32, 0, 32, "regs" },
		{ 64, 24, 4096, 16, "smem" }, { 65, 24, 0, 16, "blocks" }, { 128, 0, 0, 16, "blocks" },
		{ 256, 24, 0, 10, "warps+regs" },
	};
	const struct chip *c = chip_find("tonga", NULL);

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct block_needs b = { .threads = rows[i].threads, .regs = rows[i].regs, .smem = rows[i].smem };
		struct occupancy o;
		char text[64];
		assert_true(occupancy(c, &b, OCC_XLS, &o, NULL));
		limiters_text(&o, text);
		assert_int_equal(o.blocks, rows[i].blocks);
		assert_string_equal(text, rows[i].limiters);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_wavefront_needs_no_barrier), cmocka_unit_test(every_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
