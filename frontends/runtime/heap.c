/* Limits of the device, and the heap of kernels: memory of the size that a program has asked for, in place of the
 * memory in a module's variable (include/warpbeam/cuda/warpbeam_heap.h, toolchain/heap.ptx). */
#include <stdlib.h>

#include "frontends/runtime/link.h"
#include "frontends/runtime/runtime.h"

CALL cudaError_t RT(DeviceSetLimit)(int limit, size_t value);
CALL cudaError_t RT(DeviceGetLimit)(size_t *value, int limit);

static cudaError_t fill_heap(struct runtime *r, const struct wb_program *p, const char *name)
{
	struct shared *s = warpbeam_runtime_shared();
	uint64_t place, bytes, first[2];
	void *memory;
	cudaError_t e;

	if (!name)
		return cudaErrorMemoryAllocation;
	if (find_address(r, p, name, &place, &bytes) != cudaSuccess)
		return cudaSuccess;
	s->has_heap = true;
	if (!s->sized_heap)
		return cudaSuccess;
	e = allocate(r, &memory, s->limits[LIMIT_HEAP] + 16);
	first[0] = (uint64_t)(uintptr_t)memory;
	first[1] = s->limits[LIMIT_HEAP];
	return e == cudaSuccess ? copy_bytes(r, (void *)(uintptr_t)place, first, sizeof first, cudaMemcpyHostToDevice)
				: e;
}

cudaError_t place_heap(struct runtime *r, const struct module *m, const struct wb_program *p)
{
	static const char name[] = "_ZL13warpbeam_heap";
	cudaError_t e = fill_heap(r, p, name);

	for (size_t part = 0; part < m->nparts && e == cudaSuccess; part++) {
		char *own = link_own_name(name, part);
		e = fill_heap(r, p, own);
		free(own);
	}
	return e;
}

/* The size of the heap is fixed once a module with a heap is on the device. */
static cudaError_t set_limit(int limit, size_t value)
{
	struct shared *s = warpbeam_runtime_shared();

	if (limit < 0 || limit >= LIMITS || (limit == LIMIT_HEAP && s->has_heap && value != s->limits[limit]))
		return cudaErrorInvalidValue;
	s->limits[limit] = value;
	s->sized_heap |= limit == LIMIT_HEAP;
	return cudaSuccess;
}

static cudaError_t get_limit(size_t *value, int limit)
{
	if (!value || limit < 0 || limit >= LIMITS)
		return cudaErrorInvalidValue;
	*value = warpbeam_runtime_shared()->limits[limit];
	return cudaSuccess;
}

cudaError_t RT(DeviceSetLimit)(int limit, size_t value) { WITH_RUNTIME(set_limit(limit, value)); }
cudaError_t RT(DeviceGetLimit)(size_t *value, int limit) { WITH_RUNTIME(get_limit(value, limit)); }
