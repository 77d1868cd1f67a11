/* Grids of more than 65,535 blocks in x, and of three dimensions: every block is there once, by its own numbers; and
 * what the device says of itself. */
#include <cstdio>

__global__ void mark(unsigned *seen, unsigned *layers)
{
	unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);

	if (threadIdx.x == 0) {
		seen[block] += 1 + blockIdx.z;
		atomicAdd(layers, gridDim.z);
	}
}

static int wrong_blocks(dim3 grid)
{
	size_t n = (size_t)grid.x * grid.y * grid.z;
	unsigned *seen, *layers;
	int wrong = 0;

	cudaMallocManaged(&seen, n * sizeof *seen);
	cudaMallocManaged(&layers, sizeof *layers);
	cudaMemset(seen, 0, n * sizeof *seen);
	cudaMemset(layers, 0, sizeof *layers);
	mark<<<grid, 32>>>(seen, layers);
	cudaDeviceSynchronize();
	for (size_t i = 0; i < n; i++)
		wrong += seen[i] != 1 + i / grid.x / grid.y;
	wrong += *layers != n * grid.z;
	printf("%u,%u,%u: %s, %d wrong\n", grid.x, grid.y, grid.z, cudaGetErrorString(cudaGetLastError()), wrong);
	cudaFree(seen);
	cudaFree(layers);
	return wrong;
}

int main()
{
	int wrong = wrong_blocks(dim3(70001)) + wrong_blocks(dim3(3, 5, 7)) + wrong_blocks(dim3(2, 1, 300));
	cudaDeviceProp p;

	cudaGetDeviceProperties(&p, 0);
	wrong += p.major != 7 || p.minor != 0 || p.maxGridSize[0] != 0x7fffffff || p.maxGridSize[2] != 65535;
	printf("%d wrong in all\n", wrong);
	return wrong != 0;
}
