// Calls of CUDA's driver interface, right and wrong, and with the runtime's in one process. Wrong calls return the
// documented errors, nothing is lost, and what is right goes on working.
#include "driver_answers.h"
#include <string>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static const char ptx[] =
	".version 6.5\n.target sm_70\n.address_size 64\n"
	".visible .global .align 4 .u32 base = 5;\n"
	".visible .entry set(.param .u64 p, .param .u32 v)\n{\n"
	"	.reg .b32 %r<6>;\n	.reg .b64 %q<4>;\n"
	"	ld.param.u64 %q0, [p];\n	ld.param.u32 %r0, [v];\n"
	"	mov.u32 %r1, %tid.x;\n	mov.u32 %r2, %ctaid.x;\n	mov.u32 %r3, %ntid.x;\n"
	"	mad.lo.u32 %r1, %r2, %r3, %r1;\n	mul.wide.u32 %q1, %r1, 4;\n	add.u64 %q0, %q0, %q1;\n"
	"	ld.global.u32 %r4, [base];\n	add.u32 %r0, %r0, %r4;\n	add.u32 %r0, %r0, %r1;\n"
	"	st.global.u32 [%q0], %r0;\n	ret;\n}\n"
	".visible .entry far(.param .u64 p)\n{\n	.reg .b64 %q;\n	.reg .b32 %r;\n"
	"	mov.u64 %q, 0x70000000;\n	mov.u32 %r, 1;\n	st.global.u32 [%q], %r;\n	ret;\n}\n";

__global__ void add(int *p, int v) { p[threadIdx.x] += v; }

static CUresult create(CUcontext *c, unsigned flags, CUdevice device)
{
#if CUDA_VERSION >= 13000
	return cuCtxCreate(c, nullptr, flags, device);
#else
	return cuCtxCreate(c, flags, device);
#endif
}

enum { N = 64 };
static int h[N];
static CUdevice device;
static CUmodule module;
static CUfunction set;
static CUdeviceptr p;

static void before_init()
{
	CUcontext c;
	size_t n;

	WANT(cuDeviceGet(&device, 0), ERROR_NOT_INITIALIZED);
	WANT(cuDeviceGetCount(h), ERROR_NOT_INITIALIZED);
	WANT(create(&c, 0, 0), ERROR_NOT_INITIALIZED);
	WANT(cuCtxGetCurrent(&c), ERROR_NOT_INITIALIZED);
	WANT(cuMemAlloc(&p, 4), ERROR_NOT_INITIALIZED);
	WANT(cuMemGetInfo(&n, &n), ERROR_NOT_INITIALIZED);
	WANT(cuModuleLoadData(&module, ptx), ERROR_NOT_INITIALIZED);
	WANT(cuInit(1), ERROR_INVALID_VALUE);
	RIGHT(cuInit(0));
	RIGHT(cuInit(0));
	WANT(cuMemAlloc(&p, 4), ERROR_INVALID_CONTEXT);
	WANT(cuModuleLoadData(&module, ptx), ERROR_INVALID_CONTEXT);
	WANT(cuCtxSynchronize(), ERROR_INVALID_CONTEXT);
	WANT(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, 0, nullptr, nullptr), ERROR_INVALID_CONTEXT);
}

static void devices()
{
	char name[256];
	int n, m;
	size_t bytes;
	CUuuid uuid;

	RIGHT(cuDriverGetVersion(&n));
	IS(n >= 11000, 1);
	WANT(cuDriverGetVersion(nullptr), ERROR_INVALID_VALUE);
	RIGHT(cuDeviceGetCount(&n));
	IS(n, 1);
	WANT(cuDeviceGetCount(nullptr), ERROR_INVALID_VALUE);
	WANT(cuDeviceGet(&device, 1), ERROR_INVALID_DEVICE);
	WANT(cuDeviceGet(&device, -1), ERROR_INVALID_DEVICE);
	WANT(cuDeviceGet(nullptr, 0), ERROR_INVALID_VALUE);
	RIGHT(cuDeviceGet(&device, 0));
	RIGHT(cuDeviceGetName(name, sizeof name, device));
	IS(strncmp(name, "Warpbeam ", 9), 0);
	RIGHT(cuDeviceGetName(name, 5, device));
	IS(strcmp(name, "Warp"), 0);
	WANT(cuDeviceGetName(nullptr, 5, device), ERROR_INVALID_VALUE);
	WANT(cuDeviceGetName(name, 0, device), ERROR_INVALID_VALUE);
	WANT(cuDeviceGetName(name, 5, 7), ERROR_INVALID_DEVICE);
	RIGHT(cuDeviceGetUuid(&uuid, device));
	WANT(cuDeviceGetUuid(nullptr, device), ERROR_INVALID_VALUE);
	RIGHT(cuDeviceTotalMem(&bytes, device));
	WANT(cuDeviceTotalMem(nullptr, device), ERROR_INVALID_VALUE);
	WANT(cuDeviceTotalMem(&bytes, 1), ERROR_INVALID_DEVICE);
	RIGHT(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
	IS(n, 32);
	WANT(cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device), ERROR_INVALID_VALUE);
	WANT(cuDeviceGetAttribute(&n, (CUdevice_attribute)0, device), ERROR_INVALID_VALUE);
	WANT(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 3), ERROR_INVALID_DEVICE);
	RIGHT(cuDeviceComputeCapability(&n, &m, device));
	WANT(cuDeviceComputeCapability(&n, nullptr, device), ERROR_INVALID_VALUE);
	RIGHT(cuDeviceGetPCIBusId(name, sizeof name, device));
	RIGHT(cuDeviceGetByPCIBusId(&device, name));
	WANT(cuDeviceGetByPCIBusId(&device, "0000:77:00.0"), ERROR_INVALID_DEVICE);
}

