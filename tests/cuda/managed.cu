// Managed variables: the host and kernels see the same numbers, by name, by symbol and by address. "0 wrong numbers".
#include <atomic>
#include <cstdio>
#include <thread>
#include <cuda_runtime.h>

struct pair { int a; double b; };
__device__ __managed__ int counter = 5;
__managed__ struct pair both = { 1, 0.5 };
static __device__ __managed__ float table[2000];
__managed__ int unused;
__device__ int other = 3;

static int bad;
static void want(const char *what, double found, double expected)
{
	if (found != expected && ++bad)
		printf("%s: found %g, expected %g\n", what, found, expected);
}

__global__ void count(int n)
{
	atomicAdd(&counter, n);
	table[threadIdx.x] += 2 * threadIdx.x + other;
	if (!threadIdx.x)
		both = { both.a + 1, both.b * 2 };
}
__global__ void add(int *p, int n) { *p += n; }
__global__ void add_slowly(volatile int *p, int n)
{
	while (n--)
		*p = *p + 1;
}

// What a stream has to itself, and what is the host's, may be written while other kernels run.
static void threads()
{
	std::atomic<bool> done{ false };
	cudaStream_t stream;
	volatile int *mine;
	int *its, steps = 0;

	cudaStreamCreate(&stream);
	cudaMallocManaged((void **)&mine, 4096, cudaMemAttachGlobal);
	cudaMallocManaged(&its, 4096);
	*mine = *its = 0;
	want("attached", cudaStreamAttachMemAsync(stream, (void *)mine, 0, cudaMemAttachHost) +
	     cudaStreamAttachMemAsync(stream, its), 0);
	std::thread launches([&] {
		for (int i = 0; i < 10; i++)
			add_slowly<<<1, 1, 0, stream>>>(its, 30000);
		done = true;
	});
	while (!done)
		mine[0] = mine[0] + 1, steps++;
	launches.join();
	cudaStreamSynchronize(stream);
	want("of the host", *mine, steps);
	want("of the stream", *its, 300000);
	cudaStreamAttachMemAsync(stream, (void *)mine, 0, cudaMemAttachSingle);
	add<<<1, 1>>>(its, 5);
	cudaStreamDestroy(stream);
	add<<<1, 1>>>(its, 6);
	cudaDeviceSynchronize();
	want("of a stream that is gone", *its, 300006);
}

int main()
{
	int n = 100, found;

	want("the first value", counter, 5);
	want("the first structure", both.a + both.b, 1.5);
	counter += 10;
	table[1999] = 7;
	table[3] = 1;
	unused = 4;
	count<<<1, 64>>>(1);
	cudaDeviceSynchronize();
	want("a counter", counter, 79);
	want("a table", table[3], 10);
	want("its end", table[1999] + table[63], 7 + 129);
	want("a structure", both.a + both.b, 3);
	want("without a kernel", unused, 4);

	cudaMemcpyToSymbol(counter, &n, sizeof n);
	want("written by symbol", counter, 100);
	count<<<1, 1>>>(1);
	cudaMemcpyFromSymbol(&found, counter, sizeof found);
	want("read by symbol", found, 101);
	int *p;
	cudaGetSymbolAddress((void **)&p, counter);
	add<<<1, 1>>>(p, 9);
	cudaDeviceSynchronize();
	want("by the device's address", counter, 110);
#ifndef __clang__
	add<<<1, 1>>>(&counter, 5);
	cudaDeviceSynchronize();
	want("by the address", counter, 115);
#endif
	threads();
	want("errors", cudaGetLastError(), cudaSuccess);
	printf("%d wrong numbers\n", bad);
	return bad != 0;
}
