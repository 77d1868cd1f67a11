/* Speed of shaders on one thread of the host: vertices of made-up inputs through whole programs, and fragments of the
 * scenes in program texts, every statistic on, at each SIMD level. A lane instruction is a vertex's instruction on four
 * components, or a fragment's. */
#include <getopt.h>
#include <glob.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness.h"
#include "warpbeam.h"

enum { VERTICES = 1 << 13, LAUNCHES = 8, WORDS = 64 /* of a vertex */, MAX_REPEATS = 99 };

struct options {
	unsigned repeat;
	bool check;                     /* run once, print no numbers */
	uint32_t *in;
};

enum { LEVELS_MAX = 8 };

/* Of all files, by SIMD level. */
struct total {
	double lane_instructions[LEVELS_MAX], seconds[LEVELS_MAX];
};

struct result {
	double lane_instructions;
	struct bench_summary seconds;
};

static bool failed(const char *path, const struct wb_diag *d)
{
	fprintf(stderr, "shaders: %s: %s\n", path, d->text);
	return false;
}

/* The same numbers every time, between -4 and 4. */
static uint32_t *make_inputs(void)
{
	size_t n = (size_t)VERTICES * WORDS;
	uint32_t *in = malloc(n * sizeof *in), state = 1;

	for (size_t i = 0; in && i < n; i++) {
		state = state * 1664525 + 1013904223;
		float f = (float)(int)(state >> 16 & 0xff) / 32 - 4;
		memcpy(&in[i], &f, sizeof f);
	}
	return in;
}

static double thread_instructions(struct wb_launch *l)
{
	const struct wb_report *r = wb_launch_report(l);

	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, "thread_instructions"))
			return r->counters[i].value;
	return 0;
}

/* One launch; *seconds grows by its duration. The vertices stay in the host's cache, like those of a draw call. */
static bool run_once(const struct wb_program *p, const struct wb_config *c, const uint32_t *in, struct result *r,
		     double *seconds, struct wb_diag *d)
{
	const struct wb_kernel *only = wb_program_kernels(p) == 1 ? wb_program_kernel(p, 0) : NULL;
	bool fragments = only && only->mode && !strcmp(only->mode, "fp");       /* the text has the scene */
	struct wb_launch *l = NULL;
	bool ok = wb_launch_new(p, fragments ? NULL : "vertex", c, &l, d) == WB_OK &&
		  (fragments || wb_launch_vertices(l, in, VERTICES, d) == WB_OK) && wb_launch_prepare(l, d) == WB_OK;

	if (ok) {
		double start = bench_now(BENCH_CPU);
		ok = wb_launch_run(l, d) == WB_OK;
		*seconds += bench_now(BENCH_CPU) - start;
		r->lane_instructions += thread_instructions(l);
	}
	wb_launch_free(l);
	return ok;
}

static bool run_all(const struct wb_program *p, const struct wb_config *c, const uint32_t *in, struct result *r,
		    double *seconds, struct wb_diag *d)
{
	bool ok = true;

	*seconds = 0;
	r->lane_instructions = 0;
	for (int i = 0; ok && i < LAUNCHES; i++)
		ok = run_once(p, c, in, r, seconds, d);
	return ok;
}

static bool measure(const struct options *o, const struct wb_program *p, const char *level, struct result *r,
		    struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	double seconds[MAX_REPEATS];
	bool ok = wb_config_set(c, "timing", "off", d) == WB_OK && wb_config_set(c, "simd", level, d) == WB_OK &&
		  run_all(p, c, o->in, r, &seconds[0], d);

	for (unsigned i = 0; ok && !o->check && i < o->repeat; i++)
		ok = run_all(p, c, o->in, r, &seconds[i], d);
	if (ok)
		r->seconds = bench_summarize(seconds, o->check ? 1 : o->repeat);
	wb_config_free(c);
	return ok;
}

/* The file's name, or the folder's where all files have the same name. */
static const char *short_name(const char *path, char *text, size_t size)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path, *end = strchr(name, '.');

	if (!strcmp(name, "out.shbin")) {
		for (end = --name; name > path && name[-1] != '/'; name--)
			;
	}
	snprintf(text, size, "%.*s", end ? (int)(end - name) : 40, name);
	return text;
}

