/* make_float4 and the like. */
#ifndef WARPBEAM_CUDA_VECTOR_FUNCTIONS_H
#define WARPBEAM_CUDA_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define WB_MAKE static __inline__ __host__ __device__
#define WB_VECTORS(name, type) \
	WB_MAKE name##1 make_##name##1(type x) { name##1 v = { x }; return v; } \
	WB_MAKE name##2 make_##name##2(type x, type y) { name##2 v = { x, y }; return v; } \
	WB_MAKE name##3 make_##name##3(type x, type y, type z) { name##3 v = { x, y, z }; return v; } \
	WB_MAKE name##4 make_##name##4(type x, type y, type z, type w) { name##4 v = { x, y, z, w }; return v; }

WB_VECTORS(char, signed char)
WB_VECTORS(uchar, unsigned char)
WB_VECTORS(short, short)
WB_VECTORS(ushort, unsigned short)
WB_VECTORS(int, int)
WB_VECTORS(uint, unsigned int)
WB_VECTORS(long, long)
WB_VECTORS(ulong, unsigned long)
WB_VECTORS(longlong, long long)
WB_VECTORS(ulonglong, unsigned long long)
WB_VECTORS(float, float)
WB_VECTORS(double, double)
#undef WB_VECTORS
#undef WB_MAKE

#endif
