/* Boxes of bytes between hosts, devices and arrays; arrays, textures and surfaces, which are the runtime's. */
#include "frontends/cuda/driver/driver.h"

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
			      unsigned flags);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
				    const struct cudaTextureDesc *way, const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);

/* ---- boxes ---- */

/* One end of a copy, as the structures of two and of three dimensions have it. */
struct side {
	size_t x, y, z, pitch, rows;    /* x, pitch: bytes; rows of a slice */
	CUmemorytype type;
	void *host;
	CUdeviceptr device;
	CUarray array;
};

static bool find_place(const struct side *s, const struct box *b, struct place *p)
{
	const struct cudaArray *a;
	size_t pitch = s->pitch ? s->pitch : s->x + b->width, rows = s->rows ? s->rows : s->y + b->height;

	if (s->type == CU_MEMORYTYPE_ARRAY) {
		a = find_array((cudaArray_const_t)(const void *)s->array);
		if (!a || s->x > a->row || b->width > a->row - s->x || s->y > a->height ||
		    b->height > a->height - s->y || s->z > a->depth || b->depth > a->depth - s->z)
			return false;
		*p = (struct place){ pointer(a->address + s->z * a->slice + s->y * a->row + s->x), a->row, a->slice };
		return true;
	}
	if ((unsigned)s->type > CU_MEMORYTYPE_UNIFIED || !s->type || (b->height > 1 && pitch < s->x + b->width))
		return false;
	p->begin = s->type == CU_MEMORYTYPE_HOST ? s->host : pointer(s->device);
	p->row = pitch;
	if (!p->begin || __builtin_mul_overflow(pitch, rows, &p->slice))
		return false;
	p->begin += s->z * p->slice + s->y * pitch + s->x;
	return true;
}

static enum cudaMemcpyKind kind_of(const struct side *to, const struct side *from)
{
	bool to_host = to->type == CU_MEMORYTYPE_HOST, from_host = from->type == CU_MEMORYTYPE_HOST;

	if (to->type == CU_MEMORYTYPE_UNIFIED || from->type == CU_MEMORYTYPE_UNIFIED)
		return cudaMemcpyDefault;
	if (to_host)
		return from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
	return from_host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

/* A side as the runtime has it: x of an array in texels. */
static void put_side(const struct side *s, const struct box *b, cudaArray_t *array, struct cudaPos *at,
		     struct cudaPitchedPtr *p)
{
	bool is_array = s->type == CU_MEMORYTYPE_ARRAY;
	const struct cudaArray *a = is_array ? find_array((cudaArray_const_t)(const void *)s->array) : NULL;

