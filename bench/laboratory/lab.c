/* Costs by difference: a program runs with n copies of an instruction sequence and with 2n, and the difference divided
 * by n is free of what surrounds the copies. Programs are templates (bench/laboratory/template.h); those with @setup
 * and @body go into the common frame, bench/timing/frame.s, which reads $clock before and after. */
#include "bench/laboratory/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/gallery.h"
#include "frontends/cli/report.h"

enum { COPIES = 32 };

static const char *program_text(const char *name)
{
	for (const struct example *e = timing_programs; e->name; e++)
		if (!strcmp(e->name, name))
			return e->text;
	return NULL;
}

/* A file with @setup and @body sections goes into the frame; others stand alone. */
static char *fill(const char *text, const struct blank *given)
{
	const char *setup = strstr(text, "@setup\n"), *body = strstr(text, "@body\n");
	struct blank all[BLANKS + 3] = {{0}};
	unsigned n = 0;
	char *head = NULL, *result;
	for (; given[n].name; n++)
		all[n] = given[n];
	if (!setup || !body)
		return template_fill(text, all);
	setup += strlen("@setup\n");
	head = strndup(setup, (size_t)(body - setup));
	all[n++] = (struct blank){"setup", 0, head};
	all[n++] = (struct blank){"body", 0, body + strlen("@body\n")};
	result = head ? template_fill(program_text("frame"), all) : NULL;
	/* What stands above @setup, such as constants, goes first. */
	char *above = strndup(text, (size_t)(strstr(text, "@setup\n") - text)), *whole = NULL;
	char *filled = above ? template_fill(above, all) : NULL;
	if (filled && result && asprintf(&whole, "%s%s", filled, result) < 0)
		whole = NULL;
	free(filled);
	free(above);
	free(result);
	free(head);
	return whole;
}

static void give_up(struct lab *lab, const struct trial *t, const char *what)
{
	lab->failed = true;
	snprintf(lab->why, sizeof lab->why, "%.40s: %.340s", t->program, what);
}

static struct wb_config *configure(struct lab *lab, const struct trial *t)
{
	struct wb_config *c = wb_config_new();
	char number[16];
	struct wb_diag d;
	if (!c)
		return NULL;
	snprintf(number, sizeof number, "%u", t->threads);
	wb_config_set(c, "block", number, NULL);
	snprintf(number, sizeof number, "%u", t->blocks ? t->blocks : 1);
	wb_config_set(c, "grid", number, NULL);
	wb_config_set(c, "chip", lab->chip, NULL);
	if (lab->setting && wb_config_set(c, "timing-set", lab->setting, &d) != WB_OK)
		give_up(lab, t, d.text);
	for (int i = 0; i < 2 && t->option[i][0]; i++)
		if (wb_config_set(c, t->option[i][0], t->option[i][1], &d) != WB_OK)
			give_up(lab, t, d.text);
	return c;
}

static void collect(struct wb_launch *l, unsigned threads, struct result *out)
{
	const struct wb_report *r = wb_launch_report(l);
	out->cycles = report_counter(r, "cycles");
	out->instructions = report_counter(r, "instructions");
	out->threads = report_counter(r, "thread_instructions");
	out->warp_serialize = report_counter(r, "warp_serialize");
	out->stack_depth = report_counter(r, "stack_depth");
	out->lock_attempts = report_counter(r, "lock_attempts");
	out->loads[0] = report_counter(r, "gld_32b");
	out->loads[1] = report_counter(r, "gld_64b");
	out->loads[2] = report_counter(r, "gld_128b");
	out->load_bytes = report_counter(r, "dram_bytes");
	out->lane_slots = (double)r->bill.lane_slots;
	out->least_issues = INFINITY;
	for (unsigned i = 0; i < r->nwarps; i++) {
		out->least_issues = fmin(out->least_issues, (double)r->warps[i].issues);
		out->most_issues = fmax(out->most_issues, (double)r->warps[i].issues);
	}
	wb_launch_read_arg(l, 0, 0, out->words, sizeof out->words, NULL);
	for (unsigned w = 0; w < WARPS && w * 32 < threads; w++) {
		uint32_t clock[2] = {0};
		wb_launch_read_arg(l, 0, w * 32 * 8, clock, sizeof clock, NULL);
		out->clock[w][0] = 2.0 * clock[0]; /* $clock counts every second cycle */
		out->clock[w][1] = 2.0 * clock[1];
	}
}

struct result lab_run(struct lab *lab, const struct trial *t)
{
	struct result out = {.status = WB_INTERNAL};
	struct wb_program *p = NULL;
	struct wb_launch *l = NULL;
	struct wb_diag d = {.text = "no such program"};
	const char *text = program_text(t->program);
	char *filled = text ? fill(text, t->blank) : NULL;
	struct wb_config *c = configure(lab, t);
	if (filled && c && wb_program_load(filled, strlen(filled), t->program, c, &p, &d) == WB_OK &&
	    wb_launch_new(p, NULL, c, &l, &d) == WB_OK) {
		out.status = wb_launch_run(l, &d);
		collect(l, t->threads, &out);
	} else {
		give_up(lab, t, filled ? d.text : "the template does not fill");
	}
	wb_launch_free(l);
	wb_program_free(p);
	wb_config_free(c);
	free(filled);
	return out;
}

static struct result copies(struct lab *lab, struct trial t, long n)
{
	unsigned i = 0;
	while (t.blank[i].name)
		i++;
	t.blank[i] = (struct blank){"n", n, NULL};
	return lab_run(lab, &t);
}

double lab_latency(struct lab *lab, struct trial t)
{
	long n = t.copies ? t.copies : COPIES;
	struct result one = copies(lab, t, n), two = copies(lab, t, 2 * n);
	return (two.clock[0][1] - two.clock[0][0] - (one.clock[0][1] - one.clock[0][0])) / (double)n;
}

/* From the first warp's start to the last warp's end. */
static double span(const struct result *r, unsigned warps)
{
	double start = r->clock[0][0], stop = r->clock[0][1];
	for (unsigned w = 1; w < warps; w++) {
		start = fmin(start, r->clock[w][0]);
		stop = fmax(stop, r->clock[w][1]);
	}
	return stop - start;
}

double lab_throughput(struct lab *lab, struct trial t, unsigned warps)
{
	t.threads = 32 * warps;
	long n = t.copies ? t.copies : COPIES;
	struct result one = copies(lab, t, n), two = copies(lab, t, 2 * n);
	return (span(&two, warps) - span(&one, warps)) / (double)n / warps;
}

void lab_range(struct lab *lab, double x, double measured, double low, double high)
{
	if (lab->n == POINTS)
		return;
	lab->x[lab->n] = x;
	lab->measured[lab->n] = measured;
	lab->expected[lab->n] = isinf(high) ? low : (low + high) / 2;
	lab->within[lab->n] = true;
	lab->low[lab->n] = low;
	lab->high[lab->n++] = high;
}

void lab_point(struct lab *lab, double x, double measured, double expected, double tolerance)
{
	if (lab->n == POINTS)
		return;
	lab_range(lab, x, measured, expected - tolerance, expected + tolerance);
	lab->expected[lab->n - 1] = expected;
	lab->within[lab->n - 1] = false;
}
