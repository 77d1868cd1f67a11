/* Calls of the host as C++ has them, pointers of any type and defaults, of CUDA and HIP: WB_RT(Malloc) is cudaMalloc or
 * hipMalloc. */
#ifndef WARPBEAM_CUDA_TEMPLATES_H
#define WARPBEAM_CUDA_TEMPLATES_H

#define WB_C static inline __host__ WB_RT(Error_t)
#define WB_H template <typename T> WB_C

WB_H WB_RT(Malloc)(T **p, size_t bytes) { return ::WB_RT(Malloc)((void **)p, bytes); }
WB_H WB_RT(MallocPitch)(T **p, size_t *pitch, size_t width, size_t height)
{
	return ::WB_RT(MallocPitch)((void **)p, pitch, width, height);
}
WB_H WB_RT(MallocManaged)(T **p, size_t bytes, unsigned int flags = WB_RT(MemAttachGlobal))
{
	return ::WB_RT(MallocManaged)((void **)p, bytes, flags);
}
WB_H WB_RT(MallocAsync)(T **p, size_t bytes, WB_RT(Stream_t) stream)
{
	return ::WB_RT(MallocAsync)((void **)p, bytes, stream);
}
WB_H WB_RT(StreamAttachMemAsync)(WB_RT(Stream_t) stream, T *p, size_t bytes = 0,
			      unsigned int flags = WB_RT(MemAttachSingle))
{
	return ::WB_RT(StreamAttachMemAsync)(stream, (void *)p, bytes, flags);
}
WB_H WB_RT(HostGetDevicePointer)(T **device, void *host, unsigned int flags)
{
	return ::WB_RT(HostGetDevicePointer)((void **)device, host, flags);
}

WB_H WB_RT(MemcpyToSymbol)(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
			enum WB_RT(MemcpyKind) kind = WB_RT(MemcpyHostToDevice))
{
	return ::WB_RT(MemcpyToSymbol)((const void *)&symbol, from, bytes, offset, kind);
}
WB_H WB_RT(MemcpyToSymbolAsync)(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
			     enum WB_RT(MemcpyKind) kind = WB_RT(MemcpyHostToDevice), WB_RT(Stream_t) stream = 0)
{
	return ::WB_RT(MemcpyToSymbolAsync)((const void *)&symbol, from, bytes, offset, kind, stream);
}
WB_H WB_RT(MemcpyFromSymbol)(void *to, const T &symbol, size_t bytes, size_t offset = 0,
			  enum WB_RT(MemcpyKind) kind = WB_RT(MemcpyDeviceToHost))
{
	return ::WB_RT(MemcpyFromSymbol)(to, (const void *)&symbol, bytes, offset, kind);
}
WB_H WB_RT(MemcpyFromSymbolAsync)(void *to, const T &symbol, size_t bytes, size_t offset = 0,
			       enum WB_RT(MemcpyKind) kind = WB_RT(MemcpyDeviceToHost), WB_RT(Stream_t) stream = 0)
{
	return ::WB_RT(MemcpyFromSymbolAsync)(to, (const void *)&symbol, bytes, offset, kind, stream);
}
WB_H WB_RT(GetSymbolAddress)(void **p, const T &symbol) { return ::WB_RT(GetSymbolAddress)(p, (const void *)&symbol); }
WB_H WB_RT(GetSymbolSize)(size_t *bytes, const T &symbol)
{
	return ::WB_RT(GetSymbolSize)(bytes, (const void *)&symbol);
}

WB_H WB_RT(LaunchKernel)(T *function, dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
		      WB_RT(Stream_t) stream = 0)
{
	return ::WB_RT(LaunchKernel)((const void *)function, grid, block, arguments, shared_bytes, stream);
}
WB_H WB_RT(LaunchCooperativeKernel)(T *function, dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
				 WB_RT(Stream_t) stream = 0)
{
	return ::WB_RT(LaunchCooperativeKernel)((const void *)function, grid, block, arguments, shared_bytes, stream);
}
WB_H WB_RT(FuncGetAttributes)(struct WB_RT(FuncAttributes) *attributes, T *function)
{
	return ::WB_RT(FuncGetAttributes)(attributes, (const void *)function);
}
WB_H WB_RT(FuncSetAttribute)(T *function, enum WB_RT(FuncAttribute) attribute, int value)
{
	return ::WB_RT(FuncSetAttribute)((const void *)function, attribute, value);
}
WB_H WB_RT(FuncSetCacheConfig)(T *function, enum WB_RT(FuncCache) config)
{
	return ::WB_RT(FuncSetCacheConfig)((const void *)function, config);
}
WB_H WB_RT(OccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks, T function, int threads, size_t shared_bytes)
{
	return ::WB_RT(OccupancyMaxActiveBlocksPerMultiprocessor)(blocks, (const void *)function, threads,
								  shared_bytes);
}

