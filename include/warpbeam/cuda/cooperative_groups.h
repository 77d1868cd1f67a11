/* Groups of threads: the block, the grid, tiles of a warp by size, and any lanes of a warp. Tiles and lanes are masks
 * of lanes (wb_lanes); what all groups can do stands behind the classes as functions. */
#ifndef WARPBEAM_CUDA_COOPERATIVE_GROUPS_H
#define WARPBEAM_CUDA_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups {

#define WB_D __device__ __forceinline__

/* ---- the block ---- */

class thread_block {
public:
	struct arrival_token {};
	static WB_D void sync() { __syncthreads(); }
	/* The meeting is at the wait alone, which is as late as an arrival allows. */
	static WB_D arrival_token barrier_arrive() { return arrival_token(); }
	static WB_D void barrier_wait(arrival_token &&) { __syncthreads(); }
	static WB_D unsigned thread_rank()
	{
		return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	}
	static WB_D unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
	static WB_D unsigned size() { return num_threads(); }
	static WB_D bool is_valid() { return true; }
	static WB_D dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
	static WB_D dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
	static WB_D dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
	static WB_D dim3 group_dim() { return dim_threads(); }
};
WB_D thread_block this_thread_block() { return thread_block(); }
/* Memory for tiles of several warps: not used, wb_words has memory. */
template <unsigned Threads = 1024> struct block_tile_memory { unsigned char wb_byte; };
template <unsigned Threads> WB_D thread_block this_thread_block(block_tile_memory<Threads> &) { return thread_block(); }

/* ---- lanes of a warp ---- */

/* Shuffles of any value that may be copied as bytes: those of the language where it has one for the type, else word by
 * word, at most 32 bytes as in the guide. */
