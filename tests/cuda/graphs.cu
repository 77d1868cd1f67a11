// Graphs, captures of streams and memory in the order of a stream: right calls with their results, and wrong ones, each
// with its error.
#include <cstdio>
#include <cstring>

enum { N = 64, BYTES = 4 * N };
__device__ int scale[2] = { 3, 0 };
__global__ void multiply(int *p, int by) { p[threadIdx.x] *= by; }
__global__ void add(int *p, const int *q, int v) { p[threadIdx.x] += q[threadIdx.x] * scale[0] + v; }

static int bad, calls;
static int *d, *q, h[N], seen[8], nseen;
static cudaStream_t stream, other;
static cudaEvent_t event, joined;
static cudaGraph_t graph;
static cudaGraphExec_t exec;

static void want(int line, const char *what, cudaError_t found, cudaError_t expected)
{
	calls++;
	cudaGetLastError();
	if (found == expected)
		return;
	printf("line %d: %s: found %s, expected %s\n", line, what, cudaGetErrorName(found), cudaGetErrorName(expected));
	bad++;
}
#define WANT(call, error) want(__LINE__, #call, call, error)
#define RIGHT(call) WANT(call, cudaSuccess)

static void value(int line, const char *what, long long found, long long expected)
{
	if (found == expected)
		return;
	printf("line %d: %s: found %lld, expected %lld\n", line, what, found, expected);
	bad++;
}
#define VALUE(found, expected) value(__LINE__, #found, (long long)(found), (long long)(expected))

static void note(void *context)
{
	if (nseen < 8)
		seen[nseen++] = *(int *)context;
}

static void start(int v)
{
	for (int i = 0; i < N; i++)
		h[i] = v;
	RIGHT(cudaMemcpy(d, h, BYTES, cudaMemcpyHostToDevice));
}

static int result()
{
	RIGHT(cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost));
	for (int i = 1; i < N; i++)
		if (h[i] != h[0])
			return -1;
	return h[0];
}

static cudaKernelNodeParams multiplying(int *by)
{
	static void *arguments[2];
	cudaKernelNodeParams p = {};

	arguments[0] = &d;
	arguments[1] = by;
	p.func = (void *)multiply;
	p.gridDim = dim3(1);
	p.blockDim = dim3(N);
	p.kernelParams = arguments;
	return p;
}

