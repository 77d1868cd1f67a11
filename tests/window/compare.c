/* compare SCREEN PNG: does the picture stand somewhere on the screen, pixel by pixel? SCREEN is an X window dump (XWD
 * version 7, as Xvfb -fbdir keeps it), 32 bits a pixel. Exit 0 yes, 1 no, 2 a bad file. */
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct image {
	uint32_t w, h;
	uint32_t *pixel; /* 0xRRGGBB */
};

static uint32_t big(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

enum { XWD_WORDS = 25, XWD_COLOUR = 12 };

static int read_rows(FILE *f, struct image *out, uint8_t *row, size_t stride)
{
	for (uint32_t y = 0; y < out->h; y++) {
		if (fread(row, stride, 1, f) != 1)
			return 0;
		for (uint32_t x = 0; x < out->w; x++)
			out->pixel[y * out->w + x] = row[4 * x] | (uint32_t)row[4 * x + 1] << 8 |
						     (uint32_t)row[4 * x + 2] << 16;
	}
	return 1;
}

static int read_dump(FILE *f, struct image *out)
{
	uint8_t head[XWD_WORDS * 4];
	if (fread(head, sizeof head, 1, f) != 1)
		return 0;
	uint32_t start = big(head), stride = big(head + 48), bits = big(head + 44), colours = big(head + 76);
	out->w = big(head + 16);
	out->h = big(head + 20);
	out->pixel = calloc((size_t)out->w * out->h, sizeof *out->pixel);
	uint8_t *row = malloc(stride);
	int ok = big(head + 4) == 7 && bits == 32 && out->pixel && row && stride >= out->w * 4 &&
		 !fseek(f, (long)start + (long)colours * XWD_COLOUR, SEEK_SET) && read_rows(f, out, row, stride);
	free(row);
	return ok;
}

static int read_screen(const char *path, struct image *out)
{
	FILE *f = fopen(path, "rb");
	int ok = f && read_dump(f, out);
	if (f)
		fclose(f);
	return ok;
}

static int read_png(const char *path, struct image *out)
{
	png_image image = {.version = PNG_IMAGE_VERSION};
	if (!png_image_begin_read_from_file(&image, path))
		return 0;
	image.format = PNG_FORMAT_BGRA;
	uint8_t *bytes = malloc(PNG_IMAGE_SIZE(image));
	*out = (struct image){image.width, image.height, calloc((size_t)image.width * image.height, 4)};
	if (!bytes || !out->pixel || !png_image_finish_read(&image, NULL, bytes, 0, NULL))
		return 0;
	for (size_t i = 0; i < (size_t)out->w * out->h; i++)
		out->pixel[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16;
	free(bytes);
	return 1;
}

static int stands_at(const struct image *screen, const struct image *p, uint32_t x, uint32_t y)
{
	for (uint32_t row = 0; row < p->h; row++)
		if (memcmp(screen->pixel + (size_t)(y + row) * screen->w + x, p->pixel + (size_t)row * p->w,
			   p->w * 4))
			return 0;
	return 1;
}

/* Does the picture stand anywhere on the screen? */
static int stands(const struct image *screen, const struct image *picture)
{
	for (uint32_t y = 0; y + picture->h <= screen->h; y++)
		for (uint32_t x = 0; x + picture->w <= screen->w; x++)
			if (stands_at(screen, picture, x, y))
				return 1;
	return 0;
}

int main(int argc, char **argv)
{
	struct image screen = { 0 }, picture = { 0 };
	int status = 2;

	if (argc == 3 && read_screen(argv[1], &screen) && read_png(argv[2], &picture))
		status = !stands(&screen, &picture);
	free(screen.pixel);
	free(picture.pixel);
	return status;
}
