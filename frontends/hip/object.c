/* What HIP's kernels have of a texture or surface: words of the machine, 12 of an image or 4 of a buffer, and 8 of a
 * sampler ("Vega Instruction Set Architecture", tables of the buffer, image and sampler resources; the GCN3 manual for
 * chips before). The place of both in the object is that of AMD's runtime, so kernels of hipcc find them. */
#include <string.h>

#include "frontends/runtime/texture.h"

enum { CHANNEL_TYPE_WORD = 8, CHANNEL_ORDER_WORD, WIDTH_WORD, SAMPLER_WORD = 12, OBJECT_WORDS = 20 };
enum { IMAGE_ALIGNMENT = 256 };

/* A format's codes. */
struct format {
	uint32_t data, number, components;
};

/* "rgba8_unorm" */
static bool format_of(const struct wb_texture *t, struct format *out)
{
	static const char *const orders[] = { "rgba", "rg", "r" };
	static const uint8_t components[] = { 4, 2, 1 };
	static const struct { char bits[3]; uint8_t data[3]; } sizes[] = {
		{ "8", { 10, 3, 1 } }, { "16", { 12, 5, 2 } }, { "32", { 14, 11, 4 } },
	};
	static const struct { const char *name; uint8_t number; } numbers[] = {
		{ "_unorm", 0 }, { "_snorm", 1 }, { "_uint", 4 }, { "_sint", 5 }, { "_float", 7 },
	};

	for (unsigned o = 0; o < 3; o++)
		for (unsigned s = 0; s < 3; s++)
			for (unsigned n = 0; n < 5; n++) {
				char name[16] = "";
				strcat(strcat(strcat(name, orders[o]), sizes[s].bits), numbers[n].name);
				if (strcmp(name, t->format))
					continue;
				*out = (struct format){ sizes[s].data[o], t->srgb ? 9 : numbers[n].number,
							components[o] };
				return true;
			}
	return false;
}

/* Words that OCKL reads: type and order of the channels by the numbers of the HSA runtime, and the width. */
static void put_facts(const struct wb_texture *t, const struct format *f, uint32_t w[])
{
	enum { SNORM_8 = 0, UNORM_8 = 2, SINT_8 = 8, UINT_8 = 11, HALF = 14, FLOAT = 15 };
	static const uint8_t types[] = { [0] = UNORM_8, [1] = SNORM_8, [4] = UINT_8, [5] = SINT_8, [9] = UNORM_8 };
	uint32_t bytes = t->row_bytes / t->width / f->components;

	w[CHANNEL_TYPE_WORD] = f->number == 7 ? bytes == 2 ? HALF : FLOAT : types[f->number] + bytes / 2;
	w[CHANNEL_ORDER_WORD] = f->components == 4 ? 8 : f->components == 2 ? 3 : 1;
	w[WIDTH_WORD] = t->width;
}

/* Absent components read 0. */
static uint32_t selects(const struct format *f)
{
	uint32_t word = 0;

	for (unsigned c = 0; c < f->components; c++)
		word |= (4 + c) << 3 * c;
	return word;
}

static uint32_t type_of(const struct wb_texture *t)
{
	static const struct { const char *shape; uint8_t type; } types[] = {
		{ "1d", 8 }, { "2d", 9 }, { "3d", 10 }, { "cube", 11 }, { "cube_array", 11 }, { "1d_array", 12 },
		{ "2d_array", 13 },
	};

	for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
		if (!strcmp(types[i].shape, t->shape))
			return types[i].type;
	return 0;
}

/* Up to bonaire the hardware counts texels. */
static void put_buffer(const struct wb_texture *t, uint64_t texels, const struct format *f, bool counts_bytes,
		       uint32_t w[])
{
	uint32_t texel = t->row_bytes / t->width;

	w[0] = (uint32_t)texels;
	w[1] = (uint32_t)(texels >> 32) | texel << 16;
	w[2] = counts_bytes ? t->row_bytes : t->width;
	w[3] = selects(f) | f->number << 12 | f->data << 15;
}

