/* The built-in bitmap fonts: pictures are the same on every machine. */
#ifndef WB_FRONTENDS_VIEW_FONT_H
#define WB_FRONTENDS_VIEW_FONT_H

#include <stdbool.h>
#include <stdint.h>

enum { GLYPH_W = 7, GLYPH_H = 13 };

/* A glyph in a cell of GLYPH_W by GLYPH_H units: each bit of a row is a square of `times` pixels, bit `left_bit` the
 * leftmost, `left_pixels` and `top` pixels into the cell. */
struct bitmap {
	const uint16_t *rows; /* h of them */
	int w, h, left_bit, times, left_pixels, top;
};

/* A code point at `scale` pixels a unit, from the font for the size; unknown code points are a hollow box. */
struct bitmap font_glyph(uint32_t code, bool bold, int scale);
/* The code point at *text, which moves behind; 0 at the end. U+FFFD for a byte that is not UTF-8, a control character,
 * and code points outside of any font. */
uint32_t utf8_next(const char **text);
enum { UTF8_MAX = 5 };
/* A code point below U+10000 as text, ended by 0. */
void utf8_put(uint32_t code, char text[UTF8_MAX]);
/* Characters of a text. */
int utf8_length(const char *text);

#endif
