/* Textures from descriptors: TIC and TSC words (rnndb g80_texture; spec tesla-graphics 5.5), and the places of levels
 * in memory (5.6), or in the packed bytes of a scene file. */
#include "mem/texture.h"

#include "mem/texture_texel.h"

/* Largest width or height in texels: beyond is no texture of the chips (8192 by 8192), and sizes of hostile descriptors
 * stay below 2^63. */
enum { SIZE_MAX_TEXELS = 65536 };

static uint32_t bits(uint32_t word, unsigned low, unsigned n)
{
	return word >> low & (uint32_t)((1ull << n) - 1);
}

static int32_t signed_bits(uint32_t word, unsigned low, unsigned n)
{
	return (int32_t)(word << (32 - low - n)) >> (32 - n);
}

static uint32_t halved(uint32_t n, unsigned level)
{
	return n >> level ? n >> level : 1;
}

/* Bytes of a row of texels, or of blocks of 4 by 4; and rows. */
static uint64_t row_bytes_of(const struct texture *t, uint32_t width)
{
	bool blocks;
	uint64_t bytes = texture_format_bytes(t->format, &blocks);

	return (blocks ? (width + 3ull) / 4 : width) * bytes;
}

static uint32_t rows_of(const struct texture *t, uint32_t height)
{
	bool blocks;

	texture_format_bytes(t->format, &blocks);
	return blocks ? (height + 3) / 4 : height;
}

/* Level `level` of a texture with level 0 `first`. */
static struct texture_level level_of(const struct texture_level *first, unsigned level)
{
	return (struct texture_level){ .width = halved(first->width, level), .height = halved(first->height, level),
				       .depth = halved(first->depth, level) };
}

void texture_pack(struct texture *t)
{
	uint64_t at = 0;

	for (unsigned i = 0; i < t->levels; i++) {
		struct texture_level *l = &t->level[i];
		*l = level_of(&t->level[0], i);
		l->offset = at;
		l->row_bytes = row_bytes_of(t, l->width);
		l->slice_bytes = l->layer_bytes = l->row_bytes * rows_of(t, l->height);
		at += l->slice_bytes * l->depth * t->layers;
	}
	t->size = at;
}

/* ---- descriptors ---- */

/* Halve blocks while half a block covers the level (g80-surface: textures size themselves). */
static struct block_linear blocks_of(const struct texture *t, const struct texture_level *l, unsigned h, unsigned d)
{
	uint32_t rows = rows_of(t, l->height);

	while (h && rows <= ((uint32_t)TILE_Y << h) / 2)
		h--;
	while (d && l->depth <= (1u << d) / 2)
		d--;
	return block_linear_of(row_bytes_of(t, l->width), rows, 0, h, d);
}

/* All levels of a layer follow each other; a layer is padded to blocks of its first level. */
static void lay_out_blocks(struct texture *t, const struct texture_level *base, unsigned nlevels, unsigned first,
			   unsigned h, unsigned d)
{
	struct block_linear block = blocks_of(t, base, h, d);
	uint64_t at = 0, pad = block_linear_block_bytes(&block);

	for (unsigned i = 0; i < nlevels; i++) {
		struct texture_level l = level_of(base, i);
		l.block = blocks_of(t, &l, h, d);
		l.offset = at;
		at += block_linear_bytes(&l.block, l.depth);
		if (i >= first && i - first < t->levels)
			t->level[i - first] = l;
	}
	for (unsigned i = 0; i < t->levels; i++)
		t->level[i].layer_bytes = (at + pad - 1) / pad * pad;
}

static void lay_out_pitch(struct texture *t, const struct texture_level *base, uint32_t pitch)
{
	t->level[0] = *base;
	t->level[0].row_bytes = pitch;
	t->level[0].slice_bytes = t->level[0].layer_bytes = (uint64_t)pitch * rows_of(t, base->height);
	t->levels = 1;
}

uint64_t texture_bytes(const struct texture *t)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < t->levels; i++) {
		const struct texture_level *l = &t->level[i];
		uint64_t end = l->offset + (t->layers - 1) * l->layer_bytes;
		if (t->block_linear)
			end += block_linear_bytes(&l->block, l->depth);
		else
			end += (l->depth - 1) * l->slice_bytes + (rows_of(t, l->height) - 1) * l->row_bytes +
			       row_bytes_of(t, l->width);
		most = end > most ? end : most;
	}
	return most;
}

static bool is_array(unsigned type)
{
	return type == TEXTURE_1D_ARRAY || type == TEXTURE_2D_ARRAY || type == TEXTURE_CUBE_ARRAY;
}

