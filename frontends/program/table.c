/* The table of launches: rows by kernel and size, since programs launch a few kernels thousands of times. */
#include "frontends/program/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_of(const struct table_row *r, const struct table_launch *l)
{
	return !strcmp(r->kernel, l->kernel) && !memcmp(r->grid, l->grid, sizeof r->grid) &&
	       !memcmp(r->block, l->block, sizeof r->block);
}

static bool grow(struct table *t)
{
	size_t space = t->space ? 2 * t->space : 16;
	struct table_row *more = realloc(t->row, space * sizeof *more);

	if (!more)
		return false;
	t->row = more;
	t->space = space;
	return true;
}

/* The row of a launch, a new row for the first of its kind. NULL: no memory. */
static struct table_row *row_of(struct table *t, const struct table_launch *l)
{
	for (size_t i = t->n; i--;)     /* the latest rows are the likeliest */
		if (is_of(&t->row[i], l))
			return &t->row[i];
	if (t->n == t->space && !grow(t))
		return NULL;
	struct table_row *r = &t->row[t->n];
	*r = (struct table_row){ .kernel = strdup(l->kernel) };
	if (!r->kernel)
		return NULL;
	memcpy(r->grid, l->grid, sizeof r->grid);
	memcpy(r->block, l->block, sizeof r->block);
	t->n++;
	return r;
}

void table_sum(struct table_numbers *to, const struct table_numbers *from)
{
	to->nanoseconds += from->nanoseconds;
	to->instructions += from->instructions;
	to->lane_slots += from->lane_slots;
	to->useful += from->useful;
	to->findings += from->findings;
}

bool table_add(struct table *t, const struct table_launch *l)
{
	struct table_row *r = row_of(t, l);

	if (!r)
		return false;
	r->launches++;
	r->bad += !l->good;
	table_sum(&r->sum, &l->numbers);
	return true;
}

bool table_join(struct table *t, const struct table_row *row)
{
	struct table_launch l = { .kernel = row->kernel };
	struct table_row *r;

	memcpy(l.grid, row->grid, sizeof l.grid);
	memcpy(l.block, row->block, sizeof l.block);
	if (!(r = row_of(t, &l)))
		return false;
	r->launches += row->launches;
	r->bad += row->bad;
	table_sum(&r->sum, &row->sum);
	return true;
}

static void print_size(char text[40], const uint32_t size[3])
{
	int n = snprintf(text, 40, "%u", size[0]);

	if (size[1] > 1 || size[2] > 1)
		n += snprintf(text + n, 40 - (size_t)n, "x%u", size[1] ? size[1] : 1);
	if (size[2] > 1)
		snprintf(text + n, 40 - (size_t)n, "x%u", size[2]);
}

/* A time with three digits and its unit. */
static void print_time(char text[40], uint64_t ns)
{
	static const struct { const char *unit; double ns; } units[] = { { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 } };

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if ((double)ns >= units[i].ns) {
			double n = (double)ns / units[i].ns;
			snprintf(text, 40, "%.*f %s", n < 9.995 ? 2 : n < 99.95 ? 1 : 0, n, units[i].unit);
			return;
		}
	snprintf(text, 40, "%" PRIu64 " ns", ns);
}

static void print_row(FILE *f, const struct table_row *r, int width, const char *grid, const char *block)
{
	char time[40], useful[40] = "";

	print_time(time, r->sum.nanoseconds);
	if (r->sum.lane_slots)
		snprintf(useful, sizeof useful, "%.1f %%",
			 100 * (double)r->sum.useful / (double)r->sum.lane_slots);
	fprintf(f, "  %-*s %12s %12s %9" PRIu64 " %9s %14" PRIu64 " %8s", width, r->kernel, grid, block, r->launches,
		time, r->sum.instructions, useful);
	if (r->sum.findings)
		fprintf(f, "  %" PRIu64 " finding%s", r->sum.findings, r->sum.findings == 1 ? "" : "s");
	if (r->bad)
		fprintf(f, "  %" PRIu64 " failed", r->bad);
	fputc('\n', f);
}

void table_print(const struct table *t, FILE *f)
{
	enum { SHOWN = 40, NARROWEST = 12, WIDEST = 36 };
	struct table_row all = { .kernel = (char[]){ "all" } };
	int width = NARROWEST;

	for (size_t i = 0; i < t->n; i++) {
		int n = (int)strlen(t->row[i].kernel);
		width = n > width ? n < WIDEST ? n : WIDEST : width;
		all.launches += t->row[i].launches;
		all.bad += t->row[i].bad;
		table_sum(&all.sum, &t->row[i].sum);
	}
	if (!t->n)
		return;
	fprintf(f, "  %-*s %12s %12s %9s %9s %14s %8s\n", width, "kernel", "grid", "block", "launches", "time",
		"instructions", "useful");
	for (size_t i = 0; i < t->n && i < SHOWN; i++) {
		char grid[40], block[40];
		print_size(grid, t->row[i].grid);
		print_size(block, t->row[i].block);
		print_row(f, &t->row[i], width, grid, block);
	}
	if (t->n > SHOWN)
		fprintf(f, "  and %zu more kernels and sizes\n", t->n - SHOWN);
	if (t->n > 1)
		print_row(f, &all, width, "", "");
}

void table_free(struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->row[i].kernel);
	free(t->row);
	*t = (struct table){ 0 };
}