static void contexts()
{
	CUcontext a, b, found, main;
	unsigned flags;
	int active;
	size_t n;
	unsigned long long id;

	WANT(create(nullptr, 0, device), ERROR_INVALID_VALUE);
	WANT(create(&a, 0x1000, device), ERROR_INVALID_VALUE);
	WANT(create(&a, 0, 5), ERROR_INVALID_DEVICE);
	WANT(cuCtxPopCurrent(&a), ERROR_INVALID_CONTEXT);
	RIGHT(create(&a, CU_CTX_SCHED_YIELD, device));
	RIGHT(create(&b, 0, device));
	RIGHT(cuCtxGetCurrent(&found));
	IS(found == b, 1);
	RIGHT(cuCtxPopCurrent(&found));
	IS(found == b, 1);
	RIGHT(cuCtxGetCurrent(&found));
	IS(found == a, 1);
	RIGHT(cuCtxGetFlags(&flags));
	IS(flags, CU_CTX_SCHED_YIELD);
	RIGHT(cuCtxGetId(a, &id));
	RIGHT(cuCtxGetApiVersion(a, &flags));
	WANT(cuCtxGetApiVersion(a, nullptr), ERROR_INVALID_VALUE);
	RIGHT(cuMemAlloc(&p, 256));
	RIGHT(cuCtxDestroy(a));
	RIGHT(cuCtxGetCurrent(&found));
	IS(found == nullptr, 1);
	WANT(cuCtxDestroy(a), ERROR_INVALID_CONTEXT);
	WANT(cuCtxPushCurrent(a), ERROR_INVALID_CONTEXT);
	WANT(cuCtxSetCurrent(a), ERROR_INVALID_CONTEXT);
	WANT(cuCtxSetCurrent((CUcontext)h), ERROR_INVALID_CONTEXT);
	RIGHT(cuCtxPushCurrent(b));
	WANT(cuMemFree(p), ERROR_INVALID_VALUE);              // gone with its context
	RIGHT(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
	RIGHT(cuCtxGetLimit(&n, CU_LIMIT_STACK_SIZE));
	IS(n, 4096);
	WANT(cuCtxGetLimit(&n, (CUlimit)99), ERROR_INVALID_VALUE);
	WANT(cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE), ERROR_INVALID_VALUE);
	RIGHT(cuDevicePrimaryCtxGetState(device, &flags, &active));
	IS(active, 0);
	WANT(cuDevicePrimaryCtxRelease(device), ERROR_INVALID_CONTEXT);
	WANT(cuDevicePrimaryCtxRetain(nullptr, device), ERROR_INVALID_VALUE);
	WANT(cuDevicePrimaryCtxRetain(&main, 1), ERROR_INVALID_DEVICE);
	RIGHT(cuDevicePrimaryCtxSetFlags(device, CU_CTX_SCHED_SPIN));
	RIGHT(cuDevicePrimaryCtxRetain(&main, device));
	RIGHT(cuDevicePrimaryCtxGetState(device, &flags, &active));
	IS(active, 1);
	IS(flags, CU_CTX_SCHED_SPIN);
	WANT(cuCtxDestroy(main), ERROR_INVALID_CONTEXT);
	RIGHT(cuCtxPushCurrent(b));             // twice on the stack
	RIGHT(cuCtxDestroy(b));
	WANT(cuCtxSynchronize(), ERROR_CONTEXT_IS_DESTROYED);
	RIGHT(cuCtxPopCurrent(nullptr));
	RIGHT(cuCtxSetCurrent(main));
	RIGHT(cuCtxSynchronize());
}

