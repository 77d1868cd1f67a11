/* Calls of CUDA's driver interface. Where the public name stands for a later version of the call, the library has the
 * name with the version, and the names here are macros as in everybody's programs. */
#ifndef WARPBEAM_CUDA_DRIVER_CALLS_H
#define WARPBEAM_CUDA_DRIVER_CALLS_H

#ifndef WARPBEAM_DRIVER /* the driver itself has both names */
#define cuCtxCreate cuCtxCreate_v2
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuLinkCreate cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyDtoD cuMemcpyDtoD_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define cuMemcpyDtoA cuMemcpyDtoA_v2
#define cuMemcpyAtoD cuMemcpyAtoD_v2
#define cuMemcpyHtoA cuMemcpyHtoA_v2
#define cuMemcpyAtoH cuMemcpyAtoH_v2
#define cuMemcpyAtoA cuMemcpyAtoA_v2
#define cuMemcpy2D cuMemcpy2D_v2
#define cuMemcpy2DAsync cuMemcpy2DAsync_v2
#define cuMemcpy2DUnaligned cuMemcpy2DUnaligned_v2
#define cuMemcpy3D cuMemcpy3D_v2
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2
#define cuMemsetD8 cuMemsetD8_v2
#define cuMemsetD16 cuMemsetD16_v2
#define cuMemsetD32 cuMemsetD32_v2
#define cuMemsetD2D8 cuMemsetD2D8_v2
#define cuMemsetD2D16 cuMemsetD2D16_v2
#define cuMemsetD2D32 cuMemsetD2D32_v2
#define cuArrayCreate cuArrayCreate_v2
#define cuArrayGetDescriptor cuArrayGetDescriptor_v2
#define cuArray3DCreate cuArray3DCreate_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuGetProcAddress cuGetProcAddress_v2
#endif

#ifdef __cplusplus
extern "C" {
#endif
#define WB_CU extern CUresult CUDAAPI

/* The driver and its errors. */
WB_CU cuInit(unsigned int flags);
WB_CU cuDriverGetVersion(int *version);
WB_CU cuGetErrorName(CUresult error, const char **name);
WB_CU cuGetErrorString(CUresult error, const char **text);
WB_CU cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags,
			  CUdriverProcAddressQueryResult *result);
#ifdef WARPBEAM_DRIVER
WB_CU cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags);
WB_CU cuGetExportTable(const void **table, const CUuuid *id);
#endif

/* Devices. */
WB_CU cuDeviceGet(CUdevice *device, int ordinal);
WB_CU cuDeviceGetCount(int *count);
WB_CU cuDeviceGetName(char *name, int bytes, CUdevice device);
WB_CU cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
WB_CU cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device);
WB_CU cuDeviceTotalMem_v2(size_t *bytes, CUdevice device);
WB_CU cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
WB_CU cuDeviceGetProperties(CUdevprop *properties, CUdevice device);
WB_CU cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
WB_CU cuDeviceGetPCIBusId(char *text, int bytes, CUdevice device);
WB_CU cuDeviceGetByPCIBusId(CUdevice *device, const char *text);
WB_CU cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);

/* Contexts. */
WB_CU cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device);
WB_CU cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *affinity, int n, unsigned int flags, CUdevice device);
WB_CU cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned int flags, CUdevice device);
WB_CU cuCtxDestroy_v2(CUcontext context);
WB_CU cuCtxAttach(CUcontext *context, unsigned int flags);
WB_CU cuCtxDetach(CUcontext context);
WB_CU cuCtxPushCurrent_v2(CUcontext context);
WB_CU cuCtxPopCurrent_v2(CUcontext *context);
WB_CU cuCtxSetCurrent(CUcontext context);
WB_CU cuCtxGetCurrent(CUcontext *context);
WB_CU cuCtxGetDevice(CUdevice *device);
WB_CU cuCtxGetFlags(unsigned int *flags);
WB_CU cuCtxSetFlags(unsigned int flags);
WB_CU cuCtxGetId(CUcontext context, unsigned long long *id);
WB_CU cuCtxGetApiVersion(CUcontext context, unsigned int *version);
WB_CU cuCtxSynchronize(void);
WB_CU cuCtxSynchronize_v2(CUcontext context);
WB_CU cuCtxSetLimit(CUlimit limit, size_t value);
WB_CU cuCtxGetLimit(size_t *value, CUlimit limit);
WB_CU cuCtxGetCacheConfig(CUfunc_cache *config);
WB_CU cuCtxSetCacheConfig(CUfunc_cache config);
WB_CU cuCtxGetSharedMemConfig(CUsharedconfig *config);
WB_CU cuCtxSetSharedMemConfig(CUsharedconfig config);
WB_CU cuCtxGetStreamPriorityRange(int *least, int *greatest);
WB_CU cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags);
WB_CU cuCtxDisablePeerAccess(CUcontext peer);
WB_CU cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
WB_CU cuDevicePrimaryCtxRelease_v2(CUdevice device);
WB_CU cuDevicePrimaryCtxReset_v2(CUdevice device);
WB_CU cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags);
WB_CU cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active);

