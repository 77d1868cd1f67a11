/* Random kernels in OpenCL C that end and have one meaning: the machine and the host must come to the same. */
#ifndef WB_TESTS_GCN_GENERATE_H
#define WB_TESTS_GCN_GENERATE_H

#include <stdint.h>
#include <stdio.h>

enum { GENERATED_N = 77 };       /* n of these kernels */

/* Write `count` kernels k0, k1 … of the seeds from `seed` on, each (global uint *out, global const uint *in, uint n).
 * It reads in[0 … 255] and writes four words of out for each work-item. */
void generate_kernels(uint64_t seed, unsigned count, FILE *out);

#endif
