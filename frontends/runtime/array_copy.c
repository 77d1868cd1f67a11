/* Copies from and to arrays, and of boxes of memory. Every copy is a box of rows between two places; a place is an
 * array, or a pointer with a pitch. */
#include <string.h>

#include "frontends/runtime/texture.h"

CALL cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height);
CALL cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height);

/* A box of an array, from a byte of a row on. False: not all of it is inside. */
static bool in_array(const struct cudaArray *a, size_t x, size_t y, size_t z, const struct box *b, struct place *to)
{
	if (x > a->row || b->width > a->row - x || y > a->height || b->height > a->height - y || z > a->depth ||
	    b->depth > a->depth - z)
		return false;
	*to = (struct place){ pointer(a->address + z * a->slice + y * a->row + x), a->row, a->slice };
	return true;
}

/* Rows of one array and of memory. */
static cudaError_t copy_rows_of(struct runtime *r, cudaArray_const_t array, size_t x, size_t y, const void *p,
				size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind, bool to_array)
{
	struct cudaArray *a = find_array(array);
	struct box b = { width, height, 1 };
	struct place of_array, other = { (uint8_t *)(uintptr_t)p, pitch, 0 };

	if (!a)
		return cudaErrorInvalidResourceHandle;
	if (width > pitch)
		return cudaErrorInvalidPitchValue;
	if (!p || !in_array(a, x, y, 0, &b, &of_array))
		return cudaErrorInvalidValue;
	return to_array ? copy_box(r, &of_array, &other, &b, kind) : copy_box(r, &other, &of_array, &b, kind);
}

/* Bytes that go on in the next row of an array, where the one before ends. */
static cudaError_t copy_flow(struct runtime *r, cudaArray_const_t array, size_t x, size_t y, const void *p,
			     size_t bytes, enum cudaMemcpyKind kind, bool to_array)
{
	struct cudaArray *a = find_array(array);
	size_t from;

	if (!a)
		return cudaErrorInvalidResourceHandle;
	if (!p || x > a->row || y > a->height)
		return cudaErrorInvalidValue;
	from = y * a->row + x;
	if (from > a->slice || bytes > a->slice - from)
		return cudaErrorInvalidValue;
	return to_array ? copy_bytes(r, pointer(a->address + from), p, bytes, kind)
			: copy_bytes(r, (void *)(uintptr_t)p, pointer(a->address + from), bytes, kind);
}

static cudaError_t copy_arrays(struct runtime *r, cudaArray_const_t to, size_t to_x, size_t to_y,
			       cudaArray_const_t from, size_t from_x, size_t from_y, size_t width, size_t height)
{
	struct cudaArray *a = find_array(to), *o = find_array(from);
	struct box b = { width, height, 1 };
	struct place there, here;

	if (!a || !o)
		return cudaErrorInvalidResourceHandle;
	if (!in_array(a, to_x, to_y, 0, &b, &there) || !in_array(o, from_x, from_y, 0, &b, &here))
		return cudaErrorInvalidValue;
	return copy_box(r, &there, &here, &b, cudaMemcpyDeviceToDevice);
}

/* Move the beginning of a box. False: it comes round. */
static bool go_to(struct place *p, const struct cudaPos *pos)
{
	size_t rows, slices, all;

	if (__builtin_mul_overflow(pos->y, p->row, &rows) || __builtin_mul_overflow(pos->z, p->slice, &slices) ||
	    __builtin_add_overflow(rows, slices, &all) || __builtin_add_overflow(all, pos->x, &all) ||
	    __builtin_add_overflow(all, number(p->begin), &all))
		return false;
	p->begin = pointer(all);
	return true;
}

