/* What the texture unit should give, written once more: texels bit by bit, wraps by walking, filters as nested loops,
 * all in binary64 and with the host's library. Slow and plain; shares no line with mem/. */
#ifndef WB_TESTS_UNIT_TEXTURE_REFERENCE_H
#define WB_TESTS_UNIT_TEXTURE_REFERENCE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- texels ---- */

struct reference_format {
	const char *name;
	int bytes;                      /* of a texel, or of a block of 4 by 4 */
	int bits[4];                    /* of R, G, B, A, from the lowest on; all 0: packed in another way */
	const char *types, *sources;
};

static const struct reference_format reference_formats[] = {
	{ "rgba32", 16, { 32, 32, 32, 32 }, "unorm snorm uint sint float", "rgba" },
	{ "rgba16", 8, { 16, 16, 16, 16 }, "unorm snorm uint sint float", "rgba" },
	{ "rg32", 8, { 32, 32, 0, 0 }, "unorm snorm uint sint float", "rg01" },
	{ "rgba8", 4, { 8, 8, 8, 8 }, "unorm snorm uint sint", "rgba" },
	{ "rgb10a2", 4, { 10, 10, 10, 2 }, "unorm snorm uint sint", "rgba" },
	{ "rg16", 4, { 16, 16, 0, 0 }, "unorm snorm uint sint float", "rg01" },
	{ "r32", 4, { 32, 0, 0, 0 }, "unorm snorm uint sint float", "r001" },
	{ "rgba4", 2, { 4, 4, 4, 4 }, "unorm snorm uint sint", "rgba" },
	{ "r1g5b5a5", 2, { 1, 5, 5, 5 }, "unorm uint", "rgba" },
	{ "rgb5a1", 2, { 5, 5, 5, 1 }, "unorm uint", "rgba" },
	{ "rgb565", 2, { 5, 6, 5, 0 }, "unorm snorm uint sint", "rgb1" },
	{ "rg8", 2, { 8, 8, 0, 0 }, "unorm snorm uint sint", "rg01" },
	{ "r16", 2, { 16, 0, 0, 0 }, "unorm snorm uint sint float", "r001" },
	{ "r8", 1, { 8, 0, 0, 0 }, "unorm snorm uint sint", "r001" },
	{ "rgb9e5", 4, { 0 }, "float", "rgb1" },
	{ "r11g11b10", 4, { 0 }, "float", "rgb1" },
	{ "dxt1", 8, { 0 }, "unorm", "rgba" },
	{ "dxt3", 16, { 0 }, "unorm", "rgba" },
	{ "dxt5", 16, { 0 }, "unorm", "rgba" },
	{ "dxn1", 8, { 0 }, "unorm snorm", "r001" },
	{ "dxn2", 16, { 0 }, "unorm snorm", "rg01" },
	{ "z24s8", 4, { 24, 8, 0, 0 }, "unorm", "rrr1" },
	{ "z32", 4, { 32, 0, 0, 0 }, "float", "rrr1" },
	{ "z16", 2, { 16, 0, 0, 0 }, "unorm", "rrr1" },
};

static inline bool reference_in_blocks(const char *name)
{
	return name[0] == 'd';
}

static inline uint64_t reference_bits(const uint8_t *p, int at, int n)
{
	uint64_t v = 0;

	for (int i = 0; i < n; i++)
		v |= (uint64_t)(p[(at + i) / 8] >> (at + i) % 8 & 1) << i;
	return v;
}

/* A float of 5 bits of exponent. */
static inline double reference_small_float(uint64_t v, int mantissa, bool sign)
{
	double m = (double)(v & ((1u << mantissa) - 1)) / (1 << mantissa), s = sign && v >> (mantissa + 5) & 1 ? -1 : 1;
	int e = v >> mantissa & 31;

	if (e == 31)
		return m > 0 ? (double)NAN : s * (double)INFINITY;
	return s * (e ? ldexp(1 + m, e - 15) : ldexp(m, -14));
}

static inline double reference_number(uint64_t v, int n, const char *type)
{
	double whole = (double)v, is_negative = v >> (n - 1) & 1;
	float f;
	uint32_t word = (uint32_t)v;

	if (!strcmp(type, "unorm"))
		return (double)(float)(whole / (ldexp(1, n) - 1));
	if (!strcmp(type, "uint"))
		return whole;
	if (is_negative > 0)
		whole -= ldexp(1, n);
	if (!strcmp(type, "sint"))
		return whole;
	if (!strcmp(type, "snorm"))
		return (double)(float)fmax(whole / (ldexp(1, n - 1) - 1), -1);
	if (n == 16)
		return reference_small_float(v, 10, true);
	memcpy(&f, &word, 4);
	return (double)f;
}

