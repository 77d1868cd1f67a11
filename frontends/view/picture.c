/* PNG by libpng: 8-bit RGB, row by row. The state string is in a tEXt chunk, not compressed, so that a picture can be
 * opened again at the position at which it was made. */
#include "frontends/view/picture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

static char keyword[] = "warpbeam-state";

static void write_rows(png_structp png, const struct canvas *c, png_bytep row)
{
	int w = c->w * c->scale, h = c->h * c->scale;
	for (int y = 0; y < h; y++) {
		const uint32_t *from = c->pixel + (size_t)y * c->stride;
		for (int x = 0; x < w; x++) {
			row[3 * x] = from[x] >> 16 & 0xff;
			row[3 * x + 1] = from[x] >> 8 & 0xff;
			row[3 * x + 2] = from[x] & 0xff;
		}
		png_write_row(png, row);
	}
}

bool png_write(FILE *f, const struct canvas *c, const char *state)
{
	char *copy = strdup(state);
	png_bytep row = malloc((size_t)c->w * c->scale * 3);
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	bool ok = copy && row && info;
	if (ok && setjmp(png_jmpbuf(png))) {
		ok = false;
	} else if (ok) {
		png_text text = {.compression = PNG_TEXT_COMPRESSION_NONE,
				 .key = keyword,
				 .text = copy,
				 .text_length = strlen(copy)};
		png_init_io(png, f);
		png_set_IHDR(png, info, (png_uint_32)(c->w * c->scale), (png_uint_32)(c->h * c->scale), 8,
			     PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
			     PNG_FILTER_TYPE_DEFAULT);
		png_set_text(png, info, &text, 1);
		png_write_info(png, info);
		write_rows(png, c, row);
		png_write_end(png, NULL);
	}
	png_destroy_write_struct(&png, &info);
	free(row);
	free(copy);
	return ok && !ferror(f);
}

bool png_write_pixels(FILE *f, const uint8_t *rgba, uint32_t w, uint32_t h)
{
	png_image image = {.version = PNG_IMAGE_VERSION, .width = w, .height = h, .format = PNG_FORMAT_RGBA};
	return png_image_write_to_stdio(&image, f, 0, rgba, 0, NULL) && !ferror(f);
}

bool png_read_state(FILE *f, char *state, size_t size)
{
	png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	png_textp text;
	int n = 0;
	volatile bool found = false;
	if (info && !setjmp(png_jmpbuf(png))) {
		png_init_io(png, f);
		png_read_info(png, info);
		png_get_text(png, info, &text, &n);
		for (int i = 0; i < n; i++)
			if (!strcmp(text[i].key, keyword) && (size_t)snprintf(state, size, "%s", text[i].text) < size)
				found = true;
	}
	png_destroy_read_struct(&png, &info, NULL);
	return found;
}
