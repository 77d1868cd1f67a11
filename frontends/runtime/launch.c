/* Kernels: configurations, launches, and what is known about a kernel. */
#include <stdlib.h>
#include <string.h>

#include "frontends/runtime/runtime.h"

/* ---- <<<grid, block, shared, stream>>> ---- */

enum { PUSHED_MAX = 64 };

static _Thread_local struct {
	dim3 grid, block;
	size_t shared_bytes;
	void *stream;
} pushed[PUSHED_MAX];
static _Thread_local unsigned npushed;

CALL unsigned RT_HIDDEN(PushCallConfiguration)(dim3 grid, dim3 block, size_t shared_bytes, void *stream);
CALL cudaError_t RT_HIDDEN(PopCallConfiguration)(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);
CALL cudaError_t RT(LaunchKernel)(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
				  cudaStream_t stream);
CALL cudaError_t RT(LaunchCooperativeKernel)(const void *host, dim3 grid, dim3 block, void **arguments,
					     size_t shared_bytes, cudaStream_t stream);
CALL cudaError_t RT_HIDDEN(GetKernel)(void **kernel, const void *host);
CALL cudaError_t RT_HIDDEN(LaunchKernel)(void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
				    cudaStream_t stream);
CALL cudaError_t RT_HIDDEN(LaunchKernel_ptsz)(void *kernel, dim3 grid, dim3 block, void **arguments,
					      size_t shared_bytes, cudaStream_t stream);
CALL cudaError_t RT(FuncGetAttributes)(struct RT(FuncAttributes) *attributes, const void *host);
CALL cudaError_t RT(FuncSetAttribute)(const void *host, enum cudaFuncAttribute attribute, int value);
CALL cudaError_t RT(FuncSetCacheConfig)(const void *host, enum cudaFuncCache config);
CALL cudaError_t RT(FuncSetSharedMemConfig)(const void *host, enum cudaSharedMemConfig config);
CALL cudaError_t RT(OccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks, const void *host, int threads,
							       size_t shared_bytes);
