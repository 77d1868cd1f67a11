/* Calls about graphs, captures of streams and pools of memory, as warpbeam_calls.h has the others. */

/* Captures. */
WB_API WB_RT(StreamBeginCapture)(WB_RT(Stream_t) stream, enum WB_RT(StreamCaptureMode) mode);
WB_API WB_RT(StreamEndCapture)(WB_RT(Stream_t) stream, WB_RT(Graph_t) *graph);
WB_API WB_RT(StreamIsCapturing)(WB_RT(Stream_t) stream, enum WB_RT(StreamCaptureStatus) *status);
WB_API WB_RT(StreamGetCaptureInfo_v2)(WB_RT(Stream_t) stream, enum WB_RT(StreamCaptureStatus) *status,
				      unsigned long long *id, WB_RT(Graph_t) *graph,
				      const WB_RT(GraphNode_t) **dependencies, size_t *n);
WB_API WB_RT(StreamUpdateCaptureDependencies)(WB_RT(Stream_t) stream, WB_RT(GraphNode_t) *dependencies, size_t n,
					      unsigned int flags);
WB_API WB_RT(ThreadExchangeStreamCaptureMode)(enum WB_RT(StreamCaptureMode) *mode);

/* Graphs and their nodes. */
WB_API WB_RT(GraphCreate)(WB_RT(Graph_t) *graph, unsigned int flags);
WB_API WB_RT(GraphDestroy)(WB_RT(Graph_t) graph);
WB_API WB_RT(GraphClone)(WB_RT(Graph_t) *clone, WB_RT(Graph_t) graph);
WB_API WB_RT(GraphNodeFindInClone)(WB_RT(GraphNode_t) *found, WB_RT(GraphNode_t) node, WB_RT(Graph_t) clone);
WB_API WB_RT(GraphGetNodes)(WB_RT(Graph_t) graph, WB_RT(GraphNode_t) *nodes, size_t *n);
WB_API WB_RT(GraphGetRootNodes)(WB_RT(Graph_t) graph, WB_RT(GraphNode_t) *nodes, size_t *n);
WB_API WB_RT(GraphGetEdges)(WB_RT(Graph_t) graph, WB_RT(GraphNode_t) *from, WB_RT(GraphNode_t) *to, size_t *n);
WB_API WB_RT(GraphNodeGetType)(WB_RT(GraphNode_t) node, enum WB_RT(GraphNodeType) *type);
WB_API WB_RT(GraphNodeGetDependencies)(WB_RT(GraphNode_t) node, WB_RT(GraphNode_t) *nodes, size_t *n);
WB_API WB_RT(GraphNodeGetDependentNodes)(WB_RT(GraphNode_t) node, WB_RT(GraphNode_t) *nodes, size_t *n);
WB_API WB_RT(GraphAddDependencies)(WB_RT(Graph_t) graph, const WB_RT(GraphNode_t) *from,
				   const WB_RT(GraphNode_t) *to, size_t n);
WB_API WB_RT(GraphRemoveDependencies)(WB_RT(Graph_t) graph, const WB_RT(GraphNode_t) *from,
				      const WB_RT(GraphNode_t) *to, size_t n);
WB_API WB_RT(GraphDestroyNode)(WB_RT(GraphNode_t) node);

