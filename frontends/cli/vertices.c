/* Vertices of shaders: --in reads inputs, --out writes outputs. */
#include "frontends/cli/vertices.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/report.h"

enum { VERTEX_TEXT = 1 << 14 };

static enum wb_status refused(struct wb_diag *d, enum wb_status status, const char *path, unsigned line,
			      const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* line 0: no line to name. */
static enum wb_status refused(struct wb_diag *d, enum wb_status status, const char *path, unsigned line,
			      const char *fmt, ...)
{
	va_list ap;
	*d = (struct wb_diag){.status = status, .line = (int)line, .offset = -1};
	snprintf(d->file, sizeof d->file, "%s", path);
	va_start(ap, fmt);
	vsnprintf(d->text, sizeof d->text, fmt, ap);
	va_end(ap);
	return status;
}

/* {"v0": [x, y, z, w], "normal": [x, y, z]} in the form of wb_launch_vertex. */
static bool object_text(const json_t *vertex, char *text, size_t size)
{
	const char *key;
	json_t *list, *v;
	size_t n = 0, i;
	*text = '\0';
	json_object_foreach((json_t *)vertex, key, list)
	{
		n += (size_t)snprintf(text + n, size - n, "%s%s=", n ? " " : "", key);
		if (!json_array_size(list) || n + 64 > size)
			return false;
		json_array_foreach(list, i, v)
		{
			if (!(json_is_number(v) || json_is_string(v)) || n + 64 > size)
				return false;
			if (json_is_string(v)) /* "nan", "inf" */
				n += (size_t)snprintf(text + n, size - n, "%s%.30s", i ? "," : "",
						      json_string_value(v));
			else
				n += (size_t)snprintf(text + n, size - n, "%s%.17g", i ? "," : "",
						      json_number_value(v));
		}
	}
	return n > 0;
}

static enum wb_status read_json(take_vertex *take, void *to, const char *path, const char *bytes, size_t n,
				struct wb_diag *d)
{
	json_error_t error;
	json_t *list = json_loadb(bytes, n, 0, &error), *vertex;
	enum wb_status status = WB_OK;
	struct wb_diag one;
	char text[VERTEX_TEXT];
	size_t i;
	if (!json_is_array(list))
		status = refused(d, WB_INPUT, path, list ? 1 : (unsigned)error.line, "%s",
				 list ? "expected a list of vertices" : error.text);
	json_array_foreach(list, i, vertex)
	{
		if (status != WB_OK)
			break;
		if (!object_text(vertex, text, sizeof text))
			status = refused(d, WB_INPUT, path, 0, "vertex %zu: expected {\"v0\": [x, y, z, w], …}", i);
		else if (take(to, text, &one) != WB_OK)
			status = refused(d, one.status, path, 0, "vertex %zu: %s", i, one.text);
	}
	json_decref(list);
	return status;
}

/* Length of "normal.x" without the component. */
static size_t register_name(const char *column)
{
	return strcspn(column, ".,");
}

/* A line of numbers under a line of names, in the form of wb_launch_vertex: columns of a register follow each other. */
static bool named_text(const char *names, const char *line, char *text, size_t size)
{
	const char *before = "";
	size_t n = 0;
	while (*names && *line) {
		size_t reg = register_name(names), value = strcspn(line, ",");
		bool same = reg == register_name(before) && !strncmp(names, before, reg);
		if (n + reg + value + 4 > size)
			return false;
		n += same ? (size_t)sprintf(text + n, ",") :
			    (size_t)sprintf(text + n, "%s%.*s=", n ? " " : "", (int)reg, names);
		n += (size_t)sprintf(text + n, "%.*s", (int)value, line);
		before = names;
		names += strcspn(names, ",");
		line += value;
		names += *names == ',';
		line += *line == ',';
	}
	return !*names && !*line;
}

/* The first column out of order, as numbers of a register follow each other from x on; NULL: none. Names without a
 * component stand for the next one. */
static const char *misplaced(const char *names, char *expected, size_t size)
{
	const char *before = "";
	for (unsigned k = 0; *names; before = names, names += strcspn(names, ","), names += *names == ',') {
		size_t reg = register_name(names), n = strcspn(names, ",");
		bool same = reg == register_name(before) && !strncmp(names, before, reg);
		k = same ? k + 1 : 0;
		char part = n == reg + 2 ? names[reg + 1] : '\0';
		if (k < 4 && (n == reg || (part && (part == "xyzw"[k] || part == "rgba"[k]))))
			continue;
		if (k < 4)
			snprintf(expected, size, "%.*s.%c", (int)(reg < 40 ? reg : 40), names, "xyzw"[k]);
		else
			snprintf(expected, size, "at most four columns of a register");
		return names;
	}
	return NULL;
}

static void trim(char *line)
{
	char *to = line;
	for (const char *from = line; *from; from++)
		if (*from != ' ' && *from != '\t')
			*to++ = *from;
	*to = '\0';
}

/* The first line may name the columns: v0.x,v0.y,v0.z,color.x, … */
static enum wb_status read_csv(take_vertex *take, void *to, const char *path, char *bytes, struct wb_diag *d)
{
	const char *names = NULL, *wrong;
	char text[VERTEX_TEXT], expected[48];
	unsigned number = 0, vertices = 0, heading = 0;
	for (char *line; (line = strsep(&bytes, "\n"));) {
		struct wb_diag one;
		number++;
		line[strcspn(line, "\r")] = '\0';
		trim(line);
		if (!*line || *line == '#')
			continue;
		if (!names && !vertices && strchr("abcdefghijklmnopqrstuvwxyz_", *line | 0x20))
			names = line, heading = number;
		else if (names && !vertices && (wrong = misplaced(names, expected, sizeof expected)))
			return refused(d, WB_INPUT, path, heading,
				       "found the column %.*s, expected %s: numbers of a register stand side by side, "
				       "from x on", (int)strcspn(wrong, ","), wrong, expected);
		else if (names && !named_text(names, line, text, sizeof text))
			return refused(d, WB_INPUT, path, number, "expected one number for each of the columns %.200s",
				       names);
		else if (take(to, names ? text : line, &one) != WB_OK)
			return refused(d, one.status, path,
				       names && strstr(one.text, "expected the name of an input") ? heading : number,
				       "%s", one.text);
		else
			vertices++;
	}
	return vertices ? WB_OK : refused(d, WB_INPUT, path, 0, "found %s, expected a line for each vertex",
					  names ? "names of columns and no vertices" : "no vertices");
}

enum wb_status vertices_each(const struct wb_file *file, take_vertex *take, void *to, struct wb_diag *d)
{
	char *text = memcpy(grow(NULL, file->size + 1), file->bytes, file->size);
	text[file->size] = '\0';
	bool list = text[strspn(text, " \t\r\n")] == '[';
	enum wb_status status = list ? read_json(take, to, file->name, text, file->size, d) :
				       read_csv(take, to, file->name, text, d);
	free(text);
	return status;
}

static enum wb_status add_vertex(void *launch, const char *text, struct wb_diag *d)
{
	return wb_launch_vertex(launch, text, d);
}

enum wb_status vertices_read(struct wb_launch *l, const struct wb_file *file, struct wb_diag *d)
{
	if (!wb_launch_in_words(l))
		return refused(d, WB_USAGE, file->name, 0,
			       "option '--in' is for shaders; this program has no vertices");
	return vertices_each(file, add_vertex, l, d);
}

static json_t *number_json(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, 4);
	return isnan(f) ? json_string("nan") : isinf(f) ? json_string(f > 0 ? "inf" : "-inf") : json_real(f);
}

