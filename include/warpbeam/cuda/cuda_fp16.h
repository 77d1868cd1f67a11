/* Halves: numbers of 16 bits with 11 of them for digits (warpbeam_halves.h). Conversions are instructions. */
#ifndef WARPBEAM_CUDA_FP16_H
#define WARPBEAM_CUDA_FP16_H

#ifndef WARPBEAM_HIP_RUNTIME_H
#include "cuda_runtime.h"
#endif

#define WB_H static __inline__ __host__ __device__

struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };

/* Of the host: rounded to nearest, ties to even. */
WB_H unsigned short warpbeam_half_of(float f)
{
#if defined(__CUDA_ARCH__)
	return __nv_float2half_rn(f);
#elif defined(__HIP_DEVICE_COMPILE__)
	_Float16 h = (_Float16)f;
	unsigned short bits;

	memcpy(&bits, &h, sizeof bits);
	return bits;
#else
	unsigned bits, sign, magnitude, rest;

	memcpy(&bits, &f, sizeof bits);
	sign = bits >> 16 & 0x8000;
	magnitude = bits & 0x7fffffff;
	if (magnitude > 0x7f800000)
		return (unsigned short)0x7fff;
	if (magnitude >= 0x47800000)
		return (unsigned short)(sign | 0x7c00);
	if (magnitude < 0x38800000) {   /* denormal: adding 0.5 puts the last bit at 2^-24 */
		float v;
		memcpy(&v, &magnitude, sizeof v);
		v += 0.5f;
		memcpy(&magnitude, &v, sizeof v);
		return (unsigned short)(sign | (magnitude - 0x3f000000));
	}
	rest = magnitude & 0x1fff;
	magnitude = (magnitude - 0x38000000) >> 13;
	return (unsigned short)(sign | (magnitude + (rest > 0x1000 || (rest == 0x1000 && (magnitude & 1)))));
#endif
}

WB_H float warpbeam_float_of(unsigned short h)
{
#if defined(__CUDA_ARCH__)
	return __nv_half2float(h);
#elif defined(__HIP_DEVICE_COMPILE__)
	_Float16 f;

	memcpy(&f, &h, sizeof f);
	return (float)f;
#else
	unsigned sign = (unsigned)(h & 0x8000) << 16, bits = (unsigned)(h & 0x7fff) << 13;
	float f;

	if (bits >= 0x7c00u << 13)
		bits += 0x70000000;
	else if (bits >= 0x400u << 13)
		bits += 0x38000000;
	else {
		f = (float)(h & 0x3ff) * 0x1p-24f;
		memcpy(&bits, &f, sizeof bits);
	}
	bits |= sign;
	memcpy(&f, &bits, sizeof f);
	return f;
#endif
}

#define WB_NAME half
#define WB_T __half
#define WB_T2 __half2
#define WB_RAW __half_raw
#define WB_RAW2 __half2_raw
#define WB_TO(f) warpbeam_half_of(f)
#define WB_BACK(bits) warpbeam_float_of(bits)
#define WB_EXACT(n) ((float)(n))        /* what a float cannot hold is beyond a half's range as well */
#define WB_FMA(a, b, c) warpbeam_half_of(warpbeam_odd_sum((a) * (b), c))
#define WB_ONE 0x3c00
#define WB_INFINITY 0x7c00
#undef WB_H
#include "warpbeam_halves.h"

typedef __half half;
typedef __half2 half2;

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)

#ifdef __CUDA__
#define WB_D static __device__ __forceinline__
WB_D __half atomicAdd(__half *p, __half v)
{
	__half old;

	asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old.__x) : "l"(p), "h"(v.__x) : "memory");
	return old;
}
WB_D __half2 atomicAdd(__half2 *p, __half2 v)
{
	unsigned bits;

	asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(bits) : "l"(p), "r"(warpbeam_bits(v)) : "memory");
	warpbeam_put(v, bits);
	return v;
}
#undef WB_D
#endif

#endif
