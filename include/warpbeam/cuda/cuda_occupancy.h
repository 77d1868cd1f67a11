/* A header of the SDK that libraries include for the calls of occupancy, which are the runtime's here. */
#ifndef WARPBEAM_CUDA_OCCUPANCY_H
#define WARPBEAM_CUDA_OCCUPANCY_H
#include "cuda_runtime_api.h"
#endif
