/* Glyphs are rows of tables, one table for each size, in the order of code points: ASCII by index, others by binary
 * search. Text is drawn by code points, so UTF-8 is decoded and encoded here, too. */
#include "frontends/view/font.h"

#include <stddef.h>
#include <stdlib.h>

enum { CUT_ROWS = 32 }; /* of the largest */

struct glyph {
	uint32_t code;
	uint16_t rows[2][CUT_ROWS];
};

#define ROWS(...) {__VA_ARGS__}
#define GLYPH(code, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, \
	      b10, b11, b12) \
	{code, {{r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12}, \
		{b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12}}},
static const struct glyph small[] = {
#include "frontends/view/font.def"
};
#undef GLYPH

#define GLYPH(code, regular, bold) {code, {regular, bold}},
static const struct glyph large[] = {
#include "frontends/view/font28.def"
};
static const struct glyph larger[] = {
#include "frontends/view/font32.def"
};
#undef GLYPH

/* The small font is drawn for cells of its own size, where a unit is a pixel. The other fonts fit the cells of scale 2
 * and, with a margin, of scale 3; and of larger scales, with fewer and smaller steps than the small font. They lack
 * glyphs that join their neighbours in a cell, which are the small font's, scaled. */
static const struct cut {
	const struct glyph *glyphs;
	int n, w, h, left_bit; /* bit of a row */
} cuts[] = {
	{small, sizeof small / sizeof *small, GLYPH_W, GLYPH_H, GLYPH_W - 1},
	{large, sizeof large / sizeof *large, 14, 26, 15},
	{larger, sizeof larger / sizeof *larger, 16, CUT_ROWS, 15},
};

enum { CUTS = sizeof cuts / sizeof *cuts, ASCII_FIRST = 0x20, ASCII_LAST = 0x7e };

static const uint16_t hollow[GLYPH_H] = {0, 0, 0x1e, 0x12, 0x12, 0x12, 0x12, 0x12, 0x12, 0x12, 0x1e, 0, 0};

static int by_code(const void *key, const void *element)
{
	uint32_t a = *(const uint32_t *)key, b = ((const struct glyph *)element)->code;
	return (a > b) - (a < b);
}

/* How many pixels a bit of a cut has at a scale. */
static int times(const struct cut *k, int scale)
{
	int across = GLYPH_W * scale / k->w, down = GLYPH_H * scale / k->h;
	return across < down ? across : down;
}

/* The font that fills most of a cell. */
static const struct cut *cut_for(int scale)
{
	const struct cut *best = &cuts[scale > 1];
	for (int i = 2; scale > 1 && i < CUTS; i++)
		if (cuts[i].w * times(&cuts[i], scale) > best->w * times(best, scale))
			best = &cuts[i];
	return best;
}

/* All of ASCII is in each, in order, at the start. */
static const struct glyph *find(const struct cut *k, uint32_t code)
{
	if (code >= ASCII_FIRST && code <= ASCII_LAST)
		return &k->glyphs[code - ASCII_FIRST];
	return bsearch(&code, k->glyphs, (size_t)k->n, sizeof *k->glyphs, by_code);
}

struct bitmap font_glyph(uint32_t code, bool bold, int scale)
{
	const struct cut *k = cut_for(scale);
	const struct glyph *g = find(k, code);
	if (!g) {
		k = cuts;
		g = find(k, code);
	}
	int n = times(k, scale);
	return (struct bitmap){.rows = g ? g->rows[bold] : hollow,
			       .w = k->w,
			       .h = k->h,
			       .left_bit = k->left_bit,
			       .times = n,
			       .left_pixels = (GLYPH_W * scale - k->w * n) / 2,
			       .top = (GLYPH_H * scale - k->h * n) / 2};
}

/* May a cell show the code point? Names come from files, and a terminal obeys control characters, in either range and
 * however long their bytes, and characters that turn the direction of text. */
static bool drawn(uint32_t code, int more)
{
	static const uint32_t least[] = {' ', 0xa0, 0x800};
	return more >= 0 && more <= 2 && code >= least[more] && code != 0x7f && code >> 11 != 0x1b &&
	       !(code >= 0x200b && code <= 0x200f) && !(code >= 0x2028 && code <= 0x202e) &&
	       !(code >= 0x2060 && code <= 0x2069) && code != 0xfeff;
}

uint32_t utf8_next(const char **text)
{
	const uint8_t *p = (const uint8_t *)*text;
	if (!*p)
		return 0;
	int more = *p < 0x80 ? 0 : *p >> 5 == 6 ? 1 : *p >> 4 == 14 ? 2 : *p >> 3 == 30 ? 3 : -1;
	uint32_t code = more <= 0 ? *p : *p & (0x3fu >> more);
	for (int i = 1; i <= more; i++) {
		if (p[i] >> 6 != 2)
			more = -1;
		else
			code = code << 6 | (p[i] & 0x3fu);
	}
	*text += more > 0 ? more + 1 : 1;
	return drawn(code, more) ? code : 0xfffd;
}

void utf8_put(uint32_t code, char text[UTF8_MAX])
{
	int more = code < 0x80 ? 0 : code < 0x800 ? 1 : 2;
	static const uint8_t lead[] = {0, 0xc0, 0xe0};
	*text++ = (char)(lead[more] | code >> 6 * more);
	for (; more > 0; more--)
		*text++ = (char)(0x80 | (code >> 6 * (more - 1) & 0x3f));
	*text = '\0';
}

int utf8_length(const char *text)
{
	int n = 0;
	while (utf8_next(&text))
		n++;
	return n;
}