/* The largest block, in whole warps, of the most threads that a multiprocessor holds. */
WB_H WB_RT(OccupancyMaxPotentialBlockSize)(int *grid, int *block, T function, size_t shared_bytes = 0, int limit = 0)
{
	int device = 0, multiprocessors = 1, most = 0;
	struct WB_RT(FuncAttributes) a;
	WB_RT(Error_t) e = ::WB_RT(GetDevice)(&device);

	if (e == WB_RT(Success))
		e = ::WB_RT(DeviceGetAttribute)(&multiprocessors, WB_MULTIPROCESSORS, device);
	if (e == WB_RT(Success))
		e = ::WB_RT(FuncGetAttributes)(&a, (const void *)function);
	if (e != WB_RT(Success))
		return e;
	limit = limit > 0 && limit < a.maxThreadsPerBlock ? limit : a.maxThreadsPerBlock;
	for (int threads = limit / WB_WARP * WB_WARP; threads > 0; threads -= WB_WARP) {
		int blocks = 0;
		e = ::WB_RT(OccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, (const void *)function, threads,
								    shared_bytes);
		if (e != WB_RT(Success))
			return e;
		if (blocks * threads > most) {
			most = blocks * threads;
			*block = threads;
			*grid = blocks * multiprocessors;
		}
	}
	return most ? WB_RT(Success) : WB_RT(ErrorInvalidConfiguration);
}

WB_C WB_RT(EventRecord)(WB_RT(Event_t) event) { return ::WB_RT(EventRecord)(event, 0); }
WB_C WB_RT(EventCreate)(WB_RT(Event_t) *event, unsigned int flags)
{
	return ::WB_RT(EventCreateWithFlags)(event, flags);
}
WB_C WB_RT(MemcpyAsync)(void *to, const void *from, size_t bytes, enum WB_RT(MemcpyKind) kind)
{
	return ::WB_RT(MemcpyAsync)(to, from, bytes, kind, 0);
}
WB_C WB_RT(Memset2DAsync)(void *p, size_t pitch, int value, size_t width, size_t height)
{
	return ::WB_RT(Memset2DAsync)(p, pitch, value, width, height, 0);
}
WB_C WB_RT(Memcpy2DAsync)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
			  enum WB_RT(MemcpyKind) kind)
{
	return ::WB_RT(Memcpy2DAsync)(to, to_pitch, from, from_pitch, width, height, kind, 0);
}
WB_C WB_RT(MemsetAsync)(void *p, int value, size_t bytes)
{
	return ::WB_RT(MemsetAsync)(p, value, bytes, 0);
}
WB_C WB_RT(StreamWaitEvent)(WB_RT(Stream_t) stream, WB_RT(Event_t) event)
{
	return ::WB_RT(StreamWaitEvent)(stream, event, 0);
}
WB_C WB_RT(MemPrefetchAsync)(const void *p, size_t bytes, int device)
{
	return ::WB_RT(MemPrefetchAsync)(p, bytes, device, 0);
}

/* As CUDA 11 and HIP have the call, with a place for a log, and as CUDA 12 has. */
WB_C WB_RT(GraphInstantiate)(WB_RT(GraphExec_t) *exec, WB_RT(Graph_t) graph, WB_RT(GraphNode_t) *wrong, char *log,
			     size_t bytes)
{
	if (wrong)
		*wrong = 0;
	if (log && bytes)
		*log = '\0';
	return ::WB_RT(GraphInstantiateWithFlags)(exec, graph, 0);
}
WB_C WB_RT(GraphInstantiate)(WB_RT(GraphExec_t) *exec, WB_RT(Graph_t) graph, unsigned long long flags = 0)
{
	return ::WB_RT(GraphInstantiateWithFlags)(exec, graph, flags);
}
WB_C WB_RT(StreamGetCaptureInfo)(WB_RT(Stream_t) stream, enum WB_RT(StreamCaptureStatus) *status,
				 unsigned long long *id = 0, WB_RT(Graph_t) *graph = 0,
				 const WB_RT(GraphNode_t) **dependencies = 0, size_t *n = 0)
{
	return ::WB_RT(StreamGetCaptureInfo_v2)(stream, status, id, graph, dependencies, n);
}
WB_H WB_RT(MallocFromPoolAsync)(T **p, size_t bytes, WB_RT(MemPool_t) pool, WB_RT(Stream_t) stream)
{
	return ::WB_RT(MallocFromPoolAsync)((void **)p, bytes, pool, stream);
}
WB_H WB_RT(MallocAsync)(T **p, size_t bytes, WB_RT(MemPool_t) pool, WB_RT(Stream_t) stream)
{
	return ::WB_RT(MallocFromPoolAsync)((void **)p, bytes, pool, stream);
}
#undef WB_H
#undef WB_C

#endif
