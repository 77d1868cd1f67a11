/* The two functions for which programs include a header of this name from CUDA's samples. */
#ifndef WARPBEAM_CUDA_HELPER_CUDA_H
#define WARPBEAM_CUDA_HELPER_CUDA_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime.h"

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2           /* the exit code of a program that the device cannot run */
#endif

template <typename T> static inline void warpbeam_check(T e, const char *call, const char *file, int line)
{
	if (!e)
		return;
	fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString((cudaError_t)e));
	exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) warpbeam_check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(text) warpbeam_check(cudaGetLastError(), text, __FILE__, __LINE__)

static inline int findCudaDevice(int, const char **)
{
	checkCudaErrors(cudaSetDevice(0));
	return 0;
}

#endif
