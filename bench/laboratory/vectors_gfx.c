/* Vectors of graphics programs: a scene, a program that real compilers made for several chips, and the outputs. The
 * case lies in a folder beside prog/, with the words and the driver's knowledge of them (masks of inputs, places of
 * outputs), and tex/. A word that is not equal must be a float within the case's tolerance. */
#include "bench/laboratory/vectors.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gfx {
	struct tally *t;
	const char *chip;       /* as listings are named */
	json_t *file, *meta;
	const char *mode;
	double tolerance;
	char base[1024];        /* folder of prog/ and tex/ */
	struct wb_launch *launch;
	char why[500];
};

static const struct {
	const char *name, *chip;
} chips[] = {{"50", "g80"}, {"a0", "g200"}, {"a3", "gt215"}};

static float as_float(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, 4);
	return f;
}

static bool near(uint32_t got, uint32_t expected, double tolerance)
{
	double a = as_float(got), b = as_float(expected);
	if (got == expected || (isnan(a) && isnan(b)))
		return true;
	return fabs(a - b) <= tolerance * fmax(1, fmax(fabs(a), fabs(b)));
}

static uint32_t word(const json_t *v)
{
	return json_is_string(v) ? (uint32_t)strtoul(json_string_value(v), NULL, 16) : 0;
}

/* Compare a word, described by `what` and by the indices i, k and c unless −1. */
static bool same(struct gfx *g, const uint32_t *got, const json_t *expected, const char *what, size_t i, size_t k)
{
	uint32_t e = word(expected);
	if (got && near(*got, e, g->tolerance))
		return true;
	snprintf(g->why, sizeof g->why, "%s %zu word %zu: expected %08x (%g), got ", what, i, k, e,
		 (double)as_float(e));
	if (got)
		snprintf(g->why + strlen(g->why), sizeof g->why - strlen(g->why), "%08x (%g)", *got,
			 (double)as_float(*got));
	else
		strcat(g->why, "nothing");
	return false;
}

/* ---- outputs ---- */

/* Outputs lie packed: each has a first word and a mask. */
static bool outputs_match(struct gfx *g, const uint32_t *got, const json_t *outputs, const char *what, size_t i)
{
	const json_t *declared = json_object_get(g->meta, "out");
	for (size_t o = 0; o < json_array_size(outputs); o++) {
		const json_t *d = json_array_get(declared, o), *list = json_array_get(outputs, o);
		unsigned at = (unsigned)json_integer_value(json_object_get(d, "hw")),
			 mask = (unsigned)json_integer_value(json_object_get(d, "mask"));
		for (unsigned c = 0; c < 4; c++)
			if (mask >> c & 1) {
				bool there = got && at < wb_launch_out_words(g->launch);
				if (!same(g, there ? got + at : NULL, json_array_get(list, c), what, i, at))
					return false;
				at++;
			}
	}
	return true;
}

static bool vertices_match(struct gfx *g, const json_t *expected)
{
	for (size_t i = 0; i < json_array_size(expected); i++)
		if (!outputs_match(g, wb_launch_output(g->launch, (uint32_t)i), json_array_get(expected, i), "vertex",
				   i))
			return false;
	return true;
}

/* The strips emitted by a thread, one after another. */
static bool strips_match(struct gfx *g, size_t thread, const json_t *strips)
{
	uint32_t index = 0;
	bool ends = true;
	for (size_t s = 0; s < json_array_size(strips); s++) {
		const json_t *strip = json_array_get(strips, s);
		for (size_t v = 0; v < json_array_size(strip); v++) {
			const uint32_t *got = wb_launch_emitted(g->launch, (uint32_t)thread, index++, &ends);
			if (!outputs_match(g, got, json_array_get(strip, v), "primitive", thread))
				return false;
			if (ends == (v + 1 == json_array_size(strip)))
				continue;
			snprintf(g->why, sizeof g->why, "primitive %zu: strip %zu has not %zu vertices", thread, s,
				 json_array_size(strip));
			return false;
		}
	}
	if (!wb_launch_emitted(g->launch, (uint32_t)thread, index, &ends))
		return true;
	snprintf(g->why, sizeof g->why, "primitive %zu has emitted more than %u vertices", thread, index);
	return false;
}

