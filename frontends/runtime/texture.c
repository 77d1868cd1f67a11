/* Texture and surface objects: a description in device memory (struct wb_texture), whose address is the handle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/runtime/texture.h"

struct object {
	struct object *next;
	uint64_t address;               /* of the description: the handle */
	bool is_surface;
	uint32_t slot;                  /* of a texture: number of the variables with the handle; surfaces have none */
	struct cudaResourceDesc resource;
	struct cudaTextureDesc way;
};

/* HIP's descriptions of textures lack the last member. */
#ifdef RUNTIME_HIP
enum { WAY_BYTES = offsetof(struct cudaTextureDesc, disableTrilinearOptimization) };
#else
enum { WAY_BYTES = sizeof(struct cudaTextureDesc) };
#endif

static struct object *find_object(unsigned long long handle, bool is_surface)
{
	struct object *o = warpbeam_runtime_shared()->objects;

	while (o && (o->address != handle || o->is_surface != is_surface))
		o = o->next;
	return o;
}

/* ---- descriptions ---- */

/* "rgba8_unorm", by the components and the way they are read. */
static void name_format(char format[16], const struct cudaChannelFormatDesc *d, bool fractions)
{
	static const char *const ways[][2] = { { "sint", "snorm" }, { "uint", "unorm" }, { "float", "float" } };

	snprintf(format, 16, "%s%d_%s", d->w ? "rgba" : d->y ? "rg" : "r", d->x, ways[d->f][fractions]);
}

static const char *shape_of(const struct cudaArray *a)
{
	bool layers = a->flags & cudaArrayLayered;

	if (a->flags & cudaArrayCubemap)
		return layers ? "cube_array" : "cube";
	if (!a->extent.height)
		return layers ? "1d_array" : "1d";
	return layers ? "2d_array" : a->extent.depth ? "3d" : "2d";
}

static void put_array(const struct cudaArray *a, unsigned levels, struct wb_texture *to)
{
	to->texels = (uint32_t)a->address;
	to->row = to->row_bytes = (uint32_t)a->row;
	to->slice = (uint32_t)a->slice;
	to->width = (uint32_t)a->width;
	to->height = (uint32_t)a->height;
	to->depth = (uint32_t)a->depth;
	to->levels = levels;
	strcpy(to->shape, shape_of(a));
}

/* Memory behind a pointer: one row, or rows with a pitch. */
static cudaError_t put_memory(struct runtime *r, const void *p, const struct cudaChannelFormatDesc *desc, size_t bytes,
			      size_t width, size_t height, size_t pitch, struct wb_texture *to)
{
	enum { ALIGNMENT = 32 };
	bool rows = height > 0;
	size_t texel = texel_bytes(desc);

	if (!texel)
		return cudaErrorInvalidChannelDescriptor;
	if (rows && (width > ROW_MOST || height > ROW_MOST || pitch < width * texel || pitch > UINT32_MAX ||
		     number(p) % ALIGNMENT || pitch % ALIGNMENT))
		return cudaErrorInvalidValue;
	if (rows)
		bytes = (height - 1) * pitch + width * texel;
	else
		width = bytes / texel < LINEAR_MOST ? bytes / texel : LINEAR_MOST;
	if (!width || !is_device(r, p, bytes))
		return cudaErrorInvalidValue;
	to->texels = (uint32_t)number(p);
	to->row_bytes = (uint32_t)(width * texel);
	to->row = rows ? (uint32_t)pitch : to->row_bytes;
	to->slice = to->row * (uint32_t)(rows ? height : 1);
	to->width = (uint32_t)width;
	to->height = rows ? (uint32_t)height : 1;
	to->depth = to->levels = 1;
	strcpy(to->shape, rows ? "2d" : "buffer");
	return cudaSuccess;
}

/* Place and sizes; *desc: the texels. */
static cudaError_t put_resource(struct runtime *r, const struct cudaResourceDesc *from,
				struct cudaChannelFormatDesc *desc, struct wb_texture *to)
{
	const struct cudaArray *a = NULL;
	const struct cudaMipmappedArray *m = NULL;

	switch (from->resType) {
	case cudaResourceTypeArray: a = find_array(from->res.array.array); break;
	case cudaResourceTypeMipmappedArray:
		m = find_mipmapped(from->res.mipmap.mipmap);
		a = m ? m->level[0] : NULL;
		break;
	case cudaResourceTypeLinear:
		*desc = from->res.linear.desc;
		return put_memory(r, from->res.linear.devPtr, desc, from->res.linear.sizeInBytes, 0, 0, 0, to);
	case cudaResourceTypePitch2D:
		*desc = from->res.pitch2D.desc;
		if (!from->res.pitch2D.height)
			return cudaErrorInvalidValue;
		return put_memory(r, from->res.pitch2D.devPtr, desc, 0, from->res.pitch2D.width,
				  from->res.pitch2D.height, from->res.pitch2D.pitchInBytes, to);
	default: return cudaErrorInvalidValue;
	}
	if (!a)
		return cudaErrorInvalidResourceHandle;
	*desc = a->desc;
	put_array(a, m ? m->levels : 1, to);
	return cudaSuccess;
}

