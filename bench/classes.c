/* Instructions a second by class: loops of bench/classes over 8 warps, without timing and with it, each as a share of
 * the machine's ceiling; how fast programs are read; how much memory a warp takes. */
#include <getopt.h>
#include <jansson.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ceiling.h"
#include "bench/harness.h"
#include "warpbeam.h"

enum { MAX_REPEATS = 99, BLOCK = 256, LOADED = 8192 /* instructions of the program that is read */ };

static const struct row {
	const char *name, *file;
	unsigned mask;                  /* of the lane's number: which way it goes */
} rows[] = {
	{ "ALU, int", "int", 0 },        { "ALU, float", "float", 0 },     { "SFU", "sfu", 0 },
	{ "shared memory", "shared", 0 }, { "global memory", "global", 0 }, { "branch", "branch", 0 },
	{ "1 way", "diverge", 0 },       { "2 ways", "diverge", 1 },       { "4 ways", "diverge", 3 },
	{ "8 ways", "diverge", 7 },      { "16 ways", "diverge", 15 },     { "32 ways", "diverge", 31 },
};
enum { ROWS = sizeof rows / sizeof *rows };

struct measured {
	double thread_instructions, instructions;
	struct bench_summary seconds;
};

static void need(enum wb_status s, const struct wb_diag *d)
{
	if (s == WB_OK)
		return;
	fprintf(stderr, "classes: %s: %s\n", d->file, d->text);
	exit(s);
}

static struct wb_program *open_row(const struct row *r)
{
	struct wb_program *p = NULL;
	struct wb_diag d;
	char path[4096];

	snprintf(path, sizeof path, "%s/bench/classes/%s.s", WB_SOURCE_ROOT, r->file);
	need(wb_program_open(path, NULL, &p, &d), &d);
	return p;
}

static struct wb_launch *prepare(const struct wb_program *p, const char *timing, unsigned block, unsigned trips,
				 unsigned mask)
{
	struct wb_config *c = wb_config_new();
	struct wb_launch *l = NULL;
	struct wb_diag d;
	const char *set[][2] = { { "timing", timing }, { "livelock", "none" }, { "threads", "1" }, { "mps", "1" } };
	char text[3][24];

	snprintf(text[0], sizeof text[0], "%u", block);
	snprintf(text[1], sizeof text[1], "u32=%u", trips);
	snprintf(text[2], sizeof text[2], "u32=%u", mask);
	for (size_t i = 0; i < sizeof set / sizeof *set; i++)
		need(wb_config_set(c, set[i][0], set[i][1], &d), &d);
	need(wb_config_set(c, "grid", "1", &d), &d);
	need(wb_config_set(c, "block", text[0], &d), &d);
	need(wb_launch_new(p, NULL, c, &l, &d), &d);
	need(wb_launch_arg(l, "zero=4096", &d), &d);
	need(wb_launch_arg(l, text[1], &d), &d);
	need(wb_launch_arg(l, text[2], &d), &d);
	need(wb_launch_prepare(l, &d), &d);
	wb_config_free(c);
	return l;
}

static double counter(struct wb_launch *l, const char *name)
{
	const struct wb_report *r = wb_launch_report(l);

	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, name))
			return r->counters[i].value;
	return 0;
}

/* The first run warms up. */
static struct measured measure(const struct row *r, const char *timing, unsigned trips, unsigned repeat)
{
	struct wb_program *p = open_row(r);
	struct measured m = { 0 };
	double seconds[MAX_REPEATS];
	struct wb_diag d;

	for (unsigned i = 0; i <= repeat; i++) {
		struct wb_launch *l = prepare(p, timing, BLOCK, trips, r->mask);
		double start = bench_now(BENCH_CPU);
		need(wb_launch_run(l, &d), &d);
		seconds[i ? i - 1 : 0] = bench_now(BENCH_CPU) - start;
		m.thread_instructions = counter(l, "thread_instructions");
		m.instructions = counter(l, "instructions");
		wb_launch_free(l);
	}
	m.seconds = bench_summarize(seconds, repeat);
	wb_program_free(p);
	return m;
}

