// cuda::barrier and cuda::pipeline: sums through meetings whose arrivals and waits are apart, threads that drop out,
// and copies in stages, of each thread, of a block, and from warps that copy to warps that add.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

enum { THREADS = 96, TURNS = 10, STAGES = 3 };
typedef cuda::barrier<cuda::thread_scope_block> meeting;

__global__ void meetings(int *out)
{
	__shared__ meeting all, some;
	__shared__ int words[2][THREADS];
	int i = threadIdx.x, sum = 0;

	if (i == 0) {
		init(&all, blockDim.x);
		init(&some, blockDim.x);
	}
	__syncthreads();
	for (int turn = 0; turn < TURNS; turn++) {
		words[turn & 1][i] = i * (turn + 1);
		meeting::arrival_token token = all.arrive();
		sum = sum * 3 + turn;
		all.wait(std::move(token));
		sum += words[turn & 1][(i + 33) % THREADS];
	}
	out[i] = sum;
	// Warps leave one after the other; the last one is alone in the end.
	for (int turn = 0; turn <= i / 32; turn++) {
		if (turn == i / 32)
			some.arrive_and_drop();
		else
			some.arrive_and_wait();
		out[i] += 1000000;
	}
}

template <typename Pipe> __device__ void add_stage(Pipe &pipe, const int *stage, int who, int &sum)
{
	pipe.consumer_wait();
	for (int k = 0; k < THREADS; k++)
		sum = sum * 5 + stage[(who + k) % THREADS];
	pipe.consumer_release();
}

__global__ void stages(const int *in, int *out, int *by_warps)
{
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state, roles;
	__shared__ __align__(16) int buffer[STAGES][THREADS], other[STAGES][THREADS];
	cg::thread_block block = cg::this_thread_block();
	int i = threadIdx.x, sum = 0, alone = 0;
	int own[4];

	auto pipe = cuda::make_pipeline(block, &state);
	for (int turn = 0, fetched = 0; turn < TURNS; turn++) {
		for (; fetched < TURNS && fetched < turn + STAGES; fetched++) {
			pipe.producer_acquire();
			cuda::memcpy_async(block, buffer[fetched % STAGES], in + THREADS * fetched, sizeof buffer[0], pipe);
			pipe.producer_commit();
		}
		add_stage(pipe, buffer[turn % STAGES], i, sum);
	}
	cuda::pipeline<cuda::thread_scope_thread> mine = cuda::make_pipeline();
	mine.producer_acquire();
	cuda::memcpy_async((int4 *)own, (const int4 *)in + i, cuda::aligned_size_t<16>(16), mine);
	mine.producer_commit();
	mine.consumer_wait();
	for (int k = 0; k < 4; k++)
		alone = alone * 7 + own[k];
	mine.consumer_release();
	out[i] = sum + alone;

	auto role = i < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
	auto parts = cuda::make_pipeline(block, &roles, role);
	sum = 0;
	for (int turn = 0; turn < TURNS; turn++)
		if (i < 32) {
			parts.producer_acquire();
			for (int k = i; k < THREADS; k += 32)
				cuda::memcpy_async(&other[turn % STAGES][k], &in[THREADS * turn + k], sizeof(int), parts);
			parts.producer_commit();
		} else {
			add_stage(parts, other[turn % STAGES], i, sum);
		}
	by_warps[i] = sum;
}

int main()
{
	int *in, *out, *warps, wrong[3] = { 0, 0, 0 };

	cudaMallocManaged(&in, THREADS * TURNS * sizeof *in);
	cudaMallocManaged(&out, THREADS * sizeof *out);
	cudaMallocManaged(&warps, THREADS * sizeof *warps);
	for (int k = 0; k < THREADS * TURNS; k++)
		in[k] = k * 37 % 101;
	meetings<<<1, THREADS>>>(out);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	for (int i = 0; i < THREADS; i++) {
		int sum = 0;
		for (int turn = 0; turn < TURNS; turn++)
			sum = sum * 3 + turn + (i + 33) % THREADS * (turn + 1);
		wrong[0] += out[i] != sum + 1000000 * (i / 32 + 1);
	}
	stages<<<1, THREADS>>>(in, out, warps);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	for (int i = 0; i < THREADS; i++) {
		unsigned sum = 0, alone = 0;
		for (int turn = 0; turn < TURNS; turn++)
			for (int k = 0; k < THREADS; k++)
				sum = sum * 5 + in[THREADS * turn + (i + k) % THREADS];
		for (int k = 0; k < 4; k++)
			alone = alone * 7 + in[4 * i + k];
		wrong[1] += (unsigned)out[i] != sum + alone;
		wrong[2] += (unsigned)warps[i] != (i < 32 ? 0 : sum);
	}
	printf("%d wrong of meetings, %d of stages, %d of warps\n", wrong[0], wrong[1], wrong[2]);
	return wrong[0] + wrong[1] + wrong[2] != 0;
}
