/* Functions of the device: places of a lane, barriers, atomics, conversions and bits. clang's own headers bring the
 * mathematical functions. */
#ifndef WARPBEAM_HIP_DEVICE_H
#define WARPBEAM_HIP_DEVICE_H

/* Without lines of their own: what is inlined belongs to the line of the call. */
#define WB_D static __device__ __forceinline__ __attribute__((nodebug))
typedef unsigned long long wb_ull;

/* ---- places ---- */

#define WB_IN __device__ __forceinline__ __attribute__((nodebug))
#define WB_PLACE(name, of_x, of_y, of_z) \
	struct wb_##name { \
		__declspec(property(get = wb_x)) unsigned int x; \
		__declspec(property(get = wb_y)) unsigned int y; \
		__declspec(property(get = wb_z)) unsigned int z; \
		WB_IN static unsigned int wb_x() { return (unsigned int)(of_x); } \
		WB_IN static unsigned int wb_y() { return (unsigned int)(of_y); } \
		WB_IN static unsigned int wb_z() { return (unsigned int)(of_z); } \
		WB_IN operator dim3() const { return dim3(x, y, z); } \
		WB_IN operator uint3() const { return uint3{ x, y, z }; } \
	}; \
	extern const __device__ __attribute__((weak)) wb_##name name;
WB_PLACE(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
	 __builtin_amdgcn_workitem_id_z())
WB_PLACE(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
	 __builtin_amdgcn_workgroup_id_z())
WB_PLACE(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
	 __builtin_amdgcn_workgroup_size_z())
WB_PLACE(gridDim, __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(),
	 __builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y(),
	 __builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z())
#undef WB_PLACE
#undef WB_IN
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

/* ---- memory ---- */

WB_D void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
WB_D void *memset(void *to, int value, size_t n) { return __builtin_memset(to, value, n); }

/* ---- barriers and fences ---- */

WB_D void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
WB_D void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
WB_D void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }
WB_D void __syncthreads()
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* ---- atomics ---- */

