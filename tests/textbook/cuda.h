/* CUDA C++ of the textbook kernels through nvcc, where the system has one. */
#ifndef WB_TESTS_TEXTBOOK_CUDA_H
#define WB_TESTS_TEXTBOOK_CUDA_H

#include <stdbool.h>
#include <stddef.h>

/* Has the system an nvcc: $NVCC, the one in PATH, or CUDA's usual one? */
bool cuda_found(void);
/* Compile a source to PTX, for an architecture ("sm_75") and options ("3", "0": -O; "lineinfo", "G"): the name of the
 * PTX's file is written to ptx, to be removed by the caller, unless WB_TEXTBOOK_PTX names a folder, which keeps PTX for
 * the next time. False: nvcc refuses, and text has the reason. */
bool cuda_compile(const char *source, const char *architecture, const char *option, char *ptx, size_t size, char *text,
		  size_t text_size);
/* Remove the PTX, or keep it. */
void cuda_done(const char *ptx);

#endif