/* A function, a variable and a kernel in three texts; what a text has for itself may have one name in all. */
static void several_texts()
{
	static const char head[] = ".version 6.5\n.target sm_70\n.address_size 64\n";
	static const char *const texts[] = {
		".extern .func (.param .u32 r) seven ();\n.extern .global .u32 base;\n.global .u32 own = 1;\n"
		".visible .entry linked (.param .u64 p)\n{\n.reg .u64 %a;\n.reg .u32 %x, %y;\n.param .u32 r;\n"
		"call (r), seven, ();\nld.param.u32 %x, [r];\nld.global.u32 %y, [base];\nadd.u32 %x, %x, %y;\n"
		"ld.global.u32 %y, [own];\nadd.u32 %x, %x, %y;\nld.param.u64 %a, [p];\nst.global.u32 [%a], %x;\nret;\n}\n",
		".global .u32 own = 7;\n.visible .func (.param .u32 r) seven ()\n{\n.reg .u32 %x;\n"
		"ld.global.u32 %x, [own];\nst.param.u32 [r], %x;\nret;\n}\n",
		".visible .global .u32 base = 34;\n",
	};
	CUlinkState link;
	CUfunction f;
	CUmodule m;
	CUdeviceptr p;
	void *image, *arguments[] = { &p };
	size_t bytes;
	int word = 0;

	for (unsigned n = 1; n <= 3; n++) {
		RIGHT(cuLinkCreate(0, nullptr, nullptr, &link));
		for (unsigned i = 0; i < n; i++) {
			std::string text = std::string(head) + texts[i];
			RIGHT(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)text.c_str(), text.size() + 1, "t", 0,
					    nullptr, nullptr));
		}
		if (n == 2)
			WANT(cuLinkComplete(link, &image, &bytes), ERROR_INVALID_IMAGE);
		if (n < 3)
			RIGHT(cuLinkDestroy(link));
	}
	RIGHT(cuLinkComplete(link, &image, &bytes));
	RIGHT(cuModuleLoadData(&m, image));
	RIGHT(cuLinkDestroy(link));
	RIGHT(cuModuleGetFunction(&f, m, "linked"));
	RIGHT(cuMemAlloc(&p, 4));
	RIGHT(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, arguments, nullptr));
	RIGHT(cuMemcpyDtoH(&word, p, 4));
	IS(word, 42);
	RIGHT(cuMemFree(p));
	RIGHT(cuModuleUnload(m));
}

