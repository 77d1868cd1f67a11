/* Memory of the device and of the host, copies and fills. Pointers of the device are the runtime's. */
#include <stdlib.h>
#include <string.h>

#include "frontends/cuda/driver/driver.h"

cudaError_t cudaMalloc(void **p, size_t bytes);
cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned flags);
cudaError_t cudaFree(void *p);
cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *p);
cudaError_t cudaMemGetInfo(size_t *left, size_t *total);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync(void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *p, cudaStream_t stream);
cudaError_t cudaMemAdvise(const void *p, size_t bytes, int advice, int device);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t bytes, unsigned flags);
cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, int device, cudaStream_t stream);

/* ---- allocation ---- */

/* Memory and the context that is its owner. */
struct owned {
	struct owned *next;
	uint64_t address;
	CUcontext context;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct owned *all;

static void own(uint64_t address)
{
	struct owned *o = malloc(sizeof *o);

	if (!o)
		return;
	pthread_mutex_lock(&lock);
	*o = (struct owned){ all, address, current_context() };
	all = o;
	pthread_mutex_unlock(&lock);
}

/* Take an entry out of the list, by address, or by context where the address is 0. */
static bool disown(uint64_t *address, CUcontext c)
{
	struct owned **p, *o;

	pthread_mutex_lock(&lock);
	for (p = &all; (o = *p) && !(*address ? o->address == *address : o->context == c); p = &o->next)
		;
	if (o)
		*p = o->next;
	pthread_mutex_unlock(&lock);
	if (o)
		*address = o->address;
	free(o);
	return o;
}

void free_memory_of(CUcontext c)
{
	for (uint64_t a = 0; disown(&a, c); a = 0)
		cudaFree(pointer(a));
}

static CUresult allocated(CUdeviceptr *to, void *const *p, cudaError_t e)
{
	if (e == cudaSuccess) {
		*to = number(*p);
		own(*to);
	}
	return result(e);
}

CALL CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t bytes)
{
	void *made = NULL;

	NEEDS_CONTEXT;
	return p && bytes ? allocated(p, &made, cudaMalloc(&made, bytes)) : CUDA_ERROR_INVALID_VALUE;
}

CALL CUresult cuMemAllocPitch_v2(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned element)
{
	void *made = NULL;

	NEEDS_CONTEXT;
	if (!p || !width || !height || (element != 4 && element != 8 && element != 16))
		return CUDA_ERROR_INVALID_VALUE;
	return allocated(p, &made, cudaMallocPitch(&made, pitch, width, height));
}

CALL CUresult cuMemAllocManaged(CUdeviceptr *p, size_t bytes, unsigned flags)
{
	void *made = NULL;

	NEEDS_CONTEXT;
	if (!p || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
		return CUDA_ERROR_INVALID_VALUE;
	return allocated(p, &made, cudaMallocManaged(&made, bytes, flags));
}

CALL CUresult cuMemAllocAsync(CUdeviceptr *p, size_t bytes, CUstream stream)
{
	void *made = NULL;

	NEEDS_CONTEXT;
	return p && bytes ? allocated(p, &made, cudaMallocAsync(&made, bytes, stream)) : CUDA_ERROR_INVALID_VALUE;
}
SAME(cuMemAllocAsync_ptsz, cuMemAllocAsync);

CALL CUresult cuMemAllocFromPoolAsync(CUdeviceptr *p, size_t bytes, CUmemoryPool pool, CUstream stream)
{
	void *made = NULL;

	NEEDS_CONTEXT;
	return p && bytes ? allocated(p, &made, cudaMallocFromPoolAsync(&made, bytes, pool, stream))
			  : CUDA_ERROR_INVALID_VALUE;
}
SAME(cuMemAllocFromPoolAsync_ptsz, cuMemAllocFromPoolAsync);

CALL CUresult cuMemFree_v2(CUdeviceptr p)
{
	uint64_t address = p;

	NEEDS_CONTEXT;
	if (p)
		disown(&address, NULL);
	return result(cudaFree(pointer(p)));
}

CALL CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream)
{
	uint64_t address = p;

	NEEDS_CONTEXT;
	if (p)
		disown(&address, NULL);
	return result(cudaFreeAsync(pointer(p), stream));
}
SAME(cuMemFreeAsync_ptsz, cuMemFreeAsync);

