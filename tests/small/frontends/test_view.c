/* The parts of pictures: distinguishable states, text, themes, state strings, the picture file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/app.h"
#include "frontends/view/font.h"
#include "frontends/view/keys.h"
#include "frontends/view/picture.h"
#include "tests/kit/cmocka_all.h"

enum { TILE_W = 8, TILE_H = 13, PIXELS = TILE_W * TILE_H };

struct colour {
	double r, g, b;
};

static double linear(uint32_t channel)
{
	double x = (channel & 0xff) / 255.0;
	return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double encoded(double x)
{
	x = x < 0 ? 0 : x > 1 ? 1 : x;
	return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

static struct colour grey(uint32_t argb)
{
	double y = encoded(luminance(argb));
	return (struct colour){y, y, y};
}

/* Machado, Oliveira, Fernandes 2009: deuteranopia (severity 1.0), on linear light. */
static struct colour deuteranopia(uint32_t argb)
{
	double r = linear(argb >> 16), g = linear(argb >> 8), b = linear(argb);
	return (struct colour){encoded(0.367322 * r + 0.860646 * g - 0.227968 * b),
			       encoded(0.280085 * r + 0.672501 * g + 0.047413 * b),
			       encoded(-0.011820 * r + 0.042940 * g + 0.968881 * b)};
}

static void draw_tile(struct canvas *c, enum lane_state s, const struct theme *t)
{
	assert_true(canvas_pixels(c, TILE_W, TILE_H, 1, t));
	canvas_tile(c, (struct rect){0, 0, TILE_W, TILE_H}, s, false);
}

/* Root of the mean squared distance of two tiles' pixels in human vision, 0 … √3. */
static double distance(const struct canvas *a, const struct canvas *b, struct colour (*seen)(uint32_t))
{
	double sum = 0;
	for (int i = 0; i < PIXELS; i++) {
		struct colour x = seen(a->pixel[i]), y = seen(b->pixel[i]);
		sum += (x.r - y.r) * (x.r - y.r) + (x.g - y.g) * (x.g - y.g) + (x.b - y.b) * (x.b - y.b);
	}
	return sqrt(sum / PIXELS);
}

static void states_stay_apart(void **state)
{
	(void)state;
	for (int t = 0; t < THEMES; t++)
		for (enum lane_state i = 0; i < LANE_STATES; i++)
			for (enum lane_state j = 0; j < i; j++) {
				struct canvas a, b;
				draw_tile(&a, i, &themes[t]);
				draw_tile(&b, j, &themes[t]);
				double g = distance(&a, &b, grey), d = distance(&a, &b, deuteranopia);
				if (g < 0.1 || d < 0.1)
					fail_msg("%s: %s and %s: %.3f in grey, %.3f under deuteranopia",
						 themes[t].name, lane_looks[i].name, lane_looks[j].name, g, d);
				canvas_free(&a);
				canvas_free(&b);
			}
}

static void every_state_has_a_letter(void **state)
{
	char seen[128] = {0};
	(void)state;
	for (enum lane_state i = 0; i < LANE_STATES; i++) {
		unsigned char letter = (unsigned char)lane_looks[i].letter;
		assert_true(letter > ' ' && letter < 127);
		assert_false(seen[letter]++);
	}
}

static void roles_can_be_read(void **state)
{
	static const enum role inks[] = {ROLE_TEXT, ROLE_DIM, ROLE_ACCENT, ROLE_GOOD, ROLE_BAD};
	static const enum role papers[] = {ROLE_PANEL, ROLE_TITLE, ROLE_BACK, ROLE_SELECT};
	(void)state;
	for (int t = 0; t < THEMES; t++)
		for (size_t i = 0; i < sizeof inks / sizeof *inks; i++)
			for (size_t k = 0; k < sizeof papers / sizeof *papers; k++) {
				double a = luminance(themes[t].role[inks[i]]),
				       b = luminance(themes[t].role[papers[k]]);
				double contrast = ((a > b ? a : b) + 0.05) / ((a > b ? b : a) + 0.05);
				if (contrast < 4.5) /* WCAG 2 AA for text */
					fail_msg("%s: ink %zu on paper %zu has contrast %.2f", themes[t].name, i, k,
						 contrast);
			}
}

