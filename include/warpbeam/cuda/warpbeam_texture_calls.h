/* Calls about arrays, textures and surfaces, with the documentation's defaults for C++. */
#ifndef WARPBEAM_CUDA_TEXTURE_CALLS_H
#define WARPBEAM_CUDA_TEXTURE_CALLS_H

#include "texture_types.h"

#ifdef __cplusplus
#define WB_DEFAULT(value) = value
extern "C" {
#else
#define WB_DEFAULT(value)
#endif
#define WB_CALL extern __host__ cudaError_t CUDARTAPI

WB_CALL cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
			size_t height WB_DEFAULT(0), unsigned int flags WB_DEFAULT(0));
WB_CALL cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
			  unsigned int flags WB_DEFAULT(0));
WB_CALL cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *desc,
				 struct cudaExtent extent, unsigned int levels, unsigned int flags WB_DEFAULT(0));
WB_CALL cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t of, unsigned int level);
WB_CALL cudaFreeArray(cudaArray_t array);
WB_CALL cudaFreeMipmappedArray(cudaMipmappedArray_t array);
WB_CALL cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
			 cudaArray_t array);
WB_CALL cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);
extern __host__ struct cudaChannelFormatDesc CUDARTAPI cudaCreateChannelDesc(int x, int y, int z, int w,
									     enum cudaChannelFormatKind f);
WB_CALL cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent);
WB_CALL cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent);
WB_CALL cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent,
			  cudaStream_t stream WB_DEFAULT(0));

WB_CALL cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
			    size_t height, enum cudaMemcpyKind kind);
WB_CALL cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
				 size_t height, enum cudaMemcpyKind kind, cudaStream_t stream WB_DEFAULT(0));
WB_CALL cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
			      size_t height, enum cudaMemcpyKind kind);
WB_CALL cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
				   size_t height, enum cudaMemcpyKind kind, cudaStream_t stream WB_DEFAULT(0));
WB_CALL cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
				 size_t from_y, size_t width, size_t height,
				 enum cudaMemcpyKind kind WB_DEFAULT(cudaMemcpyDeviceToDevice));
WB_CALL cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind);
WB_CALL cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
			       enum cudaMemcpyKind kind, cudaStream_t stream WB_DEFAULT(0));
WB_CALL cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
			    enum cudaMemcpyKind kind);
WB_CALL cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
				 enum cudaMemcpyKind kind, cudaStream_t stream WB_DEFAULT(0));
WB_CALL cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
			       size_t from_y, size_t bytes,
			       enum cudaMemcpyKind kind WB_DEFAULT(cudaMemcpyDeviceToDevice));
WB_CALL cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
WB_CALL cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream WB_DEFAULT(0));

WB_CALL cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
				const struct cudaTextureDesc *desc, const struct cudaResourceViewDesc *view);
WB_CALL cudaDestroyTextureObject(cudaTextureObject_t texture);
WB_CALL cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t texture);
WB_CALL cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc, cudaTextureObject_t texture);
WB_CALL cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource);
WB_CALL cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
WB_CALL cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t surface);

WB_CALL cudaBindTexture(size_t *offset, const struct textureReference *texture, const void *p,
			const struct cudaChannelFormatDesc *desc, size_t bytes WB_DEFAULT(0xffffffff));
WB_CALL cudaBindTexture2D(size_t *offset, const struct textureReference *texture, const void *p,
			  const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch);
WB_CALL cudaBindTextureToArray(const struct textureReference *texture, cudaArray_const_t array,
			       const struct cudaChannelFormatDesc *desc);
WB_CALL cudaBindTextureToMipmappedArray(const struct textureReference *texture, cudaMipmappedArray_const_t array,
					const struct cudaChannelFormatDesc *desc);
WB_CALL cudaBindSurfaceToArray(const struct surfaceReference *surface, cudaArray_const_t array,
			       const struct cudaChannelFormatDesc *desc);
WB_CALL cudaGetSurfaceReference(const struct surfaceReference **surface, const void *symbol);
WB_CALL cudaUnbindTexture(const struct textureReference *texture);
WB_CALL cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texture);
WB_CALL cudaGetTextureReference(const struct textureReference **texture, const void *symbol);

#ifdef __cplusplus
}
#endif

static __inline__ __host__ struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
	struct cudaExtent e = { width, height, depth };
	return e;
}
static __inline__ __host__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
	struct cudaPos p = { x, y, z };
	return p;
}
static __inline__ __host__ struct cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t xsize,
								     size_t ysize)
{
	struct cudaPitchedPtr p = { ptr, pitch, xsize, ysize };
	return p;
}

#ifdef __cplusplus
/* The texels of a type: components and their bits. */
template <typename T> struct warpbeam_channels;
#define WB_TEXEL(type, n, bits, kind) \
	template <> struct warpbeam_channels<type> { \
		static cudaChannelFormatDesc desc() \
		{ \
			return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, \
						     kind); \
		} \
	};
#define WB_TEXELS(scalar, name, bits, kind) \
	WB_TEXEL(scalar, 1, bits, kind) WB_TEXEL(name##1, 1, bits, kind) WB_TEXEL(name##2, 2, bits, kind) \
	WB_TEXEL(name##4, 4, bits, kind)
WB_TEXEL(char, 1, 8, cudaChannelFormatKindSigned)
WB_TEXELS(signed char, char, 8, cudaChannelFormatKindSigned)
WB_TEXELS(unsigned char, uchar, 8, cudaChannelFormatKindUnsigned)
WB_TEXELS(short, short, 16, cudaChannelFormatKindSigned)
WB_TEXELS(unsigned short, ushort, 16, cudaChannelFormatKindUnsigned)
WB_TEXELS(int, int, 32, cudaChannelFormatKindSigned)
WB_TEXELS(unsigned int, uint, 32, cudaChannelFormatKindUnsigned)
WB_TEXELS(float, float, 32, cudaChannelFormatKindFloat)
#undef WB_TEXELS
#undef WB_TEXEL
template <typename T> static inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc()
{
	return warpbeam_channels<T>::desc();
}
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
	return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
#endif
#undef WB_DEFAULT
#undef WB_CALL

#endif
