/* Types of HIP's runtime interface: errors, kinds of copies, attributes, properties. Numbers and layouts are those of
 * the public documentation, in the form of ROCm 5, and programs built elsewhere have them too. */
#ifndef WARPBEAM_HIP_DRIVER_TYPES_H
#define WARPBEAM_HIP_DRIVER_TYPES_H

#include <stddef.h>

#include "../../cuda/host_defines.h"
#include "../../cuda/vector_types.h"

typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef struct ihipCtx_t *hipCtx_t;
typedef int hipDevice_t;
typedef void *hipDeviceptr_t;

typedef enum hipError_t {
#define HIP_ERROR(name, number, text) name = number,
#include "hip_errors.def"
	hipErrorMemoryAllocation = hipErrorOutOfMemory,
	hipErrorInitializationError = hipErrorNotInitialized,
	hipErrorMapFailed = 205,
	hipErrorInvalidResourceHandle = hipErrorInvalidHandle
} hipError_t;
#define hipErrorTbd hipErrorUnknown

typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void *context);
typedef void (*hipHostFn_t)(void *context);

typedef enum hipMemcpyKind {
	hipMemcpyHostToHost = 0,
	hipMemcpyHostToDevice = 1,
	hipMemcpyDeviceToHost = 2,
	hipMemcpyDeviceToDevice = 3,
	hipMemcpyDefault = 4
} hipMemcpyKind;

#define hipHostMallocDefault 0
#define hipHostMallocPortable 1
#define hipHostMallocMapped 2
#define hipHostMallocWriteCombined 4
#define hipHostMallocCoherent 0x40000000
#define hipHostMallocNonCoherent 0x80000000
#define hipHostRegisterDefault 0
#define hipHostRegisterPortable 1
#define hipHostRegisterMapped 2
#define hipStreamDefault 0
#define hipStreamNonBlocking 1
#define hipStreamPerThread ((hipStream_t)2)
#define hipEventDefault 0
#define hipEventBlockingSync 1
#define hipEventDisableTiming 2
#define hipEventInterprocess 4
#define hipMemAttachGlobal 1
#define hipMemAttachHost 2
#define hipMemAttachSingle 4
#define hipDeviceScheduleAuto 0
#define hipDeviceScheduleSpin 1
#define hipDeviceScheduleYield 2
#define hipDeviceScheduleBlockingSync 4
#define hipDeviceMapHost 8
#define hipIpcMemLazyEnablePeerAccess 0
#define hipCpuDeviceId (-1)
#define hipInvalidDeviceId (-2)
#define hipOccupancyDefault 0

typedef enum hipFuncCache {
	hipFuncCachePreferNone, hipFuncCachePreferShared, hipFuncCachePreferL1, hipFuncCachePreferEqual
} hipFuncCache_t;
typedef enum hipSharedMemConfig {
	hipSharedMemBankSizeDefault, hipSharedMemBankSizeFourByte, hipSharedMemBankSizeEightByte
} hipSharedMemConfig;
typedef enum hipLimit { hipLimitStackSize = 0, hipLimitPrintfFifoSize = 1, hipLimitMallocHeapSize = 2 } hipLimit_t;
typedef enum hipMemoryAdvise {
	hipMemAdviseSetReadMostly = 1, hipMemAdviseUnsetReadMostly, hipMemAdviseSetPreferredLocation,
	hipMemAdviseUnsetPreferredLocation, hipMemAdviseSetAccessedBy, hipMemAdviseUnsetAccessedBy
} hipMemoryAdvise;
typedef enum hipDeviceP2PAttr {
	hipDevP2PAttrPerformanceRank, hipDevP2PAttrAccessSupported, hipDevP2PAttrNativeAtomicSupported,
	hipDevP2PAttrHipArrayAccessSupported
} hipDeviceP2PAttr;
/* What another process would open: calls that make one are refused. */
typedef struct hipIpcMemHandle_st { char reserved[64]; } hipIpcMemHandle_t;
typedef struct hipIpcEventHandle_st { char reserved[64]; } hipIpcEventHandle_t;
typedef enum hipMemoryType {
	hipMemoryTypeHost, hipMemoryTypeDevice, hipMemoryTypeArray, hipMemoryTypeUnified
} hipMemoryType;
typedef enum hipFuncAttribute {
	hipFuncAttributeMaxDynamicSharedMemorySize = 8,
	hipFuncAttributePreferredSharedMemoryCarveout = 9
} hipFuncAttribute;

