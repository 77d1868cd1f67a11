/* Glyphs are rows of font.def in the order of their code points: ASCII by index, others by binary search. Text is drawn
 * by code points, so UTF-8 is decoded and encoded here, too. */
#include "frontends/view/font.h"

#include <stddef.h>
#include <stdlib.h>

struct glyph {
	uint32_t code;
	uint8_t rows[2][GLYPH_H];
};

static const struct glyph glyphs[] = {
#define GLYPH(code, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, \
	      b10, b11, b12) \
	{code, {{r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12}, \
		{b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12}}},
#include "frontends/view/font.def"
#undef GLYPH
};

enum { GLYPHS = sizeof glyphs / sizeof *glyphs, ASCII_FIRST = 0x20, ASCII_LAST = 0x7e };

static const uint8_t hollow[GLYPH_H] = {0, 0, 0x1e, 0x12, 0x12, 0x12, 0x12, 0x12, 0x12, 0x12, 0x1e, 0, 0};

static int by_code(const void *key, const void *element)
{
	uint32_t a = *(const uint32_t *)key, b = ((const struct glyph *)element)->code;
	return (a > b) - (a < b);
}

const uint8_t *font_glyph(uint32_t code, bool bold)
{
	if (code >= ASCII_FIRST && code <= ASCII_LAST) /* all of ASCII is there, in order, at the start */
		return glyphs[code - ASCII_FIRST].rows[bold];
	const struct glyph *g = bsearch(&code, glyphs, GLYPHS, sizeof *glyphs, by_code);
	return g ? g->rows[bold] : hollow;
}

/* Nothing else is put into a cell: names come from files, and a terminal obeys control characters, in either range and
 * however long their bytes, and those that turn the direction of text. */
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
