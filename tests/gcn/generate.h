/* Random kernels in OpenCL C that end and have one meaning: the machine and the host must come to the same. */
#ifndef WB_TESTS_GCN_GENERATE_H
#define WB_TESTS_GCN_GENERATE_H

#include <stdint.h>
#include <stdio.h>

enum { GENERATED_N = 77 };       /* n of these kernels */

/* Write `count` kernels k0, k1 … of the seeds from `seed` on, each (global uint *out, global const uint *in, uint n).
 * It reads in[0 … 255] and writes four words of out for each work-item. */
void generate_kernels(uint64_t seed, unsigned count, FILE *out);
/* The same with groups: phases of reads and writes of local memory between barriers, by loops from an id on in steps
 * of the size, predicates used in several places, and of the features local atomics, a __constant parameter, unaligned
 * vectors: k0, k1 …, each (global uint *out, global const uint *in, uint n, constant uint *w), for groups of 16 to 256
 * work-items. It reads in[0 … 1023] and w[0 … 63], and writes 64 KB of out in part. No doubles. */
enum { GROUP_ATOMICS = 1, GROUP_CONSTANTS = 2, GROUP_UNALIGNED = 4, GROUP_ALL = 7 };
void generate_group_kernels(uint64_t seed, unsigned count, unsigned features, FILE *out);

#endif
