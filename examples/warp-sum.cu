// A sum over each warp by shuffles: five steps, each lane adds what the lane `offset` further has.
// .grid 2
// .block 64
// .arg zero=512
// expect: arg 0 u32[0..1] = 496 1520
__device__ int warp_sum(int v)
{
	for (int offset = warpSize / 2; offset; offset /= 2)
		v += __shfl_down_sync(0xffffffff, v, offset);
	return v;
}

__global__ void sums(int *out)
{
	int sum = warp_sum(threadIdx.x);

	if (threadIdx.x % warpSize == 0)
		out[blockIdx.x * (blockDim.x / warpSize) + threadIdx.x / warpSize] = sum;
}
