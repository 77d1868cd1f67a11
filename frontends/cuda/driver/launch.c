/* Launches, facts about kernels, and the launches of CUDA before 4.0 with parameters set one by one. */
#include <stdlib.h>
#include <string.h>

#include "frontends/cuda/driver/driver.h"

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *host);
cudaError_t cudaFuncSetAttribute(const void *host, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int threads,
							  size_t shared_bytes);

/* ---- launches ---- */

/* Bytes of the parameters of a prepared kernel. */
static size_t parameter_bytes(const struct function *f)
{
	const struct wb_prepared *k = program_prepared(f->kernel);
	size_t end = 0;

	for (unsigned i = 0; i < wb_prepared_info(k)->nparams; i++) {
		const struct wb_parameter *p = wb_prepared_parameter(k, i);
		if ((size_t)p->offset + p->size > end)
			end = (size_t)p->offset + p->size;
	}
	return end;
}

/* The values of a launch in either form. */
static bool read_values(const struct function *f, void **params, void **extra, struct values *v)
{
	*v = (struct values){ .each = params };
	if (!extra)
		return true;
	return !params && read_extra(extra, v) && (!f->kernel || v->bytes >= parameter_bytes(f));
}

/* A launch has no time of its own to fail: the fault of a kernel is the error of the calls behind. */
static CUresult launched(cudaError_t before, cudaError_t e)
{
	return result(before == cudaSuccess && e != cudaSuccess && e == warpbeam_runtime_shared()->runtime.sticky
		      ? cudaSuccess : e);
}

static cudaError_t earlier_fault(void) { return warpbeam_runtime_shared()->runtime.sticky; }

CALL CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
			     unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void **params,
			     void **extra)
{
	struct function *f = function_of(function);
	struct values v;

	NEEDS_CONTEXT;
	if (!f)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!read_values(f, params, extra, &v))
		return CUDA_ERROR_INVALID_VALUE;
	cudaError_t before = earlier_fault();
	return launched(before, launch(f, (dim3){ grid_x, grid_y, grid_z }, (dim3){ block_x, block_y, block_z }, &v,
				       shared_bytes, stream, "cuLaunchKernel"));
}
SAME(cuLaunchKernel_ptsz, cuLaunchKernel);

CALL CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
					unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
					CUstream stream, void **params)
{
	struct function *f = function_of(function);

	NEEDS_CONTEXT;
	if (!f)
		return CUDA_ERROR_INVALID_HANDLE;
	cudaError_t before = earlier_fault();
	return launched(before, launch_together(f, (dim3){ grid_x, grid_y, grid_z },
						(dim3){ block_x, block_y, block_z },
						&(struct values){ .each = params }, shared_bytes, stream,
						"cuLaunchCooperativeKernel"));
}
SAME(cuLaunchCooperativeKernel_ptsz, cuLaunchCooperativeKernel);

/* The meaning of the attributes of a launch. False: no device here can. */
static bool read_attributes(const CUlaunchConfig *c, bool *together)
{
	*together = false;
	for (unsigned i = 0; i < c->numAttrs; i++) {
		const CUlaunchAttributeValue *v = &c->attrs[i].value;
		if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
			*together = v->cooperative;
		else if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION &&
			 (uint64_t)v->clusterDim.x * v->clusterDim.y * v->clusterDim.z > 1)
			return false;
	}
	return true;
}

CALL CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **params, void **extra)
{
	struct function *f = function_of(function);
	struct values v;
	bool together;

	NEEDS_CONTEXT;
	if (!f)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!c || (c->numAttrs && !c->attrs) || !read_values(f, params, extra, &v))
		return CUDA_ERROR_INVALID_VALUE;
	if (!read_attributes(c, &together))
		return missing_call("cuLaunchKernelEx with a cluster of blocks");
	cudaError_t before = earlier_fault();
	return launched(before, (together ? launch_together : launch)(
				f, (dim3){ c->gridDimX, c->gridDimY, c->gridDimZ },
				(dim3){ c->blockDimX, c->blockDimY, c->blockDimZ }, &v, c->sharedMemBytes, c->hStream,
				"cuLaunchKernelEx"));
}
SAME(cuLaunchKernelEx_ptsz, cuLaunchKernelEx);