// Nodes added by calls, edges, parameters asked and given.
static void manual()
{
	cudaGraphNode_t fill, first, second, host, empty, nodes[8], from[8], to[8], stale;
	int by = 5, context = 7;
	size_t n = 8;
	cudaGraphNodeType type;
	cudaMemsetParams m = {};
	cudaHostNodeParams hp = { note, &context };
	cudaKernelNodeParams k = multiplying(&by), asked;

	WANT(cudaGraphCreate(nullptr, 0), cudaErrorInvalidValue);
	WANT(cudaGraphCreate(&graph, 1), cudaErrorInvalidValue);
	RIGHT(cudaGraphCreate(&graph, 0));
	m.dst = d;
	m.elementSize = 4;
	m.width = N;
	m.height = 1;
	m.value = 2;
	RIGHT(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &k));
	by = 7;         // a node has the values of its making
	RIGHT(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &m));
	RIGHT(cudaGraphAddDependencies(graph, &fill, &first, 1));
	WANT(cudaGraphAddDependencies(graph, &fill, &first, 1), cudaErrorInvalidValue);
	WANT(cudaGraphAddDependencies(graph, &fill, &fill, 1), cudaErrorInvalidValue);
	RIGHT(cudaGraphAddKernelNode(&second, graph, &first, 1, &k));
	RIGHT(cudaGraphAddHostNode(&host, graph, &second, 1, &hp));
	RIGHT(cudaGraphAddEmptyNode(&empty, graph, &host, 1));
	RIGHT(cudaGraphGetNodes(graph, nodes, &n));
	VALUE(n, 5);
	VALUE(nodes[0] == first && nodes[4] == empty, 1);
	n = 8;
	RIGHT(cudaGraphGetRootNodes(graph, nodes, &n));
	VALUE(n == 1 && nodes[0] == fill, 1);
	RIGHT(cudaGraphGetEdges(graph, nullptr, nullptr, &n));
	VALUE(n, 4);
	RIGHT(cudaGraphGetEdges(graph, from, to, &n));
	VALUE(from[0] == fill && to[0] == first, 1);
	n = 8;
	RIGHT(cudaGraphNodeGetDependencies(second, nodes, &n));
	VALUE(n == 1 && nodes[0] == first, 1);
	RIGHT(cudaGraphNodeGetDependentNodes(second, nullptr, &n));
	VALUE(n, 1);
	RIGHT(cudaGraphNodeGetType(fill, &type));
	VALUE(type, cudaGraphNodeTypeMemset);
	RIGHT(cudaGraphKernelNodeGetParams(second, &asked));
	VALUE(asked.func == (void *)multiply && asked.blockDim.x == N && *(int *)asked.kernelParams[1] == 7, 1);
	WANT(cudaGraphKernelNodeGetParams(fill, &asked), cudaErrorInvalidValue);
	RIGHT(cudaGraphMemsetNodeGetParams(fill, &m));
	VALUE(m.value, 2);
	RIGHT(cudaGraphHostNodeGetParams(host, &hp));
	VALUE(hp.userData == &context, 1);

	RIGHT(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
	nseen = 0;
	RIGHT(cudaGraphLaunch(exec, stream));
	VALUE(result(), 2 * 5 * 7);
	VALUE(nseen == 1 && seen[0] == 7, 1);
	by = 10;
	RIGHT(cudaGraphExecKernelNodeSetParams(exec, second, &k));
	RIGHT(cudaGraphLaunch(exec, nullptr));
	VALUE(result(), 2 * 5 * 10);
	m.value = 3;
	RIGHT(cudaGraphExecMemsetNodeSetParams(exec, fill, &m));
	RIGHT(cudaGraphLaunch(exec, stream));
	VALUE(result(), 3 * 5 * 10);
	WANT(cudaGraphExecMemsetNodeSetParams(exec, first, &m), cudaErrorInvalidValue);
	RIGHT(cudaGraphKernelNodeSetParams(first, &k));
#ifdef __HIP__
	RIGHT(cudaGraphExecUpdate(exec, graph, nodes, nullptr));
#else
	cudaGraphExecUpdateResult updated;
	RIGHT(cudaGraphExecUpdate(exec, graph, nodes, &updated));
	VALUE(updated, cudaGraphExecUpdateSuccess);
#endif
	RIGHT(cudaGraphLaunch(exec, stream));
	VALUE(result(), 2 * 10 * 7);
	RIGHT(cudaGraphRemoveDependencies(graph, &host, &empty, 1));
	WANT(cudaGraphRemoveDependencies(graph, &host, &empty, 1), cudaErrorInvalidValue);
	WANT(cudaGraphExecUpdate(exec, graph, nodes, nullptr), cudaErrorGraphExecUpdateFailure);
	stale = empty;
	RIGHT(cudaGraphDestroyNode(empty));
	WANT(cudaGraphDestroyNode(stale), cudaErrorInvalidValue);
	WANT(cudaGraphAddEmptyNode(&empty, graph, &stale, 1), cudaErrorInvalidValue);
	WANT(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, nullptr), cudaErrorInvalidValue);
	m.elementSize = 3;
	WANT(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &m), cudaErrorInvalidValue);
	k.func = (void *)note;
	WANT(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &k), cudaErrorInvalidDeviceFunction);
	RIGHT(cudaGraphAddDependencies(graph, &second, &first, 1));      // a circle
	cudaGraphExec_t none;
	WANT(cudaGraphInstantiate(&none, graph, nullptr, nullptr, 0), cudaErrorInvalidValue);
	RIGHT(cudaGraphExecDestroy(exec));
	WANT(cudaGraphExecDestroy(exec), cudaErrorInvalidValue);
	WANT(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);
	cudaGraph_t gone = graph;
	RIGHT(cudaGraphDestroy(graph));
	WANT(cudaGraphDestroy(gone), cudaErrorInvalidValue);
	WANT(cudaGraphGetNodes(gone, nullptr, &n), cudaErrorInvalidValue);
}

