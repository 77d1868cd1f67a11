/* Trace-driven runs: results, cycles and reports are those of precise execution, and other launches are executed
 * precisely. */
#include <dirent.h>

#include "core/base/rng.h"
#include "tests/random/generate.h"
#include "tests/kit/launches.h"
#include "tests/kit/parting.h"
#include "tests/kit/sample.h"

enum { SETTINGS_MAX = 10, WORDS = 2048 };

enum expectation { EITHER, AHEAD, IN_ORDER };

/* The outcome, and memory at address 0 of g[], under more settings. */
static char *run_as(const struct wb_program *p, const struct setting *settings, const char *in_order,
		    const char *threads, const char **precise_reason)
{
	struct setting s[SETTINGS_MAX] = { { "in-order", in_order }, { "threads", threads } };
	static const uint8_t zero[WORDS * 4];
	uint32_t word[WORDS];
	struct wb_diag d = { 0 };
	unsigned n = 2;

	for (; settings->option; settings++)
		s[n++] = *settings;
	s[n].option = NULL;
	struct wb_launch *l = launch(p, s);
	wb_launch_write(l, "g", 0, zero, sizeof zero, NULL);
	enum wb_status status = wb_launch_run(l, &d);
	char *text = outcome(l, status, &d), *all;
	*precise_reason = wb_launch_report(l)->execution.precise_reason;
	size_t at = strlen(text);
	all = realloc(text, at + 9 * WORDS + 1);
	assert_non_null(all);
	if (wb_launch_read(l, "g", 0, word, sizeof word, NULL) == WB_OK)
		for (unsigned i = 0; i < WORDS; i++)
			at += (size_t)sprintf(all + at, "%08x\n", word[i]);
	wb_launch_free(l);
	return all;
}

static void compare(const char *name, const struct wb_program *p, const struct setting *settings,
		    enum expectation want)
{
	static const char *const threads[] = { "1", "3" };
	const char *reason;
	char *plain = run_as(p, settings, "on", "1", &reason);

	assert_non_null(reason);
	for (unsigned i = 0; i < 2; i++) {
		char *traced = run_as(p, settings, "off", threads[i], &reason);
		if (strcmp(plain, traced))
			fail_msg("%s, %s threads: differs\nin order:\n%.3000s\nahead:\n%.3000s", name, threads[i],
				 plain, traced);
		if (want != EITHER && (want == IN_ORDER) != (reason != NULL))
			fail_msg("%s, %s threads: found \"%s\"", name, threads[i], reason ? reason : "traced");
		free(traced);
	}
	free(plain);
}

static void compare_text(const char *text, const char *grid, enum expectation want)
{
	const struct setting s[] = { { "grid", grid }, { "livelock", "200000" }, { NULL, NULL } };
	struct wb_program *p = load(text);

	compare(text, p, s, want);
	wb_program_free(p);
}

/* ---- programs of the corpus ---- */

static unsigned compare_folder(const char *folder, const struct setting *settings)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	unsigned n = 0;

	assert_non_null(dir);
	while ((e = readdir(dir))) {
		char path[4096];
		struct wb_program *p;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		if (!strstr(e->d_name, ".s") || wb_program_open(path, NULL, &p, NULL) != WB_OK)
			continue;
		if (name_in_sample(e->d_name))
			compare(e->d_name, p, settings, EITHER);
		wb_program_free(p);
		n++;
	}
	closedir(dir);
	return n;
}

static void examples(void **state)
{
	static const struct setting none[] = { { NULL, NULL } };

	(void)state;
	assert_true(compare_folder(WB_EXAMPLES, none) > 20);
}

static void random_programs(void **state)
{
	static const char *const mps[] = { "1", "2", "30" };
	static char text[1 << 16];

	(void)state;
	for (uint64_t seed = 1; seed <= sample_of(24); seed++) {
		const struct setting some[] = { { "grid", "23" }, { "block", seed % 2 ? "64" : "160" },
						{ "mps", mps[seed % 3] }, { "livelock", "none" }, { NULL, NULL } };
		struct wb_program *p;
		text[generate_program(seed, text, sizeof text - 1)] = '\0';
		p = load(text);
		compare(text, p, some, EITHER);
		wb_program_free(p);
	}
}

