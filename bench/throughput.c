/* Thread instructions a second of the interpreter, on one processor, statistics on.
 *
 * Each kernel is run once to warm up and to check the answer, then `--repeat` times against the clock; a launch is
 * prepared outside the measured time. The result is the report's thread_instructions by the median time. With --share
 * the result is also compared with the machine's ceiling, measured in the same run. */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ceiling.h"
#include "bench/harness.h"
#include "bench/kernels.h"
#include "warpbeam.h"

enum { MAX_SETTINGS = 32, MAX_REPEATS = 1000 };

struct options {
	unsigned div, repeat;
	const char *root;                       /* where examples/ and bench/ are */
	const char *timing[2];                  /* values of the option to run with */
	unsigned ntiming;
	const char *setting[MAX_SETTINGS];      /* NAME=VALUE for wb_config_set */
	unsigned nsettings;
	enum bench_clock clock;
	bool json, check, share;
	const char *beside;                     /* NAME=VALUE, to run with in turns; NULL: nothing */
	char threads[24];                       /* the text of --threads */
	/* With several threads: as many processors, if possible, each of which runs a single thread in turn; and the
	 * sum of their rates over the rate of one. */
	struct bench_processors processors;
	struct samples *together;
	struct top *top;                        /* with --share: the machine's ceilings; NULL without */
	char *const *only;                      /* names, NULL-terminated; none: all */
};

struct samples {
	double *v;
	size_t n;
};

/* The machine's ceiling: by threaded dispatch, for runs without timing, and by the round robin, for runs with timing. A
 * round of the loop goes before each round of a kernel, as the machine's speed changes from second to second under
 * other load. */
struct top {
	struct ceiling_loop *loop;
	struct samples rate;                    /* in warp instructions a second */
};
enum { TOP_THREADED, TOP_ROUND_ROBIN, TOPS };

/* A kernel under a timing. */
struct result {
	const struct kernel *kernel;
	const char *timing;
	double thread_instructions, instructions;
	struct bench_summary seconds;
	struct bench_summary beside, times;     /* with --beside: seconds of the other program, and times faster */
	double share;                           /* with --share: the median over the rounds */
};

static double add_sample(struct samples *s, double value)
{
	double *v = realloc(s->v, (s->n + 1) * sizeof *v);

	if (!v)
		abort();
	s->v = v;
	return v[s->n++] = value;
}

static double median_of(const struct samples *s)
{
	return s->n ? bench_summarize(s->v, s->n).median : 0;
}

static bool failed(const char *what, const struct wb_diag *d)
{
	fprintf(stderr, "throughput: %s: %s%s%s\n", what, d->file, *d->file ? ": " : "", d->text);
	return false;
}

static double counter(const struct wb_report *r, const char *name)
{
	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, name))
			return r->counters[i].value;
	return 0;
}

/* ---- a launch ---- */

static bool set(struct wb_config *c, const char *name, const char *value)
{
	struct wb_diag d;

	return wb_config_set(c, name, value, &d) == WB_OK || failed(name, &d);
}

static bool set_extent(struct wb_config *c, const char *name, const unsigned extent[2])
{
	char text[32];

	snprintf(text, sizeof text, "%u,%u", extent[0], extent[1]);
	return set(c, name, text);
}

/* NAME=VALUE, or NAME of a switch. */
static bool set_pair(struct wb_config *c, const char *pair)
{
	char name[64];
	const char *value = strchr(pair, '=');

	snprintf(name, sizeof name, "%.*s", (int)strcspn(pair, "="), pair);
	return set(c, name, value ? value + 1 : "on");
}

/* A configuration for a kernel, freed by the caller; NULL: an option was refused. more: a further setting, or NULL. */
static struct wb_config *configure(const struct options *o, const struct problem *p, const char *timing,
				   const char *more)
{
	struct wb_config *c = wb_config_new();
	bool ok = c && set(c, "livelock", "none") && set(c, "timing", timing) && set_extent(c, "grid", p->grid) &&
		  set_extent(c, "block", p->block) && set(c, "threads", "1");

	for (unsigned i = 0; ok && i < o->nsettings; i++)
		ok = set_pair(c, o->setting[i]);
	if (ok && (!more || set_pair(c, more)))
		return c;
	wb_config_free(c);
	return NULL;
}

