/* Brain floats: CUDA's functions, and HIP's names of types and constants. */
#ifndef WARPBEAM_HIP_BF16_H
#define WARPBEAM_HIP_BF16_H

#include "hip_runtime.h"
#include "../../cuda/cuda_bf16.h"

typedef __nv_bfloat16_raw __hip_bfloat16_raw;
typedef __nv_bfloat162_raw __hip_bfloat162_raw;
typedef __nv_bfloat16 __hip_bfloat16;
typedef __nv_bfloat162 __hip_bfloat162;

#define HIPRT_INF_BF16 CUDART_INF_BF16
#define HIPRT_NAN_BF16 CUDART_NAN_BF16
#define HIPRT_MIN_DENORM_BF16 CUDART_MIN_DENORM_BF16
#define HIPRT_MAX_NORMAL_BF16 CUDART_MAX_NORMAL_BF16
#define HIPRT_NEG_ZERO_BF16 CUDART_NEG_ZERO_BF16
#define HIPRT_ZERO_BF16 CUDART_ZERO_BF16
#define HIPRT_ONE_BF16 CUDART_ONE_BF16

#endif
