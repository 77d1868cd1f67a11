/* Blocks of a grid on several multiprocessors: each is run once, whoever runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/cmocka_all.h"

#include "warpbeam.h"

#define HEAD ".kernel k\n.chip g200\n"

struct setting { const char *option, *value; };   /* ended by NULL */

static struct wb_program *load(const char *text)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_diag d = { 0 };

	assert_int_equal(wb_config_set(c, "format", "asm", &d), WB_OK);
	if (wb_program_load(text, strlen(text), "test", c, &p, &d) != WB_OK)
		fail_msg("line %d: %s", d.line, d.text);
	wb_config_free(c);
	return p;
}

static struct wb_launch *launch(const struct wb_program *p, const struct setting *s)
{
	struct wb_config *c = wb_config_new();
	struct wb_launch *l = NULL;
	struct wb_diag d = { 0 };

	for (; s->option; s++)
		if (wb_config_set(c, s->option, s->value, &d) != WB_OK)
			fail_msg("%s", d.text);
	if (wb_launch_new(p, NULL, c, &l, &d) != WB_OK)
		fail_msg("%s", d.text);
	wb_config_free(c);
	return l;
}

/* ---- dealing ---- */

/* Each thread counts in a word of its block; blocks whose number is a multiple of four have more to do. */
static const char count_blocks[] = HEAD ".block 64\n.arg zero=4096\n"
	"mov b32 $r1 u16 s[0xc]\nmov b32 $r4 0x1\nmov b32 $r3 0x3\nand b32 $c1 # $r1 $r3\n"
	"mov b32 $r3 0x1\nmov b32 $r5 0x80\n(e $c1) mov b32 $r3 $r5\nagain:\nsub b32 $c0 $r3 $r3 $r4\n(lg $c0) bra #again\n"
	"shl b32 $r2 $r1 0x2\nadd b32 $r2 b32 s[0x10] $r2\nexit red add u32 g14[$r2] $r4\n";

static void every_block_runs_once(void **state)
{
	static const char *const grids[] = { "1", "2", "7", "30", "31", "97", "241", "1000" };
	static const char *const mps[] = { "1", "3", "8", "30" };
	struct wb_program *p = load(count_blocks);
	uint32_t count[1024];
	struct wb_diag d;

	(void)state;
	for (unsigned i = 0; i < 2 * 8 * 4; i++) {
		const char *grid = grids[i / 2 % 8];
		const struct setting s[] = { { "timing", i % 2 ? "on" : "off" }, { "grid", grid },
					     { "mps", mps[i / 16] }, { NULL, NULL } };
		struct wb_launch *l = launch(p, s);
		assert_int_equal(wb_launch_run(l, &d), WB_OK);
		assert_int_equal(wb_launch_read_arg(l, 0, 0, count, sizeof count, &d), WB_OK);
		for (unsigned k = 0; k < 1024; k++)
			if (count[k] != (k < (unsigned)atoi(grid) ? 64u : 0u))
				fail_msg("grid %s, mps %s: block %u counted %u", grid, mps[i / 16], k, count[k]);
		wb_launch_free(l);
	}
	wb_program_free(p);
}

/* A multiprocessor that has run out is given blocks of one that has not: with a stripe that takes long, the machine is
 * done long before that multiprocessor alone would be. */
static void who_has_nothing_is_given_some(void **state)
{
	static const struct setting together[] = { { "grid", "256" }, { "mps", "4" }, { NULL, NULL } };
	struct wb_program *p = load(count_blocks);
	struct wb_launch *l = launch(p, together);
	struct wb_diag d;

	(void)state;
	assert_int_equal(wb_launch_run(l, &d), WB_OK);
	/* Blocks 0, 4, 8 … are all of the first stripe: without giving, only one multiprocessor in four would have its
	 * 16 warps for most of the time. */
	assert_true(wb_launch_report(l)->warps_mean > 12);
	wb_launch_free(l);
	wb_program_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_block_runs_once),
		cmocka_unit_test(who_has_nothing_is_given_some),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