/* The palette of a block, written out. */
static inline double reference_between(const uint8_t *p, int k, bool is_signed)
{
	double most = is_signed ? 127 : 255, a = is_signed ? (int8_t)p[0] : p[0], b = is_signed ? (int8_t)p[1] : p[1];
	double r[8] = { fmax(a, -most) / most, fmax(b, -most) / most };
	int n = a > b ? 8 : 6;

	for (int i = 2; i < n; i++)
		r[i] = ((n - i) * fmax(a, -most) + (i - 1) * fmax(b, -most)) / (n - 1) / most;
	if (n == 6) {
		r[6] = is_signed ? -1 : 0;
		r[7] = 1;
	}
	return (double)(float)r[reference_bits(p + 2, 3 * k, 3)];
}

static inline void reference_colours(const uint8_t *p, int k, bool four, double rgba[4])
{
	double c[4][4] = { { 0 } };
	uint64_t a = reference_bits(p, 0, 16), b = reference_bits(p + 2, 0, 16);

	four |= a > b;
	for (int i = 0; i < 2; i++) {
		c[i][0] = (double)reference_bits(p + 2 * i, 11, 5) / 31;
		c[i][1] = (double)reference_bits(p + 2 * i, 5, 6) / 63;
		c[i][2] = (double)reference_bits(p + 2 * i, 0, 5) / 31;
		c[i][3] = 1;
	}
	for (int i = 0; i < 4; i++) {
		c[2][i] = four ? (2 * c[0][i] + c[1][i]) / 3 : (c[0][i] + c[1][i]) / 2;
		c[3][i] = four ? (c[0][i] + 2 * c[1][i]) / 3 : 0;
	}
	for (int i = 0; i < 4; i++)
		rgba[i] = (double)(float)c[reference_bits(p + 4, 2 * k, 2)][i];
}

