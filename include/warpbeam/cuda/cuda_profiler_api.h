/* The profiler's calls are the runtime's. */
#ifndef WARPBEAM_CUDA_PROFILER_API_H
#define WARPBEAM_CUDA_PROFILER_API_H
#include "cuda_runtime.h"
#endif
