/* threadIdx, blockIdx, blockDim, gridDim and warpSize are declared by every source's prologue. */
#ifndef WARPBEAM_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define WARPBEAM_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#include "cuda_runtime.h"
#endif