/* Modules. */
WB_CU cuModuleLoad(CUmodule *module, const char *path);
WB_CU cuModuleLoadData(CUmodule *module, const void *image);
WB_CU cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int n, CUjit_option *options, void **values);
WB_CU cuModuleLoadFatBinary(CUmodule *module, const void *image);
WB_CU cuModuleUnload(CUmodule module);
WB_CU cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
WB_CU cuModuleGetGlobal_v2(CUdeviceptr *p, size_t *bytes, CUmodule module, const char *name);
WB_CU cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *jit, void **jit_values, unsigned int njit,
			CUlibraryOption *options, void **values, unsigned int n);
WB_CU cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *jit, void **jit_values,
			    unsigned int njit, CUlibraryOption *options, void **values, unsigned int n);
WB_CU cuLibraryUnload(CUlibrary library);
WB_CU cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name);
WB_CU cuLibraryGetModule(CUmodule *module, CUlibrary library);
WB_CU cuLibraryGetGlobal(CUdeviceptr *p, size_t *bytes, CUlibrary library, const char *name);
WB_CU cuKernelGetFunction(CUfunction *function, CUkernel kernel);
WB_CU cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device);
WB_CU cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device);
WB_CU cuLinkCreate_v2(unsigned int n, CUjit_option *options, void **values, CUlinkState *state);
WB_CU cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name,
		       unsigned int n, CUjit_option *options, void **values);
WB_CU cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned int n,
		       CUjit_option *options, void **values);
WB_CU cuLinkComplete(CUlinkState state, void **image, size_t *bytes);
WB_CU cuLinkDestroy(CUlinkState state);

/* Memory. */
WB_CU cuMemGetInfo_v2(size_t *left, size_t *total);
WB_CU cuMemAlloc_v2(CUdeviceptr *p, size_t bytes);
WB_CU cuMemAllocPitch_v2(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned int element);
WB_CU cuMemAllocManaged(CUdeviceptr *p, size_t bytes, unsigned int flags);
WB_CU cuMemAllocAsync(CUdeviceptr *p, size_t bytes, CUstream stream);
WB_CU cuMemFree_v2(CUdeviceptr p);
WB_CU cuMemFreeAsync(CUdeviceptr p, CUstream stream);
WB_CU cuMemGetAddressRange_v2(CUdeviceptr *begin, size_t *bytes, CUdeviceptr p);
WB_CU cuMemAllocHost_v2(void **p, size_t bytes);
WB_CU cuMemHostAlloc(void **p, size_t bytes, unsigned int flags);
WB_CU cuMemFreeHost(void *p);
WB_CU cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned int flags);
WB_CU cuMemHostGetFlags(unsigned int *flags, void *host);
WB_CU cuMemHostRegister_v2(void *p, size_t bytes, unsigned int flags);
WB_CU cuMemHostUnregister(void *p);
WB_CU cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr p);
WB_CU cuPointerGetAttributes(unsigned int n, CUpointer_attribute *attributes, void **values, CUdeviceptr p);
WB_CU cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes);
WB_CU cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
WB_CU cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes);
WB_CU cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
			CUstream stream);
WB_CU cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes);
WB_CU cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes);
WB_CU cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes);
WB_CU cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
WB_CU cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
WB_CU cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
WB_CU cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes);
WB_CU cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes);
WB_CU cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t bytes);
WB_CU cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t bytes);
WB_CU cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes);
WB_CU cuMemcpy2D_v2(const CUDA_MEMCPY2D *copy);
WB_CU cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *copy);
WB_CU cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream);
WB_CU cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy);
WB_CU cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream);
WB_CU cuMemsetD8_v2(CUdeviceptr p, unsigned char value, size_t count);
WB_CU cuMemsetD16_v2(CUdeviceptr p, unsigned short value, size_t count);
WB_CU cuMemsetD32_v2(CUdeviceptr p, unsigned int value, size_t count);
WB_CU cuMemsetD8Async(CUdeviceptr p, unsigned char value, size_t count, CUstream stream);
WB_CU cuMemsetD16Async(CUdeviceptr p, unsigned short value, size_t count, CUstream stream);
WB_CU cuMemsetD32Async(CUdeviceptr p, unsigned int value, size_t count, CUstream stream);
WB_CU cuMemsetD2D8_v2(CUdeviceptr p, size_t pitch, unsigned char value, size_t width, size_t height);
WB_CU cuMemsetD2D16_v2(CUdeviceptr p, size_t pitch, unsigned short value, size_t width, size_t height);
WB_CU cuMemsetD2D32_v2(CUdeviceptr p, size_t pitch, unsigned int value, size_t width, size_t height);
WB_CU cuMemsetD2D8Async(CUdeviceptr p, size_t pitch, unsigned char value, size_t width, size_t height,
			CUstream stream);
