// Headers beside the runtime's: groups of threads, halves, checks of calls.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_fp16.h>
#include <helper_cuda.h>
#include <math_constants.h>

namespace cg = cooperative_groups;

struct mixed {
	char name[3];
	double value;
	short number;
};

// Values that are no numbers of the language, through every shuffle; a bit for each that is wrong.
__device__ int shuffled(const cg::thread_block_tile<8> &tile, const cg::coalesced_group &lanes)
{
	unsigned r = tile.thread_rank();
	struct mixed m = { { 'a', 'b', (char)r }, r + 0.5, (short)(r - 3) }, got = tile.shfl_xor(m, 1);
	uint4 q = make_uint4(r, 10 * r, 20 * r, 30 * r), up = tile.shfl_up(q, 1), any = lanes.shfl(q, 9);

	return (got.name[2] != (char)(r ^ 1) || got.value != (r ^ 1) + 0.5 || got.number != (short)(r ^ 1) - 3) |
	       (up.w != 30 * (r ? r - 1 : 0)) << 1 | (tile.shfl_down(q, 2).y != 10 * (r < 6 ? r + 2 : r)) << 2 |
	       (any.z != 20) << 3 | (tile.shfl((unsigned char)(r + 250), 7) != 1) << 4;
}

__global__ void groups(int *out, float *halves)
{
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
	unsigned i = block.thread_rank();
	int sum = cg::reduce(tile, (int)i, cg::plus<int>());

	block.sync();
	out[i] = shuffled(tile, cg::coalesced_threads()) * 10000000 + sum + 1000 * tile.shfl(tile.thread_rank(), 3) + 10000 * __popc(tile.ballot(i & 1));
	if (i % 3 == 0) {
		cg::coalesced_group here = cg::coalesced_threads();
		out[i] += 100000 * here.thread_rank();
	}
	half h = __float2half(i * 0.1f);
	halves[i] = __half2float(__hfma(h, h, half(1.0f)) / h - half(0.25f));
}

int main()
{
	int *out, h[64], wrong = 0;
	float *halves, g[64];

	checkCudaErrors(cudaMalloc(&out, sizeof h));
	checkCudaErrors(cudaMalloc(&halves, sizeof g));
	groups<<<1, 64>>>(out, halves);
	getLastCudaError("groups");
	checkCudaErrors(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	checkCudaErrors(cudaMemcpy(g, halves, sizeof g, cudaMemcpyDeviceToHost));
	for (int i = 0; i < 64; i++) {
		int first = i & ~7, rank = 0;
		for (int k = i & ~31; k < i; k++)
			rank += k % 3 == 0;
		wrong += h[i] != 8 * first + 28 + 3000 + 40000 + (i % 3 ? 0 : 100000 * rank);
		half v = __float2half(i * 0.1f);
		float want = __half2float(__hfma(v, v, half(1.0f)) / v - half(0.25f));
		wrong += i && g[i] != want;
	}
	printf("%d wrong elements, pi is %.6f\n", wrong, CUDART_PI_F);
	return wrong != 0;
}
