// A kernel template compiled while the program runs: HIP C++ to a code object by hipRTC, loaded as a module.
//
//     warpbeam run hiprtc.hip --
#include <cstdio>
#include <cstdlib>
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <vector>

static const char source[] = R"(
#include "twice.h"
template <typename T, int N> __global__ void scale(T *p)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	p[i] = twice(p[i]) * N + OFFSET;
}
)";
static const char header[] = "template <typename T> __device__ T twice(T v) { return v + v; }\n";

static void check(int e, const char *call)
{
	if (!e)
		return;
	fprintf(stderr, "%s: %d\n", call, e);
	exit(1);
}
#define CHECK(call) check(call, #call)

int main()
{
	enum { N = 256, BLOCK = 64 };
	const char *headers[] = { header }, *names[] = { "twice.h" }, *options[] = { "-DOFFSET=1" }, *symbol;
	hiprtcProgram program;
	size_t bytes;
	float h[N], *p;
	int wrong = 0;

	CHECK(hiprtcCreateProgram(&program, source, "scale.hip", 1, headers, names));
	CHECK(hiprtcAddNameExpression(program, "scale<float, 3>"));
	hiprtcResult compiled = hiprtcCompileProgram(program, 1, options);
	CHECK(hiprtcGetProgramLogSize(program, &bytes));
	std::vector<char> log(bytes);
	CHECK(hiprtcGetProgramLog(program, log.data()));
	if (bytes > 1)
		fprintf(stderr, "%s", log.data());
	check(compiled, hiprtcGetErrorString(compiled));
	CHECK(hiprtcGetCodeSize(program, &bytes));
	std::vector<char> code(bytes);
	CHECK(hiprtcGetCode(program, code.data()));
	CHECK(hiprtcGetLoweredName(program, "scale<float, 3>", &symbol));

	hipModule_t module;
	hipFunction_t scale;
	CHECK(hipModuleLoadData(&module, code.data()));
	CHECK(hipModuleGetFunction(&scale, module, symbol));
	CHECK(hiprtcDestroyProgram(&program));
	CHECK(hipMalloc(&p, sizeof h));
	for (int i = 0; i < N; i++)
		h[i] = float(i);
	CHECK(hipMemcpy(p, h, sizeof h, hipMemcpyHostToDevice));
	void *params[] = { &p };
	CHECK(hipModuleLaunchKernel(scale, N / BLOCK, 1, 1, BLOCK, 1, 1, 0, nullptr, params, nullptr));
	CHECK(hipMemcpy(h, p, sizeof h, hipMemcpyDeviceToHost));
	for (int i = 0; i < N; i++)
		wrong += h[i] != float(6 * i + 1);
	printf("%d numbers are right, %d wrong\n", N - wrong, wrong);
	return wrong != 0;
}
