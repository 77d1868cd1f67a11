/* Types of graphs, of captures of streams and of pools of memory, of CUDA and HIP: WB_RT(Graph_t) is cudaGraph_t or
 * hipGraph_t, as the includer says, and WB_FIRST_NODE is the number of the first kind of node. */

typedef struct WB_HANDLE(graph) *WB_RT(Graph_t);
typedef struct WB_HANDLE(graphNode) *WB_RT(GraphNode_t);
typedef struct WB_HANDLE(graphExec) *WB_RT(GraphExec_t);
typedef struct WB_HANDLE(memPool) *WB_RT(MemPool_t);

typedef enum WB_RT(GraphNodeType) {
	WB_RT(GraphNodeTypeKernel) = WB_FIRST_NODE, WB_RT(GraphNodeTypeMemcpy), WB_RT(GraphNodeTypeMemset),
	WB_RT(GraphNodeTypeHost), WB_RT(GraphNodeTypeGraph), WB_RT(GraphNodeTypeEmpty),
	WB_RT(GraphNodeTypeWaitEvent), WB_RT(GraphNodeTypeEventRecord),
	WB_RT(GraphNodeTypeMemAlloc) = WB_FIRST_NODE + 10, WB_RT(GraphNodeTypeMemFree)
} WB_RT(GraphNodeType);

typedef struct WB_RT(HostNodeParams) {
	WB_RT(HostFn_t) fn;
	void *userData;
} WB_RT(HostNodeParams);

typedef enum WB_RT(StreamCaptureMode) {
	WB_RT(StreamCaptureModeGlobal), WB_RT(StreamCaptureModeThreadLocal), WB_RT(StreamCaptureModeRelaxed)
} WB_RT(StreamCaptureMode);
typedef enum WB_RT(StreamCaptureStatus) {
	WB_RT(StreamCaptureStatusNone), WB_RT(StreamCaptureStatusActive), WB_RT(StreamCaptureStatusInvalidated)
} WB_RT(StreamCaptureStatus);
typedef enum WB_RT(StreamUpdateCaptureDependenciesFlags) {
	WB_RT(StreamAddCaptureDependencies), WB_RT(StreamSetCaptureDependencies)
} WB_RT(StreamUpdateCaptureDependenciesFlags);
typedef enum WB_RT(GraphInstantiateFlags) {
	WB_RT(GraphInstantiateFlagAutoFreeOnLaunch) = 1, WB_RT(GraphInstantiateFlagUpload) = 2,
	WB_RT(GraphInstantiateFlagDeviceLaunch) = 4, WB_RT(GraphInstantiateFlagUseNodePriority) = 8
} WB_RT(GraphInstantiateFlags);
typedef enum WB_RT(GraphExecUpdateResult) {
	WB_RT(GraphExecUpdateSuccess), WB_RT(GraphExecUpdateError), WB_RT(GraphExecUpdateErrorTopologyChanged),
	WB_RT(GraphExecUpdateErrorNodeTypeChanged), WB_RT(GraphExecUpdateErrorFunctionChanged),
	WB_RT(GraphExecUpdateErrorParametersChanged), WB_RT(GraphExecUpdateErrorNotSupported),
	WB_RT(GraphExecUpdateErrorUnsupportedFunctionChange)
} WB_RT(GraphExecUpdateResult);
typedef struct WB_RT(GraphExecUpdateResultInfo_st) {
	enum WB_RT(GraphExecUpdateResult) result;
	WB_RT(GraphNode_t) errorNode;
	WB_RT(GraphNode_t) errorFromNode;
} WB_RT(GraphExecUpdateResultInfo);

typedef enum WB_RT(MemPoolAttr) {
	WB_RT(MemPoolReuseFollowEventDependencies) = 1, WB_RT(MemPoolReuseAllowOpportunistic),
	WB_RT(MemPoolReuseAllowInternalDependencies), WB_RT(MemPoolAttrReleaseThreshold),
	WB_RT(MemPoolAttrReservedMemCurrent), WB_RT(MemPoolAttrReservedMemHigh), WB_RT(MemPoolAttrUsedMemCurrent),
	WB_RT(MemPoolAttrUsedMemHigh)
} WB_RT(MemPoolAttr);
typedef enum WB_RT(MemAllocationType) {
	WB_RT(MemAllocationTypeInvalid), WB_RT(MemAllocationTypePinned)
} WB_RT(MemAllocationType);
typedef enum WB_RT(MemAllocationHandleType) {
	WB_RT(MemHandleTypeNone), WB_RT(MemHandleTypePosixFileDescriptor), WB_RT(MemHandleTypeWin32),
	WB_RT(MemHandleTypeWin32Kmt) = 4
} WB_RT(MemAllocationHandleType);
typedef enum WB_RT(MemAccessFlags) {
	WB_RT(MemAccessFlagsProtNone), WB_RT(MemAccessFlagsProtRead), WB_RT(MemAccessFlagsProtReadWrite) = 3
} WB_RT(MemAccessFlags);
typedef struct WB_RT(MemPoolProps) {
	enum WB_RT(MemAllocationType) allocType;
	enum WB_RT(MemAllocationHandleType) handleTypes;
	struct WB_RT(MemLocation) location;
	void *win32SecurityAttributes;
	unsigned char reserved[64];
} WB_RT(MemPoolProps);
typedef struct WB_RT(MemAccessDesc) {
	struct WB_RT(MemLocation) location;
	enum WB_RT(MemAccessFlags) flags;
} WB_RT(MemAccessDesc);
typedef struct WB_RT(MemPoolPtrExportData) { unsigned char reserved[64]; } WB_RT(MemPoolPtrExportData);
typedef struct WB_RT(MemAllocNodeParams) {
	struct WB_RT(MemPoolProps) poolProps;
	const struct WB_RT(MemAccessDesc) *accessDescs;
	size_t accessDescCount;
	size_t bytesize;
	void *dptr;                     /* written by the call */
} WB_RT(MemAllocNodeParams);
typedef enum WB_RT(GraphMemAttributeType) {
	WB_RT(GraphMemAttrUsedMemCurrent), WB_RT(GraphMemAttrUsedMemHigh), WB_RT(GraphMemAttrReservedMemCurrent),
	WB_RT(GraphMemAttrReservedMemHigh)
} WB_RT(GraphMemAttributeType);