typedef struct hipPointerAttribute_t {
	enum hipMemoryType memoryType;
	int device;
	void *devicePointer;
	void *hostPointer;
	int isManaged;
	unsigned int allocationFlags;
} hipPointerAttribute_t;

typedef struct hipFuncAttributes {
	int binaryVersion;
	int cacheModeCA;
	size_t constSizeBytes;
	size_t localSizeBytes;          /* of a thread */
	int maxDynamicSharedSizeBytes;
	int maxThreadsPerBlock;
	int numRegs;                    /* of a thread */
	int preferredShmemCarveout;
	int ptxVersion;
	size_t sharedSizeBytes;         /* of a block, without dynamic shared memory */
} hipFuncAttributes;

typedef enum hipDeviceAttribute_t {
	hipDeviceAttributeAsyncEngineCount = 2,
	hipDeviceAttributeCanMapHostMemory = 3,
	hipDeviceAttributeClockRate = 5,
	hipDeviceAttributeComputeMode = 6,
	hipDeviceAttributeConcurrentKernels = 8,
	hipDeviceAttributeConcurrentManagedAccess = 9,
	hipDeviceAttributeCooperativeLaunch = 10,
	hipDeviceAttributeIntegrated = 16,
	hipDeviceAttributeKernelExecTimeout = 18,
	hipDeviceAttributeL2CacheSize = 19,
	hipDeviceAttributeComputeCapabilityMajor = 23,
	hipDeviceAttributeManagedMemory = 24,
	hipDeviceAttributeMaxBlocksPerMultiProcessor = 25,
	hipDeviceAttributeMaxBlockDimX = 26,
	hipDeviceAttributeMaxBlockDimY = 27,
	hipDeviceAttributeMaxBlockDimZ = 28,
	hipDeviceAttributeMaxGridDimX = 29,
	hipDeviceAttributeMaxGridDimY = 30,
	hipDeviceAttributeMaxGridDimZ = 31,
	hipDeviceAttributeMaxThreadsPerBlock = 56,
	hipDeviceAttributeMaxThreadsPerMultiProcessor = 57,
	hipDeviceAttributeMaxPitch = 58,
	hipDeviceAttributeMemoryBusWidth = 59,
	hipDeviceAttributeMemoryClockRate = 60,
	hipDeviceAttributeComputeCapabilityMinor = 61,
	hipDeviceAttributeMultiprocessorCount = 63,
	hipDeviceAttributePciBusId = 67,
	hipDeviceAttributePciDeviceId = 68,
	hipDeviceAttributeMaxRegistersPerBlock = 71,
	hipDeviceAttributeMaxRegistersPerMultiprocessor = 72,
	hipDeviceAttributeMaxSharedMemoryPerBlock = 74,
	hipDeviceAttributeSharedMemPerBlockOptin = 75,
	hipDeviceAttributeSharedMemPerMultiprocessor = 76,
	hipDeviceAttributeTextureAlignment = 81,
	hipDeviceAttributeTotalConstantMemory = 83,
	hipDeviceAttributeTotalGlobalMem = 84,
	hipDeviceAttributeUnifiedAddressing = 85,
	hipDeviceAttributeWarpSize = 87,
	hipDeviceAttributeMaxSharedMemoryPerMultiprocessor = 10002,
	hipDeviceAttributePhysicalMultiProcessorCount = 10015
} hipDeviceAttribute_t;

