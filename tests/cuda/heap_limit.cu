// The size of the heap of kernels is the limit that the program has set, fixed from the first module with a heap on.
#include <cstdio>

enum { PIECES = 32 };           // of 1 MiB: more than the heap has that no program sets

__global__ void count(int *n)
{
	void *last = nullptr, *p;

	for (*n = 0; (p = malloc((1 << 20) - 16)); ++*n) {
		*(void **)p = last;
		last = p;
	}
	for (; last; last = p) {
		p = *(void **)last;
		free(last);
	}
}

int main()
{
	int *d, bad = 0, n;
	size_t limit;

	cudaMalloc(&d, 4);
	bad += cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize) != cudaSuccess || limit != 8 << 20;
	bad += cudaDeviceSetLimit((enum cudaLimit)99, 1) != cudaErrorInvalidValue;
	bad += cudaDeviceSetLimit(cudaLimitMallocHeapSize, PIECES << 20) != cudaSuccess;
	bad += cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize) != cudaSuccess || limit != PIECES << 20;
	for (int i = 0; i < 2; i++) {
		count<<<1, 1>>>(d);
		bad += cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost) != cudaSuccess || n != PIECES;
	}
	bad += cudaDeviceSetLimit(cudaLimitMallocHeapSize, PIECES << 20) != cudaSuccess;
	bad += cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20) != cudaErrorInvalidValue;
	printf("%d pieces, %d wrong\n", n, bad);
	return bad != 0;
}
