// Tiles of several warps: meetings that keep other tiles waiting for nobody, sums, values of one thread, votes, and
// tiles of a tile. The answers are counted by the host.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

enum { THREADS = 512 };

struct record {
	double v;
	int who;
};

template <unsigned N> __global__ void tiles(int *sums, int *others, int *places, double *records)
{
	__shared__ cg::block_tile_memory<THREADS> memory;
	__shared__ int words[THREADS];
	cg::thread_block block = cg::this_thread_block(memory);
	auto tile = cg::tiled_partition<N>(block);
	cg::thread_block_tile<32> warp = cg::tiled_partition<32>(tile);
	auto pair = cg::tiled_partition<2>(cg::tiled_partition<16>(block));
	unsigned i = block.thread_rank(), r = tile.thread_rank(), first = i - r;
	int sum = 0;

	// Tiles go round as often as their number says, so no two tiles are at the same turn.
	for (unsigned turn = 0; turn <= tile.meta_group_rank(); turn++) {
		words[i] = i * (turn + 1);
		tile.sync();
		sum += words[first + (r + 33) % N];
		tile.sync();
	}
	block.sync();
	sums[i] = sum + cg::reduce(tile, (int)i, cg::plus<int>());
	others[i] = tile.shfl((int)i, N - 2) + 1000 * cg::reduce(tile, (int)(i * 37 % 101), cg::greater<int>()) +
		    1000000 * tile.any(i == first + 40) + 2000000 * tile.all(i >= N);
	places[i] = 1000000 * warp.meta_group_rank() + 10000 * warp.meta_group_size() + 100 * pair.meta_group_rank() +
		    pair.meta_group_size();
	record mine = { i * 0.5, (int)i }, got = tile.shfl(mine, 35);
	records[i] = got.v + got.who;
}

template <unsigned N> static int wrong()
{
	static int sums[THREADS], others[THREADS], places[THREADS];
	static double records[THREADS];
	int *s, *o, *p, bad = 0;
	double *d;

	cudaMalloc(&s, sizeof sums);
	cudaMalloc(&o, sizeof others);
	cudaMalloc(&p, sizeof places);
	cudaMalloc(&d, sizeof records);
	tiles<N><<<1, THREADS>>>(s, o, p, d);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return THREADS;
	cudaMemcpy(sums, s, sizeof sums, cudaMemcpyDeviceToHost);
	cudaMemcpy(others, o, sizeof others, cudaMemcpyDeviceToHost);
	cudaMemcpy(places, p, sizeof places, cudaMemcpyDeviceToHost);
	cudaMemcpy(records, d, sizeof records, cudaMemcpyDeviceToHost);
	for (int i = 0; i < THREADS; i++) {
		int r = i % N, first = i - r, sum = 0, most = 0;
		for (int turn = 0; turn <= i / (int)N; turn++)
			sum += (first + (r + 33) % (int)N) * (turn + 1);
		for (int k = first; k < first + (int)N; k++) {
			sum += k;
			most = k * 37 % 101 > most ? k * 37 % 101 : most;
		}
		bad += sums[i] != sum;
		bad += others[i] != first + (int)N - 2 + 1000 * most + 1000000 + 2000000 * (i >= (int)N);
		bad += places[i] != 1000000 * (r / 32) + 10000 * (int)(N / 32) + 100 * (i % 16 / 2) + 8;
		bad += records[i] != (first + 35) * 1.5;
	}
	return bad;
}

int main()
{
	int a = wrong<64>(), b = wrong<128>(), c = wrong<256>(), d = wrong<512>();

	printf("%d wrong of 64, %d of 128, %d of 256, %d of 512\n", a, b, c, d);
	return a + b + c + d != 0;
}
