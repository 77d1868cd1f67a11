/* Groups of threads: the block, parts of a warp by size, the lanes that are here; the grid where it has one block. */
#ifndef WARPBEAM_CUDA_COOPERATIVE_GROUPS_H
#define WARPBEAM_CUDA_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups {

#define WB_D __device__ __forceinline__

class thread_block {
public:
	static WB_D void sync() { __syncthreads(); }
	static WB_D unsigned thread_rank()
	{
		return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	}
	static WB_D unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
	static WB_D unsigned size() { return num_threads(); }
	static WB_D dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
	static WB_D dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
	static WB_D dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
WB_D thread_block this_thread_block() { return thread_block(); }

/* N lanes of a warp side by side; N a power of two. */
template <unsigned N, typename Parent = void> class thread_block_tile {
	static_assert(N && N <= 32 && !(N & (N - 1)), "a tile has 1, 2, 4, 8, 16 or 32 threads");
	unsigned mask;

public:
	WB_D thread_block_tile()
	{
		unsigned lane = thread_block::thread_rank() % 32;
		mask = (N == 32 ? 0xffffffffu : (1u << N % 32) - 1) << lane / N * N;
	}
	template <typename Other> WB_D thread_block_tile(const thread_block_tile<N, Other> &) : thread_block_tile() {}
	WB_D void sync() const { __syncwarp(mask); }
	static WB_D unsigned thread_rank() { return thread_block::thread_rank() % N; }
	static constexpr WB_D unsigned num_threads() { return N; }
	static constexpr WB_D unsigned size() { return N; }
	static WB_D unsigned meta_group_rank() { return thread_block::thread_rank() / N; }
	static WB_D unsigned meta_group_size() { return (thread_block::num_threads() + N - 1) / N; }
	template <typename T> WB_D T shfl(T v, int n) const { return __shfl_sync(mask, v, n, N); }
	template <typename T> WB_D T shfl_up(T v, unsigned n) const { return __shfl_up_sync(mask, v, n, N); }
	template <typename T> WB_D T shfl_down(T v, unsigned n) const { return __shfl_down_sync(mask, v, n, N); }
	template <typename T> WB_D T shfl_xor(T v, int n) const { return __shfl_xor_sync(mask, v, n, N); }
	WB_D int any(int p) const { return (__ballot_sync(mask, p) & mask) != 0; }
	WB_D int all(int p) const { return (__ballot_sync(mask, p) & mask) == mask; }
	WB_D unsigned ballot(int p) const
	{
		return (__ballot_sync(mask, p) & mask) >> thread_block::thread_rank() % 32 / N * N;
	}
};
template <unsigned N, typename Parent> WB_D thread_block_tile<N, Parent> tiled_partition(const Parent &)
{
	return thread_block_tile<N, Parent>();
}

/* The lanes of a warp that are together at the call. */
class coalesced_group {
	unsigned mask;

	WB_D unsigned lane_of(unsigned rank) const { return __fns(mask, 0, rank + 1); }

public:
	WB_D coalesced_group() : mask(__activemask()) {}
	WB_D void sync() const { __syncwarp(mask); }
	WB_D unsigned num_threads() const { return __popc(mask); }
	WB_D unsigned size() const { return num_threads(); }
	WB_D unsigned thread_rank() const { return __popc(mask & ((1u << __nvvm_read_ptx_sreg_laneid()) - 1)); }
	template <typename T> WB_D T shfl(T v, unsigned n) const { return __shfl_sync(mask, v, lane_of(n)); }
	WB_D int any(int p) const { return __any_sync(mask, p); }
	WB_D int all(int p) const { return __all_sync(mask, p); }
};
WB_D coalesced_group coalesced_threads() { return coalesced_group(); }

/* A grid of one block meets as the block does; larger ones have no meeting here. */
class grid_group {
public:
	static WB_D bool is_valid() { return gridDim.x * gridDim.y * gridDim.z == 1; }
	static WB_D void sync()
	{
		if (!is_valid())
			__trap();
		__syncthreads();
	}
	static WB_D unsigned long long block_rank()
	{
		unsigned long long row = blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z;

		return blockIdx.x + gridDim.x * row;
	}
	static WB_D unsigned long long thread_rank()
	{
		return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
	}
	static WB_D unsigned long long size()
	{
		return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block::num_threads();
	}
};
WB_D grid_group this_grid() { return grid_group(); }

template <typename Group> WB_D void sync(const Group &g) { g.sync(); }

/* Operations for reduce. */
template <typename T> struct plus { WB_D T operator()(T a, T b) const { return a + b; } };
template <typename T> struct less { WB_D T operator()(T a, T b) const { return b < a ? b : a; } };
template <typename T> struct greater { WB_D T operator()(T a, T b) const { return a < b ? b : a; } };
template <unsigned N, typename P, typename T, typename Operation>
WB_D T reduce(const thread_block_tile<N, P> &g, T v, Operation op)
{
	for (unsigned n = N / 2; n; n /= 2)
		v = op(v, g.shfl_xor(v, n));
	return v;
}
#undef WB_D

}

#endif