static void put_image(const struct wb_texture *t, uint64_t texels, const struct format *f, bool gfx9, uint32_t w[])
{
	enum { TYPE_3D = 10, TYPE_CUBE = 11, LINEAR_ALIGNED = 8 };
	uint32_t type = type_of(t), pitch = t->row / (t->row_bytes / t->width), last = t->depth - 1;

	w[0] = (uint32_t)(texels >> 8);
	w[1] = (uint32_t)(texels >> 40) | f->data << 20 | f->number << 26;
	w[2] = (t->width - 1) | (t->height - 1) << 14;
	w[3] = selects(f) | (gfx9 ? 0 : (uint32_t)LINEAR_ALIGNED << 20) | type << 28;
	w[4] = (type == TYPE_3D || gfx9 ? last : 0) | (pitch - 1) << 13;
	w[5] = type >= TYPE_CUBE && !gfx9 ? last << 13 : 0;
}

static uint32_t fixed(float v, float least, float most)
{
	return (uint32_t)(int32_t)((v > least ? v < most ? v : most : least) * 256);
}

/* The border's colour: 0000, 0001 or 1111; others are in a table of the hardware. */
static uint32_t border_of(struct runtime *r, const struct wb_texture *t)
{
	const uint32_t one = !strcmp(strchr(t->format, '_'), "_uint") || !strcmp(strchr(t->format, '_'), "_sint") ?
			     1 : 0x3f800000, *b = t->border;
	bool dark = !b[0] && !b[1] && !b[2], white = b[0] == one && b[1] == one && b[2] == one && b[3] == one;

	if (!(dark && (!b[3] || b[3] == one)) && !white)
		program_say(r->program, "hipCreateTextureObject: a border is black or white here, and taken as black");
	return white ? 2 : dark && b[3] == one ? 1 : 0;
}

static void put_sampler(struct runtime *r, const struct wb_texture *t, uint32_t w[])
{
	static const uint8_t wraps[] = {
		[WB_WRAP_REPEAT] = 0, [WB_WRAP_MIRROR] = 1, [WB_WRAP_CLAMP] = 2, [WB_WRAP_BORDER] = 6,
	};

	for (unsigned d = 0; d < 3; d++)
		w[0] |= (uint32_t)wraps[t->wrap[d]] << 3 * d;
	w[0] |= t->normalized ? 0 : 1u << 15;
	w[1] = fixed(t->min_lod, 0, 15) | fixed(t->max_lod, 0, 15) << 12;
	w[2] = (fixed(t->lod_bias, -16, 15) & 0x3fff) | t->linear << 20 | t->linear << 22 |
	       (t->mip_linear ? 2u : 1u) << 26;
	w[3] = border_of(r, t) << 30;
}

cudaError_t object_bytes(struct runtime *r, const struct wb_texture *t, uint64_t texels, uint32_t slot,
			 struct object_bytes *out)
{
	uint32_t w[OBJECT_WORDS] = { 0 };
	bool buffer = !strcmp(t->shape, "buffer"), gfx9 = !strncmp(r->chip, "gfx9", 4);
	struct format f;

	(void)slot;
	if (t->levels > 1) {
		program_say(r->program, "hipCreateTextureObject: arrays of several levels are not in this runtime");
		return cudaErrorNotSupported;
	}
	if (!format_of(t, &f))
		return cudaErrorInvalidChannelDescriptor;
	if (!buffer && (texels % IMAGE_ALIGNMENT || t->width > 16384 || t->height > 16384 || t->depth > 8192 ||
			t->row % (t->row_bytes / t->width)))
		return cudaErrorInvalidValue;
	if (buffer)
		put_buffer(t, texels, &f, strcmp(r->chip, "bonaire") && strcmp(r->chip, "tahiti"), w);
	else
		put_image(t, texels, &f, gfx9, w);
	put_facts(t, &f, w);
	put_sampler(r, t, w + SAMPLER_WORD);
	out->n = sizeof w;
	memcpy(out->bytes, w, sizeof w);
	return cudaSuccess;
}

/* Names in programs of AMD's headers, where the two calls are C++. */
#define SURFACE_CREATE _Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc
#define SURFACE_DESTROY _Z23hipDestroySurfaceObjectP13__hip_surface
CALL cudaError_t SURFACE_CREATE(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource);
CALL cudaError_t SURFACE_DESTROY(cudaSurfaceObject_t surface);
CALL cudaError_t SURFACE_CREATE(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource)
{
	return cudaCreateSurfaceObject(surface, resource);
}
CALL cudaError_t SURFACE_DESTROY(cudaSurfaceObject_t surface)
{
	return cudaDestroySurfaceObject(surface);
}
