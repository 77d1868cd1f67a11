/* Textures behind handles. A kernel of PTX names its textures by number, and says where the handle of each is; a handle
 * is the address in g[] of a description, struct wb_texture of warpbeam.h, which is read when the launch is prepared. A
 * number that a scene has stays the scene's.
 *
 * Handles and descriptions are a guest's bytes: whatever is no description leaves the number without a texture, and an
 * instruction that uses the number faults with TEXTURE_UNBOUND. */
#include "device/inputs/scene_texture.h"

#include <string.h>

enum { WIDTH_MOST = 65536, BUFFER_MOST = 1 << 27, DEPTH_MOST = 2048, LAYERS_MOST = 6 * 2048 };

static const char *const shapes[TEXTURE_TYPES] = {
	[TEXTURE_1D] = "1d", [TEXTURE_2D] = "2d", [TEXTURE_3D] = "3d", [TEXTURE_CUBE] = "cube",
	[TEXTURE_1D_ARRAY] = "1d_array", [TEXTURE_2D_ARRAY] = "2d_array", [TEXTURE_BUFFER] = "buffer",
	[TEXTURE_RECT] = "rect", [TEXTURE_CUBE_ARRAY] = "cube_array",
};

/* The handle of a texture; 0: none. */
static uint64_t handle_of(const struct wb_launch *l, const struct image_texture *t)
{
	const struct const_bank *c = &l->inputs->banks.bank[t->bank];
	uint32_t address;
	uint64_t handle = 0;

	if (!t->in_variable) {
		if (t->offset + sizeof handle <= l->plan.param.size)
			memcpy(&handle, l->plan.params + t->offset, sizeof handle);
		return handle;
	}
	if (c->size < sizeof address || t->offset > c->size - sizeof address)
		return 0;
	memcpy(&address, c->bytes + t->offset, sizeof address);
	return global_read(l->machine.global, address, &handle, sizeof handle) ? handle : 0;
}

/* Faces and layers count in the depth of a description. */
static bool has_layers(unsigned type)
{
	return type == TEXTURE_1D_ARRAY || type == TEXTURE_2D_ARRAY || type == TEXTURE_CUBE ||
	       type == TEXTURE_CUBE_ARRAY;
}

static bool sizes_fit(const struct wb_texture *from, const struct texture *t)
{
	bool buffer = t->type == TEXTURE_BUFFER, flat = buffer || t->type == TEXTURE_1D || t->type == TEXTURE_1D_ARRAY;
	bool cube = t->type == TEXTURE_CUBE || t->type == TEXTURE_CUBE_ARRAY;
	uint32_t depth_most = has_layers(t->type) ? LAYERS_MOST : t->type == TEXTURE_3D ? DEPTH_MOST : 1;

	return from->width && from->width <= (buffer ? BUFFER_MOST : WIDTH_MOST) && from->height &&
	       from->height <= (flat ? 1 : WIDTH_MOST) && from->depth && from->depth <= depth_most &&
	       (!cube || from->height == from->width) && (t->type != TEXTURE_CUBE || from->depth == 6) &&
	       (t->type != TEXTURE_CUBE_ARRAY || from->depth % 6 == 0) && from->levels &&
	       from->levels <= TEXTURE_LEVELS;
}

static bool read_format(const struct wb_texture *from, struct texture *t)
{
	struct texture_named_format f;
	unsigned type = 0;

	while (type < TEXTURE_TYPES && strncmp(shapes[type], from->shape, sizeof from->shape) != 0)
		type++;
	if (type == TEXTURE_TYPES || !memchr(from->format, '\0', sizeof from->format) ||
	    !texture_format_named(from->format, &f))
		return false;
	t->type = (uint8_t)type;
	t->format = f.format;
	t->depth = f.depth;
	memcpy(t->texel_type, f.texel_type, sizeof t->texel_type);
	memcpy(t->source, f.source, sizeof t->source);
	return true;
}

static bool make_texture(const struct wb_texture *from, struct texture *t)
{
	if (!read_format(from, t) || !sizes_fit(from, t))
		return false;
	t->levels = (uint8_t)from->levels;
	t->layers = has_layers(t->type) ? from->depth : 1;
	t->normalised = from->normalized;
	t->srgb = from->srgb;
	t->from_memory = true;
	t->address = from->texels;
	t->level[0] = (struct texture_level){ .width = from->width, .height = from->height,
					      .depth = has_layers(t->type) ? 1 : from->depth };
	texture_pack(t);
	if (t->levels == 1) {
		t->level[0].row_bytes = from->row;
		t->level[0].slice_bytes = t->level[0].layer_bytes = from->slice;
	}
	return texture_ready(t);
}

static int32_t lod_of(float levels)
{
	const float most = 15.996f;

	return (int32_t)((levels > -most ? levels < most ? levels : most : -most) * 256);
}

static void make_sampler(const struct wb_texture *from, struct sampler *s)
{
	*s = texture_default_sampler;
	for (unsigned i = 0; i < 3; i++)
		s->wrap[i] = (uint8_t)(from->wrap[i] < WRAPS ? from->wrap[i] : WRAP_CLAMP);
	s->min_linear = s->mag_linear = from->linear;
	s->mip = from->levels < 2 ? MIP_NONE : from->mip_linear ? MIP_LINEAR : MIP_NEAREST;
	s->lod_bias = lod_of(from->lod_bias);
	s->min_lod = lod_of(from->min_lod);
	s->max_lod = lod_of(from->max_lod);
	s->srgb = from->srgb;
	memcpy(s->border, from->border, sizeof s->border);
	memcpy(s->border_srgb, from->border, sizeof s->border_srgb);
}

static bool bind_handle(struct wb_launch *l, const struct image_texture *at, struct diag *d)
{
	uint64_t handle = handle_of(l, at);
	struct wb_texture from;
	struct texture_set *set;
	struct texture *t;
	struct sampler *s;

	if (!handle || !global_read(l->machine.global, handle, &from, sizeof from))
		return true;
	set = scene_texture_set(l);
	t = ARENA_NEW(&l->arena, struct texture);
	s = ARENA_NEW(&l->arena, struct sampler);
	if (!set || !t || !s)
		return diag_set(d, DIAG_ENV, "out of memory for textures");
	if (set->t[at->number] || !make_texture(&from, t))
		return true;
	make_sampler(&from, s);
	set->t[at->number] = t;
	if (!set->s[at->number])
		set->s[at->number] = s;
	return true;
}

bool texture_handles_bind(struct wb_launch *l, struct diag *d)
{
	const struct image_kernel *k = l->plan.kernel;

	for (size_t i = 0; i < k->ntextures; i++)
		if (k->textures[i].number < SAMPLERS && !bind_handle(l, &k->textures[i], d))
			return false;
	return true;
}