static bool set_arguments(struct wb_launch *l, const struct problem *p, struct wb_diag *d)
{
	for (unsigned i = 0; i < p->nbuffers; i++) {
		char text[40];
		snprintf(text, sizeof text, "zero=%zu", p->buffer[i].words * 4);
		if (wb_launch_arg(l, text, d) != WB_OK ||
		    wb_launch_write_arg(l, i, 0, p->buffer[i].data, p->buffer[i].words * 4, d) != WB_OK)
			return false;
	}
	for (unsigned i = 0; i < p->nscalars; i++)
		if (wb_launch_arg(l, p->scalar[i], d) != WB_OK)
			return false;
	return true;
}

/* Run once. *seconds: duration of the run; `answer`: storage for the output, or NULL. */
static bool run_once(const struct options *o, const struct wb_program *program, const struct wb_config *c,
		     const struct problem *p, struct result *r, double *seconds, void *answer)
{
	struct wb_launch *l = NULL;
	struct wb_diag d;
	bool ok = wb_launch_new(program, NULL, c, &l, &d) == WB_OK && set_arguments(l, p, &d) &&
		  wb_launch_prepare(l, &d) == WB_OK;

	if (ok) {
		double start = bench_now(o->clock);
		ok = wb_launch_run(l, &d) == WB_OK;
		*seconds = bench_now(o->clock) - start;
	}
	if (ok) {
		r->thread_instructions = counter(wb_launch_report(l), "thread_instructions");
		r->instructions = counter(wb_launch_report(l), "instructions");
		ok = !answer ||
		     wb_launch_read_arg(l, p->out, 0, answer, p->buffer[p->out].words * 4, &d) == WB_OK;
	}
	wb_launch_free(l);
	return ok || failed(r->kernel->name, &d);
}

/* ---- measuring ---- */

static bool check_answer(const struct options *o, const struct wb_program *program, const struct wb_config *c,
			 const struct problem *p, struct result *r)
{
	void *answer = calloc(p->buffer[p->out].words, 4);
	double seconds;
	bool ok = answer && run_once(o, program, c, p, r, &seconds, answer);

	if (ok && !r->kernel->right(p, answer)) {
		fprintf(stderr, "throughput: %s: the answer is wrong (timing %s, div %u)\n", r->kernel->name, r->timing,
			o->div);
		ok = false;
	}
	free(answer);
	return ok;
}

static unsigned level_in_force(const struct options *o)
{
	unsigned level = ceiling_levels() - 1;

	for (unsigned i = 0; i < o->nsettings; i++)
		for (unsigned k = 0; !strncmp(o->setting[i], "simd=", 5) && k < ceiling_levels(); k++)
			if (!strcmp(o->setting[i] + 5, ceiling_level(k)))
				level = k;
	return level;
}

/* As run_once without an answer. Beside several threads, a single thread runs on each of their processors in turn:
 * processors may differ, by other load if not by themselves, and at the mean of their rates one thread is as fast as
 * one of several without loss. */
static bool run_alone(const struct options *o, const struct wb_program *program, const struct wb_config *c,
		      const struct problem *p, struct result *r, double *seconds)
{
	const struct bench_processors *all = &o->processors;
	double rates = 0;
	bool ok = true;

	if (!all->n)
		return run_once(o, program, c, p, r, seconds, NULL);
	for (unsigned i = 0; i < all->n && ok; i++) {
		bench_stay(all, i);
		ok = run_once(o, program, c, p, r, seconds, NULL);
		rates += ok ? 1 / *seconds : 0;
	}
	bench_roam(all);
	*seconds = all->n / rates;
	return ok;
}

static struct top *top_of(const struct options *o, const struct result *r)
{
	return o->top ? &o->top[strcmp(r->timing, "off") ? TOP_ROUND_ROBIN : TOP_THREADED] : NULL;
}

/* The share of the ceiling `top` (warp instructions a second): of lane operations, or of issues, in `seconds`. */
static double share_of(const struct result *r, double seconds, double top)
{
	double done = strcmp(r->timing, "off") ? r->instructions : r->thread_instructions / CEILING_LANES;

	return done / seconds / top;
}

/* Both programs take turns, so that other load hits both. other: may be NULL. */
static bool measure_with(const struct options *o, const struct wb_program *program, const struct problem *p,
			 struct result *r, const struct wb_config *one, const struct wb_config *other)
{
	double seconds[MAX_REPEATS], beside[MAX_REPEATS], times[MAX_REPEATS], shares[MAX_REPEATS];
	struct top *top = top_of(o, r);
	bool ok = (!other || check_answer(o, program, other, p, r)) && check_answer(o, program, one, p, r);

