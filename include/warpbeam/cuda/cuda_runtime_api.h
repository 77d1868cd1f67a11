/* Calls of a host program: names, numbers and structures of CUDA's runtime interface, for the library that
 * `warpbeam run -- ./app` puts in front (frontends/cuda). */
#ifndef WARPBEAM_CUDA_RUNTIME_API_H
#define WARPBEAM_CUDA_RUNTIME_API_H

#include <stddef.h>

#include "driver_types.h"

#define WB_API extern __host__ cudaError_t CUDARTAPI

#ifdef __cplusplus
extern "C" {
#endif

/* Devices. */
WB_API cudaGetDeviceCount(int *count);
WB_API cudaGetDevice(int *device);
WB_API cudaSetDevice(int device);
WB_API cudaSetDeviceFlags(unsigned int flags);
WB_API cudaGetDeviceFlags(unsigned int *flags);
WB_API cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
WB_API cudaDeviceReset(void);
WB_API cudaDeviceSynchronize(void);
WB_API cudaThreadSynchronize(void);
WB_API cudaThreadExit(void);
WB_API cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
WB_API cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
WB_API cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
WB_API cudaDeviceSetCacheConfig(enum cudaFuncCache config);
WB_API cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
WB_API cudaDeviceGetPCIBusId(char *text, int bytes, int device);
WB_API cudaDeviceCanAccessPeer(int *can, int device, int peer);
WB_API cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
WB_API cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
WB_API cudaDriverGetVersion(int *version);
WB_API cudaRuntimeGetVersion(int *version);
/* cudaGetDeviceProperties with the structure of these headers, whatever the version of the library. */
WB_API warpbeam_cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);

/* Errors. */
WB_API cudaGetLastError(void);
WB_API cudaPeekAtLastError(void);
extern __host__ const char *CUDARTAPI cudaGetErrorString(cudaError_t error);
extern __host__ const char *CUDARTAPI cudaGetErrorName(cudaError_t error);

/* Memory. */
WB_API cudaMalloc(void **p, size_t bytes);
WB_API cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height);
WB_API cudaMallocManaged(void **p, size_t bytes, unsigned int flags);
WB_API cudaMallocHost(void **p, size_t bytes);
WB_API cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream);
WB_API cudaFree(void *p);
WB_API cudaFreeAsync(void *p, cudaStream_t stream);
WB_API cudaFreeHost(void *p);
WB_API cudaHostAlloc(void **p, size_t bytes, unsigned int flags);
WB_API cudaHostRegister(void *p, size_t bytes, unsigned int flags);
WB_API cudaHostUnregister(void *p);
WB_API cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
WB_API cudaMemGetInfo(size_t *free, size_t *total);
WB_API cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p);
WB_API cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
WB_API cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream);
WB_API cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes);
WB_API cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
		    enum cudaMemcpyKind kind);
WB_API cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
			 enum cudaMemcpyKind kind, cudaStream_t stream);
WB_API cudaMemset(void *p, int value, size_t bytes);
WB_API cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream);
WB_API cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height);
WB_API cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
			  enum cudaMemcpyKind kind);
WB_API cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
			       enum cudaMemcpyKind kind, cudaStream_t stream);
WB_API cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind);
WB_API cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
				 cudaStream_t stream);
WB_API cudaGetSymbolAddress(void **p, const void *symbol);
WB_API cudaGetSymbolSize(size_t *bytes, const void *symbol);
WB_API cudaMemAdvise(const void *p, size_t bytes, enum cudaMemoryAdvise advice, int device);
WB_API cudaMemPrefetchAsync(const void *p, size_t bytes, int device, cudaStream_t stream);

/* Streams and events. */
WB_API cudaStreamCreate(cudaStream_t *stream);
WB_API cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
WB_API cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
WB_API cudaStreamDestroy(cudaStream_t stream);
WB_API cudaStreamSynchronize(cudaStream_t stream);
WB_API cudaStreamQuery(cudaStream_t stream);
WB_API cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
WB_API cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t call, void *context, unsigned int flags);
WB_API cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t call, void *context);
WB_API cudaEventCreate(cudaEvent_t *event);
WB_API cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
WB_API cudaEventDestroy(cudaEvent_t event);
WB_API cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
WB_API cudaEventSynchronize(cudaEvent_t event);
WB_API cudaEventQuery(cudaEvent_t event);
WB_API cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);

/* Kernels. */
WB_API cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
			cudaStream_t stream);
WB_API cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
				   cudaStream_t stream);
WB_API cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function);
WB_API cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value);
WB_API cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config);
WB_API cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config);
WB_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
						     size_t shared_bytes);
WB_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
							      size_t shared_bytes, unsigned int flags);
WB_API cudaProfilerStart(void);
WB_API cudaProfilerStop(void);
#ifdef __cplusplus
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
					 struct CUstream_st *stream = 0);
}
#endif
#undef WB_API

static __inline__ __host__ cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
	return warpbeam_cudaGetDeviceProperties(prop, device);
}

#ifdef __cplusplus
#include "warpbeam_templates.h"
#endif

#endif