// Copies of each form, a child graph, a clone, events.
static void copies()
{
	cudaGraphNode_t a, b, c, e, in_clone;
	cudaGraph_t outer, clone, child;
	int twice = 2, out[N];
	cudaMemcpy3DParms box = {};
	cudaMemcpy3DParms asked = {};

	for (int i = 0; i < N; i++)
		h[i] = 4;
	RIGHT(cudaGraphCreate(&graph, 0));
	RIGHT(cudaGraphAddMemcpyNode1D(&a, graph, nullptr, 0, d, h, BYTES, cudaMemcpyHostToDevice));
	WANT(cudaGraphAddMemcpyNode1D(&a, graph, nullptr, 0, d, nullptr, BYTES, cudaMemcpyHostToDevice),
	     cudaErrorInvalidValue);
	RIGHT(cudaGraphAddMemcpyNodeToSymbol(&c, graph, &a, 1, &scale, &twice, 4, 0, cudaMemcpyHostToDevice));
	WANT(cudaGraphAddMemcpyNodeToSymbol(&c, graph, &a, 1, &scale, &twice, 4, 5, cudaMemcpyHostToDevice),
	     cudaErrorInvalidValue);
	void *arguments[3] = { &d, &q, &twice };
	cudaKernelNodeParams k = multiplying(&twice);
	k.func = (void *)add;
	k.kernelParams = arguments;
	RIGHT(cudaGraphAddKernelNode(&b, graph, &c, 1, &k));

	RIGHT(cudaGraphCreate(&outer, 0));
	RIGHT(cudaGraphAddChildGraphNode(&a, outer, nullptr, 0, graph));
	WANT(cudaGraphAddChildGraphNode(&a, outer, nullptr, 0, outer), cudaErrorInvalidValue);
	RIGHT(cudaGraphChildGraphNodeGetGraph(a, &child));
	WANT(cudaGraphDestroy(child), cudaErrorInvalidValue);
	RIGHT(cudaGraphDestroy(graph));          // the child is a copy
	box.srcPtr.ptr = d;
	box.dstPtr.ptr = out;
	box.srcPtr.pitch = box.dstPtr.pitch = box.extent.width = 16;
	box.extent.height = N / 4;
	box.extent.depth = 1;
	box.kind = cudaMemcpyDeviceToHost;
	RIGHT(cudaGraphAddMemcpyNode(&b, outer, &a, 1, &box));
	RIGHT(cudaGraphMemcpyNodeGetParams(b, &asked));
	VALUE(asked.extent.height, N / 4);
	RIGHT(cudaGraphAddEventRecordNode(&e, outer, &b, 1, event));
	WANT(cudaGraphAddEventWaitNode(&e, outer, &b, 1, nullptr), cudaErrorInvalidValue);
	RIGHT(cudaGraphAddEventWaitNode(&c, outer, &e, 1, event));
	RIGHT(cudaGraphClone(&clone, outer));
	RIGHT(cudaGraphNodeFindInClone(&in_clone, b, clone));
	VALUE(in_clone != b, 1);
	WANT(cudaGraphNodeFindInClone(&in_clone, in_clone, outer), cudaErrorInvalidValue);
	for (int i = 0; i < 2; i++) {
		memset(out, 0, sizeof out);
		RIGHT(cudaGraphInstantiate(&exec, i ? clone : outer, nullptr, nullptr, 0));
		RIGHT(cudaGraphLaunch(exec, stream));
		VALUE(out[0], 4 + 1 * 2 + 2);
		VALUE(out[N - 1], 8);
		RIGHT(cudaGraphExecDestroy(exec));
	}
	RIGHT(cudaGraphDestroy(outer));
	RIGHT(cudaGraphDestroy(clone));
}

