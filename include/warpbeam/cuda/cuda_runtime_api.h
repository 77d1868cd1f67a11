/* Calls of a host program: names, numbers and structures of CUDA's runtime interface, for the library that
 * `warpbeam run -- ./app` puts in front (frontends/cuda). */
#ifndef WARPBEAM_CUDA_RUNTIME_API_H
#define WARPBEAM_CUDA_RUNTIME_API_H

#include <stddef.h>

#include "driver_types.h"

#define WB_RT(name) cuda##name
#define WB_API extern __host__ cudaError_t CUDARTAPI

#ifdef __cplusplus
extern "C" {
#endif

#include "warpbeam_calls.h"

/* Of CUDA alone. */
WB_API cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
WB_API cudaThreadSynchronize(void);
WB_API cudaThreadExit(void);
WB_API cudaCtxResetPersistingL2Cache(void);
WB_API cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue *value);
WB_API cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue *value);
WB_API cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
WB_API warpbeam_cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
WB_API cudaMallocHost(void **p, size_t bytes);
WB_API cudaFreeHost(void *p);
WB_API cudaHostAlloc(void **p, size_t bytes, unsigned int flags);
WB_API warpbeam_cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *wrong,
				    enum cudaGraphExecUpdateResult *result);
WB_API cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p);
#ifdef __cplusplus
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
					 struct CUstream_st *stream = 0);

#ifdef __CUDA__         /* launches by kernels: libraries name them in functions that are never called */
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
__device__ cudaError_t cudaLaunchDevice(void *function, void *arguments, dim3 grid, dim3 block,
					unsigned int shared_bytes, cudaStream_t stream);
#endif
}
#endif

#include "warpbeam_texture_calls.h"

/* Tell the runtime where the host's __managed__ variables are, before the variables are registered. */
#if defined(__cplusplus) && defined(__CUDA__)
extern "C" {
extern char __start_warpbeam_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_warpbeam_managed[] __attribute__((weak, visibility("hidden")));
void warpbeam_cudaManaged(char *begin, char *end);
}
static __attribute__((constructor(101))) __host__ void warpbeam_tell_managed()
{
	if (__start_warpbeam_managed)
		warpbeam_cudaManaged(__start_warpbeam_managed, __stop_warpbeam_managed);
}
#endif

static __inline__ __host__ cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
	return warpbeam_cudaGetDeviceProperties(prop, device);
}

#ifdef __cplusplus
#define WB_WARP 32
#define WB_MULTIPROCESSORS cudaDevAttrMultiProcessorCount
#include "warpbeam_templates.h"
#undef WB_WARP
#undef WB_MULTIPROCESSORS
static inline __host__ int warpbeam_device_of(struct cudaMemLocation place)
{
	return place.type == cudaMemLocationTypeDevice ? place.id : cudaCpuDeviceId;
}
static inline __host__ cudaError_t cudaMemAdvise(const void *p, size_t bytes, enum cudaMemoryAdvise advice,
						 struct cudaMemLocation place)
{
	return ::cudaMemAdvise(p, bytes, advice, warpbeam_device_of(place));
}
static inline __host__ cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, struct cudaMemLocation place,
							unsigned int flags, cudaStream_t stream = 0)
{
	return flags ? cudaErrorInvalidValue : ::cudaMemPrefetchAsync(p, bytes, warpbeam_device_of(place), stream);
}
/* As CUDA 11 has the call, and as CUDA 12 has. */
static inline __host__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *wrong,
						       enum cudaGraphExecUpdateResult *result)
{
	return ::warpbeam_cudaGraphExecUpdate(exec, graph, wrong, result);
}
static inline __host__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
						       cudaGraphExecUpdateResultInfo *info)
{
	return ::warpbeam_cudaGraphExecUpdate(exec, graph, info ? &info->errorNode : 0, info ? &info->result : 0);
}
template <typename T> static inline __host__ cudaError_t cudaMallocHost(T **p, size_t bytes, unsigned int flags = 0)
{
	return ::cudaHostAlloc((void **)p, bytes, flags);
}
template <typename T> static inline __host__ cudaError_t cudaHostAlloc(T **p, size_t bytes, unsigned int flags)
{
	return ::cudaHostAlloc((void **)p, bytes, flags);
}
#endif
#undef WB_API
#undef WB_RT

#endif
