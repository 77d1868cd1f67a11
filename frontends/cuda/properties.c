/* Properties and attributes of the device: the chip's facts, in the layouts of CUDA 11 and 12,
 * which the headers here share, and of CUDA 13. */
#include <stdio.h>
#include <string.h>

#include "frontends/runtime/texture.h"

/* ---- sizes of textures and surfaces ---- */

/* In the order of the properties' members from maxTexture1D on, with the numbers of the attributes. */
static const struct { int attribute, most; } texture_sizes[] = {
	{ cudaDevAttrMaxTexture1DWidth, ROW_MOST },
	{ cudaDevAttrMaxTexture1DMipmappedWidth, ROW_MOST },
	{ cudaDevAttrMaxTexture1DLinearWidth, LINEAR_MOST },
	{ cudaDevAttrMaxTexture2DWidth, ROW_MOST },
	{ cudaDevAttrMaxTexture2DHeight, ROW_MOST },
	{ cudaDevAttrMaxTexture2DMipmappedWidth, ROW_MOST },
	{ cudaDevAttrMaxTexture2DMipmappedHeight, ROW_MOST },
	{ cudaDevAttrMaxTexture2DLinearWidth, ROW_MOST },
	{ cudaDevAttrMaxTexture2DLinearHeight, ROW_MOST },
	{ cudaDevAttrMaxTexture2DLinearPitch, INT32_MAX },
	{ cudaDevAttrMaxTexture2DGatherWidth, ROW_MOST },
	{ cudaDevAttrMaxTexture2DGatherHeight, ROW_MOST },
	{ cudaDevAttrMaxTexture3DWidth, ROW_MOST },
	{ cudaDevAttrMaxTexture3DHeight, ROW_MOST },
	{ cudaDevAttrMaxTexture3DDepth, SLICES_MOST },
	{ cudaDevAttrMaxTexture3DWidthAlt, ROW_MOST },
	{ cudaDevAttrMaxTexture3DHeightAlt, ROW_MOST },
	{ cudaDevAttrMaxTexture3DDepthAlt, SLICES_MOST },
	{ cudaDevAttrMaxTextureCubemapWidth, ROW_MOST },
	{ cudaDevAttrMaxTexture1DLayeredWidth, ROW_MOST },
	{ cudaDevAttrMaxTexture1DLayeredLayers, SLICES_MOST },
	{ cudaDevAttrMaxTexture2DLayeredWidth, ROW_MOST },
	{ cudaDevAttrMaxTexture2DLayeredHeight, ROW_MOST },
	{ cudaDevAttrMaxTexture2DLayeredLayers, SLICES_MOST },
	{ cudaDevAttrMaxTextureCubemapLayeredWidth, ROW_MOST },
	{ cudaDevAttrMaxTextureCubemapLayeredLayers, SLICES_MOST * 6 },
	{ cudaDevAttrMaxSurface1DWidth, ROW_MOST },
	{ cudaDevAttrMaxSurface2DWidth, ROW_MOST },
	{ cudaDevAttrMaxSurface2DHeight, ROW_MOST },
	{ cudaDevAttrMaxSurface3DWidth, ROW_MOST },
	{ cudaDevAttrMaxSurface3DHeight, ROW_MOST },
	{ cudaDevAttrMaxSurface3DDepth, SLICES_MOST },
	{ cudaDevAttrMaxSurface1DLayeredWidth, ROW_MOST },
	{ cudaDevAttrMaxSurface1DLayeredLayers, SLICES_MOST },
	{ cudaDevAttrMaxSurface2DLayeredWidth, ROW_MOST },
	{ cudaDevAttrMaxSurface2DLayeredHeight, ROW_MOST },
	{ cudaDevAttrMaxSurface2DLayeredLayers, SLICES_MOST },
	{ cudaDevAttrMaxSurfaceCubemapWidth, ROW_MOST },
	{ cudaDevAttrMaxSurfaceCubemapLayeredWidth, ROW_MOST },
	{ cudaDevAttrMaxSurfaceCubemapLayeredLayers, SLICES_MOST * 6 },
};
enum { NSIZES = sizeof texture_sizes / sizeof *texture_sizes };
_Static_assert(offsetof(struct cudaDeviceProp, maxSurfaceCubemapLayered[2]) ==
	       offsetof(struct cudaDeviceProp, maxTexture1D) + NSIZES * sizeof(int), "a row for each member");