static void modules()
{
	CUmodule m = nullptr, gone;
	CUfunction f;
	CUlibrary library;
	CUkernel kernel;
	CUdeviceptr base;
	size_t bytes;
	char log[256] = "x";
	CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS };
	void *values[] = { log, (void *)sizeof log, (void *)16 };
	CUlinkState link;
	void *image;
	const char *name;
	int n;

	WANT(cuModuleLoadData(&m, ".version 6.5\n.target sm_70\n.entry k() { wrong; }\n"), ERROR_INVALID_PTX);
	WANT(cuModuleLoadDataEx(&m, ".version 6.5\n.target sm_70\n.entry k() { wrong; }\n", 3, options, values),
	     ERROR_INVALID_PTX);
	IS(strstr(log, "wrong") != nullptr, 1);
	IS((size_t)values[1], strlen(log));
	WANT(cuModuleLoadData(&m, "not a module"), ERROR_INVALID_IMAGE);
	WANT(cuModuleLoadData(&m, "\1\2\3\4\5\6"), ERROR_INVALID_IMAGE);
	WANT(cuModuleLoadData(nullptr, ptx), ERROR_INVALID_VALUE);
	WANT(cuModuleLoadData(&m, nullptr), ERROR_INVALID_VALUE);
	WANT(cuModuleLoadDataEx(&m, ptx, 1, nullptr, nullptr), ERROR_INVALID_VALUE);
	WANT(cuModuleLoad(&m, "/nonexistent/module.ptx"), ERROR_FILE_NOT_FOUND);
	WANT(cuModuleLoad(&m, nullptr), ERROR_INVALID_VALUE);
	values[1] = (void *)sizeof log;
	RIGHT(cuModuleLoadDataEx(&module, ptx, 3, options, values));
	IS(log[0], 0);
	RIGHT(cuModuleGetFunction(&set, module, "set"));
	RIGHT(cuModuleGetFunction(&f, module, "set"));
	IS(f == set, 1);
	WANT(cuModuleGetFunction(&f, module, "sit"), ERROR_NOT_FOUND);
	WANT(cuModuleGetFunction(&f, module, nullptr), ERROR_INVALID_VALUE);
	WANT(cuModuleGetFunction(nullptr, module, "set"), ERROR_INVALID_VALUE);
	WANT(cuModuleGetFunction(&f, (CUmodule)h, "set"), ERROR_INVALID_HANDLE);
	WANT(cuModuleGetFunction(&f, nullptr, "set"), ERROR_INVALID_HANDLE);
	RIGHT(cuModuleGetGlobal(&base, &bytes, module, "base"));
	IS(bytes, 4);
	WANT(cuModuleGetGlobal(&base, &bytes, module, "bass"), ERROR_NOT_FOUND);
	WANT(cuModuleGetGlobal(&base, &bytes, (CUmodule)h, "base"), ERROR_INVALID_HANDLE);
	WANT(cuModuleGetGlobal(&base, &bytes, module, nullptr), ERROR_INVALID_VALUE);
	RIGHT(cuMemcpyDtoH(&n, base, 4));
	IS(n, 5);
	RIGHT(cuModuleLoadData(&gone, ptx));
	RIGHT(cuModuleGetFunction(&f, gone, "set"));
	RIGHT(cuModuleUnload(gone));
	WANT(cuModuleUnload(gone), ERROR_INVALID_HANDLE);
	WANT(cuModuleGetFunction(&f, gone, "set"), ERROR_INVALID_HANDLE);
	WANT(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, nullptr, nullptr), ERROR_INVALID_HANDLE);
	WANT(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_NUM_REGS, f), ERROR_INVALID_HANDLE);
	RIGHT(cuLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
	RIGHT(cuLibraryGetKernel(&kernel, library, "set"));
	WANT(cuLibraryGetKernel(&kernel, library, "sit"), ERROR_NOT_FOUND);
	RIGHT(cuKernelGetFunction(&f, kernel));
	RIGHT(cuFuncGetName(&name, f));
	IS(strcmp(name, "set"), 0);
	RIGHT(cuLibraryUnload(library));
	WANT(cuLibraryUnload(library), ERROR_INVALID_HANDLE);
	WANT(cuKernelGetFunction(&f, kernel), ERROR_INVALID_HANDLE);
	RIGHT(cuLinkCreate(0, nullptr, nullptr, &link));
	WANT(cuLinkComplete(link, &image, &bytes), ERROR_INVALID_VALUE);
	WANT(cuLinkAddData(link, CU_JIT_INPUT_PTX, nullptr, 4, "k", 0, nullptr, nullptr), ERROR_INVALID_VALUE);
	RIGHT(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)ptx, sizeof ptx, "k", 0, nullptr, nullptr));
	RIGHT(cuLinkComplete(link, &image, &bytes));
	RIGHT(cuModuleLoadData(&gone, image));
	RIGHT(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)ptx, sizeof ptx, "k again", 0, nullptr, nullptr));
	WANT(cuLinkComplete(link, &image, &bytes), ERROR_INVALID_IMAGE);
	RIGHT(cuLinkDestroy(link));
	WANT(cuLinkDestroy(link), ERROR_INVALID_HANDLE);
	RIGHT(cuModuleUnload(gone));
	several_texts();
}

