/* PNG by libpng: 8-bit RGB, row by row; frames of an animation are PNGs of their own, with the chunks put together
 * (APNG 1.0: an ordinary picture for programs without APNG). The state string is in a tEXt chunk, not compressed, so
 * that a picture can be opened again at its position. */
#include "frontends/view/picture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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

uint8_t *png_pixels(const void *bytes, size_t n, size_t *size)
{
	png_image image = {.version = PNG_IMAGE_VERSION};
	uint8_t *pixels = NULL;
	if (png_image_begin_read_from_memory(&image, bytes, n)) {
		image.format = PNG_FORMAT_RGBA;
		*size = 8 + (size_t)4 * image.width * image.height;
		pixels = malloc(*size);
		uint32_t head[2] = {image.width, image.height};
		if (pixels)
			memcpy(pixels, head, sizeof head);
		if (pixels && !png_image_finish_read(&image, NULL, pixels + sizeof head, 0, NULL)) {
			free(pixels);
			pixels = NULL;
		}
	}
	png_image_free(&image);
	return pixels;
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

/* ---- animations ---- */

static void put32(unsigned char *to, uint32_t n)
{
	for (int i = 0; i < 4; i++)
		to[i] = (unsigned char)(n >> (24 - 8 * i));
}

static uint32_t get32(const unsigned char *from)
{
	return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

/* A chunk of up to two pieces. */
static void chunk(FILE *f, const char *type, const void *a, uint32_t na, const void *b, uint32_t nb)
{
	unsigned char word[4];
	uLong crc = crc32(0, (const Bytef *)type, 4);
	crc = na ? crc32(crc, a, na) : crc;
	crc = nb ? crc32(crc, b, nb) : crc;
	put32(word, na + nb);
	fwrite(word, 1, 4, f);
	fwrite(type, 1, 4, f);
	if (na)
		fwrite(a, 1, na, f);
	if (nb)
		fwrite(b, 1, nb, f);
	put32(word, (uint32_t)crc);
	fwrite(word, 1, 4, f);
}

void animation_begin(struct animation *a, const char *state, unsigned fps)
{
	*a = (struct animation){.fps = fps};
	snprintf(a->state, sizeof a->state, "%s", state);
	a->to = open_memstream(&a->bytes, &a->size);
	a->failed = !a->to;
}

/* The changed rectangle since the last frame: all of the first frame, else at least a pixel. */
static struct rect changed(const struct animation *a, const struct canvas *c)
{
	int w = c->w * c->scale, h = c->h * c->scale, left = w, right = 0, top = h, bottom = 0;
	for (int y = 0; y < h && a->frames; y++)
		for (int x = 0; x < w; x++) {
			if (c->pixel[(size_t)y * c->stride + x] == a->previous[(size_t)y * w + x])
				continue;
			left = x < left ? x : left;
			right = x >= right ? x + 1 : right;
			top = y < top ? y : top;
			bottom = y + 1;
		}
	if (!a->frames)
		return (struct rect){0, 0, w, h};
	return bottom ? (struct rect){left, top, right - left, bottom - top} : (struct rect){0, 0, 1, 1};
}

static void frame_head(struct animation *a, struct rect r)
{
	unsigned char head[26] = {0};
	put32(head, a->parts++);
	put32(head + 4, (uint32_t)r.w);
	put32(head + 8, (uint32_t)r.h);
	put32(head + 12, (uint32_t)r.x);
	put32(head + 16, (uint32_t)r.y);
	head[21] = 1; /* a frame takes 1 / fps seconds, stays, and replaces the pixels below */
	head[23] = (unsigned char)a->fps;
	chunk(a->to, "fcTL", head, sizeof head, NULL, 0);
}

/* The chunks of a picture: chunks before the data begin the file, the data are the frame's. */
static void frame_data(struct animation *a, const unsigned char *png, size_t size)
{
	size_t at = 8;
	bool first = a->frames == 0;
	while (at + 12 <= size) {
		uint32_t n = get32(png + at);
		const unsigned char *data = png + at + 8;
		unsigned char part[4];
		if (!memcmp(png + at + 4, "IDAT", 4)) {
			put32(part, first ? 0 : a->parts++);
			if (first)
				chunk(a->to, "IDAT", data, n, NULL, 0);
			else
				chunk(a->to, "fdAT", part, 4, data, n);
		} else if (first && memcmp(png + at + 4, "IEND", 4)) {
			a->nhead = at + 12 + n;
		}
		at += 12 + (size_t)n;
	}
	if (first && a->nhead <= sizeof a->head)
		memcpy(a->head, png, a->nhead);
	a->failed |= a->nhead > sizeof a->head;
}

bool animation_add(struct animation *a, const struct canvas *c)
{
	int w = c->w * c->scale, h = c->h * c->scale;
	struct rect r = changed(a, c);
	struct canvas some = {.w = r.w, .h = r.h, .scale = 1, .stride = c->stride,
			      .pixel = c->pixel + (size_t)r.y * c->stride + r.x};
	char *png = NULL;
	size_t size = 0;
	FILE *f = a->failed ? NULL : open_memstream(&png, &size);
	a->previous = a->previous ? a->previous : malloc((size_t)w * h * sizeof *a->previous);
	bool ok = f && a->previous && png_write(f, &some, a->state);
	ok = f && !fclose(f) && ok;
	if (ok) {
		frame_head(a, r);
		frame_data(a, (unsigned char *)png, size);
		a->frames++;
		for (int y = 0; y < h; y++)
			memcpy(a->previous + (size_t)y * w, c->pixel + (size_t)y * c->stride,
			       (size_t)w * sizeof *a->previous);
	}
	free(png);
	a->failed |= !ok;
	return !a->failed;
}

bool animation_end(struct animation *a, FILE *f)
{
	unsigned char count[8] = {0};
	bool ok = a->to && !fclose(a->to) && !a->failed && f && a->frames;
	put32(count, a->frames); /* and for ever: 0 times */
	if (ok) {
		fwrite(a->head, 1, a->nhead, f);
		chunk(f, "acTL", count, sizeof count, NULL, 0);
		fwrite(a->bytes, 1, a->size, f);
		chunk(f, "IEND", NULL, 0, NULL, 0);
	}
	free(a->bytes);
	free(a->previous);
	return ok && !ferror(f);
}
