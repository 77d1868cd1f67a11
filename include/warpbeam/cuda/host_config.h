/* Everything of this header is in every source's prologue. */
#ifndef WARPBEAM_CUDA_HOST_CONFIG_H
#define WARPBEAM_CUDA_HOST_CONFIG_H
#include "cuda_runtime.h"
#endif
