// Wrong calls: each returns an error value, nothing is lost, and what is right goes on working.
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <sys/wait.h>

__device__ int variable[4];
__global__ void set(int *p, int v) { p[threadIdx.x] = v + variable[threadIdx.x & 3]; }
__global__ void far(int *p) { p[1 << 28] = 1; }

static int bad;

static void want(const char *what, cudaError_t found, cudaError_t expected)
{
	if (found == expected && cudaPeekAtLastError() == expected && cudaGetLastError() == expected)
		return;
	printf("%s: found %s, expected %s\n", what, cudaGetErrorName(found), cudaGetErrorName(expected));
	bad++;
}
#define WANT(call, error) want(#call, call, error)

static void not_a_kernel() {}

int main()
{
	int *p, *managed, h[64] = { 0 }, n;
	unsigned flags = 9;
	cudaStream_t stream, stale;
	cudaEvent_t event, unused;
	float ms;
	struct cudaDeviceProp prop;
	struct cudaFuncAttributes attributes;

	WANT(cudaMalloc(&p, sizeof h), cudaSuccess);
	WANT(cudaMalloc((void **)nullptr, 4), cudaErrorInvalidValue);
	WANT(cudaFree((char *)p + 4), cudaErrorInvalidValue);
	WANT(cudaFree(nullptr), cudaSuccess);
	WANT(cudaMemcpy(p, h, sizeof h + 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	WANT(cudaMemcpy((char *)p + 200, h, 57, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	WANT(cudaMemcpy(h, p, sizeof h, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	WANT(cudaMemcpy(h, p, sizeof h, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
	WANT(cudaMemcpy(p, h, sizeof h, cudaMemcpyDefault), cudaSuccess);
	WANT(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
	WANT(cudaMemcpy2D(p, 8, h, 16, 12, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
	WANT(cudaMemcpy(h, p, sizeof h, cudaMemcpyHostToHost), cudaErrorInvalidValue);
	WANT(cudaMemcpy(h, p, (size_t)-1 / 2, cudaMemcpyDefault), cudaErrorInvalidValue);
	WANT(cudaMemcpy2D(p, 8, h, 16, 0, (size_t)-1, cudaMemcpyHostToDevice), cudaSuccess);
	WANT(cudaMemcpy2D(p, 8, h, 16, 0, 0, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
	WANT(cudaMemcpy2D(p, (size_t)1 << 63, h, 4, 4, 3, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	h[0] = 77;
	WANT(cudaMemcpy2D(p, 64, h, 4, 4, 5, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	WANT(cudaMemcpy(h, p, 4, cudaMemcpyDeviceToHost), cudaSuccess);
	bad += h[0] == 77;      // no byte moves of a copy that does not fit
	WANT(cudaMemset(p, 1, sizeof h + 4), cudaErrorInvalidValue);
	WANT(cudaMemset(h, 1, sizeof h), cudaErrorInvalidValue);
	WANT(cudaMemcpyToSymbol(variable, h, 17), cudaErrorInvalidValue);
	WANT(cudaMemcpyToSymbol(variable, h, 8, 12), cudaErrorInvalidValue);
	WANT(cudaMemcpyToSymbol(h, h, 4), cudaErrorInvalidSymbol);
	WANT(cudaSetDevice(1), cudaErrorInvalidDevice);
	WANT(cudaDeviceDisablePeerAccess(1), cudaErrorInvalidDevice);
	WANT(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrAccessSupported, 0, 1), cudaErrorInvalidDevice);
	WANT(cudaSetDevice(0), cudaSuccess);
	WANT(cudaGetDeviceProperties(&prop, 1), cudaErrorInvalidDevice);
	WANT(cudaGetDeviceProperties(&prop, 0), cudaSuccess);
	WANT(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0), cudaSuccess);
	bad += n != prop.warpSize || n != 32;
#ifndef __HIP__
	WANT(cudaDeviceGetAttribute(&n, cudaDevAttrMaxSurfaceCubemapLayeredLayers, 0), cudaSuccess);
	bad += !n || n != prop.maxSurfaceCubemapLayered[1];
	WANT(cudaDeviceGetAttribute(&n, cudaDevAttrMaxTexture2DLinearPitch, 0), cudaSuccess);
	bad += !n || n != prop.maxTexture2DLinear[2];
	WANT(cudaDeviceGetAttribute(&n, cudaDevAttrHostNativeAtomicSupported, 0), cudaSuccess);
	bad += n != 0;
#endif
	WANT(cudaFuncGetAttributes(&attributes, set), cudaSuccess);
	WANT(cudaFuncGetAttributes(&attributes, not_a_kernel), cudaErrorInvalidDeviceFunction);
	WANT(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
	WANT(cudaStreamGetFlags(stream, &flags), cudaSuccess);
	bad += flags != cudaStreamNonBlocking;
	WANT(cudaStreamGetFlags(stream, nullptr), cudaErrorInvalidValue);
	WANT(cudaStreamGetPriority(nullptr, &n), cudaSuccess);
	bad += n != 0;
	WANT(cudaMallocManaged(&managed, 64), cudaSuccess);
	WANT(cudaStreamAttachMemAsync(stream, managed), cudaSuccess);
	WANT(cudaStreamAttachMemAsync(stream, managed, 64, cudaMemAttachGlobal), cudaSuccess);
	WANT(cudaStreamAttachMemAsync(stream, managed, 32), cudaErrorInvalidValue);
	WANT(cudaStreamAttachMemAsync(stream, managed, 0, 3), cudaErrorInvalidValue);
	WANT(cudaStreamAttachMemAsync(nullptr, managed), cudaErrorInvalidValue);
	WANT(cudaStreamAttachMemAsync(stream, p), cudaErrorInvalidValue);
	stale = stream;
	WANT(cudaStreamDestroy(stream), cudaSuccess);
	WANT(cudaStreamDestroy(stale), cudaErrorInvalidResourceHandle);
	WANT(cudaStreamSynchronize(stale), cudaErrorInvalidResourceHandle);
	WANT(cudaStreamGetPriority(stale, &n), cudaErrorInvalidResourceHandle);
	WANT(cudaStreamAttachMemAsync(stale, managed), cudaErrorInvalidResourceHandle);
	WANT(cudaMemcpyAsync(p, h, 4, cudaMemcpyHostToDevice, stale), cudaErrorInvalidResourceHandle);
	WANT(cudaEventCreate(&event), cudaSuccess);
	WANT(cudaEventCreate(&unused), cudaSuccess);
	WANT(cudaEventRecord(event, stale), cudaErrorInvalidResourceHandle);
	WANT(cudaEventRecord(event), cudaSuccess);
	WANT(cudaEventElapsedTime(&ms, event, unused), cudaErrorInvalidResourceHandle);
	WANT(cudaEventDestroy(unused), cudaSuccess);
	WANT(cudaEventDestroy(unused), cudaErrorInvalidResourceHandle);
	set<<<1, 100000>>>(p, 1);
	WANT(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
	set<<<0, 32>>>(p, 1);
	WANT(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
	set<<<1, 32, 1 << 20>>>(p, 1);
	WANT(cudaPeekAtLastError(), cudaErrorLaunchOutOfResources);
	set<<<1, 32, 0, stale>>>(p, 1);
	WANT(cudaPeekAtLastError(), cudaErrorInvalidResourceHandle);
	for (int i = 0; i < 4; i++)
		h[i] = 10 * i;
	WANT(cudaMemcpyToSymbol(variable, h, 16), cudaSuccess);
	set<<<1, 32>>>(p, 5);
	WANT(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost), cudaSuccess);
	for (int i = 0; i < 32; i++)
		bad += h[i] != 5 + 10 * (i & 3);
	if (!fork())    /* a child has no device */
		_exit(cudaMalloc(&p, 4) != cudaErrorInitializationError);
	wait(&n);
	bad += n != 0;
	far<<<1, 1>>>(p);
	WANT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
	if (cudaMalloc(&p, 4) != cudaErrorIllegalAddress)      /* of every later call */
		bad++;
	printf("%d wrong answers\n", bad);
	return bad != 0;
}
