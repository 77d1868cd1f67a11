/* Results of vertices, primitives and fragments: as JSON with words in hexadecimal, as raw words, as a picture. */
#include "frontends/cli/stage.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/report.h"
#include "frontends/cli/vertices.h"
#include "frontends/view/picture.h"

static float as_float(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, 4);
	return f;
}

/* ---- JSON ---- */

static json_t *words_json(const uint32_t *words, unsigned n)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < n; i++) {
		char text[9];
		snprintf(text, sizeof text, "%08x", words[i]);
		json_array_append_new(list, json_string(text));
	}
	return list;
}

static json_t *vertices_json(const struct wb_launch *l)
{
	json_t *list = json_array();
	const uint32_t *words;
	for (uint32_t i = 0; (words = wb_launch_output(l, i)); i++)
		json_array_append_new(list, words_json(words, wb_launch_out_words(l)));
	return list;
}

static json_t *strips_json(const struct wb_launch *l, uint32_t thread)
{
	json_t *strips = json_array(), *strip = NULL;
	const uint32_t *words;
	bool ends = true;
	for (uint32_t i = 0; (words = wb_launch_emitted(l, thread, i, &ends)); i++) {
		if (!strip)
			json_array_append_new(strips, strip = json_array());
		json_array_append_new(strip, words_json(words, wb_launch_out_words(l)));
		if (ends)
			strip = NULL;
	}
	return strips;
}

static json_t *pixels_json(const struct wb_launch *l, const uint32_t rect[4])
{
	json_t *list = json_array();
	for (uint32_t i = 0; i < rect[2] * rect[3]; i++) {
		const uint32_t *words = wb_launch_pixel(l, rect[0] + i % rect[2], rect[1] + i / rect[2]);
		json_array_append_new(list, words ? words_json(words, wb_launch_out_words(l)) : json_null());
	}
	return list;
}

static json_t *result_json(const struct wb_launch *l, enum wb_stage stage, uint32_t threads)
{
	json_t *o = json_pack("{s:s}", "schema", "warpbeam.stage/1"), *list;
	uint32_t rect[4];
	if (stage == WB_STAGE_VERTEX) {
		json_object_set_new(o, "vertices", vertices_json(l));
	} else if (stage == WB_STAGE_PRIMITIVE) {
		list = json_array();
		for (uint32_t t = 0; t < threads; t++)
			json_array_append_new(list, strips_json(l, t));
		json_object_set_new(o, "primitives", list);
	} else if (wb_launch_rect(l, rect)) {
		json_object_set_new(o, "rect", json_pack("[i, i, i, i]", (int)rect[0], (int)rect[1], (int)rect[2],
							 (int)rect[3]));
		json_object_set_new(o, "pixels", pixels_json(l, rect));
	}
	return o;
}

/* ---- words ---- */

struct words {
	uint32_t *word;
	size_t n, capacity;
};

/* NULL: zeros. */
static void put(struct words *w, const uint32_t *words, unsigned n)
{
	while (w->n + n > w->capacity)
		w->word = grow(w->word, 4 * (w->capacity = 2 * w->capacity + n + 64));
	if (n && words)
		memcpy(w->word + w->n, words, 4 * (size_t)n);
	else if (n)
		memset(w->word + w->n, 0, 4 * (size_t)n);
	w->n += n;
}

static enum wb_status write_raw(const struct wb_launch *l, uint32_t threads, const char *path)
{
	unsigned n = wb_launch_out_words(l);
	struct words w = {0};
	const uint32_t *words;
	uint32_t rect[4];
	bool ends;
	for (uint32_t t = 0; t < threads; t++) {
		if ((words = wb_launch_output(l, t)))
			put(&w, words, n);
		for (uint32_t i = 0; (words = wb_launch_emitted(l, t, i, &ends)); i++)
			put(&w, words, n);
	}
	if (wb_launch_rect(l, rect))
		for (uint32_t i = 0; i < rect[2] * rect[3]; i++)
			put(&w, wb_launch_pixel(l, rect[0] + i % rect[2], rect[1] + i / rect[2]), n);
	bool written = write_all(path, w.word, 4 * w.n);
	free(w.word);
	return written ? WB_OK : WB_ENV;
}

/* ---- a picture ---- */

static uint8_t unorm8(uint32_t word)
{
	float v = as_float(word);
	return v >= 1 ? 255 : v > 0 ? (uint8_t)lroundf(v * 255) : 0;
}

uint8_t *stage_pixels(const struct wb_launch *l, const uint32_t rect[4])
{
	unsigned n = wb_launch_out_words(l);
	uint8_t *rgba = grow(NULL, 4 * (size_t)rect[2] * rect[3]);
	for (uint32_t i = 0; i < rect[2] * rect[3]; i++) {
		const uint32_t *words = wb_launch_pixel(l, rect[0] + i % rect[2], rect[1] + i / rect[2]);
		for (unsigned k = 0; k < 4; k++)
			rgba[4 * (size_t)i + k] = words && k < n ? unorm8(words[k]) : 0;
	}
	return rgba;
}

static enum wb_status write_picture(const struct wb_launch *l, const char *path)
{
	struct wb_output *o;
	uint32_t rect[4];
	wb_launch_rect(l, rect);
	uint8_t *rgba = stage_pixels(l, rect);
	FILE *f = stream_open(path, &o);
	bool drawn = f && png_write_pixels(f, rgba, rect[2], rect[3]), written = f && stream_close(f, o, drawn);
	free(rgba);
	return written && drawn ? WB_OK : WB_ENV;
}

static bool ends_with(const char *path, const char *ending)
{
	size_t n = strlen(path), m = strlen(ending);
	return n > m && !strcmp(path + n - m, ending);
}

enum wb_status stage_ending(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	if (!dot || ends_with(path, ".json") || ends_with(path, ".csv") || ends_with(path, ".raw") ||
	    ends_with(path, ".png"))
		return WB_OK;
	return complain(WB_USAGE,
			"--out %s: expected a name that ends in .json or, of vertices, .csv, of a scene .raw, of "
			"fragments .png", path);
}

enum wb_status stage_fits(const struct wb_launch *l, const char *path)
{
	uint32_t rect[4], threads;
	bool scene = wb_launch_stage(l, &threads) != WB_STAGE_COMPUTE;
	const char *kinds = scene ? ".json or .raw" : ".json or .csv";
	if (ends_with(path, ".png") && !wb_launch_rect(l, rect))
		return complain(WB_USAGE, "--out %s: only fragments make a picture; expected %s", path, kinds);
	if (ends_with(path, scene ? ".csv" : ".raw"))
		return complain(WB_USAGE, "--out %s: expected %s", path, kinds);
	return WB_OK;
}

enum wb_status stage_write(struct wb_launch *l, const char *path)
{
	uint32_t threads;
	enum wb_stage stage = wb_launch_stage(l, &threads);
	if (stage == WB_STAGE_COMPUTE)
		return vertices_write(l, path, ends_with(path, ".csv"));
	if (ends_with(path, ".raw"))
		return write_raw(l, threads, path);
	if (ends_with(path, ".png"))
		return write_picture(l, path);
	return json_out(result_json(l, stage, threads), path);
}