/* Wrap and mirror are for coordinates from 0 to 1, as documented; texels of a row are clamped. */
static uint32_t wrap_of(const struct cudaTextureDesc *way, unsigned axis)
{
	switch (way->addressMode[axis]) {
	case cudaAddressModeWrap: return way->normalizedCoords ? WB_WRAP_REPEAT : WB_WRAP_CLAMP;
	case cudaAddressModeMirror: return way->normalizedCoords ? WB_WRAP_MIRROR : WB_WRAP_CLAMP;
	case cudaAddressModeBorder: return WB_WRAP_BORDER;
	default: return WB_WRAP_CLAMP;
	}
}

static cudaError_t put_way(const struct cudaTextureDesc *way, const struct cudaChannelFormatDesc *desc,
			   struct wb_texture *to)
{
	bool integers = desc->f != cudaChannelFormatKindFloat, fractions = way->readMode == cudaReadModeNormalizedFloat;
	bool is_cube = !strncmp(to->shape, "cube", 4);

	if (integers && fractions && desc->x == 32)
		return cudaErrorInvalidNormSetting;
	if (integers && !fractions && way->filterMode == cudaFilterModeLinear)
		return cudaErrorInvalidFilterSetting;
	if (to->levels > 1 && !way->normalizedCoords)
		return cudaErrorInvalidValue;
	name_format(to->format, desc, fractions && integers);
	to->normalized = is_cube || way->normalizedCoords;
	to->srgb = way->sRGB && desc->x == 8;
	for (unsigned i = 0; i < 3; i++)
		to->wrap[i] = wrap_of(way, i);
	to->linear = way->filterMode == cudaFilterModeLinear;
	to->mip_linear = way->mipmapFilterMode == cudaFilterModeLinear;
	to->lod_bias = way->mipmapLevelBias;
	to->min_lod = way->minMipmapLevelClamp;
	to->max_lod = way->maxMipmapLevelClamp;
	for (unsigned i = 0; i < 4; i++)
		if (integers && !fractions)
			to->border[i] = (uint32_t)(int32_t)way->borderColor[i];
		else
			memcpy(&to->border[i], &way->borderColor[i], sizeof to->border[i]);
	return cudaSuccess;
}

cudaError_t describe(struct runtime *r, const struct cudaResourceDesc *from, const struct cudaTextureDesc *way,
		     struct wb_texture *to)
{
	struct cudaChannelFormatDesc desc;
	cudaError_t e;

	*to = (struct wb_texture){ 0 };
	e = put_resource(r, from, &desc, to);
	if (e == cudaSuccess && way)
		e = put_way(way, &desc, to);
	return e;
}

/* ---- objects ---- */

static bool slot_is_taken(uint32_t slot)
{
	const struct object *o = warpbeam_runtime_shared()->objects;

	while (o && (o->is_surface || o->slot != slot))
		o = o->next;
	return o;
}

/* Write the handles of textures for a kernel that loads handles: variables of the module have the handles. */
cudaError_t write_textures(struct runtime *r, struct function *f)
{
	const struct wb_program *p = f->alone ? f->alone : f->module->program;
	uint64_t handles[WB_LOADED_TEXTURES] = { 0 };
	enum wb_status s = WB_OK;
	struct wb_diag d;
	char name[64];

	if (f->textures == warpbeam_runtime_shared()->changes)
		return cudaSuccess;
	f->textures = warpbeam_runtime_shared()->changes;
	for (const struct object *o = warpbeam_runtime_shared()->objects; o; o = o->next)
		if (!o->is_surface && o->slot < WB_LOADED_TEXTURES)
			handles[o->slot] = o->address;
	for (unsigned i = 0; s == WB_OK && i < WB_LOADED_TEXTURES; i++) {
		snprintf(name, sizeof name, "__warpbeam_texture_%u", i);
		s = wb_device_write_variable(r->device, p, name, 0, &handles[i], sizeof handles[i], &d);
	}
	return cudaSuccess;     /* modules without kernels that load handles lack the variables */
}