static inline double reference_linear(double v)
{
	return (double)(float)(v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
}

/* x, y, z, w of texel k (4 y + x) of a block, or of a texel. */
static inline void reference_texel(const struct reference_format *f, const char *type, const uint8_t *p, int k,
				   bool srgb, double out[4])
{
	double rgba[4] = { 0, 0, 0, 1 };
	int at = 0;

	for (int c = 0; c < 4 && f->bits[0]; at += f->bits[c++])
		if (f->bits[c])
			rgba[c] = reference_number(reference_bits(p, at, f->bits[c]), f->bits[c], type);
	if (!strcmp(f->name, "rgb9e5"))
		for (int c = 0; c < 3; c++)
			rgba[c] = ldexp((double)reference_bits(p, 9 * c, 9), (int)reference_bits(p, 27, 5) - 24);
	if (!strcmp(f->name, "r11g11b10"))
		for (int c = 0; c < 3; c++)
			rgba[c] = reference_small_float(reference_bits(p, 11 * c, c < 2 ? 11 : 10), c < 2 ? 6 : 5,
							false);
	if (!strcmp(f->name, "dxt1"))
		reference_colours(p, k, false, rgba);
	if (!strcmp(f->name, "dxt3") || !strcmp(f->name, "dxt5")) {
		reference_colours(p + 8, k, true, rgba);
		rgba[3] = f->name[3] == '3' ? (double)(float)((double)reference_bits(p, 4 * k, 4) / 15) :
					      reference_between(p, k, false);
	}
	if (!strncmp(f->name, "dxn", 3))
		rgba[0] = reference_between(p, k, !strcmp(type, "snorm"));
	if (!strcmp(f->name, "dxn2"))
		rgba[1] = reference_between(p + 8, k, !strcmp(type, "snorm"));
	for (int c = 0; c < 3 && srgb; c++)
		rgba[c] = reference_linear(rgba[c]);
	for (int c = 0; c < 4; c++)
		out[c] = f->sources[c] == '0' ? 0 : f->sources[c] == '1' ? 1 :
			 rgba[strchr("rgba", f->sources[c]) - "rgba"];
}

/* ---- filters ---- */

enum { REFERENCE_BORDER = -1 };

/* The texel that index i of n stands for, found by walking towards it. */
static inline int reference_wrap(int wrap, long i, int n)
{
	if (wrap >= 5) {
		i = i < 0 ? -i - 1 : i;
		wrap = wrap == 5 ? 2 : 3;
	}
	if (wrap == 0) {
		while (i < 0)
			i += n;
		while (i >= n)
			i -= n;
	}
	while (wrap == 1 && (i < 0 || i >= n))
		i = i < 0 ? -i - 1 : 2l * n - 1 - i;
	if (wrap == 2)
		i = i < 0 ? 0 : i >= n ? n - 1 : i;
	return i < 0 || i >= n ? REFERENCE_BORDER : (int)i;
}

/* x in texels; the clamp of OpenGL 1 is one of the coordinate, whose nearest texel is never the border's. */
static inline double reference_clamp(int wrap, double x, int n, bool linear)
{
	if (wrap == 4)
		x = fmin(fmax(x, 0), linear ? n : n - 0.5);
	if (wrap == 7)
		x = fmin(fmax(x, -n), linear ? n : n - 0.5);
	return x;
}

/* The first of two texels, and the weight of the second. */
static inline long reference_split(double x, bool exact, double *weight)
{
	double f = exact ? floor(x - 0.5) : floor(floor((x - 0.5) * 256 + 0.5) / 256);

	*weight = exact ? x - 0.5 - f : floor((x - 0.5) * 256 + 0.5) / 256 - f;
	return (long)f;
}

/* ---- memory ---- */

/* Block-linear memory written in its own order: block by block, tile by tile, row by row. Returns the bytes written. */
static inline size_t reference_blocks(uint8_t *to, const uint8_t *from, uint32_t row_bytes, uint32_t rows,
				      uint32_t slices, unsigned h, unsigned d)
{
	uint32_t bx = (row_bytes + 63) / 64, by = (rows + (4u << h) - 1) / (4u << h);
	uint32_t bz = (slices + (1u << d) - 1) >> d;
	uint8_t *first = to;

	for (uint32_t block = 0; block < bx * by * bz; block++)
		for (uint32_t tile = 0; tile < 1u << (h + d); tile++)
			for (uint32_t k = 0; k < 256; k++, to++) {
				uint32_t x = block % bx * 64 + k % 64;
				uint32_t y = ((block / bx % by << h) + tile % (1u << h)) * 4 + k / 64;
				uint32_t z = (block / bx / by << d) + (tile >> h);
				if (x < row_bytes && y < rows && z < slices)
					*to = from[((size_t)z * rows + y) * row_bytes + x];
			}
	return (size_t)(to - first);
}

/* A block's side while half of it would not do. */
static inline unsigned reference_side(unsigned log, uint32_t n, uint32_t unit)
{
	while (log && n <= (unit << log) / 2)
		log--;
	return log;
}

struct reference_sizes {
	uint32_t bytes, width, height, depth, layers, levels;   /* bytes of a texel */
};

static inline uint32_t reference_half(uint32_t n, uint32_t level)
{
	return n >> level ? n >> level : 1;
}

/* All of a texture whose packed levels follow each other at `packed`, with blocks of 2^h by 2^d tiles. Returns the
 * bytes, of which *layer_bytes are a layer's. */
static inline size_t reference_memory(uint8_t *to, const uint8_t *packed, const struct reference_sizes *s, unsigned h,
				      unsigned d, size_t *layer_bytes)
{
	size_t at = 0, pad = (size_t)256 << (reference_side(h, s->height, 4) + reference_side(d, s->depth, 1));

	*layer_bytes = 0;
	for (uint32_t layer = 0; layer < s->layers; layer++) {
		const uint8_t *level_bytes = packed;
		size_t begin = at;
		for (uint32_t level = 0; level < s->levels; level++) {
			uint32_t row = s->bytes * reference_half(s->width, level);
			uint32_t rows = reference_half(s->height, level), slices = reference_half(s->depth, level);
			size_t one = (size_t)row * rows * slices;
			at += reference_blocks(to + at, level_bytes + layer * one, row, rows, slices,
					       reference_side(h, rows, 4), reference_side(d, slices, 1));
			level_bytes += s->layers * one;
		}
		at = begin + (at - begin + pad - 1) / pad * pad;
		*layer_bytes = at - begin;
	}
	return at;
}

#endif
