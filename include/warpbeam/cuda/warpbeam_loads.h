/* Functions of the device that are C++ alone, of CUDA and HIP: loads and stores by their caches, and funnel shifts. */
#ifndef WARPBEAM_CUDA_LOADS_H
#define WARPBEAM_CUDA_LOADS_H

#define WB_D static __device__ __forceinline__

/* Loads through the read-only path, and by their behaviour in caches, are loads. */
template <typename T> WB_D T __ldg(const T *p) { return *p; }
template <typename T> WB_D T __ldca(const T *p) { return *p; }
template <typename T> WB_D T __ldcg(const T *p) { return *p; }
template <typename T> WB_D T __ldcs(const T *p) { return *p; }
template <typename T> WB_D T __ldcv(const T *p) { return *(const volatile T *)p; }
template <typename T> WB_D void __stwb(T *p, T v) { *p = v; }
template <typename T> WB_D void __stcg(T *p, T v) { *p = v; }
template <typename T> WB_D void __stcs(T *p, T v) { *p = v; }
template <typename T> WB_D void __stwt(T *p, T v) { *(volatile T *)p = v; }

/* A double word of high and low, shifted: wrapped counts, and counts clamped to 32. */
WB_D unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n)
{
	n &= 31;
	return n ? high << n | low >> (32 - n) : high;
}
WB_D unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned n)
{
	return n >= 32 ? low : __funnelshift_l(low, high, n);
}
WB_D unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n)
{
	n &= 31;
	return n ? low >> n | high << (32 - n) : low;
}
WB_D unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned n)
{
	return n >= 32 ? high : __funnelshift_r(low, high, n);
}
#undef WB_D

#endif