/* ---- loops of arithmetic ---- */

/* Trips by the number of the block and the warp, so that warps end one after the other and blocks start all the time;
 * then `loop`. */
#define TRIPS HEAD ".block 256\n.arg zero=65536\n.const 1 0x0: 1 37 3\n" \
	"mov b32 $r1 u16 s[0xc]\nshr u32 $r2 $r0 0x5\nadd b32 $r3 $r1 $r2\nmul $r3 u24 $r3 c1[0x4]\n" \
	"mov b32 $r4 0x7f\nand b32 $r3 $r3 $r4\nadd b32 $r3 $r3 c1[0x8]\nmov b32 $r5 0x1\n"
#define LEAVE "shl b32 $r6 $r1 0x2\nadd b32 $r6 b32 s[0x10] $r6\nexit red add u32 g14[$r6] $r5\n"

static void compare_loop(const char *head, const char *loop, const struct setting *settings)
{
	char text[4096];
	struct wb_program *p;

	snprintf(text, sizeof text, "%s%s%s", head, loop, LEAVE);
	p = load(text);
	compare(text, p, settings, AHEAD);
	wb_program_free(p);
}

/* Whether setting k of n runs for loop i: one setting for each loop, in turn, and a sample of all settings. */
static bool setting_in_sample(unsigned i, unsigned k, unsigned n)
{
	return k == i % n || in_sample(i * n + k, 1);
}

static void arithmetic_loops(void **state)
{
	static const char *const loops[] = {
		"again:\nadd b32 $r5 $r5 $r3\nxor b32 $r5 $r5 $r0\nsub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\n",
		/* A branch that is rarely taken, and a branch by lanes. */
		"again:\nand b32 $c1 # $r3 c1[0x8]\n(lg $c1) bra #on\nadd b32 $r5 $r5 $r5\nadd b32 $r5 $r5 $r3\non:\n"
		"sub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\n",
		"again:\nand b32 $c1 # $r0 $r3\n(lg $c1) add b32 $r5 $r5 $r0\nxor b32 $r5 $r5 $r3\n"
		"sub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\n",
		/* Operations that the SFU can take as well. */
		"again:\nmul f32 $r5 $r5 $r3\nadd f32 $r7 $r5 $r3\nmul f32 $r8 $r3 $r3\nadd f32 $r5 $r5 $r8\n"
		"sub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\n",
		/* Lanes that leave one by one. */
		"and b32 $r9 $r0 $r4\nxor b32 $r5 $r5 $r9\nbreakaddr #out\nagain:\nsub b32 $c1 # $r3 $r9\n"
		"(le $c1) break\nadd b32 $r5 $r5 $r3\nadd b32 $r5 $r5 $r0\n"
		"sub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\nout:\n",
	};
	static const struct setting settings[][6] = {
		{ { "grid", "20" }, { "mps", "1" }, { NULL, NULL } },
		{ { "grid", "60" }, { "mps", "7" }, { "policy", "gto" }, { NULL, NULL } },
		{ { "grid", "60" }, { "mps", "7" }, { NULL, NULL } },
		{ { "grid", "9" }, { "mps", "3" }, { "timing-set", "alu.latency=90" }, { NULL, NULL } },
		{ { "grid", "14" }, { "mps", "2" }, { "timing-set", "sp.lanes=4" }, { NULL, NULL } },
		{ { "grid", "14" }, { "mps", "2" }, { "timing-set", "issue.slot=4" }, { NULL, NULL } },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof loops / sizeof *loops; i++)
		for (unsigned k = 0; k < sizeof settings / sizeof *settings; k++)
			if (setting_in_sample(i, k, sizeof settings / sizeof *settings))
				compare_loop(TRIPS, loops[i], settings[k]);
}

/* ---- loops that bring a multiprocessor back to an earlier state ---- */

/* As many trips for all warps of a block. */
#define BLOCK_TRIPS HEAD ".block 128\n.smem 0x1040\n.arg zero=65536\n.const 1 0x0: 1 37 3\n" \
	"mov b32 $r1 u16 s[0xc]\nmul $r3 u24 $r1 c1[0x4]\nmov b32 $r4 0x7f\nand b32 $r3 $r3 $r4\n" \
	"add b32 $r3 $r3 0x40\nmov b32 $r5 0x1\nmov b32 $r7 0x3f800001\nshl $a1 $r0 0x2\nshl $a2 $r0 0x3\n"

