/* Images: memory objects of texels in rows and slices without gaps. A kernel knows an image by a descriptor, a struct
 * wb_image in the memory of the device, written when a launch begins.
 *
 * A 1D image has one row, a 2D image one slice; the layers of an array are slices, of one row in a 1D array. So every
 * box of an image is a box of struct transfer. */
#ifndef WB_FRONTENDS_OPENCL_IMAGE_H
#define WB_FRONTENDS_OPENCL_IMAGE_H

#include "frontends/opencl/opencl.h"

_Static_assert(sizeof(struct wb_image) == 72, "kernels have the members where images.cl says");
struct image {
	cl_mem_object_type type;
	cl_image_format format;
	struct wb_image shape;          /* the descriptor, but for the address of the texels */
	size_t host_row, host_slice;    /* bytes, of the program's memory at creation; 0: there was none */
	uint64_t descriptor[];          /* addresses by place; 0: not there */
};
void picture_free(struct image *m);
/* Put the format into a descriptor: CL_SUCCESS or the error of clCreateImage. */
cl_int image_take_format(struct wb_image *shape, const cl_image_format *f);
/* The index-th format of images; false: past the end. */
bool image_format(unsigned index, cl_image_format *out);
/* The bytes of a texel of the colour: four floats, or integers where the format has integers. */
void image_texel(const struct wb_image *shape, const void *colour, void *texel);
/* The address of the descriptor in a place, where the texels are from now on. 0: no memory. Under the context's
 * `running`. */
uint64_t image_address(cl_mem m, cl_uint place);
static inline bool image_is_array(cl_mem_object_type t)
{
	return t == CL_MEM_OBJECT_IMAGE1D_ARRAY || t == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

#endif