/* ---- launches of CUDA before 4.0 ---- */

enum { PARAMETERS_MAX = 4096 };

/* Block, parameters and shared memory set for the next launches of a function. */
struct setting {
	struct setting *next;
	const struct function *function;
	dim3 block;
	unsigned shared_bytes, bytes;
	uint8_t params[PARAMETERS_MAX];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct setting *settings;

/* The setting of a function, under the lock. NULL: *e is the error. */
static struct setting *hold(CUfunction function, CUresult *e)
{
	struct function *f = function_of(function);
	struct setting *s;

	*e = ready();
	if (*e == CUDA_SUCCESS && !f)
		*e = CUDA_ERROR_INVALID_HANDLE;
	if (*e != CUDA_SUCCESS)
		return NULL;
	pthread_mutex_lock(&lock);
	for (s = settings; s && s->function != f; s = s->next)
		;
	if (s)
		return s;
	s = calloc(1, sizeof *s);
	if (!s) {
		pthread_mutex_unlock(&lock);
		*e = CUDA_ERROR_OUT_OF_MEMORY;
		return NULL;
	}
	s->function = f;
	s->block = (dim3){ 1, 1, 1 };
	s->next = settings;
	settings = s;
	return s;
}

static CUresult let_go(CUresult e)
{
	pthread_mutex_unlock(&lock);
	return e;
}

CALL CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z)
{
	CUresult e;
	struct setting *s = hold(function, &e);

	if (!s)
		return e;
	if (x < 1 || y < 1 || z < 1)
		return let_go(CUDA_ERROR_INVALID_VALUE);
	s->block = (dim3){ (unsigned)x, (unsigned)y, (unsigned)z };
	return let_go(CUDA_SUCCESS);
}

CALL CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes)
{
	CUresult e;
	struct setting *s = hold(function, &e);

	if (!s)
		return e;
	s->shared_bytes = bytes;
	return let_go(CUDA_SUCCESS);
}

CALL CUresult cuParamSetSize(CUfunction function, unsigned bytes)
{
	CUresult e;
	struct setting *s = hold(function, &e);

	if (!s)
		return e;
	if (bytes > PARAMETERS_MAX)
		return let_go(CUDA_ERROR_INVALID_VALUE);
	s->bytes = bytes;
	return let_go(CUDA_SUCCESS);
}

CALL CUresult cuParamSetv(CUfunction function, int offset, void *value, unsigned bytes)
{
	CUresult e;
	struct setting *s = hold(function, &e);

	if (!s)
		return e;
	if (offset < 0 || offset > PARAMETERS_MAX || bytes > PARAMETERS_MAX - (unsigned)offset || (bytes && !value))
		return let_go(CUDA_ERROR_INVALID_VALUE);
	memcpy(s->params + offset, value, bytes);
	return let_go(CUDA_SUCCESS);
}

CALL CUresult cuParamSeti(CUfunction function, int offset, unsigned value)
{
	return cuParamSetv(function, offset, &value, sizeof value);
}

CALL CUresult cuParamSetf(CUfunction function, int offset, float value)
{
	return cuParamSetv(function, offset, &value, sizeof value);
}

CALL CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream)
{
	CUresult e;
	struct setting *s = hold(function, &e), copy;

	if (!s)
		return e;
	copy = *s;
	let_go(CUDA_SUCCESS);
	if (width < 1 || height < 1)
		return CUDA_ERROR_INVALID_VALUE;
	return cuLaunchKernel(function, (unsigned)width, (unsigned)height, 1, copy.block.x, copy.block.y, copy.block.z,
			      copy.shared_bytes, stream, NULL,
			      (void *[]){ CU_LAUNCH_PARAM_BUFFER_POINTER, copy.params, CU_LAUNCH_PARAM_BUFFER_SIZE,
					  &(size_t){ copy.bytes }, CU_LAUNCH_PARAM_END });
}

CALL CUresult cuLaunchGrid(CUfunction function, int width, int height)
{
	return cuLaunchGridAsync(function, width, height, NULL);
}

CALL CUresult cuLaunch(CUfunction function) { return cuLaunchGridAsync(function, 1, 1, NULL); }

/* ---- facts about a kernel ---- */