/* Each kind of node: added, asked for its parameters, given others in the graph and in an executable graph. */
#define WB_ADD WB_RT(GraphNode_t) *made, WB_RT(Graph_t) graph, const WB_RT(GraphNode_t) *after, size_t n
#define WB_EXEC WB_RT(GraphExec_t) exec, WB_RT(GraphNode_t) node
WB_API WB_RT(GraphAddEmptyNode)(WB_ADD);
WB_API WB_RT(GraphAddKernelNode)(WB_ADD, const struct WB_RT(KernelNodeParams) *p);
WB_API WB_RT(GraphKernelNodeGetParams)(WB_RT(GraphNode_t) node, struct WB_RT(KernelNodeParams) *p);
WB_API WB_RT(GraphKernelNodeSetParams)(WB_RT(GraphNode_t) node, const struct WB_RT(KernelNodeParams) *p);
WB_API WB_RT(GraphExecKernelNodeSetParams)(WB_EXEC, const struct WB_RT(KernelNodeParams) *p);
WB_API WB_RT(GraphAddMemcpyNode)(WB_ADD, const struct WB_RT(Memcpy3DParms) *p);
WB_API WB_RT(GraphMemcpyNodeGetParams)(WB_RT(GraphNode_t) node, struct WB_RT(Memcpy3DParms) *p);
WB_API WB_RT(GraphMemcpyNodeSetParams)(WB_RT(GraphNode_t) node, const struct WB_RT(Memcpy3DParms) *p);
WB_API WB_RT(GraphExecMemcpyNodeSetParams)(WB_EXEC, const struct WB_RT(Memcpy3DParms) *p);
WB_API WB_RT(GraphAddMemcpyNode1D)(WB_ADD, void *to, const void *from, size_t bytes, enum WB_RT(MemcpyKind) kind);
WB_API WB_RT(GraphMemcpyNodeSetParams1D)(WB_RT(GraphNode_t) node, void *to, const void *from, size_t bytes,
					 enum WB_RT(MemcpyKind) kind);
WB_API WB_RT(GraphExecMemcpyNodeSetParams1D)(WB_EXEC, void *to, const void *from, size_t bytes,
					     enum WB_RT(MemcpyKind) kind);
WB_API WB_RT(GraphAddMemcpyNodeToSymbol)(WB_ADD, const void *symbol, const void *from, size_t bytes, size_t offset,
					 enum WB_RT(MemcpyKind) kind);
WB_API WB_RT(GraphAddMemcpyNodeFromSymbol)(WB_ADD, void *to, const void *symbol, size_t bytes, size_t offset,
					   enum WB_RT(MemcpyKind) kind);
WB_API WB_RT(GraphAddMemsetNode)(WB_ADD, const struct WB_RT(MemsetParams) *p);
WB_API WB_RT(GraphMemsetNodeGetParams)(WB_RT(GraphNode_t) node, struct WB_RT(MemsetParams) *p);
WB_API WB_RT(GraphMemsetNodeSetParams)(WB_RT(GraphNode_t) node, const struct WB_RT(MemsetParams) *p);
WB_API WB_RT(GraphExecMemsetNodeSetParams)(WB_EXEC, const struct WB_RT(MemsetParams) *p);
WB_API WB_RT(GraphAddHostNode)(WB_ADD, const struct WB_RT(HostNodeParams) *p);
WB_API WB_RT(GraphHostNodeGetParams)(WB_RT(GraphNode_t) node, struct WB_RT(HostNodeParams) *p);
WB_API WB_RT(GraphHostNodeSetParams)(WB_RT(GraphNode_t) node, const struct WB_RT(HostNodeParams) *p);
WB_API WB_RT(GraphExecHostNodeSetParams)(WB_EXEC, const struct WB_RT(HostNodeParams) *p);
WB_API WB_RT(GraphAddChildGraphNode)(WB_ADD, WB_RT(Graph_t) child);
WB_API WB_RT(GraphChildGraphNodeGetGraph)(WB_RT(GraphNode_t) node, WB_RT(Graph_t) *child);
WB_API WB_RT(GraphExecChildGraphNodeSetParams)(WB_EXEC, WB_RT(Graph_t) child);
WB_API WB_RT(GraphAddEventRecordNode)(WB_ADD, WB_RT(Event_t) event);
WB_API WB_RT(GraphEventRecordNodeGetEvent)(WB_RT(GraphNode_t) node, WB_RT(Event_t) *event);
WB_API WB_RT(GraphEventRecordNodeSetEvent)(WB_RT(GraphNode_t) node, WB_RT(Event_t) event);
WB_API WB_RT(GraphExecEventRecordNodeSetEvent)(WB_EXEC, WB_RT(Event_t) event);
WB_API WB_RT(GraphAddEventWaitNode)(WB_ADD, WB_RT(Event_t) event);
WB_API WB_RT(GraphEventWaitNodeGetEvent)(WB_RT(GraphNode_t) node, WB_RT(Event_t) *event);
WB_API WB_RT(GraphEventWaitNodeSetEvent)(WB_RT(GraphNode_t) node, WB_RT(Event_t) event);
WB_API WB_RT(GraphExecEventWaitNodeSetEvent)(WB_EXEC, WB_RT(Event_t) event);
WB_API WB_RT(GraphAddMemAllocNode)(WB_ADD, struct WB_RT(MemAllocNodeParams) *p);
WB_API WB_RT(GraphMemAllocNodeGetParams)(WB_RT(GraphNode_t) node, struct WB_RT(MemAllocNodeParams) *p);
WB_API WB_RT(GraphAddMemFreeNode)(WB_ADD, void *p);
WB_API WB_RT(GraphMemFreeNodeGetParams)(WB_RT(GraphNode_t) node, void *p);
WB_API WB_RT(DeviceGraphMemTrim)(int device);
WB_API WB_RT(DeviceGetGraphMemAttribute)(int device, enum WB_RT(GraphMemAttributeType) attribute, void *value);
WB_API WB_RT(DeviceSetGraphMemAttribute)(int device, enum WB_RT(GraphMemAttributeType) attribute, void *value);
#undef WB_ADD
#undef WB_EXEC

