// Calls of NVRTC, right and wrong, and what its options, headers and name expressions do.
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nvrtc.h>
#include <unistd.h>

static int bad, calls;

static void want(const char *call, int line, nvrtcResult found, nvrtcResult expected)
{
	calls++;
	if (found == expected)
		return;
	printf("line %d: %s: found %s, expected %s\n", line, call, nvrtcGetErrorString(found),
	       nvrtcGetErrorString(expected));
	bad++;
}
#define WANT(call, error) want(#call, __LINE__, call, NVRTC_##error)
#define RIGHT(call) want(#call, __LINE__, call, NVRTC_SUCCESS)

static void is(const char *what, int line, bool found)
{
	if (found)
		return;
	printf("line %d: not %s\n", line, what);
	bad++;
}
#define IS(what) is(#what, __LINE__, what)

static const char source[] =
	"\xef\xbb\xbf"         /* UTF-8's mark, as editors of Windows write */
	"#include \"sub/value.h\"\n"
	"namespace space { enum kind { ONE = 1, TWO }; __constant__ int table[3]; __device__ float number; }\n"
	"template <space::kind k, typename T> __global__ void set(T *p) { p[threadIdx.x] = value() + k + MORE; }\n"
	"static __global__ void hidden(int *p) { *p = 1; }\n"
	"extern \"C\" __global__ void plain(int *p) { assert(p); *p = space::table[0] + int(space::number); }\n";
static const char header[] = "static int value() { return 40; }\n";
static const char *const headers[] = { header }, *const names[] = { "sub/value.h" };

static char *log_of(nvrtcProgram p)
{
	size_t n = 0;
	RIGHT(nvrtcGetProgramLogSize(p, &n));
	char *text = (char *)calloc(n + 1, 1);
	RIGHT(nvrtcGetProgramLog(p, text));
	IS(strlen(text) + 1 == n);
	return text;
}

static void wrong_calls()
{
	nvrtcProgram p, gone;
	size_t n;
	int v;
	const char *text;
	const char *const no_arch[] = { "--gpu-architecture=big" }, *const no_value[] = { "-I" },
	      *const none[] = { nullptr }, *const unknown[] = { "--frobnicate=3" };

	WANT(nvrtcVersion(&v, nullptr), ERROR_INVALID_INPUT);
	RIGHT(nvrtcVersion(&v, &v));
	WANT(nvrtcGetNumSupportedArchs(nullptr), ERROR_INVALID_INPUT);
	RIGHT(nvrtcGetNumSupportedArchs(&v));
	IS(v > 5);
	WANT(nvrtcGetSupportedArchs(nullptr), ERROR_INVALID_INPUT);
	WANT(nvrtcCreateProgram(nullptr, source, "k.cu", 0, nullptr, nullptr), ERROR_INVALID_INPUT);
	WANT(nvrtcCreateProgram(&p, nullptr, "k.cu", 0, nullptr, nullptr), ERROR_INVALID_INPUT);
	WANT(nvrtcCreateProgram(&p, source, "k.cu", -1, nullptr, nullptr), ERROR_INVALID_INPUT);
	WANT(nvrtcCreateProgram(&p, source, "k.cu", 1, nullptr, nullptr), ERROR_INVALID_INPUT);
	WANT(nvrtcCreateProgram(&p, source, "k.cu", 1, headers, none), ERROR_INVALID_INPUT);
	const char *const outside[] = { "../../value.h" };
	WANT(nvrtcCreateProgram(&p, source, "k.cu", 1, headers, outside), ERROR_INVALID_INPUT);
	RIGHT(nvrtcCreateProgram(&p, "__global__ void k(int *p) { *p = wrong; }\n", nullptr, 0, nullptr, nullptr));
	WANT(nvrtcGetPTXSize(p, &n), ERROR_INVALID_PROGRAM);
	WANT(nvrtcAddNameExpression(p, nullptr), ERROR_INVALID_INPUT);
	WANT(nvrtcGetLoweredName(p, "k", &text), ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
	WANT(nvrtcCompileProgram(p, -1, nullptr), ERROR_INVALID_INPUT);
	WANT(nvrtcCompileProgram(p, 1, nullptr), ERROR_INVALID_INPUT);
	WANT(nvrtcCompileProgram(p, 1, no_arch), ERROR_INVALID_OPTION);
	IS(strstr(log_of(p), "invalid value for --gpu-architecture: big"));
	WANT(nvrtcCompileProgram(p, 1, no_value), ERROR_INVALID_OPTION);
	WANT(nvrtcCompileProgram(p, 1, none), ERROR_INVALID_OPTION);
	WANT(nvrtcCompileProgram(p, 1, unknown), ERROR_COMPILATION);
	IS(strstr(log_of(p), "option --frobnicate=3 is unknown here"));
	IS(strstr(log_of(p), "default_program"));
	text = strstr(log_of(p), "undeclared identifier 'wrong'");
	IS(text && !strstr(text + 1, "undeclared identifier 'wrong'"));
	WANT(nvrtcGetPTX(p, (char *)log_of(p)), ERROR_INVALID_PROGRAM);
	WANT(nvrtcAddNameExpression(p, "k"), ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
	WANT(nvrtcGetProgramLogSize(p, nullptr), ERROR_INVALID_INPUT);
	WANT(nvrtcGetProgramLog(p, nullptr), ERROR_INVALID_INPUT);
	gone = p;
	RIGHT(nvrtcDestroyProgram(&p));
	IS(!p);
	WANT(nvrtcDestroyProgram(&gone), ERROR_INVALID_PROGRAM);
	WANT(nvrtcDestroyProgram(nullptr), ERROR_INVALID_INPUT);
	WANT(nvrtcCompileProgram(gone, 0, nullptr), ERROR_INVALID_PROGRAM);
	WANT(nvrtcGetPTXSize(gone, &n), ERROR_INVALID_PROGRAM);
	WANT(nvrtcGetProgramLogSize(nullptr, &n), ERROR_INVALID_PROGRAM);
	RIGHT(nvrtcCreateProgram(&p, source, "k.cu", 1, headers, names));
	RIGHT(nvrtcAddNameExpression(p, "no_such_kernel"));
	const char *const more[] = { "-DMORE=1" };
	WANT(nvrtcCompileProgram(p, 1, more), ERROR_COMPILATION);
	IS(strstr(log_of(p), "name expression 0"));
	RIGHT(nvrtcDestroyProgram(&p));
}

// Functions alone, for a link of several; headers below TMPDIR, whose folder an error names.
static void parts()
{
	static const char *const wrong_header[] = { "#error here\n" }, *const name[] = { "wrong.h" };
	const char *const options[] = { "-rdc=true" };
	char folder[] = "/tmp/nvrtc-XXXXXX";
	nvrtcProgram p;
	size_t n;

	RIGHT(nvrtcCreateProgram(&p, "__device__ int add(int a, int b) { return a + b; }\n", "a.cu", 0, nullptr, nullptr));
	RIGHT(nvrtcCompileProgram(p, 1, options));
	RIGHT(nvrtcGetPTXSize(p, &n));
	char *ptx = (char *)malloc(n);
	RIGHT(nvrtcGetPTX(p, ptx));
	IS(strstr(ptx, ".func") && !strstr(ptx, ".entry"));
	free(ptx);
	RIGHT(nvrtcDestroyProgram(&p));
	IS(mkdtemp(folder) && !setenv("TMPDIR", folder, 1));
	RIGHT(nvrtcCreateProgram(&p, "#include \"wrong.h\"\n", "b.cu", 1, wrong_header, name));
	WANT(nvrtcCompileProgram(p, 0, nullptr), ERROR_COMPILATION);
	IS(strstr(log_of(p), folder));
	RIGHT(nvrtcDestroyProgram(&p));
	unsetenv("TMPDIR");
	IS(!rmdir(folder));
}

static int run(CUmodule m, const char *symbol)
{
	CUfunction f;
	CUdeviceptr p;
	int v = -1;
	void *params[] = { &p };

	IS(cuModuleGetFunction(&f, m, symbol) == CUDA_SUCCESS);
	IS(cuMemAlloc(&p, 128) == CUDA_SUCCESS);
	IS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr) == CUDA_SUCCESS);
	IS(cuMemcpyDtoH(&v, p, 4) == CUDA_SUCCESS);
	cuMemFree(p);
	return v;
}

