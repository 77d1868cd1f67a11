/* min and max of two numbers, in device and host functions: after the usual conversions of C. */
#ifndef WARPBEAM_CUDA_MINMAX_H
#define WARPBEAM_CUDA_MINMAX_H

#define WB_MINMAX(attributes, a, b, type) \
	attributes static __inline__ type min(a x, b y) { return (type)y < (type)x ? (type)y : (type)x; } \
	attributes static __inline__ type max(a x, b y) { return (type)x < (type)y ? (type)y : (type)x; }
#define WB_FLOATS(attributes, a, b, type, minimum, maximum) \
	attributes static __inline__ type min(a x, b y) { return minimum((type)x, (type)y); } \
	attributes static __inline__ type max(a x, b y) { return maximum((type)x, (type)y); }
#define WB_BOTH __host__ __device__

WB_MINMAX(__host__, int, int, int)              /* the device's is clang's */
WB_MINMAX(WB_BOTH, unsigned, unsigned, unsigned)
WB_MINMAX(WB_BOTH, unsigned, int, unsigned)
WB_MINMAX(WB_BOTH, int, unsigned, unsigned)
WB_MINMAX(WB_BOTH, long, long, long)
WB_MINMAX(WB_BOTH, unsigned long, unsigned long, unsigned long)
WB_MINMAX(WB_BOTH, unsigned long, long, unsigned long)
WB_MINMAX(WB_BOTH, long, unsigned long, unsigned long)
WB_MINMAX(WB_BOTH, long long, long long, long long)
WB_MINMAX(WB_BOTH, unsigned long long, unsigned long long, unsigned long long)
WB_MINMAX(WB_BOTH, unsigned long long, long long, unsigned long long)
WB_MINMAX(WB_BOTH, long long, unsigned long long, unsigned long long)
WB_FLOATS(WB_BOTH, float, float, float, fminf, fmaxf)
WB_FLOATS(WB_BOTH, double, double, double, fmin, fmax)
WB_FLOATS(WB_BOTH, float, double, double, fmin, fmax)
WB_FLOATS(WB_BOTH, double, float, double, fmin, fmax)
#undef WB_MINMAX
#undef WB_FLOATS
#undef WB_BOTH

#endif
