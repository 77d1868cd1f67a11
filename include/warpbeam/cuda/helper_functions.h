/* Nothing but the other header of the samples. */
#ifndef WARPBEAM_CUDA_HELPER_FUNCTIONS_H
#define WARPBEAM_CUDA_HELPER_FUNCTIONS_H

#include "helper_cuda.h"

#endif
