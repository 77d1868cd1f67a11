/* A vector sum by CUDA's driver interface: the kernel is PTX text in the program, compiled when it is loaded.
 *
 *     cc driver.c -o driver -lcuda          with NVIDIA's cuda.h, or include/warpbeam/cuda of Warpbeam
 *     warpbeam run -- ./driver */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

static const char ptx[] =
	".version 6.5\n"
	".target sm_70\n"
	".address_size 64\n"
	".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 sum, .param .u32 n)\n"
	"{\n"
	"	.reg .pred %p;\n"
	"	.reg .f32 %f<3>;\n"
	"	.reg .b32 %r<5>;\n"
	"	.reg .b64 %q<5>;\n"
	"	mov.u32 %r0, %ctaid.x;\n"
	"	mov.u32 %r1, %ntid.x;\n"
	"	mov.u32 %r2, %tid.x;\n"
	"	mad.lo.u32 %r3, %r0, %r1, %r2;\n"
	"	ld.param.u32 %r4, [n];\n"
	"	setp.ge.u32 %p, %r3, %r4;\n"
	"	@%p ret;\n"
	"	mul.wide.u32 %q0, %r3, 4;\n"
	"	ld.param.u64 %q1, [a];\n"
	"	ld.param.u64 %q2, [b];\n"
	"	ld.param.u64 %q3, [sum];\n"
	"	add.u64 %q1, %q1, %q0;\n"
	"	add.u64 %q2, %q2, %q0;\n"
	"	add.u64 %q3, %q3, %q0;\n"
	"	ld.global.f32 %f0, [%q1];\n"
	"	ld.global.f32 %f1, [%q2];\n"
	"	add.f32 %f2, %f0, %f1;\n"
	"	st.global.f32 [%q3], %f2;\n"
	"	ret;\n"
	"}\n";

static void check(CUresult e, const char *call)
{
	const char *name = "?";

	if (e == CUDA_SUCCESS)
		return;
	cuGetErrorName(e, &name);
	fprintf(stderr, "%s: %s\n", call, name);
	exit(1);
}
#define CHECK(call) check(call, #call)

enum { N = 1000, BLOCK = 128 };

int main(void)
{
	static float a[N], b[N], sum[N];
	CUdeviceptr da, db, dsum;
	CUfunction add;
	CUmodule module;
	CUcontext context;
	CUdevice device;
	char name[256];
	int n = N, wrong = 0;
	void *params[] = { &da, &db, &dsum, &n };

	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&device, 0));
	CHECK(cuDeviceGetName(name, sizeof name, device));
	CHECK(cuDevicePrimaryCtxRetain(&context, device));
	CHECK(cuCtxSetCurrent(context));
	CHECK(cuModuleLoadData(&module, ptx));
	CHECK(cuModuleGetFunction(&add, module, "add"));
	CHECK(cuMemAlloc(&da, sizeof a));
	CHECK(cuMemAlloc(&db, sizeof b));
	CHECK(cuMemAlloc(&dsum, sizeof sum));
	for (int i = 0; i < N; i++) {
		a[i] = (float)i;
		b[i] = 0.5f * (float)i;
	}
	CHECK(cuMemcpyHtoD(da, a, sizeof a));
	CHECK(cuMemcpyHtoD(db, b, sizeof b));
	CHECK(cuLaunchKernel(add, (N + BLOCK - 1) / BLOCK, 1, 1, BLOCK, 1, 1, 0, NULL, params, NULL));
	CHECK(cuMemcpyDtoH(sum, dsum, sizeof sum));
	for (int i = 0; i < N; i++)
		wrong += sum[i] != 1.5f * (float)i;
	printf("%d sums on %s are right, %d wrong\n", N - wrong, name, wrong);
	CHECK(cuMemFree(da));
	CHECK(cuMemFree(db));
	CHECK(cuMemFree(dsum));
	CHECK(cuModuleUnload(module));
	CHECK(cuDevicePrimaryCtxRelease(device));
	return wrong != 0;
}
