/* HIP C++ for clang without ROCm, included before every .hip source: words of the language, types, functions
 * of the device, and calls of a host program. Written from the public documentation of HIP; the functions of the
 * device build on the headers that come with clang, and what HIP has from CUDA is CUDA's header (../../cuda). */
#ifndef WARPBEAM_HIP_RUNTIME_H
#define WARPBEAM_HIP_RUNTIME_H

#ifndef __HIPCC__
#define __HIPCC__ 1
#endif

#include "hip_version.h"

#if defined(__HIP__) && defined(__clang__)
#include <__clang_hip_runtime_wrapper.h>
#endif
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <chrono>               /* rocPRIM measures with it, and includes it late */
#endif

#include "../../cuda/host_defines.h"
#include "../../cuda/vector_types.h"
#include "../../cuda/vector_functions.h"
#include "hip_runtime_api.h"
#include "texture_types.h"

#if defined(__HIP__) && defined(__clang__)
#include "warpbeam_device.h"
#include "warpbeam_textures.h"
#include "warpbeam_wave.h"
#include "../../cuda/warpbeam_loads.h"
#include "../../cuda/warpbeam_heap.h"
#endif
#ifdef __cplusplus
#include "warpbeam_vectors.h"
#endif

/* Launches as a function, and words around names of kernels and variables. */
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(name) name
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...) \
	do { (kernel)<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__); } while (0)

#endif
