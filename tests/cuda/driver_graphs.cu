// Graphs, captures and pools of memory through CUDA's driver interface: nodes of each kind, parameters asked for and
// changed, a capture with a fork, copies of boxes and memory in it, and wrong calls.
#include <cuda.h>
#include <cstdio>
#include <cstring>

static const char ptx[] =
	".version 6.5\n.target sm_70\n.address_size 64\n"
	".visible .entry add(.param .u64 p, .param .u32 v)\n{\n"
	"	.reg .b32 %r<4>;\n	.reg .b64 %q<4>;\n"
	"	ld.param.u64 %q0, [p];\n	ld.param.u32 %r0, [v];\n	mov.u32 %r1, %tid.x;\n"
	"	mul.wide.u32 %q1, %r1, 4;\n	add.u64 %q0, %q0, %q1;\n"
	"	ld.global.u32 %r2, [%q0];\n	add.u32 %r2, %r2, %r0;\n	st.global.u32 [%q0], %r2;\n	ret;\n}\n";

static int bad, calls;
static void want(const char *call, int line, long long found, long long expected)
{
	calls++;
	if (found != expected)
		printf("line %d: %s: found %lld, expected %lld\n", line, call, found, expected);
	bad += found != expected;
}
#define WANT(call, error) want(#call, __LINE__, call, CUDA_##error)
#define RIGHT(call) WANT(call, SUCCESS)
#define IS(what, value) want(#what, __LINE__, (long long)(what), (long long)(value))

enum { N = 32 };
static void CUDA_CB count(void *n) { ++*(int *)n; }

static CUfunction function;
static CUcontext context;
static CUdeviceptr memory;
static int host[N];

static CUDA_KERNEL_NODE_PARAMS kernel(void **values)
{
	CUDA_KERNEL_NODE_PARAMS k = {};
	k.func = function;
	k.gridDimX = k.gridDimY = k.gridDimZ = k.blockDimY = k.blockDimZ = 1;
	k.blockDimX = N;
	k.kernelParams = values;
	return k;
}

// The first rows of 4 numbers each, to the host with a pitch of 8.
static CUDA_MEMCPY3D rows(int *to, size_t n)
{
	CUDA_MEMCPY3D c = {};
	c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
	c.srcDevice = memory;
	c.srcPitch = 16;
	c.dstMemoryType = CU_MEMORYTYPE_HOST;
	c.dstHost = to;
	c.dstPitch = 32;
	c.WidthInBytes = 16;
	c.Height = n;
	c.Depth = 1;
	return c;
}

