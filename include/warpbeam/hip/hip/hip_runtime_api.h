/* Calls of a host program: names, numbers and structures of HIP's runtime interface, for the library that
 * `warpbeam run -- ./app` puts in front (frontends/hip). */
#ifndef WARPBEAM_HIP_RUNTIME_API_H
#define WARPBEAM_HIP_RUNTIME_API_H

#include <stddef.h>

#include "driver_types.h"
#include "hip_version.h"

#define WB_RT(name) hip##name
#define WB_API extern __host__ hipError_t

#ifdef __cplusplus
extern "C" {
#endif

#include "../../cuda/warpbeam_calls.h"

/* Of HIP alone. */
WB_API hipInit(unsigned int flags);
WB_API hipChooseDevice(int *device, const hipDeviceProp_t *prop);
WB_API hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device);
WB_API hipGetDeviceProperties(hipDeviceProp_t *prop, int device);
WB_API hipDeviceGet(hipDevice_t *device, int ordinal);
WB_API hipDeviceGetName(char *name, int bytes, hipDevice_t device);
WB_API hipDeviceTotalMem(size_t *bytes, hipDevice_t device);
WB_API hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device);
WB_API hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *p);
WB_API hipHostMalloc(void **p, size_t bytes, unsigned int flags);
WB_API hipHostAlloc(void **p, size_t bytes, unsigned int flags);
WB_API hipMallocHost(void **p, size_t bytes);
WB_API hipHostFree(void *p);
WB_API hipFreeHost(void *p);
WB_API hipExtMallocWithFlags(void **p, size_t bytes, unsigned int flags);
WB_API hipMemcpyWithStream(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t stream);
WB_API hipMemcpyHtoD(hipDeviceptr_t to, void *from, size_t bytes);
WB_API hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t bytes);
WB_API hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes);
WB_API hipMemcpyHtoDAsync(hipDeviceptr_t to, void *from, size_t bytes, hipStream_t stream);
WB_API hipMemcpyDtoHAsync(void *to, hipDeviceptr_t from, size_t bytes, hipStream_t stream);
WB_API hipMemsetD8(hipDeviceptr_t p, unsigned char value, size_t count);
WB_API hipMemsetD16(hipDeviceptr_t p, unsigned short value, size_t count);
WB_API hipMemsetD32(hipDeviceptr_t p, int value, size_t count);
WB_API hipModuleLoad(hipModule_t *module, const char *path);
WB_API hipModuleLoadData(hipModule_t *module, const void *image);
WB_API hipModuleUnload(hipModule_t module);
WB_API hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name);
WB_API hipModuleGetGlobal(hipDeviceptr_t *p, size_t *bytes, hipModule_t module, const char *name);
WB_API hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
			     unsigned int block_x, unsigned int block_y, unsigned int block_z,
			     unsigned int shared_bytes, hipStream_t stream, void **arguments, void **extra);
WB_API hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t *wrong,
			  enum hipGraphExecUpdateResult *result);
#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)
#define HIP_LAUNCH_PARAM_END ((void *)3)
#ifdef __cplusplus
hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, hipStream_t stream = 0);
hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, hipStream_t *stream);
}

#define WB_WARP 64
#define WB_MULTIPROCESSORS hipDeviceAttributeMultiprocessorCount
#include "../../cuda/warpbeam_templates.h"
#undef WB_WARP
#undef WB_MULTIPROCESSORS
template <typename T> static inline __host__ hipError_t hipHostMalloc(T **p, size_t bytes, unsigned int flags = 0)
{
	return ::hipHostMalloc((void **)p, bytes, flags);
}
template <typename T> static inline __host__ hipError_t hipHostAlloc(T **p, size_t bytes, unsigned int flags = 0)
{
	return ::hipHostMalloc((void **)p, bytes, flags);
}
template <typename T> static inline __host__ hipError_t hipMallocHost(T **p, size_t bytes)
{
	return ::hipHostMalloc((void **)p, bytes, 0);
}
#endif
#undef WB_API
#undef WB_RT

#include "warpbeam_texture_calls.h"

#endif