static void repeating_loops(void **state)
{
	static const char *const loops[] = {
		/* Operations that the SFU can take as well; lanes leave one by one. */
		"and b32 $r9 $r0 $r4\nbreakaddr #out\nagain:\nsub b32 $c1 # $r3 $r9\n(le $c1) break\n"
		"mul f32 $r8 $r7 $r7\nmul f32 $r7 $r8 $r8\nadd b32 $r5 $r5 $r3\n"
		"mul f32 $r8 $r7 $r7\nmul f32 $r7 $r8 $r8\nsub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\nout:\n",
		/* Two ways, taken by half of the lanes, or by all. */
		"again:\nand b32 $c1 # $r0 $r3\njoinat #both\n(lg $c1) bra #one\nadd b32 $r5 $r5 $r3\n"
		"bra #both\none:\nadd b32 $r5 $r5 $r0\nboth:\n"
		"join sub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\n",
		/* s[], with and without conflicts of banks. */
		"again:\nst b32 s[$a1+0x20] $r5\nld $r6 b32 s[$a2+0x820]\nadd b32 $r5 $r5 $r3\n"
		"sub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\n",
		"again:\nst b32 s[$a1+0x20] $r5\nadd b32 $r5 $r5 $r3\nld $r6 b32 s[$a1+0x20]\nadd b32 $r5 $r5 $r6\n"
		"sub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\n",
		/* Conflicts of banks in some trips. */
		"again:\nshr u32 $r9 $r3 0x5\nand b32 $r9 $r9 $r5\nshl b32 $r9 $r0 $r9\nshl $a1 $r9 0x2\n"
		"ld $r6 b32 s[$a1+0x20]\nmul f32 $r8 $r7 $r7\nmul f32 $r7 $r8 $r8\n"
		"sub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\n",
		/* A barrier. */
		"again:\nbar inc wait 0x0 all\nadd b32 $r5 $r5 $r3\nmul f32 $r8 $r7 $r7\nmul f32 $r7 $r8 $r8\n"
		"sub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\n",
		/* Stores to g[], of which each goes on the path to memory. */
		"add b32 $r6 $r1 c1[0x0]\nshl b32 $r6 $r6 0x9\nshl b32 $r8 $r0 0x2\nadd b32 $r6 $r6 $r8\n"
		"add b32 $r6 b32 s[0x10] $r6\n"
		"again:\nst b32 g14[$r6] $r3\nsub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\n",
	};
	static const struct setting settings[][6] = {
		{ { "grid", "12" }, { "mps", "1" }, { NULL, NULL } },
		{ { "grid", "40" }, { "mps", "5" }, { NULL, NULL } },
		{ { "grid", "9" }, { "mps", "3" }, { "timing-set", "alu.latency=91" }, { NULL, NULL } },
		{ { "grid", "14" }, { "mps", "2" }, { "timing-set", "g.latency=64" }, { NULL, NULL } },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof loops / sizeof *loops; i++)
		for (unsigned k = 0; k < sizeof settings / sizeof *settings; k++)
			if (setting_in_sample(i, k, sizeof settings / sizeof *settings))
				compare_loop(BLOCK_TRIPS, loops[i], settings[k]);
}

