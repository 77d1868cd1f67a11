/* Calls of a host program that CUDA and HIP have alike: WB_RT(Malloc) is cudaMalloc or hipMalloc, as the includer
 * says. Included once, between C's braces, with WB_API before each call. */

/* Devices. */
WB_API WB_RT(GetDeviceCount)(int *count);
WB_API WB_RT(GetDevice)(int *device);
WB_API WB_RT(SetDevice)(int device);
WB_API WB_RT(SetDeviceFlags)(unsigned int flags);
WB_API WB_RT(GetDeviceFlags)(unsigned int *flags);
WB_API WB_RT(DeviceReset)(void);
WB_API WB_RT(DeviceSynchronize)(void);
WB_API WB_RT(DeviceSetLimit)(enum WB_RT(Limit) limit, size_t value);
WB_API WB_RT(DeviceGetLimit)(size_t *value, enum WB_RT(Limit) limit);
WB_API WB_RT(DeviceSetCacheConfig)(enum WB_RT(FuncCache) config);
WB_API WB_RT(DeviceSetSharedMemConfig)(enum WB_RT(SharedMemConfig) config);
WB_API WB_RT(DeviceGetPCIBusId)(char *text, int bytes, int device);
WB_API WB_RT(DeviceCanAccessPeer)(int *can, int device, int peer);
WB_API WB_RT(DeviceEnablePeerAccess)(int peer, unsigned int flags);
WB_API WB_RT(DeviceDisablePeerAccess)(int peer);
WB_API WB_RT(DeviceGetP2PAttribute)(int *value, enum WB_RT(DeviceP2PAttr) attribute, int device, int peer);
WB_API WB_RT(DeviceGetStreamPriorityRange)(int *least, int *greatest);
WB_API WB_RT(DriverGetVersion)(int *version);
WB_API WB_RT(RuntimeGetVersion)(int *version);

/* Errors. */
WB_API WB_RT(GetLastError)(void);
WB_API WB_RT(PeekAtLastError)(void);
extern __host__ const char *CUDARTAPI WB_RT(GetErrorString)(WB_RT(Error_t) error);
extern __host__ const char *CUDARTAPI WB_RT(GetErrorName)(WB_RT(Error_t) error);

/* Memory. */
WB_API WB_RT(Malloc)(void **p, size_t bytes);
WB_API WB_RT(MallocPitch)(void **p, size_t *pitch, size_t width, size_t height);
WB_API WB_RT(MallocManaged)(void **p, size_t bytes, unsigned int flags);
WB_API WB_RT(MallocAsync)(void **p, size_t bytes, WB_RT(Stream_t) stream);
WB_API WB_RT(Free)(void *p);
WB_API WB_RT(FreeAsync)(void *p, WB_RT(Stream_t) stream);
WB_API WB_RT(HostRegister)(void *p, size_t bytes, unsigned int flags);
WB_API WB_RT(HostUnregister)(void *p);
WB_API WB_RT(HostGetDevicePointer)(void **device, void *host, unsigned int flags);
WB_API WB_RT(MemGetInfo)(size_t *free, size_t *total);
WB_API WB_RT(Memcpy)(void *to, const void *from, size_t bytes, enum WB_RT(MemcpyKind) kind);
WB_API WB_RT(MemcpyAsync)(void *to, const void *from, size_t bytes, enum WB_RT(MemcpyKind) kind,
			   WB_RT(Stream_t) stream);
WB_API WB_RT(MemcpyPeer)(void *to, int to_device, const void *from, int from_device, size_t bytes);
WB_API WB_RT(Memcpy2D)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
		    enum WB_RT(MemcpyKind) kind);
WB_API WB_RT(Memcpy2DAsync)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
			 enum WB_RT(MemcpyKind) kind, WB_RT(Stream_t) stream);
WB_API WB_RT(Memset)(void *p, int value, size_t bytes);
WB_API WB_RT(MemsetAsync)(void *p, int value, size_t bytes, WB_RT(Stream_t) stream);
WB_API WB_RT(Memset2D)(void *p, size_t pitch, int value, size_t width, size_t height);
WB_API WB_RT(Memset2DAsync)(void *p, size_t pitch, int value, size_t width, size_t height,
			    WB_RT(Stream_t) stream);
WB_API WB_RT(MemcpyToSymbol)(const void *symbol, const void *from, size_t bytes, size_t offset,
			  enum WB_RT(MemcpyKind) kind);
WB_API WB_RT(MemcpyToSymbolAsync)(const void *symbol, const void *from, size_t bytes, size_t offset,
			       enum WB_RT(MemcpyKind) kind, WB_RT(Stream_t) stream);
