/* The table of a sweep, as CSV (RFC 4180) or JSON. Its columns: the point, the settings of the axes, how the run ended,
 * and what the plan asks for. */
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/report.h"
#include "frontends/cli/sweep.h"

/* The settings that the axes move, in their order; a new array of names. */
static json_t *moved(const struct plan *p)
{
	json_t *names = json_array(), *value;
	const char *name;
	for (size_t i = 0; i < p->naxes; i++) {
		json_object_foreach(json_array_get(p->axes[i].values, 0), name, value)
			json_array_append_new(names, json_string(name));
	}
	return names;
}

static void value_cell(FILE *f, const json_t *value)
{
	char *text = setting_text(value);
	csv_cell(f, text, false);
	free(text);
}

static void csv_head(FILE *f, const json_t *names, const json_t *columns)
{
	static const char *const fixed[] = {"result", "exit", "message"};
	csv_cell(f, "point", true);
	for (size_t i = 0; i < json_array_size(names); i++)
		csv_cell(f, json_string_value(json_array_get(names, i)), false);
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		csv_cell(f, fixed[i], false);
	for (size_t i = 0; i < json_array_size(columns); i++)
		csv_cell(f, json_string_value(json_array_get(columns, i)), false);
	fputc('\n', f);
}

static void csv_row(FILE *f, const json_t *names, const json_t *settings, const json_t *row)
{
	const json_t *values = json_object_get(row, "values");
	fprintf(f, "%" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(row, "point")));
	for (size_t i = 0; i < json_array_size(names); i++)
		value_cell(f, json_object_get(settings, json_string_value(json_array_get(names, i))));
	value_cell(f, json_object_get(row, "result"));
	value_cell(f, json_object_get(row, "exit"));
	value_cell(f, json_object_get(row, "message"));
	for (size_t i = 0; i < json_array_size(values); i++)
		value_cell(f, json_array_get(values, i));
	fputc('\n', f);
}

static enum wb_status write_csv(const struct sweep *s, const char *path)
{
	char *bytes = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&bytes, &n);
	if (!f)
		return complain(WB_ENV, "out of memory");
	json_t *names = moved(s->plan);
	csv_head(f, names, s->plan->columns);
	for (unsigned long i = 0; i < s->plan->points; i++) {
		json_t *settings = plan_point(s->plan, i);
		csv_row(f, names, settings, s->rows[i]);
		json_decref(settings);
	}
	json_decref(names);
	text_close(f, &bytes);
	bool ok = write_all(path, bytes, n);
	free(bytes);
	return ok ? WB_OK : WB_ENV;
}

/* ---- Which point is best ---- */

/* The points that ran to their end, by the number in a column of costs. */
struct ranking {
	const char *column; /* NULL: the table has none */
	unsigned long n, first_point, best;
	double first_cost, least, most;
};

/* The file of a point; NULL: the plan names none. The caller frees the text. */
static char *file_of(const struct sweep *s, unsigned long point)
{
	json_t *settings = plan_point(s->plan, point), *file = json_object_get(settings, "file");
	char *text = file ? setting_text(file) : NULL;
	json_decref(settings);
	return text;
}

static bool is_of(const struct sweep *s, unsigned long point, const char *file)
{
	char *own = file ? file_of(s, point) : NULL;
	bool is = !file || (own && !strcmp(own, file));
	free(own);
	return is;
}

static bool has_several_files(const struct sweep *s)
{
	char *first = s->plan->points ? file_of(s, 0) : NULL;
	bool several = false;
	for (unsigned long i = 1; first && !several && i < s->plan->points; i++)
		several = !is_of(s, i, first);
	free(first);
	return several;
}

/* Of the points of a file; NULL: of all. */
static struct ranking rank(const struct sweep *s, const char *file)
{
	static const char *const costs[] = {"cycles", "instructions"};
	struct ranking r = {.column = NULL};
	size_t at = 0, k;
	json_t *name;
	for (size_t i = 0; !r.column && i < sizeof costs / sizeof *costs; i++)
		json_array_foreach(s->plan->columns, k, name)
			if (!strcmp(json_string_value(name), costs[i]) && !r.column) {
				r.column = costs[i];
				at = k;
			}
	for (unsigned long i = 0; r.column && i < s->plan->points; i++) {
		const json_t *value = json_array_get(json_object_get(s->rows[i], "values"), at);
		double cost = json_number_value(value);
		bool ran = json_integer_value(json_object_get(s->rows[i], "exit")) == WB_OK;
		if (!ran || !json_is_number(value) || !is_of(s, i, file))
			continue;
		if (!r.n++) {
			r.first_point = i;
			r.first_cost = cost;
		}
		if (r.n == 1 || cost < r.least) {
			r.best = i;
			r.least = cost;
		}
		r.most = r.n == 1 || cost > r.most ? cost : r.most;
	}
	return r;
}