static void memory()
{
	CUdeviceptr q, begin;
	size_t bytes, pitch;
	unsigned kind;
	void *host;
	CUDA_MEMCPY2D c = {};

	RIGHT(cuMemAlloc(&p, sizeof h));
	WANT(cuMemAlloc(&q, 0), ERROR_INVALID_VALUE);
	WANT(cuMemAlloc(nullptr, 4), ERROR_INVALID_VALUE);
	WANT(cuMemAlloc(&q, (size_t)1 << 50), ERROR_OUT_OF_MEMORY);
	WANT(cuMemFree(p + 4), ERROR_INVALID_VALUE);
	WANT(cuMemcpyHtoD(p, h, sizeof h + 1), ERROR_INVALID_VALUE);
	WANT(cuMemcpyHtoD(p + 4, h, sizeof h), ERROR_INVALID_VALUE);
	WANT(cuMemcpyHtoD(0, h, 4), ERROR_INVALID_VALUE);
	WANT(cuMemcpyHtoD(p, nullptr, 4), ERROR_INVALID_VALUE);
	WANT(cuMemcpyDtoH(nullptr, p, 4), ERROR_INVALID_VALUE);
	WANT(cuMemcpyDtoH(h, (CUdeviceptr)(uintptr_t)h, 4), ERROR_INVALID_VALUE);
	WANT(cuMemcpyDtoD(p, (CUdeviceptr)(uintptr_t)h, 4), ERROR_INVALID_VALUE);
	WANT(cuMemcpyHtoDAsync(p, h, 4, (CUstream)h), ERROR_INVALID_HANDLE);
	RIGHT(cuMemcpy(p, (CUdeviceptr)(uintptr_t)h, sizeof h));
	RIGHT(cuMemsetD32(p, 7, N));
	RIGHT(cuMemcpyDtoH(h, p, sizeof h));
	IS(h[N - 1], 7);
	WANT(cuMemsetD32(p, 7, N + 1), ERROR_INVALID_VALUE);
	WANT(cuMemsetD32(p + 2, 7, 1), ERROR_INVALID_VALUE);
	WANT(cuMemsetD16(p + 1, 7, 1), ERROR_INVALID_VALUE);
	WANT(cuMemsetD8(p, 7, (size_t)-1), ERROR_INVALID_VALUE);
	WANT(cuMemsetD32(p, 7, (size_t)1 << 62), ERROR_INVALID_VALUE);
	WANT(cuMemsetD32Async(p, 7, 1, (CUstream)h), ERROR_INVALID_HANDLE);
	RIGHT(cuMemsetD2D8(p, 16, 1, 4, 4));
	WANT(cuMemsetD2D8(p, 2, 1, 4, 4), ERROR_INVALID_VALUE);
	WANT(cuMemsetD2D32(p, 64, 1, 4, 5), ERROR_INVALID_VALUE);
	RIGHT(cuMemcpyDtoH(h, p, sizeof h));
	IS(h[0], 0x01010101);
	IS(h[1], 7);
	IS(h[4], 0x01010101);
	RIGHT(cuMemGetAddressRange(&begin, &bytes, p + 100));
	IS(begin == p && bytes == sizeof h, 1);
	WANT(cuMemGetAddressRange(&begin, &bytes, 12), ERROR_NOT_FOUND);
	RIGHT(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
	IS(kind, CU_MEMORYTYPE_DEVICE);
	WANT(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)h), ERROR_INVALID_VALUE);
	WANT(cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p), ERROR_INVALID_VALUE);
	WANT(cuMemAllocPitch(&q, &pitch, 100, 4, 3), ERROR_INVALID_VALUE);
	RIGHT(cuMemAllocPitch(&q, &pitch, 100, 4, 4));
	c.srcMemoryType = CU_MEMORYTYPE_HOST;
	c.srcHost = h;
	c.srcPitch = 16;
	c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	c.dstDevice = q;
	c.dstPitch = pitch;
	c.WidthInBytes = 16;
	c.Height = 4;
	RIGHT(cuMemcpy2D(&c));
	c.Height = 5;
	WANT(cuMemcpy2D(&c), ERROR_INVALID_VALUE);
	c.Height = 4;
	c.srcMemoryType = (CUmemorytype)9;
	WANT(cuMemcpy2D(&c), ERROR_INVALID_VALUE);
	c.srcMemoryType = CU_MEMORYTYPE_ARRAY;
	c.srcArray = (CUarray)h;
	WANT(cuMemcpy2D(&c), ERROR_INVALID_VALUE);
	WANT(cuMemcpy2D(nullptr), ERROR_INVALID_VALUE);
	RIGHT(cuMemFree(q));
	WANT(cuMemFree(q), ERROR_INVALID_VALUE);
	RIGHT(cuMemHostAlloc(&host, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
	RIGHT(cuMemHostGetDevicePointer(&q, host, 0));
	WANT(cuMemHostGetDevicePointer(&q, h, 0), ERROR_INVALID_VALUE);
	WANT(cuMemHostGetDevicePointer(&q, host, 1), ERROR_INVALID_VALUE);
	RIGHT(cuMemFreeHost(host));
	WANT(cuMemFreeHost(nullptr), ERROR_INVALID_VALUE);
	WANT(cuMemAllocManaged(&q, 4096, 0), ERROR_INVALID_VALUE);
	RIGHT(cuMemAllocManaged(&q, 4096, CU_MEM_ATTACH_GLOBAL));
	*(int *)(uintptr_t)q = 3;
	RIGHT(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_IS_MANAGED, q));
	IS(kind, 1);
	RIGHT(cuMemFree(q));
}

