/* Graphs, captures of streams and pools of memory: the runtime's under other names. Only kernels and copies have
 * structures of the driver's own. */
#include <string.h>

#include "frontends/cuda/driver/driver.h"
#include "frontends/runtime/graph.h"

#undef WB_API
#define WB_RT(name) cuda##name
#define WB_API cudaError_t
#include "include/warpbeam/cuda/warpbeam_graph_calls.h"
#undef WB_API
#undef WB_RT
cudaError_t warpbeam_cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g, cudaGraphNode_t *wrong,
					 enum cudaGraphExecUpdateResult *result);

#define LIKE(type, member, other, other_member) \
	_Static_assert(sizeof(type) == sizeof(struct other) && \
		       offsetof(type, member) == offsetof(struct other, other_member), "one layout in both interfaces")
LIKE(CUDA_MEMSET_NODE_PARAMS, height, cudaMemsetParams, height);
LIKE(CUDA_HOST_NODE_PARAMS, userData, cudaHostNodeParams, userData);
LIKE(CUDA_MEM_ALLOC_NODE_PARAMS, dptr, cudaMemAllocNodeParams, dptr);
LIKE(CUmemPoolProps, reserved, cudaMemPoolProps, reserved);
LIKE(CUmemAccessDesc, flags, cudaMemAccessDesc, flags);
LIKE(CUgraphExecUpdateResultInfo, errorFromNode, cudaGraphExecUpdateResultInfo_st, errorFromNode);

#define ADD CUgraphNode *made, CUgraph g, const CUgraphNode *after, size_t n
#define ADDED made, g, after, n
#define EXEC CUgraphExec exec, CUgraphNode node

/* A call as the runtime's call of the same meaning. */
#define AS(name, parameters, call) \
	CALL CUresult name parameters \
	{ \
		NEEDS_CONTEXT; \
		return result(call); \
	} \
	CALL CUresult name parameters

/* ---- captures ---- */

AS(cuStreamBeginCapture_v2, (CUstream s, CUstreamCaptureMode mode),
	cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)mode));
SAME(cuStreamBeginCapture_v2_ptsz, cuStreamBeginCapture_v2);
AS(cuStreamEndCapture, (CUstream s, CUgraph *g), cudaStreamEndCapture(s, g));
SAME(cuStreamEndCapture_ptsz, cuStreamEndCapture);
AS(cuStreamIsCapturing, (CUstream s, CUstreamCaptureStatus *status),
	cudaStreamIsCapturing(s, (enum cudaStreamCaptureStatus *)status));
SAME(cuStreamIsCapturing_ptsz, cuStreamIsCapturing);
AS(cuStreamGetCaptureInfo_v2, (CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *g,
			       const CUgraphNode **after, size_t *n),
	cudaStreamGetCaptureInfo_v2(s, (enum cudaStreamCaptureStatus *)status, (unsigned long long *)id, g, after, n));
SAME(cuStreamGetCaptureInfo_v2_ptsz, cuStreamGetCaptureInfo_v2);
AS(cuStreamUpdateCaptureDependencies, (CUstream s, CUgraphNode *after, size_t n, unsigned flags),
	cudaStreamUpdateCaptureDependencies(s, after, n, flags));
SAME(cuStreamUpdateCaptureDependencies_ptsz, cuStreamUpdateCaptureDependencies);
AS(cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode *mode),
	cudaThreadExchangeStreamCaptureMode((enum cudaStreamCaptureMode *)mode));

/* ---- graphs and nodes ---- */

AS(cuGraphCreate, (CUgraph *g, unsigned flags), cudaGraphCreate(g, flags));
AS(cuGraphDestroy, (CUgraph g), cudaGraphDestroy(g));
AS(cuGraphClone, (CUgraph *clone, CUgraph g), cudaGraphClone(clone, g));
AS(cuGraphNodeFindInClone, (CUgraphNode *found, CUgraphNode node, CUgraph clone),
	cudaGraphNodeFindInClone(found, node, clone));
AS(cuGraphGetNodes, (CUgraph g, CUgraphNode *nodes, size_t *n), cudaGraphGetNodes(g, nodes, n));
AS(cuGraphGetRootNodes, (CUgraph g, CUgraphNode *nodes, size_t *n), cudaGraphGetRootNodes(g, nodes, n));
AS(cuGraphGetEdges, (CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n), cudaGraphGetEdges(g, from, to, n));
AS(cuGraphNodeGetType, (CUgraphNode node, CUgraphNodeType *type),
	cudaGraphNodeGetType(node, (enum cudaGraphNodeType *)type));