/* Executable graphs. */
WB_API WB_RT(GraphInstantiateWithFlags)(WB_RT(GraphExec_t) *exec, WB_RT(Graph_t) graph, unsigned long long flags);
WB_API WB_RT(GraphLaunch)(WB_RT(GraphExec_t) exec, WB_RT(Stream_t) stream);
WB_API WB_RT(GraphUpload)(WB_RT(GraphExec_t) exec, WB_RT(Stream_t) stream);
WB_API WB_RT(GraphExecDestroy)(WB_RT(GraphExec_t) exec);

/* Pools of memory. */
WB_API WB_RT(DeviceGetDefaultMemPool)(WB_RT(MemPool_t) *pool, int device);
WB_API WB_RT(DeviceGetMemPool)(WB_RT(MemPool_t) *pool, int device);
WB_API WB_RT(DeviceSetMemPool)(int device, WB_RT(MemPool_t) pool);
WB_API WB_RT(MemPoolCreate)(WB_RT(MemPool_t) *pool, const struct WB_RT(MemPoolProps) *p);
WB_API WB_RT(MemPoolDestroy)(WB_RT(MemPool_t) pool);
WB_API WB_RT(MemPoolTrimTo)(WB_RT(MemPool_t) pool, size_t bytes);
WB_API WB_RT(MemPoolSetAttribute)(WB_RT(MemPool_t) pool, enum WB_RT(MemPoolAttr) attribute, void *value);
WB_API WB_RT(MemPoolGetAttribute)(WB_RT(MemPool_t) pool, enum WB_RT(MemPoolAttr) attribute, void *value);
WB_API WB_RT(MemPoolSetAccess)(WB_RT(MemPool_t) pool, const struct WB_RT(MemAccessDesc) *list, size_t n);
WB_API WB_RT(MemPoolGetAccess)(enum WB_RT(MemAccessFlags) *flags, WB_RT(MemPool_t) pool,
			       struct WB_RT(MemLocation) *place);
/* Calls for other processes, which return an error. */
WB_API WB_RT(MemPoolExportToShareableHandle)(void *to, WB_RT(MemPool_t) pool, enum WB_RT(MemAllocationHandleType) type,
					     unsigned int flags);
WB_API WB_RT(MemPoolImportFromShareableHandle)(WB_RT(MemPool_t) *pool, void *from,
					       enum WB_RT(MemAllocationHandleType) type, unsigned int flags);
WB_API WB_RT(MemPoolExportPointer)(WB_RT(MemPoolPtrExportData) *data, void *p);
WB_API WB_RT(MemPoolImportPointer)(void **p, WB_RT(MemPool_t) pool, WB_RT(MemPoolPtrExportData) *data);
WB_API WB_RT(MallocFromPoolAsync)(void **p, size_t bytes, WB_RT(MemPool_t) pool, WB_RT(Stream_t) stream);