static void ramp_ascends(void **state)
{
	(void)state;
	for (int i = 1; i < RAMP; i++)
		assert_true(luminance(ramp_colour((double)i / 32)) > luminance(ramp_colour((double)(i - 1) / 32)));
	assert_int_equal(ramp_colour(0), 0xff002051);
	assert_int_equal(ramp_colour(1), 0xfffdea45);
}

static void text_is_clipped_and_cut(void **state)
{
	struct canvas c;
	(void)state;
	assert_true(canvas_cells(&c, 12, 2, &themes[0]));
	canvas_text(&c, 0, 0, 5, 0xffffffff, 0, "µ is long");
	assert_int_equal(c.cell[0].code, 0xb5);
	assert_int_equal(c.cell[4].code, 0x2026);
	assert_int_equal(c.cell[5].code, 0);
	canvas_clip(&c, (struct rect){0, 0, 3, 2});
	canvas_text(&c, 1, 1, -1, 0xffffffff, 0, "abc");
	assert_int_equal(c.cell[12 + 2].code, 'b');
	assert_int_equal(c.cell[12 + 3].code, 0);
	canvas_free(&c);
}

static bool repeats(const struct canvas *c)
{
	int w = c->w * c->scale, h = c->h * c->scale;
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			if (c->pixel[y * w + x] != c->pixel[y / c->scale * c->scale * w + x / c->scale * c->scale])
				return false;
	return true;
}

/* Line and block glyphs fill the cell at each scale; at larger scales letters come from a larger font. */
static void letters_are_cut_for_their_scale(void **state)
{
	(void)state;
	for (int scale = 1; scale <= 8; scale++) {
		struct canvas one, c;
		assert_true(canvas_pixels(&one, 40, 16, 1, &themes[0]));
		assert_true(canvas_pixels(&c, 40 * scale, 16 * scale, scale, &themes[0]));
		canvas_text(&one, 1, 1, -1, 0xffabcdef, 0, "│█▄");
		canvas_text(&c, 1, 1, -1, 0xffabcdef, 0, "│█▄");
		assert_true(repeats(&c));
		for (int y = 0; y < 16; y++)
			for (int x = 0; x < 40; x++)
				assert_int_equal(c.pixel[(y * 40 * scale + x) * scale], one.pixel[y * 40 + x]);
		canvas_text(&c, 23, 1, -1, 0xffabcdef, TEXT_BOLD, "Wg");
		assert_int_equal(repeats(&c), scale == 1);
		canvas_free(&one);
		canvas_free(&c);
	}
}

/* Nor does a letter leave the canvas or the clip, where neither ends with a cell of squares. */
static void letters_are_clipped_at_each_scale(void **state)
{
	(void)state;
	for (int scale = 1; scale <= 8; scale++) {
		struct canvas c;
		int w = 10 * scale;
		assert_true(canvas_pixels(&c, w, 10 * scale, scale, &themes[0]));
		canvas_clip(&c, (struct rect){2, 3, 5, 4});
		for (int x = -9; x < 12; x += 3)
			canvas_text(&c, x, x, -1, 0xffabcdef, TEXT_BOLD, "#@");
		for (int y = 0; y < 10 * scale; y++)
			for (int x = 0; x < w; x++)
				if (x < 2 * scale || x >= 7 * scale || y < 3 * scale || y >= 7 * scale)
					assert_int_equal(c.pixel[y * w + x], 0);
		canvas_free(&c);
	}
}

/* In an SVG, too, a text over marks has a colour distinct from each. */
static void letters_over_marks_stand_out(void **state)
{
	struct canvas c;
	struct svg svg;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	(void)state;
	assert_non_null(f);
	assert_true(canvas_pixels(&c, 40, 16, 1, &themes[0]));
	svg_begin(&c, &svg, f, "");
	canvas_fill(&c, (struct rect){0, 0, 15, 16}, 0xffffffff);
	canvas_text(&c, 1, 1, -1, 0xfff0f0f0, TEXT_OVER, "##wb");
	svg_end(&c);
	assert_int_equal(fclose(f), 0);
	assert_non_null(strstr(text, "fill=\"#000000\">##</text>"));
	assert_non_null(strstr(text, "fill=\"#f0f0f0\">wb</text>"));
	free(text);
	canvas_free(&c);
}

