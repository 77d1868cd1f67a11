// Groups: meetings of a grid of several blocks, partitions of warps, scans and reductions. "0 wrong numbers".
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

enum { BLOCKS = 6, THREADS = 64, ALL = BLOCKS * THREADS, NUMBERS = 12, STEPS = 3 };

// Each step adds the neighbours' numbers of the step before, over the borders of blocks.
__global__ void steps(int *a, int *b)
{
	cg::grid_group grid = cg::this_grid();
	int i = (int)grid.thread_rank(), n = (int)grid.size();

	for (int k = 0; k < STEPS; k++) {
		b[i] = a[i] + a[(i + 1) % n] + a[(i + THREADS + 1) % n];
		grid.sync();
		int *c = a;
		a = b;
		b = c;
	}
}

__device__ int through_any(cg::thread_group g) { g.sync(); return (int)(g.size() * 100 + g.thread_rank()); }

__global__ void groups(int *out)
{
	cg::thread_block block = cg::this_thread_block();
	auto tile = cg::tiled_partition<8>(block);
	auto warp = cg::tiled_partition<32>(block);
	int i = threadIdx.x, *o = out + NUMBERS * i;
	cg::coalesced_group odd = cg::binary_partition(warp, i & 1), third = cg::labeled_partition(warp, i % 3);

	o[0] = cg::inclusive_scan(tile, i);
	o[1] = cg::exclusive_scan(warp, i, cg::plus<int>());
	o[2] = cg::reduce(third, i, cg::greater<int>());
	o[3] = cg::reduce(odd, i, cg::plus<int>());
	o[4] = through_any(tile) + 10000 * through_any(block);
	o[5] = through_any(cg::tiled_partition(cg::tiled_partition(block, 16), 4));
	o[6] = (int)(third.thread_rank() + 100 * third.size() + 10000 * third.ballot(i < 16));
	o[7] = odd.shfl_up(i, 2) + 1000 * odd.shfl_down(i, 1);
	o[8] = (int)tile.match_any(i & 2);
	o[9] = cg::invoke_one_broadcast(tile, [=] { return i * 3; });
	o[10] = cg::reduce(warp, i, cg::bit_xor<int>());
	o[11] = cg::inclusive_scan(third, 1);
}

static int bad;
static void want(const char *what, int i, int found, int expected)
{
	if (found != expected && bad++ < 10)
		printf("%s %d: found %d, expected %d\n", what, i, found, expected);
}

static void check_groups(const int *found)
{
	for (int i = 0; i < THREADS; i++) {
		const int *o = found + NUMBERS * i;
		int first = i & ~31, tile = i & ~7, sum[2] = { 0, 0 }, largest = 0, odd = 0, x = 0;
		int rank = 0, size = 0, low = 0;
		for (int k = tile; k <= i; k++)
			sum[0] += k;
		for (int k = first; k < i; k++)
			sum[1] += k;
		for (int k = first; k < first + 32; k++) {
			bool third = k % 3 == i % 3;
			largest = third && k > largest ? k : largest;
			odd += (k & 1) == (i & 1) ? k : 0;
			rank += third && k < i;
			low |= third && k < 16 ? 1 << size : 0;
			size += third;
			x ^= k;
		}
		want("scan", i, o[0], sum[0]);
		want("scan below", i, o[1], sum[1]);
		want("third", i, o[2], largest);
		want("odd", i, o[3], odd);
		want("groups", i, o[4], 800 + (i & 7) + 10000 * (THREADS * 100 + i));
		want("parts", i, o[5], 400 + (i & 3));
		want("ranks", i, o[6], rank + 100 * size + 10000 * low);
		want("neighbours", i, o[7], (i - first < 4 ? i : i - 4) + 1000 * (i - first >= 30 ? i : i + 2));
		want("matches", i, o[8], i & 2 ? 0xcc : 0x33);
		want("one", i, o[9], 3 * tile);
		want("xor", i, o[10], x);
		want("count", i, o[11], rank + 1);
	}
}

int main()
{
	static int numbers[ALL], next[ALL], found[ALL], many[NUMBERS * THREADS];
	int *a, *b, *out, per_multiprocessor = 0;
	cudaDeviceProp prop;

	cudaMalloc(&a, sizeof numbers);
	cudaMalloc(&b, sizeof numbers);
	cudaMalloc(&out, sizeof many);
	for (int i = 0; i < ALL; i++)
		numbers[i] = i * 7 % 31;
	cudaMemcpy(a, numbers, sizeof numbers, cudaMemcpyHostToDevice);
	void *arguments[] = { &a, &b };
	for (int twice = 0; twice < 2; twice++) {
		cudaMemcpy(a, numbers, sizeof numbers, cudaMemcpyHostToDevice);
		cudaError_t e = cudaLaunchCooperativeKernel(steps, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0);
		want("launch", twice, e, cudaSuccess);
	}
	cudaMemcpy(found, b, sizeof found, cudaMemcpyDeviceToHost);
	for (int k = 0; k < STEPS; k++) {
		for (int i = 0; i < ALL; i++)
			next[i] = numbers[i] + numbers[(i + 1) % ALL] + numbers[(i + THREADS + 1) % ALL];
		for (int i = 0; i < ALL; i++)
			numbers[i] = next[i];
	}
	for (int i = 0; i < ALL; i++)
		want("step", i, found[i], numbers[i]);

	cudaGetDeviceProperties(&prop, 0);
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, steps, THREADS, 0);
	int most = per_multiprocessor * prop.multiProcessorCount;
	want("too many", most, cudaLaunchCooperativeKernel(steps, dim3(most + 1), dim3(THREADS), arguments, 0, 0),
	     cudaErrorCooperativeLaunchTooLarge);
	cudaGetLastError();

	groups<<<1, THREADS>>>(out);
	cudaMemcpy(many, out, sizeof many, cudaMemcpyDeviceToHost);
	check_groups(many);
	printf("%s, %d wrong numbers\n", cudaGetErrorString(cudaGetLastError()), bad);
	return bad != 0;
}
