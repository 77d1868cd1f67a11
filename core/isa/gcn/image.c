#include "core/isa/gcn/image.h"

#include "core/base/log2.h"
#include "core/isa/gcn/format.h"
#include "mem/texture_texel.h"

enum { LOD_ONE = 256, LOD_LOWEST = -(1 << 20), LOD_HIGHEST = 1 << 20, ROW_TEXELS = 64 };
enum { FORMAT_1_5_5_5 = 17, FORMAT_5_5_5_1 = 18, FORMAT_5_9_9_9 = 34 };

/* ---- formats ---- */

/* By data format: those of buffers, and those of images alone. */
static const struct gcn_texel_format formats[FORMAT_5_9_9_9 + 1] = {
	[1] = { 1, { 8 } }, [2] = { 2, { 16 } }, [3] = { 2, { 8, 8 } }, [4] = { 4, { 32 } }, [5] = { 4, { 16, 16 } },
	[6] = { 4, { 11, 11, 10 } }, [7] = { 4, { 10, 11, 11 } }, [8] = { 4, { 2, 10, 10, 10 } },
	[9] = { 4, { 10, 10, 10, 2 } }, [10] = { 4, { 8, 8, 8, 8 } }, [11] = { 8, { 32, 32 } },
	[12] = { 8, { 16, 16, 16, 16 } }, [13] = { 12, { 32, 32, 32 } }, [14] = { 16, { 32, 32, 32, 32 } },
	[16] = { 2, { 5, 6, 5 } }, [17] = { 2, { 5, 5, 5, 1 } }, [18] = { 2, { 1, 5, 5, 5 } },
	[19] = { 2, { 4, 4, 4, 4 } }, [20] = { 4, { 24, 8 } }, [21] = { 4, { 8, 24 } }, [22] = { 8, { 32, 8 } },
	[FORMAT_5_9_9_9] = { 4, { 9, 9, 9, 5 } },
};

static bool number_fits(unsigned data, unsigned number)
{
	unsigned bits = formats[data].bits[0];

	if (data == FORMAT_5_9_9_9)
		return number == NUMBER_FLOAT;
	if (number == NUMBER_SRGB)
		return data == 1 || data == 3 || data == 10;
	if (number == NUMBER_SNORM && (data == FORMAT_1_5_5_5 || data == FORMAT_5_5_5_1))
		return false;   /* a bit would be a sign alone */
	return number < NUMBER_SNORM_OGL ||
	       (number == NUMBER_FLOAT && (bits == 10 || bits == 11 || bits == 16 || bits == 32));
}

bool gcn_image_integer(const struct gcn_image *m)
{
	return format_is_integer(m->number);
}

static uint32_t one_of(const struct gcn_image *m)
{
	return gcn_image_integer(m) ? 1 : f32_bits(1);
}

/* The bits of component c. */
static uint32_t component_bits(const struct gcn_image *m, const uint32_t raw[4], unsigned c)
{
	unsigned at = 0, n = m->format->bits[c];

	for (unsigned i = 0; i < c; i++)
		at += m->format->bits[i];
	return (uint32_t)(raw[at / 32] >> at % 32 & ((1ull << n) - 1));
}

static void read_shared_exponent(const struct gcn_image *m, const uint32_t raw[4], uint32_t rgba[4])
{
	double unit = power_of_two((int)component_bits(m, raw, 3) - 15 - 9);

	for (unsigned c = 0; c < 3; c++)
		rgba[c] = f32_bits((float)(component_bits(m, raw, c) * unit));
	rgba[3] = f32_bits(1);
}

void gcn_texel_read(const struct gcn_image *m, const uint32_t raw[4], uint32_t rgba[4])
{
	bool srgb = m->number == NUMBER_SRGB;

	if (m->data == FORMAT_5_9_9_9) {
		read_shared_exponent(m, raw, rgba);
		return;
	}
	for (unsigned c = 0; c < 4; c++) {
		unsigned bits = m->format->bits[c];
		rgba[c] = !bits ? c < 3 ? 0 : one_of(m) :
			  format_read(srgb ? NUMBER_UNORM : m->number, bits, component_bits(m, raw, c));
		if (srgb && bits && c < 3)
			rgba[c] = f32_bits(texel_from_srgb(f32_value(rgba[c])));
	}
}

uint32_t gcn_texel_select(const struct gcn_image *m, const uint32_t rgba[4], unsigned c)
{
	return m->select[c] >= 4 ? rgba[m->select[c] - 4] : m->select[c] == 1 ? one_of(m) : 0;
}

