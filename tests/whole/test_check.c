/* The checkers: kernels with a planted mistake in each, the only finding, and clean kernels. */
#include <stdio.h>
#include <string.h>

#include "tests/kit/cmocka_all.h"

#include "warpbeam.h"

#define ALL "race,uninit,barrier,bounds"
#define HEAD ".kernel k\n.chip g200\n"

/* Run `text` under --check `checks`, with and without timing, and expect `n` findings, each with `words`. */
static void expect(const char *text, const char *checks, unsigned n, const char *words)
{
	static const char *const timing[] = { "on", "off" };

	for (int i = 0; i < 2; i++) {
		struct wb_config *c = wb_config_new();
		struct wb_program *p;
		struct wb_launch *l = NULL;
		struct wb_diag d = { 0 };
		assert_int_equal(wb_config_set(c, "format", "asm", &d), WB_OK);
		assert_int_equal(wb_config_set(c, "check", checks, &d), WB_OK);
		assert_int_equal(wb_config_set(c, "timing", timing[i], &d), WB_OK);
		if (wb_program_load(text, strlen(text), "test", c, &p, &d) != WB_OK ||
		    wb_launch_new(p, NULL, c, &l, &d) != WB_OK)
			fail_msg("line %d: %s", d.line, d.text);
		enum wb_status status = wb_launch_run(l, &d);
		const struct wb_report *r = wb_launch_report(l);
		unsigned found = 0;
		for (unsigned k = 0; k < r->nwarnings; k++) {
			if (!strstr(r->warnings[k], " times)"))
				continue;
			found++;
			if (!strstr(r->warnings[k], words))
				fail_msg("found \"%s\", expected \"%s\"\n%s", r->warnings[k], words, text);
		}
		if (found != n || status != (n ? WB_FAILED : WB_OK))
			fail_msg("timing %s: %u findings, status %d, expected %u: %s\n%s", timing[i],
				 found, status, n, d.text, text);
		wb_launch_free(l);
		wb_program_free(p);
		wb_config_free(c);
	}
}

/* Each thread writes its word of s[] and reads the word of the thread at the other end of the block. */
#define EXCHANGE(between) HEAD ".block 64\n.smem 0x120\n" \
	"shl b32 $r1 $r0 0x2\nmov b32 $r2 0xfc\nsubr b32 $r3 $r1 $r2\nshl $a1 $r1 0x0\nshl $a2 $r3 0x0\n" \
	"st b32 s[$a1+0x20] $r0\n" between "mov b32 $r4 b32 s[$a2+0x20]\nexit (never) nop\n"

static void races_in_shared_memory(void **state)
{
	(void)state;
	expect(EXCHANGE(""), "race", 1, "race: s[0x");
	expect(EXCHANGE("bar inc wait 0x0 all\n"), ALL, 0, "");
	expect(EXCHANGE("bar inc wait 0x3 all\nbar inc wait 0x0 all\n"), ALL, 0, "");
}

/* The lanes of a warp are in lockstep; blocks are never ordered, but atomics are safe among themselves. */
#define TO_WORD_0(shape, access) HEAD shape ".arg zero=4\nmov b32 $r5 b32 s[0x10]\nmov b32 $r4 0x7\nexit " access "\n"

static void races_in_global_memory(void **state)
{
	(void)state;
	expect(TO_WORD_0(".block 32\n", "st b32 g14[$r5] $r4"), ALL, 0, "");
	expect(TO_WORD_0(".block 64\n", "st b32 g14[$r5] $r4"), ALL, 1, "race: g[0x100000]: store");
	expect(TO_WORD_0(".grid 2\n", "st b32 g14[$r5] $r4"), ALL, 1, "race: g[0x100000]: store");
	expect(TO_WORD_0(".grid 2\n.block 64\n", "red add u32 g14[$r5] $r4"), ALL, 0, "");
	expect(TO_WORD_0(".grid 2\n.block 64\n", "ld b32 $r3 g14[$r5]"), ALL, 0, "");
}

/* Taking a lock orders later accesses behind those before the lock's release. */
static void locks_order(void **state)
{
	(void)state;
	expect(HEAD ".block 64\n.smem 0x40\njoinat #done\ntry:\nld lock $c0 $r1 b32 s[0x20]\n(l $c0) bra #critical\n"
	       "bra #again\ncritical:\nmov b32 $r2 b32 s[0x24]\nadd b32 $r2 $r2 $r0\nst b32 s[0x24] $r2\n"
	       "st unlock b32 s[0x20] $r1\n"
	       "again:\n(geu $c0) bra #try\ndone:\njoin (never) nop\nexit (never) nop\n", "race", 0, "");
}

