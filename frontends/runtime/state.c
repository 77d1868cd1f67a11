/* The use of the process's state, and errors. */
#include <stdlib.h>

#include "frontends/runtime/runtime.h"

#ifdef CUDA_DRIVER
enum { BY_RUNTIME = 0 };
#else
enum { BY_RUNTIME = 1 };
#endif
static _Thread_local cudaError_t latest;

static bool make_device(struct runtime *r)
{
	struct wb_diag d;

	r->program = warpbeam_runtime_shared()->open(INTERFACE);
	if (!r->program)
		return false;
	r->chip = program_chip(r->program, DEFAULT_CHIP);
	r->config = program_config(r->program, r->chip, &d);
	r->max_threads = chip_fact(r, "max_threads");
	r->max_grid[0] = chip_fact(r, "max_grid_x");
	r->max_grid[1] = chip_fact(r, "max_grid_y");
	r->max_grid[2] = chip_fact(r, "max_grid_z");
	if (r->config && wb_device_new(r->config, &r->device, &d) == WB_OK)
		return true;
	program_say_diag(r->program, "the device", &d);
	return false;
}

struct runtime *begin(cudaError_t *e)
{
	struct shared *s = warpbeam_runtime_shared();
	struct runtime *r = &s->runtime;

	pthread_mutex_lock(&s->lock);
	if (!s->open)
		s->open = program_open;
	if (r->program && !s->open(INTERFACE)) {   /* a child, forked after the first call */
		pthread_mutex_unlock(&s->lock);
		*e = cudaErrorInitializationError;
		return NULL;
	}
	if (!r->device && !make_device(r)) {
		pthread_mutex_unlock(&s->lock);
		*e = cudaErrorNoDevice;
		return NULL;
	}
	s->by_runtime |= BY_RUNTIME;
	*e = r->sticky;
	return r;
}

cudaError_t keep_error(cudaError_t e)
{
	if (e != cudaSuccess && e != cudaErrorNotReady)
		latest = e;
	return e;
}

cudaError_t end(struct runtime *r, cudaError_t e)
{
	(void)r;
	pthread_mutex_unlock(&warpbeam_runtime_shared()->lock);
	return keep_error(e);
}

cudaError_t error_of(struct runtime *r, enum wb_status s, const char *what, const struct wb_diag *d)
{
	if (s != WB_OK && what)
		program_say_diag(r->program, what, d);
	switch (s) {
	case WB_OK: return cudaSuccess;
	case WB_USAGE: return cudaErrorInvalidValue;
	case WB_ENV: return cudaErrorMemoryAllocation;
	case WB_INPUT: return cudaErrorInvalidPtx;
	case WB_FAULT: return cudaErrorIllegalAddress;
	case WB_LIMIT:
	case WB_HANG: return cudaErrorLaunchTimeout;
	default: return cudaErrorUnknown;
	}
}

/* ---- errors ---- */

static const struct { cudaError_t error; const char *name, *text; } errors[] = {
#ifdef RUNTIME_HIP
#define HIP_ERROR(name, number, text) { (cudaError_t)name, #name, text },
#include "include/warpbeam/hip/hip/hip_errors.def"
#else
#define CUDA_ERROR(name, number, text) { name, #name, text },
#include "include/warpbeam/cuda/errors.def"
#endif
};

CALL const char *RT(GetErrorName)(cudaError_t e);
CALL const char *RT(GetErrorString)(cudaError_t e);
CALL cudaError_t RT(GetLastError)(void);
CALL cudaError_t RT(PeekAtLastError)(void);

const char *RT(GetErrorName)(cudaError_t e)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].error == e)
			return errors[i].name;
	return "unrecognized error code";
}

const char *RT(GetErrorString)(cudaError_t e)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].error == e)
			return errors[i].text;
	return "unrecognized error code";
}

cudaError_t RT(GetLastError)(void)
{
	cudaError_t e = latest;

	latest = warpbeam_runtime_shared()->runtime.sticky;
	return e != cudaSuccess ? e : latest;
}

cudaError_t RT(PeekAtLastError)(void)
{
	return latest != cudaSuccess ? latest : warpbeam_runtime_shared()->runtime.sticky;
}
