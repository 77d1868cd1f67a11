/* The device: one, the chip of WARPBEAM_CHIP, and the calls about it that need no layout of a version. */
#include <stdio.h>
#include <string.h>

#include "frontends/runtime/runtime.h"

uint64_t chip_fact(const struct runtime *r, const char *key)
{
	struct wb_chip_fact f;
	struct wb_diag d;

	return wb_chip_find_fact(r->chip, key, &f, &d) == WB_OK ? f.number : 0;
}

int int_fact(const struct runtime *r, const char *key)
{
	uint64_t v = chip_fact(r, key);

	return v > INT32_MAX ? INT32_MAX : (int)v;
}

void board_name(const struct runtime *r, char name[256])
{
	struct wb_chip_fact f;
	struct wb_diag d;
	bool found = wb_chip_find_fact(r->chip, "board", &f, &d) == WB_OK && *f.text;

	snprintf(name, 256, "Warpbeam %s (%s)", r->chip, found ? f.text : "no board");
}

CALL cudaError_t RT(GetDeviceCount)(int *count);
CALL cudaError_t RT(GetDevice)(int *device);
CALL cudaError_t RT(SetDevice)(int device);
CALL cudaError_t RT(SetDeviceFlags)(unsigned flags);
CALL cudaError_t RT(GetDeviceFlags)(unsigned *flags);
CALL cudaError_t RT(DeviceReset)(void);
CALL cudaError_t RT(DeviceSynchronize)(void);
CALL cudaError_t RT(DeviceSetCacheConfig)(int config);
CALL cudaError_t RT(DeviceSetSharedMemConfig)(int config);
CALL cudaError_t RT(DeviceGetPCIBusId)(char *text, int bytes, int device);
CALL cudaError_t RT(DeviceCanAccessPeer)(int *can, int device, int peer);
CALL cudaError_t RT(DeviceEnablePeerAccess)(int peer, unsigned flags);
CALL cudaError_t RT(DeviceDisablePeerAccess)(int peer);
CALL cudaError_t RT(DeviceGetP2PAttribute)(int *value, int attribute, int device, int peer);
CALL cudaError_t RT(DeviceDisablePeerAccess)(int peer) { return (void)peer, keep_error(cudaErrorInvalidDevice); }

/* A device is no peer of its own, and another is not here. */
cudaError_t RT(DeviceGetP2PAttribute)(int *value, int attribute, int device, int peer)
{
	(void)attribute, (void)device, (void)peer;
	return keep_error(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}

CALL cudaError_t RT(DeviceGetStreamPriorityRange)(int *least, int *greatest);
CALL cudaError_t RT(DriverGetVersion)(int *version);
CALL cudaError_t RT(RuntimeGetVersion)(int *version);
CALL cudaError_t RT(ProfilerStart)(void);
CALL cudaError_t RT(ProfilerStop)(void);

/* An answer where a pointer was given. */
static cudaError_t answer(int *to, int value)
{
	if (!to)
		return keep_error(cudaErrorInvalidValue);
	*to = value;
	return cudaSuccess;
}

cudaError_t RT(GetDeviceCount)(int *count)
{
	cudaError_t e;
	struct runtime *r = begin(&e);

	if (count)
		*count = r != NULL;
	if (!r)
		return keep_error(e);
	return end(r, count ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t RT(DeviceSynchronize)(void)
{
	cudaError_t e;
	struct runtime *r;

	if (breaks_capture(NULL, true, &e))
		return keep_error(e);
	r = begin(&e);
	return r ? end(r, e) : keep_error(e);
}

cudaError_t RT(DeviceReset)(void) { return RT(DeviceSynchronize)(); }
cudaError_t RT(GetDevice)(int *device) { return answer(device, 0); }
cudaError_t RT(SetDevice)(int device) { return keep_error(device ? cudaErrorInvalidDevice : cudaSuccess); }
cudaError_t RT(SetDeviceFlags)(unsigned flags) { return (void)flags, cudaSuccess; }
cudaError_t RT(GetDeviceFlags)(unsigned *flags) { return answer((int *)flags, 0); }
cudaError_t RT(DeviceSetCacheConfig)(int config) { return (void)config, cudaSuccess; }
cudaError_t RT(DeviceSetSharedMemConfig)(int config) { return (void)config, cudaSuccess; }
cudaError_t RT(DriverGetVersion)(int *version) { return answer(version, RT_VERSION); }
cudaError_t RT(RuntimeGetVersion)(int *version) { return answer(version, RT_VERSION); }
cudaError_t RT(ProfilerStart)(void) { return cudaSuccess; }
cudaError_t RT(ProfilerStop)(void) { return cudaSuccess; }

cudaError_t RT(DeviceGetPCIBusId)(char *text, int bytes, int device)
{
	if (!text || bytes < 1 || device)
		return keep_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	snprintf(text, (size_t)bytes, "0000:00:00.0");
	return cudaSuccess;
}

cudaError_t RT(DeviceCanAccessPeer)(int *can, int device, int peer)
{
	(void)device, (void)peer;
	return answer(can, 0);
}

cudaError_t RT(DeviceEnablePeerAccess)(int peer, unsigned flags)
{
	(void)peer, (void)flags;
	return keep_error(cudaErrorInvalidDevice);
}

cudaError_t RT(DeviceGetStreamPriorityRange)(int *least, int *greatest)
{
	cudaError_t e = least ? answer(least, 0) : cudaSuccess;

	return e == cudaSuccess && greatest ? answer(greatest, 0) : e;
}