#define WB_SHUFFLE(name, number) \
	template <typename T> WB_D auto wb_##name(int, unsigned mask, T v, number n, int width) \
		-> decltype((T)__##name##_sync(mask, v, n, width)) \
	{ \
		return (T)__##name##_sync(mask, v, n, width); \
	} \
	template <typename T> WB_D T wb_##name(long, unsigned mask, T v, number n, int width) \
	{ \
		static_assert(sizeof(T) <= 32, "a shuffle moves at most 32 bytes"); \
		unsigned word[(sizeof(T) + 3) / 4]; \
		__builtin_memcpy(word, &v, sizeof v); \
		for (unsigned i = 0; i < sizeof word / sizeof *word; i++) \
			word[i] = __##name##_sync(mask, word[i], n, width); \
		__builtin_memcpy(&v, word, sizeof v); \
		return v; \
	}
WB_SHUFFLE(shfl, int)
WB_SHUFFLE(shfl_up, unsigned)
WB_SHUFFLE(shfl_down, unsigned)
WB_SHUFFLE(shfl_xor, int)
#undef WB_SHUFFLE

/* The lanes of a mask, ranked from the lowest on. */
class wb_lanes {
protected:
	unsigned mask;

	WB_D unsigned lane_of(unsigned rank) const { return __fns(mask, 0, rank + 1); }
	/* Of a mask of lanes, the bits of the group's, side by side. */
	WB_D unsigned ranks_of(unsigned lanes) const
	{
		unsigned found = 0;

		for (unsigned rest = mask, rank = 0; rest; rest &= rest - 1, rank++)
			found |= (lanes >> (__ffs(rest) - 1) & 1) << rank;
		return found;
	}

public:
	WB_D explicit wb_lanes(unsigned lanes) : mask(lanes) {}
	WB_D unsigned wb_mask() const { return mask; }
	static WB_D bool is_valid() { return true; }
	WB_D void sync() const { __syncwarp(mask); }
	WB_D unsigned num_threads() const { return __popc(mask); }
	WB_D unsigned size() const { return num_threads(); }
	WB_D unsigned thread_rank() const { return __popc(mask & ((1u << wb_lane()) - 1)); }
	template <typename T> WB_D T shfl(T v, unsigned n) const
	{
		return wb_shfl(0, mask, v, lane_of(n % num_threads()), 32);
	}
	template <typename T> WB_D T shfl_up(T v, unsigned n) const
	{
		unsigned rank = thread_rank();

		return wb_shfl(0, mask, v, lane_of(rank >= n ? rank - n : rank), 32);
	}
	template <typename T> WB_D T shfl_down(T v, unsigned n) const
	{
		unsigned rank = thread_rank();

		return wb_shfl(0, mask, v, lane_of(rank + n < num_threads() ? rank + n : rank), 32);
	}
	WB_D int any(int p) const { return (__ballot_sync(mask, p) & mask) != 0; }
	WB_D int all(int p) const { return (__ballot_sync(mask, p) & mask) == mask; }
	WB_D unsigned ballot(int p) const { return ranks_of(__ballot_sync(mask, p)); }
	template <typename T> WB_D unsigned match_any(T v) const { return ranks_of(__match_any_sync(mask, v)); }
	template <typename T> WB_D unsigned match_all(T v, int &p) const
	{
		return ranks_of(__match_all_sync(mask, v, &p));
	}
};

/* The lanes of a warp that are together at the call, or those of a mask. */
class coalesced_group : public wb_lanes {
	unsigned rank_of_group, groups;

public:
	WB_D coalesced_group() : wb_lanes(__activemask()), rank_of_group(0), groups(1) {}
	WB_D explicit coalesced_group(unsigned lanes, unsigned rank = 0, unsigned n = 1)
		: wb_lanes(lanes), rank_of_group(rank), groups(n) {}
	WB_D unsigned meta_group_rank() const { return rank_of_group; }
	WB_D unsigned meta_group_size() const { return groups; }
};
WB_D coalesced_group coalesced_threads() { return coalesced_group(); }

/* A tile's place among the tiles of the parent. */
template <unsigned N> class wb_among {
	unsigned parent;        /* threads; 0: the block is the parent */

public:
	WB_D explicit wb_among(unsigned threads) : parent(threads) {}
	WB_D unsigned meta_group_rank() const
	{
		return (parent ? thread_block::thread_rank() % parent : thread_block::thread_rank()) / N;
	}
	WB_D unsigned meta_group_size() const
	{
		return ((parent ? parent : thread_block::num_threads()) + N - 1) / N;
	}
};
template <unsigned N, typename Parent> class thread_block_tile;
template <typename Parent> struct wb_threads_of { static const unsigned number = 0; };
template <unsigned N, typename Parent> struct wb_threads_of<thread_block_tile<N, Parent> > {
	static const unsigned number = N;
};

/* N lanes of a warp side by side; N a power of two. */
template <unsigned N, typename Parent = void> class thread_block_tile : public wb_lanes, public wb_among<N> {
	static_assert(N && N <= 32 && !(N & (N - 1)), "a tile has 1, 2, 4, 8 and so on up to 512 threads");
	static WB_D unsigned first() { return thread_block::thread_rank() % 32 / N * N; }

public:
	WB_D explicit thread_block_tile(const wb_among<N> &place = wb_among<N>(wb_threads_of<Parent>::number))
		: wb_lanes((N == 32 ? 0xffffffffu : (1u << N % 32) - 1) << first()), wb_among<N>(place) {}
	template <typename Other> WB_D thread_block_tile(const thread_block_tile<N, Other> &t)
		: thread_block_tile(static_cast<const wb_among<N> &>(t)) {}
	static WB_D unsigned thread_rank() { return thread_block::thread_rank() % N; }
	static constexpr WB_D unsigned num_threads() { return N; }
	static constexpr WB_D unsigned size() { return N; }
	template <typename T> WB_D T shfl(T v, int n) const { return wb_shfl(0, mask, v, n, N); }
	template <typename T> WB_D T shfl_up(T v, unsigned n) const { return wb_shfl_up(0, mask, v, n, N); }
	template <typename T> WB_D T shfl_down(T v, unsigned n) const { return wb_shfl_down(0, mask, v, n, N); }
	template <typename T> WB_D T shfl_xor(T v, int n) const { return wb_shfl_xor(0, mask, v, n, N); }
	WB_D unsigned ballot(int p) const { return (__ballot_sync(mask, p) & mask) >> first(); }
	template <typename T> WB_D unsigned match_any(T v) const { return __match_any_sync(mask, v) >> first(); }
	template <typename T> WB_D unsigned match_all(T v, int &p) const
	{
		return __match_all_sync(mask, v, &p) >> first();
	}
	template <typename T, typename Operation> WB_D T wb_reduce(T v, Operation op) const
	{
		for (unsigned n = N / 2; n; n /= 2)
			v = op(v, shfl_xor(v, n));
		return v;
	}
};

/* N lanes of several warps, of a block with a multiple of N. Each tile meets at a barrier of the tile, so there are 15
 * tiles at most. Values go by way of shared memory. */
template <unsigned N> class wb_tile_of_warps : public wb_among<N> {
	static WB_D unsigned tile() { return thread_block::thread_rank() / N; }
	/* A value that a thread of each warp, or of each tile, gives the others. */
	template <typename T> static WB_D T *wb_words()
	{
		static_assert(sizeof(T) <= 32, "a tile of several warps moves at most 32 bytes");
		__shared__ __align__(16) unsigned char bytes[32 * sizeof(T)];

		return (T *)bytes;
	}

public:
	WB_D explicit wb_tile_of_warps(const wb_among<N> &place) : wb_among<N>(place) {}
	static WB_D bool is_valid() { return true; }
	static WB_D unsigned thread_rank() { return thread_block::thread_rank() % N; }
	static constexpr WB_D unsigned num_threads() { return N; }
	static constexpr WB_D unsigned size() { return N; }
	static WB_D void sync()
	{
		switch (tile()) {
#define WB_MEET(number) \
	case number: asm volatile("barrier.sync %0, %1;" : : "n"(number + 1), "n"(N) : "memory"); break;
			WB_MEET(0) WB_MEET(1) WB_MEET(2) WB_MEET(3) WB_MEET(4) WB_MEET(5) WB_MEET(6) WB_MEET(7)
			WB_MEET(8) WB_MEET(9) WB_MEET(10) WB_MEET(11) WB_MEET(12) WB_MEET(13) WB_MEET(14)
#undef WB_MEET
		default: __trap();
		}
	}
	template <typename T, typename Operation> WB_D T wb_reduce(T v, Operation op) const
	{
		T *word = wb_words<T>() + tile() * (N / 32);

		v = thread_block_tile<32>().wb_reduce(v, op);
		if (thread_rank() % 32 == 0)
			word[thread_rank() / 32] = v;
		sync();
		v = word[0];
		for (unsigned k = 1; k < N / 32; k++)
			v = op(v, word[k]);
		sync();
		return v;
	}
	template <typename T> WB_D T shfl(T v, unsigned n) const
	{
		T *word = wb_words<T>() + tile();

		if (thread_rank() == n % N)
			*word = v;
		sync();
		v = *word;
		sync();
		return v;
	}
	WB_D int any(int p) const { return wb_reduce(p != 0, wb_or()); }
	WB_D int all(int p) const { return !wb_reduce(!p, wb_or()); }

private:
	struct wb_or { WB_D int operator()(int a, int b) const { return a | b; } };
};
#define WB_TILE(N) \
	template <typename Parent> class thread_block_tile<N, Parent> : public wb_tile_of_warps<N> { \
	public: \
		WB_D explicit thread_block_tile(const wb_among<N> &place = wb_among<N>(wb_threads_of<Parent>::number)) \
			: wb_tile_of_warps<N>(place) {} \
		template <typename Other> WB_D thread_block_tile(const thread_block_tile<N, Other> &t) \
			: thread_block_tile(static_cast<const wb_among<N> &>(t)) {} \
	};
WB_TILE(64)
WB_TILE(128)
WB_TILE(256)
WB_TILE(512)
#undef WB_TILE
template <unsigned N, typename Parent> WB_D thread_block_tile<N, Parent> tiled_partition(const Parent &)
{
	return thread_block_tile<N, Parent>();
}

/* ---- any group, known while the kernel runs ---- */

class thread_group {
	unsigned mask;          /* 0: the block */

public:
	WB_D thread_group(const thread_block &) : mask(0) {}
	WB_D thread_group(const wb_lanes &g) : mask(g.wb_mask()) {}
	WB_D unsigned wb_mask() const { return mask; }
	static WB_D bool is_valid() { return true; }
	WB_D void sync() const
	{
		if (mask)
			__syncwarp(mask);
		else
			__syncthreads();
	}
	WB_D unsigned num_threads() const { return mask ? __popc(mask) : thread_block::num_threads(); }
	WB_D unsigned size() const { return num_threads(); }
	WB_D unsigned thread_rank() const
	{
		return mask ? wb_lanes(mask).thread_rank() : thread_block::thread_rank();
	}
};

/* Lanes of a mask by n, in the order of their ranks. */
WB_D coalesced_group tiled_partition(const wb_lanes &g, unsigned n)
{
	unsigned rank = g.thread_rank(), groups = (g.num_threads() + n - 1) / n, part = 0;

	for (unsigned rest = g.wb_mask(), k = 0; rest; rest &= rest - 1, k++)
		part |= k / n == rank / n ? rest & -rest : 0;
	return coalesced_group(part, rank / n, groups);
}
WB_D thread_group tiled_partition(const thread_group &g, unsigned n)
{
	unsigned lanes = (n >= 32 ? 0xffffffffu : (1u << n) - 1) << thread_block::thread_rank() % 32 / n * n;

	return thread_group(g.wb_mask() ? tiled_partition(wb_lanes(g.wb_mask()), n) : coalesced_group(lanes));
}
WB_D thread_group tiled_partition(const thread_block &g, unsigned n) { return tiled_partition(thread_group(g), n); }
/* Lanes with the same label. */
template <typename T> WB_D coalesced_group labeled_partition(const wb_lanes &g, T label)
{
	return coalesced_group(__match_any_sync(g.wb_mask(), label));
}
WB_D coalesced_group binary_partition(const wb_lanes &g, bool p)
{
	unsigned lanes = __ballot_sync(g.wb_mask(), p);

	return coalesced_group(g.wb_mask() & (p ? lanes : ~lanes), p, 2);
}
WB_D coalesced_group this_thread() { return coalesced_group(1u << wb_lane()); }

/* ---- the grid ---- */

/* Blocks that have come to the meeting, and meetings so far. */
struct wb_meeting { unsigned arrived, number; };
static __device__ wb_meeting wb_grid_meeting;

/* All blocks must be on the device at once, as cudaLaunchCooperativeKernel sees to. */
class grid_group {
public:
	static WB_D bool is_valid() { return true; }
	static WB_D void sync()
	{
		__syncthreads();
		if (num_blocks() > 1 && thread_block::thread_rank() == 0) {
			volatile unsigned *number = &wb_grid_meeting.number;
			unsigned now = *number;
			__threadfence();
			if (atomicAdd(&wb_grid_meeting.arrived, 1) == num_blocks() - 1) {
				atomicExch(&wb_grid_meeting.arrived, 0);
				__threadfence();
				atomicAdd(&wb_grid_meeting.number, 1);
			} else {
				while (*number == now)
					;
			}
			__threadfence();
		}
		__syncthreads();
	}
	static WB_D unsigned long long num_blocks()
	{
		return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
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
	static WB_D unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
	static WB_D unsigned long long size() { return num_threads(); }
	static WB_D dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
	static WB_D dim3 group_dim() { return dim_blocks(); }
	static WB_D dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
WB_D grid_group this_grid() { return grid_group(); }

/* ---- of any group ---- */

template <typename Group> WB_D void sync(const Group &g) { g.sync(); }
template <typename Group> WB_D unsigned thread_rank(const Group &g) { return g.thread_rank(); }
template <typename Group> WB_D unsigned group_size(const Group &g) { return g.size(); }

template <typename T> struct plus { WB_D T operator()(T a, T b) const { return a + b; } };
template <typename T> struct less { WB_D T operator()(T a, T b) const { return b < a ? b : a; } };
template <typename T> struct greater { WB_D T operator()(T a, T b) const { return a < b ? b : a; } };
template <typename T> struct bit_and { WB_D T operator()(T a, T b) const { return a & b; } };
template <typename T> struct bit_or { WB_D T operator()(T a, T b) const { return a | b; } };
template <typename T> struct bit_xor { WB_D T operator()(T a, T b) const { return a ^ b; } };

template <unsigned N, typename P, typename T, typename Operation>
WB_D T reduce(const thread_block_tile<N, P> &g, T v, Operation op)
{
	return g.wb_reduce(v, op);
}
template <typename T, typename Operation> WB_D T reduce(const coalesced_group &g, T v, Operation op)
{
	T all = g.shfl(v, 0);

	for (unsigned n = 1; n < g.num_threads(); n++)
		all = op(all, g.shfl(v, n));
	return all;
}

template <typename Group, typename T, typename Operation>
WB_D T inclusive_scan(const Group &g, T v, Operation op)
{
	for (unsigned n = 1; n < g.num_threads(); n *= 2) {
		T below = g.shfl_up(v, n);
		if (g.thread_rank() >= n)
			v = op(below, v);
	}
	return v;
}
template <typename Group, typename T> WB_D T inclusive_scan(const Group &g, T v)
{
	return inclusive_scan(g, v, plus<T>());
}
/* The first thread's is T(). */
template <typename Group, typename T, typename Operation>
WB_D T exclusive_scan(const Group &g, T v, Operation op)
{
	T below = g.shfl_up(inclusive_scan(g, v, op), 1);

	return g.thread_rank() ? below : T();
}
template <typename Group, typename T> WB_D T exclusive_scan(const Group &g, T v)
{
	return exclusive_scan(g, v, plus<T>());
}

template <typename Group, typename F> WB_D void invoke_one(const Group &g, F f)
{
	if (g.thread_rank() == 0)
		f();
}
template <typename Group, typename F> WB_D auto invoke_one_broadcast(const Group &g, F f) -> decltype(f())
{
	decltype(f()) v{};

	if (g.thread_rank() == 0)
		v = f();
	return g.shfl(v, 0);
}

/* The group's threads copy, each some elements; wait makes the copy known to all. */
template <typename Group, typename T> WB_D void memcpy_async(const Group &g, T *to, const T *from, size_t bytes)
{
	for (size_t i = g.thread_rank(); i < bytes / sizeof(T); i += g.size())
		to[i] = from[i];
}
template <typename Group> WB_D void wait(const Group &g) { g.sync(); }
#undef WB_D

}

#endif