AS(cuGraphNodeGetDependencies, (CUgraphNode node, CUgraphNode *nodes, size_t *n),
	cudaGraphNodeGetDependencies(node, nodes, n));
AS(cuGraphNodeGetDependentNodes, (CUgraphNode node, CUgraphNode *nodes, size_t *n),
	cudaGraphNodeGetDependentNodes(node, nodes, n));
AS(cuGraphAddDependencies, (CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n),
	cudaGraphAddDependencies(g, from, to, n));
AS(cuGraphRemoveDependencies, (CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n),
	cudaGraphRemoveDependencies(g, from, to, n));
AS(cuGraphDestroyNode, (CUgraphNode node), cudaGraphDestroyNode(node));
AS(cuGraphAddEmptyNode, (ADD), cudaGraphAddEmptyNode(ADDED));
AS(cuGraphAddHostNode, (ADD, const CUDA_HOST_NODE_PARAMS *p), cudaGraphAddHostNode(ADDED, (const void *)p));
AS(cuGraphHostNodeGetParams, (CUgraphNode node, CUDA_HOST_NODE_PARAMS *p),
	cudaGraphHostNodeGetParams(node, (void *)p));
AS(cuGraphHostNodeSetParams, (CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p),
	cudaGraphHostNodeSetParams(node, (const void *)p));
AS(cuGraphExecHostNodeSetParams, (EXEC, const CUDA_HOST_NODE_PARAMS *p),
	cudaGraphExecHostNodeSetParams(exec, node, (const void *)p));
AS(cuGraphAddMemsetNode, (ADD, const CUDA_MEMSET_NODE_PARAMS *p, CUcontext c),
	is_context(c) ? cudaGraphAddMemsetNode(ADDED, (const void *)p) : cudaErrorInvalidValue);
AS(cuGraphMemsetNodeGetParams, (CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *p),
	cudaGraphMemsetNodeGetParams(node, (void *)p));
AS(cuGraphMemsetNodeSetParams, (CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p),
	cudaGraphMemsetNodeSetParams(node, (const void *)p));
AS(cuGraphExecMemsetNodeSetParams, (EXEC, const CUDA_MEMSET_NODE_PARAMS *p, CUcontext c),
	is_context(c) ? cudaGraphExecMemsetNodeSetParams(exec, node, (const void *)p) : cudaErrorInvalidValue);
AS(cuGraphAddChildGraphNode, (ADD, CUgraph child), cudaGraphAddChildGraphNode(ADDED, child));
AS(cuGraphChildGraphNodeGetGraph, (CUgraphNode node, CUgraph *child), cudaGraphChildGraphNodeGetGraph(node, child));
AS(cuGraphExecChildGraphNodeSetParams, (EXEC, CUgraph child), cudaGraphExecChildGraphNodeSetParams(exec, node, child));
AS(cuGraphAddEventRecordNode, (ADD, CUevent e), cudaGraphAddEventRecordNode(ADDED, e));
AS(cuGraphEventRecordNodeGetEvent, (CUgraphNode node, CUevent *e), cudaGraphEventRecordNodeGetEvent(node, e));
AS(cuGraphEventRecordNodeSetEvent, (CUgraphNode node, CUevent e), cudaGraphEventRecordNodeSetEvent(node, e));
AS(cuGraphExecEventRecordNodeSetEvent, (EXEC, CUevent e), cudaGraphExecEventRecordNodeSetEvent(exec, node, e));
AS(cuGraphAddEventWaitNode, (ADD, CUevent e), cudaGraphAddEventWaitNode(ADDED, e));
AS(cuGraphEventWaitNodeGetEvent, (CUgraphNode node, CUevent *e), cudaGraphEventWaitNodeGetEvent(node, e));
AS(cuGraphEventWaitNodeSetEvent, (CUgraphNode node, CUevent e), cudaGraphEventWaitNodeSetEvent(node, e));
AS(cuGraphExecEventWaitNodeSetEvent, (EXEC, CUevent e), cudaGraphExecEventWaitNodeSetEvent(exec, node, e));
AS(cuGraphAddMemAllocNode, (ADD, CUDA_MEM_ALLOC_NODE_PARAMS *p), cudaGraphAddMemAllocNode(ADDED, (void *)p));
AS(cuGraphMemAllocNodeGetParams, (CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *p),
	cudaGraphMemAllocNodeGetParams(node, (void *)p));
