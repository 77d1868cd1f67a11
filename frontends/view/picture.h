/* A canvas as a PNG. */
#ifndef WB_FRONTENDS_VIEW_PICTURE_H
#define WB_FRONTENDS_VIEW_PICTURE_H

#include <stdio.h>

#include "frontends/view/canvas.h"

/* Write it with the state string in a text chunk. False: it could not be written. */
bool png_write(FILE *f, const struct canvas *c, const char *state);
/* The state string in a PNG file's text chunk; false: there is none. */
/* A picture of w by h pixels, four bytes each: red, green, blue, alpha. */
bool png_write_pixels(FILE *f, const uint8_t *rgba, uint32_t w, uint32_t h);
bool png_read_state(FILE *f, char *state, size_t size);

#endif
