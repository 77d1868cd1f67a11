/* Everything of this header is in the two below. */
#ifndef WARPBEAM_CUDA_BUILTIN_TYPES_H
#define WARPBEAM_CUDA_BUILTIN_TYPES_H
#include "driver_types.h"
#include "vector_types.h"
#endif
