/* CUDA C++ for clang without an SDK, included before every .cu source: the words of the language, the types, the
 * functions of the device, and the calls of a host program. Written from the public documentation of CUDA; the
 * functions of the device build on the headers that come with clang. */
#ifndef WARPBEAM_CUDA_RUNTIME_H
#define WARPBEAM_CUDA_RUNTIME_H

#define __CUDA_RUNTIME_H__      /* headers of other people ask which of CUDA's were read */
#define CUDART_VERSION 11000
#ifndef CUDA_VERSION
#define CUDA_VERSION 11000
#endif
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#if !defined(__NVCC__) && !defined(WARPBEAM_CMAKE_ASKS)
#define __NVCC__ 1            /* programs ask so for the words of the language */
#endif
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#ifndef __CUDA_ARCH_LIST__
#define __CUDA_ARCH_LIST__ 700  /* in CUB's names, on both sides */
#endif

#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#endif
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host_defines.h"
#include "vector_types.h"

#if defined(__CUDA__) && defined(__clang__)
#pragma push_macro("__THROW")
#undef __THROW
#define __THROW
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__           /* of the host: the device's functions must parse */
#define __CUDA_ARCH__ 9999
#endif
#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_math_forward_declares.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include "warpbeam_math.h"
#include "warpbeam_device.h"
#include "warpbeam_loads.h"
#include "warpbeam_warp.h"
#include "warpbeam_minmax.h"
#include "warpbeam_dpx.h"
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__THROW")

#define WB_VALUES(builtin) \
	__device__ inline builtin::operator dim3() const { return dim3(x, y, z); } \
	__device__ inline builtin::operator uint3() const { return uint3{ x, y, z }; }
WB_VALUES(__cuda_builtin_threadIdx_t)
WB_VALUES(__cuda_builtin_blockIdx_t)
WB_VALUES(__cuda_builtin_blockDim_t)
WB_VALUES(__cuda_builtin_gridDim_t)
#undef WB_VALUES

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>
#endif

#include "vector_functions.h"
#include "cuda_runtime_api.h"
#if defined(__CUDA__) && defined(__clang__)
#include "warpbeam_textures.h"
#include "warpbeam_surfaces.h"
#include "warpbeam_heap.h"

#if defined(__WARPBEAM_RELOCATABLE__) && !defined(__CUDA_ARCH__)
/* clang registers an object's text for a kernel or a variable of the object alone; others may want the functions. */
static __global__ __attribute__((used)) void warpbeam_part() {}
#endif
#endif

#endif