	*array = (cudaArray_t)(uintptr_t)a;
	*at = (struct cudaPos){ a ? s->x / a->texel : s->x, s->y, s->z };
	if (!a) {
		size_t pitch = s->pitch ? s->pitch : s->x + b->width;
		*p = (struct cudaPitchedPtr){ s->type == CU_MEMORYTYPE_HOST ? s->host : pointer(s->device), pitch,
					      pitch, s->rows ? s->rows : s->y + b->height };
	}
}

static void put_box(const struct side *to, const struct side *from, const struct box *b, struct cudaMemcpy3DParms *p)
{
	*p = (struct cudaMemcpy3DParms){ .kind = kind_of(to, from), .extent = { b->width, b->height, b->depth } };
	put_side(to, b, &p->dstArray, &p->dstPos, &p->dstPtr);
	put_side(from, b, &p->srcArray, &p->srcPos, &p->srcPtr);
	if (p->dstArray || p->srcArray)
		p->extent.width /= (p->dstArray ? p->dstArray : p->srcArray)->texel;
}

static CUresult copy_sides(const struct side *to, const struct side *from, const struct box *b, CUstream stream)
{
	struct cudaMemcpy3DParms box;
	struct place to_place, from_place;
	cudaError_t captured;
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	if (!is_stream(stream))
		return leave(r, cudaErrorInvalidResourceHandle);
	if (!find_place(to, b, &to_place) || !find_place(from, b, &from_place))
		return leave(r, cudaErrorInvalidValue);
	put_box(to, from, b, &box);
	if (!stream)
		return leave(r, copy_box(r, &to_place, &from_place, b, kind_of(to, from)));
	leave(r, cudaSuccess);
	if (is_captured(stream, &captured))
		return result(captured == cudaSuccess ? capture_box(stream, &box) : captured);
	r = enter(&e);
	return r ? leave(r, copy_box(r, &to_place, &from_place, b, kind_of(to, from))) : e;
}

CALL CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *c, CUstream stream)
{
	if (!c)
		return CUDA_ERROR_INVALID_VALUE;
	return copy_sides(&(struct side){ c->dstXInBytes, c->dstY, 0, c->dstPitch, 0, c->dstMemoryType, c->dstHost,
					  c->dstDevice, c->dstArray },
			  &(struct side){ c->srcXInBytes, c->srcY, 0, c->srcPitch, 0, c->srcMemoryType,
					  (void *)(uintptr_t)c->srcHost, c->srcDevice, c->srcArray },
			  &(struct box){ c->WidthInBytes, c->Height, 1 }, stream);
}
SAME(cuMemcpy2DAsync_v2_ptsz, cuMemcpy2DAsync_v2);
CALL CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *c) { return cuMemcpy2DAsync_v2(c, NULL); }
SAME(cuMemcpy2D_v2_ptds, cuMemcpy2D_v2);
SAME(cuMemcpy2DUnaligned_v2, cuMemcpy2D_v2);
SAME(cuMemcpy2DUnaligned_v2_ptds, cuMemcpy2D_v2);

static struct side side_to(const CUDA_MEMCPY3D *c)
{
	return (struct side){ c->dstXInBytes, c->dstY, c->dstZ, c->dstPitch, c->dstHeight, c->dstMemoryType, c->dstHost,
			      c->dstDevice, c->dstArray };
}
static struct side side_from(const CUDA_MEMCPY3D *c)
{
	return (struct side){ c->srcXInBytes, c->srcY, c->srcZ, c->srcPitch, c->srcHeight, c->srcMemoryType,
			      (void *)(uintptr_t)c->srcHost, c->srcDevice, c->srcArray };
}

CALL CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *c, CUstream stream)
{
	if (!c || c->srcLOD || c->dstLOD)
		return CUDA_ERROR_INVALID_VALUE;
	struct side to = side_to(c), from = side_from(c);
	return copy_sides(&to, &from, &(struct box){ c->WidthInBytes, c->Height, c->Depth }, stream);
}

bool box_of_copy(const CUDA_MEMCPY3D *c, struct cudaMemcpy3DParms *p)
{
	struct place to_place, from_place;
	struct box b;
	CUresult e;
	struct runtime *r = c && !c->srcLOD && !c->dstLOD ? enter(&e) : NULL;

	if (!r)
		return false;
	struct side to = side_to(c), from = side_from(c);
	b = (struct box){ c->WidthInBytes, c->Height, c->Depth };
	bool good = find_place(&to, &b, &to_place) && find_place(&from, &b, &from_place);
	if (good)
		put_box(&to, &from, &b, p);
	leave(r, cudaSuccess);
	return good;
}
SAME(cuMemcpy3DAsync_v2_ptsz, cuMemcpy3DAsync_v2);
CALL CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *c) { return cuMemcpy3DAsync_v2(c, NULL); }
SAME(cuMemcpy3D_v2_ptds, cuMemcpy3D_v2);

/* Bytes of an array of one dimension, or of one row of it. */
static struct side of_array(CUarray a, size_t offset)
{
	return (struct side){ .x = offset, .type = CU_MEMORYTYPE_ARRAY, .array = a };
}
static struct side of_host(const void *p)
{
	return (struct side){ .type = CU_MEMORYTYPE_HOST, .host = (void *)(uintptr_t)p };
}
static struct side of_device(CUdeviceptr p) { return (struct side){ .type = CU_MEMORYTYPE_DEVICE, .device = p }; }

static CUresult copy_row(struct side to, struct side from, size_t n, CUstream stream)
{
	return copy_sides(&to, &from, &(struct box){ n, 1, 1 }, stream);
}