/* The same, of instructions drawn by lot. */
static void periods_by_lot(void **state)
{
	static const char *const lines[] = {
		"add b32 $r5 $r5 $r3\n", "xor b32 $r6 $r5 $r0\n", "mul f32 $r8 $r7 $r7\nmul f32 $r9 $r8 $r7\n",
		"add f32 $r9 $r8 $r9\nmul f32 $r8 $r9 $r7\n", "rcp f32 $r9 $r7\nadd f32 $r8 $r9 $r8\n",
		"rcp f32 $r8 $r8\nrcp f32 $r8 $r8\n", "st b32 s[$a1+0x20] $r5\n", "ld $r6 b32 s[$a1+0x20]\n",
		"ld $r9 b32 s[$a2+0x820]\n", "bar inc wait 0x0 all\n", "and b32 $r6 $r6 c1[0x4]\n",
	};
	enum { LINES = sizeof lines / sizeof *lines };
	static const char *const blocks[] = { "32", "64", "128", "192", "256" };
	uint64_t random = 1;
	char text[2048];

	(void)state;
	for (unsigned loop = 0; loop < sample_of(60); loop++) {
		const struct setting some[] = { { "grid", "12" }, { "mps", "2" }, { "block", blocks[loop % 5] },
						{ NULL, NULL } };
		int n = snprintf(text, sizeof text, "again:\n");
		for (uint64_t k = 3 + rng_below(&random, 8); k; k--)
			n += snprintf(text + n, sizeof text - (size_t)n, "%s", lines[rng_below(&random, LINES)]);
		snprintf(text + n, sizeof text - (size_t)n, "sub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\n");
		compare_loop(BLOCK_TRIPS, text, some);
	}
}

/* ---- the order of warps decides the result ---- */

/* Threads store to their word of s[], address $a1; $a2 is the next warp's. $r2: a word of g[] for each block. */
#define OWN HEAD ".block 128\n.smem 0x820\n.arg zero=8192\nmov b32 $r1 u16 s[0xc]\nshl b32 $r2 $r1 0x2\n" \
	"add b32 $r2 b32 s[0x10] $r2\nshl $a1 $r0 0x2\nadd $a2 $a1 0x80\nmov b32 $r4 0x1\nst b32 s[$a1+0x20] $r0\n"

static void warps_that_race(void **state)
{
	(void)state;
	/* The next warp's word is read after a barrier, or before. */
	compare_text(OWN "bar inc wait 0x0 all\nld $r3 b32 s[$a2+0x20]\nexit red add u32 g14[$r2] $r3\n", "40", AHEAD);
	compare_text(OWN "ld $r3 b32 s[$a2+0x20]\nexit red add u32 g14[$r2] $r3\n", "40", IN_ORDER);
	compare_text(OWN "st b32 s[$a2+0x20] $r4\nexit red add u32 g14[$r2] $r4\n", "40", IN_ORDER);
	/* In g[]: all warps of a block store to the block's word, with a barrier between or without. */
	compare_text(OWN "exit st b32 g14[$r2] $r0\n", "40", IN_ORDER);
	compare_text(OWN "mov b32 $r3 0x1f\nsub b32 $c0 # $r0 $r3\n(le $c0) st b32 g14[$r2] $r0\nbar inc wait 0x0 all\n"
		     "(g $c0) ld b32 $r5 g14[$r2]\nst b32 s[$a1+0x20] $r5\nexit nop\n", "40", AHEAD);
}

/* An interval without stores, in most blocks. */
static void blocks_that_store_now_and_then(void **state)
{
	static const char text[] = OWN "bar inc wait 0x0 all\nld $r3 b32 s[$a2+0x20]\nmov b32 $r6 0x1e\n"
		"sub b32 $c0 # $r1 $r6\n(e $c0) st b32 s[$a1+0x420] $r3\nexit red add u32 g14[$r2] $r3\n";

	(void)state;
	compare_text(text, "40", AHEAD);
	/* and a block with a race */
	compare_text(OWN "bar inc wait 0x0 all\nld $r3 b32 s[$a2+0x20]\nmov b32 $r6 0x1e\nsub b32 $c0 # $r1 $r6\n"
		     "(e $c0) st b32 s[$a1+0x20] $r3\nexit red add u32 g14[$r2] $r3\n", "40", IN_ORDER);
}

static void blocks_that_race(void **state)
{
	(void)state;
	compare_text(OWN "mov b32 $r5 b32 s[0x10]\nexit st b32 g14[$r5] $r1\n", "40", IN_ORDER);
	compare_text(OWN "mov b32 $r5 b32 s[0x10]\nld add u32 $r3 g14[$r5] $r4\nexit nop\n", "40", IN_ORDER);
}

