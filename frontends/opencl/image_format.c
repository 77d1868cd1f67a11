/* Formats of images (image.def), and colours as texels. */
#include "frontends/opencl/image.h"

#include <math.h>

enum { ALL = 1, BYTES = 2, NUMBERS = 4, PACKED = 8 };   /* sets of types */

static const struct order_row {
	cl_channel_order order;
	uint32_t channels, reads, writes;
	float border;
	unsigned types;
} orders[] = {
#define ORDER(order, channels, reads, writes, border, types) { order, channels, reads, writes, border, types },
#include "frontends/opencl/image.def"
};
static const struct type_row {
	cl_channel_type type;
	enum wb_image_kind kind;
	uint32_t channel_bytes;
	float most;
	unsigned types;
} types[] = {
#define TYPE(type, kind, channel_bytes, most, types) { type, kind, channel_bytes, most, types },
#include "frontends/opencl/image.def"
};
enum { ORDERS = sizeof orders / sizeof *orders, TYPES = sizeof types / sizeof *types };

cl_int image_take_format(struct wb_image *shape, const cl_image_format *f)
{
	const struct order_row *o = orders;
	const struct type_row *t = types;

	while (o < orders + ORDERS && o->order != f->image_channel_order)
		o++;
	while (t < types + TYPES && t->type != f->image_channel_data_type)
		t++;
	if (o == orders + ORDERS || t == types + TYPES || !(o->types & t->types))
		return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
	shape->order = o->order;
	shape->type = t->type;
	shape->kind = t->kind;
	shape->channels = o->channels;
	shape->channel_bytes = t->channel_bytes;
	shape->texel = o->channels * t->channel_bytes;
	shape->reads = o->reads;
	shape->writes = o->writes;
	shape->border = o->border;
	shape->most = t->most;
	shape->scale = t->most ? 1 / t->most : 0;
	return CL_SUCCESS;
}

bool image_format(unsigned index, cl_image_format *out)
{
	for (unsigned i = 0; i < ORDERS * TYPES; i++)
		if ((orders[i / TYPES].types & types[i % TYPES].types) && !index--) {
			*out = (cl_image_format){ orders[i / TYPES].order, types[i % TYPES].type };
			return true;
		}
	return false;
}

/* ---- colours ---- */

/* The nearest integer from low to most, an even one between two; a NaN is the lowest. */
static uint32_t rounded(float x, float low, float most)
{
	return (uint32_t)(int32_t)rintf(x > low ? x < most ? x : most : low);
}

/* The nearest half, one with an even last bit between two. */
static uint32_t half_of(float x)
{
	union { float f; uint32_t u; } v = { x }, scaled = { fabsf(x) };
	uint32_t sign = v.u >> 16 & 0x8000;

	if (scaled.u > 0x7f800000)
		return sign | 0x7e00;
	if (scaled.f >= 65520)
		return sign | 0x7c00;
	if (scaled.f < 0x1p-14f)
		return sign | (uint32_t)rintf(scaled.f * 0x1p24f);
	/* the exponent of a half is less by 112, and its last bit the thirteenth */
	return sign | ((scaled.u - (112u << 23) + 0xfff + (scaled.u >> 13 & 1)) >> 13);
}

static uint32_t clamped(const struct wb_image *s, uint32_t bits)
{
	int32_t v = (int32_t)bits, most = s->channel_bytes == 1 ? 127 : 32767;

	if (s->channel_bytes == 4)
		return bits;
	if (s->kind == WB_IMAGE_UNSIGNED)
		return bits > 2u * (uint32_t)most + 1 ? 2u * (uint32_t)most + 1 : bits;
	return (uint32_t)(v > most ? most : v < -most - 1 ? -most - 1 : v);
}

static uint32_t packed(const struct wb_image *s, const float c[4])
{
	unsigned side = s->kind == WB_IMAGE_101010 ? 10 : 5, middle = s->kind == WB_IMAGE_565 ? 6 : side;
	float most = (float)((1 << side) - 1), middle_most = (float)((1 << middle) - 1);

	return (rounded(c[0] * most, 0, most) << middle | rounded(c[1] * middle_most, 0, middle_most)) << side |
	       rounded(c[2] * most, 0, most);
}

void image_texel(const struct wb_image *s, const void *colour, void *texel)
{
	float c[4];
	uint32_t bits[4];

	memcpy(c, colour, sizeof c);
	memcpy(bits, colour, sizeof bits);
	for (uint32_t channel = 0; channel < s->channels; channel++) {
		unsigned k = s->writes >> 4 * channel & 3;
		uint32_t v = s->kind >= WB_IMAGE_565 ? packed(s, c) : s->kind == WB_IMAGE_FLOAT ? bits[k] :
			     s->kind == WB_IMAGE_HALF ? half_of(c[k]) :
			     s->kind == WB_IMAGE_UNORM ? rounded(c[k] * s->most, 0, s->most) :
			     s->kind == WB_IMAGE_SNORM ? rounded(c[k] * s->most, -1 - s->most, s->most) :
			     clamped(s, bits[k]);
		memcpy((uint8_t *)texel + channel * s->channel_bytes, &v, s->channel_bytes);
	}
}
