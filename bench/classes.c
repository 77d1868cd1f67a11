/* Instructions a second by class: loops of bench/classes over 8 warps, without timing and with it, each as a share of
 * the machine's ceiling; how fast programs are read and decoded; how much memory a warp takes. */
#include <getopt.h>
#include <jansson.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ceiling.h"
#include "bench/decoding.h"
#include "bench/harness.h"
#include "warpbeam.h"

enum { MAX_REPEATS = 99, BLOCK = 256, READ = 8192 /* instructions of the program that is read */ };

static const struct row {
	const char *name, *file;
	unsigned mask;                  /* bits of the lane number that choose the lane's path */
} rows[] = {
	{ "ALU, int", "int", 0 },        { "ALU, float", "float", 0 },     { "SFU", "sfu", 0 },
	{ "shared memory", "shared", 0 }, { "global memory", "global", 0 }, { "texture", "texture", 0 },
	{ "branch", "branch", 0 },
	{ "1 way", "diverge", 0 },       { "2 ways", "diverge", 1 },       { "4 ways", "diverge", 3 },
	{ "8 ways", "diverge", 7 },      { "16 ways", "diverge", 15 },     { "32 ways", "diverge", 31 },
};
enum { ROWS = sizeof rows / sizeof *rows };

struct options {
	unsigned repeat, trips;
	bool json, check;
	int cpu;
};

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

/* ---- a launch ---- */

static struct wb_program *open_row(const struct row *r)
{
	struct wb_program *p = NULL;
	struct wb_diag d;
	char path[4096];

	snprintf(path, sizeof path, "%s/bench/classes/%s.s", WB_SOURCE_ROOT, r->file);
	need(wb_program_open(path, NULL, &p, &d), &d);
	return p;
}

/* Texture 0: 16 by 16 texels of four bytes, filtered. */
static void add_texture(struct wb_launch *l)
{
	struct wb_text t;
	FILE *f = open_memstream(&t.data, &t.size);
	uint32_t state = 1;
	struct wb_diag d;

	if (!f)
		exit(WB_ENV);
	fputs("{\"textures\": [{\"t\": 0, \"type\": \"2d\", \"format\": \"rgba8_unorm\", \"width\": 16, "
	      "\"height\": 16, \"data\": [", f);
	for (unsigned i = 0; i < 256; i++) {
		state = state * 1664525 + 1013904223;
		fprintf(f, "%s\"%08x\"", i ? "," : "", state);
	}
	fputs("]}], \"samplers\": [{\"s\": 0, \"min\": \"linear\", \"mag\": \"linear\"}]}", f);
	fclose(f);
	need(wb_launch_scene(l, t.data, t.size, "scene", &d), &d);
	free(t.data);
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
	add_texture(l);
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

/* ---- by class ---- */

/* The first run warms up. */
static struct measured measure(const struct options *o, const struct row *r, const char *timing)
{
	struct wb_program *p = open_row(r);
	struct measured m = { 0 };
	double seconds[MAX_REPEATS];
	struct wb_diag d;

	for (unsigned i = 0; i <= o->repeat; i++) {
		struct wb_launch *l = prepare(p, timing, BLOCK, o->trips, r->mask);
		double start = bench_now(BENCH_CPU);
		need(wb_launch_run(l, &d), &d);
		seconds[i ? i - 1 : 0] = bench_now(BENCH_CPU) - start;
		m.thread_instructions = counter(l, "thread_instructions");
		m.instructions = counter(l, "instructions");
		wb_launch_free(l);
	}
	m.seconds = bench_summarize(seconds, o->repeat);
	wb_program_free(p);
	return m;
}

static json_t *measure_classes(const struct options *o)
{
	json_t *results = json_array();
	unsigned level = ceiling_levels() - 1;
	struct ceiling lanes = ceiling_measure(level, CEILING_THREADED, 1, o->repeat, BENCH_CPU),
		       robin = ceiling_measure(level, CEILING_ROUND_ROBIN, 1, o->repeat, BENCH_CPU);

	if (!o->json)
		printf("one thread, on processor %d, medians of %u\n\n%-14s %-6s %10s  %8s  %6s  %6s\n", o->cpu,
		       o->repeat, "class", "timing", "M thread/s", "M warp/s", "share", "MAD");
	for (unsigned i = 0; i < 2 * ROWS; i++) {
		const char *timing = i % 2 ? "on" : "off", *name = rows[i / 2].name;
		struct measured m = measure(o, &rows[i / 2], timing);
		double s = m.seconds.median, threads = m.thread_instructions / s, warps = m.instructions / s;
		double share = i % 2 ? warps * robin.seconds.median / robin.instructions : threads / lanes.per_second;
		if (!o->json)
			printf("%-14s %-6s %10.1f  %8.1f  %4.1f %%  %4.1f %%\n", name, timing, threads / 1e6,
			       warps / 1e6, 100 * share, 100 * m.seconds.mad / s);
		json_array_append_new(results, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f}", "class", name, "timing",
				      timing, "thread_instructions_per_second", threads, "instructions_per_second",
				      warps, "share_of_ceiling", share, "mad", m.seconds.mad / s));
	}
	return results;
}