WB_API WB_RT(MemcpyFromSymbol)(void *to, const void *symbol, size_t bytes, size_t offset, enum WB_RT(MemcpyKind) kind);
WB_API WB_RT(MemcpyFromSymbolAsync)(void *to, const void *symbol, size_t bytes, size_t offset,
				     enum WB_RT(MemcpyKind) kind, WB_RT(Stream_t) stream);
WB_API WB_RT(GetSymbolAddress)(void **p, const void *symbol);
WB_API WB_RT(GetSymbolSize)(size_t *bytes, const void *symbol);
WB_API WB_RT(MemAdvise)(const void *p, size_t bytes, enum WB_RT(MemoryAdvise) advice, int device);
WB_API WB_RT(MemPrefetchAsync)(const void *p, size_t bytes, int device, WB_RT(Stream_t) stream);
WB_API WB_RT(IpcGetMemHandle)(WB_RT(IpcMemHandle_t) *handle, void *p);
WB_API WB_RT(IpcOpenMemHandle)(void **p, WB_RT(IpcMemHandle_t) handle, unsigned int flags);
WB_API WB_RT(IpcCloseMemHandle)(void *p);
WB_API WB_RT(IpcGetEventHandle)(WB_RT(IpcEventHandle_t) *handle, WB_RT(Event_t) event);
WB_API WB_RT(IpcOpenEventHandle)(WB_RT(Event_t) *event, WB_RT(IpcEventHandle_t) handle);

/* Streams and events. */
WB_API WB_RT(StreamCreate)(WB_RT(Stream_t) *stream);
WB_API WB_RT(StreamCreateWithFlags)(WB_RT(Stream_t) *stream, unsigned int flags);
WB_API WB_RT(StreamCreateWithPriority)(WB_RT(Stream_t) *stream, unsigned int flags, int priority);
WB_API WB_RT(StreamGetPriority)(WB_RT(Stream_t) stream, int *priority);
WB_API WB_RT(StreamGetFlags)(WB_RT(Stream_t) stream, unsigned int *flags);
WB_API WB_RT(StreamAttachMemAsync)(WB_RT(Stream_t) stream, void *p, size_t bytes, unsigned int flags);
WB_API WB_RT(StreamDestroy)(WB_RT(Stream_t) stream);
WB_API WB_RT(StreamSynchronize)(WB_RT(Stream_t) stream);
WB_API WB_RT(StreamQuery)(WB_RT(Stream_t) stream);
WB_API WB_RT(StreamWaitEvent)(WB_RT(Stream_t) stream, WB_RT(Event_t) event, unsigned int flags);
WB_API WB_RT(StreamAddCallback)(WB_RT(Stream_t) stream, WB_RT(StreamCallback_t) call, void *context,
				unsigned int flags);
WB_API WB_RT(LaunchHostFunc)(WB_RT(Stream_t) stream, WB_RT(HostFn_t) call, void *context);
WB_API WB_RT(EventCreate)(WB_RT(Event_t) *event);
WB_API WB_RT(EventCreateWithFlags)(WB_RT(Event_t) *event, unsigned int flags);
WB_API WB_RT(EventDestroy)(WB_RT(Event_t) event);
WB_API WB_RT(EventRecord)(WB_RT(Event_t) event, WB_RT(Stream_t) stream);
WB_API WB_RT(EventSynchronize)(WB_RT(Event_t) event);
WB_API WB_RT(EventQuery)(WB_RT(Event_t) event);
WB_API WB_RT(EventElapsedTime)(float *ms, WB_RT(Event_t) start, WB_RT(Event_t) end);

/* Kernels. */
WB_API WB_RT(LaunchKernel)(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
			WB_RT(Stream_t) stream);
WB_API WB_RT(LaunchCooperativeKernel)(const void *function, dim3 grid, dim3 block, void **arguments,
				      size_t shared_bytes, WB_RT(Stream_t) stream);
WB_API WB_RT(FuncGetAttributes)(struct WB_RT(FuncAttributes) *attributes, const void *function);
WB_API WB_RT(FuncSetAttribute)(const void *function, enum WB_RT(FuncAttribute) attribute, int value);
WB_API WB_RT(FuncSetCacheConfig)(const void *function, enum WB_RT(FuncCache) config);
WB_API WB_RT(FuncSetSharedMemConfig)(const void *function, enum WB_RT(SharedMemConfig) config);
WB_API WB_RT(OccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks, const void *function, int threads,
						     size_t shared_bytes);
WB_API WB_RT(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(int *blocks, const void *function, int threads,
							      size_t shared_bytes, unsigned int flags);
WB_API WB_RT(ProfilerStart)(void);
WB_API WB_RT(ProfilerStop)(void);

#include "warpbeam_graph_calls.h"