static void built()
{
	int v = 3, n = 0, out[N] = {}, w = 5;
	void *values[] = { &memory, &v };
	CUDA_KERNEL_NODE_PARAMS k = kernel(values), asked = {};
	CUDA_MEMSET_NODE_PARAMS f = { memory, 0, 7, 4, N, 1 }, fill = {};
	CUDA_MEMCPY3D c = rows(out, 2);
	CUDA_HOST_NODE_PARAMS h = { count, &n };
	CUgraph graph, clone;
	CUgraphNode set, add, copy, call, wrong;
	CUgraphExec exec;
	CUgraphNodeType type;
	CUgraphExecUpdateResult how;
	size_t nodes = 0;

	RIGHT(cuGraphCreate(&graph, 0));
	WANT(cuGraphCreate(nullptr, 0), ERROR_INVALID_VALUE);
	RIGHT(cuGraphAddMemsetNode(&set, graph, nullptr, 0, &f, context));
	WANT(cuGraphAddMemsetNode(&set, graph, nullptr, 0, &f, (CUcontext)&n), ERROR_INVALID_VALUE);
	RIGHT(cuGraphAddKernelNode(&add, graph, &set, 1, &k));
	RIGHT(cuGraphAddMemcpyNode(&copy, graph, &add, 1, &c, context));
	RIGHT(cuGraphAddHostNode(&call, graph, &copy, 1, &h));
	RIGHT(cuGraphGetNodes(graph, nullptr, &nodes));
	IS(nodes, 4);
	RIGHT(cuGraphNodeGetType(copy, &type));
	IS(type, CU_GRAPH_NODE_TYPE_MEMCPY);
	RIGHT(cuGraphKernelNodeGetParams(add, &asked));
	IS(asked.func, function);
	IS(asked.blockDimX, N);
	IS(*(int *)asked.kernelParams[1], 3);
	RIGHT(cuGraphMemsetNodeGetParams(set, &fill));
	IS(fill.value, 7);
	WANT(cuGraphMemsetNodeGetParams(add, &fill), ERROR_INVALID_VALUE);
	k.func = (CUfunction)&n;
	WANT(cuGraphAddKernelNode(&wrong, graph, nullptr, 0, &k), ERROR_INVALID_VALUE);
	k.func = function;
	RIGHT(cuGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
	RIGHT(cuGraphLaunch(exec, nullptr));
	RIGHT(cuStreamSynchronize(nullptr));
	IS(n, 1);
	IS(out[0], 10);
	IS(out[3], 10);
	IS(out[4], 0);
	IS(out[8], 10);
	IS(out[16], 0);
	values[1] = &w;
	RIGHT(cuGraphExecKernelNodeSetParams(exec, add, &k));
	c.Height = 3;
	RIGHT(cuGraphExecMemcpyNodeSetParams(exec, copy, &c, context));
	RIGHT(cuGraphLaunch(exec, nullptr));
	IS(out[16], 12);
	RIGHT(cuGraphClone(&clone, graph));
	RIGHT(cuGraphExecUpdate(exec, clone, nullptr, &how));
	IS(how, CU_GRAPH_EXEC_UPDATE_SUCCESS);
	RIGHT(cuGraphLaunch(exec, nullptr));
	IS(out[0], 10);
	IS(n, 3);
	RIGHT(cuGraphExecDestroy(exec));
	WANT(cuGraphLaunch(exec, nullptr), ERROR_INVALID_VALUE);
	RIGHT(cuGraphDestroy(clone));
	RIGHT(cuGraphDestroy(graph));
	WANT(cuGraphDestroy(graph), ERROR_INVALID_VALUE);
}

static void captured()
{
	int v = 100, n = 0, out[N] = {};
	void *values[] = { &memory, &v };
	CUDA_MEMCPY3D c = rows(out, 4);
	CUstream stream, other;
	CUevent event;
	CUgraph graph;
	CUgraphExec exec;
	CUstreamCaptureStatus status;
	CUdeviceptr more;
	size_t nodes = 0;

	RIGHT(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	RIGHT(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
	RIGHT(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	RIGHT(cuMemsetD32(memory, 1, N));
	RIGHT(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	RIGHT(cuStreamIsCapturing(stream, &status));
	IS(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
	RIGHT(cuMemAllocAsync(&more, 4 * N, stream));
	RIGHT(cuMemsetD32Async(memory, 40, N, stream));
	RIGHT(cuEventRecord(event, stream));
	RIGHT(cuStreamWaitEvent(other, event, 0));
	RIGHT(cuLaunchKernel(function, 1, 1, 1, N, 1, 1, 0, other, values, nullptr));
	RIGHT(cuEventRecord(event, other));
	RIGHT(cuStreamWaitEvent(stream, event, 0));
	RIGHT(cuMemcpyDtoDAsync(more, memory, 4 * N, stream));
	c.srcDevice = more;
	RIGHT(cuMemcpy3DAsync(&c, stream));
	RIGHT(cuMemcpyDtoHAsync(host, more, 4 * N, stream));
	RIGHT(cuMemFreeAsync(more, stream));
	RIGHT(cuLaunchHostFunc(stream, count, &n));
	RIGHT(cuStreamEndCapture(stream, &graph));
	IS(out[0], 0);          // nothing has run
	IS(n, 0);
	RIGHT(cuGraphGetNodes(graph, nullptr, &nodes));
	IS(nodes, 8);
	RIGHT(cuGraphInstantiate(&exec, graph, 0));
	for (int i = 1; i < 3; i++) {
		RIGHT(cuGraphLaunch(exec, stream));
		RIGHT(cuStreamSynchronize(stream));
		IS(n, i);
		IS(out[24], 140);
		IS(out[28], 0);
		IS(host[N - 1], 140);
	}
	RIGHT(cuGraphExecDestroy(exec));
	RIGHT(cuGraphDestroy(graph));
	WANT(cuStreamEndCapture(stream, &graph), ERROR_ILLEGAL_STATE);
	RIGHT(cuStreamDestroy(stream));
	RIGHT(cuStreamDestroy(other));
}

// Fills of rows and of slices wait for the launch, as every work of a captured stream.
static void fills()
{
	struct { int word, value; } expected[] = { { 0, 0x07070707 }, { 1, 0 }, { 4, 0x07070707 }, { 8, 0x09090909 },
						   { 9, 0 }, { 10, 0 }, { 12, 0x09090909 }, { 14, 0 } };
	cudaPitchedPtr slices = make_cudaPitchedPtr((void *)(memory + 32), 8, 8, 2);
	int words[N];
	CUstream stream;
	CUgraph graph;
	CUgraphExec exec;

	RIGHT(cuMemsetD32(memory, 0, N));
	RIGHT(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	RIGHT(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	RIGHT(cuMemsetD2D8Async(memory, 16, 7, 4, 2, stream));
	IS(cudaMemset3DAsync(slices, 9, make_cudaExtent(4, 1, 2), (cudaStream_t)stream), cudaSuccess);
	IS(cudaMemset3DAsync(slices, 9, make_cudaExtent(9, 1, 2), (cudaStream_t)stream), cudaErrorInvalidPitchValue);
	RIGHT(cuStreamEndCapture(stream, &graph));
	RIGHT(cuMemcpyDtoH(words, memory, sizeof words));
	IS(words[0] | words[8], 0);
	RIGHT(cuGraphInstantiate(&exec, graph, 0));
	RIGHT(cuGraphLaunch(exec, stream));
	RIGHT(cuStreamSynchronize(stream));
	RIGHT(cuMemcpyDtoH(words, memory, sizeof words));
	for (auto e : expected)
		IS(words[e.word], e.value);
	RIGHT(cuGraphExecDestroy(exec));
	RIGHT(cuGraphDestroy(graph));
	RIGHT(cuStreamDestroy(stream));
}

static void pools()
{
	CUmemPoolProps props = {};
	CUmemoryPool pool, first, now;
	CUdeviceptr p;
	cuuint64_t used = 0;

	props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
	props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	RIGHT(cuMemPoolCreate(&pool, &props));
	RIGHT(cuDeviceGetDefaultMemPool(&first, 0));
	RIGHT(cuDeviceSetMemPool(0, pool));
	RIGHT(cuDeviceGetMemPool(&now, 0));
	IS(now, pool);
	RIGHT(cuMemAllocFromPoolAsync(&p, 1 << 20, pool, nullptr));
	RIGHT(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
	IS(used, 1 << 20);
	RIGHT(cuMemFreeAsync(p, nullptr));
	RIGHT(cuDeviceSetMemPool(0, first));
	RIGHT(cuMemPoolDestroy(pool));
	WANT(cuMemPoolDestroy(pool), ERROR_INVALID_VALUE);
	WANT(cuMemPoolDestroy(first), ERROR_INVALID_VALUE);
}

int main()
{
	CUmodule module;
	CUgraph graph;
	CUdevice device;

	WANT(cuGraphCreate(&graph, 0), ERROR_NOT_INITIALIZED);
	RIGHT(cuInit(0));
	WANT(cuGraphCreate(&graph, 0), ERROR_INVALID_CONTEXT);
	RIGHT(cuDeviceGet(&device, 0));
	RIGHT(cuDevicePrimaryCtxRetain(&context, device));
	RIGHT(cuCtxSetCurrent(context));
	RIGHT(cuModuleLoadData(&module, ptx));
	RIGHT(cuModuleGetFunction(&function, module, "add"));
	RIGHT(cuMemAlloc(&memory, 4 * N));
	built();
	captured();
	fills();
	pools();
	printf("%d calls, %d wrong answers\n", calls, bad);
	return bad != 0;
}