CALL CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t n)
{
	return copy_row(of_array(to, offset), of_device(from), n, NULL);
}
CALL CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t n)
{
	return copy_row(of_device(to), of_array(from, offset), n, NULL);
}
CALL CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t n)
{
	return copy_row(of_array(to, offset), of_host(from), n, NULL);
}
CALL CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t n)
{
	return copy_row(of_host(to), of_array(from, offset), n, NULL);
}
CALL CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t n)
{
	return copy_row(of_array(to, to_offset), of_array(from, from_offset), n, NULL);
}
SAME(cuMemcpyDtoA_v2_ptds, cuMemcpyDtoA_v2);
SAME(cuMemcpyAtoD_v2_ptds, cuMemcpyAtoD_v2);
SAME(cuMemcpyHtoA_v2_ptds, cuMemcpyHtoA_v2);
SAME(cuMemcpyAtoH_v2_ptds, cuMemcpyAtoH_v2);
SAME(cuMemcpyAtoA_v2_ptds, cuMemcpyAtoA_v2);

/* ---- arrays ---- */

static const struct { CUarray_format format; int bits; enum cudaChannelFormatKind kind; } formats[] = {
	{ CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned },
	{ CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned },
	{ CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned },
	{ CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned },
	{ CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned },
	{ CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned },
	{ CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat },
	{ CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat },
};
enum { FORMATS = sizeof formats / sizeof *formats };

static bool find_format(CUarray_format format, unsigned channels, struct cudaChannelFormatDesc *d)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (formats[i].format == format && (channels == 1 || channels == 2 || channels == 4)) {
			int bits = formats[i].bits;
			*d = (struct cudaChannelFormatDesc){ bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
							     channels > 2 ? bits : 0, formats[i].kind };
			return true;
		}
	return false;
}

CALL CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
	struct cudaChannelFormatDesc d;

	NEEDS_CONTEXT;
	if (!array || !desc || !find_format(desc->Format, desc->NumChannels, &d))
		return CUDA_ERROR_INVALID_VALUE;
	return result(cudaMalloc3DArray((cudaArray_t *)(void *)array, &d,
					make_cudaExtent(desc->Width, desc->Height, desc->Depth), desc->Flags));
}

CALL CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc)
{
	if (!desc)
		return CUDA_ERROR_INVALID_VALUE;
	return cuArray3DCreate_v2(array, &(CUDA_ARRAY3D_DESCRIPTOR){ desc->Width, desc->Height, 0, desc->Format,
								     desc->NumChannels, 0 });
}

CALL CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array)
{
	CUresult e;
	struct runtime *r = enter(&e);
	const struct cudaArray *a = r ? find_array((cudaArray_const_t)(const void *)array) : NULL;

	if (!r)
		return e;
	if (!a || !desc)
		return leave(r, a ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
	*desc = (CUDA_ARRAY3D_DESCRIPTOR){ .Width = a->extent.width, .Height = a->extent.height,
					   .Depth = a->extent.depth, .Flags = a->flags,
					   .NumChannels = a->desc.w ? 4 : a->desc.y ? 2 : 1 };
	for (size_t i = 0; i < FORMATS; i++)
		if (formats[i].bits == a->desc.x && formats[i].kind == a->desc.f)
			desc->Format = formats[i].format;
	return leave(r, cudaSuccess);
}

CALL CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array)
{
	CUDA_ARRAY3D_DESCRIPTOR all;
	CUresult e = cuArray3DGetDescriptor_v2(&all, array);

	if (e != CUDA_SUCCESS || !desc)
		return e != CUDA_SUCCESS ? e : CUDA_ERROR_INVALID_VALUE;
	*desc = (CUDA_ARRAY_DESCRIPTOR){ all.Width, all.Height, all.Format, all.NumChannels };
	return CUDA_SUCCESS;
}