static void reads_before_any_write(void **state)
{
	(void)state;
	expect(HEAD "add b32 $r2 $r0 $r3\nexit (never) nop\n", ALL, 1, "uninit: pc 0x0 (line 3) reads $r3");
	expect(HEAD "mov b32 $r3 0x0\nadd b32 $r2 $r0 $r3\nexit (never) nop\n", ALL, 0, "");
	expect(HEAD ".smem 0x40\nmov b32 $r3 b32 s[0x30]\nexit (never) nop\n", ALL, 1,
	       "uninit: pc 0x0 (line 4) reads s[0x30]");
	expect(HEAD ".arg u32=1\nmov b32 $r3 b32 s[0x10]\nexit (never) nop\n", ALL, 0, "");
	expect(HEAD ".lmem 16\nmov b32 $r3 0x1\nst b32 l[0x4] $r3\nld b32 $r3 l[0x4]\nexit (never) nop\n", ALL, 0, "");
	expect(HEAD ".lmem 16\nld b32 $r3 l[0x4]\nexit (never) nop\n", ALL, 1, "uninit: pc 0x0 (line 4) reads l[0x4]");
}

/* Only lanes with the bit in their number come to the barrier: half of each warp; or all of warp 1 alone. */
#define SOME_COME(bit) HEAD ".block 64\nmov b32 $r1 " bit "\nand b32 $c0 # $r0 $r1\n(lg $c0) bra #meet\nbra #end\n" \
	"meet:\nbar inc wait 0x0 all\nend:\nexit (never) nop\n"

static void barriers_that_some_miss(void **state)
{
	(void)state;
	expect(SOME_COME("0x10"), "barrier,uninit", 1, "barrier: under divergence");
	expect(SOME_COME("0x20"), "barrier", 1, "barrier: ");
	expect(HEAD ".block 64\nbar inc wait 0x0 all\nexit (never) nop\n", ALL, 0, "");
}

static void accesses_in_padding(void **state)
{
	(void)state;
	expect(HEAD ".block 32\n.arg zero=100\nmov b32 $r5 b32 s[0x10]\nshl b32 $r1 $r0 0x2\nadd b32 $r5 $r5 $r1\n"
	       "exit st b32 g14[$r5] $r0\n", ALL, 1, "bounds: store of 4 bytes at g[0x100064]");
	expect(HEAD ".block 32\n.arg zero=128\nmov b32 $r5 b32 s[0x10]\nshl b32 $r1 $r0 0x2\nadd b32 $r5 $r5 $r1\n"
	       "exit st b32 g14[$r5] $r0\n", ALL, 0, "");
	expect(HEAD ".smem 0x50\nst b32 s[0x50] $r0\nexit (never) nop\n", ALL, 1,
	       "bounds: store of 4 bytes at s[0x50]");
	expect(HEAD ".smem 0x54\nst b32 s[0x50] $r0\nexit (never) nop\n", ALL, 0, "");
	expect(HEAD ".lmem 20\nst b32 l[0x14] $r0\nexit (never) nop\n", ALL, 1, "bounds: store of 4 bytes at l[0x14]");
}

static void unknown_kinds_are_refused(void **state)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_launch *l;
	struct wb_diag d = { 0 };
	static const char text[] = HEAD "exit (never) nop\n";

	(void)state;
	assert_int_equal(wb_config_set(c, "format", "asm", &d), WB_OK);
	assert_int_equal(wb_config_set(c, "check", "race,rice", &d), WB_OK);
	assert_int_equal(wb_program_load(text, sizeof text - 1, "test", c, &p, &d), WB_OK);
	assert_int_equal(wb_launch_new(p, NULL, c, &l, &d), WB_USAGE);
	assert_non_null(strstr(d.text, "rice"));
	wb_program_free(p);
	wb_config_free(c);
}

/* Twelve bytes of a thread's memory are noted as twelve: the next thread's first word stays unwritten. Arguments in
 * global memory write nothing of LDS. */
static void widths_and_arguments_of_gcn(void **state)
{
	(void)state;
	expect(".kernel k\n.chip gfx900\n.block 64\n.lmem 16\nv_mov_b32 v0, 4\nv_mov_b32 v1, 0\n"
	       "v_mov_b32 v2, 0\nv_mov_b32 v3, 0\nscratch_store_dwordx3 v0, v[1:3], off\nv_mov_b32 v0, 0\n"
	       "scratch_load_dword v1, v0, off\ns_endpgm\n", "uninit", 1, "(64 times)");
	expect(".kernel k\n.chip gfx900\n.block 64\n.smem 1024\n.arg u32=5\nv_mov_b32 v0, 0\ns_mov_b32 m0, -1\n"
	       "ds_read_b32 v1, v0\ns_endpgm\n", "uninit", 1, "reads s[0x0]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widths_and_arguments_of_gcn), cmocka_unit_test(races_in_shared_memory),
		cmocka_unit_test(races_in_global_memory), cmocka_unit_test(locks_order),
		cmocka_unit_test(reads_before_any_write), cmocka_unit_test(barriers_that_some_miss),
		cmocka_unit_test(accesses_in_padding), cmocka_unit_test(unknown_kinds_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
