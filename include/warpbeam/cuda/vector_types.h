/* Vectors of two to four elements, with the alignment that CUDA C++ documents for them, and sizes of grids. */
#ifndef WARPBEAM_CUDA_VECTOR_TYPES_H
#define WARPBEAM_CUDA_VECTOR_TYPES_H

#include "host_defines.h"

#define WB_VECTORS(name, type, align2, align4) \
	struct name##1 { type x; }; \
	struct __align__(align2) name##2 { type x, y; }; \
	struct name##3 { type x, y, z; }; \
	struct __align__(align4) name##4 { type x, y, z, w; }; \
	typedef struct name##1 name##1; \
	typedef struct name##2 name##2; \
	typedef struct name##3 name##3; \
	typedef struct name##4 name##4;

WB_VECTORS(char, signed char, 2, 4)
WB_VECTORS(uchar, unsigned char, 2, 4)
WB_VECTORS(short, short, 4, 8)
WB_VECTORS(ushort, unsigned short, 4, 8)
WB_VECTORS(int, int, 8, 16)
WB_VECTORS(uint, unsigned int, 8, 16)
WB_VECTORS(long, long, 16, 16)
WB_VECTORS(ulong, unsigned long, 16, 16)
WB_VECTORS(longlong, long long, 16, 16)
WB_VECTORS(ulonglong, unsigned long long, 16, 16)
WB_VECTORS(float, float, 8, 16)
WB_VECTORS(double, double, 16, 16)
#undef WB_VECTORS

struct dim3 {
	unsigned int x, y, z;
#ifdef __cplusplus
	__host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
		: x(vx), y(vy), z(vz) {}
	__host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
	__host__ __device__ constexpr operator uint3() const { return uint3{ x, y, z }; }
#endif
};
typedef struct dim3 dim3;

#endif