/* The members; CUDA 13 has none for a texture of linear memory. */
static void put_texture_sizes(int *to, bool of_13)
{
	for (int i = 0; i < NSIZES; i++)
		if (!of_13 || texture_sizes[i].attribute != cudaDevAttrMaxTexture1DLinearWidth)
			*to++ = texture_sizes[i].most;
}

/* ---- properties ---- */

/* The properties of CUDA 13: clocks and modes are gone. */
struct properties_13 {
	char name[256];
	char uuid[16];
	char luid[8];
	unsigned luidDeviceNodeMask;
	size_t totalGlobalMem;
	size_t sharedMemPerBlock;
	int regsPerBlock;
	int warpSize;
	size_t memPitch;
	int maxThreadsPerBlock;
	int maxThreadsDim[3];
	int maxGridSize[3];
	size_t totalConstMem;
	int major;
	int minor;
	size_t textureAlignment;
	size_t texturePitchAlignment;
	int multiProcessorCount;
	int integrated;
	int canMapHostMemory;
	int textures[39];
	size_t surfaceAlignment;
	int concurrentKernels;
	int ECCEnabled;
	int pci[3];
	int tccDriver;
	int asyncEngineCount;
	int unifiedAddressing;
	int memoryBusWidth;
	int l2CacheSize;
	int persistingL2CacheMaxSize;
	int maxThreadsPerMultiProcessor;
	int streamPrioritiesSupported;
	int globalL1CacheSupported;
	int localL1CacheSupported;
	size_t sharedMemPerMultiprocessor;
	int regsPerMultiprocessor;
	int managedMemory;
};
_Static_assert(offsetof(struct properties_13, surfaceAlignment) == 552, "CUDA 13's layout");
_Static_assert(offsetof(struct properties_13, regsPerMultiprocessor) == 632, "CUDA 13's layout");

/* The members that both layouts have. */
#define FILL(p, r) \
	do { \
		memset(p, 0, sizeof *(p)); \
		board_name(r, (p)->name); \
		(p)->totalGlobalMem = (size_t)chip_fact(r, "memory"); \
		(p)->sharedMemPerBlock = (size_t)chip_fact(r, "shared_bytes"); \
		(p)->sharedMemPerMultiprocessor = (size_t)chip_fact(r, "shared_bytes"); \
		(p)->regsPerBlock = int_fact(r, "registers"); \
		(p)->regsPerMultiprocessor = int_fact(r, "registers"); \
		(p)->warpSize = int_fact(r, "warp_lanes"); \
		(p)->memPitch = INT32_MAX; \
		(p)->maxThreadsPerBlock = int_fact(r, "max_threads"); \
		for (int i = 0; i < 3; i++) { \
			char key[] = { 'm', 'a', 'x', '_', 'b', 'l', 'o', 'c', 'k', '_', (char)('x' + i), '\0' }; \
			(p)->maxThreadsDim[i] = int_fact(r, key); \
			memcpy(key, "max_grid__", 10); \
			key[9] = (char)('x' + i); \
			key[10] = '\0'; \
			(p)->maxGridSize[i] = int_fact(r, key); \
		} \
		(p)->totalConstMem = (size_t)chip_fact(r, "constant_bytes"); \
		(p)->major = int_fact(r, "told_capability") / 10; \
		(p)->minor = int_fact(r, "told_capability") % 10; \
		(p)->textureAlignment = 256; \
		(p)->texturePitchAlignment = 32; \
		(p)->multiProcessorCount = int_fact(r, "multiprocessors"); \
		(p)->canMapHostMemory = 1; \
		(p)->concurrentKernels = 0; \
		(p)->asyncEngineCount = 1; \
		(p)->unifiedAddressing = 1; \
		(p)->maxThreadsPerMultiProcessor = int_fact(r, "warps") * int_fact(r, "warp_lanes"); \
		(p)->managedMemory = 1; \
	} while (0)

