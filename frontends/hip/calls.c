/* Calls that HIP has under several names, and those of its driver-like part: copies by direction, pinned memory, and
 * modules, which are code objects or bundles from a file or from memory. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "frontends/runtime/runtime.h"

/* ---- other names ---- */

CALL cudaError_t hipHostAlloc(void **p, size_t bytes, unsigned flags);
CALL cudaError_t hipFreeHost(void *p);
CALL cudaError_t hipMalloc(void **p, size_t bytes);
CALL cudaError_t hipMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind);
CALL cudaError_t hipMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, cudaStream_t stream);
CALL cudaError_t hipMemset(void *p, int value, size_t n);

CALL cudaError_t hipHostMalloc(void **p, size_t bytes, unsigned flags);
CALL cudaError_t hipHostFree(void *p);
CALL cudaError_t hipExtMallocWithFlags(void **p, size_t bytes, unsigned flags);
CALL cudaError_t hipMemcpyWithStream(void *to, const void *from, size_t n, enum cudaMemcpyKind kind,
				     cudaStream_t stream);
CALL cudaError_t hipMemcpyHtoD(void *to, void *from, size_t n);
CALL cudaError_t hipMemcpyDtoH(void *to, void *from, size_t n);
CALL cudaError_t hipMemcpyDtoD(void *to, void *from, size_t n);
CALL cudaError_t hipMemcpyHtoDAsync(void *to, void *from, size_t n, cudaStream_t stream);
CALL cudaError_t hipMemcpyDtoHAsync(void *to, void *from, size_t n, cudaStream_t stream);
CALL cudaError_t hipMemcpyDtoDAsync(void *to, void *from, size_t n, cudaStream_t stream);
CALL cudaError_t hipMemsetD8(void *p, unsigned char value, size_t count);
CALL cudaError_t hipMemsetD16(void *p, unsigned short value, size_t count);
CALL cudaError_t hipMemsetD32(void *p, int value, size_t count);

cudaError_t hipHostMalloc(void **p, size_t bytes, unsigned flags) { return (void)flags, hipHostAlloc(p, bytes, 0); }
cudaError_t hipHostFree(void *p) { return hipFreeHost(p); }
cudaError_t hipExtMallocWithFlags(void **p, size_t bytes, unsigned flags) { return (void)flags, hipMalloc(p, bytes); }
cudaError_t hipMemcpyWithStream(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return hipMemcpyAsync(to, from, n, kind, stream);
}
cudaError_t hipMemcpyHtoD(void *to, void *from, size_t n) { return hipMemcpy(to, from, n, cudaMemcpyHostToDevice); }
cudaError_t hipMemcpyDtoH(void *to, void *from, size_t n) { return hipMemcpy(to, from, n, cudaMemcpyDeviceToHost); }
cudaError_t hipMemcpyDtoD(void *to, void *from, size_t n) { return hipMemcpy(to, from, n, cudaMemcpyDeviceToDevice); }
cudaError_t hipMemcpyHtoDAsync(void *to, void *from, size_t n, cudaStream_t stream)
{
	return hipMemcpyAsync(to, from, n, cudaMemcpyHostToDevice, stream);
}
cudaError_t hipMemcpyDtoHAsync(void *to, void *from, size_t n, cudaStream_t stream)
{
	return hipMemcpyAsync(to, from, n, cudaMemcpyDeviceToHost, stream);
}
cudaError_t hipMemcpyDtoDAsync(void *to, void *from, size_t n, cudaStream_t stream)
{
	return hipMemcpyAsync(to, from, n, cudaMemcpyDeviceToDevice, stream);
}

static cudaError_t fill(void *p, uint32_t value, size_t bytes, size_t count)
{
	WITH_RUNTIME(fill_values(r, p, value, bytes, count));
}

