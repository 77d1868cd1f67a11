/* Halves, as CUDA has them. */
#ifndef WARPBEAM_HIP_FP16_H
#define WARPBEAM_HIP_FP16_H

#include "hip_runtime.h"
#include "../../cuda/cuda_fp16.h"

#endif