AS(cuGraphAddMemFreeNode, (ADD, CUdeviceptr p), cudaGraphAddMemFreeNode(ADDED, pointer(p)));
AS(cuGraphMemFreeNodeGetParams, (CUgraphNode node, CUdeviceptr *p), cudaGraphMemFreeNodeGetParams(node, p));
AS(cuDeviceGraphMemTrim, (CUdevice device), cudaDeviceGraphMemTrim(device));

/* ---- kernels ---- */

/* False: no function of these handles. */
static bool kernel_of(struct cudaKernelNodeParams *to, const CUDA_KERNEL_NODE_PARAMS *p, CUkernel kernel)
{
	struct function *f = p ? function_of(p->func ? p->func : (CUfunction)(void *)kernel) : NULL;

	if (!f)
		return false;
	*to = (struct cudaKernelNodeParams){
		.func = (void *)(uintptr_t)f->host, .gridDim = { p->gridDimX, p->gridDimY, p->gridDimZ },
		.blockDim = { p->blockDimX, p->blockDimY, p->blockDimZ }, .sharedMemBytes = p->sharedMemBytes,
		.kernelParams = p->kernelParams, .extra = p->extra,
	};
	return true;
}

static CUDA_KERNEL_NODE_PARAMS first_members(const CUDA_KERNEL_NODE_PARAMS_v2 *p)
{
	CUDA_KERNEL_NODE_PARAMS to;

	memcpy(&to, p, sizeof to);
	return to;
}
_Static_assert(offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kern) == sizeof(CUDA_KERNEL_NODE_PARAMS), "the same members first");

/* A call with a kernel's parameters in both versions. */
#define KERNEL_CALL(name, parameters, call) \
	CALL CUresult name(parameters, const CUDA_KERNEL_NODE_PARAMS *p) \
	{ \
		struct cudaKernelNodeParams k; \
		NEEDS_CONTEXT; \
		return kernel_of(&k, p, NULL) ? result(call) : CUDA_ERROR_INVALID_VALUE; \
	} \
	CALL CUresult name##_v2(parameters, const CUDA_KERNEL_NODE_PARAMS_v2 *p) \
	{ \
		struct cudaKernelNodeParams k; \
		NEEDS_CONTEXT; \
		if (!p) \
			return CUDA_ERROR_INVALID_VALUE; \
		CUDA_KERNEL_NODE_PARAMS one = first_members(p); \
		return kernel_of(&k, &one, p->kern) ? result(call) : CUDA_ERROR_INVALID_VALUE; \
	} \
	CALL CUresult name##_v2(parameters, const CUDA_KERNEL_NODE_PARAMS_v2 *p)
#define PARAMETERS(...) __VA_ARGS__
KERNEL_CALL(cuGraphAddKernelNode, PARAMETERS(ADD), cudaGraphAddKernelNode(ADDED, &k));
KERNEL_CALL(cuGraphKernelNodeSetParams, CUgraphNode node, cudaGraphKernelNodeSetParams(node, &k));
KERNEL_CALL(cuGraphExecKernelNodeSetParams, PARAMETERS(EXEC), cudaGraphExecKernelNodeSetParams(exec, node, &k));

CALL CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *p)
{
	struct cudaKernelNodeParams k = { 0 };

	NEEDS_CONTEXT;
	CUresult e = result(cudaGraphKernelNodeGetParams(node, p ? &k : NULL));
	if (e == CUDA_SUCCESS)
		*p = (CUDA_KERNEL_NODE_PARAMS){
			(CUfunction)(void *)find_function(NULL, k.func), k.gridDim.x, k.gridDim.y, k.gridDim.z,
			k.blockDim.x, k.blockDim.y, k.blockDim.z, k.sharedMemBytes, k.kernelParams, NULL
		};
	return e;
}

CALL CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v2 *p)
{
	CUDA_KERNEL_NODE_PARAMS one;
	CUresult e = cuGraphKernelNodeGetParams(node, p ? &one : NULL);

	if (e == CUDA_SUCCESS) {
		*p = (CUDA_KERNEL_NODE_PARAMS_v2){ .ctx = current_context() };
		memcpy(p, &one, sizeof one);
	}
	return e;
}