cudaError_t hipMemsetD8(void *p, unsigned char value, size_t count) { return fill(p, value, 1, count); }
cudaError_t hipMemsetD16(void *p, unsigned short value, size_t count) { return fill(p, value, 2, count); }
cudaError_t hipMemsetD32(void *p, int value, size_t count) { return fill(p, (uint32_t)value, 4, count); }

CALL cudaError_t hipMemsetD8Async(void *p, unsigned char value, size_t count, cudaStream_t stream);
CALL cudaError_t hipMemsetD16Async(void *p, unsigned short value, size_t count, cudaStream_t stream);
CALL cudaError_t hipMemsetD32Async(void *p, int value, size_t count, cudaStream_t stream);
CALL cudaError_t hipMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t n);
CALL cudaError_t hipMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t n,
				    cudaStream_t stream);
CALL cudaError_t hipMemAllocHost(void **p, size_t bytes);
CALL cudaError_t hipHostGetFlags(unsigned *flags, void *p);

static cudaError_t if_stream(cudaStream_t stream)
{
	return is_stream(stream) ? cudaSuccess : keep_error(cudaErrorInvalidResourceHandle);
}

cudaError_t hipMemsetD8Async(void *p, unsigned char value, size_t count, cudaStream_t stream)
{
	cudaError_t e = if_stream(stream);

	return e == cudaSuccess ? fill(p, value, 1, count) : e;
}

cudaError_t hipMemsetD16Async(void *p, unsigned short value, size_t count, cudaStream_t stream)
{
	cudaError_t e = if_stream(stream);

	return e == cudaSuccess ? fill(p, value, 2, count) : e;
}

cudaError_t hipMemsetD32Async(void *p, int value, size_t count, cudaStream_t stream)
{
	cudaError_t e = if_stream(stream);

	return e == cudaSuccess ? fill(p, (uint32_t)value, 4, count) : e;
}

cudaError_t hipMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t n,
			       cudaStream_t stream)
{
	cudaError_t e = if_stream(stream);

	return e == cudaSuccess ? hipMemcpyPeer(to, to_device, from, from_device, n) : e;
}

cudaError_t hipMemAllocHost(void **p, size_t bytes) { return hipHostAlloc(p, bytes, 0); }

cudaError_t hipHostGetFlags(unsigned *flags, void *p)
{
	cudaError_t e;
	struct runtime *r;

	if (!flags)
		return keep_error(cudaErrorInvalidValue);
	r = begin(&e);
	if (!r)
		return keep_error(e);
	*flags = 0;
	return end(r, find_managed(r, p, 0) ? e : cudaErrorInvalidValue);
}

/* ---- contexts: there is one ---- */

static struct ihipCtx_t { int device; } the_context;

CALL cudaError_t hipCtxCreate(struct ihipCtx_t **c, unsigned flags, int device);
CALL cudaError_t hipCtxDestroy(struct ihipCtx_t *c);
CALL cudaError_t hipCtxGetCurrent(struct ihipCtx_t **c);
CALL cudaError_t hipCtxSetCurrent(struct ihipCtx_t *c);
CALL cudaError_t hipCtxGetDevice(int *device);
CALL cudaError_t hipCtxSynchronize(void);
CALL cudaError_t hipDevicePrimaryCtxRetain(struct ihipCtx_t **c, int device);
CALL cudaError_t hipDevicePrimaryCtxRelease(int device);
CALL cudaError_t hipDeviceSynchronize(void);