/* The sizes of level 0, and the layers. */
static void sizes_from(const uint32_t tic[], struct texture *t, struct texture_level *base)
{
	uint32_t height = bits(tic[5], 0, 16), depth = bits(tic[5], 16, 12);
	bool flat = t->type == TEXTURE_1D || t->type == TEXTURE_1D_ARRAY || t->type == TEXTURE_BUFFER;

	depth = depth ? depth : 1;
	*base = (struct texture_level){
		.width = bits(tic[4], 0, 30) ? bits(tic[4], 0, 30) : 1,
		.height = flat ? 1 : height ? height : 65536,
		.depth = t->type == TEXTURE_3D ? depth : 1,
	};
	t->layers = is_array(t->type) ? depth : 1;
	if (t->type == TEXTURE_CUBE || t->type == TEXTURE_CUBE_ARRAY)
		t->layers *= 6;
}

static void refuse(struct texture *t, enum texture_status status, unsigned code)
{
	t->refused = (uint8_t)status;
	t->code = (uint8_t)code;
}

/* The levels from `first` to `view_last` of all up to `last`. */
static void set_levels(const uint32_t tic[], struct texture *t, const struct texture_level *base)
{
	bool header = tic[4] >> 31, one = t->type == TEXTURE_BUFFER || t->type == TEXTURE_RECT;
	unsigned last = one ? 0 : bits(tic[5], 28, 4), first = header ? bits(tic[7], 0, 4) : 0;
	unsigned view_last = header ? bits(tic[7], 4, 4) : last;

	first = first < last ? first : last;
	view_last = view_last > last ? last : view_last < first ? first : view_last;
	t->levels = (uint8_t)(view_last - first + 1);
	if (t->block_linear)
		lay_out_blocks(t, base, last + 1, first, bits(tic[2], 22, 3), bits(tic[2], 25, 3));
	else
		lay_out_pitch(t, base, bits(tic[3], 0, 20));
}

void texture_from_tic(const uint32_t tic[TIC_WORDS], struct texture *t)
{
	struct texture_level base;

	*t = (struct texture){ .type = (uint8_t)bits(tic[2], 14, 4), .format = texture_format_of(bits(tic[0], 0, 6)),
			       .srgb = bits(tic[2], 10, 1), .normalised = bits(tic[2], 31, 1),
			       .block_linear = !bits(tic[2], 18, 1) && bits(tic[2], 14, 4) != TEXTURE_BUFFER,
			       .depth = bits(tic[4], 30, 1),
			       .low_lod_quality = !bits(tic[3], 21, 1), .lod_bias = signed_bits(tic[6], 5, 13),
			       .min_lod = tic[4] >> 31 ? (int32_t)bits(tic[7], 16, 12) : 0,
			       .from_memory = true, .address = tic[1] | (uint64_t)bits(tic[2], 0, 8) << 32 };
	for (unsigned c = 0; c < 4; c++) {
		t->texel_type[c] = (uint8_t)bits(tic[0], 6 + 3 * c, 3);
		t->source[c] = (uint8_t)bits(tic[0], 18 + 3 * c, 3);
	}
	if (!t->format || !texture_ready(t)) {
		refuse(t, TEXTURE_BAD_FORMAT, bits(tic[0], 0, 6));
		return;
	}
	sizes_from(tic, t, &base);
	if (t->type >= TEXTURE_TYPES || (t->type != TEXTURE_BUFFER && base.width > SIZE_MAX_TEXELS))
		refuse(t, TEXTURE_BAD_OPERATION, t->type);
	else
		set_levels(tic, t, &base);
}

void sampler_from_tsc(const uint32_t tsc[TSC_WORDS], struct sampler *s)
{
	unsigned mag = bits(tsc[1], 0, 2), min = bits(tsc[1], 4, 2), mip = bits(tsc[1], 6, 2);
	const uint8_t border[3] = { (uint8_t)bits(tsc[2], 24, 8), (uint8_t)bits(tsc[3], 12, 8),
				    (uint8_t)bits(tsc[3], 20, 8) };

	*s = (struct sampler){
		.wrap = { (uint8_t)bits(tsc[0], 0, 3), (uint8_t)bits(tsc[0], 3, 3), (uint8_t)bits(tsc[0], 6, 3) },
		.compares = bits(tsc[0], 9, 1), .compare = (uint8_t)bits(tsc[0], 10, 3),
		.srgb = bits(tsc[0], 13, 1), .anisotropic = bits(tsc[0], 20, 3),
		.mag_linear = mag == 2, .min_linear = min == 2, .mip = (uint8_t)(mip ? mip : MIP_NONE),
		.lod_bias = signed_bits(tsc[1], 12, 13), .min_lod = (int32_t)bits(tsc[2], 0, 12),
		.max_lod = (int32_t)bits(tsc[2], 12, 12),
		.border = { tsc[4], tsc[5], tsc[6], tsc[7] },
	};
	for (int c = 0; c < 3; c++)
		s->border_srgb[c] = texel_from_srgb((float)texel_unorm8[border[c]]);
}