static void what_time_decides(void **state)
{
	(void)state;
	compare_text(OWN "mov $r3 $clock\nexit red add u32 g14[$r2] $r3\n", "40", IN_ORDER);
	compare_text(OWN "mov $r3 $physid\nexit red add u32 g14[$r2] $r3\n", "40", AHEAD);
	compare_text(OWN "bar inc wait 0x1 0x2\nexit red add u32 g14[$r2] $r4\n", "40", IN_ORDER);
	compare_text(OWN "spin:\nsub b32 $c0 # $r1 $r4\n(e $c0) bra #spin\nexit red add u32 g14[$r2] $r4\n", "3",
		     IN_ORDER);
	compare_text(OWN "mov b32 $r5 0x40000000\nexit ld b32 $r3 g14[$r5]\n", "3", IN_ORDER);
	/* The first warp waits at another barrier than the others; and at the same barrier. */
	compare_text(OWN "mov b32 $r3 0x1f\nsub b32 $c0 # $r0 $r3\n(g $c0) bra #other\nbar inc wait 0x0 all\n"
		     "exit red add u32 g14[$r2] $r4\nother:\nbar inc wait 0x1 all\nexit red add u32 g14[$r2] $r4\n",
		     "3", IN_ORDER);
	compare_text(OWN "mov b32 $r3 0x1f\nsub b32 $c0 # $r0 $r3\n(g $c0) bra #other\nbar inc wait 0x2 all\n"
		     "exit red add u32 g14[$r2] $r4\nother:\nbar inc wait 0x2 all\nexit red add u32 g14[$r2] $r4\n",
		     "3", AHEAD);
	/* The first warp has none. */
	compare_text(OWN "mov b32 $r3 0x1f\nsub b32 $c0 # $r0 $r3\n(g $c0) bra #other\n"
		     "exit red add u32 g14[$r2] $r4\nother:\nbar inc wait 0x2 all\nexit red add u32 g14[$r2] $r4\n",
		     "3", AHEAD);
}

static void what_cannot_begin(void **state)
{
	static const struct setting settings[][2] = {
		{ { "max-cycles", "40" }, { NULL, NULL } }, { { "max-insns", "1" }, { NULL, NULL } },
		{ { "check", "race" }, { NULL, NULL } },
	};
	struct wb_program *p = load(OWN "exit red add u32 g14[$r2] $r4\n");

	(void)state;
	for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++)
		compare(settings[i]->option, p, settings[i], IN_ORDER);
	wb_program_free(p);
}

/* ---- groups of lanes ---- */

static void policies_of_groups(void **state)
{
	static const char *const policies[] = { "barriers", "minpc", "none", "ipdom" };
	struct wb_program *p = load(parting);

	(void)state;
	for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++) {
		const struct setting s[] = { { "grid", "40" }, { "reconverge", policies[i] }, { NULL, NULL } };
		const char *reason;
		compare(policies[i], p, s, AHEAD);
		for (unsigned timed = 0; timed < 2; timed++) {
			struct setting one[] = { { "grid", "40" }, { "reconverge", policies[i] },
						 { "timing", timed ? "on" : "off" }, { "slice", timed ? "256" : "7" },
						 { "threaded-code", "off" }, { NULL, NULL } };
			char *slow = run_as(p, one, "on", "1", &reason), *fast;
			one[4].value = "on";
			fast = run_as(p, one, "on", "1", &reason);
			if (strcmp(slow, fast))
				fail_msg("%s, timing %s: differs\nslow:\n%.3000s\nfast:\n%.3000s", policies[i],
					 one[2].value, slow, fast);
			free(slow);
			free(fast);
		}
	}
	wb_program_free(p);
}

/* Whether a group gives way depends on what other warps have stored: precise. */
static void groups_that_give_way(void **state)
{
	static const struct setting s[] = { { "grid", "3" }, { "reconverge", "barriers" }, { NULL, NULL } };
	struct wb_program *p = load(HEAD ".block 64\n.arg zero=8192\n"
				    "mov b32 $r1 b32 s[0x10]\nmov b32 $r4 0x10\nand b32 $c0 # $r0 $r4\n"
				    "(e $c0) bra #give\nwait:\nld b32 $r2 g14[$r1]\nor b32 $c1 # $r2 $r2\n"
				    "(e $c1) bra #wait\ngive:\nexit st b32 g14[$r1] $r4\n");

	(void)state;
	compare("give way", p, s, IN_ORDER);
	wb_program_free(p);
}