static bool primitives_match(struct gfx *g, const json_t *expected)
{
	for (size_t i = 0; i < json_array_size(expected); i++)
		if (!strips_match(g, i, json_array_get(expected, i)))
			return false;
	return true;
}

static bool is_ambiguous(const json_t *list, size_t pixel)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if ((size_t)json_integer_value(json_array_get(list, i)) == pixel)
			return true;
	return false;
}

static bool pixels_match(struct gfx *g, const json_t *expect)
{
	const json_t *pixels = json_object_get(expect, "pixels"), *skip = json_object_get(expect, "ambiguous");
	uint32_t rect[4] = {0};
	wb_launch_rect(g->launch, rect);
	for (size_t i = 0; i < json_array_size(pixels); i++) {
		const json_t *e = json_array_get(pixels, i);
		const uint32_t *got = wb_launch_pixel(g->launch, rect[0] + (uint32_t)i % rect[2],
						      rect[1] + (uint32_t)i / rect[2]);
		if (is_ambiguous(skip, i))
			continue;
		if (json_is_null(e) != !got) {
			snprintf(g->why, sizeof g->why, "pixel %zu: expected %s", i, got ? "none" : "one, got none");
			return false;
		}
		for (size_t k = 0; k < json_array_size(e); k++)
			if (!same(g, k < wb_launch_out_words(g->launch) ? got + k : NULL, json_array_get(e, k), "pixel",
				  i, k))
				return false;
	}
	return true;
}

static bool matches(struct gfx *g)
{
	const json_t *expect = json_object_get(g->file, "expect");
	switch (*g->mode) {
	case 'v': return vertices_match(g, json_object_get(expect, "vertices"));
	case 'g': return primitives_match(g, json_object_get(expect, "primitives"));
	default: return pixels_match(g, expect);
	}
}

/* ---- inputs ---- */

/* The driver's knowledge of the inputs: the enabled components of a vertex. */
static void add_masks(const struct gfx *g, json_t *of_mode)
{
	json_t *attrs = json_object_get(g->meta, "vp_attrs"), *in = json_object_get(g->meta, "in"), *masks;
	unsigned builtin = word(json_array_get(attrs, 2));
	if (*g->mode == 'v') {
		json_object_set_new(of_mode, "attr_en", json_pack("[O, O]", json_array_get(attrs, 0),
								  json_array_get(attrs, 1)));
		json_object_set_new(of_mode, "vertex_id", json_boolean(builtin & 1));
		json_object_set_new(of_mode, "instance_id", json_boolean(builtin >> 4 & 1));
	} else if (*g->mode == 'g') {
		masks = json_array();
		for (size_t i = 0; i < json_array_size(in); i++) {
			char digit[12];
			snprintf(digit, sizeof digit, "%x",
				 (unsigned)json_integer_value(json_object_get(json_array_get(in, i), "mask")) & 15);
			json_array_append_new(masks, json_string(digit));
		}
		json_object_set_new(of_mode, "masks", masks);
	}
}

static char *scene_text(const struct gfx *g)
{
	static const char *const keys[] = {"const", "textures", "samplers", "tic", "tsc", "memory"};
	json_t *scene = json_pack("{s:s}", "schema", "warpbeam.scene/1"),
	       *of_mode = json_deep_copy(json_object_get(g->file, g->mode));
	char *text;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (json_object_get(g->file, keys[i]))
			json_object_set(scene, keys[i], json_object_get(g->file, keys[i]));
	add_masks(g, of_mode);
	json_object_set_new(scene, g->mode, of_mode);
	text = json_dumps(scene, JSON_COMPACT);
	json_decref(scene);
	return text ? text : (no_memory(), NULL);
}