/* ---- reading and decoding ---- */

static void text_of_program(struct wb_text *t)
{
	static const char head[] = ".kernel k\n.chip g200\n.param ptr out\n.param u32 a\n.param u32 b\n"
				   ".const 1 0x0: 1\n";
	static const char *const line[] = {
		"\tmov b32 $r12 b32 s[0x14]\n", "\tshl b32 $r1 $r0 0x2\n",
		"\tadd b32 $r1 b32 s[0x10] $r1\n", "\tcvt rn f32 $r2 u32 $r0\n",
		"\tsub b32 $c0 $r12 $r12 c1[0x0]\n", "\t(lg $c0) add b32 $r2 $r2 $r4\n",
		"\txor b32 $r5 $r5 $r1\n", "\tst b32 g14[$r1] $r2\n",
	};
	FILE *f = open_memstream(&t->data, &t->size);

	if (!f)
		exit(WB_ENV);
	fputs(head, f);
	for (unsigned i = 0; i < READ; i++)
		fputs(line[i % (sizeof line / sizeof *line)], f);
	fclose(f);
}

static double read_seconds(const struct wb_text *t, const char *name, unsigned repeat)
{
	double seconds[MAX_REPEATS];
	struct wb_diag d;

	for (unsigned i = 0; i <= repeat; i++) {
		struct wb_program *p = NULL;
		double start = bench_now(BENCH_CPU);
		need(wb_program_load(t->data, t->size, name, NULL, &p, &d), &d);
		seconds[i ? i - 1 : 0] = bench_now(BENCH_CPU) - start;
		wb_program_free(p);
	}
	return bench_summarize(seconds, repeat).median;
}

static double decode_seconds(const struct wb_text *code, unsigned repeat)
{
	double seconds[MAX_REPEATS];
	struct decoding *dec = decoding_new(code->data, code->size);

	for (unsigned i = 0; dec && i <= repeat; i++) {
		double start = bench_now(BENCH_CPU);
		unsigned n = decoding_run(dec);
		seconds[i ? i - 1 : 0] = bench_now(BENCH_CPU) - start;
		if (n != READ)
			exit(WB_INTERNAL);
	}
	if (!dec)
		exit(WB_ENV);
	free(dec);
	return bench_summarize(seconds, repeat).median;
}

/* From words to a launch that is ready to run. */
static double prepare_seconds(const struct wb_program *p, unsigned repeat)
{
	double seconds[MAX_REPEATS];

	for (unsigned i = 0; i <= repeat; i++) {
		double start = bench_now(BENCH_CPU);
		struct wb_launch *l = prepare(p, "off", 32, 1, 0);
		seconds[i ? i - 1 : 0] = bench_now(BENCH_CPU) - start;
		wb_launch_free(l);
	}
	return bench_summarize(seconds, repeat).median;
}

struct reading {
	double assembly, cubin, decode, launch; /* instructions a second */
};

static struct reading measure_reading(const struct options *o)
{
	struct wb_text text, cubin, code;
	struct wb_config *c = wb_config_new();
	struct wb_program *long_one = NULL, *short_one = open_row(&rows[0]);
	struct reading r;
	struct wb_diag d;

	text_of_program(&text);
	need(wb_assemble(c, text.data, text.size, "read.s", "cubin", &cubin, &d), &d);
	need(wb_assemble(c, text.data, text.size, "read.s", "raw", &code, &d), &d);
	need(wb_program_load(cubin.data, cubin.size, "read.cubin", NULL, &long_one, &d), &d);
	r.assembly = READ / read_seconds(&text, "read.s", o->repeat);
	r.cubin = READ / read_seconds(&cubin, "read.cubin", o->repeat);
	r.decode = READ / decode_seconds(&code, o->repeat);
	/* Both halves of long words are decoded, and translated into threaded code. What else there is to prepare is
	 * the same for a program of a few instructions, and goes off. */
	r.launch = READ / (prepare_seconds(long_one, o->repeat) - prepare_seconds(short_one, o->repeat));
	wb_program_free(long_one);
	wb_program_free(short_one);
	wb_config_free(c);
	wb_text_free(&cubin);
	wb_text_free(&code);
	free(text.data);
	return r;
}

