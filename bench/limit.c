/* What a warp interpreter could do on this machine at best, in lane operations a second: see ceiling.h. */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/ceiling.h"
#include "warpbeam.h"

static int help(int status)
{
	fputs("Usage: limit [--json] [--repeat N] [--scale N] [--wall] [--check]\n"
	      "Measure the ceiling of a warp interpreter on this machine, in lane operations a second.\n\n"
	      "  --repeat N  measured runs of each, at most 99 (7)\n"
	      "  --scale N   how much longer each run is, at most 1000 (1)\n"
	      "  --wall      wall clock instead of processor time\n"
	      "  --json      results as one JSON document\n"
	      "  --check     only check that the loops do what they say; the last line is \"N passed, N failed\"\n",
	      status ? stderr : stdout);
	return status;
}

static json_t *to_json(const char *level, const char *way, const struct ceiling *c)
{
	return json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f}", "simd", level, "way", way, "lane_operations_per_second",
			 c->per_second, "instructions_per_second", c->instructions / c->seconds.median,
			 "seconds_median", c->seconds.median, "seconds_mad", c->seconds.mad, "seconds_min",
			 c->seconds.min);
}

static void print_line(const char *level, const char *way, const struct ceiling *c)
{
	printf("%-7s %-12s %8.2f  %8.1f  %7.4f  %4.1f %%\n", level, way, c->per_second / 1e9,
	       c->instructions / c->seconds.median / 1e6, c->seconds.median, 100 * c->seconds.mad / c->seconds.median);
	fflush(stdout);
}

static int check(void)
{
	unsigned passed = 0, failed = 0;

	for (unsigned level = 0; level < ceiling_levels(); level++)
		for (enum ceiling_way way = CEILING_THREADED; way < CEILING_WAYS; way++) {
			bool right = ceiling_right(level, way);
			passed += right;
			failed += !right;
			if (!right)
				printf("%s %s: wrong values\n", ceiling_level(level), ceiling_names[way]);
		}
	printf("%u passed, %u failed\n", passed, failed);
	return failed ? WB_FAILED : WB_OK;
}

/* Every way at a level, into `results`, or NULL: printed. */
static void measure_level(unsigned level, unsigned scale, unsigned repeat, enum bench_clock clock, json_t *results)
{
	for (enum ceiling_way way = 0; way < CEILING_WAYS; way++) {
		struct ceiling c = ceiling_measure(level, way, scale, repeat, clock);
		if (results)
			json_array_append_new(results, to_json(ceiling_level(level), ceiling_names[way], &c));
		else
			print_line(ceiling_level(level), ceiling_names[way], &c);
	}
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },          { "repeat", required_argument, NULL, 'r' },
		{ "scale", required_argument, NULL, 's' },   { "wall", no_argument, NULL, 'w' },
		{ "check", no_argument, NULL, 'c' },         { "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	unsigned repeat = 7, scale = 1;
	enum bench_clock clock = BENCH_CPU;
	bool json = false;
	int letter;

	while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (letter == 'h')
			return help(WB_OK);
		if (letter == 'c')
			return check();
		if (letter == '?' || (letter == 'r' && !bench_number(optarg, 99, &repeat)) ||
		    (letter == 's' && !bench_number(optarg, 1000, &scale)))
			return help(WB_USAGE);
		json |= letter == 'j';
		clock = letter == 'w' ? BENCH_WALL : clock;
	}
	if (!bench_means_something("limit"))
		return WB_ENV;
	int cpu = bench_pin();
	json_t *results = json_array();
	if (!json)
		printf("%-7s %-12s %8s  %8s  %7s  %6s\n", "simd", "way", "G lane/s", "M warp/s", "seconds", "MAD");
	for (unsigned level = 0; level < ceiling_levels(); level++)
		measure_level(level, scale, repeat, clock, json ? results : NULL);
	json_t *all = json_pack("{s:s, s:s, s:b, s:i, s:o}", "schema", "warpbeam.limit/1", "version", wb_version(),
				"release", bench_is_release(), "cpu", cpu, "results", results);
	if (json)
		json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	json_decref(all);
	return WB_OK;
}
