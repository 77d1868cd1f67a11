/* The state of the process, its lock, and errors. */
#include <pthread.h>
#include <stdlib.h>

#include "frontends/runtime/runtime.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct runtime state;
static _Thread_local cudaError_t latest;

static bool make_device(struct runtime *r)
{
	struct wb_diag d;

	r->program = program_open(INTERFACE);
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
	pthread_mutex_lock(&lock);
	if (state.program && !program_open(INTERFACE)) {   /* a child, forked after the first call */
		pthread_mutex_unlock(&lock);
		*e = cudaErrorInitializationError;
		return NULL;
	}
	if (!state.device && !make_device(&state)) {
		pthread_mutex_unlock(&lock);
		*e = cudaErrorNoDevice;
		return NULL;
	}
	*e = state.sticky;
	return &state;
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
	pthread_mutex_unlock(&lock);
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

	latest = state.sticky;
	return e != cudaSuccess ? e : state.sticky;
}

cudaError_t RT(PeekAtLastError)(void)
{
	return latest != cudaSuccess ? latest : state.sticky;
}