CALL cudaError_t RT(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(int *blocks, const void *host, int threads,
									size_t shared_bytes, unsigned flags);

unsigned RT_HIDDEN(PushCallConfiguration)(dim3 grid, dim3 block, size_t shared_bytes, void *stream)
{
	if (npushed == PUSHED_MAX)
		return 1;
	pushed[npushed].grid = grid;
	pushed[npushed].block = block;
	pushed[npushed].shared_bytes = shared_bytes;
	pushed[npushed++].stream = stream;
	return 0;
}

cudaError_t RT_HIDDEN(PopCallConfiguration)(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream)
{
	if (!npushed)
		return keep_error(cudaErrorMissingConfiguration);
	npushed--;
	*grid = pushed[npushed].grid;
	*block = pushed[npushed].block;
	*shared_bytes = pushed[npushed].shared_bytes;
	memcpy(stream, &pushed[npushed].stream, sizeof(void *));
	return cudaSuccess;
}

/* ---- launches ---- */

bool gather(const struct wb_prepared *k, const struct values *v, uint8_t *bytes)
{
	const struct wb_prepared_info *info = wb_prepared_info(k);
	void **arguments = v->each;

	memset(bytes, 0, info->param_bytes);
	if (v->whole) {
		memcpy(bytes, v->whole, v->bytes < info->param_bytes ? v->bytes : info->param_bytes);
		return true;
	}
	for (unsigned i = 0; i < info->nparams; i++) {
		const struct wb_parameter *p = wb_prepared_parameter(k, i);
		if (!arguments || !arguments[i] || (uint64_t)p->offset + p->size > info->param_bytes)
			return false;
		memcpy(bytes + p->offset, arguments[i], p->size);
	}
	return true;
}

static bool is_size(const struct runtime *r, dim3 grid, dim3 block)
{
	uint64_t threads = (uint64_t)block.x * block.y * block.z;

	return grid.x && grid.y && grid.z && threads && threads <= r->max_threads && grid.x <= r->max_grid[0] &&
	       grid.y <= r->max_grid[1] && grid.z <= r->max_grid[2];
}

static cudaError_t run(struct runtime *r, struct function *f, struct program_launch *request,
		       const struct values *values, cudaStream_t stream)
{
	const struct wb_prepared *k = program_prepared(f->kernel);
	size_t n = wb_prepared_info(k)->param_bytes;
	uint8_t *bytes = malloc(n + 1);
	struct program_result result;
	cudaError_t e;

	if (!bytes)
		return cudaErrorMemoryAllocation;
	e = gather(k, values, bytes) ? copy_managed(r, stream, true) : cudaErrorInvalidValue;
	if (e == cudaSuccess)
		e = write_textures(r, f);
	if (e == cudaSuccess) {
		request->params = bytes;
		request->param_bytes = n;
		program_launch(r->program, request, &result);
		r->now += result.nanoseconds;
		e = error_of(r, result.status, NULL, NULL);
		if (result.trapped)
			e = result.asserted ? cudaErrorAssert : cudaErrorLaunchFailure;
		if (result.status == WB_USAGE)
			e = cudaErrorLaunchOutOfResources;
		else if (e == cudaSuccess)
			e = copy_managed(r, stream, false);
		else
			r->sticky = e;
	}
	free(bytes);
	return e;
}

cudaError_t launch(struct function *f, dim3 grid, dim3 block, const struct values *values, size_t shared_bytes,
		   cudaStream_t stream, const char *call)
{
	cudaError_t e;
	struct runtime *r;

	MAY_CAPTURE(stream, capture_kernel(stream, f, grid, block, values, shared_bytes, false));
	r = begin(&e);
	if (!r)
		return keep_error(e);
	struct program_launch request = {
		.device = r->device, .call = call, .number = ++r->launches,
		.size = { { grid.x, grid.y, grid.z }, { block.x, block.y, block.z }, .shared_bytes =
			  shared_bytes <= UINT32_MAX ? (uint32_t)shared_bytes : UINT32_MAX },
	};
	if (e == cudaSuccess && !f)
		e = cudaErrorInvalidDeviceFunction;
	if (e == cudaSuccess && !is_stream(stream))
		e = cudaErrorInvalidResourceHandle;
	if (e == cudaSuccess && !is_size(r, grid, block)) {
		program_say(r->program, "%s of %s: a grid of %u,%u,%u blocks of %u,%u,%u threads is beyond %s's limits "
			    "(a block has at most %u threads there, a grid %u,%u,%u blocks)", call, f->name, grid.x,
			    grid.y, grid.z, block.x, block.y, block.z, r->chip, (unsigned)r->max_threads,
			    (unsigned)r->max_grid[0], (unsigned)r->max_grid[1], (unsigned)r->max_grid[2]);
		e = cudaErrorInvalidConfiguration;
	}
	if (e == cudaSuccess)
		e = prepare_function(r, f);
	if (e == cudaSuccess) {
		request.kernel = f->kernel;
		e = run(r, f, &request, values, stream);
	}
	return end(r, e);
}

cudaError_t RT(LaunchKernel)(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
			     cudaStream_t stream)
{
	return launch(find_function(NULL, host), grid, block, &(struct values){ .each = arguments },
		      shared_bytes, stream, RT_NAME(LaunchKernel));
}

/* All blocks must be there at once for a meeting of the grid. */
cudaError_t launch_together(struct function *f, dim3 grid, dim3 block, const struct values *values,
			    size_t shared_bytes, cudaStream_t stream, const char *call)
{
	const void *host = f ? f->host : NULL;
	uint64_t threads = (uint64_t)block.x * block.y * block.z;
	int blocks = 0;
	struct runtime *r;
	cudaError_t e;

	MAY_CAPTURE(stream, capture_kernel(stream, f, grid, block, values, shared_bytes, true));
	if (threads && threads <= INT32_MAX)
		e = RT(OccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, host, (int)threads, shared_bytes);
	else
		e = cudaErrorInvalidConfiguration;
	if (e != cudaSuccess)
		return keep_error(e);
	r = begin(&e);
	if (!r)
		return keep_error(e);
	if ((uint64_t)grid.x * grid.y * grid.z > (uint64_t)blocks * chip_fact(r, "multiprocessors"))
		return end(r, cudaErrorCooperativeLaunchTooLarge);
	end(r, cudaSuccess);
	return launch(f, grid, block, values, shared_bytes, stream, call);
}

cudaError_t RT(LaunchCooperativeKernel)(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
					cudaStream_t stream)
{
	return launch_together(find_function(NULL, host), grid, block, &(struct values){ .each = arguments },
			       shared_bytes, stream, RT_NAME(LaunchCooperativeKernel));
}

bool read_extra(void **extra, struct values *v)
{
	for (; (uintptr_t)*extra != EXTRA_END; extra += 2)
		if ((uintptr_t)*extra == 1)
			v->whole = extra[1];
		else if ((uintptr_t)*extra == 2 && extra[1])
			v->bytes = *(const size_t *)extra[1];
		else
			return false;
	return v->whole;
}

cudaError_t RT_HIDDEN(GetKernel)(void **kernel, const void *host)
{
	*kernel = find_function(NULL, host);
	return keep_error(*kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t RT_HIDDEN(LaunchKernel)(void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
			       cudaStream_t stream)
{
	return launch(kernel, grid, block, &(struct values){ .each = arguments },
		      shared_bytes, stream, RT_NAME(LaunchKernel));
}

cudaError_t RT_HIDDEN(LaunchKernel_ptsz)(void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
				    cudaStream_t stream)
{
	return launch(kernel, grid, block, &(struct values){ .each = arguments },
		      shared_bytes, stream, RT_NAME(LaunchKernel));
}

/* ---- facts about a kernel ---- */

/* Begin a call about a kernel, which is prepared. NULL: *e says why. */
static struct runtime *begin_kernel(const void *host, struct function **f, cudaError_t *e)
{
	struct runtime *r = begin(e);

	*f = find_function(NULL, host);
	if (!r) {
		keep_error(*e);
		return NULL;
	}
	if (*e == cudaSuccess)
		*e = *f ? prepare_function(r, *f) : cudaErrorInvalidDeviceFunction;
	if (*e == cudaSuccess)
		return r;
	end(r, *e);
	return NULL;
}

cudaError_t RT(FuncGetAttributes)(struct RT(FuncAttributes) *a, const void *host)
{
	struct function *f;
	cudaError_t e;
	struct runtime *r;

	if (!a)
		return keep_error(cudaErrorInvalidValue);
	r = begin_kernel(host, &f, &e);
	if (!r)
		return e;
	const struct wb_prepared_info *info = wb_prepared_info(program_prepared(f->kernel));
	a->sharedSizeBytes = info->shared_bytes;
	a->constSizeBytes = 0;
	a->localSizeBytes = info->local_bytes;
	a->maxThreadsPerBlock = (int)info->max_threads;
	a->numRegs = (int)info->registers;
	/* Sizes of blocks in libraries depend on the number, on the host as in the kernel. */
	a->ptxVersion = (int)(info->ptx_target ? info->ptx_target : chip_fact(r, "told_capability"));
	a->binaryVersion = a->ptxVersion;
	a->cacheModeCA = 0;
	a->maxDynamicSharedSizeBytes = (int)(chip_fact(r, "shared_bytes") - info->shared_bytes);
	a->preferredShmemCarveout = -1;
	return end(r, cudaSuccess);
}

cudaError_t RT(FuncSetAttribute)(const void *host, enum cudaFuncAttribute attribute, int value)
{
	struct function *f;
	cudaError_t e;
	struct runtime *r = begin_kernel(host, &f, &e);
	int64_t most;

	if (!r)
		return e;
	most = (int64_t)chip_fact(r, "shared_bytes") - wb_prepared_info(program_prepared(f->kernel))->shared_bytes;
	if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize && (value < 0 || value > most))
		e = cudaErrorInvalidValue;
	return end(r, e);
}

cudaError_t RT(FuncSetCacheConfig)(const void *host, enum cudaFuncCache config)
{
	(void)config;
	return keep_error(find_function(NULL, host) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t RT(FuncSetSharedMemConfig)(const void *host, enum cudaSharedMemConfig config)
{
	(void)config;
	return keep_error(find_function(NULL, host) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t RT(OccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks, const void *host, int threads,
							  size_t shared_bytes)
{
	struct wb_occupancy o;
	struct wb_diag d;
	struct function *f;
	cudaError_t e;
	struct runtime *r;

	if (!blocks || threads <= 0)
		return keep_error(cudaErrorInvalidValue);
	r = begin_kernel(host, &f, &e);
	if (!r)
		return e;
	const struct wb_prepared_info *info = wb_prepared_info(program_prepared(f->kernel));
	struct wb_block_needs needs = { (uint32_t)threads, info->registers, 0,
					info->shared_bytes + (uint32_t)shared_bytes };
	*blocks = wb_occupancy(r->chip, &needs, NULL, &o, &d) == WB_OK ? (int)o.blocks : 0;
	return end(r, cudaSuccess);
}

cudaError_t RT(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(int *blocks, const void *host, int threads,
								   size_t shared_bytes, unsigned flags)
{
	(void)flags;
	return RT(OccupancyMaxActiveBlocksPerMultiprocessor)(blocks, host, threads, shared_bytes);
}