	if (!ok || o->check)
		return ok;
	for (unsigned i = 0; ok && i < o->repeat; i++) {
		double rate = top ? add_sample(&top->rate, ceiling_rate(top->loop, o->clock)) : 0;
		if (o->processors.n)
			add_sample(o->together,
				   ceiling_together(level_in_force(o), CEILING_ROUND_ROBIN, &o->processors));
		ok = run_alone(o, program, one, p, r, &seconds[i]) &&
		     (!other || run_once(o, program, other, p, r, &beside[i], NULL));
		times[i] = ok && other ? seconds[i] / beside[i] : 0;
		shares[i] = ok && top ? share_of(r, seconds[i], rate) : 0;
	}
	if (ok) {
		r->share = bench_summarize(shares, o->repeat).median;
		r->seconds = bench_summarize(seconds, o->repeat);
	}
	if (ok && other) {
		r->beside = bench_summarize(beside, o->repeat);
		r->times = bench_summarize(times, o->repeat);
	}
	return ok;
}

static bool measure(const struct options *o, const struct wb_program *program, const struct problem *p,
		    struct result *r)
{
	struct wb_config *one = configure(o, p, r->timing, NULL);
	struct wb_config *other = one && o->beside ? configure(o, p, r->timing, o->beside) : NULL;
	bool ok = one && (other || !o->beside) && measure_with(o, program, p, r, one, other);

	wb_config_free(one);
	wb_config_free(other);
	return ok;
}

static struct wb_program *open_kernel(const struct options *o, const struct kernel *k)
{
	struct wb_program *program = NULL;
	struct wb_diag d;
	char path[4096];

	snprintf(path, sizeof path, "%s/%s", o->root, k->file);
	if (wb_program_open(path, NULL, &program, &d) != WB_OK)
		failed(path, &d);
	return program;
}

/* ---- the ceiling ---- */

static void open_tops(struct options *o, struct top tops[TOPS])
{
	unsigned level = level_in_force(o);

	tops[TOP_THREADED].loop = ceiling_open(level, CEILING_THREADED, 1);
	tops[TOP_ROUND_ROBIN].loop = ceiling_open(level, CEILING_ROUND_ROBIN, 1);
	o->top = tops;
}

static void close_tops(struct top tops[TOPS])
{
	for (unsigned i = 0; i < TOPS; i++) {
		ceiling_close(tops[i].loop);
		free(tops[i].rate.v);
	}
}

/* ---- reporting ---- */

static void print_line(const struct options *o, const struct result *r)
{
	const struct bench_summary *s = &r->seconds;

	if (o->check || o->json)
		return;
	printf("%-12s %-6s %10.1f  %8.1f  %9.4f  %4.1f %%  %12.0f", r->kernel->name, r->timing,
	       r->thread_instructions / s->median / 1e6, r->instructions / s->median / 1e6, s->median,
	       100 * s->mad / s->median, r->thread_instructions);
	if (o->share)
		printf("  %5.1f %%", 100 * r->share);
	if (o->beside)
		printf("  %9.4f  %6.3f  %6.3f", r->beside.median, r->times.median, r->times.mad);
	putchar('\n');
	fflush(stdout);
}

static json_t *to_json(const struct options *o, const struct result *r)
{
	const struct bench_summary *s = &r->seconds;
	json_t *all = json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "kernel", r->kernel->name, "timing",
				r->timing, "thread_instructions", r->thread_instructions, "instructions",
				r->instructions, "seconds_median", s->median, "seconds_mad", s->mad, "seconds_min",
				s->min, "thread_instructions_per_second", r->thread_instructions / s->median);

	if (o->share)
		json_object_set_new(all, "share_of_ceiling", json_real(r->share));
	if (o->beside)
		json_object_set_new(all, "beside", json_pack("{s:s, s:f, s:f, s:f}", "option", o->beside,
				    "seconds_median", r->beside.median, "seconds_min", r->beside.min,
				    "times_faster", r->times.median));
	return all;
}

static const char *clock_name(const struct options *o)
{
	return o->clock == BENCH_CPU ? "processor" : "wall";
}