#define WB_ATOMIC(name, type, operation) \
	WB_D type name(type *p, type v) \
	{ \
		return operation(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
	} \
	WB_D type name##_block(type *p, type v) \
	{ \
		return operation(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP); \
	} \
	WB_D type name##_system(type *p, type v) \
	{ \
		return operation(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM); \
	}
#define WB_WORDS(name, operation) \
	WB_ATOMIC(name, int, operation) \
	WB_ATOMIC(name, unsigned int, operation) \
	WB_ATOMIC(name, wb_ull, operation) \
	WB_ATOMIC(name, unsigned long, operation)
WB_WORDS(atomicAdd, __hip_atomic_fetch_add)
WB_WORDS(atomicExch, __hip_atomic_exchange)
WB_WORDS(atomicMin, __hip_atomic_fetch_min)
WB_WORDS(atomicMax, __hip_atomic_fetch_max)
WB_WORDS(atomicAnd, __hip_atomic_fetch_and)
WB_WORDS(atomicOr, __hip_atomic_fetch_or)
WB_WORDS(atomicXor, __hip_atomic_fetch_xor)
WB_ATOMIC(atomicAdd, float, __hip_atomic_fetch_add)
WB_ATOMIC(atomicAdd, double, __hip_atomic_fetch_add)
WB_ATOMIC(atomicExch, float, __hip_atomic_exchange)
WB_ATOMIC(atomicExch, double, __hip_atomic_exchange)
#undef WB_WORDS
#undef WB_ATOMIC
template <typename T> WB_D T atomicSub(T *p, T v) { return atomicAdd(p, (T)(0 - v)); }

#define WB_CAS(type) \
	WB_D type atomicCAS(type *p, type expected, type v) \
	{ \
		__hip_atomic_compare_exchange_strong(p, &expected, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, \
						     __HIP_MEMORY_SCOPE_AGENT); \
		return expected; \
	}
WB_CAS(int)
WB_CAS(unsigned int)
WB_CAS(wb_ull)
WB_CAS(unsigned long)
#undef WB_CAS

/* What has no instruction of its own is a loop of compare and swap over the value's word. */
#define WB_LOOP(name, type, word, change) \
	WB_D type name(type *p, type v) \
	{ \
		word *at = (word *)p, seen = *(volatile word *)at, was; \
		type old, next; \
		do { \
			was = seen; \
			memcpy(&old, &was, sizeof old); \
			next = change; \
			memcpy(&seen, &next, sizeof next); \
			seen = atomicCAS(at, was, seen); \
		} while (seen != was); \
		return old; \
	}
WB_LOOP(atomicInc, unsigned int, unsigned int, old >= v ? 0 : old + 1)
WB_LOOP(atomicDec, unsigned int, unsigned int, old == 0 || old > v ? v : old - 1)
WB_LOOP(atomicMin, float, unsigned int, v < old ? v : old)
WB_LOOP(atomicMax, float, unsigned int, v > old ? v : old)
WB_LOOP(atomicMin, double, wb_ull, v < old ? v : old)
WB_LOOP(atomicMax, double, wb_ull, v > old ? v : old)
WB_LOOP(atomicMin, long long, wb_ull, v < old ? v : old)
WB_LOOP(atomicMax, long long, wb_ull, v > old ? v : old)
#undef WB_LOOP

/* ---- output and errors: a record for the host (device/prints.c), with each value in 8 bytes ---- */

template <typename T> WB_D void wb_put(unsigned int *to, T v)
{
	wb_ull word;

	if constexpr (__is_floating_point(T)) {
		double d = v;
		memcpy(&word, &d, sizeof word);
	} else if constexpr (sizeof(T) == 8) {
		memcpy(&word, &v, sizeof word);
	} else {
		word = (wb_ull)(long long)(int)v;
	}
	to[0] = (unsigned int)word;
	to[1] = (unsigned int)(word >> 32);
}

/* Storage for a record of that many words, with a header; a null pointer: none. The host knows the function by name. */
extern "C" inline __device__ __attribute__((noinline)) unsigned int *__warpbeam_print(unsigned int words)
{
	unsigned int *buffer = ((unsigned int **)(const void *)__builtin_amdgcn_dispatch_ptr())[6];
	unsigned int at = atomicAdd(buffer, 4 * words + 12), size = buffer[1];
	unsigned int *record = (unsigned int *)((char *)buffer + at + 8);

	if (at > size || 4 * words + 12 > size - at)
		return 0;
	record[0] = 4 * words;
	record[1] = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
	record[2] = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	record[3] = 0;
	return record + 4;
}

template <typename... T> WB_D int printf(const char *format, T... values)
{
	unsigned int *to = __warpbeam_print(3 + 2 * sizeof...(T));

	if (!to)
		return -1;
	wb_put(to, format);
	((to += 2, wb_put(to, values)), ...);
	return 0;
}
namespace std { using ::printf; }

extern "C" inline __device__ void __assert_fail(const char *message, const char *file, unsigned line,
						const char *function)
{
	printf("%s:%u: %s: Device-side assertion `%s' failed.\n", file, line, function, message);
	__builtin_trap();
}

/* ---- bits ---- */

template <typename To, typename From> WB_D To wb_bits(From v)
{
	To r;

	memcpy(&r, &v, sizeof r);
	return r;
}
WB_D int __float_as_int(float x) { return wb_bits<int>(x); }
WB_D unsigned int __float_as_uint(float x) { return wb_bits<unsigned int>(x); }
WB_D float __int_as_float(int x) { return wb_bits<float>(x); }
WB_D float __uint_as_float(unsigned int x) { return wb_bits<float>(x); }
WB_D long long __double_as_longlong(double x) { return wb_bits<long long>(x); }
WB_D double __longlong_as_double(long long x) { return wb_bits<double>(x); }
WB_D int __double2hiint(double x) { return (int)(wb_bits<wb_ull>(x) >> 32); }
WB_D int __double2loint(double x) { return (int)wb_bits<wb_ull>(x); }
WB_D double __hiloint2double(int high, int low)
{
	return wb_bits<double>((wb_ull)(unsigned int)high << 32 | (unsigned int)low);
}
WB_D int __popc(unsigned int x) { return __builtin_popcount(x); }
WB_D int __popcll(wb_ull x) { return __builtin_popcountll(x); }
WB_D int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
WB_D int __clzll(long long x) { return x ? __builtin_clzll((wb_ull)x) : 64; }
WB_D int __ffs(unsigned int x) { return __builtin_ffs((int)x); }
WB_D int __ffs(int x) { return __builtin_ffs(x); }
WB_D int __ffsll(wb_ull x) { return __builtin_ffsll((long long)x); }
WB_D int __ffsll(long long x) { return __builtin_ffsll(x); }
WB_D unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
WB_D wb_ull __brevll(wb_ull x) { return __builtin_bitreverse64(x); }
WB_D unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selection)
{
	wb_ull both = (wb_ull)y << 32 | x;
	unsigned int r = 0;

	for (int i = 0; i < 4; i++)
		r |= (unsigned int)(both >> 8 * (selection >> 4 * i & 7) & 255) << 8 * i;
	return r;
}