CALL CUresult cuMemGetInfo_v2(size_t *left, size_t *total)
{
	NEEDS_CONTEXT;
	return result(cudaMemGetInfo(left, total));
}

/* The range of memory with an address. */
static bool find_range(struct runtime *r, CUdeviceptr p, uint64_t *begin, uint64_t *bytes)
{
	const struct managed *m = find_managed(r, pointer(p), 1);

	if (m) {
		*begin = m->address;
		*bytes = m->bytes;
	}
	return m || wb_memory_find(r->device, p, begin, bytes);
}

CALL CUresult cuMemGetAddressRange_v2(CUdeviceptr *begin, size_t *bytes, CUdeviceptr p)
{
	uint64_t start, n;
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	if (!find_range(r, p, &start, &n)) {
		leave(r, cudaSuccess);
		return CUDA_ERROR_NOT_FOUND;
	}
	if (begin)
		*begin = start;
	if (bytes)
		*bytes = (size_t)n;
	return leave(r, cudaSuccess);
}

/* ---- memory of the host ---- */

CALL CUresult cuMemHostAlloc(void **p, size_t bytes, unsigned flags)
{
	NEEDS_CONTEXT;
	return bytes && flags < 8 ? result(cudaHostAlloc(p, bytes, flags)) : CUDA_ERROR_INVALID_VALUE;
}

CALL CUresult cuMemAllocHost_v2(void **p, size_t bytes) { return cuMemHostAlloc(p, bytes, 0); }
SAME(cuMemAllocHost, cuMemAllocHost_v2);

CALL CUresult cuMemFreeHost(void *p)
{
	NEEDS_CONTEXT;
	return p ? result(cudaFreeHost(p)) : CUDA_ERROR_INVALID_VALUE;
}

CALL CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned flags)
{
	void *p = NULL;
	cudaError_t e;

	NEEDS_CONTEXT;
	if (!device || flags)
		return CUDA_ERROR_INVALID_VALUE;
	e = cudaHostGetDevicePointer(&p, host, 0);
	if (e == cudaSuccess)
		*device = number(p);
	return result(e);
}

CALL CUresult cuMemHostGetFlags(unsigned *flags, void *host)
{
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	if (!flags || !find_managed(r, host, 0))
		return leave(r, cudaErrorInvalidValue);
	*flags = CU_MEMHOSTALLOC_DEVICEMAP;
	return leave(r, cudaSuccess);
}

CALL CUresult cuMemHostRegister_v2(void *p, size_t bytes, unsigned flags)
{
	NEEDS_CONTEXT;
	return result(cudaHostRegister(p, bytes, flags));
}
SAME(cuMemHostRegister, cuMemHostRegister_v2);

CALL CUresult cuMemHostUnregister(void *p)
{
	NEEDS_CONTEXT;
	return result(cudaHostUnregister(p));
}

CALL CUresult cuMemAdvise(CUdeviceptr p, size_t bytes, int advice, CUdevice device)
{
	NEEDS_CONTEXT;
	return result(cudaMemAdvise(pointer(p), bytes, advice, device));
}

CALL CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t bytes, CUdevice device, CUstream stream)
{
	NEEDS_CONTEXT;
	return result(cudaMemPrefetchAsync(pointer(p), bytes, device, stream));
}
SAME(cuMemPrefetchAsync_ptsz, cuMemPrefetchAsync);

CALL CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr p, size_t bytes, unsigned flags)
{
	NEEDS_CONTEXT;
	return result(cudaStreamAttachMemAsync(stream, pointer(p), bytes, flags));
}
SAME(cuStreamAttachMemAsync_ptsz, cuStreamAttachMemAsync);

CALL CUresult cuMemAdvise_v2(CUdeviceptr p, size_t bytes, int advice, CUmemLocation place)
{
	return cuMemAdvise(p, bytes, advice, place.id);
}
CALL CUresult cuMemPrefetchAsync_v2(CUdeviceptr p, size_t bytes, CUmemLocation place, unsigned flags,
				    CUstream stream)
{
	return flags ? CUDA_ERROR_INVALID_VALUE : cuMemPrefetchAsync(p, bytes, place.id, stream);
}
SAME(cuMemPrefetchAsync_v2_ptsz, cuMemPrefetchAsync_v2);