/* Where a described resource has its first texel. */
static uint64_t address_of(const struct cudaResourceDesc *resource)
{
	switch (resource->resType) {
	case cudaResourceTypeArray: return find_array(resource->res.array.array)->address;
	case cudaResourceTypeMipmappedArray: return find_mipmapped(resource->res.mipmap.mipmap)->level[0]->address;
	default: return number(resource->res.linear.devPtr);
	}
}

static cudaError_t make_object(struct runtime *r, unsigned long long *handle, const struct cudaResourceDesc *resource,
			       const struct cudaTextureDesc *way, bool is_surface)
{
	struct wb_texture texture;
	struct object_bytes bytes;
	struct wb_diag d;
	struct object *o;
	uint32_t slot = 0;
	cudaError_t e;

	if (!handle || !resource || (!is_surface && !way))
		return cudaErrorInvalidValue;
	if (is_surface && resource->resType != cudaResourceTypeArray)
		return cudaErrorInvalidValue;
	while (!is_surface && slot_is_taken(slot))
		slot++;
	e = describe(r, resource, way, &texture);
	if (e == cudaSuccess && is_surface)
		name_format(texture.format, &find_array(resource->res.array.array)->desc, false);
	if (e == cudaSuccess)
		e = object_bytes(r, &texture, address_of(resource), slot, &bytes);
	if (e != cudaSuccess)
		return e;
	o = calloc(1, sizeof *o);
	if (!o || wb_memory_alloc(r->device, bytes.n, &o->address, &d) != WB_OK) {
		free(o);
		return cudaErrorMemoryAllocation;
	}
	o->is_surface = is_surface;
	o->slot = slot;
	warpbeam_runtime_shared()->changes += !is_surface;
	o->resource = *resource;
	if (way)
		memcpy(&o->way, way, WAY_BYTES);
	o->next = warpbeam_runtime_shared()->objects;
	warpbeam_runtime_shared()->objects = o;
	*handle = o->address;
	return error_of(r, wb_memory_write(r->device, o->address, bytes.bytes, bytes.n, &d), "an object", &d);
}

static cudaError_t destroy_object(struct runtime *r, unsigned long long handle, bool is_surface)
{
	struct object *o = find_object(handle, is_surface), **p = &warpbeam_runtime_shared()->objects;
	struct wb_diag d;

	if (!o)
		return handle ? cudaErrorInvalidResourceHandle : cudaSuccess;
	while (*p != o)
		p = &(*p)->next;
	*p = o->next;
	warpbeam_runtime_shared()->changes += !is_surface;
	wb_memory_free(r->device, o->address, &d);
	free(o);
	return cudaSuccess;
}

static cudaError_t object_info(unsigned long long handle, bool is_surface, struct cudaResourceDesc *resource,
			       struct cudaTextureDesc *way)
{
	struct object *o = find_object(handle, is_surface);

	if (!o)
		return cudaErrorInvalidResourceHandle;
	if (!resource && !way)
		return cudaErrorInvalidValue;
	if (resource)
		*resource = o->resource;
	if (way)
		memcpy(way, &o->way, WAY_BYTES);
	return cudaSuccess;
}

static cudaError_t make_texture(struct runtime *r, cudaTextureObject_t *texture,
				const struct cudaResourceDesc *resource, const struct cudaTextureDesc *way,
				const struct cudaResourceViewDesc *view)
{
	if (!view)
		return make_object(r, texture, resource, way, false);
	program_say(r->program, "cudaCreateTextureObject: a view of a resource is not in this runtime; pass NULL, and "
		    "make an array of the format wanted");
	return cudaErrorNotSupported;
}

CALL cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
					 const struct cudaTextureDesc *way, const struct cudaResourceViewDesc *view)
{
	WITH_RUNTIME(make_texture(r, texture, resource, way, view));
}
CALL cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
					    const struct cudaTextureDesc *way, const struct cudaResourceViewDesc *view);
/* The name in programs of CUDA 11.8, whose description of a texture is longer. */
CALL cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
					    const struct cudaTextureDesc *way, const struct cudaResourceViewDesc *view)
{
	return cudaCreateTextureObject(texture, resource, way, view);
}
CALL cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
	WITH_RUNTIME(destroy_object(r, texture, false));
}
CALL cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t texture)
{
	WITH_RUNTIME(object_info(texture, false, resource, NULL));
}
CALL cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *way, cudaTextureObject_t texture)
{
	WITH_RUNTIME(object_info(texture, false, NULL, way));
}
CALL cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource)
{
	WITH_RUNTIME(make_object(r, surface, resource, NULL, true));
}
CALL cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
	WITH_RUNTIME(destroy_object(r, surface, true));
}
CALL cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t surface)
{
	WITH_RUNTIME(object_info(surface, true, resource, NULL));
}