/* A bit for each feature; the names of the features are below. */
typedef struct hipDeviceArch_t {
	unsigned int hasGlobalInt32Atomics : 1, hasGlobalFloatAtomicExch : 1, hasSharedInt32Atomics : 1,
		     hasSharedFloatAtomicExch : 1, hasFloatAtomicAdd : 1, hasGlobalInt64Atomics : 1,
		     hasSharedInt64Atomics : 1, hasDoubles : 1, hasWarpVote : 1, hasWarpBallot : 1, hasWarpShuffle : 1,
		     hasFunnelShift : 1, hasThreadFenceSystem : 1, hasSyncThreadsExt : 1, hasSurfaceFuncs : 1,
		     has3dGrid : 1, hasDynamicParallelism : 1;
} hipDeviceArch_t;

/* In the layout of ROCm 5. Members without a meaning here are 0. */
typedef struct hipDeviceProp_t {
	char name[256];
	size_t totalGlobalMem;
	size_t sharedMemPerBlock;
	int regsPerBlock;
	int warpSize;
	int maxThreadsPerBlock;
	int maxThreadsDim[3];
	int maxGridSize[3];
	int clockRate;                  /* kHz */
	int memoryClockRate;            /* kHz */
	int memoryBusWidth;             /* bits */
	size_t totalConstMem;
	int major;
	int minor;
	int multiProcessorCount;
	int l2CacheSize;
	int maxThreadsPerMultiProcessor;
	int computeMode;
	int clockInstructionRate;       /* kHz */
	hipDeviceArch_t arch;
	int concurrentKernels;
	int pciDomainID;
	int pciBusID;
	int pciDeviceID;
	size_t maxSharedMemoryPerMultiProcessor;
	int isMultiGpuBoard;
	int canMapHostMemory;
	int gcnArch;
	char gcnArchName[256];
	int integrated;
	int cooperativeLaunch;
	int cooperativeMultiDeviceLaunch;
	int maxTexture1DLinear;
	int maxTexture1D;
	int maxTexture2D[2];
	int maxTexture3D[3];
	unsigned int *hdpMemFlushCntl;
	unsigned int *hdpRegFlushCntl;
	size_t memPitch;
	size_t textureAlignment;
	size_t texturePitchAlignment;
	int kernelExecTimeoutEnabled;
	int ECCEnabled;
	int tccDriver;
	int cooperativeMultiDeviceUnmatchedFunc;
	int cooperativeMultiDeviceUnmatchedGridDim;
	int cooperativeMultiDeviceUnmatchedBlockDim;
	int cooperativeMultiDeviceUnmatchedSharedMem;
	int isLargeBar;
	int asicRevision;
	int managedMemory;
	int directManagedMemAccessFromHost;
	int concurrentManagedAccess;
	int pageableMemoryAccess;
	int pageableMemoryAccessUsesHostPageTables;
} hipDeviceProp_t;

typedef enum hipMemLocationType { hipMemLocationTypeInvalid, hipMemLocationTypeDevice } hipMemLocationType;
typedef struct hipMemLocation {
	hipMemLocationType type;
	int id;
} hipMemLocation;
typedef struct hipKernelNodeParams {
	dim3 blockDim;
	void **extra;
	void *func;
	dim3 gridDim;
	void **kernelParams;
	unsigned int sharedMemBytes;
} hipKernelNodeParams;
typedef struct hipMemsetParams {
	void *dst;
	unsigned int elementSize;       /* bytes: 1, 2 or 4 */
	size_t height;
	size_t pitch;
	unsigned int value;
	size_t width;                   /* elements */
} hipMemsetParams;
#define WB_RT(name) hip##name
#define WB_HANDLE(name) ihip_##name
#define WB_FIRST_NODE 1
#include "../../cuda/warpbeam_graph_types.h"
#undef WB_RT
#undef WB_HANDLE
#undef WB_FIRST_NODE

#endif