static void right_calls()
{
	static const char *const expressions[] = { "set<space::TWO, int>", "&hidden", "&space::table", "space::number",
						   "plain" };
	const char *const options[] = { "-arch", "sm_75", "--std=c++14", "-lineinfo", "--use_fast_math",
					"-default-device", "--define-macro=MORE=0", "-I", "/usr/include" };
	const char *symbol[5];
	nvrtcProgram p;
	size_t n, m;
	CUcontext c;
	CUmodule module;
	CUdeviceptr table;

	RIGHT(nvrtcCreateProgram(&p, source, "k.cu", 1, headers, names));
	for (int i = 0; i < 4; i++)
		RIGHT(nvrtcAddNameExpression(p, i == 3 ? "&space::number" : expressions[i]));
	RIGHT(nvrtcCompileProgram(p, 9, options));
	for (int i = 0; i < 4; i++)
		RIGHT(nvrtcGetLoweredName(p, i == 3 ? "&space::number" : expressions[i], &symbol[i]));
	WANT(nvrtcGetLoweredName(p, "plain", &symbol[4]), ERROR_NAME_EXPRESSION_NOT_VALID);
	RIGHT(nvrtcGetPTXSize(p, &n));
	RIGHT(nvrtcGetCUBINSize(p, &m));
	IS(n == m && n > 100);
	char *ptx = (char *)malloc(n);
	RIGHT(nvrtcGetPTX(p, ptx));
	IS(strlen(ptx) + 1 == n && !strstr(ptx, "warpbeam_name"));
	IS(cuInit(0) == CUDA_SUCCESS && cuDevicePrimaryCtxRetain(&c, 0) == CUDA_SUCCESS);
	IS(cuCtxSetCurrent(c) == CUDA_SUCCESS);
	IS(cuModuleLoadData(&module, ptx) == CUDA_SUCCESS);
	IS(run(module, symbol[0]) == 42);
	IS(run(module, symbol[1]) == 1);
	IS(cuModuleGetGlobal(&table, &m, module, symbol[2]) == CUDA_SUCCESS && m == 12);
	IS(cuMemcpyHtoD(table, &bad, 4) == CUDA_SUCCESS);
	IS(cuModuleGetGlobal(&table, &m, module, symbol[3]) == CUDA_SUCCESS && m == 4);
	IS(run(module, "plain") == bad);
	RIGHT(nvrtcDestroyProgram(&p));
}

int main()
{
	wrong_calls();
	right_calls();
	parts();
	printf("%d calls, %d wrong answers\n", calls, bad);
	return bad != 0;
}