/* ---- integers ---- */

WB_D int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
WB_D unsigned int __umulhi(unsigned int x, unsigned int y) { return (unsigned int)((wb_ull)x * y >> 32); }
WB_D long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
WB_D wb_ull __umul64hi(wb_ull x, wb_ull y) { return (wb_ull)((unsigned __int128)x * y >> 64); }
WB_D int __mul24(int x, int y) { return (int)((unsigned int)(x << 8 >> 8) * (unsigned int)(y << 8 >> 8)); }
WB_D unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffff) * (y & 0xffffff); }
WB_D int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
WB_D int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
WB_D unsigned int __uhadd(unsigned int x, unsigned int y) { return (unsigned int)(((wb_ull)x + y) >> 1); }
WB_D unsigned int __urhadd(unsigned int x, unsigned int y) { return (unsigned int)(((wb_ull)x + y + 1) >> 1); }
WB_D unsigned int __sad(int x, int y, unsigned int z)
{
	return z + (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x);
}
WB_D unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return z + (x > y ? x - y : y - x); }

/* ---- conversions, by the direction of rounding; a conversion to an integer keeps within its bounds ---- */

#define WB_WHOLE(to, name, from, least, bound) \
	WB_D to wb_##name(from x) \
	{ \
		return x != x ? 0 : x <= (from)(least) ? (to)(least) : x >= (from)(bound) ? (to)~(to)(least) : (to)x; \
	} \
	WB_D to __##name##_rn(from x) { return wb_##name(wb_nearest_##from(x)); } \
	WB_D to __##name##_rz(from x) { return wb_##name(x); } \
	WB_D to __##name##_rd(from x) { return wb_##name(floor(x)); } \
	WB_D to __##name##_ru(from x) { return wb_##name(ceil(x)); }
#define wb_nearest_float(x) __builtin_rintf(x)
#define wb_nearest_double(x) __builtin_rint(x)
WB_WHOLE(int, float2int, float, INT_MIN, 0x1p31f)
WB_WHOLE(unsigned int, float2uint, float, 0, 0x1p32f)
WB_WHOLE(long long, float2ll, float, LLONG_MIN, 0x1p63f)
WB_WHOLE(wb_ull, float2ull, float, 0, 0x1p64f)
WB_WHOLE(int, double2int, double, INT_MIN, 0x1p31)
WB_WHOLE(unsigned int, double2uint, double, 0, 0x1p32)
WB_WHOLE(long long, double2ll, double, LLONG_MIN, 0x1p63)
WB_WHOLE(wb_ull, double2ull, double, 0, 0x1p64)
#undef wb_nearest_float
#undef wb_nearest_double
#undef WB_WHOLE
WB_D float __int2float_rn(int x) { return (float)x; }
WB_D float __uint2float_rn(unsigned int x) { return (float)x; }
WB_D float __ll2float_rn(long long x) { return (float)x; }
WB_D float __ull2float_rn(wb_ull x) { return (float)x; }
WB_D double __int2double_rn(int x) { return x; }
WB_D double __uint2double_rn(unsigned int x) { return x; }
WB_D double __ll2double_rn(long long x) { return (double)x; }
WB_D double __ull2double_rn(wb_ull x) { return (double)x; }
WB_D float __double2float_rn(double x) { return (float)x; }

/* ---- time ---- */

WB_D long long clock64() { return (long long)__builtin_readcyclecounter(); }
WB_D long long __clock64() { return clock64(); }
WB_D long long clock() { return clock64(); }
WB_D long long __clock() { return clock64(); }
#undef WB_D

#endif