/* ---- facts about a pointer ---- */

static CUresult attribute(struct runtime *r, void *to, CUpointer_attribute which, CUdeviceptr p)
{
	const struct managed *m = find_managed(r, pointer(p), 1);
	uint64_t begin, bytes;

	if (!find_range(r, p, &begin, &bytes))
		return CUDA_ERROR_INVALID_VALUE;
	switch ((int)which) {
	case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)to = current_context(); break;
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *(unsigned *)to = CU_MEMORYTYPE_DEVICE; break;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)to = p; break;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		if (!m)
			return CUDA_ERROR_INVALID_VALUE;
		*(void **)to = pointer(p);
		break;
	case CU_POINTER_ATTRIBUTE_BUFFER_ID: *(unsigned long long *)to = begin; break;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)to = m != NULL; break;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)to = 0; break;
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)to = begin; break;
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)to = (size_t)bytes; break;
	case CU_POINTER_ATTRIBUTE_MAPPED: *(unsigned *)to = 1; break;
	default: return CUDA_ERROR_NOT_SUPPORTED;
	}
	return CUDA_SUCCESS;
}

CALL CUresult cuPointerGetAttribute(void *value, CUpointer_attribute which, CUdeviceptr p)
{
	CUresult e, found;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	found = value ? attribute(r, value, which, p) : CUDA_ERROR_INVALID_VALUE;
	leave(r, cudaSuccess);
	return found;
}

/* Values of a pointer that is nobody's are 0. */
CALL CUresult cuPointerGetAttributes(unsigned n, CUpointer_attribute *which, void **values, CUdeviceptr p)
{
	CUresult e;
	struct runtime *r;

	if (!n || !which || !values)
		return CUDA_ERROR_INVALID_VALUE;
	r = enter(&e);
	if (!r)
		return e;
	for (unsigned i = 0; i < n; i++)
		if (attribute(r, values[i], which[i], p) != CUDA_SUCCESS)
			memset(values[i], 0, 4);
	return leave(r, cudaSuccess);
}

/* ---- copies ---- */

static CUresult copy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, CUstream stream)
{
	NEEDS_CONTEXT;
	return result(cudaMemcpyAsync(to, from, n, kind, stream));
}

#define COPY(name, to_type, to_value, from_type, from_value, kind) \
	CALL CUresult cuMemcpy##name##_v2(to_type to, from_type from, size_t n) \
	{ \
		return copy(to_value, from_value, n, kind, NULL); \
	} \
	SAME(cuMemcpy##name##_v2_ptds, cuMemcpy##name##_v2); \
	CALL CUresult cuMemcpy##name##Async_v2(to_type to, from_type from, size_t n, CUstream stream) \
	{ \
		return copy(to_value, from_value, n, kind, stream); \
	} \
	SAME(cuMemcpy##name##Async_v2_ptsz, cuMemcpy##name##Async_v2)
COPY(HtoD, CUdeviceptr, pointer(to), const void *, from, cudaMemcpyHostToDevice);
COPY(DtoH, void *, to, CUdeviceptr, pointer(from), cudaMemcpyDeviceToHost);
COPY(DtoD, CUdeviceptr, pointer(to), CUdeviceptr, pointer(from), cudaMemcpyDeviceToDevice);

CALL CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
	return copy(pointer(to), pointer(from), n, cudaMemcpyDefault, stream);
}
SAME(cuMemcpyAsync_ptsz, cuMemcpyAsync);
CALL CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t n) { return cuMemcpyAsync(to, from, n, NULL); }
SAME(cuMemcpy_ptds, cuMemcpy);

CALL CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
				size_t n, CUstream stream)
{
	NEEDS_CONTEXT;
	if (!is_context(to_context) || !is_context(from_context))
		return CUDA_ERROR_INVALID_CONTEXT;
	return copy(pointer(to), pointer(from), n, cudaMemcpyDeviceToDevice, stream);
}
SAME(cuMemcpyPeerAsync_ptsz, cuMemcpyPeerAsync);