static void font_has_what_panes_use(void **state)
{
	const char *used = "0Az~–·×✓✗▶◀▲█▉▏…─│↑↓→−■";
	uint32_t code;
	(void)state;
	while ((code = utf8_next(&used)))
		for (int scale = 1; scale <= 8; scale++)
			assert_ptr_not_equal(font_glyph(code, false, scale).rows,
					     font_glyph(0x10ffff, false, scale).rows);
	assert_int_equal(utf8_length("µ→"), 2);
	assert_int_equal(utf8_length("\xff\xc3"), 2);
	for (const char *hostile = "\033\a\177\302\233\300\233\342\200\256\355\240\200\r\360\237\230\200";
	     (code = utf8_next(&hostile));)
		assert_int_equal(code, 0xfffd);
}

static void state_strings_are_checked(void **state)
{
	struct view v;
	struct state_place place;
	struct wb_diag d;
	(void)state;
	view_init(&v, "k");
	assert_true(state_parse("wb1:k=ifelse;c=128;w=3;pane=stack;zoom=4;theme=print", &v, &place, &d));
	assert_true(place.has_cycle && place.cycle == 128 && !place.has_issue);
	assert_int_equal(v.slot, 3);
	assert_int_equal(v.focus, PANE_stack);
	assert_int_equal(v.front[0], PANE_stack);
	assert_int_equal(v.zoom, 4);
	assert_string_equal(themes[v.theme].name, "print");
	assert_false(state_parse("wb2:c=1", &v, &place, &d));
	assert_false(state_parse("wb1:pane=stak", &v, &place, &d));
	assert_non_null(strstr(d.text, "stak"));
	assert_false(state_parse("wb1:colour=red", &v, &place, &d));
	assert_false(state_parse("wb1:zoom=99", &v, &place, &d));
	assert_false(state_parse("wb1:cycle=1", &v, &place, &d));
	assert_non_null(strstr(d.text, "cycle"));
}

static void picture_carries_its_state(void **state)
{
	struct canvas c;
	char text[64];
	FILE *f = tmpfile();
	(void)state;
	assert_non_null(f);
	assert_true(canvas_pixels(&c, 9, 7, 2, &themes[1]));
	assert_true(png_write(f, &c, "wb1:k=x;c=1"));
	rewind(f);
	assert_true(png_read_state(f, text, sizeof text));
	assert_string_equal(text, "wb1:k=x;c=1");
	rewind(f);
	assert_false(png_read_state(f, text, 4));
	fclose(f);
	canvas_free(&c);
}

/* Whatever a key does can also be typed. */
static void keys_are_commands(void **state)
{
	const struct key *k;
	const char *name;
	(void)state;
	for (unsigned i = 0; (k = key_at(i)); i++) {
		const char *command = k->command + (k->command[0] == ':');
		bool found = !*command;
		for (unsigned c = 0; (name = command_name(c, NULL, NULL)); c++)
			found = found ||
				(!strncmp(command, name, strlen(name)) && strchr(" ", command[strlen(name)]));
		if (!found)
			fail_msg("key %s: there is no command '%s'", k->key, command);
	}
}

static void keys_are_unique(void **state)
{
	const struct key *a, *b;
	(void)state;
	for (unsigned i = 0; (a = key_at(i)); i++) {
		assert_true(a->help[0] && a->command[0]);
		if (utf8_length(a->help) > 46) /* the help has three columns */
			fail_msg("key %s: its help is too long", a->key);
		for (unsigned k = 0; k < i && (b = key_at(k)); k++)
			assert_string_not_equal(a->key, b->key);
	}
	for (int p = 0; p < PANES; p++) {
		char name[2] = {pane_key((enum pane)p), '\0'}, command[32];
		snprintf(command, sizeof command, "pane %s", pane_name((enum pane)p));
		assert_string_equal(key_find(name)->command, command);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_stay_apart),         cmocka_unit_test(every_state_has_a_letter),
		cmocka_unit_test(roles_can_be_read),         cmocka_unit_test(ramp_ascends),
		cmocka_unit_test(text_is_clipped_and_cut),   cmocka_unit_test(letters_are_cut_for_their_scale),
		cmocka_unit_test(letters_are_clipped_at_each_scale), cmocka_unit_test(letters_over_marks_stand_out),
		cmocka_unit_test(font_has_what_panes_use),   cmocka_unit_test(state_strings_are_checked),
		cmocka_unit_test(picture_carries_its_state), cmocka_unit_test(keys_are_unique),
		cmocka_unit_test(keys_are_commands),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