/* "policy=gto, block=64" */
static void print_settings(FILE *f, const struct sweep *s, unsigned long point)
{
	json_t *names = moved(s->plan), *settings = plan_point(s->plan, point), *name;
	size_t i;
	json_array_foreach(names, i, name) {
		char *text = setting_text(json_object_get(settings, json_string_value(name)));
		fprintf(f, "%s%s=%s", i ? ", " : "", shown(json_string_value(name)), shown(text));
		free(text);
	}
	json_decref(names);
	json_decref(settings);
}

/* The best point of a file; NULL: of all. */
static void verdict(const struct sweep *s, FILE *f, const char *file)
{
	struct ranking r = rank(s, file);
	char cost[32];
	if (r.n < 2)
		return;
	grouped(cost, (unsigned long long)r.least);
	if (r.least == r.most) {
		fprintf(f, "warpbeam: all %lu points%s%s take the same %s %s\n", r.n, file ? " of " : "",
			file ? shown(file) : "", cost, shown(r.column));
		return;
	}
	fprintf(f, "warpbeam: fewest %s: point %lu (", r.column, r.best);
	print_settings(f, s, r.best);
	fprintf(f, "), %s; ", cost);
	if (r.best == r.first_point)
		fprintf(f, "the worst takes %.2f times as many\n", r.least > 0 ? r.most / r.least : 0);
	else
		fprintf(f, "point %lu takes %.2f times as many\n", r.first_point, r.least > 0 ? r.first_cost / r.least :
		0);
}

/* Costs of different programs tell nothing about each other: a verdict for each file. */
void table_verdict(const struct sweep *s, FILE *f)
{
	bool several = has_several_files(s);
	if (!several)
		verdict(s, f, NULL);
	for (unsigned long i = 0; several && i < s->plan->points; i++) {
		char *file = file_of(s, i);
		bool seen = false;
		for (unsigned long k = 0; k < i && !seen; k++)
			seen = is_of(s, k, file);
		if (!seen)
			verdict(s, f, file);
		free(file);
	}
}

static json_t *best_json(const struct sweep *s)
{
	struct ranking r = rank(s, NULL);
	if (!r.n || has_several_files(s))
		return json_null();
	return json_pack("{s:s, s:I, s:f}", "column", r.column, "point", (json_int_t)r.best, "value", r.least);
}

static json_t *json_row(const struct sweep *s, const json_t *names, const json_t *row)
{
	json_int_t point = json_integer_value(json_object_get(row, "point"));
	json_t *settings = plan_point(s->plan, (unsigned long)point), *mine = json_object(), *values = json_object();
	for (size_t i = 0; i < json_array_size(names); i++) {
		const char *name = json_string_value(json_array_get(names, i));
		json_object_set(mine, name, json_object_get(settings, name));
	}
	for (size_t i = 0; i < json_array_size(s->plan->columns); i++)
		json_object_set(values, json_string_value(json_array_get(s->plan->columns, i)),
				json_array_get(json_object_get(row, "values"), i));
	json_decref(settings);
	return json_pack("{s:I, s:o, s:O, s:O, s:O, s:o}", "point", point, "settings", mine, "result",
			 json_object_get(row, "result"), "exit", json_object_get(row, "exit"), "message",
			 json_object_get(row, "message"), "values", values);
}

static enum wb_status write_json(const struct sweep *s, const char *path)
{
	json_t *rows = json_array(), *names = moved(s->plan);
	for (unsigned long i = 0; i < s->plan->points; i++)
		json_array_append_new(rows, json_row(s, names, s->rows[i]));
	json_decref(names);
	return json_out(json_pack("{s:s, s:s, s:O, s:o, s:o}", "schema", "warpbeam.sweep/1", "version", wb_version(),
				  "plan", s->plan->document, "best", best_json(s), "points", rows),
			path);
}

enum wb_status table_write(const struct sweep *s, const char *path, bool json)
{
	return json ? write_json(s, path) : write_csv(s, path);
}
