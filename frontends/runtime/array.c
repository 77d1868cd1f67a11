/* Arrays: texels in device memory, row behind row, slice behind slice, of a mipmapped array level behind level. */
#include <stdlib.h>
#include <string.h>

#include "frontends/runtime/texture.h"

struct cudaArray *find_array(cudaArray_const_t a)
{
	struct cudaArray *p = warpbeam_runtime_shared()->arrays;

	while (p && p != a)
		p = p->next;
	return p;
}

struct cudaMipmappedArray *find_mipmapped(cudaMipmappedArray_const_t a)
{
	struct cudaMipmappedArray *p = warpbeam_runtime_shared()->mipmapped;

	while (p && p != a)
		p = p->next;
	return p;
}

size_t texel_bytes(const struct cudaChannelFormatDesc *d)
{
	const int bits[4] = { d->x, d->y, d->z, d->w };
	unsigned n = 0;

	while (n < 4 && bits[n] == d->x)
		n++;
	for (unsigned i = n; i < 4; i++)
		if (bits[i])
			return 0;
	if ((d->x != 8 && d->x != 16 && d->x != 32) || n == 3 || (unsigned)d->f >= cudaChannelFormatKindNone ||
	    (d->f == cudaChannelFormatKindFloat && d->x == 8))
		return 0;
	return n * (size_t)d->x / 8;
}

/* ---- making and freeing ---- */

static cudaError_t check_extent(const struct cudaExtent *e, unsigned flags)
{
	bool cube = flags & cudaArrayCubemap, layered = flags & cudaArrayLayered;

	if (!e->width || e->width > ROW_MOST || e->height > ROW_MOST ||
	    e->depth > SLICES_MOST * (cube ? 6 : 1) || flags > 31)
		return cudaErrorInvalidValue;
	if (cube && (e->width != e->height || !e->depth || e->depth % 6 || (!layered && e->depth != 6)))
		return cudaErrorInvalidValue;
	return (layered && !e->depth) || (!layered && e->depth && !e->height) ? cudaErrorInvalidValue : cudaSuccess;
}

static size_t halved(size_t n, unsigned level) { return n >> level ? n >> level : n != 0; }

/* An array of a level; the address is still that of the memory's begin. */
static struct cudaArray *new_array(const struct cudaChannelFormatDesc *desc, struct cudaExtent e, unsigned flags,
				   unsigned level)
{
	struct cudaArray *a = calloc(1, sizeof *a);
	bool layers = flags & (cudaArrayLayered | cudaArrayCubemap);

	if (!a)
		return NULL;
	a->desc = *desc;
	a->flags = flags;
	a->extent = make_cudaExtent(halved(e.width, level), halved(e.height, level),
				    layers ? e.depth : halved(e.depth, level));
	a->width = a->extent.width;
	a->height = a->extent.height ? a->extent.height : 1;
	a->depth = a->extent.depth ? a->extent.depth : 1;
	a->texel = texel_bytes(desc);
	a->row = a->width * a->texel;
	a->slice = a->row * a->height;
	return a;
}

static void list_array(struct cudaArray *a)
{
	a->next = warpbeam_runtime_shared()->arrays;
	warpbeam_runtime_shared()->arrays = a;
}

static void drop_array(struct cudaArray *a)
{
	struct cudaArray **p = &warpbeam_runtime_shared()->arrays;

	while (*p && *p != a)
		p = &(*p)->next;
	if (*p)
		*p = a->next;
	free(a);
}

static void drop_mipmapped(struct cudaMipmappedArray *m)
{
	struct cudaMipmappedArray **p = &warpbeam_runtime_shared()->mipmapped;

	while (*p && *p != m)
		p = &(*p)->next;
	if (*p)
		*p = m->next;
	for (unsigned i = 0; i < LEVELS_MOST; i++)
		if (m->level[i])
			drop_array(m->level[i]);
	free(m);
}

static cudaError_t check(const void *out, const struct cudaChannelFormatDesc *desc, const struct cudaExtent *e,
			 unsigned flags)
{
	if (!out || !desc)
		return cudaErrorInvalidValue;
	return texel_bytes(desc) ? check_extent(e, flags) : cudaErrorInvalidChannelDescriptor;
}

static cudaError_t make_array(struct runtime *r, cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
			      struct cudaExtent e, unsigned flags)
{
	cudaError_t wrong = check(out, desc, &e, flags);
	struct cudaArray *a = wrong == cudaSuccess ? new_array(desc, e, flags, 0) : NULL;
	struct wb_diag d;

	if (!a)
		return wrong == cudaSuccess ? cudaErrorMemoryAllocation : wrong;
	if (wb_memory_alloc(r->device, a->slice * a->depth, &a->address, &d) != WB_OK) {
		free(a);
		return cudaErrorMemoryAllocation;
	}
	list_array(a);
	*out = a;
	return cudaSuccess;
}

