/* The bitmap font that is baked in: what is drawn is the same on every machine. */
#ifndef WB_FRONTENDS_VIEW_FONT_H
#define WB_FRONTENDS_VIEW_FONT_H

#include <stdbool.h>
#include <stdint.h>

enum { GLYPH_W = 7, GLYPH_H = 13 };

/* GLYPH_H rows of a code point, bit 6 leftmost; a code point that the font lacks gives a hollow box. */
const uint8_t *font_glyph(uint32_t code, bool bold);
/* The code point at *text, which moves behind it; 0 at the end. U+FFFD for a byte that is not UTF-8, a control
 * character, and what the font cannot have. */
uint32_t utf8_next(const char **text);
enum { UTF8_MAX = 5 };
/* A code point below U+10000 as text, ended by 0. */
void utf8_put(uint32_t code, char text[UTF8_MAX]);
/* Characters of a text. */
int utf8_length(const char *text);

#endif
