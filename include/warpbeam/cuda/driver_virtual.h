/* Addresses apart from memory, of CUDA's driver interface. Structures and numbers are those of the public
 * documentation. */
#ifndef WARPBEAM_CUDA_DRIVER_VIRTUAL_H
#define WARPBEAM_CUDA_DRIVER_VIRTUAL_H

typedef unsigned long long CUmemGenericAllocationHandle;
typedef enum CUmemAllocationHandleType_enum {
	CU_MEM_HANDLE_TYPE_NONE = 0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1, CU_MEM_HANDLE_TYPE_WIN32 = 2,
	CU_MEM_HANDLE_TYPE_WIN32_KMT = 4, CU_MEM_HANDLE_TYPE_FABRIC = 8
} CUmemAllocationHandleType;
typedef enum CUmemAllocationGranularity_flags_enum {
	CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
} CUmemAllocationGranularity_flags;
typedef enum CUmemAllocationCompType_enum {
	CU_MEM_ALLOCATION_COMP_NONE = 0, CU_MEM_ALLOCATION_COMP_GENERIC = 1
} CUmemAllocationCompType;
typedef struct CUmemAllocationProp_st {
	CUmemAllocationType type;
	CUmemAllocationHandleType requestedHandleTypes;
	CUmemLocation location;
	void *win32HandleMetaData;
	struct {
		unsigned char compressionType;
		unsigned char gpuDirectRDMACapable;
		unsigned short usage;
		unsigned char reserved[4];
	} allocFlags;
} CUmemAllocationProp;

#ifdef __cplusplus
extern "C" {
#endif
#define WB_CU CUresult CUDAAPI
WB_CU cuMemAddressReserve(CUdeviceptr *p, size_t bytes, size_t alignment, CUdeviceptr wish, cuuint64_t flags);
WB_CU cuMemAddressFree(CUdeviceptr p, size_t bytes);
WB_CU cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *prop,
		  cuuint64_t flags);
WB_CU cuMemRelease(CUmemGenericAllocationHandle handle);
WB_CU cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address);
WB_CU cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop,
				    CUmemAllocationGranularity_flags which);
WB_CU cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle);
WB_CU cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle, cuuint64_t flags);
WB_CU cuMemUnmap(CUdeviceptr address, size_t bytes);
WB_CU cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *list, size_t n);
WB_CU cuMemGetAccess(unsigned long long *flags, const CUmemLocation *place, CUdeviceptr address);
#ifndef WARPBEAM_DRIVER /* calls without a meaning here, which return CUDA_ERROR_NOT_SUPPORTED */
WB_CU cuMemExportToShareableHandle(void *to, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type,
				   unsigned long long flags);
WB_CU cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *from, CUmemAllocationHandleType type);
#endif
#undef WB_CU
#ifdef __cplusplus
}
#endif

#endif
