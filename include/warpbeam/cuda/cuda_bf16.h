/* Brain floats: the upper halves of floats, 8 bits for digits and a float's range (warpbeam_halves.h). */
#ifndef WARPBEAM_CUDA_BF16_H
#define WARPBEAM_CUDA_BF16_H

#ifndef WARPBEAM_HIP_RUNTIME_H
#include "cuda_runtime.h"
#endif
#include "warpbeam_halves.h"

#define WB_H static __inline__ __host__ __device__

struct __nv_bfloat16_raw { unsigned short x; };
struct __nv_bfloat162_raw { unsigned short x, y; };

/* Rounded to nearest, ties to even: beyond the largest number the sum carries into infinity. */
WB_H unsigned short warpbeam_bfloat16_of(float f)
{
	unsigned bits;

	memcpy(&bits, &f, sizeof bits);
	if ((bits & 0x7fffffff) > 0x7f800000)
		return (unsigned short)0x7fff;
	return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
WB_H float warpbeam_float_of_bfloat16(unsigned short h)
{
	unsigned bits = (unsigned)h << 16;
	float f;

	memcpy(&f, &bits, sizeof f);
	return f;
}
/* The product of two numbers is exact in a float, but for its range: sums beyond 2^127, where c may bring the sum back,
 * are taken at a fourth, and small ones at 2^60 times. */
WB_H unsigned short warpbeam_bfloat16_fma(float a, float b, float c)
{
	float p = a * b, scale = 1;

	if (a - a == 0 && b - b == 0 && c - c != 0)
		return warpbeam_bfloat16_of(c);         /* no number, or an infinity that no product changes */
	if (p >= 0x1p127f || p <= -0x1p127f)
		scale = 0.25f;
	else if (p < 0x1p-60f && p > -0x1p-60f && c < 0x1p-60f && c > -0x1p-60f)
		scale = 0x1p60f;
	p = a > 1 || a < -1 ? a * (b * scale) : a * scale * b;
	c = c > 1 || c < -1 || scale > 1 ? c * scale : c;       /* a small one is what is left over in any case */
	p = warpbeam_float_of_bfloat16(warpbeam_bfloat16_of(warpbeam_odd_sum(p, c)));
	return warpbeam_bfloat16_of(p * (1 / scale));
}

#define WB_NAME bfloat16
#define WB_T __nv_bfloat16
#define WB_T2 __nv_bfloat162
#define WB_RAW __nv_bfloat16_raw
#define WB_RAW2 __nv_bfloat162_raw
#define WB_TO(f) warpbeam_bfloat16_of(f)
#define WB_BACK(bits) warpbeam_float_of_bfloat16(bits)
#define WB_EXACT(n) warpbeam_odd(n)
#define WB_FMA(a, b, c) warpbeam_bfloat16_fma(a, b, c)
#define WB_ONE 0x3f80
#define WB_INFINITY 0x7f80
#undef WB_H
#include "warpbeam_halves.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

#ifdef __CUDA__
#define WB_D static __device__ __forceinline__
WB_D __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v)
{
	__nv_bfloat16 old;

	asm volatile("atom.add.noftz.bf16 %0, [%1], %2;" : "=h"(old.__x) : "l"(p), "h"(v.__x) : "memory");
	return old;
}
WB_D __nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 v)
{
	unsigned bits;

	asm volatile("atom.add.noftz.bf16x2 %0, [%1], %2;" : "=r"(bits) : "l"(p), "r"(warpbeam_bits(v)) : "memory");
	warpbeam_put(v, bits);
	return v;
}
#undef WB_D
#endif

#endif
