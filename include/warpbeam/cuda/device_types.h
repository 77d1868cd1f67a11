/* Everything of this header is in every source's prologue. */
#ifndef WARPBEAM_CUDA_DEVICE_TYPES_H
#define WARPBEAM_CUDA_DEVICE_TYPES_H
#include "cuda_runtime.h"
#endif