static int fact(const struct cudaFuncAttributes *a, CUfunction_attribute which)
{
	switch (which) {
	case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: return a->maxThreadsPerBlock;
	case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: return (int)a->sharedSizeBytes;
	case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: return (int)a->constSizeBytes;
	case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: return (int)a->localSizeBytes;
	case CU_FUNC_ATTRIBUTE_NUM_REGS: return a->numRegs;
	case CU_FUNC_ATTRIBUTE_PTX_VERSION: return a->ptxVersion;
	case CU_FUNC_ATTRIBUTE_BINARY_VERSION: return a->binaryVersion;
	case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: return a->maxDynamicSharedSizeBytes;
	case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: return a->preferredShmemCarveout;
	default: return 0;
	}
}

enum { ATTRIBUTES = 16 };       /* of functions, as CUDA 13 has them */

CALL CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction function)
{
	struct function *f = function_of(function);
	struct cudaFuncAttributes a;
	CUresult e;

	NEEDS_CONTEXT;
	if (!value || (unsigned)which >= ATTRIBUTES)
		return CUDA_ERROR_INVALID_VALUE;
	if (!f)
		return CUDA_ERROR_INVALID_HANDLE;
	e = result(cudaFuncGetAttributes(&a, f->host));
	if (e == CUDA_SUCCESS)
		*value = fact(&a, which);
	return e;
}

CALL CUresult cuKernelGetAttribute(int *value, CUfunction_attribute which, CUkernel kernel, CUdevice device)
{
	return device ? CUDA_ERROR_INVALID_DEVICE
		      : cuFuncGetAttribute(value, which, (CUfunction)(void *)kernel);
}

CALL CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value)
{
	struct function *f = function_of(function);

	NEEDS_CONTEXT;
	if (!f)
		return CUDA_ERROR_INVALID_HANDLE;
	if (which != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES &&
	    which != CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
		return CUDA_ERROR_INVALID_VALUE;
	return result(cudaFuncSetAttribute(f->host, (enum cudaFuncAttribute)which, value));
}

CALL CUresult cuKernelSetAttribute(CUfunction_attribute which, int value, CUkernel kernel, CUdevice device)
{
	return device ? CUDA_ERROR_INVALID_DEVICE
		      : cuFuncSetAttribute((CUfunction)(void *)kernel, which, value);
}

static CUresult known(CUfunction function)
{
	NEEDS_CONTEXT;
	return function_of(function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CALL CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
	return (unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_ERROR_INVALID_VALUE : known(function);
}

CALL CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
	return (unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_ERROR_INVALID_VALUE
									     : known(function);
}

CALL CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int threads,
								   size_t shared_bytes, unsigned flags)
{
	struct function *f = function_of(function);

	NEEDS_CONTEXT;
	if (flags > 1)
		return CUDA_ERROR_INVALID_VALUE;
	if (!f)
		return CUDA_ERROR_INVALID_HANDLE;
	return result(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f->host, threads, shared_bytes));
}

CALL CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
							  size_t shared_bytes)
{
	return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared_bytes, 0);
}

/* The largest block, in whole warps, of the most threads that a multiprocessor holds; 0 where no block fits. */
CALL CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function,
							CUoccupancyB2DSize shared, size_t shared_bytes, int limit,
							unsigned flags)
{
	enum { LANES = 32 };
	int most = 0, threads = 0, multiprocessors = 0, blocks;
	CUresult e = cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);

	if (e == CUDA_SUCCESS)
		e = cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
	if (e == CUDA_SUCCESS && (!grid || !block || flags > 1 || limit < 0))
		e = CUDA_ERROR_INVALID_VALUE;
	if (e == CUDA_SUCCESS)
		*grid = *block = 0;
	threads = limit > 0 && limit < threads ? limit : threads;
	for (threads = threads / LANES * LANES; threads > 0 && e == CUDA_SUCCESS; threads -= LANES) {
		size_t bytes = shared ? shared(threads) : shared_bytes;
		e = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, bytes);
		if (e == CUDA_SUCCESS && blocks * threads > most) {
			most = blocks * threads;
			*block = threads;
			*grid = blocks * multiprocessors;
		}
	}
	return e;
}

CALL CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared,
					       size_t shared_bytes, int limit)
{
	return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared, shared_bytes, limit, 0);
}
