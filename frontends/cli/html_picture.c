/* The picture of a fragment program in a page, or of another launch the map of its threads' costs. A click on a pixel
 * shows the lane of the pixel, and the issues of the lane's warp: JSON in the page has both for the page's script. */
#include "frontends/cli/html.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/stage.h"
#include "frontends/view/picture.h"

/* About 20 bytes an issue and 15 a pixel: pages for mail stay below some megabytes. */
enum { MOST_PIXELS = 1 << 16, MOST_ISSUES = 1 << 17 };

static char *base64(const unsigned char *p, size_t n)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *text = grow(NULL, (n + 2) / 3 * 4 + 1), *to = text;
	for (size_t i = 0; i < n; i += 3) {
		unsigned have = n - i < 3 ? (unsigned)(n - i) : 3;
		uint32_t word = 0;
		for (unsigned k = 0; k < have; k++)
			word |= (uint32_t)p[i + k] << (16 - 8 * k);
		for (unsigned k = 0; k < 4; k++)
			*to++ = (char)(k <= have ? digit[word >> (18 - 6 * k) & 63] : '=');
	}
	*to = '\0';
	return text;
}

static char *png_of(const uint8_t *rgba, const uint32_t rect[4])
{
	char *bytes, *text = NULL;
	size_t size;
	FILE *f = open_memstream(&bytes, &size);
	if (!f)
		no_memory();
	bool drawn = png_write_pixels(f, rgba, rect[2], rect[3]);
	text_close(f, &bytes);
	if (drawn)
		text = base64((const unsigned char *)bytes, size);
	free(bytes);
	return text;
}

/* ---- history ---- */

/* The index of a key in a table of texts, which grows by new keys. */
static json_int_t index_of(json_t *index, json_t *list, const char *key, json_t *value)
{
	const json_t *known = json_object_get(index, key);
	if (known) {
		json_decref(value);
		return json_integer_value(known);
	}
	json_object_set_new(index, key, json_integer((json_int_t)json_array_size(list)));
	json_array_append_new(list, value);
	return (json_int_t)json_array_size(list) - 1;
}

static json_t *code_of(const struct wb_launch *l, uint32_t pc)
{
	struct wb_code code;
	return wb_launch_code(l, pc, &code) ? json_pack("[i, s, i]", (int)pc, code.text, code.line)
					    : json_pack("[i, s, i]", (int)pc, "", 0);
}

struct tables {
	json_t *codes, *code_index, *masks, *mask_index;
};

static json_int_t mask_index(struct tables *t, uint64_t mask)
{
	char text[24];
	snprintf(text, sizeof text, "%" PRIx64, mask);
	return index_of(t->mask_index, t->masks, text, json_string(text));
}

/* Issues of the warps: for each warp an array of cycle, instruction, active mask, executed mask, and so on. */
static json_t *warps_of(struct tables *to, const struct html_timeline *t, const struct wb_launch *l, uint32_t threads)
{
	struct wb_machine m;
	json_t *warps = json_array();
	wb_launch_machine(l, &m);
	for (uint32_t i = 0; i * m.lanes < threads; i++)
		json_array_append_new(warps, json_array());
	for (size_t k = 0; k < t->n; k++) {
		const struct html_issue *i = &t->issue[k];
		json_t *warp = json_array_get(warps, (size_t)i->block * m.warps_per_block + i->warp);
		char key[16];
		snprintf(key, sizeof key, "%" PRIx32, i->pc);
		json_array_append_new(warp, json_integer((json_int_t)i->cycle));
		json_array_append_new(warp, json_integer(index_of(to->code_index, to->codes, key, code_of(l, i->pc))));
		json_array_append_new(warp, json_integer(mask_index(to, i->active)));
		json_array_append_new(warp, json_integer(mask_index(to, i->executed)));
	}
	return warps;
}

/* The thread of each pixel of a fragment program's picture, -1: none. */
static int32_t *threads_of(const struct wb_launch *l, const uint32_t rect[4])
{
	size_t pixels = (size_t)rect[2] * rect[3];
	int32_t *list = grow(NULL, pixels * sizeof *list);
	struct wb_fragment f;
	uint32_t threads;

	memset(list, 0xff, pixels * sizeof *list);
	if (wb_launch_stage(l, &threads) != WB_STAGE_FRAGMENT)
		return list;
	for (uint32_t t = 0; t < threads; t++)
		if (wb_launch_fragment(l, t, &f) && f.covered && f.x - rect[0] < rect[2] && f.y - rect[1] < rect[3])
			list[f.x - rect[0] + (size_t)(f.y - rect[1]) * rect[2]] = (int32_t)t;
	return list;
}

/* Numbers of pixels: threads, or colours. */
static json_t *numbers_of(const struct html_pixels *p, bool threads)
{
	json_t *list = json_array();

	for (size_t i = 0; i < (size_t)p->rect[2] * p->rect[3]; i++) {
		const uint8_t *c = p->rgba + 4 * i;
		json_array_append_new(list, json_integer(threads ? p->thread[i] : c[0] << 16 | c[1] << 8 | c[2]));
	}
	return list;
}

/* JSON in an element of a page: without "<", so that no text ends the element. */
static char *for_script(json_t *o)
{
	char *text = json_dumps(o, JSON_COMPACT | JSON_ENSURE_ASCII), *safe, *to;
	if (!text)
		no_memory();
	safe = to = grow(NULL, 6 * strlen(text) + 1);
	for (const char *p = text; *p; p++)
		if (*p == '<')
			to = stpcpy(to, "\\u003c");
		else
			*to++ = *p;
	*to = '\0';
	free(text);
	json_decref(o);
	return safe;
}