CALL CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t n)
{
	return cuMemcpyPeerAsync(to, to_context, from, from_context, n, NULL);
}
SAME(cuMemcpyPeer_ptds, cuMemcpyPeer);

/* ---- fills ---- */

static CUresult fill(CUdeviceptr p, uint32_t value, size_t bytes, size_t count, CUstream stream)
{
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	if (!is_stream(stream))
		return leave(r, cudaErrorInvalidResourceHandle);
	if (p % bytes)
		return leave(r, cudaErrorInvalidValue);
	if (stream) {
		cudaError_t captured;
		leave(r, cudaSuccess);
		if (is_captured(stream, &captured)) {
			struct cudaMemsetParams f = { pointer(p), 0, value, (unsigned)bytes, count, 1 };
			return result(captured == cudaSuccess ? capture_fill(stream, &f) : captured);
		}
		r = enter(&e);
		if (!r)
			return e;
	}
	return leave(r, fill_values(r, pointer(p), value, bytes, count));
}

static CUresult fill_rows(CUdeviceptr p, size_t pitch, uint32_t value, size_t bytes, size_t width, size_t height)
{
	size_t row, all_rows;
	CUresult e;
	struct runtime *r = enter(&e);
	cudaError_t filled = cudaSuccess;

	if (!r)
		return e;
	if (__builtin_mul_overflow(bytes, width, &row) || (height > 1 && (row > pitch || pitch % bytes)) ||
	    p % bytes || !height || __builtin_mul_overflow(pitch, height - 1, &all_rows) ||
	    __builtin_add_overflow(all_rows, row, &all_rows) || !(find_managed(r, pointer(p), all_rows) ||
								 is_device(r, pointer(p), all_rows)))
		return leave(r, cudaErrorInvalidValue);
	for (size_t y = 0; y < height && filled == cudaSuccess; y++)
		filled = fill_values(r, pointer(p + y * pitch), value, bytes, width);
	return leave(r, filled);
}

static CUresult fill_rows_in(CUstream stream, CUdeviceptr p, size_t pitch, uint32_t value, size_t bytes, size_t width,
			     size_t height)
{
	struct cudaMemsetParams f = { pointer(p), pitch, value, (unsigned)bytes, width, height };
	cudaError_t captured;

	NEEDS_CONTEXT;
	if (!is_stream(stream))
		return CUDA_ERROR_INVALID_HANDLE;
	if (stream && is_captured(stream, &captured))
		return result(captured == cudaSuccess ? capture_fill(stream, &f) : captured);
	return fill_rows(p, pitch, value, bytes, width, height);
}

#define FILL(name, type, bytes) \
	CALL CUresult cuMemset##name##_v2(CUdeviceptr p, type value, size_t count) \
	{ \
		return fill(p, value, bytes, count, NULL); \
	} \
	SAME(cuMemset##name##_v2_ptds, cuMemset##name##_v2); \
	CALL CUresult cuMemset##name##Async(CUdeviceptr p, type value, size_t count, CUstream stream) \
	{ \
		return fill(p, value, bytes, count, stream); \
	} \
	SAME(cuMemset##name##Async_ptsz, cuMemset##name##Async)
FILL(D8, unsigned char, 1);
FILL(D16, unsigned short, 2);
FILL(D32, unsigned int, 4);

#define FILL_ROWS(name, type, bytes) \
	CALL CUresult cuMemset##name##_v2(CUdeviceptr p, size_t pitch, type value, size_t width, size_t height) \
	{ \
		return fill_rows(p, pitch, value, bytes, width, height); \
	} \
	SAME(cuMemset##name##_v2_ptds, cuMemset##name##_v2); \
	CALL CUresult cuMemset##name##Async(CUdeviceptr p, size_t pitch, type value, size_t width, size_t height, \
					    CUstream stream) \
	{ \
		return fill_rows_in(stream, p, pitch, value, bytes, width, height); \
	} \
	SAME(cuMemset##name##Async_ptsz, cuMemset##name##Async)
FILL_ROWS(D2D8, unsigned char, 1);
FILL_ROWS(D2D16, unsigned short, 2);
FILL_ROWS(D2D32, unsigned int, 4);
