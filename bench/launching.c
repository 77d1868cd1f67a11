/* What a launch costs before and after its instructions: straight-line kernels of one warp, from the text to the
 * report, in turns of opening, preparing, running, reporting and freeing. With a large buffer the cost of pages shows.
 *   launching [--check] [--repeat N] [INSTRUCTIONS]... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness.h"
#include "warpbeam.h"

enum { REPEATS_MAX = 1001, LINE_BYTES = 64 };

enum phase { OPEN, PREPARE, RUN, REPORT, FREE, PHASES };

static const char *const body[] = {
	"\tmul rn f32 $r1 $r0 $r1\n", "\tadd b32 $r2 $r1 $r0\n", "\tshl $a1 $r0 0x2\n", "\tmov b32 $r3 b32 s[0x10]\n",
	"\tadd rn f32 $r4 $r2 $r3\n", "\tsub b32 $c0 # $r4 $r1\n", "\t(lg $c0) add b32 $r5 $r4 $r1\n",
	"\tst b32 s[$a1+0x20] $r5\n",
};
enum { BODY = sizeof body / sizeof *body };

/* A kernel of n instructions, from malloc. */
static char *kernel_of(unsigned n)
{
	char *text = malloc(200 + (size_t)n * LINE_BYTES), *p = text;

	if (!text)
		abort();
	p += sprintf(p, ".kernel k\n.chip g200\n.smem 0x400\n.param ptr out\n\n");
	for (unsigned i = 0; i + 1 < n; i++)
		p += sprintf(p, "%s", body[i % BODY]);
	sprintf(p, "\texit nop\n");
	return text;
}

static bool launch(struct wb_config *c, const char *text, const char *buffer, double seconds[PHASES])
{
	double times[PHASES + 1] = { bench_now(BENCH_CPU) };
	struct wb_program *program = NULL;
	struct wb_launch *l = NULL;
	struct wb_diag d;
	bool ok = wb_program_load(text, strlen(text), "k.s", c, &program, &d) == WB_OK;

	times[1] = bench_now(BENCH_CPU);
	ok = ok && wb_launch_new(program, NULL, c, &l, &d) == WB_OK && wb_launch_arg(l, buffer, &d) == WB_OK &&
	     wb_launch_prepare(l, &d) == WB_OK;
	times[2] = bench_now(BENCH_CPU);
	ok = ok && wb_launch_run(l, &d) == WB_OK;
	times[3] = bench_now(BENCH_CPU);
	ok = ok && wb_launch_report(l);
	times[4] = bench_now(BENCH_CPU);
	wb_launch_free(l);
	wb_program_free(program);
	times[5] = bench_now(BENCH_CPU);
	for (int i = 0; i < PHASES; i++)
		seconds[i] = times[i + 1] - times[i];
	if (!ok)
		fprintf(stderr, "launching: %s\n", d.text);
	return ok;
}

static bool measure(struct wb_config *c, unsigned n, const char *buffer, unsigned repeat)
{
	static double seconds[PHASES][REPEATS_MAX];
	char *text = kernel_of(n);
	bool ok = true;

	for (unsigned i = 0; ok && i < repeat + 1; i++) {
		double one[PHASES];
		ok = launch(c, text, buffer, one);
		for (int k = 0; ok && i && k < PHASES; k++)     /* the first launch of the process warms up */
			seconds[k][i - 1] = one[k];
	}
	free(text);
	if (!ok)
		return false;
	printf("%12u %-12s", n, buffer);
	for (int k = 0; k < PHASES; k++)
		printf(" %9.1f", 1e6 * bench_summarize(seconds[k], repeat).median);
	putchar('\n');
	return true;
}

int main(int argc, char **argv)
{
	static const char *const usual[] = { "10", "1000", "10000", "100000" };
	const char *const *counts = usual;
	bool check = argc > 1 && !strcmp(argv[1], "--check"), ok = true;
	unsigned repeat = check ? 1 : 21, n, first = 1 + check;
	int ncounts = 4;
	struct wb_config *c = wb_config_new();
	struct wb_diag d;

	if (argc > 2 && !strcmp(argv[1], "--repeat") && bench_number(argv[2], REPEATS_MAX - 1, &repeat))
		first = 3;
	if ((int)first < argc) {
		counts = (const char *const *)argv + first;
		ncounts = argc - (int)first;
	}
	if (!check)
		bench_means_something("launching");
	ok = c && wb_config_set(c, "timing", "off", &d) == WB_OK && wb_config_set(c, "block", "32", &d) == WB_OK &&
	     wb_config_set(c, "threads", "1", &d) == WB_OK;
	printf("%12s %-12s %9s %9s %9s %9s %9s   (microseconds, median of %u)\n", "instructions", "buffer", "open",
	       "prepare", "run", "report", "free", repeat);
	for (int i = 0; ok && i < ncounts; i++) {
		ok = bench_number(counts[i], 1000000, &n) && measure(c, n, "zero=1024", repeat) &&
		     measure(c, n, "zero=4194304", repeat);
	}
	wb_config_free(c);
	return !ok;
}
