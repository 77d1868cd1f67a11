/* Properties and attributes of the device: the chip's facts, in the layout of ROCm 5. */
#include <stdio.h>
#include <string.h>

#include "frontends/runtime/runtime.h"

CALL cudaError_t hipInit(unsigned flags);
CALL cudaError_t hipGetDeviceProperties(struct hipDeviceProp_t *p, int device);
CALL cudaError_t hipDeviceGetAttribute(int *value, int which, int device);
CALL cudaError_t hipChooseDevice(int *device, const void *prop);
CALL cudaError_t hipDeviceGet(int *device, int ordinal);
CALL cudaError_t hipDeviceGetName(char *name, int bytes, int device);
CALL cudaError_t hipDeviceTotalMem(size_t *bytes, int device);
CALL cudaError_t hipDeviceComputeCapability(int *major, int *minor, int device);
CALL cudaError_t hipPointerGetAttributes(struct hipPointerAttribute_t *a, const void *p);
CALL cudaError_t hipGetDeviceCount(int *count);
CALL cudaError_t hipGetDevice(int *device);

/* The number of a chip's target, "gfx900": major version of capability, minor, stepping. */
static const struct { const char *chip, *target; int number; } targets[] = {
	{ "tahiti", "gfx600", 600 }, { "bonaire", "gfx704", 704 }, { "tonga", "gfx802", 802 },
	{ "gfx900", "gfx900", 900 },
};

static const char *target_of(const char *chip, int *number)
{
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (!strcmp(targets[i].chip, chip)) {
			*number = targets[i].number;
			return targets[i].target;
		}
	*number = 0;
	return chip;
}

static void three_facts(const struct runtime *r, const char *prefix, int to[3])
{
	for (int i = 0; i < 3; i++) {
		char key[32];
		snprintf(key, sizeof key, "%s_%c", prefix, 'x' + i);
		to[i] = int_fact(r, key);
	}
}

static void fill(const struct runtime *r, struct hipDeviceProp_t *p)
{
	*p = (struct hipDeviceProp_t){
		.totalGlobalMem = (size_t)chip_fact(r, "memory"),
		.sharedMemPerBlock = (size_t)chip_fact(r, "shared_bytes"),
		.maxSharedMemoryPerMultiProcessor = (size_t)chip_fact(r, "shared_bytes"),
		.regsPerBlock = int_fact(r, "registers"), .warpSize = int_fact(r, "warp_lanes"),
		.maxThreadsPerBlock = int_fact(r, "max_threads"), .clockRate = int_fact(r, "clock"),
		.clockInstructionRate = int_fact(r, "clock"), .totalConstMem = (size_t)chip_fact(r, "constant_bytes"),
		.multiProcessorCount = int_fact(r, "multiprocessors"),
		.maxThreadsPerMultiProcessor = int_fact(r, "warps") * int_fact(r, "warp_lanes"), .memPitch = INT32_MAX,
		.textureAlignment = 256, .texturePitchAlignment = 256, .canMapHostMemory = 1, .managedMemory = 1,
		.arch = { .hasGlobalInt32Atomics = 1, .hasGlobalFloatAtomicExch = 1, .hasSharedInt32Atomics = 1,
			  .hasSharedFloatAtomicExch = 1, .hasFloatAtomicAdd = 1, .hasGlobalInt64Atomics = 1,
			  .hasSharedInt64Atomics = 1, .hasDoubles = 1, .hasWarpVote = 1, .hasWarpBallot = 1,
			  .hasWarpShuffle = 1, .hasThreadFenceSystem = 1, .has3dGrid = 1 },
	};
	board_name(r, p->name);
	three_facts(r, "max_block", p->maxThreadsDim);
	three_facts(r, "max_grid", p->maxGridSize);
	snprintf(p->gcnArchName, sizeof p->gcnArchName, "%s", target_of(r->chip, &p->gcnArch));
	p->major = p->gcnArch / 100;
	p->minor = p->gcnArch / 10 % 10;
}

/* Begin a call about the device. NULL: *e says why. */
static struct runtime *begin_device(const void *to, int device, cudaError_t *e)
{
	struct runtime *r;

