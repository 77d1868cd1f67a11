/* Arrays, textures and surfaces of CUDA's runtime, and of HIP's. An array is rows of texels in device memory without
 * gaps. A texture or surface object is the address of a description in device memory (object.c), the handle that
 * kernels get; a texture reference is a variable of the device with such a handle. Handles of arrays and objects are
 * kept in lists: a stale handle is an error, never followed. */
#ifndef WB_FRONTENDS_RUNTIME_TEXTURE_H
#define WB_FRONTENDS_RUNTIME_TEXTURE_H

#include "frontends/runtime/runtime.h"
#ifdef RUNTIME_HIP
#include "frontends/runtime/hip_names.h"
#endif
#include "include/warpbeam/cuda/warpbeam_texture_calls.h"

/* Texels of an array, or of one level of a mipmapped array. */
struct cudaArray {
	struct cudaArray *next;
	struct cudaChannelFormatDesc desc;
	size_t width, height, depth;    /* texels, rows, slices or layers or faces; at least 1 */
	struct cudaExtent extent;       /* as the program asked for it: 0 where the array has no such size */
	unsigned flags;
	size_t texel, row, slice;       /* bytes: of a texel, from row to row, from slice to slice */
	uint64_t address;               /* of the device */
	struct cudaMipmappedArray *owner;        /* NULL: the array owns its memory */
};

enum { LEVELS_MOST = 16 };
/* Texels of an axis, slices or layers, texels of linear memory. */
enum { ROW_MOST = 65536, SLICES_MOST = 2048, LINEAR_MOST = 1 << 27 };
struct cudaMipmappedArray {
	struct cudaMipmappedArray *next;
	unsigned levels;
	struct cudaArray *level[LEVELS_MOST];    /* in the list of arrays, too */
};

/* array.c: the array of a handle; NULL: the handle is stale, or was never one. */
struct cudaArray *find_array(cudaArray_const_t a);
struct cudaMipmappedArray *find_mipmapped(cudaMipmappedArray_const_t a);
/* Bytes of a texel; 0: components of several sizes, or of none that textures have. */
size_t texel_bytes(const struct cudaChannelFormatDesc *d);

/* texture.c: the description of a resource for textures read in the given way; way NULL: for a surface. */
cudaError_t describe(struct runtime *r, const struct cudaResourceDesc *from, const struct cudaTextureDesc *way,
		     struct wb_texture *to);

/* object.c of each interface: what kernels find at the address of a texture or surface. `texels`: the
 * address of the first, of which the description has 32 bits; `slot`: the number of the texture. */
struct object_bytes {
	size_t n;
	uint8_t bytes[sizeof(struct wb_texture) + 4];
};
cudaError_t object_bytes(struct runtime *r, const struct wb_texture *t, uint64_t texels, uint32_t slot,
			 struct object_bytes *out);

#endif
