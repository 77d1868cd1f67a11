// Calls of hipRTC, right and wrong, and what its options, headers and name expressions do.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

static int bad, calls;

static void want(const char *call, int line, hiprtcResult found, hiprtcResult expected)
{
	calls++;
	if (found == expected)
		return;
	printf("line %d: %s: found %s, expected %s\n", line, call, hiprtcGetErrorString(found),
	       hiprtcGetErrorString(expected));
	bad++;
}
#define WANT(call, error) want(#call, __LINE__, call, HIPRTC_##error)
#define RIGHT(call) want(#call, __LINE__, call, HIPRTC_SUCCESS)

static void is(const char *what, int line, bool found)
{
	if (found)
		return;
	printf("line %d: not %s\n", line, what);
	bad++;
}
#define IS(what) is(#what, __LINE__, what)

static const char source[] =
	"#include \"value.h\"\n"
	"namespace space { __constant__ int table[3]; __device__ float number; }\n"
	"template <int k, typename T> __global__ void set(T *p) { p[threadIdx.x] = value() + k + MORE; }\n"
	"extern \"C\" __global__ void plain(int *p) { *p = space::table[0] + int(space::number); }\n";

static char *log_of(hiprtcProgram p)
{
	size_t n = 0;
	RIGHT(hiprtcGetProgramLogSize(p, &n));
	char *text = (char *)calloc(n + 1, 1);
	RIGHT(hiprtcGetProgramLog(p, text));
	return text;
}

static void wrong_calls()
{
	const char *no_arch[] = { "--offload-arch=gfx1" }, *none[] = { nullptr }, *text;
	hiprtcProgram p, gone;
	size_t n;
	int v;

	WANT(hiprtcVersion(&v, nullptr), ERROR_INVALID_INPUT);
	WANT(hiprtcCreateProgram(nullptr, source, "k.hip", 0, nullptr, nullptr), ERROR_INVALID_INPUT);
	WANT(hiprtcCreateProgram(&p, nullptr, "k.hip", 0, nullptr, nullptr), ERROR_INVALID_INPUT);
	WANT(hiprtcCreateProgram(&p, source, "k.hip", 1, none, none), ERROR_INVALID_INPUT);
	RIGHT(hiprtcCreateProgram(&p, "__global__ void k(int *p) { *p = wrong; }\n", nullptr, 0, nullptr, nullptr));
	WANT(hiprtcGetCodeSize(p, &n), ERROR_INVALID_PROGRAM);
	WANT(hiprtcGetLoweredName(p, "k", &text), ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
	WANT(hiprtcCompileProgram(p, 1, nullptr), ERROR_INVALID_INPUT);
	WANT(hiprtcCompileProgram(p, 1, no_arch), ERROR_INVALID_OPTION);
	IS(strstr(log_of(p), "gfx1"));
	WANT(hiprtcCompileProgram(p, 0, nullptr), ERROR_COMPILATION);
	IS(strstr(log_of(p), "wrong"));
	WANT(hiprtcGetCode(p, (char *)&n), ERROR_INVALID_PROGRAM);
	WANT(hiprtcAddNameExpression(p, "k"), ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
	gone = p;
	RIGHT(hiprtcDestroyProgram(&p));
	WANT(hiprtcDestroyProgram(&gone), ERROR_INVALID_PROGRAM);
	WANT(hiprtcCompileProgram(gone, 0, nullptr), ERROR_INVALID_PROGRAM);
	WANT(hiprtcGetProgramLogSize(nullptr, &n), ERROR_INVALID_PROGRAM);
}

static int run(hipModule_t m, const char *symbol)
{
	hipFunction_t f;
	int *p, v = -1;
	void *params[] = { &p };

	IS(hipModuleGetFunction(&f, m, symbol) == hipSuccess);
	IS(hipMalloc(&p, 256) == hipSuccess);
	IS(hipModuleLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr) == hipSuccess);
	IS(hipMemcpy(&v, p, 4, hipMemcpyDeviceToHost) == hipSuccess);
	return v;
}

static void right_calls(const char *target)
{
	static const char header[] = "static int value() { return 40; }\n";
	const char *headers[] = { header }, *names[] = { "value.h" };
	const char *options[] = { target, "-std=c++14", "-DMORE=0", "-I", "/usr/include" };
	const char *symbol[3];
	static const char *const expressions[] = { "set<2, int>", "&space::table", "&space::number" };
	hipDeviceptr_t table;
	hipModule_t module;
	hiprtcProgram p;
	size_t n;

	RIGHT(hiprtcCreateProgram(&p, source, "k.hip", 1, headers, names));
	for (const char *e : expressions)
		RIGHT(hiprtcAddNameExpression(p, e));
	RIGHT(hiprtcCompileProgram(p, 5, options));
	for (int i = 0; i < 3; i++)
		RIGHT(hiprtcGetLoweredName(p, expressions[i], &symbol[i]));
	WANT(hiprtcGetLoweredName(p, "plain", &symbol[0]), ERROR_NAME_EXPRESSION_NOT_VALID);
	RIGHT(hiprtcGetCodeSize(p, &n));
	char *code = (char *)malloc(n);
	RIGHT(hiprtcGetCode(p, code));
	IS(hipModuleLoadData(&module, code) == hipSuccess);
	IS(run(module, symbol[0]) == 42);
	IS(hipModuleGetGlobal(&table, &n, module, symbol[1]) == hipSuccess && n == 12);
	int seven = 7;
	IS(hipMemcpyHtoD(table, &seven, 4) == hipSuccess);
	IS(hipModuleGetGlobal(&table, &n, module, symbol[2]) == hipSuccess && n == 4);
	IS(run(module, "plain") == 7);
	RIGHT(hiprtcDestroyProgram(&p));
}

int main()
{
	wrong_calls();
	right_calls("--offload-arch=gfx900");
	right_calls("--gpu-architecture=gfx900:xnack-");
	printf("%d calls, %d wrong answers\n", calls, bad);
	return bad != 0;
}