/* ---- copies ---- */

/* A copy with a context of its own; NULL: the current one. */
#define COPY_CALL(name, parameters, call) \
	CALL CUresult name parameters \
	{ \
		struct cudaMemcpy3DParms box; \
		NEEDS_CONTEXT; \
		return box_of_copy(p, &box) ? result(call) : CUDA_ERROR_INVALID_VALUE; \
	} \
	CALL CUresult name parameters
COPY_CALL(cuGraphAddMemcpyNode, (ADD, const CUDA_MEMCPY3D *p, CUcontext c),
	  is_context(c) ? cudaGraphAddMemcpyNode(ADDED, &box) : cudaErrorInvalidValue);
COPY_CALL(cuGraphMemcpyNodeSetParams, (CUgraphNode node, const CUDA_MEMCPY3D *p),
	  cudaGraphMemcpyNodeSetParams(node, &box));
COPY_CALL(cuGraphExecMemcpyNodeSetParams, (EXEC, const CUDA_MEMCPY3D *p, CUcontext c),
	  is_context(c) ? cudaGraphExecMemcpyNodeSetParams(exec, node, &box) : cudaErrorInvalidValue);

/* ---- executable graphs ---- */

AS(cuGraphInstantiateWithFlags, (CUgraphExec *exec, CUgraph g, unsigned long long flags),
	cudaGraphInstantiateWithFlags(exec, g, flags));
AS(cuGraphLaunch, (CUgraphExec exec, CUstream s), cudaGraphLaunch(exec, s));
SAME(cuGraphLaunch_ptsz, cuGraphLaunch);
AS(cuGraphUpload, (CUgraphExec exec, CUstream s), cudaGraphUpload(exec, s));
SAME(cuGraphUpload_ptsz, cuGraphUpload);
AS(cuGraphExecDestroy, (CUgraphExec exec), cudaGraphExecDestroy(exec));
AS(cuGraphExecUpdate, (CUgraphExec exec, CUgraph g, CUgraphNode *wrong, CUgraphExecUpdateResult *how),
	warpbeam_cudaGraphExecUpdate(exec, g, wrong, (enum cudaGraphExecUpdateResult *)how));

CALL CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph g, CUgraphExecUpdateResultInfo *info)
{
	if (!info)
		return CUDA_ERROR_INVALID_VALUE;
	info->errorFromNode = NULL;
	return cuGraphExecUpdate(exec, g, &info->errorNode, &info->result);
}

/* No node is at fault, and nothing is in the log. */
CALL CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph g, CUgraphNode *wrong, char *log, size_t bytes)
{
	if (wrong)
		*wrong = NULL;
	if (log && bytes)
		*log = '\0';
	return cuGraphInstantiateWithFlags(exec, g, 0);
}
SAME(cuGraphInstantiate, cuGraphInstantiate_v2);

/* ---- pools of memory ---- */

AS(cuDeviceGetDefaultMemPool, (CUmemoryPool *pool, CUdevice device), cudaDeviceGetDefaultMemPool(pool, device));
AS(cuDeviceGetMemPool, (CUmemoryPool *pool, CUdevice device), cudaDeviceGetMemPool(pool, device));
AS(cuDeviceSetMemPool, (CUdevice device, CUmemoryPool pool), cudaDeviceSetMemPool(device, pool));
AS(cuMemPoolCreate, (CUmemoryPool *pool, const CUmemPoolProps *p), cudaMemPoolCreate(pool, (const void *)p));
AS(cuMemPoolDestroy, (CUmemoryPool pool), cudaMemPoolDestroy(pool));
AS(cuMemPoolTrimTo, (CUmemoryPool pool, size_t bytes), cudaMemPoolTrimTo(pool, bytes));
AS(cuMemPoolSetAttribute, (CUmemoryPool pool, CUmemPool_attribute which, void *value),
	cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)which, value));
AS(cuMemPoolGetAttribute, (CUmemoryPool pool, CUmemPool_attribute which, void *value),
	cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)which, value));
AS(cuMemPoolSetAccess, (CUmemoryPool pool, const CUmemAccessDesc *list, size_t n),
	cudaMemPoolSetAccess(pool, (const void *)list, n));
AS(cuMemPoolGetAccess, (CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *place),
	cudaMemPoolGetAccess((enum cudaMemAccessFlags *)flags, pool, (void *)place));
