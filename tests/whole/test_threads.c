/* Blocks of a grid on several multiprocessors: each block is run once, by any multiprocessor. Multiprocessors on
 * several host threads: the outcome is that of one thread, byte for byte. */
#include <dirent.h>

#include "tests/random/generate.h"
#include "tests/kit/launches.h"

/* ---- dealing ---- */

/* Each thread counts in a word of its block; every fourth block has more work. */
static const char count_blocks[] = HEAD ".block 64\n.arg zero=4096\n"
	"mov b32 $r1 u16 s[0xc]\nmov b32 $r4 0x1\nmov b32 $r3 0x3\nand b32 $c1 # $r1 $r3\n"
	"mov b32 $r3 0x1\nmov b32 $r5 0x80\n(e $c1) mov b32 $r3 $r5\n"
	"again:\nsub b32 $c0 $r3 $r3 $r4\n(lg $c0) bra #again\n"
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

/* A multiprocessor without blocks gets blocks of another: with a slow stripe, the machine is done long before the
 * stripe's multiprocessor alone would be. */
static void idle_multiprocessors_get_blocks(void **state)
{
	static const struct setting together[] = { { "grid", "256" }, { "mps", "4" }, { NULL, NULL } };
	struct wb_program *p = load(count_blocks);
	struct wb_launch *l = launch(p, together);
	struct wb_diag d;

	(void)state;
	assert_int_equal(wb_launch_run(l, &d), WB_OK);
	/* Blocks 0, 4, 8 … are all of the first stripe: without balancing, only one multiprocessor in four would have
	 * 16 warps for most of the time. */
	assert_true(wb_launch_report(l)->time.warps_mean > 12);
	wb_launch_free(l);
	wb_program_free(p);
}

/* ---- several host threads ---- */

enum { SETTINGS_MAX = 8 };

/* The outcome with a further setting, on `threads` threads. */
static char *run_by(const struct wb_program *p, const struct setting *settings, const char *timing, const char *threads,
		    const char **alone)
{
	struct setting s[SETTINGS_MAX] = { { "timing", timing }, { "threads", threads } };
	unsigned n = 2;

	for (; settings->option; settings++)
		s[n++] = *settings;
	s[n].option = NULL;
	struct wb_launch *l = launch(p, s);
	static const uint8_t zero[4096];
	assert_int_equal(wb_launch_write(l, "g", 0, zero, sizeof zero, NULL), WB_OK);
	struct wb_diag d = { 0 };
	enum wb_status status = wb_launch_run(l, &d);
	char *text = outcome(l, status, &d);
	*alone = wb_launch_report(l)->execution.single_thread_reason;
	size_t at = strlen(text);
	uint32_t word[sizeof zero / 4];
	assert_int_equal(wb_launch_read(l, "g", 0, word, sizeof word, NULL), WB_OK);
	char *all = realloc(text, at + 9 * (sizeof word / 4) + 1);
	assert_non_null(all);
	for (unsigned i = 0; i < sizeof word / 4; i++)
		at += (size_t)sprintf(all + at, "%08x\n", word[i]);
	wb_launch_free(l);
	return all;
}

enum expectation { EITHER, TOGETHER, ALONE };

/* One thread and several have the same outcome; `want` says whether several ran the launch. */
static void compare(const char *name, const struct wb_program *p, const struct setting *settings,
		    enum expectation want)
{
	static const char *const timing[] = { "off", "on" }, *const threads[] = { "2", "3", "8" };

	for (unsigned t = 0; t < 2; t++) {
		const char *alone;
		char *one = run_by(p, settings, timing[t], "1", &alone);
		assert_null(alone);
		for (unsigned i = 0; i < 3; i++) {
			char *several = run_by(p, settings, timing[t], threads[i], &alone);
			if (strcmp(one, several))
				fail_msg("%s, timing %s: %s threads differ from one\none:\n%.2000s\nseveral:\n%.2000s",
					 name, timing[t], threads[i], one, several);
			if (want != EITHER && (want == ALONE) != (alone != NULL))
				fail_msg("%s, timing %s, %s threads: found \"%s\"", name, timing[t], threads[i],
					 alone ? alone : "run together");
			free(several);
		}
		free(one);
	}
}

static void compare_text(const char *text, const char *grid, enum expectation want)
{
	const struct setting s[] = { { "grid", grid }, { "livelock", "200000" }, { NULL, NULL } };
	struct wb_program *p = load(text);

	compare(text, p, s, want);
	wb_program_free(p);
}

static void examples(void **state)
{
	DIR *dir = opendir(WB_EXAMPLES);
	struct dirent *e;
	unsigned n = 0;

	(void)state;
	assert_non_null(dir);
	while ((e = readdir(dir))) {
		static const struct setting none[] = { { NULL, NULL } };
		char path[4096];
		struct wb_program *p;
		snprintf(path, sizeof path, "%s/%s", WB_EXAMPLES, e->d_name);
		if (!strstr(e->d_name, ".s") || wb_program_open(path, NULL, &p, NULL) != WB_OK)
			continue;
		if (name_in_sample(e->d_name))
			compare(e->d_name, p, none, EITHER);
		wb_program_free(p);
		n++;
	}
	closedir(dir);
	assert_true(n > 20);
}