/* One end of a three-dimensional copy: an array, else a pointer. */
static cudaError_t end_of(cudaArray_t array, const struct cudaPos *pos, const struct cudaPitchedPtr *p,
			  const struct box *b, struct place *to)
{
	struct cudaArray *a = array ? find_array(array) : NULL;
	size_t row;

	if (array && (p->ptr || !a))
		return p->ptr ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
	if (a)
		return pos->x <= a->row && in_array(a, pos->x * a->texel, pos->y, pos->z, b, to)
			? cudaSuccess : cudaErrorInvalidValue;
	if (!p->ptr)
		return cudaErrorInvalidValue;
	row = p->pitch ? p->pitch : b->width;
	if (b->height * b->depth > 1 && (row < b->width || pos->x > row - b->width))
		return cudaErrorInvalidPitchValue;
	*to = (struct place){ .begin = p->ptr, .row = row };
	return !__builtin_mul_overflow(row, p->ysize ? p->ysize : b->height, &to->slice) && go_to(to, pos)
		? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t copy_3d(struct runtime *r, const struct cudaMemcpy3DParms *p)
{
	struct cudaArray *of_from, *of_to;
	struct place from, to;
	struct box b;
	cudaError_t e;

	if (!p)
		return cudaErrorInvalidValue;
	of_from = find_array(p->srcArray);
	of_to = find_array(p->dstArray);
	if (of_from && of_to && of_from->texel != of_to->texel)
		return cudaErrorInvalidValue;
	b = (struct box){ p->extent.width, p->extent.height, p->extent.depth };
	if (b.width > UINT32_MAX || b.height > UINT32_MAX || b.depth > UINT32_MAX)
		return cudaErrorInvalidValue;
	b.width *= of_from ? of_from->texel : of_to ? of_to->texel : 1;
	e = end_of(p->srcArray, &p->srcPos, &p->srcPtr, &b, &from);
	if (e == cudaSuccess)
		e = end_of(p->dstArray, &p->dstPos, &p->dstPtr, &b, &to);
	return e == cudaSuccess ? copy_box(r, &to, &from, &b, p->kind) : e;
}

static cudaError_t in_stream(cudaStream_t s) { return is_stream(s) ? cudaSuccess : cudaErrorInvalidResourceHandle; }
#define IN_STREAM(s, work) \
	REFUSE_CAPTURE(s); \
	WITH_RUNTIME(in_stream(s) == cudaSuccess ? (work) : in_stream(s))

/* A copy of rows to or from an array as a box, for a capture. */
static cudaError_t capture_rows(cudaStream_t s, cudaArray_const_t array, size_t x, size_t y, const void *p,
				size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind, bool write)
{
	const struct cudaArray *a = find_array(array);
	struct cudaMemcpy3DParms box = { .kind = kind };

	if (!a || x % a->texel || width % a->texel || width > pitch)
		return keep_error(cudaErrorInvalidValue);
	box.extent = (struct cudaExtent){ width / a->texel, height, 1 };
	*(write ? &box.dstArray : &box.srcArray) = (cudaArray_t)(uintptr_t)a;
	*(write ? &box.dstPos : &box.srcPos) = (struct cudaPos){ x / a->texel, y, 0 };
	*(write ? &box.srcPtr : &box.dstPtr) = (struct cudaPitchedPtr){ (void *)(uintptr_t)p, pitch, pitch, height };
	return capture_box(s, &box);
}

/* ---- calls ---- */

CALL cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
				     size_t height, enum cudaMemcpyKind kind)
{
	WITH_RUNTIME(copy_rows_of(r, to, x, y, from, pitch, width, height, kind, true));
}
CALL cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
					  size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	MAY_CAPTURE(stream, capture_rows(stream, to, x, y, from, pitch, width, height, kind, true));
	IN_STREAM(stream, copy_rows_of(r, to, x, y, from, pitch, width, height, kind, true));
}
CALL cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
				       size_t height, enum cudaMemcpyKind kind)
{
	WITH_RUNTIME(copy_rows_of(r, from, x, y, to, pitch, width, height, kind, false));
}
CALL cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
					    size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	MAY_CAPTURE(stream, capture_rows(stream, from, x, y, to, pitch, width, height, kind, false));
	IN_STREAM(stream, copy_rows_of(r, from, x, y, to, pitch, width, height, kind, false));
}
CALL cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
					  size_t from_x, size_t from_y, size_t width, size_t height,
					  enum cudaMemcpyKind kind)
{
	(void)kind;
	WITH_RUNTIME(copy_arrays(r, to, to_x, to_y, from, from_x, from_y, width, height));
}
CALL cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
				   enum cudaMemcpyKind kind)
{
	WITH_RUNTIME(copy_flow(r, to, x, y, from, bytes, kind, true));
}
CALL cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
					enum cudaMemcpyKind kind, cudaStream_t stream)
{
	IN_STREAM(stream, copy_flow(r, to, x, y, from, bytes, kind, true));
}
CALL cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
				     enum cudaMemcpyKind kind)
{
	WITH_RUNTIME(copy_flow(r, from, x, y, to, bytes, kind, false));
}
CALL cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
					  enum cudaMemcpyKind kind, cudaStream_t stream)
{
	IN_STREAM(stream, copy_flow(r, from, x, y, to, bytes, kind, false));
}
CALL cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
					size_t from_y, size_t bytes, enum cudaMemcpyKind kind)
{
	(void)kind;
	WITH_RUNTIME(copy_arrays(r, to, to_x, to_y, from, from_x, from_y, bytes, 1));
}

CALL cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) { WITH_RUNTIME(copy_3d(r, p)); }
CALL cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
	MAY_CAPTURE(stream, capture_box(stream, p));
	IN_STREAM(stream, copy_3d(r, p));
}

/* ---- boxes of linear memory ---- */

CALL cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent e)
{
	size_t rows;
	cudaError_t wrong;

	if (!p || __builtin_mul_overflow(e.height, e.depth, &rows))
		return keep_error(cudaErrorInvalidValue);
	*p = make_cudaPitchedPtr(NULL, 0, e.width, e.height);
	wrong = cudaMallocPitch(&p->ptr, &p->pitch, e.width, rows);
	return wrong;
}

CALL cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
	struct place to = { .begin = p.ptr, .row = p.pitch };
	struct box b = { extent.width, extent.height, extent.depth };

	if (b.width > p.pitch)
		return keep_error(cudaErrorInvalidPitchValue);
	if (__builtin_mul_overflow(p.pitch, p.ysize, &to.slice))
		return keep_error(cudaErrorInvalidValue);
	WITH_RUNTIME(fill_box(r, &to, &b, value));
}

/* A node for each slice. */
static cudaError_t capture_slices(cudaStream_t s, struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
	cudaError_t e = cudaSuccess;
	size_t slice;

	if (extent.width > p.pitch)
		return keep_error(cudaErrorInvalidPitchValue);
	if (__builtin_mul_overflow(p.pitch, p.ysize, &slice))
		return keep_error(cudaErrorInvalidValue);
	for (size_t z = 0; z < extent.depth && extent.width && extent.height && e == cudaSuccess; z++) {
		struct cudaMemsetParams fill = { .dst = (uint8_t *)p.ptr + z * slice, .pitch = p.pitch,
						 .value = (uint8_t)value, .elementSize = 1, .width = extent.width,
						 .height = extent.height };
		e = capture_fill(s, &fill);
	}
	return e;
}

CALL cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent e, cudaStream_t stream)
{
	MAY_CAPTURE(stream, capture_slices(stream, p, value, e));
	return is_stream(stream) ? cudaMemset3D(p, value, e) : keep_error(cudaErrorInvalidResourceHandle);
}
