/* Sources that include cuda.h mostly want the runtime; the driver interface is not here. */
#ifndef WARPBEAM_CUDA_CUDA_H_H
#define WARPBEAM_CUDA_CUDA_H_H
#include "cuda_runtime.h"
#endif