static void arrays()
{
	CUDA_ARRAY_DESCRIPTOR desc = { 16, 4, CU_AD_FORMAT_FLOAT, 1 }, found;
	CUarray a;
	CUtexObject texture;
	CUDA_RESOURCE_DESC resource = {};
	CUDA_TEXTURE_DESC way = {};

	RIGHT(cuArrayCreate(&a, &desc));
	RIGHT(cuArrayGetDescriptor(&found, a));
	IS(found.Width == 16 && found.Height == 4 && found.Format == CU_AD_FORMAT_FLOAT && found.NumChannels == 1, 1);
	desc.NumChannels = 3;
	WANT(cuArrayCreate(&a, &desc), ERROR_INVALID_VALUE);
	WANT(cuArrayCreate(&a, nullptr), ERROR_INVALID_VALUE);
	RIGHT(cuMemcpyHtoA(a, 0, h, 64));
	WANT(cuMemcpyHtoA(a, 4, h, 64), ERROR_INVALID_VALUE);
	resource.resType = CU_RESOURCE_TYPE_ARRAY;
	resource.res.array.hArray = a;
	RIGHT(cuTexObjectCreate(&texture, &resource, &way, nullptr));
	RIGHT(cuTexObjectDestroy(texture));
	WANT(cuTexObjectCreate(&texture, nullptr, &way, nullptr), ERROR_INVALID_VALUE);
	RIGHT(cuArrayDestroy(a));
	WANT(cuArrayDestroy(a), ERROR_INVALID_HANDLE);
	WANT(cuMemcpyHtoA(a, 0, h, 4), ERROR_INVALID_VALUE);
	WANT(cuArrayGetDescriptor(&found, a), ERROR_INVALID_HANDLE);
}

static int called;
static void call_back(void *context) { called += *(int *)context; }

