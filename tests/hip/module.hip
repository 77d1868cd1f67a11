// Modules by name, managed memory, pinned memory and wrong handles: "0 wrong answers".   module CODE_OBJECT
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstring>

__managed__ int shared_count = 5;
__global__ void count(int *p) { atomicAdd(&shared_count, 1); p[threadIdx.x] += 2; }

static int bad;

static void want(const char *what, hipError_t found, hipError_t expected)
{
	if (found == expected)
		return;
	printf("%s: found %s, expected %s\n", what, hipGetErrorName(found), hipGetErrorName(expected));
	bad++;
}
#define WANT(call, error) want(#call, call, error)

int main(int argc, char **argv)
{
	hipModule_t m, stale;
	hipFunction_t f;
	hipDeviceptr_t global;
	hipDeviceProp_t prop;
	hipPointerAttribute_t where;
	size_t bytes = 0;
	int *p, *pinned, h[64];

	WANT(hipInit(0), hipSuccess);
	WANT(hipGetDeviceProperties(&prop, 0), hipSuccess);
	bad += prop.warpSize != 64 || strcmp(prop.gcnArchName, "gfx900") || prop.major != 9;
	WANT(hipModuleLoad(&m, "/nonexistent"), hipErrorFileNotFound);
	WANT(hipModuleLoad(&m, argv[0]), hipSuccess);           /* the program is a file with code, too */
	WANT(hipModuleUnload(m), hipSuccess);
	WANT(hipModuleLoad(&m, argv[1]), hipSuccess);
	WANT(hipModuleGetFunction(&f, m, "missing"), hipErrorNotFound);
	WANT(hipModuleGetFunction(&f, m, "scale"), hipSuccess);
	WANT(hipModuleGetGlobal(&global, &bytes, m, "factor"), hipSuccess);
	bad += bytes != sizeof(int);
	WANT(hipMemsetD32(global, 7, 1), hipSuccess);
	WANT(hipMalloc(&p, sizeof h), hipSuccess);
	WANT(hipMemsetD32(p, 3, 64), hipSuccess);
	WANT(hipMemsetD32(p, 3, 65), hipErrorInvalidValue);
	int n = 64;
	void *each[] = { &p, &n };
	WANT(hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, each, nullptr), hipSuccess);
	struct { int *p; int n; } whole = { p, 32 };
	size_t size = sizeof whole;
	void *extra[] = { HIP_LAUNCH_PARAM_BUFFER_POINTER, &whole, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
			  HIP_LAUNCH_PARAM_END };
	WANT(hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra), hipSuccess);
	WANT(hipModuleLaunchKernel((hipFunction_t)h, 1, 1, 1, 64, 1, 1, 0, nullptr, each, nullptr),
	     hipErrorInvalidHandle);
	WANT(hipModuleLaunchKernel(f, 1, 1, 1, 4096, 1, 1, 0, nullptr, each, nullptr), hipErrorInvalidConfiguration);
	WANT(hipMemcpyDtoH(h, p, sizeof h), hipSuccess);
	for (int i = 0; i < 64; i++)
		bad += h[i] != (i < 32 ? 3 * 7 * 7 : 3 * 7);
	stale = m;
	WANT(hipModuleUnload(m), hipSuccess);
	WANT(hipModuleUnload(stale), hipErrorInvalidHandle);

	WANT(hipHostMalloc(&pinned, sizeof h), hipSuccess);
	memset(pinned, 0, sizeof h);
	shared_count += 10;
	count<<<1, 64>>>(pinned);
	WANT(hipDeviceSynchronize(), hipSuccess);
	bad += shared_count != 79 || pinned[63] != 2;
	WANT(hipPointerGetAttributes(&where, pinned), hipSuccess);
	bad += where.memoryType != hipMemoryTypeHost || where.devicePointer != pinned;
	WANT(hipPointerGetAttributes(&where, h), hipErrorInvalidValue);
	WANT(hipHostFree(pinned), hipSuccess);
	WANT(hipFree(p), hipSuccess);
	printf("%d wrong answers\n", bad);
	return bad != 0;
}