static json_t *vertex_json(const struct wb_launch *l, const uint32_t *words)
{
	uint32_t mask = wb_launch_output_mask(l);
	json_t *o = json_object();
	for (unsigned reg = 0; reg < wb_launch_out_words(l) / 4; reg++) {
		char name[16];
		if (!(mask >> reg & 1))
			continue;
		json_t *list = json_array();
		for (unsigned k = 0; k < 4; k++)
			json_array_append_new(list, number_json(words[4 * reg + k]));
		snprintf(name, sizeof name, "o%u", reg);
		json_object_set_new(o, name, list);
	}
	return o;
}

/* ---- results as CSV ---- */

static void csv_heading(FILE *f, const struct wb_launch *l, const char *first)
{
	fputs(first, f);
	for (unsigned reg = 0, n = 0; reg < wb_launch_out_words(l) / 4; reg++)
		for (unsigned k = 0; k < 4 && wb_launch_output_mask(l) >> reg & 1; k++)
			fprintf(f, "%so%u.%c", n++ || *first ? "," : "", reg, "xyzw"[k]);
	fputc('\n', f);
}

/* A number has as many digits as bring the same binary32 back. */
static void csv_row(FILE *f, const struct wb_launch *l, const char *first, const uint32_t *words)
{
	fputs(first, f);
	for (unsigned i = 0, n = 0; i < wb_launch_out_words(l); i++) {
		float value;
		memcpy(&value, &words[i], 4);
		if (wb_launch_output_mask(l) >> i / 4 & 1)
			fprintf(f, "%s%.9g", n++ || *first ? "," : "", (double)value);
	}
	fputc('\n', f);
}

/* A line a vertex, or three a triangle, if there are triangles. */
static enum wb_status write_csv(struct wb_launch *l, const char *path)
{
	struct wb_output *o;
	FILE *f = stream_open(path, &o);
	const struct wb_primitive *p = wb_launch_primitive(l, 0);
	const uint32_t *words;
	if (!f)
		return WB_ENV;
	csv_heading(f, l, p ? "primitive,thread,winding" : "");
	for (uint32_t i = 0; !p && (words = wb_launch_output(l, i)); i++)
		csv_row(f, l, "", words);
	for (size_t i = 0; (p = wb_launch_primitive(l, i)); i++)
		for (unsigned v = 0; v < 3; v++) {
			char first[64];
			snprintf(first, sizeof first, "%zu,%u,%d", i, p->thread, p->winding);
			csv_row(f, l, first, p->vertices + v * wb_launch_out_words(l));
		}
	return stream_close(f, o, true) ? WB_OK : WB_ENV;
}

enum wb_status vertices_write(struct wb_launch *l, const char *path, bool csv)
{
	if (!wb_launch_output(l, 0))
		return complain(WB_USAGE,
				"option '--out' is for shaders that were given vertices, by --in or in their file");
	if (csv)
		return write_csv(l, path);
	json_t *vertices = json_array(), *primitives = json_array();
	const struct wb_primitive *p;
	const uint32_t *words;
	for (uint32_t i = 0; (words = wb_launch_output(l, i)); i++)
		json_array_append_new(vertices, vertex_json(l, words));
	for (size_t i = 0; (p = wb_launch_primitive(l, i)); i++) {
		json_t *three = json_array();
		for (unsigned v = 0; v < 3; v++)
			json_array_append_new(three, vertex_json(l, p->vertices + v * wb_launch_out_words(l)));
		json_array_append_new(primitives, json_pack("{s:i, s:b, s:o}", "thread", (int)p->thread, "winding",
							    (int)p->winding, "vertices", three));
	}
	return json_out(json_pack("{s:s, s:o, s:o}", "schema", "warpbeam.vertices/1", "vertices", vertices,
				  "primitives", primitives),
			path);
}
