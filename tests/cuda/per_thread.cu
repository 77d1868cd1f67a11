// Built by nvcc with --default-stream per-thread, a program calls the runtime by names of its own.
#include <cstdio>

__global__ void number(int *p) { p[threadIdx.x] += threadIdx.x; }

int main()
{
	cudaStream_t stream;
	int *d, h[32];

	cudaStreamCreate(&stream);
	cudaMalloc(&d, sizeof h);
	cudaMemset2DAsync(d, 64, 1, 64, 2, stream);
	cudaStreamSynchronize(stream);
	cudaMemset2DAsync(d, 64, 1, 64, 1);
	number<<<1, 32>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	cudaStreamSynchronize(cudaStreamPerThread);
	printf("%x %s\n", h[31], cudaGetErrorString(cudaGetLastError()));
	return 0;
}