static void random_programs(void **state)
{
	static const struct setting some[] = { { "grid", "11" }, { "block", "64" }, { "livelock", "none" },
					       { "diverge", "random" }, { NULL, NULL } };
	static char text[1 << 16];

	(void)state;
	for (uint64_t seed = 1; seed <= sample_of(40); seed++) {
		struct wb_program *p;
		text[generate_program(seed, text, sizeof text - 1)] = '\0';
		p = load(text);
		compare(text, p, some, TOGETHER);
		wb_program_free(p);
	}
}

/* Word 0 of the buffer is shared by all blocks, the others belong to a thread of a block each. */
#define SHARED_WORD HEAD ".block 64\n.arg zero=4096\n" \
	"mov b32 $r1 u16 s[0xc]\nshl b32 $r2 $r1 0x2\nadd b32 $r2 b32 s[0x10] $r2\nmov b32 $r5 b32 s[0x10]\n" \
	"mov b32 $r4 0x1\nadd b32 $r3 $r1 $r4\n"

static void reductions_commute(void **state)
{
	(void)state;
	compare_text(SHARED_WORD "exit red add u32 g14[$r5] $r3\n", "200", TOGETHER);
	compare_text(SHARED_WORD "exit red max u32 g14[$r5] $r3\n", "200", TOGETHER);
	compare_text(SHARED_WORD "red xor b32 g14[$r5] $r3\nexit red xor b32 g14[$r2] $r3\n", "200", TOGETHER);
	/* One after the other the operations do not commute: */
	compare_text(SHARED_WORD "red max u32 g14[$r5] $r3\nexit red add u32 g14[$r5] $r3\n", "200", ALONE);
	compare_text(SHARED_WORD "exit red inc u32 g14[$r5] $r3\n", "200", ALONE);
	compare_text(SHARED_WORD "red add u32 g14[$r5] $r4\nld b32 $r3 g14[$r5]\nexit st b32 g14[$r2] $r3\n", "200",
		     ALONE);
}

static void what_an_atomic_returns(void **state)
{
	(void)state;
	compare_text(SHARED_WORD "ld add u32 $r3 g14[$r5] $r4\nexit st b32 g14[$r2] $r3\n", "50", ALONE);
}

static void races(void **state)
{
	(void)state;
	/* All store to one word; each stores to its neighbour's; each reads its neighbour's. */
	compare_text(SHARED_WORD "exit st b32 g14[$r5] $r3\n", "50", ALONE);
	compare_text(SHARED_WORD "add b32 $r6 $r2 $r4\nadd b32 $r6 $r6 $r4\nadd b32 $r6 $r6 $r4\nadd b32 $r6 $r6 $r4\n"
		     "st b32 g14[$r2] $r3\nexit st b32 g14[$r6] $r4\n", "50", ALONE);
	compare_text(SHARED_WORD "shl b32 $r4 $r4 0x2\nadd b32 $r6 $r2 $r4\nld b32 $r3 g14[$r6]\nadd b32 $r3 $r3 $r4\n"
		     "exit st b32 g14[$r2] $r3\n", "50", ALONE);
	/* Bytes of a word. */
	compare_text(SHARED_WORD "add b32 $r6 $r5 $r1\nexit st u8 g14[$r6] $r3\n", "50", ALONE);
	/* Read by all, and written elsewhere. */
	compare_text(SHARED_WORD "ld b32 $r3 g14[$r5]\nadd b32 $r3 $r3 $r1\nshl b32 $r4 $r4 0x2\nadd b32 $r6 $r2 $r4\n"
		     "exit st b32 g14[$r6] $r3\n", "50", TOGETHER);
}

/* Lanes with words side by side, in whole warps or in halves: $r6 is the lane's word, shared with the next block wholly
 * or by half. */
#define ROWS HEAD ".block 32\n.arg zero=8192\nmov b32 $r1 u16 s[0xc]\nmov b32 $r4 0x4\n"
#define WARP_ROW ROWS "shl b32 $r6 $r0 0x2\nshl b32 $r2 $r1 0x6\nadd b32 $r6 $r6 $r2\nadd b32 $r6 b32 s[0x10] $r6\n"
#define HALF_ROWS ROWS "mov b32 $r3 0xf\nand b32 $r6 $r0 $r3\nshl b32 $r6 $r6 0x2\nshr u32 $r3 $r0 0x4\n" \
	"shl b32 $r3 $r3 0xc\nadd b32 $r6 $r6 $r3\nshl b32 $r2 $r1 0x5\nadd b32 $r6 $r6 $r2\n" \
	"add b32 $r6 b32 s[0x10] $r6\n"
#define ALONE_ROW ROWS "shl b32 $r6 $r0 0x2\nshl b32 $r2 $r1 0x7\nadd b32 $r6 $r6 $r2\nadd b32 $r6 b32 s[0x10] $r6\n"

