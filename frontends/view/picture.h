/* A canvas as a PNG. */
#ifndef WB_FRONTENDS_VIEW_PICTURE_H
#define WB_FRONTENDS_VIEW_PICTURE_H

#include <stdio.h>

#include "frontends/view/canvas.h"

/* Write a picture with the state string in a text chunk. False: writing failed. */
bool png_write(FILE *f, const struct canvas *c, const char *state);
/* An animated PNG (APNG): each frame has the part of the picture that has changed. */
struct animation {
	unsigned frames, fps, parts;    /* parts: number of the next numbered chunk */
	uint32_t *previous;             /* pixels of the frame before */
	char *bytes;                    /* chunks behind the head */
	size_t size;
	FILE *to;                       /* destination of the chunks */
	char head[1024];                /* the signature, IHDR and tEXt */
	size_t nhead;
	char state[512];
	bool failed;
};
void animation_begin(struct animation *a, const char *state, unsigned fps);
/* Add a frame; all frames have the same size. False: the host has no memory. */
bool animation_add(struct animation *a, const struct canvas *c);
/* Write the animation to f, NULL: nowhere, and free the memory. False: writing failed. */
bool animation_end(struct animation *a, FILE *f);
/* The state string in a PNG file's text chunk; false: none. */
/* A picture of w by h pixels, four bytes each: red, green, blue, alpha. */
bool png_write_pixels(FILE *f, const uint8_t *rgba, uint32_t w, uint32_t h);
/* A PNG file's width and height, 32 bits each, then its pixels, four bytes each: red, green, blue, alpha; the caller
 * frees the *size bytes. NULL: no PNG file, or no memory. */
uint8_t *png_pixels(const void *bytes, size_t n, size_t *size);
bool png_read_state(FILE *f, char *state, size_t size);

#endif