static void print_json(const struct options *o, int cpu, json_t *results)
{
	json_t *all = json_pack("{s:s, s:s, s:b, s:s, s:i, s:i, s:i, s:o}", "schema", "warpbeam.throughput/1",
				"version", wb_version(), "release", bench_is_release(), "clock", clock_name(o),
				"cpu", cpu, "div", (int)o->div, "repeat", (int)o->repeat, "results", results);

	if (o->processors.n)
		json_object_set_new(all, "processors_together", json_real(median_of(o->together)));
	if (o->share)
		json_object_set_new(all, "ceiling",
				    json_pack("{s:f, s:f}", "lane_operations_per_second",
					      CEILING_LANES * median_of(&o->top[TOP_THREADED].rate),
					      "instructions_per_second", median_of(&o->top[TOP_ROUND_ROBIN].rate)));
	json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(all);
}

/* The measured ceiling, for the requested timings. */
static void print_foot(const struct options *o)
{
	if (o->check || o->json)
		return;
	if (o->processors.n)
		printf("\nloops of the ceiling on %u processors at once: %.2f times as much as on one\n",
		       o->processors.n, median_of(o->together));
	if (!o->share)
		return;
	printf("\nthe ceiling with %s:", ceiling_level(level_in_force(o)));
	if (o->top[TOP_THREADED].rate.n)
		printf(" threaded %.2f G lane operations/s",
		       CEILING_LANES * median_of(&o->top[TOP_THREADED].rate) / 1e9);
	if (o->top[TOP_THREADED].rate.n && o->top[TOP_ROUND_ROBIN].rate.n)
		putchar(',');
	if (o->top[TOP_ROUND_ROBIN].rate.n)
		printf(" round robin %.1f M warp instructions/s", median_of(&o->top[TOP_ROUND_ROBIN].rate) / 1e6);
	putchar('\n');
}

static void print_head(const struct options *o, int cpu)
{
	if (o->check || o->json)
		return;
	if (cpu >= 0)
		printf("one thread, on processor %d, ", cpu);
	if (o->beside)
		printf("in turns with %s, ", o->beside);
	printf("%s time, problem size 1/%u, median of %u runs\n\n", clock_name(o), o->div, o->repeat);
	printf("%-12s %-6s %10s  %8s  %9s  %6s  %12s%s", "kernel", "timing", "M thread/s", "M warp/s", "seconds",
	       "MAD", "thread insns", o->share ? "    share" : "");
	if (o->beside)
		printf("  %9s   times     MAD", o->beside);
	putchar('\n');
}

/* ---- options ---- */