CALL CUresult cuArrayDestroy(CUarray array)
{
	NEEDS_CONTEXT;
	return array ? result(cudaFreeArray((cudaArray_t)(void *)array)) : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- textures and surfaces ---- */

static bool read_resource(const CUDA_RESOURCE_DESC *from, struct cudaResourceDesc *to)
{
	*to = (struct cudaResourceDesc){ .resType = (enum cudaResourceType)from->resType };
	switch (from->resType) {
	case CU_RESOURCE_TYPE_ARRAY:
		to->res.array.array = (cudaArray_t)(void *)from->res.array.hArray;
		return true;
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
		to->res.mipmap.mipmap = (cudaMipmappedArray_t)(void *)from->res.mipmap.hMipmappedArray;
		return true;
	case CU_RESOURCE_TYPE_LINEAR:
		to->res.linear.devPtr = pointer(from->res.linear.devPtr);
		to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
		return find_format(from->res.linear.format, from->res.linear.numChannels, &to->res.linear.desc);
	case CU_RESOURCE_TYPE_PITCH2D:
		to->res.pitch2D.devPtr = pointer(from->res.pitch2D.devPtr);
		to->res.pitch2D.width = from->res.pitch2D.width;
		to->res.pitch2D.height = from->res.pitch2D.height;
		to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
		return find_format(from->res.pitch2D.format, from->res.pitch2D.numChannels, &to->res.pitch2D.desc);
	default: return false;
	}
}

/* Whether integers of the resource are read as numbers up to 1: so where the flag does not ask for integers, and a
 * component has at most 16 bits. */
static bool reads_fractions(const CUDA_TEXTURE_DESC *way, const struct cudaResourceDesc *from)
{
	const struct cudaArray *a = from->resType == cudaResourceTypeArray ? find_array(from->res.array.array) : NULL;
	const struct cudaChannelFormatDesc *d = a ? &a->desc : from->resType == cudaResourceTypeLinear
		? &from->res.linear.desc : from->resType == cudaResourceTypePitch2D ? &from->res.pitch2D.desc : NULL;

	return d && d->f != cudaChannelFormatKindFloat && d->x <= 16 && !(way->flags & CU_TRSF_READ_AS_INTEGER);
}

CALL CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *way,
				const CUDA_RESOURCE_VIEW_DESC *view)
{
	struct cudaResourceDesc from;
	struct cudaTextureDesc to = { .sRGB = 0 };

	NEEDS_CONTEXT;
	if (!texture || !resource || !way || !read_resource(resource, &from))
		return CUDA_ERROR_INVALID_VALUE;
	if (view)
		return missing_call("cuTexObjectCreate with a view of a resource");
	for (int i = 0; i < 3; i++)
		to.addressMode[i] = (enum cudaTextureAddressMode)way->addressMode[i];
	to.filterMode = (enum cudaTextureFilterMode)way->filterMode;
	to.readMode = reads_fractions(way, &from) ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
	to.sRGB = (way->flags & CU_TRSF_SRGB) != 0;
	to.normalizedCoords = (way->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
	to.maxAnisotropy = way->maxAnisotropy;
	to.mipmapFilterMode = (enum cudaTextureFilterMode)way->mipmapFilterMode;
	to.mipmapLevelBias = way->mipmapLevelBias;
	to.minMipmapLevelClamp = way->minMipmapLevelClamp;
	to.maxMipmapLevelClamp = way->maxMipmapLevelClamp;
	for (int i = 0; i < 4; i++)
		to.borderColor[i] = way->borderColor[i];
	return result(cudaCreateTextureObject(texture, &from, &to, NULL));
}

CALL CUresult cuTexObjectDestroy(CUtexObject texture)
{
	NEEDS_CONTEXT;
	return result(cudaDestroyTextureObject(texture));
}

CALL CUresult cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource)
{
	struct cudaResourceDesc from;

	NEEDS_CONTEXT;
	if (!surface || !resource || !read_resource(resource, &from))
		return CUDA_ERROR_INVALID_VALUE;
	return result(cudaCreateSurfaceObject(surface, &from));
}

CALL CUresult cuSurfObjectDestroy(CUsurfObject surface)
{
	NEEDS_CONTEXT;
	return result(cudaDestroySurfaceObject(surface));
}