// Calls in a stream, forked to another and joined.
static void captured()
{
	cudaStreamCaptureStatus status;
	int three = 3, out[N];
	size_t n;

	start(1);
	WANT(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
	WANT(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)3), cudaErrorInvalidValue);
	WANT(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
	RIGHT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	WANT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
	RIGHT(cudaStreamIsCapturing(stream, &status));
	VALUE(status, cudaStreamCaptureStatusActive);
	RIGHT(cudaStreamIsCapturing(other, &status));
	VALUE(status, cudaStreamCaptureStatusNone);
	multiply<<<1, N, 0, stream>>>(d, 3);
	RIGHT(cudaEventRecord(event, stream));
	RIGHT(cudaStreamWaitEvent(other, event, 0));
	RIGHT(cudaStreamIsCapturing(other, &status));
	VALUE(status, cudaStreamCaptureStatusActive);
	RIGHT(cudaMemcpyToSymbolAsync(scale, &three, 4, 0, cudaMemcpyHostToDevice, other));
	RIGHT(cudaEventRecord(joined, other));
	RIGHT(cudaLaunchHostFunc(stream, note, &three));
	RIGHT(cudaStreamWaitEvent(stream, joined, 0));
	add<<<1, N, 0, stream>>>(d, q, 100);
	RIGHT(cudaMemcpyAsync(out, d, BYTES, cudaMemcpyDeviceToHost, stream));
	RIGHT(cudaMemsetAsync(d, 0, 4, stream));
	RIGHT(cudaStreamEndCapture(stream, &graph));
	RIGHT(cudaGraphGetNodes(graph, nullptr, &n));
	VALUE(n, 6);
	VALUE(result(), 1);             // no work has been done
	RIGHT(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	nseen = 0;
	RIGHT(cudaGraphLaunch(exec, stream));
	VALUE(out[5], 1 * 3 + 1 * 3 + 100);
	VALUE(nseen, 1);
	RIGHT(cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost));
	VALUE(h[0] == 0 && h[1] == 106, 1);

	start(2);       // a launch in a capture is a child graph
	RIGHT(cudaStreamBeginCapture(other, cudaStreamCaptureModeRelaxed));
	RIGHT(cudaGraphLaunch(exec, other));
	cudaGraph_t outer;
	cudaGraphExec_t outer_exec;
	RIGHT(cudaStreamEndCapture(other, &outer));
	RIGHT(cudaGraphInstantiateWithFlags(&outer_exec, outer, 0));
	RIGHT(cudaGraphLaunch(outer_exec, stream));
	VALUE(out[5], 2 * 3 + 3 + 100);
	RIGHT(cudaGraphExecDestroy(outer_exec));
	RIGHT(cudaGraphDestroy(outer));
	RIGHT(cudaGraphExecDestroy(exec));
	RIGHT(cudaGraphDestroy(graph));
}

static void begin_capture()
{
	RIGHT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	multiply<<<1, N, 0, stream>>>(d, 3);
}