static void races_of_rows(void **state)
{
	(void)state;
	compare_text(WARP_ROW "exit st b32 g14[$r6] $r1\n", "40", ALONE);
	compare_text(WARP_ROW "ld b32 $r3 g14[$r6]\nadd b32 $r3 $r3 $r1\nexit st b32 g14[$r6] $r3\n", "40", ALONE);
	compare_text(HALF_ROWS "exit st b32 g14[$r6] $r1\n", "40", ALONE);
	compare_text(HALF_ROWS "ld b32 $r3 g14[$r6]\nadd b32 $r3 $r3 $r1\nexit st b32 g14[$r6] $r3\n", "40", ALONE);
	/* Each stores its own words, and reads the next block's. */
	compare_text(ALONE_ROW "shl b32 $r4 $r4 0x5\nadd b32 $r7 $r6 $r4\nld b32 $r3 g14[$r7]\nadd b32 $r3 $r3 $r1\n"
		     "exit st b32 g14[$r6] $r3\n", "40", ALONE);
	compare_text(ALONE_ROW "ld b32 $r3 g14[$r6]\nadd b32 $r3 $r3 $r1\nexit st b32 g14[$r6] $r3\n", "40", TOGETHER);
}

/* The first word says whether block 0 has run. */
static void waiting_for_another_block(void **state)
{
	(void)state;
	if (sample_step() > 1)
		skip();         /* a block spins 20 s until the last one runs, ten times that under a sanitizer */
	compare_text(SHARED_WORD "mov b32 $r7 0x31\nsub b32 $c0 # $r1 $r7\nwait:\n(e $c0) st b32 g14[$r5] $r4\n"
		     "ld b32 $r3 g14[$r5]\nand b32 $c1 # $r3 $r3\n(e $c1) bra #wait\nexit st b32 g14[$r2] $r3\n", "50",
		     ALONE);
}

static void how_it_ends_is_the_same(void **state)
{
	(void)state;
	/* Block 37 leaves its buffer, or waits at a barrier that no other warp reaches, or spins. */
	compare_text(SHARED_WORD "mov b32 $r7 0x25\nsub b32 $c0 # $r1 $r7\nmov b32 $r6 0x0\n"
		     "(e $c0) ld b32 $r3 g14[$r6]\nexit st b32 g14[$r2] $r3\n", "50", EITHER);
	compare_text(SHARED_WORD "mov b32 $r7 0x25\nsub b32 $c0 # $r1 $r7\n"
		     "(lg $c0) bra #over\nbar inc wait 0x1 0x5\nover:\nexit st b32 g14[$r2] $r3\n", "50", EITHER);
	compare_text(SHARED_WORD "mov b32 $r7 0x25\nsub b32 $c0 # $r1 $r7\nspin:\n(e $c0) bra #spin\n"
		     "exit st b32 g14[$r2] $r3\n", "50", ALONE);
}

static void clocks(void **state)
{
	(void)state;
	compare_text(SHARED_WORD "mov $r3 $clock\nmov $r4 $physid\nadd b32 $r3 $r3 $r4\nexit st b32 g14[$r2] $r3\n",
		     "500", TOGETHER);
}

/* All wait for global memory all the time: by the dozen an epoch, or by the hundred. */
static void warps_that_wait_for_memory(void **state)
{
	static const char *const timings[] = { "g.latency=441", "g.bytes=9000", "g.latency=16", "issue.slot=1",
					       "mp.schedulers=3", "issue.slot=600" };
	struct wb_program *p = load(HEAD ".block 128\n.arg zero=8192\nmov b32 $r1 u16 s[0xc]\nmov b32 $r7 0x1\n"
				    "shl b32 $r6 $r0 0x4\nadd b32 $r6 b32 s[0x10] $r6\nmov b32 $r5 0x1000\n"
				    "add b32 $r6 $r6 $r5\nmov b32 $r5 0x8\nagain:\nld b32 $r3 g14[$r6]\n"
				    "add b32 $r2 $r2 $r3\nsub b32 $c0 $r5 $r5 $r7\n(lg $c0) bra #again\n"
				    "shl b32 $r6 $r1 0x2\nadd b32 $r6 b32 s[0x10] $r6\n"
				    "exit red add u32 g14[$r6] $r7\n");

	(void)state;
	for (unsigned i = 0; i < sizeof timings / sizeof *timings; i++) {
		const struct setting s[] = { { "grid", "150" }, { "timing-set", timings[i] }, { NULL, NULL } };
		compare(timings[i], p, s, TOGETHER);
	}
	wb_program_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_block_runs_once),
		cmocka_unit_test(idle_multiprocessors_get_blocks),
		cmocka_unit_test(examples),
		cmocka_unit_test(random_programs),
		cmocka_unit_test(reductions_commute),
		cmocka_unit_test(what_an_atomic_returns),
		cmocka_unit_test(races),
		cmocka_unit_test(races_of_rows),
		cmocka_unit_test(waiting_for_another_block),
		cmocka_unit_test(how_it_ends_is_the_same),
		cmocka_unit_test(clocks),
		cmocka_unit_test(warps_that_wait_for_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