static void streams()
{
	CUstream s, gone;
	CUevent a, b, untimed;
	unsigned flags;
	int one = 1, priority;
	float ms = -1;

	WANT(cuStreamCreate(nullptr, 0), ERROR_INVALID_VALUE);
	WANT(cuStreamCreate(&s, 77), ERROR_INVALID_VALUE);
	RIGHT(cuStreamCreateWithPriority(&s, CU_STREAM_NON_BLOCKING, -2));
	RIGHT(cuStreamGetFlags(s, &flags));
	IS(flags, CU_STREAM_NON_BLOCKING);
	RIGHT(cuStreamGetPriority(s, &priority));
	IS(priority, -2);
	RIGHT(cuStreamCreate(&gone, 0));
	RIGHT(cuStreamDestroy(gone));
	WANT(cuStreamDestroy(gone), ERROR_INVALID_HANDLE);
	WANT(cuStreamSynchronize(gone), ERROR_INVALID_HANDLE);
	WANT(cuStreamGetFlags(gone, &flags), ERROR_INVALID_HANDLE);
	WANT(cuEventCreate(&a, 0x100), ERROR_INVALID_VALUE);
	WANT(cuEventCreate(nullptr, 0), ERROR_INVALID_VALUE);
	RIGHT(cuEventCreate(&a, 0));
	RIGHT(cuEventCreate(&b, 0));
	RIGHT(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
	WANT(cuEventElapsedTime(&ms, a, b), ERROR_INVALID_HANDLE);
	WANT(cuEventRecord(a, gone), ERROR_INVALID_HANDLE);
	RIGHT(cuEventRecord(a, s));
	void *params[] = { &p, &one };
	RIGHT(cuLaunchKernel(set, 2, 1, 1, 32, 1, 1, 0, s, params, nullptr));
	RIGHT(cuEventRecord(b, s));
	RIGHT(cuEventRecord(untimed, s));
	RIGHT(cuStreamWaitEvent(s, b, 0));
	WANT(cuStreamWaitEvent(s, b, 9), ERROR_INVALID_VALUE);
	RIGHT(cuEventElapsedTime(&ms, a, b));
	IS(ms > 0, 1);
	WANT(cuEventElapsedTime(&ms, a, untimed), ERROR_INVALID_HANDLE);
	WANT(cuEventElapsedTime(nullptr, a, b), ERROR_INVALID_VALUE);
	RIGHT(cuLaunchHostFunc(s, call_back, &one));
	WANT(cuLaunchHostFunc(s, nullptr, &one), ERROR_INVALID_VALUE);
	IS(called, 1);
	RIGHT(cuEventDestroy(b));
	WANT(cuEventDestroy(b), ERROR_INVALID_HANDLE);
	WANT(cuEventQuery(b), ERROR_INVALID_HANDLE);
	RIGHT(cuStreamDestroy(s));
	RIGHT(cuMemcpyDtoH(h, p, sizeof h));
	for (int i = 0; i < N; i++)
		IS(h[i], i + 5 + 1);
}

static void launches()
{
	struct { CUdeviceptr p; unsigned v; } block = { p, 100 };
	size_t bytes = sizeof block, small = 4;
	void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
			  CU_LAUNCH_PARAM_END };
	void *params[] = { &block.p, &block.v };
	CUlaunchAttribute attribute = {};
	CUlaunchConfig config = { 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, 0 };
	int n, m;

	RIGHT(cuLaunchKernel(set, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
	RIGHT(cuMemcpyDtoH(h, p, sizeof h));
	IS(h[33], 138);
	WANT(cuLaunchKernel(set, 2, 1, 1, 32, 1, 1, 0, nullptr, params, extra), ERROR_INVALID_VALUE);
	extra[3] = &small;
	WANT(cuLaunchKernel(set, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra), ERROR_INVALID_VALUE);
	extra[3] = nullptr;
	WANT(cuLaunchKernel(set, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra), ERROR_INVALID_VALUE);
	extra[2] = (void *)7;
	WANT(cuLaunchKernel(set, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra), ERROR_INVALID_VALUE);
	WANT(cuLaunchKernel(set, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr), ERROR_INVALID_VALUE);
	WANT(cuLaunchKernel(set, 0, 1, 1, 32, 1, 1, 0, nullptr, params, nullptr), ERROR_INVALID_VALUE);
	WANT(cuLaunchKernel(set, 1, 1, 1, 0, 1, 1, 0, nullptr, params, nullptr), ERROR_INVALID_VALUE);
	WANT(cuLaunchKernel(set, 1, 1, 1, 5000, 1, 1, 0, nullptr, params, nullptr), ERROR_INVALID_VALUE);
	WANT(cuLaunchKernel(set, 1, 1, 1, 32, 1, 1, 1 << 30, nullptr, params, nullptr), ERROR_LAUNCH_OUT_OF_RESOURCES);
	WANT(cuLaunchKernel(set, 1, 1, 1, 32, 1, 1, 0, (CUstream)h, params, nullptr), ERROR_INVALID_HANDLE);
	WANT(cuLaunchKernel((CUfunction)h, 1, 1, 1, 32, 1, 1, 0, nullptr, params, nullptr), ERROR_INVALID_HANDLE);
	WANT(cuLaunchKernel(nullptr, 1, 1, 1, 32, 1, 1, 0, nullptr, params, nullptr), ERROR_INVALID_HANDLE);
	block.v = 200;
	RIGHT(cuLaunchKernelEx(&config, set, params, nullptr));
	attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
	attribute.value.clusterDim.x = attribute.value.clusterDim.y = attribute.value.clusterDim.z = 2;
	config.attrs = &attribute;
	config.numAttrs = 1;
	WANT(cuLaunchKernelEx(&config, set, params, nullptr), ERROR_NOT_SUPPORTED);
	config.attrs = nullptr;
	WANT(cuLaunchKernelEx(&config, set, params, nullptr), ERROR_INVALID_VALUE);
	WANT(cuLaunchKernelEx(nullptr, set, params, nullptr), ERROR_INVALID_VALUE);
	RIGHT(cuLaunchCooperativeKernel(set, 2, 1, 1, 32, 1, 1, 0, nullptr, params));
	WANT(cuLaunchCooperativeKernel(set, 60000, 1, 1, 32, 1, 1, 0, nullptr, params),
	     ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
	RIGHT(cuMemcpyDtoH(h, p, sizeof h));
	IS(h[33], 238);
	// before CUDA 4.0
	RIGHT(cuFuncSetBlockShape(set, 32, 1, 1));
	WANT(cuFuncSetBlockShape(set, 0, 1, 1), ERROR_INVALID_VALUE);
	RIGHT(cuFuncSetSharedSize(set, 0));
	RIGHT(cuParamSetv(set, 0, &p, sizeof p));
	RIGHT(cuParamSeti(set, 8, 300));
	WANT(cuParamSeti(set, -4, 300), ERROR_INVALID_VALUE);
	WANT(cuParamSetv(set, 4090, &p, 8), ERROR_INVALID_VALUE);
	WANT(cuParamSetSize(set, 5000), ERROR_INVALID_VALUE);
	RIGHT(cuParamSetSize(set, 8));
	WANT(cuLaunchGrid(set, 2, 1), ERROR_INVALID_VALUE);
	RIGHT(cuParamSetSize(set, 12));
	RIGHT(cuLaunchGrid(set, 2, 1));
	WANT(cuLaunchGrid(set, 0, 1), ERROR_INVALID_VALUE);
	WANT(cuLaunch((CUfunction)h), ERROR_INVALID_HANDLE);
	RIGHT(cuMemcpyDtoH(h, p, sizeof h));
	IS(h[33], 338);
	RIGHT(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, set));
	IS(n >= 256, 1);
	WANT(cuFuncGetAttribute(&n, (CUfunction_attribute)99, set), ERROR_INVALID_VALUE);
	WANT(cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, set), ERROR_INVALID_VALUE);
	WANT(cuFuncSetAttribute(set, CU_FUNC_ATTRIBUTE_NUM_REGS, 3), ERROR_INVALID_VALUE);
	RIGHT(cuFuncSetAttribute(set, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
	WANT(cuFuncSetAttribute(set, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30), ERROR_INVALID_VALUE);
	RIGHT(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, set, 64, 0));
	IS(n > 0, 1);
	WANT(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, set, 0, 0), ERROR_INVALID_VALUE);
	WANT(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, (CUfunction)h, 64, 0), ERROR_INVALID_HANDLE);
	RIGHT(cuOccupancyMaxPotentialBlockSize(&n, &m, set, nullptr, 0, 0));
	IS(n > 0 && m >= 32, 1);
	WANT(cuOccupancyMaxPotentialBlockSize(nullptr, &m, set, nullptr, 0, 0), ERROR_INVALID_VALUE);
}

