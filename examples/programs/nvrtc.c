/* A kernel template compiled while the program runs: CUDA C++ to PTX by NVRTC, loaded by the driver interface.
 *
 *     cc nvrtc.c -o nvrtc -lcuda -lnvrtc          with NVIDIA's headers, or include/warpbeam/cuda of Warpbeam
 *     warpbeam run -- ./nvrtc */
#include <cuda.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>

static const char source[] =
	"#include \"twice.h\"\n"
	"template <typename T, int N> __global__ void scale(T *p)\n"
	"{\n"
	"	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
	"	p[i] = twice(p[i]) * N + OFFSET;\n"
	"}\n";
static const char header[] = "template <typename T> __device__ T twice(T v) { return v + v; }\n";

static void check(int e, const char *call)
{
	if (!e)
		return;
	fprintf(stderr, "%s: %d\n", call, e);
	exit(1);
}
#define CHECK(call) check(call, #call)

/* The PTX of the source, and the symbol of the kernel, which lives as long as the program. */
static char *compile(nvrtcProgram *program, const char *name, const char **symbol)
{
	const char *headers[] = { header }, *names[] = { "twice.h" };
	const char *options[] = { "--gpu-architecture=compute_75", "-DOFFSET=1" };
	nvrtcResult e;
	size_t bytes;
	char *text;

	CHECK(nvrtcCreateProgram(program, source, "scale.cu", 1, headers, names));
	CHECK(nvrtcAddNameExpression(*program, name));
	e = nvrtcCompileProgram(*program, 2, options);
	CHECK(nvrtcGetProgramLogSize(*program, &bytes));
	text = malloc(bytes);
	CHECK(nvrtcGetProgramLog(*program, text));
	if (bytes > 1)
		fprintf(stderr, "%s", text);
	free(text);
	check((int)e, nvrtcGetErrorString(e));
	CHECK(nvrtcGetPTXSize(*program, &bytes));
	text = malloc(bytes);
	CHECK(nvrtcGetPTX(*program, text));
	CHECK(nvrtcGetLoweredName(*program, name, symbol));
	return text;
}

enum { N = 256, BLOCK = 64 };

int main(void)
{
	static float h[N];
	nvrtcProgram program;
	const char *symbol;
	char *ptx = compile(&program, "scale<float, 3>", &symbol);
	CUdeviceptr p;
	CUfunction scale;
	CUmodule module;
	CUcontext context;
	int wrong = 0;
	void *params[] = { &p };

	CHECK(cuInit(0));
	CHECK(cuDevicePrimaryCtxRetain(&context, 0));
	CHECK(cuCtxSetCurrent(context));
	CHECK(cuModuleLoadData(&module, ptx));
	CHECK(cuModuleGetFunction(&scale, module, symbol));
	CHECK(nvrtcDestroyProgram(&program));
	CHECK(cuMemAlloc(&p, sizeof h));
	for (int i = 0; i < N; i++)
		h[i] = (float)i;
	CHECK(cuMemcpyHtoD(p, h, sizeof h));
	CHECK(cuLaunchKernel(scale, N / BLOCK, 1, 1, BLOCK, 1, 1, 0, NULL, params, NULL));
	CHECK(cuMemcpyDtoH(h, p, sizeof h));
	for (int i = 0; i < N; i++)
		wrong += h[i] != (float)(6 * i + 1);
	printf("%d numbers are right, %d wrong\n", N - wrong, wrong);
	free(ptx);
	return wrong != 0;
}