static cudaError_t make_levels(struct runtime *r, struct cudaMipmappedArray *m,
			       const struct cudaChannelFormatDesc *desc, struct cudaExtent e, unsigned flags)
{
	uint64_t bytes = 0, address;
	struct wb_diag d;

	for (unsigned i = 0; i < m->levels; i++) {
		struct cudaArray *a = m->level[i] = new_array(desc, e, flags, i);
		if (!a)
			return cudaErrorMemoryAllocation;
		list_array(a);
		a->owner = m;
		a->address = bytes;
		bytes += a->slice * a->depth;
	}
	if (wb_memory_alloc(r->device, bytes, &address, &d) != WB_OK)
		return cudaErrorMemoryAllocation;
	for (unsigned i = 0; i < m->levels; i++)
		m->level[i]->address += address;
	return cudaSuccess;
}

static cudaError_t make_mipmapped(struct runtime *r, cudaMipmappedArray_t *out,
				  const struct cudaChannelFormatDesc *desc, struct cudaExtent e, unsigned levels,
				  unsigned flags)
{
	cudaError_t wrong = check(out, desc, &e, flags);
	size_t most = e.width > e.height ? e.width : e.height;
	struct cudaMipmappedArray *m;

	if (wrong != cudaSuccess)
		return wrong;
	if (!(flags & (cudaArrayLayered | cudaArrayCubemap)) && e.depth > most)
		most = e.depth;
	if (!levels || levels > LEVELS_MOST || !(most >> (levels - 1)))
		return cudaErrorInvalidValue;
	m = calloc(1, sizeof *m);
	if (!m)
		return cudaErrorMemoryAllocation;
	m->levels = levels;
	wrong = make_levels(r, m, desc, e, flags);
	if (wrong != cudaSuccess) {
		drop_mipmapped(m);
		return wrong;
	}
	m->next = warpbeam_runtime_shared()->mipmapped;
	warpbeam_runtime_shared()->mipmapped = m;
	*out = m;
	return cudaSuccess;
}

static cudaError_t level_of(cudaArray_t *out, cudaMipmappedArray_const_t of, unsigned level)
{
	struct cudaMipmappedArray *m = find_mipmapped(of);

	if (!m)
		return cudaErrorInvalidResourceHandle;
	if (!out || level >= m->levels)
		return cudaErrorInvalidValue;
	*out = m->level[level];
	return cudaSuccess;
}

static cudaError_t free_array(struct runtime *r, struct cudaArray *a)
{
	struct wb_diag d;

	if (!a)
		return cudaSuccess;
	if (!find_array(a) || a->owner)
		return cudaErrorInvalidResourceHandle;
	wb_memory_free(r->device, a->address, &d);
	drop_array(a);
	return cudaSuccess;
}

static cudaError_t free_mipmapped(struct runtime *r, struct cudaMipmappedArray *m)
{
	struct wb_diag d;

	if (!m)
		return cudaSuccess;
	if (!find_mipmapped(m))
		return cudaErrorInvalidResourceHandle;
	wb_memory_free(r->device, m->level[0]->address, &d);
	drop_mipmapped(m);
	return cudaSuccess;
}

static cudaError_t array_info(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned *flags,
			      cudaArray_const_t array)
{
	struct cudaArray *a = find_array(array);

	if (!a)
		return cudaErrorInvalidResourceHandle;
	if (desc)
		*desc = a->desc;
	if (extent)
		*extent = a->extent;
	if (flags)
		*flags = a->flags;
	return cudaSuccess;
}

/* ---- calls ---- */

CALL cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
				 size_t height, unsigned flags)
{
	WITH_RUNTIME(make_array(r, array, desc, make_cudaExtent(width, height, 0), flags));
}

CALL cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
				   struct cudaExtent extent, unsigned flags)
{
	WITH_RUNTIME(make_array(r, array, desc, extent, flags));
}

CALL cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *desc,
					  struct cudaExtent extent, unsigned levels, unsigned flags)
{
	WITH_RUNTIME(make_mipmapped(r, array, desc, extent, levels, flags));
}

CALL cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t of, unsigned level)
{
	WITH_RUNTIME(level_of(array, of, level));
}

CALL cudaError_t cudaFreeArray(cudaArray_t array) { WITH_RUNTIME(free_array(r, array)); }
CALL cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) { WITH_RUNTIME(free_mipmapped(r, array)); }

CALL cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned *flags,
				  cudaArray_t array)
{
	WITH_RUNTIME(array_info(desc, extent, flags, array));
}

CALL cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
	WITH_RUNTIME(desc ? array_info(desc, NULL, NULL, array) : cudaErrorInvalidValue);
}

CALL struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
	return (struct cudaChannelFormatDesc){ x, y, z, w, f };
}
