// Parts of a vector in streams of their own, with events between; managed memory, which host and device both use.
#include <cstdio>

enum { PARTS = 4, N = 1024 };

__global__ void step(int *p, int n, int add)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] = 2 * p[i] + add;
}

int main()
{
	cudaStream_t stream[PARTS];
	cudaEvent_t begin, half, end;
	int *pinned, *device, *shared, wrong = 0;
	float first = 0, both = 0;

	if (cudaMallocHost(&pinned, PARTS * N * sizeof *pinned) || cudaMalloc(&device, PARTS * N * sizeof *device) ||
	    cudaMallocManaged(&shared, N * sizeof *shared))
		return 1;
	cudaEventCreate(&begin);
	cudaEventCreate(&half);
	cudaEventCreate(&end);
	cudaEventRecord(begin);
	for (int i = 0; i < PARTS * N; i++)
		pinned[i] = i;
	for (int k = 0; k < PARTS; k++) {
		int *p = device + k * N;
		cudaStreamCreate(&stream[k]);
		cudaMemcpyAsync(p, pinned + k * N, N * sizeof *p, cudaMemcpyHostToDevice, stream[k]);
		step<<<N / 128, 128, 0, stream[k]>>>(p, N, k);
		cudaMemcpyAsync(pinned + k * N, p, N * sizeof *p, cudaMemcpyDeviceToHost, stream[k]);
		if (k == PARTS / 2 - 1)
			cudaEventRecord(half, stream[k]);
	}
	cudaStreamWaitEvent(stream[0], half, 0);
	for (int k = 0; k < PARTS; k++) {
		cudaStreamSynchronize(stream[k]);
		cudaStreamDestroy(stream[k]);
	}
	cudaEventRecord(end);
	cudaEventSynchronize(end);
	cudaEventElapsedTime(&first, begin, half);
	cudaEventElapsedTime(&both, begin, end);
	for (int i = 0; i < PARTS * N; i++)
		wrong += pinned[i] != 2 * i + i / N;
	for (int i = 0; i < N; i++)
		shared[i] = i;
	step<<<N / 128, 128>>>(shared, N, 5);
	cudaDeviceSynchronize();
	for (int i = 0; i < N; i++)
		wrong += shared[i] != 2 * i + 5;
	printf("%s: %d wrong elements, times %s\n", cudaGetErrorString(cudaGetLastError()), wrong,
	       0 < first && first < both ? "in order" : "out of order");
	cudaFree(shared);
	cudaFree(device);
	cudaFreeHost(pinned);
	return wrong || !(0 < first && first < both);
}