CALL cudaError_t cudaGetDeviceProperties(void *prop, int device);
CALL cudaError_t cudaGetDeviceProperties_v2(void *prop, int device);
CALL cudaError_t warpbeam_cudaGetDeviceProperties(void *prop, int device);

static cudaError_t properties(void *prop, int device, bool of_13)
{
	cudaError_t e;
	struct runtime *r;

	if (!prop || device)
		return keep_error(prop ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	r = begin(&e);
	if (!r)
		return keep_error(e);
	if (of_13) {
		struct properties_13 *p = prop;
		FILL(p, r);
		put_texture_sizes(p->textures, true);
	} else {
		struct cudaDeviceProp *p = prop;
		FILL(p, r);
		put_texture_sizes(&p->maxTexture1D, false);
		p->clockRate = int_fact(r, "clock");
		p->maxBlocksPerMultiProcessor = int_fact(r, "blocks");
		p->cooperativeLaunch = 1;
	}
	return end(r, e);
}

cudaError_t cudaGetDeviceProperties(void *prop, int device) { return properties(prop, device, CUDA_RUNTIME >= 13); }
cudaError_t cudaGetDeviceProperties_v2(void *prop, int device) { return properties(prop, device, CUDA_RUNTIME >= 13); }
cudaError_t warpbeam_cudaGetDeviceProperties(void *prop, int device) { return properties(prop, device, false); }

/* ---- attributes ---- */

static const struct { int attribute; const char *key; int value; } attributes[] = {
	{ cudaDevAttrMaxThreadsPerBlock, "max_threads", 0 },
	{ cudaDevAttrMaxBlockDimX, "max_block_x", 0 },
	{ cudaDevAttrMaxBlockDimY, "max_block_y", 0 },
	{ cudaDevAttrMaxBlockDimZ, "max_block_z", 0 },
	{ cudaDevAttrMaxGridDimX, "max_grid_x", 0 },
	{ cudaDevAttrMaxGridDimY, "max_grid_y", 0 },
	{ cudaDevAttrMaxGridDimZ, "max_grid_z", 0 },
	{ cudaDevAttrMaxSharedMemoryPerBlock, "shared_bytes", 0 },
	{ cudaDevAttrMaxSharedMemoryPerBlockOptin, "shared_bytes", 0 },
	{ cudaDevAttrMaxSharedMemoryPerMultiprocessor, "shared_bytes", 0 },
	{ cudaDevAttrTotalConstantMemory, "constant_bytes", 0 },
	{ cudaDevAttrWarpSize, "warp_lanes", 0 },
	{ cudaDevAttrMaxPitch, NULL, INT32_MAX },
	{ 102, NULL, 1 }, /* cuMemMap and its like: no name in the runtime */
	{ cudaDevAttrMaxRegistersPerBlock, "registers", 0 },
	{ cudaDevAttrMaxRegistersPerMultiprocessor, "registers", 0 },
	{ cudaDevAttrClockRate, "clock", 0 },
	{ cudaDevAttrTextureAlignment, NULL, 256 },
	{ cudaDevAttrTexturePitchAlignment, NULL, 32 },
	{ cudaDevAttrMultiProcessorCount, "multiprocessors", 0 },
	{ cudaDevAttrCanMapHostMemory, NULL, 1 },
	{ cudaDevAttrAsyncEngineCount, NULL, 1 },
	{ cudaDevAttrUnifiedAddressing, NULL, 1 },
	{ cudaDevAttrManagedMemory, NULL, 1 },
	{ cudaDevAttrCooperativeLaunch, NULL, 1 },
	{ cudaDevAttrMemoryPoolsSupported, NULL, 1 },
	{ cudaDevAttrMaxBlocksPerMultiprocessor, "blocks", 0 },
};

static int attribute(const struct runtime *r, int which)
{
	if (which == cudaDevAttrComputeCapabilityMajor)
		return int_fact(r, "told_capability") / 10;
	if (which == cudaDevAttrComputeCapabilityMinor)
		return int_fact(r, "told_capability") % 10;
	if (which == cudaDevAttrMaxThreadsPerMultiProcessor)
		return int_fact(r, "warps") * int_fact(r, "warp_lanes");
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
		if (attributes[i].attribute == which)
			return attributes[i].key ? int_fact(r, attributes[i].key) : attributes[i].value;
	for (int i = 0; i < NSIZES; i++)
		if (texture_sizes[i].attribute == which)
			return texture_sizes[i].most;
	return 0;
}

CALL cudaError_t cudaDeviceGetAttribute(int *value, int which, int device);
CALL cudaError_t cudaChooseDevice(int *device, const void *prop);
CALL cudaError_t cudaThreadSynchronize(void);
CALL cudaError_t cudaThreadExit(void);
CALL cudaError_t cudaDeviceSynchronize(void);
CALL cudaError_t cudaGetDevice(int *device);

cudaError_t cudaDeviceGetAttribute(int *value, int which, int device)
{
	cudaError_t e;
	struct runtime *r;

	if (!value || device)
		return keep_error(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	r = begin(&e);
	if (!r)
		return keep_error(e);
	*value = attribute(r, which);
	return end(r, e);
}

cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaChooseDevice(int *device, const void *prop) { return (void)prop, cudaGetDevice(device); }

/* ---- hints for caches ---- */

CALL cudaError_t cudaCtxResetPersistingL2Cache(void);
CALL cudaError_t cudaStreamSetAttribute(cudaStream_t s, int which, const cudaStreamAttrValue *value);
CALL cudaError_t cudaStreamGetAttribute(cudaStream_t s, int which, cudaStreamAttrValue *value);

/* No chip here has a part of its cache for data that stay. */
cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }

static cudaError_t check_attribute(cudaStream_t s, int which, const void *value)
{
	bool known = which == cudaStreamAttributeAccessPolicyWindow ||
		     which == cudaStreamAttributeSynchronizationPolicy;

	if (!is_stream(s))
		return cudaErrorInvalidResourceHandle;
	return known && value ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t s, int which, const cudaStreamAttrValue *value)
{
	return keep_error(check_attribute(s, which, value));
}

cudaError_t cudaStreamGetAttribute(cudaStream_t s, int which, cudaStreamAttrValue *value)
{
	cudaError_t e = check_attribute(s, which, value);

	if (e == cudaSuccess)
		memset(value, 0, sizeof *value);
	return keep_error(e);
}

/* ---- pointers ---- */

CALL cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p);

static cudaError_t attributes_of(struct runtime *r, struct cudaPointerAttributes *a, const void *p)
{
	bool managed = find_managed(r, p, 1), device = !managed && is_device(r, p, 1);

	if (!a)
		return cudaErrorInvalidValue;
	a->type = managed ? cudaMemoryTypeManaged : device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
	a->device = managed || device ? 0 : -2;
	a->devicePointer = managed || device ? (void *)(uintptr_t)p : NULL;
	a->hostPointer = device ? NULL : (void *)(uintptr_t)p;
	return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p)
{
	cudaError_t e;
	struct runtime *r = begin(&e);

	if (!r)
		return keep_error(e);
	return end(r, e == cudaSuccess ? attributes_of(r, a, p) : e);
}
