/* Calls of the host as C++ has them: pointers of any type, and defaults. */
#ifndef WARPBEAM_CUDA_TEMPLATES_H
#define WARPBEAM_CUDA_TEMPLATES_H

#define WB_H template <typename T> static inline __host__ cudaError_t

WB_H cudaMalloc(T **p, size_t bytes) { return ::cudaMalloc((void **)p, bytes); }
WB_H cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height)
{
	return ::cudaMallocPitch((void **)p, pitch, width, height);
}
WB_H cudaMallocHost(T **p, size_t bytes, unsigned int flags = 0)
{
	return ::cudaHostAlloc((void **)p, bytes, flags);
}
WB_H cudaHostAlloc(T **p, size_t bytes, unsigned int flags) { return ::cudaHostAlloc((void **)p, bytes, flags); }
WB_H cudaMallocManaged(T **p, size_t bytes, unsigned int flags = cudaMemAttachGlobal)
{
	return ::cudaMallocManaged((void **)p, bytes, flags);
}
WB_H cudaMallocAsync(T **p, size_t bytes, cudaStream_t stream) { return ::cudaMallocAsync((void **)p, bytes, stream); }
WB_H cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
	return ::cudaHostGetDevicePointer((void **)device, host, flags);
}

WB_H cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
			enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
	return ::cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
WB_H cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
			     enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
	return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
WB_H cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
			  enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
	return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
WB_H cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
			       enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
	return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
WB_H cudaGetSymbolAddress(void **p, const T &symbol) { return ::cudaGetSymbolAddress(p, (const void *)&symbol); }
WB_H cudaGetSymbolSize(size_t *bytes, const T &symbol) { return ::cudaGetSymbolSize(bytes, (const void *)&symbol); }

WB_H cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
		      cudaStream_t stream = 0)
{
	return ::cudaLaunchKernel((const void *)function, grid, block, arguments, shared_bytes, stream);
}
WB_H cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
				 cudaStream_t stream = 0)
{
	return ::cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared_bytes, stream);
}
WB_H cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *function)
{
	return ::cudaFuncGetAttributes(attributes, (const void *)function);
}
WB_H cudaFuncSetAttribute(T *function, enum cudaFuncAttribute attribute, int value)
{
	return ::cudaFuncSetAttribute((const void *)function, attribute, value);
}
WB_H cudaFuncSetCacheConfig(T *function, enum cudaFuncCache config)
{
	return ::cudaFuncSetCacheConfig((const void *)function, config);
}
WB_H cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function, int threads, size_t shared_bytes)
{
	return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, threads, shared_bytes);
}

/* The largest block, in whole warps, of the most threads that a multiprocessor holds. */
WB_H cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T function, size_t shared_bytes = 0, int limit = 0)
{
	int device = 0, multiprocessors = 1, most = 0;
	struct cudaFuncAttributes a;
	cudaError_t e = ::cudaGetDevice(&device);

	if (e == cudaSuccess)
		e = ::cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
	if (e == cudaSuccess)
		e = ::cudaFuncGetAttributes(&a, (const void *)function);
	if (e != cudaSuccess)
		return e;
	limit = limit > 0 && limit < a.maxThreadsPerBlock ? limit : a.maxThreadsPerBlock;
	for (int threads = limit / 32 * 32; threads > 0; threads -= 32) {
		int blocks = 0;
		e = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)function, threads,
								    shared_bytes);
		if (e != cudaSuccess)
			return e;
		if (blocks * threads > most) {
			most = blocks * threads;
			*block = threads;
			*grid = blocks * multiprocessors;
		}
	}
	return most ? cudaSuccess : cudaErrorInvalidConfiguration;
}

static inline __host__ cudaError_t cudaEventRecord(cudaEvent_t event) { return ::cudaEventRecord(event, 0); }
static inline __host__ cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
	return ::cudaEventCreateWithFlags(event, flags);
}
static inline __host__ cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	return ::cudaMemcpyAsync(to, from, bytes, kind, 0);
}
static inline __host__ cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes)
{
	return ::cudaMemsetAsync(p, value, bytes, 0);
}
static inline __host__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event)
{
	return ::cudaStreamWaitEvent(stream, event, 0);
}
static inline __host__ cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, int device)
{
	return ::cudaMemPrefetchAsync(p, bytes, device, 0);
}
#undef WB_H

#endif