/* ---- memory, constants, code ---- */

static void what_multiprocessors_share(void **state)
{
	static const char *const timings[] = { "g.latency=441", "g.bytes=900", "g.latency=16", "i.l1.bytes=256",
					       "c.l1.bytes=256", "mp.schedulers=2", "l2.bytes=512" };
	struct wb_program *p = load(HEAD ".block 128\n.arg zero=8192\n.const 1 0x0: 1 2 3 4\n.const 2 0x0: 5\n"
				    "mov b32 $r1 u16 s[0xc]\nshl b32 $r6 $r0 0x4\nadd b32 $r6 b32 s[0x10] $r6\n"
				    "mov b32 $r5 0x9\nshl $a1 $r0 0x2\nagain:\nld b32 $r3 g14[$r6]\n"
				    "add b32 $r2 $r2 $r3\nadd b32 $r2 $r2 c2[0x0]\nadd b32 $r2 $r2 c1[$a1]\n"
				    "sub b32 $c0 $r5 $r5 c1[0x0]\n(lg $c0) bra #again\nshl b32 $r6 $r1 0x2\n"
				    "add b32 $r6 b32 s[0x10] $r6\nexit red add u32 g14[$r6] $r2\n");

	(void)state;
	for (unsigned i = 0; i < sizeof timings / sizeof *timings; i++) {
		const struct setting s[] = { { "grid", "150" }, { "timing-set", timings[i] }, { NULL, NULL } };
		compare(timings[i], p, s, EITHER);
	}
	wb_program_free(p);
}

/* A warp waits for g[] and then needs the LSU, while others keep the SPs at work: no turn for the warp in the first
 * cycle of a possible answer, before the answer is known. */
static void answers_that_come_late(void **state)
{
	struct wb_program *p = load(HEAD ".block 128\n.smem 0x420\n.arg zero=65536\n.const 1 0x0: 1\n"
				    "mov b32 $r1 u16 s[0xc]\nshl b32 $r6 $r1 0x9\nshl b32 $r7 $r0 0x2\n"
				    "add b32 $r6 $r6 $r7\nadd b32 $r6 b32 s[0x10] $r6\nmov b32 $r5 0x20\n"
				    "shl $a1 $r0 0x2\nshr u32 $c1 # $r0 0x5\n(lg $c1) bra #work\nagain:\n"
				    "ld b32 $r3 g14[$r6]\nst b32 s[$a1+0x20] $r3\nsub b32 $c0 $r5 $r5 c1[0x0]\n"
				    "(lg $c0) bra #again\nexit nop\nwork:\nadd b32 $r2 $r1 $r5\nadd b32 $r3 $r1 $r5\n"
				    "add b32 $r4 $r1 $r5\nadd b32 $r8 $r1 $r5\nadd b32 $r9 $r1 $r5\n"
				    "add b32 $r10 $r1 $r5\nsub b32 $c0 $r5 $r5 c1[0x0]\n(lg $c0) bra #work\n"
				    "exit nop\n");

	(void)state;
	for (unsigned latency = 60; latency < 90; latency++) {
		if (!in_sample(latency, 1))
			continue;
		char timing[40];
		const struct setting s[] = { { "grid", "90" }, { "timing-set", timing }, { NULL, NULL } };
		snprintf(timing, sizeof timing, "g.latency=%u", latency);
		compare(timing, p, s, AHEAD);
	}
	wb_program_free(p);
}

/* ---- several threads ---- */

/* A few blocks take much longer than others, so that now and then a thread has nothing to do but to pre-execute blocks:
 * of the thread's multiprocessors and of others, where blocks run out early. */
