/* Vertices of shaders: --in reads their inputs, --out writes what came of them. */
#include "frontends/cli/vertices.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/report.h"

/* Registers have four components; one that is not given is 0, the fourth 1. */
static void set_register(uint32_t *words, unsigned reg, const float *value, size_t n)
{
	for (unsigned k = 0; k < 4; k++) {
		float v = k < n ? value[k] : k == 3 ? 1 : 0;
		memcpy(&words[4 * reg + k], &v, 4);
	}
}

/* [{"v0": [x, y, z, w], …}, …] */
static bool read_object(const json_t *vertex, uint32_t *words, unsigned registers)
{
	const char *key;
	json_t *list;
	json_object_foreach((json_t *)vertex, key, list)
	{
		unsigned reg = (unsigned)atoi(key + 1);
		float value[4] = {0};
		if (*key != 'v' || reg >= registers || json_array_size(list) > 4)
			return false;
		for (size_t k = 0; k < json_array_size(list); k++)
			value[k] = (float)json_number_value(json_array_get(list, k));
		set_register(words, reg, value, json_array_size(list));
	}
	return json_is_object(vertex);
}

/* A line of numbers: four for v0, four for v1 and so on. */
static bool read_line(char *line, uint32_t *words, unsigned registers)
{
	unsigned n = 0;
	float value[4];
	for (char *end, *at = line; *at; at = end + (*end == ',')) {
		value[n % 4] = strtof(at, &end);
		if (end == at || (*end && *end != ',') || n / 4 >= registers)
			return false;
		set_register(words, n / 4, value, n % 4 + 1);
		n++;
	}
	return true;
}

struct input {
	const char *path;
	uint32_t *words;
	uint32_t n;
	unsigned each; /* words of a vertex */
};

static uint32_t *next_vertex(struct input *in)
{
	in->words = grow(in->words, (size_t)(in->n + 1) * in->each * sizeof *in->words);
	uint32_t *words = in->words + (size_t)in->n++ * in->each;
	memset(words, 0, in->each * sizeof *words);
	return words;
}

static enum wb_status read_json(struct input *in, const char *text, size_t n)
{
	json_error_t error;
	json_t *list = json_loadb(text, n, 0, &error), *vertex;
	enum wb_status status = WB_OK;
	size_t i;
	if (!json_is_array(list))
		status = complain(WB_INPUT, "%s:%d: %s", in->path, list ? 1 : error.line,
				  list ? "expected a list of vertices" : error.text);
	json_array_foreach(list, i, vertex)
	{
		if (status == WB_OK && !read_object(vertex, next_vertex(in), in->each / 4))
			status = complain(WB_INPUT, "%s: vertex %zu: expected {\"v0\": [x, y, z, w], …}", in->path, i);
	}
	json_decref(list);
	return status;
}

static enum wb_status read_csv(struct input *in, char *text)
{
	unsigned number = 0;
	for (char *line; (line = strsep(&text, "\r\n"));) {
		number++;
		if (!*line || *line == '#')
			continue;
		if (!read_line(line, next_vertex(in), in->each / 4))
			return complain(WB_INPUT,
					"%s:%u: expected numbers set apart by commas, four for each of v0 to v%u",
					in->path, number, in->each / 4 - 1);
	}
	return WB_OK;
}

enum wb_status vertices_read(struct wb_launch *l, const struct wb_file *file)
{
	struct input in = {.path = file->name, .each = wb_launch_in_words(l)};
	struct wb_diag d;
	if (!in.each)
		return complain(WB_USAGE, "option '--in' is for shaders; this program has no vertices");
	char *text = memcpy(grow(NULL, file->size + 1), file->bytes, file->size);
	text[file->size] = '\0';
	bool list = text[strspn(text, " \t\r\n")] == '[';
	enum wb_status status = list ? read_json(&in, text, file->size) : read_csv(&in, text);
	if (status == WB_OK && wb_launch_vertices(l, in.words, in.n, &d) != WB_OK)
		status = complain_diag(&d);
	free(in.words);
	free(text);
	return status;
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

enum wb_status vertices_write(struct wb_launch *l, const char *path)
{
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
