/* Graphs, captures of streams and pools of memory of CUDA's driver interface. Structures and numbers are those of the
 * public documentation. */
#ifndef WARPBEAM_CUDA_DRIVER_GRAPHS_H
#define WARPBEAM_CUDA_DRIVER_GRAPHS_H

typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUmemPool_st *CUmemoryPool;

typedef enum CUgraphNodeType_enum {
	CU_GRAPH_NODE_TYPE_KERNEL = 0, CU_GRAPH_NODE_TYPE_MEMCPY = 1, CU_GRAPH_NODE_TYPE_MEMSET = 2,
	CU_GRAPH_NODE_TYPE_HOST = 3, CU_GRAPH_NODE_TYPE_GRAPH = 4, CU_GRAPH_NODE_TYPE_EMPTY = 5,
	CU_GRAPH_NODE_TYPE_WAIT_EVENT = 6, CU_GRAPH_NODE_TYPE_EVENT_RECORD = 7, CU_GRAPH_NODE_TYPE_MEM_ALLOC = 10,
	CU_GRAPH_NODE_TYPE_MEM_FREE = 11
} CUgraphNodeType;
typedef enum CUstreamCaptureMode_enum {
	CU_STREAM_CAPTURE_MODE_GLOBAL = 0, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1, CU_STREAM_CAPTURE_MODE_RELAXED = 2
} CUstreamCaptureMode;
typedef enum CUstreamCaptureStatus_enum {
	CU_STREAM_CAPTURE_STATUS_NONE = 0, CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
	CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2
} CUstreamCaptureStatus;
typedef enum CUgraphExecUpdateResult_enum {
	CU_GRAPH_EXEC_UPDATE_SUCCESS = 0, CU_GRAPH_EXEC_UPDATE_ERROR = 1,
	CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 2, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 3,
	CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 4, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 5,
	CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 6, CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE = 7
} CUgraphExecUpdateResult;
typedef struct CUgraphExecUpdateResultInfo_st {
	CUgraphExecUpdateResult result;
	CUgraphNode errorNode, errorFromNode;
} CUgraphExecUpdateResultInfo;

typedef struct CUDA_KERNEL_NODE_PARAMS_st {
	CUfunction func;
	unsigned int gridDimX, gridDimY, gridDimZ;
	unsigned int blockDimX, blockDimY, blockDimZ;
	unsigned int sharedMemBytes;
	void **kernelParams;
	void **extra;
} CUDA_KERNEL_NODE_PARAMS;
typedef struct CUDA_KERNEL_NODE_PARAMS_v2_st {
	CUfunction func;                /* NULL: kern */
	unsigned int gridDimX, gridDimY, gridDimZ;
	unsigned int blockDimX, blockDimY, blockDimZ;
	unsigned int sharedMemBytes;
	void **kernelParams;
	void **extra;
	CUkernel kern;
	CUcontext ctx;                  /* NULL: the current one */
} CUDA_KERNEL_NODE_PARAMS_v2;
typedef struct CUDA_MEMSET_NODE_PARAMS_st {
	CUdeviceptr dst;
	size_t pitch;
	unsigned int value;
	unsigned int elementSize;
	size_t width, height;
} CUDA_MEMSET_NODE_PARAMS;
typedef struct CUDA_HOST_NODE_PARAMS_st {
	CUhostFn fn;
	void *userData;
} CUDA_HOST_NODE_PARAMS;

typedef enum CUmemAllocationType_enum {
	CU_MEM_ALLOCATION_TYPE_INVALID = 0, CU_MEM_ALLOCATION_TYPE_PINNED = 1
} CUmemAllocationType;
enum { CU_MEM_LOCATION_TYPE_DEVICE = 1 };
typedef enum CUmemAccess_flags_enum {
	CU_MEM_ACCESS_FLAGS_PROT_NONE = 0, CU_MEM_ACCESS_FLAGS_PROT_READ = 1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
} CUmemAccess_flags;
typedef enum CUmemPool_attribute_enum {
	CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2,
	CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,
	CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6,
	CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7, CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8
} CUmemPool_attribute;
typedef struct CUmemPoolProps_st {
	int allocType;
	int handleTypes;
	CUmemLocation location;
	void *win32SecurityAttributes;
	unsigned char reserved[64];
} CUmemPoolProps;
typedef struct CUmemAccessDesc_st {
	CUmemLocation location;
	CUmemAccess_flags flags;
} CUmemAccessDesc;
typedef struct CUDA_MEM_ALLOC_NODE_PARAMS_st {
	CUmemPoolProps poolProps;
	const CUmemAccessDesc *accessDescs;
	size_t accessDescCount;
	size_t bytesize;
	CUdeviceptr dptr;               /* written by the call */
} CUDA_MEM_ALLOC_NODE_PARAMS;

#ifndef WARPBEAM_DRIVER /* as in driver_calls.h */
#define cuStreamBeginCapture cuStreamBeginCapture_v2
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2
#endif

#ifdef __cplusplus
extern "C" {
#endif
#define WB_CU CUresult CUDAAPI
#define WB_ADD CUgraphNode *made, CUgraph graph, const CUgraphNode *after, size_t n
#define WB_EXEC CUgraphExec exec, CUgraphNode node

/* Captures. */
WB_CU cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode);
WB_CU cuStreamEndCapture(CUstream stream, CUgraph *graph);
WB_CU cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status);
WB_CU cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
				const CUgraphNode **dependencies, size_t *n);
