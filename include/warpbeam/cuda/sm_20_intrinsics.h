/* Everything of this header is in every source's prologue. */
#ifndef WARPBEAM_CUDA_SM_20_INTRINSICS_H
#define WARPBEAM_CUDA_SM_20_INTRINSICS_H
#include "cuda_runtime.h"
#endif
