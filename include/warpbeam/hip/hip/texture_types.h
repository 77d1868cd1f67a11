/* Kinds of texels and of resources, and how a texture is read, in the numbers and orders of HIP's public documentation.
 * Libraries name them; there are no textures here, and the calls say so. */
#ifndef WARPBEAM_HIP_TEXTURE_TYPES_H
#define WARPBEAM_HIP_TEXTURE_TYPES_H

#include "driver_types.h"

typedef struct __hip_texture *hipTextureObject_t;
typedef struct hipArray *hipArray_t;
typedef struct hipMipmappedArray *hipMipmappedArray_t;

enum hipChannelFormatKind {
	hipChannelFormatKindSigned, hipChannelFormatKindUnsigned, hipChannelFormatKindFloat, hipChannelFormatKindNone
};
/* Bits of each component. */
typedef struct hipChannelFormatDesc {
	int x, y, z, w;
	enum hipChannelFormatKind f;
} hipChannelFormatDesc;

enum hipResourceType {
	hipResourceTypeArray, hipResourceTypeMipmappedArray, hipResourceTypeLinear, hipResourceTypePitch2D
};
typedef struct hipResourceDesc {
	enum hipResourceType resType;
	union {
		struct { hipArray_t array; } array;
		struct { hipMipmappedArray_t mipmap; } mipmap;
		struct {
			void *devPtr;
			struct hipChannelFormatDesc desc;
			size_t sizeInBytes;
		} linear;
		struct {
			void *devPtr;
			struct hipChannelFormatDesc desc;
			size_t width, height, pitchInBytes;
		} pitch2D;
	} res;
} hipResourceDesc;
struct hipResourceViewDesc;

enum hipTextureAddressMode { hipAddressModeWrap, hipAddressModeClamp, hipAddressModeMirror, hipAddressModeBorder };
enum hipTextureFilterMode { hipFilterModePoint, hipFilterModeLinear };
enum hipTextureReadMode { hipReadModeElementType, hipReadModeNormalizedFloat };
typedef struct hipTextureDesc {
	enum hipTextureAddressMode addressMode[3];
	enum hipTextureFilterMode filterMode;
	enum hipTextureReadMode readMode;
	int sRGB;
	float borderColor[4];
	int normalizedCoords;
	unsigned int maxAnisotropy;
	enum hipTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias;
	float minMipmapLevelClamp;
	float maxMipmapLevelClamp;
} hipTextureDesc;

#ifdef __cplusplus
extern "C" {
#endif
hipError_t hipCreateTextureObject(hipTextureObject_t *texture, const hipResourceDesc *resource,
				  const hipTextureDesc *how, const struct hipResourceViewDesc *view);
hipError_t hipDestroyTextureObject(hipTextureObject_t texture);
#ifdef __cplusplus
}
/* For numbers; a vector's texels have no use without textures. */
template <typename T> static inline hipChannelFormatDesc hipCreateChannelDesc()
{
	const bool whole = T(1) / T(2) == T(0);
	return hipChannelFormatDesc{ (int)sizeof(T) * 8, 0, 0, 0,
				     !whole ? hipChannelFormatKindFloat :
				     T(-1) < T(0) ? hipChannelFormatKindSigned : hipChannelFormatKindUnsigned };
}
#endif

#endif