static cudaError_t context(struct ihipCtx_t **c, int device)
{
	if (!c || device)
		return keep_error(c ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	*c = &the_context;
	return cudaSuccess;
}

cudaError_t hipCtxCreate(struct ihipCtx_t **c, unsigned flags, int device) { return (void)flags, context(c, device); }
cudaError_t hipCtxGetCurrent(struct ihipCtx_t **c) { return context(c, 0); }
cudaError_t hipDevicePrimaryCtxRetain(struct ihipCtx_t **c, int device) { return context(c, device); }
cudaError_t hipCtxDestroy(struct ihipCtx_t *c)
{
	return keep_error(c == &the_context ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t hipCtxSetCurrent(struct ihipCtx_t *c)
{
	return keep_error(!c || c == &the_context ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t hipCtxGetDevice(int *device)
{
	if (!device)
		return keep_error(cudaErrorInvalidValue);
	*device = 0;
	return cudaSuccess;
}
cudaError_t hipCtxSynchronize(void) { return hipDeviceSynchronize(); }
cudaError_t hipDevicePrimaryCtxRelease(int device)
{
	return keep_error(device ? cudaErrorInvalidDevice : cudaSuccess);
}

/* ---- programs whose default stream is one of the thread's: streams are in order and empty ---- */

CALL cudaError_t hipMemcpy_spt(void *to, const void *from, size_t n, enum cudaMemcpyKind kind);
CALL cudaError_t hipMemcpyAsync_spt(void *to, const void *from, size_t n, enum cudaMemcpyKind kind,
				    cudaStream_t stream);
CALL cudaError_t hipMemset_spt(void *p, int value, size_t n);
CALL cudaError_t hipLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
				 cudaStream_t stream);
CALL cudaError_t hipLaunchKernel_spt(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
				     cudaStream_t stream);
CALL cudaError_t hipStreamSynchronize(cudaStream_t stream);
CALL cudaError_t hipStreamSynchronize_spt(cudaStream_t stream);
CALL cudaError_t hipStreamQuery(cudaStream_t stream);
CALL cudaError_t hipStreamQuery_spt(cudaStream_t stream);

cudaError_t hipMemcpy_spt(void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
	return hipMemcpy(to, from, n, kind);
}
cudaError_t hipMemcpyAsync_spt(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return hipMemcpyAsync(to, from, n, kind, stream);
}
cudaError_t hipMemset_spt(void *p, int value, size_t n) { return hipMemset(p, value, n); }
cudaError_t hipLaunchKernel_spt(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
				cudaStream_t stream)
{
	return hipLaunchKernel(host, grid, block, arguments, shared_bytes, stream);
}
cudaError_t hipStreamSynchronize_spt(cudaStream_t stream) { return hipStreamSynchronize(stream); }
cudaError_t hipStreamQuery_spt(cudaStream_t stream) { return hipStreamQuery(stream); }

/* ---- occupancy ---- */

CALL cudaError_t hipFuncGetAttributes(struct hipFuncAttributes *a, const void *host);
CALL cudaError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int threads,
							      size_t shared_bytes);
CALL cudaError_t hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *host, size_t shared_bytes,
						   int limit);

/* The largest block, in whole warps, of the most threads that a multiprocessor holds; of CUDA a template in the header
 * has this. */
cudaError_t hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *host, size_t shared_bytes, int limit)
{
	struct hipFuncAttributes a;
	int most = 0, lanes, multiprocessors;
	cudaError_t e = hipFuncGetAttributes(&a, host);
	struct runtime *r = e == cudaSuccess && grid && block ? begin(&e) : NULL;

	if (!r)
		return keep_error(e == cudaSuccess ? cudaErrorInvalidValue : e);
	lanes = int_fact(r, "warp_lanes");
	multiprocessors = int_fact(r, "multiprocessors");
	end(r, cudaSuccess);
	limit = limit > 0 && limit < a.maxThreadsPerBlock ? limit : a.maxThreadsPerBlock;
	for (int threads = limit / lanes * lanes; threads > 0; threads -= lanes) {
		int blocks = 0;
		e = hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, host, threads, shared_bytes);
		if (e == cudaSuccess && blocks * threads > most) {
			most = blocks * threads;
			*block = threads;
			*grid = blocks * multiprocessors;
		}
	}
	return keep_error(most ? cudaSuccess : cudaErrorInvalidConfiguration);
}