static bool bench_file(const struct options *o, const char *path, struct total *total)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	struct wb_diag d;
	const char *level;
	char name[48];
	bool ok = (!strstr(path, ".vsh") || (wb_config_set(c, "isa", "pica", &d) == WB_OK &&
					     wb_config_set(c, "format", "asm", &d) == WB_OK)) &&
		  wb_program_open(path, c, &p, &d) == WB_OK;

	if (ok && !o->check)
		printf("%-36s", short_name(path, name, sizeof name));
	for (unsigned i = 0; ok && i < LEVELS_MAX && (level = wb_simd_level(i)); i++) {
		struct result r = { 0 };
		ok = measure(o, p, level, &r, &d);
		if (ok && !o->check)
			printf(" %9.0f", r.lane_instructions / r.seconds.median / 1e6);
		total->lane_instructions[i] += r.lane_instructions;
		total->seconds[i] += r.seconds.median;
	}
	if (!o->check)
		putchar('\n');
	wb_program_free(p);
	wb_config_free(c);
	return ok || failed(path, &d);
}

static void print_total(const struct total *t)
{
	printf("%-36s", "all, instructions over seconds");
	for (unsigned i = 0; i < LEVELS_MAX && t->seconds[i] > 0; i++)
		printf(" %9.0f", t->lane_instructions[i] / t->seconds[i] / 1e6);
	putchar('\n');
}

static void print_head(int cpu)
{
	const char *level;

	if (cpu >= 0)
		printf("one thread, on processor %d, ", cpu);
	printf("processor time, %d vertices a launch, millions of lane instructions a second\n\n%-36s", VERTICES,
	       "shader");
	for (unsigned i = 0; (level = wb_simd_level(i)); i++)
		printf(" %9s", level);
	putchar('\n');
}

static int usage(int status)
{
	fputs("Usage: shaders [--repeat N] [--check] [FILE]...\n"
	      "Measure how many lane instructions a second shaders run at: files, or else those of bench/shaders and\n"
	      "of ../shared/corpus where that is there.\n\n"
	      "  --repeat N  measured runs of each (5)\n"
	      "  --check     run each once; the last line is \"N passed, N failed\"\n", status ? stderr : stdout);
	return status;
}

static bool read_options(struct options *o, int argc, char **argv)
{
	static const struct option known[] = {
		{ "repeat", required_argument, NULL, 'r' }, { "check", no_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 },
	};
	int letter;

	while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (letter == 'r')
			o->repeat = (unsigned)strtoul(optarg, NULL, 10);
		else if (letter == 'c')
			o->check = true;
		else
			exit(usage(letter == 'h' ? WB_OK : WB_USAGE));
	}
	return o->repeat >= 1 && o->repeat <= MAX_REPEATS;
}

int main(int argc, char **argv)
{
	struct options o = { .repeat = 5, .in = make_inputs() };
	struct total total = { 0 };
	glob_t files = { 0 };
	unsigned bad = 0;

	if (!read_options(&o, argc, argv) || !o.in)
		return usage(WB_USAGE);
	for (int i = optind; i < argc; i++)
		glob(argv[i], GLOB_NOCHECK | (i > optind ? GLOB_APPEND : 0), NULL, &files);
	if (optind == argc) {
		glob(WB_SOURCE_ROOT "/bench/shaders/*.s", 0, NULL, &files);
		glob(WB_SOURCE_ROOT "/bench/shaders/*.vsh", GLOB_APPEND, NULL, &files);
		glob(WB_SHARED_DIR "/corpus/pica/*/*/out.shbin", GLOB_APPEND, NULL, &files);
	}
	if (!o.check && !bench_means_something("shaders"))
		return WB_ENV;
	/* Launches use freed memory again, as in a program that draws again and again; else the kernel clears pages for
	 * each launch, which takes longer than the work on the pages. */
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	int cpu = bench_pin();
	if (!o.check)
		print_head(cpu);
	for (size_t i = 0; i < files.gl_pathc; i++)
		bad += !bench_file(&o, files.gl_pathv[i], &total);
	if (!o.check)
		print_total(&total);
	if (o.check)
		printf("%zu passed, %u failed\n", files.gl_pathc - bad, bad);
	globfree(&files);
	free(o.in);
	return bad ? WB_FAILED : WB_OK;
}