WB_CU cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies, size_t n, unsigned int flags);
WB_CU cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode);

/* Graphs and their nodes. */
WB_CU cuGraphCreate(CUgraph *graph, unsigned int flags);
WB_CU cuGraphDestroy(CUgraph graph);
WB_CU cuGraphClone(CUgraph *clone, CUgraph graph);
WB_CU cuGraphNodeFindInClone(CUgraphNode *found, CUgraphNode node, CUgraph clone);
WB_CU cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *n);
WB_CU cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *n);
WB_CU cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *n);
WB_CU cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type);
WB_CU cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *n);
WB_CU cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *n);
WB_CU cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t n);
WB_CU cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t n);
WB_CU cuGraphDestroyNode(CUgraphNode node);

/* Each kind of node. */
WB_CU cuGraphAddEmptyNode(WB_ADD);
WB_CU cuGraphAddKernelNode(WB_ADD, const CUDA_KERNEL_NODE_PARAMS *p);
WB_CU cuGraphAddKernelNode_v2(WB_ADD, const CUDA_KERNEL_NODE_PARAMS_v2 *p);
WB_CU cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *p);
WB_CU cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v2 *p);
WB_CU cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p);
WB_CU cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v2 *p);
WB_CU cuGraphExecKernelNodeSetParams(WB_EXEC, const CUDA_KERNEL_NODE_PARAMS *p);
WB_CU cuGraphExecKernelNodeSetParams_v2(WB_EXEC, const CUDA_KERNEL_NODE_PARAMS_v2 *p);
WB_CU cuGraphAddMemcpyNode(WB_ADD, const CUDA_MEMCPY3D *p, CUcontext context);
WB_CU cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *p);
WB_CU cuGraphExecMemcpyNodeSetParams(WB_EXEC, const CUDA_MEMCPY3D *p, CUcontext context);
WB_CU cuGraphAddMemsetNode(WB_ADD, const CUDA_MEMSET_NODE_PARAMS *p, CUcontext context);
WB_CU cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *p);
WB_CU cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p);
WB_CU cuGraphExecMemsetNodeSetParams(WB_EXEC, const CUDA_MEMSET_NODE_PARAMS *p, CUcontext context);
WB_CU cuGraphAddHostNode(WB_ADD, const CUDA_HOST_NODE_PARAMS *p);
WB_CU cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *p);
WB_CU cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p);
WB_CU cuGraphExecHostNodeSetParams(WB_EXEC, const CUDA_HOST_NODE_PARAMS *p);
WB_CU cuGraphAddChildGraphNode(WB_ADD, CUgraph child);
WB_CU cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *child);
WB_CU cuGraphExecChildGraphNodeSetParams(WB_EXEC, CUgraph child);
WB_CU cuGraphAddEventRecordNode(WB_ADD, CUevent event);
WB_CU cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event);
WB_CU cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event);
WB_CU cuGraphExecEventRecordNodeSetEvent(WB_EXEC, CUevent event);
WB_CU cuGraphAddEventWaitNode(WB_ADD, CUevent event);
WB_CU cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event);
WB_CU cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event);
WB_CU cuGraphExecEventWaitNodeSetEvent(WB_EXEC, CUevent event);
WB_CU cuGraphAddMemAllocNode(WB_ADD, CUDA_MEM_ALLOC_NODE_PARAMS *p);
WB_CU cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *p);
WB_CU cuGraphAddMemFreeNode(WB_ADD, CUdeviceptr p);
WB_CU cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *p);
WB_CU cuDeviceGraphMemTrim(CUdevice device);

/* Executable graphs. */
WB_CU cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags);
WB_CU cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *wrong, char *log, size_t bytes);
WB_CU cuGraphLaunch(CUgraphExec exec, CUstream stream);
WB_CU cuGraphUpload(CUgraphExec exec, CUstream stream);
WB_CU cuGraphExecDestroy(CUgraphExec exec);
WB_CU cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *wrong, CUgraphExecUpdateResult *result);
WB_CU cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info);

/* Pools of memory. */
WB_CU cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device);
WB_CU cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device);
WB_CU cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool);
WB_CU cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *p);
WB_CU cuMemPoolDestroy(CUmemoryPool pool);
WB_CU cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes);
WB_CU cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value);
WB_CU cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value);
WB_CU cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *list, size_t n);
WB_CU cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *place);
WB_CU cuMemAllocFromPoolAsync(CUdeviceptr *p, size_t bytes, CUmemoryPool pool, CUstream stream);

#undef WB_CU
#undef WB_ADD
#undef WB_EXEC
#ifdef __cplusplus
}
#ifndef WARPBEAM_DRIVER
/* As CUDA 11 and CUDA 12 have the call. */
static inline CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *wrong, char *log, size_t bytes)
{
	return cuGraphInstantiate_v2(exec, graph, wrong, log, bytes);
}
static inline CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
	return cuGraphInstantiateWithFlags(exec, graph, flags);
}
#endif
#elif !defined(WARPBEAM_DRIVER)
#define cuGraphInstantiate cuGraphInstantiate_v2
#endif

#endif