	if (!to || device) {
		*e = keep_error(to ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
		return NULL;
	}
	r = begin(e);
	if (!r)
		keep_error(*e);
	return r;
}

cudaError_t hipGetDeviceProperties(struct hipDeviceProp_t *p, int device)
{
	cudaError_t e;
	struct runtime *r = begin_device(p, device, &e);

	if (!r)
		return e;
	fill(r, p);
	return end(r, e);
}

static int attribute(const struct hipDeviceProp_t *p, const struct runtime *r, int which)
{
	switch (which) {
	case hipDeviceAttributeAsyncEngineCount:
	case hipDeviceAttributeCanMapHostMemory:
	case hipDeviceAttributeManagedMemory:
	case hipDeviceAttributeUnifiedAddressing: return 1;
	case hipDeviceAttributeClockRate: return p->clockRate;
	case hipDeviceAttributeComputeCapabilityMajor: return p->major;
	case hipDeviceAttributeComputeCapabilityMinor: return p->minor;
	case hipDeviceAttributeMaxBlocksPerMultiProcessor: return int_fact(r, "blocks");
	case hipDeviceAttributeMaxBlockDimX: return p->maxThreadsDim[0];
	case hipDeviceAttributeMaxBlockDimY: return p->maxThreadsDim[1];
	case hipDeviceAttributeMaxBlockDimZ: return p->maxThreadsDim[2];
	case hipDeviceAttributeMaxGridDimX: return p->maxGridSize[0];
	case hipDeviceAttributeMaxGridDimY: return p->maxGridSize[1];
	case hipDeviceAttributeMaxGridDimZ: return p->maxGridSize[2];
	case hipDeviceAttributeMaxThreadsPerBlock: return p->maxThreadsPerBlock;
	case hipDeviceAttributeMaxThreadsPerMultiProcessor: return p->maxThreadsPerMultiProcessor;
	case hipDeviceAttributeMaxPitch: return INT32_MAX;
	case hipDeviceAttributeMultiprocessorCount:
	case hipDeviceAttributePhysicalMultiProcessorCount: return p->multiProcessorCount;
	case hipDeviceAttributeMaxRegistersPerBlock:
	case hipDeviceAttributeMaxRegistersPerMultiprocessor: return p->regsPerBlock;
	case hipDeviceAttributeMaxSharedMemoryPerBlock:
	case hipDeviceAttributeSharedMemPerBlockOptin:
	case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
	case hipDeviceAttributeSharedMemPerMultiprocessor: return (int)p->sharedMemPerBlock;
	case hipDeviceAttributeTextureAlignment: return (int)p->textureAlignment;
	case hipDeviceAttributeTotalConstantMemory: return (int)p->totalConstMem;
	case hipDeviceAttributeTotalGlobalMem:
		return p->totalGlobalMem > INT32_MAX ? INT32_MAX : (int)p->totalGlobalMem;
	case hipDeviceAttributeWarpSize: return p->warpSize;
	default: return 0;
	}
}

cudaError_t hipDeviceGetAttribute(int *value, int which, int device)
{
	struct hipDeviceProp_t p;
	cudaError_t e;
	struct runtime *r = begin_device(value, device, &e);

	if (!r)
		return e;
	fill(r, &p);
	*value = attribute(&p, r, which);
	return end(r, e);
}

cudaError_t hipInit(unsigned flags)
{
	int count;

	return flags ? keep_error(cudaErrorInvalidValue) : hipGetDeviceCount(&count);
}

cudaError_t hipChooseDevice(int *device, const void *prop) { return (void)prop, hipGetDevice(device); }

cudaError_t hipDeviceGet(int *device, int ordinal)
{
	if (!device || ordinal)
		return keep_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	*device = 0;
	return cudaSuccess;
}

cudaError_t hipDeviceGetName(char *name, int bytes, int device)
{
	struct hipDeviceProp_t p;
	cudaError_t e = name && bytes > 0 ? hipGetDeviceProperties(&p, device) : keep_error(cudaErrorInvalidValue);

	if (e == cudaSuccess)
		snprintf(name, (size_t)bytes, "%s", p.name);
	return e;
}

cudaError_t hipDeviceTotalMem(size_t *bytes, int device)
{
	struct hipDeviceProp_t p;
	cudaError_t e = bytes ? hipGetDeviceProperties(&p, device) : keep_error(cudaErrorInvalidValue);

	if (e == cudaSuccess)
		*bytes = p.totalGlobalMem;
	return e;
}

cudaError_t hipDeviceComputeCapability(int *major, int *minor, int device)
{
	struct hipDeviceProp_t p;
	cudaError_t e = major && minor ? hipGetDeviceProperties(&p, device) : keep_error(cudaErrorInvalidValue);

	if (e != cudaSuccess)
		return e;
	*major = p.major;
	*minor = p.minor;
	return e;
}

/* ---- pointers ---- */

/* HIP has no word for memory of the host that the runtime has not made. */
static cudaError_t attributes_of(struct runtime *r, struct hipPointerAttribute_t *a, const void *p)
{
	bool managed = find_managed(r, p, 1);

	if (!managed && !is_device(r, p, 1))
		return cudaErrorInvalidValue;
	*a = (struct hipPointerAttribute_t){
		.memoryType = managed ? hipMemoryTypeHost : hipMemoryTypeDevice, .isManaged = managed,
		.devicePointer = (void *)(uintptr_t)p, .hostPointer = managed ? (void *)(uintptr_t)p : NULL,
	};
	return cudaSuccess;
}

cudaError_t hipPointerGetAttributes(struct hipPointerAttribute_t *a, const void *p)
{
	cudaError_t e;
	struct runtime *r = begin_device(a, 0, &e);

	if (!r)
		return e;
	return end(r, e == cudaSuccess ? attributes_of(r, a, p) : e);
}
