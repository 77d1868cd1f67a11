// Addresses apart from memory, by CUDA's driver interface: calls right and wrong, and kernels that work on pieces of
// memory side by side. Bytes stay with a piece wherever the piece is mapped.
#include "driver_answers.h"

__global__ void add(unsigned *p, unsigned step, unsigned v) { p[step * blockIdx.x + threadIdx.x] += v + blockIdx.x; }

static unsigned word_at(CUdeviceptr p)
{
	unsigned word = 0;

	RIGHT(cuMemcpyDtoH(&word, p, sizeof word));
	return word;
}

int main()
{
	enum { GRAIN = 2 << 20, WORDS = GRAIN / 4 };
	CUmemAllocationProp prop = {}, found = {}, wrong;
	CUmemGenericAllocationHandle a = 0, b = 0, c = 0, same = 0;
	CUmemAccessDesc access = {};
	CUdeviceptr p = 0, q = 0, aligned = 0;
	CUcontext context;
	size_t grain = 0;
	unsigned long long flags = 9;
	int there = 0;

	prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
	prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	access.location = prop.location;
	access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	RIGHT(cuInit(0));
	WANT(cuMemCreate(&a, GRAIN, &prop, 0), ERROR_INVALID_CONTEXT);
	RIGHT(cuDevicePrimaryCtxRetain(&context, 0));
	RIGHT(cuCtxSetCurrent(context));
	RIGHT(cuDeviceGetAttribute(&there, CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED, 0));
	IS(there, 1);
	RIGHT(cuMemGetAllocationGranularity(&grain, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	IS(grain, GRAIN);
	RIGHT(cuMemGetAllocationGranularity(&grain, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
	WANT(cuMemGetAllocationGranularity(NULL, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM), ERROR_INVALID_VALUE);
	WANT(cuMemGetAllocationGranularity(&grain, &prop, (CUmemAllocationGranularity_flags)2), ERROR_INVALID_VALUE);

	// Ranges of addresses.
	WANT(cuMemAddressReserve(&p, GRAIN / 2, 0, 0, 0), ERROR_INVALID_VALUE);
	WANT(cuMemAddressReserve(&p, 0, 0, 0, 0), ERROR_INVALID_VALUE);
	WANT(cuMemAddressReserve(&p, GRAIN, 3, 0, 0), ERROR_INVALID_VALUE);
	WANT(cuMemAddressReserve(&p, GRAIN, 0, 0, 1), ERROR_INVALID_VALUE);
	WANT(cuMemAddressReserve(NULL, GRAIN, 0, 0, 0), ERROR_INVALID_VALUE);
	WANT(cuMemAddressReserve(&p, (size_t)-GRAIN, 0, 0, 0), ERROR_OUT_OF_MEMORY);
	WANT(cuMemAddressReserve(&p, GRAIN, (size_t)1 << 63, 0, 0), ERROR_OUT_OF_MEMORY);
	RIGHT(cuMemAddressReserve(&p, 4 * GRAIN, 0, 0, 0));
	RIGHT(cuMemAddressReserve(&q, 2 * GRAIN, GRAIN, p + 4 * GRAIN, 0));
	RIGHT(cuMemAddressReserve(&aligned, GRAIN, 8 * GRAIN, 0, 0));
	IS(p % GRAIN, 0);
	IS(aligned % (8 * GRAIN), 0);
	WANT(cuMemAddressFree(aligned, 2 * GRAIN), ERROR_INVALID_VALUE);
	WANT(cuMemFree(aligned), ERROR_INVALID_VALUE);
	RIGHT(cuMemAddressFree(aligned, GRAIN));
	WANT(cuMemAddressFree(aligned, GRAIN), ERROR_INVALID_VALUE);

	// Pieces of memory.
	WANT(cuMemCreate(NULL, GRAIN, &prop, 0), ERROR_INVALID_VALUE);
	WANT(cuMemCreate(&a, GRAIN, NULL, 0), ERROR_INVALID_VALUE);
	WANT(cuMemCreate(&a, GRAIN + 4096, &prop, 0), ERROR_INVALID_VALUE);
	WANT(cuMemCreate(&a, GRAIN, &prop, 1), ERROR_INVALID_VALUE);
	WANT(cuMemCreate(&a, (size_t)1 << 50, &prop, 0), ERROR_OUT_OF_MEMORY);
	wrong = prop;
	wrong.type = CU_MEM_ALLOCATION_TYPE_INVALID;
	WANT(cuMemCreate(&a, GRAIN, &wrong, 0), ERROR_INVALID_VALUE);
	wrong = prop;
	wrong.location.id = 1;
	WANT(cuMemCreate(&a, GRAIN, &wrong, 0), ERROR_INVALID_DEVICE);
	wrong = prop;
	wrong.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
	WANT(cuMemCreate(&a, GRAIN, &wrong, 0), ERROR_NOT_SUPPORTED);
	RIGHT(cuMemCreate(&a, GRAIN, &prop, 0));
	RIGHT(cuMemCreate(&b, GRAIN, &prop, 0));
	RIGHT(cuMemCreate(&c, 2 * GRAIN, &prop, 0));
	RIGHT(cuMemGetAllocationPropertiesFromHandle(&found, c));
	IS(found.type, CU_MEM_ALLOCATION_TYPE_PINNED);
	WANT(cuMemGetAllocationPropertiesFromHandle(&found, 77), ERROR_INVALID_VALUE);
	WANT(cuMemExportToShareableHandle(&there, a, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), ERROR_NOT_SUPPORTED);

	cudaMemPoolPtrExportData exported;
	cudaMemPool_t pool = NULL;
	IS(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
	IS(cudaMemPoolExportPointer(&exported, &there), cudaErrorNotSupported);
	IS(cudaMemPoolExportToShareableHandle(&there, pool, cudaMemHandleTypePosixFileDescriptor, 0), cudaErrorNotSupported);
	RIGHT(cuDeviceGetAttribute(&there, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0));
	IS(there, 0);
	cudaGetLastError();

	// Two pieces side by side.
	WANT(cuMemMap(p, GRAIN, 0, 77, 0), ERROR_INVALID_VALUE);
	WANT(cuMemMap(p, GRAIN, GRAIN, a, 0), ERROR_INVALID_VALUE);
	WANT(cuMemMap(p, 2 * GRAIN, 0, a, 0), ERROR_INVALID_VALUE);
	WANT(cuMemMap(p + 4096, GRAIN, 0, a, 0), ERROR_INVALID_VALUE);
	WANT(cuMemMap(p + 4 * GRAIN, GRAIN, 0, a, 0), ERROR_INVALID_VALUE);
	WANT(cuMemMap(~(CUdeviceptr)0 - GRAIN + 1, GRAIN, 0, a, 0), ERROR_INVALID_VALUE);
	RIGHT(cuMemMap(p, GRAIN, 0, a, 0));
	WANT(cuMemMap(p, GRAIN, 0, b, 0), ERROR_INVALID_VALUE);
	WANT(cuMemMap(q, GRAIN, 0, a, 0), ERROR_NOT_SUPPORTED);
	RIGHT(cuMemMap(p + GRAIN, GRAIN, 0, b, 0));
	RIGHT(cuMemGetAccess(&flags, &prop.location, p));
	IS(flags, CU_MEM_ACCESS_FLAGS_PROT_NONE);
	WANT(cuMemSetAccess(p, 3 * GRAIN, &access, 1), ERROR_INVALID_VALUE);
	WANT(cuMemSetAccess(p, GRAIN / 2, &access, 1), ERROR_INVALID_VALUE);
	WANT(cuMemSetAccess(p, GRAIN, &access, 0), ERROR_INVALID_VALUE);
	RIGHT(cuMemSetAccess(p, 2 * GRAIN, &access, 1));
	RIGHT(cuMemGetAccess(&flags, &prop.location, p + GRAIN));
	IS(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	WANT(cuMemGetAccess(&flags, &prop.location, q), ERROR_INVALID_VALUE);
	RIGHT(cuMemsetD32(p, 100, 2 * WORDS));
	add<<<2, 64>>>((unsigned *)p, WORDS, 5);
	IS(cudaGetLastError(), cudaSuccess);
	IS(word_at(p + 4 * 63), 105);
	IS(word_at(p + 4 * 64), 100);
	IS(word_at(p + GRAIN + 4 * 63), 106);

	// The second piece goes to the other range, behind a third one, and a kernel works on both.
	WANT(cuMemAddressFree(p, 4 * GRAIN), ERROR_INVALID_VALUE);
	WANT(cuMemUnmap(p + GRAIN, 2 * GRAIN), ERROR_INVALID_VALUE);
	WANT(cuMemUnmap(p + GRAIN, GRAIN / 2), ERROR_INVALID_VALUE);
	RIGHT(cuMemUnmap(p + GRAIN, GRAIN));
	WANT(cuMemUnmap(p + GRAIN, GRAIN), ERROR_INVALID_VALUE);
	RIGHT(cuMemMap(p + GRAIN, 2 * GRAIN, 0, c, 0));
	RIGHT(cuMemSetAccess(p + GRAIN, 2 * GRAIN, &access, 1));
	RIGHT(cuMemsetD32(p + GRAIN, 7, 2 * WORDS));
	RIGHT(cuMemMap(q, GRAIN, 0, b, 0));
	RIGHT(cuMemSetAccess(q, GRAIN, &access, 1));
	add<<<1, 32>>>((unsigned *)q, WORDS, 1000);
	add<<<3, 32>>>((unsigned *)p, WORDS, 1);
	IS(cudaGetLastError(), cudaSuccess);
	IS(word_at(q), 1106);
	IS(word_at(q + 4 * 63), 106);
	IS(word_at(p), 106);
	IS(word_at(p + GRAIN), 9);
	IS(word_at(p + 2 * GRAIN + 4 * 31), 10);

	// A handle by an address; memory whose handles are released lives until the end of the mapping.
	RIGHT(cuMemRetainAllocationHandle(&same, (void *)(q + 100)));
	IS(same, b);
	WANT(cuMemRetainAllocationHandle(&same, (void *)(q + GRAIN)), ERROR_INVALID_VALUE);
	RIGHT(cuMemRelease(b));
	RIGHT(cuMemRelease(b));
	WANT(cuMemRelease(b), ERROR_INVALID_VALUE);
	IS(word_at(q), 1106);
	RIGHT(cuMemUnmap(q, GRAIN));
	RIGHT(cuMemUnmap(p, 3 * GRAIN));
	RIGHT(cuMemMap(q, 2 * GRAIN, 0, c, 0));
	IS(word_at(q + GRAIN + 4 * 31), 10);
	RIGHT(cuMemUnmap(q, 2 * GRAIN));
	RIGHT(cuMemRelease(a));
	RIGHT(cuMemRelease(c));
	RIGHT(cuMemAddressFree(p, 4 * GRAIN));
	RIGHT(cuMemAddressFree(q, 2 * GRAIN));
	WANT(cuMemcpyDtoH(&there, q, 4), ERROR_INVALID_VALUE);
	printf("%d calls, %d wrong answers\n", calls, bad);
	return bad != 0;
}
