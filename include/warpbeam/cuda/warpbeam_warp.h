/* The words of a warp: votes, shuffles, matches, and meetings. clang has a header of the same words; with clang 14, a
 * shuffle of an unsigned long long calls itself without end. */
#ifndef WARPBEAM_CUDA_WARP_H
#define WARPBEAM_CUDA_WARP_H

#define WB_D static __device__ __forceinline__
#define WB_ALL 0xffffffffu

WB_D unsigned __activemask()
{
	unsigned mask;

	asm volatile("activemask.b32 %0;" : "=r"(mask));
	return mask;
}
WB_D void __syncwarp(unsigned mask = WB_ALL) { __nvvm_bar_warp_sync(mask); }
WB_D int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
WB_D int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
WB_D int __uni_sync(unsigned mask, int p) { return __nvvm_vote_uni_sync(mask, p); }
WB_D unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
WB_D unsigned __fns(unsigned mask, unsigned base, int offset) { return __nvvm_fns(mask, base, offset); }
WB_D void __barrier_sync(unsigned id) { __nvvm_barrier_sync(id); }
WB_D void __barrier_sync_count(unsigned id, unsigned threads) { __nvvm_barrier_sync_cnt(id, threads); }

/* ---- shuffles: a value of 32 bits, then values of other types, word by word ---- */

#define WB_SHUFFLE(name, builtin, last, number) \
	WB_D int name##_sync(unsigned mask, int v, number n, int width = 32) \
	{ \
		return builtin(mask, v, (int)n, (32 - width) << 8 | last); \
	} \
	WB_D unsigned name##_sync(unsigned mask, unsigned v, number n, int width = 32) \
	{ \
		return (unsigned)name##_sync(mask, (int)v, n, width); \
	} \
	WB_D unsigned long long name##_sync(unsigned mask, unsigned long long v, number n, int width = 32) \
	{ \
		unsigned low = name##_sync(mask, (unsigned)v, n, width); \
		unsigned high = name##_sync(mask, (unsigned)(v >> 32), n, width); \
		return (unsigned long long)high << 32 | low; \
	} \
	WB_D long long name##_sync(unsigned mask, long long v, number n, int width = 32) \
	{ \
		return (long long)name##_sync(mask, (unsigned long long)v, n, width); \
	} \
	WB_D unsigned long name##_sync(unsigned mask, unsigned long v, number n, int width = 32) \
	{ \
		return (unsigned long)name##_sync(mask, (unsigned long long)v, n, width); \
	} \
	WB_D long name##_sync(unsigned mask, long v, number n, int width = 32) \
	{ \
		return (long)name##_sync(mask, (unsigned long long)v, n, width); \
	} \
	WB_D float name##_sync(unsigned mask, float v, number n, int width = 32) \
	{ \
		return __int_as_float(name##_sync(mask, __float_as_int(v), n, width)); \
	} \
	WB_D double name##_sync(unsigned mask, double v, number n, int width = 32) \
	{ \
		return __longlong_as_double(name##_sync(mask, (long long)__double_as_longlong(v), n, width)); \
	}

/* With "up" a lane below the first of the part reads the own value: the last lane of the builtin is 0 there. */
WB_SHUFFLE(__shfl, __nvvm_shfl_sync_idx_i32, 31, int)
WB_SHUFFLE(__shfl_up, __nvvm_shfl_sync_up_i32, 0, unsigned)
WB_SHUFFLE(__shfl_down, __nvvm_shfl_sync_down_i32, 31, unsigned)
WB_SHUFFLE(__shfl_xor, __nvvm_shfl_sync_bfly_i32, 31, int)
#undef WB_SHUFFLE

/* Of CUDA before 9, without a mask: active lanes. __all, __any and __ballot without a mask are clang's. */
#define WB_HERE(name, number) \
	template <typename T> WB_D T name(T v, number n, int width = 32) \
	{ \
		return name##_sync(__activemask(), v, n, width); \
	}
WB_HERE(__shfl, int)
WB_HERE(__shfl_up, unsigned)
WB_HERE(__shfl_down, unsigned)
WB_HERE(__shfl_xor, int)
#undef WB_HERE

/* ---- matches ---- */

#define WB_MATCH(type, word, bits) \
	WB_D unsigned __match_any_sync(unsigned mask, type v) \
	{ \
		return __nvvm_match_any_sync_i##bits(mask, word); \
	} \
	WB_D unsigned __match_all_sync(unsigned mask, type v, int *all) \
	{ \
		return __nvvm_match_all_sync_i##bits##p(mask, word, all); \
	}
WB_MATCH(int, (unsigned)v, 32)
WB_MATCH(unsigned, v, 32)
WB_MATCH(float, __float_as_uint(v), 32)
WB_MATCH(long, (unsigned long long)v, 64)
WB_MATCH(unsigned long, (unsigned long long)v, 64)
WB_MATCH(long long, (unsigned long long)v, 64)
WB_MATCH(unsigned long long, v, 64)
WB_MATCH(double, (unsigned long long)__double_as_longlong(v), 64)
#undef WB_MATCH

/* ---- one result for all lanes of a mask; chips before sm_80 have no instruction for it ---- */

#define WB_REDUCE(name, type, combine) \
	WB_D type __reduce_##name##_sync(unsigned mask, type v) \
	{ \
		type result = __shfl_sync(mask, v, __ffs(mask) - 1); \
		for (unsigned rest = mask & (mask - 1); rest; rest &= rest - 1) { \
			type other = __shfl_sync(mask, v, __ffs(rest) - 1); \
			result = combine; \
		} \
		return result; \
	}
WB_REDUCE(add, unsigned, result + other)
WB_REDUCE(add, int, (int)((unsigned)result + (unsigned)other))
WB_REDUCE(min, unsigned, other < result ? other : result)
WB_REDUCE(min, int, other < result ? other : result)
WB_REDUCE(max, unsigned, other > result ? other : result)
WB_REDUCE(max, int, other > result ? other : result)
WB_REDUCE(and, unsigned, result & other)
WB_REDUCE(or, unsigned, result | other)
WB_REDUCE(xor, unsigned, result ^ other)
#undef WB_REDUCE
#undef WB_ALL
#undef WB_D

#endif