void gcn_texel_write(const struct gcn_image *m, const uint32_t v[4], uint32_t raw[4])
{
	unsigned at = 0;

	memset(raw, 0, 4 * sizeof *raw);
	for (unsigned c = 0; c < 4; at += m->format->bits[c++]) {
		unsigned k = 0, bits = m->format->bits[c];
		while (k < 4 && m->select[k] != 4 + c)
			k++;
		if (bits && k < 4)
			raw[at / 32] |= format_stored(m->number, bits, v[k]) << at % 32;
	}
}

void gcn_image_border(const struct gcn_image *m, const struct gcn_sampler *s, uint32_t rgba[4])
{
	for (unsigned c = 0; c < 4; c++)
		rgba[c] = s->border == 2 || (s->border == 1 && c == 3) ? one_of(m) : 0;
}

bool gcn_image_compares(unsigned how, float reference, float texel)
{
	switch (how) {
	case COMPARE_LESS: return reference < texel;
	case COMPARE_EQUAL: return reference == texel;
	case COMPARE_LEQUAL: return reference <= texel;
	case COMPARE_GREATER: return reference > texel;
	case COMPARE_NOTEQUAL: return reference != texel;
	case COMPARE_GEQUAL: return reference >= texel;
	default: return how == COMPARE_ALWAYS;
	}
}

/* ---- descriptors ---- */

unsigned gcn_image_dimensions(const struct gcn_image *m)
{
	return m->type == IMAGE_1D || m->type == IMAGE_1D_ARRAY ? 1 : m->type == IMAGE_3D ? 3 : 2;
}

bool gcn_image_layered(const struct gcn_image *m)
{
	return m->type >= IMAGE_CUBE;
}

static uint32_t level_of(uint32_t size, unsigned level)
{
	return size >> level ? size >> level : 1;
}

/* Rows of a slice's levels in front of `level`. */
static uint64_t rows_before(const struct gcn_image *m, unsigned level)
{
	uint64_t rows = 0;

	for (unsigned l = 0; l < level; l++)
		rows += level_of(m->size[1], l);
	return rows;
}

/* Layers of the view, and levels of the resource. */
static void set_view(const uint32_t t[], unsigned words, enum gcn_generation g, struct gcn_image *m)
{
	uint32_t last = words < 8 ? 0 : g == GCN_14 ? t[4] & 0x1fff : t[5] >> 13 & 0x1fff;
	uint32_t first = words < 8 ? 0 : t[5] & 0x1fff, levels = m->last_level;

	if (g == GCN_14 && t[5] >> 28 > levels)
		levels = t[5] >> 28;
	m->first_layer = gcn_image_layered(m) ? first : 0;
	m->layers = gcn_image_layered(m) && last > first ? last - first + 1 : 1;
	m->slice = rows_before(m, levels + 1) * m->row;
}

static void set_sizes(const uint32_t t[], unsigned words, enum gcn_generation g, struct gcn_image *m)
{
	uint32_t width = (t[2] & 0x3fff) + 1, pitch = (width + ROW_TEXELS - 1) / ROW_TEXELS * ROW_TEXELS;

	if (words == 8)
		pitch = (g == GCN_14 ? t[4] >> 13 & 0xffff : t[4] >> 13 & 0x3fff) + 1;
	m->size[0] = width;
	m->size[1] = gcn_image_dimensions(m) > 1 ? (t[2] >> 14 & 0x3fff) + 1 : 1;
	m->size[2] = m->type == IMAGE_3D && words == 8 ? (t[4] & 0x1fff) + 1 : 1;
	m->row = pitch * m->format->bytes;
	m->base_level = t[3] >> 12 & 15;
	m->last_level = t[3] >> 16 & 15;
	if (m->last_level < m->base_level)
		m->last_level = m->base_level;
	set_view(t, words, g, m);
}

enum fault_kind gcn_image_of(const uint32_t t[], unsigned words, enum gcn_generation g, struct gcn_image *out,
			     uint64_t *detail)
{
	unsigned data = t[1] >> 20 & 63, number = t[1] >> 26 & 15, tiling = t[3] >> 20 & 31;

	*out = (struct gcn_image){
		.base = ((uint64_t)(t[1] & 0xff) << 32 | t[0]) << 8, .type = (enum gcn_image_type)(t[3] >> 28),
		.data = (uint8_t)data, .number = (uint8_t)number, .min_lod = (int32_t)(t[1] >> 8 & 0xfff),
	};
	for (unsigned c = 0; c < 4; c++)
		out->select[c] = t[3] >> 3 * c & 7;
	*detail = data | number << 8;
	if (data > FORMAT_5_9_9_9 || !formats[data].bytes || !number_fits(data, number))
		return FAULT_UNSUPPORTED_FORMAT;
	*detail = out->type;
	if (out->type < IMAGE_1D || out->type >= IMAGE_TYPES)
		return FAULT_UNSUPPORTED_TEXTURE;
	*detail = tiling;
	if (tiling != (g == GCN_14 ? 0 : 8))
		return FAULT_TILED_IMAGE;
	out->format = &formats[data];
	set_sizes(t, words, g, out);
	return FAULT_NONE;
}

