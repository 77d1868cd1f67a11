/* Texture and surface references, of CUDA before 12: a texture reference is a variable of the device with the address
 * of a description (struct wb_texture), which a bind call writes; a surface reference is the description itself. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/runtime/texture.h"

struct reference {
	struct reference *next;
	const void *host;               /* struct textureReference or surfaceReference */
	bool is_surface;
	const char *name;
	struct module *module;
	bool fractions;                 /* integers are read as numbers up to 1 */
	uint64_t address;               /* of the description on the device; 0: not bound so far */
};

/* Registered by one thread, before main or while a library is loaded. */
static struct reference *references;

CALL void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name, int dimensions,
				int fractions, int external);
CALL void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name, int dimensions,
				int external);

static void register_reference(void **handle, const struct reference *like)
{
	struct reference *t = calloc(1, sizeof *t);
	struct module *m = (struct module *)(void *)handle;

	if (!t)
		return;
	*t = *like;
	t->module = m;
	if (m)
		m->variables = true;
	t->next = references;
	references = t;
}

void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name, int dimensions,
			   int fractions, int external)
{
	(void)device, (void)dimensions, (void)external;
	register_reference(handle, &(struct reference){ .host = host, .name = name, .fractions = fractions });
}

void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name, int dimensions,
			   int external)
{
	(void)device, (void)dimensions, (void)external;
	register_reference(handle, &(struct reference){ .host = host, .name = name, .is_surface = true });
}

static struct reference *find_kind(const void *host, bool is_surface)
{
	struct reference *t = references;

	while (t && (t->host != host || t->is_surface != is_surface))
		t = t->next;
	return t;
}

static struct reference *find_reference(const void *host) { return find_kind(host, false); }

/* The handle in the device's variable. */
static cudaError_t write_handle(struct runtime *r, struct reference *t, uint64_t handle)
{
	struct wb_diag d;

	return error_of(r, wb_device_write_variable(r->device, t->module->program, t->name, 0, &handle, sizeof handle,
						    &d), t->name, &d);
}

static cudaError_t bind(struct runtime *r, const struct textureReference *host, const struct cudaResourceDesc *resource)
{
	struct reference *t = find_reference(host);
	struct cudaTextureDesc way = { .sRGB = 0 };
	struct wb_texture description;
	struct wb_diag d;
	cudaError_t e;

	if (!t)
		return cudaErrorInvalidTexture;
	memcpy(way.addressMode, host->addressMode, sizeof way.addressMode);
	way.filterMode = host->filterMode;
	way.readMode = t->fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
	way.sRGB = host->sRGB;
	way.normalizedCoords = host->normalized;
	way.mipmapFilterMode = host->mipmapFilterMode;
	way.mipmapLevelBias = host->mipmapLevelBias;
	way.minMipmapLevelClamp = host->minMipmapLevelClamp;
	way.maxMipmapLevelClamp = host->maxMipmapLevelClamp;
	e = load_module(r, t->module);
	if (e == cudaSuccess)
		e = describe(r, resource, &way, &description);
	if (e != cudaSuccess)
		return e;
	if (!t->address && wb_memory_alloc(r->device, sizeof description, &t->address, &d) != WB_OK)
		return cudaErrorMemoryAllocation;
	e = error_of(r, wb_memory_write(r->device, t->address, &description, sizeof description, &d), "a texture", &d);
	return e == cudaSuccess ? write_handle(r, t, t->address) : e;
}

static cudaError_t bind_memory(struct runtime *r, size_t *offset, const struct textureReference *t, const void *p,
			       const struct cudaChannelFormatDesc *desc, size_t bytes)
{
	struct cudaResourceDesc resource = { .resType = cudaResourceTypeLinear };
	uint64_t start, all;

	if (!t || !desc || !wb_memory_find(r->device, number(p), &start, &all))
		return cudaErrorInvalidValue;
	all -= number(p) - start;
	resource.res.linear.devPtr = (void *)(uintptr_t)p;
	resource.res.linear.desc = *desc;
	resource.res.linear.sizeInBytes = bytes < all ? bytes : all;
	if (offset)
		*offset = 0;
	return bind(r, t, &resource);
}