WB_CU cuMemsetD2D16Async(CUdeviceptr p, size_t pitch, unsigned short value, size_t width, size_t height,
			 CUstream stream);
WB_CU cuMemsetD2D32Async(CUdeviceptr p, size_t pitch, unsigned int value, size_t width, size_t height,
			 CUstream stream);
WB_CU cuStreamAttachMemAsync(CUstream stream, CUdeviceptr p, size_t bytes, unsigned int flags);
WB_CU cuMemAdvise(CUdeviceptr p, size_t bytes, int advice, CUdevice device);
WB_CU cuMemAdvise_v2(CUdeviceptr p, size_t bytes, int advice, CUmemLocation place);
WB_CU cuMemPrefetchAsync(CUdeviceptr p, size_t bytes, CUdevice device, CUstream stream);
WB_CU cuMemPrefetchAsync_v2(CUdeviceptr p, size_t bytes, CUmemLocation place, unsigned int flags, CUstream stream);

/* Arrays, textures and surfaces. */
WB_CU cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc);
WB_CU cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array);
WB_CU cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc);
WB_CU cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array);
WB_CU cuArrayDestroy(CUarray array);
WB_CU cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *desc,
			const CUDA_RESOURCE_VIEW_DESC *view);
WB_CU cuTexObjectDestroy(CUtexObject texture);
WB_CU cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource);
WB_CU cuSurfObjectDestroy(CUsurfObject surface);

/* Streams and events. */
WB_CU cuStreamCreate(CUstream *stream, unsigned int flags);
WB_CU cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority);
WB_CU cuStreamDestroy_v2(CUstream stream);
WB_CU cuStreamGetPriority(CUstream stream, int *priority);
WB_CU cuStreamGetFlags(CUstream stream, unsigned int *flags);
WB_CU cuStreamGetCtx(CUstream stream, CUcontext *context);
WB_CU cuStreamSynchronize(CUstream stream);
WB_CU cuStreamQuery(CUstream stream);
WB_CU cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
WB_CU cuStreamAddCallback(CUstream stream, CUstreamCallback call, void *context, unsigned int flags);
WB_CU cuLaunchHostFunc(CUstream stream, CUhostFn call, void *context);
WB_CU cuEventCreate(CUevent *event, unsigned int flags);
WB_CU cuEventDestroy_v2(CUevent event);
WB_CU cuEventRecord(CUevent event, CUstream stream);
WB_CU cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags);
WB_CU cuEventQuery(CUevent event);
WB_CU cuEventSynchronize(CUevent event);
WB_CU cuEventElapsedTime(float *ms, CUevent from, CUevent to);
WB_CU cuEventElapsedTime_v2(float *ms, CUevent from, CUevent to);

/* Launches. */
WB_CU cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
		     unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
		     CUstream stream, void **params, void **extra);
WB_CU cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params, void **extra);
WB_CU cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
				unsigned int block_x, unsigned int block_y, unsigned int block_z,
				unsigned int shared_bytes, CUstream stream, void **params);
WB_CU cuFuncSetBlockShape(CUfunction function, int x, int y, int z);
WB_CU cuFuncSetSharedSize(CUfunction function, unsigned int bytes);
WB_CU cuParamSetSize(CUfunction function, unsigned int bytes);
WB_CU cuParamSeti(CUfunction function, int offset, unsigned int value);
WB_CU cuParamSetf(CUfunction function, int offset, float value);
WB_CU cuParamSetv(CUfunction function, int offset, void *value, unsigned int bytes);
WB_CU cuLaunch(CUfunction function);
WB_CU cuLaunchGrid(CUfunction function, int width, int height);
WB_CU cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream);
WB_CU cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function);
WB_CU cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value);
WB_CU cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config);
WB_CU cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config);
WB_CU cuFuncGetModule(CUmodule *module, CUfunction function);
WB_CU cuFuncGetName(const char **name, CUfunction function);
WB_CU cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared_bytes);
WB_CU cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int threads,
							   size_t shared_bytes, unsigned int flags);
WB_CU cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared,
				       size_t shared_bytes, int limit);
WB_CU cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared,
						size_t shared_bytes, int limit, unsigned int flags);
WB_CU cuProfilerStart(void);
WB_CU cuProfilerStop(void);

#undef WB_CU
#ifdef __cplusplus
}
#ifndef WARPBEAM_DRIVER
/* As CUDA 13 has the call. */
static inline CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *params, unsigned int flags, CUdevice device)
{
	return cuCtxCreate_v4(context, params, flags, device);
}
#endif
#endif

#endif