/* Instructions a second from text to a launch that is ready to run. */
static double load_speed(unsigned repeat)
{
	static const char head[] = ".kernel k\n.chip g200\n.param ptr out\n.param u32 a\n.param u32 b\n",
			  line[] = "\tadd b32 $r2 $r2 $r1\n";
	size_t size = sizeof head + LOADED * sizeof line, n = sizeof head - 1;
	char *text = malloc(size);
	double seconds[MAX_REPEATS];
	struct wb_diag d;

	if (!text)
		return 0;
	memcpy(text, head, n);
	for (unsigned i = 0; i < LOADED; i++, n += sizeof line - 1)
		memcpy(text + n, line, sizeof line - 1);
	for (unsigned i = 0; i < repeat; i++) {
		struct wb_program *p = NULL;
		double start = bench_now(BENCH_CPU);
		need(wb_program_load(text, n, "loaded.s", NULL, &p, &d), &d);
		struct wb_launch *l = prepare(p, "off", 32, 1, 0);
		seconds[i] = bench_now(BENCH_CPU) - start;
		wb_launch_free(l);
		wb_program_free(p);
	}
	free(text);
	return LOADED / bench_summarize(seconds, repeat).median;
}

static double memory_of(const struct wb_program *p, unsigned block)
{
	struct mallinfo2 before = mallinfo2();
	struct wb_launch *l = prepare(p, "on", block, 1, 0);
	struct mallinfo2 after = mallinfo2();

	wb_launch_free(l);
	return (double)(after.uordblks + after.hblkhd) - (double)(before.uordblks + before.hblkhd);
}

/* Bytes that each further warp of a block takes. */
static double memory_per_warp(void)
{
	struct wb_program *p = open_row(&rows[0]);
	double one = memory_of(p, 32), sixteen = memory_of(p, 512);

	wb_program_free(p);
	return (sixteen - one) / 15;
}

static int help(int status)
{
	fputs("Usage: classes [--json] [--repeat N] [--trips N]\n"
	      "Instructions a second by class, how fast programs are read, and the memory of a warp.\n\n"
	      "  --repeat N  measured runs of each, 1 to 99 (7)\n"
	      "  --trips N   rounds of each loop, 1 to 10000000 (10000)\n"
	      "  --json      results as one JSON document\n", status ? stderr : stdout);
	return status;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' }, { "repeat", required_argument, NULL, 'r' },
		{ "trips", required_argument, NULL, 't' }, { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 },
	};
	int letter, repeat = 7, trips = 10000, cpu;
	bool json = false;

	while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (letter == 'h')
			return help(WB_OK);
		json |= letter == 'j';
		repeat = letter == 'r' ? atoi(optarg) : repeat;
		trips = letter == 't' ? atoi(optarg) : trips;
		if (letter == '?' || repeat < 1 || repeat > MAX_REPEATS || trips < 1 || trips > 10000000)
			return help(WB_USAGE);
	}
	cpu = bench_pin();
	json_t *results = json_array();
	unsigned level = ceiling_levels() - 1;
	struct ceiling lanes = ceiling_measure(level, CEILING_THREADED, 1, (unsigned)repeat, BENCH_CPU),
		       robin = ceiling_measure(level, CEILING_ROUND_ROBIN, 1, (unsigned)repeat, BENCH_CPU);
	if (!json)
		printf("one thread, on processor %d, medians of %d\n\n%-14s %-6s %10s  %8s  %6s  %6s\n", cpu, repeat,
		       "class", "timing", "M thread/s", "M warp/s", "share", "MAD");
	for (unsigned i = 0; i < 2 * ROWS; i++) {
		const char *timing = i % 2 ? "on" : "off";
		struct measured m = measure(&rows[i / 2], timing, (unsigned)trips, (unsigned)repeat);
		double s = m.seconds.median, threads = m.thread_instructions / s, warps = m.instructions / s;
		double share = i % 2 ? warps * robin.seconds.median / robin.instructions : threads / lanes.per_second;
		if (!json)
			printf("%-14s %-6s %10.1f  %8.1f  %4.1f %%  %4.1f %%\n", rows[i / 2].name, timing,
			       threads / 1e6, warps / 1e6, 100 * share, 100 * m.seconds.mad / s);
		json_array_append_new(results, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f}", "class", rows[i / 2].name,
				      "timing", timing, "thread_instructions_per_second", threads,
				      "instructions_per_second", warps, "share_of_ceiling", share, "mad",
				      m.seconds.mad / s));
	}
	double load = load_speed((unsigned)repeat), memory = memory_per_warp();
	if (!json)
		printf("\nfrom text to a launch: %.2f M instructions/s\nmemory of a warp: %.0f bytes\n", load / 1e6,
		       memory);
	json_t *all = json_pack("{s:s, s:b, s:i, s:i, s:f, s:f, s:o}", "schema", "warpbeam.classes/1", "release",
				bench_is_release(), "cpu", cpu, "repeat", repeat, "load_instructions_per_second", load,
				"bytes_per_warp", memory, "results", results);
	if (json)
		json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	json_decref(all);
	return WB_OK;
}
