/* Words of a wave of 64 lanes: votes, shuffles, and votes of a block. */
#ifndef WARPBEAM_HIP_WAVE_H
#define WARPBEAM_HIP_WAVE_H

#define WB_D static __device__ __forceinline__ __attribute__((nodebug))
static constexpr int warpSize = 64;

WB_D unsigned int __lane_id() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)); }

/* ---- votes of the active lanes; comparison 33 is "not equal" ---- */

WB_D unsigned long long __ballot(int p) { return __builtin_amdgcn_uicmp((unsigned int)p, 0u, 33); }
WB_D unsigned long long __activemask() { return __ballot(1); }
WB_D int __any(int p) { return __ballot(p) != 0; }
WB_D int __all(int p) { return __ballot(!p) == 0; }
template <typename M> WB_D unsigned long long __ballot_sync(M mask, int p) { return __ballot(p) & mask; }
template <typename M> WB_D int __any_sync(M mask, int p) { return __ballot_sync(mask, p) != 0; }
template <typename M> WB_D int __all_sync(M mask, int p) { return __ballot_sync(mask, !p) == 0; }
WB_D void __syncwarp() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "wavefront"); __builtin_amdgcn_wave_barrier(); }
template <typename M> WB_D void __syncwarp(M) { __syncwarp(); }

/* ---- shuffles: a word of another lane; older chips have no instruction for it, and read lane by lane ---- */

WB_D int wb_word_of(int lane, int word)
{
#if defined(__gfx600__) || defined(__gfx601__) || defined(__gfx602__) || defined(__gfx700__) || \
	defined(__gfx701__) || defined(__gfx702__) || defined(__gfx703__) || defined(__gfx704__) || defined(__gfx705__)
	int result = 0;

	lane &= 63;
	for (int i = 0; i < 64; i++) {
		int other = __builtin_amdgcn_readlane(word, i);
		result = lane == i ? other : result;
	}
	return result;
#else
	return __builtin_amdgcn_ds_bpermute(lane << 2, word);
#endif
}

template <typename T> WB_D T wb_value_of(int lane, T v)
{
	static_assert(sizeof(T) <= 16, "a shuffle takes values of up to 16 bytes");
	int words[(sizeof(T) + 3) / 4] = {};

	memcpy(words, &v, sizeof v);
	for (unsigned int i = 0; i < sizeof words / 4; i++)
		words[i] = wb_word_of(lane, words[i]);
	memcpy(&v, words, sizeof v);
	return v;
}

#define WB_SHUFFLE(name, number, lane) \
	template <typename T> WB_D T name(T v, number n, int width = 64) \
	{ \
		int self = (int)__lane_id(), begin = self & ~(width - 1), end = begin + width; \
		return (void)end, wb_value_of(lane, v); \
	} \
	template <typename M, typename T> WB_D T name##_sync(M, T v, number n, int width = 64) \
	{ \
		return name(v, n, width); \
	}
WB_SHUFFLE(__shfl, int, begin + (n & (width - 1)))
WB_SHUFFLE(__shfl_up, unsigned int, self - (int)n < begin ? self : self - (int)n)
WB_SHUFFLE(__shfl_down, unsigned int, self + (int)n >= end ? self : self + (int)n)
WB_SHUFFLE(__shfl_xor, int, (self ^ n) >= end ? self : self ^ n)
#undef WB_SHUFFLE

/* ---- votes of a block, through a word of shared memory ---- */

WB_D int __syncthreads_count(int p)
{
	__shared__ int votes;

	if (!(threadIdx.x | threadIdx.y | threadIdx.z))
		votes = 0;
	__syncthreads();
	if (p)
		atomicAdd(&votes, 1);
	__syncthreads();
	int count = votes;
	__syncthreads();
	return count;
}
WB_D int __syncthreads_or(int p) { return __syncthreads_count(p) != 0; }
WB_D int __syncthreads_and(int p) { return __syncthreads_count(!p) == 0; }
#undef WB_D

#endif