static bool run_launch(struct gfx *g, const struct wb_config *config, const char *path)
{
	struct wb_program *program = NULL;
	struct wb_diag d = {0};
	char name[1100], *scene = scene_text(g);
	snprintf(name, sizeof name, "%s/scene", g->base);
	bool ran = wb_program_open(path, config, &program, &d) == WB_OK &&
		   wb_launch_new(program, NULL, config, &g->launch, &d) == WB_OK &&
		   wb_launch_scene(g->launch, scene, strlen(scene), name, &d) == WB_OK &&
		   wb_launch_run(g->launch, &d) == WB_OK;
	if (!ran)
		snprintf(g->why, sizeof g->why, "%s", d.text);
	ran = ran && matches(g);
	wb_launch_free(g->launch);
	wb_program_free(program);
	free(scene);
	return ran;
}

/* prog/results.txt marks listings for another chip. */
static bool is_unknown(const struct gfx *g, const char *program)
{
	char path[1100], line[200], *text;
	size_t n;
	struct wb_diag d;
	bool unknown;
	snprintf(path, sizeof path, "%s/prog/results.txt", g->base);
	if (!try_read_all(path, &text, &n, &d))
		return false;
	snprintf(line, sizeof line, " %.150s %s unknown=1", program, g->chip);
	unknown = strstr(text, line);
	free(text);
	return unknown;
}

static void run_chip(struct gfx *g, const char *chip)
{
	const char *program = json_string_value(json_object_get(g->file, "program")), *slash = strrchr(program, '/');
	struct wb_config *config = wb_config_copy(g->t->cli->config);
	struct wb_diag d = {0};
	char path[1400], *text;
	size_t n;
	snprintf(path, sizeof path, "%s/%.200s.%s.meta.json", g->base, program, g->chip);
	if (is_unknown(g, slash ? slash + 1 : program) || !try_read_all(path, &text, &n, &d)) {
		g->t->skipped++;
		wb_config_free(config);
		return;
	}
	g->meta = json_loadb(text, n, 0, NULL);
	free(text);
	wb_config_set(config, "format", "hex", &d);
	wb_config_set(config, "mode", g->mode, &d);
	wb_config_set(config, "chip", chip, &d);
	snprintf(path, sizeof path, "%s/%.200s.%s.hex", g->base, program, g->chip);
	if (run_launch(g, config, path))
		tally_pass(g->t, GATED);
	else
		tally_mismatch(g->t, GATED, 0, "%s: %s", chip, g->why);
	json_decref(g->meta);
	wb_config_free(config);
}

static bool recognise(const char *text, size_t n)
{
	return text[0] == '{' && memmem(text, n, "\"warpbeam.gfxcase/1\"", 20);
}

static enum wb_status run(struct tally *t, char *text, size_t n)
{
	json_error_t error;
	struct gfx g = {.t = t, .file = json_loadb(text, n, 0, &error)};
	const char *slash = strrchr(t->path, '/');
	g.mode = json_string_value(json_object_get(g.file, "mode"));
	g.tolerance = json_number_value(json_object_get(g.file, "tolerance"));
	snprintf(g.base, sizeof g.base, "%.*s..", slash ? (int)(slash - t->path + 1) : 0, t->path);
	bool good = g.mode && json_is_string(json_object_get(g.file, "program")) &&
		    json_is_object(json_object_get(g.file, g.mode)) && strlen(g.mode) == 2;
	for (size_t i = 0; good && i < sizeof chips / sizeof *chips; i++) {
		g.chip = chips[i].name;
		g.launch = NULL;
		run_chip(&g, chips[i].chip);
	}
	json_decref(g.file);
	return good ? WB_OK : complain(WB_INPUT, "%s: expected a case with \"mode\", \"program\" and a scene", t->path);
}

const struct vectors_format vectors_gfx = {"graphics programs", recognise, run};
