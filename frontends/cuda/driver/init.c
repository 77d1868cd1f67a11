/* The driver itself, its errors, and the one device. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "frontends/cuda/driver/driver.h"

cudaError_t cudaDeviceGetAttribute(int *value, int which, int device);

static atomic_bool initialized;

bool is_initialized(void)
{
	return initialized || warpbeam_runtime_shared()->by_runtime;
}

/* Numbers below 1000 are the driver's, too, but for those of the runtime's own matters. */
CUresult result(cudaError_t e)
{
	switch (e) {
	case cudaErrorInvalidConfiguration:
	case cudaErrorInvalidPitchValue:
	case cudaErrorInvalidHostPointer:
	case cudaErrorInvalidDevicePointer:
	case cudaErrorInvalidMemcpyDirection:
	case cudaErrorInvalidChannelDescriptor:
	case cudaErrorInvalidFilterSetting:
	case cudaErrorInvalidNormSetting:
	case cudaErrorInvalidTexture:
	case cudaErrorInvalidSurface: return CUDA_ERROR_INVALID_VALUE;
	case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
	case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
	default: return (CUresult)e;
	}
}

CALL CUresult cuInit(unsigned flags)
{
	cudaError_t e;
	struct runtime *r;

	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	r = begin(&e);
	if (!r)
		return result(e);
	initialized = true;
	end(r, cudaSuccess);
	return CUDA_SUCCESS;
}

CALL CUresult cuDriverGetVersion(int *version)
{
	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	*version = DRIVER_VERSION;
	return CUDA_SUCCESS;
}

/* ---- errors ---- */

static const struct { CUresult error; const char *name, *text; } errors[] = {
#define DRIVER_ERROR(name, number, text) { name, #name, text },
#include "include/warpbeam/cuda/driver_errors.def"
};

static CUresult find_error(CUresult error, const char **to, bool name)
{
	if (!to)
		return CUDA_ERROR_INVALID_VALUE;
	*to = NULL;
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].error == error)
			*to = name ? errors[i].name : errors[i].text;
	return *to ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CALL CUresult cuGetErrorName(CUresult error, const char **name) { return find_error(error, name, true); }
CALL CUresult cuGetErrorString(CUresult error, const char **text) { return find_error(error, text, false); }

/* ---- the device ---- */

/* What is wrong with a call about a device. */
static CUresult check_device(const void *to, CUdevice device)
{
	if (!is_initialized())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (!to)
		return CUDA_ERROR_INVALID_VALUE;
	return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CALL CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	CUresult e = check_device(device, ordinal);

	if (e == CUDA_SUCCESS)
		*device = 0;
	return e;
}

CALL CUresult cuDeviceGetCount(int *count)
{
	CUresult e = check_device(count, 0);

	if (e == CUDA_SUCCESS)
		*count = 1;
	return e;
}

/* A text of the runtime's, cut to the caller's bytes. */
static CUresult answer_text(char *to, int bytes, CUdevice device, void (*make)(const struct runtime *r, char text[256]))
{
	CUresult wrong = check_device(to, device);
	char text[256];
	cudaError_t e;
	struct runtime *r;

	if (wrong != CUDA_SUCCESS || bytes < 1)
		return wrong != CUDA_SUCCESS ? wrong : CUDA_ERROR_INVALID_VALUE;
	r = begin(&e);
	if (!r)
		return result(e);
	make(r, text);
	end(r, cudaSuccess);
	snprintf(to, (size_t)bytes, "%s", text);
	return CUDA_SUCCESS;
}

static void bus_name(const struct runtime *r, char text[256])
{
	(void)r;
	strcpy(text, "0000:00:00.0");
}

CALL CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
	return answer_text(name, bytes, device, board_name);
}

CALL CUresult cuDeviceGetPCIBusId(char *text, int bytes, CUdevice device)
{
	return answer_text(text, bytes, device, bus_name);
}

CALL CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text)
{
	char name[256];
	CUresult e = check_device(text ? device : NULL, 0);

	if (e != CUDA_SUCCESS)
		return e;
	bus_name(NULL, name);
	if (strcmp(text, name))
		return CUDA_ERROR_INVALID_DEVICE;
	*device = 0;
	return CUDA_SUCCESS;
}

/* "Warpbeam", and the chip's name: the same on every host. */
static void make_uuid(const struct runtime *r, char text[256])
{
	memset(text, 0, 256);
	snprintf(text, 256, "Warpbeam%.8s", r->chip);
}

CALL CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
	char text[256];
	CUresult e = answer_text(uuid ? text : NULL, sizeof text, device, make_uuid);

	if (e == CUDA_SUCCESS) {
		memset(uuid, 0, sizeof *uuid);
		memcpy(uuid->bytes, text, strlen(text));
	}
	return e;
}
SAME(cuDeviceGetUuid_v2, cuDeviceGetUuid);

CALL CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	CUresult e = check_device(value, device);

	if (e == CUDA_SUCCESS && (int)attribute < 1)
		e = CUDA_ERROR_INVALID_VALUE;
	return e == CUDA_SUCCESS ? result(cudaDeviceGetAttribute(value, (int)attribute, device)) : e;
}

CALL CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
	CUresult e = cuDeviceGetAttribute(minor ? major : NULL, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);

	return e == CUDA_SUCCESS
		? cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) : e;
}

CALL CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
	CUresult wrong = check_device(bytes, device);
	cudaError_t e;
	struct runtime *r = wrong == CUDA_SUCCESS ? begin(&e) : NULL;

	if (!r)
		return wrong != CUDA_SUCCESS ? wrong : result(e);
	*bytes = (size_t)chip_fact(r, "memory");
	end(r, cudaSuccess);
	return CUDA_SUCCESS;
}

CALL CUresult cuDeviceGetProperties(CUdevprop *p, CUdevice device)
{
	CUresult wrong = check_device(p, device);
	cudaError_t e;
	struct runtime *r = wrong == CUDA_SUCCESS ? begin(&e) : NULL;

	if (!r)
		return wrong != CUDA_SUCCESS ? wrong : result(e);
	*p = (CUdevprop){
		.maxThreadsPerBlock = int_fact(r, "max_threads"),
		.maxThreadsDim = { int_fact(r, "max_block_x"), int_fact(r, "max_block_y"), int_fact(r, "max_block_z") },
		.maxGridSize = { int_fact(r, "max_grid_x"), int_fact(r, "max_grid_y"), int_fact(r, "max_grid_z") },
		.sharedMemPerBlock = int_fact(r, "shared_bytes"),
		.totalConstantMemory = int_fact(r, "constant_bytes"), .SIMDWidth = int_fact(r, "warp_lanes"),
		.memPitch = INT32_MAX, .regsPerBlock = int_fact(r, "registers"), .clockRate = int_fact(r, "clock"),
		.textureAlign = 256,
	};
	end(r, cudaSuccess);
	return CUDA_SUCCESS;
}

CALL CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
	CUresult e = check_device(can, device | peer);

	if (e == CUDA_SUCCESS)
		*can = 0;
	return e;
}

CALL CUresult cuProfilerStart(void) { return ready(); }
CALL CUresult cuProfilerStop(void) { return ready(); }