#define UNEVEN ".kernel k\n.chip g200\n.block 96\n.smem 0x620\n.arg zero=65536\n.const 1 0x0: 1 0x2545 0x1ff 3\n" \
	"mov b32 $r1 u16 s[0xc]\nmul $r3 u24 $r1 c1[0x4]\nshr u32 $r3 $r3 0x3\nmov b32 $r4 0x1ff\n" \
	"and b32 $r3 $r3 $r4\nadd b32 $r3 $r3 c1[0x0]\nshl $a1 $r0 0x2\nmov b32 $r5 0x1\n" \
	"again:\nadd b32 $r5 $r5 $r3\nxor b32 $r5 $r5 $r0\nsub b32 $c0 $r3 $r3 c1[0x0]\n(lg $c0) bra #again\n" \
	"st b32 s[$a1+0x20] $r5\nbar inc wait 0x0 all\nmov b32 $r6 b32 s[$a1+0x20]\nadd b32 $r5 $r5 $r6\n"
#define PUT "mov b32 $r8 0xf\nand b32 $r8 $r8 $r0\nshl b32 $r7 $r1 0x4\nadd b32 $r7 $r7 $r8\nshl b32 $r7 $r7 0x2\n" \
	"add b32 $r7 b32 s[0x10] $r7\nexit red add u32 g14[$r7] $r5\n"

static void uneven_blocks(void **state)
{
	struct wb_program *p = load(UNEVEN PUT), *where = load(UNEVEN "mov $r5 $physid\n" PUT);

	(void)state;
	for (unsigned i = 0; i < 12; i++) {
		char mps[12], grid[12];
		const struct setting s[] = { { "mps", mps }, { "grid", grid }, { NULL, NULL } };
		snprintf(mps, sizeof mps, "%u", 2 + i % 4);
		snprintf(grid, sizeof grid, "%u", 97 - i);
		compare("uneven", p, s, AHEAD);
		compare("where they are", where, s, AHEAD);
	}
	wb_program_free(p);
	wb_program_free(where);
}

/* ---- memory after blocks ---- */

/* s[] and registers of the last block are present; storage of other last blocks has nothing or the same. */
static void what_blocks_leave(void **state)
{
	struct wb_program *p = load(OWN "mul $r3 u24 $r1 c1[0x0]\nadd b32 $r3 $r3 $r0\nst b32 s[$a1+0x220] $r3\n"
				    "exit red add u32 g14[$r2] $r4\n.const 1 0x0: 1000\n");
	unsigned there = 0, gone = 0;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const struct setting s[] = { { "grid", "200" }, { "mps", i ? "3" : "1" },
					     { "threads", i ? "2" : "1" }, { NULL, NULL } };
		struct wb_launch *l = launch(p, s);
		uint32_t word[128], value[WB_LANES];
		assert_int_equal(wb_launch_run(l, NULL), WB_OK);
		assert_null(wb_launch_report(l)->execution.precise_reason);
		assert_int_equal(wb_launch_read(l, "s", 0x220, word, sizeof word, NULL), WB_OK);
		for (unsigned k = 0; k < 128; k++)
			assert_int_equal(word[k], 199 * 1000 + k);
		for (unsigned block = 0; block < 200; block++)
			if (wb_launch_read_register(l, block, 2, "r3", value, NULL) != WB_OK) {
				gone++;
			} else {
				assert_int_equal(value[5], block * 1000 + 69);
				there++;
			}
		assert_int_equal(wb_launch_read_register(l, 199, 2, "r3", value, NULL), WB_OK);
		wb_launch_free(l);
	}
	assert_true(there >= 2 && gone > 300);
	wb_program_free(p);
}

/* ---- shaders ---- */

/* Branches, calls, a loop with breaks: warps' paths part and meet, inside a function called from two places, and
 * outside of a loop in different iterations. */
static const char shader[] =
	".alias edge c0 as (0.0, 1.0, 0.5, 2.0)\n"
	".alias most i0 as (7, 0, 1, 0)\n"
	".alias pos o0 as position\n"
	"main:\n\tmov r0, v0\n\tmov r1, edge\n\tcmp v0.xy, edge.xx, >, >\n"
	"\tif cc.x\n\t\tmul r1, r1, r0\n\t\tcall halve until halved\n\t\tnop\n\telse\n\t\tadd r1, -edge.zzzz, r1\n"
	"\t\tcall halve until halved\n\t\tadd r1, edge.yyyy, r1\n\t\tnop\n\tendif\n"
	"\tloop most\n\t\tcmp r0.xy, edge.zz, <, <\n\t\tbreak cc.x && cc.y\n\t\tmul r0, edge.zzzz, r0\n"
	"\t\tcmp r0.xy, edge.yy, <, <\n\t\tjmp far if cc.x\n\t\tadd r1, c0[aL], r1\n"
	"back:\n\t\tnop\n\tendloop\n"
	"\tadd pos, r0, r1\n\tnop\n\tend\n"
	"halve:\n\tmul r0, edge.zzzz, r0\n\tcmp r0.xy, edge.yy, >, >\n"
	"\tif cc.y\n\t\tmul r0, edge.zzzz, r0\n\t\tnop\n\tendif\n\tnop\nhalved:\n\tnop\n\tend\n"
	"far:\n\tadd r1, edge.zzzz, r1\n\tadd r1, r1, r0\n\tcmp r0.xy, r0.xy, ==, ==\n\tjmp back if cc.x\n";