/* A number with a sign in the lowest bits. */
static int32_t with_sign(uint32_t v, unsigned bits)
{
	return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

void gcn_sampler_of(const uint32_t s[4], struct gcn_sampler *out)
{
	unsigned mag = s[2] >> 20 & 3, min = s[2] >> 22 & 3;

	*out = (struct gcn_sampler){
		.wrap = { s[0] & 7, s[0] >> 3 & 7, s[0] >> 6 & 7 }, .compare = s[0] >> 12 & 7,
		.reduce = s[0] >> 29 & 3, .mag_linear = mag & 1, .min_linear = min & 1, .z_filter = s[2] >> 24 & 3,
		.mip_filter = s[2] >> 26 & 3, .border = (uint8_t)(s[3] >> 30), .normalised = !(s[0] >> 15 & 1),
		.bias = with_sign(s[2], 14), .min_lod = (int32_t)(s[1] & 0xfff),
		.max_lod = (int32_t)(s[1] >> 12 & 0xfff),
	};
}

void gcn_image_size(const struct gcn_image *m, unsigned level, uint32_t size[3])
{
	for (unsigned d = 0; d < 3; d++)
		size[d] = level_of(m->size[d], m->base_level + level);
}

bool gcn_image_place(const struct gcn_image *m, unsigned level, const uint32_t at[3], uint32_t layer, uint64_t *addr)
{
	uint32_t size[3];
	uint64_t slice;

	if (level > m->last_level - m->base_level || layer >= m->layers)
		return false;
	gcn_image_size(m, level, size);
	if (at[0] >= size[0] || at[1] >= size[1] || at[2] >= size[2])
		return false;
	slice = m->type == IMAGE_3D ? at[2] : m->first_layer + layer;
	*addr = m->base + slice * m->slice + (rows_before(m, m->base_level + level) + at[1]) * m->row +
		(uint64_t)at[0] * m->format->bytes;
	return true;
}

/* ---- levels of detail ---- */

int32_t gcn_lod_fixed(double levels)
{
	double v = floor(levels * LOD_ONE + 0.5);

	return v >= LOD_LOWEST ? v <= LOD_HIGHEST ? (int32_t)v : LOD_HIGHEST : LOD_LOWEST;
}

int32_t gcn_image_lod(const struct gcn_image *m, const struct gcn_sampler *s, const float dx[3], const float dy[3])
{
	double x = 0, y = 0, square;
	uint32_t size[3];

	gcn_image_size(m, 0, size);
	for (unsigned d = 0; d < gcn_image_dimensions(m); d++) {
		double scale = s->normalised ? size[d] : 1, u = dx[d] * scale, v = dy[d] * scale;
		x += u * u;
		y += v * v;
	}
	square = x > y ? x : y;
	return square > 0 ? gcn_lod_fixed(log2_series(square) / 2) : LOD_LOWEST;
}

int32_t gcn_lod_clamped(const struct gcn_image *m, const struct gcn_sampler *s, int32_t lod)
{
	int32_t least = m->min_lod - (int32_t)m->base_level * LOD_ONE;

	lod += s->bias;
	lod = lod > s->max_lod ? s->max_lod : lod;
	lod = lod < s->min_lod ? s->min_lod : lod;
	return lod < least ? least : lod;
}

/* ---- filters ---- */

/* The two texels of a coordinate, and the second's weight; -1: the border. */
struct axis {
	int32_t i, j;
	float weight;
};

static int32_t wrapped(unsigned wrap, int32_t i, int32_t n, bool linear)
{
	int32_t turn = wrap == IMAGE_MIRROR ? 2 * n : n;

	switch (wrap) {
	case IMAGE_REPEAT:
	case IMAGE_MIRROR:
		i = (i % turn + turn) % turn;
		return i < n ? i : turn - 1 - i;
	case IMAGE_HALF:
	case IMAGE_ONCE_HALF:
		if (linear)
			break;
		/* fallthrough */
	case IMAGE_CLAMP:
	case IMAGE_ONCE_CLAMP:
		return i < 0 ? 0 : i < n ? i : n - 1;
	}
	return i < 0 || i >= n ? -1 : i;
}

static bool mirrors_once(unsigned wrap)
{
	return wrap == IMAGE_ONCE_CLAMP || wrap == IMAGE_ONCE_HALF || wrap == IMAGE_ONCE_BORDER;
}

/* OpenCL 1.2, 8.2, for the wraps that OpenCL has. A NaN is far outside. */
static struct axis axis_of(unsigned wrap, float c, int32_t n, bool normalised, bool linear, int32_t offset)
{
	const float most = 1 << 30, size = (float)n;
	float u = c, down;
	int32_t i;

	if (normalised && wrap == IMAGE_REPEAT)
		u -= floorf(u);
	if (normalised && wrap == IMAGE_MIRROR && !offset)
		u = fabsf(u - 2 * rintf(0.5f * u));
	if (normalised)
		u *= size;
	u += (float)offset;
	if (mirrors_once(wrap))
		u = fabsf(u);
	if (wrap == IMAGE_HALF || wrap == IMAGE_ONCE_HALF)
		u = u > 0 ? u < size ? u : size : 0;
	if (linear)
		u -= 0.5f;
	down = floorf(u);
	i = !(down >= -most) ? -(1 << 30) : down > most ? 1 << 30 : (int32_t)down;
	return (struct axis){ wrapped(wrap, i, n, linear), wrapped(wrap, i + 1, n, linear), u - down };
}

static void add_tap(const struct gcn_image *m, unsigned level, const int32_t at[3], uint32_t layer, float weight,
		    struct gcn_taps *out)
{
	const uint32_t texel[3] = { (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2] };

	out->addr[out->n] = 0;
	if (!gcn_image_place(m, level, texel, layer, &out->addr[out->n]))
		out->border |= (uint16_t)(1u << out->n);
	out->weight[out->n++] = weight;
}

/* A level's texels, with the weight of the level. */
static void level_taps(const struct gcn_image *m, const struct gcn_sampler *s, const struct gcn_point *p,
		       unsigned level, bool linear, float weight, struct gcn_taps *out)
{
	static const uint8_t gathered[4] = { 2, 3, 1, 0 };      /* from the lower left on, against the clock */
	unsigned dims = gcn_image_dimensions(m);
	struct axis axis[3] = { { 0 } };
	uint32_t size[3];
	bool filters[3];

	gcn_image_size(m, level, size);
	for (unsigned d = 0; d < 3; d++) {
		filters[d] = d < dims && (d == 2 && s->z_filter ? s->z_filter == 2 : linear);
		if (d < dims)
			axis[d] = axis_of(s->wrap[d], p->position[d], (int32_t)size[d], s->normalised, filters[d],
					  p->offset[d]);
	}
	for (unsigned k = 0; k < 8; k++) {
		unsigned corner = p->gather && k < 4 ? gathered[k] : k;
		float w = 1;
		int32_t at[3];
		bool exists = true;
		for (unsigned d = 0; d < 3; d++) {
			bool second = corner >> d & 1;
			exists = exists && (!second || filters[d]);
			at[d] = second ? axis[d].j : axis[d].i;
			w *= filters[d] ? second ? axis[d].weight : 1 - axis[d].weight : 1;
		}
		if (exists)
			add_tap(m, level, at, p->layer, w * weight, out);
	}
}

void gcn_image_taps(const struct gcn_image *m, const struct gcn_sampler *s, const struct gcn_point *p,
		    struct gcn_taps *out)
{
	int32_t last = (int32_t)(m->last_level - m->base_level) * LOD_ONE;
	int32_t lod = p->lod < 0 ? 0 : p->lod > last ? last : p->lod;
	bool linear = p->gather || ((p->lod <= 0 ? s->mag_linear : s->min_linear) && !gcn_image_integer(m));
	unsigned level = 0, part = 0;

	if (s->mip_filter == 1)
		level = (unsigned)(lod + LOD_ONE / 2) / LOD_ONE;
	else if (s->mip_filter == 2)
		level = (unsigned)lod / LOD_ONE;
	if (s->mip_filter == 2 && !p->gather && !gcn_image_integer(m))
		part = (unsigned)lod % LOD_ONE;
	out->n = 0;
	out->border = 0;
	level_taps(m, s, p, level, linear, 1 - (float)part / LOD_ONE, out);
	if (part)
		level_taps(m, s, p, level + 1, linear, (float)part / LOD_ONE, out);
}
