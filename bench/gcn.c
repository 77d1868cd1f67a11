/* How fast OpenCL C runs on GCN's wavefronts, on one thread of the host: two kernels whose loops diverge
 * (bench/kernels/gcn.cl), without timing and with it, on each generation. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness.h"
#include "warpbeam.h"

enum { MAX_REPEATS = 99, ITEMS = 512 * 256, BLOCK = 256 };

static const char *const chips[] = { "tahiti", "bonaire", "tonga", "gfx900" };
static const char *const kernels[] = { "mandelbrot", "collatz" };

struct options {
	unsigned repeat;
	bool check;                     /* run small ones once, print no numbers */
	const char *chip;               /* NULL: all */
	const char *simd;               /* level of SIMD */
	const char *native;             /* when code becomes native */
	const char *kernel, *timing;    /* NULL: both */
};

static double counter(struct wb_launch *l, const char *name)
{
	const struct wb_report *r = wb_launch_report(l);

	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, name))
			return r->counters[i].value;
	return 0;
}

/* NULL, with a diagnostic: an option was refused. */
static struct wb_config *config_of(const struct options *o, const char *chip, const char *timing,
				   struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	char grid[16], block[16];

	snprintf(grid, sizeof grid, "%d", o->check ? 2 : ITEMS / BLOCK);
	snprintf(block, sizeof block, "%d", BLOCK);
	wb_config_set(c, "chip", chip, d);
	wb_config_set(c, "timing", timing, d);
	wb_config_set(c, "grid", grid, d);
	wb_config_set(c, "block", block, d);
	wb_config_set(c, "threads", "1", d);
	if (wb_config_set(c, "simd", o->simd, d) == WB_OK && wb_config_set(c, "native", o->native, d) == WB_OK)
		return c;
	wb_config_free(c);
	return NULL;
}

/* Seconds of one run, and its wave instructions. */
static bool run_once(const struct wb_program *p, const char *kernel, const struct wb_config *c, double *seconds,
		     double *instructions, struct wb_diag *d)
{
	struct wb_launch *l = NULL;
	char out[32];
	bool ok;

	snprintf(out, sizeof out, "zero=%d", 4 * ITEMS);
	ok = wb_launch_new(p, kernel, c, &l, d) == WB_OK && wb_launch_arg(l, out, d) == WB_OK &&
	     wb_launch_prepare(l, d) == WB_OK;
	if (ok) {
		double start = bench_now(BENCH_CPU);
		ok = wb_launch_run(l, d) == WB_OK;
		*seconds = bench_now(BENCH_CPU) - start;
		*instructions = counter(l, "instructions");
	}
	wb_launch_free(l);
	return ok;
}

static bool measure(const struct options *o, const struct wb_program *p, const char *chip, const char *kernel,
		    struct wb_diag *d)
{
	static const char *const timings[] = { "off", "on" };

	if (!o->check)
		printf("%-12s %-8s", kernel, chip);
	for (unsigned t = 0; t < 2; t++) {
		struct wb_config *c = config_of(o, chip, timings[t], d);
		double seconds[MAX_REPEATS], n = 0;
		if (o->timing && strcmp(o->timing, timings[t])) {
			wb_config_free(c);
			continue;
		}
		bool ok = c != NULL;
		for (unsigned i = 0; ok && i < (o->check ? 1 : o->repeat); i++)
			ok = run_once(p, kernel, c, &seconds[i], &n, d);
		wb_config_free(c);
		if (!ok)
			return false;
		if (!o->check)
			printf(" %12.1f", n / bench_summarize(seconds, o->repeat).min / 1e6);
	}
	if (!o->check)
		putchar('\n');
	return true;
}

/* WB_ENV: there is no compiler. */
static enum wb_status bench_chip(const struct options *o, const char *chip, unsigned *done)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	struct wb_diag d;
	enum wb_status status = wb_config_set(c, "chip", chip, &d);

	if (status == WB_OK)
		status = wb_program_open(WB_SOURCE_ROOT "/bench/kernels/gcn.cl", c, &p, &d);
	for (unsigned k = 0; status == WB_OK && k < sizeof kernels / sizeof *kernels; k++, ++*done)
		if (!o->kernel || !strcmp(o->kernel, kernels[k]))
			status = measure(o, p, chip, kernels[k], &d) ? WB_OK : WB_FAILED;
	if (status != WB_OK)
		fprintf(stderr, "gcn: %s: %s\n", chip, d.text);
	wb_program_free(p);
	wb_config_free(c);
	return status;
}

static int usage(int status)
{
	fputs("Usage: gcn [--repeat N] [--chip NAME] [--simd LEVEL] [--native WHEN] [--timing off|on] [--check]\n"
	      "           [KERNEL]\n"
	      "Measure how many million wave instructions a second (of 64 lanes) run on one thread, without timing\n"
	      "and with it.\n\n"
	      "  --repeat N   measured runs of each, of which the fastest counts (5)\n"
	      "  --chip NAME  one of tahiti, bonaire, tonga, gfx900 alone\n"
	      "  --simd LEVEL base, avx2 or avx512; otherwise the best of this host\n"
	      "  --native WHEN auto, off or now (auto)\n"
	      "  --timing WHICH off or on; otherwise both\n"
	      "  --check      run small ones once; the last line is \"N passed, N failed\"\n",
	      status ? stderr : stdout);
	return status;
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{ "repeat", required_argument, NULL, 'r' }, { "check", no_argument, NULL, 'c' },
		{ "chip", required_argument, NULL, 'm' }, { "native", required_argument, NULL, 'n' },
		{ "timing", required_argument, NULL, 't' },
		{ "simd", required_argument, NULL, 's' }, { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 },
	};
	struct options o = { .repeat = 5, .simd = "auto", .native = "auto" };
	enum wb_status status = WB_OK;
	unsigned done = 0;
	int letter;

	while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (letter == 'r' && !bench_number(optarg, MAX_REPEATS, &o.repeat))
			return usage(WB_USAGE);
		else if (letter == 'c')
			o.check = true;
		else if (letter == 'm')
			o.chip = optarg;
		else if (letter == 's')
			o.simd = optarg;
		else if (letter == 'n')
			o.native = optarg;
		else if (letter == 't')
			o.timing = optarg;
		else if (letter != 'r')
			return usage(letter == 'h' ? WB_OK : WB_USAGE);
	}
	o.kernel = argv[optind];
	if (!o.check && !bench_means_something("gcn"))
		return WB_ENV;
	bench_pin();
	if (!o.check)
		printf("%-12s %-8s %12s %12s   millions of wave instructions a second, one thread\n", "kernel", "chip",
		       "untimed", "timed");
	for (unsigned i = 0; i < sizeof chips / sizeof *chips && status == WB_OK; i++)
		if (!o.chip || !strcmp(o.chip, chips[i]))
			status = bench_chip(&o, chips[i], &done);
	if (o.check)
		printf("%u passed, %u failed\n", done, status != WB_OK);
	return (int)status;
}