enum { VERTICES = 41 * 32 + 7, IN_WORDS = 64 };

static char *run_shader(const struct wb_program *p, const char *in_order, const char *threads, const char **reason)
{
	const struct setting s[] = { { "in-order", in_order }, { "threads", threads }, { "mps", "3" }, { NULL, NULL } };
	struct wb_launch *l = launch(p, s);
	uint32_t *in = calloc(VERTICES, IN_WORDS * sizeof *in), seed = 1;
	struct wb_diag d = { 0 };
	char *text, *all;
	size_t at;

	assert_non_null(in);
	for (size_t i = 0; i < (size_t)VERTICES * IN_WORDS; i++) {
		float f = (float)(int)((seed = seed * 1664525 + 1013904223) >> 16 & 0xff) / 32 - 4;
		memcpy(&in[i], &f, sizeof f);
	}
	assert_int_equal(wb_launch_in_words(l), IN_WORDS);
	assert_int_equal(wb_launch_vertices(l, in, VERTICES, &d), WB_OK);
	enum wb_status status = wb_launch_run(l, &d);
	assert_int_equal(status, WB_OK);
	text = outcome(l, status, &d);
	*reason = wb_launch_report(l)->execution.precise_reason;
	at = strlen(text);
	all = realloc(text, at + 4 * 9 * VERTICES + 1);
	assert_non_null(all);
	for (uint32_t i = 0; i < VERTICES; i++)
		for (unsigned k = 0; k < 4; k++)
			at += (size_t)sprintf(all + at, "%08x\n", wb_launch_output(l, i)[k]);
	wb_launch_free(l);
	free(in);
	return all;
}

static void shaders(void **state)
{
	struct wb_config *c = wb_config_new();
	struct wb_diag d = { 0 };
	struct wb_program *p;
	const char *reason;

	(void)state;
	assert_int_equal(wb_config_set(c, "isa", "pica", &d), WB_OK);
	assert_int_equal(wb_config_set(c, "format", "asm", &d), WB_OK);
	if (wb_program_load(shader, sizeof shader - 1, "shader.vsh", c, &p, &d) != WB_OK)
		fail_msg("line %d: %s", d.line, d.text);
	char *plain = run_shader(p, "on", "1", &reason);
	assert_non_null(reason);
	for (unsigned i = 1; i <= 3; i += 2) {
		char *traced = run_shader(p, "off", i == 1 ? "1" : "3", &reason);
		assert_null(reason);
		assert_string_equal(plain, traced);
		free(traced);
	}
	free(plain);
	wb_program_free(p);
	wb_config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples),
		cmocka_unit_test(random_programs),
		cmocka_unit_test(arithmetic_loops),
		cmocka_unit_test(repeating_loops),
		cmocka_unit_test(periods_by_lot),
		cmocka_unit_test(warps_that_race),
		cmocka_unit_test(blocks_that_store_now_and_then),
		cmocka_unit_test(blocks_that_race),
		cmocka_unit_test(what_time_decides),
		cmocka_unit_test(what_cannot_begin),
		cmocka_unit_test(policies_of_groups),
		cmocka_unit_test(groups_that_give_way),
		cmocka_unit_test(what_multiprocessors_share),
		cmocka_unit_test(answers_that_come_late),
		cmocka_unit_test(uneven_blocks),
		cmocka_unit_test(what_blocks_leave),
		cmocka_unit_test(shaders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