// What ends a capture, and what a capture may not do.
static void wrong_captures()
{
	cudaStreamCaptureStatus status;
	cudaStream_t apart;

	begin_capture();
	WANT(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
	RIGHT(cudaStreamIsCapturing(stream, &status));
	VALUE(status, cudaStreamCaptureStatusInvalidated);
	multiply<<<1, N, 0, stream>>>(d, 3);
	WANT(cudaPeekAtLastError(), cudaErrorStreamCaptureInvalidated);
	WANT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
	VALUE(graph == nullptr, 1);
	begin_capture();
	WANT(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
	WANT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
	begin_capture();
	multiply<<<1, N>>>(d, 3);       // the legacy stream would wait for the capture
	WANT(cudaPeekAtLastError(), cudaErrorStreamCaptureImplicit);
	WANT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
	begin_capture();
	RIGHT(cudaEventRecord(event, stream));
	WANT(cudaEventSynchronize(event), cudaErrorCapturedEvent);
	WANT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
	begin_capture();
	RIGHT(cudaEventRecord(event, stream));
	RIGHT(cudaStreamWaitEvent(other, event, 0));
	WANT(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
	WANT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
	begin_capture();
	RIGHT(cudaEventRecord(event, stream));
	RIGHT(cudaStreamWaitEvent(other, event, 0));
	multiply<<<1, N, 0, other>>>(d, 3);
	WANT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
	RIGHT(cudaEventRecord(event, other));   // the capture is over in both streams
	begin_capture();
	WANT(cudaStreamWaitEvent(stream, event, 0), cudaErrorStreamCaptureIsolation);
	WANT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
	RIGHT(cudaStreamBeginCapture(other, cudaStreamCaptureModeRelaxed));
	RIGHT(cudaEventRecord(event, other));
	begin_capture();
	WANT(cudaStreamWaitEvent(stream, event, 0), cudaErrorStreamCaptureMerge);
	WANT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
	RIGHT(cudaStreamEndCapture(other, &graph));
	RIGHT(cudaGraphDestroy(graph));
	RIGHT(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
	RIGHT(cudaStreamBeginCapture(apart, cudaStreamCaptureModeThreadLocal));
	start(5);
	multiply<<<1, N>>>(d, 3);       // does not wait for that stream
	RIGHT(cudaPeekAtLastError());
	VALUE(result(), 15);
	RIGHT(cudaStreamDestroy(apart));
	RIGHT(cudaDeviceSynchronize());
}

// Memory that a stream allocates, and its pools.
static void pools()
{
	cudaMemPool_t own, pool, found;
	cudaMemPoolProps p = {};
	unsigned long long bytes = 0, zero = 0;
	int *a, *b, on = -1;

	RIGHT(cudaDeviceGetDefaultMemPool(&own, 0));
	WANT(cudaDeviceGetDefaultMemPool(&own, 1), cudaErrorInvalidDevice);
	RIGHT(cudaMallocAsync((void **)&a, 1000, stream));
	RIGHT(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &bytes));
	VALUE(bytes, 1000);
	RIGHT(cudaMemsetAsync(a, 0, 1000, stream));
	WANT(cudaMallocAsync((void **)&b, 0, stream), cudaErrorInvalidValue);
	RIGHT(cudaFreeAsync(a, stream));
	WANT(cudaFreeAsync(a, stream), cudaErrorInvalidValue);
	RIGHT(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &bytes));
	VALUE(bytes, 0);
	RIGHT(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemHigh, &bytes));
	VALUE(bytes, 1000);
	RIGHT(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &zero));
	WANT(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &bytes), cudaErrorInvalidValue);
	WANT(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &zero), cudaErrorInvalidValue);
	RIGHT(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &on));
	VALUE(on, 1);
	bytes = 1 << 20;
	RIGHT(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &bytes));
	WANT(cudaMemPoolCreate(&pool, &p), cudaErrorInvalidValue);
	p.allocType = cudaMemAllocationTypePinned;
	p.location.type = cudaMemLocationTypeDevice;
	RIGHT(cudaMemPoolCreate(&pool, &p));
	RIGHT(cudaMallocFromPoolAsync((void **)&a, 64, pool, stream));
	RIGHT(cudaDeviceSetMemPool(0, pool));
	RIGHT(cudaDeviceGetMemPool(&found, 0));
	VALUE(found == pool, 1);
	RIGHT(cudaMallocAsync((void **)&b, 36, stream));
	RIGHT(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes));
	VALUE(bytes, 100);
	RIGHT(cudaMemPoolTrimTo(pool, 0));
	RIGHT(cudaMemPoolDestroy(pool));
	WANT(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
	WANT(cudaMemPoolDestroy(own), cudaErrorInvalidValue);
	WANT(cudaMallocFromPoolAsync((void **)&found, 64, pool, stream), cudaErrorInvalidValue);
	RIGHT(cudaFree(a));
	RIGHT(cudaFreeAsync(b, stream));
	RIGHT(cudaDeviceGetMemPool(&found, 0));
	VALUE(found == own, 1);
}

