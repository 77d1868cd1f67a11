/* Functions of the device. clang's own headers bring the mathematical functions, the conversions and the words of a
 * warp; atomics and the calls of a system are here. */
#ifndef WARPBEAM_CUDA_DEVICE_H
#define WARPBEAM_CUDA_DEVICE_H

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t bytes);
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned line, const char *function)
{
	__assertfail(message, file, line, function, sizeof(char));
}
}

namespace std {
__device__ static inline void free(void *p) { ::free(p); }
__device__ static inline void *malloc(size_t n) { return ::malloc(n); }
}

#define WB_D static __device__ __forceinline__
typedef unsigned long long wb_ull;

/* ---- atomics: the type of CUDA, the suffix of clang's names, the type of these ---- */

#define WB_ATOMIC(name, suffix, type, call, as) \
	WB_D type name(type *p, type v) { return (type)call(as p, v); } \
	WB_D type name##_block(type *p, type v) { return (type)call##_block(as p, v); } \
	WB_D type name##_system(type *p, type v) { return (type)call##_system(as p, v); }
#define WB_INT(name) \
	WB_ATOMIC(atomic##name, i, int, __iAtomic##name, (int *)) \
	WB_ATOMIC(atomic##name, u, unsigned, __uAtomic##name, (unsigned *))
#define WB_WORDS(name) \
	WB_INT(name) \
	WB_ATOMIC(atomic##name, ull, wb_ull, __ullAtomic##name, (wb_ull *))

WB_WORDS(Add)
WB_WORDS(Exch)
WB_WORDS(Min)
WB_WORDS(Max)
WB_WORDS(And)
WB_WORDS(Or)
WB_WORDS(Xor)
WB_ATOMIC(atomicAdd, f, float, __fAtomicAdd, (float *))
WB_ATOMIC(atomicAdd, d, double, __dAtomicAdd, (double *))
WB_ATOMIC(atomicExch, f, float, __fAtomicExch, (float *))
WB_ATOMIC(atomicMin, ll, long long, __illAtomicMin, (long long *))
WB_ATOMIC(atomicMax, ll, long long, __illAtomicMax, (long long *))
WB_ATOMIC(atomicInc, u, unsigned, __uAtomicInc, (unsigned *))
WB_ATOMIC(atomicDec, u, unsigned, __uAtomicDec, (unsigned *))

#define WB_SUB(suffix, type, unsigned_type) \
	WB_D type atomicSub##suffix(type *p, type v) { return atomicAdd##suffix(p, (type)(0 - (unsigned_type)v)); }
WB_SUB(, int, unsigned)
WB_SUB(, unsigned, unsigned)
WB_SUB(_block, int, unsigned)
WB_SUB(_block, unsigned, unsigned)
WB_SUB(_system, int, unsigned)
WB_SUB(_system, unsigned, unsigned)

#define WB_CAS(type, call) \
	WB_D type atomicCAS(type *p, type expected, type v) { return (type)call(p, expected, v); } \
	WB_D type atomicCAS_block(type *p, type expected, type v) { return (type)call##_block(p, expected, v); } \
	WB_D type atomicCAS_system(type *p, type expected, type v) { return (type)call##_system(p, expected, v); }
WB_CAS(int, __iAtomicCAS)
WB_CAS(unsigned, __uAtomicCAS)
WB_CAS(wb_ull, __ullAtomicCAS)
#undef WB_CAS
#undef WB_SUB
#undef WB_WORDS
#undef WB_INT
#undef WB_ATOMIC

/* ---- the rest ---- */

WB_D unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
WB_D unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
WB_D unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
WB_D unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }

WB_D void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns)); }
WB_D unsigned wb_lane() { return __nvvm_read_ptx_sreg_laneid(); }

/* Packed bytes and halves: sums of products. */
#define WB_DOT(name, type, packed, bytes, insn) \
	WB_D type name(type a, type b, type c) \
	{ \
		asm(insn " %0, %1, %2, %3;" : "=r"(c) : "r"(a), "r"(b), "r"(c)); \
		return c; \
	} \
	WB_D type name(packed a, bytes b, type c) \
	{ \
		type x, y; \
		memcpy(&x, &a, sizeof x); \
		memcpy(&y, &b, sizeof y); \
		return name(x, y, c); \
	}
WB_DOT(__dp4a, int, char4, char4, "dp4a.s32.s32")
WB_DOT(__dp4a, unsigned, uchar4, uchar4, "dp4a.u32.u32")
WB_DOT(__dp2a_lo, int, short2, char4, "dp2a.lo.s32.s32")
WB_DOT(__dp2a_lo, unsigned, ushort2, uchar4, "dp2a.lo.u32.u32")
WB_DOT(__dp2a_hi, int, short2, char4, "dp2a.hi.s32.s32")
WB_DOT(__dp2a_hi, unsigned, ushort2, uchar4, "dp2a.hi.u32.u32")
#undef WB_DOT

WB_D size_t __cvta_generic_to_shared(const void *p)
{
	return (size_t)(const void __attribute__((address_space(3))) *)p;
}
WB_D size_t __cvta_generic_to_global(const void *p)
{
	return (size_t)(const void __attribute__((address_space(1))) *)p;
}
#undef WB_D

#endif
