/* Words of CUDA C++ and HIP C++ as attributes of clang. */
#ifndef WARPBEAM_CUDA_HOST_DEFINES_H
#define WARPBEAM_CUDA_HOST_DEFINES_H

#define __HOST_DEFINES_H__      /* headers of other people ask for the name */

#if defined(__CUDA__) || defined(__HIP__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#ifdef __HIP__
#define __managed__ __attribute__((managed))
#elif defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device))
#else           /* the host's variables stand together: the runtime finds them by their section */
#define __managed__ __attribute__((device, section("warpbeam_managed")))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else           /* a C++ compiler that reads the host's functions alone */
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif

/* clang has the word since 16; gcc has it as an attribute's name, with which bits/shared_ptr_base.h deals. */
#if (defined(__CUDA__) || defined(__HIP__)) && __clang_major__ < 16
#define __noinline__ __attribute__((noinline))
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __grid_constant__
#define __location__(a) a
#ifndef CUDARTAPI
#define CUDARTAPI
#endif
#define CUDART_CB

#endif