static cudaError_t bind_rows(struct runtime *r, size_t *offset, const struct textureReference *t, const void *p,
			     const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch)
{
	struct cudaResourceDesc resource = { .resType = cudaResourceTypePitch2D };

	if (!t || !desc || !height)
		return cudaErrorInvalidValue;
	resource.res.pitch2D.devPtr = (void *)(uintptr_t)p;
	resource.res.pitch2D.desc = *desc;
	resource.res.pitch2D.width = width;
	resource.res.pitch2D.height = height;
	resource.res.pitch2D.pitchInBytes = pitch;
	if (offset)
		*offset = 0;
	return bind(r, t, &resource);
}

static cudaError_t bind_array(struct runtime *r, const struct textureReference *t, cudaArray_const_t array)
{
	struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray };

	resource.res.array.array = (cudaArray_t)(uintptr_t)array;
	return t ? bind(r, t, &resource) : cudaErrorInvalidValue;
}

static cudaError_t bind_mipmapped(struct runtime *r, const struct textureReference *t, cudaMipmappedArray_const_t array)
{
	struct cudaResourceDesc resource = { .resType = cudaResourceTypeMipmappedArray };

	resource.res.mipmap.mipmap = (cudaMipmappedArray_t)(uintptr_t)array;
	return t ? bind(r, t, &resource) : cudaErrorInvalidValue;
}

static cudaError_t bind_surface(struct runtime *r, const struct surfaceReference *host, cudaArray_const_t array)
{
	struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray };
	struct reference *s = find_kind(host, true);
	struct wb_texture description;
	struct wb_diag d;
	cudaError_t e;

	if (!s)
		return cudaErrorInvalidSurface;
	resource.res.array.array = (cudaArray_t)(uintptr_t)array;
	e = load_module(r, s->module);
	if (e == cudaSuccess)
		e = describe(r, &resource, NULL, &description);
	if (e != cudaSuccess)
		return e;
	return error_of(r, wb_device_write_variable(r->device, s->module->program, s->name, 0, &description,
						    sizeof description, &d), s->name, &d);
}

static cudaError_t unbind(struct runtime *r, const struct textureReference *host)
{
	struct reference *t = find_reference(host);
	cudaError_t e = t ? load_module(r, t->module) : cudaErrorInvalidTexture;

	return e == cudaSuccess ? write_handle(r, t, 0) : e;
}

/* ---- calls ---- */

CALL cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texture, const void *p,
				 const struct cudaChannelFormatDesc *desc, size_t bytes)
{
	WITH_RUNTIME(bind_memory(r, offset, texture, p, desc, bytes));
}
CALL cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texture, const void *p,
				   const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch)
{
	WITH_RUNTIME(bind_rows(r, offset, texture, p, desc, width, height, pitch));
}
CALL cudaError_t cudaBindTextureToArray(const struct textureReference *texture, cudaArray_const_t array,
					const struct cudaChannelFormatDesc *desc)
{
	(void)desc;
	WITH_RUNTIME(bind_array(r, texture, array));
}
CALL cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *texture,
						 cudaMipmappedArray_const_t array,
						 const struct cudaChannelFormatDesc *desc)
{
	(void)desc;
	WITH_RUNTIME(bind_mipmapped(r, texture, array));
}
CALL cudaError_t cudaUnbindTexture(const struct textureReference *texture) { WITH_RUNTIME(unbind(r, texture)); }
CALL cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texture)
{
	if (!offset || !find_reference(texture))
		return keep_error(offset ? cudaErrorInvalidTexture : cudaErrorInvalidValue);
	*offset = 0;
	return cudaSuccess;
}
CALL cudaError_t cudaGetTextureReference(const struct textureReference **texture, const void *symbol)
{
	struct reference *t = find_reference(symbol);

	if (!texture || !t)
		return keep_error(t ? cudaErrorInvalidValue : cudaErrorInvalidTexture);
	*texture = t->host;
	return cudaSuccess;
}
CALL cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surface, cudaArray_const_t array,
					const struct cudaChannelFormatDesc *desc)
{
	(void)desc;
	WITH_RUNTIME(bind_surface(r, surface, array));
}
CALL cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surface, const void *symbol)
{
	struct reference *s = find_kind(symbol, true);

	if (!surface || !s)
		return keep_error(s ? cudaErrorInvalidValue : cudaErrorInvalidSurface);
	*surface = s->host;
	return cudaSuccess;
}