/* Lanes of all warps with a history; 0: the page would be too long, or the picture is of no threads. `blocks`: of a
 * map. */
static uint32_t lanes_told(const struct html_timeline *t, const struct wb_launch *l, const struct html_pixels *p,
			   uint32_t blocks)
{
	struct wb_machine m;
	uint32_t threads = 0;

	wb_launch_machine(l, &m);
	if (t->more || t->n > MOST_ISSUES || (uint64_t)p->rect[2] * p->rect[3] > MOST_PIXELS)
		return 0;
	if (blocks)
		return blocks * m.warps_per_block * m.lanes;
	return wb_launch_stage(l, &threads) == WB_STAGE_FRAGMENT ? threads : 0;
}

static char *history_of(const struct html_timeline *t, const struct wb_launch *l, const struct html_pixels *p,
			uint32_t blocks)
{
	struct tables to = {json_array(), json_object(), json_array(), json_object()};
	struct wb_machine m;
	uint32_t lanes = lanes_told(t, l, p, blocks);
	json_t *warps = lanes ? warps_of(&to, t, l, lanes) : NULL, *o = NULL;

	wb_launch_machine(l, &m);
	if (lanes)
		o = json_pack("{s:[i,i,i,i], s:i, s:i, s:[s,s], s:o, s:o, s:O, s:O, s:o}", "rect", (int)p->rect[0],
			      (int)p->rect[1], (int)p->rect[2], (int)p->rect[3], "lanes", (int)m.lanes, "map",
			      blocks ? (int)(m.warps_per_block * m.lanes) : 0, "words", blocks ? "Thread " : "",
			      blocks ? " of block " : "", "thread", numbers_of(p, true), "colour",
			      blocks ? json_array() : numbers_of(p, false), "code", to.codes, "mask", to.masks, "warp",
			      warps);
	json_decref(to.codes);
	json_decref(to.code_index);
	json_decref(to.masks);
	json_decref(to.mask_index);
	return o ? for_script(o) : NULL;
}

/* The pixels that a program has drawn. */
static bool drawn_pixels(struct html_pixels *p, const struct wb_launch *l)
{
	if (!wb_launch_rect(l, p->rect) || !p->rect[2] || !p->rect[3])
		return false;
	p->rgba = stage_pixels(l, p->rect);
	p->thread = threads_of(l, p->rect);
	return true;
}

void html_picture_take(struct html_picture *p, const struct html_timeline *t, const struct wb_launch *l,
		       const struct wb_report *r)
{
	struct html_pixels x = {.rgba = NULL};

	*p = (struct html_picture){.png = NULL};
	p->map = !drawn_pixels(&x, l);
	if (p->map && (!html_map_pixels(&x, t, r, p->range) || p->range[0] == p->range[1])) {
		free(x.rgba);
		free(x.thread);
		return;
	}
	memcpy(p->rect, x.rect, sizeof p->rect);
	p->png = png_of(x.rgba, p->rect);
	p->history = p->png ? history_of(t, l, &x, p->map ? r->launch.blocks : 0) : NULL;
	free(x.rgba);
	free(x.thread);
}

static const char drawn_note[] = " Click a pixel for the lane that drew it and what that lane did; arrow keys go to "
				 "its neighbours. The pixels of its warp are tinted.";
static const char map_note[] = " Click a thread for what it did; arrow keys go to its neighbours. The threads of its "
			       "warp are tinted.";

/* The heading, and what the colours are. */
static void heading(FILE *f, const struct html_picture *p)
{
	if (p->map)
		fprintf(f, "<h2>Map of cost: the instructions of each thread</h2>\n<p class=\"dim\">%" PRIu32
			" × %" PRIu32 " threads, from %" PRIu32 " instructions <span class=\"ramp\"></span> to %" PRIu32
			".", p->rect[2], p->rect[3], p->range[0], p->range[1]);
	else
		fprintf(f, "<h2>The picture</h2>\n<p class=\"dim\">%" PRIu32 " × %" PRIu32 " pixels, colour 0.",
			p->rect[2], p->rect[3]);
	if (p->history)
		fprintf(f, "<span class=\"touch\" hidden>%s</span></p>\n", p->map ? map_note : drawn_note);
	else
		fprintf(f, " The run is too long for a history of each %s.</p>\n", p->map ? "thread" : "pixel");
}

void html_picture(FILE *f, const struct html_picture *p)
{
	if (!p->png)
		return;
	heading(f, p);
	fprintf(f, "<div class=\"pixels\"><svg%s viewBox=\"0 0 %" PRIu32 " %" PRIu32 "\" role=\"img\" "
		"aria-label=\"%s\"%s><image href=\"data:image/png;base64,%s\" width=\"%" PRIu32 "\" "
		"height=\"%" PRIu32 "\"/><path class=\"same\"/><path class=\"here\"/>"
		"<path class=\"here inner\"/></svg>\n"
		"<div class=\"history\" aria-live=\"polite\"></div></div>\n", p->history ? " id=\"picture\"" : "",
		p->rect[2], p->rect[3], p->map ? "Map of cost" : "The picture", p->history ? " tabindex=\"0\"" : "",
		p->png, p->rect[2], p->rect[3]);
	if (p->history)
		fprintf(f, "<script type=\"application/json\" id=\"history\">%s</script>\n", p->history);
}

void html_picture_free(struct html_picture *p)
{
	free(p->png);
	free(p->history);
}