// Memory that graphs allocate: at one address for all launches, until freed.
static void graph_memory()
{
	int *p, *outside;
	cudaGraphNode_t node;

	RIGHT(cudaMallocAsync((void **)&outside, BYTES, stream));
	RIGHT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	RIGHT(cudaMallocAsync((void **)&p, BYTES, stream));
	RIGHT(cudaMemcpyAsync(p, d, BYTES, cudaMemcpyDeviceToDevice, stream));
	add<<<1, N, 0, stream>>>(d, p, 0);
	RIGHT(cudaFreeAsync(p, stream));
	RIGHT(cudaStreamEndCapture(stream, &graph));
	RIGHT(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	start(1);
	RIGHT(cudaMemset(outside, 0, BYTES));
	for (int i = 0; i < 3; i++)
		RIGHT(cudaGraphLaunch(exec, stream));
	VALUE(result(), 4 * 4 * 4);     // scale is 3
	WANT(cudaFree(p), cudaErrorInvalidValue);
	RIGHT(cudaGraphExecDestroy(exec));
	RIGHT(cudaGraphDestroy(graph));

	RIGHT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	RIGHT(cudaMallocAsync((void **)&p, BYTES, stream));
	RIGHT(cudaMemcpyAsync(p, d, BYTES, cudaMemcpyDeviceToDevice, stream));
	RIGHT(cudaStreamEndCapture(stream, &graph));
	WANT(cudaGraphClone(&graph, graph), cudaErrorNotSupported);
	RIGHT(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	RIGHT(cudaGraphLaunch(exec, stream));
	WANT(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);      // not freed
	RIGHT(cudaGraphExecDestroy(exec));
	RIGHT(cudaGraphDestroy(graph));
	RIGHT(cudaMemcpy(h, p, BYTES, cudaMemcpyDeviceToHost));         // outlives the graph
	VALUE(h[0], 64);
	RIGHT(cudaFree(p));
	WANT(cudaFree(p), cudaErrorInvalidValue);
	RIGHT(cudaGraphCreate(&graph, 0));
	RIGHT(cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, outside));
	RIGHT(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	RIGHT(cudaGraphLaunch(exec, stream));
	WANT(cudaFree(outside), cudaErrorInvalidValue);
	WANT(cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, outside), cudaErrorInvalidValue);
	RIGHT(cudaGraphExecDestroy(exec));
	RIGHT(cudaGraphDestroy(graph));
}

// Rows become nodes too, of memory and of arrays.
static void captured_rows()
{
	cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
	cudaArray_t array;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	size_t n;
	int rows[8] = {};

	start(4);
	RIGHT(cudaMallocArray(&array, &desc, 4, 2));
	RIGHT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	RIGHT(cudaMemset2DAsync(d, 32, 1, 4, 2, stream));       // the first word of each row of 8
	RIGHT(cudaMemcpy2DToArrayAsync(array, 4, 0, d, 32, 12, 2, cudaMemcpyDeviceToDevice, stream));
	RIGHT(cudaMemcpy2DFromArrayAsync(rows, 16, array, 4, 0, 8, 2, cudaMemcpyDeviceToHost, stream));
	WANT(cudaMemset2DAsync(d, 2, 1, 4, 2, stream), cudaErrorInvalidPitchValue);
	RIGHT(cudaStreamEndCapture(stream, &graph));
	RIGHT(cudaGraphGetNodes(graph, nullptr, &n));
	VALUE(n, 3);
	VALUE(rows[0], 0);
	RIGHT(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	RIGHT(cudaGraphLaunch(exec, stream));
	VALUE(rows[0], 0x01010101);
	VALUE(rows[1], 4);
	VALUE(rows[2], 0);
	VALUE(rows[4], 0x01010101);
	RIGHT(cudaGraphExecDestroy(exec));
	RIGHT(cudaGraphDestroy(graph));
	RIGHT(cudaFreeArray(array));
}

int main()
{
	RIGHT(cudaMalloc((void **)&d, BYTES));
	RIGHT(cudaMalloc((void **)&q, BYTES));
	for (int i = 0; i < N; i++)
		h[i] = 1;
	RIGHT(cudaMemcpy(q, h, BYTES, cudaMemcpyHostToDevice));
	RIGHT(cudaStreamCreate(&stream));
	RIGHT(cudaStreamCreate(&other));
	RIGHT(cudaEventCreate(&event));
	RIGHT(cudaEventCreate(&joined));
	manual();
	copies();
	captured();
	captured_rows();
	wrong_captures();
	pools();
	graph_memory();
	RIGHT(cudaDeviceSynchronize());
	printf("%d calls, %d wrong answers\n", calls, bad);
	return bad != 0;
}