/* ---- memory ---- */

/* The library keeps pages for launches to come, which the C library does not count: launches hold them until a launch
 * takes memory of the C library, and some more for the last kept pieces. */
enum { HELD = 192, HELD_MORE = 16, NOTHING = 1 << 16 };

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
	struct wb_launch *held[HELD + HELD_MORE];
	unsigned n = 0;
	double one, sixteen;

	while (n < HELD && memory_of(p, 512) < NOTHING)
		held[n++] = prepare(p, "on", 512, 1, 0);
	for (unsigned i = 0; i < HELD_MORE; i++)
		held[n++] = prepare(p, "on", 512, 1, 0);
	one = memory_of(p, 32);
	sixteen = memory_of(p, 512);
	while (n)
		wb_launch_free(held[--n]);
	wb_program_free(p);
	return (sixteen - one) / 15;
}

/* ---- the whole ---- */

/* A run that does not end well ends the process. With a sanitizer's allocator the bytes of a warp are not known. */
static int check(struct options *o)
{
	o->repeat = 1;
	o->trips = 20;
	for (unsigned i = 0; i < 2 * ROWS; i++)
		measure(o, &rows[i / 2], i % 2 ? "on" : "off");
	measure_reading(o);
	bool less = memory_per_warp() < 0;
	printf("%d passed, %d failed\n", 2 * ROWS + 2 - less, less);
	return less ? WB_FAILED : WB_OK;
}

static int bench(const struct options *o)
{
	json_t *results = measure_classes(o);
	struct reading r = measure_reading(o);
	double memory = memory_per_warp();

	if (!o->json)
		printf("\nassembly to program: %.2f M instructions/s\ncubin (text) to program: %.2f M instructions/s\n"
		       "decoding: %.2f M instructions/s\npreparing for a launch, decoding and threaded code: %.2f M "
		       "instructions/s\nmemory of a warp: %.0f bytes\n",
		       r.assembly / 1e6, r.cubin / 1e6, r.decode / 1e6, r.launch / 1e6, memory);
	json_t *all = json_pack("{s:s, s:s, s:b, s:i, s:i, s:{s:f, s:f, s:f, s:f}, s:f, s:o}", "schema",
				"warpbeam.classes/3", "version", wb_version(), "release", bench_is_release(), "cpu",
				o->cpu, "repeat", (int)o->repeat, "instructions_read_per_second", "assembly",
				r.assembly, "cubin", r.cubin, "decode", r.decode, "launch", r.launch,
				"bytes_per_warp", memory, "results",
				results);
	if (o->json)
		json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	json_decref(all);
	return WB_OK;
}

static int help(int status)
{
	fputs("Usage: classes [--json] [--repeat N] [--trips N] [--check]\n"
	      "Instructions a second by class, how fast programs are read and decoded, and the memory of a warp.\n\n"
	      "  --repeat N  measured runs of each, 1 to 99 (7)\n"
	      "  --trips N   rounds of each loop, 1 to 10000000 (10000)\n"
	      "  --json      results as one JSON document\n"
	      "  --check     run each once; the last line is \"N passed, N failed\"\n", status ? stderr : stdout);
	return status;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' }, { "repeat", required_argument, NULL, 'r' },
		{ "trips", required_argument, NULL, 't' }, { "check", no_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 },
	};
	struct options o = { .repeat = 7, .trips = 10000 };
	int letter;

	while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (letter == 'h')
			return help(WB_OK);
		o.json |= letter == 'j';
		o.check |= letter == 'c';
		if (letter == '?' || (letter == 'r' && !bench_number(optarg, MAX_REPEATS, &o.repeat)) ||
		    (letter == 't' && !bench_number(optarg, 10000000, &o.trips)))
			return help(WB_USAGE);
	}
	if (o.check)
		return check(&o);
	if (!bench_means_something("classes"))
		return WB_ENV;
	o.cpu = bench_pin();
	return bench(&o);
}
