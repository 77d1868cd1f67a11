/* Texels of every format as four words (mem/texture.c). */
#ifndef WB_MEM_TEXTURE_TEXEL_H
#define WB_MEM_TEXTURE_TEXEL_H

#include <string.h>

#include "core/base/bits.h"
#include "mem/texture.h"

enum texel_kind {
	KIND_FIELDS, KIND_RGB9E5, KIND_R11G11B10, KIND_DXT1, KIND_DXT23, KIND_DXT45, KIND_DXN1, KIND_DXN2,
	KIND_RGBA8,             /* struct texture.kind alone: FIELDS of four unsigned normalised bytes, R first */
};

struct texture_format {
	const char *name, *sources;
	uint8_t code, bytes, kind;      /* enum texel_kind */
	struct { uint8_t shift, bits; } field[4];
};

/* c / 255, rounded to a float once. */
extern const double texel_unorm8[256];

/* R, G, B, A of the texel (or texel `sub` = 4 y + x of the block) at p: floats' bits, or integers. */
void texel_components(const struct texture *t, const uint8_t *p, unsigned sub, bool srgb, uint32_t rgba[4]);
/* The curve of sRGB: to linear. */
float texel_from_srgb(float v);

static inline bool texel_type_is_integer(unsigned type)
{
	return type == TEXEL_SINT || type == TEXEL_UINT;
}

/* x, y, z, w from R, G, B, A. */
static inline void texel_swizzle(const struct texture *t, const uint32_t rgba[4], uint32_t out[4])
{
	for (int c = 0; c < 4; c++) {
		unsigned from = t->source[c];
		out[c] = from >= SOURCE_R && from <= SOURCE_A ? rgba[from - SOURCE_R] :
			 from == SOURCE_ONE_INT ? 1 : from == SOURCE_ONE_FLOAT ? 0x3f800000 : 0;
	}
}

#endif