static void names()
{
	const char *text;
	void *f;
	CUdriverProcAddressQueryResult how;

	RIGHT(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text));
	IS(strcmp(text, "CUDA_ERROR_INVALID_PTX"), 0);
	RIGHT(cuGetErrorString(CUDA_ERROR_INVALID_PTX, &text));
	WANT(cuGetErrorName((CUresult)12345, &text), ERROR_INVALID_VALUE);
	WANT(cuGetErrorName(CUDA_SUCCESS, nullptr), ERROR_INVALID_VALUE);
	RIGHT(cuGetProcAddress("cuMemAlloc", &f, 12000, 0, &how));
	IS(f == (void *)cuMemAlloc, 1);
	RIGHT(cuGetProcAddress("cuNothing", &f, 12000, 0, &how));
	IS(f == nullptr && how == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, 1);
	WANT(cuGetProcAddress("cuNothing", &f, 12000, 0, nullptr), ERROR_NOT_FOUND);
	WANT(cuGetProcAddress(nullptr, &f, 12000, 0, nullptr), ERROR_INVALID_VALUE);
	RIGHT(cuGetProcAddress("cuUserObjectCreate", &f, 12000, 0, nullptr));
	WANT(((CUresult (*)())f)(), ERROR_NOT_SUPPORTED);
}

// Memory, streams and kernels of one interface are the other's.
static void with_runtime()
{
	int *q, v = 1000;
	cudaStream_t s;
	CUevent event;
	CUcontext c;
	CUdeviceptr d;
	void *params[] = { &q, &v };

	IS(cudaMalloc(&q, sizeof h), cudaSuccess);
	IS(cudaStreamCreate(&s), cudaSuccess);
	RIGHT(cuLaunchKernel(set, 2, 1, 1, 32, 1, 1, 0, (CUstream)s, params, nullptr));
	add<<<1, 64, 0, s>>>(q, 1);
	IS(cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost), cudaSuccess);
	IS(h[63], 63 + 5 + 1000 + 1);
	RIGHT(cuMemAlloc(&d, sizeof h));
	IS(cudaMemset((void *)(uintptr_t)d, 1, sizeof h), cudaSuccess);
	RIGHT(cuEventCreate(&event, 0));
	IS(cudaEventRecord((cudaEvent_t)event, s), cudaSuccess);
	IS(cudaFree((void *)(uintptr_t)d), cudaSuccess);
	WANT(cuMemFree(d), ERROR_INVALID_VALUE);
	IS(cudaStreamDestroy(s), cudaSuccess);
	WANT(cuStreamSynchronize((CUstream)s), ERROR_INVALID_HANDLE);
	RIGHT(cuCtxSetCurrent(nullptr));
	RIGHT(cuCtxGetCurrent(&c));             // the runtime's own
	IS(c != nullptr, 1);
	RIGHT(cuMemFree((CUdeviceptr)(uintptr_t)q));
	IS(cudaFree(q), cudaErrorInvalidValue);
}

static void forked()
{
	int status = 0;
	pid_t child = fork();

	if (!child)
		_exit(cuMemAlloc(&p, 4) == CUDA_ERROR_NOT_INITIALIZED ? 0 : 1);
	waitpid(child, &status, 0);
	IS(status, 0);
}

static void faults()
{
	CUfunction f;
	void *params[] = { &p };

	RIGHT(cuModuleGetFunction(&f, module, "far"));
	RIGHT(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr));
	WANT(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr), ERROR_ILLEGAL_ADDRESS);
	WANT(cuCtxSynchronize(), ERROR_ILLEGAL_ADDRESS);
	WANT(cuMemAlloc(&p, 4), ERROR_ILLEGAL_ADDRESS);
	IS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

int main()
{
	before_init();
	devices();
	contexts();
	modules();
	memory();
	arrays();
	streams();
	launches();
	names();
	with_runtime();
	forked();
	faults();
	printf("%d calls, %d wrong answers\n", calls, bad);
	return bad != 0;
}
