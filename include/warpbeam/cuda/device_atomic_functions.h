/* Everything of this header is in every source's prologue. */
#ifndef WARPBEAM_CUDA_DEVICE_ATOMIC_FUNCTIONS_H
#define WARPBEAM_CUDA_DEVICE_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
