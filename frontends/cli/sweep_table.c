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

static void cell(FILE *f, const char *text, bool first)
{
	if (!first)
		fputc(',', f);
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, f);
		return;
	}
	fputc('"', f);
	for (; *text; text++)
		fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', f);
}

static void value_cell(FILE *f, const json_t *value)
{
	char *text = setting_text(value);
	cell(f, text, false);
	free(text);
}

static void csv_head(FILE *f, const json_t *names, const json_t *columns)
{
	static const char *const fixed[] = {"result", "exit", "message"};
	cell(f, "point", true);
	for (size_t i = 0; i < json_array_size(names); i++)
		cell(f, json_string_value(json_array_get(names, i)), false);
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		cell(f, fixed[i], false);
	for (size_t i = 0; i < json_array_size(columns); i++)
		cell(f, json_string_value(json_array_get(columns, i)), false);
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
	bool ok = fclose(f) == 0 && write_all(path, bytes, n);
	free(bytes);
	return ok ? WB_OK : WB_ENV;
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
	return json_out(json_pack("{s:s, s:s, s:O, s:o}", "schema", "warpbeam.sweep/1", "version", wb_version(), "plan",
				  s->plan->document, "points", rows),
			path);
}

enum wb_status table_write(const struct sweep *s, const char *path, bool json)
{
	return json ? write_json(s, path) : write_csv(s, path);
}
