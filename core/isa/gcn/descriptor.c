/* The T# and S# of an image and of a sampler that a launch makes, as image.c takes them apart. Behind a T# stand two
 * words for OpenCL's get_image_channel_data_type and get_image_channel_order (facts: CLRX, AmdCl2Abi.md, "Image
 * arguments"). */
#include "core/isa.h"
#include "core/isa/gcn/arith.h"
#include "core/isa/gcn/format.h"
#include "core/isa/gcn/image.h"
#include "core/isa/gcn/run.h"
#include "mem/texture.h"

enum { ORDER_R = 1, ORDER_RG = 3, ORDER_RGB = 6, ORDER_RGBA = 8 };
enum { TILING_LINEAR = 8, UNNORMALISED = 1 << 15 };

/* By the code of a scene's format (mem/texture_format.def): data format, OpenCL's order, and the type of OpenCL's
 * channels by the number format, UNORM, SNORM, UINT, SINT, FLOAT; 0xf where OpenCL has none. */
static const struct format_row {
	uint8_t code, data, order, type[5];
} rows[] = {
	{ 0x01, 14, ORDER_RGBA, { 15, 15, 13, 10, 15 } }, { 0x03, 12, ORDER_RGBA, { 3, 1, 12, 9, 14 } },
	{ 0x04, 11, ORDER_RG, { 15, 15, 13, 10, 15 } }, { 0x08, 10, ORDER_RGBA, { 2, 0, 11, 8, 15 } },
	{ 0x09, 9, ORDER_RGBA, { 7, 15, 15, 15, 15 } }, { 0x0c, 5, ORDER_RG, { 3, 1, 12, 9, 14 } },
	{ 0x0f, 4, ORDER_R, { 15, 15, 13, 10, 15 } }, { 0x12, 19, ORDER_RGBA, { 15, 15, 15, 15, 15 } },
	{ 0x13, 18, ORDER_RGBA, { 5, 15, 15, 15, 15 } }, { 0x14, 17, ORDER_RGBA, { 5, 15, 15, 15, 15 } },
	{ 0x15, 16, ORDER_RGB, { 6, 15, 15, 15, 15 } }, { 0x18, 3, ORDER_RG, { 2, 0, 11, 8, 15 } },
	{ 0x1b, 2, ORDER_R, { 3, 1, 12, 9, 14 } }, { 0x1d, 1, ORDER_R, { 2, 0, 11, 8, 15 } },
	{ 0x20, 34, ORDER_RGB, { 15, 15, 15, 15, 15 } }, { 0x21, 6, ORDER_RGB, { 15, 15, 15, 15, 15 } },
	{ 0x2b, 20, ORDER_R, { 4, 15, 15, 15, 15 } }, { 0x2f, 4, ORDER_R, { 15, 15, 15, 15, 15 } },
	{ 0x3a, 2, ORDER_R, { 3, 15, 15, 15, 15 } },
};

static const struct format_row *row_of(const struct texture *t)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].code == texture_format_code(t->format))
			return &rows[i];
	return NULL;
}

/* The number format of a texel type, and its place in a row's types. */
static unsigned number_of(unsigned texel, unsigned *place)
{
	static const uint8_t number[] = {
		[TEXEL_SNORM] = NUMBER_SNORM, [TEXEL_UNORM] = NUMBER_UNORM, [TEXEL_SINT] = NUMBER_SINT,
		[TEXEL_UINT] = NUMBER_UINT, [TEXEL_SNORM_FP16] = NUMBER_SNORM, [TEXEL_UNORM_FP16] = NUMBER_UNORM,
		[TEXEL_FLOAT] = NUMBER_FLOAT,
	};
	static const uint8_t places[] = {
		[NUMBER_UNORM] = 0, [NUMBER_SNORM] = 1, [NUMBER_UINT] = 2, [NUMBER_SINT] = 3, [NUMBER_FLOAT] = 4,
	};

	*place = places[number[texel]];
	return number[texel];
}

static unsigned select_of(unsigned source)
{
	return source == SOURCE_ZERO ? 0 : source >= SOURCE_ONE_INT ? 1 : 4 + source - SOURCE_R;
}

static bool image_words(const struct isa_target *target, const struct texture *t, uint64_t address,
			uint32_t w[ISA_IMAGE_WORDS])
{
	static const uint8_t types[TEXTURE_TYPES] = {
		[TEXTURE_1D] = IMAGE_1D, [TEXTURE_2D] = IMAGE_2D, [TEXTURE_3D] = IMAGE_3D,
		[TEXTURE_1D_ARRAY] = IMAGE_1D_ARRAY, [TEXTURE_2D_ARRAY] = IMAGE_2D_ARRAY,
	};
	enum gcn_generation g = gcn_generation(target);
	const struct texture_level *l = &t->level[0];
	const struct format_row *row = row_of(t);
	uint32_t last = (t->type == TEXTURE_3D ? l->depth : t->layers) - 1, select = 0, pitch = l->width - 1;
	struct gcn_image made;
	uint64_t detail;
	unsigned place, number = number_of(t->texel_type[0], &place);

	if (!row || !types[t->type] || address % 256 || l->width > 1 << 14 || l->height > 1 << 14 || last >= 1 << 13)
		return false;
	for (unsigned c = 0; c < 4; c++)
		select |= select_of(t->source[c]) << 3 * c;
	memset(w, 0, ISA_IMAGE_WORDS * sizeof *w);
	w[0] = (uint32_t)(address >> 8);
	w[1] = (uint32_t)(address >> 40) | (uint32_t)row->data << 20 | number << 26;
	w[2] = (l->width - 1) | (l->height - 1) << 14;
	w[3] = select | (g == GCN_14 ? 0 : TILING_LINEAR << 20) | (uint32_t)types[t->type] << 28;
	w[4] = (t->type == TEXTURE_3D || g == GCN_14 ? last : 0) | pitch << 13;
	w[5] = g == GCN_14 || t->type == TEXTURE_3D ? 0 : last << 13;
	w[8] = row->type[place];
	w[9] = row->order;
	return gcn_image_of(w, 8, g, &made, &detail) == FAULT_NONE;
}

static void sampler_words(const struct sampler *s, bool normalised, uint32_t w[ISA_SAMPLER_WORDS])
{
	static const uint8_t wraps[WRAPS] = {
		[WRAP_REPEAT] = IMAGE_REPEAT, [WRAP_MIRROR] = IMAGE_MIRROR, [WRAP_CLAMP] = IMAGE_CLAMP,
		[WRAP_BORDER] = IMAGE_BORDER, [WRAP_CLAMP_OGL] = IMAGE_HALF,
		[WRAP_MIRROR_ONCE_CLAMP] = IMAGE_ONCE_CLAMP, [WRAP_MIRROR_ONCE_BORDER] = IMAGE_ONCE_BORDER,
		[WRAP_MIRROR_ONCE_CLAMP_OGL] = IMAGE_ONCE_HALF,
	};

	memset(w, 0, ISA_SAMPLER_WORDS * sizeof *w);
	for (unsigned i = 0; i < 3; i++)
		w[0] |= (uint32_t)wraps[s->wrap[i]] << 3 * i;
	w[0] |= normalised ? 0 : UNNORMALISED;
	w[1] = ((uint32_t)s->min_lod & 0xfff) | ((uint32_t)s->max_lod & 0xfff) << 12;
	w[2] = ((uint32_t)s->lod_bias & 0x3fff) | (s->mag_linear ? 1u << 20 : 0) | (s->min_linear ? 1u << 22 : 0);
}

const struct isa_descriptors gcn_descriptors = { .image = image_words, .sampler = sampler_words };