static const struct option long_options[] = {
	{ "div", required_argument, NULL, 'd' },   { "repeat", required_argument, NULL, 'r' },
	{ "timing", required_argument, NULL, 't' }, { "set", required_argument, NULL, 's' },
	{ "root", required_argument, NULL, 'R' },  { "wall", no_argument, NULL, 'w' },
	{ "json", no_argument, NULL, 'j' },        { "check", no_argument, NULL, 'c' },
	{ "share", no_argument, NULL, 'S' },       { "threads", required_argument, NULL, 'T' },
	{ "beside", required_argument, NULL, 'b' }, { "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int help(int status)
{
	FILE *f = status ? stderr : stdout;

	fputs("Usage: throughput [OPTION]... [KERNEL]...\n"
	      "Measure how many thread instructions a second the interpreter does.\n\n"
	      "  --div N             divide the problems by N (16)\n"
	      "  --repeat N          measured runs of each (7)\n"
	      "  --timing on|off|both  run option (both)\n"
	      "  --set NAME=VALUE    any other run option, as on warpbeam's command line\n"
	      "  --share             each figure also as a share of the machine's ceiling (bench/limit)\n"
	      "  --beside NAME=VALUE  also with this run option, in turns, and how many times faster\n"
	      "  --threads N         the same with N host threads, by the wall clock, beside one\n"
	      "                      thread on each of as many processors in turn\n"
	      "  --wall              wall clock instead of processor time\n"
	      "  --json              results as one JSON document\n"
	      "  --check             only check the answers; the last line is \"N passed, N failed\"\n"
	      "  --root DIR          the project's sources, for the kernels\n\nKernels:",
	      f);
	for (const struct kernel *k = kernels; k->name; k++)
		fprintf(f, " %s", k->name);
	fputc('\n', f);
	return status;
}

static bool parse_number(const char *text, unsigned max, unsigned *out)
{
	char *end;
	unsigned long v = strtoul(text, &end, 10);

	if (end == text || *end || !v || v > max) {
		fprintf(stderr, "throughput: found '%s', expected a number from 1 to %u\n", text, max);
		return false;
	}
	*out = (unsigned)v;
	return true;
}

static bool parse_timing(struct options *o, const char *text)
{
	if (!strcmp(text, "both"))
		return true;
	o->timing[0] = text;
	o->ntiming = 1;
	return true;
}

/* Several threads are not pinned to one processor. */
static bool parse_threads(struct options *o, const char *text)
{
	unsigned n = 0;
	bool ok = parse_number(text, 1024, &n);

	snprintf(o->threads, sizeof o->threads, "threads=%u", n);
	o->beside = o->threads;
	o->processors = bench_processors(n);
	o->clock = BENCH_WALL;
	return ok;
}

static bool parse_option(struct options *o, int letter)
{
	switch (letter) {
	case 'd': return parse_number(optarg, 1 << 16, &o->div);
	case 'r': return parse_number(optarg, MAX_REPEATS, &o->repeat);
	case 't': return parse_timing(o, optarg);
	case 'R': o->root = optarg; return true;
	case 'w': o->clock = BENCH_WALL; return true;
	case 'j': o->json = true; return true;
	case 'c': o->check = true; return true;
	case 'S': o->share = true; return true;
	case 'b': o->beside = optarg; return true;
	case 'T': return parse_threads(o, optarg);
	case 's':
		if (o->nsettings == MAX_SETTINGS)
			return false;
		o->setting[o->nsettings++] = optarg;
		return true;
	default: return false;
	}
}

static const struct kernel *find_kernel(const char *name)
{
	for (const struct kernel *k = kernels; k->name; k++)
		if (!strcmp(k->name, name))
			return k;
	return NULL;
}

static bool known_names(char *const *names)
{
	for (; *names; names++)
		if (!find_kernel(*names)) {
			fprintf(stderr, "throughput: there is no kernel '%s'\n", *names);
			return false;
		}
	return true;
}

static bool chosen(const struct options *o, const struct kernel *k)
{
	for (char *const *name = o->only; *name; name++)
		if (!strcmp(*name, k->name))
			return true;
	return !*o->only;
}

/* A kernel under every timing; returns the number of failures. */
static unsigned bench_kernel(const struct options *o, const struct kernel *k, json_t *results)
{
	struct problem p = { 0 };
	struct wb_program *program = open_kernel(o, k);
	unsigned bad = 0;

	if (!program || !k->setup(&p, o->div)) {
		bad = o->ntiming;
	} else {
		for (unsigned t = 0; t < o->ntiming; t++) {
			struct result r = { .kernel = k, .timing = o->timing[t] };
			if (!measure(o, program, &p, &r)) {
				bad++;
				continue;
			}
			print_line(o, &r);
			if (!o->check)
				json_array_append_new(results, to_json(o, &r));
		}
	}
	problem_free(&p);
	wb_program_free(program);
	return bad;
}

int main(int argc, char **argv)
{
	struct options o = { .div = 16, .repeat = 7, .root = WB_SOURCE_ROOT, .timing = { "off", "on" }, .ntiming = 2 };
	unsigned run = 0, bad = 0;
	int letter;

	while ((letter = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (letter == 'h')
			return help(WB_OK);
		if (!parse_option(&o, letter))
			return help(WB_USAGE);
	}
	o.only = argv + optind;
	if (!known_names(o.only))
		return WB_USAGE;
	if (!o.check && !bench_means_something("throughput"))
		return WB_ENV;
	int cpu = *o.threads ? -1 : bench_pin();
	struct samples together = { NULL, 0 };
	o.together = &together;
	json_t *results = json_array();
	struct top tops[TOPS] = { { .loop = NULL } };
	if (o.share && !o.check)
		open_tops(&o, tops);
	print_head(&o, cpu);
	for (const struct kernel *k = kernels; k->name; k++) {
		if (!chosen(&o, k))
			continue;
		bad += bench_kernel(&o, k, results);
		run += o.ntiming;
	}
	if (o.json)
		print_json(&o, cpu, results);
	else
		json_decref(results);
	print_foot(&o);
	close_tops(tops);
	free(together.v);
	if (o.check)
		printf("%u passed, %u failed\n", run - bad, bad);
	return bad ? WB_FAILED : WB_OK;
}
